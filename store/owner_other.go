//go:build !unix

package store

// noFollow is 0: on these systems only administrators can create symbolic links.
const noFollow = 0

// hasOtherNames returns false: hard links are examined on Unix only.
func hasOtherNames(string) bool { return false }

// chownToDirOwner does nothing: there is no root user.
func chownToDirOwner(string) error { return nil }
