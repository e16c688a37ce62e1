package action

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
)

// MemberURLs returns the addresses of what the viewer is allowed to do with a
// member: open accepts GET, update PATCH, the others POST.
func MemberURLs(member svc.MemberID, can social.ProfilePermissions) svc.Dict[string] {
	return allowed(
		link{can.CanView, "open", fmt.Sprintf("%s/%v", ProfilesURL, member)},
		link{can.CanUpdate, "update", ProfileURL},
		link{!can.CanUpdate, "block", BlocksURL},
		link{can.CanDM, "start_dm", DMsURL},
	)
}

// Profile returns the actions on a profile.
func (b Builder) Profile(target Target, x social.Here) []Action {
	member := x.MemberID.String()
	l, urls := &list{Builder: b, target: target, resource: member}, MemberURLs(x.MemberID, x.Permissions)
	l.add("profile.open", "Open", "GET", urls["open"], nil)
	l.add("profile.update", "Change", "PATCH", urls["update"], nil,
		TextControl("display_name", "Name", svc.MaxName, x.DisplayName), OptionalControl("pronouns", "Pronouns", svc.MaxName, x.Pronouns),
		AreaControl("bio", "About you", social.MaxBio, x.Bio), ChoiceControl("visibility", "Who sees it", x.Visibility, "circle", "members", "public"))
	if x.Permissions.CanUpdate {
		l.add("presence.set", "Say whether you are there", "POST", PresenceURL, nil,
			ChoiceControl("state", "State", "online", "online", "away", "busy", "offline"), OptionalControl("note", "Note", svc.MaxTitle, ""),
			ChoiceControl("visible_to", "Who sees it", "members", "inner", "trusted", "extended", "members", "nobody"),
			Control{ID: "ttl_seconds", Type: "number", Label: "For how many seconds", Default: 300})
	}
	l.add("dm.start", "Send message", "POST", urls["start_dm"], svc.Map{"recipient": member}, PostControl("body", "Message", ""))
	l.add("block", "Block", "POST", urls["block"], svc.Map{"member_id": x.MemberID})
	return l.actions
}
