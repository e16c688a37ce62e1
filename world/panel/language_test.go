package panel

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/calendar"
	"appliance/svc/calendar/index"
	"appliance/svc/find"
	"appliance/svc/identity"
	"appliance/svc/provider"
	"appliance/svc/words"
)

// wordedFields are the JSON fields whose value is a text for people.
var wordedFields = []string{"title", "summary", "label", "confirm", "text", "message", "remedy"}

// sameInGerman are texts that are the same in English and in German.
var sameInGerman = []string{
	"Export", "Version", "Server", "Passkeys", "Social", "Name", "Status", "Agenda",
	"Code", "ID", "URL", "English", "1.2.3", "UTC", "English · UTC", "ann", "Gold",
}

// wantLanguages compares a panel in English with the same panel in German. No worded text
// may be equal, except names and texts of members, which contain "§" or consist of no
// letters, and addresses, and sameInGerman. The panels must not differ in anything else.
func wantLanguages(t *testing.T, name string, english, german any) {
	t.Helper()
	a, b := texts(english), texts(german)
	if len(a) == 0 || !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
		t.Fatalf("%s: got the texts %v and %v, want texts in the same places", name, slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
	}
	for path, text := range a {
		field := path[strings.LastIndexByte(path, '.')+1:]
		switch {
		case !slices.Contains(wordedFields, field):
			if text != b[path] {
				t.Errorf("%s: %s: got %q and %q, want the same value", name, path, text, b[path])
			}
		case text == b[path] && strings.ContainsFunc(text, isLetter) && !strings.ContainsAny(text, "§@/") && !slices.Contains(sameInGerman, text):
			t.Errorf("%s: %s: got %q in German", name, path, text)
		}
	}
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// texts returns the strings of a JSON value by their paths. It omits hidden controls and
// options that are names.
func texts(v any) map[string]string {
	list := make(map[string]string)
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case string:
			list[path] = v
		case []any:
			for i, element := range v {
				walk(path+"["+store.JSON(i)+"]", element)
			}
		case map[string]any:
			if v["type"] == "hidden" {
				return
			}
			for key, element := range v {
				if key == "options" && (v["id"] == "locale" || v["id"] == "formats") {
					continue // in the language that they name, and in that of the account
				}
				walk(path+"."+key, element)
			}
		}
	}
	var decoded any
	if err := json.Unmarshal([]byte(store.JSON(v)), &decoded); err != nil {
		panic(err)
	}
	walk("", decoded)
	return list
}

// inBothLanguages compares the results of render for a viewer who reads English and for
// the same viewer in German.
func inBothLanguages[P any](t *testing.T, name string, v svc.Viewer, render func(svc.Viewer) P) {
	t.Helper()
	wantLanguages(t, name, render(v), render(v.In(words.German)))
}

// newLanguageFixture returns a fixture in which the names of ann contain "§".
func newLanguageFixture(t *testing.T) *fixture {
	f := newFixture(t)
	f.Fill(func(tx *store.Tx) error {
		calendars, err := f.Calendar.Calendars(tx, f.ann)
		if err != nil {
			return err
		}
		_, err = f.Calendar.UpdateCalendar(tx, f.ann, calendars[0].ID, calendar.CalendarChange{Name: svc.Some("Home §")})
		return err
	})
	for _, body := range []string{
		`{"object_type": "calendar_event", "title": "Choir §", "start": "2026-12-22T19:00:00", "rrule": "FREQ=WEEKLY;COUNT=3", "location": "Hall §"}`,
		`{"object_type": "calendar_event", "title": "Fair §", "start": "2026-12-23", "all_day": true}`,
		`{"object_type": "task", "title": "Taxes §", "due": "2026-12-23"}`,
	} {
		f.Create(f.ann, body)
	}
	done := f.Create(f.ann, `{"object_type": "task", "title": "Bins §", "due": "2026-11-20"}`)
	f.Patch(f.ann, done.ID, `{"status": "completed"}`)
	return f
}

func TestPanelOfTimeIsInTheLanguageOfTheMember(t *testing.T) {
	f := newLanguageFixture(t)
	panel := func(v svc.Viewer, view index.View, date string) (p TimePanel) {
		f.Read(func(tx *store.Tx) error {
			w, err := f.Index.Workspace(tx, v, index.WorkspaceQuery{View: view, Date: date, Zone: time.UTC})
			locale := "en-GB"
			if v.Language() == words.German {
				locale = "de"
			}
			w.AppointmentsTruncated, w.TasksTruncated = date == "2026-12-24", date == "2026-12-24"
			p = NewTimePanel(w, TimeOptions{Language: v.Language(), Locale: locale})
			return err
		})
		return p
	}
	for _, view := range index.View("").Values() {
		for _, date := range []string{"2026-12-22", "2026-12-24", "2027-06-01"} {
			inBothLanguages(t, view+" "+date, f.ann, func(v svc.Viewer) TimePanel { return panel(v, index.View(view), date) })
		}
	}
	week := panel(f.ann.In(words.German), "week", "2026-12-22")
	want(t, "summary", week.Summary, "21. Dezember – 27. Dezember 2026 · 2 Termine, 1 Aufgabe")
	want(t, "item", week.Sections[0].Items[0].Summary, "Di 22. Dez 18:00 · Hall § · Home §")
	want(t, "recurrence", week.Appointments[0].State.Recurrence.Text, "Jede Woche am Dienstag, 3-mal")
	metadata := store.JSON(week.Sections[0].Items[0].Metadata)
	for _, part := range []string{`"2026-12-22T19:00:00"`, `"Hall §"`, `"Home §"`} {
		if !strings.Contains(metadata, part) {
			t.Errorf("got the metadata %s, want the part %s of the summary", metadata, part)
		}
	}
}

func TestPanelOfFindIsInTheLanguageOfTheMember(t *testing.T) {
	place := "Lisbon §"
	for name, available := range map[string]find.Available{"nothing": {}, "loading": {Loading: true}, "places": {Local: true}, "pages": {Web: true}, "all": {Geocoder: true, Web: true}} {
		s := FindState{Available: available}
		if name != "nothing" {
			s.Findings = []svc.Finding{{FindingID: "osm:1", Title: "Café §", Summary: "Main St §"}}
			s.History = []find.QueryRecord{
				{Query: "§", Scope: "nearby", AppliedScope: "nearby", Status: "ok", FindingCount: 1}, {Query: "§", Place: &place, Status: "provider_error"},
				{Query: "§", Scope: "nearby", AppliedScope: "nearby", Status: "location_required"}, {Query: "§", Scope: "everywhere", Status: "ok"},
			}
		}
		inBothLanguages(t, name, svc.Viewer{}, func(v svc.Viewer) FindPanel { return NewFindPanel(v.Language(), s) })
	}
}

func TestSettingsAreInTheLanguageOfTheMember(t *testing.T) {
	f := newLanguageFixture(t)
	deleted := f.Create(f.ann, `{"object_type": "task", "title": "Old §"}`)
	f.Delete(f.ann, deleted.ID)
	f.Fill(func(tx *store.Tx) error {
		calendars, err := f.Calendar.Calendars(tx, f.ann)
		if err == nil {
			_, err = f.Calendar.CreateFeed(tx, f.ann, calendars[0].ID, calendar.FeedDetails)
		}
		if err == nil {
			_, err = f.panels.Members.AddDevice(tx, f.ann, "Phone §")
		}
		return err
	})
	for _, off := range [][]string{nil, {"time", "social"}} {
		for _, settings := range settingsViews {
			view := settings.id
			if view == "blocks" && off == nil {
				continue // the items are those of Social
			}
			inBothLanguages(t, view, f.ann, func(v svc.Viewer) SettingsPanel {
				p, err := f.settingsPanel(identity.Authentication{Viewer: v}, view, off...)
				if err != nil {
					t.Fatal(err)
				}
				return p
			})
		}
	}
}

func TestAdministrationIsInTheLanguageOfTheOperator(t *testing.T) {
	f := newLanguageFixture(t)
	o := newOperatorPanels(f, identity.Config{})
	o.Server.Backups = []ServerBackup{{Name: "a§.db", Kind: "nightly", CreatedAt: f.DB.Now(), Verified: true}, {Name: "b§.db", Kind: "before_upgrade", CreatedAt: f.DB.Now()}}
	o.Server.BackupJob = &BackupJob{State: "done", Kind: "manual", Name: "c§.db"}
	o.Server.Health.LastBackup = &LastBackup{Name: "a§.db", CreatedAt: f.DB.Now()}
	o.Server.OperatorsFixed = "variable ADMIN_ALLOWED_EMAILS"
	f.Fill(func(tx *store.Tx) error {
		for _, v := range []svc.Viewer{f.ann, f.bea, f.dan} {
			if err := f.panels.Members.Rename(tx, v, v.String()+" §"); err != nil {
				return err
			}
		}
		by, err := o.Identity.Operator(tx, f.ann)
		if err != nil {
			return err
		}
		if _, err := o.Identity.Invite(tx, by, ""); err != nil {
			return err
		}
		if _, err := o.Identity.Invite(tx, by, "new@example.org"); err != nil {
			return err
		}
		return o.Providers.Add(tx, provider.Registration{ID: "library", Label: "Library §", SourceURL: "https://library.example.org/world", Secret: []byte("x"), Interval: time.Hour})
	})
	f.Fill(func(tx *store.Tx) error { _, err := o.Identity.Tokens(tx, f.ann.Member()); return err })
	for _, state := range []string{"ok", "warning", "problem"} {
		o.Server.Health.State = HealthState(state)
		inBothLanguages(t, "overview "+state, f.ann, func(v svc.Viewer) OperatorPanel { return f.operatorPanelOf(v, o, OperatorQuery{}) })
	}
	for _, view := range operatorViews {
		for _, member := range []string{"", "2"} {
			inBothLanguages(t, view.id+" "+member, f.ann, func(v svc.Viewer) OperatorPanel {
				return f.operatorPanelOf(v, o, OperatorQuery{View: view.id, Member: member})
			})
		}
	}
	inBothLanguages(t, "first page", f.ann, func(v svc.Viewer) OperatorPanel {
		return f.operatorPanelOf(v, o, OperatorQuery{View: "members", Limit: 1})
	})
	german := f.operatorPanelOf(f.ann.In(words.German), o, OperatorQuery{View: "members", Member: "2"})
	want(t, "summary", german.Summary, "keine Sitzungen · keine Gerätepasswörter · Die Variable ADMIN_ALLOWED_EMAILS legt die Betreiber fest")
}
