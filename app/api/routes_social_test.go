package api_test

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers M-10, M-12, M-13, M-14, M-23, M-27, M-39 and M-41.
func testMessages(t *testing.T, f *routesFixture) {
	sent := f.Ann.Do("POST", f.Thread+"/messages", map[string]any{"body": "<b>x</b> & \n", "sender_identity_user_id": f.Cem.ID}).Want(201)
	sent.WantValues("message", map[string]any{"body": "<b>x</b> & \n", "sender_identity_user_id": f.Ann.ID})
	f.Ann.Do("POST", f.Thread+"/messages", `{}`).WantError(400, "field_required").WantFields("body")
	f.Ann.Do("POST", "/world/messages", `{"recipient": "nobody", "body": "x"}`).WantError(404, "recipient_not_found").WantFields("recipient")
	f.Ann.Do("POST", "/world/messages", `{"recipient": ["bea", "cem"], "body": "x"}`).Want(422)
	if a := f.Ann.Do("POST", f.Thread+"/participants", map[string]any{"member_id": f.Cem.ID}).Want(422); a.At("error.guidance") == nil {
		t.Errorf("another participant: got %s, want guidance to Social", a.Body)
	}
	for _, path := range []string{f.Thread, f.Thread + "/messages"} {
		if a := f.Cem.Do("GET", path); a.Status != 403 && a.Status != 404 || strings.Contains(a.Body, "Hello") {
			t.Errorf("%s: got status %d %s, want an error", a.About, a.Status, a.Body)
		}
	}
	if got := len(f.Cem.Do("GET", "/world/messages").Want(200).List("threads")); got != 0 {
		t.Errorf("inbox of another member: got %d threads, want none", got)
	}
	if got := f.Bea.Do("GET", "/world/messages?q=hello").Want(200).List("results"); len(got) != 1 {
		t.Errorf("search: got %d results, want 1", len(got))
	}
	if got := f.Cem.Do("GET", "/world/messages?q=hello").Want(200).List("results"); len(got) != 0 {
		t.Errorf("search of another member: got %d results, want none", len(got))
	}
	f.Ann.Do("POST", f.Thread+"/read", `{"last_read_message_id": "none"}`).WantError(422, "invalid_value").WantFields("last_read_message_id")
	page := f.Ann.Do("GET", f.Thread+"/messages?limit=1").Want(200)
	if before := f.Ann.Do("GET", page.Str("page.previous")).Want(200); before.Column("messages", "body") != "Hello" || before.At("page.previous") != nil {
		t.Errorf("page before: got %s, want the first message only", before.Body)
	}
}

// A direct message reaches its two members only, and a block ends it. Covers L-10.
func testDMs(t *testing.T, f *routesFixture) {
	path := "/world/social/dms/" + f.DM
	f.Ann.Do("POST", path+"/messages", `{"body": "Later"}`).Want(201).WantValues("", map[string]any{"dm.id": f.DM, "message.body": "Later"})
	f.Ann.Do("POST", path+"/messages", `{}`).WantError(400, "field_required").WantFields("body")
	f.Cem.Do("GET", path).WantError(404, "not_found")
	f.Cem.Do("POST", path+"/messages", `{"body": "x"}`).WantError(404, "not_found")
	page := f.Ann.Do("GET", path+"/messages?limit=1").Want(200)
	if page.Column("messages", "body") != "Later" || page.At("page.previous") == nil {
		t.Errorf("last page: got %s, want the last message and a page before", page.Body)
	}
	profile := fmt.Sprint("/world/social/profiles/", f.Bea.ID)
	if got := f.Ann.Do("POST", profile+"/dms", `{"body": "From your profile"}`).Want(201).Str("dm.id"); got != f.DM {
		t.Errorf("message from a profile: got the DM %s, want %s", got, f.DM)
	}
	f.Ann.Do("POST", "/world/social/profiles/none/dms", `{"body": "x"}`).WantError(404, "not_found")
	if got := f.Ann.Do("GET", "/world/social/dms").Want(200).Column("dms", "id"); got != f.DM {
		t.Errorf("list: got %q, want %s", got, f.DM)
	}
	f.Ann.Do("POST", profile+"/block", `{}`).Want(201)
	f.Bea.Do("POST", path+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	undo := f.Ann.Do("DELETE", fmt.Sprint("/world/social/blocks/", f.Bea.ID)).Want(200)
	f.Ann.Do(undo.Str("undo.method"), undo.Str("undo.url"), undo.At("undo.body")).Want(201)
	if got := f.Ann.Do("GET", "/world/social/blocks").Want(200).List("blocks"); len(got) != 1 {
		t.Errorf("after the undo of an unblock: got %d blocks, want 1", len(got))
	}
	f.Ann.Do("DELETE", fmt.Sprint("/world/social/blocks/", f.Bea.ID)).Want(200)
	f.Ann.Do("DELETE", "/world/social/blocks/0").WantError(404, "not_found")
}

// Closing keeps the replies and can be undone, once. Covers B-68.
func testConversations(t *testing.T, f *routesFixture) {
	id := f.Bea.StartConversation("Boats")
	path := apptest.ConversationsPath + "/" + id
	f.Ann.Reply(id, "Mine leaks")
	f.Ann.Do("PATCH", path, `{"title": "Ships"}`).WantError(403, "permission_denied")
	f.Bea.Do("PATCH", path, `{"title": "Ships"}`).Want(200).WantValues("conversation", map[string]any{"title": "Ships", "state": "open"})
	f.Ann.Do("DELETE", path).WantError(403, "permission_denied")
	closed := f.Bea.Do("DELETE", path).Want(200)
	closed.WantValues("conversation", map[string]any{"state": "closed", "reply_count": 1})
	if again := f.Bea.Do("DELETE", path).Want(200); again.At("undo") != nil {
		t.Errorf("closing twice: got the undo %v, want none", again.At("undo"))
	}
	f.Ann.Do("POST", path+"/replies", `{"body": "Hello?"}`).WantError(422, "conversation_closed")
	f.Bea.Do(closed.Str("undo.method"), closed.Str("undo.url"), closed.At("undo.body")).Want(200).WantValues("conversation", map[string]any{"state": "open"})
	f.Ann.Do("POST", path+"/replies", `{"body": "Again"}`).Want(201).WantValues("reply", map[string]any{"body": "Again"})
	if got := f.Bea.Do("GET", path+"/replies?limit=1").Want(200).Column("replies", "body"); got != "Again" {
		t.Errorf("last page: got %q, want Again", got)
	}
	f.Dan.Do("GET", apptest.ConversationsPath+"/"+f.ClubConversation).WantError(404, "not_found")
	f.Bea.Do("POST", path+"/read", `{"last_read_reply_id": "none"}`).WantError(422, "invalid_value").WantFields("last_read_reply_id")
	first := f.Ann.Do("GET", apptest.ConversationsPath+"?limit=1").Want(200)
	if next := f.Ann.Do("GET", first.Str("page.next")).Want(200); next.Column("conversations", "id") == first.Column("conversations", "id") {
		t.Errorf("second page: got the conversation of the first one again")
	}
}

// Covers L-10 and B-66 for events.
func testEvents(t *testing.T, f *routesFixture) {
	path := "/world/social/events"
	f.Ann.Do("POST", path, apptest.EventBody("end", "2026-12-24T17:00:00")).WantError(422, "end_before_start").WantFields("end")
	f.Ann.Do("POST", path, `{}`).WantError(400, "field_required")
	id := f.Ann.CreateEvent("among", "open")
	event := path + "/" + id
	f.Bea.Do("PATCH", event, `{"title": "Lunch"}`).WantError(403, "permission_denied")
	f.Ann.Do("PATCH", event, `{"title": "Supper"}`).Want(200).WantValues("event", map[string]any{"title": "Supper"})
	f.Bea.Do("POST", event+"/rsvp", `{"response": "perhaps"}`).WantError(422, "invalid_value").WantFields("response")
	f.Bea.Do("POST", event+"/rsvp", `{"response": "going", "note": "With cake"}`).Want(200).WantValues("rsvp", map[string]any{"response": "going", "note": "With cake"})
	if got := f.Ann.Do("GET", event).Want(200).Column("attendees", "response"); !strings.Contains(got, "going") {
		t.Errorf("attendees: got the responses %q, want going", got)
	}
	f.Bea.Do("POST", event+"/replies", `{"body": "What time?"}`).Want(201).WantValues("reply", map[string]any{"body": "What time?"})
	if got := f.Ann.Do("GET", event+"/replies").Want(200).Column("replies", "body"); got != "What time?" {
		t.Errorf("replies: got %q, want those of the conversation of the event", got)
	}
	f.WantUnchanged("one unknown member", func() {
		f.Ann.Do("POST", event+"/invitations", map[string]any{"recipient": []any{"cem", "nobody"}}).WantError(404, "recipient_not_found")
	})
	invited := f.Ann.Do("POST", event+"/invitations", map[string]any{"recipient": []any{"cem", "dan"}}).Want(201)
	if got := len(invited.List("invitations")); got != 2 {
		t.Errorf("got %d invitations, want 2", got)
	}
	f.Ann.Do("POST", event+"/invitations", map[string]any{"recipient": strings.Split(strings.Repeat("x,", 21), ",")[:21]}).WantError(422, "too_long").WantFields("recipient")
	f.Ann.Do("POST", event+"/invitations", `{}`).WantError(400, "field_required").WantFields("recipient")
	if got := len(f.Ann.Do("GET", event+"/invitations").Want(200).List("invitations")); got != 2 {
		t.Errorf("list: got %d invitations, want 2", got)
	}
	for _, query := range []string{"past=perhaps", "from=soon", "to=2026-13-01"} {
		name, _, _ := strings.Cut(query, "=")
		f.Ann.Do("GET", path+"?"+query).WantError(400, "invalid_parameter").WantFields(name)
	}
	if got := f.Ann.Do("GET", path+"?from=2026-12-24&to=2026-12-25").Want(200).Column("events", "title"); got != "Supper" {
		t.Errorf("on the day: got %q, want Supper", got)
	}
	if got := f.Ann.Do("GET", path+"?past=true").Want(200).List("events"); len(got) != 0 {
		t.Errorf("past events: got %d, want none", len(got))
	}
	f.Ann.Do("DELETE", event+"?purge=perhaps").WantError(400, "invalid_parameter").WantFields("purge")
	f.Ann.Do("DELETE", event).Want(200).WantValues("event", map[string]any{"status": "cancelled"})
	f.Ann.Do("DELETE", event+"?purge=true").Want(200).WantValues("", map[string]any{"deleted": true})
	f.Bea.Do("GET", event).WantError(404, "not_found")
}

// Covers L-10 for communities.
func testCommunities(t *testing.T, f *routesFixture) {
	if got := f.Dan.Do("GET", apptest.CommunitiesPath+"?mine=true").Want(200).List("communities"); len(got) != 0 {
		t.Errorf("own communities: got %d, want none", len(got))
	}
	f.Dan.Do("GET", apptest.CommunitiesPath+"?mine=perhaps").WantError(400, "invalid_parameter").WantFields("mine")
	path := f.Ann.CreateCommunity(`{"name": "Rowing", "visibility": "public", "join_policy": "open"}`)
	f.Bea.Do("PATCH", path, `{"name": "Sailing"}`).WantError(403, "permission_denied")
	f.Ann.Do("PATCH", path, `{"name": "Sailing"}`).Want(200).WantValues("community", map[string]any{"name": "Sailing"})
	f.Dan.Do("POST", path+"/join", `{}`).Want(200)
	member := fmt.Sprint(path, "/members/", f.Dan.ID)
	f.Bea.Do("PATCH", member, `{"role": "moderator"}`).Want(403)
	f.Ann.Do("PATCH", member, `{"role": "king"}`).WantError(422, "invalid_value").WantFields("role")
	f.Ann.Do("PATCH", member, `{"role": "moderator"}`).Want(200).WantValues("member", map[string]any{"role": "moderator"})
	f.Ann.Do("PATCH", path+"/members/none", `{"role": "member"}`).WantError(404, "not_found")
	f.Ann.Do("DELETE", path+"/members/none").WantError(404, "not_found")
	if got := len(f.Ann.Do("GET", path+"/members").Want(200).List("members")); got != 2 {
		t.Errorf("got %d members, want 2", got)
	}
	f.Ann.Do("DELETE", member).Want(200).WantValues("", map[string]any{"deleted": true})
	f.Dan.Do("POST", path+"/leave", `{}`).Want(200).WantValues("membership", map[string]any{"state": "removed"})
	id := f.Ann.InviteToCommunity(path, f.Cem)
	if got := f.Cem.Do("GET", "/world/social/invitations").Want(200).Body; !strings.Contains(got, id) {
		t.Errorf("invitations of the invited member: got %s, want %s", got, id)
	}
	if got := f.Ann.Do("GET", path+"/invitations").Want(200).Column("invitations", "id"); got != id {
		t.Errorf("invitations of the community: got %q, want %s", got, id)
	}
	f.Bea.AnswerInvitation(id, "accept").WantError(404, "not_found")
	f.Cem.AnswerInvitation(id, "decline").Want(200).WantValues("invitation", map[string]any{"state": "declined"})
	f.Cem.AnswerInvitation(id, "accept").WantError(422, "invitation_closed")
	f.Bea.Do("POST", f.Club+"/leave", `{}`).Want(200)
	f.Bea.Do("GET", f.Club).WantError(404, "not_found")
	f.RejoinClub()
	f.Ann.Do("DELETE", path).Want(200).WantValues("", map[string]any{"deleted": true})
	f.Ann.Do("GET", path).WantError(404, "not_found")
}

// RejoinClub makes bea a member of Club again.
func (f *routesFixture) RejoinClub() {
	f.Bea.AnswerInvitation(f.Ann.InviteToCommunity(f.Club, f.Bea), "accept").Want(200)
}

// Covers L-10 for people, circles and presence.
func testPeople(t *testing.T, f *routesFixture) {
	if got := f.Ann.Do("GET", "/world/social/people?q=be").Want(200).Column("people", "display_name"); got != "Bea" {
		t.Errorf("people: got %q, want Bea", got)
	}
	f.Cem.Block(f.Dan).Want(201)
	if got := f.Cem.Do("GET", "/world/social/people?q=dan").Want(200).List("people"); len(got) != 0 {
		t.Errorf("a blocked member: got %v, want none", got)
	}
	f.Cem.Do("DELETE", fmt.Sprint("/world/social/blocks/", f.Dan.ID)).Want(200)
	f.Ann.Do("POST", "/world/social/presence", `{"state": "asleep"}`).WantError(422, "invalid_value").WantFields("state")
	f.Ann.Do("POST", "/world/social/presence", `{"state": "away", "note": "Lunch", "ttl_seconds": 60}`).
		Want(200).WantValues("presence", map[string]any{"state": "away", "note": "Lunch"})
	f.Ann.Do("GET", "/world/social/presence").Want(200).WantValues("mine", map[string]any{"state": "away"})
	f.Ann.Do("PATCH", "/world/social/profile", `{"bio": "Rower"}`).Want(200).WantValues("profile", map[string]any{"bio": "Rower"})
	f.Ann.Do("GET", "/world/social/profile").Want(200).WantValues("profile", map[string]any{"bio": "Rower", "permissions.can_update": true})
	f.Bea.Do("GET", fmt.Sprint("/world/social/profiles/", f.Ann.ID)).Want(200).WantValues("profile", map[string]any{"permissions.can_update": false})
	if got := len(f.Ann.Do("GET", "/world/social/circles").Want(200).List("circles")); got != 3 {
		t.Errorf("got %d circles, want 3", got)
	}
	f.Ann.Do("GET", "/world/social/discovery/graph?depth=far").WantError(400, "invalid_parameter").WantFields("depth")
	f.Ann.Do("GET", "/world/social/discovery/graph?depth=1").Want(200)
	options := f.Ann.Do("GET", "/world/options/members?q=be").Want(200)
	if got := options.Column("options", "label"); got != "Bea (@bea)" {
		t.Errorf("options: got %q, want Bea (@bea)", got)
	}
}

// Covers L-10 for notifications.
func testNotifications(t *testing.T, f *routesFixture) {
	list := f.Ann.Do("GET", "/world/social/notifications").Want(200)
	before, ok := list.At("unread_count").(float64)
	if !ok || before < 1 {
		t.Fatalf("got %s, want unread notifications", list.Body)
	}
	id := ""
	for _, n := range list.List("notifications") {
		if apptest.At(n, "read_at") == nil {
			id = apptest.At(n, "id").(string)
		}
	}
	f.Ann.Do("POST", "/world/social/notifications/"+id+"/read", `{}`).Want(200).WantValues("", map[string]any{"unread_count": before - 1})
	f.Bea.Do("POST", "/world/social/notifications/"+id+"/read", `{}`).WantError(404, "not_found")
	f.Ann.Do("POST", "/world/social/notifications/read", `{}`).WantError(400, "field_required")
	f.Ann.Do("POST", "/world/social/notifications/read/all", `{}`).Want(200).WantValues("", map[string]any{"unread_count": 0})
	activity := f.Ann.Do("GET", "/world/social/activity?limit=1").Want(200)
	if len(activity.List("activity")) != 1 || activity.At("page.next") == nil {
		t.Errorf("activity: got %s, want one entry and another page", activity.Body)
	}
}

// A panel that has not changed is not sent again. The ids and parameters of a panel are checked.
// Covers W-120, W-121, W-122 and B-84.
func testPanels(t *testing.T, f *routesFixture) {
	for _, path := range []string{
		"social?view=dashboard", "time?view=month&date=2026-12-01", "find", "messages", "messages?thread=" + apptest.LastSegment(f.Thread), "messages/rail", "today", "settings", "settings?view=sessions",
	} {
		a := f.Ann.Do("GET", "/world/panels/"+path).Want(200)
		for _, key := range []string{"kind", "view", "title", "sections"} {
			if a.At(key) == nil {
				t.Errorf("%s: got no %s, want one", a.About, key)
			}
		}
		f.Ann.With("If-None-Match", a.Header.Get("ETag")).Do("GET", "/world/panels/"+path).Want(304)
	}
	f.Ann.Do("GET", "/world/panels/maps").WantError(404, "not_found")
	f.Ann.Do("GET", "/world/panels/messages?thread=none").WantError(404, "not_found")
	f.Cem.Do("GET", "/world/panels/messages?thread="+apptest.LastSegment(f.Thread)).WantError(403, "thread_access_denied")
	f.Ann.Do("GET", "/world/panels/time?timezone=Mars/X").WantError(400, "invalid_parameter").WantFields("timezone")
	f.Ann.Do("GET", "/world/panels/today?timezone=Mars/X").WantError(400, "invalid_parameter").WantFields("timezone")
	f.Ann.Do("GET", "/world/panels/time?view=year").WantError(400, "invalid_parameter").WantFields("view")
	f.Ann.Do("GET", "/world/panels/social?view=none").WantError(400, "invalid_parameter").WantFields("view")
	service := f.Ann.AsService().Do("GET", "/runtime/panel/messages?thread="+apptest.LastSegment(f.Thread)).Want(200)
	if service.At("selected_thread") == nil || len(service.List("members")) == 0 {
		t.Errorf("panel of Messages for a service: got %s, want the thread and the possible recipients", service.Body)
	}
	f.Ann.AsService().Do("GET", "/runtime/panel/social-dms").Want(200).WantValues("", map[string]any{"view": "dms"})
	if got := f.Ann.AsService().Do("GET", "/social/objects").Want(200).Str("service"); got != "social" {
		t.Errorf("objects of Social: got the service %q, want social", got)
	}
	if got := f.Ann.AsService().Do("GET", "/messages/objects").Want(200).List("objects.threads"); len(got) != 1 {
		t.Errorf("objects of Messages: got %d threads, want 1", len(got))
	}
}
