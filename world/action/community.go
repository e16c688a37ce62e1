package action

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/svc/words"
)

const changeCommunity = "PATCH /world/social/communities/{id}"

// Communities declares the actions on communities.
var Communities = Table[social.Community]{
	Kind: "social",
	ID:   func(c social.Community) string { return c.ID },
	Entries: []Entry[social.Community]{
		{Name: "open", Type: "social.community.open", Label: "Open", Request: "GET /world/social/communities/{id}"},
		{
			Name: "join", Type: "social.community.join", LabelOf: joinLabel, Request: "POST /world/social/communities/{id}/join",
			Allowed: func(c social.Community) bool { return c.Permissions.CanJoin },
		},
		{
			Name: "leave", Type: "social.community.leave", LabelOf: leaveLabel, Request: "POST /world/social/communities/{id}/leave",
			Allowed: func(c social.Community) bool { return c.Permissions.CanLeave }, ConfirmOf: confirmLeave, Destructive: true,
		},
		conversationEntry(canPost, communityAudience),
		eventEntry(canPost, communityAudience),
		{
			Name: "invite", Type: "social.community.invite", Label: "Invite", Request: "POST /world/social/communities/{id}/invitations",
			Allowed:  func(c social.Community) bool { return c.Permissions.CanInvite },
			Controls: func(social.Community) svc.List[Control] { return svc.List[Control]{recipientsControl()} },
		},
		{
			Name: "update", Type: "social.community.update", Label: "Edit", Request: changeCommunity,
			Allowed: func(c social.Community) bool { return c.Permissions.CanUpdate },
			Controls: func(c social.Community) svc.List[Control] {
				controls := communityControls(c)
				if c.Visibility == social.CommunityPublic { // private communities are invitation-only
					controls = append(controls, selectorControl("join_policy", "Who can join", c.JoinPolicy, joinPolicies))
				}
				return controls
			},
		},
		{
			Name: "color", Type: "social.community.color", Label: "Change color", Request: changeCommunity,
			Allowed:  func(c social.Community) bool { return c.Permissions.CanChangeAppearance },
			Controls: func(c social.Community) svc.List[Control] { return svc.List[Control]{namedColorControl(c.Color)} },
		},
		{
			Name: "set_avatar", Type: "social.community.avatar.set", Label: "Set picture", Request: "POST /world/social/communities/{id}/avatar",
			Allowed:  func(c social.Community) bool { return c.Permissions.CanChangeAppearance },
			Controls: func(social.Community) svc.List[Control] { return svc.List[Control]{pictureControl()} },
		},
		{
			Name: "delete_avatar", Type: "social.community.avatar.delete", Label: "Remove picture", Request: "DELETE /world/social/communities/{id}/avatar", Alias: "delete",
			Allowed: func(c social.Community) bool { return c.Permissions.CanChangeAppearance && c.Avatar != nil }, Confirm: irreversibleWarning, Destructive: true,
		},
		{
			Name: "make_private", Type: "social.community.make_private", Label: "Make private", Request: changeCommunity,
			Allowed: func(c social.Community) bool {
				return c.Permissions.CanUpdate && c.Visibility == social.CommunityPublic
			},
			Fixed: svc.Map{"visibility": "private"}, Confirm: irreversibleWarning,
		},
		{
			Name: "delete", Type: "social.community.delete", Label: "Delete community", Request: "DELETE /world/social/communities/{id}",
			Allowed: func(c social.Community) bool { return c.Permissions.CanDelete },
			Confirm: irreversibleWarning, Destructive: true,
		},
	},
}

func canPost(c social.Community) bool { return c.Permissions.CanPost }

func communityAudience(c social.Community) Audience { return Audience{Fixed: c.ID} }

func joinLabel(c social.Community) words.Text {
	if c.JoinPolicy == social.JoinRequest && c.Membership.State != social.MembershipInvited {
		return words.Textf("Request to join")
	}
	return words.Textf("Join")
}

func leaveLabel(c social.Community) words.Text {
	if c.Membership.State == social.MembershipRequested {
		return words.Textf("Withdraw request")
	}
	return words.Textf("Leave")
}

// confirmLeave returns no text for the withdrawal of a request.
func confirmLeave(c social.Community) words.Text {
	if c.Membership.State == social.MembershipRequested {
		return words.Text{}
	}
	return words.Textf("To come back, you have to join again.")
}

var joinPolicies = svc.List[Option]{
	option(social.JoinOpen, "Every member"), option(social.JoinRequest, "Members whose request is accepted"), option(social.JoinInvite, "Only invited members"),
}

// communityControls are the name and the summary of a community.
func communityControls(c social.Community) svc.List[Control] {
	return svc.List[Control]{requiredControl("name", "Name", svc.MaxName, c.Name), areaControl("summary", "Description", svc.MaxSummary, c.Summary)}
}

const changeCommunityMember = "PATCH /world/social/communities/{id}/members/{member_id}"

// CommunityMembers declares the actions on community members and on requests to
// join.
var CommunityMembers = Table[social.CommunityMember]{
	Kind:   "social",
	ID:     func(m social.CommunityMember) string { return m.CommunityID + "_" + m.ID.String() },
	Values: func(m social.CommunityMember) []string { return []string{m.CommunityID, m.ID.String()} },
	Entries: []Entry[social.CommunityMember]{
		{
			Name: "admit", Type: "social.community.member.admit", Request: changeCommunityMember,
			LabelOf: func(m social.CommunityMember) words.Text { return words.Textf("Admit %s", m.DisplayName) },
			Allowed: func(m social.CommunityMember) bool { return m.Permissions.CanAdmit },
			Fixed:   svc.Map{"state": social.MembershipActive},
		},
		{
			Name: "role", Type: "social.community.member.role", Request: changeCommunityMember,
			LabelOf: func(m social.CommunityMember) words.Text { return words.Textf("Change role of %s", m.DisplayName) },
			Allowed: func(m social.CommunityMember) bool { return m.Permissions.CanChangeRole },
			Controls: func(m social.CommunityMember) svc.List[Control] {
				return svc.List[Control]{selectorControl("role", "Role", *m.Role, Options(social.Role("").Values()...))}
			},
		},
		{
			Name: "remove", Type: "social.community.member.remove", Request: "DELETE /world/social/communities/{id}/members/{member_id}",
			LabelOf: func(m social.CommunityMember) words.Text {
				if m.Role == nil {
					return words.Textf("Decline request of %s", m.DisplayName)
				}
				return words.Textf("Remove %s", m.DisplayName)
			},
			ConfirmOf: func(m social.CommunityMember) words.Text {
				if m.Role == nil { // a request to join
					return words.Text{}
				}
				return words.Textf("To come back, the member has to join again.")
			},
			Allowed: func(m social.CommunityMember) bool { return m.Permissions.CanRemove }, Destructive: true,
		},
	},
}

// Invitations declares the actions on invitations.
var Invitations = Table[social.Invitation]{
	Kind: "social",
	ID:   func(i social.Invitation) string { return i.ID },
	Entries: []Entry[social.Invitation]{
		{
			Name: "accept", Type: "social.invitation.accept", Label: "Accept", Request: "POST /world/social/invitations/{id}/accept",
			Allowed: func(i social.Invitation) bool { return i.Permissions.CanAccept },
		},
		{
			Name: "decline", Type: "social.invitation.decline", Label: "Decline", Request: "POST /world/social/invitations/{id}/decline",
			Allowed: func(i social.Invitation) bool { return i.Permissions.CanDecline },
		},
		{
			Name: "revoke", Type: "social.invitation.revoke", Request: "POST /world/social/invitations/{id}/revoke",
			LabelOf: func(i social.Invitation) words.Text {
				return words.Textf("Cancel invitation of %s", i.Invitee.DisplayName)
			},
			Allowed: func(i social.Invitation) bool { return i.Permissions.CanRevoke }, Destructive: true,
		},
	},
}
