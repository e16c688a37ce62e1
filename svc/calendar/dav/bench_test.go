package dav

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"appliance/svc"
)

// nowhere is where a benchmark sends its responses.
type nowhere struct{ h http.Header }

func (w nowhere) Header() http.Header         { return w.h }
func (w nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (w nowhere) WriteHeader(int)             {}

// still is a Backend that costs nothing: what is left is the protocol.
type still struct {
	Backend
	Snapshot
	objects []Object
	byName  map[string]Object
}

func (s *still) View(_ context.Context, _ svc.Viewer, fn func(Snapshot) error) error { return fn(s) }
func (s *still) Calendar(segment string) (Calendar, error) {
	return Calendar{Segment: segment}, nil
}
func (s *still) Objects(string, bool) ([]Object, error) { return s.objects, nil }
func (s *still) Changes(string, string, int, bool) (Changes, error) {
	return Changes{Changed: s.objects, Token: "urn:x"}, nil
}
func (s *still) ObjectsByName(_ string, names []string, _ bool) ([]Object, error) {
	list := make([]Object, len(names))
	for i, name := range names {
		list[i] = s.byName[name]
	}
	return list, nil
}

// benchmark measures one request on a calendar of 5,000 events.
func benchmark(b *testing.B, method, body string) {
	s := &still{byName: make(map[string]Object)}
	data := []byte(event("lunch@example.org", strings.Repeat("Lunch ", 40)))
	for i := range 5000 {
		o := Object{Name: fmt.Sprintf("%08d.ics", i), Component: "VEVENT", ETag: fmt.Sprintf(`"%032x"`, i), Size: len(data)}
		s.objects = append(s.objects, o)
		o.Data = data
		s.byName[o.Name] = o
	}
	h := New(s, "", "/caldav", b.TempDir())
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(method, "/caldav/1/calendars/home/", strings.NewReader(body))
		r.Header.Set("Depth", "1")
		if err := h.Serve(nowhere{http.Header{}}, r, svc.Trust(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkListETags is what a client without sync-collection costs each time
// something has changed.
func BenchmarkListETags(b *testing.B) {
	benchmark(b, "PROPFIND", `<propfind xmlns="DAV:"><prop><getetag/><resourcetype/><nothing/></prop></propfind>`)
}

// BenchmarkFirstSync is what a new device costs before it fetches anything.
func BenchmarkFirstSync(b *testing.B) {
	benchmark(b, "REPORT", `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`)
}

// BenchmarkMultiget100 is the step by which most clients fetch.
func BenchmarkMultiget100(b *testing.B) {
	var body strings.Builder
	io.WriteString(&body, `<C:calendar-multiget xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><getetag/><C:calendar-data/></prop>`)
	for i := range 100 {
		fmt.Fprintf(&body, "<href>/caldav/1/calendars/home/%08d.ics</href>", i)
	}
	io.WriteString(&body, `</C:calendar-multiget>`)
	benchmark(b, "REPORT", body.String())
}

// BenchmarkReadXML reads the largest body a client sends: a multiget of
// everything.
func BenchmarkReadXML(b *testing.B) {
	body := `<multiget xmlns="DAV:">` + strings.Repeat("<href>/caldav/1/calendars/home/01234567-89ab-cdef.ics</href>", 5000) + `</multiget>`
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := readXML(strings.NewReader(body)); err != nil {
			b.Fatal(err)
		}
	}
}
