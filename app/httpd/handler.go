package httpd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"appliance/app/limits"
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
	s.noteProxy(r)
	if s.proxies.ForwardedUntrusted(r) {
		if s.untrustedProxy.Allow(s.db.Now()) {
			s.log.Warn("a proxy on this machine forwards requests but is not trusted: all its clients count as one address; set trusted-proxies",
				"proxy", s.clientAddr(r).String())
		}
	}
	s.restoreETags(r)
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
		if err == nil && rt.ChecksAddress {
			var done bool
			if done, err = s.checkAddress(w, limited); done && err == nil {
				return
			}
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
