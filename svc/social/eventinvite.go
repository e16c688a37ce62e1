package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// askedUntil is how long an invitation to the event can be answered: until it
// is over, or for a year.
func (e eventRow) askedUntil(now time.Time) store.Millis {
	return min(e.EndsAt, store.MillisOf(now.AddDate(1, 0, 0)))
}

// InviteToEvent asks a member to come to an event of v's. One that is for those
// who are invited they see from then on; any other they must see already.
func (s *Service) InviteToEvent(tx *store.Tx, v svc.Viewer, id string, in NewInvitation) (Invitation, error) {
	w, e, err := s.hostedBy(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	person, err := s.directory.Resolve(tx, v, in.Recipient, w.hidden)
	if err != nil {
		return Invitation{}, err
	}
	if err := svc.Join(e.open(tx.Now()), s.mayAsk(tx, w, e, person)); err != nil {
		return Invitation{}, err
	}
	if e.Visibility == "invited" {
		if err := s.addGuests(tx, e.Audience, person.ID); err != nil {
			return Invitation{}, err
		}
	}
	i := invitationRow{ID: svc.NewID("inv"), EventID: &id, Invitee: person.ID, Inviter: w.member, ExpiresAt: e.askedUntil(tx.Now())}
	if err := s.addInvitation(tx, i); err != nil {
		return Invitation{}, err
	}
	if _, err := tx.Exec(s.q.AskRSVP, store.Args{"event": id, "member": i.Invitee, "now": store.MillisOf(tx.Now())}); err != nil {
		return Invitation{}, err
	}
	if err := s.revised(tx, e); err != nil {
		return Invitation{}, err
	}
	return s.Invitation(tx, v, i.ID)
}

// hostedBy reads an event of v's own.
func (s *Service) hostedBy(tx *store.Tx, v svc.Viewer, id string) (view, eventRow, error) {
	w, e, err := s.event(tx, v, id)
	if err == nil && e.Host != w.member {
		err = svc.Errorf(svc.PermissionDenied, "Only the host asks others to this event.")
	}
	return w, e, err
}

// mayAsk returns why a host cannot ask somebody to come.
func (s *Service) mayAsk(tx *store.Tx, w view, e eventRow, person svc.Person) error {
	if person.ID == w.member {
		return svc.FieldError(svc.InvalidValue, "recipient", "It is your own event.")
	}
	sees, err := s.sees(tx, w, e, person.ID)
	if err != nil {
		return err
	}
	if !sees {
		return svc.FieldError(svc.InvalidValue, "recipient", "This event is not for everybody, and %s cannot be asked to it.", person.DisplayName)
	}
	answers, err := s.attending(tx, e.ID)
	if err != nil {
		return err
	}
	if r := answers.of(person.ID).Response; r == "going" || r == "maybe" {
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s has answered already: %s.", person.DisplayName, r)
	}
	var pending string
	err = tx.Get(&pending, s.q.PendingToEvent, store.Args{"event": e.ID, "member": person.ID, "now": store.MillisOf(tx.Now())})
	switch {
	case store.IsNoRows(err):
		return nil
	case err == nil:
		err = svc.FieldError(svc.AlreadyExists, "recipient", "%s is asked already, and has not answered yet.", person.DisplayName)
	}
	return err
}

// sees reports whether somebody whom the host meets can see an event of
// theirs, or will as soon as they are asked.
func (s *Service) sees(tx *store.Tx, w view, e eventRow, member svc.MemberID) (bool, error) {
	switch e.Visibility {
	case "circle":
		depth := w.circles.depth(member)
		return depth > 0 && depth <= *e.Depth, nil
	case "community":
		var role string
		err := tx.Get(&role, s.q.Standing, store.Args{"community": e.CommunityID, "member": member})
		if store.IsNoRows(err) {
			return false, nil
		}
		return role != "", err
	}
	return true, nil
}

// EventInvitations lists who was asked to an event of v's, the last one first.
func (s *Service) EventInvitations(tx *store.Tx, v svc.Viewer, id string, q ListQuery) ([]Invitation, svc.Page, error) {
	if _, _, err := s.hostedBy(tx, v, id); err != nil {
		return nil, svc.Page{}, err
	}
	return s.invitations(tx, v, q, s.q.InvitationsTo, "event", id, true)
}

// hosts reports whether v is the host of an event.
func (s *Service) hosts(tx *store.Tx, v svc.Viewer, event string) (bool, error) {
	_, _, err := s.hostedBy(tx, v, event)
	if kind := svc.KindOf(err); kind == svc.Missing || kind == svc.Forbidden {
		return false, nil
	}
	return err == nil, err
}

// answerToEvent makes an invitation to an event accepted or declined, which is
// the invitee's answer to the event, or revoked: then they see the event no
// more, if they only did for that.
func (s *Service) answerToEvent(tx *store.Tx, v svc.Viewer, i invitationRow, answer string) error {
	switch answer {
	case "accepted":
		_, _, err := s.Respond(tx, v, *i.EventID, NewRSVP{Response: "going"})
		return err
	case "declined":
		_, _, err := s.Respond(tx, v, *i.EventID, NewRSVP{Response: "declined"})
		return err
	}
	_, e, err := s.event(tx, v, *i.EventID)
	if err != nil {
		return err
	}
	return s.revoke(tx, e, i)
}

// revised counts a change to an event that changes no calendar.
func (s *Service) revised(tx *store.Tx, e eventRow) error {
	if _, err := tx.Exec(s.q.ReviseEvent, store.Args{"id": e.ID}); err != nil {
		return err
	}
	return s.touch(tx, svc.EventsTopic, e.ID, e.Audience)
}

// revoke takes a guest who has not answered out again.
func (s *Service) revoke(tx *store.Tx, e eventRow, i invitationRow) error {
	if err := s.revised(tx, e); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.AnswerEventInvitations, store.Args{
		"event": e.ID, "member": i.Invitee, "state": "revoked", "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	unanswered, err := tx.Exec(s.q.UnaskRSVP, store.Args{"event": e.ID, "member": i.Invitee})
	if err != nil || unanswered == 0 || e.Visibility != "invited" {
		return err
	}
	_, err = tx.Exec(s.q.DropGuest, store.Args{"audience": e.Audience, "member": i.Invitee})
	return err
}
