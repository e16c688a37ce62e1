package tile

import (
	"math"

	"appliance/svc/maps/geo"
)

// MaxZoom is the largest zoom of a drawn tile.
const MaxZoom = 19

// ID identifies a tile of the Web Mercator grid: at zoom Z, X counts from 180° west
// to the east and Y from the north to the south.
type ID struct{ Z, X, Y int }

// Valid reports whether the tile exists and can be drawn.
func (id ID) Valid() bool {
	return id.Z >= 0 && id.Z <= MaxZoom && id.X >= 0 && id.Y >= 0 && id.X < 1<<id.Z && id.Y < 1<<id.Z
}

// tileAt returns the tile of a zoom that contains a Web Mercator position.
func tileAt(z int, x, y float64) ID {
	n := 1 << z
	index := func(v float64) int { return min(max(int(v*float64(n)), 0), n-1) }
	return ID{z, index(x), index(y)}
}

// project returns the Web Mercator position of a point. The world is the square from
// 0 to 1; x is outside of it for longitudes beyond 180°.
func project(p geo.Point) (x, y float64) {
	sin := math.Sin(p.Latitude * math.Pi / 180)
	y = 0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)
	// The poles are infinitely far away. The world of the grid ends at 85.05°.
	return p.Longitude/360 + 0.5, min(max(y, -0.1), 1.1)
}

// point is a position on the grid of a level: the world is 1<<z tiles wide, and each
// tile extent units.
type point struct{ x, y int32 }

// box is an area of a level, borders included.
type box struct{ minX, minY, maxX, maxY int32 }

func emptyBox() box {
	return box{math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32}
}

func (b box) extend(p point) box {
	return box{min(b.minX, p.x), min(b.minY, p.y), max(b.maxX, p.x), max(b.maxY, p.y)}
}

func (b box) contains(p point) bool {
	return p.x >= b.minX && p.x <= b.maxX && p.y >= b.minY && p.y <= b.maxY
}

func (b box) overlaps(c box) bool {
	return b.minX <= c.maxX && b.maxX >= c.minX && b.minY <= c.maxY && b.maxY >= c.minY
}

func (b box) grow(d int32) box { return box{b.minX - d, b.minY - d, b.maxX + d, b.maxY + d} }

func (b box) width() int64  { return int64(b.maxX) - int64(b.minX) }
func (b box) height() int64 { return int64(b.maxY) - int64(b.minY) }

func boundsOf(parts [][]point) box {
	b := emptyBox()
	for _, part := range parts {
		for _, p := range part {
			b = b.extend(p)
		}
	}
	return b
}
