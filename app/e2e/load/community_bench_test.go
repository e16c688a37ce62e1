package load

import (
	"fmt"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
)

// BenchmarkCommunityOf1000 measures the requests of the member with the most
// memberships on a server with 1,000 members: reads, reads of the dataset after
// writes, and the writes.
func BenchmarkCommunityOf1000(b *testing.B) {
	p := newCommunityServer(b, fullVolume, time.Now())
	index := p.MostConnected()
	reader := p.Client(index + 1)
	for _, g := range measuredGets(reader) {
		b.Run(g.name, func(b *testing.B) { benchGet(b, p.Server, reader, g.path) })
	}
	for _, topic := range []store.Topic{
		svc.TimeTopic, svc.MessagesTopic, svc.ConversationsTopic, svc.EventsTopic, svc.DMsTopic, svc.PresenceTopic, svc.SocialTopic, store.AllTopics,
	} {
		b.Run("dataset after "+topic, func(b *testing.B) {
			reader.Do("GET", "/world/runtime").Want(200)
			benchGetAfter(b, reader, "/world/runtime", func() { touch(p, reader.ID, svc.Change{Topics: []string{topic}}) })
		})
	}
	var writers []contentWriter
	for _, i := range p.CommunityPeers(index, 8) {
		writers = append(writers, newContentWriter(p.Client(i+1), reader.ID))
	}
	for i, kind := range contentKinds {
		b.Run("write "+kind, func(b *testing.B) {
			queries := countQueries(p.Server, func() { writers[0].write(i) })
			for n := 1; b.Loop(); n++ {
				writers[0].write(len(contentKinds)*n + i)
			}
			b.ReportMetric(float64(queries), "queries")
		})
	}
	b.Run("dataset after 8 writes", func(b *testing.B) {
		n := 0
		benchGetAfter(b, reader, "/world/runtime", func() {
			for i, w := range writers {
				w.write(n + i)
			}
			n++
		})
	})
	b.Run("dataset not modified", func(b *testing.B) { benchNotModified(b, reader, "/world/runtime") })
	b.Run("circles not cached", func(b *testing.B) { benchGetAfter(b, reader, "/world/social/circles", p.InvalidateCircles) })
}

// touch commits a change without content, which invalidates the caches of a member.
func touch(p *apptest.Population, member svc.MemberID, change svc.Change) {
	p.Write(func(tx *store.Tx) error {
		tx.Touch(change, int64(member))
		return nil
	})
}

// BenchmarkInaccessibleContent measures the requests of a member on a server
// with little and with much content that the member cannot see. The results
// must not depend on the amount of this content.
func BenchmarkInaccessibleContent(b *testing.B) {
	for _, communities := range []int{10, 200} {
		p := apptest.NewPopulation(b, 210)
		visible, invisible := *p, *p
		visible.Viewers, invisible.Viewers = p.Viewers[:10], p.Viewers[10:]
		visible.SendMessages(100, 5)
		invisible.SendMessages(50*communities, 6)
		visible.GenerateSocial(apptest.SocialVolume{Communities: 2, Conversations: 20, Replies: 200, Events: 10}, 7)
		generator := &apptest.SocialGenerator{Population: &invisible, Seed: 8}
		generator.CreateCommunities(communities)
		generator.CreateConversations(10*communities, 50*communities, generator.CommunityContext)
		generator.MakePrivate(true)
		generator.CreateEvents(communities, false)
		reader := p.Client(1)
		for _, g := range measuredGets(reader) {
			b.Run(fmt.Sprintf("%s beside %d communities", g.name, communities), func(b *testing.B) { benchGet(b, p.Server, reader, g.path) })
		}
	}
}
