package maps

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// importBatch is the number of places that an import writes in one transaction.
const importBatch = 200

// ErrImportRunning is returned by Begin while another import, in this or another
// process, holds the lock.
var ErrImportRunning = errors.New("another import of map data is running")

type importQueries struct {
	AddRegion         store.Query `sql:"add-region"`
	StagedName        store.Query `sql:"staged-name"`
	ConfigureTexts    store.Query `sql:"configure-texts"`
	ConfigureTrigrams store.Query `sql:"configure-trigrams"`
	AddPlaces         store.Query `sql:"add-places"`
	AddPositions      store.Query `sql:"add-positions"`
	AddTexts          store.Query `sql:"add-texts"`
	AddTrigrams       store.Query `sql:"add-trigrams"`
	CountedElsewhere  store.Query `sql:"counted-elsewhere"`
	SetCounted        store.Query `sql:"set-counted"`
	AddClusters       store.Query `sql:"add-clusters"`
	AddTiles          store.Query `sql:"add-tiles"`
	MergeTexts        store.Query `sql:"merge-texts"`
	MergeTrigrams     store.Query `sql:"merge-trigrams"`
	TotalChanges      store.Query `sql:"total-changes"`
	DescribeRegion    store.Query `sql:"describe-region"`
	RetireName        store.Query `sql:"retire-name"`
	PublishRegion     store.Query `sql:"publish-region"`
	RetireRegion      store.Query `sql:"retire-region"`
}

// NewRegion describes a region to import.
type NewRegion struct {
	Name     string
	Format   Format // one of the formats of Region
	FileSize int64  // bytes
	Checksum string // SHA-256 of the file, in hex
}

// Import stages the rows of a region. The caller must end it with Publish or Abort.
// Its methods must not be called concurrently.
type Import struct {
	s      *Service
	db     *store.DB
	region int64
	name   string
	unlock func() error

	header        mapdata.Header
	bounds        geo.Box // of the places
	places, tiles int

	merged  int  // number of indexes of words that have been merged
	merging bool // the merge of the next index has begun
}

// Tile is the data of the features in a tile.
type Tile struct {
	Z, X, Y int
	Data    []byte
}

// reservedNames are the providers that are not the name of a region.
var reservedNames = []string{string(OSM), GazetteerProvider, "geocoder"}

// checkRegionName validates the name of a region. Except in OpenStreetMap data, it is
// the provider in the ids of the places.
func checkRegionName(r NewRegion) error {
	if err := svc.CheckName("name", r.Name); err != nil || r.Format == OSM {
		return err
	}
	if strings.ContainsAny(r.Name, ":/") || slices.Contains(reservedNames, r.Name) {
		return svc.FieldError(svc.InvalidValue, "name", "The name of a region must not contain : or / and must not be one of these: %s.", strings.Join(reservedNames, ", "))
	}
	return nil
}

// Begin starts an import. It holds a lock of the data directory until the import
// ends: a staged region without the lock is the remains of a killed process.
func (s *Service) Begin(ctx context.Context, db *store.DB, r NewRegion) (*Import, error) {
	if err := checkRegionName(r); err != nil {
		return nil, err
	}
	unlock, ok, err := store.TryLock(lockFile(db))
	if err != nil {
		return nil, fmt.Errorf("locking the map data: %w", err)
	}
	if !ok {
		return nil, ErrImportRunning
	}
	i := &Import{s: s, db: db, name: r.Name, unlock: unlock}
	err = db.Write(ctx, func(tx *store.Tx) error {
		for _, query := range []store.Query{s.q.importing.ConfigureTexts, s.q.importing.ConfigureTrigrams} {
			if _, err := tx.Exec(query, nil); err != nil {
				return err
			}
		}
		return tx.Get(&i.region, s.q.importing.AddRegion, store.Args{
			"name": r.Name, "format": r.Format, "size": r.FileSize, "checksum": r.Checksum, "now": store.MillisOf(tx.Now()),
		})
	})
	if err == nil && i.region >= 1<<regionBits {
		err = errors.Join(fmt.Errorf("region %d: the ids of regions are used up", i.region), i.retire(ctx))
	}
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return i, nil
}

func lockFile(db *store.DB) string { return filepath.Join(filepath.Dir(db.Path()), "maps.lock") }

// StagedName returns the name of the region that a running import stages, or "".
func (s *Service) StagedName(tx *store.Tx) (name string, err error) {
	err = tx.Get(&name, s.q.importing.StagedName, nil)
	if store.IsNoRows(err) {
		return "", nil
	}
	return name, err
}

// SetHeader sets bounds, time and attribution of the region. Without bounds the
// region has those of its places.
func (i *Import) SetHeader(h mapdata.Header) { i.header = h }

// AddPlaces stages places. It writes them in batches, so that other writes wait for
// at most 200 ms.
func (i *Import) AddPlaces(ctx context.Context, places []mapdata.Place) error {
	for batch := range slices.Chunk(places, importBatch) {
		rows, err := i.placeRows(batch)
		if err != nil {
			return err
		}
		err = i.db.Write(ctx, func(tx *store.Tx) error { return i.add(tx, rows) })
		if err != nil {
			return fmt.Errorf("importing places: %w", err)
		}
		for n, p := range batch {
			i.bounds = extendBox(i.bounds, p.Point, i.places == 0 && n == 0)
		}
		i.places += len(batch)
	}
	return nil
}

// placeRows are the rows of a batch of places, as JSON arrays.
type placeRows struct {
	places, positions, texts, trigrams string
	sources                            string         // id, provider and provider id of each place in field
	field                              []countedPlace // the places with a category
}

func (i *Import) placeRows(batch []mapdata.Place) (rows placeRows, err error) {
	if i.places+len(batch) >= 1<<numberBits {
		return rows, fmt.Errorf("a region can have up to %d places: split the file", 1<<numberBits-1)
	}
	var places, positions, texts, trigrams, sources [][]any
	for n, p := range batch {
		if p.Provider == "" || p.ProviderID == "" {
			return rows, fmt.Errorf("place %q has no provider or id", p.Name)
		}
		if !p.Point.Valid() {
			return rows, fmt.Errorf("place %s:%s has invalid coordinates %v, %v", p.Provider, p.ProviderID, p.Point.Latitude, p.Point.Longitude)
		}
		p = cleanPlace(p)
		id := placeID(i.region, i.places+n, p.Importance)
		places = append(places, []any{
			id, p.Provider, p.ProviderID, p.Name, p.Kind, p.Category, p.Point.Latitude, p.Point.Longitude, p.Importance,
			p.Address.HouseNumber, p.Address.Street, p.Address.Postcode, p.Address.City, p.Address.Country, p.Names, p.Tags,
			cellOf(p.Point, cellDegrees),
		})
		if p.Name != "" || streetLine(p.Address) != "" {
			positions = append(positions, []any{id, p.Point.Latitude, p.Point.Longitude})
		}
		if p.Category != "" {
			sources = append(sources, []any{id, p.Provider, p.ProviderID})
			rows.field = append(rows.field, countedPlace{id, p.Category, p.Point.Latitude, p.Point.Longitude})
		}
		texts = append(texts, textRow(id, p))
		if row := trigramRow(id, p); row != nil {
			trigrams = append(trigrams, row)
		}
	}
	// The indexes of words must write their data for every id that is less than the previous one.
	for _, list := range [][][]any{places, texts, trigrams} {
		slices.SortFunc(list, func(a, b []any) int {
			if a[0].(int64) < b[0].(int64) {
				return -1
			}
			return 1
		})
	}
	rows.places, rows.positions, rows.texts = store.JSONArray(places), store.JSONArray(positions), store.JSONArray(texts)
	rows.trigrams, rows.sources = store.JSONArray(trigrams), store.JSONArray(sources)
	return rows, nil
}

// cleanPlace returns p without control characters and overlong texts.
func cleanPlace(p mapdata.Place) mapdata.Place {
	const maxText, maxTag = 200, 1000
	for _, text := range []*string{
		&p.Name, &p.Kind, &p.Category, &p.Address.HouseNumber, &p.Address.Street, &p.Address.Postcode, &p.Address.City, &p.Address.Country,
	} {
		*text = svc.SingleLine(*text, maxText)
	}
	p.Importance = min(max(p.Importance, 0), 1)
	p.Names, p.Tags = cleanMap(p.Names, maxText), cleanMap(p.Tags, maxTag)
	return p
}

func cleanMap(m map[string]string, limit int) map[string]string {
	kept := make(map[string]string, len(m))
	for key, value := range m {
		if value = svc.SingleLine(value, limit); value != "" {
			kept[svc.SingleLine(key, limit)] = value
		}
	}
	return kept
}

// add writes the rows of a batch.
func (i *Import) add(tx *store.Tx, rows placeRows) error {
	q := &i.s.q.importing
	for _, part := range []struct {
		query store.Query
		args  store.Args
	}{
		{q.AddPlaces, store.Args{"region": i.region, "places": rows.places}},
		{q.AddPositions, store.Args{"positions": rows.positions}},
		{q.AddTexts, store.Args{"texts": rows.texts}},
		{q.AddTrigrams, store.Args{"trigrams": rows.trigrams}},
	} {
		if _, err := tx.Exec(part.query, part.args); err != nil {
			return err
		}
	}
	if err := i.count(tx, rows); err != nil {
		return err
	}
	return q.merge(tx, addedPages)
}

// Numbers of pages of each index of words that a write merges, in addition to writing
// its rows. They suffice to keep the number of segments small, because the rows of a
// batch need about 10 pages and are written again for each level of segments.
const (
	addedPages   = 128
	deletedPages = 128
)

// merge merges segments of the indexes of words, up to a number of pages of each.
func (q importQueries) merge(tx *store.Tx, pages int) error {
	for _, query := range []store.Query{q.MergeTexts, q.MergeTrigrams} {
		if _, err := tx.Exec(query, store.Args{"pages": pages}); err != nil {
			return err
		}
	}
	return nil
}

// Limits of the tiles that an import writes in one transaction.
const (
	tileBatch = 2 << 20 // bytes
	maxTiles  = 2000
)

// tileRows returns tiles as arrays of z, x, y and the hexadecimal data.
func tileRows(tiles []Tile) [][4]any {
	rows := make([][4]any, len(tiles))
	for i, t := range tiles {
		rows[i] = [4]any{t.Z, t.X, t.Y, hex.EncodeToString(t.Data)}
	}
	return rows
}

// AddTiles stages tiles. It writes them in batches, as AddPlaces does.
func (i *Import) AddTiles(ctx context.Context, tiles []Tile) error {
	for len(tiles) > 0 {
		n, size := 0, 0
		for n < len(tiles) && (n == 0 || size+len(tiles[n].Data) <= tileBatch && n < maxTiles) {
			size += len(tiles[n].Data)
			n++
		}
		rows := store.JSONArray(tileRows(tiles[:n]))
		err := i.db.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(i.s.q.importing.AddTiles, store.Args{"region": i.region, "tiles": rows})
			return err
		})
		if err != nil {
			return fmt.Errorf("importing tiles: %w", err)
		}
		i.tiles += n
		tiles = tiles[n:]
	}
	return nil
}

// mergePages is the number of pages of an index of words that a write of Merge merges.
const mergePages = 250

// Merge merges segments of the indexes of words, because a search looks up each of its
// words in each segment. It must be called after the last place, until it reports that
// nothing is left to merge. Each call is one write of a few hundred pages.
func (i *Import) Merge(ctx context.Context) (more bool, err error) {
	q := &i.s.q.importing
	indexes := []store.Query{q.MergeTexts, q.MergeTrigrams}
	if i.merged == len(indexes) {
		return false, nil
	}
	pages := mergePages
	if !i.merging {
		all, err := i.isLarge(ctx)
		if err != nil {
			return false, err
		}
		if all {
			pages = -mergePages // SQLite: begin to merge all segments
		}
	}
	err = i.db.Write(ctx, func(tx *store.Tx) error {
		var before, after int
		if err := tx.Get(&before, q.TotalChanges, nil); err != nil {
			return err
		}
		if _, err := tx.Exec(indexes[i.merged], store.Args{"pages": pages}); err != nil {
			return err
		}
		err := tx.Get(&after, q.TotalChanges, nil)
		more = after-before > 1 // a merge that has nothing to do counts as one change
		return err
	})
	if err != nil {
		return false, fmt.Errorf("merging the indexes: %w", err)
	}
	if i.merging = more; !more {
		i.merged++
	}
	return i.merged < len(indexes), nil
}

// isLarge reports whether the region has at least a fifth of all places. Only then all
// segments are merged, since that writes the whole indexes again.
func (i *Import) isLarge(ctx context.Context) (large bool, err error) {
	err = i.db.Read(ctx, func(tx *store.Tx) error {
		regions, err := i.s.Regions(tx)
		others := 0
		for _, r := range regions {
			others += r.Places
		}
		large = i.places > others/4
		return err
	})
	return large, err
}

// Publish makes the region current, in place of the previous region of its name, and
// ends the import. If it fails, the previous region stays current.
func (i *Import) Publish(ctx context.Context) error {
	q := &i.s.q.importing
	bounds := i.header.Bounds
	if bounds == (geo.Box{}) {
		bounds = i.bounds
	}
	var dataAt *store.Millis
	if !i.header.DataTime.IsZero() {
		dataAt = new(store.MillisOf(i.header.DataTime))
	}
	err := i.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(q.DescribeRegion, store.Args{
			"id": i.region, "south": bounds.South, "west": bounds.West, "north": bounds.North, "east": bounds.East, "places": i.places, "tiles": i.tiles,
			"label": i.header.Attribution.Label, "url": i.header.Attribution.URL, "required": i.header.Attribution.Required, "data_at": dataAt,
		})
		if err != nil {
			return err
		}
		if _, err = tx.Exec(q.RetireName, store.Args{"name": i.name}); err != nil {
			return err
		}
		n, err := tx.Exec(q.PublishRegion, store.Args{"id": i.region})
		if err == nil && n == 0 {
			err = errors.New("the staged region no longer exists: import the file again")
		}
		tx.Touch(svc.MapsUpdated, store.Everyone)
		return err
	})
	if err != nil {
		return errors.Join(fmt.Errorf("publishing the region: %w", err), i.Abort(ctx))
	}
	return i.release()
}

// Abort discards the staged rows, which Sweep then deletes, and ends the import. It
// does nothing after the end of the import.
func (i *Import) Abort(ctx context.Context) error {
	if i.unlock == nil {
		return nil
	}
	return errors.Join(i.retire(ctx), i.release())
}

// abortTimeout limits the write with which Abort discards the region.
const abortTimeout = 10 * time.Second

// retire marks the staged region for deletion, also if ctx has ended.
func (i *Import) retire(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), abortTimeout)
	defer cancel()
	return i.db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(i.s.q.importing.RetireRegion, store.Args{"id": i.region})
		return err
	})
}

// release releases the lock.
func (i *Import) release() (err error) {
	if i.unlock != nil {
		err = i.unlock()
		i.unlock = nil
	}
	return err
}
