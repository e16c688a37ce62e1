package action

import (
	"appliance/svc"
	"appliance/svc/social"
)

// DMURLs returns the addresses of what the viewer is allowed to do with a DM:
// open_thread accepts GET, the others POST.
func DMURLs(d social.DM) svc.Dict[string] {
	self := DMsURL + "/" + d.ID
	return allowed(
		link{true, "open_thread", self},
		link{true, "mark_read", self + "/read"},
		link{d.CanReply, "send_message", self + "/messages"},
	)
}

// DM returns the actions on a DM.
func (b Builder) DM(target Target, x social.DM) []Action {
	l, urls := &list{Builder: b, target: target, resource: x.ID}, DMURLs(x)
	l.add("dm.open", "Open", "GET", DMsURL+"/"+x.ID, nil)
	l.add("dm.send", "Send message", "POST", urls["send_message"], nil, PostControl("body", "Message", ""))
	if x.UnreadCount > 0 {
		l.add("dm.read", "Mark as read", "POST", urls["mark_read"], nil)
	}
	return l.actions
}
