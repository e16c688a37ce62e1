package action

import (
	"appliance/svc"
	"appliance/svc/messages"
)

// Threads declares the actions on threads.
var Threads = Table[messages.Thread]{
	Kind: "messages",
	ID:   func(t messages.Thread) string { return t.ID },
	Entries: []Entry[messages.Thread]{
		{Name: "open_thread", Type: "open_thread", Label: "Open", Request: "GET /world/messages/{id}"},
		{
			Name: "send_message", Type: "send_message", Label: "Send message", Request: "POST /world/messages/{id}/messages",
			Allowed:  func(t messages.Thread) bool { return t.CanReply },
			Controls: func(messages.Thread) svc.List[Control] { return svc.List[Control]{messageControl()} },
		},
		{
			Name: "mark_read", Type: "mark_read", Label: "Mark as read", Request: "POST /world/messages/{id}/read",
			Useful: func(t messages.Thread) bool { return t.UnreadCount > 0 || t.MarkedUnread },
		},
		{
			Name: "mark_unread", Type: "mark_unread", Label: "Mark as unread", Request: "POST /world/messages/{id}/unread",
			Useful: func(t messages.Thread) bool { return t.UnreadCount == 0 && !t.MarkedUnread },
		},
	},
}

// ThreadActions returns the domain_actions of the source of a thread: the contract names
// these two.
func ThreadActions(t messages.Thread) svc.List[string] {
	return Threads.DomainActions(t, "open_thread", "send_message")
}

// NewThreads declares the actions of Messages that concern no thread. The control of
// the search is a parameter of its URL.
var NewThreads = Table[struct{}]{
	Kind: "messages",
	Entries: []Entry[struct{}]{
		{
			Name: "start_thread", Type: "start_thread", Label: "New message", Request: "POST /world/messages",
			Controls: func(struct{}) svc.List[Control] { return svc.List[Control]{recipientControl(), messageControl()} },
		},
		{
			Name: "search", Type: "search_messages", Label: "Search messages", Request: "GET /world/messages",
			Controls: func(struct{}) svc.List[Control] {
				return svc.List[Control]{requiredControl("q", "Words", svc.MaxTitle, "")}
			},
		},
	},
}

func messageControl() Control { return bodyControl("Message", "") }
