package social

import (
	"database/sql"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
	"appliance/svc/svctest"
)

// gather makes a community of members, the first of whom is its owner.
func gather(t testing.TB, h *apptest.Server, id, visibility string, members ...*apptest.Client) {
	t.Helper()
	do := func(statement string, args ...any) {
		db, err := sql.Open("sqlite", h.Settings.Database())
		if err == nil {
			_, err = db.Exec(statement, args...)
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	do(`INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)
		VALUES (?1, ?1, '', ?2, 'invite', ?3, ?4, 0, 0)`, id, visibility, len(members), members[0].ID)
	for i, m := range members {
		do(`INSERT INTO social_membership (community_id, member_id, state, role, joined_at, updated_at) VALUES (?, ?, 'active', ?, 0, 0)`,
			id, m.ID, map[bool]string{true: "owner", false: "member"}[i == 0])
	}
	do("UPDATE social_graph SET revision = revision + 1")
}

func rsvp(c *apptest.Client, event, response string) *apptest.Answer {
	c.T.Helper()
	return c.Do("POST", "/world/social/events/"+event+"/rsvp", map[string]any{"response": response})
}

func event(c *apptest.Client, id string) *apptest.Answer {
	c.T.Helper()
	return c.Do("GET", "/world/social/events/"+id)
}

func asks(c *apptest.Client, other *apptest.Client, event string) string {
	c.T.Helper()
	return c.Do("POST", "/world/social/events/"+event+"/invitations", map[string]any{"recipient": other.Name}).Want(201).Str("invitation.id")
}

// told is what kinds of notifications there are for the member, about what.
func told(c *apptest.Client) (kinds []string) {
	c.T.Helper()
	db, err := sql.Open("sqlite", "file:"+c.Server.Settings.Database()+"?mode=ro")
	if err != nil {
		c.T.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT kind || ' by ' || actor_id FROM social_notification WHERE member_id = ? ORDER BY created_at, id", c.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		if err := rows.Scan(&kind); err != nil {
			c.T.Fatal(err)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// Covers O-03, O-04, O-18, O-19, T-20, O-35 and B-67: an event from its making
// to all answers there are, with the calendar beside it.
func TestAnEventIsAnswered(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid := h.Member("ann"), h.Member("bea"), h.Member("cid")
	made := ann.Do("POST", "/world/social/events", apptest.EventBody("description", "Bring a story", "location", map[string]any{"label": "Home", "latitude": 52.5, "longitude": 13.4})).Want(201)
	e := made.Str("event.id")
	if got := fmt.Sprint([]any{made.At("event.visibility"), made.At("event.status"), made.At("event.rsvp.mine"), made.At("event.rsvp.counts"), made.At("event.host.display_name"), made.At("event.type")}); got !=
		"[invited scheduled going map[declined:0 going:1 maybe:0 none:0] Ann event]" {
		t.Errorf("it begins as %s", got)
	}
	if made.Str("event.links.conversation") != "/world/social/conversations/"+made.Str("event.conversation_id") {
		t.Errorf("links: %s", made.Body)
	}
	if _, text := ann.Mirror(); !strings.Contains(text, "SUMMARY:Dinner") || !strings.Contains(text, "LOCATION:Home") {
		t.Errorf("the host's mirror is\n%s", text)
	}
	event(bea, e).WantError(404, "not_found")
	rsvp(bea, e, "going").WantError(404, "not_found")
	asks(ann, bea, e)
	seen := event(bea, e).Want(200)
	seen.WantSchema("service.social.event", seen.At("event"))
	for _, r := range seen.List("attendees") {
		seen.WantSchema("service.social.rsvp", r)
	}
	if got := fmt.Sprint(seen.At("event.rsvp.counts"), seen.At("event.actions")); got != fmt.Sprintf(
		"map[declined:0 going:1 maybe:0 none:1] map[open:/world/social/events/%[1]s reply:/world/social/events/%[1]s/replies rsvp:/world/social/events/%[1]s/rsvp]", e) {
		t.Errorf("a guest sees %s", got)
	}
	event(cid, e).WantError(404, "not_found")

	answers := []string{"going", "maybe", "declined", "none"}
	for _, from := range answers {
		for _, to := range answers {
			rsvp(bea, e, from).Want(200)
			a := rsvp(bea, e, to).Want(200)
			counts := map[string]any{"going": 1.0, "maybe": 0.0, "declined": 0.0, "none": 0.0}
			counts[to] = counts[to].(float64) + 1
			if a.Str("rsvp.response") != to || a.Str("event.rsvp.mine") != to || !maps.Equal(a.At("event.rsvp.counts").(map[string]any), counts) {
				t.Errorf("%s to %s: %s", from, to, a.Body)
			}
			mirrors := bea.Mirrors()
			if come := to == "going" || to == "maybe"; len(mirrors) != map[bool]int{true: 1}[come] {
				t.Errorf("%s to %s: %d mirrors", from, to, len(mirrors))
			}
			for _, text := range mirrors {
				if want := map[string]string{"going": "PARTSTAT=ACCEPTED", "maybe": "PARTSTAT=TENTATIVE"}[to]; !strings.Contains(text, want) {
					t.Errorf("%s to %s: the mirror says\n%s", from, to, text)
				}
			}
		}
	}
	bea.Do("POST", "/world/social/events/"+e+"/rsvp", `{"response": "going", "note": "With cake"}`).Want(200)
	if got := event(ann, e).Str("attendees.1.note"); got != "With cake" {
		t.Errorf("the host reads the note %q", got)
	}
	asks(ann, cid, e)
	if got := event(cid, e).Str("attendees.1.note"); got != "" {
		t.Errorf("another guest reads the note %q", got)
	}
	rsvp(bea, e, "yes").WantError(422, "invalid_value").WantFields("response")
	rsvp(bea, e, "").WantError(400, "field_required").WantFields("response")
	bea.Do("POST", "/world/social/events/"+e+"/rsvp", map[string]any{"response": "maybe", "note": strings.Repeat("x", 1001)}).WantError(422, "too_long").WantFields("note")
	runtime := bea.Runtime().Do("GET", "/world/runtime").Want(200).Body
	if !strings.Contains(runtime, `"object_type":"calendar_event"`) {
		t.Error("the mirror is no calendar event in the dataset")
	}
}

// Covers O-03 and PT-40: what an event must be.
func TestAnEventIsChecked(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann, bea := h.Member("ann"), h.Member("bea")
	gather(t, h, "com_public", "public", bea)
	gather(t, h, "com_private", "private", bea)
	before := h.Rows()
	for _, c := range []struct {
		fields []any
		status int
		code   string
		names  string
	}{
		{[]any{"title", " "}, 400, "field_required", "title"},
		{[]any{"title", strings.Repeat("x", 201)}, 422, "too_long", "title"},
		{[]any{"title", "two\nlines"}, 422, "invalid_value", "title"},
		{[]any{"description", strings.Repeat("x", 8001)}, 422, "too_long", "description"},
		{[]any{"start", ""}, 400, "field_required", "start"},
		{[]any{"start", "soon"}, 422, "invalid_value", "start"},
		{[]any{"end", "2026-12-24T17:00:00"}, 422, "end_before_start", "end"},
		{[]any{"end", "2026-12-24T18:00:00"}, 422, "end_before_start", "end"},
		{[]any{"timezone", "Mars/Olympus"}, 422, "invalid_value", "timezone"},
		{[]any{"rrule", "FREQ=SOMETIMES"}, 422, "invalid_recurrence", "rrule"},
		{[]any{"rrule", "FREQ=DAILY;UNTIL=20201224T170000Z"}, 422, "invalid_recurrence", "rrule"},
		{[]any{"capacity", 0}, 422, "invalid_value", "capacity"},
		{[]any{"location", map[string]any{"label": "x", "latitude": 1}}, 422, "invalid_value", "location.latitude"},
		{[]any{"location", map[string]any{"label": "x", "latitude": 1, "longitude": 181}}, 422, "invalid_value", "location.longitude"},
		{[]any{"location", map[string]any{"label": strings.Repeat("x", 201)}}, 422, "too_long", "location.label"},
		{[]any{"visibility", "secret"}, 422, "invalid_value", "visibility"},
		{[]any{"visibility", "circle"}, 400, "field_required", "circle_depth"},
		{[]any{"visibility", "circle", "circle_depth", 4}, 422, "invalid_value", "circle_depth"},
		{[]any{"circle_depth", 1}, 422, "invalid_value", "circle_depth"},
		{[]any{"visibility", "community"}, 400, "field_required", "community_id"},
		{[]any{"visibility", "public", "community_id", "com_public"}, 422, "invalid_value", "community_id"},
		{[]any{"visibility", "community", "community_id", "com_public"}, 403, "permission_denied", "community_id"},
		{[]any{"visibility", "community", "community_id", "com_private"}, 404, "not_found", "community_id"},
		{[]any{"visibility", "community", "community_id", "com_none"}, 404, "not_found", "community_id"},
	} {
		ann.Do("POST", "/world/social/events", apptest.EventBody(c.fields...)).WantError(c.status, c.code).WantFields(c.names)
	}
	if after := h.Rows(); !maps.Equal(before, after) {
		t.Error("a refusal has changed what is stored")
	}
	// Times are read as those of appointments are.
	for _, c := range []struct{ fields, want []any }{
		{[]any{"end", nil}, []any{"2026-12-24T18:00:00", "2026-12-24T19:00:00", "Europe/Berlin", false}},
		{[]any{"start", "2026-12-24", "end", nil}, []any{"2026-12-24", "2026-12-25", "Europe/Berlin", true}},
		{[]any{"start", "2026-12-24T20:00:00Z", "end", "2026-12-24T23:30:00Z"}, []any{"2026-12-24T21:00:00", "2026-12-25T00:30:00", "Europe/Berlin", false}},
		{[]any{"timezone", nil, "start", "2026-12-24T20:00"}, []any{"2026-12-24T20:00:00", "2026-12-24T22:00:00", "Europe/Berlin", false}},
	} {
		a := ann.Do("POST", "/world/social/events", apptest.EventBody(c.fields...)).Want(201)
		if got := []any{a.At("event.start"), a.At("event.end"), a.At("event.timezone"), a.At("event.all_day")}; !slices.Equal(got, c.want) {
			t.Errorf("%v makes %v, want %v", c.fields, got, c.want)
		}
	}
	// As a form: PT-31.
	form := url.Values{"title": {"Dinner"}, "start": {"2026-12-24T18:00:00"}, "location[label]": {"Home"}, "capacity": {"3"}, "visibility": {"public"}, "all_day": {""}}
	a := ann.Do("POST", "/world/social/events", apptest.Form(form.Encode())).Want(201)
	if fmt.Sprint([]any{a.At("event.location.label"), a.At("event.rsvp.capacity"), a.At("event.visibility")}) != "[Home 3 public]" {
		t.Errorf("a form makes %s", a.Body)
	}
}

// Covers O-20, O-39, T-21, T-26, T-27 and C-26: changes reach the calendars of
// those who come, and leave alone what is their own.
func TestChangesReachTheCalendars(t *testing.T) {
	h := apptest.New(t)
	ann, bea, cid, dan := h.Member("ann"), h.Member("bea"), h.Member("cid"), h.Member("dan")
	e := ann.CreateEvent("visibility", "public")
	rsvp(bea, e, "going").Want(200)
	rsvp(cid, e, "maybe").Want(200)
	rsvp(dan, e, "declined").Want(200)
	href, text := bea.Mirror()
	alarm := strings.Replace(text, "END:VEVENT", "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT", 1)
	bea.Basic().With("If-Match", bea.Basic().Do("GET", href).Header.Get("ETag")).Do("PUT", href, alarm).Want(204)
	bea.Basic().Do("PUT", href, strings.Replace(alarm, "SUMMARY:Dinner", "SUMMARY:Mine", 1)).Want(403)

	a := ann.Do("PATCH", "/world/social/events/"+e, `{"title": "Supper", "start": "2026-12-24T19:00:00", "location": {"label": "Town"}}`).Want(200)
	if got := fmt.Sprint([]any{a.At("event.title"), a.At("event.start"), a.At("event.end"), a.At("event.location.label")}); got != "[Supper 2026-12-24T19:00:00 2026-12-24T22:00:00 Town]" {
		t.Errorf("it is now %s", got)
	}
	for _, c := range []*apptest.Client{ann, bea, cid} {
		if _, text := c.Mirror(); !slices.Equal(apptest.ContentLines(text, "SUMMARY", "LOCATION"), []string{"SUMMARY:Supper", "LOCATION:Town"}) || !strings.Contains(text, "20261224T190000") {
			t.Errorf("%s has\n%s", c.Name, text)
		}
	}
	if _, text := bea.Mirror(); !strings.Contains(text, "TRIGGER:-PT5M") {
		t.Errorf("the alarm is gone:\n%s", text)
	}
	if len(dan.Mirrors()) != 0 {
		t.Error("who declined has a mirror")
	}
	revision := a.At("event.revision")
	if again := ann.Do("PATCH", "/world/social/events/"+e, `{"title": "Supper"}`).Want(200); again.At("event.revision") != revision {
		t.Error("what changes nothing is a change")
	}
	ann.Do("PATCH", "/world/social/events/"+e, `{"description": "Bring a story"}`).Want(200)
	if got := fmt.Sprint(told(bea), told(cid), told(dan)); got != "[event_changed by 1] [event_changed by 1] []" {
		t.Errorf("they are told %s", got)
	}

	if got := ann.Do("DELETE", "/world/social/events/"+e).Want(200).Str("event.status"); got != "cancelled" {
		t.Errorf("cancelled, it is %s", got)
	}
	ann.Do("DELETE", "/world/social/events/"+e).Want(200)
	for _, c := range []*apptest.Client{ann, bea, cid} {
		if _, text := c.Mirror(); !strings.Contains(text, "STATUS:CANCELLED") {
			t.Errorf("%s has\n%s", c.Name, text)
		}
	}
	if got := fmt.Sprint(told(bea), told(cid), told(dan)); got != "[event_changed by 1 event_changed by 1] [event_changed by 1 event_changed by 1] []" {
		t.Errorf("they are told %s", got)
	}
	rsvp(bea, e, "declined").WantError(422, "event_cancelled")
	ann.Do("PATCH", "/world/social/events/"+e, `{"title": "Breakfast"}`).WantError(422, "event_cancelled")
	if got := event(bea, e).Want(200); fmt.Sprint(slices.Sorted(maps.Keys(got.At("event.actions").(map[string]any)))) != "[open reply]" {
		t.Errorf("of a cancelled one they may %v", got.At("event.actions"))
	}
}

// Covers B-67: a day long the host can undo an event, with all that it made.
func TestAnEventIsPurged(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	before := h.Rows()
	e := ann.CreateEvent()
	asks(ann, bea, e)
	rsvp(bea, e, "going").Want(200)
	bea.Do("DELETE", "/world/social/events/"+e+"?purge=true").WantError(403, "permission_denied")
	ann.Do("DELETE", "/world/social/events/"+e+"?purge=perhaps").WantError(400, "invalid_parameter").WantFields("purge")
	ann.Do("DELETE", "/world/social/events/"+e+"?purge=true").Want(200)
	for _, c := range []*apptest.Client{ann, bea} {
		event(c, e).WantError(404, "not_found")
		if len(c.Mirrors()) != 0 {
			t.Errorf("%s has a mirror", c.Name)
		}
	}
	after := h.Rows()
	for table, text := range after {
		if strings.HasPrefix(table, "social_") && table != "social_graph" && text != before[table] {
			t.Errorf("%s holds\n%s", table, text)
		}
	}
	late := ann.CreateEvent()
	h.Clock.Set(h.Clock.Now().Add(25 * time.Hour))
	ann.Do("DELETE", "/world/social/events/"+late+"?purge=true").WantError(422, "invalid_value").WantFields("purge")
	event(ann, late).Want(200)
}

// Covers B-67 and PT-30: what is to come first, page by page, and then what is
// over; a series is over with its last instance, or never.
func TestEventsAreListed(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	var want []string
	for i := range 7 {
		want = append(want, ann.CreateEvent("title", fmt.Sprint(i), "start", fmt.Sprintf("2026-12-%02dT18:00:00", 1+i/2), "end", nil))
	}
	weekly := ann.CreateEvent("start", "2026-12-05T18:00:00", "end", nil, "rrule", "FREQ=WEEKLY;COUNT=3")
	ever := ann.CreateEvent("start", "2026-12-06T18:00:00", "end", nil, "rrule", "FREQ=WEEKLY")
	want = append(want, weekly, ever)
	list := func(query string) (ids []string) {
		for path := "/world/social/events?limit=2" + query; path != ""; {
			page := ann.Do("GET", path).Want(200)
			for _, item := range page.List("events") {
				page.WantSchema("service.social.event", item)
				ids = append(ids, apptest.At(item, "id").(string))
			}
			path = ""
			if next := page.Str("page.next_cursor"); next != "" {
				path = "/world/social/events?limit=2" + query + "&cursor=" + next
			}
		}
		return ids
	}
	sorted := func(ids []string) []string { return slices.Sorted(slices.Values(ids)) }
	if got := list(""); !slices.Equal(sorted(got), sorted(want)) || got[len(got)-1] != ever {
		t.Errorf("to come are %v, want %v", got, want)
	}
	if got := list("&from=2026-12-03&to=2026-12-04"); !slices.Equal(sorted(got), sorted(want[4:6])) {
		t.Errorf("on one day there are %v, want %v", got, want[4:6])
	}
	if got := list("&past=true"); len(got) != 0 {
		t.Errorf("over are %v", got)
	}
	h.Clock.Set(time.Date(2026, 12, 13, 12, 0, 0, 0, time.UTC))
	ann = ann.SignIn(apptest.Password)
	if got := list(""); !slices.Equal(got, []string{weekly, ever}) {
		t.Errorf("then to come are %v", got)
	}
	if got := list("&past=true"); !slices.Equal(sorted(got), sorted(want[:7])) || got[0] != want[6] {
		t.Errorf("then over are %v", got)
	}
	if got := event(ann, want[0]).Str("event.status"); got != "ended" {
		t.Errorf("what is over is %s", got)
	}
	rsvp(ann, want[0], "maybe").WantError(422, "event_ended")
	h.Clock.Set(time.Date(2036, 12, 13, 12, 0, 0, 0, time.UTC))
	ann = ann.SignIn(apptest.Password)
	if got := list(""); !slices.Equal(got, []string{ever}) {
		t.Errorf("ten years later to come are %v", got)
	}
	ann.Do("GET", "/world/social/events?from=soon").WantError(400, "invalid_parameter").WantFields("from")
	ann.Do("GET", "/world/social/events?cursor=x").WantError(400, "invalid_parameter").WantFields("cursor")
}

// Covers B-67: for whom an event is stays as it was made.
func TestForWhomAnEventIsIsFixed(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	e := ann.CreateEvent()
	ann.Do("PATCH", "/world/social/events/"+e, `{"visibility": "public", "community_id": null, "circle_depth": 2, "title": "x"}`).
		WantError(422, "invalid_value").WantFields("visibility", "community_id", "circle_depth")
	ann.Do("PATCH", "/world/social/events/"+e, `{"end": "2026-12-24T17:00:00"}`).WantError(422, "end_before_start").WantFields("end")
	a := ann.Do("PATCH", "/world/social/events/"+e, `{"all_day": true, "rrule": "FREQ=YEARLY"}`).Want(200)
	if got := fmt.Sprint([]any{a.At("event.title"), a.At("event.start"), a.At("event.end"), a.At("event.rrule")}); got != "[Dinner 2026-12-24 2026-12-25 FREQ=YEARLY]" {
		t.Errorf("as a day it is %s", got)
	}
	a = ann.Do("PATCH", "/world/social/events/"+e, `{"all_day": false, "start": "2026-12-24T20:00:00", "rrule": null}`).Want(200)
	if got := fmt.Sprint([]any{a.At("event.start"), a.At("event.end"), a.At("event.rrule")}); got != "[2026-12-24T20:00:00 2026-12-24T21:00:00 <nil>]" {
		t.Errorf("as an evening it is %s", got)
	}
}

// Covers T-20 for a series that many go to, which no index holds.
func TestASeriesThatManyGoToIsFound(t *testing.T) {
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	e := ann.CreateEvent("visibility", "public", "start", "2026-11-23T18:00:00", "end", nil, "rrule", "FREQ=DAILY")
	for i := range 6 {
		c := h.Member(fmt.Sprint("m", i))
		rsvp(c, e, "going").Want(200)
		ann.Do("PATCH", "/world/social/events/"+e, map[string]any{"start": fmt.Sprintf("2026-11-23T1%d:00:00", i), "end": nil}).Want(200)
		a := c.Do("GET", "/world/time/objects?start=2027-06-01&end=2027-06-11").Want(200)
		if len(a.List("objects")) != 10 || !strings.HasSuffix(a.Str("objects.3.state.occurrence.start.date_time"), fmt.Sprintf("T1%d:00:00", i)) {
			t.Errorf("the %dth who goes has %s", i, a.Body)
		}
		path := c.DefaultCalendar()
		found := c.Basic().With("Depth", "1").Do("REPORT", path, `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop>
			<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20270601T000000Z" end="20270602T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`).Want(207)
		if strings.Count(found.Body, "<D:response>") != 1 {
			t.Errorf("the %dth who goes finds %s", i, found.Body)
		}
	}
	if err := h.App.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// What is asked of the database does not depend on how many events there are,
// or on how many come.
func TestNoQueryOfEventsIsInALoop(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	var e string
	count := 0
	fill := func(n int) {
		for ; count < n; count++ {
			e = ann.CreateEvent("visibility", "public", "title", fmt.Sprint(count))
		}
		for i := range n {
			p := h.Member(fmt.Sprintf("m%d-%d", n, i))
			rsvp(p, e, "going").Want(200)
		}
	}
	measure := func() (counts []map[string]int) {
		for _, do := range []func() *apptest.Answer{
			func() *apptest.Answer { return ann.Do("GET", "/world/social/events") },
			func() *apptest.Answer { return event(ann, e) },
			func() *apptest.Answer {
				return ann.Do("PATCH", "/world/social/events/"+e, map[string]any{"title": fmt.Sprint(count)})
			},
			func() *apptest.Answer { return rsvp(ann, e, "maybe") },
			func() *apptest.Answer { return ann.Do("DELETE", "/world/social/events/"+e) },
		} {
			h.Queries.Take()
			do().Want(200)
			counts = append(counts, h.Queries.Take())
		}
		return counts
	}
	fill(3)
	few := measure()
	fill(12)
	many := measure()
	for i := range few {
		if !maps.Equal(few[i], many[i]) {
			t.Errorf("request %d asks %v, then %v", i, few[i], many[i])
		}
	}
}

// An event that 500 go to is changed through World.
func BenchmarkEventIsChanged(b *testing.B) {
	h := apptest.New(b, apptest.Unlimited)
	ann := h.Member("ann")
	e := ann.CreateEvent("visibility", "public")
	h.Write(func(tx *store.Tx) error {
		for i := range 500 {
			a, err := h.App.Identity.Prepare(b.Context(), identity.Registration{
				Email: fmt.Sprintf("m%d@example.org", i), Username: fmt.Sprintf("m%d", i), DisplayName: "Member", Password: apptest.Password,
			})
			if err != nil {
				return err
			}
			m, err := h.App.Identity.AddMember(tx, identity.CommandLine("bench"), a)
			if err != nil {
				return err
			}
			if _, _, err := h.App.Social.Respond(tx, trusted((&apptest.Client{T: b, Server: h, ID: m.ID}), tx), e, social.NewRSVP{Response: "going"}); err != nil {
				return err
			}
		}
		return nil
	})
	n := 0
	for b.Loop() {
		n++
		ann.Do("PATCH", "/world/social/events/"+e, map[string]any{"title": fmt.Sprint(n), "start": fmt.Sprintf("2026-12-24T18:%02d:00", n%60)}).Want(200)
	}
}

// trusted is the client as services know it, within a transaction.
func trusted(c *apptest.Client, tx *store.Tx) svc.Viewer {
	v, err := c.Server.App.Identity.OnBehalf(tx, c.ID)
	if err != nil {
		c.T.Fatal(err)
	}
	return v
}
