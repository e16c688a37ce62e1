package calendar

import (
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// homeChanges returns the hrefs that a sync-collection on the home reports as
// changed and as deleted since a token, and the next token.
func (f *fixture) homeChanges(token string) (changed, deleted []string, next string) {
	f.T.Helper()
	m := f.dav.Do("REPORT", homePath, apptest.SyncCollection(token)).Want(207).Multistatus()
	for _, r := range m.Entries {
		if strings.Contains(r.Status, " 404 ") {
			deleted = append(deleted, r.Href)
		} else {
			changed = append(changed, r.Href)
		}
	}
	return changed, deleted, m.Token
}

// MOVE of a calendar changes its URL, and nothing else (RFC 4918 §9.9). For a
// client that synchronizes the home, the old URL is removed (RFC 6578 §3.5).
// Covers C-21.
func TestMovedCalendarKeepsItsContents(t *testing.T) {
	f := newFixture(t)
	f.dav.Do("MKCALENDAR", homePath+"work/", mkcalendar("<displayname>Work</displayname><X:note>mine</X:note>"+componentSet("VEVENT"))).Want(201)
	etag := f.dav.Do("PUT", homePath+"work/tea.ics", event("tea")).Want(201).Header.Get("ETag")
	_, _, token := f.homeChanges("")

	if got := f.dav.Do("OPTIONS", homePath+"work/").Want(200).Header.Get("Allow"); !strings.Contains(got, "COPY, MOVE") {
		t.Errorf("Allow: got %q, want COPY and MOVE", got)
	}
	moved := f.dav.With("Destination", homePath+"office/").Do("MOVE", homePath+"work/").Want(201)
	if got := moved.Header.Get("Location"); got != homePath+"office/" {
		t.Errorf("got Location %q, want %soffice/", got, homePath)
	}
	f.dav.With("Depth", "0").Do("PROPFIND", homePath+"work/").Want(404)
	if got := f.dav.Do("GET", homePath+"office/tea.ics").Want(200).Header.Get("ETag"); got != etag {
		t.Errorf("got ETag %s, want %s", got, etag)
	}
	read := f.dav.With("Depth", "0").Do("PROPFIND", homePath+"office/", propfind("<displayname/><X:note/>")).Want(207).Body
	if !strings.Contains(read, ">Work<") || !strings.Contains(read, ">mine<") {
		t.Errorf("got properties %s, want the name and the dead property", read)
	}
	if got := f.components(homePath + "office/"); !slices.Equal(got, []string{"VEVENT"}) {
		t.Errorf("got components %q, want VEVENT", got)
	}
	changed, deleted, token := f.homeChanges(token)
	if !slices.Equal(changed, []string{homePath + "office/"}) || !slices.Equal(deleted, []string{homePath + "work/"}) {
		t.Errorf("home: got changed %q and deleted %q, want office and work", changed, deleted)
	}

	// A calendar at the destination moves to the trash, unless Overwrite is F.
	f.dav.Do("MKCALENDAR", homePath+"old/", mkcalendar("<displayname>Old</displayname>")).Want(201)
	f.WantUnchanged("Overwrite: F", func() {
		f.dav.With("Destination", homePath+"old/").With("Overwrite", "F").Do("MOVE", homePath+"office/").Want(412)
	})
	f.dav.With("Destination", homePath+"old").Do("MOVE", homePath+"office/").Want(204)
	f.dav.Do("GET", homePath+"old/tea.ics").Want(200)
	if got := f.ann.TrashTitles(); !strings.Contains(got, "Old") {
		t.Errorf("got trash %s, want the replaced calendar", got)
	}
	changed, deleted, _ = f.homeChanges(token)
	if !slices.Equal(changed, []string{homePath + "old/"}) || !slices.Equal(deleted, []string{homePath + "office/"}) {
		t.Errorf("home: got changed %q and deleted %q, want old and office", changed, deleted)
	}
}

// COPY of a calendar creates another one with its properties and, unless Depth is
// 0, its objects (RFC 4918 §9.8.2 and §9.8.3).
func TestCopiedCalendarIsIndependent(t *testing.T) {
	f := newFixture(t)
	f.dav.Do("MKCALENDAR", homePath+"work/", mkcalendar("<displayname>Work</displayname><X:note>mine</X:note>"+componentSet("VEVENT"))).Want(201)
	f.dav.Do("PUT", homePath+"work/tea.ics", event("tea")).Want(201)
	f.dav.Do("PROPPATCH", homePath+"work/tea.ics", proppatch("<X:note>object</X:note>")).Want(207)
	f.dav.With("Destination", homePath+"all/").Do("COPY", homePath+"work/").Want(201)
	f.dav.With("Destination", homePath+"empty/").With("Depth", "0").Do("COPY", homePath+"work/").Want(201)
	for path, status := range map[string]int{"work/tea.ics": 200, "all/tea.ics": 200, "empty/tea.ics": 404} {
		f.dav.Do("GET", homePath+path).Want(status)
	}
	for path, want := range map[string]string{"all/": ">mine<", "empty/": ">mine<", "all/tea.ics": ">object<"} {
		if got := f.dav.With("Depth", "0").Do("PROPFIND", homePath+path, propfind("<X:note/>")).Want(207).Body; !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if got := f.components(homePath + "all/"); !slices.Equal(got, []string{"VEVENT"}) {
		t.Errorf("got components %q, want VEVENT", got)
	}
	f.dav.Do("DELETE", homePath+"all/tea.ics").Want(204)
	f.dav.Do("GET", homePath+"work/tea.ics").Want(200)
	f.dav.With("Destination", homePath+"empty/").Do("COPY", homePath+"work/").Want(204)
	f.dav.Do("GET", homePath+"empty/tea.ics").Want(200)
}

// A calendar can only be copied and moved to another URL directly in its home
// (RFC 4791 §4.2, RFC 4918 §9.8.5 and §9.9.4). Covers C-28.
func TestCalendarsCannotLeaveTheirHome(t *testing.T) {
	f := newFixture(t)
	f.Member("bea")
	f.dav.Do("MKCALENDAR", homePath+"work/").Want(201)
	f.dav.Do("MKCALENDAR", homePath+"other/").Want(201)
	f.dav.Do("MKCOL", homePath+"notes/").Want(201)
	f.dav.Do("PUT", homePath+"work/tea.ics", event("tea")).Want(201)
	for _, method := range []string{"COPY", "MOVE"} {
		for _, destination := range []string{
			homePath, homePath + "notes/", homePath + "notes/work/", homePath + "other/work/", homePath + "other/work/x/", homePath + "none/work/", "/caldav/", "/caldav/1/", "/caldav/2/calendars/work/",
		} {
			f.WantUnchanged(method+" to "+destination, func() {
				wantDAVError(f.dav.With("Destination", destination).Do(method, homePath+"work/"), 403, "calendar-collection-location-ok")
			})
		}
		f.WantUnchanged(method+" with other headers", func() {
			f.dav.With("Destination", homePath+"work").Do(method, homePath+"work/").Want(403)
			f.dav.With("Destination", "https://example.org/work/").Do(method, homePath+"work/").Want(502)
			f.dav.With("Destination", homePath+"new/").With("Depth", "1").Do(method, homePath+"work/").Want(400)
			f.dav.With("Destination", homePath+"new/").With("If-Match", `"old"`).Do(method, homePath+"work/").Want(412)
			f.dav.With("Destination", homePath+"new/").Do(method, homePath+"none/").Want(404)
			f.dav.Do(method, homePath+"work/").Want(400)
			f.dav.With("Destination", f.path).Do(method, homePath+"work/").Want(403) // the first calendar cannot be deleted
			f.dav.With("Destination", homePath+"notes/x/").Do(method, homePath+"work/tea.ics").Want(403)
			f.dav.With("Destination", homePath+"other/").Do(method, homePath+"work/tea.ics").Want(403)
			f.dav.With("Destination", homePath+"other/").Do(method, homePath+"notes/").Want(403)
		})
	}
	f.WantUnchanged("MOVE with Depth: 0", func() {
		f.dav.With("Destination", homePath+"new/").With("Depth", "0").Do("MOVE", homePath+"work/").Want(400)
	})
}

// DAV:resource-id is unique, and stays the same when a resource is renamed or
// moved, but not when it is copied (RFC 5842 §3.1).
func TestResourceIDFollowsTheResource(t *testing.T) {
	f := newFixture(t)
	seen := map[string]string{}
	id := func(path string) string {
		body := f.dav.With("Depth", "0").Do("PROPFIND", path, propfind("<resource-id/>")).Want(207).Body
		_, rest, _ := strings.Cut(body, "urn:uuid:")
		urn, _, ok := strings.Cut(rest, "<")
		if !ok || len(urn) != 36 {
			t.Fatalf("%s: got %s, want a urn:uuid", path, body)
		}
		return urn
	}
	distinct := func(path string) {
		urn := id(path)
		if other, ok := seen[urn]; ok {
			t.Errorf("%s has the resource-id of %s", path, other)
		}
		seen[urn] = path
	}
	f.dav.Do("MKCALENDAR", homePath+"work/").Want(201)
	f.dav.Do("MKCOL", homePath+"notes/").Want(201)
	f.dav.Do("PUT", homePath+"notes/a.txt", "a").Want(201)
	f.dav.Do("PUT", homePath+"work/tea.ics", event("tea")).Want(201)
	for _, path := range []string{"", "work/", "work/tea.ics", "notes/", "notes/a.txt"} {
		distinct(homePath + path)
	}
	for _, c := range [][2]string{{"work/tea.ics", "work/moved.ics"}, {"work/", "office/"}, {"notes/a.txt", "notes/b.txt"}, {"notes/", "texts/"}} {
		want := id(homePath + c[0])
		f.dav.With("Destination", homePath+c[1]).Do("MOVE", homePath+c[0]).Want(201)
		if got := id(homePath + c[1]); got != want {
			t.Errorf("%s: got %s after MOVE from %s, want %s", c[1], got, c[0], want)
		}
	}
	for _, c := range [][2]string{{"office/", "copy/"}, {"texts/", "copies/"}} {
		f.dav.With("Destination", homePath+c[1]).Do("COPY", homePath+c[0]).Want(201)
		distinct(homePath + c[1])
	}
	distinct(homePath + "copy/moved.ics")
	distinct(homePath + "copies/b.txt")
	body := f.dav.With("Depth", "0").Do("PROPFIND", homePath+"copy/", `<propfind xmlns="DAV:"><allprop/></propfind>`).Want(207).Body
	if strings.Contains(body, "resource-id") {
		t.Errorf("DAV:allprop contains resource-id: %s", body)
	}
	f.dav.Do("PUT", homePath+"copy/moved.ics", event("tea", "SUMMARY:New")).Want(204)
	if got := seen[id(homePath+"copy/moved.ics")]; got != homePath+"copy/moved.ics" {
		t.Errorf("a new version has another resource-id than before")
	}
}
