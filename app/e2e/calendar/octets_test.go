package calendar

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc/calendar/ics"
)

// unusualObjects returns valid objects with unusual octets.
func unusualObjects() map[string]string {
	return map[string]string{
		"lf":              strings.ReplaceAll(event("lf", "SUMMARY:LF"), "\r\n", "\n"),
		"byte-order-mark": "\ufeff" + event("bom", "SUMMARY:BOM"),
		"blank-lines":     "\r\n" + event("blank", "", "SUMMARY:Blank") + "\r\n\r\n",
		"no-last-line-end": strings.TrimSpace(
			event("end", "SUMMARY:End")),
		"markup":      event("markup", "SUMMARY:]]> & <b>Markup</b> &#13;"),
		"white-space": event("space", "SUMMARY:White space", "DESCRIPTION:\ta\u00a0b\u2028c\u0085d  "),
	}
}

// GET, HEAD and all reports return the octets of the PUT with its ETag. The
// ETag depends on the octets only, even after a deletion and a new PUT. The
// JSON API lists the object. Covers C-12, C-13, C-14, C-16, C-30, T-07 and
// PT-22.
func TestStoredOctetsAreReturned(t *testing.T) {
	f := newFixture(t)
	objects := maps.Clone(apptest.RealObjects)
	maps.Copy(objects, unusualObjects())
	for name, text := range objects {
		t.Run(name, func(t *testing.T) {
			f := *f
			f.t = t
			path := f.path + name + ".ics"
			etag := f.put(name+".ics", text)
			if again := f.dav.Do("PUT", path, text).Want(204).Header.Get("ETag"); again != etag || !strings.HasPrefix(etag, `"`) {
				t.Errorf("second PUT: got ETag %s, want a strong one and again %s", again, etag)
			}
			f.wantOctets(path, text, etag)
			f.dav.Do("DELETE", path).Want(204)
			f.dav.Do("GET", path).Want(404)
			f.dav.Do("DELETE", path).Want(404)
			if again := f.put(name+".ics", text); again != etag {
				t.Errorf("PUT after DELETE: got ETag %s, want %s", again, etag)
			}
			list := f.ann.Do("GET", "/world/time/objects?start=2026-01-01&end=2028-01-01&limit=200").Want(200)
			if title := summaryOf(t, text); !strings.Contains(list.Body, title) {
				t.Errorf("JSON list: got %s, want %q in it", list.Body, title)
			}
		})
	}
	types := f.dav.With("Depth", "1").Do("PROPFIND", f.path, propfind("<getcontenttype/>")).Want(207).Body
	for _, want := range []string{"component=VEVENT", "component=VTODO"} {
		if !strings.Contains(types, want) {
			t.Errorf("content types in one calendar: got %s, want %s in it", types, want)
		}
	}
}

// wantOctets fails the test unless every request that reads the object returns
// the text and the ETag.
func (f *fixture) wantOctets(path, text, etag string) {
	f.t.Helper()
	get := f.dav.Do("GET", path).Want(200)
	if get.Body != text || get.Header.Get("ETag") != etag {
		f.t.Errorf("GET: got ETag %s and\n%q\nwant %s and\n%q", get.Header.Get("ETag"), get.Body, etag, text)
	}
	head := f.dav.Do("HEAD", path).Want(200)
	if head.Header.Get("ETag") != etag || head.Header.Get("Content-Length") != fmt.Sprint(len(text)) || head.Body != "" {
		f.t.Errorf("HEAD: got header %v and body %q, want ETag %s, Content-Length %d and no body", head.Header, head.Body, etag, len(text))
	}
	f.dav.With("If-None-Match", etag).Do("GET", path).Want(304)
	const properties = "<getetag/>" + calendarData
	for report, body := range map[string]string{
		"calendar-multiget": multiget(properties, path),
		"calendar-query":    query(properties, ""),
		"sync-collection":   firstSync(properties),
	} {
		found := 0
		for _, e := range f.dav.Do("REPORT", f.path, body).Multistatus().Entries {
			if e.Href != path {
				continue
			}
			found++
			if e.ETag != etag || e.Data != text {
				f.t.Errorf("%s: got ETag %s and\n%q\nwant %s and\n%q", report, e.ETag, e.Data, etag, text)
			}
		}
		if found != 1 {
			f.t.Errorf("%s: got the object %d times, want once", report, found)
		}
	}
}

// summaryOf returns the SUMMARY of an object.
func summaryOf(t *testing.T, text string) string {
	t.Helper()
	o, err := ics.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o.Components()[0].Text("SUMMARY")
}

// A calendar-multiget returns each object with its own data, in the order of the
// hrefs (RFC 4791 §7.9).
func TestMultigetKeepsTheOrderOfHrefs(t *testing.T) {
	f := newFixture(t)
	for _, name := range []string{"a", "b", "c"} {
		f.put(name+".ics", event(name, "SUMMARY:"+name))
	}
	want := []string{"c", "a", "b"}
	var hrefs []string
	for _, name := range want {
		hrefs = append(hrefs, f.path+name+".ics")
	}
	entries := f.dav.Do("REPORT", f.path, multiget(calendarData, hrefs...)).Multistatus().Entries
	if len(entries) != len(want) {
		t.Fatalf("got %d responses, want %d", len(entries), len(want))
	}
	for i, e := range entries {
		if got := summaryOf(t, e.Data); e.Href != hrefs[i] || got != want[i] {
			t.Errorf("response %d: got %s with the data of %s, want %s with its own", i, e.Href, got, hrefs[i])
		}
	}
}
