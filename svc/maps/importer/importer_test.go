package importer

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/maps"
	"appliance/svc/maps/reader"
	"appliance/svc/maps/reader/pbftest"
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
	if took := time.Duration(size) * 2 * time.Millisecond; took > longWrite || size < minPlaceBatch {
		t.Errorf("2 ms per place: got batches of %d, which take %v, want at most %v", size, took, longWrite)
	}
	for range 20 {
		size = nextBatch(size, time.Millisecond)
	}
	if size != placeBatch {
		t.Errorf("1 ms per batch: got batches of %d, want %d", size, placeBatch)
	}
}
