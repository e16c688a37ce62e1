package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
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

	readPool, writePool *sqlx.DB
	readers             *idle
	spare               *idle // for Peek alone
	writer              *conn
	seq                 int64 // number of the transaction that is being written
	touched             bool  // something in it is

	queue   chan *job
	mu      sync.RWMutex // held for reading while a job is put into queue
	closed  bool
	stopped chan struct{} // closed when the writing goroutine has ended
}

// Options are what tests change.
type Options struct {
	Clock func() time.Time   // the time of day; nil means the machine's
	Ran   func(query string) // is told the name of each query that runs; nil if nobody counts
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
		ran:     opts.Ran,
		queue:   make(chan *job, 1024),
		stopped: make(chan struct{}),
	}
	if db.clock == nil {
		db.clock = time.Now
	}
	if db.ran == nil {
		db.ran = func(string) {}
	}
	if db.readPool, err = openPool(path, readParams); err != nil {
		return nil, err
	}
	if db.writePool, err = openPool(path, liveParams); err != nil {
		return nil, err
	}
	if db.writer, err = openConn(ctx, db.writePool); err == nil {
		err = db.writer.watchRollback()
	}
	if err != nil {
		db.readPool.Close()
		db.writePool.Close()
		return nil, err
	}
	db.readers = newIdle(min(8, max(4, 2*runtime.GOMAXPROCS(0))))
	db.spare = newIdle(1)
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
	db.readers.close()
	db.spare.close()
	db.writer.close()
	return errors.Join(db.readPool.Close(), db.writePool.Close())
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
	c, err := openConn(ctx, db.readPool)
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
func (i *idle) close() {
	for range cap(i.turns) {
		<-i.turns
	}
	for _, c := range i.open {
		c.close()
	}
}

// busyTimeout is how long a statement waits for another process, such as a
// command beside the running server.
const busyTimeout = 10 * time.Second

// What the connections of a running program are set up with.
const (
	liveParams = "_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=foreign_keys(1)" +
		"&_pragma=journal_size_limit(67108864)"
	readParams = liveParams + "&_query_only=1"
)

// openPool returns database/sql's pool for the file at path.
func openPool(path, params string) (*sqlx.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	abs = filepath.ToSlash(abs)
	if abs[0] != '/' { // C:/data
		abs = "/" + abs
	}
	// The driver applies busy_timeout before every other pragma.
	u := url.URL{Scheme: "file", Path: abs, RawQuery: fmt.Sprintf("_dqs=0&_pragma=busy_timeout(%d)&%s", busyTimeout.Milliseconds(), params)}
	pool, err := sqlx.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return pool, nil
}

// conn is one connection with the statements it has prepared. It is used by
// one transaction at a time.
type conn struct {
	*sqlx.Conn
	statements map[*statement]*prepared
	lost       bool  // SQLite has rolled the transaction back
	home       *idle // where it is put back, if it is for reading
}

type prepared = sqlx.Stmt

func openConn(ctx context.Context, pool *sqlx.DB) (*conn, error) {
	c, err := pool.Connx(ctx)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, statements: make(map[*statement]*prepared)}, nil
}

// prepare returns the statement of q, prepared once for the connection.
func (c *conn) prepare(ctx context.Context, q Query) (*prepared, error) {
	if st := c.statements[q.statement]; st != nil {
		return st, nil
	}
	st, err := c.PreparexContext(ctx, q.text)
	if err != nil {
		return nil, err
	}
	c.statements[q.statement] = st
	return st, nil
}

// watchRollback has every rollback of a transaction noted in c.lost.
func (c *conn) watchRollback() error {
	return c.Raw(func(driver any) error {
		driver.(sqlite.HookRegisterer).RegisterRollbackHook(func() { c.lost = true })
		return nil
	})
}

func (c *conn) close() {
	for _, st := range c.statements {
		st.Close()
	}
	c.Close()
}

// seq returns the number of the last commit that counts. With that a read
// snapshot begins.
func (c *conn) seq() (seq int64, err error) {
	st, err := c.prepare(context.Background(), own.Seq)
	if err == nil {
		err = st.GetContext(context.Background(), &seq)
	}
	if err != nil {
		return 0, fmt.Errorf("the number of changes: %w", err)
	}
	return seq, nil
}

// The statements that open and end transactions.
var (
	begin          = Query{&statement{name: "begin", text: "BEGIN"}}
	beginImmediate = Query{&statement{name: "begin-immediate", text: "BEGIN IMMEDIATE"}}
	commit         = Query{&statement{name: "commit", text: "COMMIT"}}
	rollback       = Query{&statement{name: "rollback", text: "ROLLBACK"}}
	savepoint      = Query{&statement{name: "savepoint", text: "SAVEPOINT closure"}}
	rollbackTo     = Query{&statement{name: "rollback-to", text: "ROLLBACK TO closure"}}
	releasePoint   = Query{&statement{name: "release", text: "RELEASE closure"}}
)

// control runs one of them. Nothing can interrupt it: a transaction that was
// begun must be ended.
func (c *conn) control(q Query) error {
	st, err := c.prepare(context.Background(), q)
	if err == nil {
		_, err = st.ExecContext(context.Background())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	return nil
}
