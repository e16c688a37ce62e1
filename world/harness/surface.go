package harness

import (
	"net/url"
	"slices"
	"strings"
)

// surfaceTypes are the eighteen named ones.
var surfaceTypes = []string{
	"web_surface", "document_surface", "map_surface", "calendar_surface", "conversation_surface", "community_surface", "event_surface", "finding_surface",
	"profile_surface", "dashboard_surface", "service_nav_panel",
	"web_business_surface", "web_hours_surface", "web_menu_surface", "web_events_surface", "web_gallery_surface", "web_article_surface", "web_contact_surface",
}

var placementModes = []string{"stacked", "docked", "detached", "shared", "field_anchored"}

var surfaceChecks = []check{
	{"S-01 S-02", "the surface runtime has its fields and commands", func(p *probe, f *findings) {
		s, ok := p.surfaces(f)
		if !ok {
			return
		}
		f.shape(s, "contract object", "surfaces array", "stacks array", "viewports array", "commands object")
		p.contract(f, s, "service.surface.runtime", 1)
		f.shape(s.at("commands"), "focus_surface text", "reorder_stack text", "update_placement text")
		for _, url := range s.at("commands").fields() {
			if !isWorldURL(strings.NewReplacer("{", "", "}", "").Replace(url.str())) {
				f.add("%s is %v", url.path, url)
			}
		}
		p.fits(f, s, "the surface runtime", "service.surface.runtime", 1)
	}},
	{"S-05 S-06 S-07 S-08 S-09 S-10 S-12 S-13", "every surface has its fields", func(p *probe, f *findings) {
		if s, ok := p.surfaces(f); ok {
			f.items(s.at("surfaces").list(), "surfaces", func(v value) { f.surface(v) })
		}
	}},
	{"S-11", "a surface's hints are of the known kinds", func(p *probe, f *findings) {
		if s, ok := p.surfaces(f); ok {
			f.items(s.at("surfaces").list(), "surfaces", func(v value) {
				f.shape(v.at("rendering_hints"), "preferred_size string?", "interaction_mode string?")
			})
		}
	}},
	{"S-14 S-15 S-16", "the surfaces that everybody has are there", func(p *probe, f *findings) {
		s, ok := p.surfaces(f)
		if !ok {
			return
		}
		surfaces := byID(s.at("surfaces"), "surface_id")
		for id, url := range map[string]string{
			"surface_social": "/world/panels/social", "surface_calendar": "/world/panels/time", "surface_messages": "/world/panels/messages",
			"surface_messages_rail": "/world/panels/messages/rail",
		} {
			if v, there := surfaces[id]; !there {
				f.add("there is no %s", id)
			} else {
				f.equal(v.at("content_source.url"), url)
			}
		}
		if rail, there := surfaces["surface_messages_rail"]; there {
			f.equal(rail.at("placement.metadata.matches_surface_id"), "surface_messages")
		}
	}},
	{"S-17 S-18 S-19", "every stack has its fields, and those that everybody has are there once", func(p *probe, f *findings) {
		s, ok := p.surfaces(f)
		if !ok {
			return
		}
		count := make(map[string]int)
		for _, v := range s.at("stacks").list() {
			f.shape(v, "numeric_id integer", "stack_id text", "stack_type text", "region text", "display text", "slot string?", "orientation text",
				"focused_surface_id text|null", "surface_order array", "viewport_id text")
			count[v.at("stack_id").str()]++
		}
		stacks := byID(s.at("stacks"), "stack_id")
		for id, kind := range map[string]string{"carry_primary": "carry_stack", "left_context": "context_stack", "right_context": "context_stack", "finding_overlay": ""} {
			if count[id] != 1 {
				f.add("the stack %s is there %d times", id, count[id])
			} else if kind != "" {
				f.equal(stacks[id].at("stack_type"), kind)
			}
		}
	}},
	{"S-20", "every viewport has its fields", func(p *probe, f *findings) {
		if s, ok := p.surfaces(f); ok {
			f.items(s.at("viewports").list(), "viewports", func(v value) {
				f.shape(v, "viewport_id text", "viewport_type text", "region text", "slot string?", "display text", "neighbor_visibility number")
				f.equal(v.at("viewport_type"), "stack")
			})
		}
	}},
	{"S-20 S-21 PT-03 PT-11", "stacks are of surfaces and viewports that are there", func(p *probe, f *findings) {
		s, ok := p.surfaces(f)
		if !ok {
			return
		}
		surfaces, viewports := set(idsOf(s, "surfaces", "surface_id")), set(idsOf(s, "viewports", "viewport_id"))
		f.items(s.at("stacks").list(), "stacks", func(v value) {
			f.refers(v.at("surface_order"), surfaces)
			f.unique(v.at("surface_order"))
			if id := v.at("viewport_id"); !viewports[id.str()] {
				f.add("%s is %v, which is not there", id.path, id)
			}
			if id := v.at("focused_surface_id"); id.is("text") && !slices.Contains(v.at("surface_order").strings(), id.str()) {
				f.add("%s is %v, which is not in the stack", id.path, id)
			}
		})
	}},
	{"S-03 S-38", "findings are surfaces of their own kind", func(p *probe, f *findings) {
		s, ok := p.surfaces(f)
		if !ok {
			return
		}
		var found []value
		for _, v := range s.at("surfaces").list() {
			if v.at("surface_type").str() == "finding_surface" {
				found = append(found, v)
			}
		}
		f.items(found, "findings", func(v value) {
			f.shape(v.at("runtime_state"), "finding object")
			switch v.at("runtime_state.finding.object_type").str() {
			case "place":
				f.shape(s.at("commands"), "open_finding text")
			case "html_resource":
				f.shape(s.at("commands"), "translate_surface text")
			}
		})
	}},
	{"S-23 S-25 S-27 PT-40", "writes about what is not there are refused, and change nothing", refusedWrites},
}

// surfaces returns the surface runtime of the session.
func (p *probe) surfaces(f *findings) (value, bool) {
	s, ok := p.session(f)
	return s.at("surface_runtime"), ok
}

// byID returns the records of a list by their ids.
func byID(list value, key string) map[string]value {
	records := make(map[string]value)
	for _, v := range list.list() {
		records[v.at(key).str()] = v
	}
	return records
}

// surface checks a surface record.
func (f *findings) surface(v value) {
	f.shape(v, "numeric_id integer", "surface_id text", "surface_type text", "title text", "service_binding object", "content_source object",
		"runtime_state object", "permissions object", "rendering_hints object", "placement object")
	f.oneOf(v.at("surface_type"), surfaceTypes...)
	if b := v.at("service_binding"); len(b.keys()) > 0 {
		f.shape(b, "service_id text", "resource_type text", "resource_id text|null")
	}
	if c := v.at("content_source"); len(c.keys()) > 0 {
		f.shape(c, "kind text", "url text")
		f.oneOf(c.at("kind"), "runtime_panel", "inline")
		if url := c.at("url"); c.at("kind").str() == "runtime_panel" && !isWorldURL(url.str()) {
			f.add("%s is %v", url.path, url)
		}
	}
	for _, pair := range v.at("runtime_state.details").list() {
		if len(pair.list()) != 2 {
			f.add("%s is %v, not a key and a value", pair.path, pair)
		}
	}
	if v.at("runtime_state").has("details") {
		f.shape(v.at("runtime_state"), "details array")
	}
	if o := v.at("permissions"); len(o.keys()) > 0 {
		f.shape(o, "can_detach boolean", "can_pin boolean", "can_share boolean", "can_field_anchor boolean")
	}
	f.oneOf(v.at("placement.mode"), placementModes...)
	f.shape(v.at("placement"), "mode text", "metadata object")
	f.shape(v.at("placement.metadata"), "stack_id string?", "x number?", "y number?", "width number?", "height number?", "z number?", "matches_surface_id string?")
}

// refusedWrites sends writes that cannot be done, to the published commands,
// and looks whether anything has changed.
func refusedWrites(p *probe, f *findings) {
	s, ok := p.surfaces(f)
	if !ok {
		return
	}
	stacks, surfaces := s.at("stacks").list(), s.at("surfaces").list()
	if len(stacks) == 0 || len(surfaces) == 0 {
		f.skip("there are no surfaces")
		return
	}
	const absent = "surface_that_is_not_there"
	stack, some := stacks[0].at("stack_id").str(), surfaces[0].at("surface_id").str()
	write := func(command, key, id, body string, status int) {
		address := strings.ReplaceAll(s.at("commands").at(command).str(), "{"+key+"}", url.PathEscape(id))
		if !isWorldURL(address) || strings.Contains(address, "{") {
			f.add("commands.%s is %v, and cannot be filled in", command, s.at("commands").at(command))
			return
		}
		p.ask(request{method: "POST", path: address, body: body}).failure(f, status)
	}
	write("focus_surface", "stack_key", stack, `{"surface_id": "`+absent+`"}`, 422)
	write("focus_surface", "stack_key", "stack_that_is_not_there", `{"surface_id": null}`, 404)
	write("reorder_stack", "stack_key", stack, `{"surface_order": ["`+absent+`"]}`, 422)
	if order := stacks[0].at("surface_order").strings(); len(order) > 0 {
		write("reorder_stack", "stack_key", stack, `{"surface_order": ["`+order[0]+`", "`+order[0]+`"]}`, 422)
	}
	write("update_placement", "surface_id", some, `{"placement_mode": "floating", "placement": {}}`, 422)
	write("update_placement", "surface_id", absent, `{"placement_mode": "stacked", "placement": {}}`, 404)
	if again, ok := p.ask(request{path: sessionPath}).object(f); ok && !same(again.at("surface_runtime"), s) {
		f.add("after writes that were refused the surface runtime is another")
	}
}
