package dav

import (
	"encoding/xml"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/calendar/ics"
)

// sendRequest sends a request as a member and returns the response. Headers have
// the form "Name: value".
func sendRequest(t *testing.T, h *Handler, member svc.MemberID, method, target, body string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return serveRequest(t, h, svc.Trust(member), r)
}

func TestStatusOfMethodsByPath(t *testing.T) {
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"PROPFIND", "/caldav", 207},
		{"PROPFIND", "/caldav/", 207},
		{"PROPFIND", "/caldav/1", 207},
		{"PROPFIND", "/caldav/1/calendars", 207},
		{"PROPFIND", "/caldav/1/calendars/B%C3%BCro%201", 207},
		{"PROPFIND", "/caldav/1/calendars/B%c3%bcro%201/", 207},
		{"PROPFIND", "/caldav/1/calendars/home/lunch.ics", 207},
		{"PROPFIND", "/caldav/%31/c%61lendars/hom%65/lunch%2Eics", 207},
		{"PROPFIND", "/caldav/1/calendars/home/lunch.ics/", 404},
		{"PROPFIND", "/caldav/1/calendars/home/gone.ics", 404},
		{"PROPFIND", "/caldav/1/calendars/home//", 404},
		{"PROPFIND", "/caldav/01/", 404},
		{"PROPFIND", "/caldav/1/calendar/", 404},
		{"PROPFIND", "/caldavs/", 404},
		{"GET", "/caldav/1/calendars/home/lunch.ics", 200},
		{"GET", "/caldav/1/calendars/", 405},
		{"HEAD", "/caldav/", 405},
		{"PUT", "/caldav/1/calendars/", 405},
		{"PUT", "/caldav/1/calendars/home/a/b.ics", 409},
		{"DELETE", "/caldav/1/", 405},
		{"MKCALENDAR", "/caldav/1/", 405},
		{"MKCOL", "/caldav/1/calendars/home/lunch.ics", 405},
		{"MKCOL", "/caldav/1/other/", 403},
		{"POST", "/caldav/1/calendars/home/", 403},
		{"POST", "/caldav/1/calendars/home/lunch.ics", 405},
		{"SEARCH", "/caldav/1/calendars/home/", 501},
		{"COPY", "/caldav/1/calendars/home/lunch.ics", 400},
		{"MOVE", "/caldav/1/calendars/home/", 400},
		{"MOVE", "/caldav/1/calendars/", 405},
		{"PUT", "/caldav/1/calendars/new/", 409},
		{"LOCK", "/caldav/1/calendars/home/lunch.ics", 501},
		{"propfind", "/caldav/", 501},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			r := sendRequest(t, New(newMemory(t), "", "/caldav", t.TempDir()), 1, c.method, c.path, "", "Depth: 0")
			if r.StatusCode != c.status {
				t.Errorf("got status %d, want %d", r.StatusCode, c.status)
			}
			if (r.Header.Get("Allow") != "") != (c.status == 405) {
				t.Errorf("got status %d, Allow %q; want Allow with 405 only", r.StatusCode, r.Header.Get("Allow"))
			}
			if body := read(t, r); c.status >= 400 {
				wantErrorBody(t, r, body)
			}
		})
	}
}

// wantErrorBody fails the test unless the response is a DAV:error that is not
// empty.
func wantErrorBody(t *testing.T, r *http.Response, body string) {
	t.Helper()
	root, err := readXML(strings.NewReader(body))
	if err != nil || root.name != davName("error") || len(root.children) == 0 {
		t.Errorf("status %d: got %s (%v), want a DAV:error with content", r.StatusCode, body, err)
	}
	if got := r.Header.Get("Content-Type"); got != "application/xml; charset=utf-8" {
		t.Errorf("got Content-Type %q", got)
	}
}

// Covers C-28.
func TestResourcesOfOtherMembersAreNotFound(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, path := range []string{"/caldav/2/", "/caldav/2/calendars/", "/caldav/2/calendars/home/", "/caldav/2/calendars/home/x.ics"} {
		for _, m := range h.methods {
			r := sendRequest(t, h, 1, m.name, path, "", "Depth: 0")
			absent := sendRequest(t, h, 1, m.name, strings.Replace(path, "/2/", "/99/", 1), "", "Depth: 0")
			if body := read(t, r); r.StatusCode != 404 || body != read(t, absent) {
				t.Errorf("%s %s: got %d %s, want the response for an absent member", m.name, path, r.StatusCode, body)
			}
		}
	}
}

func TestUnauthenticatedRequestIsReturnedToTheCaller(t *testing.T) {
	w := httptest.NewRecorder()
	err := New(newMemory(t), "", "/caldav", t.TempDir()).Serve(w, httptest.NewRequest("PROPFIND", "/caldav/", nil), svc.Viewer{})
	if svc.KindOf(err) != svc.Anonymous || w.Body.Len() > 0 {
		t.Errorf("got %v and body %q, want an unauthenticated error and no body", err, w.Body)
	}
}

// Hrefs have the prefix of the request below the path of the base URL.
//
// Covers C-02.
func TestHrefsAreBelowThePrefix(t *testing.T) {
	h := New(newMemory(t), "/mein haus", "/dav", t.TempDir())
	r := sendRequest(t, h, 1, "PROPFIND", "/dav/1/calendars/home", "", "Depth: 1")
	body := read(t, r)
	if n := strings.Count(body, "<D:href>"); n != 4 || strings.Count(body, "<D:href>/mein%20haus/dav/1/calendars/home/") != n {
		t.Error(body)
	}
	multiget := `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>` +
		`<D:href>/mein%20haus/dav/1/calendars/home/lunch.ics</D:href><D:href>/dav/1/calendars/home/taxes.ics</D:href></C:calendar-multiget>`
	body = read(t, sendRequest(t, h, 1, "REPORT", "/dav/1/calendars/home/", multiget))
	if strings.Count(body, "200 OK") != 1 || strings.Count(body, "404 Not Found") != 1 {
		t.Error(body)
	}
}

// Every path in a response, starting from the root, can be requested by PROPFIND
// and is the href of its own response.
func TestEveryHrefIsAResource(t *testing.T) {
	h := New(newMemory(t), "/base", "/caldav", t.TempDir())
	var names strings.Builder
	for _, p := range properties {
		names.WriteString(`<` + p.name.Local + ` xmlns="` + p.name.Space + `"/>`)
	}
	todo, seen := []string{"/base/caldav/"}, map[string]bool{}
	for len(todo) > 0 {
		href := todo[0]
		todo = todo[1:]
		if seen[href] || strings.HasPrefix(href, "mailto:") || strings.HasPrefix(href, "urn:") {
			continue
		}
		seen[href] = true
		for _, depth := range []string{"0", "1"} {
			body := `<propfind xmlns="DAV:"><prop>` + names.String() + `</prop></propfind>`
			r := sendRequest(t, h, 1, "PROPFIND", strings.TrimPrefix(href, "/base"), body, "Depth: "+depth)
			if r.StatusCode != 207 {
				t.Fatalf("PROPFIND %s: got %d, want 207", href, r.StatusCode)
			}
			response := read(t, r)
			if !strings.Contains(response, "<D:response><D:href>"+strings.ReplaceAll(href, "&", "&amp;")+"</D:href>") {
				t.Errorf("PROPFIND %s: got another href in %s", href, response)
			}
			root, err := readXML(strings.NewReader(response))
			if err != nil {
				t.Fatal(err)
			}
			todo = append(todo, hrefs(root)...)
		}
	}
	if len(seen) != 3+3+4 { // root, principal, home; calendars; objects
		t.Errorf("got %d resources, want 10: %v", len(seen), seen)
	}
}

// GET and every report return the octets of the PUT.
//
// Covers PT-22 and C-14, as far as they concern the protocol.
func TestStoredOctetsAreReturned(t *testing.T) {
	raw := icalendar("BEGIN:VEVENT", "UID:x@example.org", "DTSTAMP:20261101T120000Z", "DTSTART:20261201T110000Z",
		"X-ODD;X-Q=\"]]>\":a <b> & 'c' \\n\t🥕 \u0085", "SUMMARY:folded ", "  and more", "END:VEVENT")
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	put := sendRequest(t, h, 1, "PUT", "/caldav/1/calendars/home/x.ics", raw)
	if put.StatusCode != 201 {
		t.Fatal(put.Status, read(t, put))
	}
	get := sendRequest(t, h, 1, "GET", "/caldav/1/calendars/home/x.ics", "")
	if body := read(t, get); body != raw || get.Header.Get("ETag") != put.Header.Get("ETag") || put.Header.Get("ETag") == "" {
		t.Errorf("GET: got %q %v, want %q and the ETag of the PUT", body, get.Header, raw)
	}
	const prop = `<D:prop xmlns:D="DAV:"><D:getetag/><C:calendar-data/></D:prop>`
	for _, body := range []string{
		`<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav">` + prop + `<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`,
		`<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav">` + prop + `<href xmlns="DAV:">/caldav/1/calendars/home/x.ics</href></C:calendar-multiget>`,
		`<sync-collection xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><sync-token>urn:appliance:sync:home:e1:3</sync-token>` + prop + `</sync-collection>`,
	} {
		response := read(t, sendRequest(t, h, 1, "REPORT", "/caldav/1/calendars/home/", body))
		root, err := readXML(strings.NewReader(response))
		if err != nil {
			t.Fatal(err)
		}
		if found := texts(root, calendarData.name); len(found) == 0 || found[len(found)-1] != raw {
			t.Errorf("%s: got %q, want %q", body, found, raw)
		}
		if found := texts(root, davName("getetag")); len(found) == 0 || found[len(found)-1] != put.Header.Get("ETag") {
			t.Errorf("%s: got ETags %q, want %s", body, found, put.Header.Get("ETag"))
		}
	}
}

// An object that package ics rejects is rejected with its precondition.
//
// Covers C-31.
func TestInvalidObjectIsRejectedWithItsPrecondition(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, c := range []struct{ name, body, condition string }{
		{"a vCard", "BEGIN:VCARD\r\nEND:VCARD\r\n", "valid-calendar-data"},
		{"an empty body", "", "valid-calendar-data"},
		{"an event without UID", strings.Replace(event("x", "x"), "UID:x\r\n", "", 1), "valid-calendar-object-resource"},
	} {
		r := sendRequest(t, h, 1, "PUT", "/caldav/1/calendars/home/x.ics", c.body)
		if body := read(t, r); r.StatusCode != 403 || !strings.Contains(body, "<C:"+c.condition+"/>") {
			t.Errorf("%s: got %d %s, want 403 with %s", c.name, r.StatusCode, body, c.condition)
		}
	}
	if r := sendRequest(t, h, 1, "GET", "/caldav/1/calendars/home/x.ics", ""); r.StatusCode != 404 {
		t.Errorf("GET afterwards: got %d, want 404", r.StatusCode)
	}
}

// Covers C-32.
func TestObjectSizeIsLimited(t *testing.T) {
	big := func(size int) string {
		frame := len(event("big@example.org", ""))
		return event("big@example.org", strings.Repeat("x", size-frame))
	}
	for _, c := range []struct {
		name      string
		size      int
		status    int
		condition string
	}{
		{"exactly the limit", maxResource, 201, ""},
		{"one octet more", maxResource + 1, 403, "<C:max-resource-size/>"},
		{"twice the limit", 2 * maxResource, 403, "<C:max-resource-size/>"},
		{"beyond the size that is read", maxPutBody + 1, 413, "<X:error-description"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, chunked := range []bool{false, true} {
				r := httptest.NewRequest("PUT", "/caldav/1/calendars/home/big.ics", strings.NewReader(big(c.size)))
				if chunked {
					r.ContentLength = -1
				}
				response := serveRequest(t, New(newMemory(t), "", "/caldav", t.TempDir()), svc.Trust(1), r)
				if body := read(t, response); response.StatusCode != c.status || !strings.Contains(body, c.condition) {
					t.Errorf("chunked %t: got %d %s, want %d with %q", chunked, response.StatusCode, body, c.status, c.condition)
				}
			}
		})
	}
}

// Covers PT-45, as far as it concerns XML.
func TestHostileXMLIsRejected(t *testing.T) {
	for _, c := range []struct {
		name, method, body string
		status             int
		chunked            bool
	}{
		{"9 MB of nesting, with Content-Length", "PROPFIND", strings.Repeat("<a>", 3<<20), 413, false},
		{"9 MB of nesting, chunked", "PROPFIND", strings.Repeat("<a>", 3<<20), 413, true},
		{"a body beyond the limit", "REPORT", "<a>" + strings.Repeat("x", 3<<20), 413, true},
		{"a million elements", "PROPFIND", "<a>" + strings.Repeat("<b/>", maxXML/4-10), 413, false},
		{"a million attributes", "PROPFIND", "<a " + strings.Repeat("b='' ", 200_000) + "/>", 413, false},
		{"entity expansion", "PROPFIND", `<!DOCTYPE a [<!ENTITY b "bbb"><!ENTITY c "&b;&b;">]><propfind xmlns="DAV:">&c;</propfind>`, 400, false},
		{"an undefined entity", "PROPFIND", `<propfind xmlns="DAV:">&c;</propfind>`, 400, false},
		{"257 properties", "PROPFIND", `<propfind xmlns="DAV:"><prop>` + strings.Repeat("<a/>", 257) + "</prop></propfind>", 413, false},
		{"a name of 20 kB", "PROPFIND", `<propfind xmlns="DAV:"><prop><a` + strings.Repeat("a", 20_000) + "/></prop></propfind>", 413, false},
		{"257 properties to set", "PROPPATCH", `<propertyupdate xmlns="DAV:"><set><prop>` + props(257) + "</prop></set></propertyupdate>", 413, false},
		{"20,001 hrefs", "REPORT", `<multi:calendar-multiget xmlns="DAV:" xmlns:multi="urn:ietf:params:xml:ns:caldav">` + manyHrefs(maxHrefs+1) + "</multi:calendar-multiget>", 403, false},
		{"65 filters", "REPORT", `<calendar-query xmlns="urn:ietf:params:xml:ns:caldav"><filter><comp-filter name="VCALENDAR">` +
			strings.Repeat(`<prop-filter name="A"/>`, 64) + `</comp-filter></filter></calendar-query>`, 403, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "/caldav/1/calendars/home/", strings.NewReader(c.body))
			r.Header.Set("Depth", "0")
			if c.chunked {
				r.ContentLength = -1
			}
			response := serveRequest(t, New(newMemory(t), "", "/caldav", t.TempDir()), svc.Trust(1), r)
			body := read(t, response)
			if response.StatusCode != c.status {
				t.Errorf("got %d %s, want %d", response.StatusCode, body, c.status)
			}
			wantErrorBody(t, response, body)
		})
	}
}

func props(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<p" + string(rune('a'+i%26)) + strings.Repeat("x", i/26) + "/>")
	}
	return b.String()
}

func manyHrefs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("<href>" + strings.Repeat("/", i%7+1) + time.Duration(i).String() + "</href>")
	}
	return b.String()
}

func TestBackendErrorsHaveStatuses(t *testing.T) {
	errBackend := errors.New("the backend failed")
	for _, c := range []struct {
		name   string
		err    error
		status int // 0 if the error is returned to the caller
		retry  string
	}{
		{"an internal error", errBackend, 0, ""},
		{"unauthenticated", svc.Errorf(svc.Unauthenticated, "Sign in first."), 0, ""},
		{"forbidden", svc.Errorf(svc.PermissionDenied, "No."), 403, ""},
		{"an invalid value", svc.Errorf(svc.InvalidValue, "No."), 403, ""},
		{"rate limited", &svc.Error{Code: svc.RateLimited, Message: "Later.", RetryAfter: 1500 * time.Millisecond}, 429, "2"},
		{"unavailable", svc.Errorf(svc.ServiceUnavailable, "The calendar is off."), 503, ""},
		{"an Error of this package", forbidden(calName("max-instances"), "Too often."), 403, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(t)
			m.fail = func(string) error { return c.err }
			w := httptest.NewRecorder()
			err := New(m, "", "/caldav", t.TempDir()).Serve(w, httptest.NewRequest("PUT", "/caldav/1/calendars/home/x.ics", strings.NewReader(event("x", "x"))), svc.Trust(1))
			if c.status == 0 {
				if !errors.Is(err, c.err) || w.Body.Len() > 0 {
					t.Errorf("got %v and body %q, want %v and no body", err, w.Body, c.err)
				}
				return
			}
			if err != nil || w.Code != c.status || w.Header().Get("Retry-After") != c.retry {
				t.Errorf("got %v, %d %v; want %d, Retry-After %q", err, w.Code, w.Header(), c.status, c.retry)
			}
			wantErrorBody(t, w.Result(), w.Body.String())
		})
	}
}

// largeReport returns a backend with many large objects, and a report on all of
// them.
func largeReport(t *testing.T) (*memory, *http.Request) {
	m := newMemory(t)
	for i := range 40 {
		uid := time.Duration(i).String()
		m.put(t, "home", uid, event(uid, strings.Repeat("long ", 50_000)))
	}
	return m, httptest.NewRequest("REPORT", "/caldav/1/calendars/home/",
		strings.NewReader(`<sync-collection xmlns="DAV:"><prop><calendar-data xmlns="urn:ietf:params:xml:ns:caldav"/></prop></sync-collection>`))
}

// If the backend fails while a response is written, nothing is sent.
func TestFailedResponseSendsNothing(t *testing.T) {
	errBackend := errors.New("the backend failed")
	for _, successes := range []int{0, 1, 2} { // successful calls of ObjectData
		m, r := largeReport(t)
		m.fail = func(call string) error {
			if call == "Data" {
				if successes--; successes < 0 {
					return errBackend
				}
			}
			return nil
		}
		w := httptest.NewRecorder()
		if err := New(m, "", "/caldav", t.TempDir()).Serve(w, r, svc.Trust(1)); !errors.Is(err, errBackend) || w.Body.Len() > 0 {
			t.Errorf("got %v and %d octets, want %v and none", err, w.Body.Len(), errBackend)
		}
	}
}

// A large response is spooled to a file, which is removed.
func TestLargeResponseIsSpooled(t *testing.T) {
	m, r := largeReport(t)
	dir := t.TempDir()
	loads := 0
	m.fail = func(call string) error {
		if call == "Data" {
			loads++
		}
		return nil
	}
	w := &writeSizeRecorder{ResponseRecorder: httptest.NewRecorder()}
	if err := New(m, "", "/caldav", dir).Serve(w, r, svc.Trust(1)); err != nil {
		t.Fatal(err)
	}
	body := w.Body.String()
	if n := strings.Count(body, "<D:response>"); n != 40+3 || w.largest > 2<<20+ics.MaxSize || loads != 3 {
		t.Errorf("got %d responses, a write of %d octets, %d loads of data; want 43, at most 3 MiB, 3", n, w.largest, loads)
	}
	if got := w.Header().Get("Content-Length"); got != strconv.Itoa(len(body)) {
		t.Errorf("got Content-Length %s, want %d", got, len(body))
	}
	wantWellFormed(t, body)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("got files %v, %v; want none", left, err)
	}
}

// writeSizeRecorder records the size of the largest write.
type writeSizeRecorder struct {
	*httptest.ResponseRecorder
	largest int
}

func (w *writeSizeRecorder) Write(b []byte) (int, error) {
	w.largest = max(w.largest, len(b))
	return w.ResponseRecorder.Write(b)
}

// texts returns the texts of all elements with that name.
func texts(e *element, name xml.Name) []string {
	var list []string
	if e.name == name {
		list = append(list, string(e.text))
	}
	for _, c := range e.children {
		list = append(list, texts(c, name)...)
	}
	return list
}

// A POST to a calendar stores an object and returns its name (RFC 5995 and RFC
// 8144).
func TestPOSTReturnsANewName(t *testing.T) {
	h := New(newMemory(t), "/base", "/caldav", t.TempDir())
	raw := event("tea@example.org", "Tea")
	r := sendRequest(t, h, 1, "POST", "/caldav/1/calendars/home/", raw, "Prefer: return=representation")
	at := r.Header.Get("Location")
	if body := read(t, r); r.StatusCode != 201 || body != raw || !strings.HasPrefix(at, "/base/caldav/1/calendars/home/") || at != r.Header.Get("Content-Location") {
		t.Fatalf("got %d, %v, %s; want 201 with Location and the object", r.StatusCode, r.Header, body)
	}
	got := sendRequest(t, h, 1, "GET", strings.TrimPrefix(at, "/base"), "")
	if read(t, got) != raw || got.Header.Get("ETag") != r.Header.Get("ETag") {
		t.Errorf("GET %s: got %v, want the object", at, got.Header)
	}
	again := sendRequest(t, h, 1, "POST", "/caldav/1/calendars/home/", raw)
	if body := read(t, again); again.StatusCode != 403 || again.Header.Get("Location") != "" || !strings.Contains(body, "no-uid-conflict") {
		t.Errorf("same UID: got %d, %v, %s; want 403 with no-uid-conflict", again.StatusCode, again.Header, body)
	}
	none := sendRequest(t, h, 1, "POST", "/caldav/1/calendars/none/", event("x", "x"))
	if none.StatusCode != 404 {
		t.Errorf("missing calendar: got %d, want 404", none.StatusCode)
	}
}

// If-Unmodified-Since applies only without If-Match (RFC 9110 §13.1.4).
func TestIfUnmodifiedSinceAppliesWithoutIfMatch(t *testing.T) {
	for _, c := range []struct {
		headers []string
		status  int
	}{
		{[]string{"If-Unmodified-Since: Sat, 21 Nov 2026 09:00:01 GMT"}, 204},
		{[]string{"If-Unmodified-Since: Sat, 21 Nov 2026 09:00:00 GMT"}, 412},
		{[]string{"If-Unmodified-Since: yesterday"}, 204},
		{[]string{"If-Unmodified-Since: Sat, 21 Nov 2026 09:00:00 GMT", "If-Match: *"}, 204},
	} {
		h := New(newMemory(t), "", "/caldav", t.TempDir())
		if r := sendRequest(t, h, 1, "DELETE", "/caldav/1/calendars/home/lunch.ics", "", c.headers...); r.StatusCode != c.status {
			t.Errorf("%v: got %d, want %d", c.headers, r.StatusCode, c.status)
		}
	}
}
