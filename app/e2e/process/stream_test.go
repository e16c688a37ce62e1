package process

import (
	"io"
	"path/filepath"
	"slices"
	"testing"

	"appliance/app/apptest"
)

// A server that stops ends its streams with a complete response and does not wait for clients.
// Covers B-104.
func TestStopEndsStreams(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	open := ann.OpenStream("")
	terminate(p)
	if _, err := open.Next(); err != io.EOF { // a connection that is cut gives io.ErrUnexpectedEOF
		t.Errorf("got %v, want the end of the stream", err)
	}
	wantCleanExit(p)
}

// After a restore, the server treats event ids and revisions from before the restore as unknown,
// although they may be current. Covers B-104 and B-105.
func TestEventIDsAndRevisionsBeforeARestoreAreUnknown(t *testing.T) {
	dir := apptest.NewDataDir(t)
	backup := filepath.Join(t.TempDir(), "backup.db")
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	ann.Do("GET", "/world/calendars").Want(200)
	if status, out := apptest.RunCommand(t, "", "backup", backup, "--data", dir); status != 0 {
		t.Fatal(out)
	}
	changes := ann.AsRuntime().Do("GET", "/world/runtime").Want(200).Str("capabilities.changes.url")
	if got := ann.AsRuntime().Do("GET", changes).Want(200); got.At("delta") == nil {
		t.Error("before the restore: got the whole dataset, want changes")
	}
	open := ann.OpenStream("")
	open.Close()
	stop(p)
	if status, out := apptest.RunCommand(t, "", "restore", "--data", dir, backup); status != 0 {
		t.Fatal(out)
	}
	p = apptest.Serve(t, dir)
	ann = p.SignIn("ann")
	e := ann.OpenStream(open.LastID).WantEvent()
	if !slices.Contains(e.Sections, "member") {
		t.Errorf("got the sections %q, want all", e.Sections)
	}
	ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	if got := ann.AsRuntime().Do("GET", changes).Want(200); got.At("delta") != nil || len(got.List("objects")) == 0 {
		t.Errorf("got the delta %v and %d objects, want the whole dataset", got.At("delta"), len(got.List("objects")))
	}
}
