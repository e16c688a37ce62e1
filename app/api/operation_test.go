package api_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
)

// Covers B-88.
func TestRepeatedIdempotencyKeyReplaysTheResponse(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann").With("Idempotency-Key", "k1"), h.Member("bea").With("Idempotency-Key", "k1")
	var all sync.WaitGroup
	bodies := make([]string, 8)
	for i := range bodies {
		all.Go(func() { bodies[i] = ann.Do("POST", "/world/calendars", `{"name": "Once"}`).Want(201).Body })
	}
	all.Wait()
	if len(slices.Compact(bodies)) != 1 {
		t.Errorf("got different responses %q, want the same", bodies)
	}
	ann.Do("POST", "/world/calendars", `{"name": "Other"}`).WantError(422, "idempotency_key_reused")
	ann.With("Idempotency-Key", strings.Repeat("x", 200)).Do("POST", "/world/calendars", `{"name": "Other"}`).WantError(422, "idempotency_key_reused")
	bea.Do("POST", "/world/calendars", `{"name": "Bea's"}`).Want(201)
	if n := len(ann.Do("GET", "/world/calendars").List("calendars")); n != 2 {
		t.Errorf("got %d calendars, want 2", n)
	}
	// Errors are not stored: a corrected request can use the same key.
	ann.With("Idempotency-Key", "k2").Do("POST", "/world/calendars", `{}`).Want(400)
	ann.With("Idempotency-Key", "k2").Do("POST", "/world/calendars", `{"name": "Corrected"}`).Want(201)
	h.Clock.Advance(25 * time.Hour)
	ann.Do("POST", "/world/calendars", `{"name": "A day later"}`).Want(201)
}
