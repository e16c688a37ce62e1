package app

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// sees returns the client's dataset, which is as it has to be.
func (c *client) sees() *answer {
	c.t.Helper()
	a := c.runtime().do("GET", "/world/runtime").want(200)
	checkDataset(c.t.(*testing.T), a)
	return a
}

// thing returns what is called so in a dataset at path: an object by its type
// and title, a finding by its title.
func (a *answer) thing(path, name string) any {
	a.t.Helper()
	for _, o := range a.list(path) {
		if title := dig(o, "title"); title == name || fmt.Sprint(dig(o, "object_type"), " ", title) == name {
			return o
		}
	}
	return nil
}

// context returns the item of a context of a dataset that is called so.
func (a *answer) context(kind, label string) any {
	a.t.Helper()
	for _, ctx := range a.list("contexts") {
		for _, item := range dig(ctx, "items").([]any) {
			if dig(ctx, "kind") == kind && dig(item, "label") == label {
				return item
			}
		}
	}
	return nil
}

// deed returns the action of a type on an object or a finding, by its name, or
// on the workspace, ""; nil if there is none.
func (a *answer) deed(kind, name string) any {
	a.t.Helper()
	target := map[string]any{"kind": "workspace"}
	if o := a.thing("objects", name); o != nil && name != "" {
		target = map[string]any{"kind": "object", "world_object_id": dig(o, "world_object_id")}
	}
	if kind == "open_finding" || kind == "save_object" {
		target = map[string]any{"kind": "finding", "finding_id": dig(a.thing("findings", name), "finding_id")}
	}
	for _, action := range a.list("actions") {
		if dig(action, "type") == kind && maps.Equal(dig(action, "target").(map[string]any), target) {
			return action
		}
	}
	return nil
}

// acts has the client do what their dataset says can be done.
func (c *client) acts(kind, name string, given ...map[string]any) *answer {
	c.t.Helper()
	action := c.runtime().do("GET", "/world/runtime").want(200).deed(kind, name)
	if action == nil {
		c.t.Fatalf("%s: there is no %s of %s", c.name, kind, name)
	}
	return c.sends(action, given...)
}

// sends sends an action as it is declared, with what is given beside it.
func (c *client) sends(action any, given ...map[string]any) *answer {
	c.t.Helper()
	body := maps.Clone(dig(action, "command.body").(map[string]any))
	for _, g := range given {
		maps.Copy(body, g)
	}
	return c.runtime().do(dig(action, "method").(string), dig(action, "command.url").(string), body)
}

// done checks the answer to an action: that it says so, and has the dataset as
// it is now.
func (c *client) done(a *answer) *answer {
	c.t.Helper()
	a.want(200).fits("service.world.action_response", a.at(""))
	now := c.sees()
	if got, want := fmt.Sprint(a.at("dataset")), fmt.Sprint(now.at("")); got != want {
		c.t.Errorf("%s: the dataset is\n%s\nand there is\n%s", a.about, got, want)
	}
	if a.str("status") != "completed" || a.str("message") == "" || a.at("error") != nil || a.at("refresh.requested") != true || a.at("refresh.performed") != true {
		c.t.Errorf("%s: %.300s", a.about, a.body)
	}
	return a
}

// workspace spells the workspace of a dataset: its objects in order, with a star
// at the focus.
func (a *answer) workspace() string {
	a.t.Helper()
	names := make(map[any]string)
	for _, o := range a.list("objects") {
		names[dig(o, "world_object_id")] = dig(o, "title").(string)
	}
	var list []string
	for _, id := range a.list("workspace.order") {
		name := names[id]
		if id == a.at("workspace.focus.world_object_id") {
			name += "*"
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}

// arranges checks what is in the client's workspace.
func (c *client) arranges(want string) {
	c.t.Helper()
	if got := c.sees().workspace(); got != want {
		c.t.Errorf("%s has %s, want %s", c.name, got, want)
	}
}

// furnished is a house whose Ann has something of everything.
func furnished(t *testing.T) (h *house, ann, bea *client) {
	t.Helper()
	h = open(t, withKey, unlimited)
	ann, bea = h.member("ann"), h.member("bea")
	ann.settle()
	ann.tell("bea", "Hello")
	club := last(ann.community(`{"name": "Family", "summary": "All of us"}`, bea))
	ann.begins("Trip", fmt.Sprintf(`{"kind": "community", "id": %q}`, club))
	bea.do("POST", "/world/social/events", `{"title": "Concert", "start": "2026-12-01T18:00:00", "visibility": "public"}`).want(201)
	bea.writes(ann, "Psst")
	return h, ann, bea
}

// Whatever there is can be brought into the workspace, in a surface that says
// whose it is and where it is shown, and never twice. Covers W-16, W-27, W-33,
// W-53, W-142 as far as answers to actions go, B-19, B-20, B-21, B-29 and S-73.
func TestWhatIsBroughtIntoTheWorkspace(t *testing.T) {
	h, ann, bea := furnished(t)
	empty := ann.sees()
	if empty.at("workspace.continuity.revision") != 0.0 || empty.at("workspace.continuity.updated_at") != nil || empty.at("workspace.continuity.resumed") != false ||
		!strings.Contains(empty.body, `"section":"workspace"},"reason":"nothing_brought"`) {
		t.Errorf("the workspace is %v", empty.at("workspace"))
	}
	kinds := []struct{ name, surface, panel string }{
		{"message_thread Bea", "document_surface", "/world/panels/messages?thread="},
		{"task Taxes", "calendar_surface", ""},
		{"calendar_event Dentist", "calendar_surface", ""},
		{"community Family", "community_surface", "/world/panels/social?view=communities&id="},
		{"conversation Trip", "conversation_surface", "/world/panels/social?view=conversations&id="},
		{"event Concert", "event_surface", "/world/panels/social?view=events&id="},
		{"profile Bea", "profile_surface", "/world/panels/social?view=people&id="},
		{"social_dm Bea", "document_surface", "/world/panels/social?view=dms&id="},
	}
	for i, k := range kinds {
		a := ann.done(ann.acts("focus_object", k.name))
		o := ann.sees().thing("objects", k.name)
		if a.str("type") != "focus_object" || dig(a.at("target"), "world_object_id") != dig(o, "world_object_id") {
			t.Errorf("%s: %v of %v", k.name, a.at("type"), a.at("target"))
		}
		if dig(o, "focus.focused") != true || dig(o, "placement.position") != float64(i) || a.at("dataset.workspace.continuity.revision") != float64(i+1) {
			t.Errorf("%s: %v %v %v", k.name, dig(o, "focus"), dig(o, "placement"), a.at("dataset.workspace.continuity"))
		}
		now := ann.desktop()
		one := now.one("surfaces", now.str("stacks.0.focused_surface_id"))
		source, binding := dig(o, "source"), dig(one, "service_binding")
		if dig(one, "surface_type") != k.surface || dig(one, "title") != dig(o, "title") || dig(binding, "service_id") != dig(source, "service") ||
			dig(binding, "resource_type") != dig(source, "resource_type") || dig(binding, "resource_id") != dig(source, "resource_id") {
			t.Errorf("%s: %v is shown by %v", k.name, source, one)
		}
		shown, _ := dig(one, "content_source.url").(string)
		if shown != "" {
			ann.do("GET", shown).want(200)
		}
		if k.panel == "" && shown != "" || !strings.HasPrefix(shown, k.panel) {
			t.Errorf("%s is shown at %q", k.name, shown)
		}
	}
	all := ann.sees()
	if got := all.workspace(); got != "Bea, Taxes, Dentist, Family, Trip, Concert, Bea, Bea*" {
		t.Errorf("there is %s", got)
	}
	if all.at("workspace.selected_message_thread") != nil {
		t.Error("a direct message is taken for a thread")
	}
	h.clock.Advance(time.Minute)
	// What is there is turned to; nothing is there twice, and nothing moves.
	ann.done(ann.acts("focus_object", "message_thread Bea"))
	again := ann.sees()
	if id := dig(again.thing("objects", "message_thread Bea"), "world_object_id"); again.workspace() != "Bea*, Taxes, Dentist, Family, Trip, Concert, Bea, Bea" ||
		again.at("workspace.selected_message_thread") != id {
		t.Errorf("there is %s, with the thread %v", again.workspace(), again.at("workspace.selected_message_thread"))
	}
	for name, want := range map[string]any{"message_thread Bea": "2026-11-21T09:01:00Z", "social_dm Bea": "2026-11-21T09:01:00Z", "task Taxes": "2026-11-21T09:00:00Z", "task Some day": nil} {
		if got := dig(again.thing("objects", name), "focus.last_focused_at"); got != want {
			t.Errorf("%s had the focus at %v, want %v", name, got, want)
		}
	}
	if n := len(ann.desktop().list("surfaces")); n != 5+len(kinds) {
		t.Errorf("there are %d surfaces", n)
	}
	for _, ctx := range again.list("contexts") {
		if dig(ctx, "kind") != "workspace" {
			continue
		}
		items := dig(ctx, "items").([]any)
		if len(items) != len(kinds) || dig(items[0], "selected") != true || dig(items[1], "selected") != false || dig(items[1], "label") != "Taxes" {
			t.Errorf("the context is %v", ctx)
		}
		if actions := dig(again.thing("objects", "task Taxes"), "actions"); fmt.Sprint(dig(items[1], "action_ids")) != fmt.Sprint(actions) {
			t.Errorf("the item has %v, the object %v", dig(items[1], "action_ids"), actions)
		}
	}
	// A surface turned to by its own route is seen here too (W-16).
	ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).want(200)
	ann.arranges("Bea, Taxes, Dentist, Family, Trip, Concert, Bea, Bea")
	bea.arranges("")
}

// The objects in the workspace are moved, and taken out. What is between them
// and is no object stays where it is. Covers W-16, W-53, B-19 and PT-02 as far
// as the workspace goes.
func TestWhatIsDoneInTheWorkspace(t *testing.T) {
	h, ann, _ := furnished(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist", "community Family"} {
		ann.done(ann.acts("focus_object", name))
	}
	ann.do("POST", stacksPath+"carry_primary/reorder", map[string]any{"surface_order": ann.orderOf("Taxes", "surface_social", "Dentist")}).want(200)
	ann.arranges("Taxes, Dentist, Family*")
	ann.done(ann.acts("move_earlier", "community Family"))
	ann.arranges("Taxes, Family*, Dentist")
	ann.done(ann.acts("move_later", "task Taxes"))
	ann.arranges("Family*, Taxes, Dentist")
	a := ann.sees()
	if a.deed("move_earlier", "community Family") != nil || a.deed("move_later", "calendar_event Dentist") != nil || a.deed("remove_from_workspace", "task Some day") != nil {
		t.Error("what cannot be done is offered")
	}

	order := a.deed("order_workspace", "")
	if got := dig(order, "controls.0.default"); got != strings.Join(texts(a.list("workspace.order")), " ") {
		t.Errorf("the order is %v", got)
	}
	before := ann.desktop().list("stacks.0.surface_order")
	ann.done(ann.sends(order, map[string]any{"order": dig(order, "controls.0.default")})) // as it is declared
	if after := ann.desktop().list("stacks.0.surface_order"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("it was %v and is %v", before, after)
	}
	id := func(name string) string { return dig(a.thing("objects", name), "world_object_id").(string) }
	taxes, dentist, family := id("task Taxes"), id("calendar_event Dentist"), id("community Family")
	panels := func() (list []int) {
		for i, id := range ann.desktop().list("stacks.0.surface_order") {
			if slices.Contains([]any{"surface_social", "surface_calendar", "surface_messages"}, id) {
				list = append(list, i)
			}
		}
		return list
	}
	where := panels()
	ann.done(ann.sends(order, map[string]any{"order": []string{dentist, family, taxes}}))
	ann.arranges("Dentist, Family*, Taxes")
	ann.done(ann.sends(order, map[string]any{"input": map[string]any{"order": []string{taxes}}})) // the others follow
	ann.arranges("Taxes, Dentist, Family*")
	ann.done(ann.runtime().do("POST", dig(order, "command.url").(string), formBody(url.Values{"order": {family + " " + dentist}}.Encode())))
	ann.arranges("Family*, Dentist, Taxes")
	ann.done(ann.runtime().do("POST", dig(order, "command.url").(string), formBody(url.Values{"order": {dentist, taxes}}.Encode())))
	ann.arranges("Dentist, Taxes, Family*")
	if got := panels(); !slices.Equal(got, where) {
		t.Errorf("what is no object was at %v and is at %v", where, got)
	}

	ann.done(ann.acts("remove_from_workspace", "community Family"))
	ann.arranges("Dentist, Taxes")
	ann.done(ann.acts("focus_object", "task Taxes"))
	ann.done(ann.acts("clear_focus", ""))
	ann.arranges("Dentist, Taxes")
	if ann.sees().deed("clear_focus", "") != nil {
		t.Error("a focus that is not there can be cleared")
	}
	h.restart()
	ann.arranges("Dentist, Taxes")
	ann.done(ann.acts("focus_object", "community Family")) // in the surface in which it was
	ann.arranges("Dentist, Taxes, Family*")
	ann.done(ann.acts("remove_from_workspace", "task Taxes"))
	ann.done(ann.acts("remove_from_workspace", "calendar_event Dentist"))
	if a := ann.sees(); a.deed("order_workspace", "") != nil || a.deed("move_later", "community Family") != nil {
		t.Error("a single thing can be put in order")
	}
	// What is gone is in no workspace any more, whatever stays in its place.
	ann.do("DELETE", communitiesURL+"/"+dig(a.thing("objects", "community Family"), "source.resource_id").(string)).want(200)
	ann.arranges("")
}

// orderOf returns the surfaces that are called so, or have that id.
func (c *client) orderOf(names ...string) (ids []any) {
	c.t.Helper()
	now := c.desktop()
	for _, name := range names {
		for _, s := range now.list("surfaces") {
			if dig(s, "title") == name || dig(s, "surface_id") == name {
				ids = append(ids, dig(s, "surface_id"))
			}
		}
	}
	return ids
}

func texts(list []any) (texts []string) {
	for _, one := range list {
		texts = append(texts, one.(string))
	}
	return texts
}

// What the workspace asks of the database does not depend on how much is in it.
func TestNoQueryOfTheWorkspaceIsInALoop(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	count := 0
	fill := func(n int) {
		var found []map[string]any
		for ; count < n; count++ {
			ann.do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", count)}).want(201)
			ann.acts("focus_object", fmt.Sprint("task Task ", count)).want(200)
			found = append(found, cafe(fmt.Sprint(count)))
		}
		ann.finds(found...)
		for i := range 3 {
			ann.acts("open_finding", found[i]["title"].(string)).want(200)
		}
	}
	measure := func() (counts []map[string]int) {
		a := ann.sees()
		for _, do := range []func(){
			func() { ann.runtime().do("GET", "/world/runtime").want(200) },
			func() { ann.sends(a.deed("focus_object", "task Task 0")).want(200) },
			func() { ann.sends(a.deed("move_earlier", "task Task 1")).want(200) },
			func() {
				ann.sends(a.deed("order_workspace", ""), map[string]any{"order": a.list("workspace.order")}).want(200)
			},
			func() { ann.sends(a.deed("open_finding", dig(a.list("findings")[3], "title").(string))).want(200) },
			func() { ann.sends(a.deed("remove_from_workspace", "task Task 1")).want(200) },
			func() { ann.sends(a.deed("focus_object", "task Task 1")).want(200) },
		} {
			h.restart() // so that nothing is known from before
			h.ran.take()
			do()
			counts = append(counts, h.ran.take())
		}
		return counts
	}
	fill(4)
	few := measure()
	fill(20)
	many := measure()
	for i := range few {
		if !maps.Equal(few[i], many[i]) || len(few[i]) == 0 {
			t.Errorf("request %d: with little %v, with much %v", i, few[i], many[i])
		}
	}
}
