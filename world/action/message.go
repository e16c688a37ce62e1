package action

import (
	"appliance/svc"
	"appliance/svc/messages"
)

// Threads declares the actions on threads.
var Threads = Table[messages.Thread]{
	Kind: "messages",
	ID:   func(t messages.Thread) string { return t.ID },
	URL:  func(t messages.Thread) string { return MessagesURL + "/" + t.ID },
	Entries: []Entry[messages.Thread]{
		{Name: "open_thread", Type: "open_thread", Label: "Open", Method: "GET"},
		{
			Name: "send_message", Type: "send_message", Label: "Send message", Method: "POST", Path: "/messages",
			Allowed:  func(t messages.Thread) bool { return t.CanReply },
			Controls: func(messages.Thread) svc.List[Control] { return svc.List[Control]{messageControl()} },
		},
		{
			Name: "mark_read", Type: "mark_read", Label: "Mark as read", Method: "POST", Path: "/read",
			Useful: func(t messages.Thread) bool { return t.UnreadCount > 0 },
		},
	},
}

// NewThreads declares the action that starts a thread.
var NewThreads = Table[struct{}]{
	Kind: "messages",
	Entries: []Entry[struct{}]{{
		Name: "start_thread", Type: "start_thread", Label: "New message", Method: "POST", Path: MessagesURL,
		Controls: func(struct{}) svc.List[Control] { return svc.List[Control]{recipientControl(), messageControl()} },
	}},
}

func messageControl() Control { return bodyControl("Message", "") }
