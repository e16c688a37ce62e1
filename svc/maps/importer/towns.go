package importer

import (
	"context"
	"slices"

	"appliance/store"
	"appliance/svc/maps"
	"appliance/svc/maps/gazetteer"
)

// MissingTowns returns the parts of the embedded gazetteer to load, in this order, until
// its region is complete and has the data of this version of the program. If there is no
// such region, the first part is the large towns, which a search then finds in seconds.
func (im *Importer) MissingTowns(ctx context.Context) (parts []gazetteer.Part, err error) {
	err = im.DB.Read(ctx, func(tx *store.Tx) error {
		regions, err := im.Maps.Regions(tx)
		i := slices.IndexFunc(regions, func(r maps.Region) bool { return r.Name == TownsRegion })
		switch {
		case i < 0:
			parts = []gazetteer.Part{gazetteer.Large, gazetteer.All}
		case regions[i].Checksum != gazetteer.Checksum(gazetteer.All):
			parts = []gazetteer.Part{gazetteer.All}
		}
		return err
	})
	return parts, err
}

// Towns loads a part of the embedded gazetteer, in place of the region of the towns.
func (im *Importer) Towns(ctx context.Context, part gazetteer.Part) (Result, error) {
	region := maps.NewRegion{Name: TownsRegion, Format: maps.Gazetteer, FileSize: gazetteer.Size(), Checksum: gazetteer.Checksum(part)}
	return im.region(ctx, region, func(s *sink) error { return gazetteer.Read(ctx, part, s) })
}
