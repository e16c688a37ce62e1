package reader

import (
	"math"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/reader/pbf"
)

// polygon is an area for which many points are tested. Its edges are indexed by
// strips of latitude.
type polygon struct {
	rings  [][]pbf.Point
	south  int32
	west   int32
	north  int32
	east   int32
	starts []int32 // for each strip, the index of its first edge in edges, and the length of edges
	edges  []edge
}

// edge is the index of a point and the ring it is in. The edge ends at that point.
type edge struct{ ring, point int32 }

// newPolygon returns the area inside an odd number of the rings.
func newPolygon(rings [][]pbf.Point) *polygon {
	p := &polygon{rings: rings, south: math.MaxInt32, west: math.MaxInt32, north: math.MinInt32, east: math.MinInt32}
	total := 0
	for _, r := range rings {
		total += len(r)
		for _, point := range r {
			p.south, p.north = min(p.south, point.Latitude), max(p.north, point.Latitude)
			p.west, p.east = min(p.west, point.Longitude), max(p.east, point.Longitude)
		}
	}
	// Long edges are in many strips; with fewer strips, the index stays small.
	for strips := max(1, min(total/8, 4096)); ; strips /= 4 {
		if p.index(max(strips, 1), 4*total+8) {
			return p
		}
	}
}

// index builds the index. It returns false if it would have more than limit entries
// and several strips.
func (p *polygon) index(strips, limit int) bool {
	p.starts = make([]int32, strips+1)
	sum := 0
	p.eachEdge(func(_ edge, first, last int) {
		sum += last - first + 1
		if sum <= limit {
			for s := first; s <= last; s++ {
				p.starts[s+1]++
			}
		}
	})
	if sum > limit && strips > 1 {
		return false
	}
	for s := range strips {
		p.starts[s+1] += p.starts[s]
	}
	p.edges = make([]edge, p.starts[strips])
	filled := make([]int32, strips)
	p.eachEdge(func(e edge, first, last int) {
		for s := first; s <= last; s++ {
			p.edges[p.starts[s]+filled[s]] = e
			filled[s]++
		}
	})
	return true
}

// eachEdge calls do for each edge with the first and last strip that it is in.
func (p *polygon) eachEdge(do func(e edge, first, last int)) {
	for i, r := range p.rings {
		for j := 1; j < len(r); j++ {
			a, b := r[j-1].Latitude, r[j].Latitude
			do(edge{int32(i), int32(j)}, p.strip(min(a, b)), p.strip(max(a, b)))
		}
	}
}

// strip returns the strip of a latitude in the polygon.
func (p *polygon) strip(latitude int32) int {
	height := int64(p.north) - int64(p.south) + 1
	return int((int64(latitude) - int64(p.south)) * int64(len(p.starts)-1) / height)
}

// contains reports whether the point is inside.
func (p *polygon) contains(point pbf.Point) bool {
	if point.Latitude < p.south || point.Latitude > p.north || point.Longitude < p.west || point.Longitude > p.east {
		return false
	}
	inside := false
	s := p.strip(point.Latitude)
	for _, e := range p.edges[p.starts[s]:p.starts[s+1]] {
		a, b := p.rings[e.ring][e.point-1], p.rings[e.ring][e.point]
		if (a.Latitude > point.Latitude) == (b.Latitude > point.Latitude) {
			continue
		}
		crossing := float64(a.Longitude) + float64(point.Latitude-a.Latitude)/float64(b.Latitude-a.Latitude)*float64(b.Longitude-a.Longitude)
		if crossing > float64(point.Longitude) {
			inside = !inside
		}
	}
	return inside
}

// toPBF converts a point to integers.
func toPBF(p geo.Point) pbf.Point {
	return pbf.Point{Latitude: int32(math.Round(p.Latitude * 1e7)), Longitude: int32(math.Round(p.Longitude * 1e7))}
}
