package reader

import (
	"cmp"
	"math"
	"slices"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/reader/pbf"
)

// Limits of the coastline of a file. Coastlines beyond them are not drawn.
const (
	maxCoastPoints = 8_000_000
	maxCoastEnds   = 5_000
)

// coast collects the coastline, which has land on its left and water on its right.
type coast struct {
	lines  [][]pbf.Point
	points int
}

// add adds a way.
func (c *coast) add(points []pbf.Point) {
	if c.points += len(points); c.points <= maxCoastPoints && len(points) > 1 {
		c.lines = append(c.lines, slices.Clone(points))
	}
}

// emit passes the land and the water of the area that the file covers to the sink. bounds
// are those of the file; the lines may end anywhere.
func (c *coast) emit(bounds geo.Box, covered *cover, sink mapdata.Sink) error {
	if len(c.lines) == 0 || c.points > maxCoastPoints {
		return nil
	}
	for _, line := range c.lines {
		for _, p := range line {
			covered.addAround(p)
		}
	}
	rings, open := joinLines(c.lines, true)
	c.lines = nil
	if len(open) > maxCoastEnds {
		return nil
	}
	b := newBorder(bounds, rings, open)
	rings = append(rings, b.close(open)...)
	largest, isWater := -1.0, false
	for _, r := range rings {
		if area := pbfArea(r); math.Abs(area) > largest {
			largest, isWater = math.Abs(area), area < 0 // clockwise
		}
	}
	if len(rings) == 0 {
		return nil
	}
	return covered.split(b, rings, func(p coverPart) error { return emitPart(p, isWater, sink) })
}

// emitPart passes the land and the water of a part to the sink. The rings are those of
// land or, if isWater, those of a lake or an inland sea within land.
func emitPart(p coverPart, isWater bool, sink mapdata.Sink) error {
	rings, odd := p.divide()
	parts := make([][]geo.Point, 0, len(rings)+1)
	for _, r := range rings {
		parts = append(parts, toGeo(r))
	}
	withBorder := append(slices.Clone(parts), toGeo(p.ring()))
	land, water := parts, withBorder
	if isWater != odd {
		land, water = withBorder, parts
	}
	for _, f := range []mapdata.Feature{{Class: mapdata.Land, Parts: land}, {Class: mapdata.Water, Parts: water}} {
		if len(f.Parts) == 0 {
			continue
		}
		if err := sink.Feature(f); err != nil {
			return err
		}
	}
	return nil
}

// border is a rectangle around all coastlines. Distances along it are counted
// counterclockwise from its southwest corner.
type border struct{ south, west, north, east int64 }

func newBorder(bounds geo.Box, lists ...[][]pbf.Point) border {
	low, high := toPBF(geo.Point{Latitude: bounds.South, Longitude: bounds.West}), toPBF(geo.Point{Latitude: bounds.North, Longitude: bounds.East})
	b := border{int64(low.Latitude), int64(low.Longitude), int64(high.Latitude), int64(high.Longitude)}
	for _, list := range lists {
		for _, line := range list {
			for _, p := range line {
				b.south, b.north = min(b.south, int64(p.Latitude)), max(b.north, int64(p.Latitude))
				b.west, b.east = min(b.west, int64(p.Longitude)), max(b.east, int64(p.Longitude))
			}
		}
	}
	return b
}

func (b border) width() int64  { return b.east - b.west }
func (b border) height() int64 { return b.north - b.south }
func (b border) length() int64 { return 2 * (b.width() + b.height()) }

// at returns the point at a distance along the border.
func (b border) at(d int64) pbf.Point {
	w, h := b.width(), b.height()
	lat, lon := b.north-(d-2*w-h), b.west
	switch {
	case d < w:
		lat, lon = b.south, b.west+d
	case d < w+h:
		lat, lon = b.south+d-w, b.east
	case d < 2*w+h:
		lat, lon = b.north, b.east-(d-w-h)
	}
	return pbf.Point{Latitude: int32(lat), Longitude: int32(lon)}
}

// nearest returns the distance along the border of its point nearest to p.
func (b border) nearest(p pbf.Point) int64 {
	lat, lon, w, h := int64(p.Latitude), int64(p.Longitude), b.width(), b.height()
	switch min(lat-b.south, b.north-lat, lon-b.west, b.east-lon) {
	case lat - b.south:
		return lon - b.west
	case b.east - lon:
		return w + lat - b.south
	case b.north - lat:
		return w + h + b.east - lon
	}
	return (2*w + h + b.north - lat) % max(b.length(), 1)
}

// ring returns the border as a closed ring.
func (b border) ring() []pbf.Point {
	w, h := b.width(), b.height()
	return []pbf.Point{b.at(0), b.at(w), b.at(w + h), b.at(2*w + h), b.at(0)}
}

// close closes the lines along the border, counterclockwise, so that land remains on
// the left.
func (b border) close(lines [][]pbf.Point) (rings [][]pbf.Point) {
	type beginning struct {
		at   int64
		line int
	}
	var beginnings []beginning
	for i, l := range lines {
		beginnings = append(beginnings, beginning{b.nearest(l[0]), i})
	}
	slices.SortFunc(beginnings, func(x, y beginning) int { return cmp.Compare(x.at, y.at) })
	for len(beginnings) > 0 {
		first := beginnings[0].line
		var ring []pbf.Point
		for index := 0; ; {
			line := lines[beginnings[index].line]
			beginnings = slices.Delete(beginnings, index, index+1)
			ring = append(append(ring, b.at(b.nearest(line[0]))), line...)
			from := b.nearest(line[len(line)-1])
			ring = append(ring, b.at(from))
			// The next beginning; that of the first line closes the ring.
			target, next := b.nearest(lines[first][0]), -1
			for i, candidate := range beginnings {
				if b.distance(from, candidate.at) < b.distance(from, target) {
					target, next = candidate.at, i
				}
			}
			ring = b.appendCorners(ring, from, target)
			if next < 0 {
				break
			}
			index = next
		}
		rings = append(rings, append(ring, ring[0]))
	}
	return rings
}

// distance returns the distance from one point to another along the border,
// counterclockwise.
func (b border) distance(from, to int64) int64 {
	if to < from {
		return to - from + b.length()
	}
	return to - from
}

// appendCorners appends the corners between two points of the border.
func (b border) appendCorners(ring []pbf.Point, from, to int64) []pbf.Point {
	w, h := b.width(), b.height()
	corners := []int64{0, w, w + h, 2*w + h}
	slices.SortFunc(corners, func(x, y int64) int { return cmp.Compare(b.distance(from, x), b.distance(from, y)) })
	for _, c := range corners {
		if b.distance(from, c) < b.distance(from, to) {
			ring = append(ring, b.at(c))
		}
	}
	return ring
}
