package clients

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

const calcurseConfig = `[General]
Hostname = %s
Path = %s
HTTPS = No
DryRun = No
[Auth]
Username = ann
Password = %s
`

// calcurse-caldav synchronizes with the server while two other devices use
// vdirsyncer. Covers C-12 and T-18.
func TestCalcurseSharesObjectsWithWorld(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "calcurse", "calcurse-caldav")
	f := newSyncedFixture(t)
	desktop := newDevice(t, "desktop")
	desktop.write(".calcurse/caldav/config", fmt.Sprintf(calcurseConfig, strings.TrimPrefix(f.server.URL, "http://"), f.ann.DefaultCalendar(), apptest.Password))
	desktop.write("dentist.ics", apptest.VEvent("dentist", "DTSTART:"+f.icalDate(3)+"T100000", "DTEND:"+f.icalDate(3)+"T110000", "SUMMARY:Zahnärztin"))
	f.create(map[string]any{"object_type": "calendar_event", "title": "Frühstück", "start": f.date(2) + "T09:00:00"})
	f.create(map[string]any{"object_type": "task", "title": "Überweisung"})
	list := []string{"-Q", "--from", f.today.Format("01/02/2006"), "--days", "9"}
	heading := func(n int) string { return f.today.AddDate(0, 0, n).Format("01/02/06") }

	desktop.run("calcurse-caldav", "--init=keep-remote")
	desktop.run("calcurse", "--quiet", "--import", "dentist.ics")
	desktop.run("calcurse-caldav")
	desktop.wantOutput("to do:\n0. Überweisung\n\n"+
		heading(2)+":\n - 09:00 -> 10:00\n\tFrühstück\n\n"+
		heading(3)+":\n - 10:00 -> 11:00\n\tZahnärztin\n", "calcurse", list...)
	f.wantSynchronized("Frühstück", "Überweisung", "Zahnärztin")

	f.patch("Zahnärztin", map[string]any{"start": f.date(4) + "T12:00:00", "end": f.date(4) + "T12:30:00"})
	f.delete("Frühstück")
	desktop.run("calcurse-caldav")
	desktop.wantOutput("to do:\n0. Überweisung\n\n"+heading(4)+":\n - 12:00 -> 12:30\n\tZahnärztin\n", "calcurse", list...)
	f.wantSynchronized("Überweisung", "Zahnärztin")
}
