package app

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// writes sends a message in a new or an old DM, and returns its path.
func (c *client) writes(to *client, body string) string {
	c.t.Helper()
	a := c.do("POST", "/world/social/dms", map[string]any{"recipient": to.name, "body": body}).want(201)
	return "/world/social/dms/" + a.str("dm.id")
}

// Covers O-29, B-49, B-74: what a DM looks like, and that there is one for two.
func TestDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	ann, bea, cem := who["ann"], who["bea"], who["cem"]
	h.chain(ann, bea, cem)
	const body = "  <b>Soup</b> & \n bread?  "
	sent := ann.do("POST", "/world/social/dms", map[string]any{"recipient": "@Bea", "body": body}).want(201)
	sent.fits("service.social.dm", sent.at("dm"))
	sent.fits("service.social.dm_message", sent.at("message"))
	id := sent.str("dm.id")
	path := "/world/social/dms/" + id
	for where, want := range map[string]any{
		"dm.type": "social_dm", "dm.title": "Bea", "dm.summary": body, "dm.participant_count": 2.0, "dm.message_count": 1.0, "dm.unread_count": 0.0,
		"dm.can_reply": true, "dm.last_message_at": "2026-11-21T09:00:00Z", "dm.created_at": "2026-11-21T09:00:00Z",
		"dm.context.kind": "circle", "dm.context.depth": 1.0, "dm.context.id": nil,
		"dm.participants.0.is_self": true, "dm.participants.1.display_name": "Bea", "dm.participants.1.username": "bea",
		"dm.permissions.can_add_participant": false,
		"dm.links.self":                      path, "dm.links.messages": path + "/messages",
		"dm.actions.open_thread": path, "dm.actions.send_message": path + "/messages", "dm.actions.mark_read": path + "/read",
		"message.body": body, "message.thread_id": id, "message.sender_identity_user_id": 1.0, "message.updated_at": nil,
	} {
		if got := sent.at(where); got != want {
			t.Errorf("%s is %v, want %v", where, got, want)
		}
	}
	if !strings.HasPrefix(id, "sdm_") || !strings.HasPrefix(sent.str("message.id"), "sdmm_") || len(sent.list("dm.participants")) != 2 {
		t.Errorf("the answer is %s", sent.body)
	}
	for _, recipient := range []any{1, "1", "ann", "ANN@example.org", "ann"} {
		a := bea.do("POST", "/world/social/dms", map[string]any{"recipient": recipient, "body": "Yes"}).want(201)
		if a.str("dm.id") != id || a.str("dm.title") != "Ann" {
			t.Errorf("to %v it is %s", recipient, a.body)
		}
	}
	bea.do("POST", path+"/messages", formBody("body=Please")).want(201)
	ann.writes(cem, "Hello")
	list := ann.do("GET", "/world/social/dms").want(200)
	if got := list.column("dms", "title"); got != "Cem Bea" || list.at("unread_total") != 6.0 || list.str("actions.start_dm") != "/world/social/dms" {
		t.Errorf("ann has %s", list.body)
	}
	if list.str("dms.0.context.kind") != "circle" || list.at("dms.0.context.depth") != 2.0 {
		t.Errorf("she may write to cem because of %v", list.at("dms.0.context"))
	}
	bea.do("POST", path+"/messages", `{"body": "Now"}`).want(201)
	if got := ann.do("GET", "/world/social/dms").want(200).column("dms", "title"); got != "Bea Cem" {
		t.Errorf("with a new message ann has %q", got)
	}
}

// Covers O-30, O-31 and B-02: what two say to one another is nobody else's.
func TestDMsOfOthersDoNotExist(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	ann, bea, cem := who["ann"], who["bea"], who["cem"]
	h.together("private", ann, bea, cem)
	path := ann.writes(bea, "a secret")
	id := strings.TrimPrefix(path, "/world/social/dms/")
	message := ann.do("GET", path).want(200).str("messages.0.id")
	h.unchanged("cem tries", func() {
		for _, c := range []*client{cem, h.nobody()} {
			status, code := 404, "not_found"
			if c != cem {
				status, code = 401, "unauthenticated"
			}
			c.do("GET", path).refused(status, code)
			c.do("GET", path+"/messages").refused(status, code)
			c.do("POST", path+"/messages", `{"body": "me too"}`).refused(status, code)
			c.do("POST", path+"/read", `{}`).refused(status, code)
			c.do("POST", path+"/read", fmt.Sprintf(`{"last_read_message_id": %q}`, message)).refused(status, code)
		}
	})
	unknown := cem.do("GET", "/world/social/dms/sdm_01j00000000000000000000000").refused(404, "not_found")
	if other := cem.do("GET", path); other.str("error.message") != unknown.str("error.message") {
		t.Errorf("of others' it is said %q, of none %q", other.str("error.message"), unknown.str("error.message"))
	}
	cem.internally().do("GET", strings.TrimPrefix(path, "/world")).refused(404, "not_found")
	for _, path := range []string{
		"/world/social/dms", "/world/social/people", "/world/social/presence", "/world/social/profiles/1", "/world/social/circles",
		"/world/social/discovery/graph", "/world/runtime", sessionPath, "/world/translated", "/world/identity/export", "/world/calendars",
	} {
		if body := cem.runtime().do("GET", path).want(200).body; strings.Contains(body, "secret") || strings.Contains(body, id) {
			t.Errorf("%s has it: %s", path, body)
		}
	}
	if strings.Contains(h.log.String(), "secret") {
		t.Error("the log has it")
	}
}

// Covers B-74: who may write to whom, and what the others are told instead.
func TestWhoMayWriteADM(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem", "dora", "eve", "fay", "gus", "hal", "ivy")
	ann := who["ann"]
	h.chain(ann, who["bea"], who["cem"], who["dora"], who["eve"]) // eve is four steps away
	square := h.together("public", ann, who["fay"], who["bea"])
	party := h.party(who["eve"], map[*client]string{ann: "maybe", who["gus"]: "going", who["hal"]: "declined", who["dora"]: "going"})
	for name, want := range map[string]string{
		"bea": "circle 1", "cem": "circle 2", "dora": "circle 3", "fay": "community " + square, "gus": "event " + party,
		"eve": "", "hal": "", "ivy": "",
	} {
		for _, pair := range [][2]*client{{ann, who[name]}, {who[name], ann}} {
			from, to := pair[0], pair[1]
			message := map[string]any{"recipient": to.name, "body": "Hello"}
			if want != "" {
				a := from.do("POST", "/world/social/dms", message).want(201)
				id := a.str("dm.context.id") + asText(a.at("dm.context.depth"))
				if got := a.str("dm.context.kind") + " " + strings.Trim(id, "-"); got != want {
					t.Errorf("%s may write to %s because of %q, want %q", from.name, to.name, got, want)
				}
				continue
			}
			h.unchanged(name, func() {
				a := from.do("POST", "/world/social/dms", message).refused(422, "no_common_ground")
				if a.str("error.guidance.kind") != "use_messages" || a.str("error.guidance.actions.0.url") != "/world/messages" ||
					a.str("error.guidance.actions.0.method") != "POST" {
					t.Errorf("the guidance is %v", a.at("error.guidance"))
				}
			})
		}
	}
	// What they had in common may end: then they can read, and write no more.
	path := ann.writes(who["fay"], "Still here?")
	h.apart(square, who["fay"])
	h.unchanged("no common ground any more", func() {
		a := ann.do("POST", path+"/messages", `{"body": "Hello?"}`).refused(422, "no_common_ground")
		if a.str("error.guidance.kind") != "use_messages" {
			t.Errorf("the guidance is %v", a.at("error.guidance"))
		}
	})
	d := who["fay"].do("GET", path).want(200)
	if d.at("dm.context") != nil || d.at("dm.can_reply") != false || d.at("dm.actions.send_message") != nil || len(d.list("messages")) != 3 {
		t.Errorf("fay has %s", d.body)
	}
	h.put("UPDATE social_event SET cancelled_at = 1 WHERE id = ?", party)
	ann.do("POST", "/world/social/dms", `{"recipient": "gus", "body": "Pity"}`).refused(422, "no_common_ground")
}

// Covers O-27 and O-28 as far as DMs go, B-51, B-52 and B-72: a block ends
// what two say, and the one who is blocked sees what they would see of one who
// is not here any more.
func TestDMsOfTheBlocked(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem", "op")
	ann, bea, cem, op := who["ann"], who["bea"], who["cem"], who["op"]
	h.together("private", ann, bea, cem)
	withBea, withCem := ann.writes(bea, "Hello"), ann.writes(cem, "Hello")
	bea.do("POST", withBea+"/messages", `{"body": "Hello"}`).want(201)
	cem.do("POST", withCem+"/messages", `{"body": "Hello"}`).want(201)
	bea.do("POST", "/world/social/blocks", `{"recipient": "ann"}`).want(201)
	op.do("POST", "/admin/members/update", map[string]any{"id": cem.id, "changes": map[string]any{"status": "disabled"}}).want(200)
	h.unchanged("ann and bea write", func() {
		for _, pair := range [][2]*client{{ann, bea}, {bea, ann}, {ann, cem}} {
			message := map[string]any{"recipient": pair[1].name, "body": "Hello?"}
			pair[0].do("POST", "/world/social/dms", message).refused(404, "recipient_not_found")
			message["recipient"] = pair[1].id
			pair[0].do("POST", "/world/social/dms", message).refused(404, "recipient_not_found")
		}
		bea.do("POST", withBea+"/messages", `{"body": "Hello?"}`).refused(422, "recipient_unavailable")
		blocked := ann.do("POST", withBea+"/messages", `{"body": "Hello?"}`).refused(422, "recipient_unavailable")
		disabled := ann.do("POST", withCem+"/messages", `{"body": "Hello?"}`).refused(422, "recipient_unavailable")
		if blocked.str("error.message") != disabled.str("error.message") {
			t.Errorf("%q is not %q", blocked.str("error.message"), disabled.str("error.message"))
		}
	})
	bea.do("GET", withBea).want(200)
	list := ann.do("GET", "/world/social/dms").want(200)
	if list.column("dms", "title") != "Former member Former member" || list.at("unread_total") != 2.0 {
		t.Errorf("ann has %s", list.body)
	}
	// But for the number and the ids, nothing differs.
	same := func(path string, other *client) string {
		body := ann.do("GET", path+"?peek=1").want(200).body
		body = strings.ReplaceAll(body, strings.TrimPrefix(path, "/world/social/dms/"), "ID")
		for _, m := range ann.do("GET", path+"?peek=1").list("messages") {
			body = strings.ReplaceAll(body, dig(m, "id").(string), "MESSAGE")
		}
		for _, name := range []string{`"id":`, `"sender_identity_user_id":`} {
			body = strings.ReplaceAll(body, name+other.id.String(), name+"N")
		}
		return body
	}
	if blocked, disabled := same(withBea, bea), same(withCem, cem); blocked != disabled {
		t.Errorf("a block shows:\n%s\n%s", blocked, disabled)
	}
	bea.do("DELETE", "/world/social/blocks/1").want(200)
	if a := bea.do("POST", withBea+"/messages", `{"body": "Again"}`).want(201); a.str("dm.title") != "Ann" || a.at("dm.message_count") != 3.0 {
		t.Errorf("afterwards it is %s", a.body)
	}
}

// Covers B-50 and B-74: reading moves one's own marker, never back, and only
// what is meant to be reading does.
func TestReadingDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	h.chain(ann, bea)
	path := ann.writes(bea, "1")
	for i := range 4 {
		ann.do("POST", path+"/messages", map[string]any{"body": fmt.Sprint(i + 2)}).want(201)
	}
	unread := func(c *client) float64 {
		list := c.do("GET", "/world/social/dms").want(200)
		if list.at("unread_total") != list.at("dms.0.unread_count") {
			t.Errorf("%s has %s", c.name, list.body)
		}
		return list.at("unread_total").(float64)
	}
	if unread(ann) != 0 || unread(bea) != 5 {
		t.Fatalf("ann has not read %v, bea %v", unread(ann), unread(bea))
	}
	before := bea.do("GET", path+"?peek=1&limit=2").want(200)
	cursor := before.str("page.previous_cursor")
	bea.runtime().do("GET", "/world/runtime").want(200) // the first one stores what everybody has before them
	h.unchanged("it is only looked at", func() {
		bea.with("Sec-Purpose", "prefetch;prerender").do("GET", path).want(200)
		bea.do("GET", path+"?before="+cursor).want(200)
		bea.do("GET", path+"/messages").want(200)
		bea.internally().do("GET", strings.TrimPrefix(path, "/world")).want(200)
		bea.internally().do("GET", "/social/dms").want(200)
		bea.runtime().do("GET", "/world/runtime").want(200)
		ann.do("GET", path).want(200)
	})
	second := ann.do("GET", path).want(200).str("messages.1.id")
	read := bea.do("POST", path+"/read", map[string]any{"last_read_message_id": second}).want(200)
	if read.at("dm.unread_count") != 3.0 || len(read.list("refresh.sections")) == 0 || read.at("message") != nil {
		t.Errorf("the answer is %s", read.body)
	}
	opened := bea.do("GET", path).want(200)
	if opened.at("dm.unread_count") != 0.0 || opened.column("messages", "body") != "1 2 3 4 5" || unread(bea) != 0 {
		t.Errorf("bea reads %s", opened.body)
	}
	bea.do("POST", path+"/read", map[string]any{"last_read_message_id": second}).want(200)
	if unread(bea) != 0 {
		t.Error("the marker went back")
	}
	h.unchanged("there is nothing to move", func() {
		bea.do("GET", path).want(200)
		bea.do("POST", path+"/read", `{"last_read_message_id": "sdmm_01j00000000000000000000000"}`).refused(422, "invalid_value")
	})
	ann.do("POST", path+"/messages", `{"body": "6"}`).want(201)
	bea.do("POST", path+"/messages", `{"body": "7"}`).want(201) // who answers has read
	if unread(bea) != 0 || unread(ann) != 1 {
		t.Errorf("ann has not read %v, bea %v", unread(ann), unread(bea))
	}
	ann.do("POST", path+"/read", "").want(200)
	if unread(ann) != 0 {
		t.Error("ann has not read all of it")
	}
}

// Covers PT-30 and B-49: pages back have every message once, while new ones
// come in.
func TestPagesOfDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	ann, bea := who["ann"], who["bea"]
	h.chain(ann, bea, who["cem"])
	path := ann.writes(bea, "0")
	for i := range 9 {
		ann.do("POST", path+"/messages", map[string]any{"body": fmt.Sprint(i + 1)}).want(201)
	}
	var bodies []string
	for next, more := "", true; more; more = next != "" {
		a := bea.do("GET", path+"/messages?limit=3"+next).want(200)
		bodies = append(strings.Fields(a.column("messages", "body")), bodies...)
		ann.do("POST", path+"/messages", `{"body": "new"}`).want(201)
		if next = a.str("page.previous_cursor"); next != "" {
			ann.do("GET", path+"/messages?before="+next).refused(400, "invalid_parameter").names("before")
			next = "&before=" + next
		}
	}
	if got := strings.Join(bodies, " "); got != "0 1 2 3 4 5 6 7 8 9" {
		t.Errorf("the pages have %q", got)
	}
	ann.writes(who["cem"], "Hello")
	first := ann.do("GET", "/world/social/dms?limit=1").want(200)
	second := ann.do("GET", "/world/social/dms?limit=1&cursor="+first.str("page.next_cursor")).want(200)
	if first.column("dms", "title") != "Cem" || second.column("dms", "title") != "Bea" || second.at("page.next_cursor") != nil {
		t.Errorf("the pages are %s and %s", first.body, second.body)
	}
}

// What is wrong with a message is named, and nothing of it is kept. Covers
// B-83, PT-40.
func TestBadDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	h.chain(who["ann"], who["bea"])
	path := who["ann"].writes(who["bea"], strings.Repeat("ü", 8000))
	long := strings.Repeat("ü", 8001)
	h.unchanged("bad messages", func() {
		for _, c := range []struct{ path, body, want string }{
			{"", `{"recipient": "bea", "body": " \n "}`, "400 field_required body"},
			{"", `{"recipient": " ", "body": "x"}`, "400 field_required recipient"},
			{"", `{}`, "400 field_required recipient body"},
			{"", `{"recipient": "bea", "body": "` + long + `"}`, "422 too_long body"},
			{"", `{"recipient": "zoe", "body": "x"}`, "404 recipient_not_found recipient"},
			{"", `{"recipient": "ann", "body": "x"}`, "422 invalid_value recipient"},
			{"", `{"recipient": {"id": 2}, "body": "x"}`, "400 malformed_body recipient"},
			{"", `{"recipient": "bea", "body": "a\u0000b"}`, "422 invalid_value body"},
			{path, `{"body": ""}`, "400 field_required body"},
			{path, `{"body": "` + long + `"}`, "422 too_long body"},
		} {
			if c.path == "" {
				c.path = "/world/social/dms"
			} else {
				c.path += "/messages"
			}
			a := who["ann"].do("POST", c.path, c.body)
			got := []string{fmt.Sprint(a.status), a.str("error.code"), a.column("error.fields", "name")}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%.60s: %q, want %q", c.body, got, c.want)
			}
		}
	})
}

// Two who write to one another at the same moment have one DM, with all that
// was written, and a repeated write is written once. Covers O-29, B-88.
func TestOneDMForTwo(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	h.chain(ann, bea)
	const each = 20
	var all sync.WaitGroup
	ids := make([]string, 2*each)
	for i := range ids {
		from, to := ann, bea
		if i%2 == 1 {
			from, to = bea, ann
		}
		all.Go(func() {
			a, err := from.try("POST", "/world/social/dms", map[string]any{"recipient": to.name, "body": "Hello"})
			if err == nil {
				ids[i] = a.str("dm.id")
			}
		})
	}
	all.Wait()
	if len(slices.Compact(ids)) != 1 || ids[0] == "" {
		t.Fatalf("there are %q", ids)
	}
	path := "/world/social/dms/" + ids[0]
	keyed := ann.with("Idempotency-Key", "once")
	for range 2 {
		keyed.do("POST", path+"/messages", `{"body": "Once"}`).want(201)
	}
	a := bea.do("GET", path).want(200)
	if a.at("dm.message_count") != 2.0*each+1 || len(a.list("messages")) != 2*each+1 {
		t.Errorf("they have written %v", a.at("dm.message_count"))
	}
	if list := bea.do("GET", "/world/social/dms").want(200).list("dms"); len(list) != 1 {
		t.Errorf("bea has %v", list)
	}
}

// Both hear of a message and nobody else, and the first that is not read is a
// notification without its words. Covers O-26 as far as DMs go, B-84.
func TestWhoHearsOfDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	h.together("private", who["ann"], who["bea"], who["cem"])
	tags := func() (list []string) {
		for _, name := range []string{"ann", "bea", "cem"} {
			list = append(list, who[name].etag())
		}
		return list
	}
	old := tags()
	path := who["ann"].writes(who["bea"], "a secret")
	fresh := tags()
	if fresh[0] == old[0] || fresh[1] == old[1] || fresh[2] != old[2] {
		t.Errorf("of %q come %q", old, fresh)
	}
	who["ann"].do("POST", path+"/messages", `{"body": "another"}`).want(201)
	notes := h.rows()["social_notification"]
	if strings.Count(notes, "ntf_") != 1 || !strings.Contains(notes, "dm") || strings.Contains(notes, "secret") {
		t.Errorf("the notifications are %s", notes)
	}
	old = tags()
	who["bea"].do("GET", path).want(200)
	if fresh = tags(); fresh[0] != old[0] || fresh[1] == old[1] || fresh[2] != old[2] {
		t.Errorf("once it is read, of %q come %q", old, fresh)
	}
	who["ann"].do("POST", path+"/messages", `{"body": "more"}`).want(201)
	if notes := h.rows()["social_notification"]; strings.Count(notes, "ntf_") != 2 {
		t.Errorf("the notifications are %s", notes)
	}
}

// Who goes takes what is theirs alone; what they wrote stays with those they
// wrote to, until those have gone too. Covers B-51, PT-46 and SH-26.
func TestDMsOfFormerMembers(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "op")
	ann, bea := who["ann"], who["bea"]
	h.chain(ann, bea)
	path := ann.writes(bea, "Hello")
	ann.do("PATCH", "/world/social/profile", `{"bio": "Here", "visibility": "circle"}`).want(200)
	ann.do("POST", "/world/social/presence", `{"state": "online"}`).want(200)
	export := ann.do("GET", "/world/identity/export").want(200)
	if export.str("social_profile.bio") != "Here" || export.str("social_dms.0.with.display_name") != "Bea" ||
		export.str("social_dm_messages.0.body") != "Hello" || len(export.list("social_dms")) != 1 {
		t.Errorf("the export is %s", export.body)
	}
	h.leave(ann)
	d := bea.do("GET", path).want(200)
	if d.str("dm.title") != "Former member" || d.at("dm.can_reply") != false || d.at("dm.participant_count") != 2.0 || d.str("messages.0.body") != "Hello" {
		t.Errorf("bea has %s", d.body)
	}
	bea.do("POST", path+"/messages", `{"body": "Hello?"}`).refused(422, "recipient_unavailable")
	bea.do("GET", "/world/social/profiles/1").refused(404, "not_found")
	if n, _ := bea.present(); n != 0 {
		t.Errorf("%d are present", n)
	}
	h.leave(bea)
	for _, table := range []string{"social_dm", "social_dm_participant", "social_dm_message", "social_profile", "social_presence"} {
		if rows := h.rows()[table]; rows != "" {
			t.Errorf("%s has %s", table, rows)
		}
	}
}

// Two meet at an event only if who writes can see it, and the other came to it
// in a way that still holds. Covers B-74 and O-36.
func TestEventsThatTwoMeetAt(t *testing.T) {
	for _, c := range []struct {
		name     string
		audience string // SQL that makes audience 77; "" is everybody
		change   string
		may      bool
	}{
		{"public", "", "", true},
		{"the host is blocked", "", "INSERT INTO social_block VALUES (3, 1, 0)", false},
		{"around the host", "INSERT INTO social_audience VALUES (77, 'circle', NULL, 3, 1)", "", true},
		{"around somebody else", "INSERT INTO social_audience VALUES (77, 'circle', NULL, 4, 3)", "", false},
		{"invited", "INSERT INTO social_audience (id, kind) VALUES (77, 'guests')",
			"INSERT INTO social_guest VALUES (77, 1), (77, 2)", true},
		{"no longer invited", "INSERT INTO social_audience (id, kind) VALUES (77, 'guests')",
			"INSERT INTO social_guest VALUES (77, 1)", false},
		{"left the community", "INSERT INTO social_audience SELECT 77, 'community', id, NULL, NULL FROM social_community WHERE visibility = 'public'", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, who := newHouse(t, "ann", "bea", "host", "other")
			ann, bea, host := who["ann"], who["bea"], who["host"]
			h.together("private", ann, host)
			h.together("public", ann, host)
			event := h.party(host, map[*client]string{ann: "going", bea: "going"})
			if c.audience != "" {
				h.put(c.audience)
				h.put("UPDATE social_event SET audience_id = 77 WHERE id = ?", event)
			}
			if c.change != "" {
				h.put(c.change)
			}
			a := ann.do("POST", "/world/social/dms", `{"recipient": "bea", "body": "Nice party"}`)
			if !c.may {
				a.refused(422, "no_common_ground")
			} else if a.want(201).str("dm.context.id") != event {
				t.Errorf("they may write because of %v", a.at("dm.context"))
			}
		})
	}
}
