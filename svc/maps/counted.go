package maps

import (
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/geo"
)

// countedPlace is a place that maps_cluster counts in the region of its id.
type countedPlace struct {
	ID        int64   `db:"id"`
	Category  string  `db:"category"`
	Latitude  float64 `db:"latitude"`
	Longitude float64 `db:"longitude"`
}

// count adds the places of a batch to maps_cluster, except for those that another current
// region counts.
func (i *Import) count(tx *store.Tx, rows placeRows) error {
	q := &i.s.q.importing
	var copies []int64
	if err := tx.Select(&copies, q.CountedElsewhere, store.Args{"places": rows.sources, "name": i.name}); err != nil {
		return err
	}
	if len(copies) > 0 {
		if _, err := tx.Exec(q.SetCounted, store.Args{"counted": false, "ids": store.JSONArray(copies)}); err != nil {
			return err
		}
	}
	isCopy := make(map[int64]bool, len(copies))
	for _, id := range copies {
		isCopy[id] = true
	}
	counted := slices.DeleteFunc(slices.Clone(rows.field), func(p countedPlace) bool { return isCopy[p.ID] })
	_, err := tx.Exec(q.AddClusters, store.Args{"clusters": store.JSONArray(clusterRows(counted))})
	return err
}

// clusterKey identifies a row of maps_cluster.
type clusterKey struct {
	level    int
	cell     int64
	category string
	region   int64
}

// clusterSum is the content of a row of maps_cluster.
type clusterSum struct {
	places              int
	latitude, longitude float64
}

// clusterRows returns the sums of places by area, category and region.
func clusterRows(places []countedPlace) (rows [][]any) {
	sums := make(map[clusterKey]clusterSum)
	for _, p := range places {
		for level := range clusterLevels {
			cell := cellOf(geo.Point{Latitude: p.Latitude, Longitude: p.Longitude}, levelDegrees(level))
			key := clusterKey{level, cell, p.Category, regionOf(p.ID)}
			sum := sums[key]
			sums[key] = clusterSum{sum.places + 1, sum.latitude + p.Latitude, sum.longitude + p.Longitude}
		}
	}
	for key, sum := range sums {
		rows = append(rows, []any{key.level, key.cell, key.category, key.region, sum.places, sum.latitude, sum.longitude})
	}
	return rows
}

// retiredRegion is a region whose rows Sweep deletes.
type retiredRegion struct {
	ID           int64 `db:"id"`
	MarksMovedTo int64 `db:"marks_moved_to"` // the last place whose mark has been moved
}

// moveMarks moves the marks of a batch of counted places to copies in the remaining
// regions, and reports whether there was a batch. Sweep calls it before it deletes a
// place, so that the numbers of the remaining regions are soon complete.
func (s *Service) moveMarks(tx *store.Tx, region retiredRegion) (moved bool, err error) {
	q := &s.q.sweep
	var batch struct {
		Last int64 `db:"last"`
		More bool  `db:"more"`
	}
	err = tx.Get(&batch, q.PlacesToUnmark, store.Args{"region": region.ID, "after": region.MarksMovedTo, "limit": sweepMarks})
	if err != nil || batch.Last == 0 {
		return false, err
	}
	var copies []countedPlace
	err = tx.Select(&copies, q.CopiesToCount, store.Args{"region": region.ID, "after": region.MarksMovedTo, "last": batch.Last})
	if err != nil {
		return false, err
	}
	if len(copies) > 0 {
		ids := make([]int64, len(copies))
		for n, p := range copies {
			ids[n] = p.ID
		}
		if _, err := tx.Exec(s.q.importing.SetCounted, store.Args{"counted": true, "ids": store.JSONArray(ids)}); err != nil {
			return false, err
		}
		if _, err := tx.Exec(s.q.importing.AddClusters, store.Args{"clusters": store.JSONArray(clusterRows(copies))}); err != nil {
			return false, err
		}
	}
	if !batch.More {
		tx.Touch(svc.MapsUpdated, store.Everyone)
	}
	_, err = tx.Exec(q.SetMarksMoved, store.Args{"region": region.ID, "last": batch.Last})
	return true, err
}
