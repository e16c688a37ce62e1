package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/provider/providertest"
)

// wantQuiet fails the test if the member has received an event since the last one. It touches a
// notification and expects its event as the next one.
func wantQuiet(s *apptest.Server, c *apptest.Client, open *apptest.Stream, about string) {
	s.T.Helper()
	s.Write(func(tx *store.Tx) error {
		tx.Touch(svc.NotificationSent, int64(c.ID))
		return nil
	})
	e, err := open.Next()
	if err != nil {
		s.T.Fatalf("%s: stream of %s: %v", about, c.Name, err)
	}
	if len(e.Sections) > 0 || !slices.Equal(e.Services, []string{"social"}) {
		s.T.Errorf("%s: stream of %s: got an event of the sections %q and services %q, want none", about, c.Name, e.Sections, e.Services)
	}
}

// write is a write over HTTP, with the services of the event that each member receives.
type write struct {
	name string
	do   func()
	want map[string]string
}

// allMembers is the key of write.want for an event of all members.
const allMembers = "everyone"

// Each write causes an event in the streams of the members who see the change, and in no others.
// Covers B-104.
func TestWritesCauseEventsForTheirReaders(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	op := s.Member("op")
	clients := map[string]*apptest.Client{"ann": s.Ann, "bea": s.Bea, "cem": s.Cem, "dan": s.Dan}
	post := func(c *apptest.Client, path, body string) func() {
		return func() {
			t.Helper()
			if a := c.Do("POST", path, body); a.Status/100 != 2 {
				t.Fatalf("%s: got status %d %s, want 2xx", a.About, a.Status, a.Body)
			}
		}
	}
	var thread string
	writes := []write{
		{"an entry", s.Ann.CreateEntries, map[string]string{"ann": "time"}},
		{"a calendar", post(s.Bea, "/world/calendars", `{"name": "Work"}`), map[string]string{"bea": "time"}},
		{"time preferences", func() { s.Bea.Do("PATCH", "/world/time/preferences", `{"week_start": "sunday"}`).Want(200) }, map[string]string{"bea": "time"}},
		{"an entry by CalDAV", func() {
			s.Cem.Basic().Do("PUT", s.Cem.DefaultCalendar()+"x.ics", apptest.VEvent("x", "DTSTART:20261201T090000Z", "SUMMARY:X")).Want(201)
		}, map[string]string{"cem": "time"}},
		{"a message", func() { thread = s.Bea.SendMessage("ann", "Hello") }, map[string]string{"ann": "messages", "bea": "messages"}},
		{"a read thread", func() { s.Ann.Do("POST", thread+"/read", `{}`).Want(200) }, map[string]string{"ann": "messages"}},
		{"findings", func() { s.Ann.ReplaceOverlay(apptest.Finding("1")) }, map[string]string{"ann": "workspace"}},
		{"a deleted search history", post(s.Ann, "/world/find/history/clear", `{}`), map[string]string{"ann": "find"}},
		{"a conversation of a community", func() { s.Bea.Reply(s.ClubConversation, "Soon") }, map[string]string{"ann": "social", "bea": "social"}},
		{"a read conversation", post(s.Ann, "/world/social/conversations/"+s.ClubConversation+"/read", `{}`), map[string]string{"ann": "social"}},
		{"an RSVP", post(s.Ann, "/world/social/events/"+s.ClubEvent+"/rsvp", `{"response": "going"}`), map[string]string{"ann": "social", "bea": "social"}},
		{"an open conversation", func() { s.Dan.StartConversation("Hello all") }, map[string]string{allMembers: "social"}},
		{"a DM", func() { s.Bea.SendDM(s.Ann, "Psst") }, map[string]string{"ann": "social", "bea": "social"}},
		{"a community", func() { s.Dan.CreateCommunity(`{"name": "Band"}`) }, map[string]string{allMembers: "social"}},
		{"an answered invitation", func() { s.Dan.AnswerInvitation(s.Invitation, "decline").Want(200) }, map[string]string{"ann": "social", "bea": "social", "dan": "social"}},
		{"a presence", post(s.Cem, "/world/social/presence", `{"state": "online", "visible_to": "nobody"}`), map[string]string{"cem": "social"}},
		{"read notifications", post(s.Ann, "/world/social/notifications/read/all", `{}`), map[string]string{"ann": "social"}},
		{"a profile", func() { s.Cem.Do("PATCH", "/world/social/profile", `{"bio": "Cook"}`).Want(200) }, map[string]string{allMembers: "social"}},
		{"a block", func() { s.Cem.Block(s.Dan).Want(201) }, map[string]string{allMembers: "social"}},
		{"a language", func() { s.Ann.Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200) }, map[string]string{"ann": "identity"}},
		{"a name", func() { s.Ann.Do("PATCH", "/world/identity/me", `{"display_name": "Anna"}`).Want(200) }, map[string]string{allMembers: "identity"}},
		{"a name by an operator", func() { op.UpdateMember(s.Ann.ID, map[string]any{"display_name": "Ann"}).Want(200) }, map[string]string{allMembers: "identity"}},
		{"a sign-in", func() { s.Ann.SignIn(apptest.Password) }, nil},
		{"nothing", func() { s.Ann.Dataset() }, nil},
	}
	names := []string{"ann", "bea", "cem", "dan"}
	for _, name := range names {
		clients[name].Dataset() // stores the defaults of the workspace, which is a write
	}
	for _, w := range writes {
		streams := make(map[string]*apptest.Stream)
		for _, name := range names {
			streams[name] = clients[name].OpenStream("")
		}
		w.do()
		for _, name := range names {
			want, expected := w.want[name]
			if all, ok := w.want[allMembers]; ok {
				want, expected = all, true
			}
			if !expected {
				wantQuiet(s.Server, clients[name], streams[name], w.name)
				continue
			}
			for found := false; !found; { // the write may have several commits
				e, err := streams[name].Next()
				if err != nil {
					t.Fatalf("%s, stream of %s: got no event of the service %s: %v", w.name, name, want, err)
				}
				found = slices.Contains(e.Services, want)
			}
		}
		for _, open := range streams {
			open.Close()
		}
	}
}

// Writes of commands in other processes and of background jobs cause events. Covers B-104.
func TestWritesOfCommandsAndJobsCauseEvents(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	ann.Dataset()
	open := ann.OpenStream("")
	if status, _, stderr := s.RunCommand("", "admin", "members", "update", "ann", "--display-name", "Anna"); status != 0 {
		t.Fatal(stderr)
	}
	open.WantEvent("identity", "social", "time", "messages", "providers", "workspace", "maps", "find")
	p := providertest.New(t, "library")
	p.SetSource(providertest.Sample("library"))
	status, _, stderr := s.RunCommand(p.SecretText()+"\n", "provider", "add", p.ID, "--label", "Library", "--source-url", p.SourceURL, "--every", "15m", "--secret-stdin")
	if status != 0 {
		t.Fatal(stderr)
	}
	open.WantEvent("providers")
	open.Close()
	payload := providertest.Sample("library")
	payload.Objects.Items[0].Title = "Another title"
	p.SetSource(payload)
	s.Clock.Advance(time.Hour)
	open = ann.OpenStream("")
	if err := s.App.AcquireProviders(t.Context()); err != nil {
		t.Fatal(err)
	}
	open.WantEvent("providers")
}

// An event contains no content: its data has three keys with names only. Covers B-104.
func TestEventsContainNoContent(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	ann.Dataset()
	open := ann.OpenStream("")
	ann.Do("POST", "/world/calendars", `{"name": "Secret plans"}`).Want(201)
	e := open.WantEvent("time")
	if text := fmt.Sprint(e); strings.Contains(text, "Secret") {
		t.Errorf("got the event %s, want no content", text)
	}
	if want := []string{"workspace", "objects", "contexts", "actions"}; !slices.Equal(e.Sections, want) {
		t.Errorf("got the sections %q, want %q", e.Sections, want)
	}
}
