package action

import (
	"appliance/svc"
	"appliance/svc/social"
)

// DMs declares the actions on direct messages of Social.
var DMs = Table[social.DM]{
	Kind: "social",
	ID:   func(d social.DM) string { return d.ID },
	Entries: []Entry[social.DM]{
		{Name: "open_thread", Type: "social.dm.open", Label: "Open", Request: "GET /world/social/dms/{id}"},
		{
			Name: "send_message", Type: "social.dm.send", Label: "Send message", Request: "POST /world/social/dms/{id}/messages",
			Allowed:  func(d social.DM) bool { return d.CanReply },
			Controls: func(social.DM) svc.List[Control] { return svc.List[Control]{messageControl()} },
		},
		{
			Name: "mark_read", Type: "social.dm.read", Label: "Mark as read", Request: "POST /world/social/dms/{id}/read",
			Useful: func(d social.DM) bool { return d.UnreadCount > 0 || d.MarkedUnread },
		},
		{
			Name: "mark_unread", Type: "social.dm.unread", Label: "Mark as unread", Request: "POST /world/social/dms/{id}/unread",
			Useful: func(d social.DM) bool { return d.UnreadCount == 0 && !d.MarkedUnread },
		},
	},
}
