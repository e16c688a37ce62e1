package record

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// Event is an event with its addresses. Schema: service.social.event.
type Event struct {
	social.Event
	Links   EventLinks       `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// EventLinks are the addresses of an event and of its conversation.
type EventLinks struct {
	Self         string `json:"self"`
	Conversation string `json:"conversation"`
	Replies      string `json:"replies"`
}

// NewEvent returns the record of e.
func NewEvent(e social.Event) Event {
	self := action.EventsURL + "/" + e.ID
	return Event{e, EventLinks{self, action.ConversationsURL + "/" + e.ConversationID, self + "/replies"}, action.Events.URLs(e)}
}
