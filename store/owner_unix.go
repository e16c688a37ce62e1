//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
)

func adopt(path string) error {
	folder, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return err
	}
	file, err := os.Stat(path)
	if err != nil {
		return err
	}
	want, got := folder.Sys().(*syscall.Stat_t), file.Sys().(*syscall.Stat_t)
	if want.Uid == got.Uid {
		return nil
	}
	return os.Chown(path, int(want.Uid), int(want.Gid))
}
