package app

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"appliance/svc"
)

// A flood from one address fills its own line, and nobody else waits in it.
func TestTurns(t *testing.T) {
	w := newTurns(hashesAtOnce, hashesWaiting)
	var flood sync.WaitGroup
	served, release := make(chan struct{}, hashesAtOnce+hashesWaiting), make(chan struct{})
	for range hashesAtOnce + hashesWaiting {
		flood.Go(func() {
			done, err := w.take(t.Context(), "flood")
			if err != nil {
				t.Error(err)
				return
			}
			served <- struct{}{}
			<-release
			done()
		})
	}
	<-served
	full := func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.lines["flood"].all == hashesAtOnce+hashesWaiting
	}
	for !full() {
		runtime.Gosched() // the others are on their way
	}
	if _, err := w.take(t.Context(), "flood"); svc.KindOf(err) != svc.TooMany {
		t.Errorf("one too many: %v", err)
	}
	done, err := w.take(t.Context(), "somebody else")
	if err != nil {
		t.Fatal(err)
	}
	done()
	if n := len(served); n > 0 {
		t.Errorf("%d more are served at once", n)
	}
	close(release)
	flood.Wait()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.take(t.Context(), "slow"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.take(ended, "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("whoever has gone away: %v", err)
	}
	if len(w.lines) != 1 || w.lines["slow"].all != 1 {
		t.Errorf("lines are left over: %v", w.lines)
	}
}

// An invitation that is none costs no hash, and not many can be tried.
func TestFalseInvitationsAreCheap(t *testing.T) {
	h := open(t)
	hashes := h.identity.Hashes()
	join := func(code string) *answer {
		return h.nobody().do("POST", "/identity/register", map[string]any{"email": "bea@example.org", "password": password, "invite_code": code})
	}
	for range 50 {
		join("always the same").refused(404, "link_expired")
	}
	for i := range 9 {
		join(fmt.Sprint("code ", i)).refused(404, "link_expired")
	}
	join("an eleventh").refused(429, "rate_limited")
	if n := h.identity.Hashes() - hashes; n != 0 {
		t.Errorf("they cost %d hashes", n)
	}
}

// Covers B-81: whoever registers many accounts, or asks for many addresses
// whether they are members', has to wait; a slip in the form costs nothing.
func TestRegistrationsAreLimited(t *testing.T) {
	h := open(t, func(s *Settings) { s.Registration = "open"; s.RateLimits = map[string]int{"registrations": 3} })
	register := func(name, password string) *answer {
		return h.nobody().do("POST", "/identity/register", map[string]any{"email": name + "@example.org", "password": password})
	}
	for range 5 {
		register("ann", "short").refused(422, "weak_password")
	}
	register("ann", password).want(201)
	register("ann", password).refused(409, "already_exists")
	register("bea", password).want(201)
	register("cid", password).refused(429, "rate_limited")
	register("ann", password).refused(429, "rate_limited")
}
