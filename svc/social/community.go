package social

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Community is a group of members. A public one is there for every member of
// the house to see; a private one for its own, and these are close to one
// another. Schema: service.social.community.
type Community struct {
	ID          string               `json:"id"`
	Type        string               `json:"type"` // "community"
	Name        string               `json:"name"`
	Summary     string               `json:"summary"`
	Visibility  string               `json:"visibility"`   // "public" or "private"
	JoinPolicy  string               `json:"join_policy"`  // "open", "request" or "invite"
	MemberCount int                  `json:"member_count"` // the active ones, without whoever is hidden from the viewer
	Membership  Membership           `json:"membership"`
	CreatedBy   svc.MemberID         `json:"created_by"`
	CreatedAt   time.Time            `json:"created_at"`
	UpdatedAt   time.Time            `json:"updated_at"`
	Permissions CommunityPermissions `json:"permissions"`
}

// Membership is what the viewer is to a community.
type Membership struct {
	State    string     `json:"state"`     // "none", "requested", "invited", "active", "left" or "removed"
	Role     *string    `json:"role"`      // "owner", "moderator" or "member"; null unless active
	JoinedAt *time.Time `json:"joined_at"` // null unless active
}

// CommunityPermissions are what the viewer may do about a community.
type CommunityPermissions struct {
	CanView   bool `json:"can_view"`
	CanPost   bool `json:"can_post"`
	CanInvite bool `json:"can_invite"`
	CanUpdate bool `json:"can_update"`
	CanDelete bool `json:"can_delete"`
	CanJoin   bool `json:"can_join"`  // or ask to
	CanLeave  bool `json:"can_leave"` // or take back that they asked to join
}

// NewCommunity is what a member says of a community to make.
type NewCommunity struct {
	Name       string `json:"name"`
	Summary    string `json:"summary"`
	Visibility string `json:"visibility"`  // "" for private
	JoinPolicy string `json:"join_policy"` // "" for open if it is public
}

// CommunityChange is what an owner changes about a community.
type CommunityChange struct {
	Name       svc.Optional[string] `json:"name"`
	Summary    svc.Optional[string] `json:"summary"`
	Visibility svc.Optional[string] `json:"visibility"`  // public may become private, never the other way round
	JoinPolicy svc.Optional[string] `json:"join_policy"` // becomes "invite" with a community that becomes private
}

// communityRow is a row of social_community as one member sees it.
type communityRow struct {
	ID           string        `db:"id"`
	Name         string        `db:"name"`
	Summary      string        `db:"summary"`
	Visibility   string        `db:"visibility"`
	JoinPolicy   string        `db:"join_policy"`
	CreatedBy    svc.MemberID  `db:"created_by"`
	CreatedAt    store.Millis  `db:"created_at"`
	UpdatedAt    store.Millis  `db:"updated_at"`
	MemberCount  int           `db:"member_count"`
	State        string        `db:"state"` // of their membership, "none" if there never was any
	Role         string        `db:"role"`
	JoinedAt     *store.Millis `db:"joined_at"`
	InvitedUntil store.Millis  `db:"invited_until"` // 0 if they are not
	SoleOwner    bool          `db:"sole_owner"`
}

func (c communityRow) private() bool { return c.Visibility == "private" }
func (c communityRow) invited() bool { return c.InvitedUntil > 0 }
func (c communityRow) active() bool  { return c.State == "active" }
func (c communityRow) owner() bool   { return c.active() && c.Role == "owner" }
func (c communityRow) staff() bool   { return c.active() && c.Role != "member" }

func (c communityRow) community() Community {
	shown := Community{
		ID: c.ID, Type: "community", Name: c.Name, Summary: c.Summary, Visibility: c.Visibility, JoinPolicy: c.JoinPolicy,
		MemberCount: c.MemberCount, Membership: Membership{State: c.State},
		CreatedBy: c.CreatedBy, CreatedAt: c.CreatedAt.Timestamp(), UpdatedAt: c.UpdatedAt.Timestamp(),
		Permissions: CommunityPermissions{
			CanView: true, CanPost: c.active(), CanInvite: c.staff(), CanUpdate: c.owner(), CanDelete: c.owner(),
			CanJoin:  !c.active() && c.mayJoin() == nil && (c.invited() || c.JoinPolicy == "open" || c.State != "requested"),
			CanLeave: c.active() && !c.SoleOwner || c.State == "requested",
		},
	}
	switch {
	case c.active():
		joined := c.JoinedAt.Timestamp()
		shown.Membership = Membership{c.State, &c.Role, &joined}
	case c.invited():
		shown.Membership.State = "invited"
	}
	return shown
}

// check reports what a community cannot be like.
func (c communityRow) check() error {
	err := svc.Join(
		svc.CheckName("name", c.Name),
		svc.CheckText("summary", c.Summary, svc.MaxSummary),
		checkChoice("visibility", c.Visibility, "public", "private"),
		checkChoice("join_policy", c.JoinPolicy, "open", "request", "invite"),
	)
	if err == nil && c.private() && c.JoinPolicy != "invite" {
		return svc.FieldError(svc.InvalidValue, "join_policy", "A private community is joined by invitation only.")
	}
	return err
}

// checkChoice checks a value that is one of a few.
func checkChoice(field, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	last := len(choices) - 1
	return svc.FieldError(svc.InvalidValue, field, "%s must be %s or %s.", field, strings.Join(choices[:last], ", "), choices[last])
}

// pageEnd is where a page of a list ends that begins with the newest.
type pageEnd struct {
	At store.Millis `json:"at"`
	ID string       `json:"id"`
}

// newest is before all there is.
var newest = pageEnd{At: math.MaxInt64}

// ListQuery selects a page of a list.
type ListQuery struct {
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// read returns the page's size, and reads into end where the one before ended.
func (q ListQuery) read(c svc.Cursors, end any) (int, error) {
	limit, err := svc.PageLimit(q.Limit)
	return limit, svc.Join(err, c.Decode(q.Cursor, end))
}

// Communities lists the communities that v sees, or their own alone, the
// newest first.
func (s *Service) Communities(tx *store.Tx, v svc.Viewer, mine bool, q ListQuery) ([]Community, svc.Page, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "social.communities", v)
	after := newest
	limit, err := q.read(cursors, &after)
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
	rows, page := svc.CutPage(cursors, rows, limit, func(c communityRow) any { return pageEnd{c.CreatedAt, c.ID} })
	list := make([]Community, len(rows))
	for i, row := range rows {
		list[i] = row.community()
	}
	return list, page, nil
}

// Community returns a community that v sees.
func (s *Service) Community(tx *store.Tx, v svc.Viewer, id string) (Community, error) {
	c, err := s.community(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	return c.community(), nil
}

var errNoCommunity = svc.Errorf(svc.NotFound, "There is no such community.")

// community reads a community that v sees.
func (s *Service) community(tx *store.Tx, v svc.Viewer, id string) (communityRow, error) {
	rows, err := s.communityRows(tx, v, id)
	if err != nil {
		return communityRow{}, err
	}
	if len(rows) == 0 {
		return communityRow{}, errNoCommunity
	}
	return rows[0], nil
}

// communityRows reads those of the communities that v sees.
func (s *Service) communityRows(tx *store.Tx, v svc.Viewer, ids ...string) (rows []communityRow, err error) {
	member, err := v.Require()
	if err != nil {
		return nil, err
	}
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, err
	}
	return s.seenCommunities(tx, view{member: member, hiding: jsonList(hidden)}, ids...)
}

// seenCommunities reads those of the communities that the member sees. Of the
// view it needs who they are and whom they do not meet.
func (s *Service) seenCommunities(tx *store.Tx, w view, ids ...string) (rows []communityRow, err error) {
	err = tx.Select(&rows, s.q.Communities, store.Args{
		"ids": jsonList(ids), "member": w.member, "hidden": w.hiding, "now": store.MillisOf(tx.Now()),
	})
	return rows, err
}

// CreateCommunity makes a community of which v is the owner.
func (s *Service) CreateCommunity(tx *store.Tx, v svc.Viewer, in NewCommunity) (Community, error) {
	member, err := v.Require()
	if err != nil {
		return Community{}, err
	}
	c := communityRow{ID: svc.NewID("com"), Name: in.Name, Summary: in.Summary, Visibility: cmp.Or(in.Visibility, "private")}
	c.JoinPolicy = "open"
	if c.private() {
		c.JoinPolicy = "invite"
	}
	c.JoinPolicy = cmp.Or(in.JoinPolicy, c.JoinPolicy)
	if err := c.check(); err != nil {
		return Community{}, err
	}
	if _, err := tx.Exec(s.q.AddCommunity, store.Args{
		"id": c.ID, "name": c.Name, "summary": c.Summary, "visibility": c.Visibility, "join_policy": c.JoinPolicy,
		"member": member, "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return Community{}, err
	}
	if err := s.setMembership(tx, c, member, "active", "owner"); err != nil {
		return Community{}, err
	}
	a, err := s.shownTo(tx, c)
	if err != nil {
		return Community{}, err
	}
	if err := s.record(tx, "community.created", member, "community", c.ID, a); err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, c.ID)
}

// shownTo is the audience of a community and of what happens to it.
func (s *Service) shownTo(tx *store.Tx, c communityRow) (audience, error) {
	members, err := s.ofCommunity(tx, c.ID)
	if err != nil || c.private() {
		return members, err
	}
	return everybody, nil
}

// UpdateCommunity changes a community that v owns. One that becomes private
// brings its members close to one another from then on.
func (s *Service) UpdateCommunity(tx *store.Tx, v svc.Viewer, id string, in CommunityChange) (Community, error) {
	was, err := s.community(tx, v, id)
	if err != nil {
		return Community{}, err
	}
	if !was.owner() {
		return Community{}, svc.Errorf(svc.PermissionDenied, "Only an owner may change the community.")
	}
	c := was
	for _, f := range []struct {
		to   *string
		from svc.Optional[string]
	}{{&c.Name, in.Name}, {&c.Summary, in.Summary}, {&c.Visibility, in.Visibility}, {&c.JoinPolicy, in.JoinPolicy}} {
		if f.from.Set {
			*f.to = f.from.Value
		}
	}
	turned := c.private() && !was.private()
	if turned && !in.JoinPolicy.Set {
		c.JoinPolicy = "invite"
	}
	if was.private() && c.Visibility == "public" {
		return Community{}, svc.FieldError(svc.InvalidValue, "visibility",
			"A private community stays private: its members have trusted in that. Make a public one beside it.")
	}
	if err := c.check(); err != nil {
		return Community{}, err
	}
	if c == was {
		return c.community(), nil
	}
	if _, err := tx.Exec(s.q.SaveCommunity, store.Args{
		"id": id, "name": c.Name, "summary": c.Summary, "visibility": c.Visibility, "join_policy": c.JoinPolicy,
		"now": store.MillisOf(tx.Now()),
	}); err != nil {
		return Community{}, err
	}
	a, err := s.shownTo(tx, c)
	if err == nil {
		err = s.touchSocial(tx, a)
	}
	var invited []int64
	if err == nil {
		err = tx.Select(&invited, s.q.InvitedInto, store.Args{"community": id, "now": store.MillisOf(tx.Now())})
	}
	tx.Touch(svc.SocialTopic, invited...) // who are told what it is called
	if err == nil && turned {
		err = s.enclose(tx, []string{id}, "requested")
	}
	if err != nil {
		return Community{}, err
	}
	return s.Community(tx, v, id)
}

// DeleteCommunity ends a community that v owns.
func (s *Service) DeleteCommunity(tx *store.Tx, v svc.Viewer, id string) error {
	c, err := s.community(tx, v, id)
	if err != nil {
		return err
	}
	if !c.owner() {
		return svc.Errorf(svc.PermissionDenied, "Only an owner may delete the community.")
	}
	return s.dissolve(tx, v.Member(), id)
}

// dissolve ends communities, and cancels what is planned there. What was said
// there stays, for an audience that nobody is in.
func (s *Service) dissolve(tx *store.Tx, by svc.MemberID, communities ...string) error {
	args := store.Args{"communities": jsonList(communities), "now": store.MillisOf(tx.Now())}
	for _, q := range []store.Query{s.q.DeleteCommunities, s.q.RevokeInvitationsInto} {
		if _, err := tx.Exec(q, args); err != nil {
			return err
		}
	}
	if err := s.enclose(tx, communities, "active", "requested"); err != nil {
		return err
	}
	return s.cancelAll(tx, by, communities...)
}

// enclose takes communities out of sight of everybody but their members, and
// ends the memberships that are in those states.
func (s *Service) enclose(tx *store.Tx, communities []string, states ...string) error {
	list := jsonList(communities)
	if _, err := tx.Exec(s.q.EndMemberships, store.Args{
		"communities": list, "states": jsonList(states), "now": store.MillisOf(tx.Now()),
	}); err != nil {
		return err
	}
	if err := s.loosen(tx); err != nil {
		return err
	}
	_, err := tx.Exec(s.q.EncloseActivity, store.Args{"communities": list})
	return err
}
