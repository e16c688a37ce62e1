package identity

import (
	"time"

	"appliance/store"
)

// Limits of the sign-ins that the audit log keeps.
const (
	signInTime = 90 * day
	maxSignIns = 1000 // per member
)

// Expire deletes expired tokens, links and challenges, and old sign-ins in the
// audit log. A job runs it once an hour.
func (s *Service) Expire(tx *store.Tx) error {
	for _, q := range []store.Query{s.q.DeleteExpiredTokens, s.q.DeleteExpiredLinks, s.q.DeleteExpiredChallenges} {
		if _, err := tx.Exec(q, store.Args{"now": store.MillisOf(tx.Now())}); err != nil {
			return err
		}
	}
	_, err := tx.Exec(s.q.DeleteSurplusSignIns, store.Args{"before": timeAgo(tx, signInTime), "keep": maxSignIns})
	return err
}

// timeAgo returns the time d before the transaction, for comparison with a column.
func timeAgo(tx *store.Tx, d time.Duration) store.Millis { return store.MillisOf(tx.Now().Add(-d)) }
