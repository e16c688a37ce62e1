package harness

import (
	"regexp"
	"slices"
	"strings"
)

// clockKeys are the keys that say when something was read.
var clockKeys = regexp.MustCompile(`"(read_at|age_seconds)":\s*("[^"]*"|\d+)`)

// sections of a dataset, with their JSON types.
var sections = []string{
	"contract object", "member object", "capabilities object", "workspace object", "objects array", "contexts array",
	"actions array", "field object", "findings array", "fallbacks array", "sources array",
}

var datasetChecks = []check{
	{"W-22 W-143 B-04", "the dataset names its contract", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			p.contract(f, d, "service.runtime.dataset", 1)
		}
	}},
	{"W-23 PT-04", "the dataset has its eleven sections and no other", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.shape(d, sections...)
			f.only(d, sections)
		}
	}},
	{"PT-04 PT-44", "the dataset fits its schema", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			p.fits(f, d, "the dataset", "service.runtime.dataset", 1)
		}
	}},
	{"W-142 W-143 B-06", "POST /world/session gives the same under the harness's name", postedDataset},
	{"W-25 W-26", "unknown capabilities are told, not refused", func(p *probe, f *findings) {
		a := p.ask(request{path: runtimePath, header: map[string]string{"X-Service-Runtime": `harness/1; caps="objects hologram"`}})
		if d, ok := a.object(f); ok {
			c := d.at("capabilities")
			f.shape(c, "declared array", "applied array", "unsupported array")
			told := slices.ContainsFunc(c.at("unsupported").list(), func(u value) bool { return u.at("capability").str() == "hologram" })
			if !told || slices.Contains(c.at("applied").strings(), "hologram") {
				f.add("the capability hologram is not in capabilities.unsupported: %v", c)
			}
			if got := c.at("declared").strings(); !slices.Equal(got, []string{"objects", "hologram"}) {
				f.add("capabilities.declared is %q", got)
			}
		}
	}},
	{"W-24 PT-08", "the dataset has no keys of secrets", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			for _, v := range d.each() {
				for _, key := range v.keys() {
					if secretKey.MatchString(key) {
						f.add("%s is there", join(v.path, key))
					}
				}
			}
		}
	}},
	{"W-28 B-18", "every object has its fields", func(p *probe, f *findings) {
		p.objects(f, func(o value) {
			f.shape(o, "world_object_id text", "object_type text", "source object", "title string", "state object", "permissions object",
				"actions array", "relationships array", "placement object", "focus object")
			f.shape(o.at("placement"), "area text", "position integer|null")
			f.shape(o.at("focus"), "focusable boolean", "focused boolean")
			f.oneOf(o.at("placement.area"), "carry", "field", "find", "none")
		})
	}},
	{"W-14 B-18", "every permission is said outright", func(p *probe, f *findings) {
		p.objects(f, func(o value) {
			f.shape(o.at("permissions"), "can_view boolean", "can_update boolean", "can_delete boolean", "can_reply boolean", "can_add_participant boolean", "can_share boolean")
			for _, v := range o.at("permissions").fields() {
				if !v.is("boolean") {
					f.add("%s is %v", v.path, v)
				}
			}
		})
	}},
	{"W-30 PT-06", "an object has one source, a source one object", func(p *probe, f *findings) {
		ids, sources := make(map[string]bool), make(map[string]bool)
		p.objects(f, func(o value) {
			id, source := o.at("world_object_id").str(), o.at("source").String()
			if ids[id] || sources[source] {
				f.add("%s is there twice: %s", id, source)
			}
			ids[id], sources[source] = true, true
		})
	}},
	{"W-31", "a source is a name, not an address", func(p *probe, f *findings) {
		p.objects(f, func(o value) {
			f.shape(o.at("source"), "kind text")
			noAddresses(f, o.at("source"))
		})
	}},
	{"W-49 W-50 B-18", "objects are of the types of their services", func(p *probe, f *findings) {
		owners := map[string]string{
			"message_thread": "messages", "calendar_event": "time", "task": "time", "event": "social", "community": "social", "conversation": "social", "social_dm": "social",
		}
		p.objects(f, func(o value) {
			kind, service := o.at("object_type").str(), o.at("source.service").str()
			if owner := owners[kind]; owner != "" && o.at("source.kind").str() == "service" && service != owner {
				f.add("%s is a %s of %s", where(o, "title"), kind, service)
			}
			if strings.HasSuffix(kind, "_surface") {
				f.add("%s is a %s", where(o, "title"), kind)
			}
		})
	}},
	{"W-49", "a message thread can be opened, and written to", func(p *probe, f *findings) {
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		types := make(map[string]string)
		for _, a := range d.at("actions").list() {
			types[a.at("action_id").str()] = a.at("type").str()
		}
		f.items(ofType(d, "message_thread"), "message threads", func(o value) {
			var has []string
			for _, id := range o.at("actions").strings() {
				has = append(has, types[id])
			}
			if !slices.Contains(has, "open_thread") || o.at("permissions.can_reply").v == true && !slices.Contains(has, "send_message") {
				f.add("%s has the actions %q", where(o, "title"), has)
			}
		})
	}},
	{"W-32 B-20", "every context has its fields", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.items(d.at("contexts").list(), "contexts", func(c value) {
				f.shape(c, "context_id text", "kind text", "label string", "target object", "items array", "action_ids array")
				for _, item := range c.at("items").list() {
					f.shape(item, "item_id text", "label string", "target object", "selected boolean", "action_ids array")
				}
			})
		}
	}},
	{"W-35 B-19", "every action is a complete request", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.items(d.at("actions").list(), "actions", func(a value) { f.action(a) })
		}
	}},
	{"W-43 B-24", "every fallback has its fields", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.items(d.at("fallbacks").list(), "fallbacks", func(b value) {
				f.shape(b, "fallback_id text", "state text", "scope object", "reason text", "message text", "retryable boolean", "action_ids array")
				f.oneOf(b.at("state"), "unavailable", "unsupported", "denied", "empty", "degraded")
				f.oneOf(b.at("scope.kind"), "section", "service", "object", "field", "command", "capability", "permission")
			})
		}
	}},
	{"W-37 W-51 PT-01 B-78", "the dataset knows no words of screens", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			noScreens(f, d.without("contract", "capabilities"))
		}
	}},
	{"W-38 PT-01", "the system writes no markup", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			noMarkup(f, d)
		}
	}},
	{"W-44", "sources say nothing to call", func(p *probe, f *findings) {
		if d, ok := p.dataset(f); ok {
			f.items(d.at("sources").list(), "sources", func(s value) {
				f.shape(s, "source_id text", "kind text", "status text", "contract object|null", "object_count integer", "read_at string", "age_seconds integer")
				noAddresses(f, s)
			})
		}
	}},
	{"W-45 X-52", "no location is made up", func(p *probe, f *findings) {
		for _, header := range []map[string]string{nil, {"X-Forwarded-For": "8.8.8.8"}} {
			if d, ok := p.ask(request{path: runtimePath, header: header}).object(f); ok {
				if !d.at("field").has("origin") || !d.at("field.origin").is("null") || len(d.at("field.objects").list()) > 0 {
					f.add("without a location the field is around %v with %d objects", d.at("field.origin"), len(d.at("field.objects").list()))
				}
			}
		}
	}},
	{"W-46 B-05 B-22", "the location that was given is the field's", func(p *probe, f *findings) {
		if d, ok := p.document(f, runtimePath+somewhere); ok {
			f.somewhere(d.at("field"))
			f.shape(d.at("field"), "origin object", "radius_meters integer", "controls array", "objects array")
		}
	}},
}

// postedDataset compares what POST /world/session gives with the dataset.
func postedDataset(p *probe, f *findings) {
	const body = `{"profile": {"runtime": "harness", "member_id": 999999}, "user_id": 999999, "unknown": [1]}`
	d, ok := p.dataset(f)
	if !ok {
		return
	}
	for _, body := range []string{"", "{}", body} {
		v, ok := p.post(body).object(f)
		if !ok {
			return
		}
		f.shape(v, sections...)
		f.only(v, sections)
		p.contract(f, v, "service.world.dataset", 1)
		if !same(v.at("member"), d.at("member")) {
			f.add("POST %s is about %v", sessionPath, v.at("member"))
		}
		got, want := idsOf(v, "objects", "world_object_id"), idsOf(d, "objects", "world_object_id")
		if !slices.Equal(got, want) {
			f.add("POST %s has %d objects, the dataset %d, or others", sessionPath, len(got), len(want))
		}
	}
	v, ok := p.post(`{"context": {"location": {"latitude": 52.5, "longitude": 13.4}}}`).object(f)
	if lat, _ := v.at("field.origin.latitude").num(); ok && lat != 52.5 {
		f.add("the location of the context is not the field's: %v", v.at("field.origin"))
	}
	p.post(`{"context": {"location": {"latitude": 91, "longitude": 13.4}}}`).failure(f, 422)
}

// contract checks the name and version of a document.
func (p *probe) contract(f *findings, d value, name string, version int) {
	f.equal(d.at("contract.name"), name)
	if v := d.at("contract.version"); v.integer() != version {
		f.add("%s is %v, not %d", v.path, v, version)
	}
}

// only checks that an object has no keys but those of its shape.
func (f *findings) only(v value, fields []string) {
	for _, key := range v.keys() {
		if !slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(field, key+" ") }) {
			f.add("%s is there, and should not be", join(v.path, key))
		}
	}
}

// objects calls do for each object of the dataset.
func (p *probe) objects(f *findings, do func(value)) {
	if d, ok := p.dataset(f); ok {
		f.items(d.at("objects").list(), "objects", do)
	}
}

// ofType returns the objects of a type.
func ofType(d value, kind string) (list []value) {
	for _, o := range d.at("objects").list() {
		if o.at("object_type").str() == kind {
			list = append(list, o)
		}
	}
	return list
}

// idsOf returns the ids of a list in order of their names.
func idsOf(d value, list, key string) (ids []string) {
	for _, item := range d.at(list).list() {
		ids = append(ids, item.at(key).str())
	}
	slices.Sort(ids)
	return ids
}

// action checks an action record (B-19).
func (f *findings) action(a value) {
	f.shape(a, "action_id text", "type text", "label text", "target object", "method text", "command object", "controls array", "availability text", "fallback text|null")
	f.shape(a.at("command"), "url text", "method text", "encodings array", "body object")
	if method := a.at("method"); method.str() != a.at("command.method").str() {
		f.add("%s is %v, and its command's %v", method.path, method, a.at("command.method"))
	}
	f.oneOf(a.at("method"), "GET", "POST", "PUT", "PATCH", "DELETE")
	f.oneOf(a.at("target.kind"), "object", "workspace", "field", "finding", "member", "none")
	f.oneOf(a.at("availability"), "enabled", "disabled", "denied", "unavailable")
	if (a.at("availability").str() == "enabled") != a.at("fallback").is("null") {
		f.add("%s is %v with the fallback %v", where(a, "action_id"), a.at("availability"), a.at("fallback"))
	}
	if url := a.at("command.url"); !isWorldURL(url.str()) {
		f.add("%s is %v", url.path, url)
	}
	for _, c := range a.at("controls").list() {
		f.control(c)
	}
}

// control checks a form's control.
func (f *findings) control(c value) {
	f.shape(c, "id text", "type text", "label string", "required boolean")
	if !c.has("default") {
		f.add("%s has no default", where(c, "id"))
	}
	if c.at("type").str() == "selector" {
		f.shape(c, "options array")
		for _, o := range c.at("options").list() {
			f.shape(o, "value string", "label string")
		}
	}
}

// noScreens walks keys, machine words and addresses for words of screens.
func noScreens(f *findings, d value) {
	for key, v := range d.each() {
		for _, k := range v.keys() {
			if word := screenWord(k); word != "" || k == "presentation" || k == "translator" {
				f.add("the key %s is there", join(v.path, k))
			}
		}
		if word := screenWord(v.str()); word != "" && isMachine(key) {
			f.add("%s is %v", v.path, v)
		}
	}
}

// noMarkup walks the strings of the system for tags. A label may quote what a
// member wrote somewhere in the document.
func noMarkup(f *findings, d value) {
	var written strings.Builder
	for key, v := range d.each() {
		if !isSystem(key) {
			written.WriteString(v.str())
			written.WriteByte('\n')
		}
	}
	for key, v := range d.each() {
		if tag := markup.FindString(v.str()); tag != "" && isSystem(key) && !(key == "label" && strings.Contains(written.String(), tag)) {
			f.add("%s is %v", v.path, v)
		}
		for _, k := range v.keys() {
			if markup.MatchString(k) {
				f.add("the key %s is there", join(v.path, k))
			}
		}
	}
}

// noAddresses walks a record for anything that could be called.
func noAddresses(f *findings, d value) {
	for _, v := range d.each() {
		if isAddress(v.str()) {
			f.add("%s is %v", v.path, v)
		}
	}
}
