package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// ExplainAccess returns what to do about an error of the file system that means that the process
// may not use a file: the owner of the file, or of its nearest existing directory, and the user
// of the process. It returns "" for other errors.
func ExplainAccess(err error) string {
	var at *fs.PathError
	switch {
	case !errors.As(err, &at):
		return ""
	case errors.Is(err, syscall.EROFS):
		return fmt.Sprintf("The file system of %s is read-only: mount it for writing, or choose another directory with --data.", filepath.Dir(at.Path))
	case !errors.Is(err, fs.ErrPermission):
		return ""
	}
	process := userName(os.Getuid())
	for path := at.Path; ; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		if err != nil && filepath.Dir(path) != path {
			continue
		}
		if err != nil {
			return ""
		}
		uid, ok := ownerOf(info)
		if !ok {
			return ""
		}
		if uid == os.Getuid() {
			const text = "%s belongs to %s, who runs this program, but its mode %s does not permit this. Run chmod u+rwX %s."
			return fmt.Sprintf(text, path, process, info.Mode().Perm(), path)
		}
		owner := userName(uid)
		return fmt.Sprintf("%s belongs to %s, but this program runs as %s: run it as %s, or run chown -R %s %s as root.", path, owner, process, owner, process, path)
	}
}

// userName returns the name of a user, or the number if it has no name.
func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return strconv.Itoa(uid)
}
