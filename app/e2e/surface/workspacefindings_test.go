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

// website is a finding that is on the web.
func website(id string) map[string]any {
	return map[string]any{
		"finding_id": "web:" + id, "source_service": "web", "object_type": "html_resource", "title": "Page " + id, "summary": "About it",
		"source_url": "https://example.org/" + id, "actions": []any{}, "service_payload": map[string]any{"content_type": "text/html", "canonical_url": nil},
	}
}

// What was found is in the dataset as findings, and as objects when it is kept.
// Covers W-39, W-40, W-17, S-03 as far as places go, S-43 as far as nothing else
// touches the overlay, S-61 (but for the map), S-62, S-63, S-64, S-65, B-23,
// B-37, B-39, B-41, PT-03 and PT-13.
func TestFindings(t *testing.T) {
	h, ann, bea := apptest.NewWorkspaceFixture(t)
	if !strings.Contains(ann.Dataset().Body, `"section":"findings"},"reason":"no_findings"`) {
		t.Error("nothing says that nothing was found")
	}
	full := apptest.Finding("a")
	full["service_payload"].(map[string]any)["category"], full["service_payload"].(map[string]any)["address"] = "cafe", "Main St 1"
	nowhere := apptest.Finding("nowhere")
	nowhere["service_payload"] = map[string]any{"latitude": 91, "longitude": "x"}
	found := ann.ReplaceOverlay(full, website("x"), nowhere, apptest.Finding("b"))
	if commands := found.At("surface_runtime.commands"); commands != nil {
		t.Errorf("Surface publishes %v", commands)
	}
	a := ann.Dataset()
	if len(a.List("findings")) != 4 || a.Object("objects", "place Café a") != nil {
		t.Fatalf("found %v", a.At("findings"))
	}
	f := a.Object("findings", "Café a")
	if got, want := fmt.Sprint(f), fmt.Sprintf("map[action_ids:[%v] finding_id:osm:node/a location:map[latitude:38.7 longitude:-9.1] object_type:place "+
		"source:map[kind:service service:find] source_url:<nil> summary:Opens at nine title:Café a world_object_id:<nil>]", apptest.At(f, "action_ids.0")); got != want {
		t.Errorf("the finding is %s", got)
	}
	if p := a.Object("findings", "Page x"); apptest.At(p, "object_type") != "web_resource" || apptest.At(p, "source_url") != "https://example.org/x" || apptest.At(p, "location") != nil {
		t.Errorf("the page is %v", p)
	}
	if p := a.Object("findings", "Café nowhere"); len(apptest.At(p, "action_ids").([]any)) != 0 || apptest.At(p, "location") != nil {
		t.Errorf("a place that is nowhere is %v", p)
	}
	overlay := ann.SurfaceRuntime().At("stacks.3")

	opened := ann.WantDone(ann.Act("open_finding", "Café a"))
	if opened.Str("target.finding_id") != "osm:node/a" {
		t.Errorf("the target is %v", opened.At("target"))
	}
	ann.WantWorkspace("Café a*")
	now := ann.Dataset()
	o := now.Object("objects", "place Café a")
	if fmt.Sprint(apptest.At(o, "source")) != "map[kind:service resource_id:osm:node/a resource_type:place service:find]" || apptest.At(o, "state.location.latitude") != 38.7 ||
		apptest.At(o, "state.category") != "cafe" || apptest.At(o, "state.address") != "Main St 1" || apptest.At(now.Object("findings", "Café a"), "world_object_id") != apptest.At(o, "world_object_id") {
		t.Errorf("it has become %v", o)
	}
	desktop := ann.SurfaceRuntime()
	if got := fmt.Sprint(desktop.At("stacks.3")); got != fmt.Sprint(overlay) {
		t.Errorf("what was found is %s", got)
	}
	one := desktop.Surface("surfaces", desktop.Str("stacks.0.focused_surface_id"))
	if apptest.At(one, "surface_type") != "map_surface" || apptest.At(one, "runtime_state.surface_object.content.location.longitude") != -9.1 ||
		apptest.At(one, "runtime_state.surface_object.source_finding_id") != "osm:node/a" || apptest.At(one, "runtime_state.surface_object.object_type") != "place" {
		t.Errorf("it is shown by %v", one)
	}
	if finding := desktop.Surface("surfaces", desktop.Str("stacks.3.surface_order.0")); apptest.At(finding, "placement.mode") != "detached" {
		t.Errorf("the finding is %v", finding)
	}

	ann.WantDone(ann.Act("save_object", "Page x"))
	ann.WantWorkspace("Café a*, Page x")
	if now := ann.Dataset(); apptest.At(now.Object("objects", "web_resource Page x"), "state.source_url") != "https://example.org/x" || now.Action("save_object", "Page x") != nil {
		t.Error("the page is not kept, or can be once more")
	}
	ann.WantDone(ann.Act("focus_object", "web_resource Page x"))
	ann.WantDone(ann.Act("move_earlier", "web_resource Page x"))
	ann.WantWorkspace("Page x*, Café a")

	// The same place once more, in another search, by the other route.
	ann.ReplaceOverlay(apptest.Finding("c"), full)
	b := ann.Do("POST", apptest.SurfacesPath+ann.SurfaceRuntime().Str("stacks.3.surface_order.1")+"/open", `{}`).Want(200)
	b.WantSchema("service.surface.arranged", b.At(""))
	b.WantConsistentStacks("surface_runtime")
	if b.At("created") != false || b.Str("surface.surface_id") != apptest.At(one, "surface_id") || b.Str("surface_runtime.stacks.0.focused_surface_id") != apptest.At(one, "surface_id") {
		t.Errorf("opened again: %.300s", b.Body)
	}
	if b.Str("surface_runtime.commands.open_finding") != apptest.SurfacesPath+"{surface_id}/open" || b.Str("surface_runtime.commands.save_object") != apptest.SurfacesPath+"{surface_id}/placement" {
		t.Errorf("commands %v", b.At("surface_runtime.commands"))
	}
	maps := 0
	for _, s := range b.List("surface_runtime.surfaces") {
		if apptest.At(s, "surface_type") == "map_surface" {
			maps++
		}
		open := apptest.At(s, "commands.open_finding")
		if place := apptest.At(s, "surface_type") == "finding_surface" && apptest.At(s, "runtime_state.finding.object_type") == "place"; (open != nil) != place {
			t.Errorf("%v is opened at %v", apptest.At(s, "title"), open)
		}
	}
	if maps != 1 {
		t.Errorf("there are %d maps", maps)
	}
	other := ann.AsService().Do("POST", "/runtime/surfaces/"+b.Str("surface_runtime.stacks.3.surface_order.0")+"/open").Want(200)
	if other.At("created") != true || other.At("surface_runtime.commands") != nil {
		t.Errorf("opened by another service: %.300s", other.Body)
	}
	ann.WantWorkspace("Page x, Café a, Café c*")

	ann.ReplaceOverlay(website("y"), nowhere)
	h.WantUnchanged("by what is no place", func() {
		for _, id := range append(texts(ann.SurfaceRuntime().List("stacks.3.surface_order")), "surface_social") {
			ann.Do("POST", apptest.SurfacesPath+id+"/open", `{}`).WantError(422, "finding_not_openable")
		}
		ann.Do("POST", apptest.SurfacesPath+"surface_nothing/open").WantError(404, "not_found")
		bea.Do("POST", apptest.SurfacesPath+apptest.At(one, "surface_id").(string)+"/open").WantError(404, "not_found")
		ann.SendAction(a.Action("open_finding", "Café b")).WantError(404, "not_found") // found no more
	})
	h.Restart()
	ann.WantWorkspace("Page x, Café a, Café c*") // what is kept outlives what was found
	ann.WantDone(ann.Act("remove_from_workspace", "place Café a"))
	ann.WantDone(ann.Act("remove_from_workspace", "web_resource Page x"))
	ann.WantWorkspace("Café c*")
	if ann.Dataset().Object("objects", "place Café a") != nil {
		t.Error("what is kept no more is an object still")
	}
	bea.WantWorkspace("")
}

// Of screens the dataset knows neither addresses nor names: what others write to
// those is an action in it, and a map is a place. The session has the addresses.
// Covers X-15, W-37 as far as addresses go, and B-19.
func TestActionsInsteadOfSurfaces(t *testing.T) {
	_, ann, _ := apptest.NewWorkspaceFixture(t)
	ann.ReplaceOverlay(apptest.Finding("a"), website("x"), apptest.Finding("b"), website("y"))
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.WantDone(ann.Act("save_object", "Page x"))
	done := ann.WantDone(ann.Act("open_finding", "Café a"))
	for _, dataset := range []any{ann.Dataset().At(""), done.At("dataset"), ann.Runtime().Do("POST", apptest.SessionPath, `{}`).Want(200).At("")} {
		dispatched := make(map[any]bool)
		for _, action := range apptest.At(dataset, "actions").([]any) {
			url := apptest.At(action, "command.url").(string)
			if url == "/world/actions/"+apptest.At(action, "action_id").(string) {
				dispatched[apptest.At(action, "type")] = true
			}
			for _, word := range []string{"/surface", "/stacks", "/panels"} {
				if strings.Contains(url, word) {
					t.Errorf("%v is sent to %s", apptest.At(action, "type"), url)
				}
			}
		}
		for _, kind := range []string{"focus_object", "move_earlier", "move_later", "remove_from_workspace", "order_workspace", "clear_focus", "open_finding", "save_object"} {
			if !dispatched[kind] {
				t.Errorf("%s has no address of its own", kind)
			}
		}
		kinds := make(map[any]bool)
		for _, o := range apptest.At(dataset, "objects").([]any) {
			kinds[apptest.At(o, "object_type")] = true
			if strings.Contains(apptest.At(o, "object_type").(string), "surface") {
				t.Errorf("%v is a %v", apptest.At(o, "title"), apptest.At(o, "object_type"))
			}
		}
		if !kinds["place"] || !kinds["web_resource"] {
			t.Errorf("there are %v", kinds)
		}
	}
	commands := ann.Session().At("surface_runtime.commands")
	for name, address := range map[string]string{
		"focus_surface": apptest.StacksPath + "{stack_key}/focus", "reorder_stack": apptest.StacksPath + "{stack_key}/reorder",
		"update_placement": apptest.SurfacesPath + "{surface_id}/placement", "open_finding": apptest.SurfacesPath + "{surface_id}/open",
	} {
		if apptest.At(commands, name) != address {
			t.Errorf("the session says %s is at %v", name, apptest.At(commands, name))
		}
	}
}

// There is room for so many findings and what they have become; of more the
// dataset says so. Covers B-82.
func TestManyFindings(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann := h.Member("ann")
	list := make([]map[string]any, 25)
	for i := range list {
		list[i] = apptest.Finding(fmt.Sprint(i))
	}
	ann.ReplaceOverlay(list...)
	a := ann.Dataset()
	if len(a.List("findings")) != 20 || !strings.Contains(a.Body, `"state":"degraded","scope":{"kind":"section","section":"findings"},"reason":"truncated"`) {
		t.Errorf("%d findings, and %v", len(a.List("findings")), a.At("fallbacks"))
	}
	viewer := ann.Viewer()
	for part := range 3 {
		h.Write(func(tx *store.Tx) error {
			findings := make([]svc.Finding, 100)
			for i := range findings {
				id := fmt.Sprint("osm:", part, "/", i)
				findings[i] = svc.Finding{FindingID: id, SourceService: "osm", ObjectType: "place", Title: id}
			}
			w, err := h.App.Surface.ReplaceOverlay(tx, viewer, surface.OverlayRequest{Findings: &findings})
			if err != nil {
				return err
			}
			for _, id := range w.Stacks[3].SurfaceOrder {
				if _, _, err := h.App.Surface.Place(tx, viewer, id, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(surface.CarryStack)}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	b := ann.Dataset()
	if n := len(b.List("workspace.order")); n != 240 || !strings.Contains(b.Body, `"state":"degraded","scope":{"kind":"service","service":"workspace"},"reason":"truncated"`) {
		t.Errorf("%d objects in the workspace, and %v", n, b.At("fallbacks"))
	}
}
