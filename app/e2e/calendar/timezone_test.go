package calendar

import (
	"strings"
	"testing"
)

// The VTIMEZONE of an object applies instead of the IANA zone of its TZID if it
// differs in the years of the object (RFC 5545 §3.6.5, RFC 4791 §7.10), and is
// not omitted for clients that request time zones by reference (RFC 7809 §3.1).
func TestVTimezoneOfTheObjectApplies(t *testing.T) {
	f := newFixture(t)
	const head = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTIMEZONE\r\nTZID:Europe/Berlin\r\nBEGIN:STANDARD\r\n"
	const tail = "END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:tea\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;TZID=Europe/Berlin:20261201T090000\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	window := `<C:free-busy-query` + namespaces + `>` + timeRange("20261201T000000Z", "20261202T000000Z") + `</C:free-busy-query>`
	for _, c := range []struct {
		name, rules, busy string
		isOmitted         bool
	}{
		{"the rules of Berlin", "DTSTART:19701025T030000\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r\nEND:STANDARD\r\n" +
			"BEGIN:DAYLIGHT\r\nDTSTART:19700329T020000\r\nTZOFFSETFROM:+0100\r\nTZOFFSETTO:+0200\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\r\nEND:DAYLIGHT\r\n",
			"20261201T080000Z/20261201T090000Z", true},
		{"other rules", "DTSTART:19700101T000000\r\nTZOFFSETFROM:+0500\r\nTZOFFSETTO:+0500\r\nEND:STANDARD\r\n", "20261201T040000Z/20261201T050000Z", false},
	} {
		f.dav.Do("PUT", f.path+"tea.ics", head+c.rules+tail)
		if got := f.dav.With("Depth", "1").Do("REPORT", f.path, window).Want(200).Body; !strings.Contains(got, c.busy) {
			t.Errorf("%s: got %s, want busy %s", c.name, got, c.busy)
		}
		got := f.dav.With("CalDAV-Timezones", "F").Do("REPORT", f.path, multiget(calendarData, f.path+"tea.ics")).Want(207).Body
		if strings.Contains(got, "VTIMEZONE") == c.isOmitted {
			t.Errorf("%s: got %s, want the VTIMEZONE omitted %t", c.name, got, c.isOmitted)
		}
	}
}
