package dav

import (
	"net/url"
	"strings"
	"testing"
)

func TestParsePath(t *testing.T) {
	for _, c := range []struct {
		escaped string
		want    path
	}{
		{"/base/caldav", path{kind: kindRoot}},
		{"/base/caldav/", path{kind: kindRoot}},
		{"/b%61se/caldav/7/", path{kind: kindPrincipal, member: 7}},
		{"/base/caldav/7/calendars", path{kind: kindHome, member: 7}},
		{"/base/caldav/7/calendars/a%20b/", path{kind: kindCalendar, member: 7, segment: "a b"}},
		{"/base/caldav/7/calendars/a/user%40host.ics", path{kindObject, 7, "a", "user@host.ics"}},
		{"/base/caldav/7/calendars/a/user@host.ics", path{kindObject, 7, "a", "user@host.ics"}},
		{"/base/caldav/7/calendars/a/" + strings.Repeat("x", maxSegment), path{kindObject, 7, "a", strings.Repeat("x", maxSegment)}},
		{"/base/caldav/7/calendars/a/b/", path{kindFolder, 7, "a", "b"}},
		{"/base/caldav/7/calendars/a/b/c", path{kindFile, 7, "a", "b/c"}},
		{"/base/caldav/7/calendars/a/b%25/%C3%A9/d/e/", path{kindFolder, 7, "a", "b%/é/d/e"}},

		{"", path{}},
		{"/", path{}},
		{"/base", path{}},
		{"/caldav/", path{}},
		{"base/caldav/", path{}},
		{"/base/caldav2/", path{}},
		{"/base/caldav//", path{}},
		{"/base/caldav/0/", path{}},
		{"/base/caldav/-1/", path{}},
		{"/base/caldav/+7/", path{}},
		{"/base/caldav/07/", path{}},
		{"/base/caldav/7/Calendars/", path{}},
		{"/base/caldav/7/calendars//", path{}},
		{"/base/caldav/7/calendars/./", path{}},
		{"/base/caldav/7/calendars/%2e%2E/", path{}},
		{"/base/caldav/7/calendars/a%2Fb/", path{}},
		{"/base/caldav/7/calendars/a%00b/", path{}},
		{"/base/caldav/7/calendars/a%FF/", path{}},
		{"/base/caldav/7/calendars/a%zz/", path{}},
		{"/base/caldav/7/calendars/a/b//", path{}},
		{"/base/caldav/7/calendars/a/b/../c", path{}},
		{"/base/caldav/7/calendars/a/b/c%2Fd", path{}},
		{"/base/caldav/7/calendars" + strings.Repeat("/a", maxPath), path{}},
		{"/base/caldav/7/calendars/" + strings.Repeat("x", maxSegment+1), path{}},
	} {
		got, ok := parsePath("/base/caldav", c.escaped)
		if got != c.want || ok != (c.want.kind != 0) {
			t.Errorf("%s: got %+v, %t; want %+v", c.escaped, got, ok, c.want)
		}
	}
}

// The href of an accepted path is parsed as the same path, and its encoding
// does not depend on that of the request.
func FuzzPath(f *testing.F) {
	f.Add("/mein%20haus/dav/1/calendars/a%20b%26%3B%2B/%C3%A9.ics")
	f.Add("/mein%20haus/dav/12/calendars/a'b(c)*!/")
	f.Add("/mein%20haus/d%61v/1/calendars/%25/%3F%23")
	f.Fuzz(func(t *testing.T, escaped string) {
		const prefix = "/mein haus/dav"
		p, ok := parsePath(prefix, escaped)
		if !ok {
			if p != (path{}) {
				t.Errorf("rejected path: got %+v, want the zero path", p)
			}
			return
		}
		href := p.href((&url.URL{Path: prefix}).EscapedPath())
		again, ok := parsePath(prefix, href)
		if !ok || again != p {
			t.Errorf("%q with href %q: got %+v, %t; want %+v", escaped, href, again, ok, p)
		}
		if strings.HasSuffix(href, "/") != (p.kind&kindCollection != 0) {
			t.Errorf("%+v: got href %q, want a final slash for collections only", p, href)
		}
		if u, err := url.Parse("http://host" + href); err != nil || u.EscapedPath() != href {
			t.Errorf("href %q: got URL %v, %v, want the same path", href, u, err)
		}
	})
}
