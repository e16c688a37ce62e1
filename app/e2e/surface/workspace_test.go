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

// contextItem returns the item with a label in a context of a dataset, or nil.
func contextItem(a *apptest.Answer, kind, label string) any {
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

// wantValues fails the test unless a JSON value has the values at the paths.
func wantValues(t *testing.T, about string, v any, want map[string]any) {
	t.Helper()
	for path, value := range want {
		if got := apptest.At(v, path); fmt.Sprint(got) != fmt.Sprint(value) {
			t.Errorf("%s: %s: got %v, want %v", about, path, got, value)
		}
	}
}

// focusCases are objects of every type, with the type, the stored title and the
// panel of the surface that shows each. The names of members are not stored.
var focusCases = []struct{ name, surface, title, panel string }{
	{"message_thread Bea", "document_surface", "Message thread", "/world/panels/messages?thread="},
	{"task Taxes", "calendar_surface", "Taxes", ""},
	{"calendar_event Dentist", "calendar_surface", "Dentist", ""},
	{"community Family", "community_surface", "Family", "/world/panels/social?view=communities&id="},
	{"conversation Trip", "conversation_surface", "Trip", "/world/panels/social?view=conversations&id="},
	{"event Concert", "event_surface", "Concert", "/world/panels/social?view=events&id="},
	{"profile Bea", "profile_surface", "Profile", "/world/panels/social?view=people&id="},
	{"social_dm Bea", "document_surface", "Direct message", "/world/panels/social?view=dms&id="},
}

// Covers W-16, W-27, W-33, W-53, B-98, W-142 for responses to actions, B-19, B-20, B-21, B-29 and
// S-73.
func TestEveryObjectCanBeFocused(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	empty := ann.Dataset()
	empty.WantValues("workspace.continuity", map[string]any{"revision": 0, "updated_at": nil, "resumed": false})
	if want := `"section":"workspace"},"reason":"nothing_brought"`; !strings.Contains(empty.Body, want) {
		t.Errorf("fallbacks of an empty workspace: got %v, want %s", empty.At("fallbacks"), want)
	}
	for i, k := range focusCases {
		a := ann.WantDone(ann.Act("focus_object", k.name))
		o := ann.Dataset().Object("objects", k.name)
		a.WantValues("", map[string]any{
			"type": "focus_object", "target.world_object_id": apptest.At(o, "world_object_id"), "dataset.workspace.continuity.revision": i + 1,
		})
		wantValues(t, k.name, o, map[string]any{"focus.focused": true, "placement.position": i})
		now := ann.SurfaceRuntime()
		surface := now.Surface("surfaces", now.Str("stacks.0.focused_surface_id"))
		wantValues(t, "the surface of "+k.name, surface, map[string]any{
			"surface_type": k.surface, "title": k.title, "service_binding.service_id": apptest.At(o, "source.service"),
			"service_binding.resource_type": apptest.At(o, "source.resource_type"), "service_binding.resource_id": apptest.At(o, "source.resource_id"),
		})
		source, _ := apptest.At(surface, "content_source.url").(string)
		if k.panel == "" && source != "" || !strings.HasPrefix(source, k.panel) {
			t.Errorf("%s: got the content source %q, want %q", k.name, source, k.panel)
		}
		if source != "" {
			ann.Do("GET", source).Want(200)
		}
	}
	all := ann.Dataset()
	if got, want := all.Workspace(), "Bea, Taxes, Dentist, Family, Trip, Concert, Bea, Bea*"; got != want {
		t.Errorf("workspace: got %s, want %s", got, want)
	}
	all.WantValues("workspace", map[string]any{"selected_message_thread": nil}) // the focus is a direct message
	if n := len(ann.SurfaceRuntime().List("surfaces")); n != 5+len(focusCases) {
		t.Errorf("got %d surfaces, want %d", n, 5+len(focusCases))
	}

	s.Clock.Advance(time.Minute)
	ann.WantDone(ann.Act("focus_object", "message_thread Bea"))
	again := ann.Dataset()
	if got, want := again.Workspace(), "Bea*, Taxes, Dentist, Family, Trip, Concert, Bea, Bea"; got != want {
		t.Errorf("workspace with another focus: got %s, want %s", got, want)
	}
	again.WantValues("workspace", map[string]any{"selected_message_thread": apptest.At(again.Object("objects", "message_thread Bea"), "world_object_id")})
	for name, want := range map[string]any{"message_thread Bea": "2026-11-21T09:01:00Z", "social_dm Bea": "2026-11-21T09:01:00Z", "task Taxes": "2026-11-21T09:00:00Z", "task Some day": nil} {
		wantValues(t, name, again.Object("objects", name), map[string]any{"focus.last_focused_at": want})
	}
	context := again.List("contexts")[slices.Index(again.Values("contexts", "kind"), "workspace")]
	wantValues(t, "the context workspace", context, map[string]any{
		"items.0.selected": true, "items.1.selected": false, "items.1.label": "Taxes", "items.1.action_ids": apptest.At(again.Object("objects", "task Taxes"), "actions"),
		fmt.Sprint("items.", len(focusCases)): nil,
	})
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_social"}`).Want(200)
	ann.WantWorkspace("Bea, Taxes, Dentist, Family, Trip, Concert, Bea, Bea")
	bea.WantWorkspace("")
}

// Covers W-16, W-53 and B-19, and PT-02 for the workspace.
func TestObjectsAreMovedInTheWorkspace(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"task Taxes", "calendar_event Dentist", "community Family"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	// A surface that shows no object is between the objects.
	ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", map[string]any{"surface_order": surfaceIDs(ann, "Taxes", "surface_social", "Dentist")}).Want(200)
	ann.WantWorkspace("Taxes, Dentist, Family*")
	ann.WantDone(ann.Act("move_earlier", "community Family"))
	ann.WantWorkspace("Taxes, Family*, Dentist")
	ann.WantDone(ann.Act("move_later", "task Taxes"))
	ann.WantWorkspace("Family*, Taxes, Dentist")
	a := ann.Dataset()
	for _, absent := range [][2]string{{"move_earlier", "community Family"}, {"move_later", "calendar_event Dentist"}, {"remove_from_workspace", "task Some day"}} {
		if action := a.Action(absent[0], absent[1]); action != nil {
			t.Errorf("%s of %s: got %v, want no action", absent[0], absent[1], action)
		}
	}
}

// Covers W-16, B-19 and B-87, and PT-02 for the workspace.
func TestOrderOfTheWorkspaceIsSet(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"community Family", "task Taxes", "calendar_event Dentist"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	ann.Do("POST", apptest.StacksPath+"carry_primary/reorder", map[string]any{"surface_order": surfaceIDs(ann, "Family", "surface_social", "Taxes")}).Want(200)
	a := ann.Dataset()
	order := a.Action("order_workspace", "")
	wantValues(t, "order_workspace", order, map[string]any{"controls.0.default": strings.Join(stringsOf(a.List("workspace.order")), " ")})
	stack := func() string { return fmt.Sprint(ann.SurfaceRuntime().List("stacks.0.surface_order")) }
	before := stack()
	ann.WantDone(ann.SendAction(order, map[string]any{"order": apptest.At(order, "controls.0.default")}))
	if got := stack(); got != before {
		t.Errorf("after setting the present order: got %s, want %s", got, before)
	}

	id := func(name string) string { return apptest.At(a.Object("objects", name), "world_object_id").(string) }
	taxes, dentist, family := id("task Taxes"), id("calendar_event Dentist"), id("community Family")
	panels := func() (positions []int) {
		for i, id := range ann.SurfaceRuntime().List("stacks.0.surface_order") {
			if slices.Contains([]any{"surface_social", "surface_calendar", "surface_messages"}, id) {
				positions = append(positions, i)
			}
		}
		return positions
	}
	positions := panels()
	orderURL := apptest.At(order, "command.url").(string)
	for _, step := range []struct {
		body any
		want string
	}{
		{map[string]any{"order": []string{dentist, family, taxes}}, "Dentist*, Family, Taxes"},
		{map[string]any{"input": map[string]any{"order": []string{taxes}}}, "Taxes, Dentist*, Family"},
		{apptest.Form(url.Values{"order": {family + " " + dentist}}.Encode()), "Family, Dentist*, Taxes"},
		{apptest.Form(url.Values{"order": {dentist, taxes}}.Encode()), "Dentist*, Taxes, Family"},
	} {
		ann.WantDone(ann.AsRuntime().Do("POST", orderURL, step.body))
		ann.WantWorkspace(step.want)
	}
	if got := panels(); !slices.Equal(got, positions) {
		t.Errorf("positions of surfaces that show no object: got %v, want %v", got, positions)
	}
}

// Covers W-16 and W-53.
func TestObjectsLeaveTheWorkspace(t *testing.T) {
	s, ann, _ := apptest.NewWorkspaceFixture(t)
	for _, name := range []string{"calendar_event Dentist", "task Taxes", "community Family"} {
		ann.WantDone(ann.Act("focus_object", name))
	}
	ann.WantDone(ann.Act("remove_from_workspace", "community Family"))
	ann.WantWorkspace("Dentist, Taxes")
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.WantDone(ann.Act("clear_focus", ""))
	ann.WantWorkspace("Dentist, Taxes")
	if action := ann.Dataset().Action("clear_focus", ""); action != nil {
		t.Errorf("clear_focus without a focus: got %v, want no action", action)
	}
	s.Restart()
	ann.WantWorkspace("Dentist, Taxes")
	ann.WantDone(ann.Act("focus_object", "community Family"))
	ann.WantWorkspace("Dentist, Taxes, Family*")
	ann.WantDone(ann.Act("remove_from_workspace", "task Taxes"))
	ann.WantDone(ann.Act("remove_from_workspace", "calendar_event Dentist"))
	a := ann.Dataset()
	if order, later := a.Action("order_workspace", ""), a.Action("move_later", "community Family"); order != nil || later != nil {
		t.Errorf("actions on a single object: got %v and %v, want none", order, later)
	}
	ann.Do("DELETE", apptest.CommunitiesPath+"/"+apptest.At(a.Object("objects", "community Family"), "source.resource_id").(string)).Want(200)
	ann.WantWorkspace("")
}

// surfaceIDs returns the ids of the surfaces with a title or an id.
func surfaceIDs(c *apptest.Client, names ...string) (ids []any) {
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

// stringsOf returns the strings of a list.
func stringsOf(list []any) (texts []string) {
	for _, surface := range list {
		texts = append(texts, surface.(string))
	}
	return texts
}

func TestQueriesDoNotDependOnTheSizeOfTheWorkspace(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	count := 0
	fill := func(n int) {
		var findings []map[string]any
		for ; count < n; count++ {
			ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", count)}).Want(201)
			ann.Act("focus_object", fmt.Sprint("task Task ", count)).Want(200)
			findings = append(findings, apptest.Finding(fmt.Sprint(count)))
		}
		ann.ReplaceOverlay(findings...)
		for i := range 3 {
			ann.Act("open_finding", findings[i]["title"].(string)).Want(200)
		}
	}
	measure := func() (counts []map[string]int) {
		a := ann.Dataset()
		for _, do := range []func(){
			func() { ann.AsRuntime().Do("GET", "/world/runtime").Want(200) },
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
			s.Restart() // empties the caches
			s.Queries.Take()
			do()
			counts = append(counts, s.Queries.Take())
		}
		return counts
	}
	fill(4)
	few := measure()
	fill(20)
	many := measure()
	for i := range few {
		if !maps.Equal(few[i], many[i]) || len(few[i]) == 0 {
			t.Errorf("request %d: got the queries %v with 20 objects, want %v as with 4", i, many[i], few[i])
		}
	}
}
