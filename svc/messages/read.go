package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

func newMessage(m thread.Message, entities svc.List[svc.Entity]) Message {
	return Message{ID: m.ID, ThreadID: m.Thread, SenderID: m.Sender, Body: m.Body, Entities: entities, CreatedAt: m.CreatedAt.Timestamp()}
}

// newMessages returns messages as v sees them.
func (s *Service) newMessages(tx *store.Tx, v svc.Viewer, rows ...thread.Message) ([]Message, error) {
	bodies := make([]string, len(rows))
	for i, m := range rows {
		bodies[i] = m.Body
	}
	entities, err := s.blocks.Entities(tx, v, bodies...)
	if err != nil {
		return nil, err
	}
	list := make([]Message, len(rows))
	for i, m := range rows {
		list[i] = newMessage(m, entities[i])
	}
	return list, nil
}

// Detail is a thread with one page of its messages, the oldest first.
type Detail struct {
	Thread    Thread
	Messages  []Message
	Page      svc.HistoryPage
	HasUnread bool // the page contains messages after the read cursor, or the thread is marked as unread
}

// IsUnread reports whether opening the thread changes what is read.
func (d Detail) IsUnread() bool { return d.HasUnread }

// Peek returns a page of the messages of a thread of v. It does not move the read
// cursor.
func (s *Service) Peek(tx *store.Tx, v svc.Viewer, thread string, q svc.HistoryQuery) (Detail, error) {
	d, _, err := s.readPage(tx, v, thread, q)
	return d, err
}

// Open returns a page of the messages of a thread of v and moves the read cursor
// to the last message of the page.
func (s *Service) Open(tx *store.Tx, v svc.Viewer, thread string, q svc.HistoryQuery) (Detail, error) {
	d, last, err := s.readPage(tx, v, thread, q)
	if err != nil {
		return d, err
	}
	if err := s.moveReadCursor(tx, v, thread, last); err != nil {
		return d, err
	}
	d.Thread, err = s.Thread(tx, v, thread)
	return d, err
}

// readPage returns a page of the messages of a thread of v, and the seq of the
// last message of the page.
func (s *Service) readPage(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (d Detail, last int64, err error) {
	r, err := s.threadRow(tx, v, id)
	if err != nil {
		return d, 0, err
	}
	page, err := s.threads.History(tx, id, svc.NewCursors(tx.InstanceKey(), "messages.thread."+id, v), q)
	if err != nil {
		return d, 0, err
	}
	if d.Messages, err = s.newMessages(tx, v, page.Messages...); err != nil {
		return d, 0, err
	}
	d.Page, d.HasUnread = page.Page, r.HasUnread(page.LastSeq())
	threads, err := s.loadThreads(tx, v, []thread.Thread{r})
	if err != nil {
		return d, 0, err
	}
	d.Thread = threads[0]
	return d, page.LastSeq(), nil
}

// MarkRead moves v's read cursor to a message, or to the end of the thread if
// message is empty. The cursor never moves backwards.
func (s *Service) MarkRead(tx *store.Tx, v svc.Viewer, thread, message string) (Thread, error) {
	r, err := s.threadRow(tx, v, thread)
	if err != nil {
		return Thread{}, err
	}
	seq := r.MessageCount
	if message != "" {
		var found bool
		if seq, found, err = s.threads.MessageSeq(tx, thread, message); err != nil {
			return Thread{}, err
		}
		if !found {
			return Thread{}, svc.FieldError(svc.InvalidValue, "last_read_message_id", "This thread has no message with this id.")
		}
	}
	if err := s.moveReadCursor(tx, v, thread, seq); err != nil {
		return Thread{}, err
	}
	return s.Thread(tx, v, thread)
}

// MarkUnread marks a thread without unread messages as unread for v, until v opens
// it, marks it as read or sends a message in it. The read cursor stays.
func (s *Service) MarkUnread(tx *store.Tx, v svc.Viewer, thread string) (Thread, error) {
	if _, err := s.threadRow(tx, v, thread); err != nil {
		return Thread{}, err
	}
	marked, err := s.threads.MarkUnread(tx, thread, v.Member())
	if err != nil {
		return Thread{}, err
	}
	if marked {
		tx.Touch(svc.ThreadRead, int64(v.Member()))
	}
	return s.Thread(tx, v, thread)
}

// moveReadCursor moves v's read cursor forward to seq and removes the mark of
// MarkUnread.
func (s *Service) moveReadCursor(tx *store.Tx, v svc.Viewer, thread string, seq int64) error {
	moved, err := s.threads.MarkRead(tx, thread, v.Member(), seq)
	if moved {
		tx.Touch(svc.ThreadRead, int64(v.Member()))
	}
	return err
}
