package surface

import (
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Covers S-05 to S-18, S-20, S-21 and B-36.
func TestNewMemberHasDefaults(t *testing.T) {
	s := newServer(t)
	w := s.workspace(ann)
	wantEqual(t, "stacks", layout(w), initialLayout)
	r := w.Runtime()
	wantEqual(t, "contract and revision", []any{r.Contract, r.Revision}, []any{Contract{"service.surface.runtime", 1}, 0})
	var surfaces, stacks, views []any
	for _, surface := range r.Surfaces {
		surfaces = append(surfaces, surface.SurfaceID, surface.SurfaceType, surface.ServiceBinding, surface.ContentSource, surface.Permissions, surface.Placement, "\n")
	}
	for _, stack := range r.Stacks {
		stacks = append(stacks, stack.StackID, stack.StackType, stack.Region, stack.Display, stack.Slot, stack.Orientation, stack.ViewportID, "\n")
	}
	for _, viewport := range r.Viewports {
		views = append(views, viewport, "\n")
	}
	wantEqual(t, "surfaces", surfaces, `[surface_social dashboard_surface {social panel social} {runtime_panel /world/panels/social} {true true false false} {stacked map[stack_id:carry_primary]} 
 surface_calendar calendar_surface {time panel time} {runtime_panel /world/panels/time} {true true false false} {stacked map[stack_id:carry_primary]} 
 surface_messages dashboard_surface {messages panel messages} {runtime_panel /world/panels/messages} {true true false false} {stacked map[stack_id:carry_primary]} 
 surface_profile profile_surface {social panel profile} {runtime_panel /world/panels/social?view=profile} {true true false false} {stacked map[stack_id:left_context]} 
 surface_messages_rail service_nav_panel {messages panel messages_rail} {runtime_panel /world/panels/messages/rail} {true true false false} {stacked map[matches_surface_id:surface_messages stack_id:right_context]} 
]`)
	wantEqual(t, "stacks", stacks, `[carry_primary carry_stack carry full center horizontal viewport_center 
 left_context context_stack context rail left vertical viewport_left 
 right_context context_stack context rail right vertical viewport_right 
 finding_overlay overlay_stack overlay full  horizontal viewport_overlay 
]`)
	wantEqual(t, "viewports", views, `[{viewport_center stack carry center full 0.15} 
 {viewport_left stack context left rail 0} 
 {viewport_right stack context right rail 0} 
 {viewport_overlay stack overlay  full 0} 
]`)
}

func TestUnauthenticatedClientHasNoWorkspace(t *testing.T) {
	s := newServer(t)
	_, err := s.focus(0, CarryStack, `{"surface_id": "surface_social"}`)
	wantError(t, "a change", err, svc.Unauthenticated, "")
}

// Covers S-32, S-33 and PT-10.
func TestReadAddsMissingDefaultsOnly(t *testing.T) {
	s := newServer(t)
	s.must(s.reorder(ann, CarryStack, `{"surface_order": ["surface_messages", "surface_calendar"]}`))
	s.must(s.focus(ann, CarryStack, `{"surface_id": "surface_calendar"}`))
	s.must(s.place(ann, "surface_calendar", `{"placement_mode": "detached", "placement": {"x": 1.5, "y": -2}}`))
	arranged := s.workspace(ann)
	const changed = `carry_primary: messages calendar* social
left_context: profile*
right_context: messages_rail*
finding_overlay:`
	wantEqual(t, "arranged", layout(arranged), changed)
	wantEqual(t, "a second read", dump(s.workspace(ann)), dump(arranged))
	for about, c := range map[string]struct{ statement, want string }{
		"a stack":            {"DELETE FROM surface_stack WHERE stack_key = 'left_context'", changed},
		"the overlay":        {"DELETE FROM surface_stack WHERE stack_key = 'finding_overlay'", changed},
		"a surface":          {"DELETE FROM surface_surface WHERE surface_id = 'surface_messages'", strings.Replace(changed, "messages calendar* social", "calendar* social messages", 1)},
		"an item of a stack": {`UPDATE surface_stack SET surface_order = '["surface_messages","surface_calendar"]' WHERE stack_key = 'carry_primary'`, changed},
		"the focus":          {`UPDATE surface_stack SET focused_surface_id = 'missing' WHERE stack_key = 'left_context'`, strings.Replace(changed, "profile*", "profile", 1)},
	} {
		storetest.Exec(t, s.db, c.statement)
		w := s.workspace(ann)
		wantEqual(t, "without "+about, layout(w), c.want)
		wantEqual(t, "without "+about, []any{w.surface("surface_calendar").Placement.Mode, w.Revision}, []any{"detached", w.Revision})
		s.must(s.reorder(ann, CarryStack, `{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`))
		s.must(s.focus(ann, LeftStack, `{"surface_id": "surface_profile"}`))
	}
	for _, table := range []string{"stack", "surface", "workspace"} {
		storetest.Exec(t, s.db, "DELETE FROM surface_"+table)
	}
	wantEqual(t, "without anything", layout(s.workspace(ann)), initialLayout)
}

// A surface that should be in a stack but is in none is added to the stack of its placement, or to
// the carry stack if the placement names an unknown stack or the overlay.
func TestLostSurfaceReturnsToItsStack(t *testing.T) {
	for stack, want := range map[string]string{LeftStack: "left_context: profile* notes", "unknown": "messages notes", OverlayStack: "messages notes"} {
		s := newServer(t)
		if _, _, err := s.put(ann, `{"surface_id": "surface_notes", "surface_type": "document_surface", "title": "Notes"}`); err != nil {
			t.Fatal(err)
		}
		storetest.Exec(t, s.db, `UPDATE surface_stack SET surface_order = '["surface_social","surface_calendar","surface_messages"]' WHERE stack_key = 'carry_primary'`)
		storetest.Exec(t, s.db, `UPDATE surface_surface SET metadata = json_set(metadata, '$.stack_id', ?) WHERE surface_id = 'surface_notes'`, stack)
		if got := layout(s.workspace(ann)); !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant %s", stack, got, want)
		}
	}
}

// Covers S-34 and S-35.
func TestNewDefaultsAreAddedAndOldOnesStay(t *testing.T) {
	s := newServer(t)
	s.must(s.reorder(ann, CarryStack, `{"surface_order": ["surface_messages"]}`))
	s.must(s.focus(ann, CarryStack, `{"surface_id": "surface_messages"}`))
	notes := s.Defaults[0]
	notes.Surface.SurfaceID, notes.Surface.Title = "surface_notes", "Notes"
	old := s.Defaults
	s.Defaults = append([]DefaultSurface{notes}, old...)
	const want = "carry_primary: messages* social calendar notes"
	w := s.workspace(ann)
	wantEqual(t, "a new default is last, and not stored", []any{strings.Split(layout(w), "\n")[0], w.Unsaved}, []any{want, true})
	s.saveDefaults(ann)
	s.Defaults = old[2:]
	w = s.workspace(ann)
	wantEqual(t, "a former default stays", []any{strings.Split(layout(w), "\n")[0], w.surface("surface_notes") != nil, w.Unsaved}, []any{want, true, false})
}

func (s *server) saveDefaults(member svc.MemberID) {
	s.Helper()
	if err := s.db.Write(s.Context(), func(tx *store.Tx) error { return s.SaveDefaults(tx, svc.Trust(member)) }); err != nil {
		s.Fatal(err)
	}
}

// Covers S-19: SaveDefaults stores the defaults that reads have added in memory, and is idempotent.
func TestSaveDefaultsIsInvisible(t *testing.T) {
	s := newServer(t)
	before := s.workspace(ann)
	revision := s.revision(ann)
	for range 2 {
		s.saveDefaults(ann)
		w := s.workspace(ann)
		wantEqual(t, "the workspace", dump(w), dump(before))
		wantEqual(t, "unsaved, topic revision", []any{w.Unsaved, s.revision(ann)}, []any{false, revision})
	}
	wantEqual(t, "rows", storetest.Rows(t, s.db, "SELECT (SELECT count(*) FROM surface_stack), (SELECT count(*) FROM surface_surface)"), []string{"4 5"})
}

// revision returns the revision of SurfaceTopic for a member.
func (s *server) revision(member svc.MemberID) (n int64) {
	s.Helper()
	if err := s.db.Read(s.Context(), func(tx *store.Tx) error { n = tx.Revisions(int64(member)).Of(svc.SurfaceTopic); return nil }); err != nil {
		s.Fatal(err)
	}
	return n
}

// Covers B-21.
func TestContinuityCountsChanges(t *testing.T) {
	s := newServer(t)
	continuity := func(member svc.MemberID) (c Continuity) {
		t.Helper()
		if err := s.db.Read(t.Context(), func(tx *store.Tx) (err error) { c, err = s.Continuity(tx, svc.Trust(member)); return err }); err != nil {
			t.Fatal(err)
		}
		return c
	}
	wantEqual(t, "at first", continuity(ann), Continuity{})
	for i, change := range []func() (*Workspace, error){
		func() (*Workspace, error) { return s.focus(ann, CarryStack, `{"surface_id": "surface_messages"}`) },
		func() (*Workspace, error) {
			return s.reorder(ann, CarryStack, `{"surface_order": ["surface_messages"]}`)
		},
		func() (*Workspace, error) {
			return s.place(ann, "surface_social", `{"placement_mode": "docked", "expected_revision": 2}`)
		},
		func() (*Workspace, error) { return s.showFindings(ann, "a"), nil },
	} {
		s.clock.Advance(time.Minute)
		before := s.revision(ann)
		s.must(change())
		got := continuity(ann)
		if got.Revision != int64(i+1) || got.UpdatedAt == nil || !got.UpdatedAt.Equal(s.clock.Now()) || s.revision(ann) == before {
			t.Errorf("change %d: got %+v, topic revision %d, want revision %d at %v and another topic revision than %d", i, got, s.revision(ann), i+1, s.clock.Now(), before)
		}
		wantEqual(t, "continuity of the workspace read", s.workspace(ann).Revision, got.Revision)
	}
	wantEqual(t, "another member", continuity(bea), Continuity{})
}

func TestSelectFiltersByTypeAndStack(t *testing.T) {
	w := newServer(t).workspace(ann)
	for _, c := range []struct {
		surfaceType Type
		stack       string
		want        []string
	}{
		{"", "", []string{"surface_social", "surface_calendar", "surface_messages", "surface_profile", "surface_messages_rail"}},
		{"", CarryStack, []string{"surface_social", "surface_calendar", "surface_messages"}},
		{"dashboard_surface", "", []string{"surface_social", "surface_messages"}},
		{"dashboard_surface", LeftStack, nil},
	} {
		list, err := w.Select(c.surfaceType, c.stack)
		var got []string
		for _, surface := range list {
			got = append(got, surface.SurfaceID)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: got %v, %v, want %v", c.surfaceType, c.stack, got, err, c.want)
		}
	}
	_, err := w.Select("", "card")
	wantError(t, "an unknown stack", err, svc.InvalidParameter, "stack")
	_, err = w.Stack("card")
	wantError(t, "an unknown stack", err, svc.NotFound, "")
}

// While a translation is in a stack, the finding from which it was made stays in the workspace
// without a stack.
func TestSourceOfATranslationStaysInTheWorkspace(t *testing.T) {
	s := newServer(t)
	w := s.showFindings(ann, "a", "b")
	source := w.stack(OverlayStack).SurfaceOrder[0]
	if _, _, err := s.put(ann, `{"surface_id": "surface_page", "surface_type": "web_article_surface", "title": "A page",
		"runtime_state": {"translation": {"status": "extracted", "source_surface_id": "`+source+`"}}}`); err != nil {
		t.Fatal(err)
	}
	w = s.showFindings(ann, "c")
	if w.surface(source) == nil || w.isStacked(source) || len(w.Surfaces) != 5+1+1+1 {
		t.Errorf("got %d surfaces, the source in them: %v, in a stack: %v; want 8, true, false", len(w.Surfaces), w.surface(source) != nil, w.isStacked(source))
	}
	wantEqual(t, "as read again", dump(s.workspace(ann)), dump(w))
}
