package maps

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"appliance/svc/maps/fold"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/kind"
	"appliance/svc/maps/mapdata"
)

// Bits of the id of a place, from the lowest: its number in the region, the region,
// and the lack of importance in thousandths.
const (
	numberBits = 28
	regionBits = 24
)

// placeID returns the id of the n-th place of a region.
func placeID(region int64, n int, importance float64) int64 {
	lack := 1000 - int64(math.Round(min(max(importance, 0), 1)*1000))
	return lack<<(numberBits+regionBits) | region<<numberBits | int64(n)
}

// regionOf returns the region of a place.
func regionOf(id int64) int64 { return id >> numberBits & (1<<regionBits - 1) }

// regionToken returns the token of the region of a place in the index of words. The view
// maps_visible has the same tokens.
func regionToken(id int64) string {
	return fmt.Sprint(":region", regionOf(id))
}

// indexedTags are the tags whose words find a place.
var indexedTags = []string{"brand", "operator", "cuisine", "ref", "short_name"}

// textRow returns the row of a place in the index of words: id, name, other names,
// address, and tokens.
func textRow(id int64, p mapdata.Place) []any {
	name := fold.Words(p.Name)
	tokens := []string{strings.ToLower(p.Kind), regionToken(id)}
	if len(name) > 0 {
		tokens = append(tokens, wholeToken(name))
	}
	if p.Address.HouseNumber != "" {
		tokens = append(tokens, numberToken)
	}
	var others, address []string
	for _, key := range sortedKeys(p.Names) {
		for other := range strings.SplitSeq(p.Names[key], ";") {
			list := fold.Words(other)
			if len(list) > 0 {
				tokens = append(tokens, wholeToken(list))
			}
			others = append(others, list...)
		}
	}
	for _, field := range []string{p.Address.Street, p.Address.HouseNumber, p.Address.Postcode, p.Address.City} {
		address = append(address, fold.Words(field)...)
	}
	for _, key := range indexedTags {
		others = append(others, fold.Words(p.Tags[key])...)
	}
	for size := range textCells {
		tokens = append(tokens, cellToken(p.Point, size))
	}
	name = unique(name)
	others = without(unique(others), name)
	address = without(unique(address), name)
	return []any{id, strings.Join(name, " "), strings.Join(others, " "), strings.Join(address, " "), strings.Join(unique(tokens), " ")}
}

// trigramRow returns the row of a place in the index of groups of characters, or nil.
// Addresses have none: their street is a place of its own.
func trigramRow(id int64, p mapdata.Place) []any {
	if p.Kind == kind.Address {
		return nil
	}
	list := fold.Words(p.Name)
	for _, key := range sortedKeys(p.Names) {
		list = append(list, fold.Words(p.Names[key])...)
	}
	list = slices.DeleteFunc(unique(list), func(word string) bool { return len(word) < minTypo })
	if len(list) == 0 {
		return nil
	}
	return []any{id, strings.Join(list, " ")}
}

// extendBox returns the box extended to contain p.
func extendBox(b geo.Box, p geo.Point, empty bool) geo.Box {
	if empty {
		return geo.Box{South: p.Latitude, West: p.Longitude, North: p.Latitude, East: p.Longitude}
	}
	return geo.Box{South: min(b.South, p.Latitude), West: min(b.West, p.Longitude), North: max(b.North, p.Latitude), East: max(b.East, p.Longitude)}
}

// wholeToken returns the token of a whole name in the index of words, without articles
// and prepositions.
func wholeToken(name []string) string {
	if list := withoutParticles(name); len(list) > 0 {
		name = list
	}
	return "=" + strings.Join(name, "")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// unique returns the items in order without repetitions.
func unique(list []string) []string {
	var kept []string
	for _, item := range list {
		if !slices.Contains(kept, item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func without(list, excluded []string) []string {
	return slices.DeleteFunc(list, func(item string) bool { return slices.Contains(excluded, item) })
}
