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

// discardResponse is a ResponseWriter that discards the response.
type discardResponse struct{ h http.Header }

func (w discardResponse) Header() http.Header         { return w.h }
func (w discardResponse) Write(b []byte) (int, error) { return len(b), nil }
func (w discardResponse) WriteHeader(int)             {}

// staticBackend returns stored results, so that a benchmark measures the
// protocol only.
type staticBackend struct {
	Backend
	Snapshot
	objects []Object
	byName  map[string]Object
}

func (s *staticBackend) View(_ context.Context, _ svc.Viewer, fn func(Snapshot) error) error {
	return fn(s)
}
func (s *staticBackend) Lookup(_ context.Context, _ svc.Viewer, fn func(Snapshot) error) error {
	return fn(s)
}
func (s *staticBackend) File(string, bool) (File, error) { return File{}, errNotFound }
func (s *staticBackend) MemberDeadProperties(Ref) (map[string][]DeadProperty, error) {
	return nil, nil
}
func (s *staticBackend) DeadProperties(Ref) ([]DeadProperty, error) { return nil, nil }
func (s *staticBackend) ObjectData(list []Object) ([][]byte, error) {
	data := make([][]byte, len(list))
	for i, o := range list {
		data[i] = s.byName[o.Name].Data
	}
	return data, nil
}
func (s *staticBackend) Calendar(segment string) (Calendar, error) {
	return Calendar{Segment: segment}, nil
}
func (s *staticBackend) Objects(string, bool) ([]Object, error) { return s.objects, nil }
func (s *staticBackend) Changes(string, string, int, bool) (Changes, error) {
	return Changes{Changed: s.objects, Token: "urn:x"}, nil
}
func (s *staticBackend) ObjectsByName(_ string, names []string, _ bool) ([]Object, error) {
	list := make([]Object, len(names))
	for i, name := range names {
		list[i] = s.byName[name]
	}
	return list, nil
}

// benchmarkRequest measures one request on a calendar of 5,000 events.
func benchmarkRequest(b *testing.B, method, body string) {
	s := &staticBackend{byName: make(map[string]Object)}
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
		if err := h.Serve(discardResponse{http.Header{}}, r, svc.Trust(1)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkListETags lists all ETags, as a client without sync-collection does
// after every change.
func BenchmarkListETags(b *testing.B) {
	benchmarkRequest(b, "PROPFIND", `<propfind xmlns="DAV:"><prop><getetag/><resourcetype/><nothing/></prop></propfind>`)
}

// BenchmarkFirstSync is the initial synchronization of a new device.
func BenchmarkFirstSync(b *testing.B) {
	benchmarkRequest(b, "REPORT", `<sync-collection xmlns="DAV:"><sync-token/><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`)
}

// BenchmarkMultiget100 fetches 100 objects, as most clients do per request.
func BenchmarkMultiget100(b *testing.B) {
	var body strings.Builder
	io.WriteString(&body, `<C:calendar-multiget xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><prop><getetag/><C:calendar-data/></prop>`)
	for i := range 100 {
		fmt.Fprintf(&body, "<href>/caldav/1/calendars/home/%08d.ics</href>", i)
	}
	io.WriteString(&body, `</C:calendar-multiget>`)
	benchmarkRequest(b, "REPORT", body.String())
}

// BenchmarkReadXML parses the largest body of real clients, a multiget of a whole
// calendar.
func BenchmarkReadXML(b *testing.B) {
	body := `<multiget xmlns="DAV:">` + strings.Repeat("<href>/caldav/1/calendars/home/01234567-89ab-cdef.ics</href>", 5000) + `</multiget>`
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := readXML(strings.NewReader(body)); err != nil {
			b.Fatal(err)
		}
	}
}
