package social

import (
	"strconv"

	"appliance/store"
	"appliance/svc"
)

// Named returns what those of the references are called that v sees.
func (s *Service) Titles(tx *store.Tx, v svc.Viewer, refs []SourceRef) (map[SourceRef]string, error) {
	titles := make(map[SourceRef]string, len(refs))
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	ids := make(map[string][]string)
	for _, r := range refs {
		ids[r.ResourceType] = append(ids[r.ResourceType], r.ResourceID)
	}
	if ids := ids["community"]; ids != nil {
		rows, err := s.seenCommunities(tx, w, ids...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			titles[ref("community", r.ID)] = r.Name
		}
	}
	if ids := ids["conversation"]; ids != nil {
		rows, err := s.seenConversations(tx, w, ids...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			titles[ref("conversation", r.ID)] = r.Title
		}
	}
	if ids := ids["event"]; ids != nil {
		rows, err := s.seenEvents(tx, w, ids...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			titles[ref("event", r.ID)] = r.Title
		}
	}
	if ids := ids[DMType]; ids != nil {
		rows, err := s.theseDMs(tx, w.member, ids)
		if err != nil {
			return nil, err
		}
		list, err := s.dms(tx, w, rows...)
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			titles[ref(DMType, d.ID)] = d.Title
		}
	}
	if ids := ids["profile"]; ids != nil {
		members := make([]svc.MemberID, len(ids))
		for i, id := range ids {
			n, _ := strconv.ParseInt(id, 10, 64) // 0 is nobody
			members[i] = svc.MemberID(n)
		}
		list, err := s.profiles(tx, w, members...)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			titles[profileRef(p.MemberID)] = p.DisplayName
		}
	}
	return titles, nil
}
