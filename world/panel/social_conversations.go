package panel

import (
	"fmt"

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
	p.Summary = pageSummary(len(page.Conversations), page.Page, "conversation", "conversations")
	p.addSection("Conversations", noConversations, items(page.Conversations, conversationItem))
	p.addNextPage("More conversations", page.Page.NextCursor)
	return p.addGeneralForms(nil, "create_conversation")
}

func conversationItem(c social.Conversation) PanelItem {
	unread, closed := "", ""
	if c.UnreadCount > 0 {
		unread = fmt.Sprintf("%d unread", c.UnreadCount)
	}
	if c.State == "closed" {
		closed = "closed"
	}
	return PanelItem{
		ID: c.ID, Title: c.Title, Summary: joinNonEmpty(c.Author.DisplayName, formatCount(c.ReplyCount, "reply", "replies"), unread, closed),
		Metadata: svc.Map{
			"object_type": c.Type, "context": c.Context, "state": c.State, "unread_count": c.UnreadCount,
			"created_at": c.CreatedAt, "last_reply_at": c.LastReplyAt,
		},
		Actions: append(openRecord("conversations", c.ID), conversationButtons(c)...),
	}
}

func conversationButtons(c social.Conversation) svc.List[PanelAction] {
	return buttons(&action.Conversations, c, "mark_read", "close", "reopen")
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
	p.addSection("Conversation", "", svc.List[PanelItem]{{
		ID: c.ID, Title: c.Author.DisplayName, Summary: c.Body, Metadata: item.Metadata, Actions: conversationButtons(c),
	}})
	p.addReplies(d)
	p.addForms(forms(&action.Conversations, c, "reply", "update"))
	return nil
}

// addReplies adds the section of replies with a link to earlier ones.
func (p *socialPage) addReplies(d social.Discussion) {
	p.addSection("Replies", "No replies yet.", items(d.Replies, func(r social.Reply) PanelItem {
		return PanelItem{
			ID: r.ID, Title: r.Author.DisplayName, Summary: r.Body,
			Metadata: svc.Map{"object_type": "reply", "in_reply_to": r.InReplyTo, "created_at": r.CreatedAt},
		}
	}))
	p.addNextPage("Earlier replies", d.Page.PreviousCursor)
}

// dms renders the list of direct messages.
func (p *socialPage) dms() error {
	page, err := p.Social.DMs(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = fmt.Sprintf("%d unread", page.UnreadTotal)
	p.addSection("Direct messages", "No direct messages yet.", items(page.DMs, dmItem))
	p.addNextPage("More direct messages", page.Page.NextCursor)
	p.addForms(forms(&action.Social, action.General{}, "start_dm"))
	return err
}

func dmItem(d social.DM) PanelItem {
	return PanelItem{
		ID: d.ID, Title: d.Title, Summary: d.Summary,
		Metadata: svc.Map{"object_type": d.Type, "unread_count": d.UnreadCount, "last_message_at": d.LastMessageAt},
		Actions:  append(openRecord("dms", d.ID), buttons(&action.DMs, d, "mark_read")...),
	}
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
	item.Actions = buttons(&action.DMs, d.DM, "mark_read")
	p.Title, p.Summary = d.DM.Title, formatCount(d.DM.MessageCount, "message", "messages")
	p.addSection("Direct message", "", svc.List[PanelItem]{item})
	p.addSection("Messages", "No messages.", items(d.Messages, func(m social.DMMessage) PanelItem {
		return PanelItem{
			ID: m.ID, Title: names[m.SenderID], Summary: m.Body,
			Metadata: svc.Map{"object_type": "social_dm_message", "created_at": m.CreatedAt},
		}
	}))
	p.addNextPage("Earlier messages", d.Page.PreviousCursor)
	p.addForms(forms(&action.DMs, d.DM, "send_message"))
	return nil
}
