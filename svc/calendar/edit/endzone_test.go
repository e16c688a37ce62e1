package edit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
	"appliance/svc/calendar/view"
	"appliance/svc/svctest"
)

// The times of a flight of eleven hours, and of other entries.
const (
	flight   = "DTSTART;TZID=Europe/Berlin:20261201T090000|DTEND;TZID=Asia/Tokyo:20261202T040000"
	meeting  = "DTSTART;TZID=Europe/Berlin:20261201T090000|DTEND;TZID=Europe/Berlin:20261201T103000"
	lasting  = "DTSTART;TZID=Europe/Berlin:20261201T090000|DURATION:PT90M"
	holiday  = "DTSTART;VALUE=DATE:20261201|DTEND;VALUE=DATE:20261204"
	task     = "DTSTART;TZID=Europe/Berlin:20261201T090000|DUE;TZID=Asia/Tokyo:20261202T040000"
	floating = "DTSTART:20261201T090000|DTEND:20261201T103000"
)

// The end has a time zone of its own. A changed start keeps the duration and the zone of
// the end, and a changed zone applies to the end if that had the same one. Covers B-121.
func TestEndHasATimeZoneOfItsOwn(t *testing.T) {
	for _, c := range []struct{ name, times, change, want string }{
		{"the end", flight, `"end": "2026-12-02T05:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Asia/Tokyo:20261202T050000"},
		{"the start", flight, `"start": "2026-12-01T10:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T100000 DTEND;TZID=Asia/Tokyo:20261202T050000"},
		{"the start, in summer", flight, `"start": "2027-07-01T09:00:00"`, "DTSTART;TZID=Europe/Berlin:20270701T090000 DTEND;TZID=Asia/Tokyo:20270702T030000"},
		{"start and end", flight, `"start": "2026-12-03T10:00:00", "end": "2026-12-04T06:00:00"`, "DTSTART;TZID=Europe/Berlin:20261203T100000 DTEND;TZID=Asia/Tokyo:20261204T060000"},
		{"start, with the end of a form", flight, `"start": "2026-12-01T10:00:00", "end": "2026-12-02T04:00:00", "timezone": "Europe/Berlin", "end_timezone": "Asia/Tokyo", "all_day": false`, "DTSTART;TZID=Europe/Berlin:20261201T100000 DTEND;TZID=Asia/Tokyo:20261202T040000"},
		{"instants", flight, `"start": "2026-12-01T10:00:00Z", "end": "2026-12-01T21:00:00Z"`, "DTSTART;TZID=Europe/Berlin:20261201T110000 DTEND;TZID=Asia/Tokyo:20261202T060000"},
		{"the zone", flight, `"timezone": "Europe/London"`, "DTSTART;TZID=Europe/London:20261201T090000 DTEND;TZID=Asia/Tokyo:20261202T040000"},
		{"the start and its zone", flight, `"start": "2026-12-01T08:00:00", "timezone": "Europe/London"`, "DTSTART;TZID=Europe/London:20261201T080000 DTEND;TZID=Asia/Tokyo:20261202T040000"},
		{"the zone of the end", flight, `"end_timezone": "Asia/Kolkata"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Asia/Kolkata:20261202T040000"},
		{"the end and its zone", flight, `"end": "2026-12-02T00:30:00", "end_timezone": "Asia/Kolkata"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Asia/Kolkata:20261202T003000"},
		{"one zone", flight, `"end_timezone": null`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/Berlin:20261201T200000"},
		{"one zone and the same figures, as in a form", flight, `"end": "2026-12-02T04:00:00", "end_timezone": ""`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/Berlin:20261202T040000"},
		{"both zones", flight, `"timezone": "Europe/London", "end_timezone": null`, "DTSTART;TZID=Europe/London:20261201T090000 DTEND;TZID=Europe/London:20261201T190000"},
		{"a whole day", flight, `"all_day": true`, "DTSTART;VALUE=DATE:20261201 DTEND;VALUE=DATE:20261203"},
		{"another whole day", flight, `"all_day": true, "start": "2026-12-05"`, "DTSTART;VALUE=DATE:20261205 DTEND;VALUE=DATE:20261207"},
		{"the end in UTC", "DTSTART;TZID=Europe/Berlin:20261201T090000|DTEND:20261201T093000Z", `"start": "2026-12-01T11:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T110000 DTEND:20261201T113000Z"},

		{"one zone, the start", meeting, `"start": "2026-12-01T15:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T150000 DTEND;TZID=Europe/Berlin:20261201T163000"},
		{"one zone, an instant", meeting, `"start": "2026-12-01T15:00:00Z"`, "DTSTART;TZID=Europe/Berlin:20261201T160000 DTEND;TZID=Europe/Berlin:20261201T173000"},
		{"one zone, in the night of a longer day", meeting, `"start": "2027-10-31T02:00:00"`, "DTSTART;TZID=Europe/Berlin:20271031T020000 DURATION:PT1H30M"},
		{"one zone, the zone", meeting, `"timezone": "Asia/Tokyo"`, "DTSTART;TZID=Asia/Tokyo:20261201T090000 DTEND;TZID=Asia/Tokyo:20261201T103000"},
		{"one zone, the start and the zone", meeting, `"start": "2026-12-01T15:00:00", "timezone": "Asia/Tokyo"`, "DTSTART;TZID=Asia/Tokyo:20261201T150000 DTEND;TZID=Asia/Tokyo:20261201T163000"},
		{"one zone, another one for the end", meeting, `"end_timezone": "Europe/London"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/London:20261201T103000"},
		{"one zone, the zone of the start only", meeting, `"timezone": "Asia/Tokyo", "end_timezone": "Europe/Berlin"`, "DTSTART;TZID=Asia/Tokyo:20261201T090000 DTEND;TZID=Europe/Berlin:20261201T103000"},
		{"one zone, the zone by a form", meeting, `"start": "2026-12-01T09:00:00", "end": "2026-12-01T10:30:00", "timezone": "Asia/Tokyo", "all_day": false`, "DTSTART;TZID=Asia/Tokyo:20261201T090000 DTEND;TZID=Asia/Tokyo:20261201T103000"},
		{"one zone, floating", meeting, `"timezone": null`, "DTSTART:20261201T090000 DTEND:20261201T103000"},
		{"floating, the start", floating, `"start": "2026-12-02T09:00:00"`, "DTSTART:20261202T090000 DTEND:20261202T103000"},
		{"floating, a zone", floating, `"timezone": "Asia/Tokyo"`, "DTSTART;TZID=Asia/Tokyo:20261201T090000 DTEND;TZID=Asia/Tokyo:20261201T103000"},
		{"floating, zones", floating, `"timezone": "Europe/Berlin", "end_timezone": "Europe/London"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/London:20261201T103000"},
		{"an unknown zone", strings.ReplaceAll(meeting, "Europe/Berlin", "Mars/Olympus"), `"start": "2026-12-01T15:00:00"`, "DTSTART;TZID=Mars/Olympus:20261201T150000 DTEND;TZID=Mars/Olympus:20261201T163000"},

		{"DURATION, the start", lasting, `"start": "2026-12-01T15:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T150000 DURATION:PT90M"},
		{"DURATION, the zone", lasting, `"timezone": "Asia/Tokyo"`, "DTSTART;TZID=Asia/Tokyo:20261201T090000 DURATION:PT90M"},
		{"DURATION, the zone of the end", lasting, `"end_timezone": "Europe/London"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/London:20261201T103000"},
		{"DURATION, the same zone for the end", lasting, `"end_timezone": "Europe/Berlin"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DURATION:PT90M"},
		{"no end, the start", "DTSTART:20261201T090000Z", `"start": "2026-12-01T10:00:00"`, "DTSTART:20261201T100000Z"},

		{"dates, the start", holiday, `"start": "2026-12-10"`, "DTSTART;VALUE=DATE:20261210 DTEND;VALUE=DATE:20261213"},
		{"dates, a time", holiday, `"all_day": false, "start": "2026-12-10T18:00:00", "timezone": "Europe/Berlin"`, "DTSTART;TZID=Europe/Berlin:20261210T180000 DTEND;TZID=Europe/Berlin:20261213T180000"},
		{"dates, times in zones", holiday, `"all_day": false, "timezone": "Europe/Berlin", "end_timezone": "Asia/Tokyo"`, "DTSTART;TZID=Europe/Berlin:20261201T000000 DTEND;TZID=Asia/Tokyo:20261204T000000"},

		{"a task, the start", task, `"start": "2026-12-01T10:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T100000 DUE;TZID=Asia/Tokyo:20261202T050000"},
		{"a task, due", task, `"due": "2026-12-02T05:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DUE;TZID=Asia/Tokyo:20261202T050000"},
		{"a task, the zone", task, `"timezone": "Europe/London"`, "DTSTART;TZID=Europe/London:20261201T090000 DUE;TZID=Asia/Tokyo:20261202T040000"},
		{"a task, the zone of due", task, `"end_timezone": "Asia/Kolkata"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DUE;TZID=Asia/Kolkata:20261202T040000"},
		{"a task, no start any more", task, `"start": null`, "DUE;TZID=Asia/Tokyo:20261202T040000"},
		{"a task without a start", "DUE;TZID=Asia/Tokyo:20261202T040000", `"timezone": "Asia/Kolkata"`, "DUE;TZID=Asia/Kolkata:20261202T040000"},
		{"a task without a start, an instant", "DUE;TZID=Asia/Tokyo:20261202T040000", `"due": "2026-12-01T20:00:00Z"`, "DUE;TZID=Asia/Tokyo:20261202T050000"},
		{"a task without due", "DTSTART;TZID=Asia/Tokyo:20261202T040000", `"start": "2026-12-02T05:00:00"`, "DTSTART;TZID=Asia/Tokyo:20261202T050000"},
		{"a task with a duration", "DTSTART;TZID=Asia/Tokyo:20261202T040000|DURATION:PT1H", `"start": "2026-12-02T05:00:00"`, "DTSTART;TZID=Asia/Tokyo:20261202T050000 DURATION:PT1H"},
	} {
		t.Run(c.name, func(t *testing.T) {
			component := "VEVENT"
			if strings.Contains(c.name, "task") {
				component = "VTODO"
			}
			o := icstest.Parse(t, icstest.Object(component, "a", append(strings.Split(c.times, "|"), "SUMMARY:x")...))
			after := mustApply(t, o, "{"+c.change+"}").Object
			if got := eventLines(after, "DTSTART", "DTEND", "DUE", "DURATION"); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			for _, zone := range []string{"Europe/London", "Asia/Tokyo", "Asia/Kolkata"} {
				if strings.Contains(c.want, zone) && !strings.Contains(c.times, zone) && !strings.Contains(string(after.Raw), "TZID:"+zone) {
					t.Errorf("got no VTIMEZONE of %s in\n%s", zone, after.Raw)
				}
			}
		})
	}
}

// A new entry can end in another time zone than that of its start.
func TestNewEntryEndsInAnotherTimeZone(t *testing.T) {
	for _, c := range []struct{ component, times, want string }{
		{"VEVENT", `"start": "2026-12-01T09:00:00", "end": "2026-12-02T04:00:00", "end_timezone": "Asia/Tokyo"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Asia/Tokyo:20261202T040000"},
		{"VEVENT", `"start": "2026-12-01T09:00:00", "end": "2026-12-01T19:00:00Z", "timezone": "Europe/London", "end_timezone": "Asia/Tokyo"`, "DTSTART;TZID=Europe/London:20261201T090000 DTEND;TZID=Asia/Tokyo:20261202T040000"},
		{"VEVENT", `"start": "2026-12-01T09:00:00", "end_timezone": "Asia/Tokyo"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Asia/Tokyo:20261201T180000"},
		{"VEVENT", `"start": "2026-12-01T09:00:00", "end": "2026-12-01T10:00:00", "end_timezone": ""`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DTEND;TZID=Europe/Berlin:20261201T100000"},
		{"VTODO", `"start": "2026-12-01T09:00:00", "due": "2026-12-02T04:00:00", "end_timezone": "Asia/Tokyo"`, "DTSTART;TZID=Europe/Berlin:20261201T090000 DUE;TZID=Asia/Tokyo:20261202T040000"},
		{"VTODO", `"due": "2026-12-02T04:00:00", "timezone": "Europe/London", "end_timezone": "Asia/Tokyo"`, "DUE;TZID=Asia/Tokyo:20261202T040000"},
	} {
		o, err := create(t, c.component, `{"title": "x", `+c.times+`}`)
		if err != nil {
			t.Fatal(err)
		}
		if got := eventLines(o, "DTSTART", "DTEND", "DUE"); got != c.want {
			t.Errorf("%s: got %s, want %s", c.times, got, c.want)
		}
	}
	_, err := create(t, "VEVENT", `{"title": "x", "start": "2026-12-01T09:00:00", "end_timezone": "Mars/Olympus"}`)
	wantCode(t, err, svc.InvalidValue, "end_timezone")
	_, err = create(t, "VEVENT", `{"title": "x", "start": "2026-12-01T09:00:00", "end": "2026-12-01T16:00:00", "end_timezone": "Asia/Tokyo"}`)
	wantCode(t, err, svc.EndBeforeStart, "end")
}

// A change of an occurrence keeps the time zone of its end, and one of the series its
// length, also where the difference between the zones is another one.
func TestEndOfASeriesHasATimeZoneOfItsOwn(t *testing.T) {
	series := append(strings.Split(flight, "|"), "RRULE:FREQ=MONTHLY;COUNT=8", "SUMMARY:x")
	const november, july = `"recurrence_id": "2027-02-01T09:00:00"`, `"recurrence_id": "2027-07-01T09:00:00"`
	all := func(end string) string { return "DTSTART;TZID=Europe/Berlin:20261201T090000 " + end }
	for _, c := range []struct{ name, change, master, override string }{
		{"one", `"scope": "this", ` + july + `, "start": "2027-07-01T10:00:00"`, all("DTEND;TZID=Asia/Tokyo:20261202T040000"), "DTSTART;TZID=Europe/Berlin:20270701T100000 DTEND;TZID=Asia/Tokyo:20270702T040000"},
		{"one, the end", `"scope": "this", ` + july + `, "end": "2027-07-02T02:00:00"`, all("DTEND;TZID=Asia/Tokyo:20261202T040000"), "DTSTART;TZID=Europe/Berlin:20270701T090000 DTEND;TZID=Asia/Tokyo:20270702T020000"},
		{"one, the zone", `"scope": "this", ` + july + `, "timezone": "Europe/London"`, all("DTEND;TZID=Asia/Tokyo:20261202T040000"), "DTSTART;TZID=Europe/London:20270701T090000 DTEND;TZID=Asia/Tokyo:20270702T030000"},
		{"all, the end in July", `"scope": "all", ` + july + `, "end": "2027-07-02T04:00:00"`, all("DTEND;TZID=Asia/Tokyo:20261202T050000"), ""},
		{"all, the end as an instant", `"scope": "all", ` + november + `, "start": "2027-02-01T08:00:00Z", "end": "2027-02-01T20:00:00Z"`, all("DTEND;TZID=Asia/Tokyo:20261202T050000"), ""},
		{"all, a move into another season", `"scope": "all", ` + july + `, "start": "2027-07-01T10:00:00", "end": "2027-07-02T04:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T100000 DTEND;TZID=Asia/Tokyo:20261202T050000", ""},
		{"all, the start", `"scope": "all", ` + july + `, "start": "2027-07-01T10:00:00"`, "DTSTART;TZID=Europe/Berlin:20261201T100000 DTEND;TZID=Asia/Tokyo:20261202T050000", ""},
		{"all, the zone", `"scope": "all", ` + july + `, "timezone": "Europe/London"`, "DTSTART;TZID=Europe/London:20261201T090000 DTEND;TZID=Asia/Tokyo:20261202T040000", ""},
	} {
		after := mustApply(t, icstest.Parse(t, icstest.Event("a", series...)), "{"+c.change+"}").Object
		master, override, _ := strings.Cut(string(after.Raw), "END:VEVENT")
		for what, part := range map[string]struct{ text, want string }{"series": {master, c.master}, "override": {override, c.override}} {
			if got := timesIn(part.text); got != part.want {
				t.Errorf("%s, %s: got %s, want %s", c.name, what, got, part.want)
			}
		}
	}
	later := mustApply(t, icstest.Parse(t, icstest.Event("a", series...)), `{"scope": "this_and_future", `+july+`, "start": "2027-07-01T10:00:00"}`)
	if got, want := timesIn(string(later.Rest.Raw)), "DTSTART;TZID=Europe/Berlin:20270701T100000 DTEND;TZID=Asia/Tokyo:20270702T040000"; got != want {
		t.Errorf("the later ones: got %s, want %s", got, want)
	}
}

// timesIn returns the lines of the times of an event in a text.
func timesIn(text string) string {
	var lines []string
	_, text, _ = strings.Cut(text, "BEGIN:VEVENT\r\n")
	for line := range strings.SplitSeq(text, "\r\n") {
		if strings.HasPrefix(line, "DTSTART") || strings.HasPrefix(line, "DTEND") || strings.HasPrefix(line, "DURATION") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

// A changed time zone of a series also applies to both times of an override at the time of
// its occurrence, unless the end of that has another zone.
func TestZoneOfASeriesAppliesToBothTimesOfOverrides(t *testing.T) {
	override := func(day, end string) string {
		return fmt.Sprintf("BEGIN:VEVENT\r\nUID:a\r\nRECURRENCE-ID;TZID=Europe/Berlin:%[1]sT090000\r\nDTSTART;TZID=Europe/Berlin:%[1]sT090000\r\n%s\r\nSUMMARY:y\r\nEND:VEVENT\r\n", day, end)
	}
	text := icstest.Event("a", append(strings.Split(meeting, "|"), "RRULE:FREQ=DAILY;COUNT=4", "SUMMARY:x")...)
	text = strings.Replace(text, "END:VCALENDAR", override("20261202", "DTEND;TZID=Europe/Berlin:20261202T110000")+override("20261203", "DTEND;TZID=Asia/Tokyo:20261204T040000")+"END:VCALENDAR", 1)
	after := mustApply(t, icstest.Parse(t, text), `{"timezone": "Europe/London"}`).Object
	var got []string
	for _, part := range strings.Split(string(after.Raw), "END:VEVENT")[:3] {
		got = append(got, timesIn(part))
	}
	want := "DTSTART;TZID=Europe/London:20261201T090000 DTEND;TZID=Europe/London:20261201T103000, " +
		"DTSTART;TZID=Europe/London:20261202T090000 DTEND;TZID=Europe/London:20261202T110000, " +
		"DTSTART;TZID=Europe/London:20261203T090000 DTEND;TZID=Asia/Tokyo:20261204T050000"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// A changed start of any entry keeps the elapsed time until the end, and its zone, also
// where the clocks change.
func TestChangedStartKeepsTheElapsedTime(t *testing.T) {
	names := []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo"}
	for seed := range svctest.Seeds(2000) {
		d := icstest.NewRand(900 + seed)
		from, to := icstest.Pick(d, names...), icstest.Pick(d, names...)
		at := func() ics.Time { return ics.Floating(d.Clock().Truncate(30 * time.Minute)).WithZone(zone(from)) }
		oldStart := at()
		oldEnd := ics.Zoned(oldStart.Instant(nil).Add(time.Duration(d.IntN(200))*30*time.Minute), zone(to))
		property := func(name string, at ics.Time) string {
			return fmt.Sprintf("%s;TZID=%s:%s", name, at.Zone().TZID, at)
		}
		component, endName := "VEVENT", "DTEND"
		if d.OneIn(3) {
			component, endName = "VTODO", "DUE"
		}
		o := icstest.Parse(t, icstest.Object(component, "a", property("DTSTART", oldStart), property(endName, oldEnd)))
		r := mustApply(t, o, fmt.Sprintf(`{"start": %q}`, view.FormatTime(at())))
		before, _ := o.Instances(time.Time{}, time.Time{}, nil, 1)
		after, _ := r.Object.Instances(time.Time{}, time.Time{}, nil, 1)
		got, want := after[0].EndsAt.Sub(after[0].StartsAt), before[0].EndsAt.Sub(before[0].StartsAt)
		if endZone := after[0].End.Zone().Name(); got != max(want, 0) || endZone != to && len(r.Object.Master.Props("DURATION")) == 0 {
			t.Errorf("seed %d: got %v until %s in %s, want %v in %s\nbefore\n%s\nafter\n%s", seed, got, after[0].End, endZone, want, to, o.Raw, r.Object.Raw)
		}
	}
}
