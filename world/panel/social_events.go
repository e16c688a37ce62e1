package panel

import (
	"fmt"
	"time"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// events are those to come, and the last that are over.
func (p *socialPage) events() error {
	next, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Cursor: p.query.Cursor})
	if err != nil {
		return err
	}
	past, err := p.Social.Events(p.tx, p.viewer, social.EventQuery{Past: true, Limit: atAGlance})
	if err != nil {
		return err
	}
	p.Summary = shown(len(next.Events), next.Page, "event to come", "events to come")
	p.section("Next events", noEvents, items(next.Events, eventItem))
	p.more("Later events", next.Page.NextCursor)
	p.section("Past events", "No event is over yet.", items(past.Events, eventItem))
	among, err := p.among()
	if err != nil {
		return err
	}
	plan, err := p.planForm(action.Control{ID: "among", Type: "selector", Label: "For", Required: true, Default: "invited",
		Options: append(svc.List[action.Option]{{Value: "invited", Label: "Those whom you invite"}}, among...)})
	p.offer(plan)
	return err
}

const noEvents = "No event is planned that you see."

func eventItem(e social.Event) PanelItem {
	state := ""
	if e.Status != "scheduled" {
		state = e.Status
	}
	return PanelItem{
		ID: e.ID, Title: e.Title, Summary: sentence(eventTime(e), e.Location.Label, coming(e.RSVP), state),
		Metadata: svc.Map{
			"object_type": e.Type, "start": e.Start, "end": e.End, "timezone": e.Timezone, "all_day": e.AllDay, "status": e.Status,
			"rsvp": e.RSVP.Mine, "community_id": e.CommunityID,
		},
		Actions: append(svc.List[PanelAction]{opening("events", e.ID)}, answers(e)...),
	}
}

// eventTime is when an event is, as a clock shows it there.
func eventTime(e social.Event) string {
	layout, shown := localTime, "Mon 2 Jan 2006 15:04"
	if e.AllDay {
		layout, shown = time.DateOnly, "Mon 2 Jan 2006"
	}
	start, err := time.Parse(layout, e.Start)
	if err != nil {
		return e.Start
	}
	text := start.Format(shown)
	if !e.AllDay {
		text += " " + e.Timezone
	}
	if e.RRule != nil {
		text = "From " + text + ", again and again"
	}
	return text
}

// coming says who comes.
func coming(a social.RSVPSummary) string {
	text := fmt.Sprintf("%d going", a.Counts.Going)
	if a.Capacity != nil {
		text = fmt.Sprintf("%d of %d going", a.Counts.Going, *a.Capacity)
	}
	if a.Counts.Maybe > 0 {
		text += fmt.Sprintf(", %d maybe", a.Counts.Maybe)
	}
	if mine := map[string]string{"going": "you are going", "maybe": "you may come", "declined": "you do not come"}[a.Mine]; mine != "" {
		text += ", " + mine
	}
	return text
}

// responses are the answers to an event.
var responses = svc.List[action.Option]{{Value: "going", Label: "Going"}, {Value: "maybe", Label: "Maybe"}, {Value: "declined", Label: "Not going"}, {Value: "none", Label: "No answer"}}

// answers are those to an event that the member has not given.
func answers(e social.Event) (actions svc.List[PanelAction]) {
	at, may := record.NewEvent(e).Actions["rsvp"]
	for _, r := range responses {
		if may && r.Value != e.RSVP.Mine {
			actions = append(actions, PanelAction{"rsvp_" + r.Value, r.Label, "social.event.rsvp", "POST", at, svc.Map{"response": r.Value}})
		}
	}
	return actions
}

// event is one event: who comes, and what is said about it.
func (p *socialPage) event() error {
	e, err := p.Social.Event(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	d, err := p.Social.Discussion(p.tx, p.viewer, e.ConversationID, svc.HistoryQuery{Before: p.query.Cursor})
	silent := svc.KindOf(err) == svc.Missing // a community's event, by a host who is hidden: what they say there is too
	if err != nil && !silent {
		return err
	}
	e.Permissions.CanReply = e.Permissions.CanReply && !silent
	attendees, err := p.Social.Attendees(p.tx, p.viewer, e.ID)
	if err != nil {
		return err
	}
	item := eventItem(e)
	p.Title, p.Summary = e.Title, item.Summary
	item.Title, item.Summary = e.Host.DisplayName, e.Description
	item.Actions = append(answers(e), doings(record.NewEvent(e).Actions, doing{"cancel", "Cancel the event", "event.cancel", "DELETE", nil})...)
	if !silent {
		item.Actions = append(item.Actions, conversationDoings(d.Conversation)...)
	}
	p.section("Event", "", svc.List[PanelItem]{item})
	p.section("Who comes", "Nobody has answered yet.", items(attendees, attendeeItem))
	if !silent {
		p.replies(d)
	}
	if err := p.askedTo(e); err != nil {
		return err
	}
	p.offer(eventForms(e, noted(attendees, p.viewer.Member()))...)
	return nil
}

// noted is what a member has noted with their answer.
func noted(attendees []social.RSVP, member svc.MemberID) string {
	for _, r := range attendees {
		if r.Member.ID == member {
			return r.Note
		}
	}
	return ""
}

func attendeeItem(r social.RSVP) PanelItem {
	label := ""
	for _, o := range responses {
		if o.Value == r.Response {
			label = o.Label
		}
	}
	return PanelItem{
		ID: r.Member.ID.String(), Title: r.Member.DisplayName, Summary: sentence(label, r.Note),
		Metadata: svc.Map{"response": r.Response, "responded_at": r.RespondedAt},
	}
}

// askedTo are those who were asked to an event, for whoever may ask others.
func (p *socialPage) askedTo(e social.Event) error {
	if !e.Permissions.CanInvite {
		return nil
	}
	list, _, err := p.Social.EventInvitations(p.tx, p.viewer, e.ID, social.ListQuery{})
	p.invitations(list)
	return err
}

// eventForms are what can be said about an event by somebody who has noted
// something with their answer.
func eventForms(e social.Event, note string) (forms []Descriptor) {
	offered := record.NewEvent(e).Actions
	if at, ok := offered["rsvp"]; ok {
		forms = append(forms, form("rsvp", "Answer", "POST", at,
			action.Control{ID: "response", Type: "selector", Label: "You are", Required: true, Default: e.RSVP.Mine, Options: responses},
			action.Control{ID: "note", Type: "text", Label: "Note to the host", Default: note, MaxLength: svc.MaxSummary}))
	}
	if at, ok := offered["reply"]; ok {
		forms = append(forms, replyForm(at))
	}
	if at, ok := offered["invite"]; ok {
		forms = append(forms, form("invite", "Invite", "POST", at, action.RecipientControl()))
	}
	if at, ok := offered["update"]; ok {
		forms = append(forms, form("update_event", "Change the event", "PATCH", at, action.EventControls(e)...))
	}
	return forms
}

// planForm plans an event for those whom a control says.
func (p *socialPage) planForm(among action.Control) (Descriptor, error) {
	me, err := p.Members.Me(p.tx, p.viewer)
	controls := append(action.EventControls(social.Event{Timezone: me.Member.Timezone}), among)
	return form("create_event", "New event", "POST", action.EventsURL, controls...), err
}
