package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"net/url"
	"path/filepath"
	"time"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
)

// busyTimeout is how long a statement waits for another process, such as a
// command beside the running server.
const busyTimeout = 10 * time.Second

// What the connections of a running program are set up with.
const (
	liveParams = "_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=foreign_keys(1)" +
		"&_pragma=journal_size_limit(67108864)"
	readParams = liveParams + "&_query_only=1"
)

// dataSource is what the driver calls the file at path.
func dataSource(path, params string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	abs = filepath.ToSlash(abs)
	if abs[0] != '/' { // C:/data
		abs = "/" + abs
	}
	// The driver applies busy_timeout before every other pragma.
	u := url.URL{Scheme: "file", Path: abs, RawQuery: fmt.Sprintf("_dqs=0&_pragma=busy_timeout(%d)&%s", busyTimeout.Milliseconds(), params)}
	return u.String(), nil
}

// openPool returns database/sql's pool for the file at path, for what is done
// to the file as a whole.
func openPool(path, params string) (*sqlx.DB, error) {
	name, err := dataSource(path, params)
	if err != nil {
		return nil, err
	}
	pool, err := sqlx.Open("sqlite", name)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return pool, nil
}

// conn is one connection with the statements it has prepared. It is used by
// one transaction at a time. It speaks with the driver itself: what database/sql
// does for each query and each row to serve any driver takes longer than most
// of our queries.
type conn struct {
	driver.Conn
	statements map[*statement]*prepared
	lost       bool  // SQLite has rolled the transaction back
	home       *idle // where it is put back, if it is for reading
}

func openConn(path, params string) (*conn, error) {
	name, err := dataSource(path, params)
	if err != nil {
		return nil, err
	}
	c, err := new(sqlite.Driver).Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return &conn{Conn: c, statements: make(map[*statement]*prepared)}, nil
}

// prepare returns the statement of q, prepared once for the connection.
func (c *conn) prepare(q Query) (*prepared, error) {
	if st := c.statements[q.statement]; st != nil {
		return st, nil
	}
	st, err := c.Prepare(q.text)
	if err != nil {
		return nil, err
	}
	p := &prepared{q.statement, st.(runner)}
	c.statements[q.statement] = p
	return p, nil
}

// watchRollback has every rollback of a transaction noted in c.lost.
func (c *conn) watchRollback() {
	c.Conn.(sqlite.HookRegisterer).RegisterRollbackHook(func() { c.lost = true })
}

func (c *conn) close() error {
	for _, st := range c.statements {
		st.Close()
	}
	return c.Close()
}

// seq returns the number of the last commit that counts. With that a read
// snapshot begins.
func (c *conn) seq() (seq int64, err error) {
	st, err := c.prepare(own.Seq)
	if err == nil {
		err = st.get(context.Background(), &seq, nil)
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
	st, err := c.prepare(q)
	if err == nil {
		_, err = st.ExecContext(context.Background(), nil)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", q.name, err)
	}
	return nil
}
