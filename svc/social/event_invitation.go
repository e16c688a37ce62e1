package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// invitationExpiry returns the expiry of invitations to the event: its end, at most
// a year from now.
func (e eventRow) invitationExpiry(now time.Time) store.Millis {
	return min(e.EndsAt, store.MillisOf(now.AddDate(1, 0, 0)))
}

// InviteToEvent invites a member to an event that v hosts. For an event with
// the visibility invited this makes the event visible to the member; any other
// event must be visible to them already.
func (s *Service) InviteToEvent(tx *store.Tx, v svc.Viewer, id string, in NewInvitation) (Invitation, error) {
	w, e, err := s.hostedEvent(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	invitee, err := s.directory.Resolve(tx, v, in.Recipient, w.hidden)
	if err != nil {
		return Invitation{}, err
	}
	if err := svc.Join(e.checkScheduled(tx.Now()), s.checkEventInvitee(tx, w, e, invitee)); err != nil {
		return Invitation{}, err
	}
	if e.Visibility == EventInvited {
		if err := s.addGuests(tx, e.Audience, invitee.ID); err != nil {
			return Invitation{}, err
		}
	}
	i := invitationRow{ID: svc.NewID("inv"), EventID: &id, Invitee: invitee.ID, Inviter: w.member, ExpiresAt: e.invitationExpiry(tx.Now())}
	if err := s.addInvitation(tx, i); err != nil {
		return Invitation{}, err
	}
	if _, err := tx.Exec(s.q.AddUnansweredRSVP, store.Args{"event": id, "member": i.Invitee, "now": store.MillisOf(tx.Now()), "seq": tx.Seq()}); err != nil {
		return Invitation{}, err
	}
	if err := s.bumpEventRevision(tx, e); err != nil {
		return Invitation{}, err
	}
	return s.Invitation(tx, v, i.ID)
}

// hostedEvent reads an event that v hosts, and the view of v.
func (s *Service) hostedEvent(tx *store.Tx, v svc.Viewer, id string) (view, eventRow, error) {
	w, e, err := s.event(tx, v, id)
	if err == nil && e.Host != w.member {
		err = svc.Errorf(svc.PermissionDenied, "Only the host can manage the invitations to this event.")
	}
	return w, e, err
}

// isHost reports whether v hosts the event.
func (s *Service) isHost(tx *store.Tx, v svc.Viewer, event string) (bool, error) {
	_, _, err := s.hostedEvent(tx, v, event)
	if kind := svc.KindOf(err); kind == svc.Missing || kind == svc.Forbidden {
		return false, nil
	}
	return err == nil, err
}

// checkEventInvitee returns an error if the host cannot invite a member.
func (s *Service) checkEventInvitee(tx *store.Tx, w view, e eventRow, invitee svc.Person) error {
	if invitee.ID == w.member {
		return svc.FieldError(svc.InvalidValue, "recipient", "You are the host of this event.")
	}
	eligible, err := s.canBeInvited(tx, w, e, invitee.ID)
	if err != nil {
		return err
	}
	if !eligible {
		return svc.FieldError(svc.InvalidValue, "recipient", "%s cannot be invited, because this event is not visible to them.", invitee.DisplayName)
	}
	rsvps, err := s.eventRSVPs(tx, e)
	if err != nil {
		return err
	}
	if r := rsvps.byMember(invitee.ID).Response; r == svc.Going || r == svc.Maybe {
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s has already answered: %s.", invitee.DisplayName, ResponseLabels[r])
	}
	var pending string
	err = tx.Get(&pending, s.q.PendingEventInvitation, store.Args{"event": e.ID, "member": invitee.ID, "now": store.MillisOf(tx.Now())})
	switch {
	case store.IsNoRows(err):
		return nil
	case err == nil:
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s already has a pending invitation.", invitee.DisplayName)
	}
	return err
}

// canBeInvited reports whether a member who is not hidden from the host sees
// the event, or will see it once they are invited.
func (s *Service) canBeInvited(tx *store.Tx, w view, e eventRow, member svc.MemberID) (bool, error) {
	switch e.Visibility {
	case EventCircle:
		depth := w.circles.depth(member)
		return depth > 0 && depth <= *e.Depth, nil
	case EventCommunity:
		role, err := s.memberRole(tx, *e.CommunityID, member)
		if store.IsNoRows(err) {
			return false, nil
		}
		return role != "", err
	}
	return true, nil
}

// EventInvitations returns the invitations to an event that v hosts, newest
// first.
func (s *Service) EventInvitations(tx *store.Tx, v svc.Viewer, id string, q svc.PageQuery) ([]Invitation, svc.Page, error) {
	if _, _, err := s.hostedEvent(tx, v, id); err != nil {
		return nil, svc.Page{}, err
	}
	return s.invitationPage(tx, v, q, s.q.EventInvitations, "event", id, true)
}

// answerEventInvitation turns the answer of the invitee into an RSVP, or
// revokes the invitation.
func (s *Service) answerEventInvitation(tx *store.Tx, v svc.Viewer, i invitationRow, answer Answer) error {
	switch answer {
	case Accept:
		_, _, err := s.Respond(tx, v, *i.EventID, NewRSVP{Response: svc.Going})
		return err
	case Decline:
		_, _, err := s.Respond(tx, v, *i.EventID, NewRSVP{Response: svc.Declined})
		return err
	}
	_, e, err := s.event(tx, v, *i.EventID)
	if err != nil {
		return err
	}
	return s.revokeEventInvitation(tx, e, i)
}

// revokeEventInvitation revokes an invitation and removes an invitee who has
// not responded from the guests, so that they no longer see the event.
func (s *Service) revokeEventInvitation(tx *store.Tx, e eventRow, i invitationRow) error {
	if err := s.bumpEventRevision(tx, e); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.SettleEventInvitations, store.Args{
		"event": e.ID, "member": i.Invitee, "state": InvitationRevoked, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	unanswered, err := tx.Exec(s.q.DeleteUnansweredRSVP, store.Args{"event": e.ID, "member": i.Invitee})
	if err != nil || unanswered == 0 || e.Visibility != EventInvited {
		return err
	}
	_, err = tx.Exec(s.q.RemoveGuest, store.Args{"audience": e.Audience, "member": i.Invitee})
	return err
}

// bumpEventRevision counts a change of the event that does not affect
// calendars.
func (s *Service) bumpEventRevision(tx *store.Tx, e eventRow) error {
	if _, err := s.bumpRevisions(tx, e); err != nil {
		return err
	}
	return s.touchAudience(tx, svc.RSVPChanged, e.Audience)
}
