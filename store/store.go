package store

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// ownQueries are the statements of sql/queries/store.sql.
var ownQueries struct {
	Meta       Query `sql:"meta"`
	Migrations Query `sql:"migrations"`
	Seq        Query `sql:"seq"`
	SetSeq     Query `sql:"set-seq"`
	Changes    Query `sql:"changes"`
	FreeBytes  Query `sql:"free-bytes"`

	DataVersion Query `sql:"data-version"`
}

func init() { Bind("store", &ownQueries) }

// DB is an open database. Its methods may be called from any goroutine, but
// not inside a transaction: a Write inside a Write deadlocks.
type DB struct {
	path    string
	clock   func() time.Time
	onQuery func(query string)
	onWrite func(context.Context, WriteSize) // may be nil
	meta    meta

	changes changes
	damage  damage
	reserve reserve

	readers  *pool
	reserved *pool // used by Lookup only
	writer   *conn
	seq      int64 // commit sequence number of the open write transaction
	touched  bool  // a write of the open transaction has called Touch

	queue   chan *writeRequest
	mu      sync.RWMutex // held for reading while sending to queue
	closed  bool
	stopped chan struct{} // closed when commitLoop has returned
}

// Options are set by tests only.
type Options struct {
	Clock   func() time.Time                 // nil: the system clock
	OnQuery func(query string)               // called with the name of each query; may be nil
	OnWrite func(context.Context, WriteSize) // called with the context of Write after each successful function; may be nil
}

// WriteSize is the work of one function of [DB.Write].
type WriteSize struct {
	Statements int
	Rows       int64          // inserted, updated and deleted, by triggers too
	Queries    map[string]int // the statements by name
}

// Open opens the database at path, whose schema must be current (see
// [Migrate]). The caller must Close it.
func Open(ctx context.Context, path string, opts Options) (*DB, error) {
	status, header, err := inspectHeader(ctx, path)
	if header != nil {
		err = header.Close()
	}
	if err == nil {
		err = status.checkCurrent()
	}
	if err != nil {
		return nil, err
	}
	db := &DB{
		path:    path,
		clock:   opts.Clock,
		onQuery: opts.OnQuery,
		onWrite: opts.OnWrite,
		queue:   make(chan *writeRequest, 1024),
		stopped: make(chan struct{}),
	}
	if db.clock == nil {
		db.clock = time.Now
	}
	if db.onQuery == nil {
		db.onQuery = func(string) {}
	}
	if db.writer, err = openConn(path, liveParams); err != nil {
		return nil, err
	}
	db.writer.onError = db.NoteDamage
	db.writer.watchRollback()
	db.readers = newPool(min(8, max(4, 2*runtime.GOMAXPROCS(0))))
	db.reserved = newPool(1)
	go db.commitLoop()
	db.changes.last = make(map[int64]map[Topic]int64)
	var applied []Migration
	err = db.Read(ctx, func(tx *Tx) error {
		if err := tx.Get(&db.meta, ownQueries.Meta, nil); err != nil {
			return err
		}
		return tx.Select(&applied, ownQueries.Migrations, nil)
	})
	if err != nil {
		err = openError(path, err)
	} else {
		err = status.checkApplied(applied)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// Now returns the current time, in UTC to the millisecond. It is the only clock
// of the program.
func (db *DB) Now() time.Time { return db.clock().UTC().Truncate(time.Millisecond) }

// Path returns the name of the database file.
func (db *DB) Path() string { return db.path }

// FreeBytes returns the space inside the database file that new rows use before the
// file grows.
func (db *DB) FreeBytes(ctx context.Context) (free int64, err error) {
	err = db.Read(ctx, func(tx *Tx) error { return tx.Get(&free, ownQueries.FreeBytes, nil) })
	return free, err
}

// Close waits for running transactions, checkpoints the write-ahead log and
// closes the file.
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

// reader takes a connection from the readers' pool, or from the reserved pool
// if all readers are in use and reserved is not nil. It opens connections on
// first use. The caller must release the connection.
func (db *DB) reader(ctx context.Context, reserved *pool) (*conn, error) {
	db.mu.RLock()
	closed := db.closed
	db.mu.RUnlock()
	if closed {
		return nil, ErrClosed
	}
	from := db.readers
	select {
	case <-from.slots:
	default:
		var slots chan struct{} // nil blocks forever
		if reserved != nil {
			slots = reserved.slots
		}
		select {
		case <-from.slots:
		case <-slots:
			from = reserved
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for a read connection: %w", ctx.Err())
		}
	}
	if c := from.take(); c != nil {
		return c, nil
	}
	c, err := openConn(db.path, readParams)
	if err != nil {
		from.slots <- struct{}{}
		db.NoteDamage(err)
		return nil, err
	}
	c.pool, c.onError = from, db.NoteDamage
	return c, nil
}

func (c *conn) release() { c.pool.put(c) }

// pool holds a limited number of read connections. The most recently used
// connection is taken first, because its page cache is warmest and so that no
// more connections are opened than are needed at the same time.
type pool struct {
	slots chan struct{} // one token per connection that may be taken, open or not

	mu   sync.Mutex
	idle []*conn
}

func newPool(size int) *pool {
	p := &pool{slots: make(chan struct{}, size)}
	for range size {
		p.slots <- struct{}{}
	}
	return p
}

// take returns an idle connection, or nil if the caller, who holds a token, must
// open a new one.
func (p *pool) take() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil
	}
	c := p.idle[last]
	p.idle = p.idle[:last]
	return c
}

func (p *pool) put(c *conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	p.slots <- struct{}{}
}

// close waits until all connections are released and closes them.
func (p *pool) close() (err error) {
	for range cap(p.slots) {
		<-p.slots
	}
	for _, c := range p.idle {
		err = errors.Join(err, c.close())
	}
	return err
}
