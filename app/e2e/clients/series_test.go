package clients

import (
	"fmt"
	"iter"
	"maps"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

const choirStart, choirEnd = "2027-02-22", "2027-05-10" // the range in which tests list the dates of the choir

// Dates of the choir, each with its start and end in Berlin, before and after it moves from
// Thursdays to Fridays. One date is moved to a Saturday, one is deleted. The clocks change on
// 28 March 2027.
const (
	choirOnThursdays = `2027-02-25 19:30 21:00 Choir
2027-03-04 19:30 21:00 Choir
2027-03-13 18:00 20:00 Choir
2027-03-18 19:30 21:00 Choir
2027-03-25 19:30 21:00 Choir
2027-04-01 19:30 21:00 Choir
2027-04-08 19:30 21:00 Choir
2027-04-15 19:30 21:00 Choir
2027-04-29 19:30 21:00 Choir
2027-05-06 19:30 21:00 Choir
`
	choirOnFridays = `2027-02-26 19:30 21:00 Choir
2027-03-05 19:30 21:00 Choir
2027-03-13 18:00 20:00 Choir
2027-03-19 19:30 21:00 Choir
2027-03-26 19:30 21:00 Choir
2027-04-02 19:30 21:00 Choir
2027-04-09 19:30 21:00 Choir
2027-04-16 20:00 21:30 Choir
2027-04-30 20:00 21:30 Choir with orchestra
2027-05-07 20:00 21:30 Choir
`
)

// editChoir creates and edits a series over the JSON API, as the app does. It yields the dates
// that clients must show: first those of the series on Thursdays, with a deleted and a moved date.
// Then the series moves to Fridays, one date gets a title, and a later time starts on 16 April.
func (f *fixture) editChoir() iter.Seq[string] {
	return func(yield func(string) bool) {
		f.t.Helper()
		self := f.ann.Do("POST", "/world/time/objects", map[string]any{
			"object_type": "calendar_event", "title": "Choir", "timezone": "Europe/Berlin",
			"start": "2027-02-25T19:30:00", "end": "2027-02-25T21:00:00", "rrule": "FREQ=WEEKLY;BYDAY=TH",
		}).Want(201).Str("object.links.self")
		patch := func(scope, recurrenceID string, change map[string]any) {
			f.t.Helper()
			body := map[string]any{"scope": scope, "recurrence_id": recurrenceID}
			maps.Copy(body, change)
			f.ann.Do("PATCH", self, body).Want(200)
		}
		f.ann.Do("DELETE", self+"?scope=this&recurrence_id=2027-04-22T19:30:00").Want(200)
		patch("this", "2027-03-11T19:30:00", map[string]any{"start": "2027-03-13T17:00:00Z", "end": "2027-03-13T19:00:00Z"})
		f.wantChoir(choirOnThursdays)
		if !yield(choirOnThursdays) {
			return
		}
		patch("all", "2027-04-01T19:30:00", map[string]any{"start": "2027-04-02T19:30:00"})
		patch("this", "2027-04-30T19:30:00", map[string]any{"title": "Choir with orchestra"})
		patch("this_and_future", "2027-04-16T19:30:00", map[string]any{"start": "2027-04-16T20:00:00", "end": "2027-04-16T21:30:00"})
		f.wantChoir(choirOnFridays)
		yield(choirOnFridays)
	}
}

// wantChoir fails the test unless the JSON API lists these dates.
func (f *fixture) wantChoir(want string) {
	f.t.Helper()
	var got string
	for _, o := range f.ann.Do("GET", "/world/time/objects?start="+choirStart+"&end="+choirEnd).Want(200).List("objects") {
		start, _ := apptest.At(o, "state.occurrence.start.date_time").(string)
		end, _ := apptest.At(o, "state.occurrence.end.date_time").(string)
		day, start, _ := strings.Cut(start, "T")
		end = strings.TrimPrefix(end, day+"T")
		got += fmt.Sprintln(day, strings.TrimSuffix(start, ":00"), strings.TrimSuffix(end, ":00"), apptest.At(o, "title"))
	}
	if got != want {
		f.t.Errorf("list of the JSON API: got\n%s\nwant\n%s", got, want)
	}
}

const pythonSeriesScript = `
import os, sys, caldav
from datetime import datetime
from zoneinfo import ZoneInfo
url, password, start, end = sys.argv[1:5]
berlin = ZoneInfo("Europe/Berlin")
start, end = (datetime.fromisoformat(d).replace(tzinfo=berlin) for d in (start, end))
calendar = caldav.DAVClient(url=url, username="ann", password=password).principal().calendars()[0]
def show(label, objects):
    events = [c for o in objects for c in o.icalendar_instance.walk("VEVENT")]
    dates = sorted((*(c[name].dt.astimezone(berlin) for name in ("DTSTART", "DTEND")), str(c["SUMMARY"])) for c in events)
    print(label)
    for first, last, title in dates: print(f"{first:%Y-%m-%d %H:%M} {last:%H:%M} {title}")
token = open("token").read() if os.path.exists("token") else None
changed = calendar.objects_by_sync_token(token, load_objects=True)
for o in changed: o.expand_rrule(start, end)
show("expanded by the library", changed)
show("expanded by the server", calendar.date_search(start=start, end=end, expand=True))
open("token", "w").write(changed.sync_token)
`

// python3-caldav reads the dates of a series that was edited in World: from the objects that
// have changed since its last synchronization, and expanded by the server. Covers T-13, T-14
// and B-114.
func TestPythonCalDAVReadsEditedSeries(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "python3", "../lib/python3/dist-packages/caldav")
	f := newFixture(t)
	desktop := newDevice(t, "desktop")
	desktop.write("script.py", pythonSeriesScript)
	for want := range f.editChoir() {
		desktop.wantOutput("expanded by the library\n"+want+"expanded by the server\n"+want,
			"python3", "-W", "ignore", "script.py", f.server.URL+"/caldav/", apptest.Password, choirStart, choirEnd)
	}
}

// khal lists the dates of a series that was edited in World, after vdirsyncer has synchronized
// it. Covers T-13, T-14 and B-114.
func TestKhalListsEditedSeries(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "khal")
	f := newSyncedFixture(t)
	f.laptop.write(".config/khal/config", fmt.Sprintf(khalConfig, f.laptop.dir))
	for want := range f.editChoir() {
		f.laptop.run("vdirsyncer", "sync")
		f.laptop.wantOutput(want, "khal", "list", "--day-format", "", "--format", "{start-date} {start-time} {end-time} {title}", choirStart, choirEnd)
	}
}

// The library of Evolution lists the dates of a series that was edited in World. Covers T-13,
// T-14 and B-114.
func TestEvolutionDataServerListsEditedSeries(t *testing.T) {
	svctest.Long(t)
	desktop := newEvolution(t)
	f := newFixture(t)
	for want := range f.editChoir() {
		desktop.write("want", want)
		output := f.runEvolution(desktop, "evolution_dates.py", choirStart, choirEnd)
		if _, got, _ := strings.Cut(output, "\ndates\n"); !strings.HasPrefix(got, want+"\n") {
			t.Errorf("got\n%s\nwant the dates\n%s", output, want)
		}
	}
}

// Thunderbird lists the dates of a series that was edited in World. Covers T-13, T-14 and B-114.
func TestThunderbirdListsEditedSeries(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "thunderbird")
	f := newFixture(t)
	tb := startThunderbird(t)
	for want := range f.editChoir() {
		tb.wantResult(thunderbirdDates, []any{f.server.URL + "/caldav/", apptest.Password, choirStart, choirEnd}, want)
	}
}

// todoman shows a recurring task as one task, which is due at the DUE of its series: the next
// occurrence after one was completed late in World. Covers T-18 and B-113.
func TestTodomanShowsTheNextOpenTask(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "todoman")
	f := newSyncedFixture(t)
	f.laptop.write(".config/todoman/config.py", fmt.Sprintf(todomanConfig, f.laptop.dir))
	f.create(map[string]any{"object_type": "task", "title": "Bins", "timezone": "Europe/Berlin", "due": "2026-10-15T18:00:00", "rrule": "FREQ=WEEKLY;BYDAY=TH"})
	for _, want := range []string{"2026-10-15T18:00:00", "2026-10-22T18:00:00", "2026-10-29T18:00:00"} {
		next := f.object("Bins")
		next.WantValues("object.state", map[string]any{"occurrence.end.date_time": want, "is_overdue": true})
		f.laptop.run("vdirsyncer", "sync")
		output := f.laptop.run("todoman", "list")
		_, got, _ := strings.Cut(output, "  ") // after the number
		if want := strings.Replace(want, "T", " ", 1) + " ⟳Bins \n"; got != want {
			t.Errorf("todoman list: got\n%s\nwant the task %q", output, want)
		}
		f.ann.Do("PATCH", next.Str("object.links.self"), map[string]any{"scope": "this", "recurrence_id": want, "status": "completed"}).Want(200)
	}
}
