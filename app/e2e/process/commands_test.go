package process

import (
	"path/filepath"
	"testing"

	"appliance/app/apptest"
)

// The running server applies the effects of commands at once: new members,
// changed names, disabled members. A restored backup contains the data at the
// time of the backup. Covers C-06, I-25, B-13, B-84 and SH-08.
func TestCommandsTakeEffectInTheRunningServer(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	run := func(stdin string, args ...string) {
		t.Helper()
		if status, output := apptest.RunCommand(t, stdin, append(args, "--data", dir)...); status != 0 {
			t.Fatalf("%s: got exit status %d, want 0\n%s", args, status, output)
		}
	}
	p.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "bea", "password": apptest.Password}).Want(401)
	run(apptest.Password, "admin", "members", "add", "--email", "bea@example.org", "--username", "bea", "--password-stdin")
	bea := p.SignIn("bea")
	dav := bea.Basic().With("Depth", "1")
	dav.Do("PROPFIND", "/caldav/2/calendars/").Want(207)
	dataset := bea.AsRuntime().Do("GET", "/world/runtime").Want(200)
	conditionalClient := bea.AsRuntime().With("If-None-Match", dataset.Header.Get("ETag"))
	conditionalClient.Do("GET", "/world/runtime").Want(304)

	run("", "admin", "members", "update", "bea", "--display-name", "Beatrix")
	if got := conditionalClient.Do("GET", "/world/runtime").Want(200).Str("member.display_name"); got != "Beatrix" {
		t.Errorf("display name in the dataset: got %q, want Beatrix", got)
	}
	bea.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	backup := filepath.Join(t.TempDir(), "copy.db")
	run("", "backup", backup)

	run("", "admin", "members", "disable", "bea")
	bea.Do("GET", "/identity/me").Want(401)
	dav.Do("PROPFIND", "/caldav/2/calendars/").Want(401)
	run("", "admin", "members", "enable", "bea")
	p.SignIn("bea").Do("GET", "/identity/me").Want(200)
	stop(p)

	run("", "restore", backup)
	bea = apptest.Serve(t, dir).SignIn("bea")
	if tasks := bea.Do("GET", "/world/time/objects?object_type=task").Want(200).List("objects"); len(tasks) != 1 {
		t.Errorf("tasks after the restore: got %d, want 1: %v", len(tasks), tasks)
	}
}
