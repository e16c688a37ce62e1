package social

import (
	"math"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// dmMessageRow is a row of social_dm_message.
type dmMessageRow struct {
	ID        string       `db:"id"`
	DM        string       `db:"dm_id"`
	Seq       int64        `db:"seq"`
	Sender    svc.MemberID `db:"sender_id"`
	Body      string       `db:"body"`
	CreatedAt store.Millis `db:"created_at"`
}

func (r dmMessageRow) message() DMMessage {
	return DMMessage{ID: r.ID, ThreadID: r.DM, SenderID: r.Sender, Body: r.Body, CreatedAt: r.CreatedAt.Timestamp()}
}

// DMDetail is a DM with some of its messages, the oldest first.
type DMDetail struct {
	DM       DM
	Messages []DMMessage
	Page     DMEarlier
	Unseen   bool // there are some that v has not read
}

// DMEarlier is what a list of messages says of itself.
type DMEarlier struct {
	PreviousCursor *string `json:"previous_cursor"` // of what was written before; null at the beginning
	Limit          int     `json:"limit"`
}

// DMQuery selects the messages of a DM.
type DMQuery struct {
	Before string // a cursor; "" for the latest
	Limit  int
}

// PeekDM returns messages of a DM of v. Nothing counts as read by that.
func (s *Service) PeekDM(tx *store.Tx, v svc.Viewer, id string, q DMQuery) (DMDetail, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DMDetail{}, err
	}
	d, _, err := s.lookDM(tx, v, w, id, q)
	return d, err
}

// OpenDM returns messages of a DM of v, who has read them then.
func (s *Service) OpenDM(tx *store.Tx, v svc.Viewer, id string, q DMQuery) (DMDetail, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DMDetail{}, err
	}
	d, last, err := s.lookDM(tx, v, w, id, q)
	if err != nil {
		return DMDetail{}, err
	}
	d.DM, err = s.markDM(tx, w, id, last)
	return d, err
}

// lookDM returns messages of a DM, and the seq of the last of them.
func (s *Service) lookDM(tx *store.Tx, v svc.Viewer, w view, id string, q DMQuery) (d DMDetail, last int64, err error) {
	r, err := s.dmRow(tx, w.member, id)
	if err != nil {
		return d, 0, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.dm."+id, v)
	limit, errLimit := svc.PageLimit(q.Limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, earlierDM(cursors.Decode(q.Before, &before))); err != nil {
		return d, 0, err
	}
	rows, err := s.dmMessages(tx, id, before, limit+1)
	if err != nil {
		return d, 0, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r dmMessageRow) any { return r.Seq })
	d.Page = DMEarlier{page.NextCursor, page.Limit}
	for _, m := range slices.Backward(rows) {
		d.Messages = append(d.Messages, m.message())
	}
	if len(rows) > 0 {
		last = rows[0].Seq
	}
	d.Unseen = last > r.Seen
	list, err := s.dms(tx, w, r)
	if err != nil {
		return d, 0, err
	}
	d.DM = list[0]
	return d, last, nil
}

// dmMessages reads the last messages before one of them.
func (s *Service) dmMessages(tx *store.Tx, dm string, before int64, limit int) (rows []dmMessageRow, err error) {
	err = tx.Select(&rows, s.q.DMMessages, store.Args{"dm": dm, "before": before, "limit": limit})
	return rows, err
}

// earlierDM is the refusal of a cursor that is called before.
func earlierDM(err error) error {
	if err == nil {
		return nil
	}
	return svc.ParameterError("before", "The cursor does not belong to this list. Start again without one.").WithCause(err)
}

// ReadDM notes that v has read a DM up to a message, or all of it for "". What
// v has read stays read.
func (s *Service) MarkDMRead(tx *store.Tx, v svc.Viewer, id, message string) (DM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DM{}, err
	}
	r, err := s.dmRow(tx, w.member, id)
	if err != nil {
		return DM{}, err
	}
	seq := r.Seq
	if message != "" {
		err := tx.Get(&seq, s.q.DMPlace, store.Args{"id": message, "dm": id})
		if store.IsNoRows(err) {
			return DM{}, svc.FieldError(svc.InvalidValue, "last_read_message_id", "There is no such message here.")
		}
		if err != nil {
			return DM{}, err
		}
	}
	return s.markDM(tx, w, id, seq)
}

// markDM moves the viewer's marker to a message, never back.
func (s *Service) markDM(tx *store.Tx, w view, id string, seq int64) (DM, error) {
	moved, err := tx.Exec(s.q.MarkDM, store.Args{"member": w.member, "dm": id, "seq": seq})
	if err != nil {
		return DM{}, err
	}
	if moved > 0 {
		tx.TouchItem(svc.DMsTopic, id, int64(w.member))
	}
	return s.oneDM(tx, w, id)
}

// oneDM returns a DM as the viewer sees it.
func (s *Service) oneDM(tx *store.Tx, w view, id string) (DM, error) {
	r, err := s.dmRow(tx, w.member, id)
	if err != nil {
		return DM{}, err
	}
	list, err := s.dms(tx, w, r)
	return list[0], err
}
