package world

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// A body, a query or a header that names another member as the author has no
// effect. Covers W-04 and X-06.
func TestAuthorIsTheSignedInMember(t *testing.T) {
	s := apptest.New(t)
	ann, bea, cid := s.Member("ann"), s.Member("bea"), s.Member("cid")
	ann.CreateCommunity(`{"name": "Family"}`, bea)
	thread, conversation := ann.SendMessage("bea", "Hello"), ann.StartConversation("Trip")
	id := fmt.Sprint(cid.ID)
	impersonator := ann.With("X-Service-Member-Id", id)
	authorFields := []string{"sender_identity_user_id", "sender", "from", "member_id", "user_id", "current_identity_user_id", "author", "created_by", "host", "owner_id"}
	for _, c := range []struct{ method, path, fields, author string }{
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
		body := "{" + c.fields
		for _, name := range authorFields {
			body += fmt.Sprintf(", %q: %s", name, id)
		}
		a := impersonator.Do(c.method, c.path+"?member_id="+id+"&user_id="+id, body+"}")
		if a.Status >= 300 {
			t.Errorf("%s: got status %d, want 2xx: %s", c.path, a.Status, a.Body)
		} else if c.author != "" {
			a.WantValues("", map[string]any{c.author: ann.ID})
		}
	}
	for _, path := range []string{"/world/calendars", "/world/time/objects", "/world/messages", "/world/social/dms", "/world/social/communities"} {
		if a := ann.Do("GET", path).Want(200); !strings.Contains(a.Body, "By Ann") {
			t.Errorf("%s: got %s, want the record of ann", a.About, a.Body)
		}
		if a := cid.Do("GET", path).Want(200); strings.Contains(a.Body, "By Ann") {
			t.Errorf("%s: got %s, want no record of ann", a.About, a.Body)
		}
	}
}

// Covers W-05, W-17, W-22 and PT-07.
func TestWritesOfAMemberAreInvisibleToOutsiders(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea, cem := s.Member("ann").AsRuntime(), s.Member("bea").AsRuntime(), s.Member("cem")
	ann.CreateEntries()
	bea.SendMessage("ann", "Hello")
	ann.Session() // stores the default surfaces
	read := func() map[string]string {
		bodies := map[string]string{"CalDAV": ann.Basic().With("Depth", "1").Do("PROPFIND", ann.DefaultCalendar()).Want(207).Body}
		for _, path := range append(outputPaths, "/world/calendars", "/world/time/objects", "/world/panels/find", "/world/panels/messages") {
			bodies[path] = ann.Do("GET", path).Want(200).Body
		}
		return bodies
	}
	before := read()
	bea.CreateEntries()
	id := bea.Do("POST", "/world/calendars", `{"name": "x"}`).Str("calendar.id")
	bea.Do("PATCH", "/world/calendars/"+id, `{"color": "#000000"}`).Want(200)
	bea.Do("DELETE", "/world/calendars/"+id).Want(200)
	bea.SendMessage("cem", "A secret")
	bea.ReplaceOverlay(apptest.Finding("1"))
	bea.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).Want(200)
	bea.Do("POST", apptest.StacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).Want(200)
	bea.CreateCommunity(`{"name": "Club"}`, cem)
	for path, got := range read() {
		if got != before[path] {
			t.Errorf("%s of ann after the writes of bea: got\n%s\nwant\n%s", path, got, before[path])
		}
	}
	if a := bea.Session(); strings.Count(a.Body, "A secret") != 1 || !strings.Contains(a.Body, `"finding"`) {
		t.Errorf("%s: got %s, want the message once and the finding", a.About, a.Body)
	}
}

// Covers W-17 and PT-07 for CalDAV.
func TestCollectionsOfOtherMembersAreNotFound(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea").Basic()
	s.WantUnchanged("by requests for another member's collections", func() {
		for _, path := range []string{ann.DefaultCalendar(), "/caldav/1/", "/caldav/1/calendars/"} {
			bea.With("Depth", "0").Do("PROPFIND", path).Want(404)
			bea.Do("DELETE", path).Want(404)
		}
		bea.Do("PUT", ann.DefaultCalendar()+"x.ics", apptest.VEvent("x", "DTSTART:20261201T090000Z")).Want(404)
		bea.Do("MKCALENDAR", "/caldav/1/calendars/y/").Want(404)
	})
}

// Covers W-18 and E-01.
func TestEndedSessionsAreRejectedAndChangeNothing(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	taskID := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201).Str("object.id")
	ann.Do("POST", "/identity/logout").Want(200)
	s.WantUnchanged("by unauthenticated clients", func() {
		for _, c := range []*apptest.Client{ann, ann.With("Authorization", "Bearer garbage"), s.Unauthenticated()} {
			for _, request := range []string{
				"POST /world/calendars", "POST /world/time/objects", "PATCH /world/time/objects/" + taskID, "DELETE /world/time/objects/" + taskID,
				"POST /world/identity/device-passwords", "PATCH /world/time/preferences", "DELETE /world/time/trash",
			} {
				method, path, _ := strings.Cut(request, " ")
				c.Do(method, path, `{"title": "Mine now"}`).WantError(401, "unauthenticated")
			}
		}
	})
}

// No response, no log line and no part of the database file contains a credential.
// Covers I-19, I-26, I-27, W-24 and PT-08.
func TestCredentialsAreNeverDisclosed(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.ServiceKey = "the key of the services" })
	op := s.Member("op").AsRuntime()
	device := op.Do("POST", "/world/identity/device-passwords", `{"label": "Phone"}`).Want(201).Str("device_password.password")
	code := s.SetupCode()
	const guess = "a guess that is wrong"
	s.Unauthenticated().Do("GET", "/setup?code="+code)
	s.Unauthenticated().Do("GET", "/world/reset/"+code)
	s.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "op", "password": guess})
	op.CreateEntries()
	s.Unauthenticated().Do("GET", "/identity/members").Want(404)
	secrets := map[string]string{
		"token": op.Token, "token without its prefix": strings.TrimPrefix(op.Token, "svc_"), "password": apptest.Password, "wrong password": guess,
		"device password": device, "device password without dashes": strings.ReplaceAll(device, "-", ""), "setup code": code, "service key": s.Settings.ServiceKey,
	}
	wantNone := func(about, text string) {
		t.Helper()
		for name, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s: got the %s in it, want no credential", about, name)
			}
		}
	}
	for _, path := range []string{
		"/world/runtime", "/world/session", "/world/translated", "/world/panels/find", "/world/identity/me", "/world/identity/sessions", "/world/identity/device-passwords", "/world/identity/export",
		"/world/calendars", "/world/time/objects", "/admin/members", "/account", "/help/", "/health", "/ready",
	} {
		a := op.Do("GET", path).Want(200)
		wantNone("GET "+path, a.Body+fmt.Sprint(a.Header))
	}
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(s.Settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	wantNone("the database", string(file))
	wantNone("the log", s.Log.String())
	for _, text := range []string{"Choir", "example.org"} { // texts that members wrote
		if strings.Contains(s.Log.String(), text) {
			t.Errorf("log: got %q in it, want no text of members", text)
		}
	}
}
