package world

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"appliance/svc"
)

// An action_id is read as what it was made of, and by nobody but its member.
// Covers W-150 as far as ids go.
func FuzzActionID(f *testing.F) {
	n := names{[]byte("the key of a server")}
	f.Add(n.action("focus", "time.task.tob_1", 1), int64(1))
	f.Add(n.action("clear", "", 2), int64(2))
	f.Add("act_focus_x_aaaaaaaaaaaaaaaa", int64(1))
	f.Add("act__", int64(1))
	f.Fuzz(func(t *testing.T, id string, number int64) {
		member := svc.MemberID(number)
		code, resource, ok := n.parse(id, member)
		if ok && n.action(code, resource, member) != id {
			t.Errorf("%q is read as %q of %q", id, code, resource)
		}
		if _, _, others := n.parse(id, member+1); ok && others {
			t.Errorf("%q is two members'", id)
		}
		if s := (Source{"service", "find", "place", id}); strings.ContainsAny(n.resource(s), "/?#%\x00 ") {
			t.Errorf("%q is called %q", id, n.resource(s))
		}
		resource = n.resource(Source{"service", "time", "task", id})
		made := n.action("focus", resource, member)
		if code, again, ok := n.parse(made, member); !ok || code != "focus" || again != resource {
			t.Errorf("%q is read as %q of %q", made, code, again)
		}
	})
}

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
