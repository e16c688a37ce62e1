package tile

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// Limits of the data of a tile. They bound the memory that drawing needs.
const (
	maxTileData = 4 << 20 // bytes before compression
	maxName     = 120     // bytes of a name
)

// maxTiles limits the tiles of one level in which a feature has data. Areas that are
// larger are left out of the level.
const maxTiles = 1 << 20

// maxLineTiles limits the length of a line at one level, in sides of tiles. Longer lines are
// left out of the level: at the largest, half the circumference of the Earth has 8,192 and
// a line from pole to pole 16,384.
const maxLineTiles = 10_000

// Builder turns features into the data of tiles. It keeps a bounded number of
// features in memory and the rest in a temporary file.
type Builder struct {
	sorter *sorter
	levels []level
	record []byte
}

// NewBuilder returns a Builder with its temporary file in a directory.
func NewBuilder(spoolDir string) (*Builder, error) {
	return &Builder{sorter: newSorter(spoolDir), levels: levels}, nil
}

// Add adds a feature. Features of an unknown class, without points or with points
// outside of the world are rejected.
func (b *Builder) Add(f mapdata.Feature) error {
	info, ok := classes[f.Class]
	if !ok {
		return fmt.Errorf("a feature has the unknown class %d", f.Class)
	}
	world, err := unwrap(f)
	if err != nil {
		return err
	}
	f.Name = shortenName(f.Name)
	for _, l := range b.levels {
		if !info.onLevel(l) {
			continue
		}
		if err := b.addLevel(f, info, l, world); err != nil {
			return err
		}
	}
	return nil
}

// Tiles calls f with the data of each tile, in the order of z, x and y. It may be
// called once, after the last Add.
func (b *Builder) Tiles(f func(z, x, y int, data []byte) error) error {
	var t tileData
	flush := func() error {
		if t.size == 0 {
			return nil
		}
		data := t.encode()
		id := t.id
		t = tileData{}
		return f(id.Z, id.X, id.Y, data)
	}
	err := b.sorter.each(func(key uint64, record []byte) error {
		if id := keyTile(key); id != t.id || t.size == 0 {
			if err := flush(); err != nil {
				return err
			}
			t.id = id
			t.level, _ = levelOf(id.Z)
		}
		return t.add(record)
	})
	if err != nil {
		return err
	}
	return flush()
}

// Close removes the temporary file.
func (b *Builder) Close() error { return b.sorter.close() }

// worldPoint is a Web Mercator position; the world is 0 to 1.
type worldPoint struct{ x, y float64 }

// unwrap projects the points of a feature. A line that crosses the antimeridian
// continues beyond the border of the world.
func unwrap(f mapdata.Feature) ([][]worldPoint, error) {
	var parts [][]worldPoint
	for _, part := range f.Parts {
		list := make([]worldPoint, 0, len(part))
		shift := 0.0
		for i, p := range part {
			if !(geo.Point{Latitude: p.Latitude, Longitude: p.Longitude}).Valid() {
				return nil, fmt.Errorf("the point %g, %g is not on the Earth", p.Latitude, p.Longitude)
			}
			x, y := project(p)
			if i > 0 {
				shift -= math.Round(x + shift - list[i-1].x)
			}
			// A line around the Earth more than once has no useful drawing.
			list = append(list, worldPoint{min(max(x+shift, -1), 2), y})
		}
		if len(list) == 0 {
			continue
		}
		if last := list[len(list)-1]; classes[f.Class].shape == area && math.Abs(last.x-list[0].x) > 0.5 {
			// The area contains a pole.
			pole := 1.1
			if last.y < 0.5 {
				pole = -0.1
			}
			list = append(list, worldPoint{last.x, pole}, worldPoint{list[0].x, pole})
		}
		parts = append(parts, list)
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("a feature of class %d has no points", f.Class)
	}
	return parts, nil
}

// addLevel adds a feature to the tiles of a level.
func (b *Builder) addLevel(f mapdata.Feature, info classInfo, l level, world [][]worldPoint) error {
	parts := make([][]point, 0, len(world))
	for _, w := range world {
		part := make([]point, len(w))
		for i, p := range w {
			part[i] = point{int32(math.Round(p.x * float64(l.size()))), int32(math.Round(p.y * float64(l.size())))}
		}
		if part = shapePart(part, info.shape, l); part != nil {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 || info.shape == line && lengthOf(parts)/int64(l.extent) > maxLineTiles {
		return nil
	}
	switch info.shape {
	case label:
		return b.addLabel(f.Class, f.Rank, f.Name, parts[0][0], info, l)
	case area:
		orient(parts)
		if err := b.addAreaLabel(f, parts, info, l); err != nil {
			return err
		}
		f.Name = "" // the area itself does not need it
	}
	return b.addCopies(f, parts, info, l)
}

// lengthOf returns the length of lines along both axes.
func lengthOf(parts [][]point) (n int64) {
	for _, part := range parts {
		for i := 1; i < len(part); i++ {
			n += int64(abs(int(part[i].x)-int(part[i-1].x)) + abs(int(part[i].y)-int(part[i-1].y)))
		}
	}
	return n
}

// shapePart returns a part as it is drawn at a level, nil if it is too small.
func shapePart(part []point, s shape, l level) []point {
	switch s {
	case line:
		if part = withoutRepeats(part); len(part) < 2 {
			return nil
		}
		return simplify(part, l.tolerance/2)
	case area:
		if part = openRing(part); len(part) < 3 {
			return nil
		}
		part = openRing(simplify(append(part, part[0]), l.tolerance))
		if len(part) < 3 || math.Abs(ringArea(part)) < l.minArea {
			return nil
		}
	}
	return part
}

// addCopies adds a feature, and again one world to the west or to the east if it
// continues beyond the border of the world.
func (b *Builder) addCopies(f mapdata.Feature, parts [][]point, info classInfo, l level) error {
	bounds := boundsOf(parts)
	shifts := []int32{0}
	if bounds.minX < l.buffer() {
		shifts = append(shifts, l.size())
	}
	if bounds.maxX > l.size()-l.buffer() {
		shifts = append(shifts, -l.size())
	}
	for i, shift := range shifts {
		if i > 0 {
			parts = translatePoints(parts, shift-shifts[i-1])
			bounds = boundsOf(parts)
		}
		r, ok := rangeOf(bounds, l)
		if !ok || r.tiles() > maxTiles {
			continue
		}
		err := cut(parts, info.shape, l, r, func(x, y int32, parts [][]point) error {
			return b.addRecord(ID{l.z, int(x), int(y)}, info.order, feature{class: f.Class, name: f.Name, parts: parts}, l)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func translatePoints(parts [][]point, dx int32) [][]point {
	moved := make([][]point, len(parts))
	for i, part := range parts {
		moved[i] = slices.Clone(part)
		for j := range part {
			moved[i][j].x += dx
		}
	}
	return moved
}

// addLabel adds the label of a point to the tile of the point.
func (b *Builder) addLabel(class mapdata.Class, rank int, name string, p point, info classInfo, l level) error {
	if name == "" || class == mapdata.PlaceLabel && labelZoom(rank) > l.maxZoom {
		return nil
	}
	id := ID{l.z, int(floorDiv(p.x, l.extent)), int(floorDiv(p.y, l.extent))}
	id.X &= 1<<l.z - 1
	if !id.Valid() {
		return nil
	}
	p.x = int32(id.X)*l.extent + (p.x - floorDiv(p.x, l.extent)*l.extent)
	return b.addRecord(id, 0, feature{class: class, isLabel: true, rank: uint8(min(max(rank, 0), 255)), name: name, parts: [][]point{{p}}}, l)
}

// addAreaLabel adds the name of an area as a label whose rank is the smallest zoom at
// which the name fits into the area.
func (b *Builder) addAreaLabel(f mapdata.Feature, parts [][]point, info classInfo, l level) error {
	if f.Name == "" || f.Class == mapdata.Built || f.Class == mapdata.Land {
		return nil
	}
	p, ok := labelPoint(parts)
	if !ok {
		return nil
	}
	bounds := boundsOf(parts)
	size := math.Sqrt(float64(bounds.width())*float64(bounds.height())) / float64(l.size()) * 256 // in pixels at zoom 0
	rank := int(math.Ceil(math.Log2(float64(40+3*utf8.RuneCountInString(f.Name)) / max(size, 1e-9))))
	if rank = max(rank, info.minZoom); rank > l.maxZoom {
		return nil
	}
	return b.addLabel(f.Class, rank, f.Name, p, info, l)
}

func (b *Builder) addRecord(id ID, order int, f feature, l level) error {
	b.record, _ = f.append(b.record[:0], origin(id, l))
	return b.sorter.add(tileKey(id, order), b.record)
}

// tileKey returns the sort key of a record. The zoom is at most 15, so that each
// coordinate has 15 bits at most.
func tileKey(id ID, order int) uint64 {
	return uint64(id.Z)<<40 | uint64(id.X)<<24 | uint64(id.Y)<<8 | uint64(order)
}

func keyTile(key uint64) ID {
	return ID{int(key >> 40), int(key >> 24 & 0xffff), int(key >> 8 & 0xffff)}
}

// shortenName returns a name of at most maxName bytes.
func shortenName(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "")
}

// origin returns the north-west corner of a tile.
func origin(id ID, l level) point { return point{int32(id.X) * l.extent, int32(id.Y) * l.extent} }

// appendUvarint and appendVarint shorten the calls of package binary.
func appendUvarint(b []byte, v int) []byte { return binary.AppendUvarint(b, uint64(v)) }
