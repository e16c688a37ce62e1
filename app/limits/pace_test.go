package limits

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// newPacer returns a Pacer for two processors, with a request of another member in progress.
func newPacer() (p *Pacer, end func()) {
	p = NewPacer(time.Now)
	p.processors = 2
	return p, p.Begin("other")
}

// While another key has requests in progress, a key with several goroutines computes for a
// quarter of the time of all processors.
func TestPacerSpreadsTheComputationOfAKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, end := newPacer()
		defer p.Begin("ann")()
		defer p.Begin("ann")()
		const steps = 1_000_000 // 25 ms
		compute := func() time.Duration {
			begin := time.Now()
			var running sync.WaitGroup
			for range 4 {
				running.Go(func() {
					for range 10 {
						if err := p.Wait(t.Context(), "ann", steps); err != nil {
							t.Error(err)
						}
					}
				})
			}
			running.Wait()
			return time.Since(begin)
		}
		if got, want := compute(), 2*39*steps*stepTime-maxPostponed; got != want {
			t.Errorf("40 million steps of one key: got %v, want %v", got, want)
		}
		begin := time.Now()
		if err := p.Wait(t.Context(), "bea", steps); err != nil || time.Since(begin) != 0 {
			t.Errorf("another key: got %v after %v, want no wait", err, time.Since(begin))
		}
		end()
		end() // no effect
		begin = time.Now()
		compute()
		if time.Since(begin) == 0 {
			t.Error("immediately after a request of another member: got no wait, want one")
		}
		<-time.After(recentPeriod + time.Second)
		if got := compute(); got != 0 {
			t.Errorf("without requests of others: got a wait of %v, want none", got)
		}
	})
}

// The computation for a client that has disconnected counts. Otherwise clients could compute for
// free by closing connections.
func TestEndedWaitCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, end := newPacer()
		defer end()
		defer p.Begin("ann")()
		defer p.Begin("ann")()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := p.Wait(ctx, "ann", 2_000_000); err != nil {
			t.Fatal(err)
		}
		if err := p.Wait(ctx, "ann", 4_000_000); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the end of the context", err)
		}
		begin, want := time.Now(), 300*time.Millisecond-time.Millisecond-maxPostponed
		if err := p.Wait(t.Context(), "ann", 1); err != nil || time.Since(begin) != want {
			t.Errorf("the next request: got %v after %v, want a wait of %v for both", err, time.Since(begin), want)
		}
	})
}

// A key whose goroutines cannot occupy more than half of the processors does not wait.
func TestSequentialRequestsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, end := newPacer()
		defer end()
		for _, c := range []struct {
			processors time.Duration
			goroutines int
			waits      bool
		}{{1, 1, true}, {2, 1, false}, {2, 2, true}, {3, 1, false}, {3, 2, true}, {4, 2, false}, {4, 3, true}} {
			p.processors = c.processors
			key := fmt.Sprint(c)
			for range c.goroutines {
				defer p.Begin(key)()
			}
			p.Add(key, 4_000_000)
			if got := p.Add(key, 0) > 0; got != c.waits {
				t.Errorf("%d processors, %d goroutines: got a wait %t, want %t", c.processors, c.goroutines, got, c.waits)
			}
		}
	})
}
