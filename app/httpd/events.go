package httpd

import (
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

// getEventList lists the events that the member sees, those to come or those
// that are over.
func (s *Server) getEventList(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		From   string `json:"-" query:"from"`
		To     string `json:"-" query:"to"`
		Past   string `json:"-" query:"past"`
		Limit  int    `json:"-" query:"limit"`
		Cursor string `json:"-" query:"cursor"`
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	past, err := truth("past", in.Past)
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		q := social.EventQuery{Past: past, Limit: in.Limit, Cursor: in.Cursor}
		loc, err := s.zone(tx, v, "")
		if err != nil {
			return nil, err
		}
		for _, bound := range []struct {
			name, text string
			to         *time.Time
		}{{"from", in.From, &q.From}, {"to", in.To, &q.To}} {
			if bound.text == "" {
				continue
			}
			if *bound.to, err = moment(bound.name, bound.text, loc, tx.Now()); err != nil {
				return nil, err
			}
		}
		page, err := s.social.Events(tx, v, q)
		list := make(svc.List[record.Event], len(page.Events))
		for i, e := range page.Events {
			list[i] = record.NewEvent(e)
		}
		return map[string]any{"events": list, "page": page.Page}, err
	})
}

// truth reads a parameter that is true or false, the latter if it is absent.
func truth(name, text string) (bool, error) {
	switch text {
	case "true", "1":
		return true, nil
	case "", "false", "0":
		return false, nil
	}
	return false, svc.ParameterError(name, "%s must be true or false.", name)
}

// eventAnswer is the answer to whatever is about one event.
type eventAnswer struct {
	Event     record.Event          `json:"event"`
	Attendees svc.List[social.RSVP] `json:"attendees,omitzero"`
	RSVP      *social.RSVP          `json:"rsvp,omitzero"`
	Refresh   *refresh              `json:"refresh,omitzero"`
}

func (s *Server) getSocialEvent(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		e, err := s.social.Event(tx, v, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		attendees, err := s.social.Attendees(tx, v, e.ID)
		return eventAnswer{Event: record.NewEvent(e), Attendees: attendees}, err
	})
}

func (s *Server) createSocialEvent(tx *store.Tx, v svc.Viewer, in social.NewEvent) (any, error) {
	e, err := s.social.CreateEvent(tx, v, in)
	return eventAnswer{Event: record.NewEvent(e), Refresh: &socialRefresh}, err
}

type socialEventChange struct {
	ID string `json:"-" path:"id"`
	social.EventChange
}

func (s *Server) updateSocialEvent(tx *store.Tx, v svc.Viewer, in socialEventChange) (any, error) {
	e, err := s.social.UpdateEvent(tx, v, in.ID, in.EventChange)
	return eventAnswer{Event: record.NewEvent(e), Refresh: &socialRefresh}, err
}

type socialEventDeletion struct {
	ID    string `json:"-" path:"id"`
	Purge string `json:"-" query:"purge"`
}

// deleteSocialEvent cancels an event, or removes it as if it had never been.
func (s *Server) deleteSocialEvent(tx *store.Tx, v svc.Viewer, in socialEventDeletion) (any, error) {
	purge, err := truth("purge", in.Purge)
	if err != nil {
		return nil, err
	}
	if purge {
		return map[string]any{"deleted": true, "refresh": socialRefresh}, s.social.PurgeEvent(tx, v, in.ID)
	}
	e, err := s.social.CancelEvent(tx, v, in.ID)
	return eventAnswer{Event: record.NewEvent(e), Refresh: &socialRefresh}, err
}

type rsvp struct {
	ID string `json:"-" path:"id"`
	social.NewRSVP
}

func (s *Server) answerEvent(tx *store.Tx, v svc.Viewer, in rsvp) (any, error) {
	e, mine, err := s.social.Respond(tx, v, in.ID, in.NewRSVP)
	return eventAnswer{Event: record.NewEvent(e), RSVP: &mine, Refresh: &socialRefresh}, err
}

func (s *Server) getEventInvitations(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.listInvitations(w, r, func(tx *store.Tx, q social.ListQuery) ([]social.Invitation, svc.Page, error) {
		return s.social.EventInvitations(tx, v, r.PathValue("id"), q)
	})
}

func (s *Server) inviteToEvent(tx *store.Tx, v svc.Viewer, in newInvitation) (any, error) {
	i, err := s.social.InviteToEvent(tx, v, in.ID, in.NewInvitation)
	return invitationAnswer{record.NewInvitation(i), socialRefresh}, err
}

// What is said about an event is a conversation; these are its other
// addresses.

func (s *Server) getEventReplies(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in repliesQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		conversation, err := s.social.EventConversation(tx, v, in.ID)
		if err != nil {
			return nil, err
		}
		d, err := s.social.Discussion(tx, v, conversation, in.query())
		return repliesAnswer{d.Replies, d.Page}, err
	})
}

func (s *Server) replyToEvent(tx *store.Tx, v svc.Viewer, in newReply) (any, error) {
	conversation, err := s.social.EventConversation(tx, v, in.ID)
	if err != nil {
		return nil, err
	}
	in.ID = conversation
	return s.postReply(tx, v, in)
}
