package davserver

import (
	"context"
	"errors"
	"sync"

	"appliance/svc/identity"
)

// verifications lets concurrent requests with the same credentials from the same
// address share one verification. When a CalDAV client starts, it sends dozens of
// requests at once, each of which would otherwise compute a password hash.
type verifications struct {
	mu      sync.Mutex
	running map[verificationKey]*verification
}

type verificationKey struct {
	credentials identity.CredentialKey
	state       string // state of the account when the request arrived
	from        string // address prefix of the client (see limits.Prefix)
}

// verification is a verification in progress.
type verification struct {
	done   chan struct{} // closed when the result is set
	result identity.DAVAuthentication
	err    error
}

// do returns the result of verify for the key. If a verification of the same key is in
// progress, do waits for its result instead of calling verify.
func (v *verifications) do(ctx context.Context, key verificationKey, verify func() (identity.DAVAuthentication, error)) (identity.DAVAuthentication, error) {
	for {
		v.mu.Lock()
		running := v.running[key]
		if running == nil {
			running = &verification{done: make(chan struct{})}
			if v.running == nil {
				v.running = make(map[verificationKey]*verification)
			}
			v.running[key] = running
			v.mu.Unlock()
			v.run(key, running, verify)
			return running.result, running.err
		}
		v.mu.Unlock()
		select {
		case <-running.done:
		case <-ctx.Done():
			return identity.DAVAuthentication{}, ctx.Err()
		}
		if !errors.Is(running.err, context.Canceled) { // canceled: the client that started it has disconnected
			return running.result, running.err
		}
	}
}

// run calls verify and publishes its result to waiting requests. It also wakes them
// if verify panics.
func (v *verifications) run(key verificationKey, running *verification, verify func() (identity.DAVAuthentication, error)) {
	running.err = context.Canceled // published if verify panics; waiting requests then call verify themselves
	defer func() {
		v.mu.Lock()
		delete(v.running, key)
		v.mu.Unlock()
		close(running.done)
	}()
	running.result, running.err = verify()
}
