package world

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// scriptedServer responds to a runtime with one dataset and, to each request for the
// stream, with the next function of a list. It ends the session after the last one, and
// after a number of reads.
type scriptedServer struct {
	mu       sync.Mutex
	dataset  string
	streams  []http.HandlerFunc
	reads    int // requests for the dataset
	maxReads int
}

func (s *scriptedServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := refuse(http.StatusUnauthorized, "0")
	switch {
	case r.URL.Path == "/world/session":
		answer = respond(`{"capabilities": {"base_path": ""}, "services": []}`)
	case r.URL.Path == "/world/stream" && len(s.streams) > 0:
		answer, s.streams = s.streams[0], s.streams[1:]
	case r.URL.Path == "/world/runtime" && s.reads < s.maxReads:
		s.reads++
		answer = respond(s.dataset)
	}
	w.Header().Set("Content-Type", "application/json")
	answer(w, r)
}

// respond responds with JSON.
func respond(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) }
}

// refuse responds with an error.
func refuse(status int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", retryAfter)
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error": {"code": "test", "message": "Status %d."}}`, status)
	}
}

// follow runs the example runtime until its session has ended, and returns how often it
// read the dataset.
func (s *scriptedServer) follow(t *testing.T, capabilities string) int {
	t.Helper()
	s.dataset = `{"member": {"display_name": "Ann"}, "objects": [], "capabilities": ` + capabilities + `}`
	server := httptest.NewServer(s)
	defer server.Close()
	r := startRuntime(t, server.URL, "token", "POLL_SECONDS=0.01")
	r.wantGreeting()
	for {
		if _, err := r.output.ReadString('\n'); err != nil {
			break
		}
	}
	if got := <-r.problem; got != "Status 401." {
		t.Errorf("got the last message %q, want the reason", got)
	}
	return s.reads
}

// The example runtime reads events however they are divided into lines and packets, sends
// the id of the latest one when it connects again, and waits when it is refused. It polls
// while there are too many streams. Covers B-104.
func TestNodeRuntimeConnectsAgain(t *testing.T) {
	var ids []string
	send := func(packets ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			ids = append(ids, r.Header.Get("Last-Event-ID"))
			if r.Header.Get("Authorization") != "Bearer token" || r.Header.Get("Accept") != "text/event-stream" {
				t.Errorf("got the headers %v, want the token and the type of a stream", r.Header)
			}
			w.Header().Set("Content-Type", "text/event-stream")
			for _, p := range packets {
				_, _ = w.Write([]byte(p))
				_ = http.NewResponseController(w).Flush()
			}
		}
	}
	event := `data: {"sections": ["objects"], "services": []}`
	s := &scriptedServer{maxReads: 100, streams: []http.HandlerFunc{
		send("retry: 10\nid: one\n\n"),
		send("retry: 10\nid: one\n\n:\n\n", "event: chan", "ged\r", "\nid: two\r\n"+event+"\r\n\r\n"),
		refuse(503, "0"),
		send("id: three\n\nevent: other\n" + event + "\n\nevent: changed\nid: lost\n" + event + "\n"), // the last event is incomplete
		refuse(429, "0"),
		send("event: changed\nid: four\ndata: {\"sections\": [],\ndata: \"services\": [\"time\"]}\n\n"),
		send(),
	}}
	reads := s.follow(t, `{"stream": {"url": "/world/stream"}, "changes": {"url": "/world/runtime?since=x"}}`)
	if got, want := strings.Join(ids, " "), " one two three four"; got != want {
		t.Errorf("got the ids of the latest events %q, want %q", got, want)
	}
	// The runtime reads at the start, with the first stream, for the event with a section, and in
	// place of the refused stream.
	if reads != 4 {
		t.Errorf("got %d reads of the dataset, want 4", reads)
	}
}

// Without a stream, the example runtime polls.
func TestNodeRuntimePollsWithoutAStream(t *testing.T) {
	s := &scriptedServer{maxReads: 5}
	if got := s.follow(t, `{"changes": {"url": "/world/runtime?since=x"}}`); got != 5 {
		t.Errorf("got %d reads of the dataset, want 5", got)
	}
}
