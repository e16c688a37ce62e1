package harness

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

var streamChecks = []check{
	{"B-104", "the session and the dataset offer the same stream", func(c *client, rec *recorder) {
		if url, ok := c.streamURL(rec); ok {
			d, _ := c.dataset(rec)
			rec.checkString(d.at("capabilities.stream.url"), url)
			rec.checkWorldURL(d.at("capabilities.stream.url"))
		}
	}},
	{"B-104 B-102", "the stream opens with the headers of an event stream", func(c *client, rec *recorder) {
		s, ok := c.openStream(rec, "")
		if !ok {
			return
		}
		defer s.close()
		for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "private, no-store", "X-Accel-Buffering": "no", "Content-Encoding": ""} {
			if got, _, _ := strings.Cut(s.header.Get(name), ";"); got != want {
				rec.addProblem("%s: got the header %s %q, want %q", s.path, name, got, want)
			}
		}
	}},
	{"B-104", "an unknown Last-Event-ID gets one event with all sections", func(c *client, rec *recorder) {
		if s, ok := c.openStream(rec, "harness"); ok {
			defer s.close()
			c.checkEvent(rec, s.path, s.nextEvent())
		}
	}},
	{"B-104", "a known Last-Event-ID gets no event while nothing changes", func(c *client, rec *recorder) {
		s, ok := c.openStream(rec, "harness")
		if !ok {
			return
		}
		event := s.nextEvent()
		s.close()
		for range maxComparisons { // the data may change between the reads
			if event["id"] == "" {
				rec.addProblem("%s: got no event with an id, want one", s.path)
				return
			}
			again, opened := c.openStream(rec, event["id"])
			if !opened {
				return
			}
			event = again.nextEventWithin(quietTime)
			again.close()
			if event == nil {
				return
			}
		}
		rec.addProblem("%s: %d times in succession, a known Last-Event-ID got an event", s.path, maxComparisons)
	}},
	{"B-104", "the stream requires a token", func(c *client, rec *recorder) {
		if url, ok := c.streamURL(rec); ok {
			c.do(request{path: url, unauthenticated: true}).checkError(rec, 401)
		}
	}},
}

// streamURL returns the URL of the stream that the session offers.
func (c *client) streamURL(rec *recorder) (url string, ok bool) {
	s, ok := c.session(rec)
	if !ok {
		return "", false
	}
	v := s.at("capabilities.stream.url")
	if !v.is("text") {
		rec.addUnexpected(v, "the URL of the stream")
		return "", false
	}
	return v.str(), true
}

// eventStream is an open stream of server-sent events.
type eventStream struct {
	path   string
	header http.Header
	lines  *bufio.Scanner
	cancel context.CancelFunc // ends reading
	close  func()
}

const (
	maxLine       = 64 << 10               // bytes of a line of a stream
	streamTimeout = 10 * time.Second       // for the headers and the first event of a stream
	quietTime     = 250 * time.Millisecond // after the headers; the event of a Last-Event-ID comes at once, or not at all
)

// isEventStream reports whether a response is a stream of server-sent events, which has
// no end.
func isEventStream(header http.Header) bool {
	return strings.HasPrefix(header.Get("Content-Type"), "text/event-stream")
}

// openStream opens the stream of the member. lastID is the header Last-Event-ID, "" for
// none. The caller must close the stream.
func (c *client) openStream(rec *recorder, lastID string) (s *eventStream, ok bool) {
	path, ok := c.streamURL(rec)
	if !ok {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(c.ctx, streamTimeout)
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.String()+path, nil)
	if err != nil {
		cancel()
		rec.addProblem("GET %s: %v", path, err)
		return nil, false
	}
	header := map[string]string{"Accept": "text/event-stream", "X-Service-Runtime": "", "Accept-Encoding": "gzip"}
	if lastID != "" {
		header["Last-Event-ID"] = lastID
	}
	c.setHeaders(q, request{header: header})
	c.sent++
	resp, err := c.http.Do(q)
	if err != nil {
		cancel()
		rec.addProblem("GET %s: %v", path, withoutURL(err))
		return nil, false
	}
	s = &eventStream{path: "GET " + path, header: resp.Header, lines: newLines(resp.Body), cancel: cancel, close: func() { cancel(); resp.Body.Close() }}
	if resp.StatusCode != http.StatusOK {
		s.close()
		rec.addProblem("GET %s: got status %d, want 200", path, resp.StatusCode)
		return nil, false
	}
	return s, true
}

// newLines returns the lines of a stream, within limits.
func newLines(r io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(io.LimitReader(r, maxResponse))
	lines.Buffer(nil, maxLine)
	return lines
}

// nextEvent returns the fields of the next event, or nil if the stream ends before it.
// Comments, and lines without data that only set the id, are no events.
func (s *eventStream) nextEvent() map[string]string {
	fields := make(map[string]string)
	for s.lines.Scan() {
		if line := s.lines.Text(); line != "" {
			name, text, _ := strings.Cut(line, ":")
			fields[name] = strings.TrimPrefix(text, " ")
			continue
		}
		if fields["data"] != "" {
			return fields
		}
		clear(fields)
	}
	return nil
}

// nextEventWithin is like nextEvent, and also returns nil if no event comes within d. The
// stream cannot be read afterwards.
func (s *eventStream) nextEventWithin(d time.Duration) map[string]string {
	timer := time.AfterFunc(d, s.cancel)
	defer timer.Stop()
	return s.nextEvent()
}

// checkEvent checks an event, which must name all sections.
func (c *client) checkEvent(rec *recorder, path string, fields map[string]string) {
	if fields["event"] != "changed" || fields["id"] == "" {
		rec.addProblem("%s: got the event %q with the id %q, want changed with an id", path, fields["event"], fields["id"])
		return
	}
	data := value{path: path + ": data:"}
	var err error
	if data.v, err = decode([]byte(fields["data"])); err != nil {
		rec.addProblem("%s: %v", path, err)
		return
	}
	c.checkSchema(rec, data, "service.world.stream_event", 1)
	rec.checkShape(data, "revision text", "sections array", "services array")
	rec.checkString(data.at("revision"), fields["id"])
	var sections []string
	for _, v := range data.at("sections").list() {
		sections = append(sections, v.str())
	}
	for _, section := range []string{"member", "workspace", "objects", "contexts", "actions", "field", "findings"} {
		if !slices.Contains(sections, section) {
			rec.addProblem("%s: the section %s is missing", data.at("sections").path, section)
		}
	}
}
