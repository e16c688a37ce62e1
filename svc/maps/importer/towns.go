package importer

import (
	"context"
	"slices"

	"appliance/store"
	"appliance/svc/maps"
	"appliance/svc/maps/gazetteer"
)

// TownsLoaded reports whether the region of the embedded gazetteer is complete and has
// the data of this version of the program.
func (im *Importer) TownsLoaded(ctx context.Context) (loaded bool, err error) {
	err = im.DB.Read(ctx, func(tx *store.Tx) error {
		regions, err := im.Maps.Regions(tx)
		loaded = slices.ContainsFunc(regions, func(r maps.Region) bool {
			return r.Name == TownsRegion && r.Checksum == gazetteer.Checksum()
		})
		return err
	})
	return loaded, err
}

// Towns loads the embedded gazetteer, in place of that of an earlier version.
func (im *Importer) Towns(ctx context.Context) error {
	region := maps.NewRegion{Name: TownsRegion, Format: maps.Gazetteer, FileSize: gazetteer.Size(), Checksum: gazetteer.Checksum()}
	_, err := im.region(ctx, region, func(s *sink) error { return gazetteer.Read(ctx, s) })
	return err
}
