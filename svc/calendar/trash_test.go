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
	"appliance/svc/calendar/view"
)

// restore restores an object or a calendar and returns the restored one and the
// error.
func restore(f *calendartest.Fixture, v svc.Viewer, id, calendarID string) (o *view.Object, c *calendar.Calendar, err error) {
	err = f.TryWrite(func(tx *store.Tx) error {
		o, c, err = f.Calendar.Restore(tx, v, id, calendarID)
		return err
	})
	return o, c, err
}

// purge purges the object or calendar with an id, or everything if id is "".
func purge(f *calendartest.Fixture, v svc.Viewer, id string) (purged int, err error) {
	err = f.TryWrite(func(tx *store.Tx) error {
		purged, err = f.Calendar.Purge(tx, v, id)
		return err
	})
	return purged, err
}

// trash returns the trash of v, the latest deletion first.
func trash(f *calendartest.Fixture, v svc.Viewer) (list []calendar.TrashEntry) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		page, err := f.Calendar.Trash(tx, v, 0, "")
		list = page.Trash
		return err
	})
	return list
}

// A deleted object is in the trash of its member, and is restored with its
// octets, its id and its dead properties (RFC 4918 §4.3).
func TestDeletedObjectIsRestoredUnchanged(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	defaultCal := f.DefaultCalendar(ann)
	text := event("choir", "X-NOTE:kept", "RRULE:FREQ=WEEKLY")
	f.Put(ann, defaultCal, "choir.ics", text)
	id, at := f.IDAt(defaultCal, "choir.ics"), collection.Place{Calendar: defaultCal.Segment, Segment: "choir.ics"}
	properties := func() (list []collection.Property) {
		f.Read(func(tx *store.Tx) (err error) {
			list, err = f.Collections.Properties(tx, ann, at, false)
			return err
		})
		return list
	}
	f.Write(func(tx *store.Tx) error {
		return f.Collections.SetProperties(tx, ann, at, false, []collection.Property{{Space: "urn:x", Local: "a", Element: `<a>one &amp; "two"</a>`}}, 1000, calendartest.NoPrecondition)
	})
	want := properties()
	f.Delete(ann, id)
	list := trash(f, ann)
	if len(list) != 1 {
		t.Fatalf("got trash %+v, want one entry", list)
	}
	if got := list[0]; got.ID != id || got.ObjectType != view.EventType || got.Title != "choir" || got.CalendarID != defaultCal.ID || got.CalendarName != "Calendar" ||
		!got.DeletedAt.Equal(f.Clock.Now()) || got.ExpiresAt.Sub(got.DeletedAt) != 30*24*time.Hour {
		t.Errorf("got %+v", got)
	}
	// Another object at the former segment does not get the properties of the
	// deleted one.
	f.Put(ann, defaultCal, "choir.ics", event("other"))
	if got := properties(); len(got) != 0 {
		t.Errorf("another object has properties %+v", got)
	}
	f.Delete(ann, f.IDAt(defaultCal, "choir.ics"))

	if got := trash(f, bea); len(got) != 0 {
		t.Errorf("another member has trash %+v", got)
	}
	_, _, err := restore(f, bea, id, "")
	wantKind(t, "Restore by another member", err, svc.Missing)
	_, err = purge(f, bea, id)
	wantKind(t, "Purge by another member", err, svc.Missing)
	_, _, err = restore(f, ann, id, "cal_none")
	wantKind(t, "Restore to no calendar", err, svc.Missing)

	o, c, err := restore(f, ann, id, "")
	if err != nil || c != nil || o.ID != id {
		t.Fatalf("got %+v, %+v, %v, want the object", o, c, err)
	}
	if got := f.Text(ann, defaultCal, "choir.ics"); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	if got := properties(); !slices.EqualFunc(got, want, func(a, b collection.Property) bool { return a.Element == b.Element && a.Local == b.Local }) {
		t.Errorf("got properties %+v, want %+v", got, want)
	}
	_, _, err = restore(f, ann, id, "")
	wantKind(t, "Restore again", err, svc.Missing)
	f.WantCounts()
}

// A restored object gets another segment if its own is taken. It stays in the
// trash if an object in the calendar has its UID.
func TestRestoredObjectDoesNotReplaceAnother(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, other := f.DefaultCalendar(ann), f.AddCalendar(ann, "Other")
	f.Put(ann, defaultCal, "a.ics", event("a"))
	id := f.IDAt(defaultCal, "a.ics")
	f.Delete(ann, id)
	f.Put(ann, defaultCal, "a.ics", event("b"))
	if _, _, err := restore(f, ann, id, ""); err != nil {
		t.Fatal(err)
	}
	if got := f.Segments(ann, defaultCal); !slices.Equal(got, []string{"a.ics", id + ".ics"}) {
		t.Errorf("got segments %q, want a.ics and %s.ics", got, id)
	}
	f.Delete(ann, id)
	f.Put(ann, defaultCal, "again.ics", event("a"))
	_, _, err := restore(f, ann, id, "")
	calendartest.WantError(t, err, svc.AlreadyExists, "calendar_id")
	if got := f.TrashTitles(ann); !slices.Equal(got, []string{"a"}) {
		t.Errorf("after a rejected restore got trash %q, want a", got)
	}
	if o, _, err := restore(f, ann, id, other.ID); err != nil || o.State.CalendarID != other.ID {
		t.Errorf("to another calendar: got %+v, %v", o, err)
	}
	f.WantCounts()
}

// An object whose calendar was purged, or that its calendar no longer accepts,
// is restored to the default calendar.
func TestObjectOfAPurgedCalendarIsRestoredToTheDefault(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal, work := f.DefaultCalendar(ann), f.AddCalendar(ann, "Work")
	f.Put(ann, work, "a.ics", event("a"))
	id := f.IDAt(work, "a.ics")
	f.Delete(ann, id)
	if _, err := deleteCalendar(f, ann, work.ID, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := purge(f, ann, work.ID); err != nil {
		t.Fatal(err)
	}
	if list := trash(f, ann); len(list) != 1 || list[0].CalendarName != "" {
		t.Errorf("got trash %+v, want an object of no calendar", list)
	}
	if o, _, err := restore(f, ann, id, ""); err != nil || o.State.CalendarID != defaultCal.ID {
		t.Errorf("got %+v, %v, want it in the default calendar", o, err)
	}

	tasks := f.AddCalendar(ann, "Tasks")
	f.Put(ann, tasks, "b.ics", event("b"))
	id = f.IDAt(tasks, "b.ics")
	f.Delete(ann, id)
	storetest.Exec(t, f.DB, "UPDATE calendar_calendar SET components = 'VTODO' WHERE id = ?", tasks.ID)
	_, _, err := restore(f, ann, id, tasks.ID)
	calendartest.WantError(t, err, svc.ComponentNotSupported, "calendar_id")
	if o, _, err := restore(f, ann, id, ""); err != nil || o.State.CalendarID != defaultCal.ID {
		t.Errorf("got %+v, %v, want it in the default calendar", o, err)
	}
}

// A trashed calendar is restored with its objects, to its segment or a new one,
// only for its owner and without its feed. Covers B-55.
func TestTrashedCalendarIsRestored(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	create := func(name string) (c calendar.Calendar) {
		f.Write(func(tx *store.Tx) (err error) {
			c, err = f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: name, Segment: "work", Color: "#102030"})
			return err
		})
		return c
	}
	work := create("Work")
	share(f, bea, work)
	f.Put(ann, work, "a.ics", event("a"))
	secret := createFeed(f, ann, work)
	for _, taken := range []bool{false, true} {
		if _, err := deleteCalendar(f, ann, work.ID, ""); err != nil {
			t.Fatal(err)
		}
		if list := trash(f, ann); len(list) != 1 || list[0].ObjectType != calendar.CalendarType || list[0].Title != "Work" || list[0].ID != work.ID {
			t.Errorf("got trash %+v, want the calendar", list)
		}
		want := "work"
		if taken {
			create("Another")
			want = work.ID
		}
		o, c, err := restore(f, ann, work.ID, "")
		if err != nil || o != nil || c.Name != "Work" || c.Color != "#102030" || c.Segment != want {
			t.Fatalf("got %+v, %+v, %v, want the calendar at %s", o, c, err, want)
		}
		if got := f.Segments(ann, *c); !slices.Equal(got, []string{"a.ics"}) {
			t.Errorf("got objects %q, want a.ics", got)
		}
		work = *c
	}
	wantFeed(f, secret, ann, calendar.Calendar{})
	if got := names(f, bea); !slices.Equal(got, []string{"Calendar"}) {
		t.Errorf("a reader has %q after the restore, want Calendar", got)
	}
	f.WantCounts()
}

// Pages of the trash contain each entry once, the latest deletion first, also if the text of an
// entry is long. Covers L-12 and PT-30.
func TestTrashIsPaged(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	var want []string
	for i := range 11 {
		title := fmt.Sprint("Number ", i)
		o := f.Create(ann, fmt.Sprintf(`{"object_type": "task", "title": %q, "description": %q}`, title, strings.Repeat("é", 8000)))
		f.Delete(ann, o.ID)
		if i%3 == 0 {
			f.Clock.Advance(time.Second)
		}
		want = append(want, title)
	}
	var got []string
	var last calendar.TrashPage
	for cursor := ""; ; {
		f.Read(func(tx *store.Tx) (err error) {
			last, err = f.Calendar.Trash(tx, ann, 4, cursor)
			return err
		})
		for _, e := range last.Trash {
			got = append(got, e.Title)
		}
		if last.Page.NextCursor == nil {
			break
		}
		cursor = *last.Page.NextCursor
		if err := f.DB.Read(t.Context(), func(tx *store.Tx) error {
			_, err := f.Calendar.Trash(tx, bea, 4, cursor)
			return err
		}); svc.KindOf(err) != svc.Malformed {
			t.Errorf("another member's cursor: got %v, want an error of kind Malformed", err)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, e := range trash(f, ann)[1:] {
		if before := trash(f, ann)[i]; e.DeletedAt.After(before.DeletedAt) {
			t.Errorf("%s comes after %s, which was deleted earlier", e.Title, before.Title)
		}
	}
}

// A purge immediately removes an object, a calendar or everything from the
// trash, and a purged calendar no longer counts towards the quota.
func TestPurgeRemovesTrashPermanently(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	if n, err := purge(f, ann, ""); n != 0 || err != nil {
		t.Errorf("without trash: purged %d, %v, want 0", n, err)
	}
	fillTrash := func() (id, calendarID string) {
		work := f.AddCalendar(ann, "Work")
		f.Put(ann, work, "a.ics", icstest.Object("VTODO", "a", "SUMMARY:a"))
		id = f.Create(ann, `{"object_type": "task", "title": "x"}`).ID
		f.Delete(ann, id)
		if _, err := deleteCalendar(f, ann, work.ID, ""); err != nil {
			t.Fatal(err)
		}
		return id, work.ID
	}
	fillTrash()
	other := f.Create(bea, `{"object_type": "task", "title": "Other"}`).ID
	f.Delete(bea, other)
	f.Objects.Quota.Calendars = 2
	wantKind(t, "a third calendar", f.TryWrite(func(tx *store.Tx) error {
		_, err := f.Calendar.CreateCalendar(tx, ann, calendar.NewCalendar{Name: "Third"})
		return err
	}), svc.OverQuota)
	if n, err := purge(f, ann, ""); n != 2 || err != nil {
		t.Errorf("purged %d, %v, want the object and the calendar", n, err)
	}
	id, calendarID := fillTrash()
	for _, purged := range []string{id, calendarID} {
		if n, err := purge(f, ann, purged); n != 1 || err != nil {
			t.Errorf("%s: purged %d, %v, want 1", purged, n, err)
		}
		_, err := purge(f, ann, purged)
		wantKind(t, "Purge again", err, svc.Missing)
		_, _, err = restore(f, ann, purged, "")
		wantKind(t, "Restore after Purge", err, svc.Missing)
	}
	if got := f.TrashTitles(ann); len(got) != 0 {
		t.Errorf("got trash %q, want none", got)
	}
	if got := f.TrashTitles(bea); !slices.Equal(got, []string{"Other"}) {
		t.Errorf("another member has trash %q, want Other", got)
	}
	f.AddCalendar(ann, "Third")
	f.WantCounts()
}

// A large calendar is deleted, restored and purged in short writes, and so is a trash with as
// many calendars as a member may have. Covers B-130.
func TestTrashOfAnySizeIsEmptiedInShortWrites(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	work := f.AddCalendar(ann, "Work")
	fillCalendar(f, ann, work, 3000)
	storetest.Exec(t, f.DB, "UPDATE calendar_object SET source_service = NULL")
	for range 2 {
		if _, err := f.DeleteCalendar(ann, work.ID, ""); err != nil {
			t.Fatal(err)
		}
		_, c, err := restore(f, ann, work.ID, "")
		if err != nil || len(f.Segments(ann, *c)) != 3000 {
			t.Fatalf("got %+v, %v, want the calendar with its objects", c, err)
		}
	}
	if _, err := f.DeleteCalendar(ann, work.ID, ""); err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, f.DB, `WITH RECURSIVE i (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM i WHERE n < ?)
		INSERT INTO calendar_calendar (id, owner_id, name, description, color, timezone, components, is_default, seq, pruned_seq, objects, octets, home_seq, created_at, updated_at)
		SELECT 'cal_' || n, ?, '', '', '', 'UTC', '', 0, 0, 0, 0, 0, 0, 0, 0 FROM i`, f.Objects.Quota.Calendars-2, ann.Member())
	storetest.Exec(t, f.DB, `INSERT INTO calendar_trashed (id, trash, calendar_id, segment, uid, component, title, deleted_at, properties, data)
		SELECT c.id, t.n, c.id, '', '', '', '', ?, '[]', x'' FROM calendar_calendar AS c JOIN calendar_trash AS t WHERE c.timezone = 'UTC'`, f.Clock.Now().UnixMilli())
	if n, err := purge(f, ann, ""); n != f.Objects.Quota.Calendars-1 || err != nil {
		t.Errorf("purged %d, %v, want %d calendars", n, err, f.Objects.Quota.Calendars-1)
	}
	sweep(f)
	if got := countRows(f); got != 0 {
		t.Errorf("got %d rows, want none", got)
	}
	f.WantCounts()
}
