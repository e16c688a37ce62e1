package reader

import (
	"cmp"
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

// blockID is the number of a block in each direction.
type blockID struct{ lat, lon int32 }

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
	row, column := (p.Latitude-id.lat*coverBlock)/coverCell, (p.Longitude-id.lon*coverBlock)/coverCell
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

// coverPart is a rectangle of the cover, with the parts of areas in it.
type coverPart struct {
	south, west, north, east int32
	rings                    [][]pbf.Point
}

// split calls f with rectangles that make up the cover within a border, and the parts of
// areas in them. rings are closed.
func (c *cover) split(b border, rings [][]pbf.Point, f func(coverPart) error) error {
	ids := make([]blockID, 0, len(c.blocks))
	for id := range c.blocks {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y blockID) int { return cmp.Or(cmp.Compare(x.lat, y.lat), cmp.Compare(x.lon, y.lon)) })
	whole := coverPart{int32(b.south), int32(b.west), int32(b.north), int32(b.east), rings}
	return c.splitBlocks(whole, ids, f)
}

// splitBlocks divides a part until it contains one block only.
func (c *cover) splitBlocks(p coverPart, ids []blockID, f func(coverPart) error) error {
	if len(ids) == 0 {
		return nil
	}
	south, north, west, east := ids[0].lat, ids[0].lat, ids[0].lon, ids[0].lon
	for _, id := range ids {
		south, north, west, east = min(south, id.lat), max(north, id.lat), min(west, id.lon), max(east, id.lon)
	}
	if len(ids) == 1 {
		cells := *c.blocks[ids[0]]
		return splitCells(p.within(south*coverBlock, west*coverBlock, blockCells*coverCell), cells, south*coverBlock, west*coverBlock, blockCells, f)
	}
	var low, high []blockID
	lowPart, highPart := p, p
	if north-south >= east-west {
		middle := south + (north-south+1)/2
		for _, id := range ids {
			if id.lat < middle {
				low = append(low, id)
			} else {
				high = append(high, id)
			}
		}
		lowPart, highPart = p.below(middle*coverBlock), p.above(middle*coverBlock)
	} else {
		middle := west + (east-west+1)/2
		for _, id := range ids {
			if id.lon < middle {
				low = append(low, id)
			} else {
				high = append(high, id)
			}
		}
		lowPart, highPart = p.westOf(middle*coverBlock), p.eastOf(middle*coverBlock)
	}
	if err := c.splitBlocks(lowPart, low, f); err != nil {
		return err
	}
	return c.splitBlocks(highPart, high, f)
}

// splitCells divides a part, a square of n cells with a southwest corner, until all or
// none of its cells are covered.
func splitCells(p coverPart, cells coverCells, south, west int32, n int32, f func(coverPart) error) error {
	if p.south >= p.north || p.west >= p.east {
		return nil
	}
	row, column := (south-floorDiv(south, coverBlock)*coverBlock)/coverCell, (west-floorDiv(west, coverBlock)*coverBlock)/coverCell
	mask := uint32(math.MaxUint32) >> (blockCells - n) << column
	covered := int32(0)
	for _, bitsOfRow := range cells[row : row+n] {
		covered += int32(bits.OnesCount32(bitsOfRow & mask))
	}
	switch covered {
	case 0:
		return nil
	case n * n:
		return f(p)
	}
	half := n / 2
	middleLat, middleLon := south+half*coverCell, west+half*coverCell
	for _, q := range []struct {
		part        coverPart
		south, west int32
	}{
		{p.below(middleLat).westOf(middleLon), south, west}, {p.below(middleLat).eastOf(middleLon), south, middleLon},
		{p.above(middleLat).westOf(middleLon), middleLat, west}, {p.above(middleLat).eastOf(middleLon), middleLat, middleLon},
	} {
		if err := splitCells(q.part, cells, q.south, q.west, half, f); err != nil {
			return err
		}
	}
	return nil
}

// within returns the part in a square.
func (p coverPart) within(south, west, size int32) coverPart {
	return p.above(south).below(south + size).eastOf(west).westOf(west + size)
}

// below, above, westOf and eastOf return the part on one side of a line.

func (p coverPart) below(lat int32) coverPart {
	if p.north > lat {
		p.north = lat
		p.rings = clipRings(p.rings, func(p pbf.Point) int64 { return int64(lat) - int64(p.Latitude) })
	}
	return p
}

func (p coverPart) above(lat int32) coverPart {
	if p.south < lat {
		p.south = lat
		p.rings = clipRings(p.rings, func(p pbf.Point) int64 { return int64(p.Latitude) - int64(lat) })
	}
	return p
}

func (p coverPart) westOf(lon int32) coverPart {
	if p.east > lon {
		p.east = lon
		p.rings = clipRings(p.rings, func(p pbf.Point) int64 { return int64(lon) - int64(p.Longitude) })
	}
	return p
}

func (p coverPart) eastOf(lon int32) coverPart {
	if p.west < lon {
		p.west = lon
		p.rings = clipRings(p.rings, func(p pbf.Point) int64 { return int64(p.Longitude) - int64(lon) })
	}
	return p
}

// ring returns the border of the part as a closed ring.
func (p coverPart) ring() []pbf.Point {
	return border{int64(p.south), int64(p.west), int64(p.north), int64(p.east)}.ring()
}

// divide returns the rings of the part without those that are its whole border, and
// whether their number is odd.
func (p coverPart) divide() (rings [][]pbf.Point, odd bool) {
	whole := (float64(p.north) - float64(p.south)) * (float64(p.east) - float64(p.west))
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
