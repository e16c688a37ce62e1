package process

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
)

// wantFileModes fails the test unless the directory contains exactly these files
// with these modes.
func wantFileModes(t *testing.T, dir string, want map[string]fs.FileMode) {
	t.Helper()
	got := apptest.Files(t, dir)
	for name, mode := range want {
		if got[name] != mode {
			t.Errorf("mode of %s: got %v, want %v", name, got[name], mode)
		}
		delete(got, name)
	}
	if len(got) > 0 {
		t.Errorf("files in %s: got also %v, want only %v", dir, got, want)
	}
}

// The first start creates a data directory that only its owner can read, under
// any umask. The log names the file of the set-up link but does not contain the
// link. The link works once. After a clean exit the database is one file. Covers
// L-16, L-18, SH-03 and PT-08 for the link.
func TestFirstStartCreatesPrivateFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	serve := apptest.ServeCommand(t, dir, "--log", "debug")
	cmd := exec.CommandContext(t.Context(), "sh", append([]string{"-c", `umask 0; exec "$0" "$@"`}, serve.Args...)...)
	cmd.Env = serve.Env
	p := apptest.Start(t, cmd)
	if got, want := p.Unauthenticated().Do("GET", "/ready").Want(200).Body, "appliance ready:"; !strings.HasPrefix(got, want) {
		t.Errorf("/ready: got %q, want it to begin with %q", got, want)
	}
	wantFileModes(t, dir, map[string]fs.FileMode{
		"appliance.db": 0o600, "appliance.db-wal": 0o600, "appliance.db-shm": 0o600, "lock": 0o600, "reserve": 0o600,
		"setup-link": 0o600, "address": 0o600, "backups": 0o700 | fs.ModeDir,
	})
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("data directory: got %v, %v, want mode 0700", info, err)
	}

	if n := strings.Count(p.Log.String(), `"level":"INFO","msg":"creating the database"`); n != 1 || strings.Contains(p.Log.String(), "migrating") {
		t.Errorf("got %d lines about the new database, want one and no other:\n%s", n, p.Log)
	}
	wantSetupLinkWorksOnce(t, p, dir)
	stop(p)
	wantFileModes(t, dir, map[string]fs.FileMode{
		"appliance.db": 0o600, "appliance.toml": 0o600, "lock": 0o600, "reserve": 0o600, "backups": 0o700 | fs.ModeDir,
	})
	if err := store.Verify(t.Context(), filepath.Join(dir, "appliance.db")); err != nil {
		t.Errorf("database after the exit: %v", err)
	}
}

// wantSetupLinkWorksOnce sets the server up with the link in the data directory,
// and fails the test unless the link is invalid afterwards and absent from the
// log.
func wantSetupLinkWorksOnce(t *testing.T, p *apptest.Process, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "setup-link"))
	if err != nil {
		t.Fatal(err)
	}
	link, err := url.Parse(strings.TrimSpace(string(text)))
	if err != nil || !strings.HasPrefix(link.String(), p.URL+"/setup?") {
		t.Fatalf("set-up link: got %q, %v, want a URL below %s/setup", text, err, p.URL)
	}
	code := link.Query().Get("code")
	client := p.Unauthenticated()
	client.Do("GET", link.RequestURI()).Want(200)
	form := apptest.Form(url.Values{"code": {code}, "email": {"ann@example.org"}, "display_name": {"Ann"}, "server_name": {"Home"}, "password": {apptest.Password}}.Encode())
	client.Do("POST", "/setup", form).Want(303)
	client.Do("POST", "/setup", form).Want(404)
	client.Do("GET", link.RequestURI()).Want(404)
	if strings.Contains(p.Log.String(), code) {
		t.Errorf("got the code of the set-up link in the log, want it only in the file:\n%s", p.Log)
	}
}

// A command replaces the set-up link of a running server: the new one works, the previous one
// does not. Without a server it says how to get a link.
func TestCommandPrintsANewSetupLink(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	p := apptest.Serve(t, dir)
	web := p.Unauthenticated()
	web.Do("GET", "/ready").Want(200)
	text, err := os.ReadFile(filepath.Join(dir, "setup-link"))
	if err != nil {
		t.Fatal(err)
	}
	pathOf := func(link string) string { return strings.TrimPrefix(strings.TrimSpace(link), p.URL) }
	web.Do("GET", pathOf(string(text))).Want(200)
	status, out := apptest.RunCommand(t, "", "setup", "--link", "--data", dir)
	link, _, _ := strings.Cut(out, "\n")
	if status != 0 || !strings.HasPrefix(link, p.URL+"/setup?code=") {
		t.Fatalf("got status %d and\n%s\nwant 0 and a link of %s", status, out, p.URL)
	}
	web.Do("GET", pathOf(string(text))).Want(404)
	web.Do("GET", pathOf(link)).Want(200)
	stop(p)
	if status, out := apptest.RunCommand(t, "", "setup", "--link", "--data", dir); status != 1 || !strings.Contains(out, "start it with appliance serve") {
		t.Errorf("without a server: got status %d and\n%s\nwant 1 and the advice to start the server", status, out)
	}
}

// The exit of the server invalidates its set-up link.
func TestUnusedSetupLinkIsDeletedAtExit(t *testing.T) {
	dir := t.TempDir()
	p := apptest.Serve(t, dir)
	p.Unauthenticated().Do("GET", "/ready").Want(200)
	link := filepath.Join(dir, "setup-link")
	if _, err := os.Stat(link); err != nil {
		t.Fatal(err)
	}
	stop(p)
	if _, err := os.Stat(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("set-up link after the exit: got %v, want no file", err)
	}
}

// The server warns about a data directory whose files other users could replace.
func TestServerWarnsAboutAWritableDataDirectory(t *testing.T) {
	const warning = "other users of this machine can replace files in the data directory"
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	stop(p)
	if strings.Contains(p.Log.String(), warning) {
		t.Errorf("mode 700: got the warning in\n%s", p.Log.String())
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p = apptest.Serve(t, dir)
	p.WaitForLog(warning)
}

// The data directory that apptest prepares for tests has the time zone of the test server.
func TestPreparedDataDirectoryHasTheZoneOfTheServer(t *testing.T) {
	db := apptest.OpenDatabase(t, apptest.NewDataDir(t))
	var zone string
	if err := db.QueryRow("SELECT timezone FROM calendar_calendar").Scan(&zone); err != nil || zone != "Europe/Berlin" {
		t.Errorf("got the zone %q (%v), want Europe/Berlin", zone, err)
	}
}
