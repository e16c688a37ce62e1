package world

import (
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/world/worldtest"
)

// Covers B-64 and PT-40: each write of Social returns the dataset after it if the
// query asks for it, and the response is otherwise the same.
func TestWritesReturnTheDataset(t *testing.T) {
	f := apptest.NewSocialFixture(t)
	ann := f.Ann.AsRuntime()
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/world/social/communities", `{"name": "Garden"}`, 201},
		{"PATCH", f.Club, `{"name": "Chess club"}`, 200},
		{"POST", f.Club + "/invitations", `{"recipient": "cem"}`, 201},
		{"POST", "/world/social/invitations/" + f.Invitation + "/revoke", `{}`, 200},
		{"POST", "/world/social/conversations", `{"title": "Hi", "body": "Hello", "among": "open"}`, 201},
		{"PATCH", "/world/social/conversations/" + f.ClubConversation, `{"state": "closed"}`, 200},
		{"POST", "/world/social/conversations/" + f.OpenConversation + "/replies", `{"body": "Me too"}`, 201},
		{"POST", "/world/social/events", `{"title": "Walk", "start": "2026-12-01", "timezone": "UTC"}`, 201},
		{"POST", "/world/social/events/" + f.PublicEvent + "/rsvp", `{"response": "going"}`, 200},
		{"PATCH", "/world/social/profile", `{"bio": "Plays chess"}`, 200},
		{"POST", "/world/social/presence", `{"state": "away"}`, 200},
		{"POST", "/world/social/dms/" + f.DM + "/messages", `{"body": "Yes?"}`, 201},
		{"POST", "/world/social/dms/" + f.DM + "/read", `{}`, 200},
		{"POST", "/world/social/blocks", `{"recipient": "dan"}`, 201},
		{"DELETE", "/world/social/blocks/" + f.Dan.ID.String(), "", 200},
		{"POST", f.Choir + "/leave", `{}`, 422}, // the only owner
		{"DELETE", f.Club, "", 200},
		{"POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`, 201},
	} {
		a := ann.Do(c.method, c.path+"?return=dataset", c.body).Want(c.status)
		got, has := a.At("dataset").(map[string]any)
		if c.status == 422 {
			if has {
				t.Errorf("%s: got a dataset in an error, want none", a.About)
			}
			continue
		}
		if want := ann.Do("GET", "/world/runtime").Want(200).At(""); !has || apptest.JSON(got) != apptest.JSON(want) {
			t.Errorf("%s: got the dataset %v, want that of GET /world/runtime", a.About, got)
		}
		if a.At("refresh.sections") == nil {
			t.Errorf("%s: got no refresh.sections, want them beside the dataset", a.About)
		}
	}
}

func TestReturnedDatasetDependsOnTheRequest(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	body := map[string]any{"title": "Hi", "body": "Hello", "among": "open"}
	path := "/world/social/conversations?return=dataset"
	ann.Do("POST", path, body).Want(201).WantValues("dataset.capabilities.runtime", map[string]any{"id": "generic"})
	ann.AsRuntime().Do("POST", path+"&sections=actions", body).Want(201).WantValues("dataset", map[string]any{"capabilities.runtime.id": "test", "objects": "[]"})
	if a := ann.Do("POST", "/world/social/conversations", body).Want(201); a.At("dataset") != nil {
		t.Errorf("%s: got a dataset, want none without return=dataset", a.About)
	}
	keyed := ann.With("Idempotency-Key", "k")
	first := keyed.Do("POST", path, body).Want(201)
	ann.StartConversation("Another")
	again := keyed.Do("POST", path, body).Want(201)
	if first.Str("conversation.id") != again.Str("conversation.id") || len(again.List("dataset.objects")) != len(first.List("dataset.objects"))+1 {
		t.Errorf("a repeated write: got %s, want the first response with the present dataset", again.Body)
	}
	s.WantUnchanged("by writes with wrong parameters", func() {
		for _, query := range []string{"?return=everything", "?return=", "?return=dataset&lat=abc&lon=1"} {
			a := ann.Do("POST", "/world/social/conversations"+query, body).WantError(400, "invalid_parameter")
			a.WantFields(map[bool]string{true: "lat", false: "return"}[strings.Contains(query, "lat")])
		}
	})
}

// A write, and an action without a route of its own, return only the changes since the
// revision that the runtime has. Covers B-105.
func TestWritesReturnTheChanges(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).Want(201)
	before := ann.Do("GET", "/world/runtime").Want(200)
	focus := ""
	for _, a := range before.List("actions") {
		if apptest.At(a, "type") == "focus_object" && strings.Contains(apptest.At(a, "action_id").(string), "tob_") {
			focus = apptest.At(a, "command.url").(string)
		}
	}
	for path, body := range map[string]string{focus: `{}`, "/world/time/objects": `{"object_type": "task", "title": "Garden"}`} {
		before = ann.Do("GET", "/world/runtime").Want(200)
		_, parameters, _ := strings.Cut(before.Str("capabilities.changes.url"), "?")
		a := ann.Do("POST", path+"?return=dataset&"+parameters, body)
		if a.Status >= 300 || a.At("dataset.delta.since") != before.Str("capabilities.changes.revision") {
			t.Fatalf("%s: got %s, want the changes since %s", a.About, a.Body, before.Str("capabilities.changes.revision"))
		}
		got, err := worldtest.ApplyDelta([]byte(before.Body), []byte(store.JSON(a.At("dataset"))))
		if err != nil {
			t.Fatal(err)
		}
		if want := string(withoutTimes(t, ann.Do("GET", "/world/runtime").Want(200).Body)); string(withoutTimes(t, string(got))) != want {
			t.Errorf("%s: got the dataset\n%s\nafter the changes, want\n%s", a.About, got, want)
		}
	}
	ann.Do("POST", focus+"?radius=wide", `{}`).WantError(400, "invalid_parameter")
}

// Covers B-03: the value of X-Service-Runtime need not be UTF-8.
func TestRuntimeHeaderMayBeLatin1(t *testing.T) {
	s := apptest.New(t)
	s.Member("ann").With("X-Service-Runtime", "caf\xe9/1").Do("GET", "/world/runtime").Want(200).
		WantValues("capabilities.runtime", map[string]any{"id": "café", "version": "1"})
}
