package social

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
)

// Person is a member in the list of all members. Schema:
// service.social.person.
type Person struct {
	MemberRef
	Username    string             `json:"username"`
	Circle      *CircleRef         `json:"circle"`    // the viewer's circle that the member is in, null for none
	Presence    *Presence          `json:"presence"`  // null if the member is offline or does not show it to the viewer
	LastSeen    *time.Time         `json:"last_seen"` // the minute in which the member last set or renewed their presence; null while they are present, and if they do not show it to the viewer
	Permissions ProfilePermissions `json:"permissions"`
}

// People returns members of the directory as v sees them. The caller must omit
// members who are hidden from v.
func (s *Service) People(tx *store.Tx, v svc.Viewer, members []svc.Person) ([]Person, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	ids := make([]svc.MemberID, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	presence, err := s.presenceOf(tx, w, ids)
	if err != nil {
		return nil, err
	}
	seen, err := s.lastSeen(tx, w, ids)
	if err != nil {
		return nil, err
	}
	var hiddenProfiles []svc.MemberID
	err = tx.Select(&hiddenProfiles, s.q.HiddenProfiles, store.Args{"members": store.JSONArray(ids), "audiences": w.audienceList})
	if err != nil {
		return nil, err
	}
	grounds, err := s.commonGrounds(tx, w, ids...)
	list := make([]Person, len(members))
	for i, m := range members {
		_, canDM := grounds[m.ID]
		list[i] = Person{
			MemberRef: MemberRef{m.ID, m.DisplayName, m.Appearance}, Username: m.Username, Circle: w.circleRef(m.ID), Presence: presence[m.ID], LastSeen: seen[m.ID],
			Permissions: ProfilePermissions{CanView: !slices.Contains(hiddenProfiles, m.ID), CanUpdate: m.ID == w.member, CanDM: canDM},
		}
	}
	return list, err
}
