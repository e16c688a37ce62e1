package find

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc/maps/geo"
)

var (
	lisbon = geo.Point{Latitude: 38.7, Longitude: -9.1}
	tea    = apptest.FoundPlace{ID: 1, Name: "Tea room", Point: lisbon}
	bar    = apptest.FoundPlace{ID: 2, Name: "Bar", Point: geo.Point{Latitude: 38.705, Longitude: -9.1}}
	farBar = apptest.FoundPlace{ID: 3, Name: "Far bar", Point: geo.Point{Latitude: 38.8, Longitude: -9.1}}
)

const (
	everywhere = `{"query": "tea", "scope": "everywhere"}`
	nearby     = `{"query": "tea", "scope": "nearby", "origin": {"latitude": 38.7, "longitude": -9.1}}`
)

// server returns a server with both searches, and the search servers.
func server(t *testing.T, change ...func(*config.Settings)) (s *apptest.Server, ann *apptest.Client, places, pages *apptest.SearchServer) {
	t.Helper()
	places, pages = apptest.NewSearchServer(t, apptest.FoundPlaces(tea, bar)), apptest.NewSearchServer(t, apptest.FoundPages("https://example.org/a"))
	s = apptest.New(t, append([]func(*config.Settings){apptest.WithServiceKey, apptest.Unlimited, apptest.FindWith(places, pages)}, change...)...)
	return s, s.Member("ann"), places, pages
}

// Covers F-03, F-04, F-18, F-19, F-20, F-21, F-22, F-24, F-25, F-26, S-38, B-44 and P-04.
func TestSearchReplacesTheOverlay(t *testing.T) {
	_, ann, _, _ := server(t)
	a := ann.Find(everywhere, "ok")
	a.WantConsistentStacks("surface_runtime")
	a.WantValues("", map[string]any{
		"applied.scope": "everywhere", "applied.origin": nil, "provider_errors": "[]", "error": nil, "message": "3 results.",
		"findings.0.finding_id": "osm:node/1", "findings.0.object_type": "place", "findings.0.actions.0.type": "open_finding", "findings.0.source_service": "geocoder",
		"findings.0.service_payload.latitude": 38.7, "findings.0.service_payload.longitude": -9.1, "findings.0.service_payload.provider": "osm", "findings.0.service_payload.provider_id": "node/1",
		"findings.0.service_payload.attribution.required": true, "findings.0.summary": "Café · Town",
		"findings.2.object_type": "html_resource", "findings.2.title": "Page https://example.org/a", "findings.2.source_url": "https://example.org/a",
		"findings.2.actions":         "[map[id:preview label:Preview type:translate_surface] map[id:save label:Save type:save_object] map[id:share label:Share type:share_object]]",
		"findings.2.service_payload": "map[canonical_url:<nil> content_type:text/html]",
	})
	for _, f := range a.List("findings") {
		a.WantSchema("service.find.finding", f)
	}
	if got, want := fmt.Sprint(a.OverlayFindings("surface_runtime")), fmt.Sprint(a.Values("findings", "finding_id")); got != want {
		t.Errorf("overlay: got %s, want the findings in order %s", got, want)
	}
	surface := a.Surface("surface_runtime.surfaces", a.Str("surface_runtime.stacks.3.surface_order.0"))
	for path, want := range map[string]any{
		"surface_type": "finding_surface", "placement.mode": "detached", "title": "Tea room", "runtime_state.summary": "Café · Town", "runtime_state.finding.finding_id": "osm:node/1",
	} {
		if got := apptest.At(surface, path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("finding surface: %s: got %v, want %v", path, got, want)
		}
	}
	for _, word := range []string{"osm_id", "licence", "boundingbox", "engine"} {
		if strings.Contains(a.Body+ann.Dataset().Body+ann.SurfaceRuntime().Body, `"`+word) {
			t.Errorf("got the key %s of a search server, want none", word)
		}
	}
}

// Covers W-09 and F-36.
func TestSearchAcceptsForms(t *testing.T) {
	_, ann, _, _ := server(t)
	form := ann.With("Content-Type", "application/x-www-form-urlencoded")
	first := ann.Find(everywhere, "ok")
	a := form.Do("POST", "/world/find/query", "query=tea&scope=everywhere").Want(200)
	a.WantValues("", map[string]any{"status": "ok", "findings": first.At("findings")})
	a = form.Do("POST", "/world/find/query", url.Values{"query": {"tea"}, "scope": {"nearby"}, "origin[latitude]": {"38.7"}, "origin[longitude]": {"-9.1"}, "radius_meters": {"1000"}}.Encode()).Want(200)
	a.WantValues("applied", map[string]any{"scope": "nearby", "origin": "map[latitude:38.7 longitude:-9.1]", "radius_meters": 1000})
	form.Do("POST", "/world/find/query", "query=tea&scope=nearby&origin[latitude]=north&origin[longitude]=1").WantError(400, "malformed_body")
}

// Covers F-01, F-02, F-29, L-01 and B-02.
func TestInvalidSearchesAreRejected(t *testing.T) {
	s, ann, places, _ := server(t)
	ann.Find(everywhere, "ok")
	requests := len(places.Requests())
	s.WantUnchanged("by searches that are rejected", func() {
		for body, want := range map[string]struct {
			status int
			code   string
			field  string
		}{
			`{}`: {400, "field_required", "query"}, `{"query": " ", "scope": "nearby"}`: {400, "field_required", "query"}, `{"query": "x"}`: {400, "field_required", "scope"},
			`{"query": "x", "scope": "galaxy"}`:                                                  {422, "invalid_value", "scope"},
			`{"query": "x", "scope": "nearby", "origin": {"latitude": 91, "longitude": 0}}`:      {422, "invalid_value", "origin.latitude"},
			`{"query": "x", "scope": "nearby", "origin": {"latitude": "north", "longitude": 0}}`: {400, "malformed_body", "origin.latitude"},
			`{"query": "x", "scope": "nearby", "radius_meters": "far"}`:                          {400, "malformed_body", "radius_meters"},
			`{"query": "` + strings.Repeat("x", 401) + `", "scope": "everywhere"}`:               {422, "too_long", "query"},
		} {
			a := ann.Do("POST", "/world/find/query", body)
			a.WantError(want.status, want.code)
			if fields := a.Column("error.fields", "name"); !strings.Contains(fields, want.field) {
				t.Errorf("%s: got the fields %s, want %s", body, fields, want.field)
			}
		}
	})
	s.Unauthenticated().Do("POST", "/world/find/query", everywhere).WantError(401, "unauthenticated")
	if n := len(places.Requests()); n != requests {
		t.Errorf("got %d requests to the search server, want none", n-requests)
	}
}

// Covers F-05, F-07, F-08, S-41, S-43, E-07 and PT-12.
func TestOverlayAfterSearches(t *testing.T) {
	_, ann, places, pages := server(t)
	ann.Find(everywhere, "ok")
	before := ann.SurfaceRuntime().Body
	location := ann.Find(`{"query": "tea", "scope": "nearby"}`, "location_required")
	location.WantValues("", map[string]any{"findings": "[]", "error.code": "location_required", "error.retryable": true, "error.request_id": location.Header.Get("X-Request-Id")})
	places.Answer(500, "")
	pages.Answer(200, "<html>")
	failed := ann.Find(`{"query": "other", "scope": "everywhere"}`, "provider_error")
	failed.WantValues("", map[string]any{"findings": "[]", "error.code": "provider_failed", "error.retryable": true, "provider_errors.0.provider": "geocoder", "provider_errors.0.code": "http_error", "provider_errors.1.code": "bad_response"})
	if got := ann.SurfaceRuntime().Body; got != before {
		t.Errorf("surfaces after searches without an answer: got\n%s\nwant\n%s", got, before)
	}
	places.Answer(200, apptest.FoundPlaces(bar))
	pages.Answer(500, "")
	partly := ann.Find(`{"query": "bar", "scope": "everywhere"}`, "ok")
	partly.WantValues("", map[string]any{"provider_errors.0.provider": "web", "provider_errors.0.code": "http_error", "error": nil})
	if got := fmt.Sprint(partly.OverlayFindings("surface_runtime")); got != "[osm:node/2]" {
		t.Errorf("overlay: got %s, want only the second search", got)
	}
	places.Answer(200, "[]")
	if got := ann.Find(`{"query": "nothing", "scope": "everywhere"}`, "ok").OverlayFindings("surface_runtime"); len(got) > 0 {
		t.Errorf("overlay after a search without findings: got %v, want none", got)
	}
}

// Covers F-27, S-39, S-40, S-42 and PT-11.
func TestRepeatedSearchKeepsSurfaces(t *testing.T) {
	s, ann, places, _ := server(t)
	first := ann.Find(everywhere, "ok")
	order := fmt.Sprint(first.At("surface_runtime.stacks.3.surface_order"))
	stackedID := first.Str("surface_runtime.stacks.3.surface_order.1")
	ann.Do("POST", apptest.SurfacesPath+stackedID+"/placement", `{"placement_mode": "stacked", "placement": {"stack_id": "carry_primary"}}`).Want(200)
	ann.Do("POST", apptest.SurfacesPath+first.Str("surface_runtime.stacks.3.surface_order.0")+"/placement", `{"placement_mode": "detached", "placement": {"x": 40}}`).Want(200)
	want := fmt.Sprint(ann.SurfaceRuntime().At("stacks.0.surface_order"), ann.SurfaceRuntime().At("stacks.0.focused_surface_id"))
	again := ann.Find(everywhere, "ok")
	if got := fmt.Sprint(again.At("surface_runtime.stacks.3.surface_order")); got != order {
		t.Errorf("repeated search: got the surfaces %s, want %s", got, order)
	}
	if got := apptest.At(again.Surface("surface_runtime.surfaces", again.Str("surface_runtime.stacks.3.surface_order.0")), "placement.metadata.x"); fmt.Sprint(got) != "40" {
		t.Errorf("position of a moved finding: got %v, want 40", got)
	}
	places.Answer(200, apptest.FoundPlaces(farBar))
	after := ann.Find(`{"query": "far", "scope": "everywhere"}`, "ok")
	if got := fmt.Sprint(after.At("surface_runtime.stacks.0.surface_order"), after.At("surface_runtime.stacks.0.focused_surface_id")); got != want {
		t.Errorf("carry stack: got %s, want %s", got, want)
	}
	s.Restart()
	if got, want := fmt.Sprint(ann.SurfaceRuntime().OverlayFindings("")), fmt.Sprint(after.Values("findings", "finding_id")); got != want {
		t.Errorf("overlay after a restart: got %s, want %s", got, want)
	}
}

// Covers S-44, E-09 and X-24: a search whose findings cannot be stored fails, and
// nothing is changed.
func TestSearchThatCannotBeStoredFails(t *testing.T) {
	s, ann, places, _ := server(t)
	ann.Find(everywhere, "ok")
	places.Answer(200, apptest.FoundPlaces(bar, farBar))
	s.Exec("CREATE TRIGGER fault BEFORE INSERT ON surface_surface WHEN NEW.title = 'Far bar' BEGIN SELECT RAISE(ABORT, 'fault'); END")
	s.WantUnchanged("by a search that cannot be stored", func() {
		a := ann.Do("POST", "/world/find/query", `{"query": "bar", "scope": "everywhere"}`)
		a.WantError(503, "overlay_not_persisted").WantValues("", map[string]any{"surface_runtime": nil, "error.retryable": true})
	})
	s.Exec("DROP TRIGGER fault")
	ann.Find(`{"query": "bar", "scope": "everywhere"}`, "ok")
}

// Covers F-11, F-12, F-14, F-15, W-99, F-28 and F-30.
func TestNearbyAndNear(t *testing.T) {
	_, ann, places, pages := server(t)
	places.Answer(200, apptest.FoundPlaces(farBar, bar, tea))
	field := fmt.Sprint(ann.Session("?lat=1&lon=2&radius=500").At("field_runtime"))
	a := ann.Find(nearby, "ok")
	if got := fmt.Sprint(a.Values("findings", "finding_id")); got != "[osm:node/1 osm:node/2]" {
		t.Errorf("nearby: got %s, want the places within 5 km, the nearest first", got)
	}
	a.WantValues("findings", map[string]any{"0.service_payload.distance_meters": 0, "1.service_payload.distance_meters": 556, "1.summary": "Café · Town · 556 m"})
	if len(pages.Requests()) > 0 {
		t.Error("nearby: got a request to the web search, want none")
	}
	a = ann.Find(`{"query": "tea near Lisbon", "scope": "nearby"}`, "ok")
	a.WantValues("applied", map[string]any{"scope": "nearby", "place": "Far bar"})
	requests := places.Requests()
	n := len(requests)
	if requests[n-2].Get("q") != "Lisbon" || requests[n-2].Has("bounded") || requests[n-1].Get("q") != "tea" || requests[n-1].Get("bounded") != "1" {
		t.Errorf("near: got the requests %v, want Lisbon everywhere and then tea around it", requests[n-2:])
	}
	if got := fmt.Sprint(ann.Session("?lat=1&lon=2&radius=500").At("field_runtime")); got != field {
		t.Errorf("field after searches: got %s, want %s", got, field)
	}
}

// A repeated request with the same Idempotency-Key gets the findings of the first one
// and does not replace the overlay again.
func TestSearchIsIdempotent(t *testing.T) {
	_, ann, places, _ := server(t)
	once := ann.With("Idempotency-Key", "a key")
	first := once.Find(everywhere, "ok")
	places.Answer(200, apptest.FoundPlaces(farBar))
	second := ann.Find(`{"query": "far", "scope": "nearby", "origin": {"latitude": 38.8, "longitude": -9.1}}`, "ok")
	again := once.Find(everywhere, "ok")
	again.WantValues("", map[string]any{"query_id": first.Str("query_id"), "findings": first.At("findings")})
	if got, want := fmt.Sprint(ann.SurfaceRuntime().OverlayFindings("")), fmt.Sprint(second.OverlayFindings("surface_runtime")); got != want {
		t.Errorf("overlay after the repeated request: got %s, want that of the second search %s", got, want)
	}
	once.Do("POST", "/world/find/query", nearby).WantError(422, "idempotency_key_reused")
}

// Covers B-48.
func TestSearchOnBehalfOfAMember(t *testing.T) {
	_, ann, _, _ := server(t)
	a := ann.AsService().Do("POST", "/find/query", everywhere).Want(200)
	a.WantSchema("service.find.result", a.At(""))
	a.WantValues("", map[string]any{"status": "ok", "surface_runtime": nil, "findings.0.finding_id": "osm:node/1"})
	if got := len(ann.SurfaceRuntime().OverlayFindings("")); got != 3 {
		t.Errorf("got %d findings in the overlay, want 3", got)
	}
	ann.Do("POST", "/find/query", everywhere).WantError(404, "not_found")
}

func TestSearchesOfAMemberAreLimited(t *testing.T) {
	s, ann, _, _ := server(t, func(s *config.Settings) { s.RateLimits["searches"] = 2 })
	once := ann.With("Idempotency-Key", "a key")
	once.Find(everywhere, "ok")
	ann.Find(everywhere, "ok")
	a := ann.Do("POST", "/world/find/query", everywhere)
	a.WantError(429, "rate_limited")
	if a.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After, want one")
	}
	once.Find(everywhere, "ok") // a repeated request is not another search
	s.Member("bea").Find(everywhere, "ok")
}

// Covers B-97: the session lists a service that is switched off as unavailable.
func TestSwitchedOffServices(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"find"} })
	ann := s.Member("ann")
	for _, route := range []string{"POST /world/find/query", "POST /world/find/history/clear", "GET /world/panels/find"} {
		method, path, _ := strings.Cut(route, " ")
		ann.Do(method, path, everywhere).WantError(503, "service_unavailable")
	}
	service := ann.Session().Service("find")
	if got := fmt.Sprintln(apptest.At(service, "status"), apptest.At(service, "objects")); got != "unavailable map[]\n" {
		t.Errorf("session: got %s, want the service unavailable", got)
	}
	if a := ann.Dataset(); !strings.Contains(a.Body, `"switched_off"`) || a.Action("find", "workspace") != nil {
		t.Errorf("dataset: got the fallbacks %v, want the service switched off and no action that searches", a.At("fallbacks"))
	}
	off := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"surface"} })
	off.Member("ann").Do("POST", "/world/find/query", everywhere).WantError(503, "service_unavailable")
}

// Covers P-14 and B-33: without search servers in the settings, only local places are found, and an
// empty result contains the reason.
func TestSearchWithoutServers(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	ann.Find(everywhere, "provider_error").WantValues("", map[string]any{"provider_errors.0.code": "not_configured", "findings": "[]"})
	s.ImportPlaces("malta", apptest.Places...)
	a := ann.Find(`{"query": "Caffe Cordina", "scope": "everywhere"}`, "ok")
	a.WantValues("findings", map[string]any{
		"0.finding_id": "osm:node/1", "0.source_service": "maps", "0.service_payload.attribution.label": "© OpenStreetMap contributors",
		"1.object_type": "html_resource", "1.source_url": "https://caffecordina.example/", "1.title": "Caffe Cordina",
	})
	a = ann.Find(`{"query": "Cordina", "scope": "nearby", "origin": {"latitude": 35.898, "longitude": 14.5124}}`, "ok")
	if !slices.Contains(a.Values("findings", "finding_id"), "osm:node/1") {
		t.Errorf("nearby: got %v, want the café", a.Values("findings", "finding_id"))
	}
}
