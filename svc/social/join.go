package social

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// checkJoin returns an error if the viewer of c cannot join it.
func (c communityRow) checkJoin() error {
	switch {
	case c.isInvited():
		return nil
	case c.JoinPolicy == JoinInvite:
		return svc.Errorf(svc.PermissionDenied, "This community is invitation-only. Ask an owner to invite you.")
	case c.State == MembershipRemoved:
		return svc.Errorf(svc.PermissionDenied, "You can join this community only by invitation. Ask an owner to invite you.")
	}
	return nil
}

// JoinCommunity makes v a member of a community, or requests to join if the
// join policy says so. A pending invitation is accepted. It is idempotent.
func (s *Service) JoinCommunity(tx *store.Tx, v svc.Viewer, id string) (Community, error) {
	invitation, err := s.pendingInvitation(tx, id, v.Member())
	if err != nil {
		return Community{}, err
	}
	if invitation != "" { // the community may be invisible to the invitee before the invitation is accepted
		if _, err := s.AnswerInvitation(tx, v, invitation, Accept); err != nil {
			return Community{}, err
		}
		return s.Community(tx, v, id)
	}
	c, err := s.community(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	switch {
	case c.isActive():
		return c.toCommunity(), nil
	case c.checkJoin() != nil:
		return Community{}, c.checkJoin()
	case c.JoinPolicy == JoinOpen:
		err = s.addMember(tx, c, v.Member())
	case c.State != MembershipRequested:
		err = s.requestToJoin(tx, v, c)
	}
	if err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, id)
}

// requestToJoin stores a request of v and notifies the staff of the community,
// except hidden members.
func (s *Service) requestToJoin(tx *store.Tx, v svc.Viewer, c communityRow) error {
	if err := s.setMembership(tx, c, v.Member(), MembershipRequested, RoleMember); err != nil {
		return err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return err
	}
	var staff []svc.MemberID
	if err := tx.Select(&staff, s.q.CommunityStaff, store.Args{"community": c.ID, "hidden": store.JSONArray(hidden)}); err != nil {
		return err
	}
	a, err := s.communityAudience(tx, c.ID)
	if err != nil {
		return err
	}
	n := newNotification{kind: JoinRequestNotification, actor: v.Member(), targetType: TargetCommunity, target: c.ID, audience: a}
	return s.notify(tx, n, staff...)
}

// addMember makes member an active member and marks the member's pending invitations to the
// community as accepted.
func (s *Service) addMember(tx *store.Tx, c communityRow, member svc.MemberID) error {
	if err := s.setMembership(tx, c, member, MembershipActive, RoleMember); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.AcceptInvitations, store.Args{
		"community": c.ID, "invitee": member, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	a, err := s.communityActivityAudience(tx, c)
	if err != nil {
		return err
	}
	return s.recordActivity(tx, MemberJoinedActivity, member, TargetCommunity, c.ID, a)
}

// LeaveCommunity ends the membership of v, or withdraws their request to join.
// It is idempotent.
func (s *Service) LeaveCommunity(tx *store.Tx, v svc.Viewer, id string) (Membership, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return Membership{}, err
	}
	switch {
	case c.SoleOwner:
		return Membership{}, errLastOwner()
	case !c.isActive() && c.State != MembershipRequested:
		return c.toCommunity().Membership, nil
	}
	return Membership{State: MembershipLeft}, s.setMembership(tx, c, v.Member(), MembershipLeft, RoleMember)
}

// maxCommunitiesLeft is the number of communities that a deleted member leaves in one write, which
// runs a few statements for each.
const maxCommunitiesLeft = 5

// leaveCommunities ends at most maxCommunitiesLeft memberships and requests of a deleted member and
// returns their number. It appoints owners of communities that have none and deletes communities
// without members.
func (s *Service) leaveCommunities(tx *store.Tx, member svc.MemberID) (left int, err error) {
	var communities []string
	err = tx.Select(&communities, s.q.LeaveCommunities, store.Args{"member": member, "now": store.MillisOf(tx.Now()), "limit": maxCommunitiesLeft})
	if err != nil || len(communities) == 0 {
		return 0, err
	}
	if err := s.circlesShrunk(tx); err != nil {
		return 0, err
	}
	list := store.Args{"communities": store.JSONArray(communities)}
	if _, err := tx.Exec(s.q.UpdateMemberCounts, list); err != nil {
		return 0, err
	}
	var empty []string
	if err := tx.Select(&empty, s.q.EmptyCommunities, list); err != nil {
		return 0, err
	}
	if len(empty) > 0 {
		if err := s.deleteCommunities(tx, empty...); err != nil {
			return 0, err
		}
	}
	return len(communities), s.appointOwners(tx, list)
}

// appointOwners appoints an owner for each community that has none: the active
// moderator with the longest membership, or else the active member with the
// longest membership. A disabled member is appointed only if all candidates are disabled.
func (s *Service) appointOwners(tx *store.Tx, communities store.Args) error {
	var candidates []membershipKey // sorted by community, best candidate first
	if err := tx.Select(&candidates, s.q.OwnerCandidates, communities); err != nil || len(candidates) == 0 {
		return err
	}
	ids := make([]svc.MemberID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.Member
	}
	names, err := s.names(tx, words.English, ids...)
	if err != nil {
		return err
	}
	var owners []membershipKey
	ownerActive := false // reports whether the last member in owners is active
	for _, c := range candidates {
		active := names.has(c.Member)
		switch n := len(owners); {
		case n == 0 || owners[n-1].Community != c.Community:
			owners, ownerActive = append(owners, c), active
		case active && !ownerActive:
			owners[n-1], ownerActive = c, true
		}
	}
	return s.setRoles(tx, RoleOwner, owners...)
}
