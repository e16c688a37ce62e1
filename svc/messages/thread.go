package messages

import (
	"appliance/store"
	"appliance/svc"
	"appliance/svc/thread"
	"appliance/svc/words"
)

// ThreadType is the value of Thread.Type and of object_type.
const ThreadType = "message_thread"

// threadQueries are the statements for threads that package thread does not
// have.
type threadQueries struct {
	ThreadExists store.Query `sql:"thread-exists"`
}

// Thread returns a thread of v.
func (s *Service) Thread(tx *store.Tx, v svc.Viewer, id string) (Thread, error) {
	r, err := s.threadRow(tx, v, id)
	if err != nil {
		return Thread{}, err
	}
	threads, err := s.loadThreads(tx, v, []thread.Thread{r})
	if err != nil {
		return Thread{}, err
	}
	return threads[0], nil
}

// ThreadsByID returns the threads of v among ids, in the order of ids.
func (s *Service) ThreadsByID(tx *store.Tx, v svc.Viewer, ids []string) ([]Thread, error) {
	rows, err := s.threads.ByID(tx, v.Member(), ids...)
	if err != nil {
		return nil, err
	}
	return s.loadThreads(tx, v, rows)
}

// threadRow returns the row of a thread of v. The error tells whether the
// thread does not exist or belongs to other members: the contract requires 404
// and 403.
func (s *Service) threadRow(tx *store.Tx, v svc.Viewer, id string) (thread.Thread, error) {
	rows, err := s.threads.ByID(tx, v.Member(), id)
	if err != nil {
		return thread.Thread{}, err
	}
	if len(rows) > 0 {
		return rows[0], nil
	}
	var exists bool
	if err := tx.Get(&exists, s.q.thread.ThreadExists, store.Args{"id": id}); err != nil {
		return thread.Thread{}, err
	}
	if exists {
		return thread.Thread{}, svc.Errorf(svc.ThreadAccessDenied, "You do not take part in this thread.")
	}
	return thread.Thread{}, svc.Errorf(svc.NotFound, "This thread does not exist.")
}

// loadThreads completes rows with the names of the participants, as v sees them.
func (s *Service) loadThreads(tx *store.Tx, v svc.Viewer, rows []thread.Thread) ([]Thread, error) {
	return s.completeThreads(tx, v.Language(), v.Member(), rows)
}

// completeThreads completes member's rows for a reader of the language l.
func (s *Service) completeThreads(tx *store.Tx, l words.Language, member svc.MemberID, rows []thread.Thread) ([]Thread, error) {
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
	for _, id := range hidden {
		delete(people, id)
	}
	for i, r := range rows {
		threads[i] = newThread(l, r, member, people)
	}
	return threads, nil
}

// newThread returns the JSON form of r for member, in the language l. A partner who is
// missing from people is shown as a former member and cannot receive replies.
func newThread(l words.Language, r thread.Thread, member svc.MemberID, people map[svc.MemberID]svc.Person) Thread {
	participant := func(id svc.MemberID) Participant {
		p, ok := people[id]
		if !ok {
			p.DisplayName, p.Appearance = l.Text(svc.FormerMember), svc.FormerAppearance
		}
		return Participant{ID: id, DisplayName: p.DisplayName, Username: p.Username, Appearance: p.Appearance, IsSelf: id == member}
	}
	partner, updated := participant(r.Partner), r.UpdatedAt.Timestamp()
	_, canReply := people[r.Partner]
	t := Thread{
		ID: r.ID, Type: ThreadType, Title: partner.DisplayName, Summary: r.Summary,
		Participants:     svc.List[Participant]{participant(member), partner},
		ParticipantCount: 2, MessageCount: r.MessageCount, UnreadCount: r.UnreadCount, MarkedUnread: r.MarkedUnread, ReadUpTo: r.ReadUpTo,
		LastSenderID: r.LastSender, CanReply: canReply,
		LastMessageAt: &updated, CreatedAt: r.CreatedAt.Timestamp(), UpdatedAt: &updated,
	}
	if !canReply {
		t.CanReplyReason = new(l.Text(cannotReply))
	}
	return t
}
