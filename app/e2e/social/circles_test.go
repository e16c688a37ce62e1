package social

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/svc/svctest"
)

// ties are what circles follow from, kept by the simplest means: the oracle of
// the tests of circles.
type ties struct {
	members     []svc.MemberID
	gone        map[svc.MemberID]bool // disabled or deleted
	communities map[string]*tie
	blocks      map[[2]svc.MemberID]bool
}

type tie struct {
	private bool
	members map[svc.MemberID]bool
}

func (w *ties) apart(a, b svc.MemberID) bool {
	return w.blocks[[2]svc.MemberID{a, b}] || w.blocks[[2]svc.MemberID{b, a}]
}

// shared are the private communities that two have in common.
func (w *ties) shared(a, b svc.MemberID) (list []string) {
	for id, c := range w.communities {
		if a != b && c.private && c.members[a] && c.members[b] && !w.apart(a, b) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// depths are how many steps it is to everybody whom a member may see.
func (w *ties) depths(from svc.MemberID) map[svc.MemberID]int {
	near := map[svc.MemberID]int{from: 0}
	for depth := 1; depth <= 3; depth++ {
		for _, a := range w.members {
			for _, b := range w.members {
				if at, known := near[a]; known && at == depth-1 && len(w.shared(a, b)) > 0 {
					if _, known := near[b]; !known {
						near[b] = depth
					}
				}
			}
		}
	}
	maps.DeleteFunc(near, func(m svc.MemberID, _ int) bool { return m == from || w.gone[m] || w.apart(from, m) })
	return near
}

// check fails t unless the service says of everybody what the oracle says.
func (w *ties) check(t *testing.T, tx *store.Tx, s *social.Service) error {
	depths := make(map[[2]svc.MemberID]int)
	for _, m := range w.members {
		if w.gone[m] {
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
					t.Errorf("%d is in two circles of %d", p.ID, m)
				}
				got[p.ID], depths[[2]svc.MemberID{m, p.ID}] = c.Depth, c.Depth
				var via []string
				if c.Depth == 1 {
					via = w.shared(m, p.ID)
				}
				if !slices.Equal(p.Via, via) {
					t.Errorf("%d sees %d by %v, want %v", m, p.ID, p.Via, via)
				}
			}
		}
		if want := w.depths(m); !maps.Equal(got, want) {
			t.Errorf("circles of %d: %v, want %v", m, got, want)
		}
		if err := w.checkGraph(t, tx, s, m); err != nil {
			return err
		}
	}
	for pair, depth := range depths {
		if back := depths[[2]svc.MemberID{pair[1], pair[0]}]; back != depth {
			t.Errorf("%v are %d apart one way and %d the other", pair, depth, back)
		}
	}
	return nil
}

// checkGraph fails t unless the graph of a member has who is in their circles,
// each beside somebody a step nearer.
func (w *ties) checkGraph(t *testing.T, tx *store.Tx, s *social.Service, m svc.MemberID) error {
	want := w.depths(m)
	for limit := 1; limit <= 3; limit++ {
		g, err := s.Graph(tx, svc.Trust(m), limit)
		if err != nil {
			return err
		}
		got := make(map[svc.MemberID]int)
		for _, n := range g.Nodes {
			got[n.MemberID] = n.Depth
		}
		for id, depth := range want {
			if depth <= limit && got[id] != depth || depth > limit && got[id] != 0 {
				t.Errorf("graph of %d up to %d: %v, want %v", m, limit, got, want)
			}
		}
		for _, e := range g.Edges {
			if len(w.shared(e.From, e.To)) == 0 || got[e.To] != e.Depth || got[e.From] != e.Depth-1 {
				t.Errorf("graph of %d: there is no edge %+v", m, e)
			}
		}
	}
	return nil
}

// history makes random changes, on which the oracle is kept up to date.
type history struct {
	apptest.Rand
	*ties
	h       *apptest.Server
	names   []string                // of communities, of deleted ones too
	invited map[string]string       // the community of an invitation
	to      map[string]svc.MemberID // whom it is for
}

var errThought = errors.New("somebody thought better of it")

// somebody is most often in the community, so that there is something they may
// do.
func (y *history) somebody(c *tie) svc.MemberID {
	if list := slices.Sorted(maps.Keys(c.members)); len(list) > 0 && !y.OneIn(3) {
		return apptest.Pick(y.Rand, list...)
	}
	return apptest.Pick(y.Rand, y.members...)
}

// step makes one change by somebody; many are refused, since they may not. It
// returns what the change does to the oracle.
func (y *history) step(tx *store.Tx, s *social.Service) (name string, effect func(), err error) {
	id := apptest.Pick(y.Rand, append([]string{"com_none"}, y.names...)...)
	c := y.communities[id]
	if c == nil {
		c = &tie{members: make(map[svc.MemberID]bool)}
	}
	by, other := y.somebody(c), y.somebody(c)
	v := svc.Trust(by)
	if y.gone[by] {
		return "nothing", func() {}, errThought
	}
	switch y.IntN(13) {
	case 0:
		if len(y.communities) == 9 {
			return "nothing", func() {}, errThought
		}
		visibility := apptest.Pick(y.Rand, "private", "private", "public")
		made, err := s.CreateCommunity(tx, v, social.NewCommunity{Name: "x", Visibility: visibility})
		return "create", func() {
			y.communities[made.ID] = &tie{visibility == "private", map[svc.MemberID]bool{by: true}}
			y.names = append(y.names, made.ID)
		}, err
	case 1, 2, 11:
		made, err := s.InviteToCommunity(tx, v, id, social.NewInvitation{Recipient: other.String()})
		return "invite", func() { y.invited[made.ID], y.to[made.ID] = id, other }, err
	case 3, 4, 5:
		if len(y.invited) == 0 {
			return "nothing", func() {}, errThought
		}
		invitation := apptest.Pick(y.Rand, slices.Sorted(maps.Keys(y.invited))...)
		by, c := y.to[invitation], y.communities[y.invited[invitation]]
		answer := apptest.Pick(y.Rand, "accepted", "accepted", "accepted", "declined")
		_, err := s.AnswerInvitation(tx, svc.Trust(by), invitation, answer)
		if err != nil { // nobody is going to accept it
			delete(y.invited, invitation)
		}
		return answer, func() {
			delete(y.invited, invitation)
			if answer == "accepted" {
				c.members[by] = true
			}
		}, err
	case 6:
		joined, err := s.JoinCommunity(tx, v, id)
		return "join", func() { c.members[by] = joined.Membership.State == "active" }, err
	case 7:
		_, err := s.LeaveCommunity(tx, v, id)
		return "leave", func() { delete(c.members, by) }, err
	case 8:
		if y.OneIn(3) {
			role := apptest.Pick(y.Rand, "owner", "moderator", "member")
			_, err := s.UpdateCommunityMember(tx, v, id, other, social.MemberChange{Role: svc.Some(role)})
			return "change a role", func() {}, err
		}
		return "remove", func() { delete(c.members, other) }, s.RemoveCommunityMember(tx, v, id, other)
	case 9:
		if y.OneIn(6) {
			return "delete", func() {
				delete(y.communities, id)
				y.names = slices.DeleteFunc(y.names, func(name string) bool { return name == id && !y.OneIn(3) })
			}, s.DeleteCommunity(tx, v, id)
		}
		_, err := s.UpdateCommunity(tx, v, id, social.CommunityChange{Visibility: svc.Some("private")})
		return "turn private", func() { c.private = true }, err
	case 10:
		if !y.OneIn(3) && by != other {
			_, err := s.Block(tx, v, social.NewBlock{MemberID: other})
			return "block", func() { y.blocks[[2]svc.MemberID{by, other}] = true }, err
		}
		if blocks := slices.Collect(maps.Keys(y.blocks)); len(blocks) > 0 {
			pair := apptest.Pick(y.Rand, slices.SortedFunc(slices.Values(blocks), func(a, b [2]svc.MemberID) int { return slices.Compare(a[:], b[:]) })...)
			by, other, v = pair[0], pair[1], svc.Trust(pair[0])
		}
		return "unblock", func() { delete(y.blocks, [2]svc.MemberID{by, other}) }, s.Unblock(tx, v, other)
	}
	if !y.OneIn(4) {
		return "nothing", func() {}, errThought
	}
	return y.end(tx, other)
}

// end shuts somebody out, lets them in again, or deletes them.
func (y *history) end(tx *store.Tx, member svc.MemberID) (string, func(), error) {
	status := apptest.Pick(y.Rand, identity.Active, identity.Disabled)
	if y.OneIn(4) {
		return "delete member", func() {
			y.gone[member] = true
			for _, c := range y.communities {
				delete(c.members, member)
			}
			maps.DeleteFunc(y.blocks, func(b [2]svc.MemberID, _ bool) bool { return b[0] == member || b[1] == member })
		}, y.h.App.Identity.Delete(tx, identity.CommandLine("test"), member)
	}
	_, err := y.h.App.Identity.Update(tx, identity.CommandLine("test"), member, identity.Changes{Status: &status})
	return string(status), func() { y.gone[member] = status == identity.Disabled }, err
}

// Whatever happens, circles are what one gets who counts steps by hand, for
// two services on the same data, in writes that fail too. Covers PT-20, O-06
// to O-16, PT-46 and B-73.
func TestCirclesOfRandomHistories(t *testing.T) {
	svctest.Long(t)
	done := make(map[string]int)
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { playHistory(t, seed, 400, done) })
	}
	for _, name := range []string{"create", "invite", "accepted", "declined", "join", "leave", "change a role", "remove", "delete", "turn private",
		"block", "unblock", "disabled", "delete member", "thought better of"} {
		if done[name] == 0 {
			t.Errorf("nobody was to %s", name)
		}
	}
}

func playHistory(t *testing.T, seed uint64, steps int, done map[string]int) {
	h := apptest.New(t, apptest.Unlimited)
	beside := social.New(h.App.Identity, nil) // as in another process
	w := &ties{gone: make(map[svc.MemberID]bool), communities: make(map[string]*tie), blocks: make(map[[2]svc.MemberID]bool)}
	for i := range 12 {
		w.members = append(w.members, h.Member(fmt.Sprintf("m%d", i)).ID)
	}
	y := &history{Rand: apptest.NewRand(seed), ties: w, h: h, invited: make(map[string]string), to: make(map[string]svc.MemberID)}
	for range steps {
		service, better := apptest.Pick(y.Rand, h.App.Social, beside), y.OneIn(4)
		var name string
		var effect func()
		err := h.DB.Write(t.Context(), func(tx *store.Tx) (err error) {
			name, effect, err = y.step(tx, service)
			if err == nil && better {
				if _, err := service.Circles(tx, svc.Trust(w.members[0])); err != nil {
					return err
				}
				name, err = "thought better of", errThought
			}
			return err
		})
		if svc.KindOf(err) == svc.Internal && err != nil && !errors.Is(err, errThought) {
			t.Fatal(err)
		}
		if err == nil {
			effect()
		}
		if err == nil || name == "thought better of" {
			done[name]++
		}
		err = h.DB.Read(t.Context(), func(tx *store.Tx) error {
			return w.check(t, tx, apptest.Pick(y.Rand, h.App.Social, beside))
		})
		if err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("after %s", name)
		}
	}
}
