package calendar

import "appliance/store"

// Limits of one write of the background deletion. Permanent deletion may affect
// millions of rows. It only orphans them; a job then deletes them in short
// writes, and resumes after a restart.
const (
	sweepWeight = 2000 // maximum number of rows and pages of text to delete
	sweepBatch  = 100  // maximum number of objects to examine
)

// weightedKey is the key of a row with the number of rows and pages to delete
// with it.
type weightedKey struct {
	N      int64 `db:"n"`
	Weight int   `db:"weight"`
}

// Sweep deletes a batch of former texts and of expired trash, or else of orphaned
// calendars. It reports whether there may be more.
func (s *Service) Sweep(tx *store.Tx) (more bool, err error) {
	rows, err := tx.Exec(s.q.ForgetExpired, store.Args{"now": store.MillisOf(tx.Now()), "limit": sweepBatch})
	if err != nil || rows == sweepBatch {
		return err == nil, err
	}
	more, err = s.sweepTrash(tx)
	if err != nil || more {
		return more, err
	}
	return s.SweepOrphans(tx)
}

func (s *Service) sweepTrash(tx *store.Tx) (deleted bool, err error) {
	keys, err := s.batch(tx, s.q.PurgeableTrash, store.Args{"before": store.MillisOf(tx.Now().Add(-trashAge))})
	if err != nil || len(keys) == 0 {
		return false, err
	}
	args := store.Args{"list": store.JSONArray(keys)}
	for _, q := range []store.Query{s.q.OrphanPurgedCalendars, s.q.PurgeTrash} {
		if _, err := tx.Exec(q, args); err != nil {
			return false, err
		}
	}
	_, err = tx.Exec(s.q.DeleteEmptiedTrash, nil)
	return true, err
}

// SweepOrphans deletes a batch of the objects or tombstones of an orphaned calendar, or
// else the calendar. It reports whether there may be more.
func (s *Service) SweepOrphans(tx *store.Tx) (deleted bool, err error) {
	var id string
	if err := tx.Get(&id, s.q.OrphanedCalendar, nil); store.IsNoRows(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	keys, err := s.batch(tx, s.q.OrphanedObjects, store.Args{"calendar": id})
	if err != nil {
		return false, err
	}
	if len(keys) > 0 {
		_, err = tx.Exec(s.q.PurgeObjects, store.Args{"list": store.JSONArray(keys)})
		return true, err
	}
	rows, err := tx.Exec(s.q.PurgeTombstones, store.Args{"calendar": id, "limit": sweepWeight})
	if err == nil && rows == 0 {
		_, err = tx.Exec(s.q.PurgeCalendar, store.Args{"calendar": id})
	}
	return true, err
}

// batch returns as many of the rows of q as one write may delete, at least one
// if there is any.
func (s *Service) batch(tx *store.Tx, q store.Query, args store.Args) (keys []int64, err error) {
	args["limit"] = sweepBatch
	var found []weightedKey
	if err := tx.Select(&found, q, args); err != nil {
		return nil, err
	}
	weight := 0
	for _, row := range found {
		if weight += row.Weight; weight > sweepWeight && len(keys) > 0 {
			break
		}
		keys = append(keys, row.N)
	}
	return keys, nil
}
