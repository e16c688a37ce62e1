package limits

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"appliance/svc"
)

func TestFullQueueRejectsOnlyItsKey(t *testing.T) {
	const running, waiting = 1, 29
	c := NewConcurrency(running, waiting)
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
	<-started
	for c.users("flood") < running+waiting {
		runtime.Gosched()
	}
	if _, err := c.Acquire(t.Context(), "flood"); svc.KindOf(err) != svc.TooMany {
		t.Errorf("with a full queue: got %v, want TooMany", err)
	}
	release, err := c.Acquire(t.Context(), "other")
	if err != nil {
		t.Fatalf("with another key: %v", err)
	}
	release()
	if got := len(started); got > running-1 {
		t.Errorf("got %d more operations running, want %d", got, running-1)
	}
	close(end)
	flood.Wait()
	if got := c.InUse(); got != 0 {
		t.Errorf("got %d keys in use after all operations ended, want 0", got)
	}
}

func TestCanceledContextLeavesTheQueue(t *testing.T) {
	c := NewConcurrency(1, 1)
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
