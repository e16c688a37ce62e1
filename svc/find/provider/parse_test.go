package provider

import (
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"appliance/svc/maps/geo"
)

// Examples of responses, with numbers as strings and as numbers.
const (
	nominatimBody = `[{"place_id":1,"licence":"x","osm_type":"node","osm_id":"240109189","lat":"52.5170365","lon":13.3888599,"category":"amenity","type":"cafe",
		"name":"Kaffee &amp; Kuchen","display_name":"Kaffee &amp; Kuchen, 1, Main St, Berlin","boundingbox":["1","2","3","4"],"extratags":{"website":"kaffee.example; x"}},
		{"osm_type":"way","osm_id":7,"lat":1.5,"lon":"-2","display_name":"Only display, Town"},
		{"lat":"48.1","lon":"11.5","display_name":"80331, München","type":"postcode","category":"place"},
		{"lat":"91","lon":"0","name":"beyond"},{"lat":"x","lon":"0","name":"no number"},{"name":"no position"},{"lat":1,"lon":2},7,null,"x"]`
	photonBody = `{"type":"FeatureCollection","features":[
		{"geometry":{"coordinates":[14.51,"35.9"]},"properties":{"name":"St John's","osm_type":"W","osm_id":12,"osm_key":"tourism","osm_value":"museum","street":"Republic St","housenumber":"3","postcode":"VLT","city":"Valletta","country":"Malta"}},
		{"geometry":{"coordinates":[14.5,35.8]},"properties":{"street":"Main St","housenumber":"12","city":"Mdina","osm_type":"N","osm_id":5,"osm_key":"building","osm_value":"<b>"}},
		{"geometry":{"coordinates":[14.5]},"properties":{"name":"one coordinate"}},{"geometry":null,"properties":null},{"geometry":{"coordinates":[200,0]},"properties":{"name":"beyond"}}]}`
	searxngBody = `{"query":"q","results":[{"url":"https://example.org/a?b=1","title":"An <b>example</b>","content":"Text &lt;script&gt;alert(1)&lt;/script&gt; more\nlines"},
		{"url":"javascript:alert(1)","title":"x"},{"url":"https://user@example.org/","title":"x"},{"url":"//example.org","title":"x"},{"url":7,"title":[]},{"url":"http://example.com/","title":""}],"unresponsive_engines":[["x","timeout"]]}`
	braveBody = `{"type":"search","web":{"results":[{"url":"https://example.org/","title":"A","description":"<strong>B</strong>"}]}}`
)

func TestParseNominatim(t *testing.T) {
	got, err := parseNominatim([]byte(nominatimBody))
	want := []Place{
		{"osm", "node/240109189", "Kaffee & Kuchen", "amenity=cafe", "1, Main St, Berlin", geo.Point{Latitude: 52.5170365, Longitude: 13.3888599}, "https://kaffee.example", openStreetMap},
		{"osm", "way/7", "Only display", "", "Town", geo.Point{Latitude: 1.5, Longitude: -2}, "", openStreetMap},
		{"geocoder", "1df44e2dd5a7ad5b", "80331", "place=postcode", "München", geo.Point{Latitude: 48.1, Longitude: 11.5}, "", openStreetMap},
	}
	if len(got) == 3 {
		want[2].ProviderID = got[2].ProviderID
		if len(got[2].ProviderID) != 16 {
			t.Errorf("postcode: got the id %q, want 16 digits", got[2].ProviderID)
		}
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParsePhoton(t *testing.T) {
	got, err := parsePhoton([]byte(photonBody))
	want := []Place{
		{"osm", "way/12", "St John's", "tourism=museum", "Republic St 3, VLT Valletta, Malta", geo.Point{Latitude: 35.9, Longitude: 14.51}, "", openStreetMap},
		{"osm", "node/5", "Main St 12", "", "Mdina", geo.Point{Latitude: 35.8, Longitude: 14.5}, "", openStreetMap},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestParsePages(t *testing.T) {
	got, err := parseSearXNG([]byte(searxngBody))
	want := []Page{{"https://example.org/a?b=1", "An example", "Text alert(1) more lines"}, {"http://example.com/", "example.com", ""}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("SearXNG: got %+v, %v, want %+v", got, err, want)
	}
	got, err = parseBrave([]byte(braveBody))
	if want := []Page{{"https://example.org/", "A", "B"}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Brave: got %+v, %v, want %+v", got, err, want)
	}
}

func TestResponsesWithoutResultsAreNoFailures(t *testing.T) {
	for name, parse := range map[string]func() (int, error){
		"nominatim": func() (int, error) { l, err := parseNominatim([]byte(`[]`)); return len(l), err },
		"photon":    func() (int, error) { l, err := parsePhoton([]byte(`{"features":[]}`)); return len(l), err },
		"searxng":   func() (int, error) { l, err := parseSearXNG([]byte(`{"results":[]}`)); return len(l), err },
		"brave":     func() (int, error) { l, err := parseBrave([]byte(`{"type":"search"}`)); return len(l), err },
	} {
		if n, err := parse(); n != 0 || err != nil {
			t.Errorf("%s: got %d results, %v, want none", name, n, err)
		}
	}
}

func TestResponsesOfAnotherFormAreFailures(t *testing.T) {
	for _, body := range []string{
		``, `null`, `{}`, `{"error":"x"}`, `<html><body>Service</body></html>`, `[1,2]`, `[[]]`, `"text"`, `{"results":{}}`, `{"features":{}}`, `{"web":[]}`,
		`{"results":[{"url":"ftp://x/"}]}`, `{"features":[{"geometry":{}}]}`, `{"type":"search","web":{"results":[{}]}}`, `[{"lat":1}`, strings.Repeat(`[`, 20000),
	} {
		if l, err := parseNominatim([]byte(body)); err == nil {
			t.Errorf("Nominatim: %.40s: got %v, want an error", body, l)
		}
		if l, err := parsePhoton([]byte(body)); err == nil {
			t.Errorf("Photon: %.40s: got %v, want an error", body, l)
		}
		if l, err := parseSearXNG([]byte(body)); err == nil {
			t.Errorf("SearXNG: %.40s: got %v, want an error", body, l)
		}
		if l, err := parseBrave([]byte(body)); err == nil {
			t.Errorf("Brave: %.40s: got %v, want an error", body, l)
		}
	}
	_, err := parseSearXNG([]byte(`{"results":[],"unresponsive_engines":[["brave","timeout"]]}`))
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != HTTPError || !e.Retryable {
		t.Errorf("unresponsive engines: got %v, want a retryable %s", err, HTTPError)
	}
}

func TestPlainTextHasNoMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"a &amp; b": "a & b", "1 < 2": "1 < 2", "a<br>b": "a b", "<b>x</b>": "x", "x<": "x<", "x<script": "x", "&lt;b&gt;x": "x", "&amp;lt;b&amp;gt;x": "x",
		"a\x00b\tc\u2028d": "a b c d", "<!-- c -->x": "x", "I <3 it": "I <3 it",
	} {
		if got := plainText(text(in), 100); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := plainText(text(strings.Repeat("ä", 50)), 10); got != strings.Repeat("ä", 10) {
		t.Errorf("long text: got %q, want 10 characters", got)
	}
}

// wantPlain checks a text of a result.
func wantPlain(t *testing.T, s string, limit int, required bool) {
	t.Helper()
	if !utf8.ValidString(s) || utf8.RuneCountInString(s) > limit || strings.ContainsFunc(s, unicode.IsControl) || required && s == "" || strings.Contains(s, "<script") {
		t.Errorf("got the text %q, want one plain line of up to %d characters", s, limit)
	}
}

func wantWebAddress(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || len(address) > maxWebAddress {
		t.Errorf("got the address %q, %v, want one of the web", address, err)
	}
}

func wantPlaces(t *testing.T, places []Place) {
	t.Helper()
	if len(places) > maxResults {
		t.Errorf("got %d places, want up to %d", len(places), maxResults)
	}
	for _, p := range places {
		wantPlain(t, p.Name, maxTitle, true)
		wantPlain(t, p.Address, maxAddress, false)
		if !p.Point.Valid() || p.Provider != "osm" && p.Provider != PlacesName || p.ProviderID == "" || len(p.Kind) > maxKind {
			t.Errorf("got %+v, want a valid place", p)
		}
		if p.Website != "" {
			wantWebAddress(t, p.Website)
		}
	}
}

func wantPages(t *testing.T, pages []Page) {
	t.Helper()
	if len(pages) > maxResults {
		t.Errorf("got %d pages, want up to %d", len(pages), maxResults)
	}
	for _, p := range pages {
		wantPlain(t, p.Title, maxTitle, true)
		wantPlain(t, p.Summary, maxPageSummary, false)
		wantWebAddress(t, p.URL)
	}
}

// Results have valid positions, plain texts and addresses of the web, for every
// response of a server.
func FuzzNominatim(f *testing.F) {
	f.Add([]byte(nominatimBody))
	f.Fuzz(func(t *testing.T, body []byte) {
		if places, err := parseNominatim(body); err == nil {
			wantPlaces(t, places)
		}
	})
}

// See [FuzzNominatim].
func FuzzPhoton(f *testing.F) {
	f.Add([]byte(photonBody))
	f.Fuzz(func(t *testing.T, body []byte) {
		if places, err := parsePhoton(body); err == nil {
			wantPlaces(t, places)
		}
	})
}

// See [FuzzNominatim].
func FuzzSearXNG(f *testing.F) {
	f.Add([]byte(searxngBody))
	f.Fuzz(func(t *testing.T, body []byte) {
		if pages, err := parseSearXNG(body); err == nil {
			wantPages(t, pages)
		}
	})
}

// See [FuzzNominatim].
func FuzzBrave(f *testing.F) {
	f.Add([]byte(braveBody))
	f.Fuzz(func(t *testing.T, body []byte) {
		if pages, err := parseBrave(body); err == nil {
			wantPages(t, pages)
		}
	})
}
