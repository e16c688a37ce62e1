package reader

import (
	"testing"

	"appliance/svc/maps/reader/pbf"
)

// at returns the position at degrees.
func at(lat, lon float64) pbf.Point {
	return pbf.Point{Latitude: int32(lat * 1e7), Longitude: int32(lon * 1e7)}
}

// north and east return the position at a distance from 10.01° N, 20.09° E, in kilometers.
func north(km float64) pbf.Point { return at(10.01+km/111.195, 20.09) }
func east(km float64) pbf.Point  { return at(10.01, 20.09+km/109.502) }

// square returns the ring around the degrees from south-west to north-east.
func square(south, west, north, east float64) [][]pbf.Point {
	return [][]pbf.Point{{at(south, west), at(south, east), at(north, east), at(north, west), at(south, west)}}
}

// The town of a position is its municipality, otherwise the settlement that is nearest in
// proportion to its reach, otherwise another area.
func TestTownOfAPosition(t *testing.T) {
	around := square(9.9, 19.9, 10.1, 20.1)
	for _, c := range []struct {
		about         string
		add           func(t *towns)
		at            pbf.Point
		town, country string
	}{
		{"nothing", func(*towns) {}, north(0), "", ""},
		{"municipality with a settlement", func(t *towns) {
			t.addSettlement("Center", "city", north(0))
			t.addBoundary("Township", "", 8, around)
		}, north(0), "Township", ""},
		{"two levels of municipalities", func(t *towns) {
			t.addBoundary("County", "", 7, around)
			t.addBoundary("Township", "", 8, around)
		}, north(0), "Township", ""},
		{"municipality without a name", func(t *towns) {
			t.addBoundary("", "", 8, around)
			t.addBoundary("County", "", 7, around)
		}, north(0), "County", ""},
		{"overlapping municipalities", func(t *towns) {
			t.addBoundary("First", "", 8, around)
			t.addBoundary("Second", "", 8, around)
		}, north(0), "First", ""},
		{"outside of the municipality", func(t *towns) { t.addBoundary("Township", "", 8, square(10.02, 20, 10.1, 20.1)) }, north(0), "", ""},
		{"district with a settlement", func(t *towns) {
			t.addBoundary("District", "", 9, around)
			t.addSettlement("Village", "village", north(2))
		}, north(0), "Village", ""},
		{"other areas", func(t *towns) {
			t.addBoundary("Region", "", 6, around)
			t.addBoundary("Quarter", "", 10, around)
			t.addBoundary("District", "", 9, around)
		}, north(0), "District", ""},
		{"district without a name", func(t *towns) {
			t.addBoundary("", "", 9, around)
			t.addBoundary("Region", "", 6, around)
			t.addBoundary("Quarter", "", 10, around)
		}, north(0), "Quarter", ""},
		{"area of another level", func(t *towns) { t.addBoundary("Parish", "", 11, around) }, north(0), "", ""},

		{"within the reach", func(t *towns) { t.addSettlement("Village", "village", north(2.9)) }, north(0), "Village", ""},
		{"beyond the reach", func(t *towns) { t.addSettlement("Village", "village", north(3.1)) }, north(0), "", ""},
		{"city to the north", func(t *towns) { t.addSettlement("City", "city", north(12.6)) }, north(-2.2), "City", ""},
		{"city to the south", func(t *towns) { t.addSettlement("City", "city", north(-14.9)) }, north(0), "City", ""},
		{"city to the east", func(t *towns) { t.addSettlement("City", "city", east(14.9)) }, north(0), "City", ""},
		{"city to the west", func(t *towns) { t.addSettlement("City", "city", east(-14.9)) }, north(0), "City", ""},
		{"city near the pole", func(t *towns) { t.addSettlement("City", "city", at(80, 20.75)) }, at(80, 20), "City", ""},
		{"city with a larger reach", func(t *towns) {
			t.addSettlement("Village", "village", north(2))
			t.addSettlement("City", "city", north(-9))
		}, north(0), "City", ""},
		{"village that is nearer in proportion", func(t *towns) {
			t.addSettlement("Village", "village", north(1))
			t.addSettlement("City", "city", north(-9))
		}, north(0), "Village", ""},
		{"hamlet beside a city", func(t *towns) {
			t.addSettlement("Hamlet", "hamlet", north(0.1))
			t.addSettlement("City", "city", north(-14))
		}, north(0), "City", ""},
		{"hamlet alone", func(t *towns) { t.addSettlement("Hamlet", "hamlet", north(1.4)) }, north(0), "Hamlet", ""},
		{"settlement without a name", func(t *towns) {
			t.addSettlement("", "city", north(0))
			t.addSettlement("Village", "village", north(1))
		}, north(0), "Village", ""},
		{"suburb", func(t *towns) { t.addSettlement("Suburb", "suburb", north(0)) }, north(0), "", ""},
		{"too many settlements", func(t *towns) {
			t.count = maxTowns - 1
			t.addSettlement("Last", "village", north(1))
			t.addSettlement("One more", "village", north(0))
		}, north(0), "Last", ""},

		{"country", func(t *towns) { t.addBoundary("Utopia", "UT", 2, around) }, north(0), "", "UT"},
		{"territory of a country", func(t *towns) {
			t.addBoundary("Territory", "TE", 4, around)
			t.addBoundary("Utopia", "UT", 2, around)
		}, north(0), "", "UT"},
		{"territory alone", func(t *towns) {
			t.addBoundary("Territory", "TE", 4, around)
			t.addBoundary("Township", "", 8, around)
		}, north(0), "Township", "TE"},

		{"last cell of a boundary", func(t *towns) { t.addBoundary("Township", "", 8, square(9.95, 19.95, 10.15, 20.25)) }, at(10.14, 20.24), "Township", ""},
		{"first cell of a boundary", func(t *towns) { t.addBoundary("Township", "", 8, square(-0.15, -0.25, 0.05, 0.05)) }, at(-0.14, -0.24), "Township", ""},
		{"large boundary", func(t *towns) { t.addBoundary("Territory", "TE", 4, square(9, 19, 12, 22)) }, north(0), "", "TE"},
		{"beside a large boundary", func(t *towns) { t.addBoundary("Territory", "TE", 4, square(11, 19, 14, 22)) }, north(0), "", ""},
		{"too many points of boundaries", func(t *towns) {
			t.points = maxBoundaryPoints - len(around[0])
			t.addBoundary("Last", "", 7, around)
			t.addBoundary("One more", "", 8, around)
		}, north(0), "Last", ""},
	} {
		towns := newTowns()
		c.add(towns)
		if town, country := towns.find(c.at); town != c.town || country != c.country {
			t.Errorf("%s: got %q in %q, want %q in %q", c.about, town, country, c.town, c.country)
		}
	}
}

// A boundary that covers more than maxCells cells is not indexed by cell. A boundary of an
// unused admin_level, or without an area, is not stored.
func TestBoundariesNeedLittleMemory(t *testing.T) {
	for _, c := range []struct {
		about, country string
		level          int
		rings          [][]pbf.Point
		want           [3]int // boundaries, large ones, cells in the index
	}{
		{"small", "", 8, square(10.01, 20.01, 10.09, 20.09), [3]int{1, 0, 1}},
		{"20 by 20 cells", "", 8, square(10.01, 20.01, 11.99, 21.99), [3]int{1, 0, 400}},
		{"20 by 21 cells", "", 8, square(10.01, 20.01, 11.99, 22.01), [3]int{1, 1, 0}},
		{"other level", "", 5, square(10.01, 20.01, 10.09, 20.09), [3]int{0, 0, 0}},
		{"country of that level", "UT", 5, square(10.01, 20.01, 10.09, 20.09), [3]int{1, 0, 1}},
		{"without an area", "", 8, nil, [3]int{0, 0, 0}},
	} {
		towns := newTowns()
		towns.addBoundary("A", c.country, c.level, c.rings)
		got := [3]int{len(towns.boundaries), len(towns.large), len(towns.byCell)}
		if got != c.want {
			t.Errorf("%s: got %v boundaries, large ones and cells, want %v", c.about, got, c.want)
		}
	}
}

// The name of a settlement is known once it has been added.
func TestSettlementIsKnownByName(t *testing.T) {
	towns := newTowns()
	towns.addSettlement("Westham", "town", north(0))
	towns.addSettlement("Suburb", "suburb", north(0))
	for name, want := range map[string]bool{"Westham": true, "Suburb": false, "": false} {
		if got := towns.hasSettlement(name); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
}
