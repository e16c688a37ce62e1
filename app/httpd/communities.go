package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/social"
	"appliance/world/record"
)

// communitiesQuery selects communities: all, or those of the member.
type communitiesQuery struct {
	Mine bool `json:"-" query:"mine"`
	social.ListQuery
}

func (s *Server) getCommunities(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in communitiesQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, page, err := s.social.Communities(tx, v, in.Mine, in.ListQuery)
		return map[string]any{"communities": records(list, record.NewCommunity), "page": linked(r, page)}, err
	})
}

// records converts a list to records.
func records[T, W any](list []T, convert func(T) W) svc.List[W] {
	converted := make(svc.List[W], len(list))
	for i, item := range list {
		converted[i] = convert(item)
	}
	return converted
}

// communityResponse is the response of routes about one community.
type communityResponse struct {
	Community record.Community `json:"community"`
	Refresh   *refreshHint     `json:"refresh,omitzero"`
}

func (s *Server) getCommunity(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		c, err := s.social.Community(tx, v, r.PathValue("id"))
		return communityResponse{Community: record.NewCommunity(c)}, err
	})
}

func (s *Server) createCommunity(tx *store.Tx, v svc.Viewer, in social.NewCommunity) (any, error) {
	c, err := s.social.CreateCommunity(tx, v, in)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

type communityRequest struct {
	ID string `json:"-" path:"id"`
	social.CommunityChange
}

func (s *Server) updateCommunity(tx *store.Tx, v svc.Viewer, in communityRequest) (any, error) {
	c, err := s.social.UpdateCommunity(tx, v, in.ID, in.CommunityChange)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

// idRequest is a request without a body about the object in its path.
type idRequest struct {
	ID string `json:"-" path:"id"`
}

func (s *Server) deleteCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (any, error) {
	return map[string]any{"deleted": true, "refresh": socialRefresh}, s.social.DeleteCommunity(tx, v, in.ID)
}

func (s *Server) joinCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (any, error) {
	c, err := s.social.JoinCommunity(tx, v, in.ID)
	return communityResponse{record.NewCommunity(c), &socialRefresh}, err
}

// leaveCommunity responds without the community, which may now be hidden from
// the former community member.
func (s *Server) leaveCommunity(tx *store.Tx, v svc.Viewer, in idRequest) (any, error) {
	m, err := s.social.LeaveCommunity(tx, v, in.ID)
	return map[string]any{"membership": m, "refresh": socialRefresh}, err
}

func (s *Server) getCommunityMembers(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in social.ListQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, page, err := s.social.CommunityMembers(tx, v, r.PathValue("id"), in)
		return map[string]any{"members": records(list, record.NewCommunityMember), "page": linked(r, page)}, err
	})
}

type communityMemberRequest struct {
	ID     string `json:"-" path:"id"`
	Member string `json:"-" path:"member_id"`
	social.MemberChange
}

func (s *Server) updateCommunityMember(tx *store.Tx, v svc.Viewer, in communityMemberRequest) (any, error) {
	member, err := memberID(in.Member)
	if err != nil {
		return nil, err
	}
	m, err := s.social.UpdateCommunityMember(tx, v, in.ID, member, in.MemberChange)
	return map[string]any{"member": record.NewCommunityMember(m), "refresh": socialRefresh}, err
}

func (s *Server) removeCommunityMember(tx *store.Tx, v svc.Viewer, in communityMemberRequest) (any, error) {
	member, err := memberID(in.Member)
	if err != nil {
		return nil, err
	}
	return map[string]any{"deleted": true, "refresh": socialRefresh}, s.social.RemoveCommunityMember(tx, v, in.ID, member)
}

func (s *Server) getCommunityInvitations(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.listInvitations(w, r, func(tx *store.Tx, q social.ListQuery) ([]social.Invitation, svc.Page, error) {
		return s.social.CommunityInvitations(tx, v, r.PathValue("id"), q)
	})
}

func (s *Server) getSocialInvitations(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.listInvitations(w, r, func(tx *store.Tx, q social.ListQuery) ([]social.Invitation, svc.Page, error) {
		return s.social.Invitations(tx, v, q)
	})
}

// listInvitations responds with a page of invitations.
func (s *Server) listInvitations(w http.ResponseWriter, r *http.Request, list func(*store.Tx, social.ListQuery) ([]social.Invitation, svc.Page, error)) error {
	var in social.ListQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		invitations, page, err := list(tx, in)
		return map[string]any{"invitations": records(invitations, record.NewInvitation), "page": linked(r, page)}, err
	})
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

func (s *Server) inviteToCommunity(tx *store.Tx, v svc.Viewer, in invitationRequest) (any, error) {
	return invite(tx, v, in, s.social.InviteToCommunity)
}

// invite invites the members of a request to the record with its id: all of them or,
// if one cannot be invited, none.
func invite(
	tx *store.Tx, v svc.Viewer, in invitationRequest, one func(*store.Tx, svc.Viewer, string, social.NewInvitation) (social.Invitation, error),
) (any, error) {
	recipients := in.Recipients
	if len(recipients) > maxInvitees {
		return nil, svc.FieldError(svc.TooLong, "recipient", "You can invite up to %d members at once.", maxInvitees)
	}
	if len(recipients) == 0 {
		recipients = messages.Recipients{""} // an error about the missing recipient, or about the record
	}
	result := invitationsResponse{Refresh: socialRefresh}
	for n, recipient := range recipients {
		i, err := one(tx, v, in.ID, social.NewInvitation{Recipient: recipient})
		if err != nil {
			if len(recipients) > 1 {
				err = svc.ItemFields("recipient", n, err)
			}
			return nil, err
		}
		result.Invitations = append(result.Invitations, record.NewInvitation(i))
	}
	result.Invitation = result.Invitations[0]
	return result, nil
}

// answerInvitation returns a function that accepts, declines or revokes an
// invitation.
func (s *Server) answerInvitation(answer string) func(*store.Tx, svc.Viewer, idRequest) (any, error) {
	return func(tx *store.Tx, v svc.Viewer, in idRequest) (any, error) {
		i, err := s.social.AnswerInvitation(tx, v, in.ID, answer)
		return invitationResponse{record.NewInvitation(i), socialRefresh}, err
	}
}
