package calendar

import (
	"net/netip"
	"strings"
	"testing"

	"appliance/app/config"
)

// A trusted proxy that compresses responses changes their ETags. The server accepts the
// changed ones from it, and only from it. Covers B-123.
func TestETagsThatAProxyChangedAreAccepted(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		f := newFixture(t, func(s *config.Settings) {
			if trusted {
				s.TrustedProxies = []config.Network{{Prefix: netip.MustParsePrefix("127.0.0.1/32")}}
			}
		})
		etag := f.put("tea.ics", event("tea"))
		entry := f.ann.Do("POST", "/world/time/objects", `{"object_type": "calendar_event", "title": "Tea", "start": "2026-12-01T15:00:00"}`).Want(201)
		self := entry.Str("object.links.self")
		link := f.ann.Do("POST", "/world/calendars/"+entry.Str("object.state.calendar_id")+"/feed").Want(201).Str("feed.path")
		for _, change := range []func(string) string{
			func(s string) string { return "W/" + s },
			func(s string) string { return strings.TrimSuffix(s, `"`) + `-gzip"` },
			func(s string) string { return "W/" + strings.TrimSuffix(s, `"`) + `-br"` },
		} {
			changed := change(etag)
			for name, a := range map[string]int{
				"If-Match": f.dav.With("If-Match", changed).Do("PROPPATCH", f.path+"tea.ics", proppatch(`<X:note>x</X:note>`)).Status,
				"If":       f.dav.With("If", "(["+changed+"])").Do("PROPPATCH", f.path+"tea.ics", proppatch(`<X:note>x</X:note>`)).Status,
			} {
				if succeeds := a < 300; succeeds != trusted {
					t.Errorf("trusted proxy %t, %s %s: got status %d, want success %t", trusted, name, changed, a, trusted)
				}
			}
			if !trusted {
				continue
			}
			version := f.ann.Do("GET", self).Want(200).Str("object.state.etag")
			f.ann.With("If-Match", change(version)).Do("PATCH", self, `{"title": "Cake"}`).Want(200)
			feed := f.Unauthenticated().Do("GET", link).Want(200).Header.Get("ETag")
			f.Unauthenticated().With("If-None-Match", change(strings.TrimPrefix(feed, "W/"))).Do("GET", link).Want(304)
		}
	}
}
