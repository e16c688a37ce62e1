package store

import (
	"cmp"
	"slices"
	"sync"
)

// Everyone is the member to Touch when a change shows to all members.
const Everyone int64 = 0

// Topic is a part of what members see that changes by itself. Services name
// theirs. Some consist of items, which change one by one.
type Topic string

// AllTopics is the topic of what may show anywhere, such as what somebody is
// called.
const AllTopics Topic = ""

// Touch notes that what the members see of a topic has changed; [Everyone] is
// all of them.
func (tx *Tx) Touch(topic Topic, members ...int64) {
	for _, m := range members {
		tx.touched = append(tx.touched, touch{m, topic})
	}
}

// TouchItem is Touch for one item of a topic: of a topic that consists of items,
// all changes must be told of in this way.
func (tx *Tx) TouchItem(topic Topic, item string, members ...int64) {
	tx.Touch(topic, members...)
	if one := (change{topic: topic, item: item}); len(members) > 0 && !slices.Contains(tx.changed, one) {
		tx.changed = append(tx.changed, one)
	}
}

// touch is a change to what a member sees of a topic.
type touch struct {
	member int64
	topic  Topic
}

// change is one of an item.
type change struct {
	seq   int64
	topic Topic
	item  string
}

// changes knows when what members see has changed, by numbers that the commits
// of the database have. It is in memory, and knows of what this process writes;
// what others write counts as a change to all that there is. A number is known
// before the commit that it is of: whoever reads an earlier state takes no
// notice of it.
type changes struct {
	mu    sync.RWMutex
	known int64                     // the last number that is known
	all   int64                     // the last change to everything, or before which none is known
	last  map[int64]map[Topic]int64 // the last change to what each member sees
	items []change                  // the latest, in order
	since int64                     // the items are all that have changed after this
}

// keptChanges is how many of the latest changes of items are known.
const keptChanges = 500

// everything notes that everything may have changed up to a number, unless a
// later one is known: what was published under that is not to be forgotten.
func (c *changes) everything(seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.known {
		c.known, c.all, c.since, c.items = seq, seq, seq, nil
	}
}

// met notes that the database is at a number. One that is not known is of a
// change by others.
func (c *changes) met(seq int64) {
	c.mu.RLock()
	known := c.known
	c.mu.RUnlock()
	if seq > known {
		c.everything(seq)
	}
}

// publish notes what a transaction has touched, under the number of the commit
// that it will be of.
func (c *changes) publish(seq int64, tx *Tx) {
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
	if surplus := len(c.items) - keptChanges; surplus > 0 {
		c.since = c.items[surplus-1].seq
		c.items = slices.Delete(c.items, 0, surplus)
	}
}

// Revisions tell one state of what a member sees from another.
type Revisions struct {
	all    int64
	topics map[Topic]int64
}

// Revisions returns those of what the member sees, as of this transaction.
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

// Of returns a number that is another one once any of the topics has changed,
// or all have.
func (r Revisions) Of(topics ...Topic) int64 {
	n := r.all
	for _, t := range topics {
		n = max(n, r.topics[t])
	}
	return n
}

// Revision returns a number that is another one once anything has changed that
// the member sees.
func (tx *Tx) Revision(member int64) int64 {
	r := tx.Revisions(member)
	n := r.all
	for _, seq := range r.topics {
		n = max(n, seq)
	}
	return n
}

// Changes are those of items since some moment.
type Changes struct {
	Since, Until int64 // numbers of commits
	complete     bool
	items        map[Topic][]string
}

// Changes returns what has changed since the commit of that number, the Until
// of earlier ones; 0 if there are none.
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

// Of returns which items of a topic have changed since a moment, and whether
// that is known.
func (c Changes) Of(topic Topic, since int64) (items []string, known bool) {
	if !c.complete || since < c.Since {
		return nil, false
	}
	return c.items[topic], true
}
