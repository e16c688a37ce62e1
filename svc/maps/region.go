package maps

import (
	"slices"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// Format is the format of the file of a region.
type Format string

const (
	Gazetteer Format = "gazetteer" // embedded
	OSM       Format = "osm"
	GeoJSON   Format = "geojson"
	CSV       Format = "csv"
)

// Values implements [svc.Set].
func (Format) Values() []string { return svc.Values(Gazetteer, OSM, GeoJSON, CSV) }

// GazetteerProvider is the provider of the places of the embedded gazetteer.
const GazetteerProvider = "geonames"

// Region is a current region.
type Region struct {
	ID          int64
	Name        string
	Format      Format
	Bounds      geo.Box
	Places      int
	Tiles       int
	FileSize    int64  // bytes
	Checksum    string // SHA-256 of the file, in hex
	Attribution mapdata.Attribution
	DataTime    time.Time // of the data, zero if the file does not state it
	ImportedAt  time.Time
}

type regionQueries struct {
	Regions store.Query `sql:"regions"`
}

type regionRow struct {
	ID        int64         `db:"id"`
	Name      string        `db:"name"`
	Format    Format        `db:"format"`
	South     float64       `db:"south"`
	West      float64       `db:"west"`
	North     float64       `db:"north"`
	East      float64       `db:"east"`
	Places    int           `db:"place_count"`
	Tiles     int           `db:"tile_count"`
	FileSize  int64         `db:"file_size"`
	Checksum  string        `db:"checksum"`
	Label     string        `db:"attribution_label"`
	URL       string        `db:"attribution_url"`
	Required  bool          `db:"attribution_required"`
	DataAt    *store.Millis `db:"data_at"`
	CreatedAt store.Millis  `db:"created_at"`
}

// Regions returns the current regions, ordered by name.
func (s *Service) Regions(tx *store.Tx) ([]Region, error) {
	var rows []regionRow
	if err := tx.Select(&rows, s.q.region.Regions, nil); err != nil {
		return nil, err
	}
	list := make([]Region, len(rows))
	for i, r := range rows {
		list[i] = Region{
			ID: r.ID, Name: r.Name, Format: r.Format, Bounds: geo.Box{South: r.South, West: r.West, North: r.North, East: r.East},
			Places: r.Places, Tiles: r.Tiles, FileSize: r.FileSize, Checksum: r.Checksum,
			Attribution: mapdata.Attribution{Label: r.Label, URL: r.URL, Required: r.Required}, ImportedAt: r.CreatedAt.Time(),
		}
		if r.DataAt != nil {
			list[i].DataTime = r.DataAt.Time()
		}
	}
	return list, nil
}

// Covered returns the smallest box that contains the imported regions. ok is false
// if there are none. The gazetteer does not count.
func (s *Service) Covered(tx *store.Tx) (bounds geo.Box, ok bool, err error) {
	regions, err := s.Regions(tx)
	for _, r := range regions {
		switch {
		case r.Format == Gazetteer || r.Places == 0:
		case !ok:
			bounds, ok = r.Bounds, true
		default:
			bounds = bounds.Union(r.Bounds)
		}
	}
	return bounds, ok, err
}

// Loading reports whether the gazetteer, which is loaded in the background, is not among
// the current regions yet, or only its large towns.
func (s *Service) Loading(current []Region) bool {
	return s.config.Towns && !slices.ContainsFunc(current, func(r Region) bool {
		return r.Format == Gazetteer && r.Checksum != s.config.LargeTowns
	})
}

// attributions returns the attribution of each current region.
func (s *Service) attributions(tx *store.Tx) (map[int64]mapdata.Attribution, error) {
	regions, err := s.Regions(tx)
	all := make(map[int64]mapdata.Attribution, len(regions))
	for _, r := range regions {
		all[r.ID] = r.Attribution
	}
	return all, err
}
