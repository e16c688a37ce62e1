package tile

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"golang.org/x/image/vector"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// labelMargin is the width of the area around a tile whose labels are considered, in
// pixels at scale 1. Two tiles that show parts of the same label must decide in the
// same way whether other labels displace it.
const labelMargin = 384

// Limits of labels.
const (
	maxLabelDepth = 2    // see selectLabels
	maxLabels     = 500  // labels that are considered for a tile
	maxCandidates = 5000 // labels of points or of lines that are laid out for a tile
	maxRepeats    = 50   // labels along one line
	maxLineWidth  = 110  // pixels; a longer name is divided into two lines
	maxLabelWidth = 200  // pixels; longer names are not shown
)

// position is a position relative to the drawn tile in pixels at scale 1.
type position struct{ x, y float64 }

// textStyle is the font, the size and the colors of a label.
type textStyle struct {
	face        *face
	size        float64
	color, halo color
}

// textLabel is a candidate: selectLabels decides whether it is drawn.
type textLabel struct {
	text        string
	style       textStyle
	priority    [2]float64 // lower ones first
	center      position
	followsLine bool      // follows a line
	dot         *position // marks a settlement
	glyphs      []placedGlyph
	boxes       []textBox
	bounds      textBox
}

type placedGlyph struct {
	glyph    *glyph
	at       position // of its origin on the base line
	sin, cos float64
}

type textBox struct{ minX, minY, maxX, maxY float64 }

func (b textBox) overlaps(c textBox) bool {
	return b.minX < c.maxX && b.maxX > c.minX && b.minY < c.maxY && b.maxY > c.minY
}

func (b textBox) union(c textBox) textBox {
	return textBox{min(b.minX, c.minX), min(b.minY, c.minY), max(b.maxX, c.maxX), max(b.maxY, c.maxY)}
}

// overlaps reports whether two labels cannot both be shown. The name of a line is not
// repeated nearby.
func (t *textLabel) overlaps(o *textLabel) bool {
	if t.followsLine && o.followsLine && t.text == o.text && math.Hypot(t.center.x-o.center.x, t.center.y-o.center.y) < 160 {
		return true
	}
	if !t.bounds.overlaps(o.bounds) {
		return false
	}
	for _, a := range t.boxes {
		for _, b := range o.boxes {
			if a.overlaps(b) {
				return true
			}
		}
	}
	return false
}

// addBox adds an area that other labels must not use.
func (t *textLabel) addBox(b textBox) {
	if len(t.boxes) == 0 {
		t.bounds = b
	}
	t.boxes = append(t.boxes, b)
	t.bounds = t.bounds.union(b)
}

// labelArea is the area whose labels are considered, relative to the drawn
// tile, in pixels at scale 1.
var labelArea = textBox{-labelMargin, -labelMargin, Size + labelMargin, Size + labelMargin}

// addLabel adds the label of a point.
func (p *painter) addLabel(f feature, at point, l level, v view) {
	style, ok := p.pointStyle(f.class, int(f.rank))
	if !ok || len(p.labels) == maxCandidates {
		return
	}
	// Near the antimeridian, labels of the other side of the world belong to the view.
	world := float64(l.size())
	x := float64(at.x) - v.west
	x -= math.Round(x/world) * world
	center := position{x * v.scale / p.scale, (float64(at.y) - v.north) * v.scale / p.scale}
	if !labelArea.overlaps(textBox{center.x, center.y, center.x, center.y}) {
		return
	}
	t := &textLabel{text: f.name, style: style, center: center}
	if hasDot(f, p.id.Z) {
		t.dot = &position{center.x, center.y}
		t.center.y -= style.size/2 + 4
		t.addBox(textBox{center.x - 4, center.y - 4, center.x + 4, center.y + 4})
	}
	t.priority[0] = float64(labelOrder(f))
	if t.layOut() {
		p.labels = append(p.labels, t)
	}
}

// Label is the name of a settlement. Its rank is that of [mapdata.Feature].
type Label struct {
	Name string
	Rank int
	x, y float64 // as project returns them
}

// NewLabel returns the label of a settlement at p.
func NewLabel(name string, rank int, p geo.Point) Label {
	x, y := project(p)
	return Label{name, rank, x, y}
}

// IsNear reports whether a tile may show the label, or has to consider it because it
// displaces others.
func (l Label) IsNear(id ID) bool {
	if id.Z < labelZoom(l.Rank) {
		return false
	}
	const reach = 0.5 + float64(labelMargin)/Size // in tiles
	n := float64(int(1) << id.Z)
	dx, dy := math.Abs(l.x*n-(float64(id.X)+0.5)), math.Abs(l.y*n-(float64(id.Y)+0.5))
	return min(dx, n-dx) <= reach && dy <= reach
}

// Tile returns the tile of a zoom that contains the position of the label.
func (l Label) Tile(zoom int) ID { return tileAt(zoom, l.x, l.y) }

// addLabels adds the labels of settlements.
func (p *painter) addLabels(list []Label) {
	level := levels[len(levels)-1]
	v, size := p.view(level), float64(level.size())
	for _, l := range list {
		at := point{int32(math.Round(l.x * size)), int32(math.Round(l.y * size))}
		p.addLabel(feature{class: mapdata.PlaceLabel, isLabel: true, rank: uint8(l.Rank), name: l.Name}, at, level, v)
	}
}

// labelOrder returns the first part of the priority of a label of a point.
func labelOrder(f feature) int {
	switch f.class {
	case mapdata.Border: // a country
		return int(f.rank)
	case mapdata.PlaceLabel:
		return 10 + int(f.rank)
	}
	return 30 + int(f.rank)
}

// pointStyle returns the style of the label of a point; ok is false if the zoom
// does not show it.
func (p *painter) pointStyle(class mapdata.Class, rank int) (s textStyle, ok bool) {
	c, z := p.colors, p.id.Z
	switch class {
	case mapdata.Border:
		return textStyle{medium, 12, c.minorLabel, c.land}, z >= rank && z <= min(rank+4, 7)
	case mapdata.PlaceLabel:
		size := 14.5 - 0.5*float64(min(rank, 9)) + 0.8*float64(min(max(z-labelZoom(rank), 0), 6))
		if rank >= 7 {
			return textStyle{medium, size, c.label, c.land}, z >= labelZoom(rank)
		}
		return textStyle{bold, size, c.label, c.land}, z >= labelZoom(rank)
	case mapdata.Water, mapdata.River:
		return textStyle{italic, 12.5, c.waterLabel, c.water}, z >= rank
	case mapdata.Park:
		return textStyle{medium, 11.5, c.parkLabel, c.park}, z >= rank
	case mapdata.Wood:
		return textStyle{medium, 11.5, c.parkLabel, c.wood}, z >= rank
	}
	return s, false
}

// hasDot reports whether a settlement is marked by a dot, with its name above the
// dot. At larger zooms there is no dot, and the name is in the middle of the
// settlement.
func hasDot(f feature, zoom int) bool {
	return f.class == mapdata.PlaceLabel && f.rank <= 5 && zoom <= 10
}

// layOut places the glyphs of the label of a point, in one or two lines around its
// center. It reports false if the name cannot be shown.
func (t *textLabel) layOut() bool {
	lines := []string{t.text}
	width, ok := t.style.face.width(t.text)
	if !ok || t.text == "" {
		return false
	}
	if float64(width)*t.style.size > maxLineWidth {
		lines = splitLines(t.text)
	}
	height := t.style.size * 1.15
	for i, text := range lines {
		w, _ := t.style.face.width(text)
		width := float64(w) * t.style.size
		if width > maxLabelWidth {
			return false
		}
		y := t.center.y + (float64(i)-float64(len(lines)-1)/2)*height
		if t.dot != nil { // the last line is next to the dot
			y = t.center.y - float64(len(lines)-1-i)*height
		}
		t.addBox(textBox{t.center.x - width/2 - 3, y - height/2 - 2, t.center.x + width/2 + 3, y + height/2 + 2})
		x := t.center.x - width/2
		for _, r := range text {
			g := t.style.face.glyph(r)
			t.glyphs = append(t.glyphs, placedGlyph{g, position{x, y + 0.35*t.style.size}, 0, 1})
			x += float64(g.advance) * t.style.size
		}
	}
	return true
}

// splitLines divides a name at the space nearest to its middle.
func splitLines(text string) []string {
	best := -1
	for i, r := range text {
		if r == ' ' && (best < 0 || abs(2*i-len(text)) < abs(2*best-len(text))) {
			best = i
		}
	}
	if best < 0 {
		return []string{text}
	}
	return []string{text[:best], strings.TrimSpace(text[best:])}
}

func abs(v int) int { return max(v, -v) }

// streetZooms are the smallest zooms that show the names of lines.
var streetZooms = map[mapdata.Class]int{
	mapdata.Motorway: 13, mapdata.Primary: 14, mapdata.Secondary: 15, mapdata.Street: 16, mapdata.Path: 17, mapdata.River: 14, mapdata.Rail: 18,
}

// addStreet adds labels along a line. They do not cross the border of the tile with
// the data, so that no other data is needed to place them.
func (p *painter) addStreet(f feature, part []point, h header, v view) {
	if zoom, ok := streetZooms[f.class]; !ok || p.id.Z < zoom {
		return
	}
	style := textStyle{medium, 10.5, p.colors.label, p.colors.land}
	if p.id.Z >= 17 {
		style.size = 11.5
	}
	if f.class == mapdata.River {
		style.face, style.color, style.halo = italic, p.colors.waterLabel, p.colors.water
	}
	em, ok := style.face.width(f.name)
	width := float64(em) * style.size
	if !ok || f.name == "" || width > maxLabelWidth*1.5 {
		return
	}
	inset := int32(math.Ceil((style.size/2 + 3) * p.scale / v.scale))
	corner := origin(h.id, h.level)
	inside := box{corner.x + inset, corner.y + inset, corner.x + h.level.extent - inset, corner.y + h.level.extent - inset}
	if inside.minX >= inside.maxX {
		return
	}
	for _, piece := range clipLine(nil, part, inside) {
		p.placeAlong(f, piece, style, width, v)
	}
}

// streetSpacing is the distance between labels of a long street in pixels.
const streetSpacing = 380

// placeAlong adds the labels along a line.
func (p *painter) placeAlong(f feature, piece []point, style textStyle, width float64, v view) {
	line := newTextLine(piece, v, p.scale)
	length := line.length()
	if length < width+10 || len(p.streets) >= maxCandidates {
		return
	}
	n := min(max(int(length/max(streetSpacing, 2*width)), 1), maxRepeats)
	spacing := length / float64(n)
	for i := range n {
		for _, offset := range [...]float64{0, 0.12, -0.12, 0.24, -0.24, 0.36, -0.36} {
			start := (float64(i)+0.5+offset)*spacing - width/2
			if start < 3 || start+width > length-3 {
				continue
			}
			t := &textLabel{text: f.name, style: style, followsLine: true, priority: [2]float64{float64(classes[f.class].order), -math.Round(length)}}
			if t.center = line.at(start + width/2); !labelArea.overlaps(textBox{t.center.x, t.center.y, t.center.x, t.center.y}) {
				break
			}
			if t.follow(line, start, width) {
				p.streets = append(p.streets, t)
				break
			}
		}
	}
}

// textLine is a line along which a label runs.
type textLine struct {
	points    []position
	distances []float64 // of the points from the first
}

func newTextLine(piece []point, v view, scale float64) textLine {
	var l textLine
	for i, q := range piece {
		at := position{(float64(q.x) - v.west) * v.scale / scale, (float64(q.y) - v.north) * v.scale / scale}
		d := 0.0
		if i > 0 {
			d = l.distances[i-1] + math.Hypot(at.x-l.points[i-1].x, at.y-l.points[i-1].y)
		}
		l.points, l.distances = append(l.points, at), append(l.distances, d)
	}
	return l
}

func (l textLine) length() float64 { return l.distances[len(l.distances)-1] }

// at returns the position at a distance from the first point.
func (l textLine) at(d float64) position {
	i, _ := slices.BinarySearch(l.distances, d)
	i = min(max(i, 1), len(l.points)-1)
	a, b := l.points[i-1], l.points[i]
	t := (d - l.distances[i-1]) / max(l.distances[i]-l.distances[i-1], 1e-9)
	return position{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t}
}

// Limits of the bends of a label, in radians.
const (
	maxGlyphBend = 0.45
	maxTextBend  = 1.2
)

// follow places the glyphs of the label along a line. It reports false if the line
// bends too much.
func (t *textLabel) follow(line textLine, start, width float64) bool {
	from, to := line.at(start), line.at(start+width)
	whole := math.Atan2(to.y-from.y, to.x-from.x)
	backwards := math.Abs(whole) > math.Pi/2
	if backwards { // the text is read from left to right
		whole = math.Atan2(from.y-to.y, from.x-to.x)
	}
	position0, last := 0.0, 0.0
	for i, r := range t.text {
		g := t.style.face.glyph(r)
		advance := float64(g.advance) * t.style.size
		a, b := start+position0, start+position0+advance
		if backwards {
			a, b = start+width-position0, start+width-position0-advance
		}
		p, q := line.at(a), line.at(b)
		angle := math.Atan2(q.y-p.y, q.x-p.x)
		if i > 0 && bend(angle, last) > maxGlyphBend || bend(angle, whole) > maxTextBend/2 {
			return false
		}
		last = angle
		sin, cos := math.Sincos(angle)
		center := position{(p.x + q.x) / 2, (p.y + q.y) / 2}
		down := 0.34 * t.style.size
		t.glyphs = append(t.glyphs, placedGlyph{g, position{center.x - cos*advance/2 - sin*down, center.y - sin*advance/2 + cos*down}, sin, cos})
		half := max(advance, t.style.size)/2 + 1.5
		t.addBox(textBox{center.x - half, center.y - half, center.x + half, center.y + half})
		position0 += advance
	}
	return true
}

func bend(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 2*math.Pi-d)
}

// selectLabels returns the labels that are shown: those that overlap none of a higher
// priority that is shown. A label is not shown if its selection depends on a chain of
// more than maxDepth labels: a tile would have to consider labels far away, to decide
// as the tiles around it do. shown are labels that are drawn in any case.
func selectLabels(candidates, shown []*textLabel, maxDepth int) []*textLabel {
	slices.SortFunc(candidates, comparePriority)
	candidates = candidates[:min(len(candidates), maxLabels)]
	depths := make([]int, len(candidates))
	accepted := make([]bool, len(candidates))
	for i, t := range candidates {
		free := !slices.ContainsFunc(shown, t.overlaps)
		for j, o := range candidates[:i] {
			if (free || depths[j] >= depths[i]) && o.overlaps(t) {
				depths[i] = max(depths[i], depths[j]+1)
				free = free && !accepted[j]
			}
		}
		accepted[i] = free && depths[i] <= maxDepth
	}
	for i, t := range candidates {
		if accepted[i] {
			shown = append(shown, t)
		}
	}
	return shown
}

// comparePriority orders labels. The last criterion is the position relative to the
// tile: the order of two labels is the same in all tiles.
func comparePriority(a, b *textLabel) int {
	return cmp.Or(cmp.Compare(a.priority[0], b.priority[0]), cmp.Compare(a.priority[1], b.priority[1]),
		cmp.Compare(a.text, b.text), cmp.Compare(a.center.x, b.center.x), cmp.Compare(a.center.y, b.center.y))
}

// crossesTiles reports whether the label is in more than one tile.
func (t *textLabel) crossesTiles() bool {
	b := t.bounds
	return math.Floor(b.minX/Size) != math.Floor(b.maxX/Size) || math.Floor(b.minY/Size) != math.Floor(b.maxY/Size)
}

// selectAll returns all labels that are shown. Labels of lines are selected first if
// they are in several tiles, which must agree on them. The other labels of lines
// concern only one tile.
func (p *painter) selectAll() []*textLabel {
	labels := selectLabels(p.labels, nil, maxLabelDepth)
	var across, inside []*textLabel
	for _, t := range p.streets {
		if t.crossesTiles() {
			across = append(across, t)
		} else if t.bounds.overlaps(textBox{0, 0, Size, Size}) {
			inside = append(inside, t)
		}
	}
	labels = selectLabels(across, labels, maxLabelDepth)
	return selectLabels(inside, labels, maxLabels)
}

// paintLabels selects and draws the labels.
func (p *painter) paintLabels() {
	labels := p.selectAll()
	tile := textBox{-4, -4, Size + 4, Size + 4}
	labels = slices.DeleteFunc(labels, func(t *textLabel) bool { return !t.bounds.overlaps(tile) })
	type paint struct {
		color color
		halo  bool
	}
	groups := make(map[paint][]*textLabel)
	var order []paint
	for _, halo := range []bool{true, false} {
		for _, t := range labels {
			k := paint{t.style.color, halo}
			if halo {
				k.color = t.style.halo
			}
			if groups[k] == nil {
				order = append(order, k)
			}
			groups[k] = append(groups[k], t)
		}
	}
	for _, k := range order {
		p.canvas.paint(k.color, func(r *vector.Rasterizer) {
			for _, t := range groups[k] {
				p.addText(r, t, k.halo)
			}
		})
	}
}

// haloWidth is the width of the light border of a label, in pixels at scale 1.
const haloWidth = 1.4

// addText adds the outlines of a label to the path of a rasterizer.
func (p *painter) addText(r *vector.Rasterizer, t *textLabel, halo bool) {
	size := float32(t.style.size * p.scale)
	if t.dot != nil {
		p.addDot(r, *t.dot, halo)
	}
	for _, g := range t.glyphs {
		x, y := float32(g.at.x*p.scale), float32(g.at.y*p.scale)
		sin, cos := float32(g.sin)*size, float32(g.cos)*size
		at := func(q pixel) pixel { return pixel{x + q.x*cos - q.y*sin, y + q.x*sin + q.y*cos} }
		g.glyph.contours.each(func(contour []pixel) {
			if halo {
				addHalo(r, contour, at, float32(haloWidth*p.scale))
				return
			}
			for i, q := range contour {
				if q = at(q); i == 0 {
					r.MoveTo(q.x, q.y)
				} else {
					r.LineTo(q.x, q.y)
				}
			}
			r.ClosePath()
		})
	}
}

// addDot adds the dot of a settlement.
func (p *painter) addDot(r *vector.Rasterizer, at position, halo bool) {
	radius := 2.2
	if halo {
		radius += haloWidth
	}
	dot := pixelPath{points: []pixel{{float32(at.x * p.scale), float32(at.y * p.scale)}}, ends: []int{1}}
	stroke(r, &dot, 2*radius*p.scale, false)
}

// addHalo adds a rectangle around each side of a contour. The rectangles overlap at
// the corners.
func addHalo(r *vector.Rasterizer, contour []pixel, at func(pixel) pixel, half float32) {
	for i, q := range contour {
		a, b := at(q), at(contour[(i+1)%len(contour)])
		dx, dy := b.x-a.x, b.y-a.y
		length := float32(math.Hypot(float64(dx), float64(dy)))
		if length == 0 {
			continue
		}
		extend := 0.6 * half / length
		a, b = pixel{a.x - dx*extend, a.y - dy*extend}, pixel{b.x + dx*extend, b.y + dy*extend}
		segment(r, a, b, half)
	}
}
