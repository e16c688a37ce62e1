package words

import (
	"strings"
	"testing"
	"time"
)

// The formats of the region that a member has chosen apply in any language, and those of the
// locale without such a choice.
func TestFormatsOfTheRegion(t *testing.T) {
	at := time.Date(2026, time.December, 1, 14, 30, 0, 0, time.UTC)
	for _, c := range []struct{ locale, formats, long, short, number string }{
		{"en", "", "Tuesday, 1 December 2026, 14:30", "Tue 1 Dec 14:30", "1.5"},
		{"en", "en-GB", "Tuesday, 1 December 2026, 14:30", "Tue 1 Dec 14:30", "1.5"},
		{"en", "en-US", "Tuesday, December 1, 2026, 2:30 PM", "Tue Dec 1 2:30 PM", "1.5"},
		{"en-US", "", "Tuesday, December 1, 2026, 2:30 PM", "Tue Dec 1 2:30 PM", "1.5"},
		{"en-US", "en-DE", "Tuesday, 1 December 2026, 14:30", "Tue 1 Dec 14:30", "1,5"},
		{"en", "de-DE", "Tuesday, 1 December 2026, 14:30", "Tue 1 Dec 14:30", "1,5"},
		{"en", "en-CA", "Tuesday, December 1, 2026, 2:30 p.m.", "Tue Dec 1 2:30 p.m.", "1.5"},
		{"en", "en-AU", "Tuesday, 1 December 2026, 2:30 pm", "Tue 1 Dec 2:30 pm", "1.5"},
		{"en", "en-FI", "Tuesday, 1 December 2026, 14.30", "Tue 1 Dec 14.30", "1,5"},
		{"de", "", "Dienstag, 1. Dezember 2026, 14:30", "Di 1. Dez 14:30", "1,5"},
		{"de", "de-CH", "Dienstag, 1. Dezember 2026, 14:30", "Di 1. Dez 14:30", "1.5"},
		{"de-CH", "de", "Dienstag, 1. Dezember 2026, 14:30", "Di 1. Dez 14:30", "1.5"},
		{"de", "ja-JP", "Dienstag, 1. Dezember 2026, 14:30", "Di 1. Dez 14:30", "1,5"},
		{"fr", "en-US", "Tuesday, December 1, 2026, 2:30 PM", "Tue Dec 1 2:30 PM", "1.5"},
	} {
		l := WithFormats(c.locale, c.formats)
		long, short, number := l.Date(at, "Monday, 2 January 2006, 15:04"), l.Date(at, "Mon 2 Jan 15:04"), l.Decimal(1.5, 1)
		if long != c.long || short != c.short || number != c.number {
			t.Errorf("locale %q, formats %q: got %q, %q and %q, want %q, %q and %q", c.locale, c.formats, long, short, number, c.long, c.short, c.number)
		}
	}
	if got := WithFormats("en-GB", ""); got != English {
		t.Errorf("got %v for a region with the formats of English, want %v", got, English)
	}
}

// The example of a region has its formats, whatever the region of the reader.
func TestExamplesOfRegions(t *testing.T) {
	for _, l := range []Language{English, WithFormats("en", "en-DE")} {
		for region, want := range map[string]string{
			"AT": "Austria: 3 December 2026, 14:30, 1.234,5",
			"CA": "Canada: December 3, 2026, 2:30 p.m., 1,234.5",
			"GB": "United Kingdom: 3 December 2026, 14:30, 1,234.5",
		} {
			if got := strings.ReplaceAll(l.Example(region), "\u00a0", " "); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}

// Dates are formatted for every entry of a list.
func TestDateAllocatesLittle(t *testing.T) {
	at := time.Date(2026, time.December, 1, 14, 30, 0, 0, time.UTC)
	for l, want := range map[Language]float64{English: 1, German: 5, WithFormats("en", "en-DE"): 1, WithFormats("en", "en-US"): 3} {
		if got := testing.AllocsPerRun(100, func() { l.Date(at, "2 January 2006, 15:04") }); got > want {
			t.Errorf("%v: got %v allocations, want at most %v", l, got, want)
		}
	}
}
