package maps

import (
	"context"
	"slices"

	"appliance/store"
	"appliance/svc"
)

// Limits of one write of Sweep.
const (
	sweepMarks    = 250 // each changes up to 8 rows
	sweepPlaces   = 200
	sweepClusters = 2000
	sweepTiles    = 200 // each has several pages
)

type sweepQueries struct {
	OtherStates     store.Query `sql:"other-states"`
	RetireStaged    store.Query `sql:"retire-staged"`
	RetiredRegion   store.Query `sql:"retired-region"`
	PlacesToUnmark  store.Query `sql:"places-to-unmark"`
	CopiesToCount   store.Query `sql:"copies-to-count"`
	SetMarksMoved   store.Query `sql:"set-marks-moved"`
	PlacesOfRegion  store.Query `sql:"places-of-region"`
	DeletePlaces    store.Query `sql:"delete-places"`
	DeletePositions store.Query `sql:"delete-positions"`
	DeleteTexts     store.Query `sql:"delete-texts"`
	DeleteTrigrams  store.Query `sql:"delete-trigrams"`
	DeleteClusters  store.Query `sql:"delete-clusters"`
	DeleteTiles     store.Query `sql:"delete-tiles"`
	DeleteRegion    store.Query `sql:"delete-region"`
}

// Clear removes the current region of a name, or returns a NotFound error. Sweep
// then deletes its rows.
func (s *Service) Clear(ctx context.Context, db *store.DB, name string) error {
	return db.Write(ctx, func(tx *store.Tx) error {
		n, err := tx.Exec(s.q.importing.RetireName, store.Args{"name": name})
		if err != nil {
			return err
		}
		if n == 0 {
			return svc.Errorf(svc.NotFound, "There is no imported region %q.", svc.Excerpt(name))
		}
		tx.Touch(svc.MapsUpdated, store.Everyone)
		return nil
	})
}

// Sweep deletes a batch of the rows of replaced, removed and abandoned regions, after the
// copies of their places in other regions are counted. It reports whether there may be more.
func (s *Service) Sweep(ctx context.Context, db *store.DB) (more bool, err error) {
	var states []string
	err = db.Read(ctx, func(tx *store.Tx) error { return tx.Select(&states, s.q.sweep.OtherStates, nil) })
	if err != nil || len(states) == 0 {
		return false, err
	}
	if slices.Contains(states, "staged") {
		if err := s.retireAbandonedImports(ctx, db); err != nil {
			return false, err
		}
	}
	err = db.Write(ctx, func(tx *store.Tx) error {
		var region retiredRegion
		if err := tx.Get(&region, s.q.sweep.RetiredRegion, nil); store.IsNoRows(err) {
			more = false
			return nil
		} else if err != nil {
			return err
		}
		more = true
		if moved, err := s.moveMarks(tx, region); moved || err != nil {
			return err
		}
		return s.sweepRegion(tx, region.ID)
	})
	return more, err
}

// retireAbandonedImports retires the staged regions of imports whose process has ended: no
// import runs while the lock is free.
func (s *Service) retireAbandonedImports(ctx context.Context, db *store.DB) error {
	unlock, ok, err := store.TryLock(lockFile(db))
	if err != nil || !ok {
		return err
	}
	defer unlock()
	return db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(s.q.sweep.RetireStaged, nil)
		return err
	})
}

// sweepRegion deletes a batch of places, or else of other rows, or else the region.
func (s *Service) sweepRegion(tx *store.Tx, region int64) error {
	q := &s.q.sweep
	var ids []int64
	if err := tx.Select(&ids, q.PlacesOfRegion, store.Args{"region": region, "limit": sweepPlaces}); err != nil {
		return err
	}
	if len(ids) > 0 {
		args := store.Args{"ids": store.JSONArray(ids)}
		for _, query := range []store.Query{q.DeleteTexts, q.DeleteTrigrams, q.DeletePositions, q.DeletePlaces} {
			if _, err := tx.Exec(query, args); err != nil {
				return err
			}
		}
		return s.q.importing.merge(tx, deletedPages)
	}
	for _, part := range []struct {
		query store.Query
		limit int
	}{{q.DeleteClusters, sweepClusters}, {q.DeleteTiles, sweepTiles}} {
		n, err := tx.Exec(part.query, store.Args{"region": region, "limit": part.limit})
		if err != nil || n > 0 {
			return err
		}
	}
	_, err := tx.Exec(q.DeleteRegion, store.Args{"region": region})
	return err
}
