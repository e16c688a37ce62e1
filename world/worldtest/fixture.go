package worldtest

import (
	"fmt"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/svc/surface"
)

// createRecord runs fn in a write transaction, which must succeed, and returns the id
// of the record that fn creates.
func (s *Server) createRecord(fn func(*store.Tx) (id string, err error)) (id string) {
	s.T.Helper()
	s.Write(func(tx *store.Tx) (err error) {
		id, err = fn(tx)
		return err
	})
	return id
}

// CreateTask creates a task of v.
func (s *Server) CreateTask(v svc.Viewer, title string) (id string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		w, err := s.Calendar.Create(tx, v, calendar.NewObject{ObjectType: view.TaskType, Change: edit.Change{Title: svc.Some(title)}})
		return w.Object.ID, err
	})
}

// CreateAppointment creates a calendar event of v, which lasts an hour from a
// local time in UTC.
func (s *Server) CreateAppointment(v svc.Viewer, title, start string) (id string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		w, err := s.Calendar.Create(tx, v, calendar.NewObject{
			ObjectType: view.EventType, Change: edit.Change{Title: svc.Some(title), Start: svc.Some(start)},
		})
		return w.Object.ID, err
	})
}

// SendMessage sends a message and returns the id of the thread.
func (s *Server) SendMessage(from, to svc.Viewer, body string) (thread string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		sent, err := s.Messages.Start(tx, from, messages.StartRequest{Recipient: messages.Recipients{to.String()}, Body: body})
		return sent.Thread.ID, err
	})
}

// SendDM sends a DM and returns its id.
func (s *Server) SendDM(from, to svc.Viewer, body string) (thread string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		sent, err := s.Social.StartDM(tx, from, social.NewDM{Recipient: social.Recipient(to.String()), Body: body})
		return sent.Thread.ID, err
	})
}

// CreateCommunity creates a public community that the other members join.
func (s *Server) CreateCommunity(owner svc.Viewer, name string, members ...svc.Viewer) (id string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		c, err := s.Social.CreateCommunity(tx, owner, social.NewCommunity{Name: name, Visibility: social.CommunityPublic})
		for _, v := range members {
			if err == nil && v != owner {
				_, err = s.Social.JoinCommunity(tx, v, c.ID)
			}
		}
		return c.ID, err
	})
}

// MakePrivate makes a community private.
func (s *Server) MakePrivate(owner svc.Viewer, community string) {
	s.T.Helper()
	s.Write(func(tx *store.Tx) error {
		_, err := s.Social.UpdateCommunity(tx, owner, community, social.CommunityChange{Visibility: svc.Some(social.CommunityPrivate)})
		return err
	})
}

// StartConversation starts a conversation that all members can see.
func (s *Server) StartConversation(v svc.Viewer, title string) (id string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		c, err := s.Social.StartConversation(tx, v, social.NewConversation{Title: title, Body: title, Context: social.ConversationContext{Kind: social.ContextOpen}})
		return c.ID, err
	})
}

// CreateEvent creates a public event, which lasts an hour from a local time in
// UTC.
func (s *Server) CreateEvent(host svc.Viewer, title, start string) (id string) {
	s.T.Helper()
	return s.createRecord(func(tx *store.Tx) (string, error) {
		e, err := s.Social.CreateEvent(tx, host, social.NewEvent{Title: title, Start: start, Timezone: "UTC", Visibility: social.EventPublic})
		return e.ID, err
	})
}

// SetPresence sets the presence of v for a time.
func (s *Server) SetPresence(v svc.Viewer, ttl time.Duration) {
	s.T.Helper()
	seconds := int(ttl.Seconds())
	s.Write(func(tx *store.Tx) error {
		_, err := s.Social.SetPresence(tx, v, social.NewPresence{State: social.PresenceOnline, VisibleTo: social.PresenceMembers, TTL: &seconds})
		return err
	})
}

// ReplaceFindings replaces the findings in the workspace of v.
func (s *Server) ReplaceFindings(v svc.Viewer, findings ...svc.Finding) {
	s.T.Helper()
	s.Write(func(tx *store.Tx) error {
		_, err := s.Surface.ReplaceOverlay(tx, v, surface.OverlayRequest{Findings: &findings})
		return err
	})
}

// Place returns the finding of a place.
func Place(n int) svc.Finding {
	return svc.Finding{
		FindingID: fmt.Sprint("osm:", n), SourceService: "osm", ObjectType: svc.PlaceFinding, Title: fmt.Sprint("Café ", n), Summary: "Coffee",
		Payload: svc.Map{"latitude": 52.5, "longitude": 13.4, "category": "coffee", "address": "1 High Street"},
	}
}

// Page returns the finding of a web page.
func Page(n int) svc.Finding {
	return svc.Finding{
		FindingID: fmt.Sprint("web:", n), SourceService: "web", ObjectType: svc.PageFinding, Title: fmt.Sprint("Page ", n),
		SourceURL: fmt.Sprint("https://example.org/", n),
	}
}
