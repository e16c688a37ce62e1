package store

import "sync"

// Topic is a kind of data that members see. Services define the topics.
type Topic = string

// AllTopics is the topic of changes that concern every topic, such as a new display
// name of a member.
const AllTopics Topic = ""

// Everyone means all members in [Tx.Touch].
const Everyone int64 = 0

// Change is a kind of write.
type Change interface{ ChangedTopics() []Topic }

// Touch records that members can see a change. The commit of the transaction
// increases their revisions of the topics of the change.
func (tx *Tx) Touch(c Change, members ...int64) {
	for _, topic := range c.ChangedTopics() {
		for _, m := range members {
			tx.touched = append(tx.touched, touch{m, topic})
		}
	}
}

// touch is a changed topic of one member or of all members.
type touch struct {
	member int64
	topic  Topic
}

// changes contains the commit sequence number of the last change of each topic for
// each member. It is in memory and contains only the writes of this process; a
// commit of another process counts as a change of all topics for all members.
// Numbers are recorded before the commit, so readers ignore numbers above that of
// their snapshot.
type changes struct {
	mu    sync.RWMutex
	known int64 // highest sequence number recorded or observed
	all   int64 // up to this number, any topic may have changed
	last  map[int64]map[Topic]int64
}

// invalidateAll records that any topic may have changed up to seq, unless a later
// number is known.
func (c *changes) invalidateAll(seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.known {
		c.known, c.all = seq, seq
	}
}

// observeSeq compares the sequence number of the database with the known ones. A
// higher number is that of another process.
func (c *changes) observeSeq(seq int64) {
	c.mu.RLock()
	known := c.known
	c.mu.RUnlock()
	if seq > known {
		c.invalidateAll(seq)
	}
}

// record records the changes of a transaction under the number of its commit.
func (c *changes) record(seq int64, tx *Tx) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = seq
	for _, t := range tx.touched {
		if c.last[t.member] == nil {
			c.last[t.member] = make(map[Topic]int64)
		}
		c.last[t.member][t.topic] = seq
	}
}

// Revisions holds the revisions of all topics for one member. The revision of a
// topic is the sequence number of the last commit that changed it.
type Revisions struct {
	all    int64
	topics map[Topic]int64
}

// Revisions returns the revisions for a member, in the snapshot of the
// transaction.
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

// Of returns the highest revision of the topics, including changes of all topics.
func (r Revisions) Of(topics ...Topic) int64 {
	n := r.all
	for _, t := range topics {
		n = max(n, r.topics[t])
	}
	return n
}

// Revision returns the highest revision of all topics for a member.
func (tx *Tx) Revision(member int64) int64 {
	r := tx.Revisions(member)
	n := r.all
	for _, seq := range r.topics {
		n = max(n, seq)
	}
	return n
}
