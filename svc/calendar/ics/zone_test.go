package ics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/svc"
)

// ownZone returns a VTIMEZONE as Outlook writes it, with the rules of
// Europe/Berlin.
func ownZone(tzid string) []string {
	return []string{"BEGIN:VTIMEZONE", "TZID:" + tzid,
		"BEGIN:STANDARD", "DTSTART:16010101T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10", "END:STANDARD",
		"BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT",
		"END:VTIMEZONE"}
}

func TestTZIDIsResolved(t *testing.T) {
	odd := []string{"BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "END:STANDARD", "END:VTIMEZONE"}
	for _, c := range []struct {
		name, tzid string
		zone       []string
		offset     string // of July 1, 2026; "" if unknown
		zoneName   string
	}{
		{"an IANA name", "Europe/Berlin", nil, "+02:00", "Europe/Berlin"},
		{"an IANA name whose VTIMEZONE has other rules", "Europe/Berlin", odd, "+05:00", "Europe/Berlin"},
		{"an IANA name with a vendor prefix", "/freeassociation.sourceforge.net/Europe/Berlin", nil, "+02:00", "Europe/Berlin"},
		{"an IANA name of three segments with a vendor prefix", "/citadel.org/20210210_1/America/Argentina/Buenos_Aires", nil, "-03:00", "America/Argentina/Buenos_Aires"},
		// Covers C-30.
		{"a Windows name with a VTIMEZONE", "W. Europe Standard Time", ownZone("W. Europe Standard Time"), "+02:00", "Europe/Berlin"},
		{"a Windows name without VTIMEZONE", "W. Europe Standard Time", nil, "+02:00", "Europe/Berlin"},
		{"a name with a comma", "Amsterdam, Berlin", ownZone(`Amsterdam\, Berlin`), "+02:00", "Amsterdam, Berlin"},
		{"UTC", "UTC", nil, "Z", "UTC"},
		{"an unknown name", "Mars/Olympus", nil, "", "Mars/Olympus"},
		{"the name Local", "Local", nil, "", "Local"},
		{"a file that is not a zone", "zone.tab", nil, "", "zone.tab"},
		{"a path", "../../../etc/passwd", nil, "", "../../../etc/passwd"},
		{"an invalid VTIMEZONE", "Own", []string{"BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:x", "END:STANDARD", "END:VTIMEZONE"}, "", "Own"},
		{"an empty VTIMEZONE", "Own", []string{"BEGIN:VTIMEZONE", "TZID:Own", "END:VTIMEZONE"}, "", "Own"},
		{"a VTIMEZONE beyond the work budget", "Own", []string{"BEGIN:VTIMEZONE", "TZID:Own", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0500", "TZOFFSETTO:+0500", "RRULE:FREQ=SECONDLY", "END:STANDARD", "END:VTIMEZONE"}, "", "Own"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mustParse(t, calendar(append(c.zone, "BEGIN:VEVENT", "UID:1", `DTSTART;TZID="`+c.tzid+`":20260701T090000`, "END:VEVENT")...))
			start := o.Master.Time("DTSTART")
			if got := start.Zone().Name(); got != c.zoneName {
				t.Errorf("got name %q, want %q", got, c.zoneName)
			}
			loc := start.Zone().Location()
			if c.offset == "" {
				if loc != nil {
					t.Errorf("got location %v, want nil", loc)
				}
				return
			}
			if got, want := start.Instant(nil).In(loc).Format("2006-01-02T15:04Z07:00"), "2026-07-01T09:00"+c.offset; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			if got := TimeProp("X", start).Params.Get("TZID"); got != c.tzid {
				t.Errorf("formatted: got TZID %q, want %q", got, c.tzid)
			}
		})
	}
}

func TestVTimezoneObservancesAreEvaluated(t *testing.T) {
	zone := []string{"BEGIN:VTIMEZONE", "TZID:Own",
		"BEGIN:STANDARD", "DTSTART:20000101T000000", "TZOFFSETFROM:+0030", "TZOFFSETTO:+0100", "END:STANDARD",
		"BEGIN:STANDARD", "DTSTART:20021027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RDATE:20031026T030000", "END:STANDARD",
		"BEGIN:DAYLIGHT", "DTSTART:20020331T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20030330T010000Z", "END:DAYLIGHT",
		"BEGIN:STANDARD", "DTSTART:20100101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:-033015", "END:STANDARD",
		"END:VTIMEZONE"}
	o := mustParse(t, calendar(append(zone, "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20000101T000000", "END:VEVENT")...))
	loc := o.Master.Time("DTSTART").Zone().Location()
	for at, want := range map[string]string{
		"1990-01-01T00:00:00Z": "+00:30:00", // TZOFFSETFROM of the first onset
		"1999-12-31T23:30:00Z": "+01:00:00",
		"2002-03-31T00:59:59Z": "+01:00:00",
		"2002-03-31T01:00:00Z": "+02:00:00",
		"2002-10-27T01:00:00Z": "+01:00:00",
		"2003-03-30T01:00:00Z": "+02:00:00", // the last onset of the rule
		"2003-10-26T01:00:00Z": "+01:00:00",
		"2004-07-01T00:00:00Z": "+01:00:00",
		"2011-01-01T00:00:00Z": "-03:30:15",
	} {
		instant, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := instant.In(loc).Format("-07:00:00"); got != want {
			t.Errorf("%s: got %s, want %s", at, got, want)
		}
	}
}

// A VTIMEZONE with the rules of an IANA zone has the same offsets.
func TestVTimezoneAgreesWithIANAZone(t *testing.T) {
	o := mustParse(t, calendar(append(ownZone("Own"), "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20000101T000000", "END:VEVENT")...))
	loc, berlin := o.Master.Time("DTSTART").Zone().Location(), loadedZone(t, "Europe/Berlin")
	for at := utcDay(1997, 1, 1); at.Year() < 2037; at = at.Add(1801 * time.Second) {
		if a, b := utcOffset(loc, at.Unix()), utcOffset(berlin, at.Unix()); a != b {
			t.Fatalf("%s: got offset %d, want %d", at, a, b)
		}
	}
}

// The local time of an instant is converted to that instant, or to the first of
// two instants with that local time.
func TestWallToUnix(t *testing.T) {
	for _, name := range []string{"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu", "America/Sao_Paulo", "Africa/Casablanca"} {
		loc := loadedZone(t, name)
		for u := utcDay(2006, 1, 1).Unix(); u < utcDay(2014, 1, 1).Unix(); u += 900 {
			got := wallToUnix(loc, u+utcOffset(loc, u))
			if got == u {
				continue
			}
			if got > u || got+utcOffset(loc, got) != u+utcOffset(loc, u) || utcOffset(loc, got) <= utcOffset(loc, u) {
				t.Fatalf("%s: got %d, want %d or an earlier instant with the same local time", name, got, u)
			}
		}
	}
	samoa := loadedZone(t, "Pacific/Apia") // skipped December 30, 2011
	if got, want := time.Unix(wallToUnix(samoa, utcDay(2011, 12, 30).Unix()), 0).In(samoa).Format("2006-01-02T15:04"), "2011-12-31T00:00"; got != want {
		t.Errorf("skipped day: got %s, want %s", got, want)
	}
}

// loadedZone returns the location of an IANA zone.
func loadedZone(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, ok := svc.Zone(name)
	if !ok {
		t.Fatalf("time zone %s not found", name)
	}
	return loc
}

func TestZoneNamesWithOffsets(t *testing.T) {
	for _, c := range []struct{ name, zone, offset string }{ // the offset in July
		{"GMT+0200", "Etc/GMT-2", "+02:00"},
		{"UTC-5", "Etc/GMT+5", "-05:00"},
		{"GMT+05:30", "GMT+05:30", "+05:30"},
		{"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Berlin", "+02:00"},
		{"(GMT+01.00) Amsterdam / Berlin / Bern / Rome / Stockholm / Vienna", "Europe/Berlin", "+02:00"},
		{"(UTC+02:00) Helsinki, Kyiv, Riga, Sofia, Tallinn, Vilnius", "Europe/Helsinki", "+03:00"},
		{"(UTC-05:00) Eastern Time (US & Canada)", "America/New_York", "-04:00"},
		{"(UTC) Dublin, Edinburgh, Lisbon, London", "Europe/London", "+01:00"},
		{"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", "(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", "+05:30"},
		{"(UTC+03:00) Berlin", "Etc/GMT-3", "+03:00"}, // the named offset is not the standard time of the place
		{"(UTC) Coordinated Universal Time", "UTC", "Z"},
		{"GMT+2500", "", ""},
		{"GMT+02:99", "", ""},
		{"Nowhere", "", ""},
	} {
		zone, offset := "", ""
		if loc := offsetLocation(c.name); loc != nil {
			zone, offset = loc.String(), time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC).In(loc).Format("Z07:00")
		}
		if zone != c.zone || offset != c.offset {
			t.Errorf("%s: got %q at %s, want %q at %s", c.name, zone, offset, c.zone, c.offset)
		}
	}
	for place, zone := range outlookPlaces() {
		if _, ok := svc.Zone(zone); !ok {
			t.Errorf("%s: IANA zone %s not found", place, zone)
		}
	}
}

func TestWindowsZonesExist(t *testing.T) {
	if len(windowsZones) < 130 {
		t.Errorf("got %d zones, want at least 130", len(windowsZones))
	}
	for name, zone := range windowsZones {
		if _, ok := svc.Zone(zone); !ok {
			t.Errorf("%s: IANA zone %s not found", name, zone)
		}
	}
}

// The VTIMEZONE of an IANA zone has its offsets in the years around the given
// moment.
//
// Covers T-08.
func TestAddTimeZoneWritesTheRulesOfTheZone(t *testing.T) {
	for _, c := range []struct {
		name string
		rule string // a part of the text
		size int    // maximum number of lines
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
				t.Fatal("zone not found")
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
				t.Fatalf("got\n%s\nwant one VTIMEZONE before the VEVENT", text)
			}
			if lines := strings.Count(text[from:to], "\n") + 1; lines > c.size || !strings.Contains(text, c.rule) {
				t.Errorf("got %d lines, want at most %d with %q:\n%s", lines, c.size, c.rule, text)
			}
			// With another TZID, the rules apply instead of the name.
			o := mustParse(t, strings.ReplaceAll(text, c.name, "Own"))
			loc := o.Master.Time("DTSTART").Zone().Location()
			if loc == nil {
				t.Fatalf("got an invalid VTIMEZONE:\n%s", text)
			}
			for at := utcDay(2025, 1, 1); at.Year() < 2037; at = at.Add(1799 * time.Second) {
				if got, want := at.In(loc), at.In(zone.Location()); got.Format("-0700") != want.Format("-0700") {
					t.Fatalf("got %s, want %s:\n%s", got, want, text)
				}
			}
		})
	}
}

func TestAddTimeZoneIgnoresUTCAndUnknownZones(t *testing.T) {
	d := NewDocument("-//Test//EN")
	before := string(d.Bytes())
	for _, z := range []*Zone{nil, utc, {TZID: "Mars/Olympus"}} {
		d.AddTimeZone(z, utcDay(2026, 1, 1))
	}
	if got := string(d.Bytes()); got != before {
		t.Errorf("got %s\nwant %s", got, before)
	}
}

// A formatted zone, including UTC, is parsed as the same zone.
func TestFormatTimeZoneRoundTrip(t *testing.T) {
	for _, name := range []string{"UTC", "Etc/UTC", "Europe/Berlin", "Asia/Kolkata"} {
		text, ok := FormatTimeZone("-//Test//EN", name, utcDay(2026, 1, 1))
		z, err := ParseZone(string(text))
		if !ok || err != nil || z.TZID != name || z.Name() != name {
			t.Errorf("%s: got zone %v, error %v of\n%s", name, z, err, text)
			continue
		}
		z, err = ParseZone(strings.ReplaceAll(string(text), name, "Own")) // the rules apply instead of the name
		want, _ := svc.Zone(name)
		if at := utcDay(2026, 7, 1); err != nil || at.In(z.Location()).Format("-0700") != at.In(want).Format("-0700") {
			t.Errorf("%s by its rules: got zone %v, error %v, want its offset, of\n%s", name, z, err, text)
		}
	}
	if text, ok := FormatTimeZone("-//Test//EN", "Mars/Olympus", utcDay(2026, 1, 1)); ok {
		t.Errorf("unknown zone: got\n%s", text)
	}
}

func TestTimesKeepTheirForm(t *testing.T) {
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
		t.Errorf("got %v and %v, want one instant in two forms", a, b)
	}
	if fmt.Sprint(Date(2026, 5, 1).Clock()) != "2026-05-01 00:00:00 +0000 UTC" {
		t.Errorf("Clock of a DATE: got %v, want midnight UTC", Date(2026, 5, 1).Clock())
	}
}
