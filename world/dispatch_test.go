package world

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Names are the same, be they sent as a list or as a text.
func FuzzNames(f *testing.F) {
	for _, seed := range []string{`"a b"`, `["a", "b c"]`, `[]`, `""`, `null`, `7`, `[[]]`, `"\u2028a"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n Names
		if json.Unmarshal([]byte(text), &n) != nil {
			return
		}
		if slices.ContainsFunc(n, func(name string) bool { return name == "" || len(strings.Fields(name)) != 1 }) {
			t.Fatalf("%s has %q", text, n)
		}
		for _, same := range []any{[]string(n), strings.Join(n, " ")} {
			again, _ := json.Marshal(same)
			var m Names
			if err := json.Unmarshal(again, &m); n != nil && (err != nil || !slices.Equal(m, n)) {
				t.Errorf("%s is %q, and %s is %q (%v)", text, n, again, m, err)
			}
		}
	})
}
