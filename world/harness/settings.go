package harness

import (
	"regexp"
	"strings"
)

var settingsChecks = []check{
	{"W-76 W-120 PT-44", "the panel of settings has its fields and fits its schema in every view", func(c *client, rec *recorder) {
		c.eachSettingsView(rec, func(v value) {
			rec.checkShape(v, "kind text", "view text", "title text", "summary text", "nav array", "sections array", "actions object", "action_descriptors array", "member object")
			rec.checkString(v.at("kind"), "settings")
			c.checkSchema(rec, v, "service.settings.panel", 1)
			for _, s := range v.at("sections").list() {
				if len(s.at("items").list()) == 0 {
					rec.checkShape(s, "summary text")
				}
			}
		})
	}},
	{"W-125 W-126", "every form in the panel of settings has its controls", func(c *client, rec *recorder) {
		c.eachSettingsView(rec, func(v value) {
			for _, form := range settingsForms(v) {
				rec.checkShape(form, "id text", "label text", "type text", "method text", "url text", "controls array")
				rec.checkControls(form)
			}
		})
	}},
	{"W-24 PT-08", "the panel of settings contains no secrets", func(c *client, rec *recorder) {
		c.eachSettingsView(rec, func(v value) {
			for _, part := range v.all() {
				if part.is("string") && secretText.MatchString(part.str()) {
					rec.addProblem("%s: looks like a secret", part.path)
				}
			}
			for _, form := range settingsForms(v) {
				for _, control := range form.at("controls").list() {
					if control.at("type").str() == "password" && !control.at("default").is("null") {
						rec.addUnexpected(control.at("default"), "null: a secret has no default")
					}
				}
			}
		})
	}},
	{"W-120 PT-42", "the panel of settings lists the sessions, device passwords and blocks that the read routes list", func(c *client, rec *recorder) {
		for view, list := range map[string]struct{ path, records, id string }{
			"sessions": {"/world/identity/sessions", "sessions", "id"}, "devices": {"/world/identity/device-passwords", "device_passwords", "id"},
			"blocks": {"/world/social/blocks", "blocks", "member_id"},
		} {
			records, ok := c.do(request{path: list.path}).object(rec)
			if ok && rec.skipped == "" {
				c.eachSettingsView(rec, func(v value) {
					if sections := v.at("sections").list(); v.at("view").str() == view && len(sections) > 0 {
						rec.checkSameIDs(sections[0].at("items"), records.at(list.records), list.id)
					}
				})
			}
		}
	}},
	{"W-37 B-95", "the panel of settings offers the actions on the account that the dataset offers", func(c *client, rec *recorder) {
		d, ok := c.dataset(rec)
		if !ok {
			return
		}
		offered := make(map[string]bool)
		c.eachSettingsView(rec, func(v value) {
			for _, request := range v.all() {
				offered[request.at("method").str()+" "+request.at("url").str()] = true
			}
		})
		if rec.skipped != "" {
			return
		}
		for _, a := range d.at("actions").list() {
			if a.at("type").str() == "member.timezone.report" { // a runtime performs it by itself
				continue
			}
			if a.at("target.kind").str() == "member" && !offered[a.at("method").str()+" "+a.at("command.url").str()] {
				rec.addProblem("%s: %v %v is not in the panel of settings", label(a, "type"), a.at("method"), a.at("command.url"))
			}
		}
	}},
}

// checkSameIDs checks that the items of a panel are the records of a list, whose ids
// may be numbers.
func (r *recorder) checkSameIDs(items, records value, id string) {
	count := make(map[string]int)
	for _, item := range items.list() {
		count[item.at("id").str()]++
	}
	for _, record := range records.list() {
		key := record.at(id).str()
		if key == "" {
			key = record.at(id).String()
		}
		if count[key]--; count[key] < 0 {
			r.addProblem("%s: %s is not in %s", record.path, key, items.path)
		}
	}
	if got, want := len(items.list()), len(records.list()); got != want {
		r.addProblem("%s: got %d items, want %d as in %s", items.path, got, want, records.path)
	}
}

// secretText matches texts in the form of secrets: access tokens, URIs of
// authenticator apps, and device passwords or recovery codes.
var secretText = regexp.MustCompile(`\bsvc_[A-Za-z0-9_-]{20}|otpauth:|\b(?:[0-9a-hjkmnp-tv-z]{4}-){4}[0-9a-hjkmnp-tv-z]{4}\b`)

// settingsForms returns the forms of the panel and of its items.
func settingsForms(panel value) []value {
	forms := panel.at("action_descriptors").list()
	for _, s := range panel.at("sections").list() {
		for _, item := range s.at("items").list() {
			forms = append(forms, item.at("action_descriptors").list()...)
		}
	}
	return forms
}

// settingsViews returns the URLs of the views of the panel of settings. There are
// none if the session has no service settings, which a World need not offer.
func (c *client) settingsViews(rec *recorder) (urls []string) {
	s, ok := c.session(rec)
	if !ok {
		return nil
	}
	for _, service := range s.at("services").list() {
		source := service.at("content_source").str()
		if service.at("id").str() != "settings" || !isWorldURL(source) {
			continue
		}
		for _, item := range c.get(source).doc.at("nav").list() {
			if url := item.at("action").str(); isWorldURL(url) && strings.HasPrefix(url, source) {
				urls = append(urls, url)
			}
		}
	}
	return urls
}

// eachSettingsView calls do with every view of the panel of settings.
func (c *client) eachSettingsView(rec *recorder, do func(value)) {
	urls := c.settingsViews(rec)
	if len(urls) == 0 {
		rec.skip("there is no panel of settings")
	}
	for _, url := range urls {
		if v, ok := c.document(rec, url); ok {
			do(v)
		}
	}
}
