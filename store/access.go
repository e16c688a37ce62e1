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

// checkAccess returns the error of the operating system if the process may not write the database
// at path, or not create the files of SQLite beside it.
func checkAccess(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	dir := filepath.Dir(path)
	beside, err := os.CreateTemp(dir, ".access-*")
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "create a file in", Path: dir, Err: at.Err}
	}
	if err != nil {
		return err
	}
	return errors.Join(beside.Close(), os.Remove(beside.Name()))
}

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
		return explainOwner(at, path, uid)
	}
}

// explainOwner returns the advice for an error at a path that belongs to another user than that of
// the process. It never suggests to change the owner of a directory above the data directory, or to
// run the program as root.
func explainOwner(at *fs.PathError, path string, uid int) string {
	owner, process := userName(uid), userName(os.Getuid())
	text := fmt.Sprintf("%s belongs to %s, but this program runs as %s: ", path, owner, process)
	switch {
	case at.Op == "mkdir":
		return text + fmt.Sprintf("choose another directory with --data, or run as root: install -d -m 700 -o %s %s", process, at.Path)
	case uid == 0:
		return text + fmt.Sprintf("run as root: chown -R %s %s", process, path)
	}
	return text + fmt.Sprintf("run it as %s, or run as root: chown -R %s %s", owner, process, path)
}

// userName returns the name of a user, or the number if it has no name.
func userName(uid int) string {
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		return u.Username
	}
	return strconv.Itoa(uid)
}
