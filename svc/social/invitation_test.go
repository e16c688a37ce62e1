package social

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

func (a actor) tryInvite(community string, recipient string) error {
	_, err := tryWrite(a, func(tx *store.Tx, v svc.Viewer) (Invitation, error) {
		return a.InviteToCommunity(tx, v, community, NewInvitation{Recipient: recipient})
	})
	return err
}

// receivedInvitations returns the invitations to a, newest first.
func (a actor) receivedInvitations() []Invitation {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) ([]Invitation, error) {
		list, _, err := a.Invitations(tx, v, svc.PageQuery{})
		return list, err
	})
}

func state(i Invitation) any { return i.State }

// Covers B-65 and B-52.
func TestStaffInvitesMembersOnce(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	id := ann.community("private", bea)
	wantError(t, "no recipient", ann.tryInvite(id, ""), svc.FieldRequired, "recipient")
	wantError(t, "the inviter", ann.tryInvite(id, "ann"), svc.InvalidValue, "recipient")
	wantError(t, "a member", ann.tryInvite(id, "bea"), svc.AlreadyExists, "recipient")
	wantError(t, "an unknown name", ann.tryInvite(id, "zoe"), svc.RecipientNotFound, "recipient")
	wantError(t, "an invitation by a member", bea.tryInvite(id, "cid"), svc.PermissionDenied)
	wantError(t, "an invitation by an outsider", cid.tryInvite(id, "cid"), svc.NotFound)
	ann.invite(id, cid)
	wantError(t, "a second invitation", ann.tryInvite(id, "cid"), svc.AlreadyExists, "recipient")
	for about, a := range map[string]actor{"a member lists invitations": bea, "an outsider lists invitations": cid} {
		_, err := tryRead(a, func(tx *store.Tx, v svc.Viewer) (any, error) {
			_, _, err := a.CommunityInvitations(tx, v, id, svc.PageQuery{})
			return nil, err
		})
		wantError(t, about, err, map[actor]svc.Code{bea: svc.PermissionDenied, cid: svc.NotFound}[a])
	}
}

func TestInvitationIsAnsweredByInviteeAndRevokedByStaff(t *testing.T) {
	s, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	id := ann.community("private", bea)
	first := ann.invite(id, cid)
	wantError(t, "the invitee revokes", cid.tryAnswer(first, Revoke), svc.PermissionDenied)
	for _, a := range []actor{bea, dan} {
		wantError(t, a.name+" revokes", a.tryAnswer(first, Revoke), svc.NotFound)
	}
	ann.setRole(id, bea, "moderator")
	wantError(t, "a moderator declines", bea.tryAnswer(first, Decline), svc.PermissionDenied)
	bea.answer(first, Revoke)
	bea.answer(first, Revoke) // idempotent
	wantError(t, "a revoked invitation", cid.tryAnswer(first, Accept), svc.InvitationClosed)
	wantError(t, "joining by a revoked invitation", cid.tryJoin(id), svc.NotFound)

	second := ann.invite(id, cid)
	s.clock.Advance(14*24*time.Hour - time.Second)
	wantEqual(t, "at the end of its validity", cid.receivedInvitations()[0].State, "pending")
	s.clock.Advance(time.Second)
	wantError(t, "an expired invitation", cid.tryAnswer(second, Accept), svc.InvitationClosed)
	wantError(t, "joining by an expired invitation", cid.tryJoin(id), svc.NotFound)

	third := ann.invite(id, cid)
	wantEqual(t, "states", column(cid.receivedInvitations(), state), "pending expired revoked")
	wantEqual(t, "titles", column(cid.receivedInvitations(), func(i Invitation) any { return i.Target.Title }), "Choir  ")
	cid.answer(third, Accept)
	cid.leave(id)
	cid.answer(third, Accept) // idempotent: it does not make cid a member again
	_, err := cid.getCommunity(id)
	wantError(t, "after leaving", err, svc.NotFound)
	list := read(bea, func(tx *store.Tx, v svc.Viewer) ([]Invitation, error) {
		list, _, err := bea.CommunityInvitations(tx, v, id, svc.PageQuery{})
		return list, err
	})
	wantEqual(t, "states for a moderator", column(list, state), "accepted expired revoked accepted")
}

func TestPendingInvitationsCanBeAnswered(t *testing.T) {
	s, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	bea.answer(ann.invite(ann.community("private"), bea), Decline)
	pending := ann.invite(ann.community("private"), bea)
	list := func() []Invitation {
		return read(bea, func(tx *store.Tx, v svc.Viewer) ([]Invitation, error) { return bea.PendingInvitations(tx, v, 10) })
	}
	if got := list(); len(got) != 1 || got[0].ID != pending || !got[0].Permissions.CanAccept || got[0].Permissions.CanRevoke {
		t.Errorf("got %+v, want the second invitation with can_accept", got)
	}
	s.clock.Advance(15 * 24 * time.Hour)
	wantEqual(t, "after they have expired", len(list()), 0)
}

// Covers O-17, O-36 and B-76: an invitation shows the title and the id of its
// target only as long as the invitee can see or join it.
func TestInvitationHidesLaterTitles(t *testing.T) {
	for name, end := range map[string]func(ann, bea actor, community, invitation string){
		"declined": func(_, bea actor, _, i string) { bea.answer(i, Decline) },
		"revoked":  func(ann, _ actor, _, i string) { ann.answer(i, Revoke) },
		"left":     func(_, bea actor, c, i string) { bea.answer(i, Accept); bea.leave(c) },
		"removed": func(ann, bea actor, c, i string) {
			bea.answer(i, Accept)
			if err := ann.remove(c, bea); err != nil {
				ann.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, m := newServer(t, "ann", "bea")
			ann, bea := m[0], m[1]
			c := ann.community("private")
			i := ann.invite(c, bea)
			wantEqual(t, "target while pending", bea.receivedInvitations()[0].Target, Target{"community", c, "Choir"})
			wantEqual(t, "community while pending", *bea.receivedInvitations()[0].CommunityID, c)
			wantEqual(t, "summary while pending", bea.notifications().Notifications[0].Summary, "Choir")
			wantEqual(t, "unread while pending", bea.notifications().UnreadCount, 1)
			end(ann, bea, c, i)
			wantEqual(t, "unread at the end", bea.notifications().UnreadCount, 0)
			if _, err := ann.update(c, CommunityChange{Name: svc.Some("Secret")}); err != nil {
				t.Fatal(err)
			}
			wantEqual(t, "target at the end", bea.receivedInvitations()[0].Target, Target{"community", "", ""})
			wantEqual(t, "community at the end", bea.receivedInvitations()[0].CommunityID, (*string)(nil))
			wantEqual(t, "summary at the end", bea.notifications().Notifications[0].Summary, "")
			wantEqual(t, "can accept", bea.receivedInvitations()[0].Permissions.CanAccept, false)
		})
	}
}

// A notification about an invitation counts as read once the invitation can no longer be answered.
func TestInvitationToADeletedCommunityIsRead(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	c := ann.community("private")
	ann.invite(c, bea)
	wantEqual(t, "unread before", bea.notifications().UnreadCount, 1)
	if err := ann.deleteCommunity(c); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "unread notifications", bea.notifications().UnreadCount, 0)
	counts, _, _ := bea.attention()
	wantEqual(t, "counts", counts, Attention{})
}

func TestEventInvitationHidesLaterTitles(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	guests := ann.createEvent("invited")
	revoked, err := ann.inviteToEvent(guests, bea)
	if err != nil {
		t.Fatal(err)
	}
	community := ann.community("private", bea)
	common := ann.createEvent("community", forCommunity(community))
	if _, err := ann.inviteToEvent(common, bea); err != nil {
		t.Fatal(err)
	}
	title := func(i Invitation) any { return i.Target.Title }
	wantEqual(t, "titles while bea sees the events", column(bea.receivedInvitations(), title), "Dinner Choir Dinner")
	ann.answer(revoked.ID, Revoke)
	bea.leave(community)
	for _, event := range []string{guests, common} {
		if _, err := ann.updateEvent(event, EventChange{Title: svc.Some("Secret")}); err != nil {
			t.Fatal(err)
		}
	}
	wantEqual(t, "titles at the end", strings.TrimSpace(column(bea.receivedInvitations(), title)), "")
	wantEqual(t, "events at the end", column(bea.receivedInvitations(), func(i Invitation) any { return fmt.Sprint(i.EventID, i.Target.ID) }), "<nil> <nil> <nil>")
	for _, n := range bea.notifications().Notifications {
		wantEqual(t, "summary of a notification", n.Summary, "")
	}
	for _, i := range bea.receivedInvitations() {
		wantEqual(t, "can accept", i.Permissions.CanAccept, false)
	}
}

// An inviter who has left a private community does not see its later name.
func TestInviterWhoLeftDoesNotSeeTheCommunity(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	ann, bea, cid := m[0], m[1], m[2]
	c := ann.community("private", bea)
	ann.setRole(c, bea, "moderator")
	id := bea.invite(c, cid)
	bea.leave(c)
	i, err := tryRead(bea, func(tx *store.Tx, v svc.Viewer) (Invitation, error) { return bea.Invitation(tx, v, id) })
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "target for the inviter", i.Target, Target{"community", "", ""})
	wantEqual(t, "target for the invitee", cid.receivedInvitations()[0].Target, Target{"community", c, "Choir"})
	wantEqual(t, "invitation in the export of the inviter", collect(bea, bea.ExportInvitations)[0].CommunityID, (*string)(nil))
}

func TestBlockRevokesInvitations(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	id := ann.community("public")
	i := ann.invite(id, bea)
	bea.block(ann)
	for _, a := range []actor{ann, bea} {
		wantError(t, a.name, a.tryAnswer(i, Revoke), svc.NotFound)
	}
	wantEqual(t, "received by bea", len(bea.receivedInvitations()), 0)
	wantError(t, "a new invitation", ann.tryInvite(id, "bea"), svc.RecipientNotFound, "recipient")
	bea.unblock(ann)
	wantEqual(t, "after the block", bea.receivedInvitations()[0].State, "revoked")
}
