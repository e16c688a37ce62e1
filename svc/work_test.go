package svc

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
)

// The goroutines of a request share its limit, and each WorkUnit of steps is charged once.
func TestWorkIsLimitedAndCharged(t *testing.T) {
	charged := 0
	ctx := WithWork(t.Context(), MaxWork, testPace{charge: func() error { charged++; return nil }})
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
	w := WorkOf(WithWork(t.Context(), MaxWork, testPace{charge: func() error { return errCharge }}))
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
	ctx := WithWork(t.Context(), MaxWork, testPace{charge: func() error {
		mu.Lock()
		defer mu.Unlock()
		charged++
		return nil
	}})
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

// An import or an export may take nine times as many steps as other requests. Octets that it
// reads or writes are steps, and it ends with the context.
func TestOctetsOfTransfersAreSteps(t *testing.T) {
	request, cancel := context.WithCancel(t.Context())
	charged := 0
	ctx := WithTransferWork(WithWork(request, WorkUnit, testPace{charge: func() error { charged++; return nil }}))
	in := WorkOf(ctx).ReaderAt(strings.NewReader(strings.Repeat("x", 2*WorkUnit)))
	if n, err := in.ReadAt(make([]byte, 2*WorkUnit), 0); n != 2*WorkUnit || err != nil || charged != 2 {
		t.Errorf("reading two units: got %d octets, %v and %d charges, want %d, nil and 2", n, err, charged, 2*WorkUnit)
	}
	out := WorkOf(ctx).Writer(io.Discard, 2)
	for range 6 * WorkUnit / 32 {
		if _, err := io.WriteString(out, strings.Repeat("x", 64)); err != nil {
			t.Fatalf("writing: got %v after %d charges", err, charged)
		}
	}
	if charged != 8 {
		t.Errorf("writing six units: got %d charges, want 8", charged)
	}
	if _, err := io.WriteString(out, strings.Repeat("x", 4*WorkUnit)); !errors.Is(err, ErrTooMuchWork) {
		t.Errorf("beyond the limit: got %v, want ErrTooMuchWork", err)
	}
	cancel()
	if _, err := in.ReadAt(make([]byte, 1), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("reading after the end of the context: got %v, want context.Canceled", err)
	}
}

// testPace is a Pace of functions, which may be nil.
type testPace struct {
	noPace
	charge func() error
	wait   func(steps int) error
}

func (p testPace) Charge() error {
	if p.charge == nil {
		return nil
	}
	return p.charge()
}

func (p testPace) Wait(_ context.Context, steps int) error {
	if p.wait == nil {
		return nil
	}
	return p.wait(steps)
}

// Take and Wait call Pace.Wait, whose error ends the request.
func TestWorkWaits(t *testing.T) {
	waited, errWait := 0, errors.New("wait")
	ctx := WithWork(t.Context(), MaxWork, testPace{wait: func(steps int) error {
		if waited += steps; waited > 5 {
			return errWait
		}
		return nil
	}})
	if err := errors.Join(WorkOf(ctx).Take(2), WorkOf(ctx).Wait(3)); err != nil || waited != 5 {
		t.Errorf("got %v and a wait for %d steps, want 5", err, waited)
	}
	if left := WorkOf(ctx).Left(); left != MaxWork-2 {
		t.Errorf("got %d steps left, want %d", left, MaxWork-2)
	}
	if err := WorkOf(ctx).Take(1); !errors.Is(err, errWait) {
		t.Errorf("got %v, want the error of the wait", err)
	}
}
