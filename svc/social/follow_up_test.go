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

// followUp runs FollowUp until it reports that no more work is pending.
func (s *server) followUp() {
	s.Helper()
	for more := true; more; {
		more = s.followOnce()
	}
}

func (s *server) followOnce() (more bool) {
	s.Helper()
	err := s.db.Write(s.Context(), func(tx *store.Tx) (err error) {
		more, err = s.FollowUp(tx)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return more
}

// rename changes the display name of a.
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

// manyEvents is a number of events that exceeds the limit of one write.
const manyEvents = maxFollowedEvents + 5

// countChanged returns the number of events whose last synced revision differs from that in revisions.
func (s *server) countChanged(ids []string, revisions map[string]int64) (n int) {
	for _, id := range ids {
		if s.calendars.synced[id].Revision != revisions[id] {
			n++
		}
	}
	return n
}

func (s *server) revisions(ids []string) map[string]int64 {
	m := make(map[string]int64)
	for _, id := range ids {
		m[id] = s.calendars.synced[id].Revision
	}
	return m
}

// wantFollowing runs FollowUp until no more work is pending. It fails the test if one write
// synchronizes more than maxFollowedEvents of the events, or if some events are not synchronized.
func (s *server) wantFollowing(ids []string) {
	s.Helper()
	for more, left := true, len(ids); more; {
		was := s.revisions(ids)
		more = s.followOnce()
		n := s.countChanged(ids, was)
		if n > maxFollowedEvents {
			s.Fatalf("one write synchronized %d events, want at most %d", n, maxFollowedEvents)
		}
		if left -= n; !more && left != 0 {
			s.Errorf("%d events have not followed, want all", left)
		}
	}
	s.wantNothingPending()
}

// wantNothingPending fails the test if a followUp is stored.
func (s *server) wantNothingPending() {
	s.Helper()
	wantEqual(s, "changes that are left", storetest.Rows(s, s.db, "SELECT * FROM social_follow_up"), []string(nil))
}

// statements returns the number of SQL statements that a write by a executes.
func (a actor) statements(fn func(*store.Tx, svc.Viewer) error) int {
	a.Helper()
	return write(a, func(tx *store.Tx, v svc.Viewer) (int, error) {
		err := fn(tx, v)
		return tx.Statements(), err
	})
}

// Mirrors get a new name of their host in batches of a few events. An event that is edited
// meanwhile gets the new name at once. Covers B-62 and B-130.
func TestMirrorsFollowTheNameOfTheirHost(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	events := ann.hostEvents(manyEvents, bea)
	other := bea.hostEvents(1, ann)[0]
	wantName := func(want string) {
		t.Helper()
		for i, id := range events {
			wantEqual(t, fmt.Sprint("host of event ", i), s.calendars.synced[id].Event.Host.DisplayName, want)
		}
	}
	was := s.revisions(events)
	ann.rename("Anna")
	wantEqual(t, "events that followed in the same write", s.countChanged(events, was), 0)
	s.wantFollowing(events)
	wantName("Anna")
	wantEqual(t, "host of an event of another member", s.calendars.synced[other].Event.Host.DisplayName, "Bea")

	ann.rename("Anne")
	s.followOnce()
	ann.rename("Annie") // before the mirrors have followed the first name
	if _, err := ann.updateEvent(events[0], EventChange{Title: svc.Some("Supper")}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "host of an event that has been edited", s.calendars.synced[events[0]].Event.Host.DisplayName, "Annie")
	s.followUp()
	wantName("Annie")
}

// A change to few events is applied in the write of the change itself. FollowUp is requested only
// for more events.
func TestFewEventsFollowAtOnce(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	requests := 0
	s.OnFollowUp(func() { requests++ })
	bea.rename("Beate")
	events := ann.hostEvents(maxImmediateEvents, bea)
	was := s.revisions(events)
	ann.rename("Anna")
	wantEqual(t, "events that followed", s.countChanged(events, was), maxImmediateEvents)
	wantEqual(t, "requests for few events", requests, 0)
	s.wantNothingPending()
	ann.hostEvents(1, bea)
	ann.rename("Anne")
	wantEqual(t, "requests for more events", requests, 1)
}

// The number of statements of a change does not grow with the number of its events, and members see
// the effect of the change at once. FollowUp then updates rows and mirrors. Covers B-130.
func TestStatementsOfAChangeDoNotGrowWithItsEvents(t *testing.T) {
	for name, c := range map[string]struct {
		create func(ann, bea actor) (ids []string)
		change func(ann, bea actor, tx *store.Tx) error
		sees   func(ann, bea actor, id string) // checks that the change is visible
		want   string                          // mirrors after the last FollowUp
	}{
		"a block": {
			create: func(ann, bea actor) []string { return ann.hostEvents(manyEvents, bea) },
			change: func(ann, bea actor, tx *store.Tx) error {
				_, err := ann.Block(tx, ann.viewer(), NewBlock{MemberID: bea.id})
				return err
			},
			sees: func(ann, bea actor, id string) {
				e, _ := ann.event(id)
				wantEqual(ann, "responses", e.RSVP.Counts.Going, 1) // the response of the host
				wantEqual(ann, "attendees", len(ann.attendees(id)), 1)
			},
			want: "1:going",
		},
		"a community that is left": {
			create: func(ann, bea actor) []string { return ann.communityEvents(bea) },
			change: func(ann, bea actor, tx *store.Tx) error {
				_, err := bea.LeaveCommunity(tx, bea.viewer(), ann.communityOfTest())
				return err
			},
			sees: func(ann, bea actor, id string) {
				e, _ := ann.event(id)
				wantEqual(ann, "responses", e.RSVP.Counts.Going, 1)
			},
			want: "1:going",
		},
		"a community that is deleted": {
			create: func(ann, bea actor) []string { return ann.communityEvents(bea) },
			change: func(ann, bea actor, tx *store.Tx) error {
				return ann.DeleteCommunity(tx, ann.viewer(), ann.communityOfTest())
			},
			sees: func(ann, bea actor, id string) {
				_, err := ann.event(id)
				wantError(ann, "the event of a deleted community", err, svc.NotFound)
			},
			want: "",
		},
		"a circle that shrinks": {
			create: func(ann, bea actor) (ids []string) {
				ann.community("private", bea)
				for range manyEvents {
					ids = append(ids, ann.createEvent("circle", forCircle(1)))
					bea.mustRespond(ids[len(ids)-1], "going")
				}
				return ids
			},
			change: func(ann, bea actor, tx *store.Tx) error {
				_, err := bea.LeaveCommunity(tx, bea.viewer(), ann.communityOfTest())
				return err
			},
			sees: func(ann, bea actor, id string) {
				e, _ := ann.event(id)
				wantEqual(ann, "responses", e.RSVP.Counts.Going, 1)
				wantEqual(ann, "attendees", len(ann.attendees(id)), 1)
			},
			want: "1:going",
		},
		"an account that is deleted": {
			create: func(ann, bea actor) []string { return bea.hostEvents(manyEvents, ann) },
			change: func(ann, bea actor, tx *store.Tx) error {
				bea.disable()
				return bea.MemberDeleted(tx, bea.id)
			},
			sees: func(ann, bea actor, id string) {
				e, _ := ann.event(id)
				wantEqual(ann, "status", e.Status, "cancelled")
			},
			want: "1:going 2:going",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, m := newServer(t, "ann", "bea")
			ann, bea := m[0], m[1]
			ids := c.create(ann, bea)
			was := s.revisions(ids)
			n := ann.statements(func(tx *store.Tx, _ svc.Viewer) error { return c.change(ann, bea, tx) })
			if n > 60 {
				t.Errorf("got %d statements, want at most 60", n)
			}
			wantEqual(t, "events that followed in the same write", s.countChanged(ids, was), 0)
			for _, id := range []string{ids[0], ids[manyEvents-1]} {
				c.sees(ann, bea, id)
			}
			s.wantFollowing(ids)
			for _, id := range []string{ids[0], ids[manyEvents-1]} {
				c.sees(ann, bea, id)
				wantEqual(t, "mirrors", s.calendars.mirrorOwners(id), c.want)
			}
			rows := storetest.Rows(t, s.db, "SELECT event_id, member_id FROM social_rsvp EXCEPT SELECT event_id, member_id FROM social_response")
			wantEqual(t, "revoked RSVPs that are left", rows, []string(nil))
		})
	}
}

// A block revokes earlier RSVPs, even if the clock was set back after they were given, and no RSVP
// given after the block. Covers B-130.
func TestRSVPsAreRevokedAfterTheClockWasSetBack(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	ids := ann.hostEvents(manyEvents, bea)
	s.clock.Advance(-time.Hour)
	ann.block(bea)
	ann.unblock(bea)
	bea.mustRespond(ids[1], "going") // before the events follow the block
	for _, when := range []string{"before the events follow", "afterwards"} {
		for id, want := range map[string]int{ids[0]: 1, ids[1]: 2, ids[manyEvents-1]: 1} {
			e, _ := ann.event(id)
			wantEqual(t, when, e.RSVP.Counts.Going, want)
		}
		s.followUp()
	}
}

// communityEvents creates a community of a and other, with many events of a that other attends.
func (a actor) communityEvents(other actor) (ids []string) {
	a.Helper()
	c := a.community("public", other)
	for range manyEvents {
		ids = append(ids, a.createEvent("community", forCommunity(c)))
		other.mustRespond(ids[len(ids)-1], "going")
	}
	return ids
}

// communityOfTest returns the only community.
func (a actor) communityOfTest() string {
	return storetest.Rows(a, a.db, "SELECT id FROM social_community")[0]
}

// A response given after the end of a block counts, even while earlier responses wait for deletion.
func TestResponseAfterABlockCounts(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	events := ann.hostEvents(manyEvents, bea)
	ann.block(bea)
	s.clock.Advance(time.Second)
	ann.unblock(bea)
	bea.mustRespond(events[0], "maybe")
	s.wantFollowing(events[1:])
	for i, want := range []string{"maybe", "none"} {
		e, _ := bea.event(events[i])
		wantEqual(t, fmt.Sprint("response to event ", i), e.RSVP.Mine, want)
	}
}

// One write searches a limited number of the events of a host for those that a guest attends.
// Covers B-130.
func TestFewEventsAreExaminedInOneWrite(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.createEvent("public")
	bea.mustRespond(id, "going")
	ann.hostEvents(2 * maxExaminedEvents)
	was := s.revisions([]string{id})
	bea.block(ann)
	s.followOnce() // visits the events that bea hosts: none
	for writes := 1; s.countChanged([]string{id}, was) == 0; writes++ {
		if writes > 4 {
			t.Fatalf("got no change of the event after %d writes, want one after 3", writes)
		}
		s.followOnce()
	}
	s.followUp()
	wantEqual(t, "mirrors", s.calendars.mirrorOwners(id), "1:going")
	s.wantNothingPending()
}

// After the deletion of a member with a pending change, FollowUp completes both, and neither an
// RSVP nor a mirror of the member remains. Covers B-130.
func TestMemberIsDeletedWhileEventsFollow(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	hosted, attended := ann.hostEvents(manyEvents, bea), bea.hostEvents(manyEvents, ann)
	ann.rename("Anna")
	s.followOnce()
	ann.deleteAccount()
	s.followUp()
	for i := range manyEvents {
		e, err := bea.event(hosted[i])
		wantEqual(t, fmt.Sprint("error of hosted event ", i), err, nil)
		wantEqual(t, "state", e.Status, "cancelled")
		e, err = bea.event(attended[i])
		wantEqual(t, fmt.Sprint("error of attended event ", i), err, nil)
		wantEqual(t, "responses", e.RSVP.Counts.Going, 1)
		wantEqual(t, "mirrors", s.calendars.mirrorOwners(attended[i]), "2:going")
	}
	s.wantNothingPending()
	wantEqual(t, "RSVPs of the deleted member", storetest.Rows(t, s.db,
		"SELECT r.event_id FROM social_rsvp AS r CROSS JOIN social_event AS e ON e.id = r.event_id WHERE r.member_id = 1 AND e.host_id <> 1"), []string(nil))
}

// A change that fails does not delay later changes, and is retried.
func TestFailedChangeIsPostponed(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	events, others := ann.hostEvents(manyEvents, bea), bea.hostEvents(manyEvents, ann)
	ann.rename("Anna")
	s.clock.Advance(time.Second)
	bea.rename("Beate")
	s.calendars.failingEvent = events[3]
	run := func(fn func(*store.Tx) error) {
		t.Helper()
		wantEqual(t, "error", s.db.Write(t.Context(), fn), nil)
	}
	for range 2 * manyEvents {
		err := s.db.Write(t.Context(), func(tx *store.Tx) error {
			_, err := s.FollowUp(tx)
			return err
		})
		if err != nil {
			run(s.PostponeFollowUp)
		}
	}
	for i, id := range others {
		wantEqual(t, fmt.Sprint("host of event ", i), s.calendars.synced[id].Event.Host.DisplayName, "Beate")
	}
	pending := read(ann, func(tx *store.Tx, _ svc.Viewer) (PendingFollowUps, error) { return s.PendingFollowUps(tx) })
	wantEqual(t, "changes and failed ones", fmt.Sprint(pending.Changes, pending.Failed), "1 1")
	s.calendars.failingEvent = ""
	run(s.RetryFollowUps)
	s.followUp()
	for i, id := range events {
		wantEqual(t, fmt.Sprint("host of event ", i), s.calendars.synced[id].Event.Host.DisplayName, "Anna")
	}
}

// The mirrors of one event are updated in several writes, or removed if the event is deleted
// meanwhile.
func TestManyMirrorsOfAnEventFollow(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan", "eve")
	ann := m[0]
	s.calendars.perWrite = 2
	id := ann.createEvent("public")
	for _, guest := range m[1:] {
		guest.mustRespond(id, "going")
		s.followUp()
	}
	if _, err := ann.updateEvent(id, EventChange{Title: svc.Some("Supper")}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "mirrors with the new title at once", s.calendars.complete[id], 2)
	s.followOnce()
	wantEqual(t, "mirrors with the new title after one more write", s.calendars.complete[id], 4)
	s.followUp()
	wantEqual(t, "mirrors with the new title", s.calendars.complete[id], 5)
	write(ann, func(tx *store.Tx, v svc.Viewer) (any, error) { return nil, s.PurgeEvent(tx, v, id) })
	s.followUp()
	wantEqual(t, "mirrors that are removed", s.calendars.complete[id], 5)
	wantEqual(t, "the last sync is a deletion", s.calendars.synced[id].Deleted, true)
}

// A block changes the name of each of the two members for the other: this updates only the events
// of one that the other attends. Pending changes of names are applied in the order of the latest
// change of each host, so that a member who changes the name repeatedly does not delay others.
func TestBlocksFollowInTheEventsOfBoth(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	shared, own := ann.hostEvents(1, bea, cid)[0], ann.hostEvents(manyEvents, cid)
	cid.hostEvents(manyEvents, ann)
	s.clock.Advance(60 * 24 * time.Hour) // the events are over: mirrors stay
	revision := func(id string) int64 { return s.calendars.synced[id].Revision }
	var before []int64
	for _, id := range own {
		before = append(before, revision(id))
	}
	bea.block(ann)
	s.followUp()
	wantEqual(t, "hosts of the shared event", s.calendars.mirrorHosts(shared), "1:Ann 2:Former member 3:Ann")
	for i, id := range own {
		wantEqual(t, fmt.Sprint("revision of event ", i, " without the guest"), revision(id), before[i])
	}

	ann.rename("Anna")
	s.clock.Advance(time.Second)
	cid.rename("Cyd")
	s.clock.Advance(time.Second)
	ann.rename("Anne")
	order := storetest.Rows(t, s.db, "SELECT host_id FROM social_follow_up ORDER BY changed_at")
	wantEqual(t, "hosts in their order", order, []string{"3", "1"})
	s.followOnce()
	s.followOnce()
	left := storetest.Rows(t, s.db, "SELECT host_id FROM social_follow_up")
	if slices.Contains(left, "3") {
		t.Errorf("after one write: got the hosts %q left, want the one renamed first to be done", left)
	}
}

// An edited event follows a pending change at once. Otherwise, a new end would exclude it from the
// change.
func TestEditedEventFollows(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	events := ann.hostEvents(manyEvents, bea)
	ann.block(bea)
	for s.calendars.mirrorOwners(events[manyEvents-1]) != "1:going" {
		s.followOnce()
	}
	first := events[0] // the last one in the order of visits
	wantEqual(t, "mirrors before", s.calendars.mirrorOwners(first), "1:going 2:going")
	if _, err := ann.updateEvent(first, EventChange{Start: svc.Some("2027-03-01T18:00:00"), End: svc.Some("2027-03-01T22:00:00")}); err != nil {
		t.Fatal(err)
	}
	s.followUp()
	ann.unblock(bea)
	e, _ := bea.event(first)
	wantEqual(t, "response to the edited event after the end of the block", e.RSVP.Mine, "none")
	wantEqual(t, "mirrors", s.calendars.mirrorOwners(first), "1:going")
}

// Covers B-130: the version of an event in a dataset changes with its responses, before and after
// the event is synchronized with the change that revokes them.
func TestRevokedRSVPsChangeVersions(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	ids := ann.hostEvents(manyEvents, bea)
	versions := func() []string {
		return read(cid, func(tx *store.Tx, v svc.Viewer) (list []string, err error) {
			versions, err := s.DatasetReader(tx, v).EventVersions()
			for _, e := range versions.List {
				list = append(list, e.ID+" "+e.Version+" "+versions.Common)
			}
			return list, err
		})
	}
	before := versions()
	bea.block(ann)
	revoked := versions()
	s.followUp()
	wantEqual(t, "events", len(before), len(ids))
	for name, after := range map[string][]string{"before the events follow": revoked, "after that": versions()} {
		for i := range before {
			if after[i] == before[i] {
				t.Errorf("%s: the version of event %d has not changed", name, i)
			}
		}
	}
}
