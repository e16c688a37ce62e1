package load

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/svc/maps/reader/pbftest"
	"appliance/svc/svctest"
)

// Sizes of the files of TestReadsDuringImport, in MB.
const (
	oldRegionSize   = 1
	smallImportSize = 8
)

// importReaders is the number of readers beside an import. Each reads about five times
// a second.
const importReaders = 20

// maxReadDelay limits the 99th percentile of the delays of each kind of read.
const maxReadDelay = 50 * time.Millisecond

// An import prints its requirements first. If it is stopped in any phase, the previous region
// stays, and the next import deletes the rows of the stopped one. On Linux, its threads have a
// lower priority than the server. During the import, reads of the field, searches and cached tiles
// are fast. With the flag -import-size, which is for an idle machine, 99 % of the reads of each
// kind must take less than maxReadDelay. Covers B-110.
func TestReadsDuringImport(t *testing.T) {
	svctest.Long(t)
	size := *importSize
	if size == 0 {
		size = smallImportSize
	}
	s := newImportServer(t)
	s.runImport(regionFile(t, oldRegionSize))
	before := s.answers()
	file := regionFile(t, size)
	for i, phase := range []string{
		"SELECT count(*) FROM maps_region WHERE state = 'staged'",
		"SELECT count(*) >= 2000 FROM maps_place WHERE region_id = (SELECT max(id) FROM maps_region WHERE state = 'staged')",
		"SELECT count(*) > 0 FROM maps_tile WHERE region_id = (SELECT max(id) FROM maps_region WHERE state = 'staged')",
	} {
		cmd, output := s.startImport(file)
		apptest.WaitForRow(t, s.db, phase)
		server := niceValues(t, s.Cmd.Process.Pid)
		if nice := niceValues(t, cmd.Process.Pid); slices.ContainsFunc(nice, func(n string) bool { return slices.Contains(server, n) }) {
			t.Errorf("phase %d: got the nice values %q of threads, want greater ones than those of the server, %q", i, nice, server)
		}
		if err := cmd.Process.Signal([]os.Signal{os.Interrupt, os.Kill, syscall.SIGTERM}[i]); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatalf("phase %d: the import ended before it was stopped:\n%s", i, output)
		}
		if after := s.answers(); !slices.Equal(after, before) {
			t.Errorf("phase %d: after the stop: got the answers %q, want those of the previous region: %q", i, after, before)
		}
	}

	readers := s.startReaders()
	cmd, output := s.startImport(file)
	duration := durationOf(func() {
		if err := cmd.Wait(); err != nil {
			t.Errorf("import: %v\n%s", err, output)
		}
	})
	delays := readers.stop()
	if !strings.Contains(output.String(), "The import needs about") {
		t.Errorf("got %q, want a forecast", output)
	}
	t.Logf("%d MB in %v\n%s", size, duration.Round(time.Second), output)
	for i, kind := range importReads {
		list := delays[i]
		p99 := percentile(list, 99)
		t.Logf("%s: %d reads: median %s, p99 %s, max %s", kind.name, len(list), formatMilliseconds(percentile(list, 50)), formatMilliseconds(p99), formatMilliseconds(list[len(list)-1]))
		if *importSize > 0 && p99 > maxReadDelay && !kind.writes {
			t.Errorf("%s: got a 99th percentile of %v, want at most %v", kind.name, p99, maxReadDelay)
		}
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM maps_region": 1,
		"SELECT count(*) FROM maps_region WHERE state = 'current' AND place_count = (SELECT count(*) FROM maps_place)":     1,
		"SELECT count(*) FROM maps_region WHERE state = 'current' AND tile_count = (SELECT count(*) FROM maps_tile)":       1,
		"SELECT (SELECT count(*) FROM maps_place) - (SELECT count(*) FROM maps_place_text_docsize)":                        0,
		"SELECT count(*) FROM maps_cluster WHERE region_id NOT IN (SELECT id FROM maps_region)":                            0,
		"SELECT count(*) FROM maps_place_position WHERE id NOT IN (SELECT id FROM maps_place)":                             0,
		"SELECT count(*) FROM maps_place_trigram_docsize AS d LEFT JOIN maps_place AS p ON p.id = d.id WHERE p.id IS NULL": 0,
	} {
		if got := apptest.Count(t, s.db, query); got != want {
			t.Errorf("after the import: %s: got %d, want %d", query, got, want)
		}
	}
}

// niceValues returns the nice value of each thread of a process on Linux; see
// proc_pid_stat(5).
func niceValues(t *testing.T, pid int) (list []string) {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		stat, err := os.ReadFile(file)
		if err != nil { // the thread has ended
			continue
		}
		_, fields, _ := strings.Cut(string(stat), ") ") // after the name
		list = append(list, strings.Fields(fields)[16])
	}
	return list
}

// regionFile returns a file of a synthetic region.
func regionFile(t *testing.T, megabytes int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "region.osm.pbf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for _, step := range []func() error{func() error { return pbftest.WriteRegion(w, int64(megabytes)*1_000_000) }, w.Flush, f.Close} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// importServer is a server process beside which regions are imported.
type importServer struct {
	*apptest.Process
	dir     string
	db      *sql.DB         // for reading
	member  *apptest.Client // ann
	service *apptest.Client
}

func newImportServer(t *testing.T) *importServer {
	t.Helper()
	dir := apptest.NewDataDir(t)
	cmd := apptest.ServeCommand(t, dir, "--rate-limits", "writes=0,reads=0,tiles=0,searches=0")
	cmd.Env = append(cmd.Env, "APPLIANCE_SERVICE_KEY="+apptest.ServiceKey)
	s := &importServer{Process: apptest.Start(t, cmd), dir: dir, db: apptest.OpenDatabase(t, dir)}
	s.member = s.SignIn("ann")
	s.member.ID = 1
	s.service = s.member.AsService()
	return s
}

// startImport starts the import of a file as the region.
func (s *importServer) startImport(file string) (*exec.Cmd, *apptest.Log) {
	s.T.Helper()
	cmd, output := apptest.Command(s.T, "maps", "import", file, "--data", s.dir, "--yes"), new(apptest.Log)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		s.T.Fatal(err)
	}
	return cmd, output
}

// runImport imports a file as the region.
func (s *importServer) runImport(file string) {
	s.T.Helper()
	if cmd, output := s.startImport(file); cmd.Wait() != nil {
		s.T.Fatal(output)
	}
}

// importRead is a kind of read beside an import.
type importRead struct {
	name   string
	writes bool // the request also writes
	send   func(s *importServer, c *http.Client) (*apptest.Answer, error)
}

var importReads = []importRead{
	{"field", false, func(s *importServer, c *http.Client) (*apptest.Answer, error) {
		lat, lon := pbftest.TownCenter(rand.Int64N(10))
		path := fmt.Sprintf("/world/field/objects?south=%.4f&north=%.4f&west=%.4f&east=%.4f", lat-0.009, lat+0.009, lon-0.012, lon+0.012)
		return withConnection(s.member, c).Try("GET", path)
	}},
	{"search", false, func(s *importServer, c *http.Client) (*apptest.Answer, error) {
		n := rand.Int64N(10)
		lat, lon := pbftest.TownCenter(n)
		text := []string{"pharmacy", "Golden+Lion", "Main+Street+12+" + pbftest.TownName(n), pbftest.TownName(n)}[rand.IntN(4)]
		return withConnection(s.service, c).Try("GET", fmt.Sprintf("/maps/geo/lookup?q=%s&lat=%.4f&lon=%.4f", text, lat, lon))
	}},
	{"cached tile", false, func(s *importServer, c *http.Client) (*apptest.Answer, error) {
		return withConnection(s.member, c).Try("GET", tilePath(rand.IntN(cachedTiles)))
	}},
	{"Find", true, func(s *importServer, c *http.Client) (*apptest.Answer, error) {
		return withConnection(s.member, c).Try("POST", "/world/find/query", map[string]any{"query": pbftest.TownName(rand.Int64N(10)), "scope": "everywhere"})
	}},
}

// withConnection returns the client with its own connection.
func withConnection(c *apptest.Client, connection *http.Client) *apptest.Client {
	d := *c
	d.HTTP = connection
	return &d
}

// cachedTiles is the number of tiles that readers read.
const cachedTiles = 12

// tilePath returns the path of the n-th tile around the first town.
func tilePath(n int) string {
	const zoom, x, y = 14, 8419, 6202 // at 40° N, 5° E
	return fmt.Sprintf("/world/maps/tiles/base/%d/%d/%d.png", zoom, x+n%4, y+n/4)
}

// answers returns answers from the region of oldRegionSize, without ids of the region.
func (s *importServer) answers() (list []string) {
	s.T.Helper()
	for n := range int64(5) {
		lat, lon := pbftest.TownCenter(n)
		a := s.service.Do("GET", fmt.Sprintf("/maps/geo/lookup?q=pharmacy&lat=%.4f&lon=%.4f&radius=5000", lat, lon)).Want(200)
		list = append(list, a.Body)
	}
	return list
}

// readers are the readers beside an import.
type readers struct {
	cancel  context.CancelFunc
	running sync.WaitGroup
	mu      sync.Mutex
	delays  [][]time.Duration // by kind
}

// startReaders starts importReaders readers, each with its own connection. The tiles are
// in the cache.
func (s *importServer) startReaders() *readers {
	for n := range cachedTiles {
		s.member.Do("GET", tilePath(n)).Want(200)
	}
	ctx, cancel := context.WithCancel(s.T.Context())
	r := &readers{cancel: cancel, delays: make([][]time.Duration, len(importReads))}
	for i := range importReaders {
		r.running.Go(func() {
			connection := &http.Client{Transport: new(http.Transport)}
			for n := i; ; n++ {
				select {
				case <-ctx.Done():
					return
				case <-time.After(time.Duration(100+rand.IntN(200)) * time.Millisecond):
				}
				s.measure(r, n%len(importReads), connection)
			}
		})
	}
	return r
}

// measure sends a request of a kind and adds its delay.
func (s *importServer) measure(r *readers, kind int, connection *http.Client) {
	begin := time.Now()
	a, err := importReads[kind].send(s, connection)
	delay := time.Since(begin)
	if err != nil {
		s.T.Errorf("%s: %v", importReads[kind].name, err)
		return
	}
	if a.Status != http.StatusOK {
		s.T.Errorf("%s: got status %d, want 200\n%.300s", importReads[kind].name, a.Status, a.Body)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delays[kind] = append(r.delays[kind], delay)
}

// stop ends the readers and returns the delays by kind.
func (r *readers) stop() [][]time.Duration {
	r.cancel()
	r.running.Wait()
	return r.delays
}
