package tile

import "appliance/svc/maps/mapdata"

// level is one of the zooms for which the data of tiles is stored. Tiles of the zooms
// from z to maxZoom are drawn from it.
type level struct {
	z, maxZoom int
	extent     int32   // units per tile
	tolerance  float64 // of the simplification of lines and areas, in units
	minArea    float64 // of areas, in square units; smaller ones are left out
}

// buffer is the width of the border around a tile from which it has data too, in
// units. Lines that run along the border of a tile are drawn completely in both.
func (l level) buffer() int32 { return l.extent / 32 }

// size returns the number of units of the world.
func (l level) size() int32 { return l.extent << l.z }

// levels are ordered by zoom. At the largest zoom of a level but the last, a pixel
// has four units, at zoom 19 two.
var levels = []level{
	{z: 5, maxZoom: 7, extent: 4096, tolerance: 2, minArea: 150},
	{z: 8, maxZoom: 10, extent: 4096, tolerance: 2, minArea: 150},
	{z: 11, maxZoom: 13, extent: 4096, tolerance: 2, minArea: 100},
	{z: 14, maxZoom: MaxZoom, extent: 16384, tolerance: 1, minArea: 150},
}

// worldLevels are the levels of the embedded world. Its data has a scale of 1:110
// million and 1:50 million.
var worldLevels = []level{
	{z: 0, maxZoom: 2, extent: 8192, tolerance: 1},
	{z: 4, maxZoom: MaxZoom, extent: 8192, tolerance: 1},
}

// levelFor returns the level from which tiles of a zoom are drawn; ok is false for
// zooms that show only the embedded world.
func levelFor(zoom int) (l level, ok bool) {
	for _, l := range levels {
		if zoom >= l.z && zoom <= l.maxZoom {
			return l, true
		}
	}
	return level{}, false
}

// classInfo describes the drawing of a class.
type classInfo struct {
	shape   shape
	minZoom int // smallest zoom that shows the class
	order   int // classes of a lower order are kept if the data of a tile gets too large
}

type shape uint8

const (
	area shape = iota + 1
	line
	label
)

var classes = map[mapdata.Class]classInfo{
	mapdata.PlaceLabel: {label, 5, 0},
	mapdata.Land:       {area, 8, 1},
	mapdata.Water:      {area, 8, 2},
	mapdata.Motorway:   {line, 8, 3},
	mapdata.Primary:    {line, 9, 4},
	mapdata.Secondary:  {line, 10, 5},
	mapdata.Border:     {line, 8, 6},
	mapdata.Rail:       {line, 10, 7},
	mapdata.River:      {line, 10, 8},
	mapdata.Wood:       {area, 8, 9},
	mapdata.Built:      {area, 9, 10},
	mapdata.Park:       {area, 11, 11},
	mapdata.Sand:       {area, 12, 12},
	mapdata.Street:     {line, 12, 13},
	mapdata.Building:   {area, 14, 14},
	mapdata.Path:       {line, 14, 15},
}

// onLevel reports whether the level has data of a class.
func (c classInfo) onLevel(l level) bool { return c.minZoom <= l.maxZoom }

// labelZoom returns the smallest zoom that shows the name of a settlement of a rank.
func labelZoom(rank int) int {
	zooms := [...]int{5, 5, 6, 7, 8, 10, 11, 12, 13, 14}
	return zooms[min(max(rank, 0), len(zooms)-1)]
}

// levelOf returns the level whose data has zoom z; ok is false for other zooms.
func levelOf(z int) (l level, ok bool) {
	for _, list := range [][]level{levels, worldLevels} {
		for _, l := range list {
			if l.z == z {
				return l, true
			}
		}
	}
	return level{}, false
}
