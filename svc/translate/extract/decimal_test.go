package extract

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"appliance/svc/translate/schemaorg"
)

func TestPriceIsAnAmountOrALabel(t *testing.T) {
	for _, c := range []struct{ text, code, want string }{
		{"12", "EUR", "12 EUR"},
		{"12.50", "EUR", "12.50 EUR"},
		{"12,50 €", "", "12.50 EUR"},
		{"$1,234.50", "", "1234.50"},
		{"US$ 12", "", "12 USD"},
		{"1.234,50", "EUR", "1234.50 EUR"},
		{"1.200", "EUR", "1200 EUR"},
		{"1'234.50 CHF", "", "1234.50 CHF"},
		{"0.500", "KWD", "0.500 KWD"},
		{"EUR 7", "", "7 EUR"},
		{"12.00", "", "12"},
		{"Free – 15", "", "Free – 15"},
		{"from 15 €", "", "from 15 €"},
		{"15 Euro", "", "15"},
		{"1.200,-", "EUR", "1200 EUR"},
		{"5–15 €", "", "5–15 €"},
		{"Free", "", "Free"},
		{"-5", "", "-5"},
		{"", "", ""},
		{"123456789012345678901234567890", "", "123456789012345678901234567890"},
	} {
		got := ""
		if p, ok := price(c.text, c.code); ok {
			got = p.line()
		}
		if got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRatingsAreNormalized(t *testing.T) {
	for _, c := range []struct{ value, best, count, want string }{
		{"4.5", "5", "12", "4.5 of 5 (12 ratings)"},
		{"4,5", "", "1", "4.5 (1 rating)"},
		{"5 Stars", "", "1,234", "5 (1234 ratings)"},
		{"4.5/5", "", "3", "4.5 of 5 (3 ratings)"},
		{"87", "100", "3", "87 of 100 (3 ratings)"},
		{"90%", "", "3", "90 of 100 (3 ratings)"},
		{"4.666666667", "5", "3", "4.67 of 5 (3 ratings)"},
		{"6", "5", "3", ""},
		{"0", "5", "0", ""},
		{"good", "5", "3", ""},
		{"4-5", "5", "3", ""},
	} {
		n := node("AggregateRating", "ratingValue", c.value, "bestRating", c.best, "ratingCount", c.count)
		if got := newReader(&pageInput{}).rating(n, "ratingCount").line(); got != c.want {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
		}
	}
}

// node returns a node with texts.
func node(name string, pairs ...string) *schemaorg.Node {
	n := &schemaorg.Node{Types: []string{name}, Properties: make(map[string][]schemaorg.Value)}
	for i := 0; i < len(pairs); i += 2 {
		n.Properties[pairs[i]] = append(n.Properties[pairs[i]], schemaorg.Value{Text: pairs[i+1]})
	}
	return n
}

// An amount is a JSON number that is not negative.
func FuzzPrice(f *testing.F) {
	for _, text := range []string{"12,50 €", "$1,234.50", "1'234.50 CHF", "Free – 15", "0.500", "1.200,-", "½", "1e9"} {
		f.Add(text, "EUR")
	}
	f.Fuzz(func(t *testing.T, text, code string) {
		p, ok := price(text, currency(code))
		if !ok {
			return
		}
		if p.Amount == "" && p.Label == "" {
			t.Fatalf("%q: got an empty price", text)
		}
		if c := p.Currency; c != "" && (len(c) != 3 || c < "AAA" || c > "ZZZ") {
			t.Fatalf("%q %q: got the currency %q, want three letters", text, code, c)
		}
		if p.Amount == "" {
			return
		}
		value, err := strconv.ParseFloat(p.Amount, 64)
		if err != nil || !json.Valid([]byte(p.Amount)) || value < 0 || math.IsInf(value, 0) {
			t.Fatalf("%q: got the amount %q, want a number", text, p.Amount)
		}
	})
}
