package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/app/apptest"
	"appliance/app/cli"
	"appliance/app/config"
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
		if status := cli.Run(t.Context(), args, strings.NewReader(apptest.Password+"\n"), &out, &out); status != 0 {
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

// In a directory of somebody else root gives away nothing that a link leads
// to, whatever its owner has put there.
func TestRootFollowsNoLinks(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act for somebody else")
	}
	const somebody = 65534
	victims := t.TempDir()
	for _, name := range []string{"lock", "appliance.db", "backups", "lock as another name"} {
		t.Run(name, func(t *testing.T) {
			victim := filepath.Join(victims, name)
			make := func() error { return os.WriteFile(victim, nil, 0o600) }
			link := os.Symlink
			switch name {
			case "backups":
				make = func() error { return os.Mkdir(victim, 0o700) }
			case "lock as another name":
				link = os.Link
			}
			dir := t.TempDir()
			there := filepath.Join(dir, strings.Fields(name)[0])
			for _, err := range []error{make(), os.Chown(dir, somebody, somebody), link(victim, there)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			var out bytes.Buffer
			if status := cli.Run(t.Context(), []string{"migrate", "up", "--data", dir}, strings.NewReader(""), &out, &out); status == 0 {
				t.Error("it was made nevertheless")
			}
			info, err := os.Stat(victim)
			if err != nil || info.Sys().(*syscall.Stat_t).Uid != 0 || info.Mode().IsRegular() && info.Size() > 0 {
				t.Errorf("what it leads to is now %+v, %v", info, err)
			}
		})
	}
	// The directory itself may be a link.
	dir, link := t.TempDir(), filepath.Join(t.TempDir(), "data")
	var out bytes.Buffer
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if status := cli.Run(t.Context(), []string{"migrate", "up", "--data", link}, strings.NewReader(""), &out, &out); status != 0 {
		t.Error(out.String())
	}
}

// What only the owner may read is made anew, even where a link leads elsewhere.
func TestPrivateFilesFollowNoLinks(t *testing.T) {
	dir := t.TempDir()
	file, victim := filepath.Join(dir, "setup-link"), filepath.Join(dir, "victim")
	if err := os.Symlink(victim, file); err != nil {
		t.Fatal(err)
	}
	if err := config.WritePrivate(file, "secret"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(victim); err == nil {
		t.Error("it was written through the link")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "secret" {
		t.Errorf("the file says %q, %v", text, err)
	}
}
