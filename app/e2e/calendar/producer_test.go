package calendar

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// The routes of the producer need the service key and the id of a member. Covers
// W-06 and B-15 for Time.
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
	withoutTime := apptest.New(t, apptest.WithServiceKey, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	withoutTime.Member("bea").AsService().Do("GET", "/objects").WantError(503, "service_unavailable")
	withoutTime.Unauthenticated().Do("GET", "/objects").WantError(404, "not_found")
}

// Sources match their schema, name actions and permissions, and contain no presentation and no data
// of another member. Covers T-32, T-33, T-37 and B-61.
func TestObjectSourcesMeetTheirSchema(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.CreateEntries()
	a := ann.AsService().Do("GET", "/objects").Want(200)
	if a.Str("service") != "time" || a.At("truncated") != false {
		t.Errorf("got service %v, truncated %v, want time, false", a.At("service"), a.At("truncated"))
	}
	var got []string
	for section, objectType := range map[string]string{"appointments": "calendar_event", "tasks": "task"} {
		for _, o := range a.List("objects." + section) {
			a.WantSchema("service.time.object_source", o)
			got = append(got, apptest.At(o, "title").(string))
			id := apptest.At(o, "state.id")
			for path, want := range map[string]string{
				"source":             fmt.Sprintf("map[resource_id:%v resource_type:%s service:time]", id, objectType),
				"domain_actions":     "[open_time_object update_time_object delete_time_object]",
				"domain_permissions": "map[can_delete:true can_update:true can_view:true]",
			} {
				if text := fmt.Sprint(apptest.At(o, path)); text != want {
					t.Errorf("%v: got %s %s, want %s", id, path, text, want)
				}
			}
		}
	}
	slices.Sort(got)
	if want := []string{"Choir <b>", "Dentist", "Every minute", "Holiday", "Some day", "Taxes", "Wherever I am"}; !slices.Equal(got, want) {
		t.Errorf("got sources %q, want %q", got, want)
	}
	for _, word := range []string{"/world/", "panel", "surface", "stack", "placement", "dock", "rail"} {
		if strings.Contains(a.Body, word) {
			t.Errorf("got %s in %s", word, a.Body)
		}
	}
	for query, field := range map[string]string{"start=2026-12-02&end=2026-12-01": "end", "start=2026-12-02&end=2036-12-01": "end", "start=0000-01-01": "start"} {
		ann.AsService().Do("GET", "/objects?"+query).WantError(400, "invalid_parameter").WantFields(field)
	}
	if b := bea.AsService().Do("GET", "/objects").Want(200); len(b.List("objects.appointments"))+len(b.List("objects.tasks")) != 0 {
		t.Errorf("another member got %s", b.Body)
	}
}

// With the service key, events, tasks, objects and calendars are created, listed,
// changed and deleted as over the JSON API, each under its own type only. Covers T-35 and
// B-61.
func TestEntriesAreWrittenWithTheServiceKey(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann").AsService(), h.Member("bea").AsService()
	event := ann.Do("POST", "/events", `{"title": "Dentist", "start": "2026-12-01T09:00:00", "rrule": "FREQ=DAILY;COUNT=3"}`).Want(201).Str("object.id")
	taskID := ann.Do("POST", "/tasks", `{"title": "Taxes", "due": "2026-12-31"}`).Want(201).Str("object.id")
	ann.Do("POST", "/tasks", `{"title": "Done already", "status": "completed"}`).Want(201)
	ann.Do("POST", "/tasks", `{"title": "Given up", "status": "cancelled"}`).Want(201)
	ann.Do("GET", "/events/"+event).Want(200).WantValues("object", map[string]any{"object_type": "calendar_event", "title": "Dentist"})
	for _, path := range []string{"/events/" + taskID, "/tasks/" + event} {
		ann.Do("GET", path).WantError(404, "not_found")
		ann.Do("PATCH", path, `{"title": "x"}`).WantError(404, "not_found")
		ann.Do("DELETE", path).WantError(404, "not_found")
	}
	for _, path := range []string{"/events/" + event, "/tasks/" + taskID, "/runtime/objects/" + taskID} {
		bea.Do("PATCH", path, `{"title": "x"}`).WantError(404, "not_found")
		bea.Do("DELETE", path).WantError(404, "not_found")
	}
	const list = "/events?start=2026-12-01&end=2027-01-01"
	if a := ann.Do("GET", list).Want(200); len(a.List("events")) != 3 || a.Str("events.0.links.self") != "/world/time/objects/"+event {
		t.Errorf("got events %s, want 3", a.Body)
	}
	for status, want := range map[string][]string{
		"": {"Taxes", "Done already", "Given up"}, "?status=needs_action": {"Taxes"}, "?status=completed": {"Done already"}, "?status=cancelled": {"Given up"},
	} {
		if got := apptest.Values(ann.Do("GET", "/tasks"+status).Want(200).List("tasks"), "title"); !slices.Equal(got, want) {
			t.Errorf("tasks %s: got %q, want %q", status, got, want)
		}
	}
	ann.Do("GET", "/tasks?status=lost").WantError(400, "invalid_parameter").WantFields("status")
	ann.Do("GET", "/tasks?cursor=abc").WantError(400, "invalid_parameter").WantFields("cursor")
	ann.Do("PATCH", "/events/"+event, `{"title": "Doctor", "scope": "this", "recurrence_id": "2026-12-02T09:00:00"}`).Want(200)
	ann.Do("PATCH", "/tasks/"+taskID, `{"status": "completed"}`).Want(200)
	ann.Do("DELETE", "/events/"+event+"?scope=this&recurrence_id=2026-12-01T09:00:00").Want(200)
	if got, want := apptest.Values(ann.Do("GET", list).List("events"), "title"), []string{"Doctor", "Dentist"}; !slices.Equal(got, want) {
		t.Errorf("got events %q, want %q", got, want)
	}
	ann.Do("DELETE", "/events/"+event).Want(200)
	ann.Do("DELETE", "/tasks/"+taskID).Want(200)
	ann.Do("GET", "/events/"+event).WantError(404, "not_found")

	id := ann.Do("POST", "/runtime/objects", `{"object_type": "task", "title": "Paint"}`).Want(201).Str("object.id")
	ann.Do("PATCH", "/runtime/objects/"+id, `{"title": "Paint the fence"}`).Want(200)
	ann.Do("DELETE", "/runtime/objects/"+id).Want(200)
	calendarID := ann.Do("POST", "/calendars", `{"name": "Home"}`).Want(201).Str("calendar.id")
	ann.Do("PATCH", "/calendars/"+calendarID, `{"name": "House"}`).Want(200)
	ann.Do("DELETE", "/calendars/"+calendarID).Want(200)
}
