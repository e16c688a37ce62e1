package panel

import (
	"strings"
	"testing"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/identity"
	"appliance/svc/social"
)

// settingsPanel returns a view of the panel of settings. off lists the services that
// are switched off.
func (f *fixture) settingsPanel(caller identity.Authentication, view string, off ...string) (p SettingsPanel, err error) {
	f.T.Helper()
	panels := SettingsPanels{
		Identity: f.panels.Members, Calendar: f.Calendar, Social: f.panels.Social, Limiter: f.Storage,
		IsOff: func(service string) bool { return strings.Contains(strings.Join(off, " "), service) },
	}
	f.Read(func(tx *store.Tx) error {
		p, err = panels.Render(tx, caller, SettingsQuery{View: view})
		return nil
	})
	return p, err
}

// Each view has a title and a summary, an empty section gives the reason, and the names
// of forms are distinct, also while services are switched off. Covers W-120 and W-124.
func TestSettingsViewsAreComplete(t *testing.T) {
	f := newFixture(t)
	for _, off := range [][]string{nil, {"time", "social"}} {
		for _, settings := range settingsViews {
			view := settings.id
			p, err := f.settingsPanel(identity.Authentication{Viewer: f.ann}, view, off...)
			if err != nil {
				t.Fatalf("%s: %v", view, err)
			}
			if p.Kind != "settings" || p.View != view || p.Title == "" || p.Summary == "" || p.Member.ID != f.ann.Member() {
				t.Errorf("%s: got view %q, title %q, summary %q of member %d", view, p.View, p.Title, p.Summary, p.Member.ID)
			}
			for _, s := range p.Sections {
				if len(s.Items) == 0 && s.Summary == "" {
					t.Errorf("%s: section %s: got no summary, want one", view, s.Title)
				}
			}
			ids := make(map[string]bool)
			for _, d := range p.ActionDescriptors {
				if ids[d.ID] {
					t.Errorf("%s: got the form %s twice", view, d.ID)
				}
				ids[d.ID] = true
			}
		}
	}
	if _, err := f.settingsPanel(identity.Authentication{Viewer: f.ann}, "nope"); svc.KindOf(err) != svc.Malformed {
		t.Errorf("unknown view: got %v, want a parameter error", err)
	}
}

// Items have the buttons and forms that their state permits.
func TestSettingsShowItemsWithTheirActions(t *testing.T) {
	f := newFixture(t)
	calendars := write(f, func(tx *store.Tx) (string, error) {
		list, err := f.Calendar.Calendars(tx, f.ann)
		if err == nil {
			_, err = f.Calendar.CreateFeed(tx, f.ann, list[0].ID, calendar.FeedDetails)
		}
		return list[0].ID, err
	})
	task := f.Create(f.ann, `{"object_type": "task", "title": "Taxes"}`)
	f.Fill(func(tx *store.Tx) error { return f.panels.Members.Rename(tx, f.bea, "Bea") })
	write(f, func(tx *store.Tx) (social.Block, error) {
		return f.panels.Social.Block(tx, f.ann, social.NewBlock{MemberID: f.bea.Member()})
	})
	write(f, func(tx *store.Tx) (identity.NewDevice, error) { return f.panels.Members.AddDevice(tx, f.ann, "Phone") })
	caller := identity.Authentication{Viewer: f.ann}
	view := func(id string) SettingsPanel {
		p, err := f.settingsPanel(caller, id)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := view("calendars")
	want(t, "calendars", section(t, p.Panel, "Calendars"),
		"Calendar: Default calendar · Anyone with the link created 21 November 2026 can read this calendar [Open, Export as .ics file, Stop sharing]")
	if item := p.Sections[0].Items[0]; item.ID != calendars || len(item.ActionDescriptors) != 4 || item.ActionDescriptors[0].ID != "update" || item.ActionDescriptors[1].ID != "arrange" || item.ActionDescriptors[2].ID != "import" || item.ActionDescriptors[3].ID != "create_feed" {
		t.Errorf("calendar: got the forms %+v of %s, want update, arrange, import and create_feed", item.ActionDescriptors, item.ID)
	}
	want(t, "empty trash", section(t, p.Panel, "Trash"), "The trash is empty. Deleted entries and calendars can be restored from here for 30 days.")
	want(t, "forms without a trash", formsOf(p.Panel), "create_calendar: name color timezone")
	f.Delete(f.ann, task.ID)
	p = view("calendars")
	want(t, "trash", section(t, p.Panel, "Trash"), "Taxes: From Calendar · deleted 21 November 2026 · kept until 21 December 2026 [Restore, Delete permanently]")
	want(t, "forms with a trash", formsOf(p.Panel), "create_calendar: name color timezone\nempty_trash: ")
	want(t, "devices", section(t, view("devices").Panel, "Device passwords"), "Phone: Created 21 November 2026 · never used [Remove Phone]")
	want(t, "blocks", section(t, view("blocks").Panel, "Blocked members"), "Bea:  [Unblock Bea]")
	want(t, "forms of the profile", formsOf(view("profile").Panel), "update: display_name timezone locale formats\nsign_in_details: email username current_password\nsign_out: ")
	want(t, "forms of the appearance", formsOf(view("appearance").Panel), "appearance: locale formats timezone\nset_preferences: day_start day_end week_start slot_minutes")
	want(t, "forms of the sessions", formsOf(view("sessions").Panel), "sign_out: \nsign_out_others: \nsign_out_everywhere: ")
}

// A member who must add a second factor has one view, which is also the default.
// Covers B-108.
func TestSettingsOfAnEnrollingMemberHaveOneView(t *testing.T) {
	f := newFixture(t)
	p, err := f.settingsPanel(identity.Authentication{Viewer: f.ann, MustEnroll: true}, "")
	if err != nil || p.View != FactorView || len(p.Nav) != 1 {
		t.Errorf("got the view %q of %d, %v, want only %s", p.View, len(p.Nav), err, FactorView)
	}
	if _, err := f.settingsPanel(identity.Authentication{Viewer: f.ann, MustEnroll: true}, "profile"); svc.KindOf(err) != svc.Malformed {
		t.Errorf("another view: got %v, want an error", err)
	}
}

// The app opens each field of the form of the appearance from the item with its id, so each field needs an item.
func TestAppearanceHasAnItemForEachField(t *testing.T) {
	f := newFixture(t)
	p, err := f.settingsPanel(identity.Authentication{Viewer: f.ann}, "appearance")
	if err != nil {
		t.Fatal(err)
	}
	var items, fields []string
	for _, item := range p.Sections[0].Items {
		items = append(items, item.ID+": "+item.Title)
	}
	for _, control := range p.ActionDescriptors[0].Controls {
		fields = append(fields, control.ID+": "+control.Label)
	}
	want(t, "items", strings.Join(items, "\n"), strings.Join(fields, "\n"))
}
