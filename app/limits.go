package app

import (
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"appliance/svc"
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
	"registrations":    {20, time.Hour},        // from one address, done or refused
	"writes":           {120, time.Minute},     // of a member
	"reads":            {600, time.Minute},     // of a member
}

// maxBuckets is how many are kept before those least spent are thrown away.
const maxBuckets = 10000

// limiter counts in memory what members and addresses do. All it keeps of a
// bucket is when it will be full again.
type limiter struct {
	now    func() time.Time
	limits map[string]limit

	mu   sync.Mutex
	full map[bucketKey]time.Time
}

type bucketKey struct{ limit, who string }

func newLimiter(now func() time.Time, changed map[string]int) *limiter {
	l := &limiter{now: now, limits: make(map[string]limit), full: make(map[bucketKey]time.Time)}
	for name, usual := range usualLimits {
		if n, ok := changed[name]; ok {
			usual.n = n
		}
		l.limits[name] = usual
	}
	return l
}

// refill is how long one takes to be in the bucket again.
func (l limit) refill() time.Duration { return l.per / time.Duration(l.n) }

// take takes one out of the bucket, or returns when there will be one again.
func (l *limiter) take(name, who string) error {
	lim := l.limits[name]
	if lim.n <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now, key := l.now(), bucketKey{name, who}
	full, there := l.full[key]
	switch empty := now.Add(lim.per); {
	case full.Before(now):
		full = now
	case full.After(empty): // the clock was put back
		full = empty
		l.full[key] = full
	}
	full = full.Add(lim.refill())
	if wait := full.Sub(now) - lim.refill()*time.Duration(lim.n); wait > 0 {
		return tooOften(wait)
	}
	if !there {
		makeRoom(l.full, maxBuckets, time.Time.Before)
	}
	l.full[key] = full
	return nil
}

// give puts one back that was taken for nothing.
func (l *limiter) give(name, who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := bucketKey{name, who}
	if full, there := l.full[key]; there {
		l.full[key] = full.Add(-l.limits[name].refill())
	}
}

func tooOften(wait time.Duration) error {
	e := svc.Errorf(svc.RateLimited, "That was too often. Wait a moment and try again.")
	e.RetryAfter = wait
	return e
}

// makeRoom deletes an entry of a full map: the least of a few, whichever they
// are. Looking at all of them would be work that strangers can cause, and
// clearing the map would forget what it is for.
func makeRoom[K comparable, V any](m map[K]V, size int, less func(a, b V) bool) {
	if len(m) < size {
		return
	}
	var least K
	seen := 0
	for key, v := range m { // begins anywhere
		if seen == 0 || less(v, m[least]) {
			least = key
		}
		if seen++; seen == 32 {
			break
		}
	}
	delete(m, least)
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

// forwarded reports whether a program on this machine passes the request on
// for somebody whose address is not known, since it is not one of our proxies.
// The address is then everybody's who comes by it.
func (s *server) forwarded(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	peer, h := from.Addr().Unmap(), r.Header
	return err == nil && peer.IsLoopback() && !s.trusted(peer) && (h.Get("X-Forwarded-For") != "" || h.Get("Forwarded") != "")
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
