package thread

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/words"
)

// Service reads and writes the threads of one service.
type Service struct {
	options Options
	q       queries
}

// New returns the service.
func New(o Options) *Service {
	s := &Service{options: o}
	store.BindTables("thread", o.Tables, &s.q)
	return s
}

// Thread is a thread as one of its two participants sees it.
type Thread struct {
	ID      string        `json:"-"`
	Partner svc.MemberID  `json:"-"` // the other participant
	Context *CommonGround `json:"-"` // why the two can write to each other; nil if they cannot, or if all members can

	Title            string                `json:"title"`   // display name of the other member
	Summary          string                `json:"summary"` // the beginning of the latest message
	Participants     svc.List[Participant] `json:"participants"`
	ParticipantCount int                   `json:"participant_count"` // always 2
	MessageCount     int64                 `json:"message_count"`
	UnreadCount      int64                 `json:"unread_count"`  // messages from the other member after the viewer's read cursor
	MarkedUnread     bool                  `json:"marked_unread"` // the viewer has marked the thread as unread; opening it removes the mark
	ReadUpTo         *string               `json:"read_up_to"`    // id of the message at the viewer's read cursor, null for none
	LastSenderID     svc.MemberID          `json:"last_sender_identity_user_id"`
	CanReply         bool                  `json:"can_reply"`
	CanReplyReason   *string               `json:"can_reply_reason"` // why the viewer cannot reply, in words; null if they can
	LastMessageAt    *time.Time            `json:"last_message_at"`
	CreatedAt        time.Time             `json:"created_at"`
	UpdatedAt        *time.Time            `json:"updated_at"` // time of the latest message

	position int64      // in the participant's list; the latest thread has the highest
	readSeq  int64      // the participant's read cursor
	refusal  *svc.Error // why the viewer cannot reply; nil if they can
}

// Participant is one of the two members of a thread.
type Participant struct {
	ID          svc.MemberID `json:"id"`
	DisplayName string       `json:"display_name"`
	Username    string       `json:"username"` // empty for a former member
	svc.Appearance
	IsSelf bool `json:"is_self"`
}

// threadRow is a thread with the state of one of its participants.
type threadRow struct {
	ID           string       `db:"id"`
	MessageCount int64        `db:"message_count"` // also the sequence number of the last message
	CreatedAt    store.Millis `db:"created_at"`
	UpdatedAt    store.Millis `db:"updated_at"`
	Partner      svc.MemberID `db:"partner_id"`
	Position     int64        `db:"position"`
	ReadSeq      int64        `db:"read_seq"`
	UnreadCount  int64        `db:"unread_count"`
	MarkedUnread bool         `db:"marked_unread"`
	Summary      string       `db:"summary"`
	LastSender   svc.MemberID `db:"last_sender_id"`
	ReadUpTo     *string      `db:"read_up_to"`
}

// List is a page of a member's threads, the latest first.
type List struct {
	Threads     []Thread
	Page        svc.Page
	UnreadTotal int64 // unread messages in all threads of the member
}

// List returns a page of v's threads. A new message moves its thread to the first page;
// no thread appears on two pages.
func (s *Service) List(tx *store.Tx, v svc.Viewer, limit int, cursor string) (list List, err error) {
	member, err := v.Require()
	if err != nil {
		return list, err
	}
	cursors := svc.NewCursors(tx.InstanceKey(), s.options.Tables+".threads", v)
	limit, errLimit := svc.PageLimit(limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, cursors.Decode(cursor, &before)); err != nil {
		return list, err
	}
	if list.Threads, err = s.threadsBefore(tx, v.Language(), member, before, limit+1); err != nil {
		return list, err
	}
	list.Threads, list.Page = svc.CutPage(cursors, list.Threads, limit, func(t Thread) any { return t.position })
	list.UnreadTotal, err = s.UnreadTotal(tx, v)
	return list, err
}

// threadsBefore returns up to limit threads of a member with a position below before, the
// latest first.
func (s *Service) threadsBefore(tx *store.Tx, l words.Language, member svc.MemberID, before int64, limit int) ([]Thread, error) {
	var rows []threadRow
	err := tx.Select(&rows, s.q.ThreadsBefore, store.Args{"member": member, "before": before, "limit": limit})
	if err != nil {
		return nil, err
	}
	return s.completeThreads(tx, l, member, rows)
}

// Latest returns up to limit threads of v, the latest first, and whether there are more.
func (s *Service) Latest(tx *store.Tx, v svc.Viewer, limit int) (list []Thread, truncated bool, err error) {
	list, err = s.threadsBefore(tx, v.Language(), v.Member(), math.MaxInt64, limit+1)
	return list[:min(len(list), limit)], len(list) > limit, err
}

// ByID returns the threads of v among ids, in the order of ids.
func (s *Service) ByID(tx *store.Tx, v svc.Viewer, ids ...string) ([]Thread, error) {
	var rows []threadRow
	err := tx.Select(&rows, s.q.ThreadsByID, store.Args{"member": v.Member(), "ids": store.JSONArray(ids)})
	if err != nil {
		return nil, err
	}
	return s.completeThreads(tx, v.Language(), v.Member(), rows)
}

// Thread returns a thread of v.
func (s *Service) Thread(tx *store.Tx, v svc.Viewer, id string) (Thread, error) {
	if _, err := v.Require(); err != nil {
		return Thread{}, err
	}
	list, err := s.ByID(tx, v, id)
	if err == nil && len(list) == 0 {
		err = s.options.NoThread(tx, id)
	}
	if err != nil {
		return Thread{}, err
	}
	return list[0], nil
}

// Versions returns the versions of up to limit latest threads of v, and whether there are
// more. A version depends on the messages, the read cursor and the common ground; the
// caller must also depend on the names and blocks of members.
func (s *Service) Versions(tx *store.Tx, v svc.Viewer, limit int) (versions []svc.Version, truncated bool, err error) {
	var rows []struct {
		svc.Version
		Partner svc.MemberID `db:"partner_id"`
	}
	err = tx.Select(&rows, s.q.ThreadVersions, store.Args{"member": v.Member(), "limit": limit + 1})
	if err != nil {
		return nil, false, err
	}
	truncated, rows = len(rows) > limit, rows[:min(len(rows), limit)]
	partners := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		partners[i] = r.Partner
	}
	grounds, err := s.grounds(tx, v.Member(), partners)
	for _, r := range rows {
		if s.options.Grounds != nil {
			r.Version.Version += store.JSON(grounds[r.Partner])
		}
		versions = append(versions, r.Version)
	}
	return versions, truncated, err
}

// UnreadTotal returns the number of unread messages in all threads of v.
func (s *Service) UnreadTotal(tx *store.Tx, v svc.Viewer) (n int64, err error) {
	err = tx.Get(&n, s.q.UnreadTotal, store.Args{"member": v.Member()})
	return n, err
}

// completeThreads returns the threads of rows as member sees them, in the language l. A partner who is
// hidden or no longer active is a former member.
func (s *Service) completeThreads(tx *store.Tx, l words.Language, member svc.MemberID, rows []threadRow) ([]Thread, error) {
	threads := make([]Thread, len(rows))
	if len(rows) == 0 {
		return threads, nil
	}
	partners := make([]svc.MemberID, len(rows))
	for i, r := range rows {
		partners[i] = r.Partner
	}
	known, err := s.relations(tx, member, partners)
	if err != nil {
		return nil, err
	}
	for i, r := range rows {
		threads[i] = newThread(l, r, member, known)
	}
	return threads, nil
}

func newThread(l words.Language, r threadRow, member svc.MemberID, known relations) Thread {
	partner, updated := known.participant(l, r.Partner), r.UpdatedAt.Timestamp()
	t := Thread{
		ID: r.ID, Partner: r.Partner, Title: partner.DisplayName, Summary: r.Summary,
		Participants: svc.List[Participant]{known.participant(l, member), partner}, ParticipantCount: 2,
		MessageCount: r.MessageCount, UnreadCount: r.UnreadCount, MarkedUnread: r.MarkedUnread, ReadUpTo: r.ReadUpTo,
		LastSenderID: r.LastSender, LastMessageAt: &updated, CreatedAt: r.CreatedAt.Timestamp(), UpdatedAt: &updated,
		position: r.Position, readSeq: r.ReadSeq, refusal: known.refusal(r.Partner),
	}
	if t.CanReply = t.refusal == nil; !t.CanReply {
		t.CanReplyReason = &t.refusal.In(l).Message
	} else if ground, ok := known.grounds[r.Partner]; ok {
		t.Context = &ground
	}
	t.Participants[0].IsSelf = true
	return t
}

// relations are the relations of a member to others.
type relations struct {
	people      map[svc.MemberID]svc.Person // active members who are not hidden
	grounds     map[svc.MemberID]CommonGround
	needsGround bool
}

// relations returns the relations of a member to others.
func (s *Service) relations(tx *store.Tx, member svc.MemberID, others []svc.MemberID) (known relations, err error) {
	hidden, err := s.options.Blocks.Hidden(tx, member)
	if err != nil {
		return known, err
	}
	if known.people, err = s.options.Members.People(tx, append(others, member)); err != nil {
		return known, err
	}
	for _, m := range hidden {
		delete(known.people, m)
	}
	known.needsGround = s.options.Grounds != nil
	known.grounds, err = s.grounds(tx, member, others)
	return known, err
}

// grounds returns the result of Options.Grounds, or nil without this function.
func (s *Service) grounds(tx *store.Tx, member svc.MemberID, others []svc.MemberID) (map[svc.MemberID]CommonGround, error) {
	if s.options.Grounds == nil {
		return nil, nil
	}
	return s.options.Grounds(tx, member, others)
}

func (known relations) participant(l words.Language, id svc.MemberID) Participant {
	if p, ok := known.people[id]; ok {
		return Participant{ID: id, DisplayName: p.DisplayName, Username: p.Username, Appearance: p.Appearance}
	}
	return Participant{ID: id, DisplayName: l.Text(svc.FormerMember), Appearance: svc.FormerAppearance}
}

// refusal returns the error of a message to another member, nil if the member can write to them. It
// is the same for a hidden and a former member, so that it does not reveal a block.
func (known relations) refusal(other svc.MemberID) *svc.Error {
	if _, ok := known.people[other]; !ok {
		return svc.Errorf(svc.RecipientUnavailable, "This member cannot receive messages at the moment.")
	}
	if _, ok := known.grounds[other]; !ok && known.needsGround {
		return svc.Errorf(svc.NoCommonGround, "You share no circle, community or event with this member. Use Messages instead.")
	}
	return nil
}
