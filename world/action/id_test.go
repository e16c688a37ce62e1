package action

import (
	"strings"
	"testing"

	"appliance/svc"
)

// FuzzActionID checks that Parse returns the code and the resource of an
// action_id, and accepts it only for its member. Covers W-150 for ids.
func FuzzActionID(f *testing.F) {
	n := Namer{[]byte("key of a server")}
	f.Add(n.ActionID("focus", "time.task.tob_1", 1), int64(1))
	f.Add(n.ActionID("clear", "", 2), int64(2))
	f.Add("act_focus_x_aaaaaaaaaaaaaaaa", int64(1))
	f.Add("act__", int64(1))
	f.Fuzz(func(t *testing.T, id string, number int64) {
		member := svc.MemberID(number)
		code, resource, ok := n.Parse(id, member)
		if ok && n.ActionID(code, resource, member) != id {
			t.Errorf("Parse(%q): got %q and %q, whose action_id differs", id, code, resource)
		}
		if _, _, others := n.Parse(id, member+1); ok && others {
			t.Errorf("Parse(%q): accepted for two members", id)
		}
		if s := (Source{Kind: "service", Service: "find", ResourceType: "place", ResourceID: id}); strings.ContainsAny(n.Resource(s), "/?#%\x00 ") {
			t.Errorf("Resource of %q: got %q, want no characters that a URL escapes", id, n.Resource(s))
		}
		if s := (Source{Kind: "provider", Provider: "library", SourceType: id, SourceID: id}); strings.ContainsAny(n.Resource(s), "/?#%\x00 ") {
			t.Errorf("Resource of %q at a provider: got %q, want no characters that a URL escapes", id, n.Resource(s))
		}
		resource = n.Resource(Source{Kind: "service", Service: "time", ResourceType: "task", ResourceID: id})
		actionID := n.ActionID("focus", resource, member)
		if code, again, ok := n.Parse(actionID, member); !ok || code != "focus" || again != resource {
			t.Errorf("Parse(%q): got %q and %q, want focus and %q", actionID, code, again, resource)
		}
	})
}
