package apptest

import (
	"fmt"
	"strings"
)

const StacksPath, SurfacesPath = "/world/surface/stacks/", "/world/surface/surfaces/"

// desktop returns what the member has before them, as Surface tells it.
func (c *Client) SurfaceRuntime() *Answer {
	c.T.Helper()
	a := c.AsService().Do("GET", "/runtime").Want(200)
	a.WantSchema("service.surface.workspace", a.At(""))
	a.WantConsistentStacks("")
	return a
}

// closed fails the test unless all that a runtime refers to is there: focus is
// in its order, orders name surfaces, none twice, stacks have viewports, and
// surfaces come by number (S-20, S-21).
func (a *Answer) WantConsistentStacks(path string) {
	a.T.Helper()
	in := func(key string) string { return strings.TrimPrefix(path+"."+key, ".") }
	surfaces, views := make(map[any]bool), make(map[any]bool)
	last := 0.0
	for _, s := range a.List(in("surfaces")) {
		surfaces[At(s, "surface_id")] = true
		if n := At(s, "numeric_id").(float64); n <= last {
			a.T.Errorf("%s: %v is number %v, after %v", a.About, At(s, "surface_id"), n, last)
		} else {
			last = n
		}
	}
	for _, v := range a.List(in("viewports")) {
		views[At(v, "viewport_id")] = true
	}
	for _, s := range a.List(in("stacks")) {
		order, seen := At(s, "surface_order").([]any), make(map[any]bool)
		for _, id := range order {
			if !surfaces[id] || seen[id] {
				a.T.Errorf("%s: %v is in the order %v of %v", a.About, id, order, At(s, "stack_id"))
			}
			seen[id] = true
		}
		if focus := At(s, "focused_surface_id"); focus != nil && !seen[focus] {
			a.T.Errorf("%s: %v is turned to %v and has %v", a.About, At(s, "stack_id"), focus, order)
		}
		if !views[At(s, "viewport_id")] {
			a.T.Errorf("%s: nothing presents %v", a.About, At(s, "stack_id"))
		}
	}
}

// stacks spells the stacks of a runtime at path: what is in them, with a star at
// what they are turned to.
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

// one returns the surface with that id, nil if there is none.
func (a *Answer) Surface(path, id string) any {
	a.T.Helper()
	for _, s := range a.List(path) {
		if At(s, "surface_id") == id {
			return s
		}
	}
	return nil
}

const DefaultStacks = `carry_primary: social* calendar messages
left_context: profile*
right_context: messages_rail*
finding_overlay: `

// cafe is something that was found, with that id.
func Finding(id string) map[string]any {
	return map[string]any{
		"finding_id": "osm:node/" + id, "source_service": "osm", "object_type": "place", "title": "Café " + id, "summary": "Opens at nine", "source_url": "",
		"actions":         []any{map[string]any{"id": "open", "label": "Open", "type": "open_finding"}},
		"service_payload": map[string]any{"latitude": 38.7, "longitude": -9.1, "provider": "osm", "provider_id": "node/" + id},
	}
}

// finds replaces what was found for the member.
func (c *Client) ReplaceOverlay(findings ...map[string]any) *Answer {
	c.T.Helper()
	if findings == nil {
		findings = []map[string]any{}
	}
	a := c.AsService().Do("POST", "/surfaces/overlay", map[string]any{"findings": findings}).Want(200)
	a.WantConsistentStacks("surface_runtime")
	if got := fmt.Sprint(c.SurfaceRuntime().At("")); got != fmt.Sprint(a.At("surface_runtime")) {
		c.T.Errorf("%s: the answer is\n%s\nand then there is\n%s", a.About, a.Body, got)
	}
	return a
}
