package app

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"appliance/app/config"
)

const stacksPath, surfacesPath = "/world/surface/stacks/", "/world/surface/surfaces/"

// desktop returns what the member has before them, as Surface tells it.
func (c *client) desktop() *answer {
	c.t.Helper()
	a := c.internally().do("GET", "/runtime").want(200)
	a.fits("service.surface.workspace", a.at(""))
	a.closed("")
	return a
}

// closed fails the test unless all that a runtime refers to is there: focus is
// in its order, orders name surfaces, none twice, stacks have viewports, and
// surfaces come by number (S-20, S-21).
func (a *answer) closed(path string) {
	a.t.Helper()
	in := func(key string) string { return strings.TrimPrefix(path+"."+key, ".") }
	surfaces, views := make(map[any]bool), make(map[any]bool)
	last := 0.0
	for _, s := range a.list(in("surfaces")) {
		surfaces[dig(s, "surface_id")] = true
		if n := dig(s, "numeric_id").(float64); n <= last {
			a.t.Errorf("%s: %v is number %v, after %v", a.about, dig(s, "surface_id"), n, last)
		} else {
			last = n
		}
	}
	for _, v := range a.list(in("viewports")) {
		views[dig(v, "viewport_id")] = true
	}
	for _, s := range a.list(in("stacks")) {
		order, seen := dig(s, "surface_order").([]any), make(map[any]bool)
		for _, id := range order {
			if !surfaces[id] || seen[id] {
				a.t.Errorf("%s: %v is in the order %v of %v", a.about, id, order, dig(s, "stack_id"))
			}
			seen[id] = true
		}
		if focus := dig(s, "focused_surface_id"); focus != nil && !seen[focus] {
			a.t.Errorf("%s: %v is turned to %v and has %v", a.about, dig(s, "stack_id"), focus, order)
		}
		if !views[dig(s, "viewport_id")] {
			a.t.Errorf("%s: nothing presents %v", a.about, dig(s, "stack_id"))
		}
	}
}

// stacks spells the stacks of a runtime at path: what is in them, with a star at
// what they are turned to.
func (a *answer) stacks(path string) string {
	a.t.Helper()
	var lines []string
	for _, s := range a.list(path) {
		var ids []string
		for _, id := range dig(s, "surface_order").([]any) {
			if id == dig(s, "focused_surface_id") {
				id = fmt.Sprint(id, "*")
			}
			ids = append(ids, strings.TrimPrefix(id.(string), "surface_"))
		}
		lines = append(lines, fmt.Sprintf("%v: %s", dig(s, "stack_id"), strings.Join(ids, " ")))
	}
	return strings.Join(lines, "\n")
}

// one returns the surface with that id, nil if there is none.
func (a *answer) one(path, id string) any {
	a.t.Helper()
	for _, s := range a.list(path) {
		if dig(s, "surface_id") == id {
			return s
		}
	}
	return nil
}

const asNew = `carry_primary: social* calendar messages
left_context: profile*
right_context: messages_rail*
finding_overlay: `

// What everybody has from the beginning. Covers S-01, S-05 to S-18, S-20, S-21,
// S-37 and B-36.
func TestWhatEverybodyHasBeforeThem(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	a := ann.desktop()
	if got := a.stacks("stacks"); got != asNew {
		t.Errorf("there is\n%s", got)
	}
	if a.str("contract.name") != "service.surface.runtime" || a.at("contract.version") != 1.0 || a.at("commands") != nil || a.at("revision") != 0.0 {
		t.Errorf("contract %v, commands %v, revision %v", a.at("contract"), a.at("commands"), a.at("revision"))
	}
	for id, want := range map[string]struct{ kind, panel string }{
		"surface_social":        {"dashboard_surface", "/world/panels/social"},
		"surface_calendar":      {"calendar_surface", "/world/panels/time"},
		"surface_messages":      {"dashboard_surface", "/world/panels/messages"},
		"surface_messages_rail": {"service_nav_panel", "/world/panels/messages/rail"},
		"surface_profile":       {"profile_surface", "/world/panels/social?view=profile"},
	} {
		s := a.one("surfaces", id)
		if dig(s, "surface_type") != want.kind || dig(s, "content_source.kind") != "runtime_panel" || dig(s, "content_source.url") != want.panel {
			t.Errorf("%s is a %v and shows %v", id, dig(s, "surface_type"), dig(s, "content_source"))
		}
		ann.do("GET", want.panel).want(200)
		if got := fmt.Sprint(dig(s, "permissions")); got != "map[can_detach:true can_field_anchor:false can_pin:true can_share:false]" {
			t.Errorf("%s permits %s", id, got)
		}
		binding := dig(s, "service_binding").(map[string]any)
		if len(binding) != 3 || dig(s, "placement.mode") != "stacked" || dig(s, "title") == "" {
			t.Errorf("%s: %v", id, s)
		}
	}
	if got := dig(a.one("surfaces", "surface_messages_rail"), "placement.metadata.matches_surface_id"); got != "surface_messages" {
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
		for _, one := range a.list(list) {
			var row []string
			for _, field := range strings.Fields(want.fields) {
				row = append(row, fmt.Sprint(dig(one, field)))
			}
			rows = append(rows, strings.Join(row, " "))
		}
		if !slices.Equal(rows, want.rows) {
			t.Errorf("the %s are\n%s", list, strings.Join(rows, "\n"))
		}
	}

	in := ann.internally()
	if got := len(in.do("GET", "/runtime/surfaces").want(200).list("surfaces")); got != 5 {
		t.Errorf("there are %d surfaces", got)
	}
	if got := in.do("GET", "/runtime/stacks").want(200).stacks("stacks"); got != asNew {
		t.Errorf("the stacks are\n%s", got)
	}
	if got := in.do("GET", "/runtime/stacks/right_context").want(200).str("stack.focused_surface_id"); got != "surface_messages_rail" {
		t.Errorf("the right one is turned to %s", got)
	}
	in.do("GET", "/runtime/stacks/nothing").refused(404, "not_found")
	for query, want := range map[string]int{"": 5, "?stack=carry_primary": 3, "?type=dashboard_surface": 2, "?type=dashboard_surface&stack=left_context": 0} {
		if got := len(in.do("GET", "/surfaces"+query).want(200).list("surfaces")); got != want {
			t.Errorf("GET /surfaces%s has %d", query, got)
		}
	}
	in.do("GET", "/surfaces?type=card").refused(400, "invalid_parameter")
	in.do("GET", "/surfaces?stack=card").refused(400, "invalid_parameter")
	detail := in.do("GET", "/surface/surface_social").want(200)
	detail.fits("service.surface.detail", detail.at(""))
	in.do("GET", "/surface/surface_nothing").refused(404, "not_found")
}

// Nothing of Surface answers without a member, and without the service. Covers
// S-36, S-37, S-74 and B-02.
func TestSurfaceNeedsAMember(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	if got := h.nobody().do("GET", "/ready/surface").want(200).body; got != "surface ready\n" {
		t.Errorf("it says %q", got)
	}
	if got := h.nobody().do("GET", "/health/surface").want(200).str("service"); got != "surface" {
		t.Errorf("it is %q", got)
	}
	off := open(t, withKey, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	bea := off.member("bea")
	for _, rt := range h.routes() {
		if rt.unit != "surface" {
			continue
		}
		method, path := sample(rt.pattern)
		if rt.between() {
			ann.internally().with("X-Service-Member-Id", "").do(method, path).refused(400, "member_context_required")
			bea.internally().do(method, path).refused(503, "service_unavailable")
			continue
		}
		bea.do(method, path).refused(503, "service_unavailable")
	}
	off.nobody().do("GET", "/ready/surface").refused(503, "service_unavailable")
}

// Fifty runtimes that read for the first time at once find each stack once.
// Covers S-19.
func TestFirstReadsAtOnce(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	bodies := make([]string, 50)
	var all sync.WaitGroup
	for i := range bodies {
		all.Go(func() {
			a, err := ann.internally().try("GET", "/runtime")
			if err != nil || a.status != 200 {
				t.Error(err, a)
				return
			}
			bodies[i] = a.body
		})
	}
	all.Wait()
	want := ann.desktop().body
	for _, body := range bodies {
		if body != want {
			t.Fatalf("one read\n%s\nanother\n%s", body, want)
		}
	}
	if stacks, surfaces := h.number("SELECT count(*) FROM surface_stack"), h.number("SELECT count(*) FROM surface_surface"); stacks != 4 || surfaces != 5 {
		t.Errorf("%d stacks and %d surfaces are stored", stacks, surfaces)
	}
}

// A member arranges what they have, by the addresses that come with it, and
// gets it back as it is then. Covers S-01, S-02, S-04, S-22 to S-30 and B-37.
func TestArranging(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	done := func(a *answer) *answer {
		t.Helper()
		a.want(200)
		a.fits("service.surface.arranged", a.at(""))
		a.closed("surface_runtime")
		if a.str("status") != "ok" || a.stacks("surface_runtime.stacks") != ann.desktop().stacks("stacks") {
			t.Errorf("%s: %s", a.about, a.body)
		}
		return a
	}
	first := done(ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`))
	commands := first.at("surface_runtime.commands").(map[string]any)
	for _, name := range []string{"update_placement", "detach_surface", "dock_surface", "field_anchor_surface", "share_surface"} {
		if commands[name] != "/world/surface/surfaces/{surface_id}/placement" {
			t.Errorf("%s is %v", name, commands[name])
		}
	}
	if commands["translate_surface"] != nil || commands["open_finding"] != nil {
		t.Errorf("there is nothing to translate or open: %v", commands)
	}
	for _, s := range first.list("surface_runtime.stacks") {
		for name, url := range dig(s, "commands").(map[string]any) {
			if url != strings.ReplaceAll(commands[name].(string), "{stack_key}", dig(s, "stack_id").(string)) {
				t.Errorf("%s of %v is %v", name, dig(s, "stack_id"), url)
			}
		}
	}
	if got := first.stacks("surface_runtime.stacks"); !strings.HasPrefix(got, "carry_primary: social calendar messages*\n") {
		t.Errorf("there is\n%s", got)
	}

	// Order: nothing is lost.
	reorder, focus := dig(first.at("surface_runtime"), "stacks.0.commands.reorder_stack").(string), dig(first.at("surface_runtime"), "stacks.0.commands.focus_surface").(string)
	for body, want := range map[string]string{
		`{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`: "messages* calendar social",
		`{"surface_order": ["surface_social"]}`:                                         "social messages* calendar",
		`{"surface_order": []}`:                                                         "social calendar messages*",
	} {
		done(ann.do("POST", reorder, `{"surface_order": ["surface_social", "surface_calendar", "surface_messages"]}`))
		want = "carry_primary: " + want
		if want == "carry_primary: social messages* calendar" {
			done(ann.do("POST", reorder, `{"surface_order": ["surface_messages", "surface_calendar", "surface_social"]}`))
		}
		if got, _, _ := strings.Cut(done(ann.do("POST", reorder, body)).stacks("surface_runtime.stacks"), "\n"); got != want {
			t.Errorf("%s makes %s", body, got)
		}
	}
	done(ann.do("POST", focus, `{"surface_id": null}`))
	done(ann.do("POST", focus, formBody("surface_id=surface_calendar")))
	done(ann.do("POST", reorder, formBody("surface_order[]=surface_calendar&surface_order[]=surface_messages")))

	// Placement: a form says the same.
	at := dig(first.one("surface_runtime.surfaces", "surface_calendar"), "commands.update_placement").(string)
	for _, body := range []any{
		`{"placement_mode": "detached", "placement": {"stack_id": "carry_primary", "region": "carry", "display": "full", "x": 1.5, "y": -2, "width": 300, "height": 200, "z": 3, "pinned": true}}`,
		formBody("placement_mode=detached&placement[stack_id]=carry_primary&placement[region]=carry&placement[display]=full&placement[x]=1.5" +
			"&placement.y=-2&placement.width=300&placement.height=200&placement.z=3&placement.pinned=on"),
	} {
		done(ann.do("POST", at, `{"placement_mode": "stacked", "placement": {"region": null, "display": null, "x": null, "y": null, "width": null, "height": null, "z": null}}`))
		a := done(ann.do("POST", at, body))
		got := fmt.Sprint(a.at("surface.placement"))
		if want := "map[metadata:map[display:full height:200 pinned:%v region:carry stack_id:carry_primary width:300 x:1.5 y:-2 z:3] mode:detached]"; got != fmt.Sprintf(want, "true") && got != fmt.Sprintf(want, "on") {
			t.Errorf("it is at %s", got)
		}
		if fmt.Sprint(dig(ann.desktop().one("surfaces", "surface_calendar"), "placement")) != got {
			t.Errorf("it is at %v", dig(ann.desktop().one("surfaces", "surface_calendar"), "placement"))
		}
	}

	// Into another stack, which it leaves the first for.
	a := done(ann.do("POST", at, `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`))
	if got := a.stacks("surface_runtime.stacks"); got != "carry_primary: messages social\nleft_context: profile* calendar\nright_context: messages_rail*\nfinding_overlay: " {
		t.Errorf("there is\n%s", got)
	}
	// Detached it stays in the stack where it is.
	done(ann.do("POST", at, `{"placement_mode": "detached", "placement": {"stack_id": "right_context"}}`))
	if got := ann.desktop().stacks("stacks"); !strings.Contains(got, "left_context: profile* calendar\n") {
		t.Errorf("there is\n%s", got)
	}
	rail := done(ann.do("POST", surfacesPath+"surface_messages_rail/placement", `{"placement_mode": "docked", "placement": {}}`))
	if got := rail.at("surface.placement.metadata.matches_surface_id"); got != "surface_messages" {
		t.Errorf("the rail matches %v", got)
	}

	// Any mode follows any other (S-30), where all are permitted.
	found := ann.finds(cafe("a")).str("surface_runtime.stacks.3.surface_order.0")
	for _, from := range placementModes {
		for _, to := range placementModes {
			for _, mode := range []string{from, to} {
				a := done(ann.do("POST", surfacesPath+found+"/placement", map[string]any{"placement_mode": mode, "placement": map[string]any{"z": 1}}))
				if got := a.str("surface.placement.mode"); got != mode {
					t.Errorf("it is %s, want %s", got, mode)
				}
			}
		}
	}
}

// What cannot be done is refused by name, and changes nothing. Covers S-23,
// S-25, S-27, S-31, S-36 and B-38.
func TestWhatCannotBeArranged(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	notes := bea.internally().do("POST", "/surfaces", `{"surface_id": "surface_notes", "surface_type": "document_surface", "title": "Notes"}`).want(201).str("surface.surface_id")
	before, others := ann.desktop(), bea.desktop()
	carry, social := stacksPath+"carry_primary/", surfacesPath+"surface_social/placement"
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
		{stacksPath + "nothing/focus", `{"surface_id": "surface_social"}`, 404, "not_found", nil},
		{carry + "reorder", `{}`, 400, "field_required", []string{"surface_order"}},
		{carry + "reorder", `{"surface_order": ["surface_social", "surface_social"]}`, 422, "invalid_value", []string{"surface_order.1"}},
		{carry + "reorder", `{"surface_order": ["surface_social", "` + notes + `"]}`, 422, "surface_not_in_stack", []string{"surface_order.1"}},
		{stacksPath + "nothing/reorder", `{"surface_order": []}`, 404, "not_found", nil},
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
		{surfacesPath + notes + "/placement", `{"placement_mode": "stacked", "placement": {}}`, 404, "not_found", nil},
	} {
		a := ann.do("POST", c.path, c.body).refused(c.status, c.code)
		if c.fields != nil {
			a.names(c.fields...)
		}
		if got := ann.desktop().body; got != before.body {
			t.Fatalf("%s %s has changed it to\n%s", c.path, c.body, got)
		}
	}
	ann.do("POST", social, `{"placement_mode": "stacked", "placement": {`+many(20)+`}, "expected_revision": 0}`).want(200)
	if got := bea.desktop().body; got != others.body {
		t.Errorf("bea has\n%s", got)
	}
}

// A write that is repeated with its key is done once, and answered as the first
// time; if that would be too long to be kept, with everything as it is then.
// Covers B-38 and B-88.
func TestArrangingOnce(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann").with("Idempotency-Key", "one")
	const body = `{"surface_id": "surface_messages"}`
	first := ann.do("POST", stacksPath+"carry_primary/focus", body).want(200)
	if again := ann.do("POST", stacksPath+"carry_primary/focus", body).want(200); again.body != first.body {
		t.Errorf("again it says %s", again.body)
	}
	if got := ann.desktop().at("revision"); got != 1.0 {
		t.Errorf("the revision is %v", got)
	}

	var many []map[string]any
	for i := range 60 {
		many = append(many, cafe(fmt.Sprint(i)))
		many[i]["summary"] = strings.Repeat("x", 1000)
	}
	place := ann.finds(many...).str("surface_runtime.stacks.3.surface_order.7")
	for path, body := range map[string]string{
		stacksPath + "left_context/focus": `{"surface_id": null}`, stacksPath + "carry_primary/reorder": `{"surface_order": ["surface_calendar"]}`,
		surfacesPath + place + "/placement": `{"placement_mode": "docked", "placement": {"x": 7}}`, surfacesPath + place + "/open": `{}`,
	} {
		first := ann.do("POST", path, body).want(200)
		if len(first.body) < 64<<10 {
			t.Fatalf("%s is answered in %d octets", path, len(first.body))
		}
		ann.with("Idempotency-Key", "").do("POST", stacksPath+"right_context/focus", `{"surface_id": null}`).want(200)
		again, now := ann.do("POST", path, body).want(200), ann.session()
		again.fits("service.surface.arranged", again.at(""))
		if fmt.Sprint(again.at("surface_runtime")) != fmt.Sprint(now.at("surface_runtime")) || again.str("surface.surface_id") != first.str("surface.surface_id") ||
			again.at("created") != first.at("created") || again.str("status") != "ok" {
			t.Errorf("%s: again it says %.300s", path, again.body)
		}
	}
}

// Another service adds surfaces and changes them. Covers B-34, S-05 to S-13,
// S-38 as far as what it adds goes, and S-75.
func TestPuttingSurfaces(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	in := ann.internally()
	const letter = `{"surface_id": null, "surface_type": "document_surface", "title": "Letter", "runtime_state": {"summary": "To Bea", "details": [["Pages", "2"]]},
		"service_binding": {"service_id": "files", "resource_type": "file", "resource_id": "7"}, "content_source": {"kind": "inline", "url": "/world/panels/time"},
		"permissions": {"can_share": true}, "rendering_hints": {}, "placement": {"mode": "shared", "metadata": {"stack_id": "left_context", "x": 3}}}`
	made := in.with("Idempotency-Key", "k").do("POST", "/surfaces", letter).want(201)
	id := made.str("surface.surface_id")
	again := in.with("Idempotency-Key", "k").do("POST", "/surfaces", letter).want(201)
	if again.body != made.body {
		t.Errorf("again it says %s", again.body)
	}
	if got := ann.desktop().stacks("stacks"); !strings.Contains(got, "left_context: profile* "+strings.TrimPrefix(id, "surface_")+"\n") {
		t.Errorf("there is\n%s", got)
	}
	changed := in.do("POST", "/surfaces", map[string]any{"surface_id": id, "title": "A letter"}).want(200)
	if changed.str("surface.title") != "A letter" || changed.str("surface.runtime_state.summary") != "To Bea" || changed.str("surface.placement.mode") != "shared" {
		t.Errorf("it is %s", changed.body)
	}
	before := ann.desktop()
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
		a := in.do("POST", "/surfaces", body)
		if a.status != 400 && a.status != 422 || a.str("error.fields.0.name") != field {
			t.Errorf("%s: %d %s", body, a.status, a.body)
		}
	}
	if got := ann.desktop().body; got != before.body {
		t.Errorf("it was\n%s\nand is\n%s", before.body, got)
	}
	h.restart()
	if got := ann.desktop().body; got != before.body {
		t.Errorf("it was\n%s\nand is, after a new start,\n%s", before.body, got)
	}
}
