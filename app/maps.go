package app

import (
	"context"

	"appliance/store"
	"appliance/svc/maps/importer"
)

// MapImporter returns an importer of map data. With paced, it pauses after each write,
// so that a server on the same data directory can write.
func (a *App) MapImporter(paced bool) *importer.Importer {
	im := &importer.Importer{Maps: a.Maps, DB: a.DB, Dir: a.Settings.Data}
	if paced {
		im.Paced = store.Paced
	}
	return im
}

// MaintainMaps deletes replaced regions and the remains of killed imports, and loads
// the embedded gazetteer unless the database contains it. The loading waits until no
// import is running.
func (a *App) MaintainMaps(ctx context.Context) error {
	im := a.MapImporter(true)
	if err := im.Sweep(ctx); err != nil {
		return err
	}
	if a.Settings.Towns == "off" {
		return nil
	}
	loaded, err := im.TownsLoaded(ctx)
	if err == nil && !loaded {
		took := stopwatch()
		a.Log.Info("loading the towns of the world")
		if err = im.Towns(ctx); err == nil {
			a.Log.Info("loaded the towns of the world", "duration", took())
		}
	}
	return err
}
