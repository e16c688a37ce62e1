package dav

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-ical"
	"github.com/emersion/go-webdav"
	"github.com/emersion/go-webdav/caldav"

	"appliance/svc"
)

// newClients returns the CalDAV and WebDAV clients of go-webdav, an independent
// implementation of the RFCs, for a server whose base URL has a path.
func newClients(t *testing.T) (*caldav.Client, *webdav.Client) {
	t.Helper()
	h := New(newMemory(t), "/cloud", "/caldav", t.TempDir())
	server := httptest.NewServer(http.StripPrefix("/cloud", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h.Serve(w, r, svc.Trust(1)); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
			w.WriteHeader(500)
		}
	})))
	t.Cleanup(server.Close)
	c, err := caldav.NewClient(server.Client(), server.URL+"/cloud/caldav/")
	if err != nil {
		t.Fatal(err)
	}
	w, err := webdav.NewClient(server.Client(), server.URL+"/cloud/caldav/")
	if err != nil {
		t.Fatal(err)
	}
	return c, w
}

// An independent client implementation can use the protocol. Covers C-09, C-17,
// C-19 and C-20.
func TestGoWebDAVClientIsSupported(t *testing.T) {
	ctx := t.Context()
	c, w := newClients(t)
	mustSucceed := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	principal, err := c.FindCurrentUserPrincipal(ctx)
	mustSucceed(err)
	home, err := c.FindCalendarHomeSet(ctx, principal)
	mustSucceed(err)
	if principal != "/cloud/caldav/1/" || home != "/cloud/caldav/1/calendars/" {
		t.Fatalf("got principal %s, home %s", principal, home)
	}
	calendars, err := c.FindCalendars(ctx, home)
	mustSucceed(err)
	if len(calendars) != 3 || calendars[0].Name != "Home" || calendars[0].MaxResourceSize != maxResource ||
		!slices.Equal(calendars[0].SupportedComponentSet, []string{"VEVENT", "VTODO"}) || calendars[1].Path != "/cloud/caldav/1/calendars/Büro 1/" {
		t.Fatalf("got calendars %+v, want Home, Work and Feasts", calendars)
	}
	at := calendars[0].Path

	allData := caldav.CalendarCompRequest{Name: "VCALENDAR", AllProps: true, AllComps: true}
	first, err := c.SyncCollection(ctx, at, &caldav.SyncQuery{CompRequest: allData})
	mustSucceed(err)
	if len(first.Updated) != 3 || len(first.Deleted) != 0 || first.Updated[0].Data == nil {
		t.Fatalf("initial sync: got %+v, want 3 objects with data", first)
	}

	cal, err := ical.NewDecoder(strings.NewReader(event("tea@example.org", "Tea"))).Decode()
	mustSucceed(err)
	put, err := c.PutCalendarObject(ctx, at+"tea time.ics", cal)
	mustSucceed(err)
	got, err := c.GetCalendarObject(ctx, at+"tea time.ics")
	mustSucceed(err)
	if put.ETag == "" || got.ETag != put.ETag || got.Data.Events()[0].Props.Get("SUMMARY").Value != "Tea" {
		t.Fatalf("got %+v, want %+v", got, put)
	}
	mustSucceed(w.RemoveAll(ctx, at+"lunch.ics"))

	found, err := c.QueryCalendar(ctx, at, &caldav.CalendarQuery{CompRequest: allData, CompFilter: caldav.CompFilter{
		Name:  "VCALENDAR",
		Comps: []caldav.CompFilter{{Name: "VEVENT", Start: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}},
	}})
	mustSucceed(err)
	if len(found) != 2 || found[1].Path != at+"tea time.ics" || found[1].ETag != put.ETag {
		t.Fatalf("query: got %+v, want 2 objects", found)
	}
	several, err := c.MultiGetCalendar(ctx, at, &caldav.CalendarMultiGet{CompRequest: allData, Paths: []string{at + "tea time.ics", at + "taxes.ics"}})
	mustSucceed(err)
	if len(several) != 2 || several[0].Path != at+"tea time.ics" || several[1].Data.Children[0].Name != "VTODO" {
		t.Fatalf("multiget: got %+v, want 2 objects", several)
	}

	next, err := c.SyncCollection(ctx, at, &caldav.SyncQuery{SyncToken: first.SyncToken, CompRequest: allData})
	mustSucceed(err)
	if len(next.Updated) != 1 || next.Updated[0].ETag != put.ETag || !slices.Equal(next.Deleted, []string{at + "lunch.ics"}) {
		t.Fatalf("next sync: got %+v, want one update and one deletion", next)
	}
	files, err := w.ReadDir(ctx, at, false)
	mustSucceed(err)
	if len(files) != 4 { // the calendar and three objects
		t.Fatalf("got %d resources, want 4: %+v", len(files), files)
	}
	mustSucceed(w.RemoveAll(ctx, calendars[2].Path))
	if left, err := c.FindCalendars(ctx, home); err != nil || len(left) != 2 {
		t.Fatalf("after the deletion: got %+v, %v; want 2 calendars", left, err)
	}
}
