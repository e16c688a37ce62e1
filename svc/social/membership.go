package social

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// CommunityMember is a member of a community, or a member who has requested to
// join it. Schema: service.social.community_member.
type CommunityMember struct {
	MemberRef
	CommunityID string            `json:"community_id"`
	State       MembershipState   `json:"state"`     // active or requested
	Role        *Role             `json:"role"`      // null unless active
	JoinedAt    *time.Time        `json:"joined_at"` // null unless active
	Permissions MemberPermissions `json:"permissions"`
}

// MemberPermissions are the viewer's permissions for a member of a community.
type MemberPermissions struct {
	CanChangeRole bool `json:"can_change_role"`
	CanAdmit      bool `json:"can_admit"`
	CanRemove     bool `json:"can_remove"` // remove, or decline a request to join
}

// MemberChange is an update of a membership.
type MemberChange struct {
	Role  svc.Optional[Role]            `json:"role"`
	State svc.Optional[MembershipState] `json:"state"` // active admits a member who has requested to join
}

// memberRow is a row of social_membership.
type memberRow struct {
	Member   svc.MemberID    `db:"member_id"`
	State    MembershipState `db:"state"`
	Role     Role            `db:"role"`
	JoinedAt *store.Millis   `db:"joined_at"`
}

type membershipQueries struct {
	CommunityMembers store.Query `sql:"community-members"`
	CommunityMember  store.Query `sql:"community-member"`
	CommunityStaff   store.Query `sql:"community-staff"`
	SetMembership    store.Query `sql:"set-membership"`
	SetRoles         store.Query `sql:"set-roles"`
	EndMemberships   store.Query `sql:"end-memberships"`
	LeaveCommunities store.Query `sql:"leave-communities"`
	OwnerCandidates  store.Query `sql:"owner-candidates"`
}

func (m memberRow) isActive() bool { return m.State == MembershipActive }

// toCommunityMember returns the JSON form of m for the viewer of c.
func (c communityRow) toCommunityMember(m memberRow, viewer svc.MemberID, names names) CommunityMember {
	self := m.Member == viewer
	result := CommunityMember{MemberRef: names.ref(m.Member), CommunityID: c.ID, State: m.State, Permissions: MemberPermissions{
		CanChangeRole: c.isOwner() && m.isActive() && !(self && c.SoleOwner),
		CanAdmit:      c.isStaff() && !m.isActive(),
		CanRemove:     self && !c.SoleOwner || !self && c.canRemove(m),
	}}
	if m.isActive() {
		result.Role, result.JoinedAt = &m.Role, store.OptionalTimestamp(m.JoinedAt)
	}
	return result
}

// canRemove reports whether the viewer of c can remove another member.
func (c communityRow) canRemove(m memberRow) bool {
	return c.isOwner() || c.isStaff() && (!m.isActive() || m.Role == RoleMember)
}

// memberCursor is a position in the list of community members: requests before
// active members, each by id.
type memberCursor struct {
	Active bool         `json:"active"`
	Member svc.MemberID `json:"member"`
}

// CommunityMembers returns the members of a community that v sees. Owners and
// moderators also see requests to join, and hidden members as former members,
// so that a block does not protect anyone from moderation.
func (s *Service) CommunityMembers(tx *store.Tx, v svc.Viewer, id string, q svc.PageQuery) ([]CommunityMember, svc.Page, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return nil, svc.Page{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.members", v, id)
	var after memberCursor
	limit, err := q.Decode(cursors, &after)
	if err != nil {
		return nil, svc.Page{}, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, svc.Page{}, err
	}
	omittedMembers := hidden
	if c.isStaff() {
		omittedMembers = nil
	}
	var rows []memberRow
	if err := tx.Select(&rows, s.q.CommunityMembers, store.Args{
		"community": id, "requests": c.isStaff(), "hidden": store.JSONArray(omittedMembers),
		"active": after.Active, "after": after.Member, "limit": limit + 1,
	}); err != nil {
		return nil, svc.Page{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(m memberRow) any { return memberCursor{m.isActive(), m.Member} })
	ids := make([]svc.MemberID, len(rows))
	for i, m := range rows {
		ids[i] = m.Member
	}
	names, err := s.namesWithout(tx, v.Language(), hidden, ids...)
	list := make([]CommunityMember, len(rows))
	for i, m := range rows {
		list[i] = c.toCommunityMember(m, v.Member(), names)
	}
	return list, page, err
}

// communityMember reads a community that v sees, and the membership of one member.
func (s *Service) communityMember(tx *store.Tx, v svc.Viewer, id string, member svc.MemberID) (communityRow, memberRow, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return c, memberRow{}, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return c, memberRow{}, err
	}
	var m memberRow
	err = tx.Get(&m, s.q.CommunityMember, store.Args{"community": id, "member": member, "requests": c.isStaff()})
	if store.IsNoRows(err) || !c.isStaff() && slices.Contains(hidden, member) {
		err = svc.Errorf(svc.NotFound, "There is no such member in this community.")
	}
	return c, m, err
}

// UpdateCommunityMember changes the role of a member, or admits a member who
// has requested to join.
func (s *Service) UpdateCommunityMember(tx *store.Tx, v svc.Viewer, id string, member svc.MemberID, in MemberChange) (CommunityMember, error) {
	c, m, err := s.communityMember(tx, v, id, member)
	if err != nil {
		return CommunityMember{}, err
	}
	if err := c.checkMemberChange(m, v.Member(), in); err != nil {
		return CommunityMember{}, err
	}
	if in.State.Set && !m.isActive() {
		if err := s.addMember(tx, c, member); err != nil {
			return CommunityMember{}, err
		}
	}
	if in.Role.Set && in.Role.Value != m.Role {
		if err := s.setRoles(tx, in.Role.Value, membershipKey{id, member}); err != nil {
			return CommunityMember{}, err
		}
	}
	c, m, err = s.communityMember(tx, v, id, member)
	if err != nil {
		return CommunityMember{}, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return CommunityMember{}, err
	}
	names, err := s.namesWithout(tx, v.Language(), hidden, member)
	return c.toCommunityMember(m, v.Member(), names), err
}

// checkMemberChange returns an error if the viewer of c cannot make the change
// to m.
func (c communityRow) checkMemberChange(m memberRow, viewer svc.MemberID, in MemberChange) error {
	var role, state error
	if in.Role.Set {
		role = svc.CheckChosen("role", in.Role.Value)
	}
	if in.State.Set && in.State.Value != MembershipActive {
		state = svc.FieldError(svc.InvalidValue, "state", "A member can only be admitted or removed.")
	}
	switch {
	case in.Role.Set && !c.isOwner():
		return svc.Errorf(svc.PermissionDenied, "Only an owner can change roles.")
	case in.State.Set && !c.isStaff():
		return svc.Errorf(svc.PermissionDenied, "Only owners and moderators can admit members.")
	case role != nil || state != nil:
		return svc.Join(role, state)
	case in.Role.Set && !in.State.Set && !m.isActive():
		return svc.FieldError(svc.InvalidValue, "role", "This member has only requested to join. Admit them first.")
	case in.Role.Set && in.Role.Value != RoleOwner && m.Member == viewer && c.SoleOwner:
		return errLastOwner()
	}
	return nil
}

func errLastOwner() error {
	return svc.Errorf(svc.LastOwner, "A community needs an owner. Make another member an owner first, or delete the community.")
}

// RemoveCommunityMember removes a member from a community, or declines their
// request to join. The member can return only by invitation.
func (s *Service) RemoveCommunityMember(tx *store.Tx, v svc.Viewer, id string, member svc.MemberID) error {
	if member == v.Member() {
		_, err := s.LeaveCommunity(tx, v, id)
		return err
	}
	c, m, err := s.communityMember(tx, v, id, member)
	if err != nil {
		return err
	}
	if !c.canRemove(m) {
		return svc.Errorf(svc.PermissionDenied, "Only owners can remove owners and moderators. Moderators can remove other members.")
	}
	return s.setMembership(tx, c, member, MembershipRemoved, RoleMember)
}

// setMembership starts or ends a membership, and updates circles and RSVPs. It
// must not read circles between writing the membership and bumping the circle
// revision.
func (s *Service) setMembership(tx *store.Tx, c communityRow, member svc.MemberID, state MembershipState, role Role) error {
	now := store.MillisOf(tx.Now())
	args := store.Args{"community": c.ID, "member": member, "state": state, "role": role, "joined": nil, "now": now}
	if state == MembershipActive {
		args["joined"] = now
	}
	if _, err := tx.Exec(s.q.SetMembership, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.UpdateMemberCounts, store.Args{"communities": store.JSONArray([]string{c.ID})}); err != nil {
		return err
	}
	tx.Touch(svc.MembershipChanged, store.Everyone)
	switch {
	case state == MembershipActive && c.isPrivate():
		return s.bumpCircleRevision(tx)
	case state == MembershipActive:
		return nil
	case c.isPrivate():
		if err := s.circlesShrunk(tx); err != nil {
			return err
		}
	}
	return s.addFollowUp(tx, followUp{Community: c.ID, Guest: member, RevokedAt: now})
}

// membershipKey identifies a membership.
type membershipKey struct {
	Community string       `db:"community_id"`
	Member    svc.MemberID `db:"member_id"`
}

func (s *Service) setRoles(tx *store.Tx, role Role, members ...membershipKey) error {
	pairs := make([][2]any, len(members))
	for i, m := range members {
		pairs[i] = [2]any{m.Community, m.Member}
	}
	_, err := tx.Exec(s.q.SetRoles, store.Args{"role": role, "members": store.JSONArray(pairs), "now": store.MillisOf(tx.Now())})
	tx.Touch(svc.MembershipChanged, store.Everyone)
	return err
}
