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

// busyTimeout limits how long a statement waits for the lock of another process,
// such as a command that runs while the server is running.
const busyTimeout = 10 * time.Second

// Parameters of the connections of an open DB.
const (
	liveParams = "_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=foreign_keys(1)" +
		"&_pragma=journal_size_limit(67108864)"
	readParams = liveParams + "&_query_only=1"
)

// dataSource returns the driver's data source name of the file at path.
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

// openPool opens the file at path with database/sql, for operations on the file
// as a whole: inspection, migration, backup.
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

// conn is a connection with its prepared statements. One transaction uses it at
// a time. It calls the driver directly: the overhead of database/sql per query
// and row exceeds the cost of most of our queries.
type conn struct {
	driver.Conn
	statements map[*statement]*preparedStatement
	rolledBack bool        // SQLite has rolled back the whole transaction
	pool       *pool       // nil for the writer
	onError    func(error) // called with each error of a statement, after openConn

	dataVersion int64 // data_version of the latest call of Poll with this connection
}

func openConn(path, params string) (*conn, error) {
	name, err := dataSource(path, params)
	if err != nil {
		return nil, err
	}
	c, err := new(sqlite.Driver).Open(name)
	if err != nil {
		return nil, openError(path, err)
	}
	return &conn{Conn: c, statements: make(map[*statement]*preparedStatement)}, nil
}

// prepare returns the prepared statement of q. It prepares each statement once
// per connection.
func (c *conn) prepare(q Query) (*preparedStatement, error) {
	if st := c.statements[q.statement]; st != nil {
		return st, nil
	}
	st, err := c.Prepare(q.text)
	if err != nil {
		return nil, err
	}
	p := &preparedStatement{q.statement, st.(driverStmt)}
	c.statements[q.statement] = p
	return p, nil
}

// watchRollback makes SQLite report every rollback of a whole transaction in
// c.rolledBack.
func (c *conn) watchRollback() {
	c.Conn.(sqlite.HookRegisterer).RegisterRollbackHook(func() { c.rolledBack = true })
}

func (c *conn) close() error {
	for _, st := range c.statements {
		st.Close()
	}
	return c.Close()
}

// seq reads the commit sequence number. In a read transaction this first query
// takes the snapshot.
func (c *conn) seq() (seq int64, err error) {
	st, err := c.prepare(ownQueries.Seq)
	if err == nil {
		err = st.get(context.Background(), &seq, nil)
	}
	if err != nil {
		c.onError(err)
		return 0, fmt.Errorf("reading the commit sequence number: %w", err)
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

// control runs a statement that begins or ends a transaction. It takes no context:
// a transaction that has begun must be ended.
func (c *conn) control(q Query) error {
	st, err := c.prepare(q)
	if err == nil {
		_, err = st.ExecContext(context.Background(), nil)
	}
	if err != nil {
		c.onError(err)
		return fmt.Errorf("%s: %w", q.name, err)
	}
	return nil
}
