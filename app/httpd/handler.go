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

// requestTime bounds the work for one request, waiting included.
const requestTime = 60 * time.Second

// A client has sendTime to take each deadlineBytes bytes of its answer: whoever
// reads slowly gets all of a large one, and whoever does not read is cut off.
const (
	sendTime      = 2 * requestTime
	deadlineBytes = 256 << 10
)

// handler answers a request on behalf of v. It either writes a response and
// returns nil, or writes nothing and returns an error.
type handler func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error

// ServeHTTP is the way in for every request.
func (s *Server) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w := &response{ResponseWriter: out, id: svc.NewID("req")}
	ctx, cancel := context.WithTimeout(r.Context(), requestTime)
	defer cancel()
	r = r.WithContext(ctx)
	started := s.db.Now()
	defer func() {
		w.begun() // if there was no answer
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.fail(w, r, svc.Viewer{}, fmt.Errorf("panic: %v\n%s", v, store.PanicStack(v)))
		}
		s.log.Debug("request", "id", w.id, "method", methodOf(r), "route", r.Pattern, "status", w.status,
			"bytes", w.bytes, "took", s.db.Now().Sub(started))
	}()
	h := w.Header()
	h.Set("X-Request-Id", w.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // pages have their own
	if s.settings.Secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if !s.strip(r) {
		s.fail(w, r, svc.Viewer{}, errNoSuchPath)
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

// overrideMethod lets an HTML form, which can only POST, say in a field
// _method that it means PATCH or DELETE (B-87). The field is looked for where
// such a form begins, since nobody knows yet who sends it.
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
		return // whoever reads on is told
	}
	values, _ := url.ParseQuery(string(body)) // whoever reads all of it is told what is wrong with it
	switch method := values.Get("_method"); method {
	case http.MethodPatch, http.MethodDelete:
		r.Method = method
	}
}

var errNoSuchPath = svc.Errorf(svc.NotFound, "There is nothing at this address.")

// strip takes the path of base-url off the request's. Paths that are not in
// their shortest form are nobody's: nothing here redirects to a better one.
func (s *Server) strip(r *http.Request) bool {
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

// dispatch finds the route. What the mux would answer by itself, it answers
// as everything else is answered.
func (s *Server) dispatch(w *response, r *http.Request) {
	own, pattern := s.mux.Handler(r)
	if pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	probe := &response{ResponseWriter: discard{make(http.Header)}}
	own.ServeHTTP(probe, r)
	if allow := probe.Header().Get("Allow"); allow != "" {
		s.fail(w, r, svc.Viewer{}, methodNotAllowed(allow)(w, r, svc.Viewer{}))
		return
	}
	s.fail(w, r, svc.Viewer{}, errNoSuchPath)
}

// methodNotAllowed returns a handler for the methods that a path does not have.
func methodNotAllowed(allow string) handler {
	return func(w http.ResponseWriter, _ *http.Request, _ svc.Viewer) error {
		w.Header().Set("Allow", allow)
		return svc.Errorf(svc.MethodNotAllowed, "This address takes %s.", allow)
	}
}

// discard is a response that goes nowhere.
type discard struct{ header http.Header }

func (d discard) Header() http.Header       { return d.header }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}

// response remembers what was answered.
type response struct {
	http.ResponseWriter
	id     string
	status int // 0 while nothing is written
	bytes  int
	begins func() // is called when the answer begins; nil if nobody waits for it
}

// begun tells whoever waits for it that the answer has begun.
func (w *response) begun() {
	if w.begins != nil {
		w.begins()
		w.begins = nil
	}
}

func (w *response) WriteHeader(status int) {
	w.begun()
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *response) Write(b []byte) (written int, err error) {
	w.begun()
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for len(b) > 0 && err == nil {
		var n int
		n, err = w.ResponseWriter.Write(b[:min(len(b), deadlineBytes-w.bytes%deadlineBytes)])
		b, w.bytes, written = b[n:], w.bytes+n, written+n
		if w.bytes%deadlineBytes == 0 {
			_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(sendTime)) // discard has none
		}
	}
	return written, err
}

func (w *response) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// serve makes an http.Handler of a route: it finds out who is asking and
// whether they may, and turns an error into a response and a log line. It is
// the one place that does either.
func (s *Server) serve(rt route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		limitBody(rt, r)
		c, err := s.admit(rt, r)
		if err == nil {
			err = s.queue(w, r, c.Viewer)
		}
		if err == nil {
			err = rt.handle(w, s.actingAs(c, r), c.Viewer)
		}
		if err == nil {
			return
		}
		if rt.page {
			s.failPage(w, r, c.Viewer, err)
			return
		}
		s.fail(w, r, c.Viewer, err)
	})
}

// readsRunning and readsWaiting limit the concurrent reads of one member, and
// the reads of calendar feeds from one address. There are more database
// connections than readsRunning, so one member cannot delay the others.
const (
	readsRunning = 2
	readsWaiting = 64
)

// queue waits until v may read.
func (s *Server) queue(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if v.Member() == 0 {
		return nil
	}
	return s.queueAs(w, r, v.String())
}

// queueAs waits until another request with the key may read. The slot is
// released when the response begins: by then everything has been read, and the
// client may be slow.
func (s *Server) queueAs(w http.ResponseWriter, r *http.Request, key string) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, "PROPFIND", "REPORT":
		return s.takeTurn(w, r, key)
	}
	return nil
}

// takeTurn is queueAs for any method.
func (s *Server) takeTurn(w http.ResponseWriter, r *http.Request, key string) error {
	out, ok := w.(*response)
	if !ok {
		return nil
	}
	release, err := s.reads.Acquire(r.Context(), key)
	if err == nil {
		out.begins = release
	}
	return err
}

// status maps kinds to HTTP. Nothing below package app knows these numbers.
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
	svc.OverQuota:       http.StatusUnprocessableEntity, // not 507: the server is not down (B-02)
	svc.UnknownMedia:    http.StatusUnsupportedMediaType,
	svc.WrongMethod:     http.StatusMethodNotAllowed,
	svc.TooMany:         http.StatusTooManyRequests,
	svc.UpstreamFailure: http.StatusFailedDependency,
	svc.Unavailable:     http.StatusServiceUnavailable,
}

// explain returns what a member may know of err, logs what the operator must,
// and sets the headers that go with it.
func (s *Server) explain(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) *svc.Error {
	e := shown(err)
	level := slog.LevelInfo
	switch {
	case r.Context().Err() == context.Canceled: // nobody is there to hear it
		level = slog.LevelDebug
	case status[e.Code.Kind] >= 500:
		level = slog.LevelError
	case e.Code == svc.Unauthenticated && anonymous(r): // programs ask once like this before they say who they are
		level = slog.LevelDebug
	}
	attrs := []any{
		"id", w.Header().Get("X-Request-Id"), "method", methodOf(r), "route", r.Pattern, "viewer", v.String(), "code", e.Code.Name,
	}
	if level == slog.LevelError { // what a member got wrong may quote what they wrote
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

// methodOf is the method as the log shows it. A client chooses it, and may
// choose 60,000 letters.
func methodOf(r *http.Request) string { return r.Method[:min(len(r.Method), 16)] }

// shown returns err as the member may see it.
func shown(err error) *svc.Error {
	var e *svc.Error
	switch {
	case errors.As(err, &e):
		return e
	case store.IsFull(err):
		e = svc.Errorf(svc.ServiceUnavailable, "The server's disk is full. Its operator must make room.")
	case store.IsBusy(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrClosed):
		e = svc.Errorf(svc.ServiceUnavailable, "The server is busy. Try again in a moment.")
	default:
		return svc.Errorf(svc.InternalError, "Something went wrong on the server. Its log says what, under this request id.")
	}
	e.RetryAfter = 5 * time.Second
	return e
}

// fail answers with an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.explain(w, r, v, err)
	if rw, ok := w.(*response); ok && rw.status != 0 {
		panic(http.ErrAbortHandler) // half an answer is out: cut it off, so that nobody takes it for whole
	}
	body := svc.ErrorResponse{Error: svc.ErrorDetail{
		Code: e.Code.Name, Message: e.Message, Fields: e.Fields, Guidance: e.Guidance, RequestID: w.Header().Get("X-Request-Id"),
		Retryable: e.Code.Kind == svc.Unavailable || e.Code.Kind == svc.TooMany || e.Code.Kind == svc.UpstreamFailure,
	}}
	if err := reply(w, status[e.Code.Kind], body); err != nil {
		s.log.Debug("the answer did not get through", "err", err)
	}
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, v any) error {
	body, err := svc.EncodeJSON(v)
	if err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	return send(w, status, body)
}

// send answers with what is JSON already.
func send(w http.ResponseWriter, status int, body []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	private(h)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a member who has gone away is no failure
	return nil
}

// private keeps an answer that is one member's out of every cache (B-89).
func private(h http.Header) {
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-store")
	}
	h.Set("Vary", "Cookie, Authorization, X-Service-Runtime")
}
