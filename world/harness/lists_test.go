package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// fixedWorld is a World that returns fixed documents by path and ignores the query.
// Lists are cut at the limit of the query.
type fixedWorld map[string]string

func (l fixedWorld) RoundTrip(r *http.Request) (*http.Response, error) {
	document, found := l[r.URL.Path]
	status := http.StatusOK
	if !found {
		status, document = http.StatusNotFound, `{"error": {"code": "not_found"}}`
	}
	if limit := r.URL.Query().Get("limit"); limit != "" && found {
		document = page(document, limit, r.URL.Query().Get("cursor"))
	}
	header := http.Header{"Content-Type": {"application/json"}}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(document)), Request: r}, nil
}

// page returns the page of a document's list that begins at a cursor, the number
// of its first record.
func page(text, limit, cursor string) string {
	var doc map[string]any
	if json.Unmarshal([]byte(text), &doc) != nil || doc["page"] == nil {
		return text
	}
	n, from := 0, 0
	fmt.Sscan(limit, &n)
	fmt.Sscan(cursor, &from)
	for key, list := range doc {
		if records, ok := list.([]any); ok {
			to := min(from+n, len(records))
			doc[key] = records[from:to]
			p := doc["page"].(map[string]any)
			p["limit"] = n
			if to < len(records) {
				p["next_cursor"], p["next"] = fmt.Sprint(to), fmt.Sprintf("/world/page?cursor=%d", to)
			}
		}
	}
	edited, _ := json.Marshal(doc)
	return string(edited)
}

// worldWithLists is a World with the lists of Messages and Social of member 1.
func worldWithLists() fixedWorld {
	thread := func(base, id, kind, title, partner, summary, at string, messages, unread int) string {
		return fmt.Sprintf(`{"id": %[2]q, "type": %[3]q, "title": %[4]q, "summary": %[6]q, "participants": [
			{"id": 1, "display_name": "Ann", "username": "ann", "is_self": true}, {"id": %[5]s, "display_name": %[4]q, "username": "", "is_self": false}],
			"participant_count": 2, "message_count": %[8]d, "unread_count": %[9]d, "can_reply": true, "last_message_at": %[7]q, "created_at": "2026-11-21T09:00:00Z",
			"updated_at": %[7]q, "links": {"self": "%[1]s/%[2]s", "messages": "%[1]s/%[2]s/messages"},
			"actions": {"open_thread": "%[1]s/%[2]s", "send_message": "%[1]s/%[2]s/messages"}}`, base, id, kind, title, partner, summary, at, messages, unread)
	}
	message := func(id, thread, sender, body, at string) string {
		return fmt.Sprintf(`{"id": %q, "thread_id": %q, "sender_identity_user_id": %s, "body": %q, "created_at": %q, "updated_at": null}`, id, thread, sender, body, at)
	}
	const last = `"page": {"next_cursor": null, "limit": 50, "next": null}`
	const earliest = `"page": {"previous_cursor": null, "limit": 200, "previous": null}`
	bea := thread(threadsPath, "thr_b", "message_thread", "Bea", "2", "Bread", "2026-11-21T09:02:00Z", 2, 1)
	cid := thread(threadsPath, "thr_c", "message_thread", "Cid", "3", "Hi", "2026-11-21T09:01:00Z", 1, 0)
	dm := thread("/world/social/dms", "sdm_b", "social_dm", "Bea", "2", "Candles?", "2026-11-21T09:03:00Z", 1, 1)
	conversation := `{"id": "cnv_a", "author": {"id": 1}, "context": {"kind": "open"}, "state": "open", "reply_count": 1, "participant_count": 2, "unread_count": 1,
		"last_reply_at": "2026-11-21T09:05:00Z", "links": {"self": "/world/social/conversations/cnv_a"}}`
	event := `{"id": "evt_a", "status": "scheduled", "start": "2026-12-24T18:00:00", "end": "2026-12-24T22:00:00", "visibility": "public", "community_id": null,
		"circle_depth": null, "rsvp": {"mine": "going", "counts": {"going": 2, "maybe": 0, "declined": 0, "none": 1}, "capacity": 2}}`
	profile := func(id, name, circle string) string {
		return fmt.Sprintf(`{"profile": {"member_id": %s, "display_name": %q, "circle": %s}}`, id, name, circle)
	}
	object := func(t string) string {
		return `{"object_type": "message_thread", "source": {"resource_id": "thr_b"}, "title": "Bea", "summary": "Bread", "state": ` + t + `}`
	}
	return fixedWorld{
		mePath:      `{"id": 1}`,
		runtimePath: `{"objects": [` + object(bea) + `]}`,
		sessionPath: `{"services": [{"id": "social", "objects": {"communities": 1, "conversations": 1, "events": 1, "presence": 1}}]}`,

		threadsPath:                     `{"threads": [` + bea + `, ` + cid + `], ` + last + `, "unread_total": 1, "actions": {"start_thread": "/world/messages"}}`,
		threadsPath + "/thr_b":          `{"thread": ` + bea + `, "messages": []}`,
		threadsPath + "/thr_c":          `{"thread": ` + cid + `, "messages": []}`,
		threadsPath + "/thr_b/messages": `{"messages": [` + message("msg_1", "thr_b", "1", "At six?", "2026-11-21T09:00:00Z") + `, ` + message("msg_2", "thr_b", "2", "Bread, too", "2026-11-21T09:02:00Z") + `], ` + earliest + `}`,
		threadsPath + "/thr_c/messages": `{"messages": [` + message("msg_3", "thr_c", "3", "Hi", "2026-11-21T09:01:00Z") + `], ` + earliest + `}`,

		"/world/social/communities":                 `{"communities": [{"id": "com_a", "visibility": "private", "join_policy": "invite", "member_count": 2, "membership": {"state": "active", "role": "owner"}, "links": {"members": "/world/social/communities/com_a/members"}}], ` + last + `}`,
		"/world/social/communities/com_a/members":   `{"members": [{"id": 1, "state": "active"}, {"id": 2, "state": "active"}, {"id": 3, "state": "requested"}], ` + last + `}`,
		"/world/social/conversations":               `{"conversations": [` + conversation + `], ` + last + `}`,
		"/world/social/conversations/cnv_a/replies": `{"replies": [{"conversation_id": "cnv_a", "author": {"id": 3}, "created_at": "2026-11-21T09:05:00Z"}], ` + earliest + `}`,
		"/world/social/events":                      `{"events": [` + event + `], ` + last + `}`,
		"/world/social/dms":                         `{"dms": [` + dm + `], ` + last + `, "unread_total": 1, "actions": {}}`,
		"/world/social/dms/sdm_b":                   `{"dm": ` + dm + `, "messages": []}`,
		"/world/social/dms/sdm_b/messages":          `{"messages": [` + message("sdmm_1", "sdm_b", "2", "Candles?", "2026-11-21T09:03:00Z") + `], ` + earliest + `}`,
		"/world/social/invitations":                 `{"invitations": [{"id": "inv_a", "kind": "event", "state": "pending", "community_id": null, "event_id": "evt_a", "invitee": {"id": 1}, "answered_at": null}], ` + last + `}`,
		"/world/social/people":                      `{"people": [{"id": 1, "display_name": "Ann", "circle": null}, {"id": 2, "display_name": "Bea", "circle": {"depth": 1}}, {"id": 3, "display_name": "Cid", "circle": null}], ` + last + `}`,
		"/world/social/profile":                     profile("1", "Ann", "null"),
		"/world/social/profiles/1":                  profile("1", "Ann", "null"),
		"/world/social/profiles/2":                  profile("2", "Bea", `{"depth": 1}`),
		"/world/social/profiles/3":                  profile("3", "Cid", "null"),
		"/world/social/presence":                    `{"presence": [{"member_id": 1, "state": "online", "visible_to": "members"}], ` + last + `, "mine": {"member_id": 1, "state": "online"}}`,
		"/world/social/activity":                    `{"activity": [{"id": "act_2", "created_at": "2026-11-21T09:02:00Z"}, {"id": "act_1", "created_at": "2026-11-21T09:01:00Z"}], ` + last + `}`,
		"/world/social/notifications":               `{"notifications": [{"id": "ntf_2", "kind": "dm", "read_at": null, "created_at": "2026-11-21T09:03:00Z"}, {"id": "ntf_1", "kind": "reply", "read_at": "2026-11-21T09:03:00Z", "created_at": "2026-11-21T09:03:00Z"}], ` + last + `, "unread_count": 1}`,
		"/world/social/blocks":                      `{"blocks": [{"member_id": 4}]}`,
		"/world/social/circles":                     `{"circles": [{"depth": 1, "members": [{"id": 2}]}, {"depth": 2, "members": []}, {"depth": 3, "members": []}]}`,
		"/world/social/discovery/graph":             `{"root": 1, "nodes": [{"member_id": 2, "depth": 1}], "edges": [{"from": 1, "to": 2, "depth": 1}], "truncated": false}`,
	}
}

// anySchema contains a schema for every contract, which every value matches.
func anySchema() fstest.MapFS {
	files := make(fstest.MapFS)
	for _, name := range []string{"messages.message", "social.dm_message", "social.graph", "social.profile", "social.reply", "social.community_member"} {
		files["schema/service."+name+".1.json"] = &fstest.MapFile{Data: []byte(`{}`)}
	}
	for _, l := range lists {
		files["schema/"+l.schema+".1.json"] = &fstest.MapFile{Data: []byte(`{"type": "object"}`)}
	}
	return files
}

// problems runs the checks of Messages and Social, and returns their problems and
// the checks that do not apply.
func (l fixedWorld) problems(t *testing.T) (list []string) {
	t.Helper()
	c := newClient(t.Context(), &url.URL{Scheme: "http", Host: "home.example.org"}, Options{Token: "x", Schemas: anySchema()})
	c.http = &http.Client{Transport: l}
	for _, check := range slices.Concat(messageChecks, socialChecks, peopleChecks) {
		switch r := c.result(check); r.State {
		case Failed:
			list = append(list, r.Seen...)
		case NotApplicable:
			list = append(list, fmt.Sprintf("%s does not apply: %v", check.name, r.Seen))
		}
	}
	return list
}

// Wrong counts and invalid records in the lists of Messages and Social are reported
// with their path and the wanted value. Covers PT-42.
func TestWrongCountsAndInvalidRecordsAreFound(t *testing.T) {
	if got := worldWithLists().problems(t); len(got) > 0 {
		t.Fatalf("a consistent World: got the problems\n%s\nwant none", strings.Join(got, "\n"))
	}
	const social = "/world/social/"
	for _, c := range []struct{ path, old, new, want string }{
		{threadsPath, `"unread_total": 1`, `"unread_total": 2`, "GET /world/messages: unread_total: got 2, want 1"},
		{threadsPath, `"unread_total": 1`, `"unread_total": "1"`, `unread_total: got "1", want integer`},
		{threadsPath, `"start_thread": "/world/messages"`, `"start_thread": "/world/message"`, "actions.start_thread: got"},
		{threadsPath, `"message_count": 2`, `"message_count": 3`, "threads[0].message_count: got 3, want 2"},
		{threadsPath, `"message_count": 2`, `"message_count": 0`, "threads[0].message_count: got 0, want at least 1"},
		{threadsPath, `"unread_count": 1`, `"unread_count": 3`, "threads[0].unread_count: got 3, want 0 to 2"},
		{threadsPath, `"unread_count": 1`, `"unread_count": 2`, "threads[0].unread_count: got 2, want at most 1, the messages of the other member"},
		{threadsPath, `"title": "Bea"`, `"title": "Zoe"`, `threads[0].title: got "Zoe", want "Bea"`},
		{threadsPath, `"is_self": true`, `"is_self": false`, "threads[0].participants: got"},
		{threadsPath, `"id": 1, "display_name": "Ann"`, `"id": 9, "display_name": "Ann"`, "participants[0].id: got 9, want 1, the member"},
		{threadsPath, `"summary": "Bread"`, `"summary": "Butter"`, `threads[0].summary: got "Butter", want the beginning of the latest message`},
		{threadsPath, `"last_message_at": "2026-11-21T09:02:00Z"`, `"last_message_at": "2026-11-21T08:00:00Z"`, "threads[1].last_message_at: got"},
		{threadsPath, `"id": "thr_c"`, `"id": "thr_b"`, "is listed twice"},
		{threadsPath, `"limit": 50`, `"limit": null`, ""}, // fixedWorld sets the limit of each page
		{runtimePath, `"message_count": 2`, `"message_count": 1`, "objects[0].state.message_count: got 1, want 2 as in GET /world/messages"},
		{runtimePath, `"resource_id": "thr_b"`, `"resource_id": "thr_x"`, "the thread is not in the list of GET /world/messages"},
		{threadsPath + "/thr_b", `"message_count": 2`, `"message_count": 1`, "thread: got"},
		{threadsPath + "/thr_b/messages", `"thread_id": "thr_b"`, `"thread_id": "thr_c"`, `messages[0].thread_id: got "thr_c", want "thr_b"`},
		{threadsPath + "/thr_b/messages", `"sender_identity_user_id": 2`, `"sender_identity_user_id": 3`, "sender_identity_user_id: got 3, want a participant"},
		{threadsPath + "/thr_b/messages", `"id": "msg_2"`, `"id": "msg_1"`, "is listed twice"},
		{threadsPath + "/thr_b/messages", `"created_at": "2026-11-21T09:00:00Z"`, `"created_at": "2026-11-21T09:04:00Z"`, "messages[1].created_at: got"},
		{threadsPath + "/thr_b/messages", `"body": "Bread, too"`, `"body": null`, "body: got null, want string"},

		{sessionPath, `"events": 1`, `"events": 2`, "services[0].objects.events: got 2, want 1"},
		{social + "communities", `"member_count": 2`, `"member_count": 3`, "communities[0].member_count: got 3, want 2"},
		{social + "communities/com_a/members", `"id": 1`, `"id": 5`, "the member is missing"},
		{social + "conversations", `"reply_count": 1`, `"reply_count": 2`, "conversations[0].reply_count: got 2, want 1"},
		{social + "conversations", `"unread_count": 1`, `"unread_count": 2`, "conversations[0].unread_count: got 2, want 0 to 1"},
		{social + "conversations", `"participant_count": 2`, `"participant_count": 5`, "conversations[0].participant_count: got 5, want 2"},
		{social + "conversations", `"last_reply_at": "2026-11-21T09:05:00Z"`, `"last_reply_at": null`, "last_reply_at: got null"},
		{social + "conversations/cnv_a/replies", `"conversation_id": "cnv_a"`, `"conversation_id": "cnv_b"`, `conversation_id: got "cnv_b"`},
		{social + "events", `"going": 2`, `"going": 3`, "rsvp.counts.going: got 3, want at most 2, the capacity"},
		{social + "events", `"going": 2`, `"going": 0`, "rsvp.counts.going: got 0, want at least 1"},
		{social + "events", `"maybe": 0`, `"maybe": -1`, "rsvp.counts.maybe: got -1, want 0 or more"},
		{social + "events", `"end": "2026-12-24T22:00:00"`, `"end": "2026-12-24T17:00:00"`, "events[0].end: got"},
		{social + "events", `"visibility": "public"`, `"visibility": "community"`, "events[0].community_id: got null"},
		{social + "events", `"circle_depth": null`, `"circle_depth": 2`, "events[0].circle_depth: got 2"},
		{social + "dms", `"unread_total": 1`, `"unread_total": 0`, "GET /world/social/dms: unread_total: got 0, want 1"},
		{social + "dms", `"type": "social_dm"`, `"type": "message_thread"`, `dms[0].type: got "message_thread", want "social_dm"`},
		{social + "dms", `"id": "sdm_b"`, `"id": "thr_b"`, "want an id that is not in GET /world/messages"},
		{social + "notifications", `"unread_count": 1`, `"unread_count": 2`, "unread_count: got 2, want 1"},
		{social + "activity", `"2026-11-21T09:01:00Z"`, `"2026-11-21T09:09:00Z"`, "activity[1].created_at: got"},
		{social + "activity", `{"id": "act_2", "created_at": "2026-11-21T09:02:00Z"}`, `"act_2"`, "does not fit the schema service.social.activity 1"},
		{social + "circles", `{"depth": 3, "members": []}`, `{"depth": 3, "members": [{"id": 1}]}`, "circles[2].members[0].id: got 1, want a member other than the viewer"},
		{social + "circles", `{"depth": 2, "members": []}`, `{"depth": 2, "members": [{"id": 2}]}`, "circles[1].members[0].id: got 2"},
		{social + "circles", `, {"depth": 3, "members": []}`, ``, "got 2 circles, want 3"},
		{social + "discovery/graph", `"to": 2`, `"to": 5`, "edges[0].to: got 5, want the root or a node"},
		{social + "discovery/graph", `"member_id": 2, "depth": 1`, `"member_id": 2, "depth": 2`, "nodes[0].depth: got 2, want 1"},
		{social + "discovery/graph", `"nodes": [{"member_id": 2, "depth": 1}]`, `"nodes": []`, "got 0 nodes, want the 1 members of the circles"},
		{social + "discovery/graph", `"root": 1`, `"root": 3`, "root: got 3, want 1"},
		{social + "people", `"display_name": "Bea"`, `"display_name": "Zoe"`, `profile.display_name: got "Bea", want "Zoe" as in the list of people`},
		{social + "profile", `"member_id": 1`, `"member_id": 2`, "profile.member_id: got 2, want 1, the member"},
		{social + "presence", `"presence": [{"member_id": 1, "state": "online", "visible_to": "members"}]`, `"presence": []`, "the presence of the member is missing"},
		{social + "people", `"circle": {"depth": 1}`, `"circle": {"depth": 2}`, "people[1].circle.depth: got 2, want 1"},
		{social + "people", `"display_name": "Cid", "circle": null`, `"display_name": "Cid", "circle": {"depth": 3}`, "people[2].circle: got {\"depth\":3}, want null"},
		{social + "blocks", `"member_id": 4`, `"member_id": 3`, "people[2].id: got 3, want a member who is not blocked"},
		{social + "blocks", `"member_id": 4`, `"member_id": 2`, "blocks[0].member_id: got 2 in the circle of depth 1, want blocked members in none"},
		{social + "invitations", `"community_id": null`, `"community_id": "com_a"`, `invitations[0].community_id: got "com_a", want null, since the kind is "event"`},
		{social + "invitations", `"invitee": {"id": 1}`, `"invitee": {"id": 2}`, "invitations[0].invitee.id: got 2, want 1, the member"},
		{social + "invitations", `"answered_at": null`, `"answered_at": "2026-11-21T09:05:00Z"`, "invitations[0].answered_at: got"},
	} {
		w := worldWithLists()
		if !strings.Contains(w[c.path], c.old) {
			t.Fatalf("%s does not contain %s", c.path, c.old)
		}
		w[c.path] = strings.Replace(w[c.path], c.old, c.new, 1)
		got := strings.Join(w.problems(t), "\n")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: with %s: got the problems\n%s\nwant %s", c.path, c.new, got, c.want)
		}
	}
}

// A record that is not an object and a record that is listed twice are reported in
// every list. Covers PT-42 and PT-44.
func TestInvalidRecordIsFoundInEveryList(t *testing.T) {
	for _, l := range lists {
		for about, change := range map[string]func([]any) []any{
			"a string instead of a record": func(records []any) []any { return append([]any{"nonsense"}, records[1:]...) },
			"a record twice":               func(records []any) []any { return append([]any{records[0]}, records...) },
		} {
			w := worldWithLists()
			var doc map[string]any
			if err := json.Unmarshal([]byte(w[l.path]), &doc); err != nil {
				t.Fatal(err)
			}
			doc[l.key] = change(doc[l.key].([]any))
			encoded, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			w[l.path] = string(encoded)
			if got, want := strings.Join(w.problems(t), "\n"), "GET "+l.path; !strings.Contains(got, want) {
				t.Errorf("%s: %s: got the problems\n%s\nwant one of %s", l.path, about, got, want)
			}
		}
	}
}

// A list is read page by page, and a page that ignores the limit or the cursor is
// found.
func TestPagesAreChecked(t *testing.T) {
	w := worldWithLists()
	var records []string
	for i := range 5 {
		records = append(records, fmt.Sprintf(`{"id": "act_%d", "created_at": "2026-11-21T09:00:00Z"}`, i))
	}
	w["/world/social/activity"] = `{"activity": [` + strings.Join(records, ", ") + `], "page": {"next_cursor": null, "limit": 50, "next": null}}`
	if got := w.problems(t); len(got) > 0 {
		t.Errorf("five records: got the problems\n%s\nwant none", strings.Join(got, "\n"))
	}
	for about, c := range map[string]struct{ page, want string }{
		"the limit is ignored":        {`"page": {"next_cursor": null, "limit": 50, "next": null}`, "page.limit: got 50, want 200"},
		"every page is the first one": {`"page": {"next_cursor": "again", "limit": 200, "next": "/world/page?cursor=again"}`, "is listed twice"},
	} {
		l := routeOf("/world/social/activity")
		cl := newClient(t.Context(), &url.URL{Scheme: "http", Host: "home.example.org"}, Options{Token: "x", Schemas: anySchema()})
		body := `{"activity": [` + strings.Join(records, ", ") + `], ` + c.page + `}`
		cl.http = &http.Client{Transport: constantWorld{200, http.Header{"Content-Type": {"application/json"}}, body}}
		var rec recorder
		cl.checkList(&rec, l)
		if got := strings.Join(rec.problems, "\n"); !strings.Contains(got, c.want) {
			t.Errorf("%s: got the problems\n%s\nwant %s", about, got, c.want)
		}
	}
}
