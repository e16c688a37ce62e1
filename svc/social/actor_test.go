package social

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// actors formats the result of Actors for a: "name username state seen".
func (a actor) actors(members ...actor) (list []string) {
	a.Helper()
	ids := make([]svc.MemberID, len(members))
	for i, m := range members {
		ids[i] = m.id
	}
	all := read(a, func(tx *store.Tx, v svc.Viewer) (map[svc.MemberID]Actor, error) { return a.Actors(tx, v, ids...) })
	for _, id := range ids {
		who, state, seen := all[id], "-", "-"
		if who.Presence != nil {
			state = string(who.Presence.State)
		}
		if who.LastSeen != nil {
			seen = who.LastSeen.Format("15:04:05")
		}
		list = append(list, fmt.Sprintf("%s/%s/%s/%s", who.DisplayName, who.Username, state, seen))
	}
	return list
}

// A blocked or disabled member is shown beside an item without name and presence. Covers B-106,
// PT-21 and O-27.
func TestActorsAreFormerMembersAcrossABlock(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	for _, a := range m {
		a.setPresence(NewPresence{State: "busy"})
	}
	wantEqual(t, "before", ann.actors(ann, bea), []string{"Ann/ann/busy/-", "Bea/bea/busy/-"})
	ann.block(bea)
	cid.block(ann)
	dan.disable()
	hidden := "Former member//-/-"
	wantEqual(t, "after", ann.actors(ann, bea, cid, dan), []string{"Ann/ann/busy/-", hidden, hidden, hidden})
	wantEqual(t, "for the blocked member", bea.actors(ann), []string{hidden})
}

// last_seen is a time in minutes. It is shown if the member has chosen so, to the members who can
// see the presence, also after the presence has expired. Covers B-106 and B-69.
func TestLastSeenFollowsTheChoiceOfTheMember(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	bea.community("private", ann)
	at := s.clock.Now().UTC().Truncate(time.Minute)
	s.clock.Advance(30 * time.Second)
	bea.setPresence(NewPresence{State: "online", VisibleTo: "inner"})
	s.clock.Advance(time.Hour)
	seen := func(a actor) string { return a.actors(bea)[0] }
	wantEqual(t, "without the choice", seen(ann), "Bea/bea/-/-")
	if _, err := bea.updateProfile(ProfileChange{ShowLastSeen: svc.Some(true)}); err != nil {
		t.Fatal(err)
	}
	shown := "Bea/bea/-/" + at.Format("15:04:05")
	wantEqual(t, "in the audience", seen(ann), shown)
	wantEqual(t, "outside the audience", seen(cid), "Bea/bea/-/-")
	wantEqual(t, "the list of members", fmt.Sprint(ann.person(bea).LastSeen, cid.person(bea).LastSeen), fmt.Sprint(&at, " <nil>"))
	p, err := ann.profile(bea)
	if err != nil || p.LastSeen == nil || !p.LastSeen.Equal(at) {
		t.Errorf("profile: got %v, %v, want %v", p.LastSeen, err, at)
	}
	bea.setPresence(NewPresence{State: "online", VisibleTo: "inner"})
	wantEqual(t, "a present member", seen(ann), "Bea/bea/online/-")
	bea.setPresence(NewPresence{State: "online", VisibleTo: "nobody"})
	wantEqual(t, "a hidden presence", seen(ann), "Bea/bea/-/-")
	bea.setPresence(NewPresence{State: "offline", VisibleTo: "members"})
	dan.block(bea)
	wantEqual(t, "across a block", seen(dan), "Former member//-/-")
	if _, err := bea.updateProfile(ProfileChange{ShowLastSeen: svc.Optional[bool]{Set: true, Null: true}}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "after the reset", seen(ann), "Bea/bea/-/-")
}

// The record of a presence says when to renew it. Covers B-106.
func TestPresenceSaysWhenToRenewIt(t *testing.T) {
	_, m := newServer(t, "ann")
	if never := m[0].presence().Mine; never.RenewAfterSeconds != nil {
		t.Errorf("a presence that was never set: got %d, want null", *never.RenewAfterSeconds)
	}
	for ttl, want := range map[int]int{30: 15, 300: 150, 3600: 1800} {
		if got := *m[0].setPresence(NewPresence{State: "online", TTL: &ttl}).RenewAfterSeconds; got != want {
			t.Errorf("ttl_seconds %d: got renew_after_seconds %d, want %d", ttl, got, want)
		}
	}
}
