package harness

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
)

// afterwards looks whether anything has changed by all that was asked.
var afterwards = []check{
	{"PT-10 S-33 W-16", "reading has changed nothing in the workspace", func(p *probe, f *findings) {
		before, ok := p.dataset(f)
		after, is := p.ask(request{path: runtimePath}).object(f)
		if ok && is && !same(before.at("workspace.continuity.revision"), after.at("workspace.continuity.revision")) {
			f.add("the workspace was at %v, and is at %v", before.at("workspace.continuity.revision"), after.at("workspace.continuity.revision"))
		}
	}},
	{"B-50", "nothing counts as read that was only read ahead", func(p *probe, f *findings) {
		before, ok := p.dataset(f)
		after, is := p.ask(request{path: runtimePath}).object(f)
		if !ok || !is {
			return
		}
		now := byID(after.at("objects"), "world_object_id")
		f.items(ofType(before, "message_thread"), "message threads", func(o value) {
			was := o.at("state.unread_count")
			if later, there := now[o.at("world_object_id").str()]; there && later.at("state.unread_count").integer() < was.integer() {
				f.add("%s had %v unread, and has %v", where(o, "title"), was, later.at("state.unread_count"))
			}
		})
	}},
}

// answerChecks hold for everything that was answered.
var answerChecks = []check{
	{"W-08 PT-45", "every answer with a body is JSON and says so", func(p *probe, f *findings) {
		p.answers(f, func(a *answer) {
			kind := a.header.Get("Content-Type")
			if len(a.body) > 0 && below(a.path) && !strings.HasPrefix(kind, "application/json") && !strings.HasPrefix(a.path, schemasPath) {
				f.add("%s answers %d with %q", a, a.status, kind)
			} else if a.err != nil {
				f.add("%s: %v", a, a.err)
			}
		})
	}},
	{"PT-44 E-01 B-01", "every refusal is a published error", func(p *probe, f *findings) {
		p.answers(f, func(a *answer) {
			if a.status < 400 || !below(a.path) {
				return
			}
			p.fits(f, a.doc, a.String(), "service.error", 1)
			if id := a.doc.at("error.request_id"); id.str() != a.header.Get("X-Request-Id") {
				f.add("%s: error.request_id is %v, X-Request-Id %q", a, id, a.header.Get("X-Request-Id"))
			}
			if markup.MatchString(a.doc.at("error.message").str()) {
				f.add("%s: error.message is %v", a, a.doc.at("error.message"))
			}
		})
	}},
	{"B-02 PT-39", "nothing is answered with 5xx or a redirection", func(p *probe, f *findings) {
		p.answers(f, func(a *answer) {
			if a.status >= 500 || a.status/100 == 3 && a.status != 304 {
				f.add("%s answers %d", a, a.status)
			}
		})
	}},
	{"W-24 PT-08", "the token is in no answer", func(p *probe, f *findings) {
		secrets := p.secrets()
		p.answers(f, func(a *answer) {
			var text strings.Builder
			text.Write(a.body)
			for name, values := range a.header {
				text.WriteString(name + ": " + strings.Join(values, ",") + "\n")
			}
			for _, s := range secrets {
				if strings.Contains(text.String(), s) {
					f.add("%s answers with the token", a)
					return
				}
			}
		})
	}},
	{"W-03", "no answer leads behind World", func(p *probe, f *findings) {
		p.documents(f, func(a *answer) {
			for key, v := range a.doc.each() {
				if text := v.str(); internalPath.MatchString(text) && !isText(key) {
					f.add("%s: %s is %v", a, v.path, v)
				}
			}
		})
	}},
	{"W-07", "no address says the host", func(p *probe, f *findings) {
		p.documents(f, func(a *answer) {
			for key, v := range a.doc.each() {
				if !isText(key) && strings.HasPrefix(v.str(), p.base.Scheme+"://"+p.base.Host) {
					f.add("%s: %s is %v", a, v.path, v)
				}
			}
		})
	}},
	{"PT-43 B-86", "every time is UTC, or has its time zone", func(p *probe, f *findings) {
		p.documents(f, func(a *answer) { times(f, a.String(), a.doc) })
	}},
	{"B-89", "nothing of a member is kept by caches they share", func(p *probe, f *findings) {
		p.answers(f, func(a *answer) {
			if a.status == 200 && !a.anonymous && !strings.HasPrefix(a.path, schemasPath) && below(a.path) {
				if c := a.header.Get("Cache-Control"); !strings.Contains(c, "private") && !strings.Contains(c, "no-store") {
					f.add("%s: Cache-Control is %q", a, c)
				}
			}
		})
	}},
}

// below reports whether an address is World's.
func below(path string) bool { return strings.HasPrefix(path, "/world/") }

// isText reports whether a key holds what members write.
func isText(key string) bool { return slices.Contains(writtenKeys, key) }

// answers calls do for everything that was answered. What could not be had is
// a finding.
func (p *probe) answers(f *findings, do func(*answer)) {
	for _, a := range p.seen {
		if a.status == 0 {
			f.add("%s: %v", a, a.err)
			continue
		}
		do(a)
	}
	f.saw("%d answers", len(p.seen))
}

// documents calls do for every answer that is JSON, for one of those that are
// the same. Schemas have examples, and are none.
func (p *probe) documents(f *findings, do func(*answer)) {
	had := make(map[string]bool)
	p.answers(f, func(a *answer) {
		if a.doc.v != nil && !strings.HasPrefix(a.path, schemasPath) && !had[string(a.body)] {
			had[string(a.body)] = true
			do(a)
		}
	})
	f.saw("%d documents", len(had))
}

// secrets are the spellings of the token that no answer may have.
func (p *probe) secrets() (list []string) {
	for _, s := range []string{p.token, url.QueryEscape(p.token), base64.StdEncoding.EncodeToString([]byte(p.token))} {
		if len(s) >= 8 { // shorter ones are found in anything
			list = append(list, s)
		}
	}
	return list
}
