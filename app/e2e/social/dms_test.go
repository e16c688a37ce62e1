package social

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
)

// Covers O-29, B-49, B-74: what a DM looks like, and that there is one for two.
func TestDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	ann, bea, cem := who["ann"], who["bea"], who["cem"]
	chain(h, ann, bea, cem)
	const body = "  <b>Soup</b> & \n bread?  "
	sent := ann.Do("POST", "/world/social/dms", map[string]any{"recipient": "@Bea", "body": body}).Want(201)
	sent.WantSchema("service.social.dm", sent.At("dm"))
	sent.WantSchema("service.social.dm_message", sent.At("message"))
	id := sent.Str("dm.id")
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
		if got := sent.At(where); got != want {
			t.Errorf("%s is %v, want %v", where, got, want)
		}
	}
	if !strings.HasPrefix(id, "sdm_") || !strings.HasPrefix(sent.Str("message.id"), "sdmm_") || len(sent.List("dm.participants")) != 2 {
		t.Errorf("the answer is %s", sent.Body)
	}
	for _, recipient := range []any{1, "1", "ann", "ANN@example.org", "ann"} {
		a := bea.Do("POST", "/world/social/dms", map[string]any{"recipient": recipient, "body": "Yes"}).Want(201)
		if a.Str("dm.id") != id || a.Str("dm.title") != "Ann" {
			t.Errorf("to %v it is %s", recipient, a.Body)
		}
	}
	bea.Do("POST", path+"/messages", apptest.Form("body=Please")).Want(201)
	ann.SendDM(cem, "Hello")
	list := ann.Do("GET", "/world/social/dms").Want(200)
	if got := list.Column("dms", "title"); got != "Cem Bea" || list.At("unread_total") != 6.0 || list.Str("actions.start_dm") != "/world/social/dms" {
		t.Errorf("ann has %s", list.Body)
	}
	if list.Str("dms.0.context.kind") != "circle" || list.At("dms.0.context.depth") != 2.0 {
		t.Errorf("she may write to cem because of %v", list.At("dms.0.context"))
	}
	bea.Do("POST", path+"/messages", `{"body": "Now"}`).Want(201)
	if got := ann.Do("GET", "/world/social/dms").Want(200).Column("dms", "title"); got != "Bea Cem" {
		t.Errorf("with a new message ann has %q", got)
	}
}

// Covers O-30, O-31 and B-02: what two say to one another is nobody else's.
func TestDMsOfOthersDoNotExist(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	ann, bea, cem := who["ann"], who["bea"], who["cem"]
	h.CreateCommunity("private", ann, bea, cem)
	path := ann.SendDM(bea, "a secret")
	id := strings.TrimPrefix(path, "/world/social/dms/")
	message := ann.Do("GET", path).Want(200).Str("messages.0.id")
	h.WantUnchanged("cem tries", func() {
		for _, c := range []*apptest.Client{cem, h.Unauthenticated()} {
			status, code := 404, "not_found"
			if c != cem {
				status, code = 401, "unauthenticated"
			}
			c.Do("GET", path).WantError(status, code)
			c.Do("GET", path+"/messages").WantError(status, code)
			c.Do("POST", path+"/messages", `{"body": "me too"}`).WantError(status, code)
			c.Do("POST", path+"/read", `{}`).WantError(status, code)
			c.Do("POST", path+"/read", fmt.Sprintf(`{"last_read_message_id": %q}`, message)).WantError(status, code)
		}
	})
	unknown := cem.Do("GET", "/world/social/dms/sdm_01j00000000000000000000000").WantError(404, "not_found")
	if other := cem.Do("GET", path); other.Str("error.message") != unknown.Str("error.message") {
		t.Errorf("of others' it is said %q, of none %q", other.Str("error.message"), unknown.Str("error.message"))
	}
	cem.AsService().Do("GET", strings.TrimPrefix(path, "/world")).WantError(404, "not_found")
	for _, path := range []string{
		"/world/social/dms", "/world/social/people", "/world/social/presence", "/world/social/profiles/1", "/world/social/circles",
		"/world/social/discovery/graph", "/world/runtime", apptest.SessionPath, "/world/translated", "/world/identity/export", "/world/calendars",
	} {
		if body := cem.Runtime().Do("GET", path).Want(200).Body; strings.Contains(body, "secret") || strings.Contains(body, id) {
			t.Errorf("%s has it: %s", path, body)
		}
	}
	if strings.Contains(h.Log.String(), "secret") {
		t.Error("the log has it")
	}
}

// Covers B-74: who may write to whom, and what the others are told instead.
func TestWhoMayWriteADM(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem", "dora", "eve", "fay", "gus", "hal", "ivy")
	ann := who["ann"]
	chain(h, ann, who["bea"], who["cem"], who["dora"], who["eve"]) // eve is four steps away
	square := h.CreateCommunity("public", ann, who["fay"], who["bea"])
	party := party(h, who["eve"], map[*apptest.Client]string{ann: "maybe", who["gus"]: "going", who["hal"]: "declined", who["dora"]: "going"})
	for name, want := range map[string]string{
		"bea": "circle 1", "cem": "circle 2", "dora": "circle 3", "fay": "community " + square, "gus": "event " + party,
		"eve": "", "hal": "", "ivy": "",
	} {
		for _, pair := range [][2]*apptest.Client{{ann, who[name]}, {who[name], ann}} {
			from, to := pair[0], pair[1]
			message := map[string]any{"recipient": to.Name, "body": "Hello"}
			if want != "" {
				a := from.Do("POST", "/world/social/dms", message).Want(201)
				id := a.Str("dm.context.id") + apptest.Text(a.At("dm.context.depth"))
				if got := a.Str("dm.context.kind") + " " + strings.Trim(id, "-"); got != want {
					t.Errorf("%s may write to %s because of %q, want %q", from.Name, to.Name, got, want)
				}
				continue
			}
			h.WantUnchanged(name, func() {
				a := from.Do("POST", "/world/social/dms", message).WantError(422, "no_common_ground")
				if a.Str("error.guidance.kind") != "use_messages" || a.Str("error.guidance.actions.0.url") != "/world/messages" ||
					a.Str("error.guidance.actions.0.method") != "POST" {
					t.Errorf("the guidance is %v", a.At("error.guidance"))
				}
			})
		}
	}
	// What they had in common may end: then they can read, and write no more.
	path := ann.SendDM(who["fay"], "Still here?")
	apart(h, square, who["fay"])
	h.WantUnchanged("no common ground any more", func() {
		a := ann.Do("POST", path+"/messages", `{"body": "Hello?"}`).WantError(422, "no_common_ground")
		if a.Str("error.guidance.kind") != "use_messages" {
			t.Errorf("the guidance is %v", a.At("error.guidance"))
		}
	})
	d := who["fay"].Do("GET", path).Want(200)
	if d.At("dm.context") != nil || d.At("dm.can_reply") != false || d.At("dm.actions.send_message") != nil || len(d.List("messages")) != 3 {
		t.Errorf("fay has %s", d.Body)
	}
	h.Exec("UPDATE social_event SET cancelled_at = 1 WHERE id = ?", party)
	ann.Do("POST", "/world/social/dms", `{"recipient": "gus", "body": "Pity"}`).WantError(422, "no_common_ground")
}

// Covers O-27 and O-28 as far as DMs go, B-51, B-52 and B-72: a block ends
// what two say, and the one who is blocked sees what they would see of one who
// is not here any more.
func TestDMsOfTheBlocked(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem", "op")
	ann, bea, cem, op := who["ann"], who["bea"], who["cem"], who["op"]
	h.CreateCommunity("private", ann, bea, cem)
	withBea, withCem := ann.SendDM(bea, "Hello"), ann.SendDM(cem, "Hello")
	bea.Do("POST", withBea+"/messages", `{"body": "Hello"}`).Want(201)
	cem.Do("POST", withCem+"/messages", `{"body": "Hello"}`).Want(201)
	bea.Do("POST", "/world/social/blocks", `{"recipient": "ann"}`).Want(201)
	op.Do("POST", "/admin/members/update", map[string]any{"id": cem.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	h.WantUnchanged("ann and bea write", func() {
		for _, pair := range [][2]*apptest.Client{{ann, bea}, {bea, ann}, {ann, cem}} {
			message := map[string]any{"recipient": pair[1].Name, "body": "Hello?"}
			pair[0].Do("POST", "/world/social/dms", message).WantError(404, "recipient_not_found")
			message["recipient"] = pair[1].ID
			pair[0].Do("POST", "/world/social/dms", message).WantError(404, "recipient_not_found")
		}
		bea.Do("POST", withBea+"/messages", `{"body": "Hello?"}`).WantError(422, "recipient_unavailable")
		blocked := ann.Do("POST", withBea+"/messages", `{"body": "Hello?"}`).WantError(422, "recipient_unavailable")
		disabled := ann.Do("POST", withCem+"/messages", `{"body": "Hello?"}`).WantError(422, "recipient_unavailable")
		if blocked.Str("error.message") != disabled.Str("error.message") {
			t.Errorf("%q is not %q", blocked.Str("error.message"), disabled.Str("error.message"))
		}
	})
	bea.Do("GET", withBea).Want(200)
	list := ann.Do("GET", "/world/social/dms").Want(200)
	if list.Column("dms", "title") != "Former member Former member" || list.At("unread_total") != 2.0 {
		t.Errorf("ann has %s", list.Body)
	}
	// But for the number and the ids, nothing differs.
	same := func(path string, other *apptest.Client) string {
		body := ann.Do("GET", path+"?peek=1").Want(200).Body
		body = strings.ReplaceAll(body, strings.TrimPrefix(path, "/world/social/dms/"), "ID")
		for _, m := range ann.Do("GET", path+"?peek=1").List("messages") {
			body = strings.ReplaceAll(body, apptest.At(m, "id").(string), "MESSAGE")
		}
		for _, name := range []string{`"id":`, `"sender_identity_user_id":`} {
			body = strings.ReplaceAll(body, name+other.ID.String(), name+"N")
		}
		return body
	}
	if blocked, disabled := same(withBea, bea), same(withCem, cem); blocked != disabled {
		t.Errorf("a block shows:\n%s\n%s", blocked, disabled)
	}
	bea.Do("DELETE", "/world/social/blocks/1").Want(200)
	if a := bea.Do("POST", withBea+"/messages", `{"body": "Again"}`).Want(201); a.Str("dm.title") != "Ann" || a.At("dm.message_count") != 3.0 {
		t.Errorf("afterwards it is %s", a.Body)
	}
}

// Covers B-50 and B-74: reading moves one's own marker, never back, and only
// what is meant to be reading does.
func TestReadingDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	ann, bea := who["ann"], who["bea"]
	chain(h, ann, bea)
	path := ann.SendDM(bea, "1")
	for i := range 4 {
		ann.Do("POST", path+"/messages", map[string]any{"body": fmt.Sprint(i + 2)}).Want(201)
	}
	unread := func(c *apptest.Client) float64 {
		list := c.Do("GET", "/world/social/dms").Want(200)
		if list.At("unread_total") != list.At("dms.0.unread_count") {
			t.Errorf("%s has %s", c.Name, list.Body)
		}
		return list.At("unread_total").(float64)
	}
	if unread(ann) != 0 || unread(bea) != 5 {
		t.Fatalf("ann has not read %v, bea %v", unread(ann), unread(bea))
	}
	before := bea.Do("GET", path+"?peek=1&limit=2").Want(200)
	cursor := before.Str("page.previous_cursor")
	bea.Runtime().Do("GET", "/world/runtime").Want(200) // the first one stores what everybody has before them
	h.WantUnchanged("it is only looked at", func() {
		bea.With("Sec-Purpose", "prefetch;prerender").Do("GET", path).Want(200)
		bea.Do("GET", path+"?before="+cursor).Want(200)
		bea.Do("GET", path+"/messages").Want(200)
		bea.AsService().Do("GET", strings.TrimPrefix(path, "/world")).Want(200)
		bea.AsService().Do("GET", "/social/dms").Want(200)
		bea.Runtime().Do("GET", "/world/runtime").Want(200)
		ann.Do("GET", path).Want(200)
	})
	second := ann.Do("GET", path).Want(200).Str("messages.1.id")
	read := bea.Do("POST", path+"/read", map[string]any{"last_read_message_id": second}).Want(200)
	if read.At("dm.unread_count") != 3.0 || len(read.List("refresh.sections")) == 0 || read.At("message") != nil {
		t.Errorf("the answer is %s", read.Body)
	}
	opened := bea.Do("GET", path).Want(200)
	if opened.At("dm.unread_count") != 0.0 || opened.Column("messages", "body") != "1 2 3 4 5" || unread(bea) != 0 {
		t.Errorf("bea reads %s", opened.Body)
	}
	bea.Do("POST", path+"/read", map[string]any{"last_read_message_id": second}).Want(200)
	if unread(bea) != 0 {
		t.Error("the marker went back")
	}
	h.WantUnchanged("there is nothing to move", func() {
		bea.Do("GET", path).Want(200)
		bea.Do("POST", path+"/read", `{"last_read_message_id": "sdmm_01j00000000000000000000000"}`).WantError(422, "invalid_value")
	})
	ann.Do("POST", path+"/messages", `{"body": "6"}`).Want(201)
	bea.Do("POST", path+"/messages", `{"body": "7"}`).Want(201) // who answers has read
	if unread(bea) != 0 || unread(ann) != 1 {
		t.Errorf("ann has not read %v, bea %v", unread(ann), unread(bea))
	}
	ann.Do("POST", path+"/read", "").Want(200)
	if unread(ann) != 0 {
		t.Error("ann has not read all of it")
	}
}

// Covers PT-30 and B-49: pages back have every message once, while new ones
// come in.
func TestPagesOfDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	ann, bea := who["ann"], who["bea"]
	chain(h, ann, bea, who["cem"])
	path := ann.SendDM(bea, "0")
	for i := range 9 {
		ann.Do("POST", path+"/messages", map[string]any{"body": fmt.Sprint(i + 1)}).Want(201)
	}
	var bodies []string
	for next, more := "", true; more; more = next != "" {
		a := bea.Do("GET", path+"/messages?limit=3"+next).Want(200)
		bodies = append(strings.Fields(a.Column("messages", "body")), bodies...)
		ann.Do("POST", path+"/messages", `{"body": "new"}`).Want(201)
		if next = a.Str("page.previous_cursor"); next != "" {
			ann.Do("GET", path+"/messages?before="+next).WantError(400, "invalid_parameter").WantFields("before")
			next = "&before=" + next
		}
	}
	if got := strings.Join(bodies, " "); got != "0 1 2 3 4 5 6 7 8 9" {
		t.Errorf("the pages have %q", got)
	}
	ann.SendDM(who["cem"], "Hello")
	first := ann.Do("GET", "/world/social/dms?limit=1").Want(200)
	second := ann.Do("GET", "/world/social/dms?limit=1&cursor="+first.Str("page.next_cursor")).Want(200)
	if first.Column("dms", "title") != "Cem" || second.Column("dms", "title") != "Bea" || second.At("page.next_cursor") != nil {
		t.Errorf("the pages are %s and %s", first.Body, second.Body)
	}
}

// What is wrong with a message is named, and nothing of it is kept. Covers
// B-83, PT-40.
func TestBadDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea")
	chain(h, who["ann"], who["bea"])
	path := who["ann"].SendDM(who["bea"], strings.Repeat("ü", 8000))
	long := strings.Repeat("ü", 8001)
	h.WantUnchanged("bad messages", func() {
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
			a := who["ann"].Do("POST", c.path, c.body)
			got := []string{fmt.Sprint(a.Status), a.Str("error.code"), a.Column("error.fields", "name")}
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
	chain(h, ann, bea)
	const each = 20
	var all sync.WaitGroup
	ids := make([]string, 2*each)
	for i := range ids {
		from, to := ann, bea
		if i%2 == 1 {
			from, to = bea, ann
		}
		all.Go(func() {
			a, err := from.Try("POST", "/world/social/dms", map[string]any{"recipient": to.Name, "body": "Hello"})
			if err == nil {
				ids[i] = a.Str("dm.id")
			}
		})
	}
	all.Wait()
	if len(slices.Compact(ids)) != 1 || ids[0] == "" {
		t.Fatalf("there are %q", ids)
	}
	path := "/world/social/dms/" + ids[0]
	keyed := ann.With("Idempotency-Key", "once")
	for range 2 {
		keyed.Do("POST", path+"/messages", `{"body": "Once"}`).Want(201)
	}
	a := bea.Do("GET", path).Want(200)
	if a.At("dm.message_count") != 2.0*each+1 || len(a.List("messages")) != 2*each+1 {
		t.Errorf("they have written %v", a.At("dm.message_count"))
	}
	if list := bea.Do("GET", "/world/social/dms").Want(200).List("dms"); len(list) != 1 {
		t.Errorf("bea has %v", list)
	}
}

// Both hear of a message and nobody else, and the first that is not read is a
// notification without its words. Covers O-26 as far as DMs go, B-84.
func TestWhoHearsOfDMs(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "cem")
	h.CreateCommunity("private", who["ann"], who["bea"], who["cem"])
	tags := func() (list []string) {
		for _, name := range []string{"ann", "bea", "cem"} {
			list = append(list, etag(who[name]))
		}
		return list
	}
	old := tags()
	path := who["ann"].SendDM(who["bea"], "a secret")
	fresh := tags()
	if fresh[0] == old[0] || fresh[1] == old[1] || fresh[2] != old[2] {
		t.Errorf("of %q come %q", old, fresh)
	}
	who["ann"].Do("POST", path+"/messages", `{"body": "another"}`).Want(201)
	notes := h.Rows()["social_notification"]
	if strings.Count(notes, `"dm" "sdm_`) != 1 || strings.Contains(notes, "secret") {
		t.Errorf("the notifications are %s", notes)
	}
	old = tags()
	who["bea"].Do("GET", path).Want(200)
	if fresh = tags(); fresh[0] != old[0] || fresh[1] == old[1] || fresh[2] != old[2] {
		t.Errorf("once it is read, of %q come %q", old, fresh)
	}
	who["ann"].Do("POST", path+"/messages", `{"body": "more"}`).Want(201)
	if notes := h.Rows()["social_notification"]; strings.Count(notes, `"dm" "sdm_`) != 2 {
		t.Errorf("the notifications are %s", notes)
	}
}

// Who goes takes what is theirs alone; what they wrote stays with those they
// wrote to, until those have gone too. Covers B-51, PT-46 and SH-26.
func TestDMsOfFormerMembers(t *testing.T) {
	h, who := newHouse(t, "ann", "bea", "op")
	ann, bea := who["ann"], who["bea"]
	chain(h, ann, bea)
	path := ann.SendDM(bea, "Hello")
	ann.Do("PATCH", "/world/social/profile", `{"bio": "Here", "visibility": "circle"}`).Want(200)
	ann.Do("POST", "/world/social/presence", `{"state": "online"}`).Want(200)
	export := ann.Do("GET", "/world/identity/export").Want(200)
	if export.Str("social_profile.bio") != "Here" || export.Str("social_dms.0.with.display_name") != "Bea" ||
		export.Str("social_dm_messages.0.body") != "Hello" || len(export.List("social_dms")) != 1 {
		t.Errorf("the export is %s", export.Body)
	}
	leave(h, ann)
	d := bea.Do("GET", path).Want(200)
	if d.Str("dm.title") != "Former member" || d.At("dm.can_reply") != false || d.At("dm.participant_count") != 2.0 || d.Str("messages.0.body") != "Hello" {
		t.Errorf("bea has %s", d.Body)
	}
	bea.Do("POST", path+"/messages", `{"body": "Hello?"}`).WantError(422, "recipient_unavailable")
	bea.Do("GET", "/world/social/profiles/1").WantError(404, "not_found")
	if n, _ := present(bea); n != 0 {
		t.Errorf("%d are present", n)
	}
	leave(h, bea)
	for _, table := range []string{"social_dm", "social_dm_participant", "social_dm_message", "social_profile", "social_presence"} {
		if rows := h.Rows()[table]; rows != "" {
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
		{"left the community", "", "UPDATE social_event SET audience_id = (SELECT a.id FROM social_audience AS a" +
			" JOIN social_community AS c ON c.id = a.community_id WHERE c.visibility = 'public')", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, who := newHouse(t, "ann", "bea", "host", "other")
			ann, bea, host := who["ann"], who["bea"], who["host"]
			h.CreateCommunity("private", ann, host)
			h.CreateCommunity("public", ann, host)
			event := party(h, host, map[*apptest.Client]string{ann: "going", bea: "going"})
			if c.audience != "" {
				h.Exec(c.audience)
				h.Exec("UPDATE social_event SET audience_id = 77 WHERE id = ?", event)
			}
			if c.change != "" {
				h.Exec(c.change)
			}
			a := ann.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "Nice party"}`)
			if !c.may {
				a.WantError(422, "no_common_ground")
			} else if a.Want(201).Str("dm.context.id") != event {
				t.Errorf("they may write because of %v", a.At("dm.context"))
			}
		})
	}
}
