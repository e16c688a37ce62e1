package httpd_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// A response of more than 1 kB is compressed for a client that accepts gzip,
// and its Vary header says so to caches. Responses that may contain a secret
// are not compressed. Of CalDAV responses, only multistatus responses are: the
// strong ETag of an object identifies its octets. Covers B-103.
func TestResponsesAreCompressed(t *testing.T) {
	h := apptest.New(t)
	op, ann := h.Member("op"), h.Member("ann")
	for n := range 20 {
		ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("Task ", n)}).Want(201)
	}
	large := apptest.VEvent("large", "DTSTART:20261201T090000Z", "DESCRIPTION:"+strings.Repeat("x", 5000))
	calendar := ann.DefaultCalendar()
	dav := ann.Basic().With("Depth", "1")
	dav.Do("PUT", calendar+"large.ics", large).Want(201)
	feed := "/world/calendars/" + strings.Split(calendar, "/")[4] + "/feed"
	link := ann.Do("POST", feed, `{}`).Want(201).Str("feed.path")
	runtime, web := ann.AsRuntime(), h.Unauthenticated()
	browser := web.With("Cookie", apptest.CookieName+"="+ann.Token)
	style := linkedStyle(t, web)
	for _, c := range []struct {
		client             *apptest.Client
		method, path, body string
		compressed, varies bool
	}{
		{runtime, "GET", "/world/runtime", "", true, true},
		{runtime, "GET", "/world/session", "", true, true},
		{runtime, "POST", "/world/session", "{}", true, true},
		{ann, "GET", "/world/time/objects?object_type=task", "", true, true},
		{ann, "GET", "/world/identity/export", "", true, true},
		{ann, "GET", "/world/schemas/service.runtime.dataset/1", "", true, true},
		{ann, "GET", "/world/identity/me", "", false, true}, // short
		{browser, "GET", "/account", "", false, false},
		{web, "GET", "/help/start", "", true, true},
		{web, "GET", style, "", true, true},
		{web, "GET", "/favicon.ico", "", false, false},
		{web, "GET", "/world/login", "", false, false},
		{web, "GET", "/world/login/done", "", false, false},
		// Responses with a secret, of which some also contain text of the request.
		{ann, "POST", "/world/identity/device-passwords", `{"label": "` + strings.Repeat("x", 80) + `"}`, false, false},
		{ann, "POST", "/world/identity/second-factor/totp", `{"current_password": "` + apptest.Password + `"}`, false, false},
		{op, "POST", "/world/operator/invitations", `{"email": "` + strings.Repeat("x", 60) + `@example.org"}`, false, false},
		{dav, "PROPFIND", calendar, apptest.PropfindETags, true, true},
		{dav, "REPORT", calendar, apptest.SyncCollection(""), true, true},
		{dav, "GET", calendar + "large.ics", "", false, false},
		{web, "GET", link, "", true, true},
		{ann, "GET", strings.TrimSuffix(feed, "feed") + "export", "", true, true},
		{ann, "GET", "/world/nowhere", "", false, false},
	} {
		plain, text, _ := apptest.SendAccepting(c.client, "identity", c.method, c.path, c.body)
		r, got, sent := apptest.SendAccepting(c.client, "br, gzip;q=0.8", c.method, c.path, c.body)
		about := c.method + " " + c.path
		if compressed := r.Header.Get("Content-Encoding") == "gzip"; compressed != c.compressed || r.StatusCode != plain.StatusCode {
			t.Errorf("%s: got status %d, compressed: %t, want %d, %t", about, r.StatusCode, compressed, plain.StatusCode, c.compressed)
		}
		if succeeded := plain.StatusCode < 300; succeeded == (c.path == "/world/nowhere") {
			t.Errorf("%s: got status %d %s", about, plain.StatusCode, text)
		}
		for name, answer := range map[string]*http.Response{"plain": plain, "compressed": r} {
			if varies := strings.Contains(answer.Header.Get("Vary"), "Accept-Encoding"); varies != c.varies {
				t.Errorf("%s, %s: got Vary %q, want Accept-Encoding in it: %t", about, name, answer.Header.Get("Vary"), c.varies)
			}
		}
		if plain.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: got a compressed response for a client that does not accept it", about)
		}
		if r.Header.Get("ETag") != plain.Header.Get("ETag") {
			t.Errorf("%s: got the ETag %s, want %s as without compression", about, r.Header.Get("ETag"), plain.Header.Get("ETag"))
		}
		if c.compressed && (got != text || sent >= len(text) || r.Header.Get("Content-Length") != strconv.Itoa(sent)) {
			t.Errorf("%s: got %d bytes with Content-Length %s of %d, decoded equal: %t, want a shorter body with the same text",
				about, sent, r.Header.Get("Content-Length"), len(text), got == text)
		}
	}
	for accept, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "*": true, "gzip;q=0": false, "*;q=0": false, "gzip;q=0, *": false, "br": false, "deflate, gzip;q=0.5": true,
	} {
		if r, _, _ := apptest.SendAccepting(runtime, accept, "GET", "/world/runtime", ""); (r.Header.Get("Content-Encoding") == "gzip") != want {
			t.Errorf("Accept-Encoding %q: got %q, want gzip: %t", accept, r.Header.Get("Content-Encoding"), want)
		}
	}
	etag := runtime.Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
	if r, _, sent := apptest.SendAccepting(runtime.With("If-None-Match", etag), "gzip", "GET", "/world/runtime", ""); r.StatusCode != 304 || sent != 0 || r.Header.Get("Content-Encoding") != "" {
		t.Errorf("If-None-Match: got status %d, %d bytes, want 304 without a body", r.StatusCode, sent)
	}
	if r, _, sent := apptest.SendAccepting(runtime, "gzip", "HEAD", "/world/runtime", ""); r.StatusCode != 200 || sent != 0 || r.Header.Get("Content-Encoding") != "" {
		t.Errorf("HEAD: got status %d, %d bytes, Content-Encoding %q, want 200 without them", r.StatusCode, sent, r.Header.Get("Content-Encoding"))
	}
}

// linkedStyle returns the path of the style sheet of the pages.
func linkedStyle(t *testing.T, web *apptest.Client) string {
	t.Helper()
	_, rest, _ := strings.Cut(web.Do("GET", "/help/start").Want(200).Body, `rel="stylesheet" href="`)
	path, _, _ := strings.Cut(rest, `"`)
	return path
}
