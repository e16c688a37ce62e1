package apptest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
	"appliance/svc/social"
)

// Population is a server with many members and their content. Equal seeds give
// equal content.
type Population struct {
	*Server
	Viewers     []svc.Viewer // Viewers[i] is the member with the id i+1
	communities []*community // see GenerateSocial
}

// NewPopulation starts a server with members named m1, m2 and so on.
func NewPopulation(t testing.TB, members int, change ...func(*config.Settings)) *Population {
	t.Helper()
	c := &Population{Server: New(t, append(change, Unlimited)...)}
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

// vocabulary contains the words of random texts.
var vocabulary = strings.Fields(`the a and to of in it is that we you I on for with at be this have from or by not but what all were when
can there an your which their said if do will each about how up out them then she many some so these would other into has more her
two like him see time could no make than first been its who now people my made over did down only way find use may water long little
very after words called just where most know garden dinner music train bicycle letter harbour mountain candle bread winter summer`)

// SendMessages sends count messages in transactions of 500, a minute apart. Half
// of them go to one of the three members after the sender in Viewers, half to any
// other member.
func (c *Population) SendMessages(count int, seed uint64) {
	c.T.Helper()
	d := NewRand(seed)
	const batch = 500
	for done := 0; done < count; done += batch {
		type queuedMessage struct {
			from svc.Viewer
			messages.StartRequest
		}
		queue := make([]queuedMessage, min(batch, count-done))
		for i := range queue {
			from := d.IntN(len(c.Viewers))
			to := (from + 1 + d.IntN(3)) % len(c.Viewers)
			if d.OneIn(2) {
				to = (from + 1 + d.IntN(len(c.Viewers)-1)) % len(c.Viewers)
			}
			words := make([]string, 4+d.IntN(30))
			for w := range words {
				words[w] = Pick(d, vocabulary...)
			}
			queue[i] = queuedMessage{c.Viewers[from], messages.StartRequest{
				Recipient: messages.Recipients{c.Viewers[to].String()}, Body: strings.Join(words, " "),
			}}
		}
		c.Clock.Advance(time.Minute)
		c.Write(func(tx *store.Tx) error {
			for _, l := range queue {
				if _, err := c.App.Messages.Start(tx, l.from, l.StartRequest); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// Client returns a signed-in runtime of the member with the id n.
func (c *Population) Client(n int) *Client {
	c.T.Helper()
	client := c.Unauthenticated()
	client.Name, client.ID = fmt.Sprint("m", n), svc.MemberID(n)
	return client.SignIn(Password).AsRuntime()
}

// CommunityPeers returns the indices in Viewers of up to count members who share
// a community with the member at the index member.
func (c *Population) CommunityPeers(member, count int) (list []int) {
	for _, g := range c.communities {
		if slices.Contains(g.members, member) {
			for _, m := range g.members {
				if m != member && !slices.Contains(list, m) && len(list) < count {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// community is a generated community. The first member owns it.
type community struct {
	id      string
	private bool  // whether MakePrivate makes it private
	members []int // indices in Viewers
}

// SocialVolume is the amount of generated Social content.
type SocialVolume struct{ Communities, Conversations, Replies, Events int }

// GenerateSocial generates Social content. The communities are made private only
// after most of the content exists, because each member that joins a private
// community changes the circles of all its members.
func (c *Population) GenerateSocial(s SocialVolume, seed uint64) {
	c.T.Helper()
	l := &SocialGenerator{Population: c, Seed: seed}
	l.CreateCommunities(s.Communities)
	l.updateProfiles()
	l.CreateConversations(s.Conversations*9/10, s.Replies*9/10, l.publicContext)
	l.CreateEvents(s.Events*4/5, true)
	l.sendDMs(s.Communities * 5)
	l.MakePrivate(false)
	l.CreateConversations(s.Conversations/10, s.Replies/10, l.circleContext)
	l.CreateEvents(s.Events/5, false)
	l.invite(s.Communities)
	l.block(len(c.Viewers) / 10)
	c.communities = l.communities
}

// SocialGenerator generates Social content for a population.
type SocialGenerator struct {
	*Population
	Seed        uint64
	communities []*community
}

// repeat calls do count times, in transactions of 200 calls, a minute apart.
// Rejected requests, such as an RSVP to a full event, are skipped.
func (l *SocialGenerator) repeat(count int, do func(tx *store.Tx, d Rand, i int) error) {
	l.T.Helper()
	const batch = 200
	l.Seed++
	for done := 0; done < count; done += batch {
		l.Clock.Advance(time.Minute)
		l.Population.Write(func(tx *store.Tx) error {
			for i := done; i < min(done+batch, count); i++ {
				err := do(tx, NewRand(l.Seed<<32+uint64(i)), i)
				if e := (*svc.Error)(nil); err != nil && !errors.As(err, &e) {
					return err
				}
			}
			return nil
		})
	}
}

// CreateCommunities creates public communities: one in twenty has 100 members, the
// others have 5 to 20. MakePrivate makes every second one private.
func (l *SocialGenerator) CreateCommunities(count int) {
	l.communities = make([]*community, count)
	d := NewRand(l.Seed)
	for i := range l.communities {
		size := 5 + d.IntN(16)
		if i < count/20 {
			size = 100
		}
		l.communities[i] = &community{private: i%2 == 1, members: d.Perm(len(l.Viewers))[:min(size, len(l.Viewers))]}
	}
	l.repeat(count, func(tx *store.Tx, d Rand, i int) error {
		g := l.communities[i]
		created, err := l.App.Social.CreateCommunity(tx, l.Viewers[g.members[0]], social.NewCommunity{
			Name: fmt.Sprint("Community ", i), Summary: RandomWords(d, 12), Visibility: social.CommunityPublic,
		})
		if err != nil {
			return err
		}
		g.id = created.ID
		for _, m := range g.members[1:] {
			if _, err := l.App.Social.JoinCommunity(tx, l.Viewers[m], g.id); err != nil {
				return err
			}
		}
		return nil
	})
}

// updateProfiles sets a random bio and visibility of each profile.
func (l *SocialGenerator) updateProfiles() {
	l.repeat(len(l.Viewers), func(tx *store.Tx, d Rand, i int) error {
		_, err := l.App.Social.UpdateProfile(tx, l.Viewers[i], social.ProfileChange{
			Bio: svc.Some(RandomWords(d, 20)), Visibility: svc.Some(Pick(d, social.ProfileCircle, social.ProfileMembers, social.ProfilePublic)),
		})
		return err
	})
}

// SetPresences sets the presence of every second member for an hour.
func (l *SocialGenerator) SetPresences() {
	l.repeat(len(l.Viewers)/2, func(tx *store.Tx, d Rand, i int) error {
		_, err := l.App.Social.SetPresence(tx, l.Viewers[2*i], social.NewPresence{
			State: Pick(d, social.PresenceOnline, social.PresenceAway, social.PresenceBusy), TTL: new(3600),
			VisibleTo: Pick(d, social.PresenceInner, social.PresenceTrusted, social.PresenceExtended, social.PresenceMembers),
		})
		return err
	})
}

// conversation is a generated conversation, or the context of a new one.
type conversation struct {
	id      string
	context social.ConversationContext
	members []int // indices of the participants in Viewers
}

// publicContext returns a community or, one time in four, the open context.
func (l *SocialGenerator) publicContext(d Rand) conversation {
	if d.OneIn(4) {
		return conversation{context: social.ConversationContext{Kind: social.ContextOpen}, members: d.Perm(len(l.Viewers))[:min(20, len(l.Viewers))]}
	}
	return l.CommunityContext(d)
}

// CommunityContext returns the context of a conversation in a random community.
func (l *SocialGenerator) CommunityContext(d Rand) conversation {
	g := Pick(d, l.communities...)
	return conversation{context: social.ConversationContext{Kind: social.ContextCommunity, ID: &g.id}, members: g.members}
}

// circleContext returns a circle of random depth. The participants are the
// members of one of the last private communities, which are small.
func (l *SocialGenerator) circleContext(d Rand) conversation {
	all := slices.DeleteFunc(slices.Clone(l.communities), func(g *community) bool { return !g.private })
	g := Pick(d, all[len(all)*4/5:]...)
	return conversation{context: social.ConversationContext{Kind: social.ContextCircle, Depth: new(1 + d.IntN(3))}, members: g.members}
}

// CreateConversations starts conversations in random contexts and adds replies. A few
// conversations receive most of the replies.
func (l *SocialGenerator) CreateConversations(conversations, replies int, context func(Rand) conversation) {
	list := make([]conversation, conversations)
	l.repeat(conversations, func(tx *store.Tx, d Rand, i int) error {
		in := context(d)
		started, err := l.App.Social.StartConversation(tx, l.Viewers[Pick(d, in.members...)], social.NewConversation{
			Title: RandomWords(d, 5), Body: RandomWords(d, 40), Context: in.context,
		})
		in.id = started.ID
		list[i] = in
		return err
	})
	l.repeat(replies, func(tx *store.Tx, d Rand, i int) error {
		in := list[d.IntN(1+d.IntN(conversations))]
		_, err := l.App.Social.Reply(tx, l.Viewers[Pick(d, in.members...)], in.id, social.NewReply{Body: RandomWords(d, 20)})
		return err
	})
}

// CreateEvents creates events, three in four of them in the future, with RSVPs.
// If public is false, they are only for invitees; otherwise some are for
// communities.
func (l *SocialGenerator) CreateEvents(count int, public bool) {
	l.repeat(count, func(tx *store.Tx, d Rand, i int) error {
		g := Pick(d, l.communities...)
		host := l.Viewers[Pick(d, g.members...)]
		e := social.NewEvent{
			Title: RandomWords(d, 4), Description: RandomWords(d, 30), Timezone: "Europe/Berlin", Location: social.Location{Label: RandomWords(d, 2)},
			Start: tx.Now().AddDate(0, 0, d.IntN(80)-20).Format("2006-01-02T15:04:05"), Visibility: social.EventCommunity, CommunityID: &g.id,
		}
		if d.OneIn(4) {
			e.Visibility, e.CommunityID = social.EventPublic, nil
		}
		if !public {
			e.Visibility, e.CommunityID = social.EventInvited, nil
		}
		created, err := l.App.Social.CreateEvent(tx, host, e)
		if err != nil {
			return err
		}
		for _, k := range d.Perm(len(g.members))[:min(8, len(g.members))] {
			v := l.Viewers[g.members[k]]
			if !public && v.Member() != host.Member() {
				if _, err := l.App.Social.InviteToEvent(tx, host, created.ID, social.NewInvitation{Recipient: v.String()}); err != nil {
					return err
				}
			}
			if public || d.OneIn(2) {
				_, _, err = l.App.Social.Respond(tx, v, created.ID, social.NewRSVP{Response: Pick(d, svc.Going, svc.Maybe, svc.Declined)})
			}
			if code := (*svc.Error)(nil); err != nil && !errors.As(err, &code) {
				return err // RSVPs to past events are rejected
			}
		}
		return nil
	})
}

// sendDMs sends DMs between members of the same community.
func (l *SocialGenerator) sendDMs(count int) {
	l.repeat(count, func(tx *store.Tx, d Rand, i int) error {
		g := Pick(d, l.communities...)
		to := l.Viewers[Pick(d, g.members...)]
		_, err := l.App.Social.StartDM(tx, l.Viewers[Pick(d, g.members...)], social.NewDM{
			Recipient: social.Recipient(to.String()), Body: RandomWords(d, 15),
		})
		return err
	})
}

// MakePrivate makes every second community private, or all communities if all is
// set.
func (l *SocialGenerator) MakePrivate(all bool) {
	l.repeat(len(l.communities), func(tx *store.Tx, d Rand, i int) error {
		g := l.communities[i]
		if g.private = g.private || all; !g.private {
			return nil
		}
		_, err := l.App.Social.UpdateCommunity(tx, l.Viewers[g.members[0]], g.id, social.CommunityChange{Visibility: svc.Some(social.CommunityPrivate)})
		return err
	})
}

// invite invites random members to communities.
func (l *SocialGenerator) invite(count int) {
	l.repeat(count, func(tx *store.Tx, d Rand, i int) error {
		g := Pick(d, l.communities...)
		_, err := l.App.Social.InviteToCommunity(tx, l.Viewers[g.members[0]], g.id, social.NewInvitation{Recipient: Pick(d, l.Viewers...).String()})
		return err
	})
}

// block blocks random members, half of them members of the same community.
func (l *SocialGenerator) block(count int) {
	l.repeat(count, func(tx *store.Tx, d Rand, i int) error {
		from, to := Pick(d, l.Viewers...), Pick(d, l.Viewers...)
		if d.OneIn(2) {
			g := Pick(d, l.communities...)
			from, to = l.Viewers[Pick(d, g.members...)], l.Viewers[Pick(d, g.members...)]
		}
		_, err := l.App.Social.Block(tx, from, social.NewBlock{MemberID: to.Member()})
		return err
	})
}

// RandomWords returns count random words.
func RandomWords(d Rand, count int) string {
	list := make([]string, count)
	for i := range list {
		list[i] = Pick(d, vocabulary...)
	}
	return strings.Join(list, " ")
}

// MostConnected returns the index of the member with the most memberships, who
// sees the most content.
func (c *Population) MostConnected() int {
	in := make([]int, len(c.Viewers))
	for _, g := range c.communities {
		for _, m := range g.members {
			in[m]++
		}
	}
	return slices.Index(in, slices.Max(in))
}
