package process

import (
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store/storetest"
)

// A server that reads a damaged page responds with 503 at /ready from then on, and logs the remedy
// once. Requests that read other pages still work. doctor reports the damage, and a restored backup
// repairs it.
func TestDamagedPageEndsReadiness(t *testing.T) {
	dir := apptest.NewDataDir(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	if status, out := apptest.RunCommand(t, "", "backup", "--data", dir, backup); status != 0 {
		t.Fatal(out)
	}
	storetest.Damage(t, filepath.Join(dir, "appliance.db"), "social_profile")
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	ann.Do("GET", "/ready").Want(200)
	for range 2 {
		ann.Do("GET", "/world/social/profile").WantError(500, "internal_error")
	}
	if got := ann.Do("GET", "/ready").WantError(503, "service_unavailable").Body; !strings.Contains(got, "appliance doctor") {
		t.Errorf("/ready: got %s, want it to say what to do", got)
	}
	ann.Do("GET", "/ready/social").WantError(503, "service_unavailable")
	ann.Do("GET", "/health").Want(200)
	ann.Do("GET", "/world/calendars").Want(200)
	if n := strings.Count(p.Log.String(), `"msg":"the database file is damaged`); n != 1 {
		t.Errorf("got %d log lines, want 1:\n%s", n, p.Log)
	}
	if status, out := apptest.RunCommand(t, "", "doctor", "--data", dir); status != 1 || !strings.Contains(out, "damaged") {
		t.Errorf("doctor: got status %d, want 1 and the damage: %s", status, out)
	}
	stop(p)

	if status, out := apptest.RunCommand(t, "", "restore", "--data", dir, backup); status != 0 {
		t.Fatal(out)
	}
	p = apptest.Serve(t, dir)
	ann = p.SignIn("ann")
	ann.Do("GET", "/world/social/profile").Want(200)
	ann.Do("GET", "/ready").Want(200)
	stop(p)
}
