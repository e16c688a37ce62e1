package social

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// MemberRef is a member with the display name and the appearance that the viewer sees.
type MemberRef struct {
	ID          svc.MemberID `json:"id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
}

// names contains the directory entries of active members. All other members are former
// members, whose name is in the language of the reader.
type names struct {
	people   map[svc.MemberID]svc.Person
	language words.Language
}

// names returns the active members among ids, for a reader of the language l.
func (s *Service) names(tx *store.Tx, l words.Language, ids ...svc.MemberID) (names, error) {
	people, err := s.directory.People(tx, ids)
	return names{people, l}, err
}

// visibleNames returns the active members among ids, without those hidden from the
// viewer.
func (s *Service) visibleNames(tx *store.Tx, w view, ids ...svc.MemberID) (names, error) {
	return s.namesWithout(tx, w.language, w.hidden, ids...)
}

// namesWithout returns the active members among ids, without those in hidden.
func (s *Service) namesWithout(tx *store.Tx, l words.Language, hidden []svc.MemberID, ids ...svc.MemberID) (names, error) {
	names, err := s.names(tx, l, ids...)
	for _, m := range hidden {
		delete(names.people, m)
	}
	return names, err
}

// ref returns a reference to the member with the name in n, or with the name of a
// former member.
func (n names) ref(id svc.MemberID) MemberRef {
	if p, ok := n.people[id]; ok {
		return MemberRef{id, p.DisplayName, p.Appearance}
	}
	return MemberRef{id, n.language.Text(svc.FormerMember), svc.FormerAppearance}
}

func (n names) has(id svc.MemberID) bool {
	_, ok := n.people[id]
	return ok
}
