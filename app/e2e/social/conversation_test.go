package social

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers O-02, B-66, B-83 and PT-40.
func TestConversationErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	private := ann.CreateCommunity(`{"name": "Family"}`)
	inFamily := apptest.ConversationsPath + "/" + ann.StartConversationIn("Trip", communityContext(private))
	openConversation := apptest.ConversationsPath + "/" + ann.StartConversation("Weather")
	closedConversation := apptest.ConversationsPath + "/" + ann.StartConversation("Party")
	ann.Do("DELETE", closedConversation).Want(200)
	conversationBody := func(context string) string { return `{"title": "Trip", "body": "Where?", "context": ` + context + `}` }
	long := strings.Repeat("é", 8001)
	all := apptest.ConversationsPath
	wantRejected(s, []rejectedRequest{
		{ann, "POST", all, `{}`, "400 field_required title body context.kind"},
		{ann, "POST", all, map[string]any{"title": "Trip", "body": long, "context": map[string]any{"kind": "open"}}, "422 too_long body"},
		{ann, "POST", all, conversationBody(`{"kind": "circle"}`), "400 field_required context.depth"},
		{ann, "POST", all, conversationBody(`{"kind": "secret"}`), "422 invalid_value context.kind"},
		{bea, "POST", all, conversationBody(communityContext(private)), "404 not_found context.id"},
		{bea, "GET", inFamily, nil, "404 not_found"},
		{bea, "PATCH", inFamily, `{"state": "closed"}`, "404 not_found"},
		{bea, "PATCH", openConversation, `{"title": "Mine"}`, "403 permission_denied"},
		{bea, "DELETE", openConversation, nil, "403 permission_denied"},
		{ann, "PATCH", openConversation, `{"title": "", "state": null}`, "400 field_required title state"},
		{bea, "POST", openConversation + "/replies", `{"body": " "}`, "400 field_required body"},
		{bea, "POST", openConversation + "/replies", `{"body": "x", "in_reply_to": "rep_none"}`, "422 invalid_value in_reply_to"},
		{bea, "POST", closedConversation + "/replies", `{"body": "late"}`, "422 conversation_closed"},
		{bea, "POST", openConversation + "/read", `{"last_read_reply_id": "rep_none"}`, "422 invalid_value last_read_reply_id"},
		{ann, "GET", all + "?cursor=x", nil, "400 invalid_parameter cursor"},
		{ann, "GET", openConversation + "/replies?before=x", nil, "400 invalid_parameter before"},
	})
}

// Covers PT-31: brackets in form fields name the fields of an object, and an
// empty field is an absent one.
func TestFormStartsAConversation(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	started := ann.Do("POST", apptest.ConversationsPath, apptest.Form("title=Tea&body=When%3F&context[kind]=circle&context[depth]=2")).Want(201)
	started.WantSchema("service.social.conversation", started.At("conversation"))
	started.WantValues("conversation.context", map[string]any{"kind": "circle", "depth": 2, "id": nil})
	replies := apptest.ConversationsPath + "/" + started.Str("conversation.id") + "/replies"
	reply := ann.Do("POST", replies, apptest.Form("body=Now&in_reply_to=")).Want(201)
	reply.WantSchema("service.social.reply", reply.At("reply"))
	reply.WantValues("reply", map[string]any{"body": "Now", "in_reply_to": nil})
}

// Covers O-38: the record of a conversation has the actions that the viewer can perform.
func TestConversationActionsFollowPermissions(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	owner, author, member := s.Member("owner"), s.Member("author"), s.Member("member")
	community := owner.CreateCommunity(`{"name": "Family"}`, author, member)
	path := apptest.ConversationsPath + "/" + author.StartConversationIn("Trip", communityContext(community))
	wantActions := func(about string, c *apptest.Client, names string) {
		t.Helper()
		got := c.Do("GET", path+"?peek=1").Want(200).At("conversation.actions").(map[string]any)
		want(t, about+", "+c.Name, strings.Join(slices.Sorted(maps.Keys(got)), " "), names)
	}
	wantActions("open", author, "close mark_read mark_unread open reply update")
	wantActions("open", owner, "close mark_read mark_unread open reply")
	wantActions("open", member, "mark_read mark_unread open reply")
	owner.Do("DELETE", path).Want(200).WantValues("conversation", map[string]any{"state": "closed"})
	wantActions("closed", author, "mark_read mark_unread open reopen update")
	wantActions("closed", member, "mark_read mark_unread open")
	author.Do("PATCH", path, `{"state": "open"}`).Want(200).WantValues("conversation", map[string]any{"state": "open"})
}

// unreadReplies returns the unread count of a conversation in the list.
func unreadReplies(c *apptest.Client, conversation string) any {
	c.T.Helper()
	for _, item := range c.Do("GET", apptest.ConversationsPath).Want(200).List("conversations") {
		if apptest.At(item, "id") == conversation {
			return apptest.At(item, "unread_count")
		}
	}
	c.T.Fatalf("%s does not see the conversation %s", c.Name, conversation)
	return nil
}

// Covers B-50 and B-66: of all requests, only opening, marking and replying move
// the read cursor.
func TestOnlyOpeningMarkingAndReplyingMoveTheReadCursor(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	id := ann.StartConversation("Trip")
	path := apptest.ConversationsPath + "/" + id
	var replies []string
	for i := range 5 {
		replies = append(replies, bea.Reply(id, fmt.Sprint(i)))
	}
	cursor := ann.Do("GET", path+"?peek=1&limit=2").Want(200).Str("page.previous_cursor")
	ann.AsRuntime().Do("GET", "/world/runtime").Want(200) // the first read stores default surfaces
	s.WantUnchanged("reads that move no cursor", func() {
		for _, read := range []string{
			path + "?peek=1", path + "/replies", path + "?before=" + cursor, notificationsPath, activityPath,
			"/world/panels/social?view=conversations&id=" + id,
		} {
			ann.Do("GET", read).Want(200)
		}
		ann.With("Sec-Purpose", "prefetch;prerender").Do("GET", path).Want(200)
		ann.Do("HEAD", path).Want(200)
		ann.AsService().Do("GET", "/social/conversations/"+id).Want(200)
		ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	})
	want(t, "unread replies after reads", unreadReplies(ann, id), 5)
	ann.Do("POST", path+"/read", map[string]any{"last_read_reply_id": replies[1]}).Want(200)
	want(t, "unread replies after marking the second", unreadReplies(ann, id), 3)
	ann.Do("GET", path).Want(200).WantValues("conversation", map[string]any{"unread_count": 0})
	want(t, "unread replies after opening", unreadReplies(ann, id), 0)
	bea.Reply(id, "more")
	ann.Reply(id, "and more")
	want(t, "unread replies after replying", unreadReplies(ann, id), 0)
	want(t, "unread replies of bea", unreadReplies(bea, id), 1)
	bea.Do("POST", path+"/read").Want(200)
	want(t, "unread replies of bea after marking all", unreadReplies(bea, id), 0)
}

// The response to a block has the undo action that removes it.
func TestBlockCanBeUndone(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	for _, path := range []string{blocksPath, memberPath("/world/social/profiles", bea) + "/block"} {
		a := ann.Do("POST", path, map[string]any{"member_id": bea.ID}).Want(201)
		ann.Do(a.Str("undo.method"), a.Str("undo.url"), a.At("undo.body")).Want(200)
		if got := ann.Do("GET", blocksPath).List("blocks"); len(got) != 0 {
			t.Errorf("after the undo of POST %s: got the blocks %v, want none", path, got)
		}
	}
}

// The undo actions in the responses to closing a conversation and to removing a block revert them.
// A repetition succeeds and changes nothing. Covers B-106.
func TestClosingAndUnblockingCanBeUndone(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	undo := func(a *apptest.Answer) {
		t.Helper()
		method, url, body := a.Want(200).Str("undo.method"), a.Str("undo.url"), a.At("undo.body")
		for range 2 {
			if again := ann.Do(method, url, body); again.Status >= 300 {
				t.Errorf("%s %s: got status %d %s, want success", method, url, again.Status, again.Body)
			}
		}
	}
	conversation := apptest.ConversationsPath + "/" + ann.StartConversation("Weather")
	undo(ann.Do("POST", conversation+"/close"))
	if got := ann.Do("GET", conversation).Str("conversation.state"); got != "open" {
		t.Errorf("after the undo: got a conversation that is %s, want open", got)
	}
	ann.Do("DELETE", conversation).Want(200)
	if got := ann.Do("DELETE", conversation).Want(200).At("undo"); got != nil {
		t.Errorf("already closed: got undo %v, want none", got)
	}
	ann.Block(bea).Want(201)
	undo(ann.Do("DELETE", memberPath(blocksPath, bea)))
	if got := ann.Do("GET", blocksPath).Values("blocks", "member_id"); !slices.Equal(got, []string{bea.ID.String()}) {
		t.Errorf("after the undo: got the blocks %v, want one of %v", got, bea.ID)
	}
}
