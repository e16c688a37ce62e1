package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers S-38 to S-42 over HTTP.
func TestInvalidOverlaysAreRejectedAndChangeNothing(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	a := ann.ReplaceOverlay(apptest.Finding("a"))
	surface := a.Surface("surface_runtime.surfaces", a.Str("surface_runtime.stacks.3.surface_order.0"))
	if got, want := fmt.Sprint(apptest.At(surface, "runtime_state.finding")), fmt.Sprint(apptest.Finding("a")); got != want {
		t.Errorf("the finding: got %s, want %s", got, want)
	}
	service := ann.AsService()
	s.WantUnchanged("by overlays that are rejected", func() {
		service.Do("POST", "/surfaces/overlay", map[string]any{"findings": []any{apptest.Finding("x"), apptest.Finding("x")}}).
			WantError(422, "invalid_value").WantFields("findings.1.finding_id")
		service.Do("POST", "/surfaces/overlay", `{}`).WantError(400, "field_required").WantFields("findings")
		invalid := apptest.Finding("y")
		invalid["source_url"] = "javascript:alert(1)"
		service.Do("POST", "/surfaces/overlay", map[string]any{"findings": []any{apptest.Finding("x"), invalid}}).
			WantError(422, "invalid_value").WantFields("findings.1.source_url")
	})
}

// If an overlay cannot be stored completely, the response is 503 and the overlay is unchanged.
// Covers S-44, and PT-12 for failures.
func TestOverlayThatCannotBeStoredIs503(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	ann.ReplaceOverlay(apptest.Finding("a"), apptest.Finding("b"))
	before := ann.SurfaceRuntime()
	for about, condition := range map[string]string{
		"the second surface": "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café d'",
		"the workspace":      "BEFORE UPDATE ON surface_workspace",
		"the commit number":  "BEFORE UPDATE ON store_meta",
	} {
		s.Exec("CREATE TRIGGER fault " + condition + " BEGIN SELECT RAISE(ABORT, 'fault'); END")
		a := ann.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": []any{apptest.Finding("c"), apptest.Finding("d")}})
		a.WantError(503, "overlay_not_persisted").WantValues("", map[string]any{"error.retryable": true, "surface_runtime": nil})
		if a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: got no Retry-After, want one", about)
		}
		s.Exec("DROP TRIGGER fault")
		if got := ann.SurfaceRuntime().Body; got != before.Body {
			t.Errorf("%s: got\n%s\nwant\n%s", about, got, before.Body)
		}
	}
	if got := ann.ReplaceOverlay(apptest.Finding("c"), apptest.Finding("d")).Stacks("surface_runtime.stacks"); strings.HasSuffix(got, "finding_overlay: ") {
		t.Errorf("after the faults: got\n%s\nwant two findings", got)
	}
}
