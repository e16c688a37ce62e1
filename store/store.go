package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// own are the statements of sql/queries/store.sql.
var own struct {
	Meta   Query `sql:"meta"`
	Seq    Query `sql:"seq"`
	SetSeq Query `sql:"set-seq"`
}

func init() { Bind("store", &own) }

// DB is an open database. Its methods may be called from any goroutine, but
// not from inside a transaction: a Write inside a Write waits for itself.
type DB struct {
	path  string
	clock func() time.Time
	ran   func(query string)
	meta  meta

	changes changes

	readers  *idle
	reserved *idle // for Peek alone
	writer   *conn
	seq      int64 // number of the transaction that is being written
	touched  bool  // something in it is

	queue   chan *job
	mu      sync.RWMutex // held for reading while a job is put into queue
	closed  bool
	stopped chan struct{} // closed when the writing goroutine has ended
}

// Options are what tests change.
type Options struct {
	Clock   func() time.Time   // the time of day; nil means the machine's
	OnQuery func(query string) // is told the name of each query that runs; nil if nobody counts
}

// Open opens the database at path. Its schema must be the current one: see
// [Migrate]. The caller must Close it.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	status, err := Inspect(ctx, path)
	if err != nil {
		return nil, err
	}
	if err := status.mustBeCurrent(); err != nil {
		return nil, err
	}
	db := &DB{
		path:    path,
		clock:   opts.Clock,
		ran:     opts.OnQuery,
		queue:   make(chan *job, 1024),
		stopped: make(chan struct{}),
	}
	if db.clock == nil {
		db.clock = time.Now
	}
	if db.ran == nil {
		db.ran = func(string) {}
	}
	if db.writer, err = openConn(path, liveParams); err != nil {
		return nil, err
	}
	db.writer.watchRollback()
	db.readers = newIdle(min(8, max(4, 2*runtime.GOMAXPROCS(0))))
	db.reserved = newIdle(1)
	go db.commitLoop()
	db.changes.last = make(map[int64]map[Topic]int64)
	err = db.Read(ctx, func(tx *Tx) error { return tx.Get(&db.meta, own.Meta, nil) })
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening %s: %w", path, err), db.Close())
	}
	return db, nil
}

// Now is the time of day, in UTC to the millisecond. It is the only clock of
// the program.
func (db *DB) Now() time.Time { return db.clock().UTC().Truncate(time.Millisecond) }

// Path returns the name of the database file.
func (db *DB) Path() string { return db.path }

// Close waits for the transactions under way, folds the log back into the
// file and closes it.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	close(db.queue)
	db.mu.Unlock()
	<-db.stopped
	return errors.Join(db.readers.close(), db.reserved.close(), db.writer.close())
}

// reader takes a read connection out of the pool, or out of the spare ones if
// there are any, opening it on first use.
func (db *DB) reader(ctx context.Context, spare *idle) (*conn, error) {
	db.mu.RLock()
	closed := db.closed
	db.mu.RUnlock()
	if closed {
		return nil, ErrClosed
	}
	home := db.readers
	select {
	case <-home.turns:
	default:
		var turns chan struct{} // nil: nothing comes of it
		if spare != nil {
			turns = spare.turns
		}
		select {
		case <-home.turns:
		case <-turns:
			home = spare
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for a read connection: %w", ctx.Err())
		}
	}
	if c := home.take(); c != nil {
		return c, nil
	}
	c, err := openConn(db.path, readParams)
	if err != nil {
		home.turns <- struct{}{}
		return nil, err
	}
	c.home = home
	return c, nil
}

func (c *conn) release() { c.home.put(c) }

// idle are the connections of a pool that nobody uses. The one that was used
// last is taken first: it remembers most of the file, and no more are opened
// than are needed at once.
type idle struct {
	turns chan struct{} // one for each that may be taken, open or not

	mu   sync.Mutex
	open []*conn
}

func newIdle(size int) *idle {
	i := &idle{turns: make(chan struct{}, size)}
	for range size {
		i.turns <- struct{}{}
	}
	return i
}

// take returns a connection for a turn, nil if all that are open are in use.
func (i *idle) take() *conn {
	i.mu.Lock()
	defer i.mu.Unlock()
	last := len(i.open) - 1
	if last < 0 {
		return nil
	}
	c := i.open[last]
	i.open = i.open[:last]
	return c
}

func (i *idle) put(c *conn) {
	i.mu.Lock()
	i.open = append(i.open, c)
	i.mu.Unlock()
	i.turns <- struct{}{}
}

// close waits for all of them and closes them.
func (i *idle) close() (err error) {
	for range cap(i.turns) {
		<-i.turns
	}
	for _, c := range i.open {
		err = errors.Join(err, c.close())
	}
	return err
}
