package messages

import (
	"fmt"
	"testing"

	"appliance/store"
	"appliance/svc"
)

// unread returns the unread total of a member's inbox. It reports an error unless
// the total is the sum over the threads.
func (s *server) unread(member svc.MemberID) int64 {
	s.Helper()
	in := s.inbox(member)
	sum := int64(0)
	for _, t := range in.Threads {
		sum += t.UnreadCount
	}
	if sum != in.UnreadTotal {
		s.Errorf("member %d: got the total %d, the threads have %d", member, in.UnreadTotal, sum)
	}
	return in.UnreadTotal
}

// markRead moves a member's read cursor, and returns the thread or the error.
func (s *server) markRead(member svc.MemberID, thread, message string) (read Thread, err error) {
	err = s.write(func(tx *store.Tx) (err error) {
		read, err = s.MarkRead(tx, svc.Trust(member), thread, message)
		return err
	})
	return read, err
}

// peek returns messages of a thread without reading them.
func (s *server) peek(member svc.MemberID, thread string, q svc.HistoryQuery) (d Detail, err error) {
	err = s.db.Read(s.Context(), func(tx *store.Tx) (err error) {
		d, err = s.Peek(tx, svc.Trust(member), thread, q)
		return err
	})
	return d, err
}

// Covers M-19, M-20, M-21, M-22 and B-50.
func TestReadCursorMovesByOpeningAndSending(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "One")
	s.reply(ann, thread, "Two")
	wantEqual(t, "unread of ann and bea", []int64{s.unread(ann), s.unread(bea)}, []int64{0, 2})
	if d, err := s.peek(bea, thread, svc.HistoryQuery{}); err != nil || !d.HasUnread || d.Thread.UnreadCount != 2 {
		t.Errorf("peek: got %+v, %v, want two unread messages", d.Thread, err)
	}
	wantEqual(t, "unread after peeking", s.unread(bea), 2)
	d := s.open(bea, thread)
	wantEqual(t, "opened", []any{d.HasUnread, d.Thread.UnreadCount, bodies(d.Messages), s.unread(bea)}, []any{true, 0, []string{"One", "Two"}, 0})
	wantEqual(t, "opened again", s.open(bea, thread).HasUnread, false)
	s.reply(ann, thread, "Three")
	s.reply(bea, thread, "Four")
	wantEqual(t, "unread after an answer", []int64{s.unread(ann), s.unread(bea)}, []int64{1, 0})
}

// Covers M-23 and PT-18 by example.
func TestReadCursorNeverMovesBackwards(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "One")
	second := s.reply(ann, thread, "Two").ID
	s.reply(ann, thread, "Three")
	for i, c := range []struct {
		message string
		want    int64
	}{{second, 1}, {"", 0}, {second, 0}} {
		if got, err := s.markRead(bea, thread, c.message); err != nil || got.UnreadCount != c.want {
			t.Errorf("step %d: got %d unread, %v, want %d", i, got.UnreadCount, err, c.want)
		}
	}
	other := s.reply(ann, s.startThread(ann, cid, "x"), "y").ID
	for _, id := range []string{"msg_none", other} {
		_, err := s.markRead(bea, thread, id)
		wantError(t, id, err, svc.InvalidValue, "last_read_message_id")
	}
}

// Covers B-84: reading changes the revision of the reader only if it moves the
// read cursor.
func TestReadingTouchesTheReaderOnce(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Hello")
	revision := func(m svc.MemberID) (n int64) {
		s.read(func(tx *store.Tx) error { n = tx.Revisions(int64(m)).Of(svc.MessagesTopic); return nil })
		return n
	}
	annBefore, beaBefore := revision(ann), revision(bea)
	s.open(bea, thread)
	beaAfter := revision(bea)
	if beaAfter == beaBefore || revision(ann) != annBefore {
		t.Errorf("got the revisions %d of bea, %d of ann; want a change of bea's alone", beaAfter, revision(ann))
	}
	s.open(bea, thread)
	wantEqual(t, "revision after reading again", revision(bea), beaAfter)
}

// Covers M-24, M-29 and B-49.
func TestHistoryIsReadPageByPage(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "Message 0")
	for i := 1; i < 12; i++ {
		s.reply(ann, thread, fmt.Sprint("Message ", i))
	}
	var all []string
	q := svc.HistoryQuery{Limit: 5}
	for {
		d, err := s.peek(bea, thread, q)
		if err != nil {
			t.Fatal(err)
		}
		all = append(bodies(d.Messages), all...)
		wantEqual(t, "limit", d.Page.Limit, 5)
		if d.Page.PreviousCursor == nil {
			break
		}
		q.Before = *d.Page.PreviousCursor
		s.reply(ann, thread, "Meanwhile")
	}
	if len(all) != 12 || all[0] != "Message 0" || all[11] != "Message 11" {
		t.Errorf("got %v, want Message 0 to Message 11", all)
	}
	_, err := s.peek(bea, thread, svc.HistoryQuery{Before: "x"})
	wantError(t, "an invalid cursor", err, svc.InvalidParameter, "before")
	_, err = s.peek(bea, s.startThread(bea, cid, "x"), q)
	wantError(t, "the cursor of another thread", err, svc.InvalidParameter, "before")
	_, err = s.peek(bea, thread, svc.HistoryQuery{Limit: -1})
	wantError(t, "a negative limit", err, svc.InvalidParameter, "limit")
}

// The read cursor moves only to the end of the page that is opened.
func TestOpeningAnEarlierPageReadsThatPage(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "One")
	for _, body := range []string{"Two", "Three", "Four"} {
		s.reply(ann, thread, body)
	}
	latest, err := s.peek(bea, thread, svc.HistoryQuery{Limit: 2})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.write(func(tx *store.Tx) error {
		_, err := s.Open(tx, svc.Trust(bea), thread, svc.HistoryQuery{Before: *latest.Page.PreviousCursor})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "unread", s.unread(bea), 2)
}

// markUnread marks a thread as unread and returns it.
func (s *server) markUnread(member svc.MemberID, thread string) (marked Thread, err error) {
	err = s.write(func(tx *store.Tx) (err error) {
		marked, err = s.MarkUnread(tx, svc.Trust(member), thread)
		return err
	})
	return marked, err
}

// A mark as unread is separate from the read cursor and the counts, and is removed by
// opening, marking as read and sending. Covers B-106 and PT-18.
func TestMarkAsUnreadIsSeparateFromTheReadCursor(t *testing.T) {
	s := newServer(t)
	thread := s.startThread(ann, bea, "One")
	state := func() string {
		d, err := s.peek(bea, thread, svc.HistoryQuery{})
		read := "none"
		for _, m := range d.Messages {
			if d.Thread.ReadUpTo != nil && m.ID == *d.Thread.ReadUpTo {
				read = m.Body
			}
		}
		return fmt.Sprintf("%d %t %s %t %v", d.Thread.UnreadCount, d.Thread.MarkedUnread, read, d.HasUnread, err)
	}
	if marked, err := s.markUnread(bea, thread); err != nil || marked.MarkedUnread {
		t.Errorf("with an unread message: got %+v, %v, want no mark", marked, err)
	}
	wantEqual(t, "unread", state(), "1 false none true <nil>")
	for name, remove := range map[string]func(){
		"opening":         func() { s.open(bea, thread) },
		"marking as read": func() { _, _ = s.markRead(bea, thread, "") },
	} {
		s.open(bea, thread)
		wantEqual(t, "opened", state(), "0 false One false <nil>")
		if _, err := s.markUnread(bea, thread); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, "marked", state(), "0 true One true <nil>")
		wantEqual(t, "unread total", s.unread(bea), 0)
		wantEqual(t, "the other member", s.inbox(ann).Threads[0].MarkedUnread, false)
		remove()
		wantEqual(t, name, state(), "0 false One false <nil>")
	}
	if _, err := s.markUnread(bea, thread); err != nil {
		t.Fatal(err)
	}
	s.reply(ann, thread, "Two")
	wantEqual(t, "a new message", state(), "1 true One true <nil>")
	s.reply(bea, thread, "Three")
	wantEqual(t, "sending", state(), "0 false Three false <nil>")
	_, err := s.markUnread(cid, thread)
	wantError(t, "another member", err, svc.ThreadAccessDenied, "")
}

// A thread says in words why it accepts no reply: the same for a block and a former
// member. Covers B-106 and B-52.
func TestThreadSaysWhyItAcceptsNoReply(t *testing.T) {
	s := newServer(t)
	withBea, withCid := s.startThread(ann, bea, "Hello"), s.startThread(ann, cid, "Hello")
	reason := func(thread string) string {
		d, err := s.peek(ann, thread, svc.HistoryQuery{})
		if err != nil || d.Thread.CanReplyReason == nil {
			return fmt.Sprint(d.Thread.CanReply, err)
		}
		return fmt.Sprint(d.Thread.CanReply, " ", *d.Thread.CanReplyReason)
	}
	wantEqual(t, "before", reason(withBea), "true <nil>")
	s.services.blocks[[2]svc.MemberID{bea, ann}] = true
	delete(s.services.people, cid)
	want := "false This member cannot receive messages at the moment."
	wantEqual(t, "blocked", reason(withBea), want)
	wantEqual(t, "former member", reason(withCid), want)
}
