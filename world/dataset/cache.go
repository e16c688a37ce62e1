package dataset

import (
	"container/list"
	"sync"

	"appliance/svc"
	"appliance/svc/words"
)

// cache contains the latest snapshots, with the manifests of the datasets that were
// composed from earlier ones. It is bounded in bytes: the least recently used entries
// are evicted.
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
	member   svc.MemberID
	forms    bool // whether the runtime declared actions.form
	language words.Language
	zones    string // version of the time zone data
}

type cacheEntry struct {
	key cacheKey
	*snapshot
	manifests manifests
}

// total returns the size of the entry, in bytes.
func (e *cacheEntry) total() int { return e.size + e.manifests.size }

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
	next := &cacheEntry{key: key, snapshot: s}
	if e := c.entries[key]; e != nil {
		previous := e.Value.(*cacheEntry)
		if previous.revision > s.revision {
			return
		}
		next.manifests = previous.manifests
		c.remove(e)
	}
	c.insert(next)
}

// insert adds an entry, if necessary without its manifests. An entry that is larger
// than the cache is not added.
func (c *cache) insert(e *cacheEntry) {
	if e.total() > c.max {
		e.manifests = manifests{}
	}
	if e.total() > c.max {
		return
	}
	for c.size+e.total() > c.max {
		c.remove(c.recent.Back())
	}
	c.entries[e.key] = c.recent.PushFront(e)
	c.size += e.total()
}

func (c *cache) remove(e *list.Element) {
	entry := c.recent.Remove(e).(*cacheEntry)
	delete(c.entries, entry.key)
	c.size -= entry.total()
}

// manifest returns the manifest of a dataset that was composed for the same key and
// the same request, nil if the cache does not have it.
func (c *cache) manifest(key cacheKey, request, revision string) *manifest {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		return e.Value.(*cacheEntry).manifests.find(request, revision)
	}
	return nil
}

// addManifest stores the manifest of a dataset. It does nothing if the cache has no
// snapshot for the key.
func (c *cache) addManifest(key cacheKey, m *manifest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return
	}
	entry := e.Value.(*cacheEntry)
	c.remove(e)
	entry.manifests.add(m)
	c.insert(entry)
}
