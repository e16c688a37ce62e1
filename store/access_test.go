package store_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/store"
)

// The advice names the owner, the user of the process or the read-only file system.
func TestExplainAccessNamesTheRemedy(t *testing.T) {
	dir := t.TempDir()
	failed := func(err error) error {
		return &fs.PathError{Op: "open", Path: filepath.Join(dir, "missing", "lock"), Err: err}
	}
	for _, c := range []struct {
		err  error
		want string
	}{{failed(syscall.EACCES), dir + " belongs to "}, {failed(syscall.EROFS), "is read-only: mount it for writing"}} {
		if got := store.ExplainAccess(c.err); !strings.Contains(got, c.want) {
			t.Errorf("%v: got %q, want %q in it", c.err, got, c.want)
		}
	}
	for _, err := range []error{failed(syscall.ENOENT), errors.New("other"), nil} {
		if got := store.ExplainAccess(err); got != "" {
			t.Errorf("%v: got %q, want no advice", err, got)
		}
	}
}
