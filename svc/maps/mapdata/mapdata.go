// Package mapdata defines the data that readers of map files produce and that the
// store and the drawing of tiles consume.
package mapdata

import (
	"time"

	"appliance/svc/maps/geo"
)

// Place is a named or categorized position. Provider and ProviderID identify it
// over repeated imports.
type Place struct {
	Provider   string // "osm", "geonames", or the name of a region of GeoJSON or CSV
	ProviderID string // for example "node/1"
	Name       string // in the local language; "" for a place that only has a kind
	Names      map[string]string
	Kind       string // key and value of its main tag, such as "amenity=cafe"; "street" and "address" for those
	Category   string // category of the field, such as "coffee"; "" if it has none
	Point      geo.Point
	Importance float64 // 0 to 1; orders places that match a query equally well
	Address    Address
	Tags       map[string]string // website, phone, opening_hours, cuisine, brand, wikidata, population
}

// Address is a postal address. Fields may be empty.
type Address struct {
	HouseNumber string
	Street      string
	Postcode    string
	City        string
	Country     string // ISO 3166-1 alpha-2 code
}

// Feature is a line or an area that tiles show.
type Feature struct {
	Class Class
	Name  string        // label, "" for none
	Rank  int           // of a label: 0 for a capital city to 9 for a hamlet
	Parts [][]geo.Point // one point of a label, lines, or the rings of an area, which contains the points inside an odd number of them
}

// Class is the kind of a feature. Its number is stored; classes are only appended.
type Class uint8

// The classes.
const (
	Land       Class = iota + 1 // areas from the first to Building
	Water                       // sea, lakes, wide rivers
	Built                       // residential, commercial and industrial areas
	Park                        // parks, gardens, grass, cemeteries
	Wood                        // woods and scrub
	Sand                        // beaches
	Building                    // buildings
	River                       // lines from here: rivers, canals, streams
	Rail                        // railways, trams
	Motorway                    // motorways and trunk roads
	Primary                     // primary roads
	Secondary                   // secondary and tertiary roads
	Street                      // residential and service roads
	Path                        // footways, cycleways, tracks, steps
	Border                      // boundaries of countries and states
	PlaceLabel                  // a settlement, with its name and rank
)

// Header describes the content of a file.
type Header struct {
	Bounds      geo.Box
	DataTime    time.Time // zero if the file does not state it
	Attribution Attribution
}

// Attribution credits the source of places or tiles.
type Attribution struct {
	Label    string `json:"label"`
	URL      string `json:"url"`
	Required bool   `json:"required"` // whether runtimes must show it
}

// Sink receives the content of a file. An error ends the reading.
type Sink interface {
	Header(Header) error
	Place(Place) error
	Feature(Feature) error
}
