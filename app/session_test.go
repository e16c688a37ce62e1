package app

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/config"
	"appliance/svc"
)

const sessionPath = "/world/session"

// session returns the member's session, which is as every session is.
func (c *client) session(query ...string) *answer {
	c.t.Helper()
	a := c.runtime().do("GET", sessionPath+strings.Join(query, "")).want(200)
	a.fits("service.home.runtime", a.at(""))
	a.fits("service.field.runtime", a.at("field_runtime"))
	a.fits("service.surface.runtime", a.at("surface_runtime"))
	a.closed("surface_runtime")
	addresses(c.t.(*testing.T), "", a.at(""))
	sum, total := 0.0, 0.0
	for name, n := range a.at("status").(map[string]any) {
		if name == "total" {
			total = n.(float64)
		} else {
			sum += n.(float64)
		}
	}
	if sum != total {
		c.t.Errorf("%s: status %v", a.about, a.at("status"))
	}
	return a
}

// service returns what a session says of a service.
func (a *answer) service(id string) any {
	a.t.Helper()
	for _, s := range a.list("services") {
		if dig(s, "id") == id {
			return s
		}
	}
	a.t.Fatalf("no service %s", id)
	return nil
}

// textsAt returns the texts at a path in each of a list.
func textsAt(list []any, path string) (all []string) {
	for _, one := range list {
		all = append(all, fmt.Sprint(dig(one, path)))
	}
	return all
}

// What a new member's session is. Covers W-60, W-61, W-62, W-63, W-65, W-72,
// W-73, W-74, W-75, W-76, W-77, W-79, W-80, B-03 and B-27.
func TestSession(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	h.member("bea")
	a := ann.session()
	keys := make([]string, 0, 9)
	for key := range a.at("").(map[string]any) {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if got := strings.Join(keys, " "); got != "capabilities contract field_runtime runtime_session service services shell status surface_runtime" {
		t.Errorf("there is %s", got)
	}
	for path, want := range map[string]any{
		"service": "world", "contract.name": "service.home.runtime", "contract.version": 2.0, "field_runtime.radius_meters": 1000.0,
		"runtime_session.user_id": ann.do("GET", "/world/identity/me").at("member.id"), "runtime_session.persistence_authority": "world",
		"status.total": 8.0, "status.ready": 6.0, "status.degraded": 0.0, "status.unavailable": 2.0,
		"capabilities.requested": "[]", "capabilities.provided": "[surface_runtime field_runtime shell panels messages time social]",
		"shell.primitives": "[dock workspace field]",
	} {
		if got := a.at(path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	var services []string
	for _, s := range a.list("services") {
		services = append(services, fmt.Sprint(dig(s, "id"), " ", dig(s, "presentation.workspace"), " ", dig(s, "entry_surface_id"), " ", dig(s, "content_source"), " ", dig(s, "status")))
		for _, text := range []string{"label", "icon"} {
			if dig(s, text) == "" {
				t.Errorf("%v has no %s", dig(s, "id"), text)
			}
		}
		if id, ok := dig(s, "entry_surface_id").(string); ok && a.one("surface_runtime.surfaces", id) == nil {
			t.Errorf("%v begins with %s, which is not there", dig(s, "id"), id)
		}
		if _, ok := dig(s, "objects").(map[string]any); !ok {
			t.Errorf("the objects of %v are %v", dig(s, "id"), dig(s, "objects"))
		}
		if (dig(s, "status") == "ready") != (dig(s, "message") == "") {
			t.Errorf("%v is %v: %v", dig(s, "id"), dig(s, "status"), dig(s, "message"))
		}
	}
	want := `identity carry surface_profile /world/identity/me ready
social carry surface_social /world/panels/social ready
time carry surface_calendar /world/panels/time ready
messages carry surface_messages /world/panels/messages ready
maps field <nil> /world/session unavailable
find find <nil> /world/panels/find unavailable`
	if got := strings.Join(services, "\n"); got != want {
		t.Errorf("services\n%s", got)
	}
	if s := a.service("messages"); dig(s, "compatibility") != true || dig(s, "compatibility_scope") != "legacy_runtime_panel" {
		t.Errorf("messages: %v", s)
	}
	members := dig(a.service("identity"), "members").([]any)
	if got, _ := json.Marshal(members[1]); string(got) != `{"display_name":"Bea","email":"bea@example.org","id":2,"username":"bea"}` || len(members) != 2 {
		t.Errorf("members %v", members)
	}
	var dock []string
	for _, item := range a.list("shell.dock.items") {
		dock = append(dock, fmt.Sprint(dig(item, "id"), " ", dig(item, "essential"), " ", dig(item, "action.method")))
		if dig(item, "label") == "" || dig(item, "icon") == "" {
			t.Errorf("the dock has %v", item)
		}
	}
	if got := strings.Join(dock, ", "); got != "find true GET, social true POST, time true POST, messages true POST, field false GET, profile false POST" {
		t.Errorf("the dock has %s", got)
	}
	declared := ann.with("X-Service-Runtime", `web/1; caps="objects hologram"`).do("GET", sessionPath).want(200)
	if got := fmt.Sprint(declared.at("capabilities.requested")); got != "[objects hologram]" {
		t.Errorf("requested is %s", got)
	}
}

// Covers W-02, W-05, W-08, W-48, W-52, W-64, W-82, W-117, PT-09 and X-10.
func TestWhoMayAskForASession(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann"), h.member("bea")
	ann.session() // which stores what is not stored yet
	for _, path := range []string{sessionPath, "/world/translated"} {
		ann.do("GET", path).refused(400, "runtime_header_required")
		h.nobody().runtime().do("GET", path).refused(401, "unauthenticated")
		a := ann.runtime().do("GET", path).want(200)
		for _, other := range []*answer{
			ann.runtime().with("X-Service-Member-Id", fmt.Sprint(bea.id)).do("GET", path),
			ann.runtime().do("GET", path+"?foo=1"),
			ann.runtime().with("Accept", "text/html").do("GET", path),
			ann.with("X-Service-Runtime", `test/1.0; x="y"`).do("GET", path),
		} {
			if other.want(200).body != a.body || other.header.Get("Content-Type") != "application/json" {
				t.Errorf("%s answers otherwise:\n%s\n%s", other.about, other.body, a.body)
			}
		}
		ann.runtime().do("PUT", path).refused(405, "method_not_allowed")
	}
	ann.do("POST", sessionPath).refused(400, "runtime_header_required")
	h.nobody().runtime().do("POST", sessionPath).refused(401, "unauthenticated")
	for _, s := range ann.session().list("services") {
		if _, ok := dig(s, "content_source").(string); !ok {
			t.Errorf("the content of %v is %v", dig(s, "id"), dig(s, "content_source"))
		}
	}
}

// Reading a session stores what a member is seen to have before them, and
// makes no other surface; so does what is translated. Covers W-16, W-128, S-15
// and S-20 as far as these answers go.
func TestReadingASessionOnlyAdds(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	first := ann.session()
	if got := first.stacks("surface_runtime.stacks"); got != asNew {
		t.Errorf("at first there is\n%s", got)
	}
	if n := h.number("SELECT count(*) FROM surface_stack"); n != 4 {
		t.Errorf("%d stacks are stored", n)
	}
	h.member("bea").runtime().do("GET", "/world/translated").want(200)
	if n := h.number("SELECT count(*) FROM surface_stack"); n != 8 {
		t.Errorf("%d stacks are stored once Bea has read what is translated", n)
	}
	ann.session()
	h.unchanged("by reading", func() {
		ann.session()
		ann.runtime().do("GET", "/world/translated").want(200)
		ann.runtime().do("POST", sessionPath, `{}`).want(200)
		for _, panel := range []string{"social", "time", "find", "messages", "messages/rail"} {
			ann.do("GET", "/world/panels/"+panel).want(200)
		}
	})
	ann.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).want(200)
	if got := ann.session().str("surface_runtime.stacks.0.focused_surface_id"); got != "surface_calendar" {
		t.Errorf("it is turned to %s", got)
	}
}

// What a session counts is what there is to see, for everybody. Covers W-70,
// W-71 and PT-42.
func TestSessionCountsWhatIsSeen(t *testing.T) {
	s := newStreet(t)
	s.bea.tell("ann", "Hello")
	s.cem.do("POST", "/world/social/blocks", map[string]any{"member_id": s.ann.id}).want(201)
	for _, c := range []*client{s.ann, s.bea, s.cem, s.dan, s.member("eve")} {
		a := c.session()
		for name, path := range map[string]string{
			"conversations": conversationsPath + "?limit=200", "communities": "/world/social/communities?limit=200",
			"events": "/world/social/events?limit=200", "presence": "/world/social/presence",
		} {
			list := c.do("GET", path).want(200).list(name)
			if got := dig(a.service("social"), "objects."+name); got != float64(len(list)) {
				t.Errorf("%s: %v %s, and %d are listed", c.name, got, name, len(list))
			}
		}
		threads := dig(a.service("messages"), "objects.threads").([]any)
		for _, one := range threads {
			a.fits("service.messages.thread", one)
		}
		if want := c.do("GET", "/world/messages").want(200).list("threads"); fmt.Sprint(threads) != fmt.Sprint(want) {
			t.Errorf("%s has the threads %v, and reads %v", c.name, threads, want)
		}
		members := textsAt(dig(a.service("identity"), "members").([]any), "username")
		if hidden := map[string]string{"ann": "cem", "cem": "ann"}[c.name]; hidden != "" && slices.Contains(members, hidden) || !slices.Contains(members, c.name) {
			t.Errorf("%s meets %v", c.name, members)
		}
	}
	before := dig(s.ann.session().service("social"), "objects.communities").(float64)
	s.ann.community(`{"name": "More"}`)
	if after := dig(s.ann.session().service("social"), "objects.communities"); after != before+1 {
		t.Errorf("one more than %v are %v", before, after)
	}
}

// Who is disabled or has left is met no more, and one who is new is.
// Covers PT-46 as far as sessions go.
func TestMembersComeAndGoInASession(t *testing.T) {
	h := open(t)
	op, bea := h.member("op"), h.member("bea")
	who := func() string {
		return fmt.Sprint(textsAt(dig(op.session().service("identity"), "members").([]any), "username"))
	}
	etag := op.runtime().do("GET", sessionPath).header.Get("ETag")
	h.member("cem")
	if got := who(); got != "[op bea cem]" {
		t.Errorf("there are %s", got)
	}
	if a := op.runtime().with("If-None-Match", etag).do("GET", sessionPath); a.status != 200 {
		t.Errorf("a new member is not noticed: %d", a.status)
	}
	op.do("POST", "/admin/members/update", map[string]any{"id": bea.id, "changes": map[string]any{"status": "disabled"}}).want(200)
	if got := who(); got != "[op cem]" {
		t.Errorf("there are %s", got)
	}
}

// Covers B-84 as far as sessions and what is translated go.
func TestUnchangedSessionIsNotSentAgain(t *testing.T) {
	h := open(t, withKey)
	ann, bea := h.member("ann").runtime(), h.member("bea")
	for _, path := range []string{sessionPath, "/world/translated"} {
		ann.do("GET", path).want(200)
		etag := ann.do("GET", path).want(200).header.Get("ETag")
		again := func() *answer { return ann.with("If-None-Match", etag).do("GET", path) }
		if a := again(); a.status != 304 || a.body != "" || etag == "" {
			t.Errorf("%s: %d with %s", path, a.status, etag)
		}
		bea.do("POST", "/world/calendars", `{"name": "Bea's own"}`).want(201)
		again().want(304)
		if a := ann.with("If-None-Match", etag).do("GET", path+"?radius=500"); a.status != 200 {
			t.Errorf("%s: another question is answered with %d", path, a.status)
		}
		bea.tell("ann", "Hello")
		a := again().want(200)
		if !strings.Contains(a.body, "Hello") {
			t.Errorf("%s does not say what was written", path)
		}
		etag = a.header.Get("ETag")
	}
	// Who says that they are there is there for a time, and an event ends.
	bea.do("POST", "/world/social/presence", `{"state": "online", "visible_to": "members", "ttl_seconds": 60}`).want(200)
	ann.do("POST", "/world/social/events", `{"title": "Tea", "start": "2026-11-21T08:30:00", "end": "2026-11-21T09:01:00", "timezone": "UTC"}`).want(201)
	etags := make(map[string]string)
	for _, path := range []string{sessionPath, "/world/translated"} {
		etags[path] = ann.do("GET", path).want(200).header.Get("ETag")
		ann.with("If-None-Match", etags[path]).do("GET", path).want(304)
	}
	h.clock.Advance(61 * 1e9)
	for path, etag := range etags {
		ann.with("If-None-Match", etag).do("GET", path).want(200)
	}
}

// A service that fails or is switched off leaves the rest of a session whole.
// Covers W-54 and E-06 as far as sessions go.
func TestSessionWithoutAService(t *testing.T) {
	for service, table := range map[string]string{
		"social": "social_presence", "messages": "messages_thread", "surface": "surface_stack", "identity": "social_block",
	} {
		t.Run(service, func(t *testing.T) {
			h := open(t, withKey)
			ann := h.member("ann")
			h.member("bea").tell("ann", "Hello")
			ann.session()
			good := ann.session()
			meddle(t, h, "ALTER TABLE "+table+" RENAME TO lost")
			h.touch()
			bad := ann.runtime().do("GET", sessionPath).want(200)
			bad.fits("service.home.runtime", bad.at(""))
			degraded := 1.0
			if service == "identity" { // nobody knows whom one may meet
				degraded = 3
				if n := len(dig(bad.service("identity"), "members").([]any)); n > 0 {
					t.Errorf("%d members are met", n)
				}
			}
			if bad.at("status.degraded") != degraded || bad.at("status.total") != 8.0 {
				t.Errorf("status %v", bad.at("status"))
			}
			if service != "surface" {
				if s := bad.service(service); dig(s, "status") != "degraded" || dig(s, "message") == "" {
					t.Errorf("%v", s)
				}
			}
			if got := h.nobody().do("GET", "/ready/"+service).want(200).body; got != service+" degraded\n" {
				t.Errorf("%s says %q", service, got)
			}
			meddle(t, h, "ALTER TABLE lost RENAME TO "+table)
			again := ann.runtime().with("If-None-Match", bad.header.Get("ETag")).do("GET", sessionPath).want(200)
			if again.body != good.body {
				t.Error("it has not recovered")
			}
		})
	}
	for _, service := range []string{"social", "messages", "surface", "time"} {
		h := open(t, func(s *config.Settings) { s.ServicesOff = []string{service} })
		ann := h.member("ann").runtime()
		a := ann.do("GET", sessionPath).want(200)
		a.fits("service.home.runtime", a.at(""))
		if a.at("status.unavailable") != 3.0 || slices.Contains(a.list("capabilities.provided"), any(service)) {
			t.Errorf("without %s: %v, %v", service, a.at("status"), a.at("capabilities.provided"))
		}
		if service == "surface" {
			if slices.Contains(a.list("capabilities.provided"), any("surface_runtime")) {
				t.Error("surfaces are provided")
			}
			ann.do("GET", "/world/panels/find").want(200)
			for _, item := range a.list("shell.dock.items") {
				ann.do(dig(item, "action.method").(string), dig(item, "action.url").(string)).want(200)
			}
		} else if s := a.service(service); dig(s, "status") != "unavailable" || len(dig(s, "actions").([]any)) > 0 {
			t.Errorf("%v", s)
		}
		ann.do("GET", "/world/translated").want(200)
	}
}

// The harness gets the dataset under its own name, of where and what it says.
// Covers W-142, W-143, X-01, B-06, W-26, W-47, W-11 and W-12.
func TestHarness(t *testing.T) {
	h := open(t)
	ann := h.member("ann").runtime()
	ann.settle()
	real := ann.do("GET", "/world/runtime").want(200)
	for _, body := range []string{"", "{}", `{"profile": null, "context": {}, "colour": "red"}`} {
		a := ann.do("POST", sessionPath, body).want(200)
		a.fits("service.runtime.dataset", a.at(""))
		if want := strings.Replace(real.body, "service.runtime.dataset", "service.world.dataset", 1); a.body != want || real.body == want {
			t.Errorf("%q is answered with\n%s", body, a.body)
		}
		if a.header.Get("ETag") != "" || !strings.Contains(a.header.Get("Cache-Control"), "no-store") {
			t.Errorf("it is kept: %v", a.header)
		}
	}
	const full = `{"profile": {"runtime": "harness", "capabilities": ["objects"]},
		"context": {"location": {"latitude": 52.5, "longitude": 13.4}, "radius": 700, "categories": ["food", "moon"]}}`
	form := formBody("profile[runtime]=harness&profile[capabilities][]=objects&context[location][latitude]=52.5&context[location][longitude]=13.4" +
		"&context[radius]=700&context[categories][]=food&context[categories][]=moon")
	for _, body := range []any{full, form} {
		a := ann.do("POST", sessionPath, body).want(200)
		got := fmt.Sprint(a.at("capabilities.runtime.id"), a.at("capabilities.declared"), a.at("field.origin"), a.at("field.radius_meters"), a.at("field.controls.0.summary"))
		if got != "harness[objects] map[latitude:52.5 longitude:13.4] 7001 of 10" {
			t.Errorf("it is %s", got)
		}
	}
	for body, refusal := range map[string]string{
		`{"context": {"location": {"latitude": 95, "longitude": 1}}}`:               "422 invalid_value context.location.latitude",
		`{"context": {"location": {"latitude": 5, "longitude": -181}}}`:             "422 invalid_value context.location.longitude",
		`{"context": {"location": {"latitude": 5}}}`:                                "400 field_required context.location.longitude",
		`{"context": {"location": {"latitude": "north", "longitude": 1}}}`:          "400 malformed_body context.location.latitude",
		`{"context": {"location": {"latitude": 1e999, "longitude": 1}}}`:            "400 malformed_body context.location.latitude",
		`{"context": {"location": "here"}}`:                                         "400 malformed_body context.location",
		`{"context": {"radius": 1.5}}`:                                              "400 malformed_body context.radius",
		`{"context": {"categories": "food"}}`:                                       "400 malformed_body context.categories",
		`{"profile": {"capabilities": ["` + strings.Repeat("x", 2000) + `"]}}`:      "422 too_long profile.capabilities",
		`{"profile": {"capabilities": ["x` + strings.Repeat(`", "x`, 2000) + `"]}}`: "422 too_long profile.capabilities",
		`{"profile": {"runtime": "` + strings.Repeat("x", 2000) + `"}}`:             "422 too_long profile.runtime",
	} {
		a := ann.do("POST", sessionPath, body)
		if got := fmt.Sprint(a.status, " ", a.str("error.code"), " ", a.str("error.fields.0.name")); got != refusal || len(a.body) > 1000 {
			t.Errorf("%.80s is answered with %s in %d bytes, want %s", body, got, len(a.body), refusal)
		}
	}
	ann.do("POST", sessionPath, `{`).refused(400, "malformed_body")
	ann.with("Content-Type", "text/xml").do("POST", sessionPath, "<x/>").refused(415, "unsupported_media_type")
}

// Nobody sees of a session what is another's. Covers W-17, W-22 and PT-07 as
// far as these answers go.
func TestSessionsAreApart(t *testing.T) {
	h := open(t, withKey, unlimited)
	ann, bea, cem := h.member("ann"), h.member("bea"), h.member("cem")
	bea.tell("ann", "Hello")
	ann.session()
	see := func() string {
		return ann.session().body + ann.runtime().do("GET", "/world/translated").want(200).body + ann.do("GET", "/world/panels/find").want(200).body +
			ann.do("GET", "/world/panels/messages").want(200).body
	}
	before := see()
	bea.settle()
	bea.tell("cem", "A secret")
	bea.finds(cafe("1"))
	bea.do("POST", stacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).want(200)
	bea.do("POST", stacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).want(200)
	bea.community(`{"name": "Club"}`, cem)
	if after := see(); after != before {
		t.Errorf("what Bea did shows in Ann's\n%s\n%s", before, after)
	}
	if a := bea.session(); strings.Count(a.body, "A secret") != 1 || !strings.Contains(a.body, `"finding"`) {
		t.Errorf("Bea does not see it herself: %s", a.body)
	}
}

// Looking at a session reads nothing. Covers B-50 as far as these answers go.
func TestLookingAtASessionReadsNothing(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	h.member("bea").tell("ann", "Hello")
	for range 2 {
		a := ann.session()
		if got := dig(a.service("messages"), "objects.threads.0.unread_count"); got != 1.0 {
			t.Errorf("%v is unread", got)
		}
		ann.runtime().do("GET", "/world/translated?thread="+dig(a.service("messages"), "objects.threads.0.id").(string)).want(200)
	}
}

// More than a session lists is told of.
func TestSessionOfMany(t *testing.T) {
	long(t)
	h := open(t, unlimited)
	ann := h.member("ann")
	for i := range svc.MaxLimit {
		h.member(fmt.Sprint("m", i)).tell("ann", "Hello")
	}
	a := ann.session()
	if n := len(dig(a.service("messages"), "objects.threads").([]any)); n != svc.MaxLimit || dig(a.service("messages"), "message") != "" {
		t.Errorf("%d threads: %v", n, dig(a.service("messages"), "message"))
	}
	s := a.service("identity")
	if n := len(dig(s, "members").([]any)); n != svc.MaxLimit || dig(s, "message") == "" || dig(s, "status") != "ready" {
		t.Errorf("%d members: %v", n, dig(s, "message"))
	}
}

// What was found is no part of the field, and the field no part of what is
// found. Covers W-99 and W-152 as far as there is a field.
func TestFindingChangesNoField(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	field := func() string { return fmt.Sprint(ann.session("?lat=38.7&lon=-9.1&radius=500").at("field_runtime")) }
	before := field()
	ann.finds(cafe("1"), cafe("2"))
	if after := field(); after != before {
		t.Errorf("the field was %s and is %s", before, after)
	}
	panel := ann.do("GET", "/world/panels/find?lat=38.7&lon=-9.1&radius=500").want(200)
	if panel.body != ann.do("GET", "/world/panels/find").body {
		t.Error("the field shows in the panel of Find")
	}
}
