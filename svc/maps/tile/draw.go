package tile

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/vector"

	"appliance/svc/maps/mapdata"
)

// Size is the width of a tile in pixels at scale 1.
const Size = 256

// Sources returns the tiles whose data [Draw] takes: the tile of the next smaller
// level that contains id, and those around it that may have labels in id. It returns
// nothing for zooms that only show the embedded world.
func Sources(id ID) (list []ID) {
	l, ok := levelFor(id.Z)
	if !ok {
		return nil
	}
	shift := id.Z - l.z
	margin := min((labelMargin<<shift)/Size, 1<<(2*shift)) // in tiles of id.Z, times 2^shift; at most one tile of l
	low := func(v int) int { return (v<<shift - margin) >> (2 * shift) }
	high := func(v int) int { return ((v+1)<<shift + margin - 1) >> (2 * shift) }
	for y := max(low(id.Y), 0); y <= min(high(id.Y), 1<<l.z-1); y++ {
		for x := low(id.X); x <= high(id.X); x++ {
			list = append(list, ID{l.z, x & (1<<l.z - 1), y})
		}
	}
	return list
}

// Draw returns a tile as a PNG file of 256 pixels in each direction, multiplied by
// scale. data is that of the tiles of [Sources] in all regions, in any order. Where it
// has no land, the embedded world is drawn. labels are additional settlements near the
// tile.
func Draw(style Style, scale int, id ID, data [][]byte, labels []Label) ([]byte, error) {
	if !id.Valid() || scale < 1 || scale > 4 || int(style) >= len(palettes) {
		return nil, fmt.Errorf("tile %d/%d/%d in style %d at scale %d cannot be drawn", id.Z, id.X, id.Y, style, scale)
	}
	p := painters.Get().(*painter)
	defer painters.Put(p)
	p.reset(style, scale, id)
	if err := p.addWorld(); err != nil {
		return nil, err
	}
	for _, d := range data {
		if err := p.addData(d); err != nil {
			return nil, err
		}
	}
	p.addLabels(labels)
	p.paintAreas()
	p.paintLines()
	p.paintLabels()
	return p.canvas.png()
}

var painters = sync.Pool{New: func() any { return new(painter) }}

// painter draws a tile.
type painter struct {
	id     ID
	scale  float64
	colors palette
	canvas canvas

	world     pixelPath // land of the embedded world
	borders   pixelPath // of the embedded world
	paths     [numClasses]pixelPath
	line      []pixel      // reused
	dashes    pixelPath    // on rails
	minor     pixelPath    // streets without a name, mostly drives and aisles
	hasShapes bool         // a region has lines or areas in the tile
	labels    []*textLabel // of points
	streets   []*textLabel // of lines
}

// numClasses is one more than the largest class.
const numClasses = int(mapdata.PlaceLabel) + 1

func (p *painter) reset(style Style, scale int, id ID) {
	p.id, p.scale, p.colors = id, float64(scale), palettes[style]
	p.canvas.reset(Size*scale, p.colors.water)
	p.world.reset()
	p.borders.reset()
	for i := range p.paths {
		p.paths[i].reset()
	}
	p.labels, p.streets = p.labels[:0], p.streets[:0]
	p.dashes.reset()
	p.minor.reset()
	p.hasShapes = false
}

// view converts the units of a level to pixels of the drawing.
type view struct {
	west, north float64 // of the drawing, in units
	scale       float64 // pixels per unit
	visible     box     // the drawing and a margin for wide lines, in units
	labels      box     // the drawing and the margin in which labels are considered, in units
}

// margin is the width in pixels of the border around a drawing in which lines are
// drawn, because they are visible if they are wide.
const margin = 16

func (p *painter) view(l level) view {
	units := float64(l.extent) * math.Exp2(float64(l.z-p.id.Z)) // per tile of p.id.Z
	v := view{west: float64(p.id.X) * units, north: float64(p.id.Y) * units, scale: Size * p.scale / units}
	around := func(pixels float64) box {
		m := max(pixels*p.scale/v.scale, 1)
		return box{int32(math.Floor(v.west - m)), int32(math.Floor(v.north - m)), int32(math.Ceil(v.west + units + m)), int32(math.Ceil(v.north + units + m))}
	}
	v.visible, v.labels = around(margin), around(labelMargin)
	return v
}

func (v view) pixel(p point) pixel {
	return pixel{float32((float64(p.x) - v.west) * v.scale), float32((float64(p.y) - v.north) * v.scale)}
}

// contains reports whether the tile with data contains the tile that is drawn.
func (h header) contains(id ID) bool {
	shift := id.Z - h.id.Z
	return shift >= 0 && id.X>>shift == h.id.X && id.Y>>shift == h.id.Y
}

// addData adds the features of the data of a tile of a region.
func (p *painter) addData(data []byte) error {
	h, err := readHeader(data)
	if err != nil {
		return err
	}
	if l, ok := levelFor(p.id.Z); !ok || l.z != h.level.z {
		return fmt.Errorf("data of zoom %d does not belong to a tile of zoom %d", h.level.z, p.id.Z)
	}
	v := p.view(h.level)
	err = h.each(h.labels, func(f feature, part []point) { p.addLabel(f, part[0], h.level, v) })
	if err != nil || !h.contains(p.id) {
		return err
	}
	return h.each(h.shapes, func(f feature, part []point) {
		p.hasShapes = true
		p.addShape(f, part, h, v)
	})
}

// addShape adds a line or a ring.
func (p *painter) addShape(f feature, part []point, h header, v view) {
	info := classes[f.class]
	if p.id.Z < info.minZoom {
		return
	}
	bounds := boundsOf([][]point{part})
	if f.name != "" && info.shape == line && bounds.overlaps(v.labels) {
		p.addStreet(f, part, h, v)
	}
	if !bounds.overlaps(v.visible) {
		return
	}
	path := &p.paths[f.class]
	if f.class == mapdata.Street && f.name == "" && p.id.Z >= minorZoom {
		path = &p.minor
	}
	on, off, isDashed := dashes(f.class, p.id.Z)
	switch {
	case info.shape == area:
		p.addRing(path, part, v)
	case isDashed && f.class == mapdata.Rail:
		p.addLine(path, part, v)
		p.addDashes(&p.dashes, part, v, on, off)
	case isDashed:
		p.addDashes(path, part, v, on, off)
	case info.shape == line:
		p.addLine(path, part, v)
	}
}

func (p *painter) addRing(path *pixelPath, ring []point, v view) {
	ring = clipRing(ring, v.visible)
	if len(ring) < 3 {
		return
	}
	for _, q := range ring {
		path.points = append(path.points, v.pixel(q))
	}
	path.end()
}

func (p *painter) addLine(path *pixelPath, part []point, v view) {
	if len(part) < 2 {
		return
	}
	for _, piece := range clipLine(nil, part, v.visible) {
		for _, q := range piece {
			path.points = append(path.points, v.pixel(q))
		}
		path.end()
	}
}

// dashes returns the lengths of the dashes of a class, in pixels at scale 1; ok is
// false if its lines are not dashed.
func dashes(class mapdata.Class, zoom int) (on, off float64, ok bool) {
	switch class {
	case mapdata.Path:
		width := widthAt(class, pathWidths, zoom)
		return 2.5 * width, 2 * width, zoom >= 15
	case mapdata.Border:
		return 5, 3, true
	case mapdata.Rail:
		width := railWidth(zoom)
		return 4 * width, 4 * width, zoom >= 15
	}
	return 0, 0, false
}

func railWidth(zoom int) float64 { return 1.4 + 0.5*float64(zoom-14) }

// addDashes adds the dashes of a line. They begin at its first point, which the tiles
// around this one have too.
func (p *painter) addDashes(path *pixelPath, part []point, v view, on, off float64) {
	p.line = p.line[:0]
	for _, q := range part {
		p.line = append(p.line, v.pixel(q))
	}
	dash(path, p.line, on*p.scale, off*p.scale, float32(p.canvas.size), float32(margin*p.scale))
}

// paint fills the paths in one color with one pass over the drawing.
func (p *painter) paint(col color, paths ...outline) {
	paths = slices.DeleteFunc(paths, func(o outline) bool { return o.path.isEmpty() })
	if len(paths) == 0 {
		return
	}
	p.canvas.paint(col, func(r *vector.Rasterizer) {
		for _, o := range paths {
			if o.width == 0 {
				fill(r, o.path)
			} else {
				stroke(r, o.path, o.width*p.scale, o.closed)
			}
		}
	})
}

// outline is a path with the width of its lines in pixels at scale 1, 0 to fill it.
type outline struct {
	path   *pixelPath
	width  float64
	closed bool // the lines are rings
}

func (p *painter) fill(col color, class mapdata.Class) {
	p.paint(col, outline{path: &p.paths[class]})
}

func (p *painter) stroke(col color, class mapdata.Class, width float64) {
	p.paint(col, outline{path: &p.paths[class], width: width})
}

func (p *painter) paintAreas() {
	c := p.colors
	built := c.built
	if p.id.Z >= 14 {
		built = c.builtNear
	}
	p.paint(c.land, outline{path: &p.world}, outline{path: &p.paths[mapdata.Land]})
	p.fill(built, mapdata.Built)
	p.fill(c.park, mapdata.Park)
	p.fill(c.wood, mapdata.Wood)
	p.fill(c.sand, mapdata.Sand)
	rivers := outline{path: &p.paths[mapdata.River], width: widthAt(mapdata.River, riverWidths, p.id.Z)}
	p.paint(c.water, outline{path: &p.paths[mapdata.Water]}, rivers)
	p.fill(c.building, mapdata.Building)
	if p.id.Z >= 16 {
		p.paint(c.buildingEdge, outline{&p.paths[mapdata.Building], 0.8, true})
	}
}

func (p *painter) paintLines() {
	c, z := p.colors, p.id.Z
	p.stroke(c.path, mapdata.Path, widthAt(mapdata.Path, pathWidths, z))
	p.paintRoads(c.casing, false, true)
	p.paintRoads(c.mainCasing, true, true)
	p.paintRoads(c.road, false, false)
	p.paintRoads(c.mainRoad, true, false)
	switch {
	case z < 13:
		p.stroke(c.rail, mapdata.Rail, 0.8)
	case z < 15:
		p.stroke(c.rail, mapdata.Rail, 1.2)
	default:
		p.stroke(c.rail, mapdata.Rail, railWidth(z))
		p.paint(c.land, outline{path: &p.dashes, width: railWidth(z) - 1})
	}
	if p.hasShapes && z >= 8 || z > 12 {
		p.borders.reset() // a region has more precise borders
	}
	p.paint(c.border, outline{path: &p.borders, width: 0.8}, outline{path: &p.paths[mapdata.Border], width: 1.2})
}

// From minorZoom on, streets without a name are narrower than the others by the factor
// minorWidth.
const (
	minorZoom  = 15
	minorWidth = 0.65
)

// paintRoads draws the main or the other roads, or their casing.
func (p *painter) paintRoads(col color, main, casing bool) {
	var paths []outline
	for _, r := range roads {
		width := widthAt(r.class, r.widths, p.id.Z)
		if r.isMain != main || width == 0 {
			continue
		}
		if casing {
			width += 2 * casingWidth(width, p.id.Z)
		}
		paths = append(paths, outline{path: &p.paths[r.class], width: width})
		if r.class == mapdata.Street {
			paths = append(paths, outline{path: &p.minor, width: minorWidth * width})
		}
	}
	p.paint(col, paths...)
}
