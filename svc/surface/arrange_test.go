package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// Covers S-22 and S-24.
func TestReorderKeepsEverySurface(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct{ body, want string }{
		{`{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`, "messages calendar social*"},
		{`{"surface_order": ["surface_social"]}`, "social* messages calendar"},
		{`{"surface_order": []}`, "social* messages calendar"},
	} {
		w := s.must(s.reorder(ann, CarryStack, c.body))
		wantEqual(t, c.body, strings.Split(layout(w), "\n")[0], "carry_primary: "+c.want)
		wantEqual(t, c.body+", read again", dump(s.workspace(ann)), dump(w))
	}
}

func TestFocusMovesAndIsCleared(t *testing.T) {
	s := newServer(t)
	w := s.must(s.focus(ann, CarryStack, `{"surface_id": "surface_messages", "expected_revision": 0}`))
	wantEqual(t, "focused", strings.Split(layout(w), "\n")[0], "carry_primary: social calendar messages*")
	w = s.must(s.focus(ann, CarryStack, `{"surface_id": null}`))
	wantEqual(t, "cleared", strings.Split(layout(w), "\n")[0], "carry_primary: social calendar messages")
}

// Covers S-26, S-28, S-29 and B-37.
func TestPlaceSetsModeAndMetadata(t *testing.T) {
	s := newServer(t)
	w := s.must(s.place(ann, "surface_calendar", `{"placement_mode": "detached", "placement": {"stack_id": "carry_primary", "region": "carry",
		"display": "full", "x": 1.5, "y": -2, "width": 300, "height": 200, "z": 3, "pinned": true}}`))
	wantEqual(t, "placement", w.surface("surface_calendar").Placement,
		"{detached map[display:full height:200 pinned:true region:carry stack_id:carry_primary width:300 x:1.5 y:-2 z:3]}")
	w = s.must(s.place(ann, "surface_calendar", `{"placement_mode": "stacked", "placement": {"region": null, "display": null, "y": null, "x": 2}}`))
	wantEqual(t, "null deletes an entry", w.surface("surface_calendar").Placement, "{stacked map[height:200 pinned:true stack_id:carry_primary width:300 x:2 z:3]}")
	wantEqual(t, "read again", dump(s.workspace(ann)), dump(w))
}

func TestPlaceMovesBetweenStacks(t *testing.T) {
	s := newServer(t)
	w := s.must(s.place(ann, "surface_social", `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`))
	wantEqual(t, "docked in another stack, whose focus was lost", layout(w), `carry_primary: calendar messages
left_context: profile* social
right_context: messages_rail*
finding_overlay:`)
	w = s.must(s.place(ann, "surface_social", `{"placement_mode": "detached", "placement": {"stack_id": "right_context"}}`))
	wantEqual(t, "detached surfaces stay in their stack", strings.Split(layout(w), "\n")[1], "left_context: profile* social")
	w = s.must(s.place(ann, "surface_messages_rail", `{"placement_mode": "docked", "placement": {}}`))
	wantEqual(t, "other entries remain", w.surface("surface_messages_rail").Placement.Metadata["matches_surface_id"], "surface_messages")
}

// Covers S-30.
func TestEveryModeCanFollowEveryOtherMode(t *testing.T) {
	s := newServer(t)
	findingID := s.showFindings(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	for _, from := range Mode("").Values() {
		for _, to := range Mode("").Values() {
			for _, mode := range []string{from, to} {
				w := s.must(s.place(ann, findingID, fmt.Sprintf(`{"placement_mode": %q, "placement": {"z": 1}}`, mode)))
				wantEqual(t, from+" to "+to, w.surface(findingID).Placement.Mode, mode)
			}
		}
	}
}

// Covers S-23, S-25, S-27, S-31 and B-38.
func TestInvalidArrangementsChangeNothing(t *testing.T) {
	s := newServer(t)
	if _, _, err := s.put(bea, `{"surface_id": "surface_notes", "surface_type": "document_surface", "title": "Notes"}`); err != nil {
		t.Fatal(err)
	}
	before := dump(s.workspace(ann))
	custom := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"mine%d": %d`, i, i))
		}
		return strings.Join(list, ", ")
	}
	focus, reorder, place := s.focus, s.reorder, s.place
	for _, c := range []struct {
		call         func(svc.MemberID, string, string) (*Workspace, error)
		target, body string
		code         svc.Code
		field        string
	}{
		{focus, CarryStack, `{}`, svc.FieldRequired, "surface_id"},
		{focus, CarryStack, `{"surface_id": ""}`, svc.FieldRequired, "surface_id"},
		{focus, CarryStack, `{"surface_id": "surface_profile"}`, svc.SurfaceNotInStack, "surface_id"},
		{focus, CarryStack, `{"surface_id": "surface_notes"}`, svc.SurfaceNotInStack, "surface_id"},
		{focus, CarryStack, `{"surface_id": "surface_social", "expected_revision": 8}`, svc.VersionConflict, "expected_revision"},
		{focus, "nothing", `{"surface_id": "surface_social"}`, svc.NotFound, ""},
		{reorder, CarryStack, `{}`, svc.FieldRequired, "surface_order"},
		{reorder, CarryStack, `{"surface_order": ["surface_social", "surface_social"]}`, svc.InvalidValue, "surface_order.1"},
		{reorder, CarryStack, `{"surface_order": ["surface_social", "surface_notes"]}`, svc.SurfaceNotInStack, "surface_order.1"},
		{reorder, "nothing", `{"surface_order": []}`, svc.NotFound, ""},
		{place, "surface_social", `{}`, svc.FieldRequired, "placement_mode"},
		{place, "surface_social", `{"placement_mode": "floating", "placement": {}}`, svc.InvalidValue, "placement_mode"},
		{place, "surface_social", `{"placement_mode": "shared"}`, svc.PermissionDenied, ""},
		{place, "surface_social", `{"placement_mode": "field_anchored"}`, svc.PermissionDenied, ""},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"stack_id": "nothing"}}`, svc.InvalidValue, "placement.stack_id"},
		{place, "surface_social", `{"placement_mode": "detached", "placement": {"stack_id": "nothing"}}`, svc.InvalidValue, "placement.stack_id"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"stack_id": "finding_overlay"}}`, svc.InvalidValue, "placement.stack_id"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"stack_id": 7}}`, svc.MalformedBody, "placement.stack_id"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"x": "7"}}`, svc.MalformedBody, "placement.x"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"mine": {}}}`, svc.InvalidValue, "placement.mine"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"": 1}}`, svc.FieldRequired, "placement"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {"mine": "` + strings.Repeat("x", svc.MaxTitle+1) + `"}}`, svc.TooLong, "placement.mine"},
		{place, "surface_social", `{"placement_mode": "stacked", "placement": {` + custom(maxCustomEntries+1) + `}}`, svc.TooLong, "placement"},
		{place, "surface_notes", `{"placement_mode": "stacked", "placement": {}}`, svc.NotFound, ""},
	} {
		_, err := c.call(ann, c.target, c.body)
		wantError(t, c.target+" "+c.body, err, c.code, c.field)
		if got := dump(s.workspace(ann)); got != before {
			t.Fatalf("%s %s: got\n%s\nwant\n%s", c.target, c.body, got, before)
		}
	}
	s.must(s.place(ann, "surface_social", `{"placement_mode": "stacked", "placement": {`+custom(maxCustomEntries)+`}, "expected_revision": 0}`))
}

// remove takes a surface out of its stack.
func (s *server) remove(member svc.MemberID, id, body string) (*Workspace, error) {
	return s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) {
		return s.Remove(tx, svc.Trust(member), id, decode[RemoveRequest](s, body))
	})
}

// A removed surface stays removed: reads do not add it again. Covers B-106 and PT-10.
func TestRemovedSurfaceLeavesItsStack(t *testing.T) {
	s := newServer(t)
	w := s.must(s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}))
	id := w.stack(CarryStack).SurfaceOrder[3]
	wantEqual(t, "removable", []any{w.Runtime().IsRemovable(id), w.Runtime().IsRemovable("surface_social")}, []any{true, false})
	w = s.must(s.remove(ann, id, fmt.Sprintf(`{"expected_revision": %d}`, w.Revision)))
	wantEqual(t, "carry stack", []any{carryTitles(w), w.surface(id) == nil}, []any{"Social Calendar Messages", true})
	wantEqual(t, "read again", dump(s.workspace(ann)), dump(w))
	_, err := s.remove(ann, id, "{}")
	wantError(t, "again", err, svc.NotFound, "")

	s.must(s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}))
	s.must(s.place(ann, id, `{"placement_mode": "docked", "placement": {"stack_id": "right_context"}}`))
	w = s.must(s.remove(ann, id, "{}"))
	wantEqual(t, "removed from another stack", strings.Split(layout(w), "\n")[2], "right_context: messages_rail*")
}

// A finding leaves the stack into which it was moved, but not the results of the search.
func TestRemovedFindingStaysInTheOverlay(t *testing.T) {
	s := newServer(t)
	id := s.showFindings(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	wantEqual(t, "in the overlay only", s.workspace(ann).Runtime().IsRemovable(id), false)
	_, err := s.remove(ann, id, "{}")
	wantError(t, "in the overlay only", err, svc.SurfaceNotInStack, "")
	w := s.must(s.updateWorkspace(func(tx *store.Tx) (*Workspace, error) { return s.Carry(tx, svc.Trust(ann), id) }))
	wantEqual(t, "carried", w.Runtime().IsRemovable(id), true)
	w = s.must(s.remove(ann, id, "{}"))
	wantEqual(t, "removed", []any{carryTitles(w), w.stack(OverlayStack).SurfaceOrder, w.surface(id).Placement.Mode},
		[]any{"Social Calendar Messages", []string{id}, "detached"})
}

func TestRefusedRemovalsChangeNothing(t *testing.T) {
	s := newServer(t)
	w := s.must(s.bring(BringRequest{Binding: ServiceBinding{"time", "task", "1"}, Title: "Taxes"}))
	id, before := w.stack(CarryStack).SurfaceOrder[3], dump(w)
	for _, c := range []struct {
		about    string
		member   svc.MemberID
		id, body string
		want     svc.Code
		field    string
	}{
		{"a default", ann, "surface_messages_rail", "{}", svc.PermissionDenied, ""},
		{"an unknown surface", ann, "surface_nothing", "{}", svc.NotFound, ""},
		{"a surface of another member", bea, id, "{}", svc.NotFound, ""},
		{"an older revision", ann, id, `{"expected_revision": 0}`, svc.VersionConflict, "expected_revision"},
		{"no member", 0, id, "{}", svc.Unauthenticated, ""},
	} {
		_, err := s.remove(c.member, c.id, c.body)
		wantError(t, c.about, err, c.want, c.field)
	}
	wantEqual(t, "afterwards", dump(s.workspace(ann)), before)
}
