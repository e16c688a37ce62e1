package calendar

import (
	"maps"
	"strings"
	"testing"

	"appliance/svc/calendar/ics"
)

// Covers B-62 and PT-25 as far as the comparison goes: by value and instant,
// not by bytes.
func TestSocialValues(t *testing.T) {
	parse := func(lines ...string) *ics.Object {
		t.Helper()
		all := append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT", "UID:dinner", "DTSTAMP:20261101T120000Z"}, lines...)
		o, err := ics.Parse([]byte(strings.Join(append(all, "END:VEVENT", "END:VCALENDAR", ""), "\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	for _, c := range []struct {
		name          string
		before, after []string
		same          bool
	}{
		{"the same instant in another zone", []string{"DTSTART;TZID=Europe/Berlin:20261201T190000"}, []string{"DTSTART:20261201T180000Z"}, true},
		{"the same end, as a length", []string{"DTSTART:20261201T180000Z", "DTEND:20261201T200000Z"}, []string{"DTSTART:20261201T180000Z", "DURATION:PT2H"}, true},
		{"a status that goes without saying", []string{"DTSTART:20261201T180000Z"}, []string{"DTSTART:20261201T180000Z", "STATUS:CONFIRMED", "CLASS:PUBLIC"}, true},
		{"guests in another order", []string{"DTSTART:20261201T180000Z", "ATTENDEE:mailto:a@x", "ATTENDEE:mailto:b@x"},
			[]string{"DTSTART:20261201T180000Z", "ATTENDEE;CN=B:MAILTO:b@x", "ATTENDEE:mailto:a@x"}, true},
		{"what is the member's own", []string{"DTSTART:20261201T180000Z"},
			[]string{"DTSTART:20261201T180000Z", "COLOR:red", "TRANSP:TRANSPARENT", "CATEGORIES:Fun", "SEQUENCE:7", "X-APPLE-TRAVEL:PT5M",
				"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM"}, true},
		{"a day and its midnight", []string{"DTSTART;VALUE=DATE:20261201"}, []string{"DTSTART:20261201T000000Z"}, false},
		{"a guest who comes after all", []string{"DTSTART:20261201T180000Z", "ATTENDEE:mailto:a@x"}, []string{"DTSTART:20261201T180000Z", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@x"}, false},
		{"a series that is in another zone", []string{"DTSTART;TZID=Europe/Berlin:20261201T190000", "RRULE:FREQ=MONTHLY"}, []string{"DTSTART:20261201T180000Z", "RRULE:FREQ=MONTHLY"}, false},
		{"a series with a day less", []string{"DTSTART:20261201T180000Z", "RRULE:FREQ=DAILY"}, []string{"DTSTART:20261201T180000Z", "RRULE:FREQ=DAILY", "EXDATE:20261203T180000Z"}, false},
		{"it was cancelled", []string{"DTSTART:20261201T180000Z"}, []string{"DTSTART:20261201T180000Z", "STATUS:CANCELLED"}, false},
		{"another place", []string{"DTSTART:20261201T180000Z", "LOCATION:Here"}, []string{"DTSTART:20261201T180000Z"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if same := maps.Equal(socialValues(parse(c.before...)), socialValues(parse(c.after...))); same != c.same {
				t.Errorf("same is %t", same)
			}
		})
	}
}
