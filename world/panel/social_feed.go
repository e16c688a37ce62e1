package panel

import (
	"fmt"
	"slices"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

// activity renders the activity feed.
func (p *socialPage) activity() error {
	page, err := p.Social.Activity(p.tx, p.viewer, 0, p.query.Cursor)
	if err != nil {
		return err
	}
	p.Summary = "Recent activity of members and communities"
	texts, err := p.activityTexts(page.Activity)
	p.addPage("latest", "Latest", "No activity yet.", items(page.Activity, texts.activityItem), "Earlier activity", page.Page.NextCursor)
	return err
}

// activityVerbs are the predicates of activities, by kind.
var activityVerbs = map[string]string{
	"community.created": "created a community", "member.joined": "joined a community", "conversation.started": "started a conversation",
	"reply.posted": "replied", "event.created": "created an event", "event.updated": "updated an event",
	"event.cancelled": "cancelled an event", "rsvp.changed": "answered an event",
}

// targetReplies contains the replies to the conversations and events that a feed is
// about, by the id of the target.
type targetReplies map[string]*ItemReplies

// activityTexts returns the replies to the targets of activities.
func (p *socialPage) activityTexts(list []social.Activity) (targetReplies, error) {
	targets := make([]social.Target, len(list))
	for i, a := range list {
		targets[i] = a.Target
	}
	return p.targetReplies(targets)
}

// notificationTexts returns the replies to the targets of notifications.
func (p *socialPage) notificationTexts(list []social.Notification) (targetReplies, error) {
	targets := make([]social.Target, len(list))
	for i, n := range list {
		targets[i] = n.Target
	}
	return p.targetReplies(targets)
}

// targetReplies reads the replies to all targets at once.
func (p *socialPage) targetReplies(targets []social.Target) (targetReplies, error) {
	ids := make(map[string][]string)
	for _, t := range targets {
		if !slices.Contains(ids[t.Type], t.ID) {
			ids[t.Type] = append(ids[t.Type], t.ID)
		}
	}
	result := make(targetReplies)
	if len(ids["event"]) > 0 {
		events, err := p.Social.EventsByID(p.tx, p.viewer, ids["event"]...)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			ids["conversation"] = append(ids["conversation"], e.ConversationID)
		}
	}
	if len(ids["conversation"]) == 0 {
		return result, nil
	}
	conversations, err := p.Social.ConversationsByID(p.tx, p.viewer, ids["conversation"]...)
	for _, c := range conversations {
		id := c.ID
		if c.Context.Kind == "event" {
			id = *c.Context.ID
		}
		result[id] = repliesTo(c)
	}
	return result, err
}

// copyOf returns the replies to a target with members of their own, because
// CompleteActors sets them; nil if the viewer does not see the target.
func (r targetReplies) copyOf(id string) *ItemReplies {
	replies := r[id]
	if replies == nil || replies.LastReply == nil {
		return replies
	}
	last := *replies.LastReply
	last.Actor = actorOf(last.Actor.MemberID)
	return &ItemReplies{replies.ReplyCount, &last}
}

// targetContext returns the record that an entry of a feed is about, nil if the
// viewer does not see it.
func targetContext(t social.Target) *ItemContext {
	if t.ID == "" || t.Title == "" {
		return nil
	}
	return &ItemContext{&t.ID, t.Title, t.Type}
}

func (r targetReplies) activityItem(a social.Activity) PanelItem {
	return PanelItem{
		ID: a.ID, Title: a.Actor.DisplayName + " " + activityVerbs[a.Kind], Summary: a.Target.Title,
		Metadata: svc.Map{"kind": a.Kind, "target_type": a.Target.Type, "created_at": a.CreatedAt},
		Actions:  buttons(words.English, &action.Activities, a),
		Actor:    actorOf(a.Actor.ID), ItemReplies: r.copyOf(a.Target.ID), Context: targetContext(a.Target),
	}
}

// notifications renders pending invitations and notifications.
func (p *socialPage) notifications() error {
	pendingInvitations, err := p.Social.PendingInvitations(p.tx, p.viewer, maxItems)
	if err != nil {
		return err
	}
	page, err := p.Social.Notifications(p.tx, p.viewer, 0, p.query.Cursor)
	if err != nil {
		return err
	}
	texts, err := p.notificationTexts(page.Notifications)
	p.Summary = joinNonEmpty(fmt.Sprintf("%d unread", page.UnreadCount), formatInvitationCount(len(pendingInvitations)))
	p.addSection("invitations", "Invitations", noInvitations, items(pendingInvitations, invitationItem))
	p.addPage("notifications", "Notifications", "No notifications.", items(page.Notifications, texts.notificationItem), "Earlier notifications", page.Page.NextCursor)
	if page.UnreadCount > 0 {
		p.addForms(forms(words.English, &action.Social, action.General{}, "read_notifications"))
	}
	return err
}

func (r targetReplies) notificationItem(n social.Notification) PanelItem {
	return PanelItem{
		ID: n.ID, Title: n.Title, Summary: n.Summary,
		Metadata: svc.Map{"kind": n.Kind, "target_type": n.Target.Type, "created_at": n.CreatedAt, "unread": n.ReadAt == nil},
		Actions:  buttons(words.English, &action.Notifications, n),
		Actor:    actorOf(n.Actor.ID), ItemReplies: r.copyOf(n.Target.ID), Context: targetContext(n.Target),
	}
}

const noInvitations = "No pending invitations."

// formatInvitationCount formats the number of pending invitations, "" for none.
func formatInvitationCount(n int) string {
	if n == 0 {
		return ""
	}
	return formatCount(n, "pending invitation", "pending invitations")
}

// invitation renders one invitation.
func (p *socialPage) invitation() error {
	i, err := p.Social.Invitation(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	p.Title, p.Summary = i.Target.Title, invitationText(i)
	p.addSection("invitation", "Invitation", "", svc.List[PanelItem]{invitationItem(i)})
	return nil
}

// addInvitations adds a section of the invitations to the community or event that the
// page shows, under the names of the invitees.
func (p *socialPage) addInvitations(list []social.Invitation) {
	p.addSection("invitations", "Invitations", "No invitations yet.", items(list, func(i social.Invitation) PanelItem {
		item := invitationItem(i)
		item.Title, item.Actor = i.Invitee.DisplayName, actorOf(i.Invitee.ID)
		return item
	}))
}

func invitationText(i social.Invitation) string {
	kind := "a community"
	if i.Kind == "event" {
		kind = "an event"
	}
	return fmt.Sprintf("%s invites %s to %s", i.Inviter.DisplayName, i.Invitee.DisplayName, kind)
}

func invitationItem(i social.Invitation) PanelItem {
	return PanelItem{
		ID: i.ID, Title: i.Target.Title, Summary: joinNonEmpty(invitationText(i), i.State),
		Metadata: svc.Map{"object_type": i.Type, "state": i.State, "created_at": i.CreatedAt, "expires_at": i.ExpiresAt},
		Actions:  buttons(words.English, &action.Invitations, i), Actor: actorOf(i.Inviter.ID), Context: targetContext(i.Target),
	}
}
