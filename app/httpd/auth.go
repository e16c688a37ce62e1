package httpd

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"
	"time"

	"appliance/app/limits"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// cookieName is the cookie that carries a token for browsers.
const cookieName = "service_api_token"

// cookieAge is how long a browser keeps it, in seconds. The server decides
// when the token itself ends.
const cookieAge = 180 * 24 * 60 * 60

// errOff reports a service that is switched off. Its Retry-After keeps clients
// from polling.
var errOff = &svc.Error{Code: svc.ServiceUnavailable, Message: "This service is switched off.", RetryAfter: time.Minute}

// admit finds out who is asking for a route and whether they may. Only then does
// it matter whether the service is switched off: whoever is not signed in is
// told that (W-02).
func (s *Server) admit(rt route, r *http.Request) (identity.Authentication, error) {
	c, err := s.asking(rt, r)
	if h := s.hosted[rt.service]; err == nil && h != nil && h.Off() {
		err = errOff
	}
	return c, err
}

// asking finds out who is asking for a route and whether they may.
func (s *Server) asking(rt route, r *http.Request) (c identity.Authentication, err error) {
	if rt.internal() {
		if c.Viewer, err = s.internalViewer(r); err != nil {
			return c, err
		}
	}
	if rt.access == onBehalf && c.Viewer.Member() == 0 {
		return c, svc.Errorf(svc.MemberContextRequired, "Say in the header X-Service-Member-Id for which member this is.")
	}
	if rt.internal() {
		return c, nil
	}
	if rt.access == foreign {
		return c, nil
	}
	if err := s.origins.Check(r); err != nil {
		return c, svc.Errorf(svc.CrossOrigin, "Another web site sent this request; it was refused.").WithCause(err)
	}
	if rt.access == public {
		return c, nil
	}
	if c, err = s.caller(r); err != nil {
		return c, err
	}
	bucket := limits.Writes
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		bucket = limits.Reads
	}
	if err := s.rates.Take(bucket, c.Viewer.String()); err != nil {
		return c, err
	}
	if rt.access == operator && !c.Operator {
		return c, svc.Errorf(svc.PermissionDenied, "Only operators of this server may do that.")
	}
	return c, nil
}

// actingAs returns the request with every write that it leads to depending on
// the session still being there, or the member for whom another service speaks:
// its body may come long after it was admitted.
func (s *Server) actingAs(c identity.Authentication, r *http.Request) *http.Request {
	if c.Viewer.Member() == 0 {
		return r
	}
	return r.WithContext(store.WithWriteGuard(r.Context(), func(tx *store.Tx) error { return s.identity.Revalidate(tx, c) }))
}

// credential returns the token of a request. A header counts, even a bad one,
// before the cookie.
func credential(r *http.Request) string {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return ""
		}
		return strings.TrimSpace(token)
	}
	if c, err := r.Cookie(cookieName); err == nil {
		return c.Value
	}
	return ""
}

// anonymous reports whether a request does not even try to say who sends it.
func anonymous(r *http.Request) bool {
	_, err := r.Cookie(cookieName)
	return err != nil && r.Header.Get("Authorization") == ""
}

// caller returns who presents a live token.
func (s *Server) caller(r *http.Request) (c identity.Authentication, err error) {
	token := credential(r)
	if token == "" {
		return c, svc.Errorf(svc.Unauthenticated, "Sign in first.")
	}
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) error {
		c, err = s.identity.Authenticate(tx, token)
		return err
	})
	if err != nil || !c.UseDue {
		return c, err
	}
	return c, s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RecordUse(tx, c) })
}

// internalViewer opens the service-internal routes to whoever has the service
// key, and to nobody else: for them the routes do not exist (B-15). Only with
// the key does the header count that names the member.
func (s *Server) internalViewer(r *http.Request) (svc.Viewer, error) {
	key, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Service ")
	want, got := sha256.Sum256([]byte(s.settings.ServiceKey)), sha256.Sum256([]byte(key))
	if !ok || s.settings.ServiceKey == "" || subtle.ConstantTimeCompare(want[:], got[:]) != 1 {
		return svc.Viewer{}, errNoSuchPath
	}
	header := r.Header.Get("X-Service-Member-Id")
	if header == "" {
		return svc.Viewer{}, nil
	}
	id, err := strconv.ParseInt(header, 10, 64)
	if err != nil {
		return svc.Viewer{}, svc.Errorf(svc.MemberContextRequired, "X-Service-Member-Id must be a member's number.")
	}
	var v svc.Viewer
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		v, err = s.identity.OnBehalf(tx, svc.MemberID(id))
		return err
	})
	return v, err
}

// prove checks a name and a password. Nothing of the answer tells which of
// them was wrong.
func (s *Server) prove(r *http.Request, login, password string) (proof identity.Proof, err error) {
	if len(login) > identity.MaxLogin {
		return proof, svc.Errorf(svc.InvalidCredentials, "The name or the password is wrong, or the account is disabled.")
	}
	var c identity.Candidate
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.Candidate(tx, login)
		return err
	})
	if err != nil {
		return proof, err
	}
	err = s.guard.Try(r, c.Account(), password, c.Refusal(), func() error {
		return s.guard.Hash(r, func() (err error) {
			proof, err = s.identity.Verify(r.Context(), c, password)
			return err
		})
	})
	return proof, err
}

// begin starts a session for somebody who has proved who they are.
func (s *Server) begin(ctx context.Context, r *http.Request, proof identity.Proof) (session identity.Session, err error) {
	err = s.db.Write(ctx, func(tx *store.Tx) error {
		session, err = s.identity.Login(tx, proof, clientLabel(r))
		return err
	})
	return session, err
}

// clientLabel is what a session is called in the list of sessions.
func clientLabel(r *http.Request) string {
	agent := r.Header.Get("User-Agent")
	if agent == "" {
		return "unnamed program"
	}
	system := ""
	for _, s := range []struct{ mark, name string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"Mac OS X", "Mac"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	} {
		if strings.Contains(agent, s.mark) {
			system = " on " + s.name
			break
		}
	}
	for _, b := range []struct{ mark, name string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	} {
		if strings.Contains(agent, b.mark) {
			return b.name + system
		}
	}
	name, _, _ := strings.Cut(agent, " ")
	return name
}

// cookie returns the cookie for a token; an empty token takes the browser's
// away (B-08).
func (s *Server) cookie(token string) *http.Cookie {
	c := &http.Cookie{
		Name: cookieName, Value: token, Path: s.settings.URL().Path + "/", MaxAge: cookieAge,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.settings.Secure(),
	}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}
