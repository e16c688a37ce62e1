package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/config"
)

// Every panel is as panels are, for somebody who is new and for somebody who
// is not. Covers W-120, W-121, W-122, W-123, W-124, W-125, W-126, W-134, W-135,
// W-136, W-137 and W-138.
func TestPanels(t *testing.T) {
	s := newStreet(t)
	s.ann.settle()
	s.bea.tell("ann", "Hello")
	s.ann.finds(cafe("1"))
	id := s.ann.do("GET", "/world/messages").str("threads.0.id")
	for _, c := range []*client{s.ann, s.member("eve")} {
		for _, panel := range []string{"social", "time", "find", "messages", "messages/rail"} {
			a := c.do("GET", "/world/panels/"+panel).want(200)
			a.fits("service.world.panel", a.at(""))
			if kind, _, _ := strings.Cut(panel, "/"); a.str("kind") != kind {
				t.Errorf("%s is of the kind %s", a.about, a.str("kind"))
			}
			for _, text := range []string{"view", "title", "summary"} {
				if a.str(text) == "" || strings.Contains(a.str(text), "\n") {
					t.Errorf("%s: the %s is %q", a.about, text, a.str(text))
				}
			}
			if _, ok := a.at("actions").(map[string]any); !ok {
				t.Errorf("%s: actions are %v", a.about, a.at("actions"))
			}
			for _, item := range a.list("nav") {
				if dig(item, "id") == "" || dig(item, "label") == "" {
					t.Errorf("%s leads to %v", a.about, item)
				}
				if url, ok := dig(item, "action").(string); ok {
					c.do("GET", url).want(200)
				}
			}
			for _, section := range a.list("sections") {
				items := dig(section, "items").([]any)
				if dig(section, "title") == "" || len(items) == 0 && dig(section, "summary") == "" {
					t.Errorf("%s has %v", a.about, section)
				}
				for _, item := range items {
					if dig(item, "id") == "" || dig(item, "title") == "" {
						t.Errorf("%s has the item %v", a.about, item)
					}
				}
			}
			for _, form := range a.list("action_descriptors") {
				if dig(form, "type") != "submit_form" || dig(form, "id") == "" || dig(form, "label") == "" || !strings.HasPrefix(dig(form, "url").(string), "/world/") {
					t.Errorf("%s has the form %v", a.about, form)
				}
				for _, control := range dig(form, "controls").([]any) {
					if _, ok := dig(control, "required").(bool); !ok || dig(control, "id") == "" || dig(control, "label") == "" {
						t.Errorf("%s has the control %v", a.about, control)
					}
				}
			}
		}
		for _, none := range []string{"maps", "surface", "identity", "rail", "find/rail"} {
			c.do("GET", "/world/panels/"+none).refused(404, "not_found")
		}
	}
	messages := s.ann.do("GET", "/world/panels/messages").want(200)
	messages.fits("service.messages.panel", messages.at(""))
	if messages.str("actions.start_thread") != "/world/messages" || messages.at("selected_thread") != nil || len(messages.list("messages")) != 0 {
		t.Errorf("messages: %s", messages.body)
	}
	selected := s.ann.do("GET", "/world/panels/messages?thread="+id).want(200)
	for _, m := range selected.list("messages") {
		if dig(m, "thread_id") != selected.str("selected_thread.id") || dig(m, "thread_id") != id {
			t.Errorf("%v is a message of another thread", m)
		}
	}
	rail := s.ann.do("GET", "/world/panels/messages/rail").want(200)
	if rail.str("sections.0.title") != "Threads" || rail.str("action_descriptors.0.url") != "/world/messages" || rail.str("action_descriptors.0.type") != "submit_form" {
		t.Errorf("the rail is %s", rail.body)
	}
}

// The panel of Find says that nothing can be searched here, offers nothing
// that is not there, and shows what others have found. Covers W-129, and W-120,
// W-122, W-130, W-137 and W-138 as far as Find goes.
func TestFindPanel(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	empty := ann.do("GET", "/world/panels/find").want(200)
	empty.fits("service.find.panel", empty.at(""))
	if empty.str("kind") != "find" || empty.str("summary") != "Search is not part of this server." || len(empty.list("findings")) != 0 ||
		len(empty.list("action_descriptors")) != 0 || len(empty.at("actions").(map[string]any)) != 0 {
		t.Errorf("without findings it is %s", empty.body)
	}
	if got := fmt.Sprint(empty.at("composer")); got != "map[query: scope:nearby scopes:[map[available:false label:Nearby value:nearby] map[available:false label:Everywhere value:everywhere]]]" {
		t.Errorf("the composer is %s", got)
	}
	if got := textsAt(empty.list("sections"), "title"); !slices.Equal(got, []string{"Recent", "Providers", "Results"}) {
		t.Errorf("the sections are %v", got)
	}
	ann.finds(cafe("1"), cafe("2"))
	a := ann.do("GET", "/world/panels/find").want(200)
	a.fits("service.find.panel", a.at(""))
	for _, f := range a.list("findings") {
		a.fits("service.find.finding", f)
	}
	if got := fmt.Sprint(textsAt(a.list("findings"), "title"), a.str("sections.2.summary"), a.titles("Results")); got != "[Café 1 Café 2]2 foundCafé 1, Café 2" {
		t.Errorf("there are %s", got)
	}
	if a.str("sections.2.items.0.id") != a.str("findings.0.finding_id") {
		t.Errorf("the results are %v", a.at("sections.2"))
	}
	if others := bea.do("GET", "/world/panels/find").want(200); others.body != empty.body {
		t.Errorf("bea is shown %s", others.body)
	}
	h.nobody().do("GET", "/world/panels/find").refused(401, "unauthenticated")
	ann.do("POST", "/world/panels/find").refused(405, "method_not_allowed")
	off := open(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	if a := off.member("ann").do("GET", "/world/panels/find").want(200); a.str("sections.2.summary") != "What was found cannot be read at the moment." {
		t.Errorf("without surfaces it is %s", a.body)
	}
}
