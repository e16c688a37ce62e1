package limits

import (
	"math/rand/v2"
	"time"
)

// sampleInterval is the time in which an attemptSampler admits one attempt for each account.
const sampleInterval = 10 * time.Second

// attemptSampler admits one attempt per account in each sampleInterval. It draws a
// random time within each interval and admits the first attempt after that time, so
// that an attacker cannot time attempts to be admitted before those of the member. It
// rejects other attempts instead of delaying them.
type attemptSampler struct {
	opens map[string]time.Time // by account; the time from which the next attempt is admitted
}

func newAttemptSampler() attemptSampler { return attemptSampler{make(map[string]time.Time)} }

// admit reports whether an attempt for the account may pass now.
func (l attemptSampler) admit(account string, now time.Time) bool {
	opens, exists := l.opens[account]
	if !exists || opens.Sub(now) > 2*sampleInterval { // the first attempt, or the clock was set back
		evictOne(l.opens, maxBuckets)
		l.opens[account] = now.Truncate(sampleInterval).Add(rand.N(sampleInterval))
		opens = l.opens[account]
	}
	if now.Before(opens) {
		return false
	}
	next := now.Truncate(sampleInterval).Add(sampleInterval)
	l.opens[account] = next.Add(rand.N(sampleInterval))
	return true
}
