package surface

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// What everybody has from the beginning. Covers S-01, S-05 to S-18, S-20, S-21,
// S-37 and B-36.
func TestWhatEverybodyHasBeforeThem(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	a := ann.SurfaceRuntime()
	if got := a.Stacks("stacks"); got != apptest.DefaultStacks {
		t.Errorf("there is\n%s", got)
	}
	if a.Str("contract.name") != "service.surface.runtime" || a.At("contract.version") != 1.0 || a.At("commands") != nil || a.At("revision") != 0.0 {
		t.Errorf("contract %v, commands %v, revision %v", a.At("contract"), a.At("commands"), a.At("revision"))
	}
	for id, want := range map[string]struct{ kind, panel string }{
		"surface_social":        {"dashboard_surface", "/world/panels/social"},
		"surface_calendar":      {"calendar_surface", "/world/panels/time"},
		"surface_messages":      {"dashboard_surface", "/world/panels/messages"},
		"surface_messages_rail": {"service_nav_panel", "/world/panels/messages/rail"},
		"surface_profile":       {"profile_surface", "/world/panels/social?view=profile"},
	} {
		s := a.Surface("surfaces", id)
		if apptest.At(s, "surface_type") != want.kind || apptest.At(s, "content_source.kind") != "runtime_panel" || apptest.At(s, "content_source.url") != want.panel {
			t.Errorf("%s is a %v and shows %v", id, apptest.At(s, "surface_type"), apptest.At(s, "content_source"))
		}
		ann.Do("GET", want.panel).Want(200)
		if got := fmt.Sprint(apptest.At(s, "permissions")); got != "map[can_detach:true can_field_anchor:false can_pin:true can_share:false]" {
			t.Errorf("%s permits %s", id, got)
		}
		binding := apptest.At(s, "service_binding").(map[string]any)
		if len(binding) != 3 || apptest.At(s, "placement.mode") != "stacked" || apptest.At(s, "title") == "" {
			t.Errorf("%s: %v", id, s)
		}
	}
	if got := apptest.At(a.Surface("surfaces", "surface_messages_rail"), "placement.metadata.matches_surface_id"); got != "surface_messages" {
		t.Errorf("the rail matches %v", got)
	}
	for list, want := range map[string]struct {
		fields string
		rows   []string
	}{
		"stacks": {"stack_id stack_type region display slot orientation viewport_id", []string{
			"carry_primary carry_stack carry full center horizontal viewport_center", "left_context context_stack context rail left vertical viewport_left",
			"right_context context_stack context rail right vertical viewport_right", "finding_overlay overlay_stack overlay full  horizontal viewport_overlay",
		}},
		"viewports": {"viewport_id viewport_type region display slot neighbor_visibility", []string{
			"viewport_center stack carry full center 0.15", "viewport_left stack context rail left 0", "viewport_right stack context rail right 0",
			"viewport_overlay stack overlay full  0",
		}},
	} {
		var rows []string
		for _, one := range a.List(list) {
			var row []string
			for _, field := range strings.Fields(want.fields) {
				row = append(row, fmt.Sprint(apptest.At(one, field)))
			}
			rows = append(rows, strings.Join(row, " "))
		}
		if !slices.Equal(rows, want.rows) {
			t.Errorf("the %s are\n%s", list, strings.Join(rows, "\n"))
		}
	}

	in := ann.AsService()
	if got := len(in.Do("GET", "/runtime/surfaces").Want(200).List("surfaces")); got != 5 {
		t.Errorf("there are %d surfaces", got)
	}
	if got := in.Do("GET", "/runtime/stacks").Want(200).Stacks("stacks"); got != apptest.DefaultStacks {
		t.Errorf("the stacks are\n%s", got)
	}
	if got := in.Do("GET", "/runtime/stacks/right_context").Want(200).Str("stack.focused_surface_id"); got != "surface_messages_rail" {
		t.Errorf("the right one is turned to %s", got)
	}
	in.Do("GET", "/runtime/stacks/nothing").WantError(404, "not_found")
	for query, want := range map[string]int{"": 5, "?stack=carry_primary": 3, "?type=dashboard_surface": 2, "?type=dashboard_surface&stack=left_context": 0} {
		if got := len(in.Do("GET", "/surfaces"+query).Want(200).List("surfaces")); got != want {
			t.Errorf("GET /surfaces%s has %d", query, got)
		}
	}
	in.Do("GET", "/surfaces?type=card").WantError(400, "invalid_parameter")
	in.Do("GET", "/surfaces?stack=card").WantError(400, "invalid_parameter")
	detail := in.Do("GET", "/surface/surface_social").Want(200)
	detail.WantSchema("service.surface.detail", detail.At(""))
	in.Do("GET", "/surface/surface_nothing").WantError(404, "not_found")
}

// Nothing of Surface answers without a member, and without the service. Covers
// S-36, S-37, S-74 and B-02.
func TestSurfaceNeedsAMember(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	if got := h.Unauthenticated().Do("GET", "/ready/surface").Want(200).Body; got != "surface ready\n" {
		t.Errorf("it says %q", got)
	}
	if got := h.Unauthenticated().Do("GET", "/health/surface").Want(200).Str("service"); got != "surface" {
		t.Errorf("it is %q", got)
	}
	off := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	bea := off.Member("bea")
	for _, rt := range h.App.HTTP.Routes() {
		if rt.Service != "surface" {
			continue
		}
		method, path, _ := strings.Cut(strings.NewReplacer("{", "", "}", "").Replace(rt.Pattern), " ")
		if rt.Access == "service" || rt.Access == "on-behalf" {
			ann.AsService().With("X-Service-Member-Id", "").Do(method, path).WantError(400, "member_context_required")
			bea.AsService().Do(method, path).WantError(503, "service_unavailable")
			continue
		}
		bea.Do(method, path).WantError(503, "service_unavailable")
	}
	off.Unauthenticated().Do("GET", "/ready/surface").WantError(503, "service_unavailable")
}

// Fifty runtimes that read for the first time at once find each stack once.
// Covers S-19.
func TestFirstReadsAtOnce(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	bodies := make([]string, 50)
	var all sync.WaitGroup
	for i := range bodies {
		all.Go(func() {
			a, err := ann.AsService().Try("GET", "/runtime")
			if err != nil || a.Status != 200 {
				t.Error(err, a)
				return
			}
			bodies[i] = a.Body
		})
	}
	all.Wait()
	want := ann.SurfaceRuntime().Body
	for _, body := range bodies {
		if body != want {
			t.Fatalf("one read\n%s\nanother\n%s", body, want)
		}
	}
	if stacks, surfaces := h.QueryInt("SELECT count(*) FROM surface_stack"), h.QueryInt("SELECT count(*) FROM surface_surface"); stacks != 4 || surfaces != 5 {
		t.Errorf("%d stacks and %d surfaces are stored", stacks, surfaces)
	}
}

// A member arranges what they have, by the addresses that come with it, and
// gets it back as it is then. Covers S-01, S-02, S-04, S-22 to S-30 and B-37.
func TestArranging(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	done := func(a *apptest.Answer) *apptest.Answer {
		t.Helper()
		a.Want(200)
		a.WantSchema("service.surface.arranged", a.At(""))
		a.WantConsistentStacks("surface_runtime")
		if a.Str("status") != "ok" || a.Stacks("surface_runtime.stacks") != ann.SurfaceRuntime().Stacks("stacks") {
			t.Errorf("%s: %s", a.About, a.Body)
		}
		return a
	}
	first := done(ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`))
	commands := first.At("surface_runtime.commands").(map[string]any)
	for _, name := range []string{"update_placement", "detach_surface", "dock_surface", "field_anchor_surface", "share_surface"} {
		if commands[name] != "/world/surface/surfaces/{surface_id}/placement" {
			t.Errorf("%s is %v", name, commands[name])
		}
	}
	if commands["translate_surface"] != nil || commands["open_finding"] != nil {
		t.Errorf("there is nothing to translate or open: %v", commands)
	}
	for _, s := range first.List("surface_runtime.stacks") {
		for name, url := range apptest.At(s, "commands").(map[string]any) {
			if url != strings.ReplaceAll(commands[name].(string), "{stack_key}", apptest.At(s, "stack_id").(string)) {
				t.Errorf("%s of %v is %v", name, apptest.At(s, "stack_id"), url)
			}
		}
	}
	if got := first.Stacks("surface_runtime.stacks"); !strings.HasPrefix(got, "carry_primary: social calendar messages*\n") {
		t.Errorf("there is\n%s", got)
	}

	// Order: nothing is lost.
	reorder, focus := apptest.At(first.At("surface_runtime"), "stacks.0.commands.reorder_stack").(string), apptest.At(first.At("surface_runtime"), "stacks.0.commands.focus_surface").(string)
	for body, want := range map[string]string{
		`{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`: "messages* calendar social",
		`{"surface_order": ["surface_social"]}`:                                         "social messages* calendar",
		`{"surface_order": []}`:                                                         "social calendar messages*",
	} {
		done(ann.Do("POST", reorder, `{"surface_order": ["surface_social", "surface_calendar", "surface_messages"]}`))
		want = "carry_primary: " + want
		if want == "carry_primary: social messages* calendar" {
			done(ann.Do("POST", reorder, `{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`))
		}
		if got, _, _ := strings.Cut(done(ann.Do("POST", reorder, body)).Stacks("surface_runtime.stacks"), "\n"); got != want {
			t.Errorf("%s makes %s", body, got)
		}
	}
	done(ann.Do("POST", focus, `{"surface_id": null}`))
	done(ann.Do("POST", focus, apptest.Form("surface_id=surface_calendar")))
	done(ann.Do("POST", reorder, apptest.Form("surface_order[]=surface_calendar&surface_order[]=surface_messages")))

	// Placement: a form says the same.
	at := apptest.At(first.Surface("surface_runtime.surfaces", "surface_calendar"), "commands.update_placement").(string)
	for _, body := range []any{
		`{"placement_mode": "detached", "placement": {"stack_id": "carry_primary", "region": "carry", "display": "full", "x": 1.5, "y": -2, "width": 300, "height": 200, "z": 3, "pinned": true}}`,
		apptest.Form("placement_mode=detached&placement[stack_id]=carry_primary&placement[region]=carry&placement[display]=full&placement[x]=1.5" +
			"&placement.y=-2&placement.width=300&placement.height=200&placement.z=3&placement.pinned=on"),
	} {
		done(ann.Do("POST", at, `{"placement_mode": "stacked", "placement": {"region": null, "display": null, "x": null, "y": null, "width": null, "height": null, "z": null}}`))
		a := done(ann.Do("POST", at, body))
		got := fmt.Sprint(a.At("surface.placement"))
		if want := "map[metadata:map[display:full height:200 pinned:%v region:carry stack_id:carry_primary width:300 x:1.5 y:-2 z:3] mode:detached]"; got != fmt.Sprintf(want, "true") && got != fmt.Sprintf(want, "on") {
			t.Errorf("it is at %s", got)
		}
		if fmt.Sprint(apptest.At(ann.SurfaceRuntime().Surface("surfaces", "surface_calendar"), "placement")) != got {
			t.Errorf("it is at %v", apptest.At(ann.SurfaceRuntime().Surface("surfaces", "surface_calendar"), "placement"))
		}
	}

	// Into another stack, which it leaves the first for.
	a := done(ann.Do("POST", at, `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`))
	if got := a.Stacks("surface_runtime.stacks"); got != "carry_primary: messages social\nleft_context: profile* calendar\nright_context: messages_rail*\nfinding_overlay: " {
		t.Errorf("there is\n%s", got)
	}
	// Detached it stays in the stack where it is.
	done(ann.Do("POST", at, `{"placement_mode": "detached", "placement": {"stack_id": "right_context"}}`))
	if got := ann.SurfaceRuntime().Stacks("stacks"); !strings.Contains(got, "left_context: profile* calendar\n") {
		t.Errorf("there is\n%s", got)
	}
	rail := done(ann.Do("POST", apptest.SurfacesPath+"surface_messages_rail/placement", `{"placement_mode": "docked", "placement": {}}`))
	if got := rail.At("surface.placement.metadata.matches_surface_id"); got != "surface_messages" {
		t.Errorf("the rail matches %v", got)
	}

	// Any mode follows any other (S-30), where all are permitted.
	found := ann.ReplaceOverlay(apptest.Finding("a")).Str("surface_runtime.stacks.3.surface_order.0")
	for _, from := range placementModes {
		for _, to := range placementModes {
			for _, mode := range []string{from, to} {
				a := done(ann.Do("POST", apptest.SurfacesPath+found+"/placement", map[string]any{"placement_mode": mode, "placement": map[string]any{"z": 1}}))
				if got := a.Str("surface.placement.mode"); got != mode {
					t.Errorf("it is %s, want %s", got, mode)
				}
			}
		}
	}
}

// What cannot be done is refused by name, and changes nothing. Covers S-23,
// S-25, S-27, S-31, S-36 and B-38.
func TestWhatCannotBeArranged(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	notes := bea.AsService().Do("POST", "/surfaces", `{"surface_id": "surface_notes", "surface_type": "document_surface", "title": "Notes"}`).Want(201).Str("surface.surface_id")
	before, others := ann.SurfaceRuntime(), bea.SurfaceRuntime()
	carry, social := apptest.StacksPath+"carry_primary/", apptest.SurfacesPath+"surface_social/placement"
	many := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"mine%d": %d`, i, i))
		}
		return strings.Join(list, ", ")
	}
	for _, c := range []struct {
		path, body string
		status     int
		code       string
		fields     []string
	}{
		{carry + "focus", `{}`, 400, "field_required", []string{"surface_id"}},
		{carry + "focus", `{"surface_id": ""}`, 400, "field_required", []string{"surface_id"}},
		{carry + "focus", `{"surface_id": 7}`, 400, "malformed_body", []string{"surface_id"}},
		{carry + "focus", `{"surface_id": "surface_profile"}`, 422, "surface_not_in_stack", []string{"surface_id"}},
		{carry + "focus", `{"surface_id": "` + notes + `"}`, 422, "surface_not_in_stack", []string{"surface_id"}},
		{carry + "focus", `{"surface_id": "surface_social", "expected_revision": 8}`, 412, "version_conflict", []string{"expected_revision"}},
		{apptest.StacksPath + "nothing/focus", `{"surface_id": "surface_social"}`, 404, "not_found", nil},
		{carry + "reorder", `{}`, 400, "field_required", []string{"surface_order"}},
		{carry + "reorder", `{"surface_order": ["surface_social", "surface_social"]}`, 422, "invalid_value", []string{"surface_order.1"}},
		{carry + "reorder", `{"surface_order": ["surface_social", "` + notes + `"]}`, 422, "surface_not_in_stack", []string{"surface_order.1"}},
		{apptest.StacksPath + "nothing/reorder", `{"surface_order": []}`, 404, "not_found", nil},
		{social, `{}`, 400, "field_required", []string{"placement_mode"}},
		{social, `{"placement_mode": "floating", "placement": {}}`, 422, "invalid_value", []string{"placement_mode"}},
		{social, `{"placement_mode": "shared"}`, 403, "permission_denied", nil},
		{social, `{"placement_mode": "field_anchored"}`, 403, "permission_denied", nil},
		{social, `{"placement_mode": "stacked", "placement": {"stack_id": "nothing"}}`, 422, "invalid_value", []string{"placement.stack_id"}},
		{social, `{"placement_mode": "detached", "placement": {"stack_id": "nothing"}}`, 422, "invalid_value", []string{"placement.stack_id"}},
		{social, `{"placement_mode": "stacked", "placement": {"stack_id": "finding_overlay"}}`, 422, "invalid_value", []string{"placement.stack_id"}},
		{social, `{"placement_mode": "stacked", "placement": {"stack_id": 7}}`, 400, "malformed_body", []string{"placement.stack_id"}},
		{social, `{"placement_mode": "stacked", "placement": {"x": "7"}}`, 400, "malformed_body", []string{"placement.x"}},
		{social, `{"placement_mode": "stacked", "placement": {"x": 1e999}}`, 400, "malformed_body", nil},
		{social, `{"placement_mode": "stacked", "placement": {"mine": {}}}`, 422, "invalid_value", []string{"placement.mine"}},
		{social, `{"placement_mode": "stacked", "placement": {"mine": "` + strings.Repeat("x", 201) + `"}}`, 422, "too_long", []string{"placement.mine"}},
		{social, `{"placement_mode": "stacked", "placement": {` + many(21) + `}}`, 422, "too_long", []string{"placement"}},
		{social, `{"placement_mode": "stacked", "placement": []}`, 400, "malformed_body", nil},
		{apptest.SurfacesPath + notes + "/placement", `{"placement_mode": "stacked", "placement": {}}`, 404, "not_found", nil},
	} {
		a := ann.Do("POST", c.path, c.body).WantError(c.status, c.code)
		if c.fields != nil {
			a.WantFields(c.fields...)
		}
		if got := ann.SurfaceRuntime().Body; got != before.Body {
			t.Fatalf("%s %s has changed it to\n%s", c.path, c.body, got)
		}
	}
	ann.Do("POST", social, `{"placement_mode": "stacked", "placement": {`+many(20)+`}, "expected_revision": 0}`).Want(200)
	if got := bea.SurfaceRuntime().Body; got != others.Body {
		t.Errorf("bea has\n%s", got)
	}
}

// A write that is repeated with its key is done once, and answered as the first
// time; if that would be too long to be kept, with everything as it is then.
// Covers B-38 and B-88.
func TestArrangingOnce(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann").With("Idempotency-Key", "one")
	const body = `{"surface_id": "surface_messages"}`
	first := ann.Do("POST", apptest.StacksPath+"carry_primary/focus", body).Want(200)
	if again := ann.Do("POST", apptest.StacksPath+"carry_primary/focus", body).Want(200); again.Body != first.Body {
		t.Errorf("again it says %s", again.Body)
	}
	if got := ann.SurfaceRuntime().At("revision"); got != 1.0 {
		t.Errorf("the revision is %v", got)
	}

	var many []map[string]any
	for i := range 60 {
		many = append(many, apptest.Finding(fmt.Sprint(i)))
		many[i]["summary"] = strings.Repeat("x", 1000)
	}
	place := ann.ReplaceOverlay(many...).Str("surface_runtime.stacks.3.surface_order.7")
	for path, body := range map[string]string{
		apptest.StacksPath + "left_context/focus": `{"surface_id": null}`, apptest.StacksPath + "carry_primary/reorder": `{"surface_order": ["surface_calendar"]}`,
		apptest.SurfacesPath + place + "/placement": `{"placement_mode": "docked", "placement": {"x": 7}}`, apptest.SurfacesPath + place + "/open": `{}`,
	} {
		first := ann.Do("POST", path, body).Want(200)
		if len(first.Body) < 64<<10 {
			t.Fatalf("%s is answered in %d octets", path, len(first.Body))
		}
		ann.With("Idempotency-Key", "").Do("POST", apptest.StacksPath+"right_context/focus", `{"surface_id": null}`).Want(200)
		again, now := ann.Do("POST", path, body).Want(200), ann.Session()
		again.WantSchema("service.surface.arranged", again.At(""))
		if fmt.Sprint(again.At("surface_runtime")) != fmt.Sprint(now.At("surface_runtime")) || again.Str("surface.surface_id") != first.Str("surface.surface_id") ||
			again.At("created") != first.At("created") || again.Str("status") != "ok" {
			t.Errorf("%s: again it says %.300s", path, again.Body)
		}
	}
}

// Another service adds surfaces and changes them. Covers B-34, S-05 to S-13,
// S-38 as far as what it adds goes, and S-75.
func TestPuttingSurfaces(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	in := ann.AsService()
	const letter = `{"surface_id": null, "surface_type": "document_surface", "title": "Letter", "runtime_state": {"summary": "To Bea", "details": [["Pages", "2"]]},
		"service_binding": {"service_id": "files", "resource_type": "file", "resource_id": "7"}, "content_source": {"kind": "inline", "url": "/world/panels/time"},
		"permissions": {"can_share": true}, "rendering_hints": {}, "placement": {"mode": "shared", "metadata": {"stack_id": "left_context", "x": 3}}}`
	made := in.With("Idempotency-Key", "k").Do("POST", "/surfaces", letter).Want(201)
	id := made.Str("surface.surface_id")
	again := in.With("Idempotency-Key", "k").Do("POST", "/surfaces", letter).Want(201)
	if again.Body != made.Body {
		t.Errorf("again it says %s", again.Body)
	}
	if got := ann.SurfaceRuntime().Stacks("stacks"); !strings.Contains(got, "left_context: profile* "+strings.TrimPrefix(id, "surface_")+"\n") {
		t.Errorf("there is\n%s", got)
	}
	changed := in.Do("POST", "/surfaces", map[string]any{"surface_id": id, "title": "A letter"}).Want(200)
	if changed.Str("surface.title") != "A letter" || changed.Str("surface.runtime_state.summary") != "To Bea" || changed.Str("surface.placement.mode") != "shared" {
		t.Errorf("it is %s", changed.Body)
	}
	before := ann.SurfaceRuntime()
	for body, field := range map[string]string{
		`{"title": "x"}`: "surface_type", `{"surface_type": "document_surface"}`: "title", `{"surface_type": "card", "title": "x"}`: "surface_type",
		`{"surface_id": "Ä", "surface_type": "document_surface", "title": "x"}`:                                                           "surface_id",
		`{"surface_id": "surface_social", "surface_type": "web_surface"}`:                                                                 "surface_type",
		`{"surface_type": "web_surface", "title": "x", "content_source": {"kind": "runtime_panel", "url": "https://example.org/world/"}}`: "content_source.url",
		`{"surface_type": "web_surface", "title": "x", "content_source": {"kind": "runtime_panel", "url": "/world/../admin"}}`:            "content_source.url",
		`{"surface_type": "web_surface", "title": "x", "content_source": {"kind": "frame"}}`:                                              "content_source.kind",
		`{"surface_type": "web_surface", "title": "x", "content_source": {"url": "/world/panels/time"}}`:                                  "content_source.kind",
		`{"surface_type": "web_surface", "title": "x", "content_source": {"kind": "inline"}}`:                                             "content_source.url",
		`{"surface_type": "web_surface", "title": "x", "runtime_state": {"details": [["one"]]}}`:                                          "runtime_state.details",
		`{"surface_type": "web_surface", "title": "x", "service_binding": {"service_id": "a", "resource_type": "b"}}`:                     "service_binding.resource_id",
		`{"surface_type": "web_surface", "title": "x", "placement": {"mode": "floating"}}`:                                                "placement.mode",
		`{"surface_type": "web_surface", "title": "x", "placement": {"metadata": {"stack_id": "no"}}}`:                                    "placement.metadata.stack_id",
		`{"surface_type": "web_surface", "title": "x", "placement": {"metadata": {"stack_id": "finding_overlay"}}}`:                       "placement.metadata.stack_id",
		`{"surface_type": "web_surface", "title": "x", "runtime_state": {"finding": {}}}`:                                                 "runtime_state.finding.finding_id",
		`{"surface_type": "finding_surface", "title": "x"}`:                                                                               "runtime_state.finding",
	} {
		a := in.Do("POST", "/surfaces", body)
		if a.Status != 400 && a.Status != 422 || a.Str("error.fields.0.name") != field {
			t.Errorf("%s: %d %s", body, a.Status, a.Body)
		}
	}
	if got := ann.SurfaceRuntime().Body; got != before.Body {
		t.Errorf("it was\n%s\nand is\n%s", before.Body, got)
	}
	h.Restart()
	if got := ann.SurfaceRuntime().Body; got != before.Body {
		t.Errorf("it was\n%s\nand is, after a new start,\n%s", before.Body, got)
	}
}
