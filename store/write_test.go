package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// together runs the closures in one batch: the writing goroutine is held up
// until all of them wait. It returns their errors, and counts panics as such.
func together(t *testing.T, db *DB, fns ...func(*Tx) error) []error {
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
			case <-holding: // a second run
			default:
				close(holding)
			}
			<-release
			return nil
		})
	})
	<-holding
	for i, fn := range fns {
		j := &job{ctx: t.Context(), fn: fn, done: make(chan struct{})}
		if err := db.enqueue(j); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			<-j.done
			errs[i] = j.err
		})
	}
	close(release)
	all.Wait()
	return errs
}

func TestOneFailureLeavesTheOthersAlone(t *testing.T) {
	boom := errors.New("boom")
	for name, bad := range map[string]func(*Tx) error{
		"error":       func(tx *Tx) error { _ = add("x")(tx); return boom },
		"panic":       func(tx *Tx) error { _ = add("x")(tx); panic(boom) },
		"constraint":  func(tx *Tx) error { _ = add("x")(tx); return add("a")(tx) },
		"rolled back": func(tx *Tx) error { _ = add("x")(tx); return add("doom")(tx) },
		// whoever swallows the error of a lost transaction still loses
		"swallowed":   func(tx *Tx) error { _ = add("doom")(tx); _ = add("x")(tx); return nil },
		"deferred":    func(tx *Tx) error { _ = add("x")(tx); _, err := tx.Exec(addOrphan, nil); return err },
		"bad release": func(tx *Tx) error { _ = add("x")(tx); return tx.c.control(releasePoint) },
	} {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			errs := together(t, db, add("a"), bad, add("b"))
			if errs[0] != nil || errs[2] != nil {
				t.Errorf("the others failed: %v, %v", errs[0], errs[2])
			}
			if errs[1] == nil {
				t.Error("the bad one was acknowledged")
			}
			if n := count(t, db); n != 2 {
				t.Errorf("%d rows, want 2", n)
			}
			if err := db.Write(t.Context(), add("later")); err != nil {
				t.Errorf("a later write: %v", err)
			}
		})
	}
}

func TestPanicComesBackToItsCaller(t *testing.T) {
	db := open(t)
	defer func() {
		p, ok := recover().(*PanicError)
		if !ok || p.Value != "boom" || !strings.Contains(string(p.Stack), "TestPanicComesBackToItsCaller") {
			t.Errorf("recovered %v", p)
		}
	}()
	_ = db.Write(t.Context(), func(*Tx) error { panic("boom") })
}

func TestFullDisk(t *testing.T) {
	db := open(t)
	if err := db.writer.control(query("PRAGMA max_page_count = 60")); err != nil {
		t.Fatal(err)
	}
	big := func(tx *Tx) error { return add(strings.Repeat("x", 1<<20))(tx) }
	errs := together(t, db, add("a"), big, add("b"))
	if errs[0] != nil || errs[2] != nil {
		t.Errorf("the small writes failed: %v, %v", errs[0], errs[2])
	}
	if !IsFull(errs[1]) {
		t.Errorf("the big write: %v, want a full disk", errs[1])
	}
	if n := count(t, db); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}

func TestAfterCommit(t *testing.T) {
	db := open(t)
	var told []string
	err := db.Write(t.Context(), func(tx *Tx) error {
		tx.AfterCommit(func() { told = append(told, "kept") })
		return add("a")(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = db.Write(t.Context(), func(tx *Tx) error {
		tx.AfterCommit(func() { told = append(told, "failed") })
		return add("a")(tx)
	})
	if strings.Join(told, " ") != "kept" {
		t.Errorf("told %q, want only what was kept", told)
	}
}

func TestWriteLooksAtItsContextFirst(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Write(ctx, add("a")); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	err := db.Write(ctx, func(tx *Tx) error {
		cancel() // too late: what has begun is finished
		return add("b")(tx)
	})
	if err != nil {
		t.Error(err)
	}
	if n := count(t, db); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

func TestClosedDatabaseSaysSo(t *testing.T) {
	db := open(t)
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), add("a")); !errors.Is(err, ErrClosed) {
		t.Errorf("write: %v", err)
	}
	if err := db.Read(t.Context(), func(*Tx) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Errorf("read: %v", err)
	}
}

// Many writers and readers, and a second process's worth of writers on the
// same file: nobody is told that it is locked, and nothing is lost (PT-39).
func TestManyAtOnce(t *testing.T) {
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
		t.Errorf("%d rows, want %d", n, writers*each)
	}
}

// A context with a check writes only while the check holds, as its own
// transaction sees it.
func TestCheckedWrites(t *testing.T) {
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
		t.Errorf("while it holds: %v", err)
	}
	if err := db.Write(t.Context(), add("end")); err != nil {
		t.Fatal(err)
	}
	if err := db.Write(ctx, add("b")); !errors.Is(err, ended) {
		t.Errorf("when it holds no more: %v", err)
	}
	if n := count(t, db); n != 2 {
		t.Errorf("%d rows, want 2", n)
	}
}
