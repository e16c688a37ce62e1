package social

import (
	"math"
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Community is a group of members. Every member sees a public community. A
// private one is visible only to its members, who are in each other's inner
// circles. Schema: service.social.community.
type Community struct {
	ID      string `json:"id"`
	Type    string `json:"type"` // "community"
	Name    string `json:"name"`
	Summary string `json:"summary"`
	svc.Appearance
	Visibility  CommunityVisibility  `json:"visibility"`
	JoinPolicy  JoinPolicy           `json:"join_policy"`
	MemberCount int                  `json:"member_count"` // active members who are not hidden from the viewer
	Membership  Membership           `json:"membership"`
	CreatedBy   svc.MemberID         `json:"created_by"`
	CreatedAt   time.Time            `json:"created_at"`
	UpdatedAt   time.Time            `json:"updated_at"`
	Permissions CommunityPermissions `json:"permissions"`
}

// Membership is the viewer's membership of a community.
type Membership struct {
	State    MembershipState `json:"state"`
	Role     *Role           `json:"role"`      // null unless active
	JoinedAt *time.Time      `json:"joined_at"` // null unless active
}

// CommunityPermissions are the viewer's permissions for a community.
type CommunityPermissions struct {
	CanView   bool `json:"can_view"`
	CanPost   bool `json:"can_post"`
	CanInvite bool `json:"can_invite"`
	CanUpdate bool `json:"can_update"`
	CanDelete bool `json:"can_delete"`

	CanChangeAppearance bool `json:"can_change_appearance"` // color and avatar

	CanJoin  bool `json:"can_join"`  // join, or request to join
	CanLeave bool `json:"can_leave"` // leave, or withdraw a request to join
}

// communityRow is a row of social_community with the membership of one member.
type communityRow struct {
	ID           string              `db:"id"`
	Name         string              `db:"name"`
	Summary      string              `db:"summary"`
	Color        svc.Color           `db:"color"`  // "" for the default
	Avatar       string              `db:"avatar"` // key; "" for none
	Visibility   CommunityVisibility `db:"visibility"`
	JoinPolicy   JoinPolicy          `db:"join_policy"`
	CreatedBy    svc.MemberID        `db:"created_by"`
	CreatedAt    store.Millis        `db:"created_at"`
	UpdatedAt    store.Millis        `db:"updated_at"`
	MemberCount  int                 `db:"member_count"`
	State        MembershipState     `db:"state"` // of the membership
	Role         Role                `db:"role"`
	JoinedAt     *store.Millis       `db:"joined_at"`
	InvitedUntil store.Millis        `db:"invited_until"` // expiry of a pending invitation, 0 for none
	SoleOwner    bool                `db:"sole_owner"`    // the member is the only owner
}

type communityQueries struct {
	ListCommunities    store.Query `sql:"list-communities"`
	Communities        store.Query `sql:"communities"`
	AddCommunity       store.Query `sql:"add-community"`
	UpdateCommunity    store.Query `sql:"update-community"`
	DeleteCommunities  store.Query `sql:"delete-communities"`
	UpdateMemberCounts store.Query `sql:"update-member-counts"`
	RestrictActivity   store.Query `sql:"restrict-activity"`
	EmptyCommunities   store.Query `sql:"empty-communities"`
	SharedCommunities  store.Query `sql:"shared-communities"`
	MemberRole         store.Query `sql:"member-role"`
}

func (c communityRow) isPrivate() bool { return c.Visibility == CommunityPrivate }
func (c communityRow) isInvited() bool { return c.InvitedUntil > 0 }
func (c communityRow) isActive() bool  { return c.State == MembershipActive }
func (c communityRow) isOwner() bool   { return c.isActive() && c.Role == RoleOwner }
func (c communityRow) isStaff() bool   { return c.isActive() && c.Role != RoleMember }

func (c communityRow) toCommunity() Community {
	result := Community{
		ID: c.ID, Type: "community", Name: c.Name, Summary: c.Summary, Appearance: svc.CommunityAppearance(c.ID, c.Color, c.Avatar), Visibility: c.Visibility, JoinPolicy: c.JoinPolicy,
		MemberCount: c.MemberCount, Membership: Membership{State: c.State},
		CreatedBy: c.CreatedBy, CreatedAt: c.CreatedAt.Timestamp(), UpdatedAt: c.UpdatedAt.Timestamp(),
		Permissions: CommunityPermissions{
			CanView: true, CanPost: c.isActive(), CanInvite: c.isStaff(), CanUpdate: c.isOwner(), CanDelete: c.isOwner(), CanChangeAppearance: c.isStaff(),
			CanJoin:  !c.isActive() && c.checkJoin() == nil && (c.isInvited() || c.JoinPolicy == JoinOpen || c.State != MembershipRequested),
			CanLeave: c.isActive() && !c.SoleOwner || c.State == MembershipRequested,
		},
	}
	switch {
	case c.isActive():
		result.Membership = Membership{c.State, &c.Role, store.OptionalTimestamp(c.JoinedAt)}
	case c.isInvited():
		result.Membership.State = MembershipInvited
	}
	return result
}

// validate checks the fields that members set.
func (c communityRow) validate() error {
	err := svc.Join(
		svc.CheckName("name", c.Name),
		svc.CheckText("summary", c.Summary, svc.MaxSummary),
		svc.CheckChosen("visibility", c.Visibility),
		svc.CheckChosen("join_policy", c.JoinPolicy),
	)
	if err == nil && c.isPrivate() && c.JoinPolicy != JoinInvite {
		return svc.FieldError(svc.InvalidValue, "join_policy", "A private community is invitation-only.")
	}
	return err
}

// createdCursor is a position in a list ordered by creation time, newest first.
type createdCursor struct {
	At store.Millis `json:"at"`
	ID string       `json:"id"`
}

// firstPageCursor is the cursor of the first page.
var firstPageCursor = createdCursor{At: math.MaxInt64}

// Communities returns the communities that v sees, newest first. If mine is true, it returns only
// communities of which v is a member.
func (s *Service) Communities(tx *store.Tx, v svc.Viewer, mine bool, q svc.PageQuery) ([]Community, svc.Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "social.communities", v, mine)
	after := firstPageCursor
	limit, err := q.Decode(cursors, &after)
	if err != nil {
		return nil, svc.Page{}, err
	}
	var listed []struct {
		ID string       `db:"id"`
		At store.Millis `db:"created_at"`
	}
	if err := tx.Select(&listed, s.q.ListCommunities, store.Args{
		"member": v.Member(), "mine": mine, "at": after.At, "id": after.ID, "limit": limit + 1,
	}); err != nil {
		return nil, svc.Page{}, err
	}
	ids := make([]string, len(listed))
	for i, l := range listed {
		ids[i] = l.ID
	}
	rows, err := s.communityRows(tx, v, ids...)
	if err != nil {
		return nil, svc.Page{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(c communityRow) any { return createdCursor{c.CreatedAt, c.ID} })
	list := make([]Community, len(rows))
	for i, row := range rows {
		list[i] = row.toCommunity()
	}
	return list, page, nil
}

// Community returns a community that v sees.
func (s *Service) Community(tx *store.Tx, v svc.Viewer, id string) (Community, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	return c.toCommunity(), nil
}

// CommunitiesByID returns the communities among ids that v sees.
func (s *Service) CommunitiesByID(tx *store.Tx, v svc.Viewer, ids ...string) ([]Community, error) {
	slices.Sort(ids)
	rows, err := s.communityRows(tx, v, slices.Compact(ids)...)
	list := make([]Community, len(rows))
	for i, row := range rows {
		list[i] = row.toCommunity()
	}
	return list, err
}

// community reads a community that v sees.
func (s *Service) community(tx *store.Tx, v svc.Viewer, id string) (communityRow, error) {
	rows, err := s.communityRows(tx, v, id)
	if err != nil {
		return communityRow{}, err
	}
	if len(rows) == 0 {
		return communityRow{}, svc.Errorf(svc.NotFound, "There is no such community.")
	}
	return rows[0], nil
}

// communityRows reads the communities among ids that v sees.
func (s *Service) communityRows(tx *store.Tx, v svc.Viewer, ids ...string) ([]communityRow, error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	hidden, err := s.Hidden(tx, member)
	if err != nil {
		return nil, err
	}
	return s.visibleCommunities(tx, view{member: member, hiddenList: store.JSONArray(hidden)}, ids...)
}

// visibleCommunities reads the communities among ids that the member sees. The view needs only
// member and hiddenList.
func (s *Service) visibleCommunities(tx *store.Tx, w view, ids ...string) (rows []communityRow, err error) {
	err = tx.Select(&rows, s.q.Communities, store.Args{
		"ids": store.JSONArray(ids), "member": w.member, "hidden": w.hiddenList, "now": store.MillisOf(tx.Now()),
	})
	return rows, err
}

// memberRole returns the role of member in a community that they can see, ""
// if they are not in it. It returns a no-rows error if they cannot see it.
func (s *Service) memberRole(tx *store.Tx, community string, member svc.MemberID) (role Role, err error) {
	err = tx.Get(&role, s.q.MemberRole, store.Args{"community": community, "member": member})
	return role, err
}

// sharedCommunities returns the communities that the viewer shares with each
// of others.
func (s *Service) sharedCommunities(tx *store.Tx, w view, others ...svc.MemberID) (map[svc.MemberID][]string, error) {
	var rows []struct {
		Member    svc.MemberID `db:"member_id"`
		Community string       `db:"community_id"`
	}
	err := tx.Select(&rows, s.q.SharedCommunities, store.Args{"member": w.member, "others": store.JSONArray(others)})
	shared := make(map[svc.MemberID][]string)
	for _, row := range rows {
		shared[row.Member] = append(shared[row.Member], row.Community)
	}
	return shared, err
}
