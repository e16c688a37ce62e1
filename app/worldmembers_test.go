package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"appliance/app/config"
)

// Whoever a body, a query or a header names as the one who writes, it is the one
// who is signed in. Covers W-04 and X-06.
func TestWhoeverIsSignedInWrites(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	ann.community(`{"name": "Family"}`, bea)
	thread, conversation := ann.tell("bea", "Hello"), ann.converse("Trip")
	id := fmt.Sprint(cid.id)
	as := ann.with("X-Service-Member-Id", id)
	names := []string{"sender_identity_user_id", "sender", "from", "member_id", "user_id", "current_identity_user_id", "author", "created_by", "host", "owner_id"}
	for _, w := range []struct{ method, path, body, writer string }{
		{"POST", "/world/messages", `"recipient": "bea", "body": "By Ann"`, "message.sender_identity_user_id"},
		{"POST", thread + "/messages", `"body": "By Ann"`, "message.sender_identity_user_id"},
		{"POST", "/world/social/dms", `"recipient": "bea", "body": "By Ann"`, "message.sender_identity_user_id"},
		{"POST", "/world/social/conversations", `"title": "By Ann", "body": "x", "context": {"kind": "open"}`, "conversation.author.id"},
		{"POST", "/world/social/conversations/" + conversation + "/replies", `"body": "By Ann"`, "reply.author.id"},
		{"POST", "/world/social/communities", `"name": "By Ann"`, "community.created_by"},
		{"POST", "/world/social/events", `"title": "By Ann", "start": "2026-12-01T18:00:00", "visibility": "invited"`, "event.host.id"},
		{"POST", "/world/social/presence", `"state": "online"`, "presence.member_id"},
		{"PATCH", "/world/social/profile", `"bio": "By Ann"`, "profile.member_id"},
		{"POST", "/world/time/objects", `"object_type": "task", "title": "By Ann"`, ""},
		{"POST", "/world/calendars", `"name": "By Ann"`, ""},
	} {
		body := "{" + w.body
		for _, name := range names {
			body += fmt.Sprintf(", %q: %s", name, id)
		}
		a := as.do(w.method, w.path+"?member_id="+id+"&user_id="+id, body+"}")
		if a.status >= 300 || w.writer != "" && fmt.Sprint(a.at(w.writer)) != fmt.Sprint(ann.id) {
			t.Errorf("%s: %d %s", w.path, a.status, a.body)
		}
	}
	for _, path := range []string{"/world/calendars", "/world/time/objects", "/world/messages", "/world/social/dms", "/world/social/communities"} {
		if a := ann.do("GET", path).want(200); !strings.Contains(a.body, "By Ann") {
			t.Errorf("%s is not Ann's: %s", path, a.body)
		}
		if a := cid.do("GET", path).want(200); strings.Contains(a.body, "By Ann") {
			t.Errorf("%s is Cid's by now: %s", path, a.body)
		}
	}
}

// Members do not change what the others see. Covers W-17, W-05 and PT-07.
func TestMembersAreWorldsApart(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann").runtime(), h.member("bea")
	ann.settle()
	see := func() string {
		rt := ann.do("GET", "/world/runtime").want(200).body
		dav := ann.basic().with("Depth", "1").do("PROPFIND", ann.defaultCalendar()).want(207).body
		return rt + dav + ann.do("GET", "/world/calendars").body + ann.do("GET", "/world/time/objects").body
	}
	before := see()
	bea.settle()
	id := bea.do("POST", "/world/calendars", `{"name": "x"}`).str("calendar.id")
	bea.do("PATCH", "/world/calendars/"+id, `{"color": "#000000"}`).want(200)
	bea.do("DELETE", "/world/calendars/"+id).want(200)
	for _, path := range []string{ann.defaultCalendar(), "/caldav/1/", "/caldav/1/calendars/"} {
		bea.basic().with("Depth", "0").do("PROPFIND", path).want(404)
		bea.basic().do("DELETE", path).want(404)
	}
	bea.basic().do("PUT", ann.defaultCalendar()+"x.ics", vevent("x", "DTSTART:20261201T090000Z")).want(404)
	bea.basic().do("MKCALENDAR", "/caldav/1/calendars/y/").want(404)
	if see() != before {
		t.Error("what Bea did shows in Ann's world")
	}
	if got := ann.with("X-Service-Member-Id", "2").do("GET", "/world/runtime").body; got != ann.do("GET", "/world/runtime").body {
		t.Error("a header made Ann somebody else")
	}
}

// No answer, no line of the log and no cell of the database holds what signs
// somebody in. Covers I-19, I-26, I-27, W-24, PT-08.
func TestNoSecretsAnywhere(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.ServiceKey = "the key of the services" })
	op := h.member("op").runtime()
	device := op.do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).want(201).str("device_password.password")
	code := h.newSetupCode()
	h.nobody().do("GET", "/setup?code="+code)
	h.nobody().do("GET", "/world/reset/"+code)
	h.nobody().do("POST", "/identity/login", map[string]any{"login": "op", "password": "a guess that is wrong"})
	op.settle()
	h.nobody().do("GET", "/identity/members").want(404)
	secrets := []string{op.token, strings.TrimPrefix(op.token, "svc_"), password, device, strings.ReplaceAll(device, "-", ""), code, "a guess that is wrong", h.settings.ServiceKey}
	for _, path := range []string{
		"/world/runtime", "/world/session", "/world/translated", "/world/panels/find", "/world/identity/me", "/world/identity/sessions", "/world/identity/device-passwords", "/world/identity/export",
		"/world/calendars", "/world/time/objects", "/admin/members", "/account", "/help/", "/health", "/ready",
	} {
		a := op.do("GET", path).want(200)
		for _, s := range secrets {
			if strings.Contains(a.body, s) || strings.Contains(fmt.Sprint(a.header), s) {
				t.Errorf("GET %s answers with a secret", path)
			}
		}
	}
	if err := h.db.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(h.settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range secrets {
		if strings.Contains(string(file), s) {
			t.Errorf("the database holds %.8s…", s)
		}
		if strings.Contains(h.log.String(), s) {
			t.Errorf("the log holds %.8s…", s)
		}
	}
	if strings.Contains(h.log.String(), "Choir") || strings.Contains(h.log.String(), "example.org") {
		t.Error("the log says what members wrote, or their addresses")
	}
}

// Types of the wire are never null where they should be empty (PT-04).
func TestEmptyIsNotNull(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	ann.settle()
	nullable := []string{
		"world_object_id", "updated_at", "selected_message_thread", "position", "last_focused_at", "fallback", "origin", "location", "source_url",
		"contract", "default", "date", "date_time", "timezone", "utc", "start", "end", "due", "completed_at", "recurrence_id", "rrule", "selected_thread", "previous_cursor",
		"occurrence", "source_service", "source_object_type", "source_object_id", "next_cursor", "last_used_at", "used_at", "member_id", "last_seen_at", "previous", "next", "expires_at",
		"circle", "presence", "entry_surface_id", "community_id", "circle_depth", "capacity", "latitude", "longitude", "focused_surface_id",
	}
	h.member("bea").tell("ann", "Hello")
	for _, path := range []string{
		"/world/messages", "/world/messages?q=hello", "/world/panels/messages", "/world/panels/messages/rail",
		"/world/session", "/world/translated", "/world/panels/find",
		"/world/runtime", "/world/panels/time", "/world/panels/time?view=week", "/world/calendars", "/world/time/objects", "/world/identity/export", "/world/identity/sessions",
	} {
		var v any
		if err := json.Unmarshal([]byte(ann.do("GET", path).want(http.StatusOK).body), &v); err != nil {
			t.Fatal(err)
		}
		noNulls(t, path, "", v, nullable)
	}
}

func noNulls(t *testing.T, path, key string, v any, nullable []string) {
	t.Helper()
	switch v := v.(type) {
	case nil:
		if !slices.Contains(nullable, key) {
			t.Errorf("%s: %s is null", path, key)
		}
	case map[string]any:
		for k, child := range v {
			noNulls(t, path, k, child, nullable)
		}
	case []any:
		for _, child := range v {
			noNulls(t, path, key, child, nullable)
		}
	}
}

// World says of every object what its member may do, in so many words. Covers
// W-14 and T-28: a reminder is there to be read, and nothing is ever sent.
func TestPermissionsAreSaid(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	ann.settle()
	objects := ann.runtime().do("GET", "/world/runtime").want(200).list("objects")
	for _, o := range objects {
		permissions, ok := dig(o, "permissions").(map[string]any)
		if !ok || len(permissions) == 0 {
			t.Errorf("%v has no permissions", dig(o, "title"))
		}
		for name, value := range permissions {
			if _, ok := value.(bool); !ok {
				t.Errorf("%s of %v is %v", name, dig(o, "title"), value)
			}
		}
	}
	if len(objects) == 0 {
		t.Error("there are no objects")
	}
}

// Whoever is not signed in any more is told so in the same way everywhere, and
// changes nothing. Covers W-18 and E-01.
func TestEndedSessionsChangeNothing(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	task := ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).want(201).str("object.id")
	ann.do("POST", "/identity/logout").want(200)
	ended, garbage := ann, ann.with("Authorization", "Bearer garbage")
	h.unchanged("by nobody", func() {
		for _, c := range []*client{ended, garbage, h.nobody()} {
			for _, request := range []string{
				"POST /world/calendars", "POST /world/time/objects", "PATCH /world/time/objects/" + task, "DELETE /world/time/objects/" + task,
				"POST /world/identity/device-passwords", "PATCH /world/time/preferences", "DELETE /world/time/trash",
			} {
				method, path, _ := strings.Cut(request, " ")
				c.do(method, path, `{"title": "Mine now"}`).refused(401, "unauthenticated")
			}
		}
	})
}
