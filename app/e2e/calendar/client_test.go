package calendar

import (
	"context"
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
	"appliance/svc/calendar/ics"
)

// goWebDAV is the client of go-webdav, an independent implementation of the RFCs.
type goWebDAV struct {
	t        *testing.T
	ctx      context.Context
	calendar *caldav.Client
	files    *webdav.Client
	path     string // of the default calendar
}

// must fails the test if a request failed.
func (c *goWebDAV) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

// discoverGoWebDAV returns a client that found its calendar with an e-mail address and a device
// password from the URL of the server, which has the path /cloud.
func discoverGoWebDAV(t *testing.T, h *apptest.Server, email, password string) *goWebDAV {
	t.Helper()
	auth := webdav.HTTPClientWithBasicAuth(&http.Client{}, email, password)
	root := h.HTTP.URL + h.Unauthenticated().Do("PROPFIND", "/.well-known/caldav").Want(301).Header.Get("Location")
	c := &goWebDAV{t: t, ctx: t.Context()}
	var err error
	c.calendar, err = caldav.NewClient(auth, root)
	c.must(err)
	c.files, err = webdav.NewClient(auth, root)
	c.must(err)
	principal, err := c.calendar.FindCurrentUserPrincipal(c.ctx)
	c.must(err)
	homeSet, err := c.calendar.FindCalendarHomeSet(c.ctx, principal)
	c.must(err)
	calendars, err := c.calendar.FindCalendars(c.ctx, homeSet)
	c.must(err)
	if homeSet != "/cloud"+homePath || len(calendars) != 1 || calendars[0].Name != "Calendar" ||
		!slices.Equal(calendars[0].SupportedComponentSet, ics.ObjectComponents) {
		t.Fatalf("got home %s and calendars %+v, want /cloud%s and one calendar with all components", homeSet, calendars, homePath)
	}
	c.path = calendars[0].Path
	return c
}

func (c *goWebDAV) put(name, text string) *caldav.CalendarObject {
	c.t.Helper()
	data, err := ical.NewDecoder(strings.NewReader(text)).Decode()
	c.must(err)
	object, err := c.calendar.PutCalendarObject(c.ctx, c.path+name, data)
	c.must(err)
	return object
}

// allData requests all components and properties of an object.
var allData = caldav.CalendarCompRequest{Name: "VCALENDAR", AllProps: true, AllComps: true}

// summaries returns the sorted summaries of the components in a time range.
func (c *goWebDAV) summaries(component string, from, to time.Time) (list []string) {
	c.t.Helper()
	found, err := c.calendar.QueryCalendar(c.ctx, c.path, &caldav.CalendarQuery{CompRequest: allData, CompFilter: caldav.CompFilter{
		Name: "VCALENDAR", Comps: []caldav.CompFilter{{Name: component, Start: from, End: to}},
	}})
	c.must(err)
	for _, o := range found {
		list = append(list, o.Data.Children[len(o.Data.Children)-1].Props.Get("SUMMARY").Value)
	}
	slices.Sort(list)
	return list
}

func (c *goWebDAV) sync(token string) *caldav.SyncResponse {
	c.t.Helper()
	r, err := c.calendar.SyncCollection(c.ctx, c.path, &caldav.SyncQuery{SyncToken: token, CompRequest: allData})
	c.must(err)
	return r
}

// An independent client discovers the calendars with a device password, for a
// base URL with a path, and stores, queries, synchronizes and deletes objects.
// Covers C-02, C-03, C-09, C-10, C-12, C-16, C-17, C-18, C-19, C-20 and T-18.
func TestGoWebDAVClientWorksWithDevicePassword(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.BaseURL = "http://127.0.0.1/cloud" })
	ann := h.Member("ann")
	password := ann.Do("POST", "/world/identity/device-passwords", `{"label": "go-webdav"}`).Want(201).Str("device_password.password")
	c := discoverGoWebDAV(t, h, "ann@example.org", password)

	tea := c.put("tea time.ics", apptest.VEvent("tea", teaTime, "DTEND:20261201T160000Z", "SUMMARY:Tea"))
	c.put("weekly.ics", apptest.VEvent("weekly", "DTSTART:20261005T080000Z", "DURATION:PT30M", "RRULE:FREQ=WEEKLY", "SUMMARY:Weekly"))
	c.put("taxes.ics", apptest.VObject("VTODO", "taxes", "DUE:20261231T120000Z", "SUMMARY:Taxes"))
	ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Native", "start": "2026-12-02T15:00:00"}`).Want(201)

	initial := c.sync("")
	if len(initial.Updated) != 4 || len(initial.Deleted) != 0 {
		t.Fatalf("first synchronization: got %+v, want 4 objects", initial)
	}
	day := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, q := range []struct {
		name, component string
		from, to        time.Time
		want            []string
	}{
		{"two days in December", "VEVENT", day, day.AddDate(0, 0, 2), []string{"Native", "Tea"}},
		{"a Monday", "VEVENT", day.AddDate(0, 0, 6), day.AddDate(0, 0, 7), []string{"Weekly"}},
		{"tasks in December", "VTODO", day, day.AddDate(0, 1, 0), []string{"Taxes"}},
		{"tasks in January", "VTODO", day.AddDate(0, 1, 0), day.AddDate(0, 2, 0), nil},
	} {
		if got := c.summaries(q.component, q.from, q.to); !slices.Equal(got, q.want) {
			t.Errorf("%s: got %q, want %q", q.name, got, q.want)
		}
	}

	c.must(c.files.RemoveAll(c.ctx, c.path+"taxes.ics"))
	next := c.sync(initial.SyncToken)
	if want := []string{c.path + "taxes.ics"}; len(next.Updated) != 0 || !slices.Equal(next.Deleted, want) {
		t.Errorf("next synchronization: got %+v, want only the deletion of %q", next, want)
	}
	objects, err := c.calendar.MultiGetCalendar(c.ctx, c.path, &caldav.CalendarMultiGet{CompRequest: allData, Paths: []string{c.path + "tea time.ics"}})
	c.must(err)
	if len(objects) != 1 || objects[0].ETag != tea.ETag {
		t.Errorf("multiget: got %+v, want one object with ETag %s", objects, tea.ETag)
	}
}
