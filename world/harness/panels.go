package harness

import (
	"slices"
	"strings"
)

var panelChecks = []check{
	{"W-120 W-122 W-137 W-138 PT-04", "every panel has its fields", func(p *probe, f *findings) {
		p.panels(f, func(path string, v value) {
			f.shape(v, "kind text", "view text", "title text", "summary string", "nav array", "sections array", "actions object", "action_descriptors array")
			kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/world/panels/"), "/")
			f.equal(v.at("kind"), kind)
		})
	}},
	{"W-120 PT-44", "every panel fits its schema", func(p *probe, f *findings) {
		p.panels(f, func(path string, v value) {
			name := "service.world.panel"
			if path == "/world/panels/time" {
				name = "service.time.workspace"
			}
			p.fits(f, v, "GET "+path, name, 1)
		})
	}},
	{"W-121", "there is no other panel", func(p *probe, f *findings) {
		for _, path := range []string{"/world/panels/maps", "/world/panels/identity", "/world/panels/nope"} {
			p.ask(request{path: path}).failure(f, 404)
		}
	}},
	{"W-123", "every item of navigation leads somewhere", func(p *probe, f *findings) {
		p.panels(f, func(_ string, v value) {
			for _, item := range v.at("nav").list() {
				f.shape(item, "id text", "label text", "action text?")
				if url := item.at("action"); item.has("action") && !isWorldURL(url.str()) {
					f.add("%s is %v", url.path, url)
				} else if item.has("action") {
					p.ahead(url.str()).object(f)
				}
			}
		})
	}},
	{"W-124 B-28", "every section has its fields, and says why it is empty", func(p *probe, f *findings) {
		p.panels(f, func(_ string, v value) {
			for _, s := range v.at("sections").list() {
				f.shape(s, "title string", "items array")
				if len(s.at("items").list()) == 0 {
					f.shape(s, "summary text")
				}
				for _, item := range s.at("items").list() {
					f.shape(item, "id text", "title string", "summary string?", "metadata object?", "actions array?")
					for _, a := range item.at("actions").list() {
						f.shape(a, "id text", "label text", "type text", "method text", "url text", "body object")
					}
				}
			}
		})
	}},
	{"W-125 W-126 B-28", "every form has its fields and controls", func(p *probe, f *findings) {
		p.panels(f, func(_ string, v value) {
			for _, d := range v.at("action_descriptors").list() {
				f.shape(d, "id text", "label text", "type text", "method text", "url text")
				f.oneOf(d.at("type"), "submit_form", "open_panel", "invoke")
				if d.at("type").str() == "submit_form" {
					f.shape(d, "controls array")
				}
				for _, c := range d.at("controls").list() {
					f.control(c)
					f.oneOf(c.at("type"), "text", "textarea", "selector", "checkbox", "date", "datetime", "time", "number", "hidden")
				}
			}
		})
	}},
	{"W-128 PT-10", "reading a panel makes no surface", func(p *probe, f *findings) {
		before, ok := p.ask(request{path: sessionPath}).object(f)
		for _, path := range panelPaths {
			p.ask(request{path: path})
		}
		after, is := p.ask(request{path: sessionPath}).object(f)
		if ok && is && !same(before.at("surface_runtime"), after.at("surface_runtime")) {
			f.add("after reading the panels the surface runtime is another")
		}
	}},
	{"W-129 W-130", "the panel of Find has a composer", func(p *probe, f *findings) {
		if v, ok := p.document(f, "/world/panels/find"); ok {
			f.shape(v, "composer object?", "findings array?")
			if !v.has("composer") {
				f.add("there is no composer")
			}
		}
	}},
	{"W-131 B-59", "the panel of Time has its fields", func(p *probe, f *findings) {
		if v, ok := p.document(f, "/world/panels/time"); ok {
			f.shape(v, "view text", "anchor_date text", "range object", "timezone text", "calendars array", "appointments array", "tasks array", "editable_fields array", "actions object")
			f.shape(v.at("range"), "start text", "end text")
			f.shape(v.at("actions"), "create_object text", "create_calendar text")
		}
	}},
	{"W-132", "the panel of Time shows what was asked for", func(p *probe, f *findings) {
		for _, view := range []string{"day", "week", "month", "agenda", "tasks"} {
			v, ok := p.document(f, "/world/panels/time?view="+view+"&date=2026-12-01&timezone=America/New_York")
			if !ok {
				continue
			}
			f.equal(v.at("view"), view)
			f.equal(v.at("anchor_date"), "2026-12-01")
			f.equal(v.at("timezone"), "America/New_York")
			for _, item := range v.at("nav").list() {
				if url := item.at("action"); url.is("text") && !strings.Contains(url.str(), "New_York") {
					f.add("%s is %v, which forgets the time zone", url.path, url)
				}
			}
		}
	}},
	{"W-133", "the panel of Time refuses what it cannot show", func(p *probe, f *findings) {
		for _, query := range []string{"view=year", "date=2026-13-01", "timezone=Mars/X"} {
			p.ask(request{path: "/world/panels/time?" + query}).failure(f, 400, "invalid_parameter")
		}
	}},
	{"W-134", "the rail of Messages has threads, and a form to begin one", func(p *probe, f *findings) {
		v, ok := p.document(f, "/world/panels/messages/rail")
		if !ok {
			return
		}
		titles := func(s value) bool { return s.at("title").str() == "Threads" }
		if !slices.ContainsFunc(v.at("sections").list(), titles) {
			f.add("there is no section Threads")
		}
		form := byID(v.at("action_descriptors"), "id")["start_thread"]
		f.equal(value{form.at("type").v, "the type of start_thread"}, "submit_form")
		f.equal(value{form.at("url").v, "the url of start_thread"}, "/world/messages")
	}},
	{"W-135 W-136", "the panel of Messages has its fields", func(p *probe, f *findings) {
		v, ok := p.document(f, "/world/panels/messages")
		if !ok {
			return
		}
		f.shape(v, "threads array", "selected_thread object|null", "messages array")
		f.equal(v.at("view"), "messages")
		f.equal(v.at("actions.start_thread"), "/world/messages")
		if v.at("selected_thread").is("null") && len(v.at("messages").list()) > 0 {
			f.add("there are %d messages of no thread", len(v.at("messages").list()))
		}
		for _, t := range v.at("threads").list() {
			p.thread(f, t)
		}
	}},
	{"W-136 B-54", "a thread that is selected is shown, with its messages alone", func(p *probe, f *findings) {
		v, ok := p.document(f, "/world/panels/messages")
		if !ok {
			return
		}
		f.items(v.at("threads").list()[:min(2, len(v.at("threads").list()))], "message threads", func(t value) {
			id := t.at("id").str()
			v, ok := p.document(f, "/world/panels/messages?thread="+id)
			if !ok {
				return
			}
			p.thread(f, v.at("selected_thread"))
			f.equal(v.at("selected_thread.id"), id)
			for _, m := range v.at("messages").list() {
				f.shape(m, "id text|integer", "thread_id text|integer", "sender_identity_user_id text|integer", "body string", "created_at string", "updated_at string|null")
				f.equal(m.at("thread_id"), id)
			}
		})
	}},
}

// panels calls do for each panel.
func (p *probe) panels(f *findings, do func(path string, v value)) {
	for _, path := range panelPaths {
		if v, ok := p.document(f, path); ok {
			v.path = strings.TrimPrefix(path, "/world/panels/") + ":"
			do(path, v)
		}
	}
}
