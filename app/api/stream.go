package api

import (
	"net/http"
	"time"

	"appliance/app/httpd"
	"appliance/app/limits"
	"appliance/svc"
)

// lastEventID is the header in which a client that connects again names the last event that
// it has received (HTML, "Server-sent events").
var lastEventID = parameter{"Last-Event-ID", "header", stringSchema, "Id of the last event that the client has received.", false}

// getStream reports changes of the member's data until the client, the session or the
// server ends. The request has no time limit; each write has one.
func (s *Server) getStream(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	client := s.ClientKey(r)
	if !s.openStreams.Add(client) {
		return limits.Unavailable()
	}
	defer s.openStreams.Remove(client)
	stream, err := s.Streams.Open(r.Context(), v)
	if err != nil {
		return err
	}
	defer stream.Close()
	lines, err := stream.Begin(r.Context(), r.Header.Get("Last-Event-ID"))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // nginx buffers responses by default
	httpd.SetPrivate(h)
	if r.Method == http.MethodHead {
		return nil
	}
	send := newStreamWriter(w)
	if send(lines) == nil {
		stream.Run(r.Context(), send)
	}
	return nil // the response has begun: an error can only end it
}

// streamWriteTime limits the time of one write to a stream. A client that does not read is
// disconnected.
const streamWriteTime = 10 * time.Second

// newStreamWriter returns a function that sends lines of a stream at once. Between two
// calls, no deadline of the server ends the request.
func newStreamWriter(w http.ResponseWriter) func([]byte) error {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Time{}) // the request has been read; not supported by recorders in tests
	return func(lines []byte) error {
		_ = conn.SetWriteDeadline(time.Now().Add(streamWriteTime))
		if _, err := w.Write(lines); err != nil {
			return err
		}
		if err := conn.Flush(); err != nil {
			return err
		}
		_ = conn.SetWriteDeadline(time.Time{})
		return nil
	}
}
