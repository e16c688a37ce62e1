package harness

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
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
		for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no", "Content-Encoding": ""} {
			if got, _, _ := strings.Cut(s.header.Get(name), ";"); got != want {
				rec.addProblem("%s: got the header %s %q, want %q", s.path, name, got, want)
			}
		}
	}},
	{"B-104", "an unknown Last-Event-ID gets one event with all sections", func(c *client, rec *recorder) {
		if s, ok := c.openStream(rec, "harness"); ok {
			defer s.close()
			c.checkEvent(rec, s)
		}
	}},
	{"B-104", "a known Last-Event-ID gets no event while nothing changes", func(c *client, rec *recorder) {
		s, ok := c.openStream(rec, "harness")
		if !ok {
			return
		}
		id, ok := c.checkEvent(rec, s)
		s.close()
		for range maxComparisons { // something may change meanwhile
			if !ok {
				return
			}
			again, opened := c.openStream(rec, id)
			if !opened {
				return
			}
			first := again.next()
			again.close()
			if first["event"] == "" {
				return
			}
			id = first["id"]
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
	close  func()
}

// maxLine limits a line of a stream, in bytes.
const maxLine = 64 << 10

// openStream opens the stream of the member. lastID is the header Last-Event-ID, "" for
// none. The caller must close the stream.
func (c *client) openStream(rec *recorder, lastID string) (s *eventStream, ok bool) {
	path, ok := c.streamURL(rec)
	if !ok {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(c.ctx, responseTimeout)
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
	s = &eventStream{path: "GET " + path, header: resp.Header, lines: bufio.NewScanner(io.LimitReader(resp.Body, maxResponse)), close: func() { cancel(); resp.Body.Close() }}
	s.lines.Buffer(nil, maxLine)
	if resp.StatusCode != http.StatusOK {
		s.close()
		rec.addProblem("GET %s: got status %d, want 200", path, resp.StatusCode)
		return nil, false
	}
	return s, true
}

// next returns the fields of the next lines up to an empty one.
func (s *eventStream) next() map[string]string {
	fields := make(map[string]string)
	for s.lines.Scan() && s.lines.Text() != "" {
		name, text, _ := strings.Cut(s.lines.Text(), ":")
		fields[name] = strings.TrimPrefix(text, " ")
	}
	return fields
}

// checkEvent checks the first event of a stream, which must name all sections, and
// returns its id.
func (c *client) checkEvent(rec *recorder, s *eventStream) (id string, ok bool) {
	fields := s.next()
	if fields["data"] == "" { // lines with the id only may come first
		fields = s.next()
	}
	if fields["event"] != "changed" || fields["id"] == "" {
		rec.addProblem("%s: got the event %q with the id %q, want changed with an id", s.path, fields["event"], fields["id"])
		return "", false
	}
	data := value{path: s.path + ": data:"}
	var err error
	if data.v, err = decode([]byte(fields["data"])); err != nil {
		rec.addProblem("%s: %v", s.path, err)
		return "", false
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
	return fields["id"], true
}
