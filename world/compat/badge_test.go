package compat_test

import (
	"fmt"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/social"
	"appliance/world"
	"appliance/world/compat"
	"appliance/world/panel"
	"appliance/world/worldtest"
)

// badges returns the badges of the dock, as "item count kind", without those that are null.
func badges(s compat.Session) (list []string) {
	for _, item := range s.Shell.Dock.Items {
		if b := item.Badge; b != nil {
			list = append(list, fmt.Sprint(item.ID, " ", b.Count, " ", b.Kind))
		}
	}
	return list
}

// wantBadges fails t unless the dock of ann and the surfaces of its services have the
// badges. It returns the session and the time at which it expires.
func (f *fixture) wantBadges(about string, want ...string) (s compat.Session, expires time.Time) {
	f.T.Helper()
	s, expires, _ = f.session(f.ann, request(f.T, "web", ""))
	if got := badges(s); fmt.Sprint(got) != fmt.Sprint(want) {
		f.T.Errorf("%s: got the badges %q, want %q", about, got, want)
	}
	dock := make(map[string]*panel.Badge)
	for _, item := range s.Shell.Dock.Items {
		dock[item.ID] = item.Badge
	}
	for _, surface := range s.SurfaceRuntime.Surfaces {
		b := surface.ServiceBinding
		if b.ResourceType != "panel" {
			continue
		}
		want := dock[b.ServiceID]
		if b.ResourceID == "profile" {
			want = nil
		}
		if fmt.Sprint(surface.Badge) != fmt.Sprint(want) && (surface.Badge == nil || want == nil || *surface.Badge != *want) {
			f.T.Errorf("%s: surface %s: got the badge %v, want %v as in the dock", about, surface.SurfaceID, surface.Badge, want)
		}
	}
	return s, expires
}

// Covers B-106 for the badges of the dock and of surfaces.
func TestBadgesCountUnreadAndDueRecords(t *testing.T) {
	f := newFixture(t)
	f.wantBadges("at first")
	thread := f.SendMessage(f.bea, f.ann, "Hello")
	f.SendMessage(f.bea, f.ann, "Are you there?")
	f.wantBadges("after two messages", "messages 2 unread")
	f.Write(func(tx *store.Tx) error { _, err := f.Messages.MarkRead(tx, f.ann, thread, ""); return err })
	f.wantBadges("after reading them")

	task := f.CreateTask(f.ann, "Taxes")
	f.wantBadges("after a task without a date")
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.Patch(tx, f.ann, task, edit.ObjectChange{Change: edit.Change{Due: svc.Some("2026-11-22"), AllDay: svc.Some(true)}}, nil)
		return err
	})
	_, expires := f.wantBadges("after a task that is due tomorrow")
	if want := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC); !expires.Equal(want) {
		t.Errorf("got the expiry %v, want the next midnight of the member", expires)
	}
	f.Clock.Set(expires)
	f.wantBadges("on the next day", "time 1 due")
	f.Clock.Set(storetest.Start)

	club := f.CreateCommunity(f.bea, "Chess")
	f.MakePrivate(f.bea, club)
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.InviteToCommunity(tx, f.bea, club, social.NewInvitation{Recipient: "ann"})
		return err
	})
	f.wantBadges("after an invitation", "social 1 unread")
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.MarkNotificationsRead(tx, f.ann, social.NotificationSelection{All: true})
		return err
	})
	f.wantBadges("after reading the notification", "social 1 waiting")
	f.Hosted("social").SwitchOff()
	f.wantBadges("without Social")
}

// A response to an event answers its invitation, and an invitation expires at the new end of
// an event that is moved. Covers B-106.
func TestBadgesFollowTheEventsOfInvitations(t *testing.T) {
	f := newFixture(t)
	end := storetest.Start.Add(3 * time.Hour)
	text := func(at time.Time) string { return at.Format("2006-01-02T15:04:05") }
	invite := func(title string) (event string) {
		event = f.CreateEvent(f.bea, title, text(end.Add(-time.Hour)))
		f.Write(func(tx *store.Tx) error {
			if _, err := f.Social.InviteToEvent(tx, f.bea, event, social.NewInvitation{Recipient: "ann"}); err != nil {
				return err
			}
			_, err := f.Social.MarkNotificationsRead(tx, f.ann, social.NotificationSelection{All: true})
			return err
		})
		f.wantBadges("after an invitation to "+title, "social 1 waiting")
		return event
	}
	party := invite("Party")
	f.Write(func(tx *store.Tx) error {
		_, _, err := f.Social.Respond(tx, f.ann, party, social.NewRSVP{Response: "declined"})
		return err
	})
	f.wantBadges("after a response")

	concert := invite("Concert")
	end = end.Add(-time.Hour)
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.UpdateEvent(tx, f.bea, concert, social.EventChange{Start: svc.Some(text(storetest.Start)), End: svc.Some(text(end))})
		return err
	})
	if _, expires := f.wantBadges("after a change of the end", "social 1 waiting"); !expires.Equal(end) {
		t.Errorf("got the expiry %v, want the new end of the event, %v", expires, end)
	}
}

// A surface of a thread or a conversation has the number of its unread messages. Covers
// B-106.
func TestSurfacesOfObjectsHaveTheirUnreadCounts(t *testing.T) {
	f := newFixture(t)
	f.SendMessage(f.bea, f.ann, "Hello")
	f.focus(f.ann, "bea") // the thread
	s, _ := f.wantBadges("a focused thread", "messages 1 unread")
	found := false
	for _, surface := range s.SurfaceRuntime.Surfaces {
		if surface.ServiceBinding.ResourceType == "panel" {
			continue
		}
		found = true
		if b := surface.Badge; b == nil || *b != (panel.Badge{Count: 1, Kind: panel.Unread}) {
			t.Errorf("surface %s: got the badge %v, want 1 unread", surface.Title, b)
		}
		if !surface.Removable || surface.Commands.RemoveSurface != "/world/surface/surfaces/"+surface.SurfaceID+"/remove" || surface.Icon != "message" {
			t.Errorf("surface %s: got removable %t, commands %+v and the icon %s", surface.Title, surface.Removable, surface.Commands, surface.Icon)
		}
	}
	if !found {
		t.Error("got no surface of the thread, want one")
	}
}

// The badges of a member are counted once for each change. A write to the workspace does
// not change them.
func TestBadgesAreCached(t *testing.T) {
	f := newFixture(t)
	f.SendMessage(f.bea, f.ann, "Hello")
	read := func(w *world.World, v svc.Viewer) (b world.Badges) {
		f.Read(func(tx *store.Tx) error { b = w.Badges(tx, v); return nil })
		return b
	}
	first := read(f.World, f.ann)
	f.ReplaceFindings(f.ann, worldtest.Place(1))
	if again := read(f.World, f.ann); again.Messages != first.Messages || again.Messages == nil {
		t.Errorf("after a write to the workspace: got the badge %p, want the cached one %p", again.Messages, first.Messages)
	}
	if b := read(f.World, f.bea); b.Messages != nil {
		t.Errorf("got the badge %v of the sender, want none", b.Messages)
	}
	storetest.Exec(t, f.DB, "ALTER TABLE social_notification RENAME TO lost")
	f.SendMessage(f.bea, f.ann, "Hello?")
	if b := read(f.World, f.ann); b.Messages == nil || b.Messages.Count != 2 || b.Social != nil {
		t.Errorf("while Social fails: got the badges %+v, want 2 unread messages", b)
	}
	if got := f.Hosted("social").State(); got != "degraded" {
		t.Errorf("got the state %s of Social, want degraded", got)
	}
	storetest.Exec(t, f.DB, "ALTER TABLE lost RENAME TO social_notification")
	if b := read(f.World, f.ann); b.Messages == nil || b.Messages.Count != 2 {
		t.Errorf("afterwards: got the badges %+v, want 2 unread messages", b)
	}
}
