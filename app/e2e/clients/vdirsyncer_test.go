package clients

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// Two devices with vdirsyncer and World have the same objects and calendars
// after changes on each device and in World. Covers C-03, C-04, C-09, C-10,
// C-12, C-14, C-16, C-22, C-23, C-27, T-18 and T-19.
func TestVdirsyncerKeepsTwoDevicesInSync(t *testing.T) {
	svctest.Long(t)
	f := newSyncedFixture(t)
	calendar := "calendars/" + f.defaultCalendar() + "/"
	f.writeOnPhone(calendar)
	f.changeOnLaptop(calendar)
	f.changeObjectOnBothDevices(calendar)
	f.changeThroughWorld(calendar)
	f.changeNameAndColor(calendar)
	f.createCalendars()
	f.revokeLaptop()
}

// writeOnPhone stores new objects on the phone. The server returns their exact
// text, and World shows their properties.
func (f *syncedFixture) writeOnPhone(calendar string) {
	f.t.Helper()
	day := f.icalDate
	breakfast := apptest.VEvent("breakfast", "DTSTART:"+day(1)+"T080000Z", "DTEND:"+day(1)+"T090000Z", "SUMMARY:Frühstück ☕",
		`DESCRIPTION:Käse\, Brot\; 会議\nund danach`, `X-NOT-OURS;X-P="a;b":kept`,
		"BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:Up!", "TRIGGER:-PT15M", "END:VALARM")
	f.phone.write(calendar+"breakfast.ics", breakfast)
	f.phone.write(calendar+"standup.ics", apptest.VEvent("standup", "DTSTART:"+day(1)+"T090000Z", "DURATION:PT15M", "RRULE:FREQ=DAILY;COUNT=5", "SUMMARY:Stand-up",
		"END:VEVENT", "BEGIN:VEVENT", "UID:standup", "RECURRENCE-ID:"+day(3)+"T090000Z", "DTSTAMP:20261101T120000Z",
		"DTSTART:"+day(3)+"T110000Z", "DURATION:PT15M", "SUMMARY:Stand-up, late"))
	f.phone.write(calendar+"taxes.ics", apptest.VObject("VTODO", "taxes", "DUE:"+day(9)+"T120000Z", "SUMMARY:Taxes"))
	f.wantSynchronized("Frühstück ☕", "Stand-up", "Taxes")
	if got := f.ann.Basic().Do("GET", f.ann.DefaultCalendar()+"breakfast.ics").Want(200).Body; got != breakfast {
		f.t.Errorf("GET: got\n%q\nwant the text of the phone\n%q", got, breakfast)
	}
	f.object("Frühstück ☕").WantValues("object.state", map[string]any{"description": "Käse, Brot; 会議\nund danach", "alarms.0.trigger": "-PT15M"})
	f.objectsBetween(3, 4).WantValues("objects.0", map[string]any{"title": "Stand-up, late"})
}

func (f *syncedFixture) changeOnLaptop(calendar string) {
	f.t.Helper()
	f.laptop.replaceInFile(calendar+"standup.ics", "SUMMARY:Stand-up\r\n", "SUMMARY:Daily\r\n")
	f.laptop.delete(calendar + "taxes.ics")
	f.wantSynchronized("Frühstück ☕", "Daily")
}

// changeObjectOnBothDevices changes an object on both devices: the first change
// that is synchronized is stored, and the other device reports a conflict.
func (f *syncedFixture) changeObjectOnBothDevices(calendar string) {
	f.t.Helper()
	f.phone.replaceInFile(calendar+"breakfast.ics", "Frühstück ☕", "Brunch")
	f.laptop.replaceInFile(calendar+"breakfast.ics", "Frühstück ☕", "Supper")
	f.phone.run("vdirsyncer", "sync")
	if output := f.laptop.run("vdirsyncer", "sync"); !strings.Contains(output, "conflict") {
		f.t.Errorf("vdirsyncer on the laptop: got %q, want a conflict", output)
	}
	f.wantSynchronized("Brunch", "Daily")
}

// changeThroughWorld changes, creates and deletes objects through World. A
// changed title leaves all other lines of the object unchanged.
func (f *syncedFixture) changeThroughWorld(calendar string) {
	f.t.Helper()
	before := withoutStamps(f.phone.read(calendar + "breakfast.ics"))
	f.patch("Brunch", map[string]any{"title": "Lunch"})
	f.create(map[string]any{"object_type": "task", "title": "Überweisung"})
	f.create(map[string]any{"object_type": "calendar_event", "title": "Tea", "start": f.date(2) + "T16:00:00"})
	f.wantSynchronized("Lunch", "Daily", "Überweisung", "Tea")
	if got, want := withoutStamps(f.phone.read(calendar+"breakfast.ics")), strings.Replace(before, "Brunch", "Lunch", 1); got != want {
		f.t.Errorf("object after a change through World: got\n%s\nwant\n%s", got, want)
	}
	f.delete("Tea")
	f.wantSynchronized("Lunch", "Daily", "Überweisung")
}

// changeNameAndColor changes the name and the color of the calendar on a device
// and through World.
func (f *syncedFixture) changeNameAndColor(calendar string) {
	f.t.Helper()
	f.phone.write(calendar+"displayname", "Mein Kalender")
	f.phone.write(calendar+"color", "#00AA7F")
	f.synchronize("metasync")
	f.ann.Do("GET", "/world/calendars").Want(200).WantValues("calendars.0", map[string]any{"name": "Mein Kalender", "color": "#00aa7f"})
	f.ann.Do("PATCH", "/world/calendars/"+f.defaultCalendar(), `{"name": "Ours", "color": "#112233"}`).Want(200)
	f.synchronize("metasync")
	for _, d := range []*device{f.phone, f.laptop} {
		if name, color := d.read(calendar+"displayname"), d.read(calendar+"color"); name != "Ours" || color != "#112233" {
			f.t.Errorf("calendar on the %s: got name %q and color %s, want Ours and #112233", d, name, color)
		}
	}
}

// createCalendars creates a calendar on a device and one through World, and moves
// an object into it.
func (f *syncedFixture) createCalendars() {
	f.t.Helper()
	f.phone.write("calendars/garden/bulbs.ics", apptest.VEvent("bulbs", "DTSTART;VALUE=DATE:"+f.icalDate(4), "SUMMARY:Tulips"))
	chess := f.ann.Do("POST", "/world/calendars", `{"name": "Chess"}`).Want(201).Str("calendar.id")
	f.discover()
	f.wantSynchronized("Lunch", "Daily", "Überweisung", "Tulips")
	f.patch("Lunch", map[string]any{"calendar_id": chess})
	f.wantSynchronized("Lunch", "Daily", "Überweisung", "Tulips")
	names := slices.Sorted(maps.Keys(f.laptop.objects()))
	if want := "calendars/" + chess + "/breakfast"; !slices.Contains(names, want) {
		f.t.Errorf("objects on the laptop: got %q, want %s among them", names, want)
	}
}

// revokeLaptop revokes the device password of the laptop, which does not affect
// the phone.
func (f *syncedFixture) revokeLaptop() {
	f.t.Helper()
	id := f.ann.Do("GET", "/world/identity/device-passwords").Want(200).Str("device_passwords.0.id")
	f.ann.Do("DELETE", "/world/identity/device-passwords/"+id).Want(200)
	if output, err := f.laptop.try("vdirsyncer", "sync"); err == nil || !strings.Contains(output, "401") {
		f.t.Errorf("vdirsyncer on the laptop: got %v, %q, want status 401", err, output)
	}
	f.phone.run("vdirsyncer", "sync")
}
