package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

var placementModes = []string{"stacked", "docked", "detached", "shared", "field_anchored"}

// What is found replaces what was found, and leaves all else. Covers S-08 as far
// as findings go, and S-38 to S-42.
func TestOverlayIsReplaced(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	bea.ReplaceOverlay(apptest.Finding("z"))
	hers := bea.SurfaceRuntime().Body
	first := ann.ReplaceOverlay(apptest.Finding("a"), apptest.Finding("b"), apptest.Finding("c"))
	order := first.List("surface_runtime.stacks.3.surface_order")
	if len(order) != 3 {
		t.Fatalf("there is\n%s", first.Stacks("surface_runtime.stacks"))
	}
	a := first.Surface("surface_runtime.surfaces", order[0].(string))
	if apptest.At(a, "surface_type") != "finding_surface" || apptest.At(a, "placement.mode") != "detached" || apptest.At(a, "title") != "Café a" ||
		apptest.At(a, "runtime_state.summary") != "Opens at nine" || fmt.Sprint(apptest.At(a, "runtime_state.finding")) != fmt.Sprint(apptest.Finding("a")) ||
		fmt.Sprint(apptest.At(a, "permissions")) != "map[can_detach:true can_field_anchor:true can_pin:true can_share:true]" ||
		fmt.Sprint(apptest.At(a, "content_source")) != "map[]" {
		t.Errorf("the finding is %v", a)
	}
	surfaces := first.List("surface_runtime.surfaces")
	moved, saved := apptest.SurfacesPath+order[0].(string)+"/placement", apptest.SurfacesPath+order[1].(string)+"/placement"
	ann.Do("POST", moved, `{"placement_mode": "docked", "placement": {"x": 7}}`).Want(200)
	ann.Do("POST", saved, `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`).Want(200)
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", map[string]any{"surface_id": order[1]}).Want(200)
	ann.Do("POST", apptest.StacksPath+"finding_overlay/focus", map[string]any{"surface_id": order[0]}).Want(200)
	now := ann.SurfaceRuntime()
	if fmt.Sprint(now.Surface("surfaces", order[2].(string))) != fmt.Sprint(surfaces[len(surfaces)-1]) {
		t.Errorf("the third has moved too: %v", now.Surface("surfaces", order[2].(string)))
	}
	h.Restart()
	if got := ann.SurfaceRuntime().Body; got != now.Body {
		t.Errorf("after a new start there is\n%s", got)
	}

	carry := func(a *apptest.Answer) string {
		return fmt.Sprint(a.List("stacks")[:3], a.Surface("surfaces", order[1].(string)), a.Surface("surfaces", "surface_social"))
	}
	second := ann.ReplaceOverlay(apptest.Finding("d"), apptest.Finding("a")) // one is found again, where it was
	if got := fmt.Sprint(second.At("surface_runtime.stacks.3.surface_order.1")); got != order[0] {
		t.Errorf("the same finding has another surface, %s", got)
	}
	if at := apptest.At(second.Surface("surface_runtime.surfaces", order[0].(string)), "placement"); apptest.At(at, "mode") != "detached" || apptest.At(at, "metadata.x") != 7.0 {
		t.Errorf("it is at %v", at)
	}
	if second.Str("surface_runtime.stacks.3.focused_surface_id") != order[0] || second.Surface("surface_runtime.surfaces", order[2].(string)) != nil {
		t.Errorf("there is\n%s", second.Body)
	}
	third := ann.ReplaceOverlay()
	if got := third.Stacks("surface_runtime.stacks"); !strings.HasSuffix(got, "finding_overlay: ") {
		t.Errorf("nothing was found, and there is\n%s", got)
	}
	if got := ann.SurfaceRuntime(); carry(got) != carry(now) {
		t.Errorf("it was\n%s\nand is\n%s", carry(now), carry(got))
	}
	if ann.ReplaceOverlay(apptest.Finding("b")).Surface("surface_runtime.surfaces", order[1].(string)) == nil || carry(ann.SurfaceRuntime()) != carry(now) {
		t.Errorf("what is found again has moved: %s", carry(ann.SurfaceRuntime()))
	}
	if got := bea.SurfaceRuntime().Body; got != hers {
		t.Errorf("bea has\n%s", got)
	}

	before := ann.SurfaceRuntime()
	twice := ann.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": []any{apptest.Finding("x"), apptest.Finding("x")}}).WantError(422, "invalid_value")
	twice.WantFields("findings.1.finding_id")
	ann.AsService().Do("POST", "/surfaces/overlay", `{}`).WantError(400, "field_required").WantFields("findings")
	for key, value := range map[string]any{
		"finding_id": "", "object_type": "person", "title": "", "summary": strings.Repeat("x", 1001), "source_url": "javascript:alert(1)",
		"service_payload": map[string]any{"x": strings.Repeat("x", 40000)}, "source_service": strings.Repeat("x", 81),
	} {
		bad := apptest.Finding("y")
		bad[key] = value
		a := ann.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": []any{apptest.Finding("x"), bad}})
		if a.Status != 400 && a.Status != 422 || a.Str("error.fields.0.name") != "findings.1."+key {
			t.Errorf("%s: %d %s", key, a.Status, a.Body)
		}
	}
	if got := ann.SurfaceRuntime().Body; got != before.Body {
		t.Errorf("it was\n%s\nand is\n%s", before.Body, got)
	}
}

// If not all of an overlay can be stored, the one before it is there, whichever
// statement fails. Covers S-44, and PT-12 as far as failures go.
func TestOverlayIsAllOrNothing(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	old := ann.ReplaceOverlay(apptest.Finding("a"), apptest.Finding("b")).Str("surface_runtime.stacks.3.surface_order.0")
	ann.Do("POST", apptest.StacksPath+"finding_overlay/focus", map[string]any{"surface_id": old}).Want(200)
	before := ann.SurfaceRuntime()
	sessions := ann.AsService().Do("GET", "/surface/"+old).Body
	for about, when := range map[string]string{
		"the second insert": "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café d'",
		"the first insert":  "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café c'",
		"the stack":         "BEFORE UPDATE ON surface_stack",
		"the workspace":     "BEFORE UPDATE ON surface_workspace",
		"letting go":        "BEFORE UPDATE OF unstacked_at ON surface_surface WHEN NEW.unstacked_at IS NOT NULL",
		"a session":         "BEFORE UPDATE ON surface_session",
		"the count":         "BEFORE UPDATE ON store_meta",
	} {
		tamper(h, "CREATE TRIGGER fault "+when+" BEGIN SELECT RAISE(ABORT, 'fault'); END")
		a := ann.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": []any{apptest.Finding("c"), apptest.Finding("d")}}).WantError(503, "overlay_not_persisted")
		if a.At("error.retryable") != true || a.At("surface_runtime") != nil || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s", about, a.Body)
		}
		tamper(h, "DROP TRIGGER fault")
		if got := ann.SurfaceRuntime().Body; got != before.Body {
			t.Errorf("%s: it was\n%s\nand is\n%s", about, before.Body, got)
		}
		if got := ann.AsService().Do("GET", "/surface/"+old).Body; got != sessions {
			t.Errorf("%s: the surface is %s", about, got)
		}
	}
	if got := len(ann.ReplaceOverlay(apptest.Finding("c"), apptest.Finding("d")).List("surface_runtime.stacks.3.surface_order")); got != 2 {
		t.Errorf("then there are %d", got)
	}
}
