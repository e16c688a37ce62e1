package reader

import (
	"math/rand/v2"
	"slices"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/reader/pbf"
)

// The indexed test whether a polygon contains a point agrees with one that checks each
// edge, for polygons with edges of any length.
func TestPolygonContains(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int32{10, 1000, 900_000_000} {
		for _, count := range []int{3, 40, 3000} {
			ring := make([]pbf.Point, count)
			for i := range ring {
				ring[i] = pbf.Point{Latitude: random.Int32N(2*size) - size, Longitude: random.Int32N(2*size) - size}
			}
			ring = append(ring, ring[0])
			p := newPolygon([][]pbf.Point{ring})
			if limit := 4*len(ring) + 8; len(p.starts) > 2 && len(p.edges) > limit {
				t.Errorf("%d points: got an index of %d entries, want at most %d", count, len(p.edges), limit)
			}
			for range 300 {
				q := pbf.Point{Latitude: random.Int32N(2*size) - size, Longitude: random.Int32N(2*size) - size}
				inside := false
				for i := 1; i < len(ring); i++ {
					a, b := ring[i-1], ring[i]
					if (a.Latitude > q.Latitude) != (b.Latitude > q.Latitude) &&
						float64(a.Longitude)+float64(q.Latitude-a.Latitude)/float64(b.Latitude-a.Latitude)*float64(b.Longitude-a.Longitude) > float64(q.Longitude) {
						inside = !inside
					}
				}
				if got := p.contains(q); got != inside {
					t.Fatalf("%d points: got %t for %v, want %t", count, got, q, inside)
				}
			}
		}
	}
}

// Lines are joined in any order and direction.
func TestJoinLines(t *testing.T) {
	square := []pbf.Point{{Latitude: 0}, {Latitude: 1}, {Latitude: 1, Longitude: 1}, {Longitude: 1}, {Latitude: 0}}
	reversed := slices.Clone(square[1:3])
	slices.Reverse(reversed)
	for name, lines := range map[string][][]pbf.Point{
		"one line":      {square},
		"in order":      {square[:2], square[1:4], square[3:]},
		"out of order":  {square[3:], square[:2], square[1:4]},
		"one reversed":  {square[:2], reversed, square[2:]},
		"with others":   {square, nil, {{Latitude: 9}}, {{Latitude: 9}, {Latitude: 8}}},
		"repeated ways": {square, square},
	} {
		rings, _ := joinLines(lines, false)
		want := 1
		if name == "repeated ways" {
			want = 2
		}
		if len(rings) != want || len(rings[0]) != len(square) || !isClosed(rings[0]) {
			t.Errorf("%s: got %v, want %d squares", name, rings, want)
		}
	}
	rings, open := joinLines([][]pbf.Point{square[2:4], square[:2], square[1:3]}, true)
	if len(rings) != 0 || len(open) != 1 || !slices.Equal(open[0], square[:4]) {
		t.Errorf("directed: got %v and %v, want the line %v", rings, open, square[:4])
	}
}

// The point of an area is inside, also if the centroid is not.
func TestPointInArea(t *testing.T) {
	ring := func(points ...float64) (r []geo.Point) {
		for i := 0; i < len(points); i += 2 {
			r = append(r, geo.Point{Latitude: points[i], Longitude: points[i+1]})
		}
		return append(r, r[0])
	}
	for name, rings := range map[string][][]geo.Point{
		"a square":  {ring(0, 0, 0, 1, 1, 1, 1, 0)},
		"a U":       {ring(0, 0, 0, 10, 10, 10, 10, 9, 1, 9, 1, 1, 10, 1, 10, 0)},
		"with hole": {ring(0, 0, 0, 10, 10, 10, 10, 0), ring(3, 3, 3, 8, 8, 8, 8, 3)},
	} {
		p := pointInArea(rings)
		packedRings := make([][]pbf.Point, len(rings))
		for i, r := range rings {
			for _, q := range r {
				packedRings[i] = append(packedRings[i], toPBF(q))
			}
		}
		if !newPolygon(packedRings).contains(toPBF(p)) {
			t.Errorf("%s: got %v, want a point inside", name, p)
		}
	}
	if p := pointInArea([][]geo.Point{ring(5, 5, 5, 5, 5, 5)}); p != (geo.Point{Latitude: 5, Longitude: 5}) {
		t.Errorf("an empty area: got %v, want its point", p)
	}
}

// The node table returns the position of each node that was added, and of no other,
// also if the nodes are in a temporary file.
func TestNodeTable(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, count := range []int{0, 1, 255, 256, 257, 400_000} {
		table := nodeTable{}
		table.spool.Dir = t.TempDir()
		ids := make([]int64, count)
		id := int64(-1000)
		position := func(id int64) pbf.Point {
			return pbf.Point{Latitude: int32(id * 7919 % 900_000_000), Longitude: int32(id * 104_729 % 1_800_000_000)}
		}
		for i := range ids {
			id += 1 + random.Int64N(1<<random.IntN(20))
			ids[i] = id
			if err := table.add(id, position(id)); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.finish(); err != nil {
			t.Fatal(err)
		}
		for range min(5*count, 20_000) {
			want := ids[random.IntN(count)]
			if p, ok, err := table.find(want); !ok || err != nil || p != position(want) {
				t.Fatalf("%d nodes: got %v, %t, %v for node %d, want %v", count, p, ok, err, want, position(want))
			}
			missing := want + 1
			if _, exists := slices.BinarySearch(ids, missing); exists {
				continue
			}
			if _, ok, err := table.find(missing); ok || err != nil {
				t.Fatalf("%d nodes: got node %d, want none (%v)", count, missing, err)
			}
		}
		if _, ok, err := table.find(-1 << 62); ok || err != nil {
			t.Errorf("%d nodes: got %t, %v for an id before all, want none", count, ok, err)
		}
		if err := table.close(); err != nil {
			t.Error(err)
		}
	}
}
