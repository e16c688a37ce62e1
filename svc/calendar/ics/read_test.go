package ics

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// event wraps lines in a VEVENT with a UID, in a VCALENDAR.
func event(lines ...string) string {
	return wrap("VEVENT", lines...)
}

func wrap(component string, lines ...string) string {
	return calendar(append(append([]string{"BEGIN:" + component, "UID:1"}, lines...), "END:"+component)...)
}

// events is several VEVENTs in a VCALENDAR.
func events(list ...[]string) string {
	var lines []string
	for _, e := range list {
		lines = append(append(append(lines, "BEGIN:VEVENT"), e...), "END:VEVENT")
	}
	return calendar(lines...)
}

func calendar(lines ...string) string {
	return strings.Join(append(append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN"}, lines...), "END:VCALENDAR", ""), "\r\n")
}

// What real clients send is read.
func TestParseAccepts(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a plain event", event("DTSTAMP:20260101T000000Z", "DTSTART:20260501T090000Z")},
		{"line feeds alone", strings.ReplaceAll(event("DTSTART:20260501"), "\r\n", "\n")},
		{"a byte order mark", "\ufeff" + event("DTSTART:20260501")},
		{"blank lines before, between and after", "\r\n" + event("", "DTSTART:20260501", "") + "\r\n\r\n"},
		{"no line ending at the end", strings.TrimSpace(event("DTSTART:20260501"))},
		{"names in lower case", strings.ToLower(event("DTSTART:20260501"))},
		{"no VERSION, PRODID and DTSTAMP", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260501\nEND:VEVENT\nEND:VCALENDAR"},
		{"an end that is the start", event("DTSTART:20260501T090000Z", "DTEND:20260501T090000Z")},
		{"an end before the start", event("DTSTART:20260501T090000Z", "DTEND:20260401T090000Z")},
		{"a date whose type is not said", event("DTSTART:20260501", "DTEND:20260502")},
		{"a date that says it has a time", event("DTSTART;VALUE=DATE-TIME:20260501")},
		{"a time that says it is a date", event("DTSTART;VALUE=DATE:20260501T000000")},
		{"a date as the end of a time", event("DTSTART:20260501T090000Z", "DTEND;VALUE=DATE:20260502")},
		{"a TZID in quotation marks", event(`DTSTART;TZID="Europe/Berlin":20260501T090000`)},
		{"a TZID that nobody knows", event("DTSTART;TZID=Mars/Olympus:20260501T090000")},
		{"properties and components of a client's own", event("DTSTART:20260501", "X-MOZ-LASTACK:x", "X_FOO.BAR:y", "BEGIN:X-THING", "X-A:b", "END:X-THING")},
		{"an empty EXDATE", event("DTSTART:20260501", "RRULE:FREQ=DAILY", "EXDATE:")},
		{"a leap second", event("DTSTART:20261231T235960Z")},
		{"spaces around values", event("DTSTART: 20260501T090000Z ", "DURATION: PT1H ")},
		{"a to-do without dates", wrap("VTODO", "SUMMARY:Someday")},
		{"a journal entry without dates", wrap("VJOURNAL", "SUMMARY:Note")},
		{"a free-busy answer", wrap("VFREEBUSY", "FREEBUSY:20260501T090000Z/PT1H")},
		{"rubbish where nothing depends on it", event("DTSTART:20260501", "CREATED:yesterday", "PRIORITY:high", "SEQUENCE:")},
		{"overrides without a master", calendar("BEGIN:VEVENT", "UID:1", "RECURRENCE-ID:20260501T090000Z", "DTSTART:20260501T100000Z", "END:VEVENT")},
		{"a component inside a component inside a component", event("DTSTART:20260501", "BEGIN:PARTICIPANT", "BEGIN:VLOCATION", "UID:2", "END:VLOCATION", "END:PARTICIPANT")},
		{"a page of HTML in a parameter", event("DTSTART:20260501", `DESCRIPTION;ALTREP="data:text/html,`+strings.Repeat("%3Cp%3E", 30_000)+`":x`)},
		{"the first and the last time of all", event("DTSTART:16000101T000000Z", "DTEND:89991231T235959Z", "RRULE:FREQ=DAILY;UNTIL=99991231T235959Z", "EXDATE:99991231")},
		{"as many attendees as can be", event("DTSTART:20260501", strings.Repeat("ATTENDEE:x\r\n", MaxAttendees))},
		{"an availability", wrap("VAVAILABILITY", "DTSTART:20260501T000000Z", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY", "END:AVAILABLE", "BEGIN:AVAILABLE", "UID:2", "RECURRENCE-ID:20260502T090000Z", "DTSTART:20260502T100000Z", "END:AVAILABLE")},
		{"text folded inside a letter", event("DTSTART:20260501", "SUMMARY:caf\xc3\r\n \xa9")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.text)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Covers C-31.
func TestParseRefuses(t *testing.T) {
	berlin := "DTSTART;TZID=Europe/Berlin:20260501T090000"
	for _, c := range []struct{ name, text, precondition, says string }{
		{"nothing", "", CondValidCalendarData, "no VCALENDAR"},
		{"blank lines", "\r\n\r\n", CondValidCalendarData, "no VCALENDAR"},
		{"rubbish", "BEGIN:VCALENDAR\r\ngarbage", CondValidCalendarData, "Line 2 has no colon"},
		{"something else", "BEGIN:VCARD\r\nEND:VCARD\r\n", CondValidCalendarData, "other than a VCALENDAR"},
		{"text in front", "VERSION:2.0\r\n" + event("DTSTART:20260501"), CondValidCalendarData, "Line 1 stands outside"},
		{"a text that was cut off", event("DTSTART:20260501")[:80], CondValidCalendarData, "not closed"},
		{"two calendars", event("DTSTART:20260501") + event("DTSTART:20260501"), CondValidCalendarData, "only one"},
		{"components closed in the wrong order", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\nEND:VEVENT\n", CondValidCalendarData, `Line 3 ends "VCALENDAR" where "VEVENT" is open`},
		{"too much nesting", strings.Repeat("BEGIN:VCALENDAR\n", 9), CondValidCalendarData, "more than 8 deep"},
		{"very much nesting", strings.Repeat("BEGIN:VCALENDAR\n", 60_000), CondValidCalendarData, "more than 8 deep"},
		{"too many octets", strings.Repeat("X", MaxSize+1), CondMaxResourceSize, "1048577 octets"},
		{"too many lines", calendar(strings.Repeat("X:\n", 60_000)), CondValidCalendarData, "more than 50000 lines"},
		{"too many blank lines", calendar(strings.Repeat("\n", 60_000)), CondValidCalendarData, "more than 50000 lines"},
		{"too many parameters", event("X" + strings.Repeat(";A=B", 300) + ":"), CondValidCalendarData, "256 parameter values"},
		{"a parameter and no colon", event("DTSTART;TZID=Foo"), CondValidCalendarData, "no colon"},
		{"a parameter without a value", event("DTSTART;TZID:20260501"), CondValidCalendarData, "parameter without a value"},
		{"a quotation mark without its partner", event(`DTSTART;TZID="Foo:20260501`), CondValidCalendarData, "quotation mark"},
		{"more text behind a quotation mark", event(`DTSTART;TZID="Foo"bar:20260501`), CondValidCalendarData, "no colon"},
		{"an octet 0", event("SUMMARY:a\x00b"), CondValidCalendarData, "control character 0x00"},
		{"Latin-1", event("SUMMARY:caf\xe9"), CondValidCalendarData, "Line 6 is not UTF-8"},
		{"vCalendar", strings.Replace(event("DTSTART:20260501"), "VERSION:2.0", "VERSION:1.0", 1), CondValidCalendarData, "vCalendar"},
		{"a message", strings.Replace(event("DTSTART:20260501"), "VERSION:2.0", "METHOD:REQUEST", 1), CondValidCalendarObject, "METHOD"},
		{"a time zone alone", calendar("BEGIN:VTIMEZONE", "TZID:x", "END:VTIMEZONE"), CondValidCalendarObject, "nothing in it"},
		{"an event and a to-do", calendar("BEGIN:VEVENT", "UID:1", "DTSTART:20260501", "END:VEVENT", "BEGIN:VTODO", "UID:1", "END:VTODO"), CondValidCalendarObject, "one kind"},
		{"no UID", calendar("BEGIN:VEVENT", "DTSTART:20260501", "END:VEVENT"), CondValidCalendarObject, "no UID"},
		{"two UIDs", events([]string{"UID:1", berlin}, []string{"UID:2", berlin}), CondValidCalendarObject, "two UIDs"},
		{"two masters", events([]string{"UID:1", berlin}, []string{"UID:1", berlin}), CondValidCalendarObject, "two VEVENT components without RECURRENCE-ID"},
		{"two overrides of one instance", events(
			[]string{"UID:1", berlin, "RRULE:FREQ=WEEKLY"},
			[]string{"UID:1", berlin, "RECURRENCE-ID:20260508T070000Z"},
			[]string{"UID:1", berlin, "RECURRENCE-ID;TZID=Europe/Berlin:20260508T090000"}),
			CondValidCalendarObject, "RECURRENCE-ID 20260508T090000"},
		{"a component that is not stored", wrap("VPOLL"), CondSupportedComponent, "VPOLL"},
		{"an available time by itself", wrap("AVAILABLE", "DTSTART:20260501"), CondSupportedComponent, "AVAILABLE"},
		{"an available time without a start", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "END:AVAILABLE"), CondValidCalendarData, "The available time has no DTSTART"},
		{"an available time twice", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "END:AVAILABLE", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "END:AVAILABLE"), CondValidCalendarObject, "two AVAILABLE"},
		{"an available time moved twice", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "RECURRENCE-ID:20260501", "END:AVAILABLE", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "RECURRENCE-ID:20260501", "END:AVAILABLE"), CondValidCalendarObject, "two components with the RECURRENCE-ID"},
		{"two availabilities", calendar("BEGIN:VAVAILABILITY", "UID:1", "END:VAVAILABILITY", "BEGIN:VAVAILABILITY", "UID:1", "END:VAVAILABILITY"), CondValidCalendarObject, "two VAVAILABILITY"},
		{"a start before all time", event("DTSTART:15991231T235959Z"), CondMinDateTime, "DTSTART of the event is 15991231T235959Z"},
		{"a start in the year 0", event("DTSTART:00000101"), CondMinDateTime, "DTSTART"},
		{"a start after all time", event("DTSTART:90000101T000000Z"), CondMaxDateTime, "DTSTART"},
		{"an end after all time", event("DTSTART:20260501", "DTEND:99991231"), CondMaxDateTime, "DTEND"},
		{"a due date after all time", wrap("VTODO", "DUE:90010101"), CondMaxDateTime, "DUE of the to-do"},
		{"an override before all time", event("DTSTART:20260501", "RECURRENCE-ID:10660101"), CondMinDateTime, "RECURRENCE-ID"},
		{"one more date before all time", event("DTSTART:20260501", "RDATE:10660101"), CondMinDateTime, "RDATE"},
		{"one more date after all time", event("DTSTART:20260501", "RRULE:FREQ=DAILY", "RDATE:20270101,90010101"), CondMaxDateTime, "RDATE"},
		{"too many counted instances", event("DTSTART:20260501", "RRULE:FREQ=DAILY;COUNT=100001"), CondMaxInstances, "more than 100000 instances"},
		{"too many listed instances", event("DTSTART:20260501", "RDATE:"+strings.Repeat("20260501,", 100_001)), CondMaxInstances, "more than 100000 instances"},
		{"too many attendees", event("DTSTART:20260501", strings.Repeat("ATTENDEE:x\r\n", 10_001)), CondMaxAttendees, "10001 attendees; 10000 is"},
		{"an event without a start", event("SUMMARY:x"), CondValidCalendarData, "no DTSTART"},
		{"a day that is not", event("DTSTART:20260231T090000Z"), CondValidCalendarData, `DTSTART of the event cannot be read: "20260231T090000Z"`},
		{"an hour that is not", event("DTSTART:20260201T250000Z"), CondValidCalendarData, "DTSTART"},
		{"an offset instead of a zone", event("DTSTART:20260201T090000+0100"), CondValidCalendarData, "DTSTART"},
		{"an unreadable end", event("DTSTART:20260501", "DTEND:soon"), CondValidCalendarData, "DTEND"},
		{"an unreadable due date", wrap("VTODO", "DUE:00000000"), CondValidCalendarData, "DUE of the to-do"},
		{"an unreadable length", event("DTSTART:20260501", "DURATION:1 hour"), CondValidCalendarData, "DURATION"},
		{"a length beyond all bounds", event("DTSTART:20260501", "DURATION:P99999999999W"), CondValidCalendarData, "DURATION"},
		{"an unreadable rule", event("DTSTART:20260501", "RRULE:FREQ=SOMETIMES"), CondValidCalendarData, "RRULE of the event cannot be read: FREQ=SOMETIMES"},
		{"an unreadable exception", event("DTSTART:20260501", "RRULE:FREQ=DAILY", "EXDATE:20260502,nope"), CondValidCalendarData, `EXDATE of the event cannot be read: "nope"`},
		{"an unreadable period", event("DTSTART:20260501", "RDATE;VALUE=PERIOD:20260502T090000Z/x"), CondValidCalendarData, "RDATE"},
		{"too many rules", event("DTSTART:20260501", strings.Repeat("RRULE:FREQ=DAILY\r\n", 11)), CondValidCalendarData, "11 RRULEs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			var e *Error
			if !errors.As(err, &e) || e.Precondition != c.precondition || !strings.Contains(e.Reason, c.says) {
				t.Errorf("got %v, want %s and %q", err, c.precondition, c.says)
			}
		})
	}
}

func TestParseReads(t *testing.T) {
	o := mustParse(t, weekly)
	if o.Component != "VEVENT" || o.UID != "7d1f2a60-5b1c-4b36-9a0e-3a1d6d1c2f11" || len(o.Overrides) != 0 {
		t.Errorf("object %q %q", o.Component, o.UID)
	}
	m := o.Master
	if got := m.Text("location"); got != "Parish hall, first floor" {
		t.Errorf("location %q", got)
	}
	if got := m.Text("DESCRIPTION"); got != "Bring the red folder. We begin on time, and go through the programme of the concert once from beginning to end." {
		t.Errorf("description %q", got)
	}
	if got := m.Time("DTSTART"); got.String() != "20160104T193000" || got.Zone().Name() != "Europe/Berlin" || got.Instant(nil) != time.Date(2016, 1, 4, 18, 30, 0, 0, time.UTC) {
		t.Errorf("start %v", got)
	}
	if got := m.ExDates(); len(got) != 1 || got[0].String() != "20160328T193000" {
		t.Errorf("exceptions %v", got)
	}
	if got := o.Components(); len(got) != 1 || got[0] != m || m.Kind() != "VEVENT" || !o.Recurs() {
		t.Errorf("components %v", got)
	}
	if start := m.Time("DTSTART"); start.IsDate() || start.IsFloating() {
		t.Errorf("start %v", start)
	}
	if got := m.Rule().String(); got != "FREQ=WEEKLY;BYDAY=MO" {
		t.Errorf("rule %q", got)
	}
	want := Alarm{Action: "DISPLAY", Description: "Choir", Offset: Duration{Seconds: -1800}}
	if got := m.Alarms(); !slices.Equal(got, []Alarm{want}) {
		t.Errorf("alarms %+v", got)
	}
}

func TestValues(t *testing.T) {
	o := mustParse(t, wrap("VTODO",
		`SUMMARY:a\, b\; c\\d\ne\Nf C:\temp`,
		`CATEGORIES:Home,Work\, paid`, "CATEGORIES: ,Garden",
		"PRIORITY: 5", "PERCENT-COMPLETE:half", "COMPLETED:20260501T090000Z", "CREATED:x", "ESTIMATED-DURATION:P1W",
		"ATTENDEE;CN=George ^'Rose^' Clooney^^;X-PAGE=a^nb:mailto:g@example.com",
		"BEGIN:VALARM", "ACTION:display", "TRIGGER;VALUE=DATE-TIME:20260501T080000Z", "REPEAT:2", "DURATION:PT5M", "END:VALARM",
		"BEGIN:VALARM", "TRIGGER;RELATED=END:-P1DT2H", "REPEAT:3", "END:VALARM",
		"BEGIN:VALARM", "TRIGGER:later", "END:VALARM",
		"BEGIN:VALARM", "END:VALARM",
	))
	c := o.Master
	if got := c.Text("SUMMARY"); got != "a, b; c\\d\ne\nf C:\\temp" {
		t.Errorf("text %q", got)
	}
	if got := c.List("CATEGORIES"); !slices.Equal(got, []string{"Home", "Work, paid", "Garden"}) {
		t.Errorf("list %q", got)
	}
	if n, ok := c.Int("PRIORITY"); n != 5 || !ok {
		t.Errorf("integer %d, %v", n, ok)
	}
	if _, ok := c.Int("PERCENT-COMPLETE"); ok {
		t.Error("half is an integer")
	}
	if got := c.Time("COMPLETED"); got != UTC(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)) {
		t.Errorf("time %v", got)
	}
	if !c.Time("CREATED").IsZero() || !c.Time("DTSTART").IsZero() {
		t.Error("a time came of nothing")
	}
	if d, ok := c.Duration("ESTIMATED-DURATION"); !ok || d != (Duration{Days: 7}) {
		t.Errorf("duration %v", d)
	}
	params := c.Props("ATTENDEE")[0].Params
	if got := params.Get("CN") + params.Get("X-PAGE"); got != `George "Rose" Clooney^`+"a\nb" {
		t.Errorf("parameters %q", got)
	}
	want := []Alarm{
		{Action: "DISPLAY", At: UTC(time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)), Repeat: 2, Interval: Duration{Seconds: 300}},
		{Offset: Duration{Days: -1, Seconds: -7200}, RelatedToEnd: true},
	}
	if got := c.Alarms(); !slices.Equal(got, want) {
		t.Errorf("alarms\n got %+v\nwant %+v", got, want)
	}
}

func TestDurations(t *testing.T) {
	for _, c := range []struct {
		value string
		want  Duration
		print string // "" if the value is refused
	}{
		{"PT15M", Duration{Seconds: 900}, "PT15M"},
		{"-PT15M", Duration{Seconds: -900}, "-PT15M"},
		{"+P1DT2H3M4S", Duration{Days: 1, Seconds: 7384}, "P1DT2H3M4S"},
		{"-P1DT2H", Duration{Days: -1, Seconds: -7200}, "-P1DT2H"},
		{"P2W", Duration{Days: 14}, "P14D"},
		{"pt36h", Duration{Seconds: 129600}, "PT36H"},
		{"-P0DT0H0M0S", Duration{}, "PT0S"},
		{"P", Duration{}, ""},
		{"PT", Duration{}, ""},
		{"P1", Duration{}, ""},
		{"P15M", Duration{}, ""},
		{"PT1D", Duration{}, ""},
		{"1H", Duration{}, ""},
		{"P1D2", Duration{}, ""},
		{"PT1.5H", Duration{}, ""},
		{"P" + strings.Repeat("999999999D", 100), Duration{}, ""},
	} {
		d, ok := ParseDuration(c.value)
		if ok != (c.print != "") || ok && (d != c.want || d.String() != c.print) {
			t.Errorf("%.20s: got %v, %v", c.value, d, ok)
		}
	}
}

// checkObject looks at whatever was read: its instances of a year are few
// enough, in order, in their window and within the bounds, a filter finds what
// they say, and the lines add up to the octets.
func checkObject(t *testing.T, o *Object) {
	from, to := utcDay(2026, 1, 1), utcDay(2027, 1, 1)
	loc := loadedZone(t, "Europe/Berlin")
	list, cut := o.Instances(from, to, loc, 1000)
	if len(list) > 1000 {
		t.Errorf("%d instances", len(list))
	}
	window := rangeSpan(from, to)
	first, last, _ := o.Bounds(loc)
	for n, i := range list {
		if !i.span().overlaps(window) || i.From < first || i.To > last {
			t.Errorf("%v lies outside of the window, or of %d to %d", i, first, last)
		}
		if n > 0 && i.From < list[n-1].From {
			t.Errorf("%v comes too late", i)
		}
	}
	r := &TimeRange{Start: from, End: to}
	if found := top(CompFilter{Name: o.Component, TimeRange: r}).Match(o, loc); found != (len(list) > 0) && !cut {
		t.Errorf("the filter finds %v, but there are %d instances", found, len(list))
	}
	top(CompFilter{Name: o.Component, Comps: []CompFilter{{Name: "VALARM", TimeRange: r}}}).Match(o, loc)
	top(CompFilter{Name: o.Component, Props: []PropFilter{{Name: "DTEND", TimeRange: r}}}).Match(o, loc)
	if got := o.Edit().Bytes(); string(got) != string(o.Raw) {
		t.Errorf("the lines add up to %q", got)
	}
}

// Whatever is read ends quickly and holds together.
//
// Covers PT-45.
func FuzzParse(f *testing.F) {
	f.Add([]byte(weekly))
	for _, text := range []string{
		event("DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=YEARLY;BYDAY=20MO;BYSETPOS=1", "RDATE;VALUE=PERIOD:20260502T090000Z/PT1H", "EXDATE:20260101"),
		event("DTSTART;TZID=W. Europe Standard Time:20260101T000000", "DURATION:P40D", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"),
		wrap("VTODO", "DUE:20260301T000000", "RRULE:FREQ=MINUTELY", "BEGIN:VALARM", "TRIGGER;RELATED=END:-P3W", "REPEAT:9", "DURATION:PT1M", "END:VALARM"),
		calendar("BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "END:STANDARD", "END:VTIMEZONE",
			"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20260101T000000", "RRULE:FREQ=DAILY;COUNT=400", "END:VEVENT",
			"BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Own:20260201T000000", "DTSTART;TZID=Own:20260201T120000", "END:VEVENT"),
		wrap("VFREEBUSY", "FREEBUSY:20260501T090000Z/PT1H,20260502T090000Z/20260502T100000Z"),
		wrap("VJOURNAL", "DTSTART:20260501"),
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if o, err := Parse(raw); err == nil {
			checkObject(t, o)
		}
	})
}

// The same for events in which only the values are foreign.
//
// Covers PT-45.
func FuzzInstances(f *testing.F) {
	f.Add("TZID=Europe/Berlin:20260101T090000", "FREQ=WEEKLY;BYDAY=MO,-1FR", "DURATION:PT36H", "TZID=Asia/Tokyo:20260105T090000")
	f.Add("VALUE=DATE:20240229", "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=SU;WKST=SU", "DTEND;VALUE=DATE:20240302", "VALUE=DATE:20250301,20260302")
	f.Add("X=Y:19700101T000000Z", "FREQ=SECONDLY;INTERVAL=86399;BYHOUR=1;BYSETPOS=-1", "DTEND;TZID=America/New_York:19700101T090000", "VALUE=PERIOD:20260101T000000Z/P400D")
	f.Fuzz(func(t *testing.T, start, rule, end, dates string) {
		text := events([]string{"UID:1", "DTSTART;" + start, "RRULE:" + rule, end, "RDATE;" + dates, "EXDATE;" + start},
			[]string{"UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE;" + dates, "DTSTART;" + start, end})
		if o, err := Parse([]byte(text)); err == nil {
			checkObject(t, o)
		}
	})
}
