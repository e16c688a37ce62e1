//go:build unix

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// noFollow is a flag that makes opening a symbolic link fail.
const noFollow = syscall.O_NOFOLLOW

// hasOtherHardLinks reports whether a file has more than one hard link.
func hasOtherHardLinks(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Sys().(*syscall.Stat_t).Nlink > 1
}

// ownerOf returns the user ID of the owner of a file.
func ownerOf(info fs.FileInfo) (uid int, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return int(stat.Uid), true
}

func chownToDirOwner(path string) error {
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	owner := dir.Sys().(*syscall.Stat_t)
	if owner.Uid == 0 {
		return nil
	}
	// The owner of the directory can replace the file at any time, so the file
	// that is checked must be the one whose owner changes: both use the open
	// descriptor.
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow|syscall.O_NONBLOCK, 0)
	if err != nil {
		if link, e := os.Lstat(path); e == nil && link.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link, which root does not follow in a directory of another user: run this command as the owner of %s", path, filepath.Dir(path))
		}
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file := info.Sys().(*syscall.Stat_t)
	if file.Uid != 0 {
		return nil
	}
	if !info.IsDir() && (!info.Mode().IsRegular() || file.Nlink > 1) {
		return fmt.Errorf("%s belongs to root and is not a regular file with a single link: remove it", path)
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
