package api

import (
	"net/http"
	"strconv"

	"appliance/app/httpd"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/action"
	"appliance/world/record"
)

// circleOperations declares the operations on circles and blocks, and the operation that reads
// the objects of Social.
func (s *Server) circleOperations() []declaration {
	return []declaration{
		operation[struct{}, circlesResponse]{
			Request: "GET /world/social/circles", ServicePath: "/social/circles", Service: "social",
			Summary: "List the circles and the members in them",
			Do:      s.listCircles,
		},
		operation[graphQuery, social.Graph]{
			Request: "GET /world/social/discovery/graph", ServicePath: "/social/discovery/graph", Service: "social",
			Summary: "Read how the members of the circles are connected",
			Handle:  s.readGraph,
		},
		operation[struct{}, blocksResponse]{
			Request: "GET /world/social/blocks", ServicePath: "/social/blocks", Service: "social",
			Summary: "List the members that the member blocks",
			Do:      s.listBlocks,
		},
		operation[social.NewBlock, blockResponse]{
			Action: action.Social.Endpoint("block"), ServicePath: "/social/blocks", Service: "social",
			Summary: "Block a member", Status: http.StatusCreated, Errors: notFoundErrors,
			Do: s.block,
		},
		operation[socialMemberRequest, unblockResponse]{
			Request: "DELETE /world/social/blocks/{member_id}", ServicePath: "/social/blocks/{member_id}", Service: "social", // without the POST route of the action
			Summary: "Remove a block",
			Do:      s.unblock,
		},
		operation[struct{}, socialSources]{
			Request: "GET /social/objects", Access: httpd.OnBehalf, Service: "social",
			Summary: "List the objects of Social for another service that composes a dataset",
			Do:      s.readSocialSources,
		},
	}
}

var socialRefresh = refreshHint{svc.List[string]{"objects", "contexts", "actions"}}

type circlesResponse = struct {
	Circles svc.List[social.Circle] `json:"circles"`
}

func (s *Server) listCircles(tx *store.Tx, v svc.Viewer, _ struct{}) (circlesResponse, error) {
	list, err := s.Social.Circles(tx, v)
	return circlesResponse{list}, err
}

// graphQuery selects the circles of the graph.
type graphQuery struct {
	Depth int `json:"-" query:"depth"` // 1 to [social.MaxDepth], which is the default
}

func (s *Server) readGraph(_ http.ResponseWriter, r *http.Request, v svc.Viewer, in graphQuery) (g social.Graph, err error) {
	if !r.URL.Query().Has("depth") { // a depth of 0 in the query is an error
		in.Depth = social.MaxDepth
	}
	err = s.DB.Read(r.Context(), func(tx *store.Tx) (err error) {
		g, err = s.Social.Graph(tx, v, in.Depth)
		return err
	})
	return g, err
}

type blocksResponse = struct {
	Blocks svc.List[social.Block] `json:"blocks"`
}

func (s *Server) listBlocks(tx *store.Tx, v svc.Viewer, _ struct{}) (blocksResponse, error) {
	list, err := s.Social.Blocks(tx, v.Language(), v.Member())
	return blocksResponse{list}, err
}

type blockResponse = struct {
	Block   social.Block `json:"block"`
	Undo    *record.Undo `json:"undo"`
	Refresh refreshHint  `json:"refresh"`
}

func (s *Server) block(tx *store.Tx, v svc.Viewer, in social.NewBlock) (blockResponse, error) {
	b, err := s.Social.Block(tx, v, in)
	if err != nil {
		return blockResponse{}, err
	}
	return blockResponse{b, record.UndoBlock(v.Language(), b), socialRefresh}, nil
}

// socialSources are the objects of Social for another service that composes a
// dataset.
type socialSources struct {
	Service string `json:"service"`
	social.Sources
}

func (s *Server) readSocialSources(tx *store.Tx, v svc.Viewer, _ struct{}) (socialSources, error) {
	list, err := s.Social.Sources(tx, v, action.SourceActions)
	return socialSources{"social", list}, err
}

// socialMemberRequest is a request without a body about the member in its path.
type socialMemberRequest struct {
	Member string `json:"-" path:"member_id"`
}

type unblockResponse = struct {
	Deleted bool         `json:"deleted"`
	Undo    *record.Undo `json:"undo"`
	Refresh refreshHint  `json:"refresh"`
}

func (s *Server) unblock(tx *store.Tx, v svc.Viewer, in socialMemberRequest) (out unblockResponse, err error) {
	member, err := memberID(in.Member)
	if err != nil {
		return out, err
	}
	return unblockResponse{true, record.UndoUnblock(v.Language(), member), socialRefresh}, s.Social.Unblock(tx, v, member)
}

// memberID parses a member id in a path.
func memberID(text string) (svc.MemberID, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, svc.Errorf(svc.NotFound, "There is no such member.")
	}
	return svc.MemberID(n), nil
}
