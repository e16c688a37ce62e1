package harness

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

const (
	urlsPerKind = 3   // URLs that are tried of each kind
	maxLinks    = 150 // links that are tried in total
	maxCommands = 150
	maxForms    = 30
)

// fileKind is the type of the action whose response is an iCalendar file. The harness
// does not follow it: it reads JSON.
const fileKind = "export_calendar"

// unknownMethod is a method that no route accepts. The response lists the methods
// that the route accepts.
const unknownMethod = "PROBE"

var linkChecks = []check{
	{"W-01 W-07 W-35 W-123 S-02 X-14", "every published URL is a path below /world/", func(c *client, rec *recorder) {
		urls := c.allURLs(rec)
		for _, p := range urls {
			rec.checkWorldURL(p.url)
		}
		rec.note("%d URLs", len(urls))
	}},
	{"B-95 X-11", "the URLs of an actions map are distinct", func(c *client, rec *recorder) {
		for _, path := range slices.Concat(runtimePaths, c.panels(), listPaths()) {
			for _, url := range sharedURLs(c.get(path).doc) {
				rec.addProblem("%s: got %s, which another action of the map has", url.path, url)
			}
		}
	}},
	{"PT-02 W-78 W-123 X-18", "every published link can be followed", func(c *client, rec *recorder) {
		links := sample(c.allURLs(rec), maxLinks, func(p publishedURL) string { return kindIf(p.method == "GET" && p.kind != fileKind, p.kind) })
		for _, p := range links {
			if a := c.prefetch(p.url.str()); a.status/100 != 2 {
				rec.addProblem("%s: %s: got status %d, want 2xx", p.url.path, a, a.status)
			}
		}
		rec.note("%d of each kind, %d links", urlsPerKind, len(links))
	}},
	{"PT-02 W-36 W-10", "the route of every published command accepts its method", func(c *client, rec *recorder) {
		commands := sample(c.allURLs(rec), maxCommands, func(p publishedURL) string { return kindIf(p.method != "GET", p.method+" "+p.kind) })
		for _, p := range commands {
			rec.checkMethod(c.do(request{method: unknownMethod, path: p.url.str()}), p)
		}
		rec.note("%d of each kind, %d commands", urlsPerKind, len(commands))
	}},
	{"PT-02 W-36 B-29", "a form with empty required controls is rejected", func(c *client, rec *recorder) {
		forms := sample(c.allURLs(rec), maxForms, func(p publishedURL) string { return kindIf(mustReject(p), p.kind) })
		for _, p := range forms {
			c.do(request{method: p.method, path: p.url.str(), body: emptyForm(p.form)}).checkError(rec, 400)
		}
		rec.note("%d forms", len(forms))
	}},
	{"PT-44", "every published schema can be read, and the outputs fit them", checkPublishedSchemas},
}

// kindIf returns the kind if the condition holds, and "" otherwise.
func kindIf(ok bool, kind string) string {
	if !ok {
		return ""
	}
	return kind
}

// sample returns urlsPerKind different URLs of each kind, up to limit in total: the first
// one of each kind, then the second ones, so that the limit excludes no kind. URLs of the
// kind "" are left out.
func sample(all []publishedURL, limit int, kind func(publishedURL) string) []publishedURL {
	rounds := make([][]publishedURL, urlsPerKind)
	count, chosen := make(map[string]int), make(map[string]bool)
	for _, p := range all {
		k, key := kind(p), p.method+" "+p.url.str()
		if k == "" || chosen[key] || !isWorldURL(p.url.str()) || count[k] == urlsPerKind {
			continue
		}
		rounds[count[k]] = append(rounds[count[k]], p)
		count[k]++
		chosen[key] = true
	}
	list := slices.Concat(rounds...)
	return list[:min(len(list), limit)]
}

// allURLs returns the URLs of all outputs that can be read.
func (c *client) allURLs(rec *recorder) (all []publishedURL) {
	for _, path := range slices.Concat(runtimePaths, c.panels(), c.settingsViews(rec), listPaths()) {
		if doc := c.get(path).doc; doc.is("object") {
			all = append(all, publishedURLs(doc)...)
		}
	}
	if len(all) == 0 {
		rec.addProblem("no output publishes a URL")
	}
	return all
}

// checkMethod checks that the response to an unknown method lists the published
// method.
func (r *recorder) checkMethod(a *response, p publishedURL) {
	if a.status != http.StatusMethodNotAllowed {
		r.addProblem("%s: %s: got status %d, want 405", p.url.path, a, a.status)
		return
	}
	var allowed []string
	for method := range strings.SplitSeq(strings.Join(a.header.Values("Allow"), ","), ",") {
		allowed = append(allowed, strings.TrimSpace(method))
	}
	if !slices.Contains(allowed, p.method) {
		r.addProblem("%s: %s: got Allow: %s, want %s", p.url.path, p.url, strings.Join(allowed, ", "), p.method)
	}
}

// mustReject reports whether a command is a form that must be rejected while it
// is empty: a POST that is available and requires a text.
func mustReject(p publishedURL) bool {
	availability := p.form.at("availability").str()
	if p.form.has("command") || p.method != "POST" || availability != "" && availability != "enabled" {
		return false
	}
	return slices.ContainsFunc(p.form.at("controls").list(), requiresText)
}

func requiresText(control value) bool {
	kind := control.at("type").str()
	return control.at("required").isTrue() && (kind == "text" || kind == "textarea")
}

// emptyForm returns a body with empty required texts.
func emptyForm(form value) string {
	var fields []string
	for _, control := range form.at("controls").list() {
		if requiresText(control) {
			fields = append(fields, fmt.Sprintf("%q: \"\"", control.at("id").str()))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// checkPublishedSchemas reads the schemas that World publishes, and checks its outputs
// against them.
func checkPublishedSchemas(c *client, rec *recorder) {
	index, ok := c.document(rec, schemasPath)
	if !ok {
		return
	}
	urls := make(map[string]string)
	rec.eachItem(index.at("schemas").list(), "schemas", func(s value) {
		rec.checkShape(s, "name text", "version integer", "url text")
		rec.checkWorldURL(s.at("url"))
		if url := s.at("url").str(); isWorldURL(url) {
			urls[s.at("name").str()] = url
			c.document(rec, url)
		}
	})
	for path, name := range map[string]string{
		runtimePath: "service.runtime.dataset", sessionPath: "service.home.runtime", translatedPath: "service.home.runtime.translated",
		"/world/panels/social": "service.world.panel", "/world/panels/time": "service.time.workspace",
	} {
		a := c.get(path)
		if a.status != http.StatusOK {
			continue
		}
		if urls[name] == "" {
			rec.addProblem("%s: the schema %s is missing", index.at("schemas").path, name)
			continue
		}
		schema, err := compile(c.get(urls[name]).body)
		if err == nil {
			err = schema.Validate(a.doc.v)
		}
		if err != nil {
			rec.addProblem("GET %s does not fit %s: %v", path, urls[name], err)
		}
	}
}
