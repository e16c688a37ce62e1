package action

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
)

// Communities declares the actions on communities.
var Communities = Table[social.Community]{
	Kind: "social",
	ID:   func(c social.Community) string { return c.ID },
	URL:  func(c social.Community) string { return CommunitiesURL + "/" + c.ID },
	Entries: []Entry[social.Community]{
		{Name: "open", Type: "social.community.open", Label: "Open", Method: "GET"},
		{
			Name: "join", Type: "social.community.join", LabelOf: joinLabel, Method: "POST", Path: "/join",
			Allowed: func(c social.Community) bool { return c.Permissions.CanJoin },
		},
		{
			Name: "leave", Type: "social.community.leave", LabelOf: leaveLabel, Method: "POST", Path: "/leave",
			Allowed: func(c social.Community) bool { return c.Permissions.CanLeave },
		},
		conversationEntry(canPost, communityAudience),
		eventEntry(canPost, communityAudience),
		{
			Name: "invite", Type: "social.community.invite", Label: "Invite", Method: "POST", Path: "/invitations",
			Allowed:  func(c social.Community) bool { return c.Permissions.CanInvite },
			Controls: func(social.Community) svc.List[Control] { return svc.List[Control]{recipientsControl()} },
		},
		{
			Name: "update", Type: "social.community.update", Label: "Edit", Method: "PATCH",
			Allowed: func(c social.Community) bool { return c.Permissions.CanUpdate },
			Controls: func(c social.Community) svc.List[Control] {
				controls := communityControls(c)
				if c.Visibility == "public" { // private communities are invitation-only
					controls = append(controls, selectorControl("join_policy", "Who can join", c.JoinPolicy, joinPolicies))
				}
				return controls
			},
		},
		{
			Name: "color", Type: "social.community.color", Label: "Change color", Method: "PATCH",
			Allowed:  func(c social.Community) bool { return c.Permissions.CanChangeAppearance },
			Controls: func(c social.Community) svc.List[Control] { return svc.List[Control]{namedColorControl(c.Color)} },
		},
		{
			Name: "set_avatar", Type: "social.community.avatar.set", Label: "Set picture", Method: "POST", Path: "/avatar",
			Allowed:  func(c social.Community) bool { return c.Permissions.CanChangeAppearance },
			Controls: func(social.Community) svc.List[Control] { return svc.List[Control]{pictureControl()} },
		},
		{
			Name: "delete_avatar", Type: "social.community.avatar.delete", Label: "Remove picture", Method: "DELETE", Path: "/avatar", Alias: "delete",
			Allowed: func(c social.Community) bool { return c.Permissions.CanChangeAppearance && c.Avatar != nil },
		},
		{
			Name: "make_private", Type: "social.community.make_private", Label: "Make private", Method: "PATCH",
			Allowed: func(c social.Community) bool { return c.Permissions.CanUpdate && c.Visibility == "public" },
			Body:    func(social.Community) svc.Map { return svc.Map{"visibility": "private"} },
		},
		{
			Name: "delete", Type: "social.community.delete", Label: "Delete community", Method: "DELETE",
			Allowed: func(c social.Community) bool { return c.Permissions.CanDelete },
		},
	},
}

func canPost(c social.Community) bool { return c.Permissions.CanPost }

func communityAudience(c social.Community) Audience { return Audience{Fixed: c.ID} }

func joinLabel(c social.Community) words.Text {
	if c.JoinPolicy == "request" && c.Membership.State != "invited" {
		return words.Textf("Request to join")
	}
	return words.Textf("Join")
}

func leaveLabel(c social.Community) words.Text {
	if c.Membership.State == "requested" {
		return words.Textf("Withdraw request")
	}
	return words.Textf("Leave")
}

var joinPolicies = svc.List[Option]{{Value: "open", Label: "Every member"}, {Value: "request", Label: "Members whose request is accepted"}, {Value: "invite", Label: "Only invited members"}}

// communityControls are the name and the summary of a community.
func communityControls(c social.Community) svc.List[Control] {
	return svc.List[Control]{requiredControl("name", "Name", svc.MaxName, c.Name), areaControl("summary", "Description", svc.MaxSummary, c.Summary)}
}

// CommunityMembers declares the actions on community members and on requests to
// join.
var CommunityMembers = Table[social.CommunityMember]{
	Kind: "social",
	ID:   func(m social.CommunityMember) string { return m.CommunityID + "_" + m.ID.String() },
	URL: func(m social.CommunityMember) string {
		return fmt.Sprintf("%s/%s/members/%d", CommunitiesURL, m.CommunityID, m.ID)
	},
	Entries: []Entry[social.CommunityMember]{
		{
			Name: "admit", Type: "social.community.member.admit", Method: "PATCH",
			LabelOf: func(m social.CommunityMember) words.Text { return words.Textf("Admit %s", m.DisplayName) },
			Allowed: func(m social.CommunityMember) bool { return m.Permissions.CanAdmit },
			Body:    func(social.CommunityMember) svc.Map { return svc.Map{"state": "active"} },
		},
		{
			Name: "role", Type: "social.community.member.role", Method: "PATCH",
			LabelOf: func(m social.CommunityMember) words.Text { return words.Textf("Change role of %s", m.DisplayName) },
			Allowed: func(m social.CommunityMember) bool { return m.Permissions.CanChangeRole },
			Controls: func(m social.CommunityMember) svc.List[Control] {
				return svc.List[Control]{selectorControl("role", "Role", *m.Role, Options("owner", "moderator", "member"))}
			},
		},
		{
			Name: "remove", Type: "social.community.member.remove", Method: "DELETE",
			LabelOf: func(m social.CommunityMember) words.Text {
				if m.Role == nil {
					return words.Textf("Decline request of %s", m.DisplayName)
				}
				return words.Textf("Remove %s", m.DisplayName)
			},
			Allowed: func(m social.CommunityMember) bool { return m.Permissions.CanRemove },
		},
	},
}

// Invitations declares the actions on invitations.
var Invitations = Table[social.Invitation]{
	Kind: "social",
	ID:   func(i social.Invitation) string { return i.ID },
	URL:  func(i social.Invitation) string { return InvitationsURL + "/" + i.ID },
	Entries: []Entry[social.Invitation]{
		{
			Name: "accept", Type: "social.invitation.accept", Label: "Accept", Method: "POST", Path: "/accept",
			Allowed: func(i social.Invitation) bool { return i.Permissions.CanAccept },
		},
		{
			Name: "decline", Type: "social.invitation.decline", Label: "Decline", Method: "POST", Path: "/decline",
			Allowed: func(i social.Invitation) bool { return i.Permissions.CanDecline },
		},
		{
			Name: "revoke", Type: "social.invitation.revoke", Method: "POST", Path: "/revoke",
			LabelOf: func(i social.Invitation) words.Text {
				return words.Textf("Cancel invitation of %s", i.Invitee.DisplayName)
			},
			Allowed: func(i social.Invitation) bool { return i.Permissions.CanRevoke },
		},
	},
}
