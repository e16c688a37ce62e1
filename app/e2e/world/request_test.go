package world

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// outputPaths are the outputs that require X-Service-Runtime.
var outputPaths = []string{"/world/runtime", apptest.SessionPath, "/world/translated"}

// Covers W-02, W-21, W-64, W-117, B-03 and X-10.
func TestOutputsRequireAMemberAndTheRuntimeHeader(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	for _, path := range outputPaths {
		ann.Do("GET", path).WantError(400, "runtime_header_required")
		ann.With("X-Service-Runtime", strings.Repeat("x", 1025)).Do("GET", path).WantError(400, "runtime_header_required")
		s.Unauthenticated().AsRuntime().Do("GET", path).WantError(401, "unauthenticated")
		ann.AsRuntime().Do("PUT", path).WantError(405, "method_not_allowed")
		for _, header := range []string{"web", "!!", `web/1; caps="`, "a b c; d", strings.Repeat("x", 1024), "ünïcode/1"} {
			ann.With("X-Service-Runtime", header).Do("GET", path).Want(200)
		}
	}
	ann.Do("POST", apptest.SessionPath).WantError(400, "runtime_header_required")
	s.Unauthenticated().AsRuntime().Do("POST", apptest.SessionPath).WantError(401, "unauthenticated")
}

// Covers W-05, W-08, W-48, W-52, W-82 and PT-09.
func TestOutputsIgnoreUnknownParametersAndHeaders(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	ann.Session() // stores the default surfaces
	for _, path := range outputPaths {
		want := ann.AsRuntime().Do("GET", path).Want(200)
		for _, got := range []*apptest.Answer{
			ann.AsRuntime().With("X-Service-Member-Id", fmt.Sprint(bea.ID)).Do("GET", path),
			ann.AsRuntime().Do("GET", path+"?foo=1"),
			ann.AsRuntime().With("Accept", "text/html").Do("GET", path),
			ann.AsRuntime().With("X-Forwarded-For", "8.8.8.8").Do("GET", path),
		} {
			if got.Want(200).Body != want.Body {
				t.Errorf("%s: got\n%s\nwant\n%s", got.About, got.Body, want.Body)
			}
			if kind := got.Header.Get("Content-Type"); kind != "application/json" {
				t.Errorf("%s: got Content-Type %s, want application/json", got.About, kind)
			}
		}
	}
}

// Covers W-25, W-26 and B-03.
func TestCapabilitiesAreReported(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	a := ann.With("X-Service-Runtime", `web/1.2; caps="objects contexts hologram"; datasets="service.runtime.dataset/1"`).Do("GET", "/world/runtime").Want(200)
	apptest.CheckDataset(t, a)
	a.WantValues("capabilities", map[string]any{
		"runtime": "map[id:web version:1.2]", "declared": "[objects contexts hologram]", "applied": "[objects contexts]",
		"unsupported": "[map[capability:hologram reason:unknown]]",
	})
	ann.With("X-Service-Runtime", "web").Do("GET", "/world/runtime?caps=objects,actions.form").Want(200).
		WantValues("capabilities", map[string]any{"declared": "[objects actions.form]"})
	ann.With("X-Service-Runtime", `web/1; caps="objects hologram"`).Do("GET", apptest.SessionPath).Want(200).
		WantValues("capabilities", map[string]any{"requested": "[objects hologram]"})
}

// Covers W-26 and W-43.
func TestFormsAreUnavailableWithoutTheirCapability(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	ann.CreateEntries()
	a := ann.With("X-Service-Runtime", `web/1; caps="objects contexts"`).Do("GET", "/world/runtime").Want(200)
	forms := 0
	for _, action := range a.List("actions") {
		if len(apptest.At(action, "controls").([]any)) == 0 {
			continue
		}
		forms++
		if apptest.At(action, "availability") != "unavailable" || apptest.At(action, "fallback") == nil {
			t.Errorf("%v: got availability %v with fallback %v, want unavailable with a fallback",
				apptest.At(action, "action_id"), apptest.At(action, "availability"), apptest.At(action, "fallback"))
		}
	}
	if forms == 0 {
		t.Error("got no actions with controls, want some")
	}
}

// Covers W-46, W-47, L-03, B-05 and PT-40.
func TestInvalidParametersAreRejected(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	for query, field := range map[string]string{
		"?lat=200&lon=1": "lat", "?lat=0x1p4&lon=1": "lat", "?lat=1&lon=1_0": "lon", "?lat=1": "lon", "?lon=1": "lat", "?lat=abc&lon=1": "lat",
		"?lat=NaN&lon=1": "lat", "?lat=1&lon=NaN": "lon", "?lat=1&lon=181": "lon", "?radius=far": "radius", "?radius=1.5": "radius", "?radius=": "radius",
		"?accuracy=-1": "accuracy", "?caps=" + strings.Repeat("x", 1025): "caps",
	} {
		for _, path := range outputPaths {
			ann.Do("GET", path+query).WantError(400, "invalid_parameter").WantFields(field)
		}
	}
}

// Covers W-52.
func TestSectionsParameterSelectsSections(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	ann.CreateEntries()
	for _, c := range []struct {
		sections                   string
		objects, actions, contexts bool
	}{{"objects", true, false, false}, {"actions,contexts", false, true, true}} {
		a := ann.Do("GET", "/world/runtime?sections="+c.sections).Want(200)
		for section, want := range map[string]bool{"objects": c.objects, "actions": c.actions, "contexts": c.contexts} {
			if n := len(a.List(section)); (n > 0) != want {
				t.Errorf("%s: got %d %s, want some: %v", a.About, n, section, want)
			}
		}
		if want := `"reason":"not_requested"`; !strings.Contains(a.Body, want) {
			t.Errorf("%s: got the fallbacks %v, want one with %s", a.About, a.At("fallbacks"), want)
		}
	}
}
