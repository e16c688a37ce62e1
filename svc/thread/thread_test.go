package thread_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/storage"
	"appliance/svc/thread"
)

// server is a Service on an empty database with the tables of one service.
type server struct {
	testing.TB
	*thread.Service
	*others
	db     *store.DB
	clock  *storetest.Clock
	tables string // prefix of the names of the tables
}

// others implements Members and Blocks, and grounds for some members.
type others struct {
	hidden   map[svc.MemberID][]svc.MemberID
	former   []svc.MemberID
	noGround []svc.MemberID
	sent     []string // bodies of the messages in calls of OnSent
}

// Members in every test.
const (
	ann svc.MemberID = iota + 1
	bea
	cid
)

// forEachService runs a test with the tables of each service that uses the package.
func forEachService(t *testing.T, test func(t *testing.T, s *server)) {
	for _, tables := range []string{"messages", "social_dm"} {
		t.Run(tables, func(t *testing.T) {
			t.Parallel() // most of the time is spent on commits
			db, clock := storetest.Open(t)
			storetest.AddMembers(t, db, "ann", "bea", "cid")
			o := &others{hidden: make(map[svc.MemberID][]svc.MemberID)}
			threads := thread.New(thread.Options{
				Tables: tables, ThreadPrefix: "thr", MessagePrefix: "msg", Sent: svc.DMSent, Read: svc.DMRead,
				NoThread:     func(*store.Tx, string) error { return svc.Errorf(svc.NotFound, "No thread.") },
				NoMessage:    func() error { return svc.Errorf(svc.InvalidValue, "No message.") },
				OwnRecipient: func() error { return svc.Errorf(svc.InvalidValue, "Yourself.") },
				Grounds:      o.grounds, OnSent: o.onSent, Members: o, Blocks: o, Storage: storage.New(0),
			})
			test(t, &server{t, threads, o, db, clock, tables})
		})
	}
}

func (o *others) People(_ *store.Tx, ids []svc.MemberID) (map[svc.MemberID]svc.Person, error) {
	people := make(map[svc.MemberID]svc.Person)
	for _, id := range ids {
		if !slices.Contains(o.former, id) {
			people[id] = svc.Person{ID: id, DisplayName: fmt.Sprint("Member ", id)}
		}
	}
	return people, nil
}

func (o *others) Hidden(_ *store.Tx, member svc.MemberID) ([]svc.MemberID, error) {
	return o.hidden[member], nil
}

func (o *others) Entities(_ *store.Tx, _ svc.Viewer, texts ...string) ([]svc.List[svc.Entity], error) {
	return make([]svc.List[svc.Entity], len(texts)), nil
}

func (o *others) grounds(_ *store.Tx, _ svc.MemberID, members []svc.MemberID) (map[svc.MemberID]thread.CommonGround, error) {
	grounds := make(map[svc.MemberID]thread.CommonGround)
	for _, m := range members {
		if !slices.Contains(o.noGround, m) {
			grounds[m] = thread.CommonGround{Kind: "circle"}
		}
	}
	return grounds, nil
}

func (o *others) onSent(_ *store.Tx, m thread.MessageRow, _ svc.MemberID) error {
	o.sent = append(o.sent, m.Body)
	return nil
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

// send sends a message to a member, which must succeed.
func (s *server) send(from, to svc.MemberID, body string) (m thread.Message) {
	s.Helper()
	s.write(func(tx *store.Tx) error {
		sent, err := s.Start(tx, svc.Trust(from), recipient(to), body)
		m = sent.Message
		return err
	})
	return m
}

// recipient returns a Resolve for a member.
func recipient(member svc.MemberID) thread.Resolve {
	return func([]svc.MemberID) (svc.MemberID, error) { return member, nil }
}

// markRead moves the read cursor of a member, and returns the thread.
func (s *server) markRead(id string, member svc.MemberID, message string) (read thread.Thread) {
	s.Helper()
	s.write(func(tx *store.Tx) (err error) {
		read, err = s.MarkRead(tx, svc.Trust(member), id, message)
		return err
	})
	return read
}

// list returns the threads of a member.
func (s *server) list(member svc.MemberID) []thread.Thread {
	s.Helper()
	return s.page(member, 0, "").Threads
}

// page returns a page of the threads of a member.
func (s *server) page(member svc.MemberID, limit int, cursor string) (list thread.List) {
	s.Helper()
	s.read(func(tx *store.Tx) (err error) {
		list, err = s.List(tx, svc.Trust(member), limit, cursor)
		return err
	})
	return list
}

// peek returns a page of the messages that a member reads.
func (s *server) peek(id string, member svc.MemberID, q svc.HistoryQuery) (d thread.Detail, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		d, err = s.Peek(tx, svc.Trust(member), id, q)
		return err
	})
	return d, err
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
		first := s.send(ann, bea, "One")
		if !strings.HasPrefix(first.ThreadID, "thr_") || !strings.HasPrefix(first.ID, "msg_") {
			t.Errorf("got %+v, want ids with the prefixes thr_ and msg_", first)
		}
		wantEqual(t, "the thread from the other side", s.send(bea, ann, "Two").ThreadID, first.ThreadID)
		if other := s.send(ann, cid, "One").ThreadID; other == first.ThreadID {
			t.Errorf("the threads of ann with bea and cid are both %s", other)
		}
		wantEqual(t, "calls of OnSent", s.sent, "[One Two One]")
	})
}

func TestInvalidMessagesAreRejected(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		id := s.send(ann, bea, "One").ThreadID
		for _, c := range []struct {
			about, want string
			send        func(*store.Tx, svc.Viewer) (thread.Sent, error)
		}{
			{"no recipient", "field_required: Recipient is required.", func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) { return s.Start(tx, v, nil, "x") }},
			{"the sender", "invalid_value: Yourself.", func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) { return s.Start(tx, v, recipient(ann), "x") }},
			{"no body", "field_required: Body is required.", func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) {
				return s.Start(tx, v, recipient(bea), " ")
			}},
			{"no body in a thread", "field_required: Body is required.", func(tx *store.Tx, v svc.Viewer) (thread.Sent, error) { return s.Send(tx, v, id, " ") }},
			{"an unauthenticated client", "unauthenticated: Sign in to continue.", func(tx *store.Tx, _ svc.Viewer) (thread.Sent, error) {
				return s.Start(tx, svc.Viewer{}, recipient(bea), "x")
			}},
		} {
			err := s.db.Write(t.Context(), func(tx *store.Tx) error { _, err := c.send(tx, svc.Trust(ann)); return err })
			wantEqual(t, c.about, err, c.want)
		}
		wantEqual(t, "messages afterwards", s.list(ann)[0].MessageCount, 1)
	})
}

func TestMessageCountsForBothMembers(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "One")
		s.clock.Advance(time.Minute)
		second := s.send(ann, bea, "Two")
		for member, want := range map[svc.MemberID]string{ann: "2 messages, 0 unread, read up to " + second.ID, bea: "2 messages, 2 unread, read up to none"} {
			got, read := s.list(member)[0], "none"
			if got.ReadUpTo != nil {
				read = *got.ReadUpTo
			}
			wantEqual(t, fmt.Sprint("thread of ", member), fmt.Sprintf("%d messages, %d unread, read up to %s", got.MessageCount, got.UnreadCount, read), want)
			wantEqual(t, fmt.Sprint("partner of ", member), []any{got.Partner, got.Title}, []any{ann + bea - member, fmt.Sprint("Member ", ann+bea-member)})
			wantEqual(t, "time of the last message", []any{*got.UpdatedAt, *got.LastMessageAt}, []any{s.clock.Now(), s.clock.Now()})
			wantEqual(t, "time of the first message", got.CreatedAt, storetest.Start)
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

// The order does not depend on the clock: messages within a millisecond and a clock that is
// set back do not change it. Covers M-14 and M-15.
func TestLatestThreadIsFirstForBothMembers(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "ann and bea")
		s.send(bea, cid, "bea and cid")
		s.send(ann, cid, "ann and cid")
		wantEqual(t, "threads of ann", summaries(s.list(ann)), "[ann and cid ann and bea]")
		s.clock.Advance(-24 * time.Hour)
		s.send(bea, ann, "ann and bea again")
		wantEqual(t, "threads of ann after a message", summaries(s.list(ann)), "[ann and bea again ann and cid]")
		wantEqual(t, "threads of bea after a message", summaries(s.list(bea)), "[ann and bea again bea and cid]")
		wantEqual(t, "threads of cid", summaries(s.list(cid)), "[ann and cid bea and cid]")
	})
}

// A message between two pages moves its thread to the first one. Covers PT-30 and L-12.
func TestPagesContainEachThreadOnce(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "one")
		s.send(ann, cid, "two")
		first := s.page(ann, 1, "")
		s.send(cid, ann, "three")
		second := s.page(ann, 1, *first.Page.NextCursor)
		wantEqual(t, "pages", fmt.Sprint(summaries(first.Threads), summaries(second.Threads), second.Page.NextCursor), "[two] [one] <nil>")
		for _, c := range []struct {
			about  string
			member svc.MemberID
			limit  int
			cursor string
		}{{"the cursor of another member", bea, 1, *first.Page.NextCursor}, {"an invalid cursor", ann, 1, "x"}, {"a negative limit", ann, -1, ""}} {
			err := s.db.Read(t.Context(), func(tx *store.Tx) error {
				_, err := s.List(tx, svc.Trust(c.member), c.limit, c.cursor)
				return err
			})
			wantEqual(t, c.about, svc.KindOf(err), svc.Malformed)
		}
	})
}

// Covers B-84: the version of a thread changes when a message is sent, when the read cursor
// moves and when the common ground changes.
func TestVersionsChangeWithTheThread(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		versions := func(limit int) (list []svc.Version, truncated bool) {
			s.read(func(tx *store.Tx) (err error) {
				list, truncated, err = s.Versions(tx, svc.Trust(ann), limit)
				return err
			})
			return list, truncated
		}
		seen := make(map[svc.Version]string)
		for _, step := range []struct {
			about string
			do    func()
		}{
			{"a message", func() { s.send(bea, ann, "One") }},
			{"another message", func() { s.send(bea, ann, "Two") }},
			{"reading", func() { s.markRead(s.list(ann)[0].ID, ann, "") }},
			{"an answer", func() { s.send(ann, bea, "Three") }},
			{"no common ground", func() { s.noGround = []svc.MemberID{bea} }},
		} {
			step.do()
			list, _ := versions(10)
			if before, ok := seen[list[0]]; ok {
				t.Errorf("%s: got the version after %s, want another one", step.about, before)
			}
			seen[list[0]] = step.about
			s.send(bea, cid, "Not for ann")
			again, _ := versions(10)
			wantEqual(t, "without a change after "+step.about, again, list)
		}
		latest := s.send(cid, ann, "Hello").ThreadID
		list, truncated := versions(1)
		if len(list) != 1 || !truncated || list[0].ID != latest {
			t.Errorf("got %v, truncated %v, want the latest thread alone", list, truncated)
		}
	})
}

func TestByIDReturnsOwnThreadsInRequestedOrder(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		one, two, other := s.send(ann, bea, "one").ThreadID, s.send(ann, cid, "two").ThreadID, s.send(bea, cid, "other").ThreadID
		s.read(func(tx *store.Tx) error {
			list, err := s.ByID(tx, svc.Trust(ann), two, other, "thr_none", one)
			wantEqual(t, "threads of ann", summaries(list), "[two one]")
			return err
		})
	})
}

// Covers M-23, B-50 and PT-18: the read cursor of a member moves forward only, to messages of
// the thread.
func TestReadCursorMovesForwardOnly(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		var messages []thread.Message
		for i := range 3 {
			messages = append(messages, s.send(ann, bea, fmt.Sprint(i+1)))
		}
		id, other := messages[0].ThreadID, s.send(ann, cid, "1")
		for i, c := range []struct {
			message string
			unread  int64
		}{{messages[1].ID, 1}, {messages[1].ID, 1}, {messages[0].ID, 1}, {"", 0}, {messages[0].ID, 0}} {
			wantEqual(t, fmt.Sprint("unread messages after mark ", i), s.markRead(id, bea, c.message).UnreadCount, c.unread)
		}
		s.send(bea, ann, "4")
		wantEqual(t, "unread messages of the sender", s.list(bea)[0].UnreadCount, 0)
		for _, c := range []struct {
			member        svc.MemberID
			message, want string
		}{{bea, other.ID, "invalid_value: No message."}, {bea, "msg_none", "invalid_value: No message."}, {cid, "", "not_found: No thread."}} {
			err := s.db.Write(t.Context(), func(tx *store.Tx) error {
				_, err := s.MarkRead(tx, svc.Trust(c.member), id, c.message)
				return err
			})
			wantEqual(t, fmt.Sprint(c.member, " marks ", c.message), err, c.want)
		}
	})
}

// wantMalformed fails the test unless a page of messages is refused.
func wantMalformed(t *testing.T, s *server, id string, member svc.MemberID, q svc.HistoryQuery) {
	t.Helper()
	if _, err := s.peek(id, member, q); svc.KindOf(err) != svc.Malformed {
		t.Errorf("member %d reads %+v: got error %v, want an invalid parameter", member, q, err)
	}
}

// New messages arrive between two pages. Covers M-24, M-29, B-49 and PT-30.
func TestPagesContainEachMessageOnce(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		var id string
		for i := range 7 {
			id = s.send(ann, bea, fmt.Sprint(i)).ThreadID
		}
		var got []string
		q := svc.HistoryQuery{Limit: 3}
		for page := 0; page == 0 || q.Before != ""; page++ {
			d, err := s.peek(id, bea, q)
			if err != nil {
				t.Fatal(err)
			}
			got = slices.Concat(bodies(d.Messages), got)
			s.send(ann, bea, "meanwhile")
			q.Before = ""
			if d.Page.PreviousCursor != nil {
				q.Before = *d.Page.PreviousCursor
				wantMalformed(t, s, id, ann, q)
				wantMalformed(t, s, s.send(bea, cid, "another thread").ThreadID, bea, q)
			}
		}
		wantEqual(t, "messages on all pages", got, "[0 1 2 3 4 5 6]")
		wantMalformed(t, s, id, bea, svc.HistoryQuery{Before: "x"})
		wantMalformed(t, s, id, bea, svc.HistoryQuery{Limit: -1})
	})
}

// Open marks the messages of the page as read, once; Peek marks none. Covers M-19, M-20, M-21, M-22
// and B-84.
func TestOpeningMovesTheReadCursorToTheEndOfThePage(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		var id string
		for i := range 4 {
			id = s.send(ann, bea, fmt.Sprint(i)).ThreadID
		}
		revision := func() (n int64) {
			s.read(func(tx *store.Tx) error { n = tx.Revisions(int64(bea)).Of(svc.DMsTopic); return nil })
			return n
		}
		open := func(q svc.HistoryQuery) (d thread.Detail) {
			s.write(func(tx *store.Tx) (err error) { d, err = s.Open(tx, svc.Trust(bea), id, q); return err })
			return d
		}
		latest, err := s.peek(id, bea, svc.HistoryQuery{Limit: 2})
		wantEqual(t, fmt.Sprint("peeked ", err), []any{bodies(latest.Messages), latest.IsUnread(), s.page(bea, 0, "").UnreadTotal}, "[[2 3] true 4]")
		earlier := open(svc.HistoryQuery{Before: *latest.Page.PreviousCursor})
		wantEqual(t, "an earlier page", []any{bodies(earlier.Messages), earlier.IsUnread(), earlier.Thread.UnreadCount}, "[[0 1] true 2]")
		before := revision()
		wantEqual(t, "the latest page", open(svc.HistoryQuery{}).Thread.UnreadCount, 0)
		after := revision()
		wantEqual(t, "again", open(svc.HistoryQuery{}).IsUnread(), false)
		if before == after || revision() != after {
			t.Errorf("got the revisions %d, %d and %d, want a change of the first only", before, after, revision())
		}
	})
}

// A mark as unread does not change the read cursor and the counts. Reading and sending remove it.
// Covers B-106 and PT-18.
func TestMarkAsUnreadIsSeparateFromTheReadCursor(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		message := s.send(ann, bea, "One")
		mark := func() (marked thread.Thread) {
			s.write(func(tx *store.Tx) (err error) {
				marked, err = s.MarkUnread(tx, svc.Trust(bea), message.ThreadID)
				return err
			})
			return marked
		}
		wantEqual(t, "with an unread message", mark().MarkedUnread, false)
		for name, remove := range map[string]func(){
			"marking as read": func() { s.markRead(message.ThreadID, bea, "") },
			"opening": func() {
				s.write(func(tx *store.Tx) error {
					_, err := s.Open(tx, svc.Trust(bea), message.ThreadID, svc.HistoryQuery{})
					return err
				})
			},
			"sending": func() { s.send(bea, ann, "Two") },
		} {
			s.markRead(message.ThreadID, bea, "")
			got := mark()
			wantEqual(t, "marked", []any{got.MarkedUnread, got.UnreadCount, got.ReadUpTo == nil}, "[true 0 false]")
			d, err := s.peek(message.ThreadID, bea, svc.HistoryQuery{})
			wantEqual(t, fmt.Sprint("is unread ", err), []any{d.IsUnread(), s.page(bea, 0, "").UnreadTotal, s.list(ann)[0].MarkedUnread}, "[true 0 false]")
			s.send(ann, bea, "Another")
			got = s.list(bea)[0]
			wantEqual(t, "after a new message", []any{got.MarkedUnread, got.UnreadCount}, "[true 1]")
			remove()
			wantEqual(t, name, s.list(bea)[0].MarkedUnread, false)
		}
		s.markRead(message.ThreadID, bea, "")
		mark()
		got := s.markRead(message.ThreadID, bea, message.ID)
		wantEqual(t, "marking an earlier message", []any{got.MarkedUnread, got.UnreadCount, *got.ReadUpTo == message.ID}, "[false 0 false]")
	})
}

// Members without common ground, and former and hidden members, receive no messages. The
// latter two cannot be told apart. Covers B-52, B-72 and B-106.
func TestThreadReportsReasonForRejectedReplies(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		id := s.send(ann, bea, "One").ThreadID
		wantEqual(t, "common ground", s.list(ann)[0].Context.Kind, "circle")
		for _, c := range []struct {
			about, title, want string
			change             func()
		}{
			{"no common ground", "Member 2", "no_common_ground: You share no circle, community or event with this member. Use Messages instead.", func() { s.noGround = []svc.MemberID{bea} }},
			{"a hidden member", "Former member", "recipient_unavailable: This member cannot receive messages at the moment.", func() { s.hidden[ann] = []svc.MemberID{bea} }},
			{"a former member", "Former member", "recipient_unavailable: This member cannot receive messages at the moment.", func() { s.hidden[ann], s.former = nil, []svc.MemberID{bea} }},
		} {
			c.change()
			got := s.list(ann)[0]
			wantEqual(t, c.about, []any{got.Title, got.CanReply, got.Context == nil}, []any{c.title, false, true})
			if _, reason, _ := strings.Cut(c.want, ": "); *got.CanReplyReason != reason {
				t.Errorf("%s: got the reason %q, want %q", c.about, *got.CanReplyReason, reason)
			}
			for about, send := range map[string]func(*store.Tx) error{
				"Start": func(tx *store.Tx) error { _, err := s.Start(tx, svc.Trust(ann), recipient(bea), "x"); return err },
				"Send":  func(tx *store.Tx) error { _, err := s.Send(tx, svc.Trust(ann), id, "x"); return err },
			} {
				wantEqual(t, c.about+": "+about, s.db.Write(t.Context(), send), c.want)
			}
		}
	})
}

// sendMany sends more messages than an export reads at once.
func (s *server) sendMany(from, to svc.MemberID) {
	s.Helper()
	if err := s.db.Write(storetest.Fill(s.Context()), func(tx *store.Tx) error {
		for range thread.ExportBatch + 1 {
			if _, err := s.Start(tx, svc.Trust(from), recipient(to), "x"); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		s.Fatal(err)
	}
}

// Covers SH-26.
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
		stop, visited := errors.New("stop"), 0
		s.read(func(tx *store.Tx) error {
			errThreads := s.EachThread(tx, ann, func(thread.Thread) error { visited++; return stop })
			errMessages := s.EachMessage(tx, ann, func(thread.Message) error { visited++; return stop })
			if errThreads != stop || errMessages != stop || visited != 2 {
				t.Errorf("got %v and %v after %d calls, want %v after 2", errThreads, errMessages, visited, stop)
			}
			return nil
		})
	})
}

// Covers B-51 and PT-46: messages remain until both members are deleted, and are deleted in
// batches.
func TestMessagesRemainUntilBothMembersAreDeleted(t *testing.T) {
	forEachService(t, func(t *testing.T, s *server) {
		s.send(ann, bea, "one")
		s.send(bea, ann, "two")
		s.send(bea, cid, "other")
		deleteData := func(member svc.MemberID) (rows, batches int) {
			s.former = append(s.former, member)
			for n := 1; n > 0; batches++ {
				s.write(func(tx *store.Tx) (err error) { n, err = s.DeleteData(tx, member, 1); rows += n; return err })
			}
			return rows, batches
		}
		rows, batches := deleteData(bea)
		wantEqual(t, "rows of bea, who leaves two threads", []int{rows, batches}, "[2 3]")
		got := s.list(ann)
		wantEqual(t, "threads of ann", []any{summaries(got), got[0].Title, got[0].ParticipantCount}, []any{"[two]", "Former member", 2})
		wantEqual(t, "threads of bea", len(s.list(bea)), 0)
		rows, batches = deleteData(ann)
		wantEqual(t, "rows of ann, with two messages and the thread", []int{rows, batches}, "[4 5]")
		wantEqual(t, "messages left", storetest.Rows(t, s.db, "SELECT body FROM "+s.tables+"_message"), "[other]")
		wantEqual(t, "threads left", storetest.Rows(t, s.db, "SELECT count(*) FROM "+s.tables+"_thread"), "[1]")
	})
}
