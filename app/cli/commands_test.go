package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"appliance/app/config"
)

// step is a command with a part of its output, including the messages.
type step struct {
	stdin, command string
	status         int
	want           string
}

// runSteps runs commands on a data directory. $DIR in a command stands for dir.
func runSteps(t *testing.T, data, dir string, steps ...step) {
	t.Helper()
	for _, s := range steps {
		status, out, messages := runCommand(t, data, s.stdin, strings.Fields(strings.ReplaceAll(s.command, "$DIR", dir))...)
		if status != s.status || !strings.Contains(out+messages, s.want) {
			t.Fatalf("%s: got status %d\n%s%s\nwant status %d and %q", s.command, status, out, messages, s.status, s.want)
		}
	}
}

// The commands run on one data directory, with the member ann.
func TestCommands(t *testing.T) {
	data := t.TempDir()
	if status, _, messages := runCommand(t, data, password, "setup", "--email", "ann@example.org", "--password-stdin"); status != ExitOK {
		t.Fatal(messages)
	}
	for name, test := range map[string]func(*testing.T, string){
		"calendar": testCalendarCommands, "maps": testMapsCommands, "provider": testProviderCommands, "restore": testRestore,
	} {
		t.Run(name, func(t *testing.T) { test(t, data) })
	}
}

// writeFiles writes files, by name, into a new directory.
func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// event is an iCalendar file with an event.
const event = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nX-WR-CALNAME:Choir\r\nBEGIN:VEVENT\r\nUID:%s\r\nDTSTAMP:20261101T000000Z\r\n" +
	"DTSTART:20261201T100000Z\r\nSUMMARY:Rehearsal\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"

// A repeated import adds nothing, and the errors of an import name the file. Covers SH-10.
func testCalendarCommands(t *testing.T, data string) {
	dir := writeFiles(t, map[string]string{"a.ics": fmt.Sprintf(event, "1"), "bad.ics": "no calendar"})
	runSteps(t, data, dir,
		step{"", "calendar import ann", ExitUsage, "name one source"},
		step{"", "calendar import ann $DIR/a.ics --from https://c.example.org", ExitUsage, "name one source"},
		step{"", "calendar import ann --from nowhere", ExitUsage, "is not an address"},
		step{"", "calendar import ben $DIR/a.ics", ExitNotFound, "ben"},
		step{"", "calendar import ann $DIR/missing.ics", ExitFailure, "no such file"},
		step{"", "calendar import ann $DIR/bad.ics", ExitFailure, "bad.ics"},
		step{"", "calendar import ann $DIR/a.ics", ExitOK, "Imported: 1."},
		step{"", "calendar import ann $DIR/a.ics", ExitOK, "1"},
		step{"", "calendar export ann $DIR/out --json", ExitOK, "Choir.ics"},
		step{"", "calendar export ann $DIR/a.ics", ExitFailure, "a.ics"},
		step{"", "calendar trash ann", ExitOK, "ID"},
		step{"", "calendar restore ann tob_none", ExitNotFound, ""},
	)
	exported, err := os.ReadFile(filepath.Join(dir, "out", "Choir.ics"))
	if err != nil || strings.Count(string(exported), "SUMMARY:Rehearsal") != 1 {
		t.Errorf("got %s, %v, want the imported event once", exported, err)
	}
}

// Covers B-110.
func testMapsCommands(t *testing.T, data string) {
	dir := writeFiles(t, map[string]string{
		"clubs.csv": "name,lat,lon\nChess,35.9,14.5\nBridge,35.9,14.6\n", "wrong.csv": "name,lat,lon\nGo,95,14\n", "clubs.xml": "x",
	})
	if err := os.Mkdir(filepath.Join(dir, "dir.csv"), 0o700); err != nil {
		t.Fatal(err)
	}
	runSteps(t, data, dir,
		step{"", "maps status", ExitOK, "There are no regions."},
		step{"", "maps import $DIR/clubs.xml", ExitUsage, "must end in .osm.pbf"},
		step{"", "maps import $DIR/missing.csv", ExitFailure, "no such file"},
		step{"", "maps import $DIR/dir.csv", ExitFailure, "is not a regular file"},
		step{"", "maps import $DIR/wrong.csv", ExitFailure, "out of range"},
		step{"", "maps status --json", ExitOK, "[]"},
		step{"", "maps import $DIR/clubs.csv", ExitOK, "clubs: 2 places, 0 tiles"},
		step{"", "maps import --name other $DIR/clubs.csv --json", ExitOK, `"places": 2`},
		step{"", "maps status", ExitOK, "other"},
		step{"", "maps clear clubs", ExitUsage, "--yes"},
		step{"", "maps clear towns --yes", ExitUsage, "is part of the program"},
		step{"", "maps clear none --yes", ExitNotFound, "none"},
		step{"", "maps clear clubs --yes", ExitOK, "clubs is removed."},
		step{"", "maps clear clubs --yes", ExitNotFound, "clubs"},
	)
}

// An import must be confirmed if it takes long or needs much space. Covers B-110.
func TestSizesAndTimesOfAForecast(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 KB", 1: "1 KB", 5 << 20: "5 MB", 3 << 29: "1.5 GB", 20 << 30: "20 GB"} {
		if got := formatSize(bytes); got != want {
			t.Errorf("%d bytes: got %q, want %q", bytes, got, want)
		}
	}
	for seconds, want := range map[int]string{3: "a few seconds", 44: "about 40 seconds", 600: "about 10 minutes"} {
		if got := roundDuration(time.Duration(seconds) * time.Second); got != want {
			t.Errorf("%d seconds: got %q, want %q", seconds, got, want)
		}
	}
}

// Commands about providers and feeds change nothing if the command line, an address or the
// feed is wrong.
func testProviderCommands(t *testing.T, data string) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/feed.xml" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, `<rss version="2.0"><channel><title>Harbour news</title><item><title>The ferry sails</title><guid>1</guid><link>https://news.example/1</link></item></channel></rss>`)
	}))
	defer site.Close()
	runSteps(t, data, site.URL,
		step{"", "provider list", ExitOK, ""},
		step{"", "provider add news", ExitUsage, "name either"},
		step{"", "provider add news --feed $DIR/feed.xml --source-url https://p.example/", ExitUsage, "name either"},
		step{"", "provider add news --feed $DIR/feed.xml --action-url https://p.example/", ExitUsage, "--feed needs neither"},
		step{"", "provider add identity --feed $DIR/feed.xml", ExitUsage, "reserved"},
		step{"", "provider add news --feed $DIR/missing.xml", ExitFailure, "404"},
		step{"secret\n", "provider add library --source-url https://p.example/ --secret-stdin", ExitUsage, "whsec_"},
		step{"", "provider list --json", ExitOK, "[]"},
		step{"", "provider add news --label News --feed $DIR/feed.xml", ExitOK, "2 objects"},
		step{"", "provider add news --feed $DIR/feed.xml", ExitConflict, "already exists"},
		step{"", "provider list --json", ExitOK, "Harbour news"},
		step{"", "provider list", ExitOK, "news"},
		step{"", "provider sync news", ExitOK, "2 objects"},
		step{"", "provider sync none", ExitNotFound, "none"},
		step{"", "provider remove none", ExitNotFound, "none"},
		step{"", "provider remove news", ExitOK, "news"},
		step{"", "provider list --json", ExitOK, "[]"},
	)
}

// A restore does not replace a different key of second factors. Covers B-108.
func testRestore(t *testing.T, data string) {
	dir := writeFiles(t, map[string]string{"bad.key": "x"})
	key := make([]byte, 32)
	if err := config.WriteFactorKey(filepath.Join(dir, "a.key"), key); err != nil {
		t.Fatal(err)
	}
	key[0] = 1
	if err := config.WriteFactorKey(filepath.Join(dir, "b.key"), key); err != nil {
		t.Fatal(err)
	}
	runSteps(t, data, dir,
		step{"", "backup $DIR/copy.db", ExitOK, "verified"},
		step{"", "restore $DIR/copy.db --factor-key $DIR/bad.key", ExitUsage, "--factor-key"},
		step{"", "restore $DIR/copy.db --factor-key $DIR/a.key", ExitOK, "Restored"},
		step{"", "restore $DIR/copy.db --factor-key $DIR/a.key", ExitOK, "Restored"},
		step{"", "restore $DIR/copy.db --factor-key $DIR/b.key", ExitFailure, "contains another key"},
	)
}
