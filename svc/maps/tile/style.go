package tile

import "appliance/svc/maps/mapdata"

// Style selects the colors of a map.
type Style uint8

// The styles.
const (
	Light Style = iota
	Dark
)

// StyleVersion changes when the same data is drawn differently. Stored drawings of
// other versions are out of date.
const StyleVersion = 2

// color is 0xRRGGBB.
type color uint32

// palette holds the colors of a style. Those of land, water, parks, built areas,
// roads, casings and labels are the --map-* colors of the pages.
type palette struct {
	land, water, park, wood, sand, built, builtNear color
	building, buildingEdge                          color
	road, casing, mainRoad, mainCasing, path        color
	rail, border                                    color
	label, minorLabel, waterLabel, parkLabel        color
}

var palettes = [...]palette{
	Light: {
		land: 0xf3f0e9, water: 0xcfe0ea, park: 0xdbe7d0, wood: 0xd0e0c3, sand: 0xf5ecd2, built: 0xe6e1d6, builtNear: 0xeeeae1,
		building: 0xe3ddd1, buildingEdge: 0xd6cfc0,
		road: 0xffffff, casing: 0xddd6c9, mainRoad: 0xfbe9c6, mainCasing: 0xe5cf9c, path: 0xcdc3b1,
		rail: 0xb9b1a4, border: 0xa79fb0,
		label: 0x57524a, minorLabel: 0x6f695f, waterLabel: 0x47718a, parkLabel: 0x4d6b3a,
	},
	Dark: {
		land: 0x22252a, water: 0x16222c, park: 0x212d24, wood: 0x243328, sand: 0x2e2c26, built: 0x2b2f35, builtNear: 0x26292e,
		building: 0x2c3036, buildingEdge: 0x353a41,
		road: 0x3a3f47, casing: 0x1b1e22, mainRoad: 0x4c4638, mainCasing: 0x1b1e22, path: 0x434850,
		rail: 0x4a4f57, border: 0x5d5869,
		label: 0xb3aea5, minorLabel: 0xa9a59c, waterLabel: 0x7fa6bd, parkLabel: 0x8fb07c,
	},
}

// road describes the drawing of a class of roads. Widths are in pixels by zoom, the
// first for minZoom of the class; the last also for larger zooms.
type road struct {
	class  mapdata.Class
	isMain bool // drawn in the colors of main roads
	widths []float64
}

// roads are ordered from the lowest class to the highest, which is drawn last.
var roads = []road{
	{mapdata.Street, false, []float64{0.6, 1.1, 1.9, 3.2, 5.2, 8.5, 13, 19}},
	{mapdata.Secondary, false, []float64{0.9, 1.2, 1.8, 2.8, 4, 6, 8.5, 12, 17, 23}},
	{mapdata.Primary, true, []float64{1, 1.3, 1.8, 2.4, 3.3, 4.8, 7, 9.5, 13, 18, 24}},
	{mapdata.Motorway, true, []float64{1.3, 1.5, 1.9, 2.4, 3, 4, 5.5, 7.5, 10.5, 14, 19, 26}},
}

// pathWidths and riverWidths are the widths of paths and rivers in pixels by zoom.
var (
	pathWidths  = []float64{0.8, 1, 1.2, 1.6, 2, 2.6}
	riverWidths = []float64{0.7, 0.9, 1.1, 1.4, 1.8, 2.4, 3.2, 4.5, 6, 8}
)

// widthAt returns the width of a class at a zoom, 0 if the zoom does not show it.
func widthAt(class mapdata.Class, widths []float64, zoom int) float64 {
	i := zoom - classes[class].minZoom
	if i < 0 {
		return 0
	}
	return widths[min(i, len(widths)-1)]
}

// casingWidth returns the width of the border on each side of a road.
func casingWidth(width float64, zoom int) float64 {
	switch {
	case zoom < 12:
		return 0.3
	case width < 2:
		return 0.5
	case zoom < 15:
		return 0.8
	}
	return 1.1
}
