package panel

import (
	"maps"
	"slices"
	"strings"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

const (
	noUpcomingEvents = "No upcoming events."
	noPastEvents     = "No past events."
)

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
	n := len(upcoming.Events)
	p.Summary = pageCount(upcoming.Page, p.l.Textf("{0, plural, =0 {No upcoming events} one {# upcoming event} other {# upcoming events}}", n), p.l.Textf("%d upcoming events, and more", n))
	next, err := p.eventItems(upcoming.Events)
	if err != nil {
		return err
	}
	p.addPage("upcoming_events", p.l.Text("Upcoming events"), p.l.Text(noUpcomingEvents), next, p.l.Text("Later events"), upcoming.Page.NextCursor)
	if err := p.addEvents("past_events", p.l.Text("Past events"), p.l.Text(noPastEvents), past.Events); err != nil {
		return err
	}
	if p.query.Cursor == "" && p.wants("waiting") {
		waiting, err := p.waitingItems(func(q social.Question) bool {
			return q.Invitation == nil || q.Invitation.Kind == social.InvitationToEvent
		})
		if err != nil {
			return err
		}
		p.addWaiting(waiting)
	}
	return p.addGeneralForms(nil, "create_event")
}

// addEvents adds a section of events.
func (p *socialPage) addEvents(id, title, empty string, events []social.Event) error {
	list, err := p.eventItems(events)
	p.addSection(id, title, empty, list)
	return err
}

// eventItems returns the items of events, with the replies of their conversations.
func (p *socialPage) eventItems(events []social.Event) (svc.List[PanelItem], error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.ConversationID
	}
	conversations, err := p.Social.ConversationsByID(p.tx, p.viewer, ids...)
	replies := make(map[string]*ItemReplies, len(conversations))
	for _, c := range conversations {
		replies[c.ID] = repliesTo(c)
	}
	return items(events, func(e social.Event) PanelItem {
		item := p.eventItem(e)
		item.ItemReplies = replies[e.ConversationID]
		return item
	}), err
}

// eventStates are the states that the summary of an event contains, by value.
var eventStates = map[social.EventStatus]words.Word{social.EventCancelled: "cancelled", social.EventEnded: "ended"}

func (p *socialPage) eventItem(e social.Event) PanelItem {
	status := p.l.Text(string(eventStates[e.Status]))
	return PanelItem{
		ID: e.ID, Title: e.Title, Summary: joinNonEmpty(eventTime(p.l, e), e.Location.Label, rsvpText(p.l, e.RSVP), status),
		Metadata: svc.Map{
			"object_type": e.Type, "start": e.Start, "end": e.End, "timezone": e.Timezone, "all_day": e.AllDay, "rrule": e.RRule, "status": e.Status,
			"rsvp": e.RSVP.Mine, "community_id": e.CommunityID,
		},
		Actions: append(p.openRecord("events", e.ID), choiceButtons(p.l, &action.Events, e, "rsvp", "")...),
		Actor:   actorOf(e.Host.ID), ItemEvent: eventDetails(e), Context: &ItemContext{e.CommunityID, e.AudienceTitle, eventContexts[e.Visibility]},
	}
}

// eventContexts are the types of the contexts of events, by visibility.
var eventContexts = map[social.EventVisibility]ContextType{
	social.EventPublic: OpenContext, social.EventCommunity: CommunityContext, social.EventCircle: CircleContext, social.EventInvited: InvitedContext,
}

func eventDetails(e social.Event) *ItemEvent {
	start, end := view.EventMoments(e.Times)
	return &ItemEvent{
		Start: start, End: end, Description: e.Description, Location: e.Location, Host: actorOf(e.Host.ID), Counts: e.RSVP.Counts, Capacity: e.RSVP.Capacity,
		Community: e.Community, CanAnswerUntil: e.CanAnswerUntil, IsOver: e.IsOver,
	}
}

// eventTime formats the start of an event in its own time zone.
func eventTime(l words.Language, e social.Event) string {
	layout, format := localTime, "Mon 2 Jan 2006 15:04"
	if e.AllDay {
		layout, format = time.DateOnly, "Mon 2 Jan 2006"
	}
	start, err := time.Parse(layout, e.Start)
	if err != nil {
		return e.Start
	}
	formatted := l.Date(start, format)
	if !e.AllDay {
		formatted += " " + e.Timezone
	}
	if e.RRule != nil {
		formatted = l.Textf("Repeats from %s", formatted)
	}
	return formatted
}

// ownResponses are the texts of the viewer's response to an event, by value. They have the
// words of social.ResponseLabels.
var ownResponses = map[svc.Response]words.Word{svc.Going: "you: going", svc.Maybe: "you: maybe", svc.Declined: "you: not going"}

// rsvpText formats the responses to an event.
func rsvpText(l words.Language, r social.RSVPSummary) string {
	parts := []string{l.Textf("%d going", r.Counts.Going)}
	if r.Capacity != nil {
		parts[0] = l.Textf("%d of %d going", r.Counts.Going, *r.Capacity)
	}
	if r.Counts.Maybe > 0 {
		parts = append(parts, l.Textf("%d maybe", r.Counts.Maybe))
	}
	if r.Mine != svc.NoResponse {
		parts = append(parts, l.Text(string(ownResponses[r.Mine])))
	}
	return strings.Join(parts, ", ")
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
	item := p.eventItem(e)
	p.Title, p.Summary = e.Title, item.Summary
	item.Title, item.Summary = e.Host.DisplayName, e.Description
	item.Actions = append(choiceButtons(p.l, &action.Events, e, "rsvp", ""), buttons(p.l, &action.Events, e, "cancel")...)
	if !noDiscussion {
		item.Actions = append(item.Actions, p.conversationButtons(d.Conversation)...)
		item.ItemReplies = repliesTo(d.Conversation)
		maps.Copy(item.Metadata, readState(d.Conversation))
	}
	if e.RRule != nil {
		item.Metadata["date_count"] = edit.EventDates(e.Times) // 0 for a series without an end
	}
	p.addSection("event", p.l.Text("Event"), "", svc.List[PanelItem]{item})
	p.addSection("guests", p.l.Text("Guests"), p.l.Text("No answers yet."), items(attendees, p.attendeeItem))
	if !noDiscussion {
		p.addReplies(d)
	}
	if e.Permissions.CanInvite {
		list, _, err := p.Social.EventInvitations(p.tx, p.viewer, e.ID, svc.PageQuery{})
		if err != nil {
			return err
		}
		p.addInvitations(list)
	}
	p.addForms(withNote(forms(p.l, &action.Events, e, "rsvp", "reply", "invite", "update"), attendees, p.viewer.Member()))
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

func (p *socialPage) attendeeItem(r social.RSVP) PanelItem {
	return PanelItem{
		ID: r.Member.ID.String(), Title: r.Member.DisplayName, Summary: joinNonEmpty(p.l.Text(string(social.ResponseLabels[r.Response])), r.Note),
		Metadata: svc.Map{"response": r.Response, "note": r.Note, "responded_at": r.RespondedAt}, Actor: actorOf(r.Member.ID),
	}
}
