// Package storetest gives tests a real, migrated database and rows in it.
package storetest

import (
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"appliance/store"
)

// Start is where the clock of a test stands at first.
var Start = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// Clock is a time of day that moves when the test says so.
type Clock struct{ millis atomic.Int64 }

// NewClock returns a clock that stands at [Start].
func NewClock() *Clock {
	c := new(Clock)
	c.Set(Start)
	return c
}

// Now returns what the clock shows.
func (c *Clock) Now() time.Time { return time.UnixMilli(c.millis.Load()).UTC() }

// Set makes the clock show t.
func (c *Clock) Set(t time.Time) { c.millis.Store(t.UnixMilli()) }

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.millis.Add(d.Milliseconds()) }

// Open returns an empty database that is closed when the test ends, and the
// clock it lives by.
func Open(t testing.TB) (*store.DB, *Clock) {
	t.Helper()
	clock := NewClock()
	path := filepath.Join(t.TempDir(), "appliance.db")
	if _, err := store.Migrate(t.Context(), path, t.TempDir(), nil); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(t.Context(), path, store.Options{Clock: clock.Now})
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
