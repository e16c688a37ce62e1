package mirror

import (
	"strings"
	"testing"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

func parseEvent(t *testing.T, lines ...string) *ics.Object {
	t.Helper()
	all := append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:VEVENT", "UID:dinner", "DTSTAMP:20261101T120000Z"}, lines...)
	o, err := ics.Parse([]byte(strings.Join(append(all, "END:VEVENT", "END:VCALENDAR", ""), "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Clients may write the properties of the event in another notation, and may
// change all others. Covers B-62 and PT-25.
func TestCheckComparesValuesOfTheEvent(t *testing.T) {
	at6 := "DTSTART:20261201T180000Z"
	for _, c := range []struct {
		name          string
		before, after []string
		allowed       bool
	}{
		{"the same instant in another time zone", []string{"DTSTART;TZID=Europe/Berlin:20261201T190000"}, []string{at6}, true},
		{"the end as a duration", []string{at6, "DTEND:20261201T200000Z"}, []string{at6, "DURATION:PT2H"}, true},
		{"default values", []string{at6}, []string{at6, "STATUS:CONFIRMED", "CLASS:PUBLIC"}, true},
		{"attendees in another order", []string{at6, "ATTENDEE:mailto:a@x", "ATTENDEE:mailto:b@x"}, []string{at6, "ATTENDEE;CN=B:MAILTO:b@x", "ATTENDEE:mailto:a@x"}, true},
		{"properties of the member", []string{at6}, []string{at6, "COLOR:red", "TRANSP:TRANSPARENT", "CATEGORIES:Fun", "SEQUENCE:7", "X-APPLE-TRAVEL:PT5M",
			"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:x", "TRIGGER:-PT5M", "END:VALARM"}, true},
		{"a date and its midnight", []string{"DTSTART;VALUE=DATE:20261201"}, []string{"DTSTART:20261201T000000Z"}, false},
		{"another response", []string{at6, "ATTENDEE:mailto:a@x"}, []string{at6, "ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@x"}, false},
		{"a series in another time zone", []string{"DTSTART;TZID=Europe/Berlin:20261201T190000", "RRULE:FREQ=MONTHLY"}, []string{at6, "RRULE:FREQ=MONTHLY"}, false},
		{"an excluded date", []string{at6, "RRULE:FREQ=DAILY"}, []string{at6, "RRULE:FREQ=DAILY", "EXDATE:20261203T180000Z"}, false},
		{"another status", []string{at6}, []string{at6, "STATUS:CANCELLED"}, false},
		{"no location", []string{at6, "LOCATION:Here"}, []string{at6}, false},
		{"another GEO", []string{at6, "GEO:52.52;13.405"}, []string{at6, "GEO:52.52;13.5"}, false},
		{"no GEO", []string{at6, "GEO:52.52;13.405"}, []string{at6}, false},
		{"another URL", []string{at6, "URL:https://a.example"}, []string{at6, "URL:https://b.example"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check(parseEvent(t, c.before...), parseEvent(t, c.after...))
			if got := err == nil; got != c.allowed || err != nil && svc.KindOf(err) != svc.Forbidden {
				t.Errorf("got %v, want allowed %t", err, c.allowed)
			}
		})
	}
}
