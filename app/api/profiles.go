package api

import (
	"net/http"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// socialProfileOperations declares the operations on profiles, people and presence.
func (s *Server) socialProfileOperations() []declaration {
	return []declaration{
		operation[struct{}, profileResponse]{
			Request: "GET /world/social/profile", ServicePath: "/social/profile", Service: "social",
			Summary: "Read the profile of the member",
			Do:      s.readOwnProfile,
		},
		operation[social.ProfileChange, profileResponse]{
			Action: action.Profiles.Endpoint("update"), ServicePath: "/social/profile", Service: "social",
			Summary: "Change the profile of the member",
			Do:      s.updateProfile,
		},
		operation[socialMemberRequest, profileResponse]{
			Action: action.Profiles.Endpoint("open"), ServicePath: "/social/profiles/{member_id}", Service: "social",
			Summary: "Read the profile of another member",
			Do:      s.readProfile,
		},
		operation[socialMemberRequest, blockResponse]{
			Action: action.Profiles.Endpoint("block"), Service: "social",
			Summary: "Block the member of a profile", Status: http.StatusCreated,
			Do: s.blockProfile,
		},
		operation[profileRequest, dmResponse]{
			Action: action.Profiles.Endpoint("start_dm"), Service: "social",
			Summary: "Send a direct message to the member of a profile", Status: http.StatusCreated,
			Do: s.startDMWith,
		},
		operation[searchQuery, peoplePage]{
			Request: "GET /world/social/people", ServicePath: "/social/people", Service: "social",
			Summary: "List the members",
			Do:      s.listPeople,
		},
		operation[svc.PageQuery, record.PresencePage]{
			Request: "GET /world/social/presence", ServicePath: "/social/presence", Service: "social",
			Summary: "List the members who are present",
			Do:      s.listPresence,
		},
		operation[social.NewPresence, presenceResponse]{
			Action: action.Profiles.Endpoint("set_presence"), ServicePath: "/social/presence", Service: "social",
			Summary: "Set the presence of the member",
			Do:      s.setPresence,
		},
	}
}

// profileResponse is the response of routes about one profile.
type profileResponse struct {
	Profile record.Profile `json:"profile"`
	Refresh *refreshHint   `json:"refresh,omitzero"`
}

func (s *Server) readOwnProfile(tx *store.Tx, v svc.Viewer, _ struct{}) (profileResponse, error) {
	p, err := s.Social.Profile(tx, v, v.Member())
	return profileResponse{Profile: record.NewProfile(p)}, err
}

func (s *Server) readProfile(tx *store.Tx, v svc.Viewer, in socialMemberRequest) (out profileResponse, err error) {
	member, err := memberID(in.Member)
	if err != nil {
		return out, err
	}
	p, err := s.Social.Profile(tx, v, member)
	return profileResponse{Profile: record.NewProfile(p)}, err
}

func (s *Server) updateProfile(tx *store.Tx, v svc.Viewer, in social.ProfileChange) (profileResponse, error) {
	p, err := s.Social.UpdateProfile(tx, v, in)
	return profileResponse{record.NewProfile(p), &socialRefresh}, err
}

type profileRequest struct {
	Member string `json:"-" path:"member_id"`
	Body   string `json:"body"`
}

// blockProfile blocks the member of a profile.
func (s *Server) blockProfile(tx *store.Tx, v svc.Viewer, in socialMemberRequest) (out blockResponse, err error) {
	member, err := memberID(in.Member)
	if err != nil {
		return out, err
	}
	return s.block(tx, v, social.NewBlock{MemberID: member})
}

// startDMWith sends a DM to the member of a profile.
func (s *Server) startDMWith(tx *store.Tx, v svc.Viewer, in profileRequest) (out dmResponse, err error) {
	member, err := memberID(in.Member)
	if err != nil {
		return out, err
	}
	return s.startDM(tx, v, social.NewDM{Recipient: social.Recipient(member.String()), Body: in.Body})
}

type peoplePage = struct {
	People svc.List[record.Person] `json:"people"`
	Page   svc.Page                `json:"page"`
}

// listPeople lists the members, except for those hidden by blocks.
func (s *Server) listPeople(tx *store.Tx, v svc.Viewer, in searchQuery) (out peoplePage, err error) {
	hidden, err := s.Social.Hidden(tx, v.Member())
	if err != nil {
		return out, err
	}
	directory, err := s.Identity.Directory(tx, v, identity.DirectoryQuery{Q: in.Q, Hidden: hidden, Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return out, err
	}
	people, err := s.Social.People(tx, v, directory.Members)
	return peoplePage{record.NewPeople(people), directory.Page}, err
}

func (s *Server) listPresence(tx *store.Tx, v svc.Viewer, in svc.PageQuery) (record.PresencePage, error) {
	page, err := s.Social.Presence(tx, v, in.Limit, in.Cursor)
	return record.NewPresencePage(page), err
}

type presenceResponse = struct {
	Presence social.Presence `json:"presence"`
	Refresh  refreshHint     `json:"refresh"`
}

func (s *Server) setPresence(tx *store.Tx, v svc.Viewer, in social.NewPresence) (presenceResponse, error) {
	p, err := s.Social.SetPresence(tx, v, in)
	return presenceResponse{p, socialRefresh}, err
}
