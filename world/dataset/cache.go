package dataset

import (
	"container/list"
	"sync"

	"appliance/svc"
)

// cache contains the latest snapshots. It is bounded in bytes: the least recently
// used snapshots are evicted.
type cache struct {
	mu      sync.Mutex
	max     int                        // bytes
	size    int                        // bytes
	entries map[cacheKey]*list.Element // the elements contain *cacheEntry
	recent  list.List                  // least recently used last
}

// cacheKey identifies a snapshot by the values, other than those in the database,
// that the snapshot depends on.
type cacheKey struct {
	member svc.MemberID
	forms  bool // whether the runtime declared actions.form
}

type cacheEntry struct {
	key cacheKey
	*snapshot
}

// maxCacheSize limits the size of the cache, in bytes.
const maxCacheSize = 24 << 20

func newCache(max int) *cache {
	return &cache{max: max, entries: make(map[cacheKey]*list.Element)}
}

// get returns the snapshot for a key, or an empty one.
func (c *cache) get(key cacheKey) *snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return new(snapshot)
	}
	c.recent.MoveToFront(e)
	return e.Value.(*cacheEntry).snapshot
}

// put stores a snapshot, unless the cache contains one of a later revision. Of two
// concurrent readers, the one with the older database snapshot may finish last.
func (c *cache) put(key cacheKey, s *snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		if e.Value.(*cacheEntry).revision > s.revision {
			return
		}
		c.remove(e)
	}
	if s.size > c.max {
		return
	}
	for c.size+s.size > c.max {
		c.remove(c.recent.Back())
	}
	c.entries[key] = c.recent.PushFront(&cacheEntry{key, s})
	c.size += s.size
}

func (c *cache) remove(e *list.Element) {
	entry := c.recent.Remove(e).(*cacheEntry)
	delete(c.entries, entry.key)
	c.size -= entry.size
}
