package thread

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// Message is one message of a thread. Schema: service.messages.message.
type Message struct {
	ID        string               `json:"id"`
	ThreadID  string               `json:"thread_id"`
	SenderID  svc.MemberID         `json:"sender_identity_user_id"`
	Body      string               `json:"body"`     // exactly as sent
	Entities  svc.List[svc.Entity] `json:"entities"` // mentions in the body
	CreatedAt time.Time            `json:"created_at"`
	UpdatedAt *time.Time           `json:"updated_at"` // always null: messages cannot be edited
}

// MessageRow is a stored message.
type MessageRow struct {
	RowID     int64        // only of a new message
	ID        string       `db:"id"`
	Thread    string       `db:"thread_id"`
	Seq       int64        `db:"seq"` // 1 for the first message of a thread
	Sender    svc.MemberID `db:"sender_id"`
	Body      string       `db:"body"`
	CreatedAt store.Millis `db:"created_at"`
}

func (m MessageRow) message(entities svc.List[svc.Entity]) Message {
	return Message{ID: m.ID, ThreadID: m.Thread, SenderID: m.Sender, Body: m.Body, Entities: entities, CreatedAt: m.CreatedAt.Timestamp()}
}

// Messages returns messages as v sees them.
func (s *Service) Messages(tx *store.Tx, v svc.Viewer, rows ...MessageRow) ([]Message, error) {
	bodies := make([]string, len(rows))
	for i, m := range rows {
		bodies[i] = m.Body
	}
	entities, err := s.options.Blocks.Entities(tx, v, bodies...)
	if err != nil {
		return nil, err
	}
	list := make([]Message, len(rows))
	for i, m := range rows {
		list[i] = m.message(entities[i])
	}
	return list, nil
}

// Detail is a thread with one page of its messages, the oldest first.
type Detail struct {
	Thread    Thread
	Messages  []Message
	Page      svc.HistoryPage
	HasUnread bool // the page contains messages after the read cursor, or the thread is marked as unread

	lastSeq int64 // of the last message of the page, 0 for none
}

// IsUnread reports whether opening the thread would mark messages as read.
func (d Detail) IsUnread() bool { return d.HasUnread }

// Peek returns a page of the messages of a thread of v. It does not move the read
// cursor.
func (s *Service) Peek(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (d Detail, err error) {
	if d.Thread, err = s.Thread(tx, v, id); err != nil {
		return d, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), s.options.Tables+".thread", v, id)
	limit, before, err := q.Decode(cursors)
	if err != nil {
		return d, err
	}
	rows, err := s.messagesBefore(tx, id, before, limit+1)
	if err != nil {
		return d, err
	}
	rows, d.Page = svc.CutHistory(cursors, rows, limit, func(m MessageRow) int64 { return m.Seq })
	if len(rows) > 0 {
		d.lastSeq = rows[len(rows)-1].Seq
	}
	d.HasUnread = d.lastSeq > d.Thread.readSeq || d.Thread.MarkedUnread
	d.Messages, err = s.Messages(tx, v, rows...)
	return d, err
}

// messagesBefore returns up to limit messages with a sequence number below before,
// newest first.
func (s *Service) messagesBefore(tx *store.Tx, thread string, before int64, limit int) (list []MessageRow, err error) {
	err = tx.Select(&list, s.q.MessagesBefore, store.Args{"thread": thread, "before": before, "limit": limit})
	return list, err
}

// Open returns a thread like Peek and moves the read cursor of v to the last message of
// the page.
func (s *Service) Open(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (Detail, error) {
	d, err := s.Peek(tx, v, id, q)
	if err != nil {
		return d, err
	}
	d.Thread, err = s.moveReadCursor(tx, v, id, d.lastSeq)
	return d, err
}

// MarkRead moves v's read cursor forward to a message, or to the end of the thread if
// message is "".
func (s *Service) MarkRead(tx *store.Tx, v svc.Viewer, id, message string) (Thread, error) {
	t, err := s.Thread(tx, v, id)
	if err != nil {
		return Thread{}, err
	}
	seq := t.MessageCount
	if message != "" {
		err = tx.Get(&seq, s.q.MessageSeq, store.Args{"thread": id, "id": message})
		if store.IsNoRows(err) {
			err = s.options.NoMessage()
		}
		if err != nil {
			return Thread{}, err
		}
	}
	return s.moveReadCursor(tx, v, id, seq)
}

// moveReadCursor moves v's read cursor forward to seq, removes the mark of MarkUnread and
// returns the thread.
func (s *Service) moveReadCursor(tx *store.Tx, v svc.Viewer, id string, seq int64) (Thread, error) {
	return s.setRead(tx, v, id, s.q.MarkRead, store.Args{"thread": id, "member": v.Member(), "seq": seq})
}

// MarkUnread marks a thread without unread messages as unread for v, until v opens it,
// marks it as read or sends a message in it. The read cursor and the unread count stay.
func (s *Service) MarkUnread(tx *store.Tx, v svc.Viewer, id string) (Thread, error) {
	if _, err := s.Thread(tx, v, id); err != nil {
		return Thread{}, err
	}
	return s.setRead(tx, v, id, s.q.MarkUnread, store.Args{"thread": id, "member": v.Member()})
}

// setRead runs a statement that changes the read cursor or the mark as unread of v, and returns the
// thread.
func (s *Service) setRead(tx *store.Tx, v svc.Viewer, id string, q store.Query, args store.Args) (Thread, error) {
	changed, err := tx.Exec(q, args)
	if err != nil {
		return Thread{}, err
	}
	if changed > 0 {
		tx.Touch(s.options.Read, int64(v.Member()))
	}
	return s.Thread(tx, v, id)
}
