package api

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// communityOperations declares the operations on communities and their members.
func (s *Server) communityOperations() []declaration {
	return []declaration{
		operation[communitiesQuery, communityPage]{
			Request: "GET /world/social/communities", ServicePath: "/social/communities", Service: "social",
			Summary: "List the communities",
			Do:      s.listCommunities,
		},
		operation[social.NewCommunity, communityResponse]{
			Action: action.Social.Endpoint("create_community"), ServicePath: "/social/communities", Service: "social",
			Summary: "Create a community", Status: http.StatusCreated, Errors: conflictErrors,
			Do: s.createCommunity,
		},
		operation[idRequest, communityResponse]{
			Action: action.Communities.Endpoint("open"), ServicePath: "/social/communities/{id}", Service: "social",
			Summary: "Read a community",
			Do:      s.readCommunity,
		},
		operation[communityRequest, communityResponse]{
			Action: action.Communities.Endpoint("update"), ServicePath: "/social/communities/{id}", Service: "social",
			Summary: "Change a community", Errors: conflictErrors,
			Do: s.updateCommunity,
		},
		operation[idRequest, deletionWithRefresh]{
			Action: action.Communities.Endpoint("delete"), ServicePath: "/social/communities/{id}", Service: "social",
			Summary: "Delete a community",
			Do:      s.deleteCommunity,
		},
		operation[idRequest, communityResponse]{
			Action: action.Communities.Endpoint("join"), ServicePath: "/social/communities/{id}/join", Service: "social",
			Summary: "Join a community", Errors: conflictErrors,
			Do: s.joinCommunity,
		},
		operation[idRequest, membershipResponse]{
			Action: action.Communities.Endpoint("leave"), ServicePath: "/social/communities/{id}/leave", Service: "social",
			Summary: "Leave a community",
			Do:      s.leaveCommunity,
		},
		operation[recordPageQuery, communityMemberPage]{
			Request: "GET /world/social/communities/{id}/members", ServicePath: "/social/communities/{id}/members", Service: "social",
			Summary: "List the members of a community",
			Do:      s.listCommunityMembers,
		},
		operation[communityMemberRequest, communityMemberResponse]{
			Action: action.CommunityMembers.Endpoint("role"), ServicePath: "/social/communities/{id}/members/{member_id}", Service: "social",
			Summary: "Change the role of a community member, or admit one", Errors: conflictErrors,
			Do: s.updateCommunityMember,
		},
		operation[memberRemoval, deletionWithRefresh]{
			Action: action.CommunityMembers.Endpoint("remove"), ServicePath: "/social/communities/{id}/members/{member_id}", Service: "social",
			Summary: "Remove a community member",
			Do:      s.removeCommunityMember,
		},
	}
}

// invitationOperations declares the operations on invitations to communities, and those to
// answer any invitation.
func (s *Server) invitationOperations() []declaration {
	return []declaration{
		operation[recordPageQuery, invitationPage]{
			Request: "GET /world/social/communities/{id}/invitations", ServicePath: "/social/communities/{id}/invitations", Service: "social",
			Summary: "List the invitations to a community",
			Do:      s.listCommunityInvitations,
		},
		operation[invitationRequest, invitationsResponse]{
			Action: action.Communities.Endpoint("invite"), ServicePath: "/social/communities/{id}/invitations", Service: "social",
			Summary: "Invite members to a community", Status: http.StatusCreated, Errors: conflictErrors,
			Do: s.inviteToCommunity,
		},
		operation[svc.PageQuery, invitationPage]{
			Request: "GET /world/social/invitations", ServicePath: "/social/invitations", Service: "social",
			Summary: "List the invitations to the member",
			Do:      s.listInvitations,
		},
		operation[idRequest, invitationResponse]{
			Action: action.Invitations.Endpoint("accept"), ServicePath: "/social/invitations/{id}/accept", Service: "social",
			Summary: "Accept an invitation", Errors: conflictErrors,
			Do: s.answerInvitation(social.Accept),
		},
		operation[idRequest, invitationResponse]{
			Action: action.Invitations.Endpoint("decline"), ServicePath: "/social/invitations/{id}/decline", Service: "social",
			Summary: "Decline an invitation", Errors: conflictErrors,
			Do: s.answerInvitation(social.Decline),
		},
		operation[idRequest, invitationResponse]{
			Action: action.Invitations.Endpoint("revoke"), ServicePath: "/social/invitations/{id}/revoke", Service: "social",
			Summary: "Cancel an invitation", Errors: conflictErrors,
			Do: s.answerInvitation(social.Revoke),
		},
	}
}

// communitiesQuery selects communities: all, or those of the member.
type communitiesQuery struct {
	Mine bool `json:"-" query:"mine"`
	svc.PageQuery
}

type communityPage = struct {
	Communities svc.List[record.Community] `json:"communities"`
	Page        svc.Page                   `json:"page"`
}

func (s *Server) listCommunities(tx *store.Tx, v svc.Viewer, in communitiesQuery) (communityPage, error) {
	list, page, err := s.Social.Communities(tx, v, in.Mine, in.PageQuery)
	return communityPage{record.List(list, record.NewCommunity), page}, err
}

// communityResponse is the response of routes about one community.
type communityResponse struct {
	Community record.Community `json:"community"`
	Refresh   *refreshHint     `json:"refresh,omitzero"`
}

// idRequest is a request without a body about the object in its path.
type idRequest struct {
	ID string `json:"-" path:"id"`
}

func (s *Server) readCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (communityResponse, error) {
	c, err := s.Social.Community(tx, v, in.ID)
	return communityResponse{Community: record.NewCommunity(c)}, err
}

func (s *Server) createCommunity(tx *store.Tx, v svc.Viewer, in social.NewCommunity) (communityResponse, error) {
	c, err := s.Social.CreateCommunity(tx, v, in)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

type communityRequest struct {
	ID string `json:"-" path:"id"`
	social.CommunityChange
}

func (s *Server) updateCommunity(tx *store.Tx, v svc.Viewer, in communityRequest) (communityResponse, error) {
	c, err := s.Social.UpdateCommunity(tx, v, in.ID, in.CommunityChange)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

func (s *Server) deleteCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (deletionWithRefresh, error) {
	return deletionWithRefresh{true, socialRefresh}, s.Social.DeleteCommunity(tx, v, in.ID)
}

func (s *Server) joinCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (communityResponse, error) {
	c, err := s.Social.JoinCommunity(tx, v, in.ID)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

type membershipResponse = struct {
	Membership social.Membership `json:"membership"`
	Refresh    refreshHint       `json:"refresh"`
}

// leaveCommunity responds without the community, which may now be hidden from
// the former community member.
func (s *Server) leaveCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (membershipResponse, error) {
	m, err := s.Social.LeaveCommunity(tx, v, in.ID)
	return membershipResponse{m, socialRefresh}, err
}

// recordPageQuery selects a page of a list that belongs to the record in the path.
type recordPageQuery struct {
	ID string `json:"-" path:"id"`
	svc.PageQuery
}

type communityMemberPage = struct {
	Members svc.List[record.CommunityMember] `json:"members"`
	Page    svc.Page                         `json:"page"`
}

func (s *Server) listCommunityMembers(tx *store.Tx, v svc.Viewer, in recordPageQuery) (communityMemberPage, error) {
	list, page, err := s.Social.CommunityMembers(tx, v, in.ID, in.PageQuery)
	return communityMemberPage{record.List(list, record.NewCommunityMember), page}, err
}

type communityMemberRequest struct {
	ID     string `json:"-" path:"id"`
	Member string `json:"-" path:"member_id"`
	social.MemberChange
}

type communityMemberResponse = struct {
	Member  record.CommunityMember `json:"member"`
	Refresh refreshHint            `json:"refresh"`
}

func (s *Server) updateCommunityMember(tx *store.Tx, v svc.Viewer, in communityMemberRequest) (out communityMemberResponse, err error) {
	member, err := memberID(in.Member)
	if err != nil {
		return out, err
	}
	m, err := s.Social.UpdateCommunityMember(tx, v, in.ID, member, in.MemberChange)
	return communityMemberResponse{record.NewCommunityMember(m), socialRefresh}, err
}

// memberRemoval is a request without a body about the community member in its path.
type memberRemoval struct {
	ID     string `json:"-" path:"id"`
	Member string `json:"-" path:"member_id"`
}

func (s *Server) removeCommunityMember(tx *store.Tx, v svc.Viewer, in memberRemoval) (out deletionWithRefresh, err error) {
	member, err := memberID(in.Member)
	if err != nil {
		return out, err
	}
	return deletionWithRefresh{true, socialRefresh}, s.Social.RemoveCommunityMember(tx, v, in.ID, member)
}

type invitationPage = struct {
	Invitations svc.List[record.Invitation] `json:"invitations"`
	Page        svc.Page                    `json:"page"`
}

func (s *Server) listCommunityInvitations(tx *store.Tx, v svc.Viewer, in recordPageQuery) (invitationPage, error) {
	list, page, err := s.Social.CommunityInvitations(tx, v, in.ID, in.PageQuery)
	return invitationPage{record.List(list, record.NewInvitation), page}, err
}

func (s *Server) listInvitations(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (invitationPage, error) {
	list, page, err := s.Social.Invitations(tx, v, in)
	return invitationPage{record.List(list, record.NewInvitation), page}, err
}

// invitationResponse is the response of routes about one invitation.
type invitationResponse struct {
	Invitation record.Invitation `json:"invitation"`
	Refresh    refreshHint       `json:"refresh"`
}

// invitationRequest invites one or more members.
type invitationRequest struct {
	ID         string              `json:"-" path:"id"`
	Recipients messages.Recipients `json:"recipient"` // a name or an id, or a list of them
}

// invitationsResponse is the response to an invitationRequest.
type invitationsResponse struct {
	Invitation  record.Invitation           `json:"invitation"` // the first one
	Invitations svc.List[record.Invitation] `json:"invitations"`
	Refresh     refreshHint                 `json:"refresh"`
}

// maxInvitees limits the members that one request can invite.
const maxInvitees = 20

func (s *Server) inviteToCommunity(tx *store.Tx, v svc.Viewer, in invitationRequest) (invitationsResponse, error) {
	return invite(tx, v, in, s.Social.InviteToCommunity)
}

// invite invites the members of a request to the record with its id: all of them or,
// if one cannot be invited, none.
func invite(
	tx *store.Tx, v svc.Viewer, in invitationRequest, one func(*store.Tx, svc.Viewer, string, social.NewInvitation) (social.Invitation, error),
) (out invitationsResponse, err error) {
	recipients := in.Recipients
	if len(recipients) > maxInvitees {
		return out, svc.FieldError(svc.TooLong, "recipient", "You can invite up to %d members at once.", maxInvitees)
	}
	if len(recipients) == 0 {
		recipients = messages.Recipients{""} // results in an error about the missing recipient or the record
	}
	for n, recipient := range recipients {
		i, err := one(tx, v, in.ID, social.NewInvitation{Recipient: recipient})
		if err != nil {
			if len(recipients) > 1 {
				err = svc.ItemFields("recipient", n, err)
			}
			return out, err
		}
		out.Invitations = append(out.Invitations, record.NewInvitation(i))
	}
	out.Invitation, out.Refresh = out.Invitations[0], socialRefresh
	return out, nil
}

// answerInvitation returns a function that answers an invitation.
func (s *Server) answerInvitation(answer social.Answer) func(*store.Tx, svc.Viewer, idRequest) (invitationResponse, error) {
	return func(tx *store.Tx, v svc.Viewer, in idRequest) (invitationResponse, error) {
		i, err := s.Social.AnswerInvitation(tx, v, in.ID, answer)
		return invitationResponse{record.NewInvitation(i), socialRefresh}, err
	}
}
