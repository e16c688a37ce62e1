package app

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"time"
)

// failures slows down whoever guesses passwords (B-81). A program that was
// given a wrong password repeats it for days, which guesses nothing: one wrong
// password counts once.
type failures struct {
	limits *limiter

	mu   sync.Mutex
	seen map[attempt]time.Time // when it last failed
}

// attempt stands for a login, a password, the account they were meant for as
// it stood, and where they came from.
type attempt [sha256.Size]byte

const (
	// failureMemory is how long a wrong password is known as that one.
	failureMemory = 15 * time.Minute
	// failurePause is how long it is refused without looking, so that
	// repeating it costs the server nothing.
	failurePause = time.Minute
	maxFailures  = 10000
)

func newFailures(limits *limiter) *failures {
	return &failures{limits: limits, seen: make(map[attempt]time.Time)}
}

// try is one attempt to sign in.
type try struct {
	login, from string
	attempt     attempt
	known       bool // it has failed before, so it is not counted again
}

func (s *server) newTry(r *http.Request, login, password, account string) try {
	from := household(s.clientAddr(r))
	login = strings.ToLower(strings.TrimSpace(login))
	return try{login: login, from: from, attempt: sha256.Sum256([]byte(from + "\x00" + account + "\x00" + login + "\x00" + password))}
}

// before decides whether the attempt may be made at all. wrong reports that
// it need not be: it was wrong a moment ago.
func (f *failures) before(t *try) (wrong bool, err error) {
	f.mu.Lock()
	last, seen := f.seen[t.attempt]
	f.mu.Unlock()
	age := f.limits.now().Sub(last)
	t.known = seen && age < failureMemory
	if t.known && age < failurePause {
		return true, nil
	}
	if t.known {
		return false, nil
	}
	if err := f.limits.check("failures", t.login+" "+t.from); err != nil {
		return false, err
	}
	return false, f.limits.check("failures-address", t.from)
}

// failed counts an attempt that failed.
func (f *failures) failed(t try) {
	f.mu.Lock()
	now := f.limits.now()
	if len(f.seen) >= maxFailures {
		for a, last := range f.seen {
			if now.Sub(last) >= failureMemory {
				delete(f.seen, a)
			}
		}
	}
	if len(f.seen) < maxFailures {
		f.seen[t.attempt] = now
	}
	f.mu.Unlock()
	if !t.known {
		_ = f.limits.take("failures", t.login+" "+t.from)
		_ = f.limits.take("failures-address", t.from)
	}
}
