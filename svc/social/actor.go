package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Actor is the member of an item in a panel, such as the author of a text, as the viewer sees the
// member.
type Actor struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
	Username string     `json:"username"`  // "" for a former member
	Presence *Presence  `json:"presence"`  // null if the member is offline or does not show it to the viewer
	LastSeen *time.Time `json:"last_seen"` // the minute in which the member last set or renewed their presence; null while they are present, and if they do not show it to the viewer
}

// Actors returns members as v sees them, with three queries for all of them. Hidden
// and inactive members are former members.
func (s *Service) Actors(tx *store.Tx, v svc.Viewer, members ...svc.MemberID) (map[svc.MemberID]Actor, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	names, err := s.visibleNames(tx, w, members...)
	if err != nil {
		return nil, err
	}
	presence, err := s.presenceOf(tx, w, members)
	if err != nil {
		return nil, err
	}
	seen, err := s.lastSeen(tx, w, members)
	actors := make(map[svc.MemberID]Actor, len(members))
	for _, m := range members {
		ref := names.ref(m)
		a := Actor{MemberID: m, DisplayName: ref.DisplayName, Appearance: ref.Appearance, Username: names.people[m].Username}
		if names.has(m) {
			a.Presence, a.LastSeen = presence[m], seen[m]
		}
		actors[m] = a
	}
	return actors, err
}
