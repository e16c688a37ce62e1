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
	return s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.Bring(tx, svc.Trust(ann), in) })
}

// carryTitles returns the titles of the surfaces in the carry stack, with a star
// after the focused one.
func carryTitles(w *Workspace) (text string) {
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
	wantEqual(t, "carry stack", carryTitles(w), "Social Calendar Messages Taxes*")
	surface := w.surface(w.stack(CarryStack).SurfaceOrder[3])
	wantEqual(t, "surface", []any{surface.SurfaceType, surface.ServiceBinding, surface.ContentSource, surface.RuntimeState.Summary, surface.Placement},
		[]any{"calendar_surface", taxes.Binding, taxes.Source, "Until May", "{stacked map[stack_id:carry_primary]}"})
	s.must(s.focus(ann, CarryStack, `{"surface_id": "surface_social"}`))
	taxes.Title = "Taxes 2026"
	w = s.must(s.bring(taxes))
	wantEqual(t, "again, under its new title", []any{carryTitles(w), len(w.Surfaces)}, []any{"Social Calendar Messages Taxes 2026*", 6})
	w = s.must(s.bring(BringRequest{Binding: ServiceBinding{"social", "thing", "2"}, Title: "Thing"}))
	wantEqual(t, "another type", w.Surfaces[6].SurfaceType, "document_surface")
	_, err := s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "3"}})
	wantError(t, "without a title", err, svc.FieldRequired, "title")
}

// A surface that already shows the object is reused.
func TestBringUsesTheSurfaceBoundToTheObject(t *testing.T) {
	s := newServer(t)
	w := s.must(s.bring(BringRequest{Binding: ServiceBinding{"messages", "panel", "messages_rail"}, Title: "Threads"}))
	wantEqual(t, "carry stack", []any{carryTitles(w), len(w.Surfaces)}, []any{"Social Calendar Messages Threads*", 5})
	wantEqual(t, "the stack it left", w.stack(RightStack).SurfaceOrder, "[]")
}

func TestReopenedSurfaceKeepsItsState(t *testing.T) {
	s := newServer(t)
	taxes := BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}
	w := s.must(s.bring(taxes))
	id, number := w.stack(CarryStack).SurfaceOrder[3], w.lastNumericID
	remove := func(ids ...string) *Workspace {
		return s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.RemoveFromCarry(tx, svc.Trust(ann), ids...) }))
	}
	w = remove(id, "surface_nothing")
	wantEqual(t, "removed", []any{carryTitles(w), w.surface(id) == nil}, []any{"Social Calendar Messages", true})
	w = s.must(s.bring(taxes))
	wantEqual(t, "brought back", []any{carryTitles(w), w.surface(id).NumericID}, []any{"Social Calendar Messages Taxes*", number})

	findingID := s.showFindings(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	w = s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.Carry(tx, svc.Trust(ann), findingID) }))
	wantEqual(t, "a finding is carried", []any{carryTitles(w), w.stack(OverlayStack).SurfaceOrder}, []any{"Social Calendar Messages Taxes Café a*", []string{findingID}})
	w = remove(findingID)
	wantEqual(t, "and removed, but stays in the overlay", []any{carryTitles(w), w.stack(OverlayStack).SurfaceOrder, w.surface(findingID).Placement.Mode},
		[]any{"Social Calendar Messages Taxes", []string{findingID}, "detached"})
	_, err := s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.Carry(tx, svc.Trust(bea), findingID) })
	wantError(t, "a surface of another member", err, svc.NotFound, "")
}

func TestLastFocusedHasOnlyStackedSurfaces(t *testing.T) {
	s := newServer(t)
	lastFocused := func() (times map[string]time.Time) {
		t.Helper()
		if err := s.db.Read(t.Context(), func(tx *store.Tx) (err error) { times, err = s.LastFocused(tx, svc.Trust(ann)); return err }); err != nil {
			t.Fatal(err)
		}
		return times
	}
	wantEqual(t, "at first", lastFocused(), "map[]")
	s.clock.Advance(time.Minute)
	w := s.must(s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}))
	id := w.stack(CarryStack).SurfaceOrder[3]
	wantEqual(t, "focused", lastFocused(), map[string]time.Time{id: s.clock.Now()})
	s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.RemoveFromCarry(tx, svc.Trust(ann), id) }))
	wantEqual(t, "removed", lastFocused(), "map[]")
}
