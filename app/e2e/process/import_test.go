package process

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// After kill -9 during an import, by a server or by a command, a repetition stores the other entries:
// nothing is lost and nothing stored twice. Covers B-118 and B-130.
func TestImportIsCompletedAfterKill(t *testing.T) {
	const entries = 4000
	var text strings.Builder
	text.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\n")
	for i := range entries {
		fmt.Fprintf(&text, "BEGIN:VEVENT\r\nUID:%d\r\nDTSTART:20261201T090000Z\r\nSUMMARY:%d\r\nEND:VEVENT\r\n", i%(entries-100), i)
		if i%2 == 0 {
			fmt.Fprintf(&text, "BEGIN:VEVENT\r\nDTSTART:20261201T090000Z\r\nSUMMARY:without UID %d\r\nEND:VEVENT\r\n", i)
		}
	}
	text.WriteString("END:VCALENDAR\r\n")
	const want = entries - 100 + entries/2
	file := filepath.Join(t.TempDir(), "entries.ics")
	writeFile(t, file, text.String())

	dir := apptest.NewDataDir(t)
	db := apptest.OpenDatabase(t, dir)
	const begun = "SELECT count(*) > 200 FROM calendar_object"
	stored := func() int { return apptest.Count(t, db, "SELECT count(*) FROM calendar_object") }
	for killed := false; !killed; { // a fast machine may finish before the signal
		p := apptest.Serve(t, dir)
		ann := p.SignIn("ann")
		id := apptest.LastSegment(strings.TrimSuffix(ann.DefaultCalendar(), "/"))
		done := make(chan error, 1)
		go func() {
			_, err := ann.With("Content-Type", "text/calendar").Try("POST", "/world/calendars/"+id+"/import", text.String())
			done <- err
		}()
		apptest.WaitForRow(t, db, begun)
		p.Kill()
		killed = <-done != nil && stored() < want
	}
	for killed := false; !killed; {
		before := stored()
		cmd := apptest.Command(t, "--data", dir, "calendar", "import", "ann", file)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		apptest.WaitForRow(t, db, fmt.Sprintf("SELECT count(*) > %d FROM calendar_object", min(before+100, want-1)))
		_ = cmd.Process.Kill()
		killed = cmd.Wait() != nil
	}
	status, out := apptest.RunCommand(t, "", "--data", dir, "calendar", "import", "ann", file)
	if status == 0 || !strings.Contains(out, "Not imported: 100.") { // neither of two entries with one UID is newer
		t.Errorf("got status %d and %s, want the report", status, out)
	}
	if got := stored(); got != want {
		t.Errorf("got %d objects, want %d", got, want)
	}
	if got := apptest.Count(t, db, "SELECT count(*) FROM (SELECT data FROM calendar_data GROUP BY data HAVING count(*) > 1)"); got != 0 {
		t.Errorf("got %d texts that are stored twice, want none", got)
	}
	p := apptest.Serve(t, dir)
	ann := p.SignIn("ann")
	if got := ann.CountEntries(ann.DefaultCalendar()); got != want {
		t.Errorf("got %d entries over CalDAV, want %d", got, want)
	}
}
