package messages

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/identity"
	"appliance/svc/messages"
)

// Covers O-28, B-52 and B-72: whoever is blocked cannot tell it from a partner
// who is disabled.
func TestNobodyIsToldOfABlock(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	h.Member("op")
	withBea, withDan := ann.SendMessage("bea", "Hello"), ann.SendMessage("dan", "Hello")
	bea.Do("POST", "/world/social/blocks", `{"recipient": "ann"}`).Want(201)
	ann.Do("POST", "/world/social/blocks", `{"recipient": "cid"}`).Want(201)
	h.Write(func(tx *store.Tx) error {
		off := identity.Disabled
		_, err := h.App.Identity.Update(tx, identity.CommandLine("test"), dan.ID, identity.Changes{Status: &off})
		return err
	})
	blocked := ann.Do("POST", withBea+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	disabled := ann.Do("POST", withDan+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	if blocked.Str("error.message") != disabled.Str("error.message") {
		t.Errorf("%q is not %q", blocked.Str("error.message"), disabled.Str("error.message"))
	}
	bea.Do("POST", withBea+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	for _, c := range []struct {
		from *apptest.Client
		to   string
	}{{ann, "bea"}, {ann, "cid"}, {cid, "ann"}, {bea, "ann"}, {ann, "dan"}, {ann, "Bea"}, {ann, fmt.Sprint(bea.ID)}} {
		c.from.Do("POST", "/world/messages", map[string]any{"recipient": c.to, "body": "x"}).WantError(404, "recipient_not_found")
	}
	inbox := ann.Do("GET", "/world/messages").Want(200)
	for i := range 2 { // what was written before stays
		if inbox.At(fmt.Sprintf("threads.%d.can_reply", i)) != false || inbox.At(fmt.Sprintf("threads.%d.participant_count", i)) != 2.0 {
			t.Errorf("a thread is %v", inbox.At(fmt.Sprintf("threads.%d", i)))
		}
	}
	a := ann.Runtime().Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	for _, o := range a.List("objects") {
		if apptest.At(o, "object_type") == "message_thread" && apptest.At(o, "permissions.can_reply") != false {
			t.Errorf("%v can be answered", apptest.At(o, "title"))
		}
	}
	for _, action := range a.List("actions") {
		if apptest.At(action, "type") == "send_message" {
			t.Errorf("a message can be sent: %v", action)
		}
	}
	panel := ann.AsService().Do("GET", "/runtime/panel/messages?thread="+strings.TrimPrefix(withBea, "/world/messages/")).Want(200)
	if names := panel.Each("members", "display_name"); !slices.Equal(names, []string{"Ann", "Op"}) {
		t.Errorf("members %v", names)
	}
	if forms := panel.Each("action_descriptors", "id"); !slices.Equal(forms, []string{"start_thread"}) {
		t.Errorf("forms %v", forms)
	}
	bea.Do("DELETE", "/world/social/blocks/"+fmt.Sprint(ann.ID), "").Want(200)
	ann.SendInThread(withBea, "All is well again")
}

// Members who are gone stay participants. Covers B-51 and PT-46.
func TestFormerMembersStayParticipants(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	h.Member("op")
	thread := ann.SendMessage("bea", "Hello, treetop")
	bea.SendInThread(thread, "Hello back, treetop")
	other := bea.SendMessage("cid", "treetop")
	see := func(c *apptest.Client) string {
		a := c.Runtime().Do("GET", "/world/runtime").Want(200)
		apptest.CheckDataset(t, a)
		inbox := c.Do("GET", "/world/messages").Want(200)
		return fmt.Sprintln(inbox.At("threads.0.title"), inbox.At("threads.0.participant_count"), inbox.At("threads.0.can_reply"),
			inbox.At("threads.0.message_count"), a.At("objects.0.title"))
	}
	change := func(c identity.Changes) {
		h.Write(func(tx *store.Tx) error {
			_, err := h.App.Identity.Update(tx, identity.CommandLine("test"), bea.ID, c)
			return err
		})
	}
	name, off, on := "Beatrix", identity.Disabled, identity.Active
	change(identity.Changes{DisplayName: &name})
	if got := see(ann); got != "Beatrix 2 true 2 Beatrix\n" {
		t.Errorf("renamed: %s", got)
	}
	change(identity.Changes{Status: &off})
	if got := see(ann); got != "Former member 2 false 2 Former member\n" {
		t.Errorf("disabled: %s", got)
	}
	change(identity.Changes{Status: &on})
	if got := see(ann); got != "Beatrix 2 true 2 Beatrix\n" {
		t.Errorf("enabled: %s", got)
	}
	leave := func(c *apptest.Client) {
		h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), c.ID) })
	}
	leave(bea)
	if got := see(ann); got != "Former member 2 false 2 Former member\n" {
		t.Errorf("deleted: %s", got)
	}
	ann.Do("POST", thread+"/messages", `{"body": "x"}`).WantError(422, "recipient_unavailable")
	a := ann.Do("GET", thread).Want(200)
	if a.At("thread.participants.1.display_name") != "Former member" || a.At("thread.participants.1.username") != "" || len(a.List("messages")) != 2 {
		t.Errorf("the thread is %s", a.Body)
	}
	if n := len(ann.Do("GET", "/world/messages?q=treetop").Want(200).List("results")); n != 2 {
		t.Errorf("%d messages are found", n)
	}

	// What nobody has any more is gone, and with it what it is found by.
	cid.Do("GET", other).Want(200)
	h.Write(func(tx *store.Tx) error { // more than one write deletes
		for range 600 {
			if _, err := h.App.Messages.Start(tx, cid.Viewer(), messages.StartRequest{Recipient: messages.Recipients{"ann"}, Body: "treetop"}); err != nil {
				return err
			}
		}
		return nil
	})
	leave(cid)
	if err := h.App.SweepMessages(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(ann.Do("GET", "/world/messages?q=treetop&limit=200").Want(200).List("results")); n != 200 {
		t.Errorf("%d of her messages are left to ann", n)
	}
	leave(ann)
	if err := h.App.SweepMessages(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := h.Rows()
	for _, table := range []string{"messages_thread", "messages_participant", "messages_message", "messages_search_docsize"} {
		if text, there := rows[table]; !there || text != "" {
			t.Errorf("%s still has %s", table, text)
		}
	}
}
