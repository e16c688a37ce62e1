package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc/identity"
	"appliance/svc/messages"
)

// Covers O-28, B-52 and B-72: whoever is blocked cannot tell it from a partner
// who is disabled.
func TestNobodyIsToldOfABlock(t *testing.T) {
	h := open(t, withKey)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	h.member("op")
	withBea, withDan := ann.tell("bea", "Hello"), ann.tell("dan", "Hello")
	bea.do("POST", "/world/social/blocks", `{"recipient": "ann"}`).want(201)
	ann.do("POST", "/world/social/blocks", `{"recipient": "cid"}`).want(201)
	h.write(func(tx *store.Tx) error {
		off := identity.Disabled
		_, err := h.identity.Update(tx, identity.CommandLine("test"), dan.id, identity.Changes{Status: &off})
		return err
	})
	blocked := ann.do("POST", withBea+"/messages", `{"body": "x"}`).refused(422, "recipient_unavailable")
	disabled := ann.do("POST", withDan+"/messages", `{"body": "x"}`).refused(422, "recipient_unavailable")
	if blocked.str("error.message") != disabled.str("error.message") {
		t.Errorf("%q is not %q", blocked.str("error.message"), disabled.str("error.message"))
	}
	bea.do("POST", withBea+"/messages", `{"body": "x"}`).refused(422, "recipient_unavailable")
	for _, c := range []struct {
		from *client
		to   string
	}{{ann, "bea"}, {ann, "cid"}, {cid, "ann"}, {bea, "ann"}, {ann, "dan"}, {ann, "Bea"}, {ann, fmt.Sprint(bea.id)}} {
		c.from.do("POST", "/world/messages", map[string]any{"recipient": c.to, "body": "x"}).refused(404, "recipient_not_found")
	}
	inbox := ann.do("GET", "/world/messages").want(200)
	for i := range 2 { // what was written before stays
		if inbox.at(fmt.Sprintf("threads.%d.can_reply", i)) != false || inbox.at(fmt.Sprintf("threads.%d.participant_count", i)) != 2.0 {
			t.Errorf("a thread is %v", inbox.at(fmt.Sprintf("threads.%d", i)))
		}
	}
	a := ann.runtime().do("GET", "/world/runtime").want(200)
	checkDataset(t, a)
	for _, o := range a.list("objects") {
		if dig(o, "object_type") == "message_thread" && dig(o, "permissions.can_reply") != false {
			t.Errorf("%v can be answered", dig(o, "title"))
		}
	}
	for _, action := range a.list("actions") {
		if dig(action, "type") == "send_message" {
			t.Errorf("a message can be sent: %v", action)
		}
	}
	panel := ann.internally().do("GET", "/runtime/panel/messages?thread="+strings.TrimPrefix(withBea, "/world/messages/")).want(200)
	if names := panel.each("members", "display_name"); !slices.Equal(names, []string{"Ann", "Op"}) {
		t.Errorf("members %v", names)
	}
	if forms := panel.each("action_descriptors", "id"); !slices.Equal(forms, []string{"start_thread"}) {
		t.Errorf("forms %v", forms)
	}
	bea.do("DELETE", "/world/social/blocks/"+fmt.Sprint(ann.id), "").want(200)
	ann.reply(withBea, "All is well again")
}

// Members who are gone stay participants. Covers B-51 and PT-46.
func TestFormerMembersStayParticipants(t *testing.T) {
	h := open(t, withKey)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	h.member("op")
	thread := ann.tell("bea", "Hello, treetop")
	bea.reply(thread, "Hello back, treetop")
	other := bea.tell("cid", "treetop")
	see := func(c *client) string {
		a := c.runtime().do("GET", "/world/runtime").want(200)
		checkDataset(t, a)
		inbox := c.do("GET", "/world/messages").want(200)
		return fmt.Sprintln(inbox.at("threads.0.title"), inbox.at("threads.0.participant_count"), inbox.at("threads.0.can_reply"),
			inbox.at("threads.0.message_count"), a.at("objects.0.title"))
	}
	change := func(c identity.Changes) {
		h.write(func(tx *store.Tx) error {
			_, err := h.identity.Update(tx, identity.CommandLine("test"), bea.id, c)
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
	leave := func(c *client) {
		h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), c.id) })
	}
	leave(bea)
	if got := see(ann); got != "Former member 2 false 2 Former member\n" {
		t.Errorf("deleted: %s", got)
	}
	ann.do("POST", thread+"/messages", `{"body": "x"}`).refused(422, "recipient_unavailable")
	a := ann.do("GET", thread).want(200)
	if a.at("thread.participants.1.display_name") != "Former member" || a.at("thread.participants.1.username") != "" || len(a.list("messages")) != 2 {
		t.Errorf("the thread is %s", a.body)
	}
	if n := len(ann.do("GET", "/world/messages?q=treetop").want(200).list("results")); n != 2 {
		t.Errorf("%d messages are found", n)
	}

	// What nobody has any more is gone, and with it what it is found by.
	cid.do("GET", other).want(200)
	h.write(func(tx *store.Tx) error { // more than one write deletes
		for range 600 {
			if _, err := h.messages.Start(tx, cid.viewer(), messages.StartRequest{Recipient: messages.Recipients{"ann"}, Body: "treetop"}); err != nil {
				return err
			}
		}
		return nil
	})
	leave(cid)
	if err := h.sweepMessages(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(ann.do("GET", "/world/messages?q=treetop&limit=200").want(200).list("results")); n != 200 {
		t.Errorf("%d of her messages are left to ann", n)
	}
	leave(ann)
	if err := h.sweepMessages(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := h.rows()
	for _, table := range []string{"messages_thread", "messages_participant", "messages_message", "messages_search_docsize"} {
		if text, there := rows[table]; !there || text != "" {
			t.Errorf("%s still has %s", table, text)
		}
	}
}
