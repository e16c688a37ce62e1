package calendar_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/object"
)

// fillCalendar stores n entries in a calendar. One entry in ten recurs, and another one is a
// mirror.
func fillCalendar(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar, n int) {
	f.T.Helper()
	f.Fill(func(tx *store.Tx) error {
		for i := range n {
			uid, lines := fmt.Sprint(c.Name, "-", i), []string{"DURATION:PT1H"}
			if i%10 == 0 {
				lines = append(lines, "RRULE:FREQ=WEEKLY;COUNT=20")
			}
			p := object.Prepare(icstest.Parse(f.T, event(uid, lines...)), tx.Now())
			if _, _, err := f.Collections.Put(tx, v, c.Segment, uid+".ics", p, calendartest.NoPrecondition); err != nil {
				return err
			}
		}
		return nil
	})
	storetest.Exec(f.T, f.DB, `UPDATE calendar_object SET source_service = 'social', source_object_type = 'event', source_object_id = 'evt_' || n
		WHERE calendar_id = ? AND n % 10 = 1`, c.ID)
}

// replica is the state of a calendar in a WebDAV client that synchronizes.
type replica struct {
	c     calendar.Calendar
	token string
	etags map[string]string // by segment
}

// sync applies the changes since the last sync. It fails the test if the replica then differs
// from the calendar.
func (r *replica) sync(f *calendartest.Fixture, v svc.Viewer) {
	f.T.Helper()
	if r.etags == nil {
		r.etags = make(map[string]string)
	}
	f.Read(func(tx *store.Tx) error {
		changes, err := f.Collections.Changes(tx, v, r.c.Segment, r.token, 0, true)
		if err != nil {
			return err
		}
		for _, o := range changes.Changed {
			r.etags[o.Segment] = o.ETag
		}
		for _, segment := range changes.Deleted {
			delete(r.etags, segment)
		}
		r.token = changes.Token
		return nil
	})
	if got, want := slices.Sorted(maps.Keys(r.etags)), f.Segments(v, r.c); !slices.Equal(got, want) {
		f.T.Errorf("%s: a client has %d objects, want the %d of the calendar", r.c.Name, len(got), len(want))
	}
}

// deleteOnce runs one write of the deletion of a calendar.
func deleteOnce(f *calendartest.Fixture, v svc.Viewer, id, moveTo string) (d calendar.Deletion, err error) {
	err = f.TryWrite(func(tx *store.Tx) (err error) {
		d, err = f.Calendar.DeleteCalendar(tx, v, id, moveTo)
		return err
	})
	return d, err
}

// wantDeletions fails the test unless n deletions are pending.
func wantDeletions(f *calendartest.Fixture, n int) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		list, err := f.Calendar.PendingDeletions(tx)
		if len(list) != n {
			f.T.Errorf("got pending deletions %+v, want %d", list, n)
		}
		return err
	})
}

// A deletion moves the objects of a large calendar in short writes. At any time each object is
// visible once, also for clients that synchronize. Covers B-130.
func TestDeletionMovesObjectsInShortWrites(t *testing.T) {
	const entries = 3000
	f := calendartest.New(t)
	ann := f.Member("ann")
	from, to := f.AddCalendar(ann, "From"), f.AddCalendar(ann, "To")
	fillCalendar(f, ann, from, entries)
	f.Put(ann, to, "From-7.ics", event("other"))
	source, target, busy := &replica{c: from}, &replica{c: to}, freeBusy(f, ann, from)
	writes := 0
	for more := true; more; writes++ {
		d, err := deleteOnce(f, ann, from.ID, to.ID)
		if err != nil || d.Failed != nil {
			t.Fatal(err, d.Failed)
		}
		if more = d.More; more {
			source.sync(f, ann)
			wantDeletions(f, 1)
		} else if d.Moved != entries || d.Trashed != nil {
			t.Errorf("got %d moved objects and trash %v, want %d and none", d.Moved, d.Trashed, entries)
		}
		target.sync(f, ann)
		if got := len(source.etags) + len(target.etags); more && got != entries+1 {
			t.Errorf("after %d writes got %d visible objects, want %d", writes, got, entries+1)
		}
	}
	if writes < 10 {
		t.Errorf("got %d writes, want 10 or more", writes)
	}
	if got := len(target.etags); got != entries+1 {
		t.Errorf("got %d objects in the target, want %d", got, entries+1)
	}
	if got := names(f, ann); !slices.Equal(got, []string{"Calendar", "To"}) {
		t.Errorf("got calendars %q, want no From", got)
	}
	if got := freeBusy(f, ann, to); len(got) == 0 || !slices.Equal(got, busy) {
		t.Errorf("got busy times %q in the target, want %q", got, busy)
	}
	wantDeletions(f, 0)
	f.WantCounts()
}

// Mirrors move to the default calendar in short writes, and the calendar moves to the trash
// with the other objects. Covers B-130.
func TestDeletionMovesMirrorsInShortWrites(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	fillCalendar(f, ann, work, 3000)
	first, err := deleteOnce(f, ann, work.ID, "")
	if err != nil || !first.More {
		t.Fatalf("got %+v, %v, want more mirrors", first, err)
	}
	if moved, err := f.DeleteCalendar(ann, work.ID, ""); moved != 0 || err != nil {
		t.Errorf("got %d, %v, want 0: mirrors do not count", moved, err)
	}
	if got := len(f.Segments(ann, f.DefaultCalendar(ann))); got != 300 {
		t.Errorf("got %d mirrors in the default calendar, want 300", got)
	}
	_, c, err := restore(f, ann, work.ID, "")
	if err != nil || len(f.Segments(ann, *c)) != 2700 {
		t.Errorf("got %+v, %v, want a calendar with 2700 objects", c, err)
	}
	f.WantCounts()
}

// An object that is added to a calendar during its deletion also moves. Covers B-130.
func TestObjectAddedDuringDeletionMoves(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	from, to := f.AddCalendar(ann, "From"), f.AddCalendar(ann, "To")
	fillCalendar(f, ann, from, 300)
	if d, err := deleteOnce(f, ann, from.ID, to.ID); err != nil || !d.More {
		t.Fatalf("got %+v, %v, want more", d, err)
	}
	f.Put(ann, from, "new.ics", event("new"))
	if _, err := deleteOnce(f, ann, from.ID, f.DefaultCalendar(ann).ID); svc.KindOf(err) != svc.Conflict {
		t.Errorf("a deletion with another target: got %v, want a conflict", err)
	}
	// A second deletion continues the first one.
	if moved, err := f.DeleteCalendar(ann, from.ID, to.ID); moved != 301 || err != nil {
		t.Errorf("got %d, %v, want 301", moved, err)
	}
	if got := f.Text(ann, to, "new.ics"); got != event("new") {
		t.Errorf("got %q, want the new object", got)
	}
	if _, err := deleteOnce(f, ann, from.ID, to.ID); svc.KindOf(err) != svc.Missing {
		t.Errorf("a deletion afterwards: got %v, want not found", err)
	}
	f.WantCounts()
}

// A deletion ends with an error if the remaining objects cannot move. They stay in the calendar,
// and the deletion can be repeated. Covers B-130.
func TestDeletionEndsWhenObjectsCannotMove(t *testing.T) {
	for name, c := range map[string]struct {
		prevent func(f *calendartest.Fixture, ann svc.Viewer, from, to calendar.Calendar)
		kind    svc.Kind
	}{
		"deleted target": {func(f *calendartest.Fixture, ann svc.Viewer, _, to calendar.Calendar) {
			if _, err := f.DeleteCalendar(ann, to.ID, ""); err != nil {
				f.T.Fatal(err)
			}
		}, svc.Missing},
		"read-only target": {func(f *calendartest.Fixture, _ svc.Viewer, _, to calendar.Calendar) {
			storetest.Exec(f.T, f.DB, "UPDATE calendar_access SET role = 'read' WHERE calendar_id = ?", to.ID)
		}, svc.Forbidden},
		"target without the component": {func(f *calendartest.Fixture, ann svc.Viewer, from, to calendar.Calendar) {
			storetest.Exec(f.T, f.DB, "UPDATE calendar_calendar SET components = 'VTODO' WHERE id = ?", to.ID)
		}, svc.Unprocessable},
		"UID in the target": {func(f *calendartest.Fixture, ann svc.Viewer, from, to calendar.Calendar) {
			f.Put(ann, to, "same.ics", event("From-299"))
		}, svc.Conflict},
		"deletion of the target with many objects": {func(f *calendartest.Fixture, ann svc.Viewer, _, to calendar.Calendar) {
			if d, err := deleteOnce(f, ann, to.ID, f.DefaultCalendar(ann).ID); err != nil || !d.More {
				f.T.Fatalf("got %+v, %v, want more", d, err)
			}
		}, svc.Unprocessable},
	} {
		t.Run(name, func(t *testing.T) {
			f := calendartest.New(t)
			ann := f.Member("ann")
			from, to := f.AddCalendar(ann, "From"), f.AddCalendar(ann, "To")
			fillCalendar(f, ann, from, 300)
			fillCalendar(f, ann, to, 50)
			if d, err := deleteOnce(f, ann, from.ID, to.ID); err != nil || !d.More {
				t.Fatalf("got %+v, %v, want more", d, err)
			}
			left := f.Segments(ann, from)
			c.prevent(f, ann, from, to)
			d, err := deleteOnce(f, ann, from.ID, to.ID)
			if err != nil || d.More || svc.KindOf(d.Failed) != c.kind {
				t.Errorf("got %+v, %v, want an error of kind %v", d, err, c.kind)
			}
			if got := f.Segments(ann, from); !slices.Equal(got, left) {
				t.Errorf("got %d objects, want the %d that were left", len(got), len(left))
			}
			if moved, err := f.DeleteCalendar(ann, from.ID, f.AddCalendar(ann, "Another").ID); moved != len(left) || err != nil {
				t.Errorf("another deletion: got %d, %v, want %d", moved, err, len(left))
			}
			f.WantCounts()
		})
	}
}

// Before the first object moves, a deletion checks that all objects can move. Covers B-130.
func TestDeletionChecksAllObjectsFirst(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	from, to := f.AddCalendar(ann, "From"), f.AddCalendar(ann, "To")
	fillCalendar(f, ann, from, 300)
	reject := func(want svc.Kind) {
		t.Helper()
		_, err := deleteOnce(f, ann, from.ID, to.ID)
		wantKind(t, "deletion", err, want)
		if got := len(f.Segments(ann, from)); got < 300 {
			t.Errorf("got %d objects in the calendar, want all", got)
		}
	}
	f.Put(ann, to, "same.ics", event("From-299"))
	reject(svc.Conflict)
	f.Delete(ann, f.IDAt(to, "same.ics"))
	f.Put(ann, from, "task.ics", icstest.Object("VTODO", "task"))
	storetest.Exec(t, f.DB, "UPDATE calendar_calendar SET components = 'VEVENT' WHERE id = ?", to.ID)
	reject(svc.Unprocessable)
	wantDeletions(f, 0)
}

// The job continues a deletion that a request has not completed, but not while another request
// deletes a calendar. Covers B-130.
func TestJobContinuesIncompleteDeletions(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	from, to := f.AddCalendar(ann, "From"), f.AddCalendar(ann, "To")
	fillCalendar(f, ann, from, 500)
	requested := 0
	f.Calendar.OnDeletion(func() { requested++ })
	end := f.Calendar.BeginDeletion()
	if d, err := deleteOnce(f, ann, from.ID, to.ID); err != nil || !d.More {
		t.Fatalf("got %+v, %v, want more", d, err)
	}
	step := func() (more, done bool) {
		done, err := f.Calendar.TryContinue(func() error {
			return f.TryWrite(func(tx *store.Tx) error {
				d, err := f.Calendar.ContinueDeletion(tx, calendar.PendingDeletion{Calendar: from.ID, Owner: ann.Member()})
				more = d.More
				return err
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		return more, done
	}
	if _, done := step(); done {
		t.Error("the job continued the deletion of a running request")
	}
	end()
	if requested != 1 {
		t.Errorf("the end of the request requested %d runs of the job, want 1", requested)
	}
	for more := true; more; {
		var done bool
		if more, done = step(); !done {
			t.Fatal("the job did not continue the deletion")
		}
	}
	if got := len(f.Segments(ann, to)); got != 500 {
		t.Errorf("got %d objects in the target, want 500", got)
	}
	wantDeletions(f, 0)
}

// A write deletes a limited number of tombstones. Covers B-130.
func TestTombstonesArePrunedInBatches(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	storetest.Exec(t, f.DB, `WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < 3000)
		INSERT INTO calendar_tombstone (calendar_id, segment, seq, deleted_at) SELECT ?, 'gone-' || n, n, 0 FROM i`, work.ID)
	storetest.Exec(t, f.DB, "UPDATE calendar_calendar SET seq = 3071 WHERE id = ?", work.ID)
	f.Put(ann, work, "a.ics", event("a"))
	left := storetest.Rows(t, f.DB, "SELECT count(*), min(t.seq) - c.pruned_seq FROM calendar_tombstone AS t JOIN calendar_calendar AS c ON c.id = t.calendar_id")[0]
	if left != "2700 1" {
		t.Errorf("got %s tombstones and the distance of the first to the pruned ones, want 2700 1", left)
	}
	f.Read(func(tx *store.Tx) error {
		_, err := f.Collections.Changes(tx, ann, work.Segment, fmt.Sprintf("urn:appliance:sync:%s:%s:300", work.ID, tx.Epoch()), 0, true)
		if err != nil {
			t.Errorf("changes since the last pruned deletion: %v", err)
		}
		_, err = f.Collections.Changes(tx, ann, work.Segment, fmt.Sprintf("urn:appliance:sync:%s:%s:299", work.ID, tx.Epoch()), 0, true)
		if err != collection.ErrToken {
			t.Errorf("changes since a pruned deletion: got %v, want %v", err, collection.ErrToken)
		}
		return nil
	})
}

// The job does not continue a deletion that failed after the job read the list. The calendar stays
// with its remaining objects.
func TestFailedDeletionIsNotContinued(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	from := f.AddCalendar(ann, "From")
	f.Put(ann, from, "1.ics", event("1"))
	f.Write(func(tx *store.Tx) error {
		d, err := f.Calendar.ContinueDeletion(tx, calendar.PendingDeletion{Calendar: from.ID, Owner: ann.Member()})
		if d.More || d.Trashed != nil {
			t.Errorf("got %+v, want nothing done", d)
		}
		return err
	})
	if got := f.Segments(ann, from); fmt.Sprint(got) != "[1.ics]" {
		t.Errorf("got the objects %v, want 1.ics", got)
	}
}
