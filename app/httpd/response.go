package httpd

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"appliance/svc"
)

// discardWriter is an [http.ResponseWriter] that discards the response.
type discardWriter struct{ header http.Header }

func (d discardWriter) Header() http.Header       { return d.header }
func (discardWriter) Write(b []byte) (int, error) { return len(b), nil }
func (discardWriter) WriteHeader(int)             {}

// response is an [http.ResponseWriter] that records the status and size of the
// response and extends the write deadline.
type response struct {
	http.ResponseWriter
	id      string
	status  int // 0 while nothing is written
	bytes   int
	onStart []func() // called once when the response starts

	onComputed []func() // called once when the response has been computed and, if it is compressed, encoded

	body      *pacedBody // of the request; nil for none
	readsRest bool       // see ReadRestAfterErrors

	compression compression
}

// callOnStart calls the functions in onStart once.
func (w *response) callOnStart() {
	for _, f := range w.onStart {
		f()
	}
	w.onStart = nil
}

// callOnComputed calls the functions in onComputed once.
func (w *response) callOnComputed() {
	for _, f := range w.onComputed {
		f()
	}
	w.onComputed = nil
}

// releaseAtStart calls release when the response starts: by then everything has been
// read, and the client may be slow.
func releaseAtStart(w http.ResponseWriter, release func()) {
	if out, ok := w.(*response); ok {
		out.onStart = append(out.onStart, release)
	}
}

// EndRead releases the read slot before the response starts, for a request that then
// waits for another server. The caller must not read from the database afterwards.
func EndRead(w http.ResponseWriter) {
	if out, ok := w.(*response); ok {
		out.callOnStart()
	}
}

// ReadRestAfterErrors makes an error response wait for the rest of the request body. It is
// called once the client is authenticated.
func ReadRestAfterErrors(w http.ResponseWriter) {
	if out, ok := w.(*response); ok {
		out.readsRest = true
	}
}

func (w *response) WriteHeader(status int) {
	w.callOnStart()
	if w.status == 0 && status >= http.StatusBadRequest && w.readsRest {
		w.body.readRest()
	}
	if w.status == 0 {
		w.status = status
		w.compression.begin(status, w.Header())
	}
	if w.compression.gzip == nil {
		w.callOnComputed()
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *response) Write(b []byte) (written int, err error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.compression.gzip != nil {
		return w.compression.Write(b)
	}
	return w.send(b)
}

// finish sends a compressed response.
func (w *response) finish() {
	c := &w.compression
	if c.gzip == nil {
		return
	}
	if err := c.end(); err != nil {
		panic(http.ErrAbortHandler) // nothing has been sent
	}
	w.Header().Set("Content-Length", strconv.FormatInt(c.body.Len(), 10))
	w.ResponseWriter.WriteHeader(w.status)
	_, _ = c.body.WriteTo(sender{w}) // fails if the client has disconnected
}

// discard releases the resources of a compressed response.
func (w *response) discard() { _ = w.compression.body.Close() }

// sender is an [io.Writer] that sends to the client.
type sender struct{ w *response }

func (s sender) Write(b []byte) (int, error) { return s.w.send(b) }

// send sends b to the client and extends the write deadline.
func (w *response) send(b []byte) (written int, err error) {
	for len(b) > 0 && err == nil {
		var n int
		n, err = w.ResponseWriter.Write(b[:min(len(b), deadlineBytes-w.bytes%deadlineBytes)])
		b, w.bytes, written = b[n:], w.bytes+n, written+n
		if w.bytes%deadlineBytes == 0 {
			_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(sendTimeout)) // a discardWriter has no deadline
		}
	}
	return written, err
}

func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteJSON responds with a status and v as JSON. If v cannot be encoded, it returns an error
// and writes nothing.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := svc.EncodeJSON(v)
	if err != nil {
		return fmt.Errorf("encoding the response: %w", err)
	}
	return WriteBody(w, status, body)
}

// WriteBody responds with a status and a body of encoded JSON. The error is always nil: if the
// client has disconnected, the response is lost.
func WriteBody(w http.ResponseWriter, status int, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	SetPrivate(h)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails if the client has disconnected
	return nil
}

// Redirect redirects to a path of this server. The redirect is relative, so
// that the browser keeps the host name of its address.
func (s *Server) Redirect(w http.ResponseWriter, r *http.Request, to string) {
	SetPrivate(w.Header())
	http.Redirect(w, r, s.settings.URL().Path+to, http.StatusSeeOther)
}

// SetPrivate sets headers that keep the response of one member out of shared
// caches.
func SetPrivate(h http.Header) {
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-store")
	}
	h.Set("Vary", "Cookie, Authorization, X-Service-Runtime")
}
