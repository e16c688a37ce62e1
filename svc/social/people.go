package social

import (
	"slices"

	"appliance/store"
	"appliance/svc"
)

// Person is a member as they stand in a list of everybody. Schema:
// service.social.person.
type Person struct {
	MemberRef
	Username    string             `json:"username"`
	Circle      *CircleRef         `json:"circle"`   // of the viewer's, null if they are in none
	Presence    *Presence          `json:"presence"` // null if they are offline, or do not show it
	Permissions ProfilePermissions `json:"permissions"`
}

// People returns members of the directory as v sees them, none of whom is
// hidden from v.
func (s *Service) People(tx *store.Tx, v svc.Viewer, members []svc.Person) ([]Person, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	ids := make([]svc.MemberID, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	present, err := s.presentAmong(tx, w, ids)
	if err != nil {
		return nil, err
	}
	var closed []svc.MemberID
	if err := tx.Select(&closed, s.q.ClosedProfiles, store.Args{"members": jsonList(ids), "audiences": w.audiences}); err != nil {
		return nil, err
	}
	ties, err := s.ties(tx, w, ids...)
	list := make([]Person, len(members))
	for i, m := range members {
		_, tied := ties[m.ID]
		list[i] = Person{
			MemberRef: MemberRef{m.ID, m.DisplayName}, Username: m.Username, Circle: w.circles.ref(m.ID), Presence: present[m.ID],
			Permissions: ProfilePermissions{CanView: !slices.Contains(closed, m.ID), CanUpdate: m.ID == w.member, CanDM: tied},
		}
	}
	return list, err
}

// presentAmong returns the presence of those members who are present as far as
// the viewer may know.
func (s *Service) presentAmong(tx *store.Tx, w view, members []svc.MemberID) (map[svc.MemberID]*Presence, error) {
	var rows []presenceRow
	err := tx.Select(&rows, s.q.PresentAmong, w.args(store.Args{"members": jsonList(members), "now": store.MillisOf(tx.Now())}))
	if err != nil {
		return nil, err
	}
	list, _, err := s.named(tx, rows)
	present := make(map[svc.MemberID]*Presence, len(list))
	for _, p := range list {
		present[p.MemberID] = &p
	}
	return present, err
}
