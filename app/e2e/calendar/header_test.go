package calendar

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Requests with hostile headers have a defined status and change nothing.
func TestHostileHeadersChangeNothing(t *testing.T) {
	f := newFixture(t, apptest.Unlimited)
	tea, text := f.path+"tea.ics", event("tea")
	etag := f.put("tea.ics", text)
	tags := strings.Repeat(`"0",`, 10_000)
	f.WantUnchanged("hostile headers", func() {
		for _, c := range []struct {
			name, value, method string
			status              int
		}{
			{"If-Match", tags + `"1"`, "PUT", 412},
			{"If-Match", strings.Repeat(`"`, 9_999), "PUT", 400},
			{"If-Match", strings.Repeat("W/", 9_999), "PUT", 412},
			{"If-Match", strings.Repeat(",", 50_000), "PUT", 412},
			{"If-Match", "*, " + etag, "PUT", 400},
			{"If-Match", "ÿ", "PUT", 412},
			{"If-None-Match", tags + etag, "PUT", 412},
			{"If-None-Match", tags + etag, "GET", 304},
			{"If-Modified-Since", "yesterday", "GET", 200},
			{"If-Unmodified-Since", strings.Repeat("x", 10_000), "GET", 200},
			{"Range", "bytes=" + strings.Repeat("0-1,", 10_000) + "0-1", "GET", 200},
			{"Range", "bytes=5-1", "GET", 416},
			{"Depth", "99999", "PROPFIND", 400},
			{"Depth", "-1", "PROPFIND", 400},
			{"Depth", strings.Repeat("0", 10_000), "PROPFIND", 400},
			{"Prefer", strings.Repeat("return=minimal,", 10_000), "PROPFIND", 207},
			{"Content-Type", strings.Repeat("text/", 10_000), "PUT", 403},
			{"Authorization", "Basic " + strings.Repeat("A", 100_000), "GET", 401},
			{"X-Filler", strings.Repeat("x", 2<<20), "GET", 431},
		} {
			body := ""
			if c.method == "PUT" {
				body = text
			}
			if a := f.dav.With(c.name, c.value).Do(c.method, tea, body); a.Status != c.status {
				t.Errorf("%s with %s: %.40s: got status %d, want %d: %.300s", c.method, c.name, c.value, a.Status, c.status, a.Body)
			}
		}
	})
	f.dav.With("If-Match", tags+etag).Do("PUT", tea, text).Want(204)
}
