package clients

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// fixture is a server with the member ann.
type fixture struct {
	t      *testing.T
	server *apptest.Process
	ann    *apptest.Client // of the JSON API
	today  time.Time       // of the server
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	t.Parallel() // most of the time is spent on starting Python
	f := &fixture{t: t, server: apptest.Serve(t, apptest.NewDataDir(t), "--rate-limits", "reads=0,writes=0")}
	f.ann = f.server.SignIn("ann").AsRuntime()
	now, err := http.ParseTime(f.ann.Do("GET", "/ready").Want(200).Header.Get("Date"))
	if err != nil {
		t.Fatal(err)
	}
	f.today = now.Truncate(24 * time.Hour)
	return f
}

// icalDate returns the date n days from today in the format of iCalendar.
func (f *fixture) icalDate(n int) string { return f.today.AddDate(0, 0, n).Format("20060102") }

// date returns the date n days from today in ISO format.
func (f *fixture) date(n int) string { return f.today.AddDate(0, 0, n).Format(time.DateOnly) }

// defaultCalendar returns the id of the default calendar, which is also the
// last segment of its path.
func (f *fixture) defaultCalendar() string {
	f.t.Helper()
	return f.ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
}

// objectsBetween lists the objects between two dates, given in days from today,
// over the JSON API.
func (f *fixture) objectsBetween(from, to int) *apptest.Answer {
	f.t.Helper()
	return f.ann.Do("GET", "/world/time/objects?start="+f.date(from)+"&end="+f.date(to)).Want(200)
}

// wantObjects fails the test unless the JSON API lists exactly these objects
// for the next nine days. Each is written as its start in UTC, if any, and its
// title.
func (f *fixture) wantObjects(want ...string) {
	f.t.Helper()
	var got []string
	for _, o := range f.objectsBetween(0, 9).List("objects") {
		start, _ := cmp.Or(apptest.At(o, "state.occurrence.start.utc"), apptest.At(o, "state.start.utc")).(string)
		got = append(got, strings.TrimSpace(start+" "+apptest.At(o, "title").(string)))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		f.t.Errorf("list of the JSON API: got %q, want %q", got, want)
	}
}

// object returns the record of the object with a title in the JSON API.
func (f *fixture) object(title string) *apptest.Answer {
	f.t.Helper()
	for _, o := range f.ann.Do("GET", "/world/runtime").Want(200).List("objects") {
		if apptest.At(o, "title") == title {
			return f.ann.Do("GET", "/world/time/objects/"+apptest.At(o, "state.id").(string)).Want(200)
		}
	}
	f.t.Fatalf("dataset: got no object %q", title)
	return nil
}

// create creates an object over the JSON API.
func (f *fixture) create(object map[string]any) {
	f.t.Helper()
	f.ann.Do("POST", "/world/time/objects", object).Want(201)
}

// patch changes the object with a title over the JSON API.
func (f *fixture) patch(title string, change map[string]any) {
	f.t.Helper()
	f.ann.Do("PATCH", f.object(title).Str("object.links.self"), change).Want(200)
}

// delete deletes the object with a title over the JSON API.
func (f *fixture) delete(title string) {
	f.t.Helper()
	f.ann.Do("DELETE", f.object(title).Str("object.links.self")).Want(200)
}
