package social

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"appliance/store"
	"appliance/svc"
)

// Profile is a member as they show themselves, and how the viewer stands to
// them (B-68). Schema: service.social.profile.
type Profile struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	ProfileDetails
	Avatar            *string            `json:"avatar"` // null: there are none
	Circle            *CircleRef         `json:"circle"` // of the viewer's, null if the member is in none
	SharedCommunities svc.List[string]   `json:"shared_communities"`
	Permissions       ProfilePermissions `json:"permissions"`
}

// ProfileDetails is what a member says of themselves.
type ProfileDetails struct {
	Bio        string                `json:"bio"`
	Pronouns   string                `json:"pronouns"`
	Links      svc.List[ProfileLink] `json:"links"`
	Visibility string                `json:"visibility"` // "circle", "members" or "public"
	UpdatedAt  *time.Time            `json:"updated_at"` // null if they have said nothing
}

// ProfileLink is an address that a member shows.
type ProfileLink struct {
	Label string `json:"label"`
	URL   string `json:"url"` // http or https
}

// CircleRef names one of the viewer's circles.
type CircleRef struct {
	Depth int    `json:"depth"` // 1 to 3
	Name  string `json:"name"`
}

// ProfilePermissions are what a viewer can do about a member.
type ProfilePermissions struct {
	CanView   bool `json:"can_view"` // the profile
	CanUpdate bool `json:"can_update"`
	CanDM     bool `json:"can_dm"`
}

// ProfileChange is what a member changes about their profile. null takes it
// back; the display name has nothing to go back to.
type ProfileChange struct {
	DisplayName *string                             `json:"display_name"`
	Bio         svc.Optional[string]                `json:"bio"`
	Pronouns    svc.Optional[string]                `json:"pronouns"`
	Links       svc.Optional[svc.List[ProfileLink]] `json:"links"`
	Visibility  svc.Optional[string]                `json:"visibility"`
}

// MaxBio bounds what a member says of themselves, in code points.
const MaxBio = 2000

// Bounds of the rest of a profile, in code points and links; a URL has octets.
const (
	maxPronouns = 80
	maxLinks    = 10
	maxURL      = 2048
)

// silence is what those say of themselves who have said nothing.
var silence = ProfileDetails{Visibility: "members"}

func errNoMember() error { return svc.Errorf(svc.NotFound, "There is no such member.") }

// ref names the circle that a member is in, nil if they are in none.
func (c *circles) ref(m svc.MemberID) *CircleRef {
	depth := c.depth(m)
	if depth == 0 {
		return nil
	}
	return &CircleRef{depth, circleNames[depth]}
}

// Profile returns a member's profile, v's own for v.
func (s *Service) Profile(tx *store.Tx, v svc.Viewer, member svc.MemberID) (Profile, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Profile{}, err
	}
	list, err := s.profiles(tx, w, member)
	if err == nil && len(list) == 0 {
		err = errNoMember()
	}
	if err != nil {
		return Profile{}, err
	}
	return list[0], nil
}

// profiles returns those of the members that the viewer sees.
func (s *Service) profiles(tx *store.Tx, w view, members ...svc.MemberID) ([]Profile, error) {
	names, err := s.names(tx, members...)
	if err != nil {
		return nil, err
	}
	said, err := s.said(tx, w.audiences, members...)
	if err != nil {
		return nil, err
	}
	shared, err := s.shared(tx, w, members...)
	if err != nil {
		return nil, err
	}
	ties, err := s.ties(tx, w, members...)
	list := make([]Profile, 0, len(members))
	for _, m := range members {
		about := said[m]
		if _, active := names[m]; !active || !about.visible || w.hides(m) {
			continue
		}
		_, tied := ties[m]
		list = append(list, Profile{
			MemberID: m, DisplayName: names.of(m).DisplayName, ProfileDetails: about.ProfileDetails, Circle: w.circles.ref(m), SharedCommunities: shared[m],
			Permissions: ProfilePermissions{CanView: true, CanUpdate: m == w.member, CanDM: tied},
		})
	}
	return list, err
}

// saying is what a member says of themselves, and whether a viewer may see it.
type saying struct {
	ProfileDetails
	visible bool
}

// said reads what members say of themselves, and whether somebody who is in
// those audiences may see it.
func (s *Service) said(tx *store.Tx, audiences string, members ...svc.MemberID) (map[svc.MemberID]saying, error) {
	var rows []struct {
		Member     svc.MemberID `db:"member_id"`
		Bio        string       `db:"bio"`
		Pronouns   string       `db:"pronouns"`
		Links      []byte       `db:"links"`
		Visibility string       `db:"visibility"`
		UpdatedAt  store.Millis `db:"updated_at"`
		Visible    bool         `db:"visible"`
	}
	err := tx.Select(&rows, s.q.Profiles, store.Args{"members": jsonList(members), "audiences": audiences})
	if err != nil {
		return nil, err
	}
	list := make(map[svc.MemberID]saying, len(members))
	for _, m := range members {
		list[m] = saying{silence, true}
	}
	for _, row := range rows {
		about := ProfileDetails{Bio: row.Bio, Pronouns: row.Pronouns, Visibility: row.Visibility, UpdatedAt: new(row.UpdatedAt.Timestamp())}
		if err := json.Unmarshal(row.Links, &about.Links); err != nil {
			return nil, fmt.Errorf("links of member %v: %w", row.Member, err)
		}
		list[row.Member] = saying{about, row.Visible}
	}
	return list, nil
}

// About returns what a member says of themselves, to themselves.
func (s *Service) ProfileDetails(tx *store.Tx, member svc.MemberID) (ProfileDetails, error) {
	said, err := s.said(tx, "[]", member)
	return said[member].ProfileDetails, err
}

// shared returns the communities that the viewer shares with each of others.
func (s *Service) shared(tx *store.Tx, w view, others ...svc.MemberID) (map[svc.MemberID][]string, error) {
	var rows []struct {
		Member    svc.MemberID `db:"member_id"`
		Community string       `db:"community_id"`
	}
	err := tx.Select(&rows, s.q.SharedCommunities, store.Args{"member": w.member, "others": jsonList(others)})
	shared := make(map[svc.MemberID][]string)
	for _, row := range rows {
		shared[row.Member] = append(shared[row.Member], row.Community)
	}
	return shared, err
}

// UpdateProfile changes what v says of themselves.
func (s *Service) UpdateProfile(tx *store.Tx, v svc.Viewer, c ProfileChange) (Profile, error) {
	member, err := v.Require()
	if err != nil {
		return Profile{}, err
	}
	about, err := s.ProfileDetails(tx, member)
	if err != nil {
		return Profile{}, err
	}
	settle(&about.Bio, c.Bio, silence.Bio)
	settle(&about.Pronouns, c.Pronouns, silence.Pronouns)
	settle(&about.Links, c.Links, silence.Links)
	settle(&about.Visibility, c.Visibility, silence.Visibility)
	var rename error
	if c.DisplayName != nil {
		rename = s.directory.Rename(tx, v, *c.DisplayName)
	}
	if err := svc.Join(rename, about.check()); err != nil {
		return Profile{}, err
	}
	if c.Bio.Set || c.Pronouns.Set || c.Links.Set || c.Visibility.Set {
		if err := s.putProfile(tx, member, about); err != nil {
			return Profile{}, err
		}
	}
	return s.Profile(tx, v, member)
}

func (s *Service) putProfile(tx *store.Tx, member svc.MemberID, a ProfileDetails) (err error) {
	shown := everybody
	if a.Visibility == "circle" {
		if shown, err = s.ofCircle(tx, member, MaxDepth); err != nil {
			return err
		}
	}
	links, err := svc.EncodeJSON(a.Links)
	if err != nil {
		return err
	}
	tx.Touch(svc.SocialTopic, store.Everyone)
	_, err = tx.Exec(s.q.PutProfile, store.Args{
		"member": member, "bio": a.Bio, "pronouns": a.Pronouns, "links": string(links), "visibility": a.Visibility,
		"audience": shown, "now": store.MillisOf(tx.Now()),
	})
	return err
}

// settle applies a change to a field; usual is what it has if nobody says.
func settle[T any](field *T, change svc.Optional[T], usual T) {
	switch {
	case change.Null:
		*field = usual
	case change.Set:
		*field = change.Value
	}
}

// check reports all that is wrong with it.
func (a ProfileDetails) check() error {
	wrong := []error{
		svc.CheckText("bio", a.Bio, MaxBio), optionalLine("pronouns", a.Pronouns, maxPronouns),
		oneOf("visibility", a.Visibility, "circle", "members", "public"),
	}
	if len(a.Links) > maxLinks {
		e := svc.FieldError(svc.TooLong, "links", "links may have up to %d items.", maxLinks)
		e.Fields[0].Max = maxLinks
		return svc.Join(append(wrong, e)...)
	}
	for i, l := range a.Links {
		wrong = append(wrong, l.check(i))
	}
	return svc.Join(wrong...)
}

// check reports what is wrong with the link at that place of the list.
func (l ProfileLink) check(i int) error {
	at := fmt.Sprintf("links.%d.", i)
	err := svc.CheckName(at+"label", l.Label)
	if strings.TrimSpace(l.URL) == "" {
		return pointed(svc.Join(err, svc.Required(at+"url")))
	}
	if len(l.URL) > maxURL {
		e := svc.FieldError(svc.TooLong, at+"url", "A URL may have up to %d bytes.", maxURL)
		e.Fields[0].Max = maxURL
		return pointed(svc.Join(err, e))
	}
	// What hides where a link leads has no place in one.
	u, errURL := url.Parse(l.URL)
	if errURL != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
		strings.ContainsFunc(l.URL, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
		return pointed(svc.Join(err, svc.FieldError(svc.InvalidValue, at+"url", "A URL must begin with http:// or https:// and name a host.")))
	}
	return pointed(err)
}

// pointed has the fields of an error, whose names have dots, point into the
// body.
func pointed(err error) error {
	if e, ok := err.(*svc.Error); ok {
		for i, f := range e.Fields {
			e.Fields[i].Pointer = "/" + strings.ReplaceAll(f.Name, ".", "/")
		}
	}
	return err
}

// optionalLine checks a text of one line, which may be empty.
func optionalLine(field, text string, max int) error {
	if text == "" {
		return nil
	}
	return svc.CheckLine(field, text, max)
}

// oneOf checks a word that must be one of a few.
func oneOf(field, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return svc.FieldError(svc.InvalidValue, field, "%s must be one of %s.", field, strings.Join(values, ", "))
}
