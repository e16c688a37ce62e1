package calendar

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"appliance/app/apptest"
)

// objectNames are path segments of objects as clients send them.
var objectNames = []string{
	"plain.ics", "with%20space.ics", "quote%22.ics", "apostrophe'.ics", "%C3%BCml%C3%A4ut.ics", "%F0%9F%A5%A7.ics", "a&b.ics", "%3Ca%3E.ics", "semi;colon.ics",
	"per%25cent.ics", "plus+.ics", "hash%23.ics", "what%3F.ics", "star*.ics", "colon:.ics", "back%5Cslash.ics", "UPPER.ICS", "upper.ics", "none", ".hidden", "...",
	"e%CC%81.ics", "%C3%A9.ics", // one letter in two normal forms of Unicode: two names
	strings.Repeat("x", 255),
}

// An object can have any name. PROPFIND lists it once, under an href that GET and
// multiget accept. Names are compared octet by octet.
func TestObjectsCanHaveAnyName(t *testing.T) {
	f := newFixture(t, apptest.Unlimited)
	for i, name := range objectNames {
		text := event(fmt.Sprint(i))
		f.put(name, text)
		if got := f.dav.Do("GET", f.path+name).Want(200).Body; got != text {
			t.Errorf("%s: got %q, want %q", name, got, text)
		}
		listed := 0
		for _, e := range f.dav.With("Depth", "1").Do("PROPFIND", f.path, apptest.PropfindETags).Multistatus().Entries {
			if e.ETag == "" || f.dav.Do("GET", e.Href).Want(200).Body != text {
				continue
			}
			listed++
			got := f.dav.Do("REPORT", f.path, multiget("<getetag/>", e.Href)).Multistatus().Entries
			if len(got) != 1 || got[0].ETag != e.ETag || got[0].Href != e.Href {
				t.Errorf("%s: multiget: got %+v, want %s with ETag %s", name, got, e.Href, e.ETag)
			}
		}
		if listed != 1 {
			t.Errorf("%s: got %d hrefs in the list, want 1", name, listed)
		}
		f.dav.Do("DELETE", f.path+name).Want(204)
		if i%2 == 0 { // every second object is stored again, so that later lists contain several
			f.put(name, text)
		}
	}
}

// hostilePaths returns paths that must not identify a resource. They are sent
// without normalization.
func hostilePaths(calendar string) []string {
	var paths []string
	for _, suffix := range []string{
		"..", "%2e%2e", "../x.ics", "%2e%2e/x.ics", "a%2fb.ics", "a%2Fb", "./x.ics", "%2e/x.ics", "/x.ics", "a/b.ics",
		"%00.ics", "a%0d%0ab.ics", "%ff.ics", "%ed%a0%80.ics", strings.Repeat("x", 256), strings.Repeat("y", 8000), "x.ics/",
	} {
		paths = append(paths, calendar+suffix)
	}
	for _, member := range []string{"01", "+1", "1.0", "-1", "0", "99999999999999999999"} {
		paths = append(paths, "/caldav/"+member+"/calendars/x/y")
	}
	return append(paths,
		"//caldav/1/calendars/x/y", "/caldav//1/calendars/x/y", "/caldav/1/calendars//y", "/caldav/1/Calendars/x/y", "/CALDAV/1/calendars/x/y",
		"/caldav/%31/calendars/../../2/calendars/", "/caldav/1/calendars/%2e%2e/%2e%2e/2/", "/dav/../caldav/1/", "/world/%2e%2e/caldav/1/",
		"/caldav/1/calendars/"+strings.Repeat("a/", 2000), strings.Replace(calendar, "cal_", "CAL_", 1)+"x.ics")
}

// The response to a request with a hostile path is a redirect or an error, and
// the request changes nothing.
func TestHostilePathsChangeNothing(t *testing.T) {
	f := newFixture(t, apptest.Unlimited)
	f.dav.Do("OPTIONS", f.path).Want(200) // the server stores the time of the first use of a password
	f.WantUnchanged("hostile paths", func() {
		for _, path := range hostilePaths(f.path) {
			for _, method := range []string{"PUT", "GET", "DELETE", "PROPFIND", "MKCALENDAR"} {
				body := ""
				if method == "PUT" {
					body = event("path")
				}
				if status := f.sendRawPath(method, path, body); status < 300 || status >= 500 {
					t.Errorf("%s %.80s: got status %d, want 3xx or 4xx", method, path, status)
				}
			}
		}
	})
}

// sendRawPath sends a request without normalizing its path, and returns the
// status.
func (f *fixture) sendRawPath(method, path, body string) (status int) {
	f.t.Helper()
	r, err := http.NewRequest(method, f.HTTP.URL, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	r.URL.Opaque = path
	if strings.HasPrefix(path, "//") { // net/http would interpret it as a host
		r.URL.Opaque = strings.TrimPrefix(f.HTTP.URL, "http:") + path
	}
	r.Header.Set("Authorization", f.dav.Headers["Authorization"])
	r.Header.Set("Depth", "0")
	resp, err := f.dav.HTTP.Do(r)
	if err != nil {
		f.t.Fatalf("%s %s: %v", method, path, err)
	}
	resp.Body.Close()
	return resp.StatusCode
}
