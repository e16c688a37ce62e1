package messages

import (
	"strings"
	"testing"
)

func TestTokensAreFolded(t *testing.T) {
	for text, want := range map[string]string{
		"Hello, World!": "hello world", "Crème brûlée": "creme brulee", "cre\u0300me": "creme", "ＡＢＣ ﬁne": "abc fine", "a_b-c.d": "a b c d",
		"Straße STRASSE": "straße strasse", "x\u0000y": "x y", "\u0301 \u200d": "", "٣ ½ x²": "٣ 12 x2", "Ελλάδα": "ελλαδα",
		strings.Repeat("a", 100): strings.Repeat("a", maxTokenLength),
	} {
		var got []string
		for t := range tokens(text) {
			got = append(got, t.folded)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got the tokens %q, want %q", text, got, want)
		}
	}
}

func TestIndexTermsAreDistinctPerMember(t *testing.T) {
	if got, want := indexTerms("Hello hello you", 1, 2), "1xhello 2xhello 1xyou 2xyou "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
