package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

func newMessage(m thread.Message) Message {
	return Message{ID: m.ID, ThreadID: m.Thread, SenderID: m.Sender, Body: m.Body, CreatedAt: m.CreatedAt.Timestamp()}
}

// Detail is a thread with one page of its messages, the oldest first.
type Detail struct {
	Thread    Thread
	Messages  []Message
	Page      svc.HistoryPage
	HasUnread bool // the page contains messages after the read cursor
}

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
	for _, m := range page.Messages {
		d.Messages = append(d.Messages, newMessage(m))
	}
	d.Page, d.HasUnread = page.Page, page.LastSeq() > r.ReadSeq
	threads, err := s.loadThreads(tx, v.Member(), []thread.Thread{r})
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

// moveReadCursor moves v's read cursor forward to seq.
func (s *Service) moveReadCursor(tx *store.Tx, v svc.Viewer, thread string, seq int64) error {
	moved, err := s.threads.MarkRead(tx, thread, v.Member(), seq)
	if moved {
		tx.Touch(svc.ThreadRead, int64(v.Member()))
	}
	return err
}
