package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"runtime/debug"
	"time"
)

// job is one closure on its way through the queue.
type job struct {
	ctx  context.Context
	fn   func(*Tx) error
	tx   *Tx   // of the run that counts
	err  error // what became of it
	done chan struct{}
}

// checkKey finds in a context what its write transactions begin with.
type checkKey struct{}

// WithWriteGuard returns a context under which every Write begins with check and does
// nothing else if that fails. It is for what was found true before and must
// still be true when something is written, such as who is asking: once in the
// context, no caller of Write can forget it.
func WithWriteGuard(ctx context.Context, check func(*Tx) error) context.Context {
	return context.WithValue(ctx, checkKey{}, check)
}

// batchTime is how long a transaction goes on taking closures: what waits
// longer than this for its commit would be better off in the next one.
const batchTime = 20 * time.Millisecond

// Write runs fn in a write transaction and returns once it is durable. If fn
// returns an error or panics, nothing of it has happened.
//
// fn may run twice, so it assigns its results instead of appending to them,
// and touches nothing outside. It must be quick: everybody waits. Write waits
// for its answer even if ctx ends meanwhile; before fn begins, ctx is looked
// at once.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	j := &job{ctx: ctx, fn: fn, done: make(chan struct{})}
	if err := db.enqueue(j); err != nil {
		return err
	}
	<-j.done
	if p, ok := j.err.(*PanicError); ok {
		panic(p)
	}
	if j.err != nil {
		return j.err
	}
	for _, fn := range j.tx.after {
		fn()
	}
	return nil
}

func (db *DB) enqueue(j *job) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	select {
	case db.queue <- j:
		return nil
	case <-j.ctx.Done():
		return j.ctx.Err()
	}
}

// commitLoop is the one goroutine that writes. It takes all closures that
// wait, runs each inside a savepoint of one transaction, commits once and
// only then answers them all.
func (db *DB) commitLoop() {
	defer close(db.stopped)
	for j := range db.queue {
		batch := db.runBatch(j)
		for _, j := range batch {
			close(j.done)
		}
	}
}

// runBatch runs first and whatever else is waiting, and commits. The answers
// are in the jobs it returns.
func (db *DB) runBatch(first *job) []*job {
	batch := []*job{first}
	if err := db.begin(); err != nil {
		first.err = err
		return batch
	}
	until := db.clock().Add(batchTime)
	kept := db.runInSavepoint(first)
	for kept && len(batch) < cap(db.queue) && db.clock().Before(until) {
		select {
		case j, ok := <-db.queue:
			if ok {
				batch = append(batch, j)
				kept = db.runInSavepoint(j)
				continue
			}
		default:
		}
		break
	}
	if kept && db.commit() == nil {
		return batch
	}
	// The transaction is lost, or it cannot be committed, and nobody knows by
	// whose fault: each closure gets a transaction of its own.
	db.end()
	for _, j := range batch {
		db.runAlone(j)
	}
	return batch
}

// runInSavepoint runs j inside the open transaction and reports whether that
// transaction still stands.
func (db *DB) runInSavepoint(j *job) (kept bool) {
	if j.err = j.ctx.Err(); j.err != nil {
		return true
	}
	if j.err = db.writer.control(savepoint); j.err != nil {
		return false
	}
	j.err = db.call(j)
	if db.writer.lost {
		return false
	}
	if j.err != nil && db.writer.control(rollbackTo) != nil {
		return false
	}
	if db.writer.control(releasePoint) != nil || db.writer.lost {
		return false
	}
	if j.err == nil {
		db.noteTouched(j.tx)
	}
	return true
}

// runAlone runs j in a transaction of its own.
func (db *DB) runAlone(j *job) {
	if j.err = j.ctx.Err(); j.err != nil {
		return
	}
	if j.err = db.begin(); j.err != nil {
		return
	}
	if j.err = db.call(j); j.err == nil {
		db.noteTouched(j.tx)
		j.err = db.commit()
	}
	if j.err != nil {
		db.end()
	}
}

// call runs the closure of j with a new Tx.
func (db *DB) call(j *job) (err error) {
	// A context that ends inside a writing statement would roll everybody's
	// transaction back, so the closure's cannot end.
	tx := &Tx{ctx: context.WithoutCancel(j.ctx), c: db.writer, ran: db.ran, writes: true, meta: db.meta, now: db.Now(), seq: db.seq, changes: &db.changes}
	j.tx = tx
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		tx.err = errOver
	}()
	if check, ok := j.ctx.Value(checkKey{}).(func(*Tx) error); ok {
		if err := check(tx); err != nil {
			return err
		}
	}
	if err := j.fn(tx); err != nil {
		return err
	}
	return tx.err
}

func (db *DB) begin() error {
	db.writer.lost, db.touched = false, false
	if err := db.writer.control(beginImmediate); err != nil {
		return fmt.Errorf("starting a write: %w", err)
	}
	seq, err := db.writer.seq()
	if err != nil {
		db.end()
		return err
	}
	db.changes.observeSeq(seq)
	db.seq = seq + 1
	return nil
}

// noteTouched records what a closure has touched. If the commit fails, it only
// causes a needless recheck.
func (db *DB) noteTouched(tx *Tx) {
	if len(tx.touched) > 0 {
		db.changes.record(db.seq, tx)
		db.touched = true
	}
}

// commit commits, under a number of its own if anything was touched.
func (db *DB) commit() error {
	if db.touched {
		st, err := db.writer.prepare(own.SetSeq)
		if err == nil {
			_, err = st.ExecContext(context.Background(), []driver.NamedValue{{Name: "seq", Ordinal: 1, Value: db.seq}})
		}
		if err != nil {
			return fmt.Errorf("counting a change: %w", err)
		}
	}
	return db.writer.control(commit)
}

// end rolls the transaction back, if there still is one. The number that it had
// may be given to something else, by others too.
func (db *DB) end() {
	if db.touched {
		db.changes.invalidateAll(db.seq)
	}
	if !db.writer.lost {
		_ = db.writer.control(rollback) // a connection in autocommit refuses it, which is as good
	}
}
