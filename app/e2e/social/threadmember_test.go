package social

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/identity"
)

// updateAccount changes the account of a member.
func updateAccount(c *apptest.Client, changes identity.Changes) {
	c.Server.Write(func(tx *store.Tx) error {
		_, err := c.Server.App.Identity.Update(tx, identity.CommandLine("test"), c.ID, changes)
		return err
	})
}

// Errors, dataset and panel are the same for a block and for a disabled account. Covers O-28, B-52 and B-72.
func TestBlockIsIndistinguishableFromADisabledAccountInMessages(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea, cid, dan := s.Member("ann"), s.Member("bea"), s.Member("cid"), s.Member("dan")
	s.Member("op")
	withBea, withDan := ann.SendMessage("bea", "Hello"), ann.SendMessage("dan", "Hello")
	bea.Do("POST", "/world/social/blocks", `{"recipient": "ann"}`).Want(201)
	ann.Do("POST", "/world/social/blocks", `{"recipient": "cid"}`).Want(201)
	disabled := identity.Disabled
	updateAccount(dan, identity.Changes{Status: &disabled})
	blockedError := ann.Do("POST", withBea+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable").Str("error.message")
	disabledError := ann.Do("POST", withDan+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable").Str("error.message")
	if blockedError != disabledError {
		t.Errorf("got the messages %q and %q, want the same", blockedError, disabledError)
	}
	bea.Do("POST", withBea+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	for _, c := range []struct {
		from *apptest.Client
		to   string
	}{{ann, "bea"}, {ann, "cid"}, {cid, "ann"}, {bea, "ann"}, {ann, "dan"}, {ann, "Bea"}, {ann, fmt.Sprint(bea.ID)}} {
		c.from.Do("POST", "/world/messages", map[string]any{"recipient": c.to, "body": "x"}).WantError(404, "recipient_not_found")
	}
	inbox := ann.Do("GET", "/world/messages").Want(200)
	for i := range 2 {
		inbox.WantValues(fmt.Sprint("threads.", i), map[string]any{"can_reply": false, "participant_count": 2, "title": "Former member"})
	}
	a := ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	for _, o := range a.List("objects") {
		if apptest.At(o, "object_type") == "message_thread" && apptest.At(o, "permissions.can_reply") != false {
			t.Errorf("%v: got can_reply %v, want false", apptest.At(o, "title"), apptest.At(o, "permissions.can_reply"))
		}
	}
	if got := a.Values("actions", "type"); slices.Contains(got, "send_message") {
		t.Errorf("actions: got %v, want no send_message", got)
	}
	panel := ann.AsService().Do("GET", "/runtime/panel/messages?thread="+strings.TrimPrefix(withBea, "/world/messages/")).Want(200)
	if got, want := panel.Values("members", "display_name"), []string{"Ann", "Op"}; !slices.Equal(got, want) {
		t.Errorf("members of the panel: got %v, want %v", got, want)
	}
	if got, want := panel.Values("action_descriptors", "id"), []string{"start_thread", "search"}; !slices.Equal(got, want) {
		t.Errorf("forms of the panel: got %v, want %v", got, want)
	}
	bea.Do("DELETE", "/world/social/blocks/"+fmt.Sprint(ann.ID), "").Want(200)
	ann.SendInThread(withBea, "After the block")
}

// The rename, disabling or deletion of a member changes threads and cached datasets at once. Covers
// B-51 and PT-46.
func TestThreadsFollowTheAccountsOfTheirMembers(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	s.Member("op")
	thread := ann.SendMessage("bea", "Hello, treetop")
	bea.SendInThread(thread, "Hello back, treetop")
	name, disabled, active := "Beatrix", identity.Disabled, identity.Active
	for _, step := range []struct {
		about, title string
		canReply     bool
		change       func()
	}{
		{"renamed", "Beatrix", true, func() { updateAccount(bea, identity.Changes{DisplayName: &name}) }},
		{"disabled", "Former member", false, func() { updateAccount(bea, identity.Changes{Status: &disabled}) }},
		{"enabled", "Beatrix", true, func() { updateAccount(bea, identity.Changes{Status: &active}) }},
		{"deleted", "Former member", false, func() { deleteMember(bea) }},
	} {
		step.change()
		a := ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
		apptest.CheckDataset(t, a)
		a.WantValues("objects.0", map[string]any{"title": step.title, "permissions.can_reply": step.canReply})
		ann.Do("GET", "/world/messages").Want(200).WantValues("threads.0", map[string]any{
			"title": step.title, "can_reply": step.canReply, "participant_count": 2, "message_count": 2,
		})
		if t.Failed() {
			t.Fatalf("the step that failed: bea is %s", step.about)
		}
	}
	ann.Do("POST", thread+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	ann.Do("GET", thread).Want(200).WantValues("thread.participants.1", map[string]any{"display_name": "Former member", "username": ""})
	if n := len(ann.Do("GET", "/world/messages?q=treetop").Want(200).List("results")); n != 2 {
		t.Errorf("messages of a deleted member in a search: got %d, want 2", n)
	}
}

func deleteMember(c *apptest.Client) {
	c.Server.DeleteMember(c.ID)
}

// The messages of deleted members are deleted, including their index.
// Covers PT-46.
func TestMessagesOfDeletedMembersAreDeleted(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	s.Member("op")
	ann.SendMessage("bea", "Hello, treetop")
	deleteMember(ann)
	deleteMember(bea)
	rows := s.Rows()
	for _, table := range []string{"messages_thread", "messages_participant", "messages_message", "messages_search_docsize"} {
		if text, found := rows[table]; !found || text != "" {
			t.Errorf("%s: got the rows %q, want none", table, text)
		}
	}
}
