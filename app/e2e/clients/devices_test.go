package clients

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// Two devices with vdirsyncer and World have the same entries after each change.
// Covers C-03, C-04, C-09, C-10, C-12, C-14, C-16, C-22, C-23, C-27, T-18 and
// T-19 with vdirsyncer.
func TestVdirsyncerKeepsTwoDevicesAndWorldInSync(t *testing.T) {
	svctest.Long(t)
	h := newFixture(t)
	dir := "calendars/" + h.calendar() + "/"
	h.createOnPhone(dir)
	h.changeOnLaptop(dir)
	h.changeOnBoth(dir)
	h.changeInWorld(dir)
	h.changeCalendar(dir)
	h.createCalendars()
	h.revokeLaptop()
}

func (h *fixture) createOnPhone(dir string) {
	breakfast := apptest.VEvent("breakfast", "DTSTART:"+h.day(1)+"T080000Z", "DTEND:"+h.day(1)+"T090000Z", "SUMMARY:Frühstück ☕",
		`DESCRIPTION:Käse\, Brot\; 会議\nund danach`, `X-NOT-OURS;X-P="a;b":kept`,
		"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Up!", "TRIGGER:-PT15M", "END:VALARM")
	h.phone.write(dir+"breakfast.ics", breakfast)
	h.phone.write(dir+"standup.ics", apptest.VEvent("standup", "DTSTART:"+h.day(1)+"T090000Z", "DURATION:PT15M", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Stand-up",
		"END:VEVENT", "BEGIN:VEVENT", "UID:standup", "RECURRENCE-ID:"+h.day(3)+"T090000Z", "DTSTAMP:20261101T120000Z",
		"DTSTART:"+h.day(3)+"T110000Z", "DURATION:PT15M", "SUMMARY:Stand-up, late"))
	h.phone.write(dir+"taxes.ics", apptest.VObject("VTODO", "taxes", "DUE:"+h.day(9)+"T120000Z", "SUMMARY:Taxes"))
	h.wantEntries("Frühstück ☕", "Stand-up", "Taxes")
	if got := h.ann.Basic().Do("GET", h.ann.DefaultCalendar()+"breakfast.ics").Want(200).Body; got != breakfast {
		h.t.Errorf("entry on the server: got\n%q\nwant the text of the phone\n%q", got, breakfast)
	}
	object := h.object("Frühstück ☕")
	if object.Str("object.state.description") != "Käse, Brot; 会議\nund danach" || object.Str("object.state.alarms.0.trigger") != "-PT15M" {
		h.t.Errorf("object: got %s, want the description and the alarm", object.Body)
	}
	if late := h.between(3, 4); late.Str("objects.0.title") != "Stand-up, late" {
		h.t.Errorf("overridden occurrence: got %s, want Stand-up, late", late.Body)
	}
}

func (h *fixture) changeOnLaptop(dir string) {
	h.laptop.edit(dir+"standup.ics", "SUMMARY:Stand-up\r\n", "SUMMARY:Daily\r\n")
	h.laptop.delete(dir + "taxes.ics")
	h.wantEntries("Frühstück ☕", "Daily")
}

// changeOnBoth changes one entry on both devices. The first change wins, and the
// second device reports a conflict.
func (h *fixture) changeOnBoth(dir string) {
	h.phone.edit(dir+"breakfast.ics", "Frühstück ☕", "Brunch")
	h.laptop.edit(dir+"breakfast.ics", "Frühstück ☕", "Supper")
	h.phone.run("vdirsyncer", "sync")
	if out := h.laptop.run("vdirsyncer", "sync"); !strings.Contains(out, "conflict") {
		h.t.Errorf("sync of the laptop: got %s, want a conflict", out)
	}
	h.wantEntries("Brunch", "Daily")
}

// changeInWorld changes entries in World. Other properties stay unchanged.
func (h *fixture) changeInWorld(dir string) {
	before := h.phone.read(dir + "breakfast.ics")
	h.send("PATCH", "Brunch", `{"title": "Lunch"}`)
	h.add(map[string]any{"object_type": "task", "title": "Überweisung"})
	h.add(map[string]any{"object_type": "calendar_event", "title": "Tea", "start": h.date(2) + "T16:00:00"})
	h.wantEntries("Lunch", "Daily", "Überweisung", "Tea")
	if got, want := withoutStamps(h.phone.read(dir+"breakfast.ics")), strings.Replace(withoutStamps(before), "Brunch", "Lunch", 1); got != want {
		h.t.Errorf("entry after a change in World: got\n%s\nwant\n%s", got, want)
	}
	h.send("DELETE", "Tea")
	h.wantEntries("Lunch", "Daily", "Überweisung")
}

// changeCalendar changes the name and the color of a calendar on a device and in
// World.
func (h *fixture) changeCalendar(dir string) {
	h.phone.write(dir+"displayname", "Mein Kalender")
	h.phone.write(dir+"color", "#00AA7F")
	h.syncAll("metasync")
	mine := h.ann.Do("GET", "/world/calendars").Want(200)
	if name, color := mine.Str("calendars.0.name"), mine.Str("calendars.0.color"); name != "Mein Kalender" || !strings.EqualFold(color, "#00AA7F") {
		h.t.Errorf("calendar in World: got %q with the color %s, want Mein Kalender with #00AA7F", name, color)
	}
	h.ann.Do("PATCH", "/world/calendars/"+h.calendar(), `{"name": "Ours", "color": "#112233"}`).Want(200)
	h.syncAll("metasync")
	for _, d := range []*device{h.phone, h.laptop} {
		if name, color := d.read(dir+"displayname"), d.read(dir+"color"); name != "Ours" || color != "#112233" {
			h.t.Errorf("calendar on the %s: got %q with the color %s, want Ours with #112233", d, name, color)
		}
	}
}

// createCalendars creates calendars on a device and in World, and moves an entry.
func (h *fixture) createCalendars() {
	h.phone.write("calendars/garden/bulbs.ics", apptest.VEvent("bulbs", "DTSTART;VALUE=DATE:"+h.day(4), "SUMMARY:Tulips"))
	chess := h.ann.Do("POST", "/world/calendars", `{"name": "Chess"}`).Want(201).Str("calendar.id")
	h.discover()
	h.wantEntries("Lunch", "Daily", "Überweisung", "Tulips")
	h.send("PATCH", "Lunch", map[string]any{"calendar_id": chess})
	h.wantEntries("Lunch", "Daily", "Überweisung", "Tulips")
	if _, ok := h.laptop.entries()["calendars/"+chess+"/breakfast"]; !ok {
		h.t.Errorf("moved entry: the laptop has %q, want it in the calendar %s", slices.Sorted(maps.Keys(h.laptop.entries())), chess)
	}
}

// revokeLaptop revokes the device password of the laptop.
func (h *fixture) revokeLaptop() {
	id := h.ann.Do("GET", "/world/identity/device-passwords").Want(200).Str("device_passwords.0.id")
	h.ann.Do("DELETE", "/world/identity/device-passwords/"+id).Want(200)
	if out, err := h.laptop.try("vdirsyncer", "sync"); err == nil || !strings.Contains(out, "401") {
		h.t.Errorf("laptop with a revoked password: got %v\n%s\nwant status 401", err, out)
	}
	h.phone.run("vdirsyncer", "sync")
}

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

// Covers C-12, C-27, T-18 and T-19 with khal and todoman.
func TestKhalAndTodomanShowAndChangeEntriesOfWorld(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "khal", "todoman")
	h := newFixture(t)
	laptop := h.laptop
	laptop.write(".config/khal/config", fmt.Sprintf(khalConfig, laptop.home))
	laptop.write(".config/todoman/config.py", fmt.Sprintf(todomanConfig, laptop.home))
	wantOutput := func(want string, program string, args ...string) {
		t.Helper()
		if got := laptop.run(program, args...); got != want {
			t.Errorf("%s %q: got\n%s\nwant\n%s", program, args, got, want)
		}
	}
	list := []string{"list", "--day-format", "", "--format", "{start} {title}", h.date(1), "9d"}

	h.add(map[string]any{
		"object_type": "calendar_event", "title": "Gymnastik", "start": h.date(2) + "T16:00:00", "rrule": "FREQ=DAILY;COUNT=3", "exdates": []string{h.date(3) + "T16:00:00"},
	})
	h.add(map[string]any{"object_type": "task", "title": "Überweisung", "due": h.date(5)})
	h.wantEntries("Gymnastik", "Überweisung")
	wantOutput(h.date(2)+" 16:00 Gymnastik\n"+h.date(4)+" 16:00 Gymnastik\n", "khal", list...)
	wantOutput("[ ] 1  "+h.date(5)+" Überweisung \n", "todoman", "list")

	laptop.run("khal", "new", "--location", "Café", "--alarms", "15m", h.date(2), "09:00", "10:30", "Brunch", "::", "Mit Käse, und Brot")
	laptop.run("todoman", "new", "--due", h.date(6), "Reifen wechseln")
	laptop.run("todoman", "done", "1")
	h.wantEntries("Gymnastik", "Überweisung", "Brunch", "Reifen wechseln")
	for title, want := range map[string]map[string]any{
		"Brunch": {"start.date_time": h.date(2) + "T09:00:00", "end.date_time": h.date(2) + "T10:30:00", "start.timezone": "Europe/Berlin",
			"location": "Café", "description": "Mit Käse, und Brot", "alarms.0.trigger": "-PT15M"},
		"Reifen wechseln": {"due.date": h.date(6), "status": "needs_action"},
		"Überweisung":     {"due.date": h.date(5), "status": "completed", "percent_complete": 100.0},
	} {
		object := h.object(title)
		for path, value := range want {
			if got := object.At("object.state." + path); got != value {
				t.Errorf("%s of %q: got %v, want %v", path, title, got, value)
			}
		}
	}

	h.send("PATCH", "Brunch", map[string]any{"title": "Mittagessen", "start": h.date(2) + "T12:00:00", "end": h.date(2) + "T13:00:00"})
	h.wantEntries("Gymnastik", "Überweisung", "Mittagessen", "Reifen wechseln")
	wantOutput(h.date(2)+" 12:00 Mittagessen\n"+h.date(2)+" 16:00 Gymnastik\n"+h.date(4)+" 16:00 Gymnastik\n", "khal", list...)
	wantOutput("[ ] 2  "+h.date(6)+" Reifen wechseln \n", "todoman", "list")
}

const calcurseConfig = `[General]
Hostname = %s
Path = %s
HTTPS = No
DryRun = No
[Auth]
Username = ann
Password = %s
`

// Covers C-12 and T-18 with calcurse.
func TestCalcurseKeepsEntriesInSyncWithWorld(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "calcurse", "calcurse-caldav")
	h := newFixture(t)
	desktop := &device{t, filepath.Join(t.TempDir(), "desktop")}
	desktop.write(".calcurse/caldav/config", fmt.Sprintf(calcurseConfig, strings.TrimPrefix(h.server.URL, "http://"), h.ann.DefaultCalendar(), apptest.Password))
	desktop.write("dentist.ics", apptest.VEvent("dentist", "DTSTART:"+h.day(3)+"T100000", "DTEND:"+h.day(3)+"T110000", "SUMMARY:Zahnärztin"))
	h.add(map[string]any{"object_type": "calendar_event", "title": "Frühstück", "start": h.date(2) + "T09:00:00"})
	h.add(map[string]any{"object_type": "task", "title": "Überweisung"})
	wantOutput := func(want string) {
		t.Helper()
		if got := desktop.run("calcurse", "-Q", "--from", h.today.Format("01/02/2006"), "--days", "9"); got != want {
			t.Errorf("calcurse: got\n%s\nwant\n%s", got, want)
		}
	}
	heading := func(n int) string { return h.today.AddDate(0, 0, n).Format("01/02/06") }

	desktop.run("calcurse-caldav", "--init=keep-remote")
	desktop.run("calcurse", "--quiet", "--import", "dentist.ics")
	desktop.run("calcurse-caldav")
	wantOutput("to do:\n0. Überweisung\n\n" +
		heading(2) + ":\n - 09:00 -> 10:00\n\tFrühstück\n\n" +
		heading(3) + ":\n - 10:00 -> 11:00\n\tZahnärztin\n")
	h.wantEntries("Frühstück", "Überweisung", "Zahnärztin")

	h.send("PATCH", "Zahnärztin", map[string]any{"start": h.date(4) + "T12:00:00", "end": h.date(4) + "T12:30:00"})
	h.send("DELETE", "Frühstück")
	desktop.run("calcurse-caldav")
	wantOutput("to do:\n0. Überweisung\n\n" + heading(4) + ":\n - 12:00 -> 12:30\n\tZahnärztin\n")
	h.wantEntries("Überweisung", "Zahnärztin")
}
