package limits

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"appliance/svc"
)

func TestFullQueueRejectsOnlyItsKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const running, waiting = 1, 29
		c := NewConcurrency(Capacity{Each: running, Waiting: waiting})
		var flood sync.WaitGroup
		started, end := make(chan struct{}, running+waiting), make(chan struct{})
		for range running + waiting {
			flood.Go(func() {
				release, err := c.Acquire(t.Context(), "flood")
				if err != nil {
					t.Error(err)
					return
				}
				started <- struct{}{}
				<-end
				release()
			})
		}
		synctest.Wait() // until one operation runs, and the others wait
		if _, err := c.Acquire(t.Context(), "flood"); svc.KindOf(err) != svc.TooMany {
			t.Errorf("with a full queue: got %v, want TooMany", err)
		}
		release, err := c.Acquire(t.Context(), "other")
		if err != nil {
			t.Fatalf("with another key: %v", err)
		}
		release()
		if got := len(started); got != running {
			t.Errorf("got %d operations running, want %d", got, running)
		}
		close(end)
		flood.Wait()
		if got := c.InUse(); got != 0 {
			t.Errorf("got %d keys in use after all operations ended, want 0", got)
		}
	})
}

func TestCanceledContextLeavesTheQueue(t *testing.T) {
	c := NewConcurrency(Capacity{Each: 1, Waiting: 1})
	release, err := c.Acquire(t.Context(), "slow")
	if err != nil {
		t.Fatal(err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Acquire(canceled, "slow"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if got := c.users("slow"); got != 1 {
		t.Errorf("got %d operations with the key, want 1", got)
	}
	release()
	release() // no effect
	if got := c.InUse(); got != 0 {
		t.Errorf("got %d keys in use, want 0", got)
	}
}

func (c *Concurrency) users(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.keys[key]; s != nil {
		return s.users
	}
	return 0
}

// mustAcquire acquires a weight and fails the test if the weight is not available.
func mustAcquire(t *testing.T, c *Concurrency, key string, weight int64) (release func()) {
	t.Helper()
	release, err := c.AcquireWeight(t.Context(), key, weight)
	if err != nil {
		t.Fatalf("weight %d for %s: %v", weight, key, err)
	}
	return release
}

func TestWeightsAreLimitedByKeyAndInTotal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewConcurrency(Capacity{Each: 4, Total: 10, Waiting: 2, MaxWait: 10 * time.Second})
		first := mustAcquire(t, c, "ann", 3)
		wantRefused := func(key string, weight int64, want svc.Kind, wait time.Duration) {
			t.Helper()
			begin := time.Now()
			_, err := c.AcquireWeight(t.Context(), key, weight)
			var e *svc.Error
			if !errors.As(err, &e) || e.Code.Kind != want || e.RetryAfter <= 0 || !errors.Is(err, ErrCapacity) || time.Since(begin) != wait {
				t.Errorf("weight %d for %s: got %v after %v, want kind %d after %v, with ErrCapacity and RetryAfter", weight, key, err, time.Since(begin), want, wait)
			}
		}
		wantRefused("ann", 2, svc.TooMany, 10*time.Second)
		mustAcquire(t, c, "ann", 1)()
		heavy := mustAcquire(t, c, "bea", 1000) // counts as 4
		wantRefused("bea", 1, svc.TooMany, 10*time.Second)
		third := mustAcquire(t, c, "cem", 3)
		wantRefused("dan", 1, svc.Unavailable, 10*time.Second)
		first()
		first() // no effect
		mustAcquire(t, c, "dan", 3)()
		heavy()
		third()
		if got := c.InUse(); got != 0 {
			t.Errorf("got %d keys in use, want 0", got)
		}
		mustAcquire(t, c, "ann", 4)()
	})
}

// An operation waits for the total capacity only after it has acquired the
// capacity of its key. Many waiting operations with one key therefore do not
// delay operations with other keys.
func TestOtherKeysDoNotWaitForTheQueueOfOneKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewConcurrency(Capacity{Each: 2, Total: 3, Waiting: 100})
		var order []string
		var mu sync.Mutex
		run := func(key string) {
			release, err := c.AcquireWeight(t.Context(), key, 2)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			order = append(order, key)
			mu.Unlock()
			<-time.After(time.Second)
			release()
		}
		for range 50 {
			go run("ann")
		}
		synctest.Wait()
		go run("bea")
		synctest.Wait()
		<-time.After(2500 * time.Millisecond)
		mu.Lock()
		if got := slices.Index(order, "bea"); got != 1 {
			t.Errorf("got bea at the place %d of %q, want 1", got, order)
		}
		mu.Unlock()
		<-time.After(time.Minute)
		if len(order) != 51 {
			t.Errorf("got %d operations, want 51", len(order))
		}
	})
}
