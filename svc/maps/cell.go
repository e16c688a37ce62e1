package maps

import (
	"fmt"
	"math"
	"slices"

	"appliance/svc/maps/geo"
)

// Sizes of areas.
const (
	cellDegrees   = 0.01 // of the areas of level 0
	clusterLevels = 7    // the areas of the last level have 41 degrees
)

// textCells are the sizes of the areas in the index of words, in degrees.
var textCells = []float64{0.05, 0.8}

// cellOf returns the number of the area of a size that contains a point: the row
// in the upper bits, the column in the lower 16.
func cellOf(p geo.Point, degrees float64) int64 {
	row, column := gridOf(p, degrees)
	return row<<16 | column
}

func gridOf(p geo.Point, degrees float64) (row, column int64) {
	return int64((p.Latitude + 90) / degrees), int64((p.Longitude + 180) / degrees)
}

// levelDegrees returns the size of the areas of a level.
func levelDegrees(level int) float64 { return cellDegrees * math.Pow(4, float64(level)) }

// cellRanges returns the numbers of the areas that a box touches, as ranges.
func cellRanges(b geo.Box, degrees float64) (ranges [][2]int64) {
	for _, part := range b.Split() {
		south, west := gridOf(geo.Point{Latitude: part.South, Longitude: part.West}, degrees)
		north, east := gridOf(geo.Point{Latitude: part.North, Longitude: part.East}, degrees)
		for row := south; row <= north; row++ {
			ranges = append(ranges, [2]int64{row<<16 | west, row<<16 | east})
		}
	}
	return ranges
}

// cellCount returns the number of areas that a box touches.
func cellCount(b geo.Box, degrees float64) (n int64) {
	for _, part := range b.Split() {
		south, west := gridOf(geo.Point{Latitude: part.South, Longitude: part.West}, degrees)
		north, east := gridOf(geo.Point{Latitude: part.North, Longitude: part.East}, degrees)
		n += (north - south + 1) * (east - west + 1)
	}
	return n
}

// cellToken returns the token of an area in the index of words.
func cellToken(p geo.Point, size int) string {
	row, column := gridOf(p, textCells[size])
	return gridToken(row, column, size)
}

func gridToken(row, column int64, size int) string {
	return fmt.Sprintf("@%d/%d/%d", size, row, column)
}

// maxCellTokens limits the areas in a query of the index of words.
const maxCellTokens = 60

// cellTokens returns the tokens of the areas that a box touches, of the smallest
// size that needs few of them. It returns nil for a box that is too large.
func cellTokens(b geo.Box) (tokens []string) {
	for size, degrees := range textCells {
		if cellCount(b, degrees) > maxCellTokens {
			continue
		}
		for _, part := range b.Split() {
			south, west := gridOf(geo.Point{Latitude: part.South, Longitude: part.West}, degrees)
			north, east := gridOf(geo.Point{Latitude: part.North, Longitude: part.East}, degrees)
			for row := south; row <= north; row++ {
				for column := west; column <= east; column++ {
					tokens = append(tokens, gridToken(row, column, size))
				}
			}
		}
		slices.Sort(tokens)
		return slices.Compact(tokens)
	}
	return nil
}
