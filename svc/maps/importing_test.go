package maps_test

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// begin starts an import and stages places.
func begin(t testing.TB, s *maps.Service, db *store.DB, name string, places ...mapdata.Place) *maps.Import {
	t.Helper()
	i, err := s.Begin(t.Context(), db, maps.NewRegion{Name: name, Format: maps.OSM, FileSize: 7, Checksum: "ab"})
	if err != nil {
		t.Fatal(err)
	}
	if err := i.AddPlaces(t.Context(), places); err != nil {
		t.Fatal(err)
	}
	return i
}

// The name of a region is the provider in the ids of its places.
func TestRegionNames(t *testing.T) {
	s := maps.New()
	db, _ := storetest.Open(t)
	for _, name := range []string{"", "a:b", "a/b", "osm", "geonames", "geocoder"} {
		if _, err := s.Begin(t.Context(), db, maps.NewRegion{Name: name, Format: maps.CSV}); svc.KindOf(err) != svc.Unprocessable && svc.KindOf(err) != svc.Malformed {
			t.Errorf("%q: got %v, want an error of the name", name, err)
		}
	}
	publish(t, begin(t, s, db, "trails", mapdata.Place{Provider: "trails", ProviderID: "way#4", Name: "Coast", Kind: "leisure=park", Point: at(0, 0)}))
	read(t, db, func(tx *store.Tx) error {
		p, err := s.Place(tx, "trails", "way#4", "")
		if err != nil || p.Name != "Coast" {
			t.Errorf("a place with # in its id: got %q, %v, want it", p.Name, err)
		}
		return nil
	})
}

// sweep calls Sweep until no rows are left to delete.
func sweep(t testing.TB, s *maps.Service, db *store.DB) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.Sweep(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
}

// rowCounts returns the rows of the tables of places, separated by spaces.
func rowCounts(t testing.TB, db *store.DB) string {
	t.Helper()
	return storetest.Rows(t, db, `SELECT (SELECT count(*) FROM maps_region), (SELECT count(*) FROM maps_place), (SELECT count(*) FROM maps_place_position),
		(SELECT count(*) FROM maps_place_text_docsize), (SELECT count(*) FROM maps_place_trigram_docsize), (SELECT count(*) FROM maps_cluster), (SELECT count(*) FROM maps_tile)`)[0]
}

// A region becomes visible as a whole, and replaces the previous one of its name; ids
// of places are stable. Covers B-110.
func TestImportReplacesTheRegionAtPublication(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{place("Old Café", "amenity=cafe", at(0, 0)), place("Kept", "amenity=cafe", at(5, 0))})
	visible := func() []string {
		list := nearbyIn(t, s, db, maps.NearbyQuery{Origin: valletta, Radius: 100})
		if found := searchIn(t, s, db, maps.SearchQuery{Text: "cafe"}); len(found) != len(list) {
			t.Errorf("search finds %q, nearby %q", names(found), names(list))
		}
		return names(list)
	}
	i := begin(t, s, db, "test", place("New Café", "amenity=cafe", at(0, 0)), place("Kept", "amenity=cafe", at(5, 0)))
	if got := visible(); !slices.Equal(got, []string{"Old Café", "Kept"}) {
		t.Errorf("while staged: got %q, want the old places", got)
	}
	if err := i.AddTiles(t.Context(), []maps.Tile{{Z: 8, X: 1, Y: 2, Data: []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	before := revision(t, db)
	if err := i.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if revision(t, db) == before {
		t.Error("the revision of the topic maps is unchanged")
	}
	if got := visible(); !slices.Equal(got, []string{"New Café", "Kept"}) {
		t.Errorf("after publication: got %q, want the new places", got)
	}
	read(t, db, func(tx *store.Tx) error {
		_, err := s.Place(tx, "osm", "node/kept", "en")
		if _, gone := s.Place(tx, "osm", "node/old-café", "en"); svc.KindOf(gone) != svc.Missing {
			t.Errorf("a replaced place: got %v, want not found", gone)
		}
		return err
	})
	sweep(t, s, db)
	if got, want := rowCounts(t, db), "1 2 2 2 2 7 1"; got != want {
		t.Errorf("rows after the sweep: got %s, want %s", got, want)
	}
}

// revision returns the revision of the topic of maps for a member.
func revision(t testing.TB, db *store.DB) (n int64) {
	read(t, db, func(tx *store.Tx) error {
		n = tx.Revisions(1).Of(svc.MapsTopic)
		return nil
	})
	return n
}

// An aborted import, and the remains of a killed one, leave the old region and no
// rows. Sweep keeps the rows of a running import.
func TestInterruptedImportLeavesTheOldRegion(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{place("Old", "amenity=cafe", at(0, 0))})
	before := rowCounts(t, db)
	i := begin(t, s, db, "test", synthetic(1000)...)
	if err := i.AddTiles(t.Context(), []maps.Tile{{Z: 8, X: 1, Y: 2, Data: []byte("x")}}); err != nil {
		t.Fatal(err)
	}
	sweep(t, s, db)
	if got := rowCounts(t, db); got == before {
		t.Error("Sweep deleted the rows of a running import")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := i.AddPlaces(ctx, synthetic(500)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
	if err := i.Abort(ctx); err != nil {
		t.Fatal(err)
	}
	if err := i.Abort(ctx); err != nil {
		t.Errorf("a second Abort: %v", err)
	}
	sweep(t, s, db)
	if got := rowCounts(t, db); got != before {
		t.Errorf("rows after an abort: got %s, want %s", got, before)
	}
	// A killed process releases the lock and leaves the staged region.
	if err := begin(t, s, db, "test", synthetic(500)...).Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.Exec(t, db, "UPDATE maps_region SET state = 'staged' WHERE state = 'retired'")
	sweep(t, s, db)
	if got := rowCounts(t, db); got != before {
		t.Errorf("rows after a kill: got %s, want %s", got, before)
	}
	wantNames(t, "after all", searchIn(t, s, db, maps.SearchQuery{Text: "cafe"}), "Old")
}

// During an import, searches do not read the staged rows in the index of words. Those of
// a region whose rows have no token of the region, because an earlier version imported it,
// still find its places.
func TestSearchDoesNotReadStagedRows(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{place("Anchor", "amenity=cafe", at(0, 0)), place("Lion", "amenity=cafe", at(5, 0))})
	begin(t, s, db, "other", place("Ancher", "amenity=cafe", at(0, 0)), place("Lion", "amenity=cafe", at(0, 0)), place("Lion", "amenity=pub", at(0, 0)))
	const matches = `SELECT count(*) FROM maps_place_text WHERE maps_place_text MATCH '("lion")' || (SELECT restriction FROM maps_visible)`
	if got := storetest.Rows(t, db, matches)[0]; got != "1" {
		t.Errorf("got %s rows of the index, want that of the current region only", got)
	}
	wantNames(t, "a word of staged places", searchIn(t, s, db, maps.SearchQuery{Text: "ancher"}), "Anchor")

	storetest.Exec(t, db, "DELETE FROM maps_place_text")
	storetest.Exec(t, db, "INSERT INTO maps_place_text (rowid, name) SELECT id, 'lion' FROM maps_place WHERE name = 'Lion'")
	wantNames(t, "rows without tokens", searchIn(t, s, db, maps.SearchQuery{Text: "lion"})) // the search has used the tokens
	storetest.Exec(t, db, "UPDATE maps_region SET has_token = 0 WHERE state = 'current'")
	wantNames(t, "a region without tokens", searchIn(t, s, db, maps.SearchQuery{Text: "lion"}), "Lion")
}

// An import merges the segments of the indexes of words while it writes them, because a
// search looks up each of its words in each segment.
func TestImportKeepsFewSegments(t *testing.T) {
	s, db := withPlaces(t, nil)
	i := begin(t, s, db, "test")
	most := 0
	for batch := range slices.Chunk(synthetic(6000), 100) {
		if err := i.AddPlaces(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		for _, index := range []string{"maps_place_text", "maps_place_trigram"} {
			n, err := strconv.Atoi(storetest.Rows(t, db, "SELECT count(DISTINCT segid) FROM "+index+"_idx")[0])
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, n)
		}
	}
	if most > 6 {
		t.Errorf("got up to %d segments, want at most 6", most)
	}
}

// Begin returns ErrImportRunning while another import is running.
func TestOnlyOneImportRuns(t *testing.T) {
	s, db := withPlaces(t, nil)
	i := begin(t, s, db, "a")
	if _, err := s.Begin(t.Context(), db, maps.NewRegion{Name: "b", Format: maps.CSV}); !errors.Is(err, maps.ErrImportRunning) {
		t.Errorf("got %v, want %v", err, maps.ErrImportRunning)
	}
	if err := i.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := begin(t, s, db, "b").Abort(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A staged region that has been removed cannot be published, and the previous
// region stays current.
func TestPublishOfASweptRegionFails(t *testing.T) {
	s, db := withPlaces(t, []mapdata.Place{place("Old", "amenity=cafe", at(0, 0))})
	i := begin(t, s, db, "test")
	storetest.Exec(t, db, "UPDATE maps_region SET state = 'retired' WHERE state = 'staged'")
	if err := i.Publish(t.Context()); err == nil {
		t.Error("got no error")
	}
	wantNames(t, "afterwards", searchIn(t, s, db, maps.SearchQuery{Text: "cafe"}), "Old")
}

// Invalid places are rejected with their id; texts are cleaned.
func TestImportValidatesPlaces(t *testing.T) {
	s, db := withPlaces(t, nil)
	i := begin(t, s, db, "test")
	for _, bad := range []mapdata.Place{
		place("North", "amenity=cafe", geo.Point{Latitude: 90.01}), place("East", "amenity=cafe", geo.Point{Longitude: 181}), {Name: "No id", Provider: "osm"},
	} {
		if err := i.AddPlaces(t.Context(), []mapdata.Place{bad}); err == nil || !strings.Contains(err.Error(), bad.ProviderID) {
			t.Errorf("%s: got %v, want an error with its id", bad.Name, err)
		}
	}
	odd := place("Odd\x00 \xff Name"+strings.Repeat("x", 500), "amenity=cafe", at(0, 0))
	odd.ProviderID, odd.Importance = "node/odd", 7
	odd.Tags = map[string]string{"website": "https://example.org", "empty": ""}
	if err := i.AddPlaces(t.Context(), []mapdata.Place{odd}); err != nil {
		t.Fatal(err)
	}
	if err := i.Publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := searchIn(t, s, db, maps.SearchQuery{Text: "odd"})
	if len(list) != 1 || len(list[0].Name) > 220 || strings.Contains(list[0].Name, "\x00") || list[0].Importance != 1 || len(list[0].Tags) != 1 {
		t.Errorf("got %+v, want a clean name", list)
	}
}

// Covered is the union of the imported regions, without the gazetteer.
func TestRegionsAndCoverage(t *testing.T) {
	s, db := withPlaces(t, nil)
	read(t, db, func(tx *store.Tx) error {
		if _, ok, err := s.Covered(tx); ok || err != nil {
			t.Errorf("without places: got %v, %v, want nothing covered", ok, err)
		}
		return nil
	})
	data := time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)
	for _, r := range []struct {
		name   string
		format maps.Format
		header mapdata.Header
	}{
		{"towns", maps.Gazetteer, mapdata.Header{Bounds: geo.Box{South: -90, West: -180, North: 90, East: 180}}},
		{"fiji", maps.OSM, mapdata.Header{Bounds: geo.Box{South: -20, West: 177, North: -16, East: -178}, DataTime: data, Attribution: mapdata.Attribution{Label: "©", URL: "https://example.org", Required: true}}},
		{"points", maps.CSV, mapdata.Header{}},
	} {
		i, err := s.Begin(t.Context(), db, maps.NewRegion{Name: r.name, Format: r.format, FileSize: 5, Checksum: "cc"})
		if err != nil {
			t.Fatal(err)
		}
		i.SetHeader(r.header)
		err = i.AddPlaces(t.Context(), []mapdata.Place{place(r.name+" A", "amenity=cafe", geo.Point{Latitude: -15, Longitude: 175}), place(r.name+" B", "amenity=cafe", geo.Point{Latitude: -16, Longitude: 176})})
		if err == nil {
			err = i.Publish(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	read(t, db, func(tx *store.Tx) error {
		regions, err := s.Regions(tx)
		if err != nil || len(regions) != 4 || regions[0].Name != "fiji" || !regions[0].DataTime.Equal(data) || regions[0].Places != 2 || regions[0].ImportedAt.IsZero() {
			t.Errorf("got %+v, %v", regions, err)
		}
		bounds, ok, err := s.Covered(tx)
		if want := (geo.Box{South: -20, West: 175, North: -15, East: -178}); err != nil || bounds != want || !ok {
			t.Errorf("covered: got %v, %v, want %v", bounds, err, want)
		}
		list, err := s.Search(tx, maps.SearchQuery{Text: "fiji A", Limit: 1})
		if len(list) != 1 || list[0].Attribution.Label != "©" || !list[0].Attribution.Required {
			t.Errorf("got %+v, want the attribution of the region", list)
		}
		return err
	})
}

func TestClearRemovesARegion(t *testing.T) {
	s, db := withPlaces(t, synthetic(500))
	if err := s.Clear(t.Context(), db, "other"); svc.KindOf(err) != svc.Missing {
		t.Errorf("an unknown region: got %v, want not found", err)
	}
	if err := s.Clear(t.Context(), db, "test"); err != nil {
		t.Fatal(err)
	}
	wantNames(t, "cleared", searchIn(t, s, db, maps.SearchQuery{Text: "lion"}))
	sweep(t, s, db)
	if got := rowCounts(t, db); got != "0 0 0 0 0 0 0" {
		t.Errorf("rows: got %s, want none", got)
	}
}

// BenchmarkImport reports the places per second and the longest wait of other writes.
func BenchmarkImport(b *testing.B) {
	places := synthetic(10_000)
	db, _ := storetest.Open(b)
	s := maps.New()
	var longest time.Duration
	for b.Loop() {
		i := begin(b, s, db, "test")
		for chunk := range slices.Chunk(places, 400) {
			start := time.Now()
			if err := i.AddPlaces(b.Context(), chunk); err != nil {
				b.Fatal(err)
			}
			longest = max(longest, time.Since(start))
		}
		publish(b, i)
		b.StopTimer()
		sweep(b, s, db)
		b.StartTimer()
	}
	b.ReportMetric(float64(len(places)*b.N)/b.Elapsed().Seconds(), "places/s")
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}
