package tile

import (
	"math"
	"slices"
)

// simplifyRun limits the points that simplify considers together. It bounds the time
// for lines with many points.
const simplifyRun = 512

// simplify returns the points of a line without those that are nearer than tolerance
// to the line through the others (the algorithm of Douglas and Peucker). It keeps the
// first and the last point. The result uses the memory of line.
func simplify(line []point, tolerance float64) []point {
	if len(line) <= 2 {
		return line
	}
	kept := line[:1]
	for start := 0; start < len(line)-1; {
		end := min(start+simplifyRun, len(line)-1)
		// The run is copied, because kept grows over it.
		var run [simplifyRun + 1]point
		n := copy(run[:], line[start:end+1])
		kept = appendSimplified(kept, run[:n], tolerance)
		start = end
	}
	return kept
}

// appendSimplified appends the kept points of run except the first.
func appendSimplified(kept, run []point, tolerance float64) []point {
	first, last := run[0], run[len(run)-1]
	farthest, at := tolerance*tolerance, -1
	for i := 1; i < len(run)-1; i++ {
		if d := distanceToSegment(run[i], first, last); d > farthest {
			farthest, at = d, i
		}
	}
	if at < 0 {
		return append(kept, last)
	}
	kept = appendSimplified(kept, run[:at+1], tolerance)
	return appendSimplified(kept, run[at:], tolerance)
}

// distanceToSegment returns the square of the distance.
func distanceToSegment(p, a, b point) float64 {
	dx, dy := float64(b.x)-float64(a.x), float64(b.y)-float64(a.y)
	px, py := float64(p.x)-float64(a.x), float64(p.y)-float64(a.y)
	if length := dx*dx + dy*dy; length > 0 {
		t := min(max((px*dx+py*dy)/length, 0), 1)
		px, py = px-t*dx, py-t*dy
	}
	return px*px + py*py
}

// openRing returns a ring without the repetition of its first point at its end and
// without points that repeat the one before.
func openRing(ring []point) []point {
	ring = withoutRepeats(ring)
	for len(ring) > 1 && ring[0] == ring[len(ring)-1] {
		ring = ring[:len(ring)-1]
	}
	return ring
}

// withoutRepeats removes points that repeat the one before. The result uses the
// memory of line.
func withoutRepeats(line []point) []point {
	kept := line[:0]
	for i, p := range line {
		if i == 0 || p != kept[len(kept)-1] {
			kept = append(kept, p)
		}
	}
	return kept
}

// ringArea returns the area of a ring in square units, negative if the ring runs
// counter-clockwise on the screen.
func ringArea(ring []point) float64 {
	sum := 0.0
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		sum += float64(p.x)*float64(q.y) - float64(q.x)*float64(p.y)
	}
	return sum / 2
}

// maxNesting limits the steps of orient.
const maxNesting = 20_000_000

// orient reverses rings so that the rings that surround an area run clockwise on the
// screen and the rings of its holes counter-clockwise. A drawing that adds up the
// signed areas of many features then shows all of them. Rings may touch each other, as
// a coastline touches the border of its file. An area that is too complex is treated as
// if it had no holes.
func orient(rings [][]point) {
	bounds, areas := make([]box, len(rings)), make([]float64, len(rings))
	steps := 0
	for i, ring := range rings {
		bounds[i], areas[i] = boundsOf(rings[i:i+1]), math.Abs(ringArea(ring))
		steps += 2*len(ring) + len(rings)
	}
	for i, ring := range rings {
		inside, located := false, false
		var x, y float64 // of a point within the ring
		for j, other := range rings {
			if areas[i] >= areas[j] || !bounds[j].contains(ring[0]) {
				continue
			}
			if steps += len(other); steps > maxNesting {
				inside = false
				break
			}
			if !located {
				x, y = innerPoint(rings[i:i+1], bounds[i])
				located = true
			}
			if ringContains(other, x, y) {
				inside = !inside
			}
		}
		if ringArea(ring) < 0 != inside {
			for a, b := 0, len(ring)-1; a < b; a, b = a+1, b-1 {
				ring[a], ring[b] = ring[b], ring[a]
			}
		}
	}
}

// innerPoint returns a point within a ring, but not on it, unless the ring has no height.
// ring has one element.
func innerPoint(ring [][]point, b box) (x, y float64) {
	y = float64(b.minY) + float64(b.height()/2) + 0.5 // no point of a ring has this coordinate
	left, right := widestSpan(ring, y)
	return (left + right) / 2, y
}

func ringContains(ring []point, x, y float64) bool {
	inside := false
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if (float64(a.y) > y) != (float64(b.y) > y) &&
			x < float64(a.x)+(y-float64(a.y))*(float64(b.x)-float64(a.x))/(float64(b.y)-float64(a.y)) {
			inside = !inside
		}
	}
	return inside
}

// labelPoint returns a point of an area for its label: the middle of the widest part
// of the area on one of a few horizontal lines. ok is false for an empty area.
func labelPoint(rings [][]point) (p point, ok bool) {
	b := boundsOf(rings)
	best := 0.0
	for i := range 9 {
		// Lines near the middle are preferred.
		offset := float64((i+1)/2) / 10
		if i%2 == 1 {
			offset = -offset
		}
		y := float64(b.minY) + float64(b.height())*(0.5+offset) + 0.01
		if left, right := widestSpan(rings, y); (right-left)*(1-math.Abs(offset)) > best {
			best = (right - left) * (1 - math.Abs(offset))
			p, ok = point{int32((left + right) / 2), int32(y)}, true
		}
	}
	return p, ok
}

// widestSpan returns the widest part of an area on a horizontal line.
func widestSpan(rings [][]point, y float64) (left, right float64) {
	var crossings []float64
	for _, ring := range rings {
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			if (float64(a.y) > y) != (float64(b.y) > y) {
				t := (y - float64(a.y)) / (float64(b.y) - float64(a.y))
				crossings = append(crossings, float64(a.x)+t*(float64(b.x)-float64(a.x)))
			}
		}
	}
	slices.Sort(crossings)
	for i := 0; i+1 < len(crossings); i += 2 {
		if crossings[i+1]-crossings[i] > right-left {
			left, right = crossings[i], crossings[i+1]
		}
	}
	return left, right
}
