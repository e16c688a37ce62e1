//go:build unix

package app

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What commands of root leave in a data directory belongs to its owner: the
// server, which runs as somebody else, must be able to start afterwards.
func TestRootLeavesNothingOfItsOwn(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act for somebody else")
	}
	const somebody = 65534
	dir := t.TempDir()
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.Chown(dir, somebody, somebody); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"setup --email ann@example.org --password-stdin", "backup " + copied, "restore " + copied,
		"admin members add --email bea@example.org --password-stdin", "migrate up",
	} {
		var out bytes.Buffer
		args := append(strings.Fields(command), "--data", dir)
		if status := Run(t.Context(), args, strings.NewReader(password+"\n"), &out, &out); status != 0 {
			t.Fatalf("%s: %s", command, &out)
		}
	}
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		// An old database is the operator's: the server need not read it.
		if info.Sys().(*syscall.Stat_t).Uid != somebody && !strings.Contains(path, "before-restore") {
			t.Errorf("%s belongs to root", path)
		}
		files++
		return nil
	})
	if err != nil || files < 5 {
		t.Errorf("%d files, %v", files, err)
	}
}
