package surface

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/surface"
)

// webPage returns a finding on the web.
func webPage(id string) map[string]any {
	return map[string]any{
		"finding_id": "web:" + id, "source_service": "web", "object_type": "html_resource", "title": "Page " + id, "summary": "About it",
		"source_url": "https://example.org/" + id, "actions": []any{}, "service_payload": map[string]any{"content_type": "text/html", "canonical_url": nil},
	}
}

// invalidPlace returns a place with an invalid location.
func invalidPlace() map[string]any {
	f := apptest.Finding("nowhere")
	f["service_payload"] = map[string]any{"latitude": 91, "longitude": "x"}
	return f
}

// Covers W-39, W-40, S-43, B-23 and PT-03.
func TestOverlayIsPublishedAsFindings(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	if empty, want := ann.Dataset(), `"section":"findings"},"reason":"no_findings"`; !strings.Contains(empty.Body, want) {
		t.Errorf("fallbacks without findings: got %v, want %s", empty.At("fallbacks"), want)
	}
	ann.ReplaceOverlay(apptest.Finding("a"), webPage("x"), invalidPlace()).WantValues("surface_runtime", map[string]any{"commands": nil})
	a := ann.Dataset()
	if n := len(a.List("findings")); n != 3 {
		t.Errorf("got %d findings, want 3", n)
	}
	if o := a.Object("objects", "place Café a"); o != nil {
		t.Errorf("a finding in the overlay: got the object %v, want none", o)
	}
	place := a.Object("findings", "Café a")
	want := fmt.Sprintf("map[action_ids:[%v] actions:[map[id:open label:Open type:open_finding]] finding_id:osm:node/a location:map[latitude:38.7 longitude:-9.1] object_type:place "+
		"service_payload:map[latitude:38.7 longitude:-9.1 provider:osm provider_id:node/a] "+
		"source:map[kind:service service:find] source_service:osm source_url:<nil> summary:Opens at nine title:Café a world_object_id:<nil>]", apptest.At(place, "action_ids.0"))
	if got := fmt.Sprint(place); got != want {
		t.Errorf("a place: got %s, want %s", got, want)
	}
	wantValues(t, "a web page", a.Object("findings", "Page x"), map[string]any{"object_type": "web_resource", "source_url": "https://example.org/x", "location": nil})
	wantValues(t, "a place without a location", a.Object("findings", "Café nowhere"), map[string]any{"action_ids": "[]", "location": nil})
}

// Covers W-151: the surface runtime in the response has the map in focus.
func TestResponseToOpeningAPlaceFocusesItsMap(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	ann.ReplaceOverlay(apptest.Finding("a"))
	finding := ann.SurfaceRuntime().Str("stacks.3.surface_order.0")
	a := ann.Do("POST", apptest.SurfacesPath+finding+"/open", `{}`).Want(200)
	id := a.Str("surface.surface_id")
	a.WantValues("", map[string]any{"created": true, "surface.surface_type": "map_surface", "surface_runtime.stacks.0.focused_surface_id": id})
	wantValues(t, "the surface in focus", a.Surface("surface_runtime.surfaces", id), map[string]any{"surface_type": "map_surface", "title": "Café a"})
	ann.Session().WantValues("surface_runtime.stacks.0", map[string]any{"focused_surface_id": id})
}

// Covers W-39, W-40, S-61 (except for the map image), B-23, B-39 and PT-03.
func TestOpenedPlaceIsFocusedOnAMap(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	place := apptest.Finding("a")
	place["service_payload"].(map[string]any)["category"], place["service_payload"].(map[string]any)["address"] = "cafe", "Main St 1"
	ann.ReplaceOverlay(place, webPage("x"))
	overlay := fmt.Sprint(ann.SurfaceRuntime().At("stacks.3"))
	ann.WantDone(ann.Act("open_finding", "Café a")).WantValues("target", map[string]any{"finding_id": "osm:node/a"})
	ann.WantWorkspace("Café a*")
	a := ann.Dataset()
	o := a.Object("objects", "place Café a")
	wantValues(t, "the object", o, map[string]any{
		"source": "map[kind:service resource_id:osm:node/a resource_type:place service:find]", "state.location.latitude": 38.7, "state.category": "cafe", "state.address": "Main St 1",
	})
	wantValues(t, "the finding", a.Object("findings", "Café a"), map[string]any{"world_object_id": apptest.At(o, "world_object_id")})
	now := ann.SurfaceRuntime()
	if got := fmt.Sprint(now.At("stacks.3")); got != overlay {
		t.Errorf("the overlay: got %s, want %s", got, overlay)
	}
	wantValues(t, "the focused surface", now.Surface("surfaces", now.Str("stacks.0.focused_surface_id")), map[string]any{
		"surface_type": "map_surface", "runtime_state.surface_object.content.location.longitude": -9.1,
		"runtime_state.surface_object.source_finding_id": "osm:node/a", "runtime_state.surface_object.object_type": "place",
	})
	wantValues(t, "the surface of the finding", now.Surface("surfaces", now.Str("stacks.3.surface_order.0")), map[string]any{"placement.mode": "detached"})
}

// Covers S-62, S-63, S-64, B-37, B-39 and PT-13.
func TestOpeningAPlaceAgainFocusesTheSameMap(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	ann.ReplaceOverlay(apptest.Finding("a"))
	ann.WantDone(ann.Act("open_finding", "Café a"))
	id := ann.SurfaceRuntime().Str("stacks.0.focused_surface_id")
	ann.ReplaceOverlay(apptest.Finding("c"), apptest.Finding("a"))
	again := ann.Do("POST", apptest.SurfacesPath+ann.SurfaceRuntime().Str("stacks.3.surface_order.1")+"/open", `{}`).Want(200)
	again.WantSchema("service.surface.arranged", again.At(""))
	again.WantConsistentStacks("surface_runtime")
	again.WantValues("", map[string]any{
		"created": false, "surface.surface_id": id, "surface_runtime.stacks.0.focused_surface_id": id,
		"surface_runtime.commands.open_finding": apptest.SurfacesPath + "{surface_id}/open", "surface_runtime.commands.save_object": apptest.SurfacesPath + "{surface_id}/placement",
	})
	mapCount := 0
	for _, surface := range again.List("surface_runtime.surfaces") {
		if apptest.At(surface, "surface_type") == "map_surface" {
			mapCount++
		}
		open := apptest.At(surface, "commands.open_finding")
		if place := apptest.At(surface, "surface_type") == "finding_surface" && apptest.At(surface, "runtime_state.finding.object_type") == "place"; (open != nil) != place {
			t.Errorf("%v: got the command open_finding %v, want it exactly for places", apptest.At(surface, "title"), open)
		}
	}
	if mapCount != 1 {
		t.Errorf("got %d maps, want 1", mapCount)
	}
	byService := ann.AsService().Do("POST", "/runtime/surfaces/"+again.Str("surface_runtime.stacks.3.surface_order.0")+"/open").Want(200)
	byService.WantValues("", map[string]any{"created": true, "surface_runtime.commands": nil})
	ann.WantWorkspace("Café a, Café c*")
}

// Covers S-65, W-17, B-23, B-41 and PT-03.
func TestSavedFindingsOutliveTheOverlay(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	ann.ReplaceOverlay(apptest.Finding("a"), webPage("x"))
	ann.WantDone(ann.Act("open_finding", "Café a"))
	ann.WantDone(ann.Act("save_object", "Page x"))
	ann.WantWorkspace("Café a*, Page x")
	a := ann.Dataset()
	wantValues(t, "the saved page", a.Object("objects", "web_resource Page x"), map[string]any{"state.source_url": "https://example.org/x"})
	if action := a.Action("save_object", "Page x"); action != nil {
		t.Errorf("save_object of a saved page: got %v, want no action", action)
	}
	ann.WantDone(ann.Act("focus_object", "web_resource Page x"))
	ann.WantDone(ann.Act("move_earlier", "web_resource Page x"))
	ann.ReplaceOverlay()
	s.Restart()
	ann.WantWorkspace("Page x*, Café a")
	ann.WantDone(ann.Act("remove_from_workspace", "place Café a"))
	ann.WantWorkspace("Page x*")
	if o := ann.Dataset().Object("objects", "place Café a"); o != nil {
		t.Errorf("a removed place: got the object %v, want none", o)
	}
	bea.WantWorkspace("")
}

// Covers S-61, B-39 and PT-40.
func TestOnlyPlacesOfTheMemberCanBeOpened(t *testing.T) {
	s, ann, bea := apptest.NewWorkspaceFixture(t)
	ann.ReplaceOverlay(apptest.Finding("b"))
	former := ann.Dataset().Action("open_finding", "Café b")
	place := ann.SurfaceRuntime().Str("stacks.3.surface_order.0")
	bea.SurfaceRuntime() // stores the defaults
	s.WantUnchanged("by another member", func() { bea.Do("POST", apptest.SurfacesPath+place+"/open").WantError(404, "not_found") })
	ann.ReplaceOverlay(webPage("y"), invalidPlace())
	s.WantUnchanged("by surfaces that are no places", func() {
		for _, id := range append(stringsOf(ann.SurfaceRuntime().List("stacks.3.surface_order")), "surface_social") {
			ann.Do("POST", apptest.SurfacesPath+id+"/open", `{}`).WantError(422, "finding_not_openable")
		}
		ann.Do("POST", apptest.SurfacesPath+"surface_nothing/open").WantError(404, "not_found")
		ann.SendAction(former).WantError(404, "not_found")
	})
}

// The dataset has actions instead of surface commands, and objects instead of surfaces; the session
// has the commands. Covers X-15, W-37 for URLs, and B-19.
func TestDatasetHasActionsInsteadOfSurfaceCommands(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	ann.ReplaceOverlay(apptest.Finding("a"), webPage("x"), apptest.Finding("b"), webPage("y"))
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.WantDone(ann.Act("save_object", "Page x"))
	opened := ann.WantDone(ann.Act("open_finding", "Café a"))
	for about, dataset := range map[string]any{
		"GET /world/runtime": ann.Dataset().At(""), "an action": opened.At("dataset"), "POST /world/session": ann.AsRuntime().Do("POST", apptest.SessionPath, `{}`).Want(200).At(""),
	} {
		dispatched, types := make(map[any]bool), make(map[any]bool)
		for _, action := range apptest.At(dataset, "actions").([]any) {
			url := actionURL(action)
			if url == "/world/actions/"+apptest.At(action, "action_id").(string) {
				dispatched[apptest.At(action, "type")] = true
			}
			for _, word := range []string{"/surface", "/stacks", "/panels"} {
				if strings.Contains(url, word) {
					t.Errorf("%s: %v: got the URL %s, want none with %s", about, apptest.At(action, "type"), url, word)
				}
			}
		}
		for _, kind := range []string{"focus_object", "move_earlier", "move_later", "remove_from_workspace", "order_workspace", "clear_focus", "open_finding", "save_object"} {
			if !dispatched[kind] {
				t.Errorf("%s: got no action %s below /world/actions/, want one", about, kind)
			}
		}
		for _, o := range apptest.At(dataset, "objects").([]any) {
			types[apptest.At(o, "object_type")] = true
			if strings.Contains(apptest.At(o, "object_type").(string), "surface") {
				t.Errorf("%s: got an object of the type %v, want no surface", about, apptest.At(o, "object_type"))
			}
		}
		if !types["place"] || !types["web_resource"] {
			t.Errorf("%s: got objects of the types %v, want a place and a web_resource", about, types)
		}
	}
	ann.Session().WantValues("surface_runtime.commands", map[string]any{
		"focus_surface": apptest.StacksPath + "{stack_key}/focus", "reorder_stack": apptest.StacksPath + "{stack_key}/reorder",
		"update_placement": apptest.SurfacesPath + "{surface_id}/placement", "open_finding": apptest.SurfacesPath + "{surface_id}/open",
	})
}

// Covers B-82.
func TestFindingsOfADatasetAreTruncated(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := s.Member("ann")
	findings := make([]map[string]any, 25)
	for i := range findings {
		findings[i] = apptest.Finding(fmt.Sprint(i))
	}
	ann.ReplaceOverlay(findings...)
	wantTruncated := func(section string, want int, fallback string) {
		t.Helper()
		a := ann.Dataset()
		if got := len(a.List(section)); got != want || !strings.Contains(a.Body, fallback) {
			t.Errorf("%s: got %d items and the fallbacks %v, want %d and %s", section, got, a.At("fallbacks"), want, fallback)
		}
	}
	wantTruncated("findings", 20, `"state":"degraded","scope":{"kind":"section","section":"findings"},"reason":"truncated"`)
	viewer := ann.Viewer()
	for part := range 3 {
		s.Write(func(tx *store.Tx) error {
			findings := make([]svc.Finding, 100)
			for i := range findings {
				id := fmt.Sprint("osm:", part, "/", i)
				findings[i] = svc.Finding{FindingID: id, SourceService: "osm", ObjectType: "place", Title: id}
			}
			w, err := s.App.Surface.ReplaceOverlay(tx, viewer, surface.OverlayRequest{Findings: &findings})
			if err != nil {
				return err
			}
			for _, id := range w.Stacks[3].SurfaceOrder {
				if _, _, err := s.App.Surface.Place(tx, viewer, id, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(surface.CarryStack)}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	wantTruncated("workspace.order", 240, `"state":"degraded","scope":{"kind":"service","service":"workspace"},"reason":"truncated"`)
}
