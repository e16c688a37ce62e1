package index_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/index"
	"appliance/svc/svctest"
)

func workspace(f *calendartest.Fixture, v svc.Viewer, view index.View, date, zone string) (w index.Workspace, err error) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		w, err = f.Index.Workspace(tx, v, index.WorkspaceQuery{View: view, Date: date, Zone: svc.StoredZone(zone)})
		return nil
	})
	return w, err
}

// Each view contains the occurrences in its days. A day lasts from midnight to
// midnight in the time zone of the view. Covers T-13, T-29, T-30, W-132, B-59 and B-93.
func TestViewsContainTheOccurrencesInTheirDays(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for uid, lines := range map[string][]string{
		"late":     {"DTSTART:20261201T233000Z", "DTEND:20261201T234500Z", "SUMMARY:Late"},
		"yoga":     {"DTSTART;TZID=Europe/Berlin:20270322T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=2", "SUMMARY:Yoga"},
		"trip":     {"DTSTART;VALUE=DATE:20261230", "DTEND;VALUE=DATE:20270103", "SUMMARY:Trip"},
		"floating": {"DTSTART:20261112T073000", "DURATION:PT15M", "SUMMARY:Floating"},
	} {
		f.Put(ann, defaultCal, uid, icstest.Event(uid, lines...))
	}
	for uid, lines := range map[string][]string{
		"due":       {"DUE:20261202T100000Z", "SUMMARY:Due", "CREATED:20261101T000000Z"},
		"undated":   {"SUMMARY:Undated", "CREATED:20261101T000000Z"},
		"done":      {"SUMMARY:Done", "STATUS:COMPLETED", "COMPLETED:20261101T120000Z"},
		"long done": {"SUMMARY:Long done", "STATUS:COMPLETED", "COMPLETED:20261001T120000Z"},
	} {
		f.Put(ann, defaultCal, uid, icstest.Object("VTODO", uid, lines...))
	}
	for _, c := range []struct {
		name           string
		view           index.View
		date, zone     string
		from, to       string
		events, tasks  []string
		slots          int
		previous, next string
	}{
		{"an event that is late in UTC is on the next day in Tokyo", index.DayView, "2026-12-02", "Asia/Tokyo",
			"2026-12-02", "2026-12-03", []string{"Wed 2 Dec 08:30 · Calendar"}, []string{"Due"}, 48, "2026-12-01", "2026-12-03"},
		{"and not on its day in UTC", index.DayView, "2026-12-01", "Asia/Tokyo",
			"2026-12-01", "2026-12-02", nil, nil, 48, "2026-11-30", "2026-12-02"},
		{"a floating time is in the time zone of the view", index.DayView, "2026-11-12", "America/New_York",
			"2026-11-12", "2026-11-13", []string{"Thu 12 Nov 07:30 · Calendar"}, nil, 48, "2026-11-11", "2026-11-13"},
		{"a day without an hour has 46 half hours", index.DayView, "2027-03-28", "Europe/Berlin",
			"2027-03-28", "2027-03-29", nil, nil, 46, "2027-03-27", "2027-03-29"},
		{"a day with an hour more has 50", index.DayView, "2026-10-25", "Europe/Berlin",
			"2026-10-25", "2026-10-26", nil, nil, 50, "2026-10-24", "2026-10-26"},
		{"a day without half an hour has 47", index.DayView, "2026-10-04", "Australia/Lord_Howe",
			"2026-10-04", "2026-10-05", nil, nil, 47, "2026-10-03", "2026-10-05"},
		{"a day that was skipped has none", index.DayView, "2011-12-30", "Pacific/Apia",
			"2011-12-30", "2011-12-31", nil, nil, 0, "2011-12-29", "2011-12-31"},
		{"a week with a skipped day has six days", index.WeekView, "2011-12-30", "Pacific/Apia",
			"2011-12-26", "2012-01-02", nil, nil, 6 * 48, "2011-12-23", "2012-01-06"},
		{"a series stays at nine after a change of clocks", index.WeekView, "2027-03-31", "Europe/Berlin",
			"2027-03-29", "2027-04-05", []string{"Mon 29 Mar 09:00 · Calendar"}, nil, 336, "2027-03-24", "2027-04-07"},
		{"a month contains what begins before it", index.MonthView, "2027-01-31", "UTC",
			"2027-01-01", "2027-02-01", []string{"Wed 30 Dec · Calendar"}, nil, 0, "2026-12-01", "2027-02-01"},
		{"a series in a month with a change of clocks", index.MonthView, "2027-03-01", "Europe/Berlin",
			"2027-03-01", "2027-04-01", []string{"Mon 22 Mar 09:00 · Calendar", "Mon 29 Mar 09:00 · Calendar"}, nil, 0, "2027-02-01", "2027-04-01"},
		{"an agenda has thirty days", index.AgendaView, "2026-12-01", "UTC",
			"2026-12-01", "2026-12-31", []string{"Tue 1 Dec 23:30 · Calendar", "Wed 30 Dec · Calendar"}, []string{"Due"}, 0, "2026-11-01", "2026-12-31"},
		{"open tasks and those that were completed lately", index.TasksView, "", "UTC",
			"2026-10-22", "2026-11-22", nil, []string{"Due", "Undated", "Done"}, 0, "2026-10-22", "2026-12-21"},
		{"tasks that were completed by an earlier day", index.TasksView, "2026-10-05", "UTC",
			"2026-09-05", "2026-10-06", nil, []string{"Due", "Undated", "Long done"}, 0, "2026-09-05", "2026-11-04"},
		{"the default is this month", "", "", "Europe/Berlin",
			"2026-11-01", "2026-12-01", []string{"Thu 12 Nov 07:30 · Calendar", "Wed 2 Dec 00:30 · Calendar"}, []string{"Due"}, 0, "2026-10-01", "2026-12-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := workspace(f, ann, c.view, c.date, c.zone)
			if err != nil {
				t.Fatal(err)
			}
			var events []string
			for _, o := range w.Appointments {
				events = append(events, o.Summary)
			}
			day := func(t time.Time) string { return t.Format(time.DateOnly) }
			got := fmt.Sprintf("%s to %s: %q %q, %d slots; %s, %s", day(w.From), day(w.To), events, titles(w.Tasks), len(w.Slots), day(w.Previous()), day(w.Next()))
			want := fmt.Sprintf("%s to %s: %q %q, %d slots; %s, %s", c.from, c.to, c.events, c.tasks, c.slots, c.previous, c.next)
			if got != want {
				t.Errorf("got\n%s, want\n%s", got, want)
			}
		})
	}
}

// A slot is busy while an event in it is neither cancelled nor transparent nor
// declined by the member nor without duration. Covers T-41 and B-93.
func TestSlotsAreBusyDuringEvents(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for _, rest := range []string{
		`"title": "Busy", "start": "2026-12-01T09:00:00", "end": "2026-12-01T10:15:00"}`,
		`"title": "Tentative", "start": "2026-12-01T10:00:00", "end": "2026-12-01T10:30:00", "status": "tentative"}`,
		`"title": "Cancelled", "start": "2026-12-01T11:00:00", "end": "2026-12-01T12:00:00", "status": "cancelled"}`,
		`"title": "Transparent", "start": "2026-12-01T12:00:00", "end": "2026-12-01T13:00:00", "transparency": "transparent"}`,
		`"title": "Across midnight", "start": "2026-11-30T23:00:00", "end": "2026-12-01T00:30:00"}`,
		`"title": "A moment", "start": "2026-12-01T15:10:00", "end": "2026-12-01T15:10:00"}`,
	} {
		f.Create(ann, `{"object_type": "calendar_event", `+rest)
	}
	for hour, attendees := range []string{
		"ATTENDEE;PARTSTAT=declined:MAILTO:Ann@Example.org",
		"ATTENDEE;PARTSTAT=DECLINED:" + ann.Member().URN(),
		"ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.org\r\nATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.org",
	} {
		start := fmt.Sprintf("DTSTART:20261201T%02d0000Z", 15+hour)
		f.Put(ann, f.DefaultCalendar(ann), fmt.Sprint("invitation", hour), icstest.Event(fmt.Sprint("invitation", hour), start, "DURATION:PT30M", attendees))
	}
	w, err := workspace(f, ann, index.DayView, "2026-12-01", "Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range w.Slots {
		if s.Busy != (len(s.ObjectIDs) > 0) {
			t.Errorf("the slot at %s is busy %t, with %d objects", s.Start, s.Busy, len(s.ObjectIDs))
		}
		if s.Busy {
			got = append(got, fmt.Sprint(s.Start[11:16], "-", s.End[11:16], " ", len(s.ObjectIDs)))
		}
	}
	if want := []string{"00:00-00:30 1", "09:00-09:30 1", "09:30-10:00 1", "10:00-10:30 2", "18:00-18:30 1"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An invalid query is rejected, and the error names the parameter. Covers W-133.
func TestInvalidWorkspaceQueriesAreRejected(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	for _, c := range []struct{ view, date, field string }{
		{"", "2026-13-01", "date"}, {"", "2026-02-30", "date"}, {"", "today", "date"}, {"", "0000-01-01", "date"}, {"", "0001-01-01", "date"},
		{"", "1599-12-31", "date"}, {"", "9000-01-01", "date"}, {"", "9999-12-31", "date"}, {"", "99999-01-01", "date"}, {"", "-001-01-01", "date"},
		{"", "2026-12-01T00:00:00Z", "date"}, {"", "\xff", "date"},
	} {
		t.Run(c.view+" "+c.date, func(t *testing.T) {
			_, err := workspace(f, ann, index.View(c.view), c.date, "UTC")
			calendartest.WantError(t, err, svc.InvalidParameter, c.field)
		})
	}
}

// A workspace has the slots and the week of the member's preferences, and the
// contents of visible calendars only.
func TestWorkspaceFollowsPreferences(t *testing.T) {
	f := calendartest.New(t)
	ann, bea := f.Member("ann"), f.Member("bea")
	f.Create(ann, `{"object_type": "calendar_event", "title": "Event", "start": "2026-12-02T09:00:00"}`)
	f.Create(ann, `{"object_type": "task", "title": "Task", "due": "2026-12-02"}`)
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.ChangeBoundaries(tx, ann, calendar.BoundariesChange{WeekStart: svc.Some(calendar.Sunday), SlotMinutes: svc.Some(60)})
		return err
	})
	for _, c := range []struct {
		name          string
		member        svc.Viewer
		visible       bool
		from          string
		slots         int
		events, tasks int
	}{
		{"Ann", ann, true, "2026-11-29", 7 * 24, 1, 1},
		{"Ann, with an invisible calendar", ann, false, "2026-11-29", 7 * 24, 0, 0},
		{"Bea", bea, true, "2026-11-30", 7 * 48, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f.Write(func(tx *store.Tx) error {
				_, err := f.Calendar.UpdateCalendar(tx, c.member, f.DefaultCalendar(c.member).ID, calendar.CalendarChange{Visible: svc.Some(c.visible)})
				return err
			})
			w, err := workspace(f, c.member, index.WeekView, "2026-12-02", "UTC")
			if got := w.From.Format(time.DateOnly); err != nil || got != c.from || len(w.Slots) != c.slots || len(w.Calendars) != 1 {
				t.Errorf("got a week from %s with %d slots and %d calendars, %v; want %s, %d, 1", got, len(w.Slots), len(w.Calendars), err, c.from, c.slots)
			}
			if len(w.Appointments) != c.events || len(w.Tasks) != c.tasks {
				t.Errorf("got %d events and %d tasks, want %d and %d", len(w.Appointments), len(w.Tasks), c.events, c.tasks)
			}
			tasks, err := workspace(f, c.member, index.TasksView, "", "UTC")
			if err != nil || len(tasks.Tasks) != c.tasks {
				t.Errorf("the tasks view: got %d tasks, %v; want %d", len(tasks.Tasks), err, c.tasks)
			}
		})
	}
}

// A workspace contains a limited number of occurrences, of tasks and of objects
// in a slot, and its fields state which of them are truncated. Covers B-60.
func TestWorkspaceHasLimits(t *testing.T) {
	svctest.Long(t)
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	var stored []calendartest.StoredObject
	add := func(component string, i int, lines ...string) {
		uid := fmt.Sprintf("%s-%d", component, i)
		text := icstest.Object(component, uid, append(lines, "SUMMARY:"+uid)...)
		stored = append(stored, calendartest.StoredObject{Calendar: defaultCal.Segment, Segment: uid, Object: icstest.Parse(t, text)})
	}
	for i := range 6000 {
		at := time.Date(2026, 12, 1, 0, i, 0, 0, time.UTC).Format("20060102T150405Z")
		add("VEVENT", i, "DTSTART:"+at, "DURATION:PT1H")
	}
	for i := range 1200 {
		add("VTODO", i)
	}
	f.PutAll(ann, stored)
	month, err := workspace(f, ann, index.MonthView, "2026-12-01", "UTC")
	if n := len(month.Appointments); err != nil || n != 5000 || !month.AppointmentsTruncated || month.TasksTruncated {
		t.Fatalf("got %d events, truncated %t, tasks truncated %t, %v; want 5000, true, false", n, month.AppointmentsTruncated, month.TasksTruncated, err)
	}
	if first, last := month.Appointments[0].Title, month.Appointments[4999].Title; first != "VEVENT-0" || last != "VEVENT-4999" {
		t.Errorf("got %s to %s, want VEVENT-0 to VEVENT-4999", first, last)
	}
	day, err := workspace(f, ann, index.DayView, "2026-12-01", "UTC")
	if n := len(day.Slots[4].ObjectIDs); err != nil || n != 20 || len(day.Appointments) != 1440 || day.AppointmentsTruncated {
		t.Errorf("got %d events, truncated %t, %d in a slot, %v; want 1440, false, 20", len(day.Appointments), day.AppointmentsTruncated, n, err)
	}
	tasks, err := workspace(f, ann, index.TasksView, "", "UTC")
	if n := len(tasks.Tasks); err != nil || n != 1000 || !tasks.TasksTruncated {
		t.Errorf("got %d tasks, truncated %t, %v; want 1000, true", n, tasks.TasksTruncated, err)
	}
}

// A workspace with more text than the limit is truncated, but has at least two
// occurrences.
func TestWorkspaceWithLongTextsIsTruncated(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	text := strings.Repeat("long\\n", 120000)
	f.Put(ann, f.DefaultCalendar(ann), "a.ics", icstest.Event("a", "DTSTART:20261201T000000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY;COUNT=900", "DESCRIPTION:"+text))
	for _, view := range []index.View{index.DayView, index.MonthView} {
		w, err := workspace(f, ann, view, "2026-12-01", "UTC")
		if n := len(w.Appointments); err != nil || !w.AppointmentsTruncated || n < 2 || n >= 900 {
			t.Errorf("%s: got %d occurrences, truncated %t, %v; want from 2 to 899, true", view, n, w.AppointmentsTruncated, err)
		}
	}
}
