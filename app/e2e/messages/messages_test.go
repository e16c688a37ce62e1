package messages

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
)

// unread is what a member has not read.
func unread(c *apptest.Client) any {
	c.T.Helper()
	return c.Do("GET", "/world/messages").Want(200).At("unread_total")
}

// Covers M-01, M-02, M-03, M-12, M-16, M-17, M-18, M-25, M-26, M-39, L-04, X-04 and X-06.
func TestThreadsAreOnePerPair(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	h.Member("cid")
	thread := ann.SendMessage("bea", "Hello")
	for _, name := range []any{bea.ID, fmt.Sprint(bea.ID), "bea@EXAMPLE.org", "BEA", "@bea", " Bea ", []any{"bea"}, []any{"bea", "@bea", bea.ID}, "bea, bea@example.org", "bea;"} {
		if got := ann.SendMessage(name, "Hello again"); got != thread {
			t.Errorf("to %v: thread %s, want %s", name, got, thread)
		}
	}
	if got := bea.SendMessage("ann", "Hello yourself"); got != thread {
		t.Errorf("from bea: thread %s, want %s", got, thread)
	}
	for _, c := range []struct {
		who   *apptest.Client
		title string
	}{{ann, "Bea"}, {bea, "Ann"}} {
		a := c.who.Do("GET", "/world/messages").Want(200)
		if n := len(a.List("threads")); n != 1 {
			t.Fatalf("%s has %d threads", c.who.Name, n)
		}
		a.WantSchema("service.messages.thread", a.At("threads.0"))
		id := a.Str("threads.0.id")
		for path, want := range map[string]any{
			"type": "message_thread", "title": c.title, "summary": "Hello yourself", "participant_count": 2.0, "message_count": 12.0,
			"links.self": "/world/messages/" + id, "links.messages": "/world/messages/" + id + "/messages",
			"actions.open_thread": "/world/messages/" + id, "actions.send_message": "/world/messages/" + id + "/messages",
			"last_message_at": "2026-11-21T09:00:00Z", "created_at": "2026-11-21T09:00:00Z", "updated_at": "2026-11-21T09:00:00Z",
			"participants.0.id": float64(c.who.ID), "participants.0.is_self": true, "participants.1.is_self": false, "participants.1.display_name": c.title,
		} {
			if got := a.At("threads.0." + path); got != want {
				t.Errorf("%s of %s is %v, want %v", path, c.who.Name, got, want)
			}
		}
		if n := len(a.List("threads.0.participants")); n != 2 {
			t.Errorf("%d participants", n)
		}
	}
	last := bea.Do("GET", thread+"/messages").Want(200)
	last.WantSchema("service.messages.message", last.At("messages.11"))
	if last.At("messages.11.sender_identity_user_id") != float64(bea.ID) || last.At("messages.11.thread_id") != strings.TrimPrefix(thread, "/world/messages/") ||
		last.At("messages.11.updated_at") != nil || !strings.HasPrefix(last.Str("messages.11.id"), "msg_") {
		t.Errorf("the last message is %v", last.At("messages.11"))
	}
}

// What is wrong is said, and changes nothing. Covers M-04, M-05, M-06, M-07,
// M-08, M-09, M-10, M-11, E-17, X-27 and PT-40.
func TestMessagesThatAreRefused(t *testing.T) {
	h := apptest.New(t)
	ann, cid := h.Member("ann"), h.Member("cid")
	h.Member("bea")
	for _, email := range []string{"m1@example.org", "m2@example.org"} {
		add(h, email, "Mo")
	}
	thread := ann.SendMessage("bea", "Hello")
	long := strings.Repeat("é", svc.MaxBody)
	h.WantUnchanged("by anything that is refused", func() {
		post := func(c *apptest.Client, path, body string) *apptest.Answer { return c.Do("POST", path, body) }
		post(ann, "/world/messages", `{"recipient": "nobody", "body": "x"}`).WantError(404, "recipient_not_found").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": 99, "body": "x"}`).WantError(404, "recipient_not_found").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": ",;", "body": "x"}`).WantError(404, "recipient_not_found").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": "nobody, bea", "body": "x"}`).WantError(404, "recipient_not_found").WantFields("recipient")
		post(ann, "/world/messages", `{}`).WantError(400, "field_required").WantFields("recipient", "body")
		post(ann, "/world/messages", `{"recipient": null, "body": null}`).WantError(400, "field_required").WantFields("recipient", "body")
		post(ann, "/world/messages", `{"recipient": " ", "body": "x"}`).WantError(400, "field_required").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": [], "body": "x"}`).WantError(400, "field_required").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": "bea", "body": " \n\t\u00a0"}`).WantError(400, "field_required").WantFields("body")
		post(ann, "/world/messages", `{"recipient": "bea"}`).WantError(400, "field_required").WantFields("body")
		post(ann, "/world/messages", `{"recipient": {"id": 2}, "body": "x"}`).WantError(400, "malformed_body").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": "bea", "body": 7}`).WantError(400, "malformed_body").WantFields("body")
		post(ann, "/world/messages", `{"recipient": "ann", "body": "x"}`).WantError(422, "invalid_value").WantFields("recipient")
		post(ann, "/world/messages", `{"recipient": "bea", "body": "a\u0000b"}`).WantError(422, "invalid_value").WantFields("body")
		post(ann, "/world/messages", `{"recipient": "bea", "body": "`+long+`x"}`).WantError(422, "too_long").WantFields("body")
		ambiguous := post(ann, "/world/messages", `{"recipient": "mo", "body": "x"}`).WantError(422, "recipient_ambiguous").WantFields("recipient")
		if n := len(ambiguous.List("error.fields.0.candidates")); n != 2 {
			t.Errorf("%d candidates", n)
		}
		for _, body := range []string{`{}`, `{"body": "  "}`, `{"body": null}`} {
			post(ann, thread+"/messages", body).WantError(400, "field_required").WantFields("body")
		}
		post(ann, thread+"/read", `{"last_read_message_id": "msg_none"}`).WantError(422, "invalid_value").WantFields("last_read_message_id")
		for method, paths := range map[string][]string{
			"GET": {"", "/messages", "?peek=1"}, "POST": {"/messages", "/read"},
		} {
			for _, path := range paths {
				cid.Do(method, thread+path, `{"body": "x"}`).WantError(403, "thread_access_denied")
				ann.Do(method, "/world/messages/thr_none"+path, `{"body": "x"}`).WantError(404, "not_found")
				h.Unauthenticated().Do(method, thread+path, `{"body": "x"}`).WantError(401, "unauthenticated")
			}
		}
		h.Unauthenticated().Do("GET", "/world/messages").WantError(401, "unauthenticated")
		h.Unauthenticated().Do("GET", "/world/messages?q=hello").WantError(401, "unauthenticated")
		post(h.Unauthenticated(), "/world/messages", `{"recipient": "bea", "body": "x"}`).WantError(401, "unauthenticated")
		cid.Do("GET", "/world/panels/messages?thread="+strings.TrimPrefix(thread, "/world/messages/")).WantError(403, "thread_access_denied")
		ann.Do("GET", "/world/messages?cursor=x").WantError(400, "invalid_parameter").WantFields("cursor")
		ann.Do("GET", "/world/messages?limit=-1").WantError(400, "invalid_parameter").WantFields("limit")
		ann.Do("GET", thread+"?before=x").WantError(400, "invalid_parameter").WantFields("before")
		ann.Do("GET", "/world/messages?q="+strings.Repeat("x", 201)).WantError(400, "invalid_parameter").WantFields("q")
		ann.Do("GET", "/world/messages?q=hello&cursor=x").WantError(400, "invalid_parameter").WantFields("cursor")
	})
	ann.Do("POST", "/world/messages", map[string]any{"recipient": "bea", "body": long}).Want(201)
}

// add adds a member who never signs in.
func add(h *apptest.Server, email, name string) {
	h.T.Helper()
	a, err := h.App.Identity.Prepare(h.T.Context(), identity.Registration{Email: email, DisplayName: name, Password: apptest.Password})
	if err != nil {
		h.T.Fatal(err)
	}
	h.Write(func(tx *store.Tx) error {
		_, err := h.App.Identity.AddMember(tx, identity.CommandLine("test"), a)
		return err
	})
}

// Covers M-13, X-11 and B-53: whoever wants more than two is told where to go.
func TestThreadsHaveTwoMembersForEver(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Member("bea")
	h.Member("cid")
	add(h, "smith@example.org", "Smith, John; Jr")
	ann.SendMessage("Smith, John; Jr", "A name with commas is a name")
	thread := ann.SendMessage("bea", "Hello")
	h.WantUnchanged("by a third member", func() {
		for _, c := range []struct{ path, body string }{
			{"/world/messages", `{"recipient": ["bea", "cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": "bea, cid", "body": "x"}`},
			{"/world/messages", `{"recipient": "bea;cid@example.org", "body": "x"}`},
			{"/world/messages", `{"recipient": [2, 3], "body": "x"}`},
			{"/world/messages", `{"recipients": ["bea", "cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": "bea", "participants": ["cid"], "body": "x"}`},
			{"/world/messages", `{"recipient": ` + apptest.JSON(strings.Fields(strings.Repeat("bea ", 3)+"a b c d e f g h i j k")) + `, "body": "x"}`},
			{thread + "/messages", `{"participants": ["cid"], "body": "x"}`},
			{thread + "/participants", `{"recipient": "cid"}`},
			{thread + "/participants", `{}`},
		} {
			a := ann.Do("POST", c.path, c.body).WantError(422, "thread_participants_fixed")
			if a.Str("error.guidance.kind") != "use_social" || fmt.Sprint(a.At("error.guidance.targets")) != "[community conversation event]" {
				t.Errorf("%s: guidance %v", c.body, a.At("error.guidance"))
			}
			if urls := a.Each("error.guidance.actions", "url"); !slices.Equal(urls, []string{"/world/social/conversations", "/world/social/communities", "/world/social/events"}) {
				t.Errorf("%s leads to %v", c.body, urls)
			}
		}
		if a := ann.Do("POST", "/world/messages", apptest.Form("recipient=bea&recipient=cid&body=x")).Want(422); a.At("error.guidance") == nil {
			t.Error("a form is told nothing")
		}
		if a := ann.Do("POST", "/world/messages", `{}`).Want(400); a.At("error.guidance") != nil {
			t.Error("there is guidance where something is missing")
		}
	})
}

// Members see their own threads, the latest first, and page through them.
// Covers M-14, M-15, M-25, L-12, B-82 and PT-30.
func TestInbox(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, cid := h.Member("ann"), h.Member("cid")
	var others []*apptest.Client
	for i := range 7 {
		others = append(others, h.Member(fmt.Sprint("m", i)))
	}
	for _, m := range others {
		ann.SendMessage(m.Name, "Hello") // all in the same millisecond
	}
	titles := func(path string) []string { return ann.Do("GET", path).Want(200).Each("threads", "title") }
	if got := fmt.Sprint(titles("/world/messages")); got != "[M6 M5 M4 M3 M2 M1 M0]" {
		t.Errorf("the threads are %s", got)
	}
	others[2].SendMessage("ann", "Hi")
	if got := fmt.Sprint(titles("/world/messages")); got != "[M2 M6 M5 M4 M3 M1 M0]" {
		t.Errorf("after a message of M2 they are %s", got)
	}
	h.Clock.Advance(-24 * 60 * 60 * 1e9) // a clock that is put back changes no order
	others[0].SendMessage("ann", "Hi")
	if got := fmt.Sprint(titles("/world/messages")); got != "[M0 M2 M6 M5 M4 M3 M1]" {
		t.Errorf("after a message of M0 they are %s", got)
	}

	// While somebody pages, others write: nothing shows twice, and nothing that
	// stays where it was is missed.
	var got []string
	page := ann.Do("GET", "/world/messages?limit=2").Want(200)
	for n := 0; ; n++ {
		got = append(got, page.Each("threads", "title")...)
		if page.At("page.limit") != 2.0 {
			t.Errorf("page %v", page.At("page"))
		}
		if page.At("page.next_cursor") == nil {
			break
		}
		others[6].SendMessage("ann", "Once more")
		cid.SendMessage("ann", fmt.Sprint("News ", n))
		page = ann.Do("GET", "/world/messages?limit=2&cursor="+url.QueryEscape(page.Str("page.next_cursor"))).Want(200)
	}
	if want := "[M0 M2 M5 M4 M3 M1]"; fmt.Sprint(got) != want {
		t.Errorf("page by page they are %v, want %s", got, want)
	}
	if n := len(cid.Do("GET", "/world/messages").Want(200).List("threads")); n != 1 {
		t.Errorf("cid has %d threads, want the one with ann", n)
	}
	first := ann.Do("GET", "/world/messages?limit=2").Want(200).Str("page.next_cursor")
	cid.Do("GET", "/world/messages?cursor="+url.QueryEscape(first)).WantError(400, "invalid_parameter")
}

// Covers M-19, M-20, M-21, M-22, M-23, B-50 and PT-18 by example.
func TestWhatCountsAsRead(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	thread := ann.SendMessage("bea", "One")
	second := ann.SendInThread(thread, "Two").Str("message.id")
	ann.SendInThread(thread, "Three")
	if unread(ann) != 0.0 || unread(bea) != 3.0 {
		t.Fatalf("ann has not read %v, bea %v", unread(ann), unread(bea))
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	prefetch := bea.With("Sec-Purpose", "prefetch;prerender")
	before := bea.Do("GET", thread+"/messages?limit=1").Want(200).Str("page.previous_cursor")
	bea.Runtime().Do("GET", "/world/runtime").Want(200) // the first one stores what everybody has before them
	h.WantUnchanged("by looking", func() {
		bea.Runtime().Do("GET", "/world/runtime").Want(200)
		bea.Runtime().Do("GET", "/world/translated?thread="+id).Want(200)
		for _, path := range []string{
			thread + "?peek=1", thread + "/messages", thread + "?before=" + url.QueryEscape(before),
			"/world/panels/messages", "/world/panels/messages?thread=" + id, "/world/panels/messages/rail", "/world/messages?q=two",
		} {
			bea.Do("GET", path).Want(200)
		}
		bea.Do("HEAD", thread).Want(200)
		prefetch.Do("GET", thread).Want(200)
		for _, path := range []string{"/messages", "/messages/objects", "/messages/" + id, "/runtime/panel/messages?thread=" + id} {
			bea.AsService().Do("GET", path).Want(200)
		}
		ann.Do("GET", thread).Want(200)
	})
	if got := unread(bea); got != 3.0 {
		t.Errorf("after looking %v are not read", got)
	}
	if a := bea.Do("POST", thread+"/read", map[string]any{"last_read_message_id": second}).Want(200); a.At("thread.unread_count") != 1.0 {
		t.Errorf("after two are read %v are not", a.At("thread.unread_count"))
	}
	if a := bea.Do("GET", thread).Want(200); a.At("thread.unread_count") != 0.0 || unread(bea) != 0.0 {
		t.Errorf("after opening, the answer says %v and the inbox %v", a.At("thread.unread_count"), unread(bea))
	}
	h.WantUnchanged("by reading once more", func() {
		bea.Do("GET", thread).Want(200)
		bea.Do("POST", thread+"/read", map[string]any{"last_read_message_id": second}).Want(200)
		bea.Do("POST", thread+"/read", `{}`).Want(200)
	})
	ann.SendInThread(thread, "Four")
	bea.SendInThread(thread, "Five")
	if unread(ann) != 1.0 || unread(bea) != 0.0 {
		t.Errorf("after an answer ann has not read %v, bea %v", unread(ann), unread(bea))
	}
	if a := ann.Do("POST", thread+"/read").Want(200); a.At("thread.unread_count") != 0.0 {
		t.Errorf("all was read, but %v", a.At("thread.unread_count"))
	}
}

// Opening a thread of many messages reads what is shown, and all before it.
// Covers M-24, M-29, M-30, B-49 and X-18.
func TestMessagesOfAThread(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	thread := ann.SendMessage("bea", "Message 0")
	for i := 1; i < 120; i++ {
		ann.SendInThread(thread, fmt.Sprint("Message ", i))
	}
	a := bea.Do("GET", thread).Want(200)
	if got := a.Each("messages", "body"); len(got) != 50 || got[0] != "Message 70" || got[49] != "Message 119" {
		t.Errorf("opened, it shows %v", got)
	}
	if a.Str("actions.send_message") != thread+"/messages" || a.Str("actions.mark_read") != thread+"/read" {
		t.Errorf("actions %v", a.At("actions"))
	}
	var all []string
	for before := ""; ; {
		page := bea.Do("GET", thread+"/messages?limit=33"+before).Want(200)
		all = append(page.Each("messages", "body"), all...)
		if page.At("page.previous_cursor") == nil {
			break
		}
		before = "&before=" + url.QueryEscape(page.Str("page.previous_cursor"))
		ann.SendInThread(thread, "Meanwhile")
	}
	if len(all) != 120 || all[0] != "Message 0" || all[119] != "Message 119" {
		t.Errorf("page by page there are %d messages: %v", len(all), all)
	}
	if n := bea.Do("GET", thread+"?peek=1").At("thread.message_count"); n != 123.0 {
		t.Errorf("%v messages are counted, want 123", n)
	}
}

// Bodies come back as they were sent. Covers M-41, B-87 and PT-31.
func TestBodiesAreVerbatim(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Member("bea")
	for _, body := range []string{"<b>x</b> & \n", "  indented\r\n\ttwice  ", "a\u202eb\u0007\u2028c", "👩‍👩‍👧 ﷽ é", `{"a": "\u0000"}`, "1", "true"} {
		a := ann.Do("POST", "/world/messages", map[string]any{"recipient": "bea", "body": body}).Want(201)
		if got := a.Str("message.body"); got != body {
			t.Errorf("sent %q, got %q", body, got)
		}
		if got := ann.Do("GET", a.Str("thread.links.messages")+"?limit=1").Str("messages.0.body"); got != body {
			t.Errorf("sent %q, kept %q", body, got)
		}
		form := apptest.Form(url.Values{"recipient": {"bea"}, "body": {body}}.Encode())
		if got := ann.Do("POST", "/world/messages", form).Want(201).Str("message.body"); got != body {
			t.Errorf("sent %q as a form, got %q", body, got)
		}
	}
	body := strings.Repeat("é", 300)
	if got := ann.Do("POST", "/world/messages", map[string]any{"recipient": "bea", "body": body}).Str("thread.summary"); got != body[:240] {
		t.Errorf("the summary is %q", got)
	}
}

// Covers M-42, PT-17, PT-19 and B-88: whoever is first, there is one thread.
func TestBothWriteFirst(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	threads := make([]string, 40)
	var all sync.WaitGroup
	for i := range threads {
		all.Go(func() {
			from, to := ann, "bea"
			if i%2 == 0 {
				from, to = bea, "ann"
			}
			threads[i] = from.SendMessage(to, fmt.Sprint("Message ", i))
		})
	}
	all.Wait()
	if slices.Sort(threads); threads[0] != threads[39] {
		t.Errorf("there are several threads: %v", slices.Compact(threads))
	}
	a := ann.Do("GET", threads[0]).Want(200)
	if a.At("thread.message_count") != 40.0 || a.At("thread.participant_count") != 2.0 || len(a.List("messages")) != 40 {
		t.Errorf("the thread is %v", a.At("thread"))
	}
	once := ann.With("Idempotency-Key", "k")
	first, again := once.Do("POST", threads[0]+"/messages", `{"body": "Once"}`).Want(201), once.Do("POST", threads[0]+"/messages", `{"body": "Once"}`).Want(201)
	if first.Body != again.Body || ann.Do("GET", threads[0]).At("thread.message_count") != 41.0 {
		t.Error("a repeated message was sent twice")
	}
}

// Many write and read at once, and all are answered. Covers PT-39 for messages.
func TestManyWriteAtOnce(t *testing.T) {
	c := apptest.NewPopulation(t, 10)
	var clients []*apptest.Client
	for i := range 10 {
		clients = append(clients, c.Client(i+1))
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			me, other := clients[i%10], (i*7+3)%10+1
			if int(me.ID) == other {
				other = other%10 + 1
			}
			thread := me.SendMessage(other, fmt.Sprint("Message ", i))
			for _, path := range []string{thread, "/world/messages", "/world/messages?q=message", "/world/runtime", "/world/panels/messages"} {
				if a := me.Do("GET", path); a.Status != 200 {
					t.Errorf("%s: %d %s", path, a.Status, a.Body)
				}
			}
		})
	}
	all.Wait()
	sent := 0.0
	for _, me := range clients {
		for _, n := range me.Do("GET", "/world/messages").Want(200).Each("threads", "message_count") {
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
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	before := h.Rows()
	thread := ann.SendMessage("bea", "Hello")
	bea.Do("GET", thread).Want(200)
	bea.SendInThread(thread, "Hello back")
	for table, text := range h.Rows() {
		if text != before[table] && !strings.HasPrefix(table, "messages_") && table != "store_meta" {
			t.Errorf("%s has changed", table)
		}
	}
}
