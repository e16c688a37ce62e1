package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// What is translated is the dataset with hints: the same objects, actions,
// contexts and fallbacks. Covers W-110, W-111, W-112, W-113, W-114, W-115,
// W-116, W-118, W-49, W-51, X-02 and B-26.
func TestTranslated(t *testing.T) {
	s := newStreet(t)
	s.ann.settle()
	s.bea.tell("ann", "Hello")
	for _, c := range []*client{s.ann, s.member("eve")} {
		c = c.runtime()
		real, a := c.do("GET", "/world/runtime").want(200), c.do("GET", "/world/translated").want(200)
		a.fits("service.home.runtime.translated", a.at(""))
		for path, want := range map[string]any{
			"contract.name": "service.home.runtime", "contract.version": 2.0, "contract.translator": "expanded_screen",
			"workspace.selected_message_thread": nil,
		} {
			if a.at(path) != want {
				t.Errorf("%s is %v", path, a.at(path))
			}
		}
		if top := a.at("").(map[string]any); len(top) != 9 {
			t.Errorf("%d parts", len(top))
		}
		for _, part := range []string{"capabilities", "contexts", "field", "fallbacks", "workspace.focus", "workspace.order", "workspace.placement"} {
			if fmt.Sprint(a.at(part)) != fmt.Sprint(real.at(part)) {
				t.Errorf("%s is\n%v, and in the dataset\n%v", part, a.at(part), real.at(part))
			}
		}
		objects := make(map[any]any)
		for i, o := range a.list("objects") {
			for _, key := range []string{"world_object_id", "object_type", "source", "title", "summary", "state", "permissions", "actions", "relationships"} {
				if fmt.Sprint(dig(o, key)) != fmt.Sprint(dig(real.list("objects")[i], key)) {
					t.Errorf("%s of an object is %v", key, dig(o, key))
				}
			}
			if dig(o, "presentation.icon") == "object" || !slices.Contains([]any{"normal", "high"}, dig(o, "presentation.emphasis")) {
				t.Errorf("a %v is shown as %v", dig(o, "object_type"), dig(o, "presentation"))
			}
			objects[dig(o, "world_object_id")] = dig(o, "presentation.group")
		}
		grouped := 0
		for _, g := range a.list("presentation.groups") {
			for _, id := range dig(g, "object_ids").([]any) {
				grouped++
				if objects[id] != dig(g, "group_id") {
					t.Errorf("%v is in the group %v, and says %v", id, dig(g, "group_id"), objects[id])
				}
			}
		}
		if grouped != len(objects) || len(objects) != len(real.list("objects")) || len(objects) == 0 {
			t.Errorf("%d grouped of %d objects, of %d", grouped, len(objects), len(real.list("objects")))
		}
		for i, action := range a.list("actions") {
			for _, key := range []string{"action_id", "type", "label", "target", "method", "command", "controls", "availability", "fallback"} {
				got, there := action.(map[string]any)[key]
				want := fmt.Sprint(dig(real.list("actions")[i], key))
				if key == "command" && strings.HasPrefix(dig(action, "type").(string), "set_field") {
					want = strings.Replace(want, "/world/runtime?", "/world/translated?", 1)
				}
				if !there || fmt.Sprint(got) != want {
					t.Errorf("%s of an action is %v, and in the dataset %s", key, got, want)
				}
			}
		}
		if real.str("contract.name") == a.str("contract.name") || strings.Contains(real.body, "translator") {
			t.Error("the dataset says that it is translated")
		}
	}
}

// From a context to a thread, and an answer in it, by what is published alone.
// Covers W-114, W-115 and W-49.
func TestThreadsAreReachedFromWhatIsTranslated(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	bea.tell("ann", "Hello")
	a := ann.runtime().do("GET", "/world/translated").want(200)
	actions, objects := make(map[any]any), make(map[any]any)
	for _, action := range a.list("actions") {
		actions[dig(action, "action_id")] = action
	}
	for _, o := range a.list("objects") {
		objects[dig(o, "world_object_id")] = o
	}
	sent := false
	for _, c := range a.list("contexts") {
		if dig(c, "context_id") != "ctx_messages" {
			continue
		}
		item := dig(c, "items.0")
		if o := objects[dig(item, "target.world_object_id")]; dig(o, "object_type") != "message_thread" || dig(o, "title") != "Bea" {
			t.Errorf("the context leads to %v", o)
		}
		for _, id := range dig(item, "action_ids").([]any) {
			action := actions[id]
			body := map[string]any{}
			for _, control := range dig(action, "controls").([]any) {
				body[dig(control, "id").(string)] = "And to you"
			}
			done := ann.do(dig(action, "command.method").(string), dig(action, "command.url").(string), body)
			if done.status >= 300 {
				t.Errorf("%v: %s", action, done.body)
			}
			sent = sent || dig(action, "type") == "send_message"
		}
	}
	if got := bea.do("GET", "/world/messages").str("threads.0.summary"); !sent || got != "And to you" {
		t.Errorf("bea reads %q", got)
	}
}

// A member selects their own threads alone. Covers W-116, and B-51 as far as
// this answer goes.
func TestSelectingAThread(t *testing.T) {
	h := open(t)
	ann, bea, cem := h.member("ann").runtime(), h.member("bea"), h.member("cem").runtime()
	bea.tell("ann", "Hello")
	id := ann.do("GET", "/world/messages").str("threads.0.id")
	a := ann.do("GET", "/world/translated?thread="+id).want(200)
	a.fits("service.home.runtime.translated", a.at(""))
	a.fits("service.messages.thread", a.at("workspace.selected_message_thread"))
	if a.str("workspace.selected_message_thread.id") != id || a.at("workspace.selected_message_thread.unread_count") != 1.0 {
		t.Errorf("selected is %v", a.at("workspace.selected_message_thread"))
	}
	none := cem.do("GET", "/world/translated?thread=thr_none").refused(404, "not_found")
	if others := cem.do("GET", "/world/translated?thread="+id).refused(404, "not_found"); others.str("error.message") != none.str("error.message") {
		t.Errorf("a thread of others is told from none: %s", others.body)
	}
	off := open(t, func(s *Settings) { s.ServicesOff = []string{"messages"} })
	if a := off.member("ann").runtime().do("GET", "/world/translated?thread="+id).want(200); a.at("workspace.selected_message_thread") != nil {
		t.Error("a thread is selected that cannot be read")
	}
}
