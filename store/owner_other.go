//go:build !unix

package store

import "io/fs"

// noFollow is 0: on these systems only administrators can create symbolic links.
const noFollow = 0

// hasOtherHardLinks returns false: hard links are only counted on Unix.
func hasOtherHardLinks(string) bool { return false }

// chownToDirOwner does nothing: there is no root user.
func chownToDirOwner(string) error { return nil }

// ownerOf returns the user ID of the owner of a file; there is none.
func ownerOf(fs.FileInfo) (uid int, ok bool) { return 0, false }
