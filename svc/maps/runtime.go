package maps

import (
	"math"
	"slices"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/words"
)

// Runtime describes a map for runtimes: what it shows first, its layers and its
// markers. Schema: service.map.runtime.
type Runtime struct {
	Contract    Contract                      `json:"contract"`
	Viewport    Viewport                      `json:"viewport"`
	Layers      svc.List[Layer]               `json:"layers"` // the first is shown by default
	Markers     svc.List[Marker]              `json:"markers"`
	Attribution svc.List[mapdata.Attribution] `json:"attribution"` // of all layers, each once
}

// Contract names a contract and its version.
type Contract struct {
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// Viewport is the part of a map that is shown first.
type Viewport struct {
	Center Position `json:"center"`
	Zoom   int      `json:"zoom"`            // level of tiles with 256 pixels
	Bounds *Bounds  `json:"bounds,omitzero"` // the area to show, if it is more than a point
}

// Position is a position in degrees (WGS 84).
type Position struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Bounds is an area, in degrees. West is greater than East over the antimeridian.
type Bounds struct {
	South float64 `json:"south"`
	West  float64 `json:"west"`
	North float64 `json:"north"`
	East  float64 `json:"east"`
}

// NewBounds returns a box as bounds.
func NewBounds(b geo.Box) Bounds { return Bounds{b.South, b.West, b.North, b.East} }

// Marker is a position that a map emphasizes.
type Marker struct {
	ID        string  `json:"id"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Label     string  `json:"label"`
}

const (
	placeZoom = 16  // of the map of one place
	mapSize   = 512 // pixels of the smallest map for which a viewport is computed
)

// NewRuntime returns the map of one place.
func NewRuntime(p geo.Point, label string, layers []Layer) Runtime {
	r := newRuntime(Viewport{Center: Position{p.Latitude, p.Longitude}, Zoom: placeZoom}, layers)
	r.Markers = svc.List[Marker]{{ID: "place", Latitude: p.Latitude, Longitude: p.Longitude, Label: label}}
	return r
}

// NewAreaRuntime returns the map of an area.
func NewAreaRuntime(area geo.Box, layers []Layer) Runtime { return newRuntime(fit(area), layers) }

func newRuntime(v Viewport, layers []Layer) Runtime {
	r := Runtime{Contract: Contract{"service.map.runtime", 1}, Viewport: v, Layers: layers}
	for _, l := range layers {
		for _, a := range l.Attribution {
			if !slices.Contains(r.Attribution, a) {
				r.Attribution = append(r.Attribution, a)
			}
		}
	}
	return r
}

// FieldRuntime returns the map of the field, with labels in the language l: around an
// origin or, without one, of the imported regions, else of the world.
func (s *Service) FieldRuntime(tx *store.Tx, l words.Language, origin *geo.Point, radius float64) (Runtime, error) {
	layers, err := s.Layers(tx, l)
	if err != nil {
		return Runtime{}, err
	}
	if origin != nil {
		r := NewAreaRuntime(geo.Around(*origin, radius), layers)
		r.Viewport.Center = Position{origin.Latitude, origin.Longitude}
		return r, nil
	}
	area, ok, err := s.Covered(tx)
	if !ok {
		area = worldBox
	}
	return NewAreaRuntime(area, layers), err
}

// WorldRuntime returns the map of the world without places, with labels in the language l,
// for a service that cannot be read.
func (s *Service) WorldRuntime(l words.Language) Runtime {
	return NewAreaRuntime(worldBox, s.layers(l, nil))
}

// worldBox is the area with almost all places of the Earth.
var worldBox = geo.Box{South: -56, West: -180, North: 72, East: 180}

// fit returns the viewport that contains an area on a map of mapSize pixels.
func fit(b geo.Box) Viewport {
	width := b.East - b.West
	if width < 0 {
		width += 360
	}
	south, north := mercator(b.South), mercator(b.North)
	center := Position{inverseMercator((south + north) / 2), b.West + width/2}
	if center.Longitude > 180 {
		center.Longitude -= 360
	}
	extent := max(width/360, (north-south)/2, 1e-9) // part of the map of the world, which has tileSize pixels at level 0
	zoom := int(math.Floor(math.Log2(mapSize / (tileSize * extent))))
	return Viewport{center, min(max(zoom, 0), placeZoom), new(NewBounds(b))}
}

// mercator returns the y coordinate of a latitude in the projection of tiles: -1 at
// the southern border of the map to 1.
func mercator(latitude float64) float64 {
	const border = 85.0511
	radians := min(max(latitude, -border), border) * math.Pi / 180
	return math.Asinh(math.Tan(radians)) / math.Pi
}

func inverseMercator(y float64) float64 { return math.Atan(math.Sinh(y*math.Pi)) * 180 / math.Pi }
