package ics

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/zoneinfo/zoneinfotest"
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

// The zone that a TZID names applies, by the data of the server, unless the VTIMEZONE has an
// offset that the zone has not had since 1970. The times of the object do not matter (B-111).
func TestVTimezoneAppliesIfItHasAnOffsetThatTheZoneHasNotHad(t *testing.T) {
	berlin := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch),
		observance("STANDARD", "19961027T030000", "+0200", "+0100", lastSundayOfOctober))
	// As a client wrote it in 2025, before the law of British Columbia changed.
	vancouver := vtimezoneOf("America/Vancouver", observance("DAYLIGHT", "20070311T020000", "-0800", "-0700", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
		observance("STANDARD", "20071104T020000", "-0700", "-0800", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"))
	mexico := vtimezoneOf("America/Mexico_City", observance("DAYLIGHT", "20010401T020000", "-0600", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU"),
		observance("STANDARD", "20010401T020000", "-0500", "-0600", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"))
	abolished := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch+";UNTIL=20260329T010000Z"),
		observance("STANDARD", "19961027T030000", "+0200", "+0100", lastSundayOfOctober+";UNTIL=20251026T010000Z"),
		observance("STANDARD", "20261025T030000", "+0200", "+0130"))
	complete := vtimezoneOf("Europe/Berlin", observance("DAYLIGHT", "19450524T010000", "+0200", "+0300"), observance("STANDARD", "19450924T030000", "+0300", "+0100"),
		observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch), observance("STANDARD", "19961027T030000", "+0200", "+0100", lastSundayOfOctober))
	five := []string{"STANDARD", "19700101T000000", "+0500", "+0500"}
	other := observance(five[0], five[1], five[2], five[3])
	windows := "W. Europe Standard Time"
	for _, c := range []struct {
		name string
		zone []string
		tzid string
		time string
		want string // in UTC
		by   string // name of the zone
	}{
		{"the same rules", berlin, "Europe/Berlin", "20260701T090000", "2026-07-01T07:00", ""},
		{"rules of an earlier law", vancouver, "America/Vancouver", "20261215T100000", "2026-12-15T17:00", ""},
		{"rules of an earlier law in a year in which they were valid", mexico, "America/Mexico_City", "20100701T090000", "2010-07-01T14:00", ""},
		{"rules of an earlier law in a later year", mexico, "America/Mexico_City", "20260701T090000", "2026-07-01T15:00", ""},
		{"a new offset", abolished, "Europe/Berlin", "20271215T090000", "2027-12-15T07:30", ""},
		{"a time before the new offset", abolished, "Europe/Berlin", "20250701T090000", "2025-07-01T07:00", ""},
		{"an offset that was in force before 1970", complete, "Europe/Berlin", "20260701T090000", "2026-07-01T07:00", ""},
		{"a name that stands for another zone", vtimezoneOf("Europe/Berlin", other), "Europe/Berlin", "20260701T090000", "2026-07-01T04:00", ""},
		{"an old offset that is still in force", vtimezoneOf("Europe/Berlin", observance("STANDARD", "19000101T000000", "+0500", "+0500")), "Europe/Berlin", "20260701T090000", "2026-07-01T04:00", ""},
		{"an invalid VTIMEZONE", vtimezoneOf("Europe/Berlin", observance("STANDARD", "x", "+0500", "+0500")), "Europe/Berlin", "20260701T090000", "2026-07-01T07:00", ""},
		{"a VTIMEZONE of another TZID", vtimezoneOf("Asia/Tokyo", other), "Europe/Berlin", "20260701T090000", "2026-07-01T07:00", ""},
		{"a link", vtimezoneOf("US/Pacific", observance("STANDARD", "20071104T020000", "-0700", "-0800")), "US/Pacific", "20260701T090000", "2026-07-01T16:00", ""},
		{"a Windows name", vtimezoneOf(windows, observance("STANDARD", "19961027T030000", "+0200", "+0100")), windows, "20260701T090000", "2026-07-01T07:00", "Europe/Berlin"},
		{"a Windows name that stands for another zone", vtimezoneOf(windows, other), windows, "20260701T090000", "2026-07-01T04:00", windows},
		{"a vendor prefix", vtimezoneOf("/example.org/Europe/Berlin", observance("STANDARD", "19961027T030000", "+0200", "+0100")), "/example.org/Europe/Berlin", "20260701T090000", "2026-07-01T07:00", "Europe/Berlin"},
		{"a name of an earlier database", nil, "US/Pacific-New", "20260701T090000", "2026-07-01T16:00", "America/Los_Angeles"},
		{"UTC in the form of Microsoft", nil, "tzone://Microsoft/Utc", "20260701T090000", "2026-07-01T09:00", "UTC"},
		{"two definitions, of which the first is invalid", slices.Concat(vtimezoneOf("Own", observance("STANDARD", "x", "+0500", "+0500")), vtimezoneOf("Own", other)), "Own", "20260701T090000", "2026-07-01T04:00", ""},
		{"two definitions that contradict", slices.Concat(vtimezoneOf("Own", other), vtimezoneOf("Own", observance("STANDARD", "19700101T000000", "+0600", "+0600"))), "Own", "20260701T090000", "2026-07-01T04:00", ""},
	} {
		if c.by == "" {
			c.by = c.tzid
		}
		// Neither the other times of the object nor the cache matter.
		for _, rest := range []string{"", `EXDATE;TZID="` + c.tzid + `":20350101T090000`, "RRULE:FREQ=DAILY"} {
			lines := slices.Concat(c.zone, []string{"BEGIN:VEVENT", "UID:1", `DTSTART;TZID="` + c.tzid + `":` + c.time})
			if rest != "" {
				lines = append(lines, rest)
			}
			start := mustParse(t, calendar(append(lines, "END:VEVENT")...)).Master.Time("DTSTART")
			if got := start.Instant(nil).Format("2006-01-02T15:04"); got != c.want {
				t.Errorf("%s, with %q: got %s, want %s", c.name, rest, got, c.want)
			}
			if got := start.Zone().Name(); got != c.by {
				t.Errorf("%s: got zone %s, want %s", c.name, got, c.by)
			}
		}
	}
}

// A deletion of one occurrence of a series does not move the others, also if the VTIMEZONE is
// that of an earlier law.
func TestExcludedOccurrenceMovesNoOther(t *testing.T) {
	zone := vtimezoneOf("America/Vancouver", observance("DAYLIGHT", "20070311T020000", "-0800", "-0700", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
		observance("STANDARD", "20071104T020000", "-0700", "-0800", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"))
	instances := func(more ...string) string {
		o := mustParse(t, calendar(slices.Concat(zone, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=America/Vancouver:20250106T100000", "RRULE:FREQ=WEEKLY"}, more, []string{"END:VEVENT"})...))
		list, _ := o.Instances(utcDay(2026, 12, 1), utcDay(2026, 12, 20), nil, 9)
		return fmt.Sprint(formatInstances(list))
	}
	all := instances()
	if !strings.Contains(all, "|1207T1700Z") {
		t.Errorf("got %s, want 17:00Z on 7 December, by the law of 2026", all)
	}
	if got := instances("EXDATE;TZID=America/Vancouver:20270104T100000"); got != all {
		t.Errorf("after the deletion of another occurrence: got %s, want %s", got, all)
	}
}

// In objects that the program has written, a name always means the zone: its data may have
// been older.
func TestNamesInOwnObjectsAreZones(t *testing.T) {
	text := calendar(slices.Concat(vtimezoneOf("Europe/Berlin", observance("STANDARD", "19700101T000000", "+0500", "+0500")),
		[]string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Berlin:20260701T090000", "END:VEVENT"})...)
	for prodID, want := range map[string]string{"-//Test//EN": "04:00", ProdID: "07:00"} {
		own := withProdID(text, prodID)
		if got := mustParse(t, own).Master.Time("DTSTART").Instant(nil).Format("15:04"); got != want || !strings.Contains(own, prodID) {
			t.Errorf("PRODID %s: got %s, want %s", prodID, got, want)
		}
	}
}

// New time zone data applies to objects whose VTIMEZONE is in the cache.
func TestDefinitionsAreEvaluatedAgainForOtherData(t *testing.T) {
	zone := vtimezoneOf("Asia/Tokyo", observance("STANDARD", "19700101T000000", "+0500", "+0500"))
	raw := calendar(slices.Concat(zone, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Asia/Tokyo:20260701T090000", "END:VEVENT"})...)
	hour := func() int { return mustParse(t, raw).Master.Time("DTSTART").Instant(nil).Hour() }
	if got := hour(); got != 4 {
		t.Errorf("got %d:00, want 4:00 by the VTIMEZONE", got)
	}
	zoneinfotest.Use(t, "2099a", map[string]int{"Asia/Tokyo": 5})
	o := mustParse(t, raw)
	if o.zones["Asia/Tokyo"].definition != nil || hour() != 4 {
		t.Error("got the VTIMEZONE, want the zone, which has its offset in the new data")
	}
}

// An object names a zone that it defines in another way, in the years of the data.
func TestConflictingZone(t *testing.T) {
	mexico := observance("DAYLIGHT", "20010401T020000", "-0600", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU")
	berlin := slices.Concat(observance("DAYLIGHT", "19810329T020000", "+0100", "+0200", lastSundayOfMarch), observance("STANDARD", "19961027T030000", "+0200", "+0100", lastSundayOfOctober))
	for _, c := range []struct {
		name, tzid string
		rules      []string
		want       string
	}{
		{"the rules of the zone", "Europe/Berlin", berlin, ""},
		{"the rules of the zone under a Windows name", "W. Europe Standard Time", berlin, ""},
		{"an earlier law", "America/Mexico_City", slices.Concat(mexico, observance("STANDARD", "20010401T020000", "-0500", "-0600", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")), "America/Mexico_City"},
		{"an earlier law under a Windows name", "Central Standard Time (Mexico)", slices.Concat(mexico, observance("STANDARD", "20010401T020000", "-0500", "-0600", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU")), "America/Mexico_City"},
		{"an offset that applies", "Europe/Berlin", observance("STANDARD", "19700101T000000", "+0500", "+0500"), "Europe/Berlin"},
		{"rules that have ended", "Europe/Berlin", observance("STANDARD", "19700101T000000", "+0500", "+0100", "RDATE:19750101T000000"), ""},
		{"another name", "Own", observance("STANDARD", "19700101T000000", "+0500", "+0500"), ""},
		{"invalid rules", "Europe/Berlin", observance("STANDARD", "x", "+0500", "+0500"), ""},
	} {
		raw := calendar(slices.Concat(vtimezoneOf(c.tzid, c.rules), []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=" + c.tzid + ":20260701T090000", "END:VEVENT"})...)
		if got := mustParse(t, raw).ConflictingZone(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A VTIMEZONE of any size takes a limited number of steps. Its zone is that of the name, or
// unknown.
func TestCostlyVTimezonesAreBounded(t *testing.T) {
	many := strings.Split(strings.Repeat(strings.Join(observance("STANDARD", "19700101T000000", "+0500", "+0500", "RRULE:FREQ=DAILY"), "\n")+"\n", 5000), "\n")
	many = many[:len(many)-1]
	yearly := strings.Split(strings.Repeat(strings.Join(observance("STANDARD", "19700101T000000", "+0500", "+0500", "RRULE:FREQ=YEARLY"), "\n")+"\n", 10_000), "\n")
	yearly = yearly[:len(yearly)-1]
	for _, c := range []struct {
		name    string
		rules   []string
		isValid bool
	}{
		{"10,000 yearly rules", yearly, false},
		{"5,000 daily rules", many, false},
		{"an endless rule for each second", observance("STANDARD", "19700101T000000", "+0500", "+0500", "RRULE:FREQ=SECONDLY"), false},
		{"a rule without other dates than DTSTART", observance("STANDARD", "19700101T000000", "+0500", "+0500", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"), true},
		{"many dates", observance("STANDARD", "19700101T000000", "+0500", "+0500", "RDATE:"+strings.Repeat("20260101T000000,", 50_000)+"20260101T000000"), true},
	} {
		for tzid, want := range map[string]string{"Europe/Berlin": "07:00", "Own": "09:00"} {
			if c.isValid {
				want = "04:00"
			}
			raw := calendar(slices.Concat(vtimezoneOf(tzid, c.rules), []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=" + tzid + ":20260701T090000", "END:VEVENT"})...)
			o, err := Parse([]byte(raw))
			if err != nil {
				var invalid *Error
				if !errors.As(err, &invalid) || invalid.Reason == "" {
					t.Errorf("%s: got %v, want a reason", c.name, err)
				}
				continue
			}
			if got := o.Master.Time("DTSTART").Instant(nil).Format("15:04"); got != want {
				t.Errorf("%s, %s: got %s, want %s", c.name, tzid, got, want)
			}
			if got := o.UnknownTZIDs(); (len(got) == 1) != (tzid == "Own" && !c.isValid) {
				t.Errorf("%s, %s: got unknown %q", c.name, tzid, got)
			}
			if most := stepBudget + len(raw); o.zoneSteps > most {
				t.Errorf("%s, %s: got %d steps, want at most %d", c.name, tzid, o.zoneSteps, most)
			}
		}
	}
}

// A TZID of a date, of a time in UTC or of a property that is not read has no effect (B-119).
func TestTZIDWithoutEffectIsIgnored(t *testing.T) {
	const tzid = `;TZID="Amsterdam, Belgrade, Berlin"`
	for _, c := range []struct {
		name    string
		lines   []string
		unknown bool
	}{
		{"a date", []string{"DTSTART;VALUE=DATE" + tzid + ":20260501", "DTEND;VALUE=DATE" + tzid + ":20260502"}, false},
		{"a date without VALUE", []string{"DTSTART" + tzid + ":20260501"}, false},
		{"a time with VALUE=DATE", []string{"DTSTART;VALUE=DATE" + tzid + ":20260501T000000"}, false},
		{"UTC", []string{"DTSTART" + tzid + ":20260501T090000Z", "EXDATE" + tzid + ":20260502T090000Z,20260503T090000Z"}, false},
		{"a property that is not read", []string{"DTSTART:20260501T090000Z", "X-ORIGINAL-START" + tzid + ":20260501T090000", "CREATED" + tzid + ":20260501T090000"}, false},
		{"a local start", []string{"DTSTART" + tzid + ":20260501T090000"}, true},
		{"a local time in a list", []string{"DTSTART:20260501T090000Z", "RRULE:FREQ=DAILY", "EXDATE" + tzid + ":20260502T090000Z,20260503T090000"}, true},
		{"a period", []string{"DTSTART:20260501T090000Z", "RDATE;VALUE=PERIOD" + tzid + ":20260502T090000/PT1H"}, true},
		{"a period in UTC", []string{"DTSTART:20260501T090000Z", "RDATE;VALUE=PERIOD" + tzid + ":20260502T090000Z/P1DT10H20M30S"}, false},
	} {
		raw := event(c.lines...)
		o, err := Parse([]byte(raw))
		if err != nil {
			t.Errorf("%s: got %v, want an object", c.name, err)
			continue
		}
		if got := len(o.UnknownTZIDs()) > 0; got != c.unknown {
			t.Errorf("%s: got unknown zones %q, want some: %t", c.name, o.UnknownTZIDs(), c.unknown)
		}
		if got := string(o.Edit().Bytes()); got != raw {
			t.Errorf("%s: got\n%s\nwant the same lines\n%s", c.name, got, raw)
		}
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
			if o.zones[name].definition != nil {
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

// The cache of definitions is bounded.
func TestCacheOfDefinitionsIsBounded(t *testing.T) {
	filler := "X-FILLER:" + strings.Repeat("x", 8000)
	for n := range 3 * maxDefinitions / 8000 {
		zone := vtimezoneOf("Europe/Berlin", observance("STANDARD", "19700101T000000", "+0100", "+0100", filler, fmt.Sprint("X-N:", n)))
		mustParse(t, calendar(slices.Concat(zone, []string{"BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Berlin:20260501T090000", "END:VEVENT"})...))
	}
	definitions.RLock()
	defer definitions.RUnlock()
	octets := 0
	for text := range definitions.results {
		octets += len(text)
	}
	if octets > maxDefinitions || octets != definitions.octets {
		t.Errorf("got %d octets, counted %d, want at most %d", octets, definitions.octets, maxDefinitions)
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
