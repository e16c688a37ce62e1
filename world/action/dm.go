package action

import (
	"appliance/svc"
	"appliance/svc/social"
)

// DMs declares the actions on direct messages of Social.
var DMs = Table[social.DM]{
	Kind: "social",
	ID:   func(d social.DM) string { return d.ID },
	URL:  func(d social.DM) string { return DMsURL + "/" + d.ID },
	Entries: []Entry[social.DM]{
		{Name: "open_thread", Type: "social.dm.open", Label: "Open", Method: "GET"},
		{
			Name: "send_message", Type: "social.dm.send", Label: "Send message", Method: "POST", Path: "/messages",
			Allowed:  func(d social.DM) bool { return d.CanReply },
			Controls: func(social.DM) svc.List[Control] { return svc.List[Control]{messageControl()} },
		},
		{
			Name: "mark_read", Type: "social.dm.read", Label: "Mark as read", Method: "POST", Path: "/read",
			Useful: func(d social.DM) bool { return d.UnreadCount > 0 || d.MarkedUnread },
		},
		{
			Name: "mark_unread", Type: "social.dm.unread", Label: "Mark as unread", Method: "POST", Path: "/unread",
			Useful: func(d social.DM) bool { return d.UnreadCount == 0 && !d.MarkedUnread },
		},
	},
}
