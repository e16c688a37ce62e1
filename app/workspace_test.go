package app

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/surface"
	"appliance/world"
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

// Wrong input is named, and changes nothing. Covers B-29, W-12, W-45, W-47, PT-09,
// PT-31 and PT-40 as far as actions go.
func TestWrongInputToTheWorkspace(t *testing.T) {
	h, ann, bea := furnished(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.done(ann.acts("focus_object", name))
	}
	a := ann.sees()
	order, earlier := dig(a.deed("order_workspace", ""), "command.url").(string), a.deed("move_earlier", "calendar_event Dentist")
	remove := a.deed("remove_from_workspace", "task Taxes")
	away := dig(a.thing("objects", "community Family"), "world_object_id")
	taxes := dig(a.thing("objects", "task Taxes"), "world_object_id")
	h.unchanged("by what is wrong", func() {
		for _, body := range []string{``, `{}`, `{"order": []}`, `{"order": null}`, `{"input": {}}`, `{"order": "  "}`} {
			ann.do("POST", order, body).refused(400, "field_required").names("order")
		}
		ann.do("POST", order, formBody("x=y")).refused(400, "field_required").names("order")
		for _, list := range []any{[]any{"wo_nothing"}, []any{away}, []any{taxes, taxes}, []any{""}, "surface_social", fmt.Sprint(taxes, " ", taxes)} {
			a := ann.do("POST", order, map[string]any{"order": list})
			if a.status != 422 && a.status != 400 || a.str("error.fields.0.name") != "order" {
				t.Errorf("%v: %d %s", list, a.status, a.body)
			}
		}
		for _, wrong := range []string{`{"order": 7}`, `{"order": [7]}`, `{"order": {}}`, `{"input": 7}`, `{"input": {"order": [{}]}}`, `{"context": {"location": 7}}`, `[`, `{`} {
			ann.do("POST", order, wrong).refused(400, "malformed_body")
		}
		at := func(location string) *answer {
			return ann.do("POST", order, fmt.Sprintf(`{"order": [%q], "context": {"location": %s}}`, taxes, location))
		}
		at(`{"latitude": 91, "longitude": 0}`).refused(422, "invalid_value").names("context.location.latitude")
		at(`{"latitude": 0, "longitude": -181}`).refused(422, "invalid_value").names("context.location.longitude")
		at(`{"latitude": 52.5}`).refused(400, "field_required").names("context.location.longitude")
		at(`{}`).refused(400, "field_required").names("context.location.latitude", "context.location.longitude")
		url := dig(earlier, "command.url").(string)
		ann.do("POST", url, `{}`).refused(400, "field_required").names("before")
		ann.do("POST", url, map[string]any{"before": away}).refused(409, "action_unavailable")
		ann.do("POST", url, map[string]any{"before": dig(a.thing("objects", "calendar_event Dentist"), "world_object_id")}).refused(409, "action_unavailable")
		ann.with("Content-Type", "text/xml").do("POST", order, "<order/>").refused(415, "unsupported_media_type")
		ann.with("X-Service-Runtime", strings.Repeat("x", 1025)).do("POST", order, map[string]any{"order": []any{taxes}}).refused(400, "runtime_header_required")
		bea.do("GET", order).refused(405, "method_not_allowed")
	})
	ann.arranges("Taxes, Dentist*")

	// What is not known is passed over, and a runtime need not say who it is.
	b := ann.do("POST", order, map[string]any{"order": []any{taxes}, "sender": bea.id, "input": map[string]any{"x": 1}, "context": map[string]any{
		"location": map[string]any{"latitude": 52.5, "longitude": 13.4}}}).want(200)
	if b.at("dataset.field.origin.latitude") != 52.5 {
		t.Errorf("the field is %v", b.at("dataset.field"))
	}
	// What was taken out meanwhile cannot be moved or taken out again.
	ann.done(ann.sends(remove))
	h.unchanged("by what is not there", func() {
		ann.sends(remove).refused(409, "action_unavailable")
		ann.sends(earlier).refused(409, "action_unavailable")
	})
	// A runtime without forms is not offered one.
	ann.done(ann.acts("focus_object", "task Taxes"))
	plain := ann.with("X-Service-Runtime", `x/1; caps="objects"`).do("GET", "/world/runtime").want(200)
	checkDataset(t, plain)
	if dig(plain.deed("order_workspace", ""), "availability") != "unavailable" || dig(plain.deed("focus_object", "task Taxes"), "availability") != "enabled" {
		t.Error("a form for whoever has none")
	}
}

// An action is its member's, and only for as long as they see what it is about.
// Covers W-150, W-17, W-18, PT-07 and PT-40 as far as actions go.
func TestActionsOfOthers(t *testing.T) {
	h, ann, bea := furnished(t)
	cem := h.member("cem")
	family := bea.sees().deed("focus_object", "community Family")
	trip := bea.sees().deed("focus_object", "conversation Trip")
	thread := ann.sees().deed("focus_object", "message_thread Bea")
	dentist := ann.sees().deed("focus_object", "calendar_event Dentist")
	bea.done(bea.sends(trip))
	ann.done(ann.sends(thread))
	out := bea.sees().deed("remove_from_workspace", "conversation Trip")
	see := func(c *client) string {
		return c.runtime().do("GET", "/world/runtime").want(200).body + c.desktop().body
	}
	see(cem)
	hers, theirs := see(ann), see(cem)

	url := func(action any) string { return dig(action, "command.url").(string) }
	h.unchanged("by others' actions", func() {
		for _, action := range []any{family, trip, out} {
			ann.sends(action).refused(404, "not_found")
			cem.sends(action).refused(404, "not_found")
		}
		for _, action := range []any{thread, dentist} {
			bea.sends(action).refused(404, "not_found")
		}
		// Each letter counts.
		own := strings.TrimPrefix(url(thread), "/world/actions/")
		for i := range own {
			changed := []byte(own)
			changed[i] ^= 1
			if strings.ContainsAny(string(changed[i]), "/%?#\\") {
				continue
			}
			ann.do("POST", "/world/actions/"+string(changed)).refused(404, "not_found")
		}
		for _, id := range []string{"x", "act_", "act__", "act_focus_", "act_focus_x_y", "act_%00", own + "a", own[:len(own)-1], strings.ToUpper(own), strings.Repeat("x", 5000)} {
			ann.do("POST", "/world/actions/"+id).refused(404, "not_found")
		}
		// Those of other routes are not done here.
		ann.do("POST", "/world/actions/"+dig(ann.sees().deed("open_thread", "message_thread Bea"), "action_id").(string)).refused(404, "not_found")
		h.nobody().do("POST", url(thread)).refused(401, "unauthenticated")
	})
	// Bea leaves: what she saw there is gone, and so is what she could do, even
	// what was looked at for her a moment before.
	looked := world.Dispatch{ActionID: dig(family, "action_id").(string)}
	viewer := bea.viewer()
	if err := h.db.Read(t.Context(), func(tx *store.Tx) error { return h.world.Look(tx, viewer, &looked) }); err != nil {
		t.Fatal(err)
	}
	bea.do("POST", communitiesURL+"/"+dig(bea.sees().thing("objects", "community Family"), "source.resource_id").(string)+"/leave").want(200)
	h.unchanged("by what is seen no more", func() {
		err := h.db.Write(t.Context(), func(tx *store.Tx) error { _, err := h.world.Act(tx, viewer, looked); return err })
		if svc.KindOf(err) != svc.Missing {
			t.Errorf("what was looked at before: %v", err)
		}
		for _, action := range []any{family, trip} {
			bea.sends(action).refused(404, "not_found")
		}
	})
	bea.arranges("")
	if bea.sees().thing("objects", "conversation Trip") != nil {
		t.Error("Bea sees the conversation still")
	}
	// It is in her way all the same, without what it showed, and she can take it
	// out.
	if s := bea.surface("Trip"); s == nil || len(dig(s, "content_source").(map[string]any)) > 0 {
		t.Errorf("what was the conversation's is %v", s)
	}
	left := bea.sees().context("workspace", "Trip")
	if left == nil || dig(left, "target.kind") != "workspace" || fmt.Sprint(dig(left, "action_ids")) != fmt.Sprint([]any{dig(out, "action_id")}) {
		t.Errorf("of the conversation there is %v", left)
	}
	ann.sends(out).refused(404, "not_found")
	if bea.done(bea.sends(out)); bea.sees().context("workspace", "Trip") != nil || strings.Contains(bea.desktop().body, "Trip") {
		t.Error("it is there still")
	}
	bea.sends(out).refused(409, "action_unavailable")
	// Whatever Bea does with her own, the others read the same bytes.
	hers = see(ann)
	bea.done(bea.acts("focus_object", "event Concert"))
	bea.finds(cafe("b"))
	bea.done(bea.acts("open_finding", "Café b"))
	bea.done(bea.acts("order_workspace", "", map[string]any{"order": texts(bea.sees().list("workspace.order"))}))
	bea.done(bea.acts("remove_from_workspace", "event Concert"))
	if see(ann) != hers || see(cem) != theirs {
		t.Error("what Bea has before her shows in others' worlds")
	}
}

// surface returns the one of that title in the client's session; nil if there is
// none.
func (c *client) surface(title string) any {
	c.t.Helper()
	return c.runtime().do("GET", "/world/session").want(200).thing("surface_runtime.surfaces", title)
}

// Whatever is in the workspace is called there what it is called by now, in what
// is read and in the answers to writes. Covers S-05, S-08, S-22 and S-73.
func TestSurfacesAreCalledWhatTheirThingsAre(t *testing.T) {
	h, ann, bea := furnished(t)
	family := dig(ann.sees().thing("objects", "community Family"), "source.resource_id").(string)
	for _, name := range []string{"message_thread Bea", "community Family", "conversation Trip", "event Concert", "calendar_event Dentist", "social_dm Bea", "profile Bea"} {
		ann.done(ann.acts("focus_object", name))
	}
	held := len(ann.sees().list("workspace.order"))
	dentist := dig(ann.sees().thing("objects", "calendar_event Dentist"), "source.resource_id").(string)
	concert := dig(ann.sees().thing("objects", "event Concert"), "source.resource_id").(string)
	ann.do("PATCH", "/world/time/objects/"+dentist, `{"title": "Orthodontist"}`).want(200)
	bea.do("PATCH", "/world/social/events/"+concert, `{"title": "Recital"}`).want(200)
	ann.do("PATCH", communitiesURL+"/"+family, `{"name": "Clan"}`).want(200)
	if err := h.db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := h.identity.UpdateProfile(tx, bea.viewer(), identity.ProfileChanges{DisplayName: new("Beatrix")})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"Orthodontist", "Recital", "Clan", "Trip", "Beatrix"} {
		s := ann.surface(title)
		if s == nil {
			t.Errorf("no surface is called %s", title)
			continue
		}
		if url := dig(s, "content_source.url"); url != nil {
			ann.do("GET", url.(string)).want(200)
		}
		a := ann.do("POST", dig(s, "commands.update_placement").(string), `{"placement_mode": "stacked"}`).want(200)
		if a.str("surface.title") != title || a.thing("surface_runtime.surfaces", title) == nil {
			t.Errorf("the answer to its placement calls %s %s", title, a.str("surface.title"))
		}
	}
	for _, title := range []string{"Dentist", "Concert", "Family", "Bea"} {
		if ann.surface(title) != nil {
			t.Errorf("a surface is still called %s", title)
		}
	}
	if n := len(ann.sees().list("workspace.order")); n != held {
		t.Errorf("there are %d things in the workspace, and were %d", n, held)
	}

	// Of a service that is switched off nobody knows; what is deleted has no content.
	ann.do("DELETE", "/world/time/objects/"+dentist).want(200)
	if s := ann.surface("Dentist"); s == nil || len(dig(s, "content_source").(map[string]any)) > 0 {
		t.Errorf("of the deleted entry there is %v", s)
	}
	h.units["social"].off = true
	if s := ann.surface("Concert"); s == nil || dig(s, "content_source.url") == nil {
		t.Errorf("with the service switched off there is %v", s)
	}
}

// An action that is repeated with its key is done once. Covers B-88 and B-29.
func TestActionsAreDoneOnce(t *testing.T) {
	_, ann, _ := furnished(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist"} {
		ann.done(ann.acts("focus_object", name))
	}
	earlier := ann.sees().deed("move_earlier", "calendar_event Dentist")
	keyed := ann.with("Idempotency-Key", "one")
	first := keyed.sends(earlier).want(200)
	ann.arranges("Dentist*, Taxes")
	ann.done(ann.acts("clear_focus", ""))
	second := keyed.sends(earlier).want(200)
	if first.str("action_id") != second.str("action_id") || second.at("dataset.workspace.focus.world_object_id") != nil {
		t.Errorf("the repetition says %.200s", second.body)
	}
	if got := second.at("dataset.workspace.continuity.revision"); got != 4.0 {
		t.Errorf("after it the revision is %v", got)
	}
	keyed.runtime().do("POST", dig(earlier, "command.url").(string), `{"before": "x"}`).refused(422, "idempotency_key_reused")
}

// The workspace is a part like others: switched off or failing, it leaves the
// rest whole and says so. Covers W-54, W-42 and PT-05.
func TestWorkspaceThatFails(t *testing.T) {
	off := open(t, func(s *Settings) { s.ServicesOff = []string{"surface"} })
	cem := off.member("cem")
	cem.settle()
	a := cem.sees()
	if !strings.Contains(a.body, `"scope":{"kind":"service","service":"workspace"},"reason":"switched_off"`) || strings.Contains(a.body, "/world/actions/") {
		t.Errorf("fallbacks %v", a.at("fallbacks"))
	}

	h, ann, _ := furnished(t)
	thread := ann.sees().deed("focus_object", "message_thread Bea")
	h.settings.ServicesOff = []string{"messages"}
	h.restart()
	if ann.sends(thread).refused(503, "service_unavailable").header.Get("Retry-After") == "" {
		t.Error("nobody knows when to try again")
	}
	h.settings.ServicesOff = nil
	h.restart()
	ann.done(ann.acts("focus_object", "task Taxes"))
	ann.finds(cafe("a"))
	good := ann.sees()
	focus := good.deed("focus_object", "calendar_event Dentist")
	meddle(t, h, "ALTER TABLE surface_stack RENAME TO surface_lost")
	h.touch()
	bad := ann.sees()
	if !strings.Contains(bad.body, `"state":"degraded","scope":{"kind":"service","service":"workspace"}`) ||
		!strings.Contains(bad.body, `"state":"unavailable","scope":{"kind":"section","section":"findings"}`) || bad.workspace() != "" {
		t.Errorf("fallbacks %v", bad.at("fallbacks"))
	}
	if len(bad.list("objects")) != len(good.list("objects")) {
		t.Errorf("the objects are %v", titlesOf(bad))
	}
	ann.sends(focus).refused(500, "internal_error")
	meddle(t, h, "ALTER TABLE surface_lost RENAME TO surface_stack")
	if again := ann.sees(); again.body != good.body {
		t.Error("it has not recovered")
	}
}

// website is a finding that is on the web.
func website(id string) map[string]any {
	return map[string]any{
		"finding_id": "web:" + id, "source_service": "web", "object_type": "html_resource", "title": "Page " + id, "summary": "About it",
		"source_url": "https://example.org/" + id, "actions": []any{}, "service_payload": map[string]any{"content_type": "text/html", "canonical_url": nil},
	}
}

// What was found is in the dataset as findings, and as objects when it is kept.
// Covers W-39, W-40, W-17, S-03 as far as places go, S-43 as far as nothing else
// touches the overlay, S-61 (but for the map), S-62, S-63, S-64, S-65, B-23,
// B-37, B-39, B-41, PT-03 and PT-13.
func TestFindings(t *testing.T) {
	h, ann, bea := furnished(t)
	if !strings.Contains(ann.sees().body, `"section":"findings"},"reason":"no_findings"`) {
		t.Error("nothing says that nothing was found")
	}
	full := cafe("a")
	full["service_payload"].(map[string]any)["category"], full["service_payload"].(map[string]any)["address"] = "cafe", "Main St 1"
	nowhere := cafe("nowhere")
	nowhere["service_payload"] = map[string]any{"latitude": 91, "longitude": "x"}
	found := ann.finds(full, website("x"), nowhere, cafe("b"))
	if commands := found.at("surface_runtime.commands"); commands != nil {
		t.Errorf("Surface publishes %v", commands)
	}
	a := ann.sees()
	if len(a.list("findings")) != 4 || a.thing("objects", "place Café a") != nil {
		t.Fatalf("found %v", a.at("findings"))
	}
	f := a.thing("findings", "Café a")
	if got, want := fmt.Sprint(f), fmt.Sprintf("map[action_ids:[%v] finding_id:osm:node/a location:map[latitude:38.7 longitude:-9.1] object_type:place "+
		"source:map[kind:service service:find] source_url:<nil> summary:Opens at nine title:Café a world_object_id:<nil>]", dig(f, "action_ids.0")); got != want {
		t.Errorf("the finding is %s", got)
	}
	if p := a.thing("findings", "Page x"); dig(p, "object_type") != "web_resource" || dig(p, "source_url") != "https://example.org/x" || dig(p, "location") != nil {
		t.Errorf("the page is %v", p)
	}
	if p := a.thing("findings", "Café nowhere"); len(dig(p, "action_ids").([]any)) != 0 || dig(p, "location") != nil {
		t.Errorf("a place that is nowhere is %v", p)
	}
	overlay := ann.desktop().at("stacks.3")

	opened := ann.done(ann.acts("open_finding", "Café a"))
	if opened.str("target.finding_id") != "osm:node/a" {
		t.Errorf("the target is %v", opened.at("target"))
	}
	ann.arranges("Café a*")
	now := ann.sees()
	o := now.thing("objects", "place Café a")
	if fmt.Sprint(dig(o, "source")) != "map[kind:service resource_id:osm:node/a resource_type:place service:find]" || dig(o, "state.location.latitude") != 38.7 ||
		dig(o, "state.category") != "cafe" || dig(o, "state.address") != "Main St 1" || dig(now.thing("findings", "Café a"), "world_object_id") != dig(o, "world_object_id") {
		t.Errorf("it has become %v", o)
	}
	desktop := ann.desktop()
	if got := fmt.Sprint(desktop.at("stacks.3")); got != fmt.Sprint(overlay) {
		t.Errorf("what was found is %s", got)
	}
	one := desktop.one("surfaces", desktop.str("stacks.0.focused_surface_id"))
	if dig(one, "surface_type") != "map_surface" || dig(one, "runtime_state.surface_object.content.location.longitude") != -9.1 ||
		dig(one, "runtime_state.surface_object.source_finding_id") != "osm:node/a" || dig(one, "runtime_state.surface_object.object_type") != "place" {
		t.Errorf("it is shown by %v", one)
	}
	if finding := desktop.one("surfaces", desktop.str("stacks.3.surface_order.0")); dig(finding, "placement.mode") != "detached" {
		t.Errorf("the finding is %v", finding)
	}

	ann.done(ann.acts("save_object", "Page x"))
	ann.arranges("Café a*, Page x")
	if now := ann.sees(); dig(now.thing("objects", "web_resource Page x"), "state.source_url") != "https://example.org/x" || now.deed("save_object", "Page x") != nil {
		t.Error("the page is not kept, or can be once more")
	}
	ann.done(ann.acts("focus_object", "web_resource Page x"))
	ann.done(ann.acts("move_earlier", "web_resource Page x"))
	ann.arranges("Page x*, Café a")

	// The same place once more, in another search, by the other route.
	ann.finds(cafe("c"), full)
	b := ann.do("POST", surfacesPath+ann.desktop().str("stacks.3.surface_order.1")+"/open", `{}`).want(200)
	b.fits("service.surface.arranged", b.at(""))
	b.closed("surface_runtime")
	if b.at("created") != false || b.str("surface.surface_id") != dig(one, "surface_id") || b.str("surface_runtime.stacks.0.focused_surface_id") != dig(one, "surface_id") {
		t.Errorf("opened again: %.300s", b.body)
	}
	if b.str("surface_runtime.commands.open_finding") != surfacesPath+"{surface_id}/open" || b.str("surface_runtime.commands.save_object") != surfacesPath+"{surface_id}/placement" {
		t.Errorf("commands %v", b.at("surface_runtime.commands"))
	}
	maps := 0
	for _, s := range b.list("surface_runtime.surfaces") {
		if dig(s, "surface_type") == "map_surface" {
			maps++
		}
		open := dig(s, "commands.open_finding")
		if place := dig(s, "surface_type") == "finding_surface" && dig(s, "runtime_state.finding.object_type") == "place"; (open != nil) != place {
			t.Errorf("%v is opened at %v", dig(s, "title"), open)
		}
	}
	if maps != 1 {
		t.Errorf("there are %d maps", maps)
	}
	other := ann.internally().do("POST", "/runtime/surfaces/"+b.str("surface_runtime.stacks.3.surface_order.0")+"/open").want(200)
	if other.at("created") != true || other.at("surface_runtime.commands") != nil {
		t.Errorf("opened by another service: %.300s", other.body)
	}
	ann.arranges("Page x, Café a, Café c*")

	ann.finds(website("y"), nowhere)
	h.unchanged("by what is no place", func() {
		for _, id := range append(texts(ann.desktop().list("stacks.3.surface_order")), "surface_social") {
			ann.do("POST", surfacesPath+id+"/open", `{}`).refused(422, "finding_not_openable")
		}
		ann.do("POST", surfacesPath+"surface_nothing/open").refused(404, "not_found")
		bea.do("POST", surfacesPath+dig(one, "surface_id").(string)+"/open").refused(404, "not_found")
		ann.sends(a.deed("open_finding", "Café b")).refused(404, "not_found") // found no more
	})
	h.restart()
	ann.arranges("Page x, Café a, Café c*") // what is kept outlives what was found
	ann.done(ann.acts("remove_from_workspace", "place Café a"))
	ann.done(ann.acts("remove_from_workspace", "web_resource Page x"))
	ann.arranges("Café c*")
	if ann.sees().thing("objects", "place Café a") != nil {
		t.Error("what is kept no more is an object still")
	}
	bea.arranges("")
}

// Of screens the dataset knows neither addresses nor names: what others write to
// those is an action in it, and a map is a place. The session has the addresses.
// Covers X-15, W-37 as far as addresses go, and B-19.
func TestActionsInsteadOfSurfaces(t *testing.T) {
	_, ann, _ := furnished(t)
	ann.finds(cafe("a"), website("x"), cafe("b"), website("y"))
	ann.done(ann.acts("focus_object", "task Taxes"))
	ann.done(ann.acts("save_object", "Page x"))
	done := ann.done(ann.acts("open_finding", "Café a"))
	for _, dataset := range []any{ann.sees().at(""), done.at("dataset"), ann.runtime().do("POST", sessionPath, `{}`).want(200).at("")} {
		dispatched := make(map[any]bool)
		for _, action := range dig(dataset, "actions").([]any) {
			url := dig(action, "command.url").(string)
			if url == "/world/actions/"+dig(action, "action_id").(string) {
				dispatched[dig(action, "type")] = true
			}
			for _, word := range []string{"/surface", "/stacks", "/panels"} {
				if strings.Contains(url, word) {
					t.Errorf("%v is sent to %s", dig(action, "type"), url)
				}
			}
		}
		for _, kind := range []string{"focus_object", "move_earlier", "move_later", "remove_from_workspace", "order_workspace", "clear_focus", "open_finding", "save_object"} {
			if !dispatched[kind] {
				t.Errorf("%s has no address of its own", kind)
			}
		}
		kinds := make(map[any]bool)
		for _, o := range dig(dataset, "objects").([]any) {
			kinds[dig(o, "object_type")] = true
			if strings.Contains(dig(o, "object_type").(string), "surface") {
				t.Errorf("%v is a %v", dig(o, "title"), dig(o, "object_type"))
			}
		}
		if !kinds["place"] || !kinds["web_resource"] {
			t.Errorf("there are %v", kinds)
		}
	}
	commands := ann.session().at("surface_runtime.commands")
	for name, address := range map[string]string{
		"focus_surface": stacksPath + "{stack_key}/focus", "reorder_stack": stacksPath + "{stack_key}/reorder",
		"update_placement": surfacesPath + "{surface_id}/placement", "open_finding": surfacesPath + "{surface_id}/open",
	} {
		if dig(commands, name) != address {
			t.Errorf("the session says %s is at %v", name, dig(commands, name))
		}
	}
}

// There is room for so many findings and what they have become; of more the
// dataset says so. Covers B-82.
func TestManyFindings(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	list := make([]map[string]any, 25)
	for i := range list {
		list[i] = cafe(fmt.Sprint(i))
	}
	ann.finds(list...)
	a := ann.sees()
	if len(a.list("findings")) != 20 || !strings.Contains(a.body, `"state":"degraded","scope":{"kind":"section","section":"findings"},"reason":"truncated"`) {
		t.Errorf("%d findings, and %v", len(a.list("findings")), a.at("fallbacks"))
	}
	viewer := ann.viewer()
	for part := range 3 {
		h.write(func(tx *store.Tx) error {
			findings := make([]svc.Finding, 100)
			for i := range findings {
				id := fmt.Sprint("osm:", part, "/", i)
				findings[i] = svc.Finding{FindingID: id, SourceService: "osm", ObjectType: "place", Title: id}
			}
			w, err := h.surface.ReplaceOverlay(tx, viewer, surface.Overlay{Findings: &findings})
			if err != nil {
				return err
			}
			for _, id := range w.Stacks[3].SurfaceOrder {
				if _, _, err := h.surface.Place(tx, viewer, id, surface.Placing{Mode: "stacked", Placement: surface.Into(surface.CarryStack)}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	b := ann.sees()
	if n := len(b.list("workspace.order")); n != 240 || !strings.Contains(b.body, `"state":"degraded","scope":{"kind":"service","service":"workspace"},"reason":"truncated"`) {
		t.Errorf("%d objects in the workspace, and %v", n, b.at("fallbacks"))
	}
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
