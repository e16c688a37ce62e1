package app

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"appliance/app/config"
)

// screened is what a dataset is on a screen, with a thread that is selected or
// nil: the same, with hints how each object is shown.
func screened(d map[string]any, selected any) map[string]any {
	icons := map[any]string{
		"message_thread": "message", "social_dm": "message", "calendar_event": "calendar", "task": "task", "event": "event",
		"community": "people", "conversation": "conversation", "profile": "person", "place": "map", "web_resource": "link",
	}
	carried := []any{}
	for _, o := range d["objects"].([]any) {
		o := o.(map[string]any)
		hints := map[string]any{"group": "carry", "emphasis": "normal", "icon": cmp.Or(icons[o["object_type"]], "object")}
		if dig(o, "focus.focused") == true {
			hints["emphasis"] = "high"
		}
		delete(o, "placement")
		delete(o, "focus")
		o["presentation"] = hints
		carried = append(carried, o["world_object_id"])
	}
	for _, a := range d["actions"].([]any) {
		command := dig(a, "command").(map[string]any)
		command["url"] = strings.Replace(command["url"].(string), "/world/runtime?", "/world/translated?", 1)
	}
	group := func(id, title string, objects []any) any {
		return map[string]any{"group_id": id, "title": title, "object_ids": objects}
	}
	return map[string]any{
		"contract":     map[string]any{"name": "service.home.runtime", "version": json.Number("2"), "translator": "expanded_screen"},
		"capabilities": d["capabilities"], "objects": d["objects"], "contexts": d["contexts"], "actions": d["actions"], "field": d["field"], "fallbacks": d["fallbacks"],
		"presentation": map[string]any{"groups": []any{group("carry", "Carry", carried), group("field", "Field", []any{}), group("find", "Find", []any{})}},
		"workspace": map[string]any{
			"focus": dig(d, "workspace.focus"), "order": dig(d, "workspace.order"), "placement": dig(d, "workspace.placement"), "selected_message_thread": selected,
		},
	}
}

// exactly decodes an answer with its numbers as they are written.
func (a *answer) exactly() (v map[string]any) {
	a.t.Helper()
	d := json.NewDecoder(strings.NewReader(a.want(200).body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil || d.More() {
		a.t.Fatalf("%s: %v\n%s", a.about, err, a.body)
	}
	return v
}

// What is translated is the dataset with hints, and says nothing else: the same
// objects, actions, contexts and fallbacks, for whatever is asked, and whatever is
// done in between. Covers W-110, W-111, W-112, W-113, W-114, W-115, W-116, W-118,
// W-49, W-51, W-15, X-02 and B-26.
func TestTranslated(t *testing.T) {
	s := newStreet(t)
	ann, eve := s.ann, s.member("eve")
	ann.settle()
	s.bea.tell("ann", "Hello")
	const odd = `"actions":[],"objects":[{"url":"/world/runtime?x"}] </b> & \u2028 "placement"`
	ann.do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": odd}).want(201)
	page := map[string]any{"finding_id": "web:1", "source_service": "web", "object_type": "html_resource", "title": "Page", "summary": "", "source_url": "https://example.org/"}
	ann.finds(cafe("1"), page, cafe("2"))
	threads := dig(ann.session().service("messages"), "objects.threads").([]any)
	thread := dig(threads[0], "id").(string)
	holds := func(when string, c *client) {
		for _, runtime := range []string{"test/1.0", `web/1; caps="objects hologram"`} {
			c := c.with("X-Service-Runtime", runtime)
			for _, query := range []string{
				"", "?lat=52.5&lon=-13.25&radius=700&categories=food,parks", "?caps=objects,actions.form&categories=",
				"?sections=", "?sections=objects", "?sections=contexts,actions", "?sections=workspace,field",
			} {
				a := c.do("GET", "/world/translated"+query)
				got, want := a.exactly(), screened(c.do("GET", "/world/runtime"+query).exactly(), nil)
				for part := range want {
					if !reflect.DeepEqual(got[part], want[part]) {
						t.Errorf("%s: %s of %s is\n%v, want\n%v", when, part, a.about, got[part], want[part])
					}
				}
				if len(got) != len(want) {
					t.Errorf("%s: %s has %d parts", when, a.about, len(got))
				}
			}
		}
		a := c.runtime().do("GET", "/world/translated").want(200)
		a.fits("service.home.runtime.translated", a.at(""))
	}
	holds("with nothing", eve)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"at first", func() {}},
		{"what was found is opened", func() { ann.acts("open_finding", "Café 1").want(200) }},
		{"it is saved", func() { ann.acts("save_object", "Page").want(200) }},
		{"one thing is brought", func() { ann.acts("focus_object", "task Taxes").want(200) }},
		{"others too", func() {
			for _, name := range []string{"message_thread Bea", "event Game <b>", "task " + odd, "task Some day", "calendar_event Dentist"} {
				ann.acts("focus_object", name).want(200)
			}
		}},
		{"one of them is moved", func() { ann.acts("move_earlier", "event Game <b>").want(200) }},
		{"one of them is gone", func() {
			ann.do("DELETE", "/world/time/objects/"+dig(ann.sees().thing("objects", "task Some day"), "source.resource_id").(string)).want(200)
		}},
		{"a message comes", func() { s.bea.tell("ann", "Well?") }},
		{"one is turned to", func() { ann.acts("focus_object", "task "+odd).want(200) }},
		{"none is", func() { ann.acts("clear_focus", "").want(200) }},
	} {
		step.do()
		holds(step.name, ann)
		a := ann.runtime().do("GET", "/world/translated?thread="+thread).want(200)
		if got, want := a.at("workspace.selected_message_thread"), dig(ann.session().service("messages"), "objects.threads.0"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: selected is %v, want %v", step.name, got, want)
		}
	}
	// There was something of each kind to translate.
	real := ann.runtime().do("GET", "/world/runtime").want(200)
	for _, part := range []string{`"mirror_of"`, `"place"`, `"web_resource"`, `"message_thread"`, `"label":"Some day","target":{"kind":"workspace"}`} {
		if !strings.Contains(real.body, part) {
			t.Errorf("the dataset has no %s", part)
		}
	}
	if strings.Contains(real.body, "translator") {
		t.Error("the dataset says that it is translated")
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
	off := open(t, func(s *config.Settings) { s.ServicesOff = []string{"messages"} })
	if a := off.member("ann").runtime().do("GET", "/world/translated?thread="+id).want(200); a.at("workspace.selected_message_thread") != nil {
		t.Error("a thread is selected that cannot be read")
	}
}
