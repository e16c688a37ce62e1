package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// CalDAV responses do not contain the names of other interfaces of the program,
// except for the Vary header, which is the same for all routes. Covers C-29.
func TestCalDAVResponsesDoNotMentionWorld(t *testing.T) {
	f := newFixture(t)
	f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201)
	const allProperties = `<propfind xmlns="DAV:"><allprop/></propfind>`
	list := f.dav.With("Depth", "1")
	for _, a := range []*apptest.Answer{
		list.Do("PROPFIND", "/caldav/", allProperties),
		list.Do("PROPFIND", "/caldav/1/", allProperties),
		list.Do("PROPFIND", homePath, allProperties),
		list.Do("PROPFIND", f.path, allProperties),
		f.dav.Do("REPORT", f.path, apptest.SyncCollection("")),
		f.dav.Do("REPORT", f.path, apptest.SyncCollection("urn:x")),
		f.dav.Do("OPTIONS", f.path),
		f.dav.Do("GET", f.path),
		f.dav.Do("GET", f.path+"none"),
		f.dav.Do("PUT", f.path+"x", "x"),
		f.dav.Do("TRACE", f.path),
		f.Unauthenticated().Do("GET", f.path),
	} {
		a.Header.Del("Vary")
		text := strings.ToLower(fmt.Sprint(a.Header) + a.Body)
		for _, word := range []string{"/world", "surface", "dataset", "runtime", "gateway"} {
			if strings.Contains(text, word) {
				t.Errorf("%s: got %q in %v\n%s\nwant no such word", a.About, word, a.Header, a.Body)
			}
		}
	}
}

// isolationFixture returns a server with the members ann and bea. ann has a second
// calendar and an object. Both members have used their CalDAV clients.
func isolationFixture(t *testing.T) (f *fixture, bea *apptest.Client, work *apptest.Answer) {
	t.Helper()
	f = newFixture(t)
	bea = f.Member("bea")
	work = f.ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	f.put("tea.ics", event("tea"))
	bea.Basic().With("Depth", "0").Do("PROPFIND", "/caldav/").Want(207) // the server stores the time of the first use of a password
	return f, bea, work
}

// Every CalDAV method on a URL of another member responds 404 and changes nothing.
// Hrefs and sync tokens of another member have no effect.
// Covers C-28, T-06 and PT-07.
func TestCalDAVResourcesOfOtherMembersDoNotExist(t *testing.T) {
	f, bea, work := isolationFixture(t)
	bodies := map[string]string{"PUT": event("x"), "PROPFIND": apptest.PropfindETags, "REPORT": apptest.SyncCollection("")}
	paths := []string{
		"/caldav/1/", "/caldav/1", homePath, f.path, f.path + "tea.ics", f.path + "new.ics",
		work.Str("calendar.caldav_path"), homePath + "none/", homePath + "none/x.ics",
	}
	f.WantUnchanged("requests of bea", func() {
		dav, calendar := bea.Basic(), bea.DefaultCalendar()
		for _, method := range []string{"OPTIONS", "GET", "HEAD", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "MKCALENDAR", "MKCOL", "POST", "ACL", "COPY", "MOVE"} {
			for _, path := range paths {
				for _, mount := range []string{"/caldav/", "/dav/"} {
					path := mount + strings.TrimPrefix(path, "/caldav/")
					if a := dav.With("Depth", "0").With("Destination", calendar+"x.ics").Do(method, path, bodies[method]); a.Status != 404 {
						t.Errorf("%s: got status %d, want 404\n%s", a.About, a.Status, a.Body)
					}
				}
			}
		}
		entries := dav.Do("REPORT", calendar, multiget("<getetag/>", f.path+"tea.ics")).Multistatus().Entries
		if len(entries) != 1 || !strings.Contains(entries[0].Status, "404") {
			t.Errorf("multiget: got %+v, want one response with status 404", entries)
		}
		token := f.dav.Do("REPORT", f.path, apptest.SyncCollection("")).Multistatus().Token
		wantDAVError(dav.Do("REPORT", calendar, apptest.SyncCollection(token)), 403, "valid-sync-token")
	})
}

// Each JSON request for a calendar or object of another member has status 404
// and changes nothing, also if the request is invalid, conditional or names the
// other member in a header. Covers C-28, T-06 and PT-07.
func TestJSONResourcesOfOtherMembersAreNotFound(t *testing.T) {
	f, bea, work := isolationFixture(t)
	workID := work.Str("calendar.id")
	tea := f.ann.Do("GET", "/world/time/objects?start=2026-12-01").Want(200).Str("objects.0.links.self")
	ownPath := bea.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Bea's"}`).Want(201).Str("object.links.self")
	ownCalendar := bea.Do("POST", "/world/calendars", `{"name": "Bea's"}`).Want(201).Str("calendar.id")
	f.WantUnchanged("requests of bea", func() {
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/world/calendars/" + workID, ""},
			{"PATCH", "/world/calendars/" + workID, `{"name": "x"}`},
			{"DELETE", "/world/calendars/" + workID, ""},
			{"DELETE", "/world/calendars/" + ownCalendar + "?move_to=" + workID, ""},
			{"GET", "/world/time/objects?calendar_id=" + workID, ""},
			{"GET", tea, ""},
			{"PATCH", tea, `{"title": "x"}`},
			{"PATCH", tea, `{"nothing": "known"}`},
			{"DELETE", tea, ""},
			{"POST", "/world/time/objects", `{"object_type": "task", "title": "x", "calendar_id": "` + workID + `"}`},
			{"PATCH", ownPath, `{"calendar_id": "` + workID + `"}`},
		} {
			var body []any
			if c.body != "" {
				body = []any{c.body}
			}
			for _, header := range [][2]string{{}, {"X-Service-Member-Id", "1"}, {"If-Match", `"0"`}} {
				if header[0] == "If-Match" && c.path == ownPath {
					continue // the object belongs to bea, so its ETag is compared first
				}
				bea.With(header[0], header[1]).Do(c.method, c.path, body...).WantError(404, "not_found")
			}
		}
	})
}
