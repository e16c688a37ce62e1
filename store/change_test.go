package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// readValue returns the result of fn in a read transaction.
func readValue[T any](t *testing.T, db *DB, fn func(*Tx) T) (value T) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *Tx) error {
		value = fn(tx)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// A touched topic changes the revisions of the touched members only.
func TestRevisionChangesForTouchedMembersOnly(t *testing.T) {
	db := open(t)
	revision := func(member int64) int64 {
		return readValue(t, db, func(tx *Tx) int64 { return tx.Revision(member) })
	}
	of := func(topic Topic) int64 {
		return readValue(t, db, func(tx *Tx) int64 { return tx.Revisions(7).Of(topic) })
	}
	fail := errors.New("failed")
	for _, c := range []struct {
		name                 string
		do                   func(*Tx) error
		seven, nine          bool // whether the revision of member 7 or 9 changes
		sevensTea, sevenMilk bool // whether that of a topic changes for member 7
	}{
		{"a topic for one member", func(tx *Tx) error { tx.Touch("tea", 7, 8); return nil }, true, false, true, false},
		{"a topic for no member", func(tx *Tx) error { tx.Touch("tea"); return nil }, false, false, false, false},
		{"a topic for everyone", func(tx *Tx) error { tx.Touch("milk", Everyone); return nil }, true, true, false, true},
		{"an item for one member", func(tx *Tx) error { tx.TouchItem("tea", "pot", 9); return nil }, false, true, false, false},
		{"all topics for one member", func(tx *Tx) error { tx.Touch(AllTopics, 7); return nil }, true, false, true, true},
		{"all topics for everyone", func(tx *Tx) error { tx.Touch(AllTopics, Everyone); return nil }, true, true, true, true},
		{"a failed write", func(tx *Tx) error { tx.Touch(AllTopics, Everyone); return fail }, false, false, false, false},
	} {
		seven, nine, tea, milk := revision(7), revision(9), of("tea"), of("milk")
		if err := db.Write(t.Context(), c.do); err != nil && err != fail {
			t.Fatal(err)
		}
		got := [4]bool{revision(7) != seven, revision(9) != nine, of("tea") != tea, of("milk") != milk}
		if want := [4]bool{c.seven, c.nine, c.sevensTea, c.sevenMilk}; got != want {
			t.Errorf("%s: changed revisions: got %v, want %v", c.name, got, want)
		}
	}
}

// A write sees what earlier writes of the same commit have touched.
func TestWriteSeesTouchesOfSameCommit(t *testing.T) {
	db := open(t)
	before := readValue(t, db, func(tx *Tx) int64 { return tx.Revision(7) })
	gate, seen := make(chan bool), make(chan int64, 1)
	first := make(chan error)
	go func() {
		first <- db.Write(context.Background(), func(tx *Tx) error {
			<-gate
			tx.Touch("tea", 7)
			return nil
		})
	}()
	second := make(chan error)
	go func() {
		gate <- true // the first write has begun
		second <- db.Write(context.Background(), func(tx *Tx) error {
			seen <- tx.Revision(7)
			return nil
		})
	}()
	if err := errors.Join(<-first, <-second); err != nil {
		t.Fatal(err)
	}
	if now := <-seen; now == before {
		t.Errorf("got revision %d in the second write, want one changed by the first", now)
	}
}

// A commit of another process counts as a change of everything. So does a failed
// commit, since its sequence number may be used again.
func TestForeignAndFailedCommitsInvalidateEverything(t *testing.T) {
	db := open(t)
	other, err := Open(t.Context(), db.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	touch := func(db *DB, member int64) {
		t.Helper()
		if err := db.Write(t.Context(), func(tx *Tx) error { tx.TouchItem("tea", "pot", member); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	type state struct {
		milk  int64
		since Changes
	}
	current := func(since int64) state {
		return readValue(t, db, func(tx *Tx) state { return state{tx.Revisions(7).Of("milk"), tx.Changes(since)} })
	}
	touch(db, 9)
	before := current(1)
	touch(other, 9)
	after := current(before.since.Until)
	if _, known := after.since.Of("tea", before.since.Until); after.milk == before.milk || known {
		t.Errorf("after a commit of another process: got %+v, then %+v, want a new revision and unknown changes", before, after)
	}
	touch(db, 9)
	again := current(after.since.Until)
	if items, known := again.since.Of("tea", after.since.Until); again.milk != after.milk || !known || len(items) != 1 {
		t.Errorf("after a commit of this process: got %+v, want one known change", again)
	}
	touch(other, 9)
	touch(db, 9) // before any read since the commit of the other
	if last := current(again.since.Until); last.milk == again.milk {
		t.Errorf("after commits of both processes: got %+v, then %+v, want a new revision", again, last)
	}

	at := current(1)
	control := func(text string) {
		t.Helper()
		if err := other.writer.control(Query{&statement{text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	control("CREATE TRIGGER fault BEFORE UPDATE ON store_meta BEGIN SELECT RAISE(ABORT, 'fault'); END")
	if err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch("tea", 9); return nil }); err == nil {
		t.Error("a write committed although its sequence number could not be stored")
	}
	control("DROP TRIGGER fault")
	touch(other, 9) // uses the same sequence number
	if got := current(at.since.Until); got.milk == at.milk {
		t.Errorf("after a sequence number was used again: got %+v, then %+v, want a new revision", at, got)
	}
}

// Changes lists the items that changed since a commit, as far back as the record
// reaches.
func TestChangesSinceCommit(t *testing.T) {
	db := open(t)
	write := func(fail error, items ...string) {
		err := db.Write(t.Context(), func(tx *Tx) error {
			for _, item := range items {
				tx.TouchItem("tea", item, 7)
				tx.TouchItem("tea", item, 8)
			}
			tx.TouchItem("milk", "cup")
			return fail
		})
		if !errors.Is(err, fail) {
			t.Fatal(err)
		}
	}
	changes := func(since int64) Changes { return readValue(t, db, func(tx *Tx) Changes { return tx.Changes(since) }) }
	write(nil, "pot")
	first := changes(0)
	if _, known := first.Of("tea", 0); known {
		t.Error("changes since the beginning: got known, want unknown")
	}
	write(nil, "kettle", "cup", "kettle")
	write(errors.New("failed"), "spoon")
	c := changes(first.Until)
	if items, known := c.Of("tea", first.Until); !known || strings.Join(items, " ") != "kettle cup" {
		t.Errorf("got %v (known %v), want kettle and cup", items, known)
	}
	if items, known := c.Of("milk", first.Until); !known || items != nil {
		t.Errorf("item touched for no member: got %v (known %v), want none", items, known)
	}
	if _, known := c.Of("tea", first.Until-1); known {
		t.Error("changes since an earlier commit: got known, want unknown")
	}
	if last := changes(c.Until); last.Until != c.Until {
		t.Errorf("without further changes: got Until %d, want %d", last.Until, c.Until)
	}
	for i := range maxItemChanges {
		write(nil, fmt.Sprint("cup ", i))
	}
	late := changes(first.Until)
	if _, known := late.Of("tea", first.Until); known || late.Until != c.Until+maxItemChanges {
		t.Errorf("after more changes than are recorded: got %+v, want unknown", late)
	}
}
