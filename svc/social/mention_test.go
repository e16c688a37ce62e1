package social

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestMentionsAreUsernamesAfterAnAt(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "[]",
		"@bea":                          "[[bea]]",
		"Hello @Bea, @cid.d and (@ann)": "[[bea] [cid.d] [ann]]",
		"Ask @bea.":                     "[[bea. bea]]",
		"Ask @bea...":                   "[[bea... bea]]",
		"bea@example.org, me@@bea":      "[]",
		"é@bea":                         "[]",
		"@ @b @-":                       "[]",
		"@a_b-c\n@bea":                  "[[a_b-c] [bea]]",
		"@" + strings.Repeat("a", 33):   "[]",
	} {
		if got := fmt.Sprint(mentions(text)); got != want {
			t.Errorf("%q: got mentions %s, want %s", text, got, want)
		}
	}
}

// Any text has at most maxMentions mentions, each a possible user name that
// follows an @ in the text.
func FuzzMentions(f *testing.F) {
	f.Add("@bea, @Cid. and bea@example.org")
	f.Add(strings.Repeat("@bea ", 30))
	username := regexp.MustCompile(`^[a-z0-9._-]{2,32}$`)
	f.Fuzz(func(t *testing.T, text string) {
		list := mentions(text)
		if len(list) > maxMentions {
			t.Errorf("%q: got %d mentions, want at most %d", text, len(list), maxMentions)
		}
		for _, name := range slices.Concat(list...) {
			if !username.MatchString(name) || !strings.Contains(asciiLower(text), "@"+name) {
				t.Errorf("%q: got mention %q, want a user name after an @", text, name)
			}
		}
	})
}

// asciiLower converts ASCII letters to lower case. strings.ToLower also converts
// letters such as the Kelvin sign to ASCII letters.
func asciiLower(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
