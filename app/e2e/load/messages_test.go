package load

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/messages"
	"appliance/svc/svctest"
)

// The queries of each request for messages are the same with 100 messages and
// with 2,100.
func TestQueriesAreIndependentOfTheNumberOfMessages(t *testing.T) {
	svctest.Long(t)
	p := apptest.NewPopulation(t, 30)
	member := p.Client(1)
	member.Session()
	p.SendMessages(100, 1)
	queriesOfMessages(p, member) // the first requests also store defaults
	few := queriesOfMessages(p, member)
	p.SendMessages(2000, 2)
	many := queriesOfMessages(p, member)
	for request, want := range few {
		if got := many[request]; !maps.Equal(got, want) {
			t.Errorf("%s: got queries %v with 2,100 messages, want %v as with 100", request, got, want)
		}
	}
}

// queriesOfMessages returns the number of runs of each query, by request. The
// caches are empty before each request.
func queriesOfMessages(p *apptest.Population, c *apptest.Client) map[string]map[string]int {
	p.T.Helper()
	inbox := c.Do("GET", "/world/messages").Want(200)
	thread, id := inbox.Str("threads.0.links.self"), inbox.Str("threads.0.id")
	queries := make(map[string]map[string]int)
	for _, r := range []struct{ name, method, path, body string }{
		{"inbox", "GET", "/world/messages", ""},
		{"thread", "GET", thread + "?peek=1", ""},
		{"messages of a thread", "GET", thread + "/messages", ""},
		{"search", "GET", "/world/messages?q=the&limit=200", ""},
		{"panel", "GET", "/world/panels/messages", ""},
		{"panel with a thread", "GET", "/world/panels/messages?thread=" + id, ""},
		{"rail", "GET", "/world/panels/messages/rail", ""},
		{"dataset", "GET", "/world/runtime", ""},
		{"session", "GET", apptest.SessionPath, ""},
		{"translated dataset", "GET", "/world/translated", ""},
		{"send", "POST", thread + "/messages", `{"body": "x"}`},
	} {
		p.Restart()
		p.Queries.Take()
		if a := c.Do(r.method, r.path, r.body); a.Status >= 300 {
			p.T.Fatalf("%s: got status %d, want success\n%s", r.name, a.Status, a.Body)
		}
		queries[r.name] = p.Queries.Take()
		if len(queries[r.name]) == 0 {
			p.T.Errorf("%s: got no queries, want some", r.name)
		}
	}
	return queries
}

// A dataset contains the latest 300 threads, and a fallback that reports the truncation. Covers
// B-82 for messages.
func TestDatasetContainsTheLatestThreads(t *testing.T) {
	svctest.Long(t)
	const members, inDataset = 1003, 300
	p := apptest.NewPopulation(t, members)
	repeat(p, members-1, func(tx *store.Tx, i int) error {
		_, err := p.App.Messages.Start(tx, p.Viewers[0], messages.StartRequest{Recipient: messages.Recipients{fmt.Sprint(i + 2)}, Body: "Hello"})
		return err
	})
	a := p.Client(1).Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	titles := a.Values("objects", "title")
	if len(titles) != inDataset+1 { // plus the object of the profile
		t.Fatalf("got %d objects, want %d threads and a profile", len(titles), inDataset)
	}
	for i, want := range map[int]string{0: fmt.Sprint("M", members), inDataset - 1: fmt.Sprint("M", members-inDataset+1)} {
		if titles[i] != want {
			t.Errorf("object %d: got %q, want %q", i, titles[i], want)
		}
	}
	if want := `"state":"degraded","scope":{"kind":"service","service":"messages"},"reason":"truncated"`; !strings.Contains(a.Body, want) {
		t.Errorf("fallbacks: got %v, want %s", a.At("fallbacks"), want)
	}
}
