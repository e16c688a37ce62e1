package collection_test

import (
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc/calendar/calendartest"
	"appliance/svc/calendar/ics"
	"appliance/svc/calendar/ics/icstest"
)

// rangeObjects are objects with each combination of properties in the tables of
// RFC 4791 §9.9, and with other forms of time.
var rangeObjects = map[string]string{
	"event":  icstest.Event("1", "DTSTART:20261201T100000Z", "DTEND:20261201T120000Z"),
	"weekly": icstest.Event("2", "DTSTART;TZID=W. Europe Standard Time:20260105T090000", "DURATION:PT1H", "RRULE:FREQ=WEEKLY"),
	"day":    icstest.Event("3", "DTSTART;VALUE=DATE:20261210", "DTEND;VALUE=DATE:20261211"),
	"moment": icstest.Event("4", "DTSTART:20261212T100000Z"),
	"year":   icstest.Event("5", "DTSTART:20260101T000000Z", "DTEND:20270101T000000Z"),
	"moved": icstest.Event("6", "DTSTART:20261202T100000Z", "RRULE:FREQ=DAILY;COUNT=2",
		"END:VEVENT", "BEGIN:VEVENT", "UID:6", "RECURRENCE-ID:20261203T100000Z", "DTSTART:20261220T100000Z", "DTEND:20261220T110000Z"),
	"due":     icstest.Object("VTODO", "7", "DUE:20261215T120000Z"),
	"span":    icstest.Object("VTODO", "8", "DTSTART:20261214T120000Z", "DUE:20261216T120000Z"),
	"done":    icstest.Object("VTODO", "9", "COMPLETED:20261218T120000Z", "CREATED:20261217T120000Z"),
	"created": icstest.Object("VTODO", "10", "CREATED:20261217T120000Z"),
	"undated": icstest.Object("VTODO", "11"),
	"started": icstest.Object("VTODO", "12", "DTSTART:20261215T120000Z"),
}

// A calendar-query finds the objects that overlap its time range by the tables of
// RFC 4791 §9.9, in the time zone of the calendar. Covers C-17, C-18 and C-30.
func TestTimeRangeFindsOverlappingObjects(t *testing.T) {
	f := calendartest.New(t)
	ann := f.Member("ann")
	defaultCal := f.DefaultCalendar(ann)
	for name, text := range rangeObjects {
		f.Put(ann, defaultCal, name, text)
	}
	for _, c := range []struct{ name, component, from, to, want string }{
		{"the range starts with an event", "VEVENT", "20261201T100000Z", "20261201T100001Z", "event year"},
		{"the range ends with an event", "VEVENT", "20261201T115959Z", "20261201T120000Z", "event year"},
		{"the range is within an event", "VEVENT", "20261201T103000Z", "20261201T103001Z", "event year"},
		{"the range starts at the end of an event", "VEVENT", "20261201T120000Z", "20261201T130000Z", "year"},
		{"the range ends at the start of an event", "VEVENT", "20261201T090000Z", "20261201T100000Z", "year"},
		{"a series in winter", "VEVENT", "20261207T080000Z", "20261207T080001Z", "weekly year"},
		{"a series in summer", "VEVENT", "20260706T073000Z", "20260706T074000Z", "weekly year"},
		{"after the occurrence of a series in summer", "VEVENT", "20260706T083000Z", "20260706T084000Z", "year"},
		{"a series in ten years", "VEVENT", "20360107T070000Z", "20360107T100000Z", "weekly"},
		{"between occurrences in ten years", "VEVENT", "20360108T000000Z", "20360113T000000Z", ""},
		{"the start of a date in the zone of the calendar", "VEVENT", "20261209T230000Z", "20261209T233000Z", "day year"},
		{"the end of a date in the zone of the calendar", "VEVENT", "20261210T230000Z", "20261210T233000Z", "year"},
		{"an event without duration", "VEVENT", "20261212T100000Z", "20261212T110000Z", "moment year"},
		{"the original time of an override", "VEVENT", "20261203T100000Z", "20261203T110000Z", "year"},
		{"the time of an override", "VEVENT", "20261220T103000Z", "20261220T110000Z", "moved year"},
		{"no end", "VEVENT", "20261222T000000Z", "", "weekly year"},
		{"no start", "VEVENT", "", "20260102T000000Z", "year"},
		{"tasks at their due time", "VTODO", "20261215T120000Z", "20261215T120001Z", "span started undated"},
		{"tasks until their due time", "VTODO", "20261215T110000Z", "20261215T120000Z", "due span undated"},
		{"tasks at their completion", "VTODO", "20261218T110000Z", "20261218T130000Z", "created done undated"},
		{"tasks before their creation", "VTODO", "20261001T000000Z", "20261002T000000Z", "undated"},
	} {
		within := &ics.TimeRange{Start: parseTime(t, c.from), End: parseTime(t, c.to)}
		filter := ics.Filter{Comp: ics.CompFilter{Name: "VCALENDAR", Comps: []ics.CompFilter{{Name: c.component, TimeRange: within}}}}
		f.Read(func(tx *store.Tx) error {
			list, err := f.Collections.MatchingResources(tx, ann, defaultCal.Segment, filter, nil)
			if got := strings.Join(segments(list), " "); got != c.want {
				t.Errorf("%s: got %q, want %q", c.name, got, c.want)
			}
			return err
		})
	}
}

// parseTime parses a UTC time of iCalendar; "" is the zero time.
func parseTime(t *testing.T, text string) (at time.Time) {
	t.Helper()
	if text == "" {
		return at
	}
	at, err := time.Parse("20060102T150405Z", text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
