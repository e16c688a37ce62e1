package limits

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Concurrency limits how many operations with the same key run at once, so
// that one heavy user cannot delay the others.
type Concurrency struct {
	running, waiting int // limits for each key

	mu   sync.Mutex
	keys map[string]*semaphore // of the keys in use
}

type semaphore struct {
	slots chan struct{} // holds one element per running operation
	users int           // running and waiting operations
}

// NewConcurrency returns a limiter that allows up to running operations with the same
// key at once. Up to waiting more operations wait for a slot.
func NewConcurrency(running, waiting int) *Concurrency {
	return &Concurrency{running: running, waiting: waiting, keys: make(map[string]*semaphore)}
}

// Acquire waits until an operation with the key may run. The caller must call
// release when the operation has ended; further calls have no effect. Acquire
// returns a RateLimited error if too many operations are already waiting.
func (c *Concurrency) Acquire(ctx context.Context, key string) (release func(), err error) {
	s := c.join(key)
	if s == nil {
		return nil, tooMany("requests at the same time", time.Second)
	}
	select {
	case s.slots <- struct{}{}:
		return sync.OnceFunc(func() {
			<-s.slots
			c.leave(key, s)
		}), nil
	case <-ctx.Done():
		c.leave(key, s)
		return nil, fmt.Errorf("waiting for a concurrency limit: %w", ctx.Err())
	}
}

// InUse returns the number of keys with a running or waiting operation.
func (c *Concurrency) InUse() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.keys)
}

// join returns the semaphore of the key, or nil if its queue is full.
func (c *Concurrency) join(key string) *semaphore {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.keys[key]
	if s == nil {
		s = &semaphore{slots: make(chan struct{}, c.running)}
		c.keys[key] = s
	}
	if s.users >= c.running+c.waiting {
		return nil
	}
	s.users++
	return s
}

func (c *Concurrency) leave(key string, s *semaphore) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(c.keys, key)
	}
}
