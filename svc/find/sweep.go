package find

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// sweepQueries delete old searches.
type sweepQueries struct {
	PurgeQueries  store.Query `sql:"purge-queries"`
	PurgeSessions store.Query `sql:"purge-sessions"`
	PurgeHeads    store.Query `sql:"purge-heads"`
}

// DeleteData deletes at most limit rows of the searches of a member and returns their number.
func (s *Service) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (rows int, err error) {
	return tx.ExecUpTo(limit, store.Args{"member": member}, s.q.history.DeleteQueries, s.q.history.DeleteSessions, s.q.history.DeleteHeads)
}

// Retention is the time for which searches are kept.
const Retention = 90 * 24 * time.Hour

// sweepBatch limits the records of each kind that one call of Sweep deletes.
const sweepBatch = 500

// Sweep deletes a batch of searches whose retention has ended. It reports whether to
// call it again.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	for _, q := range []store.Query{s.q.sweep.PurgeQueries, s.q.sweep.PurgeSessions, s.q.sweep.PurgeHeads} {
		n, err := tx.Exec(q, store.Args{"before": store.MillisOf(tx.Now().Add(-Retention)), "limit": sweepBatch})
		if err != nil {
			return false, err
		}
		more = more || n == sweepBatch
	}
	return more, nil
}
