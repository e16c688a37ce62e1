package world

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Every response has X-Content-Type-Options: nosniff: documents, errors of every kind, pages,
// redirections, files and CalDAV.
func TestEveryResponseHasNosniff(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, op, unauthenticated := s.Member("ann"), s.Member("op"), s.Unauthenticated()
	thread := ann.SendMessage("op", "Hello")
	calendar := ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	feed := ann.Do("POST", "/world/calendars/"+calendar+"/feed").Want(201).Str("feed.path")
	for _, c := range []struct {
		client       *apptest.Client
		method, path string
		body         any
		status       int
	}{
		{ann.AsRuntime(), "GET", "/world/runtime", "", 200},
		{ann, "GET", "/world/messages", "", 200},
		{ann, "HEAD", thread, "", 200},
		{ann, "POST", "/world/messages", `{"recipient": "op", "body": "x"}`, 201},
		{ann, "GET", "/world/runtime", "", 400},
		{ann, "POST", "/world/messages", `{`, 400},
		{unauthenticated, "GET", "/world/messages", "", 401},
		{ann, "GET", "/admin/members", "", 403},
		{ann, "GET", "/world/nope", "", 404},
		{ann, "GET", "/nope", "", 404},
		{ann, "PUT", "/world/messages", "", 405},
		{ann.With("Content-Type", "text/xml"), "POST", "/world/messages", "<x/>", 415},
		{ann, "POST", "/world/messages", `{"recipient": "ann", "body": "x"}`, 422},
		{op, "GET", "/admin/members", "", 200},
		{ann.AsService(), "GET", "/messages", "", 200},
		{unauthenticated, "GET", "/world/schemas", "", 200},
		{unauthenticated, "GET", "/health", "", 200},
		{unauthenticated, "GET", "/ready", "", 200},
		{unauthenticated, "GET", "/ready/messages", "", 200},
		{unauthenticated, "GET", "/world/login", "", 200},
		{unauthenticated, "GET", "/account", "", 303},
		{ann, "GET", "/account", "", 200},
		{ann, "GET", "/world/calendars/" + calendar + "/export", "", 200},
		{unauthenticated, "GET", feed, "", 200},
		{unauthenticated, "GET", "/.well-known/caldav", "", 301},
		{unauthenticated, "PROPFIND", "/caldav/", "", 401},
		{ann.Basic(), "OPTIONS", "/caldav/", "", 200},
		{ann.Basic().With("Depth", "0"), "PROPFIND", "/caldav/", "", 207},
		{ann.Basic(), "PUT", ann.DefaultCalendar() + "x.ics", "nonsense", 403},
		{ann.Basic(), "GET", ann.DefaultCalendar() + "none.ics", "", 404},
	} {
		a := c.client.Do(c.method, c.path, c.body)
		wantNosniff(t, a)
		if a.Status != c.status {
			t.Errorf("%s %s: got status %d, want %d: %.200s", c.method, c.path, a.Status, c.status, a.Body)
		}
	}
	for _, route := range s.App.HTTP.Routes() {
		method, path, found := strings.Cut(strings.NewReplacer("{$}", "", "...}", "", "{", "", "}", "").Replace(route.Pattern), " ")
		if !found {
			method, path = "PROPFIND", method
		}
		if path != "/world/stream" { // a stream does not end
			wantNosniff(t, ann.Do(method, path))
		}
		wantNosniff(t, unauthenticated.Do(method, path))
	}
}

func wantNosniff(t *testing.T, a *apptest.Answer) {
	t.Helper()
	if got := a.Header.Get("X-Content-Type-Options"); got != "nosniff" {
		t.Errorf("%s: got X-Content-Type-Options %q with status %d, want nosniff", a.About, got, a.Status)
	}
}
