package find

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"appliance/svc"
	"appliance/svc/maps"
	"appliance/svc/maps/geo"
)

// Covers F-01, F-02 and F-29.
func TestInvalidRequests(t *testing.T) {
	f := newFixture(t)
	for body, want := range map[string]string{
		`{}`: "field_required", `{"query": " ", "scope": "nearby"}`: "field_required", `{"query": "x"}`: "field_required",
		`{"query": "x", "scope": "galaxy"}`: "invalid_value", `{"query": "x\ny", "scope": "nearby"}`: "invalid_value",
		`{"query": "` + strings.Repeat("x", maps.MaxQuery+1) + `", "scope": "nearby"}`:        "too_long",
		`{"query": "x", "scope": "nearby", "origin": {"latitude": 91, "longitude": 0}}`:       "invalid_value",
		`{"query": "x", "scope": "everywhere", "origin": {"latitude": 0, "longitude": -181}}`: "invalid_value",
		`{"query": "x", "scope": "nearby", "origin": {"latitude": 1}}`:                        "field_required",
		`{"query": "x", "scope": "nearby", "origin": {"longitude": 1}}`:                       "field_required",
	} {
		_, err := f.search(ann, body)
		if e, ok := err.(*svc.Error); !ok || e.Code.Name != want || len(e.Fields) == 0 {
			t.Errorf("%s: got %v, want %s with the field", body, err, want)
		}
	}
	if _, err := f.search(0, `{"query": "x", "scope": "nearby"}`); svc.KindOf(err) != svc.Anonymous {
		t.Errorf("without a member: got %v, want it rejected", err)
	}
	wantEqual(t, "searches in the history", len(f.history(ann)), 0)
}

// Covers F-05, F-06, F-07 and S-43.
func TestNearbyWithoutOriginAsksNoProvider(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	g := f.geocoder(fixedResponse(200, nominatim(1, "tea", lisbon)))
	f.mustSearch(`{"query": "tea", "scope": "everywhere"}`, StatusOK)
	before, requests := f.shown[ann], len(g.queries)
	for _, query := range []string{"tea", "tea near me", "tea NEAR here"} {
		o := f.mustSearch(`{"query": "`+query+`", "scope": "nearby"}`, StatusLocationRequired)
		if o.Error == nil || !o.Error.Retryable || o.Error.Code != "location_required" || o.Error.Message == "" || len(o.Findings) > 0 {
			t.Errorf("%s: got %+v, want a retryable error and no findings", query, o)
		}
	}
	wantEqual(t, "requests", len(g.queries), requests)
	wantEqual(t, "overlay", len(f.shown[ann]), len(before))
}

// Covers F-10, F-11, F-12, F-13, F-16, F-17 and F-18.
func TestRadiusAndViewbox(t *testing.T) {
	f := newFixture(t)
	corner := geo.Point{Latitude: north(berlin, 4900).Latitude, Longitude: berlin.Longitude + 4900/(geo.MetersPerDegree*0.6087)}
	g := f.geocoder(fixedResponse(200, nominatim(1, "inside", north(berlin, 4999), 2, "outside", north(berlin, 5001), 3, "corner", corner, 4, "near", north(berlin, 900))))
	for radius, want := range map[string]struct {
		applied int
		ids     string
	}{
		"null": {5000, "osm:node/4 osm:node/1"}, "1000": {1000, "osm:node/4"}, "50000": {5000, "osm:node/4 osm:node/1"}, "1": {50, ""}, "-7": {50, ""},
	} {
		o := f.mustSearch(`{"query": "?! Berlin", "scope": "nearby", "origin": {"latitude": 52.5, "longitude": 13.4}, "radius_meters": `+radius+`}`, StatusOK)
		wantEqual(t, radius+": applied", o.Applied.RadiusMeters, want.applied)
		wantEqual(t, radius+": scope", o.Applied.Scope, Nearby)
		wantEqual(t, radius+": findings", o.ids(), want.ids)
	}
	q, _ := url.ParseQuery(g.queries[0])
	wantEqual(t, "text", q.Get("q"), "?! Berlin")
	wantEqual(t, "bounded", q.Get("bounded"), "1")
	sides := strings.Split(q.Get("viewbox"), ",")
	if len(sides) != 4 {
		t.Fatalf("got the viewbox %v, want four sides", sides)
	}
	side := func(i int) float64 { n, _ := strconv.ParseFloat(sides[i], 64); return n }
	for name, p := range map[string]geo.Point{
		"west": {Latitude: 52.5, Longitude: side(0)}, "south": {Latitude: side(1), Longitude: 13.4}, "east": {Latitude: 52.5, Longitude: side(2)}, "north": {Latitude: side(3), Longitude: 13.4},
	} {
		if d := geo.Distance(berlin, p); d < 4950 || d > 5050 {
			t.Errorf("%s: got a side at %.0f m, want 5000 m", name, d)
		}
	}
	o := f.mustSearch(`{"query": "pizza", "scope": "everywhere", "origin": {"latitude": 52.5, "longitude": 13.4}}`, StatusOK)
	q, _ = url.ParseQuery(g.queries[len(g.queries)-1])
	if q.Has("viewbox") || q.Has("bounded") || q.Get("q") != "pizza" || o.Applied.Scope != Everywhere || o.Applied.Origin != nil || len(o.Findings) != 4 {
		t.Errorf("everywhere: got %s and %+v, want no viewbox", q, o.Applied)
	}
}

// Covers F-04 and F-09.
func TestNoResultIsASuccess(t *testing.T) {
	f := newFixture(t)
	f.geocoder(fixedResponse(200, "[]"))
	o := f.mustSearch(`{"query": "x", "scope": "everywhere"}`, StatusOK)
	if len(o.Findings) > 0 || o.Error != nil || len(o.ProviderErrors) > 0 || o.Message != "Nothing found." {
		t.Errorf("got %+v, want an empty success", o)
	}
	if shown, ok := f.shown[ann]; !ok || len(shown) > 0 {
		t.Errorf("got the overlay %v, want it emptied", shown)
	}
}

// Covers F-08, F-09, F-34, S-43, X-35 and B-44.
func TestProviderFailures(t *testing.T) {
	const everywhere, nearby = `{"query": "x", "scope": "everywhere"}`, `{"query": "x", "scope": "nearby", "origin": {"latitude": 38.7, "longitude": -9.1}}`
	ok, page := fixedResponse(200, nominatim(1, "x", lisbon)), fixedResponse(200, searxng("https://example.org/"))
	for name, c := range map[string]struct {
		geocoder, web func(map[string][]string) (int, string)
		local         bool
		body          string
		status        Status
		findings      int
		errors        string
	}{
		"place search fails":            {fixedResponse(500, ""), nil, false, everywhere, StatusProviderError, 0, "geocoder:http_error"},
		"place search answers HTML":     {fixedResponse(200, "<html>"), nil, false, nearby, StatusProviderError, 0, "geocoder:bad_response"},
		"place search is limited":       {fixedResponse(429, ""), nil, false, nearby, StatusProviderError, 0, "geocoder:rate_limited"},
		"both fail":                     {fixedResponse(500, ""), fixedResponse(403, ""), false, everywhere, StatusProviderError, 0, "geocoder:http_error web:http_error"},
		"web search fails":              {ok, fixedResponse(500, ""), false, everywhere, StatusOK, 1, "web:http_error"},
		"place search fails, web is ok": {fixedResponse(500, ""), page, false, everywhere, StatusOK, 1, "geocoder:http_error"},
		"place search fails, local":     {fixedResponse(500, ""), nil, true, nearby, StatusOK, 1, "geocoder:http_error"},
		"both are ok":                   {ok, page, false, everywhere, StatusOK, 2, ""},
		"no web search nearby":          {ok, fixedResponse(500, ""), false, nearby, StatusOK, 1, ""},
		"nothing configured":            {nil, nil, false, everywhere, StatusProviderError, 0, "maps:not_configured"},
		"only web search, nearby":       {nil, page, false, nearby, StatusProviderError, 0, "maps:not_configured"},
		"only web search":               {nil, page, false, everywhere, StatusOK, 1, ""},
		"local places only":             {nil, nil, true, everywhere, StatusOK, 1, ""},
		"engines behind the web search": {nil, fixedResponse(200, `{"results":[],"unresponsive_engines":[["a","b"]]}`), false, everywhere, StatusProviderError, 0, "web:http_error"},
	} {
		f := newFixture(t)
		f.shown[ann] = []svc.Finding{{FindingID: "before"}}
		if c.geocoder != nil {
			f.geocoder(c.geocoder)
		}
		if c.web != nil {
			f.web(c.web)
		}
		if c.local {
			f.addPlace("osm:node/9", "x", lisbon, "")
		}
		o, err := f.search(ann, c.body)
		if err != nil || o.Status != c.status || len(o.Findings) != c.findings || o.codes() != c.errors {
			t.Errorf("%s: got %s, %d findings, errors %q, %v, want %s, %d, %q", name, o.Status, len(o.Findings), o.codes(), err, c.status, c.findings, c.errors)
		}
		if c.status == StatusProviderError && (o.Error == nil || o.Error.Code != "provider_failed" || !o.Error.Retryable || o.Message == "" || f.shown[ann][0].FindingID != "before") {
			t.Errorf("%s: got %+v and the overlay %v, want an error and the previous overlay", name, o, f.shown[ann])
		}
		if records := f.history(ann); len(records) != 1 || records[0].Status != c.status {
			t.Errorf("%s: got the history %+v, want the search", name, records)
		}
	}
}

// While only the large towns are loaded, a search without a result says so.
func TestOnlyLargeTownsAreKnownWhileLoading(t *testing.T) {
	f := newFixture(t)
	f.addPlace("osm:node/1", "tea", lisbon, "")
	f.onlyLargeTowns = true
	o := f.mustSearch(`{"query": "xyz", "scope": "everywhere"}`, StatusOK)
	if len(o.ProviderErrors) != 1 || !o.ProviderErrors[0].Retryable || !strings.HasPrefix(o.Message, "Only large towns are known.") {
		t.Errorf("got %+v, want a hint that the other towns are being loaded", o)
	}
}

func TestNotConfiguredWhileLoading(t *testing.T) {
	f := newFixture(t)
	f.regions = nil
	o := f.mustSearch(`{"query": "x", "scope": "everywhere"}`, StatusProviderError)
	if len(o.ProviderErrors) != 1 || !o.ProviderErrors[0].Retryable || !strings.Contains(o.Message, "being loaded") {
		t.Errorf("got %+v, want a hint that places are being loaded", o)
	}
	f.config.MapsOff = true
	o = f.mustSearch(`{"query": "x", "scope": "everywhere"}`, StatusProviderError)
	if o.ProviderErrors[0].Retryable || strings.Contains(o.Message, "being loaded") {
		t.Errorf("Maps switched off: got %+v, want no such hint", o)
	}
}

// Covers F-14 and F-15.
func TestNearAPlace(t *testing.T) {
	f := newFixture(t)
	g := f.geocoder(func(q map[string][]string) (int, string) {
		if q["q"][0] == "Lisbon" {
			return 200, nominatim(7, "Lisbon", lisbon)
		}
		if q["bounded"] == nil {
			return 200, nominatim(9, "far away", berlin)
		}
		return 200, nominatim(8, "Tea room", north(lisbon, 400))
	})
	for _, rest := range []string{`"scope": "everywhere"`, `"scope": "nearby"`, `"scope": "nearby", "origin": {"latitude": 52.5, "longitude": 13.4}`} {
		g.queries = nil
		advanceDay(f)
		o := f.mustSearch(`{"query": "tea near Lisbon", `+rest+`}`, StatusOK)
		if o.ids() != "osm:node/8" || o.Applied.Scope != Nearby || o.Applied.Place == nil || *o.Applied.Place != "Lisbon" || *o.Applied.Origin != (Position{lisbon.Latitude, lisbon.Longitude}) {
			t.Errorf("%s: got %s and %+v, want the tea room near Lisbon", rest, o.ids(), o.Applied)
		}
		wantEqual(t, "message", o.Message, "1 result near Lisbon.")
		if len(g.queries) != 2 || strings.Contains(g.queries[0], "bounded") || !strings.Contains(g.queries[1], "bounded=1") || !strings.Contains(g.queries[1], "q=tea") {
			t.Errorf("%s: got the requests %q, want Lisbon everywhere and tea around it", rest, g.queries)
		}
	}
}

// advanceDay makes cached responses expire.
func advanceDay(f *fixture) { f.clock.Advance(25 * 3600 * 1e9) }

// Covers B-45.
func TestNearAnUnknownPlaceSearchesTheWholeText(t *testing.T) {
	f := newFixture(t)
	g := f.geocoder(func(q map[string][]string) (int, string) {
		if q["q"][0] == "tea near Atlantis" {
			return 200, nominatim(5, "Tea near Atlantis", lisbon)
		}
		return 200, "[]"
	})
	o := f.mustSearch(`{"query": "tea near Atlantis", "scope": "everywhere"}`, StatusOK)
	if o.ids() != "osm:node/5" || o.Applied.Scope != Everywhere || o.Applied.Place != nil {
		t.Errorf("everywhere: got %s, %+v, want the whole text searched", o.ids(), o.Applied)
	}
	o = f.mustSearch(`{"query": "tea near Atlantis", "scope": "nearby", "origin": {"latitude": 38.7, "longitude": -9.1}}`, StatusOK)
	if o.ids() != "osm:node/5" || o.Applied.Scope != Nearby {
		t.Errorf("nearby: got %s, %+v, want the whole text searched", o.ids(), o.Applied)
	}
	requests := len(g.queries)
	f.mustSearch(`{"query": "tea near Atlantis", "scope": "nearby"}`, StatusLocationRequired)
	wantEqual(t, "further requests, with the place in the cache", len(g.queries), requests)
	g.handle = fixedResponse(500, "")
	o = f.mustSearch(`{"query": "tea near Nowhere", "scope": "nearby"}`, StatusProviderError)
	wantEqual(t, "errors if the place cannot be looked up", o.codes(), "geocoder:http_error")
}

func TestNearAPlaceOfMaps(t *testing.T) {
	f := newFixture(t)
	f.addPlace("geonames:1", "Lisbon", lisbon, "")
	f.addPlace("osm:node/2", "tea", north(lisbon, 3000), "")
	f.addPlace("osm:node/3", "tea", north(lisbon, 300), "")
	f.addPlace("osm:node/4", "tea", berlin, "")
	o := f.mustSearch(`{"query": "tea near Lisbon", "scope": "nearby"}`, StatusOK)
	wantEqual(t, "findings", o.ids(), "osm:node/3 osm:node/2")
	if o.Findings[0].Payload["distance_meters"] != 300 {
		t.Errorf("got %v, want the distance", o.Findings[0].Payload)
	}
	o = f.mustSearch(`{"query": "tea near me", "scope": "everywhere", "origin": {"latitude": 52.5, "longitude": 13.4}}`, StatusOK)
	wantEqual(t, "near me", o.ids(), "osm:node/4")
	wantEqual(t, "message", o.Message, "1 result within 5 km.")
}

// Without an imported region, the message of a search says that only towns are
// known, and the search finds the town that it names. Covers F-04, F-09 and B-44.
func TestSearchReportsThatOnlyTownsAreKnown(t *testing.T) {
	const near, here = `{"query": "museum near Lisbon", "scope": "nearby"}`, `{"query": "museum", "scope": "nearby", "origin": {"latitude": 52.5, "longitude": 13.4}}`
	const everywhere = `{"query": "museum", "scope": "everywhere"}`
	f := newFixture(t)
	f.addPlace("geonames:1", "Lisbon", lisbon, "")
	for body, want := range map[string]struct{ ids, message string }{
		near: {"geonames:1", "near Lisbon"}, here: {"", "around this position"}, everywhere: {"", "towns of the world"},
	} {
		o := f.mustSearch(body, StatusOK)
		if o.ids() != want.ids || o.codes() != "maps:not_configured" || !strings.Contains(o.Message, want.message) || !strings.Contains(o.Message, "appliance help regions") {
			t.Errorf("%s: got %q, %q, %q, want %q, not_configured and a message with %q", body, o.ids(), o.codes(), o.Message, want.ids, want.message)
		}
	}
	f.regions = append(f.regions, maps.Region{Name: "lisbon", Format: maps.OSM, Places: 1, Bounds: geo.Around(lisbon, 9000)})
	for body, want := range map[string]string{near: "", here: "maps:not_configured", everywhere: ""} {
		o := f.mustSearch(body, StatusOK)
		if o.ids() != "" || o.codes() != want {
			t.Errorf("%s with a region around Lisbon: got %q, %q, want no findings and %q", body, o.ids(), o.codes(), want)
		}
	}
	f.geocoder(fixedResponse(200, "[]"))
	if o := f.mustSearch(here, StatusOK); o.codes() != "" || o.Message != "Nothing found within 5 km." {
		t.Errorf("with a place search: got %q, %q, want an empty success", o.codes(), o.Message)
	}
}

// A search whose client has disconnected is an error, not a result.
func TestCanceledSearchIsNotRecorded(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.geocoder(func(map[string][]string) (int, string) { cancel(); return 500, "" })
	if _, err := f.Service.Search(ctx, svc.Trust(ann), Request{Query: "x", Scope: Everywhere}, f.read); err == nil {
		t.Error("got no error, want one")
	}
}
