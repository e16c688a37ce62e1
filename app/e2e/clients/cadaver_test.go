package clients

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/svctest"
)

// cadaver is the WebDAV shell cadaver on a device.
type cadaver struct {
	*device
	url string
}

// do runs commands, which must succeed, and returns the output.
func (c *cadaver) run(commands ...string) string {
	c.t.Helper()
	output, err := c.runWithInput(strings.Join(commands, "\n")+"\nquit\n", "cadaver", c.url)
	if err != nil || strings.Contains(output, "fail") || !strings.Contains(output, "Connection to `127.0.0.1' closed.") {
		c.t.Fatalf("cadaver: got %v, want success\n%s", err, output)
	}
	return output
}

// The WebDAV shell manages files in a plain collection, which World does not
// show, and calendar objects, which World shows.
func TestCadaverManagesFilesAndObjects(t *testing.T) {
	svctest.Long(t)
	apptest.NeedPrograms(t, "cadaver")
	f := newFixture(t)
	calendar := f.defaultCalendar()
	object := calendar + "/tea.ics"
	shell := &cadaver{newDevice(t, "desktop"), f.server.URL + path.Dir(path.Clean(f.ann.DefaultCalendar())) + "/"}
	shell.write(".netrc", fmt.Sprintf("machine 127.0.0.1 login ann password %q\n", apptest.Password))
	const note = "milk, bread\n"
	shell.write("note.txt", note)
	shell.write("tea.ics", apptest.VEvent("tea", "DTSTART:"+f.icalDate(2)+"T160000Z", "SUMMARY:Tea"))

	output := shell.run("mkcol box", "cd box", "put note.txt", "copy note.txt copy.txt", "move copy.txt moved.txt",
		"propset moved.txt color blue", "propget moved.txt color", "delete note.txt", "get moved.txt back.txt", "ls",
		"cd ..", "put tea.ics "+object)
	if want := "Value of color is: blue\n"; !strings.Contains(output, want) {
		t.Errorf("propget: got %q, want %q in it", output, want)
	}
	_, list, _ := strings.Cut(output, "Listing collection")
	if !strings.Contains(list, " moved.txt ") || strings.Contains(list, " note.txt ") || strings.Contains(list, " copy.txt ") {
		t.Errorf("ls: got %q, want only moved.txt", list)
	}
	if got := shell.read("back.txt"); got != note {
		t.Errorf("get: got %q, want %q", got, note)
	}
	f.wantObjects(f.date(2) + "T16:00:00Z Tea")

	f.patch("Tea", map[string]any{"title": "Cake"})
	renamed := calendar + "/cake.ics"
	shell.run("get "+object+" cake.ics", "mkcol other", "move "+object+" "+renamed, "rmcol box", "rmcol other")
	if got, want := withoutStamps(shell.read("cake.ics")), strings.Replace(withoutStamps(shell.read("tea.ics")), "Tea", "Cake", 1); got != want {
		t.Errorf("object after a change through World: got\n%s\nwant\n%s", got, want)
	}
	f.wantObjects(f.date(2) + "T16:00:00Z Cake")
	shell.run("delete " + renamed)
	f.wantObjects()
}
