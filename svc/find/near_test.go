package find

import (
	"strings"
	"testing"
)

// Covers B-45.
func TestSplitNear(t *testing.T) {
	for text, want := range map[string]string{
		"tea near Lisbon": "tea|Lisbon", "tea NEAR Lisbon": "tea|Lisbon", "bar near bridge near Porto": "bar near bridge|Porto", " a  near  b ": "a|b",
		"near Lisbon": "", "tea near": "", "tea near ": "", "tea nearby Lisbon": "", "linear near": "", "": "", " near ": "", "tee in Köln near Dom": "tee in Köln|Dom",
		"İ near İ": "İ|İ",
	} {
		term, place, ok := splitNear(text)
		if got := term + "|" + place; ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, ok, want)
		}
	}
}

// Both parts are parts of the text, without white space around them.
func FuzzSplitNear(f *testing.F) {
	f.Add("tea near Lisbon")
	f.Add("a NeAr  b near c")
	f.Fuzz(func(t *testing.T, text string) {
		term, place, ok := splitNear(text)
		if !ok {
			return
		}
		if term == "" || place == "" || strings.TrimSpace(term) != term || strings.TrimSpace(place) != place {
			t.Errorf("%q: got %q and %q, want trimmed texts", text, term, place)
		}
		if !strings.HasPrefix(strings.TrimSpace(text), term) || !strings.HasSuffix(strings.TrimSpace(text), place) {
			t.Errorf("%q: got %q and %q, want its beginning and its end", text, term, place)
		}
		if _, _, again := splitNear(" " + place + " "); again && strings.Contains(strings.ToLower(place), nearMark) {
			t.Errorf("%q: got the place %q, want the split at the last near", text, place)
		}
	})
}
