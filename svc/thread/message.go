package thread

import (
	"appliance/store"
	"appliance/svc"
)

// Message is one message of a thread.
type Message struct {
	RowID     int64        // set by [Store.Append] only
	ID        string       `db:"id"`
	Thread    string       `db:"thread_id"`
	Seq       int64        `db:"seq"` // 1 for the first message of a thread
	Sender    svc.MemberID `db:"sender_id"`
	Body      string       `db:"body"`
	CreatedAt store.Millis `db:"created_at"`
}

// History is a page of the messages of a thread, oldest first.
type History struct {
	Messages []Message
	Page     svc.HistoryPage
}

// LastSeq returns the sequence number of the last message, 0 for none.
func (h History) LastSeq() int64 {
	if len(h.Messages) == 0 {
		return 0
	}
	return h.Messages[len(h.Messages)-1].Seq
}

// History returns a page of the messages of a thread.
func (s *Store) History(tx *store.Tx, thread string, cursors svc.Cursors, q svc.HistoryQuery) (h History, err error) {
	limit, before, err := q.Decode(cursors)
	if err != nil {
		return h, err
	}
	h.Messages, err = s.messages(tx, thread, before, limit+1)
	h.Messages, h.Page = svc.CutHistory(cursors, h.Messages, limit, func(m Message) int64 { return m.Seq })
	return h, err
}

// messages returns up to limit messages with a sequence number below before,
// newest first.
func (s *Store) messages(tx *store.Tx, thread string, before int64, limit int) (list []Message, err error) {
	err = tx.Select(&list, s.q.MessagesBefore, store.Args{"thread": thread, "before": before, "limit": limit})
	return list, err
}

// Append adds a message to a thread, moves the thread to the top of the lists of
// both participants and marks it as read for the sender.
func (s *Store) Append(tx *store.Tx, thread string, sender svc.MemberID, body string) (Message, error) {
	m := Message{ID: svc.NewID(s.messagePrefix), Thread: thread, Sender: sender, Body: body, CreatedAt: store.MillisOf(tx.Now())}
	if err := tx.Get(&m.Seq, s.q.NextSeq, store.Args{"thread": thread, "now": m.CreatedAt}); err != nil {
		return Message{}, err
	}
	if err := tx.Get(&m.RowID, s.q.AddMessage, store.Args{
		"id": m.ID, "thread": thread, "seq": m.Seq, "sender": sender, "body": body, "now": m.CreatedAt,
	}); err != nil {
		return Message{}, err
	}
	_, err := tx.Exec(s.q.UpdateParticipants, store.Args{"thread": thread, "sender": sender, "seq": m.Seq})
	return m, err
}

// MessageSeq returns the sequence number of a message. found is false if the
// message is not in the thread.
func (s *Store) MessageSeq(tx *store.Tx, thread, message string) (seq int64, found bool, err error) {
	err = tx.Get(&seq, s.q.MessageSeq, store.Args{"thread": thread, "id": message})
	if store.IsNoRows(err) {
		return 0, false, nil
	}
	return seq, err == nil, err
}

// MarkRead moves the read cursor of member forward to seq and removes the mark of
// [Store.MarkUnread]. It reports false if nothing changes.
func (s *Store) MarkRead(tx *store.Tx, thread string, member svc.MemberID, seq int64) (moved bool, err error) {
	n, err := tx.Exec(s.q.MarkRead, store.Args{"thread": thread, "member": member, "seq": seq})
	return n > 0, err
}

// MarkUnread marks a thread without unread messages as unread for member. The read
// cursor, which never moves backwards, and the unread count stay the same. It
// reports false if the thread is unread already.
func (s *Store) MarkUnread(tx *store.Tx, thread string, member svc.MemberID) (marked bool, err error) {
	n, err := tx.Exec(s.q.MarkUnread, store.Args{"thread": thread, "member": member})
	return n > 0, err
}
