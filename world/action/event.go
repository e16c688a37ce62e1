package action

import (
	"appliance/svc"
	"appliance/svc/social"
)

// EventURLs returns the addresses of what the viewer is allowed to do with an
// event.
func EventURLs(e social.Event) svc.Dict[string] {
	self, can := EventsURL+"/"+e.ID, e.Permissions
	return allowed(
		link{can.CanUpdate, "update", self},
		link{can.CanDelete, "cancel", self},
		link{can.CanRSVP, "rsvp", self + "/rsvp"},
		link{can.CanReply, "reply", self + "/replies"},
		link{can.CanInvite, "invite", self + "/invitations"},
	)
}

// Event returns the actions on an event.
func (b Builder) Event(target Target, x social.Event) []Action {
	l, urls := &list{Builder: b, target: target, resource: x.ID}, EventURLs(x)
	l.add("event.open", "Open", "GET", EventsURL+"/"+x.ID, nil)
	l.add("event.rsvp", "Answer", "POST", urls["rsvp"], nil,
		ChoiceControl("response", "Will you come?", x.RSVP.Mine, "going", "maybe", "declined", "none"), OptionalControl("note", "Note to the host", svc.MaxSummary, ""))
	l.add("event.reply", "Reply", "POST", urls["reply"], nil, PostControl("body", "Reply", ""))
	l.add("event.update", "Change", "PATCH", urls["update"], nil, EventControls(x)...)
	l.add("event.cancel", "Cancel", "DELETE", urls["cancel"], nil)
	l.add("event.invite", "Invite", "POST", urls["invite"], nil, RecipientControl())
	return l.actions
}

// EventControls are the values of an event that its host enters. A location with
// coordinates has no control: changing only its label would leave it at the old
// coordinates.
func EventControls(e social.Event) []Control {
	rule := ""
	if e.RRule != nil {
		rule = *e.RRule
	}
	controls := []Control{TitleControl(e.Title), DateTimeControl("start", "Starts", true, e.Start), DateTimeControl("end", "Ends", false, e.End),
		OptionalControl("timezone", "Time zone", svc.MaxName, e.Timezone),
		AreaControl("description", "What it is about", svc.MaxBody, e.Description),
		RepeatControl(rule), {ID: "capacity", Type: "number", Label: "For how many, or nothing for any number", Default: e.RSVP.Capacity}}
	if e.Location.Latitude == nil {
		controls = append(controls, OptionalControl("location", "Where", svc.MaxTitle, e.Location.Label))
	}
	return controls
}
