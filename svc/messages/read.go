package messages

import (
	"math"
	"slices"

	"appliance/store"
	"appliance/svc"
)

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
	return Message{ID: r.ID, ThreadID: r.Thread, SenderID: r.Sender, Body: r.Body, CreatedAt: stamp(r.CreatedAt)}
}

// Detail is a thread with some of its messages, the oldest first.
type Detail struct {
	Thread    Thread
	Messages  []Message
	Page      HistoryPage
	HasUnread bool // there are some that v has not read
}

// HistoryPage is what a list of messages says of itself.
type HistoryPage struct {
	PreviousCursor *string `json:"previous_cursor"` // of what was written before; null at the beginning
	Limit          int     `json:"limit"`
}

// HistoryQuery selects the messages of a thread.
type HistoryQuery struct {
	Before string // a cursor; "" for the latest
	Limit  int
}

// Peek returns messages of a thread of v. Nothing counts as read by that.
func (s *Service) Peek(tx *store.Tx, v svc.Viewer, thread string, q HistoryQuery) (Detail, error) {
	d, _, err := s.look(tx, v, thread, q)
	return d, err
}

// Open returns the latest messages of a thread of v, who has read them then.
func (s *Service) Open(tx *store.Tx, v svc.Viewer, thread string, q HistoryQuery) (Detail, error) {
	d, last, err := s.look(tx, v, thread, q)
	if err != nil {
		return d, err
	}
	if err := s.mark(tx, v, thread, last); err != nil {
		return d, err
	}
	d.Thread, err = s.Thread(tx, v, thread)
	return d, err
}

// look returns messages of a thread, and the seq of the last of them.
func (s *Service) look(tx *store.Tx, v svc.Viewer, thread string, q HistoryQuery) (d Detail, last int64, err error) {
	r, err := s.row(tx, v, thread)
	if err != nil {
		return d, 0, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "messages.thread."+thread, v)
	limit, errLimit := svc.PageLimit(q.Limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, earlier(cursors.Decode(q.Before, &before))); err != nil {
		return d, 0, err
	}
	var rows []messageRow
	if err := tx.Select(&rows, s.q.Messages, store.Args{"thread": thread, "before": before, "limit": limit + 1}); err != nil {
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
	d.HasUnread = last > r.Marker
	threads, err := s.threads(tx, v.Member(), []threadRow{r})
	if err != nil {
		return d, 0, err
	}
	d.Thread = threads[0]
	return d, last, nil
}

// earlier is the refusal of a cursor that is called before.
func earlier(err error) error {
	if err == nil {
		return nil
	}
	return svc.ParameterError("before", "The cursor does not belong to this thread. Start again without one.").WithCause(err)
}

// MarkRead notes that v has read a thread up to a message, or all of it for "".
// What v has read stays read.
func (s *Service) MarkRead(tx *store.Tx, v svc.Viewer, thread, message string) (Thread, error) {
	r, err := s.row(tx, v, thread)
	if err != nil {
		return Thread{}, err
	}
	seq := r.Messages
	if message != "" {
		err := tx.Get(&seq, s.q.PlaceOf, store.Args{"id": message, "thread": thread})
		if store.IsNoRows(err) {
			return Thread{}, svc.FieldError(svc.InvalidValue, "last_read_message_id", "There is no such message in this thread.")
		} else if err != nil {
			return Thread{}, err
		}
	}
	if err := s.mark(tx, v, thread, seq); err != nil {
		return Thread{}, err
	}
	return s.Thread(tx, v, thread)
}

// mark moves v's marker to a message, never back.
func (s *Service) mark(tx *store.Tx, v svc.Viewer, thread string, seq int64) error {
	moved, err := tx.Exec(s.q.MarkRead, store.Args{"member": v.Member(), "thread": thread, "seq": seq})
	if moved > 0 {
		tx.Touch(svc.MessagesTopic, int64(v.Member()))
	}
	return err
}
