package reader

import (
	"strconv"
	"strings"

	"appliance/svc/maps/mapdata"
)

// lineClasses are the classes of lines by tag.
var lineClasses = map[string]map[string]mapdata.Class{
	"highway": {
		"motorway": mapdata.Motorway, "motorway_link": mapdata.Motorway, "trunk": mapdata.Motorway, "trunk_link": mapdata.Motorway,
		"primary": mapdata.Primary, "primary_link": mapdata.Primary,
		"secondary": mapdata.Secondary, "secondary_link": mapdata.Secondary, "tertiary": mapdata.Secondary, "tertiary_link": mapdata.Secondary,
		"unclassified": mapdata.Street, "residential": mapdata.Street, "living_street": mapdata.Street, "service": mapdata.Street,
		"road": mapdata.Street, "pedestrian": mapdata.Street, "busway": mapdata.Street,
		"footway": mapdata.Path, "path": mapdata.Path, "cycleway": mapdata.Path, "track": mapdata.Path, "steps": mapdata.Path, "bridleway": mapdata.Path,
	},
	"railway": {
		"rail": mapdata.Rail, "light_rail": mapdata.Rail, "tram": mapdata.Rail, "narrow_gauge": mapdata.Rail, "subway": mapdata.Rail,
		"funicular": mapdata.Rail, "monorail": mapdata.Rail, "preserved": mapdata.Rail,
	},
	"waterway": {"river": mapdata.River, "canal": mapdata.River, "stream": mapdata.River, "tidal_channel": mapdata.River},
}

// areaClasses are the classes of areas by tag.
var areaClasses = map[string]map[string]mapdata.Class{
	"natural": {
		"water": mapdata.Water, "wood": mapdata.Wood, "scrub": mapdata.Wood, "beach": mapdata.Sand, "sand": mapdata.Sand, "dune": mapdata.Sand,
		"grassland": mapdata.Park, "heath": mapdata.Park,
	},
	"landuse": {
		"reservoir": mapdata.Water, "basin": mapdata.Water, "forest": mapdata.Wood,
		"residential": mapdata.Built, "commercial": mapdata.Built, "industrial": mapdata.Built, "retail": mapdata.Built, "garages": mapdata.Built,
		"grass": mapdata.Park, "cemetery": mapdata.Park, "recreation_ground": mapdata.Park, "meadow": mapdata.Park, "village_green": mapdata.Park,
		"allotments": mapdata.Park, "orchard": mapdata.Park, "vineyard": mapdata.Park,
	},
	"leisure": {
		"park": mapdata.Park, "garden": mapdata.Park, "pitch": mapdata.Park, "golf_course": mapdata.Park, "playground": mapdata.Park,
		"nature_reserve": mapdata.Park, "common": mapdata.Park, "dog_park": mapdata.Park, "sports_centre": mapdata.Park, "swimming_pool": mapdata.Water,
	},
	"waterway": {"riverbank": mapdata.Water, "dock": mapdata.Water, "boatyard": mapdata.Built},
	"amenity":  {"grave_yard": mapdata.Park},
}

// areaKeys are the keys of areaClasses, the most significant first.
var areaKeys = []string{"natural", "waterway", "landuse", "leisure", "amenity"}

// lineClass returns the class of an element as a line, or 0.
func lineClass(tags map[string]string) mapdata.Class {
	if v := tags["highway"]; v != "" {
		if tags["area"] == "yes" {
			return 0
		}
		return lineClasses["highway"][v]
	}
	if v := tags["railway"]; v != "" {
		if tunnel := tags["tunnel"]; tunnel != "" && tunnel != "no" {
			return 0
		}
		return lineClasses["railway"][v]
	}
	if v := tags["waterway"]; v != "" {
		return lineClasses["waterway"][v]
	}
	return 0
}

// areaClass returns the class of an element as an area, or 0.
func areaClass(tags map[string]string) mapdata.Class {
	if v := tags["building"]; v != "" && v != "no" {
		return mapdata.Building
	}
	for _, key := range areaKeys {
		if v := tags[key]; v != "" {
			if c := areaClasses[key][v]; c != 0 {
				return c
			}
		}
	}
	return 0
}

// streetImportance is the importance of a street by its class.
var streetImportance = map[mapdata.Class]float64{
	mapdata.Motorway: 0.16, mapdata.Primary: 0.18, mapdata.Secondary: 0.15, mapdata.Street: 0.12, mapdata.Path: 0.08,
}

// ranks are the ranks of labels by the value of place.
var ranks = map[string]int{
	"city": 3, "town": 5, "village": 7, "suburb": 7, "borough": 7, "island": 6, "quarter": 8, "islet": 8, "hamlet": 9, "neighbourhood": 9, "locality": 9, "isolated_dwelling": 9,
}

// labelRank returns the rank of the label of a settlement. ok is false if the tags are
// not those of one.
func labelRank(tags map[string]string) (rank int, ok bool) {
	place := tags["place"]
	rank, ok = ranks[place]
	if !ok {
		return 0, false
	}
	population, _ := strconv.Atoi(strings.NewReplacer(" ", "", ",", "", ".", "").Replace(tags["population"]))
	switch {
	case tags["capital"] == "yes" || tags["capital"] == "2":
		rank = 0
	case place == "city" && population >= 1_000_000:
		rank = 1
	case place == "city" && population >= 250_000:
		rank = 2
	case place == "town" && population >= 50_000:
		rank = 4
	case place == "village" && population >= 5_000:
		rank = 6
	}
	return rank, true
}
