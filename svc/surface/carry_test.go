package surface

import (
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// bring opens an object for ann.
func (s *server) bring(in BringRequest) (*Workspace, error) {
	return s.change(func(tx *store.Tx) (*Workspace, error) { return s.Bring(tx, svc.Trust(ann), in) })
}

// carried returns the carry stack of a workspace, by title.
func carried(w *Workspace) (text string) {
	stack := w.stack(CarryStack)
	for _, id := range stack.SurfaceOrder {
		text += w.surface(id).Title
		if stack.FocusedSurfaceID != nil && *stack.FocusedSurfaceID == id {
			text += "*"
		}
		text += " "
	}
	return strings.TrimSpace(text)
}

func TestBringOpensAnObjectOnce(t *testing.T) {
	s := newServer(t)
	taxes := BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes", Summary: "Until May", Source: ContentSource{"runtime_panel", "/world/panels/time"}}
	w := s.must(s.bring(taxes))
	equal(t, "carry stack", carried(w), "Social Calendar Messages Taxes*")
	one := w.surface(w.stack(CarryStack).SurfaceOrder[3])
	equal(t, "surface", []any{one.SurfaceType, one.ServiceBinding, one.ContentSource, one.RuntimeState.Summary, one.Placement},
		[]any{"calendar_surface", taxes.Binding, taxes.Source, "Until May", "{stacked map[stack_id:carry_primary]}"})
	s.must(s.focus(ann, CarryStack, `{"surface_id": "surface_social"}`))
	taxes.Title = "Taxes 2026"
	w = s.must(s.bring(taxes))
	equal(t, "again, under its new title", []any{carried(w), len(w.Surfaces)}, []any{"Social Calendar Messages Taxes 2026*", 6})
	w = s.must(s.bring(BringRequest{Binding: ServiceBinding{"social", "thing", "2"}, Title: "Thing"}))
	equal(t, "another type", w.Surfaces[6].SurfaceType, "document_surface")
	_, err := s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "3"}})
	refused(t, "without a title", err, svc.FieldRequired, "title")
}

// An object that a surface shows already is not opened a second time.
func TestBringUsesTheSurfaceBoundToTheObject(t *testing.T) {
	s := newServer(t)
	w := s.must(s.bring(BringRequest{Binding: ServiceBinding{"messages", "panel", "messages_rail"}, Title: "Threads"}))
	equal(t, "carry stack", []any{carried(w), len(w.Surfaces)}, []any{"Social Calendar Messages Threads*", 5})
	equal(t, "the stack it left", w.stack(RightStack).SurfaceOrder, "[]")
}

func TestRemovedSurfaceComesBackAsItWas(t *testing.T) {
	s := newServer(t)
	taxes := BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}
	w := s.must(s.bring(taxes))
	id, number := w.stack(CarryStack).SurfaceOrder[3], w.lastNumericID
	remove := func(ids ...string) *Workspace {
		return s.must(s.change(func(tx *store.Tx) (*Workspace, error) { return s.RemoveFromCarry(tx, svc.Trust(ann), ids...) }))
	}
	w = remove(id, "surface_nothing")
	equal(t, "removed", []any{carried(w), w.surface(id) == nil}, []any{"Social Calendar Messages", true})
	w = s.must(s.bring(taxes))
	equal(t, "brought back", []any{carried(w), w.surface(id).NumericID}, []any{"Social Calendar Messages Taxes*", number})

	found := s.find(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	w = s.must(s.change(func(tx *store.Tx) (*Workspace, error) { return s.Carry(tx, svc.Trust(ann), found) }))
	equal(t, "a finding is carried", []any{carried(w), w.stack(OverlayStack).SurfaceOrder}, []any{"Social Calendar Messages Taxes Café a*", []string{found}})
	w = remove(found)
	equal(t, "and removed, but stays in the overlay", []any{carried(w), w.stack(OverlayStack).SurfaceOrder, w.surface(found).Placement.Mode},
		[]any{"Social Calendar Messages Taxes", []string{found}, "detached"})
	_, err := s.change(func(tx *store.Tx) (*Workspace, error) { return s.Carry(tx, svc.Trust(bea), found) })
	refused(t, "a surface of another member", err, svc.NotFound, "")
}

func TestLastFocusedHasOnlyStackedSurfaces(t *testing.T) {
	s := newServer(t)
	last := func() (times map[string]time.Time) {
		t.Helper()
		if err := s.db.Read(t.Context(), func(tx *store.Tx) (err error) { times, err = s.LastFocused(tx, svc.Trust(ann)); return err }); err != nil {
			t.Fatal(err)
		}
		return times
	}
	equal(t, "at first", last(), "map[]")
	s.clock.Advance(time.Minute)
	w := s.must(s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}))
	id := w.stack(CarryStack).SurfaceOrder[3]
	equal(t, "focused", last(), map[string]time.Time{id: s.clock.Now()})
	s.must(s.change(func(tx *store.Tx) (*Workspace, error) { return s.RemoveFromCarry(tx, svc.Trust(ann), id) }))
	equal(t, "removed", last(), "map[]")
}
