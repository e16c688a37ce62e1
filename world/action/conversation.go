package action

import (
	"appliance/svc"
	"appliance/svc/social"
)

// ConversationURLs returns the addresses of what the viewer is allowed to do
// with a conversation.
func ConversationURLs(c social.Conversation) svc.Dict[string] {
	self, can := ConversationsURL+"/"+c.ID, c.Permissions
	return allowed(
		link{true, "mark_read", self + "/read"},
		link{can.CanReply, "reply", self + "/replies"},
		link{can.CanUpdate, "update", self},
		link{can.CanClose && c.State == "open", "close", self},
		link{can.CanClose && c.State != "open", "reopen", self},
	)
}

// Conversation returns the actions on a conversation.
func (b Builder) Conversation(target Target, x social.Conversation) []Action {
	l, urls := &list{Builder: b, target: target, resource: x.ID}, ConversationURLs(x)
	l.add("conversation.open", "Open", "GET", ConversationsURL+"/"+x.ID, nil)
	l.add("conversation.reply", "Reply", "POST", urls["reply"], nil, PostControl("body", "Reply", ""))
	if x.UnreadCount > 0 {
		l.add("conversation.read", "Mark as read", "POST", urls["mark_read"], nil)
	}
	l.add("conversation.update", "Change", "PATCH", urls["update"], nil,
		TextControl("title", "Title", svc.MaxTitle, x.Title), PostControl("body", "Text", x.Body))
	l.add("conversation.close", "Close", "DELETE", urls["close"], nil)
	l.add("conversation.reopen", "Open it again", "PATCH", urls["reopen"], svc.Map{"state": "open"})
	return l.actions
}
