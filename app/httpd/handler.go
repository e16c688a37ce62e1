package httpd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"appliance/app/account"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
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

// WithTimeout returns r with a limit on the time for its work.
func WithTimeout(r *http.Request) (*http.Request, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(r.Context(), requestTimeout)
	return r.WithContext(ctx), cancel
}

// Handler handles a request on behalf of v. It either writes a response and
// returns nil, or writes nothing and returns an error.
type Handler func(w http.ResponseWriter, r *http.Request, v svc.Viewer) error

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body := s.paceBody(out, r)
	w := &response{ResponseWriter: out, id: svc.NewID("req"), body: body}
	start := s.db.Now()
	defer w.discard()
	defer func() {
		w.callOnStart() // in case nothing was written
		w.callOnComputed()
		body.end()
		if v := recover(); v != nil {
			if v == http.ErrAbortHandler {
				panic(v)
			}
			s.writeErrorFor(w, r, svc.Viewer{}, fmt.Errorf("panic: %v\n%s", v, store.PanicStack(v)))
		}
		w.finish()
		s.log.Debug("request", "id", w.id, "method", loggedMethod(r), "route", r.Pattern, "status", w.status,
			"bytes", w.bytes, "took", s.db.Now().Sub(start))
	}()
	h := w.Header()
	h.Set("X-Request-Id", w.id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'") // replaced for pages
	if s.settings.UsesHTTPS() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	client := s.ClientKey(r)
	if !s.inProgress.Add(client) {
		s.writeError(w, r, svc.Viewer{}, limits.Unavailable())
		return
	}
	defer s.inProgress.Remove(client)
	if !s.stripBasePath(r) {
		s.writeErrorFor(w, r, svc.Viewer{}, ErrNotFound)
		return
	}
	if s.proxies.ForwardedUntrusted(r) {
		if s.untrustedProxy.Allow(s.db.Now()) {
			s.log.Warn("a proxy on this machine forwards requests but is not trusted: all its clients count as one address; set trusted-proxies",
				"proxy", s.clientAddr(r).String())
		}
	}
	overrideMethod(r)
	s.dispatch(w, r)
}

// clientAddr returns the address of the client.
func (s *Server) clientAddr(r *http.Request) netip.Addr { return s.proxies.ClientAddr(r) }

// ClientKey returns the key under which the client's address is limited, "" for a
// connection through a Unix socket.
func (s *Server) ClientKey(r *http.Request) string {
	if addr := s.clientAddr(r); addr.IsValid() {
		return limits.Prefix(addr)
	}
	return ""
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
	values, _ := url.ParseQuery(string(body)) // the handler parses the body again and reports its errors
	switch method := values.Get("_method"); method {
	case http.MethodPatch, http.MethodDelete:
		r.Method = method
	}
}

var ErrNotFound = svc.Errorf(svc.NotFound, "There is nothing at this address.")

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
	muxHandler, pattern := s.mux.Handler(r)
	if pattern != "" {
		s.mux.ServeHTTP(w, r)
		return
	}
	probe := &response{ResponseWriter: discardWriter{make(http.Header)}}
	muxHandler.ServeHTTP(probe, r)
	if allow := probe.Header().Get("Allow"); allow != "" {
		s.writeErrorFor(w, r, svc.Viewer{}, methodNotAllowed(allow)(w, r, svc.Viewer{}))
		return
	}
	s.writeErrorFor(w, r, svc.Viewer{}, ErrNotFound)
}

// methodNotAllowed returns a handler for the methods that a path does not have.
func methodNotAllowed(allow string) Handler {
	return func(w http.ResponseWriter, _ *http.Request, _ svc.Viewer) error {
		w.Header().Set("Allow", allow)
		return svc.Errorf(svc.MethodNotAllowed, "This address accepts %s.", allow)
	}
}

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

// serve returns the [http.Handler] of a route: it authorizes the request, receives
// its body, limits concurrent reads, calls the handler of the route, and turns its
// error into a response and a log line.
func (s *Server) serve(rt Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if out, ok := w.(*response); ok {
			out.compression = newCompression(rt, r, s.settings.Data)
		}
		limited, cancel := WithTimeout(r)
		c, err := s.authorize(rt, limited)
		if c.Viewer.Member() != 0 || rt.NeedsServiceKey() && err == nil {
			ReadRestAfterErrors(w)
		}
		if c.Viewer.Member() != 0 {
			r, limited = s.WithWork(r, c.Viewer.String()), s.WithWork(limited, c.Viewer.String())
			s.CountWork(w, c.Viewer.String())
		}
		if err == nil && !rt.ReceivesBody && rt.Access != Public && !isShort(r) {
			cancel()
			var done func()
			limited, done, err = s.Receive(w, r, c.Viewer.String(), maxBody+1)
			defer done()
			if err == nil {
				limited, cancel = WithTimeout(limited)
			}
		}
		defer cancel()
		if rt.ReceivesBody {
			limited = r
		}
		if err == nil {
			limitBody(rt, limited)
			err = s.LimitReads(w, limited, c.Viewer)
		}
		if rt.Reserve {
			limited = limited.WithContext(store.WithReserve(limited.Context()))
		}
		if err == nil {
			err = rt.Handle(w, s.withWriteGuard(c, limited), c.Viewer)
		}
		if err == nil {
			return
		}
		switch {
		case !rt.Page:
			s.writeErrorFor(w, r, c.Viewer, err)
		case svc.KindOf(err) == svc.Anonymous:
			s.errorPages.RedirectToLogin(w, r, err)
		default:
			s.errorPages.WriteErrorPage(w, r, c.Viewer, err)
		}
	})
}

// WithWork returns r with the limits of its computation. key identifies the member, or the
// link of an unauthenticated request.
func (s *Server) WithWork(r *http.Request, key string) *http.Request {
	return r.WithContext(svc.WithWork(r.Context(), s.maxWork, pace{s, key}))
}

// pace implements [svc.Pace] for the requests of a member, or of a link.
type pace struct {
	server *Server
	key    string
}

func (p pace) Charge() error { return p.server.chargeWork(p.key) }

func (p pace) Wait(ctx context.Context, steps int) error {
	if store.IsWriting(ctx) { // all other writes wait for this transaction
		return nil
	}
	return p.server.pacer.Wait(ctx, p.key, steps)
}

func (p pace) Begin() (end func()) { return p.server.pacer.Begin(p.key) }

// octetsSentPerStep is the number of octets that are sent in the time of a step.
const octetsSentPerStep = 32

// CountWork counts a request of a member, or of a link, that is in progress until its response
// has been computed. The octets that are sent count then.
func (s *Server) CountWork(w http.ResponseWriter, key string) {
	out, ok := w.(*response)
	if !ok {
		return
	}
	end := s.pacer.Begin(key)
	out.onComputed = append(out.onComputed, func() {
		length, _ := strconv.Atoi(out.Header().Get("Content-Length")) // 0 if it is not known
		s.pacer.Add(key, length/octetsSentPerStep)
		end()
	})
}

// LimitReads waits until v may read. Requests that write do not wait.
func (s *Server) LimitReads(w http.ResponseWriter, r *http.Request, v svc.Viewer) error {
	if v.Member() == 0 {
		return nil
	}
	return s.LimitReadsBy(w, r, v.String())
}

// LimitReadsBy is like LimitReads with a key other than a member.
func (s *Server) LimitReadsBy(w http.ResponseWriter, r *http.Request, key string) error {
	switch r.Method {
	case http.MethodGet, http.MethodHead, "PROPFIND", "REPORT":
		return s.AcquireRead(w, r, key)
	}
	return nil
}

// AcquireRead waits until a request with the key may read. The slot is released
// when the response starts.
func (s *Server) AcquireRead(w http.ResponseWriter, r *http.Request, key string) error {
	weight := int64(1)
	if s.pacer.Add(key, 0) > 0 { // after much computation, one read after the other
		weight = math.MaxInt64
	}
	release, err := s.Reads.AcquireWeight(r.Context(), key, weight)
	if err == nil {
		releaseAtStart(w, release)
		err = s.pacer.Wait(r.Context(), key, 0)
	}
	return err
}

// ReadFor runs a read transaction of a member, within the concurrency limit of the
// member's reads.
func (s *Server) ReadFor(ctx context.Context, v svc.Viewer, read func(*store.Tx) error) error {
	release, err := s.Reads.Acquire(ctx, v.String())
	if err != nil {
		return err
	}
	defer release()
	return s.db.Read(ctx, read)
}

// status maps error kinds to HTTP statuses. Only this package and the CalDAV handler
// (svc/calendar/dav) choose HTTP statuses.
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
	svc.DiskFull:        http.StatusInsufficientStorage,
	svc.UnknownMedia:    http.StatusUnsupportedMediaType,
	svc.WrongMethod:     http.StatusMethodNotAllowed,
	svc.TooMany:         http.StatusTooManyRequests,
	svc.UpstreamFailure: http.StatusFailedDependency,
	svc.Unavailable:     http.StatusServiceUnavailable,
}

// Status returns the HTTP status of an error.
func Status(e *svc.Error) int { return status[e.Code.Kind] }

// Report returns the public error of err, logs err, and sets the headers of the
// error response.
func (s *Server) Report(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) *svc.Error {
	e := PublicError(err)
	level := slog.LevelInfo
	switch {
	case r.Context().Err() == context.Canceled: // the client has disconnected
		level = slog.LevelDebug
	case errors.Is(err, limits.ErrCapacity): // there may be many
		level = slog.LevelDebug
		s.refusals.Add("refused requests: too many at the same time, or too large ones", "viewer", v.String(), "address", s.ClientKey(r), "code", e.Code.Name)
	case e.Code.Kind == svc.Unavailable: // overload is no defect
		level = slog.LevelWarn
	case Status(e) >= 500:
		level = slog.LevelError
	case e.Code == svc.Unauthenticated && account.HasNoCredentials(r): // clients send the first request without credentials
		level = slog.LevelDebug
	}
	attrs := []any{
		"id", w.Header().Get("X-Request-Id"), "method", loggedMethod(r), "route", r.Pattern, "viewer", v.String(), "code", e.Code.Name,
	}
	if level >= slog.LevelWarn { // other errors may quote content of members
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

// errDiskFull is the error of a write that fails because the disk is full.
// Reads still succeed.
var errDiskFull = &svc.Error{
	Code: svc.InsufficientStorage, Message: "The disk of the server is full, so nothing was saved. Ask its operator to free space.", RetryAfter: time.Minute,
}

// PublicError returns the error that the client may see.
func PublicError(err error) *svc.Error {
	var e *svc.Error
	switch {
	case errors.As(err, &e):
		return e
	case store.IsFull(err):
		return errDiskFull
	case store.IsBusy(err), errors.Is(err, context.DeadlineExceeded), errors.Is(err, store.ErrClosed):
		e = svc.Errorf(svc.ServiceUnavailable, "The server is busy. Try again in a moment.")
	default:
		return svc.Errorf(svc.InternalError, "The server failed. Try again, or give the operator the request ID.")
	}
	e.RetryAfter = 5 * time.Second
	return e
}

// ErrorPages writes errors as pages for people.
type ErrorPages interface {
	// WriteErrorPage writes an error as a page.
	WriteErrorPage(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error)

	// RedirectToLogin redirects an unauthenticated browser to the sign-in page, which
	// leads back.
	RedirectToLogin(w http.ResponseWriter, r *http.Request, err error)
}

// writeErrorFor writes an error as a page for a person with a browser, and as JSON
// for a program.
func (s *Server) writeErrorFor(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	if wantsPage(r) {
		s.errorPages.WriteErrorPage(w, r, v, err)
		return
	}
	s.writeError(w, r, v, err)
}

// writeError writes an error response.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, v svc.Viewer, err error) {
	e := s.Report(w, r, v, err).In(Language(r, v))
	AbortPartial(w)
	body := svc.ErrorResponse{Error: svc.ErrorDetail{
		Code: svc.CodeName(e.Code.Name), Message: e.Message, Fields: e.Fields, Guidance: e.Guidance, Challenge: e.Challenge, Current: e.Current, RequestID: w.Header().Get("X-Request-Id"),
		Retryable: e.Code.Kind == svc.Unavailable || e.Code.Kind == svc.DiskFull || e.Code.Kind == svc.TooMany || e.Code.Kind == svc.UpstreamFailure,
	}}
	if err := WriteJSON(w, Status(e), body); err != nil {
		s.log.Debug("writing the error response", "err", err)
	}
}

// Language returns the language of the texts in a response: that of the member, or for
// other clients one that the client accepts.
func Language(r *http.Request, v svc.Viewer) words.Language {
	if v.Member() != 0 {
		return v.Language()
	}
	return words.Accepted(r.Header.Get("Accept-Language"))
}

// AbortPartial closes the connection if a part of the response has been written: the
// client must not take it for a complete one.
func AbortPartial(w http.ResponseWriter) {
	if rw, ok := w.(*response); ok && rw.status != 0 {
		panic(http.ErrAbortHandler)
	}
}

// WriteJSON writes v as JSON.
func WriteJSON(w http.ResponseWriter, status int, v any) error {
	body, err := svc.EncodeJSON(v)
	if err != nil {
		return fmt.Errorf("encoding the response: %w", err)
	}
	return WriteBody(w, status, body)
}

// WriteBody writes a body of encoded JSON.
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
