package index_test

import (
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/index"
)

// Hidden objects are in no list, dataset, workspace or free-busy time, whether
// their occurrences are indexed or not. Covers B-62.
func TestHiddenObjectsAreInNoList(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	home := addCalendar(f, ann, "VEVENT", "VTODO", "VFREEBUSY")
	f.Put(ann, home, "single.ics", icstest.Event("single", "DTSTART:20261201T100000Z", "DURATION:PT1H"))
	f.Put(ann, home, "series.ics", icstest.Event("series", "DTSTART:20261201T120000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"))
	f.Put(ann, home, "task.ics", icstest.Object("VTODO", "task", "DUE:20261202T100000Z"))
	f.Put(ann, home, "busy.ics", icstest.Object("VFREEBUSY", "busy", "FREEBUSY:20261202T180000Z/PT1H"))
	query := decemberQuery()
	far := index.Query{From: query.From.AddDate(3, 0, 0), To: query.To.AddDate(3, 0, 0).Add(48 * time.Hour)}
	for _, hidden := range []bool{false, true} {
		storetest.Exec(t, f.DB, "UPDATE calendar_object SET hidden = ?", hidden)
		want := func(name string, got, visible int) {
			t.Helper()
			if hidden {
				visible = 0
			}
			if got != visible {
				t.Errorf("hidden %t: %s: got %d, want %d", hidden, name, got, visible)
			}
		}
		f.Read(func(tx *store.Tx) error {
			for _, c := range []struct {
				name          string
				q             index.Query
				visible, busy int
			}{{"an indexed range", query, 3, 3}, {"a range after the index", far, 1, 1}} {
				list, err := f.Index.Occurrences(tx, ann, time.UTC, c.q)
				if err != nil {
					return err
				}
				want(c.name, len(list.Objects), c.visible)
				busy, err := f.Index.FreeBusy(tx, ann, home.Segment, c.q.From, c.q.To, time.UTC, 100)
				if err != nil {
					return err
				}
				want("busy periods in "+c.name, len(busy), c.busy)
			}
			upcoming, err := f.Index.Upcoming(tx, ann, time.UTC)
			if err != nil {
				return err
			}
			want("the dataset", len(upcoming.Entries), 3)
			tasks, err := f.Index.Tasks(tx, ann, time.UTC, "", 10, "")
			if err != nil {
				return err
			}
			want("tasks", len(tasks.Objects), 1)
			sources, _, err := f.Index.Sources(tx, ann, time.UTC, query.From, query.To, updateActions)
			want("sources", len(sources.Appointments)+len(sources.Tasks), 3)
			return err
		})
		w, err := workspace(f, ann, index.MonthView, "2026-12-01", "UTC")
		if err != nil {
			t.Fatal(err)
		}
		want("the workspace", len(w.Appointments)+len(w.Tasks), 1+6+1) // the grid of December ends on 10 January
	}
}
