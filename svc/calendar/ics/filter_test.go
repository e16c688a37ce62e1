package ics

import (
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
)

func within(from, to string) *TimeRange {
	var r TimeRange
	if t, ok := parseTime(from, nil); ok {
		r.Start = t.Instant(nil)
	}
	if t, ok := parseTime(to, nil); ok {
		r.End = t.Instant(nil)
	}
	return &r
}

func top(comps ...CompFilter) Filter { return Filter{CompFilter{Name: "VCALENDAR", Comps: comps}} }

// Covers C-17, C-18.
func TestQueries(t *testing.T) {
	objects := appendixB(t)
	for _, c := range []struct {
		name   string
		filter Filter
		want   string
	}{
		{"everything", Filter{}, "abcd1 abcd2 abcd3 abcd4 abcd5 abcd6 abcd7 abcd8"},
		{"the moved instance is not at its old time", top(CompFilter{Name: "VEVENT", TimeRange: within("20060106T170000Z", "20060106T180000Z")}), ""},
		{"the moved instance is at its new time", top(CompFilter{Name: "VEVENT", TimeRange: within("20060106T190000Z", "20060106T191500Z")}), "abcd2"},
		{"time and text are asked of the same component", top(CompFilter{Name: "VEVENT", TimeRange: within("20060104T000000Z", "20060105T000000Z"), Props: []PropFilter{{Name: "SUMMARY", TextMatch: &TextMatch{Text: "bis bis"}}}}), ""},
		{"tasks due in a week", top(CompFilter{Name: "VTODO", TimeRange: within("20060104T000000Z", "20060108T000000Z")}), "abcd5"},
		{"an alarm relative to a due date", top(CompFilter{Name: "VTODO", Comps: []CompFilter{{Name: "VALARM", TimeRange: within("20060103T235000Z", "20060104T000000Z")}}}), "abcd4"},
		{"no alarm", top(CompFilter{Name: "VTODO", Comps: []CompFilter{{Name: "VALARM", IsNotDefined: true}}}), "abcd6 abcd7"},
		{"no event", top(CompFilter{Name: "VEVENT", IsNotDefined: true}), "abcd4 abcd5 abcd6 abcd7 abcd8"},
		{"events and tasks at once", top(CompFilter{Name: "VEVENT"}, CompFilter{Name: "VTODO"}), ""},
		{"not a calendar", Filter{CompFilter{Name: "VCARD"}}, ""},
		{"a property of the calendar", Filter{CompFilter{Name: "VCALENDAR", Props: []PropFilter{{Name: "prodid", TextMatch: &TextMatch{Text: "caldav client"}}}, Comps: []CompFilter{{Name: "VFREEBUSY"}}}}, "abcd8"},
		{"ended by DURATION", top(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "DTEND", TimeRange: within("20060104T160000Z", "20060104T170000Z")}}}), "abcd3"},
		{"done before Christmas", top(CompFilter{Name: "VTODO", Props: []PropFilter{{Name: "COMPLETED", TimeRange: within("", "20051224T000000Z")}}}), "abcd6"},
		{"an instance that was moved", top(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "RECURRENCE-ID", TimeRange: within("20060104T000000Z", "20060105T000000Z")}}}), "abcd2"},
		{"an attendee without a role", top(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "ATTENDEE", Params: []ParamFilter{{Name: "ROLE", IsNotDefined: true}, {Name: "PARTSTAT"}}}}}), "abcd3"},
		{"an attendee with a phone", top(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "ATTENDEE", Params: []ParamFilter{{Name: "X-PHONE"}}}}}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := matching(objects, c.filter); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestTextMatches(t *testing.T) {
	for _, c := range []struct {
		match TextMatch
		value string
		want  bool
	}{
		{TextMatch{Text: "HALL"}, "Parish hall", true},
		{TextMatch{Text: "ÉTÉ"}, "été", false}, // beyond ASCII, case counts
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
			t.Errorf("%+v in %q: %v", c.match, c.value, got)
		}
	}
}

func TestAlarms(t *testing.T) {
	rings := func(text string, from, to string) bool {
		f := top(CompFilter{Name: "VEVENT", Comps: []CompFilter{{Name: "VALARM", TimeRange: within(from, to)}}})
		return f.Match(mustParse(t, text), nil)
	}
	alarm := func(lines ...string) string {
		return event(slices.Concat([]string{"DTSTART:20260501T120000Z", "DTEND:20260501T130000Z", "RRULE:FREQ=WEEKLY", "BEGIN:VALARM"}, lines, []string{"END:VALARM"})...)
	}
	for _, c := range []struct {
		name, text, from, to string
		want                 bool
	}{
		{"before the start of a later instance", alarm("TRIGGER:-PT15M"), "20260508T114500Z", "20260508T114501Z", true},
		{"not a second later", alarm("TRIGGER:-PT15M"), "20260508T114501Z", "20260508T130000Z", false},
		{"after the end", alarm("TRIGGER;RELATED=END:PT1H"), "20260508T140000Z", "20260508T150000Z", true},
		{"weeks before", alarm("TRIGGER:-P3W"), "20260417T120000Z", "20260417T120001Z", true},
		{"the fourth repetition", alarm("TRIGGER:-PT15M", "REPEAT:4", "DURATION:PT1H"), "20260501T154500Z", "20260501T160000Z", true},
		{"no fifth repetition", alarm("TRIGGER:-PT15M", "REPEAT:4", "DURATION:PT1H"), "20260501T160000Z", "20260502T160000Z", false},
		{"between two repetitions", alarm("TRIGGER:-PT15M", "REPEAT:4", "DURATION:PT1H"), "20260501T134501Z", "20260501T144500Z", false},
		{"repeated without end", alarm("TRIGGER:-PT15M", "REPEAT:999999999999", "DURATION:P1000W"), "20260501T134501Z", "20260501T144500Z", false},
		{"at a time of its own, repeated", alarm("TRIGGER;VALUE=DATE-TIME:20250101T000000Z", "REPEAT:1", "DURATION:PT1H"), "20250101T010000Z", "20250101T020000Z", true},
		{"an alarm that cannot be read", alarm("TRIGGER:soon"), "", "", false},
		{"without bounds", alarm("TRIGGER:-PT15M"), "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := rings(c.text, c.from, c.to); got != c.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// A filter that takes too much work is said to match.
func TestMatchGivesUpInFavour(t *testing.T) {
	o := mustParse(t, event("DTSTART:20260501T120000Z", "RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"))
	if f := top(CompFilter{Name: "VEVENT", TimeRange: &TimeRange{Start: utcDay(2027, 1, 1)}}); !f.Match(o, nil) {
		t.Error("it does not match")
	}
}

func TestWindow(t *testing.T) {
	may, june := utcDay(2026, 5, 1), utcDay(2026, 6, 1)
	day := &TimeRange{may, june}
	for _, c := range []struct {
		name      string
		filter    Filter
		component string
		from, to  time.Time
		exact     bool
	}{
		{"nothing asked", Filter{}, "", time.Time{}, time.Time{}, true},
		{"a calendar", top(), "", time.Time{}, time.Time{}, true},
		{"events", top(CompFilter{Name: "vevent"}), "VEVENT", time.Time{}, time.Time{}, true},
		{"events in a range", top(CompFilter{Name: "VEVENT", TimeRange: day}), "VEVENT", may, june, true},
		{"events from a day on", top(CompFilter{Name: "VEVENT", TimeRange: &TimeRange{Start: may}}), "VEVENT", may, time.Time{}, true},
		{"events in a range with a text", top(CompFilter{Name: "VEVENT", TimeRange: day, Props: []PropFilter{{Name: "SUMMARY"}}}), "VEVENT", may, june, false},
		{"events with an alarm", top(CompFilter{Name: "VEVENT", Comps: []CompFilter{{Name: "VALARM"}}}), "VEVENT", time.Time{}, time.Time{}, false},
		{"no events", top(CompFilter{Name: "VEVENT", IsNotDefined: true}), "", time.Time{}, time.Time{}, false},
		{"time zones", top(CompFilter{Name: "VTIMEZONE"}), "", time.Time{}, time.Time{}, false},
		{"a time zone and events", top(CompFilter{Name: "VTIMEZONE"}, CompFilter{Name: "VEVENT", TimeRange: day}), "VEVENT", may, june, false},
		{"no calendar", Filter{CompFilter{Name: "VCALENDAR", IsNotDefined: true}}, "", time.Time{}, time.Time{}, false},
		{"a property of the calendar", Filter{CompFilter{Name: "VCALENDAR", Props: []PropFilter{{Name: "X"}}}}, "", time.Time{}, time.Time{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			component, from, to, exact := c.filter.Window()
			if component != c.component || !from.Equal(c.from) || !to.Equal(c.to) || exact != c.exact {
				t.Errorf("got %q, %v, %v, %v", component, from, to, exact)
			}
		})
	}
}
