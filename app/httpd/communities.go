package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

func (s *Server) getCommunities(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in struct {
		Mine bool `json:"-" query:"mine"`
		social.ListQuery
	}
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, page, err := s.social.Communities(tx, v, in.Mine, in.ListQuery)
		return map[string]any{"communities": each(list, record.NewCommunity), "page": page}, err
	})
}

// each makes a list as World shows it.
func each[T, W any](list []T, show func(T) W) svc.List[W] {
	shown := make(svc.List[W], len(list))
	for i, item := range list {
		shown[i] = show(item)
	}
	return shown
}

// communityAnswer is the answer to whatever is about one community.
type communityAnswer struct {
	Community record.Community `json:"community"`
	Refresh   *refresh         `json:"refresh,omitzero"`
}

func (s *Server) getCommunity(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		c, err := s.social.Community(tx, v, r.PathValue("id"))
		return communityAnswer{Community: record.NewCommunity(c)}, err
	})
}

func (s *Server) createCommunity(tx *store.Tx, v svc.Viewer, in social.NewCommunity) (any, error) {
	c, err := s.social.CreateCommunity(tx, v, in)
	return communityAnswer{record.NewCommunity(c), &socialRefresh}, err
}

type communityChange struct {
	ID string `json:"-" path:"id"`
	social.CommunityChange
}

func (s *Server) updateCommunity(tx *store.Tx, v svc.Viewer, in communityChange) (any, error) {
	c, err := s.social.UpdateCommunity(tx, v, in.ID, in.CommunityChange)
	return communityAnswer{record.NewCommunity(c), &socialRefresh}, err
}

// named is a request that says all it has to say by its address.
type named struct {
	ID string `json:"-" path:"id"`
}

func (s *Server) deleteCommunity(tx *store.Tx, v svc.Viewer, in named) (any, error) {
	return map[string]any{"deleted": true, "refresh": socialRefresh}, s.social.DeleteCommunity(tx, v, in.ID)
}

func (s *Server) joinCommunity(tx *store.Tx, v svc.Viewer, in named) (any, error) {
	c, err := s.social.JoinCommunity(tx, v, in.ID)
	return communityAnswer{record.NewCommunity(c), &socialRefresh}, err
}

// leaveCommunity answers without the community, which may be out of sight.
func (s *Server) leaveCommunity(tx *store.Tx, v svc.Viewer, in named) (any, error) {
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
		return map[string]any{"members": each(list, record.NewCommunityMember), "page": page}, err
	})
}

type memberChange struct {
	ID     string `json:"-" path:"id"`
	Member string `json:"-" path:"member_id"`
	social.MemberChange
}

func (s *Server) updateCommunityMember(tx *store.Tx, v svc.Viewer, in memberChange) (any, error) {
	member, err := memberID(in.Member)
	if err != nil {
		return nil, err
	}
	m, err := s.social.UpdateCommunityMember(tx, v, in.ID, member, in.MemberChange)
	return map[string]any{"member": record.NewCommunityMember(m), "refresh": socialRefresh}, err
}

func (s *Server) removeCommunityMember(tx *store.Tx, v svc.Viewer, in memberChange) (any, error) {
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

func (s *Server) listInvitations(w http.ResponseWriter, r *http.Request, list func(*store.Tx, social.ListQuery) ([]social.Invitation, svc.Page, error)) error {
	var in social.ListQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		invitations, page, err := list(tx, in)
		return map[string]any{"invitations": each(invitations, record.NewInvitation), "page": page}, err
	})
}

// invitationAnswer is the answer to whatever is about one invitation.
type invitationAnswer struct {
	Invitation record.Invitation `json:"invitation"`
	Refresh    refresh           `json:"refresh"`
}

type newInvitation struct {
	ID string `json:"-" path:"id"`
	social.NewInvitation
}

func (s *Server) inviteIntoCommunity(tx *store.Tx, v svc.Viewer, in newInvitation) (any, error) {
	i, err := s.social.InviteToCommunity(tx, v, in.ID, in.NewInvitation)
	return invitationAnswer{record.NewInvitation(i), socialRefresh}, err
}

// answerInvitation makes an invitation accepted, declined or revoked.
func (s *Server) answerInvitation(answer string) func(*store.Tx, svc.Viewer, named) (any, error) {
	return func(tx *store.Tx, v svc.Viewer, in named) (any, error) {
		i, err := s.social.AnswerInvitation(tx, v, in.ID, answer)
		return invitationAnswer{record.NewInvitation(i), socialRefresh}, err
	}
}
