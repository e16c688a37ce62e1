package fold_test

import (
	"slices"
	"strings"
	"testing"

	"appliance/svc/maps/fold"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Ħaġar Qim":               "hagar qim",
		"St. John's Co-Cathedral": "st john co cathedral",
		"St John’s":               "st john",
		"L'Hôpital d'Œuvres":      "l hopital d oeuvres",
		"Hauptstraße 12a":         "hauptstrasse 12a",
		"ÆRØ Łódź Đà Nẵng":        "aero lodz da nang",
		"東京駅 Tokyo":               "東 京 駅 tokyo",
		"'s":                      "s",
		"Cafe\u0301":              "cafe",
		"ＦＵＬＬ width":              "full width",
		"Αθήνα Ёлка":              "αθηνα елка",
		" \t-/…":                  "",
		strings.Repeat("a", 100):  strings.Repeat("a", 60),
		"x" + "\xff" + "y":        "x y",
	} {
		if got := strings.Join(fold.Words(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzWords checks that words are tokens of the index: not empty, of limited length,
// without ASCII characters but lower-case letters and digits, and that they are
// their own words.
func FuzzWords(f *testing.F) {
	for _, text := range []string{"Ħaġar Qim", "St. John's", "東京駅", "\"a\" OR b*", "½ ﬁ ẞ İ", "a\x00b", "\u0345\u0301", "Ǆ ǅ ǆ", "ᾳ ᾼ"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := fold.Words(text)
		for _, word := range list {
			if word == "" || len(word) > 70 {
				t.Fatalf("%q: got the word %q", text, word)
			}
			for _, r := range word {
				if r < 0x80 && !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') {
					t.Fatalf("%q: got %q with the character %q", text, word, r)
				}
			}
		}
		if again := fold.Words(strings.Join(list, " ")); !slices.Equal(again, list) {
			t.Fatalf("%q: got %q, and %q of those", text, list, again)
		}
	})
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"valletta", "valletta", 2, 0}, {"valeta", "valletta", 2, 2}, {"vallteta", "valletta", 2, 1}, {"abc", "abd", 1, 1}, {"abc", "xyz", 2, 3}, {"a", "abcd", 2, 3},
		{"", "ab", 2, 2}, {"ca", "abc", 3, 3}, {"żeb", "zeb", 1, 1},
	} {
		if got := fold.Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%s, %s: got %d, want %d", c.a, c.b, got, c.want)
		}
		if got := fold.Distance(c.b, c.a, c.limit); got != c.want {
			t.Errorf("%s, %s: got %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

func TestMaxTypos(t *testing.T) {
	for word, want := range map[string]int{"abc": 0, "abcd": 1, "abcdef": 2, "żeżeż": 1} {
		if got := fold.MaxTypos(word); got != want {
			t.Errorf("%s: got %d, want %d", word, got, want)
		}
	}
}
