package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/app/config"
	"appliance/svc"
)

// What two write to each other is nobody else's. Covers M-27, M-28, W-05, W-17
// and PT-07.
func TestBodiesAreSeenByTwo(t *testing.T) {
	h := open(t, withKey)
	ann, bea, op := h.member("ann"), h.member("bea"), h.member("op")
	see := func() string {
		var b strings.Builder
		for _, path := range []string{
			"/world/runtime", sessionPath, "/world/translated", "/world/messages", "/world/messages?q=xylophone", "/world/messages?q=x", "/world/panels/messages", "/world/panels/messages/rail",
			"/world/panels/time", "/world/calendars", "/world/time/objects", "/world/identity/me", "/world/identity/export", "/admin/members", "/account", "/ready", "/health",
		} {
			b.WriteString(op.runtime().do("GET", path).want(200).body)
		}
		for _, path := range []string{"/messages", "/messages/objects", "/runtime/panel/messages", "/objects", "/identity/members"} {
			b.WriteString(op.internally().do("GET", path).want(200).body)
		}
		return b.String()
	}
	op.tell("ann", "Welcome")
	etag := op.runtime().do("GET", "/world/runtime").header.Get("ETag")
	before := see()
	thread := ann.tell("bea", "The xylophone is in the cellar")
	bea.reply(thread, "Which xylophone?")
	bea.do("GET", thread).want(200)
	ann.do("GET", "/world/messages?q=xylophone").want(200)
	ann.do("POST", thread+"/messages", `{"body": "xylophone", "participants": [3]}`).want(422)
	if after := see(); after != before {
		t.Error("what the two write shows to a third")
	}
	op.runtime().with("If-None-Match", etag).do("GET", "/world/runtime").want(304)
	op.do("GET", thread).refused(403, "thread_access_denied")
	if strings.Contains(h.log.String(), "xylophone") {
		t.Errorf("the log says what they wrote:\n%s", h.log)
	}
	for _, c := range []*client{ann, bea} {
		if !strings.Contains(c.runtime().do("GET", "/world/runtime").body, "Which xylophone?") {
			t.Errorf("%s does not see it", c.name)
		}
	}
}

// A dataset changes for the two who are concerned. Covers B-84 for messages.
func TestMessagesChangeTwoDatasets(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann").runtime(), h.member("bea").runtime(), h.member("cid").runtime()
	thread := ann.tell("bea", "Hello")
	etags := make(map[*client]string)
	changed := func(what string, want ...*client) {
		t.Helper()
		for _, c := range []*client{ann, bea, cid} {
			a := c.with("If-None-Match", etags[c]).do("GET", "/world/runtime")
			if wanted := slices.Contains(want, c); (a.status == 200) != wanted {
				t.Errorf("%s: %s gets %d", what, c.name, a.status)
			}
			etags[c] = a.header.Get("ETag")
		}
	}
	changed("at first", ann, bea, cid)
	changed("nothing")
	ann.reply(thread, "Are you there?")
	changed("a message", ann, bea)
	bea.do("GET", thread).want(200)
	changed("that was read", bea)
	bea.do("GET", thread).want(200)
	bea.do("POST", thread+"/read").want(200)
	changed("that was read again")
}

// The threads in a dataset, and what can be done with them. Covers W-28, W-33,
// W-34, W-35, M-21, B-18, B-19, B-20, B-24, PT-05 and PT-47.
func TestMessagesInTheDataset(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann").runtime(), h.member("bea").runtime()
	empty := ann.do("GET", "/world/runtime").want(200)
	checkDataset(t, empty)
	ann.tell("bea", "Shall we <b>sing</b>?")
	a := bea.do("GET", "/world/runtime").want(200)
	checkDataset(t, a)
	thread := a.at("objects.0")
	for path, want := range map[string]any{
		"object_type": "message_thread", "title": "Ann", "summary": "Shall we <b>sing</b>?", "source.service": "messages", "source.resource_type": "thread",
		"state.unread_count": 1.0, "state.message_count": 1.0, "state.participant_count": 2.0, "permissions.can_view": true, "permissions.can_reply": true,
		"permissions.can_add_participant": false, "permissions.can_update": false, "permissions.can_delete": false,
	} {
		if got := dig(thread, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if len(a.list("objects")) != 2 || a.at("workspace.selected_message_thread") != nil { // the other is Bea's profile
		t.Errorf("%d objects, and %v is selected", len(a.list("objects")), a.at("workspace.selected_message_thread"))
	}
	actions := make(map[string]any)
	for _, action := range a.list("actions") {
		actions[dig(action, "action_id").(string)] = action
	}
	for _, id := range dig(thread, "actions").([]any) {
		action := actions[id.(string)]
		kind, method, url := dig(action, "type"), dig(action, "command.method").(string), dig(action, "command.url").(string)
		switch kind {
		case "open_thread":
			bea.do(method, url).want(200)
		case "send_message":
			if dig(action, "controls.0.id") != "body" || dig(action, "controls.0.max_length") != float64(svc.MaxBody) {
				t.Errorf("the controls are %v", dig(action, "controls"))
			}
			bea.do(method, url, `{"body": "Yes"}`).want(201)
		case "focus_object": // as with every object
		default:
			t.Errorf("an action %v", kind)
		}
	}
	for _, c := range a.list("contexts") {
		if dig(c, "kind") == "messages" {
			if start := actions[dig(c, "action_ids.0").(string)]; dig(start, "type") != "start_thread" || dig(start, "command.url") != "/world/messages" {
				t.Errorf("the context starts with %v", start)
			}
			if dig(c, "items.0.item_id") != dig(thread, "world_object_id") {
				t.Errorf("the context has %v", dig(c, "items"))
			}
		}
	}
	again := bea.do("GET", "/world/runtime").want(200)
	if got := fmt.Sprint(again.at("objects.0.state.unread_count"), " ", again.at("objects.0.summary")); got != "0 Yes" {
		t.Errorf("after an answer the thread has %s", got)
	}
	if n := strings.Count(again.body, `"source_id":"messages"`); n != 1 {
		t.Errorf("messages are %d sources", n)
	}
	same := bea.do("GET", "/world/runtime").want(200) // of what was kept
	h.restart()
	if made := bea.do("GET", "/world/runtime").want(200); same.body != again.body || made.body != again.body {
		t.Error("two reads differ")
	}
}

// Covers M-38, M-40, W-54 and E-06 for messages.
func TestMessagesSwitchedOff(t *testing.T) {
	h := open(t, withKey, func(s *config.Settings) { s.ServicesOff = []string{"messages"} })
	ann := h.member("ann")
	h.member("bea")
	for _, path := range []string{"/world/messages", "/world/messages/thr_x", "/world/panels/messages", "/world/panels/messages/rail", "/ready/messages"} {
		ann.do("GET", path).refused(503, "service_unavailable")
	}
	ann.do("POST", "/world/messages", `{"recipient": "bea", "body": "x"}`).refused(503, "service_unavailable")
	ann.internally().do("GET", "/messages").refused(503, "service_unavailable")
	a := ann.runtime().do("GET", "/world/runtime").want(200)
	if !strings.Contains(a.body, `"state":"unavailable","scope":{"kind":"service","service":"messages"}`) {
		t.Errorf("no word of it in the dataset: %v", a.at("fallbacks"))
	}
	on := open(t)
	if got := on.nobody().do("GET", "/ready/messages").want(200).body; got != "messages ready\n" {
		t.Errorf("messages says %q", got)
	}
	if got := on.nobody().do("GET", "/health/messages").want(200).str("service"); got != "messages" {
		t.Errorf("messages is %q", got)
	}
}

// A part that fails leaves the rest whole, and is whole itself afterwards.
func TestMessagesThatFail(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	h.member("bea")
	ann.tell("bea", "Hello")
	ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).want(201)
	good := ann.do("GET", "/world/runtime").want(200)
	meddle(t, h, "ALTER TABLE messages_participant RENAME TO messages_lost")
	h.touch()
	bad := ann.do("GET", "/world/runtime").want(200)
	if titles := fmt.Sprint(titlesOf(bad)); titles != "[Taxes Ann]" || !strings.Contains(bad.body, `"state":"degraded","scope":{"kind":"service","service":"messages"}`) {
		t.Errorf("objects %s, fallbacks %v", titles, bad.at("fallbacks"))
	}
	if got := h.nobody().do("GET", "/ready/messages").want(200).body; got != "messages degraded\n" {
		t.Errorf("messages says %q", got)
	}
	meddle(t, h, "ALTER TABLE messages_lost RENAME TO messages_participant")
	if again := ann.with("If-None-Match", bad.header.Get("ETag")).do("GET", "/world/runtime").want(200); again.body != good.body {
		t.Error("it has not recovered")
	}
}

// Covers M-31, M-32, M-33, M-34, M-35 and B-15 for messages.
func TestThreadSources(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	ann.tell("bea", "Hello")
	a := bea.internally().do("GET", "/messages/objects").want(200)
	if a.str("service") != "messages" || a.at("truncated") != false || len(a.list("objects.threads")) != 1 {
		t.Fatalf("the sources are %s", a.body)
	}
	a.fits("service.messages.object_source", a.at("objects.threads.0"))
	id := a.str("objects.threads.0.state.id")
	for path, want := range map[string]string{
		"source": "map[resource_id:" + id + " resource_type:thread service:messages]", "object_type": "message_thread", "title": "Ann", "summary": "Hello",
		"state.current_identity_user_id": "2", "state.participants.0.id": "2", "state.participant_count": "2", "state.unread_count": "1",
		"domain_permissions": "map[can_add_participant:false can_reply:true can_view:true]", "domain_actions": "[open_thread send_message]", "relationships": "[]",
	} {
		if got := fmt.Sprint(a.at("objects.threads.0." + path)); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if _, ok := a.at("objects.threads.0.state.current_identity_user_id").(string); !ok || !strings.HasPrefix(id, "thr_") {
		t.Error("an id is no text")
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(a.body, word) {
			t.Errorf("a source says %s", word)
		}
	}
}

// Covers M-37, B-15 and F.2: whoever has the key can do all that members can.
func TestMessagesForOtherServices(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	key := ann.internally()
	sent := key.do("POST", "/messages", `{"recipient": "bea", "body": "Hello"}`).want(201)
	id := sent.str("thread.id")
	key.do("POST", "/messages/"+id+"/messages", `{"body": "Again"}`).want(201)
	key.do("POST", "/messages", `{"recipient": ["bea", "op"], "body": "x"}`).want(404)
	if n := len(bea.internally().do("GET", "/messages").want(200).list("threads")); n != 1 {
		t.Errorf("%d threads", n)
	}
	if n := len(bea.internally().do("GET", "/messages/"+id).want(200).list("messages")); n != 2 {
		t.Errorf("%d messages", n)
	}
	p := bea.internally().do("GET", "/runtime/panel/messages?thread="+id).want(200)
	p.fits("service.world.panel", p.at(""))
	if len(p.list("threads")) != 1 || p.str("selected_thread.id") != id || len(p.list("messages")) != 2 || len(p.list("members")) != 2 || len(p.list("action_descriptors")) != 2 {
		t.Errorf("the panel is %s", p.body)
	}
	if bea.unread() != 2.0 {
		t.Error("it was read by the other service")
	}
	bea.internally().do("POST", "/messages/"+id+"/read").want(200)
	if bea.unread() != 0.0 {
		t.Error("it was not read")
	}
	key.with("X-Service-Member-Id", "").do("GET", "/messages").refused(400, "member_context_required")
}

// Covers W-120, W-137, B-28 and B-54 as far as Messages goes.
func TestMessagesPanel(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	for _, path := range []string{"/world/panels/messages", "/world/panels/messages/rail"} {
		a := ann.do("GET", path).want(200)
		a.fits("service.world.panel", a.at(""))
		if a.str("kind") != "messages" || a.str("title") != "Messages" || a.str("summary") != "Nothing unread" || a.str("actions.start_thread") != "/world/messages" ||
			a.str("sections.0.title") != "Threads" || a.str("sections.0.summary") == "" || len(a.list("sections.0.items")) != 0 {
			t.Errorf("an empty panel is %s", a.body)
		}
	}
	thread := ann.tell("bea", "Hello")
	for i := range 60 {
		ann.reply(thread, fmt.Sprint("Message ", i))
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	rail := bea.do("GET", "/world/panels/messages/rail").want(200)
	if rail.str("view") != "rail" || rail.str("summary") != "61 unread" || rail.str("sections.0.items.0.id") != id || rail.str("sections.0.items.0.title") != "Ann" ||
		rail.at("sections.0.items.0.metadata.unread_count") != 61.0 || rail.str("sections.0.items.0.actions.0.type") != "open_thread" ||
		rail.str("action_descriptors.0.id") != "start_thread" || rail.str("action_descriptors.0.type") != "submit_form" {
		t.Errorf("the rail is %s", rail.body)
	}
	none := bea.do("GET", "/world/panels/messages").want(200)
	if none.str("view") != "messages" || none.at("selected_thread") != nil || len(none.list("messages")) != 0 || len(none.list("threads")) != 1 {
		t.Errorf("without a selected thread it is %s", none.body)
	}
	a := bea.do("GET", "/world/panels/messages?thread="+id).want(200)
	a.fits("service.world.panel", a.at(""))
	a.fits("service.messages.thread", a.at("selected_thread"))
	if a.str("selected_thread.id") != id || len(a.list("messages")) != 50 || a.str("sections.1.title") != "Ann" || a.str("sections.1.items.49.summary") != "Message 59" ||
		a.str("sections.1.items.49.title") != "Ann" {
		t.Errorf("with one it is %s", a.body)
	}
	earlier := ""
	for _, item := range a.list("nav") {
		if dig(item, "id") == "earlier_messages" {
			earlier = dig(item, "action").(string)
		}
	}
	if n := len(bea.do("GET", earlier).want(200).list("messages")); n != 11 {
		t.Errorf("%d messages are earlier, want 11", n)
	}
	for _, action := range a.list("sections.0.items.0.actions") {
		if got := bea.do(dig(action, "method").(string), dig(action, "url").(string), dig(action, "body")); got.status >= 300 {
			t.Errorf("%v: %d", dig(action, "id"), got.status)
		}
	}
	for _, form := range a.list("action_descriptors") {
		values := make(map[string]any)
		for _, c := range dig(form, "controls").([]any) {
			values[dig(c, "id").(string)] = "ann"
		}
		bea.do(dig(form, "method").(string), dig(form, "url").(string), values).want(201)
	}
	if got := bea.do("GET", "/world/panels/messages/rail").str("summary"); got != "Nothing unread" {
		t.Errorf("all was read: %s", got)
	}
}

// Members take with them what they wrote and what was written to them. Covers
// SH-26 for messages.
func TestExportHasMessages(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	thread := ann.tell("bea", "Hello")
	bea.reply(thread, "Hello back")
	bea.tell("cid", "Not for Ann")
	whole := ann.do("GET", "/world/identity/export").want(200)
	if got := fmt.Sprint(whole.each("message_threads", "title"), whole.each("messages", "body")); got != "[Bea] [Hello back Hello]" {
		t.Errorf("the export has %s", got)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, errs := h.cli("", "admin", "members", "export", "cid", dir); status != 0 {
		t.Fatal(out, errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 1 || dig(list[0], "body") != "Not for Ann" {
		t.Errorf("the file of %s has %s, %v", cid.name, text, err)
	}
}
