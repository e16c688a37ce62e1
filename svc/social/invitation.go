package social

import (
	"fmt"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Invitation is that a member was asked into a community or to an event. They
// learn its name by it, though they may not see it yet: that is, as long as they
// may come. Schema: service.social.invitation.
type Invitation struct {
	ID          string                `json:"id"`
	Type        string                `json:"type"` // "invitation"
	Kind        string                `json:"kind"` // "community" or "event"
	CommunityID *string               `json:"community_id"`
	EventID     *string               `json:"event_id"`
	Target      Target                `json:"target"`
	Invitee     MemberRef             `json:"invitee"`
	Inviter     MemberRef             `json:"inviter"`
	State       string                `json:"state"` // "pending", "accepted", "declined", "revoked" or "expired"
	CreatedAt   time.Time             `json:"created_at"`
	ExpiresAt   time.Time             `json:"expires_at"`
	AnsweredAt  *time.Time            `json:"answered_at"` // accepted, declined or revoked
	Permissions InvitationPermissions `json:"permissions"`
}

// InvitationPermissions are what the viewer may do about an invitation.
type InvitationPermissions struct {
	CanAccept  bool `json:"can_accept"`
	CanDecline bool `json:"can_decline"`
	CanRevoke  bool `json:"can_revoke"`
}

// NewInvitation says whom to invite.
type NewInvitation struct {
	Recipient string `json:"recipient"` // as for a message
}

// invitationLife is how long an invitation can be accepted.
const invitationLife = 14 * 24 * time.Hour

// invitationRow is a row of social_invitation.
type invitationRow struct {
	ID          string        `db:"id"`
	CommunityID *string       `db:"community_id"`
	EventID     *string       `db:"event_id"`
	Invitee     svc.MemberID  `db:"invitee_id"`
	Inviter     svc.MemberID  `db:"inviter_id"`
	State       string        `db:"state"`
	CreatedAt   store.Millis  `db:"created_at"`
	ExpiresAt   store.Millis  `db:"expires_at"`
	AnsweredAt  *store.Millis `db:"answered_at"`
	Visibility  string        `db:"visibility"` // of the community
}

// state is what has become of it by now.
func (i invitationRow) state(tx *store.Tx) string {
	if i.State == "pending" && i.ExpiresAt <= store.MillisOf(tx.Now()) {
		return "expired"
	}
	return i.State
}

// invitation is i as a viewer sees it who may revoke it, or not. What has no
// title is out of their sight, and there is nothing to answer.
func (i invitationRow) invitation(tx *store.Tx, viewer svc.MemberID, revoke bool, names names, titles map[string]string) Invitation {
	state := i.state(tx)
	title, seen := titles[i.ID]
	mine, pending := i.Invitee == viewer, state == "pending" && seen
	shown := Invitation{
		ID: i.ID, Type: "invitation", CommunityID: i.CommunityID, EventID: i.EventID,
		Invitee: names.of(i.Invitee), Inviter: names.of(i.Inviter), State: state,
		CreatedAt: i.CreatedAt.Timestamp(), ExpiresAt: i.ExpiresAt.Timestamp(),
		Permissions: InvitationPermissions{CanAccept: mine && pending, CanDecline: mine && pending, CanRevoke: revoke && pending},
	}
	if i.CommunityID != nil {
		shown.Kind, shown.Target = "community", Target{"community", *i.CommunityID, title}
	} else {
		shown.Kind, shown.Target = "event", Target{"event", *i.EventID, title}
	}
	if i.AnsweredAt != nil {
		answered := i.AnsweredAt.Timestamp()
		shown.AnsweredAt = &answered
	}
	return shown
}

// Invitations lists what v was invited to, the newest first.
func (s *Service) Invitations(tx *store.Tx, v svc.Viewer, q ListQuery) ([]Invitation, svc.Page, error) {
	member, err := v.Require()
	if err != nil {
		return nil, svc.Page{}, err
	}
	return s.invitations(tx, v, q, s.q.InvitationsReceived, "invitee", member, false)
}

// WaitingInvitations lists the latest of them that v can still answer.
func (s *Service) PendingInvitations(tx *store.Tx, v svc.Viewer, limit int) ([]Invitation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	var rows []invitationRow
	err = tx.Select(&rows, s.q.InvitationsWaiting, store.Args{
		"invitee": w.member, "hidden": w.hiding, "now": store.MillisOf(tx.Now()), "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	return s.shownInvitations(tx, w, rows, func(invitationRow) bool { return false })
}

// CommunityInvitations lists who was invited into a community of which v is an
// owner or a moderator, the newest first.
func (s *Service) CommunityInvitations(tx *store.Tx, v svc.Viewer, id string, q ListQuery) ([]Invitation, svc.Page, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return nil, svc.Page{}, err
	}
	if !c.staff() {
		return nil, svc.Page{}, svc.Errorf(svc.PermissionDenied, "Only owners and moderators see who is invited.")
	}
	return s.invitations(tx, v, q, s.q.InvitationsInto, "community", id, true)
}

// invitations lists those that a query finds for what its parameter by is.
func (s *Service) invitations(tx *store.Tx, v svc.Viewer, q ListQuery, query store.Query, by string, is any, revoke bool) ([]Invitation, svc.Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), fmt.Sprint("social.invitations.", by, ".", is), v)
	after := newest
	limit, err := q.read(cursors, &after)
	if err != nil {
		return nil, svc.Page{}, err
	}
	w, err := s.view(tx, v)
	if err != nil {
		return nil, svc.Page{}, err
	}
	var rows []invitationRow
	if err := tx.Select(&rows, query, store.Args{
		by: is, "hidden": w.hiding, "at": after.At, "id": after.ID, "limit": limit + 1,
	}); err != nil {
		return nil, svc.Page{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(i invitationRow) any { return pageEnd{i.CreatedAt, i.ID} })
	list, err := s.shownInvitations(tx, w, rows, func(i invitationRow) bool { return revoke || i.Inviter == w.member })
	return list, page, err
}

// shownInvitations makes the contract of invitations, some of which the member
// may revoke.
func (s *Service) shownInvitations(tx *store.Tx, w view, rows []invitationRow, revoke func(invitationRow) bool) ([]Invitation, error) {
	var people []svc.MemberID
	ids := make([]string, len(rows))
	for n, i := range rows {
		people, ids[n] = append(people, i.Invitee, i.Inviter), i.ID
	}
	names, err := s.names(tx, people...)
	if err != nil {
		return nil, err
	}
	titles, err := s.titles(tx, w, ids)
	list := make([]Invitation, len(rows))
	for n, i := range rows {
		list[n] = i.invitation(tx, w.member, revoke(i), names, titles)
	}
	return list, err
}

// Invite asks a member into a community.
func (s *Service) InviteToCommunity(tx *store.Tx, v svc.Viewer, id string, in NewInvitation) (Invitation, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	if !c.staff() {
		return Invitation{}, svc.Errorf(svc.PermissionDenied, "Only owners and moderators invite into this community.")
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return Invitation{}, err
	}
	person, err := s.directory.Resolve(tx, v, in.Recipient, hidden)
	if err != nil {
		return Invitation{}, err
	}
	if err := s.mayInvite(tx, v, c, person); err != nil {
		return Invitation{}, err
	}
	i := invitationRow{
		ID: svc.NewID("inv"), CommunityID: &id, Invitee: person.ID, Inviter: v.Member(),
		ExpiresAt: store.MillisOf(tx.Now().Add(invitationLife)),
	}
	if err := s.addInvitation(tx, i); err != nil {
		return Invitation{}, err
	}
	return s.Invitation(tx, v, i.ID)
}

// mayInvite returns why somebody cannot be invited into a community.
func (s *Service) mayInvite(tx *store.Tx, v svc.Viewer, c communityRow, person svc.Person) error {
	if person.ID == v.Member() {
		return svc.FieldError(svc.InvalidValue, "recipient", "You are in the community already.")
	}
	var m memberRow
	err := tx.Get(&m, s.q.CommunityMember, store.Args{"community": c.ID, "member": person.ID, "requests": false})
	if err == nil {
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s is in the community already.", person.DisplayName)
	}
	if !store.IsNoRows(err) {
		return err
	}
	pending, err := s.pendingInvitation(tx, c.ID, person.ID)
	if err == nil && pending != "" {
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s is invited already, and has not answered yet.", person.DisplayName)
	}
	return err
}

// addInvitation adds an invitation, into a community or to an event, and tells
// the invitee.
func (s *Service) addInvitation(tx *store.Tx, i invitationRow) error {
	if _, err := tx.Exec(s.q.AddInvitation, store.Args{
		"id": i.ID, "community": i.CommunityID, "event": i.EventID, "invitee": i.Invitee, "inviter": i.Inviter,
		"now": store.MillisOf(tx.Now()), "expires": i.ExpiresAt,
	}); err != nil {
		return err
	}
	if err := s.touchInvitation(tx, i); err != nil {
		return err
	}
	return s.notify(tx, note{kind: "invitation", actor: i.Inviter, targetType: "invitation", target: i.ID}, i.Invitee)
}

// touchInvitation notes that those who see an invitation see it changed.
func (s *Service) touchInvitation(tx *store.Tx, i invitationRow) error {
	tx.Touch(svc.SocialTopic, int64(i.Invitee), int64(i.Inviter))
	if i.CommunityID == nil {
		return nil
	}
	a, err := s.ofCommunity(tx, *i.CommunityID)
	if err != nil {
		return err
	}
	return s.touchSocial(tx, a)
}

// pendingInvitation returns the id of the invitation that a member could
// accept, "" if there is none.
func (s *Service) pendingInvitation(tx *store.Tx, community string, invitee svc.MemberID) (id string, err error) {
	err = tx.Get(&id, s.q.PendingInvitation, store.Args{"community": community, "invitee": invitee, "now": store.MillisOf(tx.Now())})
	if store.IsNoRows(err) {
		err = nil
	}
	return id, err
}

var errNoInvitation = svc.Errorf(svc.NotFound, "There is no such invitation.")

// seeInvitation reads an invitation that v sees: one that they got or made,
// or one into something that they run. It tells whether they may revoke it.
func (s *Service) seeInvitation(tx *store.Tx, v svc.Viewer, id string) (i invitationRow, revoke bool, err error) {
	member, err := v.Require()
	if err != nil {
		return i, false, err
	}
	err = tx.Get(&i, s.q.Invitation, store.Args{"id": id})
	if store.IsNoRows(err) {
		err = errNoInvitation
	}
	if err != nil {
		return i, false, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return i, false, err
	}
	if revoke = i.Inviter == member; !revoke {
		revoke, err = s.runs(tx, v, i)
	}
	if err == nil && !revoke && i.Invitee != member || slices.Contains(hidden, i.Invitee) || slices.Contains(hidden, i.Inviter) {
		err = errNoInvitation
	}
	return i, revoke, err
}

// runs reports whether v looks after what an invitation is into.
func (s *Service) runs(tx *store.Tx, v svc.Viewer, i invitationRow) (bool, error) {
	if i.CommunityID == nil {
		return s.hosts(tx, v, *i.EventID)
	}
	c, err := s.community(tx, v, *i.CommunityID)
	if svc.KindOf(err) == svc.Missing {
		return false, nil
	}
	return c.staff(), err
}

// Invitation returns an invitation that v sees.
func (s *Service) Invitation(tx *store.Tx, v svc.Viewer, id string) (Invitation, error) {
	i, revoke, err := s.seeInvitation(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	w, err := s.view(tx, v)
	if err != nil {
		return Invitation{}, err
	}
	list, err := s.shownInvitations(tx, w, []invitationRow{i}, func(invitationRow) bool { return revoke })
	if err != nil {
		return Invitation{}, err
	}
	return list[0], nil
}

// AnswerInvitation makes an invitation accepted or declined by its invitee, or
// revoked by who made it or who looks after what it is into. The same answer
// again changes nothing.
func (s *Service) AnswerInvitation(tx *store.Tx, v svc.Viewer, id, answer string) (Invitation, error) {
	i, revoke, err := s.seeInvitation(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	switch state := i.state(tx); {
	case answer == "revoked" && !revoke:
		return Invitation{}, svc.Errorf(svc.PermissionDenied, "You can decline this invitation, not revoke it.")
	case answer != "revoked" && i.Invitee != v.Member():
		return Invitation{}, svc.Errorf(svc.PermissionDenied, "Only who is invited can answer this invitation.")
	case state == answer:
		return s.Invitation(tx, v, id)
	case state == "expired":
		return Invitation{}, svc.Errorf(svc.InvitationClosed, "This invitation has expired. Ask for another one.")
	case state != "pending":
		return Invitation{}, svc.Errorf(svc.InvitationClosed, "This invitation has been %s already.", state)
	}
	become := s.answerToCommunity
	if i.EventID != nil {
		become = s.answerToEvent
	}
	if err := become(tx, v, i, answer); err != nil {
		return Invitation{}, err
	}
	if err := s.touchInvitation(tx, i); err != nil {
		return Invitation{}, err
	}
	return s.Invitation(tx, v, id)
}

// answerToCommunity makes an invitation into a community what was answered, and
// lets in who has accepted.
func (s *Service) answerToCommunity(tx *store.Tx, _ svc.Viewer, i invitationRow, answer string) error {
	_, err := tx.Exec(s.q.AnswerInvitation, store.Args{"id": i.ID, "state": answer, "now": store.MillisOf(tx.Now())})
	if err != nil || answer != "accepted" {
		return err
	}
	return s.enter(tx, communityRow{ID: *i.CommunityID, Visibility: i.Visibility}, i.Invitee)
}
