package social

import (
	"sync"

	"appliance/svc"
)

// memberCache contains one computed value per member, valid for one revision.
type memberCache[T any] struct {
	mu      sync.Mutex
	entries map[svc.MemberID]cacheEntry[T]
}

type cacheEntry[T any] struct {
	revision int64
	value    T
}

// maxCachedMembers limits the cache. A full cache is emptied.
const maxCachedMembers = 512

// get returns the cached value of member at revision, or stores and returns
// the result of compute. The lock is not held during compute.
func (c *memberCache[T]) get(member svc.MemberID, revision int64, compute func() (T, error)) (T, error) {
	c.mu.Lock()
	e, ok := c.entries[member]
	c.mu.Unlock()
	if ok && e.revision == revision {
		return e.value, nil
	}
	value, err := compute()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || len(c.entries) >= maxCachedMembers {
		c.entries = make(map[svc.MemberID]cacheEntry[T])
	}
	c.entries[member] = cacheEntry[T]{revision, value}
	return value, nil
}
