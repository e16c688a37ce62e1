package reader

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"appliance/svc/maps/reader/pbf"
)

// Sizes of the cells of a cover and of their blocks, in 1e-7 degrees.
const (
	blockCells = 32 // in each direction
	coverBlock = 10_000_000
	coverCell  = coverBlock / blockCells // about 3 km
)

// cover is the area that a file covers: the cells of a grid that contain its nodes. The
// bounds of a file are a rectangle, in which an extract by the border of a country has no
// data of the neighboring countries.
type cover struct {
	blocks map[blockID]*coverCells
	last   blockID // of the latest point
	cells  *coverCells
}

// Indexes of the axes in a blockID and a coverPart.
const (
	latitude = iota
	longitude
)

// blockID is the number of a block on each axis.
type blockID [2]int32

// coverCells is a bit for each cell of a block, from west to east, by row from the south.
type coverCells [blockCells]uint32

func newCover() cover { return cover{blocks: make(map[blockID]*coverCells)} }

// add adds the cell of a point.
func (c *cover) add(p pbf.Point) {
	id := blockID{floorDiv(p.Latitude, coverBlock), floorDiv(p.Longitude, coverBlock)}
	if c.cells == nil || id != c.last {
		c.last, c.cells = id, c.blocks[id]
		if c.cells == nil {
			c.cells = new(coverCells)
			c.blocks[id] = c.cells
		}
	}
	row, column := (p.Latitude-id[latitude]*coverBlock)/coverCell, (p.Longitude-id[longitude]*coverBlock)/coverCell
	c.cells[row] |= 1 << column
}

// addAround adds the cells of a point and those next to them: at a coast, the detailed
// coastline replaces that of the world map, which is up to a few kilometers away.
func (c *cover) addAround(p pbf.Point) {
	for lat := int32(-1); lat <= 1; lat++ {
		for lon := int32(-1); lon <= 1; lon++ {
			c.add(pbf.Point{
				Latitude:  min(max(p.Latitude+lat*coverCell, -90e7), 90e7),
				Longitude: min(max(p.Longitude+lon*coverCell, -180e7), 180e7),
			})
		}
	}
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// coverPart is a rectangle of the cover, with the parts of areas in it. low and high are its
// borders on each axis.
type coverPart struct {
	low, high [2]int32
	rings     [][]pbf.Point
}

// split calls f with rectangles that make up the cover within a border, and the parts of
// areas in them. rings are closed.
func (c *cover) split(b border, rings [][]pbf.Point, f func(coverPart) error) error {
	ids := slices.SortedFunc(maps.Keys(c.blocks), func(x, y blockID) int { return slices.Compare(x[:], y[:]) })
	whole := coverPart{[2]int32{int32(b.south), int32(b.west)}, [2]int32{int32(b.north), int32(b.east)}, rings}
	return c.splitBlocks(whole, ids, f)
}

// splitBlocks divides a part until it contains one block only.
func (c *cover) splitBlocks(p coverPart, ids []blockID, f func(coverPart) error) error {
	if len(ids) == 0 {
		return nil
	}
	low, high := ids[0], ids[0]
	for _, id := range ids {
		for axis := range id {
			low[axis], high[axis] = min(low[axis], id[axis]), max(high[axis], id[axis])
		}
	}
	if len(ids) == 1 {
		corner := [2]int32{low[latitude] * coverBlock, low[longitude] * coverBlock}
		return splitCells(p.within(corner, blockCells*coverCell), *c.blocks[low], corner, blockCells, f)
	}
	axis := latitude
	if high[longitude]-low[longitude] > high[latitude]-low[latitude] {
		axis = longitude
	}
	middle := low[axis] + (high[axis]-low[axis]+1)/2
	var before, after []blockID
	for _, id := range ids {
		if id[axis] < middle {
			before = append(before, id)
		} else {
			after = append(after, id)
		}
	}
	if err := c.splitBlocks(p.below(axis, middle*coverBlock), before, f); err != nil {
		return err
	}
	return c.splitBlocks(p.above(axis, middle*coverBlock), after, f)
}

// splitCells divides a part, a square of n cells with a southwest corner, until all or
// none of its cells are covered.
func splitCells(p coverPart, cells coverCells, corner [2]int32, n int32, f func(coverPart) error) error {
	if p.low[latitude] >= p.high[latitude] || p.low[longitude] >= p.high[longitude] {
		return nil
	}
	var first [2]int32 // row and column of the first cell in the block
	for axis, at := range corner {
		first[axis] = (at - floorDiv(at, coverBlock)*coverBlock) / coverCell
	}
	mask := uint32(math.MaxUint32) >> (blockCells - n) << first[longitude]
	covered := int32(0)
	for _, row := range cells[first[latitude] : first[latitude]+n] {
		covered += int32(bits.OnesCount32(row & mask))
	}
	switch covered {
	case 0:
		return nil
	case n * n:
		return f(p)
	}
	half := n / 2
	for lat := range int32(2) {
		for lon := range int32(2) {
			quarter := [2]int32{corner[latitude] + lat*half*coverCell, corner[longitude] + lon*half*coverCell}
			if err := splitCells(p.within(quarter, half*coverCell), cells, quarter, half, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// within returns the part in a square with a southwest corner.
func (p coverPart) within(corner [2]int32, size int32) coverPart {
	for axis, at := range corner {
		p = p.above(axis, at).below(axis, at+size)
	}
	return p
}

// below returns the part before a position on an axis.
func (p coverPart) below(axis int, at int32) coverPart {
	if p.high[axis] > at {
		p.high[axis] = at
		p.rings = clipRings(p.rings, func(p pbf.Point) int64 { return int64(at) - on(axis, p) })
	}
	return p
}

// above returns the part after a position on an axis.
func (p coverPart) above(axis int, at int32) coverPart {
	if p.low[axis] < at {
		p.low[axis] = at
		p.rings = clipRings(p.rings, func(p pbf.Point) int64 { return on(axis, p) - int64(at) })
	}
	return p
}

// on returns the coordinate of a point on an axis.
func on(axis int, p pbf.Point) int64 {
	if axis == latitude {
		return int64(p.Latitude)
	}
	return int64(p.Longitude)
}

// ring returns the border of the part as a closed ring.
func (p coverPart) ring() []pbf.Point {
	return border{
		south: int64(p.low[latitude]), west: int64(p.low[longitude]), north: int64(p.high[latitude]), east: int64(p.high[longitude]),
	}.ring()
}

// divide returns the rings of the part without those that are its whole border, and
// whether their number is odd.
func (p coverPart) divide() (rings [][]pbf.Point, odd bool) {
	whole := 1.0
	for axis := range p.low {
		whole *= float64(p.high[axis]) - float64(p.low[axis])
	}
	for _, r := range p.rings {
		if math.Abs(pbfArea(r)) > whole*(1-1e-9) {
			odd = !odd
			continue
		}
		rings = append(rings, r)
	}
	return rings, odd
}

// pbfArea returns the area of a closed ring, in square units of 1e-7 degrees.
func pbfArea(ring []pbf.Point) (sum float64) {
	for i := 1; i < len(ring); i++ {
		x1, y1 := float64(ring[i-1].Longitude)-float64(ring[0].Longitude), float64(ring[i-1].Latitude)-float64(ring[0].Latitude)
		x2, y2 := float64(ring[i].Longitude)-float64(ring[0].Longitude), float64(ring[i].Latitude)-float64(ring[0].Latitude)
		sum += x1*y2 - x2*y1
	}
	return sum / 2
}

// clipRings returns the parts of closed rings on the side of a line where distance is not
// negative (the algorithm of Sutherland and Hodgman). Edges on the line may repeat.
func clipRings(rings [][]pbf.Point, distance func(pbf.Point) int64) (clipped [][]pbf.Point) {
	for _, ring := range rings {
		outside := 0
		for _, p := range ring {
			if distance(p) < 0 {
				outside++
			}
		}
		switch outside {
		case 0:
			clipped = append(clipped, ring)
			continue
		case len(ring):
			continue
		}
		var part []pbf.Point
		for i := 1; i < len(ring); i++ {
			a, b := ring[i-1], ring[i]
			from, to := distance(a), distance(b)
			if from >= 0 {
				part = append(part, a)
			}
			if from < 0 && to > 0 || from > 0 && to < 0 {
				t := float64(from) / float64(from-to)
				part = append(part, pbf.Point{
					Latitude:  int32(math.Round(float64(a.Latitude) + t*(float64(b.Latitude)-float64(a.Latitude)))),
					Longitude: int32(math.Round(float64(a.Longitude) + t*(float64(b.Longitude)-float64(a.Longitude)))),
				})
			}
		}
		if len(part) > 2 {
			clipped = append(clipped, append(part, part[0]))
		}
	}
	return clipped
}
