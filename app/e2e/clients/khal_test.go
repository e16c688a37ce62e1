package clients

import (
	"fmt"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

const khalConfig = `[calendars]
[[all]]
type = discover
path = %s/calendars/*
[locale]
local_timezone = Europe/Berlin
default_timezone = Europe/Berlin
timeformat = %%H:%%M
dateformat = %%Y-%%m-%%d
longdateformat = %%Y-%%m-%%d
datetimeformat = %%Y-%%m-%%d %%H:%%M
longdatetimeformat = %%Y-%%m-%%d %%H:%%M
[default]
default_calendar = Calendar
`

const todomanConfig = `path = "%s/calendars/*"
date_format = "%%Y-%%m-%%d"
default_list = "Calendar"
default_due = 0
`

// khal and todoman list the objects that World wrote, and World has the
// properties that they wrote. Covers C-12, C-27, T-18 and T-19.
func TestKhalAndTodomanShareObjectsWithWorld(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "khal", "todoman")
	f := newSyncedFixture(t)
	laptop := f.laptop
	laptop.write(".config/khal/config", fmt.Sprintf(khalConfig, laptop.dir))
	laptop.write(".config/todoman/config.py", fmt.Sprintf(todomanConfig, laptop.dir))
	khalList := []string{"list", "--day-format", "", "--format", "{start} {title}", f.date(1), "9d"}

	f.create(map[string]any{
		"object_type": "calendar_event", "title": "Gymnastik", "start": f.date(2) + "T16:00:00", "rrule": "FREQ=DAILY;COUNT=3", "exdates": []string{f.date(3) + "T16:00:00"},
	})
	f.create(map[string]any{"object_type": "task", "title": "Überweisung", "due": f.date(5)})
	f.wantSynchronized("Gymnastik", "Überweisung")
	laptop.wantOutput(f.date(2)+" 16:00 Gymnastik\n"+f.date(4)+" 16:00 Gymnastik\n", "khal", khalList...)
	laptop.wantOutput("[ ] 1  "+f.date(5)+" Überweisung \n", "todoman", "list")

	laptop.run("khal", "new", "--location", "Café", "--alarms", "15m", f.date(2), "09:00", "10:30", "Brunch", "::", "Mit Käse, und Brot")
	laptop.run("todoman", "new", "--due", f.date(6), "Reifen wechseln")
	laptop.run("todoman", "done", "1")
	f.wantSynchronized("Gymnastik", "Überweisung", "Brunch", "Reifen wechseln")
	for title, want := range map[string]map[string]any{
		"Brunch": {"start.date_time": f.date(2) + "T09:00:00", "end.date_time": f.date(2) + "T10:30:00", "start.timezone": "Europe/Berlin",
			"location": "Café", "description": "Mit Käse, und Brot", "alarms.0.trigger": "-PT15M"},
		"Reifen wechseln": {"due.date": f.date(6), "status": "needs_action"},
		"Überweisung":     {"due.date": f.date(5), "status": "completed", "percent_complete": 100},
	} {
		f.object(title).WantValues("object.state", want)
	}

	f.patch("Brunch", map[string]any{"title": "Mittagessen", "start": f.date(2) + "T12:00:00", "end": f.date(2) + "T13:00:00"})
	f.wantSynchronized("Gymnastik", "Überweisung", "Mittagessen", "Reifen wechseln")
	laptop.wantOutput(f.date(2)+" 12:00 Mittagessen\n"+f.date(2)+" 16:00 Gymnastik\n"+f.date(4)+" 16:00 Gymnastik\n", "khal", khalList...)
	laptop.wantOutput("[ ] 2  "+f.date(6)+" Reifen wechseln \n", "todoman", "list")
}
