package harness

import (
	"maps"
	"slices"
)

var changesChecks = []check{
	{"B-105 PT-03 PT-05", "the changes since a dataset, applied to it, are the next dataset", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) { checkChanges(c, rec) })
	}},
	{"B-105 B-84", "unchanged data is 304 also for a request of changes", func(c *client, rec *recorder) {
		c.compareWithRetry(rec, func(rec *recorder) {
			first := c.do(request{path: runtimePath})
			if d, ok := first.object(rec); ok && first.header.Get("ETag") != "" {
				match := map[string]string{"If-None-Match": first.header.Get("ETag")}
				c.do(request{path: d.at("capabilities.changes.url").str(), header: match}).checkStatus(rec, 304)
			}
		})
	}},
	{"B-105", "an unknown revision is answered with the whole dataset", func(c *client, rec *recorder) {
		for _, revision := range []string{"", "x", "AAAAAAAAAAAAAAAAAAAAAA", "%00%ff"} {
			d, ok := c.do(request{path: runtimePath + "?since=" + revision}).object(rec)
			if ok && d.has("delta") {
				rec.addUnexpected(d.at("delta"), "the whole dataset")
			}
		}
	}},
}

// checkChanges reads a dataset, the changes since then, and the dataset again.
func checkChanges(c *client, rec *recorder) {
	before, ok := c.do(request{path: runtimePath}).object(rec)
	if !ok {
		return
	}
	offer := before.at("capabilities.changes")
	rec.checkShape(offer, "revision text", "url text")
	rec.checkWorldURL(offer.at("url"))
	answer, okChanges := c.do(request{path: offer.at("url").str()}).object(rec)
	whole, okWhole := c.do(request{path: runtimePath}).object(rec)
	if !okChanges || !okWhole {
		return
	}
	rec.checkShape(answer, append(slices.Clone(sections), "delta object")...)
	rec.checkShape(answer.at("delta"), "since text", "revision text", "changed object", "gone object", "after object", "items object")
	if len(rec.problems) > 0 {
		return
	}
	if since := answer.at("delta.since"); !equalJSON(since, offer.at("revision")) {
		rec.addUnexpected(since, "%v", offer.at("revision"))
	}
	if revision := answer.at("delta.revision"); !equalJSON(revision, answer.at("capabilities.changes.revision")) {
		rec.addUnexpected(revision, "%v as in capabilities", answer.at("capabilities.changes.revision"))
	}
	applied := rec.applyChanges(before, answer)
	for section := range changedSections {
		if got := applied.at(section); !equalJSON(got, whole.at(section)) {
			rec.addProblem("%s: with the changes applied it differs from the whole dataset", answer.at(section).path)
		}
	}
	var rules recorder
	if rules.checkReferences(whole); len(rules.problems) == 0 { // otherwise other checks report it
		rec.checkReferences(applied)
	}
}

// checkReferences checks all references within a dataset, and its fallbacks.
func (r *recorder) checkReferences(d value) {
	r.checkActionReferences(d)
	r.checkTargets(d)
	r.checkWorkspace(d)
	r.checkSectionFallbacks(d)
}

// changedSections contains the sections of which a dataset may contain only changes,
// with the key of their ids.
var changedSections = map[string]string{"objects": "world_object_id", "contexts": "context_id", "actions": "action_id", "findings": "finding_id"}

// applyChanges returns the dataset that results from applying the changes in an answer
// to the dataset before it.
func (r *recorder) applyChanges(before, answer value) value {
	d := maps.Clone(answer.v.(map[string]any))
	delete(d, "delta")
	earlier := byID(before.at("contexts"), "context_id")
	var contexts []any
	for _, c := range answer.at("contexts").list() {
		id := c.at("context_id").str()
		changed := maps.Clone(c.v.(map[string]any))
		items := answer.at("delta.items").key(id)
		changed["items"] = r.applyList(earlier[id].at("items"), c.at("items"), "item_id", items.at("changed"), items.at("gone"), items.at("after"))
		contexts = append(contexts, changed)
	}
	d["contexts"] = contexts
	result := value{d, answer.path}
	for section, key := range changedSections {
		delta := answer.at("delta")
		d[section] = r.applyList(before.at(section), result.at(section), key, delta.at("changed").key(section), delta.at("gone").key(section), delta.at("after").key(section))
	}
	return result
}

// applyList returns a list with its changes applied: it removes the records that are
// gone or have changed, and inserts the changed ones, each after the record before it.
func (r *recorder) applyList(before, records value, key string, changed, gone, after value) []any {
	ids, removed := changed.strings(), setOf(append(changed.strings(), gone.strings()...))
	if len(records.list()) != len(ids) {
		r.addProblem("%s: got %d records, want the %d of %s", records.path, len(records.list()), len(ids), changed.path)
		return nil
	}
	list := []any{} // not nil, which is null in JSON
	var order []string
	for _, v := range before.list() {
		if id := v.at(key).str(); !removed[id] {
			list, order = append(list, v.v), append(order, id)
		}
	}
	for i, v := range records.list() {
		r.checkString(v.at(key), ids[i])
		at := 0
		if predecessor := after.key(ids[i]); predecessor.is("text") {
			at = 1 + slices.Index(order, predecessor.str())
			if at == 0 {
				r.addProblem("%s: the record %v is not in the list", predecessor.path, predecessor)
			}
		} else if !predecessor.is("null") {
			r.addUnexpected(predecessor, "an id or null")
		}
		list, order = slices.Insert(list, at, v.v), slices.Insert(order, at, ids[i])
	}
	return list
}
