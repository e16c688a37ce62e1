package world

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"appliance/app/apptest"
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
		if apptest.At(o, "focus.focused") == true {
			hints["emphasis"] = "high"
		}
		delete(o, "placement")
		delete(o, "focus")
		o["presentation"] = hints
		carried = append(carried, o["world_object_id"])
	}
	for _, a := range d["actions"].([]any) {
		command := apptest.At(a, "command").(map[string]any)
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
			"focus": apptest.At(d, "workspace.focus"), "order": apptest.At(d, "workspace.order"), "placement": apptest.At(d, "workspace.placement"), "selected_message_thread": selected,
		},
	}
}

// exactly decodes an answer with its numbers as they are written.
func exactly(a *apptest.Answer) (v map[string]any) {
	a.T.Helper()
	d := json.NewDecoder(strings.NewReader(a.Want(200).Body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil || d.More() {
		a.T.Fatalf("%s: %v\n%s", a.About, err, a.Body)
	}
	return v
}

// What is translated is the dataset with hints, and says nothing else: the same
// objects, actions, contexts and fallbacks, for whatever is asked, and whatever is
// done in between. Covers W-110, W-111, W-112, W-113, W-114, W-115, W-116, W-118,
// W-49, W-51, W-15, X-02 and B-26.
func TestTranslated(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	ann, eve := s.Ann, s.Member("eve")
	ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	const odd = `"actions":[],"objects":[{"url":"/world/runtime?x"}] </b> & \u2028 "placement"`
	ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": odd}).Want(201)
	page := map[string]any{"finding_id": "web:1", "source_service": "web", "object_type": "html_resource", "title": "Page", "summary": "", "source_url": "https://example.org/"}
	ann.ReplaceOverlay(apptest.Finding("1"), page, apptest.Finding("2"))
	threads := apptest.At(ann.Session().Service("messages"), "objects.threads").([]any)
	thread := apptest.At(threads[0], "id").(string)
	holds := func(when string, c *apptest.Client) {
		for _, runtime := range []string{"test/1.0", `web/1; caps="objects hologram"`} {
			c := c.With("X-Service-Runtime", runtime)
			for _, query := range []string{
				"", "?lat=52.5&lon=-13.25&radius=700&categories=food,parks", "?caps=objects,actions.form&categories=",
				"?sections=", "?sections=objects", "?sections=contexts,actions", "?sections=workspace,field",
			} {
				a := c.Do("GET", "/world/translated"+query)
				got, want := exactly(a), screened(exactly(c.Do("GET", "/world/runtime"+query)), nil)
				for part := range want {
					if !reflect.DeepEqual(got[part], want[part]) {
						t.Errorf("%s: %s of %s is\n%v, want\n%v", when, part, a.About, got[part], want[part])
					}
				}
				if len(got) != len(want) {
					t.Errorf("%s: %s has %d parts", when, a.About, len(got))
				}
			}
		}
		a := c.Runtime().Do("GET", "/world/translated").Want(200)
		a.WantSchema("service.home.runtime.translated", a.At(""))
	}
	holds("with nothing", eve)
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"at first", func() {}},
		{"what was found is opened", func() { ann.Act("open_finding", "Café 1").Want(200) }},
		{"it is saved", func() { ann.Act("save_object", "Page").Want(200) }},
		{"one thing is brought", func() { ann.Act("focus_object", "task Taxes").Want(200) }},
		{"others too", func() {
			for _, name := range []string{"message_thread Bea", "event Game <b>", "task " + odd, "task Some day", "calendar_event Dentist"} {
				ann.Act("focus_object", name).Want(200)
			}
		}},
		{"one of them is moved", func() { ann.Act("move_earlier", "event Game <b>").Want(200) }},
		{"one of them is gone", func() {
			ann.Do("DELETE", "/world/time/objects/"+apptest.At(ann.Dataset().Object("objects", "task Some day"), "source.resource_id").(string)).Want(200)
		}},
		{"a message comes", func() { s.Bea.SendMessage("ann", "Well?") }},
		{"one is turned to", func() { ann.Act("focus_object", "task "+odd).Want(200) }},
		{"none is", func() { ann.Act("clear_focus", "").Want(200) }},
	} {
		step.do()
		holds(step.name, ann)
		a := ann.Runtime().Do("GET", "/world/translated?thread="+thread).Want(200)
		if got, want := a.At("workspace.selected_message_thread"), apptest.At(ann.Session().Service("messages"), "objects.threads.0"); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: selected is %v, want %v", step.name, got, want)
		}
	}
	// There was something of each kind to translate.
	real := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	for _, part := range []string{`"mirror_of"`, `"place"`, `"web_resource"`, `"message_thread"`, `"label":"Some day","target":{"kind":"workspace"}`} {
		if !strings.Contains(real.Body, part) {
			t.Errorf("the dataset has no %s", part)
		}
	}
	if strings.Contains(real.Body, "translator") {
		t.Error("the dataset says that it is translated")
	}
}

// From a context to a thread, and an answer in it, by what is published alone.
// Covers W-114, W-115 and W-49.
func TestThreadsAreReachedFromWhatIsTranslated(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	bea.SendMessage("ann", "Hello")
	a := ann.Runtime().Do("GET", "/world/translated").Want(200)
	actions, objects := make(map[any]any), make(map[any]any)
	for _, action := range a.List("actions") {
		actions[apptest.At(action, "action_id")] = action
	}
	for _, o := range a.List("objects") {
		objects[apptest.At(o, "world_object_id")] = o
	}
	sent := false
	for _, c := range a.List("contexts") {
		if apptest.At(c, "context_id") != "ctx_messages" {
			continue
		}
		item := apptest.At(c, "items.0")
		if o := objects[apptest.At(item, "target.world_object_id")]; apptest.At(o, "object_type") != "message_thread" || apptest.At(o, "title") != "Bea" {
			t.Errorf("the context leads to %v", o)
		}
		for _, id := range apptest.At(item, "action_ids").([]any) {
			action := actions[id]
			body := map[string]any{}
			for _, control := range apptest.At(action, "controls").([]any) {
				body[apptest.At(control, "id").(string)] = "And to you"
			}
			done := ann.Do(apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string), body)
			if done.Status >= 300 {
				t.Errorf("%v: %s", action, done.Body)
			}
			sent = sent || apptest.At(action, "type") == "send_message"
		}
	}
	if got := bea.Do("GET", "/world/messages").Str("threads.0.summary"); !sent || got != "And to you" {
		t.Errorf("bea reads %q", got)
	}
}

// A member selects their own threads alone. Covers W-116, and B-51 as far as
// this answer goes.
func TestSelectingAThread(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cem := h.Member("ann").Runtime(), h.Member("bea"), h.Member("cem").Runtime()
	bea.SendMessage("ann", "Hello")
	id := ann.Do("GET", "/world/messages").Str("threads.0.id")
	a := ann.Do("GET", "/world/translated?thread="+id).Want(200)
	a.WantSchema("service.home.runtime.translated", a.At(""))
	a.WantSchema("service.messages.thread", a.At("workspace.selected_message_thread"))
	if a.Str("workspace.selected_message_thread.id") != id || a.At("workspace.selected_message_thread.unread_count") != 1.0 {
		t.Errorf("selected is %v", a.At("workspace.selected_message_thread"))
	}
	none := cem.Do("GET", "/world/translated?thread=thr_none").WantError(404, "not_found")
	if others := cem.Do("GET", "/world/translated?thread="+id).WantError(404, "not_found"); others.Str("error.message") != none.Str("error.message") {
		t.Errorf("a thread of others is told from none: %s", others.Body)
	}
	off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"messages"} })
	if a := off.Member("ann").Runtime().Do("GET", "/world/translated?thread="+id).Want(200); a.At("workspace.selected_message_thread") != nil {
		t.Error("a thread is selected that cannot be read")
	}
}
