package world

import (
	"fmt"
	"io"
	"maps"
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/svctest"
)

// unreliableProxy forwards connections to a server, and breaks them on request.
type unreliableProxy struct {
	URL    string // base URL of the server, through the proxy
	target string

	mu      sync.Mutex
	refuses bool
	open    map[net.Conn]bool
}

// newUnreliableProxy starts a proxy for a server with a base URL.
func newUnreliableProxy(t *testing.T, base string) *unreliableProxy {
	t.Helper()
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &unreliableProxy{URL: "http://" + l.Addr().String() + u.Path, target: u.Host, open: make(map[net.Conn]bool)}
	t.Cleanup(func() {
		l.Close()
		p.breakAll(true)
	})
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go p.forward(c)
		}
	}()
	return p
}

// forward forwards a connection until one side ends.
func (p *unreliableProxy) forward(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	defer server.Close()
	p.mu.Lock()
	if p.refuses {
		p.mu.Unlock()
		return
	}
	p.open[client] = true
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.open, client)
		p.mu.Unlock()
	}()
	go func() {
		_, _ = io.Copy(server, client)
		server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// breakAll closes all connections, possibly in the middle of a response. refuse says whether new
// ones are refused until the next call.
func (p *unreliableProxy) breakAll(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuses = refuse
	for c := range p.open {
		c.Close()
	}
}

// memberWrites writes as members, over HTTP and CalDAV. Many requests are refused, because they
// concern deleted records.
type memberWrites struct {
	*randomWorkload
	clients []*apptest.Client
	dav     []*apptest.Client
}

// requests returns random requests of the member at an index, by name.
func (w *memberWrites) requests(i int) map[string]func() *apptest.Answer {
	c, dav, other := w.clients[i], w.dav[i], apptest.Pick(w.rand, w.clients...)
	words := func() string { return apptest.RandomWords(w.rand, 3) }
	post := func(path string, pairs ...any) func() *apptest.Answer {
		body := make(map[string]any)
		for n := 0; n < len(pairs); n += 2 {
			body[pairs[n].(string)] = pairs[n+1]
		}
		return func() *apptest.Answer { return c.Do("POST", path, body) }
	}
	object := fmt.Sprintf("/caldav/%d/calendars/default/%d.ics", c.ID, w.rand.IntN(12))
	if list := c.Do("GET", "/world/calendars").Want(200).Values("calendars", "caldav_path"); len(list) > 0 {
		object = fmt.Sprint(apptest.Pick(w.rand, list...), w.rand.IntN(12), ".ics")
	}
	start := w.Clock.Now().Add(time.Duration(w.rand.IntN(96)) * time.Hour).UTC().Format("20060102T150405Z")
	return map[string]func() *apptest.Answer{
		"put an event": func() *apptest.Answer {
			return dav.Do("PUT", object, apptest.VEvent(object, "DTSTART:"+start, "DURATION:PT1H", "SUMMARY:"+words()))
		},
		"put a series": func() *apptest.Answer {
			return dav.Do("PUT", object, apptest.VEvent(object, "DTSTART:"+start, "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:"+words()))
		},
		"delete an object": func() *apptest.Answer { return dav.Do("DELETE", object) },
		"rename a calendar": func() *apptest.Answer {
			return dav.Do("PROPPATCH", object[:len(object)-len(apptest.LastSegment(object))], apptest.Proppatch("displayname", words()))
		},
		"send a message":       post("/world/messages", "recipient", other.Name, "body", words()),
		"create a task":        post("/world/time/objects", "object_type", "task", "title", words()),
		"create an event":      post("/world/social/events", "title", words(), "start", "2026-12-05T19:00:00", "timezone", "UTC", "among", "open"),
		"start a conversation": post("/world/social/conversations", "title", words(), "body", words(), "among", "open"),
		"set the presence":     post("/world/social/presence", "state", "online", "visible_to", "members", "ttl_seconds", 60+w.rand.IntN(600)),
		"read notifications":   post("/world/social/notifications/read/all"),
		"change the own bio":   func() *apptest.Answer { return c.Do("PATCH", "/world/social/profile", map[string]any{"bio": words()}) },
		"change the week": func() *apptest.Answer {
			return c.Do("PATCH", "/world/time/preferences", map[string]any{"week_start": apptest.Pick(w.rand, "monday", "sunday")})
		},
		"change the categories": w.dispatchCategory(c),
	}
}

// dispatchCategory returns a request that changes the categories of places of a member.
func (w *memberWrites) dispatchCategory(c *apptest.Client) func() *apptest.Answer {
	return func() *apptest.Answer {
		d := c.Do("GET", "/world/runtime?sections=actions").Want(200)
		for _, a := range d.List("actions") {
			if apptest.At(a, "type") == "toggle_field_category" {
				return c.Do("POST", apptest.At(a, "command.url").(string), apptest.At(a, "command.body"))
			}
		}
		return d
	}
}

// write performs a random write of a random member.
func (w *memberWrites) write() {
	w.T.Helper()
	i := w.rand.IntN(len(w.clients))
	v := w.Viewers[i]
	switch w.rand.IntN(4) {
	case 0, 1:
		requests := w.requests(i)
		w.about = apptest.Pick(w.rand, slices.Sorted(maps.Keys(requests))...)
		if a := requests[w.about](); a.Status >= 500 {
			w.T.Fatalf("%s: got status %d, want success or a refusal", w.about, a.Status)
		}
	case 2:
		w.dispatch(v)
	case 3:
		w.operate(v)
	}
}

// operate performs a random operation of the services in one transaction.
func (w *memberWrites) operate(v svc.Viewer) {
	w.T.Helper()
	other := apptest.Pick(w.rand, w.Viewers...)
	err := w.DB.Write(w.T.Context(), func(tx *store.Tx) error {
		operations := step{w.randomWorkload, tx, v, other}.operations()
		delete(operations, "disable or enable a member") // ends the session of a runtime
		w.about = apptest.Pick(w.rand, slices.Sorted(maps.Keys(operations))...)
		return operations[w.about]()
	})
	w.wantServiceError(err)
}

// The runtimes of three members follow the stream of a server below a path, while the members
// write over HTTP, over CalDAV and with commands, and the connections break at random. Each
// runtime has a complete state at any time, and the dataset of the server at the end. Covers
// B-99, B-104 and B-105.
func TestNodeRuntimesFollowTheStream(t *testing.T) {
	writes := 200
	if svctest.IsLong() {
		writes = 2000
	}
	p := apptest.NewPopulation(t, 3, func(s *config.Settings) { s.BaseURL = "http://example.org/home/garden" })
	w := &memberWrites{randomWorkload: &randomWorkload{Population: p, rand: apptest.NewRand(10501)}}
	var runtimes []*nodeRuntime
	var proxies []*unreliableProxy
	for i := range p.Viewers {
		c := p.Client(i + 1)
		proxy := newUnreliableProxy(t, c.URL)
		w.clients, w.dav, proxies = append(w.clients, c), append(w.dav, c.Basic()), append(proxies, proxy)
		// With this interval, the test fails before a polling runtime reads again.
		runtimes = append(runtimes, startRuntime(t, proxy.URL, c.Token, "POLL_SECONDS=3600"))
	}
	for _, r := range runtimes {
		r.wantGreeting()
		r.sendCommand("panel messages")
	}
	for i := range writes {
		w.write()
		w.Clock.Advance(time.Duration(w.rand.IntN(3)) * time.Second)
		if w.rand.OneIn(20) {
			apptest.Pick(w.rand, proxies...).breakAll(w.rand.OneIn(2))
		}
		if i%50 == 49 {
			n := w.rand.IntN(len(runtimes))
			proxies[n].breakAll(false)
			runtimes[n].wantDataset(w.clients[n])
		}
	}
	for i, r := range runtimes {
		proxies[i].breakAll(false)
		r.wantDataset(w.clients[i])
		if n := r.counts(); n.Changes < 5 || n.Events < 5 || n.Panels < 2 || n.Streams < 2 || n.Datasets > n.Changes {
			t.Errorf("%s: got %+v, want several streams, events and panels, and answers with only changes", w.clients[i].Name, n)
		}
	}
}
