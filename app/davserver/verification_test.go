package davserver

import (
	"context"
	"errors"
	"sync"
	"testing"

	"appliance/svc/identity"
)

func TestConcurrentRequestsShareOneVerification(t *testing.T) {
	var v verifications
	key := verificationKey{from: "192.0.2.1"}
	release := make(chan struct{})
	verify := func() (identity.DAVAuthentication, error) {
		<-release
		return identity.DAVAuthentication{Valid: true}, nil
	}
	var requests sync.WaitGroup
	for range 60 {
		requests.Go(func() {
			if a, err := v.do(t.Context(), key, verify); err != nil || !a.Valid {
				t.Errorf("got %+v (%v), want a valid result", a, err)
			}
		})
	}
	for { // wait until the first request verifies
		v.mu.Lock()
		started := len(v.running) == 1
		v.mu.Unlock()
		if started {
			break
		}
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.do(canceled, key, verify); !errors.Is(err, context.Canceled) {
		t.Errorf("a client that disconnects: got %v, want context.Canceled", err)
	}
	close(release)
	requests.Wait()
	if len(v.running) != 0 {
		t.Errorf("got %d verifications in progress, want 0", len(v.running))
	}
}

// If the client of the first request disconnects, another request verifies.
func TestCanceledVerificationIsRepeated(t *testing.T) {
	var v verifications
	key := verificationKey{from: "192.0.2.1"}
	started, release := make(chan struct{}), make(chan struct{})
	var requests sync.WaitGroup
	requests.Go(func() {
		_, err := v.do(t.Context(), key, func() (identity.DAVAuthentication, error) {
			close(started)
			<-release
			return identity.DAVAuthentication{}, context.Canceled
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("first request: got %v, want context.Canceled", err)
		}
	})
	<-started
	requests.Go(func() {
		a, err := v.do(t.Context(), key, func() (identity.DAVAuthentication, error) {
			return identity.DAVAuthentication{Valid: true}, nil
		})
		if err != nil || !a.Valid {
			t.Errorf("second request: got %+v (%v), want a valid result", a, err)
		}
	})
	close(release)
	requests.Wait()
}
