package clients

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// listed returns the start and the title of the objects of the next nine days.
func (h *fixture) listed() (list []string) {
	h.t.Helper()
	for _, o := range h.between(0, 9).List("objects") {
		title := apptest.At(o, "title").(string)
		if start := cmp.Or(apptest.At(o, "state.occurrence.start.utc"), apptest.At(o, "state.start.utc")); start != nil {
			title = start.(string) + " " + title
		}
		list = append(list, title)
	}
	slices.Sort(list)
	return list
}

// wantListed fails the test unless World lists exactly these objects.
func (h *fixture) wantListed(want ...string) {
	h.t.Helper()
	slices.Sort(want)
	if got := h.listed(); !slices.Equal(got, want) {
		h.t.Errorf("list of objects: got %q, want %q", got, want)
	}
}

// cadaver is a shell for WebDAV. Files in a collection of the member are not part
// of World.
func TestCadaverManagesFilesAndEntries(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "cadaver")
	h := newServer(t)
	desktop := &device{t, filepath.Join(t.TempDir(), "desktop")}
	desktop.write(".netrc", fmt.Sprintf("machine 127.0.0.1 login ann password %q\n", apptest.Password))
	desktop.write("note.txt", "milk, bread\n")
	desktop.write("tea.ics", apptest.VEvent("tea", "DTSTART:"+h.day(2)+"T160000Z", "SUMMARY:Tea"))
	calendars, calendar := filepath.Dir(filepath.Clean(h.ann.DefaultCalendar())), h.calendar()
	run := func(commands ...string) string {
		t.Helper()
		script := strings.Join(commands, "\n") + "\nquit\n"
		out, err := desktop.tryWithInput(script, "cadaver", h.server.URL+calendars+"/")
		if err != nil || strings.Contains(out, "fail") || !strings.Contains(out, "Connection to `127.0.0.1' closed.") {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}

	out := run("mkcol box", "cd box", "put note.txt", "copy note.txt copy.txt", "move copy.txt moved.txt",
		"propset moved.txt color blue", "propget moved.txt color", "delete note.txt", "get moved.txt back.txt", "ls",
		"cd ..", "put tea.ics "+calendar+"/tea.ics")
	if !strings.Contains(out, "Value of color is: blue\n") {
		t.Errorf("propget: got\n%s\nwant blue", out)
	}
	if _, list, _ := strings.Cut(out, "Listing collection"); !strings.Contains(list, " moved.txt ") || strings.Contains(list, " note.txt ") || strings.Contains(list, " copy.txt ") {
		t.Errorf("collection: got\n%s\nwant moved.txt only", list)
	}
	if got := desktop.read("back.txt"); got != "milk, bread\n" {
		t.Errorf("downloaded file: got %q, want the uploaded text", got)
	}
	h.wantListed(h.date(2) + "T16:00:00Z Tea")

	h.send("PATCH", "Tea", `{"title": "Cake"}`)
	run("get "+calendar+"/tea.ics cake.ics", "mkcol other", "move "+calendar+"/tea.ics "+calendar+"/cake.ics", "rmcol box", "rmcol other")
	if got, want := withoutStamps(desktop.read("cake.ics")), strings.Replace(withoutStamps(desktop.read("tea.ics")), "Tea", "Cake", 1); got != want {
		t.Errorf("entry after a change in World: got\n%s\nwant\n%s", got, want)
	}
	h.wantListed(h.date(2) + "T16:00:00Z Cake")
	run("delete " + calendar + "/cake.ics")
	h.wantListed()
}

// Scripts with python3-caldav, which print their results.
const (
	scriptStart = `
import sys, caldav
from datetime import datetime, timedelta, timezone
url, password, day = sys.argv[1:4]
day = datetime.fromisoformat(day).replace(tzinfo=timezone.utc)
me = caldav.DAVClient(url=url, username="ann", password=password).principal()
def titles(list): return sorted(str(o.icalendar_component["summary"]) for o in list)
`
	createScript = scriptStart + `
garden = me.make_calendar(name="Garden", cal_id="garden")
print("calendars", sorted(c.get_display_name() for c in me.calendars()))
garden.save_event(sys.argv[4])
garden.save_todo(summary="Buy seeds", due=day + timedelta(days=4))
found = garden.date_search(start=day + timedelta(days=2), end=day + timedelta(days=9), expand=True)
starts = [str(c.get("RECURRENCE-ID", c["DTSTART"]).dt) for o in found for c in o.icalendar_instance.subcomponents if c.name == "VEVENT"]
print("instances", sorted(starts) == [str(day + timedelta(days=n, hours=8)) for n in (2, 3)])
print("tasks", titles(garden.todos()))
busy = garden.freebusy_request(day, day + timedelta(days=9))
print("busy", sum(len(f.value) for f in busy.vobject_instance.vfreebusy.freebusy_list))
all = garden.objects_by_sync_token(load_objects=True)
print("all", titles(all))
print("token", all.sync_token)
`
	syncScript = scriptStart + `
garden = me.calendar(cal_id="garden")
changed = garden.objects_by_sync_token(sys.argv[4])
print("changed", len(list(changed)))
print("all", titles(garden.objects(load_objects=True)))
garden.event_by_uid("water").delete()
print("left", titles(garden.events()))
`
	deleteScript = scriptStart + `
me.calendar(cal_id="garden").delete()
print("calendars", [c.get_display_name() for c in me.calendars()])
`
)

// Covers C-12 and T-18 with python3-caldav.
func TestPythonCaldavScriptsWork(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "python3", "../lib/python3/dist-packages/caldav")
	h := newServer(t)
	desktop := &device{t, filepath.Join(t.TempDir(), "desktop")}
	wantScript := func(script string, want []string, args ...string) (last string) {
		t.Helper()
		desktop.write("script.py", script)
		out := desktop.run("python3", append([]string{"-W", "ignore", "script.py", h.server.URL + "/caldav/", apptest.Password, h.date(0)}, args...)...)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) < len(want) || !slices.Equal(lines[:len(want)], want) {
			t.Fatalf("script: got\n%s\nwant\n%s", out, strings.Join(want, "\n"))
		}
		return lines[len(lines)-1]
	}

	water := apptest.VEvent("water", "DTSTART:"+h.day(1)+"T080000Z", "DTEND:"+h.day(1)+"T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Water")
	last := wantScript(createScript, []string{
		"calendars ['Calendar', 'Garden']", "instances True", "tasks ['Buy seeds']", "busy 3", "all ['Buy seeds', 'Water']",
	}, water)
	token, ok := strings.CutPrefix(last, "token ")
	if !ok {
		t.Fatalf("last line: got %q, want a sync token", last)
	}
	h.wantListed("Buy seeds", h.date(1)+"T08:00:00Z Water", h.date(2)+"T08:00:00Z Water", h.date(3)+"T08:00:00Z Water")

	h.send("DELETE", "Buy seeds")
	garden := h.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.1.id")
	h.add(map[string]any{"object_type": "calendar_event", "title": "Überwintern", "start": h.date(5) + "T09:00:00Z", "calendar_id": garden})
	wantScript(syncScript, []string{"changed 2", "all ['Water', 'Überwintern']", "left ['Überwintern']"}, token)
	h.wantListed(h.date(5) + "T09:00:00Z Überwintern")
	wantScript(deleteScript, []string{"calendars ['Calendar']"})
	h.wantListed()
}
