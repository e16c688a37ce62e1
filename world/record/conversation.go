package record

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// Links contains the URL of a record.
type Links struct {
	Self string `json:"self"`
}

// Conversation is a conversation with its addresses. Schema:
// service.social.conversation.
type Conversation struct {
	social.Conversation
	Links   Links            `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewConversation returns the record of c.
func NewConversation(c social.Conversation) Conversation {
	return Conversation{c, Links{action.ConversationsURL + "/" + c.ID}, action.Conversations.URLs(c)}
}

// Discussion is a conversation with a page of its replies.
type Discussion struct {
	Conversation Conversation           `json:"conversation"`
	Replies      svc.List[social.Reply] `json:"replies"` // oldest first
	Page         svc.HistoryPage        `json:"page"`
}

// NewDiscussion returns the record of d.
func NewDiscussion(d social.Discussion) Discussion {
	return Discussion{NewConversation(d.Conversation), d.Replies, d.Page}
}

// Activity is an entry of the activity feed with the address of its subject.
// Schema: service.social.activity.
type Activity struct {
	social.Activity
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewActivity returns the record of a.
func NewActivity(a social.Activity) Activity { return Activity{a, action.Activities.URLs(a)} }

// Notification is a notification with the address of its subject. Schema:
// service.social.notification.
type Notification struct {
	social.Notification
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewNotification returns the record of n.
func NewNotification(n social.Notification) Notification {
	return Notification{n, action.Notifications.URLs(n)}
}
