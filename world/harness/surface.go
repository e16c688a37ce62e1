package harness

import (
	"net/url"
	"slices"
	"strings"
)

// defaultSurfaces are the surfaces that every member has, with their panels.
var defaultSurfaces = map[string]string{
	"surface_social": "/world/panels/social", "surface_calendar": "/world/panels/time", "surface_messages": "/world/panels/messages",
	"surface_messages_rail": "/world/panels/messages/rail",
}

// defaultStacks are the stacks that every member has, with their types; any type
// is valid where the type is empty.
var defaultStacks = map[string]string{"carry_primary": "carry_stack", "left_context": "context_stack", "right_context": "context_stack", "finding_overlay": ""}

var surfaceChecks = []check{
	{"S-01 S-02", "the surface runtime has its fields and commands", func(c *client, rec *recorder) {
		s, ok := c.surfaceRuntime(rec)
		if !ok {
			return
		}
		rec.checkShape(s, "contract object", "surfaces array", "stacks array", "viewports array", "commands object")
		rec.checkContract(s, "service.surface.runtime", 1)
		rec.checkShape(s.at("commands"), "focus_surface text", "reorder_stack text", "update_placement text")
		for _, template := range s.at("commands").fields() {
			if !isWorldURL(strings.NewReplacer("{", "", "}", "").Replace(template.str())) {
				rec.addUnexpected(template, "a path below /world/, with or without {parameters}")
			}
		}
		c.checkSchema(rec, s, "service.surface.runtime", 1)
	}},
	{"S-05 S-06 S-07 S-08 S-09 S-10 S-12 S-13", "every surface has its fields", func(c *client, rec *recorder) {
		if s, ok := c.surfaceRuntime(rec); ok {
			rec.eachItem(s.at("surfaces").list(), "surfaces", rec.checkSurface)
		}
	}},
	{"S-11", "rendering hints are strings", func(c *client, rec *recorder) {
		if s, ok := c.surfaceRuntime(rec); ok {
			rec.eachItem(s.at("surfaces").list(), "surfaces", func(v value) {
				rec.checkShape(v.at("rendering_hints"), "preferred_size string?", "interaction_mode string?")
			})
		}
	}},
	{"S-14 S-15 S-16", "the default surfaces exist", func(c *client, rec *recorder) {
		s, ok := c.surfaceRuntime(rec)
		if !ok {
			return
		}
		surfaces := byID(s.at("surfaces"), "surface_id")
		for id, url := range defaultSurfaces {
			if v, found := surfaces[id]; found {
				rec.checkString(v.at("content_source.url"), url)
			} else {
				rec.addProblem("%s: %s is missing", s.at("surfaces").path, id)
			}
		}
		if rail, found := surfaces["surface_messages_rail"]; found {
			rec.checkString(rail.at("placement.metadata.matches_surface_id"), "surface_messages")
		}
	}},
	{"S-17 S-18 S-19", "every stack has its fields, and the default stacks exist once", func(c *client, rec *recorder) {
		s, ok := c.surfaceRuntime(rec)
		if !ok {
			return
		}
		count := make(map[string]int)
		for _, v := range s.at("stacks").list() {
			rec.checkShape(v, "numeric_id integer", "stack_id text", "stack_type text", "region text", "display text", "slot string?", "orientation text",
				"focused_surface_id text|null", "surface_order array", "viewport_id text")
			count[v.at("stack_id").str()]++
		}
		stacks := byID(s.at("stacks"), "stack_id")
		for id, kind := range defaultStacks {
			if count[id] != 1 {
				rec.addProblem("%s: got the stack %s %d times, want once", s.at("stacks").path, id, count[id])
			} else if kind != "" {
				rec.checkString(stacks[id].at("stack_type"), kind)
			}
		}
	}},
	{"S-20", "every viewport has its fields", func(c *client, rec *recorder) {
		if s, ok := c.surfaceRuntime(rec); ok {
			rec.eachItem(s.at("viewports").list(), "viewports", func(v value) {
				rec.checkShape(v, "viewport_id text", "viewport_type text", "region text", "slot string?", "display text", "neighbor_visibility number")
				rec.checkString(v.at("viewport_type"), "stack")
			})
		}
	}},
	{"S-20 S-21 PT-03 PT-11", "stacks refer to existing surfaces and viewports", func(c *client, rec *recorder) {
		s, ok := c.surfaceRuntime(rec)
		if !ok {
			return
		}
		surfaces, viewports := setOf(sortedIDs(s, "surfaces", "surface_id")), setOf(sortedIDs(s, "viewports", "viewport_id"))
		rec.eachItem(s.at("stacks").list(), "stacks", func(v value) {
			rec.checkRefersTo(v.at("surface_order"), surfaces)
			rec.checkUnique(v.at("surface_order"))
			if id := v.at("viewport_id"); !viewports[id.str()] {
				rec.addProblem("%s: %v does not exist", id.path, id)
			}
			if id := v.at("focused_surface_id"); id.is("text") && !slices.Contains(v.at("surface_order").strings(), id.str()) {
				rec.addProblem("%s: %v is not in the stack", id.path, id)
			}
		})
	}},
	{"S-03 S-38", "surfaces of findings have the finding and its commands", func(c *client, rec *recorder) {
		s, ok := c.surfaceRuntime(rec)
		if !ok {
			return
		}
		var findings []value
		for _, v := range s.at("surfaces").list() {
			if v.at("surface_type").str() == "finding_surface" {
				findings = append(findings, v)
			}
		}
		rec.eachItem(findings, "findings", func(v value) {
			rec.checkShape(v.at("runtime_state"), "finding object")
			switch v.at("runtime_state.finding.object_type").str() {
			case "place":
				rec.checkShape(s.at("commands"), "open_finding text")
			case "html_resource":
				rec.checkShape(s.at("commands"), "translate_surface text")
			}
		})
	}},
	{"S-23 S-25 S-27 PT-40", "invalid changes of surfaces are refused and change nothing", checkInvalidChanges},
}

// surfaceRuntime returns the surface runtime of the session.
func (c *client) surfaceRuntime(rec *recorder) (value, bool) {
	s, ok := c.session(rec)
	return s.at("surface_runtime"), ok
}

// checkSurface checks a surface record.
func (r *recorder) checkSurface(v value) {
	r.checkShape(v, "numeric_id integer", "surface_id text", "surface_type text", "title text", "service_binding object", "content_source object",
		"runtime_state object", "permissions object", "rendering_hints object", "placement object")
	if b := v.at("service_binding"); len(b.keys()) > 0 {
		r.checkShape(b, "service_id text", "resource_type text", "resource_id text|null")
	}
	if source := v.at("content_source"); len(source.keys()) > 0 {
		r.checkShape(source, "kind text", "url text")
		if source.at("kind").str() == "runtime_panel" {
			r.checkWorldURL(source.at("url"))
		}
	}
	for _, pair := range v.at("runtime_state.details").list() {
		if len(pair.list()) != 2 {
			r.addUnexpected(pair, "a pair of a label and a text")
		}
	}
	if v.at("runtime_state").has("details") {
		r.checkShape(v.at("runtime_state"), "details array")
	}
	if o := v.at("permissions"); len(o.keys()) > 0 {
		r.checkShape(o, "can_detach boolean", "can_pin boolean", "can_share boolean", "can_field_anchor boolean")
	}
	r.checkShape(v.at("placement"), "mode text", "metadata object")
	r.checkShape(v.at("placement.metadata"), "stack_id string?", "x number?", "y number?", "width number?", "height number?", "z number?", "matches_surface_id string?")
}

// checkInvalidChanges sends invalid changes to the published commands, and compares
// the surface runtime before and after.
func checkInvalidChanges(c *client, rec *recorder) {
	s, ok := c.surfaceRuntime(rec)
	if !ok {
		return
	}
	stacks, surfaces := s.at("stacks").list(), s.at("surfaces").list()
	if len(stacks) == 0 || len(surfaces) == 0 {
		rec.skip("there are no surfaces")
		return
	}
	const absent = "surface_that_is_not_there"
	stack, surface := stacks[0].at("stack_id").str(), surfaces[0].at("surface_id").str()
	send := func(command, parameter, id, body string, status int) {
		template := s.at("commands").at(command)
		address := strings.ReplaceAll(template.str(), "{"+parameter+"}", url.PathEscape(id))
		if !isWorldURL(address) || strings.Contains(address, "{") {
			rec.addUnexpected(template, "a path below /world/ with {%s} as its only parameter", parameter)
			return
		}
		c.do(request{method: "POST", path: address, body: body}).checkError(rec, status)
	}
	send("focus_surface", "stack_key", stack, `{"surface_id": "`+absent+`"}`, 422)
	send("focus_surface", "stack_key", "stack_that_is_not_there", `{"surface_id": null}`, 404)
	send("reorder_stack", "stack_key", stack, `{"surface_order": ["`+absent+`"]}`, 422)
	if order := stacks[0].at("surface_order").strings(); len(order) > 0 {
		send("reorder_stack", "stack_key", stack, `{"surface_order": ["`+order[0]+`", "`+order[0]+`"]}`, 422)
	}
	send("update_placement", "surface_id", surface, `{"placement_mode": "floating", "placement": {}}`, 422)
	send("update_placement", "surface_id", absent, `{"placement_mode": "stacked", "placement": {}}`, 404)
	if after, ok := c.do(request{path: sessionPath}).object(rec); ok && !equalJSON(after.at("surface_runtime"), s) {
		rec.addProblem("%s: changed by requests that were refused", s.path)
	}
}
