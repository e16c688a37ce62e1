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
)

// countRows returns the number of rows in the calendar tables from which Sweep
// deletes.
func countRows(f *calendartest.Fixture) (rows int) {
	f.T.Helper()
	if _, err := fmt.Sscan(storetest.Rows(f.T, f.DB, `SELECT (SELECT count(*) FROM calendar_object) + (SELECT count(*) FROM calendar_occurrence) +
		(SELECT count(*) FROM calendar_trashed) + (SELECT count(*) FROM calendar_tombstone) + (SELECT count(*) FROM calendar_property)`)[0], &rows); err != nil {
		f.T.Fatal(err)
	}
	return rows
}

// sweep runs the background deletion until nothing is left to delete.
func sweep(f *calendartest.Fixture) {
	f.T.Helper()
	for more := true; more; {
		f.Write(func(tx *store.Tx) (err error) {
			more, err = f.Calendar.Sweep(tx)
			return err
		})
	}
}

// Sweep deletes the rows of permanently deleted data, and no others, in short
// writes. Covers SH-26.
func TestSweepDeletesInShortWrites(t *testing.T) {
	mustDelete := func(f *calendartest.Fixture, ann svc.Viewer, c calendar.Calendar) {
		if _, err := deleteCalendar(f, ann, c.ID, ""); err != nil {
			t.Fatal(err)
		}
	}
	for name, remove := range map[string]func(f *calendartest.Fixture, ann svc.Viewer, c calendar.Calendar){
		"emptied trash": func(f *calendartest.Fixture, ann svc.Viewer, c calendar.Calendar) {
			mustDelete(f, ann, c)
			if _, err := purge(f, ann, ""); err != nil {
				t.Fatal(err)
			}
		},
		"purged one by one": func(f *calendartest.Fixture, ann svc.Viewer, c calendar.Calendar) {
			mustDelete(f, ann, c)
			for _, e := range trash(f, ann) {
				if _, err := purge(f, ann, e.ID); err != nil {
					t.Fatal(err)
				}
			}
		},
		"expired trash": func(f *calendartest.Fixture, ann svc.Viewer, c calendar.Calendar) {
			mustDelete(f, ann, c)
			f.Clock.Advance(30*24*time.Hour + time.Millisecond)
		},
		"deleted member": func(f *calendartest.Fixture, ann svc.Viewer, c calendar.Calendar) {
			f.Write(func(tx *store.Tx) error { return f.Calendar.MemberDeleted(tx, ann.Member()) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := calendartest.New(t)
			ann, bea := f.Member("ann"), f.Member("bea")
			defaultCal, dense := f.DefaultCalendar(ann), f.AddCalendar(ann, "Dense")
			for i := range 8 {
				f.Put(ann, dense, fmt.Sprint(i, ".ics"), icstest.Event(fmt.Sprint("dense-", i), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12"))
			}
			f.Write(func(tx *store.Tx) error {
				return f.Collections.Delete(tx, ann, dense.Segment, "0.ics", calendartest.NoPrecondition)
			})
			f.Put(ann, defaultCal, "old.ics", event("old"))
			f.Delete(ann, f.IDAt(defaultCal, "old.ics"))
			f.Put(bea, f.DefaultCalendar(bea), "kept.ics", event("kept"))

			remove(f, ann, dense)
			before, writes := countRows(f), 0
			for more := true; more; writes++ {
				f.Write(func(tx *store.Tx) (err error) {
					more, err = f.Calendar.Sweep(tx)
					return err
				})
				after := countRows(f)
				if before-after > 3000 {
					t.Errorf("one write deleted %d rows, want at most 3000", before-after)
				}
				before = after
			}
			if writes < 4 {
				t.Errorf("swept in %d writes, want 4 or more", writes)
			}
			for _, table := range []string{"calendar_object", "calendar_occurrence"} {
				if got := storetest.Rows(t, f.DB, "SELECT count(*) FROM "+table)[0]; got != "1" {
					t.Errorf("%s has %s rows, want 1", table, got)
				}
			}
			if got := storetest.Rows(t, f.DB, `SELECT id FROM calendar_trashed UNION ALL SELECT id FROM calendar_calendar WHERE owner_id IS NULL
				UNION ALL SELECT n FROM calendar_trash WHERE member_id IS NULL`); len(got) != 0 {
				t.Errorf("left are %q, want nothing", got)
			}
			if got := f.Text(bea, f.DefaultCalendar(bea), "kept.ics"); got == "" {
				t.Error("an object of another member is gone")
			}
			f.WantCounts()
		})
	}
}

// Trash is kept for 30 days.
func TestSweepKeepsTrashFor30Days(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	f.Delete(ann, f.Create(ann, `{"object_type": "task", "title": "Old"}`).ID)
	f.Clock.Advance(time.Hour)
	f.Delete(ann, f.Create(ann, `{"object_type": "task", "title": "New"}`).ID)
	f.Clock.Advance(30*24*time.Hour - time.Hour)
	sweep(f)
	if got := f.TrashTitles(ann); !slices.Equal(got, []string{"New", "Old"}) {
		t.Errorf("after 30 days got %q, want both", got)
	}
	f.Clock.Advance(time.Millisecond)
	sweep(f)
	if got := f.TrashTitles(ann); !slices.Equal(got, []string{"New"}) {
		t.Errorf("later got %q, want New", got)
	}
}

// A deleted member leaves no row that names them, and readers lose the
// calendars. Covers SH-26.
func TestDeletionOfAMemberDeletesAllRows(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	work, theirs := f.AddCalendar(ann, "Work"), f.AddCalendar(bea, "Theirs")
	share(f, bea, work)
	share(f, ann, theirs)
	f.Put(ann, work, "a.ics", event("a"))
	f.Put(ann, work, "b.ics", event("b"))
	f.Delete(ann, f.IDAt(work, "b.ics"))
	createFeed(f, ann, work)
	if _, err := changeBoundaries(f, ann, `{"slot_minutes": 60}`); err != nil {
		t.Fatal(err)
	}
	f.Write(func(tx *store.Tx) error {
		if _, _, err := f.Collections.PutFile(tx, ann, "notes.txt", "text/plain", []byte("x"), calendartest.NoPrecondition); err != nil {
			return err
		}
		return f.Collections.SetProperties(tx, ann, collection.Place{}, false, []collection.Property{{Space: "urn:x", Local: "a", Element: "<a/>"}}, 100, calendartest.NoPrecondition)
	})
	f.Write(func(tx *store.Tx) error { return f.Calendar.MemberDeleted(tx, ann.Member()) })
	f.Write(func(tx *store.Tx) error { _, err := f.Calendar.DeleteData(tx, ann.Member(), 100); return err })
	if got := names(f, bea); !slices.Equal(got, []string{"Calendar", "Theirs"}) {
		t.Errorf("before the sweep a reader has %q, want Calendar and Theirs", got)
	}
	sweep(f)
	for _, column := range storetest.Rows(t, f.DB, `SELECT m.name, p.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS p
		WHERE m.type = 'table' AND m.name LIKE 'calendar\_%' ESCAPE '\' AND p.name IN ('member_id', 'owner_id')`) {
		table, name, _ := strings.Cut(column, " ")
		if got := storetest.Rows(t, f.DB, fmt.Sprintf("SELECT count(*) FROM %s WHERE %s = ?", table, name), ann.Member())[0]; got != "0" {
			t.Errorf("%s has %s rows of the member, want 0", table, got)
		}
	}
}

// BenchmarkSweep deletes a calendar with 8 dense series. It reports the longest
// write, because other writes wait for it.
func BenchmarkSweep(b *testing.B) {
	f := calendartest.New(b)
	ann := f.Member("ann")
	var longest time.Duration
	for b.Loop() {
		b.StopTimer()
		dense := f.AddCalendar(ann, "Dense")
		stored := make([]calendartest.StoredObject, 8)
		for i := range stored {
			text := icstest.Event(fmt.Sprint("dense-", i), "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY;INTERVAL=12")
			stored[i] = calendartest.StoredObject{Calendar: dense.Segment, Segment: fmt.Sprint(i), Object: icstest.Parse(b, text)}
		}
		f.PutAll(ann, stored)
		if _, err := deleteCalendar(f, ann, dense.ID, ""); err != nil {
			b.Fatal(err)
		}
		if _, err := purge(f, ann, ""); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for more := true; more; {
			begun := time.Now()
			f.Write(func(tx *store.Tx) (err error) {
				more, err = f.Calendar.Sweep(tx)
				return err
			})
			longest = max(longest, time.Since(begun))
		}
	}
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}
