package thread_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/thread"
)

// server is a Store on an empty database with the queries of one service.
type server struct {
	testing.TB
	*thread.Store
	db    *store.DB
	clock *storetest.Clock
}

// Members in every test.
const (
	ann svc.MemberID = iota + 1
	bea
	cid
)

// forEachService runs a test with the queries of each service that uses the package.
func forEachService(t *testing.T, test func(t *testing.T, s *server)) {
	for _, service := range []string{"messages", "social"} {
		t.Run(service, func(t *testing.T) {
			t.Parallel() // most of the time is spent on commits
			db, clock := storetest.Open(t)
			storetest.AddMembers(t, db, "ann", "bea", "cid")
			threads := thread.New("thr", "msg")
			store.Bind(service, threads.Queries(), otherQueries(t, service, threads.Queries()))
			test(t, &server{t, threads, db, clock})
		})
	}
}

// otherQueries returns a pointer to a struct for the queries of a service that
// bound does not contain, because [store.Bind] requires a field for each query.
func otherQueries(t *testing.T, service string, bound any) any {
	t.Helper()
	queryFile, err := os.ReadFile("../../sql/queries/" + service + ".sql")
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for i, b := 0, reflect.TypeOf(bound).Elem(); i < b.NumField(); i++ {
		known[b.Field(i).Tag.Get("sql")] = true
	}
	var fields []reflect.StructField
	for line := range strings.Lines(string(queryFile)) {
		name, ok := strings.CutPrefix(line, "-- name:")
		if name = strings.TrimSpace(name); ok && !known[name] {
			fields = append(fields, reflect.StructField{
				Name: fmt.Sprint("Query", len(fields)), Type: reflect.TypeFor[store.Query](), Tag: reflect.StructTag(fmt.Sprintf("sql:%q", name)),
			})
		}
	}
	return reflect.New(reflect.StructOf(fields)).Interface()
}

func (s *server) write(fn func(*store.Tx) error) {
	s.Helper()
	if err := s.db.Write(s.Context(), fn); err != nil {
		s.Fatal(err)
	}
}

func (s *server) read(fn func(*store.Tx) error) {
	s.Helper()
	if err := s.db.Read(s.Context(), fn); err != nil {
		s.Fatal(err)
	}
}

// threadBetween returns the id of the thread of two members.
func (s *server) threadBetween(a, b svc.MemberID) (id string) {
	s.Helper()
	s.write(func(tx *store.Tx) (err error) {
		id, err = s.EnsureThread(tx, a, b)
		return err
	})
	return id
}

// send appends a message to the thread of two members and returns the message.
func (s *server) send(from, to svc.MemberID, body string) (m thread.Message) {
	s.Helper()
	s.write(func(tx *store.Tx) error {
		id, err := s.EnsureThread(tx, from, to)
		if err == nil {
			m, err = s.Append(tx, id, from, body)
		}
		return err
	})
	return m
}

func (s *server) markRead(id string, member svc.MemberID, seq int64) (moved bool) {
	s.Helper()
	s.write(func(tx *store.Tx) (err error) {
		moved, err = s.MarkRead(tx, id, member, seq)
		return err
	})
	return moved
}

// list returns the threads of a member.
func (s *server) list(member svc.MemberID) (list []thread.Thread) {
	s.Helper()
	s.read(func(tx *store.Tx) (err error) {
		list, err = s.Page(tx, member, math.MaxInt64, 100)
		return err
	})
	return list
}

// history returns a page of the messages that a member reads.
func (s *server) history(id string, member svc.MemberID, q svc.HistoryQuery) (h thread.History, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		h, err = s.History(tx, id, svc.NewCursors(tx.InstanceKey(), "thread."+id, svc.Trust(member)), q)
		return err
	})
	return h, err
}

// wantEqual fails the test unless fmt.Sprint returns the same text for got and want.
func wantEqual(t testing.TB, about string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", about, g, w)
	}
}

// summaries returns the last message of each thread.
func summaries(list []thread.Thread) (texts []string) {
	for _, t := range list {
		texts = append(texts, t.Summary)
	}
	return texts
}

func bodies(list []thread.Message) (texts []string) {
	for _, m := range list {
		texts = append(texts, m.Body)
	}
	return texts
}

func TestTwoMembersHaveOneThread(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		id := s.threadBetween(ann, bea)
		if !strings.HasPrefix(id, "thr_") {
			t.Errorf("got thread id %s, want the prefix thr_", id)
		}
		wantEqual(t, "the thread from the other side", s.threadBetween(bea, ann), id)
		if other := s.threadBetween(ann, cid); other == id {
			t.Errorf("the threads of ann with bea and cid are both %s", id)
		}
	})
}

func TestAppendCountsTheMessageForBothMembers(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		first := s.send(ann, bea, "One")
		s.clock.Advance(time.Minute)
		second := s.send(ann, bea, "Two")
		if !strings.HasPrefix(first.ID, "msg_") || first.RowID == 0 || second.RowID <= first.RowID {
			t.Errorf("got messages %+v and %+v, want the prefix msg_ and increasing row ids", first, second)
		}
		wantEqual(t, "sequence numbers", fmt.Sprint(first.Seq, second.Seq), "1 2")
		for member, want := range map[svc.MemberID]string{ann: "2 messages, 0 unread, read up to 2", bea: "2 messages, 2 unread, read up to 0"} {
			got := s.list(member)[0]
			wantEqual(t, fmt.Sprint("thread of ", member), fmt.Sprintf("%d messages, %d unread, read up to %d", got.MessageCount, got.UnreadCount, got.ReadSeq), want)
			wantEqual(t, fmt.Sprint("partner of ", member), got.Partner, ann+bea-member)
			wantEqual(t, "time of the last message", got.UpdatedAt.Time(), s.clock.Now())
			wantEqual(t, "time of the first message", got.CreatedAt.Time(), storetest.Start)
		}
	})
}

func TestSummaryIsTheBeginningOfTheLastMessage(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "One")
		s.send(bea, ann, strings.Repeat("é", 121))
		wantEqual(t, "summary", s.list(ann)[0].Summary, strings.Repeat("é", 120))
	})
}

func TestLatestThreadIsFirstForBothMembers(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "ann and bea")
		s.send(bea, cid, "bea and cid")
		s.send(ann, cid, "ann and cid")
		wantEqual(t, "threads of ann", summaries(s.list(ann)), "[ann and cid ann and bea]")
		s.send(bea, ann, "ann and bea again")
		wantEqual(t, "threads of ann after a message", summaries(s.list(ann)), "[ann and bea again ann and cid]")
		wantEqual(t, "threads of bea after a message", summaries(s.list(bea)), "[ann and bea again bea and cid]")
		wantEqual(t, "threads of cid", summaries(s.list(cid)), "[ann and cid bea and cid]")
	})
}

func TestPagesContainEachThreadOnce(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "one")
		s.send(ann, cid, "two")
		s.read(func(tx *store.Tx) error {
			first, err := s.Page(tx, ann, math.MaxInt64, 1)
			if err != nil {
				return err
			}
			second, err := s.Page(tx, ann, first[0].Position, 1)
			if err != nil {
				return err
			}
			last, err := s.Page(tx, ann, second[0].Position, 1)
			wantEqual(t, "pages", fmt.Sprint(summaries(first), summaries(second), summaries(last)), "[two] [one] []")
			return err
		})
	})
}

func TestByIDReturnsOwnThreadsInRequestedOrder(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		one, two, other := s.send(ann, bea, "one").Thread, s.send(ann, cid, "two").Thread, s.send(bea, cid, "other").Thread
		s.read(func(tx *store.Tx) error {
			list, err := s.ByID(tx, ann, two, other, "thr_none", one)
			wantEqual(t, "threads of ann", summaries(list), "[two one]")
			return err
		})
	})
}

func TestReadCursorMovesForwardOnly(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		id := s.send(ann, bea, "1").Thread
		s.send(ann, bea, "2")
		s.send(ann, bea, "3")
		s.send(ann, cid, "1")
		for _, c := range []struct {
			seq    int64
			moved  bool
			unread int64
		}{{2, true, 1}, {2, false, 1}, {1, false, 1}, {3, true, 0}} {
			if moved := s.markRead(id, bea, c.seq); moved != c.moved {
				t.Errorf("mark %d: got moved %t, want %t", c.seq, moved, c.moved)
			}
			wantEqual(t, fmt.Sprint("unread messages after mark ", c.seq), s.list(bea)[0].UnreadCount, c.unread)
		}
		s.send(bea, ann, "4")
		wantEqual(t, "unread messages of the sender", s.list(bea)[0].UnreadCount, 0)
		if s.markRead(id, cid, 4) {
			t.Error("the cursor of a member outside the thread has moved")
		}
	})
}

func TestOwnMessagesAreNotUnread(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		id := s.send(ann, bea, "1").Thread
		s.send(bea, ann, "2")
		s.send(ann, bea, "3")
		s.send(bea, ann, "4")
		wantEqual(t, "unread messages of ann", s.list(ann)[0].UnreadCount, 1)
		s.send(bea, ann, "5")
		s.markRead(id, ann, 4)
		wantEqual(t, "unread messages of ann after mark 4", s.list(ann)[0].UnreadCount, 1)
	})
}

func TestUnreadTotalCountsAllThreads(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, cid, "1")
		s.send(bea, cid, "1")
		s.send(bea, cid, "2")
		s.read(func(tx *store.Tx) error {
			for member, want := range map[svc.MemberID]int64{ann: 0, bea: 0, cid: 3} {
				n, err := s.UnreadTotal(tx, member)
				if err != nil {
					return err
				}
				wantEqual(t, fmt.Sprint("unread messages of ", member), n, want)
			}
			return nil
		})
	})
}

func TestMessageSeqFindsMessagesOfTheThreadOnly(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		one, two := s.send(ann, bea, "1"), s.send(ann, bea, "2")
		other := s.send(ann, cid, "1")
		s.read(func(tx *store.Tx) error {
			for message, want := range map[string]string{two.ID: "2 true", other.ID: "0 false", "msg_none": "0 false"} {
				seq, found, err := s.MessageSeq(tx, one.Thread, message)
				if err != nil {
					return err
				}
				wantEqual(t, message, fmt.Sprint(seq, found), want)
			}
			return nil
		})
	})
}

// Covers PT-30: pages contain each message once while new messages arrive.
func TestPagesContainEachMessageOnce(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		var id string
		for i := range 7 {
			id = s.send(ann, bea, fmt.Sprint(i)).Thread
		}
		var got []string
		q := svc.HistoryQuery{Limit: 3}
		for page := 0; page == 0 || q.Before != ""; page++ {
			h, err := s.history(id, bea, q)
			if err != nil {
				t.Fatal(err)
			}
			if page == 0 {
				wantEqual(t, "the last sequence number of the newest page", h.LastSeq(), 7)
			}
			got = slices.Concat(bodies(h.Messages), got)
			s.send(ann, bea, "meanwhile")
			q.Before = ""
			if h.Page.PreviousCursor != nil {
				q.Before = *h.Page.PreviousCursor
				if _, err := s.history(id, ann, q); svc.KindOf(err) != svc.Malformed {
					t.Errorf("the cursor of another member: got error %v, want a malformed cursor", err)
				}
			}
		}
		wantEqual(t, "messages on all pages", got, "[0 1 2 3 4 5 6]")
	})
}

func TestHistoryOfAnEmptyThread(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		h, err := s.history(s.threadBetween(ann, bea), ann, svc.HistoryQuery{})
		wantEqual(t, fmt.Sprint("messages ", err), len(h.Messages), 0)
		wantEqual(t, "the last sequence number", h.LastSeq(), 0)
	})
}

// sendMany sends more messages than an export reads at once.
func (s *server) sendMany(from, to svc.MemberID) {
	s.Helper()
	if err := s.db.Write(storetest.Fill(s.Context()), func(tx *store.Tx) error {
		id, err := s.EnsureThread(tx, from, to)
		for range thread.ExportBatch + 1 {
			if err == nil {
				_, err = s.Append(tx, id, from, "x")
			}
		}
		return err
	}); err != nil {
		s.Fatal(err)
	}
}

func TestEachMessageVisitsAllThreadsOfTheMember(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.sendMany(ann, bea)
		s.send(bea, cid, "not ann")
		s.send(cid, ann, "one")
		s.send(ann, cid, "two")
		var got []string
		s.read(func(tx *store.Tx) error {
			return s.EachMessage(tx, ann, func(m thread.Message) error {
				got = append(got, m.Body)
				return nil
			})
		})
		wantEqual(t, "number of messages", len(got), thread.ExportBatch+3)
		wantEqual(t, "the latest thread, latest message first", got[:3], "[two one x]")
	})
}

func TestVisitStopsAtTheFirstError(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "one")
		s.send(ann, cid, "two")
		stop := errors.New("stop")
		visited := 0
		err := s.db.Read(t.Context(), func(tx *store.Tx) error {
			return s.EachMessage(tx, ann, func(thread.Message) error {
				visited++
				return stop
			})
		})
		if !errors.Is(err, stop) || visited != 1 {
			t.Errorf("got error %v after %d messages, want %v after 1", err, visited, stop)
		}
		visited = 0
		err = s.db.Read(t.Context(), func(tx *store.Tx) error {
			return s.EachBatch(tx, ann, func(list []thread.Thread) error {
				visited += len(list)
				return stop
			})
		})
		if !errors.Is(err, stop) || visited != 2 {
			t.Errorf("got error %v after %d threads, want %v after a batch of 2", err, visited, stop)
		}
	})
}
