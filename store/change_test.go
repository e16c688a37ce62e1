package store

import (
	"context"
	"errors"
	"slices"
	"sync"
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

// recordChanges makes the observer of db append to a list, and returns a function that
// returns the list and empties it.
func recordChanges(db *DB) (take func() []Touched) {
	var mu sync.Mutex
	var list []Touched
	db.OnChange(func(touched []Touched) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, touched...)
	})
	return func() []Touched {
		mu.Lock()
		defer mu.Unlock()
		taken := list
		list = nil
		return taken
	}
}

// A write is reported once it is committed, and a failed one never. The report may
// come after Write has returned: the next write waits for it.
func TestObserverReceivesTouchedTopicsOfCommits(t *testing.T) {
	db := open(t)
	take := recordChanges(db)
	failure := errors.New("failure")
	for _, c := range []struct {
		name  string
		write func(*Tx) error
		want  []Touched
	}{
		{"two members", func(tx *Tx) error { tx.Touch(topics{"tea"}, 7, 8); return nil }, []Touched{{7, "tea"}, {8, "tea"}}},
		{"everyone", func(tx *Tx) error { tx.Touch(topics{"milk"}, Everyone); return nil }, []Touched{{Everyone, "milk"}}},
		{"nothing", func(*Tx) error { return nil }, nil},
		{"failed write", func(tx *Tx) error { tx.Touch(topics{"tea"}, 7); return failure }, nil},
	} {
		if err := db.Write(t.Context(), c.write); err != nil && err != failure {
			t.Fatal(err)
		}
		if err := db.Write(t.Context(), func(*Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if got := take(); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

// Poll reports each commit of another process once. It does not report commits of this process.
func TestPollReportsCommitsOfOtherProcesses(t *testing.T) {
	db := open(t)
	other, err := Open(t.Context(), db.Path(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	take := recordChanges(db)
	poll := func() []Touched {
		t.Helper()
		if err := db.Poll(t.Context()); err != nil {
			t.Fatal(err)
		}
		return take()
	}
	touch := func(db *DB) {
		t.Helper()
		err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch(topics{"tea"}, 9); return nil })
		if err := errors.Join(err, db.Write(t.Context(), func(*Tx) error { return nil })); err != nil { // waits for the report of the first
			t.Fatal(err)
		}
	}
	poll()
	touch(db)
	take()
	if got := poll(); got != nil {
		t.Errorf("after an own commit: got %v, want nothing", got)
	}
	touch(other)
	if got := poll(); !slices.Equal(got, AllTouched) {
		t.Errorf("after a commit of another process: got %v, want %v", got, AllTouched)
	}
	if got := poll(); got != nil {
		t.Errorf("after no commit: got %v, want nothing", got)
	}

	// The number of a failed commit is used by another process.
	fault := func(text string) {
		t.Helper()
		if err := other.writer.control(Query{&statement{text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	fault("CREATE TRIGGER fault BEFORE UPDATE ON store_meta BEGIN SELECT RAISE(ABORT, 'fault'); END")
	if err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch(topics{"tea"}, 9); return nil }); err == nil {
		t.Error("commit without a sequence number: got no error, want one")
	}
	fault("DROP TRIGGER fault")
	poll()
	if err := other.Write(t.Context(), func(tx *Tx) error { tx.Touch(topics{"tea"}, 9); return nil }); err != nil {
		t.Fatal(err)
	}
	if got := poll(); !slices.Equal(got, AllTouched) {
		t.Errorf("number of a failed commit: got %v, want %v", got, AllTouched)
	}
}

func TestRevisionsListTheTopicsChangedSince(t *testing.T) {
	db := open(t)
	touch := func(c topics, member int64) int64 {
		t.Helper()
		if err := db.Write(t.Context(), func(tx *Tx) error { tx.Touch(c, member); return nil }); err != nil {
			t.Fatal(err)
		}
		return readValue(t, db, func(tx *Tx) int64 { return tx.Revision(7) })
	}
	since := func(n int64) (list []Topic) {
		readValue(t, db, func(tx *Tx) Revisions { return tx.Revisions(7) }).Since(n, func(topic Topic) { list = append(list, topic) })
		slices.Sort(list)
		return list
	}
	first := touch(topics{"tea"}, 7)
	second := touch(topics{"milk"}, Everyone)
	touch(topics{"salt"}, 8)
	for _, c := range []struct {
		since int64
		want  []Topic
	}{{first - 1, []Topic{"milk", "tea"}}, {first, []Topic{"milk"}}, {second, nil}} {
		if got := since(c.since); !slices.Equal(got, c.want) {
			t.Errorf("since %d: got %q, want %q", c.since, got, c.want)
		}
	}
	touch(topics{AllTopics}, 7)
	if got := since(second); !slices.Equal(got, []Topic{AllTopics}) {
		t.Errorf("after a change of all topics: got %q, want all topics only", got)
	}
}
