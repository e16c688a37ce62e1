package world

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
	"appliance/svc/svctest"
)

// What a new member's session is. Covers W-60, W-61, W-62, W-63, W-65, W-72,
// W-73, W-74, W-75, W-76, W-77, W-79, W-80, B-03 and B-27.
func TestSession(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Member("bea")
	a := ann.Session()
	keys := make([]string, 0, 9)
	for key := range a.At("").(map[string]any) {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	if got := strings.Join(keys, " "); got != "capabilities contract field_runtime runtime_session service services shell status surface_runtime" {
		t.Errorf("there is %s", got)
	}
	for path, want := range map[string]any{
		"service": "world", "contract.name": "service.home.runtime", "contract.version": 2.0, "field_runtime.radius_meters": 1000.0,
		"runtime_session.user_id": ann.Do("GET", "/world/identity/me").At("member.id"), "runtime_session.persistence_authority": "world",
		"status.total": 8.0, "status.ready": 6.0, "status.degraded": 0.0, "status.unavailable": 2.0,
		"capabilities.requested": "[]", "capabilities.provided": "[surface_runtime field_runtime shell panels messages time social]",
		"shell.primitives": "[dock workspace field]",
	} {
		if got := a.At(path); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	var services []string
	for _, s := range a.List("services") {
		services = append(services, fmt.Sprint(apptest.At(s, "id"), " ", apptest.At(s, "presentation.workspace"), " ", apptest.At(s, "entry_surface_id"), " ", apptest.At(s, "content_source"), " ", apptest.At(s, "status")))
		for _, text := range []string{"label", "icon"} {
			if apptest.At(s, text) == "" {
				t.Errorf("%v has no %s", apptest.At(s, "id"), text)
			}
		}
		if id, ok := apptest.At(s, "entry_surface_id").(string); ok && a.Surface("surface_runtime.surfaces", id) == nil {
			t.Errorf("%v begins with %s, which is not there", apptest.At(s, "id"), id)
		}
		if _, ok := apptest.At(s, "objects").(map[string]any); !ok {
			t.Errorf("the objects of %v are %v", apptest.At(s, "id"), apptest.At(s, "objects"))
		}
		if (apptest.At(s, "status") == "ready") != (apptest.At(s, "message") == "") {
			t.Errorf("%v is %v: %v", apptest.At(s, "id"), apptest.At(s, "status"), apptest.At(s, "message"))
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
	if s := a.Service("messages"); apptest.At(s, "compatibility") != true || apptest.At(s, "compatibility_scope") != "legacy_runtime_panel" {
		t.Errorf("messages: %v", s)
	}
	members := apptest.At(a.Service("identity"), "members").([]any)
	if got, _ := json.Marshal(members[1]); string(got) != `{"display_name":"Bea","email":"bea@example.org","id":2,"username":"bea"}` || len(members) != 2 {
		t.Errorf("members %v", members)
	}
	var dock []string
	for _, item := range a.List("shell.dock.items") {
		dock = append(dock, fmt.Sprint(apptest.At(item, "id"), " ", apptest.At(item, "essential"), " ", apptest.At(item, "action.method")))
		if apptest.At(item, "label") == "" || apptest.At(item, "icon") == "" {
			t.Errorf("the dock has %v", item)
		}
	}
	if got := strings.Join(dock, ", "); got != "find true GET, social true POST, time true POST, messages true POST, field false GET, profile false POST" {
		t.Errorf("the dock has %s", got)
	}
	declared := ann.With("X-Service-Runtime", `web/1; caps="objects hologram"`).Do("GET", apptest.SessionPath).Want(200)
	if got := fmt.Sprint(declared.At("capabilities.requested")); got != "[objects hologram]" {
		t.Errorf("requested is %s", got)
	}
}

// Covers W-02, W-05, W-08, W-48, W-52, W-64, W-82, W-117, PT-09 and X-10.
func TestWhoMayAskForASession(t *testing.T) {
	h := apptest.New(t)
	ann, bea := h.Member("ann"), h.Member("bea")
	ann.Session() // which stores what is not stored yet
	for _, path := range []string{apptest.SessionPath, "/world/translated"} {
		ann.Do("GET", path).WantError(400, "runtime_header_required")
		h.Unauthenticated().Runtime().Do("GET", path).WantError(401, "unauthenticated")
		a := ann.Runtime().Do("GET", path).Want(200)
		for _, other := range []*apptest.Answer{
			ann.Runtime().With("X-Service-Member-Id", fmt.Sprint(bea.ID)).Do("GET", path),
			ann.Runtime().Do("GET", path+"?foo=1"),
			ann.Runtime().With("Accept", "text/html").Do("GET", path),
			ann.With("X-Service-Runtime", `test/1.0; x="y"`).Do("GET", path),
		} {
			if other.Want(200).Body != a.Body || other.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%s answers otherwise:\n%s\n%s", other.About, other.Body, a.Body)
			}
		}
		ann.Runtime().Do("PUT", path).WantError(405, "method_not_allowed")
	}
	ann.Do("POST", apptest.SessionPath).WantError(400, "runtime_header_required")
	h.Unauthenticated().Runtime().Do("POST", apptest.SessionPath).WantError(401, "unauthenticated")
	for _, s := range ann.Session().List("services") {
		if _, ok := apptest.At(s, "content_source").(string); !ok {
			t.Errorf("the content of %v is %v", apptest.At(s, "id"), apptest.At(s, "content_source"))
		}
	}
}

// Reading a session stores what a member is seen to have before them, and
// makes no other surface; so does what is translated. Covers W-16, W-128, S-15
// and S-20 as far as these answers go.
func TestReadingASessionOnlyAdds(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	first := ann.Session()
	if got := first.Stacks("surface_runtime.stacks"); got != apptest.DefaultStacks {
		t.Errorf("at first there is\n%s", got)
	}
	if n := h.QueryInt("SELECT count(*) FROM surface_stack"); n != 4 {
		t.Errorf("%d stacks are stored", n)
	}
	h.Member("bea").Runtime().Do("GET", "/world/translated").Want(200)
	if n := h.QueryInt("SELECT count(*) FROM surface_stack"); n != 8 {
		t.Errorf("%d stacks are stored once Bea has read what is translated", n)
	}
	ann.Session()
	h.WantUnchanged("by reading", func() {
		ann.Session()
		ann.Runtime().Do("GET", "/world/translated").Want(200)
		ann.Runtime().Do("POST", apptest.SessionPath, `{}`).Want(200)
		for _, panel := range []string{"social", "time", "find", "messages", "messages/rail"} {
			ann.Do("GET", "/world/panels/"+panel).Want(200)
		}
	})
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).Want(200)
	if got := ann.Session().Str("surface_runtime.stacks.0.focused_surface_id"); got != "surface_calendar" {
		t.Errorf("it is turned to %s", got)
	}
}

// What a session counts is what there is to see, for everybody. Covers W-70,
// W-71 and PT-42.
func TestSessionCountsWhatIsSeen(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Bea.SendMessage("ann", "Hello")
	s.Cem.Do("POST", "/world/social/blocks", map[string]any{"member_id": s.Ann.ID}).Want(201)
	for _, c := range []*apptest.Client{s.Ann, s.Bea, s.Cem, s.Dan, s.Member("eve")} {
		a := c.Session()
		for name, path := range map[string]string{
			"conversations": apptest.ConversationsPath + "?limit=200", "communities": "/world/social/communities?limit=200",
			"events": "/world/social/events?limit=200", "presence": "/world/social/presence",
		} {
			list := c.Do("GET", path).Want(200).List(name)
			if got := apptest.At(a.Service("social"), "objects."+name); got != float64(len(list)) {
				t.Errorf("%s: %v %s, and %d are listed", c.Name, got, name, len(list))
			}
		}
		threads := apptest.At(a.Service("messages"), "objects.threads").([]any)
		for _, one := range threads {
			a.WantSchema("service.messages.thread", one)
		}
		if want := c.Do("GET", "/world/messages").Want(200).List("threads"); fmt.Sprint(threads) != fmt.Sprint(want) {
			t.Errorf("%s has the threads %v, and reads %v", c.Name, threads, want)
		}
		members := apptest.Values(apptest.At(a.Service("identity"), "members").([]any), "username")
		if hidden := map[string]string{"ann": "cem", "cem": "ann"}[c.Name]; hidden != "" && slices.Contains(members, hidden) || !slices.Contains(members, c.Name) {
			t.Errorf("%s meets %v", c.Name, members)
		}
	}
	before := apptest.At(s.Ann.Session().Service("social"), "objects.communities").(float64)
	s.Ann.CreateCommunity(`{"name": "More"}`)
	if after := apptest.At(s.Ann.Session().Service("social"), "objects.communities"); after != before+1 {
		t.Errorf("one more than %v are %v", before, after)
	}
}

// Who is disabled or has left is met no more, and one who is new is.
// Covers PT-46 as far as sessions go.
func TestMembersComeAndGoInASession(t *testing.T) {
	h := apptest.New(t)
	op, bea := h.Member("op"), h.Member("bea")
	who := func() string {
		return fmt.Sprint(apptest.Values(apptest.At(op.Session().Service("identity"), "members").([]any), "username"))
	}
	etag := op.Runtime().Do("GET", apptest.SessionPath).Header.Get("ETag")
	h.Member("cem")
	if got := who(); got != "[op bea cem]" {
		t.Errorf("there are %s", got)
	}
	if a := op.Runtime().With("If-None-Match", etag).Do("GET", apptest.SessionPath); a.Status != 200 {
		t.Errorf("a new member is not noticed: %d", a.Status)
	}
	op.Do("POST", "/admin/members/update", map[string]any{"id": bea.ID, "changes": map[string]any{"status": "disabled"}}).Want(200)
	if got := who(); got != "[op cem]" {
		t.Errorf("there are %s", got)
	}
}

// Covers B-84 as far as sessions and what is translated go.
func TestUnchangedSessionIsNotSentAgain(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann, bea := h.Member("ann").Runtime(), h.Member("bea")
	for _, path := range []string{apptest.SessionPath, "/world/translated"} {
		ann.Do("GET", path).Want(200)
		etag := ann.Do("GET", path).Want(200).Header.Get("ETag")
		again := func() *apptest.Answer { return ann.With("If-None-Match", etag).Do("GET", path) }
		if a := again(); a.Status != 304 || a.Body != "" || etag == "" {
			t.Errorf("%s: %d with %s", path, a.Status, etag)
		}
		bea.Do("POST", "/world/calendars", `{"name": "Bea's own"}`).Want(201)
		again().Want(304)
		if a := ann.With("If-None-Match", etag).Do("GET", path+"?radius=500"); a.Status != 200 {
			t.Errorf("%s: another question is answered with %d", path, a.Status)
		}
		bea.SendMessage("ann", "Hello")
		a := again().Want(200)
		if !strings.Contains(a.Body, "Hello") {
			t.Errorf("%s does not say what was written", path)
		}
		etag = a.Header.Get("ETag")
	}
	// Who says that they are there is there for a time, and an event ends.
	bea.Do("POST", "/world/social/presence", `{"state": "online", "visible_to": "members", "ttl_seconds": 60}`).Want(200)
	ann.Do("POST", "/world/social/events", `{"title": "Tea", "start": "2026-11-21T08:30:00", "end": "2026-11-21T09:01:00", "timezone": "UTC"}`).Want(201)
	etags := make(map[string]string)
	for _, path := range []string{apptest.SessionPath, "/world/translated"} {
		etags[path] = ann.Do("GET", path).Want(200).Header.Get("ETag")
		ann.With("If-None-Match", etags[path]).Do("GET", path).Want(304)
	}
	h.Clock.Advance(61 * 1e9)
	for path, etag := range etags {
		ann.With("If-None-Match", etag).Do("GET", path).Want(200)
	}
}

// A service that fails or is switched off leaves the rest of a session whole.
// Covers W-54 and E-06 as far as sessions go.
func TestSessionWithoutAService(t *testing.T) {
	for service, table := range map[string]string{
		"social": "social_presence", "messages": "messages_thread", "surface": "surface_stack", "identity": "social_block",
	} {
		t.Run(service, func(t *testing.T) {
			h := apptest.New(t, apptest.WithServiceKey)
			ann := h.Member("ann")
			h.Member("bea").SendMessage("ann", "Hello")
			ann.Session()
			good := ann.Session()
			h.Exec("ALTER TABLE " + table + " RENAME TO lost")
			h.InvalidateAll()
			bad := ann.Runtime().Do("GET", apptest.SessionPath).Want(200)
			bad.WantSchema("service.home.runtime", bad.At(""))
			degraded := 1.0
			if service == "identity" { // nobody knows whom one may meet
				degraded = 3
				if n := len(apptest.At(bad.Service("identity"), "members").([]any)); n > 0 {
					t.Errorf("%d members are met", n)
				}
			}
			if bad.At("status.degraded") != degraded || bad.At("status.total") != 8.0 {
				t.Errorf("status %v", bad.At("status"))
			}
			if service != "surface" {
				if s := bad.Service(service); apptest.At(s, "status") != "degraded" || apptest.At(s, "message") == "" {
					t.Errorf("%v", s)
				}
			}
			if got := h.Unauthenticated().Do("GET", "/ready/"+service).Want(200).Body; got != service+" degraded\n" {
				t.Errorf("%s says %q", service, got)
			}
			h.Exec("ALTER TABLE lost RENAME TO " + table)
			again := ann.Runtime().With("If-None-Match", bad.Header.Get("ETag")).Do("GET", apptest.SessionPath).Want(200)
			if again.Body != good.Body {
				t.Error("it has not recovered")
			}
		})
	}
	for _, service := range []string{"social", "messages", "surface", "time"} {
		h := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{service} })
		ann := h.Member("ann").Runtime()
		a := ann.Do("GET", apptest.SessionPath).Want(200)
		a.WantSchema("service.home.runtime", a.At(""))
		if a.At("status.unavailable") != 3.0 || slices.Contains(a.List("capabilities.provided"), any(service)) {
			t.Errorf("without %s: %v, %v", service, a.At("status"), a.At("capabilities.provided"))
		}
		if service == "surface" {
			if slices.Contains(a.List("capabilities.provided"), any("surface_runtime")) {
				t.Error("surfaces are provided")
			}
			ann.Do("GET", "/world/panels/find").Want(200)
			for _, item := range a.List("shell.dock.items") {
				ann.Do(apptest.At(item, "action.method").(string), apptest.At(item, "action.url").(string)).Want(200)
			}
		} else if s := a.Service(service); apptest.At(s, "status") != "unavailable" || len(apptest.At(s, "actions").([]any)) > 0 {
			t.Errorf("%v", s)
		}
		ann.Do("GET", "/world/translated").Want(200)
	}
}

// The harness gets the dataset under its own name, of where and what it says.
// Covers W-142, W-143, X-01, B-06, W-26, W-47, W-11 and W-12.
func TestHarness(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann").Runtime()
	ann.CreateEntries()
	real := ann.Do("GET", "/world/runtime").Want(200)
	for _, body := range []string{"", "{}", `{"profile": null, "context": {}, "colour": "red"}`} {
		a := ann.Do("POST", apptest.SessionPath, body).Want(200)
		a.WantSchema("service.runtime.dataset", a.At(""))
		if want := strings.Replace(real.Body, "service.runtime.dataset", "service.world.dataset", 1); a.Body != want || real.Body == want {
			t.Errorf("%q is answered with\n%s", body, a.Body)
		}
		if a.Header.Get("ETag") != "" || !strings.Contains(a.Header.Get("Cache-Control"), "no-store") {
			t.Errorf("it is kept: %v", a.Header)
		}
	}
	const full = `{"profile": {"runtime": "harness", "capabilities": ["objects"]},
		"context": {"location": {"latitude": 52.5, "longitude": 13.4}, "radius": 700, "categories": ["food", "moon"]}}`
	form := apptest.Form("profile[runtime]=harness&profile[capabilities][]=objects&context[location][latitude]=52.5&context[location][longitude]=13.4" +
		"&context[radius]=700&context[categories][]=food&context[categories][]=moon")
	for _, body := range []any{full, form} {
		a := ann.Do("POST", apptest.SessionPath, body).Want(200)
		got := fmt.Sprint(a.At("capabilities.runtime.id"), a.At("capabilities.declared"), a.At("field.origin"), a.At("field.radius_meters"), a.At("field.controls.0.summary"))
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
		a := ann.Do("POST", apptest.SessionPath, body)
		if got := fmt.Sprint(a.Status, " ", a.Str("error.code"), " ", a.Str("error.fields.0.name")); got != refusal || len(a.Body) > 1000 {
			t.Errorf("%.80s is answered with %s in %d bytes, want %s", body, got, len(a.Body), refusal)
		}
	}
	ann.Do("POST", apptest.SessionPath, `{`).WantError(400, "malformed_body")
	ann.With("Content-Type", "text/xml").Do("POST", apptest.SessionPath, "<x/>").WantError(415, "unsupported_media_type")
}

// Nobody sees of a session what is another's. Covers W-17, W-22 and PT-07 as
// far as these answers go.
func TestSessionsAreApart(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey, apptest.Unlimited)
	ann, bea, cem := h.Member("ann"), h.Member("bea"), h.Member("cem")
	bea.SendMessage("ann", "Hello")
	ann.Session()
	see := func() string {
		return ann.Session().Body + ann.Runtime().Do("GET", "/world/translated").Want(200).Body + ann.Do("GET", "/world/panels/find").Want(200).Body +
			ann.Do("GET", "/world/panels/messages").Want(200).Body
	}
	before := see()
	bea.CreateEntries()
	bea.SendMessage("cem", "A secret")
	bea.ReplaceOverlay(apptest.Finding("1"))
	bea.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).Want(200)
	bea.Do("POST", apptest.StacksPath+"carry_primary/reorder", `{"surface_order": ["surface_messages"]}`).Want(200)
	bea.CreateCommunity(`{"name": "Club"}`, cem)
	if after := see(); after != before {
		t.Errorf("what Bea did shows in Ann's\n%s\n%s", before, after)
	}
	if a := bea.Session(); strings.Count(a.Body, "A secret") != 1 || !strings.Contains(a.Body, `"finding"`) {
		t.Errorf("Bea does not see it herself: %s", a.Body)
	}
}

// Looking at a session reads nothing. Covers B-50 as far as these answers go.
func TestLookingAtASessionReadsNothing(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	h.Member("bea").SendMessage("ann", "Hello")
	for range 2 {
		a := ann.Session()
		if got := apptest.At(a.Service("messages"), "objects.threads.0.unread_count"); got != 1.0 {
			t.Errorf("%v is unread", got)
		}
		ann.Runtime().Do("GET", "/world/translated?thread="+apptest.At(a.Service("messages"), "objects.threads.0.id").(string)).Want(200)
	}
}

// More than a session lists is told of.
func TestSessionOfMany(t *testing.T) {
	svctest.Long(t)
	h := apptest.New(t, apptest.Unlimited)
	ann := h.Member("ann")
	for i := range svc.MaxLimit {
		h.Member(fmt.Sprint("m", i)).SendMessage("ann", "Hello")
	}
	a := ann.Session()
	if n := len(apptest.At(a.Service("messages"), "objects.threads").([]any)); n != svc.MaxLimit || apptest.At(a.Service("messages"), "message") != "" {
		t.Errorf("%d threads: %v", n, apptest.At(a.Service("messages"), "message"))
	}
	s := a.Service("identity")
	if n := len(apptest.At(s, "members").([]any)); n != svc.MaxLimit || apptest.At(s, "message") == "" || apptest.At(s, "status") != "ready" {
		t.Errorf("%d members: %v", n, apptest.At(s, "message"))
	}
}

// What was found is no part of the field, and the field no part of what is
// found. Covers W-99 and W-152 as far as there is a field.
func TestFindingChangesNoField(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	field := func() string { return fmt.Sprint(ann.Session("?lat=38.7&lon=-9.1&radius=500").At("field_runtime")) }
	before := field()
	ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	if after := field(); after != before {
		t.Errorf("the field was %s and is %s", before, after)
	}
	panel := ann.Do("GET", "/world/panels/find?lat=38.7&lon=-9.1&radius=500").Want(200)
	if panel.Body != ann.Do("GET", "/world/panels/find").Body {
		t.Error("the field shows in the panel of Find")
	}
}
