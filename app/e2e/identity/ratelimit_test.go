package identity

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Behind a proxy that nobody has named all strangers have one address. None of
// them locks the members out by it, and none is taken for somebody on the
// machine; the log says what to do.
func TestUnnamedProxy(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	stranger := h.Unauthenticated().With("X-Forwarded-For", "203.0.113.9")
	logIn := func(c *apptest.Client, login, password string) *apptest.Answer {
		return c.Do("POST", "/identity/login", map[string]any{"login": login, "password": password})
	}
	for i := range 40 {
		logIn(stranger, fmt.Sprint("nobody", i), "x").WantError(401, "invalid_credentials")
	}
	logIn(h.Unauthenticated().With("X-Forwarded-For", "198.51.100.7"), "ann", apptest.Password).Want(200)
	for i := range 10 {
		logIn(stranger, "ann", fmt.Sprint("guess ", i)).WantError(401, "invalid_credentials")
	}
	logIn(stranger, "ann", "guess 11").WantError(429, "rate_limited")
	if n := strings.Count(h.Log.String(), "trusted-proxies"); n != 1 {
		t.Errorf("the log speaks %d times of the proxy, want once a day", n)
	}
	h.Clock.Advance(24 * time.Hour)
	if got := stranger.Do("GET", "/health").Want(200).Str("version"); got != "" {
		t.Errorf("a stranger learns of version %s", got)
	}
	if n := strings.Count(h.Log.String(), "trusted-proxies"); n != 2 {
		t.Errorf("a day later the log has spoken %d times of the proxy", n)
	}
	if h.Unauthenticated().Do("GET", "/health").Str("version") == "" {
		t.Error("whoever is on the machine does not learn the version")
	}

	named := apptest.New(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	stranger = named.Unauthenticated().With("X-Forwarded-For", "203.0.113.9")
	for i := range 30 {
		logIn(stranger, fmt.Sprint("nobody", i), "x").WantError(401, "invalid_credentials")
	}
	logIn(stranger, "nobody", "x").WantError(429, "rate_limited")
	logIn(stranger.With("X-Forwarded-For", "198.51.100.7"), "nobody", "x").WantError(401, "invalid_credentials")
	if strings.Contains(named.Log.String(), "trusted-proxies") {
		t.Error("the log complains of a proxy that is named")
	}
}

// An invitation that is none costs no hash, and not many can be tried.
func TestFalseInvitationsAreCheap(t *testing.T) {
	h := apptest.New(t)
	hashes := h.App.Identity.Hashes()
	join := func(code string) *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/register", map[string]any{"email": "bea@example.org", "password": apptest.Password, "invite_code": code})
	}
	for range 50 {
		join("always the same").WantError(404, "link_expired")
	}
	for i := range 9 {
		join(fmt.Sprint("code ", i)).WantError(404, "link_expired")
	}
	join("an eleventh").WantError(429, "rate_limited")
	if n := h.App.Identity.Hashes() - hashes; n != 0 {
		t.Errorf("they cost %d hashes", n)
	}
}

// Covers B-81: whoever registers many accounts, or asks for many addresses
// whether they are members', has to wait; a slip in the form costs nothing.
func TestRegistrationsAreLimited(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.Registration = "open"; s.RateLimits = map[string]int{"registrations": 3} })
	register := func(name, password string) *apptest.Answer {
		return h.Unauthenticated().Do("POST", "/identity/register", map[string]any{"email": name + "@example.org", "password": password})
	}
	for range 5 {
		register("ann", "short").WantError(422, "weak_password")
	}
	register("ann", apptest.Password).Want(201)
	register("ann", apptest.Password).WantError(409, "already_exists")
	register("bea", apptest.Password).Want(201)
	register("cid", apptest.Password).WantError(429, "rate_limited")
	register("ann", apptest.Password).WantError(429, "rate_limited")
}
