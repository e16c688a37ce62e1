package panel

import (
	"maps"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/thread"
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
	p.Summary = pageCount(page.Page, p.l.Textf("{0, plural, =0 {No conversations} one {# conversation} other {# conversations}}", n), p.l.Textf("%d conversations, and more", n))
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
		ID: c.ID, Title: c.Title, Summary: joinNonEmpty(c.Author.DisplayName, p.l.Textf("{0, plural, =0 {no replies} one {# reply} other {# replies}}", int(c.ReplyCount)), unread, closed),
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

// readState returns the metadata of a conversation: whether it is open, and its read state
// for the viewer.
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
	page, err := p.Social.DMs.List(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = p.l.Textf("%d unread", page.UnreadTotal)
	p.addPage("direct_messages", p.l.Text("Direct messages"), p.l.Text("No direct messages yet."), items(page.Threads, func(t thread.Thread) PanelItem {
		return p.dmItem(t, p.openRecord("dms", t.ID))
	}), p.l.Text("More direct messages"), page.Page.NextCursor)
	p.addForms(forms(p.l, &action.Social, action.SocialViewer{}, "start_dm"))
	return err
}

// dmItem returns the item of a DM. The actions in first precede its own.
func (p *socialPage) dmItem(t thread.Thread, first svc.List[PanelAction]) PanelItem {
	item := threadItem(t)
	item.Metadata["object_type"] = social.DMType
	item.Actions = append(first, buttons(p.l, &action.DMs, t, "mark_read", "mark_unread")...)
	return item
}

// dm renders one DM with its messages.
func (p *socialPage) dm() error {
	d, err := p.Social.DMs.Peek(p.tx, p.viewer, p.query.ID, svc.HistoryQuery{Before: p.query.Cursor})
	if err != nil {
		return err
	}
	p.Title, p.Summary = d.Thread.Title, p.l.Textf("{0, plural, =0 {no messages} one {# message} other {# messages}}", int(d.Thread.MessageCount))
	p.addSection("direct_message", p.l.Text("Direct message"), "", svc.List[PanelItem]{p.dmItem(d.Thread, nil)})
	p.addHistory("messages", p.l.Text("Messages"), p.l.Text("No messages."), messageItems(d, func(m thread.Message) svc.Map {
		return svc.Map{"object_type": "social_dm_message", "created_at": m.CreatedAt}
	}), p.l.Text("Earlier messages"), d.Page.PreviousCursor)
	p.addForms(forms(p.l, &action.DMs, d.Thread, "send_message"))
	return nil
}
