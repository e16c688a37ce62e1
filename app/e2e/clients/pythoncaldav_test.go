package clients

import (
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// Scripts with python3-caldav. Each prints lines that the test checks.
const (
	scriptHeader = `
import sys, caldav
from datetime import datetime, timedelta, timezone
url, password, day = sys.argv[1:4]
day = datetime.fromisoformat(day).replace(tzinfo=timezone.utc)
me = caldav.DAVClient(url=url, username="ann", password=password).principal()
def titles(list): return sorted(str(o.icalendar_component["summary"]) for o in list)
`
	writeScript = scriptHeader + `
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
	readScript = scriptHeader + `
garden = me.calendar(cal_id="garden")
changed = garden.objects_by_sync_token(sys.argv[4])
print("changed", len(list(changed)))
print("all", titles(garden.objects(load_objects=True)))
garden.event_by_uid("water").delete()
print("left", titles(garden.events()))
`
	deleteScript = scriptHeader + `
me.calendar(cal_id="garden").delete()
print("calendars", [c.get_display_name() for c in me.calendars()])
`
)

// Scripts with python3-caldav create, query, synchronize and delete. Covers C-12
// and T-18.
func TestPythonCalDAVScriptsWork(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "python3", "../lib/python3/dist-packages/caldav")
	f := newFixture(t)
	desktop := newDevice(t, "desktop")
	// run runs a script, which must print the lines, and returns the last line.
	run := func(script string, want []string, args ...string) (last string) {
		t.Helper()
		desktop.write("script.py", script)
		args = append([]string{"-W", "ignore", "script.py", f.server.URL + "/caldav/", apptest.Password, f.date(0)}, args...)
		output := desktop.run("python3", args...)
		lines := strings.Split(strings.TrimSpace(output), "\n")
		if len(lines) < len(want) || !slices.Equal(lines[:len(want)], want) {
			t.Fatalf("script: got\n%s\nwant\n%s", output, strings.Join(want, "\n"))
		}
		return lines[len(lines)-1]
	}

	water := apptest.VEvent("water", "DTSTART:"+f.icalDate(1)+"T080000Z", "DTEND:"+f.icalDate(1)+"T090000Z", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Water")
	last := run(writeScript, []string{
		"calendars ['Calendar', 'Garden']", "instances True", "tasks ['Buy seeds']", "busy 3", "all ['Buy seeds', 'Water']",
	}, water)
	token, ok := strings.CutPrefix(last, "token ")
	if !ok {
		t.Fatalf("script: got the last line %q, want a sync token", last)
	}
	f.wantObjects("Buy seeds", f.date(1)+"T08:00:00Z Water", f.date(2)+"T08:00:00Z Water", f.date(3)+"T08:00:00Z Water")

	f.delete("Buy seeds")
	garden := f.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.1.id")
	f.create(map[string]any{"object_type": "calendar_event", "title": "Überwintern", "start": f.date(5) + "T09:00:00Z", "calendar_id": garden})
	run(readScript, []string{"changed 2", "all ['Water', 'Überwintern']", "left ['Überwintern']"}, token)
	f.wantObjects(f.date(5) + "T09:00:00Z Überwintern")
	run(deleteScript, []string{"calendars ['Calendar']"})
	f.wantObjects()
}
