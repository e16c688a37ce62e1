package social

import (
	"cmp"

	"appliance/store"
	"appliance/svc"
)

// NewCommunity is a community to create.
type NewCommunity struct {
	Name       string              `json:"name"`
	Summary    string              `json:"summary"`
	Visibility CommunityVisibility `json:"visibility"`  // defaults to private
	JoinPolicy JoinPolicy          `json:"join_policy"` // defaults to open for a public, invite for a private community
	Color      svc.Color           `json:"color"`       // defaults to one that depends on the id
}

// CommunityChange is an update of a community.
type CommunityChange struct {
	Name       svc.Optional[string]              `json:"name"`
	Summary    svc.Optional[string]              `json:"summary"`
	Visibility svc.Optional[CommunityVisibility] `json:"visibility"`  // public to private only
	JoinPolicy svc.Optional[JoinPolicy]          `json:"join_policy"` // set to invite when the community becomes private
	Color      svc.Optional[svc.Color]           `json:"color"`       // null for the default
}

// onlyColor reports whether the change contains no field but the color.
func (in CommunityChange) onlyColor() bool {
	return in.Color.Set && !in.Name.Set && !in.Summary.Set && !in.Visibility.Set && !in.JoinPolicy.Set
}

// CreateCommunity creates a community with v as its owner.
func (s *Service) CreateCommunity(tx *store.Tx, v svc.Viewer, in NewCommunity) (Community, error) {
	member, err := v.Require()
	if err != nil {
		return Community{}, err
	}
	c := communityRow{ID: svc.NewID("com"), Name: in.Name, Summary: in.Summary, Color: in.Color, Visibility: cmp.Or(in.Visibility, CommunityPrivate)}
	c.JoinPolicy = JoinOpen
	if c.isPrivate() {
		c.JoinPolicy = JoinInvite
	}
	c.JoinPolicy = cmp.Or(in.JoinPolicy, c.JoinPolicy)
	if err := c.validate(); err != nil {
		return Community{}, err
	}
	if err := s.write(tx, member, s.q.AddCommunity, store.Args{
		"id": c.ID, "name": c.Name, "summary": c.Summary, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "color": c.Color,
		"member": member, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return Community{}, err
	}
	if err := s.setMembership(tx, c, member, MembershipActive, RoleOwner); err != nil {
		return Community{}, err
	}
	a, err := s.communityActivityAudience(tx, c)
	if err != nil {
		return Community{}, err
	}
	if err := s.recordActivity(tx, CommunityCreatedActivity, member, TargetCommunity, c.ID, a); err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, c.ID)
}

// communityActivityAudience returns the audience of activity about a community:
// everyone for a public one, else its members. It adds the audience of the members
// if there is none yet.
func (s *Service) communityActivityAudience(tx *store.Tx, c communityRow) (audienceID, error) {
	members, err := s.communityAudience(tx, c.ID)
	if err != nil || c.isPrivate() {
		return members, err
	}
	return everyoneAudience, nil
}

// UpdateCommunity updates a community that v owns, or the color of a community that v
// moderates. When a community becomes private,
// its members enter each other's inner circles.
func (s *Service) UpdateCommunity(tx *store.Tx, v svc.Viewer, id string, in CommunityChange) (Community, error) {
	old, err := s.community(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	if !old.isOwner() && !(old.isStaff() && in.onlyColor()) {
		return Community{}, svc.Errorf(svc.PermissionDenied, "Only an owner can change this community. Moderators can change its color.")
	}
	c, err := old.apply(in)
	if err != nil {
		return Community{}, err
	}
	if c == old {
		return c.toCommunity(), nil
	}
	now := store.MillisOf(tx.Now())
	if err := s.update(tx, v.Member(), c.CreatedBy, s.q.UpdateCommunity, store.Args{
		"id": id, "name": c.Name, "summary": c.Summary, "visibility": c.Visibility, "join_policy": c.JoinPolicy, "color": c.Color, "now": now,
	}); err != nil {
		return Community{}, err
	}
	if err := s.touchCommunity(tx, c); err != nil {
		return Community{}, err
	}
	if c.isPrivate() && !old.isPrivate() {
		if err := s.restrictToMembers(tx, []string{id}, "requested"); err != nil {
			return Community{}, err
		}
	}
	return s.Community(tx, v, id)
}

// touchCommunity records a change of a community for the members who can see it: all members or,
// for a private community, its members; and the invited members, because invitations show the name.
func (s *Service) touchCommunity(tx *store.Tx, c communityRow) error {
	a, err := s.communityActivityAudience(tx, c)
	if err != nil {
		return err
	}
	if err := s.touchAudience(tx, svc.CommunityUpdated, a); err != nil {
		return err
	}
	var invited []int64
	if err := tx.Select(&invited, s.q.InvitedMembers, store.Args{"community": c.ID, "now": store.MillisOf(tx.Now())}); err != nil {
		return err
	}
	tx.Touch(svc.CommunityUpdated, invited...)
	return nil
}

// apply returns c with the change applied and validated.
func (c communityRow) apply(in CommunityChange) (communityRow, error) {
	old := c
	setOptional(&c.Name, in.Name)
	setOptional(&c.Summary, in.Summary)
	setOptional(&c.Visibility, in.Visibility)
	setOptional(&c.JoinPolicy, in.JoinPolicy)
	setOptional(&c.Color, in.Color)
	if c.isPrivate() && !old.isPrivate() && !in.JoinPolicy.Set {
		c.JoinPolicy = JoinInvite
	}
	if old.isPrivate() && c.Visibility == CommunityPublic {
		return c, svc.FieldError(svc.InvalidValue, "visibility",
			"A private community cannot become public, because its members have relied on its privacy. Create a public community instead.")
	}
	return c, c.validate()
}

// setOptional sets field if the change has a value. A null sets the zero value.
func setOptional[T any](field *T, change svc.Optional[T]) {
	if change.Set {
		*field = change.Value
	}
}

// DeleteCommunity deletes a community that v owns.
func (s *Service) DeleteCommunity(tx *store.Tx, v svc.Viewer, id string) error {
	c, err := s.community(tx, v, id)
	if err != nil {
		return err
	}
	if !c.isOwner() {
		return svc.Errorf(svc.PermissionDenied, "Only an owner can delete this community.")
	}
	return s.deleteCommunities(tx, id)
}

// deleteCommunities marks communities as deleted, deletes their avatars, ends all
// memberships and cancels their events. Conversations have an audience without members until
// [Service.Sweep] deletes them.
func (s *Service) deleteCommunities(tx *store.Tx, ids ...string) error {
	args := store.Args{"communities": store.JSONArray(ids), "now": store.MillisOf(tx.Now())}
	for _, q := range []store.Query{s.q.DeleteCommunities, s.q.RevokeCommunityInvitations} {
		if _, err := tx.Exec(q, args); err != nil {
			return err
		}
	}
	if err := s.deleteAvatars(tx, ids...); err != nil {
		return err
	}
	if err := s.restrictToMembers(tx, ids, "active", "requested"); err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.addFollowUp(tx, followUp{Community: id, Cancelled: true}); err != nil {
			return err
		}
	}
	return nil
}

// restrictToMembers ends the memberships of communities in the given states
// and restricts their activity to the remaining members.
func (s *Service) restrictToMembers(tx *store.Tx, ids []string, endStates ...string) error {
	list := store.JSONArray(ids)
	if _, err := tx.Exec(s.q.EndMemberships, store.Args{
		"communities": list, "states": store.JSONArray(endStates), "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if err := s.circlesShrunk(tx); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.RestrictActivity, store.Args{"communities": list})
	return err
}
