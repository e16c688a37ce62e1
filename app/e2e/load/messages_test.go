package load

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/messages"
	"appliance/svc/svctest"
)

// No query runs in a loop over messages, threads or members.
func TestNumberOfQueriesDoesNotDependOnTheNumberOfMessages(t *testing.T) {
	svctest.Long(t)
	c := apptest.NewPopulation(t, 30)
	one := c.Client(1)
	one.Session() // stores the default surfaces
	measure := func() (counts []string) {
		inbox := one.Do("GET", "/world/messages").Want(200)
		thread := inbox.Str("threads.0.links.self")
		for _, r := range [][]string{
			{"GET", "/world/messages"}, {"GET", thread + "?peek=1"}, {"GET", thread + "/messages"}, {"GET", "/world/messages?q=the&limit=200"},
			{"GET", "/world/panels/messages"}, {"GET", "/world/panels/messages?thread=" + inbox.Str("threads.0.id")}, {"GET", "/world/panels/messages/rail"},
			{"GET", "/world/runtime"}, {"GET", apptest.SessionPath}, {"GET", "/world/translated"}, {"POST", thread + "/messages", `{"body": "x"}`},
		} {
			c.Restart() // with empty caches
			c.Queries.Take()
			a := one.Do(r[0], r[1], strings.Join(r[2:], ""))
			if a.Status >= 300 {
				t.Fatalf("%s: got status %d, want success\n%s", r[1], a.Status, a.Body)
			}
			ran := c.Queries.Take()
			counts = append(counts, fmt.Sprintln(r[0], strings.NewReplacer(thread, "THREAD", inbox.Str("threads.0.id"), "ID").Replace(r[1]), ran))
			if len(ran) == 0 {
				t.Errorf("%v: got 0 queries, want at least 1", r)
			}
		}
		return counts
	}
	c.SendMessages(100, 1)
	measure() // stores read cursors
	few := measure()
	c.SendMessages(2000, 2)
	many := measure()
	for i := range few {
		if few[i] != many[i] {
			t.Errorf("with 2,000 messages: got %s, want as with 100: %s", many[i], few[i])
		}
	}
}

// Random requests give the same threads and unread counts as a simple model. Covers
// PT-17, PT-18 and PT-19.
func TestRandomMessagesMatchTheModel(t *testing.T) {
	turns := 200
	if svctest.IsLong() {
		turns = 2000
	}
	const members = 5
	c := apptest.NewPopulation(t, members)
	d := apptest.NewRand(17)
	type pair [2]int
	between := func(a, b int) pair { return pair{min(a, b), max(a, b)} }
	type message struct {
		id   string
		from int
	}
	type thread struct {
		id   string
		list []message
		read map[int]int // number of read messages by member
	}
	model := make(map[pair]*thread)
	for range turns {
		me := d.IntN(members)
		other := (me + 1 + d.IntN(members-1)) % members
		v, th, action := c.Viewers[me], model[between(me, other)], d.IntN(4)
		upTo := 0 // number of messages that the action reads
		if th != nil && action == 2 {
			upTo = d.IntN(len(th.list)) + 1
		} else if th != nil && action == 3 {
			upTo = len(th.list)
		}
		var sent messages.Sent
		c.Write(func(tx *store.Tx) (err error) {
			switch {
			case action == 0 || th == nil:
				sent, err = c.App.Messages.Start(tx, v, messages.StartRequest{Recipient: messages.Recipients{c.Viewers[other].String()}, Body: "Hello"})
			case action == 1:
				sent, err = c.App.Messages.Send(tx, v, th.id, messages.SendRequest{Body: "Hello"})
			case action == 2:
				_, err = c.App.Messages.MarkRead(tx, v, th.id, th.list[upTo-1].id)
			default:
				_, err = c.App.Messages.Open(tx, v, th.id, svc.HistoryQuery{Limit: 1})
			}
			return err
		})
		if th == nil {
			th = &thread{id: sent.Thread.ID, read: make(map[int]int)}
			model[between(me, other)] = th
		}
		if sent.Message.ID != "" {
			th.list = append(th.list, message{sent.Message.ID, me})
			upTo = len(th.list)
		}
		th.read[me] = max(th.read[me], upTo)
		err := c.DB.Read(t.Context(), func(tx *store.Tx) error {
			for _, m := range []int{me, other} {
				got, err := c.App.Messages.Thread(tx, c.Viewers[m], th.id)
				if err != nil {
					return err
				}
				unread := 0
				for _, msg := range th.list[th.read[m]:] {
					if msg.from != m {
						unread++
					}
				}
				if got.UnreadCount != int64(unread) || got.MessageCount != int64(len(th.list)) || got.ParticipantCount != 2 || len(got.Participants) != 2 {
					t.Fatalf("member %d: got %+v, want %d of %d unread", m, got, unread, len(th.list))
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	total := 0
	for m := range members {
		err := c.DB.Read(t.Context(), func(tx *store.Tx) error {
			in, err := c.App.Messages.Inbox(tx, c.Viewers[m], 0, "")
			total += len(in.Threads)
			sum := int64(0)
			for _, th := range in.Threads {
				sum += th.UnreadCount
			}
			if sum != in.UnreadTotal {
				t.Errorf("member %d: got %d unread in total, want the sum of the threads, %d", m, in.UnreadTotal, sum)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if total != 2*len(model) {
		t.Errorf("got %d threads in all inboxes, want 2 for each of %d", total, len(model))
	}
}

// Covers B-82 for messages.
func TestDatasetContainsTheLatest300ThreadsAndReportsTruncation(t *testing.T) {
	svctest.Long(t)
	const many = 1003
	c := apptest.NewPopulation(t, many)
	c.Write(func(tx *store.Tx) error {
		for i := 2; i <= many; i++ {
			in := messages.StartRequest{Recipient: messages.Recipients{fmt.Sprint(i)}, Body: "Hello"}
			if _, err := c.App.Messages.Start(tx, c.Viewers[0], in); err != nil {
				return err
			}
		}
		return nil
	})
	one := c.Client(1)
	a := one.Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	if titles := a.Values("objects", "title"); len(titles) != 301 || titles[0] != "M1003" || titles[299] != "M704" {
		t.Errorf("got %d objects from %s, want 300 threads and a profile from M1003", len(titles), titles[0])
	}
	if !strings.Contains(a.Body, `"state":"degraded","scope":{"kind":"service","service":"messages"},"reason":"truncated"`) {
		t.Errorf("fallbacks: got %v, want one for truncated messages", a.At("fallbacks"))
	}
	err := c.DB.Read(t.Context(), func(tx *store.Tx) error {
		list, truncated, err := c.App.Messages.Sources(tx, c.Viewers[0])
		if len(list.Threads) != 1000 || !truncated {
			t.Errorf("sources: got %d, truncated %t, want 1000, truncated", len(list.Threads), truncated)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkMessages sends the requests of one of 1,000 members with 100,000
// messages between them.
func BenchmarkMessages(b *testing.B) {
	c := apptest.NewPopulation(b, 1000)
	c.SendMessages(100_000, 3)
	one := c.Client(500)
	thread := one.Do("GET", "/world/messages").Want(200).Str("threads.0.links.self")
	for _, r := range []struct{ name, path string }{
		{"inbox", "/world/messages"}, {"thread", thread + "?peek=1"}, {"search for a common word", "/world/messages?q=the"},
		{"search for a rare pair", "/world/messages?q=harbour+candle"}, {"search for a prefix", "/world/messages?q=w"}, {"search without a match", "/world/messages?q=zebra"},
		{"panel", "/world/panels/messages"}, {"dataset", "/world/runtime"}, {"session", apptest.SessionPath},
	} {
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
	b.Run("send", func(b *testing.B) {
		post := one.With("Content-Type", "application/json").Bench(b, "POST", 201)
		for b.Loop() {
			post(thread+"/messages", `{"body": "See you at the harbour"}`)
		}
	})
	b.Run("dataset, empty caches", func(b *testing.B) {
		get := one.Bench(b, "GET", 200)
		for b.Loop() {
			b.StopTimer()
			c.Restart()
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
}
