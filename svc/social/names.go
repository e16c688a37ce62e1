package social

import (
	"appliance/store"
	"appliance/svc"
)

// MemberRef is a member with the display name and the appearance that the viewer sees.
type MemberRef struct {
	ID          svc.MemberID `json:"id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
}

// names maps active members to their directory entries.
type names map[svc.MemberID]svc.Person

// names returns the active members among ids.
func (s *Service) names(tx *store.Tx, ids ...svc.MemberID) (names, error) {
	return s.directory.People(tx, ids)
}

// visibleNames returns the active members among ids, without those in hidden.
func (s *Service) visibleNames(tx *store.Tx, hidden []svc.MemberID, ids ...svc.MemberID) (names, error) {
	names, err := s.names(tx, ids...)
	for _, m := range hidden {
		delete(names, m)
	}
	return names, err
}

// ref returns a reference to the member with the name in n, or with the name of a
// former member.
func (n names) ref(id svc.MemberID) MemberRef {
	if p, ok := n[id]; ok {
		return MemberRef{id, p.DisplayName, p.Appearance}
	}
	return MemberRef{id, svc.FormerMember, svc.FormerAppearance}
}

func (n names) has(id svc.MemberID) bool {
	_, ok := n[id]
	return ok
}
