package svc

import (
	"context"
	"errors"
	"sync"
	"testing"
)

// A request ends at the limit of its work, whichever goroutine takes the steps, and its
// steps are charged once for each unit.
func TestWorkIsLimitedAndCharged(t *testing.T) {
	charged := 0
	ctx := WithWork(t.Context(), func() error { charged++; return nil })
	w := WorkOf(ctx)
	if err := w.Take(WorkUnit - 1); err != nil || charged != 0 {
		t.Errorf("less than a unit: got %v and %d charges, want none", err, charged)
	}
	if err := WorkOf(ctx).Take(3 * WorkUnit); err != nil || charged != 3 {
		t.Errorf("four units but one step: got %v and %d charges, want 3", err, charged)
	}
	if got, want := w.Left(), MaxWork-4*WorkUnit+1; got != want {
		t.Errorf("got %d steps left, want %d", got, want)
	}
	if err := w.Take(w.Left()); err != nil || charged != MaxWork/WorkUnit {
		t.Errorf("all steps: got %v and %d charges, want %d", err, charged, MaxWork/WorkUnit)
	}
	if err := w.Take(1); !errors.Is(err, ErrTooMuchWork) || w.Left() != 0 {
		t.Errorf("beyond the limit: got %v, %d left, want ErrTooMuchWork", err, w.Left())
	}
}

func TestChargeAndEndOfContextEndTheRequest(t *testing.T) {
	errCharge := errors.New("charge")
	w := WorkOf(WithWork(t.Context(), func() error { return errCharge }))
	if err := w.Take(1); err != nil {
		t.Errorf("a small request: got %v", err)
	}
	if err := w.Take(WorkUnit); !errors.Is(err, errCharge) {
		t.Errorf("got %v, want the error of charge", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	without := WorkOf(ctx)
	if err := without.Take(MaxWork); err != nil {
		t.Errorf("without a request: got %v", err)
	}
	cancel()
	if err := without.Take(1); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: got %v, want context.Canceled", err)
	}
}

func TestGoroutinesShareTheWork(t *testing.T) {
	var mu sync.Mutex
	charged := 0
	ctx := WithWork(t.Context(), func() error {
		mu.Lock()
		defer mu.Unlock()
		charged++
		return nil
	})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				if err := WorkOf(ctx).Take(1000); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got, want := WorkOf(ctx).Left(), MaxWork-8_000_000; got != want || charged != 8_000_000/WorkUnit {
		t.Errorf("got %d steps left and %d charges, want %d and %d", got, charged, want, 8_000_000/WorkUnit)
	}
}
