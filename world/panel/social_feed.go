package panel

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// activity renders the activity feed.
func (p *socialPage) activity() error {
	page, err := p.Social.Activity(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = "Recent activity of members and communities"
	p.addSection("Latest", "No activity yet.", items(page.Activity, activityItem))
	p.addNextPage("Earlier activity", page.Page.NextCursor)
	return err
}

// activityTexts are the predicates of activities, by kind.
var activityTexts = map[string]string{
	"community.created": "created a community", "member.joined": "joined a community", "conversation.started": "started a conversation",
	"reply.posted": "replied", "event.created": "created an event", "event.updated": "updated an event",
	"event.cancelled": "cancelled an event", "rsvp.changed": "responded to an event",
}

func activityItem(a social.Activity) PanelItem {
	return PanelItem{
		ID: a.ID, Title: a.Actor.DisplayName + " " + activityTexts[a.Kind], Summary: a.Target.Title,
		Metadata: svc.Map{"kind": a.Kind, "target_type": a.Target.Type, "created_at": a.CreatedAt},
		Actions:  buttons(&action.Activities, a),
	}
}

// notifications renders pending invitations and notifications.
func (p *socialPage) notifications() error {
	pendingInvitations, err := p.Social.PendingInvitations(p.tx, p.viewer, maxItems)
	if err != nil {
		return err
	}
	page, err := p.Social.Notifications(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = joinNonEmpty(fmt.Sprintf("%d unread", page.UnreadCount), formatInvitationCount(len(pendingInvitations)))
	p.addSection("Invitations", noInvitations, items(pendingInvitations, invitationItem))
	p.addSection("Notifications", "No notifications.", items(page.Notifications, notificationItem))
	p.addNextPage("Earlier notifications", page.Page.NextCursor)
	if page.UnreadCount > 0 {
		p.addForms(forms(&action.Social, action.General{}, "read_notifications"))
	}
	return err
}

func notificationItem(n social.Notification) PanelItem {
	return PanelItem{
		ID: n.ID, Title: n.Title, Summary: n.Summary,
		Metadata: svc.Map{"kind": n.Kind, "target_type": n.Target.Type, "created_at": n.CreatedAt, "unread": n.ReadAt == nil},
		Actions:  buttons(&action.Notifications, n),
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
	p.addSection("Invitation", "", svc.List[PanelItem]{invitationItem(i)})
	return nil
}

// addInvitations adds a section of the invitations to the community or event that the
// page shows, under the names of the invitees.
func (p *socialPage) addInvitations(list []social.Invitation) {
	p.addSection("Invitations", "No invitations yet.", items(list, func(i social.Invitation) PanelItem {
		item := invitationItem(i)
		item.Title = i.Invitee.DisplayName
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
		Actions:  buttons(&action.Invitations, i),
	}
}
