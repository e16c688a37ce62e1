package dataset

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Any runtime that says something of reasonable length is served, and what it
// declares is each there once.
func FuzzRuntimeHeader(f *testing.F) {
	for _, s := range []string{"web/1.2", `web/1.2; caps="objects contexts"; datasets="service.runtime.dataset/1"`, `x;caps="`, ";", "a;b;c", `web; caps="a a a"`, "  "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, header string) {
		rt, err := ParseRuntime(header)
		trimmed := strings.TrimSpace(header)
		if good := trimmed != "" && len(trimmed) <= maxRuntimeHeader && utf8.ValidString(trimmed); good != (err == nil) {
			t.Fatalf("%q: %v", header, err)
		}
		seen := make(map[string]bool)
		for _, c := range rt.Capabilities {
			if c == "" || seen[c] {
				t.Errorf("%q declares %q", header, rt.Capabilities)
			}
			seen[c] = true
		}
		caps := rt.capabilities()
		if !rt.Generic && len(caps.Applied)+len(caps.Unsupported) != len(caps.Declared) {
			t.Errorf("%q: of %d declared, %d are applied and %d are not", header, len(caps.Declared), len(caps.Applied), len(caps.Unsupported))
		}
	})
}

// A place that is accepted is on the earth, and what is published of it leads
// there again. Covers PT-45 as far as queries go.
func FuzzParams(f *testing.F) {
	f.Add("lat=52.5&lon=13.4&radius=500&sections=objects,actions")
	f.Add("categories=food,+coffee&categories=moon,food&sections=x")
	f.Add("lat=1e400&lon=-0&radius=99999999999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		query, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		s, err := ParseParams(query)
		if err != nil {
			return
		}
		if o := s.Origin; o != nil && !(o.Latitude >= -90 && o.Latitude <= 90 && o.Longitude >= -180 && o.Longitude <= 180) {
			t.Errorf("%q is at %v", text, *o)
		}
		if s.Radius < MinRadius || s.Radius > MaxRadius {
			t.Errorf("%q has the radius %d", text, s.Radius)
		}
		// What is published leads to the same place again.
		said := s.query()
		query, err = url.ParseQuery(strings.TrimPrefix(said, "?"))
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParseParams(query); err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("%q is published as %q, which is %+v (%v)", text, said, again, err)
		}
	})
}
