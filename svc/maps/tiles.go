package maps

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"appliance/store"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/maps/tile"
)

type tileQueries struct {
	TileRegions store.Query `sql:"tile-regions"`
	TileData    store.Query `sql:"tile-data"`
	WithData    store.Query `sql:"tiles-with-data"`
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

// TileData returns the data and the labels from which [tile.Draw] draws a tile.
func (s *Service) TileData(tx *store.Tx, id tile.ID) (data [][]byte, labels []tile.Label, err error) {
	if err = selectTiles(tx, &data, s.q.tile.TileData, id); err != nil {
		return nil, nil, err
	}
	labels, err = s.cityLabels(tx, id)
	return data, labels, err
}

// cities are the labels of the cities of the gazetteer.
var cities = sync.OnceValues(func() (list []tile.Label, err error) {
	features, err := gazetteer.Cities()
	for _, f := range features {
		list = append(list, tile.NewLabel(f.Name, f.Rank, f.Parts[0][0]))
	}
	return list, err
})

// coverZoom is the zoom of the tiles that are tested for data of a region. They are about
// 20 km wide.
const coverZoom = 11

// cityLabels returns the cities of the gazetteer that a tile may show. Those where a
// region has data are left out: the region has its own labels.
func (s *Service) cityLabels(tx *store.Tx, id tile.ID) (labels []tile.Label, err error) {
	all, err := cities()
	if err != nil {
		return nil, err
	}
	var around [][]any
	for _, l := range all {
		if l.IsNear(id) {
			at := l.Tile(coverZoom)
			labels, around = append(labels, l), append(around, []any{at.Z, at.X, at.Y})
		}
	}
	if len(labels) == 0 {
		return nil, nil
	}
	var covered []int // indexes in labels
	if err := tx.Select(&covered, s.q.tile.WithData, store.Args{"tiles": store.JSONArray(around)}); err != nil {
		return nil, err
	}
	for _, i := range slices.Backward(covered) {
		labels = slices.Delete(labels, i, i+1)
	}
	return labels, nil
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
