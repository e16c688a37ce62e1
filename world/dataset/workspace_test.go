package dataset_test

import (
	"fmt"
	"slices"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/world"
	"appliance/world/dataset"
	"appliance/world/worldtest"
)

// performAction performs an action in the dataset of v. name is the type and
// title of the object or finding, "" for an action on the workspace as a whole.
func (f *fixture) performAction(v svc.Viewer, kind, name string, input world.Input) {
	f.T.Helper()
	d := f.read(v)
	ids := make(map[string]string)
	for _, o := range d.Objects {
		ids[o.WorldObjectID] = o.ObjectType + " " + o.Title
	}
	for _, x := range d.Findings {
		ids[x.FindingID] = string(x.ObjectType) + " " + x.Title
	}
	for _, a := range d.Actions {
		if a.Type == kind && ids[a.Target.WorldObjectID+a.Target.FindingID] == name {
			f.Write(func(tx *store.Tx) error {
				_, err := f.World.Perform(tx, v, world.Dispatch{ActionID: a.ActionID, Input: input})
				return err
			})
			return
		}
	}
	f.T.Fatalf("got no action %s on %q in the dataset", kind, name)
}

func (f *fixture) focus(v svc.Viewer, name string) {
	f.T.Helper()
	f.performAction(v, "focus_object", name, world.Input{})
}

// workspace returns the titles of the objects in the workspace, in order. The
// focused one is in brackets.
func workspace(d dataset.Dataset) (titles []string) {
	for _, id := range d.Workspace.Order {
		for _, o := range d.Objects {
			if o.WorldObjectID == id && o.Focus.Focused {
				titles = append(titles, "["+o.Title+"]")
			} else if o.WorldObjectID == id {
				titles = append(titles, o.Title)
			}
		}
	}
	return titles
}

// Covers W-53.
func TestWorkspaceFollowsItsActions(t *testing.T) {
	f := newFixture(t)
	id := func(name string) string { return object(t, f.read(f.ann), name).WorldObjectID }
	revision := f.read(f.ann).Workspace.Continuity.Revision
	for _, step := range []struct {
		action, object string
		input          world.Input
		want           string
	}{
		{"focus_object", "task Taxes", world.Input{}, "[[Taxes]]"},
		{"focus_object", "event Concert", world.Input{}, "[Taxes [Concert]]"},
		{"focus_object", "conversation Trip", world.Input{}, "[Taxes Concert [Trip]]"},
		{"move_earlier", "conversation Trip", world.Input{Before: id("event Concert")}, "[Taxes [Trip] Concert]"},
		{"move_later", "task Taxes", world.Input{After: id("conversation Trip")}, "[[Trip] Taxes Concert]"},
		{"order_workspace", "", world.Input{Order: &world.ObjectIDs{id("event Concert"), id("task Taxes")}}, "[Concert Taxes [Trip]]"},
		{"clear_focus", "", world.Input{}, "[Concert Taxes Trip]"},
		{"remove_from_workspace", "task Taxes", world.Input{}, "[Concert Trip]"},
	} {
		f.performAction(f.ann, step.action, step.object, step.input)
		d := f.read(f.ann)
		worldtest.WantReferences(t, d)
		if got := fmt.Sprint(workspace(d)); got != step.want {
			t.Errorf("%s %s: got the workspace %s, want %s", step.action, step.object, got, step.want)
		}
		if got := d.Workspace.Continuity; got.Revision <= revision || !got.Resumed || got.UpdatedAt == nil {
			t.Errorf("%s %s: got continuity %+v, want a revision above %d", step.action, step.object, got, revision)
		}
		revision = d.Workspace.Continuity.Revision
	}
	if got := fmt.Sprint(workspace(f.read(f.bea))); got != "[]" {
		t.Errorf("bea: got the workspace %s, want an empty one", got)
	}
}

func TestLastFocusedIsShownOfObjectsInTheWorkspace(t *testing.T) {
	f := newFixture(t)
	f.focus(f.ann, "task Taxes")
	f.focus(f.ann, "event Concert")
	d := f.read(f.ann)
	for name, want := range map[string]bool{"task Taxes": true, "event Concert": true, "conversation Trip": false} {
		if got := object(t, d, name).Focus.LastFocusedAt; (got != nil) != want {
			t.Errorf("%s: got last_focused_at %v, want present: %v", name, got, want)
		}
	}
}

// An item whose object is deleted is not in the order; the member can only remove
// it.
func TestItemWithoutObjectCanBeRemoved(t *testing.T) {
	f := newFixture(t)
	f.focus(f.ann, "task Taxes")
	f.focus(f.ann, "event Concert")
	f.Write(func(tx *store.Tx) error { return f.Calendar.Delete(tx, f.ann, f.task, edit.Deletion{}, nil) })
	d := f.read(f.ann)
	worldtest.WantReferences(t, d)
	if got := fmt.Sprint(workspace(d)); got != "[[Concert]]" {
		t.Errorf("got the workspace %s, want [[Concert]]", got)
	}
	i := slices.IndexFunc(d.Contexts, func(c dataset.Context) bool { return c.ContextID == "ctx_workspace" })
	items := d.Contexts[i].Items
	if len(items) != 2 || items[1].Label != "Taxes" || items[1].Target.Kind != "workspace" || len(items[1].ActionIDs) != 1 {
		t.Fatalf("got items %+v, want Concert and, with one action, Taxes", items)
	}
	f.Write(func(tx *store.Tx) error {
		_, err := f.World.Perform(tx, f.ann, world.Dispatch{ActionID: items[1].ActionIDs[0]})
		return err
	})
	if items = f.read(f.ann).Contexts[i].Items; len(items) != 1 {
		t.Errorf("after the removal: got items %+v, want one", items)
	}
}

// Covers W-38.
func TestFindingBecomesAnObject(t *testing.T) {
	f := newFixture(t)
	f.ReplaceFindings(f.ann, worldtest.Place(1), worldtest.Page(2), worldtest.Place(3))
	d := f.read(f.ann)
	worldtest.WantReferences(t, d)
	if len(d.Findings) != 3 || d.Findings[0].WorldObjectID != nil || d.Findings[0].Location == nil || d.Findings[1].SourceURL == nil {
		t.Fatalf("got findings %+v, want a place, a page and a place that are no objects", d.Findings)
	}
	f.performAction(f.ann, "open_finding", "place Café 1", world.Input{})
	f.performAction(f.ann, "save_object", "web_resource Page 2", world.Input{})
	d = f.read(f.ann)
	worldtest.WantReferences(t, d)
	if got := fmt.Sprint(workspace(d)); got != "[[Café 1] Page 2]" && got != "[Page 2 [Café 1]]" {
		t.Errorf("got the workspace %s, want Café 1, focused, and Page 2", got)
	}
	place := object(t, d, "place Café 1")
	state := place.State.(map[string]any)
	if state["category"] != "coffee" || state["address"] != "1 High Street" || state["finding_id"] != "osm:1" {
		t.Errorf("got the state %v of the place, want category, address and finding_id", state)
	}
	if d.Findings[0].WorldObjectID == nil || *d.Findings[0].WorldObjectID != place.WorldObjectID {
		t.Errorf("got finding %+v, want the object %s", d.Findings[0], place.WorldObjectID)
	}
	if page := object(t, d, "web_resource Page 2"); page.State.(map[string]any)["source_url"] != "https://example.org/2" {
		t.Errorf("got the state %v of the page, want its address", page.State)
	}
	if got := source(t, d, "find").ObjectCount; got != 2 {
		t.Errorf("got %d objects of find, want 2", got)
	}
}

func TestSavedFindingIsRenderedAgainWhenItChanges(t *testing.T) {
	f := newFixture(t)
	f.ReplaceFindings(f.ann, worldtest.Place(1))
	f.performAction(f.ann, "open_finding", "place Café 1", world.Input{})
	changedPlace := worldtest.Place(1)
	changedPlace.Title, changedPlace.Payload = "Tea room", svc.Map{"latitude": 1.0, "longitude": 2.0}
	f.ReplaceFindings(f.ann, changedPlace)
	f.performAction(f.ann, "open_finding", "place Tea room", world.Input{})
	state := object(t, f.read(f.ann), "place Tea room").State.(map[string]any)
	if got := fmt.Sprint(state["location"]); got != "map[latitude:1 longitude:2]" || state["category"] != nil {
		t.Errorf("got the state %v, want the changed location and no category", state)
	}
}

func TestWorkspaceThatIsSwitchedOffOffersNoActions(t *testing.T) {
	f := newFixture(t)
	f.focus(f.ann, "task Taxes")
	f.Hosted("surface").SwitchOff()
	f.World = f.NewWorld()
	d := f.read(f.ann)
	worldtest.WantReferences(t, d)
	for _, a := range d.Actions {
		if a.Type == "focus_object" || a.Type == "remove_from_workspace" {
			t.Errorf("got the action %s, want none of the workspace", a.Type)
		}
	}
	for _, section := range []string{"workspace", "findings"} {
		if f := fallback(d, dataset.Scope{Kind: "section", Section: section}); f == nil || f.Reason != "not_read" {
			t.Errorf("section %s: got fallback %+v, want not_read", section, f)
		}
	}
}

// The first read stores the default stacks of a member.
func TestReadStoresTheDefaultsOfTheWorkspace(t *testing.T) {
	f := newFixture(t)
	hasStoredDefaults := func() (saved bool) {
		f.Read(func(tx *store.Tx) error {
			w, err := f.Surface.Read(tx, f.cem)
			saved = err == nil && !w.Unsaved
			return err
		})
		return saved
	}
	if hasStoredDefaults() {
		t.Fatal("got stored defaults before the first read, want none")
	}
	f.read(f.cem)
	if !hasStoredDefaults() {
		t.Error("got no stored defaults after the first read")
	}
}
