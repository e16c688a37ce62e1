package reader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// maxFeature limits the length of one feature in bytes. The memory for it is about
// ten times as much.
const maxFeature = 16 << 20

// geoJSONReader reads GeoJSON (RFC 7946): a feature collection, a feature or a
// geometry, or a sequence of them. It reads the file twice: to check it and to
// determine its bounds, then to pass on the features.
type geoJSONReader struct {
	ctx     context.Context
	file    File
	options Options
	sink    mapdata.Sink // nil in the first pass

	bounds      pointBounds
	features    int
	attribution mapdata.Attribution
	decoder     *json.Decoder
	input       *boundedReader
}

func readGeoJSON(ctx context.Context, f File, o Options, sink mapdata.Sink) error {
	r := &geoJSONReader{ctx: ctx, file: f, options: o}
	if err := r.pass(0); err != nil {
		return err
	}
	if r.features == 0 {
		return errors.New("the file contains no features")
	}
	if err := sink.Header(mapdata.Header{Bounds: r.bounds.box(), Attribution: r.attribution}); err != nil {
		return err
	}
	r.sink = sink
	return r.pass(f.Size)
}

// pass reads the file once. The progress begins with done.
func (r *geoJSONReader) pass(done int64) error {
	r.features = 0
	r.input = &boundedReader{content: r.file.text(), progress: func(read int64) {
		r.options.Progress(done+read, 2*r.file.Size)
	}}
	r.decoder = json.NewDecoder(r.input)
	for {
		r.allow()
		token, err := r.decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err == nil && token != json.Delim('{') {
			err = errors.New("expected a GeoJSON object")
		}
		if err == nil {
			err = r.object()
		}
		if err != nil {
			return r.withPosition(err)
		}
	}
}

// allow permits reading one more feature.
func (r *geoJSONReader) allow() { r.input.allow(r.decoder.InputOffset(), maxFeature) }

// sinkError is an error of the sink, which has no position.
type sinkError struct{ error }

// withPosition returns the error with its position, or the error of the sink.
func (r *geoJSONReader) withPosition(err error) error {
	var fromSink sinkError
	if errors.As(err, &fromSink) {
		return fromSink.error
	}
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	offset := r.decoder.InputOffset()
	if syntax := new(json.SyntaxError); errors.As(err, &syntax) {
		offset = max(0, syntax.Offset-1) // the offset counts the invalid byte
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = r.file.Size, errors.New("the file is truncated")
	}
	return r.file.at(offset, err)
}

// object reads the rest of a top-level object, after its brace.
func (r *geoJSONReader) object() error {
	var single feature
	var kind string
	for r.decoder.More() {
		r.allow()
		key, err := r.decoder.Token()
		if err != nil {
			return err
		}
		r.allow()
		switch key {
		case "features":
			err = r.collection()
		case "type":
			err = r.decoder.Decode(&kind)
		case "id":
			err = r.decoder.Decode(&single.ID)
		case "geometry":
			err = r.decoder.Decode(&single.Geometry)
		case "properties":
			err = r.decoder.Decode(&single.Properties)
		case "coordinates":
			single.Geometry = &geometry{}
			err = r.decoder.Decode(&single.Geometry.Coordinates)
		case "geometries":
			single.Geometry = &geometry{}
			err = r.decoder.Decode(&single.Geometry.Geometries)
		case "crs":
			err = r.checkCRS()
		case "attribution", "copyright":
			err = r.readAttribution()
		default:
			var skipped json.RawMessage
			err = r.decoder.Decode(&skipped)
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.decoder.Token(); err != nil {
		return err
	}
	switch kind {
	case "FeatureCollection":
		return nil
	case "Feature":
		return r.feature(&single)
	case "":
		return errors.New("a GeoJSON object has no type")
	}
	if single.Geometry == nil {
		return fmt.Errorf("a GeoJSON object has the type %.40q, which is not known, or no coordinates", kind)
	}
	single.Geometry.Type = kind
	return r.feature(&single)
}

// collection reads the features of a collection.
func (r *geoJSONReader) collection() error {
	token, err := r.decoder.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return errors.New("features is not an array")
	}
	for r.decoder.More() {
		r.allow()
		var f feature
		if err := r.decoder.Decode(&f); err != nil {
			return err
		}
		if f.Type != "Feature" {
			return fmt.Errorf("feature %d has the type %.40q, want Feature", r.features+1, f.Type)
		}
		if err := r.feature(&f); err != nil {
			return err
		}
	}
	_, err = r.decoder.Token()
	return err
}

// checkCRS rejects coordinate systems other than WGS 84. Older versions of the format
// permitted them.
func (r *geoJSONReader) checkCRS() error {
	var crs struct {
		Properties struct {
			Name string `json:"name"`
		} `json:"properties"`
	}
	if err := r.decoder.Decode(&crs); err != nil {
		return err
	}
	name := crs.Properties.Name
	if name == "" || strings.HasSuffix(name, "CRS84") || strings.HasSuffix(name, ":4326") {
		return nil
	}
	return fmt.Errorf("the coordinates are in %.60q: convert the file to WGS 84 (EPSG:4326)", name)
}

// readAttribution reads a member with the source of the data.
func (r *geoJSONReader) readAttribution() error {
	var value any
	if err := r.decoder.Decode(&value); err != nil {
		return err
	}
	label, _ := value.(string)
	switch label = cleanText(label); {
	case strings.Contains(strings.ToLower(label), "openstreetmap"):
		r.attribution = osmAttribution
	case label != "":
		r.attribution = mapdata.Attribution{Label: label, Required: true}
	}
	return nil
}

// feature is a GeoJSON feature.
type feature struct {
	Type       string          `json:"type"`
	ID         json.RawMessage `json:"id"`
	Geometry   *geometry       `json:"geometry"`
	Properties map[string]any  `json:"properties"`
}

// feature checks a feature and passes it to the sink, if there is one.
func (r *geoJSONReader) feature(f *feature) error {
	r.features++
	if r.ctx.Err() != nil {
		return r.ctx.Err()
	}
	if f.Geometry == nil {
		return nil // RFC 7946 §3.2: a feature without a location
	}
	var s shape
	if err := s.add(f.Geometry, 0); err != nil {
		return fmt.Errorf("feature %d: %w", r.features, err)
	}
	s.each(r.bounds.add)
	if r.sink == nil {
		return nil
	}
	if err := r.emit(f, &s); err != nil {
		return sinkError{err}
	}
	return nil
}

// emit passes a feature to the sink.
func (r *geoJSONReader) emit(f *feature, s *shape) error {
	tags := make(map[string]string, len(f.Properties))
	for key, value := range f.Properties {
		switch value.(type) {
		case string, float64, bool:
			setProperty(tags, key, fmt.Sprint(value))
		}
	}
	if err := s.emit(tags, r.sink); err != nil {
		return err
	}
	p, ok, _ := placeOfProperties(tags)
	point, located := s.point()
	if !ok || !located {
		return nil
	}
	var id any
	_ = json.Unmarshal(f.ID, &id) // decoded before, with the feature
	switch id.(type) {
	case string, float64:
		id = strings.Trim(string(f.ID), `"`)
	default:
		id = tags["@id"]
		if id == "" {
			id = tags["id"]
		}
	}
	p.Provider, p.Point = r.options.Region, point
	p.ProviderID = idOf(id.(string), p.Name, point)
	return r.sink.Place(p)
}

// pointBounds is the smallest box that contains all points.
type pointBounds struct {
	geo.Box
	any bool
}

func (b *pointBounds) add(p geo.Point) {
	if !b.any {
		b.any, b.Box = true, geo.Box{South: p.Latitude, West: p.Longitude, North: p.Latitude, East: p.Longitude}
	}
	b.South, b.North = min(b.South, p.Latitude), max(b.North, p.Latitude)
	b.West, b.East = min(b.West, p.Longitude), max(b.East, p.Longitude)
}

func (b *pointBounds) box() geo.Box { return b.Box }
