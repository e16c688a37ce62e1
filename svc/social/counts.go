package social

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// countQueries are the statements that this file uses.
type countQueries struct {
	CountCommunities store.Query `sql:"count-communities"`
}

// Counts contains the numbers of records of each kind that a member sees.
type Counts struct {
	Conversations int `json:"conversations"`
	Communities   int `json:"communities"`
	Events        int `json:"events"`   // events that have not ended
	Presence      int `json:"presence"` // members who are present, including the viewer
}

// Counts returns the counts for v, and the time until which they are valid without a write, zero
// for no limit.
func (s *Service) Counts(tx *store.Tx, v svc.Viewer) (n Counts, until time.Time, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return n, until, err
	}
	return s.counts(tx, w)
}

func (s *Service) counts(tx *store.Tx, w view) (n Counts, until time.Time, err error) {
	if err := tx.Get(&n.Communities, s.q.CountCommunities, store.Args{"member": w.member}); err != nil {
		return n, until, err
	}
	if err := tx.Get(&n.Conversations, s.q.CountConversations, w.args(nil)); err != nil {
		return n, until, err
	}
	var events struct {
		N    int          `db:"n"`
		Next store.Millis `db:"next"`
	}
	if err := tx.Get(&events, s.q.CountEvents, w.args(store.Args{"now": store.MillisOf(tx.Now()), "endless": endlessEnd})); err != nil {
		return n, until, err
	}
	n.Events = events.N
	n.Presence, until, err = s.countPresent(tx, w)
	if next := events.Next.Time(); events.N > 0 && (until.IsZero() || next.Before(until)) {
		until = next
	}
	return n, until, err
}
