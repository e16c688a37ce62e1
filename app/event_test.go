package app

import (
	"database/sql"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/svc/social"
)

// gather makes a community of members, the first of whom is its owner.
func gather(t testing.TB, h *house, id, visibility string, members ...*client) {
	t.Helper()
	do := func(statement string, args ...any) {
		db, err := sql.Open("sqlite", h.settings.Database())
		if err == nil {
			_, err = db.Exec(statement, args...)
		}
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	do(`INSERT INTO social_community (id, name, summary, visibility, join_policy, member_count, created_by, created_at, updated_at)
		VALUES (?1, ?1, '', ?2, 'invite', ?3, ?4, 0, 0)`, id, visibility, len(members), members[0].id)
	for i, m := range members {
		do(`INSERT INTO social_membership (community_id, member_id, state, role, joined_at, updated_at) VALUES (?, ?, 'active', ?, 0, 0)`,
			id, m.id, map[bool]string{true: "owner", false: "member"}[i == 0])
	}
	do("UPDATE social_graph SET revision = revision + 1")
}

// plan makes an event: a dinner on Christmas Eve, but for what fields say.
func (c *client) plan(fields ...any) string {
	c.t.Helper()
	a := c.do("POST", "/world/social/events", planned(fields...)).want(201)
	a.fits("service.social.event", a.at("event"))
	return a.str("event.id")
}

// planned is the body of such a request, with pairs of a field and its value.
func planned(fields ...any) map[string]any {
	body := map[string]any{"title": "Dinner", "start": "2026-12-24T18:00:00", "end": "2026-12-24T22:00:00", "timezone": "Europe/Berlin"}
	for i := 0; i < len(fields); i += 2 {
		body[fields[i].(string)] = fields[i+1]
	}
	return body
}

func (c *client) rsvp(event, response string) *answer {
	c.t.Helper()
	return c.do("POST", "/world/social/events/"+event+"/rsvp", map[string]any{"response": response})
}

func (c *client) event(id string) *answer {
	c.t.Helper()
	return c.do("GET", "/world/social/events/"+id)
}

func (c *client) asks(other *client, event string) string {
	c.t.Helper()
	return c.do("POST", "/world/social/events/"+event+"/invitations", map[string]any{"recipient": other.name}).want(201).str("invitation.id")
}

// told is what kinds of notifications there are for the member, about what.
func (c *client) told() (kinds []string) {
	c.t.Helper()
	db, err := sql.Open("sqlite", "file:"+c.h.settings.Database()+"?mode=ro")
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT kind || ' by ' || actor_id FROM social_notification WHERE member_id = ? ORDER BY created_at, id", c.id)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var kind string
		if err := rows.Scan(&kind); err != nil {
			c.t.Fatal(err)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// Covers O-03, O-04, O-18, O-19, T-20, O-35 and B-67: an event from its making
// to all answers there are, with the calendar beside it.
func TestAnEventIsAnswered(t *testing.T) {
	h := open(t)
	ann, bea, cid := h.member("ann"), h.member("bea"), h.member("cid")
	made := ann.do("POST", "/world/social/events", planned("description", "Bring a story", "location", map[string]any{"label": "Home", "latitude": 52.5, "longitude": 13.4})).want(201)
	e := made.str("event.id")
	if got := fmt.Sprint([]any{made.at("event.visibility"), made.at("event.status"), made.at("event.rsvp.mine"), made.at("event.rsvp.counts"), made.at("event.host.display_name"), made.at("event.type")}); got !=
		"[invited scheduled going map[declined:0 going:1 maybe:0 none:0] Ann event]" {
		t.Errorf("it begins as %s", got)
	}
	if made.str("event.links.conversation") != "/world/social/conversations/"+made.str("event.conversation_id") {
		t.Errorf("links: %s", made.body)
	}
	if _, text := ann.mirror(); !strings.Contains(text, "SUMMARY:Dinner") || !strings.Contains(text, "LOCATION:Home") {
		t.Errorf("the host's mirror is\n%s", text)
	}
	bea.event(e).refused(404, "not_found")
	bea.rsvp(e, "going").refused(404, "not_found")
	ann.asks(bea, e)
	seen := bea.event(e).want(200)
	seen.fits("service.social.event", seen.at("event"))
	for _, r := range seen.list("attendees") {
		seen.fits("service.social.rsvp", r)
	}
	if got := fmt.Sprint(seen.at("event.rsvp.counts"), seen.at("event.actions")); got != fmt.Sprintf(
		"map[declined:0 going:1 maybe:0 none:1] map[reply:/world/social/events/%[1]s/replies rsvp:/world/social/events/%[1]s/rsvp]", e) {
		t.Errorf("a guest sees %s", got)
	}
	cid.event(e).refused(404, "not_found")

	answers := []string{"going", "maybe", "declined", "none"}
	for _, from := range answers {
		for _, to := range answers {
			bea.rsvp(e, from).want(200)
			a := bea.rsvp(e, to).want(200)
			counts := map[string]any{"going": 1.0, "maybe": 0.0, "declined": 0.0, "none": 0.0}
			counts[to] = counts[to].(float64) + 1
			if a.str("rsvp.response") != to || a.str("event.rsvp.mine") != to || !maps.Equal(a.at("event.rsvp.counts").(map[string]any), counts) {
				t.Errorf("%s to %s: %s", from, to, a.body)
			}
			mirrors := bea.mirrors()
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
	bea.do("POST", "/world/social/events/"+e+"/rsvp", `{"response": "going", "note": "With cake"}`).want(200)
	if got := ann.event(e).str("attendees.1.note"); got != "With cake" {
		t.Errorf("the host reads the note %q", got)
	}
	ann.asks(cid, e)
	if got := cid.event(e).str("attendees.1.note"); got != "" {
		t.Errorf("another guest reads the note %q", got)
	}
	bea.rsvp(e, "yes").refused(422, "invalid_value").names("response")
	bea.rsvp(e, "").refused(400, "field_required").names("response")
	bea.do("POST", "/world/social/events/"+e+"/rsvp", map[string]any{"response": "maybe", "note": strings.Repeat("x", 1001)}).refused(422, "too_long").names("note")
	runtime := bea.runtime().do("GET", "/world/runtime").want(200).body
	if !strings.Contains(runtime, `"object_type":"calendar_event"`) {
		t.Error("the mirror is no calendar event in the dataset")
	}
}

// Covers O-03 and PT-40: what an event must be.
func TestAnEventIsChecked(t *testing.T) {
	h := open(t, unlimited)
	ann, bea := h.member("ann"), h.member("bea")
	gather(t, h, "com_public", "public", bea)
	gather(t, h, "com_private", "private", bea)
	before := h.rows()
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
		ann.do("POST", "/world/social/events", planned(c.fields...)).refused(c.status, c.code).names(c.names)
	}
	if after := h.rows(); !maps.Equal(before, after) {
		t.Error("a refusal has changed what is stored")
	}
	// Times are read as those of appointments are.
	for _, c := range []struct{ fields, want []any }{
		{[]any{"end", nil}, []any{"2026-12-24T18:00:00", "2026-12-24T19:00:00", "Europe/Berlin", false}},
		{[]any{"start", "2026-12-24", "end", nil}, []any{"2026-12-24", "2026-12-25", "Europe/Berlin", true}},
		{[]any{"start", "2026-12-24T20:00:00Z", "end", "2026-12-24T23:30:00Z"}, []any{"2026-12-24T21:00:00", "2026-12-25T00:30:00", "Europe/Berlin", false}},
		{[]any{"timezone", nil, "start", "2026-12-24T20:00"}, []any{"2026-12-24T20:00:00", "2026-12-24T22:00:00", "Europe/Berlin", false}},
	} {
		a := ann.do("POST", "/world/social/events", planned(c.fields...)).want(201)
		if got := []any{a.at("event.start"), a.at("event.end"), a.at("event.timezone"), a.at("event.all_day")}; !slices.Equal(got, c.want) {
			t.Errorf("%v makes %v, want %v", c.fields, got, c.want)
		}
	}
	// As a form: PT-31.
	form := url.Values{"title": {"Dinner"}, "start": {"2026-12-24T18:00:00"}, "location[label]": {"Home"}, "capacity": {"3"}, "visibility": {"public"}, "all_day": {""}}
	a := ann.do("POST", "/world/social/events", formBody(form.Encode())).want(201)
	if fmt.Sprint([]any{a.at("event.location.label"), a.at("event.rsvp.capacity"), a.at("event.visibility")}) != "[Home 3 public]" {
		t.Errorf("a form makes %s", a.body)
	}
}

// Covers O-20, O-39, T-21, T-26, T-27 and C-26: changes reach the calendars of
// those who come, and leave alone what is their own.
func TestChangesReachTheCalendars(t *testing.T) {
	h := open(t)
	ann, bea, cid, dan := h.member("ann"), h.member("bea"), h.member("cid"), h.member("dan")
	e := ann.plan("visibility", "public")
	bea.rsvp(e, "going").want(200)
	cid.rsvp(e, "maybe").want(200)
	dan.rsvp(e, "declined").want(200)
	href, text := bea.mirror()
	alarm := strings.Replace(text, "END:VEVENT", "BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:x\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT", 1)
	bea.basic().with("If-Match", bea.basic().do("GET", href).header.Get("ETag")).do("PUT", href, alarm).want(204)
	bea.basic().do("PUT", href, strings.Replace(alarm, "SUMMARY:Dinner", "SUMMARY:Mine", 1)).want(403)

	a := ann.do("PATCH", "/world/social/events/"+e, `{"title": "Supper", "start": "2026-12-24T19:00:00", "location": {"label": "Town"}}`).want(200)
	if got := fmt.Sprint([]any{a.at("event.title"), a.at("event.start"), a.at("event.end"), a.at("event.location.label")}); got != "[Supper 2026-12-24T19:00:00 2026-12-24T22:00:00 Town]" {
		t.Errorf("it is now %s", got)
	}
	for _, c := range []*client{ann, bea, cid} {
		if _, text := c.mirror(); !slices.Equal(icsLines(text, "SUMMARY", "LOCATION"), []string{"SUMMARY:Supper", "LOCATION:Town"}) || !strings.Contains(text, "20261224T190000") {
			t.Errorf("%s has\n%s", c.name, text)
		}
	}
	if _, text := bea.mirror(); !strings.Contains(text, "TRIGGER:-PT5M") {
		t.Errorf("the alarm is gone:\n%s", text)
	}
	if len(dan.mirrors()) != 0 {
		t.Error("who declined has a mirror")
	}
	revision := a.at("event.revision")
	if again := ann.do("PATCH", "/world/social/events/"+e, `{"title": "Supper"}`).want(200); again.at("event.revision") != revision {
		t.Error("what changes nothing is a change")
	}
	ann.do("PATCH", "/world/social/events/"+e, `{"description": "Bring a story"}`).want(200)
	if got := fmt.Sprint(bea.told(), cid.told(), dan.told()); got != "[event_changed by 1] [event_changed by 1] []" {
		t.Errorf("they are told %s", got)
	}

	if got := ann.do("DELETE", "/world/social/events/"+e).want(200).str("event.status"); got != "cancelled" {
		t.Errorf("cancelled, it is %s", got)
	}
	ann.do("DELETE", "/world/social/events/"+e).want(200)
	for _, c := range []*client{ann, bea, cid} {
		if _, text := c.mirror(); !strings.Contains(text, "STATUS:CANCELLED") {
			t.Errorf("%s has\n%s", c.name, text)
		}
	}
	if got := fmt.Sprint(bea.told(), cid.told(), dan.told()); got != "[event_changed by 1 event_changed by 1] [event_changed by 1 event_changed by 1] []" {
		t.Errorf("they are told %s", got)
	}
	bea.rsvp(e, "declined").refused(422, "event_cancelled")
	ann.do("PATCH", "/world/social/events/"+e, `{"title": "Breakfast"}`).refused(422, "event_cancelled")
	if got := bea.event(e).want(200); len(got.at("event.actions").(map[string]any)) != 1 {
		t.Errorf("of a cancelled one they may %v", got.at("event.actions"))
	}
}

// Covers B-67: a day long the host can undo an event, with all that it made.
func TestAnEventIsPurged(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	before := h.rows()
	e := ann.plan()
	ann.asks(bea, e)
	bea.rsvp(e, "going").want(200)
	bea.do("DELETE", "/world/social/events/"+e+"?purge=true").refused(403, "permission_denied")
	ann.do("DELETE", "/world/social/events/"+e+"?purge=perhaps").refused(400, "invalid_parameter").names("purge")
	ann.do("DELETE", "/world/social/events/"+e+"?purge=true").want(200)
	for _, c := range []*client{ann, bea} {
		c.event(e).refused(404, "not_found")
		if len(c.mirrors()) != 0 {
			t.Errorf("%s has a mirror", c.name)
		}
	}
	after := h.rows()
	for table, text := range after {
		if strings.HasPrefix(table, "social_") && table != "social_graph" && text != before[table] {
			t.Errorf("%s holds\n%s", table, text)
		}
	}
	late := ann.plan()
	h.clock.Set(h.clock.Now().Add(25 * time.Hour))
	ann.do("DELETE", "/world/social/events/"+late+"?purge=true").refused(422, "invalid_value").names("purge")
	ann.event(late).want(200)
}

// Covers B-67 and PT-30: what is to come first, page by page, and then what is
// over; a series is over with its last instance, or never.
func TestEventsAreListed(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	var want []string
	for i := range 7 {
		want = append(want, ann.plan("title", fmt.Sprint(i), "start", fmt.Sprintf("2026-12-%02dT18:00:00", 1+i/2), "end", nil))
	}
	weekly := ann.plan("start", "2026-12-05T18:00:00", "end", nil, "rrule", "FREQ=WEEKLY;COUNT=3")
	ever := ann.plan("start", "2026-12-06T18:00:00", "end", nil, "rrule", "FREQ=WEEKLY")
	want = append(want, weekly, ever)
	list := func(query string) (ids []string) {
		for path := "/world/social/events?limit=2" + query; path != ""; {
			page := ann.do("GET", path).want(200)
			for _, item := range page.list("events") {
				page.fits("service.social.event", item)
				ids = append(ids, dig(item, "id").(string))
			}
			path = ""
			if next := page.str("page.next_cursor"); next != "" {
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
	h.clock.Set(time.Date(2026, 12, 13, 12, 0, 0, 0, time.UTC))
	ann = ann.signedIn(password)
	if got := list(""); !slices.Equal(got, []string{weekly, ever}) {
		t.Errorf("then to come are %v", got)
	}
	if got := list("&past=true"); !slices.Equal(sorted(got), sorted(want[:7])) || got[0] != want[6] {
		t.Errorf("then over are %v", got)
	}
	if got := ann.event(want[0]).str("event.status"); got != "ended" {
		t.Errorf("what is over is %s", got)
	}
	ann.rsvp(want[0], "maybe").refused(422, "event_ended")
	h.clock.Set(time.Date(2036, 12, 13, 12, 0, 0, 0, time.UTC))
	ann = ann.signedIn(password)
	if got := list(""); !slices.Equal(got, []string{ever}) {
		t.Errorf("ten years later to come are %v", got)
	}
	ann.do("GET", "/world/social/events?from=soon").refused(400, "invalid_parameter").names("from")
	ann.do("GET", "/world/social/events?cursor=x").refused(400, "invalid_parameter").names("cursor")
}

// Covers B-67: for whom an event is stays as it was made.
func TestForWhomAnEventIsIsFixed(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	e := ann.plan()
	ann.do("PATCH", "/world/social/events/"+e, `{"visibility": "public", "community_id": null, "circle_depth": 2, "title": "x"}`).
		refused(422, "invalid_value").names("visibility", "community_id", "circle_depth")
	ann.do("PATCH", "/world/social/events/"+e, `{"end": "2026-12-24T17:00:00"}`).refused(422, "end_before_start").names("end")
	a := ann.do("PATCH", "/world/social/events/"+e, `{"all_day": true, "rrule": "FREQ=YEARLY"}`).want(200)
	if got := fmt.Sprint([]any{a.at("event.title"), a.at("event.start"), a.at("event.end"), a.at("event.rrule")}); got != "[Dinner 2026-12-24 2026-12-25 FREQ=YEARLY]" {
		t.Errorf("as a day it is %s", got)
	}
	a = ann.do("PATCH", "/world/social/events/"+e, `{"all_day": false, "start": "2026-12-24T20:00:00", "rrule": null}`).want(200)
	if got := fmt.Sprint([]any{a.at("event.start"), a.at("event.end"), a.at("event.rrule")}); got != "[2026-12-24T20:00:00 2026-12-24T21:00:00 <nil>]" {
		t.Errorf("as an evening it is %s", got)
	}
}

// Covers T-20 for a series that many go to, which no index holds.
func TestASeriesThatManyGoToIsFound(t *testing.T) {
	h := open(t, unlimited)
	ann := h.member("ann")
	e := ann.plan("visibility", "public", "start", "2026-11-23T18:00:00", "end", nil, "rrule", "FREQ=DAILY")
	for i := range 6 {
		c := h.member(fmt.Sprint("m", i))
		c.rsvp(e, "going").want(200)
		ann.do("PATCH", "/world/social/events/"+e, map[string]any{"start": fmt.Sprintf("2026-11-23T1%d:00:00", i), "end": nil}).want(200)
		a := c.do("GET", "/world/time/objects?start=2027-06-01&end=2027-06-11").want(200)
		if len(a.list("objects")) != 10 || !strings.HasSuffix(a.str("objects.3.state.occurrence.start.date_time"), fmt.Sprintf("T1%d:00:00", i)) {
			t.Errorf("the %dth who goes has %s", i, a.body)
		}
		path := c.defaultCalendar()
		found := c.basic().with("Depth", "1").do("REPORT", path, `<C:calendar-query xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:D="DAV:"><D:prop><D:getetag/></D:prop>
			<C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="20270601T000000Z" end="20270602T000000Z"/></C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`).want(207)
		if strings.Count(found.body, "<D:response>") != 1 {
			t.Errorf("the %dth who goes finds %s", i, found.body)
		}
	}
	if err := h.reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// What is asked of the database does not depend on how many events there are,
// or on how many come.
func TestNoQueryOfEventsIsInALoop(t *testing.T) {
	long(t)
	h := open(t, unlimited)
	ann := h.member("ann")
	var e string
	count := 0
	fill := func(n int) {
		for ; count < n; count++ {
			e = ann.plan("visibility", "public", "title", fmt.Sprint(count))
		}
		for i := range n {
			p := h.member(fmt.Sprintf("m%d-%d", n, i))
			p.rsvp(e, "going").want(200)
		}
	}
	measure := func() (counts []map[string]int) {
		for _, do := range []func() *answer{
			func() *answer { return ann.do("GET", "/world/social/events") },
			func() *answer { return ann.event(e) },
			func() *answer {
				return ann.do("PATCH", "/world/social/events/"+e, map[string]any{"title": fmt.Sprint(count)})
			},
			func() *answer { return ann.rsvp(e, "maybe") },
			func() *answer { return ann.do("DELETE", "/world/social/events/"+e) },
		} {
			h.ran.take()
			do().want(200)
			counts = append(counts, h.ran.take())
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
	h := open(b, unlimited)
	ann := h.member("ann")
	e := ann.plan("visibility", "public")
	h.write(func(tx *store.Tx) error {
		for i := range 500 {
			a, err := h.identity.Prepare(b.Context(), identity.Registration{
				Email: fmt.Sprintf("m%d@example.org", i), Username: fmt.Sprintf("m%d", i), DisplayName: "Member", Password: password,
			})
			if err != nil {
				return err
			}
			m, err := h.identity.AddMember(tx, identity.CommandLine("bench"), a)
			if err != nil {
				return err
			}
			if _, _, err := h.social.Respond(tx, (&client{t: b, h: h, id: m.ID}).trusted(tx), e, social.NewRSVP{Response: "going"}); err != nil {
				return err
			}
		}
		return nil
	})
	n := 0
	for b.Loop() {
		n++
		ann.do("PATCH", "/world/social/events/"+e, map[string]any{"title": fmt.Sprint(n), "start": fmt.Sprintf("2026-12-24T18:%02d:00", n%60)}).want(200)
	}
}

// trusted is the client as services know it, within a transaction.
func (c *client) trusted(tx *store.Tx) svc.Viewer {
	v, err := c.h.identity.OnBehalf(tx, c.id)
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}
