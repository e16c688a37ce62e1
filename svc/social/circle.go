package social

import (
	"cmp"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Circle contains the members at one distance from the viewer. The circles of a
// viewer are disjoint. Schema: service.social.circle.
type Circle struct {
	Depth   int                    `json:"depth"` // 1 to 3
	Name    string                 `json:"name"`
	Members svc.List[CircleMember] `json:"members"` // sorted by id
}

// CircleMember is a member of a circle.
type CircleMember struct {
	MemberRef
	Via svc.List[string] `json:"via"` // inner circle only: the private communities shared with the viewer
}

// CircleRef identifies one of the viewer's circles.
type CircleRef struct {
	Depth int    `json:"depth"` // 1 to 3
	Name  string `json:"name"`
}

// Graph is the discovery graph: the viewer's circles as a tree. It names no
// community. Schema: service.social.graph.
type Graph struct {
	Root      svc.MemberID        `json:"root"`
	Depth     int                 `json:"depth"`
	Nodes     svc.List[GraphNode] `json:"nodes"` // sorted by depth, then by id
	Edges     svc.List[GraphEdge] `json:"edges"`
	Truncated bool                `json:"truncated"` // cut at [maxGraphNodes]
}

// GraphNode is a member in the discovery graph.
type GraphNode struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	svc.Appearance
	Depth int `json:"depth"`
}

// GraphEdge connects a member with one who is one step farther from the root.
type GraphEdge struct {
	From  svc.MemberID `json:"from"`
	To    svc.MemberID `json:"to"`
	Depth int          `json:"depth"` // depth of To
}

// MaxDepth is the depth of the outermost circle.
const MaxDepth = 3

const maxGraphNodes = 1000

// circleName returns the name of the circle of a depth.
func circleName(l words.Language, depth int) string {
	switch depth {
	case 1:
		return l.Text("Inner")
	case 2:
		return l.Text("Trusted")
	}
	return l.Text("Extended")
}

// Circles returns the three circles of v.
func (s *Service) Circles(tx *store.Tx, v svc.Viewer) ([]Circle, error) {
	c, members, names, err := s.visibleCircles(tx, v, MaxDepth)
	if err != nil {
		return nil, err
	}
	list := make([]Circle, MaxDepth)
	for i := range list {
		list[i] = Circle{Depth: i + 1, Name: circleName(v.Language(), i+1)}
	}
	for _, m := range members {
		e := c.entries[m]
		list[e.depth-1].Members = append(list[e.depth-1].Members, CircleMember{names.ref(m), e.via})
	}
	return list, nil
}

// Graph returns the discovery graph of v up to depth, which is 1 to 3.
func (s *Service) Graph(tx *store.Tx, v svc.Viewer, depth int) (Graph, error) {
	if depth < 1 || depth > MaxDepth {
		return Graph{}, svc.ParameterError("depth", "Choose circle 1, 2 or 3.")
	}
	c, members, names, err := s.visibleCircles(tx, v, depth)
	if err != nil {
		return Graph{}, err
	}
	g := c.graph(v.Member(), members, names)
	g.Depth = depth
	return g, nil
}

// graph returns the graph of members. It contains no edge that starts at a hidden
// or former member.
func (c *circles) graph(root svc.MemberID, members []svc.MemberID, names names) Graph {
	g := Graph{Root: root}
	for _, m := range truncate(&g.Truncated, members, maxGraphNodes) {
		e := c.entries[m]
		g.Nodes = append(g.Nodes, GraphNode{m, names.ref(m).DisplayName, names.ref(m).Appearance, e.depth})
		if names.has(e.from) || e.from == root {
			g.Edges = append(g.Edges, GraphEdge{e.from, m, e.depth})
		}
	}
	return g
}

// visibleCircles returns the circles of v and their members up to depth, sorted by
// depth and id. It omits inactive members and members hidden from v.
func (s *Service) visibleCircles(tx *store.Tx, v svc.Viewer, depth int) (c *circles, members []svc.MemberID, names names, err error) {
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, nil, names, err
	}
	if c, err = s.circles(tx, v.Member()); err != nil {
		return nil, nil, names, err
	}
	for m, e := range c.entries {
		if e.depth <= depth && !slices.Contains(hidden, m) {
			members = append(members, m)
		}
	}
	if names, err = s.names(tx, v.Language(), members...); err != nil {
		return nil, nil, names, err
	}
	members = slices.DeleteFunc(members, func(m svc.MemberID) bool { return !names.has(m) })
	slices.SortFunc(members, c.compareByDepth)
	return c, members, names, nil
}

// compareByDepth orders members of the circles by depth, then by id.
func (c *circles) compareByDepth(a, b svc.MemberID) int {
	return cmp.Or(cmp.Compare(c.depth(a), c.depth(b)), cmp.Compare(a, b))
}

// circleRef returns the circle that m is in, nil for none.
func (w view) circleRef(m svc.MemberID) *CircleRef {
	depth := w.circles.depth(m)
	if depth == 0 {
		return nil
	}
	return &CircleRef{depth, circleName(w.language, depth)}
}
