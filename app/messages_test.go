package app

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// tell sends the first message to somebody, and returns the path of the
// thread.
func (c *client) tell(recipient any, body string) (thread string) {
	c.t.Helper()
	a := c.do("POST", "/world/messages", map[string]any{"recipient": recipient, "body": body}).want(201)
	return a.str("thread.links.self")
}

// reply sends a message in a thread.
func (c *client) reply(thread, body string) *answer {
	c.t.Helper()
	return c.do("POST", thread+"/messages", map[string]any{"body": body}).want(201)
}

// unread is what a member has not read.
func (c *client) unread() any {
	c.t.Helper()
	return c.do("GET", "/world/messages").want(200).at("unread_total")
}

// each collects a value of all in a list.
func (a *answer) each(list, path string) (values []string) {
	a.t.Helper()
	for _, item := range a.list(list) {
		values = append(values, fmt.Sprint(dig(item, path)))
	}
	return values
}

// Covers M-01, M-02, M-03, M-12, M-16, M-17, M-18, M-25, M-26, M-39, L-04, X-04 and X-06.
func TestThreadsAreOnePerPair(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	h.member("cid")
	thread := ann.tell("bea", "Hello")
	for _, name := range []any{bea.id, fmt.Sprint(bea.id), "bea@EXAMPLE.org", "BEA", "@bea", " Bea ", []any{"bea"}, []any{"bea", "@bea", bea.id}, "bea, bea@example.org", "bea;"} {
		if got := ann.tell(name, "Hello again"); got != thread {
			t.Errorf("to %v: thread %s, want %s", name, got, thread)
		}
	}
	if got := bea.tell("ann", "Hello yourself"); got != thread {
		t.Errorf("from bea: thread %s, want %s", got, thread)
	}
	for _, c := range []struct {
		who   *client
		title string
	}{{ann, "Bea"}, {bea, "Ann"}} {
		a := c.who.do("GET", "/world/messages").want(200)
		if n := len(a.list("threads")); n != 1 {
			t.Fatalf("%s has %d threads", c.who.name, n)
		}
		a.fits("service.messages.thread", a.at("threads.0"))
		id := a.str("threads.0.id")
		for path, want := range map[string]any{
			"type": "message_thread", "title": c.title, "summary": "Hello yourself", "participant_count": 2.0, "message_count": 12.0,
			"links.self": "/world/messages/" + id, "links.messages": "/world/messages/" + id + "/messages",
			"actions.open_thread": "/world/messages/" + id, "actions.send_message": "/world/messages/" + id + "/messages",
			"last_message_at": "2026-11-21T09:00:00Z", "created_at": "2026-11-21T09:00:00Z", "updated_at": "2026-11-21T09:00:00Z",
			"participants.0.id": float64(c.who.id), "participants.0.is_self": true, "participants.1.is_self": false, "participants.1.display_name": c.title,
		} {
			if got := a.at("threads.0." + path); got != want {
				t.Errorf("%s of %s is %v, want %v", path, c.who.name, got, want)
			}
		}
		if n := len(a.list("threads.0.participants")); n != 2 {
			t.Errorf("%d participants", n)
		}
	}
	last := bea.do("GET", thread+"/messages").want(200)
	last.fits("service.messages.message", last.at("messages.11"))
	if last.at("messages.11.sender_identity_user_id") != float64(bea.id) || last.at("messages.11.thread_id") != strings.TrimPrefix(thread, "/world/messages/") ||
		last.at("messages.11.updated_at") != nil || !strings.HasPrefix(last.str("messages.11.id"), "msg_") {
		t.Errorf("the last message is %v", last.at("messages.11"))
	}
}

// What is wrong is said, and changes nothing. Covers M-04, M-05, M-06, M-07,
// M-08, M-09, M-10, M-11, E-17, X-27 and PT-40.
func TestMessagesThatAreRefused(t *testing.T) {
	h := open(t)
	ann, cid := h.member("ann"), h.member("cid")
	h.member("bea")
	for _, email := range []string{"m1@example.org", "m2@example.org"} {
		h.add(email, "Mo")
	}
	thread := ann.tell("bea", "Hello")
	long := strings.Repeat("é", svc.MaxBody)
	h.unchanged("by anything that is refused", func() {
		post := func(c *client, path, body string) *answer { return c.do("POST", path, body) }
		post(ann, "/world/messages", `{"recipient": "nobody", "body": "x"}`).refused(404, "recipient_not_found").names("recipient")
		post(ann, "/world/messages", `{"recipient": 99, "body": "x"}`).refused(404, "recipient_not_found").names("recipient")
		post(ann, "/world/messages", `{"recipient": ",;", "body": "x"}`).refused(404, "recipient_not_found").names("recipient")
		post(ann, "/world/messages", `{"recipient": "nobody, bea", "body": "x"}`).refused(404, "recipient_not_found").names("recipient")
		post(ann, "/world/messages", `{}`).refused(400, "field_required").names("recipient", "body")
		post(ann, "/world/messages", `{"recipient": null, "body": null}`).refused(400, "field_required").names("recipient", "body")
		post(ann, "/world/messages", `{"recipient": " ", "body": "x"}`).refused(400, "field_required").names("recipient")
		post(ann, "/world/messages", `{"recipient": [], "body": "x"}`).refused(400, "field_required").names("recipient")
		post(ann, "/world/messages", `{"recipient": "bea", "body": " \n\t\u00a0"}`).refused(400, "field_required").names("body")
		post(ann, "/world/messages", `{"recipient": "bea"}`).refused(400, "field_required").names("body")
		post(ann, "/world/messages", `{"recipient": {"id": 2}, "body": "x"}`).refused(400, "malformed_body").names("recipient")
		post(ann, "/world/messages", `{"recipient": "bea", "body": 7}`).refused(400, "malformed_body").names("body")
		post(ann, "/world/messages", `{"recipient": "ann", "body": "x"}`).refused(422, "invalid_value").names("recipient")
		post(ann, "/world/messages", `{"recipient": "bea", "body": "a\u0000b"}`).refused(422, "invalid_value").names("body")
		post(ann, "/world/messages", `{"recipient": "bea", "body": "`+long+`x"}`).refused(422, "too_long").names("body")
		ambiguous := post(ann, "/world/messages", `{"recipient": "mo", "body": "x"}`).refused(422, "recipient_ambiguous").names("recipient")
		if n := len(ambiguous.list("error.fields.0.candidates")); n != 2 {
			t.Errorf("%d candidates", n)
		}
		for _, body := range []string{`{}`, `{"body": "  "}`, `{"body": null}`} {
			post(ann, thread+"/messages", body).refused(400, "field_required").names("body")
		}
		post(ann, thread+"/read", `{"last_read_message_id": "msg_none"}`).refused(422, "invalid_value").names("last_read_message_id")
		for method, paths := range map[string][]string{
			"GET": {"", "/messages", "?peek=1"}, "POST": {"/messages", "/read"},
		} {
			for _, path := range paths {
				cid.do(method, thread+path, `{"body": "x"}`).refused(403, "thread_access_denied")
				ann.do(method, "/world/messages/thr_none"+path, `{"body": "x"}`).refused(404, "not_found")
				h.nobody().do(method, thread+path, `{"body": "x"}`).refused(401, "unauthenticated")
			}
		}
		h.nobody().do("GET", "/world/messages").refused(401, "unauthenticated")
		h.nobody().do("GET", "/world/messages?q=hello").refused(401, "unauthenticated")
		post(h.nobody(), "/world/messages", `{"recipient": "bea", "body": "x"}`).refused(401, "unauthenticated")
		cid.do("GET", "/world/panels/messages?thread="+strings.TrimPrefix(thread, "/world/messages/")).refused(403, "thread_access_denied")
		ann.do("GET", "/world/messages?cursor=x").refused(400, "invalid_parameter").names("cursor")
		ann.do("GET", "/world/messages?limit=-1").refused(400, "invalid_parameter").names("limit")
		ann.do("GET", thread+"?before=x").refused(400, "invalid_parameter").names("before")
		ann.do("GET", "/world/messages?q="+strings.Repeat("x", 201)).refused(400, "invalid_parameter").names("q")
		ann.do("GET", "/world/messages?q=hello&cursor=x").refused(400, "invalid_parameter").names("cursor")
	})
	ann.do("POST", "/world/messages", map[string]any{"recipient": "bea", "body": long}).want(201)
}

// add adds a member who never signs in.
func (h *house) add(email, name string) {
	h.t.Helper()
	a, err := h.identity.Prepare(h.t.Context(), identity.Registration{Email: email, DisplayName: name, Password: password})
	if err != nil {
		h.t.Fatal(err)
	}
	h.write(func(tx *store.Tx) error {
		_, err := h.identity.AddMember(tx, identity.CommandLine("test"), a)
		return err
	})
}

// Covers M-13, X-11 and B-53: whoever wants more than two is told where to go.
func TestThreadsHaveTwoMembersForEver(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	h.member("bea")
	h.member("cid")
	h.add("smith@example.org", "Smith, John; Jr")
	ann.tell("Smith, John; Jr", "A name with commas is a name")
	thread := ann.tell("bea", "Hello")
	h.unchanged("by a third member", func() {
		for _, c := range []struct{ path, body string }{
			{"/world/messages", `{"recipient": ["bea", "cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": "bea, cid", "body": "x"}`},
			{"/world/messages", `{"recipient": "bea;cid@example.org", "body": "x"}`},
			{"/world/messages", `{"recipient": [2, 3], "body": "x"}`},
			{"/world/messages", `{"recipients": ["bea", "cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": "bea", "participants": ["cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": ` + asJSON(strings.Fields(strings.Repeat("bea ", 3)+"a b c d e f g h i j k")) + `, "body": "x"}`},
			{thread + "/messages", `{"participants": ["cid"], "body": "x"}`},
			{thread + "/participants", `{"recipient": "cid"}`},
			{thread + "/participants", `{}`},
		} {
			a := ann.do("POST", c.path, c.body).refused(422, "thread_participants_fixed")
			if a.str("error.guidance.kind") != "use_social" || fmt.Sprint(a.at("error.guidance.targets")) != "[community conversation event]" {
				t.Errorf("%s: guidance %v", c.body, a.at("error.guidance"))
			}
			if urls := a.each("error.guidance.actions", "url"); !slices.Equal(urls, []string{"/world/social/conversations", "/world/social/communities", "/world/social/events"}) {
				t.Errorf("%s leads to %v", c.body, urls)
			}
		}
		if a := ann.do("POST", "/world/messages", formBody("recipient=bea&recipient=cid&body=x")).want(422); a.at("error.guidance") == nil {
			t.Error("a form is told nothing")
		}
		if a := ann.do("POST", "/world/messages", `{}`).want(400); a.at("error.guidance") != nil {
			t.Error("there is guidance where something is missing")
		}
	})
}

// Members see their own threads, the latest first, and page through them.
// Covers M-14, M-15, M-25, L-12, B-82 and PT-30.
func TestInbox(t *testing.T) {
	h := open(t, unlimited)
	ann, cid := h.member("ann"), h.member("cid")
	var others []*client
	for i := range 7 {
		others = append(others, h.member(fmt.Sprint("m", i)))
	}
	for _, m := range others {
		ann.tell(m.name, "Hello") // all in the same millisecond
	}
	titles := func(path string) []string { return ann.do("GET", path).want(200).each("threads", "title") }
	if got := fmt.Sprint(titles("/world/messages")); got != "[M6 M5 M4 M3 M2 M1 M0]" {
		t.Errorf("the threads are %s", got)
	}
	others[2].tell("ann", "Hi")
	if got := fmt.Sprint(titles("/world/messages")); got != "[M2 M6 M5 M4 M3 M1 M0]" {
		t.Errorf("after a message of M2 they are %s", got)
	}
	h.clock.Advance(-24 * 60 * 60 * 1e9) // a clock that is put back changes no order
	others[0].tell("ann", "Hi")
	if got := fmt.Sprint(titles("/world/messages")); got != "[M0 M2 M6 M5 M4 M3 M1]" {
		t.Errorf("after a message of M0 they are %s", got)
	}

	// While somebody pages, others write: nothing shows twice, and nothing that
	// stays where it was is missed.
	var got []string
	page := ann.do("GET", "/world/messages?limit=2").want(200)
	for n := 0; ; n++ {
		got = append(got, page.each("threads", "title")...)
		if page.at("page.limit") != 2.0 {
			t.Errorf("page %v", page.at("page"))
		}
		if page.at("page.next_cursor") == nil {
			break
		}
		others[6].tell("ann", "Once more")
		cid.tell("ann", fmt.Sprint("News ", n))
		page = ann.do("GET", "/world/messages?limit=2&cursor="+url.QueryEscape(page.str("page.next_cursor"))).want(200)
	}
	if want := "[M0 M2 M5 M4 M3 M1]"; fmt.Sprint(got) != want {
		t.Errorf("page by page they are %v, want %s", got, want)
	}
	if n := len(cid.do("GET", "/world/messages").want(200).list("threads")); n != 1 {
		t.Errorf("cid has %d threads, want the one with ann", n)
	}
	first := ann.do("GET", "/world/messages?limit=2").want(200).str("page.next_cursor")
	cid.do("GET", "/world/messages?cursor="+url.QueryEscape(first)).refused(400, "invalid_parameter")
}

// Covers M-19, M-20, M-21, M-22, M-23, B-50 and PT-18 by example.
func TestWhatCountsAsRead(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	thread := ann.tell("bea", "One")
	second := ann.reply(thread, "Two").str("message.id")
	ann.reply(thread, "Three")
	if ann.unread() != 0.0 || bea.unread() != 3.0 {
		t.Fatalf("ann has not read %v, bea %v", ann.unread(), bea.unread())
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	prefetch := bea.with("Sec-Purpose", "prefetch;prerender")
	before := bea.do("GET", thread+"/messages?limit=1").want(200).str("page.previous_cursor")
	bea.runtime().do("GET", "/world/runtime").want(200) // the first one stores what everybody has before them
	h.unchanged("by looking", func() {
		bea.runtime().do("GET", "/world/runtime").want(200)
		bea.runtime().do("GET", "/world/translated?thread="+id).want(200)
		for _, path := range []string{
			thread + "?peek=1", thread + "/messages", thread + "?before=" + url.QueryEscape(before),
			"/world/panels/messages", "/world/panels/messages?thread=" + id, "/world/panels/messages/rail", "/world/messages?q=two",
		} {
			bea.do("GET", path).want(200)
		}
		bea.do("HEAD", thread).want(200)
		prefetch.do("GET", thread).want(200)
		for _, path := range []string{"/messages", "/messages/objects", "/messages/" + id, "/runtime/panel/messages?thread=" + id} {
			bea.internally().do("GET", path).want(200)
		}
		ann.do("GET", thread).want(200)
	})
	if got := bea.unread(); got != 3.0 {
		t.Errorf("after looking %v are not read", got)
	}
	if a := bea.do("POST", thread+"/read", map[string]any{"last_read_message_id": second}).want(200); a.at("thread.unread_count") != 1.0 {
		t.Errorf("after two are read %v are not", a.at("thread.unread_count"))
	}
	if a := bea.do("GET", thread).want(200); a.at("thread.unread_count") != 0.0 || bea.unread() != 0.0 {
		t.Errorf("after opening, the answer says %v and the inbox %v", a.at("thread.unread_count"), bea.unread())
	}
	h.unchanged("by reading once more", func() {
		bea.do("GET", thread).want(200)
		bea.do("POST", thread+"/read", map[string]any{"last_read_message_id": second}).want(200)
		bea.do("POST", thread+"/read", `{}`).want(200)
	})
	ann.reply(thread, "Four")
	bea.reply(thread, "Five")
	if ann.unread() != 1.0 || bea.unread() != 0.0 {
		t.Errorf("after an answer ann has not read %v, bea %v", ann.unread(), bea.unread())
	}
	if a := ann.do("POST", thread+"/read").want(200); a.at("thread.unread_count") != 0.0 {
		t.Errorf("all was read, but %v", a.at("thread.unread_count"))
	}
}

// Opening a thread of many messages reads what is shown, and all before it.
// Covers M-24, M-29, M-30, B-49 and X-18.
func TestMessagesOfAThread(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	thread := ann.tell("bea", "Message 0")
	for i := 1; i < 120; i++ {
		ann.reply(thread, fmt.Sprint("Message ", i))
	}
	a := bea.do("GET", thread).want(200)
	if got := a.each("messages", "body"); len(got) != 50 || got[0] != "Message 70" || got[49] != "Message 119" {
		t.Errorf("opened, it shows %v", got)
	}
	if a.str("actions.send_message") != thread+"/messages" || a.str("actions.mark_read") != thread+"/read" {
		t.Errorf("actions %v", a.at("actions"))
	}
	var all []string
	for before := ""; ; {
		page := bea.do("GET", thread+"/messages?limit=33"+before).want(200)
		all = append(page.each("messages", "body"), all...)
		if page.at("page.previous_cursor") == nil {
			break
		}
		before = "&before=" + url.QueryEscape(page.str("page.previous_cursor"))
		ann.reply(thread, "Meanwhile")
	}
	if len(all) != 120 || all[0] != "Message 0" || all[119] != "Message 119" {
		t.Errorf("page by page there are %d messages: %v", len(all), all)
	}
	if n := bea.do("GET", thread+"?peek=1").at("thread.message_count"); n != 123.0 {
		t.Errorf("%v messages are counted, want 123", n)
	}
}

// Bodies come back as they were sent. Covers M-41, B-87 and PT-31.
func TestBodiesAreVerbatim(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	h.member("bea")
	for _, body := range []string{"<b>x</b> & \n", "  indented\r\n\ttwice  ", "a\u202eb\u0007\u2028c", "👩‍👩‍👧 ﷽ é", `{"a": "\u0000"}`, "1", "true"} {
		a := ann.do("POST", "/world/messages", map[string]any{"recipient": "bea", "body": body}).want(201)
		if got := a.str("message.body"); got != body {
			t.Errorf("sent %q, got %q", body, got)
		}
		if got := ann.do("GET", a.str("thread.links.messages")+"?limit=1").str("messages.0.body"); got != body {
			t.Errorf("sent %q, kept %q", body, got)
		}
		form := formBody(url.Values{"recipient": {"bea"}, "body": {body}}.Encode())
		if got := ann.do("POST", "/world/messages", form).want(201).str("message.body"); got != body {
			t.Errorf("sent %q as a form, got %q", body, got)
		}
	}
	body := strings.Repeat("é", 300)
	if got := ann.do("POST", "/world/messages", map[string]any{"recipient": "bea", "body": body}).str("thread.summary"); got != body[:240] {
		t.Errorf("the summary is %q", got)
	}
}

// Covers M-42, PT-17, PT-19 and B-88: whoever is first, there is one thread.
func TestBothWriteFirst(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	threads := make([]string, 40)
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() {
			from, to := ann, "bea"
			if i%2 == 0 {
				from, to = bea, "ann"
			}
			threads[i] = from.tell(to, fmt.Sprint("Message ", i))
		})
	}
	all.Wait()
	if slices.Sort(threads); threads[0] != threads[39] {
		t.Errorf("there are several threads: %v", slices.Compact(threads))
	}
	a := ann.do("GET", threads[0]).want(200)
	if a.at("thread.message_count") != 40.0 || a.at("thread.participant_count") != 2.0 || len(a.list("messages")) != 40 {
		t.Errorf("the thread is %v", a.at("thread"))
	}
	once := ann.with("Idempotency-Key", "k")
	first, again := once.do("POST", threads[0]+"/messages", `{"body": "Once"}`).want(201), once.do("POST", threads[0]+"/messages", `{"body": "Once"}`).want(201)
	if first.body != again.body || ann.do("GET", threads[0]).at("thread.message_count") != 41.0 {
		t.Error("a repeated message was sent twice")
	}
}

// Many write and read at once, and all are answered. Covers PT-39 for messages.
func TestManyWriteAtOnce(t *testing.T) {
	c := settleCommunity(t, 10)
	var clients []*client
	for i := range 10 {
		clients = append(clients, c.m(i+1))
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			me, other := clients[i%10], (i*7+3)%10+1
			if int(me.id) == other {
				other = other%10 + 1
			}
			thread := me.tell(other, fmt.Sprint("Message ", i))
			for _, path := range []string{thread, "/world/messages", "/world/messages?q=message", "/world/runtime", "/world/panels/messages"} {
				if a := me.do("GET", path); a.status != 200 {
					t.Errorf("%s: %d %s", path, a.status, a.body)
				}
			}
		})
	}
	all.Wait()
	sent := 0.0
	for _, me := range clients {
		for _, n := range me.do("GET", "/world/messages").want(200).each("threads", "message_count") {
			var count float64
			fmt.Sscan(n, &count)
			sent += count / 2 // each is counted by two
		}
	}
	if sent != 50 {
		t.Errorf("%v messages were sent, want 50", sent)
	}
}

// A message is kept by Messages alone. Covers M-36 as long as there is no Social.
func TestMessagesAreKeptByMessagesAlone(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	before := h.rows()
	thread := ann.tell("bea", "Hello")
	bea.do("GET", thread).want(200)
	bea.reply(thread, "Hello back")
	for table, text := range h.rows() {
		if text != before[table] && !strings.HasPrefix(table, "messages_") && table != "store_meta" {
			t.Errorf("%s has changed", table)
		}
	}
}
