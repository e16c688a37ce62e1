package calendar

import (
	"errors"
	"testing"

	"appliance/app/apptest"
)

// A calendar with thousands of entries is copied, moved, deleted, restored and purged in
// short writes, with the same responses as a small one. Covers B-130.
func TestLargeCalendarIsChangedInShortWrites(t *testing.T) {
	const entries = 3000
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	dav := ann.Basic()
	from, fromPath := ann.CreateCalendar("from", entries)
	to, toPath := ann.CreateCalendar("to", 0)
	h.Exec(`UPDATE calendar_object SET source_service = 'social', source_object_type = 'event', source_object_id = 'evt_' || n
		WHERE calendar_id = ? AND n % 10 = 1`, from)
	wantEntries := func(about, path string, want int) {
		t.Helper()
		if got := ann.CountEntries(path); got != want {
			t.Errorf("%s: got %d entries, want %d", about, got, want)
		}
	}
	copyPath := "/caldav/1/calendars/copy/"
	dav.With("Destination", copyPath).Do("COPY", fromPath).Want(201)
	wantEntries("copy", copyPath, entries)
	h.WantStorageCounted("a copy")
	dav.With("Destination", copyPath).Do("COPY", fromPath).Want(204)
	wantEntries("copy in place of another", copyPath, entries)

	once := ann.With("Idempotency-Key", "deletion")
	deleted := once.Do("DELETE", "/world/calendars/"+from+"?move_to="+to).Want(200)
	if got := deleted.At("moved"); got != float64(entries) {
		t.Errorf("got %v moved entries, want %d", got, entries)
	}
	if again := once.Do("DELETE", "/world/calendars/"+from+"?move_to="+to).Want(200); again.Body != deleted.Body {
		t.Errorf("repeated: got %s, want %s", again.Body, deleted.Body)
	}
	ann.Do("DELETE", "/world/calendars/"+from+"?move_to="+to).Want(404)
	wantEntries("target", toPath, entries)

	// The mirrors among the entries move to the default calendar, the others to the trash.
	dav.With("Destination", "/caldav/1/calendars/elsewhere/").Do("MOVE", toPath).Want(201)
	dav.With("Destination", "/caldav/1/calendars/elsewhere/").Do("MOVE", copyPath).Want(204)
	wantEntries("default calendar", ann.DefaultCalendar(), entries/10)
	wantEntries("moved copy", "/caldav/1/calendars/elsewhere/", entries)
	restored := ann.Do("POST", "/world/time/trash/"+to+"/restore").Want(200)
	wantEntries("restored", restored.Str("calendar.caldav_path"), entries-entries/10)
	dav.Do("DELETE", restored.Str("calendar.caldav_path")).Want(204)
	if got := ann.Do("DELETE", "/world/time/trash").Want(200).At("deleted"); got != 3.0 {
		t.Errorf("got %v purged, want 3 calendars", got)
	}
	if err := h.App.SweepCalendars(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.QueryInt("SELECT count(*) FROM calendar_object"); got != entries+entries/10 {
		t.Errorf("got %d entries, want those of the two calendars that are left: %d", got, entries+entries/10)
	}
	h.WantStorageCounted("the end")
}

// A deletion that ends early responds with the reason, and can be repeated. Covers B-130.
func TestDeletionThatEndsEarlyCanBeRepeated(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	from, fromPath := ann.CreateCalendar("from", 500)
	to, toPath := ann.CreateCalendar("to", 0)
	// The target stops accepting events when the deletion continues.
	h.Exec(`CREATE TRIGGER conflict AFTER UPDATE OF moved ON calendar_deletion BEGIN
		UPDATE calendar_calendar SET components = 'VTODO' WHERE id = NEW.target_id; END`)
	ann.Do("DELETE", "/world/calendars/"+from+"?move_to="+to).WantError(422, "component_not_supported")
	h.Exec("DROP TRIGGER conflict")
	moved, left := ann.CountEntries(toPath), ann.CountEntries(fromPath)
	if moved == 0 || left == 0 || moved+left != 500 {
		t.Errorf("got %d entries in the target and %d in the calendar, want some in both", moved, left)
	}
	h.Exec("UPDATE calendar_calendar SET components = 'VEVENT,VTODO'")
	if got := ann.Do("DELETE", "/world/calendars/"+from+"?move_to="+to).Want(200).At("moved"); got != float64(left) {
		t.Errorf("got %v moved entries, want %d", got, left)
	}
	if got := ann.CountEntries(toPath); got != 500 {
		t.Errorf("got %d entries, want all", got)
	}
}

// If the last transaction of a COPY or MOVE fails, the calendar at the destination is not replaced.
// Covers B-130.
func TestFailedCopyOrMoveReplacesNoCalendar(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	_, from := ann.CreateCalendar("from", 10)
	id, to := ann.CreateCalendar("to", 500)
	h.Exec("UPDATE calendar_object SET source_service = 'social', source_object_type = 'event', source_object_id = 'evt_' || n WHERE calendar_id = ?", id)
	h.Exec("CREATE TRIGGER no_copy BEFORE UPDATE OF staged ON calendar_calendar WHEN NEW.owner_id IS NOT NULL BEGIN SELECT RAISE(ABORT, 'no copy'); END")
	h.Exec("CREATE TRIGGER no_move BEFORE UPDATE OF segment ON calendar_access BEGIN SELECT RAISE(ABORT, 'no move'); END")
	for _, method := range []string{"COPY", "MOVE"} {
		ann.Basic().With("Destination", to).Do(method, from).Want(500)
		if err := errors.Join(h.App.ContinueDeletions(t.Context()), h.App.SweepCalendars(t.Context())); err != nil {
			t.Fatal(err)
		}
		left := ann.CountEntries(to)
		if home := ann.CountEntries(ann.DefaultCalendar()); left == 0 || left+home != 500 {
			t.Errorf("%s: got %d mirrors in the calendar and %d in the default calendar, want 500", method, left, home)
		}
		if got := h.QueryInt("SELECT count(*) FROM calendar_object"); got != 510 {
			t.Errorf("%s: got %d entries, want 510", method, got)
		}
	}
}
