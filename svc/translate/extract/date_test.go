package extract

import (
	"testing"
	"time"
)

func TestParseMomentAcceptsUnambiguousDates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"2026-01-02", "2026-01-02"},
		{"2026-1-2", "2026-01-02"},
		{"2026/01/02", "2026-01-02"},
		{"20260102", "2026-01-02"},
		{"2026-01-02+02:00", "2026-01-02"},
		{"2026-01-02T15:04", "2026-01-02T15:04:00"},
		{"2026-01-02 15:04:05", "2026-01-02T15:04:05"},
		{"2026-01-02T15:04:05.123", "2026-01-02T15:04:05"},
		{"2017-11-03 03:01:00.000000", "2017-11-03T03:01:00"},
		{"2026-01-02T15:04:05Z", "2026-01-02T15:04:05Z"},
		{"2026-01-02T15:04:05+02:00", "2026-01-02T15:04:05+02:00"},
		{"2026-01-02T15:04:05+0200", "2026-01-02T15:04:05+02:00"},
		{"2026-01-02T15:04+02", "2026-01-02T15:04:00+02:00"},
		{"2026-01-02T15:04:05 -0500", "2026-01-02T15:04:05-05:00"},
		{"2026-01-02 15:04:05 UTC", "2026-01-02T15:04:05Z"},
		{"20260102T150405Z", "2026-01-02T15:04:05Z"},
		{"2026-01-02T24:00", "2026-01-03T00:00:00"},
		{"2026-01-02 3:04 PM", "2026-01-02T15:04:00"},
		{"January 2, 2026", "2026-01-02"},
		{"Jan 2nd, 2026 at 3:04 pm", "2026-01-02T15:04:00"},
		{"Friday, January 2, 2026", "2026-01-02"},
		{"2 January 2026", "2026-01-02"},
		{"02-Jan-2026", "2026-01-02"},
		{"2. März 2026, 15:04 Uhr", "2026-03-02T15:04:00"},
		{"2 de mayo de 2026", "2026-05-02"},
		{"2 août 2026", "2026-08-02"},
		{"Fri, 02 Jan 2026 15:04:05 GMT", "2026-01-02T15:04:05Z"},
		{"Fri, 02 Jan 2026 15:04:05 +0100", "2026-01-02T15:04:05+01:00"},
		{"Fri Jan 02 2026 15:04:05 GMT+0100 (Central European Standard Time)", "2026-01-02T15:04:05+01:00"},
		{"Jan 2, 2026 3:04 PM EST", "2026-01-02T15:04:00"},
		{"02.01.2026", "2026-01-02"},
		{"2.1.2026 15:04", "2026-01-02T15:04:00"},
		{"31/12/2026", "2026-12-31"},
		{"12/31/2026", "2026-12-31"},
		{"1767366245", "2026-01-02T15:04:05Z"},
		{"1767366245000", "2026-01-02T15:04:05Z"},
		{" 2026-01-02 ", "2026-01-02"},
		// not a date, ambiguous, or incomplete
		{"03/04/2026", ""}, {"2026-02-30", ""}, {"2026-13-01", ""}, {"2026-01", ""}, {"2026", ""}, {"12345", ""}, {"tomorrow", ""}, {"", ""},
		{"2026-01-02T25:00", ""}, {"2026-01-02T15:61", ""}, {"0001-01-01T00:00:00Z", ""}, {"9999-12-31", ""}, {"2026-01-02/2026-01-05", ""}, {"P3D", ""},
		{"2026-01-02T13:00 PM", ""}, {"[object Object]", ""}, {"{{date}}", ""},
	} {
		got := ""
		if m, ok := parseMoment(c.text); ok {
			got = m.String()
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

// The year of a parsed date is in range, and parsing its String returns the same date.
func FuzzParseMoment(f *testing.F) {
	for _, text := range []string{
		"2026-01-02T15:04:05+02:00", "Fri Jan 02 2026 15:04:05 GMT+0100 (CET)", "2. März 2026, 15:04 Uhr", "31/12/2026", "1767366245", "20260102T150405Z", "Jan 2nd, 2026 at 12:04 am",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, ok := parseMoment(text)
		if !ok {
			return
		}
		if m.Year() < minYear-1 || m.Year() > maxYear+1 {
			t.Fatalf("%q: got %v, want a year from %d to %d", text, m, minYear, maxYear)
		}
		again, ok := parseMoment(m.String())
		if !ok || again.String() != m.String() || m.hasTime && !again.Equal(m.Time) {
			t.Fatalf("%q: got %v, then %v, want the same", text, m, again)
		}
		if !m.end().After(m.Add(-time.Nanosecond)) {
			t.Fatalf("%q: got the end %v before %v", text, m.end(), m.Time)
		}
	})
}
