package action

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
)

// CommunityURLs returns the addresses of what the viewer is allowed to do with a
// community.
func CommunityURLs(c social.Community) svc.Dict[string] {
	self, can := CommunitiesURL+"/"+c.ID, c.Permissions
	return allowed(
		link{can.CanUpdate, "update", self},
		link{can.CanDelete, "delete", self},
		link{can.CanJoin, "join", self + "/join"},
		link{can.CanLeave, "leave", self + "/leave"},
		link{can.CanInvite, "invite", self + "/invitations"},
	)
}

// Community returns the actions on a community.
func (b Builder) Community(target Target, x social.Community) []Action {
	l, urls := &list{Builder: b, target: target, resource: x.ID}, CommunityURLs(x)
	l.add("community.open", "Open", "GET", CommunitiesURL+"/"+x.ID, nil)
	controls := svc.List[Control]{TextControl("name", "Name", svc.MaxName, x.Name), AreaControl("summary", "What it is about", svc.MaxSummary, x.Summary)}
	if x.Visibility == "public" {
		controls = append(controls, ChoiceControl("join_policy", "How one joins it", x.JoinPolicy, "open", "request", "invite"))
		l.add("community.enclose", "Make it private", "PATCH", urls["update"], svc.Map{"visibility": "private"})
	}
	l.add("community.update", "Change", "PATCH", urls["update"], nil, controls...)
	l.add("community.delete", "Delete", "DELETE", urls["delete"], nil)
	l.add("community.join", "Join", "POST", urls["join"], nil)
	l.add("community.leave", "Leave", "POST", urls["leave"], nil)
	l.add("community.invite", "Invite", "POST", urls["invite"], nil, RecipientControl())
	if x.Permissions.CanPost {
		l.newConversation("New conversation", svc.Map{"kind": "community", "id": x.ID})
		l.newEvent("New event", svc.Map{"visibility": "community", "community_id": x.ID})
	}
	return l.actions
}

// CommunityMemberURLs returns the addresses of what the viewer is allowed to do
// with a member of a community.
func CommunityMemberURLs(m social.CommunityMember) svc.Dict[string] {
	self, can := fmt.Sprintf("%s/%s/members/%d", CommunitiesURL, m.CommunityID, m.ID), m.Permissions
	return allowed(
		link{can.CanChangeRole, "role", self},
		link{can.CanAdmit, "admit", self},
		link{can.CanRemove, "remove", self},
	)
}

// CommunityMember returns the actions on a member, or on a member's request to
// join, of a community that the viewer moderates.
func (b Builder) CommunityMember(target Target, x social.Charge) []Action {
	l := &list{Builder: b, target: target, resource: x.CommunityID + "_" + x.ID.String()}
	urls, in := CommunityMemberURLs(x.CommunityMember), " in "+x.Community
	l.add("community.member.admit", "Let "+x.DisplayName+" into "+x.Community, "PATCH", urls["admit"], svc.Map{"state": "active"})
	if x.Role == nil {
		l.add("community.member.remove", "Decline "+x.DisplayName+in, "DELETE", urls["remove"], nil)
		return l.actions
	}
	l.add("community.member.role", "What "+x.DisplayName+" is"+in, "PATCH", urls["role"], nil,
		ChoiceControl("role", "Role", *x.Role, "owner", "moderator", "member"))
	l.add("community.member.remove", "Remove "+x.DisplayName+" from "+x.Community, "DELETE", urls["remove"], nil)
	return l.actions
}

// InvitationURLs returns the addresses of what the viewer is allowed to do with
// an invitation.
func InvitationURLs(i social.Invitation) svc.Dict[string] {
	self, can := InvitationsURL+"/"+i.ID, i.Permissions
	return allowed(
		link{can.CanAccept, "accept", self + "/accept"},
		link{can.CanDecline, "decline", self + "/decline"},
		link{can.CanRevoke, "revoke", self + "/revoke"},
	)
}

// Invitation returns the actions on an invitation.
func (b Builder) Invitation(target Target, x social.Invitation) []Action {
	l, urls := &list{Builder: b, target: target, resource: x.ID}, InvitationURLs(x)
	l.add("invitation.accept", "Accept", "POST", urls["accept"], nil)
	l.add("invitation.decline", "Decline", "POST", urls["decline"], nil)
	l.add("invitation.revoke", "Take back the invitation of "+x.Invitee.DisplayName+" to "+x.Target.Title, "POST", urls["revoke"], nil)
	return l.actions
}
