package api_test

import (
	"strings"
	"testing"

	"appliance/app/apptest"
)

// Covers T-05, T-13, T-38, T-39 and B-56.
func testEntries(t *testing.T, f *routesFixture) {
	path := "/world/time/objects"
	calendar := f.Ann.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	f.Ann.Do("GET", "/world/calendars/"+calendar).Want(200).WantValues("calendar", map[string]any{"id": calendar})
	f.Bea.Do("GET", "/world/calendars/"+calendar).WantError(404, "not_found")
	stale := f.Ann.With("If-Match", `"none"`).Do("PATCH", "/world/calendars/"+calendar, `{"name": "Lost"}`).WantError(412, "version_conflict")
	if got := stale.At("error.current.id"); got != calendar {
		t.Errorf("version conflict: got the current calendar %v, want %s", got, calendar)
	}
	task := f.Ann.Do("POST", path, `{"object_type": "task", "title": "Water plants", "due": "2026-12-01", "rrule": "FREQ=DAILY;COUNT=3"}`).Want(201).Str("object.id")
	entry := path + "/" + task
	f.Bea.Do("GET", entry).WantError(404, "not_found")
	conflict := f.Ann.With("If-Match", `"none"`).Do("PATCH", entry, `{"title": "Lost"}`).WantError(412, "version_conflict")
	if got := conflict.At("error.current.title"); got != "Water plants" {
		t.Errorf("version conflict: got the current title %v, want Water plants", got)
	}
	done := f.Ann.Do("POST", entry+"/complete?scope=this&recurrence_id=2026-12-02", `{}`).Want(200)
	f.Ann.Do(done.Str("undo.method"), done.Str("undo.url"), done.At("undo.body")).Want(200)
	if got := f.Ann.Do("GET", entry+"?recurrence_id=2026-12-02").Want(200).Str("object.state.status"); got != "needs_action" {
		t.Errorf("after the undo: got the status %q, want needs_action", got)
	}
	f.Ann.Do("GET", entry+"?recurrence_id=2027-01-01").WantError(404, "not_found")
	excluded := f.Ann.Do("DELETE", entry+"?scope=this&recurrence_id=2026-12-03").Want(200)
	f.Ann.Do("GET", entry+"?recurrence_id=2026-12-03").WantError(404, "not_found")
	f.Ann.Do(excluded.Str("undo.method"), excluded.Str("undo.url"), excluded.At("undo.body")).Want(200)
	f.Ann.Do("GET", entry+"?recurrence_id=2026-12-03").Want(200)
	f.Ann.With("If-Match", `"none"`).Do("DELETE", entry).WantError(412, "version_conflict")

	for _, query := range []string{"start=soon", "end=9999-01-01", "end=2036-01-01", "timezone=Mars/X"} {
		name, _, _ := strings.Cut(query, "=")
		f.Ann.Do("GET", path+"?"+query).WantError(400, "invalid_parameter").WantFields(name)
	}
	if got := f.Ann.Do("GET", path+"?start=2026-11-30&end=2026-12-04&object_type=task&calendar_id="+calendar).Want(200).List("objects"); len(got) != 3 {
		t.Errorf("got %d occurrences, want 3", len(got))
	}
	f.Ann.Do("PATCH", "/world/time/preferences", `{"week_start": "someday"}`).WantError(422, "invalid_value").WantFields("week_start")
	f.Ann.Do("PATCH", "/world/time/preferences", `{"week_start": "sunday"}`).Want(200)
	f.Ann.Do("GET", "/world/time/preferences").Want(200).WantValues("preferences", map[string]any{"week_start": "sunday"})
	if got := f.Ann.Do("GET", "/world/options/recurrence").Want(200).Column("weekdays", "value"); !strings.HasPrefix(got, "SU") {
		t.Errorf("weekdays: got %q, want the first day of the member's week first", got)
	}

	// Another service reads and writes entries of one type only.
	service := f.Ann.AsService()
	service.Do("GET", "/tasks/"+task).Want(200).WantValues("object", map[string]any{"id": task})
	service.Do("GET", "/events/"+task).WantError(404, "not_found")
	service.Do("PATCH", "/events/"+task, `{"title": "x"}`).WantError(404, "not_found")
	service.Do("DELETE", "/events/"+task).WantError(404, "not_found")
	service.Do("PATCH", "/tasks/"+task, `{"title": "Water flowers"}`).Want(200).WantValues("object", map[string]any{"title": "Water flowers"})
	event := service.Do("POST", "/events", `{"object_type": "task", "title": "Fair", "start": "2026-12-02T10:00:00"}`).Want(201)
	event.WantValues("object", map[string]any{"object_type": "calendar_event"})
	if got := service.Do("GET", "/events?start=2026-12-02&end=2026-12-03").Want(200).Column("events", "title"); !strings.Contains(got, "Fair") {
		t.Errorf("events: got %q, want Fair", got)
	}
	if got := service.Do("GET", "/tasks?status=needs_action").Want(200).Column("tasks", "title"); !strings.Contains(got, "Water flowers") {
		t.Errorf("tasks: got %q, want Water flowers", got)
	}
	if got := service.Do("GET", "/objects?start=2026-12-01&end=2026-12-05").Want(200).List("objects.tasks"); len(got) == 0 {
		t.Error("objects: got no tasks, want some")
	}
	service.Do("POST", "/integrations/social/events", `{}`).Want(400)
	service.Do("DELETE", "/events/"+event.Str("object.id")).Want(200)
}

// Deleted entries stay in the trash of their member until they are purged. Only the response
// that creates a feed contains its link. Covers B-55 and PT-08.
func testTrashAndFeeds(t *testing.T, f *routesFixture) {
	id := f.Bea.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Old"}`).Want(201).Str("object.id")
	undo := f.Bea.Do("DELETE", "/world/time/objects/"+id).Want(200)
	f.Bea.Do(undo.Str("undo.method"), undo.Str("undo.url"), undo.At("undo.body")).Want(200).WantValues("object", map[string]any{"title": "Old"})
	calendar := f.Bea.Do("POST", "/world/calendars", `{"name": "Old"}`).Want(201).Str("calendar.id")
	undo = f.Bea.Do("DELETE", "/world/calendars/"+calendar).Want(200)
	f.Bea.Do(undo.Str("undo.method"), undo.Str("undo.url"), undo.At("undo.body")).Want(200).WantValues("calendar", map[string]any{"name": "Old"})
	f.Bea.Do("DELETE", "/world/time/objects/"+id).Want(200)
	trashed := f.Bea.Do("GET", "/world/time/trash").Want(200).Str("trash.0.id")
	f.Ann.Do("POST", "/world/time/trash/"+trashed+"/restore", `{}`).WantError(404, "not_found")
	f.Ann.Do("DELETE", "/world/time/trash/"+trashed).WantError(404, "not_found")
	f.Bea.Do("DELETE", "/world/time/trash/"+trashed).Want(200).WantValues("", map[string]any{"deleted": 1})
	f.Bea.Do("DELETE", "/world/calendars/"+calendar).Want(200)
	f.Bea.Do("DELETE", "/world/time/trash").Want(200)
	if got := f.Bea.Do("GET", "/world/time/trash").Want(200).List("trash"); len(got) != 0 {
		t.Errorf("got %d entries in the trash, want none", len(got))
	}

	calendar = f.Bea.Do("GET", "/world/calendars").Want(200).Str("calendars.0.id")
	path := "/world/calendars/" + calendar + "/feed"
	f.Ann.Do("POST", path, `{}`).WantError(404, "not_found")
	file := f.Bea.Do("POST", path, `{}`).Want(201).Str("feed.path")
	if shown := f.Bea.Do("GET", path).Want(200); strings.Contains(shown.Body, apptest.LastSegment(file)) {
		t.Errorf("got %s, want no link", shown.Body)
	}
	f.Unauthenticated().Do("GET", file).Want(200)
	f.Bea.Do("DELETE", path).Want(200)
	f.Unauthenticated().Do("GET", file).Want(404)
	exported := f.Bea.Do("GET", "/world/calendars/"+calendar+"/export").Want(200)
	if !strings.HasPrefix(exported.Header.Get("Content-Type"), "text/calendar") {
		t.Errorf("export: got the type %q, want text/calendar", exported.Header.Get("Content-Type"))
	}
	imported := f.Bea.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+calendar+"/import", apptest.VEvent("imported", "DTSTART:20261201T090000Z", "SUMMARY:Imported")).
		Want(200)
	if !strings.Contains(imported.Body, "1") {
		t.Errorf("import: got %s, want one entry", imported.Body)
	}
	f.Bea.With("Content-Type", "text/calendar").Do("POST", "/world/calendars/"+calendar+"/import", "BEGIN:NOTHING").WantError(400, "malformed_body")
}

// Covers S-20, S-21 and W-17.
func testSurfaces(t *testing.T, f *routesFixture) {
	f.Ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	runtime := f.Ann.SurfaceRuntime()
	var findings []string
	for _, s := range runtime.List("stacks") {
		if apptest.At(s, "stack_id") == "finding_overlay" {
			findings = apptest.Values(apptest.At(s, "surface_order").([]any), "")
		}
	}
	if len(findings) != 2 {
		t.Fatalf("got the findings %v, want 2", findings)
	}
	service, other := f.Ann.AsService(), f.Bea.SurfaceRuntime().Body
	for _, c := range []struct {
		client *apptest.Client
		stacks string
		paths  string
	}{{f.Ann, "/world/surface/stacks/", "/world/surface/surfaces/"}, {service, "/runtime/stacks/", "/runtime/surfaces/"}} {
		c.client.Do("POST", c.stacks+"none/focus", `{"surface_id": "none"}`).Want(404)
		c.client.Do("POST", c.stacks+"finding_overlay/focus", `{}`).WantError(400, "field_required")
		c.client.Do("POST", c.stacks+"finding_overlay/focus", map[string]any{"surface_id": findings[1]}).Want(200).WantConsistentStacks("surface_runtime")
		c.client.Do("POST", c.stacks+"finding_overlay/reorder", map[string]any{"surface_order": []string{findings[1], findings[0]}}).Want(200).WantConsistentStacks("surface_runtime")
		c.client.Do("POST", c.stacks+"finding_overlay/reorder", `{"surface_order": ["none"]}`).Want(422)
		opened := c.client.Do("POST", c.paths+findings[0]+"/open", `{}`).Want(200)
		opened.WantConsistentStacks("surface_runtime")
		c.client.Do("POST", c.paths+"none/placement", `{"mode": "detached"}`).Want(404)
		c.client.Do("POST", c.paths+"none/remove", `{}`).Want(404)
		c.client.Do("POST", c.paths+"none/translate", `{}`).Want(404)
	}
	f.Ann.Do("POST", "/world/surface/surfaces/"+findings[1]+"/remove", `{}`).WantError(422, "surface_not_in_stack") // only another search replaces findings
	for _, path := range []string{"/runtime/surfaces", "/runtime/stacks", "/runtime/stacks/finding_overlay", "/surfaces", "/surfaces?stack=finding_overlay"} {
		service.Do("GET", path).Want(200)
	}
	service.Do("GET", "/runtime/stacks/none").WantError(404, "not_found")
	service.Do("GET", "/surfaces?stack=none").WantError(400, "invalid_parameter").WantFields("stack")
	service.Do("GET", "/surface/none").WantError(404, "not_found")
	service.Do("GET", "/surface/"+findings[0]).Want(200)
	service.Do("POST", "/surfaces", `{}`).Want(400)
	f.WantUnchanged("an invalid overlay", func() { service.Do("POST", "/surfaces/overlay", `{"findings": [{}]}`).Want(400) })
	if got := f.Bea.SurfaceRuntime().Body; got != other {
		t.Errorf("surfaces of another member: got %s, want %s", got, other)
	}
}

// A repeated search with its idempotency key is answered without another search. Covers
// F-03 and B-86.
func testSearch(t *testing.T, f *routesFixture) {
	f.ImportPlaces("malta", apptest.Places...)
	path := "/world/find/query"
	f.Bea.Do("POST", path, `{}`).WantError(400, "field_required").WantFields("query", "scope")
	f.Bea.Do("POST", path, `{"query": "x", "scope": "moon"}`).WantError(422, "invalid_value").WantFields("scope")
	keyed := f.Bea.With("Idempotency-Key", "k")
	first := keyed.Do("POST", path, `{"query": "cordina", "scope": "everywhere"}`).Want(200)
	if got := first.Column("findings", "title"); got != "Caffe Cordina Caffe Cordina" {
		t.Errorf("got the findings %q, want the place and its website", got)
	}
	again := keyed.Do("POST", path, `{"query": "cordina", "scope": "everywhere"}`).Want(200)
	if got := again.Column("findings", "finding_id"); got != first.Column("findings", "finding_id") {
		t.Errorf("repeated: got the findings %q, want the first ones", got)
	}
	keyed.Do("POST", path, `{"query": "museum", "scope": "everywhere"}`).Want(422)
	if a := f.Bea.AsService().Do("POST", "/find/query", `{"query": "museum", "scope": "everywhere"}`).Want(200); a.At("surface_runtime") != nil {
		t.Errorf("search of a service: got surfaces, want none")
	}
	if got := f.QueryInt("SELECT count(*) FROM find_query"); got != 2 {
		t.Errorf("got %d recorded searches, want 2", got)
	}
	f.Bea.Do("POST", "/world/find/history/clear", `{}`).Want(200)
	if got := f.QueryInt("SELECT count(*) FROM find_query"); got != 0 {
		t.Errorf("cleared history: got %d searches, want none", got)
	}
}

// Covers W-45, W-46, W-47, W-65, P-04 and the routes of Maps for services.
func testPlaces(t *testing.T, f *routesFixture) {
	service := f.Ann.AsService()
	for _, c := range []struct {
		query  string
		fields string
	}{
		{"?lat=200&lon=1", "lat"}, {"?lat=1", "lon"}, {"?south=1&north=0", "south"}, {"?north=91", "north"}, {"?west=0x10", "west"}, {"?east=NaN", "east"}, {"?south=far", "south"},
	} {
		a := f.Ann.Do("GET", "/world/field/objects"+c.query).WantError(400, "invalid_parameter")
		if got := a.Column("error.fields", "name"); !strings.Contains(got, c.fields) {
			t.Errorf("%s: got the fields %q, want %s", c.query, got, c.fields)
		}
	}
	area := f.Ann.Do("GET", "/world/field/objects?south=35.8&north=36&west=14&east=15").Want(200)
	if !strings.Contains(area.Body, "Caffe Cordina") {
		t.Errorf("area: got %s, want Caffe Cordina", area.Body)
	}
	if a := f.Ann.Do("GET", "/world/field/objects?categories=").Want(200); strings.Contains(a.Body, "Caffe Cordina") {
		t.Errorf("no categories: got %s, want no places", a.Body)
	}
	session := service.Do("GET", "/maps/session"+apptest.AtValletta).Want(200)
	session.WantSchema("service.field.runtime", session.At(""))
	service.Do("GET", "/maps/objects"+apptest.AtValletta+"&categories=coffee").Want(200).WantValues("", map[string]any{"objects.0.id": "osm:node/1"})
	nearby := service.Do("GET", "/maps/geo/nearby"+apptest.AtValletta+"&radius=500&limit=2").Want(200)
	nearby.WantSchema("service.maps.place", nearby.At("places.0"))
	if got := nearby.List("places"); len(got) != 2 {
		t.Errorf("nearby: got %d places, want 2", len(got))
	}
	if got := service.Do("GET", "/maps/geo/nearby"+apptest.AtValletta+"&categories=").Want(200).List("places"); len(got) != 0 {
		t.Errorf("no categories: got %d places, want none", len(got))
	}
	service.Do("GET", "/maps/geo/lookup?id=osm:way/2&language=de").Want(200).WantValues("places", map[string]any{"0.name": "Archäologisches Museum"})
	service.Do("GET", "/maps/geo/lookup?id=osm:way/99").Want(200).WantValues("", map[string]any{"places": "[]"})
	if got := service.Do("GET", "/maps/geo/lookup?q=cordina&radius=500&lat=35.8980&lon=14.5124").Want(200).List("places"); len(got) != 1 {
		t.Errorf("lookup near a position: got %d places, want 1", len(got))
	}
	service.Do("GET", "/maps/geo/reverse"+apptest.AtValletta).Want(200).WantValues("place", map[string]any{"name": "Caffe Cordina"})
	service.Do("GET", "/maps/geo/reverse?lat=0&lon=-30").Want(200).WantValues("", map[string]any{"place": nil})
	service.Do("GET", "/maps/presentation"+apptest.AtValletta+"&label=Here").Want(200).WantValues("", map[string]any{"markers.0.label": "Here"})
	service.Do("GET", "/maps/presentation"+apptest.AtValletta+"&label="+strings.Repeat("x", 1000)).Want(422)
	for _, path := range []string{"/maps/presentation", "/maps/geo/nearby", "/maps/geo/reverse", "/maps/geo/lookup", "/maps/geo/lookup?q=a&id=b", "/maps/geo/nearby" + apptest.AtValletta + "&limit=-1"} {
		service.Do("GET", path).WantError(400, "invalid_parameter")
	}
	service.Do("GET", "/db-check").Want(200).WantValues("", map[string]any{"service": "maps", "database": "ok"})
	f.Unauthenticated().Do("GET", "/maps/db-check").Want(200)
	for _, path := range []string{"/world/session", "/world/translated", "/world/runtime"} {
		f.Ann.Do("GET", path).WantError(400, "runtime_header_required")
	}
	runtime := f.Ann.AsRuntime()
	runtime.Do("GET", "/world/session?lat=200&lon=1").WantError(400, "invalid_parameter")
	runtime.Do("GET", "/world/translated?thread=none").WantError(404, "not_found")
	f.Cem.AsRuntime().Do("GET", "/world/translated?thread="+apptest.LastSegment(f.Thread)).WantError(404, "not_found")
	runtime.Do("GET", "/world/translated?thread="+apptest.LastSegment(f.Thread)).Want(200)
	runtime.Do("GET", "/world/session"+apptest.AtValletta).Want(200).WantValues("field_runtime", map[string]any{"radius_meters": 1000, "objects.0.id": "osm:node/1"})
	f.Ann.Do("POST", "/world/session", `{}`).WantError(400, "runtime_header_required")
	runtime.Do("POST", "/world/session", `{}`).Want(200)
}
