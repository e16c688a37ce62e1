package social

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers W-120, W-137, B-28 and B-54 for Messages.
func TestPanelAndRailShowThreads(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	for _, path := range []string{"/world/panels/messages", "/world/panels/messages/rail"} {
		a := ann.Do("GET", path).Want(200)
		a.WantSchema("service.world.panel", a.At(""))
		a.WantValues("", map[string]any{
			"kind": "messages", "title": "Messages", "summary": "No unread messages", "actions.start_thread": "/world/messages", "sections.0.title": "Threads", "sections.0.items": "[]",
		})
		if a.Str("sections.0.summary") == "" {
			t.Errorf("%s: got an empty section without a summary, want one", path)
		}
	}
	thread := ann.SendMessage("bea", "Hello")
	for i := range 60 {
		ann.SendInThread(thread, fmt.Sprint("Message ", i))
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	bea.Do("GET", "/world/panels/messages/rail").Want(200).WantValues("", map[string]any{
		"view": "rail", "summary": "61 unread", "sections.0.items.0.id": id, "sections.0.items.0.title": "Ann", "sections.0.items.0.metadata.unread_count": 61,
		"sections.0.items.0.actions.0.type": "open_thread", "action_descriptors.0.id": "start_thread", "action_descriptors.0.type": "submit_form",
	})
	bea.Do("GET", "/world/panels/messages").Want(200).WantValues("", map[string]any{"view": "messages", "selected_thread": nil, "messages": "[]", "threads.0.id": id})
	a := bea.Do("GET", "/world/panels/messages?thread="+id).Want(200)
	a.WantSchema("service.world.panel", a.At(""))
	a.WantSchema("service.messages.thread", a.At("selected_thread"))
	a.WantValues("", map[string]any{
		"selected_thread.id": id, "sections.1.title": "Ann", "sections.1.items.49.summary": "Message 59", "sections.1.items.49.title": "Ann", "messages.50": nil,
	})
	earlier := ""
	for _, item := range a.List("nav") {
		if apptest.At(item, "id") == "earlier_messages" {
			earlier = apptest.At(item, "action").(string)
		}
	}
	if n := len(bea.Do("GET", earlier).Want(200).List("messages")); n != 11 {
		t.Errorf("earlier messages: got %d, want 11", n)
	}
}

// Every action and form of the panel is accepted.
func TestActionsOfThePanelAreAccepted(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	id := strings.TrimPrefix(ann.SendMessage("bea", "Hello"), "/world/messages/")
	a := bea.Do("GET", "/world/panels/messages?thread="+id).Want(200)
	for _, action := range a.List("sections.0.items.0.actions") {
		got := bea.Do(apptest.At(action, "method").(string), apptest.At(action, "url").(string), apptest.At(action, "body"))
		if got.Status >= 300 {
			t.Errorf("%v: got status %d, want 2xx", apptest.At(action, "id"), got.Status)
		}
	}
	for _, form := range a.List("action_descriptors") {
		values := make(map[string]any)
		for _, c := range apptest.At(form, "controls").([]any) {
			values[apptest.At(c, "id").(string)] = "ann"
		}
		method, address := apptest.At(form, "method").(string), apptest.At(form, "url").(string)
		if method == "GET" { // the values are the query, as of an HTML form
			query := make(url.Values)
			for name, value := range values {
				query.Set(name, value.(string))
			}
			bea.Do(method, address+"?"+query.Encode()).Want(200)
			continue
		}
		bea.Do(method, address, values).Want(201)
	}
	bea.Do("GET", "/world/panels/messages/rail").WantValues("", map[string]any{"summary": "No unread messages"})
}
