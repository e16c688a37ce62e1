package ics

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
)

func timeRange(from, to string) *TimeRange {
	var r TimeRange
	if t, ok := parseTime(from, nil); ok {
		r.Start = t.Instant(nil)
	}
	if t, ok := parseTime(to, nil); ok {
		r.End = t.Instant(nil)
	}
	return &r
}

func calendarFilter(comps ...CompFilter) Filter {
	return Filter{CompFilter{Name: "VCALENDAR", Comps: comps}}
}

// Covers C-17, C-18.
func TestFilterMatches(t *testing.T) {
	objects := appendixB(t)
	for _, c := range []struct {
		name   string
		filter Filter
		want   string
	}{
		{"the zero filter", Filter{}, "abcd1 abcd2 abcd3 abcd4 abcd5 abcd6 abcd7 abcd8"},
		{"a moved instance is not at its old time", calendarFilter(CompFilter{Name: "VEVENT", TimeRange: timeRange("20060106T170000Z", "20060106T180000Z")}), ""},
		{"a moved instance is at its new time", calendarFilter(CompFilter{Name: "VEVENT", TimeRange: timeRange("20060106T190000Z", "20060106T191500Z")}), "abcd2"},
		{"time-range and text-match apply to one component", calendarFilter(CompFilter{Name: "VEVENT", TimeRange: timeRange("20060104T000000Z", "20060105T000000Z"), Props: []PropFilter{{Name: "SUMMARY", TextMatch: &TextMatch{Text: "bis bis"}}}}), ""},
		{"VTODOs due in a range", calendarFilter(CompFilter{Name: "VTODO", TimeRange: timeRange("20060104T000000Z", "20060108T000000Z")}), "abcd5"},
		{"an alarm relative to DUE", calendarFilter(CompFilter{Name: "VTODO", Comps: []CompFilter{{Name: "VALARM", TimeRange: timeRange("20060103T235000Z", "20060104T000000Z")}}}), "abcd4"},
		{"VALARM is not defined", calendarFilter(CompFilter{Name: "VTODO", Comps: []CompFilter{{Name: "VALARM", IsNotDefined: true}}}), "abcd6 abcd7"},
		{"VEVENT is not defined", calendarFilter(CompFilter{Name: "VEVENT", IsNotDefined: true}), "abcd4 abcd5 abcd6 abcd7 abcd8"},
		{"VEVENT and VTODO in one object", calendarFilter(CompFilter{Name: "VEVENT"}, CompFilter{Name: "VTODO"}), ""},
		{"a top component other than VCALENDAR", Filter{CompFilter{Name: "VCARD"}}, ""},
		{"a property of the VCALENDAR", Filter{CompFilter{Name: "VCALENDAR", Props: []PropFilter{{Name: "prodid", TextMatch: &TextMatch{Text: "caldav client"}}}, Comps: []CompFilter{{Name: "VFREEBUSY"}}}}, "abcd8"},
		{"DTEND computed from DURATION", calendarFilter(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "DTEND", TimeRange: timeRange("20060104T160000Z", "20060104T170000Z")}}}), "abcd3"},
		{"a time-range on COMPLETED", calendarFilter(CompFilter{Name: "VTODO", Props: []PropFilter{{Name: "COMPLETED", TimeRange: timeRange("", "20051224T000000Z")}}}), "abcd6"},
		{"a time-range on RECURRENCE-ID", calendarFilter(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "RECURRENCE-ID", TimeRange: timeRange("20060104T000000Z", "20060105T000000Z")}}}), "abcd2"},
		{"a parameter that is not defined", calendarFilter(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "ATTENDEE", Params: []ParamFilter{{Name: "ROLE", IsNotDefined: true}, {Name: "PARTSTAT"}}}}}), "abcd3"},
		{"a parameter that no object has", calendarFilter(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "ATTENDEE", Params: []ParamFilter{{Name: "X-PHONE"}}}}}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := matchingNames(objects, c.filter); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTextMatchCollations(t *testing.T) {
	for _, c := range []struct {
		match TextMatch
		value string
		want  bool
	}{
		{TextMatch{Text: "HALL"}, "Parish hall", true},
		{TextMatch{Text: "ÉTÉ"}, "été", false}, // i;ascii-casemap folds ASCII only
		{TextMatch{Text: "Été"}, "L'Été", true},
		{TextMatch{Text: "hall", Collation: "i;octet"}, "Parish Hall", false},
		{TextMatch{Text: "Hall", Collation: "i;octet"}, "Parish Hall", true},
		{TextMatch{Text: "ÉTÉ", Collation: "i;unicode-casemap"}, "été", true},
		{TextMatch{Text: "e\u0301te\u0301", Collation: "i;unicode-casemap"}, "ÉTÉ", true},
		{TextMatch{Text: "hall", Negate: true}, "Parish hall", false},
		{TextMatch{Text: "", Collation: "i;octet"}, "", true},
		{TextMatch{Text: "x"}, "", false},
		{TextMatch{Text: strings.Repeat("x", 100), Negate: true}, "x", true},
		{TextMatch{Text: "\ufdfa", Collation: "i;unicode-casemap"}, norm.NFKD.String("\ufdfa"), true},
	} {
		if got := c.match.matches(c.value); got != c.want {
			t.Errorf("%+v in %q: got %v, want %v", c.match, c.value, got, c.want)
		}
	}
}

func TestTimeRangeOnAlarms(t *testing.T) {
	alarmMatches := func(text string, from, to string) bool {
		f := calendarFilter(CompFilter{Name: "VEVENT", Comps: []CompFilter{{Name: "VALARM", TimeRange: timeRange(from, to)}}})
		return f.Match(mustParse(t, text), nil)
	}
	alarm := func(lines ...string) string {
		return event(slices.Concat([]string{"DTSTART:20260501T120000Z", "DTEND:20260501T130000Z", "RRULE:FREQ=WEEKLY", "BEGIN:VALARM"}, lines, []string{"END:VALARM"})...)
	}
	for _, c := range []struct {
		name, text, from, to string
		want                 bool
	}{
		{"an offset before the start of a later instance", alarm("TRIGGER:-PT15M"), "20260508T114500Z", "20260508T114501Z", true},
		{"one second after the alarm", alarm("TRIGGER:-PT15M"), "20260508T114501Z", "20260508T130000Z", false},
		{"an offset after the end", alarm("TRIGGER;RELATED=END:PT1H"), "20260508T140000Z", "20260508T150000Z", true},
		{"an offset of weeks", alarm("TRIGGER:-P3W"), "20260417T120000Z", "20260417T120001Z", true},
		{"the last repetition", alarm("TRIGGER:-PT15M", "REPEAT:4", "DURATION:PT1H"), "20260501T154500Z", "20260501T160000Z", true},
		{"after the last repetition", alarm("TRIGGER:-PT15M", "REPEAT:4", "DURATION:PT1H"), "20260501T160000Z", "20260502T160000Z", false},
		{"between two repetitions", alarm("TRIGGER:-PT15M", "REPEAT:4", "DURATION:PT1H"), "20260501T134501Z", "20260501T144500Z", false},
		{"REPEAT and DURATION beyond all limits", alarm("TRIGGER:-PT15M", "REPEAT:999999999999", "DURATION:P1000W"), "20260501T134501Z", "20260501T144500Z", false},
		{"an absolute trigger, repeated", alarm("TRIGGER;VALUE=DATE-TIME:20250101T000000Z", "REPEAT:1", "DURATION:PT1H"), "20250101T010000Z", "20250101T020000Z", true},
		{"an invalid TRIGGER", alarm("TRIGGER:soon"), "", "", false},
		{"a range without bounds", alarm("TRIGGER:-PT15M"), "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := alarmMatches(c.text, c.from, c.to); got != c.want {
				t.Errorf("got match %v, want %v", got, c.want)
			}
		})
	}
}

func TestFilterMatchesIfTheBudgetIsExhausted(t *testing.T) {
	o := mustParse(t, event("DTSTART:20260501T120000Z", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"))
	if f := calendarFilter(CompFilter{Name: "VEVENT", TimeRange: &TimeRange{Start: utcDay(2027, 1, 1)}}); !f.Match(o, nil) {
		t.Error("got no match, want a match")
	}
}

func TestWindowOfFilter(t *testing.T) {
	may, june := utcDay(2026, 5, 1), utcDay(2026, 6, 1)
	day := &TimeRange{may, june}
	for _, c := range []struct {
		name      string
		filter    Filter
		component string
		from, to  time.Time
		exact     bool
	}{
		{"the zero filter", Filter{}, "", time.Time{}, time.Time{}, true},
		{"a VCALENDAR", calendarFilter(), "", time.Time{}, time.Time{}, true},
		{"VEVENTs", calendarFilter(CompFilter{Name: "vevent"}), "VEVENT", time.Time{}, time.Time{}, true},
		{"VEVENTs in a range", calendarFilter(CompFilter{Name: "VEVENT", TimeRange: day}), "VEVENT", may, june, true},
		{"VEVENTs in a range without end", calendarFilter(CompFilter{Name: "VEVENT", TimeRange: &TimeRange{Start: may}}), "VEVENT", may, time.Time{}, true},
		{"VEVENTs in a range with a property", calendarFilter(CompFilter{Name: "VEVENT", TimeRange: day, Props: []PropFilter{{Name: "SUMMARY"}}}), "VEVENT", may, june, false},
		{"VEVENTs with a VALARM", calendarFilter(CompFilter{Name: "VEVENT", Comps: []CompFilter{{Name: "VALARM"}}}), "VEVENT", time.Time{}, time.Time{}, false},
		{"VEVENT is not defined", calendarFilter(CompFilter{Name: "VEVENT", IsNotDefined: true}), "", time.Time{}, time.Time{}, false},
		{"VTIMEZONEs", calendarFilter(CompFilter{Name: "VTIMEZONE"}), "", time.Time{}, time.Time{}, false},
		{"a VTIMEZONE and VEVENTs", calendarFilter(CompFilter{Name: "VTIMEZONE"}, CompFilter{Name: "VEVENT", TimeRange: day}), "VEVENT", may, june, false},
		{"VCALENDAR is not defined", Filter{CompFilter{Name: "VCALENDAR", IsNotDefined: true}}, "", time.Time{}, time.Time{}, false},
		{"a property of the VCALENDAR", Filter{CompFilter{Name: "VCALENDAR", Props: []PropFilter{{Name: "X"}}}}, "", time.Time{}, time.Time{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			component, from, to, exact := c.filter.Window()
			if component != c.component || !from.Equal(c.from) || !to.Equal(c.to) || exact != c.exact {
				t.Errorf("got %q, %v, %v, exact %v; want %q, %v, %v, %v", component, from, to, exact, c.component, c.from, c.to, c.exact)
			}
		})
	}
}
