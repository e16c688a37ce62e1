package app

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc/identity"
)

// says posts a reply, and returns its id.
func (c *client) says(conversation, body string) (id string) {
	c.t.Helper()
	return c.do("POST", conversationsPath+"/"+conversation+"/replies", map[string]any{"body": body}).want(201).str("reply.id")
}

// unread is how many replies are unread as the list has it.
func (c *client) unreadIn(conversation string) int {
	c.t.Helper()
	for _, one := range c.do("GET", conversationsPath).want(200).list("conversations") {
		if dig(one, "id") == conversation {
			return int(dig(one, "unread_count").(float64))
		}
	}
	c.t.Fatalf("%s does not see it", c.name)
	return 0
}

// Reading is what members do themselves, and it goes forward only. Covers
// B-50 as B-66 takes it.
func TestReadMarker(t *testing.T) {
	h := open(t, unlimited, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	id := ann.converse("Trip")
	path := conversationsPath + "/" + id
	var said []string
	for i := range 5 {
		said = append(said, bea.says(id, fmt.Sprint(i)))
	}
	unread := func(c *client, want int, after string) {
		t.Helper()
		if got := c.unreadIn(id); got != want {
			t.Errorf("after %s %s has %d unread, want %d", after, c.name, got, want)
		}
	}
	unread(ann, 5, "replies")
	unread(bea, 0, "her own replies")
	ann.do("GET", path+"?peek=1").want(200)
	ann.do("GET", path+"/replies").want(200)
	ann.with("Sec-Purpose", "prefetch;prerender").do("GET", path).want(200)
	ann.do("HEAD", path).want(200)
	ann.internally().do("GET", "/social/conversations/"+id).want(200)
	before := ann.do("GET", path+"?peek=1&limit=2").want(200).str("page.previous_cursor")
	ann.do("GET", path+"?before="+before).want(200)
	ann.do("GET", "/world/social/notifications").want(200)
	ann.do("GET", "/world/social/activity").want(200)
	unread(ann, 5, "no reading")
	ann.do("POST", path+"/read", map[string]any{"last_read_reply_id": said[1]}).want(200)
	unread(ann, 3, "reading up to the second")
	ann.do("POST", path+"/read", map[string]any{"last_read_reply_id": said[0]}).want(200)
	unread(ann, 3, "reading the first again")
	ann.do("POST", path+"/read", `{"last_read_reply_id": "rep_other"}`).refused(422, "invalid_value").names("last_read_reply_id")
	if got := ann.do("GET", path).want(200).at("conversation.unread_count"); got != 0.0 {
		t.Errorf("opening it, %v are unread", got)
	}
	unread(ann, 0, "opening it")
	bea.says(id, "more")
	unread(ann, 1, "another reply")
	ann.says(id, "and more")
	unread(ann, 0, "replying")
	unread(bea, 1, "a reply of ann's")
	bea.do("POST", path+"/read").want(200)
	unread(bea, 0, "saying so")
}

// Who begins, who replies, who changes, and what is refused. Covers O-02 and
// B-66.
func TestConversations(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	private, public := h.gathering("private", ann, bea), h.gathering("public", ann, bea)
	begin := func(c *client, kind, id string, depth any) *answer {
		return c.do("POST", conversationsPath, map[string]any{"title": "Trip", "body": "Where?", "context": map[string]any{"kind": kind, "id": id, "depth": depth}})
	}
	h.unchanged("by what is refused", func() {
		begin(cid, "community", private, nil).refused(404, "not_found").names("context.id")
		begin(cid, "community", "com_none", nil).refused(404, "not_found").names("context.id")
		begin(cid, "community", public, nil).refused(403, "permission_denied").names("context.id")
		begin(ann, "community", "", nil).refused(400, "field_required").names("context.id")
		begin(ann, "circle", "", nil).refused(400, "field_required").names("context.depth")
		begin(ann, "circle", "", 4).refused(422, "invalid_value").names("context.depth")
		begin(ann, "event", "evt_1", nil).refused(422, "invalid_value").names("context.kind")
		begin(ann, "secret", "", nil).refused(422, "invalid_value").names("context.kind")
		ann.do("POST", conversationsPath, `{"title": " ", "body": "\n"}`).refused(400, "field_required").names("title", "body", "context.kind")
		ann.do("POST", conversationsPath, map[string]any{"title": strings.Repeat("é", 201), "body": strings.Repeat("é", 8001), "context": map[string]any{"kind": "open"}}).
			refused(422, "too_long").names("title", "body")
	})
	form := cid.do("POST", conversationsPath, formBody("title=Tea&body=When%3F&context[kind]=circle&context[depth]=2")).want(201)
	if form.str("conversation.context.kind") != "circle" || form.at("conversation.context.depth") != 2.0 || form.at("conversation.context.id") != nil {
		t.Errorf("a form makes %s", form.body)
	}

	trip := begin(bea, "community", private, nil).want(201)
	trip.fits("service.social.conversation", trip.at("conversation"))
	id := trip.str("conversation.id")
	path := conversationsPath + "/" + id
	may := func(c *client, want string) {
		t.Helper()
		actions := c.do("GET", path+"?peek=1").want(200).at("conversation.actions").(map[string]any)
		if got := strings.Join(slices.Sorted(maps.Keys(actions)), " "); got != want {
			t.Errorf("%s may %s, want %s", c.name, got, want)
		}
	}
	may(bea, "close mark_read reply update")
	may(ann, "close mark_read reply") // who owns the community
	ann.do("PATCH", path, `{"title": "Mine"}`).refused(403, "permission_denied")
	bea.do("PATCH", path, `{"title": "", "state": "gone"}`).refused(400, "field_required").names("title", "state")
	if got := bea.do("PATCH", path, `{"title": "Trips", "body": "Where to?"}`).want(200); got.str("conversation.title") != "Trips" || got.str("conversation.body") != "Where to?" {
		t.Errorf("it is now %s", got.body)
	}
	dan := h.member("dan")
	h.belongs(dan, private, "active", "member")
	may(dan, "mark_read reply")
	dan.do("DELETE", path).refused(403, "permission_denied")
	dan.do("PATCH", path, `{}`).refused(403, "permission_denied")
	h.unchanged("by a change of nothing", func() { bea.do("PATCH", path, `{"state": "open", "title": "Trips"}`).want(200) })
	cid.do("DELETE", path).refused(404, "not_found")
	cid.do("PATCH", path, `{"state": "closed"}`).refused(404, "not_found")

	first := dan.says(id, " The sea \n")
	other := ann.says(ann.converse("Elsewhere"), "there")
	reply := func(body, to string) *answer {
		return ann.do("POST", path+"/replies", map[string]any{"body": body, "in_reply_to": to})
	}
	h.unchanged("by a reply that is refused", func() {
		reply("", first).refused(400, "field_required").names("body")
		reply(strings.Repeat("é", 8001), first).refused(422, "too_long").names("body")
		reply("no", other).refused(422, "invalid_value").names("in_reply_to")
	})
	answered := reply("Which one?", first).want(201)
	answered.fits("service.social.reply", answered.at("reply"))
	if answered.str("reply.in_reply_to") != first || answered.at("reply.event_id") != nil {
		t.Errorf("the reply is %s", answered.body)
	}
	if got := dan.do("GET", path+"/replies").want(200).str("replies.0.body"); got != " The sea \n" {
		t.Errorf("what was said became %q", got)
	}

	if got := ann.do("DELETE", path).want(200).str("conversation.state"); got != "closed" {
		t.Errorf("it is %s", got)
	}
	may(dan, "mark_read")
	may(bea, "mark_read reopen update")
	dan.do("POST", path+"/replies", `{"body": "too late"}`).refused(422, "conversation_closed")
	bea.do("PATCH", path, `{"state": "open"}`).want(200)
	if got := dan.do("POST", path+"/replies", formBody("body=in+time&in_reply_to=")).want(201).at("reply.in_reply_to"); got != nil {
		t.Errorf("a form that answers nothing answers %v", got)
	}

	h.belongs(ann, private, "active", "moderator")
	ann.do("PATCH", path, `{"state": "closed"}`).want(200)
	again := bea.with("Idempotency-Key", "once")
	for range 2 {
		again.do("POST", conversationsPath+"/"+bea.converse("Once")+"/replies", `{"body": "x"}`).want(201)
	}
}

// What was said by somebody who is gone stays, and is nobody's. Covers PT-46.
func TestFormerMembersHaveSaidWhatTheySaid(t *testing.T) {
	h := open(t, unlimited)
	op, ann, bea := h.member("op"), h.member("ann"), h.member("bea")
	id := bea.converse("Trip")
	ann.says(id, "Yes")
	bea.says(id, "Good")
	op.do("POST", "/admin/members/update", map[string]any{"id": bea.id, "changes": map[string]any{"status": "disabled"}}).want(200)
	check := func(when string) {
		t.Helper()
		d := ann.do("GET", conversationsPath+"/"+id).want(200)
		if d.str("conversation.author.display_name") != "Former member" || d.str("replies.1.author.display_name") != "Former member" || d.str("replies.1.body") != "Good" {
			t.Errorf("%s: %s", when, d.body)
		}
		if got := ann.do("GET", "/world/social/notifications").want(200); got.str("notifications.0.title") != "Former member replied" {
			t.Errorf("%s: %s", when, got.body)
		}
		if got := ann.do("GET", "/world/social/activity").want(200); got.str("activity.0.actor.display_name") != "Former member" {
			t.Errorf("%s: %s", when, got.body)
		}
	}
	check("disabled")
	h.write(func(tx *store.Tx) error { return h.identity.Delete(tx, identity.CommandLine("test"), bea.id) })
	check("deleted")
	ann.says(id, "Anybody there?")
}

// Each sort of notification says who and what, and nothing of what was
// written. Covers O-26 as far as conversations go, B-71 and M-28.
func TestNotifications(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	notes := func(c *client, want ...string) *answer {
		t.Helper()
		a := c.do("GET", "/world/social/notifications").want(200)
		var got []string
		for _, n := range a.list("notifications") {
			a.fits("service.social.notification", n)
			got = append(got, fmt.Sprint(dig(n, "kind"), ": ", dig(n, "title"), ": ", dig(n, "summary")))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is told %q, want %q", c.name, got, want)
		}
		if strings.Contains(a.body, "in confidence") {
			t.Errorf("it repeats what was said: %s", a.body)
		}
		return a
	}
	id := ann.converse("Trip")
	bea.says(id, "in confidence")
	cid.says(id, "in confidence to @Bea, (@ann) @nobody bea@example.org @CID.")
	notes(ann, "mention: Cid mentioned you: Trip", "reply: Bea replied: Trip")
	told := notes(bea, "mention: Cid mentioned you: Trip")
	notes(cid)
	if got := told.str("notifications.0.actions.open"); got != "/world/panels/social?view=conversations&id="+id {
		t.Errorf("it opens %s", got)
	}

	read := func(c *client, body string, want float64) {
		t.Helper()
		if got := c.do("POST", "/world/social/notifications/read", body).want(200).at("unread_count"); got != want {
			t.Errorf("after %s %v are unread, want %v", body, got, want)
		}
		if got := c.do("GET", "/world/social/notifications").want(200).at("unread_count"); got != want {
			t.Errorf("after %s the list says that %v are unread, want %v", body, got, want)
		}
	}
	one := ann.do("GET", "/world/social/notifications").str("notifications.0.id")
	bea.do("POST", "/world/social/notifications/read", `{}`).refused(400, "field_required").names("ids")
	read(bea, `{"ids": ["`+one+`", "ntf_none"]}`, 1) // it is ann's
	read(ann, `{"ids": ["`+one+`"]}`, 1)
	read(ann, `{"all": true}`, 0)
	if got := ann.do("GET", "/world/social/notifications").at("notifications.1.read_at"); got == nil {
		t.Error("it was read at no time")
	}

	// A new name shows at once, and whoever is gone from sight is.
	h.gathering("private", ann, bea)
	bea.do("POST", "/world/social/blocks", map[string]any{"member_id": cid.id}).want(201)
	notes(bea)
	bea.do("DELETE", "/world/social/blocks/"+cid.id.String()).want(200)
	notes(bea, "mention: Cid mentioned you: Trip")
}

// Whoever could not see something when it was said is not told of it later.
func TestNobodyIsToldLater(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	private := h.gathering("private", ann, bea)
	id := ann.do("POST", conversationsPath, map[string]any{
		"title": "Us", "body": "@cid @dan", "context": map[string]any{"kind": "community", "id": private},
	}).want(201).str("conversation.id")
	circle := ann.do("POST", conversationsPath, map[string]any{
		"title": "Near", "body": "@bea @cid @dan", "context": map[string]any{"kind": "circle", "depth": 1},
	}).want(201).str("conversation.id")
	bea.says(id, "I am here")
	bea.says(circle, "I am near")
	h.belongs(bea, private, "left", "member")
	ann.says(id, "Where?")
	ann.says(circle, "@bea, @cid and @dan?")
	ann.do("POST", "/world/social/blocks", map[string]any{"member_id": dan.id}).want(201)
	ann.converse("Without @dan")
	for _, c := range []*client{bea, cid, dan} {
		h.belongs(c, private, "active", "member")
	}
	ann.do("DELETE", "/world/social/blocks/"+dan.id.String()).want(200)
	for c, want := range map[*client]int{bea: 1, cid: 0, dan: 0} {
		a := c.do("GET", "/world/social/notifications").want(200)
		if got := len(a.list("notifications")); got != want || a.at("unread_count") != float64(want) {
			t.Errorf("%s is told %d things, want %d: %s", c.name, got, want, a.body)
		}
	}
}

// Whoever may not see something any more is not told of it any more, and is
// again when they may. Covers O-14 and O-36 as far as conversations go.
func TestWhoeverLeavesIsToldNothing(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	private := h.gathering("private", ann, bea)
	ids := make([]any, 2)
	for i, context := range []map[string]any{{"kind": "community", "id": private}, {"kind": "circle", "depth": 1}} {
		ids[i] = ann.do("POST", conversationsPath, map[string]any{"title": "Us", "body": "@bea", "context": context}).want(201).at("conversation.id")
	}
	sees := func(when string, want int) {
		t.Helper()
		a := bea.do("GET", "/world/social/notifications").want(200)
		got := []int{
			len(a.list("notifications")), int(a.at("unread_count").(float64)), len(bea.do("GET", "/world/social/activity").list("activity")),
			len(bea.do("GET", conversationsPath).list("conversations")), h.countConversations(bea),
		}
		if slices.ContainsFunc(got, func(n int) bool { return n != want }) {
			t.Errorf("%s bea sees %v, want %d everywhere", when, got, want)
		}
	}
	sees("at first", 2)
	h.belongs(bea, private, "left", "member")
	sees("having left", 0)
	bea.do("GET", fmt.Sprint(conversationsPath, "/", ids[1])).refused(404, "not_found")
	h.belongs(bea, private, "active", "member")
	sees("being back", 2)
}

// The conversation of an event is called as the event is, stands in no list of
// conversations, and what is said in it is said of the event. Covers O-04,
// O-05 as far as conversations go.
func TestConversationOfAnEvent(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	meddle(t, h, `INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
		VALUES ('cnv_dinner', '', '', 'event', 1, 1, 'open', 0, 0, 1, 0, 0, 0)`)
	meddle(t, h, `INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location, visibility, audience_id, host_id, revision, created_at, updated_at)
		VALUES ('evt_dinner', 'cnv_dinner', 'Dinner', '', 0, 0, 'UTC', 0, 0, 1, '', 'public', 1, 1, 1, 0, 0)`)
	path := conversationsPath + "/cnv_dinner"
	if got := len(bea.do("GET", conversationsPath).want(200).list("conversations")); got != 0 {
		t.Errorf("%d conversations are listed", got)
	}
	reply := bea.do("POST", path+"/replies", `{"body": "I bring @ann a cake"}`).want(201)
	if reply.str("reply.event_id") != "evt_dinner" {
		t.Errorf("the reply is %s", reply.body)
	}
	c := ann.do("GET", path).want(200)
	if c.str("conversation.title") != "Dinner" || c.str("conversation.context.id") != "evt_dinner" || c.at("conversation.permissions.can_update") != false {
		t.Errorf("the host sees %s", c.body)
	}
	ann.do("PATCH", path, `{"title": "Supper"}`).refused(403, "permission_denied")
	ann.do("DELETE", path).want(200)
	bea.do("POST", path+"/replies", `{"body": "?"}`).refused(422, "conversation_closed")
	for path, key := range map[string]string{"/world/social/activity": "activity", "/world/social/notifications": "notifications"} {
		a := ann.do("GET", path).want(200)
		if a.str(key+".0.target.title") != "Dinner" || a.str(key+".0.actions.open") != "/world/panels/social?view=events&id=evt_dinner" {
			t.Errorf("%s", a.body)
		}
	}
	bea.do("POST", "/world/social/blocks", map[string]any{"member_id": ann.id}).want(201)
	bea.do("GET", path).refused(404, "not_found")
	for _, c := range []*client{ann, bea} {
		if n := len(c.do("GET", "/world/social/notifications").list("notifications")); n != 0 {
			t.Errorf("%s is told of somebody hidden", c.name)
		}
	}
	if n := len(bea.do("GET", "/world/social/activity").list("activity")); n != 0 {
		t.Error("what bea said of an event that she does not see is in her activity")
	}
}

// A text calls twenty members at most, however many it names.
func TestMentionsAreBounded(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	text, last := "", (*client)(nil)
	for i := range 21 {
		last = h.member(fmt.Sprint("friend", i))
		text += "@" + last.name + " "
	}
	h.ran.take()
	ann.do("POST", conversationsPath, map[string]any{"title": "All", "body": text, "context": map[string]any{"kind": "open"}}).want(201)
	if n := h.ran.take()["identity/people-by-username"]; n != 1 {
		t.Errorf("%d look-ups of usernames", n)
	}
	if n := last.do("GET", "/world/social/notifications").at("unread_count"); n != 0.0 {
		t.Error("the twenty-first is told")
	}
}

// What happened is told for a year, and to whom it concerned for 90 days.
func TestOldNewsGoes(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	bea.says(ann.converse("Trip"), "Yes")
	count := func(when string, activity, notifications int) {
		t.Helper()
		if err := h.clean(t.Context()); err != nil {
			t.Fatal(err)
		}
		again := ann.signedIn(password)
		a, n := len(again.do("GET", "/world/social/activity").list("activity")), len(again.do("GET", "/world/social/notifications").list("notifications"))
		if a != activity || n != notifications {
			t.Errorf("after %s there are %d and %d, want %d and %d", when, a, n, activity, notifications)
		}
	}
	const day = 24 * time.Hour
	h.clock.Advance(90 * day)
	count("90 days", 2, 1)
	h.clock.Advance(day)
	count("91 days", 2, 0)
	h.clock.Advance(274 * day)
	count("a year", 2, 0)
	h.clock.Advance(day)
	count("a year and a day", 0, 0)
}

// Turning pages shows each thing that was there exactly once, whatever is said
// meanwhile. Covers PT-30 and O-25.
func TestPagesOfConversations(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	var ids []string
	for i := range 10 {
		h.clock.Advance(time.Duration(i%2) * time.Second) // some are of the same moment
		ids = append(ids, ann.converse(fmt.Sprint(i)))
	}
	h.clock.Advance(time.Second)
	bea.says(ids[3], "first")
	bea.says(ids[7], "second")
	news := 0
	for _, list := range []struct {
		path, key string
		old       int
		by        *client
	}{
		{conversationsPath, "conversations", 10, bea}, {"/world/social/activity", "activity", 12, bea},
		{"/world/social/notifications", "notifications", 2, ann},
	} {
		var was []string
		for _, item := range list.by.do("GET", list.path+"?limit=200").want(200).list(list.key) {
			was = append(was, dig(item, "id").(string))
		}
		if len(was) < list.old {
			t.Errorf("%s has %d items, want %d at least", list.path, len(was), list.old)
		}
		var got []string
		for cursor := ""; ; {
			a := list.by.do("GET", list.path+"?limit=2&cursor="+cursor).want(200)
			for _, item := range a.list(list.key) {
				got = append(got, dig(item, "id").(string))
			}
			if cursor = a.str("page.next_cursor"); cursor == "" {
				break
			}
			h.clock.Advance(time.Second)
			news++
			bea.says(ids[news%len(ids)], "meanwhile")
			bea.converse("Meanwhile")
		}
		if !slices.Equal(got, was) {
			t.Errorf("%s: page by page %d items, at once %d:\n%q\n%q", list.path, len(got), len(was), got, was)
		}
		bea.do("GET", list.path+"?cursor=bad").refused(400, "invalid_parameter").names("cursor")
	}
	busy := bea.converse("Busy")
	var said []string
	for i := range 9 {
		said = append(said, ann.says(busy, fmt.Sprint(i)))
	}
	var got []string
	for before := ""; ; {
		a := bea.do("GET", conversationsPath+"/"+busy+"/replies?limit=2&before="+before).want(200)
		var page []string
		for _, r := range a.list("replies") {
			page = append(page, dig(r, "id").(string))
		}
		got = append(page, got...)
		if before = a.str("page.previous_cursor"); before == "" {
			break
		}
		ann.says(busy, "meanwhile")
	}
	if !slices.Equal(got, said) {
		t.Errorf("page by page %q, said %q", got, said)
	}
	bea.do("GET", conversationsPath+"/"+busy+"/replies?before=bad").refused(400, "invalid_parameter").names("before")
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
	long(t)
	h := open(t, unlimited)
	random := rand.New(rand.NewPCG(1, 2))
	var members []*client
	for i := range 5 {
		members = append(members, h.member(fmt.Sprint("member", i)))
	}
	blocks := make(map[[2]int]bool)
	hidden := func(a, b int) bool { return blocks[[2]int{a, b}] || blocks[[2]int{b, a}] }
	var talks []*talk
	type notice struct{ to, actor, author int }
	var notices []notice
	for turn := range 250 {
		h.clock.Advance(time.Second)
		i := random.IntN(len(members))
		me := members[i]
		var talk *talk
		if len(talks) > 0 {
			talk = talks[random.IntN(len(talks))]
		}
		switch action := random.IntN(10); {
		case action == 0 || talk == nil:
			talks = append(talks, newTalk(me.converse("Talk"), i, h.clock.Now()))
		case action == 1:
			other := random.IntN(len(members))
			if pair := [2]int{i, other}; i != other && blocks[pair] {
				delete(blocks, pair)
				me.do("DELETE", "/world/social/blocks/"+members[other].id.String()).want(200)
			} else if i != other && len(blocks) < 4 {
				blocks[pair] = true
				me.do("POST", "/world/social/blocks", map[string]any{"member_id": members[other].id}).want(201)
			}
		case hidden(i, talk.author):
			me.do("POST", conversationsPath+"/"+talk.id+"/replies", `{"body": "x"}`).refused(404, "not_found")
		case action == 2:
			me.do("GET", conversationsPath+"/"+talk.id).want(200)
			for n, r := range talk.replies {
				if !hidden(i, r.author) {
					talk.read[i] = max(talk.read[i], n+1)
				}
			}
		default:
			me.says(talk.id, "x")
			for to := range members {
				if to != i && talk.wrote(to) && !hidden(to, i) && !hidden(to, talk.author) {
					notices = append(notices, notice{to, i, talk.author})
				}
			}
			talk.replies = append(talk.replies, spoken{i, h.clock.Now()})
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
			list := c.do("GET", conversationsPath+"?limit=200").want(200).list("conversations")
			for _, one := range list {
				got = append(got, fmt.Sprintln(dig(one, "id"), dig(one, "reply_count"), dig(one, "participant_count"), dig(one, "unread_count"), dig(one, "last_reply_at")))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("turn %d: %s sees\n%s\nwant\n%s", turn, c.name, strings.Join(got, ""), strings.Join(want, ""))
			}
			if n := h.countConversations(c); n != len(list) {
				t.Errorf("turn %d: %d are counted for %s, and %d listed", turn, n, c.name, len(list))
			}
			told := 0
			for _, n := range notices {
				if n.to == viewer && !hidden(viewer, n.actor) && !hidden(viewer, n.author) {
					told++
				}
			}
			if got := c.do("GET", "/world/social/notifications").at("unread_count"); got != float64(told) {
				t.Errorf("turn %d: %s is told %v things, want %d", turn, c.name, got, told)
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
