package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// look returns what a read transaction says.
func look[T any](t *testing.T, db *DB, ask func(*Tx) T) (answer T) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *Tx) error {
		answer = ask(tx)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// A revision is another one once something has changed that the member sees,
// and no other change shows in it.
func TestRevisions(t *testing.T) {
	db := open(t)
	revision := func(member int64) int64 {
		return look(t, db, func(tx *Tx) int64 { return tx.Revision(member) })
	}
	of := func(topic Topic) int64 {
		return look(t, db, func(tx *Tx) int64 { return tx.Revisions(7).Of(topic) })
	}
	fail := errors.New("never mind")
	for _, c := range []struct {
		name                 string
		do                   func(*Tx) error
		seven, nine          bool // whether it changes for those members
		sevensTea, sevenMilk bool // whether that topic does for 7
	}{
		{"a topic of one", func(tx *Tx) error { tx.Touch("tea", 7, 8); return nil }, true, false, true, false},
		{"nobody's", func(tx *Tx) error { tx.Touch("tea"); return nil }, false, false, false, false},
		{"a topic of all", func(tx *Tx) error { tx.Touch("milk", Everyone); return nil }, true, true, false, true},
		{"an item", func(tx *Tx) error { tx.TouchItem("tea", "pot", 9); return nil }, false, true, false, false},
		{"everything of one", func(tx *Tx) error { tx.Touch(AllTopics, 7); return nil }, true, false, true, true},
		{"everything", func(tx *Tx) error { tx.Touch(AllTopics, Everyone); return nil }, true, true, true, true},
		{"a failure", func(tx *Tx) error { tx.Touch(AllTopics, Everyone); return fail }, false, false, false, false},
	} {
		seven, nine, tea, milk := revision(7), revision(9), of("tea"), of("milk")
		if err := db.Write(t.Context(), c.do); err != nil && err != fail {
			t.Fatal(err)
		}
		got := [4]bool{revision(7) != seven, revision(9) != nine, of("tea") != tea, of("milk") != milk}
		if want := [4]bool{c.seven, c.nine, c.sevensTea, c.sevenMilk}; got != want {
			t.Errorf("%s: changed are %v, not %v", c.name, got, want)
		}
	}
}

// Within one commit whoever writes sees what those before have touched.
func TestRevisionWithinACommit(t *testing.T) {
	db := open(t)
	before := look(t, db, func(tx *Tx) int64 { return tx.Revision(7) })
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
		gate <- true // the first is being written
		second <- db.Write(context.Background(), func(tx *Tx) error {
			seen <- tx.Revision(7)
			return nil
		})
	}()
	if err := errors.Join(<-first, <-second); err != nil {
		t.Fatal(err)
	}
	if now := <-seen; now == before {
		t.Error("the second has not seen that the first has changed something")
	}
}

// What another process writes counts as a change to everything, and so does
// what could not be committed: its number may be given to something else.
func TestRevisionsOfOthers(t *testing.T) {
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
	see := func(since int64) state {
		return look(t, db, func(tx *Tx) state { return state{tx.Revisions(7).Of("milk"), tx.Changes(since)} })
	}
	touch(db, 9)
	before := see(1)
	touch(other, 9)
	after := see(before.since.Until)
	if _, known := after.since.Of("tea", before.since.Until); after.milk == before.milk || known {
		t.Errorf("another process has written: %+v, then %+v", before, after)
	}
	touch(db, 9)
	again := see(after.since.Until)
	if items, known := again.since.Of("tea", after.since.Until); again.milk != after.milk || !known || len(items) != 1 {
		t.Errorf("then this one: %+v", again)
	}
	touch(other, 9)
	touch(db, 9) // before anybody has read what the other wrote
	if last := see(again.since.Until); last.milk == again.milk {
		t.Errorf("both, one after the other: %+v, then %+v", again, last)
	}

	at := see(1)
	control := func(text string) {
		t.Helper()
		if err := other.writer.control(Query{&statement{text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	control("CREATE TRIGGER fault BEFORE UPDATE ON store_meta BEGIN SELECT RAISE(ABORT, 'fault'); END")
	if err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch("tea", 9); return nil }); err == nil {
		t.Error("a change that cannot be counted was committed")
	}
	control("DROP TRIGGER fault")
	touch(other, 9) // has the number now
	if got := see(at.since.Until); got.milk == at.milk {
		t.Errorf("a number that was given again: %+v, then %+v", at, got)
	}
}

// Whoever knows which commit was the last that they have seen learns what has
// changed since, unless that is too long ago.
func TestChanges(t *testing.T) {
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
	changes := func(since int64) Changes { return look(t, db, func(tx *Tx) Changes { return tx.Changes(since) }) }
	write(nil, "pot")
	first := changes(0)
	if _, known := first.Of("tea", 0); known {
		t.Error("whoever has seen nothing is told what has changed")
	}
	write(nil, "kettle", "cup", "kettle")
	write(errors.New("never mind"), "spoon")
	c := changes(first.Until)
	if items, known := c.Of("tea", first.Until); !known || strings.Join(items, " ") != "kettle cup" {
		t.Errorf("changed: %v, %v", items, known)
	}
	if items, known := c.Of("milk", first.Until); !known || items != nil {
		t.Errorf("what concerns nobody: %v, %v", items, known)
	}
	if _, known := c.Of("tea", first.Until-1); known {
		t.Error("what has changed since longer ago is not among these")
	}
	if last := changes(c.Until); last.Until != c.Until {
		t.Errorf("nothing more changed, but the last is %d, not %d", last.Until, c.Until)
	}
	for i := range keptChanges {
		write(nil, fmt.Sprint("cup ", i))
	}
	late := changes(first.Until)
	if _, known := late.Of("tea", first.Until); known || late.Until != c.Until+keptChanges {
		t.Errorf("changes of too long ago: %+v", late)
	}
}
