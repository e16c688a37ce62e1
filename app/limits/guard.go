package limits

import (
	"crypto/sha256"
	"net/http"
	"slices"
	"sync"
	"time"

	"appliance/svc"
	"appliance/svc/identity"
)

// Guard protects secrets against guessing. It limits wrong attempts by account
// and by address, and the password hashes computed at the same time for one
// address.
//
// A client with an outdated password repeats it for days, which is not guessing.
// Therefore each wrong secret counts once.
type Guard struct {
	proxies Proxies
	rates   *Limiter
	hashing *Concurrency // by address

	mu      sync.Mutex
	failed  map[attempt]time.Time // time of the last failure
	pending map[attempt]*trial
	sampler attemptSampler // for accounts with failures at many addresses
}

// attempt is one secret for one account from one address.
type attempt struct {
	account, from string
	shared        bool              // from is the address of many clients
	known         bool              // failures at other addresses do not limit the attempt
	secret        [sha256.Size]byte // hash of the account's state and the secret
}

// trial is the state of an attempt in progress. Several requests may make the same
// attempt at once.
type trial struct {
	requests       int
	charged        bool // tokens were taken for the attempt
	accountCharged bool // a token of the account was taken, too
	wrong          bool
}

const (
	// failureMemory is the time after which a wrong secret counts again.
	failureMemory = 15 * time.Minute
	// Within failurePause, a wrong secret is rejected without a check, so that
	// repeating it costs no password hash.
	failurePause = time.Minute
	maxFailures  = 10000
)

// Limits of running and waiting password hashes for one address. Without them, a
// few hundred connections from one address could delay the sign-ins from all other
// addresses.
const (
	maxRunningHashes = 1
	maxWaitingHashes = 29
)

// NewGuard returns a Guard that takes its tokens from rates.
func NewGuard(rates *Limiter, proxies Proxies) *Guard {
	return &Guard{
		proxies: proxies, rates: rates, hashing: NewConcurrency(Capacity{Each: maxRunningHashes, Waiting: maxWaitingHashes}),
		failed: make(map[attempt]time.Time), pending: make(map[attempt]*trial), sampler: newAttemptSampler(),
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

// Try calls check, which verifies a secret for the account, unless there were too
// many wrong attempts. The tokens are taken before the check and returned if the
// secret was not wrong; parallel guesses are therefore limited like sequential
// ones. A secret that was wrong within the last minute is rejected with refusal and
// not checked. If refusal is nil, every secret is checked.
func (g *Guard) Try(r *http.Request, account identity.Account, secret string, refusal error, check func() error) error {
	addr := g.proxies.ClientAddr(r)
	a := attempt{
		account: account.Name, from: Prefix(addr), shared: !addr.IsValid() || g.proxies.ForwardedUntrusted(r),
		secret: sha256.Sum256([]byte(account.State + "\x00" + secret)),
		known:  account.Code || slices.Contains(account.Networks, identity.Network(addr)),
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

// begin registers the attempt and takes its tokens. If pause is set and the same
// attempt failed within failurePause, it does nothing and returns recent = true.
func (g *Guard) begin(a attempt, pause bool) (recent bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	last, failed := g.failed[a]
	age := g.rates.now().Sub(last)
	failed = failed && age < failureMemory
	if failed && pause && age < failurePause {
		return true, nil
	}
	t := g.pending[a]
	if t == nil {
		t = &trial{charged: !failed}
		if !failed {
			if err := g.take(a, t); err != nil {
				return false, err
			}
		}
		g.pending[a] = t
	}
	t.requests++
	return false, nil
}

// end records the result of an attempt. An error that does not concern the secret,
// for example because the server is busy, does not count as a failure.
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
		g.refund(a, t)
	}
}

// take takes the tokens of an attempt. Attempts from a shared address are limited
// only by account: with a limit for the address, one client could lock out all the
// others. An empty bucket also rejects the right secret; otherwise guessing would
// not be limited.
func (g *Guard) take(a attempt, t *trial) error {
	if err := g.rates.Take(Failures, a.account+" "+a.from); err != nil {
		return err
	}
	if !a.shared {
		if err := g.rates.Take(FailuresByAddress, a.from); err != nil {
			g.rates.Return(Failures, a.account+" "+a.from)
			return err
		}
	}
	if err := g.takeAccountToken(a, t); err != nil {
		g.refund(a, t)
		return err
	}
	return nil
}

// takeAccountToken takes a token of the account. If none is left, because there
// were failures at many addresses, attempts from networks where the member has
// signed in before still pass, and one attempt from other networks passes in each
// sampleInterval. One-time codes belong to no account and always pass.
func (g *Guard) takeAccountToken(a attempt, t *trial) error {
	if g.rates.Take(FailuresByAccount, a.account) == nil {
		t.accountCharged = true
		return nil
	}
	if a.known || g.sampler.admit(a.account, g.rates.now()) {
		return nil
	}
	return rateLimitError("attempts", sampleInterval)
}

// refund puts the tokens of an attempt back.
func (g *Guard) refund(a attempt, t *trial) {
	g.rates.Return(Failures, a.account+" "+a.from)
	if !a.shared {
		g.rates.Return(FailuresByAddress, a.from)
	}
	if t.accountCharged {
		g.rates.Return(FailuresByAccount, a.account)
	}
}
