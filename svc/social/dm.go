package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
)

// DM is a direct message thread of Social as one of its two members sees it.
// DMs are separate from the threads of Messages but have the same form.
type DM struct {
	ID               string                  `json:"id"`
	Type             string                  `json:"type"`    // "social_dm"
	Title            string                  `json:"title"`   // display name of the other member
	Summary          string                  `json:"summary"` // the beginning of the latest message
	Participants     svc.List[DMParticipant] `json:"participants"`
	ParticipantCount int                     `json:"participant_count"` // always 2
	MessageCount     int64                   `json:"message_count"`
	UnreadCount      int64                   `json:"unread_count"`  // messages from the other member after the viewer's read cursor
	MarkedUnread     bool                    `json:"marked_unread"` // the viewer has marked the DM as unread; opening it removes the mark
	ReadUpTo         *string                 `json:"read_up_to"`    // id of the message at the viewer's read cursor, null for none
	LastSenderID     svc.MemberID            `json:"last_sender_identity_user_id"`
	CanReply         bool                    `json:"can_reply"`
	CanReplyReason   *string                 `json:"can_reply_reason"` // why the viewer cannot reply, in words; null if they can
	LastMessageAt    *time.Time              `json:"last_message_at"`
	CreatedAt        time.Time               `json:"created_at"`
	UpdatedAt        *time.Time              `json:"updated_at"` // time of the latest message
	Context          *CommonGround           `json:"context"`    // why the two can write to each other; null if they no longer can
	Permissions      DMPermissions           `json:"permissions"`
}

// DMParticipant is one of the two members of a DM.
type DMParticipant struct {
	MemberRef
	Username string `json:"username"` // "" for a former member
	IsSelf   bool   `json:"is_self"`
}

// DMPermissions are the viewer's permissions for a DM.
type DMPermissions struct {
	CanView           bool `json:"can_view"`
	CanReply          bool `json:"can_reply"`
	CanAddParticipant bool `json:"can_add_participant"` // always false
}

// DMMessage is one message of a DM. Schema: service.social.dm_message.
type DMMessage struct {
	ID        string               `json:"id"`
	ThreadID  string               `json:"thread_id"` // id of the DM
	SenderID  svc.MemberID         `json:"sender_identity_user_id"`
	Body      string               `json:"body"`     // exactly as sent
	Entities  svc.List[svc.Entity] `json:"entities"` // mentions in the body
	CreatedAt time.Time            `json:"created_at"`
	UpdatedAt *time.Time           `json:"updated_at"` // always null: messages cannot be edited
}

// DMType is the type of a DM in every payload.
const DMType = "social_dm"

// DMPage is a page of a member's DMs, latest first.
type DMPage struct {
	DMs         []DM
	Page        svc.Page
	UnreadTotal int64 // unread messages in all DMs
}

// dmQueries are the statements for DMs that package thread does not have.
type dmQueries struct {
	LeaveDMs               store.Query `sql:"leave-dms"`
	DeleteOrphanDMMessages store.Query `sql:"delete-orphan-dm-messages"`
	DeleteOrphanDMs        store.Query `sql:"delete-orphan-dms"`
}

// DMs returns a page of the DMs of v. A DM that gets a message between two pages
// moves to the first page and is missing on the following ones.
func (s *Service) DMs(tx *store.Tx, v svc.Viewer, limit int, cursor string) (DMPage, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DMPage{}, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), "social.dms", v)
	limit, errLimit := svc.PageLimit(limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, cursors.Decode(cursor, &before)); err != nil {
		return DMPage{}, err
	}
	threads, err := s.threads.Page(tx, w.member, before, limit+1)
	if err != nil {
		return DMPage{}, err
	}
	threads, page := svc.CutPage(cursors, threads, limit, func(t thread.Thread) any { return t.Position })
	list, err := s.completeDMs(tx, w, threads...)
	if err != nil {
		return DMPage{}, err
	}
	unread, err := s.threads.UnreadTotal(tx, w.member)
	return DMPage{list, page, unread}, err
}

// dm reads a DM of the viewer. DMs of other members are reported as absent.
func (s *Service) dm(tx *store.Tx, w view, id string) (thread.Thread, error) {
	threads, err := s.threads.ByID(tx, w.member, id)
	if err == nil && len(threads) == 0 {
		err = svc.Errorf(svc.NotFound, "There is no such direct message.")
	}
	if err != nil {
		return thread.Thread{}, err
	}
	return threads[0], nil
}

// visibleDM returns a DM of the viewer.
func (s *Service) visibleDM(tx *store.Tx, w view, id string) (DM, error) {
	t, err := s.dm(tx, w, id)
	if err != nil {
		return DM{}, err
	}
	list, err := s.completeDMs(tx, w, t)
	if err != nil {
		return DM{}, err
	}
	return list[0], nil
}

// completeDMs adds names and permissions to threads, as their member sees them. A hidden partner is
// shown as a former member.
func (s *Service) completeDMs(tx *store.Tx, w view, threads ...thread.Thread) ([]DM, error) {
	partners := make([]svc.MemberID, len(threads))
	for i, t := range threads {
		partners[i] = t.Partner
	}
	names, err := s.visibleNames(tx, w, append(partners, w.member)...)
	if err != nil {
		return nil, err
	}
	grounds, err := s.commonGrounds(tx, w, partners...)
	list := make([]DM, len(threads))
	for i, t := range threads {
		list[i] = newDM(t, w.member, names, grounds)
	}
	return list, err
}

func newDM(t thread.Thread, member svc.MemberID, names names, grounds map[svc.MemberID]CommonGround) DM {
	participant := func(id svc.MemberID) DMParticipant {
		return DMParticipant{names.ref(id), names.people[id].Username, id == member}
	}
	updated := t.UpdatedAt.Timestamp()
	d := DM{
		ID: t.ID, Type: DMType, Title: names.ref(t.Partner).DisplayName, Summary: t.Summary,
		Participants:     svc.List[DMParticipant]{participant(member), participant(t.Partner)},
		ParticipantCount: 2, MessageCount: t.MessageCount, UnreadCount: t.UnreadCount, MarkedUnread: t.MarkedUnread, ReadUpTo: t.ReadUpTo,
		LastSenderID:  t.LastSender,
		LastMessageAt: &updated, CreatedAt: t.CreatedAt.Timestamp(), UpdatedAt: &updated,
	}
	ground, ok := grounds[t.Partner]
	switch {
	case !names.has(t.Partner):
		d.CanReplyReason = new(names.language.Text(recipientUnavailable))
	case !ok:
		d.CanReplyReason = new(names.language.Text(noCommonGround))
	default:
		d.Context, d.CanReply = &ground, true
	}
	d.Permissions = DMPermissions{CanView: true, CanReply: d.CanReply}
	return d
}

func newDMMessage(m thread.Message, entities svc.List[svc.Entity]) DMMessage {
	return DMMessage{ID: m.ID, ThreadID: m.Thread, SenderID: m.Sender, Body: m.Body, Entities: entities, CreatedAt: m.CreatedAt.Timestamp()}
}

// newDMMessages returns messages as the viewer sees them.
func (s *Service) newDMMessages(tx *store.Tx, w view, rows ...thread.Message) ([]DMMessage, error) {
	bodies := make([]string, len(rows))
	for i, m := range rows {
		bodies[i] = m.Body
	}
	entities, err := s.entities(tx, w.hidden, bodies...)
	if err != nil {
		return nil, err
	}
	list := make([]DMMessage, len(rows))
	for i, m := range rows {
		list[i] = newDMMessage(m, entities[i])
	}
	return list, nil
}

// DMDetail is a DM with a page of its messages, oldest first.
type DMDetail struct {
	DM        DM
	Messages  []DMMessage
	Page      svc.HistoryPage
	HasUnread bool // the page has messages after the read cursor, or the DM is marked as unread
}

// IsUnread reports whether opening the DM changes what is read.
func (d DMDetail) IsUnread() bool { return d.HasUnread }

// PeekDM returns a DM of v with a page of its messages. It does not move the
// read cursor.
func (s *Service) PeekDM(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (DMDetail, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DMDetail{}, err
	}
	d, _, err := s.dmDetail(tx, v, w, id, q)
	return d, err
}

// OpenDM returns a DM like PeekDM and moves the read cursor of v to the last
// message of the page.
func (s *Service) OpenDM(tx *store.Tx, v svc.Viewer, id string, q svc.HistoryQuery) (DMDetail, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DMDetail{}, err
	}
	d, last, err := s.dmDetail(tx, v, w, id, q)
	if err != nil {
		return DMDetail{}, err
	}
	d.DM, err = s.moveDMCursor(tx, w, id, last)
	return d, err
}

// dmDetail returns a DM with a page of its messages, and the sequence number of the
// last one, 0 for none.
func (s *Service) dmDetail(tx *store.Tx, v svc.Viewer, w view, id string, q svc.HistoryQuery) (d DMDetail, last int64, err error) {
	t, err := s.dm(tx, w, id)
	if err != nil {
		return d, 0, err
	}
	h, err := s.threads.History(tx, id, svc.NewCursors(tx.InstanceKey(), "social.dm."+id, v), q)
	if err != nil {
		return d, 0, err
	}
	if d.Messages, err = s.newDMMessages(tx, w, h.Messages...); err != nil {
		return d, 0, err
	}
	d.Page, d.HasUnread = h.Page, t.HasUnread(h.LastSeq())
	list, err := s.completeDMs(tx, w, t)
	if err != nil {
		return d, 0, err
	}
	d.DM = list[0]
	return d, h.LastSeq(), nil
}

// MarkDMRead moves the read cursor of v forward to a message, or to the last
// one if message is "".
func (s *Service) MarkDMRead(tx *store.Tx, v svc.Viewer, id, message string) (DM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DM{}, err
	}
	t, err := s.dm(tx, w, id)
	if err != nil {
		return DM{}, err
	}
	seq := t.MessageCount
	if message != "" {
		var found bool
		if seq, found, err = s.threads.MessageSeq(tx, id, message); err != nil {
			return DM{}, err
		}
		if !found {
			return DM{}, svc.FieldError(svc.InvalidValue, "last_read_message_id", "There is no such message in this thread.")
		}
	}
	return s.moveDMCursor(tx, w, id, seq)
}

// MarkDMUnread marks a DM without unread messages as unread for v, until v opens
// it, marks it as read or sends a message in it. The read cursor stays.
func (s *Service) MarkDMUnread(tx *store.Tx, v svc.Viewer, id string) (DM, error) {
	w, err := s.view(tx, v)
	if err != nil {
		return DM{}, err
	}
	if _, err := s.dm(tx, w, id); err != nil {
		return DM{}, err
	}
	marked, err := s.threads.MarkUnread(tx, id, w.member)
	if err != nil {
		return DM{}, err
	}
	if marked {
		tx.Touch(svc.DMRead, int64(w.member))
	}
	return s.visibleDM(tx, w, id)
}

// moveDMCursor moves the viewer's read cursor forward to seq and returns the DM.
func (s *Service) moveDMCursor(tx *store.Tx, w view, id string, seq int64) (DM, error) {
	moved, err := s.threads.MarkRead(tx, id, w.member, seq)
	if err != nil {
		return DM{}, err
	}
	if moved {
		tx.Touch(svc.DMRead, int64(w.member))
	}
	return s.visibleDM(tx, w, id)
}
