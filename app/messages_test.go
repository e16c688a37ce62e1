package app

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/messages"
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

// Members find what was written to them and by them, the latest first, and
// nothing that they have no part in.
func TestMessageSearch(t *testing.T) {
	h := open(t, unlimited)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	withBea := ann.tell("bea", "Crème brûlée on Friday?")
	ann.tell("cid", "Bring the CREME, please")
	bea.reply(withBea, "Friday it is; I bring\nthe torch")
	bea.tell("cid", "Ann makes creme brulee on Friday, secretly")
	found := func(c *client, q string) []string {
		t.Helper()
		return c.do("GET", "/world/messages?q="+url.QueryEscape(q)).want(200).each("results", "excerpt")
	}
	for _, s := range []struct {
		who  *client
		q    string
		want []string
	}{
		{ann, "creme", []string{"Bring the CREME, please", "Crème brûlée on Friday?"}},
		{ann, "CRÈME bru", []string{"Crème brûlée on Friday?"}},
		{ann, "brulee creme", []string{"Crème brûlée on Friday?"}},
		{ann, "frid", []string{"Friday it is; I bring the torch", "Crème brûlée on Friday?"}},
		{ann, "fri day", nil},
		{ann, "secretly", nil},
		{ann, "s", nil},
		{cid, "friday", []string{"Ann makes creme brulee on Friday, secretly"}},
		{cid, "torch", nil},
		{ann, `"creme" OR please*`, nil},
		{ann, `words:creme`, nil},
		{ann, `3xcreme`, nil},
		{ann, `"creme" -please (`, []string{"Bring the CREME, please"}},
		{ann, "?!", nil},
		{ann, " ", nil},
	} {
		if got := found(s.who, s.q); !slices.Equal(got, s.want) {
			t.Errorf("%s looks for %s and finds %q, want %q", s.who.name, s.q, got, s.want)
		}
	}
	a := ann.do("GET", "/world/messages?q=torch").want(200)
	a.fits("service.messages.thread", a.at("results.0.thread"))
	a.fits("service.messages.message", a.at("results.0.message"))
	if a.str("results.0.thread.title") != "Bea" || a.str("results.0.message.body") != "Friday it is; I bring\nthe torch" {
		t.Errorf("found %s", a.body)
	}

	for i := range 30 {
		ann.reply(withBea, fmt.Sprintf("Number %d of many", i))
	}
	var all []string
	cursor := ""
	for {
		page := bea.do("GET", "/world/messages?q=many&limit=7"+cursor).want(200)
		all = append(all, page.each("results", "excerpt")...)
		if page.at("page.next_cursor") == nil {
			break
		}
		ann.reply(withBea, "Many more")
		cursor = "&cursor=" + url.QueryEscape(page.str("page.next_cursor"))
	}
	if len(all) != 30 || all[0] != "Number 29 of many" || all[29] != "Number 0 of many" {
		t.Errorf("page by page: %q", all)
	}
}

// What others write to others does not show in what a search costs: each word
// in the index is one member's.
func TestSearchTouchesOnesOwnWordsAlone(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	h.member("cid")
	ann.tell("bea", "A needle")
	for range 50 {
		bea.tell("cid", "needles, needles")
	}
	db, err := sql.Open("sqlite", h.settings.database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'messages_search', 'row')"); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("SELECT term, doc FROM temp.terms ORDER BY term")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	got := ""
	for rows.Next() {
		var term string
		var n int
		if err := rows.Scan(&term, &n); err != nil {
			t.Fatal(err)
		}
		got += fmt.Sprintf("%s %d, ", term, n)
	}
	if want := "1xa 1, 1xneedle 1, 2xa 1, 2xneedle 1, 2xneedles 50, 3xneedles 50, "; got != want {
		t.Errorf("the index has %s, want %s", got, want)
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

// What two write to each other is nobody else's. Covers M-27, M-28, W-05, W-17
// and PT-07.
func TestBodiesAreSeenByTwo(t *testing.T) {
	h := open(t, withKey)
	ann, bea, op := h.member("ann"), h.member("bea"), h.member("op")
	see := func() string {
		var b strings.Builder
		for _, path := range []string{
			"/world/runtime", sessionPath, "/world/translated", "/world/messages", "/world/messages?q=xylophone", "/world/messages?q=x", "/world/panels/messages", "/world/panels/messages/rail",
			"/world/panels/time", "/world/calendars", "/world/time/objects", "/world/identity/me", "/world/identity/export", "/admin/members", "/account", "/ready", "/health",
		} {
			b.WriteString(op.runtime().do("GET", path).want(200).body)
		}
		for _, path := range []string{"/messages", "/messages/objects", "/runtime/panel/messages", "/objects", "/identity/members"} {
			b.WriteString(op.internally().do("GET", path).want(200).body)
		}
		return b.String()
	}
	op.tell("ann", "Welcome")
	etag := op.runtime().do("GET", "/world/runtime").header.Get("ETag")
	before := see()
	thread := ann.tell("bea", "The xylophone is in the cellar")
	bea.reply(thread, "Which xylophone?")
	bea.do("GET", thread).want(200)
	ann.do("GET", "/world/messages?q=xylophone").want(200)
	ann.do("POST", thread+"/messages", `{"body": "xylophone", "participants": [3]}`).want(422)
	if after := see(); after != before {
		t.Error("what the two write shows to a third")
	}
	op.runtime().with("If-None-Match", etag).do("GET", "/world/runtime").want(304)
	op.do("GET", thread).refused(403, "thread_access_denied")
	if strings.Contains(h.log.String(), "xylophone") {
		t.Errorf("the log says what they wrote:\n%s", h.log)
	}
	for _, c := range []*client{ann, bea} {
		if !strings.Contains(c.runtime().do("GET", "/world/runtime").body, "Which xylophone?") {
			t.Errorf("%s does not see it", c.name)
		}
	}
}

// A dataset changes for the two who are concerned. Covers B-84 for messages.
func TestMessagesChangeTwoDatasets(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann").runtime(), h.member("bea").runtime(), h.member("cid").runtime()
	thread := ann.tell("bea", "Hello")
	etags := make(map[*client]string)
	changed := func(what string, want ...*client) {
		t.Helper()
		for _, c := range []*client{ann, bea, cid} {
			a := c.with("If-None-Match", etags[c]).do("GET", "/world/runtime")
			if wanted := slices.Contains(want, c); (a.status == 200) != wanted {
				t.Errorf("%s: %s gets %d", what, c.name, a.status)
			}
			etags[c] = a.header.Get("ETag")
		}
	}
	changed("at first", ann, bea, cid)
	changed("nothing")
	ann.reply(thread, "Are you there?")
	changed("a message", ann, bea)
	bea.do("GET", thread).want(200)
	changed("that was read", bea)
	bea.do("GET", thread).want(200)
	bea.do("POST", thread+"/read").want(200)
	changed("that was read again")
}

// The threads in a dataset, and what can be done with them. Covers W-28, W-33,
// W-34, W-35, M-21, B-18, B-19, B-20, B-24, PT-05 and PT-47.
func TestMessagesInTheDataset(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann").runtime(), h.member("bea").runtime()
	empty := ann.do("GET", "/world/runtime").want(200)
	checkDataset(t, empty)
	ann.tell("bea", "Shall we <b>sing</b>?")
	a := bea.do("GET", "/world/runtime").want(200)
	checkDataset(t, a)
	thread := a.at("objects.0")
	for path, want := range map[string]any{
		"object_type": "message_thread", "title": "Ann", "summary": "Shall we <b>sing</b>?", "source.service": "messages", "source.resource_type": "thread",
		"state.unread_count": 1.0, "state.message_count": 1.0, "state.participant_count": 2.0, "permissions.can_view": true, "permissions.can_reply": true,
		"permissions.can_add_participant": false, "permissions.can_update": false, "permissions.can_delete": false,
	} {
		if got := dig(thread, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if len(a.list("objects")) != 2 || a.at("workspace.selected_message_thread") != nil { // the other is Bea's profile
		t.Errorf("%d objects, and %v is selected", len(a.list("objects")), a.at("workspace.selected_message_thread"))
	}
	actions := make(map[string]any)
	for _, action := range a.list("actions") {
		actions[dig(action, "action_id").(string)] = action
	}
	for _, id := range dig(thread, "actions").([]any) {
		action := actions[id.(string)]
		kind, method, url := dig(action, "type"), dig(action, "command.method").(string), dig(action, "command.url").(string)
		switch kind {
		case "open_thread":
			bea.do(method, url).want(200)
		case "send_message":
			if dig(action, "controls.0.id") != "body" || dig(action, "controls.0.max_length") != float64(svc.MaxBody) {
				t.Errorf("the controls are %v", dig(action, "controls"))
			}
			bea.do(method, url, `{"body": "Yes"}`).want(201)
		case "focus_object": // as with every object
		default:
			t.Errorf("an action %v", kind)
		}
	}
	for _, c := range a.list("contexts") {
		if dig(c, "kind") == "messages" {
			if start := actions[dig(c, "action_ids.0").(string)]; dig(start, "type") != "start_thread" || dig(start, "command.url") != "/world/messages" {
				t.Errorf("the context starts with %v", start)
			}
			if dig(c, "items.0.item_id") != dig(thread, "world_object_id") {
				t.Errorf("the context has %v", dig(c, "items"))
			}
		}
	}
	again := bea.do("GET", "/world/runtime").want(200)
	if got := fmt.Sprint(again.at("objects.0.state.unread_count"), " ", again.at("objects.0.summary")); got != "0 Yes" {
		t.Errorf("after an answer the thread has %s", got)
	}
	if n := strings.Count(again.body, `"source_id":"messages"`); n != 1 {
		t.Errorf("messages are %d sources", n)
	}
	same := bea.do("GET", "/world/runtime").want(200) // of what was kept
	h.restart()
	if made := bea.do("GET", "/world/runtime").want(200); same.body != again.body || made.body != again.body {
		t.Error("two reads differ")
	}
}

// Covers M-38, M-40, W-54 and E-06 for messages.
func TestMessagesSwitchedOff(t *testing.T) {
	h := open(t, withKey, func(s *Settings) { s.ServicesOff = []string{"messages"} })
	ann := h.member("ann")
	h.member("bea")
	for _, path := range []string{"/world/messages", "/world/messages/thr_x", "/world/panels/messages", "/world/panels/messages/rail", "/ready/messages"} {
		ann.do("GET", path).refused(503, "service_unavailable")
	}
	ann.do("POST", "/world/messages", `{"recipient": "bea", "body": "x"}`).refused(503, "service_unavailable")
	ann.internally().do("GET", "/messages").refused(503, "service_unavailable")
	a := ann.runtime().do("GET", "/world/runtime").want(200)
	if !strings.Contains(a.body, `"state":"unavailable","scope":{"kind":"service","service":"messages"}`) {
		t.Errorf("no word of it in the dataset: %v", a.at("fallbacks"))
	}
	on := open(t)
	if got := on.nobody().do("GET", "/ready/messages").want(200).body; got != "messages ready\n" {
		t.Errorf("messages says %q", got)
	}
	if got := on.nobody().do("GET", "/health/messages").want(200).str("service"); got != "messages" {
		t.Errorf("messages is %q", got)
	}
}

// A part that fails leaves the rest whole, and is whole itself afterwards.
func TestMessagesThatFail(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	h.member("bea")
	ann.tell("bea", "Hello")
	ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Taxes"}`).want(201)
	good := ann.do("GET", "/world/runtime").want(200)
	meddle(t, h, "ALTER TABLE messages_participant RENAME TO messages_lost")
	h.touch()
	bad := ann.do("GET", "/world/runtime").want(200)
	if titles := fmt.Sprint(titlesOf(bad)); titles != "[Taxes Ann]" || !strings.Contains(bad.body, `"state":"degraded","scope":{"kind":"service","service":"messages"}`) {
		t.Errorf("objects %s, fallbacks %v", titles, bad.at("fallbacks"))
	}
	if got := h.nobody().do("GET", "/ready/messages").want(200).body; got != "messages degraded\n" {
		t.Errorf("messages says %q", got)
	}
	meddle(t, h, "ALTER TABLE messages_lost RENAME TO messages_participant")
	if again := ann.with("If-None-Match", bad.header.Get("ETag")).do("GET", "/world/runtime").want(200); again.body != good.body {
		t.Error("it has not recovered")
	}
}

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
			if _, err := h.messages.Start(tx, cid.viewer(), messages.NewThread{Recipient: messages.Recipients{"ann"}, Body: "treetop"}); err != nil {
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

// Covers M-31, M-32, M-33, M-34, M-35 and B-15 for messages.
func TestThreadSources(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	ann.tell("bea", "Hello")
	a := bea.internally().do("GET", "/messages/objects").want(200)
	if a.str("service") != "messages" || a.at("truncated") != false || len(a.list("objects.threads")) != 1 {
		t.Fatalf("the sources are %s", a.body)
	}
	a.fits("service.messages.object_source", a.at("objects.threads.0"))
	id := a.str("objects.threads.0.state.id")
	for path, want := range map[string]string{
		"source": "map[resource_id:" + id + " resource_type:thread service:messages]", "object_type": "message_thread", "title": "Ann", "summary": "Hello",
		"state.current_identity_user_id": "2", "state.participants.0.id": "2", "state.participant_count": "2", "state.unread_count": "1",
		"domain_permissions": "map[can_add_participant:false can_reply:true can_view:true]", "domain_actions": "[open_thread send_message]", "relationships": "[]",
	} {
		if got := fmt.Sprint(a.at("objects.threads.0." + path)); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if _, ok := a.at("objects.threads.0.state.current_identity_user_id").(string); !ok || !strings.HasPrefix(id, "thr_") {
		t.Error("an id is no text")
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(a.body, word) {
			t.Errorf("a source says %s", word)
		}
	}
}

// Covers M-37, B-15 and F.2: whoever has the key can do all that members can.
func TestMessagesForOtherServices(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	key := ann.internally()
	sent := key.do("POST", "/messages", `{"recipient": "bea", "body": "Hello"}`).want(201)
	id := sent.str("thread.id")
	key.do("POST", "/messages/"+id+"/messages", `{"body": "Again"}`).want(201)
	key.do("POST", "/messages", `{"recipient": ["bea", "op"], "body": "x"}`).want(404)
	if n := len(bea.internally().do("GET", "/messages").want(200).list("threads")); n != 1 {
		t.Errorf("%d threads", n)
	}
	if n := len(bea.internally().do("GET", "/messages/"+id).want(200).list("messages")); n != 2 {
		t.Errorf("%d messages", n)
	}
	p := bea.internally().do("GET", "/runtime/panel/messages?thread="+id).want(200)
	p.fits("service.world.panel", p.at(""))
	if len(p.list("threads")) != 1 || p.str("selected_thread.id") != id || len(p.list("messages")) != 2 || len(p.list("members")) != 2 || len(p.list("action_descriptors")) != 2 {
		t.Errorf("the panel is %s", p.body)
	}
	if bea.unread() != 2.0 {
		t.Error("it was read by the other service")
	}
	bea.internally().do("POST", "/messages/"+id+"/read").want(200)
	if bea.unread() != 0.0 {
		t.Error("it was not read")
	}
	key.with("X-Service-Member-Id", "").do("GET", "/messages").refused(400, "member_context_required")
}

// Covers W-120, W-137, B-28 and B-54 as far as Messages goes.
func TestMessagesPanel(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	for _, path := range []string{"/world/panels/messages", "/world/panels/messages/rail"} {
		a := ann.do("GET", path).want(200)
		a.fits("service.world.panel", a.at(""))
		if a.str("kind") != "messages" || a.str("title") != "Messages" || a.str("summary") != "Nothing unread" || a.str("actions.start_thread") != "/world/messages" ||
			a.str("sections.0.title") != "Threads" || a.str("sections.0.summary") == "" || len(a.list("sections.0.items")) != 0 {
			t.Errorf("an empty panel is %s", a.body)
		}
	}
	thread := ann.tell("bea", "Hello")
	for i := range 60 {
		ann.reply(thread, fmt.Sprint("Message ", i))
	}
	id := strings.TrimPrefix(thread, "/world/messages/")
	rail := bea.do("GET", "/world/panels/messages/rail").want(200)
	if rail.str("view") != "rail" || rail.str("summary") != "61 unread" || rail.str("sections.0.items.0.id") != id || rail.str("sections.0.items.0.title") != "Ann" ||
		rail.at("sections.0.items.0.metadata.unread_count") != 61.0 || rail.str("sections.0.items.0.actions.0.type") != "open_thread" ||
		rail.str("action_descriptors.0.id") != "start_thread" || rail.str("action_descriptors.0.type") != "submit_form" {
		t.Errorf("the rail is %s", rail.body)
	}
	none := bea.do("GET", "/world/panels/messages").want(200)
	if none.str("view") != "messages" || none.at("selected_thread") != nil || len(none.list("messages")) != 0 || len(none.list("threads")) != 1 {
		t.Errorf("without a selected thread it is %s", none.body)
	}
	a := bea.do("GET", "/world/panels/messages?thread="+id).want(200)
	a.fits("service.world.panel", a.at(""))
	a.fits("service.messages.thread", a.at("selected_thread"))
	if a.str("selected_thread.id") != id || len(a.list("messages")) != 50 || a.str("sections.1.title") != "Ann" || a.str("sections.1.items.49.summary") != "Message 59" ||
		a.str("sections.1.items.49.title") != "Ann" {
		t.Errorf("with one it is %s", a.body)
	}
	earlier := ""
	for _, item := range a.list("nav") {
		if dig(item, "id") == "earlier_messages" {
			earlier = dig(item, "action").(string)
		}
	}
	if n := len(bea.do("GET", earlier).want(200).list("messages")); n != 11 {
		t.Errorf("%d messages are earlier, want 11", n)
	}
	for _, action := range a.list("sections.0.items.0.actions") {
		if got := bea.do(dig(action, "method").(string), dig(action, "url").(string), dig(action, "body")); got.status >= 300 {
			t.Errorf("%v: %d", dig(action, "id"), got.status)
		}
	}
	for _, form := range a.list("action_descriptors") {
		values := make(map[string]any)
		for _, c := range dig(form, "controls").([]any) {
			values[dig(c, "id").(string)] = "ann"
		}
		bea.do(dig(form, "method").(string), dig(form, "url").(string), values).want(201)
	}
	if got := bea.do("GET", "/world/panels/messages/rail").str("summary"); got != "Nothing unread" {
		t.Errorf("all was read: %s", got)
	}
}

// Members take with them what they wrote and what was written to them. Covers
// SH-26 for messages.
func TestExportHasMessages(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	thread := ann.tell("bea", "Hello")
	bea.reply(thread, "Hello back")
	bea.tell("cid", "Not for Ann")
	whole := ann.do("GET", "/world/identity/export").want(200)
	if got := fmt.Sprint(whole.each("message_threads", "title"), whole.each("messages", "body")); got != "[Bea] [Hello back Hello]" {
		t.Errorf("the export has %s", got)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, errs := h.cli("", "admin", "members", "export", "cid", dir); status != 0 {
		t.Fatal(out, errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "messages.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []any
	if err := json.Unmarshal(text, &list); err != nil || len(list) != 1 || dig(list[0], "body") != "Not for Ann" {
		t.Errorf("the file of %s has %s, %v", cid.name, text, err)
	}
}
