package panel

import (
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
	p.Summary = p.l.Text("Recent activity of members and communities")
	list, err := p.activityItems(page.Activity)
	p.addPage("latest", p.l.Text("Latest"), p.l.Text("No activity yet."), list, p.l.Text("Earlier activity"), page.Page.NextCursor)
	return err
}

// addLatest adds the first page of the activity feed. The link to its next page opens the view of
// the activity.
func (p *socialPage) addLatest() error {
	if !p.wants("latest") {
		return nil
	}
	page, err := p.Social.Activity(p.tx, p.viewer, 0, "")
	if err != nil {
		return err
	}
	list, err := p.activityItems(page.Activity)
	p.addSection("latest", p.l.Text("Latest"), p.l.Text("No activity yet."), list)
	section := &p.Sections[len(p.Sections)-1]
	section.Page = new(SectionPage)
	if page.Page.NextCursor != nil {
		url := action.SocialViewURL("activity", "", *page.Page.NextCursor) + onlySection("latest").parameter()
		section.Page.Next = &url
	}
	return err
}

// activityTitles are the titles of activities with the name of the actor as their
// argument, by kind.
var activityTitles = map[social.ActivityKind]words.Word{
	social.CommunityCreatedActivity: "%s created a community", social.MemberJoinedActivity: "%s joined a community",
	social.ConversationStartedActivity: "%s started a conversation", social.ReplyPostedActivity: "%s replied",
	social.EventCreatedActivity: "%s created an event", social.EventUpdatedActivity: "%s updated an event",
	social.EventCancelledActivity: "%s cancelled an event", social.RSVPChangedActivity: "%s answered an event",
}

// targetReplies contains the replies to the conversations and events that a feed is
// about, by the id of the target.
type targetReplies map[string]*ItemReplies

// activityItems returns the items of activities, with the replies to their targets.
func (p *socialPage) activityItems(list []social.Activity) (svc.List[PanelItem], error) {
	targets := make([]social.Target, len(list))
	for i, a := range list {
		targets[i] = a.Target
	}
	replies, err := p.targetReplies(targets)
	return items(list, func(a social.Activity) PanelItem { return p.activityItem(a, replies.copyOf(a.Target.ID)) }), err
}

// notificationItems returns the items of notifications, with the replies to their targets.
func (p *socialPage) notificationItems(list []social.Notification) (svc.List[PanelItem], error) {
	targets := make([]social.Target, len(list))
	for i, n := range list {
		targets[i] = n.Target
	}
	replies, err := p.targetReplies(targets)
	return items(list, func(n social.Notification) PanelItem { return p.notificationItem(n, replies.copyOf(n.Target.ID)) }), err
}

// targetReplies reads the replies to all targets at once.
func (p *socialPage) targetReplies(targets []social.Target) (targetReplies, error) {
	ids := make(map[social.TargetType][]string)
	for _, t := range targets {
		if !slices.Contains(ids[t.Type], t.ID) {
			ids[t.Type] = append(ids[t.Type], t.ID)
		}
	}
	result := make(targetReplies)
	if len(ids[social.TargetEvent]) > 0 {
		events, err := p.Social.EventsByID(p.tx, p.viewer, ids[social.TargetEvent]...)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			ids[social.TargetConversation] = append(ids[social.TargetConversation], e.ConversationID)
		}
	}
	if len(ids[social.TargetConversation]) == 0 {
		return result, nil
	}
	conversations, err := p.Social.ConversationsByID(p.tx, p.viewer, ids[social.TargetConversation]...)
	for _, c := range conversations {
		id := c.ID
		if c.Context.Kind == social.ContextEvent {
			id = *c.Context.ID
		}
		result[id] = repliesTo(c)
	}
	return result, err
}

// copyOf returns a copy of the replies to a target with its own members,
// because CompleteActors sets them; nil if the viewer does not see the target.
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
	return &ItemContext{&t.ID, t.Title, ContextType(t.Type)}
}

func (p *socialPage) activityItem(a social.Activity, replies *ItemReplies) PanelItem {
	return PanelItem{
		ID: a.ID, Title: p.l.Textf(string(activityTitles[a.Kind]), a.Actor.DisplayName), Summary: a.Target.Title,
		Metadata: svc.Map{"kind": a.Kind, "target_type": a.Target.Type, "created_at": a.CreatedAt},
		Actions:  buttons(p.l, &action.Activities, a),
		Actor:    actorOf(a.Actor.ID), ItemReplies: replies, Context: targetContext(a.Target),
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
	list, err := p.notificationItems(page.Notifications)
	p.Summary = joinNonEmpty(p.l.Textf("%d unread", page.UnreadCount), p.invitationCount(len(pendingInvitations)))
	p.addSection("invitations", p.l.Text("Invitations"), p.l.Text(noInvitations), items(pendingInvitations, p.invitationItem))
	p.addPage("notifications", p.l.Text("Notifications"), p.l.Text("No notifications."), list, p.l.Text("Earlier notifications"), page.Page.NextCursor)
	if page.UnreadCount > 0 {
		p.addForms(forms(p.l, &action.Social, action.SocialViewer{}, "read_notifications"))
	}
	return err
}

func (p *socialPage) notificationItem(n social.Notification, replies *ItemReplies) PanelItem {
	return PanelItem{
		ID: n.ID, Title: n.Title, Summary: n.Summary,
		Metadata: svc.Map{"kind": n.Kind, "target_type": n.Target.Type, "created_at": n.CreatedAt, "unread": n.ReadAt == nil},
		Actions:  buttons(p.l, &action.Notifications, n),
		Actor:    actorOf(n.Actor.ID), ItemReplies: replies, Context: targetContext(n.Target),
	}
}

const noInvitations = "No pending invitations."

// invitationCount formats the number of pending invitations, "" for none.
func (p *socialPage) invitationCount(n int) string {
	if n == 0 {
		return ""
	}
	return p.l.Textf("{0, plural, one {# pending invitation} other {# pending invitations}}", n)
}

// invitation renders one invitation.
func (p *socialPage) invitation() error {
	i, err := p.Social.Invitation(p.tx, p.viewer, p.query.ID)
	if err != nil {
		return err
	}
	p.Title, p.Summary = i.Target.Title, invitationText(p.l, i)
	p.addSection("invitation", p.l.Text("Invitation"), "", svc.List[PanelItem]{p.invitationItem(i)})
	return nil
}

// addReceived adds the pending invitations to communities that the viewer has received. Pages
// after the first one do not have them.
func (p *socialPage) addReceived() error {
	if p.query.Cursor != "" || !p.wants("invitations") {
		return nil
	}
	list, err := p.Social.PendingInvitations(p.tx, p.viewer, maxItems)
	list = slices.DeleteFunc(list, func(i social.Invitation) bool { return i.Kind != social.InvitationToCommunity })
	p.addSection("invitations", p.l.Text("Invitations"), p.l.Text(noInvitations), items(list, p.invitationItem))
	return err
}

// addInvitations adds a section of the invitations to the community or event that the
// page shows, under the names of the invitees.
func (p *socialPage) addInvitations(list []social.Invitation) {
	p.addSection("invitations", p.l.Text("Invitations"), p.l.Text("No invitations yet."), items(list, func(i social.Invitation) PanelItem {
		item := p.invitationItem(i)
		item.Title, item.Actor = i.Invitee.DisplayName, actorOf(i.Invitee.ID)
		return item
	}))
}

func invitationText(l words.Language, i social.Invitation) string {
	if i.Kind == social.InvitationToEvent {
		return l.Textf("%s invites %s to an event", i.Inviter.DisplayName, i.Invitee.DisplayName)
	}
	return l.Textf("%s invites %s to a community", i.Inviter.DisplayName, i.Invitee.DisplayName)
}

func (p *socialPage) invitationItem(i social.Invitation) PanelItem {
	return PanelItem{
		ID: i.ID, Title: i.Target.Title, Summary: joinNonEmpty(invitationText(p.l, i), p.l.Text(string(social.InvitationStates[i.State]))),
		Metadata: svc.Map{"object_type": i.Type, "kind": i.Kind, "invitee_id": i.Invitee.ID, "state": i.State, "created_at": i.CreatedAt, "expires_at": i.ExpiresAt},
		Actions:  buttons(p.l, &action.Invitations, i), Actor: actorOf(i.Inviter.ID), Context: targetContext(i.Target),
	}
}
