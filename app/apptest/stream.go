package apptest

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"appliance/world/stream"
)

// Stream is an open stream of changes.
type Stream struct {
	client   *Client
	response *http.Response
	lines    *bufio.Reader
	LastID   string // last id in the stream
	Comments int    // number of comments
}

// OpenStream opens the stream of the member and reads its first lines. lastID is the id
// of the last event that the client has received, "" for none.
func (c *Client) OpenStream(lastID string) *Stream {
	c.T.Helper()
	s, resp := c.TryStream(lastID)
	if s == nil {
		b, _ := io.ReadAll(resp.Body)
		c.T.Fatalf("%s: GET /world/stream: got status %d %s, want 200", c.Name, resp.StatusCode, b)
	}
	return s
}

// TryStream is like OpenStream, but returns nil and the response if the stream is
// refused. The stream is closed at the end of the test.
func (c *Client) TryStream(lastID string) (*Stream, *http.Response) {
	c.T.Helper()
	r, err := http.NewRequest("GET", c.URL+"/world/stream", nil)
	if err != nil {
		c.T.Fatal(err)
	}
	for name, value := range c.Headers {
		r.Header.Set(name, value)
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	resp, err := c.HTTP.Do(r)
	if err != nil {
		c.T.Fatal(err)
	}
	c.T.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		return nil, resp
	}
	s := &Stream{client: c, response: resp, lines: bufio.NewReader(resp.Body)}
	if block, err := s.readBlock(); err != nil || block["retry"] == "" || block["id"] == "" || block["data"] != "" {
		c.T.Fatalf("%s: beginning of the stream: got %q, %v, want retry and id only", c.Name, block, err)
	}
	return s, resp
}

// Header returns the header of the response.
func (s *Stream) Header() http.Header { return s.response.Header }

// Close closes the connection.
func (s *Stream) Close() { s.response.Body.Close() }

// readBlock reads the lines up to the next empty line, and returns the fields in them.
func (s *Stream) readBlock() (fields map[string]string, err error) {
	fields = make(map[string]string)
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "":
			if id := fields["id"]; id != "" {
				s.LastID = id
			}
			return fields, nil
		case name == "":
			s.Comments++
		default:
			fields[name] = strings.TrimPrefix(value, " ")
		}
	}
}

// Next waits for the next event. It returns an error when the stream ends: io.EOF if the
// server has ended it.
func (s *Stream) Next() (e stream.Event, err error) {
	for {
		block, err := s.readBlock()
		if err != nil {
			return e, err
		}
		if len(block) == 0 {
			continue // a comment
		}
		if block["event"] != "changed" || block["id"] == "" {
			s.client.T.Errorf("%s: got the event %q, want one with the name changed and an id", s.client.Name, block)
		}
		if err := json.Unmarshal([]byte(block["data"]), &e); err != nil || e.Revision != block["id"] {
			s.client.T.Errorf("%s: got the event %q, %v, want JSON data whose revision is the id", s.client.Name, block, err)
		}
		return e, nil
	}
}

// WantEvent waits for the next event, which must name the services, and returns it.
func (s *Stream) WantEvent(services ...string) stream.Event {
	s.client.T.Helper()
	e, err := s.Next()
	if err != nil {
		s.client.T.Fatalf("%s: got the end of the stream, %v, want an event of %q", s.client.Name, err, services)
	}
	for _, service := range services {
		if !slices.Contains(e.Services, service) {
			s.client.T.Errorf("%s: got an event of the services %q, want %q among them", s.client.Name, e.Services, service)
		}
	}
	return e
}

// WantEnd waits for the end of the stream without another event.
func (s *Stream) WantEnd() {
	s.client.T.Helper()
	if e, err := s.Next(); err != io.EOF {
		s.client.T.Errorf("%s: got the event %+v, %v, want the end of the stream", s.client.Name, e, err)
	}
}
