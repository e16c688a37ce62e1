package social

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers O-29, B-49 and B-74: the record of a DM, with its links and actions.
func TestDMHasLinksAndActions(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	connectChain(ann, bea)
	const body = "  <b>Soup</b> & \n bread?  "
	sent := ann.Do("POST", dmsPath, map[string]any{"recipient": "@Bea", "body": body}).Want(201)
	sent.WantSchema("service.social.dm", sent.At("dm"))
	sent.WantSchema("service.social.dm_message", sent.At("message"))
	id := sent.Str("dm.id")
	path := dmsPath + "/" + id
	sent.WantValues("dm", map[string]any{
		"type": "social_dm", "title": "Bea", "summary": body, "participant_count": 2, "message_count": 1, "unread_count": 0, "can_reply": true,
		"last_message_at": "2026-11-21T09:00:00Z", "context.kind": "circle", "context.depth": 1, "context.id": nil,
		"participants.0.is_self": true, "participants.1.username": "bea", "permissions.can_add_participant": false,
		"links.self": path, "links.messages": path + "/messages",
		"actions.open_thread": path, "actions.send_message": path + "/messages", "actions.mark_read": path + "/read",
	})
	sent.WantValues("message", map[string]any{"body": body, "thread_id": id, "sender_identity_user_id": 1, "updated_at": nil})
	for _, recipient := range []any{1, "1", "ann", "ANN@example.org"} {
		a := bea.Do("POST", dmsPath, map[string]any{"recipient": recipient, "body": "Yes"}).Want(201)
		want(t, "DM with ann", a.Str("dm.id"), id)
	}
	bea.Do("POST", path+"/messages", apptest.Form("body=Please")).Want(201)
	ann.Do("GET", dmsPath).Want(200).WantValues("", map[string]any{"unread_total": 5, "actions.start_dm": dmsPath, "dms.0.title": "Bea"})
}

// Covers B-74, B-83 and PT-40.
func TestDMErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	connectChain(ann, bea)
	path := ann.SendDM(bea, strings.Repeat("ü", 8000))
	long := map[string]any{"recipient": "bea", "body": strings.Repeat("ü", 8001)}
	wantRejected(s, []rejectedRequest{
		{ann, "POST", dmsPath, `{}`, "400 field_required recipient body"},
		{ann, "POST", dmsPath, `{"recipient": {"id": 2}, "body": "x"}`, "400 malformed_body recipient"},
		{ann, "POST", dmsPath, `{"recipient": "zoe", "body": "x"}`, "404 recipient_not_found recipient"},
		{ann, "POST", dmsPath, `{"recipient": "ann", "body": "x"}`, "422 invalid_value recipient"},
		{ann, "POST", dmsPath, long, "422 too_long body"},
		{ann, "POST", path + "/messages", `{"body": ""}`, "400 field_required body"},
		{bea, "POST", path + "/read", `{"last_read_message_id": "sdmm_none"}`, "422 invalid_value last_read_message_id"},
		{bea, "GET", path + "/messages?before=x", nil, "400 invalid_parameter before"},
		{bea, "GET", dmsPath + "?cursor=x", nil, "400 invalid_parameter cursor"},
	})
	s.WantUnchanged("a DM without common ground", func() {
		ann.Do("POST", dmsPath, map[string]any{"recipient": cem.Name, "body": "Hello"}).WantError(422, "no_common_ground").WantValues("error.guidance", map[string]any{
			"kind": "use_messages", "actions.0.url": "/world/messages", "actions.0.method": "POST",
		})
	})
}

// Covers O-30, O-31 and B-02: no route shows a DM to a member who is not in it,
// and the log does not contain its text.
func TestNoRouteShowsDMsOfOtherMembers(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea, cem := s.Member("ann"), s.Member("bea"), s.Member("cem")
	ann.CreateCommunity(`{"name": "Family"}`, bea, cem)
	path := ann.SendDM(bea, "a secret")
	id := apptest.LastSegment(path)
	requests := []struct{ method, path, body string }{
		{"GET", path, ""}, {"GET", path + "/messages", ""}, {"POST", path + "/messages", `{"body": "me too"}`}, {"POST", path + "/read", `{}`},
	}
	s.WantUnchanged("requests of cem", func() {
		for _, r := range requests {
			other := strings.Replace(r.path, id, "sdm_01j00000000000000000000000", 1)
			absent := cem.Do(r.method, other, r.body).WantError(404, "not_found")
			want(t, r.method+" "+r.path, cem.Do(r.method, r.path, r.body).WantError(404, "not_found").Str("error.message"), absent.Str("error.message"))
			s.Unauthenticated().Do(r.method, r.path, r.body).WantError(401, "unauthenticated")
		}
		cem.AsService().Do("GET", strings.TrimPrefix(path, "/world")).WantError(404, "not_found")
	})
	for _, route := range []string{
		dmsPath, peoplePath, presencePath, "/world/social/profiles/1", "/world/social/circles", "/world/social/discovery/graph", activityPath,
		"/world/runtime", apptest.SessionPath, "/world/translated", "/world/identity/export", "/world/calendars", "/world/panels/social?view=dms",
	} {
		if body := cem.AsRuntime().Do("GET", route).Want(200).Body; strings.Contains(body, "secret") || strings.Contains(body, id) {
			t.Errorf("GET %s by cem: got the DM of ann and bea: %s", route, body)
		}
	}
	if log := s.Log.String(); strings.Contains(log, "secret") {
		t.Errorf("the log contains the message: %s", log)
	}
}

// Covers B-50 and B-74.
func TestOnlyOpeningMarkingAndSendingMoveTheDMReadCursor(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	connectChain(ann, bea)
	path := ann.SendDM(bea, "One")
	for _, body := range []string{"Two", "Three"} {
		ann.SendDM(bea, body)
	}
	wantUnread := func(c *apptest.Client, n int) {
		t.Helper()
		c.Do("GET", dmsPath).Want(200).WantValues("", map[string]any{"unread_total": n, "dms.0.unread_count": n})
	}
	cursor := bea.Do("GET", path+"?peek=1&limit=2").Want(200).Str("page.previous_cursor")
	bea.AsRuntime().Do("GET", "/world/runtime").Want(200) // the first read stores default surfaces
	s.WantUnchanged("reads that move no cursor", func() {
		for _, read := range []string{path + "?peek=1", path + "?before=" + cursor, path + "/messages", "/world/panels/social?view=dms&id=" + apptest.LastSegment(path)} {
			bea.Do("GET", read).Want(200)
		}
		bea.With("Sec-Purpose", "prefetch;prerender").Do("GET", path).Want(200)
		bea.Do("HEAD", path).Want(200)
		bea.AsService().Do("GET", strings.TrimPrefix(path, "/world")).Want(200)
		bea.AsRuntime().Do("GET", "/world/runtime").Want(200)
		ann.Do("GET", path).Want(200)
	})
	wantUnread(bea, 3)
	second := ann.Do("GET", path).Want(200).Str("messages.1.id")
	read := bea.Do("POST", path+"/read", map[string]any{"last_read_message_id": second}).Want(200)
	read.WantValues("", map[string]any{"dm.unread_count": 1, "message": nil})
	if len(read.List("refresh.sections")) == 0 {
		t.Errorf("marking as read: got %s, want sections to refresh", read.Body)
	}
	bea.Do("GET", path).Want(200).WantValues("", map[string]any{"dm.unread_count": 0, "messages.2.body": "Three"})
	wantUnread(bea, 0)
	bea.Do("POST", path+"/messages", `{"body": "Four"}`).Want(201)
	wantUnread(ann, 1)
	ann.Do("POST", path+"/read", "").Want(200)
	wantUnread(ann, 0)
}
