package messages

import (
	"math"

	"appliance/store"
	"appliance/svc"
)

// ThreadType is the type of a thread in every payload.
const ThreadType = "message_thread"

// threadRow is a thread as one of its members has it.
type threadRow struct {
	ID        string       `db:"id"`
	Messages  int64        `db:"messages"`
	CreatedAt store.Millis `db:"created_at"`
	UpdatedAt store.Millis `db:"updated_at"`
	Partner   svc.MemberID `db:"partner_id"`
	Place     int64        `db:"place"`
	Marker    int64        `db:"marker"`
	Unread    int64        `db:"unread"`
	Summary   string       `db:"summary"`
}

// Inbox is a page of a member's threads, the latest first.
type Inbox struct {
	Threads     []Thread
	Page        svc.Page
	UnreadTotal int64 // in all threads
}

// Inbox returns a page of v's threads. One in which something is written while
// somebody turns pages is on the first page from then on, and on no other.
func (s *Service) Inbox(tx *store.Tx, v svc.Viewer, limit int, cursor string) (Inbox, error) {
	cursors := svc.NewCursors(tx.InstanceKey(), "messages.inbox", v)
	limit, errLimit := svc.PageLimit(limit)
	before := int64(math.MaxInt64)
	if err := svc.Join(errLimit, cursors.Decode(cursor, &before)); err != nil {
		return Inbox{}, err
	}
	rows, err := s.inbox(tx, v.Member(), before, limit+1)
	if err != nil {
		return Inbox{}, err
	}
	rows, page := svc.CutPage(cursors, rows, limit, func(r threadRow) any { return r.Place })
	threads, err := s.threads(tx, v.Member(), rows)
	if err != nil {
		return Inbox{}, err
	}
	unread, err := s.UnreadTotal(tx, v)
	return Inbox{threads, page, unread}, err
}

func (s *Service) inbox(tx *store.Tx, member svc.MemberID, before int64, limit int) (rows []threadRow, err error) {
	err = tx.Select(&rows, s.q.Inbox, store.Args{"member": member, "before": before, "limit": limit})
	return rows, err
}

// Versions returns which threads of v something was written in last, at most
// limit of them. A version holds as long as the partner is called the same, and
// no block has come or gone. more is true if there are others.
func (s *Service) Versions(tx *store.Tx, v svc.Viewer, limit int) (versions []svc.Version, more bool, err error) {
	err = tx.Select(&versions, s.q.ThreadVersions, store.Args{"member": v.Member(), "limit": limit + 1})
	return versions[:min(len(versions), limit)], len(versions) > limit, err
}

// ThreadsByID returns those of the threads that are v's.
func (s *Service) ThreadsByID(tx *store.Tx, v svc.Viewer, ids []string) ([]Thread, error) {
	rows, err := s.rows(tx, v.Member(), ids...)
	if err != nil {
		return nil, err
	}
	return s.threads(tx, v.Member(), rows)
}

// UnreadTotal returns how many messages v has not read.
func (s *Service) UnreadTotal(tx *store.Tx, v svc.Viewer) (n int64, err error) {
	err = tx.Get(&n, s.q.UnreadTotal, store.Args{"member": v.Member()})
	return n, err
}

// threads returns the rows as their member sees them.
func (s *Service) threads(tx *store.Tx, member svc.MemberID, rows []threadRow) ([]Thread, error) {
	threads := make([]Thread, len(rows))
	if len(rows) == 0 {
		return threads, nil
	}
	hidden, err := s.blocks.Hidden(tx, member)
	if err != nil {
		return nil, err
	}
	ids := []svc.MemberID{member}
	for _, r := range rows {
		ids = append(ids, r.Partner)
	}
	people, err := s.members.People(tx, ids)
	if err != nil {
		return nil, err
	}
	for _, other := range hidden { // nobody can tell them from who has left
		delete(people, other)
	}
	for i, r := range rows {
		threads[i] = r.thread(member, people)
	}
	return threads, nil
}

// thread returns the row as its member sees it. people are the two, without the
// partner if they are not here any more (B-51).
func (r threadRow) thread(member svc.MemberID, people map[svc.MemberID]svc.Person) Thread {
	participant := func(id svc.MemberID) Participant {
		p, here := people[id]
		if !here {
			p.DisplayName = "Former member"
		}
		return Participant{ID: id, DisplayName: p.DisplayName, Username: p.Username, IsSelf: id == member}
	}
	partner, updated := participant(r.Partner), stamp(r.UpdatedAt)
	_, here := people[r.Partner]
	return Thread{
		ID: r.ID, Type: ThreadType, Title: partner.DisplayName, Summary: r.Summary,
		Participants:     svc.List[Participant]{participant(member), partner},
		ParticipantCount: 2, MessageCount: r.Messages, UnreadCount: r.Unread, CanReply: here,
		LastMessageAt: &updated, CreatedAt: stamp(r.CreatedAt), UpdatedAt: &updated,
	}
}

// row returns a thread of v.
func (s *Service) row(tx *store.Tx, v svc.Viewer, id string) (threadRow, error) {
	rows, err := s.rows(tx, v.Member(), id)
	if err != nil {
		return threadRow{}, err
	}
	if len(rows) > 0 {
		return rows[0], nil
	}
	var exists bool
	if err := tx.Get(&exists, s.q.Exists, store.Args{"id": id}); err != nil {
		return threadRow{}, err
	}
	if exists {
		return threadRow{}, svc.Errorf(svc.ThreadAccessDenied, "This thread is between other members.")
	}
	return threadRow{}, svc.Errorf(svc.NotFound, "There is no such thread.")
}

// rows returns those of the threads that are the member's.
func (s *Service) rows(tx *store.Tx, member svc.MemberID, ids ...string) (rows []threadRow, err error) {
	err = tx.Select(&rows, s.q.Threads, store.Args{"member": member, "ids": store.JSONArray(ids)})
	return rows, err
}

// Thread returns a thread of v.
func (s *Service) Thread(tx *store.Tx, v svc.Viewer, id string) (Thread, error) {
	r, err := s.row(tx, v, id)
	if err != nil {
		return Thread{}, err
	}
	threads, err := s.threads(tx, v.Member(), []threadRow{r})
	if err != nil {
		return Thread{}, err
	}
	return threads[0], nil
}
