package world

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc/svctest"
)

// After random writes of all services, of which the limit rejects some, and after
// the deletion of members and all sweeps, the usage of each member equals a recount.
func TestStorageUsageEqualsARecount(t *testing.T) {
	steps := 250
	if svctest.IsLong() {
		steps = 400
	}
	for seed := range svctest.Seeds(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			h := &randomWorkload{Population: apptest.NewPopulation(t, 6), rand: apptest.NewRand(9100 + seed)}
			h.App.Storage.Limit = 1200
			for range steps {
				h.advance()
				h.WantStorageCounted(h.about)
			}
			if full := h.QueryInt("SELECT count(*) FROM storage_usage WHERE octets > 1200 - 300"); full == 0 {
				t.Error("got no member at the limit, want some")
			}
			for _, v := range h.Viewers[1:] {
				h.Write(func(tx *store.Tx) error {
					_, err := h.App.Calendar.Purge(tx, v, "")
					return err
				})
				h.WantStorageCounted("after emptying a trash")
				h.DeleteMember(v.Member())
				h.WantStorageCounted("after the deletion of a member")
			}
			h.Clock.Advance(400 * 24 * time.Hour)
			if err := errors.Join(h.App.SweepCalendars(t.Context()), h.App.SweepSocial(t.Context())); err != nil {
				t.Fatal(err)
			}
			h.WantStorageCounted("after the sweeps")
		})
	}
}

// A member at the limit cannot store more: each write is rejected with an error that names the
// limit, and changes nothing. Reads, shorter texts and deletions still succeed, and a deletion
// frees space.
func TestFullStorageRejectsWrites(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	m := h.Members("ann", "bea", "cid")
	ann, bea, cid := m["ann"], m["bea"], m["cid"]
	community := ann.CreateCommunity(`{"name": "Choir", "visibility": "private"}`, bea)
	thread := ann.SendMessage("bea", "Hello")
	dm := ann.SendDM(bea, "Hello")
	conversation := apptest.ConversationsPath + "/" + ann.StartConversation("Garden")
	own := "/world/social/events/" + ann.CreateEvent("visibility", "public")
	event := "/world/social/events/" + bea.CreateEvent("visibility", "public")
	task := "/world/time/objects/" + ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": "Task", "description": strings.Repeat("x", 500)}).Want(201).Str("object.id")
	path := ann.DefaultCalendar()
	ann.Basic().Do("MKCOL", "/caldav/1/calendars/files/").Want(201)

	limit := h.QueryInt(fmt.Sprint("SELECT octets FROM storage_usage WHERE member_id = ", ann.ID)) + 3
	h.App.Storage.Limit = int64(limit)
	long := strings.Repeat("é", 200)
	writes := []struct {
		method, path string
		body         any
	}{
		{"POST", "/world/messages", map[string]any{"recipient": "cid", "body": "Hello"}},
		{"POST", thread + "/messages", map[string]any{"body": "Hello"}},
		{"POST", "/world/social/dms", map[string]any{"recipient": "bea", "body": "Hello"}},
		{"POST", dm + "/messages", map[string]any{"body": "Hello"}},
		{"POST", apptest.ConversationsPath, `{"title": "Title", "body": "Body", "context": {"kind": "open"}}`},
		{"POST", conversation + "/replies", map[string]any{"body": "Hello"}},
		{"PATCH", conversation, map[string]any{"body": long}},
		{"POST", apptest.CommunitiesPath, `{"name": "Chess"}`},
		{"PATCH", community, map[string]any{"summary": long}},
		{"POST", community + "/invitations", map[string]any{"recipient": "cid"}},
		{"POST", "/world/social/events", apptest.EventBody()},
		{"PATCH", own, map[string]any{"description": long}},
		{"POST", own + "/invitations", map[string]any{"recipient": "cid"}},
		{"POST", event + "/rsvp", map[string]any{"response": "declined", "note": "Sorry"}},
		{"POST", "/world/time/objects", `{"object_type": "task", "title": "Another task"}`},
	}
	for _, w := range writes {
		h.WantUnchanged(w.method+" "+w.path, func() {
			got := ann.Do(w.method, w.path, w.body).WantError(422, "quota_exceeded")
			if text := got.Str("error.message"); !strings.Contains(text, fmt.Sprintf("%.1f KB", float64(limit)/1024)) || !strings.Contains(text, "empty the trash") {
				t.Errorf("%s %s: got %q, want a message that names the limit of %d bytes and what to do", w.method, w.path, text, limit)
			}
		})
	}
	h.WantUnchanged("PUT", func() {
		dav := ann.Basic()
		dav.Do("PUT", path+"a.ics", apptest.VEvent("a", "DTSTART:20261125T090000Z")).Want(507)
		dav.Do("PUT", "/caldav/1/calendars/files/a", "content").Want(507)
		home := dav.With("Depth", "0").Do("PROPFIND", "/caldav/1/calendars/", `<propfind xmlns="DAV:"><prop><quota-used-bytes/><quota-available-bytes/></prop></propfind>`).Want(207).Body
		for _, want := range []string{fmt.Sprintf("quota-used-bytes>%d<", limit-3), "quota-available-bytes>3<"} {
			if !strings.Contains(home, want) {
				t.Errorf("properties of the home: got %s, want %s", home, want)
			}
		}
	})

	for _, page := range []string{thread, dm, conversation, own, community, "/world/messages"} {
		ann.Do("GET", page).Want(200)
	}
	ann.AsRuntime().Do("GET", "/world/session").Want(200)
	ann.Do("POST", event+"/rsvp", `{"response": "declined"}`).Want(200)
	ann.Do("PATCH", conversation, `{"body": "Short"}`).Want(200)
	bea.Do("POST", conversation+"/replies", `{"body": "Others can reply"}`).Want(201)
	cid.SendMessage("ann", "Others can write to a member whose storage is full")

	ann.Do("DELETE", task).Want(200)
	ann.Do("DELETE", "/world/time/trash").Want(200)
	ann.SendInThread(thread, "There is room again")
	h.WantStorageCounted("after all")
}

// A member sees the usage and the limit in the settings, and can empty the trash.
func TestStorageIsShownInTheSettings(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	want := func(text string) {
		t.Helper()
		if got := ann.Do("GET", "/world/panels/settings?view=data").Want(200).Str("summary"); !strings.Contains(got, text) {
			t.Errorf("settings: got %q, want %q in it", got, text)
		}
	}
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Task"}`).Want(201)
	want(" of 2048 MB.")
	used := h.QueryInt("SELECT octets FROM storage_usage WHERE member_id = 1")
	h.App.Storage.Limit = int64(used)
	full := fmt.Sprintf("use %d bytes of %[1]d bytes.", used)
	want(full)

	objects := ann.Do("GET", "/world/time/objects?type=task").Want(200)
	ann.Do("DELETE", "/world/time/objects/"+objects.Str("objects.0.id")).Want(200)
	want(full)
	ann.Do("DELETE", "/world/time/trash").Want(200)
	want("use 0 bytes of")
	h.App.Storage.Limit = 0
	want("use 0 bytes.")
}

// A deletion of a community gives the authors of its posts their storage back.
func TestDeletionOfACommunityFreesStorage(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	m := h.Members("ann", "bea")
	usage := func() (octets int) { return h.QueryInt("SELECT octets FROM storage_usage WHERE member_id = 2") }
	community := m["ann"].CreateCommunity(`{"name": "Choir", "visibility": "private"}`, m["bea"])
	id := strings.TrimPrefix(community, apptest.CommunitiesPath+"/")
	before := usage()
	conversation := m["bea"].StartConversationIn("Garden", fmt.Sprintf(`{"kind": "community", "id": %q}`, id))
	m["bea"].Reply(conversation, "Reply")
	open := m["bea"].StartConversation("Stays")
	m["ann"].Do("DELETE", community).Want(200)
	if err := h.App.SweepSocial(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := usage()-before, len("Stays")+len("About Stays")+256; got != want {
		t.Errorf("got %d more bytes after the sweep, want the %d of the other conversation", got, want)
	}
	m["bea"].Do("GET", apptest.ConversationsPath+"/"+open).Want(200)
	h.WantStorageCounted("after the sweep")
	for _, table := range []string{"social_reply", "social_read_cursor"} {
		if n := h.QueryInt("SELECT count(*) FROM " + table); n != 0 {
			t.Errorf("got %d rows of %s, want none", n, table)
		}
	}
}
