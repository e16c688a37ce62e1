package limits

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"appliance/svc"
)

// Capacity is the configuration of a [Concurrency].
type Capacity struct {
	Each    int64         // maximum weight of the running operations with one key
	Total   int64         // maximum weight of all running operations; 0 for no limit
	Waiting int           // maximum number of waiting operations with one key
	MaxWait time.Duration // longest wait; 0 for no limit
}

// Concurrency limits the total weight of the operations that run at once: for each
// key, so that one heavy user cannot delay the others, and for all keys together,
// so that the server has enough memory. Waiting operations run in the order of
// their arrival. An operation first waits for operations with the same key, and
// then for those with other keys.
type Concurrency struct {
	capacity Capacity
	all      *semaphore.Weighted // nil if capacity.Total is 0

	mu   sync.Mutex
	keys map[string]*keySemaphore // semaphores of the keys in use
}

// keySemaphore limits the operations with one key.
type keySemaphore struct {
	*semaphore.Weighted
	users   int // running and waiting operations
	waiting int // operations that wait for this semaphore or for Concurrency.all
}

// NewConcurrency returns a Concurrency with a capacity.
func NewConcurrency(capacity Capacity) *Concurrency {
	c := &Concurrency{capacity: capacity, keys: make(map[string]*keySemaphore)}
	if capacity.Total > 0 {
		c.all = semaphore.NewWeighted(capacity.Total)
	}
	return c
}

// Acquire waits until an operation of weight 1 with the key may run. See
// [Concurrency.AcquireWeight].
func (c *Concurrency) Acquire(ctx context.Context, key string) (release func(), err error) {
	return c.AcquireWeight(ctx, key, 1)
}

// AcquireWeight waits until an operation of a weight with the key may run. A weight
// above Each counts as Each, so such an operation runs alone among those with its
// key. The caller must call release when the operation has ended; further calls
// have no effect.
//
// If too many operations with the key are waiting, or the wait exceeds MaxWait, the error is
// RateLimited for the limit of the key, and ServiceUnavailable for the limit of all keys.
func (c *Concurrency) AcquireWeight(ctx context.Context, key string, weight int64) (release func(), err error) {
	s := c.join(key)
	each := min(weight, c.capacity.Each)
	total := min(each, c.capacity.Total)
	if !s.TryAcquire(each) {
		if err := c.wait(ctx, s, s.Weighted, each); err != nil {
			c.leave(key, s)
			if errors.Is(err, errBusy) {
				err = rateLimitError("requests at the same time", busyRetry).WithCause(ErrCapacity)
			}
			return nil, err
		}
	}
	if c.all != nil && !c.all.TryAcquire(total) {
		if err := c.wait(ctx, s, c.all, total); err != nil {
			s.Release(each)
			c.leave(key, s)
			if errors.Is(err, errBusy) {
				err = Unavailable()
			}
			return nil, err
		}
	}
	return sync.OnceFunc(func() {
		if c.all != nil {
			c.all.Release(total)
		}
		s.Release(each)
		c.leave(key, s)
	}), nil
}

// busyRetry is the Retry-After of a rejected operation.
const busyRetry = 5 * time.Second

// Unavailable returns the error for an operation that is rejected because the
// server is too busy.
func Unavailable() error {
	e := svc.Errorf(svc.ServiceUnavailable, "The server is busy. Try again in %s.", inWords(busyRetry))
	e.RetryAfter = busyRetry
	return e.WithCause(ErrCapacity)
}

// ErrCapacity is the cause of the errors of [Concurrency].
var ErrCapacity = errors.New("the capacity of the server is exhausted")

// errBusy means that too many operations are waiting, or that the wait was too long.
var errBusy = errors.New("too many operations")

// wait acquires a weight from sem, which is either the semaphore of the operation's
// key or that of all keys. s is the semaphore of the key.
func (c *Concurrency) wait(ctx context.Context, s *keySemaphore, sem *semaphore.Weighted, weight int64) error {
	if !c.addWaiting(s, 1) {
		return errBusy
	}
	defer c.addWaiting(s, -1)
	waitCtx, cancel := ctx, context.CancelFunc(func() {})
	if c.capacity.MaxWait > 0 {
		waitCtx, cancel = context.WithTimeout(ctx, c.capacity.MaxWait)
	}
	defer cancel()
	if sem.Acquire(waitCtx, weight) == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("waiting for a concurrency limit: %w", ctx.Err())
	}
	return errBusy
}

// addWaiting adds n to the number of waiting operations. It returns false and adds
// nothing if that would exceed the capacity.
func (c *Concurrency) addWaiting(s *keySemaphore, n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n > 0 && s.waiting+n > c.capacity.Waiting {
		return false
	}
	s.waiting += n
	return true
}

// InUse returns the number of keys with a running or waiting operation.
func (c *Concurrency) InUse() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.keys)
}

// join returns the semaphore of the key and increments the number of operations
// that use it.
func (c *Concurrency) join(key string) *keySemaphore {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.keys[key]
	if s == nil {
		s = &keySemaphore{Weighted: semaphore.NewWeighted(c.capacity.Each)}
		c.keys[key] = s
	}
	s.users++
	return s
}

// leave decrements the number of operations that use the semaphore, and removes
// the semaphore after the last one.
func (c *Concurrency) leave(key string, s *keySemaphore) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.users--; s.users == 0 {
		delete(c.keys, key)
	}
}
