package panel

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
	"appliance/world/action"
)

const noConversations = "No conversations yet."

// conversations renders the list of conversations.
func (p *socialPage) conversations() error {
	page, err := p.Social.Conversations(p.tx, p.viewer, 0, p.query.Cursor)
	if err != nil {
		return err
	}
	p.Summary = pageSummary(len(page.Conversations), page.Page, "conversation", "conversations")
	p.addPage("conversations", "Conversations", noConversations, items(page.Conversations, conversationItem), "More conversations", page.Page.NextCursor)
	return p.addGeneralForms(nil, "create_conversation")
}

func conversationItem(c social.Conversation) PanelItem {
	unread, closed := "", ""
	switch {
	case c.UnreadCount > 0:
		unread = fmt.Sprintf("%d unread", c.UnreadCount)
	case c.MarkedUnread:
		unread = markedUnread
	}
	if c.State == "closed" {
		closed = "closed"
	}
	return PanelItem{
		ID: c.ID, Title: c.Title, Summary: joinNonEmpty(c.Author.DisplayName, formatCount(c.ReplyCount, "reply", "replies"), unread, closed),
		Metadata: svc.Map{
			"object_type": c.Type, "context": c.Context, "state": c.State, "unread_count": c.UnreadCount, "marked_unread": c.MarkedUnread,
			"read_up_to": c.ReadUpTo, "created_at": c.CreatedAt, "last_reply_at": c.LastReplyAt,
		},
		Actions: append(openRecord("conversations", c.ID), conversationButtons(c)...),
		Actor:   actorOf(c.Author.ID), ItemText: &ItemText{c.Body, c.Entities}, ItemReplies: repliesTo(c),
		Context: &ItemContext{c.Context.ID, c.ContextTitle, c.Context.Kind},
	}
}

// markedUnread is part of the summary of a thread that the viewer has marked as
// unread.
const markedUnread = "marked as unread"

func conversationButtons(c social.Conversation) svc.List[PanelAction] {
	return buttons(words.English, &action.Conversations, c, "mark_read", "mark_unread", "close", "reopen")
}

// conversation renders one conversation with its replies.
func (p *socialPage) conversation() error {
	d, err := p.Social.Discussion(p.tx, p.viewer, p.query.ID, svc.HistoryQuery{Before: p.query.Cursor})
	if err != nil {
		return err
	}
	c := d.Conversation
	item := conversationItem(c)
	p.Title, p.Summary = c.Title, item.Summary
	item.Title, item.Summary, item.Actions = c.Author.DisplayName, c.Body, conversationButtons(c)
	p.addSection("conversation", "Conversation", "", svc.List[PanelItem]{item})
	p.addReplies(d)
	p.addForms(forms(words.English, &action.Conversations, c, "reply", "update"))
	return nil
}

// addReplies adds the section of replies with a link to earlier ones.
func (p *socialPage) addReplies(d social.Discussion) {
	p.addHistory("replies", "Replies", "No replies yet.", items(d.Replies, func(r social.Reply) PanelItem {
		return PanelItem{
			ID: r.ID, Title: r.Author.DisplayName, Summary: r.Body,
			Metadata: svc.Map{"object_type": "reply", "in_reply_to": r.InReplyTo, "created_at": r.CreatedAt},
			Actor:    actorOf(r.Author.ID), ItemText: &ItemText{r.Body, r.Entities},
		}
	}), "Earlier replies", d.Page.PreviousCursor)
}

// dms renders the list of direct messages.
func (p *socialPage) dms() error {
	page, err := p.Social.DMs(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = fmt.Sprintf("%d unread", page.UnreadTotal)
	p.addPage("direct_messages", "Direct messages", "No direct messages yet.", items(page.DMs, dmItem), "More direct messages", page.Page.NextCursor)
	p.addForms(forms(words.English, &action.Social, action.General{}, "start_dm"))
	return err
}

func dmItem(d social.DM) PanelItem {
	item := PanelItem{
		ID: d.ID, Title: d.Title, Summary: d.Summary,
		Metadata: svc.Map{
			"object_type": d.Type, "unread_count": d.UnreadCount, "marked_unread": d.MarkedUnread, "read_up_to": d.ReadUpTo,
			"can_reply_reason": d.CanReplyReason, "last_message_at": d.LastMessageAt,
		},
		Actions:     append(openRecord("dms", d.ID), dmButtons(d)...),
		ItemReplies: messagesOf(d.MessageCount, d.LastSenderID, d.Summary, d.LastMessageAt),
	}
	for _, participant := range d.Participants {
		if !participant.IsSelf {
			item.Actor = actorOf(participant.ID)
		}
	}
	return item
}

func dmButtons(d social.DM) svc.List[PanelAction] {
	return buttons(words.English, &action.DMs, d, "mark_read", "mark_unread")
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
	item := dmItem(d.DM)
	item.Actions = dmButtons(d.DM)
	p.Title, p.Summary = d.DM.Title, formatCount(d.DM.MessageCount, "message", "messages")
	p.addSection("direct_message", "Direct message", "", svc.List[PanelItem]{item})
	p.addHistory("messages", "Messages", "No messages.", items(d.Messages, func(m social.DMMessage) PanelItem {
		return PanelItem{
			ID: m.ID, Title: names[m.SenderID], Summary: m.Body,
			Metadata: svc.Map{"object_type": "social_dm_message", "created_at": m.CreatedAt},
			Actor:    actorOf(m.SenderID), ItemText: &ItemText{m.Body, m.Entities},
		}
	}), "Earlier messages", d.Page.PreviousCursor)
	p.addForms(forms(words.English, &action.DMs, d.DM, "send_message"))
	return nil
}
