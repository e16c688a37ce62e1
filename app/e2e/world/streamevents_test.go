package world

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/world/stream"
)

// Covers B-104 and B-103.
func TestHeadersOfAStream(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").With("Accept-Encoding", "gzip")
	open := ann.OpenStream("")
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "private, no-store", "X-Accel-Buffering": "no", "Content-Encoding": "", "Content-Length": "",
	} {
		if got := open.Header().Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if a := ann.Do("HEAD", "/world/stream").Want(200); a.Header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("HEAD: got the type %q, want text/event-stream", a.Header.Get("Content-Type"))
	}
	s.Unauthenticated().Do("GET", "/world/stream").WantError(401, "unauthenticated")
	ann.Do("POST", "/world/stream").WantError(405, "method_not_allowed")
	ann.With("Origin", "https://evil.example").With("Sec-Fetch-Site", "cross-site").Do("GET", "/world/stream/x").Want(404)
}

// The session and the dataset offer the stream. Covers B-104 and X-57.
func TestSessionAndDatasetOfferTheStream(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	for _, path := range []string{"/world/session", "/world/runtime"} {
		if got := ann.Do("GET", path).Want(200).Str("capabilities.stream.url"); got != "/world/stream" {
			t.Errorf("%s: got the stream %q, want /world/stream", path, got)
		}
	}
}

// Covers B-104: at most 8 streams a member.
func TestStreamsOfAMemberAreLimited(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	var open []*apptest.Stream
	for range stream.MaxPerMember {
		open = append(open, ann.SignIn(apptest.Password).OpenStream(""))
	}
	a := ann.Do("GET", "/world/stream").WantError(429, "rate_limited")
	if a.Header.Get("Retry-After") != "30" {
		t.Errorf("got Retry-After %q, want 30", a.Header.Get("Retry-After"))
	}
	bea.OpenStream("").Close()
	if n := s.App.Streams.Count(); n < stream.MaxPerMember {
		t.Errorf("got %d open streams, want at least %d", n, stream.MaxPerMember)
	}
	open[0].Close()
	for { // the server notices the end of a connection
		if again, _ := ann.TryStream(""); again != nil {
			return
		}
	}
}

// A stream ends when its session ends, before another event is sent. Covers B-104.
func TestStreamEndsWithItsSession(t *testing.T) {
	for name, end := range map[string]func(s *apptest.Server, op, ann *apptest.Client){
		"sign-out": func(_ *apptest.Server, _, ann *apptest.Client) { ann.Do("POST", "/identity/logout").Want(200) },
		"revocation by the member": func(_ *apptest.Server, _, ann *apptest.Client) {
			id := ann.Do("GET", "/world/identity/sessions").Want(200).Str("sessions.0.id")
			ann.SignIn(apptest.Password).Do("DELETE", "/world/identity/sessions/"+id).Want(200)
		},
		"password": func(_ *apptest.Server, _, ann *apptest.Client) {
			ann.SignIn(apptest.Password).Do("POST", "/world/identity/password", map[string]any{"current_password": apptest.Password, "new_password": "quite another phrase"}).Want(200)
		},
		"disabled": func(_ *apptest.Server, op, ann *apptest.Client) {
			op.UpdateMember(ann.ID, map[string]any{"status": "disabled"}).Want(200)
		},
		"deletion by a command": func(s *apptest.Server, _, _ *apptest.Client) {
			if status, _, stderr := s.RunCommand("", "admin", "members", "delete", "ann", "--yes"); status != 0 {
				s.T.Fatal(stderr)
			}
		},
		"revocation by a command": func(s *apptest.Server, _, _ *apptest.Client) {
			if status, _, stderr := s.RunCommand("", "admin", "members", "revoke", "ann"); status != 0 {
				s.T.Fatal(stderr)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := apptest.New(t)
			op, ann := s.Member("op"), s.Member("ann")
			op.Dataset()
			open, other := ann.OpenStream(""), op.OpenStream("")
			end(s, op, ann)
			open.WantEnd()
			op.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
			for !slices.Contains(other.WantEvent().Services, "time") {
			}
		})
	}
}

// Covers B-104: Last-Event-ID resumes with one event if anything has changed since.
func TestLastEventIDResumes(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	ann.Dataset()
	bea.Dataset()
	open := ann.OpenStream("")
	ann.Do("POST", "/world/calendars", `{"name": "Work"}`).Want(201)
	open.WantEvent("time")
	open.Close()
	id := open.LastID

	again := ann.OpenStream(id)
	wantQuiet(s, ann, again, "nothing has changed")
	again.Close()

	ann.Do("POST", "/world/calendars", `{"name": "Home"}`).Want(201)
	bea.SendMessage("ann", "Hello")
	again = ann.OpenStream(id)
	e := again.WantEvent("time", "messages", "social") // social: the notification of wantQuiet
	if len(e.Services) != 3 || slices.Contains(e.Sections, "member") {
		t.Errorf("got the sections %q and services %q, want only what has changed", e.Sections, e.Services)
	}
	wantQuiet(s, ann, again, "after the event")
	again.Close()

	allChanges := s.App.World.Everything()
	foreign := bea.OpenStream("")
	first := map[bool]string{true: "B", false: "A"}[id[0] == 'A']
	for name, unknown := range map[string]string{
		"another member's": foreign.LastID, "no id": "x", "another length": id + "AAAA", "not base64": "!!!!!!!!!!!!!!!!!!!!!!", "changed": first + id[1:],
	} {
		again := ann.OpenStream(unknown)
		if e := again.WantEvent(); !slices.Equal(e.Sections, allChanges.Sections) || !slices.Equal(e.Services, allChanges.Services) {
			t.Errorf("%s: got the sections %q and services %q, want all", name, e.Sections, e.Services)
		}
		wantQuiet(s, ann, again, name)
		again.Close()
	}
}

// A dataset that changes without a write causes an event in the streams of its reader. Covers
// B-104.
func TestStreamReportsThePassingOfTime(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Bea.Do("POST", "/world/social/presence", `{"state": "online", "ttl_seconds": 60, "visible_to": "members"}`).Want(200)
	s.Ann.Dataset()
	open := s.Ann.OpenStream("")
	s.Clock.Advance(61 * time.Second)
	e := open.WantEvent("social")
	if slices.Contains(e.Services, "time") || !slices.Contains(e.Sections, "objects") {
		t.Errorf("got the sections %q and services %q, want objects of Social only", e.Sections, e.Services)
	}
	wantQuiet(s.Server, s.Ann, open, "after the boundary")
}

// A stream is refused while the server stops.
func TestClosedHubRefusesStreams(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	open := ann.OpenStream("")
	s.App.Streams.Close()
	open.WantEnd()
	if _, resp := ann.TryStream(""); resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" {
		t.Errorf("got status %d and Retry-After %q, want 503 with one", resp.StatusCode, resp.Header.Get("Retry-After"))
	}
}
