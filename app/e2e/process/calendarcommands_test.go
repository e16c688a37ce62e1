package process

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

	"appliance/app/apptest"
	"appliance/app/cli"
)

// writeFile creates a file and its directory.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// calendarSummary returns the name and color of each calendar of the member,
// followed by a bar for each entry.
func calendarSummary(c *apptest.Client) string {
	c.T.Helper()
	var list []string
	for _, calendar := range c.Do("GET", "/world/calendars").Want(200).List("calendars") {
		text := c.Do("GET", "/world/calendars/"+apptest.At(calendar, "id").(string)+"/export").Want(200).Body
		list = append(list, apptest.At(calendar, "name").(string)+" "+apptest.At(calendar, "color").(string)+" "+strings.Repeat("|", strings.Count(text, "\r\nUID:")))
	}
	return strings.Join(list, ", ")
}

// A source that names a calendar is imported into the calendar with this name,
// any other source into the default calendar. Covers SH-10.
func TestCalendarsAreImportedFromDirectoriesAndServers(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	dir := t.TempDir()
	namedCalendar := strings.Replace(apptest.VEvent("1", "DTSTART:20261201T100000Z"), "VERSION:2.0\r\n", "VERSION:2.0\r\nX-WR-CALNAME:Choir\r\nX-APPLE-CALENDAR-COLOR:#AA0000FF\r\n", 1)
	writeFile(t, filepath.Join(dir, "whole.ics"), namedCalendar)
	writeFile(t, filepath.Join(dir, "plain.ics"), apptest.VEvent("2", "DTSTART:20261202T100000Z"))
	writeFile(t, filepath.Join(dir, "vdir", "displayname"), "Work\n")
	writeFile(t, filepath.Join(dir, "vdir", "color"), "#00aa00\n")
	writeFile(t, filepath.Join(dir, "vdir", "3.ics"), apptest.VEvent("3", "DTSTART:20261203T100000Z"))
	writeFile(t, filepath.Join(dir, "vdir", "4.ics"), apptest.VObject("VTODO", "4", "SUMMARY:Taxes"))
	writeFile(t, filepath.Join(dir, "vdir", "notes.txt"), "not a calendar")

	status, out, errs := h.RunCommand("", "calendar", "import", "ann", dir)
	if status != 0 || out != "Imported: 4.\n" {
		t.Errorf("import of a directory: got status %d, %s%s, want 4 entries", status, out, errs)
	}
	const want = "Calendar #4e7cfe |, Work #00aa00 ||, Choir #aa0000 |"
	if got := calendarSummary(ann); got != want {
		t.Errorf("calendars of ann: got %s, want %s", got, want)
	}
	if status, out, _ = h.RunCommand("", "calendar", "import", "ann", dir); status != 0 || out != "Imported: 0. Already present: 4.\n" || calendarSummary(ann) != want {
		t.Errorf("repeated import: got status %d, %s, want 4 entries already present", status, out)
	}

	status, out, errs = h.RunCommand(apptest.Password+"\n", "calendar", "import", "bea", "--from", h.HTTP.URL, "--user", "ann", "--password-stdin", "--json")
	var result struct {
		Imported  int
		Calendars []string
	}
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil || result.Imported != 4 || strings.Join(result.Calendars, ",") != "Calendar,Choir,Work" {
		t.Errorf("import from a server: got status %d, %v, %s%s, want 4 entries", status, err, out, errs)
	}
	if got, want := calendarSummary(bea), "Calendar #4e7cfe |, Work #00aa00 ||, Choir #aa0000 |"; got != want {
		t.Errorf("calendars of bea: got %s, want %s", got, want)
	}

	writeFile(t, filepath.Join(dir, "bad.ics"), strings.Replace(namedCalendar, "DTSTART:20261201T100000Z", "DTSTART:soon", 1))
	status, out, errs = h.RunCommand("", "calendar", "import", "bea", filepath.Join(dir, "bad.ics"), "--calendar", "Other things")
	if status != cli.ExitFailure || !strings.Contains(out, "bad.ics:6: 1: ") || !strings.Contains(errs, "not imported: 1") {
		t.Errorf("invalid entry: got status %d, %s%s, want %d and the line", status, out, errs, cli.ExitFailure)
	}
	if got := calendarSummary(bea); !strings.HasSuffix(got, "Other things #aa0000 ") {
		t.Errorf("calendars of bea: got %s, want the new one at the end", got)
	}
	for _, c := range []struct {
		status int
		args   []string
	}{
		{cli.ExitNotFound, []string{"unknown", dir}},
		{cli.ExitUsage, []string{"ann"}},
		{cli.ExitUsage, []string{"ann", dir, "--from", h.HTTP.URL}},
		{cli.ExitUsage, []string{"ann", "--from", "ftp://example.org"}},
		{cli.ExitFailure, []string{"ann", filepath.Join(dir, "nothing.ics")}},
		{cli.ExitFailure, []string{"ann", "--from", h.HTTP.URL + "/help/", "--user", "ann", "--password-stdin"}},
	} {
		if status, out, errs := h.RunCommand("wrong password\n", append([]string{"calendar", "import"}, c.args...)...); status != c.status || out != "" && out != "Imported: 0.\n" || errs == "" {
			t.Errorf("import %v: got status %d, %s%s, want %d", c.args, status, out, errs, c.status)
		}
	}
	if got := calendarSummary(ann); got != want {
		t.Errorf("calendars of ann after rejected imports: got %s, want %s", got, want)
	}
}

func TestImportForADisabledMemberIsRejected(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	file := filepath.Join(t.TempDir(), "1.ics")
	writeFile(t, file, apptest.VEvent("1", "DTSTART:20261201T100000Z"))
	if status, _, errs := h.RunCommand("", "admin", "members", "disable", "ann"); status != cli.ExitOK {
		t.Fatal(errs)
	}
	status, _, errs := h.RunCommand("", "calendar", "import", "ann", file)
	if want := "Ann is disabled. Enable the member first: appliance admin members enable ann"; status == cli.ExitOK || !strings.Contains(errs, want) {
		t.Errorf("got status %d and %s, want %s", status, errs, want)
	}
}

// The valid entries are imported.
func TestInvalidEntriesAreReported(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	dir := t.TempDir()
	cut := filepath.Join(dir, "2-cut.ics")
	writeFile(t, filepath.Join(dir, "1.ics"), apptest.VEvent("1", "DTSTART:20261201T100000Z"))
	writeFile(t, cut, strings.TrimSuffix(apptest.VEvent("2", "DTSTART:20261201T100000Z"), "END:VEVENT\r\nEND:VCALENDAR\r\n"))
	writeFile(t, filepath.Join(dir, "3.ics"), apptest.VEvent("3", "DTSTART:20261201T100000Z"))
	for _, c := range []struct{ source, imported string }{{dir, "Imported: 2."}, {cut, "Imported: 0."}} {
		want := cut + ":4: 2: 2026-12-01: The VEVENT has no END line: the text may be truncated, and entries may be missing after it.\n" + c.imported + " Not imported: 1.\n"
		if status, out, errs := h.RunCommand("", "calendar", "import", "ann", c.source); status != cli.ExitFailure || out != want || !strings.Contains(errs, "not imported: 1") {
			t.Errorf("%s: got status %d, %s%s, want %s", c.source, status, out, errs, want)
		}
	}

	dav := ann.Basic()
	dav.Do("MKCALENDAR", "/caldav/1/calendars/diary/", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><set><prop><C:supported-calendar-component-set><C:comp name="VJOURNAL"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>`).Want(201)
	dav.Do("PUT", "/caldav/1/calendars/diary/day.ics", apptest.VObject("VJOURNAL", "day", "DTSTART:20261201T150000Z")).Want(201)
	dav.Do("PUT", "/caldav/1/calendars/diary/night.ics", apptest.VObject("VJOURNAL", "night", "DTSTART:20261201T230000Z")).Want(201)
	target, err := url.Parse(h.HTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" && strings.HasSuffix(r.URL.Path, "/night.ics") {
			http.Error(w, "failure", http.StatusInternalServerError)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer source.Close()
	status, out, errs := h.RunCommand(apptest.Password+"\n", "calendar", "import", "bea", "--from", source.URL, "--user", "ann", "--password-stdin")
	if status != cli.ExitFailure || !strings.HasPrefix(out, "/caldav/1/calendars/diary/night.ics: ") || !strings.HasSuffix(out, "\nImported: 3. Not imported: 1.\n") {
		t.Errorf("unreadable entry: got status %d, %s%s, want 3 imported entries and a report", status, out, errs)
	}
	if got, want := calendarSummary(bea), "Calendar #4e7cfe ||, diary #b18216 |"; got != want {
		t.Errorf("calendars of bea: got %s, want %s", got, want)
	}
}

func TestExportedCalendarCanBeImportedAndTrashedEntryRestored(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.Do("POST", "/world/calendars", `{"name": "Calendar"}`).Want(201)
	ann.Do("POST", "/world/calendars", `{"name": "../Work/life"}`).Want(201)
	ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00"}`).Want(201)
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errs := h.RunCommand("", "calendar", "export", "ann", dir, "--json")
	var result struct{ Files []string }
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil || strings.Join(result.Files, "|") != "Calendar.ics|Calendar 2.ics|Work-life.ics" {
		t.Errorf("export: got status %d, %v, %s%s, want three files", status, err, out, errs)
	}
	if found := apptest.Files(t, dir); len(found) != 3 || found["Calendar.ics"] != 0o600 {
		t.Errorf("got the files %v, want 3 with mode 0600", found)
	}
	if status, _, errs := h.RunCommand("", "calendar", "import", "bea", filepath.Join(dir, "Calendar.ics")); status != 0 {
		t.Errorf("import: got status %d, %s, want 0", status, errs)
	}
	if got := calendarSummary(bea); got != "Calendar #4e7cfe |" {
		t.Errorf("calendars of bea: got %s, want one entry", got)
	}

	id := bea.Do("GET", "/world/time/objects").Str("objects.0.id")
	bea.Do("DELETE", "/world/time/objects/"+id).Want(200)
	if status, out, _ = h.RunCommand("", "calendar", "trash", "bea"); status != 0 || !strings.Contains(out, id) || !strings.Contains(out, "Dentist") {
		t.Errorf("trash: got status %d, %s, want the entry %s", status, out, id)
	}
	if status, _, _ = h.RunCommand("", "calendar", "restore", "ann", id); status != cli.ExitNotFound {
		t.Errorf("restoring an entry of another member: got status %d, want %d", status, cli.ExitNotFound)
	}
	if status, out, _ = h.RunCommand("", "calendar", "restore", "bea", id); status != 0 || out != "Dentist is restored.\n" {
		t.Errorf("restoring: got status %d, %s, want 0", status, out)
	}
	bea.Do("GET", "/world/time/objects/"+id).Want(200)
	if status, _, _ = h.RunCommand("", "calendar", "restore", "bea", id); status != cli.ExitNotFound {
		t.Errorf("restoring a second time: got status %d, want %d", status, cli.ExitNotFound)
	}
}
