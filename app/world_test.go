package app

import (
	"cmp"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/store"
	"appliance/store/storetest"
)

// settle gives a member entries of every kind, natively and by CalDAV.
func (c *client) settle() {
	c.t.Helper()
	for _, body := range []string{
		`{"object_type": "calendar_event", "title": "Dentist", "start": "2026-12-01T09:00:00", "end": "2026-12-01T09:30:00", "location": "Main St 1", "alarms": [{"trigger": "-PT15M"}]}`,
		`{"object_type": "calendar_event", "title": "Choir <b>", "start": "2026-11-16T19:00:00", "rrule": "FREQ=WEEKLY", "exdates": ["2026-11-23T19:00:00"]}`,
		`{"object_type": "calendar_event", "title": "Holiday", "start": "2026-12-24", "end": "2026-12-27"}`,
		`{"object_type": "task", "title": "Taxes", "due": "2027-05-31", "priority": 1}`,
		`{"object_type": "task", "title": "Some day"}`,
		`{"object_type": "calendar_event", "title": "Next year", "start": "2027-08-01T09:00:00"}`,
	} {
		c.do("POST", "/world/time/objects", body).want(201)
	}
	path := c.defaultCalendar()
	c.basic().do("PUT", path+"minutely.ics", vevent("minutely", "DTSTART:20261121T000000Z", "RRULE:FREQ=MINUTELY", "SUMMARY:Every minute")).want(201)
	c.basic().do("PUT", path+"floating.ics", vevent("floating", "DTSTART:20261122T080000", "DURATION:PT1H", "SUMMARY:Wherever I am")).want(201)
}

// Covers W-20, W-22, W-23, W-24, W-27, W-28, W-30, W-31, W-32, W-33, W-34, W-35,
// W-37, W-38, W-41, W-42, W-43, W-44, W-45, W-50, W-51, W-53, W-154, PT-01,
// PT-03, PT-05 and PT-43.
func TestDataset(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	for _, settled := range []bool{false, true} {
		t.Run(fmt.Sprint("settled ", settled), func(t *testing.T) {
			if settled {
				ann.settle()
			}
			a := ann.runtime().do("GET", "/world/runtime").want(200)
			checkDataset(t, a)
			titles := fmt.Sprint(titlesOf(a))
			if want := "[Ann]"; !settled && titles != want {
				t.Errorf("objects %s, want %s", titles, want)
			}
			// What is long ago or far away is not in it, but for open tasks.
			if want := "[Every minute Wherever I am Choir <b> Dentist Holiday Some day Taxes Ann]"; settled && !sameSet(titles, want) {
				t.Errorf("objects %s, want %s", titles, want)
			}
		})
	}
	types := map[string]int{}
	for _, o := range ann.runtime().do("GET", "/world/runtime").list("objects") {
		types[dig(o, "object_type").(string)]++
	}
	if types["calendar_event"] != 5 || types["task"] != 2 || types["profile"] != 1 || len(types) != 3 {
		t.Errorf("types %v", types)
	}
}

func sameSet(a, b string) bool {
	split := func(s string) []string { return slices.Sorted(strings.FieldsSeq(strings.Trim(s, "[]"))) }
	return slices.Equal(split(a), split(b))
}

func titlesOf(a *answer) (titles []string) {
	for _, o := range a.list("objects") {
		titles = append(titles, dig(o, "title").(string))
	}
	return titles
}

// Every published command leads to a route, with its method. Covers W-36 and
// PT-02.
func TestEveryCommandIsLive(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	ann.settle()
	for _, action := range ann.runtime().do("GET", "/world/runtime").list("actions") {
		method, url := dig(action, "command.method").(string), dig(action, "command.url").(string)
		if method == "DELETE" {
			continue // sent for real below
		}
		a := ann.do(method, url, dig(action, "command.body"))
		if a.status == 405 || a.status == 404 || a.status >= 500 {
			t.Errorf("%s %s: %d", method, url, a.status)
		}
	}
	for _, action := range ann.runtime().do("GET", "/world/runtime").list("actions") {
		if dig(action, "command.method") == "DELETE" {
			ann.do("DELETE", dig(action, "command.url").(string)).want(200)
		}
	}
}

// A form filled with what the action says and sent as it says does what it
// says.
func TestActionsCanBeFilledIn(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	ann.settle()
	h.member("cem")
	h.member("dan")
	recipients := map[any]string{"social.community.invite": "cem", "social.block": "dan"} // else Bea
	ann.community(`{"name": "Family"}`, bea)
	ann.community(`{"name": "Choir", "visibility": "public"}`)
	ann.do("POST", "/world/social/dms", `{"recipient": "bea", "body": "Hello"}`).want(201)
	ann.do("POST", "/world/social/conversations", `{"title": "Trip", "body": "Where to?", "context": {"kind": "open"}}`).want(201)
	for _, action := range ann.runtime().do("GET", "/world/runtime").list("actions") {
		controls := dig(action, "controls").([]any)
		if len(controls) == 0 {
			continue
		}
		body := dig(action, "command.body").(map[string]any)
		for _, control := range controls {
			value := dig(control, "default")
			switch {
			case dig(control, "required") == true && value == "" && dig(control, "type") == "datetime":
				value = "2026-12-05T10:00:00"
			case dig(control, "id") == "recipient":
				value = cmp.Or(recipients[dig(action, "type")], "bea")
			case dig(control, "required") == true && value == "":
				value = "Something"
			}
			body[dig(control, "id").(string)] = value
		}
		a := ann.do(dig(action, "command.method").(string), dig(action, "command.url").(string), body)
		if a.status >= 300 {
			t.Errorf("%v filled in as %v: %d %s", dig(action, "type"), body, a.status, a.body)
		}
	}
}

// Covers W-21, W-25, W-26, W-46, W-47, W-48, W-52, B-03 and B-05.
func TestWhatARuntimeSays(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	ann.settle()
	get := func(header, query string) *answer {
		return ann.with("X-Service-Runtime", header).do("GET", "/world/runtime"+query)
	}
	get("", "").refused(400, "runtime_header_required")
	get(strings.Repeat("x", 1025), "").refused(400, "runtime_header_required")
	for _, odd := range []string{"web", "!!", `web/1; caps="`, "a b c; d", strings.Repeat("x", 1024), "ünïcode/1"} {
		get(odd, "").want(200)
	}
	a := get(`web/1.2; caps="objects contexts hologram"; datasets="service.runtime.dataset/1"`, "").want(200)
	checkDataset(t, a)
	c := fmt.Sprint(a.at("capabilities.runtime"), a.at("capabilities.declared"), a.at("capabilities.applied"), a.at("capabilities.unsupported"))
	if want := "map[id:web version:1.2] [objects contexts hologram] [objects contexts] [map[capability:hologram reason:unknown]]"; c != want {
		t.Errorf("capabilities %s, want %s", c, want)
	}
	forms := 0
	for _, action := range a.list("actions") {
		if len(dig(action, "controls").([]any)) > 0 {
			forms++
			if dig(action, "availability") != "unavailable" || dig(action, "fallback") == nil {
				t.Errorf("a form is %v for a runtime that shows none", dig(action, "availability"))
			}
		}
	}
	if forms == 0 {
		t.Error("no forms at all")
	}
	if got := get("web", "?caps=objects,actions.form").want(200); len(got.list("capabilities.declared")) != 2 {
		t.Errorf("caps of the query: %v", got.at("capabilities"))
	}

	for _, bad := range []string{"?lat=200&lon=1", "?lat=1", "?lon=1", "?lat=abc&lon=1", "?lat=NaN&lon=1", "?lat=1&lon=181", "?radius=far", "?accuracy=-1"} {
		get("web", bad).refused(400, "invalid_parameter")
	}
	at := get("web", "?lat=52.5&lon=13.4&radius=99999&foo=1").want(200)
	if at.at("field.origin.latitude") != 52.5 || at.at("field.origin.longitude") != 13.4 || at.at("field.radius_meters") != 10000.0 {
		t.Errorf("field %v", at.at("field"))
	}
	if nowhere := ann.runtime().with("X-Forwarded-For", "8.8.8.8").do("GET", "/world/runtime"); nowhere.at("field.origin") != nil {
		t.Errorf("an origin out of nothing: %v", nowhere.at("field"))
	}
	if html := ann.runtime().with("Accept", "text/html").do("GET", "/world/runtime").want(200); html.header.Get("Content-Type") != "application/json" {
		t.Error("the dataset is not JSON")
	}
	part := get("web", "?sections=objects").want(200)
	if len(part.list("actions")) != 0 || len(part.list("objects")) == 0 || !strings.Contains(part.body, `"reason":"not_requested"`) {
		t.Errorf("sections=objects: %s", part.body)
	}
	rest := get("web", "?sections=actions,contexts").want(200)
	if len(rest.list("objects")) != 0 || len(rest.list("actions")) == 0 || len(rest.list("contexts")) == 0 {
		t.Errorf("sections=actions,contexts: %s", rest.body)
	}
}

// Covers W-29, PT-06 and PT-47: two reads are the same bytes, and ids outlive
// the process.
func TestDatasetIsTheSameAfterARestart(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	ann.settle()
	first, second := ann.do("GET", "/world/runtime").want(200), ann.do("GET", "/world/runtime").want(200)
	if first.body != second.body || first.header.Get("ETag") != second.header.Get("ETag") {
		t.Error("two reads differ")
	}
	h.restart()
	if third := ann.do("GET", "/world/runtime").want(200); third.body != first.body || third.header.Get("ETag") != first.header.Get("ETag") {
		t.Error("a read after a restart differs")
	}
}

// What an object is called depends on its source alone: for every member, after
// writes and a new start. Elsewhere the same source has another id. Covers W-29,
// W-30, B-17 and PT-06.
func TestIDsOfObjects(t *testing.T) {
	h, ann, bea := furnished(t)
	ids := func(c *client) map[string]any {
		t.Helper()
		all, sources := make(map[string]any), make(map[any]string)
		for _, o := range c.sees().list("objects") {
			source, id := fmt.Sprint(dig(o, "source")), dig(o, "world_object_id")
			if all[source] != nil || sources[id] != "" || !regexp.MustCompile(`^wo_[a-z2-7]{26}$`).MatchString(id.(string)) {
				t.Errorf("%s is %v, as %v and %s are", source, id, all[source], sources[id])
			}
			all[source], sources[id] = id, source
		}
		return all
	}
	compare := func(about string, a, b map[string]any, same bool) {
		t.Helper()
		common := 0
		for source, id := range a {
			if other := b[source]; other != nil {
				common++
				if (other == id) != same {
					t.Errorf("%s, %s is %v and %v", about, source, id, other)
				}
			}
		}
		if common < 2 {
			t.Errorf("%s, %d sources are the same", about, common)
		}
	}
	before := ids(ann)
	compare("to another member", before, ids(bea), true)
	ann.done(ann.acts("focus_object", "task Taxes"))
	ann.do("PATCH", "/world/time/objects/"+dig(ann.sees().thing("objects", "task Taxes"), "source.resource_id").(string), `{"title": "Taxes, at last"}`).want(200)
	bea.do("PATCH", "/world/social/profile", `{"bio": "A singer"}`).want(200)
	h.restart()
	after := ids(ann)
	compare("after writes and a new start", before, after, true)
	if len(after) != len(before) {
		t.Errorf("there were %d objects and are %d", len(before), len(after))
	}
	_, other, _ := furnished(t)
	compare("on another server", before, ids(other), false)
}

// Covers B-84.
func TestUnchangedDatasetIsNotSentAgain(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann").runtime(), h.member("bea")
	ann.settle()
	etag := ann.do("GET", "/world/runtime").want(200).header.Get("ETag")
	again := func() *answer { return ann.with("If-None-Match", `"other", `+etag).do("GET", "/world/runtime") }
	same := func(what string) {
		t.Helper()
		if a := again(); a.status != 304 || a.body != "" || a.header.Get("ETag") != etag {
			t.Errorf("after %s: %d with %s", what, a.status, a.header.Get("ETag"))
		}
	}
	differs := func(what string) {
		t.Helper()
		a := again().want(200)
		if a.header.Get("ETag") == etag {
			t.Errorf("after %s the ETag is the same", what)
		}
		etag = a.header.Get("ETag")
	}
	same("nothing")
	if a := ann.with("If-None-Match", strings.TrimPrefix(etag, "W/")).do("GET", "/world/runtime"); a.status != 304 || a.header.Get("ETag") != etag {
		t.Errorf("as a strong one it is another: %d with %s", a.status, a.header.Get("ETag"))
	}
	bea.do("POST", "/world/calendars", `{"name": "Bea's own"}`).want(201)
	same("something that is Bea's alone")
	h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": password}).want(200)
	same("signing in elsewhere")
	ann.do("POST", "/world/calendars", `{}`).want(400)
	same("a write that was refused")
	if a := ann.with("If-None-Match", etag).with("X-Service-Runtime", "other/2").do("GET", "/world/runtime"); a.status != 200 {
		t.Error("another runtime got 304")
	}
	if a := ann.with("If-None-Match", etag).do("GET", "/world/runtime?lat=1&lon=2"); a.status != 200 {
		t.Error("another place got 304")
	}
	ann.basic().do("PUT", ann.defaultCalendar()+"new.ics", vevent("new", "DTSTART:20261121T093000Z", "DTEND:20261121T094500Z", "SUMMARY:Soon")).want(201)
	differs("a PUT by CalDAV")
	h.clock.Set(storetest.Start.Add(44 * time.Minute))
	differs("time went by, over the end of some minute")
	bea.do("POST", "/account/profile", formBody("display_name=B&timezone=UTC")).want(200)
	differs("something that all members see")
}

// A service that fails takes nothing else with it, and what could not be read
// is asked for again. Covers W-54 and E-06.
func TestServiceThatFails(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	ann.settle()
	good := ann.do("GET", "/world/runtime").want(200)
	meddle(t, h, "ALTER TABLE calendar_occurrence RENAME TO calendar_lost")
	h.touch()
	bad := ann.do("GET", "/world/runtime").want(200)
	if got := fmt.Sprint(titlesOf(bad)); got != "[Ann]" || !strings.Contains(bad.body, `"state":"degraded","scope":{"kind":"service","service":"time"}`) {
		t.Errorf("fallbacks %v", bad.at("fallbacks"))
	}
	if bad.str("sources.1.source_id") != "time" || bad.str("sources.1.status") != "degraded" || bad.str("member.username") != "ann" {
		t.Errorf("sources %v", bad.at("sources"))
	}
	if got := h.nobody().do("GET", "/ready/time").want(200).body; got != "time degraded\n" {
		t.Errorf("time says %q", got)
	}
	meddle(t, h, "ALTER TABLE calendar_lost RENAME TO calendar_occurrence")
	again := ann.with("If-None-Match", bad.header.Get("ETag")).do("GET", "/world/runtime").want(200)
	if again.body != good.body {
		t.Error("it has not recovered")
	}
}

// touch has everything count as changed, so that all is read again.
func (h *house) touch() {
	h.write(func(tx *store.Tx) error {
		tx.Touch(store.AllTopics, store.Everyone)
		return nil
	})
}

// meddle changes the database behind the server's back.
func meddle(t testing.TB, h *house, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", h.settings.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// What is answered is what the schemas say. Covers V-04's index as far as
// runtimes go, and PT-44.
func TestAnswersFitTheirSchemas(t *testing.T) {
	h := open(t)
	op := h.member("op")
	op.settle()
	for path, contract := range map[string]string{"/world/identity/me": "service.identity.member", "/admin/members": "service.admin.members"} {
		a := op.do("GET", path).want(200)
		a.fits(contract, a.at(""))
	}
	login := h.nobody().do("POST", "/identity/login", map[string]any{"login": "op", "password": password}).want(200)
	login.fits("service.identity.session", login.at(""))
	for _, c := range op.do("GET", "/world/calendars").want(200).list("calendars") {
		login.fits("service.time.calendar", c)
	}
	objects := op.do("GET", "/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200").want(200)
	for _, o := range objects.list("objects") {
		objects.fits("service.time.object", o)
	}
	bea := h.member("bea")
	bea.says(op.converse("Trip"), "Yes")
	for path, key := range map[string]string{conversationsPath: "conversation", "/world/social/activity": "activity", "/world/social/notifications": "notification"} {
		a := op.do("GET", path).want(200)
		for _, one := range a.list(path[strings.LastIndexByte(path, '/')+1:]) {
			a.fits("service.social."+key, one)
		}
	}
	index := h.nobody().do("GET", "/world/schemas").want(200)
	if len(index.list("schemas")) == 0 {
		t.Error("no schemas")
	}
	for _, s := range index.list("schemas") {
		a := h.nobody().do("GET", dig(s, "url").(string)).want(200)
		if a.header.Get("Content-Type") != "application/schema+json" || a.str("title") != dig(s, "name") {
			t.Errorf("%v: %s", s, a.body)
		}
	}
	h.nobody().do("GET", "/world/schemas/service.error/2").refused(404, "not_found")
}
