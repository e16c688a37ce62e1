package ics

import (
	"strings"
	"testing"
	"time"
)

// weeklyEvent is an object as a calendar client writes it: about 1 kB with its
// time zone.
const weeklyEvent = "BEGIN:VCALENDAR\r\n" +
	"VERSION:2.0\r\n" +
	"PRODID:-//Example Corp.//Client 1.0//EN\r\n" +
	"BEGIN:VTIMEZONE\r\n" +
	"TZID:Europe/Berlin\r\n" +
	"BEGIN:DAYLIGHT\r\n" +
	"TZOFFSETFROM:+0100\r\n" +
	"TZOFFSETTO:+0200\r\n" +
	"TZNAME:CEST\r\n" +
	"DTSTART:19700329T020000\r\n" +
	"RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\n" +
	"END:DAYLIGHT\r\n" +
	"BEGIN:STANDARD\r\n" +
	"TZOFFSETFROM:+0200\r\n" +
	"TZOFFSETTO:+0100\r\n" +
	"TZNAME:CET\r\n" +
	"DTSTART:19701025T030000\r\n" +
	"RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\n" +
	"END:STANDARD\r\n" +
	"END:VTIMEZONE\r\n" +
	"BEGIN:VEVENT\r\n" +
	"CREATED:20160104T070000Z\r\n" +
	"LAST-MODIFIED:20160104T070000Z\r\n" +
	"DTSTAMP:20160104T070000Z\r\n" +
	"UID:7d1f2a60-5b1c-4b36-9a0e-3a1d6d1c2f11\r\n" +
	"SUMMARY:Choir\r\n" +
	"LOCATION:Parish hall\\, first floor\r\n" +
	"DESCRIPTION:Bring the red folder. We begin on time\\, and go through the pr\r\n" +
	" ogramme of the concert once from beginning to end.\r\n" +
	"RRULE:FREQ=WEEKLY;BYDAY=MO\r\n" +
	"EXDATE;TZID=Europe/Berlin:20160328T193000\r\n" +
	"DTSTART;TZID=Europe/Berlin:20160104T193000\r\n" +
	"DTEND;TZID=Europe/Berlin:20160104T211500\r\n" +
	"TRANSP:OPAQUE\r\n" +
	"BEGIN:VALARM\r\n" +
	"ACTION:DISPLAY\r\n" +
	"TRIGGER:-PT30M\r\n" +
	"DESCRIPTION:Choir\r\n" +
	"END:VALARM\r\n" +
	"END:VEVENT\r\n" +
	"END:VCALENDAR\r\n"

// BenchmarkParse parses the body of a PUT.
func BenchmarkParse(b *testing.B) {
	raw := []byte(weeklyEvent)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := Parse(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseOwnZone parses an object with a VTIMEZONE that must be evaluated,
// as in objects from Outlook.
func BenchmarkParseOwnZone(b *testing.B) {
	raw := []byte(strings.ReplaceAll(weeklyEvent, "Europe/Berlin", "W. Europe Standard Time"))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := Parse(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMonthOfWeekly evaluates a month of a weekly series that began ten
// years earlier.
func BenchmarkMonthOfWeekly(b *testing.B) {
	o := mustParse(b, weeklyEvent)
	from, to := utcDay(2026, 11, 1), utcDay(2026, 12, 1)
	for b.Loop() {
		if list, truncated := o.Instances(from, to, time.UTC, 1000); len(list) != 5 || truncated {
			b.Fatal(len(list), truncated)
		}
	}
}

// BenchmarkMatch evaluates the filter of a calendar-query on an object that the
// index returned.
func BenchmarkMatch(b *testing.B) {
	o := mustParse(b, weeklyEvent)
	f := Filter{CompFilter{Name: "VCALENDAR", Comps: []CompFilter{{
		Name:      "VEVENT",
		TimeRange: &TimeRange{utcDay(2026, 11, 1), utcDay(2026, 12, 1)},
		Props:     []PropFilter{{Name: "LOCATION", TextMatch: &TextMatch{Text: "hall"}}},
	}}}}
	for b.Loop() {
		if !f.Match(o, time.UTC) {
			b.Fatal("got no match, want a match")
		}
	}
}

// BenchmarkExpand expands the five instances of a month for one object of a
// calendar-query with CALDAV:expand.
func BenchmarkExpand(b *testing.B) {
	o := mustParse(b, weeklyEvent)
	for b.Loop() {
		if text, truncated := o.Expand(utcDay(2026, 11, 1), utcDay(2026, 12, 1), time.UTC, 1000); len(text) == 0 || truncated {
			b.Fatal(len(text), truncated)
		}
	}
}

// BenchmarkSelection selects properties of one object for a calendar-query with
// CALDAV:comp.
func BenchmarkSelection(b *testing.B) {
	raw := []byte(weeklyEvent)
	s := Selection{Name: "VCALENDAR", Props: []SelectedProp{{Name: "VERSION"}}, Comps: []Selection{{Name: "VEVENT", Props: []SelectedProp{
		{Name: "UID"}, {Name: "DTSTART"}, {Name: "DTEND"}, {Name: "DURATION"}, {Name: "RRULE"}, {Name: "EXDATE"}, {Name: "RDATE"}, {Name: "RECURRENCE-ID"}, {Name: "SUMMARY"}}}}}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if len(s.Apply(raw)) >= len(raw) {
			b.Fatal("no property was removed")
		}
	}
}

// BenchmarkFreeBusy computes the busy periods of a weekly series in a month.
func BenchmarkFreeBusy(b *testing.B) {
	o := mustParse(b, weeklyEvent)
	for b.Loop() {
		if list, truncated := o.FreeBusy(utcDay(2026, 11, 1), utcDay(2026, 12, 1), time.UTC, 1000); len(list) != 5 || truncated {
			b.Fatal(len(list), truncated)
		}
	}
}

// BenchmarkUnavailable evaluates office hours in a month.
func BenchmarkUnavailable(b *testing.B) {
	a, err := ParseAvailability([]byte(calendar(officeHours("090000-170000")...)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if list := a.Unavailable(utcDay(2026, 11, 1), utcDay(2026, 12, 1), time.UTC, 1000); len(list) != 22 {
			b.Fatal(len(list))
		}
	}
}

// BenchmarkPatch changes one line of an object.
func BenchmarkPatch(b *testing.B) {
	o := mustParse(b, weeklyEvent)
	for b.Loop() {
		d := o.Edit()
		d.Block(o.Master).Set(TextProp("SUMMARY", "Rehearsal"))
		if len(d.Bytes()) == 0 {
			b.Fatal("the text is empty")
		}
	}
}

func utcDay(year int, month time.Month, dom int) time.Time {
	return time.Date(year, month, dom, 0, 0, 0, 0, time.UTC)
}

func mustParse(t testing.TB, text string) *Object {
	t.Helper()
	o, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}
