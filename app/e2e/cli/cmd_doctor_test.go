package cli

import (
	"database/sql"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/cli"
	"appliance/store"
	"appliance/svc/calendar/object"
)

// doctor returns what appliance doctor finds, one check a line.
func doctor(h *apptest.Server, args ...string) (status int, found string) {
	h.T.Helper()
	status, out, errs := h.RunCommand("", append([]string{"doctor", "--json"}, args...)...)
	var list []struct{ Check, State, Message, Mend string }
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		h.T.Fatalf("%v: %s%s", err, out, errs)
	}
	for _, f := range list {
		if (f.State == "ok") != (f.Mend == "") {
			h.T.Errorf("%s is %s, to be mended by %q", f.Check, f.State, f.Mend)
		}
		found += f.State + " " + f.Check + ": " + f.Message + "\n"
	}
	return status, found
}

// A house in order is found to be, by the way that a phone takes too.
func TestDoctorFindsNothing(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	if err := os.Chmod(h.Settings.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	lock(h)
	backedUp(h, time.Hour)
	status, found := doctor(h, "--base-url", h.HTTP.URL)
	for _, line := range []string{
		"ok directory: ", "ok database: ", "ok backups: The last of 1 backups ", "ok server: The server is running.", "ok address: ", "warning https: ",
		"ok discovery: " + h.HTTP.URL + "/.well-known/caldav redirects to " + h.HTTP.URL + "/caldav/.", "ok proxy: ",
		"ok discovery: A CalDAV client finds the calendars of ann: 1.",
	} {
		if !strings.Contains(found, line) {
			t.Errorf("no line %q", line)
		}
	}
	if status != 0 || strings.Contains(found, "problem") {
		t.Errorf("status %d:\n%s", status, found)
	}
	if list := ann.Do("GET", "/world/identity/device-passwords").Want(200).List("device_passwords"); len(list) != 0 {
		t.Errorf("it left %v behind", list)
	}
}

// backedUp makes a backup that looks that old: commands have the machine's
// clock.
func backedUp(h *apptest.Server, age time.Duration) {
	h.T.Helper()
	name := filepath.Join(h.Settings.Backups(), time.Now().UTC().Add(-age).Format("nightly-20060102T150405Z.db"))
	if err := h.Settings.MakeBackups(); err != nil {
		h.T.Fatal(err)
	}
	if err := store.Backup(h.T.Context(), h.DB.Path(), name, nil); err != nil {
		h.T.Fatal(err)
	}
}

// lock makes commands believe that the server runs in a process of its own.
func lock(h *apptest.Server) {
	unlock, err := store.Lock(h.Settings.Data)
	if err != nil {
		h.T.Fatal(err)
	}
	h.T.Cleanup(func() { unlock() })
}

// What is wrong is said, each by itself.
func TestDoctorFindsWhatIsWrong(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	finds := func(line string, args ...string) {
		t.Helper()
		if status, found := doctor(h, args...); status != cli.ExitFailure || !strings.Contains(found, "problem "+line) {
			t.Errorf("status %d, no line %q in\n%s", status, line, found)
		}
	}
	if err := os.Chmod(h.Settings.Data, 0o755); err != nil {
		t.Fatal(err)
	}
	finds("directory: Other users of this machine can read ")
	if err := os.Chmod(h.Settings.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	lock(h)
	gone := httptest.NewServer(http.NotFoundHandler())
	finds("address: "+gone.URL+"/ready responds with 404", "--base-url", gone.URL)
	gone.Close()
	finds("address: "+gone.URL+" cannot be reached", "--base-url", gone.URL)

	// Proxies that do not pass everything on.
	to, _ := url.Parse(h.HTTP.URL)
	forward := httputil.NewSingleHostReverseProxy(to)
	broken := func(how func(w http.ResponseWriter, r *http.Request) (answered bool)) string {
		proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !how(w, r) {
				forward.ServeHTTP(w, r)
			}
		}))
		t.Cleanup(proxy.Close)
		return proxy.URL
	}
	finds("proxy: The response to REPORT is 405", "--base-url", broken(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "REPORT" {
			http.Error(w, "no", http.StatusMethodNotAllowed)
			return true
		}
		return false
	}))
	at := broken(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/.well-known") {
			http.NotFound(w, r)
			return true
		}
		return false
	})
	finds("discovery: "+at+"/.well-known/caldav responds with 404", "--base-url", at)
	finds("discovery: A CalDAV client does not find the calendars", "--base-url", broken(func(w http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Authorization")
		return false
	}))
	finds("discovery: A CalDAV client does not find the calendars", "--base-url", h.HTTP.URL, "--member", "nobody")

	backedUp(h, 9*24*time.Hour)
	finds("backups: The last backup, ", "--base-url", h.HTTP.URL)

	h.Settings.Data = t.TempDir()
	if err := os.WriteFile(h.Settings.Database(), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	finds("database: ")
}

// The indexes can be made anew from what clients stored.
func TestReindex(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	for _, uid := range []string{"a", "b"} {
		ann.Basic().Do("PUT", path+uid, apptest.VEvent(uid, "DTSTART:20261201T100000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Choir")).Want(201)
	}
	token := ann.Basic().With("Depth", "0").Do("PROPFIND", path).Want(207).Body
	want := ann.Do("GET", "/world/time/objects").Want(200).Body
	pool, err := sql.Open("sqlite", h.Settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec("DELETE FROM calendar_occurrence; UPDATE calendar_object SET title = '', first_start = 0, last_end = 0, size = 0, indexed_to = NULL, indexed_from = NULL"); err != nil {
		t.Fatal(err)
	}
	if got := ann.Do("GET", "/world/time/objects").Want(200).Body; got == want {
		t.Fatal("nothing is broken")
	}
	if status, out, errs := h.RunCommand("", "doctor", "--reindex"); status != 0 || out != "Entries indexed: 2\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if got := ann.Do("GET", "/world/time/objects").Want(200).Body; got != want {
		t.Errorf("now there is\n%s\nand there was\n%s", got, want)
	}
	if got := ann.Basic().With("Depth", "0").Do("PROPFIND", path).Want(207).Body; got != token {
		t.Error("clients would read everything again")
	}
	ann.Basic().Do("DELETE", path+"a").Want(204)
	if got := ann.Trashed(); got != "Choir" {
		t.Errorf("the trash has %q", got)
	}
}

// However dense series are, a write indexes few of them anew, and an entry that
// was changed meanwhile, or went elsewhere, keeps the index that it has from
// then.
func TestReindexOfWhatChanges(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	path := ann.DefaultCalendar()
	other := ann.Do("POST", "/world/calendars", `{"name": "Other"}`).Want(201)
	ann.PutSeries(4, strings.Split(path, "/")[4])
	read := func() (b object.Batch) {
		h.Read(func(tx *store.Tx) (err error) {
			b, err = h.App.Objects.AllObjects(tx, 0)
			return err
		})
		return b
	}
	batch, writes := read(), 0
	ann.Basic().Do("PUT", path+"0.ics", apptest.VEvent("series-0", "DTSTART:20261201T100000Z")).Want(204)
	ann.Basic().Do("DELETE", path+"1.ics").Want(204)
	ann.Basic().With("Destination", other.Str("calendar.caldav_path")+"2.ics").Do("MOVE", path+"2.ics").Want(201)
	want := h.Rows()["calendar_occurrence"]
	for list := range batch.Prepare(h.DB.Now()) {
		writes++
		h.Write(func(tx *store.Tx) error { return h.App.Objects.Reindex(tx, list) })
	}
	if got := h.Rows()["calendar_occurrence"]; got != want || writes != 4 {
		t.Errorf("after %d writes the index has %d octets, %d before", writes, len(got), len(want))
	}
}

// Indexing dense series anew: how long others wait at most.
func BenchmarkReindex(b *testing.B) {
	const series = 300
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	ann.PutSeries(series, strings.Split(ann.DefaultCalendar(), "/")[4])
	var longest time.Duration
	for b.Loop() {
		for batch := (object.Batch{Last: -1}); batch.Last != 0; {
			h.Read(func(tx *store.Tx) (err error) {
				batch, err = h.App.Objects.AllObjects(tx, batch.Last)
				return err
			})
			for list := range batch.Prepare(h.DB.Now()) {
				begun := time.Now()
				h.Write(func(tx *store.Tx) error { return h.App.Objects.Reindex(tx, list) })
				longest = max(longest, time.Since(begun))
			}
		}
	}
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}
