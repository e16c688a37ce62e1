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
	id := ann.createEvent("invited")
	wantError(t, "a response before the invitation", bea.respond(id, "going"), svc.NotFound)
	if _, err := ann.inviteToEvent(id, bea); err != nil {
		t.Fatal(err)
	}
	e, _ := bea.event(id)
	wantEqual(t, "counts after the invitation", e.RSVP.Counts, RSVPCounts{Going: 1, None: 1})
	counts := map[string]RSVPCounts{"going": {Going: 2}, "maybe": {Going: 1, Maybe: 1}, "declined": {Going: 1, Declined: 1}, "none": {Going: 1, None: 1}}
	mirrors := map[string]string{"going": "1:going 2:going", "maybe": "1:going 2:maybe", "declined": "1:going", "none": "1:going"}
	for from := range counts {
		for to, want := range counts {
			bea.mustRespond(id, from)
			bea.mustRespond(id, to)
			e, _ := bea.event(id)
			wantEqual(t, from+" to "+to, fmt.Sprint(e.RSVP.Mine, e.RSVP.Counts, s.calendars.mirrorOwners(id)), fmt.Sprint(to, want, mirrors[to]))
		}
	}
	wantError(t, "an unknown response", bea.respond(id, "yes"), svc.InvalidValue, "response")
	wantError(t, "no response", bea.respond(id, ""), svc.FieldRequired, "response")
}

func TestRepeatedResponseChangesNothing(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.createEvent("public")
	bea.mustRespond(id, "going")
	e, _ := ann.event(id)
	bea.mustRespond(id, "going")
	again, _ := ann.event(id)
	wantEqual(t, "the revision", again.Revision, e.Revision)
	wantEqual(t, "notifications of the host", ann.notificationTitles(), "[Bea responded to your event]")
}

func TestWithdrawnResponseLeavesNoRow(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.createEvent("public")
	bea.mustRespond(id, "maybe")
	bea.mustRespond(id, "none")
	wantEqual(t, "attendees", column(ann.attendees(id), func(r RSVP) any { return r.Member.DisplayName }), "Ann")
	ann.mustRespond(id, "none")
	wantEqual(t, "the host without a response", fmt.Sprint(ann.attendees(id)[0].Response, ann.calendars.mirrorOwners(id)), "none1:none")
}

func TestNoteIsVisibleOnlyToHostAndAuthor(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.createEvent("public")
	respond := func(note string) error {
		_, err := tryWrite(bea, func(tx *store.Tx, v svc.Viewer) (RSVP, error) {
			_, r, err := bea.Respond(tx, v, id, NewRSVP{"going", note})
			return r, err
		})
		return err
	}
	if err := respond("With cake"); err != nil {
		t.Fatal(err)
	}
	cid.mustRespond(id, "declined")
	for a, want := range map[actor]string{ann: "With cake", bea: "With cake", cid: ""} {
		wantEqual(t, a.name, a.attendees(id)[1].Note, want)
	}
	wantEqual(t, "order of the attendees", column(cid.attendees(id), func(r RSVP) any { return r.Member.DisplayName }), "Ann Bea Cid")
	wantError(t, "a long note", respond(strings.Repeat("x", 1001)), svc.TooLong, "note")
	activity := len(ann.activity())
	if err := respond("Without cake"); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "activity after a new note", len(ann.activity()), activity)
}

// Covers B-67: the capacity holds for concurrent responses.
func TestCapacityLimitsConcurrentResponses(t *testing.T) {
	names := []string{"ann"}
	for i := range 8 {
		names = append(names, fmt.Sprint("guest", i))
	}
	_, m := newServer(t, names...)
	ann, guests := m[0], m[1:]
	id := ann.createEvent("public", func(e *NewEvent) { e.Capacity = new(3) })
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
			wantError(t, g.name, errs[i], svc.EventFull)
			out = append(out, g)
		}
	}
	if len(in) != 2 {
		t.Fatalf("got %d guests, want 2 beside the host", len(in))
	}
	out[0].mustRespond(id, "maybe")
	in[0].mustRespond(id, "going")
	_, err := ann.updateEvent(id, EventChange{Capacity: svc.Some(2)})
	wantError(t, "a capacity below the guests", err, svc.InvalidValue, "capacity")
	in[0].mustRespond(id, "declined")
	out[0].mustRespond(id, "going")
	wantError(t, "a guest who has declined", in[0].respond(id, "going"), svc.EventFull)
	if _, err := ann.updateEvent(id, EventChange{Capacity: svc.Optional[int]{Set: true, Null: true}}); err != nil {
		t.Fatal(err)
	}
	in[0].mustRespond(id, "going")
}

// Covers O-11.
func TestEventsCreateNoCircles(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	bea.mustRespond(ann.createEvent("public"), "going")
	i, err := ann.inviteToEvent(ann.createEvent("invited"), bea)
	if err != nil {
		t.Fatal(err)
	}
	bea.answer(i.ID, Accept)
	wantEqual(t, "circles", ann.circleNames()+bea.circleNames(), "||||")
}

// Covers O-17 and O-36: an event of a community is mirrored for its members
// only.
func TestLeavingACommunityRevokesRSVPs(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	community := ann.community("private", bea, cid)
	id := bea.createEvent("community", forCommunity(community))
	ann.mustRespond(id, "going")
	cid.mustRespond(id, "going")
	cid.leave(community)
	wantEqual(t, "mirrors after a guest has left", s.calendars.mirrorOwners(id), "1:going 2:going")
	if err := ann.remove(community, bea); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "mirrors after the host was removed", s.calendars.mirrorOwners(id), "1:going")
	e, err := ann.updateEvent(id, EventChange{Title: svc.Some("Among us")})
	wantEqual(t, fmt.Sprint("guests ", err), e.RSVP.Counts.Going, 1)
	wantEqual(t, "mirrors after an update", s.calendars.mirrorOwners(id), "1:going")
}

// Covers O-36, B-67 and B-73: when the distance of two members grows, RSVPs are revoked only if the
// guest has left the circle of the event. A guest who moves from the inner to the trusted circle
// keeps an RSVP to an event of depth 2 or 3, not of depth 1.
func TestMovingToAnOuterCircleRevokesRSVPs(t *testing.T) {
	for depth, want := range map[int]string{1: "1:going", 2: "1:going 2:going", 3: "1:going 2:going 3:maybe"} {
		t.Run(fmt.Sprint("depth ", depth), func(t *testing.T) {
			s, m := newServer(t, "ann", "bea", "cid", "dan")
			ann, bea, cid, dan := m[0], m[1], m[2], m[3]
			direct := ann.community("private", bea)
			chain(ann, dan, bea, cid) // after leaving the community with ann, bea is at depth 2
			wantEqual(t, "circles before", ann.circleNames(), "Bea Dan|Cid|")
			id := ann.createEvent("circle", forCircle(depth))
			bea.mustRespond(id, "going")
			if depth >= 2 {
				cid.mustRespond(id, "maybe")
			}
			bea.leave(direct)
			wantEqual(t, "circles after", ann.circleNames(), "Dan|Bea|Cid")
			wantEqual(t, "mirrors", s.calendars.mirrorOwners(id), want)
			going := strings.Count(want, "going")
			e, _ := ann.event(id)
			wantEqual(t, "going", e.RSVP.Counts.Going, going)
			wantEqual(t, "attendees", len(ann.attendees(id)), len(strings.Fields(want)))
			_, err := bea.event(id)
			if visible := err == nil; visible != (depth >= 2) {
				t.Errorf("bea sees the event: %t, want %t", visible, depth >= 2)
			}
		})
	}
}

// Covers PT-42: the end of a membership does not change the events of a host and a guest whose
// distance is unchanged.
func TestCirclesOfOthersKeepTheirEvents(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	ann.community("private", bea)
	left := cid.community("private", dan)
	id := ann.createEvent("circle", forCircle(1))
	bea.mustRespond(id, "going")
	before, _ := ann.event(id)
	dan.leave(left)
	s.followUp()
	after, _ := ann.event(id)
	wantEqual(t, "revision", after.Revision, before.Revision)
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
			id := ann.createEvent("circle", forCircle(2))
			bea.mustRespond(id, "going")
			cid.mustRespond(id, "going") // cid is in ann's circle at depth 2, through bea
			end(ann, bea, family)
			s.followUp()
			wantEqual(t, "mirrors", s.calendars.mirrorOwners(id), "1:going")
			wantEqual(t, "attendees", column(ann.attendees(id), func(r RSVP) any { return r.Member.DisplayName }), "Ann")
			_, err := cid.event(id)
			wantError(t, "the event for cid", err, svc.NotFound)
		})
	}
}

// Covers B-72 and O-36: a block revokes RSVPs to each other's events, but not
// to events of a shared community.
func TestBlockRevokesRSVPsToEachOther(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	community := ann.community("public", bea)
	byAnn, byBea, common := ann.createEvent("public"), bea.createEvent("public"), ann.createEvent("community", forCommunity(community))
	bea.mustRespond(byAnn, "going")
	bea.mustRespond(common, "going")
	ann.mustRespond(byBea, "going")
	bea.block(ann)
	wantEqual(t, "mirrors of the event of ann", s.calendars.mirrorOwners(byAnn), "1:going")
	wantEqual(t, "mirrors of the event of bea", s.calendars.mirrorOwners(byBea), "2:going")
	wantEqual(t, "mirrors of the common event", s.calendars.mirrorOwners(common), "1:going 2:going")
	_, err := bea.event(byAnn)
	wantError(t, "the event of ann for bea", err, svc.NotFound)
	wantError(t, "a response of ann", ann.respond(byBea, "going"), svc.NotFound)
	e, err := bea.event(common)
	wantEqual(t, fmt.Sprint("host of the common event ", err), e.Host.DisplayName+fmt.Sprint(e.RSVP.Counts.Going), "Former member1")
}

// Covers PT-46.
func TestDeletedMemberLeavesAllEvents(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	hosted, attended := ann.createEvent("public"), bea.createEvent("public", func(e *NewEvent) { e.Capacity = new(2) })
	bea.mustRespond(hosted, "going")
	ann.mustRespond(attended, "going")
	wantError(t, "a full event", cid.respond(attended, "going"), svc.EventFull)
	ann.deleteAccount()
	e, err := bea.event(hosted)
	wantEqual(t, fmt.Sprint("the hosted event ", err), string(e.Status)+" "+e.Host.DisplayName, "cancelled Former member")
	wantEqual(t, "its mirror is cancelled", s.calendars.synced[hosted].Event.Cancelled, true)
	cid.mustRespond(attended, "going")
	e, _ = bea.event(attended)
	wantEqual(t, "guests of the other event", fmt.Sprint(e.RSVP.Counts.Going, len(bea.attendees(attended))), "2 2")
}
