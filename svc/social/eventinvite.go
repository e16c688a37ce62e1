package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

// EventInvitation is that a member was asked to come to an event. Schema:
// service.social.event_invitation.
type EventInvitation struct {
	ID         string     `json:"id"`
	Type       string     `json:"type"` // "invitation"
	Kind       string     `json:"kind"` // "event"
	EventID    string     `json:"event_id"`
	Target     Target     `json:"target"`
	Invitee    Name       `json:"invitee"`
	Inviter    Name       `json:"inviter"`
	State      string     `json:"state"` // "pending", "accepted", "declined", "revoked" or "expired"
	CreatedAt  time.Time  `json:"created_at"`
	ExpiresAt  time.Time  `json:"expires_at"`  // when the event is over, or after a year
	AnsweredAt *time.Time `json:"answered_at"` // accepted, declined or revoked
}

// NewEventInvitation says whom to ask.
type NewEventInvitation struct {
	Recipient string `json:"recipient"` // as for a message
}

// eventInvitationRow is a row of social_invitation.
type eventInvitationRow struct {
	ID         string        `db:"id"`
	Event      string        `db:"event_id"`
	Invitee    svc.MemberID  `db:"invitee_id"`
	Inviter    svc.MemberID  `db:"inviter_id"`
	State      string        `db:"state"`
	CreatedAt  store.Millis  `db:"created_at"`
	ExpiresAt  store.Millis  `db:"expires_at"`
	AnsweredAt *store.Millis `db:"answered_at"`
}

func (i eventInvitationRow) invitation(now time.Time, title string, names names) EventInvitation {
	shown := EventInvitation{
		ID: i.ID, Type: "invitation", Kind: "event", EventID: i.Event, Target: Target{"event", i.Event, title},
		Invitee: names.of(i.Invitee), Inviter: names.of(i.Inviter), State: i.state(now),
		CreatedAt: stamp(i.CreatedAt), ExpiresAt: stamp(i.ExpiresAt),
	}
	if i.AnsweredAt != nil {
		answered := stamp(*i.AnsweredAt)
		shown.AnsweredAt = &answered
	}
	return shown
}

// state is what has become of it by now.
func (i eventInvitationRow) state(now time.Time) string {
	if i.State == "pending" && i.ExpiresAt <= store.MillisOf(now) {
		return "expired"
	}
	return i.State
}

// askedUntil is how long an invitation to the event can be answered: until it
// is over, or for a year.
func (e eventRow) askedUntil(now time.Time) store.Millis {
	return min(e.EndsAt, store.MillisOf(now.AddDate(1, 0, 0)))
}

// InviteToEvent asks a member to come to an event of v's. One that is for those
// who are invited they see from then on; any other they must see already.
func (s *Service) InviteToEvent(tx *store.Tx, v svc.Viewer, id string, in NewEventInvitation) (EventInvitation, error) {
	w, e, err := s.hostedBy(tx, v, id)
	if err != nil {
		return EventInvitation{}, err
	}
	person, err := s.directory.Resolve(tx, v, in.Recipient, w.hidden)
	if err != nil {
		return EventInvitation{}, err
	}
	if err := svc.Join(e.open(tx.Now()), s.mayAsk(tx, w, e, person)); err != nil {
		return EventInvitation{}, err
	}
	if e.Visibility == "invited" {
		if err := s.addGuests(tx, e.Audience, person.ID); err != nil {
			return EventInvitation{}, err
		}
	}
	now := tx.Now()
	i := eventInvitationRow{
		ID: svc.NewID("inv"), Event: id, Invitee: person.ID, Inviter: w.member, State: "pending",
		CreatedAt: store.MillisOf(now), ExpiresAt: e.askedUntil(now),
	}
	if _, err := tx.Exec(s.q.AddEventInvitation, store.Args{
		"id": i.ID, "event": id, "invitee": i.Invitee, "inviter": i.Inviter, "now": i.CreatedAt, "expires": i.ExpiresAt,
	}); err != nil {
		return EventInvitation{}, err
	}
	if _, err := tx.Exec(s.q.AskRSVP, store.Args{"event": id, "member": i.Invitee, "now": i.CreatedAt}); err != nil {
		return EventInvitation{}, err
	}
	if err := s.notify(tx, note{kind: "invitation", actor: w.member, targetType: "invitation", target: i.ID}, i.Invitee); err != nil {
		return EventInvitation{}, err
	}
	if err := s.touch(tx, e.Audience); err != nil {
		return EventInvitation{}, err
	}
	names, err := s.names(tx, i.Invitee, i.Inviter)
	return i.invitation(now, e.Title, names), err
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

// EventInvitationPage is a page of those who were asked, the last one first.
type EventInvitationPage struct {
	Invitations []EventInvitation
	Page        svc.Page
}

// EventInvitations lists who was asked to an event of v's.
func (s *Service) EventInvitations(tx *store.Tx, v svc.Viewer, id string, limit int, cursor string) (EventInvitationPage, error) {
	cursors, after := svc.NewCursors(tx.InstanceKey(), "social.event.invitations", v), eventPlace{At: math.MaxInt64}
	limit, err := svc.PageLimit(limit)
	if err := svc.Join(err, cursors.Read(cursor, &after)); err != nil {
		return EventInvitationPage{}, err
	}
	w, e, err := s.hostedBy(tx, v, id)
	if err != nil {
		return EventInvitationPage{}, err
	}
	var rows []eventInvitationRow
	if err := tx.Select(&rows, s.q.EventInvitations, store.Args{
		"event": id, "at": after.At, "id": after.ID, "hidden": w.hiding, "limit": limit + 1,
	}); err != nil {
		return EventInvitationPage{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(i eventInvitationRow) any { return eventPlace{i.CreatedAt, i.ID} })
	ids := []svc.MemberID{e.Host}
	for _, i := range rows {
		ids = append(ids, i.Invitee)
	}
	names, err := s.names(tx, ids...)
	list := make([]EventInvitation, len(rows))
	for n, i := range rows {
		list[n] = i.invitation(tx.Now(), e.Title, names)
	}
	return EventInvitationPage{list, page}, err
}

// AnswerEventInvitation makes an invitation accepted or declined by who was
// asked, which is their answer to the event, or revoked by who asked: then
// they see the event no more, if they only did for that. The same again changes
// nothing.
func (s *Service) AnswerEventInvitation(tx *store.Tx, v svc.Viewer, id, answer string) (EventInvitation, error) {
	var i eventInvitationRow
	err := tx.Get(&i, s.q.EventInvitation, store.Args{"id": id})
	if store.IsNoRows(err) {
		err = errNoEventInvitation
	}
	if err != nil {
		return EventInvitation{}, err
	}
	_, e, err := s.event(tx, v, i.Event)
	switch {
	case svc.KindOf(err) == svc.Missing, err == nil && v.Member() != i.Invitee && v.Member() != i.Inviter:
		err = errNoEventInvitation
	case err == nil && (answer == "revoked") != (v.Member() == i.Inviter):
		err = svc.Errorf(svc.PermissionDenied, "Who was asked accepts or declines an invitation, and who asked revokes it.")
	case err == nil && i.state(tx.Now()) != "pending" && i.State != answer:
		err = svc.Errorf(svc.InvalidValue, "This invitation is %s.", i.state(tx.Now()))
	}
	if err != nil {
		return EventInvitation{}, err
	}
	switch {
	case i.State == answer:
	case answer == "revoked":
		err = s.revoke(tx, e, i)
	case answer == "accepted":
		_, _, err = s.Answer(tx, v, i.Event, NewRSVP{Response: "going"})
	default:
		_, _, err = s.Answer(tx, v, i.Event, NewRSVP{Response: "declined"})
	}
	if err != nil {
		return EventInvitation{}, err
	}
	if err := tx.Get(&i, s.q.EventInvitation, store.Args{"id": id}); err != nil {
		return EventInvitation{}, err
	}
	names, err := s.names(tx, i.Invitee, i.Inviter)
	return i.invitation(tx.Now(), e.Title, names), err
}

var errNoEventInvitation = svc.Errorf(svc.NotFound, "There is no such invitation.")

// revoke takes a guest who has not answered out again.
func (s *Service) revoke(tx *store.Tx, e eventRow, i eventInvitationRow) error {
	if err := s.touch(tx, e.Audience); err != nil {
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
