package world

import (
	"appliance/svc"
	"appliance/svc/social"
)

const conversationsURL = "/world/social/conversations"

// Conversation is a conversation with the addresses where it goes on. Schema:
// service.social.conversation.
type Conversation struct {
	social.Conversation
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // what the member may do with it, and where
}

// NewConversation returns the conversation as World shows it.
func NewConversation(c social.Conversation) Conversation {
	self := conversationsURL + "/" + c.ID
	actions := svc.Dict[string]{"mark_read": self + "/read"}
	if c.Permissions.CanReply {
		actions["reply"] = self + "/replies"
	}
	if c.Permissions.CanUpdate {
		actions["update"] = self
	}
	if c.Permissions.CanClose && c.State == "open" {
		actions["close"] = self
	} else if c.Permissions.CanClose {
		actions["reopen"] = self
	}
	return Conversation{c, Links{self}, actions}
}

// Discussion is a conversation with some of its replies.
type Discussion struct {
	Conversation Conversation           `json:"conversation"`
	Replies      svc.List[social.Reply] `json:"replies"` // the oldest first
	Page         svc.HistoryPage     `json:"page"`
}

// NewDiscussion returns the conversation and its replies as World shows them.
func NewDiscussion(d social.Discussion) Discussion {
	return Discussion{NewConversation(d.Conversation), d.Replies, d.Page}
}

// Activity is something that happened, with where to look at it. Schema:
// service.social.activity.
type Activity struct {
	social.Activity
	Actions svc.Dict[string] `json:"actions"`
}

// NewActivity returns it as World shows it.
func NewActivity(a social.Activity) Activity { return Activity{a, openTarget(a.Target)} }

// Notification is something that a member should know of, with where to look
// at it. Schema: service.social.notification.
type Notification struct {
	social.Notification
	Actions svc.Dict[string] `json:"actions"`
}

// NewNotification returns it as World shows it.
func NewNotification(n social.Notification) Notification {
	return Notification{n, openTarget(n.Target)}
}

// targetViews are the views of the panel of Social by what they show (B-28).
var targetViews = map[string]string{
	"community": "communities", "conversation": "conversations", "event": "events", "dm": "dms", "invitation": "notifications",
}

func openTarget(t social.Target) svc.Dict[string] {
	return svc.Dict[string]{"open": "/world/panels/social?view=" + targetViews[t.Type] + "&id=" + t.ID}
}
