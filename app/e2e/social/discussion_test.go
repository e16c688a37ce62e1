package social

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/identity"
	"appliance/svc/svctest"
)

// unread is how many replies are unread as the list has it.
func unreadIn(c *apptest.Client, conversation string) int {
	c.T.Helper()
	for _, one := range c.Do("GET", apptest.ConversationsPath).Want(200).List("conversations") {
		if apptest.At(one, "id") == conversation {
			return int(apptest.At(one, "unread_count").(float64))
		}
	}
	c.T.Fatalf("%s does not see it", c.Name)
	return 0
}

// Reading is what members do themselves, and it goes forward only. Covers
// B-50 as B-66 takes it.
func TestReadMarker(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	id := ann.StartConversation("Trip")
	path := apptest.ConversationsPath + "/" + id
	var said []string
	for i := range 5 {
		said = append(said, bea.Reply(id, fmt.Sprint(i)))
	}
	unread := func(c *apptest.Client, want int, after string) {
		t.Helper()
		if got := unreadIn(c, id); got != want {
			t.Errorf("after %s %s has %d unread, want %d", after, c.Name, got, want)
		}
	}
	unread(ann, 5, "replies")
	unread(bea, 0, "her own replies")
	ann.Do("GET", path+"?peek=1").Want(200)
	ann.Do("GET", path+"/replies").Want(200)
	ann.With("Sec-Purpose", "prefetch;prerender").Do("GET", path).Want(200)
	ann.Do("HEAD", path).Want(200)
	ann.AsService().Do("GET", "/social/conversations/"+id).Want(200)
	before := ann.Do("GET", path+"?peek=1&limit=2").Want(200).Str("page.previous_cursor")
	ann.Do("GET", path+"?before="+before).Want(200)
	ann.Do("GET", "/world/social/notifications").Want(200)
	ann.Do("GET", "/world/social/activity").Want(200)
	unread(ann, 5, "no reading")
	ann.Do("POST", path+"/read", map[string]any{"last_read_reply_id": said[1]}).Want(200)
	unread(ann, 3, "reading up to the second")
	ann.Do("POST", path+"/read", map[string]any{"last_read_reply_id": said[0]}).Want(200)
	unread(ann, 3, "reading the first again")
	ann.Do("POST", path+"/read", `{"last_read_reply_id": "rep_other"}`).WantError(422, "invalid_value").WantFields("last_read_reply_id")
	if got := ann.Do("GET", path).Want(200).At("conversation.unread_count"); got != 0.0 {
		t.Errorf("opening it, %v are unread", got)
	}
	unread(ann, 0, "opening it")
	bea.Reply(id, "more")
	unread(ann, 1, "another reply")
	ann.Reply(id, "and more")
	unread(ann, 0, "replying")
	unread(bea, 1, "a reply of ann's")
	bea.Do("POST", path+"/read").Want(200)
	unread(bea, 0, "saying so")
}

// Who begins, who replies, who changes, and what is refused. Covers O-02 and
// B-66.
func TestConversations(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	private, public := gathering(h, "private", ann, bea), gathering(h, "public", ann, bea)
	begin := func(c *apptest.Client, kind, id string, depth any) *apptest.Answer {
		return c.Do("POST", apptest.ConversationsPath, map[string]any{"title": "Trip", "body": "Where?", "context": map[string]any{"kind": kind, "id": id, "depth": depth}})
	}
	h.WantUnchanged("by what is refused", func() {
		begin(cid, "community", private, nil).WantError(404, "not_found").WantFields("context.id")
		begin(cid, "community", "com_none", nil).WantError(404, "not_found").WantFields("context.id")
		begin(cid, "community", public, nil).WantError(403, "permission_denied").WantFields("context.id")
		begin(ann, "community", "", nil).WantError(400, "field_required").WantFields("context.id")
		begin(ann, "circle", "", nil).WantError(400, "field_required").WantFields("context.depth")
		begin(ann, "circle", "", 4).WantError(422, "invalid_value").WantFields("context.depth")
		begin(ann, "event", "evt_1", nil).WantError(422, "invalid_value").WantFields("context.kind")
		begin(ann, "secret", "", nil).WantError(422, "invalid_value").WantFields("context.kind")
		ann.Do("POST", apptest.ConversationsPath, `{"title": " ", "body": "\n"}`).WantError(400, "field_required").WantFields("title", "body", "context.kind")
		ann.Do("POST", apptest.ConversationsPath, map[string]any{"title": strings.Repeat("é", 201), "body": strings.Repeat("é", 8001), "context": map[string]any{"kind": "open"}}).
			WantError(422, "too_long").WantFields("title", "body")
	})
	form := cid.Do("POST", apptest.ConversationsPath, apptest.Form("title=Tea&body=When%3F&context[kind]=circle&context[depth]=2")).Want(201)
	if form.Str("conversation.context.kind") != "circle" || form.At("conversation.context.depth") != 2.0 || form.At("conversation.context.id") != nil {
		t.Errorf("a form makes %s", form.Body)
	}

	trip := begin(bea, "community", private, nil).Want(201)
	trip.WantSchema("service.social.conversation", trip.At("conversation"))
	id := trip.Str("conversation.id")
	path := apptest.ConversationsPath + "/" + id
	may := func(c *apptest.Client, want string) {
		t.Helper()
		actions := c.Do("GET", path+"?peek=1").Want(200).At("conversation.actions").(map[string]any)
		if got := strings.Join(slices.Sorted(maps.Keys(actions)), " "); got != want {
			t.Errorf("%s may %s, want %s", c.Name, got, want)
		}
	}
	may(bea, "close mark_read open reply update")
	may(ann, "close mark_read open reply") // who owns the community
	ann.Do("PATCH", path, `{"title": "Mine"}`).WantError(403, "permission_denied")
	bea.Do("PATCH", path, `{"title": "", "state": "gone"}`).WantError(400, "field_required").WantFields("title", "state")
	if got := bea.Do("PATCH", path, `{"title": "Trips", "body": "Where to?"}`).Want(200); got.Str("conversation.title") != "Trips" || got.Str("conversation.body") != "Where to?" {
		t.Errorf("it is now %s", got.Body)
	}
	dan := h.Member("dan")
	belongs(h, dan, private, "active", "member")
	may(dan, "mark_read open reply")
	dan.Do("DELETE", path).WantError(403, "permission_denied")
	dan.Do("PATCH", path, `{}`).WantError(403, "permission_denied")
	h.WantUnchanged("by a change of nothing", func() { bea.Do("PATCH", path, `{"state": "open", "title": "Trips"}`).Want(200) })
	cid.Do("DELETE", path).WantError(404, "not_found")
	cid.Do("PATCH", path, `{"state": "closed"}`).WantError(404, "not_found")

	first := dan.Reply(id, " The sea \n")
	other := ann.Reply(ann.StartConversation("Elsewhere"), "there")
	reply := func(body, to string) *apptest.Answer {
		return ann.Do("POST", path+"/replies", map[string]any{"body": body, "in_reply_to": to})
	}
	h.WantUnchanged("by a reply that is refused", func() {
		reply("", first).WantError(400, "field_required").WantFields("body")
		reply(strings.Repeat("é", 8001), first).WantError(422, "too_long").WantFields("body")
		reply("no", other).WantError(422, "invalid_value").WantFields("in_reply_to")
	})
	answered := reply("Which one?", first).Want(201)
	answered.WantSchema("service.social.reply", answered.At("reply"))
	if answered.Str("reply.in_reply_to") != first || answered.At("reply.event_id") != nil {
		t.Errorf("the reply is %s", answered.Body)
	}
	if got := dan.Do("GET", path+"/replies").Want(200).Str("replies.0.body"); got != " The sea \n" {
		t.Errorf("what was said became %q", got)
	}

	if got := ann.Do("DELETE", path).Want(200).Str("conversation.state"); got != "closed" {
		t.Errorf("it is %s", got)
	}
	may(dan, "mark_read open")
	may(bea, "mark_read open reopen update")
	dan.Do("POST", path+"/replies", `{"body": "too late"}`).WantError(422, "conversation_closed")
	bea.Do("PATCH", path, `{"state": "open"}`).Want(200)
	if got := dan.Do("POST", path+"/replies", apptest.Form("body=in+time&in_reply_to=")).Want(201).At("reply.in_reply_to"); got != nil {
		t.Errorf("a form that answers nothing answers %v", got)
	}

	belongs(h, ann, private, "active", "moderator")
	ann.Do("PATCH", path, `{"state": "closed"}`).Want(200)
	again := bea.With("Idempotency-Key", "once")
	for range 2 {
		again.Do("POST", apptest.ConversationsPath+"/"+bea.StartConversation("Once")+"/replies", `{"body": "x"}`).Want(201)
	}
}

// What was said by somebody who is gone stays, and is nobody's. Covers PT-46.
func TestFormerMembersHaveSaidWhatTheySaid(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	op, ann, bea := h.Member("op"), h.Member("ann"), h.Member("bea")
	id := bea.StartConversation("Trip")
	ann.Reply(id, "Yes")
	bea.Reply(id, "Good")
	op.Do("POST", "/admin/members/update", map[string]any{"id": bea.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	check := func(when string) {
		t.Helper()
		d := ann.Do("GET", apptest.ConversationsPath+"/"+id).Want(200)
		if d.Str("conversation.author.display_name") != "Former member" || d.Str("replies.1.author.display_name") != "Former member" || d.Str("replies.1.body") != "Good" {
			t.Errorf("%s: %s", when, d.Body)
		}
		if got := ann.Do("GET", "/world/social/notifications").Want(200); got.Str("notifications.0.title") != "Former member replied" {
			t.Errorf("%s: %s", when, got.Body)
		}
		if got := ann.Do("GET", "/world/social/activity").Want(200); got.Str("activity.0.actor.display_name") != "Former member" {
			t.Errorf("%s: %s", when, got.Body)
		}
	}
	check("disabled")
	h.Write(func(tx *store.Tx) error { return h.App.Identity.Delete(tx, identity.CommandLine("test"), bea.ID) })
	check("deleted")
	ann.Reply(id, "Anybody there?")
}

// Each sort of notification says who and what, and nothing of what was
// written. Covers O-26 as far as conversations go, B-71 and M-28.
func TestNotifications(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	notes := func(c *apptest.Client, want ...string) *apptest.Answer {
		t.Helper()
		a := c.Do("GET", "/world/social/notifications").Want(200)
		var got []string
		for _, n := range a.List("notifications") {
			a.WantSchema("service.social.notification", n)
			got = append(got, fmt.Sprint(apptest.At(n, "kind"), ": ", apptest.At(n, "title"), ": ", apptest.At(n, "summary")))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is told %q, want %q", c.Name, got, want)
		}
		if strings.Contains(a.Body, "in confidence") {
			t.Errorf("it repeats what was said: %s", a.Body)
		}
		return a
	}
	id := ann.StartConversation("Trip")
	bea.Reply(id, "in confidence")
	cid.Reply(id, "in confidence to @Bea, (@ann) @nobody bea@example.org @CID.")
	notes(ann, "mention: Cid mentioned you: Trip", "reply: Bea replied: Trip")
	told := notes(bea, "mention: Cid mentioned you: Trip")
	notes(cid)
	if got := told.Str("notifications.0.actions.open"); got != "/world/panels/social?view=conversations&id="+id {
		t.Errorf("it opens %s", got)
	}

	read := func(c *apptest.Client, body string, want float64) {
		t.Helper()
		if got := c.Do("POST", "/world/social/notifications/read", body).Want(200).At("unread_count"); got != want {
			t.Errorf("after %s %v are unread, want %v", body, got, want)
		}
		if got := c.Do("GET", "/world/social/notifications").Want(200).At("unread_count"); got != want {
			t.Errorf("after %s the list says that %v are unread, want %v", body, got, want)
		}
	}
	one := ann.Do("GET", "/world/social/notifications").Str("notifications.0.id")
	bea.Do("POST", "/world/social/notifications/read", `{}`).WantError(400, "field_required").WantFields("ids")
	read(bea, `{"ids": ["`+one+`", "ntf_none"]}`, 1) // it is ann's
	read(ann, `{"ids": ["`+one+`"]}`, 1)
	read(ann, `{"all": true}`, 0)
	if got := ann.Do("GET", "/world/social/notifications").At("notifications.1.read_at"); got == nil {
		t.Error("it was read at no time")
	}

	// A new name shows at once, and whoever is gone from sight is.
	gathering(h, "private", ann, bea)
	bea.Do("POST", "/world/social/blocks", map[string]any{"member_id": cid.ID}).Want(201)
	notes(bea)
	bea.Do("DELETE", "/world/social/blocks/"+cid.ID.String()).Want(200)
	notes(bea, "mention: Cid mentioned you: Trip")
}

// Whoever could not see something when it was said is not told of it later.
func TestNobodyIsToldLater(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	private := gathering(h, "private", ann, bea)
	id := ann.Do("POST", apptest.ConversationsPath, map[string]any{
		"title": "Us", "body": "@cid @dan", "context": map[string]any{"kind": "community", "id": private},
	}).Want(201).Str("conversation.id")
	circle := ann.Do("POST", apptest.ConversationsPath, map[string]any{
		"title": "Near", "body": "@bea @cid @dan", "context": map[string]any{"kind": "circle", "depth": 1},
	}).Want(201).Str("conversation.id")
	bea.Reply(id, "I am here")
	bea.Reply(circle, "I am near")
	belongs(h, bea, private, "left", "member")
	ann.Reply(id, "Where?")
	ann.Reply(circle, "@bea, @cid and @dan?")
	ann.Do("POST", "/world/social/blocks", map[string]any{"member_id": dan.ID}).Want(201)
	ann.StartConversation("Without @dan")
	for _, c := range []*apptest.Client{bea, cid, dan} {
		belongs(h, c, private, "active", "member")
	}
	ann.Do("DELETE", "/world/social/blocks/"+dan.ID.String()).Want(200)
	for c, want := range map[*apptest.Client]int{bea: 1, cid: 0, dan: 0} {
		a := c.Do("GET", "/world/social/notifications").Want(200)
		if got := len(a.List("notifications")); got != want || a.At("unread_count") != float64(want) {
			t.Errorf("%s is told %d things, want %d: %s", c.Name, got, want, a.Body)
		}
	}
}

// Whoever may not see something any more is not told of it any more, and is
// again when they may. Covers O-14 and O-36 as far as conversations go.
func TestWhoeverLeavesIsToldNothing(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	private := gathering(h, "private", ann, bea)
	ids := make([]any, 2)
	for i, context := range []map[string]any{{"kind": "community", "id": private}, {"kind": "circle", "depth": 1}} {
		ids[i] = ann.Do("POST", apptest.ConversationsPath, map[string]any{"title": "Us", "body": "@bea", "context": context}).Want(201).At("conversation.id")
	}
	sees := func(when string, want int) {
		t.Helper()
		a := bea.Do("GET", "/world/social/notifications").Want(200)
		got := []int{
			len(a.List("notifications")), int(a.At("unread_count").(float64)), len(bea.Do("GET", "/world/social/activity").List("activity")),
			len(bea.Do("GET", apptest.ConversationsPath).List("conversations")), countConversations(h, bea),
		}
		if slices.ContainsFunc(got, func(n int) bool { return n != want }) {
			t.Errorf("%s bea sees %v, want %d everywhere", when, got, want)
		}
	}
	sees("at first", 2)
	belongs(h, bea, private, "left", "member")
	sees("having left", 0)
	bea.Do("GET", fmt.Sprint(apptest.ConversationsPath, "/", ids[1])).WantError(404, "not_found")
	belongs(h, bea, private, "active", "member")
	sees("being back", 2)
}

// The conversation of an event is called as the event is, stands in no list of
// conversations, and what is said in it is said of the event. Covers O-04,
// O-05 as far as conversations go.
func TestConversationOfAnEvent(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.Exec(`INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
		VALUES ('cnv_dinner', '', '', 'event', 1, 1, 'open', 0, 0, 1, 0, 0, 0)`)
	h.Exec(`INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location, visibility, audience_id, host_id, revision, created_at, updated_at)
		VALUES ('evt_dinner', 'cnv_dinner', 'Dinner', '', 0, 0, 'UTC', 0, 0, 1, '', 'public', 1, 1, 1, 0, 0)`)
	path := apptest.ConversationsPath + "/cnv_dinner"
	if got := len(bea.Do("GET", apptest.ConversationsPath).Want(200).List("conversations")); got != 0 {
		t.Errorf("%d conversations are listed", got)
	}
	reply := bea.Do("POST", path+"/replies", `{"body": "I bring @ann a cake"}`).Want(201)
	if reply.Str("reply.event_id") != "evt_dinner" {
		t.Errorf("the reply is %s", reply.Body)
	}
	c := ann.Do("GET", path).Want(200)
	if c.Str("conversation.title") != "Dinner" || c.Str("conversation.context.id") != "evt_dinner" || c.At("conversation.permissions.can_update") != false {
		t.Errorf("the host sees %s", c.Body)
	}
	ann.Do("PATCH", path, `{"title": "Supper"}`).WantError(403, "permission_denied")
	ann.Do("DELETE", path).Want(200)
	bea.Do("POST", path+"/replies", `{"body": "?"}`).WantError(422, "conversation_closed")
	for path, key := range map[string]string{"/world/social/activity": "activity", "/world/social/notifications": "notifications"} {
		a := ann.Do("GET", path).Want(200)
		if a.Str(key+".0.target.title") != "Dinner" || a.Str(key+".0.actions.open") != "/world/panels/social?view=events&id=evt_dinner" {
			t.Errorf("%s", a.Body)
		}
	}
	bea.Do("POST", "/world/social/blocks", map[string]any{"member_id": ann.ID}).Want(201)
	bea.Do("GET", path).WantError(404, "not_found")
	for _, c := range []*apptest.Client{ann, bea} {
		if n := len(c.Do("GET", "/world/social/notifications").List("notifications")); n != 0 {
			t.Errorf("%s is told of somebody hidden", c.Name)
		}
	}
	if n := len(bea.Do("GET", "/world/social/activity").List("activity")); n != 0 {
		t.Error("what bea said of an event that she does not see is in her activity")
	}
}

// A text calls twenty members at most, however many it names.
func TestMentionsAreBounded(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	text, last := "", (*apptest.Client)(nil)
	for i := range 21 {
		last = h.Member(fmt.Sprint("friend", i))
		text += "@" + last.Name + " "
	}
	h.Queries.Take()
	ann.Do("POST", apptest.ConversationsPath, map[string]any{"title": "All", "body": text, "context": map[string]any{"kind": "open"}}).Want(201)
	if n := h.Queries.Take()["identity/people-by-username"]; n != 1 {
		t.Errorf("%d look-ups of usernames", n)
	}
	if n := last.Do("GET", "/world/social/notifications").At("unread_count"); n != 0.0 {
		t.Error("the twenty-first is told")
	}
}

// Turning pages shows each thing that was there exactly once, whatever is said
// meanwhile. Covers PT-30 and O-25.
func TestPagesOfConversations(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	var ids []string
	for i := range 10 {
		h.Clock.Advance(time.Duration(i%2) * time.Second) // some are of the same moment
		ids = append(ids, ann.StartConversation(fmt.Sprint(i)))
	}
	h.Clock.Advance(time.Second)
	bea.Reply(ids[3], "first")
	bea.Reply(ids[7], "second")
	news := 0
	for _, list := range []struct {
		path, key string
		old       int
		by        *apptest.Client
	}{
		{apptest.ConversationsPath, "conversations", 10, bea}, {"/world/social/activity", "activity", 12, bea},
		{"/world/social/notifications", "notifications", 2, ann},
	} {
		var was []string
		for _, item := range list.by.Do("GET", list.path+"?limit=200").Want(200).List(list.key) {
			was = append(was, apptest.At(item, "id").(string))
		}
		if len(was) < list.old {
			t.Errorf("%s has %d items, want %d at least", list.path, len(was), list.old)
		}
		var got []string
		for cursor := ""; ; {
			a := list.by.Do("GET", list.path+"?limit=2&cursor="+cursor).Want(200)
			for _, item := range a.List(list.key) {
				got = append(got, apptest.At(item, "id").(string))
			}
			if cursor = a.Str("page.next_cursor"); cursor == "" {
				break
			}
			h.Clock.Advance(time.Second)
			news++
			bea.Reply(ids[news%len(ids)], "meanwhile")
			bea.StartConversation("Meanwhile")
		}
		if !slices.Equal(got, was) {
			t.Errorf("%s: page by page %d items, at once %d:\n%q\n%q", list.path, len(got), len(was), got, was)
		}
		bea.Do("GET", list.path+"?cursor=bad").WantError(400, "invalid_parameter").WantFields("cursor")
	}
	busy := bea.StartConversation("Busy")
	var said []string
	for i := range 9 {
		said = append(said, ann.Reply(busy, fmt.Sprint(i)))
	}
	var got []string
	for before := ""; ; {
		a := bea.Do("GET", apptest.ConversationsPath+"/"+busy+"/replies?limit=2&before="+before).Want(200)
		var page []string
		for _, r := range a.List("replies") {
			page = append(page, apptest.At(r, "id").(string))
		}
		got = append(page, got...)
		if before = a.Str("page.previous_cursor"); before == "" {
			break
		}
		ann.Reply(busy, "meanwhile")
	}
	if !slices.Equal(got, said) {
		t.Errorf("page by page %q, said %q", got, said)
	}
	bea.Do("GET", apptest.ConversationsPath+"/"+busy+"/replies?before=bad").WantError(400, "invalid_parameter").WantFields("before")
}

// talk is what a conversation is by the rules, without any cleverness.
type talk struct {
	id      string
	author  int
	began   time.Time
	replies []spoken
	read    map[int]int // how many replies of it a member has read, hidden ones included
}

type spoken struct {
	author int
	at     time.Time
}

// Whatever members do, each sees of all conversations what the rules say, and
// is told as many things. Covers O-36, O-37 and PT-42 for conversations and
// notifications.
func TestConversationsAreAsTheRulesSay(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t, apptest.Unlimited)
	random := rand.New(rand.NewPCG(1, 2))
	var members []*apptest.Client
	for i := range 5 {
		members = append(members, h.Member(fmt.Sprint("member", i)))
	}
	blocks := make(map[[2]int]bool)
	hidden := func(a, b int) bool { return blocks[[2]int{a, b}] || blocks[[2]int{b, a}] }
	var talks []*talk
	type notice struct{ to, actor, author int }
	var notices []notice
	for turn := range 250 {
		h.Clock.Advance(time.Second)
		i := random.IntN(len(members))
		me := members[i]
		var talk *talk
		if len(talks) > 0 {
			talk = talks[random.IntN(len(talks))]
		}
		switch action := random.IntN(10); {
		case action == 0 || talk == nil:
			talks = append(talks, newTalk(me.StartConversation("Talk"), i, h.Clock.Now()))
		case action == 1:
			other := random.IntN(len(members))
			if pair := [2]int{i, other}; i != other && blocks[pair] {
				delete(blocks, pair)
				me.Do("DELETE", "/world/social/blocks/"+members[other].ID.String()).Want(200)
			} else if i != other && len(blocks) < 4 {
				blocks[pair] = true
				me.Do("POST", "/world/social/blocks", map[string]any{"member_id": members[other].ID}).Want(201)
			}
		case hidden(i, talk.author):
			me.Do("POST", apptest.ConversationsPath+"/"+talk.id+"/replies", `{"body": "x"}`).WantError(404, "not_found")
		case action == 2:
			me.Do("GET", apptest.ConversationsPath+"/"+talk.id).Want(200)
			for n, r := range talk.replies {
				if !hidden(i, r.author) {
					talk.read[i] = max(talk.read[i], n+1)
				}
			}
		default:
			me.Reply(talk.id, "x")
			for to := range members {
				if to != i && talk.wrote(to) && !hidden(to, i) && !hidden(to, talk.author) {
					notices = append(notices, notice{to, i, talk.author})
				}
			}
			talk.replies = append(talk.replies, spoken{i, h.Clock.Now()})
			talk.read[i] = len(talk.replies)
		}
		if turn%5 > 0 {
			continue
		}
		for viewer, c := range members {
			var want []string
			for _, t := range byActivity(talks, viewer, hidden) {
				want = append(want, t.seenBy(viewer, hidden))
			}
			var got []string
			list := c.Do("GET", apptest.ConversationsPath+"?limit=200").Want(200).List("conversations")
			for _, one := range list {
				got = append(got, fmt.Sprintln(apptest.At(one, "id"), apptest.At(one, "reply_count"), apptest.At(one, "participant_count"), apptest.At(one, "unread_count"), apptest.At(one, "last_reply_at")))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("turn %d: %s sees\n%s\nwant\n%s", turn, c.Name, strings.Join(got, ""), strings.Join(want, ""))
			}
			if n := countConversations(h, c); n != len(list) {
				t.Errorf("turn %d: %d are counted for %s, and %d listed", turn, n, c.Name, len(list))
			}
			told := 0
			for _, n := range notices {
				if n.to == viewer && !hidden(viewer, n.actor) && !hidden(viewer, n.author) {
					told++
				}
			}
			if got := c.Do("GET", "/world/social/notifications").At("unread_count"); got != float64(told) {
				t.Errorf("turn %d: %s is told %v things, want %d", turn, c.Name, got, told)
			}
		}
	}
	if len(talks) < 5 || len(notices) < 50 {
		t.Errorf("too little happened: %d conversations, %d notifications", len(talks), len(notices))
	}
}

func newTalk(id string, author int, began time.Time) *talk {
	return &talk{id: id, author: author, began: began, read: make(map[int]int)}
}

func (t *talk) wrote(member int) bool {
	return t.author == member || slices.ContainsFunc(t.replies, func(r spoken) bool { return r.author == member })
}

// last is when a viewer sees something said last, began if nothing was.
func (t *talk) last(viewer int, hidden func(int, int) bool) time.Time {
	at := t.began
	for _, r := range t.replies {
		if !hidden(viewer, r.author) {
			at = r.at
		}
	}
	return at
}

// seenBy is what a viewer should see of it.
func (t *talk) seenBy(viewer int, hidden func(int, int) bool) string {
	replies, unread, last := 0, 0, "<nil>"
	who := map[int]bool{t.author: true}
	for n, r := range t.replies {
		if hidden(viewer, r.author) {
			continue
		}
		replies++
		who[r.author] = true
		last = r.at.Format(time.RFC3339)
		if n >= t.read[viewer] {
			unread++
		}
	}
	return fmt.Sprintln(t.id, replies, len(who), unread, last)
}

// byActivity are those that a viewer sees, the latest first.
func byActivity(talks []*talk, viewer int, hidden func(int, int) bool) []*talk {
	list := slices.DeleteFunc(slices.Clone(talks), func(t *talk) bool { return hidden(viewer, t.author) })
	slices.SortFunc(list, func(a, b *talk) int {
		return cmp.Or(b.last(viewer, hidden).Compare(a.last(viewer, hidden)), strings.Compare(b.id, a.id))
	})
	return list
}
