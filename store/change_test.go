package store

import (
	"context"
	"errors"
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

// topics is a Change of the listed topics.
type topics []Topic

func (t topics) ChangedTopics() []Topic { return t }

func TestRevisionsChangeForTheTouchedMembersAndTopicsOnly(t *testing.T) {
	db := open(t)
	revision := func(member int64) int64 {
		return readValue(t, db, func(tx *Tx) int64 { return tx.Revision(member) })
	}
	of := func(topic Topic) int64 {
		return readValue(t, db, func(tx *Tx) int64 { return tx.Revisions(7).Of(topic) })
	}
	failure := errors.New("failure")
	touch := func(c topics, members ...int64) func(*Tx) error {
		return func(tx *Tx) error { tx.Touch(c, members...); return nil }
	}
	for _, c := range []struct {
		name              string
		write             func(*Tx) error
		want7, want9      bool // whether the revision of these members changes
		wantTea, wantMilk bool // whether the revision of these topics changes for member 7
	}{
		{"one topic, two members", touch(topics{"tea"}, 7, 8), true, false, true, false},
		{"two topics", touch(topics{"tea", "milk"}, 7), true, false, true, true},
		{"no member", touch(topics{"tea"}), false, false, false, false},
		{"one topic, everyone", touch(topics{"milk"}, Everyone), true, true, false, true},
		{"another member", touch(topics{"tea"}, 9), false, true, false, false},
		{"all topics, one member", touch(topics{AllTopics}, 7), true, false, true, true},
		{"all topics, everyone", touch(topics{AllTopics}, Everyone), true, true, true, true},
		{"failed write", func(tx *Tx) error { tx.Touch(topics{AllTopics}, Everyone); return failure }, false, false, false, false},
	} {
		revision7, revision9, teaRevision, milkRevision := revision(7), revision(9), of("tea"), of("milk")
		if err := db.Write(t.Context(), c.write); err != nil && err != failure {
			t.Fatal(err)
		}
		got := [4]bool{revision(7) != revision7, revision(9) != revision9, of("tea") != teaRevision, of("milk") != milkRevision}
		if want := [4]bool{c.want7, c.want9, c.wantTea, c.wantMilk}; got != want {
			t.Errorf("%s: got changes %v, want %v", c.name, got, want)
		}
	}
}

// A write sees the changes of earlier writes in the same commit.
func TestWriteSeesChangesOfItsGroupCommit(t *testing.T) {
	db := open(t)
	before := readValue(t, db, func(tx *Tx) int64 { return tx.Revision(7) })
	proceed, seen := make(chan bool), make(chan int64, 1)
	first := make(chan error)
	go func() {
		first <- db.Write(context.Background(), func(tx *Tx) error {
			<-proceed
			tx.Touch(topics{"tea"}, 7)
			return nil
		})
	}()
	second := make(chan error)
	go func() {
		proceed <- true // the first write has begun
		second <- db.Write(context.Background(), func(tx *Tx) error {
			seen <- tx.Revision(7)
			return nil
		})
	}()
	if err := errors.Join(<-first, <-second); err != nil {
		t.Fatal(err)
	}
	if now := <-seen; now == before {
		t.Errorf("got revision %d in the second write, want another than before the first", now)
	}
}

// A commit of another process invalidates all topics. So does a failed commit,
// because another commit can use its sequence number.
func TestCommitOfAnotherProcessInvalidatesAllTopics(t *testing.T) {
	db := open(t)
	other, err := Open(t.Context(), db.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	touch := func(db *DB) {
		t.Helper()
		if err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch(topics{"tea"}, 9); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	milkRevision := func() int64 { return readValue(t, db, func(tx *Tx) int64 { return tx.Revisions(7).Of("milk") }) }
	touch(db)
	before := milkRevision()
	touch(other)
	after := milkRevision()
	if after == before {
		t.Errorf("commit of another process: got revision %d again, want a new one", after)
	}
	touch(db)
	if got := milkRevision(); got != after {
		t.Errorf("commit of this process that touches another topic: got revision %d, want %d", got, after)
	}
	touch(other)
	touch(db) // before the commit of the other process was observed
	if got := milkRevision(); got == after {
		t.Errorf("commits of both processes: got revision %d again, want a new one", got)
	}

	before = milkRevision()
	execOther := func(text string) {
		t.Helper()
		if err := other.writer.control(Query{&statement{text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	execOther("CREATE TRIGGER fault BEFORE UPDATE ON store_meta BEGIN SELECT RAISE(ABORT, 'fault'); END")
	if err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch(topics{"tea"}, 9); return nil }); err == nil {
		t.Error("commit without a sequence number: got no error, want one")
	}
	execOther("DROP TRIGGER fault")
	touch(other) // with the number of the failed commit
	if got := milkRevision(); got == before {
		t.Errorf("number of a failed commit: got revision %d again, want a new one", got)
	}
}
