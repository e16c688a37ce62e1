package reader

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"appliance/svc/maps/mapdata"
)

// Format is the format of a file.
type Format string

// The formats.
const (
	OSM     Format = "osm" // .osm.pbf
	GeoJSON Format = "geojson"
	CSV     Format = "csv"
)

// ErrFormat reports that the name of a file has no supported extension.
var ErrFormat = errors.New("the name of the file must end in .osm.pbf, .geojson, .json or .csv")

// FormatOf returns the format of a file by its name, and the name without the
// extension.
func FormatOf(name string) (f Format, base string, err error) {
	for _, e := range []struct {
		extension string
		format    Format
	}{
		{".osm.pbf", OSM}, {".pbf", OSM}, {".geojson", GeoJSON}, {".geojsonl", GeoJSON}, {".ndjson", GeoJSON}, {".json", GeoJSON}, {".csv", CSV}, {".tsv", CSV},
	} {
		if base := len(name) - len(e.extension); base > 0 && strings.EqualFold(name[base:], e.extension) {
			return e.format, name[:base], nil
		}
	}
	return "", "", ErrFormat
}

// File is a file to read.
type File struct {
	Content io.ReaderAt
	Size    int64
	Format  Format
}

// Options are the parameters of [Read].
type Options struct {
	Region string // name of the region, the provider of places of GeoJSON and CSV
	Dir    string // directory of temporary files

	// Progress is called with the part of the work that is done. It may be nil.
	Progress func(done, total int64)
}

// Read passes the content of a file to the sink. The memory that it needs does not
// exceed that of [Estimate]. An error of the file names the position.
func Read(ctx context.Context, f File, o Options, sink mapdata.Sink) error {
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	switch f.Format {
	case OSM:
		return readOSM(ctx, f, o, sink)
	case GeoJSON:
		return readGeoJSON(ctx, f, o, sink)
	case CSV:
		return readCSV(ctx, f, o, sink)
	}
	return fmt.Errorf("unknown format %q", f.Format)
}
