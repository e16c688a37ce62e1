package store

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

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
			tx.touched = append(tx.touched, Touched{m, topic})
		}
	}
}

// Touched is a changed topic of one member, or of all members ([Everyone]).
type Touched struct {
	Member int64
	Topic  Topic
}

// AllTouched stands for every topic of every member: another process has written.
var AllTouched = []Touched{{Everyone, AllTopics}}

// changes records the commit sequence number of the last change of every topic
// for every member. It is in memory and records only the writes of this process;
// a commit of another process counts as a change of every topic. A number is
// recorded before its commit, so readers ignore numbers above that of their
// snapshot.
type changes struct {
	mu        sync.RWMutex
	knownSeq  int64 // the highest sequence number observed
	failedSeq int64 // number of a failed commit that another process may use; 0 for none
	allSeq    int64 // every topic may have changed up to this number
	last      map[int64]map[Topic]int64

	observer atomic.Pointer[func([]Touched)] // see [DB.OnChange]
}

// OnChange registers fn to be called after each commit that has touched topics, with
// what it touched, and after the detection of a commit of another process, with
// [AllTouched]. A read that begins after the call sees the commit. fn must be fast,
// because writes wait for it, and must not use the database. There is one observer:
// a second call replaces the first.
func (db *DB) OnChange(fn func([]Touched)) { db.changes.observer.Store(&fn) }

// notify calls the observer, if there is one.
func (c *changes) notify(touched []Touched) {
	if fn := c.observer.Load(); fn != nil && len(touched) > 0 {
		(*fn)(touched)
	}
}

// Poll detects commits of other processes, and reports them to the observer (see
// [DB.OnChange]). While a connection sees no change of data_version it reads nothing,
// so Poll may be called often.
func (db *DB) Poll(ctx context.Context) error {
	c, err := db.reader(ctx, db.reserved)
	if err != nil {
		return err
	}
	defer c.release()
	st, err := c.prepare(ownQueries.DataVersion)
	var version int64
	if err == nil {
		err = st.get(ctx, &version, nil)
	}
	if err != nil {
		c.onError(err)
		return fmt.Errorf("reading data_version: %w", err)
	}
	if version == c.dataVersion {
		return nil
	}
	seq, err := c.seq()
	if err != nil {
		return err
	}
	c.dataVersion = version
	db.changes.observeSeq(seq)
	return nil
}

// invalidateAll records that every topic may have changed up to seq. It does
// nothing if a later change is recorded, because a recorded number must not
// decrease.
func (c *changes) invalidateAll(seq int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if seq >= c.knownSeq {
		c.knownSeq, c.allSeq = seq, seq
	}
}

// fail records that the commit with the number seq has failed: another process may use
// the number.
func (c *changes) fail(seq int64) {
	c.invalidateAll(seq)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failedSeq = seq
}

// observeSeq records the sequence number of the database. If it is unknown, or that
// of a failed commit, another process has written.
func (c *changes) observeSeq(seq int64) {
	c.mu.RLock()
	foreign := seq > c.knownSeq || seq == c.failedSeq && seq > 0
	c.mu.RUnlock()
	if !foreign {
		return
	}
	c.invalidateAll(seq)
	c.mu.Lock()
	if c.failedSeq <= seq {
		c.failedSeq = 0
	}
	c.mu.Unlock()
	c.notify(AllTouched)
}

// record records the touches of a transaction under the number of its commit.
func (c *changes) record(seq int64, tx *Tx) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.knownSeq, c.failedSeq = seq, 0
	for _, t := range tx.touched {
		if c.last[t.Member] == nil {
			c.last[t.Member] = make(map[Topic]int64)
		}
		c.last[t.Member][t.Topic] = seq
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
	r := Revisions{min(c.allSeq, tx.seq), make(map[Topic]int64)}
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

// Since calls add with each topic that has changed after the revision n, a result of
// [Tx.Revision] for the same member. It calls add once with AllTopics if every topic
// may have changed.
func (r Revisions) Since(n int64, add func(Topic)) {
	if r.all > n {
		add(AllTopics)
		return
	}
	for topic, revision := range r.topics {
		if revision > n {
			add(topic)
		}
	}
}

// Revision returns a number that changes whenever any topic changes for the member.
func (tx *Tx) Revision(member int64) int64 { return tx.Revisions(member).Latest() }

// Latest returns the revision of the topic that has changed last.
func (r Revisions) Latest() int64 {
	n := r.all
	for _, seq := range r.topics {
		n = max(n, seq)
	}
	return n
}
