package tile

import (
	"math"

	"golang.org/x/image/vector"
)

// pixel is a position in a drawing.
type pixel struct{ x, y float32 }

// pixelPath is a set of lines or rings in pixels. Its memory is reused.
type pixelPath struct {
	points []pixel
	ends   []int // of the parts in points
}

func (p *pixelPath) reset() { p.points, p.ends = p.points[:0], p.ends[:0] }

func (p *pixelPath) isEmpty() bool { return len(p.ends) == 0 }

// end ends the current part.
func (p *pixelPath) end() { p.ends = append(p.ends, len(p.points)) }

// each calls f with the parts.
func (p *pixelPath) each(f func(part []pixel)) {
	start := 0
	for _, end := range p.ends {
		f(p.points[start:end])
		start = end
	}
}

// fill adds rings to the path of a rasterizer.
func fill(r *vector.Rasterizer, p *pixelPath) {
	p.each(func(ring []pixel) {
		r.MoveTo(ring[0].x, ring[0].y)
		for _, q := range ring[1:] {
			r.LineTo(q.x, q.y)
		}
		r.ClosePath()
	})
}

// stroke adds the outline of lines to the path of a rasterizer: a rectangle for each
// segment, and a circle for each end and bend. All of them run in the same direction,
// so that their overlaps are filled.
func stroke(r *vector.Rasterizer, p *pixelPath, width float64, closed bool) {
	half := float32(width / 2)
	disc := discFor(half)
	p.each(func(part []pixel) {
		n := len(part)
		for i := 1; i < n; i++ {
			segment(r, part[i-1], part[i], half)
		}
		if closed {
			segment(r, part[n-1], part[0], half)
		}
		if disc == nil {
			return
		}
		for i, q := range part {
			if i > 0 && i < n-1 && isStraight(part[i-1], q, part[i+1], half) {
				continue
			}
			r.MoveTo(q.x+disc[0].x, q.y+disc[0].y)
			for _, d := range disc[1:] {
				r.LineTo(q.x+d.x, q.y+d.y)
			}
			r.ClosePath()
		}
	})
}

// segment adds a rectangle around a segment.
func segment(r *vector.Rasterizer, a, b pixel, half float32) {
	dx, dy := b.x-a.x, b.y-a.y
	length := float32(math.Sqrt(float64(dx*dx + dy*dy)))
	if length == 0 {
		return
	}
	nx, ny := -dy*half/length, dx*half/length
	r.MoveTo(a.x+nx, a.y+ny)
	r.LineTo(a.x-nx, a.y-ny)
	r.LineTo(b.x-nx, b.y-ny)
	r.LineTo(b.x+nx, b.y+ny)
	r.ClosePath()
}

// isStraight reports whether the gap between the rectangles of two segments is
// too small to see.
func isStraight(a, b, c pixel, half float32) bool {
	ux, uy, vx, vy := b.x-a.x, b.y-a.y, c.x-b.x, c.y-b.y
	dot := ux*vx + uy*vy
	cross := ux*vy - uy*vx
	if dot <= 0 {
		return false
	}
	// The gap is half the width times the sine of the bend. Below 0.2 pixels it is invisible.
	return cross*cross*half*half < 0.04*(dot*dot+cross*cross)
}

// discFor returns a polygon that approximates a circle, nil for a radius at which it
// makes no visible difference. Its direction is that of segment.
func discFor(radius float32) []pixel {
	if radius < 0.6 {
		return nil
	}
	n := 6 + 2*int(math.Sqrt(float64(radius)*4))
	disc := make([]pixel, n)
	for i := range disc {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		disc[i] = pixel{radius * float32(cos), radius * float32(sin)}
	}
	return disc
}

// dash appends the dashes of a line within a square from -margin to size + margin. on
// and off are lengths in pixels; the first dash begins at the first point.
func dash(to *pixelPath, line []pixel, on, off float64, size, margin float32) {
	position := 0.0
	for i := 1; i < len(line); i++ {
		a, b := line[i-1], line[i]
		length := math.Hypot(float64(b.x-a.x), float64(b.y-a.y))
		at := func(d float64) pixel {
			t := float32(d / length)
			return pixel{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t}
		}
		first, last, ok := visibleRange(a, b, -margin, size+margin)
		if period := on + off; ok && length > 0 {
			first, last = first*length, last*length
			start := math.Floor((position+first)/period)*period - position
			for ; start < last; start += period {
				if from, until := max(start, first), min(start+on, last); from < until {
					to.points = append(to.points, at(from), at(until))
					to.end()
				}
			}
		}
		position += length
	}
}

// visibleRange returns the range of a segment, as parts of its length, within a
// square.
func visibleRange(a, b pixel, low, high float32) (first, last float64, ok bool) {
	last = 1
	for _, axis := range [2][2]float32{{a.x, b.x}, {a.y, b.y}} {
		from, d := float64(axis[0]), float64(axis[1])-float64(axis[0])
		if d == 0 {
			if axis[0] < low || axis[0] > high {
				return 0, 0, false
			}
			continue
		}
		t0, t1 := (float64(low)-from)/d, (float64(high)-from)/d
		first, last = max(first, min(t0, t1)), min(last, max(t0, t1))
	}
	return first, last, first < last
}
