package account

import (
	"net/http"
	"strings"

	"appliance/app/authlog"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/words"
)

// CookieName is the name of the session cookie.
const CookieName = "service_api_token"

// Credential returns the token of a request. An Authorization header, even an
// invalid one, takes precedence over the cookie.
func Credential(r *http.Request) string {
	if header := r.Header.Get("Authorization"); header != "" {
		scheme, token, _ := strings.Cut(header, " ")
		if !strings.EqualFold(scheme, "Bearer") {
			return ""
		}
		return strings.TrimSpace(token)
	}
	if c, err := r.Cookie(CookieName); err == nil {
		return c.Value
	}
	return ""
}

// HasNoCredentials reports whether a request has neither cookie nor
// Authorization header.
func HasNoCredentials(r *http.Request) bool {
	_, err := r.Cookie(CookieName)
	return err != nil && r.Header.Get("Authorization") == ""
}

// Authenticate returns the session of the token in a request.
func (s *Service) Authenticate(r *http.Request) (c identity.Authentication, err error) {
	token := Credential(r)
	if token == "" {
		return c, svc.Errorf(svc.Unauthenticated, "Sign in first.")
	}
	err = s.db.Lookup(r.Context(), func(tx *store.Tx) error {
		c, err = s.identity.Authenticate(tx, token)
		return err
	})
	s.signIns.RecordFailure(r, authlog.Token, 0, err)
	if err != nil || !c.UseDue {
		return c, err
	}
	err = s.db.Write(r.Context(), func(tx *store.Tx) error { return s.identity.RecordUse(tx, c, s.proxies.ClientAddr(r)) })
	if store.IsFull(err) { // reading works on a full disk
		err = nil
	}
	return c, err
}

// Client describes the client that sent r.
func (s *Service) Client(r *http.Request) identity.Client {
	return identity.Client{Label: clientLabel(r), Address: s.proxies.ClientAddr(r)}
}

// clientLabel returns the name of a client in the list of sessions.
func clientLabel(r *http.Request) words.Text {
	agent := r.Header.Get("User-Agent")
	if agent == "" {
		return words.Textf("unnamed program")
	}
	system := ""
	for _, s := range []struct{ mark, name string }{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"},
		{"Mac OS X", "Mac"}, {"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	} {
		if strings.Contains(agent, s.mark) {
			system = s.name
			break
		}
	}
	for _, b := range []struct{ mark, name string }{
		{"Edg/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"CriOS/", "Chrome"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
	} {
		if strings.Contains(agent, b.mark) {
			if system == "" {
				return words.Textf("%s", b.name)
			}
			return words.Textf("%[1]s on %[2]s", b.name, system) // numbered, because "%s on %s" is a text with a date
		}
	}
	name, _, _ := strings.Cut(agent, " ")
	return words.Textf("%s", name)
}
