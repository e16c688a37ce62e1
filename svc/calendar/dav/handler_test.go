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

// ask sends a request to the handler as a member and returns the answer.
// Headers are given as "Name: value".
func ask(t *testing.T, h *Handler, member svc.MemberID, method, target, body string, headers ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	return perform(t, h, svc.Trust(member), r)
}

const propfindType = `<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>`

func TestWhatEachPathAnswersToEachMethod(t *testing.T) {
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
		{"MOVE", "/caldav/1/calendars/home/", 405},
		{"PUT", "/caldav/1/calendars/new/", 409},
		{"LOCK", "/caldav/1/calendars/home/lunch.ics", 501},
		{"propfind", "/caldav/", 501},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			r := ask(t, New(newMemory(t), "", "/caldav", t.TempDir()), 1, c.method, c.path, "", "Depth: 0")
			if r.StatusCode != c.status {
				t.Errorf("status %d, want %d", r.StatusCode, c.status)
			}
			if (r.Header.Get("Allow") != "") != (c.status == 405) {
				t.Errorf("status %d, Allow %q", r.StatusCode, r.Header.Get("Allow"))
			}
			if body := read(t, r); c.status >= 400 {
				checkError(t, r, body)
			}
		})
	}
}

// checkError makes sure that the answer is a DAV:error with something in it.
func checkError(t *testing.T, r *http.Response, body string) {
	t.Helper()
	root, err := readXML(strings.NewReader(body))
	if err != nil || root.name != davName("error") || len(root.children) == 0 {
		t.Errorf("status %d with %s (%v)", r.StatusCode, body, err)
	}
	if got := r.Header.Get("Content-Type"); got != "application/xml; charset=utf-8" {
		t.Errorf("Content-Type %q", got)
	}
}

// Covers C-28.
func TestAnotherMembersTreeDoesNotExist(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, path := range []string{"/caldav/2/", "/caldav/2/calendars/", "/caldav/2/calendars/home/", "/caldav/2/calendars/home/x.ics"} {
		for _, m := range h.methods {
			r := ask(t, h, 1, m.name, path, "", "Depth: 0")
			stranger := ask(t, h, 1, m.name, strings.Replace(path, "/2/", "/99/", 1), "", "Depth: 0")
			if body := read(t, r); r.StatusCode != 404 || body != read(t, stranger) {
				t.Errorf("%s %s: %d %s", m.name, path, r.StatusCode, body)
			}
		}
	}
}

func TestThePublicIsTheCallersToAnswer(t *testing.T) {
	w := httptest.NewRecorder()
	err := New(newMemory(t), "", "/caldav", t.TempDir()).Serve(w, httptest.NewRequest("PROPFIND", "/caldav/", nil), svc.Viewer{})
	if svc.KindOf(err) != svc.Anonymous || w.Body.Len() > 0 {
		t.Errorf("%v, wrote %q", err, w.Body)
	}
}

// Covers C-02: the hrefs stay under the prefix that was asked, below the path
// of the base URL.
func TestHrefsAreBelowThePrefix(t *testing.T) {
	h := New(newMemory(t), "/mein haus", "/dav", t.TempDir())
	r := ask(t, h, 1, "PROPFIND", "/dav/1/calendars/home", "", "Depth: 1")
	body := read(t, r)
	if n := strings.Count(body, "<D:href>"); n != 4 || strings.Count(body, "<D:href>/mein%20haus/dav/1/calendars/home/") != n {
		t.Error(body)
	}
	multiget := `<C:calendar-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop><D:getetag/></D:prop>` +
		`<D:href>/mein%20haus/dav/1/calendars/home/lunch.ics</D:href><D:href>/dav/1/calendars/home/taxes.ics</D:href></C:calendar-multiget>`
	body = read(t, ask(t, h, 1, "REPORT", "/dav/1/calendars/home/", multiget))
	if strings.Count(body, "200 OK") != 1 || strings.Count(body, "404 Not Found") != 1 {
		t.Error(body)
	}
}

// What comes out of a response is a place to ask further: every href in every
// answer, from the root on, answers PROPFIND, and calls itself what it was
// called.
func TestEveryHrefAnswers(t *testing.T) {
	h := New(newMemory(t), "/base", "/caldav", t.TempDir())
	var names strings.Builder
	for _, p := range properties {
		names.WriteString(`<` + p.name.Local + ` xmlns="` + p.name.Space + `"/>`)
	}
	todo, seen := []string{"/base/caldav/"}, map[string]bool{}
	for len(todo) > 0 {
		href := todo[0]
		todo = todo[1:]
		if seen[href] || strings.HasPrefix(href, "mailto:") {
			continue
		}
		seen[href] = true
		for _, depth := range []string{"0", "1"} {
			body := `<propfind xmlns="DAV:"><prop>` + names.String() + `</prop></propfind>`
			r := ask(t, h, 1, "PROPFIND", strings.TrimPrefix(href, "/base"), body, "Depth: "+depth)
			if r.StatusCode != 207 {
				t.Fatalf("PROPFIND %s: %d", href, r.StatusCode)
			}
			answer := read(t, r)
			if !strings.Contains(answer, "<D:response><D:href>"+strings.ReplaceAll(href, "&", "&amp;")+"</D:href>") {
				t.Errorf("%s is called something else in %s", href, answer)
			}
			root, err := readXML(strings.NewReader(answer))
			if err != nil {
				t.Fatal(err)
			}
			todo = append(todo, hrefs(root)...)
		}
	}
	if len(seen) != 3+3+4 { // root, principal, home; calendars; objects
		t.Errorf("found %d places: %v", len(seen), seen)
	}
}

// Covers PT-22 and C-14 as far as they are the protocol's: what was PUT comes
// back octet for octet, from GET and from every report.
func TestOctetsComeBackAsTheyWere(t *testing.T) {
	raw := icalendar("BEGIN:VEVENT", "UID:x@example.org", "DTSTAMP:20261101T120000Z", "DTSTART:20261201T110000Z",
		"X-ODD;X-Q=\"]]>\":a <b> & 'c' \\n\t🥕 \u0085", "SUMMARY:folded ", "  and more", "END:VEVENT")
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	put := ask(t, h, 1, "PUT", "/caldav/1/calendars/home/x.ics", raw)
	if put.StatusCode != 201 {
		t.Fatal(put.Status, read(t, put))
	}
	get := ask(t, h, 1, "GET", "/caldav/1/calendars/home/x.ics", "")
	if body := read(t, get); body != raw || get.Header.Get("ETag") != put.Header.Get("ETag") || put.Header.Get("ETag") == "" {
		t.Errorf("GET %q %v", body, get.Header)
	}
	const prop = `<D:prop xmlns:D="DAV:"><D:getetag/><C:calendar-data/></D:prop>`
	for _, body := range []string{
		`<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav">` + prop + `<C:filter><C:comp-filter name="VCALENDAR"/></C:filter></C:calendar-query>`,
		`<C:calendar-multiget xmlns:C="urn:ietf:params:xml:ns:caldav">` + prop + `<href xmlns="DAV:">/caldav/1/calendars/home/x.ics</href></C:calendar-multiget>`,
		`<sync-collection xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><sync-token>urn:appliance:sync:home:e1:3</sync-token>` + prop + `</sync-collection>`,
	} {
		answer := read(t, ask(t, h, 1, "REPORT", "/caldav/1/calendars/home/", body))
		root, err := readXML(strings.NewReader(answer))
		if err != nil {
			t.Fatal(err)
		}
		if found := texts(root, calendarData.name); len(found) == 0 || found[len(found)-1] != raw {
			t.Errorf("%s: got %q", body, found)
		}
		if found := texts(root, davName("getetag")); len(found) == 0 || found[len(found)-1] != put.Header.Get("ETag") {
			t.Errorf("%s: ETags %q", body, found)
		}
	}
}

// Covers C-31: what package ics refuses is refused by the name it gives.
func TestObjectsThatAreNone(t *testing.T) {
	h := New(newMemory(t), "", "/caldav", t.TempDir())
	for _, c := range []struct{ name, body, condition string }{
		{"no iCalendar", "BEGIN:VCARD\r\nEND:VCARD\r\n", "valid-calendar-data"},
		{"nothing", "", "valid-calendar-data"},
		{"an event without UID", strings.Replace(event("x", "x"), "UID:x\r\n", "", 1), "valid-calendar-object-resource"},
	} {
		r := ask(t, h, 1, "PUT", "/caldav/1/calendars/home/x.ics", c.body)
		if body := read(t, r); r.StatusCode != 403 || !strings.Contains(body, "<C:"+c.condition+"/>") {
			t.Errorf("%s: %d %s", c.name, r.StatusCode, body)
		}
	}
	if r := ask(t, h, 1, "GET", "/caldav/1/calendars/home/x.ics", ""); r.StatusCode != 404 {
		t.Error("something was kept")
	}
}

// Covers C-32.
func TestLimitsOfAnObject(t *testing.T) {
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
		{"more than is even read", maxPutBody + 1, 413, "<D:responsedescription>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, chunked := range []bool{false, true} {
				r := httptest.NewRequest("PUT", "/caldav/1/calendars/home/big.ics", strings.NewReader(big(c.size)))
				if chunked {
					r.ContentLength = -1
				}
				answer := perform(t, New(newMemory(t), "", "/caldav", t.TempDir()), svc.Trust(1), r)
				if body := read(t, answer); answer.StatusCode != c.status || !strings.Contains(body, c.condition) {
					t.Errorf("chunked %t: %d %s", chunked, answer.StatusCode, body)
				}
			}
		})
	}
}

// Covers PT-45 as far as it is about DAV XML.
func TestLimitsOfXML(t *testing.T) {
	for _, c := range []struct {
		name, method, body string
		status             int
		chunked            bool
	}{
		{"9 MB of nesting, announced", "PROPFIND", strings.Repeat("<a>", 3<<20), 413, false},
		{"9 MB of nesting, chunked", "PROPFIND", strings.Repeat("<a>", 3<<20), 413, true},
		{"a body that does not end", "REPORT", "<a>" + strings.Repeat("x", 3<<20), 413, true},
		{"a million elements", "PROPFIND", "<a>" + strings.Repeat("<b/>", maxXML/4-10), 413, false},
		{"a million attributes", "PROPFIND", "<a " + strings.Repeat("b='' ", 200_000) + "/>", 413, false},
		{"a bomb of entities", "PROPFIND", `<!DOCTYPE a [<!ENTITY b "bbb"><!ENTITY c "&b;&b;">]><propfind xmlns="DAV:">&c;</propfind>`, 400, false},
		{"an entity from nowhere", "PROPFIND", `<propfind xmlns="DAV:">&c;</propfind>`, 400, false},
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
			answer := perform(t, New(newMemory(t), "", "/caldav", t.TempDir()), svc.Trust(1), r)
			body := read(t, answer)
			if answer.StatusCode != c.status {
				t.Errorf("%d %s", answer.StatusCode, body)
			}
			checkError(t, answer, body)
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

func TestFailuresOfTheBackend(t *testing.T) {
	disk := errors.New("the disk is on fire")
	for _, c := range []struct {
		name   string
		err    error
		status int // 0: returned to the caller
		retry  string
	}{
		{"our own fault", disk, 0, ""},
		{"nobody is signed in", svc.Errorf(svc.Unauthenticated, "Sign in first."), 0, ""},
		{"not allowed", svc.Errorf(svc.PermissionDenied, "No."), 403, ""},
		{"cannot be done", svc.Errorf(svc.InvalidValue, "No."), 403, ""},
		{"too often", &svc.Error{Code: svc.RateLimited, Message: "Later.", RetryAfter: 1500 * time.Millisecond}, 429, "2"},
		{"switched off", svc.Errorf(svc.ServiceUnavailable, "The calendar is off."), 503, ""},
		{"a refusal of its own", forbidden(calName("max-instances"), "Too often."), 403, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMemory(t)
			m.fail = func(string) error { return c.err }
			w := httptest.NewRecorder()
			err := New(m, "", "/caldav", t.TempDir()).Serve(w, httptest.NewRequest("PUT", "/caldav/1/calendars/home/x.ics", strings.NewReader(event("x", "x"))), svc.Trust(1))
			if c.status == 0 {
				if !errors.Is(err, c.err) || w.Body.Len() > 0 {
					t.Errorf("got %v, wrote %q", err, w.Body)
				}
				return
			}
			if err != nil || w.Code != c.status || w.Header().Get("Retry-After") != c.retry {
				t.Errorf("got %v, %d %v", err, w.Code, w.Header())
			}
			checkError(t, w.Result(), w.Body.String())
		})
	}
}

// large is a backend with many objects, and a request for all of them.
func large(t *testing.T) (*memory, *http.Request) {
	m := newMemory(t)
	for i := range 40 {
		uid := time.Duration(i).String()
		m.put(t, "home", uid, event(uid, strings.Repeat("long ", 50_000)))
	}
	return m, httptest.NewRequest("REPORT", "/caldav/1/calendars/home/",
		strings.NewReader(`<sync-collection xmlns="DAV:"><prop><calendar-data xmlns="urn:ietf:params:xml:ns:caldav"/></prop></sync-collection>`))
}

// Nothing of an answer is sent before all of it is there.
func TestAnAnswerThatFailsHalfWay(t *testing.T) {
	disk := errors.New("the disk is on fire")
	for _, after := range []int{0, 1, 2} { // portions of data that can be read
		m, r := large(t)
		m.fail = func(call string) error {
			if call == "Data" {
				if after--; after < 0 {
					return disk
				}
			}
			return nil
		}
		w := httptest.NewRecorder()
		if err := New(m, "", "/caldav", t.TempDir()).Serve(w, r, svc.Trust(1)); !errors.Is(err, disk) || w.Body.Len() > 0 {
			t.Errorf("got %v after %d octets", err, w.Body.Len())
		}
	}
}

// What does not fit into memory waits in a file, of which nothing is left.
func TestLargeAnswersWaitInAFile(t *testing.T) {
	m, r := large(t)
	dir := t.TempDir()
	asked := 0
	m.fail = func(call string) error {
		if call == "Data" {
			asked++
		}
		return nil
	}
	w := &largestWrite{ResponseRecorder: httptest.NewRecorder()}
	if err := New(m, "", "/caldav", dir).Serve(w, r, svc.Trust(1)); err != nil {
		t.Fatal(err)
	}
	body := w.Body.String()
	if n := strings.Count(body, "<D:response>"); n != 40+3 || w.largest > 2<<20+ics.MaxSize || asked != 3 {
		t.Errorf("%d responses, %d octets in one piece, data read in %d portions", n, w.largest, asked)
	}
	if got := w.Header().Get("Content-Length"); got != strconv.Itoa(len(body)) {
		t.Errorf("Content-Length is %s of %d", got, len(body))
	}
	wellFormed(t, body)
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

type largestWrite struct {
	*httptest.ResponseRecorder
	largest int
}

func (w *largestWrite) Write(b []byte) (int, error) {
	w.largest = max(w.largest, len(b))
	return w.ResponseRecorder.Write(b)
}

// texts returns the texts of all elements of that name.
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

// RFC 5995, with RFC 8144.
func TestPostMakesUpTheName(t *testing.T) {
	h := New(newMemory(t), "/base", "/caldav", t.TempDir())
	raw := event("tea@example.org", "Tea")
	r := ask(t, h, 1, "POST", "/caldav/1/calendars/home/", raw, "Prefer: return=representation")
	at := r.Header.Get("Location")
	if body := read(t, r); r.StatusCode != 201 || body != raw || !strings.HasPrefix(at, "/base/caldav/1/calendars/home/") || at != r.Header.Get("Content-Location") {
		t.Fatalf("%d, %v, %s", r.StatusCode, r.Header, body)
	}
	got := ask(t, h, 1, "GET", strings.TrimPrefix(at, "/base"), "")
	if read(t, got) != raw || got.Header.Get("ETag") != r.Header.Get("ETag") {
		t.Errorf("at %s there is something else: %v", at, got.Header)
	}
	again := ask(t, h, 1, "POST", "/caldav/1/calendars/home/", raw)
	if body := read(t, again); again.StatusCode != 403 || again.Header.Get("Location") != "" || !strings.Contains(body, "no-uid-conflict") {
		t.Errorf("the same once more: %d, %v, %s", again.StatusCode, again.Header, body)
	}
	none := ask(t, h, 1, "POST", "/caldav/1/calendars/none/", event("x", "x"))
	if none.StatusCode != 409 {
		t.Errorf("where there is no calendar: %d", none.StatusCode)
	}
}

// RFC 9110 §13.1.4: the date counts where no tag does.
func TestIfUnmodifiedSince(t *testing.T) {
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
		if r := ask(t, h, 1, "DELETE", "/caldav/1/calendars/home/lunch.ics", "", c.headers...); r.StatusCode != c.status {
			t.Errorf("%v: %d", c.headers, r.StatusCode)
		}
	}
}
