package social

import (
	"fmt"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
)

func (a actor) graph(depth int) Graph {
	a.Helper()
	return read(a, func(tx *store.Tx, v svc.Viewer) (Graph, error) { return a.Graph(tx, v, depth) })
}

// Covers O-06, O-07, O-08, O-09, O-12 and O-15.
func TestCirclesFollowSharedPrivateCommunities(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan", "eve")
	ann, bea, cid, dan, eve := m[0], m[1], m[2], m[3], m[4]
	first := ann.community("private", bea)
	chain(bea, cid, dan, eve)
	ann.community("public", eve)
	for a, want := range map[actor]string{
		ann: "Bea|Cid|Dan", bea: "Ann Cid|Dan|Eve", cid: "Bea Dan|Ann Eve|", dan: "Cid Eve|Bea|Ann", eve: "Dan|Cid|Bea",
	} {
		wantEqual(t, "circles of "+a.name, a.circleNames(), want)
	}
	circles := read(ann, func(tx *store.Tx, v svc.Viewer) ([]Circle, error) { return ann.Circles(tx, v) })
	wantEqual(t, "names of the circles", column(circles, func(c Circle) any { return c.Name }), "Inner Trusted Extended")
	wantEqual(t, "via of the inner circle", circles[0].Members[0].Via, []string{first})
	wantEqual(t, "via of the trusted circle", len(circles[1].Members[0].Via), 0)
	ann.admit(first, dan)
	wantEqual(t, "circles of ann by a shorter way", ann.circleNames(), "Bea Dan|Cid Eve|")
	dan.leave(first)
	wantEqual(t, "circles of ann after dan has left", ann.circleNames(), "Bea|Cid|Dan")
}

func TestLeavingOneOfTwoCommunitiesKeepsTheCircle(t *testing.T) {
	_, m := newServer(t, "ann", "bea")
	ann, bea := m[0], m[1]
	one, other := ann.community("private", bea), ann.community("private", bea)
	bea.leave(one)
	wantEqual(t, "circles after leaving one", bea.circleNames(), "Ann||")
	bea.leave(other)
	wantEqual(t, "circles after leaving both", bea.circleNames()+ann.circleNames(), "||||")
	wantError(t, "joining a private community again", bea.tryJoin(other), svc.NotFound)
}

func TestGraphShowsTheCirclesAsATree(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan", "eve")
	chain(m...)
	for depth, want := range map[int]string{1: "Bea", 2: "Bea Cid", 3: "Bea Cid Dan"} {
		g := m[0].graph(depth)
		wantEqual(t, fmt.Sprint("nodes up to depth ", depth), column(g.Nodes, func(n GraphNode) any { return n.DisplayName }), want)
		wantEqual(t, fmt.Sprint("edges up to depth ", depth), len(g.Edges), len(g.Nodes))
		if text := store.JSON(g); strings.Contains(text, "com_") {
			t.Errorf("the graph names a community: %s", text)
		}
	}
	for _, depth := range []int{0, 4} {
		_, err := tryRead(m[0], func(tx *store.Tx, v svc.Viewer) (Graph, error) { return m[0].Graph(tx, v, depth) })
		wantError(t, fmt.Sprint("depth ", depth), err, svc.InvalidParameter, "depth")
	}
}

// Covers B-72 and B-73: circles and graph do not contain a blocked member, not even
// as the start of an edge.
func TestGraphOmitsBlockedMembers(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid", "dan")
	ann, bea, cid, dan := m[0], m[1], m[2], m[3]
	ann.community("private", bea, cid)
	chain(bea, dan)
	chain(ann, cid)
	chain(cid, bea)
	for _, blocker := range []actor{ann, bea} {
		blocked := map[actor]actor{ann: bea, bea: ann}[blocker]
		blocker.block(blocked)
		// The hidden bea is still at depth 2 through cid, so dan is at depth 3.
		wantEqual(t, "circles of ann", ann.circleNames(), "Cid||Dan")
		wantEqual(t, "circles of bea", bea.circleNames(), "Cid Dan||")
		for a, other := range map[actor]actor{ann: bea, bea: ann} {
			g := a.graph(3)
			for _, n := range g.Nodes {
				if n.MemberID == other.id {
					t.Errorf("the graph of %s has the node %+v", a.name, n)
				}
			}
			for _, e := range g.Edges {
				if e.From == other.id || e.To == other.id {
					t.Errorf("the graph of %s has the edge %+v", a.name, e)
				}
			}
		}
		wantEqual(t, "circles of dan", dan.circleNames(), "Bea|Cid|Ann")
		blocker.unblock(blocked)
		wantEqual(t, "circles of ann after the block", ann.circleNames(), "Bea Cid|Dan|")
	}
}

func TestGraphOmitsEdgesFromFormerMembers(t *testing.T) {
	_, m := newServer(t, "ann", "bea", "cid")
	chain(m...)
	m[1].disable()
	g := m[0].graph(3)
	wantEqual(t, "nodes", column(g.Nodes, func(n GraphNode) any { return n.DisplayName }), "Cid")
	wantEqual(t, "edges", len(g.Edges), 0)
}

func TestGraphIsTruncated(t *testing.T) {
	for _, c := range []struct {
		members   int
		truncated bool
	}{{maxGraphNodes, false}, {maxGraphNodes + 1, true}} {
		entries := make(map[svc.MemberID]circleEntry)
		var members []svc.MemberID
		for i := range svc.MemberID(c.members) {
			members = append(members, i+2)
			entries[i+2] = circleEntry{depth: 1, from: 1}
		}
		g := newCircles(1, entries).graph(1, members, names{})
		wantEqual(t, fmt.Sprint(c.members, " members"), fmt.Sprint(len(g.Nodes), len(g.Edges), g.Truncated), fmt.Sprint(maxGraphNodes, maxGraphNodes, c.truncated))
	}
}

func TestCacheIsEmptiedWhenItIsFull(t *testing.T) {
	var c memberCache[int]
	computed := 0
	get := func(member svc.MemberID, revision int64) int {
		n, _ := c.get(member, revision, func() (int, error) { computed++; return computed, nil })
		return n
	}
	wantEqual(t, "the first value", get(1, 7), 1)
	wantEqual(t, "the cached value", get(1, 7), 1)
	wantEqual(t, "the value of another revision", get(1, 8), 2)
	for m := range svc.MemberID(maxCachedMembers) {
		get(m+2, 8)
	}
	if len(c.entries) > maxCachedMembers {
		t.Errorf("got %d entries, want at most %d", len(c.entries), maxCachedMembers)
	}
	if _, err := c.get(9999, 1, func() (int, error) { return 0, errRolledBack }); err == nil {
		t.Error("the error of compute is not returned")
	}
	wantEqual(t, "the value after an error", get(9999, 1), computed)
}
