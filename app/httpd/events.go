package httpd

import (
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

// eventsQuery selects events.
type eventsQuery struct {
	From   string `json:"-" query:"from"`
	To     string `json:"-" query:"to"`
	Past   string `json:"-" query:"past"`
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// getEventList lists the visible events: upcoming ones, or past ones if the
// query selects them.
func (s *Server) getEventList(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in eventsQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	past, err := parseBool("past", in.Past)
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		q := social.EventQuery{Past: past, Limit: in.Limit, Cursor: in.Cursor}
		loc, err := s.location(tx, v, "")
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
			if *bound.to, err = parseTime(bound.name, bound.text, loc, tx.Now()); err != nil {
				return nil, err
			}
		}
		page, err := s.social.Events(tx, v, q)
		list := make(svc.List[record.Event], len(page.Events))
		for i, e := range page.Events {
			list[i] = record.NewEvent(e)
		}
		return map[string]any{"events": list, "page": linked(r, page.Page)}, err
	})
}

// parseBool parses a parameter that is true or false; "" is false.
func parseBool(name, text string) (bool, error) {
	switch text {
	case "true", "1":
		return true, nil
	case "", "false", "0":
		return false, nil
	}
	return false, svc.ParameterError(name, "%s must be true or false.", name)
}

// eventResponse is the response of routes about one event.
type eventResponse struct {
	Event     record.Event          `json:"event"`
	Attendees svc.List[social.RSVP] `json:"attendees,omitzero"`
	RSVP      *social.RSVP          `json:"rsvp,omitzero"`
	Refresh   *refreshHint          `json:"refresh,omitzero"`
}

func (s *Server) getSocialEvent(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		e, err := s.social.Event(tx, v, r.PathValue("id"))
		if err != nil {
			return nil, err
		}
		attendees, err := s.social.Attendees(tx, v, e.ID)
		return eventResponse{Event: record.NewEvent(e), Attendees: attendees}, err
	})
}

func (s *Server) createSocialEvent(tx *store.Tx, v svc.Viewer, in social.NewEvent) (any, error) {
	e, err := s.social.CreateEvent(tx, v, in)
	return eventResponse{Event: record.NewEvent(e), Refresh: &socialRefresh}, err
}

type eventRequest struct {
	ID string `json:"-" path:"id"`
	social.EventChange
}

func (s *Server) updateSocialEvent(tx *store.Tx, v svc.Viewer, in eventRequest) (any, error) {
	e, err := s.social.UpdateEvent(tx, v, in.ID, in.EventChange)
	return eventResponse{Event: record.NewEvent(e), Refresh: &socialRefresh}, err
}

type eventDeletion struct {
	ID    string `json:"-" path:"id"`
	Purge string `json:"-" query:"purge"`
}

// deleteSocialEvent cancels an event, or purges it if the request says so.
func (s *Server) deleteSocialEvent(tx *store.Tx, v svc.Viewer, in eventDeletion) (any, error) {
	purge, err := parseBool("purge", in.Purge)
	if err != nil {
		return nil, err
	}
	if purge {
		return map[string]any{"deleted": true, "refresh": socialRefresh}, s.social.PurgeEvent(tx, v, in.ID)
	}
	e, err := s.social.CancelEvent(tx, v, in.ID)
	return eventResponse{Event: record.NewEvent(e), Refresh: &socialRefresh}, err
}

type rsvpRequest struct {
	ID string `json:"-" path:"id"`
	social.NewRSVP
}

func (s *Server) respondToEvent(tx *store.Tx, v svc.Viewer, in rsvpRequest) (any, error) {
	e, rsvp, err := s.social.Respond(tx, v, in.ID, in.NewRSVP)
	return eventResponse{Event: record.NewEvent(e), RSVP: &rsvp, Refresh: &socialRefresh}, err
}

func (s *Server) getEventInvitations(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.listInvitations(w, r, func(tx *store.Tx, q social.ListQuery) ([]social.Invitation, svc.Page, error) {
		return s.social.EventInvitations(tx, v, r.PathValue("id"), q)
	})
}

func (s *Server) inviteToEvent(tx *store.Tx, v svc.Viewer, in invitationRequest) (any, error) {
	return invite(tx, v, in, s.social.InviteToEvent)
}

// The replies to an event are the replies of its conversation. The following
// handlers serve routes below the event, an alternative to the routes of the
// conversation.

func (s *Server) getEventReplies(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in historyQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		conversation, err := s.social.EventConversation(tx, v, in.ID)
		if err != nil {
			return nil, err
		}
		d, err := s.social.Discussion(tx, v, conversation, in.query())
		return repliesResponse{d.Replies, linkedHistory(r, d.Page)}, err
	})
}

func (s *Server) replyToEvent(tx *store.Tx, v svc.Viewer, in replyRequest) (any, error) {
	conversation, err := s.social.EventConversation(tx, v, in.ID)
	if err != nil {
		return nil, err
	}
	in.ID = conversation
	return s.postReply(tx, v, in)
}
