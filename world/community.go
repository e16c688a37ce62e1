package world

import (
	"fmt"

	"appliance/svc"
	"appliance/svc/social"
)

const (
	communitiesURL       = "/world/social/communities"
	socialInvitationsURL = "/world/social/invitations"
)

// Community is a community with the addresses where it can be changed. Schema:
// service.social.community.
type Community struct {
	social.Community
	Links   CommunityLinks   `json:"links"`
	Actions svc.Dict[string] `json:"actions"`
}

// CommunityLinks are addresses of a community and of what it has.
type CommunityLinks struct {
	Self        string  `json:"self"`
	Members     string  `json:"members"`
	Invitations *string `json:"invitations"` // null for whoever may not see them
}

// offer is an address for an action, if the viewer may do it.
type offer struct {
	may       bool
	name, url string
}

// offered are the addresses of what the viewer may do.
func offered(offers ...offer) svc.Dict[string] {
	urls := make(svc.Dict[string])
	for _, o := range offers {
		if o.may {
			urls[o.name] = o.url
		}
	}
	return urls
}

// NewCommunity returns the community as World shows it.
func NewCommunity(c social.Community) Community {
	self := communitiesURL + "/" + c.ID
	links := CommunityLinks{Self: self, Members: self + "/members"}
	invitations := self + "/invitations"
	may := c.Permissions
	if may.CanInvite {
		links.Invitations = &invitations
	}
	return Community{c, links, offered(
		offer{may.CanUpdate, "update", self},
		offer{may.CanDelete, "delete", self},
		offer{may.CanJoin, "join", self + "/join"},
		offer{may.CanLeave, "leave", self + "/leave"},
		offer{may.CanInvite, "invite", invitations},
	)}
}

// CommunityMember is somebody in a community with the addresses where that can
// be changed. Schema: service.social.community_member.
type CommunityMember struct {
	social.CommunityMember
	Actions svc.Dict[string] `json:"actions"`
}

// NewCommunityMember returns somebody in a community as World shows them.
func NewCommunityMember(m social.CommunityMember) CommunityMember {
	self := fmt.Sprintf("%s/%s/members/%d", communitiesURL, m.CommunityID, m.ID)
	return CommunityMember{m, offered(
		offer{m.Permissions.CanChangeRole, "role", self},
		offer{m.Permissions.CanAdmit, "admit", self},
		offer{m.Permissions.CanRemove, "remove", self},
	)}
}

// Invitation is an invitation with the addresses where it is answered. Schema:
// service.social.invitation.
type Invitation struct {
	social.Invitation
	Actions svc.Dict[string] `json:"actions"`
}

// NewInvitation returns the invitation as World shows it.
func NewInvitation(i social.Invitation) Invitation {
	self := socialInvitationsURL + "/" + i.ID
	return Invitation{i, offered(
		offer{i.Permissions.CanAccept, "accept", self + "/accept"},
		offer{i.Permissions.CanDecline, "decline", self + "/decline"},
		offer{i.Permissions.CanRevoke, "revoke", self + "/revoke"},
	)}
}
