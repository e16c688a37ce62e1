package world

import (
	"testing"
	"time"

	"appliance/app/apptest"
)

// panelPaths are panels whose content depends on the writes of the tests below.
var panelPaths = []string{
	"/world/panels/time", "/world/panels/time?view=tasks", "/world/panels/messages", "/world/panels/messages/rail", "/world/panels/find",
	"/world/panels/social", "/world/panels/social?view=notifications", "/world/panels/social?view=events", "/world/panels/social?view=people",
}

// The ETag of a panel is valid until the panel changes. Covers B-102.
func TestETagOfAPanelIsValidUntilItChanges(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.CreateEntries()
	s.Ann.ReplaceOverlay(apptest.Finding("1"))
	type sent struct{ etag, body string }
	known := make(map[string]sent)
	check := func(about string) (changed int) {
		for _, path := range append(panelPaths, "/world/panels/social?view=events&id="+s.ClubEvent) {
			full := s.Ann.Do("GET", path).Want(200)
			before, seen := known[path]
			if etag := full.Header.Get("ETag"); etag == "" || full.Header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%s: %s: got the ETag %q and Cache-Control %q, want an ETag and private, no-cache", about, path, etag, full.Header.Get("Cache-Control"))
			}
			if seen {
				again := s.Ann.With("If-None-Match", before.etag).Do("GET", path)
				switch {
				case again.Status == 304 && (full.Body != before.body || again.Body != ""):
					t.Errorf("%s: %s: got status 304 with %d bytes for another panel", about, path, len(again.Body))
				case again.Status != 304:
					changed++
				}
			}
			known[path] = sent{full.Header.Get("ETag"), full.Body}
		}
		return changed
	}
	check("first read")
	if n := check("no write"); n != 0 {
		t.Errorf("without a write: got %d panels again, want none", n)
	}
	s.Clock.Advance(time.Second)
	s.Ann.Do("POST", "/world/social/events/"+s.ClubEvent+"/rsvp", `{"response": "maybe", "note": "very late"}`).Want(200)
	check("another note with the same response")
	thread := s.Bea.SendMessage("ann", "Hello")
	for name, write := range map[string]func(){
		"a message":          func() { s.Bea.SendMessage("ann", "Again") },
		"a read thread":      func() { s.Ann.Do("GET", thread).Want(200) },
		"an entry":           func() { s.Ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201) },
		"preferences":        func() { s.Ann.Do("PATCH", "/world/time/preferences", `{"week_start": "sunday"}`).Want(200) },
		"a reply":            func() { s.Bea.Reply(s.ClubConversation, "@ann Soon") },
		"read notifications": func() { s.Ann.Do("POST", "/world/social/notifications/read/all", `{}`).Want(200) },
		"a name":             func() { s.Bea.Do("PATCH", "/world/identity/me", `{"display_name": "Beatrix"}`).Want(200) },
		"a presence": func() {
			s.Cem.Do("POST", "/world/social/presence", `{"state": "online", "visible_to": "members"}`).Want(200)
		},
		"findings":              func() { s.Ann.ReplaceOverlay(apptest.Finding("2")) },
		"a search history":      func() { s.Ann.Do("POST", "/world/find/history/clear", `{}`).Want(200) },
		"a block":               func() { s.Cem.Block(s.Ann).Want(201) },
		"a new time zone":       func() { s.Ann.Do("PATCH", "/world/identity/me", `{"timezone": "Asia/Tokyo"}`).Want(200) },
		"a minute":              func() { s.Clock.Advance(time.Minute) },
		"an expired presence":   func() { s.Clock.Advance(10 * time.Minute) },
		"an hour":               func() { s.Clock.Advance(time.Hour) },
		"a day":                 func() { s.Clock.Advance(24 * time.Hour) },
		"the end of the events": func() { s.Clock.Advance(20 * 24 * time.Hour) },
	} {
		write()
		check(name)
	}
}

// A request with a valid ETag gets 304 without reading the panel. Covers B-102.
func TestUnchangedPanelsAreNotComposed(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	for _, path := range []string{"/world/panels/time", "/world/panels/messages", "/world/panels/messages/rail", "/world/panels/social"} {
		etag := s.Ann.Do("GET", path).Want(200).Header.Get("ETag")
		c := s.Ann.With("If-None-Match", etag)
		s.Queries.Take()
		c.Do("GET", path).Want(304)
		if got := s.Queries.Take(); len(got) > 1 {
			t.Errorf("%s: got the queries %v for an unchanged panel, want that of the token only", path, got)
		}
	}
}
