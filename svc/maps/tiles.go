package maps

import (
	"crypto/sha256"
	"fmt"

	"appliance/store"
	"appliance/svc/maps/tile"
)

type tileQueries struct {
	TileRegions store.Query `sql:"tile-regions"`
	TileData    store.Query `sql:"tile-data"`
}

// TileVersion returns a text that changes when the drawing of a tile changes: with the
// imports of the regions that have data in it, and with the style.
func (s *Service) TileVersion(tx *store.Tx, id tile.ID) (string, error) {
	var regions []struct {
		ID        int64        `db:"id"`
		Checksum  string       `db:"checksum"`
		CreatedAt store.Millis `db:"created_at"`
	}
	if err := selectTiles(tx, &regions, s.q.tile.TileRegions, id); err != nil {
		return "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %v", tile.StyleVersion, regions)
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), nil
}

// TileData returns the data from which [tile.Draw] draws a tile.
func (s *Service) TileData(tx *store.Tx, id tile.ID) (data [][]byte, err error) {
	err = selectTiles(tx, &data, s.q.tile.TileData, id)
	return data, err
}

// selectTiles selects rows of the tiles whose data a tile needs.
func selectTiles(tx *store.Tx, rows any, query store.Query, id tile.ID) error {
	var tiles [][]any
	for _, source := range tile.Sources(id) {
		tiles = append(tiles, []any{source.Z, source.X, source.Y})
	}
	if len(tiles) == 0 {
		return nil
	}
	return tx.Select(rows, query, store.Args{"tiles": store.JSONArray(tiles)})
}
