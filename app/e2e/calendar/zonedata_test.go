package calendar

import (
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store/storetest"
	"appliance/svc/zoneinfo/zoneinfotest"
)

// After a change of the time zone data, all responses have the times of the new law. Clients
// with the earlier responses do not keep them. The background job moves the index.
func TestNewTimeZoneDataChangesAllResponses(t *testing.T) {
	f := newFixture(t)
	f.put("tea.ics", apptest.VEvent("tea", "DTSTART;TZID=Europe/Berlin:20261201T090000", "DURATION:PT1H", "SUMMARY:Tea"))
	if err := f.App.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	feed := f.ann.Do("POST", "/world/calendars/"+f.ann.Do("GET", "/world/calendars").Str("calendars.0.id")+"/feed").Want(201).Str("feed.path")
	paths := map[string]*apptest.Client{
		"/world/runtime": f.ann.AsRuntime(), feed: f.Unauthenticated(), f.path: f.dav, "/world/panels/time?view=month&date=2026-12-01": f.ann,
	}
	etags := make(map[string]string)
	for path, client := range paths {
		etags[path] = client.Do("GET", path).Want(200).Header.Get("ETag")
		client.With("If-None-Match", etags[path]).Do("GET", path).Want(304)
	}
	at := func(start, end string) bool {
		body := query(`<getetag/>`, eventFilter(timeRange("20261201T"+start+"Z", "20261201T"+end+"Z")))
		return strings.Contains(f.dav.With("Depth", "1").Do("REPORT", f.path, body).Want(207).Body, "tea.ics")
	}
	zoneinfotest.Use(t, "2099a", map[string]int{"Europe/Berlin": 5})
	for path, client := range paths {
		client.With("If-None-Match", etags[path]).Do("GET", path).Want(200)
	}
	if got := f.ann.AsRuntime().Do("GET", "/world/runtime").Want(200).Body; !strings.Contains(got, "2026-12-01T04:00:00Z") {
		t.Errorf("got %s, want the start at 04:00Z", got)
	}
	if err := f.App.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if before, after := at("080000", "083000"), at("040000", "043000"); before || !after {
		t.Errorf("got the event at the earlier time: %t, at the later law: %t; want false, true", before, after)
	}
	if got, want := f.dav.Do("GET", f.path+"tea.ics").Want(200).Body, "DTSTART;TZID=Europe/Berlin:20261201T090000"; !strings.Contains(got, want) {
		t.Errorf("got %s, want the text unchanged, with %s", got, want)
	}
}

// The rebuild of the index continues where a run has ended, and begins again for other data.
func TestRebuildOfTheIndexContinues(t *testing.T) {
	f := newFixture(t)
	for _, uid := range []string{"a", "b", "c"} {
		f.put(uid+".ics", apptest.VEvent(uid, "DTSTART;TZID=Europe/Berlin:20261201T090000", "DURATION:PT1H"))
	}
	starts := func() string {
		return strings.Join(storetest.Rows(t, f.DB, "SELECT strftime('%H', starts / 1000, 'unixepoch') FROM calendar_occurrence ORDER BY n"), " ")
	}
	follow := func(name, want string) {
		t.Helper()
		if err := f.App.FollowZones(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := starts(); got != want {
			t.Errorf("%s: got the hours %s, want %s", name, got, want)
		}
	}
	follow("the data of the program", "08 08 08")
	zoneinfotest.Use(t, "2099a", map[string]int{"Europe/Berlin": 5})
	storetest.Exec(t, f.DB, "UPDATE calendar_zone_data SET version = '2099a', rebuilt = (SELECT n FROM calendar_object WHERE uid = 'b')")
	follow("a run that has ended after the second entry", "08 08 04")
	follow("a complete run", "08 08 04")
	zoneinfotest.Use(t, "2099b", map[string]int{"Europe/Berlin": 6})
	follow("other data", "03 03 03")
	if got, want := storetest.Rows(t, f.DB, "SELECT version, rebuilt FROM calendar_zone_data"), "2099b <nil>"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
