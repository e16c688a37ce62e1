package stream_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/world/dataset"
	"appliance/world/stream"
	"appliance/world/worldtest"
)

// quietIntervals are intervals of a hub whose streams send no comments and which does not check
// for commits of other processes.
var quietIntervals = stream.Intervals{Comment: time.Hour, Pause: time.Millisecond, Poll: time.Hour}

// streamClient is the client of a stream.
type streamClient struct {
	t     testing.TB
	lines chan string
	ended chan struct{} // closed when Run returns
	close func()
	id    string // of the last event, or of the beginning
}

// idLine matches the id in the lines of a stream.
var idLine = regexp.MustCompile(`(?m)^id: (\S+)$`)

// receive opens a stream and receives its events. It returns the first lines.
func receive(t *testing.T, ctx context.Context, hub *stream.Hub, v svc.Viewer, lastID string) (c *streamClient, first string) {
	t.Helper()
	ctx, cancel := context.WithCancel(ctx)
	s, err := hub.Open(ctx, v)
	if err != nil {
		t.Fatal(err)
	}
	begin, err := s.Begin(ctx, lastID)
	if err != nil {
		t.Fatal(err)
	}
	ids := idLine.FindAllSubmatch(begin, -1)
	if len(ids) == 0 {
		t.Fatalf("got the first lines %q, want an id", begin)
	}
	c = &streamClient{t: t, lines: make(chan string), ended: make(chan struct{}), id: string(ids[len(ids)-1][1])}
	c.close = func() {
		cancel()
		<-c.ended
		s.Close()
	}
	go func() {
		defer close(c.ended)
		s.Run(ctx, func(lines []byte) error {
			select {
			case c.lines <- string(lines):
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	}()
	t.Cleanup(c.close)
	return c, string(begin)
}

// event decodes an event.
func event(t testing.TB, lines string) (e stream.Event) {
	t.Helper()
	parts := regexp.MustCompile(`^(?s:.*)event: changed\nid: (\S+)\ndata: (.*)\n\n$`).FindStringSubmatch(lines)
	if parts == nil {
		t.Fatalf("got %q, want an event", lines)
	}
	if err := json.Unmarshal([]byte(parts[2]), &e); err != nil {
		t.Fatal(err)
	}
	if e.Revision != parts[1] {
		t.Errorf("got the revision %q, want the id %q", e.Revision, parts[1])
	}
	return e
}

// want fails unless the next event is one of the services.
func (c *streamClient) want(about string, services ...string) (e stream.Event) {
	c.t.Helper()
	select {
	case lines := <-c.lines:
		e = event(c.t, lines)
		c.id = e.Revision
	case <-c.ended:
		c.t.Fatalf("%s: got the end of the stream, want an event", about)
	}
	if !slices.Equal(e.Services, services) {
		c.t.Errorf("%s: got an event of the services %q, want %q", about, e.Services, services)
	}
	return e
}

// wantEnd fails if an event is sent before the end of the stream.
func (c *streamClient) wantEnd(about string) {
	c.t.Helper()
	select {
	case lines := <-c.lines:
		c.t.Errorf("%s: got %q, want the end of the stream", about, lines)
	case <-c.ended:
	}
}

// openStreams opens n streams of v.
func openStreams(t *testing.T, hub *stream.Hub, v svc.Viewer, n int) (list []*stream.Stream) {
	t.Helper()
	for range n {
		s, err := hub.Open(store.WithWriteGuard(t.Context(), func(*store.Tx) error { return nil }), v)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}

// Covers B-104.
func TestOpenStreamsOfAMemberAreLimited(t *testing.T) {
	s, v := worldtest.New(t, "ann", "bea")
	hub := stream.New(s.DB, s.World.Composer, quietIntervals)
	defer hub.Close()
	_, err := hub.Open(t.Context(), svc.Viewer{})
	worldtest.WantError(t, "without a member", err, svc.Unauthenticated)
	open := openStreams(t, hub, v[0], stream.MaxPerMember)
	_, err = hub.Open(t.Context(), v[0])
	worldtest.WantError(t, "one more", err, svc.RateLimited)
	var refused *svc.Error
	if errors.As(err, &refused) && refused.RetryAfter != 30*time.Second {
		t.Errorf("one more: got Retry-After %v, want 30s", refused.RetryAfter)
	}
	openStreams(t, hub, v[1], 1)
	open[0].Close()
	open[0].Close() // the second call changes nothing
	if got := hub.Count(); got != stream.MaxPerMember {
		t.Errorf("after a close: got %d open streams, want %d", got, stream.MaxPerMember)
	}
	openStreams(t, hub, v[0], 1)
	_, err = hub.Open(t.Context(), v[0])
	worldtest.WantError(t, "one more again", err, svc.RateLimited)
}

// Covers B-104.
func TestCloseEndsStreamsAndRefusesNewOnes(t *testing.T) {
	s, v := worldtest.New(t, "ann")
	hub := stream.New(s.DB, s.World.Composer, quietIntervals)
	open, _ := receive(t, t.Context(), hub, v[0], "")
	hub.Close()
	hub.Close()
	open.wantEnd("after the hub was closed")
	_, err := hub.Open(t.Context(), v[0])
	worldtest.WantError(t, "new stream", err, svc.ServiceUnavailable)
	var refused *svc.Error
	if errors.As(err, &refused) && refused.RetryAfter != 5*time.Second {
		t.Errorf("new stream: got Retry-After %v, want 5s", refused.RetryAfter)
	}
}

func TestEventNamesTheChangesOfTheMember(t *testing.T) {
	s, v := worldtest.New(t, "ann", "bea", "cem")
	hub := stream.New(s.DB, s.World.Composer, quietIntervals)
	ann, first := receive(t, t.Context(), hub, v[0], "")
	if want := fmt.Sprintf("retry: 3000\nid: %s\n\n", ann.id); first != want {
		t.Errorf("got the first lines %q, want %q", first, want)
	}
	bea, _ := receive(t, t.Context(), hub, v[1], "")
	cem, _ := receive(t, t.Context(), hub, v[2], "")

	s.CreateTask(v[0], "Taxes")
	if e := ann.want("own task", "time"); !slices.Contains(e.Sections, "objects") || slices.Contains(e.Sections, "member") {
		t.Errorf("own task: got the sections %q, want objects without member", e.Sections)
	}
	s.SendMessage(v[0], v[1], "Hello")
	ann.want("sent message", "messages")
	if e := bea.want("received message", "messages"); strings.Contains(fmt.Sprint(e), "Hello") {
		t.Errorf("received message: got %v, want no content", e)
	}
	s.StartConversation(v[0], "Trip")
	for name, c := range map[string]*streamClient{"ann": ann, "bea": bea, "cem": cem} { // cem has received nothing before
		c.want("conversation, stream of "+name, "social")
	}
}

// Covers B-104.
func TestReconnectSendsAnEventOnlyAfterAChange(t *testing.T) {
	s, v := worldtest.New(t, "ann", "bea")
	hub := stream.New(s.DB, s.World.Composer, quietIntervals)
	before, _ := receive(t, t.Context(), hub, v[0], "")
	before.close()
	if _, first := receive(t, t.Context(), hub, v[0], before.id); strings.Contains(first, "event:") {
		t.Errorf("nothing has changed: got %q, want no event", first)
	}
	s.CreateTask(v[0], "Taxes")
	s.CreateTask(v[0], "Shopping")
	s.SendMessage(v[1], v[0], "Hello")
	_, first := receive(t, t.Context(), hub, v[0], before.id)
	if e := event(t, first); !slices.Equal(e.Services, []string{"time", "messages"}) || strings.Count(first, "event:") != 1 {
		t.Errorf("got %q, want one event of time and messages", first)
	}
	everything := s.World.Everything()
	for name, id := range map[string]string{"no id of this server": "x", "an id of another member": beginID(t, hub, v[1])} {
		_, first := receive(t, t.Context(), hub, v[0], id)
		if e := event(t, first); !slices.Equal(e.Services, everything.Services) || !slices.Equal(e.Sections, everything.Sections) {
			t.Errorf("%s: got the sections %q and services %q, want all", name, e.Sections, e.Services)
		}
	}
}

// beginID returns the first id of a stream of v.
func beginID(t *testing.T, hub *stream.Hub, v svc.Viewer) string {
	c, _ := receive(t, t.Context(), hub, v, "")
	c.close()
	return c.id
}

// Commits of other processes and the passing of time change datasets without a write of
// this process. Covers B-104.
func TestStreamReportsChangesOutsideThisProcess(t *testing.T) {
	s, v := worldtest.New(t, "ann", "bea")
	hub := stream.New(s.DB, s.World.Composer, stream.Intervals{Comment: time.Hour, Pause: time.Millisecond, Poll: time.Millisecond})
	s.SetPresence(v[0], time.Minute)
	s.Dataset(v[0], dataset.Request{Runtime: dataset.GenericRuntime, Params: dataset.DefaultParams()}) // makes the server record the end of the presence
	ann, _ := receive(t, t.Context(), hub, v[0], "")
	s.Clock.Advance(61 * time.Second)
	ann.want("end of a presence", "social")
	other, err := store.Open(t.Context(), s.DB.Path(), store.Options{Clock: s.Clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Write(t.Context(), func(tx *store.Tx) error { return s.Identity.Rename(tx, v[1], "Beatrice") }); err != nil {
		t.Fatal(err)
	}
	if e := ann.want("commit of another process", s.World.Everything().Services...); !slices.Contains(e.Sections, "member") {
		t.Errorf("commit of another process: got the sections %q, want all", e.Sections)
	}
}

// A session that has ended, and a client that does not receive, end the stream. Covers
// B-104.
func TestStreamEndsWithItsSessionAndItsClient(t *testing.T) {
	s, v := worldtest.New(t, "ann")
	hub := stream.New(s.DB, s.World.Composer, quietIntervals)
	var ended atomic.Bool // the stream reads it in its own goroutine
	ctx := store.WithWriteGuard(t.Context(), func(*store.Tx) error {
		if ended.Load() {
			return svc.Errorf(svc.Unauthenticated, "The session has ended.")
		}
		return nil
	})
	open, _ := receive(t, ctx, hub, v[0], "")
	ended.Store(true)
	s.CreateTask(v[0], "Taxes")
	open.wantEnd("after the end of the session")

	failing := openStreams(t, hub, v[0], 1)[0]
	defer failing.Close()
	if _, err := failing.Begin(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	s.CreateTask(v[0], "Shopping")
	sent := 0
	failing.Run(t.Context(), func([]byte) error {
		sent++
		return errors.New("the client has disconnected")
	})
	if sent != 1 {
		t.Errorf("got %d events to a client that has disconnected, want 1", sent)
	}
}
