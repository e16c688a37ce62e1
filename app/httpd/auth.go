package httpd

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"
	"time"

	"appliance/app/account"
	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// memberCookieName is the name of the cookie with the ID of the member who has signed in. It is
// set and deleted with the session cookie. The server does not read it. The web app reads it to
// decide, without a request, of which member it may show stored responses.
const memberCookieName = "service_member"

// cookieAge is the lifetime of the cookie in a browser, in seconds. The session
// itself may end earlier.
const cookieAge = 180 * 24 * 60 * 60

// ErrServiceOff reports a service that is switched off. Its Retry-After keeps
// clients from polling.
var ErrServiceOff = &svc.Error{Code: svc.ServiceUnavailable, Message: "This service is switched off.", RetryAfter: time.Minute}

// authorize authenticates a request and checks the access to its route. A
// service that is switched off is reported last, so that an unauthenticated
// client gets 401 in every case.
func (s *Server) authorize(rt Route, r *http.Request) (identity.Authentication, error) {
	c, err := s.checkAccess(rt, r)
	if h := s.hosted[rt.Service]; err == nil && h != nil && h.IsOff() {
		err = ErrServiceOff
	}
	return c, err
}

// checkAccess authenticates a request and checks the access to its route.
func (s *Server) checkAccess(rt Route, r *http.Request) (c identity.Authentication, err error) {
	if rt.NeedsServiceKey() {
		if c.Viewer, err = s.serviceViewer(r); err != nil {
			return c, err
		}
	}
	if rt.Access == OnBehalf && c.Viewer.Member() == 0 {
		return c, svc.Errorf(svc.MemberContextRequired, "Name the member in the header X-Service-Member-Id.")
	}
	if rt.NeedsServiceKey() {
		return c, nil
	}
	if rt.Access == Foreign {
		return c, nil
	}
	if err := s.origins.Check(r); err != nil {
		return c, svc.Errorf(svc.CrossOrigin, "This request came from another web site and was rejected. Open this server in the browser and try again.").WithCause(err)
	}
	if rt.Access == Public {
		return c, nil
	}
	if c, err = s.accounts.Authenticate(r); err != nil {
		return c, err
	}
	if c.MustEnroll && !rt.Enrollment {
		return c, s.ErrMustEnroll()
	}
	bucket := limits.Writes
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		bucket = limits.Reads
	}
	if rt.Rate != "" {
		bucket = rt.Rate
	}
	if err := s.rates.Take(bucket, c.Viewer.String()); err != nil {
		return c, err
	}
	if rt.Access == Operator && !c.Operator {
		return c, svc.Errorf(svc.PermissionDenied, "Only operators of this server can do this.")
	}
	return c, nil
}

// ErrMustEnroll is the error for a member who must add a second factor first.
func (s *Server) ErrMustEnroll() error {
	return svc.Errorf(svc.EnrollmentRequired, "This server requires a second factor. Add one on %s first.", s.settings.Link(AccountPath))
}

// withWriteGuard returns r with a write guard: every write fails if, since the
// request was authenticated, the session has ended or the member has been disabled
// or deleted. The request body may arrive long after the authentication.
func (s *Server) withWriteGuard(c identity.Authentication, r *http.Request) *http.Request {
	if c.Viewer.Member() == 0 {
		return r
	}
	return r.WithContext(store.WithWriteGuard(r.Context(), func(tx *store.Tx) error { return s.identity.Revalidate(tx, c) }))
}

// serviceViewer checks the service key and returns the member that the header
// X-Service-Member-Id names, or the zero Viewer. Without the key the error is
// the same as for an unknown path, so that the service-internal routes stay
// hidden.
func (s *Server) serviceViewer(r *http.Request) (svc.Viewer, error) {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Service ")
	want, got := sha256.Sum256([]byte(s.settings.ServiceKey)), sha256.Sum256([]byte(key))
	if !ok || s.settings.ServiceKey == "" || subtle.ConstantTimeCompare(want[:], got[:]) != 1 {
		return svc.Viewer{}, ErrNotFound
	}
	header := r.Header.Get("X-Service-Member-Id")
	if header == "" {
		return svc.Viewer{}, nil
	}
	id, err := strconv.ParseInt(header, 10, 64)
	if err != nil {
		return svc.Viewer{}, svc.Errorf(svc.MemberContextRequired, "The header X-Service-Member-Id must contain the ID of a member.")
	}
	var v svc.Viewer
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		v, err = s.identity.OnBehalf(tx, svc.MemberID(id))
		return err
	})
	return v, err
}

// SetCookies sets the cookies of a session. If endsWithBrowser is set, the browser deletes them
// when it closes.
func (s *Server) SetCookies(w http.ResponseWriter, session identity.Session, endsWithBrowser bool) {
	member := strconv.FormatInt(int64(session.Member.ID), 10)
	for _, c := range []*http.Cookie{s.cookie(account.CookieName, session.Token.AccessToken), s.cookie(memberCookieName, member)} {
		if endsWithBrowser {
			c.MaxAge = 0
		}
		http.SetCookie(w, c)
	}
}

// Forget deletes the cookies. With HTTPS, the header Clear-Site-Data also deletes what the
// browser has stored for this origin: cached responses, and the caches, databases and service
// worker of the web app. It does not delete cookies, because other programs on the same host
// may have set them. Without HTTPS, browsers ignore the header: the web app and the sign-in
// page remove the data by script (assets/web/signedout.js).
func (s *Server) Forget(w http.ResponseWriter) {
	http.SetCookie(w, s.cookie(account.CookieName, ""))
	http.SetCookie(w, s.cookie(memberCookieName, ""))
	if s.settings.UsesHTTPS() {
		w.Header().Set("Clear-Site-Data", `"cache", "storage"`)
	}
}

// cookie returns a cookie of a session. With an empty value it deletes the cookie. Scripts
// can read only the ID of the member.
func (s *Server) cookie(name, value string) *http.Cookie {
	c := &http.Cookie{
		Name: name, Value: value, Path: s.settings.URL().Path + "/", MaxAge: cookieAge,
		HttpOnly: name != memberCookieName, SameSite: http.SameSiteLaxMode, Secure: s.settings.UsesHTTPS(),
	}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}
