package identity

import (
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// All clients behind a proxy that trusted-proxies does not name share one address.
// They cannot lock out each other, and none counts as a client on this machine.
func TestUntrustedProxyIsLoggedDailyAndNotRateLimited(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	client := h.Unauthenticated().With("X-Forwarded-For", "203.0.113.9")
	logIn := func(c *apptest.Client, login, password string) *apptest.Answer {
		return c.Do("POST", "/identity/login", map[string]any{"login": login, "password": password})
	}
	for i := range 40 {
		logIn(client, fmt.Sprint("unknown", i), "x").WantError(401, "invalid_credentials")
	}
	logIn(h.Unauthenticated().With("X-Forwarded-For", "198.51.100.7"), "ann", apptest.Password).Want(200)
	for i := range 10 {
		logIn(client, "ann", fmt.Sprint("guess ", i)).WantError(401, "invalid_credentials")
	}
	logIn(client, "ann", "guess 11").WantError(429, "rate_limited")
	if n := strings.Count(h.Log.String(), "is not trusted"); n != 1 {
		t.Errorf("on the first day: got %d warnings, want 1", n)
	}
	h.Clock.Advance(24 * time.Hour)
	if got := client.Do("GET", "/health").Want(200).Str("version"); got != "" {
		t.Errorf("health behind a proxy: got version %s, want none", got)
	}
	if n := strings.Count(h.Log.String(), "is not trusted"); n != 2 {
		t.Errorf("on the second day: got %d warnings, want 2", n)
	}
	if h.Unauthenticated().Do("GET", "/health").Str("version") == "" {
		t.Error("health on this machine: got no version, want it")
	}

	trusting := apptest.New(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	client = trusting.Unauthenticated().With("X-Forwarded-For", "203.0.113.9")
	for i := range 30 {
		logIn(client, fmt.Sprint("unknown", i), "x").WantError(401, "invalid_credentials")
	}
	logIn(client, "unknown", "x").WantError(429, "rate_limited")
	logIn(client.With("X-Forwarded-For", "198.51.100.7"), "unknown", "x").WantError(401, "invalid_credentials")
	if strings.Contains(trusting.Log.String(), "trusted-proxies") {
		t.Errorf("named proxy: got the log\n%s\nwant no warning", trusting.Log)
	}
}

// When a CalDAV client sends many requests at once after a start, only the first one verifies the
// password, and the others wait for the result.
func TestParallelCalDAVRequestsComputeOneHash(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").Basic().With("Depth", "0")
	s.Restart()
	before := s.App.Identity.Hashes()
	var requests sync.WaitGroup
	for range 60 {
		requests.Go(func() { ann.Do("PROPFIND", "/caldav/").Want(207) })
	}
	requests.Wait()
	if got := s.App.Identity.Hashes() - before; got != 1 {
		t.Errorf("got %d hashes, want 1", got)
	}
}

// Guesses at one account from many addresses do not lock out the member on a known network, nor
// sessions and device passwords. Covers B-100.
func TestKnownNetworkIsNotDelayedByGuessesFromOthers(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) {
		s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
	})
	ann := s.Member("ann")
	device := ann.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.password")
	logIn := func(from, password string) *apptest.Answer {
		return s.Unauthenticated().With("X-Forwarded-For", from).Do("POST", "/identity/login", map[string]any{"login": "ann", "password": password})
	}
	logIn("192.0.2.1", apptest.Password).Want(200)
	statuses := make(map[int]int)
	for i := range 200 {
		statuses[logIn(fmt.Sprintf("198.51.%d.1", i), fmt.Sprint("guess ", i)).Status]++
	}
	if statuses[401] < 20 || statuses[401] > 22 || statuses[401]+statuses[429] != 200 {
		t.Errorf("got the statuses %v for 200 guesses, want 401 for the first 20 and 429 for the others", statuses)
	}
	logIn("192.0.2.200", apptest.Password).Want(200) // the same network as before
	ann.Do("GET", "/identity/me").Want(200)
	phone := s.Unauthenticated().With("X-Forwarded-For", "203.0.113.9").With("Authorization", basicAuth("ann", device))
	phone.With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207)
	unknown := 0
	for i := range 200 {
		a := s.Unauthenticated().With("X-Forwarded-For", fmt.Sprintf("198.51.%d.1", i)).Do("POST", "/identity/login", map[string]any{"login": "nobody", "password": fmt.Sprint(i)})
		if a.Status == 401 {
			unknown++
		}
	}
	if unknown > 22 { // also limited by address: each address has 30 failures
		t.Errorf("unknown login: got %d checked guesses, want about 20 as for a member", unknown)
	}
}
