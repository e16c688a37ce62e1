package httpd

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/world/record"
)

// profileResponse is the response of routes about one profile.
type profileResponse struct {
	Profile record.Profile `json:"profile"`
	Refresh *refreshHint   `json:"refresh,omitzero"`
}

func (s *Server) getOwnProfile(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		p, err := s.social.Profile(tx, v, v.Member())
		return profileResponse{Profile: record.NewProfile(p)}, err
	})
}

func (s *Server) getProfile(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	member, err := memberID(r.PathValue("member_id"))
	if err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		p, err := s.social.Profile(tx, v, member)
		return profileResponse{Profile: record.NewProfile(p)}, err
	})
}

func (s *Server) updateProfile(tx *store.Tx, v svc.Viewer, in social.ProfileChange) (any, error) {
	p, err := s.social.UpdateProfile(tx, v, in)
	return profileResponse{record.NewProfile(p), &socialRefresh}, err
}

type profileRequest struct {
	Member string `json:"-" path:"member_id"`
	Body   string `json:"body"` // of a DM
}

// blockProfile blocks the member of a profile.
func (s *Server) blockProfile(tx *store.Tx, v svc.Viewer, in profileRequest) (any, error) {
	member, err := memberID(in.Member)
	if err != nil {
		return nil, err
	}
	return s.block(tx, v, social.NewBlock{MemberID: member})
}

// startDMWith sends a DM to the member of a profile.
func (s *Server) startDMWith(tx *store.Tx, v svc.Viewer, in profileRequest) (any, error) {
	member, err := memberID(in.Member)
	if err != nil {
		return nil, err
	}
	return s.startDM(tx, v, social.NewDM{Recipient: social.Recipient(member.String()), Body: in.Body})
}

// peopleQuery selects members whose names contain Q.
type peopleQuery struct {
	Q      string `json:"-" query:"q"`
	Limit  int    `json:"-" query:"limit"`
	Cursor string `json:"-" query:"cursor"`
}

// getPeople lists the members, except for those hidden by blocks.
func (s *Server) getPeople(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in peopleQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		hidden, err := s.social.Hidden(tx, v.Member())
		if err != nil {
			return nil, err
		}
		directory, err := s.identity.Directory(tx, v, identity.DirectoryQuery{Q: in.Q, Hidden: hidden, Limit: in.Limit, Cursor: in.Cursor})
		if err != nil {
			return nil, err
		}
		people, err := s.social.People(tx, v, directory.Members)
		return map[string]any{"people": record.NewPeople(people), "page": linked(r, directory.Page)}, err
	})
}

func (s *Server) getPresence(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in pageQuery
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		page, err := s.social.Presence(tx, v, in.Limit, in.Cursor)
		page.Page.Link(r.URL)
		return record.NewPresencePage(page), err
	})
}

func (s *Server) setPresence(tx *store.Tx, v svc.Viewer, in social.NewPresence) (any, error) {
	p, err := s.social.SetPresence(tx, v, in)
	return map[string]any{"presence": p, "refresh": socialRefresh}, err
}
