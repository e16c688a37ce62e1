package dav

import (
	"strings"
	"testing"

	"appliance/svc"
)

// The If header (RFC 4918 §10.4). The calendar has the sync token e1:3 and the
// object lunch.ics.
func TestIfHeader(t *testing.T) {
	const lunch = "/caldav/1/calendars/home/lunch.ics"
	h := New(newMemory(t), "/base", "/caldav", t.TempDir())
	tag := sendRequest(t, h, 1, "GET", lunch, "").Header.Get("ETag")
	const token, home = "<urn:appliance:sync:home:e1:3>", "</base/caldav/1/calendars/home/>"
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"the current ETag", `([` + tag + `])`, 204},
		{"another ETag", `(["x"])`, 412},
		{"the current ETag, weak", `([W/` + tag + `])`, 412},
		{"not another ETag", `(Not ["x"])`, 204},
		{"not the current ETag", `(not [` + tag + `])`, 412},
		{"one of two lists", `(["x"]) ([` + tag + `])`, 204},
		{"both conditions of a list", `(["x"] [` + tag + `])`, 412},
		{"an unknown lock token", `(<opaquelocktoken:a>)`, 412},
		{"not DAV:no-lock", `(Not <DAV:no-lock>)`, 204},
		{"the sync token of the calendar", home + ` (` + token + `)`, 204},
		{"an old sync token of the calendar", home + ` (<urn:appliance:sync:home:e1:2>)`, 412},
		{"the sync token of the calendar, for the object", `(` + token + `)`, 412},
		{"a URL with another host", `<https://elsewhere.example/base/caldav/1/calendars/home> (` + token + `)`, 204},
		{"two lists for one resource", home + ` (["x"]) (` + token + `)`, 204},
		{"the ETag, for another object", `</base/caldav/1/calendars/feasts/easter.ics> ([` + tag + `])`, 412},
		{"an ETag of a missing object", `</base/caldav/1/calendars/home/gone.ics> (["x"])`, 412},
		{"no ETag of a missing object", `</base/caldav/1/calendars/home/gone.ics> (Not ["x"])`, 204},
		{"a resource outside the tree", `</elsewhere/> (<a:b>)`, 412},
		{"a resource of another member", `</base/caldav/2/calendars/home/> (<urn:appliance:sync:home:e1:0>)`, 412},
		{"an empty list", `()`, 400},
		{"no list", `</base/caldav/1/calendars/home/>`, 400},
		{"an unclosed list", `(["x"]`, 400},
		{"a tag without quotes", `([x])`, 400},
		{"a tagged list after an untagged one", `(["x"]) ` + home + ` (["x"])`, 400},
		{"65 conditions", `(` + strings.Repeat(`["x"]`, 65) + `)`, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := New(newMemory(t), "/base", "/caldav", t.TempDir())
			r := sendRequest(t, h, 1, "DELETE", lunch, "", "If: "+c.value)
			if r.StatusCode != c.status {
				t.Errorf("got %d %s, want %d", r.StatusCode, read(t, r), c.status)
			}
			if left := sendRequest(t, h, 1, "GET", lunch, "").StatusCode; (left == 404) != (c.status == 204) {
				t.Errorf("GET afterwards: got %d, after status %d", left, c.status)
			}
		})
	}
}

// An If header that is formatted and parsed again is the same header.
func FuzzIf(f *testing.F) {
	f.Add(`(<urn:a> ["b"])(Not <DAV:no-lock>)`)
	f.Add(`</a> (Not[W/"b"]) (<c>) <http://d/> (["e,f"])`)
	f.Fuzz(func(t *testing.T, value string) {
		lists, err := parseIf(value)
		if err != nil {
			if svc.KindOf(err) != svc.Malformed || lists != nil {
				t.Fatalf("got %v, %v; want a syntax error only", lists, err)
			}
			return
		}
		text := printIf(lists)
		again, err := parseIf(text)
		if err != nil || printIf(again) != text || (text == "") != (strings.TrimSpace(value) == "") {
			t.Errorf("%q: got %q, %v, want %q", value, printIf(again), err, text)
		}
	})
}

func printIf(lists []ifList) string {
	var b strings.Builder
	for i, l := range lists {
		if l.resource != "" && (i == 0 || lists[i-1].resource != l.resource) {
			b.WriteString("<" + l.resource + ">")
		}
		b.WriteString("(")
		for _, c := range l.conditions {
			if c.not {
				b.WriteString("Not ")
			}
			switch {
			case c.token != "":
				b.WriteString("<" + c.token + ">")
			case c.tag.weak:
				b.WriteString("[W/" + c.tag.opaque + "]")
			default:
				b.WriteString("[" + c.tag.opaque + "]")
			}
		}
		b.WriteString(")")
	}
	return b.String()
}
