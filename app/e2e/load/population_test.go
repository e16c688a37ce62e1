package load

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
)

// newLargePopulation returns 1,000 members with 100,000 messages and the content
// of largeVolume, with the clock set to now.
func newLargePopulation(t testing.TB, now time.Time) *apptest.Population {
	t.Helper()
	c := apptest.NewPopulation(t, 1000)
	c.Clock.Set(now.Add(-24 * time.Hour))
	c.SendMessages(100_000, 3)
	c.GenerateSocial(largeVolume, 4)
	c.Clock.Set(now)
	(&apptest.SocialGenerator{Population: c, Seed: 99}).SetPresences()
	c.Clock.Set(now)
	return c
}

// largeVolume is the amount of Social content of a large population.
var largeVolume = apptest.SocialVolume{Communities: 200, Conversations: 2000, Replies: 20_000, Events: 500}

// measuredRequest is a request whose duration is measured.
type measuredRequest struct{ name, path string }

// measuredRequests returns the most frequent requests of a member.
func measuredRequests(me *apptest.Client) []measuredRequest {
	return []measuredRequest{
		{"inbox", "/world/messages"},
		{"thread", me.Do("GET", "/world/messages").Want(200).Str("threads.0.links.self")},
		{"conversation", apptest.ConversationsPath + "/" + me.Do("GET", apptest.ConversationsPath).Want(200).Str("conversations.0.id")},
		{"panel", "/world/panels/social"},
		{"circles", "/world/social/circles"},
		{"dataset", "/world/runtime"},
	}
}

// TestLatency measures the latency of a member's requests: without writers, with
// eight other members that write five times a second each, and with eight that
// write without a pause. It logs a table and checks nothing:
//
//	go test ./app/e2e/load -run TestLatency -latency 300 -v -timeout 1h
func TestLatency(t *testing.T) {
	if *latencyRounds == 0 {
		t.Skip("measurement: run it with -latency 300")
	}
	c := newLargePopulation(t, time.Now())
	me := c.MostConnected()
	writers := c.CommunityPeers(me, 8)
	if err := c.DB.Close(); err != nil {
		t.Fatal(err)
	}
	p := apptest.Serve(t, c.Settings.Data, "--rate-limits", "writes=0,reads=0")
	as := func(i int) *apptest.Client {
		one := p.Unauthenticated()
		one.Name, one.ID = fmt.Sprint("m", i+1), svc.MemberID(i+1)
		one.HTTP.Transport = new(http.Transport)
		return one.SignIn(apptest.Password).Runtime()
	}
	one := as(me)
	rows := measuredRequests(one)
	took := make([][]time.Duration, len(rows))
	var writing []memberWriter
	unchanged, etag := 0, ""
	measure := func() {
		for i, r := range rows {
			took[i] = append(took[i], timed(func() {
				ask := one
				if r.name == "dataset" {
					ask = one.With("If-None-Match", etag)
				}
				a := ask.Do("GET", r.path)
				if r.name != "dataset" {
					a.Want(200)
				} else if etag = a.Header.Get("ETag"); a.Status == http.StatusNotModified {
					unchanged++
				}
			}))
		}
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "one fsync %s\tcount\tmedian\tp99\tmax\t\n", milliseconds(fsync(t)))
	stage := func(pause time.Duration) {
		done := make(chan struct{})
		var all sync.WaitGroup
		var wrote atomic.Int64
		for i, c := range writing {
			all.Go(func() {
				next := time.Tick(max(pause, 1))
				for n := i; ; n++ {
					select {
					case <-done:
						return
					case <-next:
						c.write(n)
						wrote.Add(1)
					}
				}
			})
		}
		begin := time.Now()
		unchanged = 0
		for range *latencyRounds {
			measure()
		}
		seconds := time.Since(begin).Seconds()
		close(done)
		all.Wait()
		fmt.Fprintf(w, "%.0f writes a second\t\t\t\t\t\n", float64(wrote.Load())/seconds)
		for i, r := range rows {
			list := took[i]
			slices.Sort(list)
			fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t\n", r.name, len(list),
				milliseconds(list[len(list)/2]), milliseconds(list[len(list)*99/100]), milliseconds(list[len(list)-1]))
			took[i] = nil
		}
		fmt.Fprintf(w, "datasets unchanged\t%d\t\t\t\t\n", unchanged)
	}
	stage(0) // without writers
	for _, m := range writers {
		writing = append(writing, newMemberWriter(as(m), one.ID))
	}
	stage(time.Second / 5)
	stage(0)
	w.Flush()
	t.Logf("\n%s", &table)
}

// memberWriter is a member who writes to every service in turn.
type memberWriter struct {
	*apptest.Client
	to            svc.MemberID
	conversations []any
	events        []any
}

func newMemberWriter(c *apptest.Client, to svc.MemberID) memberWriter {
	return memberWriter{c, to, c.Do("GET", apptest.ConversationsPath).Want(200).List("conversations"), c.Do("GET", "/world/social/events").Want(200).List("events")}
}

// write sends the n-th request.
func (w memberWriter) write(n int) {
	turn := n / 5
	status, path, body := 201, "", any(nil)
	switch n % 5 {
	case 0:
		path, body = "/world/messages", map[string]any{"recipient": w.to, "body": fmt.Sprint("The harbour again, number ", n)}
	case 1:
		path = apptest.ConversationsPath + "/" + apptest.Text(apptest.At(w.conversations[turn%len(w.conversations)], "id")) + "/replies"
		body = map[string]any{"body": fmt.Sprint("Bread and candles, number ", n)}
	case 2:
		status, path = 200, "/world/social/events/"+apptest.Text(apptest.At(w.events[turn%len(w.events)], "id"))+"/rsvp"
		body = map[string]any{"response": []string{"going", "maybe", "declined"}[turn/len(w.events)%3]}
	case 3:
		status, path, body = 200, "/world/social/presence", map[string]any{"state": []string{"online", "busy"}[turn%2]}
	case 4:
		path, body = "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}
	}
	if a, err := w.Try("POST", path, body); err != nil || a.Status != status {
		w.T.Errorf("%s: got %v, %v, want status %d", path, a, err, status)
	}
}

// BenchmarkPopulation sends the requests of the member who sees the most of a
// large population.
func BenchmarkPopulation(b *testing.B) {
	c := newLargePopulation(b, time.Now())
	one := c.Client(c.MostConnected() + 1)
	for _, r := range measuredRequests(one) {
		b.Run(r.name, func(b *testing.B) {
			get := one.Bench(b, "GET", 200)
			c.Queries.Take()
			size := get(r.path, "")
			queries := 0
			for _, n := range c.Queries.Take() {
				queries += n
			}
			for b.Loop() {
				get(r.path, "")
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(queries), "queries")
		})
	}
	// The cost of invalidating one topic, or all.
	for _, topic := range []store.Topic{
		svc.TimeTopic, svc.MessagesTopic, svc.ConversationsTopic, svc.EventsTopic, svc.DMsTopic, svc.PresenceTopic, svc.SocialTopic, store.AllTopics,
	} {
		b.Run("dataset after "+topic, func(b *testing.B) {
			get := one.Bench(b, "GET", 200)
			get("/world/runtime", "")
			for b.Loop() {
				b.StopTimer()
				c.Write(func(tx *store.Tx) error {
					tx.Touch(svc.Change{Topics: []string{topic}}, int64(one.ID))
					return nil
				})
				b.StartTimer()
				get("/world/runtime", "")
			}
		})
	}
	for i, record := range []string{"message", "reply", "answer", "presence", "task"} {
		b.Run("write "+record, func(b *testing.B) {
			w := newMemberWriter(c.Client(c.CommunityPeers(c.MostConnected(), 1)[0]+1), one.ID)
			c.Queries.Take()
			w.write(i)
			queries := 0
			for _, n := range c.Queries.Take() {
				queries += n
			}
			for n := 1; b.Loop(); n++ {
				w.write(5*n + i)
			}
			b.ReportMetric(float64(queries), "queries")
		})
	}
	b.Run("dataset after writes of eight members", func(b *testing.B) {
		get := one.Bench(b, "GET", 200)
		var writing []memberWriter
		for _, m := range c.CommunityPeers(c.MostConnected(), 8) {
			writing = append(writing, newMemberWriter(c.Client(m+1), one.ID))
		}
		for n := 0; b.Loop(); n++ {
			b.StopTimer()
			for i, w := range writing {
				w.write(n + i)
			}
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
	b.Run("dataset, unchanged", func(b *testing.B) {
		etag := one.Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
		get := one.With("If-None-Match", etag).Bench(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
	b.Run("circles, empty cache", func(b *testing.B) {
		get := one.Bench(b, "GET", 200)
		for b.Loop() {
			b.StopTimer()
			c.InvalidateCircles()
			b.StartTimer()
			get("/world/social/circles", "")
		}
	})
}

// BenchmarkInvisibleContent measures requests of a member with little content
// beside content that the member cannot see. The cost must not depend on the
// latter.
func BenchmarkInvisibleContent(b *testing.B) {
	for _, foreign := range []int{10, 200} {
		c := apptest.NewPopulation(b, 210)
		near, far := *c, *c
		near.Viewers, far.Viewers = c.Viewers[:10], c.Viewers[10:]
		near.SendMessages(100, 5)
		far.SendMessages(50*foreign, 6)
		near.GenerateSocial(apptest.SocialVolume{Communities: 2, Conversations: 20, Replies: 200, Events: 10}, 7)
		l := &apptest.SocialGenerator{Population: &far, Seed: 8}
		l.CreateCommunities(foreign)
		l.CreateConversations(10*foreign, 50*foreign, l.CommunityContext)
		l.MakePrivate(true)
		l.CreateEvents(foreign, false)
		one := c.Client(1)
		for _, r := range measuredRequests(one) {
			b.Run(fmt.Sprintf("%s beside %d", r.name, foreign), func(b *testing.B) {
				get := one.Bench(b, "GET", 200)
				for b.Loop() {
					get(r.path, "")
				}
			})
		}
	}
}
