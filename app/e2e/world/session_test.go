package world

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/svc"
	"appliance/svc/svctest"
)

// Covers W-60, W-61, W-62, W-63, W-65, W-73, W-74, W-77, W-79 and B-27.
func TestSessionHasAllFields(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	a := ann.Session()
	keys := slices.Sorted(maps.Keys(a.At("").(map[string]any)))
	if got, want := strings.Join(keys, " "), "capabilities contract field_runtime runtime_session service services shell status surface_runtime"; got != want {
		t.Errorf("keys: got %s, want %s", got, want)
	}
	a.WantValues("", map[string]any{
		"service": "world", "contract.name": "service.home.runtime", "contract.version": 2, "field_runtime.radius_meters": 1000,
		"runtime_session.user_id": ann.Do("GET", "/world/identity/me").At("member.id"), "runtime_session.persistence_authority": "world",
		"status.total": 8, "status.ready": 7, "status.degraded": 0, "status.unavailable": 1,
		"capabilities.requested": "[]", "capabilities.provided": "[surface_runtime field_runtime shell panels messages time social]",
		"shell.primitives": "[dock workspace field]",
	})
	messages := a.Service("messages")
	if apptest.At(messages, "compatibility") != true || apptest.At(messages, "compatibility_scope") != "legacy_runtime_panel" {
		t.Errorf("messages: got %v, want compatibility with the scope legacy_runtime_panel", messages)
	}
}

// Covers W-75, W-76, W-77 and W-78.
func TestServicesOfTheSessionHaveAFixedOrder(t *testing.T) {
	s := apptest.New(t)
	a := s.Member("ann").Session()
	var got []string
	for _, entry := range a.List("services") {
		id := apptest.At(entry, "id")
		got = append(got, fmt.Sprint(id, " ", apptest.At(entry, "presentation.workspace"), " ", apptest.At(entry, "entry_surface_id"), " ", apptest.At(entry, "content_source"), " ", apptest.At(entry, "status")))
		if apptest.At(entry, "label") == "" || apptest.At(entry, "icon") == "" {
			t.Errorf("%v: got the label %q and the icon %q, want both", id, apptest.At(entry, "label"), apptest.At(entry, "icon"))
		}
		if surface, ok := apptest.At(entry, "entry_surface_id").(string); ok && a.Surface("surface_runtime.surfaces", surface) == nil {
			t.Errorf("%v: got the entry surface %s, want one that exists", id, surface)
		}
		if _, ok := apptest.At(entry, "objects").(map[string]any); !ok {
			t.Errorf("%v: got the objects %v, want an object", id, apptest.At(entry, "objects"))
		}
		if status, message := apptest.At(entry, "status"), apptest.At(entry, "message"); (status == "ready") != (message == "") {
			t.Errorf("%v: got the status %v with the message %q, want a message exactly if it is not ready", id, status, message)
		}
	}
	want := []string{
		"identity carry surface_profile /world/identity/me ready", "social carry surface_social /world/panels/social ready",
		"time carry surface_calendar /world/panels/time ready", "messages carry surface_messages /world/panels/messages ready",
		"maps field <nil> /world/session ready", "find find <nil> /world/panels/find unavailable",
		"settings carry <nil> /world/panels/settings ready",
	}
	if !slices.Equal(got, want) {
		t.Errorf("services: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Covers W-80 and W-81.
func TestDockHasAnItemForEachService(t *testing.T) {
	s := apptest.New(t)
	var dock []string
	for _, item := range s.Member("ann").Session().List("shell.dock.items") {
		dock = append(dock, fmt.Sprint(apptest.At(item, "id"), " ", apptest.At(item, "essential"), " ", apptest.At(item, "action.method")))
		if apptest.At(item, "label") == "" || apptest.At(item, "icon") == "" {
			t.Errorf("%v: got the label %q and the icon %q, want both", apptest.At(item, "id"), apptest.At(item, "label"), apptest.At(item, "icon"))
		}
	}
	if got, want := strings.Join(dock, ", "), "find true GET, social true POST, time true POST, messages true POST, field false GET, profile false POST"; got != want {
		t.Errorf("dock: got %s, want %s", got, want)
	}
}

// Covers W-81 and PT-02 for surfaces that the member moved to another stack.
func TestDockFocusesMovedSurfaces(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	ann.Do("POST", apptest.SurfacesPath+"surface_messages/placement", `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`).Want(200)
	for _, item := range ann.Session().List("shell.dock.items") {
		a := ann.AsRuntime().Do(apptest.At(item, "action.method").(string), apptest.At(item, "action.url").(string), apptest.At(item, "action.body")).Want(200)
		if apptest.At(item, "id") != "messages" {
			continue
		}
		if got, want := a.Stacks("surface_runtime.stacks"), ann.SurfaceRuntime().Stacks("stacks"); got != want {
			t.Errorf("the item messages: got the stacks\n%s\nwant\n%s", got, want)
		}
	}
	got := ann.SurfaceRuntime().Stacks("stacks")
	for _, want := range []string{"left_context: profile* messages", "carry_primary: social calendar*"} {
		if !strings.Contains(got, want) {
			t.Errorf("stacks: got\n%s\nwant %s", got, want)
		}
	}
}

// Covers W-16, W-128, S-15 and S-20 for reads.
func TestReadingStoresTheDefaultSurfacesOnce(t *testing.T) {
	s := apptest.New(t, apptest.WithServiceKey)
	ann := s.Member("ann")
	if got := ann.Session().Stacks("surface_runtime.stacks"); got != apptest.DefaultStacks {
		t.Errorf("stacks of a new member: got\n%s\nwant\n%s", got, apptest.DefaultStacks)
	}
	wantStored := func(about string, want int) {
		t.Helper()
		if n := s.QueryInt("SELECT count(*) FROM surface_stack"); n != want {
			t.Errorf("after %s: got %d stored stacks, want %d", about, n, want)
		}
	}
	wantStored("a session", 4)
	s.Member("bea").AsRuntime().Do("GET", "/world/translated").Want(200)
	wantStored("the translated output of another member", 8)
	ann.Session()
	s.WantUnchanged("by reading", func() {
		ann.Session()
		ann.AsRuntime().Do("GET", "/world/translated").Want(200)
		ann.AsRuntime().Do("POST", apptest.SessionPath, `{}`).Want(200)
		for _, panel := range []string{"social", "time", "find", "messages", "messages/rail"} {
			ann.Do("GET", "/world/panels/"+panel).Want(200)
		}
	})
	ann.Do("POST", apptest.StacksPath+"carry_primary/focus", `{"surface_id": "surface_calendar"}`).Want(200)
	ann.Session().WantValues("surface_runtime.stacks.0", map[string]any{"focused_surface_id": "surface_calendar"})
}

// Covers W-70, W-71, W-72 and PT-42.
func TestSessionCountsTheRecordsOfEachMember(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Bea.SendMessage("ann", "Hello")
	s.Cem.Block(s.Ann).Want(201)
	hiddenMember := map[string]string{"ann": "cem", "cem": "ann"}
	for _, c := range []*apptest.Client{s.Ann, s.Bea, s.Cem, s.Dan, s.Member("eve")} {
		a := c.Session()
		for name, path := range map[string]string{
			"conversations": apptest.ConversationsPath + "?limit=200", "communities": "/world/social/communities?limit=200",
			"events": "/world/social/events?limit=200", "presence": "/world/social/presence",
		} {
			if got, want := apptest.At(a.Service("social"), "objects."+name), len(c.Do("GET", path).Want(200).List(name)); got != float64(want) {
				t.Errorf("%s: %s: got %v, want %d as listed", c.Name, name, got, want)
			}
		}
		threads := apptest.At(a.Service("messages"), "objects.threads").([]any)
		for _, thread := range threads {
			a.WantSchema("service.messages.thread", thread)
		}
		if want := c.Do("GET", "/world/messages").Want(200).List("threads"); fmt.Sprint(threads) != fmt.Sprint(want) {
			t.Errorf("%s: got the threads %v, want %v as listed", c.Name, threads, want)
		}
		members := apptest.Values(apptest.At(a.Service("identity"), "members").([]any), "username")
		if slices.Contains(members, hiddenMember[c.Name]) || !slices.Contains(members, c.Name) {
			t.Errorf("%s: got the members %v, want %s and not %q", c.Name, members, c.Name, hiddenMember[c.Name])
		}
	}
	before := apptest.At(s.Ann.Session().Service("social"), "objects.communities").(float64)
	s.Ann.CreateCommunity(`{"name": "More"}`)
	if after := apptest.At(s.Ann.Session().Service("social"), "objects.communities"); after != before+1 {
		t.Errorf("communities after one more: got %v, want %v", after, before+1)
	}
}

// Covers PT-46 for the directory in sessions.
func TestDirectoryHasActiveMembers(t *testing.T) {
	s := apptest.New(t)
	op, bea := s.Member("op"), s.Member("bea")
	want := func(about, wanted string) {
		t.Helper()
		members := apptest.At(op.Session().Service("identity"), "members").([]any)
		if got := fmt.Sprint(apptest.Values(members, "username")); got != wanted {
			t.Errorf("%s: got the members %s, want %s", about, got, wanted)
		}
	}
	members := apptest.At(op.Session().Service("identity"), "members").([]any)
	if got, want := apptest.JSON(members[1]), `{"avatar":null,"color":"pine","display_name":"Bea","email":"bea@example.org","id":2,"username":"bea"}`; got != want {
		t.Errorf("a member: got %s, want %s", got, want)
	}
	etag := op.AsRuntime().Do("GET", apptest.SessionPath).Header.Get("ETag")
	s.Member("cem")
	want("with a new member", "[op bea cem]")
	op.AsRuntime().With("If-None-Match", etag).Do("GET", apptest.SessionPath).Want(200)
	op.UpdateMember(bea.ID, map[string]any{"status": "disabled"}).Want(200)
	want("with a disabled member", "[op cem]")
}

// Covers X-26 and B-11.
func TestDirectoryShowsAddressesAsSet(t *testing.T) {
	for setting, want := range map[string]string{"full": "ann@example.org", "masked": "a…@example.org", "hidden": ""} {
		s := apptest.New(t, func(s *config.Settings) { s.DirectoryEmail = setting })
		a := s.Member("ann").Session()
		if got := apptest.At(a.Service("identity"), "members.0.email"); got != want {
			t.Errorf("%s: got %v, want %q", setting, got, want)
		}
	}
}

// Covers B-50 for sessions and the translated output.
func TestSessionsDoNotMoveReadCursors(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann")
	s.Member("bea").SendMessage("ann", "Hello")
	for range 2 {
		messages := ann.Session().Service("messages")
		if got := apptest.At(messages, "objects.threads.0.unread_count"); got != 1.0 {
			t.Errorf("unread messages: got %v, want 1", got)
		}
		ann.AsRuntime().Do("GET", "/world/translated?thread="+apptest.At(messages, "objects.threads.0.id").(string)).Want(200)
	}
}

func TestTruncatedDirectoryHasAMessage(t *testing.T) {
	svctest.Long(t)
	s := apptest.New(t, apptest.Unlimited)
	ann := s.Member("ann")
	for i := range svc.MaxLimit {
		s.Member(fmt.Sprint("m", i)).SendMessage("ann", "Hello")
	}
	a := ann.Session()
	messages, identity := a.Service("messages"), a.Service("identity")
	if n := len(apptest.At(messages, "objects.threads").([]any)); n != svc.MaxLimit || apptest.At(messages, "message") != "" {
		t.Errorf("got %d threads with the message %q, want %d without a message", n, apptest.At(messages, "message"), svc.MaxLimit)
	}
	if n := len(apptest.At(identity, "members").([]any)); n != svc.MaxLimit || apptest.At(identity, "message") == "" || apptest.At(identity, "status") != "ready" {
		t.Errorf("got %d members with the message %q and the status %v, want %d with a message, ready", n, apptest.At(identity, "message"), apptest.At(identity, "status"), svc.MaxLimit)
	}
}

// Covers W-142, W-143, X-01, B-06 and W-26.
func TestPostedSessionReturnsTheDatasetUnderTheHarnessContract(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	ann.CreateEntries()
	dataset := ann.Do("GET", "/world/runtime").Want(200).Body
	want := strings.Replace(dataset, "service.runtime.dataset", "service.world.dataset", 1)
	if want == dataset {
		t.Fatalf("the dataset does not name its contract: %s", dataset)
	}
	for _, body := range []string{"", "{}", `{"profile": null, "context": {}, "colour": "red"}`} {
		a := ann.Do("POST", apptest.SessionPath, body).Want(200)
		a.WantSchema("service.runtime.dataset", a.At(""))
		if a.Body != want {
			t.Errorf("%q: got\n%s\nwant\n%s", body, a.Body, want)
		}
		if etag, cache := a.Header.Get("ETag"), a.Header.Get("Cache-Control"); etag != "" || !strings.Contains(cache, "no-store") {
			t.Errorf("%q: got the ETag %q and Cache-Control %q, want no ETag and no-store", body, etag, cache)
		}
	}
	const full = `{"profile": {"runtime": "harness", "capabilities": ["objects"]},
		"context": {"location": {"latitude": 52.5, "longitude": 13.4}, "radius": 700, "categories": ["food", "moon"]}}`
	form := apptest.Form("profile[runtime]=harness&profile[capabilities][]=objects&context[location][latitude]=52.5&context[location][longitude]=13.4" +
		"&context[radius]=700&context[categories][]=food&context[categories][]=moon")
	for _, body := range []any{full, form} {
		ann.Do("POST", apptest.SessionPath, body).Want(200).WantValues("", map[string]any{
			"capabilities.runtime.id": "harness", "capabilities.declared": "[objects]", "field.origin": "map[latitude:52.5 longitude:13.4]",
			"field.radius_meters": 700, "field.controls.0.summary": "1 of 10",
		})
	}
}

// Covers W-11, W-12 and W-47 for POST /world/session.
func TestInvalidPostedSessionIsRejected(t *testing.T) {
	s := apptest.New(t)
	ann := s.Member("ann").AsRuntime()
	tooMany, err := json.Marshal(map[string]any{"profile": map[string]any{"capabilities": slices.Repeat([]string{"x"}, 2000)}})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]string{
		`{"context": {"location": {"latitude": 95, "longitude": 1}}}`:          "422 invalid_value context.location.latitude",
		`{"context": {"location": {"latitude": 5, "longitude": -181}}}`:        "422 invalid_value context.location.longitude",
		`{"context": {"location": {"latitude": 5}}}`:                           "400 field_required context.location.longitude",
		`{"context": {"location": {"latitude": "north", "longitude": 1}}}`:     "400 malformed_body context.location.latitude",
		`{"context": {"location": {"latitude": 1e999, "longitude": 1}}}`:       "400 malformed_body context.location.latitude",
		`{"context": {"location": "here"}}`:                                    "400 malformed_body context.location",
		`{"context": {"radius": 1.5}}`:                                         "400 malformed_body context.radius",
		`{"context": {"categories": "food"}}`:                                  "400 malformed_body context.categories",
		`{"profile": {"capabilities": ["` + strings.Repeat("x", 2000) + `"]}}`: "422 too_long profile.capabilities",
		string(tooMany): "422 too_long profile.capabilities",
		`{"profile": {"runtime": "` + strings.Repeat("x", 2000) + `"}}`: "422 too_long profile.runtime",
	} {
		a := ann.Do("POST", apptest.SessionPath, body)
		if got := fmt.Sprint(a.Status, " ", a.Str("error.code"), " ", a.Str("error.fields.0.name")); got != want {
			t.Errorf("%.80s: got %s, want %s", body, got, want)
		}
		if len(a.Body) > 1000 {
			t.Errorf("%.80s: got an error of %d bytes, want at most 1000", body, len(a.Body))
		}
	}
	ann.Do("POST", apptest.SessionPath, `{`).WantError(400, "malformed_body")
	ann.With("Content-Type", "text/xml").Do("POST", apptest.SessionPath, "<x/>").WantError(415, "unsupported_media_type")
}

// Covers B-106 for shell.server, and the action of the session.
func TestSessionDescribesTheServerAndSignsOut(t *testing.T) {
	s := apptest.New(t, func(c *config.Settings) { c.Registration, c.Timezone = "closed", "Europe/Lisbon" })
	ann := s.Member("ann").AsRuntime()
	a := ann.Session()
	a.WantValues("shell.server", map[string]any{"name": s.Settings.URL().Hostname(), "timezone": "Europe/Lisbon", "locale": "en", "registration": "closed"})
	if a.Str("shell.server.version") == "" {
		t.Error("got no version of the program")
	}
	actions := a.List("shell.actions")
	if len(actions) != 1 || apptest.At(actions[0], "type") != "member.sign_out" {
		t.Fatalf("got the actions %v, want that to sign out", actions)
	}
	ann.Do(apptest.At(actions[0], "method").(string), apptest.At(actions[0], "url").(string), apptest.At(actions[0], "body")).Want(200)
	ann.Do("GET", apptest.SessionPath).WantError(401, "unauthenticated")
}
