package clients

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// home is where ann has a phone and a laptop, and a server that runs.
type home struct {
	t             *testing.T
	server        *apptest.Process
	ann           *apptest.Client // her World
	phone, laptop *device
	today         time.Time // as the server has it
}

// moveIn starts the server, and both devices find their way from its address
// alone: the phone with ann's own password, the laptop with one that it can
// lose.
func moveIn(t *testing.T) *home {
	t.Helper()
	t.Parallel() // starting Python takes most of the time
	apptest.NeedPrograms(t, "vdirsyncer")
	h := &home{t: t, server: apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "reads=0,writes=0")}
	h.ann = h.server.SignIn("ann").Runtime()
	made := h.ann.Do("POST", "/world/identity/device-passwords", `{"label": "Laptop"}`).Want(201)
	h.phone = newDevice(t, "phone", h.server.URL, "ann", apptest.Password)
	h.laptop = newDevice(t, "laptop", h.server.URL, "ann@example.org", made.Str("device_password.password"))
	h.discover()
	h.settle("metasync")
	h.readClock()
	return h
}

// readClock takes note of the day that the server has.
func (h *home) readClock() {
	h.t.Helper()
	now, err := http.ParseTime(h.ann.Do("GET", "/ready").Want(200).Header.Get("Date"))
	if err != nil {
		h.t.Fatal(err)
	}
	h.today = now.Truncate(24 * time.Hour)
}

// day returns the day n days from today as iCalendar writes it.
func (h *home) day(n int) string { return h.today.AddDate(0, 0, n).Format("20060102") }

// date returns it as World writes it.
func (h *home) date(n int) string { return h.today.AddDate(0, 0, n).Format(time.DateOnly) }

func (h *home) discover() {
	h.t.Helper()
	h.phone.discover()
	h.laptop.discover()
}

// settle lets what happened on either device reach the other one. The command
// says of what: sync of entries, metasync of names and colours.
func (h *home) settle(command string) {
	h.t.Helper()
	h.phone.run("vdirsyncer", command)
	h.laptop.run("vdirsyncer", command)
	h.phone.run("vdirsyncer", command)
}

// agree lets the devices synchronize, and fails the test unless both have
// entries with just these titles, text for text, and World has them too.
func (h *home) agree(titles ...string) {
	h.t.Helper()
	h.settle("sync")
	phone, laptop := h.phone.entries(), h.laptop.entries()
	if !maps.Equal(phone, laptop) {
		h.t.Fatalf("the phone has\n%q\nand the laptop\n%q", phone, laptop)
	}
	listed := h.between(-1, 30)
	dataset := h.ann.Do("GET", "/world/runtime").Want(200)
	slices.Sort(titles)
	for _, seen := range []struct {
		where  string
		titles map[string]string // by UID
	}{
		{"the devices", deviceTitles(phone)},
		{"the list of World", worldTitles(listed.List("objects"))},
		{"the dataset", worldTitles(dataset.List("objects"))},
	} {
		if got := slices.Sorted(maps.Values(seen.titles)); !slices.Equal(got, titles) {
			h.t.Fatalf("%s has %q, want %q", seen.where, got, titles)
		}
	}
}

// between returns World's list of what is between two days.
func (h *home) between(from, to int) *apptest.Answer {
	h.t.Helper()
	return h.ann.Do("GET", "/world/time/objects?start="+h.date(from)+"&end="+h.date(to)).Want(200)
}

// calendar returns the folder of the calendar that ann began with.
func (h *home) calendar() string {
	h.t.Helper()
	return h.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
}

// object returns World's object with a title.
func (h *home) object(title string) *apptest.Answer {
	h.t.Helper()
	for _, o := range h.ann.Do("GET", "/world/runtime").Want(200).List("objects") {
		if apptest.At(o, "title") == title {
			return h.ann.Do("GET", "/world/time/objects/"+apptest.At(o, "state.id").(string)).Want(200)
		}
	}
	h.t.Fatalf("World has no %q", title)
	return nil
}

// add writes a new object through World.
func (h *home) add(object map[string]any) {
	h.t.Helper()
	h.ann.Do("POST", "/world/time/objects", object).Want(201)
}

// change sends a change to World's object with a title.
func (h *home) change(method, title string, body ...any) {
	h.t.Helper()
	h.ann.Do(method, "/world/time/objects/"+h.object(title).Str("object.id"), body...).Want(200)
}

// worldTitles returns the titles of objects by UID. Of a series it takes the
// first instance, which is no exception here.
func worldTitles(objects []any) map[string]string {
	titles := make(map[string]string)
	for _, o := range objects {
		uid, _ := apptest.At(o, "state.uid").(string)
		if _, ok := titles[uid]; !ok && uid != "" {
			titles[uid], _ = apptest.At(o, "title").(string)
		}
	}
	return titles
}

var (
	uidLine     = regexp.MustCompile(`(?m)^UID:(.*?)\r?$`)
	summaryLine = regexp.MustCompile(`(?m)^SUMMARY:(.*?)\r?$`)
	stampLine   = regexp.MustCompile(`(?m)^(DTSTAMP|LAST-MODIFIED|SEQUENCE):.*\n`)
)

// deviceTitles returns the titles of calendar objects by UID.
func deviceTitles(entries map[string]string) map[string]string {
	titles := make(map[string]string)
	for name, text := range entries {
		if summary := summaryLine.FindStringSubmatch(text); summary != nil {
			titles[filepath.Base(name)] = summary[1]
		}
	}
	return titles
}

// device is a machine with a folder of calendars, which vdirsyncer keeps in
// step with the server.
type device struct {
	t    *testing.T
	home string
}

const vdirsyncerConfig = `[general]
status_path = "%[1]s/status/"
[pair all]
a = "here"
b = "server"
collections = ["from a", "from b"]
metadata = ["color", "displayname"]
conflict_resolution = "b wins"
[storage here]
type = "filesystem"
path = "%[1]s/calendars/"
fileext = ".ics"
[storage server]
type = "caldav"
url = "%[2]s"
username = "%[3]s"
password = "%[4]s"
`

func newDevice(t *testing.T, name, server, login, password string) *device {
	t.Helper()
	d := &device{t, filepath.Join(t.TempDir(), name)}
	d.write(".config/vdirsyncer/config", fmt.Sprintf(vdirsyncerConfig, d.home, server, login, password))
	return d
}

func (d *device) String() string { return filepath.Base(d.home) }

// try runs a program as the owner of the device does, saying yes to whatever
// it asks.
func (d *device) try(program string, args ...string) (string, error) {
	return d.tell(strings.Repeat("y\n", 20), program, args...)
}

// tell runs a program that reads what it is to do.
func (d *device) tell(stdin, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/usr/bin/"+program, args...)
	cmd.WaitDelay = time.Second // for what it has started itself
	cmd.Dir = d.home
	cmd.Env = []string{"HOME=" + d.home, "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin", "TZ=Europe/Berlin"}
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// run runs a program that must succeed.
func (d *device) run(program string, args ...string) string {
	d.t.Helper()
	out, err := d.try(program, args...)
	if err != nil {
		d.t.Fatalf("%s %q on the %s: %v\n%s", program, args, d, err, out)
	}
	return out
}

// discover finds the calendars that only one side has, and makes them on the
// other.
func (d *device) discover() {
	d.t.Helper()
	d.run("vdirsyncer", "discover")
}

// write puts a file on the device; read returns it, delete deletes it.
func (d *device) write(name, text string) {
	d.t.Helper()
	path := filepath.Join(d.home, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *device) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.home, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

func (d *device) delete(name string) {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.home, name)); err != nil {
		d.t.Fatal(err)
	}
}

// edit changes a file, which must have the old text.
func (d *device) edit(name, old, new string) {
	d.t.Helper()
	text := d.read(name)
	if !strings.Contains(text, old) {
		d.t.Fatalf("%s has no %q:\n%s", name, old, text)
	}
	d.write(name, strings.ReplaceAll(text, old, new))
}

// entries returns all calendar objects by calendar and UID: what files are
// called is each device's own affair.
func (d *device) entries() map[string]string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.home, "calendars/*/*.ics"))
	if err != nil {
		d.t.Fatal(err)
	}
	entries := make(map[string]string)
	for _, name := range names {
		name, _ = filepath.Rel(d.home, name)
		text := d.read(name)
		uid := uidLine.FindStringSubmatch(text)
		if uid == nil {
			d.t.Fatalf("%s has no UID:\n%s", name, text)
		}
		entries[filepath.Join(filepath.Dir(name), uid[1])] = text
	}
	return entries
}

// unstamped returns a calendar object without what says when it was changed.
func unstamped(text string) string { return stampLine.ReplaceAllString(text, "") }
