package action

import (
	"appliance/svc"
	"appliance/svc/thread"
)

// Threads declares the actions on threads of Messages.
var Threads = threadActions("messages",
	typedRequest{"open_thread", "GET /world/messages/{id}"},
	typedRequest{"send_message", "POST /world/messages/{id}/messages"},
	typedRequest{"mark_read", "POST /world/messages/{id}/read"},
	typedRequest{"mark_unread", "POST /world/messages/{id}/unread"},
)

// DMs declares the actions on direct messages of Social.
var DMs = threadActions("social",
	typedRequest{"social.dm.open", "GET /world/social/dms/{id}"},
	typedRequest{"social.dm.send", "POST /world/social/dms/{id}/messages"},
	typedRequest{"social.dm.read", "POST /world/social/dms/{id}/read"},
	typedRequest{"social.dm.unread", "POST /world/social/dms/{id}/unread"},
)

// typedRequest is the type and the request of an action that several kinds of records have.
type typedRequest struct{ actionType, request string }

// threadActions declares the actions on threads of one kind.
func threadActions(kind string, open, send, read, unread typedRequest) Table[thread.Thread] {
	state := func(t thread.Thread) readState { return readState{t.MessageCount, t.UnreadCount, t.MarkedUnread} }
	return Table[thread.Thread]{
		Kind: kind,
		ID:   func(t thread.Thread) string { return t.ID },
		Entries: []Entry[thread.Thread]{
			{Name: "open_thread", Type: open.actionType, Label: "Open", Request: open.request},
			{
				Name: "send_message", Type: send.actionType, Label: "Send message", Request: send.request,
				Allowed:  func(t thread.Thread) bool { return t.CanReply },
				Controls: func(thread.Thread) svc.List[Control] { return svc.List[Control]{messageControl()} },
			},
			markReadEntry(read, state),
			markUnreadEntry(unread, state),
		},
	}
}

// readState is the read state of a member in a thread or a conversation.
type readState struct {
	count, unread int64 // messages or posts
	marked        bool  // as unread
}

// markReadEntry returns the entry of the action that marks a record as read.
func markReadEntry[R any](t typedRequest, state func(R) readState) Entry[R] {
	return Entry[R]{
		Name: "mark_read", Type: t.actionType, Label: "Mark as read", Request: t.request,
		Useful: func(r R) bool { s := state(r); return s.unread > 0 || s.marked },
	}
}

// markUnreadEntry returns the entry of the action that marks a record as unread.
func markUnreadEntry[R any](t typedRequest, state func(R) readState) Entry[R] {
	return Entry[R]{
		Name: "mark_unread", Type: t.actionType, Label: "Mark as unread", Request: t.request,
		Useful: func(r R) bool { s := state(r); return s.count > 0 && s.unread == 0 && !s.marked },
	}
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
