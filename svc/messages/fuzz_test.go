package messages

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever JSON says of recipients, names are what was sent or it is refused.
func FuzzRecipients(f *testing.F) {
	for _, text := range []string{`"bea"`, `7`, `[7, "bea", null]`, `null`, `true`, `{"id": 7}`, `[[7]]`, `1e400`, `"a, b;c"`, `[`, `""`, ` null`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r Recipients
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			return
		}
		var one string
		if json.Unmarshal([]byte(text), &one) == nil && strings.TrimSpace(text) != "null" && (len(r) != 1 || r[0] != one) {
			t.Errorf("%s is for %q", text, r)
		}
		for _, name := range r.names() {
			if !slices.ContainsFunc(r, func(sent string) bool { return strings.TrimSpace(sent) == name }) || name == "" {
				t.Errorf("%s names %q", text, name)
			}
		}
	})
}

// matchForm is what a question may become: words between quotes, and nothing
// else that was typed.
var matchForm = regexp.MustCompile(`^"7x[\pL\pN]+"( AND "7x[\pL\pN]+")* \*$`)

// Whatever is typed, FTS5 sees words alone, all of them the member's own; and
// whatever is written, an excerpt of it is text. What is found by such words
// is tested in package app.
func FuzzQuestion(f *testing.F) {
	for _, q := range []string{
		"hello", "Crème BRÛLÉE", `"`, `hello" OR "x`, "a AND b OR NOT c", "words:x", "NEAR(a b, 2)", "*", "^hello", "-x", "(", "9xsecret",
		"½ ㏂ ﷽ ﬁ", "İı", "e\u0301", "日本語", "\u0301", "\xff", "a\x00b", strings.Repeat("long", 40), "😀", "a_b-c'd",
	} {
		f.Add(q, "Hello, crème brûlée! "+q)
	}
	f.Fuzz(func(t *testing.T, q, body string) {
		asked := ask(q)
		if len(asked) == 0 {
			return
		}
		if match := asked.match(7); !matchForm.MatchString(match) {
			t.Errorf("%q is asked as %s", q, match)
		}
		if excerpt := asked.excerpt(body); utf8.ValidString(body) && !utf8.ValidString(excerpt) || utf8.RuneCountInString(excerpt) > excerptLength+2 {
			t.Errorf("%q is found in %q as %q", q, body, excerpt)
		}
		for _, indexed := range strings.Fields(indexed(body, 7, 8)) {
			if !strings.HasPrefix(indexed, "7x") && !strings.HasPrefix(indexed, "8x") {
				t.Errorf("%q is indexed with %q", body, indexed)
			}
		}
	})
}

func TestExcerpts(t *testing.T) {
	long := strings.Repeat("before ", 20) + "the needle\n\tis here " + strings.Repeat("after ", 60)
	for _, c := range []struct{ q, body, want string }{
		{"hello", "Hello\n  world", "Hello world"},
		{"need", long, "…" + strings.Repeat("before ", 5) + "the needle is here " + strings.Repeat("after ", 17) + "af…"},
		{"zwölf", "um ZWOLF Uhr", "um ZWOLF Uhr"},
	} {
		got := ask(c.q).excerpt(c.body)
		if got != c.want {
			t.Errorf("%q in %.20q…: %q, want %q", c.q, c.body, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > excerptLength+2 {
			t.Errorf("an excerpt of %d characters", n)
		}
	}
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"Hello, World!": "hello world", "Crème brûlée": "creme brulee", "cre\u0300me": "creme", "ＡＢＣ ﬁne": "abc fine", "a_b-c.d": "a b c d",
		"Straße STRASSE": "straße strasse", "x\u0000y": "x y", "\u0301 \u200d": "", "٣ ½ x²": "٣ 12 x2", "Ελλάδα": "ελλαδα",
		strings.Repeat("a", 100): strings.Repeat("a", maxWord),
	} {
		var got []string
		for w := range words(text) {
			got = append(got, w.folded)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
	if got, want := indexed("Hello hello you", 1, 2), "1xhello 2xhello 1xyou 2xyou "; got != want {
		t.Errorf("indexed as %q, want %q", got, want)
	}
}
