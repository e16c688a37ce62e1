package reader

import (
	"math"
	"slices"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/reader/pbf"
)

// isClosed reports whether a line is a ring.
func isClosed(line []pbf.Point) bool { return len(line) >= 4 && line[0] == line[len(line)-1] }

// joinLines joins lines at their ends. It returns the closed rings, and the lines
// that remain open. With directed, an end is joined only with a beginning, and the
// directions stay.
func joinLines(lines [][]pbf.Point, directed bool) (rings, open [][]pbf.Point) {
	ends := make(map[pbf.Point][]int, 2*len(lines)) // lines by their ends, or by their beginnings if directed
	for i, l := range lines {
		switch {
		case len(l) < 2:
		case isClosed(l):
			rings = append(rings, l)
		default:
			ends[l[0]] = append(ends[l[0]], i)
			if !directed {
				ends[l[len(l)-1]] = append(ends[l[len(l)-1]], i)
			}
		}
	}
	used := make([]bool, len(lines))
	// next returns an unused line at p, beginning with p.
	next := func(p pbf.Point) []pbf.Point {
		for candidates := ends[p]; len(candidates) > 0; {
			i := candidates[len(candidates)-1]
			candidates = candidates[:len(candidates)-1]
			ends[p] = candidates
			if used[i] {
				continue
			}
			used[i] = true
			if lines[i][0] == p {
				return lines[i]
			}
			reversed := slices.Clone(lines[i])
			slices.Reverse(reversed)
			return reversed
		}
		return nil
	}
	for _, i := range joinOrder(lines, directed) {
		l := lines[i]
		if used[i] || len(l) < 2 || isClosed(l) {
			continue
		}
		used[i] = true
		line := slices.Clone(l)
		for line[0] != line[len(line)-1] {
			more := next(line[len(line)-1])
			if more == nil {
				break
			}
			line = append(line, more[1:]...)
		}
		if isClosed(line) {
			rings = append(rings, line)
		} else if line[0] != line[len(line)-1] {
			open = append(open, line)
		}
	}
	return rings, open
}

// joinOrder returns the order in which joinLines begins with lines. With directed, it
// begins with those at which no other line ends, so that it joins the whole line.
func joinOrder(lines [][]pbf.Point, directed bool) []int {
	ends := make(map[pbf.Point]bool, len(lines))
	if directed {
		for _, l := range lines {
			if len(l) > 0 {
				ends[l[len(l)-1]] = true
			}
		}
	}
	var first, rest []int
	for i, l := range lines {
		if len(l) > 0 && !ends[l[0]] {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}

// toGeo converts points.
func toGeo(points []pbf.Point) []geo.Point {
	converted := make([]geo.Point, len(points))
	for i, p := range points {
		converted[i] = geoPoint(p)
	}
	return converted
}

func geoPoint(p pbf.Point) geo.Point {
	return geo.Point{Latitude: float64(p.Latitude) / 1e7, Longitude: float64(p.Longitude) / 1e7}
}

// pointInArea returns a point inside the rings: the centroid of the largest, or if
// that is outside, a point with the same latitude. If the area is empty, it returns
// its first point.
func pointInArea(rings [][]geo.Point) geo.Point {
	largest, center := -1.0, rings[0][0]
	for _, r := range rings {
		if c, size := centroid(r); size > largest {
			largest, center = size, c
		}
	}
	// The longitudes where the rings cross the latitude of the centroid.
	var crossings []float64
	for _, r := range rings {
		for i := 1; i < len(r); i++ {
			a, b := r[i-1], r[i]
			if (a.Latitude > center.Latitude) != (b.Latitude > center.Latitude) {
				crossings = append(crossings, a.Longitude+(center.Latitude-a.Latitude)/(b.Latitude-a.Latitude)*(b.Longitude-a.Longitude))
			}
		}
	}
	slices.Sort(crossings)
	widest, middle := -1.0, center.Longitude
	for i := 1; i < len(crossings); i += 2 {
		west, east := crossings[i-1], crossings[i]
		if center.Longitude >= west && center.Longitude <= east {
			return center
		}
		if east-west > widest {
			widest, middle = east-west, (west+east)/2
		}
	}
	center.Longitude = middle
	return center
}

// centroid returns the centroid of a ring and the size of its area, in square degrees.
func centroid(ring []geo.Point) (center geo.Point, size float64) {
	origin := ring[0] // computing relative to a point of the ring keeps the precision
	var sum, lat, lon float64
	for i := 1; i < len(ring); i++ {
		ax, ay := ring[i-1].Longitude-origin.Longitude, ring[i-1].Latitude-origin.Latitude
		bx, by := ring[i].Longitude-origin.Longitude, ring[i].Latitude-origin.Latitude
		cross := ax*by - bx*ay
		sum += cross
		lon += (ax + bx) * cross
		lat += (ay + by) * cross
	}
	center = geo.Point{Latitude: origin.Latitude + lat/(3*sum), Longitude: origin.Longitude + lon/(3*sum)}
	if !center.Valid() { // the ring is empty, or crosses itself
		return origin, 0
	}
	return center, math.Abs(sum) / 2
}

// midpoint returns the point halfway along a line, and the length of the line in
// degrees.
func midpoint(line []geo.Point) (p geo.Point, length float64) {
	for i := 1; i < len(line); i++ {
		length += degrees(line[i-1], line[i])
	}
	rest := length / 2
	for i := 1; i < len(line); i++ {
		step := degrees(line[i-1], line[i])
		if step >= rest && step > 0 {
			a, b, t := line[i-1], line[i], rest/step
			return geo.Point{Latitude: a.Latitude + t*(b.Latitude-a.Latitude), Longitude: a.Longitude + t*(b.Longitude-a.Longitude)}, length
		}
		rest -= step
	}
	return line[0], length
}

// degrees returns the distance of near points, in degrees of latitude.
func degrees(a, b geo.Point) float64 {
	return math.Hypot(b.Latitude-a.Latitude, (b.Longitude-a.Longitude)*math.Cos(a.Latitude*math.Pi/180))
}
