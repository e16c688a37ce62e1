package social

import (
	"appliance/store"
	"appliance/svc"
)

// MemberRef is a member as it stands beside what they did.
type MemberRef struct {
	ID          svc.MemberID `json:"id"`
	DisplayName string       `json:"display_name"`
}

// names are what members are called.
type names map[svc.MemberID]svc.Person

// names looks up what all those members are called.
func (s *Service) names(tx *store.Tx, ids ...svc.MemberID) (names, error) {
	return s.directory.People(tx, ids)
}

// met looks up what members are called, but for those who are hidden: nobody
// can tell these from who is not here any more.
func (s *Service) met(tx *store.Tx, hidden []svc.MemberID, ids ...svc.MemberID) (names, error) {
	names, err := s.names(tx, ids...)
	for _, m := range hidden {
		delete(names, m)
	}
	return names, err
}

// of names a member; one who is not here any more has no name of their own.
func (n names) of(id svc.MemberID) MemberRef {
	if p, ok := n[id]; ok {
		return MemberRef{id, p.DisplayName}
	}
	return MemberRef{id, "Former member"}
}
