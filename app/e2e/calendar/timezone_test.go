package calendar

import (
	"strings"
	"testing"

	"appliance/app/apptest"
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

// A TZID that no time depends on is ignored and kept. Covers B-119.
func TestTZIDWithoutEffectIsStored(t *testing.T) {
	f := newFixture(t)
	text := apptest.VEvent("market", `DTSTART;VALUE=DATE;TZID="Amsterdam, Belgrade, Berlin":20261201`, `X-SEEN;TZID=Nowhere:20261201T090000`, "SUMMARY:Market")
	f.dav.Do("PUT", f.path+"market.ics", text).Want(201)
	if got := f.dav.Do("GET", f.path+"market.ics").Want(200).Body; got != text {
		t.Errorf("got\n%s\nwant the text as it was PUT\n%s", got, text)
	}
	list := f.ann.Do("GET", "/world/time/objects?start=2026-12-01&end=2026-12-02").Want(200)
	if got := list.Column("objects", "state.occurrence.start.date"); got != "2026-12-01" {
		t.Errorf("got the date %s, want 2026-12-01", got)
	}
	timed := apptest.VEvent("talk", `DTSTART;TZID="Amsterdam, Belgrade, Berlin":20261201T090000`)
	wantDAVError(f.dav.Do("PUT", f.path+"talk.ics", timed), 403, "valid-timezone")
}
