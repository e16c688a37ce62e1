package provider

import (
	"container/list"
	"sync"
	"time"
)

// Limits of the cache.
const (
	cacheTime     = 24 * time.Hour
	maxCache      = 8 << 20   // bytes of all responses
	maxCacheEntry = 256 << 10 // bytes of one response
)

// cache keeps the latest responses by URL. It keeps their bytes, whose size is known.
type cache struct {
	now func() time.Time

	mu      sync.Mutex
	entries map[string]*list.Element
	recent  *list.List // of *cacheEntry, the latest used first
	size    int
}

type cacheEntry struct {
	key     string
	body    []byte
	expires time.Time
}

func newCache(now func() time.Time) *cache {
	return &cache{now: now, entries: make(map[string]*list.Element), recent: list.New()}
}

func (c *cache) get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	entry := element.Value.(*cacheEntry)
	if left := entry.expires.Sub(c.now()); left <= 0 || left > cacheTime { // the clock may have been set back
		c.remove(element)
		return nil, false
	}
	c.recent.MoveToFront(element)
	return entry.body, true
}

func (c *cache) put(key string, body []byte) {
	if len(key)+len(body) > maxCacheEntry {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.entries[key]; ok {
		c.remove(element)
	}
	c.entries[key] = c.recent.PushFront(&cacheEntry{key, body, c.now().Add(cacheTime)})
	for c.size += len(key) + len(body); c.size > maxCache; {
		c.remove(c.recent.Back())
	}
}

// remove removes an entry. The caller holds mu.
func (c *cache) remove(element *list.Element) {
	entry := c.recent.Remove(element).(*cacheEntry)
	delete(c.entries, entry.key)
	c.size -= len(entry.key) + len(entry.body)
}
