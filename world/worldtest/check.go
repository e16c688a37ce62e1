package worldtest

import (
	"errors"
	"slices"
	"testing"

	"appliance/svc"
	"appliance/world/action"
	"appliance/world/dataset"
)

// ids is a set of ids; the test fails if an id is added twice.
type ids map[string]bool

func (s ids) add(t testing.TB, id string) {
	t.Helper()
	if id == "" || s[id] {
		t.Errorf("got the id %q again or empty, want distinct ids", id)
	}
	s[id] = true
}

// wantAll fails t unless the set contains all ids of list.
func (s ids) wantAll(t testing.TB, referrer string, list ...string) {
	t.Helper()
	for _, id := range list {
		if !s[id] {
			t.Errorf("%s refers to %q, which is not in the dataset", referrer, id)
		}
	}
}

// WantReferences fails t unless every id in the dataset is unique and the target
// of every reference is in the dataset. All sections must be present.
func WantReferences(t testing.TB, d dataset.Dataset) {
	t.Helper()
	objects, actions, findings, fallbacks := make(ids), make(ids), make(ids), make(ids)
	for _, o := range d.Objects {
		objects.add(t, o.WorldObjectID)
	}
	for _, a := range d.Actions {
		actions.add(t, a.ActionID)
	}
	for _, f := range d.Findings {
		findings.add(t, f.FindingID)
	}
	for _, f := range d.Fallbacks {
		fallbacks.add(t, f.FallbackID)
		actions.wantAll(t, "fallback "+f.FallbackID, f.ActionIDs...)
	}
	target := func(referrer string, target action.Target) {
		t.Helper()
		switch target.Kind {
		case action.ObjectTarget:
			objects.wantAll(t, referrer, target.WorldObjectID)
		case action.FindingTarget:
			findings.wantAll(t, referrer, target.FindingID)
		case action.WorkspaceTarget, action.FieldTarget, action.MemberTarget:
		default:
			t.Errorf("%s: got the target %q, want object, finding, workspace, field or member", referrer, target.Kind)
		}
	}
	for _, o := range d.Objects {
		actions.wantAll(t, "object "+o.Title, o.Actions...)
		for _, r := range o.Relationships {
			target("relationship of "+o.Title, r.Target)
		}
	}
	for _, f := range d.Findings {
		actions.wantAll(t, "finding "+f.Title, f.ActionIDs...)
		if f.WorldObjectID != nil {
			objects.wantAll(t, "finding "+f.Title, *f.WorldObjectID)
		}
	}
	for _, a := range d.Actions {
		target("action "+a.ActionID, a.Target)
		if a.Fallback != nil {
			fallbacks.wantAll(t, "action "+a.ActionID, *a.Fallback)
		}
	}
	for _, c := range d.Contexts {
		target("context "+c.ContextID, c.Target)
		actions.wantAll(t, "context "+c.ContextID, c.ActionIDs...)
		for _, item := range c.Items {
			target("item "+item.Label, item.Target)
			actions.wantAll(t, "item "+item.Label, item.ActionIDs...)
		}
	}
	for _, control := range d.Field.Controls {
		for _, item := range control.Items {
			actions.wantAll(t, "field item "+item.ID, item.ActionID)
		}
	}
	objects.wantAll(t, "workspace", d.Workspace.Order...)
	wantPlaces(t, d)
}

// wantPlaces fails t unless the workspace and the objects agree on order and
// focus.
func wantPlaces(t testing.TB, d dataset.Dataset) {
	t.Helper()
	var focused []string
	for _, o := range d.Objects {
		area, position := dataset.NoArea, slices.Index(d.Workspace.Order, o.WorldObjectID)
		if position >= 0 {
			area = dataset.CarryArea
		}
		if got := o.Placement; got.Area != area || (got.Position != nil) != (position >= 0) || got.Position != nil && *got.Position != position {
			t.Errorf("object %s: got placement %+v, want %s %d", o.Title, got, area, position)
		}
		if o.Focus.Focused {
			focused = append(focused, o.WorldObjectID)
		}
	}
	var want []string
	if id := d.Workspace.Focus.WorldObjectID; id != nil {
		want = []string{*id}
	}
	if !slices.Equal(focused, want) {
		t.Errorf("got focused objects %q, want %q", focused, want)
	}
}

// WantError fails t unless err has the code and exactly the fields.
func WantError(t testing.TB, about string, err error, code svc.Code, fields ...string) {
	t.Helper()
	var e *svc.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: got error %v, want %s", about, err, code.Name)
		return
	}
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Name)
	}
	if e.Code != code || !slices.Equal(got, fields) {
		t.Errorf("%s: got error %s of %q, want %s of %q", about, e.Code.Name, got, code.Name, fields)
	}
}
