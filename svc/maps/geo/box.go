package geo

import "math"

// Box is an area between two parallels and two meridians, in degrees. If West is
// greater than East, the box contains the antimeridian.
type Box struct {
	South, West, North, East float64
}

// Around returns the smallest box that contains all points within a distance of p,
// in meters. It spans all longitudes if it contains a pole.
func Around(p Point, meters float64) Box {
	dLat := meters / MetersPerDegree
	b := Box{South: p.Latitude - dLat, West: -180, North: p.Latitude + dLat, East: 180}
	if b.North >= 90 || b.South <= -90 {
		b.South, b.North = max(b.South, -90), min(b.North, 90)
		return b
	}
	// The easternmost point of a circle is nearer to the pole than its center.
	dLon := math.Asin(min(1, math.Sin(radians(dLat))/math.Cos(radians(p.Latitude)))) * 180 / math.Pi
	if dLon < 180 {
		b.West, b.East = wrap(p.Longitude-dLon), wrap(p.Longitude+dLon)
	}
	return b
}

// wrap returns the longitude between -180 and 180 that is equivalent to degrees.
func wrap(degrees float64) float64 {
	switch {
	case degrees < -180:
		return degrees + 360
	case degrees > 180:
		return degrees - 360
	}
	return degrees
}

// Contains reports whether p is in the box or on its border.
func (b Box) Contains(p Point) bool {
	if p.Latitude < b.South || p.Latitude > b.North {
		return false
	}
	if b.West > b.East {
		return p.Longitude >= b.West || p.Longitude <= b.East
	}
	return p.Longitude >= b.West && p.Longitude <= b.East
}

// Split returns the box, or its two parts if it contains the antimeridian. In the
// parts, West is not greater than East.
func (b Box) Split() []Box {
	if b.West <= b.East {
		return []Box{b}
	}
	return []Box{{b.South, b.West, b.North, 180}, {b.South, -180, b.North, b.East}}
}

// Union returns the smallest box that contains both boxes.
func (b Box) Union(other Box) Box {
	all := Box{South: min(b.South, other.South), West: -180, North: max(b.North, other.North), East: 180}
	width := 360.0
	for _, west := range []float64{b.West, other.West} {
		for _, east := range []float64{b.East, other.East} {
			w := span(west, east)
			if w < width && span(west, b.West)+span(b.West, b.East) <= w && span(west, other.West)+span(other.West, other.East) <= w {
				all.West, all.East, width = west, east, w
			}
		}
	}
	return all
}

// span returns the degrees from a meridian eastward to another.
func span(west, east float64) float64 {
	if east < west {
		return east - west + 360
	}
	return east - west
}
