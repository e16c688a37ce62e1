package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Covers W-120 to W-126, W-134 to W-138.
func TestPanelsHaveNavigationSectionsAndForms(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	s.Ann.ReplaceOverlay(apptest.Finding("1"))
	for _, c := range []*apptest.Client{s.Ann, s.Member("eve")} {
		for _, panel := range []string{"social", "time", "find", "messages", "messages/rail"} {
			wantPanel(t, c, panel)
		}
		for _, none := range []string{"maps", "surface", "identity", "rail", "find/rail"} {
			c.Do("GET", "/world/panels/"+none).WantError(404, "not_found")
		}
	}
}

// wantPanel fails the test unless the panel has its fields and its navigation
// items can be followed.
func wantPanel(t *testing.T, c *apptest.Client, panel string) {
	t.Helper()
	a := c.Do("GET", "/world/panels/"+panel).Want(200)
	a.WantSchema("service.world.panel", a.At(""))
	kind, _, _ := strings.Cut(panel, "/")
	a.WantValues("", map[string]any{"kind": kind})
	wantText := func(about string, v any) {
		if text, _ := v.(string); text == "" || strings.Contains(text, "\n") {
			t.Errorf("%s: %s: got %v, want one line of text", a.About, about, v)
		}
	}
	for _, key := range []string{"view", "title", "summary"} {
		wantText(key, a.At(key))
	}
	if _, ok := a.At("actions").(map[string]any); !ok {
		t.Errorf("%s: actions: got %v, want an object", a.About, a.At("actions"))
	}
	for _, item := range a.List("nav") {
		wantText("id of a navigation item", apptest.At(item, "id"))
		wantText("label of a navigation item", apptest.At(item, "label"))
		if url, ok := apptest.At(item, "action").(string); ok {
			c.Do("GET", url).Want(200)
		}
	}
	for _, section := range a.List("sections") {
		items := apptest.At(section, "items").([]any)
		wantText("title of a section", apptest.At(section, "title"))
		if len(items) == 0 {
			wantText("summary of an empty section", apptest.At(section, "summary"))
		}
		for _, item := range items {
			wantText("id of an item", apptest.At(item, "id"))
			wantText("title of an item", apptest.At(item, "title"))
		}
	}
	for _, form := range a.List("action_descriptors") {
		wantText("id of a form", apptest.At(form, "id"))
		wantText("label of a form", apptest.At(form, "label"))
		if apptest.At(form, "type") != "submit_form" || !strings.HasPrefix(apptest.At(form, "url").(string), "/world/") {
			t.Errorf("%s: form: got %v, want submit_form with a URL below /world/", a.About, form)
		}
		for _, control := range apptest.At(form, "controls").([]any) {
			wantText("id of a control", apptest.At(control, "id"))
			wantText("label of a control", apptest.At(control, "label"))
			if _, ok := apptest.At(control, "required").(bool); !ok {
				t.Errorf("%s: control %v: got required %v, want a boolean", a.About, apptest.At(control, "id"), apptest.At(control, "required"))
			}
		}
	}
}

// Covers W-135 and W-136.
func TestMessagesPanelMatchesItsSchema(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	id := strings.TrimPrefix(bea.SendMessage("ann", "Hello"), "/world/messages/")
	for _, query := range []string{"", "?thread=" + id} {
		a := ann.Do("GET", "/world/panels/messages"+query).Want(200)
		a.WantSchema("service.messages.panel", a.At(""))
	}
}

// On a server without places and search servers, the Find panel reports that there is nothing to
// search and shows the findings in the overlay. Covers W-129, and W-120, W-122, W-130, W-137 and
// W-138 for Find.
func TestFindPanelShowsTheOverlay(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann, bea := s.Member("ann"), s.Member("bea")
	empty := ann.Do("GET", "/world/panels/find").Want(200)
	empty.WantSchema("service.find.panel", empty.At(""))
	empty.WantValues("", map[string]any{
		"kind": "find", "summary": "There is nothing to search yet. The operator imports a region or configures a search server.", "findings": "[]",
		"action_descriptors.0.id": "find", "actions": "map[find:/world/find/query]", "composer.query": "", "composer.scope": "nearby",
		"composer.scopes": "[map[available:false label:Nearby value:nearby] map[available:false label:Everywhere value:everywhere]]",
	})
	if got, want := fmt.Sprint(empty.Values("sections", "title")), "[Recent Providers Results]"; got != want {
		t.Errorf("sections: got %s, want %s", got, want)
	}
	ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	a := ann.Do("GET", "/world/panels/find").Want(200)
	a.WantSchema("service.find.panel", a.At(""))
	for _, f := range a.List("findings") {
		a.WantSchema("service.find.finding", f)
	}
	a.WantValues("", map[string]any{
		"findings.0.title": "Café 1", "findings.1.title": "Café 2", "sections.2.summary": "2 results", "sections.2.items.0.id": a.At("findings.0.finding_id"),
	})
	if got, want := fmt.Sprint(a.Titles("Results")), "Café 1, Café 2"; got != want {
		t.Errorf("results: got %s, want %s", got, want)
	}
	if got := bea.Do("GET", "/world/panels/find").Want(200).Body; got != empty.Body {
		t.Errorf("another member: got\n%s\nwant\n%s", got, empty.Body)
	}
	s.Unauthenticated().Do("GET", "/world/panels/find").WantError(401, "unauthenticated")
	ann.Do("POST", "/world/panels/find").WantError(405, "method_not_allowed")
	withoutSurface := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	withoutSurface.Member("ann").Do("GET", "/world/panels/find").Want(200).WantValues("", map[string]any{"sections.2.summary": "The findings cannot be read at the moment."})
}
