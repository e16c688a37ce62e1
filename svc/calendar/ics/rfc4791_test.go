package ics

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// appendixB returns the calendar of RFC 4791 appendix B. Where the appendix
// contradicts the responses in §7.8, it follows those: abcd2 has the second
// override of §7.8.1, abcd3 the X-ABC-GUID of §7.8.2, and abcd5 the DUE of
// §7.8.5.
func appendixB(t *testing.T) map[string]*Object {
	t.Helper()
	objects := make(map[string]*Object)
	for n := 1; n <= 8; n++ {
		name := fmt.Sprintf("abcd%d", n)
		raw, err := os.ReadFile("testdata/rfc4791/" + name + ".ics")
		if err != nil {
			t.Fatal(err)
		}
		objects[name] = mustParse(t, string(raw))
	}
	return objects
}

// matchingNames returns the names of the objects that the filter matches.
func matchingNames(objects map[string]*Object, f Filter) string {
	var names []string
	for name, o := range objects {
		if f.Match(o, nil) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// Covers C-17, C-18.
func TestQueriesOfTheRFC(t *testing.T) {
	objects := appendixB(t)
	for section, c := range map[string]struct {
		filter Filter
		want   string
	}{
		"7.8.1": {calendarFilter(CompFilter{Name: "VEVENT", TimeRange: timeRange("20060104T000000Z", "20060105T000000Z")}), "abcd2 abcd3"},
		"7.8.2": {calendarFilter(CompFilter{Name: "VEVENT", TimeRange: timeRange("20060103T000000Z", "20060105T000000Z")}), "abcd2 abcd3"},
		"7.8.4": {calendarFilter(CompFilter{Name: "VFREEBUSY", TimeRange: timeRange("20060102T000000Z", "20060103T000000Z")}), "abcd8"},
		"7.8.5": {calendarFilter(CompFilter{Name: "VTODO", Comps: []CompFilter{{Name: "VALARM", TimeRange: timeRange("20060106T100000Z", "20060107T100000Z")}}}), "abcd5"},
		"7.8.6": {calendarFilter(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "UID", TextMatch: &TextMatch{Text: "DC6C50A017428C5216A2F1CD@example.com", Collation: "i;octet"}}}}), "abcd3"},
		"7.8.7": {calendarFilter(CompFilter{Name: "VEVENT", Props: []PropFilter{{Name: "ATTENDEE", TextMatch: &TextMatch{Text: "mailto:lisa@example.com"},
			Params: []ParamFilter{{Name: "PARTSTAT", TextMatch: &TextMatch{Text: "NEEDS-ACTION"}}}}}}), "abcd3"},
		"7.8.8": {calendarFilter(CompFilter{Name: "VEVENT"}), "abcd1 abcd2 abcd3"},
		"7.8.9": {calendarFilter(CompFilter{Name: "VTODO", Props: []PropFilter{
			{Name: "COMPLETED", IsNotDefined: true},
			{Name: "STATUS", TextMatch: &TextMatch{Text: "CANCELLED", Negate: true}}}}), "abcd4 abcd5"},
		"9.7": {calendarFilter(), "abcd1 abcd2 abcd3 abcd4 abcd5 abcd6 abcd7 abcd8"},
	} {
		if got := matchingNames(objects, c.filter); got != c.want {
			t.Errorf("§%s: got %q, want %q", section, got, c.want)
		}
	}
}

// lines returns the lines of a text from the first one that begins with from to
// the next one that begins with to.
func lines(t *testing.T, text, from, to string) string {
	t.Helper()
	begin := strings.Index(text, from)
	end := begin + strings.Index(text[max(begin, 0):], to)
	if begin < 0 || end < begin {
		t.Fatalf("no lines from %s to %s in %s", from, to, text)
	}
	return text[begin : end+strings.Index(text[end:], "\n")+1]
}

// sortProperties sorts the properties of each component, whose order has no
// meaning.
func sortProperties(text string) string {
	blocks := strings.SplitAfter(strings.ReplaceAll(text, "\r", ""), "BEGIN:")
	for i, b := range blocks {
		l := strings.SplitAfter(b, "\n")
		if n := len(l); n > 2 {
			end := slices.IndexFunc(l, func(s string) bool { return strings.HasPrefix(s, "END:") || s == "BEGIN:" })
			slices.Sort(l[1:max(end, 1)])
		}
		blocks[i] = strings.Join(l, "")
	}
	return strings.Join(blocks, "")
}

func TestPartialRetrievalOfTheRFC(t *testing.T) { // §7.8.1
	objects := appendixB(t)
	selection := Selection{Name: "VCALENDAR", Props: []SelectedProp{{Name: "VERSION"}}, Comps: []Selection{
		{Name: "VEVENT", Props: []SelectedProp{{Name: "SUMMARY"}, {Name: "UID"}, {Name: "DTSTART"}, {Name: "DTEND"}, {Name: "DURATION"},
			{Name: "RRULE"}, {Name: "RDATE"}, {Name: "EXRULE"}, {Name: "EXDATE"}, {Name: "RECURRENCE-ID"}}},
		{Name: "VTIMEZONE"}}}
	for name, events := range map[string]string{
		"abcd2": `BEGIN:VEVENT
DTSTART;TZID=US/Eastern:20060102T120000
DURATION:PT1H
RRULE:FREQ=DAILY;COUNT=5
SUMMARY:Event #2
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=US/Eastern:20060104T140000
DURATION:PT1H
RECURRENCE-ID;TZID=US/Eastern:20060104T120000
SUMMARY:Event #2 bis
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
BEGIN:VEVENT
DTSTART;TZID=US/Eastern:20060106T140000
DURATION:PT1H
RECURRENCE-ID;TZID=US/Eastern:20060106T120000
SUMMARY:Event #2 bis bis
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
`,
		"abcd3": `BEGIN:VEVENT
DTSTART;TZID=US/Eastern:20060104T100000
DURATION:PT1H
SUMMARY:Event #3
UID:DC6C50A017428C5216A2F1CD@example.com
END:VEVENT
`} {
		raw := string(objects[name].Raw)
		want := "BEGIN:VCALENDAR\nVERSION:2.0\n" + lines(t, raw, "BEGIN:VTIMEZONE", "END:VTIMEZONE") + events + "END:VCALENDAR\n"
		if got := string(selection.Apply([]byte(raw))); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
}

func TestLimitRecurrenceSetOfTheRFC(t *testing.T) { // §7.8.2
	o := appendixB(t)["abcd2"]
	second := lines(t, string(o.Raw), "BEGIN:VEVENT\nDTSTAMP:20060206T001121Z\nDTSTART;TZID=US/Eastern:20060106T140000", "END:VEVENT")
	want := strings.Replace(string(o.Raw), second, "", 1)
	if got := string(o.LimitRecurrences(utcDay(2006, 1, 3), utcDay(2006, 1, 5), nil)); got != want {
		t.Errorf("got %s", got)
	}
}

// The example writes local times, which contradicts §9.6.5.
func TestExpansionOfTheRFC(t *testing.T) { // §7.8.3
	objects := appendixB(t)
	for name, events := range map[string]string{
		"abcd2": `BEGIN:VEVENT
DTSTAMP:20060206T001121Z
DTSTART:20060103T170000Z
DURATION:PT1H
RECURRENCE-ID:20060103T170000Z
SUMMARY:Event #2
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
BEGIN:VEVENT
DTSTAMP:20060206T001121Z
DTSTART:20060104T190000Z
DURATION:PT1H
RECURRENCE-ID:20060104T170000Z
SUMMARY:Event #2 bis
UID:00959BC664CA650E933C892C@example.com
END:VEVENT
`,
		"abcd3": `BEGIN:VEVENT
ATTENDEE;PARTSTAT=ACCEPTED;ROLE=CHAIR:mailto:cyrus@example.com
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:lisa@example.com
DTSTAMP:20060206T001220Z
DTSTART:20060104T150000Z
DURATION:PT1H
LAST-MODIFIED:20060206T001330Z
ORGANIZER:mailto:cyrus@example.com
SEQUENCE:1
STATUS:TENTATIVE
SUMMARY:Event #3
UID:DC6C50A017428C5216A2F1CD@example.com
X-ABC-GUID:E1CX5Dr-0007ym-Hz@example.com
END:VEVENT
`} {
		want := "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example Corp.//CalDAV Client//EN\n" + events + "END:VCALENDAR\n"
		got, truncated := objects[name].Expand(utcDay(2006, 1, 3), utcDay(2006, 1, 5), nil, 100)
		if sortProperties(string(got)) != sortProperties(want) || truncated {
			t.Errorf("%s: got truncated %v, %s\nwant %s", name, truncated, got, want)
		}
	}
}

func TestLimitFreeBusySetKeepsOnlyOverlappingPeriods(t *testing.T) { // §7.8.4
	o := appendixB(t)["abcd8"]
	var kept []string
	for line := range strings.Lines(string(o.Raw)) {
		if !strings.HasPrefix(line, "FREEBUSY") || strings.Contains(line, "20060102T100000Z/20060102T120000Z") {
			kept = append(kept, line)
		}
	}
	if got := string(o.LimitFreeBusy(utcDay(2006, 1, 2), utcDay(2006, 1, 3))); got != strings.Join(kept, "") {
		t.Errorf("got %s", got)
	}
}

// The range of the example request ends a day later than that of its response.
func TestFreeBusyQueryOfTheRFC(t *testing.T) { // §7.10.1
	from, to := time.Date(2006, 1, 4, 14, 0, 0, 0, time.UTC), time.Date(2006, 1, 4, 22, 0, 0, 0, time.UTC)
	var all []Period
	for _, o := range appendixB(t) {
		list, truncated := o.FreeBusy(from, to, nil, 100)
		if truncated {
			t.Error("got truncated periods")
		}
		all = append(all, list...)
	}
	got := FormatFreeBusy("-//Example Corp.//CalDAV Server//EN", "", from, to, time.Date(2005, 1, 25, 9, 0, 0, 0, time.UTC), MergePeriods(all))
	want := `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Example Corp.//CalDAV Server//EN
BEGIN:VFREEBUSY
DTSTAMP:20050125T090000Z
DTSTART:20060104T140000Z
DTEND:20060104T220000Z
FREEBUSY;FBTYPE=BUSY:20060104T190000Z/20060104T200000Z
FREEBUSY;FBTYPE=BUSY-TENTATIVE:20060104T150000Z/20060104T160000Z
END:VFREEBUSY
END:VCALENDAR
`
	if string(got) != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("got %s", got)
	}
}
