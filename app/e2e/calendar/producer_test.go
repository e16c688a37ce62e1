package calendar

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
)

// Covers W-06 and B-15 as far as Time goes: who gets through to the
// producer's routes.
func TestProducerRoutesNeedTheKeyAndAMember(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	for _, path := range []string{"/objects", "/events", "/tasks", "/calendars", "/runtime/panel/time"} {
		ann.AsService().Do("GET", path).Want(200)
		ann.AsService().With("X-Service-Member-Id", "").Do("GET", path).WantError(400, "member_context_required")
		ann.AsService().With("X-Service-Member-Id", "ann").Do("GET", path).WantError(400, "member_context_required")
		ann.AsService().With("X-Service-Member-Id", "77").Do("GET", path).WantError(404, "not_found")
		ann.With("X-Service-Member-Id", fmt.Sprint(ann.ID)).Do("GET", path).WantError(404, "not_found")
		ann.AsService().With("Authorization", "Service "+apptest.ServiceKey+"x").Do("GET", path).WantError(404, "not_found")
	}
	off := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	off.Member("bea").AsService().Do("GET", "/objects").WantError(503, "service_unavailable")
	off.Unauthenticated().Do("GET", "/objects").WantError(404, "not_found")
}

// Covers T-32, T-33, T-37 and B-61.
func TestTimeObjectSources(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.CreateEntries()
	a := ann.AsService().Do("GET", "/objects").Want(200)
	if a.Str("service") != "time" || a.At("truncated") != false {
		t.Errorf("service %v, truncated %v", a.At("service"), a.At("truncated"))
	}
	// A series is there once, and what is to do whenever it is.
	var got []string
	for kind, objectType := range map[string]string{"appointments": "calendar_event", "tasks": "task"} {
		for _, o := range a.List("objects." + kind) {
			a.WantSchema("service.time.object_source", o)
			got = append(got, apptest.At(o, "title").(string))
			id := apptest.At(o, "state.id")
			if source := fmt.Sprint(apptest.At(o, "source")); source != fmt.Sprintf("map[resource_id:%v resource_type:%s service:time]", id, objectType) {
				t.Errorf("source %s", source)
			}
			if actions := fmt.Sprint(apptest.At(o, "domain_actions")); actions != "[open_time_object update_time_object delete_time_object]" {
				t.Errorf("actions %s", actions)
			}
			if allowed := fmt.Sprint(apptest.At(o, "domain_permissions")); allowed != "map[can_delete:true can_update:true can_view:true]" {
				t.Errorf("permissions %s", allowed)
			}
		}
	}
	slices.Sort(got)
	if want := "[Choir <b> Dentist Every minute Holiday Some day Taxes Wherever I am]"; fmt.Sprint(got) != want {
		t.Errorf("sources %v, want %s", got, want)
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(a.Body, word) {
			t.Errorf("a source says %s", word)
		}
	}
	for _, c := range []struct{ name, query, want string }{
		{"a range ahead has the first of the series in it", "?start=2027-07-20&end=2027-08-10", "Choir <b> 2027-07-26, Every minute 2027-07-19, Next year <nil>"},
		{"of a range that is past, the last", "?start=2026-11-01&end=2026-11-20", "Choir <b> 2026-11-16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, o := range ann.AsService().Do("GET", "/objects"+c.query).Want(200).List("objects.appointments") {
				got = append(got, fmt.Sprintf("%v %.10v", apptest.At(o, "title"), apptest.At(o, "state.occurrence.recurrence_id")))
			}
			slices.Sort(got)
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
	ann.AsService().Do("GET", "/objects?start=2026-12-02&end=2026-12-01").WantError(400, "invalid_parameter").WantFields("end")
	ann.AsService().Do("GET", "/objects?start=2026-12-02&end=2036-12-01").WantError(400, "invalid_parameter").WantFields("end")
	ann.AsService().Do("GET", "/objects?start=0000-01-01").WantError(400, "invalid_parameter").WantFields("start")
	if b := bea.AsService().Do("GET", "/objects").Want(200); len(b.List("objects.appointments"))+len(b.List("objects.tasks")) != 0 {
		t.Error("Bea is offered what is Ann's")
	}
}

// Covers T-35 and B-61.
func TestEventsAndTasksBehindTheKey(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann").AsService(), h.Member("bea").AsService()
	event := ann.Do("POST", "/events", `{"title": "Dentist", "start": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;COUNT=3"}`).Want(201).Str("object.id")
	task := ann.Do("POST", "/tasks", `{"title": "Taxes", "due": "2026-12-31"}`).Want(201).Str("object.id")
	ann.Do("POST", "/tasks", `{"title": "Done already", "status": "completed"}`).Want(201)
	ann.Do("POST", "/tasks", `{"title": "Given up", "status": "cancelled"}`).Want(201)
	if a := ann.Do("GET", "/events/"+event).Want(200); a.Str("object.object_type") != "calendar_event" || a.Str("object.title") != "Dentist" {
		t.Errorf("event %s", a.Body)
	}
	for _, wrong := range []string{"/events/" + task, "/tasks/" + event} {
		ann.Do("GET", wrong).WantError(404, "not_found")
		ann.Do("PATCH", wrong, `{"title": "x"}`).WantError(404, "not_found")
		ann.Do("DELETE", wrong).WantError(404, "not_found")
	}
	for _, foreign := range []string{"/events/" + event, "/tasks/" + task, "/runtime/objects/" + task} {
		bea.Do("PATCH", foreign, `{"title": "x"}`).WantError(404, "not_found")
		bea.Do("DELETE", foreign).WantError(404, "not_found")
	}
	if a := ann.Do("GET", "/events?start=2026-12-01&end=2027-01-01").Want(200); len(a.List("events")) != 3 || a.Str("events.0.links.self") != "/world/time/objects/"+event {
		t.Errorf("events %s", a.Body)
	}
	for status, want := range map[string]string{
		"": "[Taxes Done already Given up]", "?status=needs_action": "[Taxes]", "?status=completed": "[Done already]", "?status=cancelled": "[Given up]",
	} {
		if got := fmt.Sprint(titlesAt(ann.Do("GET", "/tasks"+status).Want(200), "tasks")); got != want {
			t.Errorf("tasks %s are %s, want %s", status, got, want)
		}
	}
	ann.Do("GET", "/tasks?status=lost").WantError(400, "invalid_parameter").WantFields("status")
	ann.Do("PATCH", "/events/"+event, `{"title": "Doctor", "scope": "this", "recurrence_id": "2026-12-02T09:00:00"}`).Want(200)
	ann.Do("PATCH", "/tasks/"+task, `{"status": "completed"}`).Want(200)
	ann.Do("DELETE", "/events/"+event+"?scope=this&recurrence_id=2026-12-01T09:00:00").Want(200)
	if got := fmt.Sprint(titlesAt(ann.Do("GET", "/events?start=2026-12-01&end=2027-01-01"), "events")); got != "[Doctor Dentist]" {
		t.Errorf("events %s", got)
	}
	ann.Do("DELETE", "/events/"+event).Want(200)
	ann.Do("DELETE", "/tasks/"+task).Want(200)
	ann.Do("GET", "/events/"+event).WantError(404, "not_found")

	// The same with the bodies that World takes.
	id := ann.Do("POST", "/runtime/objects", `{"object_type": "task", "title": "Paint"}`).Want(201).Str("object.id")
	ann.Do("PATCH", "/runtime/objects/"+id, `{"title": "Paint the fence"}`).Want(200)
	ann.Do("DELETE", "/runtime/objects/"+id).Want(200)
	home := ann.Do("POST", "/calendars", `{"name": "Home"}`).Want(201).Str("calendar.id")
	ann.Do("PATCH", "/calendars/"+home, `{"name": "House"}`).Want(200)
	ann.Do("DELETE", "/calendars/"+home).Want(200)
}

// Pages of tasks have each once, those that are to do first. Covers PT-30 as
// far as tasks go.
func TestTasksInPages(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	crowd(ann, 5, "VTODO", "STATUS:COMPLETED", "COMPLETED:20261120T000000Z")
	for i := range 5 {
		ann.Do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("open ", i)}).Want(201)
	}
	var got []string
	for path := "/tasks?limit=3"; path != ""; {
		a := ann.AsService().Do("GET", path).Want(200)
		got = append(got, titlesAt(a, "tasks")...)
		path = ""
		if next := a.Str("page.next_cursor"); next != "" {
			path = "/tasks?limit=3&cursor=" + next
		}
	}
	if want := "[open 0 open 1 open 2 open 3 open 4 VTODO-0 VTODO-1 VTODO-2 VTODO-3 VTODO-4]"; fmt.Sprint(got) != want {
		t.Errorf("tasks %v, want %s", got, want)
	}
	ann.AsService().Do("GET", "/tasks?cursor=abc").WantError(400, "invalid_parameter").WantFields("cursor")
}

var syncToken = regexp.MustCompile(`urn:appliance:sync:[^<]*`)

// Covers T-22, T-23, T-24, T-37, E-11, C-25, and B-62 but for what Social pushes.
func TestMirrorOfASocialEvent(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
	path := ann.DefaultCalendar()
	ann.Basic().Do("PUT", path+"mirror.ics", apptest.VEvent("mirror", "DTSTART:20261201T180000Z", "DTEND:20261201T200000Z", "SUMMARY:Dinner")).Want(201)
	h.Exec("UPDATE calendar_object SET source_service = 'social', source_object_type = 'event', source_object_id = 'evt_1'")
	id := ann.Do("GET", "/world/time/objects?start=2026-12-01").Str("objects.0.id")
	self := "/world/time/objects/" + id
	before := ann.Basic().Do("GET", path+"mirror.ics").Want(200).Body

	ann.Do("PATCH", self, `{"title": "Lunch", "alarms": [], "start": "2026-12-01T12:00:00", "rrule": "FREQ=DAILY"}`).
		WantError(403, "social_owned_field").WantFields("rrule", "start", "title")
	for _, field := range []string{"description", "location", "end", "timezone", "status", "transparency", "exdates", "rdates", "categories"} {
		ann.Do("PATCH", self, map[string]any{field: nil}).WantError(403, "social_owned_field").WantFields(field)
	}
	ann.Do("PATCH", self, `{"all_day": true}`).WantError(403, "social_owned_field").WantFields("all_day")
	ann.Do("DELETE", self).WantError(403, "social_owned_field")
	ann.Do("PATCH", self, `{"color": "#112233", "scope": "this", "recurrence_id": "x"}`).WantError(422, "invalid_value").WantFields("scope")
	ann.Do("PATCH", self, `{"color": "red"}`).WantError(422, "invalid_value").WantFields("color")
	ann.Do("PATCH", self, `{"local_visibility": "shy"}`).WantError(422, "invalid_value").WantFields("local_visibility")
	if after := ann.Basic().Do("GET", path+"mirror.ics").Body; after != before {
		t.Errorf("after refusals it is\n%s", after)
	}

	o := ann.Do("PATCH", self, `{"color": "#AABBCC", "alarms": [{"trigger": "-PT1H"}]}`).Want(200)
	if o.Str("object.state.color") != "#aabbcc" || o.Str("object.state.alarms.0.trigger") != "-PT1H" || o.At("object.permissions.can_delete") != false {
		t.Errorf("own fields: %s", o.Body)
	}
	if got := fmt.Sprint(o.At("object.state.editable_fields"), o.At("object.state.source_service"), o.At("object.state.source_object_id")); got != "[calendar_id color local_visibility alarms]socialevt_1" {
		t.Errorf("mirror %s", got)
	}
	// A calendar program may do the same and no more: C-25, C-26.
	written := ann.Basic().Do("GET", path+"mirror.ics").Want(200).Body
	for _, c := range []struct{ name, old, new string }{
		{"a title", "SUMMARY:Dinner", "SUMMARY:Lunch"},
		{"a start", "DTSTART:20261201T180000Z", "DTSTART:20261201T190000Z"},
		{"a rule", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nRRULE:FREQ=DAILY"},
		{"a place", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nLOCATION:Elsewhere"},
		{"a guest", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nATTENDEE:mailto:bea@example.org"},
	} {
		a := ann.Basic().Do("PUT", path+"mirror.ics", strings.Replace(written, c.old, c.new, 1)).Want(403)
		if !strings.Contains(a.Body, "need-privileges") {
			t.Errorf("%s is refused with %s", c.name, a.Body)
		}
	}
	if a := ann.Basic().Do("DELETE", path+"mirror.ics").Want(403); !strings.Contains(a.Body, "need-privileges") {
		t.Errorf("deletion is refused with %s", a.Body)
	}
	if after := ann.Basic().Do("GET", path+"mirror.ics").Body; after != written {
		t.Errorf("after refusals it is\n%s", after)
	}
	same := strings.NewReplacer("DTEND:20261201T200000Z", "DURATION:PT2H", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nTRANSP:TRANSPARENT\r\nSTATUS:CONFIRMED\r\nX-APPLE-TRAVEL:PT5M",
		"TRIGGER:-PT1H", "TRIGGER:-PT2H").Replace(written)
	ann.Basic().Do("PUT", path+"mirror.ics", same).Want(204)

	own := ann.Do("POST", "/world/calendars", `{"name": "Social"}`).Want(201)
	if got := ann.Do("PATCH", self, map[string]any{"calendar_id": own.Str("calendar.id"), "color": nil}).Want(200); got.Str("object.state.calendar_name") != "Social" || got.Str("object.state.color") != "#3b82f6" {
		t.Errorf("moved: %s", got.Body)
	}

	// Out of sight it is in no list, and for programs it is gone.
	home := own.Str("calendar.caldav_path")
	token := syncToken.FindString(ann.Basic().With("Depth", "0").Do("PROPFIND", home, `<propfind xmlns="DAV:"><prop><sync-token/></prop></propfind>`).Body)
	changes := func() string {
		return ann.Basic().Do("REPORT", home, `<sync-collection xmlns="DAV:"><sync-token>`+token+`</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`).Want(207).Body
	}
	etag := ann.Do("GET", "/world/runtime").Header.Get("ETag")
	ann.Do("PATCH", self, `{"local_visibility": "hidden"}`).Want(200)
	if got := ann.Do("GET", self).Want(200).Str("object.state.local_visibility"); got != "hidden" {
		t.Errorf("visibility %s", got)
	}
	if a := ann.With("If-None-Match", etag).Do("GET", "/world/runtime").Want(200); strings.Contains(a.Body, "Dinner") {
		t.Error("what is hidden is in the dataset")
	}
	for _, view := range []string{"/world/panels/time?view=day&date=2026-12-01", "/world/time/objects?start=2026-12-01"} {
		if strings.Contains(ann.Do("GET", view).Want(200).Body, "Dinner") {
			t.Errorf("what is hidden is in %s", view)
		}
	}
	if got := changes(); !strings.Contains(got, "mirror.ics") || !strings.Contains(got, "404 Not Found") {
		t.Errorf("programs hear\n%s", got)
	}
	ann.Do("PATCH", self, `{"local_visibility": "visible"}`).Want(200)
	if !strings.Contains(ann.Do("GET", "/world/runtime").Body, "Dinner") {
		t.Error("what shows again is not in the dataset")
	}
	if got := changes(); !strings.Contains(got, "mirror.ics") || strings.Contains(got, "404 Not Found") {
		t.Errorf("programs hear\n%s", got)
	}
}

// What is not a mirror has the color of its calendar, and shows.
func TestOnlyMirrorsHaveAColorOfTheirOwn(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	id := ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "Mine"}`).Want(201).Str("object.id")
	ann.Do("PATCH", "/world/time/objects/"+id, `{"color": "#112233"}`).WantError(422, "invalid_value").WantFields("color")
	ann.Do("PATCH", "/world/time/objects/"+id, `{"local_visibility": "hidden"}`).WantError(422, "invalid_value").WantFields("local_visibility")
	ann.Do("POST", "/world/time/objects", `{"object_type": "task", "title": "New", "color": "#112233"}`).WantError(422, "invalid_value").WantFields("color")
	h.Clock.Set(h.Clock.Now().Add(time.Hour))
	if got := ann.Do("GET", "/world/time/objects/"+id).Str("object.state.updated_at"); got != "2026-11-21T09:00:00Z" {
		t.Errorf("refusals changed it at %s", got)
	}
}
