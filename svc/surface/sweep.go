package surface

import (
	"time"

	"appliance/store"
	"appliance/svc"
)

// sweepQueries delete the records of deleted members, and old records.
type sweepQueries struct {
	DeleteSessions  store.Query `sql:"delete-sessions"`
	DeleteSurfaces  store.Query `sql:"delete-surfaces"`
	DeleteStacks    store.Query `sql:"delete-stacks"`
	DeleteWorkspace store.Query `sql:"delete-workspace"`
	PurgeSurfaces   store.Query `sql:"purge-surfaces"`
	PurgeSessions   store.Query `sql:"purge-sessions"`
}

// DeleteData deletes at most limit rows of the workspace of a deleted member and returns their
// number.
func (s *Service) DeleteData(tx *store.Tx, member svc.MemberID, limit int) (rows int, err error) {
	return tx.ExecUpTo(limit, store.Args{"member": member}, s.q.sweep.DeleteSessions, s.q.sweep.DeleteSurfaces, s.q.sweep.DeleteStacks, s.q.sweep.DeleteWorkspace)
}

// UnstackedRetention is the time for which a surface is kept after it left its
// last stack, and a session after it was closed.
const UnstackedRetention = 30 * 24 * time.Hour

// sweepBatch limits the surfaces and the sessions that one call of Sweep
// deletes.
const sweepBatch = 500

// Sweep deletes a batch of surfaces and sessions whose retention has ended. It
// reports whether to call it again.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	for _, q := range []store.Query{s.q.sweep.PurgeSurfaces, s.q.sweep.PurgeSessions} {
		n, err := tx.Exec(q, store.Args{"before": store.MillisOf(tx.Now().Add(-UnstackedRetention)), "limit": sweepBatch})
		if err != nil {
			return false, err
		}
		more = more || n == sweepBatch
	}
	return more, nil
}
