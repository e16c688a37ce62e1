package app

import (
	"context"
	"time"

	"appliance/store"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/maps/importer"
)

// Pauses of an importer after each write, as a share of the duration of the write.
const (
	NoPause = 0.0

	// ServerRunning lets the server on the same data directory write, whose members wait.
	ServerRunning = 1.0

	// insideServer lets commands write. The writes of members are in the queue of the
	// server itself, where each waits for at most one write of the importer.
	insideServer = 0.25
)

// MapImporter returns an importer of map data with pauses.
func (a *App) MapImporter(pause float64) *importer.Importer {
	im := &importer.Importer{Maps: a.Maps, DB: a.DB, Dir: a.Settings.Data}
	if pause > 0 {
		im.Paced = func(ctx context.Context, write func() error) (time.Duration, error) {
			return store.Paced(ctx, pause, write)
		}
	}
	return im
}

// MaintainMaps deletes replaced regions and the remains of killed imports, and loads
// the embedded gazetteer unless the database contains it. The loading waits until no
// import is running.
func (a *App) MaintainMaps(ctx context.Context) error {
	im := a.MapImporter(insideServer)
	if err := im.Sweep(ctx); err != nil || a.Settings.Towns == "off" {
		return err
	}
	parts, err := im.MissingTowns(ctx)
	if err != nil || len(parts) == 0 {
		return err
	}
	took := stopwatch()
	a.Log.Info("loading the towns of the world")
	for _, part := range parts {
		result, err := im.Towns(ctx, part)
		if err != nil {
			return err
		}
		message := "loaded the towns of the world"
		if part == gazetteer.Large {
			message = "loaded the large towns of the world"
		}
		a.Log.Info(message, "towns", result.Places, "duration", took())
	}
	return im.Sweep(ctx)
}
