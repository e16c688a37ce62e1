package app

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cli runs a command beside the server and returns its status and output.
func (h *house) cli(stdin string, args ...string) (status int, stdout, stderr string) {
	h.t.Helper()
	var out, errs bytes.Buffer
	status = Run(h.t.Context(), append(args, "--data", h.settings.Data), strings.NewReader(stdin), &out, &errs)
	return status, out.String(), errs.String()
}

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
func (c *client) shelf() string {
	c.t.Helper()
	var list []string
	for _, one := range c.do("GET", "/world/calendars").want(200).list("calendars") {
		text := c.do("GET", "/world/calendars/"+dig(one, "id").(string)+"/export").want(200).body
		list = append(list, dig(one, "name").(string)+" "+dig(one, "color").(string)+" "+strings.Repeat("|", strings.Count(text, "\r\nUID:")))
	}
	return strings.Join(list, ", ")
}

// Calendars come from a file, from a folder as vdirsyncer and others keep
// them, and from another server; each goes where its name says, and an import
// that is repeated changes nothing. Covers SH-10.
func TestImportCommand(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	dir := t.TempDir()
	whole := strings.Replace(vevent("1", "DTSTART:20261201T100000Z"), "VERSION:2.0\r\n", "VERSION:2.0\r\nX-WR-CALNAME:Choir\r\nX-APPLE-CALENDAR-COLOR:#AA0000FF\r\n", 1)
	write(t, filepath.Join(dir, "whole.ics"), whole)
	write(t, filepath.Join(dir, "plain.ics"), vevent("2", "DTSTART:20261202T100000Z"))
	write(t, filepath.Join(dir, "vdir", "displayname"), "Work\n")
	write(t, filepath.Join(dir, "vdir", "color"), "#00aa00\n")
	write(t, filepath.Join(dir, "vdir", "3.ics"), vevent("3", "DTSTART:20261203T100000Z"))
	write(t, filepath.Join(dir, "vdir", "4.ics"), vobject("VTODO", "4", "SUMMARY:Taxes"))
	write(t, filepath.Join(dir, "vdir", "notes.txt"), "not a calendar")

	status, out, errs := h.cli("", "calendar", "import", "ann", dir)
	if status != 0 || out != "Imported: 4.\n" {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	const want = "Calendar #3b82f6 |, Work #00aa00 ||, Choir #aa0000 |"
	if got := ann.shelf(); got != want {
		t.Errorf("ann has %s, want %s", got, want)
	}
	if status, out, _ = h.cli("", "calendar", "import", "ann", dir); status != 0 || out != "Imported: 0. Already present: 4.\n" || ann.shelf() != want {
		t.Errorf("again: status %d: %s", status, out)
	}

	status, out, errs = h.cli(password+"\n", "calendar", "import", "bea", "--from", h.web.URL, "--user", "ann", "--password-stdin", "--json")
	var result struct {
		Imported  int
		Calendars []string
	}
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil || result.Imported != 4 || strings.Join(result.Calendars, ",") != "Calendar,Choir,Work" {
		t.Errorf("status %d, %v: %s%s", status, err, out, errs)
	}
	if got := bea.shelf(); got != "Calendar #3b82f6 |, Work #3b82f6 ||, Choir #3b82f6 |" {
		t.Errorf("bea has %s", got)
	}

	write(t, filepath.Join(dir, "bad.ics"), strings.Replace(whole, "DTSTART:20261201T100000Z", "DTSTART:soon", 1))
	status, out, errs = h.cli("", "calendar", "import", "bea", filepath.Join(dir, "bad.ics"), "--calendar", "Other things")
	if status != exitFailure || !strings.Contains(out, "bad.ics:6: 1: ") || !strings.Contains(errs, "1 could not be taken") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if got := bea.shelf(); !strings.HasSuffix(got, "Other things #aa0000 ") {
		t.Errorf("bea has %s", got)
	}
	for _, c := range []struct {
		status int
		args   []string
	}{
		{exitNotFound, []string{"nobody", dir}},
		{exitUsage, []string{"ann"}},
		{exitUsage, []string{"ann", dir, "--from", h.web.URL}},
		{exitUsage, []string{"ann", "--from", "ftp://example.org"}},
		{exitFailure, []string{"ann", filepath.Join(dir, "nothing.ics")}},
		{exitFailure, []string{"ann", "--from", h.web.URL + "/help/", "--user", "ann", "--password-stdin"}},
	} {
		if status, out, errs := h.cli("wrong password\n", append([]string{"calendar", "import"}, c.args...)...); status != c.status || out != "" && out != "Imported: 0.\n" || errs == "" {
			t.Errorf("import %v: status %d: %s%s", c.args, status, out, errs)
		}
	}
	if got := ann.shelf(); got != want {
		t.Errorf("after all that ann has %s", got)
	}
}

// What cannot be taken does not keep the rest from being taken, and is told of.
// A journal goes into a calendar for journals.
func TestImportOfWhatIsBroken(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	dir := t.TempDir()
	cut := filepath.Join(dir, "2-cut.ics")
	write(t, filepath.Join(dir, "1.ics"), vevent("1", "DTSTART:20261201T100000Z"))
	write(t, cut, strings.TrimSuffix(vevent("2", "DTSTART:20261201T100000Z"), "END:VEVENT\r\nEND:VCALENDAR\r\n"))
	write(t, filepath.Join(dir, "3.ics"), vevent("3", "DTSTART:20261201T100000Z"))
	for _, c := range []struct{ source, taken string }{{dir, "Imported: 2."}, {cut, "Imported: 0."}} {
		want := cut + ": VEVENT is not closed; the text may have been cut off.\n" + c.taken + " Not imported: 1.\n"
		if status, out, errs := h.cli("", "calendar", "import", "ann", c.source); status != exitFailure || out != want || !strings.Contains(errs, "1 could not be taken") {
			t.Errorf("status %d: %s%s", status, out, errs)
		}
	}

	dav := ann.basic()
	dav.do("MKCALENDAR", "/caldav/1/calendars/diary/", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><set><prop><C:supported-calendar-component-set><C:comp name="VJOURNAL"/></C:supported-calendar-component-set></prop></set></C:mkcalendar>`).want(201)
	dav.do("PUT", "/caldav/1/calendars/diary/day.ics", vobject("VJOURNAL", "day", "DTSTART:20261201T150000Z")).want(201)
	dav.do("PUT", "/caldav/1/calendars/diary/night.ics", vobject("VJOURNAL", "night", "DTSTART:20261201T230000Z")).want(201)
	inside, err := url.Parse(h.web.URL)
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
	status, out, errs := h.cli(password+"\n", "calendar", "import", "bea", "--from", old.URL, "--user", "ann", "--password-stdin")
	if status != exitFailure || !strings.HasPrefix(out, "/caldav/1/calendars/diary/night.ics: ") || !strings.HasSuffix(out, "\nImported: 3. Not imported: 1.\n") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
	if got := bea.shelf(); got != "Calendar #3b82f6 ||, diary #3b82f6 |" {
		t.Errorf("bea has %s", got)
	}
}

// What was exported is what other programs import, calendars of one name
// included; what was deleted comes back by command, too.
func TestExportAndTrashCommands(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	ann.do("POST", "/world/calendars", `{"name": "Calendar"}`).want(201)
	ann.do("POST", "/world/calendars", `{"name": "../Work/life"}`).want(201)
	ann.do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00"}`).want(201)
	dir := filepath.Join(t.TempDir(), "out")
	status, out, errs := h.cli("", "calendar", "export", "ann", dir, "--json")
	var result struct{ Files []string }
	if err := json.Unmarshal([]byte(out), &result); status != 0 || err != nil || strings.Join(result.Files, "|") != "Calendar.ics|Calendar 2.ics|Work-life.ics" {
		t.Errorf("status %d, %v: %s%s", status, err, out, errs)
	}
	if found := files(t, dir); len(found) != 3 || found["Calendar.ics"] != 0o600 {
		t.Errorf("there are %v", found)
	}
	if status, _, errs := h.cli("", "calendar", "import", "bea", filepath.Join(dir, "Calendar.ics")); status != 0 {
		t.Error(errs)
	}
	if got := bea.shelf(); got != "Calendar #3b82f6 |" {
		t.Errorf("bea has %s", got)
	}

	id := bea.do("GET", "/world/time/objects").str("objects.0.id")
	bea.do("DELETE", "/world/time/objects/"+id).want(200)
	if status, out, _ = h.cli("", "calendar", "trash", "bea"); status != 0 || !strings.Contains(out, id) || !strings.Contains(out, "Dentist") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, _, _ = h.cli("", "calendar", "restore", "ann", id); status != exitNotFound {
		t.Errorf("restoring what is somebody else's: status %d", status)
	}
	if status, out, _ = h.cli("", "calendar", "restore", "bea", id); status != 0 || out != "Dentist is back.\n" {
		t.Errorf("status %d: %s", status, out)
	}
	bea.do("GET", "/world/time/objects/"+id).want(200)
	if status, _, _ = h.cli("", "calendar", "restore", "bea", id); status != exitNotFound {
		t.Errorf("restoring it again: status %d", status)
	}
}
