package harness

import (
	"slices"
	"strings"
)

var panelChecks = []check{
	{"W-120 W-122 W-137 W-138 PT-04", "every panel has its fields", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(path string, v value) {
			rec.shape(v, "kind text", "view text", "title text", "summary string", "nav array", "sections array", "actions object", "action_descriptors array")
			kind, _, _ := strings.Cut(strings.TrimPrefix(path, "/world/panels/"), "/")
			rec.equal(v.at("kind"), kind)
		})
	}},
	{"W-120 PT-44", "every panel fits its schema", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(path string, v value) {
			name := "service.world.panel"
			if path == "/world/panels/time" {
				name = "service.time.workspace"
			}
			c.fits(rec, v, name, 1)
		})
	}},
	{"W-121", "other panels are 404", func(c *client, rec *recorder) {
		for _, path := range []string{"/world/panels/maps", "/world/panels/identity", "/world/panels/nope"} {
			c.do(request{path: path}).refused(rec, 404)
		}
	}},
	{"W-123", "every navigation item can be followed", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(_ string, v value) {
			for _, item := range v.at("nav").list() {
				rec.shape(item, "id text", "label text", "action text?")
				if !item.has("action") {
					continue
				}
				rec.worldURL(item.at("action"))
				if isWorldURL(item.at("action").str()) {
					c.prefetch(item.at("action").str()).object(rec)
				}
			}
		})
	}},
	{"W-124 B-28", "every section has its fields, and a summary if it is empty", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(_ string, v value) {
			for _, s := range v.at("sections").list() {
				rec.shape(s, "title string", "items array")
				if len(s.at("items").list()) == 0 {
					rec.shape(s, "summary text")
				}
				for _, item := range s.at("items").list() {
					rec.shape(item, "id text", "title string", "summary string?", "metadata object?", "actions array?")
					for _, a := range item.at("actions").list() {
						rec.shape(a, "id text", "label text", "type text", "method text", "url text", "body object")
					}
				}
			}
		})
	}},
	{"W-125 W-126 B-28", "every form has its fields and controls", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(_ string, v value) {
			for _, d := range v.at("action_descriptors").list() {
				rec.shape(d, "id text", "label text", "type text", "method text", "url text")
				rec.oneOf(d.at("type"), "submit_form", "open_panel", "invoke")
				if d.at("type").str() == "submit_form" {
					rec.shape(d, "controls array")
				}
				for _, control := range d.at("controls").list() {
					rec.control(control)
					rec.oneOf(control.at("type"), "text", "textarea", "selector", "checkbox", "date", "datetime", "time", "number", "hidden")
				}
			}
		})
	}},
	{"W-128 PT-10", "reading a panel does not change the surface runtime", func(c *client, rec *recorder) {
		before, okBefore := c.do(request{path: sessionPath}).object(rec)
		for _, path := range panelPaths {
			c.do(request{path: path})
		}
		after, okAfter := c.do(request{path: sessionPath}).object(rec)
		if okBefore && okAfter && !equalJSON(before.at("surface_runtime"), after.at("surface_runtime")) {
			rec.problem("%s: changed by reading the panels", after.at("surface_runtime").path)
		}
	}},
	{"W-129 W-130", "the panel of Find has a composer", func(c *client, rec *recorder) {
		if v, ok := c.document(rec, "/world/panels/find"); ok {
			rec.shape(v, "composer object", "findings array?")
		}
	}},
	{"W-131 B-59", "the panel of Time has its fields", func(c *client, rec *recorder) {
		if v, ok := c.document(rec, "/world/panels/time"); ok {
			rec.shape(v, "view text", "anchor_date text", "range object", "timezone text", "calendars array", "appointments array", "tasks array", "editable_fields array", "actions object")
			rec.shape(v.at("range"), "start text", "end text")
			rec.shape(v.at("actions"), "create_object text", "create_calendar text")
		}
	}},
	{"W-132", "the panel of Time shows the requested view, date and time zone", func(c *client, rec *recorder) {
		for _, view := range []string{"day", "week", "month", "agenda", "tasks"} {
			v, ok := c.document(rec, "/world/panels/time?view="+view+"&date=2026-12-01&timezone=America/New_York")
			if !ok {
				continue
			}
			rec.equal(v.at("view"), view)
			rec.equal(v.at("anchor_date"), "2026-12-01")
			rec.equal(v.at("timezone"), "America/New_York")
			for _, item := range v.at("nav").list() {
				if url := item.at("action"); url.is("text") && !strings.Contains(url.str(), "New_York") {
					rec.unexpected(url, "a URL with the requested time zone")
				}
			}
		}
	}},
	{"W-133", "the panel of Time rejects invalid parameters", func(c *client, rec *recorder) {
		for _, query := range []string{"view=year", "date=2026-13-01", "timezone=Mars/X"} {
			c.do(request{path: "/world/panels/time?" + query}).refused(rec, 400, "invalid_parameter")
		}
	}},
	{"W-134", "the rail of Messages has threads and a form to start one", func(c *client, rec *recorder) {
		v, ok := c.document(rec, "/world/panels/messages/rail")
		if !ok {
			return
		}
		isThreads := func(s value) bool { return s.at("title").str() == "Threads" }
		if !slices.ContainsFunc(v.at("sections").list(), isThreads) {
			rec.problem("%s: the section Threads is missing", v.at("sections").path)
		}
		form := byID(v.at("action_descriptors"), "id")["start_thread"]
		form.path = v.at("action_descriptors").path + "[start_thread]"
		rec.equal(form.at("type"), "submit_form")
		rec.equal(form.at("url"), threadsPath)
	}},
	{"W-135 W-136", "the panel of Messages has its fields", func(c *client, rec *recorder) {
		v, ok := c.document(rec, messagesPanel)
		if !ok {
			return
		}
		rec.shape(v, "threads array", "selected_thread object|null", "messages array")
		rec.equal(v.at("view"), "messages")
		rec.equal(v.at("actions.start_thread"), threadsPath)
		if n := len(v.at("messages").list()); v.at("selected_thread").is("null") && n > 0 {
			rec.problem("%s: got %d messages, want none without a selected thread", v.at("messages").path, n)
		}
		for _, t := range v.at("threads").list() {
			rec.thread(t, "message_thread", threadsPath)
		}
	}},
	{"W-136 B-54", "the panel of Messages shows the selected thread and only its messages", func(c *client, rec *recorder) {
		v, ok := c.document(rec, messagesPanel)
		if !ok {
			return
		}
		threads := v.at("threads").list()
		rec.each(threads[:min(2, len(threads))], "message threads", func(t value) {
			id := t.at("id").str()
			v, ok := c.document(rec, messagesPanel+"?thread="+id)
			if !ok {
				return
			}
			rec.thread(v.at("selected_thread"), "message_thread", threadsPath)
			rec.equal(v.at("selected_thread.id"), id)
			for _, m := range v.at("messages").list() {
				rec.message(m, id)
			}
		})
	}},
}

const messagesPanel = "/world/panels/messages"

// eachPanel calls do with every panel.
func (c *client) eachPanel(rec *recorder, do func(path string, v value)) {
	for _, path := range panelPaths {
		if v, ok := c.document(rec, path); ok {
			do(path, v)
		}
	}
}
