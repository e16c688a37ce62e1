package social

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers B-72: the responses of blocking, listing and showing a member who
// blocks the viewer are the same as for a disabled account, byte for byte.
func TestBlockIsIndistinguishableFromADisabledAccount(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	op, ann, bea, cid := s.Member("op"), s.Member("ann"), s.Member("bea"), s.Member("cid")
	ann.CreateCommunity(`{"name": "Club"}`, bea, cid)
	withBea, withCid := ann.SendDM(bea, "Hello"), ann.SendDM(cid, "Hello")
	bea.Block(ann).Want(201)
	disable(op, cid)

	// response returns a response without the ids and names of its subject.
	response := func(c *apptest.Client, dm string, a *apptest.Answer) string {
		body := strings.ReplaceAll(a.Body, apptest.LastSegment(dm), "DM")
		if messages, ok := a.At("messages").([]any); ok {
			for _, m := range messages {
				body = strings.ReplaceAll(body, apptest.At(m, "id").(string), "MESSAGE")
			}
		}
		for _, key := range []string{`"id":`, `"member_id":`, blocksPath + "/"} {
			body = strings.ReplaceAll(body, key+c.ID.String(), key+"ID")
		}
		for _, text := range []string{"“" + c.ID.String() + "”", a.Header.Get("X-Request-Id"), c.Name, strings.ToUpper(c.Name[:1]) + c.Name[1:]} {
			body = strings.ReplaceAll(body, text, "…")
		}
		return fmt.Sprint(a.Status, " ", body)
	}
	for about, request := range map[string]func(c *apptest.Client, dm string) *apptest.Answer{
		"the profile": func(c *apptest.Client, _ string) *apptest.Answer {
			return ann.Do("GET", memberPath("/world/social/profiles", c))
		},
		"the DM": func(_ *apptest.Client, dm string) *apptest.Answer { return ann.Do("GET", dm+"?peek=1") },
		"an answer": func(_ *apptest.Client, dm string) *apptest.Answer {
			return ann.Do("POST", dm+"/messages", `{"body": "?"}`)
		},
		"a DM by name": func(c *apptest.Client, _ string) *apptest.Answer {
			return ann.Do("POST", dmsPath, map[string]any{"recipient": c.Name, "body": "?"})
		},
		"a DM by id": func(c *apptest.Client, _ string) *apptest.Answer {
			return ann.Do("POST", dmsPath, map[string]any{"recipient": c.ID, "body": "?"})
		},
		"a block by user name": func(c *apptest.Client, _ string) *apptest.Answer {
			return ann.Do("POST", blocksPath, map[string]any{"recipient": c.Name})
		},
		"a block by e-mail address": func(c *apptest.Client, _ string) *apptest.Answer {
			return ann.Do("POST", blocksPath, map[string]any{"recipient": c.Name + "@example.org"})
		},
		"a block by id": func(c *apptest.Client, _ string) *apptest.Answer { return ann.Block(c) },
	} {
		want(t, about, response(bea, withBea, request(bea, withBea)), response(cid, withCid, request(cid, withCid)))
	}
	want(t, "blocks of ann", ann.Do("GET", blocksPath).Want(200).Column("blocks", "display_name"), "Former member Former member")
	bea.Do("DELETE", memberPath(blocksPath, ann)).Want(200)
	if got := ann.Do("GET", blocksPath).Want(200).Column("blocks", "display_name"); !strings.Contains(got, "Bea") {
		t.Errorf("blocks of ann after bea has removed hers: got %q, want Bea among them", got)
	}
}

func TestBlockErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	a := ann.Block(bea).Want(201)
	a.WantSchema("service.social.block", a.At("block"))
	wantRejected(s, []rejectedRequest{
		{ann, "POST", blocksPath, `{}`, "400 field_required member_id"},
		{ann, "POST", blocksPath, `{"member_id": 99}`, "404 recipient_not_found member_id"},
		{ann, "POST", blocksPath, `{"member_id": 1}`, "422 invalid_value member_id"},
		{ann, "POST", blocksPath, `{"recipient": "zoe"}`, "404 recipient_not_found recipient"},
		{bea, "DELETE", memberPath(blocksPath, ann), nil, "404 not_found"},
		{ann, "DELETE", blocksPath + "/none", nil, "404 not_found"},
	})
}
