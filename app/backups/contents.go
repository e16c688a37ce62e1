package backups

import (
	"context"
	"encoding/json"
	"time"

	"appliance/app/config"
	"appliance/store"
)

// mapTables begins the names of the tables of map data. Their rows come from files and from the
// program, so a backup contains them only on request.
const mapTables = "maps_"

// Contents describes a backup: the settings in it, and the map data that it may leave out.
type Contents struct {
	Settings []config.Setting `json:"settings"` // those that are set, without keys
	Keys     []string         `json:"keys"`     // settings that are set and secret
	Maps     bool             `json:"maps"`     // whether the backup contains map data
	Regions  []Region         `json:"regions"`  // imported regions, whether or not their data is in the backup
}

// Region is an imported region of map data.
type Region struct {
	Name       string    `json:"name"`
	Format     string    `json:"format"`
	FileSize   int64     `json:"file_size"` // bytes
	ImportedAt time.Time `json:"imported_at"`
}

// Options returns the options of a backup with these contents.
func (c Contents) Options() (o store.BackupOptions, err error) {
	if !c.Maps {
		o.EmptyPrefix = mapTables
	}
	note, err := json.Marshal(c)
	o.Note = string(note)
	return o, err
}

// ReadContents returns the contents of a backup file; ok is false if the file does not say them,
// because it is a copy of the whole database.
func ReadContents(ctx context.Context, file string) (c Contents, ok bool, err error) {
	note, err := store.ReadNote(ctx, file)
	if err != nil || note == "" {
		return c, false, err
	}
	return c, true, json.Unmarshal([]byte(note), &c)
}
