package surface

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Covers the deletion in B-40.
func TestUnstackedSurfacesAreDeletedAfterTheRetention(t *testing.T) {
	s := newServer(t)
	var first []string
	for i := range 7 {
		var names []string
		for j := range maxFindings {
			names = append(names, fmt.Sprint(i, "-", j))
		}
		s.clock.Advance(time.Minute)
		w := s.showFindings(ann, names...)
		first = append(first, w.stack(OverlayStack).SurfaceOrder[0])
	}
	if _, err := s.detail(ann, first[0]); svc.KindOf(err) != svc.Missing {
		t.Errorf("the oldest beyond the limit of %d: got %v, want not found", maxUnstackedSurfaces, err)
	}
	if _, err := s.detail(ann, first[1]); err != nil {
		t.Errorf("the oldest within the limit: got %v", err)
	}
	count := func() []string { return storetest.Rows(t, s.db, "SELECT count(*) FROM surface_surface") }
	wantEqual(t, "surfaces", count(), []string{fmt.Sprint(maxUnstackedSurfaces + maxFindings + 5)})
	before := dump(s.workspace(ann))
	s.clock.Advance(UnstackedRetention)
	s.sweep()
	wantEqual(t, "surfaces unstacked less than 30 days ago", count(), []string{fmt.Sprint(2*maxFindings + 5)})
	s.clock.Advance(time.Second)
	s.sweep()
	wantEqual(t, "surfaces after the retention", count(), []string{fmt.Sprint(maxFindings + 5)})
	wantEqual(t, "the workspace", dump(s.workspace(ann)), before)
}

// sweep calls Sweep until nothing remains to be deleted, and returns the number of
// calls.
func (s *server) sweep() (calls int) {
	s.Helper()
	for more := true; more; calls++ {
		if err := s.db.Write(s.Context(), func(tx *store.Tx) (err error) { more, err = s.Sweep(tx); return err }); err != nil {
			s.Fatal(err)
		}
	}
	return calls
}

func TestClosedSessionsAreDeletedAfterTheRetention(t *testing.T) {
	s := newServer(t)
	findingID := s.showFindings(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	s.must(s.focus(ann, OverlayStack, `{"surface_id": "`+findingID+`"}`))
	s.showFindings(ann)
	s.clock.Advance(UnstackedRetention / 2)
	s.showFindings(ann, "a") // the surface is in a stack again; the session stays closed
	s.clock.Advance(UnstackedRetention/2 + time.Hour)
	s.sweep()
	d, err := s.detail(ann, findingID)
	if err != nil || len(d.Sessions) != 0 {
		t.Errorf("got %d sessions, %v, want none", len(d.Sessions), err)
	}
}

func TestDeletedMemberLeavesNothing(t *testing.T) {
	s := newServer(t)
	for _, m := range []svc.MemberID{ann, bea} {
		s.showFindings(m, "a")
		s.must(s.focus(m, CarryStack, `{"surface_id": "surface_messages"}`))
	}
	before := dump(s.workspace(bea))
	if err := s.db.Write(t.Context(), func(tx *store.Tx) error { _, err := s.DeleteData(tx, ann, 1000); return err }); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"surface", "stack", "workspace", "session"} {
		wantEqual(t, table, storetest.Rows(t, s.db, "SELECT count(*) FROM surface_"+table+" WHERE member_id = ?", int64(ann)), []string{"0"})
	}
	wantEqual(t, "another member", dump(s.workspace(bea)), before)
}

func TestExportHasAllSurfacesAndStacks(t *testing.T) {
	s := newServer(t)
	var names []string
	for i := range maxFindings {
		names = append(names, fmt.Sprint(i))
	}
	s.showFindings(ann, names...)
	s.showFindings(ann, "last") // the earlier findings leave their stack
	if err := s.db.Read(t.Context(), func(tx *store.Tx) error {
		var stacks []string
		surfaces := make(map[string]bool)
		err := s.ExportStacks(tx, ann, func(stack ExportedStack) error {
			stacks = append(stacks, fmt.Sprint(stack.StackID, " ", len(stack.SurfaceOrder), " ", stack.FocusedSurfaceID != nil))
			return nil
		})
		wantEqual(t, "stacks", stacks, "[carry_primary 3 true left_context 1 true right_context 1 true finding_overlay 1 false]")
		if err != nil {
			return err
		}
		err = s.ExportSurfaces(tx, ann, func(surface Surface) error { surfaces[surface.SurfaceID] = true; return nil })
		wantEqual(t, "surfaces", len(surfaces), maxFindings+1+5)
		stop := fmt.Errorf("stop")
		if got := s.ExportSurfaces(tx, ann, func(Surface) error { return stop }); got != stop {
			t.Errorf("got %v, want %v", got, stop)
		}
		if got := s.ExportStacks(tx, ann, func(ExportedStack) error { return stop }); got != stop {
			t.Errorf("got %v, want %v", got, stop)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
