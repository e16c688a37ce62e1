package words

import (
	"testing"
	"time"
)

func TestDateIsFormattedInTheLanguage(t *testing.T) {
	at := time.Date(2026, time.March, 3, 19, 5, 0, 0, time.UTC)
	for _, c := range []struct{ layout, english, german string }{
		{"2 January 2006, 15:04", "3 March 2026, 19:05", "3. März 2026, 19:05"},
		{"Monday, 2 January 2006", "Tuesday, 3 March 2026", "Dienstag, 3. März 2026"},
		{"Mon 2 Jan 15:04", "Tue 3 Mar 19:05", "Di 3. Mär 19:05"},
		{"January 2006", "March 2026", "März 2026"},
		{"2006-01-02", "2026-03-03", "2026-03-03"},
	} {
		if english, german := English.Date(at, c.layout), German.Date(at, c.layout); english != c.english || german != c.german {
			t.Errorf("%s: got %q and %q, want %q and %q", c.layout, english, german, c.english, c.german)
		}
	}
	for month := time.January; month <= time.December; month++ {
		first := time.Date(2026, month, 1, 0, 0, 0, 0, time.UTC)
		if short, long := German.Date(first, "Jan"), German.Date(first, "January"); []rune(short)[0] != []rune(long)[0] {
			t.Errorf("month %d: got %q and %q", month, short, long)
		}
	}
}
