package reader

import (
	"encoding/binary"
	"math"
	"testing"

	"appliance/svc/maps/reader/pbf"
)

// Each point of a cover is in one part of it, the parts do not overlap, and a triangle over the whole cover has the
// area of the parts in it.
func FuzzCover(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 1, 0, 152, 150, 128, 255, 103, 105, 128})
	f.Add([]byte{4, 196, 180, 1, 7, 91, 205, 21})
	f.Fuzz(func(t *testing.T, data []byte) {
		const side = 8 * coverBlock // of the square around all points
		c, points := newCover(), []pbf.Point(nil)
		for ; len(data) >= 8 && len(points) < 50; data = data[8:] {
			at := func(octets []byte) int32 { return int32(binary.BigEndian.Uint32(octets)%side) - side/2 }
			points = append(points, pbf.Point{Latitude: at(data), Longitude: at(data[4:])})
			c.add(points[len(points)-1])
		}
		half := int64(side / 2)
		triangle := []pbf.Point{
			{Latitude: -side / 2, Longitude: -side / 2}, {Latitude: -side / 2, Longitude: side / 2}, {Latitude: side / 2, Longitude: -side / 2}, {Latitude: -side / 2, Longitude: -side / 2},
		}
		var parts []coverPart
		err := c.split(border{-half, -half, half, half}, [][]pbf.Point{triangle}, func(p coverPart) error {
			parts = append(parts, p)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range points {
			found := 0
			for _, part := range parts {
				if part.low[latitude] <= p.Latitude && p.Latitude < part.high[latitude] && part.low[longitude] <= p.Longitude && p.Longitude < part.high[longitude] {
					found++
				}
			}
			if found != 1 {
				t.Errorf("got %d parts with the point %v, want one of %v", found, p, parts)
			}
		}
		for _, part := range parts {
			var got float64
			for _, r := range part.rings {
				got += math.Abs(pbfArea(r))
			}
			if want := belowDiagonal(part); math.Abs(got-want) > 4*coverBlock { // of the whole part, up to rounding along the diagonal
				t.Errorf("got the area %g of the triangle in %v, want %g", got, part, want)
			}
		}
	})
}

// belowDiagonal returns the area of a part in which the sum of both coordinates is negative.
func belowDiagonal(p coverPart) (area float64) {
	const steps = 64
	width, height := float64(p.high[longitude])-float64(p.low[longitude]), float64(p.high[latitude])-float64(p.low[latitude])
	clamped := func(lon float64) float64 { return min(max(-lon-float64(p.low[latitude]), 0), height) }
	for i := range steps { // the border is linear, except where it meets that of the part
		from, to := float64(p.low[longitude])+width*float64(i)/steps, float64(p.low[longitude])+width*float64(i+1)/steps
		area += (clamped(from) + clamped(to)) / 2 * (to - from)
	}
	return area
}
