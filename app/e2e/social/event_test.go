package social

import (
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
)

// Covers O-03, O-04, O-18, O-19 and B-67: the record of an event for its host and
// for a guest.
func TestEventHasLinksAndActions(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	created := ann.Do("POST", eventsPath, apptest.EventBody("location", map[string]any{"label": "Home", "latitude": 52.5, "longitude": 13.4})).Want(201)
	id := created.Str("event.id")
	path := eventsPath + "/" + id
	created.WantValues("event", map[string]any{
		"type": "event", "visibility": "invited", "status": "scheduled", "rsvp.mine": "going", "host.display_name": "Ann", "location.latitude": 52.5,
		"links.conversation": "/world/social/conversations/" + created.Str("event.conversation_id"),
	})
	bea.Do("GET", path).WantError(404, "not_found")
	inviteToEvent(ann, bea, id)
	seen := bea.Do("GET", path).Want(200)
	seen.WantSchema("service.social.event", seen.At("event"))
	for _, r := range seen.List("attendees") {
		seen.WantSchema("service.social.rsvp", r)
	}
	seen.WantValues("event", map[string]any{
		"rsvp.counts": map[string]any{"declined": 0, "going": 1, "maybe": 0, "none": 1},
		"actions":     map[string]any{"open": path, "reply": path + "/replies", "rsvp": path + "/rsvp"},
	})
	answered := bea.Do("POST", path+"/rsvp", apptest.Form("response=maybe&note=With+cake")).Want(200)
	answered.WantValues("", map[string]any{"rsvp.response": "maybe", "rsvp.note": "With cake", "event.rsvp.mine": "maybe"})
	bea.AnswerInvitation(inviteToEvent(ann, s.Member("cid"), id), "accept").WantError(404, "not_found")
	list := ann.Do("GET", path+"/invitations").Want(200)
	want(t, "invitations", list.Column("invitations", "state"), "pending accepted")
	ann.Do("DELETE", path).Want(200).WantValues("event", map[string]any{"status": "cancelled"})
	bea.Do("GET", path).Want(200).WantValues("event", map[string]any{"actions": map[string]any{"open": path, "reply": path + "/replies"}})
}

// Covers O-03, B-67 and PT-40.
func TestEventErrorsHaveTheirStatus(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann, bea, cid := s.Member("ann"), s.Member("bea"), s.Member("cid")
	public, private := bea.CreateCommunity(`{"name": "Town", "visibility": "public"}`), bea.CreateCommunity(`{"name": "Family"}`)
	full := eventsPath + "/" + ann.CreateEvent("visibility", "public", "capacity", 1)
	invited := eventsPath + "/" + ann.CreateEvent()
	cancelled := eventsPath + "/" + ann.CreateEvent("visibility", "public")
	ann.Do("DELETE", cancelled).Want(200)
	ended := eventsPath + "/" + ann.CreateEvent("visibility", "public", "start", "2026-11-21T08:00:00Z", "end", "2026-11-21T08:30:00Z")
	eventBody := func(fields ...any) any { return apptest.EventBody(fields...) }
	in := func(community string) any {
		return eventBody("visibility", "community", "community_id", apptest.LastSegment(community))
	}
	wantRejected(s, []rejectedRequest{
		{ann, "POST", eventsPath, eventBody("title", " "), "400 field_required title"},
		{ann, "POST", eventsPath, eventBody("title", strings.Repeat("x", 201)), "422 too_long title"},
		{ann, "POST", eventsPath, eventBody("capacity", 0), "422 invalid_value capacity"},
		{ann, "POST", eventsPath, eventBody("location", map[string]any{"label": "x", "latitude": 1}), "422 invalid_value location.latitude"},
		{ann, "POST", eventsPath, eventBody("visibility", "circle"), "400 field_required circle_depth"},
		{ann, "POST", eventsPath, in(public), "403 permission_denied community_id"},
		{ann, "POST", eventsPath, in(private), "404 not_found community_id"},
		{ann, "PATCH", full, `{"visibility": "invited", "circle_depth": 2}`, "422 invalid_value visibility circle_depth"},
		{bea, "PATCH", full, `{"title": "Mine"}`, "403 permission_denied"},
		{bea, "DELETE", full, nil, "403 permission_denied"},
		{bea, "DELETE", full + "?purge=true", nil, "403 permission_denied"},
		{ann, "DELETE", full + "?purge=perhaps", nil, "400 invalid_parameter purge"},
		{bea, "POST", full + "/rsvp", `{"response": "going"}`, "422 event_full"},
		{bea, "POST", full + "/rsvp", `{"response": "yes"}`, "422 invalid_value response"},
		{bea, "POST", full + "/rsvp", `{}`, "400 field_required response"},
		{bea, "POST", cancelled + "/rsvp", `{"response": "going"}`, "422 event_cancelled"},
		{ann, "PATCH", cancelled, `{"title": "Breakfast"}`, "422 event_cancelled"},
		{bea, "POST", ended + "/rsvp", `{"response": "going"}`, "422 event_ended"},
		{cid, "POST", invited + "/rsvp", `{"response": "going"}`, "404 not_found"},
		{bea, "GET", full + "/invitations", nil, "403 permission_denied"},
		{bea, "POST", full + "/invitations", `{"recipient": "cid"}`, "403 permission_denied"},
		{ann, "POST", full + "/invitations", `{"recipient": "zoe"}`, "404 recipient_not_found recipient"},
		{ann, "GET", eventsPath + "?from=soon", nil, "400 invalid_parameter from"},
		{ann, "GET", eventsPath + "?cursor=x", nil, "400 invalid_parameter cursor"},
	})
}

// Covers O-03 and PT-40: the times of an event follow the rules of calendar
// entries, in the time zone of the host.
func TestEventTimesFollowTheRulesOfCalendarEntries(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	type times struct{ start, end, timezone, allDay any }
	of := func(a *apptest.Answer) times {
		return times{a.At("event.start"), a.At("event.end"), a.At("event.timezone"), a.At("event.all_day")}
	}
	const berlin = "Europe/Berlin"
	for _, c := range []struct {
		fields []any
		want   times
	}{
		{[]any{"end", nil}, times{"2026-12-24T18:00:00", "2026-12-24T19:00:00", berlin, false}},
		{[]any{"start", "2026-12-24", "end", nil}, times{"2026-12-24", "2026-12-25", berlin, true}},
		{[]any{"start", "2026-12-24T20:00:00Z", "end", "2026-12-24T23:30:00Z"}, times{"2026-12-24T21:00:00", "2026-12-25T00:30:00", berlin, false}},
		{[]any{"timezone", nil, "start", "2026-12-24T20:00"}, times{"2026-12-24T20:00:00", "2026-12-24T22:00:00", berlin, false}},
	} {
		want(t, fmt.Sprint(c.fields), of(ann.Do("POST", eventsPath, apptest.EventBody(c.fields...)).Want(201)), c.want)
	}
	var requests []rejectedRequest
	for _, c := range []struct {
		field string
		value any
		want  string
	}{
		{"start", "", "400 field_required start"}, {"start", "soon", "422 invalid_value start"},
		{"end", "2026-12-24T17:00:00", "422 end_before_start end"}, {"end", "2026-12-24T18:00:00", "422 end_before_start end"},
		{"timezone", "Mars/Olympus", "422 invalid_value timezone"},
		{"rrule", "FREQ=SOMETIMES", "422 invalid_recurrence rrule"}, {"rrule", "FREQ=DAILY;UNTIL=20201224T170000Z", "422 invalid_recurrence rrule"},
	} {
		requests = append(requests, rejectedRequest{ann, "POST", eventsPath, apptest.EventBody(c.field, c.value), c.want})
	}
	wantRejected(s, requests)

	path := eventsPath + "/" + ann.CreateEvent()
	ann.Do("PATCH", path, `{"end": "2026-12-24T17:00:00"}`).WantError(422, "end_before_start").WantFields("end")
	day := ann.Do("PATCH", path, `{"all_day": true, "rrule": "FREQ=YEARLY"}`).Want(200)
	want(t, "as a day", of(day), times{"2026-12-24", "2026-12-25", berlin, true})
	evening := ann.Do("PATCH", path, `{"all_day": false, "start": "2026-12-24T20:00:00", "rrule": null}`).Want(200)
	want(t, "as an evening", of(evening), times{"2026-12-24T20:00:00", "2026-12-24T21:00:00", berlin, false})
}

// The rule of an event follows a new start, like the rule of an entry. If the rule has several
// days, the change is refused with rules to choose from. A start that the rule does not match moves
// to the first date of the rule, and the response says so. Covers B-114 and B-115.
func TestRuleOfAnEventFollowsItsStart(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	path := eventsPath + "/" + ann.CreateEvent("rrule", "FREQ=WEEKLY;BYDAY=TH")
	moved := ann.Do("PATCH", path, `{"start": "2026-12-25T18:00:00", "end": "2026-12-25T22:00:00"}`).Want(200)
	moved.WantValues("event", map[string]any{"start": "2026-12-25T18:00:00", "rrule": "FREQ=WEEKLY;BYDAY=FR"})
	outside := ann.Do("PATCH", path, `{"rrule": "FREQ=MONTHLY;BYMONTHDAY=10,20"}`).Want(200)
	outside.WantValues("", map[string]any{"event.start": "2027-01-10T18:00:00", "notice": "The series begins on 10 January 2027, the first date of its rule."})
	const nextDay = `"start": "2027-01-11T18:00:00", "end": "2027-01-11T22:00:00"`
	refused := ann.Do("PATCH", path, "{"+nextDay+"}").WantError(422, "recurrence_ambiguous").WantFields("rrule")
	rule := refused.Str("error.fields.0.options.0.rrule")
	want(t, "the first option", rule, "FREQ=MONTHLY;BYMONTHDAY=11,20") // moves the date that the request moves
	ann.Do("PATCH", path, fmt.Sprintf(`{%s, "rrule": %q}`, nextDay, rule)).Want(200).
		WantValues("event", map[string]any{"start": "2027-01-11T18:00:00", "rrule": rule})
}

// Covers PT-31.
func TestFormCreatesAnEvent(t *testing.T) {
	s := apptest.New(t)
	form := url.Values{
		"title": {"Dinner"}, "start": {"2026-12-24T18:00:00"}, "location[label]": {"Home"}, "capacity": {"3"}, "visibility": {"public"}, "all_day": {""},
	}
	s.Member("ann").Do("POST", eventsPath, apptest.Form(form.Encode())).Want(201).
		WantValues("event", map[string]any{"location.label": "Home", "rsvp.capacity": 3, "visibility": "public", "all_day": false})
}

// Covers B-67: dates in the parameters are days in the viewer's time zone.
func TestEventListIsLimitedToDays(t *testing.T) {
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	for _, day := range []string{"02", "03", "04"} {
		ann.CreateEvent("title", "Day "+day, "start", "2026-12-"+day+"T23:30:00", "end", nil)
	}
	list := ann.Do("GET", eventsPath+"?from=2026-12-03&to=2026-12-04").Want(200)
	want(t, "events that overlap 3 December", list.Column("events", "title"), "Day 02 Day 03")
	s.Clock.Set(time.Date(2026, 12, 4, 12, 0, 0, 0, time.UTC))
	ann = ann.SignIn(apptest.Password)
	want(t, "past events", ann.Do("GET", eventsPath+"?past=true").Want(200).Column("events", "title"), "Day 03 Day 02")
}

// Covers B-67: a purged event leaves no row behind, and no mirror in calendars.
func TestPurgeLeavesNoRows(t *testing.T) {
	s := apptest.New(t)
	ann, bea := s.Member("ann"), s.Member("bea")
	before := s.Rows()
	path := eventsPath + "/" + ann.CreateEvent()
	inviteToEvent(ann, bea, apptest.LastSegment(path))
	rsvp(bea, apptest.LastSegment(path), "going").Want(200)
	bea.Do("POST", path+"/replies", `{"body": "Hello"}`).Want(201)
	ann.Do("DELETE", path+"?purge=true").Want(200)
	bea.Do("GET", path).WantError(404, "not_found")
	want(t, "mirrors", len(ann.Mirrors())+len(bea.Mirrors()), 0)
	after := s.Rows()
	maps.DeleteFunc(after, func(table, _ string) bool { return !strings.HasPrefix(table, "social_") || table == "social_graph" })
	for table, rows := range after {
		want(t, "rows of "+table, rows, before[table])
	}
}

// Covers O-04 and O-05: the conversation of an event has a route below the event.
func TestEventHasARouteForReplies(t *testing.T) {
	s := apptest.New(t)
	ann, bea, cid := s.Member("ann"), s.Member("bea"), s.Member("cid")
	event := ann.CreateEvent()
	inviteToEvent(ann, bea, event)
	path := eventsPath + "/" + event + "/replies"
	bea.Do("POST", path, `{"body": "I bring a cake"}`).Want(201).WantValues("reply", map[string]any{"event_id": event})
	want(t, "replies for the host", ann.Do("GET", path).Want(200).Column("replies", "body"), "I bring a cake")
	bea.Do("POST", path, `{"body": " "}`).WantError(400, "field_required").WantFields("body")
	cid.Do("GET", path).WantError(404, "not_found")
	cid.Do("POST", path, `{"body": "I come too"}`).WantError(404, "not_found")
}
