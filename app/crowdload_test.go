package app

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"text/tabwriter"
	"time"

	"appliance/store"
	"appliance/svc"
)

var crowdRounds = flag.Int("crowd", 0, "measure a house of 1,000 members while eight of them write, so many times each request")

// crowded is a house of 1,000 members with 100,000 messages and all of social
// life, as it stands at a time.
func crowded(t testing.TB, now time.Time) *community {
	t.Helper()
	c := settleCommunity(t, 1000)
	c.clock.Set(now.Add(-24 * time.Hour))
	c.talk(100_000, 3)
	c.socialize(wholeSociety, 4)
	c.clock.Set(now)
	(&living{community: c, seed: 99}).appear()
	c.clock.Set(now)
	return c
}

// crowdRow is a request that is measured.
type crowdRow struct{ name, path string }

// crowdRows are the requests that must be fast, for the member who asks.
func crowdRows(me *client) []crowdRow {
	return []crowdRow{
		{"inbox", "/world/messages"},
		{"thread", me.do("GET", "/world/messages").want(200).str("threads.0.links.self")},
		{"conversation", conversationsPath + "/" + me.do("GET", conversationsPath).want(200).str("conversations.0.id")},
		{"panel", "/world/panels/social"},
		{"circles", "/world/social/circles"},
		{"dataset", "/world/runtime"},
	}
}

// TestCrowd measures what a member waits for while nobody else writes, while
// eight others write five times a second each, and while they do so without a
// pause. It is no test of anything, but the place of the figures that are
// told of it:
//
//	go test ./app -run TestCrowd -crowd 300 -v -timeout 1h
func TestCrowd(t *testing.T) {
	if *crowdRounds == 0 {
		t.Skip("it measures; say -crowd 300")
	}
	c := crowded(t, time.Now())
	me := c.busiest()
	writers := c.acquainted(me, 8)
	if err := c.db.Close(); err != nil {
		t.Fatal(err)
	}
	p := serve(t, c.settings.Data, "--rate-limits", "writes=0,reads=0")
	as := func(i int) *client {
		one := p.nobody()
		one.name, one.id = fmt.Sprint("m", i+1), svc.MemberID(i+1)
		one.web.Transport = new(http.Transport)
		return one.signedIn(password).runtime()
	}
	one := as(me)
	rows := crowdRows(one)
	took := make([][]time.Duration, len(rows))
	var writing []crowdWriter
	unchanged, etag := 0, ""
	measure := func() {
		for i, r := range rows {
			took[i] = append(took[i], timed(func() {
				ask := one
				if r.name == "dataset" {
					ask = one.with("If-None-Match", etag)
				}
				a := ask.do("GET", r.path)
				if r.name != "dataset" {
					a.want(200)
				} else if etag = a.header.Get("ETag"); a.status == http.StatusNotModified {
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
		for range *crowdRounds {
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
	stage(0) // nobody writes
	for _, m := range writers {
		writing = append(writing, newCrowdWriter(as(m), one.id))
	}
	stage(time.Second / 5)
	stage(0)
	w.Flush()
	t.Logf("\n%s", &table)
}

// acquainted returns so many members who share a community with one.
func (c *community) acquainted(with, count int) (list []int) {
	for _, g := range c.gatherings {
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

// crowdWriter is a member who writes whatever there is to write.
type crowdWriter struct {
	*client
	to            svc.MemberID
	conversations []any
	events        []any
}

func newCrowdWriter(c *client, to svc.MemberID) crowdWriter {
	return crowdWriter{c, to, c.do("GET", conversationsPath).want(200).list("conversations"), c.do("GET", "/world/social/events").want(200).list("events")}
}

// write does one of it, by turns.
func (w crowdWriter) write(n int) {
	turn := n / 5
	status, path, body := 201, "", any(nil)
	switch n % 5 {
	case 0:
		path, body = "/world/messages", map[string]any{"recipient": w.to, "body": fmt.Sprint("The harbour again, number ", n)}
	case 1:
		path = conversationsPath + "/" + asText(dig(w.conversations[turn%len(w.conversations)], "id")) + "/replies"
		body = map[string]any{"body": fmt.Sprint("Bread and candles, number ", n)}
	case 2:
		status, path = 200, "/world/social/events/"+asText(dig(w.events[turn%len(w.events)], "id"))+"/rsvp"
		body = map[string]any{"response": []string{"going", "maybe", "declined"}[turn/len(w.events)%3]}
	case 3:
		status, path, body = 200, "/world/social/presence", map[string]any{"state": []string{"online", "busy"}[turn%2]}
	case 4:
		path, body = "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}
	}
	if a, err := w.try("POST", path, body); err != nil || a.status != status {
		w.t.Errorf("%s: %v %v", path, a, err)
	}
}

// What must be fast in a house of 1,000 members, for the one who sees the most
// of it.
func BenchmarkCrowd(b *testing.B) {
	c := crowded(b, time.Now())
	one := c.m(c.busiest() + 1)
	for _, r := range crowdRows(one) {
		b.Run(r.name, func(b *testing.B) {
			get := one.request(b, "GET", 200)
			c.ran.take()
			size := get(r.path, "")
			queries := 0
			for _, n := range c.ran.take() {
				queries += n
			}
			for b.Loop() {
				get(r.path, "")
			}
			b.ReportMetric(float64(size), "bytes")
			b.ReportMetric(float64(queries), "queries")
		})
	}
	// What is read anew after a change to one part, or to all.
	for _, topic := range []store.Topic{
		svc.TimeTopic, svc.MessagesTopic, svc.ConversationsTopic, svc.EventsTopic, svc.DMsTopic, svc.PresenceTopic, svc.SocialTopic, store.AllTopics,
	} {
		b.Run("dataset after "+string(topic), func(b *testing.B) {
			get := one.request(b, "GET", 200)
			get("/world/runtime", "")
			for b.Loop() {
				b.StopTimer()
				c.write(func(tx *store.Tx) error {
					tx.Touch(topic, int64(one.id))
					return nil
				})
				b.StartTimer()
				get("/world/runtime", "")
			}
		})
	}
	for i, what := range []string{"message", "reply", "answer", "presence", "task"} {
		b.Run("write "+what, func(b *testing.B) {
			w := newCrowdWriter(c.m(c.acquainted(c.busiest(), 1)[0]+1), one.id)
			c.ran.take()
			w.write(i)
			queries := 0
			for _, n := range c.ran.take() {
				queries += n
			}
			for n := 1; b.Loop(); n++ {
				w.write(5*n + i)
			}
			b.ReportMetric(float64(queries), "queries")
		})
	}
	b.Run("dataset after eight have written", func(b *testing.B) {
		get := one.request(b, "GET", 200)
		var writing []crowdWriter
		for _, m := range c.acquainted(c.busiest(), 8) {
			writing = append(writing, newCrowdWriter(c.m(m+1), one.id))
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
		etag := one.do("GET", "/world/runtime").want(200).header.Get("ETag")
		get := one.with("If-None-Match", etag).request(b, "GET", 304)
		for b.Loop() {
			get("/world/runtime", "")
		}
	})
	b.Run("circles, anew", func(b *testing.B) {
		get := one.request(b, "GET", 200)
		for b.Loop() {
			b.StopTimer()
			c.regraph()
			b.StartTimer()
			get("/world/social/circles", "")
		}
	})
}

// What a member with little sees costs the same, however much there is that
// they cannot see.
func BenchmarkNewcomer(b *testing.B) {
	for _, foreign := range []int{10, 200} {
		c := settleCommunity(b, 210)
		near, far := *c, *c
		near.viewers, far.viewers = c.viewers[:10], c.viewers[10:]
		near.talk(100, 5)
		far.talk(50*foreign, 6)
		near.socialize(society{communities: 2, conversations: 20, replies: 200, events: 10}, 7)
		l := &living{community: &far, seed: 8}
		l.gather(foreign)
		for i := range l.gatherings {
			l.gatherings[i].private = true
		}
		l.converse(10*foreign, 50*foreign, l.inCommunities)
		l.close()
		l.plan(foreign, false)
		one := c.m(1)
		for _, r := range crowdRows(one) {
			b.Run(fmt.Sprintf("%s beside %d", r.name, foreign), func(b *testing.B) {
				get := one.request(b, "GET", 200)
				for b.Loop() {
					get(r.path, "")
				}
			})
		}
	}
}
