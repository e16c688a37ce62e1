package world

import (
	"fmt"
	"strings"

	"appliance/svc"
	"appliance/svc/social"
)

// deeds are the actions on one target in the making.
type deeds struct {
	*composer
	target   Target
	resource string // what the target is called in ids of actions
	list     []Action
}

// add adds an action, unless there is no address for it: then the member may
// not do it.
func (d *deeds) add(kind, label, method, url string, body svc.Map, controls ...Control) {
	if url == "" {
		return
	}
	kind = "social." + kind
	d.list = append(d.list, d.available(Action{
		ActionID: d.names.action(strings.ReplaceAll(kind, ".", "_"), d.resource, d.viewer.Member()), Type: kind, Label: label,
		Target: d.target, Command: Command{URL: url, Method: method, Body: body}, Controls: controls,
	}))
}

func (d *deeds) ids() svc.List[string] { return actionIDs(d.list) }

// on has what is added from now on be about another resource.
func (d *deeds) on(resource string) *deeds {
	d.resource = resource
	return d
}

// social is what can be done that is about nothing that is there already.
func (d *deeds) social(blocks []social.Block) {
	d.add("community.create", "New community", "POST", communitiesURL, nil,
		line("name", "Name", svc.MaxName, ""), area("summary", "What it is about", svc.MaxSummary, ""),
		choice("visibility", "Who sees it", "private", "private", "public"))
	d.on("open").converse("New conversation with everybody", svc.Map{"kind": "open"})
	d.on("public").plan("New event for everybody", svc.Map{"visibility": "public"})
	d.on("invited").plan("New event for whom you invite", svc.Map{"visibility": "invited"})
	for i, whom := range []string{"inner circle", "inner and trusted circles", "circles"} {
		depth := i + 1
		d.on(fmt.Sprint("depth_", depth)).converse("New conversation with your "+whom, svc.Map{"kind": "circle", "depth": depth})
		d.plan("New event for your "+whom, svc.Map{"visibility": "circle", "circle_depth": depth})
	}
	d.on("").add("dm.start", "New direct message", "POST", dmsURL, nil, recipient(), post("body", "Message", ""))
	d.add("notifications.read", "Mark all notifications as read", "POST", notificationsURL+"/read", svc.Map{"all": true})
	d.add("block", "Block somebody", "POST", blocksURL, nil, recipient())
	for _, b := range blocks {
		d.on(b.MemberID.String()).add("unblock", "No longer block "+b.DisplayName, "DELETE", fmt.Sprintf("%s/%v", blocksURL, b.MemberID), nil)
	}
}

// converse begins a conversation.
func (d *deeds) converse(label string, context svc.Map) {
	d.add("conversation.create", label, "POST", conversationsURL, svc.Map{"context": context},
		line("title", "Title", svc.MaxTitle, ""), post("body", "Text", ""))
}

// plan makes an event.
func (d *deeds) plan(label string, with svc.Map) {
	d.add("event.create", label, "POST", eventsURL, with,
		title(""), datetime("start", "Starts", true, ""), datetime("end", "Ends", false, ""), checkbox("all_day", "All day", false),
		location(""), description(""), repeat(""))
}

func (d *deeds) event(x social.Event) {
	e := NewEvent(x)
	d.add("event.open", "Open", "GET", e.Links.Self, nil)
	d.add("event.rsvp", "Answer", "POST", e.Actions["rsvp"], nil,
		choice("response", "Will you come?", x.RSVP.Mine, "going", "maybe", "declined", "none"), optional("note", "Note to the host", svc.MaxSummary, ""))
	d.add("event.reply", "Reply", "POST", e.Actions["reply"], nil, post("body", "Reply", ""))
	d.add("event.update", "Change", "PATCH", e.Actions["update"], nil, eventForm(x)...)
	d.add("event.cancel", "Cancel", "DELETE", e.Actions["cancel"], nil)
	d.add("event.invite", "Invite", "POST", e.Actions["invite"], nil, recipient())
}

func (d *deeds) community(x social.Community) {
	c := NewCommunity(x)
	d.add("community.open", "Open", "GET", c.Links.Self, nil)
	controls := svc.List[Control]{line("name", "Name", svc.MaxName, x.Name), area("summary", "What it is about", svc.MaxSummary, x.Summary)}
	if x.Visibility == "public" {
		controls = append(controls, choice("join_policy", "How one joins it", x.JoinPolicy, "open", "request", "invite"))
		d.add("community.enclose", "Make it private", "PATCH", c.Actions["update"], svc.Map{"visibility": "private"})
	}
	d.add("community.update", "Change", "PATCH", c.Actions["update"], nil, controls...)
	d.add("community.delete", "Delete", "DELETE", c.Actions["delete"], nil)
	d.add("community.join", "Join", "POST", c.Actions["join"], nil)
	d.add("community.leave", "Leave", "POST", c.Actions["leave"], nil)
	d.add("community.invite", "Invite", "POST", c.Actions["invite"], nil, recipient())
	if x.Permissions.CanPost {
		d.converse("New conversation", svc.Map{"kind": "community", "id": x.ID})
		d.plan("New event", svc.Map{"visibility": "community", "community_id": x.ID})
	}
}

func (d *deeds) invitation(x social.Invitation) {
	i := NewInvitation(x)
	d.add("invitation.accept", "Accept", "POST", i.Actions["accept"], nil)
	d.add("invitation.decline", "Decline", "POST", i.Actions["decline"], nil)
	d.add("invitation.revoke", "Take back the invitation of "+x.Invitee.DisplayName+" to "+x.Target.Title, "POST", i.Actions["revoke"], nil)
}

func (d *deeds) conversation(x social.Conversation) {
	c := NewConversation(x)
	d.add("conversation.open", "Open", "GET", c.Links.Self, nil)
	d.add("conversation.reply", "Reply", "POST", c.Actions["reply"], nil, post("body", "Reply", ""))
	if x.UnreadCount > 0 {
		d.add("conversation.read", "Mark as read", "POST", c.Actions["mark_read"], nil)
	}
	d.add("conversation.update", "Change", "PATCH", c.Actions["update"], nil,
		line("title", "Title", svc.MaxTitle, x.Title), post("body", "Text", x.Body))
	d.add("conversation.close", "Close", "DELETE", c.Actions["close"], nil)
	d.add("conversation.reopen", "Open it again", "PATCH", c.Actions["reopen"], svc.Map{"state": "open"})
}

func (d *deeds) dm(x social.DM) {
	dm := NewSocialDM(x)
	d.add("dm.open", "Open", "GET", dm.Links.Self, nil)
	d.add("dm.send", "Send message", "POST", dm.Actions["send_message"], nil, post("body", "Message", ""))
	if x.UnreadCount > 0 {
		d.add("dm.read", "Mark as read", "POST", dm.Actions["mark_read"], nil)
	}
}

func (d *deeds) profile(x social.Here) {
	p := NewProfile(x.Profile)
	d.add("profile.open", "Open", "GET", p.Actions["open"], nil)
	d.add("profile.update", "Change", "PATCH", p.Actions["update"], nil,
		line("display_name", "Name", svc.MaxName, x.DisplayName), optional("pronouns", "Pronouns", svc.MaxName, x.Pronouns),
		area("bio", "About you", social.MaxBio, x.Bio), choice("visibility", "Who sees it", x.Visibility, "circle", "members", "public"))
	if x.Permissions.CanUpdate {
		d.add("presence.set", "Say whether you are there", "POST", presenceURL, nil,
			choice("state", "State", "online", "online", "away", "busy", "offline"), optional("note", "Note", svc.MaxTitle, ""),
			choice("visible_to", "Who sees it", "members", "inner", "trusted", "extended", "members", "nobody"),
			Control{ID: "ttl_seconds", Type: "number", Label: "For how many seconds", Default: 300})
	}
	member := x.MemberID.String()
	d.add("dm.start", "Send message", "POST", p.Actions["start_dm"], svc.Map{"recipient": member}, post("body", "Message", ""))
	d.add("block", "Block", "POST", p.Actions["block"], svc.Map{"member_id": x.MemberID})
}

// charge is what can be done about somebody in a community.
func (d *deeds) charge(x social.Charge) {
	m := NewCommunityMember(x.CommunityMember)
	in := " in " + x.Community
	d.add("community.member.admit", "Let "+x.DisplayName+" into "+x.Community, "PATCH", m.Actions["admit"], svc.Map{"state": "active"})
	if x.Role == nil {
		d.add("community.member.remove", "Decline "+x.DisplayName+in, "DELETE", m.Actions["remove"], nil)
		return
	}
	d.add("community.member.role", "What "+x.DisplayName+" is"+in, "PATCH", m.Actions["role"], nil,
		choice("role", "Role", *x.Role, "owner", "moderator", "member"))
	d.add("community.member.remove", "Remove "+x.DisplayName+" from "+x.Community, "DELETE", m.Actions["remove"], nil)
}

const notificationsURL = "/world/social/notifications"

// recipient is a control that names a member.
func recipient() Control { return line("recipient", "Who: a name or an address", svc.MaxTitle, "") }

// line is a text of one line that must be given.
func line(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "text", Label: label, Required: true, Default: now, MaxLength: max}
}

// optional is a text of one line that may be empty.
func optional(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "text", Label: label, Default: now, MaxLength: max}
}

// area is a text of many lines, which may be empty.
func area(id, label string, max int, now string) Control {
	return Control{ID: id, Type: "textarea", Label: label, Default: now, MaxLength: max}
}

// choice chooses one of a few values.
func choice(id, label, now string, values ...string) Control {
	return Control{ID: id, Type: "selector", Label: label, Required: true, Default: now, Options: options(values...)}
}
