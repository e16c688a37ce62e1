package process

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// runInvite runs a command that prints a link, and returns its output.
func runInvite(t *testing.T, dir string) string {
	t.Helper()
	status, output := apptest.RunCommand(t, "", "admin", "members", "invite", "--data", dir)
	if status != 0 {
		t.Fatalf("got exit status %d, want 0\n%s", status, output)
	}
	return output
}

// A command that runs without the flags of the server prints links to the running server, and a
// warning if other devices cannot open them. The server logs the same warning.
func TestLinksOfCommandsLeadToTheRunningServer(t *testing.T) {
	const loopback, stopped = "WARNING: Only the machine of the server can open ", "No server is running"
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	output := runInvite(t, dir)
	link, _, _ := strings.Cut(output, "\n")
	if !strings.HasPrefix(link, p.URL+"/world/invite/") || !strings.Contains(output, loopback) || strings.Contains(output, stopped) {
		t.Errorf("beside a server at %s: got %q, want a link to it and a warning", p.URL, output)
	}
	p.Unauthenticated().Do("GET", strings.TrimPrefix(link, p.URL)).Want(200)
	p.Kill()
	if _, err := os.Stat(filepath.Join(dir, "address")); err != nil {
		t.Fatalf("got %v, want the address file of the killed server", err)
	}
	if output = runInvite(t, dir); !strings.HasPrefix(output, "http://127.0.0.1:8080/") || !strings.Contains(output, stopped) {
		t.Errorf("after kill -9: got %q, want a link to the address in the settings and %q", output, stopped)
	}

	const refused = "Without a reverse proxy, other devices cannot open https://home.example.org/a. Set listen"
	for _, c := range []struct {
		listen string
		warns  bool
	}{{"127.0.0.1:0", true}, {"0.0.0.0:0", false}} {
		p = apptest.Serve(t, dir, "--base-url", "https://home.example.org/a", "--listen", c.listen)
		output = runInvite(t, dir)
		if !strings.HasPrefix(output, "https://home.example.org/a/world/invite/") || strings.Contains(output, "WARNING") != c.warns || strings.Contains(output, refused) != c.warns {
			t.Errorf("beside a server with base-url that listens on %s: got %q, want a link to it, with a warning %t", c.listen, output, c.warns)
		}
		stop(p)
		if got := strings.Contains(p.Log.String(), refused); got != c.warns {
			t.Errorf("a server with base-url that listens on %s: got a warning in the log %t, want %t\n%s", c.listen, got, c.warns, p.Log.String())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "address")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("address file after the exit: got %v, want none", err)
	}
}

// A port that another program uses is reported before the database is created or
// migrated.
func TestPortInUseChangesNothing(t *testing.T) {
	socket := listen(t)
	dir := t.TempDir()
	status, output := apptest.RunCommand(t, "", "serve", "--data", dir, "--listen", socket.Addr().String())
	if status != 4 || !strings.Contains(output, "choose another address with --listen") {
		t.Errorf("got exit status %d, %q, want 4 and advice", status, output)
	}
	wantFileModes(t, dir, map[string]fs.FileMode{"lock": 0o600})
}
