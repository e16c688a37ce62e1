package social

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (a actor) attendees(event string) []RSVP {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) ([]RSVP, error) { return a.Attendees(tx, v, event) })
}

// Covers O-18, O-19, O-35 and B-67.
func TestResponseCanBeChangedToAnyOther(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.host("invited")
	refused(t, "a response before the invitation", bea.respond(id, "going"), svc.NotFound)
	if _, err := ann.inviteToEvent(id, bea); err != nil {
		t.Fatal(err)
	}
	e, _ := bea.event(id)
	equal(t, "counts after the invitation", e.RSVP.Counts, RSVPCounts{Going: 1, None: 1})
	counts := map[string]RSVPCounts{"going": {Going: 2}, "maybe": {Going: 1, Maybe: 1}, "declined": {Going: 1, Declined: 1}, "none": {Going: 1, None: 1}}
	mirrors := map[string]string{"going": "1:going 2:going", "maybe": "1:going 2:maybe", "declined": "1:going", "none": "1:going"}
	for from := range counts {
		for to, want := range counts {
			bea.attend(id, from)
			bea.attend(id, to)
			e, _ := bea.event(id)
			equal(t, from+" to "+to, fmt.Sprint(e.RSVP.Mine, e.RSVP.Counts, s.calendars.holders(id)), fmt.Sprint(to, want, mirrors[to]))
		}
	}
	refused(t, "an unknown response", bea.respond(id, "yes"), svc.InvalidValue, "response")
	refused(t, "no response", bea.respond(id, ""), svc.FieldRequired, "response")
}

func TestRepeatedResponseChangesNothing(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.host("public")
	bea.attend(id, "going")
	e, _ := ann.event(id)
	bea.attend(id, "going")
	again, _ := ann.event(id)
	equal(t, "the revision", again.Revision, e.Revision)
	equal(t, "notifications of the host", ann.notified(), "[Bea responded to your event]")
}

func TestWithdrawnResponseLeavesNoRow(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.host("public")
	bea.attend(id, "maybe")
	bea.attend(id, "none")
	equal(t, "attendees", column(ann.attendees(id), func(r RSVP) any { return r.Member.DisplayName }), "Ann")
	ann.attend(id, "none")
	equal(t, "the host without a response", fmt.Sprint(ann.attendees(id)[0].Response, ann.calendars.holders(id)), "none1:none")
}

func TestNoteIsShownToTheHostAndItsMember(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.host("public")
	respond := func(note string) error {
		_, err := attempt(bea, func(tx *store.Tx, v svc.Viewer) (RSVP, error) {
			_, r, err := bea.Respond(tx, v, id, NewRSVP{"going", note})
			return r, err
		})
		return err
	}
	if err := respond("With cake"); err != nil {
		t.Fatal(err)
	}
	cid.attend(id, "declined")
	for a, want := range map[actor]string{ann: "With cake", bea: "With cake", cid: ""} {
		equal(t, a.name, a.attendees(id)[1].Note, want)
	}
	equal(t, "order of the attendees", column(cid.attendees(id), func(r RSVP) any { return r.Member.DisplayName }), "Ann Bea Cid")
	refused(t, "a long note", respond(strings.Repeat("x", 1001)), svc.TooLong, "note")
	activity := len(ann.activity())
	if err := respond("Without cake"); err != nil {
		t.Fatal(err)
	}
	equal(t, "activity after a new note", len(ann.activity()), activity)
}

// Covers B-67: the capacity holds for concurrent responses.
func TestCapacityLimitsConcurrentResponses(t *testing.T) {
	names := []string{"ann"}
	for i := range 8 {
		names = append(names, fmt.Sprint("guest", i))
	}
	_, m := newServer(t, names...)
	ann, guests := m[0], m[1:]
	id := ann.host("public", func(e *NewEvent) { e.Capacity = new(3) })
	var wait sync.WaitGroup
	errs := make([]error, len(guests))
	for i, g := range guests {
		wait.Go(func() { errs[i] = g.respond(id, "going") })
	}
	wait.Wait()
	var in, out []actor
	for i, g := range guests {
		if errs[i] == nil {
			in = append(in, g)
		} else {
			refused(t, g.name, errs[i], svc.EventFull)
			out = append(out, g)
		}
	}
	if len(in) != 2 {
		t.Fatalf("got %d guests, want 2 beside the host", len(in))
	}
	out[0].attend(id, "maybe")
	in[0].attend(id, "going")
	_, err := ann.updateEvent(id, EventChange{Capacity: svc.Some(2)})
	refused(t, "a capacity below the guests", err, svc.InvalidValue, "capacity")
	in[0].attend(id, "declined")
	out[0].attend(id, "going")
	refused(t, "a guest who has declined", in[0].respond(id, "going"), svc.EventFull)
	if _, err := ann.updateEvent(id, EventChange{Capacity: svc.Optional[int]{Set: true, Null: true}}); err != nil {
		t.Fatal(err)
	}
	in[0].attend(id, "going")
}

// Covers O-11.
func TestEventsCreateNoCircles(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	bea.attend(ann.host("public"), "going")
	i, err := ann.inviteToEvent(ann.host("invited"), bea)
	if err != nil {
		t.Fatal(err)
	}
	bea.answer(i.ID, "accepted")
	equal(t, "circles", ann.circleNames()+bea.circleNames(), "||||")
}

// Covers O-17 and O-36: an event of a community is mirrored for its members
// only.
func TestLeavingACommunityRevokesRSVPs(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	community := ann.community("private", bea, cid)
	id := bea.host("community", forCommunity(community))
	ann.attend(id, "going")
	cid.attend(id, "going")
	cid.leave(community)
	equal(t, "mirrors after a guest has left", s.calendars.holders(id), "1:going 2:going")
	if err := ann.remove(community, bea); err != nil {
		t.Fatal(err)
	}
	equal(t, "mirrors after the host was removed", s.calendars.holders(id), "1:going")
	e, err := ann.updateEvent(id, EventChange{Title: svc.Some("Among us")})
	equal(t, fmt.Sprint("guests ", err), e.RSVP.Counts.Going, 1)
	equal(t, "mirrors after an update", s.calendars.holders(id), "1:going")
}

// Covers O-36, B-67 and B-73: when members move apart, RSVPs to circle events
// end exactly where the circle is left. A guest who moves from the inner to the
// trusted circle keeps an RSVP to an event of depth 2 or 3, not of depth 1.
func TestMovingToAnOuterCircleRevokesRSVPs(t *testing.T) {
	for depth, want := range map[int]string{1: "1:going", 2: "1:going 2:going", 3: "1:going 2:going 3:maybe"} {
		t.Run(fmt.Sprint("depth ", depth), func(t *testing.T) {
			s, m := newServer(t, "ann", "bea", "cid", "dan")
			ann, bea, cid, dan := m[0], m[1], m[2], m[3]
			direct := ann.community("private", bea)
			chain(ann, dan, bea, cid) // bea is trusted without the direct community
			equal(t, "circles before", ann.circleNames(), "Bea Dan|Cid|")
			id := ann.host("circle", forCircle(depth))
			bea.attend(id, "going")
			if depth >= 2 {
				cid.attend(id, "maybe")
			}
			bea.leave(direct)
			equal(t, "circles after", ann.circleNames(), "Dan|Bea|Cid")
			equal(t, "mirrors", s.calendars.holders(id), want)
			going := strings.Count(want, "going")
			e, _ := ann.event(id)
			equal(t, "going", e.RSVP.Counts.Going, going)
			equal(t, "attendees", len(ann.attendees(id)), len(strings.Fields(want)))
			_, err := bea.event(id)
			if visible := err == nil; visible != (depth >= 2) {
				t.Errorf("bea sees the event: %t, want %t", visible, depth >= 2)
			}
		})
	}
}

func TestLosingTheCircleRevokesRSVPs(t *testing.T) {
	for name, end := range map[string]func(ann, bea actor, community string){
		"leaving":    func(_, bea actor, c string) { bea.leave(c) },
		"removal":    func(ann, bea actor, c string) { ann.remove(c, bea) },
		"a block":    func(ann, bea actor, _ string) { ann.block(bea) },
		"deletion":   func(ann, _ actor, c string) { ann.deleteCommunity(c) },
		"an account": func(_, bea actor, _ string) { bea.deleteAccount() },
	} {
		t.Run(name, func(t *testing.T) {
			s, m := newServer(t, "ann", "bea", "cid")
			ann, bea, cid := m[0], m[1], m[2]
			family := ann.community("private", bea)
			chain(bea, cid)
			id := ann.host("circle", forCircle(2))
			bea.attend(id, "going")
			cid.attend(id, "going") // connected by bea
			end(ann, bea, family)
			equal(t, "mirrors", s.calendars.holders(id), "1:going")
			equal(t, "attendees", column(ann.attendees(id), func(r RSVP) any { return r.Member.DisplayName }), "Ann")
			_, err := cid.event(id)
			refused(t, "the event for cid", err, svc.NotFound)
		})
	}
}

// Covers B-72 and O-36: a block revokes RSVPs to each other's events, but not
// to events of a shared community.
func TestBlockRevokesRSVPsToEachOther(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	community := ann.community("public", bea)
	byAnn, byBea, common := ann.host("public"), bea.host("public"), ann.host("community", forCommunity(community))
	bea.attend(byAnn, "going")
	bea.attend(common, "going")
	ann.attend(byBea, "going")
	bea.block(ann)
	equal(t, "mirrors of the event of ann", s.calendars.holders(byAnn), "1:going")
	equal(t, "mirrors of the event of bea", s.calendars.holders(byBea), "2:going")
	equal(t, "mirrors of the common event", s.calendars.holders(common), "1:going 2:going")
	_, err := bea.event(byAnn)
	refused(t, "the event of ann for bea", err, svc.NotFound)
	refused(t, "a response of ann", ann.respond(byBea, "going"), svc.NotFound)
	e, err := bea.event(common)
	equal(t, fmt.Sprint("host of the common event ", err), e.Host.DisplayName+fmt.Sprint(e.RSVP.Counts.Going), "Former member1")
}

// Covers PT-46.
func TestDeletedMemberLeavesAllEvents(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	hosted, attended := ann.host("public"), bea.host("public", func(e *NewEvent) { e.Capacity = new(2) })
	bea.attend(hosted, "going")
	ann.attend(attended, "going")
	refused(t, "a full event", cid.respond(attended, "going"), svc.EventFull)
	ann.deleteAccount()
	e, err := bea.event(hosted)
	equal(t, fmt.Sprint("the hosted event ", err), e.Status+" "+e.Host.DisplayName, "cancelled Former member")
	equal(t, "its mirror is cancelled", s.calendars.synced[hosted].Event.Cancelled, true)
	cid.attend(attended, "going")
	e, _ = bea.event(attended)
	equal(t, "guests of the other event", fmt.Sprint(e.RSVP.Counts.Going, len(bea.attendees(attended))), "2 2")
}
