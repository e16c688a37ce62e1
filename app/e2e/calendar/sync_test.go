package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// synchronize returns the replica with all changes of a calendar since its token,
// read in pages of limit changes; 0 means no limit (RFC 6578 §3.6).
func (f *fixture) synchronize(path string, r apptest.Replica, limit int) apptest.Replica {
	f.t.Helper()
	next := r.Clone()
	for truncated := true; truncated; {
		body := apptest.SyncCollection(next.Token)
		if limit > 0 {
			body = strings.Replace(body, "<prop>", fmt.Sprintf("<limit><nresults>%d</nresults></limit><prop>", limit), 1)
		}
		truncated = next.Apply(f.dav.Do("REPORT", path, body).Multistatus())
	}
	return next
}

// etags returns the ETags of the objects in a calendar by path.
func (f *fixture) etags(path string) map[string]string {
	f.t.Helper()
	return apptest.NewReplica(f.dav.With("Depth", "1").Do("PROPFIND", path, apptest.PropfindETags).Multistatus()).ETags
}

// syncToken returns the body of a PROPFIND response with the sync token and the
// ctag of a calendar.
func (f *fixture) syncToken(path string) string {
	f.t.Helper()
	return f.dav.With("Depth", "0").Do("PROPFIND", path, apptest.PropfindSyncToken).Want(207).Body
}

// The sync token and the ctag of a calendar change with each write of its
// objects, over CalDAV or the JSON API, and with nothing else. Covers C-19, C-20 and
// C-21.
func TestSyncTokenChangesWithTheContents(t *testing.T) {
	f := newFixture(t)
	a, text := f.path+"a.ics", event("a")
	taskPath := ""
	last := f.syncToken(f.path)
	for _, c := range []struct {
		name    string
		changes bool
		do      func()
	}{
		{"PUT", true, func() { f.dav.Do("PUT", a, text).Want(201) }},
		{"GET", false, func() { f.dav.Do("GET", a).Want(200) }},
		{"JSON list", false, func() { f.ann.Do("GET", "/world/time/objects").Want(200) }},
		{"report", false, func() { f.dav.Do("REPORT", f.path, apptest.SyncCollection("")).Want(207) }},
		{"JSON POST", true, func() {
			taskPath = f.ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "x"}`).Want(201).Str("object.links.self")
		}},
		{"JSON PATCH", true, func() { f.ann.Do("PATCH", taskPath, `{"title": "y"}`).Want(200) }},
		{"rejected JSON PATCH", false, func() { f.ann.Do("PATCH", taskPath, `{"status": "y"}`).Want(422) }},
		{"rejected PUT", false, func() { f.dav.Do("PUT", f.path+"b.ics", text).Want(403) }},
		{"new name of the calendar", false, func() { f.dav.Do("PROPPATCH", f.path, proppatch("<displayname>Home</displayname>")).Want(207) }},
		{"PUT in another calendar", false, func() {
			other := f.ann.Do("POST", "/world/calendars", `{"name": "x"}`).Want(201).Str("calendar.caldav_path")
			f.dav.Do("PUT", other+"a.ics", text).Want(201)
		}},
		{"JSON DELETE", true, func() { f.ann.Do("DELETE", taskPath).Want(200) }},
		{"DELETE", true, func() { f.dav.Do("DELETE", a).Want(204) }},
		{"DELETE of nothing", false, func() { f.dav.Do("DELETE", a).Want(404) }},
	} {
		c.do()
		now := f.syncToken(f.path)
		if changed := now != last; changed != c.changes {
			t.Errorf("%s: got changed %t, want %t: %s after %s", c.name, changed, c.changes, now, last)
		}
		last = now
	}
}
