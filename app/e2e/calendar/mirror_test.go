package calendar

import (
	"fmt"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc"
	"appliance/svc/calendar/mirror"
)

// pushEvent sends the state of an event of member 1 with the service key.
func pushEvent(h *apptest.Server, p mirror.EventPush) *apptest.Answer {
	h.T.Helper()
	return h.Unauthenticated().With("Authorization", "Service "+apptest.ServiceKey).Do("POST", "/integrations/social/events", p)
}

func dinner(revision int64, audience ...svc.Attendee) mirror.EventPush {
	return mirror.EventPush{
		Operation: "update", EventID: "evt_dinner", Revision: revision, Audience: audience,
		Event: mirror.PushedEvent{
			Title: "Dinner", Start: "2026-12-24T18:00:00", End: "2026-12-24T22:00:00", Timezone: "Europe/Berlin", Status: "scheduled",
			Host: svc.EventHost{ID: 1, DisplayName: "Ann"},
		},
	}
}

func guest(c *apptest.Client, rsvp string) svc.Attendee {
	return svc.Attendee{MemberID: c.ID, RSVP: svc.Response(rsvp), Role: "guest"}
}

// A push with the service key adds mirrors, which appear over the JSON API
// and CalDAV. Covers T-20, T-36 and the responses of B-62.
func TestPushAddsMirrors(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann"), h.Member("bea")
	p := dinner(3, svc.Attendee{MemberID: ann.ID, RSVP: "going", Role: "host"}, guest(bea, "maybe"))
	ann.Do("POST", "/integrations/social/events", p).WantError(404, "not_found")
	if got, want := apptest.JSON(pushEvent(h, p).Want(200).At("")), `{"applied":true,"mirrors":{"created":2,"removed":0,"updated":0},"revision":3}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, text := bea.Mirror(); !strings.Contains(text, "\r\nSUMMARY:Dinner\r\n") {
		t.Errorf("got no SUMMARY:Dinner in\n%s", text)
	}
	o := bea.Do("GET", "/world/time/objects?start=2026-12-24&end=2027-02-01").Want(200)
	o.WantValues("objects.0.state", map[string]any{"source_service": "social", "source_object_type": "event", "source_object_id": "evt_dinner"})
	if strings.Contains(o.Body, "/social/") {
		t.Errorf("got a path of Social in %s", o.Body)
	}
	if got := pushEvent(h, p).Want(200); got.At("applied") != false || got.Str("reason") != "stale_revision" || got.At("revision") != 3.0 {
		t.Errorf("again: got %s, want stale_revision", got.Body)
	}
	p.Revision, p.Event.Title, p.Audience[0].RSVP = 4, " ", "yes"
	pushEvent(h, p).WantError(422, "invalid_value").WantFields("audience.0.rsvp")
	p.Audience[0].RSVP = "going"
	pushEvent(h, p).WantError(400, "field_required").WantFields("event.title")
	p.Operation, p.Event.Status, p.Audience[0].RSVP = "delete", "ended", "yes" // ignored
	if got, want := apptest.JSON(pushEvent(h, p).Want(200).At("mirrors")), `{"created":0,"removed":2,"updated":0}`; got != want {
		t.Errorf("deletion: got %s, want %s", got, want)
	}
	if got := bea.Mirrors(); len(got) != 0 {
		t.Errorf("after the deletion got mirrors %v, want none", got)
	}
}

// A push with more mirrors than one write changes is complete when it is acknowledged.
// Covers T-20 and B-130.
func TestPushToManyMembersIsComplete(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	p := dinner(1)
	var last *apptest.Client
	for i := range 60 {
		last = h.Member(fmt.Sprint("m", i))
		p.Audience = append(p.Audience, guest(last, "going"))
	}
	if got, want := apptest.JSON(pushEvent(h, p).Want(200).At("mirrors")), `{"created":60,"removed":0,"updated":0}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, text := last.Mirror(); !strings.Contains(text, "SUMMARY:Dinner") {
		t.Errorf("the last member has the mirror\n%s", text)
	}
}

// A write to the properties of a mirror that belong to the event gets 403, with
// need-privileges (RFC 3744 §7.1.1) over CalDAV. A write to the properties that
// belong to the member succeeds. Covers T-22, T-23, T-24, T-37, C-25, C-26,
// E-11, B-62 and PT-25.
func TestMirrorRejectsWritesOfTheEvent(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	p := dinner(1, guest(ann, "going"))
	p.Event.Latitude, p.Event.Longitude = new(52.52), new(13.405)
	pushEvent(h, p).Want(200)
	href, text := ann.Mirror()
	self := "/world/time/objects/" + ann.Do("GET", "/world/time/objects?start=2026-12-24").Str("objects.0.id")
	ann.Do("PATCH", self, `{"title": "Lunch", "alarms": [], "start": "2026-12-01T12:00:00"}`).WantError(403, "social_owned_field").WantFields("start", "title")
	ann.Do("DELETE", self).WantError(403, "social_owned_field")
	for name, a := range map[string]*apptest.Answer{
		"PUT of another title":       ann.Basic().Do("PUT", href, strings.Replace(text, "SUMMARY:Dinner", "SUMMARY:Lunch", 1)),
		"PUT of another start":       ann.Basic().Do("PUT", href, strings.Replace(text, "T180000", "T190000", 1)),
		"PUT of other coordinates":   ann.Basic().Do("PUT", href, strings.Replace(text, "GEO:52.520000", "GEO:52.530000", 1)),
		"PUT without coordinates":    ann.Basic().Do("PUT", href, strings.Replace(text, "GEO:52.520000;13.405000\r\n", "", 1)),
		"DELETE":                     ann.Basic().Do("DELETE", href),
		"PUT of an invented invitee": ann.Basic().Do("PUT", href, strings.Replace(text, "SUMMARY:Dinner", "SUMMARY:Dinner\r\nATTENDEE:mailto:bea@example.org", 1)),
	} {
		if a.Want(403); !strings.Contains(a.Body, "need-privileges") {
			t.Errorf("%s: got no need-privileges in %s", name, a.Body)
		}
	}
	if _, got := ann.Mirror(); got != text {
		t.Errorf("after rejected writes got\n%s\nwant\n%s", got, text)
	}
	ann.Basic().Do("PUT", href, strings.Replace(text, "SUMMARY:Dinner", "SUMMARY:Dinner\r\nTRANSP:TRANSPARENT", 1)).Want(204)
	patched := ann.Do("PATCH", self, `{"color": "#AABBCC", "alarms": [{"trigger": "-PT1H"}]}`).Want(200)
	patched.WantSchema("service.time.object", patched.At("object"))
	patched.WantValues("object.state", map[string]any{"color": "#aabbcc", "transparency": "transparent"})
	if got, want := fmt.Sprint(patched.At("object.state.editable_fields"), patched.At("object.permissions.can_delete")), "[calendar_id color local_visibility alarms] false"; got != want {
		t.Errorf("got editable fields and can_delete %s, want %s", got, want)
	}
}

// A hidden mirror is in no list, panel or dataset, and CalDAV clients receive it
// as deleted. Later changes of its event do not restore it. Covers B-62 and C-19.
func TestHiddenMirrorIsOmittedEverywhere(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann").AsRuntime()
	p := dinner(1, guest(ann, "going"))
	pushEvent(h, p).Want(200)
	href, _ := ann.Mirror()
	name, path := href[strings.LastIndexByte(href, '/')+1:], ann.DefaultCalendar()
	self := "/world/time/objects/" + ann.Do("GET", "/world/time/objects?start=2026-12-24").Str("objects.0.id")
	token := ann.Basic().Do("REPORT", path, apptest.SyncCollection("")).Multistatus().Token
	etag := ann.Do("GET", "/world/runtime").Header.Get("ETag")
	changes := func() (body string) {
		a := ann.Basic().Do("REPORT", path, apptest.SyncCollection(token))
		token = a.Multistatus().Token
		return a.Body
	}
	responsesWithMirror := func() (where []string) {
		for _, path := range []string{"/world/runtime", "/world/panels/time?view=day&date=2026-12-24", "/world/time/objects?start=2026-12-24"} {
			if strings.Contains(ann.Do("GET", path).Want(200).Body, "evt_dinner") {
				where = append(where, path)
			}
		}
		return where
	}
	if got := responsesWithMirror(); len(got) != 3 {
		t.Fatalf("a visible mirror is in %q, want three", got)
	}
	ann.Do("PATCH", self, `{"local_visibility": "hidden"}`).Want(200)
	if a := ann.With("If-None-Match", etag).Do("GET", "/world/runtime"); a.Status != 200 {
		t.Errorf("the dataset after hiding: got status %d, want 200", a.Status)
	}
	if got := changes(); !strings.Contains(got, name) || !strings.Contains(got, "404 Not Found") {
		t.Errorf("after hiding got changes %s, want %s deleted", got, name)
	}
	p.Revision, p.Event.Title = 2, "Supper"
	pushEvent(h, p).Want(200)
	if got := changes(); strings.Contains(got, name) {
		t.Errorf("after a push got changes %s, want none of %s", got, name)
	}
	if got := responsesWithMirror(); len(got) != 0 || len(ann.Mirrors()) != 0 {
		t.Errorf("a hidden mirror is in %q and over CalDAV %v, want nowhere", got, ann.Mirrors())
	}
	if got := ann.Do("GET", self).Want(200).Str("object.state.local_visibility"); got != "hidden" {
		t.Errorf("got visibility %s, want hidden", got)
	}
	ann.Do("PATCH", self, `{"local_visibility": "visible"}`).Want(200)
	if got := changes(); !strings.Contains(got, name) || strings.Contains(got, "404 Not Found") {
		t.Errorf("after showing got changes %s, want %s changed", got, name)
	}
	if got := responsesWithMirror(); len(got) != 3 {
		t.Errorf("a visible mirror is in %q, want three", got)
	}
}
