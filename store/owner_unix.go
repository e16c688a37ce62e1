//go:build unix

package store

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// noFollow has the opening of a file fail where a symbolic link has its name.
const noFollow = syscall.O_NOFOLLOW

func adopt(path string) error {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	owner := folder.Sys().(*syscall.Stat_t)
	if owner.Uid == 0 {
		return nil
	}
	// The owner may put anything under that name, and put another thing there
	// at any moment: what is looked at must be what is given away.
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow|syscall.O_NONBLOCK, 0)
	if err != nil {
		if link, e := os.Lstat(path); e == nil && link.Mode()&fs.ModeSymlink != 0 {
			return fmt.Errorf("%s is a symbolic link, and root follows none in a directory of somebody else: run this as the owner of %s", path, filepath.Dir(path))
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
		return fmt.Errorf("%s is root's and not a file of its own: remove it", path)
	}
	return f.Chown(int(owner.Uid), int(owner.Gid))
}
