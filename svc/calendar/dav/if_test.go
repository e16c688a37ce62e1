package dav

import (
	"strings"
	"testing"

	"appliance/svc"
)

// RFC 4918 §10.4, on a calendar at the token e1:3 with lunch.ics in it.
func TestTheIfHeader(t *testing.T) {
	const there = "/caldav/1/calendars/home/lunch.ics"
	h := New(newMemory(t), "/base", "/caldav", t.TempDir())
	tag := ask(t, h, 1, "GET", there, "").Header.Get("ETag")
	const token, home = "<urn:appliance:sync:home:e1:3>", "</base/caldav/1/calendars/home/>"
	for _, c := range []struct {
		name, value string
		status      int
	}{
		{"its tag", `([` + tag + `])`, 204},
		{"another tag", `(["x"])`, 412},
		{"its tag, weak", `([W/` + tag + `])`, 412},
		{"not another tag", `(Not ["x"])`, 204},
		{"not its tag", `(not [` + tag + `])`, 412},
		{"one of two lists", `(["x"]) ([` + tag + `])`, 204},
		{"both of one list", `(["x"] [` + tag + `])`, 412},
		{"a lock that nobody has", `(<opaquelocktoken:a>)`, 412},
		{"no lock", `(Not <DAV:no-lock>)`, 204},
		{"the token of the calendar", home + ` (` + token + `)`, 204},
		{"an old token of the calendar", home + ` (<urn:appliance:sync:home:e1:2>)`, 412},
		{"the token of the calendar, said of the object", `(` + token + `)`, 412},
		{"a whole URL at another host", `<https://elsewhere.example/base/caldav/1/calendars/home> (` + token + `)`, 204},
		{"two lists about one resource", home + ` (["x"]) (` + token + `)`, 204},
		{"the tag of another object", `</base/caldav/1/calendars/feasts/easter.ics> ([` + tag + `])`, 412},
		{"something that is not there", `</base/caldav/1/calendars/home/gone.ics> (["x"])`, 412},
		{"something that is not there has no tag", `</base/caldav/1/calendars/home/gone.ics> (Not ["x"])`, 204},
		{"something outside has no state", `</elsewhere/> (<a:b>)`, 412},
		{"another member's has none either", `</base/caldav/2/calendars/home/> (<urn:appliance:sync:home:e1:0>)`, 412},
		{"nothing in the list", `()`, 400},
		{"no list", `</base/caldav/1/calendars/home/>`, 400},
		{"an open list", `(["x"]`, 400},
		{"a tag without quotes", `([x])`, 400},
		{"tagged after untagged", `(["x"]) ` + home + ` (["x"])`, 400},
		{"65 conditions", `(` + strings.Repeat(`["x"]`, 65) + `)`, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := New(newMemory(t), "/base", "/caldav", t.TempDir())
			r := ask(t, h, 1, "DELETE", there, "", "If: "+c.value)
			if r.StatusCode != c.status {
				t.Errorf("%d %s", r.StatusCode, read(t, r))
			}
			if left := ask(t, h, 1, "GET", there, "").StatusCode; (left == 404) != (c.status == 204) {
				t.Errorf("afterwards GET answers %d", left)
			}
		})
	}
}

// An If header that is read and written is the same one.
func FuzzIf(f *testing.F) {
	f.Add(`(<urn:a> ["b"])(Not <DAV:no-lock>)`)
	f.Add(`</a> (Not[W/"b"]) (<c>) <http://d/> (["e,f"])`)
	f.Fuzz(func(t *testing.T, value string) {
		lists, err := parseIf(value)
		if err != nil {
			if svc.KindOf(err) != svc.Malformed || lists != nil {
				t.Fatal(lists, err)
			}
			return
		}
		text := printIf(lists)
		again, err := parseIf(text)
		if err != nil || printIf(again) != text || (text == "") != (strings.TrimSpace(value) == "") {
			t.Errorf("%q is %q, then %q, %v", value, text, printIf(again), err)
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
