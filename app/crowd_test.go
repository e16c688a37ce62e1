package app

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
)

// community is a house with many members, who write to one another. The same
// seed makes the same.
type community struct {
	*house
	viewers    []svc.Viewer // by number, the first is that of member 1
	gatherings []gathering  // once they have come to live with one another
}

// settleCommunity moves so many members into a new house. They are called m1,
// m2 and so on, and never sign in.
func settleCommunity(t testing.TB, members int) *community {
	t.Helper()
	c := &community{house: open(t, unlimited)}
	applicants := make([]identity.Applicant, members)
	for i := range applicants {
		name := fmt.Sprint("m", i+1)
		var err error
		applicants[i], err = c.identity.Prepare(t.Context(), identity.Registration{
			Email: name + "@example.org", Username: name, DisplayName: strings.ToUpper(name), Password: password,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	c.write(func(tx *store.Tx) error {
		c.viewers = nil
		for _, a := range applicants {
			m, err := c.identity.AddMember(tx, identity.CommandLine("test"), a)
			if err != nil {
				return err
			}
			v, err := c.identity.OnBehalf(tx, m.ID)
			if err != nil {
				return err
			}
			c.viewers = append(c.viewers, v)
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
func (c *community) talk(count int, seed uint64) {
	c.t.Helper()
	d := newDice(seed)
	const atOnce = 500
	for done := 0; done < count; done += atOnce {
		type line struct {
			from svc.Viewer
			messages.StartRequest
		}
		lines := make([]line, min(atOnce, count-done))
		for i := range lines {
			from := d.IntN(len(c.viewers))
			to := (from + 1 + d.IntN(3)) % len(c.viewers)
			if d.one(2) {
				to = (from + 1 + d.IntN(len(c.viewers)-1)) % len(c.viewers)
			}
			words := make([]string, 4+d.IntN(30))
			for w := range words {
				words[w] = pick(d, vocabulary...)
			}
			lines[i] = line{c.viewers[from], messages.StartRequest{
				Recipient: messages.Recipients{c.viewers[to].String()}, Body: strings.Join(words, " "),
			}}
		}
		c.clock.Advance(time.Minute)
		c.write(func(tx *store.Tx) error {
			for _, l := range lines {
				if _, err := c.messages.Start(tx, l.from, l.StartRequest); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// m returns a signed-in client of a member.
func (c *community) m(n int) *client {
	c.t.Helper()
	one := c.nobody()
	one.name, one.id = fmt.Sprint("m", n), svc.MemberID(n)
	return one.signedIn(password).runtime()
}

// What is asked of the database for messages does not depend on how much is
// written: not in the number of queries, whoever writes it.
func TestNoQueryOfMessagesIsInALoop(t *testing.T) {
	long(t)
	c := settleCommunity(t, 30)
	one := c.m(1)
	one.session() // which stores what is not stored yet
	measure := func() (counts []string) {
		inbox := one.do("GET", "/world/messages").want(200)
		thread := inbox.str("threads.0.links.self")
		for _, r := range [][]string{
			{"GET", "/world/messages"}, {"GET", thread + "?peek=1"}, {"GET", thread + "/messages"}, {"GET", "/world/messages?q=the&limit=200"},
			{"GET", "/world/panels/messages"}, {"GET", "/world/panels/messages?thread=" + inbox.str("threads.0.id")}, {"GET", "/world/panels/messages/rail"},
			{"GET", "/world/runtime"}, {"GET", sessionPath}, {"GET", "/world/translated"}, {"POST", thread + "/messages", `{"body": "x"}`},
		} {
			c.restart() // so that nothing is known from before
			c.ran.take()
			a := one.do(r[0], r[1], strings.Join(r[2:], ""))
			if a.status >= 300 {
				t.Fatalf("%s: status %d\n%s", r[1], a.status, a.body)
			}
			ran := c.ran.take()
			counts = append(counts, fmt.Sprintln(r[0], strings.NewReplacer(thread, "THREAD", inbox.str("threads.0.id"), "ID").Replace(r[1]), ran))
			if len(ran) == 0 {
				t.Errorf("%v: nothing was counted", r)
			}
		}
		return counts
	}
	c.talk(100, 1)
	measure() // from now on what everybody has before them is stored
	few := measure()
	c.talk(2000, 2)
	many := measure()
	for i := range few {
		if few[i] != many[i] {
			t.Errorf("with a hundred messages %s, with two thousand %s", few[i], many[i])
		}
	}
}

// What a member sees of a random life of messages is what a simple model says.
// Covers PT-17, PT-18 and PT-19.
func TestMessagesAgainstAModel(t *testing.T) {
	turns := 2000
	if testing.Short() {
		turns = 200
	}
	const members = 5
	c := settleCommunity(t, members)
	d := newDice(17)
	type pair [2]int
	between := func(a, b int) pair { return pair{min(a, b), max(a, b)} }
	type message struct {
		id   string
		from int
	}
	type thread struct {
		id     string
		list   []message
		marker map[int]int // how many of the messages somebody has read
	}
	model := make(map[pair]*thread)
	for range turns {
		me := d.IntN(members)
		other := (me + 1 + d.IntN(members-1)) % members
		v, th, what := c.viewers[me], model[between(me, other)], d.IntN(4)
		upTo := 0 // read so many
		if th != nil && what == 2 {
			upTo = d.IntN(len(th.list)) + 1
		} else if th != nil && what == 3 {
			upTo = len(th.list)
		}
		var sent messages.Sent
		c.write(func(tx *store.Tx) (err error) {
			switch {
			case what == 0 || th == nil:
				sent, err = c.messages.Start(tx, v, messages.StartRequest{Recipient: messages.Recipients{c.viewers[other].String()}, Body: "Hello"})
			case what == 1:
				sent, err = c.messages.Send(tx, v, th.id, messages.SendRequest{Body: "Hello"})
			case what == 2:
				_, err = c.messages.MarkRead(tx, v, th.id, th.list[upTo-1].id)
			default:
				_, err = c.messages.Open(tx, v, th.id, messages.HistoryQuery{Limit: 1})
			}
			return err
		})
		if th == nil {
			th = &thread{id: sent.Thread.ID, marker: make(map[int]int)}
			model[between(me, other)] = th
		}
		if sent.Message.ID != "" {
			th.list = append(th.list, message{sent.Message.ID, me})
			upTo = len(th.list)
		}
		th.marker[me] = max(th.marker[me], upTo)
		err := c.db.Read(t.Context(), func(tx *store.Tx) error {
			for _, m := range []int{me, other} {
				got, err := c.messages.Thread(tx, c.viewers[m], th.id)
				if err != nil {
					return err
				}
				unread := 0
				for _, msg := range th.list[th.marker[m]:] {
					if msg.from != m {
						unread++
					}
				}
				if got.UnreadCount != int64(unread) || got.MessageCount != int64(len(th.list)) || got.ParticipantCount != 2 || len(got.Participants) != 2 {
					t.Fatalf("member %d has %+v, want %d of %d unread", m, got, unread, len(th.list))
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
		err := c.db.Read(t.Context(), func(tx *store.Tx) error {
			in, err := c.messages.Inbox(tx, c.viewers[m], 0, "")
			total += len(in.Threads)
			sum := int64(0)
			for _, th := range in.Threads {
				sum += th.UnreadCount
			}
			if sum != in.UnreadTotal {
				t.Errorf("member %d has %d unread, of which threads name %d", m, in.UnreadTotal, sum)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if total != 2*len(model) {
		t.Errorf("%d threads are seen by two, %d in all inboxes", len(model), total)
	}
}

// A dataset has the latest 300 threads, and says that there are more.
// Covers B-82 for messages.
func TestMoreThreadsThanADatasetHas(t *testing.T) {
	long(t)
	const many = 1003
	c := settleCommunity(t, many)
	c.write(func(tx *store.Tx) error {
		for i := 2; i <= many; i++ {
			in := messages.StartRequest{Recipient: messages.Recipients{fmt.Sprint(i)}, Body: "Hello"}
			if _, err := c.messages.Start(tx, c.viewers[0], in); err != nil {
				return err
			}
		}
		return nil
	})
	one := c.m(1)
	a := one.do("GET", "/world/runtime").want(200)
	checkDataset(t, a)
	if titles := titlesOf(a); len(titles) != 301 || titles[0] != "M1003" || titles[299] != "M704" {
		t.Errorf("%d threads and a profile, from %s", len(titles), titles[0])
	}
	if !strings.Contains(a.body, `"state":"degraded","scope":{"kind":"service","service":"messages"},"reason":"truncated"`) {
		t.Errorf("no word of the others: %v", a.at("fallbacks"))
	}
	err := c.db.Read(t.Context(), func(tx *store.Tx) error {
		list, cut, err := c.messages.Sources(tx, c.viewers[0])
		if len(list.Threads) != 1000 || !cut {
			t.Errorf("%d sources, cut %t", len(list.Threads), cut)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A house of 1,000 members and 100,000 messages, as a member in the middle of
// it sees it.
func BenchmarkMessages(b *testing.B) {
	c := settleCommunity(b, 1000)
	c.talk(100_000, 3)
	one := c.m(500)
	thread := one.do("GET", "/world/messages").want(200).str("threads.0.links.self")
	for _, r := range []struct{ name, path string }{
		{"inbox", "/world/messages"}, {"thread", thread + "?peek=1"}, {"search for a common word", "/world/messages?q=the"},
		{"search for a rare pair", "/world/messages?q=harbour+candle"}, {"search for a beginning", "/world/messages?q=w"}, {"search for nothing there", "/world/messages?q=zebra"},
		{"panel", "/world/panels/messages"}, {"dataset", "/world/runtime"}, {"session", sessionPath},
	} {
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
	b.Run("send", func(b *testing.B) {
		post := one.with("Content-Type", "application/json").request(b, "POST", 201)
		for b.Loop() {
			post(thread+"/messages", `{"body": "See you at the harbour"}`)
		}
	})
	b.Run("dataset, first", func(b *testing.B) {
		get := one.request(b, "GET", 200)
		for b.Loop() {
			b.StopTimer()
			c.restart()
			b.StartTimer()
			get("/world/runtime", "")
		}
	})
}
