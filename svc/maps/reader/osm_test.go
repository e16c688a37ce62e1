package reader

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/reader/pbf"
	"appliance/svc/maps/reader/pbftest"
)

// island returns a file with an island from 0.1 to 0.9 degrees in both directions. Its
// western half is the municipality of Westham; the rest has none. A raw file has no
// compression, so that changes of its bytes are changes of its content.
func island(raw bool) *pbftest.File {
	f := pbftest.New([]float64{0, 0, 1, 1})
	f.Raw = raw
	for i, p := range [][2]float64{{0.1, 0.1}, {0.1, 0.5}, {0.1, 0.9}, {0.9, 0.9}, {0.9, 0.5}, {0.9, 0.1}} { // 1 to 6
		f.Node(int64(1+i), p[0], p[1])
	}
	f.Node(10, 0.5, 0.3, "place", "city", "name", "Westham", "population", "300000", "name:de", "Westheim", "alt_name", "Old Westham", "wikidata", "Q1")
	f.Node(11, 0.5, 0.7, "place", "village", "name", "Easton", "capital", "2")
	f.Node(12, 0.51, 0.31, "amenity", "cafe", "name", "Central", "opening_hours", "Mo-Fr 08:00-18:00", "contact:website", "https://central.example", "addr:street", "High Street", "addr:housenumber", "3")
	f.Node(13, 0.51, 0.71, "amenity", "pharmacy")
	f.Node(14, 0.5, 0.31, "addr:housenumber", "12", "addr:street", "High Street", "addr:postcode", "1234", "addr:city", "Westham Old Town")
	f.Node(15, 0.52, 0.31, "addr:housenumber", "20")
	f.Node(16, 0.53, 0.31, "addr:housenumber", "30")
	f.Node(17, 0.54, 0.31, "addr:housenumber", "40")
	f.Node(18, 0.51, 0.31, "amenity", "bench")
	for i, p := range [][2]float64{{0.50, 0.30}, {0.50, 0.31}, {0.50, 0.33}, {0.50, 0.70}, {0.50, 0.71}, {0.20, 0.20}, {0.20, 0.24}, {0.24, 0.24}, {0.24, 0.20}, {0.21, 0.21}, {0.21, 0.23}, {0.23, 0.23}, {0.23, 0.21}} { // 20 to 32
		f.Node(int64(20+i), p[0], p[1])
	}
	f.Way(100, []int64{1, 2}, "natural", "coastline")
	f.Way(101, []int64{2, 3, 4, 5}, "natural", "coastline")
	f.Way(102, []int64{2, 5})
	f.Way(103, []int64{5, 6, 1}, "natural", "coastline")
	f.Way(110, []int64{20, 21}, "highway", "residential", "name", "High Street")
	f.Way(111, []int64{21, 22}, "highway", "residential", "name", "High Street", "name:fr", "Rue Haute")
	f.Way(112, []int64{23, 24}, "highway", "primary", "name", "High Street")
	f.Way(113, []int64{20, 99, 24}, "highway", "footway")
	f.Way(114, []int64{14, 15}, "addr:interpolation", "even", "addr:street", "High Street")
	f.Way(120, []int64{25, 26, 27, 28, 25}, "leisure", "park", "name", "West Park")
	f.Way(121, []int64{29, 30, 31, 32, 29})
	f.Way(122, []int64{29, 30, 31, 32, 29}, "building", "yes", "addr:housenumber", "7", "addr:street", "Park Lane")
	f.Way(123, []int64{25, 26, 27, 28}, "building", "yes")
	f.Relation(200, []int64{100, 101, 103}, "type", "boundary", "boundary", "administrative", "admin_level", "2", "name", "Island", "ISO3166-1", "IL")
	f.Relation(201, []int64{101, 100}, "type", "boundary", "boundary", "administrative", "admin_level", "4", "name", "incomplete")
	f.Relation(202, []int64{120, 121}, "type", "multipolygon", "natural", "water", "name", "Ring Lake")
	f.Relation(203, []int64{-16, -17}, "type", "associatedStreet", "name", "Low Road")
	f.Relation(204, []int64{100, 102, 103}, "type", "boundary", "boundary", "administrative", "admin_level", "8", "name", "Westham", "place", "city")
	f.Relation(205, []int64{102, 103}, "type", "boundary", "boundary", "administrative", "admin_level", "4")
	return f
}

// Places have the kind, the names, the address, the tags and the town that the file
// states.
func TestPlacesOfOSM(t *testing.T) {
	c := mustRead(t, OSM, island(false).Bytes())
	c.check(t)
	if a := c.header.Attribution; !a.Required || a.URL != "https://www.openstreetmap.org/copyright" {
		t.Errorf("got the attribution %+v, want the required one", a)
	}
	if want := (geo.Box{North: 1, East: 1}); c.header.Bounds != want || c.header.DataTime.IsZero() {
		t.Errorf("got the header %+v, want the bounds %v and the time of the data", c.header, want)
	}
	westham := c.place(t, "node/10")
	if westham.Name != "Westham" || westham.Kind != "place=city" || westham.Address.City != "" || westham.Address.Country != "IL" ||
		!maps.Equal(westham.Names, map[string]string{"de": "Westheim", "alt_name": "Old Westham"}) || westham.Tags["wikidata"] != "Q1" || westham.Tags["population"] != "300000" {
		t.Errorf("got %+v, want the town with its names and tags", westham)
	}
	cafe := c.place(t, "node/12")
	if cafe.Kind != "amenity=cafe" || cafe.Category != "coffee" || cafe.Provider != "osm" ||
		!maps.Equal(cafe.Tags, map[string]string{"opening_hours": "Mo-Fr 08:00-18:00", "website": "https://central.example"}) {
		t.Errorf("got %+v, want the café with its tags", cafe)
	}
	for id, want := range map[string]mapdata.Address{
		"node/12": {HouseNumber: "3", Street: "High Street", City: "Westham", Country: "IL"},
		"node/13": {City: "Easton", Country: "IL"},
		"node/14": {HouseNumber: "12", Street: "High Street", Postcode: "1234", City: "Westham Old Town", Country: "IL"},
		"node/15": {HouseNumber: "20", Street: "High Street", City: "Westham", Country: "IL"}, // the street of the interpolation
		"node/16": {HouseNumber: "30", Street: "Low Road", City: "Westham", Country: "IL"},    // the street of the relation
		"way/122": {HouseNumber: "7", Street: "Park Lane", City: "Westham", Country: "IL"},
	} {
		if got := c.place(t, id).Address; got != want {
			t.Errorf("%s: got the address %+v, want %+v", id, got, want)
		}
	}
	for _, p := range c.places {
		if p.ProviderID == "node/18" || p.ProviderID == "way/123" {
			t.Errorf("got the place %+v, want none", p)
		}
	}
	lake := c.place(t, "relation/202")
	if lake.Name != "Ring Lake" || lake.Point.Latitude > 0.21 && lake.Point.Latitude < 0.23 && lake.Point.Longitude > 0.21 && lake.Point.Longitude < 0.23 {
		t.Errorf("got %+v, want a position outside of the hole", lake)
	}
}

// The ways of a street are one place per town, with the id of the oldest way.
func TestWaysOfAStreetAreMerged(t *testing.T) {
	c := mustRead(t, OSM, island(false).Bytes())
	var streets []mapdata.Place
	for _, p := range c.places {
		if p.Kind == "street" {
			streets = append(streets, p)
		}
	}
	if len(streets) != 2 || streets[0].ProviderID != "way/110" || streets[1].ProviderID != "way/112" {
		t.Fatalf("got %+v, want one street in each town", streets)
	}
	west, east := streets[0], streets[1]
	if west.Address.City != "Westham" || west.Point != (geo.Point{Latitude: 0.5, Longitude: 0.32}) || east.Address.City != "Easton" {
		t.Errorf("got %+v and %+v, want the towns, and the middle of the longest way", west, east)
	}
}

// Features have their classes; labels have their ranks. The elements that the file
// lacks are left out.
func TestFeaturesOfOSM(t *testing.T) {
	c := mustRead(t, OSM, island(false).Bytes())
	for class, want := range map[mapdata.Class][]string{
		mapdata.Street: {"High Street", "High Street"}, mapdata.Primary: {"High Street"}, mapdata.Path: {""}, mapdata.Park: {"West Park"},
		mapdata.Building: {""}, mapdata.PlaceLabel: {"Easton", "Westham"}, mapdata.Border: {""},
	} {
		if got := c.names(class); !slices.Equal(got, want) {
			t.Errorf("class %d: got %q, want %q", class, got, want)
		}
	}
	for _, f := range c.features {
		if want := map[string]int{"Westham": 2, "Easton": 0}[f.Name]; f.Class == mapdata.PlaceLabel && f.Rank != want {
			t.Errorf("%s: got rank %d, want %d", f.Name, f.Rank, want)
		}
		if f.Class == mapdata.Path && len(f.Parts[0]) != 2 {
			t.Errorf("got the path %v, want it without the missing node", f.Parts)
		}
		if f.Name == "Ring Lake" && (len(f.Parts) != 2 || f.Class != mapdata.Water) {
			t.Errorf("got %+v, want a lake with a hole", f)
		}
	}
}

// inside reports whether a point is in one of the areas of a class.
func (c *collector) inside(class mapdata.Class, p geo.Point) bool {
	for _, f := range c.features {
		if f.Class != class || f.Name != "" {
			continue
		}
		rings := make([][]pbf.Point, len(f.Parts))
		for i, part := range f.Parts {
			for _, q := range part {
				rings[i] = append(rings[i], toPBF(q))
			}
		}
		if newPolygon(rings).contains(toPBF(p)) {
			return true
		}
	}
	return false
}

// The coastline divides the bounds of a file into land and water, also if it ends at
// the bounds or short of them, and if it surrounds an inland sea.
func TestCoastlineSeparatesLandAndWater(t *testing.T) {
	north, south := geo.Point{Latitude: 0.9, Longitude: 0.45}, geo.Point{Latitude: 0.1, Longitude: 0.55}
	center, corner := geo.Point{Latitude: 0.5, Longitude: 0.45}, geo.Point{Latitude: 0.02, Longitude: 0.03}
	ring := [][2]float64{{0.3, 0.3}, {0.3, 0.7}, {0.7, 0.7}, {0.7, 0.3}, {0.3, 0.3}} // counterclockwise
	reversed := slices.Clone(ring)
	slices.Reverse(reversed)
	for _, c := range []struct {
		name        string
		lines       [][][2]float64
		land, water []geo.Point
	}{
		{"an island", [][][2]float64{ring}, []geo.Point{center}, []geo.Point{north, south, corner}},
		{"an island in two ways", [][][2]float64{ring[:3], ring[2:]}, []geo.Point{center}, []geo.Point{north, south, corner}},
		{"an inland sea", [][][2]float64{reversed}, []geo.Point{north, south, corner}, []geo.Point{center}},
		{"land in the north", [][][2]float64{{{0.6, 0}, {0.6, 1}}}, []geo.Point{north}, []geo.Point{center, south, corner}},
		{"land in the south", [][][2]float64{{{0.6, 1}, {0.6, 0}}}, []geo.Point{center, south, corner}, []geo.Point{north}},
		{"ends inside of the bounds", [][][2]float64{{{0.61, 0.02}, {0.6, 0.5}, {0.61, 0.98}}}, []geo.Point{north}, []geo.Point{center, south, corner}},
		{"an isthmus", [][][2]float64{{{0.4, 1}, {0.4, 0}}, {{0.8, 0}, {0.8, 1}}}, []geo.Point{north, south, corner}, []geo.Point{center}},
		{"a strait", [][][2]float64{{{0.4, 0}, {0.4, 1}}, {{0.8, 1}, {0.8, 0}}}, []geo.Point{center}, []geo.Point{north, south, corner}},
		{"an island before a coast", [][][2]float64{ring, {{0.8, 0}, {0.8, 1}}}, []geo.Point{north, center}, []geo.Point{south, corner}},
	} {
		f := pbftest.New([]float64{0, 0, 1, 1})
		id := int64(0)
		nodes := make(map[[2]float64]int64)
		for _, line := range c.lines {
			for _, p := range line {
				if nodes[p] == 0 {
					id++
					nodes[p] = id
					f.Node(id, p[0], p[1])
				}
			}
		}
		addCover(f, id, 0, 1)
		for i, line := range c.lines {
			var refs []int64
			for _, p := range line {
				refs = append(refs, nodes[p])
			}
			f.Way(int64(i+1), refs, "natural", "coastline")
		}
		got := mustRead(t, OSM, f.Bytes())
		got.check(t)
		for _, p := range c.land {
			if !got.inside(mapdata.Land, p) || got.inside(mapdata.Water, p) {
				t.Errorf("%s: got water at %v, want land", c.name, p)
			}
		}
		for _, p := range c.water {
			if got.inside(mapdata.Land, p) || !got.inside(mapdata.Water, p) {
				t.Errorf("%s: got land at %v, want water", c.name, p)
			}
		}
	}
}

// addCover adds nodes after an id in each cell of a square degree between two longitudes.
func addCover(f *pbftest.File, id int64, west, east float64) {
	for lat := 0.01; lat < 1; lat += 0.03 {
		for lon := west + 0.01; lon < east; lon += 0.03 {
			id++
			f.Node(id, lat, lon)
		}
	}
}

// Within the bounds of a file, the area without its nodes, such as the land of a neighboring
// country, has neither land nor water: the map of the world is drawn there.
func TestAreaOutsideOfTheFileIsLeftOut(t *testing.T) {
	f := pbftest.New([]float64{0, 0, 1, 3}) // two neighbors: the coast ends at the border between them
	f.Node(1, 0.5, 0)
	f.Node(2, 0.5, 1.5)
	f.Node(3, 0.5, 1.6)
	addCover(f, 3, 0, 1.6)
	f.Way(1, []int64{1, 2, 3}, "natural", "coastline")
	c := mustRead(t, OSM, f.Bytes())
	c.check(t)
	for _, want := range []struct {
		point       geo.Point
		land, water bool
	}{
		{geo.Point{Latitude: 0.8, Longitude: 0.7}, true, false},
		{geo.Point{Latitude: 0.2, Longitude: 0.7}, false, true},
		{geo.Point{Latitude: 0.8, Longitude: 2.2}, false, false},
		{geo.Point{Latitude: 0.2, Longitude: 2.2}, false, false},
	} {
		if land, water := c.inside(mapdata.Land, want.point), c.inside(mapdata.Water, want.point); land != want.land || water != want.water {
			t.Errorf("%v: got land %v and water %v, want %v and %v", want.point, land, water, want.land, want.water)
		}
	}
}

// Files whose nodes are not sorted are rejected with the command that sorts
// them.
func TestUnsortedFilesAreRejected(t *testing.T) {
	for _, ids := range [][]int64{{2, 1}, {1, 1}} {
		f := pbftest.New(nil)
		for _, id := range ids {
			f.Node(id, 1, 1)
		}
		if _, err := read(t.Context(), t, OSM, f.Bytes()); err == nil || !strings.Contains(err.Error(), "osmium sort") {
			t.Errorf("nodes %v: got %v, want advice to sort the file", ids, err)
		}
	}
}

// Relations that contain each other, themselves or nothing, and areas that are not
// closed, are left out; the rest of the file is read.
func TestBrokenRelationsAreIgnored(t *testing.T) {
	f := pbftest.New(nil)
	f.Node(1, 0, 0)
	f.Node(2, 1, 1)
	f.Node(3, 1, 1, "tourism", "museum", "name", "Museum")
	f.Way(5, []int64{1, 2})
	f.Way(6, []int64{1, 1, 1, 1}, "landuse", "forest")
	f.Way(7, []int64{1}, "landuse", "forest")
	f.Relation(10, []int64{5, 5, 77}, "type", "multipolygon", "natural", "water")
	f.Relation(11, []int64{11, 12}, "type", "boundary", "boundary", "administrative", "admin_level", "8", "name", "Nowhere")
	f.Relation(12, nil, "type", "multipolygon", "landuse", "forest")
	c := mustRead(t, OSM, f.Bytes())
	c.check(t)
	if len(c.places) != 1 || c.places[0].Address.City != "" {
		t.Errorf("got %+v, want the museum only, without a town", c.places)
	}
}

// A file with a few changed bytes results in valid places and features or in an error.
func TestChangedFilesAreReadOrRejected(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	original := island(true).Bytes()
	accepted := 0
	for range 4000 {
		data := slices.Clone(original)
		for range 1 + random.IntN(3) {
			data[random.IntN(len(data))] ^= 1 << random.IntN(8)
		}
		if c, err := read(t.Context(), t, OSM, data); err == nil {
			accepted++
			c.check(t)
		}
	}
	if accepted < 100 {
		t.Errorf("got %d accepted files, want at least 100, so that their content is checked", accepted)
	}
}

// Any file results in valid places and features or in an error.
func FuzzOSM(f *testing.F) {
	f.Add(island(false).Bytes())
	f.Add(island(true).Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, err := read(t.Context(), t, OSM, data); err == nil {
			c.check(t)
		}
	})
}
