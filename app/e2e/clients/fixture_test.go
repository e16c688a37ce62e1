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

// fixture is a running server with the member ann and her devices.
type fixture struct {
	t             *testing.T
	server        *apptest.Process
	ann           *apptest.Client // client of World
	phone, laptop *device         // nil without vdirsyncer
	today         time.Time       // by the clock of the server
}

// newServer returns a fixture without devices.
func newServer(t *testing.T) *fixture {
	t.Helper()
	t.Parallel() // most of the time is spent in starting Python
	h := &fixture{t: t, server: apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "reads=0,writes=0")}
	h.ann = h.server.SignIn("ann").Runtime()
	now, err := http.ParseTime(h.ann.Do("GET", "/ready").Want(200).Header.Get("Date"))
	if err != nil {
		t.Fatal(err)
	}
	h.today = now.Truncate(24 * time.Hour)
	return h
}

// newFixture returns a fixture whose devices have discovered the server from its
// URL: the phone with the account password, the laptop with a device password.
func newFixture(t *testing.T) *fixture {
	t.Helper()
	apptest.NeedPrograms(t, "vdirsyncer")
	h := newServer(t)
	created := h.ann.Do("POST", "/world/identity/device-passwords", `{"label": "Laptop"}`).Want(201)
	h.phone = newDevice(t, "phone", h.server.URL, "ann", apptest.Password)
	h.laptop = newDevice(t, "laptop", h.server.URL, "ann@example.org", created.Str("device_password.password"))
	h.discover()
	h.syncAll("metasync")
	return h
}

// day returns the date n days after today in the form of iCalendar.
func (h *fixture) day(n int) string { return h.today.AddDate(0, 0, n).Format("20060102") }

// date returns the date n days after today in the form of World.
func (h *fixture) date(n int) string { return h.today.AddDate(0, 0, n).Format(time.DateOnly) }

// discover runs discover on both devices.
func (h *fixture) discover() {
	h.t.Helper()
	h.phone.discover()
	h.laptop.discover()
}

// syncAll runs a command of vdirsyncer until both devices are up to date: sync for
// entries, metasync for names and colors.
func (h *fixture) syncAll(command string) {
	h.t.Helper()
	h.phone.run("vdirsyncer", command)
	h.laptop.run("vdirsyncer", command)
	h.phone.run("vdirsyncer", command)
}

// wantEntries synchronizes the devices and fails the test unless both have equal
// entries with exactly these titles, and World has the same titles.
func (h *fixture) wantEntries(titles ...string) {
	h.t.Helper()
	h.syncAll("sync")
	phone, laptop := h.phone.entries(), h.laptop.entries()
	if !maps.Equal(phone, laptop) {
		h.t.Fatalf("laptop: got\n%q\nwant as on the phone\n%q", laptop, phone)
	}
	listed := h.between(-1, 30)
	dataset := h.ann.Do("GET", "/world/runtime").Want(200)
	slices.Sort(titles)
	for _, c := range []struct {
		name   string
		titles map[string]string // by UID
	}{
		{"devices", deviceTitles(phone)},
		{"list of objects", worldTitles(listed.List("objects"))},
		{"dataset", worldTitles(dataset.List("objects"))},
	} {
		if got := slices.Sorted(maps.Values(c.titles)); !slices.Equal(got, titles) {
			h.t.Fatalf("%s: got %q, want %q", c.name, got, titles)
		}
	}
}

// between lists the objects between two days.
func (h *fixture) between(from, to int) *apptest.Answer {
	h.t.Helper()
	return h.ann.Do("GET", "/world/time/objects?start="+h.date(from)+"&end="+h.date(to)).Want(200)
}

// calendar returns the id of the default calendar.
func (h *fixture) calendar() string {
	h.t.Helper()
	return h.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
}

// object returns the object with a title.
func (h *fixture) object(title string) *apptest.Answer {
	h.t.Helper()
	for _, o := range h.ann.Do("GET", "/world/runtime").Want(200).List("objects") {
		if apptest.At(o, "title") == title {
			return h.ann.Do("GET", "/world/time/objects/"+apptest.At(o, "state.id").(string)).Want(200)
		}
	}
	h.t.Fatalf("dataset: got no object %q, want one", title)
	return nil
}

// add creates an object in World.
func (h *fixture) add(object map[string]any) {
	h.t.Helper()
	h.ann.Do("POST", "/world/time/objects", object).Want(201)
}

// send sends a request to the object with a title.
func (h *fixture) send(method, title string, body ...any) {
	h.t.Helper()
	h.ann.Do(method, "/world/time/objects/"+h.object(title).Str("object.id"), body...).Want(200)
}

// worldTitles returns the titles of objects by UID. For a series it is the title of
// the first occurrence.
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

// device is a home directory with a configuration of CalDAV clients.
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

// try runs a program and answers yes to its questions.
func (d *device) try(program string, args ...string) (string, error) {
	return d.tryWithInput(strings.Repeat("y\n", 20), program, args...)
}

// tryWithInput runs a program with standard input.
func (d *device) tryWithInput(stdin, program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(d.t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/usr/bin/"+program, args...)
	cmd.WaitDelay = time.Second // for its child processes
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
		d.t.Fatalf("%s %q on the %s: got %v, want success\n%s", program, args, d, err, out)
	}
	return out
}

// discover creates the calendars that exist on one side only on the other side.
func (d *device) discover() {
	d.t.Helper()
	d.run("vdirsyncer", "discover")
}

// write, read and delete access a file on the device.
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

// edit replaces text in a file, which must contain it.
func (d *device) edit(name, old, new string) {
	d.t.Helper()
	text := d.read(name)
	if !strings.Contains(text, old) {
		d.t.Fatalf("%s: got\n%s\nwant a text with %q", name, text, old)
	}
	d.write(name, strings.ReplaceAll(text, old, new))
}

// entries returns the calendar objects by calendar and UID. File names may differ
// between devices.
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
			d.t.Fatalf("%s: got\n%s\nwant a UID", name, text)
		}
		entries[filepath.Join(filepath.Dir(name), uid[1])] = text
	}
	return entries
}

// withoutStamps returns a calendar object without the properties that each change
// updates.
func withoutStamps(text string) string { return stampLine.ReplaceAllString(text, "") }
