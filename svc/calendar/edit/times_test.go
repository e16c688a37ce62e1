package edit

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// eventLines returns the lines of a new event with the given properties.
func eventLines(o *ics.Object, properties ...string) string {
	_, event, _ := strings.Cut(string(o.Raw), "BEGIN:V"+o.Component[1:])
	var lines []string
	for line := range strings.SplitSeq(event, "\r\n") {
		name, _, _ := strings.Cut(strings.ReplaceAll(line, ";", ":"), ":")
		if slices.Contains(properties, name) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// A new event has the times of the request, in the same form, and defaults for
// absent times. Covers T-09, T-10, T-11 and B-56.
func TestNewEventHasTheRequestedTimes(t *testing.T) {
	for _, c := range []struct{ name, times, want string }{
		{"the time zone of the calendar, and an hour", `"start": "2026-12-01T09:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/Berlin:20261201T100000"},
		{"another time zone", `"start": "2026-12-01T09:00", "end": "2026-12-01T09:30:00", "timezone": "Asia/Kolkata"`, "DTSTART;TZID=Asia/Kolkata:20261201T090000 DTEND;TZID=Asia/Kolkata:20261201T093000"},
		{"an instant", `"start": "2026-12-01T09:00:00Z"`, "DTSTART;TZID=Europe/Berlin:20261201T100000 DTEND;TZID=Europe/Berlin:20261201T110000"},
		{"an offset", `"start": "2026-12-01T09:00:00-05:00", "timezone": "America/New_York"`, "DTSTART;TZID=America/New_York:20261201T090000 DTEND;TZID=America/New_York:20261201T100000"},
		{"another offset", `"start": "2026-12-01T09:00:00+05:00"`, "DTSTART;TZID=Europe/Berlin:20261201T050000 DTEND;TZID=Europe/Berlin:20261201T060000"},
		{"UTC", `"start": "2026-12-01T09:00:00", "timezone": "UTC"`, "DTSTART:20261201T090000Z DTEND:20261201T100000Z"},
		{"floating", `"start": "2026-12-01T09:00:00", "timezone": null`, "DTSTART:20261201T090000 DTEND:20261201T100000"},
		{"an instant without a time zone", `"start": "2026-12-01T09:00:00Z", "timezone": null`, "DTSTART:20261201T090000Z DTEND:20261201T100000Z"},
		{"a date", `"start": "2026-12-01"`, "DTSTART;VALUE=DATE:20261201 DTEND;VALUE=DATE:20261202"},
		{"dates", `"start": "2026-12-01", "end": "2026-12-04", "all_day": true`, "DTSTART;VALUE=DATE:20261201 DTEND;VALUE=DATE:20261204"},
		{"an all-day time", `"start": "2026-12-01T09:00:00", "end": "2026-12-03T00:00:00", "all_day": true`, "DTSTART;VALUE=DATE:20261201 DTEND;VALUE=DATE:20261203"},
		{"a repeated hour", `"start": "2026-10-25T02:30:00"`, "DTSTART;TZID=Europe/Berlin:20261025T023000 DTEND;TZID=Europe/Berlin:20261025T033000"},
		{"a missing hour", `"start": "2027-03-28T02:30:00"`, "DTSTART;TZID=Europe/Berlin:20270328T023000 DTEND;TZID=Europe/Berlin:20270328T043000"},
		{"a space between date and time", `"start": "2026-12-01 09:00"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/Berlin:20261201T100000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o, err := create(t, "VEVENT", `{"title": "x", `+c.times+`}`)
			if err != nil {
				t.Fatal(err)
			}
			if got := eventLines(o, "DTSTART", "DTEND"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// A new start moves all occurrences of a series, and the former start moves
// them back. Covers T-09, T-10, T-11 and B-56.
func TestMovedSeriesCanBeMovedBack(t *testing.T) {
	for _, c := range []struct {
		name, object string
		move, back   string
		want         string // the start of the first occurrence after the move
	}{
		{"an hour later", "outlook", `{"start": "2026-12-07T11:00:00", "end": "2026-12-07T12:30:00"}`, `{"start": "2026-12-07T10:00:00", "end": "2026-12-07T11:30:00"}`, "2026-12-07T11:00:00"},
		{"another weekday", "outlook", `{"start": "2026-12-10T10:00:00", "end": "2026-12-10T11:30:00"}`, `{"start": "2026-12-07T10:00:00", "end": "2026-12-07T11:30:00"}`, "2026-12-10T10:00:00"},
		{"an instant", "outlook", `{"start": "2026-12-07T10:00:00Z", "end": "2026-12-07T11:30:00Z"}`, `{"start": "2026-12-07T10:00:00+01:00", "end": "2026-12-07T11:30:00+01:00"}`, "2026-12-07T11:00:00"},
		{"another time zone", "outlook", `{"timezone": "Asia/Tokyo"}`, `{"timezone": "Europe/Berlin"}`, "2026-12-07T10:00:00"},
		{"another duration", "outlook", `{"end": "2026-12-07T18:00:00"}`, `{"end": "2026-12-07T11:30:00"}`, "2026-12-07T10:00:00"},
		{"floating", "outlook", `{"timezone": null}`, `{"timezone": "Europe/Berlin"}`, "2026-12-07T10:00:00"},
		{"earlier, with UNTIL", "office", `{"start": "2026-10-01T07:30:00", "end": "2026-10-01T08:30:00"}`, `{"start": "2026-10-01T09:00:00", "end": "2026-10-01T10:00:00"}`, "2026-10-01T07:30:00"},
		{"dates", "thunderbird", `{"start": "2026-12-05", "end": "2026-12-07"}`, `{"start": "2026-12-03", "end": "2026-12-04"}`, "2026-12-05"},
		{"dates to times", "thunderbird", `{"all_day": false, "start": "2026-12-03T09:00:00", "end": "2026-12-03T10:00:00", "timezone": "Europe/Berlin"}`, `{"all_day": true, "start": "2026-12-03", "end": "2026-12-04"}`, "2026-12-03T09:00:00"},
		{"times to dates", "outlook", `{"all_day": true, "start": "2026-12-07", "end": "2026-12-08"}`, `{"all_day": false, "start": "2026-12-07T10:00:00", "end": "2026-12-07T11:30:00", "timezone": "Europe/Berlin"}`, "2026-12-07"},
		{"a floating series", "lower", `{"start": "2026-12-05T09:00:00", "end": "2026-12-05T09:45:00"}`, `{"start": "2026-12-05T08:00:00", "end": "2026-12-05T08:45:00"}`, "2026-12-05T09:00:00"},
		{"floating to a time zone", "lower", `{"timezone": "America/New_York"}`, `{"timezone": null}`, "2026-12-05T08:00:00"},
		{"no recurrence", "apple", `{"start": "2027-01-02T12:00:00", "end": "2027-01-02T13:00:00"}`, `{"start": "2027-01-01T12:00:00", "end": "2027-01-01T13:00:00"}`, "2027-01-02T12:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := icstest.Parse(t, icstest.RealObjects[c.object])
			before := occurrences(o)
			moved := mustApply(t, o, c.move).Object
			between := occurrences(moved)
			if first := slices.Sorted(maps.Keys(between))[0]; first != c.want || between[first].Start != c.want {
				t.Errorf("got first occurrence %s at %s, want %s", first, between[first].Start, c.want)
			}
			if len(between) != len(before) {
				t.Errorf("got %d occurrences, want %d", len(between), len(before))
			}
			back := mustApply(t, moved, c.back).Object
			if after := occurrences(back); !maps.Equal(after, before) {
				t.Errorf("got %v, want %v\n%s", after, before, back.Raw)
			}
		})
	}
}

// In an object with an unknown time zone, whose offset is not known, an instant
// of a change stays an instant.
func TestInstantsInAnUnknownTimeZoneAreKept(t *testing.T) {
	o := icstest.Parse(t, icstest.Event("nowhere", "DTSTART;TZID=Nowhere/Else:20261125T090000", "RRULE:FREQ=DAILY", "SUMMARY:Somewhere"))
	r := mustApply(t, o, `{"title": "Elsewhere", "scope": "this", "recurrence_id": "2026-12-25T09:00:00Z"}`)
	if got := r.RecurrenceID.Clock().Format("20060102T150405"); got != "20261225T090000" {
		t.Errorf("got a change of %s, want 20261225T090000", got)
	}
	moved := mustApply(t, o, `{"start": "2026-11-25T10:00:00Z"}`).Object
	if got, want := eventLines(moved, "DTSTART"), "DTSTART:20261125T100000Z"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := eventLines(mustApply(t, o, `{"exdates": ["2026-12-27T09:00:00Z"]}`).Object, "EXDATE"); got == "" {
		t.Error("got no EXDATE")
	}
}

// A task that recurs only by DUE refers to it in its dates and rules.
func TestRecurrenceOfATaskWithoutStartRefersToDue(t *testing.T) {
	o, err := create(t, "VTODO", `{"title": "Rent", "due": "2026-12-01", "rrule": "FREQ=MONTHLY;UNTIL=20270301T120000Z", "exdates": ["2027-01-01"]}`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := eventLines(o, "DUE", "RRULE", "EXDATE"), "DUE;VALUE=DATE:20261201 RRULE:FREQ=MONTHLY;UNTIL=20270301 EXDATE;VALUE=DATE:20270101"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	moved := mustApply(t, o, `{"due": "2026-12-02"}`).Object
	if got := eventLines(moved, "DUE"); got != "DUE;VALUE=DATE:20261202" {
		t.Errorf("got %s after the change of due", got)
	}
}

// UNTIL has the form of the start. Covers B-56 and RFC 5545 §3.3.10.
func TestUntilHasTheFormOfTheStart(t *testing.T) {
	for _, c := range []struct{ name, change, want string }{
		{"a date in a time zone", `{"title": "x", "start": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;UNTIL=20261231"}`, "RRULE:FREQ=DAILY;UNTIL=20261231T225959Z"},
		{"a local time in a time zone", `{"title": "x", "start": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;UNTIL=20261231T120000"}`, "RRULE:FREQ=DAILY;UNTIL=20261231T110000Z"},
		{"an instant of a date", `{"title": "x", "start": "2026-12-01", "rrule": "FREQ=DAILY;UNTIL=20261231T120000Z"}`, "RRULE:FREQ=DAILY;UNTIL=20261231"},
		{"a date of a floating time", `{"title": "x", "start": "2026-12-01T09:00:00", "timezone": null, "rrule": "FREQ=DAILY;UNTIL=20261231"}`, "RRULE:FREQ=DAILY;UNTIL=20261231T235959"},
		{"an instant of a floating time", `{"title": "x", "start": "2026-12-01T09:00:00", "timezone": null, "rrule": "RRULE:FREQ=DAILY;UNTIL=20261231T120000Z"}`, "RRULE:FREQ=DAILY;UNTIL=20261231T120000"},
	} {
		o, err := create(t, "VEVENT", c.change)
		if err != nil {
			t.Fatal(err)
		}
		if got := eventLines(o, "RRULE"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// A recurring task that has only a due time gets an equal start, and both stay equal until the
// start is changed. A task of a client keeps its form in other changes. Covers B-113.
func TestRecurringTaskHasAStart(t *testing.T) {
	clientTask := func(lines ...string) string {
		return icstest.Object("VTODO", "a", append([]string{"SUMMARY:Bins", "DUE;TZID=Europe/Berlin:20261105T180000"}, lines...)...)
	}
	const start = "DTSTART;TZID=Europe/Berlin:20261105T180000"
	for _, c := range []struct{ name, text, change, want string }{
		{"a new one", "", `"due": "2026-11-05T18:00:00", "rrule": "FREQ=WEEKLY"`, "20261105T180000 20261105T180000"},
		{"a new one with dates", "", `"due": "2026-11-05", "rrule": "FREQ=WEEKLY"`, "20261105 20261105"},
		{"a new one with a start", "", `"start": "2026-11-04", "due": "2026-11-05", "rrule": "FREQ=WEEKLY"`, "20261104 20261105"},
		{"a new one that does not recur", "", `"due": "2026-11-05"`, " 20261105"},
		{"it begins to recur", clientTask(), `"rrule": "FREQ=WEEKLY"`, "20261105T180000 20261105T180000"},
		{"its rule changes", clientTask("RRULE:FREQ=DAILY"), `"rrule": "FREQ=WEEKLY"`, "20261105T180000 20261105T180000"},
		{"its title changes", clientTask("RRULE:FREQ=DAILY"), `"title": "Paper"`, " 20261105T180000"},
		{"it gets a start", clientTask("RRULE:FREQ=DAILY"), `"start": "2026-11-05T17:00:00"`, "20261105T170000 20261105T180000"},
		{"its start is removed", clientTask("DTSTART;TZID=Europe/Berlin:20261105T170000", "RRULE:FREQ=DAILY"), `"start": ""`, "20261105T180000 20261105T180000"},
		{"its due time moves", clientTask(start, "RRULE:FREQ=WEEKLY"), `"due": "2026-11-04T18:00:00"`, "20261104T180000 20261104T180000"},
		{"its start moves", clientTask(start, "RRULE:FREQ=WEEKLY"), `"start": "2026-11-04T18:00:00"`, "20261104T180000 20261104T180000"},
		{"its start stays", clientTask(start, "RRULE:FREQ=WEEKLY"), `"start": "2026-11-05T18:00:00", "due": "2026-11-06T18:00:00"`, "20261105T180000 20261106T180000"},
		{"it does not recur", clientTask(start), `"due": "2026-11-06T18:00:00"`, "20261105T180000 20261106T180000"},
		{"another start", clientTask("DTSTART;TZID=Europe/Berlin:20261105T170000", "RRULE:FREQ=WEEKLY"), `"due": "2026-11-06T18:00:00"`, "20261105T170000 20261106T180000"},
	} {
		var o *ics.Object
		if c.text == "" {
			var err error
			if o, err = create(t, "VTODO", `{"title": "Bins", `+c.change+`}`); err != nil {
				t.Fatal(err)
			}
		} else {
			o = mustApply(t, icstest.Parse(t, c.text), "{"+c.change+"}").Object
		}
		if got := o.Master.Time("DTSTART").String() + " " + o.Master.Time("DUE").String(); got != c.want {
			t.Errorf("%s: got the times %q, want %q\n%s", c.name, got, c.want, o.Raw)
		}
	}
}
