package calendar_test

import (
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/edit"
)

// A change of a series can be undone for ten minutes, unless the entry has changed since.
// Then the sweep deletes the former text. Covers B-114.
func TestChangeOfASeriesIsUndoableForTenMinutes(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	c := f.DefaultCalendar(ann)
	id := putSeries(f, ann, c)
	former := f.Text(ann, c, "series.ics")
	move := func() (w calendar.Written) {
		f.Write(func(tx *store.Tx) (err error) {
			w, err = f.Calendar.Patch(tx, ann, id, edit.ObjectChange{Change: edit.Change{Start: svc.Some("2026-12-01T16:00:00Z")}}, nil)
			return err
		})
		return w
	}
	undo := func(u *calendar.Undoable) error {
		_, err := patch(f, ann, id, edit.ObjectChange{RestoreVersion: u.ETag}, nil)
		return err
	}
	kept := func() string { return storetest.Rows(t, f.DB, "SELECT count(*) FROM calendar_former")[0] }

	moved := move()
	f.Clock.Advance(10*time.Minute - time.Millisecond)
	sweep(f)
	if err := undo(moved.Undoable); err != nil || f.Text(ann, c, "series.ics") != former {
		t.Errorf("before the end: got %v and\n%s\nwant\n%s", err, f.Text(ann, c, "series.ics"), former)
	}

	moved = move()
	if _, err := patch(f, ann, id, titleChange, nil); err != nil {
		t.Fatal(err)
	}
	calendartest.WantError(t, undo(moved.Undoable), svc.VersionConflict)

	f.Clock.Advance(10 * time.Minute)
	calendartest.WantError(t, undo(moved.Undoable), svc.NotFound, "restore_version")
	if got := kept(); got != "1" {
		t.Errorf("got %s former texts before the sweep, want 1", got)
	}
	sweep(f)
	if got := kept(); got != "0" {
		t.Errorf("got %s former texts after the sweep, want 0", got)
	}
}
