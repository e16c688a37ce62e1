package harness

import (
	"slices"
	"strings"
)

var referenceChecks = []check{
	{"W-34 PT-03", "every action that is referred to is there", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			actions := set(idsOf(d, "actions", "action_id"))
			for _, o := range d.at("objects").list() {
				f.refers(o.at("actions"), actions)
			}
			f.actionIDs(d.without("objects", "actions"), actions)
		}
	}},
	{"W-33 PT-03", "every target is in the dataset", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.targets(d)
		}
	}},
	{"W-16 W-27 B-21 PT-03", "the workspace is of objects that are there", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.workspace(d)
		}
	}},
	{"W-53", "placement and focus agree with the workspace", func(p *probe, f *findings) {
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		w := d.at("workspace")
		order, focus := w.at("order").strings(), w.at("focus.world_object_id").str()
		p.objects(f, func(o value) {
			id, placed := o.at("world_object_id").str(), o.at("placement")
			if slices.Contains(order, id) != (placed.at("area").str() == "carry") {
				f.add("%s is in the area %v; in workspace.order: %v", where(o, "title"), placed.at("area"), slices.Contains(order, id))
			}
			if there := w.at("placement").at1(id); there.is("object") && (!same(there.at("area"), placed.at("area")) || !same(there.at("position"), placed.at("position"))) {
				f.add("%s is placed %v, in the workspace %v", where(o, "title"), placed, there)
			}
			if focused := o.at("focus.focused").v == true; focused != (focus == id) || focused && o.at("focus.focusable").v != true {
				f.add("%s: focus is %v, in the workspace %q", where(o, "title"), o.at("focus"), focus)
			}
		})
	}},
	{"W-41 W-42 W-54 PT-05", "every empty section has one explanation, no other has", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.explained(d)
		}
	}},
	{"W-41 W-54", "what could not be read is told", func(p *probe, f *findings) {
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		told := make(map[string]bool)
		for _, b := range d.at("fallbacks").list() {
			told[b.at("scope.service").str()] = true
		}
		f.items(d.at("sources").list(), "sources", func(s value) {
			if s.at("kind").str() == "service" && s.at("status").str() != "ready" && !told[s.at("source_id").str()] {
				f.add("%s is %v, and no fallback says so", where(s, "source_id"), s.at("status"))
			}
		})
	}},
	{"W-39 W-40 B-23", "a finding is an object only when it has become one", func(p *probe, f *findings) {
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		ids := set(idsOf(d, "objects", "world_object_id"))
		f.items(d.at("findings").list(), "findings", func(v value) {
			f.shape(v, "finding_id text", "source object", "object_type text", "title string", "summary string", "location object|null",
				"source_url string|null", "world_object_id text|null", "action_ids array")
			if id := v.at("world_object_id"); id.is("text") && !ids[id.str()] {
				f.add("%s became %v, which is not there", where(v, "finding_id"), id)
			}
		})
	}},
	{"PT-42 B-25", "counts are the lengths of what is counted", func(p *probe, f *findings) {
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		counts := make(map[string]int)
		for _, o := range d.at("objects").list() {
			counts[o.at("source.service").str()+o.at("source.provider").str()]++
			if people, n := o.at("state.participants"), o.at("state.participant_count"); people.is("array") && n.integer() != len(people.list()) {
				f.add("%s has %d participants and says %v", where(o, "title"), len(people.list()), n)
			}
		}
		f.items(d.at("sources").list(), "sources", func(s value) {
			if n := s.at("object_count"); n.integer() != counts[s.at("source_id").str()] {
				f.add("%s has %d objects and says %v", where(s, "source_id"), counts[s.at("source_id").str()], n)
			}
		})
	}},
	{"W-15", "an entry that mirrors a social event is tied to it", func(p *probe, f *findings) {
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		events := make(map[string]string)
		for _, o := range ofType(d, "event") {
			events[o.at("source.resource_id").str()] = o.at("world_object_id").str()
		}
		var mirrors []value
		for _, o := range ofType(d, "calendar_event") {
			if o.at("state.source_service").str() == "social" && events[o.at("state.source_object_id").str()] != "" {
				mirrors = append(mirrors, o)
			}
		}
		f.items(mirrors, "entries of social events", func(o value) {
			event := events[o.at("state.source_object_id").str()]
			if !slices.ContainsFunc(o.at("relationships").list(), func(r value) bool { return r.at("target.world_object_id").str() == event }) {
				f.add("%s has no relationship to %s", where(o, "title"), event)
			}
		})
	}},
	{"X-45", "ids can stand in addresses", func(p *probe, f *findings) {
		p.objects(f, func(o value) { f.plain(o.at("world_object_id")) })
		if d, ok := p.dataset(f); ok {
			for _, a := range d.at("actions").list() {
				f.plain(a.at("action_id"))
			}
		}
	}},
}

func set(list []string) map[string]bool {
	s := make(map[string]bool, len(list))
	for _, item := range list {
		s[item] = true
	}
	return s
}

// plain checks that an id is of letters in lower case, digits and _.
func (f *findings) plain(id value) {
	odd := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }
	if strings.ContainsFunc(id.str(), odd) {
		f.add("%s is %v", id.path, id)
	}
}

// refers checks that every id of a list is in a set.
func (f *findings) refers(list value, to map[string]bool) {
	for _, id := range list.list() {
		if !to[id.str()] {
			f.add("%s is %v, which is not there", id.path, id)
		}
	}
}

// actionIDs checks every reference to actions in a document.
func (f *findings) actionIDs(d value, actions map[string]bool) {
	for _, v := range d.each() {
		f.refers(v.at("action_ids"), actions)
		if id := v.at("action_id"); id.is("text") && !actions[id.str()] {
			f.add("%s is %v, which is not there", id.path, id)
		}
	}
}

// targets checks what contexts, actions and relationships are about, and what
// fallbacks are named.
func (f *findings) targets(d value) {
	objects, findings, fallbacks := set(idsOf(d, "objects", "world_object_id")), set(idsOf(d, "findings", "finding_id")), set(idsOf(d, "fallbacks", "fallback_id"))
	about := func(t value, kinds ...string) {
		f.oneOf(t.at("kind"), kinds...)
		if id := t.at("world_object_id"); !id.is("null") && !objects[id.str()] || t.at("kind").str() == "object" && id.str() == "" {
			f.add("%s is %v, which is not there", id.path, id)
		}
		if id := t.at("finding_id"); !id.is("null") && !findings[id.str()] || t.at("kind").str() == "finding" && id.str() == "" {
			f.add("%s is %v, which is not there", id.path, id)
		}
	}
	for _, c := range d.at("contexts").list() {
		about(c.at("target"), "object", "workspace", "field", "finding")
		for _, item := range c.at("items").list() {
			about(item.at("target"), "object", "workspace", "field", "finding")
		}
	}
	for _, a := range d.at("actions").list() {
		about(a.at("target"), "object", "workspace", "field", "finding", "member", "none")
		if id := a.at("fallback"); id.is("text") && !fallbacks[id.str()] {
			f.add("%s is %v, which is not there", id.path, id)
		}
	}
	for _, o := range d.at("objects").list() {
		for _, r := range o.at("relationships").list() {
			f.shape(r, "type text", "target object")
			if id := r.at("target.world_object_id"); !objects[id.str()] && o.at("source.kind").str() == "service" {
				f.add("%s is %v, which is not there", id.path, id)
			}
		}
	}
}

// workspace checks the fields of the workspace and what it is of.
func (f *findings) workspace(d value) {
	w := d.at("workspace")
	f.shape(w, "working_set array", "focus object", "order array", "placement object", "continuity object")
	f.shape(w.at("continuity"), "revision integer", "updated_at string|null", "resumed boolean")
	f.shape(w.at("focus"), "world_object_id text|null")
	objects := set(idsOf(d, "objects", "world_object_id"))
	for _, list := range []value{w.at("working_set"), w.at("order")} {
		f.refers(list, objects)
		f.unique(list)
	}
	working := set(w.at("working_set").strings())
	f.refers(w.at("order"), working)
	if id := w.at("focus.world_object_id"); id.is("text") && (!objects[id.str()] || !working[id.str()]) {
		f.add("%s is %v, which is not in the working set", id.path, id)
	}
	for id, placed := range w.at("placement").fields() {
		if !objects[id] {
			f.add("%s is of an object that is not there", placed.path)
		}
		f.oneOf(placed.at("area"), "carry", "field", "find", "none")
	}
}

// unique checks that nothing is in a list twice.
func (f *findings) unique(list value) {
	seen := make(map[string]bool)
	for _, item := range list.list() {
		if seen[item.str()] {
			f.add("%s has %v twice", list.path, item)
		}
		seen[item.str()] = true
	}
}

// explained checks that each empty section has exactly one fallback that says
// why, and no other section has one. One that is degraded is short, not empty.
func (f *findings) explained(d value) {
	why := make(map[string]int)
	for _, b := range d.at("fallbacks").list() {
		if b.at("scope.kind").str() == "section" && b.at("state").str() != "degraded" {
			why[b.at("scope.section").str()]++
		}
	}
	for _, section := range []string{"objects", "contexts", "actions", "findings", "field.objects"} {
		switch n := len(d.at(section).list()); {
		case n == 0 && why[section] != 1:
			f.add("%s is empty, and %d fallbacks say why", section, why[section])
		case n > 0 && why[section] > 0:
			f.add("%s has %d items, and a fallback says why it has none", section, n)
		}
	}
}
