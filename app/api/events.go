package api

import (
	"net/http"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
	"appliance/world/record"
)

// socialEventOperations declares the operations on events of Social. The replies to an event
// are those of its conversation; their routes below the event are an alternative to those of
// the conversation.
func (s *Server) socialEventOperations() []declaration {
	return []declaration{
		operation[eventsQuery, socialEventPage]{
			Request: "GET /world/social/events", ServicePath: "/social/events", Service: "social",
			Summary: "List the events",
			Do:      s.listSocialEvents,
		},
		operation[social.NewEvent, eventResponse]{
			Action: action.Social.Endpoint("create_event"), ServicePath: "/social/events", Service: "social",
			Summary: "Plan an event", Status: http.StatusCreated, Errors: notFoundErrors,
			Do: s.createSocialEvent,
		},
		operation[idRequest, eventResponse]{
			Action: action.Events.Endpoint("open"), ServicePath: "/social/events/{id}", Service: "social",
			Summary: "Read an event and its attendees",
			Do:      s.readSocialEvent,
		},
		operation[eventRequest, eventResponse]{
			Action: action.Events.Endpoint("update"), ServicePath: "/social/events/{id}", Service: "social",
			Summary: "Change an event",
			Do:      s.updateSocialEvent,
		},
		operation[eventDeletion, oneOf[eventResponse, deletionWithRefresh]]{
			Action: action.Events.Endpoint("cancel"), ServicePath: "/social/events/{id}", Service: "social",
			Summary: "Cancel an event, or delete it", Errors: conflictErrors,
			Do: s.deleteSocialEvent,
		},
		operation[rsvpRequest, eventResponse]{
			Action: action.Events.Endpoint("rsvp"), ServicePath: "/social/events/{id}/rsvp", Service: "social",
			Summary: "Respond to an event", Errors: conflictErrors,
			Do: s.respondToEvent,
		},
		operation[historyQuery, repliesResponse]{
			Request: "GET /world/social/events/{id}/replies", ServicePath: "/social/events/{id}/replies", Service: "social",
			Summary: "List the replies to an event",
			Do:      s.listEventReplies,
		},
		operation[replyRequest, replyResponse]{
			Action: action.Events.Endpoint("reply"), ServicePath: "/social/events/{id}/replies", Service: "social",
			Summary: "Reply to an event", Status: http.StatusCreated,
			Do: s.replyToEvent,
		},
		operation[recordPageQuery, invitationPage]{
			Request: "GET /world/social/events/{id}/invitations", ServicePath: "/social/events/{id}/invitations", Service: "social",
			Summary: "List the invitations to an event",
			Do:      s.listEventInvitations,
		},
		operation[invitationRequest, invitationsResponse]{
			Action: action.Events.Endpoint("invite"), ServicePath: "/social/events/{id}/invitations", Service: "social",
			Summary: "Invite members to an event", Status: http.StatusCreated, Errors: conflictErrors,
			Do: s.inviteToEvent,
		},
	}
}

// eventsQuery selects events.
type eventsQuery struct {
	From string `json:"-" query:"from"`
	To   string `json:"-" query:"to"`
	Past string `json:"-" query:"past"`
	svc.PageQuery
}

type socialEventPage = struct {
	Events svc.List[record.Event] `json:"events"`
	Page   svc.Page               `json:"page"`
}

// listSocialEvents lists the visible events: upcoming ones, or past ones if the
// query selects them.
func (s *Server) listSocialEvents(tx *store.Tx, v svc.Viewer, in eventsQuery) (out socialEventPage, err error) {
	q := social.EventQuery{Limit: in.Limit, Cursor: in.Cursor}
	if q.Past, err = parseBool("past", in.Past); err != nil {
		return out, err
	}
	loc, err := s.location(tx, v, "")
	if err != nil {
		return out, err
	}
	for _, bound := range []struct {
		name, text string
		to         *time.Time
	}{{"from", in.From, &q.From}, {"to", in.To, &q.To}} {
		if bound.text == "" {
			continue
		}
		if *bound.to, err = parseTime(bound.name, bound.text, loc, tx.Now()); err != nil {
			return out, err
		}
	}
	page, err := s.Social.Events(tx, v, q)
	return socialEventPage{record.List(page.Events, record.NewEvent), page.Page}, err
}

// parseBool parses a parameter that is true or false; "" is false.
func parseBool(name, text string) (bool, error) {
	switch text {
	case "true", "1":
		return true, nil
	case "", "false", "0":
		return false, nil
	}
	return false, svc.ParameterError(name, "%s must be true or false.", svc.FieldLabel(name))
}

// eventResponse is the response of routes about one event.
type eventResponse struct {
	Event     record.Event          `json:"event"`
	Attendees svc.List[social.RSVP] `json:"attendees,omitzero"`
	RSVP      *social.RSVP          `json:"rsvp,omitzero"`
	Refresh   *refreshHint          `json:"refresh,omitzero"`
	Notice    string                `json:"notice,omitzero"` // a sentence about what a write did beyond the fields that it set
}

// writtenEvent returns the response with an event after a write.
func writtenEvent(l words.Language, e social.Event) eventResponse {
	out := eventResponse{Event: record.NewEvent(e), Refresh: &socialRefresh}
	if e.Times.MovedStart {
		out.Notice = startNotice(l, e.Times.Start)
	}
	return out
}

func (s *Server) readSocialEvent(tx *store.Tx, v svc.Viewer, in idRequest) (out eventResponse, err error) {
	e, err := s.Social.Event(tx, v, in.ID)
	if err != nil {
		return out, err
	}
	attendees, err := s.Social.Attendees(tx, v, e.ID)
	return eventResponse{Event: record.NewEvent(e), Attendees: attendees}, err
}

func (s *Server) createSocialEvent(tx *store.Tx, v svc.Viewer, in social.NewEvent) (eventResponse, error) {
	e, err := s.Social.CreateEvent(tx, v, in)
	return writtenEvent(v.Language(), e), err
}

type eventRequest struct {
	ID string `json:"-" path:"id"`
	social.EventChange
}

func (s *Server) updateSocialEvent(tx *store.Tx, v svc.Viewer, in eventRequest) (eventResponse, error) {
	e, err := s.Social.UpdateEvent(tx, v, in.ID, in.EventChange)
	return writtenEvent(v.Language(), e), err
}

type eventDeletion struct {
	ID    string `json:"-" path:"id"`
	Purge string `json:"-" query:"purge"`
}

// deleteSocialEvent cancels an event, or purges it if the request says so.
func (s *Server) deleteSocialEvent(tx *store.Tx, v svc.Viewer, in eventDeletion) (out oneOf[eventResponse, deletionWithRefresh], err error) {
	purge, err := parseBool("purge", in.Purge)
	if err != nil {
		return out, err
	}
	if purge {
		return secondOf[eventResponse](deletionWithRefresh{true, socialRefresh}), s.Social.PurgeEvent(tx, v, in.ID)
	}
	e, err := s.Social.CancelEvent(tx, v, in.ID)
	return firstOf[eventResponse, deletionWithRefresh](eventResponse{Event: record.NewEvent(e), Refresh: &socialRefresh}), err
}

type rsvpRequest struct {
	ID string `json:"-" path:"id"`
	social.NewRSVP
}

func (s *Server) respondToEvent(tx *store.Tx, v svc.Viewer, in rsvpRequest) (eventResponse, error) {
	e, rsvp, err := s.Social.Respond(tx, v, in.ID, in.NewRSVP)
	return eventResponse{Event: record.NewEvent(e), RSVP: &rsvp, Refresh: &socialRefresh}, err
}

func (s *Server) listEventInvitations(tx *store.Tx, v svc.Viewer, in recordPageQuery) (invitationPage, error) {
	list, page, err := s.Social.EventInvitations(tx, v, in.ID, in.PageQuery)
	return invitationPage{record.List(list, record.NewInvitation), page}, err
}

func (s *Server) inviteToEvent(tx *store.Tx, v svc.Viewer, in invitationRequest) (invitationsResponse, error) {
	return invite(tx, v, in, s.Social.InviteToEvent)
}

func (s *Server) listEventReplies(tx *store.Tx, v svc.Viewer, in historyQuery) (out repliesResponse, err error) {
	in.ID, err = s.Social.EventConversation(tx, v, in.ID)
	if err != nil {
		return out, err
	}
	return s.listReplies(tx, v, in)
}

func (s *Server) replyToEvent(tx *store.Tx, v svc.Viewer, in replyRequest) (out replyResponse, err error) {
	in.ID, err = s.Social.EventConversation(tx, v, in.ID)
	if err != nil {
		return out, err
	}
	return s.postReply(tx, v, in)
}
