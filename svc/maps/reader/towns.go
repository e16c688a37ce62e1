package reader

import (
	"math"
	"slices"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/reader/pbf"
)

// Limits of the memory for settlements and boundaries.
const (
	maxTowns          = 500_000
	maxBoundaryPoints = 8_000_000 // with 16 bytes each, including the index
)

// towns determines in which town a position is: by the boundaries of municipalities,
// otherwise by the nearest settlement.
type towns struct {
	settlements map[cell][]settlement
	count       int
	names       map[string]bool
	boundaries  []boundary
	byCell      map[cell][]int32 // indexes of boundaries
	large       []int32          // indexes of boundaries with many cells
	points      int              // in boundaries
}

// settlement is a node with a name and a place tag.
type settlement struct {
	name     string
	point    geo.Point
	reach    float64 // meters from the center to the outskirts
	isHamlet bool
}

// boundary is an administrative area.
type boundary struct {
	name    string
	country string // ISO code, if the area states it
	level   int
	area    *polygon
}

// cell is an area of a tenth of a degree.
type cell struct{ lat, lon int32 }

const (
	cellSize   = 1e6      // in 1e-7 degrees
	cellHeight = 11_100.0 // in meters, rounded down
)

func cellOf(p pbf.Point) cell {
	return cell{int32(math.Floor(float64(p.Latitude) / cellSize)), int32(math.Floor(float64(p.Longitude) / cellSize))}
}

// maxCells is the number of cells beyond which a boundary is large.
const maxCells = 400

func newTowns() *towns {
	return &towns{settlements: make(map[cell][]settlement), names: make(map[string]bool), byCell: make(map[cell][]int32)}
}

// hamlet is the kind of a settlement that is the town of a place only where there is
// no larger one.
const hamlet = "hamlet"

const maxReach = 15_000

// reaches are the distances in meters up to which a settlement can be the town of a
// place outside of all municipalities.
var reaches = map[string]float64{"city": maxReach, "town": 7_000, "village": 3_000, hamlet: 1_500}

// addSettlement adds a node with a place tag.
func (t *towns) addSettlement(name, place string, p pbf.Point) {
	reach := reaches[place]
	if reach == 0 || name == "" || t.count == maxTowns {
		return
	}
	t.count++
	name = strings.Clone(name)
	t.names[name] = true
	c := cellOf(p)
	t.settlements[c] = append(t.settlements[c], settlement{name, geoPoint(p), reach, place == hamlet})
}

// hasSettlement reports whether there is a node for the settlement with a name.
func (t *towns) hasSettlement(name string) bool { return t.names[name] }

// maxLevel is the largest admin_level.
const maxLevel = 11

// townLevels are the values of admin_level of municipalities, the most frequent
// first. The last are used only where there is no settlement near.
var townLevels, otherTownLevels = []int{8, 7}, []int{9, 10, 6}

// countryLevels are the values of admin_level of areas that state their country.
var countryLevels = []int{2, 4, 3, 5, 6}

// addBoundary adds the boundary of a country or a municipality.
func (t *towns) addBoundary(name, country string, level int, rings [][]pbf.Point) {
	known := country != "" || slices.Contains(townLevels, level) || slices.Contains(otherTownLevels, level)
	for _, r := range rings {
		t.points += len(r)
	}
	if !known || len(rings) == 0 || t.points > maxBoundaryPoints {
		return
	}
	b := boundary{strings.Clone(name), strings.Clone(country), level, newPolygon(rings)}
	index := int32(len(t.boundaries))
	t.boundaries = append(t.boundaries, b)
	first := cellOf(pbf.Point{Latitude: b.area.south, Longitude: b.area.west})
	last := cellOf(pbf.Point{Latitude: b.area.north, Longitude: b.area.east})
	if (int(last.lat-first.lat)+1)*(int(last.lon-first.lon)+1) > maxCells {
		t.large = append(t.large, index)
		return
	}
	for lat := first.lat; lat <= last.lat; lat++ {
		for lon := first.lon; lon <= last.lon; lon++ {
			t.byCell[cell{lat, lon}] = append(t.byCell[cell{lat, lon}], index)
		}
	}
}

// find returns the town and the country of a position. They are empty if they
// are unknown.
func (t *towns) find(p pbf.Point) (town, country string) {
	var byLevel [maxLevel + 1]*boundary
	for _, list := range [][]int32{t.byCell[cellOf(p)], t.large} {
		for _, i := range list {
			if b := &t.boundaries[i]; byLevel[b.level] == nil && b.area.contains(p) {
				byLevel[b.level] = b
			}
		}
	}
	for _, level := range countryLevels {
		if b := byLevel[level]; b != nil && country == "" {
			country = b.country
		}
	}
	for _, level := range townLevels {
		if b := byLevel[level]; b != nil && b.name != "" {
			return b.name, country
		}
	}
	if town = t.nearest(p); town != "" {
		return town, country
	}
	for _, level := range otherTownLevels {
		if b := byLevel[level]; b != nil && b.name != "" {
			return b.name, country
		}
	}
	return "", country
}

// nearest returns the settlement whose reach contains p and to whose center p is
// nearest in proportion to the reach. A hamlet is farther than all others.
func (t *towns) nearest(p pbf.Point) (name string) {
	center, point, best := cellOf(p), geoPoint(p), 2.0
	// Cells become narrower towards the poles.
	height := int32(math.Ceil(maxReach / cellHeight))
	width := int32(math.Ceil(maxReach / cellHeight / max(0.1, math.Cos(point.Latitude*math.Pi/180))))
	for lat := center.lat - height; lat <= center.lat+height; lat++ {
		for lon := center.lon - width; lon <= center.lon+width; lon++ {
			for _, s := range t.settlements[cell{lat, lon}] {
				d := geo.Distance(point, s.point) / s.reach
				if d >= 1 {
					continue
				}
				if s.isHamlet {
					d++
				}
				if d < best {
					best, name = d, s.name
				}
			}
		}
	}
	return name
}
