package app

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/config"
)

const serviceKey = "the key of the services"

// internally returns a client that has the service key and names the member.
func (c *client) internally() *client {
	return c.with("Authorization", "Service "+serviceKey).with("X-Service-Member-Id", fmt.Sprint(c.id))
}

func withKey(s *config.Settings) { s.ServiceKey = serviceKey }

// Covers W-06 and B-15 as far as Time goes: who gets through to the
// producer's routes.
func TestProducerRoutesNeedTheKeyAndAMember(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	for _, path := range []string{"/objects", "/events", "/tasks", "/calendars", "/runtime/panel/time"} {
		ann.internally().do("GET", path).want(200)
		ann.internally().with("X-Service-Member-Id", "").do("GET", path).refused(400, "member_context_required")
		ann.internally().with("X-Service-Member-Id", "ann").do("GET", path).refused(400, "member_context_required")
		ann.internally().with("X-Service-Member-Id", "77").do("GET", path).refused(404, "not_found")
		ann.with("X-Service-Member-Id", fmt.Sprint(ann.id)).do("GET", path).refused(404, "not_found")
		ann.internally().with("Authorization", "Service "+serviceKey+"x").do("GET", path).refused(404, "not_found")
	}
	off := open(t, withKey, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	off.member("bea").internally().do("GET", "/objects").refused(503, "service_unavailable")
	off.nobody().do("GET", "/objects").refused(404, "not_found")
}

// Covers T-32, T-33, T-37 and B-61.
func TestTimeObjectSources(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann"), h.member("bea")
	ann.settle()
	a := ann.internally().do("GET", "/objects").want(200)
	if a.str("service") != "time" || a.at("truncated") != false {
		t.Errorf("service %v, truncated %v", a.at("service"), a.at("truncated"))
	}
	// A series is there once, and what is to do whenever it is.
	var got []string
	for kind, objectType := range map[string]string{"appointments": "calendar_event", "tasks": "task"} {
		for _, o := range a.list("objects." + kind) {
			a.fits("service.time.object_source", o)
			got = append(got, dig(o, "title").(string))
			id := dig(o, "state.id")
			if source := fmt.Sprint(dig(o, "source")); source != fmt.Sprintf("map[resource_id:%v resource_type:%s service:time]", id, objectType) {
				t.Errorf("source %s", source)
			}
			if actions := fmt.Sprint(dig(o, "domain_actions")); actions != "[open_time_object update_time_object delete_time_object]" {
				t.Errorf("actions %s", actions)
			}
			if allowed := fmt.Sprint(dig(o, "domain_permissions")); allowed != "map[can_delete:true can_update:true can_view:true]" {
				t.Errorf("permissions %s", allowed)
			}
		}
	}
	slices.Sort(got)
	if want := "[Choir <b> Dentist Every minute Holiday Some day Taxes Wherever I am]"; fmt.Sprint(got) != want {
		t.Errorf("sources %v, want %s", got, want)
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(a.body, word) {
			t.Errorf("a source says %s", word)
		}
	}
	for _, c := range []struct{ name, query, want string }{
		{"a range ahead has the first of the series in it", "?start=2027-07-20&end=2027-08-10", "Choir <b> 2027-07-26, Every minute 2027-07-19, Next year <nil>"},
		{"of a range that is past, the last", "?start=2026-11-01&end=2026-11-20", "Choir <b> 2026-11-16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, o := range ann.internally().do("GET", "/objects"+c.query).want(200).list("objects.appointments") {
				got = append(got, fmt.Sprintf("%v %.10v", dig(o, "title"), dig(o, "state.occurrence.recurrence_id")))
			}
			slices.Sort(got)
			if strings.Join(got, ", ") != c.want {
				t.Errorf("got %v, want %s", got, c.want)
			}
		})
	}
	ann.internally().do("GET", "/objects?start=2026-12-02&end=2026-12-01").refused(400, "invalid_parameter").names("end")
	ann.internally().do("GET", "/objects?start=2026-12-02&end=2036-12-01").refused(400, "invalid_parameter").names("end")
	ann.internally().do("GET", "/objects?start=0000-01-01").refused(400, "invalid_parameter").names("start")
	if b := bea.internally().do("GET", "/objects").want(200); len(b.list("objects.appointments"))+len(b.list("objects.tasks")) != 0 {
		t.Error("Bea is offered what is Ann's")
	}
}

// Covers T-35 and B-61.
func TestEventsAndTasksBehindTheKey(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann").internally(), h.member("bea").internally()
	event := ann.do("POST", "/events", `{"title": "Dentist", "start": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;COUNT=3"}`).want(201).str("object.id")
	task := ann.do("POST", "/tasks", `{"title": "Taxes", "due": "2026-12-31"}`).want(201).str("object.id")
	ann.do("POST", "/tasks", `{"title": "Done already", "status": "completed"}`).want(201)
	ann.do("POST", "/tasks", `{"title": "Given up", "status": "cancelled"}`).want(201)
	if a := ann.do("GET", "/events/"+event).want(200); a.str("object.object_type") != "calendar_event" || a.str("object.title") != "Dentist" {
		t.Errorf("event %s", a.body)
	}
	for _, wrong := range []string{"/events/" + task, "/tasks/" + event} {
		ann.do("GET", wrong).refused(404, "not_found")
		ann.do("PATCH", wrong, `{"title": "x"}`).refused(404, "not_found")
		ann.do("DELETE", wrong).refused(404, "not_found")
	}
	for _, foreign := range []string{"/events/" + event, "/tasks/" + task, "/runtime/objects/" + task} {
		bea.do("PATCH", foreign, `{"title": "x"}`).refused(404, "not_found")
		bea.do("DELETE", foreign).refused(404, "not_found")
	}
	if a := ann.do("GET", "/events?start=2026-12-01&end=2027-01-01").want(200); len(a.list("events")) != 3 || a.str("events.0.links.self") != "/world/time/objects/"+event {
		t.Errorf("events %s", a.body)
	}
	for status, want := range map[string]string{
		"": "[Taxes Done already Given up]", "?status=needs_action": "[Taxes]", "?status=completed": "[Done already]", "?status=cancelled": "[Given up]",
	} {
		if got := fmt.Sprint(titlesAt(ann.do("GET", "/tasks"+status).want(200), "tasks")); got != want {
			t.Errorf("tasks %s are %s, want %s", status, got, want)
		}
	}
	ann.do("GET", "/tasks?status=lost").refused(400, "invalid_parameter").names("status")
	ann.do("PATCH", "/events/"+event, `{"title": "Doctor", "scope": "this", "recurrence_id": "2026-12-02T09:00:00"}`).want(200)
	ann.do("PATCH", "/tasks/"+task, `{"status": "completed"}`).want(200)
	ann.do("DELETE", "/events/"+event+"?scope=this&recurrence_id=2026-12-01T09:00:00").want(200)
	if got := fmt.Sprint(titlesAt(ann.do("GET", "/events?start=2026-12-01&end=2027-01-01"), "events")); got != "[Doctor Dentist]" {
		t.Errorf("events %s", got)
	}
	ann.do("DELETE", "/events/"+event).want(200)
	ann.do("DELETE", "/tasks/"+task).want(200)
	ann.do("GET", "/events/"+event).refused(404, "not_found")

	// The same with the bodies that World takes.
	id := ann.do("POST", "/runtime/objects", `{"object_type": "task", "title": "Paint"}`).want(201).str("object.id")
	ann.do("PATCH", "/runtime/objects/"+id, `{"title": "Paint the fence"}`).want(200)
	ann.do("DELETE", "/runtime/objects/"+id).want(200)
	home := ann.do("POST", "/calendars", `{"name": "Home"}`).want(201).str("calendar.id")
	ann.do("PATCH", "/calendars/"+home, `{"name": "House"}`).want(200)
	ann.do("DELETE", "/calendars/"+home).want(200)
}

// Pages of tasks have each once, those that are to do first. Covers PT-30 as
// far as tasks go.
func TestTasksInPages(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	ann.crowd(5, "VTODO", "STATUS:COMPLETED", "COMPLETED:20261120T000000Z")
	for i := range 5 {
		ann.do("POST", "/world/time/objects", map[string]any{"object_type": "task", "title": fmt.Sprint("open ", i)}).want(201)
	}
	var got []string
	for path := "/tasks?limit=3"; path != ""; {
		a := ann.internally().do("GET", path).want(200)
		got = append(got, titlesAt(a, "tasks")...)
		path = ""
		if next := a.str("page.next_cursor"); next != "" {
			path = "/tasks?limit=3&cursor=" + next
		}
	}
	if want := "[open 0 open 1 open 2 open 3 open 4 VTODO-0 VTODO-1 VTODO-2 VTODO-3 VTODO-4]"; fmt.Sprint(got) != want {
		t.Errorf("tasks %v, want %s", got, want)
	}
	ann.internally().do("GET", "/tasks?cursor=abc").refused(400, "invalid_parameter").names("cursor")
}

var syncToken = regexp.MustCompile(`urn:appliance:sync:[^<]*`)

// Covers T-22, T-23, T-24, T-37, E-11, C-25, and B-62 but for what Social pushes.
func TestMirrorOfASocialEvent(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	path := ann.defaultCalendar()
	ann.basic().do("PUT", path+"mirror.ics", vevent("mirror", "DTSTART:20261201T180000Z", "DTEND:20261201T200000Z", "SUMMARY:Dinner")).want(201)
	meddle(t, h, "UPDATE calendar_object SET source_service = 'social', source_object_type = 'event', source_object_id = 'evt_1'")
	id := ann.do("GET", "/world/time/objects?start=2026-12-01").str("objects.0.id")
	self := "/world/time/objects/" + id
	before := ann.basic().do("GET", path+"mirror.ics").want(200).body

	ann.do("PATCH", self, `{"title": "Lunch", "alarms": [], "start": "2026-12-01T12:00:00", "rrule": "FREQ=DAILY"}`).
		refused(403, "social_owned_field").names("rrule", "start", "title")
	for _, field := range []string{"description", "location", "end", "timezone", "status", "transparency", "exdates", "rdates", "categories"} {
		ann.do("PATCH", self, map[string]any{field: nil}).refused(403, "social_owned_field").names(field)
	}
	ann.do("PATCH", self, `{"all_day": true}`).refused(403, "social_owned_field").names("all_day")
	ann.do("DELETE", self).refused(403, "social_owned_field")
	ann.do("PATCH", self, `{"color": "#112233", "scope": "this", "recurrence_id": "x"}`).refused(422, "invalid_value").names("scope")
	ann.do("PATCH", self, `{"color": "red"}`).refused(422, "invalid_value").names("color")
	ann.do("PATCH", self, `{"local_visibility": "shy"}`).refused(422, "invalid_value").names("local_visibility")
	if after := ann.basic().do("GET", path+"mirror.ics").body; after != before {
		t.Errorf("after refusals it is\n%s", after)
	}

	o := ann.do("PATCH", self, `{"color": "#AABBCC", "alarms": [{"trigger": "-PT1H"}]}`).want(200)
	if o.str("object.state.color") != "#aabbcc" || o.str("object.state.alarms.0.trigger") != "-PT1H" || o.at("object.permissions.can_delete") != false {
		t.Errorf("own fields: %s", o.body)
	}
	if got := fmt.Sprint(o.at("object.state.editable_fields"), o.at("object.state.source_service"), o.at("object.state.source_object_id")); got != "[calendar_id color local_visibility alarms]socialevt_1" {
		t.Errorf("mirror %s", got)
	}
	// A calendar program may do the same and no more: C-25, C-26.
	written := ann.basic().do("GET", path+"mirror.ics").want(200).body
	for _, c := range []struct{ name, old, new string }{
		{"a title", "SUMMARY:Dinner", "SUMMARY:Lunch"},
		{"a start", "DTSTART:20261201T180000Z", "DTSTART:20261201T190000Z"},
		{"a rule", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nRRULE:FREQ=DAILY"},
		{"a place", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nLOCATION:Elsewhere"},
		{"a guest", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nATTENDEE:mailto:bea@example.org"},
	} {
		a := ann.basic().do("PUT", path+"mirror.ics", strings.Replace(written, c.old, c.new, 1)).want(403)
		if !strings.Contains(a.body, "need-privileges") {
			t.Errorf("%s is refused with %s", c.name, a.body)
		}
	}
	if a := ann.basic().do("DELETE", path+"mirror.ics").want(403); !strings.Contains(a.body, "need-privileges") {
		t.Errorf("deletion is refused with %s", a.body)
	}
	if after := ann.basic().do("GET", path+"mirror.ics").body; after != written {
		t.Errorf("after refusals it is\n%s", after)
	}
	same := strings.NewReplacer("DTEND:20261201T200000Z", "DURATION:PT2H", "SUMMARY:Dinner", "SUMMARY:Dinner\r\nTRANSP:TRANSPARENT\r\nSTATUS:CONFIRMED\r\nX-APPLE-TRAVEL:PT5M",
		"TRIGGER:-PT1H", "TRIGGER:-PT2H").Replace(written)
	ann.basic().do("PUT", path+"mirror.ics", same).want(204)

	own := ann.do("POST", "/world/calendars", `{"name": "Social"}`).want(201)
	if got := ann.do("PATCH", self, map[string]any{"calendar_id": own.str("calendar.id"), "color": nil}).want(200); got.str("object.state.calendar_name") != "Social" || got.str("object.state.color") != "#3b82f6" {
		t.Errorf("moved: %s", got.body)
	}

	// Out of sight it is in no list, and for programs it is gone.
	home := own.str("calendar.caldav_path")
	token := syncToken.FindString(ann.basic().with("Depth", "0").do("PROPFIND", home, `<propfind xmlns="DAV:"><prop><sync-token/></prop></propfind>`).body)
	changes := func() string {
		return ann.basic().do("REPORT", home, `<sync-collection xmlns="DAV:"><sync-token>`+token+`</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`).want(207).body
	}
	etag := ann.do("GET", "/world/runtime").header.Get("ETag")
	ann.do("PATCH", self, `{"local_visibility": "hidden"}`).want(200)
	if got := ann.do("GET", self).want(200).str("object.state.local_visibility"); got != "hidden" {
		t.Errorf("visibility %s", got)
	}
	if a := ann.with("If-None-Match", etag).do("GET", "/world/runtime").want(200); strings.Contains(a.body, "Dinner") {
		t.Error("what is hidden is in the dataset")
	}
	for _, view := range []string{"/world/panels/time?view=day&date=2026-12-01", "/world/time/objects?start=2026-12-01"} {
		if strings.Contains(ann.do("GET", view).want(200).body, "Dinner") {
			t.Errorf("what is hidden is in %s", view)
		}
	}
	if got := changes(); !strings.Contains(got, "mirror.ics") || !strings.Contains(got, "404 Not Found") {
		t.Errorf("programs hear\n%s", got)
	}
	ann.do("PATCH", self, `{"local_visibility": "visible"}`).want(200)
	if !strings.Contains(ann.do("GET", "/world/runtime").body, "Dinner") {
		t.Error("what shows again is not in the dataset")
	}
	if got := changes(); !strings.Contains(got, "mirror.ics") || strings.Contains(got, "404 Not Found") {
		t.Errorf("programs hear\n%s", got)
	}
}

// What is not a mirror has the color of its calendar, and shows.
func TestOnlyMirrorsHaveAColorOfTheirOwn(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	id := ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "Mine"}`).want(201).str("object.id")
	ann.do("PATCH", "/world/time/objects/"+id, `{"color": "#112233"}`).refused(422, "invalid_value").names("color")
	ann.do("PATCH", "/world/time/objects/"+id, `{"local_visibility": "hidden"}`).refused(422, "invalid_value").names("local_visibility")
	ann.do("POST", "/world/time/objects", `{"object_type": "task", "title": "New", "color": "#112233"}`).refused(422, "invalid_value").names("color")
	h.clock.Set(h.clock.Now().Add(time.Hour))
	if got := ann.do("GET", "/world/time/objects/"+id).str("object.state.updated_at"); got != "2026-11-21T09:00:00Z" {
		t.Errorf("refusals changed it at %s", got)
	}
}
