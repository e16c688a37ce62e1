package calendar

import (
	"os"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// The queries of RFC 4791 §7 on the calendar of its appendix B have the responses
// of the RFC.
func TestExampleQueriesOfRFC4791HaveItsResponses(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Basic()
	ann.Do("MKCALENDAR", "/caldav/1/calendars/work/",
		`<mkcalendar xmlns="urn:ietf:params:xml:ns:caldav"><set xmlns="DAV:"><prop><supported-calendar-component-set xmlns="urn:ietf:params:xml:ns:caldav"><comp name="VEVENT"/><comp name="VTODO"/><comp name="VFREEBUSY"/></supported-calendar-component-set></prop></set></mkcalendar>`).Want(201)
	for _, n := range "12345678" {
		text, err := os.ReadFile("../../../svc/calendar/ics/testdata/rfc4791/abcd" + string(n) + ".ics")
		if err != nil {
			t.Fatal(err)
		}
		ann.Do("PUT", "/caldav/1/calendars/work/abcd"+string(n)+".ics", string(text)).Want(201)
	}
	const january4 = `<time-range start="20060104T000000Z" end="20060105T000000Z"/>`
	for _, c := range []struct {
		name, data, filter string
		hrefs              string   // the numbers n of the expected files abcd<n>.ics
		with, without      []string // texts of the response, and texts that it must not contain
	}{
		{"§7.8.1, partial retrieval of events", `<comp name="VCALENDAR"><prop name="VERSION"/><comp name="VEVENT"><prop name="SUMMARY"/><prop name="UID"/><prop name="DTSTART"/><prop name="DTEND"/><prop name="DURATION"/><prop name="RRULE"/><prop name="RDATE"/><prop name="EXRULE"/><prop name="EXDATE"/><prop name="RECURRENCE-ID"/></comp><comp name="VTIMEZONE"/></comp>`,
			`<comp-filter name="VEVENT">` + january4 + `</comp-filter>`, "23", []string{"SUMMARY:Event #2 bis", "BEGIN:VTIMEZONE", "Event #3"}, []string{"ATTENDEE", "DTSTAMP", "PRODID"}},
		{"§7.8.2, partial retrieval of recurring events", `<limit-recurrence-set start="20060103T000000Z" end="20060105T000000Z"/>`,
			`<comp-filter name="VEVENT"><time-range start="20060103T000000Z" end="20060105T000000Z"/></comp-filter>`, "23", []string{"RECURRENCE-ID;TZID=US/Eastern:20060104T120000"}, []string{"RECURRENCE-ID;TZID=US/Eastern:20060106T120000"}},
		{"§7.8.3, expanded retrieval of recurring events", `<expand start="20060103T000000Z" end="20060105T000000Z"/>`,
			`<comp-filter name="VEVENT"><time-range start="20060103T000000Z" end="20060105T000000Z"/></comp-filter>`, "23", []string{"RECURRENCE-ID:20060103T170000Z", "RECURRENCE-ID:20060104T170000Z", "DTSTART:20060104T190000Z"}, []string{"RRULE", "TZID"}},
		{"§7.8.5, to-dos by alarm", ``, `<comp-filter name="VTODO"><comp-filter name="VALARM"><time-range start="20060106T100000Z" end="20060107T100000Z"/></comp-filter></comp-filter>`, "5", nil, nil},
		{"§7.8.6, by UID", ``, `<comp-filter name="VEVENT"><prop-filter name="UID"><text-match collation="i;octet">DC6C50A017428C5216A2F1CD@example.com</text-match></prop-filter></comp-filter>`, "3", nil, nil},
		{"§7.8.7, by attendee and PARTSTAT", ``, `<comp-filter name="VEVENT"><prop-filter name="ATTENDEE"><text-match collation="i;ascii-casemap">mailto:lisa@example.com</text-match><param-filter name="PARTSTAT"><text-match collation="i;ascii-casemap">NEEDS-ACTION</text-match></param-filter></prop-filter></comp-filter>`, "3", nil, nil},
		{"§7.8.8, all events", ``, `<comp-filter name="VEVENT"/>`, "123", nil, nil},
		{"§7.8.9, open to-dos", ``, `<comp-filter name="VTODO"><prop-filter name="COMPLETED"><is-not-defined/></prop-filter><prop-filter name="STATUS"><text-match negate-condition="yes">CANCELLED</text-match></prop-filter></comp-filter>`, "45", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := `<calendar-query xmlns="urn:ietf:params:xml:ns:caldav"><prop xmlns="DAV:"><getetag/><calendar-data xmlns="urn:ietf:params:xml:ns:caldav">` + c.data +
				`</calendar-data></prop><filter><comp-filter name="VCALENDAR">` + c.filter + `</comp-filter></filter></calendar-query>`
			a := ann.With("Depth", "1").Do("REPORT", "/caldav/1/calendars/work/", body).Want(207)
			hrefs := ""
			for n := range 9 {
				if strings.Contains(a.Body, "/abcd"+string(rune('0'+n))+".ics<") {
					hrefs += string(rune('0' + n))
				}
			}
			if hrefs != c.hrefs {
				t.Errorf("got objects %s, want %s", hrefs, c.hrefs)
			}
			for _, s := range c.with {
				if !strings.Contains(a.Body, s) {
					t.Errorf("got no %s in %s", s, a.Body)
				}
			}
			for _, s := range c.without {
				if strings.Contains(a.Body, s) {
					t.Errorf("got %s in %s", s, a.Body)
				}
			}
		})
	}
	busy := ann.With("Depth", "1").Do("REPORT", "/caldav/1/calendars/work/",
		`<free-busy-query xmlns="urn:ietf:params:xml:ns:caldav"><time-range start="20060104T140000Z" end="20060105T220000Z"/></free-busy-query>`).Want(200)
	text := strings.ReplaceAll(busy.Body, "\r\n ", "")
	for _, s := range []string{ // §7.10.1
		"20060104T150000Z/20060104T160000Z", "20060104T190000Z/20060104T200000Z", "20060105T170000Z/20060105T180000Z", "DTSTART:20060104T140000Z", "DTEND:20060105T220000Z",
	} {
		if !strings.Contains(text, s) {
			t.Errorf("got no %s in %s", s, busy.Body)
		}
	}
}
