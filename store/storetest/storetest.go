// Package storetest opens real, migrated databases for tests and inserts rows.
//
// # Files
//
//   - storetest.go: Open, Clock, and the limits of writes
//   - template.go: Create
//   - fixture.go: Exec, TryExec, Rows, AddMembers
//   - damage.go: Damage
//   - sets.go: WantSets
package storetest

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"

	"appliance/store"
)

// The heap of a test is small. It grows by 400 % between two collections, which saves a
// tenth of the processor time of the tests, unless GOGC sets another value.
func init() {
	if previous := debug.SetGCPercent(400); previous != 100 {
		debug.SetGCPercent(previous)
	}
}

// Start is the initial time of a [Clock].
var Start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// Clock is a clock that only the test advances.
type Clock struct{ millis atomic.Int64 }

// NewClock returns a clock set to [Start].
func NewClock() *Clock {
	c := new(Clock)
	c.Set(Start)
	return c
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time { return time.UnixMilli(c.millis.Load()).UTC() }

// Set sets the clock to t.
func (c *Clock) Set(t time.Time) { c.millis.Store(t.UnixMilli()) }

// Advance moves the clock forward by d.
func (c *Clock) Advance(d time.Duration) { c.millis.Add(d.Milliseconds()) }

// Open returns an empty database and its clock. It closes the database when the
// test ends.
func Open(t testing.TB) (*store.DB, *Clock) {
	t.Helper()
	clock := NewClock()
	path := filepath.Join(t.TempDir(), "appliance.db")
	Create(t, path)
	db, err := store.Open(t.Context(), path, store.Options{Clock: clock.Now, OnWrite: LimitWrites(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db, clock
}

// Limits of one write (B-130). Within them, a write delays other writes by a few milliseconds on
// a small machine.
const (
	maxStatements = 60
	maxRows       = 2500
)

// fillKey is the context key of Fill.
type fillKey struct{}

// Fill returns a context for writes that create test data. They may exceed the limits of one
// write.
func Fill(ctx context.Context) context.Context { return context.WithValue(ctx, fillKey{}, true) }

// LimitWrites returns a function for [store.Options] that fails the test after a write that
// exceeds the limits.
func LimitWrites(t testing.TB) func(context.Context, store.WriteSize) {
	return func(ctx context.Context, w store.WriteSize) {
		for _, exempt := range []string{
			"maps/merge-texts", "maps/merge-trigrams", // a merge of the indexes of words is limited by pages
		} {
			if w.Queries[exempt] > 0 {
				return
			}
		}
		if ctx.Value(fillKey{}) == nil && (w.Statements > maxStatements || w.Rows > maxRows) {
			t.Errorf("a write ran %d statements and changed %d rows, want at most %d and %d: see the forms of large writes in store/doc.go\n%v",
				w.Statements, w.Rows, maxStatements, maxRows, w.Queries)
		}
	}
}
