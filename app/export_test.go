package app

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What members keep beside entries goes with them too: files, what programs
// note at things, and what can still be had back. Covers SH-26.
func TestExportHasWhatIsBesideEntries(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	dav, at := ann.basic(), ann.defaultCalendar()
	home := "/caldav/1/calendars/"
	binary := "\x00\xff\r\n"
	dav.do("MKCOL", home+"box").want(201)
	dav.with("Content-Type", "image/png").do("PUT", home+"box/a.png", binary).want(201)
	kept, gone := vevent("kept", "DTSTART:20261201T100000Z", "SUMMARY:Kept"), vevent("gone", "DTSTART:20261202T100000Z", "SUMMARY:Gone")
	dav.do("PUT", at+"kept.ics", kept).want(201)
	for _, path := range []string{home, at, at + "kept.ics", home + "box", home + "box/a.png"} {
		dav.do("PROPPATCH", path, proppatch("note", path)).want(207)
	}
	dav.do("PUT", at+"gone.ics", gone).want(201)
	dav.do("DELETE", at+"gone.ics").want(204)
	dav.do("MKCALENDAR", home+"work/").want(201)
	dav.do("PUT", home+"work/more.ics", strings.ReplaceAll(gone, "gone", "more")).want(201)
	dav.do("DELETE", home+"work/").want(204)

	whole := ann.do("GET", "/world/identity/export").want(200)
	var files, notes, trash []string
	for _, f := range whole.list("files") {
		data, err := base64.StdEncoding.DecodeString(dig(f, "data_base64").(string))
		if err != nil {
			t.Error(err)
		}
		files = append(files, fmt.Sprintf("%s %t %s %q", dig(f, "path"), dig(f, "collection"), dig(f, "media_type"), data))
	}
	if want := []string{`box true  ""`, `box/a.png false image/png "\x00\xff\r\n"`}; !slices.Equal(files, want) {
		t.Errorf("the files are %q, want %q", files, want)
	}
	for _, p := range whole.list("properties") {
		path := home + dig(p, "path").(string)
		if dig(p, "namespace") != "urn:example" || dig(p, "name") != "note" || !strings.Contains(dig(p, "element").(string), ">"+strings.TrimSuffix(path, "/")) {
			t.Errorf("a property of %s is %v", path, p)
		}
		notes = append(notes, path)
	}
	slices.Sort(notes)
	want := []string{home, strings.TrimSuffix(at, "/"), at + "kept.ics", home + "box", home + "box/a.png"}
	if slices.Sort(want); !slices.Equal(notes, want) {
		t.Errorf("properties are there of %q, want %q", notes, want)
	}
	for _, one := range whole.list("trash") {
		trash = append(trash, fmt.Sprint(dig(one, "trashed.title"), " ", dig(one, "name"), " ", len(dig(one, "data").(string))))
	}
	slices.Sort(trash)
	if want := []string{fmt.Sprint("Gone gone.ics ", len(gone)), fmt.Sprint("work more.ics ", len(gone)), "work work 0"}; !slices.Equal(trash, want) {
		t.Errorf("the trash has %q, want %q", trash, want)
	}

	other := bea.do("GET", "/world/identity/export").want(200)
	for _, part := range []string{"files", "properties", "trash"} {
		if list := other.list(part); len(list) != 0 {
			t.Errorf("bea has the %s %v", part, list)
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, errs := h.cli("", "admin", "members", "export", "ann", dir); status != 0 {
		t.Fatal(out, errs)
	}
	for _, part := range []string{"files", "properties", "trash"} {
		text, err := os.ReadFile(filepath.Join(dir, part+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var list []any
		if err := json.Unmarshal(text, &list); err != nil || asJSON(list) != asJSON(whole.list(part)) {
			t.Errorf("the file of the %s has %s, %v", part, text, err)
		}
	}
}

// What members say and do with others goes with them, and nothing of what
// others say. Covers SH-26.
func TestExportHasSocialLife(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	at := ann.community(`{"name": "Family"}`, bea)
	ann.invites(at, cid)
	talk := ann.do("POST", "/world/social/conversations", map[string]any{
		"title": "Trip", "body": "Where to?", "context": map[string]any{"kind": "community", "id": comID(at)},
	}).want(201).str("conversation.id")
	for i, c := range []*client{bea, ann, bea} {
		c.do("POST", "/world/social/conversations/"+talk+"/replies", map[string]any{"body": fmt.Sprint(c.name, " says ", i)}).want(201)
	}
	e := bea.plan("title", "Dinner", "visibility", "community", "community_id", comID(at))
	ann.do("POST", "/world/social/events/"+e+"/rsvp", `{"response": "maybe", "note": "If I can"}`).want(200)
	mine := ann.plan("title", "Walk", "visibility", "public")
	ann.do("POST", "/world/social/presence", `{"state": "busy", "note": "Cooking"}`).want(200)
	ann.blocks(cid).want(201)

	whole := ann.do("GET", "/world/identity/export").want(200)
	for _, c := range []struct{ part, field, want string }{
		{"communities", "name", "Family"}, {"communities", "role", "owner"},
		{"conversations", "id", talk}, {"conversations", "body", "Where to?"}, {"conversations", "context.id", comID(at)},
		{"replies", "body", "ann says 1"}, {"replies", "conversation_id", talk},
		{"social_events", "id", mine}, {"social_events", "title", "Walk"},
		{"rsvps", "response", "maybe going"}, {"rsvps", "note", "If I can "}, {"rsvps", "event_id", e + " " + mine},
		{"social_invitations", "state", "revoked accepted"},
		{"blocks", "display_name", "Cid"},
		{"notifications", "kind", "reply reply"}, {"notifications", "summary", "Trip Trip"},
	} {
		got := strings.Fields(whole.column(c.part, c.field))
		want := strings.Fields(c.want)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("the %s of %s are %q, want %q", c.field, c.part, got, want)
		}
	}
	if whole.str("social_presence.note") != "Cooking" {
		t.Errorf("the presence is %v", whole.at("social_presence"))
	}
	if strings.Contains(whole.body, "bea says") {
		t.Error("what others say is in it")
	}
	dir := filepath.Join(t.TempDir(), "out")
	if status, out, errs := h.cli("", "admin", "members", "export", "ann", dir); status != 0 {
		t.Fatal(out, errs)
	}
	for _, part := range []string{"communities", "conversations", "replies", "social_events", "rsvps", "social_invitations", "blocks", "notifications"} {
		text, err := os.ReadFile(filepath.Join(dir, part+".json"))
		var list []any
		if err != nil || json.Unmarshal(text, &list) != nil || asJSON(list) != asJSON(whole.list(part)) {
			t.Errorf("the file of the %s has %s, %v", part, text, err)
		}
		if list := cid.do("GET", "/world/identity/export").list(part); part != "social_invitations" && len(list) != 0 {
			t.Errorf("cid has the %s %v", part, list)
		}
	}
}

// An export is whole however much there is. Covers SH-26.
func TestExportOfAVerboseMember(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	meddle(t, h, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
		INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
		SELECT 'cnv_' || i, 'T', 'B', 'open', 1, 1, 'open', 0, 0, 1, 0, 0, 0 FROM n`)
	for _, insert := range []string{
		`INSERT INTO social_reply (id, conversation_id, seq, author_id, body, created_at)
		 SELECT 'rep_' || id, iif(rowid % 2, 'cnv_1', id), iif(rowid % 2, rowid, 1), 1, 'B', 0 FROM social_conversation`,
		`INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location,
		   visibility, audience_id, host_id, revision, created_at, updated_at)
		 SELECT 'evt_' || id, id, 'T', '', 1798070400000, 1798156800000, 'UTC', 1, 0, rowid / 700, '', 'public', 1, 1, 1, 0, 0 FROM social_conversation`,
		`INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at) SELECT id, 1, 'going', '', 0 FROM social_event`,
		`INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, created_at)
		 SELECT 'ntf_' || rowid, 1, 'dm', 1, 'dm', 'x', rowid / 700 FROM social_conversation`,
	} {
		meddle(t, h, insert)
	}
	whole := ann.do("GET", "/world/identity/export").want(200)
	for part, key := range map[string]string{"conversations": "id", "replies": "id", "social_events": "id", "rsvps": "event_id", "notifications": "id"} {
		ids := make(map[any]bool)
		for _, one := range whole.list(part) {
			ids[dig(one, key)] = true
		}
		if n := len(whole.list(part)); n != 1200 || len(ids) != n {
			t.Errorf("there are %d %s, %d different ones", n, part, len(ids))
		}
	}
}
