package social

import (
	"appliance/store"
	"appliance/svc"
)

// Titles returns the titles of the records among refs that v sees.
func (s *Service) Titles(tx *store.Tx, v svc.Viewer, refs []SourceRef) (map[SourceRef]string, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	ids := make(map[string][]string)
	for _, r := range refs {
		ids[r.ResourceType] = append(ids[r.ResourceType], r.ResourceID)
	}
	titles := make(map[SourceRef]string, len(refs))
	for kind, ids := range ids {
		if err := s.addTitles(tx, w, kind, ids, func(id, title string) { titles[ref(kind, id)] = title }); err != nil {
			return nil, err
		}
	}
	return titles, nil
}

// addTitles calls add with the titles of the visible records of one kind.
func (s *Service) addTitles(tx *store.Tx, w view, kind string, ids []string, add func(id, title string)) error {
	switch kind {
	case "community":
		rows, err := s.visibleCommunities(tx, w, ids...)
		for _, r := range rows {
			add(r.ID, r.Name)
		}
		return err
	case "conversation":
		rows, err := s.visibleConversations(tx, w, ids...)
		for _, r := range rows {
			add(r.ID, r.Title)
		}
		return err
	case "event":
		rows, err := s.visibleEvents(tx, w, ids...)
		for _, r := range rows {
			add(r.ID, r.Title)
		}
		return err
	case DMType:
		threads, err := s.threads.ByID(tx, w.member, ids...)
		if err != nil {
			return err
		}
		list, err := s.completeDMs(tx, w, threads...)
		for _, d := range list {
			add(d.ID, d.Title)
		}
		return err
	case "profile":
		members := make([]svc.MemberID, len(ids))
		for i, id := range ids {
			members[i] = memberID(id)
		}
		list, err := s.profiles(tx, w, members...)
		for _, p := range list {
			add(p.MemberID.String(), p.DisplayName)
		}
		return err
	}
	return nil
}
