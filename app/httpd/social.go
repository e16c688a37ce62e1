package httpd

import (
	"net/http"
	"strconv"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
	"appliance/world/record"
)

var socialRefresh = refreshHint{svc.List[string]{"objects", "contexts", "actions"}}

func (s *Server) getCircles(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, err := s.social.Circles(tx, v)
		return map[string]any{"circles": svc.List[social.Circle](list)}, err
	})
}

// graphQuery selects the circles of the graph.
type graphQuery struct {
	Depth int `json:"-" query:"depth"`
}

func (s *Server) getGraph(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	var in graphQuery
	in.Depth = social.MaxDepth
	if err := decode(r, &in); err != nil {
		return err
	}
	return s.read(w, r, func(tx *store.Tx) (any, error) { return s.social.Graph(tx, v, in.Depth) })
}

func (s *Server) getBlocks(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, err := s.social.Blocks(tx, v.Language(), v.Member())
		return map[string]any{"blocks": svc.List[social.Block](list)}, err
	})
}

func (s *Server) block(tx *store.Tx, v svc.Viewer, in social.NewBlock) (any, error) {
	b, err := s.social.Block(tx, v, in)
	return map[string]any{"block": b, "refresh": socialRefresh}, err
}

// socialSources are the objects of Social for another service that composes a
// dataset.
type socialSources struct {
	Service string `json:"service"`
	social.Sources
}

func (s *Server) getSocialSources(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	return s.read(w, r, func(tx *store.Tx) (any, error) {
		list, err := s.social.Sources(tx, v)
		return socialSources{"social", list}, err
	})
}

type unblockRequest struct {
	Member string `json:"-" path:"member_id"`
}

func (s *Server) unblock(tx *store.Tx, v svc.Viewer, in unblockRequest) (any, error) {
	member, err := memberID(in.Member)
	if err != nil {
		return nil, err
	}
	return map[string]any{"deleted": true, "refresh": socialRefresh, "undo": record.UndoUnblock(v.Language(), member)}, s.social.Unblock(tx, v, member)
}

// memberID parses a member id in a path.
func memberID(text string) (svc.MemberID, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, svc.Errorf(svc.NotFound, "There is no such member.")
	}
	return svc.MemberID(n), nil
}
