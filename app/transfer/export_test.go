package transfer_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// wantFiles fails the test unless the directory export of a member has the same
// lists as the JSON export.
func wantFiles(s *apptest.Server, member string, export *apptest.Answer, lists ...string) {
	s.T.Helper()
	dir := filepath.Join(s.T.TempDir(), "out")
	if status, out, errs := s.RunCommand("", "admin", "members", "export", member, dir); status != 0 {
		s.T.Fatal(out, errs)
	}
	for _, name := range lists {
		text, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			s.T.Fatal(err)
		}
		var list []any
		if err := json.Unmarshal(text, &list); err != nil || apptest.JSON(list) != apptest.JSON(export.List(name)) {
			s.T.Errorf("%s.json: got %s, %v, want the list of the JSON export", name, text, err)
		}
	}
	if status, _, errs := s.RunCommand("", "admin", "members", "export", member, dir); status == 0 || !strings.Contains(errs, "is not empty") {
		s.T.Errorf("export into a directory with files: got status %d, %s, want a failure", status, errs)
	}
}

// Covers SH-26.
func TestExportContainsFilesPropertiesAndTrash(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	dav, at := ann.Basic(), ann.DefaultCalendar()
	home := "/caldav/1/calendars/"
	binary := "\x00\xff\r\n"
	dav.Do("MKCOL", home+"box").Want(201)
	dav.With("Content-Type", "image/png").Do("PUT", home+"box/a.png", binary).Want(201)
	keptEvent, deletedEvent := apptest.VEvent("kept", "DTSTART:20261201T100000Z", "SUMMARY:Kept"), apptest.VEvent("gone", "DTSTART:20261202T100000Z", "SUMMARY:Gone")
	dav.Do("PUT", at+"kept.ics", keptEvent).Want(201)
	for _, path := range []string{home, at, at + "kept.ics", home + "box", home + "box/a.png"} {
		dav.Do("PROPPATCH", path, apptest.Proppatch("note", path)).Want(207)
	}
	dav.Do("PUT", at+"gone.ics", deletedEvent).Want(201)
	dav.Do("DELETE", at+"gone.ics").Want(204)
	dav.Do("MKCALENDAR", home+"work/").Want(201)
	dav.Do("PUT", home+"work/more.ics", strings.ReplaceAll(deletedEvent, "gone", "more")).Want(201)
	dav.Do("DELETE", home+"work/").Want(204)

	export := ann.Do("GET", "/world/identity/export").Want(200)
	var files, notes, trash []string
	for _, f := range export.List("files") {
		data, err := base64.StdEncoding.DecodeString(apptest.At(f, "data_base64").(string))
		if err != nil {
			t.Error(err)
		}
		files = append(files, fmt.Sprintf("%s %t %s %q", apptest.At(f, "path"), apptest.At(f, "collection"), apptest.At(f, "media_type"), data))
	}
	if want := []string{`box true  ""`, `box/a.png false image/png "\x00\xff\r\n"`}; !slices.Equal(files, want) {
		t.Errorf("files: got %q, want %q", files, want)
	}
	for _, p := range export.List("properties") {
		path := home + apptest.At(p, "path").(string)
		if apptest.At(p, "namespace") != "urn:example" || apptest.At(p, "name") != "note" || !strings.Contains(apptest.At(p, "element").(string), ">"+strings.TrimSuffix(path, "/")) {
			t.Errorf("property of %s: got %v, want the note of the path", path, p)
		}
		notes = append(notes, path)
	}
	slices.Sort(notes)
	want := []string{home, strings.TrimSuffix(at, "/"), at + "kept.ics", home + "box", home + "box/a.png"}
	if slices.Sort(want); !slices.Equal(notes, want) {
		t.Errorf("resources with properties: got %q, want %q", notes, want)
	}
	for _, item := range export.List("trash") {
		trash = append(trash, fmt.Sprint(apptest.At(item, "trashed.title"), " ", apptest.At(item, "name"), " ", len(apptest.At(item, "data").(string))))
	}
	slices.Sort(trash)
	if want := []string{fmt.Sprint("Gone gone.ics ", len(deletedEvent)), fmt.Sprint("work more.ics ", len(deletedEvent)), "work work 0"}; !slices.Equal(trash, want) {
		t.Errorf("trash: got %q, want %q", trash, want)
	}

	other := bea.Do("GET", "/world/identity/export").Want(200)
	for _, part := range []string{"files", "properties", "trash"} {
		if list := other.List(part); len(list) != 0 {
			t.Errorf("%s of bea: got %v, want none", part, list)
		}
	}
	wantFiles(s, "ann", export, "files", "properties", "trash")
}

// The export omits texts of other members. Covers SH-26.
func TestExportContainsTheSocialContentOfTheMember(t *testing.T) {
	s := apptest.New(t)
	ann, bea, cid := s.Member("ann"), s.Member("bea"), s.Member("cid")
	at := ann.CreateCommunity(`{"name": "Family"}`, bea)
	ann.InviteToCommunity(at, cid)
	conversation := ann.Do("POST", "/world/social/conversations", map[string]any{
		"title": "Trip", "body": "Where to?", "context": map[string]any{"kind": "community", "id": apptest.LastSegment(at)},
	}).Want(201).Str("conversation.id")
	for i, c := range []*apptest.Client{bea, ann, bea} {
		c.Do("POST", "/world/social/conversations/"+conversation+"/replies", map[string]any{"body": fmt.Sprint(c.Name, " says ", i)}).Want(201)
	}
	e := bea.CreateEvent("title", "Dinner", "visibility", "community", "community_id", apptest.LastSegment(at))
	ann.Do("POST", "/world/social/events/"+e+"/rsvp", `{"response": "maybe", "note": "If I can"}`).Want(200)
	ownEvent := ann.CreateEvent("title", "Walk", "visibility", "public")
	ann.Do("POST", "/world/social/presence", `{"state": "busy", "note": "Cooking"}`).Want(200)
	ann.Block(cid).Want(201)

	export := ann.Do("GET", "/world/identity/export").Want(200)
	for _, c := range []struct{ part, field, want string }{
		{"communities", "name", "Family"}, {"communities", "role", "owner"},
		{"conversations", "id", conversation}, {"conversations", "body", "Where to?"}, {"conversations", "context.id", apptest.LastSegment(at)},
		{"replies", "body", "ann says 1"}, {"replies", "conversation_id", conversation},
		{"social_events", "id", ownEvent}, {"social_events", "title", "Walk"},
		{"rsvps", "response", "maybe going"}, {"rsvps", "note", "If I can "}, {"rsvps", "event_id", e + " " + ownEvent},
		{"social_invitations", "state", "revoked accepted"},
		{"blocks", "display_name", "Cid"},
		{"notifications", "kind", "reply reply"}, {"notifications", "summary", "Trip Trip"},
	} {
		got := strings.Fields(export.Column(c.part, c.field))
		want := strings.Fields(c.want)
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s of %s: got %q, want %q", c.field, c.part, got, want)
		}
	}
	if export.Str("social_presence.note") != "Cooking" {
		t.Errorf("presence: got %v, want the note Cooking", export.At("social_presence"))
	}
	if strings.Contains(export.Body, "bea says") {
		t.Errorf("got %s, want no replies of bea", export.Body)
	}
	other := cid.Do("GET", "/world/identity/export").Want(200)
	for _, part := range []string{"communities", "conversations", "replies", "social_events", "rsvps", "blocks", "notifications"} {
		if list := other.List(part); len(list) != 0 {
			t.Errorf("%s of cid: got %v, want none", part, list)
		}
	}
	wantFiles(s, "ann", export, "communities", "conversations", "replies", "social_events", "rsvps", "social_invitations", "blocks", "notifications")
}

// Covers SH-26.
func TestExportContainsTheMessagesOfTheMember(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	s.Member("cid")
	thread := ann.SendMessage("bea", "Hello")
	bea.SendInThread(thread, "Hello back")
	bea.SendMessage("cid", "Not for Ann")
	export := ann.Do("GET", "/world/identity/export").Want(200)
	if got, want := export.Column("message_threads", "title"), "Bea"; got != want {
		t.Errorf("threads: got %s, want %s", got, want)
	}
	if got, want := export.Values("messages", "body"), []string{"Hello back", "Hello"}; !slices.Equal(got, want) {
		t.Errorf("messages: got %q, want %q", got, want)
	}
	wantFiles(s, "ann", export, "message_threads", "messages")
}

// 1,200 records exceed the page size of every list. They are inserted by SQL,
// because the API would take minutes. Covers SH-26.
func TestLargeExportIsComplete(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	s.Exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
		INSERT INTO social_conversation (id, title, body, context, audience_id, author_id, state, revision, seq, participants, active_at, created_at, updated_at)
		SELECT 'cnv_' || i, 'T', 'B', 'open', 1, 1, 'open', 0, 0, 1, 0, 0, 0 FROM n`)
	for _, insert := range []string{
		`INSERT INTO social_reply (id, conversation_id, seq, author_id, body, created_at)
		 SELECT 'rep_' || id, iif(rowid % 2, 'cnv_1', id), iif(rowid % 2, rowid, 1), 1, 'B', 0 FROM social_conversation`,
		`INSERT INTO social_event (id, conversation_id, title, description, start_local, end_local, timezone, all_day, starts_at, ends_at, location,
		   visibility, audience_id, host_id, revision, created_at, updated_at)
		 SELECT 'evt_' || id, id, 'T', '', 1798070400000, 1798156800000, 'UTC', 1, 0, rowid / 700, '', 'public', 1, 1, 1, 0, 0 FROM social_conversation`,
		`INSERT INTO social_rsvp (event_id, member_id, response, note, responded_at, seq) SELECT id, 1, 'going', '', 0, 0 FROM social_event`,
		`INSERT INTO social_notification (id, member_id, kind, actor_id, target_type, target_id, created_at)
		 SELECT 'ntf_' || rowid, 1, 'dm', 1, 'dm', 'x', rowid / 700 FROM social_conversation`,
	} {
		s.Exec(insert)
	}
	export := ann.Do("GET", "/world/identity/export").Want(200)
	for part, key := range map[string]string{"conversations": "id", "replies": "id", "social_events": "id", "rsvps": "event_id", "notifications": "id"} {
		ids := make(map[any]bool)
		for _, item := range export.List(part) {
			ids[apptest.At(item, key)] = true
		}
		if n := len(export.List(part)); n != 1200 || len(ids) != n {
			t.Errorf("%s: got %d, %d different ones, want 1200", part, n, len(ids))
		}
	}
}
