package httpd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
)

// requestTimeout limits the work for one request, including waiting.
const requestTimeout = 60 * time.Second

// A client has sendTimeout to read each deadlineBytes bytes of a response. A slow
// client gets all of a large response, and a client that does not read is
// disconnected.
const (
	sendTimeout   = 2 * requestTimeout
	deadlineBytes = 256 << 10
)

// handler handles a request on behalf of v. It either writes a response and
// returns nil, or writes nothing and returns an error.
type handler func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w := &response{ResponseWriter: out, id: svc.NewID("req")}
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	started := s.db.Now()
	defer func() {
		w.started() // in case nothing was written
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.writeError(w, r, svc.Viewer{}, fmt.Errorf("panic: %v\n%s", v, store.PanicStack(v)))
		}
		s.log.Debug("request", "id", w.id, "method", loggedMethod(r), "route", r.Pattern, "status", w.status,
			"bytes", w.bytes, "took", s.db.Now().Sub(started))
	}()
	h := w.Header()
	h.Set("X-Request-Id", w.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // replaced for pages
	if s.settings.Secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if !s.stripBasePath(r) {
		s.writeError(w, r, svc.Viewer{}, errNotFound)
		return
	}
	if s.proxies.Unnamed(r) {
		if s.unnamedProxy.Allow(s.db.Now()) {
			s.log.Warn("a proxy on this machine forwards requests but is not named in trusted-proxies: all its clients count as one address")
		}
	}
	overrideMethod(r)
	s.dispatch(w, r)
}

// overrideMethod sets the method to PATCH or DELETE if the field _method of an
// HTML form, which can only POST, says so. Only the beginning of the body is
// read, because the client is not authenticated yet.
func overrideMethod(r *http.Request) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/world/") || kind != "application/x-www-form-urlencoded" {
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxUnauthenticatedBody))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(body), r.Body), r.Body}
	if err != nil {
		return // decoding reports the error
	}
	values, _ := url.ParseQuery(string(body)) // decoding reports errors
	switch method := values.Get("_method"); method {
	case http.MethodPatch, http.MethodDelete:
		r.Method = method
	}
}

var errNotFound = svc.Errorf(svc.NotFound, "There is nothing at this address.")

// stripBasePath removes the path of base-url from the path of the request. It
// reports false for other paths and for paths that are not clean; the server
// does not redirect to clean paths.
func (s *Server) stripBasePath(r *http.Request) bool {
	rest, ok := strings.CutPrefix(r.URL.Path, s.settings.URL().Path)
	if !ok || rest == "" || rest[0] != '/' {
		return false
	}
	if clean := path.Clean(rest); clean != rest && clean+"/" != rest {
		return false
	}
	if r.URL.RawPath != "" {
		r.URL.RawPath = strings.TrimPrefix(r.URL.RawPath, s.settings.URL().Path)
	}
	r.URL.Path = rest
	return true
}

// dispatch serves the route of the request. It replaces the responses of the mux
// itself (404, 405) by errors in the format of the API.
func (s *Server) dispatch(w *response, r *http.Request) {
	own, pattern := s.mux.Handler(r)
	if pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	probe := &response{ResponseWriter: discard{make(http.Header)}}
	own.ServeHTTP(probe, r)
	if allow := probe.Header().Get("Allow"); allow != "" {
		s.writeError(w, r, svc.Viewer{}, methodNotAllowed(allow)(w, r, svc.Viewer{}))
		return
	}
	s.writeError(w, r, svc.Viewer{}, errNotFound)
}

// methodNotAllowed returns a handler for the methods that a path does not have.
func methodNotAllowed(allow string) handler {
	return func(w http.ResponseWriter, _ *http.Request, _ svc.Viewer) error {
		w.Header().Set("Allow", allow)
		return svc.Errorf(svc.MethodNotAllowed, "This address accepts %s.", allow)
	}
}

// discard is an [http.ResponseWriter] that discards the response.
type discard struct{ header http.Header }

func (d discard) Header() http.Header       { return d.header }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

// response is an [http.ResponseWriter] that records the status and size of the
// response and extends the write deadline.
type response struct {
	http.ResponseWriter
	id      string
	status  int // 0 while nothing is written
	bytes   int
	onStart func() // called once when the response starts; may be nil
}

// started calls onStart once.
func (w *response) started() {
	if w.onStart != nil {
		w.onStart()
		w.onStart = nil
	}
}

func (w *response) WriteHeader(status int) {
	w.started()
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(b []byte) (written int, err error) {
	w.started()
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for len(b) > 0 && err == nil {
		var n int
		n, err = w.ResponseWriter.Write(b[:min(len(b), deadlineBytes-w.bytes%deadlineBytes)])
		b, w.bytes, written = b[n:], w.bytes+n, written+n
		if w.bytes%deadlineBytes == 0 {
			_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(sendTimeout)) // discard does not support it
		}
	}
	return written, err
}

func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// serve returns the [http.Handler] of a route: it authorizes the request, limits
// concurrent reads, calls the handler of the route, and turns its error into a
// response and a log line.
func (s *Server) serve(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limitBody(rt, r)
		c, err := s.authorize(rt, r)
		if err == nil {
			err = s.limitReads(w, r, c.Viewer)
		}
		if err == nil {
			err = rt.handle(w, s.withWriteGuard(c, r), c.Viewer)
		}
		if err == nil {
			return
		}
		if rt.page {
			s.writeErrorPage(w, r, c.Viewer, err)
			return
		}
		s.writeError(w, r, c.Viewer, err)
	})
}

// readsRunning and readsWaiting limit the concurrent reads of one member, and
// the reads of calendar feeds from one address. There are more database
// connections than readsRunning, so one member cannot delay the others.
const (
	readsRunning = 2
	readsWaiting = 64
)

// limitReads waits until v may read. Requests that write do not wait.
func (s *Server) limitReads(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if v.Member() == 0 {
		return nil
	}
	return s.limitReadsBy(w, r, v.String())
}

// limitReadsBy is limitReads by another key.
func (s *Server) limitReadsBy(w http.ResponseWriter, r *http.Request, key string) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, "PROPFIND", "REPORT":
		return s.acquireRead(w, r, key)
	}
	return nil
}

// acquireRead waits until a request with the key may read. The slot is released
// when the response starts: by then everything has been read, and the client may
// be slow.
func (s *Server) acquireRead(w http.ResponseWriter, r *http.Request, key string) error {
	out, ok := w.(*response)
	if !ok {
		return nil
	}
	release, err := s.reads.Acquire(r.Context(), key)
	if err == nil {
		out.onStart = release
	}
	return err
}

// status maps error kinds to HTTP statuses. Only this package uses HTTP statuses.
var status = map[svc.Kind]int{
	svc.Internal:        http.StatusInternalServerError,
	svc.Malformed:       http.StatusBadRequest,
	svc.Unprocessable:   http.StatusUnprocessableEntity,
	svc.Anonymous:       http.StatusUnauthorized,
	svc.Forbidden:       http.StatusForbidden,
	svc.Missing:         http.StatusNotFound,
	svc.Conflict:        http.StatusConflict,
	svc.Stale:           http.StatusPreconditionFailed,
	svc.TooLarge:        http.StatusRequestEntityTooLarge,
	svc.OverQuota:       http.StatusUnprocessableEntity, // not 507, which tells clients that the server is broken
	svc.UnknownMedia:    http.StatusUnsupportedMediaType,
	svc.WrongMethod:     http.StatusMethodNotAllowed,
	svc.TooMany:         http.StatusTooManyRequests,
	svc.UpstreamFailure: http.StatusFailedDependency,
	svc.Unavailable:     http.StatusServiceUnavailable,
}

// report returns the public error of err, logs err, and sets the headers of the
// error response.
func (s *Server) report(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) *svc.Error {
	e := publicError(err)
	level := slog.LevelInfo
	switch {
	case r.Context().Err() == context.Canceled: // the client has disconnected
		level = slog.LevelDebug
	case status[e.Code.Kind] >= 500:
		level = slog.LevelError
	case e.Code == svc.Unauthenticated && hasNoCredentials(r): // clients send the first request without credentials
		level = slog.LevelDebug
	}
	attrs := []any{
		"id", w.Header().Get("X-Request-Id"), "method", loggedMethod(r), "route", r.Pattern, "viewer", v.String(), "code", e.Code.Name,
	}
	if level == slog.LevelError { // other errors may quote content of members
		attrs = append(attrs, "err", err)
	}
	s.log.Log(r.Context(), level, "request failed", attrs...)
	if e.Code.Kind == svc.Anonymous {
		w.Header().Set("WWW-Authenticate", `Bearer realm="world"`)
	}
	if e.RetryAfter > 0 {
		seconds := strconv.Itoa(int((e.RetryAfter + time.Second - 1) / time.Second))
		w.Header().Set("Retry-After", seconds)
		if e.Code.Kind == svc.TooMany {
			w.Header().Set("RateLimit", `"default";r=0;t=`+seconds)
		}
	}
	return e
}

// loggedMethod returns the method for the log. The client chooses it, and may
// choose 60,000 characters.
func loggedMethod(r *http.Request) string { return r.Method[:min(len(r.Method), 16)] }

// publicError returns the error that the client may see.
func publicError(err error) *svc.Error {
	var e *svc.Error
	switch {
	case errors.As(err, &e):
		return e
	case store.IsFull(err):
		e = svc.Errorf(svc.ServiceUnavailable, "The disk of the server is full. Ask its operator to free space.")
	case store.IsBusy(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrClosed):
		e = svc.Errorf(svc.ServiceUnavailable, "The server is busy. Try again in a moment.")
	default:
		return svc.Errorf(svc.InternalError, "The server failed. Try again, or give the operator the request ID.")
	}
	e.RetryAfter = 5 * time.Second
	return e
}

// writeError writes an error response.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.report(w, r, v, err)
	if rw, ok := w.(*response); ok && rw.status != 0 {
		panic(http.ErrAbortHandler) // close the connection: the client must not take a partial response for a complete one
	}
	body := svc.ErrorResponse{Error: svc.ErrorDetail{
		Code: e.Code.Name, Message: e.Message, Fields: e.Fields, Guidance: e.Guidance, RequestID: w.Header().Get("X-Request-Id"),
		Retryable: e.Code.Kind == svc.Unavailable || e.Code.Kind == svc.TooMany || e.Code.Kind == svc.UpstreamFailure,
	}}
	if err := writeJSON(w, status[e.Code.Kind], body); err != nil {
		s.log.Debug("writing the error response", "err", err)
	}
}

// writeJSON writes v as JSON.
func writeJSON(w http.ResponseWriter, status int, v any) error {
	body, err := svc.EncodeJSON(v)
	if err != nil {
		return fmt.Errorf("encoding the response: %w", err)
	}
	return writeBody(w, status, body)
}

// writeBody writes a body of encoded JSON.
func writeBody(w http.ResponseWriter, status int, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	setPrivate(h)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // fails if the client has disconnected
	return nil
}

// setPrivate sets headers that keep the response of one member out of shared
// caches.
func setPrivate(h http.Header) {
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-store")
	}
	h.Set("Vary", "Cookie, Authorization, X-Service-Runtime")
}
