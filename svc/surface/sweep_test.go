package surface

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// Covers B-40 as far as deletion goes.
func TestUnstackedSurfacesAreDeletedAfterTheRetention(t *testing.T) {
	s := newServer(t)
	var first []string
	for i := range 7 {
		var names []string
		for j := range maxFindings {
			names = append(names, fmt.Sprint(i, "-", j))
		}
		s.clock.Advance(time.Minute)
		w := s.find(ann, names...)
		first = append(first, w.stack(OverlayStack).SurfaceOrder[0])
	}
	if _, err := s.detail(ann, first[0]); svc.KindOf(err) != svc.Missing {
		t.Errorf("the oldest beyond the limit of %d: got %v, want not found", maxUnstacked, err)
	}
	if _, err := s.detail(ann, first[1]); err != nil {
		t.Errorf("the oldest within the limit: got %v", err)
	}
	count := func() []string { return storetest.Rows(t, s.db, "SELECT count(*) FROM surface_surface") }
	equal(t, "surfaces", count(), []string{fmt.Sprint(maxUnstacked + maxFindings + 5)})
	before := dump(s.workspace(ann))
	s.clock.Advance(UnstackedRetention)
	s.sweep()
	equal(t, "surfaces unstacked less than 30 days ago", count(), []string{fmt.Sprint(2*maxFindings + 5)})
	s.clock.Advance(time.Second)
	s.sweep()
	equal(t, "surfaces after the retention", count(), []string{fmt.Sprint(maxFindings + 5)})
	equal(t, "the workspace", dump(s.workspace(ann)), before)
}

// sweep calls Sweep until it is done, and returns the number of calls.
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
	found := s.find(ann, "a").stack(OverlayStack).SurfaceOrder[0]
	s.must(s.focus(ann, OverlayStack, `{"surface_id": "`+found+`"}`))
	s.find(ann)
	s.clock.Advance(UnstackedRetention / 2)
	s.find(ann, "a") // the surface is in a stack again, the session stays closed
	s.clock.Advance(UnstackedRetention/2 + time.Hour)
	s.sweep()
	d, err := s.detail(ann, found)
	if err != nil || len(d.Sessions) != 0 {
		t.Errorf("got %d sessions, %v, want none", len(d.Sessions), err)
	}
}

func TestDeletedMemberLeavesNothing(t *testing.T) {
	s := newServer(t)
	for _, m := range []svc.MemberID{ann, bea} {
		s.find(m, "a")
		s.must(s.focus(m, CarryStack, `{"surface_id": "surface_messages"}`))
	}
	others := dump(s.workspace(bea))
	if err := s.db.Write(t.Context(), func(tx *store.Tx) error { return s.MemberDeleted(tx, ann) }); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"surface", "stack", "workspace", "session"} {
		equal(t, table, storetest.Rows(t, s.db, "SELECT count(*) FROM surface_"+table+" WHERE member_id = ?", int64(ann)), []string{"0"})
	}
	equal(t, "another member", dump(s.workspace(bea)), others)
}

func TestExportHasAllSurfacesAndStacks(t *testing.T) {
	s := newServer(t)
	var names []string
	for i := range maxFindings {
		names = append(names, fmt.Sprint(i))
	}
	s.find(ann, names...)
	s.find(ann, "last") // the others are in no stack now
	if err := s.db.Read(t.Context(), func(tx *store.Tx) error {
		var stacks []string
		surfaces := make(map[string]bool)
		err := s.ExportStacks(tx, ann, func(one ExportedStack) error {
			stacks = append(stacks, fmt.Sprint(one.StackID, " ", len(one.SurfaceOrder), " ", one.FocusedSurfaceID != nil))
			return nil
		})
		equal(t, "stacks", stacks, "[carry_primary 3 true left_context 1 true right_context 1 true finding_overlay 1 false]")
		if err != nil {
			return err
		}
		err = s.ExportSurfaces(tx, ann, func(one Surface) error { surfaces[one.SurfaceID] = true; return nil })
		equal(t, "surfaces", len(surfaces), maxFindings+1+5)
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
