package crash

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// clubs returns a CSV file with a number of clubs whose names begin with a word.
func clubs(t *testing.T, word string, count int) (path string) {
	t.Helper()
	var text strings.Builder
	text.WriteString("name,lat,lon,id\n")
	for n := range count {
		fmt.Fprintf(&text, "%s %d,%.4f,%.4f,%s%d\n", word, n, 35+float64(n%1000)/1000, 14+float64(n/1000)/1000, word, n)
	}
	path = filepath.Join(t.TempDir(), "clubs.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// openDatabase opens the database of a data directory for reading.
func openDatabase(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "appliance.db")+"?mode=ro&_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// count returns the result of a query.
func count(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// wantOnlyRegion fails the test unless the database contains one region, whose places
// have names that begin with a word, and nothing else of any import.
func wantOnlyRegion(t *testing.T, dir, word string, places int) {
	t.Helper()
	db := openDatabase(t, dir) // a new connection: an older one checks the indexes against its cache
	for query, want := range map[string]int{
		"SELECT count(*) FROM maps_region":                                                                 1,
		"SELECT count(*) FROM maps_place":                                                                  places,
		"SELECT count(*) FROM maps_place WHERE name LIKE '" + word + " %'":                                 places,
		"SELECT count(*) FROM maps_place_position":                                                         places,
		"SELECT count(*) FROM maps_place_text WHERE maps_place_text MATCH 'name:" + word + "'":             places,
		"SELECT count(*) FROM maps_place_text_docsize":                                                     places,
		"SELECT count(*) FROM maps_region WHERE state = 'current' AND place_count = " + fmt.Sprint(places): 1,
	} {
		if got := count(t, db, query); got != want {
			t.Errorf("%s: got %d, want %d", query, got, want)
		}
	}
	var result string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&result); err != nil || result != "ok" {
		t.Errorf("integrity_check: got %s, %v, want ok", result, err)
	}
}

// runMaps runs a command of maps.
func runMaps(t *testing.T, want int, dir string, args ...string) (output string) {
	t.Helper()
	status, output := apptest.RunCommand(t, "", append(append([]string{"maps"}, args...), "--data", dir)...)
	if status != want {
		t.Fatalf("maps %s: got exit status %d, want %d\n%s", args, status, want, output)
	}
	return output
}

// If an import is killed, the previous region stays. The next import, or else the
// server, deletes the remains. Covers B-110.
func TestKilledImportKeepsTheRegion(t *testing.T) {
	dir := apptest.NewDataDir(t)
	runMaps(t, 0, dir, "import", clubs(t, "old", 500))
	before := apptest.Files(t, dir)
	db := openDatabase(t, dir)
	kill := func() {
		t.Helper()
		cmd := apptest.Command(t, "maps", "import", clubs(t, "new", 100_000), "--data", dir, "--yes")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for count(t, db, "SELECT count(*) FROM maps_place WHERE name LIKE 'new %'") < 1000 {
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		if output := runMaps(t, 0, dir, "status"); !strings.Contains(output, "clubs  csv     500") {
			t.Errorf("status after the kill: got %q, want the region with 500 places", output)
		}
		if n := count(t, db, "SELECT count(*) FROM maps_region WHERE state = 'staged'"); n != 1 {
			t.Errorf("after the kill: got %d staged regions, want the killed one", n)
		}
	}
	kill()
	runMaps(t, 0, dir, "import", clubs(t, "next", 700))
	wantOnlyRegion(t, dir, "next", 700)

	runMaps(t, 0, dir, "import", clubs(t, "old", 500))
	kill()
	p := apptest.Serve(t, dir)
	for count(t, db, "SELECT count(*) FROM maps_region") > 1 {
	}
	stop(p)
	wantOnlyRegion(t, dir, "old", 500)
	for name := range apptest.Files(t, dir) {
		if _, ok := before[name]; !ok && name != "lock" && !strings.HasPrefix(name, "appliance.db-") {
			t.Errorf("got the file %s, want no remains", name)
		}
	}
}

// An import that is interrupted with SIGINT beside a server leaves the previous
// region, and the server continues to write meanwhile.
func TestInterruptedImportBesideAServer(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	runMaps(t, 0, dir, "import", clubs(t, "old", 500))
	cmd := apptest.Command(t, "maps", "import", clubs(t, "new", 100_000), "--data", dir, "--yes")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	db := openDatabase(t, dir)
	for count(t, db, "SELECT count(*) FROM maps_place WHERE name LIKE 'new %'") < 1000 {
	}
	for n := range 20 {
		createTask(ann, fmt.Sprint("Task ", n))
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("interrupted import: got %v, want exit status 1", err)
	}
	runMaps(t, 0, dir, "import", "--name", "other", clubs(t, "other", 1))
	runMaps(t, 0, dir, "clear", "--yes", "other")
	wantOnlyRegion(t, dir, "old", 500)
}
