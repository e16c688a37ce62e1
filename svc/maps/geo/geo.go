// Package geo computes with positions on the Earth: distances, bearings and
// bounding boxes. It treats the Earth as a sphere, so distances differ from those
// on the WGS 84 ellipsoid by up to 0.6 %.
//
// # Files
//
//   - geo.go: Point, distances and bearings
//   - box.go: Box
package geo

import "math"

// MetersPerDegree is the length of one degree of latitude, in meters.
const MetersPerDegree = earthRadius * math.Pi / 180

// earthRadius is the mean radius of the Earth in meters.
const earthRadius = 6371008.8

// Point is a position in WGS 84, in degrees.
type Point struct {
	Latitude  float64 // -90 to 90, positive in the north
	Longitude float64 // -180 to 180, positive in the east
}

// Valid reports whether both coordinates are within their ranges.
func (p Point) Valid() bool {
	return p.Latitude >= -90 && p.Latitude <= 90 && p.Longitude >= -180 && p.Longitude <= 180
}

// Distance returns the length of the great circle from a to b, in meters.
func Distance(a, b Point) float64 {
	lat1, lat2 := radians(a.Latitude), radians(b.Latitude)
	sinLat, sinLon := math.Sin((lat2-lat1)/2), math.Sin(radians(b.Longitude-a.Longitude)/2)
	h := sinLat*sinLat + math.Cos(lat1)*math.Cos(lat2)*sinLon*sinLon
	return 2 * earthRadius * math.Asin(math.Sqrt(min(h, 1)))
}

// Bearing returns the direction from a to b at a, in degrees clockwise from true
// north, at least 0 and less than 360.
func Bearing(a, b Point) float64 {
	lat1, lat2, dLon := radians(a.Latitude), radians(b.Latitude), radians(b.Longitude-a.Longitude)
	y := math.Sin(dLon) * math.Cos(lat2)
	x := math.Cos(lat1)*math.Sin(lat2) - math.Sin(lat1)*math.Cos(lat2)*math.Cos(dLon)
	degrees := math.Mod(math.Atan2(y, x)*180/math.Pi+360, 360)
	return degrees
}

// Offset returns the distance and bearing from a to b as meters to the east and to
// the north.
func Offset(a, b Point) (east, north float64) {
	distance, bearing := Distance(a, b), radians(Bearing(a, b))
	return distance * math.Sin(bearing), distance * math.Cos(bearing)
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
