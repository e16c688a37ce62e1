package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// communityInvitationTime is the validity of an invitation to a community.
const communityInvitationTime = 14 * 24 * time.Hour

// CommunityInvitations returns the invitations to a community, newest first.
// Only its owners and moderators see them.
func (s *Service) CommunityInvitations(tx *store.Tx, v svc.Viewer, id string, q svc.PageQuery) ([]Invitation, svc.Page, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return nil, svc.Page{}, err
	}
	if !c.isStaff() {
		return nil, svc.Page{}, svc.Errorf(svc.PermissionDenied, "Only owners and moderators can see the invitations to this community.")
	}
	return s.invitationPage(tx, v, q, s.q.CommunityInvitations, "community", id, true)
}

// InviteToCommunity invites a member to a community of which v is an owner or a
// moderator.
func (s *Service) InviteToCommunity(tx *store.Tx, v svc.Viewer, id string, in NewInvitation) (Invitation, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return Invitation{}, err
	}
	if !c.isStaff() {
		return Invitation{}, svc.Errorf(svc.PermissionDenied, "Only owners and moderators can invite members to this community.")
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return Invitation{}, err
	}
	invitee, err := s.directory.Resolve(tx, v, in.Recipient, hidden)
	if err != nil {
		return Invitation{}, err
	}
	if err := s.checkCommunityInvitee(tx, v, c, invitee); err != nil {
		return Invitation{}, err
	}
	i := invitationRow{
		ID: svc.NewID("inv"), CommunityID: &id, Invitee: invitee.ID, Inviter: v.Member(),
		ExpiresAt: store.MillisOf(tx.Now().Add(communityInvitationTime)),
	}
	if err := s.addInvitation(tx, i); err != nil {
		return Invitation{}, err
	}
	return s.Invitation(tx, v, i.ID)
}

// checkCommunityInvitee returns an error if invitee cannot be invited to c.
func (s *Service) checkCommunityInvitee(tx *store.Tx, v svc.Viewer, c communityRow, invitee svc.Person) error {
	if invitee.ID == v.Member() {
		return svc.FieldError(svc.InvalidValue, "recipient", "You are already a member of this community.")
	}
	var m memberRow
	err := tx.Get(&m, s.q.CommunityMember, store.Args{"community": c.ID, "member": invitee.ID, "requests": false})
	if err == nil {
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s is already a member of this community.", invitee.DisplayName)
	}
	if !store.IsNoRows(err) {
		return err
	}
	pending, err := s.pendingInvitation(tx, c.ID, invitee.ID)
	if err == nil && pending != "" {
		return svc.FieldError(svc.AlreadyExists, "recipient", "%s already has a pending invitation.", invitee.DisplayName)
	}
	return err
}

// pendingInvitation returns the id of an invitation to the community that
// invitee can accept, "" if there is none.
func (s *Service) pendingInvitation(tx *store.Tx, community string, invitee svc.MemberID) (id string, err error) {
	err = tx.Get(&id, s.q.PendingCommunityInvitation, store.Args{
		"community": community, "invitee": invitee, "now": store.MillisOf(tx.Now()),
	})
	if store.IsNoRows(err) {
		err = nil
	}
	return id, err
}

// answerCommunityInvitation stores the answer and admits a member who accepts.
func (s *Service) answerCommunityInvitation(tx *store.Tx, _ svc.Viewer, i invitationRow, answer Answer) error {
	_, err := tx.Exec(s.q.SetInvitationState, store.Args{"id": i.ID, "state": answer.state, "now": store.MillisOf(tx.Now())})
	if err != nil || answer != Accept {
		return err
	}
	return s.addMember(tx, communityRow{ID: *i.CommunityID, Visibility: i.Visibility}, i.Invitee)
}
