package store

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errLost is what every call answers on a transaction that SQLite has rolled
// back on its own, so that no statement after it can write outside of it.
var errLost = errors.New("store: the transaction was rolled back")

// errOver is what every call answers on a transaction that has ended.
var errOver = errors.New("store: the transaction is over")

// ErrClosed is returned for work that arrives after Close.
var ErrClosed = errors.New("store: closed")

// IsNoRows reports whether err says that Get found no row.
func IsNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// IsConstraint reports whether a constraint of the schema refused the write.
func IsConstraint(err error) bool { return primaryCode(err) == sqlite3.SQLITE_CONSTRAINT }

// IsBusy reports whether another process held the file for too long.
func IsBusy(err error) bool { return primaryCode(err) == sqlite3.SQLITE_BUSY }

// IsFull reports whether the disk is full.
func IsFull(err error) bool { return primaryCode(err) == sqlite3.SQLITE_FULL }

// primaryCode returns SQLite's primary result code, 0 for other errors.
func primaryCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// PanicError is a panic inside a transaction, on its way to the goroutine
// that asked for it.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("panic in a transaction: %v\n%s", e.Value, e.Stack)
}

// PanicStack returns the stack of a recovered panic. For a [PanicError] it is
// the stack inside the transaction.
func PanicStack(recovered any) []byte {
	if p, ok := recovered.(*PanicError); ok {
		return p.Stack
	}
	return debug.Stack()
}
