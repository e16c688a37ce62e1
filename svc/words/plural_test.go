package words

import (
	"testing"

	"golang.org/x/text/language"
)

// The case of a plural follows the rules of the language, so that a catalog can have any of them.
func TestPluralsFollowTheRulesOfTheLanguage(t *testing.T) {
	const (
		english = "{0, plural, =0 {No files} one {# file} other {# files}}"
		polish  = "{0, plural, =0 {Brak plików} one {# plik} few {# pliki} many {# plików} other {# pliku}}"
		arabic  = "{0, plural, zero {zero} one {one} two {two} few {few #} many {many #} other {other #}}"
		nested  = "%[1]q: {1, plural, one {# day} other {# days}}{2, plural, =0 {} other {, {2, plural, one {# hour} other {# hours}}}}"
	)
	for _, c := range []struct {
		tag, format string
		args        []any
		want        string
	}{
		{"en", english, []any{0}, "No files"}, {"en", english, []any{1}, "1 file"}, {"en", english, []any{int64(2)}, "2 files"}, {"en", english, []any{-1}, "-1 file"},
		{"pl", polish, []any{0}, "Brak plików"}, {"pl", polish, []any{1}, "1 plik"}, {"pl", polish, []any{22}, "22 pliki"}, {"pl", polish, []any{12}, "12 plików"},
		{"pl", polish, []any{25}, "25 plików"}, {"ar", arabic, []any{0}, "zero"}, {"ar", arabic, []any{1}, "one"}, {"ar", arabic, []any{2}, "two"},
		{"ar", arabic, []any{103}, "few 103"}, {"ar", arabic, []any{11}, "many 11"}, {"ar", arabic, []any{100}, "other 100"},
		{"en", nested, []any{"a {b}", 1, 0}, `"a {b}": 1 day`}, {"en", nested, []any{"#", 2, 1}, `"#": 2 days, 1 hour`},
		{"en", "proxy {host} and {0} stay, %d of {9, plural, other {#}}", []any{3}, "proxy {host} and {0} stay, 3 of {9, plural, other {#}}"},
	} {
		got := formatText(language.Make(c.tag), c.format, c.args)
		if got != c.want {
			t.Errorf("%s %q with %v: got %q, want %q", c.tag, c.format, c.args, got, c.want)
		}
	}
}

// A case may leave out the number, and a text has the case of the reader's language.
func TestTextsHavePlurals(t *testing.T) {
	results := func(n int) Text { return Textf("{0, plural, =0 {No results} one {# result} other {# results}}", n) }
	for n, want := range map[int][2]string{0: {"No results", "Keine Ergebnisse"}, 1: {"1 result", "1 Ergebnis"}, 2: {"2 results", "2 Ergebnisse"}} {
		if english, german := results(n).In(English), results(n).In(German); english != want[0] || german != want[1] {
			t.Errorf("%d: got %q and %q, want %q", n, english, german, want)
		}
	}
}
