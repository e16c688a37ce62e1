package limits

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"

	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/identity"
)

var errWrong = svc.Errorf(svc.InvalidCredentials, "wrong")

// guardFixture is a Guard with 3 failures per account and address, and 5 per
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

// try tries a secret for an account. The right secret is "right".
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

const home, other = "192.0.2.1:1000", "192.0.2.2:1000"

func TestWrongSecretsAreLimitedByAccountAndAddress(t *testing.T) {
	f := newGuardFixture()
	for i := range 3 {
		wantKind(t, "wrong secret", f.try(home, "ann", fmt.Sprint(i)), svc.Anonymous)
	}
	wantKind(t, "fourth wrong secret", f.try(home, "ann", "4"), svc.TooMany)
	wantKind(t, "right secret after the limit", f.try(home, "ann", "right"), svc.TooMany)
	if err := f.try(other, "ann", "right"); err != nil {
		t.Errorf("right secret from another address: %v, want no error", err)
	}
	for i := range 2 {
		wantKind(t, "wrong secret of another account", f.try(home, fmt.Sprint("m", i), "x"), svc.Anonymous)
	}
	wantKind(t, "sixth failure from the address", f.try(home, "bea", "x"), svc.TooMany)
	f.clock.Advance(15 * time.Minute)
	if err := f.try(home, "ann", "right"); err != nil {
		t.Errorf("after the period: %v, want no error", err)
	}
}

func TestRightSecretsTakeNoTokens(t *testing.T) {
	f := newGuardFixture()
	for i := range 20 {
		if err := f.try(home, "ann", "right"); err != nil {
			t.Fatalf("attempt %d: %v, want no error", i+1, err)
		}
	}
}

// Clients repeat an outdated password for days.
func TestRepeatedWrongSecretCountsOnceAndIsNotCheckedForAMinute(t *testing.T) {
	f := newGuardFixture()
	for range 10 {
		wantKind(t, "repeated secret", f.try(home, "ann", "old"), svc.Anonymous)
	}
	if f.checked != 1 {
		t.Errorf("within a minute: got %d checks, want 1", f.checked)
	}
	for range 10 {
		f.clock.Advance(time.Minute)
		wantKind(t, "secret repeated every minute", f.try(home, "ann", "old"), svc.Anonymous)
	}
	if f.checked != 11 {
		t.Errorf("after 10 minutes: got %d checks, want 11", f.checked)
	}
	if err := f.try(home, "ann", "right"); err != nil {
		t.Errorf("right secret: %v, want no error", err)
	}
}

func TestFailuresThatAreNotAboutTheSecretDoNotCount(t *testing.T) {
	f := newGuardFixture()
	busy := errors.New("busy")
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = home
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
	r.RemoteAddr = home
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

// All clients of a proxy that is not named share one address.
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

func TestUnnamedReportsOnlyLocalProxiesThatAreNotTrusted(t *testing.T) {
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
		if got := c.proxies.Unnamed(r); got != c.want {
			t.Errorf("%s with %s and proxies %v: got %t, want %t", c.remote, c.header, c.proxies, got, c.want)
		}
	}
}

func TestHashesOfOneAddressRunOneAtATime(t *testing.T) {
	f := newGuardFixture()
	started, end := make(chan struct{}, 2), make(chan struct{})
	var hashes sync.WaitGroup
	hash := func(from string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = from
		hashes.Go(func() {
			err := f.Hash(r, func() error {
				started <- struct{}{}
				<-end
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	hash(home)
	<-started
	hash(home)
	for f.hashing.users("192.0.2.1") < 2 {
		runtime.Gosched()
	}
	hash(other)
	<-started // of the other address, although the second of home waits
	if got := len(started); got != 0 {
		t.Errorf("got %d more hashes running for one address, want 0", got)
	}
	close(end)
	hashes.Wait()
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
