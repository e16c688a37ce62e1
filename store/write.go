package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"runtime/debug"
	"time"
)

// writeRequest is a queued call of Write.
type writeRequest struct {
	ctx  context.Context
	fn   func(*Tx) error
	tx   *Tx   // transaction of the last run of fn
	err  error // result of the write
	done chan struct{}
}

// guardKey is the context key of the write guard.
type guardKey struct{}

// WithWriteGuard returns a context in which every Write calls check first, inside
// the transaction, and fails if check does. Use it for a condition that was
// verified earlier and must still hold when something is written, such as the
// validity of a session: no caller of Write can forget to check it.
func WithWriteGuard(ctx context.Context, check func(*Tx) error) context.Context {
	return context.WithValue(ctx, guardKey{}, check)
}

// WriteGuard returns the check of [WithWriteGuard], or one that always succeeds. A
// request that lasts long calls it again before it reads.
func WriteGuard(ctx context.Context) func(*Tx) error {
	if check, ok := ctx.Value(guardKey{}).(func(*Tx) error); ok {
		return check
	}
	return func(*Tx) error { return nil }
}

// writingKey is the context key of the transactions of Write.
type writingKey struct{}

// IsWriting reports whether ctx is the context of a transaction of Write, for which all other
// writes wait.
func IsWriting(ctx context.Context) bool { return ctx.Value(writingKey{}) != nil }

// batchTime limits how long a transaction accepts further requests before it
// commits.
const batchTime = 20 * time.Millisecond

// Write runs fn in a write transaction and returns once it is durable. If fn
// returns an error or panics, all its changes are rolled back.
//
// fn may run twice. It must assign its results instead of appending to them, must
// not modify anything else outside the transaction, and must be fast, because all
// writes wait for it. Write checks ctx before fn begins; after that it waits for
// the result even if ctx ends.
func (db *DB) Write(ctx context.Context, fn func(*Tx) error) error {
	if mayUseReserve(ctx) {
		err := db.write(ctx, fn)
		if IsFull(err) && db.reserve.release() {
			err = db.write(ctx, fn)
		}
		return err
	}
	if err := db.reserve.admit(); err != nil {
		return err
	}
	return db.write(ctx, fn)
}

func (db *DB) write(ctx context.Context, fn func(*Tx) error) error {
	w := &writeRequest{ctx: ctx, fn: fn, done: make(chan struct{})}
	if err := db.enqueue(w); err != nil {
		return err
	}
	<-w.done
	if p, ok := w.err.(*PanicError); ok {
		panic(p)
	}
	if w.err != nil {
		return w.err
	}
	for _, fn := range w.tx.after {
		fn()
	}
	return nil
}

func (db *DB) enqueue(w *writeRequest) error {
	db.mu.RLock()
	defer db.mu.RUnlock()
	if db.closed {
		return ErrClosed
	}
	select {
	case db.queue <- w:
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

// commitLoop is the only goroutine that writes. It takes all queued requests,
// runs each inside a savepoint of one transaction, commits once and only then
// releases the callers.
func (db *DB) commitLoop() {
	defer close(db.stopped)
	for w := range db.queue {
		batch := db.runBatch(w)
		for _, w := range batch {
			close(w.done)
		}
		db.notifyTouched(batch)
	}
}

// notifyTouched reports what the committed requests of a batch have touched.
func (db *DB) notifyTouched(batch []*writeRequest) {
	var all []Touched
	for _, w := range batch {
		if w.err == nil {
			all = append(all, w.tx.touched...)
		}
	}
	db.changes.notify(all)
}

// runBatch runs first and the requests queued behind it, and commits. It returns
// the requests that it has completed.
func (db *DB) runBatch(first *writeRequest) []*writeRequest {
	batch := []*writeRequest{first}
	if err := db.begin(); err != nil {
		first.err = err
		return batch
	}
	deadline := db.clock().Add(batchTime)
	intact := db.runInSavepoint(first)
	for intact && len(batch) < cap(db.queue) && db.clock().Before(deadline) {
		select {
		case w, ok := <-db.queue:
			if ok {
				batch = append(batch, w)
				intact = db.runInSavepoint(w)
				continue
			}
		default:
		}
		break
	}
	if intact && db.commit() == nil {
		return batch
	}
	// The whole transaction was rolled back or cannot be committed. The request
	// that caused it is unknown, so each request gets its own transaction.
	db.rollback()
	for _, w := range batch {
		db.runAlone(w)
	}
	return batch
}

// runInSavepoint runs w inside the open transaction. It reports whether the
// transaction is intact: not rolled back as a whole.
func (db *DB) runInSavepoint(w *writeRequest) (intact bool) {
	if w.err = w.ctx.Err(); w.err != nil {
		return true
	}
	if w.err = db.writer.control(savepoint); w.err != nil {
		return false
	}
	w.err = db.call(w)
	if db.writer.rolledBack {
		return false
	}
	if w.err != nil && db.writer.control(rollbackTo) != nil {
		return false
	}
	if db.writer.control(releasePoint) != nil || db.writer.rolledBack {
		return false
	}
	if w.err == nil {
		db.noteTouched(w.tx)
	}
	return true
}

// runAlone runs w in a transaction of its own.
func (db *DB) runAlone(w *writeRequest) {
	if w.err = w.ctx.Err(); w.err != nil {
		return
	}
	if w.err = db.begin(); w.err != nil {
		return
	}
	if w.err = db.call(w); w.err == nil {
		db.noteTouched(w.tx)
		w.err = db.commit()
	}
	if w.err != nil {
		db.rollback()
	}
}

// call runs the write guard and the function of w with a new Tx. It converts a
// panic to an error.
func (db *DB) call(w *writeRequest) (err error) {
	// A context that ends inside a writing statement rolls back the whole
	// transaction, with the changes of other requests.
	ctx := context.WithValue(context.WithoutCancel(w.ctx), writingKey{}, true)
	tx := &Tx{ctx: ctx, c: db.writer, onQuery: db.onQuery, writes: true, meta: db.meta, now: db.Now(), seq: db.seq, changes: &db.changes}
	if db.onWrite != nil {
		tx.queries = make(map[string]int)
	}
	w.tx = tx
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
		tx.err = errDone
	}()
	if err := WriteGuard(w.ctx)(tx); err != nil {
		return err
	}
	before, err := db.countChanges()
	if err != nil {
		return err
	}
	if err := w.fn(tx); err != nil {
		return err
	}
	if tx.err != nil {
		return tx.err
	}
	return db.reportSize(tx, before)
}

// countChanges returns the number of rows that the writer has changed so far, if that is
// reported.
func (db *DB) countChanges() (n int64, err error) {
	if db.onWrite == nil {
		return 0, nil
	}
	st, err := db.writer.prepare(ownQueries.Changes)
	if err == nil {
		err = st.get(context.Background(), &n, nil)
	}
	return n, err
}

// reportSize calls onWrite.
func (db *DB) reportSize(tx *Tx, before int64) error {
	if db.onWrite == nil {
		return nil
	}
	now, err := db.countChanges()
	db.onWrite(tx.ctx, WriteSize{tx.statementCount, now - before, tx.queries})
	return err
}

func (db *DB) begin() error {
	db.writer.rolledBack, db.touched = false, false
	if err := db.writer.control(beginImmediate); err != nil {
		return fmt.Errorf("starting a write: %w", err)
	}
	seq, err := db.writer.seq()
	if err != nil {
		db.rollback()
		return err
	}
	db.changes.observeSeq(seq)
	db.seq = seq + 1
	return nil
}

// noteTouched records the touches of the transaction before the commit. If the
// commit fails, readers only recompute needlessly.
func (db *DB) noteTouched(tx *Tx) {
	if len(tx.touched) > 0 {
		db.changes.record(db.seq, tx)
		db.touched = true
	}
}

// commit commits the transaction. If a request has called Touch, it first stores the
// commit sequence number.
func (db *DB) commit() error {
	if db.touched {
		st, err := db.writer.prepare(ownQueries.SetSeq)
		if err == nil {
			_, err = st.ExecContext(context.Background(), []driver.NamedValue{{Name: "seq", Ordinal: 1, Value: db.seq}})
		}
		if err != nil {
			db.NoteDamage(err)
			return fmt.Errorf("storing the commit sequence number: %w", err)
		}
	}
	return db.writer.control(commit)
}

// rollback rolls back the transaction unless SQLite has done so. Its sequence
// number may be used again, also by another process, so the changes recorded
// under it are invalidated.
func (db *DB) rollback() {
	if db.touched {
		db.changes.fail(db.seq)
	}
	if !db.writer.rolledBack {
		_ = db.writer.control(rollback) // fails in autocommit mode, where there is nothing to roll back
	}
}
