package social

import (
	"math"
	"time"

	"appliance/store"
	"appliance/svc"
)

type expiryQueries struct {
	NextInvitationExpiry store.Query `sql:"next-invitation-expiry"`
}

// longListExpiry is the validity of lists that are too long to search for their next change.
const longListExpiry = time.Minute

// Expires returns the time of the next change without a write in the lists of Social that v sees,
// or in one record: a presence or an invitation expires, or an event ends. It is zero for never.
// record may be "" or an id of any kind; it must be visible to v.
func (s *Service) Expires(tx *store.Tx, v svc.Viewer, record string) (at time.Time, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return at, err
	}
	if at, err = s.presenceExpires(tx, w); err != nil {
		return at, err
	}
	now := store.MillisOf(tx.Now())
	var events []eventCursor
	if err := tx.Select(&events, s.q.UpcomingEvents, w.args(store.Args{
		"from": now, "to": endlessEnd, "at": int64(math.MinInt64), "id": "", "limit": maxEvents + 1,
	})); err != nil {
		return at, err
	}
	for _, e := range events {
		at = earlierTime(at, e.EndsAt.Time())
	}
	var invitation store.Millis
	if err := tx.Get(&invitation, s.q.NextInvitationExpiry, store.Args{"member": w.member, "record": record, "now": now}); err != nil {
		return at, err
	}
	if invitation > 0 {
		at = earlierTime(at, invitation.Time())
	}
	if len(events) > maxEvents {
		at = earlierTime(at, tx.Now().Add(longListExpiry))
	}
	return at, nil
}

// PresenceExpires returns the time at which the first presence that v sees expires, zero
// for never.
func (s *Service) PresenceExpires(tx *store.Tx, v svc.Viewer) (at time.Time, err error) {
	w, err := s.view(tx, v)
	if err != nil {
		return at, err
	}
	return s.presenceExpires(tx, w)
}

func (s *Service) presenceExpires(tx *store.Tx, w view) (at time.Time, err error) {
	present, err := s.listPresence(tx, w, 0, svc.MaxLimit)
	if err != nil {
		return at, err
	}
	mine, err := s.presenceRow(tx, w.member)
	if err != nil {
		return at, err
	}
	now := store.MillisOf(tx.Now())
	for _, row := range append(present, mine) {
		if row.ExpiresAt > now {
			at = earlierTime(at, row.ExpiresAt.Time())
		}
	}
	if len(present) == svc.MaxLimit {
		at = earlierTime(at, tx.Now().Add(longListExpiry))
	}
	return at, nil
}
