package surface

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/app/httpd"
)

// Covers S-01, S-14, S-15, S-16 and S-37.
func TestServiceRoutesReturnSurfacesAndStacks(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	a := ann.SurfaceRuntime()
	if got := a.Stacks("stacks"); got != apptest.DefaultStacks {
		t.Errorf("stacks: got\n%s\nwant\n%s", got, apptest.DefaultStacks)
	}
	a.WantValues("", map[string]any{"contract.name": "service.surface.runtime", "contract.version": 1, "commands": nil, "revision": 0})
	for _, surface := range a.List("surfaces") {
		ann.Do("GET", apptest.At(surface, "content_source.url").(string)).Want(200)
	}
	service := ann.AsService()
	for path, want := range map[string]int{
		"/runtime/surfaces": 5, "/surfaces": 5, "/surfaces?stack=carry_primary": 3, "/surfaces?type=dashboard_surface": 2,
		"/surfaces?type=dashboard_surface&stack=left_context": 0,
	} {
		if got := len(service.Do("GET", path).Want(200).List("surfaces")); got != want {
			t.Errorf("GET %s: got %d surfaces, want %d", path, got, want)
		}
	}
	if got := service.Do("GET", "/runtime/stacks").Want(200).Stacks("stacks"); got != apptest.DefaultStacks {
		t.Errorf("GET /runtime/stacks: got\n%s\nwant\n%s", got, apptest.DefaultStacks)
	}
	service.Do("GET", "/runtime/stacks/right_context").Want(200).WantValues("stack", map[string]any{"focused_surface_id": "surface_messages_rail"})
	detail := service.Do("GET", "/surface/surface_social").Want(200)
	detail.WantSchema("service.surface.detail", detail.At(""))
	service.Do("GET", "/runtime/stacks/nothing").WantError(404, "not_found")
	service.Do("GET", "/surface/surface_nothing").WantError(404, "not_found")
	service.Do("GET", "/surfaces?type=card").WantError(400, "invalid_parameter")
	service.Do("GET", "/surfaces?stack=card").WantError(400, "invalid_parameter")
}

// Covers S-36, S-37, S-74 and B-02.
func TestRoutesNeedAMemberAndTheService(t *testing.T) {
	on := apptest.New(t, apptest.WithServiceKey)
	ann := on.Member("ann")
	if got, want := on.Unauthenticated().Do("GET", "/ready/surface").Want(200).Body, "surface ready\n"; got != want {
		t.Errorf("GET /ready/surface: got %q, want %q", got, want)
	}
	on.Unauthenticated().Do("GET", "/health/surface").Want(200).WantValues("", map[string]any{"service": "surface"})
	withoutSurface := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	bea := withoutSurface.Member("bea")
	for _, route := range on.App.HTTP.Routes() {
		if route.Service != "surface" {
			continue
		}
		method, path, _ := strings.Cut(strings.NewReplacer("{", "", "}", "").Replace(route.Pattern), " ")
		if route.Access == httpd.ServiceKey || route.Access == httpd.OnBehalf {
			ann.AsService().With("X-Service-Member-Id", "").Do(method, path).WantError(400, "member_context_required")
			bea.AsService().Do(method, path).WantError(503, "service_unavailable")
			continue
		}
		bea.Do(method, path).WantError(503, "service_unavailable")
	}
	withoutSurface.Unauthenticated().Do("GET", "/ready/surface").WantError(503, "service_unavailable")
}

// Covers S-19.
func TestConcurrentFirstReadsStoreDefaultsOnce(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	bodies := make([]string, 50)
	var all sync.WaitGroup
	for i := range bodies {
		all.Go(func() {
			a, err := ann.AsService().Try("GET", "/runtime")
			if err != nil || a.Status != 200 {
				t.Errorf("read %d: got %v, %v, want status 200", i, a, err)
				return
			}
			bodies[i] = a.Body
		})
	}
	all.Wait()
	want := ann.SurfaceRuntime().Body
	for _, body := range bodies {
		if body != want {
			t.Fatalf("got\n%s\nwant\n%s", body, want)
		}
	}
	if stacks, surfaces := s.QueryInt("SELECT count(*) FROM surface_stack"), s.QueryInt("SELECT count(*) FROM surface_surface"); stacks != 4 || surfaces != 5 {
		t.Errorf("got %d stacks and %d surfaces, want 4 and 5", stacks, surfaces)
	}
}

// wantArranged fails the test unless a is the response to a change of surfaces and contains
// their current state. It returns a.
func wantArranged(c *apptest.Client, a *apptest.Answer) *apptest.Answer {
	c.T.Helper()
	a.Want(200)
	a.WantSchema("service.surface.arranged", a.At(""))
	a.WantConsistentStacks("surface_runtime")
	a.WantValues("", map[string]any{"status": "ok"})
	if got, want := a.Stacks("surface_runtime.stacks"), c.SurfaceRuntime().Stacks("stacks"); got != want {
		c.T.Errorf("%s: got the stacks\n%s\nwant\n%s", a.About, got, want)
	}
	return a
}

// Covers S-01, S-02, S-04, S-22, S-24, S-26, S-28, S-29, B-37 and B-87.
func TestPublishedCommandsArrangeSurfaces(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	first := wantArranged(ann, ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_messages"}`))
	placement := apptest.SurfacesPath + "{surface_id}/placement"
	first.WantValues("surface_runtime.commands", map[string]any{
		"focus_surface": apptest.StacksPath + "{stack_key}/focus", "reorder_stack": apptest.StacksPath + "{stack_key}/reorder", "update_placement": placement,
		"detach_surface": placement, "dock_surface": placement, "field_anchor_surface": placement, "share_surface": placement, "translate_surface": nil, "open_finding": nil,
	})
	first.WantValues("surface_runtime.stacks.1.commands", map[string]any{
		"focus_surface": apptest.StacksPath + "left_context/focus", "reorder_stack": apptest.StacksPath + "left_context/reorder",
	})
	wantCarry := func(a *apptest.Answer, want string) {
		t.Helper()
		if got, _, _ := strings.Cut(a.Stacks("surface_runtime.stacks"), "\n"); got != "carry_primary: "+want {
			t.Errorf("%s: got %s, want carry_primary: %s", a.About, got, want)
		}
	}
	wantCarry(first, "social calendar messages*")
	focus, reorder := first.Str("surface_runtime.stacks.0.commands.focus_surface"), first.Str("surface_runtime.stacks.0.commands.reorder_stack")
	wantCarry(wantArranged(ann, ann.Do("POST", reorder, `{"surface_order": ["surface_messages", "surface_calendar"]}`)), "messages* calendar social")
	wantCarry(wantArranged(ann, ann.Do("POST", focus, `{"surface_id": null}`)), "messages calendar social")
	wantCarry(wantArranged(ann, ann.Do("POST", focus, apptest.Form("surface_id=surface_calendar"))), "messages calendar* social")
	wantCarry(wantArranged(ann, ann.Do("POST", reorder, apptest.Form("surface_order[]=surface_calendar&surface_order[]=surface_messages"))), "calendar* messages social")

	place := apptest.At(first.Surface("surface_runtime.surfaces", "surface_calendar"), "commands.update_placement").(string)
	for pinned, body := range map[any]any{
		true: `{"placement_mode": "detached", "placement": {"stack_id": "carry_primary", "region": "carry", "display": "full", "x": 1.5, "y": -2, "width": 300, "height": 200, "z": 3, "pinned": true}}`,
		"on": apptest.Form("placement_mode=detached&placement[stack_id]=carry_primary&placement[region]=carry&placement[display]=full&placement[x]=1.5" +
			"&placement.y=-2&placement.width=300&placement.height=200&placement.z=3&placement.pinned=on"),
	} {
		a := wantArranged(ann, ann.Do("POST", place, body))
		a.WantValues("surface.placement", map[string]any{
			"mode":     "detached",
			"metadata": fmt.Sprintf("map[display:full height:200 pinned:%v region:carry stack_id:carry_primary width:300 x:1.5 y:-2 z:3]", pinned),
		})
	}
	a := wantArranged(ann, ann.Do("POST", place, `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`))
	if got, want := a.Stacks("surface_runtime.stacks"), "carry_primary: messages social\nleft_context: profile* calendar\nright_context: messages_rail*\nfinding_overlay: "; got != want {
		t.Errorf("docked in another stack: got\n%s\nwant\n%s", got, want)
	}
}

// Covers S-23, S-25, S-27, S-31, S-36 and B-38.
func TestInvalidCommandsAreRejectedAndChangeNothing(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea := s.Member("ann"), s.Member("bea")
	bea.AsService().Do("POST", "/surfaces", `{"surface_id": "surface_notes", "surface_type": "document_surface", "title": "Notes"}`).Want(201)
	ann.SurfaceRuntime() // stores the defaults
	carryPath, placementPath := apptest.StacksPath+"carry_primary/", apptest.SurfacesPath+"surface_social/placement"
	s.WantUnchanged("by commands that are rejected", func() {
		for _, c := range []struct {
			path, body string
			status     int
			code       string
			fields     []string
		}{
			{carryPath + "focus", `{}`, 400, "field_required", []string{"surface_id"}},
			{carryPath + "focus", `{"surface_id": 7}`, 400, "malformed_body", []string{"surface_id"}},
			{carryPath + "focus", `{"surface_id": "surface_profile"}`, 422, "surface_not_in_stack", []string{"surface_id"}},
			{carryPath + "focus", `{"surface_id": "surface_social", "expected_revision": 8}`, 412, "version_conflict", []string{"expected_revision"}},
			{apptest.StacksPath + "nothing/focus", `{"surface_id": "surface_social"}`, 404, "not_found", nil},
			{carryPath + "reorder", `{}`, 400, "field_required", []string{"surface_order"}},
			{carryPath + "reorder", `{"surface_order": ["surface_social", "surface_social"]}`, 422, "invalid_value", []string{"surface_order.1"}},
			{carryPath + "reorder", `{"surface_order": ["surface_social", "surface_notes"]}`, 422, "surface_not_in_stack", []string{"surface_order.1"}},
			{placementPath, `{}`, 400, "field_required", []string{"placement_mode"}},
			{placementPath, `{"placement_mode": "floating", "placement": {}}`, 422, "invalid_value", []string{"placement_mode"}},
			{placementPath, `{"placement_mode": "shared"}`, 403, "permission_denied", nil},
			{placementPath, `{"placement_mode": "stacked", "placement": {"stack_id": "nothing"}}`, 422, "invalid_value", []string{"placement.stack_id"}},
			{placementPath, `{"placement_mode": "stacked", "placement": {"x": "7"}}`, 400, "malformed_body", []string{"placement.x"}},
			{placementPath, `{"placement_mode": "stacked", "placement": {"x": 1e999}}`, 400, "malformed_body", []string{"placement"}},
			{placementPath, `{"placement_mode": "stacked", "placement": []}`, 400, "malformed_body", []string{"placement"}},
			{apptest.SurfacesPath + "surface_notes/placement", `{"placement_mode": "stacked", "placement": {}}`, 404, "not_found", nil},
		} {
			a := ann.Do("POST", c.path, c.body).WantError(c.status, c.code)
			if !strings.Contains(c.code, "malformed") || len(a.List("error.fields")) > 0 {
				a.WantFields(c.fields...)
			}
		}
	})
}

// A repeated request with an idempotency key changes nothing. Its response is the
// first one, or the current state if the first one was too large to be stored.
// Covers B-38 and B-88.
func TestRepeatedCommandsChangeNothing(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann").With("Idempotency-Key", "one")
	const body = `{"surface_id": "surface_messages"}`
	first := ann.Do("POST", apptest.StacksPath+"carry_primary/focus", body).Want(200)
	if again := ann.Do("POST", apptest.StacksPath+"carry_primary/focus", body).Want(200); again.Body != first.Body {
		t.Errorf("repeated: got\n%s\nwant\n%s", again.Body, first.Body)
	}
	ann.SurfaceRuntime().WantValues("", map[string]any{"revision": 1})

	var large []map[string]any
	for i := range 60 {
		large = append(large, apptest.Finding(fmt.Sprint(i)))
		large[i]["summary"] = strings.Repeat("x", 1000)
	}
	place := ann.ReplaceOverlay(large...).Str("surface_runtime.stacks.3.surface_order.7")
	for path, body := range map[string]string{
		apptest.StacksPath + "left_context/focus": `{"surface_id": null}`, apptest.StacksPath + "carry_primary/reorder": `{"surface_order": ["surface_calendar"]}`,
		apptest.SurfacesPath + place + "/placement": `{"placement_mode": "docked", "placement": {"x": 7}}`, apptest.SurfacesPath + place + "/open": `{}`,
	} {
		first := ann.Do("POST", path, body).Want(200)
		if n := len(first.Body); n < 64<<10 {
			t.Fatalf("%s: got a response of %d bytes, want one that is too large to be stored", path, n)
		}
		ann.With("Idempotency-Key", "").Do("POST", apptest.StacksPath+"right_context/focus", `{"surface_id": null}`).Want(200)
		again, now := ann.Do("POST", path, body).Want(200), ann.Session()
		again.WantSchema("service.surface.arranged", again.At(""))
		again.WantValues("", map[string]any{
			"surface_runtime": now.At("surface_runtime"), "surface.surface_id": first.At("surface.surface_id"), "created": first.At("created"), "status": "ok",
		})
	}
}

// Covers B-34, S-05 to S-13 and S-75.
func TestServicesCreateAndChangeSurfaces(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	service := ann.AsService()
	const letter = `{"surface_id": null, "surface_type": "document_surface", "title": "Letter", "runtime_state": {"summary": "To Bea", "details": [["Pages", "2"]]},
		"service_binding": {"service_id": "files", "resource_type": "file", "resource_id": "7"}, "content_source": {"kind": "inline", "url": "/world/panels/time"},
		"permissions": {"can_share": true}, "rendering_hints": {}, "placement": {"mode": "shared", "metadata": {"stack_id": "left_context", "x": 3}}}`
	created := service.With("Idempotency-Key", "k").Do("POST", "/surfaces", letter).Want(201)
	if again := service.With("Idempotency-Key", "k").Do("POST", "/surfaces", letter).Want(201); again.Body != created.Body {
		t.Errorf("repeated: got\n%s\nwant\n%s", again.Body, created.Body)
	}
	id := created.Str("surface.surface_id")
	if got, want := ann.SurfaceRuntime().Stacks("stacks"), "left_context: profile* "+strings.TrimPrefix(id, "surface_")+"\n"; !strings.Contains(got, want) {
		t.Errorf("stacks: got\n%s\nwant %s", got, want)
	}
	changed := service.Do("POST", "/surfaces", map[string]any{"surface_id": id, "title": "A letter"}).Want(200)
	changed.WantValues("surface", map[string]any{"title": "A letter", "runtime_state.summary": "To Bea", "placement.mode": "shared"})
	before := ann.SurfaceRuntime()
	for body, want := range map[string]struct {
		status int
		code   string
		field  string
	}{
		`{"title": "x"}`: {400, "field_required", "surface_type"},
		`{"surface_type": "web_surface", "title": "x", "content_source": {"kind": "runtime_panel", "url": "/world/../admin"}}`: {422, "invalid_value", "content_source.url"},
		`{"surface_type": "web_surface", "title": "x", "runtime_state": {"finding": {}}}`:                                      {400, "field_required", "runtime_state.finding.finding_id"},
	} {
		a := service.Do("POST", "/surfaces", body).WantError(want.status, want.code)
		if got := a.Str("error.fields.0.name"); got != want.field {
			t.Errorf("%s: got the field %s, want %s", body, got, want.field)
		}
	}
	s.Restart()
	if got := ann.SurfaceRuntime().Body; got != before.Body {
		t.Errorf("after a restart: got\n%s\nwant\n%s", got, before.Body)
	}
}

// A removed surface is not restored by later reads, and a repeated request changes nothing. Covers
// B-88 and B-106.
func TestPublishedCommandRemovesASurface(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	var added map[string]any
	session := ann.Session()
	for _, v := range session.List("surface_runtime.surfaces") {
		if apptest.At(v, "title") == "Taxes" {
			added = v.(map[string]any)
		} else if apptest.At(v, "removable") != false || apptest.At(v, "commands.remove_surface") != nil {
			t.Errorf("%v: got removable %v and the commands %v, want a surface that stays", apptest.At(v, "surface_id"), apptest.At(v, "removable"), apptest.At(v, "commands"))
		}
	}
	if added == nil || added["removable"] != true || added["icon"] != "task" {
		t.Fatalf("got the surface %v, want one with the icon task that can be removed", added)
	}
	url := apptest.At(added, "commands.remove_surface").(string)
	remove := ann.With("Idempotency-Key", "remove")
	first := wantArranged(ann, remove.Do("POST", url, `{}`))
	if got := first.Surface("surface_runtime.surfaces", added["surface_id"].(string)); got != nil {
		t.Errorf("got the surface %v, want it to be gone", got)
	}
	if again := remove.Do("POST", url, `{}`).Want(200); again.At("surface_runtime.revision") != first.At("surface_runtime.revision") {
		t.Errorf("again: got the revision %v, want %v", again.At("surface_runtime.revision"), first.At("surface_runtime.revision"))
	}
	ann.Do("POST", url, `{}`).WantError(404, "not_found")
	ann.Do("POST", apptest.SurfacesPath+"surface_social/remove", `{}`).WantError(403, "permission_denied")
	if got := ann.Session().Surface("surface_runtime.surfaces", added["surface_id"].(string)); got != nil {
		t.Errorf("read again: got the surface %v, want it to be gone", got)
	}
}
