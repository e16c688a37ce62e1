package world

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// A failure of a service leaves the rest of the dataset complete, and the first
// read after the failure returns the whole dataset. Covers W-54 and E-06.
func TestFailureOfTimeDegradesItsPartOfTheDataset(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	ann.CreateEntries()
	before := ann.Do("GET", "/world/runtime").Want(200)
	s.Exec("ALTER TABLE calendar_occurrence RENAME TO calendar_lost")
	s.InvalidateAll()
	degraded := ann.Do("GET", "/world/runtime").Want(200)
	if got, want := fmt.Sprint(degraded.Values("objects", "title")), "[Ann]"; got != want {
		t.Errorf("objects: got %s, want %s", got, want)
	}
	if want := `"state":"degraded","scope":{"kind":"service","service":"time"}`; !strings.Contains(degraded.Body, want) {
		t.Errorf("fallbacks: got %v, want %s", degraded.At("fallbacks"), want)
	}
	degraded.WantValues("", map[string]any{"sources.1.source_id": "time", "sources.1.status": "degraded", "member.username": "ann"})
	if got, want := s.Unauthenticated().Do("GET", "/ready/time").Want(200).Body, "time degraded\n"; got != want {
		t.Errorf("GET /ready/time: got %q, want %q", got, want)
	}
	s.Exec("ALTER TABLE calendar_lost RENAME TO calendar_occurrence")
	after := ann.With("If-None-Match", degraded.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200)
	if after.Body != before.Body {
		t.Errorf("after the failure: got\n%s\nwant\n%s", after.Body, before.Body)
	}
}

// Covers W-54 and E-06 for sessions.
func TestFailureOfAServiceDegradesItInTheSession(t *testing.T) {
	for _, c := range []struct {
		service, table string
		degraded       int // number of degraded services: all that read the table
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
			degraded := ann.AsRuntime().Do("GET", apptest.SessionPath).Want(200)
			degraded.WantSchema("service.home.runtime", degraded.At(""))
			degraded.WantValues("status", map[string]any{"degraded": c.degraded, "total": 8})
			if c.service == "identity" { // the directory is empty while blocks cannot be read
				if members := apptest.At(degraded.Service("identity"), "members").([]any); len(members) > 0 {
					t.Errorf("members: got %v, want none", members)
				}
			}
			if c.service != "surface" { // the session does not list the surface service
				entry := degraded.Service(c.service)
				if apptest.At(entry, "status") != "degraded" || apptest.At(entry, "message") == "" {
					t.Errorf("%s: got the status %v with the message %q, want degraded with a message", c.service, apptest.At(entry, "status"), apptest.At(entry, "message"))
				}
			}
			if got, want := s.Unauthenticated().Do("GET", "/ready/"+c.service).Want(200).Body, c.service+" degraded\n"; got != want {
				t.Errorf("GET /ready/%s: got %q, want %q", c.service, got, want)
			}
			s.Exec("ALTER TABLE lost RENAME TO " + c.table)
			after := ann.AsRuntime().With("If-None-Match", degraded.Header.Get("ETag")).Do("GET", apptest.SessionPath).Want(200)
			if after.Body != before.Body {
				t.Errorf("after the failure: got\n%s\nwant\n%s", after.Body, before.Body)
			}
		})
	}
}

// Covers W-54 for sessions, and B-97: a service that is off keeps its shape.
func TestServiceThatIsOffIsUnavailableInTheSession(t *testing.T) {
	objects := map[string]string{
		"social": "map[communities:0 conversations:0 events:0 presence:0]", "messages": "map[threads:[]]", "time": "map[]", "maps": "map[]",
	}
	for _, service := range []string{"social", "messages", "surface", "time", "maps"} {
		s := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{service} })
		ann := s.Member("ann").AsRuntime()
		a := ann.Do("GET", apptest.SessionPath).Want(200)
		a.WantSchema("service.home.runtime", a.At(""))
		a.WantValues("status", map[string]any{"unavailable": 2}) // the service and Find
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
		} else if entry := a.Service(service); apptest.At(entry, "status") != "unavailable" || len(apptest.At(entry, "actions").([]any)) > 0 {
			t.Errorf("without %s: got %v, want the status unavailable and no actions", service, entry)
		} else if got, want := fmt.Sprint(apptest.At(entry, "objects")), objects[service]; got != want {
			t.Errorf("without %s: got the objects %s, want %s", service, got, want)
		}
		ann.Do("GET", "/world/translated").Want(200)
		today := ann.Do("GET", "/world/panels/today").Want(200)
		composed := slices.Contains([]string{"social", "messages", "time"}, service)
		if got := len(today.List("fallbacks")); (got == 1) != composed || len(today.List("sections")) != 6 {
			t.Errorf("without %s: got %d fallbacks and %d sections of today, want one for a service of the panel and 6", service, got, len(today.List("sections")))
		}
	}
}
