package tile

import (
	"encoding/binary"
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

var updateWorld = flag.Bool("update-world", false, "download world-atlas with npm and write world.bin")

// topology is a TopoJSON file.
type topology struct {
	Transform struct{ Scale, Translate [2]float64 }
	Arcs      [][][2]float64
	Objects   map[string]struct{ Geometries []topoGeometry }
}

type topoGeometry struct {
	Type       string
	Arcs       json.RawMessage
	Properties struct{ Name string }
}

// polygons returns the rings of a geometry as indexes of arcs.
func (g topoGeometry) polygons(t testing.TB) (list [][][]int) {
	var err error
	switch g.Type {
	case "Polygon":
		list = make([][][]int, 1)
		err = json.Unmarshal(g.Arcs, &list[0])
	case "MultiPolygon":
		err = json.Unmarshal(g.Arcs, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func readTopology(t testing.TB, file string) (list topology) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// arc returns the points of an arc, in reverse if the index is negative.
func (list topology) arc(index int) (points []geo.Point) {
	reverse := index < 0
	if reverse {
		index = ^index
	}
	var x, y float64
	for _, d := range list.Arcs[index] {
		x, y = x+d[0], y+d[1]
		points = append(points, geo.Point{
			Latitude:  min(max(y*list.Transform.Scale[1]+list.Transform.Translate[1], -90), 90),
			Longitude: min(max(x*list.Transform.Scale[0]+list.Transform.Translate[0], -180), 180),
		})
	}
	if reverse {
		slices.Reverse(points)
	}
	return points
}

func (list topology) ring(arcs []int) (points []geo.Point) {
	for _, a := range arcs {
		arc := list.arc(a)
		if len(points) > 0 {
			arc = arc[1:]
		}
		points = append(points, arc...)
	}
	return points
}

// addWorldLevel adds the land and the borders between countries of one scale.
func addWorldLevel(t testing.TB, b *Builder, dir, scale string, l level) {
	add := func(f mapdata.Feature) {
		world, err := unwrap(f)
		if err == nil {
			err = b.addLevel(f, classes[f.Class], l, world)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	land := readTopology(t, filepath.Join(dir, "land-"+scale+".json"))
	for _, g := range land.Objects["land"].Geometries {
		for _, polygon := range g.polygons(t) {
			f := mapdata.Feature{Class: mapdata.Land}
			for _, ring := range polygon {
				f.Parts = append(f.Parts, land.ring(ring))
			}
			add(f)
		}
	}
	countries := readTopology(t, filepath.Join(dir, "countries-"+scale+".json"))
	uses := make(map[int]int)
	for _, g := range countries.Objects["countries"].Geometries {
		for _, polygon := range g.polygons(t) {
			for _, a := range slices.Concat(polygon...) {
				uses[max(a, ^a)]++
			}
		}
	}
	for a := range countries.Arcs {
		if uses[a] > 1 {
			add(mapdata.Feature{Class: mapdata.Border, Parts: [][]geo.Point{countries.arc(a)}})
		}
	}
}

// fullNames replaces abbreviations in the names of countries.
var fullNames = strings.NewReplacer("W. Sahara", "Western Sahara", "Dem. Rep. Congo", "DR Congo", "Central African Rep.", "Central African Republic",
	"Bosnia and Herz.", "Bosnia and Herzegovina", "Dominican Rep.", "Dominican Republic", "S. Sudan", "South Sudan", "Eq. Guinea", "Equatorial Guinea",
	"Solomon Is.", "Solomon Islands", "Falkland Is.", "Falkland Islands", "Macedonia", "North Macedonia", "eSwatini", "Eswatini")

// addCountryNames adds the names of countries, with the smallest zoom at which each
// fits into its largest part.
func addCountryNames(t testing.TB, b *Builder, dir string) {
	l := worldLevels[0]
	list := readTopology(t, filepath.Join(dir, "countries-50m.json"))
	for _, g := range list.Objects["countries"].Geometries {
		var best [][]point
		for _, polygon := range g.polygons(t) {
			world, err := unwrap(mapdata.Feature{Class: mapdata.Land, Parts: [][]geo.Point{list.ring(polygon[0])}})
			if err != nil {
				t.Fatal(err)
			}
			var ring []point
			for _, w := range world[0] {
				ring = append(ring, point{int32(math.Round(w.x * float64(l.size()))), int32(math.Round(w.y * float64(l.size())))})
			}
			if ring = openRing(ring); len(ring) > 2 && (best == nil || math.Abs(ringArea(ring)) > math.Abs(ringArea(best[0]))) {
				best = [][]point{ring}
			}
		}
		name := fullNames.Replace(g.Properties.Name)
		if best == nil || strings.Contains(name, ".") {
			continue // too small, or a name with other abbreviations
		}
		at, ok := labelPoint(best)
		if !ok {
			continue
		}
		bounds := boundsOf(best)
		width := float64(bounds.width()) / float64(l.size()) * Size
		rank := int(math.Ceil(math.Log2(float64(6*utf8.RuneCountInString(name)) / width)))
		if rank = max(rank, 2); rank > 7 {
			continue
		}
		if err := b.addLabel(mapdata.Border, rank, name, at, classInfo{}, l); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWorldFile checks that the embedded file is complete, or writes it.
func TestWorldFile(t *testing.T) {
	if *updateWorld {
		writeWorldFile(t)
		return
	}
	features := make(map[mapdata.Class]int)
	for _, data := range worldTiles() {
		for _, f := range read(t, data) {
			features[f.class]++
		}
	}
	if len(countries()) < 150 || features[mapdata.Land] < 1000 || features[mapdata.Border] < 200 {
		t.Errorf("got %d countries and %v, want those of the world", len(countries()), features)
	}
}

func writeWorldFile(t *testing.T) {
	dir := t.TempDir()
	pack := exec.Command("npm", "install", "--prefix", dir, "world-atlas@2.0.2")
	if out, err := pack.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir = filepath.Join(dir, "node_modules", "world-atlas")
	b, err := NewBuilder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	addWorldLevel(t, b, dir, "110m", worldLevels[0])
	addWorldLevel(t, b, dir, "50m", worldLevels[1])
	addCountryNames(t, b, dir)
	var file []byte
	err = b.Tiles(func(_, _, _ int, data []byte) error {
		file = append(binary.AppendUvarint(file, uint64(len(data))), data...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("world.bin", file, 0o644); err != nil {
		t.Fatal(err)
	}
}
