package stream

import (
	"context"
	"errors"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/world/dataset"
)

// One goroutine watches the database from the first stream until the last one is closed,
// and a closed stream leaves nothing in the hub.
func TestDatabaseIsWatchedWhileStreamsAreOpen(t *testing.T) {
	db, _ := storetest.Open(t)
	hub := New(db, new(dataset.Composer), Intervals{Comment: time.Hour, Pause: time.Hour, Poll: time.Hour})
	open := func(member svc.MemberID) *Stream {
		t.Helper()
		s, err := hub.Open(t.Context(), svc.Trust(member))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	ann, stopped := open(1), 0
	stop := hub.stop
	hub.stop = func() { stopped++; stop() }
	bea := open(2) // is watched by the same goroutine
	ann.Close()
	ann.Close()
	if stopped != 0 || hub.Count() != 1 {
		t.Errorf("one of two streams closed twice: got %d ends and %d streams, want the other one", stopped, hub.Count())
	}
	bea.Close()
	if stopped != 1 || hub.Count() != 0 || len(hub.members) != 0 {
		t.Errorf("all streams closed: got %d ends, %d streams and %d members, want one end and nothing else", stopped, hub.Count(), len(hub.members))
	}
}

// A commit wakes the streams of the members whose data it changes, or all streams.
func TestCommitWakesTheStreamsOfItsReaders(t *testing.T) {
	db, _ := storetest.Open(t)
	hub := New(db, new(dataset.Composer), Intervals{Comment: time.Hour, Pause: time.Hour, Poll: time.Hour})
	for member, want := range map[int64][2]int{1: {1, 0}, 3: {0, 0}, store.Everyone: {1, 1}} {
		var awake [2]int
		for i := range awake {
			s, err := hub.Open(t.Context(), svc.Trust(svc.MemberID(i+1)))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
		}
		hub.wakeTouched([]store.Touched{{Member: member}})
		for i, list := range [][]*Stream{hub.members[1], hub.members[2]} {
			awake[i] = len(list[len(list)-1].wake)
		}
		if awake != want {
			t.Errorf("a change for member %d: got %v streams of ann and bea awake, want %v", member, awake, want)
		}
	}
}

// A stream waits while maxReads other streams read the database, until its request is canceled.
func TestReadsOfStreamsAreLimited(t *testing.T) {
	db, _ := storetest.Open(t)
	hub := New(db, new(dataset.Composer), Intervals{Comment: time.Hour, Pause: time.Hour, Poll: time.Hour})
	s, err := hub.Open(t.Context(), svc.Trust(1))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range maxReads {
		hub.reads <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if len(hub.reads) < cap(hub.reads) {
		t.Errorf("got room for %d reads, want %d", cap(hub.reads), maxReads)
	} else if _, err := s.Begin(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a stream that waits", err)
	}
}
