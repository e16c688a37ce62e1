package clients

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"appliance/app/apptest"
)

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

// syncedFixture is a server and two devices whose calendars vdirsyncer
// synchronizes.
type syncedFixture struct {
	*fixture
	phone, laptop *device
}

// newSyncedFixture configures the devices with the base URL of the server: the
// phone with the password of the member, the laptop with a device password.
func newSyncedFixture(t *testing.T) *syncedFixture {
	t.Helper()
	apptest.NeedPrograms(t, "vdirsyncer")
	f := &syncedFixture{newFixture(t), newDevice(t, "phone"), newDevice(t, "laptop")}
	password := f.ann.Do("POST", "/world/identity/device-passwords", `{"label": "Laptop"}`).Want(201).Str("device_password.password")
	f.phone.write(".config/vdirsyncer/config", fmt.Sprintf(vdirsyncerConfig, f.phone.dir, f.server.URL, "ann", apptest.Password))
	f.laptop.write(".config/vdirsyncer/config", fmt.Sprintf(vdirsyncerConfig, f.laptop.dir, f.server.URL, "ann@example.org", password))
	f.discover()
	f.synchronize("metasync")
	return f
}

// discover makes vdirsyncer create the calendars that exist only on a device or
// only on the server.
func (f *syncedFixture) discover() {
	f.t.Helper()
	f.phone.run("vdirsyncer", "discover")
	f.laptop.run("vdirsyncer", "discover")
}

// synchronize transfers the changes of each device to the other: of objects with
// the command sync, of names and colors with metasync.
func (f *syncedFixture) synchronize(command string) {
	f.t.Helper()
	f.phone.run("vdirsyncer", command)
	f.laptop.run("vdirsyncer", command)
	f.phone.run("vdirsyncer", command)
}

// wantSynchronized synchronizes, and fails the test unless both devices have
// the same objects, and the devices, the JSON API and the dataset have exactly
// the titles.
func (f *syncedFixture) wantSynchronized(want ...string) {
	f.t.Helper()
	f.synchronize("sync")
	phone, laptop := f.phone.objects(), f.laptop.objects()
	if !maps.Equal(phone, laptop) {
		f.t.Fatalf("laptop: got objects\n%q\nwant those of the phone\n%q", laptop, phone)
	}
	slices.Sort(want)
	dataset := f.ann.Do("GET", "/world/runtime").Want(200)
	for _, c := range []struct {
		name   string
		titles map[string]string // by UID
	}{
		{"devices", summaries(phone)},
		{"list of the JSON API", titlesByUID(f.objectsBetween(-1, 30).List("objects"))},
		{"dataset", titlesByUID(dataset.List("objects"))},
	} {
		if got := slices.Sorted(maps.Values(c.titles)); !slices.Equal(got, want) {
			f.t.Fatalf("%s: got %q, want %q", c.name, got, want)
		}
	}
}

// titlesByUID returns the titles of calendar objects by UID. The title of a
// series is the title of its first occurrence.
func titlesByUID(objects []any) map[string]string {
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
)

// objects returns the texts of all calendar objects by calendar and UID. Their
// file names differ between devices.
func (d *device) objects() map[string]string {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.dir, "calendars/*/*.ics"))
	if err != nil {
		d.t.Fatal(err)
	}
	objects := make(map[string]string)
	for _, name := range names {
		name, _ = filepath.Rel(d.dir, name)
		text := d.read(name)
		uid := uidLine.FindStringSubmatch(text)
		if uid == nil {
			d.t.Fatalf("%s: got no UID in\n%s", name, text)
		}
		objects[filepath.Join(filepath.Dir(name), uid[1])] = text
	}
	return objects
}

// summaries returns the first SUMMARY of each calendar object by UID.
func summaries(objects map[string]string) map[string]string {
	titles := make(map[string]string)
	for name, text := range objects {
		if summary := summaryLine.FindStringSubmatch(text); summary != nil {
			titles[filepath.Base(name)] = summary[1]
		}
	}
	return titles
}
