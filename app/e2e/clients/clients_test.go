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

// Two devices of one member and her World have the same at all times, whoever
// of them changed what. Covers C-03, C-04, C-09, C-10, C-12, C-14, C-16, C-22,
// C-23, C-27, T-18 and T-19 with vdirsyncer.
func TestTwoDevices(t *testing.T) {
	svctest.Long(t)
	h := moveIn(t)
	at := "calendars/" + h.calendar() + "/"
	h.thePhoneWrites(at)
	h.theLaptopChanges(at)
	h.bothChangeTheSame(at)
	h.worldWrites(at)
	h.aCalendarChanges(at)
	h.calendarsAreMade()
	h.theLaptopIsLost()
}

func (h *home) thePhoneWrites(at string) {
	breakfast := apptest.VEvent("breakfast", "DTSTART:"+h.day(1)+"T080000Z", "DTEND:"+h.day(1)+"T090000Z", "SUMMARY:Frühstück ☕",
		`DESCRIPTION:Käse\, Brot\; 会議\nund danach`, `X-NOT-OURS;X-P="a;b":kept`,
		"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Up!", "TRIGGER:-PT15M", "END:VALARM")
	h.phone.write(at+"breakfast.ics", breakfast)
	h.phone.write(at+"standup.ics", apptest.VEvent("standup", "DTSTART:"+h.day(1)+"T090000Z", "DURATION:PT15M", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Stand-up",
		"END:VEVENT", "BEGIN:VEVENT", "UID:standup", "RECURRENCE-ID:"+h.day(3)+"T090000Z", "DTSTAMP:20261101T120000Z",
		"DTSTART:"+h.day(3)+"T110000Z", "DURATION:PT15M", "SUMMARY:Stand-up, late"))
	h.phone.write(at+"taxes.ics", apptest.VObject("VTODO", "taxes", "DUE:"+h.day(9)+"T120000Z", "SUMMARY:Taxes"))
	h.agree("Frühstück ☕", "Stand-up", "Taxes")
	if got := h.ann.Basic().Do("GET", h.ann.DefaultCalendar()+"breakfast.ics").Want(200).Body; got != breakfast {
		h.t.Errorf("the server has\n%q\nand the phone wrote\n%q", got, breakfast)
	}
	seen := h.object("Frühstück ☕")
	if seen.Str("object.state.description") != "Käse, Brot; 会議\nund danach" || seen.Str("object.state.alarms.0.trigger") != "-PT15M" {
		h.t.Errorf("World shows %s", seen.Body)
	}
	if late := h.between(3, 4); late.Str("objects.0.title") != "Stand-up, late" {
		h.t.Errorf("the stand-up that was moved is %s", late.Body)
	}
}

func (h *home) theLaptopChanges(at string) {
	h.laptop.edit(at+"standup.ics", "SUMMARY:Stand-up\r\n", "SUMMARY:Daily\r\n")
	h.laptop.delete(at + "taxes.ics")
	h.agree("Frühstück ☕", "Daily")
}

// bothChangeTheSame: whoever came first has it, and the other one is told.
func (h *home) bothChangeTheSame(at string) {
	h.phone.edit(at+"breakfast.ics", "Frühstück ☕", "Brunch")
	h.laptop.edit(at+"breakfast.ics", "Frühstück ☕", "Supper")
	h.phone.run("vdirsyncer", "sync")
	if out := h.laptop.run("vdirsyncer", "sync"); !strings.Contains(out, "conflict") {
		h.t.Errorf("the laptop noticed no conflict: %s", out)
	}
	h.agree("Brunch", "Daily")
}

// worldWrites: what World writes arrives, and takes nothing away.
func (h *home) worldWrites(at string) {
	before := h.phone.read(at + "breakfast.ics")
	h.change("PATCH", "Brunch", `{"title": "Lunch"}`)
	h.add(map[string]any{"object_type": "task", "title": "Überweisung"})
	h.add(map[string]any{"object_type": "calendar_event", "title": "Tea", "start": h.date(2) + "T16:00:00"})
	h.agree("Lunch", "Daily", "Überweisung", "Tea")
	if got, want := unstamped(h.phone.read(at+"breakfast.ics")), strings.Replace(unstamped(before), "Brunch", "Lunch", 1); got != want {
		h.t.Errorf("after a change by World the entry is\n%s\nwant\n%s", got, want)
	}
	h.change("DELETE", "Tea")
	h.agree("Lunch", "Daily", "Überweisung")
}

// aCalendarChanges: it has one name and one colour, whoever gave it them.
func (h *home) aCalendarChanges(at string) {
	h.phone.write(at+"displayname", "Mein Kalender")
	h.phone.write(at+"color", "#00AA7F")
	h.settle("metasync")
	mine := h.ann.Do("GET", "/world/calendars").Want(200)
	if name, color := mine.Str("calendars.0.name"), mine.Str("calendars.0.color"); name != "Mein Kalender" || !strings.EqualFold(color, "#00AA7F") {
		h.t.Errorf("World's calendar is called %q and has the colour %s", name, color)
	}
	h.ann.Do("PATCH", "/world/calendars/"+h.calendar(), `{"name": "Ours", "color": "#112233"}`).Want(200)
	h.settle("metasync")
	for _, d := range []*device{h.phone, h.laptop} {
		if name, color := d.read(at+"displayname"), d.read(at+"color"); name != "Ours" || color != "#112233" {
			h.t.Errorf("the calendar on the %s is called %q and has the colour %s", d, name, color)
		}
	}
}

// calendarsAreMade: a calendar that one side makes, all have, and entries
// move into it.
func (h *home) calendarsAreMade() {
	h.phone.write("calendars/garden/bulbs.ics", apptest.VEvent("bulbs", "DTSTART;VALUE=DATE:"+h.day(4), "SUMMARY:Tulips"))
	chess := h.ann.Do("POST", "/world/calendars", `{"name": "Chess"}`).Want(201).Str("calendar.id")
	h.discover()
	h.agree("Lunch", "Daily", "Überweisung", "Tulips")
	h.change("PATCH", "Lunch", map[string]any{"calendar_id": chess})
	h.agree("Lunch", "Daily", "Überweisung", "Tulips")
	if _, ok := h.laptop.entries()["calendars/"+chess+"/breakfast"]; !ok {
		h.t.Errorf("the lunch did not move on the laptop, which has %q", slices.Sorted(maps.Keys(h.laptop.entries())))
	}
}

// theLaptopIsLost: it is shut out, and the phone goes on.
func (h *home) theLaptopIsLost() {
	id := h.ann.Do("GET", "/world/identity/device-passwords").Want(200).Str("device_passwords.0.id")
	h.ann.Do("DELETE", "/world/identity/device-passwords/"+id).Want(200)
	if out, err := h.laptop.try("vdirsyncer", "sync"); err == nil || !strings.Contains(out, "401") {
		h.t.Errorf("the laptop that was lost: %v\n%s", err, out)
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

// khal and todoman show what World wrote and vdirsyncer brought, and World
// shows what they wrote. Covers C-12, C-27, T-18 and T-19 with them.
func TestKhalAndTodoman(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "khal", "todoman")
	h := moveIn(t)
	laptop := h.laptop
	laptop.write(".config/khal/config", fmt.Sprintf(khalConfig, laptop.home))
	laptop.write(".config/todoman/config.py", fmt.Sprintf(todomanConfig, laptop.home))
	shows := func(want string, program string, args ...string) {
		t.Helper()
		if got := laptop.run(program, args...); got != want {
			t.Errorf("%s %q shows\n%s\nwant\n%s", program, args, got, want)
		}
	}
	list := []string{"list", "--day-format", "", "--format", "{start} {title}", h.date(1), "9d"}

	h.add(map[string]any{
		"object_type": "calendar_event", "title": "Gymnastik", "start": h.date(2) + "T16:00:00", "rrule": "FREQ=DAILY;COUNT=3", "exdates": []string{h.date(3) + "T16:00:00"},
	})
	h.add(map[string]any{"object_type": "task", "title": "Überweisung", "due": h.date(5)})
	h.agree("Gymnastik", "Überweisung")
	shows(h.date(2)+" 16:00 Gymnastik\n"+h.date(4)+" 16:00 Gymnastik\n", "khal", list...)
	shows("[ ] 1  "+h.date(5)+" Überweisung \n", "todoman", "list")

	laptop.run("khal", "new", "--location", "Café", "--alarms", "15m", h.date(2), "09:00", "10:30", "Brunch", "::", "Mit Käse, und Brot")
	laptop.run("todoman", "new", "--due", h.date(6), "Reifen wechseln")
	laptop.run("todoman", "done", "1")
	h.agree("Gymnastik", "Überweisung", "Brunch", "Reifen wechseln")
	for title, want := range map[string]map[string]any{
		"Brunch": {"start.date_time": h.date(2) + "T09:00:00", "end.date_time": h.date(2) + "T10:30:00", "start.timezone": "Europe/Berlin",
			"location": "Café", "description": "Mit Käse, und Brot", "alarms.0.trigger": "-PT15M"},
		"Reifen wechseln": {"due.date": h.date(6), "status": "needs_action"},
		"Überweisung":     {"due.date": h.date(5), "status": "completed", "percent_complete": 100.0},
	} {
		object := h.object(title)
		for path, value := range want {
			if got := object.At("object.state." + path); got != value {
				t.Errorf("World has %q with %s %v, want %v", title, path, got, value)
			}
		}
	}

	h.change("PATCH", "Brunch", map[string]any{"title": "Mittagessen", "start": h.date(2) + "T12:00:00", "end": h.date(2) + "T13:00:00"})
	h.agree("Gymnastik", "Überweisung", "Mittagessen", "Reifen wechseln")
	shows(h.date(2)+" 12:00 Mittagessen\n"+h.date(2)+" 16:00 Gymnastik\n"+h.date(4)+" 16:00 Gymnastik\n", "khal", list...)
	shows("[ ] 2  "+h.date(6)+" Reifen wechseln \n", "todoman", "list")
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

// calcurse talks to the server itself. Covers C-12 and T-18 with it.
func TestCalcurse(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "calcurse", "calcurse-caldav")
	h := moveIn(t)
	desk := &device{t, filepath.Join(t.TempDir(), "desk")}
	desk.write(".calcurse/caldav/config", fmt.Sprintf(calcurseConfig, strings.TrimPrefix(h.server.URL, "http://"), h.ann.DefaultCalendar(), apptest.Password))
	desk.write("dentist.ics", apptest.VEvent("dentist", "DTSTART:"+h.day(3)+"T100000", "DTEND:"+h.day(3)+"T110000", "SUMMARY:Zahnärztin"))
	h.add(map[string]any{"object_type": "calendar_event", "title": "Frühstück", "start": h.date(2) + "T09:00:00"})
	h.add(map[string]any{"object_type": "task", "title": "Überweisung"})
	shows := func(want string) {
		t.Helper()
		if got := desk.run("calcurse", "-Q", "--from", h.today.Format("01/02/2006"), "--days", "9"); got != want {
			t.Errorf("calcurse shows\n%s\nwant\n%s", got, want)
		}
	}
	heading := func(n int) string { return h.today.AddDate(0, 0, n).Format("01/02/06") }

	desk.run("calcurse-caldav", "--init=keep-remote")
	desk.run("calcurse", "--quiet", "--import", "dentist.ics")
	desk.run("calcurse-caldav")
	shows("to do:\n0. Überweisung\n\n" +
		heading(2) + ":\n - 09:00 -> 10:00\n\tFrühstück\n\n" +
		heading(3) + ":\n - 10:00 -> 11:00\n\tZahnärztin\n")
	h.agree("Frühstück", "Überweisung", "Zahnärztin")

	h.change("PATCH", "Zahnärztin", map[string]any{"start": h.date(4) + "T12:00:00", "end": h.date(4) + "T12:30:00"})
	h.change("DELETE", "Frühstück")
	desk.run("calcurse-caldav")
	shows("to do:\n0. Überweisung\n\n" + heading(4) + ":\n - 12:00 -> 12:30\n\tZahnärztin\n")
	h.agree("Überweisung", "Zahnärztin")
}
