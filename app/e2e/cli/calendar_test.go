package cli

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

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// names returns what the member's calendars are called, with how many entries
// are in each.
func shelf(c *apptest.Client) string {
	c.T.Helper()
	var list []string
	for _, one := range c.Do("GET", "/world/calendars").Want(200).List("calendars") {
		text := c.Do("GET", "/world/calendars/"+apptest.At(one, "id").(string)+"/export").Want(200).Body
		list = append(list, apptest.At(one, "name").(string)+" "+apptest.At(one, "color").(string)+" "+strings.Repeat("|", strings.Count(text, "\r\nUID:")))
	}
	return strings.Join(list, ", ")
}

// Calendars come from a file, from a folder as vdirsyncer and others keep
// them, and from another server; each goes where its name says, and an import
// that is repeated changes nothing. Covers SH-10.
func TestImportCommand(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	dir := t.TempDir()
	whole := strings.Replace(apptest.VEvent("1", "DTSTART:20261201T100000Z"), "VERSION:2.0\r\n", "VERSION:2.0\r\nX-WR-CALNAME:Choir\r\nX-APPLE-CALENDAR-COLOR:#AA0000FF\r\n", 1)
	write(t, filepath.Join(dir, "whole.ics"), whole)
	write(t, filepath.Join(dir, "plain.ics"), apptest.VEvent("2", "DTSTART:20261202T100000Z"))
	write(t, filepath.Join(dir, "vdir", "displayname"), "Work\n")
	write(t, filepath.Join(dir, "vdir", "color"), "#00aa00\n")
	write(t, filepath.Join(dir, "vdir", "3.ics"), apptest.VEvent("3", "DTSTART:20261203T100000Z"))
	write(t, filepath.Join(dir, "vdir", "4.ics"), apptest.VObject("VTODO", "4", "SUMMARY:Taxes"))
	write(t, filepath.Join(dir, "vdir", "notes.txt"), "not a calendar")

	status, out, errs := h.RunCommand("", "calendar", "import", "ann", dir)
	if status != 0 || out != "Imported: 4.\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	const want = "Calendar #3b82f6 |, Work #00aa00 ||, Choir #aa0000 |"
	if got := shelf(ann); got != want {
		t.Errorf("ann has %s, want %s", got, want)
	}
	if status, out, _ = h.RunCommand("", "calendar", "import", "ann", dir); status != 0 || out != "Imported: 0. Already present: 4.\n" || shelf(ann) != want {
		t.Errorf("again: status %d: %s", status, out)
	}

	status, out, errs = h.RunCommand(apptest.Password+"\n", "calendar", "import", "bea", "--from", h.HTTP.URL, "--user", "ann", "--password-stdin", "--json")
	var result struct {
		Imported  int
		Calendars []string
	}
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil || result.Imported != 4 || strings.Join(result.Calendars, ",") != "Calendar,Choir,Work" {
		t.Errorf("status %d, %v: %s%s", status, err, out, errs)
	}
	if got := shelf(bea); got != "Calendar #3b82f6 |, Work #3b82f6 ||, Choir #3b82f6 |" {
		t.Errorf("bea has %s", got)
	}

	write(t, filepath.Join(dir, "bad.ics"), strings.Replace(whole, "DTSTART:20261201T100000Z", "DTSTART:soon", 1))
	status, out, errs = h.RunCommand("", "calendar", "import", "bea", filepath.Join(dir, "bad.ics"), "--calendar", "Other things")
	if status != cli.ExitFailure || !strings.Contains(out, "bad.ics:6: 1: ") || !strings.Contains(errs, "not imported: 1") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if got := shelf(bea); !strings.HasSuffix(got, "Other things #aa0000 ") {
		t.Errorf("bea has %s", got)
	}
	for _, c := range []struct {
		status int
		args   []string
	}{
		{cli.ExitNotFound, []string{"nobody", dir}},
		{cli.ExitUsage, []string{"ann"}},
		{cli.ExitUsage, []string{"ann", dir, "--from", h.HTTP.URL}},
		{cli.ExitUsage, []string{"ann", "--from", "ftp://example.org"}},
		{cli.ExitFailure, []string{"ann", filepath.Join(dir, "nothing.ics")}},
		{cli.ExitFailure, []string{"ann", "--from", h.HTTP.URL + "/help/", "--user", "ann", "--password-stdin"}},
	} {
		if status, out, errs := h.RunCommand("wrong password\n", append([]string{"calendar", "import"}, c.args...)...); status != c.status || out != "" && out != "Imported: 0.\n" || errs == "" {
			t.Errorf("import %v: status %d: %s%s", c.args, status, out, errs)
		}
	}
	if got := shelf(ann); got != want {
		t.Errorf("after all that ann has %s", got)
	}
}

// What cannot be taken does not keep the rest from being taken, and is told of.
// A journal goes into a calendar for journals.
func TestImportOfWhatIsBroken(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	dir := t.TempDir()
	cut := filepath.Join(dir, "2-cut.ics")
	write(t, filepath.Join(dir, "1.ics"), apptest.VEvent("1", "DTSTART:20261201T100000Z"))
	write(t, cut, strings.TrimSuffix(apptest.VEvent("2", "DTSTART:20261201T100000Z"), "END:VEVENT\r\nEND:VCALENDAR\r\n"))
	write(t, filepath.Join(dir, "3.ics"), apptest.VEvent("3", "DTSTART:20261201T100000Z"))
	for _, c := range []struct{ source, taken string }{{dir, "Imported: 2."}, {cut, "Imported: 0."}} {
		want := cut + ": VEVENT has no END line; the text may be truncated.\n" + c.taken + " Not imported: 1.\n"
		if status, out, errs := h.RunCommand("", "calendar", "import", "ann", c.source); status != cli.ExitFailure || out != want || !strings.Contains(errs, "not imported: 1") {
			t.Errorf("status %d: %s%s", status, out, errs)
		}
	}

	dav := ann.Basic()
	dav.Do("MKCALENDAR", "/caldav/1/calendars/diary/", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><set><prop><C:supported-calendar-component-set><C:comp name="VJOURNAL"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>`).Want(201)
	dav.Do("PUT", "/caldav/1/calendars/diary/day.ics", apptest.VObject("VJOURNAL", "day", "DTSTART:20261201T150000Z")).Want(201)
	dav.Do("PUT", "/caldav/1/calendars/diary/night.ics", apptest.VObject("VJOURNAL", "night", "DTSTART:20261201T230000Z")).Want(201)
	inside, err := url.Parse(h.HTTP.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(inside)
	old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" && strings.HasSuffix(r.URL.Path, "/night.ics") {
			http.Error(w, "It is dark.", http.StatusInternalServerError)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer old.Close()
	status, out, errs := h.RunCommand(apptest.Password+"\n", "calendar", "import", "bea", "--from", old.URL, "--user", "ann", "--password-stdin")
	if status != cli.ExitFailure || !strings.HasPrefix(out, "/caldav/1/calendars/diary/night.ics: ") || !strings.HasSuffix(out, "\nImported: 3. Not imported: 1.\n") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if got := shelf(bea); got != "Calendar #3b82f6 ||, diary #3b82f6 |" {
		t.Errorf("bea has %s", got)
	}
}

// What was exported is what other programs import, calendars of one name
// included; what was deleted comes back by command, too.
func TestExportAndTrashCommands(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.Do("POST", "/world/calendars", `{"name": "Calendar"}`).Want(201)
	ann.Do("POST", "/world/calendars", `{"name": "../Work/life"}`).Want(201)
	ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00"}`).Want(201)
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errs := h.RunCommand("", "calendar", "export", "ann", dir, "--json")
	var result struct{ Files []string }
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil || strings.Join(result.Files, "|") != "Calendar.ics|Calendar 2.ics|Work-life.ics" {
		t.Errorf("status %d, %v: %s%s", status, err, out, errs)
	}
	if found := apptest.Files(t, dir); len(found) != 3 || found["Calendar.ics"] != 0o600 {
		t.Errorf("there are %v", found)
	}
	if status, _, errs := h.RunCommand("", "calendar", "import", "bea", filepath.Join(dir, "Calendar.ics")); status != 0 {
		t.Error(errs)
	}
	if got := shelf(bea); got != "Calendar #3b82f6 |" {
		t.Errorf("bea has %s", got)
	}

	id := bea.Do("GET", "/world/time/objects").Str("objects.0.id")
	bea.Do("DELETE", "/world/time/objects/"+id).Want(200)
	if status, out, _ = h.RunCommand("", "calendar", "trash", "bea"); status != 0 || !strings.Contains(out, id) || !strings.Contains(out, "Dentist") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, _, _ = h.RunCommand("", "calendar", "restore", "ann", id); status != cli.ExitNotFound {
		t.Errorf("restoring what is somebody else's: status %d", status)
	}
	if status, out, _ = h.RunCommand("", "calendar", "restore", "bea", id); status != 0 || out != "Dentist is restored.\n" {
		t.Errorf("status %d: %s", status, out)
	}
	bea.Do("GET", "/world/time/objects/"+id).Want(200)
	if status, _, _ = h.RunCommand("", "calendar", "restore", "bea", id); status != cli.ExitNotFound {
		t.Errorf("restoring it again: status %d", status)
	}
}
