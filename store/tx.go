package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// readLimit bounds a read transaction whose context has no deadline: a reader
// that lingers keeps the log from being folded back into the file.
const readLimit = 10 * time.Second

// Tx is one transaction. It is good until the function it was given to
// returns, for one goroutine.
type Tx struct {
	ctx     context.Context
	c       *conn
	ran     func(query string)
	now     time.Time
	meta    meta
	writes  bool
	err     error // once set, the answer to every call
	after   []func()
	seq     int64 // the number of the last commit that counts, or of the one it will be in
	changes *changes
	touched []touch
}

// meta is the row of store_meta.
type meta struct {
	InstanceKey []byte `db:"instance_key"`
	Epoch       string `db:"epoch"`
}

// Context returns the context the transaction runs under.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Now is the moment of the transaction, in UTC to the millisecond. Every row
// it writes carries the same time.
func (tx *Tx) Now() time.Time { return tx.now }

// Epoch names the life of this file. It changes when the file is restored
// from a backup, so that what was counted before means nothing after.
func (tx *Tx) Epoch() string { return tx.meta.Epoch }

// InstanceKey returns the 32 secret bytes that are this server's own.
func (tx *Tx) InstanceKey() []byte { return tx.meta.InstanceKey }

// AfterCommit runs fn once the transaction is durable, in the goroutine that
// asked for it, and not at all if it fails. Use it for what cannot be rolled
// back: telling someone.
func (tx *Tx) AfterCommit(fn func()) { tx.after = append(tx.after, fn) }

// Get reads the one row of q into dest, a struct with db tags or a single
// value. Ask [IsNoRows] whether there was none.
func (tx *Tx) Get(dest any, q Query, args Args) error {
	return tx.do(q, args, func(ctx context.Context, st *prepared, list []driver.NamedValue) error {
		return st.get(ctx, dest, list)
	})
}

// Select reads all rows of q into the slice that dest points to.
func (tx *Tx) Select(dest any, q Query, args Args) error {
	return tx.do(q, args, func(ctx context.Context, st *prepared, list []driver.NamedValue) error {
		return st.all(ctx, dest, list)
	})
}

// Exec runs q and returns how many rows it changed.
func (tx *Tx) Exec(q Query, args Args) (rows int64, err error) {
	err = tx.do(q, args, func(ctx context.Context, st *prepared, list []driver.NamedValue) error {
		result, err := st.ExecContext(ctx, list)
		if err != nil {
			return err
		}
		rows, err = result.RowsAffected()
		return err
	})
	return rows, err
}

// do runs one statement. If SQLite ends the transaction meanwhile, this and
// every later call fails: outside of a transaction a statement would be
// durable on its own.
//
// A statement that may walk a whole table is given up if the context ends. To
// watch for that takes longer than most of the others do, which run to their
// end: before them the context is looked at.
func (tx *Tx) do(q Query, args Args, run func(context.Context, *prepared, []driver.NamedValue) error) error {
	if tx.err != nil {
		return tx.err
	}
	if err := tx.ctx.Err(); err != nil {
		return err
	}
	list, err := q.bind(args)
	if err != nil {
		return err
	}
	st, err := tx.c.prepare(q)
	if err == nil {
		tx.ran(q.name)
		ctx := context.Background()
		if q.scan != "" {
			ctx = tx.ctx
		}
		err = run(ctx, st, list)
	}
	if tx.writes && tx.c.lost {
		tx.err = errors.Join(errLost, err)
		return tx.err
	}
	if err != nil && !IsNoRows(err) {
		return fmt.Errorf("query %s: %w", q.name, err)
	}
	return err
}

// Read runs fn in a read transaction: all of fn sees one snapshot, and
// nothing it does can write.
func (db *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, readLimit)
		defer cancel()
	}
	c, err := db.reader(ctx, nil)
	if err != nil {
		return err
	}
	defer c.release()
	if err := c.control(begin); err != nil {
		return err
	}
	defer c.control(commit) // ends the snapshot; there is nothing to lose
	// BEGIN alone takes no snapshot, the first read does: only after it is Now
	// the moment that fn sees.
	seq, err := c.seq()
	if err != nil {
		return err
	}
	db.changes.observeSeq(seq)
	return db.show(ctx, c, seq, fn)
}

// Lookup is for what must not wait behind long reads, such as the question who is
// asking: fn reads a few rows by their keys. It has a connection that Read never
// takes, if no other is idle. Each query sees the database as it is then, and
// is not given up half way.
func (db *DB) Lookup(ctx context.Context, fn func(*Tx) error) error {
	c, err := db.reader(ctx, db.reserved)
	if err != nil {
		return err
	}
	defer c.release()
	return db.show(context.WithoutCancel(ctx), c, 0, fn)
}

func (db *DB) show(ctx context.Context, c *conn, seq int64, fn func(*Tx) error) error {
	tx := &Tx{ctx: ctx, c: c, ran: db.ran, meta: db.meta, now: db.Now(), seq: seq, changes: &db.changes}
	defer func() { tx.err = errOver }()
	return fn(tx)
}
