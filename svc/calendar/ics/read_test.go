package ics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// event returns a VCALENDAR with one VEVENT that has a UID and these lines.
func event(lines ...string) string {
	return wrap("VEVENT", lines...)
}

func wrap(component string, lines ...string) string {
	return calendar(append(append([]string{"BEGIN:" + component, "UID:1"}, lines...), "END:"+component)...)
}

// events returns a VCALENDAR with several VEVENTs.
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

// Violations that real clients produce are accepted.
func TestParseAcceptsCommonViolations(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"a plain VEVENT", event("DTSTAMP:20260101T000000Z", "DTSTART:20260501T090000Z")},
		{"LF instead of CRLF", strings.ReplaceAll(event("DTSTART:20260501"), "\r\n", "\n")},
		{"a byte order mark", "\ufeff" + event("DTSTART:20260501")},
		{"blank lines before, between and after", "\r\n" + event("", "DTSTART:20260501", "") + "\r\n\r\n"},
		{"no line ending at the end", strings.TrimSpace(event("DTSTART:20260501"))},
		{"names in lower case", strings.ToLower(event("DTSTART:20260501"))},
		{"no VERSION, PRODID and DTSTAMP", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260501\nEND:VEVENT\nEND:VCALENDAR"},
		{"DTEND equal to DTSTART", event("DTSTART:20260501T090000Z", "DTEND:20260501T090000Z")},
		{"DTEND before DTSTART", event("DTSTART:20260501T090000Z", "DTEND:20260401T090000Z")},
		{"a DATE without VALUE=DATE", event("DTSTART:20260501", "DTEND:20260502")},
		{"a DATE with VALUE=DATE-TIME", event("DTSTART;VALUE=DATE-TIME:20260501")},
		{"a DATE-TIME with VALUE=DATE", event("DTSTART;VALUE=DATE:20260501T000000")},
		{"DTSTART is a DATE-TIME, DTEND a DATE", event("DTSTART:20260501T090000Z", "DTEND;VALUE=DATE:20260502")},
		{"a TZID in quotation marks", event(`DTSTART;TZID="Europe/Berlin":20260501T090000`)},
		{"an unknown TZID", event("DTSTART;TZID=Mars/Olympus:20260501T090000")},
		{"X- properties and components", event("DTSTART:20260501", "X-MOZ-LASTACK:x", "X_FOO.BAR:y", "BEGIN:X-THING", "X-A:b", "END:X-THING")},
		{"an empty EXDATE", event("DTSTART:20260501", "RRULE:FREQ=DAILY", "EXDATE:")},
		{"a leap second", event("DTSTART:20261231T235960Z")},
		{"spaces around values", event("DTSTART: 20260501T090000Z ", "DURATION: PT1H ")},
		{"a VTODO without dates", wrap("VTODO", "SUMMARY:Someday")},
		{"a VJOURNAL without dates", wrap("VJOURNAL", "SUMMARY:Note")},
		{"a VFREEBUSY", wrap("VFREEBUSY", "FREEBUSY:20260501T090000Z/PT1H")},
		{"invalid values of properties that are not evaluated", event("DTSTART:20260501", "CREATED:yesterday", "PRIORITY:high", "SEQUENCE:")},
		{"overrides without a master", calendar("BEGIN:VEVENT", "UID:1", "RECURRENCE-ID:20260501T090000Z", "DTSTART:20260501T100000Z", "END:VEVENT")},
		{"nested components", event("DTSTART:20260501", "BEGIN:PARTICIPANT", "BEGIN:VLOCATION", "UID:2", "END:VLOCATION", "END:PARTICIPANT")},
		{"a page of HTML in a parameter", event("DTSTART:20260501", `DESCRIPTION;ALTREP="data:text/html,`+strings.Repeat("%3Cp%3E", 30_000)+`":x`)},
		{"the earliest and the latest time", event("DTSTART:16000101T000000Z", "DTEND:89991231T235959Z", "RRULE:FREQ=DAILY;UNTIL=99991231T235959Z", "EXDATE:99991231")},
		{"the maximum number of attendees", event("DTSTART:20260501", strings.Repeat("ATTENDEE:x\r\n", MaxAttendees))},
		{"a VAVAILABILITY", wrap("VAVAILABILITY", "DTSTART:20260501T000000Z", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY", "END:AVAILABLE", "BEGIN:AVAILABLE", "UID:2", "RECURRENCE-ID:20260502T090000Z", "DTSTART:20260502T100000Z", "END:AVAILABLE")},
		{"a fold inside a UTF-8 sequence", event("DTSTART:20260501", "SUMMARY:caf\xc3\r\n \xa9")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Parse([]byte(c.text)); err != nil {
				t.Error(err)
			}
		})
	}
}

// Covers C-31.
func TestParseRejectsInvalidObjects(t *testing.T) {
	berlin := "DTSTART;TZID=Europe/Berlin:20260501T090000"
	for _, c := range []struct{ name, text, precondition, reason string }{
		{"empty text", "", CondValidCalendarData, "no VCALENDAR"},
		{"only blank lines", "\r\n\r\n", CondValidCalendarData, "no VCALENDAR"},
		{"a line that is not a content line", "BEGIN:VCALENDAR\r\ngarbage", CondValidCalendarData, "Line 2 has no colon"},
		{"another component than VCALENDAR", "BEGIN:VCARD\r\nEND:VCARD\r\n", CondValidCalendarData, "other than VCALENDAR"},
		{"a line before the VCALENDAR", "VERSION:2.0\r\n" + event("DTSTART:20260501"), CondValidCalendarData, "Line 1 is outside"},
		{"truncated text", event("DTSTART:20260501")[:80], CondValidCalendarData, "VEVENT has no END line"},
		{"two VCALENDARs", event("DTSTART:20260501") + event("DTSTART:20260501"), CondValidCalendarData, "only one"},
		{"improper nesting", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VCALENDAR\nEND:VEVENT\n", CondValidCalendarData, `Line 3 ends "VCALENDAR", but the open component is "VEVENT"`},
		{"nesting beyond the limit", strings.Repeat("BEGIN:VCALENDAR\n", 9), CondValidCalendarData, "more than 8 deep"},
		{"nesting far beyond the limit", strings.Repeat("BEGIN:VCALENDAR\n", 60_000), CondValidCalendarData, "more than 8 deep"},
		{"too many octets", strings.Repeat("X", MaxSize+1), CondMaxResourceSize, "1048577 octets"},
		{"too many lines", calendar(strings.Repeat("X:\n", 60_000)), CondValidCalendarData, "more than 50000 lines"},
		{"too many blank lines", calendar(strings.Repeat("\n", 60_000)), CondValidCalendarData, "more than 50000 lines"},
		{"too many parameters", event("X" + strings.Repeat(";A=B", 300) + ":"), CondValidCalendarData, "256 parameter values"},
		{"no colon after a parameter", event("DTSTART;TZID=Foo"), CondValidCalendarData, "no colon"},
		{"a parameter without a value", event("DTSTART;TZID:20260501"), CondValidCalendarData, "parameter without a value"},
		{"an unclosed quotation mark", event(`DTSTART;TZID="Foo:20260501`), CondValidCalendarData, "quotation mark"},
		{"text after a quoted value", event(`DTSTART;TZID="Foo"bar:20260501`), CondValidCalendarData, "no colon"},
		{"a control character", event("SUMMARY:a\x00b"), CondValidCalendarData, "control character 0x00"},
		{"Latin-1", event("SUMMARY:caf\xe9"), CondValidCalendarData, "Line 6 is not valid UTF-8"},
		{"vCalendar 1.0", strings.Replace(event("DTSTART:20260501"), "VERSION:2.0", "VERSION:1.0", 1), CondValidCalendarData, "vCalendar"},
		{"METHOD", strings.Replace(event("DTSTART:20260501"), "VERSION:2.0", "METHOD:REQUEST", 1), CondValidCalendarObject, "METHOD"},
		{"only a VTIMEZONE", calendar("BEGIN:VTIMEZONE", "TZID:x", "END:VTIMEZONE"), CondValidCalendarObject, "contains no component"},
		{"a VEVENT and a VTODO", calendar("BEGIN:VEVENT", "UID:1", "DTSTART:20260501", "END:VEVENT", "BEGIN:VTODO", "UID:1", "END:VTODO"), CondValidCalendarObject, "one type"},
		{"no UID", calendar("BEGIN:VEVENT", "DTSTART:20260501", "END:VEVENT"), CondValidCalendarObject, "no UID"},
		{"two UIDs", events([]string{"UID:1", berlin}, []string{"UID:2", berlin}), CondValidCalendarObject, `UIDs "1" and "2"`},
		{"two masters", events([]string{"UID:1", berlin}, []string{"UID:1", berlin}), CondValidCalendarObject, "Two VEVENT components have no RECURRENCE-ID"},
		{"two overrides of one instance", events(
			[]string{"UID:1", berlin, "RRULE:FREQ=WEEKLY"},
			[]string{"UID:1", berlin, "RECURRENCE-ID:20260508T070000Z"},
			[]string{"UID:1", berlin, "RECURRENCE-ID;TZID=Europe/Berlin:20260508T090000"}),
			CondValidCalendarObject, "RECURRENCE-ID 20260508T090000"},
		{"an unsupported component", wrap("VPOLL"), CondSupportedComponent, "VPOLL"},
		{"an AVAILABLE without VAVAILABILITY", wrap("AVAILABLE", "DTSTART:20260501"), CondSupportedComponent, "AVAILABLE"},
		{"an AVAILABLE without DTSTART", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "END:AVAILABLE"), CondValidCalendarData, "The available time has no DTSTART"},
		{"two AVAILABLE masters with one UID", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "END:AVAILABLE", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "END:AVAILABLE"), CondValidCalendarObject, "Two AVAILABLE"},
		{"two AVAILABLE overrides of one instance", wrap("VAVAILABILITY", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "RECURRENCE-ID:20260501", "END:AVAILABLE", "BEGIN:AVAILABLE", "UID:2", "DTSTART:20260501", "RECURRENCE-ID:20260501", "END:AVAILABLE"), CondValidCalendarObject, "Two components have the RECURRENCE-ID"},
		{"two VAVAILABILITYs", calendar("BEGIN:VAVAILABILITY", "UID:1", "END:VAVAILABILITY", "BEGIN:VAVAILABILITY", "UID:1", "END:VAVAILABILITY"), CondValidCalendarObject, "Two VAVAILABILITY"},
		{"DTSTART before the earliest time", event("DTSTART:15991231T235959Z"), CondMinDateTime, "DTSTART of the event is 15991231T235959Z"},
		{"DTSTART in the year 0", event("DTSTART:00000101"), CondMinDateTime, "DTSTART of the event is 00000101;"},
		{"DTSTART after the latest time", event("DTSTART:90000101T000000Z"), CondMaxDateTime, "DTSTART"},
		{"DTEND after the latest time", event("DTSTART:20260501", "DTEND:99991231"), CondMaxDateTime, "DTEND of the event is 99991231;"},
		{"DUE after the latest time", wrap("VTODO", "DUE:90010101"), CondMaxDateTime, "DUE of the to-do"},
		{"RECURRENCE-ID before the earliest time", event("DTSTART:20260501", "RECURRENCE-ID:10660101"), CondMinDateTime, "RECURRENCE-ID"},
		{"RDATE before the earliest time", event("DTSTART:20260501", "RDATE:10660101"), CondMinDateTime, "RDATE"},
		{"RDATE after the latest time", event("DTSTART:20260501", "RRULE:FREQ=DAILY", "RDATE:20270101,90010101"), CondMaxDateTime, "RDATE"},
		{"COUNT beyond MaxInstances", event("DTSTART:20260501", "RRULE:FREQ=DAILY;COUNT=100001"), CondMaxInstances, "more than 100000 instances"},
		{"more RDATEs than MaxInstances", event("DTSTART:20260501", "RDATE:"+strings.Repeat("20260501,", 100_001)), CondMaxInstances, "more than 100000 instances"},
		{"too many attendees", event("DTSTART:20260501", strings.Repeat("ATTENDEE:x\r\n", 10_001)), CondMaxAttendees, "10001 attendees; the maximum is 10000"},
		{"a VEVENT without DTSTART", event("SUMMARY:x"), CondValidCalendarData, "no DTSTART"},
		{"a day that does not exist", event("DTSTART:20260231T090000Z"), CondValidCalendarData, `DTSTART of the event is invalid: "20260231T090000Z"`},
		{"an hour that does not exist", event("DTSTART:20260201T250000Z"), CondValidCalendarData, "DTSTART"},
		{"a UTC offset", event("DTSTART:20260201T090000+0100"), CondValidCalendarData, "DTSTART"},
		{"an invalid DTEND", event("DTSTART:20260501", "DTEND:soon"), CondValidCalendarData, "DTEND"},
		{"an invalid DUE", wrap("VTODO", "DUE:00000000"), CondValidCalendarData, "DUE of the to-do"},
		{"an invalid DURATION", event("DTSTART:20260501", "DURATION:1 hour"), CondValidCalendarData, "DURATION"},
		{"a DURATION out of range", event("DTSTART:20260501", "DURATION:P99999999999W"), CondValidCalendarData, "DURATION"},
		{"an invalid RRULE", event("DTSTART:20260501", "RRULE:FREQ=SOMETIMES"), CondValidCalendarData, "RRULE of the event is invalid: FREQ=SOMETIMES"},
		{"an invalid EXDATE", event("DTSTART:20260501", "RRULE:FREQ=DAILY", "EXDATE:20260502,nope"), CondValidCalendarData, `EXDATE of the event is invalid: "nope"`},
		{"an invalid PERIOD in RDATE", event("DTSTART:20260501", "RDATE;VALUE=PERIOD:20260502T090000Z/x"), CondValidCalendarData, "RDATE"},
		{"too many RRULEs", event("DTSTART:20260501", strings.Repeat("RRULE:FREQ=DAILY\r\n", 11)), CondValidCalendarData, "11 RRULEs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.text))
			var e *Error
			if !errors.As(err, &e) || e.Precondition != c.precondition || !strings.Contains(e.Reason, c.reason) {
				t.Errorf("got %v, want %s and %q", err, c.precondition, c.reason)
			}
		})
	}
}

func TestParsedObjectHasItsProperties(t *testing.T) {
	o := mustParse(t, weeklyEvent)
	m := o.Master
	start := m.Time("DTSTART")
	for name, c := range map[string]struct{ got, want any }{
		"component":   {o.Component, "VEVENT"},
		"UID":         {o.UID, "7d1f2a60-5b1c-4b36-9a0e-3a1d6d1c2f11"},
		"name":        {m.Name(), "VEVENT"},
		"recurs":      {o.Recurs(), true},
		"components":  {fmt.Sprint(o.Components()), fmt.Sprint([]*Component{m})},
		"overrides":   {len(o.Overrides), 0},
		"location":    {m.Text("location"), "Parish hall, first floor"},
		"description": {m.Text("DESCRIPTION"), "Bring the red folder. We begin on time, and go through the programme of the concert once from beginning to end."},
		"start":       {start.String(), "20160104T193000"},
		"zone":        {start.Zone().Name(), "Europe/Berlin"},
		"instant":     {start.Instant(nil), time.Date(2016, 1, 4, 18, 30, 0, 0, time.UTC)},
		"form":        {fmt.Sprint(start.IsDate(), start.IsFloating()), "false false"},
		"exceptions":  {fmt.Sprint(m.ExDates()), "[20160328T193000]"},
		"rule":        {m.Rule().String(), "FREQ=WEEKLY;BYDAY=MO"},
		"alarms":      {fmt.Sprint(m.Alarms()), fmt.Sprint([]Alarm{{Action: "DISPLAY", Description: "Choir", Offset: Duration{Seconds: -1800}}})},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", name, c.got, c.want)
		}
	}
}

func TestPropertyValuesAreTyped(t *testing.T) {
	o := mustParse(t, wrap("VTODO",
		`SUMMARY:a\, b\; c\\d\ne\Nf C:\temp`,
		`CATEGORIES:Home,Work\, paid`, "CATEGORIES: ,Garden",
		"PRIORITY: 5", "PERCENT-COMPLETE:half", "COMPLETED:20260501T090000Z", "CREATED:x", "ESTIMATED-DURATION:P1W",
		"ATTENDEE;CN=George ^'Rose^' Clooney^^;X-PAGE=a^nb:mailto:g@example.com",
		"BEGIN:VALARM", "ACTION:display", "TRIGGER;VALUE=DATE-TIME:20260501T080000Z", "REPEAT:2", "DURATION:PT5M", "END:VALARM",
		"BEGIN:VALARM", "TRIGGER;RELATED=END:-P1DT2H", "REPEAT:3", "END:VALARM",
		"BEGIN:VALARM", "TRIGGER:later", "END:VALARM",
		"BEGIN:VALARM", "END:VALARM",
		"BEGIN:VALARM", "UID:a1", "ACTION:NONE ", "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", "X-APPLE-PROXIMITY:arrive", "END:VALARM",
		"BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:PT0S", "PROXIMITY:DEPART", "END:VALARM",
	))
	c := o.Master
	priority, hasPriority := c.Int("PRIORITY")
	_, hasPercent := c.Int("PERCENT-COMPLETE")
	duration, hasDuration := c.Duration("ESTIMATED-DURATION")
	params := c.Props("ATTENDEE")[0].Params
	for name, v := range map[string]struct{ got, want any }{
		"TEXT":              {c.Text("SUMMARY"), "a, b; c\\d\ne\nf C:\\temp"},
		"list of TEXT":      {fmt.Sprintf("%q", c.List("CATEGORIES")), `["Home" "Work, paid" "Garden"]`},
		"INTEGER":           {fmt.Sprint(priority, hasPriority), "5 true"},
		"invalid INTEGER":   {hasPercent, false},
		"DATE-TIME":         {c.Time("COMPLETED"), UTC(time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))},
		"invalid DATE-TIME": {c.Time("CREATED"), Time{}},
		"absent DATE-TIME":  {c.Time("DTSTART"), Time{}},
		"DURATION":          {fmt.Sprint(duration, hasDuration), "P7D true"},
		"parameters":        {params.Get("CN") + params.Get("X-PAGE"), `George "Rose" Clooney^` + "a\nb"},
	} {
		if v.got != v.want {
			t.Errorf("%s: got %v, want %v", name, v.got, v.want)
		}
	}
	want := []Alarm{
		{Action: "DISPLAY", At: UTC(time.Date(2026, 5, 1, 8, 0, 0, 0, time.UTC)), Repeat: 2, Interval: Duration{Seconds: 300}},
		{Index: 1, Offset: Duration{Days: -1, Seconds: -7200}, RelatedToEnd: true},
		{Index: 4, UID: "a1", Action: "NONE", At: UTC(time.Date(1976, 4, 1, 0, 55, 45, 0, time.UTC)), Proximity: "ARRIVE"},
		{Index: 5, Action: "DISPLAY", Proximity: "DEPART"},
	}
	if got := c.Alarms(); !slices.Equal(got, want) {
		t.Errorf("alarms\n got %+v\nwant %+v", got, want)
	}
}

func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		value string
		want  Duration
		text  string // formatted; "" if the value is rejected
	}{
		{"PT15M", Duration{Seconds: 900}, "PT15M"},
		{"-PT15M", Duration{Seconds: -900}, "-PT15M"},
		{"+P1DT2H3M4S", Duration{Days: 1, Seconds: 7384}, "P1DT2H3M4S"},
		{"-P1DT2H", Duration{Days: -1, Seconds: -7200}, "-P1DT2H"},
		{"P2W", Duration{Days: 14}, "P14D"},
		{"pt36h", Duration{Seconds: 129600}, "PT36H"},
		{"-P0DT0H0M0S", Duration{}, "PT0S"},
		{"P1DT", Duration{Days: 1}, "P1D"},
		{"-P2WT", Duration{Days: -14}, "-P14D"},
		{"P", Duration{}, ""},
		{"P1DTT", Duration{}, ""},
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
		if ok != (c.text != "") || ok && (d != c.want || d.String() != c.text) {
			t.Errorf("%.20s: got %+v (%v), %v; want %+v (%s)", c.value, d, d, ok, c.want, c.text)
		}
	}
}

// wantConsistentObject fails the test unless an object from random input is
// consistent: the number of instances in a year is limited; they are sorted, inside
// the window and inside the bounds; a time range filter matches if and only if there
// are instances; and an edit without changes returns the octets of the object.
func wantConsistentObject(t *testing.T, o *Object) {
	from, to := utcDay(2026, 1, 1), utcDay(2027, 1, 1)
	loc := loadedZone(t, "Europe/Berlin")
	list, truncated := o.Instances(from, to, loc, 1000)
	if len(list) > 1000 {
		t.Errorf("got %d instances, want at most 1000", len(list))
	}
	window := rangeSpan(from, to)
	first, last, _ := o.Bounds(loc)
	for n, i := range list {
		if !i.span().overlaps(window) || i.From < first || i.To > last {
			t.Errorf("got %v, want instances in the window and from %d to %d", i, first, last)
		}
		if n > 0 && i.From < list[n-1].From {
			t.Errorf("got %v after %v, want them in order", i, list[n-1])
		}
	}
	r := &TimeRange{Start: from, End: to}
	if found := calendarFilter(CompFilter{Name: o.Component, TimeRange: r}).Match(o, loc); found != (len(list) > 0) && !truncated {
		t.Errorf("got match %v, want %v: there are %d instances", found, !found, len(list))
	}
	calendarFilter(CompFilter{Name: o.Component, Comps: []CompFilter{{Name: "VALARM", TimeRange: r}}}).Match(o, loc)
	calendarFilter(CompFilter{Name: o.Component, Props: []PropFilter{{Name: "DTEND", TimeRange: r}}}).Match(o, loc)
	if got := o.Edit().Bytes(); string(got) != string(o.Raw) {
		t.Errorf("edited without changes: got %q, want %q", got, o.Raw)
	}
}

// For any input, parsing and evaluation terminate, and their results agree.
//
// Covers PT-45.
func FuzzParse(f *testing.F) {
	f.Add([]byte(weeklyEvent))
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
			wantConsistentObject(t, o)
		}
	})
}

// For any property values in a series, evaluation terminates.
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
			wantConsistentObject(t, o)
		}
	})
}
