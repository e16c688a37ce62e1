package thread

import (
	"appliance/store"
	"appliance/svc"
)

// Store reads and writes the threads of one service. Its methods must be called
// inside a transaction, after the service has checked permissions.
type Store struct {
	threadPrefix  string // prefix of thread ids
	messagePrefix string // prefix of message ids
	q             queries
}

// queries are the statements that the query file of the service must contain.
type queries struct {
	ThreadsBefore      store.Query `sql:"threads-before"`
	ThreadsByID        store.Query `sql:"threads-by-id"`
	ThreadBetween      store.Query `sql:"thread-between"`
	UnreadTotal        store.Query `sql:"unread-total"`
	AddThread          store.Query `sql:"add-thread"`
	AddParticipants    store.Query `sql:"add-participants"`
	MessagesBefore     store.Query `sql:"messages-before"`
	MessageSeq         store.Query `sql:"message-seq"`
	NextSeq            store.Query `sql:"next-seq"`
	AddMessage         store.Query `sql:"add-message"`
	UpdateParticipants store.Query `sql:"update-participants"`
	MarkRead           store.Query `sql:"mark-read"`
	MarkUnread         store.Query `sql:"mark-unread"`
}

// New returns a store that generates ids with the given prefixes. The caller
// binds its queries: see [Store.Queries].
func New(threadPrefix, messagePrefix string) *Store {
	return &Store{threadPrefix: threadPrefix, messagePrefix: messagePrefix}
}

// Queries returns the query struct of s. Pass it to [store.Bind] together with the
// query structs of the service.
func (s *Store) Queries() any { return &s.q }

// Thread is a thread as one of its two participants sees it.
type Thread struct {
	ID           string       `db:"id"`
	MessageCount int64        `db:"message_count"` // also the sequence number of the last message
	CreatedAt    store.Millis `db:"created_at"`
	UpdatedAt    store.Millis `db:"updated_at"` // time of the last message
	Partner      svc.MemberID `db:"partner_id"`
	Position     int64        `db:"position"`      // position in the participant's list; the latest thread has the highest
	ReadSeq      int64        `db:"read_seq"`      // the participant's read cursor
	UnreadCount  int64        `db:"unread_count"`  // messages of the partner after the read cursor
	MarkedUnread bool         `db:"marked_unread"` // the participant has marked the thread as unread
	Summary      string       `db:"summary"`       // the beginning of the last message
	LastSender   svc.MemberID `db:"last_sender_id"`
	ReadUpTo     *string      `db:"read_up_to"` // the message at the read cursor, nil for none
}

// Page returns up to limit threads of member with a position below before,
// latest first.
func (s *Store) Page(tx *store.Tx, member svc.MemberID, before int64, limit int) (list []Thread, err error) {
	err = tx.Select(&list, s.q.ThreadsBefore, store.Args{"member": member, "before": before, "limit": limit})
	return list, err
}

// ByID returns the threads among ids that member takes part in, in the order of
// ids.
func (s *Store) ByID(tx *store.Tx, member svc.MemberID, ids ...string) (list []Thread, err error) {
	err = tx.Select(&list, s.q.ThreadsByID, store.Args{"member": member, "ids": store.JSONArray(ids)})
	return list, err
}

// UnreadTotal returns the number of unread messages in all threads of member.
func (s *Store) UnreadTotal(tx *store.Tx, member svc.MemberID) (n int64, err error) {
	err = tx.Get(&n, s.q.UnreadTotal, store.Args{"member": member})
	return n, err
}

// HasUnread reports whether opening the thread with a page that ends at seq changes
// the state of the participant.
func (t Thread) HasUnread(seq int64) bool { return seq > t.ReadSeq || t.MarkedUnread }

// EnsureThread returns the id of the thread of two members. It adds the thread
// if there is none.
func (s *Store) EnsureThread(tx *store.Tx, a, b svc.MemberID) (id string, err error) {
	pair := store.Args{"low": min(a, b), "high": max(a, b)}
	if err = tx.Get(&id, s.q.ThreadBetween, pair); !store.IsNoRows(err) {
		return id, err
	}
	id = svc.NewID(s.threadPrefix)
	pair["id"], pair["now"] = id, store.MillisOf(tx.Now())
	if _, err := tx.Exec(s.q.AddThread, pair); err != nil {
		return "", err
	}
	_, err = tx.Exec(s.q.AddParticipants, store.Args{"thread": id, "pairs": store.JSONArray([][2]svc.MemberID{{a, b}, {b, a}})})
	return id, err
}
