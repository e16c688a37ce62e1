package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// audienceID identifies a row of social_audience.
type audienceID int64

// everyoneAudience is the audience of all members.
const everyoneAudience audienceID = 1

type audienceQueries struct {
	MemberAudiences   store.Query `sql:"member-audiences"`
	AudienceMembers   store.Query `sql:"audience-members"`
	AudienceCircle    store.Query `sql:"audience-circle"`
	AudienceFilter    store.Query `sql:"audience-filter"`
	CommunityAudience store.Query `sql:"community-audience"`
	CircleAudience    store.Query `sql:"circle-audience"`
	AddAudience       store.Query `sql:"add-audience"`
	AddGuests         store.Query `sql:"add-guests"`
	RemoveGuest       store.Query `sql:"remove-guest"`
	DeleteGuestRows   store.Query `sql:"delete-guest-rows"`
	DeleteGuestList   store.Query `sql:"delete-guest-list"`
}

// communityAudience returns the audience of a community's active members. It
// adds the audience if there is none yet.
func (s *Service) communityAudience(tx *store.Tx, community string) (id audienceID, err error) {
	err = tx.Get(&id, s.q.CommunityAudience, store.Args{"community": community})
	if store.IsNoRows(err) {
		return s.addAudience(tx, "community", community, nil, nil)
	}
	return id, err
}

// circleAudience returns the audience of a member and their circles up to
// depth. It adds the audience if there is none yet. Depth 0 is the member
// alone.
func (s *Service) circleAudience(tx *store.Tx, member svc.MemberID, depth int) (id audienceID, err error) {
	err = tx.Get(&id, s.q.CircleAudience, store.Args{"member": member, "depth": depth})
	if store.IsNoRows(err) {
		return s.addAudience(tx, "circle", nil, member, depth)
	}
	return id, err
}

// addGuestAudience adds an audience that consists of members.
func (s *Service) addGuestAudience(tx *store.Tx, members ...svc.MemberID) (audienceID, error) {
	id, err := s.addAudience(tx, "guests", nil, nil, nil)
	if err != nil {
		return 0, err
	}
	return id, s.addGuests(tx, id, members...)
}

func (s *Service) addGuests(tx *store.Tx, id audienceID, members ...svc.MemberID) error {
	_, err := tx.Exec(s.q.AddGuests, store.Args{"audience": id, "members": store.JSONArray(members)})
	return err
}

func (s *Service) addAudience(tx *store.Tx, kind string, community, member, depth any) (id audienceID, err error) {
	err = tx.Get(&id, s.q.AddAudience, store.Args{"kind": kind, "community": community, "member": member, "depth": depth})
	return id, err
}

// communityAudienceList returns the audience of a community that v sees as a
// list for json_each. The list is empty if v is not an active member or if the
// community has no audience yet.
func (s *Service) communityAudienceList(tx *store.Tx, v svc.Viewer, community string) (string, error) {
	c, err := s.community(tx, v, community)
	var ids []audienceID
	if err == nil && c.isActive() {
		err = tx.Select(&ids, s.q.CommunityAudience, store.Args{"community": community})
	}
	return store.JSONArray(ids), err
}

// touchAudience records a change that is visible to an audience. The revisions of
// other members stay the same, so that they cannot notice the change.
func (s *Service) touchAudience(tx *store.Tx, change svc.Change, id audienceID) error {
	members, err := s.touchedMembers(tx, id)
	tx.Touch(change, members...)
	return err
}

// touchedMembers returns the members of an audience in the form that
// [store.Tx.Touch] takes.
func (s *Service) touchedMembers(tx *store.Tx, id audienceID) (members []int64, err error) {
	circle, err := s.circleMembers(tx, id)
	if err != nil {
		return nil, err
	}
	for _, m := range circle {
		members = append(members, int64(m))
	}
	if circle == nil {
		err = tx.Select(&members, s.q.AudienceMembers, store.Args{"audience": id})
	}
	return members, err
}

// circleMembers returns the members of a circle audience, its center included.
// It returns nil for audiences of other kinds.
func (s *Service) circleMembers(tx *store.Tx, id audienceID) ([]svc.MemberID, error) {
	var circle struct {
		Center svc.MemberID `db:"member_id"` // 0 for other kinds
		Depth  int          `db:"depth"`
	}
	err := tx.Get(&circle, s.q.AudienceCircle, store.Args{"audience": id})
	if err != nil || circle.Center == 0 {
		return nil, err
	}
	c, err := s.circles(tx, circle.Center)
	if err != nil {
		return nil, err
	}
	members := []svc.MemberID{circle.Center}
	for m, e := range c.entries {
		if e.depth <= circle.Depth {
			members = append(members, m)
		}
	}
	return members, nil
}

// filterAudience returns the members who are in an audience and have no block
// between them and any of the authors.
func (s *Service) filterAudience(tx *store.Tx, id audienceID, members []svc.MemberID, authors ...svc.MemberID) (list []svc.MemberID, err error) {
	circle, err := s.circleMembers(tx, id)
	if err != nil {
		return nil, err
	}
	if circle != nil {
		members = slices.DeleteFunc(slices.Clone(members), func(m svc.MemberID) bool { return !slices.Contains(circle, m) })
	}
	err = tx.Select(&list, s.q.AudienceFilter, store.Args{
		"audience": id, "members": store.JSONArray(members), "authors": store.JSONArray(authors),
	})
	return list, err
}
