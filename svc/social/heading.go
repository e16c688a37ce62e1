package social

import (
	"appliance/store"
	"appliance/svc"
)

// Heading is the title of a record for a list, with its unread count.
type Heading struct {
	Title  string
	Unread int64 // replies or messages that the viewer has not read; 0 for records without any
}

// Headings returns the headings of the records among refs that v sees.
func (s *Service) Headings(tx *store.Tx, v svc.Viewer, refs []SourceRef) (map[SourceRef]Heading, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return nil, err
	}
	ids := make(map[string][]string)
	for _, r := range refs {
		ids[r.ResourceType] = append(ids[r.ResourceType], r.ResourceID)
	}
	headings := make(map[SourceRef]Heading, len(refs))
	for kind, ids := range ids {
		add := func(id, title string, unread int64) { headings[ref(kind, id)] = Heading{title, unread} }
		if err := s.addHeadings(tx, v, w, kind, ids, add); err != nil {
			return nil, err
		}
	}
	return headings, nil
}

// addHeadings calls add with the headings of the visible records of one kind.
func (s *Service) addHeadings(tx *store.Tx, v svc.Viewer, w view, kind string, ids []string, add func(id, title string, unread int64)) error {
	switch kind {
	case "community":
		rows, err := s.visibleCommunities(tx, w, ids...)
		for _, r := range rows {
			add(r.ID, r.Name, 0)
		}
		return err
	case "conversation":
		rows, err := s.visibleConversations(tx, w, ids...)
		for _, r := range rows {
			add(r.ID, r.Title, r.Unread)
		}
		return err
	case "event":
		rows, err := s.visibleEvents(tx, w, ids...)
		for _, r := range rows {
			add(r.ID, r.Title, 0)
		}
		return err
	case DMType:
		list, err := s.DMs.ByID(tx, v, ids...)
		for _, d := range list {
			add(d.ID, d.Title, d.UnreadCount)
		}
		return err
	case "profile":
		members := make([]svc.MemberID, len(ids))
		for i, id := range ids {
			members[i] = memberID(id)
		}
		list, err := s.profiles(tx, w, members...)
		for _, p := range list {
			add(p.MemberID.String(), p.DisplayName, 0)
		}
		return err
	}
	return nil
}
