package harness

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const (
	perKind     = 3   // of each kind of address, so many are tried
	mostLinks   = 150 // of all together
	mostMethods = 100
	mostForms   = 30
)

// unknownMethod is one that no address takes: the answer says which it does.
const unknownMethod = "PROBE"

var linkChecks = []check{
	{"W-01 W-07 W-35 W-123 S-02 X-14", "every published address is World's", func(p *probe, f *findings) {
		all := p.published(f)
		for _, a := range all {
			if !isWorldURL(a.url.str()) {
				f.add("%s is %v", a.url.path, a.url)
			}
		}
		f.saw("%d addresses", len(all))
	}},
	{"PT-02 W-78 W-123 X-18", "every published link can be followed", func(p *probe, f *findings) {
		all := p.published(f)
		list := some(all, mostLinks, func(a published) string { return pick(a.method == "GET", a.kind) })
		for _, a := range list {
			if p.ahead(a.url.str()).status/100 != 2 {
				f.add("%s: %s answers %d", a.url.path, p.ahead(a.url.str()), p.ahead(a.url.str()).status)
			}
		}
		f.saw("%d of each kind, %d links", perKind, len(list))
	}},
	{"PT-02 W-36 W-10", "every published command leads to a route that takes its method", func(p *probe, f *findings) {
		all := p.published(f)
		list := some(all, mostMethods, func(a published) string { return pick(a.method != "GET", a.method+" "+a.kind) })
		for _, a := range list {
			f.takes(p.ask(request{method: unknownMethod, path: a.url.str()}), a)
		}
		f.saw("%d of each kind, %d commands", perKind, len(list))
	}},
	{"PT-02 W-36 B-29", "a form whose required controls are empty is refused as such", func(p *probe, f *findings) {
		list := some(p.published(f), mostForms, func(a published) string { return pick(refusable(a), a.kind) })
		for _, a := range list {
			p.ask(request{method: a.method, path: a.url.str(), body: emptyForm(a.form)}).failure(f, 400)
		}
		f.saw("%d forms", len(list))
	}},
	{"PT-44", "every schema can be read, and World's documents fit those it publishes", publishedSchemas},
}

// pick returns the kind if the condition holds, and "" otherwise.
func pick(ok bool, kind string) string {
	if !ok {
		return ""
	}
	return kind
}

// some picks a few of each kind of addresses, different ones, and as many as
// allowed of all. Those of the kind "" are left out.
func some(all []published, most int, kind func(published) string) (list []published) {
	count, had := make(map[string]int), make(map[string]bool)
	for _, a := range all {
		k, key := kind(a), a.method+" "+a.url.str()
		if k == "" || had[key] || !isWorldURL(a.url.str()) || count[k] >= perKind || len(list) >= most {
			continue
		}
		count[k]++
		had[key] = true
		list = append(list, a)
	}
	return list
}

// published returns the addresses of all outputs that could be read.
func (p *probe) published(f *findings) (all []published) {
	for _, path := range append(slices.Clone(runtimePaths), panelPaths...) {
		if doc := p.get(path).doc; doc.is("object") {
			for _, a := range publications(doc) {
				a.url.path = path + ": " + a.url.path
				all = append(all, a)
			}
		}
	}
	if len(all) == 0 {
		f.add("no output has any address")
	}
	return all
}

// ahead reads a link once, so that nothing in it counts as read by the member.
func (p *probe) ahead(path string) *answer {
	key := "ahead " + path
	if p.once[key] == nil {
		p.once[key] = p.ask(request{path: path, header: map[string]string{"Sec-Purpose": "prefetch"}})
	}
	return p.once[key]
}

// takes checks that the answer to an unknown method lists the published one.
func (f *findings) takes(a *answer, of published) {
	if a.status != http.StatusMethodNotAllowed {
		f.add("%s: %s answers %d, not 405", of.url.path, a, a.status)
		return
	}
	var allowed []string
	for method := range strings.SplitSeq(strings.Join(a.header.Values("Allow"), ","), ",") {
		allowed = append(allowed, strings.TrimSpace(method))
	}
	writes := slices.ContainsFunc(allowed, func(m string) bool { return slices.Contains([]string{"POST", "PATCH", "PUT", "DELETE"}, m) })
	if of.method != "" && !slices.Contains(allowed, of.method) || !writes {
		f.add("%s: %s takes %s, not %s", of.url.path, of.url, strings.Join(allowed, ", "), of.method)
	}
}

// refusable reports whether a command is a form that cannot succeed while it
// is empty: a POST that is available and requires a text.
func refusable(a published) bool {
	availability := a.form.at("availability").str()
	if a.form.has("command") || a.method != "POST" || availability != "" && availability != "enabled" {
		return false
	}
	return slices.ContainsFunc(a.form.at("controls").list(), requiresText)
}

func requiresText(c value) bool {
	kind := c.at("type").str()
	return c.at("required").v == true && (kind == "text" || kind == "textarea")
}

// emptyForm is a form with nothing filled in.
func emptyForm(form value) string {
	var fields []string
	for _, c := range form.at("controls").list() {
		if requiresText(c) {
			fields = append(fields, fmt.Sprintf("%q: \"\"", c.at("id").str()))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// publishedSchemas reads the schemas of the World itself, and checks its
// documents against them.
func publishedSchemas(p *probe, f *findings) {
	index, ok := p.document(f, schemasPath)
	if !ok {
		return
	}
	urls := make(map[string]string)
	f.items(index.at("schemas").list(), "schemas", func(s value) {
		f.shape(s, "name text", "version integer", "url text")
		if !isWorldURL(s.at("url").str()) {
			f.add("%s is %v", s.at("url").path, s.at("url"))
			return
		}
		urls[s.at("name").str()] = s.at("url").str()
		if a := p.get(s.at("url").str()); a.is(f, 200) && (a.err != nil || !a.doc.is("object")) {
			f.add("%s is no schema", a)
		}
	})
	for path, name := range map[string]string{
		runtimePath: "service.runtime.dataset", sessionPath: "service.home.runtime", translatedPath: "service.home.runtime.translated",
		"/world/panels/social": "service.world.panel", "/world/panels/time": "service.time.workspace",
	} {
		doc := p.get(path)
		if doc.status != 200 {
			continue
		}
		if urls[name] == "" {
			f.add("there is no schema of %s", name)
			continue
		}
		s, err := compile(p.get(urls[name]).body)
		if err == nil {
			err = s.Validate(doc.doc.v)
		}
		if err != nil {
			f.add("GET %s and %s: %v", path, urls[name], err)
		}
	}
}
