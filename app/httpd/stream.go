package httpd

import (
	"net/http"

	"appliance/app/limits"
	"appliance/svc"
)

// getStream reports changes of the member's data until the client, the session or the
// server ends. The request has no time limit; each write has one.
func (s *Server) getStream(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	client := s.clientKey(r)
	if !s.openStreams.Add(client) {
		return limits.Unavailable()
	}
	defer s.openStreams.Remove(client)
	stream, err := s.streams.Open(r.Context(), v)
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
	setPrivate(h)
	if r.Method == http.MethodHead {
		return nil
	}
	send := newStreamWriter(w)
	if send(lines) == nil {
		stream.Run(r.Context(), send)
	}
	return nil // the response has begun: an error can only end it
}
