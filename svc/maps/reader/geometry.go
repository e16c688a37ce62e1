package reader

import (
	"encoding/json"
	"errors"
	"fmt"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// geometry is a GeoJSON geometry.
type geometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
	Geometries  []geometry      `json:"geometries"`
}

// shape is a checked geometry.
type shape struct {
	points []geo.Point
	lines  [][]geo.Point
	areas  [][][]geo.Point // each with its rings
}

// position is a GeoJSON position: longitude, latitude and possibly an elevation.
type position []float64

func (p position) point() (geo.Point, error) {
	if len(p) < 2 {
		return geo.Point{}, errors.New("a position has fewer than two numbers")
	}
	point := geo.Point{Latitude: p[1], Longitude: p[0]}
	if !point.Valid() {
		return geo.Point{}, fmt.Errorf("the position [%g, %g] is out of range: a position is [longitude, latitude] in degrees", p[0], p[1])
	}
	return point, nil
}

// maxDepth limits the nesting of geometry collections (RFC 7946 §3.1.8 advises
// against any).
const maxDepth = 3

// add checks a geometry and adds it.
func (s *shape) add(g *geometry, depth int) error {
	switch g.Type {
	case "Point":
		var p position
		return s.decode(g, &p, func() error { return s.addPoints([]position{p}) })
	case "MultiPoint":
		var list []position
		return s.decode(g, &list, func() error { return s.addPoints(list) })
	case "LineString":
		var line []position
		return s.decode(g, &line, func() error { return s.addLines([][]position{line}) })
	case "MultiLineString":
		var lines [][]position
		return s.decode(g, &lines, func() error { return s.addLines(lines) })
	case "Polygon":
		var rings [][]position
		return s.decode(g, &rings, func() error { return s.addAreas([][][]position{rings}) })
	case "MultiPolygon":
		var areas [][][]position
		return s.decode(g, &areas, func() error { return s.addAreas(areas) })
	case "GeometryCollection":
		if depth == maxDepth {
			return errors.New("geometry collections are nested too deeply")
		}
		for i := range g.Geometries {
			if err := s.add(&g.Geometries[i], depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("the geometry has the type %.40q, which is not known", g.Type)
}

// decode decodes the coordinates of g into value and calls add.
func (s *shape) decode(g *geometry, value any, add func() error) error {
	if err := json.Unmarshal(g.Coordinates, value); err != nil {
		return fmt.Errorf("the coordinates do not suit the type %s: %w", g.Type, err)
	}
	return add()
}

func (s *shape) addPoints(list []position) error {
	points, err := convert(list)
	s.points = append(s.points, points...)
	return err
}

func (s *shape) addLines(lines [][]position) error {
	for _, l := range lines {
		if len(l) < 2 {
			return errors.New("a line has fewer than two positions")
		}
		points, err := convert(l)
		if err != nil {
			return err
		}
		s.lines = append(s.lines, points)
	}
	return nil
}

func (s *shape) addAreas(areas [][][]position) error {
	for _, rings := range areas {
		var area [][]geo.Point
		for _, ring := range rings {
			points, err := convert(ring)
			if err != nil {
				return err
			}
			if len(points) < 4 || points[0] != points[len(points)-1] {
				return errors.New("the ring of a polygon has fewer than four positions, or its last position is not its first")
			}
			area = append(area, points)
		}
		if len(area) > 0 {
			s.areas = append(s.areas, area)
		}
	}
	return nil
}

func convert(list []position) ([]geo.Point, error) {
	points := make([]geo.Point, len(list))
	for i, p := range list {
		var err error
		if points[i], err = p.point(); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// each calls do for all positions.
func (s *shape) each(do func(geo.Point)) {
	for _, p := range s.points {
		do(p)
	}
	for _, list := range append([][][]geo.Point{s.lines}, s.areas...) {
		for _, part := range list {
			for _, p := range part {
				do(p)
			}
		}
	}
}

// point returns the position at which the shape is listed as a place. ok is false if
// it is empty.
func (s *shape) point() (p geo.Point, ok bool) {
	switch {
	case len(s.points) > 0:
		return s.points[0], true
	case len(s.areas) > 0:
		var rings [][]geo.Point
		for _, a := range s.areas {
			rings = append(rings, a...)
		}
		return pointInArea(rings), true
	case len(s.lines) > 0:
		p, _ = midpoint(s.lines[0])
		return p, true
	}
	return p, false
}

// emit passes the shape to the sink, as far as its tags are those of a feature that
// tiles show.
func (s *shape) emit(tags map[string]string, sink mapdata.Sink) error {
	if rank, ok := labelRank(tags); ok && len(s.points) > 0 && name(tags) != "" {
		if err := sink.Feature(mapdata.Feature{Class: mapdata.PlaceLabel, Name: labelName(tags), Rank: rank, Parts: [][]geo.Point{s.points[:1]}}); err != nil {
			return err
		}
	}
	if class := lineClass(tags); class != 0 && len(s.lines) > 0 {
		return sink.Feature(mapdata.Feature{Class: class, Name: labelName(tags), Parts: s.lines})
	}
	class := areaClass(tags)
	if class == 0 {
		return nil
	}
	for _, rings := range s.areas {
		f := mapdata.Feature{Class: class, Parts: rings}
		if class != mapdata.Building {
			f.Name = name(tags)
		}
		if err := sink.Feature(f); err != nil {
			return err
		}
	}
	return nil
}
