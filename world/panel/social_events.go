package panel

import (
	"fmt"
	"slices"
	"time"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

const noUpcomingEvents = "No upcoming events."

// events renders upcoming events and the latest past ones.
func (p *socialPage) events() error {
	upcoming, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Cursor: p.query.Cursor})
	if err != nil {
		return err
	}
	past, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Past: true, Limit: overviewItems})
	if err != nil {
		return err
	}
	p.Summary = pageSummary(len(upcoming.Events), upcoming.Page, "upcoming event", "upcoming events")
	p.addSection("Upcoming events", noUpcomingEvents, items(upcoming.Events, eventItem))
	p.addNextPage("Later events", upcoming.Page.NextCursor)
	p.addSection("Past events", "No past events.", items(past.Events, eventItem))
	return p.addGeneralForms(nil, "create_event")
}

func eventItem(e social.Event) PanelItem {
	status := ""
	if e.Status != "scheduled" {
		status = e.Status
	}
	return PanelItem{
		ID: e.ID, Title: e.Title, Summary: joinNonEmpty(eventTime(e), e.Location.Label, rsvpText(e.RSVP), status),
		Metadata: svc.Map{
			"object_type": e.Type, "start": e.Start, "end": e.End, "timezone": e.Timezone, "all_day": e.AllDay, "status": e.Status,
			"rsvp": e.RSVP.Mine, "community_id": e.CommunityID,
		},
		Actions: append(openRecord("events", e.ID), choiceButtons(&action.Events, e, "rsvp", "")...),
	}
}

// eventTime formats the start of an event in its own time zone.
func eventTime(e social.Event) string {
	layout, format := localTime, "Mon 2 Jan 2006 15:04"
	if e.AllDay {
		layout, format = time.DateOnly, "Mon 2 Jan 2006"
	}
	start, err := time.Parse(layout, e.Start)
	if err != nil {
		return e.Start
	}
	formatted := start.Format(format)
	if !e.AllDay {
		formatted += " " + e.Timezone
	}
	if e.RRule != nil {
		formatted = "Repeats from " + formatted
	}
	return formatted
}

// rsvpText formats the responses to an event.
func rsvpText(r social.RSVPSummary) string {
	summary := fmt.Sprintf("%d going", r.Counts.Going)
	if r.Capacity != nil {
		summary = fmt.Sprintf("%d of %d going", r.Counts.Going, *r.Capacity)
	}
	if r.Counts.Maybe > 0 {
		summary += fmt.Sprintf(", %d maybe", r.Counts.Maybe)
	}
	if mine := map[string]string{"going": "you are going", "maybe": "you may go", "declined": "you are not going"}[r.Mine]; mine != "" {
		summary += ", " + mine
	}
	return summary
}

// event renders one event with its guests and its conversation.
func (p *socialPage) event() error {
	e, err := p.Social.Event(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	d, err := p.Social.Discussion(p.tx, p.viewer, e.ConversationID, svc.HistoryQuery{Before: p.query.Cursor})
	noDiscussion := svc.KindOf(err) == svc.Missing // the host of an event of a common community is hidden from the viewer
	if err != nil && !noDiscussion {
		return err
	}
	e.Permissions.CanReply = e.Permissions.CanReply && !noDiscussion
	attendees, err := p.Social.Attendees(p.tx, p.viewer, e.ID)
	if err != nil {
		return err
	}
	item := eventItem(e)
	p.Title, p.Summary = e.Title, item.Summary
	item.Title, item.Summary = e.Host.DisplayName, e.Description
	item.Actions = append(choiceButtons(&action.Events, e, "rsvp", ""), buttons(&action.Events, e, "cancel")...)
	if !noDiscussion {
		item.Actions = append(item.Actions, conversationButtons(d.Conversation)...)
	}
	p.addSection("Event", "", svc.List[PanelItem]{item})
	p.addSection("Guests", "No responses yet.", items(attendees, attendeeItem))
	if !noDiscussion {
		p.addReplies(d)
	}
	if e.Permissions.CanInvite {
		list, _, err := p.Social.EventInvitations(p.tx, p.viewer, e.ID, social.ListQuery{})
		if err != nil {
			return err
		}
		p.addInvitations(list)
	}
	p.addForms(withNote(forms(&action.Events, e, "rsvp", "reply", "invite", "update"), attendees, p.viewer.Member()))
	return nil
}

// withNote sets the default of the note in the RSVP form to the member's present
// note, which a new response would otherwise remove.
func withNote(forms []Descriptor, attendees []social.RSVP, member svc.MemberID) []Descriptor {
	i := slices.IndexFunc(attendees, func(r social.RSVP) bool { return r.Member.ID == member })
	for _, form := range forms {
		for c := range form.Controls {
			if i >= 0 && form.Controls[c].ID == "note" {
				form.Controls[c].Default = attendees[i].Note
			}
		}
	}
	return forms
}

func attendeeItem(r social.RSVP) PanelItem {
	label := ""
	for _, o := range action.Responses {
		if o.Value == r.Response {
			label = o.Label
		}
	}
	return PanelItem{
		ID: r.Member.ID.String(), Title: r.Member.DisplayName, Summary: joinNonEmpty(label, r.Note),
		Metadata: svc.Map{"response": r.Response, "responded_at": r.RespondedAt},
	}
}
