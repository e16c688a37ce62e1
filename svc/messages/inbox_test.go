package messages

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
)

// page returns a page of a member's inbox, or its error.
func (s *server) page(member svc.MemberID, limit int, cursor string) (in Inbox, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		in, err = s.Inbox(tx, svc.Trust(member), limit, cursor)
		return err
	})
	return in, err
}

// The order does not depend on the clock: messages within a millisecond and a
// clock that is set back do not change it. Covers M-14 and M-15.
func TestInboxIsOrderedByLatestMessage(t *testing.T) {
	s := newServer(t)
	for _, m := range []svc.MemberID{bea, cid, dan} {
		s.startThread(ann, m, "Hello")
	}
	wantEqual(t, "threads", titles(s.inbox(ann).Threads), []string{"Dan; Jr", "Cid", "Bea"})
	s.startThread(bea, ann, "Hi")
	wantEqual(t, "after a message of bea", titles(s.inbox(ann).Threads), []string{"Bea", "Dan; Jr", "Cid"})
	s.clock.Advance(-24 * time.Hour)
	s.startThread(cid, ann, "Hi")
	wantEqual(t, "after a message of cid", titles(s.inbox(ann).Threads), []string{"Cid", "Bea", "Dan; Jr"})
	wantEqual(t, "threads of bea", titles(s.inbox(bea).Threads), []string{"Ann"})
}

// Covers PT-30 and L-12.
func TestInboxPagesHaveNoThreadTwice(t *testing.T) {
	s := newServer(t)
	s.addThreads(7)
	var got []string
	in, err := s.page(ann, 2, "")
	for err == nil {
		got = append(got, titles(in.Threads)...)
		if in.Page.NextCursor == nil {
			break
		}
		s.startThread(svc.MemberID(11), ann, "Again") // moves M6, which was on the first page
		in, err = s.page(ann, 2, *in.Page.NextCursor)
	}
	if want := []string{"M6", "M5", "M4", "M3", "M2", "M1", "M0"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

// addThreads adds n members, from id 5 on, and a thread of ann with each.
func (s *server) addThreads(n int) {
	s.Helper()
	s.addMembers(n)
	if err := s.fill(func(tx *store.Tx) error {
		for i := range n {
			if _, err := s.Start(tx, svc.Trust(ann), StartRequest{Recipient: Recipients{fmt.Sprint("m", i)}, Body: "Hello"}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		s.Fatal(err)
	}
}

func TestCursorsAndLimitsAreChecked(t *testing.T) {
	s := newServer(t)
	s.addThreads(3)
	first, err := s.page(ann, 2, "")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.page(bea, 2, *first.Page.NextCursor)
	wantError(t, "the cursor of another member", err, svc.InvalidParameter, "cursor")
	_, err = s.page(ann, 2, "x")
	wantError(t, "an invalid cursor", err, svc.InvalidParameter, "cursor")
	_, err = s.page(ann, -1, "")
	wantError(t, "a negative limit", err, svc.InvalidParameter, "limit")
}

// Covers B-84: the version of a thread changes when a message is sent and when the
// read cursor moves, and Versions returns the versions of the latest threads only.
func TestVersionsChangeWithTheThread(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(bea, ann, "Hello")
	version := func(limit int) (text string) {
		s.read(func(tx *store.Tx) error {
			list, truncated, err := s.Versions(tx, svc.Trust(ann), limit)
			text = fmt.Sprint(list, truncated)
			return err
		})
		return text
	}
	seen := []string{version(10)}
	for _, do := range []func(){
		func() { s.startThread(bea, ann, "Again") }, func() { s.open(ann, thread) }, func() { s.reply(ann, thread, "Hi") },
	} {
		do()
		seen = append(seen, version(10))
	}
	slices.Sort(seen)
	if n := len(slices.Compact(seen)); n != 4 {
		t.Errorf("got %d different versions of %v, want 4", n, seen)
	}
	before := version(10)
	s.open(ann, thread)
	s.startThread(bea, cid, "Not for ann")
	wantEqual(t, "version without a change", version(10), before)
	s.startThread(cid, ann, "Hello")
	s.read(func(tx *store.Tx) error {
		list, truncated, err := s.Versions(tx, svc.Trust(ann), 1)
		if len(list) != 1 || !truncated || list[0].ID == thread {
			t.Errorf("got %v, truncated %v, want the latest thread alone", list, truncated)
		}
		return err
	})
}

// ThreadsByID keeps the order of the ids.
func TestThreadsByIDKeepTheirOrder(t *testing.T) {
	s := newServer(t)
	withBea, withCid := s.startThread(ann, bea, "x"), s.startThread(ann, cid, "x")
	s.read(func(tx *store.Tx) error {
		list, err := s.ThreadsByID(tx, svc.Trust(ann), []string{withBea, "thr_none", withCid})
		wantEqual(t, "threads", titles(list), []string{"Bea", "Cid"})
		return err
	})
}
