package harness

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// panelPaths are the paths of the panels of every member.
var panelPaths = []string{"/world/panels/today", "/world/panels/social", "/world/panels/time", "/world/panels/find", "/world/panels/messages", "/world/panels/messages/rail"}

// runtimePaths are the outputs that require X-Service-Runtime.
var runtimePaths = []string{runtimePath, sessionPath, translatedPath}

// maxComparisons limits the attempts to compare two reads. An attempt can fail
// because of a concurrent write between the reads.
const maxComparisons = 3

// readTimes matches the fields that depend on the time of the read.
var readTimes = regexp.MustCompile(`"(read_at|age_seconds)":\s*("[^"]*"|\d+)`)

// withoutReadTimes returns the body of a response without the values that depend
// on the time of the read.
func withoutReadTimes(a *response) []byte {
	return readTimes.ReplaceAll(a.body, []byte(`"$1":0`))
}

var requestChecks = []check{
	{"W-20 W-63 W-111 W-140 W-142", "all outputs exist", func(c *client, rec *recorder) {
		for _, path := range append(slices.Clone(runtimePaths), mePath) {
			c.document(rec, path)
		}
		c.postSession("{}").checkStatus(rec, 200)
	}},
	{"W-21 W-64 W-117 B-03", "X-Service-Runtime is required and has at most 1024 bytes", func(c *client, rec *recorder) {
		for _, path := range runtimePaths {
			c.do(request{path: path, header: map[string]string{"X-Service-Runtime": ""}}).checkError(rec, 400, "runtime_header_required")
			c.do(request{path: path, header: map[string]string{"X-Service-Runtime": strings.Repeat("x", 1025)}}).checkError(rec, 400)
		}
		c.do(request{method: "POST", path: sessionPath, body: "{}", header: map[string]string{"X-Service-Runtime": ""}}).checkError(rec, 400, "runtime_header_required")
	}},
	{"W-26 B-03 PT-45", "every other value of X-Service-Runtime is accepted", func(c *client, rec *recorder) {
		for _, header := range []string{"web", "!!", `web/1; caps="`, "a b c; d", "ünïcode/1", "caf\xe9/1", strings.Repeat("x", 1024)} {
			c.do(request{path: runtimePath, header: map[string]string{"X-Service-Runtime": header}}).checkStatus(rec, 200)
		}
	}},
	{"W-02", "requests without a token are rejected", func(c *client, rec *recorder) {
		for _, path := range append(append(slices.Clone(runtimePaths), mePath, "/world/messages", "/world/calendars"), panelPaths...) {
			c.do(request{path: path, unauthenticated: true}).checkError(rec, 401, "unauthenticated")
		}
		for _, path := range []string{sessionPath, "/world/messages", "/world/calendars"} {
			c.do(request{method: "POST", path: path, body: "{}", unauthenticated: true}).checkError(rec, 401, "unauthenticated")
		}
	}},
	{"W-18 W-141", "an invalid token is rejected with a challenge", func(c *client, rec *recorder) {
		for _, credential := range []string{"Bearer unknown", "Bearer " + c.token + "x", "Basic Og==", "Bearer"} {
			a := c.do(request{path: runtimePath, unauthenticated: true, header: map[string]string{"Authorization": credential}})
			a.checkError(rec, 401, "unauthenticated")
			if got := a.header.Get("WWW-Authenticate"); a.status == 401 && !strings.HasPrefix(got, "Bearer") {
				rec.addProblem("%s: got WWW-Authenticate %q with status 401, want Bearer", a, got)
			}
		}
	}},
	{"W-05 W-82 PT-07", "X-Service-Member-Id has no effect", func(c *client, rec *recorder) {
		for _, path := range []string{mePath, runtimePath} {
			for _, id := range []string{"1", "2", "999999", "x"} {
				own, ok := c.document(rec, path)
				a := c.do(request{path: path, header: map[string]string{"X-Service-Member-Id": id}})
				if v, isObject := a.object(rec); ok && isObject && !equalJSON(v.at("member"), own.at("member")) {
					rec.addProblem("%s with X-Service-Member-Id: %s: got the member %v, want %v", a, id, v.at("member"), own.at("member"))
				}
			}
		}
	}},
	{"W-48 PT-09", "unknown query parameters are ignored", func(c *client, rec *recorder) {
		for _, path := range append(slices.Clone(runtimePaths), panelPaths...) {
			if a := c.do(request{path: path + "?harness_unknown=1"}); a.status != c.get(path).status {
				rec.addProblem("%s: got status %d, want %d as without the parameter", a, a.status, c.get(path).status)
			}
		}
	}},
	{"W-47 B-05", "an invalid location is rejected", func(c *client, rec *recorder) {
		for _, path := range []string{runtimePath, sessionPath} {
			for _, query := range []string{"lat=200&lon=1", "lat=1&lon=181", "lat=1", "lon=1", "lat=abc&lon=1", "lat=NaN&lon=1", "radius=far"} {
				c.do(request{path: path + "?" + query}).checkError(rec, 400, "invalid_parameter")
			}
		}
	}},
	{"W-52", "the dataset is sent as JSON or not at all", func(c *client, rec *recorder) {
		a := c.do(request{path: runtimePath, header: map[string]string{"Accept": "text/html"}})
		if a.checkStatus(rec, 200, 406) && (a.doc.v == nil || a.err != nil) {
			rec.addProblem("%s with Accept: text/html: got %s, want JSON", a, a.header.Get("Content-Type"))
		}
	}},
	{"W-13", "an unknown path is 404", func(c *client, rec *recorder) {
		c.do(request{path: "/world/nope"}).checkError(rec, 404)
		c.do(request{path: "/world/panels/maps/nope"}).checkError(rec, 404)
	}},
	{"W-13", "an unknown method is 405 with the allowed methods", func(c *client, rec *recorder) {
		for _, r := range []request{{method: "PUT", path: "/world/messages"}, {method: "POST", path: runtimePath, body: "{}"}, {method: "PATCH", path: sessionPath, body: "{}"}} {
			a := c.do(r)
			a.checkError(rec, 405)
			if a.status == 405 && a.header.Get("Allow") == "" {
				rec.addProblem("%s: got status 405 without Allow", a)
			}
		}
	}},
	{"W-11 E-02", "a malformed body is rejected", func(c *client, rec *recorder) {
		for _, path := range []string{"/world/messages", "/world/calendars", sessionPath} {
			c.do(request{method: "POST", path: path, body: "{"}).checkError(rec, 400)
		}
	}},
	{"W-12", "an unsupported media type is rejected", func(c *client, rec *recorder) {
		c.do(request{method: "POST", path: "/world/messages", body: "<message/>", header: map[string]string{"Content-Type": "text/xml"}}).checkError(rec, 415)
	}},
	{"W-10", "forms are accepted like JSON", func(c *client, rec *recorder) {
		for _, body := range []string{"recipient=&body=", "body=x"} {
			header := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
			c.do(request{method: "POST", path: "/world/messages", body: body, header: header}).checkError(rec, 400, "field_required")
		}
	}},
	{"W-06 X-22", "the services behind World cannot be reached", func(c *client, rec *recorder) {
		for _, path := range []string{
			"/messages", "/messages/objects", "/objects", "/runtime", "/runtime/surfaces", "/runtime/stacks", "/runtime/panel/messages", "/surfaces",
			"/events", "/tasks", "/social/events", "/social/conversations", "/social/objects", "/maps/session", "/maps/objects", "/identity/members",
		} {
			c.do(request{path: path}).checkStatus(rec, 404)
		}
		c.do(request{method: "POST", path: "/find/provider-source", body: "{"}).checkStatus(rec, 404)
		c.do(request{method: "POST", path: "/surfaces/overlay", body: "{"}).checkStatus(rec, 404)
	}},
	{"B-84", "an unchanged dataset is 304", checkUnchangedDataset},
	{"B-102", "an unchanged panel is 304", func(c *client, rec *recorder) {
		for _, path := range c.panels() {
			c.checkUnchanged(rec, path)
		}
	}},
	{"PT-47", "two reads return the same bytes", func(c *client, rec *recorder) {
		for _, path := range runtimePaths {
			equal := false
			for range maxComparisons {
				a, b := c.do(request{path: path}), c.do(request{path: path})
				if !a.checkStatus(rec, 200) || !b.checkStatus(rec, 200) {
					return
				}
				equal = equal || string(withoutReadTimes(a)) == string(withoutReadTimes(b))
			}
			if !equal {
				rec.addProblem("GET %s: %d times in succession, two reads differed", path, maxComparisons)
			}
		}
	}},
}

func checkUnchangedDataset(c *client, rec *recorder) {
	if etag, ok := c.checkUnchanged(rec, runtimePath); ok {
		a := c.do(request{path: runtimePath + "?lat=1&lon=2", header: map[string]string{"If-None-Match": etag}})
		a.checkStatus(rec, 200)
	}
}

// checkUnchanged checks that a document has an ETag, and that it is not sent again while
// it is unchanged. It returns the ETag.
func (c *client) checkUnchanged(rec *recorder, path string) (etag string, ok bool) {
	for range maxComparisons {
		a := c.do(request{path: path})
		if etag = a.header.Get("ETag"); !a.checkStatus(rec, 200) || etag == "" {
			rec.addProblem("%s: got no ETag", a)
			return "", false
		}
		a = c.do(request{path: path, header: map[string]string{"If-None-Match": `"other", ` + etag}})
		if a.status == http.StatusNotModified {
			if len(a.body) > 0 || a.header.Get("ETag") != etag {
				rec.addProblem("%s: got status 304 with %d bytes and the ETag %s, want no body and the ETag %s", a, len(a.body), a.header.Get("ETag"), etag)
			}
			break
		}
		if a.header.Get("ETag") == etag {
			rec.addProblem("%s with If-None-Match: got status %d with the same ETag, want 304", a, a.status)
			return "", false
		}
	}
	return etag, true
}
