package limits

import "sync"

// CountLimiter limits how many items, such as connections, exist at the same
// time, in total and for each key. It rejects excess items instead of waiting.
type CountLimiter struct {
	total, each int

	mu     sync.Mutex
	all    int
	counts map[string]int // by key
}

// NewCountLimiter returns a CountLimiter that allows at most total items, and
// at most each items with the same key.
func NewCountLimiter(total, each int) *CountLimiter {
	return &CountLimiter{total: total, each: each, counts: make(map[string]int)}
}

// Add increments the number of items with the key and returns true, or returns
// false if a limit is reached. Items with the key "" count only towards the
// total.
func (c *CountLimiter) Add(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all >= c.total || key != "" && c.counts[key] >= c.each {
		return false
	}
	c.all++
	if key != "" {
		c.counts[key]++
	}
	return true
}

// Remove decrements the number of items with the key. It must be called once for
// each call of Add that returned true.
func (c *CountLimiter) Remove(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all--
	if key == "" {
		return
	}
	if c.counts[key]--; c.counts[key] == 0 {
		delete(c.counts, key)
	}
}
