package store

import (
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// errRolledBack is returned by every call on a transaction that SQLite has
// rolled back, so that no later statement can write outside of a transaction.
var errRolledBack = errors.New("store: the transaction was rolled back")

// errDone is returned by every call on a transaction that has ended.
var errDone = errors.New("store: the transaction has ended")

// ErrClosed is returned by transactions that begin after Close.
var ErrClosed = errors.New("store: the database is closed")

// ErrForeign is the reason for which a file is rejected that another program has written.
var ErrForeign = errors.New("is not a database of this program")

// ErrDamaged is the reason for which an incomplete or changed file is rejected.
var ErrDamaged = errors.New("is truncated or damaged")

// openError returns the error for a failure to open or read the file at path. The texts of
// SQLite name neither the file nor the reason for which the operating system denies access.
func openError(path string, err error) error {
	switch primaryCode(err) {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%s %w", path, ErrForeign)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%s %w: %w", path, ErrDamaged, err)
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR:
		if denied := checkAccess(path); denied != nil {
			return denied
		}
	}
	return fmt.Errorf("opening %s: %w", path, err)
}

// IsNoRows reports whether err means that Get found no row.
func IsNoRows(err error) bool { return errors.Is(err, sql.ErrNoRows) }

// IsConstraint reports whether a constraint of the schema rejected the write.
func IsConstraint(err error) bool { return primaryCode(err) == sqlite3.SQLITE_CONSTRAINT }

// IsBusy reports whether another process held the lock of the file for longer
// than the busy timeout.
func IsBusy(err error) bool { return primaryCode(err) == sqlite3.SQLITE_BUSY }

// IsFull reports whether a write failed because the disk, or the quota of the
// program's user on it, is full: a write of SQLite or of a temporary file.
func IsFull(err error) bool {
	var e *sqlite.Error
	if errors.As(err, &e) {
		// SQLite does not say why it could not extend the index of the write-ahead log.
		return e.Code()&0xff == sqlite3.SQLITE_FULL || e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, errReserved)
}

// primaryCode returns SQLite's primary result code, or 0 for other errors.
func primaryCode(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// PanicError is a panic of the function passed to Write. Write panics with it in
// the goroutine of its caller.
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
