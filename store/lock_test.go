//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Only one process can lock a database file, even through a symbolic link in another data
// directory. A file with several hard links cannot be locked.
func TestLinkedDatabaseIsLockedOnce(t *testing.T) {
	file, link := filepath.Join(t.TempDir(), "appliance.db"), filepath.Join(t.TempDir(), "appliance.db")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{file, link}, {link, file}} {
		unlock, err := Lock(c[0])
		if err != nil {
			t.Fatalf("%s: %v", c[0], err)
		}
		if _, err := Lock(c[1]); !errors.Is(err, ErrLocked) {
			t.Errorf("%s beside %s: got %v, want ErrLocked", c[1], c[0], err)
		}
		if err := unlock(); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(t.TempDir(), "appliance.db")
	if err := os.Link(file, other); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{file, other} {
		if _, err := Lock(name); err == nil || !strings.Contains(err.Error(), "other names") {
			t.Errorf("%s, a hard link: got %v, want an error", name, err)
		}
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	unlock, err := Lock(link)
	if err != nil {
		t.Fatalf("after the removal of the other name: %v", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}
