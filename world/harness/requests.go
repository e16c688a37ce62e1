package harness

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// panelPaths are all panels.
var panelPaths = []string{"/world/panels/social", "/world/panels/time", "/world/panels/find", "/world/panels/messages", "/world/panels/messages/rail"}

// runtimePaths need the header of a runtime.
var runtimePaths = []string{runtimePath, sessionPath, translatedPath}

var requestChecks = []check{
	{"W-20 W-63 W-111 W-140 W-142", "the outputs are there", func(p *probe, f *findings) {
		for _, path := range append(slices.Clone(runtimePaths), mePath) {
			p.document(f, path)
		}
		p.post("{}").is(f, 200)
	}},
	{"W-21 W-64 W-117 B-03", "X-Service-Runtime is required, up to 1024 bytes", func(p *probe, f *findings) {
		for _, path := range runtimePaths {
			p.ask(request{path: path, header: map[string]string{"X-Service-Runtime": ""}}).failure(f, 400, "runtime_header_required")
			p.ask(request{path: path, header: map[string]string{"X-Service-Runtime": strings.Repeat("x", 1025)}}).failure(f, 400)
		}
		p.ask(request{method: "POST", path: sessionPath, body: "{}", header: map[string]string{"X-Service-Runtime": ""}}).failure(f, 400, "runtime_header_required")
	}},
	{"W-26 B-03 PT-45", "any other X-Service-Runtime is taken", func(p *probe, f *findings) {
		for _, header := range []string{"web", "!!", `web/1; caps="`, "a b c; d", "ünïcode/1", strings.Repeat("x", 1024)} {
			p.ask(request{path: runtimePath, header: map[string]string{"X-Service-Runtime": header}}).is(f, 200)
		}
	}},
	{"W-02", "nothing without a credential", func(p *probe, f *findings) {
		for _, path := range append(append(slices.Clone(runtimePaths), mePath, "/world/messages", "/world/calendars"), panelPaths...) {
			p.ask(request{path: path, anonymous: true}).failure(f, 401, "unauthenticated")
		}
		for _, path := range []string{sessionPath, "/world/messages", "/world/calendars"} {
			p.ask(request{method: "POST", path: path, body: "{}", anonymous: true}).failure(f, 401, "unauthenticated")
		}
	}},
	{"W-18 W-141", "a credential that is none is refused, with a challenge", func(p *probe, f *findings) {
		for _, credential := range []string{"Bearer nobody", "Bearer " + p.token + "x", "Basic Og==", "Bearer"} {
			a := p.ask(request{path: runtimePath, anonymous: true, header: map[string]string{"Authorization": credential}})
			a.failure(f, 401, "unauthenticated")
			if a.status == 401 && !strings.HasPrefix(a.header.Get("WWW-Authenticate"), "Bearer") {
				f.add("%s answers 401 without WWW-Authenticate: Bearer", a)
			}
		}
	}},
	{"W-05 W-82 PT-07", "X-Service-Member-Id has no effect", func(p *probe, f *findings) {
		for _, path := range []string{mePath, runtimePath} {
			for _, id := range []string{"1", "2", "999999", "x"} {
				own, ok := p.document(f, path)
				a := p.ask(request{path: path, header: map[string]string{"X-Service-Member-Id": id}})
				if v, is := a.object(f); ok && is && !same(v.at("member"), own.at("member")) {
					f.add("%s with X-Service-Member-Id: %s is about %v", a, id, v.at("member"))
				}
			}
		}
	}},
	{"W-48 PT-09", "unknown query parameters are ignored", func(p *probe, f *findings) {
		for _, path := range append(slices.Clone(runtimePaths), panelPaths...) {
			if a := p.ask(request{path: path + "?harness_unknown=1"}); a.status != p.get(path).status {
				f.add("%s answers %d, without the parameter %d", a, a.status, p.get(path).status)
			}
		}
	}},
	{"W-47 B-05", "a location that is none is refused", func(p *probe, f *findings) {
		for _, path := range []string{runtimePath, sessionPath} {
			for _, query := range []string{"lat=200&lon=1", "lat=1&lon=181", "lat=1", "lon=1", "lat=abc&lon=1", "lat=NaN&lon=1", "radius=far"} {
				p.ask(request{path: path + "?" + query}).failure(f, 400, "invalid_parameter")
			}
		}
	}},
	{"W-52", "the dataset is JSON or nothing", func(p *probe, f *findings) {
		a := p.ask(request{path: runtimePath, header: map[string]string{"Accept": "text/html"}})
		if a.is(f, 200, 406) && (a.doc.v == nil || a.err != nil) {
			f.add("%s with Accept: text/html is %s", a, a.header.Get("Content-Type"))
		}
	}},
	{"W-13", "an unknown address is 404", func(p *probe, f *findings) {
		p.ask(request{path: "/world/nope"}).failure(f, 404)
		p.ask(request{path: "/world/panels/maps/nope"}).failure(f, 404)
	}},
	{"W-13", "an unknown method is 405, with those that are known", func(p *probe, f *findings) {
		for _, r := range []request{{method: "PUT", path: "/world/messages"}, {method: "POST", path: runtimePath, body: "{}"}, {method: "PATCH", path: sessionPath, body: "{}"}} {
			a := p.ask(r)
			a.failure(f, 405)
			if a.status == 405 && a.header.Get("Allow") == "" {
				f.add("%s answers 405 without Allow", a)
			}
		}
	}},
	{"W-11 E-02", "a body that cannot be read is refused", func(p *probe, f *findings) {
		for _, path := range []string{"/world/messages", "/world/calendars", sessionPath} {
			p.ask(request{method: "POST", path: path, body: "{"}).failure(f, 400)
		}
	}},
	{"W-12", "a body of an unknown kind is refused", func(p *probe, f *findings) {
		p.ask(request{method: "POST", path: "/world/messages", body: "<message/>", header: map[string]string{"Content-Type": "text/xml"}}).failure(f, 415)
	}},
	{"W-10", "a form is a body like JSON", func(p *probe, f *findings) {
		for _, body := range []string{"recipient=&body=", "body=x"} {
			header := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
			p.ask(request{method: "POST", path: "/world/messages", body: body, header: header}).failure(f, 400, "field_required")
		}
	}},
	{"W-06 X-22", "services behind World are out of reach", func(p *probe, f *findings) {
		for _, path := range []string{
			"/messages", "/messages/objects", "/objects", "/runtime", "/runtime/surfaces", "/runtime/stacks", "/runtime/panel/messages", "/surfaces",
			"/events", "/tasks", "/social/events", "/social/conversations", "/social/objects", "/maps/session", "/maps/objects", "/identity/members",
		} {
			p.ask(request{path: path}).is(f, 404)
		}
		p.ask(request{method: "POST", path: "/find/provider-source", body: "{"}).is(f, 404)
		p.ask(request{method: "POST", path: "/surfaces/overlay", body: "{"}).is(f, 404)
	}},
	{"B-84", "an unchanged dataset is 304", func(p *probe, f *findings) {
		etag := ""
		for range turns { // it may change in between
			a := p.ask(request{path: runtimePath})
			if etag = a.header.Get("ETag"); !a.is(f, 200) || etag == "" {
				f.add("the dataset has no ETag")
				return
			}
			a = p.ask(request{path: runtimePath, header: map[string]string{"If-None-Match": `"other", ` + etag}})
			if a.status == http.StatusNotModified {
				if len(a.body) > 0 || a.header.Get("ETag") != etag {
					f.add("the 304 has %d bytes and the ETag %s, not %s", len(a.body), a.header.Get("ETag"), etag)
				}
				break
			}
			if a.header.Get("ETag") == etag {
				f.add("the same ETag is answered with %d", a.status)
				return
			}
		}
		a := p.ask(request{path: runtimePath + "?lat=1&lon=2", header: map[string]string{"If-None-Match": etag}})
		a.is(f, 200)
	}},
	{"PT-47", "two reads are the same bytes", func(p *probe, f *findings) {
		for _, path := range runtimePaths {
			steady := false
			for range turns { // somebody may have written in between
				a, b := p.ask(request{path: path}), p.ask(request{path: path})
				if !a.is(f, 200) || !b.is(f, 200) {
					return
				}
				steady = steady || string(p.still(a)) == string(p.still(b))
			}
			if !steady {
				f.add("GET %s is another each time", path)
			}
		}
	}},
}

// turns is how often something is tried that another's write may disturb.
const turns = 3

// still returns the bytes of an answer but for what says when it was read.
func (p *probe) still(a *answer) []byte {
	return clockKeys.ReplaceAll(a.body, []byte(`"$1":0`))
}

// where is how a report names a thing in a list.
func where(v value, key string) string {
	return fmt.Sprintf("%s (%s)", v.path, shorten(v.at(key).str(), 60))
}
