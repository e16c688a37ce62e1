package world_test

import (
	"maps"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar/edit"
	"appliance/svc/social"
	"appliance/svc/surface"
	"appliance/svc/words"
	"appliance/world"
)

// shownSurfaces returns the surfaces of ann with current titles: "title panel" by resource
// type.
func (f *fixture) shownSurfaces() map[string]string {
	f.T.Helper()
	carried, got := f.carriedSurfaces(f.ann), make(map[string]string)
	f.Read(func(tx *store.Tx) error {
		objects := f.World.ShownObjects(tx, f.ann, carried)
		for _, s := range carried {
			if s = objects.Apply(words.English, s); s.ServiceBinding.ResourceType != "panel" {
				got[s.ServiceBinding.ResourceType] = s.Title + map[bool]string{true: " (panel)", false: ""}[s.ContentSource != surface.ContentSource{}]
			}
		}
		return nil
	})
	return got
}

func TestSurfacesShowTheCurrentTitlesOfObjects(t *testing.T) {
	f := newFixture(t)
	for _, title := range []string{"Taxes", "Concert", "Trip"} {
		f.performAction(f.ann, "focus_object", title, world.Input{})
	}
	wantTitles := func(about string, want map[string]string) {
		t.Helper()
		if got := f.shownSurfaces(); !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", about, got, want)
		}
	}
	wantTitles("at first", map[string]string{"task": "Taxes", "event": "Concert (panel)", "conversation": "Trip (panel)"})
	f.Write(func(tx *store.Tx) error {
		_, err := f.Calendar.Patch(tx, f.ann, f.task, edit.ObjectChange{Change: edit.Change{Title: svc.Some("Taxes 2026")}}, nil)
		return err
	})
	f.Write(func(tx *store.Tx) error {
		_, err := f.Social.Block(tx, f.bea, social.NewBlock{MemberID: f.ann.Member()})
		return err
	})
	wantTitles("after a change and a block", map[string]string{"task": "Taxes 2026", "": "Concert", "conversation": "Trip (panel)"})
	f.Hosted("time").SwitchOff()
	f.Hosted("social").SwitchOff()
	wantTitles("without the services", map[string]string{"task": "Taxes", "event": "Concert (panel)", "conversation": "Trip (panel)"})
}

func TestSurfacesShowTheCurrentTitleOfAThread(t *testing.T) {
	f := newFixture(t)
	for _, o := range f.Dataset(f.ann, genericRequest).Objects {
		if o.ObjectType == "message_thread" {
			f.performAction(f.ann, "focus_object", o.Title, world.Input{})
		}
	}
	before := f.shownSurfaces()
	f.Write(func(tx *store.Tx) error { return f.Identity.Rename(tx, f.bea, "Beatrice") })
	for kind, title := range f.shownSurfaces() {
		if title != "Beatrice (panel)" || before[kind] != "bea (panel)" {
			t.Errorf("%s: got %q, then %q, want bea, then Beatrice", kind, before[kind], title)
		}
	}
	if len(before) == 0 {
		t.Error("got no surfaces, want one for the thread")
	}
}
