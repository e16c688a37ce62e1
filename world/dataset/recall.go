package dataset

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"appliance/store"
	"appliance/svc"
)

// recollection is a part of a member's dataset that was made before. It is
// never changed.
type recollection interface {
	expires() time.Time // when time alone makes it another one; zero if it never does
	size() int          // in bytes, about
}

// recall returns a part of the member's dataset: the one that was made before,
// if none of the topics has changed since, or a new one. work may take from the
// old one what still is the same, for which it is told the number of the last
// change of items that it has. There may be none: the zero value.
func recall[T recollection](c *composition, name string, topics []store.Topic, work func(old T, asOf int64) (T, error)) (T, error) {
	key, revision := memoryKey{c.viewer.Member(), name, c.forms()}, c.revisions.Of(topics...)
	found := c.composer.memory.get(key)
	old, _ := found.value.(T)
	over := found.value != nil && !old.expires().IsZero() && !c.tx.Now().Before(old.expires())
	if over || c.afresh {
		found.change = 0
	}
	if found.value != nil && found.revision == revision && !over && !c.afresh {
		c.composer.memory.confirm(key, revision, c.changes.Until)
		return old, nil
	}
	value, err := work(old, found.change)
	if err == nil {
		c.composer.memory.put(key, kept{value: value, revision: revision, change: c.changes.Until})
	}
	return value, err
}

// memory keeps parts of datasets between two reads, so that a read after a
// small change reads and encodes little. It forgets what was not asked for the
// longest time when it has too much.
type memory struct {
	mu    sync.Mutex
	kept  map[memoryKey]*kept
	bytes int
	asked int64 // how often it was asked
}

type memoryKey struct {
	member svc.MemberID
	part   string
	forms  bool // whether the runtime has forms
}

type kept struct {
	value    interface{ size() int }
	revision int64
	change   int64 // the last change of items that it has, 0 if that is not known
	bytes    int
	asked    int64 // the last time
}

// maxKept bounds what is kept, in bytes.
const maxKept = 24 << 20

func newMemory() *memory { return &memory{kept: make(map[memoryKey]*kept)} }

// get returns what is kept; without a value if that is nothing.
func (m *memory) get(key memoryKey) kept {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept[key]
	if k == nil {
		return kept{}
	}
	m.asked++
	k.asked = m.asked
	return *k
}

// confirm notes that what is kept of a revision has all changes up to one.
func (m *memory) confirm(key memoryKey, revision, change int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kept[key]; k != nil && k.revision == revision {
		k.change = max(k.change, change)
	}
}

// put keeps something, unless there is something newer.
func (m *memory) put(key memoryKey, k kept) {
	k.bytes = k.value.size()
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.kept[key]; old != nil {
		if old.change > k.change {
			return
		}
		m.drop(key, old)
	}
	if k.bytes > maxKept {
		return
	}
	if m.bytes+k.bytes > maxKept {
		m.makeRoom(maxKept - k.bytes)
	}
	m.asked++
	k.asked = m.asked
	m.kept[key] = &k
	m.bytes += k.bytes
}

// makeRoom forgets what was asked for the longest ago until there are so many
// bytes.
func (m *memory) makeRoom(bytes int) {
	keys := slices.SortedFunc(maps.Keys(m.kept), func(a, b memoryKey) int {
		return cmp.Compare(m.kept[a].asked, m.kept[b].asked)
	})
	for _, key := range keys {
		if m.bytes <= bytes {
			return
		}
		m.drop(key, m.kept[key])
	}
}

func (m *memory) drop(key memoryKey, k *kept) {
	delete(m.kept, key)
	m.bytes -= k.bytes
}
