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

// newEvolution returns a device with scripts for the library of Evolution,
// evolution-data-server.
func newEvolution(t *testing.T) *device {
	t.Helper()
	apptest.NeedPrograms(t, "dbus-run-session", "python3", "../libexec/evolution-calendar-factory", "../lib/python3/dist-packages/gi")
	desktop := newDevice(t, "desktop")
	for _, name := range []string{"eds.py", "evolution.py", "evolution_dates.py"} {
		script, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		desktop.write(name, string(script))
	}
	desktop.write("run/empty", "")
	if _, err := desktop.try("python3", "-c", "import gi; gi.require_version('ECal', '2.0')"); err != nil {
		t.Skip("gir1.2-ecal-2.0 is not installed")
	}
	return desktop
}

// runEvolution runs a script with the library of Evolution and returns its output, which also
// contains messages of D-Bus.
func (f *fixture) runEvolution(desktop *device, script string, args ...string) string {
	f.t.Helper()
	server, err := url.Parse(f.server.URL)
	if err != nil {
		f.t.Fatal(err)
	}
	return desktop.run("env", append([]string{"XDG_RUNTIME_DIR=" + desktop.dir + "/run", "GSETTINGS_BACKEND=memory", "GIO_USE_VFS=local",
		"dbus-run-session", "--", "/usr/bin/python3", script, server.Hostname(), server.Port(), "ann", apptest.Password}, args...)...)
}

// The library of Evolution discovers the calendars, reads and creates events,
// tasks and memos, moves an occurrence and dismisses an alarm. Covers C-12, T-18
// and T-19.
func TestEvolutionDataServerWorks(t *testing.T) {
	svctest.Long(t)
	desktop := newEvolution(t)
	f := newFixture(t)
	f.create(map[string]any{"object_type": "calendar_event", "title": "Breakfast", "start": f.date(1) + "T08:00:00Z"})
	f.create(map[string]any{"object_type": "task", "title": "Taxes"})
	output := f.runEvolution(desktop, "evolution.py", f.icalDate(2))
	lines := strings.Split(strings.TrimSpace(output), "\n")
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
