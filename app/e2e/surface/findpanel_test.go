package surface

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Every panel is as panels are, for somebody who is new and for somebody who
// is not. Covers W-120, W-121, W-122, W-123, W-124, W-125, W-126, W-134, W-135,
// W-136, W-137 and W-138.
func TestPanels(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	s.Ann.ReplaceOverlay(apptest.Finding("1"))
	id := s.Ann.Do("GET", "/world/messages").Str("threads.0.id")
	for _, c := range []*apptest.Client{s.Ann, s.Member("eve")} {
		for _, panel := range []string{"social", "time", "find", "messages", "messages/rail"} {
			a := c.Do("GET", "/world/panels/"+panel).Want(200)
			a.WantSchema("service.world.panel", a.At(""))
			if kind, _, _ := strings.Cut(panel, "/"); a.Str("kind") != kind {
				t.Errorf("%s is of the kind %s", a.About, a.Str("kind"))
			}
			for _, text := range []string{"view", "title", "summary"} {
				if a.Str(text) == "" || strings.Contains(a.Str(text), "\n") {
					t.Errorf("%s: the %s is %q", a.About, text, a.Str(text))
				}
			}
			if _, ok := a.At("actions").(map[string]any); !ok {
				t.Errorf("%s: actions are %v", a.About, a.At("actions"))
			}
			for _, item := range a.List("nav") {
				if apptest.At(item, "id") == "" || apptest.At(item, "label") == "" {
					t.Errorf("%s leads to %v", a.About, item)
				}
				if url, ok := apptest.At(item, "action").(string); ok {
					c.Do("GET", url).Want(200)
				}
			}
			for _, section := range a.List("sections") {
				items := apptest.At(section, "items").([]any)
				if apptest.At(section, "title") == "" || len(items) == 0 && apptest.At(section, "summary") == "" {
					t.Errorf("%s has %v", a.About, section)
				}
				for _, item := range items {
					if apptest.At(item, "id") == "" || apptest.At(item, "title") == "" {
						t.Errorf("%s has the item %v", a.About, item)
					}
				}
			}
			for _, form := range a.List("action_descriptors") {
				if apptest.At(form, "type") != "submit_form" || apptest.At(form, "id") == "" || apptest.At(form, "label") == "" || !strings.HasPrefix(apptest.At(form, "url").(string), "/world/") {
					t.Errorf("%s has the form %v", a.About, form)
				}
				for _, control := range apptest.At(form, "controls").([]any) {
					if _, ok := apptest.At(control, "required").(bool); !ok || apptest.At(control, "id") == "" || apptest.At(control, "label") == "" {
						t.Errorf("%s has the control %v", a.About, control)
					}
				}
			}
		}
		for _, none := range []string{"maps", "surface", "identity", "rail", "find/rail"} {
			c.Do("GET", "/world/panels/"+none).WantError(404, "not_found")
		}
	}
	messages := s.Ann.Do("GET", "/world/panels/messages").Want(200)
	messages.WantSchema("service.messages.panel", messages.At(""))
	if messages.Str("actions.start_thread") != "/world/messages" || messages.At("selected_thread") != nil || len(messages.List("messages")) != 0 {
		t.Errorf("messages: %s", messages.Body)
	}
	selected := s.Ann.Do("GET", "/world/panels/messages?thread="+id).Want(200)
	for _, m := range selected.List("messages") {
		if apptest.At(m, "thread_id") != selected.Str("selected_thread.id") || apptest.At(m, "thread_id") != id {
			t.Errorf("%v is a message of another thread", m)
		}
	}
	rail := s.Ann.Do("GET", "/world/panels/messages/rail").Want(200)
	if rail.Str("sections.0.title") != "Threads" || rail.Str("action_descriptors.0.url") != "/world/messages" || rail.Str("action_descriptors.0.type") != "submit_form" {
		t.Errorf("the rail is %s", rail.Body)
	}
}

// The panel of Find says that nothing can be searched here, offers nothing
// that is not there, and shows what others have found. Covers W-129, and W-120,
// W-122, W-130, W-137 and W-138 as far as Find goes.
func TestFindPanel(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	empty := ann.Do("GET", "/world/panels/find").Want(200)
	empty.WantSchema("service.find.panel", empty.At(""))
	if empty.Str("kind") != "find" || empty.Str("summary") != "Search is not part of this server." || len(empty.List("findings")) != 0 ||
		len(empty.List("action_descriptors")) != 0 || len(empty.At("actions").(map[string]any)) != 0 {
		t.Errorf("without findings it is %s", empty.Body)
	}
	if got := fmt.Sprint(empty.At("composer")); got != "map[query: scope:nearby scopes:[map[available:false label:Nearby value:nearby] map[available:false label:Everywhere value:everywhere]]]" {
		t.Errorf("the composer is %s", got)
	}
	if got := apptest.Column(empty.List("sections"), "title"); !slices.Equal(got, []string{"Recent", "Providers", "Results"}) {
		t.Errorf("the sections are %v", got)
	}
	ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	a := ann.Do("GET", "/world/panels/find").Want(200)
	a.WantSchema("service.find.panel", a.At(""))
	for _, f := range a.List("findings") {
		a.WantSchema("service.find.finding", f)
	}
	if got := fmt.Sprint(apptest.Column(a.List("findings"), "title"), a.Str("sections.2.summary"), a.Titles("Results")); got != "[Café 1 Café 2]2 foundCafé 1, Café 2" {
		t.Errorf("there are %s", got)
	}
	if a.Str("sections.2.items.0.id") != a.Str("findings.0.finding_id") {
		t.Errorf("the results are %v", a.At("sections.2"))
	}
	if others := bea.Do("GET", "/world/panels/find").Want(200); others.Body != empty.Body {
		t.Errorf("bea is shown %s", others.Body)
	}
	h.Unauthenticated().Do("GET", "/world/panels/find").WantError(401, "unauthenticated")
	ann.Do("POST", "/world/panels/find").WantError(405, "method_not_allowed")
	off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	if a := off.Member("ann").Do("GET", "/world/panels/find").Want(200); a.Str("sections.2.summary") != "The findings cannot be read at the moment." {
		t.Errorf("without surfaces it is %s", a.Body)
	}
}
