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
	id := ann.createEvent("invited")
	invite := func(a actor, event, recipient string) error {
		_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
			return a.InviteToEvent(tx, v, event, NewInvitation{Recipient: recipient})
		})
		return err
	}
	wantError(t, "an unknown name", invite(ann, id, "zoe"), svc.RecipientNotFound, "recipient")
	wantError(t, "no name", invite(ann, id, ""), svc.FieldRequired, "recipient")
	wantError(t, "the host", invite(ann, id, "ann"), svc.InvalidValue, "recipient")
	if err := invite(ann, id, "bea"); err != nil {
		t.Fatal(err)
	}
	wantError(t, "a second time", invite(ann, id, "bea"), svc.AlreadyExists, "recipient")
	wantError(t, "an invitation by a guest", invite(bea, id, "cid"), svc.PermissionDenied)
	bea.mustRespond(id, "maybe")
	wantError(t, "a guest who has responded", invite(ann, id, "bea"), svc.AlreadyExists, "recipient")
	_, err := tryRead(bea, func(tx *store.Tx, v svc.Viewer) (any, error) {
		_, _, err := bea.EventInvitations(tx, v, id, svc.PageQuery{})
		return nil, err
	})
	wantError(t, "a guest lists invitations", err, svc.PermissionDenied)

	inner := ann.createEvent("circle", forCircle(1))
	common := ann.createEvent("community", forCommunity(family))
	for about, event := range map[string]string{"a circle event": inner, "an event of a community": common} {
		wantError(t, about, invite(ann, event, "cid"), svc.InvalidValue, "recipient")
		_, err := cid.event(event)
		wantError(t, about+" after that", err, svc.NotFound)
		if err := invite(ann, event, "bea"); err != nil {
			t.Errorf("%s: %v", about, err)
		}
	}
	dan.block(ann)
	wantError(t, "a member who blocks the host", invite(ann, id, "dan"), svc.RecipientNotFound, "recipient")
}

func TestAnsweringAnEventInvitationIsAResponse(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	id := ann.createEvent("invited")
	invite := func(a actor) string {
		i, err := ann.inviteToEvent(id, a)
		if err != nil {
			t.Fatal(err)
		}
		return i.ID
	}
	invitation := invite(bea)
	wantError(t, "another member", cid.tryAnswer(invitation, Accept), svc.NotFound)
	wantError(t, "the invitee revokes", bea.tryAnswer(invitation, Revoke), svc.PermissionDenied)
	wantEqual(t, "accepted", bea.answer(invitation, Accept).State, "accepted")
	bea.answer(invitation, Accept)
	e, _ := bea.event(id)
	wantEqual(t, "the response of bea", e.RSVP.Mine, "going")
	wantError(t, "revoking an accepted one", ann.tryAnswer(invitation, Revoke), svc.InvitationClosed)
	cid.answer(invite(cid), Decline)
	e, _ = cid.event(id)
	wantEqual(t, "the response of cid", e.RSVP.Mine, "declined")

	invitation = invite(dan)
	if _, err := dan.event(id); err != nil {
		t.Errorf("an invitee does not see the event: %v", err)
	}
	wantEqual(t, "the title", dan.receivedInvitations()[0].Target.Title, "Dinner")
	ann.answer(invitation, Revoke)
	_, err := dan.event(id)
	wantError(t, "after the invitation was revoked", err, svc.NotFound)
	wantEqual(t, "the title after that", dan.receivedInvitations()[0].Target.Title, "")
	e, _ = ann.event(id)
	wantEqual(t, "counts after that", e.RSVP.Counts, RSVPCounts{Going: 2, Declined: 1})
	wantEqual(t, "notifications of the host", ann.notificationTitles(), "[Cid responded to your event Bea responded to your event]")
}

func TestResponseSettlesTheInvitation(t *testing.T) {
	for response, want := range map[string]string{"going": "accepted", "maybe": "accepted", "declined": "declined", "none": "pending"} {
		_, m := newServer(t, "ann", "bea")
		ann, bea := m[0], m[1]
		id := ann.createEvent("invited")
		if _, err := ann.inviteToEvent(id, bea); err != nil {
			t.Fatal(err)
		}
		bea.mustRespond(id, response)
		wantEqual(t, response, bea.receivedInvitations()[0].State, want)
		list := read(ann, func(tx *store.Tx, v svc.Viewer) ([]Invitation, error) {
			list, _, err := ann.EventInvitations(tx, v, id, svc.PageQuery{})
			return list, err
		})
		wantEqual(t, response+", for the host", column(list, state), want)
		wantEqual(t, response+", unread notifications", bea.notifications().UnreadCount, map[bool]int{true: 1, false: 0}[want == "pending"])
	}
}

func TestEventInvitationExpiresWithTheEvent(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.createEvent("invited")
	if _, err := ann.inviteToEvent(id, bea); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "expiry", bea.receivedInvitations()[0].ExpiresAt.Format(time.DateTime), "2026-12-24 22:00:00")
	if _, err := ann.updateEvent(id, EventChange{Start: svc.Some("2026-12-27T18:00:00"), End: svc.Some("2026-12-27T22:00:00")}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "expiry after a change", bea.receivedInvitations()[0].ExpiresAt.Format(time.DateTime), "2026-12-27 22:00:00")
	series := ann.createEvent("invited", func(e *NewEvent) { e.RRule = new("FREQ=WEEKLY") })
	i, err := ann.inviteToEvent(series, bea)
	wantEqual(t, fmt.Sprint("expiry for an endless series ", err), i.ExpiresAt.Format(time.DateOnly), "2027-11-21")
}
