package harness

import (
	"slices"
	"strings"
)

// sections are the sections of a dataset, with their JSON types.
var sections = []string{
	"contract object", "member object", "capabilities object", "workspace object", "objects array", "contexts array",
	"actions array", "field object", "findings array", "fallbacks array", "sources array",
}

// owners maps object types to the services that own them.
var owners = map[string]string{
	"message_thread": "messages", "calendar_event": "time", "task": "time", "event": "social", "community": "social", "conversation": "social", "social_dm": "social",
}

var datasetChecks = []check{
	{"W-22 W-143 B-04", "the dataset names its contract", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkContract(d, "service.runtime.dataset", 1)
		}
	}},
	{"W-23 PT-04", "the dataset has exactly eleven sections", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkShape(d, sections...)
			rec.checkKeys(d, sections)
		}
	}},
	{"PT-04 PT-44", "the dataset fits its schema", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			c.checkSchema(rec, d, "service.runtime.dataset", 1)
		}
	}},
	{"W-142 W-143 B-06", "POST /world/session returns the dataset under the harness contract", checkPostedDataset},
	{"W-25 W-26", "unknown capabilities are reported, not rejected", func(c *client, rec *recorder) {
		a := c.do(request{path: runtimePath, header: map[string]string{"X-Service-Runtime": `harness/1; caps="objects hologram"`}})
		if d, ok := a.object(rec); ok {
			v := d.at("capabilities")
			rec.checkShape(v, "declared array", "applied array", "unsupported array")
			reported := slices.ContainsFunc(v.at("unsupported").list(), func(u value) bool { return u.at("capability").str() == "hologram" })
			if !reported || slices.Contains(v.at("applied").strings(), "hologram") {
				rec.addUnexpected(v, "hologram in unsupported only")
			}
			if !slices.Equal(v.at("declared").strings(), []string{"objects", "hologram"}) {
				rec.addUnexpected(v.at("declared"), "objects and hologram, as sent")
			}
		}
	}},
	{"W-24 PT-08", "the dataset has no keys for secrets", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			for _, v := range d.all() {
				for _, key := range v.keys() {
					if secretKey.MatchString(key) {
						rec.addProblem("%s: the key names a secret", join(v.path, key))
					}
				}
			}
		}
	}},
	{"W-28 B-18", "every object has its fields", func(c *client, rec *recorder) {
		c.eachObject(rec, func(o value) {
			rec.checkShape(o, "world_object_id text", "object_type text", "source object", "title string", "state object", "permissions object",
				"actions array", "relationships array", "placement object", "focus object")
			rec.checkShape(o.at("placement"), "area text", "position integer|null")
			rec.checkShape(o.at("focus"), "focusable boolean", "focused boolean")
		})
	}},
	{"W-14 B-18", "every permission is true or false", func(c *client, rec *recorder) {
		c.eachObject(rec, func(o value) {
			rec.checkShape(o.at("permissions"), "can_view boolean", "can_update boolean", "can_delete boolean", "can_reply boolean", "can_add_participant boolean", "can_share boolean")
			for _, v := range o.at("permissions").fields() {
				if !v.is("boolean") {
					rec.addUnexpected(v, "boolean")
				}
			}
		})
	}},
	{"W-30 PT-06", "objects and sources correspond one to one", func(c *client, rec *recorder) {
		ids, sources := make(map[string]bool), make(map[string]bool)
		c.eachObject(rec, func(o value) {
			id, source := o.at("world_object_id").str(), o.at("source").String()
			if ids[id] || sources[source] {
				rec.addProblem("%s: %s or its source %s occurs twice", o.path, id, source)
			}
			ids[id], sources[source] = true, true
		})
	}},
	{"W-31", "the source of an object is not an address", func(c *client, rec *recorder) {
		c.eachObject(rec, func(o value) {
			rec.checkShape(o.at("source"), "kind text")
			rec.checkNoAddresses(o.at("source"))
		})
	}},
	{"W-49 W-50 B-18", "objects have a type of their service", func(c *client, rec *recorder) {
		c.eachObject(rec, func(o value) {
			kind, service := o.at("object_type").str(), o.at("source.service").str()
			if owner := owners[kind]; owner != "" && o.at("source.kind").str() == "service" && service != owner {
				rec.addProblem("%s: got a %s of the service %q, want %q", label(o, "title"), kind, service, owner)
			}
			if strings.HasSuffix(kind, "_surface") {
				rec.addProblem("%s: got the type %s, want a type that is no surface", label(o, "title"), kind)
			}
		})
	}},
	{"W-49", "message threads can be opened and, where permitted, answered", func(c *client, rec *recorder) {
		d, ok := c.dataset(rec)
		if !ok {
			return
		}
		types := make(map[string]string)
		for _, a := range d.at("actions").list() {
			types[a.at("action_id").str()] = a.at("type").str()
		}
		rec.eachItem(objectsOfType(d, "message_thread"), "message threads", func(o value) {
			var has []string
			for _, id := range o.at("actions").strings() {
				has = append(has, types[id])
			}
			if !slices.Contains(has, "open_thread") || o.at("permissions.can_reply").isTrue() && !slices.Contains(has, "send_message") {
				rec.addProblem("%s: got the actions %q, want open_thread and, with can_reply, send_message", label(o, "title"), has)
			}
		})
	}},
	{"W-32 B-20", "every context has its fields", func(c *client, rec *recorder) {
		c.eachRecord(rec, "contexts", func(v value) {
			rec.checkShape(v, "context_id text", "kind text", "label string", "target object", "items array", "action_ids array")
			for _, item := range v.at("items").list() {
				rec.checkShape(item, "item_id text", "label string", "target object", "selected boolean", "action_ids array")
			}
		})
	}},
	{"W-35 B-19", "every action is a complete request", func(c *client, rec *recorder) {
		c.eachRecord(rec, "actions", rec.checkAction)
	}},
	{"W-43 B-24", "every fallback has its fields", func(c *client, rec *recorder) {
		c.eachRecord(rec, "fallbacks", func(v value) {
			rec.checkShape(v, "fallback_id text", "state text", "scope object", "reason text", "message text", "retryable boolean", "action_ids array")
		})
	}},
	{"W-37 W-51 PT-01 B-78", "the dataset has no presentation terms", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkNoPresentation(d.without("contract", "capabilities"))
		}
	}},
	{"W-38 PT-01", "the texts of the system have no markup", func(c *client, rec *recorder) {
		if d, ok := c.dataset(rec); ok {
			rec.checkNoMarkup(d)
		}
	}},
	{"W-44", "sources have their fields and no addresses", func(c *client, rec *recorder) {
		c.eachRecord(rec, "sources", func(v value) {
			rec.checkShape(v, "source_id text", "kind text", "status text", "contract object|null", "object_count integer", "read_at string", "age_seconds integer")
			rec.checkNoAddresses(v)
		})
	}},
	{"W-45 X-52", "without a location the field has no origin", func(c *client, rec *recorder) {
		for _, header := range []map[string]string{nil, {"X-Forwarded-For": "8.8.8.8"}} {
			if d, ok := c.do(request{path: runtimePath, header: header}).object(rec); ok {
				v := d.at("field")
				if !v.has("origin") || !v.at("origin").is("null") || len(v.at("objects").list()) > 0 {
					rec.addProblem("%s: got the origin %v and %d objects, want null and none", v.path, v.at("origin"), len(v.at("objects").list()))
				}
			}
		}
	}},
	{"W-46 B-05 B-22", "the field is around the location of the request", func(c *client, rec *recorder) {
		if d, ok := c.document(rec, runtimePath+locationQuery); ok {
			rec.checkLocation(d.at("field"))
			rec.checkShape(d.at("field"), "origin object", "radius_meters integer", "controls array", "objects array")
		}
	}},
}

// checkPostedDataset compares the dataset of POST /world/session with the dataset
// of GET /world/runtime.
func checkPostedDataset(c *client, rec *recorder) {
	const foreign = `{"profile": {"runtime": "harness", "member_id": 999999}, "user_id": 999999, "unknown": [1]}`
	d, ok := c.dataset(rec)
	if !ok {
		return
	}
	for _, body := range []string{"", "{}", foreign} {
		v, ok := c.postSession(body).object(rec)
		if !ok {
			return
		}
		rec.checkShape(v, sections...)
		rec.checkKeys(v, sections)
		rec.checkContract(v, "service.world.dataset", 1)
		if !equalJSON(v.at("member"), d.at("member")) {
			rec.addUnexpected(v.at("member"), "%v", d.at("member"))
		}
		got, want := sortedIDs(v, "objects", "world_object_id"), sortedIDs(d, "objects", "world_object_id")
		if !slices.Equal(got, want) {
			rec.addProblem("%s: got %d objects, want the %d of GET %s", v.at("objects").path, len(got), len(want), runtimePath)
		}
	}
	v, ok := c.postSession(`{"context": {"location": {"latitude": 52.5, "longitude": 13.4}}}`).object(rec)
	if lat, _ := v.at("field.origin.latitude").number(); ok && lat != 52.5 {
		rec.addUnexpected(v.at("field.origin"), "the location of the context")
	}
	c.postSession(`{"context": {"location": {"latitude": 91, "longitude": 13.4}}}`).checkError(rec, 422)
}

// checkContract checks the name and the version of a document.
func (r *recorder) checkContract(d value, name string, version int) {
	r.checkString(d.at("contract.name"), name)
	r.checkInteger(d.at("contract.version"), version)
}

// eachRecord calls do with every record of a section of the dataset.
func (c *client) eachRecord(rec *recorder, section string, do func(value)) {
	if d, ok := c.dataset(rec); ok {
		rec.eachItem(d.at(section).list(), section, do)
	}
}

// eachObject calls do with every object of the dataset.
func (c *client) eachObject(rec *recorder, do func(value)) { c.eachRecord(rec, "objects", do) }

// objectsOfType returns the objects of a type.
func objectsOfType(d value, objectType string) (list []value) {
	for _, o := range d.at("objects").list() {
		if o.at("object_type").str() == objectType {
			list = append(list, o)
		}
	}
	return list
}

// checkAction checks an action record.
func (r *recorder) checkAction(a value) {
	r.checkShape(a, "action_id text", "type text", "label text", "target object", "method text", "command object", "controls array", "availability text", "fallback text|null")
	r.checkShape(a.at("command"), "url text", "method text", "encodings array", "body object")
	if method := a.at("method"); method.str() != a.at("command.method").str() {
		r.addUnexpected(method, "%v, the method of the command", a.at("command.method"))
	}
	if (a.at("availability").str() == "enabled") != a.at("fallback").is("null") {
		r.addProblem("%s: got availability %v with fallback %v, want a fallback exactly if the action is not enabled",
			label(a, "action_id"), a.at("availability"), a.at("fallback"))
	}
	r.checkWorldURL(a.at("command.url"))
	for _, control := range a.at("controls").list() {
		r.checkControl(control)
	}
	r.checkConsequences(a)
}

// checkConsequences checks what an action of the dataset or of a panel states about its
// consequences: DELETE is destructive, except for the removal of a block, and an action with
// a form needs no confirmation.
func (r *recorder) checkConsequences(a value) {
	r.checkShape(a, "confirm text?", "destructive boolean?")
	if a.at("method").str() == "DELETE" && a.at("type").str() != "social.unblock" && !a.at("destructive").isTrue() {
		r.addUnexpected(a.at("destructive"), "true for the method DELETE")
	}
	hasForm := slices.ContainsFunc(a.at("controls").list(), func(c value) bool { return c.at("type").str() != "hidden" })
	if a.has("confirm") && hasForm {
		r.addUnexpected(a.at("confirm"), "no confirmation of an action with a form")
	}
}

// checkControl checks a control of a form.
func (r *recorder) checkControl(v value) {
	r.checkShape(v, "id text", "type text", "label string", "required boolean")
	if !v.has("default") {
		r.addProblem("%s: absent", join(v.path, "default"))
	}
	if v.at("type").str() == "selector" {
		r.checkShape(v, "options array")
		for _, option := range v.at("options").list() {
			r.checkShape(option, "value string", "label string")
		}
	}
	if v.has("options_url") {
		r.checkWorldURL(v.at("options_url"))
		if v.has("options_method") {
			r.checkString(v.at("options_method"), "POST")
		}
	}
}

// checkNoPresentation checks that keys, machine strings and URLs have no presentation
// terms.
func (r *recorder) checkNoPresentation(d value) {
	for key, v := range d.all() {
		for _, k := range v.keys() {
			if presentationTerm(k) != "" || k == "presentation" || k == "translator" {
				r.addProblem("%s: the key is a presentation term", join(v.path, k))
			}
		}
		if term := presentationTerm(v.str()); term != "" && isMachineKey(key) {
			r.addUnexpected(v, "a string without the presentation term %q", term)
		}
	}
}

// checkNoMarkup checks that keys and the texts of the system have no HTML tags. A
// label may quote a text that a member wrote elsewhere in the document.
func (r *recorder) checkNoMarkup(d value) {
	var written strings.Builder
	for key, v := range d.all() {
		if !isSystemKey(key) {
			written.WriteString(v.str())
			written.WriteByte('\n')
		}
	}
	for key, v := range d.all() {
		if tag := markup.FindString(v.str()); tag != "" && isSystemKey(key) && !(key == "label" && strings.Contains(written.String(), tag)) {
			r.addUnexpected(v, "a text without markup")
		}
		for _, k := range v.keys() {
			if markup.MatchString(k) {
				r.addProblem("%s: the key contains markup", join(v.path, k))
			}
		}
	}
}

// checkNoAddresses checks that a record has no paths and no URLs.
func (r *recorder) checkNoAddresses(d value) {
	for _, v := range d.all() {
		if isAddress(v.str()) {
			r.addUnexpected(v, "a string that is no address")
		}
	}
}
