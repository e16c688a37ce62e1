package davserver_test

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

const home = "/caldav/1/calendars/"

// wantCondition fails the test unless the response has the status and names the
// precondition.
func wantCondition(a *apptest.Answer, status int, condition string) {
	a.T.Helper()
	if a.Want(status); !strings.Contains(a.Body, condition) {
		a.T.Errorf("%s: got %s, want %s", a.About, a.Body, condition)
	}
}

func TestServiceErrorsNameThePrecondition(t *testing.T) {
	s := apptest.New(t)
	dav := s.Member("ann").Basic()
	calendar := `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:"><set><prop><displayname>Tasks</displayname></prop></set></C:mkcalendar>`
	dav.Do("MKCALENDAR", home+"tasks/", calendar).Want(201)
	text := apptest.VEvent("1", "DTSTART:20261201T090000Z")
	dav.Do("PUT", home+"tasks/1.ics", text).Want(201)

	taken := dav.Do("PUT", home+"tasks/2.ics", text)
	wantCondition(taken, 403, "no-uid-conflict")
	wantCondition(taken, 403, home+"tasks/1.ics")
	wantCondition(dav.Do("PUT", home+"tasks/v.ics", apptest.VObject("VAVAILABILITY", "v")), 403, "supported-calendar-component")
	dav.Do("MKCOL", home+"box").Want(201)
	dav.Do("PUT", home+"box/missing/a.txt", "text").Want(409)
	wantCondition(dav.Do("MKCALENDAR", home+"tasks/", calendar), 403, "resource-must-be-null")
	wantCondition(dav.Do("REPORT", home+"tasks/", apptest.SyncCollection("unknown")), 403, "valid-sync-token")
	wantCondition(dav.Do("REPORT", home, apptest.SyncCollection("unknown")), 403, "valid-sync-token")
	dav.With("If-Match", `"old"`).Do("PUT", home+"tasks/1.ics", text).Want(412)
	dav.With("If-None-Match", "*").Do("PUT", home+"tasks/1.ics", text).Want(412)
	dav.With("If-Match", `"old"`).Do("DELETE", home+"tasks/1.ics").Want(412)
	dav.Do("DELETE", home+"tasks/missing.ics").Want(404)
	dav.With("Depth", "0").Do("PROPFIND", home+"missing/").Want(404)
}

// Each request is one write transaction: a rejected one changes nothing.
func TestRejectedRequestsWriteNothing(t *testing.T) {
	s := apptest.New(t)
	dav := s.Member("ann").Basic()
	dav.Do("MKCALENDAR", home+"work/").Want(201)
	dav.Do("PUT", home+"work/1.ics", apptest.VEvent("1", "DTSTART:20261201T090000Z")).Want(201)
	dav.Do("PUT", home+"work/2.ics", apptest.VEvent("2", "DTSTART:20261201T090000Z")).Want(201)
	for _, c := range []struct {
		about, method, path string
		header, value, body string
		want                int
	}{
		{"copy onto an existing object", "COPY", home + "work/1.ics", "Overwrite", "F", "", 412},
		{"move with an outdated ETag", "MOVE", home + "work/1.ics", "If-Match", `"old"`, "", 412},
		{"property of an object with an outdated ETag", "PROPPATCH", home + "work/1.ics", "If-Match", `"old"`, apptest.Proppatch("note", "x"), 412},
		{"calendar with a taken name", "MKCALENDAR", home + "work/", "", "", "", 403},
	} {
		s.WantUnchanged(c.about, func() {
			client := dav.With("Destination", home+"work/2.ics")
			if c.header != "" {
				client = client.With(c.header, c.value)
			}
			client.Do(c.method, c.path, c.body).Want(c.want)
		})
	}
}

func TestCalendarsFilesAndPropertiesAreServed(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	dav := ann.Basic()
	principal := dav.With("Depth", "0").Do("PROPFIND", "/caldav/", `<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>`).Want(207)
	if !strings.Contains(principal.Body, "/caldav/1/") {
		t.Errorf("principal: got %s, want /caldav/1/", principal.Body)
	}
	dav.Do("MKCALENDAR", home+"work/", `<C:mkcalendar xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns="DAV:" xmlns:A="http://apple.com/ns/ical/"><set><prop>
		<displayname>Work</displayname><A:calendar-color>#00aa00ff</A:calendar-color><note xmlns="urn:example">mine</note></prop></set></C:mkcalendar>`).Want(201)
	dav.Do("PROPPATCH", home+"work/", `<propertyupdate xmlns="DAV:"><set><prop><displayname>Office</displayname></prop></set></propertyupdate>`).Want(207)
	text := apptest.VEvent("1", "DTSTART:20261201T090000Z", "DTEND:20261201T100000Z", "SUMMARY:Tea")
	etag := dav.Do("PUT", home+"work/1.ics", text).Want(201).Header.Get("ETag")
	if got := dav.Do("GET", home+"work/1.ics").Want(200); got.Body != text || got.Header.Get("ETag") != etag {
		t.Errorf("object: got %q with %s, want %q with %s", got.Body, got.Header.Get("ETag"), text, etag)
	}
	list := dav.With("Depth", "1").Do("PROPFIND", home, `<propfind xmlns="DAV:"><prop><displayname/><note xmlns="urn:example"/></prop></propfind>`).Want(207)
	for _, want := range []string{">Office<", ">mine<", ">Calendar<"} {
		if !strings.Contains(list.Body, want) {
			t.Errorf("home: got %s, want %s", list.Body, want)
		}
	}
	const window = `<C:time-range start="20261201T000000Z" end="20261202T000000Z"/>`
	const names = `xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"`
	for _, c := range []struct{ name, body, want string }{
		{"query", `<C:calendar-query ` + names + `><prop><getetag/></prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">` + window +
			`</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`, etag[1 : len(etag)-1]},
		{"multiget", `<C:calendar-multiget ` + names + `><prop><C:calendar-data/></prop><href>` + home + `work/1.ics</href></C:calendar-multiget>`, "SUMMARY:Tea"},
		{"free-busy", `<C:free-busy-query ` + names + `>` + window + `</C:free-busy-query>`, "BUSY:20261201T090000Z/20261201T100000Z"},
		{"sync-collection", apptest.SyncCollection(""), home + "work/1.ics"},
	} {
		a := dav.With("Depth", "1").Do("REPORT", home+"work/", c.body)
		if a.Status != 207 && a.Status != 200 || !strings.Contains(a.Body, c.want) {
			t.Errorf("%s: got status %d, %s, want %s", c.name, a.Status, a.Body, c.want)
		}
	}
	if got := dav.Do("GET", home+"work/").Want(200).Body; !strings.Contains(got, "SUMMARY:Tea") {
		t.Errorf("calendar as one text: got %s, want the event", got)
	}

	dav.Do("MKCOL", home+"box").Want(201)
	dav.With("Content-Type", "text/plain").Do("PUT", home+"box/a.txt", "text").Want(201)
	dav.Do("PROPPATCH", home+"box/a.txt", apptest.Proppatch("note", "file")).Want(207)
	dav.With("Destination", home+"box/b.txt").Do("COPY", home+"box/a.txt").Want(201)
	if got := dav.Do("GET", home+"box/b.txt").Want(200); got.Body != "text" || got.Header.Get("Content-Type") != "text/plain" {
		t.Errorf("file: got %q of type %s, want text", got.Body, got.Header.Get("Content-Type"))
	}
	if got := dav.With("Depth", "1").Do("PROPFIND", home+"box", `<propfind xmlns="DAV:"><allprop/></propfind>`).Want(207).Body; strings.Count(got, ">file<") != 2 {
		t.Errorf("folder: got %s, want the property of both files", got)
	}
	dav.With("Destination", home+"work/2.ics").Do("MOVE", home+"work/1.ics").Want(201)
	dav.Do("DELETE", home+"box").Want(204)
	dav.Do("DELETE", home+"work/").Want(204)
	if got := ann.TrashTitles(); !strings.Contains(got, "Office") {
		t.Errorf("trash: got %s, want the calendar", got)
	}
}

// Covers RFC 4918 §9.8 and §9.9: calendars are copied and moved, and one at the destination is
// replaced only if the client permits it.
func TestCalendarsAreCopiedAndMoved(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	dav := ann.Basic()
	to := func(name, overwrite string) *apptest.Client {
		return dav.With("Destination", home+name+"/").With("Overwrite", overwrite)
	}
	for _, name := range []string{"work", "old"} {
		dav.Do("MKCALENDAR", home+name+"/").Want(201)
		dav.Do("PUT", home+name+"/1.ics", apptest.VEvent(name, "DTSTART:20261201T090000Z")).Want(201)
	}
	contents := func(name string) string {
		a := dav.Do("GET", home+name+"/")
		return fmt.Sprint(a.Status, " ", strings.Count(a.Body, "UID:work"), " ", strings.Count(a.Body, "UID:old"))
	}
	to("copy", "F").Do("COPY", home+"work/").Want(201)
	to("shallow", "F").With("Depth", "0").Do("COPY", home+"work/").Want(201)
	to("old", "F").Do("COPY", home+"work/").Want(412)
	to("old", "F").Do("MOVE", home+"work/").Want(412)
	to("none", "F").Do("COPY", home+"missing/").Want(404)
	for name, want := range map[string]string{"work": "200 1 0", "copy": "200 1 0", "shallow": "200 0 0", "old": "200 0 1"} {
		if got := contents(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	to("old", "T").Do("COPY", home+"work/").Want(204)
	to("copy", "T").Do("MOVE", home+"work/").Want(204)
	to("new", "F").Do("MOVE", home+"shallow/").Want(201)
	for name, want := range map[string]string{"old": "200 1 0", "copy": "200 1 0", "new": "200 0 0", "work": "404 0 0", "shallow": "404 0 0"} {
		if got := contents(name); got != want {
			t.Errorf("after replacing, %s: got %s, want %s", name, got, want)
		}
	}
	if n := s.QueryInt("SELECT count(*) FROM calendar_calendar WHERE staged = 1"); n != 0 {
		t.Errorf("got %d incomplete copies, want none", n)
	}
}
