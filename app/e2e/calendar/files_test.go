package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/calendar/collection"
	"appliance/svc/calendar/dav"
)

// notesPath is the path of a plain collection.
const notesPath = homePath + "notes/"

// The dead properties of a resource have a limited total size and number, and
// each one has a limited size. A PROPPATCH beyond a limit has status 507 and
// changes nothing.
func TestDeadPropertiesBeyondALimitAreRejected(t *testing.T) {
	f := newFixture(t)
	f.dav.Do("MKCOL", notesPath).Want(201)
	long := strings.Repeat("x", 15_000)
	for _, path := range []string{homePath, notesPath} {
		for _, name := range []string{"a", "b", "c", "d"} {
			f.dav.Do("PROPPATCH", path, apptest.Proppatch(name, long)).Want(207)
		}
		f.dav.Do("PROPPATCH", path, apptest.Proppatch("e", long)).Want(507)
		f.dav.Do("PROPPATCH", path, apptest.Proppatch("a", "short")).Want(207)
		f.dav.Do("PROPPATCH", path, apptest.Proppatch("e", long)).Want(207)
		a := f.dav.Do("PROPPATCH", path, apptest.Proppatch("f", strings.Repeat("x", dav.MaxDeadProperty+1))).Want(207)
		if want := "507 Insufficient Storage"; !strings.Contains(a.Body, want) {
			t.Errorf("%s: a property of %d octets: got %s, want %s in it", path, dav.MaxDeadProperty+1, a.Body, want)
		}
		stored := f.dav.With("Depth", "0").Do("PROPFIND", path, propfind("<X:a/><X:e/><X:f/>")).Want(207).Body
		if !strings.Contains(stored, ">short<") || strings.Count(stored, long) != 1 || !strings.Contains(stored, "<X:f") {
			t.Errorf("%s: got %.300s, want the properties a and e, and f as missing", path, stored)
		}
	}
	var many strings.Builder
	for n := range 101 {
		fmt.Fprintf(&many, "<X:p%d/>", n)
	}
	f.dav.Do("PROPPATCH", notesPath, proppatch(many.String())).Want(507)
}

// Plain collections and files do not exist for another member, and are deleted
// with their owner.
func TestFilesBelongToOneMember(t *testing.T) {
	f := newFixture(t)
	bea := f.Member("bea").Basic()
	f.dav.Do("MKCOL", notesPath).Want(201)
	f.dav.Do("PUT", notesPath+"list.txt", "milk").Want(201)
	f.dav.Do("PROPPATCH", notesPath+"list.txt", apptest.Proppatch("mood", "good")).Want(207)
	f.dav.Do("PUT", notesPath+"large.bin", strings.Repeat("x", 1<<20+1)).Want(403)
	for _, method := range []string{"GET", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "COPY", "MOVE", "MKCOL", "REPORT"} {
		for _, path := range []string{notesPath, notesPath + "list.txt"} {
			bea.With("Destination", "/caldav/2/calendars/notes/").Do(method, path).Want(404)
		}
	}
	bea.Do("MKCOL", "/caldav/2/calendars/hers/").Want(201)
	bea.With("Destination", notesPath+"hers/").Do("COPY", "/caldav/2/calendars/hers/").Want(409)

	viewer := f.ann.Viewer()
	wantCollections := func(want int) {
		t.Helper()
		f.Read(func(tx *store.Tx) error {
			list, err := f.App.Collections.Files(tx, viewer, "")
			if len(list) != want {
				t.Errorf("collections: got %d, want %d: %+v", len(list), want, list)
			}
			return err
		})
	}
	wantCollections(1)
	f.Write(func(tx *store.Tx) error { _, err := f.App.Calendar.DeleteData(tx, viewer.Member(), 100); return err })
	wantCollections(0)
}

// A calendar and a plain collection cannot have the same URL.
func TestCalendarAndCollectionCannotShareAURL(t *testing.T) {
	f := newFixture(t)
	const garden = homePath + "garden/"
	f.dav.Do("MKCOL", notesPath).Want(201)
	f.dav.Do("MKCALENDAR", notesPath).Want(403)
	f.dav.Do("MKCALENDAR", garden).Want(201)
	f.dav.Do("MKCOL", garden).Want(405)
	f.dav.Do("DELETE", garden).Want(204)
	f.dav.Do("MKCOL", garden).Want(201)
}

// A PUT or COPY beyond the quota of files has status 507. A failed COPY creates
// nothing, and a MOVE needs no quota.
func TestFileQuotaIsEnforced(t *testing.T) {
	f := newFixture(t)
	viewer := f.ann.Viewer()
	data := make([]byte, 1<<20)
	files := collection.MaxFileBytes / len(data)
	f.Write(func(tx *store.Tx) error {
		if err := f.App.Collections.MakeCollection(tx, viewer, "a"); err != nil {
			return err
		}
		for n := range files - 1 {
			if _, _, err := f.App.Collections.PutFile(tx, viewer, fmt.Sprint("a/", n), "x/y", data[:len(data)-1], func(string) error { return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	f.dav.Do("PUT", homePath+"a/last", string(data)).Want(201)
	f.dav.Do("PUT", homePath+"a/more", string(data)).Want(507)
	copied := f.dav.With("Destination", homePath+"b/")
	copied.Do("COPY", homePath+"a/").Want(507)
	f.dav.With("Depth", "0").Do("PROPFIND", homePath+"b/").Want(404)
	copied.Do("MOVE", homePath+"a/").Want(201)
	list := f.dav.With("Depth", "1").Do("PROPFIND", homePath+"b/", apptest.PropfindETags).Want(207).Body
	if got := strings.Count(list, "<D:getetag>"); got != files {
		t.Errorf("files after MOVE: got %d, want %d", got, files)
	}
}
