package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/social"
)

// gathering is a community of the crowd. The first of its members owns it.
type gathering struct {
	id      string
	private bool
	members []int // by their place in viewers
}

// society is how much social life there is in a crowd.
type society struct{ communities, conversations, replies, events int }

// wholeSociety is that of the house that is measured.
var wholeSociety = society{communities: 200, conversations: 2000, replies: 20_000, events: 500}

// socialize has the members live with one another. Every other community turns
// private at the end of what is said in public, since everybody's circles are
// others with each member that a private one gains: some thousands of times.
func (c *community) socialize(s society, seed uint64) {
	c.t.Helper()
	l := &living{community: c, seed: seed}
	l.gather(s.communities)
	l.describe()
	l.converse(s.conversations*9/10, s.replies*9/10, l.inPublic)
	l.plan(s.events*4/5, true)
	l.write(s.communities * 5)
	l.close()
	l.converse(s.conversations/10, s.replies/10, l.inCircles)
	l.plan(s.events/5, false)
	l.invite(s.communities)
	l.block(len(c.viewers) / 10)
	c.gatherings = l.gatherings
}

// living is a crowd that comes to live with one another.
type living struct {
	*community
	seed       uint64
	gatherings []gathering
}

// each does something so many times, some at once, a minute apart. What is
// impossible, such as to come to an event that is full, is left out.
func (l *living) each(count int, do func(tx *store.Tx, d dice, i int) error) {
	l.t.Helper()
	const atOnce = 200
	l.seed++
	for done := 0; done < count; done += atOnce {
		l.clock.Advance(time.Minute)
		l.community.write(func(tx *store.Tx) error {
			for i := done; i < min(done+atOnce, count); i++ {
				err := do(tx, newDice(l.seed<<32+uint64(i)), i)
				if e := (*svc.Error)(nil); err != nil && !errors.As(err, &e) {
					return err
				}
			}
			return nil
		})
	}
}

// gather makes the communities: most have five to twenty members, one in
// twenty a hundred.
func (l *living) gather(count int) {
	l.gatherings = make([]gathering, count)
	d := newDice(l.seed)
	for i := range l.gatherings { // the large ones first
		size := 5 + d.IntN(16)
		if i < count/20 {
			size = 100
		}
		l.gatherings[i] = gathering{private: i%2 == 1, members: d.Perm(len(l.viewers))[:min(size, len(l.viewers))]}
	}
	l.each(count, func(tx *store.Tx, d dice, i int) error {
		g := &l.gatherings[i]
		made, err := l.social.CreateCommunity(tx, l.viewers[g.members[0]], social.NewCommunity{
			Name: fmt.Sprint("Community ", i), Summary: words(d, 12), Visibility: "public",
		})
		if err != nil {
			return err
		}
		g.id = made.ID
		for _, m := range g.members[1:] {
			if _, err := l.social.JoinCommunity(tx, l.viewers[m], g.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// describe has everybody say who they are.
func (l *living) describe() {
	l.each(len(l.viewers), func(tx *store.Tx, d dice, i int) error {
		_, err := l.social.UpdateProfile(tx, l.viewers[i], social.ProfileChange{
			Bio: svc.Some(words(d, 20)), Visibility: svc.Some(pick(d, "circle", "members", "public")),
		})
		return err
	})
}

// appear has half of the members say that they are there, for an hour.
func (l *living) appear() {
	l.each(len(l.viewers)/2, func(tx *store.Tx, d dice, i int) error {
		_, err := l.social.SetPresence(tx, l.viewers[2*i], social.NewPresence{
			State: pick(d, "online", "away", "busy"), VisibleTo: pick(d, "inner", "trusted", "extended", "members"), TTL: new(3600),
		})
		return err
	})
}

// talkPlace is where a conversation is held, and who may take part.
type talkPlace struct {
	in      social.ConversationContext
	members []int
}

// inPublic is a community, or one time in four the whole house.
func (l *living) inPublic(d dice) talkPlace {
	if d.one(4) {
		return talkPlace{social.ConversationContext{Kind: "open"}, d.Perm(len(l.viewers))[:min(20, len(l.viewers))]}
	}
	return l.inCommunities(d)
}

// inCommunities is one of them, for its members alone.
func (l *living) inCommunities(d dice) talkPlace {
	g := pick(d, l.gatherings...)
	return talkPlace{social.ConversationContext{Kind: "community", ID: &g.id}, g.members}
}

// inCircles is around a member of one of a few small communities.
func (l *living) inCircles(d dice) talkPlace {
	all := slices.DeleteFunc(slices.Clone(l.gatherings), func(g gathering) bool { return !g.private })
	g := pick(d, all[len(all)*4/5:]...)
	return talkPlace{social.ConversationContext{Kind: "circle", Depth: new(1 + d.IntN(3))}, g.members}
}

// converse begins conversations and has so many replies in them, in some many
// and in most a few.
func (l *living) converse(conversations, replies int, where func(dice) talkPlace) {
	type conversation struct {
		talkPlace
		id string
	}
	list := make([]conversation, conversations)
	l.each(conversations, func(tx *store.Tx, d dice, i int) error {
		at := where(d)
		began, err := l.social.StartConversation(tx, l.viewers[pick(d, at.members...)], social.NewConversation{
			Title: words(d, 5), Body: words(d, 40), Context: at.in,
		})
		list[i] = conversation{at, began.ID}
		return err
	})
	l.each(replies, func(tx *store.Tx, d dice, i int) error {
		at := list[d.IntN(1+d.IntN(conversations))]
		_, err := l.social.Reply(tx, l.viewers[pick(d, at.members...)], at.id, social.NewReply{Body: words(d, 20)})
		return err
	})
}

// plan makes events, three in four of them to come, and has some answer.
func (l *living) plan(count int, public bool) {
	l.each(count, func(tx *store.Tx, d dice, i int) error {
		g := pick(d, l.gatherings...)
		host := l.viewers[pick(d, g.members...)]
		e := social.NewEvent{
			Title: words(d, 4), Description: words(d, 30), Timezone: "Europe/Berlin", Location: social.Location{Label: words(d, 2)},
			Start: tx.Now().AddDate(0, 0, d.IntN(80)-20).Format("2006-01-02T15:04:05"), Visibility: "community", CommunityID: &g.id,
		}
		if d.one(4) {
			e.Visibility, e.CommunityID = "public", nil
		}
		if !public {
			e.Visibility, e.CommunityID = "invited", nil
		}
		made, err := l.social.CreateEvent(tx, host, e)
		if err != nil {
			return err
		}
		for _, k := range d.Perm(len(g.members))[:min(8, len(g.members))] {
			v := l.viewers[g.members[k]]
			if !public && v.Member() != host.Member() {
				if _, err := l.social.InviteToEvent(tx, host, made.ID, social.NewInvitation{Recipient: v.String()}); err != nil {
					return err
				}
			}
			if public || d.one(2) {
				_, _, err = l.social.Respond(tx, v, made.ID, social.NewRSVP{Response: pick(d, "going", "maybe", "declined")})
			}
			if code := (*svc.Error)(nil); err != nil && !errors.As(err, &code) {
				return err // it is over, perhaps
			}
		}
		return nil
	})
}

// write has those who share a community write to one another.
func (l *living) write(count int) {
	l.each(count, func(tx *store.Tx, d dice, i int) error {
		g := pick(d, l.gatherings...)
		to := l.viewers[pick(d, g.members...)]
		_, err := l.social.StartDM(tx, l.viewers[pick(d, g.members...)], social.NewDM{
			Recipient: social.Recipient(to.String()), Body: words(d, 15),
		})
		return err
	})
}

// close makes the communities private that are meant to be.
func (l *living) close() {
	l.each(len(l.gatherings), func(tx *store.Tx, d dice, i int) error {
		g := l.gatherings[i]
		if !g.private {
			return nil
		}
		_, err := l.social.UpdateCommunity(tx, l.viewers[g.members[0]], g.id, social.CommunityChange{Visibility: svc.Some("private")})
		return err
	})
}

// invite asks members into communities.
func (l *living) invite(count int) {
	l.each(count, func(tx *store.Tx, d dice, i int) error {
		g := pick(d, l.gatherings...)
		_, err := l.social.InviteToCommunity(tx, l.viewers[g.members[0]], g.id, social.NewInvitation{Recipient: pick(d, l.viewers...).String()})
		return err
	})
}

// block keeps some apart, half of whom know one another.
func (l *living) block(count int) {
	l.each(count, func(tx *store.Tx, d dice, i int) error {
		from, to := pick(d, l.viewers...), pick(d, l.viewers...)
		if d.one(2) {
			g := pick(d, l.gatherings...)
			from, to = l.viewers[pick(d, g.members...)], l.viewers[pick(d, g.members...)]
		}
		_, err := l.social.Block(tx, from, social.NewBlock{MemberID: to.Member()})
		return err
	})
}

// words are so many of the vocabulary.
func words(d dice, count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = pick(d, vocabulary...)
	}
	return strings.Join(list, " ")
}

// busiest is the member who is in most communities, by their place in viewers:
// whoever sees the most has the most to wait for.
func (c *community) busiest() int {
	in := make([]int, len(c.viewers))
	for _, g := range c.gatherings {
		for _, m := range g.members {
			in[m]++
		}
	}
	return slices.Index(in, slices.Max(in))
}
