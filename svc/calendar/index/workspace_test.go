package index

import (
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/object"
	"appliance/svc/calendar/view"
)

// For each view, day and time zone that a workspace accepts: its range contains
// the day, the next workspace begins where it ends, and its slots cover the
// range without gaps.
func FuzzWorkspaceRangesAndSlotsAreContiguous(f *testing.F) {
	f.Add("month", "2026-12-01", "Europe/Berlin", 30, 0)
	f.Add("week", "2027-03-28", "Europe/Berlin", 60, 6)
	f.Add("day", "2018-11-04", "America/Sao_Paulo", 30, 1) // a day without midnight
	f.Add("day", "2011-12-30", "Pacific/Apia", 5, 1)       // a day that the time zone skipped
	f.Add("week", "2026-10-04", "Australia/Lord_Howe", 20, 3)
	f.Add("agenda", "8999-12-31", "UTC", 15, 2)
	f.Add("tasks", "1600-02-29", "America/Scoresbysund", 10, 4)
	f.Fuzz(func(t *testing.T, name, date, zone string, minutes, weekday int) {
		loc, ok := svc.Zone(zone)
		if !ok {
			return
		}
		view := View(name)
		if svc.CheckSet("view", view) != nil {
			return
		}
		w, err := newWorkspace(WorkspaceQuery{View: view, Date: date, Zone: loc}, storetest.Start)
		if err != nil {
			return
		}
		w.Boundaries = calendar.Boundaries{
			DayStart: "07:00", DayEnd: "22:00", WeekStart: calendar.Weekday(calendar.Monday.Values()[uint(weekday)%7]), SlotMinutes: calendar.SlotLengths[uint(minutes)%6],
		}
		w.setRange()
		if w.Anchor.Before(w.From) || !w.Anchor.Before(w.To) {
			t.Fatalf("%s of %s: got the range %v to %v, want it to contain the day", name, date, w.From, w.To)
		}
		if got := w.Anchor.Format(time.DateOnly); date != "" && got != date {
			t.Errorf("got day %s, want %s", got, date)
		}
		next, previous := w, w
		next.Anchor, previous.Anchor = w.Next(), w.Previous()
		next.setRange()
		previous.setRange()
		if w.View != TasksView && (!next.From.Equal(w.To) || !previous.To.Equal(w.From)) {
			t.Errorf("%s of %s: previous ends %v, this is %v to %v, next begins %v", name, date, previous.To, w.From, w.To, next.From)
		}
		if w.View == DayView || w.View == WeekView {
			wantContiguousSlots(t, w.slots(nil, loc), startOfDay(w.From, loc), startOfDay(w.To, loc), loc)
		}
	})
}

func wantContiguousSlots(t *testing.T, slots []Slot, from, to time.Time, loc *time.Location) {
	t.Helper()
	if !from.Before(to) {
		return // Samoa skipped a day
	}
	if got, want := slots[0].Start, from.In(loc).Format(view.LocalLayout); got != want {
		t.Errorf("the first slot begins %s, want %s", got, want)
	}
	if got, want := slots[len(slots)-1].End, to.In(loc).Format(view.LocalLayout); got != want {
		t.Errorf("the last slot ends %s, want %s", got, want)
	}
	for i := 1; i < len(slots); i++ {
		if slots[i].Start != slots[i-1].End {
			t.Errorf("slot %d begins %s, want %s", i, slots[i].Start, slots[i-1].End)
		}
	}
}

// A day begins at its first local time, which is not midnight if the clocks
// skip it. Covers T-29 for days with a change of clocks.
func TestDayBeginsAtItsFirstLocalTime(t *testing.T) {
	for _, c := range []struct{ name, zone, day, want string }{
		{"an ordinary day", "Europe/Berlin", "2026-12-01", "2026-11-30T23:00:00Z"},
		{"a day that begins at one", "America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"},
		{"a day with two midnights", "America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"},
		{"a day after a repeated hour", "America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			loc, ok := svc.Zone(c.zone)
			day, err := time.Parse(time.DateOnly, c.day)
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			if got := startOfDay(day, loc).Format(time.RFC3339); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A list contains a limited number of occurrences of one object, and is marked
// as truncated. Covers B-60.
func TestOccurrencesOfOneObjectAreLimited(t *testing.T) {
	o, err := ics.Parse([]byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:minutely\r\nDTSTAMP:20261101T120000Z\r\n" +
		"DTSTART:20261101T000000Z\r\nDURATION:PT1M\r\nRRULE:FREQ=MINUTELY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	c := collector{limit: maxAppointments, perObject: maxPerObject, declined: func(*ics.Component) bool { return false }}
	c.add(new(object.Visible), o, o.InstancesSeq(storetest.Start, storetest.Start.AddDate(0, 1, 0), nil))
	c.trim()
	if got := len(c.list); got != maxPerObject || !c.truncated(maxAppointments) {
		t.Errorf("got %d occurrences, truncated %t; want %d, true", got, c.truncated(maxAppointments), maxPerObject)
	}
}
