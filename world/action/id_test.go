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

// The actions on a resource that have routes of their own share one hash, so that their
// ids compress. No such id can be dispatched.
func TestRoutedActionIDsShareAHash(t *testing.T) {
	n := Namer{[]byte("key of a server")}
	hash := func(id string) string { return id[strings.LastIndexByte(id, '_')+1:] }
	open, update := n.RoutedActionID("time_open", "tob_1", 1), n.RoutedActionID("time_update", "tob_1", 1)
	if open == update || hash(open) != hash(update) {
		t.Errorf("got %s and %s, want different codes and the same hash", open, update)
	}
	for name, other := range map[string]string{
		"another member": n.RoutedActionID("time_open", "tob_1", 2), "another resource": n.RoutedActionID("time_open", "tob_2", 1), "a dispatched action": n.ActionID("time_open", "tob_1", 1),
	} {
		if hash(other) == hash(open) {
			t.Errorf("%s: got the hash of %s, want another one", name, open)
		}
	}
	for _, code := range []string{FocusCode, RemoveCode} {
		if _, _, ok := n.Parse(n.RoutedActionID(code, "tob_1", 1), 1); ok {
			t.Errorf("Parse of the routed id of %s: accepted, want it rejected", code)
		}
	}
}
