package app

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
)

// Covers L-13 and B-81.
func TestLimiter(t *testing.T) {
	clock := storetest.NewClock()
	l := newLimiter(clock.Now, map[string]int{"writes": 3, "reads": 0})
	for i := range 3 {
		if err := l.take("writes", "1"); err != nil {
			t.Fatalf("write %d: %v", i+1, err)
		}
	}
	err := l.take("writes", "1")
	var e *svc.Error
	if !errors.As(err, &e) || e.Code != svc.RateLimited || e.RetryAfter <= 0 || e.RetryAfter > 20*time.Second {
		t.Fatalf("the fourth write: %v", err)
	}
	if err := l.take("writes", "2"); err != nil {
		t.Errorf("another member: %v", err)
	}
	clock.Advance(e.RetryAfter)
	if err := l.take("writes", "1"); err != nil {
		t.Errorf("after the time that Retry-After names: %v", err)
	}
	for range 1000 {
		if err := l.take("reads", "1"); err != nil {
			t.Fatal("a limit of 0 limits")
		}
	}
}

// However many come, what was spent stays spent.
func TestLimiterStaysSmall(t *testing.T) {
	l := newLimiter(storetest.NewClock().Now, map[string]int{"writes": 3})
	spend := func() (err error) {
		for range 3 {
			err = errors.Join(err, l.take("writes", "guesser"))
		}
		return err
	}
	if err := spend(); err != nil {
		t.Fatal(err)
	}
	for i := range 3 * maxBuckets {
		if err := l.take("writes", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if len(l.full) > maxBuckets {
		t.Errorf("%d buckets", len(l.full))
	}
	if l.take("writes", "guesser") == nil {
		t.Error("a crowd of others has refilled a bucket that was empty")
	}
}

// A clock that is put back keeps nobody waiting for it to catch up.
func TestLimiterWhenTheClockIsPutBack(t *testing.T) {
	clock := storetest.NewClock()
	l := newLimiter(clock.Now, map[string]int{"writes": 1})
	if err := l.take("writes", "1"); err != nil {
		t.Fatal(err)
	}
	clock.Advance(-24 * time.Hour)
	err := l.take("writes", "1")
	var e *svc.Error
	if !errors.As(err, &e) || e.RetryAfter > time.Minute {
		t.Fatalf("told to wait: %v", err)
	}
	clock.Advance(time.Minute)
	if err := l.take("writes", "1"); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestLimiterGivesBack(t *testing.T) {
	l := newLimiter(storetest.NewClock().Now, map[string]int{"writes": 2, "reads": 0})
	for range 10 {
		if err := l.take("writes", "1"); err != nil {
			t.Fatal(err)
		}
		l.give("writes", "1")
	}
	for i, want := range []bool{true, true, false} {
		if ok := l.take("writes", "1") == nil; ok != want {
			t.Errorf("take %d: %v, want %v", i+1, ok, want)
		}
	}
	l.give("writes", "somebody else")
	l.give("reads", "1")
}

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

	named := open(t, func(s *Settings) { s.TrustedProxies = []network{{netip.MustParsePrefix("127.0.0.1/32")}} })
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

func BenchmarkLimiter(b *testing.B) {
	l := newLimiter(storetest.NewClock().Now, nil)
	for i := 0; b.Loop(); i++ {
		if err := l.take("writes", strconv.Itoa(i)); err != nil { // always a new one, and soon no room
			b.Fatal(err)
		}
	}
}

func TestClientAddr(t *testing.T) {
	s := &server{settings: &Settings{TrustedProxies: []network{
		{netip.MustParsePrefix("10.0.0.0/8")}, {netip.MustParsePrefix("127.0.0.1/32")},
	}}}
	for _, c := range []struct{ name, remote, forwarded, want string }{
		{"no proxy", "192.0.2.7:999", "", "192.0.2.7"},
		{"a stranger says he is another", "192.0.2.7:999", "198.51.100.1", "192.0.2.7"},
		{"one proxy", "10.0.0.1:999", "192.0.2.7", "192.0.2.7"},
		{"two proxies", "127.0.0.1:999", "192.0.2.7, 10.0.0.1", "192.0.2.7"},
		{"what the sender made up is further left", "10.0.0.1:999", "198.51.100.1, 192.0.2.7", "192.0.2.7"},
		{"rubbish", "10.0.0.1:999", "x, y", "10.0.0.1"},
		{"IPv4 in IPv6", "[::ffff:10.0.0.1]:999", "2001:db8::1", "2001:db8::1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := s.clientAddr(r).String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if household(netip.MustParseAddr("2001:db8::1")) != household(netip.MustParseAddr("2001:db8::2")) {
		t.Error("two addresses of one /64 are two households")
	}
}
