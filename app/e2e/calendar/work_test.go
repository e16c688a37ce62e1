package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// putHourlySeries stores n hourly series with long descriptions.
func (f *fixture) putHourlySeries(n int) {
	f.t.Helper()
	for i := range n {
		text := apptest.VEvent(fmt.Sprint("hourly", i), "DTSTART:20260101T000000Z", "DTEND:20260101T003000Z", "RRULE:FREQ=HOURLY", "DESCRIPTION:"+strings.Repeat("x", 7000))
		f.put(fmt.Sprint(i, ".ics"), text)
	}
}

// A report that exceeds the limit of computation is refused, on a calendar and on the home, and the
// error tells the client to request less. A report for a shorter range succeeds.
func TestExpansionIsLimitedPerRequest(t *testing.T) {
	f := newFixture(t)
	const series = 24
	f.putHourlySeries(series)
	report := func(path, end string) *apptest.Answer {
		return f.dav.With("Depth", "infinity").Do("REPORT", path, query(expand("20260101T000000Z", end), eventFilter(timeRange("20260101T000000Z", end))))
	}
	for _, path := range []string{f.path, homePath} {
		wantDAVError(report(path, "20260118T000000Z"), 507, "number-of-matches-within-limits")
		if a := report(path, "20260101T060000Z").Want(207); strings.Count(a.Body, "RECURRENCE-ID") != 6*series {
			t.Errorf("%s: got %d instances of six hours, want %d", path, strings.Count(a.Body, "RECURRENCE-ID"), 6*series)
		}
	}
}

// A member who exceeds the limit of computation per minute gets 429 for large requests; small
// requests still succeed. Other members are not affected.
func TestComputationIsLimitedPerMember(t *testing.T) {
	f := newFixture(t, func(s *config.Settings) { s.RateLimits = map[string]int{"work": 128} })
	f.putHourlySeries(1)
	bea := f.Member("bea")
	large := query(expand("20260101T000000Z", "20260108T120000Z"), eventFilter(""))
	report := func() *apptest.Answer { return f.dav.With("Depth", "1").Do("REPORT", f.path, large) }
	for range 6 { // each takes about 20 units
		report().Want(207)
	}
	if got := report().Want(429).Header.Get("Retry-After"); got == "" {
		t.Error("got no Retry-After, want one")
	}
	f.dav.With("Depth", "1").Do("REPORT", f.path, query(calendarData, eventFilter(""))).Want(207)
	bea.Basic().Do("PUT", bea.DefaultCalendar()+"x.ics", apptest.VEvent("x", "DTSTART:20260101T000000Z", "RRULE:FREQ=HOURLY", "DESCRIPTION:"+strings.Repeat("x", 7000))).Want(201)
	bea.Basic().With("Depth", "1").Do("REPORT", bea.DefaultCalendar(), large).Want(207)
}

// The evaluation of the rules of a VTIMEZONE counts towards the limit of the member, because it
// costs more than parsing the octets.
func TestRulesOfABodyAreLimitedPerMember(t *testing.T) {
	f := newFixture(t, func(s *config.Settings) { s.RateLimits = map[string]int{"work": 64} })
	put := func(rules, offset int) *apptest.Answer {
		observance := fmt.Sprintf("BEGIN:STANDARD\r\nDTSTART:19700101T020000\r\nRRULE:FREQ=YEARLY\r\nTZOFFSETFROM:+0200\r\nTZOFFSETTO:+01%02d\r\nEND:STANDARD\r\n", offset)
		text := "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTIMEZONE\r\nTZID:Mars/X\r\n" + strings.Repeat(observance, rules) +
			"END:VTIMEZONE\r\nBEGIN:VEVENT\r\nUID:x\r\nDTSTAMP:20260101T000000Z\r\nDTSTART;TZID=Mars/X:20260101T090000\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
		return f.dav.Do("PUT", f.path+"x.ics", text)
	}
	refused := 0
	for refused < 59 && put(900, refused).Status == 403 { // the zone is rejected after the evaluation of its rules
		refused++
	}
	if a := put(900, refused).Want(429); refused < 5 || a.Header.Get("Retry-After") == "" {
		t.Errorf("got 429 after %d bodies, want it after at least 5, and Retry-After", refused)
	}
	f.dav.Do("PUT", f.path+"y.ics", apptest.VEvent("y", "DTSTART:20260101T000000Z")).Want(201)
}
