package dav

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
)

// A client that applies the results of sync-collection, with any limit and from
// any token, has the ETags that PROPFIND lists. sync-token and getctag change
// if and only if the calendar does.
//
// Covers PT-28 and C-21, as far as they concern the protocol.
func TestAppliedChangesEqualTheCollection(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	rnd := rand.New(rand.NewPCG(6578, 0))
	clients := []*syncClient{{etags: map[string]string{}}}
	token := ""
	for range 300 {
		changed := false
		name := fmt.Sprintf("/caldav/1/calendars/home/%d.ics", rnd.IntN(12))
		switch rnd.IntN(4) {
		case 0:
			changed = sendRequest(t, h, 1, "DELETE", name, "").StatusCode == 204
		case 1, 2:
			changed = sendRequest(t, h, 1, "PUT", name, event(name, fmt.Sprint(rnd.Int()))).StatusCode < 300
		}
		now := tokens(t, h)
		if len(now) != 2 || now[0] != now[1] || (now[0] != token) != (changed || token == "") {
			t.Fatalf("changed %t: got tokens %q after %q", changed, now, token)
		}
		token = now[0]

		c := clients[rnd.IntN(len(clients))]
		if rnd.IntN(10) == 0 { // another device, with the state of the first one or none
			second := &syncClient{etags: map[string]string{}}
			if rnd.IntN(2) == 0 {
				second = &syncClient{token: c.token, etags: maps.Clone(c.etags)}
			}
			clients = append(clients, second)
			c = second
		}
		limit := rnd.IntN(4)
		for c.sync(t, h, limit) {
		}
		if want := listETags(t, h); !maps.Equal(c.etags, want) || c.token != token {
			t.Fatalf("got %v and token %s, want %v and token %s", c.etags, c.token, want, token)
		}
	}
}

// syncClient is a client that uses sync-collection.
type syncClient struct {
	token string
	etags map[string]string // by href
}

// sync sends one sync-collection request, applies the result, and reports
// whether the result was truncated.
func (c *syncClient) sync(t *testing.T, h *Handler, limit int) (more bool) {
	t.Helper()
	limited := ""
	if limit > 0 {
		limited = fmt.Sprintf("<limit><nresults>%d</nresults></limit>", limit)
	}
	root := requestMultistatus(t, h, "REPORT", `<sync-collection xmlns="DAV:"><sync-token>`+c.token+`</sync-token><sync-level>1</sync-level>`+limited+
		`<prop><getetag/></prop></sync-collection>`)
	n := 0
	for _, e := range root.children {
		if e.name != davName("response") {
			continue
		}
		href, status := e.child(davName("href")).value(), e.child(davName("status"))
		switch {
		case status == nil:
			c.etags[href] = texts(e, davName("getetag"))[0]
		case strings.Contains(status.value(), "404"):
			if c.token == "" {
				t.Errorf("initial synchronization: got the deletion of %s", href)
			}
			delete(c.etags, href)
		case strings.Contains(status.value(), "507") && href == "/caldav/1/calendars/home/":
			more = true
			continue
		default:
			t.Fatalf("%s: got status %s", href, status.value())
		}
		n++
	}
	if limit > 0 && n > limit {
		t.Errorf("got %d changes, want at most %d", n, limit)
	}
	c.token = root.child(davName("sync-token")).value()
	return more
}

// listETags returns the ETags of the calendar by href.
func listETags(t *testing.T, h *Handler) map[string]string {
	t.Helper()
	root := requestMultistatus(t, h, "PROPFIND", `<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>`)
	etags := map[string]string{}
	for _, e := range root.children[1:] {
		etags[e.child(davName("href")).value()] = texts(e, davName("getetag"))[0]
	}
	return etags
}

// tokens returns the properties sync-token and getctag.
func tokens(t *testing.T, h *Handler) []string {
	t.Helper()
	r := sendRequest(t, h, 1, "PROPFIND", "/caldav/1/calendars/home/",
		`<propfind xmlns="DAV:"><prop><sync-token/><getctag xmlns="http://calendarserver.org/ns/"/></prop></propfind>`, "Depth: 0")
	root, err := readXML(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range root.child(davName("response")).child(davName("propstat")).child(davName("prop")).children {
		list = append(list, e.value())
	}
	return list
}

// requestMultistatus sends a request to the calendar "home" and returns the
// DAV:multistatus.
func requestMultistatus(t *testing.T, h *Handler, method, body string) *element {
	t.Helper()
	r := sendRequest(t, h, 1, method, "/caldav/1/calendars/home/", body, "Depth: 1")
	root, err := readXML(r.Body)
	if err != nil || r.StatusCode != 207 || root.name != davName("multistatus") {
		t.Fatalf("%s: %d, %v", method, r.StatusCode, err)
	}
	return root
}
