package config

import (
	"testing"

	"github.com/BurntSushi/toml"
)

// The line that a message suggests is a valid setting with a text.
func FuzzSuggestedLineIsValid(f *testing.F) {
	for _, line := range []string{"listen: 0.0.0.0:80", "server-name = “Home”", `base-url = "https://a.example`, "a = \\", "log = open", "x = \x00", "a=\xff", "= b"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		reason, remedy := explainLine(line)
		if reason == "" {
			return
		}
		var values map[string]string
		if _, err := toml.Decode(remedy, &values); err != nil || len(values) != 1 {
			t.Errorf("%q: got the suggestion %q (%v), want one setting", line, remedy, err)
		}
	})
}
