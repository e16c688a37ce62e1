package world

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/store/storetest"
)

// Covers W-20, W-22, W-23, W-24, W-27, W-28, W-30, W-31, W-32, W-33, W-34, W-35,
// W-37, W-38, W-41, W-42, W-43, W-44, W-45, W-50, W-51, W-53, W-154, PT-01,
// PT-03, PT-05 and PT-43.
func TestDataset(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	for _, settled := range []bool{false, true} {
		t.Run(fmt.Sprint("settled ", settled), func(t *testing.T) {
			if settled {
				ann.CreateEntries()
			}
			a := ann.Runtime().Do("GET", "/world/runtime").Want(200)
			apptest.CheckDataset(t, a)
			titles := fmt.Sprint(a.Values("objects", "title"))
			if want := "[Ann]"; !settled && titles != want {
				t.Errorf("objects %s, want %s", titles, want)
			}
			// What is long ago or far away is not in it, but for open tasks.
			if want := "[Every minute Wherever I am Choir <b> Dentist Holiday Some day Taxes Ann]"; settled && !apptest.SameWords(titles, want) {
				t.Errorf("objects %s, want %s", titles, want)
			}
		})
	}
	types := map[string]int{}
	for _, o := range ann.Runtime().Do("GET", "/world/runtime").List("objects") {
		types[apptest.At(o, "object_type").(string)]++
	}
	if types["calendar_event"] != 5 || types["task"] != 2 || types["profile"] != 1 || len(types) != 3 {
		t.Errorf("types %v", types)
	}
}

// Every published command leads to a route, with its method. Covers W-36 and
// PT-02.
func TestEveryCommandIsLive(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.CreateEntries()
	for _, action := range ann.Runtime().Do("GET", "/world/runtime").List("actions") {
		method, url := apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string)
		if method == "DELETE" {
			continue // sent for real below
		}
		a := ann.Do(method, url, apptest.At(action, "command.body"))
		if a.Status == 405 || a.Status == 404 || a.Status >= 500 {
			t.Errorf("%s %s: %d", method, url, a.Status)
		}
	}
	for _, action := range ann.Runtime().Do("GET", "/world/runtime").List("actions") {
		if apptest.At(action, "command.method") == "DELETE" {
			ann.Do("DELETE", apptest.At(action, "command.url").(string)).Want(200)
		}
	}
}

// A form filled with what the action says and sent as it says does what it
// says.
func TestActionsCanBeFilledIn(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.CreateEntries()
	h.Member("cem")
	h.Member("dan")
	recipients := map[any]string{"social.community.invite": "cem", "social.block": "dan"} // else Bea
	ann.CreateCommunity(`{"name": "Family"}`, bea)
	ann.CreateCommunity(`{"name": "Choir", "visibility": "public"}`)
	ann.Do("POST", "/world/social/dms", `{"recipient": "bea", "body": "Hello"}`).Want(201)
	ann.Do("POST", "/world/social/conversations", `{"title": "Trip", "body": "Where to?", "context": {"kind": "open"}}`).Want(201)
	for _, action := range ann.Runtime().Do("GET", "/world/runtime").List("actions") {
		controls := apptest.At(action, "controls").([]any)
		if len(controls) == 0 {
			continue
		}
		body := apptest.At(action, "command.body").(map[string]any)
		for _, control := range controls {
			value := apptest.At(control, "default")
			switch {
			case apptest.At(control, "required") == true && value == "" && apptest.At(control, "type") == "datetime":
				value = "2026-12-05T10:00:00"
			case apptest.At(control, "id") == "recipient":
				value = cmp.Or(recipients[apptest.At(action, "type")], "bea")
			case apptest.At(control, "required") == true && value == "":
				value = "Something"
			}
			body[apptest.At(control, "id").(string)] = value
		}
		a := ann.Do(apptest.At(action, "command.method").(string), apptest.At(action, "command.url").(string), body)
		if a.Status >= 300 {
			t.Errorf("%v filled in as %v: %d %s", apptest.At(action, "type"), body, a.Status, a.Body)
		}
	}
}

// Covers W-21, W-25, W-26, W-46, W-47, W-48, W-52, B-03 and B-05.
func TestWhatARuntimeSays(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.CreateEntries()
	get := func(header, query string) *apptest.Answer {
		return ann.With("X-Service-Runtime", header).Do("GET", "/world/runtime"+query)
	}
	get("", "").WantError(400, "runtime_header_required")
	get(strings.Repeat("x", 1025), "").WantError(400, "runtime_header_required")
	for _, odd := range []string{"web", "!!", `web/1; caps="`, "a b c; d", strings.Repeat("x", 1024), "ünïcode/1"} {
		get(odd, "").Want(200)
	}
	a := get(`web/1.2; caps="objects contexts hologram"; datasets="service.runtime.dataset/1"`, "").Want(200)
	apptest.CheckDataset(t, a)
	c := fmt.Sprint(a.At("capabilities.runtime"), a.At("capabilities.declared"), a.At("capabilities.applied"), a.At("capabilities.unsupported"))
	if want := "map[id:web version:1.2] [objects contexts hologram] [objects contexts] [map[capability:hologram reason:unknown]]"; c != want {
		t.Errorf("capabilities %s, want %s", c, want)
	}
	forms := 0
	for _, action := range a.List("actions") {
		if len(apptest.At(action, "controls").([]any)) > 0 {
			forms++
			if apptest.At(action, "availability") != "unavailable" || apptest.At(action, "fallback") == nil {
				t.Errorf("a form is %v for a runtime that shows none", apptest.At(action, "availability"))
			}
		}
	}
	if forms == 0 {
		t.Error("no forms at all")
	}
	if got := get("web", "?caps=objects,actions.form").Want(200); len(got.List("capabilities.declared")) != 2 {
		t.Errorf("caps of the query: %v", got.At("capabilities"))
	}

	for _, bad := range []string{"?lat=200&lon=1", "?lat=1", "?lon=1", "?lat=abc&lon=1", "?lat=NaN&lon=1", "?lat=1&lon=181", "?radius=far", "?accuracy=-1"} {
		get("web", bad).WantError(400, "invalid_parameter")
	}
	at := get("web", "?lat=52.5&lon=13.4&radius=99999&foo=1").Want(200)
	if at.At("field.origin.latitude") != 52.5 || at.At("field.origin.longitude") != 13.4 || at.At("field.radius_meters") != 10000.0 {
		t.Errorf("field %v", at.At("field"))
	}
	if nowhere := ann.Runtime().With("X-Forwarded-For", "8.8.8.8").Do("GET", "/world/runtime"); nowhere.At("field.origin") != nil {
		t.Errorf("an origin out of nothing: %v", nowhere.At("field"))
	}
	if html := ann.Runtime().With("Accept", "text/html").Do("GET", "/world/runtime").Want(200); html.Header.Get("Content-Type") != "application/json" {
		t.Error("the dataset is not JSON")
	}
	part := get("web", "?sections=objects").Want(200)
	if len(part.List("actions")) != 0 || len(part.List("objects")) == 0 || !strings.Contains(part.Body, `"reason":"not_requested"`) {
		t.Errorf("sections=objects: %s", part.Body)
	}
	rest := get("web", "?sections=actions,contexts").Want(200)
	if len(rest.List("objects")) != 0 || len(rest.List("actions")) == 0 || len(rest.List("contexts")) == 0 {
		t.Errorf("sections=actions,contexts: %s", rest.Body)
	}
}

// Covers W-29, PT-06 and PT-47: two reads are the same bytes, and ids outlive
// the process.
func TestDatasetIsTheSameAfterARestart(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
	ann.CreateEntries()
	first, second := ann.Do("GET", "/world/runtime").Want(200), ann.Do("GET", "/world/runtime").Want(200)
	if first.Body != second.Body || first.Header.Get("ETag") != second.Header.Get("ETag") {
		t.Error("two reads differ")
	}
	h.Restart()
	if third := ann.Do("GET", "/world/runtime").Want(200); third.Body != first.Body || third.Header.Get("ETag") != first.Header.Get("ETag") {
		t.Error("a read after a restart differs")
	}
}

// What an object is called depends on its source alone: for every member, after
// writes and a new start. Elsewhere the same source has another id. Covers W-29,
// W-30, B-17 and PT-06.
func TestIDsOfObjects(t *testing.T) {
	h, ann, bea := apptest.NewWorkspaceFixture(t)
	ids := func(c *apptest.Client) map[string]any {
		t.Helper()
		all, sources := make(map[string]any), make(map[any]string)
		for _, o := range c.Dataset().List("objects") {
			source, id := fmt.Sprint(apptest.At(o, "source")), apptest.At(o, "world_object_id")
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
	ann.WantDone(ann.Act("focus_object", "task Taxes"))
	ann.Do("PATCH", "/world/time/objects/"+apptest.At(ann.Dataset().Object("objects", "task Taxes"), "source.resource_id").(string), `{"title": "Taxes, at last"}`).Want(200)
	bea.Do("PATCH", "/world/social/profile", `{"bio": "A singer"}`).Want(200)
	h.Restart()
	after := ids(ann)
	compare("after writes and a new start", before, after, true)
	if len(after) != len(before) {
		t.Errorf("there were %d objects and are %d", len(before), len(after))
	}
	_, other, _ := apptest.NewWorkspaceFixture(t)
	compare("on another server", before, ids(other), false)
}

// Covers B-84.
func TestUnchangedDatasetIsNotSentAgain(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann").Runtime(), h.Member("bea")
	ann.CreateEntries()
	etag := ann.Do("GET", "/world/runtime").Want(200).Header.Get("ETag")
	again := func() *apptest.Answer { return ann.With("If-None-Match", `"other", `+etag).Do("GET", "/world/runtime") }
	same := func(what string) {
		t.Helper()
		if a := again(); a.Status != 304 || a.Body != "" || a.Header.Get("ETag") != etag {
			t.Errorf("after %s: %d with %s", what, a.Status, a.Header.Get("ETag"))
		}
	}
	differs := func(what string) {
		t.Helper()
		a := again().Want(200)
		if a.Header.Get("ETag") == etag {
			t.Errorf("after %s the ETag is the same", what)
		}
		etag = a.Header.Get("ETag")
	}
	same("nothing")
	if a := ann.With("If-None-Match", strings.TrimPrefix(etag, "W/")).Do("GET", "/world/runtime"); a.Status != 304 || a.Header.Get("ETag") != etag {
		t.Errorf("as a strong one it is another: %d with %s", a.Status, a.Header.Get("ETag"))
	}
	bea.Do("POST", "/world/calendars", `{"name": "Bea's own"}`).Want(201)
	same("something that is Bea's alone")
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": apptest.Password}).Want(200)
	same("signing in elsewhere")
	ann.Do("POST", "/world/calendars", `{}`).Want(400)
	same("a write that was refused")
	if a := ann.With("If-None-Match", etag).With("X-Service-Runtime", "other/2").Do("GET", "/world/runtime"); a.Status != 200 {
		t.Error("another runtime got 304")
	}
	if a := ann.With("If-None-Match", etag).Do("GET", "/world/runtime?lat=1&lon=2"); a.Status != 200 {
		t.Error("another place got 304")
	}
	ann.Basic().Do("PUT", ann.DefaultCalendar()+"new.ics", apptest.VEvent("new", "DTSTART:20261121T093000Z", "DTEND:20261121T094500Z", "SUMMARY:Soon")).Want(201)
	differs("a PUT by CalDAV")
	h.Clock.Set(storetest.Start.Add(44 * time.Minute))
	differs("time went by, over the end of some minute")
	bea.Do("POST", "/account/profile", apptest.Form("display_name=B&timezone=UTC")).Want(200)
	differs("something that all members see")
}

// A service that fails takes nothing else with it, and what could not be read
// is asked for again. Covers W-54 and E-06.
func TestServiceThatFails(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
	ann.CreateEntries()
	good := ann.Do("GET", "/world/runtime").Want(200)
	h.Exec("ALTER TABLE calendar_occurrence RENAME TO calendar_lost")
	h.InvalidateAll()
	bad := ann.Do("GET", "/world/runtime").Want(200)
	if got := fmt.Sprint(bad.Values("objects", "title")); got != "[Ann]" || !strings.Contains(bad.Body, `"state":"degraded","scope":{"kind":"service","service":"time"}`) {
		t.Errorf("fallbacks %v", bad.At("fallbacks"))
	}
	if bad.Str("sources.1.source_id") != "time" || bad.Str("sources.1.status") != "degraded" || bad.Str("member.username") != "ann" {
		t.Errorf("sources %v", bad.At("sources"))
	}
	if got := h.Unauthenticated().Do("GET", "/ready/time").Want(200).Body; got != "time degraded\n" {
		t.Errorf("time says %q", got)
	}
	h.Exec("ALTER TABLE calendar_lost RENAME TO calendar_occurrence")
	again := ann.With("If-None-Match", bad.Header.Get("ETag")).Do("GET", "/world/runtime").Want(200)
	if again.Body != good.Body {
		t.Error("it has not recovered")
	}
}

// What is answered is what the schemas say. Covers V-04's index as far as
// runtimes go, and PT-44.
func TestAnswersFitTheirSchemas(t *testing.T) {
	h := apptest.New(t)
	op := h.Member("op")
	op.CreateEntries()
	for path, contract := range map[string]string{"/world/identity/me": "service.identity.member", "/admin/members": "service.admin.members"} {
		a := op.Do("GET", path).Want(200)
		a.WantSchema(contract, a.At(""))
	}
	login := h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "op", "password": apptest.Password}).Want(200)
	login.WantSchema("service.identity.session", login.At(""))
	for _, c := range op.Do("GET", "/world/calendars").Want(200).List("calendars") {
		login.WantSchema("service.time.calendar", c)
	}
	objects := op.Do("GET", "/world/time/objects?start=2026-11-01&end=2027-10-01&limit=200").Want(200)
	for _, o := range objects.List("objects") {
		objects.WantSchema("service.time.object", o)
	}
	bea := h.Member("bea")
	bea.Reply(op.StartConversation("Trip"), "Yes")
	for path, key := range map[string]string{apptest.ConversationsPath: "conversation", "/world/social/activity": "activity", "/world/social/notifications": "notification"} {
		a := op.Do("GET", path).Want(200)
		for _, one := range a.List(path[strings.LastIndexByte(path, '/')+1:]) {
			a.WantSchema("service.social."+key, one)
		}
	}
	index := h.Unauthenticated().Do("GET", "/world/schemas").Want(200)
	if len(index.List("schemas")) == 0 {
		t.Error("no schemas")
	}
	for _, s := range index.List("schemas") {
		a := h.Unauthenticated().Do("GET", apptest.At(s, "url").(string)).Want(200)
		if a.Header.Get("Content-Type") != "application/schema+json" || a.Str("title") != apptest.At(s, "name") {
			t.Errorf("%v: %s", s, a.Body)
		}
	}
	h.Unauthenticated().Do("GET", "/world/schemas/service.error/2").WantError(404, "not_found")
}
