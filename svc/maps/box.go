package maps

import (
	"cmp"
	"math"
	"slices"

	"appliance/store"
	"appliance/svc/maps/geo"
)

// maxClusters limits the areas whose numbers InBox returns.
const maxClusters = 400

// Cluster is the number of places in an area.
type Cluster struct {
	Count  int
	Center geo.Point // mean position of the places
	Area   geo.Box
}

// InBox returns the places of the categories in a box, ordered by importance, or,
// if there are more than limit, the numbers of places by area. It counts all places
// of an area that the box touches. No categories means all categories of the field.
func (s *Service) InBox(tx *store.Tx, box geo.Box, categories []string, limit int, language string) ([]Place, []Cluster, error) {
	for _, err := range []error{CheckBox(box), checkLimit(limit)} {
		if err != nil {
			return nil, nil, err
		}
	}
	clusters, err := s.clusters(tx, box, categories)
	if err != nil {
		return nil, nil, err
	}
	total := 0
	for _, c := range clusters {
		total += c.Count
	}
	// An area may be much larger than the box, which may contain few of its places.
	if total > limit && cellCount(box, cellDegrees) > maxClusters {
		return nil, clusters, nil
	}
	found, err := s.fieldPositions(tx, box, categories)
	if err != nil {
		return nil, nil, err
	}
	if len(found) > limit {
		return nil, clusters, nil
	}
	slices.SortFunc(found, func(a, b position) int { return cmp.Compare(a.ID, b.ID) })
	list, err := s.load(tx, idsOf(found), language)
	return list, nil, err
}

// clusters returns the numbers of places in the areas that a box touches, at the
// lowest level with at most maxClusters areas.
func (s *Service) clusters(tx *store.Tx, box geo.Box, categories []string) (list []Cluster, err error) {
	level := 0
	for level < clusterLevels-1 && cellCount(box, levelDegrees(level)) > maxClusters {
		level++
	}
	degrees := levelDegrees(level)
	var rows []struct {
		Cell      int64   `db:"cell"`
		Count     int     `db:"place_count"`
		Latitude  float64 `db:"latitude_sum"`
		Longitude float64 `db:"longitude_sum"`
	}
	err = tx.Select(&rows, s.q.position.Clusters, store.Args{
		"ranges": store.JSONArray(cellRanges(box, degrees)), "level": level, "categories": store.JSONArray(categoriesOrAll(categories)),
	})
	for _, r := range rows {
		south, west := float64(r.Cell>>16)*degrees-90, float64(r.Cell&0xffff)*degrees-180
		n := float64(r.Count)
		list = append(list, Cluster{
			Count:  r.Count,
			Center: geo.Point{Latitude: r.Latitude / n, Longitude: r.Longitude / n},
			Area:   geo.Box{South: south, West: west, North: math.Min(south+degrees, 90), East: math.Min(west+degrees, 180)},
		})
	}
	return list, err
}
