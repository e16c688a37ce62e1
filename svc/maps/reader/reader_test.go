package reader

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// collector is a sink that keeps everything.
type collector struct {
	header   mapdata.Header
	headers  int
	places   []mapdata.Place
	features []mapdata.Feature
	fail     error // returned by Place
}

func (c *collector) Header(h mapdata.Header) error {
	c.header = h
	c.headers++
	return nil
}

func (c *collector) Place(p mapdata.Place) error {
	c.places = append(c.places, p)
	return c.fail
}

func (c *collector) Feature(f mapdata.Feature) error {
	c.features = append(c.features, f)
	return nil
}

// place returns the place with an id. It fails the test unless there is one.
func (c *collector) place(t *testing.T, id string) mapdata.Place {
	t.Helper()
	var found []mapdata.Place
	for _, p := range c.places {
		if p.ProviderID == id {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%s: got %+v, want one place", id, found)
	}
	return found[0]
}

// names returns the names of the features of a class, sorted.
func (c *collector) names(class mapdata.Class) (names []string) {
	for _, f := range c.features {
		if f.Class == class {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return names
}

// read reads a file in memory.
func read(ctx context.Context, t testing.TB, format Format, data []byte) (*collector, error) {
	t.Helper()
	c := &collector{}
	err := Read(ctx, File{bytes.NewReader(data), int64(len(data)), format}, Options{Region: "test", Dir: t.TempDir()}, c)
	return c, err
}

// mustRead reads a file in memory. It fails the test if there is an error.
func mustRead(t *testing.T, format Format, data []byte) *collector {
	t.Helper()
	c, err := read(t.Context(), t, format, data)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// check fails the test unless the content of the file satisfies the rules on which
// the store and the tiles depend, even if the file is malformed.
func (c *collector) check(t *testing.T) {
	t.Helper()
	if c.headers != 1 {
		t.Fatalf("got %d headers, want one before the places", c.headers)
	}
	for _, p := range c.places {
		if !p.Point.Valid() || p.Provider == "" || p.ProviderID == "" || p.Importance < 0 || p.Importance > 1 {
			t.Fatalf("got the place %+v, want one with a position on the Earth, an id and an importance up to 1", p)
		}
		for _, text := range []string{p.Name, p.Address.Street, p.Address.City, p.Address.HouseNumber} {
			if len(text) > maxText || strings.ContainsAny(text, "\x00\n") {
				t.Fatalf("got the text %.80q of %d bytes, want one line up to %d bytes", text, len(text), maxText)
			}
		}
	}
	for _, f := range c.features {
		if len(f.Parts) == 0 || f.Class == 0 {
			t.Fatalf("got the feature %+v, want a class and points", f)
		}
		for _, part := range f.Parts {
			if len(part) == 0 || slices.ContainsFunc(part, func(p geo.Point) bool { return !p.Valid() }) {
				t.Fatalf("got the part %v of class %d, want points on the Earth", part, f.Class)
			}
		}
	}
}

func TestFormatOf(t *testing.T) {
	for name, want := range map[string]struct {
		format Format
		base   string
	}{
		"malta-2018.osm.pbf": {OSM, "malta-2018"}, "Malta.OSM.PBF": {OSM, "Malta"}, "trees.geojson": {GeoJSON, "trees"},
		"trees.json": {GeoJSON, "trees"}, "clubs.csv": {CSV, "clubs"}, "a.osm": {}, ".csv": {}, "csv": {}, "": {},
	} {
		format, base, err := FormatOf(name)
		if format != want.format || base != want.base || (err != nil) != (want.format == "") {
			t.Errorf("%s: got %q, %q, %v, want %q, %q", name, format, base, err, want.format, want.base)
		}
	}
}

// An error of the sink and the end of the context end the reading of each format.
func TestReadEndsWithTheSinkOrTheContext(t *testing.T) {
	for format, data := range samples() {
		c := &collector{fail: errors.New("full")}
		file := File{bytes.NewReader(data), int64(len(data)), format}
		err := Read(t.Context(), file, Options{Region: "test", Dir: t.TempDir()}, c)
		if !errors.Is(err, c.fail) || err.Error() != "full" || len(c.places) != 1 {
			t.Errorf("%s: got %v after %d places, want the error of the sink after the first", format, err, len(c.places))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := read(ctx, t, format, data); !errors.Is(err, context.Canceled) {
			t.Errorf("%s with an ended context: got %v, want its error", format, err)
		}
	}
}

// Progress never decreases and ends with the total. Temporary files are removed.
func TestReadReportsItsProgress(t *testing.T) {
	for format, data := range samples() {
		last, dir := int64(0), t.TempDir()
		err := Read(t.Context(), File{bytes.NewReader(data), int64(len(data)), format}, Options{Region: "test", Dir: dir, Progress: func(done, total int64) {
			if done < last || done > total {
				t.Errorf("%s: got %d of %d after %d, want an increase", format, done, total, last)
			}
			last = done
			if done == total {
				last = 0
			}
		}}, &collector{})
		if err != nil || last != 0 {
			t.Errorf("%s: got %v and the progress %d, want the end", format, err, last)
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) > 0 {
			t.Errorf("%s: got the files %v, want none", format, files)
		}
	}
}

// samples returns a small file of each format with a place.
func samples() map[Format][]byte {
	return map[Format][]byte{
		OSM:     island(false).Bytes(),
		GeoJSON: []byte(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Oak"},"geometry":{"type":"Point","coordinates":[14,36]}}]}`),
		CSV:     []byte("name,lat,lon\nOak,36,14\n"),
	}
}

// The forecast of an import grows with the file, and damaged files are reported
// before the import.
func TestEstimateGrowsWithTheFile(t *testing.T) {
	for format, data := range samples() {
		small, err := EstimateFile(t.Context(), File{bytes.NewReader(data), int64(len(data)), format})
		if err != nil || small.Memory < 1<<20 {
			t.Errorf("%s: got %+v, %v, want an estimate", format, small, err)
		}
		if _, err := EstimateFile(t.Context(), File{bytes.NewReader(nil), 0, format}); err == nil {
			t.Errorf("an empty %s file: got no error, want one", format)
		}
	}
	small, large := estimate(1<<20, osmPerMiB, osmMemory), estimate(1<<30, osmPerMiB, osmMemory)
	if large.Growth < 1000*small.Growth || large.Duration < 1000*small.Duration {
		t.Errorf("got %+v for 1 MiB and %+v for 1 GiB, want growth in proportion", small, large)
	}
}

// The sample of the module github.com/paulmach/osm is read if it is in the module
// cache.
func TestReadALargeFile(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	cache := os.Getenv("GOMODCACHE")
	if home, err := os.UserHomeDir(); cache == "" && err == nil {
		cache = filepath.Join(home, "go", "pkg", "mod")
	}
	data, err := os.ReadFile(filepath.Join(cache, "github.com", "paulmach", "osm@v0.8.0", "testdata", "delaware-latest.osm.pbf"))
	if err != nil {
		t.Skip(err)
	}
	c := mustRead(t, OSM, data)
	c.check(t)
	if len(c.places) < 25_000 || len(c.features) < 60_000 {
		t.Errorf("got %d places and %d features, want more than 25,000 and 60,000", len(c.places), len(c.features))
	}
	inWilmington := 0
	for _, p := range c.places {
		if p.Address.City == "Wilmington" && p.Address.Country == "US" {
			inWilmington++
		}
	}
	if inWilmington < 1000 {
		t.Errorf("got %d places in Wilmington, US, want more than 1,000", inWilmington)
	}
}
