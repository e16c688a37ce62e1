package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/config"
	"appliance/store"
	"appliance/svc/calendar/collection"
)

const folder = "/caldav/1/calendars/notes/"

func proppatch(name, value string) string {
	return fmt.Sprintf(`<propertyupdate xmlns="DAV:"><set><prop><%s xmlns="urn:example">%s</%[1]s></prop></set></propertyupdate>`, name, value)
}

// What is kept of dead properties is bounded, and a patch that is too much
// changes nothing.
func TestDeadPropertiesAreBounded(t *testing.T) {
	h := open(t)
	ann := h.member("ann").basic()
	ann.do("MKCOL", folder).want(201)
	for _, at := range []string{"/caldav/1/calendars/", folder} {
		long := strings.Repeat("x", 15_000)
		for _, name := range []string{"a", "b", "c", "d"} {
			ann.do("PROPPATCH", at, proppatch(name, long)).want(207)
		}
		ann.do("PROPPATCH", at, proppatch("e", long)).want(507)
		ann.do("PROPPATCH", at, proppatch("a", "short")).want(207)
		ann.do("PROPPATCH", at, proppatch("e", long)).want(207)
		if a := ann.do("PROPPATCH", at, proppatch("f", strings.Repeat("x", 17_000))).want(207); !strings.Contains(a.body, "507 Insufficient Storage") {
			t.Errorf("a property that is too long: %s", a.body)
		}
		got := ann.with("Depth", "0").do("PROPFIND", at, `<propfind xmlns="DAV:" xmlns:x="urn:example"><prop><x:a/><x:e/><x:f/></prop></propfind>`).want(207)
		if !strings.Contains(got.body, ">short<") || strings.Count(got.body, long) != 1 || !strings.Contains(got.body, "<X:f") {
			t.Errorf("kept are %.300s", got.body)
		}
	}
	var many strings.Builder
	for n := range 101 {
		fmt.Fprintf(&many, `<p%d xmlns="urn:example"/>`, n)
	}
	ann.do("PROPPATCH", folder, `<propertyupdate xmlns="DAV:"><set><prop>`+many.String()+`</prop></set></propertyupdate>`).want(507)
}

// Files are their member's alone, count as theirs, and go with them.
func TestFilesAreTheirMembers(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	ann.basic().do("MKCOL", folder).want(201)
	ann.basic().do("PUT", folder+"list.txt", "milk").want(201)
	ann.basic().do("PROPPATCH", folder+"list.txt", proppatch("mood", "good")).want(207)
	ann.basic().do("PUT", folder+"large.bin", strings.Repeat("x", 1<<20+1)).want(403)
	for _, method := range []string{"GET", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "COPY", "MOVE", "MKCOL", "REPORT"} {
		bea.basic().with("Destination", "/caldav/2/calendars/notes/").do(method, folder+"list.txt").want(404)
		bea.basic().with("Destination", "/caldav/2/calendars/notes/").do(method, folder).want(404)
	}
	bea.basic().do("MKCOL", "/caldav/2/calendars/hers/").want(201)
	bea.basic().with("Destination", folder+"hers/").do("COPY", "/caldav/2/calendars/hers/").want(409)

	// A calendar and a plain collection are in each other's way.
	ann.basic().do("MKCALENDAR", folder).want(403)
	ann.basic().do("MKCALENDAR", "/caldav/1/calendars/garden/").want(201)
	ann.basic().do("MKCOL", "/caldav/1/calendars/garden/").want(405)
	ann.basic().do("DELETE", "/caldav/1/calendars/garden/").want(204)
	ann.basic().do("MKCOL", "/caldav/1/calendars/garden/").want(201)

	count := func() (n int) {
		h.see(func(tx *store.Tx) error {
			files, err := h.collections.Files(tx, ann.viewer(), "")
			n = len(files)
			return err
		})
		return n
	}
	viewer := ann.viewer()
	if count() != 2 {
		t.Errorf("there are %d plain collections", count())
	}
	err := h.db.Write(t.Context(), func(tx *store.Tx) error { return h.calendar.MemberDeleted(tx, viewer.Member()) })
	if err != nil {
		t.Fatal(err)
	}
	if count() != 0 {
		t.Error("files of a member who left are there")
	}
}

// A member may keep so much and no more; what is refused changes nothing.
func TestTheRoomForFilesIsBounded(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	viewer := ann.viewer()
	yes := func(string) error { return nil }
	write := func(fn func(tx *store.Tx) error) error {
		return h.db.Write(t.Context(), fn)
	}
	data := make([]byte, 1<<20)
	err := write(func(tx *store.Tx) error {
		if err := h.collections.MakeCollection(tx, viewer, "a"); err != nil {
			return err
		}
		for n := range collection.MaxFileBytes/len(data) - 1 {
			if _, _, err := h.collections.PutFile(tx, viewer, fmt.Sprint("a/", n), "x/y", data[:len(data)-1], yes); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	basic := ann.basic()
	basic.do("PUT", "/caldav/1/calendars/a/last", string(data)).want(201)
	basic.do("PUT", "/caldav/1/calendars/a/more", string(data)).want(507)
	basic.with("Destination", "/caldav/1/calendars/b/").do("COPY", "/caldav/1/calendars/a/").want(507)
	basic.with("Depth", "0").do("PROPFIND", "/caldav/1/calendars/b/").want(404)
	basic.with("Destination", "/caldav/1/calendars/b/").do("MOVE", "/caldav/1/calendars/a/").want(201)
	a := basic.with("Depth", "1").do("PROPFIND", "/caldav/1/calendars/b/", `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`).want(207)
	if n := strings.Count(a.body, "<D:getetag>"); n != collection.MaxFileBytes/len(data) {
		t.Errorf("%d files have moved", n)
	}
}

// PT-28 for homes: whoever replays what a home says has changed, in whatever
// portions, knows what there is.
func TestReplayingTheChangesOfAHome(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.RateLimits = map[string]int{"reads": 0, "writes": 0} })
	ann := h.member("ann")
	basic, viewer := ann.basic(), ann.viewer()
	d := newDice(6578)
	known, token := map[string]bool{}, ""
	for range 120 {
		at := "/caldav/1/calendars/" + pick(d, "a", "b", "c", "d") + "/"
		switch d.IntN(5) {
		case 0:
			basic.do("MKCALENDAR", at)
		case 1:
			basic.do("MKCOL", at)
		case 2:
			basic.do("DELETE", at)
		case 3:
			basic.with("Destination", "/caldav/1/calendars/"+pick(d, "a", "b", "c", "d")+"/").do("MOVE", at)
		case 4:
			basic.do("PUT", at+"x.ics", vevent("x", "DTSTART:20261201T150000Z", fmt.Sprint("SUMMARY:", d.IntN(100))))
		}
		if d.one(2) {
			continue
		}
		for limit := d.IntN(3); ; {
			var c collection.HomeChanges
			h.see(func(tx *store.Tx) (err error) {
				c, err = h.collections.HomeChanges(tx, viewer, token, limit)
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
		h.see(func(tx *store.Tx) error {
			calendars, err := h.calendar.Calendars(tx, viewer)
			if err != nil {
				return err
			}
			files, err := h.collections.Files(tx, viewer, "")
			if err != nil {
				return err
			}
			for _, c := range calendars {
				there = append(there, c.Segment)
			}
			for _, f := range files {
				there = append(there, f.Path)
			}
			now, err = h.collections.HomeToken(tx, viewer)
			return err
		})
		if len(known) != len(there) || slices.ContainsFunc(there, func(s string) bool { return !known[s] }) || token != now {
			t.Fatalf("a client knows %v at %s, there is %v at %s", known, token, there, now)
		}
	}
}
