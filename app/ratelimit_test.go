package app

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"appliance/app/config"
)

// Behind a proxy that nobody has named all strangers have one address. None of
// them locks the members out by it, and none is taken for somebody on the
// machine; the log says what to do.
func TestUnnamedProxy(t *testing.T) {
	h := open(t)
	h.member("ann")
	stranger := h.nobody().with("X-Forwarded-For", "203.0.113.9")
	logIn := func(c *client, login, password string) *answer {
		return c.do("POST", "/identity/login", map[string]any{"login": login, "password": password})
	}
	for i := range 40 {
		logIn(stranger, fmt.Sprint("nobody", i), "x").refused(401, "invalid_credentials")
	}
	logIn(h.nobody().with("X-Forwarded-For", "198.51.100.7"), "ann", password).want(200)
	for i := range 10 {
		logIn(stranger, "ann", fmt.Sprint("guess ", i)).refused(401, "invalid_credentials")
	}
	logIn(stranger, "ann", "guess 11").refused(429, "rate_limited")
	if n := strings.Count(h.log.String(), "trusted-proxies"); n != 1 {
		t.Errorf("the log speaks %d times of the proxy, want once a day", n)
	}
	h.clock.Advance(24 * time.Hour)
	if got := stranger.do("GET", "/health").want(200).str("version"); got != "" {
		t.Errorf("a stranger learns of version %s", got)
	}
	if n := strings.Count(h.log.String(), "trusted-proxies"); n != 2 {
		t.Errorf("a day later the log has spoken %d times of the proxy", n)
	}
	if h.nobody().do("GET", "/health").str("version") == "" {
		t.Error("whoever is on the machine does not learn the version")
	}

	named := open(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	stranger = named.nobody().with("X-Forwarded-For", "203.0.113.9")
	for i := range 30 {
		logIn(stranger, fmt.Sprint("nobody", i), "x").refused(401, "invalid_credentials")
	}
	logIn(stranger, "nobody", "x").refused(429, "rate_limited")
	logIn(stranger.with("X-Forwarded-For", "198.51.100.7"), "nobody", "x").refused(401, "invalid_credentials")
	if strings.Contains(named.log.String(), "trusted-proxies") {
		t.Error("the log complains of a proxy that is named")
	}
}

// An invitation that is none costs no hash, and not many can be tried.
func TestFalseInvitationsAreCheap(t *testing.T) {
	h := open(t)
	hashes := h.identity.Hashes()
	join := func(code string) *answer {
		return h.nobody().do("POST", "/identity/register", map[string]any{"email": "bea@example.org", "password": password, "invite_code": code})
	}
	for range 50 {
		join("always the same").refused(404, "link_expired")
	}
	for i := range 9 {
		join(fmt.Sprint("code ", i)).refused(404, "link_expired")
	}
	join("an eleventh").refused(429, "rate_limited")
	if n := h.identity.Hashes() - hashes; n != 0 {
		t.Errorf("they cost %d hashes", n)
	}
}

// Covers B-81: whoever registers many accounts, or asks for many addresses
// whether they are members', has to wait; a slip in the form costs nothing.
func TestRegistrationsAreLimited(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.Registration = "open"; s.RateLimits = map[string]int{"registrations": 3} })
	register := func(name, password string) *answer {
		return h.nobody().do("POST", "/identity/register", map[string]any{"email": name + "@example.org", "password": password})
	}
	for range 5 {
		register("ann", "short").refused(422, "weak_password")
	}
	register("ann", password).want(201)
	register("ann", password).refused(409, "already_exists")
	register("bea", password).want(201)
	register("cid", password).refused(429, "rate_limited")
	register("ann", password).refused(429, "rate_limited")
}
