package calendar

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// extreme is an object that asks for much work, or that contradicts itself.
type extreme struct {
	name, text   string
	precondition string // that rejects it; "" if it is stored
	reason       string // a part of the message
	instances    int    // of a stored one in December 2026
	imported     string // how the report of an import of a rejected one begins: its numbers, notes and reasons
}

// observances returns n parts of a VTIMEZONE, each of which repeats by a rule.
func observances(n int, rule, offset string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "BEGIN:STANDARD\r\nDTSTART:%d1001T020000\r\nRRULE:%s\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:%s\r\nEND:STANDARD\r\n", 1900+i%100, rule, offset)
	}
	return b.String()
}

// inZone returns an event in a zone that only its VTIMEZONE defines.
func inZone(definition string) string {
	return strings.Replace(apptest.VEvent("x", "DTSTART;TZID=Mars/X:20261201T090000"), "BEGIN:VEVENT", "BEGIN:VTIMEZONE\r\nTZID:Mars/X\r\n"+definition+"END:VTIMEZONE\r\nBEGIN:VEVENT", 1)
}

// withEvents adds components to an event.
func withEvents(text string, components ...string) string {
	return strings.Replace(text, "END:VCALENDAR", strings.Join(components, "")+"END:VCALENDAR", 1)
}

// lateInstance returns the override of an instance, an hour later.
func lateInstance(instance time.Time) string {
	return fmt.Sprintf("BEGIN:VEVENT\r\nUID:x\r\nDTSTAMP:20260101T000000Z\r\nRECURRENCE-ID:%s\r\nDTSTART:%s\r\nEND:VEVENT\r\n",
		instance.Format(utcLayout), instance.Add(time.Hour).Format(utcLayout))
}

// overriddenDays returns a daily series from 2020 on, the first n of whose instances have overrides.
func overriddenDays(n int) string {
	start := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC)
	list := make([]string, n)
	for i := range list {
		list[i] = lateInstance(start.AddDate(0, 0, i))
	}
	return withEvents(apptest.VEvent("x", "DTSTART:20200101T090000Z", "RRULE:FREQ=DAILY"), list...)
}

// extremes returns the objects of the test.
func extremes() []extreme {
	const zone, tooLarge, noObject, noData = "valid-timezone", "max-resource-size", "valid-calendar-object-resource", "valid-calendar-data"
	series := func(lines ...string) string {
		return apptest.VEvent("x", append([]string{"DTSTART:20261201T090000Z"}, lines...)...)
	}
	return []extreme{
		{name: "a time zone with 5,000 rules", text: inZone(observances(5000, "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "+0100")), precondition: zone, reason: "Mars/X", imported: "1 0 0 0 0 unknown_timezone"},
		{name: "a time zone with 10,000 rules", text: inZone(observances(10_000, "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "+0100")), precondition: tooLarge, reason: "too large", imported: "1 0 0 0 0 unknown_timezone"},
		{name: "a time zone without end", text: strings.Replace(inZone(observances(1, "FREQ=YEARLY", "+0100")), "END:VTIMEZONE\r\n", "", 1), precondition: noData, reason: `"VTIMEZONE"`, imported: "1 0 0 0 1 unknown_timezoneLine 12 begins a VEVENT"},
		{name: "a time zone that changes each second", text: inZone(observances(1, "FREQ=SECONDLY", "+0100")), precondition: zone, reason: "Mars/X", imported: "1 0 0 0 0 unknown_timezone"},
		{name: "a time zone with two offsets at one time", text: inZone(observances(1, "FREQ=YEARLY", "+0100") + observances(1, "FREQ=YEARLY", "+0300")), instances: 1},
		{name: "two definitions of a time zone", text: strings.Replace(inZone(observances(1, "FREQ=YEARLY", "+0100")), "BEGIN:VEVENT",
			"BEGIN:VTIMEZONE\r\nTZID:Mars/X\r\n"+observances(1, "FREQ=YEARLY", "-0500")+"END:VTIMEZONE\r\nBEGIN:VEVENT", 1), instances: 1},
		{name: "a time zone without offsets", text: inZone(""), precondition: zone, reason: "Mars/X", imported: "1 0 0 0 0 unknown_timezone"},
		{name: "30 February", text: series("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), instances: 1},
		{name: "each second of 30 February", text: series("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"), instances: 1},
		{name: "29 February after 400 years", text: series("RRULE:FREQ=YEARLY;INTERVAL=400;BYMONTH=2;BYMONTHDAY=29"), instances: 1},
		{name: "5,000 overrides", text: overriddenDays(5000), instances: 31},
		{name: "10,000 overrides", text: overriddenDays(10_000), precondition: tooLarge, reason: "too large", imported: "0 0 0 0 10001 The entry with its changed occurrences"},
		{name: "EXDATE of all forms", text: series("RRULE:FREQ=DAILY;COUNT=9", "EXDATE;VALUE=DATE:20261202", "EXDATE;TZID=Europe/Berlin:20261203T100000",
			"EXDATE:20261204T090000", "EXDATE:20261205T090000Z", "EXDATE:20270101T090000Z"), instances: 5},
		{name: "a period in EXDATE", text: series("RRULE:FREQ=DAILY;COUNT=9", "EXDATE;VALUE=PERIOD:20261206T090000Z/PT1H"), precondition: noData, reason: "EXDATE", imported: "0 0 0 0 1 EXDATE of the event"},
		{name: "two masters", text: withEvents(series(), "BEGIN:VEVENT\r\nUID:x\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20261202T090000Z\r\nEND:VEVENT\r\n"), precondition: noObject, reason: "RECURRENCE-ID", imported: "1 0 0 1 0"},
		{name: "an override outside the series", text: withEvents(series("RRULE:FREQ=WEEKLY;COUNT=3"), lateInstance(time.Date(2026, 12, 24, 9, 0, 0, 0, time.UTC))), instances: 4},
		{name: "an override without its series", text: apptest.VEvent("x", "RECURRENCE-ID:20261224T090000Z", "DTSTART:20261224T100000Z"), instances: 1},
		{name: "an end before the start in another zone", text: apptest.VEvent("x", "DTSTART;TZID=Europe/Berlin:20261201T090000", "DTEND;TZID=Asia/Tokyo:20261201T100000"), instances: 1},
		{name: "a negative duration", text: series("DURATION:-PT1H"), instances: 1},
		{name: "an end that is a date", text: series("DTEND;VALUE=DATE:20261201"), instances: 1},
		{name: "a duration of 10 million years", text: series("DURATION:P520000000W"), precondition: noData, reason: "DURATION", imported: "0 0 0 0 1 DURATION of the event"},
		{name: "a text that is cut", text: series()[:120], precondition: noData, reason: "VEVENT", imported: "0 0 0 0 1 The VEVENT has no END line"},
	}
}

// Objects that ask for much work, or that contradict themselves, are stored unchanged and readable
// everywhere, or rejected with a message that names the reason.
func TestExtremeObjects(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	for i, x := range extremes() {
		t.Run(x.name, func(t *testing.T) {
			ann := s.Member(fmt.Sprint("extreme", i))
			ann.T = t
			f := &fixture{Server: s, t: t, ann: ann, dav: ann.Basic(), path: ann.DefaultCalendar()}
			f.testExtreme(x)
		})
	}
}

// testExtreme stores an object, reads it everywhere, edits it and deletes it.
func (f *fixture) testExtreme(x extreme) {
	f.t.Helper()
	href := f.path + "x.ics"
	a := f.dav.Do("PUT", href, x.text)
	if x.precondition != "" {
		wantDAVError(a, 403, x.precondition)
		if !strings.Contains(a.Body, x.reason) {
			f.t.Errorf("got the message %s, want %s in it", a.Body, x.reason)
		}
		f.dav.Do("GET", href).Want(404)
		f.testExtremeImport(x)
		return
	}
	a.Want(201)
	if got := f.dav.Do("GET", href).Want(200).Body; got != x.text {
		f.t.Errorf("got the text %.500s, want %.500s", got, x.text)
	}
	const from, until = "20261201T000000Z", "20270101T000000Z"
	expanded := f.dav.With("Depth", "1").Do("REPORT", f.path, query(expand(from, until), eventFilter(timeRange(from, until)))).Want(207).Body
	if got := strings.Count(expanded, "BEGIN:VEVENT"); got != x.instances {
		f.t.Errorf("got %d expanded instances, want %d", got, x.instances)
	}
	list := f.ann.Do("GET", "/world/time/objects?limit=200&start=2026-12-01&end=2027-01-01").Want(200)
	if got := len(list.List("objects")); got != x.instances {
		f.t.Errorf("got %d occurrences in the list, want %d", got, x.instances)
	}
	f.dav.With("Depth", "1").Do("REPORT", f.path, `<C:free-busy-query`+namespaces+`>`+timeRange(from, until)+`</C:free-busy-query>`).Want(200)
	f.ann.Do("GET", "/world/panels/time?view=month&date=2026-12-01").Want(200)
	f.ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	f.ann.Do("PATCH", list.Str("objects.0.links.self"), `{"title": "Read"}`).Want(200)
	f.dav.Do("DELETE", href).Want(204)
}

// testExtremeImport imports an object that a PUT does not store.
func (f *fixture) testExtremeImport(x extreme) {
	f.t.Helper()
	report := f.importText(f.defaultID(), x.text).Want(200)
	got := numbers(f.t, report) + " " + report.Column("report.notes", "code") + report.Column("report.refused", "detail")
	if !strings.HasPrefix(got, x.imported) {
		f.t.Errorf("got the report %s, want %s", got, x.imported)
	}
}
