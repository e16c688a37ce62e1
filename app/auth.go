package app

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strconv"
	"strings"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// cookieName is the cookie that carries a token for browsers.
const cookieName = "service_api_token"

// cookieAge is how long a browser keeps it, in seconds. The server decides
// when the token itself ends.
const cookieAge = 180 * 24 * 60 * 60

// admit finds out who is asking for a route and whether they may.
func (s *server) admit(rt route, r *http.Request) (svc.Viewer, error) {
	between := rt.access == internal || rt.access == onBehalf
	var v svc.Viewer
	if between {
		var err error
		if v, err = s.internalViewer(r); err != nil {
			return v, err
		}
	}
	if u := s.units[rt.unit]; u != nil && u.off {
		return v, errOff
	}
	if rt.access == onBehalf && v.Member() == 0 {
		return v, svc.Errorf(svc.MemberContextRequired, "Say in the header X-Service-Member-Id for which member this is.")
	}
	if between {
		return v, nil
	}
	if rt.access == foreign {
		return svc.Viewer{}, nil
	}
	if err := s.origins.Check(r); err != nil {
		return svc.Viewer{}, svc.Errorf(svc.CrossOrigin, "Another web site sent this request; it was refused.").Because(err)
	}
	if rt.access == public {
		return svc.Viewer{}, nil
	}
	caller, err := s.caller(r)
	if err != nil {
		return svc.Viewer{}, err
	}
	bucket := "writes"
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		bucket = "reads"
	}
	if err := s.limits.take(bucket, caller.Viewer.String()); err != nil {
		return caller.Viewer, err
	}
	if rt.access == operator && !caller.Operator {
		return caller.Viewer, svc.Errorf(svc.PermissionDenied, "Only operators of this server may do that.")
	}
	return caller.Viewer, nil
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

// caller returns who presents a live token.
func (s *server) caller(r *http.Request) (c identity.Caller, err error) {
	token := credential(r)
	if token == "" {
		return c, svc.Errorf(svc.Unauthenticated, "Sign in first.")
	}
	err = s.db.Read(r.Context(), func(tx *store.Tx) error {
		c, err = s.identity.Authenticate(tx, token)
		return err
	})
	if err != nil || !c.Stale {
		return c, err
	}
	return c, s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.Slide(tx, c) })
}

// internalViewer opens the service-internal routes to whoever has the service
// key, and to nobody else: for them the routes do not exist (B-15). Only with
// the key does the header count that names the member.
func (s *server) internalViewer(r *http.Request) (svc.Viewer, error) {
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
	err = s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		v, err = s.identity.OnBehalf(tx, svc.MemberID(id))
		return err
	})
	return v, err
}

// prove checks a name and a password. Nothing of the answer tells which of
// them was wrong.
func (s *server) prove(r *http.Request, login, password string) (identity.Proof, error) {
	wrong := svc.Errorf(svc.InvalidCredentials, "The name or the password is wrong, or the account is disabled.")
	var c identity.Candidate
	err := s.db.Read(r.Context(), func(tx *store.Tx) (err error) {
		c, err = s.identity.Candidate(tx, login)
		return err
	})
	if err != nil {
		return identity.Proof{}, err
	}
	t := s.newTry(r, login, password, c.Account())
	if known, err := s.failures.before(&t); err != nil {
		return identity.Proof{}, err
	} else if known {
		return identity.Proof{}, wrong
	}
	proof, err := s.identity.Verify(r.Context(), c, password)
	if svc.KindOf(err) == svc.Anonymous {
		s.failures.failed(t)
	}
	return proof, err
}

// begin starts a session for somebody who has proved who they are.
func (s *server) begin(ctx context.Context, r *http.Request, proof identity.Proof) (session identity.Session, err error) {
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
func (s *server) cookie(token string) *http.Cookie {
	c := &http.Cookie{
		Name: cookieName, Value: token, Path: s.settings.baseURL.Path + "/", MaxAge: cookieAge,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.settings.secure(),
	}
	if token == "" {
		c.MaxAge = -1
	}
	return c
}
