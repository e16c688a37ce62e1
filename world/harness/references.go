package harness

import (
	"slices"
	"strings"
)

var referenceChecks = []check{
	{"W-34 PT-03", "every action id refers to an action", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkActionReferences(d)
		}
	}},
	{"W-33 PT-03", "every target is in the dataset", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkTargets(d)
		}
	}},
	{"W-16 W-27 B-21 PT-03", "the workspace refers to objects of the dataset", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkWorkspace(d)
		}
	}},
	{"W-53", "placement and focus of objects agree with the workspace", checkPlacements},
	{"W-41 W-42 W-54 PT-05", "exactly the empty sections have a fallback", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkSectionFallbacks(d)
		}
	}},
	{"W-41 W-54", "a service that is not ready has a fallback", func(c *client, rec *recorder) {
		d, ok := c.dataset(rec)
		if !ok {
			return
		}
		explained := make(map[string]bool)
		for _, b := range d.at("fallbacks").list() {
			explained[b.at("scope.service").str()] = true
		}
		rec.eachItem(d.at("sources").list(), "sources", func(s value) {
			if s.at("kind").str() == "service" && s.at("status").str() != "ready" && !explained[s.at("source_id").str()] {
				rec.addProblem("%s: got the status %v without a fallback", label(s, "source_id"), s.at("status"))
			}
		})
	}},
	{"W-39 W-40 B-23", "a finding refers to the object that it became", func(c *client, rec *recorder) {
		d, ok := c.dataset(rec)
		if !ok {
			return
		}
		ids := setOf(sortedIDs(d, "objects", "world_object_id"))
		rec.eachItem(d.at("findings").list(), "findings", func(v value) {
			rec.checkShape(v, "finding_id text", "source object", "object_type text", "title string", "summary string", "location object|null",
				"source_url string|null", "world_object_id text|null", "action_ids array")
			if id := v.at("world_object_id"); id.is("text") && !ids[id.str()] {
				rec.addProblem("%s: %v does not exist", id.path, id)
			}
		})
	}},
	{"PT-42 B-25", "counts are the numbers of what they count", func(c *client, rec *recorder) {
		d, ok := c.dataset(rec)
		if !ok {
			return
		}
		counts := make(map[string]int)
		for _, o := range d.at("objects").list() {
			counts[o.at("source.service").str()+o.at("source.provider").str()]++
			if people := o.at("state.participants"); people.is("array") {
				rec.checkInteger(o.at("state.participant_count"), len(people.list()))
			}
		}
		rec.eachItem(d.at("sources").list(), "sources", func(s value) {
			rec.checkInteger(s.at("object_count"), counts[s.at("source_id").str()])
		})
	}},
	{"W-15", "the calendar copy of an event is related to the event", checkMirrorRelationships},
	{"X-45", "ids need no escaping in URLs", func(c *client, rec *recorder) {
		c.eachObject(rec, func(o value) { rec.checkPlainID(o.at("world_object_id")) })
		if d, ok := c.dataset(rec); ok {
			for _, a := range d.at("actions").list() {
				rec.checkPlainID(a.at("action_id"))
			}
		}
	}},
}

// checkPlacements compares the placement and the focus of each object with the
// workspace.
func checkPlacements(c *client, rec *recorder) {
	d, ok := c.dataset(rec)
	if !ok {
		return
	}
	w := d.at("workspace")
	order, focus := w.at("order").strings(), w.at("focus.world_object_id").str()
	c.eachObject(rec, func(o value) {
		id, placement := o.at("world_object_id").str(), o.at("placement")
		if carried := slices.Contains(order, id); carried != (placement.at("area").str() == "carry") {
			rec.addProblem("%s: got the area %v; in workspace.order: %v", label(o, "title"), placement.at("area"), carried)
		}
		want := w.at("placement").key(id)
		if want.is("object") && (!equalJSON(want.at("area"), placement.at("area")) || !equalJSON(want.at("position"), placement.at("position"))) {
			rec.addProblem("%s: got the placement %v, want %v as in the workspace", label(o, "title"), placement, want)
		}
		if focused := o.at("focus.focused").isTrue(); focused != (focus == id) || focused && !o.at("focus.focusable").isTrue() {
			rec.addProblem("%s: got %v; the workspace has the focus %q", label(o, "title"), o.at("focus"), focus)
		}
	})
}

func checkMirrorRelationships(c *client, rec *recorder) {
	d, ok := c.dataset(rec)
	if !ok {
		return
	}
	events := make(map[string]string)
	for _, o := range objectsOfType(d, "event") {
		events[o.at("source.resource_id").str()] = o.at("world_object_id").str()
	}
	var mirrors []value
	for _, o := range objectsOfType(d, "calendar_event") {
		if o.at("state.source_service").str() == "social" && events[o.at("state.source_object_id").str()] != "" {
			mirrors = append(mirrors, o)
		}
	}
	rec.eachItem(mirrors, "calendar copies of events", func(o value) {
		event := events[o.at("state.source_object_id").str()]
		if !slices.ContainsFunc(o.at("relationships").list(), func(r value) bool { return r.at("target.world_object_id").str() == event }) {
			rec.addProblem("%s: no relationship to %s", label(o, "title"), event)
		}
	})
}

// checkPlainID checks that an id consists of lower-case letters, digits and
// underscores.
func (r *recorder) checkPlainID(id value) {
	other := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' }
	if strings.ContainsFunc(id.str(), other) {
		r.addUnexpected(id, "lower-case letters, digits and underscores")
	}
}

// checkActionReferences checks every reference to an action in a document.
func (r *recorder) checkActionReferences(d value) {
	actions := setOf(sortedIDs(d, "actions", "action_id"))
	for _, o := range d.at("objects").list() {
		r.checkRefersTo(o.at("actions"), actions)
	}
	for _, v := range d.without("objects", "actions").all() {
		r.checkRefersTo(v.at("action_ids"), actions)
		if id := v.at("action_id"); id.is("text") && !actions[id.str()] {
			r.addProblem("%s: %v does not exist", id.path, id)
		}
	}
}

// contextTargets are the kinds of the targets of contexts and their items.
var contextTargets = []string{"object", "workspace", "field", "finding"}

// checkTargets checks the targets of contexts, actions and relationships, and the
// fallbacks of actions.
func (r *recorder) checkTargets(d value) {
	objects, findings, fallbacks := setOf(sortedIDs(d, "objects", "world_object_id")), setOf(sortedIDs(d, "findings", "finding_id")), setOf(sortedIDs(d, "fallbacks", "fallback_id"))
	target := func(t value) {
		if id := t.at("world_object_id"); !id.is("null") && !objects[id.str()] || t.at("kind").str() == "object" && id.str() == "" {
			r.addProblem("%s: %v does not exist", id.path, id)
		}
		if id := t.at("finding_id"); !id.is("null") && !findings[id.str()] || t.at("kind").str() == "finding" && id.str() == "" {
			r.addProblem("%s: %v does not exist", id.path, id)
		}
	}
	for _, c := range d.at("contexts").list() {
		target(c.at("target"))
		r.checkOneOf(c.at("target.kind"), contextTargets...)
		for _, item := range c.at("items").list() {
			target(item.at("target"))
			r.checkOneOf(item.at("target.kind"), contextTargets...)
		}
	}
	for _, a := range d.at("actions").list() {
		target(a.at("target"))
		if id := a.at("fallback"); id.is("text") && !fallbacks[id.str()] {
			r.addProblem("%s: %v does not exist", id.path, id)
		}
	}
	for _, o := range d.at("objects").list() {
		for _, relationship := range o.at("relationships").list() {
			r.checkShape(relationship, "type text", "target object")
			if id := relationship.at("target.world_object_id"); !objects[id.str()] && o.at("source.kind").str() == "service" {
				r.addProblem("%s: %v does not exist", id.path, id)
			}
		}
	}
}

// checkWorkspace checks the fields of the workspace and its references.
func (r *recorder) checkWorkspace(d value) {
	w := d.at("workspace")
	r.checkShape(w, "working_set array", "focus object", "order array", "placement object", "continuity object")
	r.checkShape(w.at("continuity"), "revision integer", "updated_at string|null", "resumed boolean")
	r.checkShape(w.at("focus"), "world_object_id text|null")
	objects := setOf(sortedIDs(d, "objects", "world_object_id"))
	for _, list := range []value{w.at("working_set"), w.at("order")} {
		r.checkRefersTo(list, objects)
		r.checkUnique(list)
	}
	working := setOf(w.at("working_set").strings())
	r.checkRefersTo(w.at("order"), working)
	if id := w.at("focus.world_object_id"); id.is("text") && (!objects[id.str()] || !working[id.str()]) {
		r.addProblem("%s: %v is not in the working set", id.path, id)
	}
	for id, placement := range w.at("placement").fields() {
		if !objects[id] {
			r.addProblem("%s: the object does not exist", placement.path)
		}
	}
}

// checkSectionFallbacks checks that each empty section has exactly one fallback, and that no
// other section has one. A degraded section is incomplete, not empty.
func (r *recorder) checkSectionFallbacks(d value) {
	fallbacks := make(map[string]int)
	for _, b := range d.at("fallbacks").list() {
		if b.at("scope.kind").str() == "section" && b.at("state").str() != "degraded" {
			fallbacks[b.at("scope.section").str()]++
		}
	}
	for _, section := range []string{"objects", "contexts", "actions", "findings", "field.objects"} {
		items, n := d.at(section), fallbacks[section]
		switch {
		case len(items.list()) == 0 && n != 1:
			r.addProblem("%s: empty with %d fallbacks, want one", items.path, n)
		case len(items.list()) > 0 && n > 0:
			r.addProblem("%s: got %d items and a fallback that says why there are none", items.path, len(items.list()))
		}
	}
}
