package world

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Whoever a body, a query or a header names as the one who writes, it is the one
// who is signed in. Covers W-04 and X-06.
func TestWhoeverIsSignedInWrites(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	ann.CreateCommunity(`{"name": "Family"}`, bea)
	thread, conversation := ann.SendMessage("bea", "Hello"), ann.StartConversation("Trip")
	id := fmt.Sprint(cid.ID)
	as := ann.With("X-Service-Member-Id", id)
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
		a := as.Do(w.method, w.path+"?member_id="+id+"&user_id="+id, body+"}")
		if a.Status >= 300 || w.writer != "" && fmt.Sprint(a.At(w.writer)) != fmt.Sprint(ann.ID) {
			t.Errorf("%s: %d %s", w.path, a.Status, a.Body)
		}
	}
	for _, path := range []string{"/world/calendars", "/world/time/objects", "/world/messages", "/world/social/dms", "/world/social/communities"} {
		if a := ann.Do("GET", path).Want(200); !strings.Contains(a.Body, "By Ann") {
			t.Errorf("%s is not Ann's: %s", path, a.Body)
		}
		if a := cid.Do("GET", path).Want(200); strings.Contains(a.Body, "By Ann") {
			t.Errorf("%s is Cid's by now: %s", path, a.Body)
		}
	}
}

// Members do not change what the others see. Covers W-17, W-05 and PT-07.
func TestMembersAreWorldsApart(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann").Runtime(), h.Member("bea")
	ann.CreateEntries()
	see := func() string {
		rt := ann.Do("GET", "/world/runtime").Want(200).Body
		dav := ann.Basic().With("Depth", "1").Do("PROPFIND", ann.DefaultCalendar()).Want(207).Body
		return rt + dav + ann.Do("GET", "/world/calendars").Body + ann.Do("GET", "/world/time/objects").Body
	}
	before := see()
	bea.CreateEntries()
	id := bea.Do("POST", "/world/calendars", `{"name": "x"}`).Str("calendar.id")
	bea.Do("PATCH", "/world/calendars/"+id, `{"color": "#000000"}`).Want(200)
	bea.Do("DELETE", "/world/calendars/"+id).Want(200)
	for _, path := range []string{ann.DefaultCalendar(), "/caldav/1/", "/caldav/1/calendars/"} {
		bea.Basic().With("Depth", "0").Do("PROPFIND", path).Want(404)
		bea.Basic().Do("DELETE", path).Want(404)
	}
	bea.Basic().Do("PUT", ann.DefaultCalendar()+"x.ics", apptest.VEvent("x", "DTSTART:20261201T090000Z")).Want(404)
	bea.Basic().Do("MKCALENDAR", "/caldav/1/calendars/y/").Want(404)
	if see() != before {
		t.Error("what Bea did shows in Ann's world")
	}
	if got := ann.With("X-Service-Member-Id", "2").Do("GET", "/world/runtime").Body; got != ann.Do("GET", "/world/runtime").Body {
		t.Error("a header made Ann somebody else")
	}
}

// No answer, no line of the log and no cell of the database holds what signs
// somebody in. Covers I-19, I-26, I-27, W-24, PT-08.
func TestNoSecretsAnywhere(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServiceKey = "the key of the services" })
	op := h.Member("op").Runtime()
	device := op.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.password")
	code := h.App.Setup.NewCode()
	h.Unauthenticated().Do("GET", "/setup?code="+code)
	h.Unauthenticated().Do("GET", "/world/reset/"+code)
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "op", "password": "a guess that is wrong"})
	op.CreateEntries()
	h.Unauthenticated().Do("GET", "/identity/members").Want(404)
	secrets := []string{op.Token, strings.TrimPrefix(op.Token, "svc_"), apptest.Password, device, strings.ReplaceAll(device, "-", ""), code, "a guess that is wrong", h.Settings.ServiceKey}
	for _, path := range []string{
		"/world/runtime", "/world/session", "/world/translated", "/world/panels/find", "/world/identity/me", "/world/identity/sessions", "/world/identity/device-passwords", "/world/identity/export",
		"/world/calendars", "/world/time/objects", "/admin/members", "/account", "/help/", "/health", "/ready",
	} {
		a := op.Do("GET", path).Want(200)
		for _, s := range secrets {
			if strings.Contains(a.Body, s) || strings.Contains(fmt.Sprint(a.Header), s) {
				t.Errorf("GET %s answers with a secret", path)
			}
		}
	}
	if err := h.DB.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(h.Settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range secrets {
		if strings.Contains(string(file), s) {
			t.Errorf("the database holds %.8s…", s)
		}
		if strings.Contains(h.Log.String(), s) {
			t.Errorf("the log holds %.8s…", s)
		}
	}
	if strings.Contains(h.Log.String(), "Choir") || strings.Contains(h.Log.String(), "example.org") {
		t.Error("the log says what members wrote, or their addresses")
	}
}

// Types of the wire are never null where they should be empty (PT-04).
func TestEmptyIsNotNull(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
	ann.CreateEntries()
	nullable := []string{
		"world_object_id", "updated_at", "selected_message_thread", "position", "last_focused_at", "fallback", "origin", "location", "source_url",
		"contract", "default", "date", "date_time", "timezone", "utc", "start", "end", "due", "completed_at", "recurrence_id", "rrule", "selected_thread", "previous_cursor",
		"occurrence", "source_service", "source_object_type", "source_object_id", "next_cursor", "last_used_at", "used_at", "member_id", "last_seen_at", "previous", "next", "expires_at",
		"circle", "presence", "entry_surface_id", "community_id", "circle_depth", "capacity", "latitude", "longitude", "focused_surface_id",
	}
	h.Member("bea").SendMessage("ann", "Hello")
	for _, path := range []string{
		"/world/messages", "/world/messages?q=hello", "/world/panels/messages", "/world/panels/messages/rail",
		"/world/session", "/world/translated", "/world/panels/find",
		"/world/runtime", "/world/panels/time", "/world/panels/time?view=week", "/world/calendars", "/world/time/objects", "/world/identity/export", "/world/identity/sessions",
	} {
		var v any
		if err := json.Unmarshal([]byte(ann.Do("GET", path).Want(http.StatusOK).Body), &v); err != nil {
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
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.CreateEntries()
	objects := ann.Runtime().Do("GET", "/world/runtime").Want(200).List("objects")
	for _, o := range objects {
		permissions, ok := apptest.At(o, "permissions").(map[string]any)
		if !ok || len(permissions) == 0 {
			t.Errorf("%v has no permissions", apptest.At(o, "title"))
		}
		for name, value := range permissions {
			if _, ok := value.(bool); !ok {
				t.Errorf("%s of %v is %v", name, apptest.At(o, "title"), value)
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
	h := apptest.New(t)
	ann := h.Member("ann")
	task := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201).Str("object.id")
	ann.Do("POST", "/identity/logout").Want(200)
	ended, garbage := ann, ann.With("Authorization", "Bearer garbage")
	h.WantUnchanged("by nobody", func() {
		for _, c := range []*apptest.Client{ended, garbage, h.Unauthenticated()} {
			for _, request := range []string{
				"POST /world/calendars", "POST /world/time/objects", "PATCH /world/time/objects/" + task, "DELETE /world/time/objects/" + task,
				"POST /world/identity/device-passwords", "PATCH /world/time/preferences", "DELETE /world/time/trash",
			} {
				method, path, _ := strings.Cut(request, " ")
				c.Do(method, path, `{"title": "Mine now"}`).WantError(401, "unauthenticated")
			}
		}
	})
}
