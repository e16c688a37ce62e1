package social

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Covers B-64.
func TestHostInvitesMembersWhoCanSeeTheEvent(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	family := ann.community("private", bea)
	id := ann.host("invited")
	try := func(a actor, event, recipient string) error {
		_, err := attempt(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
			return a.InviteToEvent(tx, v, event, NewInvitation{Recipient: recipient})
		})
		return err
	}
	refused(t, "an unknown name", try(ann, id, "zoe"), svc.RecipientNotFound, "recipient")
	refused(t, "no name", try(ann, id, ""), svc.FieldRequired, "recipient")
	refused(t, "the host", try(ann, id, "ann"), svc.InvalidValue, "recipient")
	if err := try(ann, id, "bea"); err != nil {
		t.Fatal(err)
	}
	refused(t, "a second time", try(ann, id, "bea"), svc.AlreadyExists, "recipient")
	refused(t, "an invitation by a guest", try(bea, id, "cid"), svc.PermissionDenied)
	bea.attend(id, "maybe")
	refused(t, "a guest who has responded", try(ann, id, "bea"), svc.AlreadyExists, "recipient")
	_, err := lookup(bea, func(tx *store.Tx, v svc.Viewer) (any, error) {
		_, _, err := bea.EventInvitations(tx, v, id, ListQuery{})
		return nil, err
	})
	refused(t, "a guest lists invitations", err, svc.PermissionDenied)

	inner := ann.host("circle", forCircle(1))
	common := ann.host("community", forCommunity(family))
	for about, event := range map[string]string{"a circle event": inner, "an event of a community": common} {
		refused(t, about, try(ann, event, "cid"), svc.InvalidValue, "recipient")
		_, err := cid.event(event)
		refused(t, about+" after that", err, svc.NotFound)
		if err := try(ann, event, "bea"); err != nil {
			t.Errorf("%s: %v", about, err)
		}
	}
	dan.block(ann)
	refused(t, "a member who blocks the host", try(ann, id, "dan"), svc.RecipientNotFound, "recipient")
}

func TestAnsweringAnEventInvitationIsAResponse(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	id := ann.host("invited")
	invite := func(a actor) string {
		i, err := ann.inviteToEvent(id, a)
		if err != nil {
			t.Fatal(err)
		}
		return i.ID
	}
	invitation := invite(bea)
	refused(t, "another member", cid.tryAnswer(invitation, "accepted"), svc.NotFound)
	refused(t, "the invitee revokes", bea.tryAnswer(invitation, "revoked"), svc.PermissionDenied)
	equal(t, "accepted", bea.answer(invitation, "accepted").State, "accepted")
	bea.answer(invitation, "accepted")
	e, _ := bea.event(id)
	equal(t, "the response of bea", e.RSVP.Mine, "going")
	refused(t, "revoking an accepted one", ann.tryAnswer(invitation, "revoked"), svc.InvitationClosed)
	cid.answer(invite(cid), "declined")
	e, _ = cid.event(id)
	equal(t, "the response of cid", e.RSVP.Mine, "declined")

	invitation = invite(dan)
	if _, err := dan.event(id); err != nil {
		t.Errorf("an invitee does not see the event: %v", err)
	}
	equal(t, "the title", dan.received()[0].Target.Title, "Dinner")
	ann.answer(invitation, "revoked")
	_, err := dan.event(id)
	refused(t, "after the invitation was revoked", err, svc.NotFound)
	equal(t, "the title after that", dan.received()[0].Target.Title, "")
	e, _ = ann.event(id)
	equal(t, "counts after that", e.RSVP.Counts, RSVPCounts{Going: 2, Declined: 1})
	equal(t, "notifications of the host", ann.notified(), "[Cid responded to your event Bea responded to your event]")
}

func TestResponseSettlesTheInvitation(t *testing.T) {
	for response, want := range map[string]string{"going": "accepted", "maybe": "accepted", "declined": "declined", "none": "pending"} {
		_, m := newServer(t, "ann", "bea")
		ann, bea := m[0], m[1]
		id := ann.host("invited")
		if _, err := ann.inviteToEvent(id, bea); err != nil {
			t.Fatal(err)
		}
		bea.attend(id, response)
		equal(t, response, bea.received()[0].State, want)
		list := read(ann, func(tx *store.Tx, v svc.Viewer) ([]Invitation, error) {
			list, _, err := ann.EventInvitations(tx, v, id, ListQuery{})
			return list, err
		})
		equal(t, response+", for the host", column(list, state), want)
	}
}

func TestEventInvitationExpiresWithTheEvent(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.host("invited")
	if _, err := ann.inviteToEvent(id, bea); err != nil {
		t.Fatal(err)
	}
	equal(t, "expiry", bea.received()[0].ExpiresAt.Format(time.DateTime), "2026-12-24 22:00:00")
	if _, err := ann.updateEvent(id, EventChange{Start: svc.Some("2026-12-27T18:00:00"), End: svc.Some("2026-12-27T22:00:00")}); err != nil {
		t.Fatal(err)
	}
	equal(t, "expiry after a change", bea.received()[0].ExpiresAt.Format(time.DateTime), "2026-12-27 22:00:00")
	series := ann.host("invited", func(e *NewEvent) { e.RRule = new("FREQ=WEEKLY") })
	i, err := ann.inviteToEvent(series, bea)
	equal(t, fmt.Sprint("expiry for an endless series ", err), i.ExpiresAt.Format(time.DateOnly), "2027-11-21")
}
