package limits

import (
	"sync"
	"time"

	"appliance/svc"
	"appliance/svc/words"
)

// Names of the rate limits in the setting rate-limits.
const (
	Failures          = "failures"         // wrong secrets for one account from one address
	FailuresByAddress = "failures-address" // wrong secrets from one address
	FailuresByAccount = "failures-account" // wrong secrets for one account from all addresses
	Registrations     = "registrations"    // attempts to register from one address
	Writes            = "writes"           // requests of one member that write
	Reads             = "reads"            // requests of one member that read
	Searches          = "searches"         // searches of one member
	Geocoder          = "geocoder"         // requests of this server to the server that finds places
	Tiles             = "tiles"            // map tiles that one member reads
	Previews          = "previews"         // web pages that one member reads
	Pictures          = "pictures"         // pictures of web pages that one member reads
	Uploads           = "uploads"          // pictures that one member uploads
	Avatars           = "avatars"          // avatars of members and communities that one member reads
	ProviderActions   = "provider-actions" // actions of providers that one member performs
	Work              = "work"             // units of computation for one member (svc.WorkUnit)
)

// rate allows n events per period, either all at once or spread over the period.
type rate struct {
	n      int
	period time.Duration
}

// interval returns the time in which a bucket gains one token.
func (r rate) interval() time.Duration { return r.period / time.Duration(r.n) }

var defaults = map[string]rate{
	Failures:          {10, 15 * time.Minute},
	FailuresByAddress: {30, 15 * time.Minute},
	FailuresByAccount: {20, 15 * time.Minute},
	Registrations:     {20, time.Hour},
	Writes:            {120, time.Minute},
	Reads:             {600, time.Minute},
	Searches:          {30, time.Minute},
	Geocoder:          {1, time.Second},
	Tiles:             {6000, time.Minute},
	Previews:          {30, time.Hour},
	Pictures:          {1200, time.Hour},
	Uploads:           {30, time.Hour},
	Avatars:           {6000, time.Minute},
	ProviderActions:   {30, time.Minute},
	Work:              {9600, time.Minute}, // a quarter of one processor
}

// events contains a plural noun for each limit, for the error messages.
var events = map[string]words.Word{
	Failures:          "attempts",
	FailuresByAddress: "attempts",
	FailuresByAccount: "attempts",
	Registrations:     "attempts",
	Writes:            "requests",
	Reads:             "requests",
	Searches:          "searches",
	Geocoder:          "requests",
	Tiles:             "map tiles",
	Previews:          "previews",
	Pictures:          "pictures",
	Uploads:           "uploads",
	Avatars:           "pictures",
	ProviderActions:   "actions",
	Work:              "large requests",
}

// HasLimit reports whether there is a rate limit with the name.
func HasLimit(name string) bool { _, ok := defaults[name]; return ok }

// Interval returns the time between two events of a limit, 0 if changed lifts it.
func Interval(name string, changed map[string]int) time.Duration {
	r := defaults[name]
	if n, ok := changed[name]; ok {
		r.n = n
	}
	if r.n <= 0 {
		return 0
	}
	return r.interval()
}

// maxBuckets limits the buckets in memory.
const maxBuckets = 10000

// Limiter applies the rate limits. A bucket is represented by the time at
// which it is full again; a bucket that is full has no entry.
type Limiter struct {
	now   func() time.Time
	rates map[string]rate

	mu     sync.Mutex
	fullAt map[bucketKey]time.Time
}

type bucketKey struct{ name, key string }

// NewLimiter returns a Limiter with the default limits, except for those that
// changed sets to another number. The number 0 lifts a limit.
func NewLimiter(now func() time.Time, changed map[string]int) *Limiter {
	l := &Limiter{now: now, rates: make(map[string]rate), fullAt: make(map[bucketKey]time.Time)}
	for name, r := range defaults {
		if n, ok := changed[name]; ok {
			r.n = n
		}
		l.rates[name] = r
	}
	return l
}

// Take takes a token for key from the bucket of the named limit. If the bucket
// is empty, it returns an error with the time until the next token.
func (l *Limiter) Take(name, key string) error {
	r := l.rates[name]
	if r.n <= 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now, k := l.now(), bucketKey{name, key}
	full, exists := l.fullAt[k]
	switch emptied := now.Add(r.period); {
	case full.Before(now):
		full = now
	case full.After(emptied): // the clock was set back
		full = emptied
		l.fullAt[k] = full
	}
	full = full.Add(r.interval())
	if wait := full.Sub(now) - r.interval()*time.Duration(r.n); wait > 0 {
		if name == Work { // a request needs many tokens, so each retry before the bucket is full may fail again
			wait = r.period
		}
		return rateLimitError(events[name], wait)
	}
	if !exists {
		evictOne(l.fullAt, maxBuckets)
	}
	l.fullAt[k] = full
	return nil
}

// Return puts a token back.
func (l *Limiter) Return(name, key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := bucketKey{name, key}
	if full, exists := l.fullAt[k]; exists {
		l.fullAt[k] = full.Add(-l.rates[name].interval())
	}
}

// rateLimitError returns the error for a client that must wait before its next event.
func rateLimitError(events words.Word, wait time.Duration) *svc.Error {
	e := svc.Errorf(svc.RateLimited, "Too many %s. Try again in %s.", events, inWords(wait))
	e.RetryAfter = wait
	return e
}

// inWords returns d as a text, rounded up to whole seconds or minutes.
func inWords(d time.Duration) words.Text {
	if d > 2*time.Minute {
		return words.Textf("%d minutes", int((d+time.Minute-1)/time.Minute))
	}
	return words.Textf("{0, plural, one {# second} other {# seconds}}", int((d+time.Second-1)/time.Second))
}

// evictOne makes room in a map of times if it has size entries: it deletes the
// earliest entry of a random sample. Examining every entry would let
// unauthenticated clients cause much work, and clearing the map would reset all
// limits.
func evictOne[K comparable](m map[K]time.Time, size int) {
	const sample = 32
	if len(m) < size {
		return
	}
	var earliest K
	seen := 0
	for key, at := range m { // iteration starts at a random entry
		if seen == 0 || at.Before(m[earliest]) {
			earliest = key
		}
		if seen++; seen == sample {
			break
		}
	}
	delete(m, earliest)
}

// Daily allows an event once a day. The zero value is ready to use.
type Daily struct {
	mu   sync.Mutex
	last time.Time
}

// Allow reports whether an event is allowed at the time now, that is, whether the
// last allowed event was at least a day earlier.
func (d *Daily) Allow(now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now.Sub(d.last) < 24*time.Hour {
		return false
	}
	d.last = now
	return true
}
