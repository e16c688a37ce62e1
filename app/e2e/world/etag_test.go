package world

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store/storetest"
)

// Covers B-84 for the dataset.
func TestUnchangedDatasetIs304(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann").AsRuntime(), s.Member("bea")
	ann.CreateEntries()
	etag := ann.Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
	read := func() *apptest.Answer {
		return ann.With("If-None-Match", `"other", `+etag).Do("GET", "/world/runtime")
	}
	wantUnchanged := func(about string) {
		t.Helper()
		if a := read(); a.Status != 304 || a.Body != "" || a.Header.Get("ETag") != etag {
			t.Errorf("after %s: got status %d with %d bytes and the ETag %s, want 304 without a body and the ETag %s", about, a.Status, len(a.Body), a.Header.Get("ETag"), etag)
		}
	}
	wantChanged := func(about string) {
		t.Helper()
		got := read().Want(200).Header.Get("ETag")
		if got == etag {
			t.Errorf("after %s: got the ETag %s, want another one", about, got)
		}
		etag = got
	}
	wantUnchanged("no change")
	if a := ann.With("If-None-Match", strings.TrimPrefix(etag, "W/")).Do("GET", "/world/runtime"); a.Status != 304 || a.Header.Get("ETag") != etag {
		t.Errorf("with the strong form of the ETag: got status %d and the ETag %s, want 304 and %s", a.Status, a.Header.Get("ETag"), etag)
	}
	bea.Do("POST", "/world/calendars", `{"name": "Bea's own"}`).Want(201)
	wantUnchanged("a write that only bea can see")
	s.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
	wantUnchanged("a second sign-in")
	ann.Do("POST", "/world/calendars", `{}`).Want(400)
	wantUnchanged("a rejected write")
	ann.With("If-None-Match", etag).With("X-Service-Runtime", "other/2").Do("GET", "/world/runtime").Want(200)
	ann.With("If-None-Match", etag).Do("GET", "/world/runtime?lat=1&lon=2").Want(200)
	ann.Basic().Do("PUT", ann.DefaultCalendar()+"new.ics", apptest.VEvent("new", "DTSTART:20261121T093000Z", "DTEND:20261121T094500Z", "SUMMARY:Soon")).Want(201)
	wantChanged("a PUT over CalDAV")
	s.Clock.Set(storetest.Start.Add(44 * time.Minute))
	wantChanged("the end of an occurrence")
	bea.Do("PATCH", "/world/identity/me", `{"display_name": "B"}`).Want(200)
	wantChanged("a write that every member can see")
}

// Covers B-84 for the session and the translated output.
func TestUnchangedSessionIs304(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea := s.Member("ann").AsRuntime(), s.Member("bea")
	for _, path := range []string{apptest.SessionPath, "/world/translated"} {
		ann.Do("GET", path).Want(200) // stores the default surfaces
		etag := ann.Do("GET", path).Want(200).Header.Get("ETag")
		again := ann.With("If-None-Match", etag)
		if a := again.Do("GET", path); a.Status != 304 || a.Body != "" || etag == "" {
			t.Errorf("%s: got status %d with %d bytes and the ETag %q, want 304 without a body", path, a.Status, len(a.Body), etag)
		}
		bea.Do("POST", "/world/calendars", `{"name": "Bea's own"}`).Want(201)
		again.Do("GET", path).Want(304)
		again.Do("GET", path+"?radius=500").Want(200)
		bea.SendMessage("ann", "Hello")
		if a := again.Do("GET", path).Want(200); !strings.Contains(a.Body, "Hello") {
			t.Errorf("%s: got\n%s\nwant the new message", path, a.Body)
		}
	}
}

// Badges are part of the session: its ETag changes with a write of another member, and at
// midnight. Covers B-106.
func TestBadgesChangeTheETagOfTheSession(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann").AsRuntime(), s.Member("bea")
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes", "due": "2026-11-22", "all_day": true}`).Want(201)
	ann.Session() // stores the default surfaces
	etag := ann.Do("GET", apptest.SessionPath).Want(200).Header.Get("ETag")
	wantBadge := func(about, item string, want any) {
		t.Helper()
		a := ann.With("If-None-Match", etag).Do("GET", apptest.SessionPath).Want(200)
		etag = a.Header.Get("ETag")
		for _, entry := range a.List("shell.dock.items") {
			if got := apptest.At(entry, "badge"); apptest.At(entry, "id") == item && fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("after %s: got the badge %v, want %v", about, got, want)
			}
		}
		ann.With("If-None-Match", etag).Do("GET", apptest.SessionPath).Want(304)
	}
	thread := bea.SendMessage("ann", "Hello")
	wantBadge("a message", "messages", map[string]any{"count": 1, "kind": "unread"})
	ann.Do("POST", thread+"/read").Want(200)
	wantBadge("reading it", "messages", nil)
	s.Clock.Set(time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC))
	wantBadge("midnight", "time", map[string]any{"count": 1, "kind": "due"})
}

// The end of a presence and the end of an event change the outputs without a write.
// Covers B-84.
func TestOutputsChangeWithTime(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann").AsRuntime(), s.Member("bea")
	bea.Do("POST", "/world/social/presence", `{"state": "online", "visible_to": "members", "ttl_seconds": 60}`).Want(200)
	ann.Do("POST", "/world/social/events", `{"title": "Tea", "start": "2026-11-21T08:30:00", "end": "2026-11-21T09:01:00", "timezone": "UTC"}`).Want(201)
	etags := make(map[string]string)
	for _, path := range outputPaths {
		ann.Do("GET", path).Want(200) // stores the default surfaces
		etags[path] = ann.Do("GET", path).Want(200).Header.Get("ETag")
		ann.With("If-None-Match", etags[path]).Do("GET", path).Want(304)
	}
	s.Clock.Advance(61 * time.Second)
	for path, etag := range etags {
		ann.With("If-None-Match", etag).Do("GET", path).Want(200)
	}
}
