package cli_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/app/apptest"
)

// unprivilegedUID is the user ID of the server in tests of commands that run as
// root.
const unprivilegedUID = 65534

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can change the owner of files")
	}
}

// The server runs as another user and cannot start if a file in its data directory
// is owned by root.
func TestFilesOfRootCommandsBelongToTheDirectoryOwner(t *testing.T) {
	needRoot(t)
	dir := t.TempDir()
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.Chown(dir, unprivilegedUID, unprivilegedUID); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{
		"setup --email ann@example.org --password-stdin", "backup " + copied, "restore " + copied,
		"admin members add --email bea@example.org --password-stdin", "migrate up",
	} {
		if status, out, errs := run(t, apptest.Password+"\n", append(strings.Fields(command), "--data", dir)...); status != 0 {
			t.Fatalf("%s: got status %d, want 0\n%s%s", command, status, out, errs)
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
		files++
		if strings.Contains(path, "before-restore") { // the server does not read the previous database
			return nil
		}
		if got := info.Sys().(*syscall.Stat_t).Uid; got != unprivilegedUID {
			t.Errorf("%s: got owner %d, want %d", path, got, unprivilegedUID)
		}
		return nil
	})
	if err != nil || files < 5 {
		t.Errorf("got %d files, %v, want at least 5", files, err)
	}
}

func TestRootCommandsFollowNoLinksInTheDataDirectory(t *testing.T) {
	needRoot(t)
	targets := t.TempDir()
	for _, c := range []struct {
		name, file string
		create     func(target string) error
		link       func(target, name string) error
	}{
		{"symbolic link as lock", "lock", createFile, os.Symlink},
		{"symbolic link as database", "appliance.db", createFile, os.Symlink},
		{"symbolic link as backups", "backups", func(target string) error { return os.Mkdir(target, 0o700) }, os.Symlink},
		{"hard link as lock", "lock", createFile, os.Link},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, target := t.TempDir(), filepath.Join(targets, c.name)
			for _, err := range []error{c.create(target), os.Chown(dir, unprivilegedUID, unprivilegedUID), c.link(target, filepath.Join(dir, c.file))} {
				if err != nil {
					t.Fatal(err)
				}
			}
			if status, out, _ := run(t, "", "migrate", "up", "--data", dir); status == 0 {
				t.Errorf("migrate up: got status 0, want a failure\n%s", out)
			}
			info, err := os.Stat(target)
			if err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 || info.Mode().IsRegular() && info.Size() > 0 {
				t.Errorf("target of the link: got %+v, %v, want it unchanged", info, err)
			}
		})
	}
}

func createFile(name string) error { return os.WriteFile(name, nil, 0o600) }

func TestDataDirectoryCanBeASymbolicLink(t *testing.T) {
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "data")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := run(t, "", "migrate", "up", "--data", link); status != 0 {
		t.Errorf("got status %d, want 0\n%s", status, errs)
	}
}
