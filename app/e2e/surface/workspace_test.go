package surface

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// context returns the item of a context of a dataset that is called so.
func context(a *apptest.Answer, kind, label string) any {
	a.T.Helper()
	for _, ctx := range a.List("contexts") {
		for _, item := range apptest.At(ctx, "items").([]any) {
			if apptest.At(ctx, "kind") == kind && apptest.At(item, "label") == label {
				return item
			}
		}
	}
	return nil
}

// Whatever there is can be brought into the workspace, in a surface that says
// whose it is and where it is shown, and never twice. Covers W-16, W-27, W-33,
// W-53, W-142 as far as answers to actions go, B-19, B-20, B-21, B-29 and S-73.
func TestWhatIsBroughtIntoTheWorkspace(t *testing.T) {
	h, ann, bea := apptest.NewWorkspaceFixture(t)
	empty := ann.Dataset()
	if empty.At("workspace.continuity.revision") != 0.0 || empty.At("workspace.continuity.updated_at") != nil || empty.At("workspace.continuity.resumed") != false ||
		!strings.Contains(empty.Body, `"section":"workspace"},"reason":"nothing_brought"`) {
		t.Errorf("the workspace is %v", empty.At("workspace"))
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
		a := ann.WantDone(ann.Act("focus_object", k.name))
		o := ann.Dataset().Object("objects", k.name)
		if a.Str("type") != "focus_object" || apptest.At(a.At("target"), "world_object_id") != apptest.At(o, "world_object_id") {
			t.Errorf("%s: %v of %v", k.name, a.At("type"), a.At("target"))
		}
		if apptest.At(o, "focus.focused") != true || apptest.At(o, "placement.position") != float64(i) || a.At("dataset.workspace.continuity.revision") != float64(i+1) {
			t.Errorf("%s: %v %v %v", k.name, apptest.At(o, "focus"), apptest.At(o, "placement"), a.At("dataset.workspace.continuity"))
		}
		now := ann.SurfaceRuntime()
		one := now.Surface("surfaces", now.Str("stacks.0.focused_surface_id"))
		source, binding := apptest.At(o, "source"), apptest.At(one, "service_binding")
		if apptest.At(one, "surface_type") != k.surface || apptest.At(one, "title") != apptest.At(o, "title") || apptest.At(binding, "service_id") != apptest.At(source, "service") ||
			apptest.At(binding, "resource_type") != apptest.At(source, "resource_type") || apptest.At(binding, "resource_id") != apptest.At(source, "resource_id") {
			t.Errorf("%s: %v is shown by %v", k.name, source, one)
		}
		shown, _ := apptest.At(one, "content_source.url").(string)
		if shown != "" {
			ann.Do("GET", shown).Want(200)
		}
		if k.panel == "" && shown != "" || !strings.HasPrefix(shown, k.panel) {
			t.Errorf("%s is shown at %q", k.name, shown)
		}
	}
	all := ann.Dataset()
	if got := all.Workspace(); got != "Bea, Taxes, Dentist, Family, Trip, Concert, Bea, Bea*" {
		t.Errorf("there is %s", got)
	}
	if all.At("workspace.selected_message_thread") != nil {
		t.Error("a direct message is taken for a thread")
	}
	h.Clock.Advance(time.Minute)
	// What is there is turned to; nothing is there twice, and nothing moves.
	ann.WantDone(ann.Act("focus_object", "message_thread Bea"))
	again := ann.Dataset()
	if id := apptest.At(again.Object("objects", "message_thread Bea"), "world_object_id"); again.Workspace() != "Bea*, Taxes, Dentist, Family, Trip, Concert, Bea, Bea" ||
		again.At("workspace.selected_message_thread") != id {
		t.Errorf("there is %s, with the thread %v", again.Workspace(), again.At("workspace.selected_message_thread"))
	}
	for name, want := range map[string]any{"message_thread Bea": "2026-11-21T09:01:00Z", "social_dm Bea": "2026-11-21T09:01:00Z", "task Taxes": "2026-11-21T09:00:00Z", "task Some day": nil} {
		if got := apptest.At(again.Object("objects", name), "focus.last_focused_at"); got != want {
			t.Errorf("%s had the focus at %v, want %v", name, got, want)
		}
	}
	if n := len(ann.SurfaceRuntime().List("surfaces")); n != 5+len(kinds) {
		t.Errorf("there are %d surfaces", n)
	}
	for _, ctx := range again.List("contexts") {
		if apptest.At(ctx, "kind") != "workspace" {
			continue
		}
		items := apptest.At(ctx, "items").([]any)
		if len(items) != len(kinds) || apptest.At(items[0], "selected") != true || apptest.At(items[1], "selected") != false || apptest.At(items[1], "label") != "Taxes" {
			t.Errorf("the context is %v", ctx)
		}
		if actions := apptest.At(again.Object("objects", "task Taxes"), "actions"); fmt.Sprint(apptest.At(items[1], "action_ids")) != fmt.Sprint(actions) {
			t.Errorf("the item has %v, the object %v", apptest.At(items[1], "action_ids"), actions)
		}
	}
	// A surface turned to by its own route is seen here too (W-16).
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).Want(200)
	ann.WantWorkspace("Bea, Taxes, Dentist, Family, Trip, Concert, Bea, Bea")
	bea.WantWorkspace("")
}

// The objects in the workspace are moved, and taken out. What is between them
// and is no object stays where it is. Covers W-16, W-53, B-19 and PT-02 as far
// as the workspace goes.
func TestWhatIsDoneInTheWorkspace(t *testing.T) {
	h, ann, _ := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist", "community Family"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", map[string]any{"surface_order": orderOf(ann, "Taxes", "surface_social", "Dentist")}).Want(200)
	ann.WantWorkspace("Taxes, Dentist, Family*")
	ann.WantDone(ann.Act("move_earlier", "community Family"))
	ann.WantWorkspace("Taxes, Family*, Dentist")
	ann.WantDone(ann.Act("move_later", "task Taxes"))
	ann.WantWorkspace("Family*, Taxes, Dentist")
	a := ann.Dataset()
	if a.Action("move_earlier", "community Family") != nil || a.Action("move_later", "calendar_event Dentist") != nil || a.Action("remove_from_workspace", "task Some day") != nil {
		t.Error("what cannot be done is offered")
	}

	order := a.Action("order_workspace", "")
	if got := apptest.At(order, "controls.0.default"); got != strings.Join(texts(a.List("workspace.order")), " ") {
		t.Errorf("the order is %v", got)
	}
	before := ann.SurfaceRuntime().List("stacks.0.surface_order")
	ann.WantDone(ann.SendAction(order, map[string]any{"order": apptest.At(order, "controls.0.default")})) // as it is declared
	if after := ann.SurfaceRuntime().List("stacks.0.surface_order"); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("it was %v and is %v", before, after)
	}
	id := func(name string) string { return apptest.At(a.Object("objects", name), "world_object_id").(string) }
	taxes, dentist, family := id("task Taxes"), id("calendar_event Dentist"), id("community Family")
	panels := func() (list []int) {
		for i, id := range ann.SurfaceRuntime().List("stacks.0.surface_order") {
			if slices.Contains([]any{"surface_social", "surface_calendar", "surface_messages"}, id) {
				list = append(list, i)
			}
		}
		return list
	}
	where := panels()
	ann.WantDone(ann.SendAction(order, map[string]any{"order": []string{dentist, family, taxes}}))
	ann.WantWorkspace("Dentist, Family*, Taxes")
	ann.WantDone(ann.SendAction(order, map[string]any{"input": map[string]any{"order": []string{taxes}}})) // the others follow
	ann.WantWorkspace("Taxes, Dentist, Family*")
	ann.WantDone(ann.Runtime().Do("POST", apptest.At(order, "command.url").(string), apptest.Form(url.Values{"order": {family + " " + dentist}}.Encode())))
	ann.WantWorkspace("Family*, Dentist, Taxes")
	ann.WantDone(ann.Runtime().Do("POST", apptest.At(order, "command.url").(string), apptest.Form(url.Values{"order": {dentist, taxes}}.Encode())))
	ann.WantWorkspace("Dentist, Taxes, Family*")
	if got := panels(); !slices.Equal(got, where) {
		t.Errorf("what is no object was at %v and is at %v", where, got)
	}

	ann.WantDone(ann.Act("remove_from_workspace", "community Family"))
	ann.WantWorkspace("Dentist, Taxes")
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.WantDone(ann.Act("clear_focus", ""))
	ann.WantWorkspace("Dentist, Taxes")
	if ann.Dataset().Action("clear_focus", "") != nil {
		t.Error("a focus that is not there can be cleared")
	}
	h.Restart()
	ann.WantWorkspace("Dentist, Taxes")
	ann.WantDone(ann.Act("focus_object", "community Family")) // in the surface in which it was
	ann.WantWorkspace("Dentist, Taxes, Family*")
	ann.WantDone(ann.Act("remove_from_workspace", "task Taxes"))
	ann.WantDone(ann.Act("remove_from_workspace", "calendar_event Dentist"))
	if a := ann.Dataset(); a.Action("order_workspace", "") != nil || a.Action("move_later", "community Family") != nil {
		t.Error("a single thing can be put in order")
	}
	// What is gone is in no workspace any more, whatever stays in its place.
	ann.Do("DELETE", apptest.CommunitiesPath+"/"+apptest.At(a.Object("objects", "community Family"), "source.resource_id").(string)).Want(200)
	ann.WantWorkspace("")
}

// orderOf returns the surfaces that are called so, or have that id.
func orderOf(c *apptest.Client, names ...string) (ids []any) {
	c.T.Helper()
	now := c.SurfaceRuntime()
	for _, name := range names {
		for _, s := range now.List("surfaces") {
			if apptest.At(s, "title") == name || apptest.At(s, "surface_id") == name {
				ids = append(ids, apptest.At(s, "surface_id"))
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
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	count := 0
	fill := func(n int) {
		var found []map[string]any
		for ; count < n; count++ {
			ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", count)}).Want(201)
			ann.Act("focus_object", fmt.Sprint("task Task ", count)).Want(200)
			found = append(found, apptest.Finding(fmt.Sprint(count)))
		}
		ann.ReplaceOverlay(found...)
		for i := range 3 {
			ann.Act("open_finding", found[i]["title"].(string)).Want(200)
		}
	}
	measure := func() (counts []map[string]int) {
		a := ann.Dataset()
		for _, do := range []func(){
			func() { ann.Runtime().Do("GET", "/world/runtime").Want(200) },
			func() { ann.SendAction(a.Action("focus_object", "task Task 0")).Want(200) },
			func() { ann.SendAction(a.Action("move_earlier", "task Task 1")).Want(200) },
			func() {
				ann.SendAction(a.Action("order_workspace", ""), map[string]any{"order": a.List("workspace.order")}).Want(200)
			},
			func() {
				ann.SendAction(a.Action("open_finding", apptest.At(a.List("findings")[3], "title").(string))).Want(200)
			},
			func() { ann.SendAction(a.Action("remove_from_workspace", "task Task 1")).Want(200) },
			func() { ann.SendAction(a.Action("focus_object", "task Task 1")).Want(200) },
		} {
			h.Restart() // so that nothing is known from before
			h.Queries.Take()
			do()
			counts = append(counts, h.Queries.Take())
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
