package world

import (
	"appliance/svc"
	"appliance/svc/social"
)

const eventsURL = "/world/social/events"

// Event is an event with the addresses where it can be answered and changed.
// Schema: service.social.event.
type Event struct {
	social.Event
	Links   EventLinks       `json:"links"`
	Actions svc.Dict[string] `json:"actions"`
}

// EventLinks are addresses of an event and of what is said about it.
type EventLinks struct {
	Self         string `json:"self"`
	Conversation string `json:"conversation"`
	Replies      string `json:"replies"`
}

// NewEvent returns the event as World shows it.
func NewEvent(e social.Event) Event {
	self := eventsURL + "/" + e.ID
	actions := make(svc.Dict[string])
	for _, a := range []struct {
		may       bool
		name, url string
	}{
		{e.Permissions.CanUpdate, "update", self},
		{e.Permissions.CanDelete, "cancel", self},
		{e.Permissions.CanRSVP, "rsvp", self + "/rsvp"},
		{e.Permissions.CanReply, "reply", self + "/replies"},
		{e.Permissions.CanInvite, "invite", self + "/invitations"},
	} {
		if a.may {
			actions[a.name] = a.url
		}
	}
	return Event{e, EventLinks{self, conversationsURL + "/" + e.ConversationID, self + "/replies"}, actions}
}
