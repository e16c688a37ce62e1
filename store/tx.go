package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// readLimit limits read transactions whose context has no deadline: an open
// snapshot prevents checkpoints of the write-ahead log.
const readLimit = 10 * time.Second

// Tx is a transaction. It is valid until the function that received it returns,
// and only in one goroutine.
type Tx struct {
	ctx            context.Context
	c              *conn
	onQuery        func(query string)
	now            time.Time
	meta           meta
	writes         bool
	statementCount int            // statements
	queries        map[string]int // by name; nil unless Options.OnWrite is set
	err            error          // if set, every call returns it
	after          []func()
	seq            int64 // commit sequence number of the snapshot, or of the commit that this write will be part of
	changes        *changes
	touched        []Touched
}

// meta is the row of store_meta.
type meta struct {
	InstanceKey []byte `db:"instance_key"`
	Epoch       string `db:"epoch"`
}

// Context returns the context of the transaction.
func (tx *Tx) Context() context.Context { return tx.ctx }

// Now returns the time of the transaction, in UTC to the millisecond. It is the
// same for all rows that the transaction writes.
func (tx *Tx) Now() time.Time { return tx.now }

// Seq returns the sequence number of the snapshot, or of the commit that the write will be
// part of, which is larger than those of earlier commits.
func (tx *Tx) Seq() int64 { return tx.seq }

// Epoch identifies the database file. It changes when the file is restored from a
// backup, which invalidates the counters, ETags and sync tokens that clients have
// stored.
func (tx *Tx) Epoch() string { return tx.meta.Epoch }

// InstanceKey returns the server's secret key of 32 bytes.
func (tx *Tx) InstanceKey() []byte { return tx.meta.InstanceKey }

// Statements returns the number of statements that the transaction has run. A write of variable
// size stops at a limit and leaves the rest to a later write.
func (tx *Tx) Statements() int { return tx.statementCount }

// AfterCommit registers fn to run in the goroutine of the caller of Write once
// the transaction is durable. fn does not run if the transaction fails. Use it
// for effects that cannot be rolled back.
func (tx *Tx) AfterCommit(fn func()) { tx.after = append(tx.after, fn) }

// Get reads the first row of q into dest, a pointer to a struct with db tags or to
// a single value. If there is no row, [IsNoRows] reports true for the error.
func (tx *Tx) Get(dest any, q Query, args Args) error {
	return tx.runStatement(q, args, func(ctx context.Context, st *preparedStatement, list []driver.NamedValue) error {
		return st.get(ctx, dest, list)
	})
}

// Select reads all rows of q into the slice that dest points to.
func (tx *Tx) Select(dest any, q Query, args Args) error {
	return tx.runStatement(q, args, func(ctx context.Context, st *preparedStatement, list []driver.NamedValue) error {
		return st.readAll(ctx, dest, list)
	})
}

// Exec runs q and returns the number of rows it changed.
func (tx *Tx) Exec(q Query, args Args) (rows int64, err error) {
	err = tx.runStatement(q, args, func(ctx context.Context, st *preparedStatement, list []driver.NamedValue) error {
		result, err := st.ExecContext(ctx, list)
		if err != nil {
			return err
		}
		rows, err = result.RowsAffected()
		return err
	})
	return rows, err
}

// ExecUpTo runs queries that each change at most :limit rows, in all at most limit. It returns
// the number of rows; if that is limit, there may be more. args must not contain limit.
func (tx *Tx) ExecUpTo(limit int, args Args, queries ...Query) (rows int, err error) {
	for _, q := range queries {
		args["limit"] = limit - rows
		n, err := tx.Exec(q, args)
		if rows += int(n); err != nil || rows >= limit {
			return rows, err
		}
	}
	return rows, nil
}

// runStatement runs one statement. If SQLite rolls back the whole transaction meanwhile, this
// call and every later one fail: the connection would be in autocommit mode, and the next
// statement would commit on its own.
//
// Only a statement that may scan a whole table (marked "-- scan:") is interrupted when the
// context ends: watching the context costs more than most other statements. Before any other
// statement, runStatement only checks whether the context has ended.
func (tx *Tx) runStatement(q Query, args Args, run func(context.Context, *preparedStatement, []driver.NamedValue) error) error {
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
		tx.statementCount++
		if tx.queries != nil {
			tx.queries[q.name]++
		}
		tx.onQuery(q.name)
		ctx := context.Background()
		if q.scan != "" {
			ctx = tx.ctx
		}
		err = run(ctx, st, list)
	}
	if err != nil {
		tx.c.onError(err)
	}
	if tx.writes && tx.c.rolledBack {
		tx.err = errors.Join(errRolledBack, err)
		return tx.err
	}
	if err != nil && !IsNoRows(err) {
		return fmt.Errorf("query %s: %w", q.name, err)
	}
	return err
}

// Read runs fn in a read transaction: all queries of fn see one snapshot, and
// writes fail.
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
	defer c.control(commit) // ends the snapshot; a read has nothing to roll back
	// BEGIN takes no snapshot, the first query does. Now must be read after it.
	seq, err := c.seq()
	if err != nil {
		return err
	}
	db.changes.observeSeq(seq)
	return db.runRead(ctx, c, seq, fn)
}

// Lookup runs fn, which reads a few rows by their keys, without a snapshot: each
// query sees the latest commit. If all read connections are in use it takes a
// connection that is reserved for it, so that authentication, for example, never
// waits for long reads. Its queries are not interrupted when ctx ends.
func (db *DB) Lookup(ctx context.Context, fn func(*Tx) error) error {
	c, err := db.reader(ctx, db.reserved)
	if err != nil {
		return err
	}
	defer c.release()
	return db.runRead(context.WithoutCancel(ctx), c, 0, fn)
}

// runRead calls fn with a Tx on c.
func (db *DB) runRead(ctx context.Context, c *conn, seq int64, fn func(*Tx) error) error {
	tx := &Tx{ctx: ctx, c: c, onQuery: db.onQuery, meta: db.meta, now: db.Now(), seq: seq, changes: &db.changes}
	defer func() { tx.err = errDone }()
	return fn(tx)
}
