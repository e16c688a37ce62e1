package calendar

import (
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// Whatever view of whatever day in whatever zone is accepted: the day is in
// its range, what comes next begins where it ends, and its slots lie one
// behind the other from its beginning to its end.
func FuzzWorkspace(f *testing.F) {
	f.Add("month", "2026-12-01", "Europe/Berlin", 30, 0)
	f.Add("week", "2027-03-28", "Europe/Berlin", 60, 6)
	f.Add("day", "2018-11-04", "America/Sao_Paulo", 30, 1) // has no midnight
	f.Add("day", "2011-12-30", "Pacific/Apia", 5, 1)       // there was no such day
	f.Add("week", "2026-10-04", "Australia/Lord_Howe", 20, 3)
	f.Add("agenda", "8999-12-31", "UTC", 15, 2)
	f.Add("tasks", "1600-02-29", "America/Scoresbysund", 10, 4)
	f.Fuzz(func(t *testing.T, view, date, zone string, minutes, weekday int) {
		loc, ok := svc.Zone(zone)
		if !ok {
			return
		}
		w, err := newWorkspace(WorkspaceQuery{View: view, Date: date, Zone: loc}, storetest.Start)
		if err != nil {
			return
		}
		w.Boundaries = Boundaries{"07:00", "22:00", Weekdays[uint(weekday)%7], slotMinutes[uint(minutes)%6]}
		w.span()
		if w.Anchor.Before(w.From) || !w.Anchor.Before(w.To) {
			t.Fatalf("%s of %s is from %v to %v", view, date, w.From, w.To)
		}
		if date != "" && w.Anchor.Format(time.DateOnly) != date {
			t.Errorf("%s is read as %v", date, w.Anchor)
		}
		next, previous := w, w
		next.Anchor, previous.Anchor = w.Next(), w.Previous()
		next.span()
		previous.span()
		if w.View != TasksView && (!next.From.Equal(w.To) || !previous.To.Equal(w.From)) {
			t.Errorf("%s of %s: before is until %v, then comes %v to %v, after that from %v", view, date, previous.To, w.From, w.To, next.From)
		}
		if w.View != DayView && w.View != WeekView {
			return
		}
		slots, from, to := w.slots(nil, loc), midnightOf(w.From, loc), midnightOf(w.To, loc)
		if !from.Before(to) {
			return // Apia's clocks left out a whole day
		}
		if slots[0].Start != from.In(loc).Format(localForm) || slots[len(slots)-1].End != to.In(loc).Format(localForm) {
			t.Errorf("slots from %s to %s, the range is from %v to %v", slots[0].Start, slots[len(slots)-1].End, from, to)
		}
		for i := 1; i < len(slots); i++ {
			if slots[i].Start != slots[i-1].End {
				t.Errorf("after %v comes %v", slots[i-1], slots[i])
			}
		}
	})
}

// Days begin when a clock first shows them. Covers T-29 as far as odd days go.
func TestMidnightOf(t *testing.T) {
	for _, c := range []struct{ name, zone, day, want string }{
		{"an ordinary day", "Europe/Berlin", "2026-12-01", "2026-11-30T23:00:00Z"},
		{"a day that begins at one", "America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"},
		{"a day with two midnights", "America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"},
		{"a day before which an hour came twice", "America/Sao_Paulo", "2018-02-18", "2018-02-18T03:00:00Z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			loc, ok := svc.Zone(c.zone)
			day, err := time.Parse(time.DateOnly, c.day)
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			if got := midnightOf(day, loc).Format(time.RFC3339); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// Covers B-60: of one entry there are only so many instances, and it is told.
func TestInstancesOfOneEntryAreBounded(t *testing.T) {
	o, err := ics.Parse([]byte("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\nBEGIN:VEVENT\r\nUID:minutely\r\nDTSTAMP:20261101T120000Z\r\n" +
		"DTSTART:20261101T000000Z\r\nDURATION:PT1M\r\nRRULE:FREQ=MINUTELY\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	f := first{count: maxShown, each: maxOfOne}
	f.take(new(viewed), o, o.InstancesSeq(storetest.Start, storetest.Start.AddDate(0, 1, 0), nil))
	f.cut()
	if len(f.list) != maxOfOne || !f.more {
		t.Errorf("%d instances, more %t", len(f.list), f.more)
	}
}
