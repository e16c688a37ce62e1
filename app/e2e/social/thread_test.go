package social

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// Covers M-01, M-02, M-03, M-12, M-16, M-17, M-18, M-25, M-26, M-29, M-30, M-39,
// L-04, X-04, X-06 and B-49.
func TestThreadAndMessageRecords(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	thread := ann.SendMessage("bea", "Hello")
	for _, recipient := range []any{bea.ID, fmt.Sprint(bea.ID), "bea@EXAMPLE.org", "BEA", "@bea", " Bea ", []any{"bea", "@bea", bea.ID}, "bea, bea@example.org"} {
		if got := ann.SendMessage(recipient, "Hello again"); got != thread {
			t.Errorf("recipient %v: got the thread %s, want %s", recipient, got, thread)
		}
	}
	if got := bea.SendMessage("ann", "Hello yourself"); got != thread {
		t.Errorf("from bea: got the thread %s, want %s", got, thread)
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	for member, title := range map[*apptest.Client]string{ann: "Bea", bea: "Ann"} {
		a := member.Do("GET", "/world/messages").Want(200)
		a.WantSchema("service.messages.thread", a.At("threads.0"))
		a.WantValues("threads.0", map[string]any{
			"id": id, "type": "message_thread", "title": title, "summary": "Hello yourself", "participant_count": 2, "message_count": 10,
			"links.self": thread, "links.messages": thread + "/messages", "actions.open_thread": thread, "actions.send_message": thread + "/messages",
			"last_message_at": "2026-11-21T09:00:00Z", "created_at": "2026-11-21T09:00:00Z", "updated_at": "2026-11-21T09:00:00Z",
			"participants.0.id": member.ID, "participants.0.is_self": true, "participants.1.is_self": false, "participants.1.display_name": title,
		})
		if n := len(a.List("threads")); n != 1 {
			t.Errorf("%s: got %d threads, want 1", member.Name, n)
		}
	}
	page := bea.Do("GET", thread+"/messages?limit=3").Want(200)
	page.WantSchema("service.messages.message", page.At("messages.2"))
	page.WantValues("messages.2", map[string]any{"sender_identity_user_id": bea.ID, "thread_id": id, "updated_at": nil, "body": "Hello yourself"})
	before := bea.Do("GET", thread+"/messages?limit=10&before="+url.QueryEscape(page.Str("page.previous_cursor"))).Want(200)
	before.WantValues("", map[string]any{"messages.0.body": "Hello", "page.previous_cursor": nil, "page.limit": 10})
	if n := len(before.List("messages")); n != 7 {
		t.Errorf("messages before the latest 3: got %d, want 7", n)
	}
	bea.Do("GET", thread).Want(200).WantValues("actions", map[string]any{"send_message": thread + "/messages", "mark_read": thread + "/read"})
}

// Covers M-04 to M-11, E-17, X-27 and PT-40.
func TestInvalidRequestsAreRejectedAndChangeNothing(t *testing.T) {
	s := apptest.New(t)
	ann, cid := s.Member("ann"), s.Member("cid")
	s.Member("bea")
	for _, email := range []string{"m1@example.org", "m2@example.org"} {
		addMember(s, email, "Mo")
	}
	thread := ann.SendMessage("bea", "Hello")
	s.WantUnchanged("by requests that are rejected", func() {
		for _, c := range []struct {
			path, body string
			status     int
			code       string
			fields     []string
		}{
			{"/world/messages", `{"recipient": "unknown", "body": "x"}`, 404, "recipient_not_found", []string{"recipient"}},
			{"/world/messages", `{"recipient": 99, "body": "x"}`, 404, "recipient_not_found", []string{"recipient"}},
			{"/world/messages", `{"recipient": "unknown, bea", "body": "x"}`, 404, "recipient_not_found", []string{"recipient"}},
			{"/world/messages", `{}`, 400, "field_required", []string{"recipient", "body"}},
			{"/world/messages", `{"recipient": null, "body": null}`, 400, "field_required", []string{"recipient", "body"}},
			{"/world/messages", `{"recipient": [], "body": "x"}`, 400, "field_required", []string{"recipient"}},
			{"/world/messages", `{"recipient": "bea", "body": " \n\t\u00a0"}`, 400, "field_required", []string{"body"}},
			{"/world/messages", `{"recipient": {"id": 2}, "body": "x"}`, 400, "malformed_body", []string{"recipient"}},
			{"/world/messages", `{"recipient": "bea", "body": 7}`, 400, "malformed_body", []string{"body"}},
			{"/world/messages", `{"recipient": "ann", "body": "x"}`, 422, "invalid_value", []string{"recipient"}},
			{"/world/messages", `{"recipient": "bea", "body": "a\u0000b"}`, 422, "invalid_value", []string{"body"}},
			{"/world/messages", `{"recipient": "bea", "body": "` + strings.Repeat("é", svc.MaxBody+1) + `"}`, 422, "too_long", []string{"body"}},
			{thread + "/messages", `{"body": null}`, 400, "field_required", []string{"body"}},
			{thread + "/read", `{"last_read_message_id": "msg_none"}`, 422, "invalid_value", []string{"last_read_message_id"}},
		} {
			ann.Do("POST", c.path, c.body).WantError(c.status, c.code).WantFields(c.fields...)
		}
		ambiguous := ann.Do("POST", "/world/messages", `{"recipient": "mo", "body": "x"}`).WantError(422, "recipient_ambiguous").WantFields("recipient")
		if n := len(ambiguous.List("error.fields.0.candidates")); n != 2 {
			t.Errorf("candidates: got %d, want 2", n)
		}
		for query, field := range map[string]string{"cursor=x": "cursor", "limit=-1": "limit", "q=" + strings.Repeat("x", 201): "q", "q=hello&cursor=x": "cursor"} {
			ann.Do("GET", "/world/messages?"+query).WantError(400, "invalid_parameter").WantFields(field)
		}
		ann.Do("GET", thread+"?before=x").WantError(400, "invalid_parameter").WantFields("before")
		for method, paths := range map[string][]string{"GET": {"", "/messages", "?peek=1"}, "POST": {"/messages", "/read"}} {
			for _, path := range paths {
				cid.Do(method, thread+path, `{"body": "x"}`).WantError(403, "thread_access_denied")
				ann.Do(method, "/world/messages/thr_none"+path, `{"body": "x"}`).WantError(404, "not_found")
				s.Unauthenticated().Do(method, thread+path, `{"body": "x"}`).WantError(401, "unauthenticated")
			}
		}
		cid.Do("GET", "/world/panels/messages?thread="+strings.TrimPrefix(thread, "/world/messages/")).WantError(403, "thread_access_denied")
		s.Unauthenticated().Do("GET", "/world/messages").WantError(401, "unauthenticated")
		s.Unauthenticated().Do("GET", "/world/messages?q=hello").WantError(401, "unauthenticated")
		s.Unauthenticated().Do("POST", "/world/messages", `{"recipient": "bea", "body": "x"}`).WantError(401, "unauthenticated")
	})
}

// addMember adds a member who never signs in.
func addMember(s *apptest.Server, email, name string) {
	s.T.Helper()
	a, err := s.App.Identity.Prepare(s.T.Context(), identity.Registration{Email: email, DisplayName: name, Password: apptest.Password})
	if err != nil {
		s.T.Fatal(err)
	}
	s.Write(func(tx *store.Tx) error {
		_, err := s.App.Identity.AddMember(tx, identity.CommandLine("test"), a)
		return err
	})
}

// Covers M-13, X-11 and B-53.
func TestThirdMemberIsRejectedWithGuidance(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	s.Member("bea")
	s.Member("cid")
	thread := ann.SendMessage("bea", "Hello")
	s.WantUnchanged("by a third member", func() {
		for _, c := range []struct {
			path string
			body any
		}{
			{"/world/messages", `{"recipient": ["bea", "cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": "bea;cid@example.org", "body": "x"}`},
			{"/world/messages", `{"recipient": [2, 3], "body": "x"}`},
			{"/world/messages", `{"recipients": ["bea", "cid"], "body": "x"}`},
			{"/world/messages", apptest.Form("recipient=bea&recipient=cid&body=x")},
			{thread + "/messages", `{"participants": ["cid"], "body": "x"}`},
			{thread + "/participants", `{"recipient": "cid"}`},
			{thread + "/participants", `{}`},
		} {
			a := ann.Do("POST", c.path, c.body).WantError(422, "thread_participants_fixed")
			a.WantValues("error.guidance", map[string]any{"kind": "use_social", "targets": "[community conversation event]"})
			want := []string{"/world/social/conversations", "/world/social/communities", "/world/social/events"}
			if got := a.Values("error.guidance.actions", "url"); !slices.Equal(got, want) {
				t.Errorf("%s %v: got the guidance %v, want %v", c.path, c.body, got, want)
			}
		}
		ann.Do("POST", "/world/messages", `{}`).Want(400).WantValues("error", map[string]any{"guidance": nil})
	})
}

// A body is stored and returned unchanged, whether it is sent as JSON or as a
// form. Covers M-41, B-87 and PT-31.
func TestBodiesAreReturnedVerbatim(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	s.Member("bea")
	for _, body := range []string{"<b>x</b> & \n", "  indented\r\n\ttwice  ", "a\u202eb\u0007\u2028c", "👩‍👩‍👧 ﷽ é", `{"a": "\u0000"}`, "1", "true"} {
		for about, request := range map[string]any{
			"JSON": map[string]any{"recipient": "bea", "body": body}, "a form": apptest.Form(url.Values{"recipient": {"bea"}, "body": {body}}.Encode()),
		} {
			a := ann.Do("POST", "/world/messages", request).Want(201)
			stored := ann.Do("GET", a.Str("thread.links.messages")+"?limit=1")
			if got := a.Str("message.body"); got != body || stored.Str("messages.0.body") != body {
				t.Errorf("%s: got %q, stored %q, want %q", about, got, stored.Str("messages.0.body"), body)
			}
		}
	}
}

// Covers B-82.
func TestSearchResultsHaveThreadAndMessage(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	thread := ann.SendMessage("bea", "Crème brûlée on Friday?")
	bea.SendInThread(thread, "Friday it is; I bring\nthe torch")
	a := ann.Do("GET", "/world/messages?limit=1&q="+url.QueryEscape("friday")).Want(200)
	a.WantSchema("service.messages.thread", a.At("results.0.thread"))
	a.WantSchema("service.messages.message", a.At("results.0.message"))
	a.WantValues("results.0", map[string]any{"thread.title": "Bea", "message.body": "Friday it is; I bring\nthe torch", "excerpt": "Friday it is; I bring the torch"})
	next := ann.Do("GET", a.Str("page.next")).Want(200)
	next.WantValues("", map[string]any{"results.0.excerpt": "Crème brûlée on Friday?", "page.next_cursor": nil})
	bea.Do("GET", "/world/messages?q=friday&cursor="+url.QueryEscape(a.Str("page.next_cursor"))).WantError(400, "invalid_parameter")
}
