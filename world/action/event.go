package action

import (
	"slices"

	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/social"
	"appliance/svc/words"
)

// Events declares the actions on events of Social.
var Events = Table[social.Event]{
	Kind: "social",
	ID:   func(e social.Event) string { return e.ID },
	Entries: []Entry[social.Event]{
		{Name: "open", Type: "social.event.open", Label: "Open", Request: "GET /world/social/events/{id}"},
		{
			Name: "rsvp", Type: "social.event.rsvp", Label: "RSVP", Request: "POST /world/social/events/{id}/rsvp",
			Allowed: func(e social.Event) bool { return e.Permissions.CanRSVP },
			Controls: func(e social.Event) svc.List[Control] {
				return svc.List[Control]{
					selectorControl("response", "Answer", e.RSVP.Mine, Responses), textControl("note", "Note to the host", svc.MaxSummary, ""),
				}
			},
		},
		{
			Name: "reply", Type: "social.event.reply", Label: "Reply", Request: "POST /world/social/events/{id}/replies",
			Allowed:  func(e social.Event) bool { return e.Permissions.CanReply },
			Controls: func(social.Event) svc.List[Control] { return svc.List[Control]{bodyControl("Reply", "")} },
		},
		{
			Name: "update", Type: "social.event.update", Label: "Edit", Request: "PATCH /world/social/events/{id}",
			Allowed:  func(e social.Event) bool { return e.Permissions.CanUpdate },
			Controls: eventControls,
		},
		{
			Name: "cancel", Type: "social.event.cancel", Label: "Cancel event", Request: "DELETE /world/social/events/{id}",
			Allowed:   func(e social.Event) bool { return e.Permissions.CanDelete },
			ConfirmOf: confirmCancel, Destructive: true,
		},
		{
			Name: "invite", Type: "social.event.invite", Label: "Invite", Request: "POST /world/social/events/{id}/invitations",
			Allowed:  func(e social.Event) bool { return e.Permissions.CanInvite },
			Controls: func(social.Event) svc.List[Control] { return svc.List[Control]{recipientsControl()} },
		},
	},
}

// confirmCancel says how many dates of a series are cancelled, if its rule has their number: the
// dataset has the action of each event.
func confirmCancel(e social.Event) words.Text {
	if e.RRule == nil {
		return words.Textf(irreversibleWarning)
	}
	if n, _ := edit.EventCount(e.Times); n > 0 {
		return words.Textf("{0, plural, one {# date of the series is cancelled.} other {All # dates of the series are cancelled.}} This cannot be undone.", n)
	}
	return words.Textf("All dates of the series are cancelled. This cannot be undone.")
}

// Responses are the values of an RSVP.
var Responses = responseOptions()

func responseOptions() (list svc.List[Option]) {
	for _, v := range svc.Response("").Values() {
		list = append(list, Option{Value: v, Label: string(social.ResponseLabels[svc.Response(v)])})
	}
	return list
}

// eventControls returns the controls of the form in which the host edits an event.
func eventControls(e social.Event) svc.List[Control] {
	return slices.Concat(eventTitleAndTimes(e), eventLocation(e), eventDetailControls(e))
}

func eventTitleAndTimes(e social.Event) svc.List[Control] {
	return svc.List[Control]{
		titleControl(e.Title), dateTimeControl("start", "Starts", true, e.Start), dateTimeControl("end", "Ends", false, e.End),
		checkboxControl("all_day", "All day", e.AllDay),
	}
}

// eventLocation returns no control for a location with coordinates, because an edit of
// its label would not change the coordinates.
func eventLocation(e social.Event) svc.List[Control] {
	if e.Location.Latitude != nil {
		return nil
	}
	location := locationControl(e.Location.Label)
	location.MaxLength = svc.MaxTitle
	return svc.List[Control]{location}
}

func eventDetailControls(e social.Event) svc.List[Control] {
	rule := ""
	if e.RRule != nil {
		rule = *e.RRule
	}
	return svc.List[Control]{
		areaControl("description", "Description", svc.MaxBody, e.Description), recurrenceControl(rule),
		{ID: "capacity", Type: NumberInput, Label: "Maximum number of guests", Default: e.RSVP.Capacity}, zoneControl(e.Timezone),
	}
}

// eventEntry returns the entry of the action that creates an event.
func eventEntry[R any](allowed func(R) bool, audience func(R) Audience) Entry[R] {
	return Entry[R]{
		Name: "create_event", Type: "social.event.create", Label: "New event", Request: "POST /world/social/events",
		Allowed: allowed,
		Body:    func(r R) svc.Map { return audience(r).body() },
		Controls: func(r R) svc.List[Control] {
			var e social.Event
			return slices.Concat(eventTitleAndTimes(e), eventLocation(e),
				audience(r).controls(option(social.EventInvited, "Invited members")), eventDetailControls(e))
		},
	}
}
