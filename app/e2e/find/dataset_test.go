package find

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers B-23, B-96, F-26 and PT-01.
func TestFindingsInTheDataset(t *testing.T) {
	_, ann, _, _ := server(t)
	ann.Find(everywhere, "ok")
	a := ann.Dataset()
	if n := len(a.List("findings")); n != 3 {
		t.Fatalf("got %d findings, want 3", n)
	}
	place, page := a.At("findings.0"), a.At("findings.2")
	for path, want := range map[string]any{
		"finding_id": "osm:node/1", "object_type": "place", "source_service": "geocoder", "location": "map[latitude:38.7 longitude:-9.1]",
		"actions": "[map[id:open label:Open type:open_finding]]", "service_payload.provider_id": "node/1", "service_payload.attribution.required": true,
	} {
		if got := apptest.At(place, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("place: %s: got %v, want %v", path, got, want)
		}
	}
	for path, want := range map[string]any{
		"object_type": "web_resource", "source_service": "web", "service_payload": "map[canonical_url:<nil>]",
		"actions": "[map[id:preview label:Preview type:translate_finding] map[id:save label:Save type:save_object] map[id:share label:Share type:share_object]]",
	} {
		if got := apptest.At(page, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("page: %s: got %v, want %v", path, got, want)
		}
	}
	for _, state := range []string{`"not_installed"`, `"not_configured"`} {
		if strings.Contains(fmt.Sprint(a.At("sources"), a.At("fallbacks")), state) {
			t.Errorf("got %s in the dataset, want Find ready", state)
		}
	}
}

// The dataset has the action that searches, or a fallback if no search is configured.
func TestDatasetOffersTheSearch(t *testing.T) {
	_, ann, places, _ := server(t)
	action := ann.Dataset().Action("find", "workspace")
	if action == nil {
		t.Fatal("got no action that searches, want one")
	}
	a := ann.SendAction(action, map[string]any{"query": "tea", "scope": "everywhere"}).Want(200)
	a.WantValues("", map[string]any{"status": "ok", "findings.0.finding_id": "osm:node/1"})
	if len(places.Requests()) != 1 {
		t.Errorf("got %d requests, want 1", len(places.Requests()))
	}
	empty := apptest.New(t)
	bea := empty.Member("bea")
	if a := bea.Dataset(); a.Action("find", "workspace") != nil || !strings.Contains(a.Body, `"not_configured"`) {
		t.Errorf("nothing to search: got the fallbacks %v, want not_configured and no action", a.At("fallbacks"))
	}
	empty.ImportPlaces("malta", apptest.Places...)
	if bea.Dataset().Action("find", "workspace") == nil {
		t.Error("after an import: got no action that searches, want one")
	}
}

// Covers S-61 to S-65, S-69, S-71, W-151, PT-13 and X-38.
func TestOpenedPlaceHasAMap(t *testing.T) {
	s, ann, places, _ := server(t)
	s.ImportPlaces("malta", apptest.Places...)
	cordina := apptest.FoundPlace{ID: 1, Name: "Caffe Cordina", Point: apptest.Valletta}
	places.Answer(200, apptest.FoundPlaces(cordina))
	found := ann.Find(`{"query": "Cordina", "scope": "everywhere"}`, "ok")
	overlay := fmt.Sprint(found.At("surface_runtime.stacks.3"))
	finding := found.Str("surface_runtime.stacks.3.surface_order.0")
	a := ann.Do("POST", apptest.SurfacesPath+finding+"/open", `{}`).Want(200)
	a.WantSchema("service.surface.arranged", a.At(""))
	a.WantSchema("service.map.runtime", a.At("surface.runtime_state.surface_object.runtime_hints.map"))
	a.WantValues("surface", map[string]any{
		"surface_type": "map_surface", "runtime_state.surface_object.source_finding_id": "osm:node/1", "runtime_state.surface_object.object_type": "place",
		"runtime_state.surface_object.content.location":                           fmt.Sprintf("map[latitude:%v longitude:%v]", apptest.Valletta.Latitude, apptest.Valletta.Longitude),
		"runtime_state.surface_object.content.attribution.required":               true,
		"runtime_state.surface_object.runtime_hints.presentation_status":          "ready",
		"runtime_state.surface_object.runtime_hints.map.contract":                 "map[name:service.map.runtime version:1]",
		"runtime_state.surface_object.runtime_hints.map.viewport.center.latitude": apptest.Valletta.Latitude,
		"runtime_state.surface_object.runtime_hints.map.markers.0.label":          "Caffe Cordina",
		"runtime_state.surface_object.runtime_hints.map.layers.0.id":              "base",
	})
	id := a.Str("surface.surface_id")
	a.WantValues("", map[string]any{"created": true, "surface_runtime.stacks.0.focused_surface_id": id, "surface_runtime.stacks.3": overlay})
	session := ann.Session()
	session.WantSchema("service.map.runtime", apptest.At(session.Surface("surface_runtime.surfaces", id), "runtime_state.surface_object.runtime_hints.map"))

	// The same place, found by another search or in the field, has the same map.
	ann.Find(`{"query": "Caffe", "scope": "nearby", "origin": {"latitude": 35.898, "longitude": 14.5124}}`, "ok")
	again := ann.Do("POST", apptest.SurfacesPath+finding+"/open", `{}`).Want(200)
	again.WantValues("", map[string]any{"created": false, "surface.surface_id": id})
	field := ann.AsRuntime().Do("GET", fmt.Sprintf("/world/runtime?lat=%v&lon=%v", apptest.Valletta.Latitude, apptest.Valletta.Longitude)).Want(200)
	for _, action := range field.List("actions") {
		if apptest.At(action, "type") == "open_place" && strings.Contains(fmt.Sprint(apptest.At(action, "target")), "osm:node/1") {
			ann.SendAction(action).Want(200)
		}
	}
	maps := 0
	for _, surface := range ann.SurfaceRuntime().List("surfaces") {
		if apptest.At(surface, "surface_type") == "map_surface" {
			maps++
		}
	}
	if maps != 1 {
		t.Errorf("got %d maps, want 1", maps)
	}
	page := found.Str("surface_runtime.stacks.3.surface_order.1")
	ann.Do("POST", apptest.SurfacesPath+page+"/open", `{}`).WantError(422, "finding_not_openable")
}

// Covers W-39 and W-40 for the findings of a search.
func TestFindingsBecomeObjectsByActions(t *testing.T) {
	_, ann, places, _ := server(t)
	places.Answer(200, apptest.FoundPlaces(tea))
	ann.Find(everywhere, "ok")
	ann.WantDone(ann.Act("open_finding", "Tea room"))
	ann.WantDone(ann.Act("save_object", "Page https://example.org/a"))
	a := ann.Dataset()
	for _, name := range []string{"place Tea room", "web_resource Page https://example.org/a"} {
		if a.Object("objects", name) == nil {
			t.Errorf("got no object %s, want one", name)
		}
	}
	places.Answer(200, "[]")
	ann.Find(`{"query": "nothing", "scope": "nearby", "origin": {"latitude": 1, "longitude": 1}}`, "ok")
	if a := ann.Dataset(); a.Object("objects", "place Tea room") == nil || len(a.List("findings")) > 0 {
		t.Errorf("after another search: got %v, want the object and no findings", a.At("objects"))
	}
}
