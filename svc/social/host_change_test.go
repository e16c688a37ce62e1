package social

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
)

// followHosts runs FollowHosts until it reports that there is no more.
func (s *server) followHosts() {
	s.Helper()
	for more := true; more; {
		more = s.followOnce()
	}
}

func (s *server) followOnce() (more bool) {
	s.Helper()
	err := s.db.Write(s.Context(), func(tx *store.Tx) (err error) {
		more, err = s.FollowHosts(tx)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return more
}

// rename gives a a new name.
func (a actor) rename(name string) {
	a.Helper()
	a.members.list[a.id-1].DisplayName = name
	write(a, func(tx *store.Tx, _ svc.Viewer) (any, error) { return nil, a.NameChanged(tx, a.id) })
}

// hostEvents creates events that a hosts and guests attend.
func (a actor) hostEvents(n int, guests ...actor) (ids []string) {
	a.Helper()
	for range n {
		id := a.createEvent("public")
		for _, g := range guests {
			g.mustRespond(id, "going")
		}
		a.clock.Advance(time.Minute)
		ids = append(ids, id)
	}
	return ids
}

// The mirrors follow a new name of their host a few events at a time. Each write changes
// at most maxFollowed events, whatever the member has hosted; a later write in between uses
// the new name. Covers B-62 and B-130.
func TestMirrorsFollowTheNameOfTheirHost(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	events := ann.hostEvents(7, bea)
	other := bea.hostEvents(1, ann)[0]
	names := func() (list []string) {
		for _, id := range events {
			list = append(list, s.calendars.synced[id].Event.Host.DisplayName)
		}
		return list
	}
	count := func(name string) (n int) {
		for _, got := range names() {
			if got == name {
				n++
			}
		}
		return n
	}
	ann.rename("Anna")
	wantEqual(t, "events with the new name after the rename", count("Anna"), 1)
	for followed := 1; s.followOnce(); followed = count("Anna") {
		if got := count("Anna") - followed; got > maxFollowed {
			t.Fatalf("one write changed %d events, want at most %d", got, maxFollowed)
		}
	}
	wantEqual(t, "events with the new name", count("Anna"), len(events))
	wantEqual(t, "host of an event of another member", s.calendars.synced[other].Event.Host.DisplayName, "Bea")
	wantEqual(t, "host changes that are left", storetest.Rows(t, s.db, "SELECT host_id FROM social_host_change"), []string(nil))

	ann.rename("Anne")
	s.followOnce()
	ann.rename("Annie") // before the mirrors have followed the first name
	if _, err := ann.updateEvent(events[0], EventChange{Title: svc.Some("Supper")}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "host of an event that has been edited", s.calendars.synced[events[0]].Event.Host.DisplayName, "Annie")
	s.followHosts()
	wantEqual(t, "events with the latest name", count("Annie"), len(events))
}

// A rename updates the mirrors of one event whatever the member has hosted, and requests
// FollowHosts only if the member has hosted an event.
func TestRenameDoesNotGrowWithTheEventsOfTheHost(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	requests := 0
	s.OnHostChange(func() { requests++ })
	bea.rename("Beate")
	wantEqual(t, "requests for a member who hosts nothing", requests, 0)
	ann.hostEvents(3, bea)
	revisions := func() []string {
		return storetest.Rows(t, s.db, "SELECT id, revision FROM social_event ORDER BY id")
	}
	was := revisions()
	ann.rename("Anna")
	wantEqual(t, "requests", requests, 1)
	changed := 0
	for i, r := range revisions() {
		if r != was[i] {
			changed++
		}
	}
	wantEqual(t, "synchronized events", changed, 1)
	wantEqual(t, "rows", storetest.Rows(t, s.db, "SELECT host_id, guest_id FROM social_host_change"), []string{"1 0"})
}

// A change of the name for one guest, by a block, follows in the events of both that the
// other attends, and in no others. Host changes are followed in the order of their times,
// so a member who is renamed again and again does not delay others.
func TestBlocksFollowInTheEventsOfBoth(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	shared, own := ann.hostEvents(1, bea, cid)[0], ann.hostEvents(5, cid)
	cid.hostEvents(1, ann)
	s.clock.Advance(60 * 24 * time.Hour) // the events are over: mirrors stay
	revision := func(id string) int64 { return s.calendars.synced[id].Revision }
	var before []int64
	for _, id := range own {
		before = append(before, revision(id))
	}
	bea.block(ann)
	s.followHosts()
	wantEqual(t, "hosts of the shared event", s.calendars.mirrorHosts(shared), "1:Ann 2:Former member 3:Ann")
	for i, id := range own {
		wantEqual(t, fmt.Sprint("revision of event ", i, " without the guest"), revision(id), before[i])
	}

	ann.rename("Anna")
	s.clock.Advance(time.Second)
	cid.rename("Cyd")
	s.clock.Advance(time.Second)
	ann.rename("Anne")
	order := storetest.Rows(t, s.db, "SELECT host_id FROM social_host_change ORDER BY changed_at")
	wantEqual(t, "hosts in their order", order, []string{"3", "1"})
	s.followOnce()
	left := storetest.Rows(t, s.db, "SELECT host_id FROM social_host_change")
	if slices.Contains(left, "3") {
		t.Errorf("after one write: got the hosts %q left, want the one renamed first to be done", left)
	}
}
