package app

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

	"appliance/store"
	"appliance/svc/calendar/object"
)

// doctor returns what appliance doctor finds, one check a line.
func (h *house) doctor(args ...string) (status int, found string) {
	h.t.Helper()
	status, out, errs := h.cli("", append([]string{"doctor", "--json"}, args...)...)
	var list []finding
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		h.t.Fatalf("%v: %s%s", err, out, errs)
	}
	for _, f := range list {
		if (f.State == "ok") != (f.Mend == "") {
			h.t.Errorf("%s is %s, to be mended by %q", f.Check, f.State, f.Mend)
		}
		found += f.State + " " + f.Check + ": " + f.Message + "\n"
	}
	return status, found
}

// A house in order is found to be, by the way that a phone takes too.
func TestDoctorFindsNothing(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	if err := os.Chmod(h.settings.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	h.lock()
	h.backedUp(time.Hour)
	status, found := h.doctor("--base-url", h.web.URL)
	for _, line := range []string{
		"ok directory: ", "ok database: ", "ok backups: The last of 1 ", "ok server: It is running.", "ok address: ", "warning https: ",
		"ok discovery: " + h.web.URL + "/.well-known/caldav leads to " + h.web.URL + "/caldav/.", "ok proxy: ",
		"ok discovery: A calendar program finds the calendars of ann: 1.",
	} {
		if !strings.Contains(found, line) {
			t.Errorf("no line %q", line)
		}
	}
	if status != 0 || strings.Contains(found, "problem") {
		t.Errorf("status %d:\n%s", status, found)
	}
	if list := ann.do("GET", "/world/identity/device-passwords").want(200).list("device_passwords"); len(list) != 0 {
		t.Errorf("it left %v behind", list)
	}
}

// backedUp makes a backup that looks that old: commands have the machine's
// clock.
func (h *house) backedUp(age time.Duration) {
	h.t.Helper()
	name := filepath.Join(h.settings.Backups(), time.Now().UTC().Add(-age).Format(backupName))
	if err := h.settings.MakeBackups(); err != nil {
		h.t.Fatal(err)
	}
	if err := store.Backup(h.t.Context(), h.db.Path(), name, nil); err != nil {
		h.t.Fatal(err)
	}
}

// lock makes commands believe that the server runs in a process of its own.
func (h *house) lock() {
	unlock, err := store.Lock(h.settings.Data)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { unlock() })
}

// What is wrong is said, each by itself.
func TestDoctorFindsWhatIsWrong(t *testing.T) {
	h := open(t)
	h.member("ann")
	finds := func(line string, args ...string) {
		t.Helper()
		if status, found := h.doctor(args...); status != exitFailure || !strings.Contains(found, "problem "+line) {
			t.Errorf("status %d, no line %q in\n%s", status, line, found)
		}
	}
	if err := os.Chmod(h.settings.Data, 0o755); err != nil {
		t.Fatal(err)
	}
	finds("directory: Others on this machine can look into ")
	if err := os.Chmod(h.settings.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	h.lock()
	gone := httptest.NewServer(http.NotFoundHandler())
	finds("address: "+gone.URL+"/ready answers 404", "--base-url", gone.URL)
	gone.Close()
	finds("address: "+gone.URL+" cannot be reached", "--base-url", gone.URL)

	// Proxies that do not pass everything on.
	to, _ := url.Parse(h.web.URL)
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
	finds("proxy: REPORT is answered with 405", "--base-url", broken(func(w http.ResponseWriter, r *http.Request) bool {
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
	finds("discovery: "+at+"/.well-known/caldav answers 404", "--base-url", at)
	finds("discovery: A calendar program does not find the calendars", "--base-url", broken(func(w http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Authorization")
		return false
	}))
	finds("discovery: A calendar program does not find the calendars", "--base-url", h.web.URL, "--member", "nobody")

	h.backedUp(9 * 24 * time.Hour)
	finds("backups: The last one, ", "--base-url", h.web.URL)

	h.settings.Data = t.TempDir()
	if err := os.WriteFile(h.settings.Database(), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	finds("database: ")
}

// The indexes can be made anew from what clients stored.
func TestReindex(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	path := ann.defaultCalendar()
	for _, uid := range []string{"a", "b"} {
		ann.basic().do("PUT", path+uid, vevent(uid, "DTSTART:20261201T100000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Choir")).want(201)
	}
	token := ann.basic().with("Depth", "0").do("PROPFIND", path).want(207).body
	want := ann.do("GET", "/world/time/objects").want(200).body
	pool, err := sql.Open("sqlite", h.settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec("DELETE FROM calendar_occurrence; UPDATE calendar_object SET title = '', first_start = 0, last_end = 0, size = 0, indexed_to = NULL, indexed_from = NULL"); err != nil {
		t.Fatal(err)
	}
	if got := ann.do("GET", "/world/time/objects").want(200).body; got == want {
		t.Fatal("nothing is broken")
	}
	if status, out, errs := h.cli("", "doctor", "--reindex"); status != 0 || out != "2 entries are indexed anew.\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if got := ann.do("GET", "/world/time/objects").want(200).body; got != want {
		t.Errorf("now there is\n%s\nand there was\n%s", got, want)
	}
	if got := ann.basic().with("Depth", "0").do("PROPFIND", path).want(207).body; got != token {
		t.Error("clients would read everything again")
	}
	ann.basic().do("DELETE", path+"a").want(204)
	if got := ann.trashed(); got != "Choir" {
		t.Errorf("the trash has %q", got)
	}
}

// However dense series are, a write indexes few of them anew, and an entry that
// was changed meanwhile, or went elsewhere, keeps the index that it has from
// then.
func TestReindexOfWhatChanges(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	path := ann.defaultCalendar()
	other := ann.do("POST", "/world/calendars", `{"name": "Other"}`).want(201)
	ann.dense(4, strings.Split(path, "/")[4])
	read := func() (b object.Batch) {
		h.see(func(tx *store.Tx) (err error) {
			b, err = h.objects.AllObjects(tx, 0)
			return err
		})
		return b
	}
	batch, writes := read(), 0
	ann.basic().do("PUT", path+"0.ics", vevent("dense-0", "DTSTART:20261201T100000Z")).want(204)
	ann.basic().do("DELETE", path+"1.ics").want(204)
	ann.basic().with("Destination", other.str("calendar.caldav_path")+"2.ics").do("MOVE", path+"2.ics").want(201)
	want := h.rows()["calendar_occurrence"]
	for list := range batch.Prepare(h.db.Now()) {
		writes++
		h.write(func(tx *store.Tx) error { return h.objects.Reindex(tx, list) })
	}
	if got := h.rows()["calendar_occurrence"]; got != want || writes != 4 {
		t.Errorf("after %d writes the index has %d octets, %d before", writes, len(got), len(want))
	}
}

// Indexing dense series anew: how long others wait at most.
func BenchmarkReindex(b *testing.B) {
	const series = 300
	h := open(b, unlimited)
	ann := h.member("ann")
	ann.dense(series, strings.Split(ann.defaultCalendar(), "/")[4])
	var longest time.Duration
	for b.Loop() {
		for batch := (object.Batch{Last: -1}); batch.Last != 0; {
			h.see(func(tx *store.Tx) (err error) {
				batch, err = h.objects.AllObjects(tx, batch.Last)
				return err
			})
			for list := range batch.Prepare(h.db.Now()) {
				begun := time.Now()
				h.write(func(tx *store.Tx) error { return h.objects.Reindex(tx, list) })
				longest = max(longest, time.Since(begun))
			}
		}
	}
	b.ReportMetric(float64(longest.Milliseconds()), "ms/longest")
}
