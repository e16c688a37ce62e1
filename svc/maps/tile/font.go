package tile

import (
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is a font with a cache of its glyphs.
type face struct {
	data []byte
	once sync.Once
	font *sfnt.Font

	mu     sync.Mutex
	buffer sfnt.Buffer
	glyphs map[rune]*glyph // at most one for each glyph of the font
}

// The fonts of labels.
var (
	medium = &face{data: gomedium.TTF}
	bold   = &face{data: gobold.TTF}
	italic = &face{data: goitalic.TTF}
)

// glyph is the outline of a character. Its unit is the size of the font; y counts
// downwards from the base line.
type glyph struct {
	advance  float32
	contours pixelPath
}

// CanDraw reports whether the fonts of labels have all characters of a name.
func CanDraw(name string) bool {
	for _, r := range name {
		if medium.glyph(r) == nil {
			return false
		}
	}
	return true
}

// glyph returns the glyph of a character, nil if the font has none.
func (f *face) glyph(r rune) *glyph {
	f.once.Do(func() {
		f.font = must(sfnt.Parse(f.data))
		f.glyphs = make(map[rune]*glyph)
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	if g := f.glyphs[r]; g != nil {
		return g
	}
	index, err := f.font.GlyphIndex(&f.buffer, r)
	if err != nil || index == 0 {
		return nil
	}
	g, err := f.load(index)
	if err != nil {
		return nil
	}
	f.glyphs[r] = g
	return g
}

// load reads an outline from the font.
func (f *face) load(index sfnt.GlyphIndex) (*glyph, error) {
	units := fixed.I(int(f.font.UnitsPerEm()))
	advance, err := f.font.GlyphAdvance(&f.buffer, index, units, font.HintingNone)
	if err != nil {
		return nil, err
	}
	segments, err := f.font.LoadGlyph(&f.buffer, index, units, nil)
	if err != nil {
		return nil, err
	}
	g := &glyph{advance: float32(advance) / float32(units)}
	at := func(p fixed.Point26_6) pixel {
		return pixel{float32(p.X) / float32(units), float32(p.Y) / float32(units)}
	}
	var pen pixel
	c := &g.contours
	for _, s := range segments {
		a, b := at(s.Args[0]), at(s.Args[1])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			c.endContour()
			c.points = append(c.points, a)
			pen = a
		case sfnt.SegmentOpLineTo:
			c.points = append(c.points, a)
			pen = a
		case sfnt.SegmentOpQuadTo: // the Go fonts have no other curves
			c.addCurve(pen, a, b)
			pen = b
		}
	}
	c.endContour()
	return g, nil
}

// endContour ends the current part if it has points.
func (p *pixelPath) endContour() {
	if start := len(p.ends); start == 0 && len(p.points) > 0 || start > 0 && len(p.points) > p.ends[start-1] {
		p.end()
	}
}

// curveSteps is the number of lines that approximate a curve of a glyph.
const curveSteps = 4

// addCurve adds a quadratic Bézier curve.
func (p *pixelPath) addCurve(from, control, to pixel) {
	for i := 1; i <= curveSteps; i++ {
		t := float32(i) / curveSteps
		a, b, c := (1-t)*(1-t), 2*t*(1-t), t*t
		p.points = append(p.points, pixel{a*from.x + b*control.x + c*to.x, a*from.y + b*control.y + c*to.y})
	}
}

// width returns the width of a text in units of the size; ok is false if the font
// lacks a character.
func (f *face) width(text string) (width float32, ok bool) {
	for _, r := range text {
		g := f.glyph(r)
		if g == nil {
			return 0, false
		}
		width += g.advance
	}
	return width, true
}
