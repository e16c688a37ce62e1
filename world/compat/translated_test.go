package compat_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/world"
	"appliance/world/compat"
	"appliance/world/dataset"
	"appliance/world/record"
	"appliance/world/worldtest"
)

func (f *fixture) translate(v svc.Viewer, r dataset.Request, selected *record.MessageThread) (d compat.Translated) {
	f.T.Helper()
	var result dataset.Result
	f.Read(func(tx *store.Tx) (err error) {
		result, err = compat.Translate(tx, f.World, v, r, selected)
		return err
	})
	worldtest.Decode(f.T, worldtest.Text(f.T, result.Body), &d)
	return d
}

func (f *fixture) focus(v svc.Viewer, title string) {
	f.T.Helper()
	d := f.Dataset(v, request(f.T, "web", ""))
	for _, o := range d.Objects {
		for _, a := range d.Actions {
			if o.Title == title && a.Type == "focus_object" && a.Target.WorldObjectID == o.WorldObjectID {
				f.Write(func(tx *store.Tx) error {
					_, err := f.World.Perform(tx, v, world.Dispatch{ActionID: a.ActionID})
					return err
				})
				return
			}
		}
	}
	f.T.Fatalf("got no object %q, want one to focus", title)
}

// Covers W-110 to W-118, X-02 and B-26.
func TestTranslatedDatasetIsTheDatasetWithHints(t *testing.T) {
	f := newFixture(t)
	f.CreateTask(f.ann, "Taxes")
	f.CreateEvent(f.ann, "Concert <b>", "2026-12-01T19:00:00")
	f.SendMessage(f.bea, f.ann, "Hello")
	f.focus(f.ann, "Taxes")
	f.focus(f.ann, "bea")
	for _, query := range []string{"", "sections=objects", "sections=workspace,actions", "sections=", "caps=objects&categories=food"} {
		r := request(t, "web/1", query)
		got, want := f.translate(f.ann, r, nil), f.Dataset(f.ann, r)
		if got.Contract != (compat.TranslatedContract{Name: "service.home.runtime", Version: 2, Translator: "expanded_screen"}) {
			t.Errorf("%s: got contract %+v", query, got.Contract)
		}
		for name, parts := range map[string][2]any{
			"capabilities": {got.Capabilities, want.Capabilities.Capabilities}, "contexts": {got.Contexts, want.Contexts},
			"fallbacks": {got.Fallbacks, want.Fallbacks}, "order": {got.Workspace.Order, want.Workspace.Order},
			"focus": {got.Workspace.Focus, want.Workspace.Focus}, "placement": {got.Workspace.Placement, want.Workspace.Placement},
		} {
			if !reflect.DeepEqual(parts[0], parts[1]) {
				t.Errorf("%s: %s: got %+v, want %+v", query, name, parts[0], parts[1])
			}
		}
		if len(got.Actions) != len(want.Actions) || len(got.Objects) != len(want.Objects) {
			t.Fatalf("%s: got %d actions and %d objects, want %d and %d", query, len(got.Actions), len(got.Objects), len(want.Actions), len(want.Objects))
		}
		for i, o := range want.Objects {
			wantTranslated(t, got.Objects[i], o)
		}
		for _, a := range got.Actions {
			if a.Target.Kind == "field" && !strings.HasPrefix(a.Command.URL+"?", "/world/translated?") {
				t.Errorf("%s: got the address %s of a field action, want /world/translated", query, a.Command.URL)
			}
		}
		wantGroups(t, got)
	}
}

// wantTranslated fails t unless an object has the fields of the dataset and the
// expected hints.
func wantTranslated(t *testing.T, got compat.TranslatedObject, want dataset.Object) {
	t.Helper()
	if !reflect.DeepEqual(got.ObjectData, want.ObjectData) || !slices.Equal(got.Actions, want.Actions) || !reflect.DeepEqual(got.Relationships, want.Relationships) {
		t.Errorf("object %s: got %+v, want %+v", want.Title, got, want)
	}
	icon := map[string]string{"task": "task", "event": "event", "calendar_event": "calendar", "message_thread": "message", "profile": "person"}[want.ObjectType]
	hints := compat.ObjectPresentation{Group: "carry", Emphasis: map[bool]compat.Emphasis{true: "high", false: "normal"}[want.Focus.Focused], Icon: icon}
	if got.Presentation != hints {
		t.Errorf("object %s: got hints %+v, want %+v", want.Title, got.Presentation, hints)
	}
}

// wantGroups fails t unless the groups contain every object once.
func wantGroups(t *testing.T, d compat.Translated) {
	t.Helper()
	var ids []string
	for _, g := range d.Presentation.Groups {
		ids = append(ids, g.ObjectIDs...)
	}
	for _, o := range d.Objects {
		if !slices.Contains(ids, o.WorldObjectID) {
			t.Errorf("object %s is in no group", o.Title)
		}
	}
	if len(ids) != len(d.Objects) || len(d.Presentation.Groups) != 3 {
		t.Errorf("got %d groups of %d objects, want 3 of %d", len(d.Presentation.Groups), len(ids), len(d.Objects))
	}
}

// Covers W-116.
func TestTranslatedDatasetContainsTheSelectedThread(t *testing.T) {
	f := newFixture(t)
	id := f.SendMessage(f.bea, f.ann, "Hello")
	var thread record.MessageThread
	f.Read(func(tx *store.Tx) error {
		m, err := f.Messages.Thread(tx, f.ann, id)
		thread = record.NewMessageThread(m)
		return err
	})
	got := f.translate(f.ann, request(t, "web", ""), &thread).Workspace.SelectedMessageThread
	if got == nil || got.ID != id {
		t.Errorf("got the selected thread %+v, want %s", got, id)
	}
}

func TestSurfacesHaveTheURLsOfTheirCommands(t *testing.T) {
	f := newFixture(t)
	f.ReplaceFindings(f.ann, worldtest.Place(1), worldtest.Page(2))
	s, _, _ := f.session(f.ann, request(t, "web", ""))
	r := s.SurfaceRuntime
	if r.Commands.FocusSurface != "/world/surface/stacks/{stack_key}/focus" || r.Commands.OpenFinding != "/world/surface/surfaces/{surface_id}/open" {
		t.Errorf("got templates %+v", r.Commands)
	}
	places := 0
	for _, s := range r.Surfaces {
		if s.Commands.UpdatePlacement != "/world/surface/surfaces/"+s.SurfaceID+"/placement" {
			t.Errorf("surface %s: got commands %+v", s.SurfaceID, s.Commands)
		}
		if s.Commands.OpenFinding != "" {
			places++
		}
	}
	if places != 1 {
		t.Errorf("got %d surfaces that can be opened, want the place", places)
	}
	for _, s := range r.Stacks {
		if s.Commands.ReorderStack != "/world/surface/stacks/"+s.StackID+"/reorder" {
			t.Errorf("stack %s: got commands %+v", s.StackID, s.Commands)
		}
	}
}

// The response to a replay consists of the stored form of a long response and the
// current surfaces.
func TestReplayCompletesTheShortResponse(t *testing.T) {
	f := newFixture(t)
	s, _, _ := f.session(f.ann, request(t, "web", ""))
	created := true
	full := compat.CommandResponse{Status: "ok", Surface: &s.SurfaceRuntime.Surfaces[1], Created: &created, SurfaceRuntime: s.SurfaceRuntime}
	stored, err := json.Marshal(full.Short())
	if err != nil {
		t.Fatal(err)
	}
	if len(stored) > 200 {
		t.Errorf("got a short form of %d bytes, want at most 200", len(stored))
	}
	var short compat.ShortCommandResponse
	if err := json.Unmarshal(stored, &short); err != nil {
		t.Fatal(err)
	}
	if got := short.WithSurfaces(s.SurfaceRuntime); !reflect.DeepEqual(got, full) {
		t.Errorf("got %+v, want %+v", got, full)
	}
	if got := (compat.CommandResponse{Status: "ok"}).Short(); got != (compat.ShortCommandResponse{Status: "ok"}) {
		t.Errorf("no surface: got %+v", got)
	}
}
