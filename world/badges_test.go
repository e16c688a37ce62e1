package world_test

import (
	"slices"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/edit"
	"appliance/svc/calendar/view"
	"appliance/svc/identity"
	"appliance/svc/surface"
	"appliance/svc/words"
	"appliance/world"
	"appliance/world/panel"
)

func (f *fixture) badges(v svc.Viewer) (b world.Badges) {
	f.T.Helper()
	f.Read(func(tx *store.Tx) error {
		b = f.World.Badges(tx, v)
		return nil
	})
	return b
}

// wantBadge fails the test unless a service has a badge; want 0 is none.
func (f *fixture) wantBadge(about, service string, want int64, kind panel.BadgeKind) {
	f.T.Helper()
	got := f.badges(f.ann).Of(service)
	if want == 0 && got == nil {
		return
	}
	if got == nil || got.Count != want || got.Kind != kind {
		f.T.Errorf("%s: got the badge %+v of %s, want %d %s", about, got, service, want, kind)
	}
}

// Badges count unread records and pending invitations and tasks. They change at once.
func TestBadgesCountUnreadAndPendingRecords(t *testing.T) {
	f := newFixture(t)
	f.wantBadge("a message", "messages", 1, panel.Unread)
	f.wantBadge("nothing due", "time", 0, "")
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.Create(tx, f.ann, calendar.NewObject{ObjectType: view.TaskType, Change: edit.Change{Title: svc.Some("Bins"), Due: svc.Some("2026-11-22")}})
		return err
	})
	f.wantBadge("a task of tomorrow", "time", 0, "")
	f.Clock.Advance(24 * time.Hour) // without a write
	f.wantBadge("a task of today", "time", 1, panel.Due)
	if before := f.badges(f.ann).Social; before == nil || before.Kind != panel.Unread {
		t.Errorf("a direct message: got the badge %+v, want unread notifications", before)
	}
	f.SendMessage(f.bea, f.ann, "Again")
	f.wantBadge("another message", "messages", 2, panel.Unread)
	if got := f.badges(f.bea).Messages; got != nil {
		t.Errorf("the sender: got the badge %+v, want none", got)
	}
	if got := f.badges(f.ann).Of("maps"); got != nil {
		t.Errorf("a service without badges: got %+v, want none", got)
	}
}

// A service that is off or fails has no badge, and those of the others are shown. A badge
// that could not be counted is counted again.
func TestBadgesOfOtherServicesAreShownAfterAFailure(t *testing.T) {
	f := newFixture(t)
	storetest.Exec(t, f.DB, "ALTER TABLE messages_participant RENAME TO lost")
	f.wantBadge("a failure", "messages", 0, "")
	if got := f.Hosted("messages").State(); got != "degraded" {
		t.Errorf("a failure: got the state %s, want degraded", got)
	}
	if got := f.badges(f.ann).Social; got == nil {
		t.Error("a failure of another service: got no badge of Social, want one")
	}
	storetest.Exec(t, f.DB, "ALTER TABLE lost RENAME TO messages_participant")
	f.wantBadge("after the failure", "messages", 1, panel.Unread)
	f.Hosted("messages").SwitchOff()
	f.wantBadge("switched off", "messages", 0, "")
}

// A surface shows the number of its object, or that of the service whose panel it shows.
func TestSurfaceHasTheBadgeOfItsObjectOrService(t *testing.T) {
	f := newFixture(t)
	for _, o := range f.Dataset(f.ann, genericRequest).Objects {
		if o.ObjectType == "message_thread" {
			f.performAction(f.ann, "focus_object", o.Title, world.Input{})
		}
	}
	f.Read(func(tx *store.Tx) error {
		list := f.carriedSurfaces(f.ann)
		p := f.World.Present(tx, f.ann, list)
		var got []string
		for _, s := range list {
			b := s.ServiceBinding
			if badge := p.BadgeOf(s); badge != nil {
				got = append(got, b.ServiceID+" "+b.ResourceType)
			}
			if b.ResourceType == "panel" && b.ResourceID == "profile" && p.BadgeOf(s) != nil {
				t.Errorf("panel of the profile: got a badge, want none")
			}
		}
		slices.Sort(got)
		if want := []string{"messages panel", "messages thread", "social panel"}; !slices.Equal(slices.Compact(got), want) {
			t.Errorf("got the badges of %q, want %q", got, want)
		}
		if badge := p.BadgeOf(surface.Surface{}); badge != nil {
			t.Errorf("a surface of nothing: got the badge %+v, want none", badge)
		}
		return nil
	})
}

// A carried place is open or closed at the time of the read, and its texts are in the
// language of the member. The stored surface does not change. Covers W-45.
func TestPlacesArePresentedInTheLanguageAndTimeOfTheReader(t *testing.T) {
	f := newFixture(t)
	cafe := svc.Finding{
		FindingID: "osm:1", SourceService: "maps", ObjectType: "place", Title: "Anna", Summary: "Café · 1 High Street",
		Payload: svc.Map{
			"latitude": 52.5, "longitude": 13.4, "kind": "Café", "kind_id": "amenity=cafe", "country": "DE", "opening_hours": "Mo-Su 08:00-18:00",
			"provider": "osm", "provider_id": "1",
		},
	}
	bench := svc.Finding{
		FindingID: "osm:2", SourceService: "maps", ObjectType: "place", Title: "Pharmacy", Summary: "Pharmacy",
		Payload: svc.Map{"latitude": 52.5, "longitude": 13.4, "kind": "Pharmacy", "kind_id": "amenity=pharmacy", "unnamed": true},
	}
	f.ReplaceFindings(f.ann, cafe, bench)
	for _, title := range []string{"Anna", "Pharmacy"} {
		f.performAction(f.ann, "open_finding", title, world.Input{})
	}
	f.Write(func(tx *store.Tx) error {
		_, err := f.Identity.UpdateProfile(tx, f.ann, identity.ProfileChanges{Locale: new("de")})
		return err
	})
	german := f.ann
	f.Read(func(tx *store.Tx) (err error) {
		german, err = f.Identity.OnBehalf(tx, f.ann.Member())
		return err
	})
	for _, c := range []struct {
		after time.Duration
		open  bool
	}{{0, true}, {12 * time.Hour, false}} { // the clock is at 10:00 in Berlin
		f.Clock.Advance(c.after)
		f.Read(func(tx *store.Tx) error {
			list := f.carriedSurfaces(f.ann)
			p := f.World.Present(tx, german, list)
			if p.Expires.IsZero() || p.Expires.After(tx.Now().Add(12*time.Hour)) {
				t.Errorf("after %v: got an expiry at %v, want the next change of the café", c.after, p.Expires)
			}
			titles := ""
			for _, s := range list {
				if s.RuntimeState.Finding == nil {
					continue
				}
				titles += s.Title + ", " + s.RuntimeState.Finding.Summary + "; "
				if payload := s.RuntimeState.Finding.Payload; payload["kind_id"] == "amenity=cafe" && *payload["open_now"].(*bool) != c.open {
					t.Errorf("after %v: got open %v, want %v", c.after, *payload["open_now"].(*bool), c.open)
				}
			}
			if want := "Anna, Café · 1 High Street; Apotheke, Apotheke; "; titles != want {
				t.Errorf("after %v: got %q, want %q", c.after, titles, want)
			}
			return nil
		})
	}
	f.Read(func(tx *store.Tx) error {
		found := f.World.PresentFindings(words.German, tx.Now(), []svc.Finding{bench})
		if found[0].Title != "Apotheke" || bench.Title != "Pharmacy" {
			t.Errorf("got the finding %q from %q, want a German copy", found[0].Title, bench.Title)
		}
		if layers := f.World.MapLayers(tx, words.German, nil); layers != nil {
			t.Errorf("no surface with a map: got the layers %v, want none", layers)
		}
		if layers := f.World.MapLayers(tx, words.German, f.carriedSurfaces(f.ann)); len(layers) == 0 {
			t.Error("a surface with a map: got no layers, want some")
		}
		f.Hosted("maps").SwitchOff()
		if layers := f.World.MapLayers(tx, words.German, f.carriedSurfaces(f.ann)); layers != nil {
			t.Errorf("without Maps: got the layers %v, want none", layers)
		}
		return nil
	})
}
