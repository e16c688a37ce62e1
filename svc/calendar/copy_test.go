package calendar_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/object"
)

// calendarAt returns the calendar of v at a segment, the zero Calendar if there is
// none.
func calendarAt(f *calendartest.Fixture, v svc.Viewer, segment string) calendar.Calendar {
	list := calendars(f, v)
	if i := slices.IndexFunc(list, func(c calendar.Calendar) bool { return c.Segment == segment }); i >= 0 {
		return list[i]
	}
	return calendar.Calendar{}
}

// copyCalendar copies a calendar to a segment and returns the error.
func copyCalendar(f *calendartest.Fixture, v svc.Viewer, id, segment string, shallow bool) error {
	return f.CopyCalendar(v, id, segment, shallow)
}

// freeBusy returns the starts of the busy periods of December 2026.
func freeBusy(f *calendartest.Fixture, v svc.Viewer, c calendar.Calendar) (starts []string) {
	from := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	f.Read(func(tx *store.Tx) error {
		list, err := f.Index.FreeBusy(tx, v, c.Segment, from, from.AddDate(0, 1, 0), time.UTC, 100)
		for _, p := range list {
			starts = append(starts, p.From.Format("0102T1504"))
		}
		return err
	})
	return starts
}

// A copied calendar has the properties, the components and the objects of the
// original, with their octets, occurrences and dead properties, but neither its
// readers nor hidden mirrors. Covers RFC 4918 §9.8.
func TestCopiedCalendarHasTheContentsOfTheOriginal(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	var work calendar.Calendar
	f.Write(func(tx *store.Tx) (err error) {
		work, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{
			Name: "Work", Description: "Office", Color: "#102030", Timezone: "Asia/Tokyo", Segment: "work", Components: []string{"VEVENT"},
		})
		return err
	})
	share(f, bea, work)
	series := event("series", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3")
	f.Put(ann, work, "series.ics", series)
	f.Put(ann, work, "single.ics", event("single"))
	f.Put(ann, work, "hidden.ics", event("hidden"))
	storetest.Exec(t, f.DB, "UPDATE calendar_object SET hidden = 1 WHERE segment = 'hidden.ics'")
	properties := []collection.Property{{Space: "urn:x", Local: "a", Element: "<a/>"}}
	for _, at := range []collection.Place{{Calendar: "work"}, {Calendar: "work", Segment: "single.ics"}} {
		f.Write(func(tx *store.Tx) error {
			return f.Collections.SetProperties(tx, ann, at, false, properties, 1000, calendartest.NoPrecondition)
		})
	}
	createFeed(f, ann, work)

	if err := copyCalendar(f, ann, work.ID, "copy", false); err != nil {
		t.Fatal(err)
	}
	copied := calendarAt(f, ann, "copy")
	if copied.Name != "Work" || copied.Description != "Office" || copied.Color != "#102030" || copied.Timezone != "Asia/Tokyo" ||
		!slices.Equal(copied.Components, []string{"VEVENT"}) || copied.Order != work.Order || copied.ID == work.ID || copied.IsDefault {
		t.Errorf("got %+v, want a copy of %+v", copied, work)
	}
	if got, want := f.Segments(ann, copied), []string{"series.ics", "single.ics"}; !slices.Equal(got, want) {
		t.Errorf("got segments %q, want %q", got, want)
	}
	if got := f.Text(ann, copied, "series.ics"); got != series {
		t.Errorf("got text %q, want %q", got, series)
	}
	if f.IDAt(copied, "single.ics") == f.IDAt(work, "single.ics") {
		t.Error("the copy of an object has its id, want a new one")
	}
	if got, want := freeBusy(f, ann, copied), freeBusy(f, ann, work); len(got) != 3 || !slices.Equal(got, want) {
		t.Errorf("got busy times %q, want 3: %q", got, want)
	}
	for _, at := range []collection.Place{{Calendar: "copy"}, {Calendar: "copy", Segment: "single.ics"}} {
		f.Read(func(tx *store.Tx) error {
			got, err := f.Collections.Properties(tx, ann, at, false)
			if len(got) != 1 || got[0].Local != "a" {
				t.Errorf("%+v: got dead properties %+v, want a", at, got)
			}
			return err
		})
	}
	if got := names(f, bea); !slices.Equal(got, []string{"Calendar", "Work"}) {
		t.Errorf("a reader has %q, want no copy", got)
	}
	f.Read(func(tx *store.Tx) error {
		feeds, err := f.Calendar.Feeds(tx, ann)
		if len(feeds) != 1 {
			t.Errorf("got %d feeds, want only that of the original", len(feeds))
		}
		return err
	})
	// The copy synchronizes like any calendar.
	f.Read(func(tx *store.Tx) error {
		changes, err := f.Collections.Changes(tx, ann, "copy", "", 0, true)
		if len(changes.Changed) != 2 {
			t.Errorf("first synchronization: got %+v, want 2 objects", changes)
		}
		return err
	})
	f.Put(ann, copied, "new.ics", event("new"))
	f.Delete(ann, f.IDAt(copied, "single.ics"))
	if got := f.Segments(ann, work); !slices.Equal(got, []string{"series.ics", "single.ics"}) {
		t.Errorf("after changes to the copy the original has %q", got)
	}
	f.WantCounts()

	if err := copyCalendar(f, ann, work.ID, "empty", true); err != nil {
		t.Fatal(err)
	}
	if got := f.Segments(ann, calendarAt(f, ann, "empty")); len(got) != 0 {
		t.Errorf("shallow copy: got %q, want no objects", got)
	}
	// A reader can copy a calendar into the reader's own home.
	if err := copyCalendar(f, bea, work.ID, "mine", false); err != nil {
		t.Fatal(err)
	}
	if readersCopy := calendarAt(f, bea, "mine"); readersCopy.ReadOnly || len(f.Segments(bea, readersCopy)) != 2 {
		t.Errorf("got %+v, want a writable copy", readersCopy)
	}
	f.WantCounts()
}

// A copy that exceeds a quota or a limit of copies is rejected and changes nothing.
func TestCopyOfACalendarIsLimited(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	work := f.AddCalendar(ann, "Work")
	f.Put(ann, work, "a.ics", event("a"))
	f.Put(ann, work, "b.ics", event("b"))
	wantRejected := func(name string, kind svc.Kind, v svc.Viewer, segment string) {
		t.Helper()
		wantKind(t, name, copyCalendar(f, v, work.ID, segment, false), kind)
		if got := names(f, ann); !slices.Equal(got, []string{"Calendar", "Work"}) {
			t.Errorf("%s: got calendars %q, want no copy", name, got)
		}
	}
	quota := f.Objects.Quota
	f.Objects.Quota.Objects = 3
	wantRejected("the number of objects", svc.OverQuota, ann, "copy")
	f.Objects.Quota = quota
	f.Storage.Limit = int64(3 * len(event("a")))
	wantRejected("the size of objects", svc.OverQuota, ann, "copy")
	f.Storage.Limit = 0
	f.Objects.Quota.Calendars = 2
	wantRejected("the number of calendars", svc.OverQuota, ann, "copy")
	f.Objects.Quota = quota
	wantRejected("a segment that is in use", svc.Conflict, ann, work.Segment)
	wantRejected("a calendar of another member", svc.Missing, bea, "copy")
	storetest.Exec(t, f.DB, "UPDATE calendar_object SET size = ? WHERE segment = 'a.ics'", 65<<20)
	wantRejected("the size of one copy", svc.OverQuota, ann, "copy")
}

// A moved calendar changes only its segment. For clients that synchronize the home, the old segment
// is deleted and the new one is changed. Covers RFC 4918 §9.9 and RFC 6578 §3.5.
func TestMovedCalendarHasAnotherSegment(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	var work calendar.Calendar
	f.Write(func(tx *store.Tx) (err error) {
		work, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Work", Segment: "work"})
		return err
	})
	share(f, bea, work)
	f.Put(ann, work, "a.ics", event("a"))
	homeChanges := func(since string) (c collection.HomeChanges) {
		f.Read(func(tx *store.Tx) (err error) {
			c, err = f.Collections.HomeChanges(tx, ann, since, 0)
			return err
		})
		return c
	}
	move := func(v svc.Viewer, segment string) error {
		return f.TryWrite(func(tx *store.Tx) error { return f.Calendar.MoveCalendar(tx, v, work.ID, segment) })
	}
	before := homeChanges("")
	if err := move(ann, "office"); err != nil {
		t.Fatal(err)
	}
	changes := homeChanges(before.Token)
	if !slices.Equal(changes.Changed, []string{"office"}) || !slices.Equal(changes.Deleted, []string{"work"}) {
		t.Errorf("home: got changed %q and deleted %q, want office and work", changes.Changed, changes.Deleted)
	}
	moved := calendarAt(f, ann, "office")
	if moved.ID != work.ID || moved.CalDAVPath != "/caldav/1/calendars/office/" || len(f.Segments(ann, moved)) != 1 {
		t.Errorf("got %+v, want the calendar with its object", moved)
	}
	if err := move(ann, "work"); err != nil {
		t.Fatal(err)
	}
	if changes = homeChanges(changes.Token); !slices.Equal(changes.Changed, []string{"work"}) || !slices.Equal(changes.Deleted, []string{"office"}) {
		t.Errorf("home after the second move: got changed %q and deleted %q, want work and office", changes.Changed, changes.Deleted)
	}
	wantKind(t, "a segment that is in use", move(ann, f.DefaultCalendar(ann).Segment), svc.Conflict)
	wantKind(t, "a calendar of another member", move(bea, "mine"), svc.Forbidden)
}

// stageCopy begins the copy of a calendar and returns the objects to copy.
func stageCopy(f *calendartest.Fixture, v svc.Viewer, id string) (c calendar.Copy, list []object.CopySource) {
	f.T.Helper()
	f.Write(func(tx *store.Tx) (err error) {
		c, err = f.Calendar.StageCopy(tx, v, id)
		return err
	})
	f.Read(func(tx *store.Tx) (err error) {
		list, err = f.Calendar.CopyObjects(tx, v, c)
		return err
	})
	return c, list
}

// copyNext runs one write of a copy and returns the remaining objects.
func copyNext(f *calendartest.Fixture, c calendar.Copy, list []object.CopySource) []object.CopySource {
	f.T.Helper()
	copied := 0
	f.Write(func(tx *store.Tx) (err error) {
		copied, err = f.Calendar.CopyNext(tx, c, list)
		return err
	})
	return list[copied:]
}

// A large calendar is copied in short writes. No member sees the copy before it is complete, and a
// sweep does not delete it. Covers B-130 and RFC 4918 §9.8.
func TestCopyIsInvisibleUntilComplete(t *testing.T) {
	const entries = 3000
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	fillCalendar(f, ann, work, entries)
	token := func() (text string) {
		f.Read(func(tx *store.Tx) (err error) {
			text, err = f.Collections.HomeToken(tx, ann)
			return err
		})
		return text
	}
	before := token()
	c, list := stageCopy(f, ann, work.ID)
	for len(list) > 0 {
		list = copyNext(f, c, list)
		sweep(f)
		if got := names(f, ann); !slices.Equal(got, []string{"Calendar", "Work"}) || token() != before {
			t.Fatalf("got calendars %q and a home changed: %t, want no copy", got, token() != before)
		}
	}
	f.Write(func(tx *store.Tx) error { return f.Calendar.PublishCopy(tx, ann, c, "copy") })
	copied := calendarAt(f, ann, "copy")
	if got, want := f.Segments(ann, copied), f.Segments(ann, work); len(got) != entries || !slices.Equal(got, want) {
		t.Errorf("got %d objects, want the %d of the original", len(got), len(want))
	}
	if got, want := freeBusy(f, ann, copied), freeBusy(f, ann, work); len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("got busy times %q, want %q", got, want)
	}
	r := replica{c: copied}
	r.sync(f, ann)
	f.Put(ann, copied, "new.ics", event("new"))
	r.sync(f, ann)
	if token() == before {
		t.Error("the token of the home is that before the copy, want another one")
	}
	f.WantCounts()
}

// A write copies a limited amount of text. Covers B-130.
func TestCopyLimitsTheTextOfAWrite(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	for i := range 10 {
		f.Put(ann, work, fmt.Sprint(i, ".ics"), event(fmt.Sprint(i), "DESCRIPTION:"+strings.Repeat("x", 600<<10)))
	}
	c, list := stageCopy(f, ann, work.ID)
	if got := len(copyNext(f, c, list)); got != 7 {
		t.Errorf("got %d objects left after one write, want 7", got)
	}
}

// While a calendar is copied, its objects may change. An object that exists during the whole copy
// is copied once. Covers B-130.
func TestCalendarMayChangeWhileItIsCopied(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	fillCalendar(f, ann, work, 800)
	c, list := stageCopy(f, ann, work.ID)
	list = copyNext(f, c, list)
	// An object that has not been copied moves to the segment of an object that has been copied and
	// is deleted.
	storetest.Exec(t, f.DB, "UPDATE calendar_object SET source_service = NULL")
	f.Delete(ann, f.IDAt(work, "Work-0.ics"))
	f.Write(func(tx *store.Tx) error {
		_, err := f.Collections.Copy(tx, ann, collection.Place{Calendar: work.Segment, Segment: "Work-798.ics"},
			collection.Place{Calendar: work.Segment, Segment: "Work-0.ics"}, collection.CopyRequest{Move: true}, calendartest.NoPrecondition)
		return err
	})
	f.Delete(ann, f.IDAt(work, "Work-799.ics"))
	f.Put(ann, work, "later.ics", event("later"))
	for len(list) > 0 {
		list = copyNext(f, c, list)
	}
	f.Write(func(tx *store.Tx) error { return f.Calendar.PublishCopy(tx, ann, c, "copy") })
	uids := storetest.Rows(t, f.DB, "SELECT uid FROM calendar_object WHERE calendar_id = ? ORDER BY n", c.ID)
	if len(uids) != 799 || slices.Contains(uids, "Work-799") || !slices.Contains(uids, "Work-798") {
		t.Errorf("got %d objects, want all but the one that was deleted before it was copied", len(uids))
	}
	f.WantCounts()
}

// The rows of a copy that is not completed are deleted. Covers B-130.
func TestAbandonedCopyIsSwept(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	fillCalendar(f, ann, work, 800)
	before := countRows(f)
	c, list := stageCopy(f, ann, work.ID)
	copyNext(f, c, list)
	f.Write(f.Calendar.AbandonCopies)
	sweep(f)
	if got := countRows(f); got != before {
		t.Errorf("got %d rows, want the %d before the copy", got, before)
	}
	wantKind(t, "publishing an abandoned copy", f.TryWrite(func(tx *store.Tx) error {
		return f.Calendar.PublishCopy(tx, ann, c, "copy")
	}), svc.Internal)
}

// BenchmarkCopyCalendar copies the largest calendar that can be copied.
func BenchmarkCopyCalendar(b *testing.B) {
	f := calendartest.New(b)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	for part := range 10 {
		f.Fill(func(tx *store.Tx) error {
			for i := range 1000 {
				text := event(fmt.Sprint(part, "-", i), "RRULE:FREQ=WEEKLY;COUNT=5", fmt.Sprintf("DESCRIPTION:%02500d", i))
				_, _, err := f.Collections.Put(tx, ann, work.Segment, fmt.Sprint(part, "-", i, ".ics"), object.Prepare(icstest.Parse(b, text), tx.Now()), calendartest.NoPrecondition)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	for i := 0; b.Loop(); i++ {
		if err := copyCalendar(f, ann, work.ID, fmt.Sprint("copy", i), false); err != nil {
			b.Fatal(err)
		}
	}
}
