package harness

import (
	"slices"
	"strings"
)

// sessionFields are the keys of a session.
var sessionFields = []string{
	"service string", "contract object", "runtime_session object", "capabilities object", "shell object", "field_runtime object",
	"surface_runtime object", "status object", "services array",
}

var sessionChecks = []check{
	{"W-60 W-61 W-63 W-73 X-57", "the session has exactly nine parts", func(c *client, rec *recorder) {
		if s, ok := c.session(rec); ok {
			rec.checkShape(s, sessionFields...)
			rec.checkKeys(s, sessionFields)
			rec.checkString(s.at("service"), "world")
			rec.checkContract(s, "service.home.runtime", 2)
		}
	}},
	{"PT-04 PT-44", "the session fits its schema", func(c *client, rec *recorder) {
		if s, ok := c.session(rec); ok {
			c.checkSchema(rec, s, "service.home.runtime", 2)
		}
	}},
	{"W-62 W-140", "session, dataset and identity are of the same member", func(c *client, rec *recorder) {
		s, okSession := c.session(rec)
		me, okMe := c.document(rec, mePath)
		d, okDataset := c.dataset(rec)
		if !okSession || !okMe || !okDataset {
			return
		}
		rec.checkShape(s.at("runtime_session"), "user_id integer", "persistence_authority string")
		rec.checkString(s.at("runtime_session.persistence_authority"), "world")
		id := s.at("runtime_session.user_id")
		if !equalJSON(id, me.at("id")) && !equalJSON(id, me.at("member.id")) {
			rec.addUnexpected(id, "the member of GET %s, %v", mePath, me)
		}
		if !equalJSON(id, d.at("member.member_id")) {
			rec.addUnexpected(id, "the member of GET %s, %v", runtimePath, d.at("member.member_id"))
		}
	}},
	{"W-63", "capabilities and shell have their fields", func(c *client, rec *recorder) {
		if s, ok := c.session(rec); ok {
			rec.checkShape(s.at("capabilities"), "requested array", "provided array")
			rec.checkShape(s.at("shell"), "dock object")
			rec.checkShape(s.at("shell.dock"), "items array")
		}
	}},
	{"W-74 PT-42", "the status total is the sum of the other counts", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		sum := 0
		for key, n := range s.at("status").fields() {
			if !n.is("integer") {
				rec.addUnexpected(n, "integer")
			} else if key != "total" {
				sum += n.integer()
			}
		}
		rec.checkInteger(s.at("status.total"), sum)
	}},
	{"W-75", "the services have a fixed order", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		for range maxComparisons {
			if again, ok := c.do(request{path: sessionPath}).object(rec); ok && !slices.Equal(serviceIDs(s), serviceIDs(again)) {
				rec.addProblem("%s: got the order %q, want %q as before", again.at("services").path, serviceIDs(again), serviceIDs(s))
			}
		}
	}},
	{"W-76 W-77", "every service has its fields", func(c *client, rec *recorder) {
		c.eachService(rec, func(v value) {
			rec.checkShape(v, "id text", "label text", "icon string", "entry_surface_id text|null", "content_source text", "presentation object", "objects object", "actions array")
		})
	}},
	{"W-76 S-14", "the entry surface of every service exists", func(c *client, rec *recorder) {
		s, ok := c.session(rec)
		if !ok {
			return
		}
		ids := setOf(sortedIDs(s, "surface_runtime.surfaces", "surface_id"))
		c.eachService(rec, func(v value) {
			if id := v.at("entry_surface_id"); id.is("text") && !ids[id.str()] {
				rec.addProblem("%s: %v does not exist", id.path, id)
			}
		})
	}},
	{"W-78", "the content of every service can be read", func(c *client, rec *recorder) {
		c.eachService(rec, func(v value) {
			url := v.at("content_source")
			rec.checkWorldURL(url)
			if isWorldURL(url.str()) {
				c.prefetch(url.str()).object(rec)
			}
		})
	}},
	{"W-70 PT-42", "the counts of Social cover the objects of the dataset", func(c *client, rec *recorder) {
		v, ok := c.service(rec, "social")
		if !ok {
			return
		}
		rec.checkShape(v.at("objects"), "conversations integer", "communities integer", "events integer", "presence integer")
		d, ok := c.dataset(rec)
		if !ok {
			return
		}
		for list, kind := range map[string]string{"conversations": "conversation", "communities": "community", "events": "event"} {
			if n, least := v.at("objects").at(list), len(objectsOfType(d, kind)); n.integer() < least {
				rec.addUnexpected(n, "at least %d, the objects of the dataset", least)
			}
		}
	}},
	{"W-71 W-79 PT-42", "the service Messages has the threads of the dataset", func(c *client, rec *recorder) {
		v, ok := c.service(rec, "messages")
		if !ok {
			return
		}
		rec.checkShape(v.at("objects"), "threads array")
		rec.checkString(v.at("compatibility_scope"), "legacy_runtime_panel")
		if !v.at("compatibility").isTrue() {
			rec.addUnexpected(v.at("compatibility"), "true")
		}
		for _, t := range v.at("objects.threads").list() {
			rec.checkThread(t, "message_thread", threadsPath)
		}
		if d, ok := c.dataset(rec); ok {
			listed := setOf(sortedIDs(v, "objects.threads", "id"))
			for _, o := range objectsOfType(d, "message_thread") {
				if id := o.at("source.resource_id"); !listed[id.str()] {
					rec.addProblem("%s: the thread %v is not in %s", id.path, id, v.at("objects.threads").path)
				}
			}
		}
	}},
	{"W-72", "the service Identity has the directory", func(c *client, rec *recorder) {
		v, ok := c.service(rec, "identity")
		if !ok {
			return
		}
		own := false
		me := c.get(mePath).doc
		for _, m := range v.at("members").list() {
			rec.checkShape(m, "id integer", "email string", "display_name string")
			own = own || equalJSON(m.at("id"), me.at("id")) || equalJSON(m.at("id"), me.at("member.id"))
		}
		if !own {
			rec.addProblem("%s: the member is missing", v.at("members").path)
		}
	}},
	{"W-80 W-81", "every item of the dock is a complete request", func(c *client, rec *recorder) {
		if s, ok := c.session(rec); ok {
			rec.eachItem(s.at("shell.dock.items").list(), "items in the dock", func(v value) {
				rec.checkShape(v, "id text", "label text", "icon string", "essential boolean", "action object")
				rec.checkShape(v.at("action"), "id text", "type text", "method text", "url text", "body object?")
				rec.checkWorldURL(v.at("action.url"))
			})
		}
	}},
}

// serviceIDs returns the ids of the services in their order.
func serviceIDs(session value) (ids []string) {
	for _, v := range session.at("services").list() {
		ids = append(ids, v.at("id").str())
	}
	return ids
}

// eachService calls do with every service of the session.
func (c *client) eachService(rec *recorder, do func(value)) {
	if s, ok := c.session(rec); ok {
		rec.eachItem(s.at("services").list(), "services", do)
	}
}

// service returns the service with an id, and records a problem if there is
// none.
func (c *client) service(rec *recorder, id string) (value, bool) {
	s, ok := c.session(rec)
	if !ok {
		return s, false
	}
	list := s.at("services").list()
	i := slices.IndexFunc(list, func(v value) bool { return v.at("id").str() == id })
	if i < 0 {
		rec.addProblem("%s: the service %s is missing", s.at("services").path, id)
		return s, false
	}
	return list[i], true
}

// checkThread checks a thread of two members: a message thread, or a direct message
// of Social.
func (r *recorder) checkThread(t value, threadType, base string) {
	r.checkShape(t, "id text|integer", "type string", "title string", "summary string", "participants array", "participant_count integer", "message_count integer",
		"unread_count integer", "last_message_at string|null", "created_at string", "updated_at string|null", "links object", "actions object")
	r.checkString(t.at("type"), threadType)
	r.checkInteger(t.at("participant_count"), 2)
	if n := len(t.at("participants").list()); n != 2 {
		r.addProblem("%s: got %d participants, want 2", t.at("participants").path, n)
	}
	id := t.at("id").str()
	if t.at("id").is("integer") {
		id = t.at("id").String()
	}
	if id == "" || strings.Contains(id, "/") {
		r.addUnexpected(t.at("id"), "an id that needs no escaping in URLs")
	}
	self := base + "/" + id
	r.checkString(t.at("links.self"), self)
	r.checkString(t.at("links.messages"), self+"/messages")
	r.checkString(t.at("actions.open_thread"), self)
	if send := t.at("actions.send_message"); !send.is("null") || threadType == "message_thread" {
		r.checkString(send, self+"/messages")
	}
}
