package tile

import "math"

// clipLine appends the parts of a line within b.
func clipLine(parts [][]point, line []point, b box) [][]point {
	var part []point
	for i := 1; i < len(line); i++ {
		from, to, ok := clipSegment(line[i-1], line[i], b)
		if !ok {
			continue
		}
		if len(part) == 0 || part[len(part)-1] != from {
			if len(part) > 1 {
				parts = append(parts, part)
			}
			part = []point{from}
		}
		if to != from {
			part = append(part, to)
		}
	}
	if len(part) > 1 {
		parts = append(parts, part)
	}
	return parts
}

// clipSegment returns the part of a segment within b (the algorithm of Liang and
// Barsky).
func clipSegment(p, q point, b box) (from, to point, ok bool) {
	if b.contains(p) && b.contains(q) {
		return p, q, true
	}
	x, y := float64(p.x), float64(p.y)
	dx, dy := float64(q.x)-x, float64(q.y)-y
	t0, t1 := 0.0, 1.0
	for _, edge := range [4][2]float64{
		{-dx, x - float64(b.minX)}, {dx, float64(b.maxX) - x}, {-dy, y - float64(b.minY)}, {dy, float64(b.maxY) - y},
	} {
		switch d, room := edge[0], edge[1]; {
		case d == 0 && room < 0:
			return from, to, false
		case d < 0:
			t0 = max(t0, room/d)
		case d > 0:
			t1 = min(t1, room/d)
		}
	}
	if t0 > t1 {
		return from, to, false
	}
	at := func(t float64) point {
		return point{int32(math.Round(x + t*dx)), int32(math.Round(y + t*dy))}
	}
	from, to = p, q
	if t0 > 0 {
		from = at(t0)
	}
	if t1 < 1 {
		to = at(t1)
	}
	return from, to, true
}

// clipRing returns the part of a ring within b (the algorithm of Sutherland and
// Hodgman). Parts that b separates are connected along its border. A ring within b
// is returned as it is.
func clipRing(ring []point, b box) []point {
	rb := boundsOf([][]point{ring})
	switch {
	case !rb.overlaps(b):
		return nil
	case b.contains(point{rb.minX, rb.minY}) && b.contains(point{rb.maxX, rb.maxY}):
		return ring
	}
	if rb.minX < b.minX {
		ring = clipRingEdge(ring, func(p point) bool { return p.x >= b.minX }, func(p, q point) point { return point{b.minX, crossY(p, q, b.minX)} })
	}
	if rb.maxX > b.maxX {
		ring = clipRingEdge(ring, func(p point) bool { return p.x <= b.maxX }, func(p, q point) point { return point{b.maxX, crossY(p, q, b.maxX)} })
	}
	if rb.minY < b.minY {
		ring = clipRingEdge(ring, func(p point) bool { return p.y >= b.minY }, func(p, q point) point { return point{crossX(p, q, b.minY), b.minY} })
	}
	if rb.maxY > b.maxY {
		ring = clipRingEdge(ring, func(p point) bool { return p.y <= b.maxY }, func(p, q point) point { return point{crossX(p, q, b.maxY), b.maxY} })
	}
	if ring = openRing(ring); len(ring) < 3 {
		return nil
	}
	return ring
}

func clipRingEdge(ring []point, inside func(point) bool, cross func(p, q point) point) []point {
	var kept []point
	for i, q := range ring {
		p := ring[(i+len(ring)-1)%len(ring)]
		switch in := inside(q); {
		case in && !inside(p):
			kept = append(kept, cross(p, q), q)
		case in:
			kept = append(kept, q)
		case inside(p):
			kept = append(kept, cross(p, q))
		}
	}
	return kept
}

func crossY(p, q point, x int32) int32 {
	t := (float64(x) - float64(p.x)) / (float64(q.x) - float64(p.x))
	return int32(math.Round(float64(p.y) + t*(float64(q.y)-float64(p.y))))
}

func crossX(p, q point, y int32) int32 {
	t := (float64(y) - float64(p.y)) / (float64(q.y) - float64(p.y))
	return int32(math.Round(float64(p.x) + t*(float64(q.x)-float64(p.x))))
}

// tileRange is a rectangle of tiles of one level, borders included.
type tileRange struct{ minX, minY, maxX, maxY int32 }

func (r tileRange) tiles() int64 {
	return (int64(r.maxX) - int64(r.minX) + 1) * (int64(r.maxY) - int64(r.minY) + 1)
}

// bounds returns the area of the tiles with their buffer.
func (r tileRange) bounds(l level) box {
	return box{r.minX * l.extent, r.minY * l.extent, (r.maxX + 1) * l.extent, (r.maxY + 1) * l.extent}.grow(l.buffer())
}

// rangeOf returns the tiles that b overlaps with their buffers; ok is false for none.
func rangeOf(b box, l level) (r tileRange, ok bool) {
	last := int32(1)<<l.z - 1
	b = b.grow(l.buffer())
	r = tileRange{max(floorDiv(b.minX, l.extent), 0), max(floorDiv(b.minY, l.extent), 0),
		min(floorDiv(b.maxX, l.extent), last), min(floorDiv(b.maxY, l.extent), last)}
	return r, r.minX <= r.maxX && r.minY <= r.maxY
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// cut calls f with the parts of a line or an area in each tile of r. It halves the
// range of tiles repeatedly, so that its time hardly depends on the product of points
// and tiles.
func cut(parts [][]point, s shape, l level, r tileRange, f func(x, y int32, parts [][]point) error) error {
	bounds := r.bounds(l)
	var inside [][]point
	for _, part := range parts {
		if s == line {
			inside = clipLine(inside, part, bounds)
		} else if ring := clipRing(part, bounds); ring != nil {
			inside = append(inside, ring)
		}
	}
	if len(inside) == 0 {
		return nil
	}
	if r.tiles() == 1 {
		return f(r.minX, r.minY, inside)
	}
	a, b := r, r
	if r.maxX-r.minX > r.maxY-r.minY {
		a.maxX = (r.minX + r.maxX) / 2
		b.minX = a.maxX + 1
	} else {
		a.maxY = (r.minY + r.maxY) / 2
		b.minY = a.maxY + 1
	}
	if err := cut(inside, s, l, a, f); err != nil {
		return err
	}
	return cut(inside, s, l, b, f)
}
