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

// icons are the icons of object types; other types have the icon "object".
var icons = map[any]string{
	"message_thread": "message", "social_dm": "message", "calendar_event": "calendar", "task": "task", "event": "event",
	"community": "people", "conversation": "conversation", "profile": "person", "place": "map", "web_resource": "link",
}

// translate returns the translated output of a dataset without a selected thread. It
// changes d.
func translate(d map[string]any) map[string]any {
	objectIDs := []any{}
	for _, o := range d["objects"].([]any) {
		o := o.(map[string]any)
		hints := map[string]any{"group": "carry", "emphasis": "normal", "icon": cmp.Or(icons[o["object_type"]], "object")}
		if apptest.At(o, "focus.focused") == true {
			hints["emphasis"] = "high"
		}
		delete(o, "placement")
		delete(o, "focus")
		o["presentation"] = hints
		objectIDs = append(objectIDs, o["world_object_id"])
	}
	for _, a := range d["actions"].([]any) {
		command := apptest.At(a, "command").(map[string]any)
		command["url"] = strings.Replace(command["url"].(string), "/world/runtime", "/world/translated", 1)
	}
	group := func(id, title string, objects []any) any {
		return map[string]any{"group_id": id, "title": title, "object_ids": objects}
	}
	delete(d["capabilities"].(map[string]any), "changes") // only in the dataset
	return map[string]any{
		"contract":     map[string]any{"name": "service.home.runtime", "version": json.Number("2"), "translator": "expanded_screen"},
		"capabilities": d["capabilities"], "objects": d["objects"], "contexts": d["contexts"], "actions": d["actions"], "field": d["field"], "fallbacks": d["fallbacks"],
		"presentation": map[string]any{"groups": []any{group("carry", "Carry", objectIDs), group("field", "Around", []any{}), group("find", "Find", []any{})}},
		"workspace": map[string]any{
			"focus": apptest.At(d, "workspace.focus"), "order": apptest.At(d, "workspace.order"), "placement": apptest.At(d, "workspace.placement"), "selected_message_thread": nil,
		},
	}
}

// exactJSON decodes a response and keeps the digits of its numbers.
func exactJSON(a *apptest.Answer) (v map[string]any) {
	a.T.Helper()
	d := json.NewDecoder(strings.NewReader(a.Want(200).Body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil || d.More() {
		a.T.Fatalf("%s: got %v, want one JSON object\n%s", a.About, err, a.Body)
	}
	return v
}

// wantTranslated fails the test unless the translated output is the translation of
// the dataset, for several runtimes and queries.
func wantTranslated(about string, member *apptest.Client) {
	t := member.T
	t.Helper()
	for _, runtime := range []string{"test/1.0", `web/1; caps="objects hologram"`} {
		c := member.With("X-Service-Runtime", runtime)
		for _, query := range []string{
			"", "?lat=52.5&lon=-13.25&radius=700&categories=food,parks", "?caps=objects,actions.form&categories=",
			"?sections=", "?sections=objects", "?sections=contexts,actions", "?sections=workspace,field",
		} {
			a := c.Do("GET", "/world/translated"+query)
			got, want := exactJSON(a), translate(exactJSON(c.Do("GET", "/world/runtime"+query)))
			for section := range want {
				if !reflect.DeepEqual(got[section], want[section]) {
					t.Errorf("%s: %s: %s: got\n%v\nwant\n%v", about, a.About, section, got[section], want[section])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %s: got %d sections, want %d", about, a.About, len(got), len(want))
			}
		}
	}
	a := member.AsRuntime().Do("GET", "/world/translated").Want(200)
	a.WantSchema("service.home.runtime.translated", a.At(""))
}

// Covers W-110, W-111, W-112, W-113, W-118, W-51, W-15, X-02 and B-26.
func TestTranslatedOutputIsTheDatasetWithHints(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	ann := s.Ann
	ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	const odd = `"actions":[],"objects":[{"url":"/world/runtime?x"}] </b> & \u2028 "placement"`
	ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": odd}).Want(201)
	page := map[string]any{"finding_id": "web:1", "source_service": "web", "object_type": "html_resource", "title": "Page", "summary": "", "source_url": "https://example.org/"}
	ann.ReplaceOverlay(apptest.Finding("1"), page, apptest.Finding("2"))
	thread := apptest.At(ann.Session().Service("messages"), "objects.threads.0.id").(string)
	wantTranslated("a new member", s.Member("eve"))
	for _, step := range []struct {
		about string
		do    func()
	}{
		{"the first read", func() {}},
		{"a finding is opened", func() { ann.Act("open_finding", "Café 1").Want(200) }},
		{"a finding is saved", func() { ann.Act("save_object", "Page").Want(200) }},
		{"an object is focused", func() { ann.Act("focus_object", "task Taxes").Want(200) }},
		{"several objects are focused", func() {
			for _, name := range []string{"message_thread Bea", "event Game <b>", "task " + odd, "task Some day", "calendar_event Dentist"} {
				ann.Act("focus_object", name).Want(200)
			}
		}},
		{"an object is moved", func() { ann.Act("move_earlier", "event Game <b>").Want(200) }},
		{"an object is deleted", func() {
			ann.Do("DELETE", "/world/time/objects/"+apptest.At(ann.Dataset().Object("objects", "task Some day"), "source.resource_id").(string)).Want(200)
		}},
		{"a message is received", func() { s.Bea.SendMessage("ann", "Well?") }},
		{"another object is focused", func() { ann.Act("focus_object", "task "+odd).Want(200) }},
		{"the focus is cleared", func() { ann.Act("clear_focus", "").Want(200) }},
	} {
		step.do()
		wantTranslated(step.about, ann)
		selected := ann.AsRuntime().Do("GET", "/world/translated?thread="+thread).Want(200).At("workspace.selected_message_thread")
		if want := apptest.At(ann.Session().Service("messages"), "objects.threads.0"); !reflect.DeepEqual(selected, want) {
			t.Errorf("%s: got the selected thread %v, want %v", step.about, selected, want)
		}
	}
	dataset := ann.AsRuntime().Do("GET", "/world/runtime").Want(200).Body
	for _, part := range []string{`"mirror_of"`, `"place"`, `"web_resource"`, `"message_thread"`, `"label":"Some day","target":{"kind":"workspace"}`} {
		if !strings.Contains(dataset, part) {
			t.Errorf("the dataset does not contain %s, want an object of each kind", part)
		}
	}
	if strings.Contains(dataset, "translator") {
		t.Errorf("dataset: got\n%s\nwant no translator", dataset)
	}
}

// Covers W-114, W-115 and W-49: a client that reads only the translated output can
// open a thread and send a message in it.
func TestContextOfMessagesLeadsToThreads(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	bea.SendMessage("ann", "Hello")
	a := ann.AsRuntime().Do("GET", "/world/translated").Want(200)
	actions, objects := make(map[any]any), make(map[any]any)
	for _, action := range a.List("actions") {
		actions[apptest.At(action, "action_id")] = action
	}
	for _, o := range a.List("objects") {
		objects[apptest.At(o, "world_object_id")] = o
	}
	var sent []any
	for _, c := range a.List("contexts") {
		if apptest.At(c, "context_id") != "ctx_messages" {
			continue
		}
		item := apptest.At(c, "items.0")
		if o := objects[apptest.At(item, "target.world_object_id")]; apptest.At(o, "object_type") != "message_thread" || apptest.At(o, "title") != "Bea" {
			t.Errorf("target of the context: got %v, want the thread with bea", o)
		}
		for _, id := range apptest.At(item, "action_ids").([]any) {
			body := map[string]any{}
			for _, control := range apptest.At(actions[id], "controls").([]any) {
				body[apptest.At(control, "id").(string)] = "And to you"
			}
			if response := ann.Do(apptest.At(actions[id], "command.method").(string), apptest.At(actions[id], "command.url").(string), body); response.Status >= 300 {
				t.Errorf("%v: got status %d, want 2xx: %s", apptest.At(actions[id], "type"), response.Status, response.Body)
			}
			sent = append(sent, apptest.At(actions[id], "type"))
		}
	}
	if got, want := bea.Do("GET", "/world/messages").Str("threads.0.summary"), "And to you"; got != want {
		t.Errorf("after the actions %v: bea got the message %q, want %q", sent, got, want)
	}
}

// Covers W-116, and B-51 for the translated output.
func TestOnlyOwnThreadsCanBeSelected(t *testing.T) {
	s := apptest.New(t)
	ann, bea, cem := s.Member("ann").AsRuntime(), s.Member("bea"), s.Member("cem").AsRuntime()
	bea.SendMessage("ann", "Hello")
	id := ann.Do("GET", "/world/messages").Str("threads.0.id")
	a := ann.Do("GET", "/world/translated?thread="+id).Want(200)
	a.WantSchema("service.home.runtime.translated", a.At(""))
	a.WantSchema("service.messages.thread", a.At("workspace.selected_message_thread"))
	a.WantValues("workspace.selected_message_thread", map[string]any{"id": id, "unread_count": 1})
	absent := cem.Do("GET", "/world/translated?thread=thr_none").WantError(404, "not_found").Str("error.message")
	if got := cem.Do("GET", "/world/translated?thread="+id).WantError(404, "not_found").Str("error.message"); got != absent {
		t.Errorf("a thread of other members: got the error %q, want %q as for an absent one", got, absent)
	}
	withoutMessages := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"messages"} })
	withoutMessages.Member("ann").AsRuntime().Do("GET", "/world/translated?thread="+id).Want(200).
		WantValues("workspace", map[string]any{"selected_message_thread": nil})
}
