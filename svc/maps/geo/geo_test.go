package geo

import (
	"math"
	"testing"
)

var (
	berlin = Point{52.52, 13.405}
	paris  = Point{48.8566, 2.3522}
)

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

func TestDistanceAndBearing(t *testing.T) {
	for _, c := range []struct {
		name              string
		a, b              Point
		distance, bearing float64
	}{
		{"the same point", berlin, berlin, 0, 0},
		{"two cities", berlin, paris, 877_500, 246.8},
		{"over the antimeridian", Point{0, 179.5}, Point{0, -179.5}, MetersPerDegree, 90},
		{"a quarter of a meridian", Point{0, 0}, Point{90, 0}, 90 * MetersPerDegree, 0},
		{"antipodes", Point{0, 0}, Point{0, 180}, 180 * MetersPerDegree, 90},
	} {
		if got := Distance(c.a, c.b); !near(got, c.distance, 1000) {
			t.Errorf("%s: got a distance of %.0f m, want %.0f", c.name, got, c.distance)
		}
		if got := Bearing(c.a, c.b); !near(got, c.bearing, 0.5) {
			t.Errorf("%s: got a bearing of %.1f°, want %.1f°", c.name, got, c.bearing)
		}
	}
}

// A bearing is at least 0 and less than 360 degrees. Covers B-30.
func TestBearingOfAPointSlightlyWestOfNorth(t *testing.T) {
	if got := Bearing(berlin, Point{53, 13.405 - 1e-15}); got < 0 || got >= 360 {
		t.Errorf("got %v, want 0 to 360", got)
	}
}

// Offset and Distance agree.
func TestOffset(t *testing.T) {
	east, north := Offset(berlin, Point{52.53, 13.415})
	if !near(east, 676, 5) || !near(north, 1112, 5) {
		t.Errorf("got %.0f m east and %.0f m north, want 676 and 1112", east, north)
	}
}

// The box contains every point of the circle, at all latitudes.
func TestAroundContainsTheCircle(t *testing.T) {
	for _, center := range []Point{berlin, {0, 180}, {-33, -179.99}, {89.99, 10}, {-89.5, 0}, {90, 0}, {70, 25}} {
		for _, radius := range []float64{50, 5000, 300_000} {
			box := Around(center, radius)
			for step := range 72 {
				p := destination(center, radius*0.999, float64(step)*5)
				if !box.Contains(p) {
					t.Errorf("the box of %v with %v m lacks %v", center, radius, p)
				}
				found := false
				for _, part := range box.Split() {
					found = found || part.Contains(p) && part.West <= part.East
				}
				if !found {
					t.Errorf("the parts of the box of %v with %v m lack %v", center, radius, p)
				}
			}
		}
	}
}

// destination returns the point at a distance in meters and a bearing from p.
func destination(p Point, meters, bearing float64) Point {
	lat, d, b := radians(p.Latitude), meters/earthRadius, radians(bearing)
	lat2 := math.Asin(math.Sin(lat)*math.Cos(d) + math.Cos(lat)*math.Sin(d)*math.Cos(b))
	lon2 := radians(p.Longitude) + math.Atan2(math.Sin(b)*math.Sin(d)*math.Cos(lat), math.Cos(d)-math.Sin(lat)*math.Sin(lat2))
	return Point{lat2 * 180 / math.Pi, math.Mod(lon2*180/math.Pi+540, 360) - 180}
}

func TestUnion(t *testing.T) {
	for _, c := range []struct{ a, b, want Box }{
		{Box{0, 10, 5, 20}, Box{-5, 15, 3, 30}, Box{-5, 10, 5, 30}},
		{Box{0, 170, 5, 175}, Box{0, -175, 5, -170}, Box{0, 170, 5, -170}},
		{Box{0, 170, 5, -170}, Box{1, 160, 2, 161}, Box{0, 160, 5, -170}},
		{Box{0, -180, 5, 180}, Box{0, 170, 5, -170}, Box{0, -180, 5, 180}},
		{Box{0, 10, 5, 40}, Box{1, 20, 2, 30}, Box{0, 10, 5, 40}},
	} {
		for _, got := range []Box{c.a.Union(c.b), c.b.Union(c.a)} {
			if got != c.want {
				t.Errorf("union of %v and %v: got %v, want %v", c.a, c.b, got, c.want)
			}
		}
	}
}
