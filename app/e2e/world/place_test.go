package world

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	mapsvc "appliance/svc/maps"
	"appliance/svc/maps/geo"
	"appliance/svc/maps/mapdata"
)

// placeTitles formats the titles of the places of a field.
func placeTitles(a *apptest.Answer, list string) string {
	return strings.Join(a.Values(list, "title"), ", ")
}

const (
	withinAKilometre = "Caffe Cordina, National Museum of Archaeology, ATM, Pharmacy <b>&</b>"
	sessionPlaces    = "field_runtime.objects"
)

// Covers W-95, W-96, W-97, W-98, P-06, B-22 and B-30.
func TestFieldContainsThePlacesAroundThePosition(t *testing.T) {
	s := apptest.New(t)
	s.ImportPlaces("malta", apptest.Places...)
	ann := s.Member("ann").AsRuntime()
	for query, want := range map[string]string{
		"":                                 withinAKilometre,
		"&radius=500":                      "Caffe Cordina, National Museum of Archaeology, ATM",
		"&radius=50":                       "Caffe Cordina",
		"&categories=coffee,health":        "Caffe Cordina, Pharmacy <b>&</b>",
		"&categories=parks":                "",
		"&categories=":                     "",
		"&radius=10000&categories=grocery": "",
	} {
		session, dataset := ann.Session(apptest.AtValletta+query), ann.Do("GET", "/world/runtime"+apptest.AtValletta+query).Want(200)
		apptest.CheckDataset(t, dataset)
		for list, a := range map[string]*apptest.Answer{sessionPlaces: session, "field.objects": dataset} {
			if got := placeTitles(a, list); got != want {
				t.Errorf("%s: got the places %q, want %q", a.About, got, want)
			}
		}
	}
	ann.Session(apptest.AtValletta).WantValues(sessionPlaces, map[string]any{
		"0.id": "osm:node/1", "0.type": "place", "0.category": "coffee", "0.summary": "Café · 0 m", "0.kind": "Café", "0.address": "Republic Street 244, Valletta", "0.source_url": "https://caffecordina.example/", "0.presentation.preferred": "card", "0.presentation.marker": "coffee",
		"1.location.distance": 111.1, "1.location.bearing": 0, "1.location.offset_x": 0, "1.location.offset_y": 111.2, "1.summary": "Museum · 111 m",
		"2.title": "ATM", "2.presentation.preferred": "marker", "3.location.bearing": 180, "3.location.offset_y": -889.6,
		"0.attribution.label": "© OpenStreetMap contributors", "0.attribution.required": true, "0.attribution.url": "https://www.openstreetmap.org/copyright",
	})
	before := ann.Session(apptest.AtValletta).Values(sessionPlaces, "id")
	s.ImportPlaces("malta", apptest.Places...)
	if after := ann.Session(apptest.AtValletta).Values(sessionPlaces, "id"); !slices.Equal(after, before) {
		t.Errorf("ids after another import: got %q, want %q", after, before)
	}
}

// A change of the position, the filters or the imported regions also changes the cached places of
// the field.
func TestFieldFollowsTheRequestAndImports(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	wantPlaces := func(about, query, want string) {
		t.Helper()
		for list, path := range map[string]string{sessionPlaces: apptest.SessionPath, "field.objects": "/world/runtime"} {
			if got := placeTitles(ann.Do("GET", path+query).Want(200), list); got != want {
				t.Errorf("%s: %s: got the places %q, want %q", about, path, got, want)
			}
		}
	}
	wantPlaces("no region", apptest.AtValletta, "")
	etag := ann.Do("GET", "/world/runtime"+apptest.AtValletta).Want(200).Header.Get("ETag")
	ann.With("If-None-Match", etag).Do("GET", "/world/runtime"+apptest.AtValletta).Want(304)
	s.ImportPlaces("malta", apptest.Places[0])
	ann.With("If-None-Match", etag).Do("GET", "/world/runtime"+apptest.AtValletta).Want(200)
	wantPlaces("an import", apptest.AtValletta, "Caffe Cordina")
	wantPlaces("another position", "?lat=35.79&lon=14.5124", "")
	wantPlaces("the same position again", apptest.AtValletta, "Caffe Cordina")
	s.ImportPlaces("malta", apptest.Places...)
	wantPlaces("a replaced region", apptest.AtValletta, withinAKilometre)
	wantPlaces("another category", apptest.AtValletta+"&categories=coffee", "Caffe Cordina")
	s.Member("op").Do("PATCH", "/world/identity/me", `{"locale": "de"}`).Want(200)
	wantPlaces("another member has another language", apptest.AtValletta, withinAKilometre)
	ann.Do("PATCH", "/world/identity/me", `{"locale": "de-CH"}`).Want(200)
	wantPlaces("another language", apptest.AtValletta, strings.NewReplacer("National Museum of Archaeology", "Archäologisches Museum", "ATM", "Geldautomat").Replace(withinAKilometre))
}

// A field without places contains the reason. Covers W-69, P-09 and B-110.
func TestFieldWithoutPlacesHasTheReason(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) { s.Towns = "on" })
	s.ImportTowns()
	ann := s.Member("ann").AsRuntime()
	wantReason := func(query, state, reason string) {
		t.Helper()
		a := ann.Do("GET", "/world/runtime"+query).Want(200)
		apptest.CheckDataset(t, a)
		got := ""
		for _, f := range a.List("fallbacks") {
			if scope, _ := apptest.At(f, "scope").(map[string]any); scope["section"] == "field.objects" {
				got += fmt.Sprint(apptest.At(f, "state"), " ", apptest.At(f, "reason"))
			}
		}
		if want := state + " " + reason; got != want || len(a.List("field.objects")) != 0 {
			t.Errorf("%s: got the fallback %q and the places %v, want %q and none", a.About, got, a.At("field.objects"), want)
		}
		if n := len(ann.Session(query).List(sessionPlaces)); n != 0 {
			t.Errorf("%s: got %d places in the session, want none", query, n)
		}
	}
	wantReason("", "empty", "no_location")
	wantReason(apptest.AtValletta, "unavailable", "not_configured")
	s.ImportPlaces("malta", apptest.Places...)
	wantReason("", "empty", "no_location")
	wantReason(apptest.AtValletta+"&categories=", "empty", "no_categories")
	wantReason(apptest.AtValletta+"&categories=lodging", "empty", "no_places")
	if a := ann.Do("GET", "/world/runtime"+apptest.AtValletta+"&categories=lodging&radius=250").Want(200); !strings.Contains(a.Body, "There are no places of these categories within 250 m.") {
		t.Errorf("%s: got the fallbacks %v, want the radius in the message", a.About, a.At("fallbacks"))
	}
	wantReason("?lat=0&lon=0", "empty", "not_covered")
	s.Exec("UPDATE maps_region SET state = 'retired'")
	s.Restart()
	wantReason(apptest.AtValletta, "unavailable", "loading")
	session := ann.Session()
	session.WantValues("status", map[string]any{"degraded": 2}) // Maps and Find
	if got := apptest.At(session.Service("maps"), "status"); got != "degraded" {
		t.Errorf("Maps without the gazetteer: got the status %v, want degraded", got)
	}
	s.Exec("ALTER TABLE maps_region RENAME TO lost")
	s.Restart()
	wantReason(apptest.AtValletta, "unavailable", "not_read")
	if got := apptest.At(ann.Session().At("field_runtime.map"), "contract.name"); got != "service.map.runtime" {
		t.Errorf("without Maps: got the map %v, want service.map.runtime", got)
	}
}

// Covers B-97 and W-54 for Maps.
func TestFieldWithoutMapsKeepsItsShape(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"maps"} })
	ann := s.Member("ann").AsRuntime()
	s.ImportPlaces("malta", apptest.Places...)
	a := ann.Do("GET", "/world/runtime"+apptest.AtValletta).Want(200)
	apptest.CheckDataset(t, a)
	session := ann.Session(apptest.AtValletta)
	if n, m := len(a.List("field.objects")), len(session.List(sessionPlaces)); n+m != 0 {
		t.Errorf("got %d and %d places, want none", n, m)
	}
	for _, path := range []string{"/world/field/objects", "/maps/db-check"} {
		ann.Do("GET", path).WantError(503, "service_unavailable")
	}
	ann.AsService().Do("GET", "/maps/session").WantError(503, "service_unavailable")
}

// An opened place has one surface, whether it is opened in the field or as a finding.
// Covers X-38, PT-13, S-64 and B-29.
func TestOpeningAPlaceOfTheFieldShowsItsMapSurface(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	s.ImportPlaces("malta", apptest.Places...)
	ann := s.Member("ann").AsRuntime()
	session, dataset := ann.Session(apptest.AtValletta), ann.Do("GET", "/world/runtime"+apptest.AtValletta).Want(200)
	id := dataset.Str("field.objects.0.world_object_id")
	mapSurfaces := func() (list []string) {
		for _, surface := range ann.SurfaceRuntime().List("surfaces") {
			if apptest.At(surface, "surface_type") == "map_surface" {
				list = append(list, fmt.Sprint(apptest.At(surface, "title"), " ", apptest.At(surface, "service_binding.resource_id")))
			}
		}
		return list
	}
	url := apptest.At(session.At(sessionPlaces), "0.actions.0.url").(string)
	if got := dataset.Str("field.objects.0.action_ids.0"); !strings.HasSuffix(url, "/"+got) {
		t.Errorf("the action in the dataset: got %s, want that of %s", got, url)
	}
	opened := ann.Do("POST", url).Want(200)
	opened.WantValues("", map[string]any{"type": "open_place", "status": "completed", "target.world_object_id": id, "dataset.workspace.focus.world_object_id": id})
	ann.Do("POST", url).Want(200)
	want := []string{"Caffe Cordina osm:node/1"}
	if got := mapSurfaces(); !slices.Equal(got, want) {
		t.Errorf("map surfaces after two actions: got %q, want %q", got, want)
	}
	finding := apptest.Finding("1")
	finding["title"] = "Caffe Cordina"
	ann.ReplaceOverlay(finding)
	ann.Act("open_finding", "Caffe Cordina").Want(200)
	if got := mapSurfaces(); !slices.Equal(got, want) {
		t.Errorf("map surfaces after opening the finding: got %q, want %q", got, want)
	}
	after := ann.Do("GET", "/world/runtime"+apptest.AtValletta).Want(200)
	if got := after.Object("objects", "place Caffe Cordina"); got == nil || apptest.At(got, "world_object_id") != id {
		t.Errorf("the object of the place: got %v, want the id %s as in the field", got, id)
	}
	s.Member("bea").AsRuntime().Do("POST", url).WantError(404, "not_found")
	s.ImportPlaces("malta", apptest.Places[1:]...)
	ann.Do("POST", url).WantError(404, "not_found")
}

// The map of the field has a viewport, layers and attributions, and actions that set its origin.
// Covers P-11 and X-52.
func TestFieldHasAMapThatCanBeMoved(t *testing.T) {
	s := apptest.New(t, func(s *config.Settings) {
		s.MapLayers = []mapsvc.DirectLayer{{ID: "topo", URLTemplate: "https://tiles.example/{z}/{x}/{y}.png", Attribution: mapdata.Attribution{Label: "© Topo", Required: true}}}
	})
	ann := s.Member("ann").AsRuntime()
	ann.Session().WantValues("field_runtime.map", map[string]any{
		"viewport.center.longitude": 0, "viewport.zoom": 1, "layers.0.id": "base", "layers.1.url_template": "https://tiles.example/{z}/{x}/{y}.png",
		"attribution.1.label": "GeoNames", "attribution.2.label": "© Topo", "attribution.2.required": true,
	})
	s.ImportPlaces("malta", apptest.Places...)
	a := ann.Session()
	a.WantValues("field_runtime", map[string]any{"origin": nil, "map.viewport.bounds.south": 35.799, "map.viewport.bounds.north": 35.901, "map.viewport.center.longitude": 14.5124})
	ann.Session(apptest.AtValletta).WantValues("field_runtime.map.viewport", map[string]any{"center.latitude": 35.898, "zoom": 14})
	ann.Session(apptest.AtValletta+"&categories=coffee").WantValues("field_runtime.actions", map[string]any{
		"0.type": "set_field_origin", "0.body": "map[categories:coffee]", "1.body": "map[categories:coffee lat:35.898 lon:14.5124]",
	})
}

// The map reads the places of an area, or their numbers if there are many.
func TestPlacesOfAnArea(t *testing.T) {
	s := apptest.New(t)
	var many []mapdata.Place
	for i := range 300 {
		many = append(many, mapdata.Place{
			Provider: "osm", ProviderID: fmt.Sprint("node/", i), Kind: "amenity=cafe", Category: "coffee", Name: fmt.Sprint("Café ", i),
			Point: geo.Point{Latitude: 35.80 + float64(i%20)/200, Longitude: 14.40 + float64(i/20)/200},
		})
	}
	s.ImportPlaces("malta", many...)
	ann := s.Member("ann")
	world := ann.Do("GET", "/world/field/objects").Want(200)
	world.WantSchema("service.field.area", world.At(""))
	total := 0
	for _, c := range world.List("clusters") {
		total += int(apptest.At(c, "count").(float64))
	}
	world.WantValues("", map[string]any{"count": 300, "objects": "[]", "bounds.west": -180})
	if total != 300 {
		t.Errorf("clusters of the world: got %d places, want 300", total)
	}
	area := ann.Do("GET", "/world/field/objects?south=35.80&west=14.40&north=35.81&east=14.41").Want(200)
	area.WantSchema("service.field.area", area.At(""))
	if got := len(area.List("objects")); got != 9 || len(area.List("clusters")) != 0 {
		t.Errorf("a small area: got %d places and the clusters %v, want 9 and none", got, area.At("clusters"))
	}
	if got, found := apptest.At(area.At("objects.0"), "location").(map[string]any)["distance"]; found {
		t.Errorf("without a position: got the distance %v, want none", got)
	}
	ann.Do("GET", "/world/field/objects?south=35.80&west=14.40&north=35.81&east=14.41&categories=parks").Want(200).WantValues("", map[string]any{"count": 0, "objects": "[]"})
	ann.Do("GET", "/world/field/objects?south=35.80&west=14.40&north=35.80&east=14.40&lat=35.80&lon=14.40").Want(200).
		WantValues("objects.0", map[string]any{"location.distance": 0, "title": "Café 0"})
	for query, field := range map[string]string{"south=x": "south", "west=181": "west", "north=NaN": "north", "east=0x1p2": "east", "south=10&north=5": "south"} {
		ann.Do("GET", "/world/field/objects?"+query).Want(400).WantFields(field)
	}
	s.Unauthenticated().Do("GET", "/world/field/objects").WantError(401, "unauthenticated")

	// The field has the nearest places and the total number of places. Covers W-95.
	runtime := ann.AsRuntime()
	for query, want := range map[string]string{"radius=10000": "256 true", "radius=1000": "5 false"} {
		field := runtime.Session("?lat=35.80&lon=14.40&" + query).At("field_runtime")
		shown, count := len(apptest.At(field, "objects").([]any)), apptest.At(field, "count")
		if got := fmt.Sprint(count, " ", apptest.At(field, "truncated")); got != want || want == "256 true" && shown != 60 {
			t.Errorf("%s: got %s and %d places, want %s and up to 60", query, got, shown, want)
		}
	}
	const message = "There are 256 places, of which the nearest 60 are shown."
	if body := runtime.Do("GET", "/world/runtime?lat=35.80&lon=14.40&radius=10000").Want(200).Body; !strings.Contains(body, message) {
		t.Errorf("dataset: got no fallback with %q", message)
	}
}

// The field shows whether a place is open. This changes with time, without a write.
func TestFieldShowsOpenPlaces(t *testing.T) {
	s := apptest.New(t)
	s.ImportPlaces("malta", apptest.Places...)
	ann := s.Member("ann").AsRuntime()
	wantOpen := func(open bool, next string) {
		t.Helper()
		for path, list := range map[string]string{apptest.SessionPath: sessionPlaces, "/world/runtime": "field.objects"} {
			ann.Do("GET", path+apptest.AtValletta).Want(200).WantValues(list, map[string]any{
				"0.open_now": open, "0.next_change": next, "0.opening_hours.text": "Mo-Su 08:00-19:00", "0.opening_hours.timezone": "Europe/Malta",
				"1.open_now": nil, "1.opening_hours": nil, "3.open_now": nil, "3.next_change": nil, "3.opening_hours.text": "sunrise-sunset",
			})
		}
	}
	wantOpen(true, "2026-11-21T18:00:00Z")
	etag := ann.Do("GET", "/world/runtime"+apptest.AtValletta).Want(200).Header.Get("ETag")
	s.Clock.Advance(9*time.Hour - time.Second)
	wantOpen(true, "2026-11-21T18:00:00Z")
	s.Clock.Advance(time.Second)
	wantOpen(false, "2026-11-22T07:00:00Z")
	ann.With("If-None-Match", etag).Do("GET", "/world/runtime"+apptest.AtValletta).Want(200)
}

// The actions of a member on places do not change the responses to another member. Covers PT-07 for
// places.
func TestPlacesOfAMemberAreInvisibleToOthers(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	s.ImportPlaces("malta", apptest.Places...)
	ann, bea := s.Member("ann").AsRuntime(), s.Member("bea").AsRuntime()
	ann.Session()
	read := func() map[string]string {
		bodies := make(map[string]string)
		for _, path := range append(slices.Clone(outputPaths), "/world/field/objects", "/world/panels/find") {
			bodies[path] = ann.Do("GET", path+apptest.AtValletta).Want(200).Body
		}
		return bodies
	}
	before := read()
	for i := range 3 {
		bea.Do("POST", apptest.At(bea.Session(apptest.AtValletta).At(sessionPlaces), fmt.Sprint(i, ".actions.0.url")).(string)).Want(200)
		bea.Do("GET", "/world/runtime?lat=0&lon=0").Want(200)
	}
	if after := read(); !maps.Equal(after, before) {
		t.Errorf("after the actions of bea: got\n%v\nwant\n%v", after, before)
	}
	if got := len(bea.Do("GET", "/world/runtime").Want(200).List("workspace.order")); got != 3 {
		t.Errorf("workspace of bea: got %d objects, want 3", got)
	}
}

// Covers P-01, P-02, P-03, P-05, P-06, P-08, P-13, B-16 and B-31.
func TestMapsForServices(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	s.ImportPlaces("malta", apptest.Places...)
	ann := s.Member("ann")
	service := s.Unauthenticated().With("Authorization", "Service "+apptest.ServiceKey)
	surfaces := len(ann.SurfaceRuntime().List("surfaces"))
	session := service.Do("GET", "/maps/session"+apptest.AtValletta).Want(200)
	session.WantSchema("service.field.runtime", session.At(""))
	if got := placeTitles(session, "objects"); !strings.HasPrefix(got, "Caffe Cordina, ") {
		t.Errorf("/maps/session: got the places %s, want Caffe Cordina first", got)
	}
	objects := service.Do("GET", "/maps/objects"+apptest.AtValletta+"&categories=coffee").Want(200)
	objects.WantValues("", map[string]any{"objects.0.id": "osm:node/1", "objects.0.actions": "[]", "page.next_cursor": nil})
	nearby := service.Do("GET", "/maps/geo/nearby"+apptest.AtValletta+"&radius=500&limit=2").Want(200)
	nearby.WantSchema("service.maps.place", nearby.At("places.0"))
	nearby.WantValues("places", map[string]any{"0.place_id": "osm:node/1", "0.address.street": "Republic Street", "1.provider": "osm", "1.provider_id": "way/2"})
	if n := len(nearby.List("places")); n != 2 {
		t.Errorf("nearby with limit=2: got %d places, want 2", n)
	}
	service.Do("GET", "/maps/geo/lookup?id=osm:way/2&language=de").Want(200).WantValues("places", map[string]any{"0.name": "Archäologisches Museum"})
	service.Do("GET", "/maps/geo/lookup?id=osm:way/99").Want(200).WantValues("", map[string]any{"places": "[]"})
	service.Do("GET", "/maps/geo/lookup?q=zzzz").Want(200).WantValues("", map[string]any{"places": "[]"})
	service.Do("GET", "/maps/geo/reverse?lat=0&lon=-30").Want(200).WantValues("", map[string]any{"place": nil})
	presentation := service.Do("GET", "/maps/presentation"+apptest.AtValletta+"&label=Here").Want(200)
	presentation.WantSchema("service.map.runtime", presentation.At(""))
	presentation.WantValues("", map[string]any{"viewport.zoom": 16, "viewport.center.latitude": 35.898, "markers.0.label": "Here", "layers.0.id": "base"})
	if got := len(ann.SurfaceRuntime().List("surfaces")); got != surfaces {
		t.Errorf("surfaces afterwards: got %d, want %d", got, surfaces)
	}
	service.Do("GET", "/db-check").Want(200).WantValues("", map[string]any{"service": "maps", "database": "ok"})
	s.Unauthenticated().Do("GET", "/maps/db-check").Want(200).WantValues("", map[string]any{"service": "maps", "database": "ok"})
	for _, path := range []string{"/maps/presentation", "/maps/geo/nearby", "/maps/geo/reverse", "/maps/geo/lookup", "/maps/geo/nearby" + apptest.AtValletta + "&limit=-1"} {
		service.Do("GET", path).Want(400)
	}
	for _, path := range []string{"/maps/presentation" + apptest.AtValletta, "/maps/session", "/maps/objects", "/maps/geo/nearby", "/maps/geo/lookup", "/maps/geo/reverse", "/db-check"} {
		ann.Do("GET", path).WantError(404, "not_found")
	}
}

// Findings and opened places show whether the place is open at the time of the read.
func TestFindingsShowOpenPlaces(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	s.ImportPlaces("malta", apptest.Places...)
	ann := s.Member("ann").AsRuntime()
	ann.Do("POST", apptest.At(ann.Session(apptest.AtValletta).At(sessionPlaces), "0.actions.0.url").(string)).Want(200)
	finding := apptest.Finding("7")
	finding["service_payload"] = map[string]any{"latitude": 35.898, "longitude": 14.5124, "country": "MT", "opening_hours": "Mo-Su 08:00-19:00"}
	ann.ReplaceOverlay(finding)
	wantOpen := func(open bool, next string) {
		t.Helper()
		want := map[string]any{"open_now": open, "next_change": next}
		session, dataset := ann.Session(), ann.Do("GET", "/world/runtime").Want(200)
		for _, surface := range session.List("surface_runtime.surfaces") {
			switch apptest.At(surface, "surface_type") {
			case "map_surface":
				checkValues(t, "map surface", apptest.At(surface, "runtime_state.surface_object.content"), want)
			case "finding_surface":
				checkValues(t, "finding surface", apptest.At(surface, "runtime_state.finding.service_payload"), want)
			}
		}
		checkValues(t, "object", apptest.At(dataset.Object("objects", "place Caffe Cordina"), "state"), want)
		checkValues(t, "finding", dataset.At("findings.0.service_payload"), want)
		checkValues(t, "panel of Find", ann.Do("GET", "/world/panels/find").Want(200).At("findings.0.service_payload"), want)
	}
	wantOpen(true, "2026-11-21T18:00:00Z")
	s.Clock.Advance(10 * time.Hour)
	wantOpen(false, "2026-11-22T07:00:00Z")
}

// checkValues fails the test unless an object has the values.
func checkValues(t *testing.T, about string, object any, want map[string]any) {
	t.Helper()
	for key, value := range want {
		if got := apptest.At(object, key); got != value {
			t.Errorf("%s: %s: got %v, want %v", about, key, got, value)
		}
	}
}
