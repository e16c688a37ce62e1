package store

import "sync"

// Topic names a part of the data that members see. Each service defines its topics.
type Topic = string

// AllTopics is the topic of changes that can affect every part, such as a change
// of a display name.
const AllTopics Topic = ""

// Everyone stands for all members in [Tx.Touch].
const Everyone int64 = 0

// Change is a kind of write. It lists the topics that such a write changes.
type Change interface{ ChangedTopics() []Topic }

// Touch records that a change is visible to members. After the commit, the
// members' revisions of the changed topics are higher than before.
func (tx *Tx) Touch(c Change, members ...int64) {
	for _, topic := range c.ChangedTopics() {
		for _, m := range members {
			tx.touched = append(tx.touched, touch{m, topic})
		}
	}
}

// touch is a changed topic of one member, or of all members.
type touch struct {
	member int64
	topic  Topic
}

// changes records the commit sequence number of the last change of every topic
// for every member. It is in memory and records only the writes of this process;
// a commit of another process counts as a change of every topic. A number is
// recorded before its commit, so readers ignore numbers above that of their
// snapshot.
type changes struct {
	mu    sync.RWMutex
	known int64 // the highest sequence number observed
	all   int64 // every topic may have changed up to this number
	last  map[int64]map[Topic]int64
}

// invalidateAll records that every topic may have changed up to seq. It does
// nothing if a later change is recorded, because a recorded number must not
// decrease.
func (c *changes) invalidateAll(seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.known {
		c.known, c.all = seq, seq
	}
}

// observeSeq records the sequence number of the database. If it is unknown,
// another process has written.
func (c *changes) observeSeq(seq int64) {
	c.mu.RLock()
	known := c.known
	c.mu.RUnlock()
	if seq > known {
		c.invalidateAll(seq)
	}
}

// record records the touches of a transaction under the number of its commit.
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

// Revisions contains the revisions of all topics for one member. The revision of a
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

// Of returns a number that changes whenever one of the topics changes.
func (r Revisions) Of(topics ...Topic) int64 {
	n := r.all
	for _, t := range topics {
		n = max(n, r.topics[t])
	}
	return n
}

// Revision returns a number that changes whenever any topic changes for the member.
func (tx *Tx) Revision(member int64) int64 {
	r := tx.Revisions(member)
	n := r.all
	for _, seq := range r.topics {
		n = max(n, seq)
	}
	return n
}
