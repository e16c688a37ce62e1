package app

import (
	"fmt"
	"strings"
	"testing"

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
	h, ann, bea := furnished(t)
	if !strings.Contains(ann.sees().body, `"section":"findings"},"reason":"no_findings"`) {
		t.Error("nothing says that nothing was found")
	}
	full := cafe("a")
	full["service_payload"].(map[string]any)["category"], full["service_payload"].(map[string]any)["address"] = "cafe", "Main St 1"
	nowhere := cafe("nowhere")
	nowhere["service_payload"] = map[string]any{"latitude": 91, "longitude": "x"}
	found := ann.finds(full, website("x"), nowhere, cafe("b"))
	if commands := found.at("surface_runtime.commands"); commands != nil {
		t.Errorf("Surface publishes %v", commands)
	}
	a := ann.sees()
	if len(a.list("findings")) != 4 || a.thing("objects", "place Café a") != nil {
		t.Fatalf("found %v", a.at("findings"))
	}
	f := a.thing("findings", "Café a")
	if got, want := fmt.Sprint(f), fmt.Sprintf("map[action_ids:[%v] finding_id:osm:node/a location:map[latitude:38.7 longitude:-9.1] object_type:place "+
		"source:map[kind:service service:find] source_url:<nil> summary:Opens at nine title:Café a world_object_id:<nil>]", dig(f, "action_ids.0")); got != want {
		t.Errorf("the finding is %s", got)
	}
	if p := a.thing("findings", "Page x"); dig(p, "object_type") != "web_resource" || dig(p, "source_url") != "https://example.org/x" || dig(p, "location") != nil {
		t.Errorf("the page is %v", p)
	}
	if p := a.thing("findings", "Café nowhere"); len(dig(p, "action_ids").([]any)) != 0 || dig(p, "location") != nil {
		t.Errorf("a place that is nowhere is %v", p)
	}
	overlay := ann.desktop().at("stacks.3")

	opened := ann.done(ann.acts("open_finding", "Café a"))
	if opened.str("target.finding_id") != "osm:node/a" {
		t.Errorf("the target is %v", opened.at("target"))
	}
	ann.arranges("Café a*")
	now := ann.sees()
	o := now.thing("objects", "place Café a")
	if fmt.Sprint(dig(o, "source")) != "map[kind:service resource_id:osm:node/a resource_type:place service:find]" || dig(o, "state.location.latitude") != 38.7 ||
		dig(o, "state.category") != "cafe" || dig(o, "state.address") != "Main St 1" || dig(now.thing("findings", "Café a"), "world_object_id") != dig(o, "world_object_id") {
		t.Errorf("it has become %v", o)
	}
	desktop := ann.desktop()
	if got := fmt.Sprint(desktop.at("stacks.3")); got != fmt.Sprint(overlay) {
		t.Errorf("what was found is %s", got)
	}
	one := desktop.one("surfaces", desktop.str("stacks.0.focused_surface_id"))
	if dig(one, "surface_type") != "map_surface" || dig(one, "runtime_state.surface_object.content.location.longitude") != -9.1 ||
		dig(one, "runtime_state.surface_object.source_finding_id") != "osm:node/a" || dig(one, "runtime_state.surface_object.object_type") != "place" {
		t.Errorf("it is shown by %v", one)
	}
	if finding := desktop.one("surfaces", desktop.str("stacks.3.surface_order.0")); dig(finding, "placement.mode") != "detached" {
		t.Errorf("the finding is %v", finding)
	}

	ann.done(ann.acts("save_object", "Page x"))
	ann.arranges("Café a*, Page x")
	if now := ann.sees(); dig(now.thing("objects", "web_resource Page x"), "state.source_url") != "https://example.org/x" || now.deed("save_object", "Page x") != nil {
		t.Error("the page is not kept, or can be once more")
	}
	ann.done(ann.acts("focus_object", "web_resource Page x"))
	ann.done(ann.acts("move_earlier", "web_resource Page x"))
	ann.arranges("Page x*, Café a")

	// The same place once more, in another search, by the other route.
	ann.finds(cafe("c"), full)
	b := ann.do("POST", surfacesPath+ann.desktop().str("stacks.3.surface_order.1")+"/open", `{}`).want(200)
	b.fits("service.surface.arranged", b.at(""))
	b.closed("surface_runtime")
	if b.at("created") != false || b.str("surface.surface_id") != dig(one, "surface_id") || b.str("surface_runtime.stacks.0.focused_surface_id") != dig(one, "surface_id") {
		t.Errorf("opened again: %.300s", b.body)
	}
	if b.str("surface_runtime.commands.open_finding") != surfacesPath+"{surface_id}/open" || b.str("surface_runtime.commands.save_object") != surfacesPath+"{surface_id}/placement" {
		t.Errorf("commands %v", b.at("surface_runtime.commands"))
	}
	maps := 0
	for _, s := range b.list("surface_runtime.surfaces") {
		if dig(s, "surface_type") == "map_surface" {
			maps++
		}
		open := dig(s, "commands.open_finding")
		if place := dig(s, "surface_type") == "finding_surface" && dig(s, "runtime_state.finding.object_type") == "place"; (open != nil) != place {
			t.Errorf("%v is opened at %v", dig(s, "title"), open)
		}
	}
	if maps != 1 {
		t.Errorf("there are %d maps", maps)
	}
	other := ann.internally().do("POST", "/runtime/surfaces/"+b.str("surface_runtime.stacks.3.surface_order.0")+"/open").want(200)
	if other.at("created") != true || other.at("surface_runtime.commands") != nil {
		t.Errorf("opened by another service: %.300s", other.body)
	}
	ann.arranges("Page x, Café a, Café c*")

	ann.finds(website("y"), nowhere)
	h.unchanged("by what is no place", func() {
		for _, id := range append(texts(ann.desktop().list("stacks.3.surface_order")), "surface_social") {
			ann.do("POST", surfacesPath+id+"/open", `{}`).refused(422, "finding_not_openable")
		}
		ann.do("POST", surfacesPath+"surface_nothing/open").refused(404, "not_found")
		bea.do("POST", surfacesPath+dig(one, "surface_id").(string)+"/open").refused(404, "not_found")
		ann.sends(a.deed("open_finding", "Café b")).refused(404, "not_found") // found no more
	})
	h.restart()
	ann.arranges("Page x, Café a, Café c*") // what is kept outlives what was found
	ann.done(ann.acts("remove_from_workspace", "place Café a"))
	ann.done(ann.acts("remove_from_workspace", "web_resource Page x"))
	ann.arranges("Café c*")
	if ann.sees().thing("objects", "place Café a") != nil {
		t.Error("what is kept no more is an object still")
	}
	bea.arranges("")
}

// Of screens the dataset knows neither addresses nor names: what others write to
// those is an action in it, and a map is a place. The session has the addresses.
// Covers X-15, W-37 as far as addresses go, and B-19.
func TestActionsInsteadOfSurfaces(t *testing.T) {
	_, ann, _ := furnished(t)
	ann.finds(cafe("a"), website("x"), cafe("b"), website("y"))
	ann.done(ann.acts("focus_object", "task Taxes"))
	ann.done(ann.acts("save_object", "Page x"))
	done := ann.done(ann.acts("open_finding", "Café a"))
	for _, dataset := range []any{ann.sees().at(""), done.at("dataset"), ann.runtime().do("POST", sessionPath, `{}`).want(200).at("")} {
		dispatched := make(map[any]bool)
		for _, action := range dig(dataset, "actions").([]any) {
			url := dig(action, "command.url").(string)
			if url == "/world/actions/"+dig(action, "action_id").(string) {
				dispatched[dig(action, "type")] = true
			}
			for _, word := range []string{"/surface", "/stacks", "/panels"} {
				if strings.Contains(url, word) {
					t.Errorf("%v is sent to %s", dig(action, "type"), url)
				}
			}
		}
		for _, kind := range []string{"focus_object", "move_earlier", "move_later", "remove_from_workspace", "order_workspace", "clear_focus", "open_finding", "save_object"} {
			if !dispatched[kind] {
				t.Errorf("%s has no address of its own", kind)
			}
		}
		kinds := make(map[any]bool)
		for _, o := range dig(dataset, "objects").([]any) {
			kinds[dig(o, "object_type")] = true
			if strings.Contains(dig(o, "object_type").(string), "surface") {
				t.Errorf("%v is a %v", dig(o, "title"), dig(o, "object_type"))
			}
		}
		if !kinds["place"] || !kinds["web_resource"] {
			t.Errorf("there are %v", kinds)
		}
	}
	commands := ann.session().at("surface_runtime.commands")
	for name, address := range map[string]string{
		"focus_surface": stacksPath + "{stack_key}/focus", "reorder_stack": stacksPath + "{stack_key}/reorder",
		"update_placement": surfacesPath + "{surface_id}/placement", "open_finding": surfacesPath + "{surface_id}/open",
	} {
		if dig(commands, name) != address {
			t.Errorf("the session says %s is at %v", name, dig(commands, name))
		}
	}
}

// There is room for so many findings and what they have become; of more the
// dataset says so. Covers B-82.
func TestManyFindings(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann := h.member("ann")
	list := make([]map[string]any, 25)
	for i := range list {
		list[i] = cafe(fmt.Sprint(i))
	}
	ann.finds(list...)
	a := ann.sees()
	if len(a.list("findings")) != 20 || !strings.Contains(a.body, `"state":"degraded","scope":{"kind":"section","section":"findings"},"reason":"truncated"`) {
		t.Errorf("%d findings, and %v", len(a.list("findings")), a.at("fallbacks"))
	}
	viewer := ann.viewer()
	for part := range 3 {
		h.write(func(tx *store.Tx) error {
			findings := make([]svc.Finding, 100)
			for i := range findings {
				id := fmt.Sprint("osm:", part, "/", i)
				findings[i] = svc.Finding{FindingID: id, SourceService: "osm", ObjectType: "place", Title: id}
			}
			w, err := h.surface.ReplaceOverlay(tx, viewer, surface.OverlayRequest{Findings: &findings})
			if err != nil {
				return err
			}
			for _, id := range w.Stacks[3].SurfaceOrder {
				if _, _, err := h.surface.Place(tx, viewer, id, surface.PlaceRequest{Mode: "stacked", Placement: surface.InStack(surface.CarryStack)}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	b := ann.sees()
	if n := len(b.list("workspace.order")); n != 240 || !strings.Contains(b.body, `"state":"degraded","scope":{"kind":"service","service":"workspace"},"reason":"truncated"`) {
		t.Errorf("%d objects in the workspace, and %v", n, b.at("fallbacks"))
	}
}
