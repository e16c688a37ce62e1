package limits

import (
	"crypto/sha256"
	"net/http"
	"sync"
	"time"

	"appliance/svc"
	"appliance/svc/identity"
)

// Guard protects secrets against guessing. It limits wrong attempts by account
// and by address, and the password hashes computed at the same time for one
// address.
//
// A client with an outdated password repeats it for days. That is no guessing,
// so each wrong secret counts once.
type Guard struct {
	proxies Proxies
	rates   *Limiter
	hashing *Concurrency // by address

	mu      sync.Mutex
	failed  map[attempt]time.Time // time of the last failure
	pending map[attempt]*trial
}

// attempt is one secret for one account from one address.
type attempt struct {
	account, from string
	shared        bool              // from is the address of many clients
	secret        [sha256.Size]byte // hash of the account's state and the secret
}

// trial is an attempt in progress. Several requests may make it at once.
type trial struct {
	requests int
	charged  bool // tokens were taken for it
	wrong    bool
}

const (
	// failureMemory is the time after which a wrong secret counts again.
	failureMemory = 15 * time.Minute
	// Within failurePause, a wrong secret is rejected without a check, so that
	// repeating it costs no password hash.
	failurePause = time.Minute
	maxFailures  = 10000
)

// Concurrent and waiting password hashes for one address. Without a limit a
// few hundred connections from one address could occupy the hasher.
const (
	hashesRunning = 1
	hashesWaiting = 29
)

// NewGuard returns a Guard that takes its tokens from rates.
func NewGuard(rates *Limiter, proxies Proxies) *Guard {
	return &Guard{
		proxies: proxies, rates: rates, hashing: NewConcurrency(hashesRunning, hashesWaiting),
		failed: make(map[attempt]time.Time), pending: make(map[attempt]*trial),
	}
}

// Hash runs fn, which computes a password hash, within the concurrency limit
// of the client's address.
func (g *Guard) Hash(r *http.Request, fn func() error) error {
	release, err := g.hashing.Acquire(r.Context(), Prefix(g.proxies.ClientAddr(r)))
	if err != nil {
		return err
	}
	defer release()
	return fn()
}

// Try calls check, which verifies a secret for the account, unless there were
// too many wrong attempts. The tokens are taken before the check and returned
// if the secret was not wrong; parallel guesses are therefore limited like
// sequential ones. A secret that was wrong within the last minute is rejected
// with refusal and not checked; if refusal is nil, it is always checked.
func (g *Guard) Try(r *http.Request, account identity.Account, secret string, refusal error, check func() error) error {
	addr := g.proxies.ClientAddr(r)
	a := attempt{
		account: account.Name, from: Prefix(addr), shared: !addr.IsValid() || g.proxies.Unnamed(r),
		secret: sha256.Sum256([]byte(account.State + "\x00" + secret)),
	}
	recent, err := g.begin(a, refusal != nil)
	if err != nil {
		return err
	}
	if recent {
		return refusal
	}
	defer func() { g.end(a, err) }()
	err = check()
	return err
}

// begin registers the attempt and takes its tokens. With pause it reports
// whether the same attempt failed within failurePause; that one is not
// registered.
func (g *Guard) begin(a attempt, pause bool) (recent bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	last, known := g.failed[a]
	age := g.rates.now().Sub(last)
	known = known && age < failureMemory
	if known && pause && age < failurePause {
		return true, nil
	}
	t := g.pending[a]
	if t == nil {
		if !known {
			if err := g.take(a); err != nil {
				return false, err
			}
		}
		t = &trial{charged: !known}
		g.pending[a] = t
	}
	t.requests++
	return false, nil
}

// end records the result of an attempt. An error that is not about the secret,
// for example that the server is busy, does not count as a failure.
func (g *Guard) end(a attempt, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.pending[a]
	switch svc.KindOf(err) {
	case svc.Anonymous, svc.Unprocessable, svc.Missing:
		t.wrong = true
		if _, exists := g.failed[a]; !exists {
			evictOne(g.failed, maxFailures)
		}
		g.failed[a] = g.rates.now()
	}
	if t.requests--; t.requests > 0 {
		return
	}
	delete(g.pending, a)
	if t.charged && !t.wrong {
		g.giveBack(a)
	}
}

// take takes the tokens of an attempt. A shared address is not limited,
// because one client could then lock out all the others; the limit of each
// account still applies. An empty bucket also rejects the right secret:
// otherwise it would not limit guessing.
func (g *Guard) take(a attempt) error {
	if err := g.rates.Take(Failures, a.account+" "+a.from); err != nil || a.shared {
		return err
	}
	err := g.rates.Take(FailuresByAddress, a.from)
	if err != nil {
		g.rates.Return(Failures, a.account+" "+a.from)
	}
	return err
}

func (g *Guard) giveBack(a attempt) {
	g.rates.Return(Failures, a.account+" "+a.from)
	if !a.shared {
		g.rates.Return(FailuresByAddress, a.from)
	}
}
