package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
)

// Covers B-84 for messages.
func TestMessageChangesTheDatasetsOfItsTwoMembers(t *testing.T) {
	s := apptest.New(t)
	ann, bea, cid := s.Member("ann").AsRuntime(), s.Member("bea").AsRuntime(), s.Member("cid").AsRuntime()
	thread := ann.SendMessage("bea", "Hello")
	etags := make(map[*apptest.Client]string)
	wantChanged := func(about string, want ...*apptest.Client) {
		t.Helper()
		for _, c := range []*apptest.Client{ann, bea, cid} {
			a := c.With("If-None-Match", etags[c]).Do("GET", "/world/runtime")
			if want := slices.Contains(want, c); (a.Status == 200) != want {
				t.Errorf("%s: %s: got status %d, want a changed dataset: %v", about, c.Name, a.Status, want)
			}
			etags[c] = a.Header.Get("ETag")
		}
	}
	wantChanged("the first read", ann, bea, cid)
	wantChanged("no change")
	ann.SendInThread(thread, "Are you there?")
	wantChanged("a message", ann, bea)
	bea.Do("GET", thread).Want(200)
	wantChanged("opening the thread", bea)
	bea.Do("GET", thread).Want(200)
	bea.Do("POST", thread+"/read").Want(200)
	wantChanged("opening it again")
}

// Covers W-28, W-33, W-34, W-35, M-21, B-18, B-19, B-20, B-24, PT-05 and PT-47.
func TestThreadsInTheDatasetHaveTheirActions(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann").AsRuntime(), s.Member("bea").AsRuntime()
	apptest.CheckDataset(t, ann.Do("GET", "/world/runtime").Want(200))
	ann.SendMessage("bea", "Can we <b>sing</b>?")
	a := bea.Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	a.WantValues("objects.0", map[string]any{
		"object_type": "message_thread", "title": "Ann", "summary": "Can we <b>sing</b>?", "source.service": "messages", "source.resource_type": "thread",
		"state.unread_count": 1, "state.message_count": 1, "state.participant_count": 2, "permissions.can_view": true, "permissions.can_reply": true,
		"permissions.can_add_participant": false, "permissions.can_update": false, "permissions.can_delete": false,
	})
	if got, want := fmt.Sprint(a.Values("objects", "object_type")), "[message_thread profile]"; got != want {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	actions := make(map[string]any)
	for _, action := range a.List("actions") {
		actions[apptest.At(action, "action_id").(string)] = action
	}
	for _, id := range a.List("objects.0.actions") {
		action := actions[id.(string)]
		kind, method, url := apptest.At(action, "type"), apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string)
		switch kind {
		case "open_thread":
			bea.Do(method, url).Want(200)
		case "send_message":
			if apptest.At(action, "controls.0.id") != "body" || apptest.At(action, "controls.0.max_length") != float64(svc.MaxBody) {
				t.Errorf("controls of send_message: got %v, want a body of up to %d characters", apptest.At(action, "controls"), svc.MaxBody)
			}
			bea.Do(method, url, `{"body": "Yes"}`).Want(201)
		case "mark_read":
			bea.Do(method, url).Want(200)
		case "focus_object": // every object has this action
		default:
			t.Errorf("got the action %v, want open_thread, send_message, mark_read and focus_object", kind)
		}
	}
	context := a.List("contexts")[slices.Index(a.Values("contexts", "kind"), "messages")]
	if start := actions[apptest.At(context, "action_ids.0").(string)]; apptest.At(start, "type") != "start_thread" || apptest.At(start, "command.url") != "/world/messages" {
		t.Errorf("first action of the context: got %v, want start_thread", start)
	}
	if got, want := apptest.At(context, "items.0.item_id"), a.At("objects.0.world_object_id"); got != want {
		t.Errorf("first item of the context: got %v, want %v", got, want)
	}
	after := bea.Do("GET", "/world/runtime").Want(200)
	after.WantValues("objects.0", map[string]any{"state.unread_count": 0, "summary": "Yes"})
	cached := bea.Do("GET", "/world/runtime").Want(200)
	s.Restart()
	if uncached := bea.Do("GET", "/world/runtime").Want(200); cached.Body != after.Body || uncached.Body != after.Body {
		t.Errorf("a cached and an uncached read: got\n%s\n%s\nwant\n%s", cached.Body, uncached.Body, after.Body)
	}
}

// Covers M-38, M-40, W-54 and E-06 for messages.
func TestServiceThatIsOffIsUnavailable(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"messages"} })
	ann := s.Member("ann")
	s.Member("bea")
	for _, path := range []string{"/world/messages", "/world/messages/thr_x", "/world/panels/messages", "/world/panels/messages/rail", "/ready/messages"} {
		ann.Do("GET", path).WantError(503, "service_unavailable")
	}
	ann.Do("POST", "/world/messages", `{"recipient": "bea", "body": "x"}`).WantError(503, "service_unavailable")
	ann.AsService().Do("GET", "/messages").WantError(503, "service_unavailable")
	a := ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	if want := `"state":"unavailable","scope":{"kind":"service","service":"messages"}`; !strings.Contains(a.Body, want) {
		t.Errorf("fallbacks: got %v, want %s", a.At("fallbacks"), want)
	}
	on := apptest.New(t).Unauthenticated()
	if got, want := on.Do("GET", "/ready/messages").Want(200).Body, "messages ready\n"; got != want {
		t.Errorf("GET /ready/messages: got %q, want %q", got, want)
	}
	on.Do("GET", "/health/messages").Want(200).WantValues("", map[string]any{"service": "messages"})
}

// A failure of Messages leaves the rest of the dataset complete, and the first
// read after the failure is complete.
func TestFailureOfMessagesDegradesItsPartOfTheDataset(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	s.Member("bea")
	ann.SendMessage("bea", "Hello")
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	before := ann.Do("GET", "/world/runtime").Want(200)
	s.Exec("ALTER TABLE messages_participant RENAME TO messages_lost")
	s.InvalidateAll()
	broken := ann.Do("GET", "/world/runtime").Want(200)
	if got, want := fmt.Sprint(broken.Values("objects", "title")), "[Taxes Ann]"; got != want {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	if want := `"state":"degraded","scope":{"kind":"service","service":"messages"}`; !strings.Contains(broken.Body, want) {
		t.Errorf("fallbacks: got %v, want %s", broken.At("fallbacks"), want)
	}
	if got, want := s.Unauthenticated().Do("GET", "/ready/messages").Want(200).Body, "messages degraded\n"; got != want {
		t.Errorf("GET /ready/messages: got %q, want %q", got, want)
	}
	s.Exec("ALTER TABLE messages_lost RENAME TO messages_participant")
	if got := ann.With("If-None-Match", broken.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200).Body; got != before.Body {
		t.Errorf("after the failure: got\n%s\nwant\n%s", got, before.Body)
	}
}
