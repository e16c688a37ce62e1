package store

import (
	"errors"
	"sync"

	sqlite3 "modernc.org/sqlite/lib"
)

// damage records the first error by which SQLite reported that the file is damaged.
type damage struct {
	mu     sync.Mutex
	err    error
	report func(error)
}

// IsDamage reports whether err means that the database file is damaged.
func IsDamage(err error) bool {
	code := primaryCode(err)
	return errors.Is(err, ErrDamaged) || code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB
}

// Damage returns the first error of a query, a write or a check that found the file
// damaged, or nil. It is not reset before the process ends: a later query may
// succeed because it reads other pages.
func (db *DB) Damage() error {
	db.damage.mu.Lock()
	defer db.damage.mu.Unlock()
	return db.damage.err
}

// OnDamage sets a function that is called once, with the first error that found the
// file damaged. It may be called inside a transaction and must not use the database.
func (db *DB) OnDamage(report func(error)) {
	db.damage.mu.Lock()
	db.damage.report = report
	err := db.damage.err
	db.damage.mu.Unlock()
	if err != nil {
		report(err)
	}
}

// NoteDamage records err if it means that the file is damaged. Transactions and
// [Check] call it themselves.
func (db *DB) NoteDamage(err error) {
	if IsDamage(err) {
		db.damage.record(err)
	}
}

func (d *damage) record(err error) {
	d.mu.Lock()
	first := d.err == nil
	if first {
		d.err = err
	}
	report := d.report
	d.mu.Unlock()
	if first && report != nil {
		report(err)
	}
}
