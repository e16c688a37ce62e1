package caldav

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"
	"github.com/emersion/go-webdav"
	"github.com/emersion/go-webdav/caldav"

	"appliance/app/apptest"
	"appliance/app/config"
)

// go-webdav's client is somebody else's reading of the same RFCs: it finds its
// way from the address of the host alone, with a device password, and does
// with the real server what clients do. Covers C-02, C-03, C-09, C-10, C-12,
// C-16, C-17, C-18, C-19, C-20 and T-18.
func TestAnotherClient(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://127.0.0.1/cloud" })
	ann := h.Member("ann")
	device := ann.Do("POST", "/world/identity/device-passwords", `{"label": "go-webdav"}`).Want(201).Str("device_password.password")
	auth := webdav.HTTPClientWithBasicAuth(&http.Client{}, "ann@example.org", device)
	start := h.HTTP.URL + h.Unauthenticated().Do("PROPFIND", "/.well-known/caldav").Want(301).Header.Get("Location")
	c, err := caldav.NewClient(auth, start)
	if err != nil {
		t.Fatal(err)
	}
	w, err := webdav.NewClient(auth, start)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	principal, err := c.FindCurrentUserPrincipal(ctx)
	check(err)
	home, err := c.FindCalendarHomeSet(ctx, principal)
	check(err)
	calendars, err := c.FindCalendars(ctx, home)
	check(err)
	if home != "/cloud/caldav/1/calendars/" || len(calendars) != 1 || calendars[0].Name != "Calendar" ||
		!slices.Equal(calendars[0].SupportedComponentSet, []string{"VEVENT", "VTODO"}) {
		t.Fatalf("home %s, calendars %+v", home, calendars)
	}
	at := calendars[0].Path

	put := func(name, text string) *caldav.CalendarObject {
		cal, err := ical.NewDecoder(strings.NewReader(text)).Decode()
		check(err)
		object, err := c.PutCalendarObject(ctx, at+name, cal)
		check(err)
		return object
	}
	tea := put("tea time.ics", apptest.VEvent("tea", "DTSTART:20261201T150000Z", "DTEND:20261201T160000Z", "SUMMARY:Tea"))
	put("weekly.ics", apptest.VEvent("weekly", "DTSTART:20261005T080000Z", "DURATION:PT30M", "RRULE:FREQ=WEEKLY", "SUMMARY:Weekly"))
	put("taxes.ics", apptest.VObject("VTODO", "taxes", "DUE:20261231T120000Z", "SUMMARY:Taxes"))
	ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Native", "start": "2026-12-02T15:00:00"}`).Want(201)

	whole := caldav.CalendarCompRequest{Name: "VCALENDAR", AllProps: true, AllComps: true}
	first, err := c.SyncCollection(ctx, at, &caldav.SyncQuery{CompRequest: whole})
	check(err)
	if len(first.Updated) != 4 || len(first.Deleted) != 0 {
		t.Fatalf("first sync %+v", first)
	}
	query := func(component string, from, to time.Time) (summaries []string) {
		found, err := c.QueryCalendar(ctx, at, &caldav.CalendarQuery{CompRequest: whole, CompFilter: caldav.CompFilter{
			Name: "VCALENDAR", Comps: []caldav.CompFilter{{Name: component, Start: from, End: to}},
		}})
		check(err)
		for _, o := range found {
			summaries = append(summaries, o.Data.Children[len(o.Data.Children)-1].Props.Get("SUMMARY").Value)
		}
		slices.Sort(summaries)
		return summaries
	}
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	if got := query("VEVENT", day, day.AddDate(0, 0, 2)); !slices.Equal(got, []string{"Native", "Tea"}) {
		t.Errorf("on two days in December: %q", got)
	}
	if got := query("VEVENT", day.AddDate(0, 0, 6), day.AddDate(0, 0, 7)); !slices.Equal(got, []string{"Weekly"}) {
		t.Errorf("on a Monday: %q", got)
	}
	if got := query("VTODO", day, day.AddDate(0, 1, 0)); !slices.Equal(got, []string{"Taxes"}) {
		t.Errorf("tasks of December: %q", got)
	}
	if got := query("VTODO", day.AddDate(0, 1, 0), day.AddDate(0, 2, 0)); len(got) != 0 {
		t.Errorf("tasks of January: %q", got)
	}

	check(w.RemoveAll(ctx, at+"taxes.ics"))
	next, err := c.SyncCollection(ctx, at, &caldav.SyncQuery{SyncToken: first.SyncToken, CompRequest: whole})
	check(err)
	if len(next.Updated) != 0 || !slices.Equal(next.Deleted, []string{at + "taxes.ics"}) {
		t.Errorf("next sync %+v", next)
	}
	several, err := c.MultiGetCalendar(ctx, at, &caldav.CalendarMultiGet{CompRequest: whole, Paths: []string{at + "tea time.ics"}})
	check(err)
	if len(several) != 1 || several[0].ETag != tea.ETag {
		t.Errorf("multiget %+v", several)
	}
}
