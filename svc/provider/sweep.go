package provider

import "appliance/store"

type sweepQueries struct {
	DeleteEnded          store.Query `sql:"delete-ended"`
	DeleteRemovedRecords store.Query `sql:"delete-removed-records"`
	DeleteRemoved        store.Query `sql:"delete-removed"`
}

// Sweep deletes a batch of the records that no member can see. more reports whether
// there are further ones.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	for _, query := range []store.Query{s.q.sweep.DeleteEnded, s.q.sweep.DeleteRemovedRecords} {
		n, err := tx.Exec(query, store.Args{"limit": batchIDs})
		if err != nil || n == batchIDs {
			return n == batchIDs, err
		}
	}
	_, err = tx.Exec(s.q.sweep.DeleteRemoved, nil)
	return false, err
}

// deleteEnded deletes a batch of the records that ended with an ingestion. Sweep deletes
// the others.
func (s *Service) deleteEnded(tx *store.Tx) error {
	_, err := tx.Exec(s.q.sweep.DeleteEnded, store.Args{"limit": batchIDs})
	return err
}
