package process

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/app/apptest"
)

// otherUser is the ID of a user without a name and rights.
const otherUser = 54321

// runAsOther runs a command of the program as otherUser and returns its output.
func runAsOther(t *testing.T, args ...string) string {
	t.Helper()
	cmd := apptest.Command(t, args...)
	if err := os.Chmod(filepath.Dir(cmd.Path), 0o711); err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: otherUser, Gid: otherUser}}
	cmd.Stdin = strings.NewReader(apptest.Password)
	output, _ := cmd.CombinedOutput() // the caller checks the output
	return string(output)
}

// The message about files of another user names both users and a command that gives the files
// to the user of the server. It never suggests to change the owner of a directory above the data.
func TestFilesOfAnotherUserAreExplained(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can run the program as another user")
	}
	above := t.TempDir()
	if err := os.Chmod(filepath.Dir(above), 0o755); err != nil {
		t.Fatal(err)
	}
	own := func(uid int, mode os.FileMode, names ...string) {
		for _, name := range names {
			if err := os.Chown(name, uid, uid); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(names[0], mode); err != nil {
			t.Fatal(err)
		}
	}
	ofRoot, mixed, readOnly := apptest.NewDataDir(t), apptest.NewDataDir(t), apptest.NewDataDir(t)
	own(otherUser, 0o700, mixed)
	own(otherUser, 0o500, readOnly, filepath.Join(readOnly, "appliance.db"))
	database := filepath.Join(mixed, "appliance.db")
	for _, dir := range []string{ofRoot, mixed, readOnly} {
		if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, dir string
		want      string
	}{
		{"a directory of root", ofRoot, ofRoot + " belongs to root, but this program runs as 54321: run as root: chown -R 54321 " + ofRoot + "\n"},
		{"a database of root", mixed, database + " belongs to root, but this program runs as 54321: run as root: chown -R 54321 " + database + "\n"},
		{"a directory without the right to write", readOnly, readOnly + " belongs to 54321, who runs this program, but its mode -r-x------ does not permit this. Run chmod u+rwX " + readOnly},
		{"a new directory", filepath.Join(above, "data"), above + " belongs to root, but this program runs as 54321: choose another directory with --data, or run as root: install -d -m 700 -o 54321 " + above + "/data\n"},
	} {
		if got := runAsOther(t, "serve", "--data", c.dir, "--listen", "127.0.0.1:0"); !strings.Contains(got, c.want) || !strings.Contains(got, "permission denied") {
			t.Errorf("%s: got\n%s\nwant the reason and %q", c.name, got, c.want)
		}
	}
}

// A data directory on a file system that is mounted for reading only is named as such.
func TestReadOnlyFileSystemIsExplained(t *testing.T) {
	disk := newSmallDisk(t, 40)
	data := filepath.Join(disk.mountPoint, "data")
	if status, out := disk.run(apptest.Password, apptest.SetupArgs(data)...); status != 0 {
		t.Fatal(out)
	}
	cmd := apptest.Command(t, "-o", "remount,ro", disk.mountPoint)
	cmd.Path = "/usr/bin/mount"
	if out, err := disk.inNamespace(cmd).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const want = "is read-only: mount it for writing, or choose another directory with --data."
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"doctor"}} {
		if status, out := disk.run("", append(args, "--data", data)...); status != 1 || !strings.Contains(out, "read-only file system") || !strings.Contains(out, want) {
			t.Errorf("%s: got exit status %d and\n%s\nwant 1, the reason and %q", args[0], status, out, want)
		}
	}
}
