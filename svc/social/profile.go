package social

import (
	"encoding/json"
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Profile is the profile of a member, with their relation to the viewer.
// Schema: service.social.profile.
type Profile struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
	ProfileDetails
	Circle            *CircleRef         `json:"circle"`    // the viewer's circle that the member is in, null for none
	LastSeen          *time.Time         `json:"last_seen"` // the minute in which the member last set or renewed their presence; null while they are present, and if they do not show it to the viewer
	SharedCommunities svc.List[string]   `json:"shared_communities"`
	Permissions       ProfilePermissions `json:"permissions"`
}

// ProfileDetails is the part of a profile that its member writes.
type ProfileDetails struct {
	Bio          string                `json:"bio"`
	Pronouns     string                `json:"pronouns"`
	Links        svc.List[ProfileLink] `json:"links"`
	Visibility   ProfileVisibility     `json:"visibility"`
	ShowLastSeen bool                  `json:"show_last_seen"` // show last_seen to the members who see the presence; false by default
	UpdatedAt    *time.Time            `json:"updated_at"`     // null until the first change
}

// ProfileLink is a link in a profile.
type ProfileLink struct {
	Label string `json:"label"`
	URL   string `json:"url"` // http or https
}

// ProfilePermissions are the viewer's permissions for a profile.
type ProfilePermissions struct {
	CanView   bool `json:"can_view"`
	CanUpdate bool `json:"can_update"`
	CanDM     bool `json:"can_dm"`
}

type profileQueries struct {
	Profiles       store.Query `sql:"profiles"`
	HiddenProfiles store.Query `sql:"hidden-profiles"`
	PutProfile     store.Query `sql:"put-profile"`
	DeleteProfile  store.Query `sql:"delete-profile"`
}

// defaultDetails are the details of a member who has not written any.
var defaultDetails = ProfileDetails{Visibility: ProfileMembers}

// Profile returns the profile of a member, which may be v.
func (s *Service) Profile(tx *store.Tx, v svc.Viewer, member svc.MemberID) (Profile, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return Profile{}, err
	}
	list, err := s.profiles(tx, w, member)
	if err == nil && len(list) == 0 {
		err = svc.Errorf(svc.NotFound, "There is no such member.")
	}
	if err != nil {
		return Profile{}, err
	}
	seen, err := s.lastSeen(tx, w, []svc.MemberID{member})
	list[0].LastSeen = seen[member]
	return list[0], err
}

// profiles returns the profiles of those members who are active and whom the
// viewer sees.
func (s *Service) profiles(tx *store.Tx, w view, members ...svc.MemberID) ([]Profile, error) {
	names, err := s.names(tx, w.language, members...)
	if err != nil {
		return nil, err
	}
	details, err := s.profileDetails(tx, w.audienceList, members...)
	if err != nil {
		return nil, err
	}
	shared, err := s.sharedCommunities(tx, w, members...)
	if err != nil {
		return nil, err
	}
	grounds, err := s.commonGrounds(tx, w, members...)
	list := make([]Profile, 0, len(members))
	for _, m := range members {
		d := details[m]
		if !names.has(m) || !d.visible || w.hides(m) {
			continue
		}
		_, canDM := grounds[m]
		list = append(list, Profile{
			MemberID: m, DisplayName: names.people[m].DisplayName, Appearance: names.people[m].Appearance, ProfileDetails: d.ProfileDetails,
			Circle: w.circleRef(m), SharedCommunities: shared[m],
			Permissions: ProfilePermissions{CanView: true, CanUpdate: m == w.member, CanDM: canDM},
		})
	}
	return list, err
}

// detailsWithVisibility contains profile details and whether a viewer sees them.
type detailsWithVisibility struct {
	ProfileDetails
	visible bool
}

// profileDetails reads the details of members, and whether they are visible to
// a viewer who is in audiences, a list for json_each.
func (s *Service) profileDetails(tx *store.Tx, audiences string, members ...svc.MemberID) (map[svc.MemberID]detailsWithVisibility, error) {
	var rows []struct {
		Member       svc.MemberID      `db:"member_id"`
		Bio          string            `db:"bio"`
		Pronouns     string            `db:"pronouns"`
		Links        []byte            `db:"links"`
		Visibility   ProfileVisibility `db:"visibility"`
		ShowLastSeen bool              `db:"show_last_seen"`
		UpdatedAt    store.Millis      `db:"updated_at"`
		Visible      bool              `db:"visible"`
	}
	err := tx.Select(&rows, s.q.Profiles, store.Args{"members": store.JSONArray(members), "audiences": audiences})
	if err != nil {
		return nil, err
	}
	list := make(map[svc.MemberID]detailsWithVisibility, len(members))
	for _, m := range members {
		list[m] = detailsWithVisibility{defaultDetails, true}
	}
	for _, row := range rows {
		d := ProfileDetails{Bio: row.Bio, Pronouns: row.Pronouns, Visibility: row.Visibility, ShowLastSeen: row.ShowLastSeen, UpdatedAt: new(row.UpdatedAt.Timestamp())}
		if err := json.Unmarshal(row.Links, &d.Links); err != nil {
			return nil, fmt.Errorf("links of member %v: %w", row.Member, err)
		}
		list[row.Member] = detailsWithVisibility{d, row.Visible}
	}
	return list, nil
}

// ProfileDetails returns the details of a member for the member themselves.
func (s *Service) ProfileDetails(tx *store.Tx, member svc.MemberID) (ProfileDetails, error) {
	details, err := s.profileDetails(tx, "[]", member)
	return details[member].ProfileDetails, err
}
