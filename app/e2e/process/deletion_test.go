package process

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"appliance/app/apptest"
)

// If the server is killed while the entries of a deleted calendar move to another one, the move
// continues when the server is started again. Each entry is moved once. Covers B-130.
func TestDeletionOfACalendarContinuesDespiteKill(t *testing.T) {
	const entries = 2000
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	db := apptest.OpenDatabase(t, dir)
	for killed := false; !killed; { // a fast server may finish before the signal
		ann := p.SignIn("ann")
		from, _ := ann.CreateCalendar("from", entries)
		to, path := ann.CreateCalendar("to", 0)
		done := make(chan error, 1)
		go func() {
			_, err := ann.Try("DELETE", "/world/calendars/"+from+"?move_to="+to)
			done <- err
		}()
		apptest.WaitForRow(t, db, "SELECT EXISTS (SELECT 1 FROM calendar_deletion) OR EXISTS (SELECT 1 FROM calendar_trashed)")
		p.Kill()
		killed = <-done != nil && apptest.Count(t, db, "SELECT count(*) FROM calendar_deletion") == 1
		p = apptest.Serve(t, dir)
		apptest.WaitForRow(t, db, "SELECT NOT EXISTS (SELECT 1 FROM calendar_deletion)")
		ann = p.SignIn("ann")
		if got := ann.CountEntries(path); got != entries {
			t.Errorf("got %d entries in the target, want %d", got, entries)
		}
		ann.Do("DELETE", "/world/calendars/"+from).Want(404)
		if got := ann.TrashTitles(); got != "from" {
			t.Errorf("got %q in the trash, want only the calendar", got)
		}
		ann.Do("DELETE", "/world/calendars/"+to).Want(200)
		ann.Do("DELETE", "/world/time/trash").Want(200)
	}
}

// After kill -9 during a COPY the copy is not visible, and its rows are deleted when the
// server is started again. Covers B-130.
func TestCopyOfACalendarIsAbandonedAfterKill(t *testing.T) {
	const entries = 2000
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	_, path := ann.CreateCalendar("from", entries)
	db := apptest.OpenDatabase(t, dir)
	const destination = "/caldav/1/calendars/copy/"
	for killed := false; !killed; { // a fast server may finish before the signal
		done := make(chan error, 1)
		go func() {
			_, err := ann.Basic().With("Destination", destination).Try("COPY", path)
			done <- err
		}()
		apptest.WaitForRow(t, db, `SELECT EXISTS (SELECT 1 FROM calendar_calendar WHERE staged = 1 AND objects > 0)
			OR EXISTS (SELECT 1 FROM calendar_access WHERE segment = 'copy')`)
		p.Kill()
		killed = <-done != nil && apptest.Count(t, db, "SELECT count(*) FROM calendar_calendar WHERE staged = 1") == 1
		p = apptest.Serve(t, dir)
		ann = p.SignIn("ann")
		if killed {
			ann.Basic().With("Depth", "0").Do("PROPFIND", destination).Want(404)
		} else {
			ann.Basic().Do("DELETE", destination)
			ann.Do("DELETE", "/world/time/trash").Want(200)
		}
	}
	apptest.WaitForRow(t, db, "SELECT NOT EXISTS (SELECT 1 FROM calendar_calendar WHERE owner_id IS NULL)")
	if got := apptest.Count(t, db, "SELECT count(*) FROM calendar_object"); got != entries {
		t.Errorf("got %d entries, want the %d of the calendar", got, entries)
	}
	ann.Basic().With("Destination", destination).Do("COPY", path).Want(201)
	if got := ann.CountEntries(destination); got != entries {
		t.Errorf("got %d entries in the copy, want %d", got, entries)
	}
}

// If the server is killed while the data of a member is deleted, the deletion continues when the
// server is started again. Covers B-130 and PT-46.
func TestDeletionOfAMemberContinuesDespiteKill(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	db := apptest.OpenDatabase(t, dir)
	for killed := false; !killed; { // a fast server may finish before the signal
		ann := p.SignIn("ann")
		bea := ann.Do("POST", "/world/operator/members", map[string]any{
			"username": "bea", "display_name": "Bea", "email": "bea@example.org", "password": apptest.Password,
		}).Want(201).At("member.id")
		file, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "appliance.db")+"?_pragma=busy_timeout(60000)")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Exec(`WITH RECURSIVE c(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM c WHERE i < 20000)
			INSERT INTO identity_audit (at, actor, action, member_id, detail) SELECT i, ?1, 'sign-in', ?1, 'x' FROM c`, bea); err != nil {
			t.Fatal(err)
		}
		file.Close()
		ann.Do("DELETE", fmt.Sprint("/world/operator/members/", bea), map[string]any{"current_password": apptest.Password}).Want(200)
		p.Kill()
		killed = apptest.Count(t, db, "SELECT count(*) FROM identity_deletion") == 1
		p = apptest.Serve(t, dir)
	}
	apptest.WaitForRow(t, db, "SELECT NOT EXISTS (SELECT 1 FROM identity_deletion)")
	if n := apptest.Count(t, db, "SELECT count(*) FROM identity_audit WHERE action = 'sign-in' AND detail = 'x'"); n != 0 {
		t.Errorf("got %d entries about sign-ins, want none", n)
	}
}
