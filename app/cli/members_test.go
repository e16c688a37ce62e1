package cli

import "testing"

func TestNamesWithInvisibleCharactersAreQuoted(t *testing.T) {
	for name, want := range map[string]string{
		"Ann-Sophie Müller 🌻": "Ann-Sophie Müller 🌻",
		"Ann\u202ecod":        `"Ann\u202ecod"`,
		"a\x1b[2Jb":           `"a\x1b[2Jb"`,
		"a\tb":                `"a\tb"`,
	} {
		if got := printableName(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}
