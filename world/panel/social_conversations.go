package panel

import (
	"maps"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

const noConversations = "No conversations yet."

// conversations renders the list of conversations.
func (p *socialPage) conversations() error {
	page, err := p.Social.Conversations(p.tx, p.viewer, 0, p.query.Cursor)
	if err != nil {
		return err
	}
	n := len(page.Conversations)
	p.Summary = pageCount(page.Page, p.l.CountOrNone(n, "No conversations", "%d conversation", "%d conversations"), p.l.Textf("%d conversations, and more", n))
	p.addPage("conversations", p.l.Text("Conversations"), p.l.Text(noConversations), items(page.Conversations, p.conversationItem), p.l.Text("More conversations"), page.Page.NextCursor)
	return p.addGeneralForms(nil, "create_conversation")
}

func (p *socialPage) conversationItem(c social.Conversation) PanelItem {
	unread, closed := "", ""
	switch {
	case c.UnreadCount > 0:
		unread = p.l.Textf("%d unread", c.UnreadCount)
	case c.MarkedUnread:
		unread = p.l.Text("marked as unread")
	}
	if c.State == social.ConversationClosed {
		closed = p.l.Text("closed")
	}
	item := PanelItem{
		ID: c.ID, Title: c.Title, Summary: joinNonEmpty(c.Author.DisplayName, p.l.CountOrNone(int(c.ReplyCount), "no replies", "%d reply", "%d replies"), unread, closed),
		Metadata: svc.Map{
			"object_type": c.Type, "context": c.Context, "participant_count": c.ParticipantCount, "created_at": c.CreatedAt, "last_reply_at": c.LastReplyAt,
		},
		Actions: append(p.openRecord("conversations", c.ID), p.conversationButtons(c)...),
		Actor:   actorOf(c.Author.ID), ItemText: &ItemText{c.Body, c.Entities}, ItemReplies: repliesTo(c),
		Context: &ItemContext{c.Context.ID, c.ContextTitle, ContextType(c.Context.Kind)},
	}
	maps.Copy(item.Metadata, readState(c))
	return item
}

// readState returns the metadata of a conversation that say whether it is open and how far
// the viewer has read it.
func readState(c social.Conversation) svc.Map {
	return svc.Map{"state": c.State, "unread_count": c.UnreadCount, "marked_unread": c.MarkedUnread, "read_up_to": c.ReadUpTo}
}

func (p *socialPage) conversationButtons(c social.Conversation) svc.List[PanelAction] {
	return buttons(p.l, &action.Conversations, c, "mark_read", "mark_unread", "close", "reopen")
}

// conversation renders one conversation with its replies.
func (p *socialPage) conversation() error {
	d, err := p.Social.Discussion(p.tx, p.viewer, p.query.ID, svc.HistoryQuery{Before: p.query.Cursor})
	if err != nil {
		return err
	}
	c := d.Conversation
	item := p.conversationItem(c)
	p.Title, p.Summary = c.Title, item.Summary
	item.Title, item.Summary, item.Actions = c.Author.DisplayName, c.Body, p.conversationButtons(c)
	p.addSection("conversation", p.l.Text("Conversation"), "", svc.List[PanelItem]{item})
	p.addReplies(d)
	p.addForms(forms(p.l, &action.Conversations, c, "reply", "update"))
	return nil
}

// addReplies adds the section of replies with a link to earlier ones.
func (p *socialPage) addReplies(d social.Discussion) {
	p.addHistory("replies", p.l.Text("Replies"), p.l.Text("No replies yet."), items(d.Replies, func(r social.Reply) PanelItem {
		return PanelItem{
			ID: r.ID, Title: r.Author.DisplayName, Summary: r.Body,
			Metadata: svc.Map{"object_type": "reply", "in_reply_to": r.InReplyTo, "created_at": r.CreatedAt},
			Actor:    actorOf(r.Author.ID), ItemText: &ItemText{r.Body, r.Entities},
		}
	}), p.l.Text("Earlier replies"), d.Page.PreviousCursor)
}

// dms renders the list of direct messages.
func (p *socialPage) dms() error {
	page, err := p.Social.DMs(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = p.l.Textf("%d unread", page.UnreadTotal)
	p.addPage("direct_messages", p.l.Text("Direct messages"), p.l.Text("No direct messages yet."), items(page.DMs, p.dmItem), p.l.Text("More direct messages"), page.Page.NextCursor)
	p.addForms(forms(p.l, &action.Social, action.General{}, "start_dm"))
	return err
}

func (p *socialPage) dmItem(d social.DM) PanelItem {
	item := PanelItem{
		ID: d.ID, Title: d.Title, Summary: d.Summary,
		Metadata: svc.Map{
			"object_type": d.Type, "unread_count": d.UnreadCount, "marked_unread": d.MarkedUnread, "read_up_to": d.ReadUpTo,
			"can_reply_reason": d.CanReplyReason, "last_message_at": d.LastMessageAt,
		},
		Actions:     append(p.openRecord("dms", d.ID), p.dmButtons(d)...),
		ItemReplies: messagesOf(d.MessageCount, d.LastSenderID, d.Summary, d.LastMessageAt),
	}
	for _, participant := range d.Participants {
		if !participant.IsSelf {
			item.Actor = actorOf(participant.ID)
		}
	}
	return item
}

func (p *socialPage) dmButtons(d social.DM) svc.List[PanelAction] {
	return buttons(p.l, &action.DMs, d, "mark_read", "mark_unread")
}

// dm renders one DM with its messages.
func (p *socialPage) dm() error {
	d, err := p.Social.PeekDM(p.tx, p.viewer, p.query.ID, svc.HistoryQuery{Before: p.query.Cursor})
	if err != nil {
		return err
	}
	names := make(map[svc.MemberID]string)
	for _, participant := range d.DM.Participants {
		names[participant.ID] = participant.DisplayName
	}
	item := p.dmItem(d.DM)
	item.Actions = p.dmButtons(d.DM)
	p.Title, p.Summary = d.DM.Title, p.l.CountOrNone(int(d.DM.MessageCount), "no messages", "%d message", "%d messages")
	p.addSection("direct_message", p.l.Text("Direct message"), "", svc.List[PanelItem]{item})
	p.addHistory("messages", p.l.Text("Messages"), p.l.Text("No messages."), items(d.Messages, func(m social.DMMessage) PanelItem {
		return PanelItem{
			ID: m.ID, Title: names[m.SenderID], Summary: m.Body,
			Metadata: svc.Map{"object_type": "social_dm_message", "created_at": m.CreatedAt},
			Actor:    actorOf(m.SenderID), ItemText: &ItemText{m.Body, m.Entities},
		}
	}), p.l.Text("Earlier messages"), d.Page.PreviousCursor)
	p.addForms(forms(p.l, &action.DMs, d.DM, "send_message"))
	return nil
}
