package cli_test

import (
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
	"appliance/svc/provider/providertest"
	"appliance/svc/zoneinfo/zoneinfotest"
)

// runDoctor runs appliance doctor and returns one line per check.
func runDoctor(s *apptest.Server, args ...string) (status int, results string) {
	s.T.Helper()
	status, out, errs := s.RunCommand("", append([]string{"doctor", "--json"}, args...)...)
	var list []struct{ Check, State, Message, Mend string }
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		s.T.Fatalf("%v: %s%s", err, out, errs)
	}
	for _, r := range list {
		if (r.State == "ok") != (r.Mend == "") {
			s.T.Errorf("%s: got state %s with the remedy %q, want a remedy for each problem", r.Check, r.State, r.Mend)
		}
		results += r.State + " " + r.Check + ": " + r.Message + "\n"
	}
	return status, results
}

// lockData locks the data directory as a running server does.
func lockData(s *apptest.Server) {
	s.T.Helper()
	unlock, err := store.Lock(s.Settings.Database())
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Cleanup(func() { unlock() })
}

// addBackup adds an automatic backup of the given age. It uses the clock of the
// machine, as commands do.
func addBackup(s *apptest.Server, age time.Duration) {
	s.T.Helper()
	name := filepath.Join(s.Settings.BackupDir(), time.Now().UTC().Add(-age).Format("nightly-20060102T150405Z.db"))
	if err := s.Settings.MakeBackupDir(); err != nil {
		s.T.Fatal(err)
	}
	if err := store.Backup(s.T.Context(), s.DB.Path(), name, store.BackupOptions{}, nil); err != nil {
		s.T.Fatal(err)
	}
}

func chmod(t *testing.T, name string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(name, mode); err != nil {
		t.Fatal(err)
	}
}

func TestDoctorReportsNoProblemsOfAHealthyServer(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	chmod(t, s.Settings.Data, 0o700)
	lockData(s)
	addBackup(s, time.Hour)
	lastSeen := func() string {
		_, out, _ := s.RunCommand("", "admin", "members", "show", "ann", "--json")
		_, seen, _ := strings.Cut(out, `"last_seen_at": `)
		seen, _, _ = strings.Cut(seen, "\n")
		return seen
	}
	before := lastSeen()
	s.Clock.Advance(3 * time.Hour)
	status, results := runDoctor(s, "--base-url", s.HTTP.URL)
	if used := lastSeen(); used != before {
		t.Errorf("got the last use %s by ann after doctor, want %s", used, before)
	}
	for _, line := range []string{
		"ok directory: ", "ok database: ", "ok backups: The last of 1 backups ", "ok server: The server is running.", "ok address: ", "warning https: ",
		"ok discovery: " + s.HTTP.URL + "/.well-known/caldav redirects to " + s.HTTP.URL + "/caldav/.", "ok proxy: ",
		"ok discovery: A CalDAV client finds the calendars of ann: 1.",
	} {
		if !strings.Contains(results, line) {
			t.Errorf("got\n%s\nwant a line %q", results, line)
		}
	}
	if status != 0 || strings.Contains(results, "problem") {
		t.Errorf("got status %d\n%s\nwant 0 and no problem", status, results)
	}
	if got := ann.Do("GET", "/world/identity/device-passwords").Want(200).List("device_passwords"); len(got) != 0 {
		t.Errorf("device passwords: got %v, want the temporary one removed", got)
	}
	audit := s.Member("op").Do("GET", "/world/panels/operator?view=audit").Want(200).Body
	for _, action := range []string{"created", "removed"} {
		if want := ") " + action + " the device password “appliance doctor” of Ann"; !strings.Contains(audit, want) || strings.Contains(audit, "Ann "+action) {
			t.Errorf("got the audit log %s, want %q by the command line", audit, want)
		}
	}
}

// Backups without map data lack the imported regions, which doctor and the page of backups
// name.
func TestRegionsOutsideBackupsAreReported(t *testing.T) {
	s := apptest.New(t)
	op := s.Member("op")
	want := func(when, doctor, page string) {
		t.Helper()
		if _, results := runDoctor(s); !strings.Contains(results, doctor) {
			t.Errorf("%s: got\n%s\nwant the line %q", when, results, doctor)
		}
		if summary := op.Do("GET", "/world/panels/operator?view=backups").Want(200).Str("summary"); !strings.HasSuffix(summary, page) {
			t.Errorf("%s: got the summary %q, want %q at its end", when, summary, page)
		}
	}
	want("no region", "ok backups: They contain no map data. After a restore, the server loads the towns again.",
		" · Without map data: the server loads the towns again after a restore")
	s.ImportPlaces("malta", apptest.Places...)
	want("a region", "ok backups: They contain no map data. After a restore, import these regions again, or set backup-maps: malta.",
		" · Without map data: import these regions again after a restore: malta")
	t.Setenv("APPLIANCE_BACKUP_MAPS", "on")
	if _, results := runDoctor(s); strings.Contains(results, "map data") {
		t.Errorf("backup-maps is on: got\n%s\nwant nothing about map data", results)
	}
}

// A running server reads new time zone data only after a signal.
func TestDoctorReportsThatTheServerUsesOtherTimeZoneData(t *testing.T) {
	s := apptest.New(t)
	if err := s.App.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	zoneinfotest.Restore(t)
	if err := os.WriteFile(s.Settings.ZoneFile(), zoneinfotest.Archive(t, "2099a", map[string]int{"Europe/Berlin": 5}), 0o600); err != nil {
		t.Fatal(err)
	}
	const other = "warning time zones: The server uses other time zone data: 20"
	if _, results := runDoctor(s); strings.Contains(results, other) || !strings.Contains(results, "ok time zones: The time zone data is 2099a of 2099-12-31, from "+s.Settings.ZoneFile()) {
		t.Errorf("no server: got\n%s\nwant the new data", results)
	}
	lockData(s)
	if _, results := runDoctor(s); !strings.Contains(results, other) {
		t.Errorf("a server: got\n%s\nwant a line %q", results, other)
	}
	if err := os.WriteFile(s.Settings.ZoneFile(), []byte("2099b"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, results := runDoctor(s); !strings.Contains(results, "warning time zones: Time zone data was refused.") || strings.Contains(results, other) {
		t.Errorf("an invalid file: got\n%s\nwant a warning", results)
	}
}

// Clients may have newer or older definitions of time zones than the server.
func TestDoctorNamesTimeZonesThatClientsDefineInAnotherWay(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	path := ann.DefaultCalendar()
	const head, tail = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\n", "END:VCALENDAR\r\n"
	zone := func(tzid, offset string) string {
		return "BEGIN:VTIMEZONE\r\nTZID:" + tzid + "\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:" + offset + "\r\nTZOFFSETTO:" + offset + "\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n"
	}
	for uid, c := range map[string][2]string{"a": {"Asia/Tokyo", "+0900"}, "b": {"Asia/Tokyo", "+0500"}, "c": {"Asia/Tokyo", "+0600"}, "d": {"Europe/Moscow", "+0400"}, "e": {"Own", "+0100"}} {
		event := "BEGIN:VEVENT\r\nUID:" + uid + "\r\nDTSTAMP:20261101T000000Z\r\nDTSTART;TZID=" + c[0] + ":20261201T090000\r\nEND:VEVENT\r\n"
		ann.Basic().Do("PUT", path+uid+".ics", head+zone(c[0], c[1])+event+tail).Want(201)
	}
	if _, results := runDoctor(s); !strings.Contains(results, "ok time zones: Clients define some time zones in another way") || !strings.Contains(results, "Entries: Asia/Tokyo (2), Europe/Moscow (1).") {
		t.Errorf("got\n%s\nwant the two zones with the numbers of entries", results)
	}
}

func TestDoctorReportsFailingProviders(t *testing.T) {
	s := apptest.New(t)
	p := providertest.New(t, "library")
	s.AddProvider(p)
	if _, results := runDoctor(s); !strings.Contains(results, "ok providers: All acquisitions succeeded. Providers: 1.") {
		t.Errorf("got\n%s\nwant that the provider is in order", results)
	}
	p.SetHandler(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	if _, err := s.App.Providers.Acquire(t.Context(), "library", nil); err == nil {
		t.Fatal("got no error, want that of the provider")
	}
	if _, results := runDoctor(s); !strings.Contains(results, "warning provider library: The last acquisition failed") || !strings.Contains(results, "status 502") {
		t.Errorf("got\n%s\nwant a warning with the reason", results)
	}
}

// newProxy returns the URL of a proxy in front of s. The proxy does not forward
// requests for which respond returns true.
func newProxy(s *apptest.Server, respond func(w http.ResponseWriter, r *http.Request) bool) string {
	to, err := url.Parse(s.HTTP.URL)
	if err != nil {
		s.T.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(to)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !respond(w, r) {
			forward.ServeHTTP(w, r)
		}
	}))
	s.T.Cleanup(proxy.Close)
	return proxy.URL
}

func wantProblem(s *apptest.Server, problem string, args ...string) {
	s.T.Helper()
	if status, results := runDoctor(s, args...); status != cli.ExitFailure || !strings.Contains(results, "problem "+problem) {
		s.T.Errorf("got status %d\n%s\nwant %d and a line %q", status, results, cli.ExitFailure, "problem "+problem)
	}
}

func TestDoctorReportsEachProblem(t *testing.T) {
	s := apptest.New(t)
	s.Member("ann")
	chmod(t, s.Settings.Data, 0o755)
	wantProblem(s, "directory: Other users of this machine can read ")
	chmod(t, s.Settings.Data, 0o700)
	lockData(s)

	other := httptest.NewServer(http.NotFoundHandler())
	wantProblem(s, "address: "+other.URL+"/ready responds with 404", "--base-url", other.URL)
	other.Close()
	wantProblem(s, "address: "+other.URL+" cannot be reached", "--base-url", other.URL)
	const unreachable = "http://home.invalid"
	want := "The server listens on 127.0.0.1:8080. Without a reverse proxy, other devices cannot open " + unreachable
	if _, results := runDoctor(s, "--base-url", unreachable); !strings.Contains(results, want) {
		t.Errorf("got\n%s\nwant the address on which the server listens", results)
	}

	wantProblem(s, "proxy: The response to REPORT is 405", "--base-url", newProxy(s, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == "REPORT" {
			http.Error(w, "no", http.StatusMethodNotAllowed)
		}
		return r.Method == "REPORT"
	}))
	proxy := newProxy(s, func(w http.ResponseWriter, r *http.Request) bool {
		wellKnown := strings.HasPrefix(r.URL.Path, "/.well-known")
		if wellKnown {
			http.NotFound(w, r)
		}
		return wellKnown
	})
	wantProblem(s, "discovery: "+proxy+"/.well-known/caldav responds with 404", "--base-url", proxy)
	wantProblem(s, "discovery: A CalDAV client does not find the calendars", "--base-url", newProxy(s, func(_ http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Authorization")
		return false
	}))
	wantProblem(s, "discovery: A CalDAV client does not find the calendars", "--base-url", s.HTTP.URL, "--member", "unknown")

	addBackup(s, 9*24*time.Hour)
	wantProblem(s, "backups: The last backup, ", "--base-url", s.HTTP.URL)

	s.Settings.Data = t.TempDir()
	if err := os.WriteFile(s.Settings.Database(), []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	wantProblem(s, "database: ")
}

func TestDoctorRebuildsTheIndex(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	path := ann.DefaultCalendar()
	for _, uid := range []string{"a", "b"} {
		ann.Basic().Do("PUT", path+uid, apptest.VEvent(uid, "DTSTART:20261201T100000Z", "RRULE:FREQ=WEEKLY", "SUMMARY:Choir")).Want(201)
	}
	collection := ann.Basic().With("Depth", "0").Do("PROPFIND", path).Want(207).Body
	want := ann.Do("GET", "/world/time/objects").Want(200).Body
	s.Exec("DELETE FROM calendar_occurrence")
	s.Exec("UPDATE calendar_object SET title = '', first_start = 0, last_end = 0, size = 0, indexed_to = NULL, indexed_from = NULL")
	if got := ann.Do("GET", "/world/time/objects").Want(200).Body; got == want {
		t.Fatal("with a damaged index: got all occurrences, want fewer")
	}
	if status, out, errs := s.RunCommand("", "doctor", "--reindex"); status != 0 || out != "Entries indexed: 2\n" {
		t.Errorf("got status %d, %s%s, want 0 and 2 entries", status, out, errs)
	}
	if got := ann.Do("GET", "/world/time/objects").Want(200).Body; got != want {
		t.Errorf("occurrences: got\n%s\nwant\n%s", got, want)
	}
	if got := ann.Basic().With("Depth", "0").Do("PROPFIND", path).Want(207).Body; got != collection {
		t.Errorf("calendar: got\n%s\nwant an unchanged sync token\n%s", got, collection)
	}
	ann.Basic().Do("DELETE", path+"a").Want(204)
	if got := ann.TrashTitles(); got != "Choir" {
		t.Errorf("trash: got %q, want Choir", got)
	}
}

func TestDoctorAsksTheSearchServers(t *testing.T) {
	s := apptest.New(t)
	places := apptest.NewSearchServer(t, apptest.FoundPlaces(apptest.FoundPlace{ID: 1, Name: "Valletta", Point: apptest.Valletta}))
	pages := apptest.NewSearchServer(t, "")
	pages.Answer(http.StatusForbidden, "")
	file := filepath.Join(s.Settings.Data, "appliance.toml")
	if err := os.WriteFile(file, []byte("find-geocoder-url = \""+places.URL+"\"\nfind-web-url = \""+pages.URL+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, results := runDoctor(s)
	for _, want := range []string{"ok place search: The server answers. Results for a town: 1.", "warning web search: http_error: The web search refuses JSON."} {
		if !strings.Contains(results, want) {
			t.Errorf("got %s, want %s", results, want)
		}
	}
}
