package clients

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// The library of Evolution, evolution-data-server, discovers the calendars,
// reads and creates events, tasks and memos, moves an occurrence and dismisses
// an alarm. Covers C-12, T-18 and T-19.
func TestEvolutionDataServerWorks(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "dbus-run-session", "python3", "../libexec/evolution-calendar-factory", "../lib/python3/dist-packages/gi")
	script, err := os.ReadFile("testdata/evolution.py")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t)
	desktop := newDevice(t, "desktop")
	desktop.write("evolution.py", string(script))
	desktop.write("run/empty", "")
	if _, err := desktop.try("python3", "-c", "import gi; gi.require_version('ECal', '2.0')"); err != nil {
		t.Skip("gir1.2-ecal-2.0 is not installed")
	}
	f.create(map[string]any{"object_type": "calendar_event", "title": "Breakfast", "start": f.date(1) + "T08:00:00Z"})
	f.create(map[string]any{"object_type": "task", "title": "Taxes"})
	server, err := url.Parse(f.server.URL)
	if err != nil {
		t.Fatal(err)
	}
	output := desktop.run("env", "XDG_RUNTIME_DIR="+desktop.dir+"/run", "GSETTINGS_BACKEND=memory", "GIO_USE_VFS=local",
		"dbus-run-session", "--", "/usr/bin/python3", "evolution.py", server.Hostname(), server.Port(), "ann", apptest.Password, f.icalDate(2))
	lines := strings.Split(strings.TrimSpace(output), "\n") // the output also contains messages of D-Bus
	for _, want := range []string{"discovered Calendar", "events Breakfast", "tasks Taxes", "dismissed True", "memos Memo"} {
		if !slices.Contains(lines, want) {
			t.Errorf("got no line %q in\n%s", want, output)
		}
	}
	f.wantObjects("Errand", "Taxes", f.date(1)+"T08:00:00Z Breakfast", f.date(2)+"T08:00:00Z Dentist",
		f.date(2)+"T20:30:00Z Choir moved", f.date(3)+"T19:00:00Z Choir", f.date(4)+"T19:00:00Z Choir")
	text := f.ann.Basic().Do("GET", "/caldav/1/calendars/"+f.defaultCalendar()+"/").Want(200).Body
	for _, want := range []string{"ACKNOWLEDGED:", "BEGIN:VJOURNAL", "RECURRENCE-ID"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %s in\n%s", want, text)
		}
	}
}
