package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/httpd"
)

// routesFixture is a server with every kind of content of Social, an operator, and a
// thread of messages from bea to ann.
type routesFixture struct {
	apptest.SocialFixture
	Op     *apptest.Client
	Thread string // path
}

// in returns the fixture with clients that report failures to t.
func (f *routesFixture) in(t *testing.T) *routesFixture {
	g := *f
	server := *f.Server
	server.T = t
	g.Server = &server
	for _, c := range []**apptest.Client{&g.Ann, &g.Bea, &g.Cem, &g.Dan, &g.Op} {
		client := **c
		client.T, client.Server = t, &server
		*c = &client
	}
	return &g
}

// One server is shared by the tests of all routes. The first tests write nothing.
func TestRoutes(t *testing.T) {
	f := &routesFixture{SocialFixture: *apptest.NewSocialFixture(t)}
	f.Op = f.Member("op")
	f.Thread = f.Bea.SendMessage("ann", "Hello")
	for _, c := range []struct {
		name string
		test func(*testing.T, *routesFixture)
	}{
		{"unknown ids are not found", testUnknownIDs},
		{"lists reject invalid pages", testInvalidPages},
		{"service routes respond like those of members", testServiceRoutes},
		{"reading marks as read", testReading},
		{"messages", testMessages},
		{"direct messages", testDMs},
		{"conversations", testConversations},
		{"events", testEvents},
		{"communities", testCommunities},
		{"people", testPeople},
		{"notifications", testNotifications},
		{"panels", testPanels},
		{"operators", testOperators},
		{"regions and providers", testRegionsAndProviders},
		{"account", testAccount},
		{"second factor", testSecondFactor},
		{"entries", testEntries},
		{"trash and feeds", testTrashAndFeeds},
		{"surfaces", testSurfaces},
		{"search", testSearch},
		{"places", testPlaces},
		{"export", testExport},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, f.in(t)) })
	}
}

// A request of any method for an object that does not exist is answered with 404. Nothing is
// written, and the message does not reveal whether the object existed before. Covers B-02.
func testUnknownIDs(t *testing.T, f *routesFixture) {
	checked := 0
	f.WantUnchanged("requests for unknown objects", func() {
		for _, rt := range f.App.HTTP.Routes() {
			method, path := apptest.SampleRequest(rt.Pattern)
			if rt.Page || !strings.Contains(rt.Pattern, "{") || !strings.HasPrefix(path, "/world/") || (rt.Access != httpd.Member && rt.Access != httpd.Operator) {
				continue
			}
			checked++
			var body []any
			if strings.HasSuffix(path, "/import") {
				body = []any{apptest.VEvent("x", "DTSTART:20261201T090000Z")}
			}
			a := f.Op.Do(method, path, body...)
			if want, ok := otherErrors[rt.Pattern]; ok {
				a.WantError(want.status, want.code)
			} else if a.WantError(http.StatusNotFound, a.Str("error.code")); a.Str("error.message") == "" {
				t.Errorf("%s: got no message, want one", rt.Pattern)
			}
		}
	})
	if checked < 100 {
		t.Errorf("got %d routes of objects, want at least 100", checked)
	}
}

// otherErrors are the errors of routes that do not look up the object first.
var otherErrors = map[string]struct {
	status int
	code   string
}{
	// The confirmation comes first: it must not tell whether a passkey exists.
	"DELETE /world/identity/second-factor/passkeys/{id}":      {http.StatusBadRequest, "field_required"},
	"POST /world/identity/second-factor/passkeys/{id}/delete": {http.StatusBadRequest, "field_required"},
	"POST /world/messages/{id}/participants":                  {http.StatusUnprocessableEntity, "thread_participants_fixed"},
}

// A list rejects a limit that is not a positive number, an invalid cursor, and the cursor of
// another list or of another query. Covers B-02 and L-10.
func testInvalidPages(t *testing.T, f *routesFixture) {
	d := apptest.LoadOpenAPI(t, f.App.HTTP, "").Document()
	lists, own := 0, f.Ann.CreateEvent("among", "open", "start", "2026-12-20T10:00:00", "end", "2026-12-20T11:00:00")
	cursor := f.Ann.Do("GET", "/world/options/members?q=e&limit=1").Want(200).Str("page.next_cursor") // of another list, or of another query
	for path, methods := range apptest.At(d, "paths").(map[string]any) {
		parameters, _ := apptest.At(methods, "get.parameters").([]any)
		at := strings.NewReplacer("{id}", apptest.LastSegment(f.Club), "{member_id}", fmt.Sprint(f.Bea.ID)).Replace(path)
		switch {
		case strings.Contains(path, "conversations/{id}"):
			at = strings.ReplaceAll(path, "{id}", f.ClubConversation)
		case strings.Contains(path, "events/{id}"):
			at = strings.ReplaceAll(path, "{id}", own)
		case strings.Contains(path, "dms/{id}"):
			at = strings.ReplaceAll(path, "{id}", f.DM)
		case strings.HasPrefix(path, "/world/messages/{id}"):
			at = strings.Replace(path, "/world/messages/{id}", f.Thread, 1)
		}
		for _, p := range parameters {
			switch apptest.At(p, "name") {
			case "limit":
				if path == "/world/panels/operator" { // not for members
					continue
				}
				lists++
				f.Ann.Do("GET", at+"?limit=many").WantError(400, "invalid_parameter").WantFields("limit")
				if path != "/world/options/timezones" { // has one page
					f.Ann.Do("GET", at+"?limit=-1").WantError(400, "invalid_parameter").WantFields("limit")
				}
			case "cursor":
				if strings.HasPrefix(path, "/world/panels/") || path == "/world/options/timezones" { // not all have pages
					continue
				}
				f.Ann.Do("GET", at+"?cursor=!").WantError(400, "invalid_parameter").WantFields("cursor")
				f.Ann.Do("GET", at+"?cursor="+cursor).WantError(400, "invalid_parameter").WantFields("cursor")
			}
		}
	}
	if lists < 20 {
		t.Errorf("got %d lists, want at least 20", lists)
	}
}

// A service that acts on behalf of a member reads the same records as the member. It does not
// mark them as read. Covers W-06 and M-31.
func testServiceRoutes(t *testing.T, f *routesFixture) {
	paths := f.App.API.ServicePaths()
	for _, pattern := range slices.Sorted(maps.Keys(paths)) {
		path, isGet := strings.CutPrefix(pattern, "GET ")
		if !isGet {
			continue
		}
		id, client := apptest.LastSegment(f.Club), f.Ann
		switch {
		case strings.Contains(path, "conversations"):
			id = f.ClubConversation
		case strings.Contains(path, "events"):
			id, client = f.ClubEvent, f.Bea // its host
		case strings.Contains(path, "dms"):
			id = f.DM
		case strings.Contains(path, "messages"):
			id = apptest.LastSegment(f.Thread)
		case strings.Contains(path, "calendars"):
			id = f.Ann.Do("GET", "/world/calendars").Str("calendars.0.id")
		}
		fill := strings.NewReplacer("{id}", id, "{member_id}", fmt.Sprint(f.Bea.ID))
		member, service := fill.Replace(path), fill.Replace(paths[pattern])
		var got *apptest.Answer
		f.WantUnchanged(service, func() { got = client.AsService().Do("GET", service).Want(200) })
		if strings.Contains(path, "{id}") { // does not mark it as read
			member += "?peek=1"
		}
		want := client.Do("GET", member).Want(200)
		if strings.ReplaceAll(got.Body, `"`+service, `"`+strings.TrimSuffix(member, "?peek=1")) != strings.ReplaceAll(want.Body, "?peek=1", "") {
			t.Errorf("%s: got\n%.600s\nwant as from %s\n%.600s", service, got.Body, member, want.Body)
		}
		f.Ann.Do("GET", service).WantError(404, "not_found")
		f.Ann.AsService().With("X-Service-Member-Id", "").Do("GET", service).WantError(400, "member_context_required")
	}
}

// Opening an object marks its messages as read. A prefetch, a request with peek=1, a list of the
// messages and a HEAD request do not. Covers M-20 and B-50.
func testReading(t *testing.T, f *routesFixture) {
	for _, c := range []struct{ path, unread string }{
		{f.Thread, "thread.unread_count"}, {"/world/social/dms/" + f.DM, "dm.unread_count"},
		{apptest.ConversationsPath + "/" + f.ClubConversation, "conversation.unread_count"},
	} {
		look := func(about string) {
			t.Helper()
			if got := f.Ann.Do("GET", c.path+"?peek=1").Want(200).At(c.unread); got == 0.0 {
				t.Errorf("%s after %s: got nothing unread, want something", c.path, about)
			}
		}
		f.Ann.With("Sec-Purpose", "prefetch").Do("GET", c.path).Want(200)
		look("a prefetch")
		f.Ann.Do("HEAD", c.path).Want(200)
		look("a HEAD request")
		f.Ann.Do("GET", c.path+"/"+map[bool]string{true: "replies", false: "messages"}[strings.Contains(c.path, "conversations")]).Want(200)
		look("a list of the messages")
		if got := f.Ann.Do("GET", c.path).Want(200).At(c.unread); got != 0.0 {
			t.Errorf("%s after opening: got %v unread, want 0", c.path, got)
		}
		if got := f.Ann.Do("POST", c.path+"/unread", `{}`).Want(200).At(strings.TrimSuffix(c.unread, "unread_count") + "marked_unread"); got != true {
			t.Errorf("%s marked as unread: got %v, want true", c.path, got)
		}
		f.Ann.Do("POST", c.path+"/read", `{}`).Want(200)
	}
}
