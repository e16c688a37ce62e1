package ics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
)

// observance returns a STANDARD or DAYLIGHT component.
func observance(kind, start, from, to string, more ...string) []string {
	return slices.Concat([]string{"BEGIN:" + kind, "DTSTART:" + start, "TZOFFSETFROM:" + from, "TZOFFSETTO:" + to}, more, []string{"END:" + kind})
}

// vtimezoneOf returns a VTIMEZONE with observances.
func vtimezoneOf(tzid string, observances ...[]string) []string {
	return slices.Concat([]string{"BEGIN:VTIMEZONE", "TZID:" + tzid}, slices.Concat(observances...), []string{"END:VTIMEZONE"})
}

const (
	lastSundayOfMarch   = "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"
	lastSundayOfOctober = "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"
)

// An object uses the IANA zone of a TZID, unless its VTIMEZONE has other offsets in
// a year in which the object has a time (RFC 5545 §3.6.5).
func TestVTimezoneAppliesIfItDiffersInTheYearsOfTheObject(t *testing.T) {
	berlin := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch),
		observance("STANDARD", "19961027T030000", "+0200", "+0100", lastSundayOfOctober))
	abolished := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch+";UNTIL=20260329T010000Z"),
		observance("STANDARD", "19961027T030000", "+0200", "+0100", lastSundayOfOctober+";UNTIL=20251026T010000Z"),
		observance("STANDARD", "20261025T030000", "+0200", "+0100"))
	mexico := vtimezoneOf("America/Mexico_City", observance("DAYLIGHT", "20010401T020000", "-0600", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU"),
		observance("STANDARD", "20010401T020000", "-0500", "-0600", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"))
	listed := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "20250330T020000", "+0100", "+0200", "RDATE:20260329T020000"),
		observance("STANDARD", "20251026T030000", "+0200", "+0100", "RDATE:20261025T030000"))
	ended := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "20200329T020000", "+0100", "+0200", lastSundayOfMarch+";UNTIL=20260329T010000Z"),
		observance("STANDARD", "20201025T030000", "+0200", "+0100", lastSundayOfOctober+";UNTIL=20261025T010000Z"))
	for _, c := range []struct {
		name string
		zone []string
		tzid string
		time string
		rest string // another line of the event
		want string // in UTC
	}{
		{"the same rules", berlin, "Europe/Berlin", "20260701T090000", "", "2026-07-01T07:00"},
		{"a year before the rules in force", berlin, "Europe/Berlin", "19951115T090000", "", "1995-11-15T08:00"},
		{"rules of a later law", abolished, "Europe/Berlin", "20270701T090000", "", "2027-07-01T08:00"},
		{"a year before the later law", abolished, "Europe/Berlin", "20250701T090000", "", "2025-07-01T07:00"},
		{"rules of an earlier law in a year in which they were valid", mexico, "America/Mexico_City", "20100701T090000", "RRULE:FREQ=DAILY", "2010-07-01T14:00"},
		{"rules of an earlier law in a later year", mexico, "America/Mexico_City", "20260701T090000", "", "2026-07-01T14:00"},
		{"a list of onsets that covers the year", listed, "Europe/Berlin", "20260701T090000", "", "2026-07-01T07:00"},
		{"a list of onsets that has ended", listed, "Europe/Berlin", "20300701T090000", "", "2030-07-01T07:00"},
		{"rules that have ended", ended, "Europe/Berlin", "20300701T090000", "", "2030-07-01T07:00"},
		{"an invalid VTIMEZONE", vtimezoneOf("Europe/Berlin", observance("STANDARD", "x", "+0500", "+0500")), "Europe/Berlin", "20260701T090000", "", "2026-07-01T07:00"},
		{"a VTIMEZONE of another TZID", vtimezoneOf("Asia/Tokyo", observance("STANDARD", "19700101T000000", "+0500", "+0500")), "Europe/Berlin", "20260701T090000", "", "2026-07-01T07:00"},
	} {
		lines := slices.Concat(c.zone, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=" + c.tzid + ":" + c.time})
		if c.rest != "" {
			lines = append(lines, c.rest)
		}
		for range 2 { // the second time with a cached comparison
			start := mustParse(t, calendar(append(lines, "END:VEVENT")...)).Master.Time("DTSTART")
			if got := start.Instant(nil).Format("2006-01-02T15:04"); got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
			if got := start.Zone().Name(); got != c.tzid {
				t.Errorf("%s: got zone %s, want %s", c.name, got, c.tzid)
			}
		}
	}

	// A series whose object has no time after a change of the law has the
	// current rules of the IANA zone.
	o := mustParse(t, calendar(slices.Concat(mexico, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=America/Mexico_City:20100701T090000", "RRULE:FREQ=DAILY", "END:VEVENT"})...))
	list, _ := o.Instances(time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 7, 2, 0, 0, 0, 0, time.UTC), nil, 5)
	if len(list) != 1 || list[0].StartsAt.UTC().Hour() != 15 {
		t.Errorf("got %v, want one instance at 15:00", formatInstances(list))
	}
}

// The VTIMEZONE that this program writes for an IANA zone never applies instead
// of that zone.
func TestWrittenVTimezoneNeverReplacesTheIANAZone(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "America/Mexico_City", "Europe/Moscow", "Africa/Casablanca", "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo", "Europe/Dublin"} {
		zone, ok := LoadZone(name)
		if !ok {
			t.Fatal(name)
		}
		for year := 1980; year < 2060; year += 7 {
			d := NewDocument("x")
			d.AddTimeZone(zone, time.Date(year, 7, 1, 0, 0, 0, 0, time.UTC))
			e := d.Calendar.NewBlock("VEVENT")
			e.Add(TextProp("UID", "1"))
			e.Add(TimeProp("DTSTART", Floating(time.Date(year, 7, 1, 9, 0, 0, 0, time.UTC)).WithZone(zone)))
			o := mustParse(t, string(d.Bytes()))
			if o.zones[name].isOwn {
				t.Errorf("%s in %d: got the VTIMEZONE, want the IANA zone\n%s", name, year, d.Bytes())
			}
		}
	}
}

// A VTIMEZONE that applies instead of the IANA zone is not omitted
// (RFC 7809 §3.1).
func TestOmitKeepsVTimezoneThatApplies(t *testing.T) {
	text := calendar(slices.Concat(vtimezoneOf("Europe/Berlin", observance("STANDARD", "19700101T000000", "+0500", "+0500")),
		[]string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Berlin:20260501T090000", "END:VEVENT"})...)
	if got := string(OmitIANATimeZones([]byte(text))); got != text {
		t.Errorf("got %s\nwant %s", got, text)
	}
}

// The cache of comparisons is bounded.
func TestZoneComparisonCacheIsBounded(t *testing.T) {
	filler := "X-FILLER:" + strings.Repeat("x", 8000)
	for n := range 3 * maxComparedOctets / 8000 {
		zone := vtimezoneOf("Europe/Berlin", observance("STANDARD", "19700101T000000", "+0100", "+0100", filler, fmt.Sprint("X-N:", n)))
		mustParse(t, calendar(slices.Concat(zone, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Berlin:20260501T090000", "END:VEVENT"})...))
	}
	comparedZones.RLock()
	defer comparedZones.RUnlock()
	octets := 0
	for text := range comparedZones.results {
		octets += len(text)
	}
	if octets > maxComparedOctets || octets != comparedZones.octets {
		t.Errorf("got %d octets, counted %d, want at most %d", octets, comparedZones.octets, maxComparedOctets)
	}
}

// Parsing takes the work of the rules of a VTIMEZONE from the request, once for all objects
// with the same text, whether the TZID is an IANA name or not.
func TestRulesOfVTimezonesAreWork(t *testing.T) {
	for _, tzid := range []string{"Europe/Berlin", "Counted"} {
		zone := vtimezoneOf(tzid, observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch), []string{"X-TEST:" + t.Name()})
		raw := []byte(calendar(slices.Concat(zone, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=" + tzid + ":20260701T090000", "END:VEVENT"})...))
		var steps []int
		for range 2 {
			work := svc.WorkOf(t.Context())
			if _, err := ParseCounted(work, raw); err != nil {
				t.Fatal(err)
			}
			steps = append(steps, svc.MaxWork-work.Left()-len(raw))
		}
		if steps[0] < 120 || steps[1] != 0 { // one onset in each of more than a hundred years
			t.Errorf("%s: got %d steps and then %d, want at least 120 and then none", tzid, steps[0], steps[1])
		}
		work := svc.WorkOf(t.Context())
		if err := work.Take(work.Left() - len(raw) + 1); err != nil {
			t.Fatal(err)
		}
		if _, err := ParseCounted(work, raw); !errors.Is(err, svc.ErrTooMuchWork) {
			t.Errorf("%s: got %v for an object beyond the limit, want ErrTooMuchWork", tzid, err)
		}
	}
}

// The steps of all evaluations of an object are counted, and each evaluation has its own budget.
func TestCountedObjectAddsUpItsEvaluations(t *testing.T) {
	o := mustParse(t, calendar("BEGIN:VEVENT", "UID:1", "DTSTART:20260101T000000Z", "RRULE:FREQ=SECONDLY", "END:VEVENT"))
	counted, steps := o.Counted()
	for n := 1; n <= 2; n++ {
		if _, truncated := counted.Instances(utcDay(2026, 1, 1), utcDay(2027, 1, 1), nil, 1<<30); !truncated || steps() < n*stepBudget {
			t.Errorf("evaluation %d: got truncated %t and %d steps in all, want true and at least %d", n, truncated, steps(), n*stepBudget)
		}
	}
}
