package maps

import (
	"appliance/store"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
)

// reverseRadii are the radii in meters within which Reverse searches for a place,
// one after the other.
var reverseRadii = []float64{40, 160, 700}

// Limits of Reverse.
const (
	settlementRadius = 20_000 // meters
	maxPositions     = 2000   // in a radius
	maxNearest       = 24     // places whose kind is examined
	roundingError    = 3      // meters by which the index of positions may be wrong
)

// Reverse returns the nearest place with a name or an address, or nil if there is
// none within a distance that suits its kind: 250 m for a café, 12 km for a town.
func (s *Service) Reverse(tx *store.Tx, p geo.Point, language string) (*Place, error) {
	if err := CheckPoint("", p); err != nil {
		return nil, err
	}
	for _, radius := range reverseRadii {
		var found []position
		for _, box := range geo.Around(p, radius+roundingError).Split() {
			var part []position
			err := tx.Select(&part, s.q.position.InBox, store.Args{
				"south": box.South, "north": box.North, "west": box.West, "east": box.East, "limit": maxPositions,
			})
			if err != nil {
				return nil, err
			}
			found = append(found, part...)
		}
		if place, err := s.nearestInReach(tx, found, p, radius, language); err != nil || place != nil {
			return place, err
		}
	}
	var found []position
	box := geo.Around(p, settlementRadius)
	if err := tx.Select(&found, s.q.position.Settlements, store.Args{"ranges": store.JSONArray(cellRanges(box, cellDegrees))}); err != nil {
		return nil, err
	}
	return s.nearestInReach(tx, found, p, settlementRadius, language)
}

// nearestInReach returns the nearest of the places that is within the radius and the
// reach of its kind, or nil.
func (s *Service) nearestInReach(tx *store.Tx, found []position, p geo.Point, radius float64, language string) (*Place, error) {
	if len(found) == 0 {
		return nil, nil
	}
	found = nearest(found, p, radius+roundingError)
	list, err := s.load(tx, idsOf(found[:min(len(found), maxNearest)]), language)
	if err != nil {
		return nil, err
	}
	setDistances(list, &p)
	var best *Place
	for i := range list {
		place := &list[i]
		if place.Distance <= min(radius, reverseReach(place.Kind)) && (best == nil || place.Distance < best.Distance) {
			best = place
		}
	}
	return best, nil
}

// reverseReaches are the distances in meters up to which a settlement describes a
// position.
var reverseReaches = map[string]float64{
	"place=city": settlementRadius, "place=municipality": 12_000, "place=town": 12_000, "place=borough": 6000, "place=suburb": 4000, "place=village": 8000,
	"place=quarter": 2500, "place=neighbourhood": 2500, "place=hamlet": 5000, "place=isolated_dwelling": 2000, "place=farm": 2000,
	"place=locality": 2000, "place=island": 5000, "place=islet": 1000,
}

// reverseReach returns the distance in meters up to which a place describes a
// position.
func reverseReach(placeKind string) float64 {
	if reach := reverseReaches[placeKind]; reach > 0 {
		return reach
	}
	switch {
	case placeKind == kind.Street:
		return 500
	case placeKind == kind.Address:
		return 150
	case kind.Category(placeKind) == "parks":
		return 500
	}
	return 250
}
