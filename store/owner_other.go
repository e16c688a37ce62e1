//go:build !unix

package store

// noFollow is 0: on these systems only administrators can create symbolic links.
const noFollow = 0

// hasOtherNames reports nothing: the files of other systems are not examined.
func hasOtherNames(string) bool { return false }

// chownToDirOwner does nothing: there is no root user.
func chownToDirOwner(string) error { return nil }
