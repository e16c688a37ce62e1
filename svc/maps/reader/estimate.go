package reader

import (
	"context"
	"errors"
	"time"

	"appliance/svc/maps/reader/pbf"
)

// Estimate forecasts an import. The figures are for a machine with two processor
// cores and a solid-state disk, and include the staging and the tiles.
type Estimate struct {
	Duration  time.Duration
	Memory    int64 // bytes of the process
	Growth    int64 // bytes of the database
	Temporary int64 // bytes of temporary files
}

// estimate computes an Estimate in proportion to a size.
func estimate(size int64, e Estimate, fixed int64) Estimate {
	const unit = 1 << 20
	return Estimate{
		Duration:  time.Duration(size/1024) * e.Duration / (unit / 1024),
		Memory:    fixed + size/unit*e.Memory,
		Growth:    size / 1024 * e.Growth / (unit / 1024),
		Temporary: size / 1024 * e.Temporary / (unit / 1024),
	}
}

// EstimateFile forecasts the import of a file. It reads the headers of the blocks of
// an .osm.pbf file, and nothing of other files.
func EstimateFile(ctx context.Context, f File) (Estimate, error) {
	if f.Size == 0 {
		return Estimate{}, errors.New("the file is empty")
	}
	switch f.Format {
	case OSM:
		file, err := pbf.Open(f.Content, f.Size)
		if err != nil {
			return Estimate{}, err
		}
		sizes, err := file.Sizes(ctx)
		e := estimate(sizes.Raw, osmPerMiB, osmMemory)
		e.Memory += min(sizes.Raw/2, osmTables) + sizes.Raw/50
		return e, err
	case GeoJSON:
		return estimate(f.Size, geoJSONPerMiB, textMemory), nil
	}
	return estimate(f.Size, csvPerMiB, textMemory), nil
}

// Measured per MiB; of .osm.pbf files, per MiB after decompression.
var (
	osmPerMiB     = Estimate{Duration: 450 * time.Millisecond, Growth: 1500 << 10, Temporary: 1 << 20}
	geoJSONPerMiB = Estimate{Duration: 700 * time.Millisecond, Growth: 2 << 20, Temporary: 1 << 20}
	csvPerMiB     = Estimate{Duration: 3 * time.Second, Growth: 7 << 20}
)

// Memory that does not depend on the size of the file.
const (
	osmMemory  = 95 << 20
	osmTables  = 400 << 20 // limit of the towns, boundaries and streets in memory
	textMemory = 70 << 20
)
