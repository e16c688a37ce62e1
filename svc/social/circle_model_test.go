package social

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/svctest"
)

// model computes the expected circles from memberships and blocks.
type model struct {
	members     []svc.MemberID
	inactive    map[svc.MemberID]bool
	communities map[string]*modelCommunity
	blocks      map[memberPair]bool
}

type modelCommunity struct {
	private bool
	members map[svc.MemberID]bool
}

func (w *model) isBlocked(a, b svc.MemberID) bool {
	return w.blocks[memberPair{a, b}] || w.blocks[memberPair{b, a}]
}

// sharedCommunities returns the private communities that two members share.
func (w *model) sharedCommunities(a, b svc.MemberID) (list []string) {
	for id, c := range w.communities {
		if a != b && c.private && c.members[a] && c.members[b] && !w.isBlocked(a, b) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// depths returns the distance from a member of each member that they see.
func (w *model) depths(from svc.MemberID) map[svc.MemberID]int {
	depths := map[svc.MemberID]int{from: 0}
	for depth := 1; depth <= MaxDepth; depth++ {
		for _, a := range w.members {
			for _, b := range w.members {
				if d, ok := depths[a]; ok && d == depth-1 && len(w.sharedCommunities(a, b)) > 0 {
					if _, ok := depths[b]; !ok {
						depths[b] = depth
					}
				}
			}
		}
	}
	maps.DeleteFunc(depths, func(m svc.MemberID, _ int) bool { return m == from || w.inactive[m] || w.isBlocked(from, m) })
	return depths
}

// wantCircles compares the circles and graphs of all active members with the
// model.
func (w *model) wantCircles(t *testing.T, tx *store.Tx, s *Service) error {
	depths := make(map[memberPair]int)
	for _, m := range w.members {
		if w.inactive[m] {
			continue
		}
		circles, err := s.Circles(tx, svc.Trust(m))
		if err != nil {
			return err
		}
		got := make(map[svc.MemberID]int)
		for _, c := range circles {
			for _, p := range c.Members {
				if got[p.ID] != 0 {
					t.Errorf("member %d is in two circles of %d", p.ID, m)
				}
				got[p.ID], depths[memberPair{m, p.ID}] = c.Depth, c.Depth
				var via []string
				if c.Depth == 1 {
					via = w.sharedCommunities(m, p.ID)
				}
				wantEqual(t, fmt.Sprintf("via of %d in the circles of %d", p.ID, m), p.Via, via)
			}
		}
		wantEqual(t, fmt.Sprint("circles of ", m), got, w.depths(m))
		if err := w.wantGraph(t, tx, s, m); err != nil {
			return err
		}
	}
	for pair, depth := range depths {
		wantEqual(t, fmt.Sprint("distance of ", pair, " in the other direction"), depths[memberPair{pair.other, pair.member}], depth)
	}
	return nil
}

func (w *model) wantGraph(t *testing.T, tx *store.Tx, s *Service, m svc.MemberID) error {
	for limit := 1; limit <= MaxDepth; limit++ {
		g, err := s.Graph(tx, svc.Trust(m), limit)
		if err != nil {
			return err
		}
		got, want := make(map[svc.MemberID]int), w.depths(m)
		for _, n := range g.Nodes {
			got[n.MemberID] = n.Depth
		}
		maps.DeleteFunc(want, func(_ svc.MemberID, depth int) bool { return depth > limit })
		wantEqual(t, fmt.Sprintf("graph of %d up to %d", m, limit), got, want)
		for _, e := range g.Edges {
			if len(w.sharedCommunities(e.From, e.To)) == 0 || got[e.To] != e.Depth || got[e.From] != e.Depth-1 {
				t.Errorf("graph of %d: got edge %+v, which the model has not", m, e)
			}
		}
	}
	return nil
}

// randomWorkload makes random changes and applies the accepted ones to the model.
type randomWorkload struct {
	*rand.Rand
	*model
	*server
	ids     []string          // ids of communities, including deleted ones
	invited map[string]string // invitation → community
	invitee map[string]svc.MemberID
	deleted map[svc.MemberID]bool
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// errRolledBack makes a write fail on purpose.
var errRolledBack = errors.New("rolled back")

// errSkipped is returned by a step without a change.
var errSkipped = errors.New("skipped")

// randomMember returns a random member, in most cases one of c.
func (r *randomWorkload) randomMember(c *modelCommunity) svc.MemberID {
	if list := slices.Sorted(maps.Keys(c.members)); len(list) > 0 && r.IntN(3) > 0 {
		return pick(r.Rand, list...)
	}
	return pick(r.Rand, r.model.members...)
}

// step makes one change, which the service may reject. It returns the effect
// on the model.
func (r *randomWorkload) step(tx *store.Tx, s *Service) (name string, effect func(), err error) {
	id := pick(r.Rand, append([]string{"com_none"}, r.ids...)...)
	c := r.communities[id]
	if c == nil {
		c = &modelCommunity{members: make(map[svc.MemberID]bool)}
	}
	by, other := r.randomMember(c), r.randomMember(c)
	if r.inactive[by] {
		return "", nil, errSkipped
	}
	v := svc.Trust(by)
	switch r.IntN(16) {
	case 0:
		if len(r.communities) == 9 {
			return "", nil, errSkipped
		}
		visibility := pick(r.Rand, "private", "private", "public")
		created, err := s.CreateCommunity(tx, v, NewCommunity{Name: "x", Visibility: CommunityVisibility(visibility)})
		return "create", func() {
			r.communities[created.ID] = &modelCommunity{visibility == "private", map[svc.MemberID]bool{by: true}}
			r.ids = append(r.ids, created.ID)
		}, err
	case 1, 2, 11:
		i, err := s.InviteToCommunity(tx, v, id, NewInvitation{Recipient: other.String()})
		return "invite", func() { r.invited[i.ID], r.invitee[i.ID] = id, other }, err
	case 3, 4, 5:
		return r.answer(tx, s)
	case 6:
		joined, err := s.JoinCommunity(tx, v, id)
		return "join", func() { c.members[by] = joined.Membership.State == "active" }, err
	case 7:
		_, err := s.LeaveCommunity(tx, v, id)
		return "leave", func() { delete(c.members, by) }, err
	case 8, 13, 14, 15:
		if r.IntN(2) == 0 {
			_, err := s.UpdateCommunityMember(tx, v, id, other, MemberChange{Role: svc.Some(pick(r.Rand, RoleOwner, RoleModerator, RoleMember))})
			return "role", func() {}, err
		}
		return "remove", func() { delete(c.members, other) }, s.RemoveCommunityMember(tx, v, id, other)
	case 9:
		if r.IntN(6) == 0 {
			return "delete", func() { delete(r.communities, id) }, s.DeleteCommunity(tx, v, id)
		}
		_, err := s.UpdateCommunity(tx, v, id, CommunityChange{Visibility: svc.Some(CommunityPrivate)})
		return "make private", func() { c.private = true }, err
	case 10:
		if r.IntN(3) > 0 {
			_, err := s.Block(tx, v, NewBlock{MemberID: other})
			return "block", func() { r.blocks[memberPair{by, other}] = true }, err
		}
		if pairs := slices.Collect(maps.Keys(r.blocks)); len(pairs) > 0 {
			slices.SortFunc(pairs, func(a, b memberPair) int {
				return cmp.Or(cmp.Compare(a.member, b.member), cmp.Compare(a.other, b.other))
			})
			pair := pick(r.Rand, pairs...)
			by, other = pair.member, pair.other
		}
		return "unblock", func() { delete(r.blocks, memberPair{by, other}) }, s.Unblock(tx, svc.Trust(by), other)
	}
	return r.changeAccount(tx, s, other)
}

func (r *randomWorkload) answer(tx *store.Tx, s *Service) (string, func(), error) {
	if len(r.invited) == 0 {
		return "", nil, errSkipped
	}
	i := pick(r.Rand, slices.Sorted(maps.Keys(r.invited))...)
	member, c := r.invitee[i], r.communities[r.invited[i]]
	answer := pick(r.Rand, Accept, Accept, Accept, Decline)
	_, err := s.AnswerInvitation(tx, svc.Trust(member), i, answer)
	if err != nil {
		delete(r.invited, i)
	}
	return string(answer.state), func() {
		delete(r.invited, i)
		if answer == Accept {
			c.members[member] = true
		}
	}, err
}

// changeAccount disables, enables or deletes an account. In most cases it does
// nothing.
func (r *randomWorkload) changeAccount(tx *store.Tx, s *Service, member svc.MemberID) (string, func(), error) {
	set := func(inactive bool) { r.inactive[member], r.server.members.inactive[member] = inactive, inactive }
	switch r.IntN(24) {
	case 0:
		return "delete member", func() {
			set(true)
			r.deleted[member] = true
			for _, c := range r.communities {
				delete(c.members, member)
			}
			maps.DeleteFunc(r.blocks, func(b memberPair, _ bool) bool { return b.member == member || b.other == member })
		}, s.MemberDeleted(tx, member)
	case 1, 2, 3:
		return "disable", func() { set(true) }, nil
	case 4, 5, 6, 7, 8, 9:
		if !r.deleted[member] {
			return "enable", func() { set(false) }, nil
		}
	}
	return "", nil, errSkipped
}

// Covers PT-20, O-06 to O-16, PT-46 and B-73: the circles equal those of the model after any
// sequence of changes, for two services on the same database and after rolled-back writes.
func TestCirclesMatchTheModelAfterRandomChanges(t *testing.T) {
	seeds, steps := uint64(2), 300
	if svctest.IsLong() {
		seeds, steps = 20, 600
	}
	done := make(map[string]int)
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { runRandomWorkload(t, seed, steps, done) })
	}
	for _, name := range []string{"create", "invite", "accepted", "declined", "join", "leave", "role", "remove", "make private", "block", "unblock", "disable", "enable", "delete", "delete member"} {
		if done[name] == 0 {
			t.Errorf("no step %q succeeded", name)
		}
	}
}

func runRandomWorkload(t *testing.T, seed uint64, steps int, done map[string]int) {
	names := make([]string, 10)
	for i := range names {
		names[i] = fmt.Sprint("m", i)
	}
	s, actors := newServer(t, names...)
	second := New(s.members, s.calendars, s.storage) // has its own caches, like another process
	w := &model{inactive: make(map[svc.MemberID]bool), communities: make(map[string]*modelCommunity), blocks: make(map[memberPair]bool)}
	for _, a := range actors {
		w.members = append(w.members, a.id)
	}
	r := &randomWorkload{rand.New(rand.NewPCG(seed, 1)), w, s, nil, make(map[string]string), make(map[string]svc.MemberID), make(map[svc.MemberID]bool)}
	for range steps {
		service, fail := pick(r.Rand, s.Service, second), r.IntN(4) == 0
		var name string
		var effect func()
		err := s.db.Write(t.Context(), func(tx *store.Tx) (err error) {
			name, effect, err = r.step(tx, service)
			if err == nil && fail {
				if _, err := service.Circles(tx, svc.Trust(w.members[0])); err != nil {
					return err
				}
				return errRolledBack
			}
			return err
		})
		var rejected *svc.Error
		switch {
		case err == nil:
			effect()
			done[name]++
		case !errors.As(err, &rejected) && !errors.Is(err, errRolledBack) && !errors.Is(err, errSkipped):
			t.Fatal(err)
		}
		err = s.db.Read(t.Context(), func(tx *store.Tx) error { return w.wantCircles(t, tx, pick(r.Rand, s.Service, second)) })
		if err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("after the step %q", name)
		}
	}
}
