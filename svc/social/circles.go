package social

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"appliance/store"
	"appliance/svc"
)

// Circle is everybody who is as far from a member. Nobody is in two of their
// circles. Schema: service.social.circle.
type Circle struct {
	Depth   int                    `json:"depth"` // 1 to 3
	Name    string                 `json:"name"`
	Members svc.List[CircleMember] `json:"members"` // by number
}

// CircleMember is somebody in a circle.
type CircleMember struct {
	MemberRef
	Via svc.List[string] `json:"via"` // of the inner circle: the communities they share with the viewer
}

// Graph is the same as a tree: each member and through whom they are reached.
// It tells of no community. Schema: service.social.graph.
type Graph struct {
	Root      svc.MemberID        `json:"root"`
	Depth     int                 `json:"depth"`
	Nodes     svc.List[GraphNode] `json:"nodes"` // by depth, then by number
	Edges     svc.List[GraphEdge] `json:"edges"`
	Truncated bool                `json:"truncated"` // there are more than [maxNodes]
}

// GraphNode is a member in the graph.
type GraphNode struct {
	MemberID    svc.MemberID `json:"member_id"`
	DisplayName string       `json:"display_name"`
	Depth       int          `json:"depth"`
}

// GraphEdge leads from a member to one who is a step farther away.
type GraphEdge struct {
	From  svc.MemberID `json:"from"`
	To    svc.MemberID `json:"to"`
	Depth int          `json:"depth"` // of To
}

// MaxDepth is how far circles reach.
const MaxDepth = 3

// maxNodes is how many members a graph shows.
const maxNodes = 1000

// circleNames are the names of the circles by depth.
var circleNames = [MaxDepth + 1]string{1: "Inner", 2: "Trusted", 3: "Extended"}

// Circles returns v's circles, all three of them.
func (s *Service) Circles(tx *store.Tx, v svc.Viewer) ([]Circle, error) {
	c, near, names, err := s.near(tx, v, MaxDepth)
	if err != nil {
		return nil, err
	}
	list := make([]Circle, MaxDepth)
	for i := range list {
		list[i] = Circle{Depth: i + 1, Name: circleNames[i+1]}
	}
	for _, m := range near {
		p := c.places[m]
		list[p.depth-1].Members = append(list[p.depth-1].Members, CircleMember{names.of(m), p.via})
	}
	return list, nil
}

// Graph returns v's circles up to a depth of 1 to 3 as a tree.
func (s *Service) Graph(tx *store.Tx, v svc.Viewer, depth int) (Graph, error) {
	if depth < 1 || depth > MaxDepth {
		return Graph{}, svc.ParameterError("depth", "depth must be 1, 2 or 3.")
	}
	c, near, names, err := s.near(tx, v, depth)
	if err != nil {
		return Graph{}, err
	}
	g := Graph{Root: v.Member(), Depth: depth}
	if g.Truncated = len(near) > maxNodes; g.Truncated {
		near = near[:maxNodes]
	}
	for _, m := range near {
		p := c.places[m]
		g.Nodes = append(g.Nodes, GraphNode{m, names.of(m).DisplayName, p.depth})
		// Whoever is not to be seen is not named as the way to others.
		if _, shown := names[p.from]; shown || p.from == v.Member() {
			g.Edges = append(g.Edges, GraphEdge{p.from, m, p.depth})
		}
	}
	return g, nil
}

// near returns those of v's circles who can be seen, by depth and number, and
// what they are called.
func (s *Service) near(tx *store.Tx, v svc.Viewer, depth int) (c *circles, list []svc.MemberID, names names, err error) {
	hidden, err := s.Hidden(tx, v.Member())
	if err != nil {
		return nil, nil, nil, err
	}
	if c, err = s.circles(tx, v.Member()); err != nil {
		return nil, nil, nil, err
	}
	for m, p := range c.places {
		if p.depth <= depth && !slices.Contains(hidden, m) {
			list = append(list, m)
		}
	}
	if names, err = s.names(tx, list...); err != nil {
		return nil, nil, nil, err
	}
	list = slices.DeleteFunc(list, func(m svc.MemberID) bool { _, active := names[m]; return !active })
	slices.SortFunc(list, func(a, b svc.MemberID) int {
		return cmp.Or(cmp.Compare(c.places[a].depth, c.places[b].depth), cmp.Compare(a, b))
	})
	return c, list, names, nil
}

// circles are a member's, whoever they block. They are never changed.
type circles struct {
	places map[svc.MemberID]place
	keys   string // [[member, depth], …] with the member at depth 0, for json_each
}

// place is where somebody stands in the circles of another.
type place struct {
	depth int
	from  svc.MemberID // one of those through whom they are reached, the one with the smallest number
	via   []string     // depth 1: the communities they share
}

// depth returns how far another member is, 0 if they are in no circle.
func (c *circles) depth(m svc.MemberID) int { return c.places[m].depth }

// kept is what was worked out of members, until there may be something else to
// it: until the graph has another revision.
type kept[T any] struct {
	mu   sync.Mutex
	byID map[svc.MemberID]keptAt[T]
}

type keptAt[T any] struct {
	revision int64
	value    T
}

// maxKept bounds of how many members there is something.
const maxKept = 512

// at returns what there is of a member at a revision, which work makes if
// nothing is kept.
func (k *kept[T]) at(member svc.MemberID, revision int64, work func() (T, error)) (T, error) {
	k.mu.Lock()
	found, ok := k.byID[member]
	k.mu.Unlock()
	if ok && found.revision == revision {
		return found.value, nil
	}
	value, err := work()
	if err != nil {
		return value, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byID == nil || len(k.byID) >= maxKept {
		k.byID = make(map[svc.MemberID]keptAt[T])
	}
	k.byID[member] = keptAt[T]{revision, value}
	return value, nil
}

// graph is which circles and audiences hold.
type graph struct {
	Revision  int64 `db:"revision"`
	Audiences int64 `db:"audiences"`
}

func (s *Service) graph(tx *store.Tx) (g graph, err error) {
	err = tx.Get(&g, s.q.Graph, nil)
	return g, err
}

// circles returns the circles of a member.
func (s *Service) circles(tx *store.Tx, member svc.MemberID) (*circles, error) {
	g, err := s.graph(tx)
	if err != nil {
		return nil, err
	}
	return s.circlesAt(tx, g, member)
}

func (s *Service) circlesAt(tx *store.Tx, g graph, member svc.MemberID) (*circles, error) {
	return s.kept.at(member, g.Revision, func() (*circles, error) {
		places, err := s.walk(tx, member)
		if err != nil {
			return nil, err
		}
		return newCircles(member, places), nil
	})
}

func newCircles(member svc.MemberID, places map[svc.MemberID]place) *circles {
	keys := make([][2]int64, 1, len(places)+1)
	keys[0] = [2]int64{int64(member), 0}
	for _, m := range slices.Sorted(maps.Keys(places)) {
		keys = append(keys, [2]int64{int64(m), int64(places[m].depth)})
	}
	return &circles{places, store.JSONArray(keys)}
}

// regraph notes that circles have changed. The number is random rather than
// the next one: what was worked out in a write that failed must not be taken
// for what another write makes of it.
func (s *Service) regraph(tx *store.Tx) error {
	_, err := tx.Exec(s.q.SetGraphRevision, store.Args{"revision": rand.Int64()})
	tx.Touch(svc.SocialTopic, store.Everyone)
	return err
}

// walk goes from a member to all who share a private community with them, from
// those to all who share one with them, and so once more. Two who block one
// another are not together, wherever they both are, so that whoever sees
// somebody at some depth is seen by them at the same.
func (s *Service) walk(tx *store.Tx, root svc.MemberID) (map[svc.MemberID]place, error) {
	places := map[svc.MemberID]place{root: {}}
	var done []string // communities all of whose members have been reached
	frontier := []svc.MemberID{root}
	for depth := 1; depth <= MaxDepth && len(frontier) > 0; depth++ {
		communities, err := s.around(tx, frontier, done)
		if err != nil {
			return nil, err
		}
		apart, err := s.apart(tx, frontier)
		if err != nil {
			return nil, err
		}
		reached := make(map[svc.MemberID]place)
		for _, c := range communities {
			missed := false
			for _, m := range c.members {
				if _, known := places[m]; known {
					continue
				}
				from, ok := c.leading(places, depth-1, m, apart)
				if !ok {
					missed = true
					continue
				}
				p, again := reached[m]
				if !again || from < p.from {
					p.depth, p.from = depth, from
				}
				if depth == 1 {
					p.via = append(p.via, c.id)
				}
				reached[m] = p
			}
			if !missed {
				done = append(done, c.id)
			}
		}
		maps.Copy(places, reached)
		frontier = slices.Sorted(maps.Keys(reached))
	}
	delete(places, root)
	return places, nil
}

// gathering is a private community with its active members by number.
type gathering struct {
	id      string
	members []svc.MemberID
}

// leading returns the first member who stands at that depth and is not apart
// from m.
func (g gathering) leading(places map[svc.MemberID]place, depth int, m svc.MemberID, apart map[[2]svc.MemberID]bool) (svc.MemberID, bool) {
	for _, from := range g.members {
		if p, known := places[from]; known && p.depth == depth && !apart[[2]svc.MemberID{from, m}] {
			return from, true
		}
	}
	return 0, false
}

// around returns the private communities of members, but for those done.
func (s *Service) around(tx *store.Tx, members []svc.MemberID, done []string) (list []gathering, err error) {
	var rows []struct {
		Community string       `db:"community_id"`
		Member    svc.MemberID `db:"member_id"`
	}
	err = tx.Select(&rows, s.q.Gatherings, store.Args{"members": jsonList(members), "done": jsonList(done)})
	for _, row := range rows {
		if n := len(list); n == 0 || list[n-1].id != row.Community {
			list = append(list, gathering{id: row.Community})
		}
		g := &list[len(list)-1]
		g.members = append(g.members, row.Member)
	}
	return list, err
}

// apart returns the pairs of members and others with a block between them.
func (s *Service) apart(tx *store.Tx, members []svc.MemberID) (map[[2]svc.MemberID]bool, error) {
	var rows []struct {
		Member svc.MemberID `db:"member_id"`
		Other  svc.MemberID `db:"other_id"`
	}
	err := tx.Select(&rows, s.q.BlocksOf, store.Args{"members": jsonList(members)})
	pairs := make(map[[2]svc.MemberID]bool, len(rows))
	for _, row := range rows {
		pairs[[2]svc.MemberID{row.Member, row.Other}] = true
	}
	return pairs, err
}
