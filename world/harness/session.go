package harness

import (
	"slices"
	"strings"
)

// sessionFields are all keys of a session: those of version 1 are not sent.
var sessionFields = []string{
	"service string", "contract object", "runtime_session object", "capabilities object", "shell object", "field_runtime object",
	"surface_runtime object", "status object", "services array",
}

var sessionChecks = []check{
	{"W-60 W-61 W-63 W-73 X-57", "the session has its nine parts and no other", func(p *probe, f *findings) {
		if s, ok := p.session(f); ok {
			f.shape(s, sessionFields...)
			f.only(s, sessionFields)
			f.equal(s.at("service"), "world")
			p.contract(f, s, "service.home.runtime", 2)
		}
	}},
	{"PT-04 PT-44", "the session fits its schema", func(p *probe, f *findings) {
		if s, ok := p.session(f); ok {
			p.fits(f, s, "the session", "service.home.runtime", 2)
		}
	}},
	{"W-62 W-140", "the session is the member's own", func(p *probe, f *findings) {
		s, ok := p.session(f)
		me, is := p.document(f, mePath)
		d, also := p.dataset(f)
		if !ok || !is || !also {
			return
		}
		id := s.at("runtime_session.user_id")
		f.shape(s.at("runtime_session"), "user_id integer", "persistence_authority string")
		f.equal(s.at("runtime_session.persistence_authority"), "world")
		if !same(id, me.at("id")) && !same(id, me.at("member.id")) || !same(id, d.at("member.member_id")) {
			f.add("the session is of %v, the dataset of %v, and who I am is %v", id, d.at("member.member_id"), me)
		}
	}},
	{"W-63", "capabilities and shell have their fields", func(p *probe, f *findings) {
		if s, ok := p.session(f); ok {
			f.shape(s.at("capabilities"), "requested array", "provided array")
			f.shape(s.at("shell"), "dock object")
			f.shape(s.at("shell.dock"), "items array")
		}
	}},
	{"W-74 PT-42", "the status counts the services", func(p *probe, f *findings) {
		s, ok := p.session(f)
		if !ok {
			return
		}
		sum := 0
		for key, n := range s.at("status").fields() {
			if !n.is("integer") {
				f.add("%s is %v", n.path, n)
			} else if key != "total" {
				sum += n.integer()
			}
		}
		if total := s.at("status.total"); total.integer() != sum {
			f.add("status.total is %v, and the others are %d", total, sum)
		}
	}},
	{"W-75", "the services come in one order", func(p *probe, f *findings) {
		s, ok := p.session(f)
		if !ok {
			return
		}
		for range turns {
			if again, ok := p.ask(request{path: sessionPath}).object(f); ok && !slices.Equal(inOrder(s), inOrder(again)) {
				f.add("the services are %q, and before %q", inOrder(again), inOrder(s))
			}
		}
	}},
	{"W-76 W-77", "every service has its fields", func(p *probe, f *findings) {
		p.services(f, func(v value) {
			f.shape(v, "id text", "label text", "icon string", "entry_surface_id text|null", "content_source text", "presentation object", "objects object", "actions array")
			f.oneOf(v.at("presentation.workspace"), "carry", "field", "find")
		})
	}},
	{"W-76 S-14", "a service's entry surface is there", func(p *probe, f *findings) {
		s, ok := p.session(f)
		if !ok {
			return
		}
		ids := set(idsOf(s, "surface_runtime.surfaces", "surface_id"))
		p.services(f, func(v value) {
			if id := v.at("entry_surface_id"); id.is("text") && !ids[id.str()] {
				f.add("%s is %v, which is not there", id.path, id)
			}
		})
	}},
	{"W-78", "the content of every service can be read", func(p *probe, f *findings) {
		p.services(f, func(v value) {
			if url := v.at("content_source"); !isWorldURL(url.str()) {
				f.add("%s is %v", url.path, url)
			} else {
				p.ahead(url.str()).object(f)
			}
		})
	}},
	{"W-70 PT-42", "Social's counts are those of its lists", func(p *probe, f *findings) {
		v, ok := p.service(f, "social")
		if !ok {
			return
		}
		f.shape(v.at("objects"), "conversations integer", "communities integer", "events integer", "presence integer")
		d, ok := p.dataset(f)
		if !ok {
			return
		}
		for list, kind := range map[string]string{"conversations": "conversation", "communities": "community", "events": "event"} {
			if n, seen := v.at("objects").at(list), len(ofType(d, kind)); n.integer() < seen {
				f.add("%s is %v, and the dataset has %d of them", n.path, n, seen)
			}
		}
	}},
	{"W-71 W-79 PT-42", "Messages has its threads, and says that its panel is an old one", func(p *probe, f *findings) {
		v, ok := p.service(f, "messages")
		if !ok {
			return
		}
		f.shape(v.at("objects"), "threads array")
		f.equal(v.at("compatibility_scope"), "legacy_runtime_panel")
		if v.at("compatibility").v != true {
			f.add("%s is %v", v.at("compatibility").path, v.at("compatibility"))
		}
		for _, t := range v.at("objects.threads").list() {
			p.thread(f, t)
		}
		if d, ok := p.dataset(f); ok {
			listed := set(idsOf(v, "objects.threads", "id"))
			for _, o := range ofType(d, "message_thread") {
				if id := o.at("source.resource_id").str(); !listed[id] {
					f.add("the thread %s of the dataset is not in %s", id, v.at("objects.threads").path)
				}
			}
		}
	}},
	{"W-72", "Identity has the directory", func(p *probe, f *findings) {
		v, ok := p.service(f, "identity")
		if !ok {
			return
		}
		own := false
		me := p.get(mePath).doc
		for _, m := range v.at("members").list() {
			f.shape(m, "id integer", "email string", "display_name string")
			own = own || same(m.at("id"), me.at("id")) || same(m.at("id"), me.at("member.id"))
		}
		if !own {
			f.add("the member is not in %s", v.at("members").path)
		}
	}},
	{"W-80 W-81", "every item of the dock is a complete request", func(p *probe, f *findings) {
		if s, ok := p.session(f); ok {
			f.items(s.at("shell.dock.items").list(), "items of the dock", func(v value) {
				f.shape(v, "id text", "label text", "icon string", "essential boolean", "action object")
				f.shape(v.at("action"), "id text", "type text", "method text", "url text", "body object?")
				if url := v.at("action.url"); !isWorldURL(url.str()) {
					f.add("%s is %v", url.path, url)
				}
			})
		}
	}},
}

// inOrder returns the ids of the services as they come.
func inOrder(session value) (ids []string) {
	for _, v := range session.at("services").list() {
		ids = append(ids, v.at("id").str())
	}
	return ids
}

// services calls do for each service of the session.
func (p *probe) services(f *findings, do func(value)) {
	if s, ok := p.session(f); ok {
		f.items(s.at("services").list(), "services", do)
	}
}

// service returns the service of that name.
func (p *probe) service(f *findings, id string) (value, bool) {
	s, ok := p.session(f)
	if !ok {
		return s, false
	}
	list := s.at("services").list()
	i := slices.IndexFunc(list, func(v value) bool { return v.at("id").str() == id })
	if i < 0 {
		f.add("there is no service %s", id)
		return s, false
	}
	return list[i], true
}

// thread checks a message thread as World shows it.
func (p *probe) thread(f *findings, t value) {
	f.shape(t, "id text|integer", "type string", "title string", "summary string", "participants array", "participant_count integer", "message_count integer",
		"unread_count integer", "last_message_at string|null", "created_at string", "updated_at string|null", "links object", "actions object")
	f.equal(t.at("type"), "message_thread")
	if n := len(t.at("participants").list()); n != 2 || t.at("participant_count").integer() != 2 {
		f.add("%s has %d participants and says %v", where(t, "id"), n, t.at("participant_count"))
	}
	self := "/world/messages/" + t.at("id").str()
	if t.at("id").is("integer") {
		self = "/world/messages/" + t.at("id").String()
	}
	f.equal(t.at("links.self"), self)
	f.equal(t.at("links.messages"), self+"/messages")
	f.equal(t.at("actions.open_thread"), self)
	f.equal(t.at("actions.send_message"), self+"/messages")
	if strings.Contains(self, "//") {
		f.add("%s is %v", t.at("id").path, t.at("id"))
	}
}
