package caldav

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/store"
	"appliance/svc/calendar/collection"
)

const folder = "/caldav/1/calendars/notes/"

// What is kept of dead properties is bounded, and a patch that is too much
// changes nothing.
func TestDeadPropertiesAreBounded(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Basic()
	ann.Do("MKCOL", folder).Want(201)
	for _, at := range []string{"/caldav/1/calendars/", folder} {
		long := strings.Repeat("x", 15_000)
		for _, name := range []string{"a", "b", "c", "d"} {
			ann.Do("PROPPATCH", at, apptest.Proppatch(name, long)).Want(207)
		}
		ann.Do("PROPPATCH", at, apptest.Proppatch("e", long)).Want(507)
		ann.Do("PROPPATCH", at, apptest.Proppatch("a", "short")).Want(207)
		ann.Do("PROPPATCH", at, apptest.Proppatch("e", long)).Want(207)
		if a := ann.Do("PROPPATCH", at, apptest.Proppatch("f", strings.Repeat("x", 17_000))).Want(207); !strings.Contains(a.Body, "507 Insufficient Storage") {
			t.Errorf("a property that is too long: %s", a.Body)
		}
		got := ann.With("Depth", "0").Do("PROPFIND", at, `<propfind xmlns="DAV:" xmlns:x="urn:example"><prop><x:a/><x:e/><x:f/></prop></propfind>`).Want(207)
		if !strings.Contains(got.Body, ">short<") || strings.Count(got.Body, long) != 1 || !strings.Contains(got.Body, "<X:f") {
			t.Errorf("kept are %.300s", got.Body)
		}
	}
	var many strings.Builder
	for n := range 101 {
		fmt.Fprintf(&many, `<p%d xmlns="urn:example"/>`, n)
	}
	ann.Do("PROPPATCH", folder, `<propertyupdate xmlns="DAV:"><set><prop>`+many.String()+`</prop></set></propertyupdate>`).Want(507)
}

// Files are their member's alone, count as theirs, and go with them.
func TestFilesAreTheirMembers(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.Basic().Do("MKCOL", folder).Want(201)
	ann.Basic().Do("PUT", folder+"list.txt", "milk").Want(201)
	ann.Basic().Do("PROPPATCH", folder+"list.txt", apptest.Proppatch("mood", "good")).Want(207)
	ann.Basic().Do("PUT", folder+"large.bin", strings.Repeat("x", 1<<20+1)).Want(403)
	for _, method := range []string{"GET", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "COPY", "MOVE", "MKCOL", "REPORT"} {
		bea.Basic().With("Destination", "/caldav/2/calendars/notes/").Do(method, folder+"list.txt").Want(404)
		bea.Basic().With("Destination", "/caldav/2/calendars/notes/").Do(method, folder).Want(404)
	}
	bea.Basic().Do("MKCOL", "/caldav/2/calendars/hers/").Want(201)
	bea.Basic().With("Destination", folder+"hers/").Do("COPY", "/caldav/2/calendars/hers/").Want(409)

	// A calendar and a plain collection are in each other's way.
	ann.Basic().Do("MKCALENDAR", folder).Want(403)
	ann.Basic().Do("MKCALENDAR", "/caldav/1/calendars/garden/").Want(201)
	ann.Basic().Do("MKCOL", "/caldav/1/calendars/garden/").Want(405)
	ann.Basic().Do("DELETE", "/caldav/1/calendars/garden/").Want(204)
	ann.Basic().Do("MKCOL", "/caldav/1/calendars/garden/").Want(201)

	count := func() (n int) {
		h.Read(func(tx *store.Tx) error {
			files, err := h.App.Collections.Files(tx, ann.Viewer(), "")
			n = len(files)
			return err
		})
		return n
	}
	viewer := ann.Viewer()
	if count() != 2 {
		t.Errorf("there are %d plain collections", count())
	}
	err := h.DB.Write(t.Context(), func(tx *store.Tx) error { return h.App.Calendar.MemberDeleted(tx, viewer.Member()) })
	if err != nil {
		t.Fatal(err)
	}
	if count() != 0 {
		t.Error("files of a member who left are there")
	}
}

// A member may keep so much and no more; what is refused changes nothing.
func TestTheRoomForFilesIsBounded(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	viewer := ann.Viewer()
	yes := func(string) error { return nil }
	write := func(fn func(tx *store.Tx) error) error {
		return h.DB.Write(t.Context(), fn)
	}
	data := make([]byte, 1<<20)
	err := write(func(tx *store.Tx) error {
		if err := h.App.Collections.MakeCollection(tx, viewer, "a"); err != nil {
			return err
		}
		for n := range collection.MaxFileBytes/len(data) - 1 {
			if _, _, err := h.App.Collections.PutFile(tx, viewer, fmt.Sprint("a/", n), "x/y", data[:len(data)-1], yes); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	basic := ann.Basic()
	basic.Do("PUT", "/caldav/1/calendars/a/last", string(data)).Want(201)
	basic.Do("PUT", "/caldav/1/calendars/a/more", string(data)).Want(507)
	basic.With("Destination", "/caldav/1/calendars/b/").Do("COPY", "/caldav/1/calendars/a/").Want(507)
	basic.With("Depth", "0").Do("PROPFIND", "/caldav/1/calendars/b/").Want(404)
	basic.With("Destination", "/caldav/1/calendars/b/").Do("MOVE", "/caldav/1/calendars/a/").Want(201)
	a := basic.With("Depth", "1").Do("PROPFIND", "/caldav/1/calendars/b/", `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`).Want(207)
	if n := strings.Count(a.Body, "<D:getetag>"); n != collection.MaxFileBytes/len(data) {
		t.Errorf("%d files have moved", n)
	}
}

// PT-28 for homes: whoever replays what a home says has changed, in whatever
// portions, knows what there is.
func TestReplayingTheChangesOfAHome(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"reads": 0, "writes": 0} })
	ann := h.Member("ann")
	basic, viewer := ann.Basic(), ann.Viewer()
	d := apptest.NewRand(6578)
	known, token := map[string]bool{}, ""
	for range 120 {
		at := "/caldav/1/calendars/" + apptest.Pick(d, "a", "b", "c", "d") + "/"
		switch d.IntN(5) {
		case 0:
			basic.Do("MKCALENDAR", at)
		case 1:
			basic.Do("MKCOL", at)
		case 2:
			basic.Do("DELETE", at)
		case 3:
			basic.With("Destination", "/caldav/1/calendars/"+apptest.Pick(d, "a", "b", "c", "d")+"/").Do("MOVE", at)
		case 4:
			basic.Do("PUT", at+"x.ics", apptest.VEvent("x", "DTSTART:20261201T150000Z", fmt.Sprint("SUMMARY:", d.IntN(100))))
		}
		if d.OneIn(2) {
			continue
		}
		for limit := d.IntN(3); ; {
			var c collection.HomeChanges
			h.Read(func(tx *store.Tx) (err error) {
				c, err = h.App.Collections.HomeChanges(tx, viewer, token, limit)
				return err
			})
			for _, s := range c.Deleted {
				delete(known, s)
			}
			for _, s := range c.Changed {
				known[s] = true
			}
			if token = c.Token; !c.Truncated {
				break
			}
		}
		var there []string
		var now string
		h.Read(func(tx *store.Tx) error {
			calendars, err := h.App.Calendar.Calendars(tx, viewer)
			if err != nil {
				return err
			}
			files, err := h.App.Collections.Files(tx, viewer, "")
			if err != nil {
				return err
			}
			for _, c := range calendars {
				there = append(there, c.Segment)
			}
			for _, f := range files {
				there = append(there, f.Path)
			}
			now, err = h.App.Collections.HomeToken(tx, viewer)
			return err
		})
		if len(known) != len(there) || slices.ContainsFunc(there, func(s string) bool { return !known[s] }) || token != now {
			t.Fatalf("a client knows %v at %s, there is %v at %s", known, token, there, now)
		}
	}
}
