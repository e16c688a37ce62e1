package importer

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
	"appliance/svc/maps/reader"
	"appliance/svc/maps/reader/pbftest"
	"appliance/svc/maps/tile"
	"appliance/svc/svctest"
)

func newImporter(t *testing.T) *Importer {
	t.Helper()
	db, _ := storetest.Open(t)
	return &Importer{Maps: maps.New(), DB: db, Dir: t.TempDir()}
}

func csvFile(rows ...string) reader.File {
	text := []byte("name,lat,lon\n" + strings.Join(rows, "\n"))
	return reader.File{Content: bytes.NewReader(text), Size: int64(len(text)), Format: reader.CSV}
}

// status returns the current regions with their numbers of places and tiles.
func status(t *testing.T, im *Importer) (text string) {
	t.Helper()
	err := im.DB.Read(t.Context(), func(tx *store.Tx) error {
		regions, err := im.Maps.Regions(tx)
		for _, r := range regions {
			text += fmt.Sprintf("%s %d %d;", r.Name, r.Places, r.Tiles)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// An import that fails, or whose context ends, leaves the previous region and no rows
// after a sweep. Covers B-110.
func TestFailedImportKeepsTheRegion(t *testing.T) {
	im := newImporter(t)
	if _, err := im.File(t.Context(), "clubs", csvFile("Chess,36,14")); err != nil {
		t.Fatal(err)
	}
	file := pbftest.New(nil)
	for n := range int64(3000) {
		file.Node(n+1, 36, 14, "amenity", "cafe", "name", fmt.Sprint("Café ", n))
	}
	whole := file.Bytes()
	truncated := append(whole, 0, 0)
	ctx, cancel := context.WithCancel(t.Context())
	for name, c := range map[string]struct {
		ctx  context.Context
		data []byte
		stop func()
	}{
		"a truncated file": {t.Context(), truncated, nil},
		"an ended context": {ctx, whole, cancel},
	} {
		im.Paced = func(ctx context.Context, write func() error) (time.Duration, error) {
			if c.stop != nil {
				c.stop()
			}
			return 0, write()
		}
		if _, err := im.File(c.ctx, "clubs", reader.File{Content: bytes.NewReader(c.data), Size: int64(len(c.data)), Format: reader.OSM}); err == nil {
			t.Errorf("%s: got no error, want one", name)
		}
		im.Paced = nil
		if got := status(t, im); got != "clubs 1 0;" {
			t.Errorf("%s: got the regions %q, want the previous one", name, got)
		}
	}
	if err := im.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if rows := storetest.Rows(t, im.DB, "SELECT count(*) FROM maps_place UNION ALL SELECT count(*) FROM maps_region"); strings.Join(rows, " ") != "1 1" {
		t.Errorf("after the sweep: got %q rows of places and regions, want 1 and 1", rows)
	}
}

// Within the bounds of a file, the sea is drawn only where the file has data. The rest, such
// as the land of a neighboring country, keeps the map of the world, which has land here.
func TestAreaWithoutDataKeepsTheWorld(t *testing.T) {
	im := newImporter(t)
	f := pbftest.New([]float64{51, 9, 52, 12})
	f.Node(1, 51.5, 9)
	f.Node(2, 51.55, 10.6) // nearest to the north: without the data, the sea would be in the east
	id := int64(2)
	for lat := 51.01; lat < 52; lat += 0.03 {
		for lon := 9.01; lon < 10.6; lon += 0.03 {
			id++
			f.Node(id, lat, lon)
		}
	}
	f.Way(1, []int64{1, 2}, "natural", "coastline")
	if _, err := im.File(t.Context(), "coast", osmFile(f)); err != nil {
		t.Fatal(err)
	}
	draw := func(id tile.ID, data [][]byte) []byte {
		t.Helper()
		file, err := tile.Draw(tile.Light, 1, id, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	sea := draw(tile.ID{Z: 10, X: 100, Y: 700}, nil)
	for _, c := range []struct {
		name  string
		id    tile.ID
		isSea bool
	}{
		{"sea of the file", tile.ID{Z: 10, X: 539, Y: 341}, true},           // 51.2° to 51.4° N, 9.5° to 9.8° E
		{"outside of its data", tile.ID{Z: 10, X: 544, Y: 341}, false},      // 11.3° to 11.6° E
		{"sea of the file, larger", tile.ID{Z: 13, X: 4316, Y: 2735}, true}, // within the first
		{"land of the file", tile.ID{Z: 10, X: 539, Y: 339}, false},         // 51.6° to 51.8° N
	} {
		var data [][]byte
		err := im.DB.Read(t.Context(), func(tx *store.Tx) (err error) {
			data, _, err = im.Maps.TileData(tx, c.id)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		want := draw(c.id, nil)
		if bytes.Equal(want, sea) {
			t.Fatalf("%s: the world has sea at %v, want land", c.name, c.id)
		}
		if c.isSea {
			want = sea
		}
		if got := draw(c.id, data); !bytes.Equal(got, want) {
			t.Errorf("%s: got another tile %v than that of %s", c.name, c.id, map[bool]string{true: "the sea", false: "the world"}[c.isSea])
		}
	}
}

// An import whose context ends while features become tiles ends before the next feature.
func TestImportEndsBetweenFeatures(t *testing.T) {
	im := newImporter(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := im.newSink(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	defer s.finish(errStopped)
	road := mapdata.Feature{Class: mapdata.Motorway, Parts: [][]geo.Point{{{Latitude: 36, Longitude: 14}, {Latitude: 36.1, Longitude: 14.1}}}}
	if err := s.Feature(road); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.Feature(road); !errors.Is(err, context.Canceled) {
		t.Errorf("a feature: got %v, want context.Canceled", err)
	}
	if err := s.addTiles(); !errors.Is(err, context.Canceled) {
		t.Errorf("the tiles: got %v, want context.Canceled", err)
	}
}

// Features become tiles, and the progress ends with the total.
func TestFeaturesBecomeTiles(t *testing.T) {
	im := newImporter(t)
	f := pbftest.New(nil)
	f.Node(1, 36, 14)
	f.Node(2, 36.01, 14.01)
	f.Way(3, []int64{1, 2}, "highway", "primary", "name", "High Street")
	data := f.Bytes()
	last := int64(0)
	im.Progress = func(done, total int64) {
		if done < last || total != 1000 {
			t.Errorf("got progress %d of %d after %d, want an increase up to 1000", done, total, last)
		}
		last = done
	}
	result, err := im.File(t.Context(), "island", reader.File{Content: bytes.NewReader(data), Size: int64(len(data)), Format: reader.OSM})
	if err != nil || result.Places != 1 || result.Tiles == 0 || last != 1000 {
		t.Errorf("got %+v, %v and the progress %d, want a place, tiles and 1000", result, err, last)
	}
	if got, want := status(t, im), fmt.Sprintf("island 1 %d;", result.Tiles); got != want {
		t.Errorf("got the region %q, want %q", got, want)
	}
}

// On a slow machine, batches become small, so that other writes wait less.
func TestBatchesFollowTheSpeed(t *testing.T) {
	size := placeBatch
	for range 20 {
		size = nextBatch(size, time.Duration(size)*2*time.Millisecond)
	}
	if took := time.Duration(size) * 2 * time.Millisecond; took > maxWriteTime || size < minPlaceBatch {
		t.Errorf("2 ms per place: got batches of %d, which take %v, want at most %v", size, took, maxWriteTime)
	}
	for range 20 {
		size = nextBatch(size, time.Millisecond)
	}
	if size != placeBatch {
		t.Errorf("1 ms per batch: got batches of %d, want %d", size, placeBatch)
	}
}

// regionFile returns the file of a synthetic region with about a number of bytes.
func regionFile(t *testing.T, size int64) reader.File {
	t.Helper()
	var data bytes.Buffer
	if err := pbftest.WriteRegion(&data, size); err != nil {
		t.Fatal(err)
	}
	return reader.File{Content: bytes.NewReader(data.Bytes()), Size: int64(data.Len()), Format: reader.OSM}
}

func osmFile(f *pbftest.File) reader.File {
	data := f.Bytes()
	return reader.File{Content: bytes.NewReader(data), Size: int64(len(data)), Format: reader.OSM}
}

// maxPages is the number of pages that one transaction may write to the write-ahead
// log. 1,000 pages are written in about 60 ms.
const maxPages = 1000

// pageCounter returns a function that returns the number of pages that were written to
// the write-ahead log since its last call.
func pageCounter(t *testing.T, db *store.DB) func() int {
	t.Helper()
	conn, err := sql.Open("sqlite", db.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return func() (written int) {
		t.Helper()
		var busy, copied int
		err := conn.QueryRow("PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &written, &copied)
		if err != nil || written != copied {
			t.Fatalf("checkpoint: got %d of %d pages, %v", copied, written, err)
		}
		return written
	}
}

// Each transaction of a paced import, and of the sweep of the region that it replaces,
// is short, although the region is large. Covers B-110.
func TestTransactionsAreShort(t *testing.T) {
	svctest.Long(t)
	im := newImporter(t)
	written := pageCounter(t, im.DB)
	file := regionFile(t, 15<<20) // 75,000 places
	for _, step := range []string{"first import", "second import"} {
		most, writes := 0, 0
		im.Paced = func(_ context.Context, write func() error) (time.Duration, error) {
			err := write()
			most, writes = max(most, written()), writes+1
			return 0, err
		}
		if _, err := im.File(t.Context(), "land", file); err != nil {
			t.Fatal(err)
		}
		if err := im.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d writes of at most %d pages", step, writes, most)
		if most > maxPages {
			t.Errorf("%s: a transaction writes %d pages, want at most %d", step, most, maxPages)
		}
	}
}

// An import waits until another one ends, and reports the region of that import. If
// its context ends before, nothing is imported.
func TestImportWaitsForAnother(t *testing.T) {
	im := newImporter(t)
	running, err := im.Maps.Begin(t.Context(), im.DB, maps.NewRegion{Name: "first", Format: maps.CSV})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var waited []string
	im.Waiting = func(region string) {
		waited = append(waited, region)
		cancel()
	}
	if _, err := im.File(ctx, "clubs", csvFile("Chess,36,14")); !errors.Is(err, context.Canceled) {
		t.Errorf("while waiting: got %v, want canceled", err)
	}
	im.Waiting = func(region string) {
		waited = append(waited, region)
		if err := running.Publish(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if _, err := im.File(t.Context(), "clubs", csvFile("Chess,36,14")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first", "first"}; !slices.Equal(waited, want) {
		t.Errorf("got the names %q of running imports, want %q", waited, want)
	}
	if got, want := status(t, im), "clubs 1 0;first 0 0;"; got != want {
		t.Errorf("got the regions %q, want %q", got, want)
	}
}

// A feature keeps its id if another import has it at another position in the file, and
// other features are removed, added, renamed or moved.
func TestPlacesKeepTheirIds(t *testing.T) {
	im := newImporter(t)
	ids := func() map[string]string {
		list := make(map[string]string)
		for _, row := range storetest.Rows(t, im.DB, `SELECT p.name || '=' || p.provider || ':' || p.provider_id
			FROM maps_place AS p JOIN maps_region AS r ON r.id = p.region_id AND r.state = 'current'`) {
			name, id, _ := strings.Cut(row, "=")
			list[name] = id
		}
		return list
	}
	first, second := pbftest.New(nil), pbftest.New(nil)
	first.Node(1, 36.1, 14.1)
	first.Node(2, 36.101, 14.1)
	first.Node(3, 36.102, 14.1)
	first.Node(4, 36.2, 14.2, "amenity", "cafe", "name", "Gone")
	first.Node(5, 36.3, 14.3, "amenity", "cafe", "name", "Kept")
	first.Node(6, 36.4, 14.4, "amenity", "cafe", "name", "Moved")
	first.Way(7, []int64{1, 2}, "highway", "primary", "name", "High Street")
	first.Way(9, []int64{2, 3}, "highway", "primary", "name", "High Street")
	second.Node(0, 36.25, 14.25, "amenity", "cafe", "name", "New")
	second.Node(1, 36.1, 14.1)
	second.Node(2, 36.101, 14.1)
	second.Node(3, 36.102, 14.1)
	second.Node(5, 36.3, 14.3, "amenity", "cafe", "name", "Kept", "website", "https://example.org")
	second.Node(6, 36.41, 14.4, "amenity", "bar", "name", "Moved")
	second.Way(7, []int64{1, 2}, "highway", "primary", "name", "High Street")
	second.Way(8, []int64{2, 3}, "highway", "primary", "name", "High Street")
	for _, c := range []struct {
		name          string
		first, second reader.File
		want          map[string]string
	}{
		{"town", osmFile(first), osmFile(second), map[string]string{"Kept": "osm:node/5", "Moved": "osm:node/6", "High Street": "osm:way/7", "New": "osm:node/0"}},
		{"csv", csvFile("Gone,36,14", "Kept,36.1,14.1"), csvFile("New,36.4,14.4", "Kept,36.1,14.1"), nil},
	} {
		if _, err := im.File(t.Context(), c.name, c.first); err != nil {
			t.Fatal(err)
		}
		before := ids()
		if _, err := im.File(t.Context(), c.name, c.second); err != nil {
			t.Fatal(err)
		}
		after := ids()
		for _, name := range []string{"Kept", "Moved", "High Street"} {
			if before[name] != after[name] {
				t.Errorf("%s: %s: got the id %s, want %s as before", c.name, name, after[name], before[name])
			}
		}
		if _, ok := after["Gone"]; ok || after["New"] == "" || after["Kept"] == "" {
			t.Errorf("%s: got the places %v, want those of the second file", c.name, after)
		}
		for name, id := range c.want {
			if after[name] != id {
				t.Errorf("%s: %s: got the id %s, want %s", c.name, name, after[name], id)
			}
		}
	}
}

// While the towns are loaded, a write of a member runs before each batch of at most placeBatch
// towns, and the batches are short: a member waits for at most one of them.
func TestMembersWriteBetweenBatchesOfTowns(t *testing.T) {
	im := newImporter(t)
	written := pageCounter(t, im.DB)
	most, writes := 0, 0
	im.Paced = func(ctx context.Context, write func() error) (time.Duration, error) {
		ctx, cancel := context.WithTimeout(ctx, time.Minute) // ends only if the import keeps others from writing
		defer cancel()
		err := im.DB.Write(ctx, func(tx *store.Tx) error {
			tx.Touch(svc.MapsUpdated, store.Everyone)
			return nil
		})
		if err != nil {
			return 0, fmt.Errorf("write %d of a member: %w", writes, err)
		}
		written()
		err = write()
		most, writes = max(most, written()), writes+1
		return 0, err
	}
	result, err := im.Towns(t.Context(), gazetteer.Large)
	if err != nil {
		t.Fatal(err)
	}
	if want := result.Places / placeBatch; writes < want || want == 0 {
		t.Errorf("got %d writes for %d towns, want at least %d", writes, result.Places, want)
	}
	if most > maxPages {
		t.Errorf("got a batch of %d pages, want at most %d", most, maxPages)
	}
}
