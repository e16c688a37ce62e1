package panel

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// conversations are what people talk about.
func (p *socialPage) conversations() error {
	page, err := p.Social.Conversations(p.tx, p.viewer, 0, p.query.Cursor)
	if err != nil {
		return err
	}
	p.Summary = shown(len(page.Conversations), page.Page, "conversation", "conversations")
	p.section("Conversations", "Nobody has begun a conversation yet.", items(page.Conversations, conversationItem))
	p.more("More conversations", page.Page.NextCursor)
	begin, err := p.beginForm()
	p.offer(begin)
	return err
}

func conversationItem(c social.Conversation) PanelItem {
	unread, closed := "", ""
	if c.UnreadCount > 0 {
		unread = fmt.Sprintf("%d new", c.UnreadCount)
	}
	if c.State == "closed" {
		closed = "closed"
	}
	return PanelItem{
		ID: c.ID, Title: c.Title, Summary: sentence(c.Author.DisplayName, counted(c.ReplyCount, "reply", "replies"), unread, closed),
		Metadata: svc.Map{
			"object_type": c.Type, "context": c.Context, "state": c.State, "unread_count": c.UnreadCount,
			"created_at": c.CreatedAt, "last_reply_at": c.LastReplyAt,
		},
		Actions: append(svc.List[PanelAction]{opening("conversations", c.ID)}, conversationDoings(c)...),
	}
}

func conversationDoings(c social.Conversation) svc.List[PanelAction] {
	offered := record.NewConversation(c).Actions
	if c.UnreadCount == 0 {
		delete(offered, "mark_read")
	}
	return doings(offered,
		doing{"mark_read", markAsRead, "conversation.read", "POST", nil},
		doing{"close", "Close the conversation", "conversation.close", "PATCH", svc.Map{"state": "closed"}},
		doing{"reopen", "Open the conversation again", "conversation.update", "PATCH", svc.Map{"state": "open"}})
}

// conversation is one conversation with what was said in it.
func (p *socialPage) conversation() error {
	d, err := p.Social.Discussion(p.tx, p.viewer, p.query.ID, svc.HistoryQuery{Before: p.query.Cursor})
	if err != nil {
		return err
	}
	c := d.Conversation
	item := conversationItem(c)
	p.Title, p.Summary = c.Title, item.Summary
	p.section("Conversation", "", svc.List[PanelItem]{{
		ID: c.ID, Title: c.Author.DisplayName, Summary: c.Body, Metadata: item.Metadata, Actions: conversationDoings(c),
	}})
	p.replies(d)
	offered := record.NewConversation(c).Actions
	if at, ok := offered["reply"]; ok {
		p.offer(replyForm(at))
	}
	if at, ok := offered["update"]; ok {
		p.offer(form("update_conversation", "Change the conversation", "PATCH", at, action.TitleControl(c.Title), action.PostControl("body", "What it is about", c.Body)))
	}
	return nil
}

// replies are the latest that were said, or what was said before them.
func (p *socialPage) replies(d social.Discussion) {
	p.section("Replies", "Nobody has replied yet.", items(d.Replies, func(r social.Reply) PanelItem {
		return PanelItem{
			ID: r.ID, Title: r.Author.DisplayName, Summary: r.Body,
			Metadata: svc.Map{"object_type": "reply", "in_reply_to": r.InReplyTo, "created_at": r.CreatedAt},
		}
	}))
	p.more("Earlier replies", d.Page.PreviousCursor)
}

// beginForm begins a conversation among whom the member chooses.
func (p *socialPage) beginForm() (Descriptor, error) {
	among, err := p.among()
	return form("create_conversation", "New conversation", "POST", action.ConversationsURL,
		action.TitleControl(""), action.PostControl("body", "What it is about", ""),
		action.Control{ID: "among", Type: "selector", Label: "Among", Required: true, Default: "open", Options: among}), err
}

// among are those whom the member can talk to: everybody, their communities,
// their circles.
func (p *socialPage) among() (svc.List[action.Option], error) {
	mine, _, err := p.Social.Communities(p.tx, p.viewer, true, social.ListQuery{Limit: svc.MaxLimit})
	list := svc.List[action.Option]{{Value: "open", Label: "Everybody"}}
	for _, c := range mine {
		list = append(list, action.Option{Value: c.ID, Label: c.Name})
	}
	return append(list, action.Option{Value: "circle:1", Label: "Your inner circle"}, action.Option{Value: "circle:2", Label: "Your inner and trusted circles"},
		action.Option{Value: "circle:3", Label: "All of your circles"}), err
}

func replyForm(at string) Descriptor {
	return form("reply", "Reply", "POST", at, action.PostControl("body", "Reply", ""))
}

// dms are what the member and others say to one another.
func (p *socialPage) dms() error {
	page, err := p.Social.DMs(p.tx, p.viewer, 0, p.query.Cursor)
	p.Summary = fmt.Sprintf("%d unread", page.UnreadTotal)
	p.section("Direct messages", "You have not written to anybody here, nor anybody to you.", items(page.DMs, dmItem))
	p.more("More direct messages", page.Page.NextCursor)
	p.offer(form("start_dm", "New direct message", "POST", action.DMsURL, action.RecipientControl(), action.PostControl("body", "Message", "")))
	return err
}

func dmItem(d social.DM) PanelItem {
	return PanelItem{
		ID: d.ID, Title: d.Title, Summary: d.Summary,
		Metadata: svc.Map{"object_type": d.Type, "unread_count": d.UnreadCount, "last_message_at": d.LastMessageAt},
		Actions:  append(svc.List[PanelAction]{opening("dms", d.ID)}, dmDoings(d)...),
	}
}

func dmDoings(d social.DM) svc.List[PanelAction] {
	if d.UnreadCount == 0 {
		return nil
	}
	return doings(record.NewSocialDM(d).Actions, doing{"mark_read", markAsRead, "dm.read", "POST", nil})
}

// dm is one DM with its messages.
func (p *socialPage) dm() error {
	d, err := p.Social.PeekDM(p.tx, p.viewer, p.query.ID, svc.HistoryQuery{Before: p.query.Cursor})
	if err != nil {
		return err
	}
	names := make(map[svc.MemberID]string)
	for _, one := range d.DM.Participants {
		names[one.ID] = one.DisplayName
	}
	item := dmItem(d.DM)
	item.Actions = dmDoings(d.DM)
	p.Title, p.Summary = d.DM.Title, counted(d.DM.MessageCount, "message", "messages")
	p.section("Between you", "", svc.List[PanelItem]{item})
	p.section("Messages", "Nothing was written.", items(d.Messages, func(m social.DMMessage) PanelItem {
		return PanelItem{
			ID: m.ID, Title: names[m.SenderID], Summary: m.Body,
			Metadata: svc.Map{"object_type": "social_dm_message", "created_at": m.CreatedAt},
		}
	}))
	p.more("Earlier messages", d.Page.PreviousCursor)
	if at, ok := record.NewSocialDM(d.DM).Actions["send_message"]; ok {
		p.offer(form("send_message", "Write", "POST", at, action.PostControl("body", "Message", "")))
	}
	return nil
}
