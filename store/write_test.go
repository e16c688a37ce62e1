package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// runTogether runs the functions in one batch: it blocks the writing goroutine
// until all are queued. It returns their errors, including those that panics were converted to.
func runTogether(t *testing.T, db *DB, fns ...func(*Tx) error) []error {
	t.Helper()
	var (
		errs    = make([]error, len(fns))
		all     sync.WaitGroup
		holding = make(chan struct{})
		release = make(chan struct{})
	)
	all.Go(func() {
		_ = db.Write(context.Background(), func(*Tx) error {
			select {
			case <-holding: // the function runs again
			default:
				close(holding)
			}
			<-release
			return nil
		})
	})
	<-holding
	for i, fn := range fns {
		w := &writeRequest{ctx: t.Context(), fn: fn, done: make(chan struct{})}
		if err := db.enqueue(w); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			<-w.done
			errs[i] = w.err
		})
	}
	close(release)
	all.Wait()
	return errs
}

func TestFailedWriteDoesNotAffectItsBatch(t *testing.T) {
	errFailure := errors.New("boom")
	for name, bad := range map[string]func(*Tx) error{
		"error":       func(tx *Tx) error { _ = add("x")(tx); return errFailure },
		"panic":       func(tx *Tx) error { _ = add("x")(tx); panic(errFailure) },
		"constraint":  func(tx *Tx) error { _ = add("x")(tx); return add("a")(tx) },
		"rolled back": func(tx *Tx) error { _ = add("x")(tx); return add("doom")(tx) },
		// a function that ignores the rollback of its transaction fails too
		"swallowed":   func(tx *Tx) error { _ = add("doom")(tx); _ = add("x")(tx); return nil },
		"deferred":    func(tx *Tx) error { _ = add("x")(tx); _, err := tx.Exec(addOrphan, nil); return err },
		"bad release": func(tx *Tx) error { _ = add("x")(tx); return tx.c.control(releasePoint) },
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			errs := runTogether(t, db, add("a"), bad, add("b"))
			if errs[0] != nil || errs[2] != nil {
				t.Errorf("the other writes: got %v and %v, want no errors", errs[0], errs[2])
			}
			if errs[1] == nil {
				t.Error("the failed write was acknowledged")
			}
			if n := count(t, db); n != 2 {
				t.Errorf("got %d rows, want 2", n)
			}
			if err := db.Write(t.Context(), add("later")); err != nil {
				t.Errorf("a later write: %v", err)
			}
		})
	}
}

func TestPanicReachesCallerOfWrite(t *testing.T) {
	db := open(t)
	defer func() {
		p, ok := recover().(*PanicError)
		if !ok || p.Value != "boom" || !strings.Contains(string(p.Stack), "TestPanicReachesCallerOfWrite") {
			t.Errorf("recovered %v, want a PanicError with the value and the stack of the function", p)
		}
	}()
	_ = db.Write(t.Context(), func(*Tx) error { panic("boom") })
}

func TestFullDiskFailsOneWrite(t *testing.T) {
	db := open(t)
	if err := db.writer.control(query("PRAGMA max_page_count = 60")); err != nil {
		t.Fatal(err)
	}
	big := func(tx *Tx) error { return add(strings.Repeat("x", 1<<20))(tx) }
	errs := runTogether(t, db, add("a"), big, add("b"))
	if errs[0] != nil || errs[2] != nil {
		t.Errorf("the small writes: got %v and %v, want no errors", errs[0], errs[2])
	}
	if !IsFull(errs[1]) {
		t.Errorf("the big write: got %v, want SQLITE_FULL", errs[1])
	}
	if n := count(t, db); n != 2 {
		t.Errorf("got %d rows, want 2", n)
	}
}

func TestAfterCommitRunsOnlyOnSuccess(t *testing.T) {
	db := open(t)
	var ran []string
	err := db.Write(t.Context(), func(tx *Tx) error {
		tx.AfterCommit(func() { ran = append(ran, "committed") })
		return add("a")(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = db.Write(t.Context(), func(tx *Tx) error {
		tx.AfterCommit(func() { ran = append(ran, "failed") })
		return add("a")(tx)
	})
	if strings.Join(ran, " ") != "committed" {
		t.Errorf("got %q, want only that of the committed write", ran)
	}
}

func TestWriteChecksContextBeforeItBegins(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Write(ctx, add("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	err := db.Write(ctx, func(tx *Tx) error {
		cancel() // a write that has begun is completed
		return add("b")(tx)
	})
	if err != nil {
		t.Error(err)
	}
	if n := count(t, db); n != 1 {
		t.Errorf("got %d rows, want 1", n)
	}
}

func TestContextOfAWriteIsRecognized(t *testing.T) {
	db := open(t)
	writing, reading := false, true
	err := errors.Join(
		db.Write(t.Context(), func(tx *Tx) error { writing = IsWriting(tx.Context()); return nil }),
		db.Read(t.Context(), func(tx *Tx) error { reading = IsWriting(tx.Context()); return nil }))
	if err != nil || !writing || reading {
		t.Errorf("got writing %t in a write and %t in a read, %v, want true and false", writing, reading, err)
	}
}

func TestClosedDatabaseRejectsTransactions(t *testing.T) {
	db := open(t)
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), add("a")); !errors.Is(err, ErrClosed) {
		t.Errorf("write: got %v, want ErrClosed", err)
	}
	if err := db.Read(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("read: got %v, want ErrClosed", err)
	}
}

// Concurrent reads and writes on two DBs of the same file all succeed. Covers PT-39.
func TestConcurrentTransactionsSucceed(t *testing.T) {
	db := open(t)
	second, err := Open(t.Context(), db.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	const writers, each = 8, 50
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			use := db
			if w%4 == 0 {
				use = second
			}
			for i := range each {
				if err := use.Write(t.Context(), add(fmt.Sprint(w, "-", i))); err != nil {
					t.Error(err)
				}
				if err := use.Read(t.Context(), func(tx *Tx) error { var n int; return tx.Get(&n, countItem, nil) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := count(t, db); n != writers*each {
		t.Errorf("got %d rows, want %d", n, writers*each)
	}
}

// A write guard is checked inside the transaction of each write.
func TestWriteGuardIsCheckedInTransaction(t *testing.T) {
	db := open(t)
	ended := errors.New("ended")
	present := query("SELECT count(*) FROM item WHERE v = 'end'")
	ctx := WithWriteGuard(t.Context(), func(tx *Tx) error {
		var n int
		if err := tx.Get(&n, present, nil); err != nil || n == 0 {
			return err
		}
		return ended
	})
	if err := db.Write(ctx, add("a")); err != nil {
		t.Errorf("while the guard holds: %v", err)
	}
	if err := db.Write(t.Context(), add("end")); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(ctx, add("b")); !errors.Is(err, ended) {
		t.Errorf("when the guard fails: got %v, want its error", err)
	}
	if n := count(t, db); n != 2 {
		t.Errorf("got %d rows, want 2", n)
	}
}
