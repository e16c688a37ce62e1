package ics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc"
)

// own is a VTIMEZONE as Outlook writes it.
func own(tzid string) []string {
	return []string{"BEGIN:VTIMEZONE", "TZID:" + tzid,
		"BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD",
		"BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT",
		"END:VTIMEZONE"}
}

func TestZonesAreFound(t *testing.T) {
	odd := []string{"BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE"}
	for _, c := range []struct {
		name, tzid string
		zone       []string
		offset     string // of July 1, 2026; "" if its times float
		called     string
	}{
		{"a name of the IANA", "Europe/Berlin", nil, "+02:00", "Europe/Berlin"},
		{"a name of the IANA whose VTIMEZONE says something else", "Europe/Berlin", odd, "+02:00", "Europe/Berlin"},
		{"a name of the IANA behind a vendor's", "/freeassociation.sourceforge.net/Europe/Berlin", nil, "+02:00", "Europe/Berlin"},
		{"a name of the IANA behind a vendor's and a date", "/citadel.org/20210210_1/America/Argentina/Buenos_Aires", nil, "-03:00", "America/Argentina/Buenos_Aires"},
		// Covers C-30.
		{"a name of Windows with its VTIMEZONE", "W. Europe Standard Time", own("W. Europe Standard Time"), "+02:00", "W. Europe Standard Time"},
		{"a name of Windows alone", "W. Europe Standard Time", nil, "+02:00", "Europe/Berlin"},
		{"a name with a comma", "Amsterdam, Berlin", own(`Amsterdam\, Berlin`), "+02:00", "Amsterdam, Berlin"},
		{"UTC by name", "UTC", nil, "Z", "UTC"},
		{"a name that nobody knows", "Mars/Olympus", nil, "", "Mars/Olympus"},
		{"the zone of the machine", "Local", nil, "", "Local"},
		{"a file that is no zone", "zone.tab", nil, "", "zone.tab"},
		{"a path", "../../../etc/passwd", nil, "", "../../../etc/passwd"},
		{"a VTIMEZONE that cannot be read", "Own", []string{"BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:x", "END:STANDARD", "END:VTIMEZONE"}, "", "Own"},
		{"an empty VTIMEZONE", "Own", []string{"BEGIN:VTIMEZONE", "TZID:Own", "END:VTIMEZONE"}, "", "Own"},
		{"a VTIMEZONE that changes every second", "Own", []string{"BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "RRULE:FREQ=SECONDLY", "END:STANDARD", "END:VTIMEZONE"}, "", "Own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, calendar(append(c.zone, "BEGIN:VEVENT", "UID:1", `DTSTART;TZID="`+c.tzid+`":20260701T090000`, "END:VEVENT")...))
			start := o.Master.Time("DTSTART")
			if got := start.Zone().Name(); got != c.called {
				t.Errorf("it is called %q", got)
			}
			loc := start.Zone().Location()
			if c.offset == "" {
				if loc != nil {
					t.Errorf("it is known: %v", loc)
				}
				return
			}
			if got := start.Instant(nil).In(loc).Format("2006-01-02T15:04Z07:00"); got != "2026-07-01T09:00"+c.offset {
				t.Errorf("got %s", got)
			}
			if TimeProp("X", start).Params.Get("TZID") != c.tzid {
				t.Error("it is not written as it was read")
			}
		})
	}
}

func TestVTimeZoneIsEvaluated(t *testing.T) {
	zone := []string{"BEGIN:VTIMEZONE", "TZID:Own",
		"BEGIN:STANDARD", "DTSTART:20000101T000000", "TZOFFSETFROM:+0030", "TZOFFSETTO:+0100", "END:STANDARD",
		"BEGIN:STANDARD", "DTSTART:20021027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RDATE:20031026T030000", "END:STANDARD",
		"BEGIN:DAYLIGHT", "DTSTART:20020331T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20030330T010000Z", "END:DAYLIGHT",
		"BEGIN:STANDARD", "DTSTART:20100101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:-033015", "END:STANDARD",
		"END:VTIMEZONE"}
	o := mustParse(t, calendar(append(zone, "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20000101T000000", "END:VEVENT")...))
	loc := o.Master.Time("DTSTART").Zone().Location()
	for at, want := range map[string]string{
		"1990-01-01T00:00:00Z": "+00:30:00", // what held before the first change
		"1999-12-31T23:30:00Z": "+01:00:00",
		"2002-03-31T00:59:59Z": "+01:00:00",
		"2002-03-31T01:00:00Z": "+02:00:00",
		"2002-10-27T01:00:00Z": "+01:00:00",
		"2003-03-30T01:00:00Z": "+02:00:00", // the last one of the rule
		"2003-10-26T01:00:00Z": "+01:00:00",
		"2004-07-01T00:00:00Z": "+01:00:00",
		"2011-01-01T00:00:00Z": "-03:30:15",
	} {
		instant, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := instant.In(loc).Format("-07:00:00"); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}

// A zone that its VTIMEZONE explains is the zone that Go knows.
func TestOwnZoneIsTheRealOne(t *testing.T) {
	o := mustParse(t, calendar(append(own("Own"), "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20000101T000000", "END:VEVENT")...))
	loc, berlin := o.Master.Time("DTSTART").Zone().Location(), loadedZone(t, "Europe/Berlin")
	for at := utcDay(1997, 1, 1); at.Year() < 2037; at = at.Add(1801 * time.Second) {
		if a, b := utcOffset(loc, at.Unix()), utcOffset(berlin, at.Unix()); a != b {
			t.Fatalf("%s: %d, not %d", at, a, b)
		}
	}
}

// What the clock shows at an instant resolves to that instant, unless the clock
// shows it twice; then to the first.
func TestResolve(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo", "Africa/Casablanca"} {
		loc := loadedZone(t, name)
		for u := utcDay(2006, 1, 1).Unix(); u < utcDay(2014, 1, 1).Unix(); u += 900 {
			got := wallToUnix(loc, u+utcOffset(loc, u))
			if got == u {
				continue
			}
			if got > u || got+utcOffset(loc, got) != u+utcOffset(loc, u) || utcOffset(loc, got) <= utcOffset(loc, u) {
				t.Fatalf("%s: the clock at %d resolves to %d", name, u, got)
			}
		}
	}
	samoa := loadedZone(t, "Pacific/Apia") // had no December 30 in 2011
	if got := time.Unix(wallToUnix(samoa, utcDay(2011, 12, 30).Unix()), 0).In(samoa).Format("2006-01-02T15:04"); got != "2011-12-31T00:00" {
		t.Errorf("the day that was not is %s", got)
	}
}

// loadedZone returns the zone of that name, which is there.
func loadedZone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, ok := svc.Zone(name)
	if !ok {
		t.Fatalf("there is no time zone %s", name)
	}
	return loc
}

func TestWindowsZonesExist(t *testing.T) {
	if len(windowsZones) < 130 {
		t.Errorf("%d zones", len(windowsZones))
	}
	for name, zone := range windowsZones {
		if _, ok := svc.Zone(zone); !ok {
			t.Errorf("%s: there is no %s", name, zone)
		}
	}
}

// What is written for a zone means, around that year, what the zone does.
//
// Covers T-08.
func TestAddTimeZone(t *testing.T) {
	for _, c := range []struct {
		name string
		rule string // in it somewhere
		size int    // lines, at most
	}{
		{"Europe/Berlin", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", 18},
		{"America/New_York", "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", 18},
		{"Australia/Lord_Howe", "TZOFFSETTO:+1030", 18},
		{"America/Santiago", "RRULE:FREQ=YEARLY;BYDAY=SU;BYMONTH=4;BYMONTHDAY=2,3,4,5,6,7,8", 24},
		{"America/Nuuk", "RRULE:FREQ=YEARLY;BYDAY=SA;BYMONTH=3", 40},
		{"Europe/Dublin", "BYMONTH=10", 18},
		{"Asia/Kolkata", "TZOFFSETTO:+0530", 9},
		{"Etc/GMT-14", "TZOFFSETTO:+1400", 9},
		{"America/Sao_Paulo", "DTSTART:20190217T000000", 40},
		{"Africa/Casablanca", "RDATE:", 200},
		{"Asia/Gaza", "", 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			zone, ok := LoadZone(c.name)
			if !ok {
				t.Fatal("there is no such zone")
			}
			start := Zoned(utcDay(2026, 5, 1), zone)
			d := NewDocument("-//Test//EN")
			e := d.Calendar.NewBlock("VEVENT")
			e.Add(TextProp("UID", "1"))
			e.Add(TimeProp("DTSTART", start))
			d.AddTimeZone(zone, start.Instant(nil))
			d.AddTimeZone(zone, start.Instant(nil))
			text := string(d.Bytes())
			from, to := strings.Index(text, "BEGIN:VTIMEZONE"), strings.Index(text, "END:VTIMEZONE")
			if from < 0 || from > strings.Index(text, "BEGIN:VEVENT") || strings.Count(text, "BEGIN:VTIMEZONE") != 1 {
				t.Fatalf("no VTIMEZONE before the event, or two:\n%s", text)
			}
			if lines := strings.Count(text[from:to], "\n") + 1; lines > c.size || !strings.Contains(text, c.rule) {
				t.Errorf("%d lines:\n%s", lines, text)
			}
			// Under another name, it is read by what it says.
			o := mustParse(t, strings.ReplaceAll(text, c.name, "Own"))
			loc := o.Master.Time("DTSTART").Zone().Location()
			if loc == nil {
				t.Fatalf("it cannot be read:\n%s", text)
			}
			for at := utcDay(2025, 1, 1); at.Year() < 2037; at = at.Add(1799 * time.Second) {
				if got, want := at.In(loc), at.In(zone.Location()); got.Format("-0700") != want.Format("-0700") {
					t.Fatalf("%s is not %s:\n%s", got, want, text)
				}
			}
		})
	}
}

func TestAddTimeZoneOnlyWhereOneIsNeeded(t *testing.T) {
	d := NewDocument("-//Test//EN")
	before := string(d.Bytes())
	for _, z := range []*Zone{nil, utc, {TZID: "Mars/Olympus"}} {
		d.AddTimeZone(z, utcDay(2026, 1, 1))
	}
	if got := string(d.Bytes()); got != before {
		t.Error(got)
	}
}

// What is said of a zone is read as that zone, also where it is UTC, of which
// objects need not say anything.
func TestZoneText(t *testing.T) {
	for _, name := range []string{"UTC", "Etc/UTC", "Europe/Berlin", "Asia/Kolkata"} {
		text, ok := FormatTimeZone("-//Test//EN", name, utcDay(2026, 1, 1))
		z, err := ParseZone(string(text))
		if !ok || err != nil || z.TZID != name || z.Name() != name {
			t.Errorf("%s: %v, %v of\n%s", name, z, err, text)
			continue
		}
		z, err = ParseZone(strings.ReplaceAll(string(text), name, "Own")) // by what it says
		want, _ := svc.Zone(name)
		if at := utcDay(2026, 7, 1); err != nil || at.In(z.Location()).Format("-0700") != at.In(want).Format("-0700") {
			t.Errorf("%s: %v, %v of\n%s", name, z, err, text)
		}
	}
	if text, ok := FormatTimeZone("-//Test//EN", "Mars/Olympus", utcDay(2026, 1, 1)); ok {
		t.Errorf("there is\n%s", text)
	}
}

func TestTimes(t *testing.T) {
	berlin, _ := LoadZone("Europe/Berlin")
	nine := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	for want, got := range map[string]Time{
		"20260501":                      Date(2026, 5, 1),
		"20260501T090000":               Floating(nine),
		"20260501T110000":               Floating(nine.In(berlin.Location())),
		"20260501T090000Z":              UTC(nine.In(berlin.Location())),
		"20260501T110000 Europe/Berlin": Zoned(nine, berlin),
		"20260501T090000 Europe/Berlin": Floating(nine).WithZone(berlin),
		"20260501T000000 Europe/Berlin": Date(2026, 5, 1).WithZone(berlin),
		"20260502T110000 Europe/Berlin": Zoned(nine, berlin).Add(Duration{Days: 1}),
		"20260503":                      Date(2026, 5, 1).Add(Duration{Days: 2}),
		"00010102":                      Date(-5, 1, 1),
		"99981230":                      Date(9999, 12, 31),
		"":                              {},
	} {
		text := got.String()
		if got.Zone() != nil && got.Zone() != utc {
			text += " " + got.Zone().TZID
		}
		if text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	if a, b := Zoned(nine, berlin), UTC(nine); !a.Instant(nil).Equal(b.Instant(nil)) || a == b {
		t.Error("one instant is two, or two ways to write it are one")
	}
	if fmt.Sprint(Date(2026, 5, 1).Clock()) != "2026-05-01 00:00:00 +0000 UTC" {
		t.Error("a day has no midnight")
	}
}
