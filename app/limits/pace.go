package limits

import (
	"context"
	"runtime"
	"sync"
	"time"
)

const (
	stepTime     = 25 * time.Nanosecond  // of a step of svc.Work
	maxPostponed = 10 * time.Millisecond // pauses that a key may postpone: most requests need none
	recentPeriod = time.Second           // a client sends its next request within this time
)

// Pacer spreads the computation of each key over time while other keys have requests in
// progress, and for a second after them: the key then computes for at most a quarter of the time
// of all processors. Otherwise the goroutines of one member occupy them all, and each step of a
// small request waits until one of these is preempted, after 10 ms. Unlike a rate limit, a Pacer
// refuses nothing. A key does not wait while no other key has requests, or while its goroutines
// can occupy at most half of the processors: one goroutine on a machine with two.
type Pacer struct {
	now        func() time.Time
	processors time.Duration

	mu        sync.Mutex
	paid      map[string]time.Time // time at which a key has paused for all its computation
	requests  map[string]int       // in progress, with their further goroutines, by key
	all       int                  // in progress
	lastEnded endedRequest         // request that ended last
	lastOther endedRequest         // request of another key that ended last
}

// endedRequest is a request that has ended.
type endedRequest struct {
	key string
	at  time.Time
}

// NewPacer returns a Pacer for the processors of this machine. now is the system clock, to
// which the timers belong.
func NewPacer(now func() time.Time) *Pacer {
	return &Pacer{now: now, processors: time.Duration(runtime.GOMAXPROCS(0)), paid: make(map[string]time.Time), requests: make(map[string]int)}
}

// Begin counts a request of a key, or another goroutine that computes for one, until end is
// called.
func (p *Pacer) Begin(key string) (end func()) {
	p.count(key, 1)
	return sync.OnceFunc(func() { p.count(key, -1) })
}

func (p *Pacer) count(key string, n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.all += n
	if p.requests[key] += n; p.requests[key] == 0 {
		delete(p.requests, key)
	}
	if n < 0 {
		if p.lastEnded.key != key {
			p.lastOther = p.lastEnded
		}
		p.lastEnded = endedRequest{key, p.now()}
	}
}

// isAlone reports whether no other key has, or had recently, a request in progress.
func (p *Pacer) isAlone(key string, now time.Time) bool {
	other := p.lastEnded
	if other.key == key {
		other = p.lastOther
	}
	return p.all == p.requests[key] && now.Sub(other.at) > recentPeriod
}

// Wait waits until the key may compute steps of [svc.Work]. If ctx ends before, it returns
// the error of ctx; the steps count, because they may have been computed before they were
// known.
func (p *Pacer) Wait(ctx context.Context, key string, steps int) error {
	wait := p.Add(key, steps)
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// Add counts steps without a wait, and returns the time that Wait would wait before them. If the
// goroutines of the key can occupy at most half of the processors, Add returns 0 and does not
// count the steps.
func (p *Pacer) Add(key string, steps int) (wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.requests[key] <= int(p.processors)/2 { // earlier computation still counts
		return 0
	}
	now := p.now()
	paid, exists := p.paid[key]
	if !exists {
		evictOne(p.paid, maxBuckets)
	}
	if paid.Before(now) || p.isAlone(key, now) {
		paid = now
	}
	p.paid[key] = paid.Add(time.Duration(steps) * stepTime * 4 / p.processors)
	return paid.Sub(now) - maxPostponed
}
