package record

import (
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
)

// Community is a community with its addresses. Schema:
// service.social.community.
type Community struct {
	social.Community
	Links   CommunityLinks   `json:"links"`
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// CommunityLinks are the addresses of a community and of its lists.
type CommunityLinks struct {
	Self        string  `json:"self"`
	Members     string  `json:"members"`
	Invitations *string `json:"invitations"` // null if the viewer may not see them
}

// NewCommunity returns the record of c.
func NewCommunity(c social.Community) Community {
	self := action.CommunitiesURL + "/" + c.ID
	links := CommunityLinks{Self: self, Members: self + "/members"}
	if c.Permissions.CanInvite {
		links.Invitations = new(self + "/invitations")
	}
	return Community{c, links, action.Communities.URLs(c)}
}

// CommunityMember is a member of a community, or a request to join it, with its
// addresses. Schema: service.social.community_member.
type CommunityMember struct {
	social.CommunityMember
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewCommunityMember returns the record of m.
func NewCommunityMember(m social.CommunityMember) CommunityMember {
	return CommunityMember{m, action.CommunityMembers.URLs(m)}
}

// Invitation is an invitation with the URLs that accept, decline or revoke it.
// Schema: service.social.invitation.
type Invitation struct {
	social.Invitation
	Actions svc.Dict[string] `json:"actions"` // URLs by name; open and open_… accept GET, all others POST
}

// NewInvitation returns the record of i.
func NewInvitation(i social.Invitation) Invitation {
	return Invitation{i, action.Invitations.URLs(i)}
}
