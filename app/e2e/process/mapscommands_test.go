package process

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/cli"
	"appliance/app/config"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc/maps"
	"appliance/svc/maps/gazetteer"
	"appliance/svc/maps/reader/pbftest"
	"appliance/svc/svctest"
)

// mapFile writes a file into a new directory and returns its path.
func mapFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	writeFile(t, path, content)
	return path
}

// regions returns the names of the imported regions with their numbers of places, as
// maps status lists them.
func regions(t *testing.T, s *apptest.Server) (list []string) {
	t.Helper()
	status, stdout, stderr := s.RunCommand("", "maps", "status", "--json")
	var result []struct {
		Name   string
		Places int
	}
	if err := json.Unmarshal([]byte(stdout), &result); err != nil || status != cli.ExitOK {
		t.Fatalf("status: got %d, %v\n%s%s", status, err, stdout, stderr)
	}
	for _, r := range result {
		if r.Name != "towns" {
			list = append(list, fmt.Sprint(r.Name, " ", r.Places))
		}
	}
	return list
}

// searchFinds reports whether a search for a name finds a place with this name.
func searchFinds(t *testing.T, s *apptest.Server, name string) (ok bool) {
	t.Helper()
	err := s.App.DB.Read(t.Context(), func(tx *store.Tx) error {
		list, err := s.App.Maps.Search(tx, maps.SearchQuery{Text: name, Limit: 10})
		ok = slices.ContainsFunc(list, func(p maps.Place) bool { return p.Name == name })
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ok
}

// Files of all formats are imported beside a running server, each as its own region. An import
// replaces the region with the same name; clear removes it. Covers B-33 and B-110.
func TestRegionsAreImportedReplacedAndRemoved(t *testing.T) {
	s := apptest.New(t)
	run := func(want int, args ...string) string {
		t.Helper()
		status, stdout, stderr := s.RunCommand("", append([]string{"maps"}, args...)...)
		if status != want {
			t.Fatalf("maps %s: got exit status %d, want %d\n%s%s", args, status, want, stdout, stderr)
		}
		return stdout + stderr
	}
	osm := pbftest.New([]float64{35, 14, 36, 15})
	osm.Node(1, 35.9, 14.5, "amenity", "cafe", "name", "Kaffee")
	osm.Node(2, 35.91, 14.5, "place", "town", "name", "Rabat")
	text := run(cli.ExitOK, "import", mapFile(t, "harbor.osm.pbf", string(osm.Bytes())))
	for _, want := range []string{"The import needs a few seconds and about", "of memory", "The database grows by about", "harbor: 2 places"} {
		if !strings.Contains(text, want) {
			t.Errorf("import: got %q, want %q in it", text, want)
		}
	}
	const backups = "kept backups" // of which the forecast says how much they grow, if they contain map data
	if strings.Contains(text, backups) {
		t.Errorf("import without map data in backups: got %q, want no %q in it", text, backups)
	}
	t.Setenv("APPLIANCE_BACKUP_MAPS", "on")
	if text := run(cli.ExitOK, "import", mapFile(t, "harbor.osm.pbf", string(osm.Bytes()))); !strings.Contains(text, backups) {
		t.Errorf("import with map data in backups: got %q, want %q in it", text, backups)
	}
	run(cli.ExitOK, "import", "--name", "Trees", mapFile(t, "a.geojson",
		`{"type":"Feature","properties":{"name":"Oak"},"geometry":{"type":"Point","coordinates":[14.5,35.9]}}`))
	run(cli.ExitOK, "import", mapFile(t, "clubs.csv", "name,lat,lon\nChess,35.9,14.5\nBridge,35.9,14.6\n"))
	if got, want := regions(t, s), []string{"Trees 1", "clubs 2", "harbor 2"}; !slices.Equal(got, want) {
		t.Errorf("got the regions %q, want %q", got, want)
	}
	for _, name := range []string{"Kaffee", "Oak", "Chess", "Bridge"} {
		if !searchFinds(t, s, name) {
			t.Errorf("search for %s: got nothing, want it", name)
		}
	}
	run(cli.ExitOK, "import", mapFile(t, "clubs.csv", "name,lat,lon\nGo,35.9,14.5\n"))
	run(cli.ExitOK, "clear", "Trees", "--yes")
	if got, want := regions(t, s), []string{"clubs 1", "harbor 2"}; !slices.Equal(got, want) {
		t.Errorf("after the replacement: got the regions %q, want %q", got, want)
	}
	for name, want := range map[string]bool{"Kaffee": true, "Go": true, "Chess": false, "Oak": false} {
		if got := searchFinds(t, s, name); got != want {
			t.Errorf("search for %s after the replacement: got %t, want %t", name, got, want)
		}
	}
}

// An invalid file or argument is reported with an exit status and the position of the error, and
// changes nothing.
func TestInvalidImportsAreRejected(t *testing.T) {
	s := apptest.New(t)
	good := "name,lat,lon\nChess,35.9,14.5\n"
	if status, _, stderr := s.RunCommand("", "maps", "import", mapFile(t, "clubs.csv", good)); status != cli.ExitOK {
		t.Fatal(stderr)
	}
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   string
	}{
		{"a wrong row", []string{"import", mapFile(t, "clubs.csv", good+"Go,95,14\n")}, cli.ExitFailure, "line 3, column 4: the lat 95 is out of range"},
		{"a truncated file", []string{"import", "--name", "clubs", mapFile(t, "a.geojson", `{"type":"FeatureCollection","features":[`)}, cli.ExitFailure, "the file is truncated"},
		{"another format", []string{"import", "--name", "clubs", mapFile(t, "a.osm.pbf", "<?xml version='1.0'?>")}, cli.ExitFailure, "not an .osm.pbf file"},
		{"an unknown extension", []string{"import", mapFile(t, "clubs.xml", good)}, cli.ExitUsage, "must end in .osm.pbf"},
		{"no file", []string{"import", filepath.Join(t.TempDir(), "clubs.csv")}, cli.ExitFailure, "no such file"},
		{"a directory", []string{"import", s.Settings.Data + "/"}, cli.ExitUsage, "must end in"},
		{"an empty file", []string{"import", "--name", "clubs", mapFile(t, "b.csv", "")}, cli.ExitFailure, "empty"},
		{"a reserved name", []string{"import", "--name", "towns", mapFile(t, "c.csv", good)}, cli.ExitUsage, "reserved"},
		{"a name with a line break", []string{"import", "--name", "a\nb", mapFile(t, "c.csv", good)}, cli.ExitUsage, "Name"},
		{"an unknown region", []string{"clear", "--yes", "nowhere"}, cli.ExitNotFound, "There is no imported region"},
		{"no confirmation", []string{"clear", "clubs"}, cli.ExitUsage, "--yes"},
		{"the towns", []string{"clear", "--yes", "towns"}, cli.ExitUsage, "part of the program"},
	} {
		status, stdout, stderr := s.RunCommand("", append([]string{"maps"}, c.args...)...)
		if status != c.status || !strings.Contains(stderr, c.want) || stdout != "" {
			t.Errorf("%s: got exit status %d, %q, want %d with %q", c.name, status, stdout+stderr, c.status, c.want)
		}
	}
	if got := regions(t, s); !slices.Equal(got, []string{"clubs 1"}) || !searchFinds(t, s, "Chess") {
		t.Errorf("got the regions %q, want the unchanged one", got)
	}
}

// A second import waits until the running one has ended, prints that it waits, and then imports.
func TestImportWaitsForTheRunningImport(t *testing.T) {
	s := apptest.New(t)
	file := mapFile(t, "clubs.csv", "name,lat,lon\nChess,35.9,14.5\n")
	for region, want := range map[string]string{"first": "Waiting for the import of first.", "towns": "Waiting for the server's loading of the towns of the world"} {
		running, err := s.App.Maps.Begin(t.Context(), s.App.DB, maps.NewRegion{Name: region, Format: maps.CSV})
		if err != nil {
			t.Fatal(err)
		}
		stderr := new(apptest.Log)
		status, ended := -1, make(chan struct{})
		go func() {
			defer close(ended)
			status = cli.Run(t.Context(), []string{"maps", "import", file, "--data", s.Settings.Data}, strings.NewReader(""), io.Discard, stderr)
		}()
		if !stderr.WaitFor(want, ended) {
			t.Fatalf("beside %s: got exit status %d, %q, want %q", region, status, stderr, want)
		}
		if err := running.Abort(t.Context()); err != nil {
			t.Fatal(err)
		}
		if <-ended; status != cli.ExitOK || !strings.Contains(stderr.String(), "Press Ctrl-C") {
			t.Errorf("beside %s: got exit status %d, %q, want 0 and how to stop", region, status, stderr)
		}
	}
	if got := regions(t, s); !slices.Equal(got, []string{"clubs 1"}) {
		t.Errorf("got the regions %q, want the imported one", got)
	}
}

// The first start loads the large towns before all others: a search finds them while the
// others are being loaded, and Find says so. All towns then replace them, once. Covers B-110.
func TestLargeTownsAreLoadedFirst(t *testing.T) {
	svctest.Long(t)
	s := apptest.New(t, func(s *config.Settings) { s.Towns = "on" })
	ann := s.Member("ann")
	im := s.App.MapImporter(0)
	want := func(when, missing, find string, finds, findsNot string) {
		t.Helper()
		parts, err := im.MissingTowns(t.Context())
		if got := fmt.Sprintf("%q", parts); err != nil || got != missing {
			t.Errorf("%s: got the missing parts %s, %v, want %s", when, got, err, missing)
		}
		if got := apptest.At(ann.Session().Service("find"), "status"); got != find {
			t.Errorf("%s: got the state %v of Find, want %s", when, got, find)
		}
		if finds != "" && !searchFinds(t, s, finds) {
			t.Errorf("%s: got no %s, want it", when, finds)
		}
		if findsNot != "" && searchFinds(t, s, findsNot) {
			t.Errorf("%s: got %s, want it after all towns are loaded", when, findsNot)
		}
	}
	want("before", `["large" ""]`, "degraded", "", "Vienna")
	if _, err := im.Towns(t.Context(), gazetteer.Large); err != nil {
		t.Fatal(err)
	}
	want("the large towns", `[""]`, "degraded", "Vienna", "Marsaxlokk")
	for _, when := range []string{"all towns", "second run"} {
		if err := s.App.MaintainMaps(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(when, `[]`, "ready", "Marsaxlokk", "")
		var list []maps.Region
		err := s.App.DB.Read(t.Context(), func(tx *store.Tx) (err error) {
			list, err = s.App.Maps.Regions(tx)
			return err
		})
		if err != nil || len(list) != 1 || list[0].ID != 2 || list[0].Places < 150_000 || list[0].Attribution.Label != "GeoNames" {
			t.Errorf("%s: got the regions %+v, %v, want the second with all towns", when, list, err)
		}
		if rows := storetest.Rows(t, s.DB, "SELECT count(*) FROM maps_region"); rows[0] != "1" {
			t.Errorf("%s: got %s regions, want the rows of the large towns deleted", when, rows[0])
		}
	}
}
