package messages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
)

// What two write to each other is nobody else's. Covers M-27, M-28, W-05, W-17
// and PT-07.
func TestBodiesAreSeenByTwo(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea, op := h.Member("ann"), h.Member("bea"), h.Member("op")
	see := func() string {
		var b strings.Builder
		for _, path := range []string{
			"/world/runtime", apptest.SessionPath, "/world/translated", "/world/messages", "/world/messages?q=xylophone", "/world/messages?q=x", "/world/panels/messages", "/world/panels/messages/rail",
			"/world/panels/time", "/world/calendars", "/world/time/objects", "/world/identity/me", "/world/identity/export", "/admin/members", "/account", "/ready", "/health",
		} {
			b.WriteString(op.Runtime().Do("GET", path).Want(200).Body)
		}
		for _, path := range []string{"/messages", "/messages/objects", "/runtime/panel/messages", "/objects", "/identity/members"} {
			b.WriteString(op.AsService().Do("GET", path).Want(200).Body)
		}
		return b.String()
	}
	op.SendMessage("ann", "Welcome")
	etag := op.Runtime().Do("GET", "/world/runtime").Header.Get("ETag")
	before := see()
	thread := ann.SendMessage("bea", "The xylophone is in the cellar")
	bea.SendInThread(thread, "Which xylophone?")
	bea.Do("GET", thread).Want(200)
	ann.Do("GET", "/world/messages?q=xylophone").Want(200)
	ann.Do("POST", thread+"/messages", `{"body": "xylophone", "participants": [3]}`).Want(422)
	if after := see(); after != before {
		t.Error("what the two write shows to a third")
	}
	op.Runtime().With("If-None-Match", etag).Do("GET", "/world/runtime").Want(304)
	op.Do("GET", thread).WantError(403, "thread_access_denied")
	if strings.Contains(h.Log.String(), "xylophone") {
		t.Errorf("the log says what they wrote:\n%s", h.Log)
	}
	for _, c := range []*apptest.Client{ann, bea} {
		if !strings.Contains(c.Runtime().Do("GET", "/world/runtime").Body, "Which xylophone?") {
			t.Errorf("%s does not see it", c.Name)
		}
	}
}

// A dataset changes for the two who are concerned. Covers B-84 for messages.
func TestMessagesChangeTwoDatasets(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann").Runtime(), h.Member("bea").Runtime(), h.Member("cid").Runtime()
	thread := ann.SendMessage("bea", "Hello")
	etags := make(map[*apptest.Client]string)
	changed := func(what string, want ...*apptest.Client) {
		t.Helper()
		for _, c := range []*apptest.Client{ann, bea, cid} {
			a := c.With("If-None-Match", etags[c]).Do("GET", "/world/runtime")
			if wanted := slices.Contains(want, c); (a.Status == 200) != wanted {
				t.Errorf("%s: %s gets %d", what, c.Name, a.Status)
			}
			etags[c] = a.Header.Get("ETag")
		}
	}
	changed("at first", ann, bea, cid)
	changed("nothing")
	ann.SendInThread(thread, "Are you there?")
	changed("a message", ann, bea)
	bea.Do("GET", thread).Want(200)
	changed("that was read", bea)
	bea.Do("GET", thread).Want(200)
	bea.Do("POST", thread+"/read").Want(200)
	changed("that was read again")
}

// The threads in a dataset, and what can be done with them. Covers W-28, W-33,
// W-34, W-35, M-21, B-18, B-19, B-20, B-24, PT-05 and PT-47.
func TestMessagesInTheDataset(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann").Runtime(), h.Member("bea").Runtime()
	empty := ann.Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, empty)
	ann.SendMessage("bea", "Shall we <b>sing</b>?")
	a := bea.Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	thread := a.At("objects.0")
	for path, want := range map[string]any{
		"object_type": "message_thread", "title": "Ann", "summary": "Shall we <b>sing</b>?", "source.service": "messages", "source.resource_type": "thread",
		"state.unread_count": 1.0, "state.message_count": 1.0, "state.participant_count": 2.0, "permissions.can_view": true, "permissions.can_reply": true,
		"permissions.can_add_participant": false, "permissions.can_update": false, "permissions.can_delete": false,
	} {
		if got := apptest.At(thread, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if len(a.List("objects")) != 2 || a.At("workspace.selected_message_thread") != nil { // the other is Bea's profile
		t.Errorf("%d objects, and %v is selected", len(a.List("objects")), a.At("workspace.selected_message_thread"))
	}
	actions := make(map[string]any)
	for _, action := range a.List("actions") {
		actions[apptest.At(action, "action_id").(string)] = action
	}
	for _, id := range apptest.At(thread, "actions").([]any) {
		action := actions[id.(string)]
		kind, method, url := apptest.At(action, "type"), apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string)
		switch kind {
		case "open_thread":
			bea.Do(method, url).Want(200)
		case "send_message":
			if apptest.At(action, "controls.0.id") != "body" || apptest.At(action, "controls.0.max_length") != float64(svc.MaxBody) {
				t.Errorf("the controls are %v", apptest.At(action, "controls"))
			}
			bea.Do(method, url, `{"body": "Yes"}`).Want(201)
		case "focus_object": // as with every object
		default:
			t.Errorf("an action %v", kind)
		}
	}
	for _, c := range a.List("contexts") {
		if apptest.At(c, "kind") == "messages" {
			if start := actions[apptest.At(c, "action_ids.0").(string)]; apptest.At(start, "type") != "start_thread" || apptest.At(start, "command.url") != "/world/messages" {
				t.Errorf("the context starts with %v", start)
			}
			if apptest.At(c, "items.0.item_id") != apptest.At(thread, "world_object_id") {
				t.Errorf("the context has %v", apptest.At(c, "items"))
			}
		}
	}
	again := bea.Do("GET", "/world/runtime").Want(200)
	if got := fmt.Sprint(again.At("objects.0.state.unread_count"), " ", again.At("objects.0.summary")); got != "0 Yes" {
		t.Errorf("after an answer the thread has %s", got)
	}
	if n := strings.Count(again.Body, `"source_id":"messages"`); n != 1 {
		t.Errorf("messages are %d sources", n)
	}
	same := bea.Do("GET", "/world/runtime").Want(200) // of what was kept
	h.Restart()
	if made := bea.Do("GET", "/world/runtime").Want(200); same.Body != again.Body || made.Body != again.Body {
		t.Error("two reads differ")
	}
}

// Covers M-38, M-40, W-54 and E-06 for messages.
func TestMessagesSwitchedOff(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"messages"} })
	ann := h.Member("ann")
	h.Member("bea")
	for _, path := range []string{"/world/messages", "/world/messages/thr_x", "/world/panels/messages", "/world/panels/messages/rail", "/ready/messages"} {
		ann.Do("GET", path).WantError(503, "service_unavailable")
	}
	ann.Do("POST", "/world/messages", `{"recipient": "bea", "body": "x"}`).WantError(503, "service_unavailable")
	ann.AsService().Do("GET", "/messages").WantError(503, "service_unavailable")
	a := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	if !strings.Contains(a.Body, `"state":"unavailable","scope":{"kind":"service","service":"messages"}`) {
		t.Errorf("no word of it in the dataset: %v", a.At("fallbacks"))
	}
	on := apptest.New(t)
	if got := on.Unauthenticated().Do("GET", "/ready/messages").Want(200).Body; got != "messages ready\n" {
		t.Errorf("messages says %q", got)
	}
	if got := on.Unauthenticated().Do("GET", "/health/messages").Want(200).Str("service"); got != "messages" {
		t.Errorf("messages is %q", got)
	}
}

// A part that fails leaves the rest whole, and is whole itself afterwards.
func TestMessagesThatFail(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
	h.Member("bea")
	ann.SendMessage("bea", "Hello")
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	good := ann.Do("GET", "/world/runtime").Want(200)
	h.Exec("ALTER TABLE messages_participant RENAME TO messages_lost")
	h.InvalidateAll()
	bad := ann.Do("GET", "/world/runtime").Want(200)
	if titles := fmt.Sprint(apptest.ObjectTitles(bad)); titles != "[Taxes Ann]" || !strings.Contains(bad.Body, `"state":"degraded","scope":{"kind":"service","service":"messages"}`) {
		t.Errorf("objects %s, fallbacks %v", titles, bad.At("fallbacks"))
	}
	if got := h.Unauthenticated().Do("GET", "/ready/messages").Want(200).Body; got != "messages degraded\n" {
		t.Errorf("messages says %q", got)
	}
	h.Exec("ALTER TABLE messages_lost RENAME TO messages_participant")
	if again := ann.With("If-None-Match", bad.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200); again.Body != good.Body {
		t.Error("it has not recovered")
	}
}

// Covers M-31, M-32, M-33, M-34, M-35 and B-15 for messages.
func TestThreadSources(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.SendMessage("bea", "Hello")
	a := bea.AsService().Do("GET", "/messages/objects").Want(200)
	if a.Str("service") != "messages" || a.At("truncated") != false || len(a.List("objects.threads")) != 1 {
		t.Fatalf("the sources are %s", a.Body)
	}
	a.WantSchema("service.messages.object_source", a.At("objects.threads.0"))
	id := a.Str("objects.threads.0.state.id")
	for path, want := range map[string]string{
		"source": "map[resource_id:" + id + " resource_type:thread service:messages]", "object_type": "message_thread", "title": "Ann", "summary": "Hello",
		"state.current_identity_user_id": "2", "state.participants.0.id": "2", "state.participant_count": "2", "state.unread_count": "1",
		"domain_permissions": "map[can_add_participant:false can_reply:true can_view:true]", "domain_actions": "[open_thread send_message]", "relationships": "[]",
	} {
		if got := fmt.Sprint(a.At("objects.threads.0." + path)); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if _, ok := a.At("objects.threads.0.state.current_identity_user_id").(string); !ok || !strings.HasPrefix(id, "thr_") {
		t.Error("an id is no text")
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(a.Body, word) {
			t.Errorf("a source says %s", word)
		}
	}
}

// Covers M-37, B-15 and F.2: whoever has the key can do all that members can.
func TestMessagesForOtherServices(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	key := ann.AsService()
	sent := key.Do("POST", "/messages", `{"recipient": "bea", "body": "Hello"}`).Want(201)
	id := sent.Str("thread.id")
	key.Do("POST", "/messages/"+id+"/messages", `{"body": "Again"}`).Want(201)
	key.Do("POST", "/messages", `{"recipient": ["bea", "op"], "body": "x"}`).Want(404)
	if n := len(bea.AsService().Do("GET", "/messages").Want(200).List("threads")); n != 1 {
		t.Errorf("%d threads", n)
	}
	if n := len(bea.AsService().Do("GET", "/messages/"+id).Want(200).List("messages")); n != 2 {
		t.Errorf("%d messages", n)
	}
	p := bea.AsService().Do("GET", "/runtime/panel/messages?thread="+id).Want(200)
	p.WantSchema("service.world.panel", p.At(""))
	if len(p.List("threads")) != 1 || p.Str("selected_thread.id") != id || len(p.List("messages")) != 2 || len(p.List("members")) != 2 || len(p.List("action_descriptors")) != 2 {
		t.Errorf("the panel is %s", p.Body)
	}
	if unread(bea) != 2.0 {
		t.Error("it was read by the other service")
	}
	bea.AsService().Do("POST", "/messages/"+id+"/read").Want(200)
	if unread(bea) != 0.0 {
		t.Error("it was not read")
	}
	key.With("X-Service-Member-Id", "").Do("GET", "/messages").WantError(400, "member_context_required")
}

// Covers W-120, W-137, B-28 and B-54 as far as Messages goes.
func TestMessagesPanel(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	for _, path := range []string{"/world/panels/messages", "/world/panels/messages/rail"} {
		a := ann.Do("GET", path).Want(200)
		a.WantSchema("service.world.panel", a.At(""))
		if a.Str("kind") != "messages" || a.Str("title") != "Messages" || a.Str("summary") != "Nothing unread" || a.Str("actions.start_thread") != "/world/messages" ||
			a.Str("sections.0.title") != "Threads" || a.Str("sections.0.summary") == "" || len(a.List("sections.0.items")) != 0 {
			t.Errorf("an empty panel is %s", a.Body)
		}
	}
	thread := ann.SendMessage("bea", "Hello")
	for i := range 60 {
		ann.SendInThread(thread, fmt.Sprint("Message ", i))
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	rail := bea.Do("GET", "/world/panels/messages/rail").Want(200)
	if rail.Str("view") != "rail" || rail.Str("summary") != "61 unread" || rail.Str("sections.0.items.0.id") != id || rail.Str("sections.0.items.0.title") != "Ann" ||
		rail.At("sections.0.items.0.metadata.unread_count") != 61.0 || rail.Str("sections.0.items.0.actions.0.type") != "open_thread" ||
		rail.Str("action_descriptors.0.id") != "start_thread" || rail.Str("action_descriptors.0.type") != "submit_form" {
		t.Errorf("the rail is %s", rail.Body)
	}
	none := bea.Do("GET", "/world/panels/messages").Want(200)
	if none.Str("view") != "messages" || none.At("selected_thread") != nil || len(none.List("messages")) != 0 || len(none.List("threads")) != 1 {
		t.Errorf("without a selected thread it is %s", none.Body)
	}
	a := bea.Do("GET", "/world/panels/messages?thread="+id).Want(200)
	a.WantSchema("service.world.panel", a.At(""))
	a.WantSchema("service.messages.thread", a.At("selected_thread"))
	if a.Str("selected_thread.id") != id || len(a.List("messages")) != 50 || a.Str("sections.1.title") != "Ann" || a.Str("sections.1.items.49.summary") != "Message 59" ||
		a.Str("sections.1.items.49.title") != "Ann" {
		t.Errorf("with one it is %s", a.Body)
	}
	earlier := ""
	for _, item := range a.List("nav") {
		if apptest.At(item, "id") == "earlier_messages" {
			earlier = apptest.At(item, "action").(string)
		}
	}
	if n := len(bea.Do("GET", earlier).Want(200).List("messages")); n != 11 {
		t.Errorf("%d messages are earlier, want 11", n)
	}
	for _, action := range a.List("sections.0.items.0.actions") {
		if got := bea.Do(apptest.At(action, "method").(string), apptest.At(action, "url").(string), apptest.At(action, "body")); got.Status >= 300 {
			t.Errorf("%v: %d", apptest.At(action, "id"), got.Status)
		}
	}
	for _, form := range a.List("action_descriptors") {
		values := make(map[string]any)
		for _, c := range apptest.At(form, "controls").([]any) {
			values[apptest.At(c, "id").(string)] = "ann"
		}
		bea.Do(apptest.At(form, "method").(string), apptest.At(form, "url").(string), values).Want(201)
	}
	if got := bea.Do("GET", "/world/panels/messages/rail").Str("summary"); got != "Nothing unread" {
		t.Errorf("all was read: %s", got)
	}
}
