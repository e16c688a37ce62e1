package maps

import (
	"cmp"
	"slices"

	"appliance/store"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
)

// positionQueries read places by position.
type positionQueries struct {
	InCells       store.Query `sql:"positions-in-cells"`
	WithoutCopies store.Query `sql:"without-copies"`
	Settlements   store.Query `sql:"settlements-in-cells"`
	InBox         store.Query `sql:"positions-in-box"`
	Clusters      store.Query `sql:"clusters"`
}

// position is the position of a place.
type position struct {
	ID        int64   `db:"id"`
	Latitude  float64 `db:"latitude"`
	Longitude float64 `db:"longitude"`

	distance float64
}

func (p position) point() geo.Point { return geo.Point{Latitude: p.Latitude, Longitude: p.Longitude} }

// NearbyQuery selects the places of the field within a radius.
type NearbyQuery struct {
	Origin     geo.Point
	Radius     float64  // meters, up to MaxRadius
	Categories []string // of the field; all if empty
	Limit      int      // 1 to MaxPlaces
	Language   string   // of names, such as "de-CH"
}

// Nearby returns the nearest places of the categories within the radius, the nearest
// first, and the number of all places within the radius.
func (s *Service) Nearby(tx *store.Tx, q NearbyQuery) (list []Place, total int, err error) {
	for _, err := range []error{CheckPoint("origin.", q.Origin), checkRadius(q.Radius), checkLimit(q.Limit)} {
		if err != nil {
			return nil, 0, err
		}
	}
	found, err := s.fieldPositions(tx, geo.Around(q.Origin, q.Radius), q.Categories)
	if err != nil {
		return nil, 0, err
	}
	found = nearest(found, q.Origin, q.Radius)
	list, err = s.load(tx, idsOf(found[:min(len(found), q.Limit)]), q.Language)
	if err != nil {
		return nil, 0, err
	}
	setDistances(list, &q.Origin)
	slices.SortFunc(list, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.PlaceID, b.PlaceID))
	})
	return list, len(found), nil
}

// fieldPositions returns the positions of the places of the field in a box, each place
// once.
func (s *Service) fieldPositions(tx *store.Tx, box geo.Box, categories []string) (all []position, err error) {
	for _, part := range box.Split() {
		var found []position
		err := tx.Select(&found, s.q.position.InCells, store.Args{
			"ranges": store.JSONArray(cellRanges(part, cellDegrees)), "categories": store.JSONArray(categoriesOrAll(categories)),
			"south": part.South, "north": part.North, "west": part.West, "east": part.East,
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return s.withoutRepeated(tx, all)
}

// withoutRepeated removes the copies of places that several regions contain. It keeps the one
// that [Service.Place] returns.
func (s *Service) withoutRepeated(tx *store.Tx, found []position) ([]position, error) {
	if !slices.ContainsFunc(found, func(p position) bool { return regionOf(p.ID) != regionOf(found[0].ID) }) {
		return found, nil
	}
	var ids []int64
	if err := tx.Select(&ids, s.q.position.WithoutCopies, store.Args{"ids": store.JSONArray(idsOf(found))}); err != nil {
		return nil, err
	}
	kept := make(map[int64]bool, len(ids))
	for _, id := range ids {
		kept[id] = true
	}
	return slices.DeleteFunc(found, func(p position) bool { return !kept[p.ID] }), nil
}

func categoriesOrAll(categories []string) []string {
	if len(categories) == 0 {
		return kind.Categories
	}
	return categories
}

// nearest returns the positions within a radius, the nearest first. Ids order those
// at the same distance.
func nearest(found []position, origin geo.Point, radius float64) []position {
	kept := found[:0]
	for _, p := range found {
		if p.distance = geo.Distance(origin, p.point()); p.distance <= radius {
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b position) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.ID, b.ID)) })
	return kept
}

func idsOf(list []position) []int64 {
	all := make([]int64, len(list))
	for i, p := range list {
		all[i] = p.ID
	}
	return all
}

// setDistances sets the distances from an origin, which may be nil.
func setDistances(list []Place, origin *geo.Point) {
	for i := range list {
		if origin != nil {
			list[i].Distance = geo.Distance(*origin, list[i].Point)
		}
	}
}
