package process

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
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

// wantOnlyRegion fails the test unless the database contains one region, whose places
// have names that begin with a word, and nothing else of any import.
func wantOnlyRegion(t *testing.T, dir, word string, places int) {
	t.Helper()
	db := apptest.OpenDatabase(t, dir) // a new connection: an older one checks the indexes against its cache
	for query, want := range map[string]int{
		"SELECT count(*) FROM maps_region":                                                                 1,
		"SELECT count(*) FROM maps_place":                                                                  places,
		"SELECT count(*) FROM maps_place WHERE name LIKE '" + word + " %'":                                 places,
		"SELECT count(*) FROM maps_place_position":                                                         places,
		"SELECT count(*) FROM maps_place_text WHERE maps_place_text MATCH 'name:" + word + "'":             places,
		"SELECT count(*) FROM maps_place_text_docsize":                                                     places,
		"SELECT count(*) FROM maps_region WHERE state = 'current' AND place_count = " + fmt.Sprint(places): 1,
	} {
		if got := apptest.Count(t, db, query); got != want {
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

// largeImport is the number of places of an import that tests kill.
const largeImport = 8_000

// importPhase is a phase in which tests kill an import.
type importPhase struct {
	name  string
	query string // returns a number that is not 0 once the import is in the phase
}

var (
	addingPlaces   = importPhase{"adding places", "SELECT count(*) >= 1000 FROM maps_place WHERE name LIKE 'new %'"}
	mergingIndexes = importPhase{"merging indexes", "SELECT max(place_count) = " + fmt.Sprint(largeImport) + " FROM (SELECT count(*) AS place_count FROM maps_place GROUP BY region_id)"}
	sweeping       = importPhase{"sweeping", "SELECT count(*) FROM maps_region WHERE state = 'retired'"}
)

// startImport starts the import of largeImport places as the region clubs, and returns when
// it is in a phase.
func startImport(t *testing.T, dir string, phase importPhase) *exec.Cmd {
	t.Helper()
	cmd := apptest.Command(t, "maps", "import", clubs(t, "new", largeImport), "--data", dir, "--yes")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	db := apptest.OpenDatabase(t, dir)
	apptest.WaitForRow(t, db, phase.query)
	return cmd
}

// suspendImport suspends an import between two of its writes, so that it neither ends nor
// holds the write lock of the database.
func suspendImport(t *testing.T, dir string, cmd *exec.Cmd) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "appliance.db")+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	signal := func(s syscall.Signal) {
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	for {
		signal(syscall.SIGSTOP)
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
			t.Fatalf("got the status %v, %v, want a suspended process", status, err)
		}
		if lock, err := db.Begin(); err == nil {
			_ = lock.Rollback()
			return
		}
		signal(syscall.SIGCONT) // it holds the write lock
	}
}

// killImport kills a process.
func killImport(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
}

// If an import is killed, the previous region stays, or the new one is complete. The
// next import, or else the server, deletes the remains. Covers B-110.
func TestKilledImportKeepsTheRegion(t *testing.T) {
	dir := apptest.NewDataDir(t)
	runMaps(t, 0, dir, "import", clubs(t, "old", 500))
	before := apptest.Files(t, dir)
	db := apptest.OpenDatabase(t, dir)
	kill := func(phase importPhase) {
		t.Helper()
		killImport(t, startImport(t, dir, phase))
		output := runMaps(t, 0, dir, "status")
		if phase == mergingIndexes && strings.Contains(output, fmt.Sprint("clubs  csv     ", largeImport)) {
			return // the import ended before the signal
		}
		if !strings.Contains(output, "clubs  csv     500") {
			t.Errorf("%s: status after the kill: got %q, want the region with 500 places", phase.name, output)
		}
		if n := apptest.Count(t, db, "SELECT count(*) FROM maps_region WHERE state = 'staged'"); n != 1 {
			t.Errorf("%s: after the kill: got %d staged regions, want the killed one", phase.name, n)
		}
	}
	kill(mergingIndexes)
	runMaps(t, 0, dir, "import", clubs(t, "next", 700))
	wantOnlyRegion(t, dir, "next", 700)

	runMaps(t, 0, dir, "import", clubs(t, "old", 500))
	kill(addingPlaces)
	p := apptest.Serve(t, dir)
	apptest.WaitForRow(t, db, "SELECT count(*) <= 1 FROM maps_region")
	stop(p)
	wantOnlyRegion(t, dir, "old", 500)
	for name := range apptest.Files(t, dir) {
		if _, ok := before[name]; !ok && name != "lock" && name != "reserve" && !strings.HasPrefix(name, "appliance.db-") {
			t.Errorf("got the file %s, want no remains", name)
		}
	}
	killImport(t, startImport(t, dir, sweeping))
	if output := runMaps(t, 0, dir, "status"); !strings.Contains(output, fmt.Sprint("clubs  csv     ", largeImport)) {
		t.Errorf("killed after the publication: got %q, want the new region", output)
	}
}

// An import waits for the import of another process, and starts when that process is killed.
func TestImportStartsWhenTheRunningImportIsKilled(t *testing.T) {
	dir := apptest.NewDataDir(t)
	first := startImport(t, dir, addingPlaces)
	suspendImport(t, dir, first)
	second := apptest.Command(t, "maps", "import", "--data", dir, clubs(t, "next", 700))
	stderr := new(apptest.Log)
	second.Stderr = stderr
	if err := second.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = second.Wait() // the test checks the exit status
	}()
	if want := "Waiting for the import of clubs."; !stderr.WaitFor(want, ended) {
		t.Errorf("got %q, want %q", stderr, want)
	}
	killImport(t, first)
	if <-ended; !second.ProcessState.Success() {
		t.Errorf("got %v, want success\n%s", second.ProcessState, stderr)
	}
	wantOnlyRegion(t, dir, "next", 700)
}

// During the first start of a server, an import waits until the server has loaded the towns.
func TestImportWaitsForTheTowns(t *testing.T) {
	svctest.Long(t)
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir, "--towns=on")
	p.WaitForLog("loading the towns of the world")
	db := apptest.OpenDatabase(t, dir)
	apptest.WaitForRow(t, db, "SELECT count(*) FROM maps_region")
	output := runMaps(t, 0, dir, "import", clubs(t, "club", 10))
	for _, want := range []string{"Waiting for the server's loading of the towns of the world", "clubs: 10 places"} {
		if !strings.Contains(output, want) {
			t.Errorf("got %q, want %q in it", output, want)
		}
	}
	if n := apptest.Count(t, db, "SELECT count(*) FROM maps_region WHERE state = 'current'"); n != 2 {
		t.Errorf("got %d current regions, want the towns and the clubs", n)
	}
}

// An import that is interrupted with SIGINT beside a server leaves the previous
// region, and the server continues to write meanwhile.
func TestInterruptedImportBesideAServer(t *testing.T) {
	dir := apptest.NewDataDir(t)
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	runMaps(t, 0, dir, "import", clubs(t, "old", 500))
	cmd := startImport(t, dir, addingPlaces)
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
