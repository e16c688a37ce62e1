package social

import (
	"maps"
	"math/rand/v2"
	"slices"

	"appliance/store"
	"appliance/svc"
)

type circleQueries struct {
	GraphRevisions     store.Query `sql:"graph-revisions"`
	SetCircleRevision  store.Query `sql:"set-circle-revision"`
	PrivateCommunities store.Query `sql:"private-communities"`
	BlockedPairs       store.Query `sql:"blocked-pairs"`
}

// circles contains the computed circles of one member, hidden members included. A
// value is shared by goroutines and never modified.
type circles struct {
	entries   map[svc.MemberID]circleEntry
	depthList string // [[member, depth], …] with the member itself at depth 0, for json_each
}

// circleEntry is the position of one member in the circles of another.
type circleEntry struct {
	depth int
	from  svc.MemberID // predecessor: the lowest id of the members one step nearer with a shared community
	via   []string     // depth 1 only: the shared communities
}

// depth returns the circle that m is in, 0 for none.
func (c *circles) depth(m svc.MemberID) int { return c.entries[m].depth }

// graphRevisions are the two numbers that cached circles and audience lists depend on. They are
// random, so that a later write never has the revision of a value that was cached in a rolled-back
// write.
type graphRevisions struct {
	Circles   int64 `db:"revision"`
	Audiences int64 `db:"audiences"`
	Unsettled bool  `db:"unsettled"` // circles may have lost members whose RSVPs are not deleted yet
}

func (s *Service) graphRevisions(tx *store.Tx) (r graphRevisions, err error) {
	err = tx.Get(&r, s.q.GraphRevisions, nil)
	return r, err
}

// bumpCircleRevision invalidates all cached circles. Every write that changes
// a private membership or a block must call it before it reads circles.
func (s *Service) bumpCircleRevision(tx *store.Tx) error {
	_, err := tx.Exec(s.q.SetCircleRevision, store.Args{"revision": rand.Int64()})
	tx.Touch(svc.CirclesChanged, store.Everyone)
	return err
}

// circlesShrunk bumps the circle revision after circles may have lost members, and revokes
// the RSVPs of such members to circle events.
func (s *Service) circlesShrunk(tx *store.Tx) error {
	if err := s.bumpCircleRevision(tx); err != nil {
		return err
	}
	return s.addFollowUp(tx, followUp{})
}

// circles returns the circles of member, from the cache if possible.
func (s *Service) circles(tx *store.Tx, member svc.MemberID) (*circles, error) {
	r, err := s.graphRevisions(tx)
	if err != nil {
		return nil, err
	}
	return s.circlesAt(tx, r, member)
}

func (s *Service) circlesAt(tx *store.Tx, r graphRevisions, member svc.MemberID) (*circles, error) {
	return s.circleCache.get(member, r.Circles, func() (*circles, error) {
		entries, err := s.computeCircles(tx, member)
		if err != nil {
			return nil, err
		}
		return newCircles(member, entries), nil
	})
}

func newCircles(member svc.MemberID, entries map[svc.MemberID]circleEntry) *circles {
	list := make([][2]int64, 1, len(entries)+1)
	list[0] = [2]int64{int64(member), 0}
	for _, m := range slices.Sorted(maps.Keys(entries)) {
		list = append(list, [2]int64{int64(m), int64(entries[m].depth)})
	}
	return &circles{entries, store.JSONArray(list)}
}

// computeCircles is a breadth-first search over shared private communities, up
// to [MaxDepth] steps from root. It does not step between two members with a
// block between them, which keeps distances symmetric.
func (s *Service) computeCircles(tx *store.Tx, root svc.MemberID) (map[svc.MemberID]circleEntry, error) {
	entries := map[svc.MemberID]circleEntry{root: {}}
	var exhausted []string // communities whose members have all been reached
	frontier := []svc.MemberID{root}
	for depth := 1; depth <= MaxDepth && len(frontier) > 0; depth++ {
		communities, err := s.privateCommunities(tx, frontier, exhausted)
		if err != nil {
			return nil, err
		}
		blocked, err := s.blockedPairs(tx, frontier)
		if err != nil {
			return nil, err
		}
		reached := make(map[svc.MemberID]circleEntry)
		for _, c := range communities {
			complete := true
			for _, m := range c.members {
				if _, known := entries[m]; known {
					continue
				}
				from, ok := c.predecessor(entries, depth-1, m, blocked)
				if !ok {
					complete = false
					continue
				}
				e, isReached := reached[m]
				if !isReached || from < e.from {
					e.depth, e.from = depth, from
				}
				if depth == 1 {
					e.via = append(e.via, c.id)
				}
				reached[m] = e
			}
			if complete {
				exhausted = append(exhausted, c.id)
			}
		}
		maps.Copy(entries, reached)
		frontier = slices.Sorted(maps.Keys(reached))
	}
	delete(entries, root)
	return entries, nil
}

// privateCommunity is a private community with its active members by id.
type privateCommunity struct {
	id      string
	members []svc.MemberID
}

// predecessor returns the first member at depth who has no block with m.
func (c privateCommunity) predecessor(entries map[svc.MemberID]circleEntry, depth int, m svc.MemberID, blocked map[memberPair]bool) (svc.MemberID, bool) {
	for _, from := range c.members {
		if e, known := entries[from]; known && e.depth == depth && !blocked[memberPair{from, m}] {
			return from, true
		}
	}
	return 0, false
}

// privateCommunities returns the private communities of members, except those
// in exclude.
func (s *Service) privateCommunities(tx *store.Tx, members []svc.MemberID, exclude []string) (list []privateCommunity, err error) {
	var rows []struct {
		Community string       `db:"community_id"`
		Member    svc.MemberID `db:"member_id"`
	}
	err = tx.Select(&rows, s.q.PrivateCommunities, store.Args{"members": store.JSONArray(members), "exclude": store.JSONArray(exclude)})
	for _, row := range rows {
		if n := len(list); n == 0 || list[n-1].id != row.Community {
			list = append(list, privateCommunity{id: row.Community})
		}
		c := &list[len(list)-1]
		c.members = append(c.members, row.Member)
	}
	return list, err
}

type memberPair struct{ member, other svc.MemberID }

// blockedPairs returns the blocks by and of members. Each pair has a member of
// the list first.
func (s *Service) blockedPairs(tx *store.Tx, members []svc.MemberID) (map[memberPair]bool, error) {
	var rows []struct {
		Member svc.MemberID `db:"member_id"`
		Other  svc.MemberID `db:"other_id"`
	}
	err := tx.Select(&rows, s.q.BlockedPairs, store.Args{"members": store.JSONArray(members)})
	pairs := make(map[memberPair]bool, len(rows))
	for _, row := range rows {
		pairs[memberPair{row.Member, row.Other}] = true
	}
	return pairs, err
}
