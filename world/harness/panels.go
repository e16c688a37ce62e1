package harness

import (
	"slices"
	"strings"
)

var panelChecks = []check{
	{"W-120 W-122 W-137 W-138 PT-04", "every panel has its fields", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(path string, v value) {
			rec.checkShape(v, "kind text", "view text", "title text", "summary string", "nav array", "sections array", "actions object", "action_descriptors array")
			kind := strings.FieldsFunc(strings.TrimPrefix(path, "/world/panels/"), func(r rune) bool { return r == '/' || r == '?' })[0]
			rec.checkString(v.at("kind"), kind)
		})
	}},
	{"W-120 PT-44", "every panel fits its schema", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(path string, v value) {
			name := "service.world.panel"
			switch {
			case path == "/world/panels/time":
				name = "service.time.workspace"
			case path == "/world/panels/find":
				name = "service.find.panel"
			case strings.HasPrefix(path, operatorPanel):
				name = "service.operator.panel"
			case path == "/world/panels/today":
				name = "service.today.panel"
			}
			c.checkSchema(rec, v, name, 1)
		})
	}},
	{"W-121", "other panels are 404", func(c *client, rec *recorder) {
		for _, path := range []string{"/world/panels/maps", "/world/panels/identity", "/world/panels/nope"} {
			c.do(request{path: path}).checkError(rec, 404)
		}
	}},
	{"W-123", "every navigation item can be followed", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(_ string, v value) {
			for _, item := range v.at("nav").list() {
				rec.checkShape(item, "id text", "label text", "action text?")
				if !item.has("action") {
					continue
				}
				rec.checkWorldURL(item.at("action"))
				if isWorldURL(item.at("action").str()) {
					c.prefetch(item.at("action").str()).object(rec)
				}
			}
		})
	}},
	{"W-124 B-28", "every section has its fields, and a summary if it is empty", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(_ string, v value) {
			for _, s := range v.at("sections").list() {
				rec.checkShape(s, "title string", "items array")
				if len(s.at("items").list()) == 0 {
					rec.checkShape(s, "summary text")
				}
				for _, item := range s.at("items").list() {
					rec.checkShape(item, "id text", "title string", "summary string?", "metadata object?", "actions array?")
					for _, a := range item.at("actions").list() {
						rec.checkShape(a, "id text", "label text", "type text", "method text", "url text", "body object")
						rec.checkConsequences(a)
					}
				}
			}
		})
	}},
	{"W-125 W-126 B-28", "every form has its fields and controls", func(c *client, rec *recorder) {
		c.eachPanel(rec, func(_ string, v value) {
			for _, d := range v.at("action_descriptors").list() {
				rec.checkShape(d, "id text", "label text", "type text", "method text", "url text")
				if d.at("type").str() == "submit_form" {
					rec.checkShape(d, "controls array")
				}
				rec.checkControls(d)
				rec.checkConsequences(d)
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
			rec.addProblem("%s: changed by reading the panels", after.at("surface_runtime").path)
		}
	}},
	{"W-129 W-130", "the panel of Find has a composer", func(c *client, rec *recorder) {
		if v, ok := c.document(rec, "/world/panels/find"); ok {
			rec.checkShape(v, "composer object", "findings array?")
		}
	}},
	{"W-131 B-59", "the panel of Time has its fields", func(c *client, rec *recorder) {
		if v, ok := c.document(rec, "/world/panels/time"); ok {
			rec.checkShape(v, "view text", "anchor_date text", "range object", "timezone text", "calendars array", "appointments array", "tasks array", "editable_fields array", "actions object")
			rec.checkShape(v.at("range"), "start text", "end text")
			rec.checkShape(v.at("grid_range"), "start text", "end text")
			rec.checkShape(v.at("boundaries"), "weekend_days array", "week_number_rule text")
			rec.checkShape(v.at("actions"), "create_object text", "create_calendar text")
			for _, c := range v.at("calendars").list() {
				rec.checkShape(c, "caldav_url text", "feed object|null", "counts object", "shared_with array")
			}
		}
	}},
	{"B-106", "the actions on an occurrence name its version and offer scopes", func(c *client, rec *recorder) {
		v, ok := c.document(rec, "/world/panels/time")
		if !ok {
			return
		}
		for _, o := range append(v.at("appointments").list(), v.at("tasks").list()...) {
			for _, a := range o.at("action_descriptors").list() {
				rec.checkShape(a, "id text", "label text", "type text", "method text", "url text", "body object")
				rec.checkWorldURL(a.at("url"))
				if id := a.at("id").str(); id != "update" && id != "move" {
					continue
				}
				rec.checkString(a.at("body.etag"), o.at("state.etag").str())
				if a.has("scopes") {
					rec.checkString(a.at("body.recurrence_id"), o.at("state.occurrence.recurrence_id").str())
				}
			}
		}
	}},
	{"W-132", "the panel of Time shows the requested view, date and time zone", func(c *client, rec *recorder) {
		for _, view := range []string{"day", "week", "month", "agenda", "tasks"} {
			v, ok := c.document(rec, "/world/panels/time?view="+view+"&date=2026-12-01&timezone=America/New_York")
			if !ok {
				continue
			}
			rec.checkString(v.at("view"), view)
			rec.checkString(v.at("anchor_date"), "2026-12-01")
			rec.checkString(v.at("timezone"), "America/New_York")
			for _, item := range v.at("nav").list() {
				if url := item.at("action"); url.is("text") && !strings.Contains(url.str(), "New_York") {
					rec.addUnexpected(url, "a URL with the requested time zone")
				}
			}
		}
	}},
	{"W-133", "the panel of Time rejects invalid parameters", func(c *client, rec *recorder) {
		for _, query := range []string{"view=year", "date=2026-13-01", "timezone=Mars/X"} {
			c.do(request{path: "/world/panels/time?" + query}).checkError(rec, 400, "invalid_parameter")
		}
	}},
	{"W-134", "the rail of Messages has threads and a form to start one", func(c *client, rec *recorder) {
		v, ok := c.document(rec, "/world/panels/messages/rail")
		if !ok {
			return
		}
		isThreads := func(s value) bool { return s.at("title").str() == "Threads" }
		if !slices.ContainsFunc(v.at("sections").list(), isThreads) {
			rec.addProblem("%s: the section Threads is missing", v.at("sections").path)
		}
		form := byID(v.at("action_descriptors"), "id")["start_thread"]
		form.path = v.at("action_descriptors").path + "[start_thread]"
		rec.checkString(form.at("type"), "submit_form")
		rec.checkString(form.at("url"), threadsPath)
	}},
	{"W-135 W-136", "the panel of Messages has its fields", func(c *client, rec *recorder) {
		v, ok := c.document(rec, messagesPanel)
		if !ok {
			return
		}
		rec.checkShape(v, "threads array", "selected_thread object|null", "messages array")
		rec.checkString(v.at("view"), "messages")
		rec.checkString(v.at("actions.start_thread"), threadsPath)
		if n := len(v.at("messages").list()); v.at("selected_thread").is("null") && n > 0 {
			rec.addProblem("%s: got %d messages, want none without a selected thread", v.at("messages").path, n)
		}
		for _, t := range v.at("threads").list() {
			rec.checkThread(t, "message_thread", threadsPath)
		}
	}},
	{"W-136 B-54", "the panel of Messages shows the selected thread and only its messages", func(c *client, rec *recorder) {
		v, ok := c.document(rec, messagesPanel)
		if !ok {
			return
		}
		threads := v.at("threads").list()
		rec.eachItem(threads[:min(2, len(threads))], "message threads", func(t value) {
			id := t.at("id").str()
			v, ok := c.document(rec, messagesPanel+"?thread="+id)
			if !ok {
				return
			}
			rec.checkThread(v.at("selected_thread"), "message_thread", threadsPath)
			rec.checkString(v.at("selected_thread.id"), id)
			for _, m := range v.at("messages").list() {
				rec.checkMessage(m, id)
			}
		})
	}},
}

func (r *recorder) checkControls(form value) {
	for _, control := range form.at("controls").list() {
		r.checkControl(control)
	}
}

const messagesPanel = "/world/panels/messages"

// eachPanel calls do with every panel of the member.
func (c *client) eachPanel(rec *recorder, do func(path string, v value)) {
	for _, path := range c.panels() {
		if v, ok := c.document(rec, path); ok {
			do(path, v)
		}
	}
}
