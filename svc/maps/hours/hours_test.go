package hours

import (
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/maps/geo"
)

// inBerlin returns a time in Berlin, as "2026-11-23 10:00". 2026-11-23 is a Monday.
func inBerlin(t testing.TB, text string) time.Time {
	t.Helper()
	loc, _ := svc.Zone("Europe/Berlin")
	at, err := time.ParseInLocation("2006-01-02 15:04", text, loc)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// describe formats a state with the time of its next change.
func describe(h Hours, at time.Time) string {
	open, next, ok := h.At(at)
	s := "closed"
	switch {
	case !ok:
		return "unknown"
	case open:
		s = "open"
	}
	if next.IsZero() {
		return s
	}
	return s + " until " + next.Format("2006-01-02 15:04")
}

func TestAtReturnsTheStateAndTheNextChange(t *testing.T) {
	for _, c := range []struct{ value, at, want string }{
		{"24/7", "2026-11-23 10:00", "open"},
		{"24/7 closed", "2026-11-23 10:00", "closed"},
		{"Mo-Fr 08:00-18:00", "2026-11-23 10:00", "open until 2026-11-23 18:00"},
		{"Mo-Fr 08:00-18:00", "2026-11-23 18:00", "closed until 2026-11-24 08:00"},
		{"Mo-Fr 08:00-18:00", "2026-11-27 19:00", "closed until 2026-11-30 08:00"},
		{"mo – fr 8:00 – 18:00", "2026-11-23 10:00", "open until 2026-11-23 18:00"},
		{"Mo-Fr: 08:00-12:00, 13:00-18:00", "2026-11-23 12:30", "closed until 2026-11-23 13:00"},
		{"Fr-Mo 10:00-12:00", "2026-11-24 09:00", "closed until 2026-11-27 10:00"},
		{"Tu,Th 10:00-12:00", "2026-11-24 11:00", "open until 2026-11-24 12:00"},
		{"10:00-12:00", "2026-11-29 11:00", "open until 2026-11-29 12:00"},
		{"Mo-Fr", "2026-11-27 11:00", "open until 2026-11-28 00:00"},
		// after midnight
		{"Fr,Sa 20:00-03:00", "2026-11-28 02:00", "open until 2026-11-28 03:00"},
		{"Fr,Sa 20:00-03:00", "2026-11-30 02:00", "closed until 2026-12-04 20:00"},
		{"Fr 18:00-26:00", "2026-11-28 01:00", "open until 2026-11-28 02:00"},
		{"Mo-Su 00:00-24:00", "2026-11-28 01:00", "open"},
		// rules that replace, remove and add
		{"Mo-Fr 08:00-18:00; We 08:00-12:00", "2026-11-25 13:00", "closed until 2026-11-26 08:00"},
		{"Mo-Fr 08:00-18:00; We off", "2026-11-24 19:00", "closed until 2026-11-26 08:00"},
		{"Mo-Fr 08:00-18:00; We 12:00-14:00 closed", "2026-11-25 11:00", "open until 2026-11-25 12:00"},
		{"Mo-Fr 08:00-18:00; We 12:00-14:00 closed", "2026-11-25 13:00", "closed until 2026-11-25 14:00"},
		{"Mo-Fr 08:00-12:00, We 14:00-18:00", "2026-11-25 13:00", "closed until 2026-11-25 14:00"},
		{"Mo-Fr 08:00-12:00, We 14:00-18:00;", "2026-11-25 11:00", "open until 2026-11-25 12:00"},
		{"Fr 20:00-04:00; Sa off", "2026-11-28 02:00", "open until 2026-11-28 04:00"},
		// months, dates, years and weeks
		{"May-Sep 10:00-20:00", "2026-11-23 10:00", "closed until 2027-05-01 10:00"},
		{"Nov-Feb: Mo-Su 10:00-16:00", "2026-11-23 10:00", "open until 2026-11-23 16:00"},
		{"Mo-Su 10:00-18:00; Dec 24-26,31 off", "2026-12-23 19:00", "closed until 2026-12-27 10:00"},
		{"Mo-Su 10:00-18:00; Dec 24-Jan 6 closed", "2026-12-30 12:00", "closed until 2027-01-07 10:00"},
		{"Mar 15-Oct 10:00-18:00", "2026-11-23 12:00", "closed until 2027-03-15 10:00"},
		{"2026 Dec 1-2027 Jan 31 Mo 10:00-12:00", "2026-11-23 10:00", "closed until 2026-12-07 10:00"},
		{"2025 Mo-Su 10:00-12:00", "2026-11-23 10:00", "closed"},
		{"2026+ Mo 10:00-12:00", "2026-11-23 10:00", "open until 2026-11-23 12:00"},
		{"week 1-53/2 Mo 10:00-12:00", "2026-11-23 10:00", "closed until 2026-11-30 10:00"},
		{"week 48 10:00-12:00", "2026-11-23 10:00", "open until 2026-11-23 12:00"},
		{"Feb 29 10:00-12:00", "2026-11-23 10:00", "closed"},
		// weekdays of the month
		{"Mo[1] 10:00-12:00", "2026-11-23 10:00", "closed until 2026-12-07 10:00"},
		{"Mo[-1] 10:00-12:00", "2026-11-23 10:00", "closed until 2026-11-30 10:00"},
		{"Mo[2,4-5] 10:00-12:00", "2026-11-23 10:00", "open until 2026-11-23 12:00"},
		// holidays are ignored
		{"Mo-Fr 08:00-18:00; PH off", "2026-11-23 10:00", "open until 2026-11-23 18:00"},
		{"Mo-Fr,PH 08:00-18:00", "2026-11-29 10:00", "closed until 2026-11-30 08:00"},
		{"SH Mo-Fr 10:00-12:00; Sa 10:00-12:00", "2026-11-23 11:00", "closed until 2026-11-28 10:00"},
		{"PH,SH off", "2026-11-23 10:00", "unknown"},
		// unknown states and comments
		{`"by appointment"`, "2026-11-23 10:00", "unknown"},
		{`Mo-Fr 08:00-12:00; Mo-Fr 12:00-18:00 unknown "by appointment"`, "2026-11-23 10:00", "closed until 2026-11-23 12:00"},
		{`Mo-Fr 08:00-12:00, Mo-Fr 12:00-18:00 "by appointment"`, "2026-11-23 10:00", "open until 2026-11-23 12:00"},
		{`Mo-Fr 08:00-12:00 open "ring the bell"`, "2026-11-23 10:00", "open until 2026-11-23 12:00"},
		{"Mo 18:00+", "2026-11-23 10:00", "closed until 2026-11-23 18:00"},
		{"Mo 18:00+", "2026-11-23 19:00", "unknown"},
		{"Mo 18:00-22:00+", "2026-11-23 19:00", "open until 2026-11-23 22:00"},
		// changes of the clock: 2026-10-25 has 25 hours, 2027-03-28 has 23
		{"Mo-Su 02:00-03:00", "2026-10-25 01:00", "closed until 2026-10-25 02:00"},
		{"Sa 22:00-06:00", "2027-03-28 01:30", "open until 2027-03-28 06:00"},
	} {
		h, err := Parse(c.value)
		if err != nil {
			t.Errorf("%s: got the error %v, want none", c.value, err)
		} else if got := describe(h, inBerlin(t, c.at)); got != c.want {
			t.Errorf("%s at %s: got %s, want %s", c.value, c.at, got, c.want)
		}
	}
}

// A wrong state is worse than none.
func TestParseRejectsUnsupportedValues(t *testing.T) {
	for _, value := range []string{
		"", " ", ";", "Mo-", "Mo-Fr 08:00", "Mo-Fr 08:00-", "Mo-Fr 25:00-26:00", "Mo-Fr 08:60-09:00", "Mo-Fr 08:00-48:01",
		"sunrise-sunset", "Mo-Fr 08:00-sunset", "08:00-16:00/01:30", "easter off", "PH +1 day off", "Mo[1] +2 days", "Mo[0] off", "Mo[6] off", "Mo[1 off",
		`Mo-Fr 08:00-12:00 || "by appointment"`, `Mo-Fr "open`, "Mo-Fr 8-18", "daily 10-12", "Mo-Fr 08:00-18:00 Sa 10:00-12:00",
		"Dec 24-20 off", "Dec 32 off", "2027 Dec 24-2026 Jan 1 off", "Dec 24-2026 Dec 26 off", "week 54", "Jan- off", "Montags geschlossen",
		strings.Repeat("Mo;", 100), strings.Repeat("a", 2000),
	} {
		if h, err := Parse(value); err == nil {
			t.Errorf("%q: got %+v, want an error", value, h)
		}
	}
}

// For every accepted value, the next change is after the time, the state differs then,
// and is constant before.
func FuzzParse(f *testing.F) {
	for _, value := range []string{
		"24/7", "Mo-Fr 08:00-12:00,13:00-18:00; Sa 10:00-14:00; PH off", "Fr,Sa 20:00-03:00", "Dec 24-26,31 off; week 1-53/2 Mo[1,-1] 10:00-12:00",
		`2026 May-Sep: Mo-Su 10:00-26:00, We 02:00+ "x"`, "2026 Dec 1-2027 Jan 31 Mo 10:00-12:00 unknown",
	} {
		f.Add(value, int64(1_795_000_000))
	}
	zones := []string{"Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia"}
	f.Fuzz(func(t *testing.T, value string, unix int64) {
		h, err := Parse(value)
		if err != nil {
			return
		}
		loc, _ := svc.Zone(zones[uint64(unix)%uint64(len(zones))])
		at := time.Unix(unix%4_000_000_000, 0).In(loc)
		isOpen, next, ok := h.At(at)
		if !ok || next.IsZero() {
			return
		}
		if !next.After(at) {
			t.Fatalf("%q at %v: got the next change %v, want a later time", value, at, next)
		}
		const samples = 50
		for i := range samples {
			sample := at.Add(next.Sub(at) / samples * time.Duration(i))
			if o, _, ok := h.At(sample); o != isOpen || !ok {
				t.Fatalf("%q at %v: got open %v, %v, want %v until %v", value, sample, o, ok, isOpen, next)
			}
		}
		if o, _, ok := h.At(next); ok && o == isOpen {
			t.Fatalf("%q at %v: got open %v, want a change", value, next, o)
		}
	})
}

func TestZone(t *testing.T) {
	for _, c := range []struct {
		name, country string
		point         geo.Point
		want          string
	}{
		{"a country with one zone", "MT", geo.Point{Latitude: 35.9, Longitude: 14.5}, "Europe/Malta"},
		{"a lower-case code", "dz", geo.Point{Latitude: 36.75, Longitude: 3.05}, "Africa/Algiers"},
		{"an unknown country", "", geo.Point{Latitude: 52.5, Longitude: 13.4}, "Europe/Berlin"},
		{"a country with several zones", "US", geo.Point{Latitude: 32.78, Longitude: -96.8}, "America/Chicago"},
		{"islands with another zone", "ES", geo.Point{Latitude: 28.1, Longitude: -15.4}, "Atlantic/Canary"},
		{"a zone with a former name", "UA", geo.Point{Latitude: 50.45, Longitude: 30.52}, "Europe/Kiev"},
		{"a map that contradicts the country", "ES", geo.Point{Latitude: 35.89, Longitude: -5.32}, ""},
	} {
		loc, ok := Zone(c.country, c.point)
		got := ""
		if ok {
			got = loc.String()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// Every zone of the table exists.
func TestZonesOfCountriesExist(t *testing.T) {
	countries, zones := zoneTable()
	if len(zones) < 240 {
		t.Errorf("got %d countries, want at least 240", len(zones))
	}
	for name := range countries {
		if _, ok := svc.Zone(name); !ok {
			t.Errorf("%s: got no zone", name)
		}
	}
}

func BenchmarkAt(b *testing.B) {
	for _, value := range []string{"24/7", "Mo-Fr 08:00-12:00,13:00-18:00; Sa 10:00-14:00; PH off", "May-Sep 10:00-20:00"} {
		b.Run(value, func(b *testing.B) {
			h, err := Parse(value)
			if err != nil {
				b.Fatal(err)
			}
			at := inBerlin(b, "2026-11-23 10:00")
			for b.Loop() {
				h.At(at)
			}
		})
	}
}
