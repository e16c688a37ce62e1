package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// A failure of a service leaves the rest of the dataset complete, and the next read
// after it is complete. Covers W-54 and E-06.
func TestFailureOfTimeDegradesItsPartOfTheDataset(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").Runtime()
	ann.CreateEntries()
	before := ann.Do("GET", "/world/runtime").Want(200)
	s.Exec("ALTER TABLE calendar_occurrence RENAME TO calendar_lost")
	s.InvalidateAll()
	broken := ann.Do("GET", "/world/runtime").Want(200)
	if got, want := fmt.Sprint(broken.Values("objects", "title")), "[Ann]"; got != want {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	if want := `"state":"degraded","scope":{"kind":"service","service":"time"}`; !strings.Contains(broken.Body, want) {
		t.Errorf("fallbacks: got %v, want %s", broken.At("fallbacks"), want)
	}
	broken.WantValues("", map[string]any{"sources.1.source_id": "time", "sources.1.status": "degraded", "member.username": "ann"})
	if got, want := s.Unauthenticated().Do("GET", "/ready/time").Want(200).Body, "time degraded\n"; got != want {
		t.Errorf("GET /ready/time: got %q, want %q", got, want)
	}
	s.Exec("ALTER TABLE calendar_lost RENAME TO calendar_occurrence")
	after := ann.With("If-None-Match", broken.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200)
	if after.Body != before.Body {
		t.Errorf("after the failure: got\n%s\nwant\n%s", after.Body, before.Body)
	}
}

// Covers W-54 and E-06 for sessions.
func TestFailureOfAServiceDegradesItInTheSession(t *testing.T) {
	for _, c := range []struct {
		service, table string
		degraded       int // services, including those that depend on the table
	}{
		{"social", "social_presence", 1}, {"messages", "messages_thread", 1}, {"surface", "surface_stack", 1}, {"identity", "social_block", 3},
	} {
		t.Run(c.service, func(t *testing.T) {
			s := apptest.New(t, apptest.WithServiceKey)
			ann := s.Member("ann")
			s.Member("bea").SendMessage("ann", "Hello")
			ann.Session() // stores the default surfaces
			before := ann.Session()
			s.Exec("ALTER TABLE " + c.table + " RENAME TO lost")
			s.InvalidateAll()
			broken := ann.Runtime().Do("GET", apptest.SessionPath).Want(200)
			broken.WantSchema("service.home.runtime", broken.At(""))
			broken.WantValues("status", map[string]any{"degraded": c.degraded, "total": 8})
			if c.service == "identity" { // the directory is empty while blocks cannot be read
				if members := apptest.At(broken.Service("identity"), "members").([]any); len(members) > 0 {
					t.Errorf("members: got %v, want none", members)
				}
			}
			if c.service != "surface" { // which is not in the list of services
				one := broken.Service(c.service)
				if apptest.At(one, "status") != "degraded" || apptest.At(one, "message") == "" {
					t.Errorf("%s: got the status %v with the message %q, want degraded with a message", c.service, apptest.At(one, "status"), apptest.At(one, "message"))
				}
			}
			if got, want := s.Unauthenticated().Do("GET", "/ready/"+c.service).Want(200).Body, c.service+" degraded\n"; got != want {
				t.Errorf("GET /ready/%s: got %q, want %q", c.service, got, want)
			}
			s.Exec("ALTER TABLE lost RENAME TO " + c.table)
			after := ann.Runtime().With("If-None-Match", broken.Header.Get("ETag")).Do("GET", apptest.SessionPath).Want(200)
			if after.Body != before.Body {
				t.Errorf("after the failure: got\n%s\nwant\n%s", after.Body, before.Body)
			}
		})
	}
}

// Covers W-54 for sessions.
func TestServiceThatIsOffIsUnavailableInTheSession(t *testing.T) {
	for _, service := range []string{"social", "messages", "surface", "time"} {
		s := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{service} })
		ann := s.Member("ann").Runtime()
		a := ann.Do("GET", apptest.SessionPath).Want(200)
		a.WantSchema("service.home.runtime", a.At(""))
		a.WantValues("status", map[string]any{"unavailable": 3}) // with Maps and Find
		provided, capability := a.List("capabilities.provided"), service
		if service == "surface" {
			capability = "surface_runtime"
		}
		if slices.Contains(provided, any(capability)) {
			t.Errorf("without %s: got the capabilities %v, want them without %s", service, provided, capability)
		}
		if service == "surface" {
			ann.Do("GET", "/world/panels/find").Want(200)
			for _, item := range a.List("shell.dock.items") {
				ann.Do(apptest.At(item, "action.method").(string), apptest.At(item, "action.url").(string)).Want(200)
			}
		} else if one := a.Service(service); apptest.At(one, "status") != "unavailable" || len(apptest.At(one, "actions").([]any)) > 0 {
			t.Errorf("without %s: got %v, want the status unavailable and no actions", service, one)
		}
		ann.Do("GET", "/world/translated").Want(200)
	}
}
