package index_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
)

// A task counts from the day on which it is due until it is completed; of a series only
// the first open occurrence counts. The clock is at 2026-11-21 09:00 UTC.
func TestDueTasks(t *testing.T) {
	zone := svc.StoredZone("Pacific/Auckland") // 22:00 on the 21st, UTC+13
	for about, c := range map[string]struct {
		task         string // of VTODO
		utc, distant int
	}{
		"no date":                     {"SUMMARY:x", 0, 0},
		"created without a date":      {"CREATED:20261101T090000Z", 0, 0},
		"start only":                  {"DTSTART:20261120T090000Z", 0, 0},
		"overdue day":                 {"DUE;VALUE=DATE:20251101", 1, 1},
		"due today":                   {"DUE;VALUE=DATE:20261121", 1, 1},
		"due tomorrow":                {"DUE;VALUE=DATE:20261122", 0, 0},
		"due at a time today":         {"DUE:20261121T235900Z", 1, 0},
		"due at a time passed":        {"DUE:20261121T070000Z", 1, 1},
		"due at midnight":             {"DUE:20261122T000000Z", 0, 0},
		"local time":                  {"DUE:20261121T230000", 1, 1},
		"started, due later":          {"DTSTART:20261101T090000Z\r\nDUE:20261224T090000Z", 0, 0},
		"with a duration":             {"DTSTART:20261101T090000Z\r\nDURATION:P1D", 1, 1},
		"completed":                   {"DUE;VALUE=DATE:20261121\r\nSTATUS:COMPLETED", 0, 0},
		"completed without a status":  {"DUE;VALUE=DATE:20261121\r\nPERCENT-COMPLETE:100", 0, 0},
		"open again":                  {"DUE;VALUE=DATE:20261121\r\nSTATUS:NEEDS-ACTION\r\nCOMPLETED:20261120T080000Z", 1, 1},
		"cancelled":                   {"DUE;VALUE=DATE:20261121\r\nSTATUS:CANCELLED", 0, 0},
		"series, due today":           {"DTSTART:20261121T093000Z\r\nDUE:20261121T103000Z\r\nRRULE:FREQ=DAILY", 1, 1},
		"series, not before tomorrow": {"DTSTART:20261122T070000Z\r\nDUE:20261122T080000Z\r\nRRULE:FREQ=DAILY", 0, 0},
		"series, never completed":     {"DTSTART:20251101T070000Z\r\nDUE:20251101T080000Z\r\nRRULE:FREQ=WEEKLY", 1, 1},
		"series, completed by KDE":    {"DTSTART:20251101T070000Z\r\nDUE:20251101T080000Z\r\nRRULE:FREQ=WEEKLY\r\nX-KDE-LIBKCAL-DTRECURRENCE:20261128T070000Z", 0, 0},
		"series that has ended":       {"DTSTART:20251101T070000Z\r\nDUE:20251101T080000Z\r\nRRULE:FREQ=DAILY;COUNT=3", 1, 1},
	} {
		f := calendartest.New(t)
		ann, bea := f.Member("ann"), f.Member("bea")
		f.Put(ann, f.DefaultCalendar(ann), "a.ics", icstest.Object("VTODO", "a", strings.Split(c.task, "\r\n")...))
		f.Read(func(tx *store.Tx) error {
			got, until, err := f.Index.DueTasks(tx, ann, time.UTC)
			far, _, errFar := f.Index.DueTasks(tx, ann, zone)
			others, _, errOthers := f.Index.DueTasks(tx, bea, time.UTC)
			if err != nil || errFar != nil || errOthers != nil {
				t.Fatal(err, errFar, errOthers)
			}
			if got != c.utc || far != c.distant || others != 0 {
				t.Errorf("%s: got %d in UTC, %d in Auckland and %d for another member, want %d, %d and 0", about, got, far, others, c.utc, c.distant)
			}
			if want := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC); !until.Equal(want) {
				t.Errorf("%s: got %v, want the next midnight", about, until)
			}
			return nil
		})
	}
}

// Tasks in hidden calendars do not count.
func TestDueTasksOmitHiddenCalendars(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for i := range 3 {
		f.Create(ann, fmt.Sprintf(`{"object_type": "task", "title": "task %d", "due": "2026-11-2%d"}`, i, i))
	}
	count := func() (n int) {
		f.Read(func(tx *store.Tx) (err error) { n, _, err = f.Index.DueTasks(tx, ann, time.UTC); return err })
		return n
	}
	if got := count(); got != 2 {
		t.Errorf("got %d due tasks, want 2", got)
	}
	storetest.Exec(t, f.DB, "UPDATE calendar_access SET visible = 0")
	if got := count(); got != 0 {
		t.Errorf("in a hidden calendar: got %d due tasks, want none", got)
	}
}
