package social

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// CommunityMember is somebody in a community, or who asks to join it. Schema:
// service.social.community_member.
type CommunityMember struct {
	MemberRef
	CommunityID string            `json:"community_id"`
	State       string            `json:"state"`     // "active" or "requested"
	Role        *string           `json:"role"`      // "owner", "moderator" or "member"; null unless active
	JoinedAt    *time.Time        `json:"joined_at"` // null unless active
	Permissions MemberPermissions `json:"permissions"`
}

// MemberPermissions are what the viewer may do about somebody in a community.
type MemberPermissions struct {
	CanChangeRole bool `json:"can_change_role"`
	CanAdmit      bool `json:"can_admit"`
	CanRemove     bool `json:"can_remove"` // or decline what they ask
}

// MemberChange is what is changed about somebody in a community.
type MemberChange struct {
	Role  svc.Optional[string] `json:"role"`
	State svc.Optional[string] `json:"state"` // "active" admits who asked to join
}

// memberRow is a row of social_membership.
type memberRow struct {
	Member   svc.MemberID  `db:"member_id"`
	State    string        `db:"state"`
	Role     string        `db:"role"`
	JoinedAt *store.Millis `db:"joined_at"`
}

func (m memberRow) active() bool { return m.State == "active" }

// member is m as the viewer of c sees them.
func (c communityRow) member(m memberRow, viewer svc.MemberID, names names) CommunityMember {
	self := m.Member == viewer
	shown := CommunityMember{MemberRef: names.of(m.Member), CommunityID: c.ID, State: m.State, Permissions: MemberPermissions{
		CanChangeRole: c.owner() && m.active() && !(self && c.SoleOwner),
		CanAdmit:      c.staff() && !m.active(),
		CanRemove:     self && !c.SoleOwner || !self && c.mayRemove(m),
	}}
	if m.active() {
		joined := m.JoinedAt.Timestamp()
		shown.Role, shown.JoinedAt = &m.Role, &joined
	}
	return shown
}

// mayRemove reports whether the viewer of c may remove another.
func (c communityRow) mayRemove(m memberRow) bool {
	return c.owner() || c.staff() && (!m.active() || m.Role == "member")
}

// mayJoin returns why the viewer of c cannot join it.
func (c communityRow) mayJoin() error {
	switch {
	case c.invited():
		return nil
	case c.JoinPolicy == "invite":
		return svc.Errorf(svc.PermissionDenied, "One joins this community by invitation. Ask an owner for one.")
	case c.State == "removed":
		return svc.Errorf(svc.PermissionDenied, "You need an invitation to join this community. Ask an owner for one.")
	}
	return nil
}

// Join makes v a member of a community, or has its owners asked, as it wants.
// Doing so again changes nothing.
func (s *Service) JoinCommunity(tx *store.Tx, v svc.Viewer, id string) (Community, error) {
	invitation, err := s.pendingInvitation(tx, id, v.Member())
	if err != nil {
		return Community{}, err
	}
	if invitation != "" { // who is invited joins what they do not see yet
		if _, err := s.AnswerInvitation(tx, v, invitation, "accepted"); err != nil {
			return Community{}, err
		}
		return s.Community(tx, v, id)
	}
	c, err := s.community(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	switch {
	case c.active():
		return c.community(), nil
	case c.mayJoin() != nil:
		return Community{}, c.mayJoin()
	case c.JoinPolicy == "open":
		err = s.enter(tx, c, v.Member())
	case c.State != "requested":
		err = s.request(tx, v, c)
	}
	if err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, id)
}

// request has the owners and moderators of a community asked to let v in.
func (s *Service) request(tx *store.Tx, v svc.Viewer, c communityRow) error {
	if err := s.setMembership(tx, c, v.Member(), "requested", "member"); err != nil {
		return err
	}
	staff, err := s.staff(tx, v, c.ID)
	if err != nil {
		return err
	}
	a, err := s.ofCommunity(tx, c.ID)
	if err != nil {
		return err
	}
	n := note{kind: "join_request", actor: v.Member(), targetType: "community", target: c.ID, audience: a}
	return s.notify(tx, n, staff...)
}

// staff returns the owners and moderators of a community as far as v meets
// them.
func (s *Service) staff(tx *store.Tx, v svc.Viewer, community string) (list []svc.MemberID, err error) {
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, err
	}
	err = tx.Select(&list, s.q.CommunityStaff, store.Args{"community": community, "hidden": jsonList(hidden)})
	return list, err
}

// enter lets a member into a community.
func (s *Service) enter(tx *store.Tx, c communityRow, member svc.MemberID) error {
	if err := s.setMembership(tx, c, member, "active", "member"); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.AcceptInvitations, store.Args{
		"community": c.ID, "invitee": member, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	a, err := s.shownTo(tx, c)
	if err != nil {
		return err
	}
	return s.record(tx, "member.joined", member, "community", c.ID, a)
}

// setMembership is how a membership begins and ends. Who was close to whom is
// worked out anew from here on, and not before: nothing may be read between
// the two.
func (s *Service) setMembership(tx *store.Tx, c communityRow, member svc.MemberID, state, role string) error {
	now := store.MillisOf(tx.Now())
	args := store.Args{"community": c.ID, "member": member, "state": state, "role": role, "joined": nil, "now": now}
	if state == "active" {
		args["joined"] = now
	}
	if _, err := tx.Exec(s.q.SetMembership, args); err != nil {
		return err
	}
	if _, err := tx.Exec(s.q.CountMembers, store.Args{"communities": jsonList([]string{c.ID})}); err != nil {
		return err
	}
	tx.Touch(svc.SocialTopic, store.Everyone)
	if state == "active" {
		if c.private() {
			return s.regraph(tx)
		}
		return nil
	}
	if c.private() {
		if err := s.loosen(tx); err != nil {
			return err
		}
	}
	return s.leaveEvents(tx, c.ID, member)
}

var errLastOwner = svc.Errorf(svc.LastOwner, "A community needs an owner. Make somebody else an owner first, or delete the community.")

// Leave ends v's membership of a community, or takes back that v asked to
// join it. Doing so again changes nothing.
func (s *Service) LeaveCommunity(tx *store.Tx, v svc.Viewer, id string) (Membership, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return Membership{}, err
	}
	switch {
	case c.SoleOwner:
		return Membership{}, errLastOwner
	case !c.active() && c.State != "requested":
		return c.community().Membership, nil
	}
	return Membership{State: "left"}, s.setMembership(tx, c, v.Member(), "left", "member")
}

// seat is where a page of members ends.
type seat struct {
	Active bool         `json:"active"`
	Member svc.MemberID `json:"member"`
}

// Members lists who is in a community that v sees, by number. Its owners and
// moderators see whoever asks to join before all others, and look after everybody:
// who is hidden from them is there as well, like one who is not here any more.
func (s *Service) CommunityMembers(tx *store.Tx, v svc.Viewer, id string, q ListQuery) ([]CommunityMember, svc.Page, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return nil, svc.Page{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.members."+id, v)
	var after seat
	limit, err := q.read(cursors, &after)
	if err != nil {
		return nil, svc.Page{}, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, svc.Page{}, err
	}
	left := hidden
	if c.staff() {
		left = nil
	}
	var rows []memberRow
	if err := tx.Select(&rows, s.q.CommunityMembers, store.Args{
		"community": id, "requests": c.staff(), "hidden": jsonList(left),
		"active": after.Active, "after": after.Member, "limit": limit + 1,
	}); err != nil {
		return nil, svc.Page{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(m memberRow) any { return seat{m.active(), m.Member} })
	ids := make([]svc.MemberID, len(rows))
	for i, m := range rows {
		ids[i] = m.Member
	}
	names, err := s.met(tx, hidden, ids...)
	list := make([]CommunityMember, len(rows))
	for i, m := range rows {
		list[i] = c.member(m, v.Member(), names)
	}
	return list, page, err
}

// membership reads a community that v sees, and who is in it or asks to be.
func (s *Service) membership(tx *store.Tx, v svc.Viewer, id string, member svc.MemberID) (communityRow, memberRow, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return c, memberRow{}, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return c, memberRow{}, err
	}
	var m memberRow
	err = tx.Get(&m, s.q.CommunityMember, store.Args{"community": id, "member": member, "requests": c.staff()})
	if store.IsNoRows(err) || !c.staff() && slices.Contains(hidden, member) {
		err = svc.Errorf(svc.NotFound, "There is no such member in the community.")
	}
	return c, m, err
}

// UpdateMember gives somebody in a community another role, or admits them.
func (s *Service) UpdateCommunityMember(tx *store.Tx, v svc.Viewer, id string, member svc.MemberID, in MemberChange) (CommunityMember, error) {
	c, m, err := s.membership(tx, v, id, member)
	if err != nil {
		return CommunityMember{}, err
	}
	if err := c.mayChange(m, v.Member(), in); err != nil {
		return CommunityMember{}, err
	}
	if in.State.Set && !m.active() {
		if err := s.enter(tx, c, member); err != nil {
			return CommunityMember{}, err
		}
	}
	if in.Role.Set && in.Role.Value != m.Role {
		if err := s.setRoles(tx, in.Role.Value, heir{id, member}); err != nil {
			return CommunityMember{}, err
		}
	}
	c, m, err = s.membership(tx, v, id, member)
	if err != nil {
		return CommunityMember{}, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return CommunityMember{}, err
	}
	names, err := s.met(tx, hidden, member)
	return c.member(m, v.Member(), names), err
}

// mayChange returns why the viewer of c cannot change m like that.
func (c communityRow) mayChange(m memberRow, viewer svc.MemberID, in MemberChange) error {
	var wrong [2]error
	if in.Role.Set {
		wrong[0] = checkChoice("role", in.Role.Value, "owner", "moderator", "member")
	}
	if in.State.Set && in.State.Value != "active" {
		wrong[1] = svc.FieldError(svc.InvalidValue, "state", "state can only become active. Delete the member to remove them.")
	}
	switch {
	case in.Role.Set && !c.owner():
		return svc.Errorf(svc.PermissionDenied, "Only an owner may change roles.")
	case in.State.Set && !c.staff():
		return svc.Errorf(svc.PermissionDenied, "Only an owner or a moderator may admit members.")
	case wrong[0] != nil || wrong[1] != nil:
		return svc.Join(wrong[:]...)
	case in.Role.Set && !in.State.Set && !m.active():
		return svc.FieldError(svc.InvalidValue, "role", "They have only asked to join. Admit them first.")
	case in.Role.Set && in.Role.Value != "owner" && m.Member == viewer && c.SoleOwner:
		return errLastOwner
	}
	return nil
}

// RemoveMember takes somebody out of a community, or declines what they ask.
// They need an invitation to come back.
func (s *Service) RemoveCommunityMember(tx *store.Tx, v svc.Viewer, id string, member svc.MemberID) error {
	if member == v.Member() {
		_, err := s.LeaveCommunity(tx, v, id)
		return err
	}
	c, m, err := s.membership(tx, v, id, member)
	if err != nil {
		return err
	}
	if !c.mayRemove(m) {
		return svc.Errorf(svc.PermissionDenied, "Only an owner may remove owners and moderators, and only these may remove members.")
	}
	return s.setMembership(tx, c, member, "removed", "member")
}

// heir is somebody who gets a role in a community.
type heir struct {
	Community string       `db:"community_id"`
	Member    svc.MemberID `db:"member_id"`
}

// setRoles gives them all a role.
func (s *Service) setRoles(tx *store.Tx, role string, heirs ...heir) error {
	pairs := make([][2]any, len(heirs))
	for i, h := range heirs {
		pairs[i] = [2]any{h.Community, h.Member}
	}
	_, err := tx.Exec(s.q.SetRoles, store.Args{"role": role, "members": jsonList(pairs), "now": store.MillisOf(tx.Now())})
	tx.Touch(svc.SocialTopic, store.Everyone)
	return err
}

// leaveAll takes a member who is being deleted out of all communities. One
// that has no owner then gets another, and one that has no members ends.
func (s *Service) leaveAll(tx *store.Tx, member svc.MemberID) error {
	var communities []string
	if err := tx.Select(&communities, s.q.MembershipsOf, store.Args{"member": member}); err != nil {
		return err
	}
	args := store.Args{"member": member, "now": store.MillisOf(tx.Now())}
	for _, q := range []store.Query{s.q.EndMembershipsOf, s.q.RevokeInvitationsOf} {
		if _, err := tx.Exec(q, args); err != nil {
			return err
		}
	}
	if err := s.loosen(tx); err != nil {
		return err
	}
	list := store.Args{"communities": jsonList(communities)}
	if _, err := tx.Exec(s.q.CountMembers, list); err != nil {
		return err
	}
	var deserted []string
	if err := tx.Select(&deserted, s.q.Deserted, list); err != nil {
		return err
	}
	if err := s.dissolve(tx, member, deserted...); err != nil {
		return err
	}
	return s.succeed(tx, list)
}

// succeed gives those of the communities an owner that have none: whoever has
// been a moderator the longest, or else a member, and has not been shut out of
// the house.
func (s *Service) succeed(tx *store.Tx, communities store.Args) error {
	var candidates []heir
	if err := tx.Select(&candidates, s.q.Heirs, communities); err != nil || len(candidates) == 0 {
		return err
	}
	ids := make([]svc.MemberID, len(candidates))
	for i, c := range candidates {
		ids[i] = c.Member
	}
	here, err := s.names(tx, ids...)
	if err != nil {
		return err
	}
	var heirs []heir
	chosen := false // an active member for the last of heirs
	for _, c := range candidates {
		_, active := here[c.Member]
		switch n := len(heirs); {
		case n == 0 || heirs[n-1].Community != c.Community:
			heirs, chosen = append(heirs, c), active
		case active && !chosen:
			heirs[n-1], chosen = c, true
		}
	}
	return s.setRoles(tx, "owner", heirs...)
}
