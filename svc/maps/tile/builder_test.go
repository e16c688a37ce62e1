package tile

import (
	"math"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// rectangle returns a closed ring.
func rectangle(south, west, north, east float64) []geo.Point {
	return []geo.Point{{Latitude: south, Longitude: west}, {Latitude: south, Longitude: east}, {Latitude: north, Longitude: east},
		{Latitude: north, Longitude: west}, {Latitude: south, Longitude: west}}
}

// build returns the data of the tiles of features.
func build(t testing.TB, features ...mapdata.Feature) map[ID][]byte {
	t.Helper()
	b, err := NewBuilder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, f := range features {
		if err := b.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	tiles := make(map[ID][]byte)
	err = b.Tiles(func(z, x, y int, data []byte) error {
		id := ID{z, x, y}
		if _, ok := tiles[id]; ok {
			t.Errorf("got tile %v twice", id)
		}
		tiles[id] = data
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}

// read returns the features of the data of a tile.
func read(t testing.TB, data []byte) (list []feature) {
	t.Helper()
	h, err := readHeader(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range [][]byte{h.labels, h.shapes} {
		err := h.each(block, func(f feature, part []point) {
			f.parts = [][]point{append([]point(nil), part...)}
			list = append(list, f)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return list
}

// An area covers the same tiles completely whose squares it contains.
func TestAreaCoversItsTiles(t *testing.T) {
	tiles := build(t, mapdata.Feature{Class: mapdata.Wood, Parts: [][]geo.Point{rectangle(46, 7, 47, 9)}})
	l := levels[len(levels)-1]
	x0, y0 := project(geo.Point{Latitude: 47, Longitude: 7})
	x1, y1 := project(geo.Point{Latitude: 46, Longitude: 9})
	n := float64(int(1) << l.z)
	for x := int(x0 * n); x <= int(x1*n); x++ {
		for y := int(y0 * n); y <= int(y1*n); y++ {
			list := read(t, tiles[ID{l.z, x, y}])
			if len(list) != 1 || list[0].class != mapdata.Wood {
				t.Fatalf("tile %d/%d: got %v, want the wood", x, y, list)
			}
			inner := x > int(x0*n) && x < int(x1*n) && y > int(y0*n) && y < int(y1*n)
			full := math.Pow(float64(l.extent+2*l.buffer()), 2)
			if got := math.Abs(ringArea(list[0].parts[0])); inner && got != full {
				t.Fatalf("tile %d/%d: got an area of %g, want %g", x, y, got, full)
			}
		}
	}
}

func pt(latitude, longitude float64) geo.Point {
	return geo.Point{Latitude: latitude, Longitude: longitude}
}

// A line that is longer than any line on the Earth is left out of the levels at which it
// would have too many tiles.
func TestTilesOfALineAreLimited(t *testing.T) {
	levelsOf := func(points ...geo.Point) map[int]int {
		count := make(map[int]int)
		for id := range build(t, mapdata.Feature{Class: mapdata.Motorway, Parts: [][]geo.Point{points}}) {
			count[id.Z]++
		}
		return count
	}
	poles := levelsOf(geo.Point{Latitude: -85, Longitude: 10}, geo.Point{Latitude: 85, Longitude: 10})
	if poles[14] != 0 || poles[11] < 1<<11-10 {
		t.Errorf("from pole to pole: got %v tiles by level, want none at 14 and all at 11", poles)
	}
	var zigzag []geo.Point
	for i := range 400 {
		zigzag = append(zigzag, geo.Point{Latitude: 40 + 20*float64(i%2), Longitude: float64(i) / 10})
	}
	if got := levelsOf(zigzag...); got[14] != 0 || got[11] != 0 {
		t.Errorf("a line to and fro: got %v tiles by level, want none at 11 and 14", got)
	}
	siberia := levelsOf(geo.Point{Latitude: 55.75, Longitude: 37.6}, geo.Point{Latitude: 55.0, Longitude: 82.9})
	if siberia[14] < 2000 {
		t.Errorf("from Moscow to Novosibirsk: got %v tiles by level, want thousands at 14", siberia)
	}
}
