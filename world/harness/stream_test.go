package harness

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

// streamWorld is a World whose only output is a session that offers a stream. A stream
// does not end after its first lines.
type streamWorld struct {
	open func(*http.Request) (status int, lines string)
}

func (w streamWorld) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/world/stream" {
		body := `{"capabilities": {"stream": {"url": "/world/stream"}}}`
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
	}
	status, lines := w.open(r)
	header := http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"private, no-store"}, "X-Accel-Buffering": {"no"}}
	if status == 401 {
		header.Set("Content-Type", "application/json")
		return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(lines)), Request: r}, nil
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(io.MultiReader(strings.NewReader(lines), endlessReader{r.Context()})), Request: r}, nil
}

// endlessReader blocks until the request ends.
type endlessReader struct{ ctx context.Context }

func (e endlessReader) Read([]byte) (int, error) {
	<-e.ctx.Done()
	return 0, e.ctx.Err()
}

const (
	streamHead  = "retry: 3000\nid: 1\n\n"
	streamEvent = "event: changed\nid: 2\ndata: " + `{"revision": "2", "sections": ["member", "workspace", "objects", "contexts", "actions", "field", "findings"], "services": []}` + "\n\n"
)

// conformingStream opens a stream that meets B-104.
func conformingStream(r *http.Request) (status int, lines string) {
	switch {
	case r.Header.Get("Authorization") == "":
		return 401, `{"error": {"code": "unauthenticated"}}`
	case r.Header.Get("Last-Event-ID") == "" || r.Header.Get("Last-Event-ID") == "2":
		return 200, streamHead
	}
	return 200, streamHead + streamEvent
}

// The checks of the stream report each violation, and stop reading a stream at the
// time limit. Covers B-104.
func TestStreamChecks(t *testing.T) {
	const (
		known   = "a known Last-Event-ID gets no event while nothing changes"
		unknown = "an unknown Last-Event-ID gets one event with all sections"
		token   = "the stream requires a token"
	)
	for _, c := range []struct {
		name    string
		open    func(*http.Request) (int, string)
		failed  []string
		longest time.Duration
	}{
		{"a conforming stream", conformingStream, nil, quietTime},
		{"known ids are unknown", func(r *http.Request) (int, string) {
			if r.Header.Get("Last-Event-ID") != "" {
				r.Header.Set("Last-Event-ID", "forgotten")
			}
			return conformingStream(r)
		}, []string{known}, 0},
		{"one change meanwhile", func() func(r *http.Request) (int, string) {
			changes := 0
			return func(r *http.Request) (int, string) {
				if r.Header.Get("Last-Event-ID") == "2" && changes == 0 {
					changes++
					return 200, streamHead + streamEvent
				}
				return conformingStream(r)
			}
		}(), nil, quietTime},
		{"an event without a section", func(r *http.Request) (int, string) {
			status, lines := conformingStream(r)
			return status, strings.Replace(lines, `"field", `, "", 1)
		}, []string{unknown}, quietTime},
		{"an event without an id", func(r *http.Request) (int, string) {
			status, lines := conformingStream(r)
			return status, strings.Replace(lines, "id: 2\n", "", 1)
		}, []string{known, unknown}, 0},
		{"no event", func(r *http.Request) (int, string) {
			r.Header.Del("Last-Event-ID")
			return conformingStream(r)
		}, []string{known, unknown}, 2 * streamTimeout},
		{"comments only", func(r *http.Request) (int, string) {
			status, lines := conformingStream(r)
			if status == 200 {
				lines = ":\n\n:\n\n"
			}
			return status, lines
		}, []string{known, unknown}, 2 * streamTimeout},
		{"no token is needed", func(r *http.Request) (int, string) {
			r.Header.Set("Authorization", "Bearer x")
			return conformingStream(r)
		}, []string{token}, quietTime},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				schemas := fstest.MapFS{"schema/service.world.stream_event.1.json": {Data: []byte(`{"type": "object"}`)}}
				client := newClient(t.Context(), &url.URL{Scheme: "http", Host: "home.example.org"}, Options{Token: "the token of a member", Schemas: schemas})
				client.http.Transport = streamWorld{c.open}
				started := time.Now()
				var failed []string
				for _, check := range streamChecks[1:] { // the first one compares the session with a dataset
					r := client.result(check)
					if r.State != Passed {
						failed = append(failed, r.Name)
					}
				}
				slices.Sort(failed)
				if !slices.Equal(failed, c.failed) {
					t.Errorf("got the failed checks %q, want %q", failed, c.failed)
				}
				if took := time.Since(started); took > c.longest {
					t.Errorf("took %v, want at most %v", took, c.longest)
				}
				for _, a := range client.responses { // the checks of all responses read them
					if a.status == 0 {
						t.Errorf("%s: got %v, want a response", a, a.err)
					}
				}
			})
		})
	}
}

// For all lines, an event has data, and reading ends.
func FuzzNextEvent(f *testing.F) {
	f.Add("")
	f.Add(streamHead)
	f.Add(streamHead + streamEvent)
	f.Add(":\n\nevent: changed\r\ndata:x\r\n\r\n")
	f.Add("data\ndata: \n\ndata: unfinished")
	f.Fuzz(func(t *testing.T, text string) {
		s := &eventStream{lines: newLines(strings.NewReader(text))}
		for events := 0; ; events++ {
			event := s.nextEvent()
			if event == nil {
				return
			}
			if event["data"] == "" || events > len(text) {
				t.Fatalf("got the event %q after %d others, want data", event, events)
			}
		}
	})
}
