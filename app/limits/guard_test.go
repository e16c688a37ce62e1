package limits

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/identity"
)

var errWrong = svc.Errorf(svc.InvalidCredentials, "wrong")

// guardFixture is a Guard that allows 3 failures per account and address, and 5 per
// address, within 15 minutes.
type guardFixture struct {
	*Guard
	clock   *storetest.Clock
	checked int // number of checks
}

func newGuardFixture(proxies ...netip.Prefix) *guardFixture {
	clock := storetest.NewClock()
	rates := NewLimiter(clock.Now, map[string]int{Failures: 3, FailuresByAddress: 5})
	return &guardFixture{Guard: NewGuard(rates, proxies), clock: clock}
}

// try tries a secret for an account from an address. The right secret is "right".
func (f *guardFixture) try(from, account, secret string) error {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = from
	return f.Try(r, identity.Account{Name: account}, secret, errWrong, func() error {
		f.checked++
		if secret != "right" {
			return errWrong
		}
		return nil
	})
}

func wantKind(t *testing.T, name string, err error, want svc.Kind) {
	t.Helper()
	if got := svc.KindOf(err); err == nil || got != want {
		t.Errorf("%s: got %v, want kind %d", name, err, want)
	}
}

const homeAddr, otherAddr = "192.0.2.1:1000", "192.0.2.2:1000"

func TestWrongSecretsAreLimitedByAccountAndAddress(t *testing.T) {
	f := newGuardFixture()
	for i := range 3 {
		wantKind(t, "wrong secret", f.try(homeAddr, "ann", fmt.Sprint(i)), svc.Anonymous)
	}
	wantKind(t, "fourth wrong secret", f.try(homeAddr, "ann", "4"), svc.TooMany)
	wantKind(t, "right secret after the limit", f.try(homeAddr, "ann", "right"), svc.TooMany)
	if err := f.try(otherAddr, "ann", "right"); err != nil {
		t.Errorf("right secret from another address: %v, want no error", err)
	}
	for i := range 2 {
		wantKind(t, "wrong secret of another account", f.try(homeAddr, fmt.Sprint("m", i), "x"), svc.Anonymous)
	}
	wantKind(t, "sixth failure from the address", f.try(homeAddr, "bea", "x"), svc.TooMany)
	f.clock.Advance(15 * time.Minute)
	if err := f.try(homeAddr, "ann", "right"); err != nil {
		t.Errorf("after the period: %v, want no error", err)
	}
}

func TestRightSecretsTakeNoTokens(t *testing.T) {
	f := newGuardFixture()
	for i := range 20 {
		if err := f.try(homeAddr, "ann", "right"); err != nil {
			t.Fatalf("attempt %d: %v, want no error", i+1, err)
		}
	}
}

// Clients repeat an outdated password for days.
func TestRepeatedWrongSecretCountsOnceAndIsNotCheckedForAMinute(t *testing.T) {
	f := newGuardFixture()
	for range 10 {
		wantKind(t, "repeated secret", f.try(homeAddr, "ann", "old"), svc.Anonymous)
	}
	if f.checked != 1 {
		t.Errorf("within a minute: got %d checks, want 1", f.checked)
	}
	for range 10 {
		f.clock.Advance(time.Minute)
		wantKind(t, "secret repeated every minute", f.try(homeAddr, "ann", "old"), svc.Anonymous)
	}
	if f.checked != 11 {
		t.Errorf("after 10 minutes: got %d checks, want 11", f.checked)
	}
	if err := f.try(homeAddr, "ann", "right"); err != nil {
		t.Errorf("right secret: %v, want no error", err)
	}
}

func TestFailuresThatAreNotAboutTheSecretDoNotCount(t *testing.T) {
	f := newGuardFixture()
	busy := errors.New("busy")
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = homeAddr
	for i := range 20 {
		err := f.Try(r, identity.Account{Name: "ann"}, fmt.Sprint(i), errWrong, func() error { return busy })
		if !errors.Is(err, busy) {
			t.Fatalf("attempt %d: got %v, want %v", i+1, err, busy)
		}
	}
}

func TestParallelGuessesAreLimitedLikeSequentialOnes(t *testing.T) {
	f := newGuardFixture()
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = homeAddr
	var guesses sync.WaitGroup
	started, end := make(chan struct{}, 20), make(chan struct{})
	errs := make([]error, 20)
	for i := range errs {
		guesses.Go(func() {
			errs[i] = f.Try(r, identity.Account{Name: "ann"}, fmt.Sprint(i), errWrong, func() error {
				started <- struct{}{}
				<-end
				return errWrong
			})
			if svc.KindOf(errs[i]) == svc.TooMany {
				started <- struct{}{}
			}
		})
	}
	for range errs {
		<-started
	}
	close(end)
	guesses.Wait()
	checked := 0
	for _, err := range errs {
		if svc.KindOf(err) == svc.Anonymous {
			checked++
		}
	}
	if checked != 3 {
		t.Errorf("got %d checked guesses of 20 at the same time, want 3", checked)
	}
	if n := len(f.pending); n != 0 {
		t.Errorf("got %d pending attempts after all ended, want 0", n)
	}
}

// All clients of a proxy that is not trusted share one address.
func TestSharedAddressIsNotLimited(t *testing.T) {
	f := newGuardFixture()
	forwarded := func(account, secret string) error {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = "127.0.0.1:1000"
		r.Header = http.Header{"X-Forwarded-For": {"198.51.100.7"}}
		return f.Try(r, identity.Account{Name: account}, secret, errWrong, func() error { return errWrong })
	}
	for i := range 10 {
		wantKind(t, "other account", forwarded(fmt.Sprint("m", i), "x"), svc.Anonymous)
	}
	for i := range 3 {
		wantKind(t, "same account", forwarded("ann", fmt.Sprint(i)), svc.Anonymous)
	}
	wantKind(t, "same account after the limit", forwarded("ann", "4"), svc.TooMany)
}

func TestForwardedUntrustedReportsOnlyLocalProxies(t *testing.T) {
	for _, c := range []struct {
		remote, header string
		proxies        Proxies
		want           bool
	}{
		{"127.0.0.1:1", "X-Forwarded-For", nil, true},
		{"[::1]:1", "Forwarded", nil, true},
		{"127.0.0.1:1", "X-Other", nil, false},
		{"192.0.2.1:1", "X-Forwarded-For", nil, false},
		{"127.0.0.1:1", "X-Forwarded-For", Proxies{netip.MustParsePrefix("127.0.0.0/8")}, false},
		{"@", "X-Forwarded-For", nil, false},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		r.Header.Set(c.header, "198.51.100.7")
		if got := c.proxies.ForwardedUntrusted(r); got != c.want {
			t.Errorf("%s with %s and proxies %v: got %t, want %t", c.remote, c.header, c.proxies, got, c.want)
		}
	}
}

func TestHashesOfOneAddressRunOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newGuardFixture()
		started, end := make(chan string, 3), make(chan struct{})
		var hashes sync.WaitGroup
		hash := func(from string) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = from
			hashes.Go(func() {
				err := f.Hash(r, func() error {
					started <- from
					<-end
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
			synctest.Wait() // until the hash runs or waits
		}
		hash(homeAddr)
		hash(homeAddr)
		hash(otherAddr) // runs, although the second hash for homeAddr waits
		if first, second, more := <-started, <-started, len(started); first != homeAddr || second != otherAddr || more != 0 {
			t.Errorf("got hashes for %s, %s and %d more running, want one for %s and one for %s", first, second, more, homeAddr, otherAddr)
		}
		close(end)
		hashes.Wait()
	})
}

func TestDailyAllowsOneEventPerDay(t *testing.T) {
	var d Daily
	for _, c := range []struct {
		after time.Duration
		want  bool
	}{{0, true}, {time.Hour, false}, {24*time.Hour - 1, false}, {24 * time.Hour, true}, {25 * time.Hour, false}, {48 * time.Hour, true}} {
		if got := d.Allow(storetest.Start.Add(c.after)); got != c.want {
			t.Errorf("after %v: got %t, want %t", c.after, got, c.want)
		}
	}
}

// tryFrom tries a different secret for ann from each of the networks and returns
// the number of attempts that were checked. Ann has signed in from the networks in
// known.
func (f *guardFixture) tryFrom(networks []string, secret string, known ...string) (checked int) {
	before := f.checked
	for i, network := range networks {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = network + ".1:1000"
		guess := secret + fmt.Sprint(f.checked, i)
		_ = f.Try(r, identity.Account{Name: "ann", Networks: known}, guess, nil, func() error {
			f.checked++
			if secret == "right" {
				return nil
			}
			return errWrong
		})
	}
	return f.checked - before
}

// networks returns the first three numbers of n IPv4 /24 networks.
func networks(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf("10.%d.%d", i/256, i%256))
	}
	return list
}

// Covers B-100.
func TestGuessesOverManyAddressesAreSlowedDown(t *testing.T) {
	f := newGuardFixture()
	if got := f.tryFrom(networks(20), "wrong"); got != 20 {
		t.Errorf("first attempts: got %d checks, want 20", got)
	}
	const seconds = 30
	checked := 0
	for range seconds {
		checked += f.tryFrom(networks(200)[20:60], "wrong")
		f.clock.Advance(time.Second)
	}
	if checked < 1 || checked > seconds/10+1 {
		t.Errorf("got %d checks in %d seconds from other networks, want one in ten seconds", checked, seconds)
	}
	if got := f.tryFrom([]string{"192.0.2"}, "right", "192.0.2.0/24"); got != 1 {
		t.Error("known network: got the attempt rejected, want it checked")
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "10.9.9.1:1000"
	f.sampler.opens["ann"] = f.clock.Now().Add(time.Second)
	err := f.Try(r, identity.Account{Name: "ann"}, "wrong", nil, func() error { return errWrong })
	wantKind(t, "other network", err, svc.TooMany)
	var e *svc.Error
	if !errors.As(err, &e) || e.RetryAfter != sampleInterval {
		t.Errorf("got %v, want to try again in %v", err, sampleInterval)
	}
	f.clock.Advance(15 * time.Minute)
	if got := f.tryFrom(networks(100)[80:], "wrong"); got != 20 {
		t.Errorf("after the period: got %d checks, want 20", got)
	}
}

// The time at which the sampler admits an attempt is random within the interval and does not
// depend on the attempts.
func TestSamplerAdmitsAtARandomTimeOncePerInterval(t *testing.T) {
	l, now := newAttemptSampler(), storetest.Start
	openSeconds := make(map[int]bool)
	admitted := 0
	for range 30000 {
		if l.admit("ann", now) {
			admitted++
			openSeconds[now.Second()%10] = true
		}
		now = now.Add(100 * time.Millisecond)
	}
	if admitted < 280 || admitted > 301 {
		t.Errorf("got %d attempts in 300 intervals, want about one in each", admitted)
	}
	if len(openSeconds) != 10 {
		t.Errorf("got %d different seconds, want 10", len(openSeconds))
	}
	if l.admit("ann", now.Add(-time.Hour)); l.opens["ann"].After(now) {
		t.Errorf("the clock was set back: got the next admission at %v, want none after %v", l.opens["ann"], now)
	}
}
