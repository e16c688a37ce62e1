package panel

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/thread"
)

// threadItem returns the item of a thread in a list.
func threadItem(t thread.Thread) PanelItem {
	return PanelItem{
		ID: t.ID, Title: t.Title, Summary: t.Summary,
		Metadata: svc.Map{
			"unread_count": t.UnreadCount, "marked_unread": t.MarkedUnread, "read_up_to": t.ReadUpTo, "can_reply_reason": t.CanReplyReason,
			"last_message_at": t.LastMessageAt,
		},
		Actor: actorOf(t.Partner),
		ItemReplies: &ItemReplies{t.MessageCount, &ItemLastReply{
			actorOf(t.LastSenderID), svc.SingleLine(t.Summary, social.ExcerptLength), *t.LastMessageAt,
		}},
	}
}

// messageItems returns the messages of a thread under the names of their senders.
// metadata contains the values of all of them.
func messageItems(d thread.Detail, metadata func(thread.Message) svc.Map) svc.List[PanelItem] {
	names := make(map[svc.MemberID]string)
	for _, p := range d.Thread.Participants {
		names[p.ID] = p.DisplayName
	}
	return items(d.Messages, func(m thread.Message) PanelItem {
		return PanelItem{
			ID: m.ID, Title: names[m.SenderID], Summary: m.Body, Metadata: metadata(m),
			Actor: actorOf(m.SenderID), ItemText: &ItemText{m.Body, m.Entities},
		}
	})
}
