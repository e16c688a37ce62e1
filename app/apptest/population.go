package apptest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
)

// community is a house with many members, who write to one another. The same
// seed makes the same.
type Population struct {
	*Server
	Viewers []svc.Viewer // by number, the first is that of member 1
	groups  []Group      // once they have come to live with one another
}

// settleCommunity moves so many members into a new house. They are called m1,
// m2 and so on, and never sign in.
func NewPopulation(t testing.TB, members int) *Population {
	t.Helper()
	c := &Population{Server: New(t, Unlimited)}
	applicants := make([]identity.Applicant, members)
	for i := range applicants {
		name := fmt.Sprint("m", i+1)
		var err error
		applicants[i], err = c.App.Identity.Prepare(t.Context(), identity.Registration{
			Email: name + "@example.org", Username: name, DisplayName: strings.ToUpper(name), Password: Password,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	c.Write(func(tx *store.Tx) error {
		c.Viewers = nil
		for _, a := range applicants {
			m, err := c.App.Identity.AddMember(tx, identity.CommandLine("test"), a)
			if err != nil {
				return err
			}
			v, err := c.App.Identity.OnBehalf(tx, m.ID)
			if err != nil {
				return err
			}
			c.Viewers = append(c.Viewers, v)
		}
		return nil
	})
	return c
}

// vocabulary is what they talk of.
var vocabulary = strings.Fields(`the a and to of in it is that we you I on for with at be this have from or by not but what all were when
can there an your which their said if do will each about how up out them then she many some so these would other into has more her
two like him see time could no make than first been its who now people my made over did down only way find use may water long little
very after words called just where most know garden dinner music train bicycle letter harbour mountain candle bread winter summer`)

// talk has members write so many messages, a minute apart: half of them
// between neighbours, who know each other well, and half between any two.
func (c *Population) SendMessages(count int, seed uint64) {
	c.T.Helper()
	d := NewRand(seed)
	const atOnce = 500
	for done := 0; done < count; done += atOnce {
		type line struct {
			from svc.Viewer
			messages.StartRequest
		}
		lines := make([]line, min(atOnce, count-done))
		for i := range lines {
			from := d.IntN(len(c.Viewers))
			to := (from + 1 + d.IntN(3)) % len(c.Viewers)
			if d.OneIn(2) {
				to = (from + 1 + d.IntN(len(c.Viewers)-1)) % len(c.Viewers)
			}
			words := make([]string, 4+d.IntN(30))
			for w := range words {
				words[w] = Pick(d, vocabulary...)
			}
			lines[i] = line{c.Viewers[from], messages.StartRequest{
				Recipient: messages.Recipients{c.Viewers[to].String()}, Body: strings.Join(words, " "),
			}}
		}
		c.Clock.Advance(time.Minute)
		c.Write(func(tx *store.Tx) error {
			for _, l := range lines {
				if _, err := c.App.Messages.Start(tx, l.from, l.StartRequest); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// m returns a signed-in client of a member.
func (c *Population) Client(n int) *Client {
	c.T.Helper()
	one := c.Unauthenticated()
	one.Name, one.ID = fmt.Sprint("m", n), svc.MemberID(n)
	return one.SignIn(Password).Runtime()
}

// acquainted returns so many members who share a community with one.
func (c *Population) Acquaintances(with, count int) (list []int) {
	for _, g := range c.groups {
		if slices.Contains(g.members, with) {
			for _, m := range g.members {
				if m != with && !slices.Contains(list, m) && len(list) < count {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// gathering is a community of the crowd. The first of its members owns it.
type Group struct {
	id      string
	Private bool
	members []int // by their place in viewers
}

// society is how much social life there is in a crowd.
type SocialVolume struct{ Communities, Conversations, Replies, Events int }

// socialize has the members live with one another. Every other community turns
// private at the end of what is said in public, since everybody's circles are
// others with each member that a private one gains: some thousands of times.
func (c *Population) Socialize(s SocialVolume, seed uint64) {
	c.T.Helper()
	l := &Life{Population: c, Seed: seed}
	l.CreateCommunities(s.Communities)
	l.describe()
	l.Converse(s.Conversations*9/10, s.Replies*9/10, l.inPublic)
	l.CreateEvents(s.Events*4/5, true)
	l.write(s.Communities * 5)
	l.MakePrivate()
	l.Converse(s.Conversations/10, s.Replies/10, l.inCircles)
	l.CreateEvents(s.Events/5, false)
	l.invite(s.Communities)
	l.block(len(c.Viewers) / 10)
	c.groups = l.Groups
}

// living is a crowd that comes to live with one another.
type Life struct {
	*Population
	Seed   uint64
	Groups []Group
}

// each does something so many times, some at once, a minute apart. What is
// impossible, such as to come to an event that is full, is left out.
func (l *Life) each(count int, do func(tx *store.Tx, d Rand, i int) error) {
	l.T.Helper()
	const atOnce = 200
	l.Seed++
	for done := 0; done < count; done += atOnce {
		l.Clock.Advance(time.Minute)
		l.Population.Write(func(tx *store.Tx) error {
			for i := done; i < min(done+atOnce, count); i++ {
				err := do(tx, NewRand(l.Seed<<32+uint64(i)), i)
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
func (l *Life) CreateCommunities(count int) {
	l.Groups = make([]Group, count)
	d := NewRand(l.Seed)
	for i := range l.Groups { // the large ones first
		size := 5 + d.IntN(16)
		if i < count/20 {
			size = 100
		}
		l.Groups[i] = Group{Private: i%2 == 1, members: d.Perm(len(l.Viewers))[:min(size, len(l.Viewers))]}
	}
	l.each(count, func(tx *store.Tx, d Rand, i int) error {
		g := &l.Groups[i]
		made, err := l.App.Social.CreateCommunity(tx, l.Viewers[g.members[0]], social.NewCommunity{
			Name: fmt.Sprint("Community ", i), Summary: RandomWords(d, 12), Visibility: "public",
		})
		if err != nil {
			return err
		}
		g.id = made.ID
		for _, m := range g.members[1:] {
			if _, err := l.App.Social.JoinCommunity(tx, l.Viewers[m], g.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// describe has everybody say who they are.
func (l *Life) describe() {
	l.each(len(l.Viewers), func(tx *store.Tx, d Rand, i int) error {
		_, err := l.App.Social.UpdateProfile(tx, l.Viewers[i], social.ProfileChange{
			Bio: svc.Some(RandomWords(d, 20)), Visibility: svc.Some(Pick(d, "circle", "members", "public")),
		})
		return err
	})
}

// appear has half of the members say that they are there, for an hour.
func (l *Life) SetPresences() {
	l.each(len(l.Viewers)/2, func(tx *store.Tx, d Rand, i int) error {
		_, err := l.App.Social.SetPresence(tx, l.Viewers[2*i], social.NewPresence{
			State: Pick(d, "online", "away", "busy"), VisibleTo: Pick(d, "inner", "trusted", "extended", "members"), TTL: new(3600),
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
func (l *Life) inPublic(d Rand) talkPlace {
	if d.OneIn(4) {
		return talkPlace{social.ConversationContext{Kind: "open"}, d.Perm(len(l.Viewers))[:min(20, len(l.Viewers))]}
	}
	return l.InCommunities(d)
}

// inCommunities is one of them, for its members alone.
func (l *Life) InCommunities(d Rand) talkPlace {
	g := Pick(d, l.Groups...)
	return talkPlace{social.ConversationContext{Kind: "community", ID: &g.id}, g.members}
}

// inCircles is around a member of one of a few small communities.
func (l *Life) inCircles(d Rand) talkPlace {
	all := slices.DeleteFunc(slices.Clone(l.Groups), func(g Group) bool { return !g.Private })
	g := Pick(d, all[len(all)*4/5:]...)
	return talkPlace{social.ConversationContext{Kind: "circle", Depth: new(1 + d.IntN(3))}, g.members}
}

// converse begins conversations and has so many replies in them, in some many
// and in most a few.
func (l *Life) Converse(conversations, replies int, where func(Rand) talkPlace) {
	type conversation struct {
		talkPlace
		id string
	}
	list := make([]conversation, conversations)
	l.each(conversations, func(tx *store.Tx, d Rand, i int) error {
		at := where(d)
		began, err := l.App.Social.StartConversation(tx, l.Viewers[Pick(d, at.members...)], social.NewConversation{
			Title: RandomWords(d, 5), Body: RandomWords(d, 40), Context: at.in,
		})
		list[i] = conversation{at, began.ID}
		return err
	})
	l.each(replies, func(tx *store.Tx, d Rand, i int) error {
		at := list[d.IntN(1+d.IntN(conversations))]
		_, err := l.App.Social.Reply(tx, l.Viewers[Pick(d, at.members...)], at.id, social.NewReply{Body: RandomWords(d, 20)})
		return err
	})
}

// plan makes events, three in four of them to come, and has some answer.
func (l *Life) CreateEvents(count int, public bool) {
	l.each(count, func(tx *store.Tx, d Rand, i int) error {
		g := Pick(d, l.Groups...)
		host := l.Viewers[Pick(d, g.members...)]
		e := social.NewEvent{
			Title: RandomWords(d, 4), Description: RandomWords(d, 30), Timezone: "Europe/Berlin", Location: social.Location{Label: RandomWords(d, 2)},
			Start: tx.Now().AddDate(0, 0, d.IntN(80)-20).Format("2006-01-02T15:04:05"), Visibility: "community", CommunityID: &g.id,
		}
		if d.OneIn(4) {
			e.Visibility, e.CommunityID = "public", nil
		}
		if !public {
			e.Visibility, e.CommunityID = "invited", nil
		}
		made, err := l.App.Social.CreateEvent(tx, host, e)
		if err != nil {
			return err
		}
		for _, k := range d.Perm(len(g.members))[:min(8, len(g.members))] {
			v := l.Viewers[g.members[k]]
			if !public && v.Member() != host.Member() {
				if _, err := l.App.Social.InviteToEvent(tx, host, made.ID, social.NewInvitation{Recipient: v.String()}); err != nil {
					return err
				}
			}
			if public || d.OneIn(2) {
				_, _, err = l.App.Social.Respond(tx, v, made.ID, social.NewRSVP{Response: Pick(d, "going", "maybe", "declined")})
			}
			if code := (*svc.Error)(nil); err != nil && !errors.As(err, &code) {
				return err // it is over, perhaps
			}
		}
		return nil
	})
}

// write has those who share a community write to one another.
func (l *Life) write(count int) {
	l.each(count, func(tx *store.Tx, d Rand, i int) error {
		g := Pick(d, l.Groups...)
		to := l.Viewers[Pick(d, g.members...)]
		_, err := l.App.Social.StartDM(tx, l.Viewers[Pick(d, g.members...)], social.NewDM{
			Recipient: social.Recipient(to.String()), Body: RandomWords(d, 15),
		})
		return err
	})
}

// close makes the communities private that are meant to be.
func (l *Life) MakePrivate() {
	l.each(len(l.Groups), func(tx *store.Tx, d Rand, i int) error {
		g := l.Groups[i]
		if !g.Private {
			return nil
		}
		_, err := l.App.Social.UpdateCommunity(tx, l.Viewers[g.members[0]], g.id, social.CommunityChange{Visibility: svc.Some("private")})
		return err
	})
}

// invite asks members into communities.
func (l *Life) invite(count int) {
	l.each(count, func(tx *store.Tx, d Rand, i int) error {
		g := Pick(d, l.Groups...)
		_, err := l.App.Social.InviteToCommunity(tx, l.Viewers[g.members[0]], g.id, social.NewInvitation{Recipient: Pick(d, l.Viewers...).String()})
		return err
	})
}

// block keeps some apart, half of whom know one another.
func (l *Life) block(count int) {
	l.each(count, func(tx *store.Tx, d Rand, i int) error {
		from, to := Pick(d, l.Viewers...), Pick(d, l.Viewers...)
		if d.OneIn(2) {
			g := Pick(d, l.Groups...)
			from, to = l.Viewers[Pick(d, g.members...)], l.Viewers[Pick(d, g.members...)]
		}
		_, err := l.App.Social.Block(tx, from, social.NewBlock{MemberID: to.Member()})
		return err
	})
}

// words are so many of the vocabulary.
func RandomWords(d Rand, count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = Pick(d, vocabulary...)
	}
	return strings.Join(list, " ")
}

// busiest is the member who is in most communities, by their place in viewers:
// whoever sees the most has the most to wait for.
func (c *Population) Busiest() int {
	in := make([]int, len(c.Viewers))
	for _, g := range c.groups {
		for _, m := range g.members {
			in[m]++
		}
	}
	return slices.Index(in, slices.Max(in))
}
