package harness

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// unchangedChecks compare the dataset before and after all requests.
var unchangedChecks = []check{
	{"PT-10 S-33 W-16", "the run does not change the workspace", func(c *client, rec *recorder) {
		before, okBefore := c.dataset(rec)
		after, okAfter := c.do(request{path: runtimePath}).object(rec)
		if was := before.at("workspace.continuity.revision"); okBefore && okAfter && !equalJSON(was, after.at("workspace.continuity.revision")) {
			rec.addUnexpected(after.at("workspace.continuity.revision"), "%v as at the beginning", was)
		}
	}},
	{"B-50", "prefetching does not move read cursors", func(c *client, rec *recorder) {
		before, okBefore := c.dataset(rec)
		after, okAfter := c.do(request{path: runtimePath}).object(rec)
		if !okBefore || !okAfter {
			return
		}
		now := byID(after.at("objects"), "world_object_id")
		rec.eachItem(objectsOfType(before, "message_thread"), "message threads", func(o value) {
			was := o.at("state.unread_count")
			if later, found := now[o.at("world_object_id").str()]; found && later.at("state.unread_count").integer() < was.integer() {
				rec.addUnexpected(later.at("state.unread_count"), "at least %v as at the beginning", was)
			}
		})
	}},
}

// responseChecks apply to every response of the run.
var responseChecks = []check{
	{"W-08 PT-45", "every response body is JSON and declares it, except pictures", func(c *client, rec *recorder) {
		c.eachResponse(rec, func(a *response) {
			kind := a.header.Get("Content-Type")
			if len(a.body) > 0 && isBelowWorld(a.path) && !strings.HasPrefix(kind, "application/json") && !strings.HasPrefix(a.path, schemasPath) && !isPicture(a) {
				rec.addProblem("%s: got status %d with Content-Type %q, want application/json", a, a.status, kind)
			} else if a.err != nil {
				rec.addProblem("%s: %v", a, a.err)
			}
		})
	}},
	{"PT-44 E-01 B-01", "every error response is a published error", func(c *client, rec *recorder) {
		c.eachResponse(rec, func(a *response) {
			if a.status < 400 || !isBelowWorld(a.path) {
				return
			}
			if a.doc.v == nil {
				a.doc.path = a.String() + ":"
			}
			c.checkSchema(rec, a.doc, "service.error", 1)
			if id := a.doc.at("error.request_id"); id.str() != a.header.Get("X-Request-Id") {
				rec.addUnexpected(id, "%q, the header X-Request-Id", a.header.Get("X-Request-Id"))
			}
			if message := a.doc.at("error.message"); markup.MatchString(message.str()) {
				rec.addUnexpected(message, "a text without markup")
			}
		})
	}},
	{"B-02 PT-39", "no response is 5xx or a redirection", func(c *client, rec *recorder) {
		c.eachResponse(rec, func(a *response) {
			if a.status >= 500 || a.status/100 == 3 && a.status != 304 {
				rec.addProblem("%s: got status %d, want 2xx, 304 or 4xx", a, a.status)
			}
		})
	}},
	{"W-24 PT-08", "no response contains the token", func(c *client, rec *recorder) {
		secrets := c.secrets()
		c.eachResponse(rec, func(a *response) {
			var text strings.Builder
			text.Write(a.body)
			for name, values := range a.header {
				text.WriteString(name + ": " + strings.Join(values, ",") + "\n")
			}
			for _, s := range secrets {
				if strings.Contains(text.String(), s) {
					rec.addProblem("%s: the response contains the token", a)
					return
				}
			}
		})
	}},
	{"W-03", "no response has a path behind World", func(c *client, rec *recorder) {
		c.eachString(rec, func(v value) {
			if internalPath.MatchString(v.str()) {
				rec.addUnexpected(v, "no path of a service behind World")
			}
		})
	}},
	{"W-07", "no response has a URL with the host of World", func(c *client, rec *recorder) {
		c.eachString(rec, func(v value) {
			if strings.HasPrefix(v.str(), c.base.Scheme+"://"+c.base.Host) {
				rec.addUnexpected(v, "a path without a host")
			}
		})
	}},
	{"PT-43 B-86", "every time is in UTC or has a time zone", func(c *client, rec *recorder) {
		c.eachDocument(rec, func(a *response) { checkTimes(rec, a.doc) })
	}},
	{"B-89", "shared caches must not store member data", func(c *client, rec *recorder) {
		c.eachResponse(rec, func(a *response) {
			if a.status == 200 && !a.unauthenticated && !strings.HasPrefix(a.path, schemasPath) && isBelowWorld(a.path) {
				if got := a.header.Get("Cache-Control"); !strings.Contains(got, "private") && !strings.Contains(got, "no-store") {
					rec.addProblem("%s: got Cache-Control %q, want private or no-store", a, got)
				}
			}
		})
	}},
}

// eachResponse calls do with every response, and adds a problem for each request without one.
func (c *client) eachResponse(rec *recorder, do func(*response)) {
	for _, a := range c.responses {
		if a.status == 0 {
			rec.addProblem("%s: %v", a, a.err)
			continue
		}
		do(a)
	}
	rec.note("%d responses", len(c.responses))
}

// eachDocument calls do once with every distinct JSON response, except schemas,
// which contain examples.
func (c *client) eachDocument(rec *recorder, do func(*response)) {
	seen := make(map[string]bool)
	c.eachResponse(rec, func(a *response) {
		if a.doc.v != nil && !strings.HasPrefix(a.path, schemasPath) && !seen[string(a.body)] {
			seen[string(a.body)] = true
			do(a)
		}
	})
	rec.note("%d documents", len(seen))
}

// eachString calls do with every string that no member wrote.
func (c *client) eachString(rec *recorder, do func(value)) {
	c.eachDocument(rec, func(a *response) {
		for key, v := range a.doc.all() {
			if !isMemberKey(key) && v.is("string") {
				do(v)
			}
		}
	})
}

// secrets returns the encodings of the token that a response must not contain.
// Short tokens are left out, since they occur by chance.
func (c *client) secrets() (list []string) {
	for _, s := range []string{c.token, url.QueryEscape(c.token), base64.StdEncoding.EncodeToString([]byte(c.token))} {
		if len(s) >= 8 {
			list = append(list, s)
		}
	}
	return list
}
