package store

import (
	"cmp"
	"slices"
	"sync"
)

// Everyone stands for all members in a call of Touch.
const Everyone int64 = 0

// Topic names a part of the visible data that changes independently of the rest.
// Services define their topics. A topic may consist of items that change one by
// one.
type Topic string

// AllTopics is the topic of data that may appear anywhere, such as display names.
const AllTopics Topic = ""

// Touch records that the topic has changed for the members, or for all of them if
// [Everyone] is among them.
func (tx *Tx) Touch(topic Topic, members ...int64) {
	for _, m := range members {
		tx.touched = append(tx.touched, touch{m, topic})
	}
}

// TouchItem is Touch for one item of a topic that consists of items. Such a topic
// must only be touched through TouchItem.
func (tx *Tx) TouchItem(topic Topic, item string, members ...int64) {
	tx.Touch(topic, members...)
	if one := (change{topic: topic, item: item}); len(members) > 0 && !slices.Contains(tx.changed, one) {
		tx.changed = append(tx.changed, one)
	}
}

// touch is a change of a topic for a member.
type touch struct {
	member int64
	topic  Topic
}

// change is a change of an item.
type change struct {
	seq   int64
	topic Topic
	item  string
}

// changes records in which commit each topic last changed for each member. It is
// in memory and covers the writes of this process; a commit of another process
// counts as a change of everything. Changes are recorded before their commit. A
// reader with an older snapshot ignores them, because its own sequence number
// limits what it reports.
type changes struct {
	mu    sync.RWMutex
	known int64                     // the last recorded sequence number
	all   int64                     // the last change of everything; earlier changes are unknown
	last  map[int64]map[Topic]int64 // the last change of each topic for each member
	items []change                  // the latest changes of items, in order
	since int64                     // items is complete after this sequence number
}

// maxItemChanges limits the recorded changes of items.
const maxItemChanges = 500

// invalidateAll records that everything may have changed up to seq. It does
// nothing if a later change is recorded, which must not be lost.
func (c *changes) invalidateAll(seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.known {
		c.known, c.all, c.since, c.items = seq, seq, seq, nil
	}
}

// observeSeq compares the sequence number of a snapshot with the last recorded
// one. A higher number is a commit of another process.
func (c *changes) observeSeq(seq int64) {
	c.mu.RLock()
	known := c.known
	c.mu.RUnlock()
	if seq > known {
		c.invalidateAll(seq)
	}
}

// recordChanges records what a transaction touched, under the sequence number of
// its commit.
func (c *changes) recordChanges(seq int64, tx *Tx) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = seq
	for _, t := range tx.touched {
		if c.last[t.member] == nil {
			c.last[t.member] = make(map[Topic]int64)
		}
		c.last[t.member][t.topic] = seq
	}
	for _, one := range tx.changed {
		one.seq = seq
		c.items = append(c.items, one)
	}
	if surplus := len(c.items) - maxItemChanges; surplus > 0 {
		c.since = c.items[surplus-1].seq
		c.items = slices.Delete(c.items, 0, surplus)
	}
}

// Revisions holds the sequence numbers of the last changes that one member can
// see.
type Revisions struct {
	all    int64
	topics map[Topic]int64
}

// Revisions returns the revisions for a member as of this transaction.
func (tx *Tx) Revisions(member int64) Revisions {
	c := tx.changes
	c.mu.RLock()
	defer c.mu.RUnlock()
	r := Revisions{min(c.all, tx.seq), make(map[Topic]int64)}
	for _, m := range []int64{Everyone, member} {
		for topic, seq := range c.last[m] {
			r.topics[topic] = max(r.topics[topic], min(seq, tx.seq))
		}
	}
	r.all = max(r.all, r.topics[AllTopics])
	return r
}

// Of returns the revision of the topics together: it differs once any of them,
// or everything, has changed.
func (r Revisions) Of(topics ...Topic) int64 {
	n := r.all
	for _, t := range topics {
		n = max(n, r.topics[t])
	}
	return n
}

// Revision returns the revision of all topics together for a member.
func (tx *Tx) Revision(member int64) int64 {
	r := tx.Revisions(member)
	n := r.all
	for _, seq := range r.topics {
		n = max(n, seq)
	}
	return n
}

// Changes holds the items that changed between two commits.
type Changes struct {
	Since, Until int64 // sequence numbers of the commits
	complete     bool
	items        map[Topic][]string
}

// Changes returns the items that changed after the commit with sequence number
// since: the Until of earlier Changes, or 0.
func (tx *Tx) Changes(since int64) Changes {
	c := tx.changes
	c.mu.RLock()
	defer c.mu.RUnlock()
	found := Changes{Since: since, Until: tx.seq, complete: since >= c.since}
	if !found.complete {
		return found
	}
	found.items = make(map[Topic][]string)
	from, _ := slices.BinarySearchFunc(c.items, since+1, func(one change, seq int64) int { return cmp.Compare(one.seq, seq) })
	for _, one := range c.items[from:] {
		if list := found.items[one.topic]; one.seq <= tx.seq && !slices.Contains(list, one.item) {
			found.items[one.topic] = append(list, one.item)
		}
	}
	return found
}

// Of returns the items of a topic that changed after the sequence number since.
// known is false if the record does not reach back that far.
func (c Changes) Of(topic Topic, since int64) (items []string, known bool) {
	if !c.complete || since < c.Since {
		return nil, false
	}
	return c.items[topic], true
}
