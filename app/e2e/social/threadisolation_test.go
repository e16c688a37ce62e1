package social

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
)

// The messages of two members occur in no response to another member, an
// operator included, and in no log. Covers M-27, M-28, W-05, W-17 and PT-07.
func TestBodiesAreVisibleToParticipantsOnly(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea, op := s.Member("ann"), s.Member("bea"), s.Member("op")
	read := func() string {
		var b strings.Builder
		for _, path := range []string{
			"/world/runtime", apptest.SessionPath, "/world/translated", "/world/messages", "/world/messages?q=xylophone", "/world/messages?q=x", "/world/panels/messages", "/world/panels/messages/rail",
			"/world/panels/time", "/world/calendars", "/world/time/objects", "/world/identity/me", "/world/identity/export", "/admin/members", "/account", "/ready", "/health",
		} {
			b.WriteString(op.AsRuntime().Do("GET", path).Want(200).Body)
		}
		for _, path := range []string{"/messages", "/messages/objects", "/runtime/panel/messages", "/objects", "/identity/members"} {
			b.WriteString(op.AsService().Do("GET", path).Want(200).Body)
		}
		return b.String()
	}
	op.SendMessage("ann", "Welcome")
	etag := op.AsRuntime().Do("GET", "/world/runtime").Header.Get("ETag")
	before := read()
	thread := ann.SendMessage("bea", "The xylophone is in the cellar")
	bea.SendInThread(thread, "Which xylophone?")
	bea.Do("GET", thread).Want(200)
	ann.Do("GET", "/world/messages?q=xylophone").Want(200)
	ann.Do("POST", thread+"/messages", `{"body": "xylophone", "participants": [3]}`).Want(422)
	if after := read(); after != before {
		t.Errorf("responses to an outsider after messages of other members: got\n%s\nwant\n%s", after, before)
	}
	op.AsRuntime().With("If-None-Match", etag).Do("GET", "/world/runtime").Want(304)
	if strings.Contains(s.Log.String(), "xylophone") {
		t.Errorf("log: got\n%s\nwant no body", s.Log)
	}
	for _, c := range []*apptest.Client{ann, bea} {
		if got, want := c.AsRuntime().Do("GET", "/world/runtime").Body, "Which xylophone?"; !strings.Contains(got, want) {
			t.Errorf("dataset of %s: got\n%s\nwant the message %q", c.Name, got, want)
		}
	}
}

// Message threads and direct messages of Social are independent, even between the
// same two members: neither kind counts or lists messages of the other. Covers M-36 and
// O-30.
func TestThreadsAndDirectMessagesAreIndependent(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	ann.CreateCommunity(`{"name": "Family", "visibility": "private"}`, bea) // permits direct messages
	tables := func(prefix string) (text string) {
		rows := s.Rows()
		for _, name := range slices.Sorted(maps.Keys(rows)) {
			if strings.HasPrefix(name, prefix) {
				text += name + ": " + rows[name] + "\n"
			}
		}
		if text == "" {
			t.Fatalf("got no tables with the prefix %s, want some", prefix)
		}
		return text
	}
	counts := func() string {
		var list []any
		for _, c := range []*apptest.Client{ann, bea} {
			threads, dms := c.Do("GET", "/world/messages").Want(200), c.Do("GET", "/world/social/dms").Want(200)
			list = append(list, len(threads.List("threads")), threads.At("unread_total"), len(dms.List("dms")), dms.At("unread_total"))
		}
		return fmt.Sprint(list)
	}
	wantCounts := func(about, wanted string) {
		t.Helper()
		if got := counts(); got != wanted {
			t.Errorf("%s: threads, unread, direct messages, unread of ann and bea: got %s, want %s", about, got, wanted)
		}
	}
	wantCounts("at first", "[0 0 0 0 0 0 0 0]")
	social := tables("social_")
	thread := ann.SendMessage("bea", "A message")
	bea.SendInThread(thread, "Another message")
	bea.Do("GET", thread).Want(200)
	if got := tables("social_"); got != social {
		t.Errorf("tables of Social after messages: got\n%s\nwant\n%s", got, social)
	}
	wantCounts("after messages", "[1 1 0 0 1 0 0 0]")

	messages := tables("messages_")
	dm := ann.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "A direct message"}`).Want(201)
	bea.Do("POST", dm.Str("dm.links.messages"), `{"body": "Another direct message"}`).Want(201)
	if got := tables("messages_"); got != messages {
		t.Errorf("tables of Messages after direct messages: got\n%s\nwant\n%s", got, messages)
	}
	wantCounts("after direct messages", "[1 1 1 1 1 0 1 0]")
	ann.Do("GET", dm.Str("dm.links.self")).Want(200)
	wantCounts("after reading the direct messages", "[1 1 1 0 1 0 1 0]")
	for path, text := range map[string]string{"/world/messages?q=direct": `"results":[]`, "/world/social/dms": "direct message"} {
		if body := ann.Do("GET", path).Want(200).Body; !strings.Contains(body, text) {
			t.Errorf("GET %s: got %s, want %s", path, body, text)
		}
	}
	ann.Do("GET", strings.Replace(dm.Str("dm.links.self"), "/social/dms/", "/messages/", 1)).WantError(404, "not_found")
	ann.Do("GET", strings.Replace(thread, "/messages/", "/social/dms/", 1)).WantError(404, "not_found")
}

// Covers M-42, PT-17, PT-19 and B-88.
func TestSimultaneousFirstMessagesShareAThread(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	threads := make([]string, 40)
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() {
			from, to := ann, "bea"
			if i%2 == 0 {
				from, to = bea, "ann"
			}
			threads[i] = from.SendMessage(to, fmt.Sprint("Message ", i))
		})
	}
	all.Wait()
	slices.Sort(threads)
	if got := slices.Compact(slices.Clone(threads)); len(got) != 1 {
		t.Errorf("got the threads %v, want one", got)
	}
	a := ann.Do("GET", threads[0]).Want(200)
	a.WantValues("thread", map[string]any{"message_count": 40, "participant_count": 2})
	if n := len(a.List("messages")); n != 40 {
		t.Errorf("got %d messages, want 40", n)
	}
	keyed := ann.With("Idempotency-Key", "k")
	first, again := keyed.Do("POST", threads[0]+"/messages", `{"body": "Once"}`).Want(201), keyed.Do("POST", threads[0]+"/messages", `{"body": "Once"}`).Want(201)
	if first.Body != again.Body {
		t.Errorf("a repeated request: got %s, want %s", again.Body, first.Body)
	}
	ann.Do("GET", threads[0]).WantValues("thread", map[string]any{"message_count": 41})
}

// Covers PT-39 for messages.
func TestConcurrentReadsAndWritesSucceed(t *testing.T) {
	population := apptest.NewPopulation(t, 10)
	var clients []*apptest.Client
	for i := range 10 {
		clients = append(clients, population.Client(i+1))
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			sender, recipient := clients[i%10], (i*7+3)%10+1
			if int(sender.ID) == recipient {
				recipient = recipient%10 + 1
			}
			thread := sender.SendMessage(recipient, fmt.Sprint("Message ", i))
			for _, path := range []string{thread, "/world/messages", "/world/messages?q=message", "/world/runtime", "/world/panels/messages"} {
				if a := sender.Do("GET", path); a.Status != 200 {
					t.Errorf("%s: got status %d, want 200: %s", path, a.Status, a.Body)
				}
			}
		})
	}
	all.Wait()
	sent := 0.0
	for _, c := range clients {
		for _, thread := range c.Do("GET", "/world/messages").Want(200).List("threads") {
			sent += apptest.At(thread, "message_count").(float64) / 2 // both members count each message
		}
	}
	if sent != 50 {
		t.Errorf("got %v messages, want 50", sent)
	}
}
