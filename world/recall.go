package world

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
// old one what still is the same; that is the zero value if there is none.
func recall[T recollection](c *composer, name string, topics []store.Topic, work func(old T) (T, error)) (T, error) {
	key, revision := memoryKey{c.viewer.Member(), name, c.forms()}, c.revisions.Of(topics...)
	found, at := c.world.memory.get(key)
	old, _ := found.(T)
	if found != nil && at == revision && !c.afresh && (old.expires().IsZero() || c.tx.Now().Before(old.expires())) {
		return old, nil
	}
	value, err := work(old)
	if err == nil {
		c.world.memory.put(key, revision, value)
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
	value    recollection
	revision int64
	bytes    int
	asked    int64 // the last time
}

// maxKept bounds what is kept, in bytes.
const maxKept = 24 << 20

func newMemory() *memory { return &memory{kept: make(map[memoryKey]*kept)} }

// get returns what is kept, nil if nothing is, and the revision it is of.
func (m *memory) get(key memoryKey) (recollection, int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept[key]
	if k == nil {
		return nil, 0
	}
	m.asked++
	k.asked = m.asked
	return k.value, k.revision
}

func (m *memory) put(key memoryKey, revision int64, value recollection) {
	k := &kept{value: value, revision: revision, bytes: value.size()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if old := m.kept[key]; old != nil {
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
	m.kept[key] = k
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
