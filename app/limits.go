package app

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"appliance/svc"

	"golang.org/x/time/rate"
)

// limit is a bucket of so many, filled again over that time.
type limit struct {
	n   int
	per time.Duration
}

// usualLimits are the limits by the names that the setting rate-limits knows
// (B-81).
var usualLimits = map[string]limit{
	"failures":         {10, 15 * time.Minute}, // wrong passwords for one account from one address
	"failures-address": {30, 15 * time.Minute}, // wrong passwords from one address
	"writes":           {120, time.Minute},     // of a member
	"reads":            {600, time.Minute},     // of a member
}

// maxBuckets is how many are kept before full ones are thrown away.
const maxBuckets = 10000

// limiter counts in memory what members and addresses do.
type limiter struct {
	now    func() time.Time
	limits map[string]limit

	mu      sync.Mutex
	buckets map[bucketKey]*rate.Limiter
}

type bucketKey struct{ limit, who string }

func newLimiter(now func() time.Time, changed map[string]int) *limiter {
	l := &limiter{now: now, limits: make(map[string]limit), buckets: make(map[bucketKey]*rate.Limiter)}
	for name, usual := range usualLimits {
		if n, ok := changed[name]; ok {
			usual.n = n
		}
		l.limits[name] = usual
	}
	return l
}

// take takes one out of the bucket, or returns when there will be one again.
func (l *limiter) take(name, who string) error {
	return l.use(name, who, 1)
}

// check is take without taking.
func (l *limiter) check(name, who string) error {
	return l.use(name, who, 0)
}

func (l *limiter) use(name, who string, n int) error {
	lim := l.limits[name]
	if lim.n <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	key := bucketKey{name, who}
	b := l.buckets[key]
	if b == nil {
		if n == 0 {
			return nil
		}
		l.sweep(now)
		b = rate.NewLimiter(rate.Every(lim.per/time.Duration(lim.n)), lim.n)
		l.buckets[key] = b
	}
	if tokens := b.TokensAt(now); tokens < 1 {
		e := svc.Errorf(svc.RateLimited, "That was too often. Wait a moment and try again.")
		e.RetryAfter = time.Duration((1 - tokens) * float64(lim.per) / float64(lim.n))
		return e
	}
	b.AllowN(now, n)
	return nil
}

// sweep throws full buckets away once there are many, and all if that does not
// help: better that someone gets a fresh bucket than that memory grows.
func (l *limiter) sweep(now time.Time) {
	if len(l.buckets) < maxBuckets {
		return
	}
	for key, b := range l.buckets {
		if b.TokensAt(now) >= float64(b.Burst()) {
			delete(l.buckets, key)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}

// clientAddr returns who sent the request: the last address that is not one
// of our proxies, read from the right, since whatever stands further left the
// sender may have made up.
func (s *server) clientAddr(r *http.Request) netip.Addr {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{} // a Unix socket
	}
	addr := from.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusted(addr); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		addr = hop.Unmap()
	}
	return addr
}

// trusted reports whether addr is one of the operator's reverse proxies.
func (s *server) trusted(addr netip.Addr) bool {
	for _, n := range s.settings.TrustedProxies {
		if n.Contains(addr) {
			return true
		}
	}
	return false
}

// household is the part of an address that one household has: all of IPv4,
// the /64 of IPv6.
func household(addr netip.Addr) string {
	if addr.Is6() {
		if p, err := addr.Prefix(64); err == nil {
			return p.String()
		}
	}
	return addr.String()
}
