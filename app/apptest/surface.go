package apptest

import (
	"fmt"
	"strings"
)

// Paths of the surface commands.
const (
	StacksPath   = "/world/surface/stacks/"
	SurfacesPath = "/world/surface/surfaces/"
)

// SurfaceRuntime returns the surfaces of the client's member, from the
// service-internal route. The server needs [WithServiceKey].
func (c *Client) SurfaceRuntime() *Answer {
	c.T.Helper()
	a := c.AsService().Do("GET", "/runtime").Want(200)
	a.WantSchema("service.surface.workspace", a.At(""))
	a.WantConsistentStacks("")
	return a
}

// WantConsistentStacks fails the test unless the surface runtime at a path is
// consistent: orders contain existing surfaces, each once, the focused surface is
// in its stack, viewports exist, and surfaces are sorted by numeric_id (S-20,
// S-21).
func (a *Answer) WantConsistentStacks(path string) {
	a.T.Helper()
	in := func(key string) string { return strings.TrimPrefix(path+"."+key, ".") }
	surfaces, viewports := make(map[any]bool), make(map[any]bool)
	previous := 0.0
	for _, s := range a.List(in("surfaces")) {
		surfaces[At(s, "surface_id")] = true
		n := At(s, "numeric_id").(float64)
		if n <= previous {
			a.T.Errorf("%s: %v: got the number %v after %v, want ascending numbers", a.About, At(s, "surface_id"), n, previous)
		}
		previous = n
	}
	for _, v := range a.List(in("viewports")) {
		viewports[At(v, "viewport_id")] = true
	}
	for _, s := range a.List(in("stacks")) {
		order, seen := At(s, "surface_order").([]any), make(map[any]bool)
		for _, id := range order {
			if !surfaces[id] || seen[id] {
				a.T.Errorf("%s: order of %v: got %v, want existing surfaces, each once", a.About, At(s, "stack_id"), order)
			}
			seen[id] = true
		}
		if focus := At(s, "focused_surface_id"); focus != nil && !seen[focus] {
			a.T.Errorf("%s: focus of %v: got %v, want one of %v", a.About, At(s, "stack_id"), focus, order)
		}
		if !viewports[At(s, "viewport_id")] {
			a.T.Errorf("%s: viewport of %v: got %v, which does not exist", a.About, At(s, "stack_id"), At(s, "viewport_id"))
		}
	}
}

// Stacks formats the stacks at a path, one per line: the surfaces in order, with a
// star after the focused one.
func (a *Answer) Stacks(path string) string {
	a.T.Helper()
	var lines []string
	for _, s := range a.List(path) {
		var ids []string
		for _, id := range At(s, "surface_order").([]any) {
			if id == At(s, "focused_surface_id") {
				id = fmt.Sprint(id, "*")
			}
			ids = append(ids, strings.TrimPrefix(id.(string), "surface_"))
		}
		lines = append(lines, fmt.Sprintf("%v: %s", At(s, "stack_id"), strings.Join(ids, " ")))
	}
	return strings.Join(lines, "\n")
}

// Surface returns the surface with an id in a list, or nil.
func (a *Answer) Surface(path, id string) any {
	a.T.Helper()
	for _, s := range a.List(path) {
		if At(s, "surface_id") == id {
			return s
		}
	}
	return nil
}

// DefaultStacks are the stacks of a new member, as [Answer.Stacks] formats them.
const DefaultStacks = `carry_primary: social* calendar messages
left_context: profile*
right_context: messages_rail*
finding_overlay: `

// Finding returns a place in the form in which Find publishes it. Its title is
// "Café" followed by id.
func Finding(id string) map[string]any {
	return map[string]any{
		"finding_id": "osm:node/" + id, "source_service": "osm", "object_type": "place", "title": "Café " + id, "summary": "Opens at nine", "source_url": "",
		"actions":         []any{map[string]any{"id": "open", "label": "Open", "type": "open_finding"}},
		"service_payload": map[string]any{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": "node/" + id},
	}
}

// PageFinding returns a web page in the form in which Find publishes it.
func PageFinding(address string) map[string]any {
	return map[string]any{
		"finding_id": "web:" + address, "source_service": "web", "object_type": "html_resource", "title": "Page", "summary": "", "source_url": address,
		"actions": []any{
			map[string]any{"id": "preview", "label": "Preview", "type": "translate_surface"}, map[string]any{"id": "save", "label": "Save", "type": "save_object"},
			map[string]any{"id": "share", "label": "Share", "type": "share_object"},
		},
		"service_payload": map[string]any{"content_type": "text/html", "canonical_url": nil},
	}
}

// ReplaceOverlay replaces the findings in the overlay of the client's member, and
// then compares the response with the surface runtime.
func (c *Client) ReplaceOverlay(findings ...map[string]any) *Answer {
	c.T.Helper()
	if findings == nil {
		findings = []map[string]any{}
	}
	a := c.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": findings}).Want(200)
	a.WantConsistentStacks("surface_runtime")
	if got, want := fmt.Sprint(a.At("surface_runtime")), fmt.Sprint(c.SurfaceRuntime().At("")); got != want {
		c.T.Errorf("%s: got the surface runtime\n%s\nwant\n%s", a.About, got, want)
	}
	return a
}
