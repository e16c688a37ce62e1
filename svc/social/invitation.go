package social

import (
	"cmp"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Invitation invites a member to a community or an event. It shows its target to the
// invitee as long as the invitee can accept the invitation, even if the target
// itself is not visible to the invitee yet. Schema: service.social.invitation.
type Invitation struct {
	ID          string                `json:"id"`
	Type        string                `json:"type"` // "invitation"
	Kind        InvitationKind        `json:"kind"`
	CommunityID *string               `json:"community_id"` // null for an event, or if the viewer cannot see the community
	EventID     *string               `json:"event_id"`     // null for a community, or if the viewer cannot see the event
	Target      Target                `json:"target"`
	Invitee     MemberRef             `json:"invitee"`
	Inviter     MemberRef             `json:"inviter"`
	State       InvitationState       `json:"state"`
	CreatedAt   time.Time             `json:"created_at"`
	ExpiresAt   time.Time             `json:"expires_at"`
	AnsweredAt  *time.Time            `json:"answered_at"` // accepted, declined or revoked
	Permissions InvitationPermissions `json:"permissions"`
}

// InvitationPermissions are the viewer's permissions for an invitation.
type InvitationPermissions struct {
	CanAccept  bool `json:"can_accept"`
	CanDecline bool `json:"can_decline"`
	CanRevoke  bool `json:"can_revoke"`
}

// NewInvitation names the member to invite.
type NewInvitation struct {
	Recipient string `json:"recipient"` // a name, an e-mail address or an id, as for messages
}

// invitationRow is a row of social_invitation.
type invitationRow struct {
	ID          string              `db:"id"`
	CommunityID *string             `db:"community_id"`
	EventID     *string             `db:"event_id"`
	Invitee     svc.MemberID        `db:"invitee_id"`
	Inviter     svc.MemberID        `db:"inviter_id"`
	State       InvitationState     `db:"state"`
	CreatedAt   store.Millis        `db:"created_at"`
	ExpiresAt   store.Millis        `db:"expires_at"`
	AnsweredAt  *store.Millis       `db:"answered_at"`
	Visibility  CommunityVisibility `db:"visibility"` // of the community
}

type invitationQueries struct {
	Invitation                 store.Query `sql:"invitation"`
	ReceivedInvitations        store.Query `sql:"received-invitations"`
	AnswerableInvitations      store.Query `sql:"answerable-invitations"`
	AddInvitation              store.Query `sql:"add-invitation"`
	SetInvitationState         store.Query `sql:"set-invitation-state"`
	RevokeInvitationsOf        store.Query `sql:"revoke-invitations-of"`
	RevokeInvitationsBetween   store.Query `sql:"revoke-invitations-between"`
	CommunityInvitations       store.Query `sql:"community-invitations"`
	PendingCommunityInvitation store.Query `sql:"pending-community-invitation"`
	AcceptInvitations          store.Query `sql:"accept-invitations"`
	InvitedMembers             store.Query `sql:"invited-members"`
	RevokeCommunityInvitations store.Query `sql:"revoke-community-invitations"`
	EventInvitations           store.Query `sql:"event-invitations"`
	EventInvitationIDs         store.Query `sql:"event-invitation-ids"`
	PendingEventInvitation     store.Query `sql:"pending-event-invitation"`
	IsInvited                  store.Query `sql:"is-invited"`
	SettleEventInvitations     store.Query `sql:"settle-event-invitations"`
	SetEventInvitationsExpiry  store.Query `sql:"set-event-invitations-expiry"`
}

// InvitationStates are the names of the states, by value. They are the same in panels and
// errors.
var InvitationStates = map[InvitationState]words.Word{
	InvitationPending: "pending", InvitationAccepted: "accepted", InvitationDeclined: "declined", InvitationRevoked: "revoked", InvitationExpired: "expired",
}

// state returns the state at the time of the transaction.
func (i invitationRow) state(tx *store.Tx) InvitationState {
	if i.State == InvitationPending && i.ExpiresAt <= store.MillisOf(tx.Now()) {
		return InvitationExpired
	}
	return i.State
}

// toInvitation returns the JSON form of i for the viewer. If titles has no title for i, the viewer
// cannot see the target: the result does not identify the target and has no permissions.
func (i invitationRow) toInvitation(tx *store.Tx, viewer svc.MemberID, canRevoke bool, names names, titles map[string]string) Invitation {
	state := i.state(tx)
	title, seen := titles[i.ID]
	received, pending := i.Invitee == viewer, state == InvitationPending && seen
	result := Invitation{
		ID: i.ID, Type: "invitation", Kind: InvitationToEvent, CommunityID: i.CommunityID, EventID: i.EventID,
		Invitee: names.ref(i.Invitee), Inviter: names.ref(i.Inviter), State: state,
		CreatedAt: i.CreatedAt.Timestamp(), ExpiresAt: i.ExpiresAt.Timestamp(), AnsweredAt: store.OptionalTimestamp(i.AnsweredAt),
		Permissions: InvitationPermissions{CanAccept: received && pending, CanDecline: received && pending, CanRevoke: canRevoke && pending},
	}
	if i.CommunityID != nil {
		result.Kind = InvitationToCommunity
	}
	if !seen {
		result.CommunityID, result.EventID = nil, nil
	}
	target := cmp.Or(result.CommunityID, result.EventID, new(""))
	result.Target = Target{TargetType(result.Kind), *target, title}
	return result
}

// Invitations returns the invitations that v has received, newest first.
func (s *Service) Invitations(tx *store.Tx, v svc.Viewer, q svc.PageQuery) ([]Invitation, svc.Page, error) {
	member, err := v.Require()
	if err != nil {
		return nil, svc.Page{}, err
	}
	return s.invitationPage(tx, v, q, s.q.ReceivedInvitations, "invitee", member, false)
}

// PendingInvitations returns the latest received invitations that v can still
// answer.
func (s *Service) PendingInvitations(tx *store.Tx, v svc.Viewer, limit int) ([]Invitation, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	var rows []invitationRow
	err = tx.Select(&rows, s.q.AnswerableInvitations, store.Args{
		"invitee": w.member, "hidden": w.hiddenList, "now": store.MillisOf(tx.Now()), "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	return s.completeInvitations(tx, w, rows, func(invitationRow) bool { return false })
}

// invitationPage returns a page of the invitations that query selects with its
// parameter param set to value. If canRevoke is true, v can revoke all of them;
// otherwise v can revoke only the invitations that v has made.
func (s *Service) invitationPage(tx *store.Tx, v svc.Viewer, q svc.PageQuery, query store.Query, param string, value any, canRevoke bool) ([]Invitation, svc.Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "social.invitations", v, param, value)
	after := firstPageCursor
	limit, err := q.Decode(cursors, &after)
	if err != nil {
		return nil, svc.Page{}, err
	}
	w, err := s.view(tx, v)
	if err != nil {
		return nil, svc.Page{}, err
	}
	var rows []invitationRow
	if err := tx.Select(&rows, query, store.Args{
		param: value, "hidden": w.hiddenList, "at": after.At, "id": after.ID, "limit": limit + 1,
	}); err != nil {
		return nil, svc.Page{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(i invitationRow) any { return createdCursor{i.CreatedAt, i.ID} })
	list, err := s.completeInvitations(tx, w, rows, func(i invitationRow) bool { return canRevoke || i.Inviter == w.member })
	return list, page, err
}

// completeInvitations adds names and titles to rows, as the viewer sees them.
func (s *Service) completeInvitations(tx *store.Tx, w view, rows []invitationRow, canRevoke func(invitationRow) bool) ([]Invitation, error) {
	var people []svc.MemberID
	ids := make([]string, len(rows))
	for n, i := range rows {
		people, ids[n] = append(people, i.Invitee, i.Inviter), i.ID
	}
	names, err := s.names(tx, w.language, people...)
	if err != nil {
		return nil, err
	}
	titles, err := s.targetTitles(tx, w, ids)
	list := make([]Invitation, len(rows))
	for n, i := range rows {
		list[n] = i.toInvitation(tx, w.member, canRevoke(i), names, titles)
	}
	return list, err
}

// addInvitation adds an invitation and notifies the invitee.
func (s *Service) addInvitation(tx *store.Tx, i invitationRow) error {
	if err := s.write(tx, i.Inviter, s.q.AddInvitation, store.Args{
		"id": i.ID, "community": i.CommunityID, "event": i.EventID, "invitee": i.Invitee, "inviter": i.Inviter,
		"now": store.MillisOf(tx.Now()), "expires": i.ExpiresAt,
	}); err != nil {
		return err
	}
	if err := s.touchInvitation(tx, i); err != nil {
		return err
	}
	return s.notify(tx, newNotification{kind: InvitationNotification, actor: i.Inviter, targetType: TargetInvitation, target: i.ID}, i.Invitee)
}

// touchInvitation records a change for all members who see the invitation.
func (s *Service) touchInvitation(tx *store.Tx, i invitationRow) error {
	tx.Touch(svc.InvitationChanged, int64(i.Invitee), int64(i.Inviter))
	if i.CommunityID == nil {
		return nil
	}
	a, err := s.communityAudience(tx, *i.CommunityID)
	if err != nil {
		return err
	}
	return s.touchAudience(tx, svc.InvitationChanged, a)
}

// visibleInvitation reads an invitation that v has received or made, or whose
// target v manages. It reports whether v can revoke it.
func (s *Service) visibleInvitation(tx *store.Tx, v svc.Viewer, id string) (i invitationRow, canRevoke bool, err error) {
	errNotFound := svc.Errorf(svc.NotFound, "There is no such invitation.")
	member, err := v.Require()
	if err != nil {
		return i, false, err
	}
	err = tx.Get(&i, s.q.Invitation, store.Args{"id": id})
	if store.IsNoRows(err) {
		return i, false, errNotFound
	}
	if err != nil {
		return i, false, err
	}
	hidden, err := s.Hidden(tx, member)
	if err != nil {
		return i, false, err
	}
	canRevoke = i.Inviter == member
	if !canRevoke {
		if canRevoke, err = s.managesTarget(tx, v, i); err != nil {
			return i, false, err
		}
	}
	if !canRevoke && i.Invitee != member || slices.Contains(hidden, i.Invitee) || slices.Contains(hidden, i.Inviter) {
		return i, false, errNotFound
	}
	return i, canRevoke, nil
}

// managesTarget reports whether v is on the staff of the community, or the
// host of the event, that the invitation is for.
func (s *Service) managesTarget(tx *store.Tx, v svc.Viewer, i invitationRow) (bool, error) {
	if i.CommunityID == nil {
		return s.isHost(tx, v, *i.EventID)
	}
	c, err := s.community(tx, v, *i.CommunityID)
	if svc.KindOf(err) == svc.Missing {
		return false, nil
	}
	return c.isStaff(), err
}

// Invitation returns an invitation that v sees.
func (s *Service) Invitation(tx *store.Tx, v svc.Viewer, id string) (Invitation, error) {
	i, canRevoke, err := s.visibleInvitation(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	w, err := s.view(tx, v)
	if err != nil {
		return Invitation{}, err
	}
	list, err := s.completeInvitations(tx, w, []invitationRow{i}, func(invitationRow) bool { return canRevoke })
	if err != nil {
		return Invitation{}, err
	}
	return list[0], nil
}

// Answer is an answer to an invitation. It has no other values than these three.
type Answer struct{ state InvitationState }

var (
	Accept  = Answer{InvitationAccepted} // of the invitee
	Decline = Answer{InvitationDeclined} // of the invitee
	Revoke  = Answer{InvitationRevoked}  // of the inviter and of the members who manage the target
)

// AnswerInvitation answers a pending invitation. It is idempotent.
func (s *Service) AnswerInvitation(tx *store.Tx, v svc.Viewer, id string, answer Answer) (Invitation, error) {
	i, canRevoke, err := s.visibleInvitation(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	switch state := i.state(tx); {
	case answer == Revoke && !canRevoke:
		return Invitation{}, svc.Errorf(svc.PermissionDenied, "You cannot revoke this invitation, but you can decline it.")
	case answer != Revoke && i.Invitee != v.Member():
		return Invitation{}, svc.Errorf(svc.PermissionDenied, "Only the invited member can answer this invitation.")
	case state == answer.state:
		return s.Invitation(tx, v, id)
	case state == InvitationExpired:
		return Invitation{}, svc.Errorf(svc.InvitationClosed, "This invitation has expired. Ask for a new one.")
	case state != InvitationPending:
		return Invitation{}, svc.Errorf(svc.InvitationClosed, "This invitation has already been %s.", InvitationStates[state])
	}
	storeAnswer := s.answerCommunityInvitation
	if i.EventID != nil {
		storeAnswer = s.answerEventInvitation
	}
	if err := storeAnswer(tx, v, i, answer); err != nil {
		return Invitation{}, err
	}
	if err := s.touchInvitation(tx, i); err != nil {
		return Invitation{}, err
	}
	return s.Invitation(tx, v, id)
}
