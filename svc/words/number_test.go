package words

import "testing"

func TestDecimalSeparatorOfTheLanguage(t *testing.T) {
	for _, c := range []struct {
		x               float64
		digits          int
		english, german string
	}{{1.25, 1, "1.2", "1,2"}, {1234.5, 1, "1234.5", "1234,5"}, {3, 0, "3", "3"}, {-0.5, 2, "-0.50", "-0,50"}} {
		if english, german := English.Decimal(c.x, c.digits), German.Decimal(c.x, c.digits); english != c.english || german != c.german {
			t.Errorf("%v with %d digits: got %q and %q, want %q and %q", c.x, c.digits, english, german, c.english, c.german)
		}
	}
}
