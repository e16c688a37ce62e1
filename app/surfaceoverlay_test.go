package app

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

var placementModes = []string{"stacked", "docked", "detached", "shared", "field_anchored"}

// cafe is something that was found, with that id.
func cafe(id string) map[string]any {
	return map[string]any{
		"finding_id": "osm:node/" + id, "source_service": "osm", "object_type": "place", "title": "Café " + id, "summary": "Opens at nine", "source_url": "",
		"actions":         []any{map[string]any{"id": "open", "label": "Open", "type": "open_finding"}},
		"service_payload": map[string]any{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": "node/" + id},
	}
}

// finds replaces what was found for the member.
func (c *client) finds(findings ...map[string]any) *answer {
	c.t.Helper()
	if findings == nil {
		findings = []map[string]any{}
	}
	a := c.internally().do("POST", "/surfaces/overlay", map[string]any{"findings": findings}).want(200)
	a.closed("surface_runtime")
	if got := fmt.Sprint(c.desktop().at("")); got != fmt.Sprint(a.at("surface_runtime")) {
		c.t.Errorf("%s: the answer is\n%s\nand then there is\n%s", a.about, a.body, got)
	}
	return a
}

// What is found replaces what was found, and leaves all else. Covers S-08 as far
// as findings go, and S-38 to S-42.
func TestOverlayIsReplaced(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	bea.finds(cafe("z"))
	hers := bea.desktop().body
	first := ann.finds(cafe("a"), cafe("b"), cafe("c"))
	order := first.list("surface_runtime.stacks.3.surface_order")
	if len(order) != 3 {
		t.Fatalf("there is\n%s", first.stacks("surface_runtime.stacks"))
	}
	a := first.one("surface_runtime.surfaces", order[0].(string))
	if dig(a, "surface_type") != "finding_surface" || dig(a, "placement.mode") != "detached" || dig(a, "title") != "Café a" ||
		dig(a, "runtime_state.summary") != "Opens at nine" || fmt.Sprint(dig(a, "runtime_state.finding")) != fmt.Sprint(cafe("a")) ||
		fmt.Sprint(dig(a, "permissions")) != "map[can_detach:true can_field_anchor:true can_pin:true can_share:true]" ||
		fmt.Sprint(dig(a, "content_source")) != "map[]" {
		t.Errorf("the finding is %v", a)
	}
	surfaces := first.list("surface_runtime.surfaces")
	moved, saved := surfacesPath+order[0].(string)+"/placement", surfacesPath+order[1].(string)+"/placement"
	ann.do("POST", moved, `{"placement_mode": "docked", "placement": {"x": 7}}`).want(200)
	ann.do("POST", saved, `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`).want(200)
	ann.do("POST", stacksPath+"carry_primary/focus", map[string]any{"surface_id": order[1]}).want(200)
	ann.do("POST", stacksPath+"finding_overlay/focus", map[string]any{"surface_id": order[0]}).want(200)
	now := ann.desktop()
	if fmt.Sprint(now.one("surfaces", order[2].(string))) != fmt.Sprint(surfaces[len(surfaces)-1]) {
		t.Errorf("the third has moved too: %v", now.one("surfaces", order[2].(string)))
	}
	h.restart()
	if got := ann.desktop().body; got != now.body {
		t.Errorf("after a new start there is\n%s", got)
	}

	carry := func(a *answer) string {
		return fmt.Sprint(a.list("stacks")[:3], a.one("surfaces", order[1].(string)), a.one("surfaces", "surface_social"))
	}
	second := ann.finds(cafe("d"), cafe("a")) // one is found again, where it was
	if got := fmt.Sprint(second.at("surface_runtime.stacks.3.surface_order.1")); got != order[0] {
		t.Errorf("the same finding has another surface, %s", got)
	}
	if at := dig(second.one("surface_runtime.surfaces", order[0].(string)), "placement"); dig(at, "mode") != "detached" || dig(at, "metadata.x") != 7.0 {
		t.Errorf("it is at %v", at)
	}
	if second.str("surface_runtime.stacks.3.focused_surface_id") != order[0] || second.one("surface_runtime.surfaces", order[2].(string)) != nil {
		t.Errorf("there is\n%s", second.body)
	}
	third := ann.finds()
	if got := third.stacks("surface_runtime.stacks"); !strings.HasSuffix(got, "finding_overlay: ") {
		t.Errorf("nothing was found, and there is\n%s", got)
	}
	if got := ann.desktop(); carry(got) != carry(now) {
		t.Errorf("it was\n%s\nand is\n%s", carry(now), carry(got))
	}
	if ann.finds(cafe("b")).one("surface_runtime.surfaces", order[1].(string)) == nil || carry(ann.desktop()) != carry(now) {
		t.Errorf("what is found again has moved: %s", carry(ann.desktop()))
	}
	if got := bea.desktop().body; got != hers {
		t.Errorf("bea has\n%s", got)
	}

	before := ann.desktop()
	twice := ann.internally().do("POST", "/surfaces/overlay", map[string]any{"findings": []any{cafe("x"), cafe("x")}}).refused(422, "invalid_value")
	twice.names("findings.1.finding_id")
	ann.internally().do("POST", "/surfaces/overlay", `{}`).refused(400, "field_required").names("findings")
	for key, value := range map[string]any{
		"finding_id": "", "object_type": "person", "title": "", "summary": strings.Repeat("x", 1001), "source_url": "javascript:alert(1)",
		"service_payload": map[string]any{"x": strings.Repeat("x", 40000)}, "source_service": strings.Repeat("x", 81),
	} {
		bad := cafe("y")
		bad[key] = value
		a := ann.internally().do("POST", "/surfaces/overlay", map[string]any{"findings": []any{cafe("x"), bad}})
		if a.status != 400 && a.status != 422 || a.str("error.fields.0.name") != "findings.1."+key {
			t.Errorf("%s: %d %s", key, a.status, a.body)
		}
	}
	if got := ann.desktop().body; got != before.body {
		t.Errorf("it was\n%s\nand is\n%s", before.body, got)
	}
}

// If not all of an overlay can be stored, the one before it is there, whichever
// statement fails. Covers S-44, and PT-12 as far as failures go.
func TestOverlayIsAllOrNothing(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	old := ann.finds(cafe("a"), cafe("b")).str("surface_runtime.stacks.3.surface_order.0")
	ann.do("POST", stacksPath+"finding_overlay/focus", map[string]any{"surface_id": old}).want(200)
	before := ann.desktop()
	sessions := ann.internally().do("GET", "/surface/"+old).body
	for about, when := range map[string]string{
		"the second insert": "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café d'",
		"the first insert":  "BEFORE INSERT ON surface_surface WHEN NEW.title = 'Café c'",
		"the stack":         "BEFORE UPDATE ON surface_stack",
		"the workspace":     "BEFORE UPDATE ON surface_workspace",
		"letting go":        "BEFORE UPDATE OF unstacked_at ON surface_surface WHEN NEW.unstacked_at IS NOT NULL",
		"a session":         "BEFORE UPDATE ON surface_session",
		"the count":         "BEFORE UPDATE ON store_meta",
	} {
		h.tamper("CREATE TRIGGER fault " + when + " BEGIN SELECT RAISE(ABORT, 'fault'); END")
		a := ann.internally().do("POST", "/surfaces/overlay", map[string]any{"findings": []any{cafe("c"), cafe("d")}}).refused(503, "overlay_not_persisted")
		if a.at("error.retryable") != true || a.at("surface_runtime") != nil || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %s", about, a.body)
		}
		h.tamper("DROP TRIGGER fault")
		if got := ann.desktop().body; got != before.body {
			t.Errorf("%s: it was\n%s\nand is\n%s", about, before.body, got)
		}
		if got := ann.internally().do("GET", "/surface/"+old).body; got != sessions {
			t.Errorf("%s: the surface is %s", about, got)
		}
	}
	if got := len(ann.finds(cafe("c"), cafe("d")).list("surface_runtime.stacks.3.surface_order")); got != 2 {
		t.Errorf("then there are %d", got)
	}
}

// A server that is killed while what was found is being replaced has all that
// one search found after that, and of no search before the last that it
// acknowledged. Covers S-40 and PT-12.
func TestOverlayOfAKilledServer(t *testing.T) {
	dir := founded(t)
	last := 0 // search that was acknowledged
	var p *program
	again := func() (in *client) {
		cmd := serving(t, dir, "--rate-limits", "writes=0,reads=0")
		cmd.Env = append(cmd.Env, "APPLIANCE_SERVICE_KEY="+serviceKey)
		p = start(t, cmd)
		ann := p.as("ann")
		ann.id = 1
		return ann.internally()
	}
	for range 5 {
		in := again()
		for enough := last + 1 + rand.IntN(30); ; {
			found := make([]any, 20)
			for i := range found {
				found[i] = cafe(fmt.Sprint(last+1, "/", i))
			}
			a, err := in.try("POST", "/surfaces/overlay", map[string]any{"findings": found})
			if err != nil { // it was killed
				break
			}
			a.want(200)
			if last++; last == enough {
				go p.kill()
			}
		}
		p.kill()
		now := again().do("GET", "/surfaces?stack=finding_overlay").want(200).list("surfaces")
		searches := make(map[string]bool)
		for _, s := range now {
			search, _, _ := strings.Cut(strings.TrimPrefix(dig(s, "runtime_state.finding.finding_id").(string), "osm:node/"), "/")
			searches[search] = true
		}
		switch before := last; {
		case len(now) == 20 && maps.Equal(searches, map[string]bool{fmt.Sprint(before): true}):
		case len(now) == 20 && maps.Equal(searches, map[string]bool{fmt.Sprint(before + 1): true}): // nobody has heard of it
			last++
		default:
			t.Errorf("after search %d was acknowledged, there are %d findings of %v", before, len(now), searches)
		}
		p.stop()
	}
}
