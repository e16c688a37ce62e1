package harness

import "slices"

var findChecks = []check{
	{"F-01 F-02 F-29 B-02", "invalid searches are rejected", checkInvalidSearches},
	{"F-19 F-20 F-21 F-22 F-24 F-25 B-43", "findings have the fields and the actions of their type", func(c *client, rec *recorder) {
		rec.eachItem(c.overlayFindings(rec), "findings", rec.checkFinding)
	}},
	{"F-26 B-96", "findings of the dataset are those of the session, in canonical terms", checkCanonicalFindings},
	{"S-61 S-69 S-71 B-32", "a place that was opened has its position and a map", checkOpenedPlaces},
	{"S-67 S-68 B-40", "a page that was read is plain data", checkReadPages},
	{"B-46 W-129", "the composer of Find has its scopes and the search", func(c *client, rec *recorder) {
		v, ok := c.document(rec, "/world/panels/find")
		if !ok {
			return
		}
		rec.checkShape(v.at("composer"), "query string", "scope text", "scopes array", "action object")
		rec.checkWorldURL(v.at("composer.action.url"))
		for _, s := range v.at("composer.scopes").list() {
			rec.checkShape(s, "value text", "label text", "available boolean")
		}
	}},
}

// checkInvalidSearches sends searches that no World may accept.
func checkInvalidSearches(c *client, rec *recorder) {
	if s, ok := c.service(rec, "find"); !ok || s.at("status").str() == "unavailable" {
		rec.skip("there is nothing to search")
		return
	}
	for _, search := range []struct {
		body   string
		status int
	}{
		{`{}`, 400}, {`{"query": " ", "scope": "everywhere"}`, 400}, {`{"query": "tea"}`, 400}, {`{"query": "tea", "scope": "galaxy"}`, 422},
		{`{"query": "tea", "scope": "nearby", "origin": {"latitude": 91, "longitude": 0}}`, 422},
	} {
		c.do(request{method: "POST", path: "/world/find/query", body: search.body}).checkError(rec, search.status)
	}
}

// overlayFindings returns the findings of the session in the order of the overlay,
// also those that are shown by the surfaces made from their pages.
func (c *client) overlayFindings(rec *recorder) (findings []value) {
	s, ok := c.surfaceRuntime(rec)
	if !ok {
		return nil
	}
	surfaces := byID(s.at("surfaces"), "surface_id")
	for _, stack := range s.at("stacks").list() {
		if stack.at("stack_id").str() != "finding_overlay" {
			continue
		}
		seen := make(map[string]bool)
		for _, id := range stack.at("surface_order").strings() {
			if source := surfaces[id].at("runtime_state.translation.source_surface_id").str(); source != "" {
				id = source
			}
			f := surfaces[id].at("runtime_state.finding")
			if name := f.at("finding_id").str(); f.is("object") && !seen[name] {
				findings = append(findings, f)
				seen[name] = true
			}
		}
	}
	return findings
}

// pageActions are the types of the actions of a web page, in order.
var pageActions = []string{"translate_surface", "save_object", "share_object"}

// checkFinding checks a finding of the session.
func (r *recorder) checkFinding(f value) {
	r.checkShape(f, "finding_id text", "source_service text", "object_type text", "title text", "summary string", "source_url string?", "actions array", "service_payload object")
	var types []string
	for _, a := range f.at("actions").list() {
		r.checkShape(a, "id text", "label text", "type text")
		types = append(types, a.at("type").str())
	}
	switch f.at("object_type").str() {
	case "place":
		r.checkShape(f.at("service_payload"), "latitude number", "longitude number", "provider text", "provider_id text")
		if !slices.Contains(types, "open_finding") {
			r.addUnexpected(f.at("actions"), "an action of the type open_finding")
		}
		if p := f.at("service_payload"); p.at("provider").str()+":"+p.at("provider_id").str() != f.at("finding_id").str() {
			r.addUnexpected(f.at("finding_id"), "the provider and its id")
		}
	case "html_resource":
		r.checkShape(f.at("service_payload"), "content_type text", "canonical_url text|null")
		if !isAddress(f.at("source_url").str()) {
			r.addUnexpected(f.at("source_url"), "an address of the web")
		}
		if !slices.Equal(types, pageActions) {
			r.addUnexpected(f.at("actions"), "the types %v", pageActions)
		}
	default:
		r.addUnexpected(f.at("object_type"), "place or html_resource")
	}
}

func checkCanonicalFindings(c *client, rec *recorder) {
	d, ok := c.dataset(rec)
	if !ok {
		return
	}
	overlay := c.overlayFindings(rec)
	list := d.at("findings").list()
	if len(list) > len(overlay) || len(list) == 0 && len(overlay) > 0 {
		rec.addProblem("%s: got %d findings, want those of the session, which has %d", d.at("findings").path, len(list), len(overlay))
	}
	for i, f := range list {
		if i < len(overlay) && f.at("finding_id").str() != overlay[i].at("finding_id").str() {
			rec.addUnexpected(f.at("finding_id"), "%v as in the session", overlay[i].at("finding_id"))
		}
	}
	rec.eachItem(list, "findings", func(f value) {
		rec.checkShape(f, "source_service text", "actions array", "service_payload object")
		for _, a := range f.at("actions").list() {
			rec.checkOneOf(a.at("type"), "open_finding", "translate_finding", "save_object", "share_object")
		}
		if f.at("service_payload").has("content_type") {
			rec.addProblem("%s: got a type of content, want canonical terms only", f.at("service_payload").path)
		}
	})
}

// pageObjects are the types of the objects that are made from a page.
var pageObjects = []string{"business", "article", "hours", "menu", "events", "gallery", "contact", "resource"}

// checkReadPages checks the surfaces that were made from web pages.
func checkReadPages(c *client, rec *recorder) {
	s, ok := c.surfaceRuntime(rec)
	if !ok {
		return
	}
	var surfaces []value
	for _, v := range s.at("surfaces").list() {
		if slices.Contains(pageObjects, v.at("runtime_state.surface_object.object_type").str()) {
			surfaces = append(surfaces, v)
		}
	}
	rec.eachItem(surfaces, "pages that were read", func(v value) {
		o := v.at("runtime_state.surface_object")
		rec.checkShape(o, "surface_object_id text", "source_finding_id text", "title text", "summary string", "primary_url text", "branding object",
			"content object", "actions array", "runtime_hints object")
		rec.checkShape(v.at("runtime_state.source"), "host text", "read_at text")
		rec.checkOneOf(v.at("runtime_state.translation.status"), "extracted", "upgraded")
		for key, part := range o.all() {
			if tag := markup.FindString(part.str()); tag != "" {
				rec.addUnexpected(part, "a text without markup")
			}
			if (key == "images" || key == "image" || key == "logo") && part.has("url") {
				rec.checkWorldURL(part.at("url"))
			}
			if key == "thumb" {
				rec.checkWorldURL(part)
			}
		}
	})
}

// checkOpenedPlaces checks the surfaces that show a place. Without a map their status
// must say so.
func checkOpenedPlaces(c *client, rec *recorder) {
	s, ok := c.surfaceRuntime(rec)
	if !ok {
		return
	}
	var places []value
	for _, v := range s.at("surfaces").list() {
		if o := v.at("runtime_state.surface_object"); o.at("object_type").str() == "place" {
			places = append(places, o)
		}
	}
	rec.eachItem(places, "places that were opened", func(o value) {
		rec.checkShape(o, "surface_object_id text", "source_finding_id text", "title text", "summary string", "branding object", "content object", "actions array", "runtime_hints object")
		rec.checkShape(o.at("content.location"), "latitude number", "longitude number")
		hints := o.at("runtime_hints")
		if !hints.has("map") && hints.at("presentation_status").str() == "unavailable" {
			return
		}
		rec.checkContract(hints.at("map"), "service.map.runtime", 1)
		rec.checkShape(hints.at("map"), "viewport object", "layers array", "markers array", "attribution array")
		rec.checkShape(hints.at("map.viewport"), "center object", "zoom number")
		for _, l := range hints.at("map.layers").list() {
			rec.checkShape(l, "id text", "type text", "url_template text", "tile_size integer", "min_zoom integer", "max_zoom integer")
		}
	})
}
