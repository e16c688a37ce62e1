package messages

import (
	"math"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// historyQueries read the messages of a thread and move the read cursor.
type historyQueries struct {
	MessagesBefore store.Query `sql:"messages-before"`
	MessageSeq     store.Query `sql:"message-seq"`
	MarkRead       store.Query `sql:"mark-read"`
}

// messageRow is a row of messages_message.
type messageRow struct {
	ID        string       `db:"id"`
	Thread    string       `db:"thread_id"`
	Seq       int64        `db:"seq"`
	Sender    svc.MemberID `db:"sender_id"`
	Body      string       `db:"body"`
	CreatedAt store.Millis `db:"created_at"`
}

func (r messageRow) message() Message {
	return Message{ID: r.ID, ThreadID: r.Thread, SenderID: r.Sender, Body: r.Body, CreatedAt: r.CreatedAt.Timestamp()}
}

// Detail is a thread with one page of its messages, the oldest first.
type Detail struct {
	Thread    Thread
	Messages  []Message
	Page      HistoryPage
	HasUnread bool // the page ends after the viewer's read cursor
}

// HistoryPage describes a page of messages.
type HistoryPage struct {
	PreviousCursor *string `json:"previous_cursor"` // of the page before; null at the beginning of the thread
	Limit          int     `json:"limit"`
}

// HistoryQuery selects a page of messages.
type HistoryQuery struct {
	Before string // cursor; empty for the latest messages
	Limit  int    // 0 for the default
}

// Peek returns messages of a thread of v and leaves the read cursor unchanged.
func (s *Service) Peek(tx *store.Tx, v svc.Viewer, thread string, q HistoryQuery) (Detail, error) {
	d, _, err := s.history(tx, v, thread, q)
	return d, err
}

// Open returns messages of a thread of v and moves the read cursor to the last
// of them.
func (s *Service) Open(tx *store.Tx, v svc.Viewer, thread string, q HistoryQuery) (Detail, error) {
	d, last, err := s.history(tx, v, thread, q)
	if err != nil {
		return d, err
	}
	if err := s.moveReadCursor(tx, v, thread, last); err != nil {
		return d, err
	}
	d.Thread, err = s.Thread(tx, v, thread)
	return d, err
}

// history returns messages of a thread of v, and the seq of the last of them.
func (s *Service) history(tx *store.Tx, v svc.Viewer, thread string, q HistoryQuery) (d Detail, last int64, err error) {
	r, err := s.threadRow(tx, v, thread)
	if err != nil {
		return d, 0, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "messages.thread."+thread, v)
	limit, errLimit := svc.PageLimit(q.Limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, beforeError(cursors.Decode(q.Before, &before))); err != nil {
		return d, 0, err
	}
	rows, err := s.messagesBefore(tx, thread, before, limit+1)
	if err != nil {
		return d, 0, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r messageRow) any { return r.Seq })
	d.Page = HistoryPage{page.NextCursor, page.Limit}
	for _, m := range slices.Backward(rows) {
		d.Messages = append(d.Messages, m.message())
	}
	if len(rows) > 0 {
		last = rows[0].Seq
	}
	d.HasUnread = last > r.ReadSeq
	threads, err := s.loadThreads(tx, v.Member(), []threadRow{r})
	if err != nil {
		return d, 0, err
	}
	d.Thread = threads[0]
	return d, last, nil
}

// messagesBefore returns up to limit messages below a seq, the latest first.
func (s *Service) messagesBefore(tx *store.Tx, thread string, before int64, limit int) (rows []messageRow, err error) {
	err = tx.Select(&rows, s.q.history.MessagesBefore, store.Args{"thread": thread, "before": before, "limit": limit})
	return rows, err
}

// beforeError names the query parameter before in the error of a cursor.
func beforeError(err error) error {
	if err == nil {
		return nil
	}
	return svc.ParameterError("before", "The cursor does not belong to this thread. Start again without it.").WithCause(err)
}

// MarkRead moves v's read cursor to a message, or to the end of the thread if
// message is empty. It never moves backwards.
func (s *Service) MarkRead(tx *store.Tx, v svc.Viewer, thread, message string) (Thread, error) {
	r, err := s.threadRow(tx, v, thread)
	if err != nil {
		return Thread{}, err
	}
	seq := r.Messages
	if message != "" {
		err := tx.Get(&seq, s.q.history.MessageSeq, store.Args{"id": message, "thread": thread})
		if store.IsNoRows(err) {
			return Thread{}, svc.FieldError(svc.InvalidValue, "last_read_message_id", "This thread has no message with this id.")
		}
		if err != nil {
			return Thread{}, err
		}
	}
	if err := s.moveReadCursor(tx, v, thread, seq); err != nil {
		return Thread{}, err
	}
	return s.Thread(tx, v, thread)
}

// moveReadCursor moves v's read cursor forward to seq.
func (s *Service) moveReadCursor(tx *store.Tx, v svc.Viewer, thread string, seq int64) error {
	moved, err := tx.Exec(s.q.history.MarkRead, store.Args{"member": v.Member(), "thread": thread, "seq": seq})
	if moved > 0 {
		tx.Touch(svc.MessagesTopic, int64(v.Member()))
	}
	return err
}
