package app

import (
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"appliance/svc"
	"appliance/svc/identity"
)

// failures slows down whoever guesses passwords (B-81). A program that was
// given a wrong password repeats it for days, which guesses nothing: one wrong
// password counts once.
type failures struct {
	limits *limiter

	mu      sync.Mutex
	seen    map[attempt]time.Time // when it last failed
	running map[attempt]*trial
}

// attempt is one secret tried on one account from one address.
type attempt struct {
	account, from string
	shared        bool              // the address is everybody's
	secret        [sha256.Size]byte // with the account as it stood
}

// trial is an attempt under way, by as many requests at once as there are.
type trial struct {
	requests int
	counted  bool // it has taken from the buckets
	wrong    bool
}

const (
	// failureMemory is how long a wrong password is known as that one.
	failureMemory = 15 * time.Minute
	// failurePause is how long it is refused without looking, so that
	// repeating it costs the server nothing.
	failurePause = time.Minute
	maxFailures  = 10000
)

func newFailures(limits *limiter) *failures {
	return &failures{limits: limits, seen: make(map[attempt]time.Time), running: make(map[attempt]*trial)}
}

func (s *server) newAttempt(r *http.Request, account identity.Account, secret string) attempt {
	addr := s.clientAddr(r)
	shared := !addr.IsValid() || s.forwarded(r)
	return attempt{account.Name, household(addr), shared, sha256.Sum256([]byte(account.State + "\x00" + secret))}
}

// try makes an attempt, if it may be made: check looks at the secret. What it
// costs is taken from the buckets before, so that asking many at once is no
// better than one after the other, and given back unless the secret was wrong.
// One that was wrong a moment ago gets the refusal without being looked at; nil
// is for secrets that cost nothing to look at.
func (f *failures) try(a attempt, refusal error, check func() error) error {
	recent, err := f.begin(a, refusal != nil)
	if err != nil {
		return err
	}
	if recent {
		return refusal
	}
	defer func() { f.end(a, err) }()
	err = check()
	return err
}

// begin begins an attempt, unless there were too many or, if pause is set, it
// was wrong a moment ago.
func (f *failures) begin(a attempt, pause bool) (recent bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	last, known := f.seen[a]
	age := f.limits.now().Sub(last)
	known = known && age < failureMemory
	if known && pause && age < failurePause {
		return true, nil
	}
	t := f.running[a]
	if t == nil {
		if !known {
			if err := f.take(a); err != nil {
				return false, err
			}
		}
		t = &trial{counted: !known}
		f.running[a] = t
	}
	t.requests++
	return false, nil
}

// end notes what became of an attempt. An error that is not about the secret,
// such as that of a busy server, says nothing.
func (f *failures) end(a attempt, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.running[a]
	switch svc.KindOf(err) {
	case svc.Anonymous, svc.Unprocessable, svc.Missing:
		t.wrong = true
		if _, there := f.seen[a]; !there {
			makeRoom(f.seen, maxFailures, time.Time.Before)
		}
		f.seen[a] = f.limits.now()
	}
	if t.requests--; t.requests > 0 {
		return
	}
	delete(f.running, a)
	if t.counted && !t.wrong {
		f.giveBack(a)
	}
}

// take takes from the buckets. An address that everybody shares is not held
// against all of them, or one stranger could keep everybody out: there the
// limit of each account has to do. To let whoever knows the password pass an
// empty bucket would be no limit at all.
func (f *failures) take(a attempt) error {
	if err := f.limits.take("failures", a.account+" "+a.from); err != nil || a.shared {
		return err
	}
	err := f.limits.take("failures-address", a.from)
	if err != nil {
		f.limits.give("failures", a.account+" "+a.from)
	}
	return err
}

func (f *failures) giveBack(a attempt) {
	f.limits.give("failures", a.account+" "+a.from)
	if !a.shared {
		f.limits.give("failures-address", a.from)
	}
}
