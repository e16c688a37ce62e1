package world

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// published are the requests that an answer offers, as "METHOD url", each with
// its body.
func published(key string, v any, found map[string]any) {
	switch v := v.(type) {
	case map[string]any:
		method, _ := v["method"].(string)
		url, _ := v["url"].(string)
		if method != "" && url != "" {
			found[method+" "+url] = v["body"]
		}
		for k, child := range v {
			address, isText := child.(string)
			switch {
			case !isText || !strings.HasPrefix(address, "/world/") || k == "url" && method != "":
				published(k, child, found)
			case key == "commands":
				found["POST "+address] = nil
			case k == "url", k == "content_source", k == "action", key == "links", key == "navigation", strings.HasPrefix(k, "open"):
				found["GET "+address] = nil
			case key == "actions":
				found["POST "+address] = nil
			}
		}
	case []any:
		for _, child := range v {
			published(key, child, found)
		}
	}
}

// Whatever is published leads somewhere, with its method, for members who have
// much and for those who have nothing: what is to be read can be read.
// Covers W-01, W-03, W-07, W-78, W-81, W-115, W-123 and PT-02.
func TestEverythingPublishedIsThere(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	eve := s.Member("eve")
	s.Ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	s.Ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	for _, c := range []*apptest.Client{s.Ann, s.Cem, eve} {
		c = c.Runtime()
		followed := 0
		for _, path := range []string{
			"/world/runtime", apptest.SessionPath + "?lat=52.5&lon=13.4", "/world/translated", "/world/panels/find", "/world/panels/social", "/world/panels/time",
			"/world/panels/messages", "/world/panels/messages/rail",
		} {
			a := c.Do("GET", path).Want(200)
			if strings.Contains(a.Body, s.HTTP.URL) {
				t.Errorf("%s says where the server is", a.About)
			}
			apptest.CheckPaths(t, "", a.At(""))
			found := make(map[string]any)
			published("", a.At(""), found)
			if path != "/world/panels/find" && len(found) == 0 {
				t.Errorf("%s publishes nothing", path)
			}
			for request := range found {
				method, url, _ := strings.Cut(request, " ")
				r, err := http.NewRequest(method, strings.NewReplacer("{", "", "}", "").Replace(url), nil)
				if err != nil {
					t.Fatal(err)
				}
				if !s.App.HTTP.HasRoute(r) {
					t.Errorf("%s publishes %s, which is not there", path, request)
				}
				if method == "GET" {
					c.Do("GET", url).Want(200)
					followed++
				}
			}
		}
		if followed < 50 {
			t.Errorf("%s followed %d links", c.Name, followed)
		}
		for _, item := range c.Session().List("shell.dock.items") {
			c.Do(apptest.At(item, "action.method").(string), apptest.At(item, "action.url").(string), apptest.At(item, "action.body")).Want(200)
		}
	}
}

// The dock turns to a surface wherever its member has put it. Covers W-81 and
// PT-02 for members who have arranged things.
func TestDockFollowsWhatIsMoved(t *testing.T) {
	h := apptest.New(t, apptest.WithServiceKey)
	ann := h.Member("ann")
	ann.Do("POST", apptest.SurfacesPath+"surface_messages/placement", `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`).Want(200)
	for _, item := range ann.Session().List("shell.dock.items") {
		a := ann.Runtime().Do(apptest.At(item, "action.method").(string), apptest.At(item, "action.url").(string), apptest.At(item, "action.body")).Want(200)
		if apptest.At(item, "id") == "messages" && a.Stacks("surface_runtime.stacks") != ann.SurfaceRuntime().Stacks("stacks") {
			t.Errorf("it leads to\n%s", a.Stacks("surface_runtime.stacks"))
		}
	}
	if got := ann.SurfaceRuntime().Stacks("stacks"); !strings.Contains(got, "left_context: profile* messages") || !strings.Contains(got, "carry_primary: social calendar*") {
		t.Errorf("turned to\n%s", got)
	}
}

// The directory shows of addresses what the settings say. Covers X-26 and B-11.
func TestAddressesInASession(t *testing.T) {
	for setting, want := range map[string]string{"full": "ann@example.org", "masked": "a…@example.org", "hidden": ""} {
		h := apptest.New(t, func(s *config.Settings) { s.DirectoryEmail = setting })
		a := h.Member("ann").Session()
		if got := apptest.At(a.Service("identity"), "members.0.email"); got != want {
			t.Errorf("%s: %v", setting, got)
		}
	}
}

// documented returns v without what its schema does not name.
func documented(v, schema any, root map[string]any) any {
	if ref, ok := apptest.At(schema, "$ref").(string); ok {
		schema = root["$defs"].(map[string]any)[apptest.LastSegment(ref)]
	}
	if either, ok := apptest.At(schema, "anyOf").([]any); ok && v != nil {
		return documented(v, either[0], root)
	}
	switch v := v.(type) {
	case map[string]any:
		properties, ok := apptest.At(schema, "properties").(map[string]any)
		if !ok {
			return v // an object of anything
		}
		kept := make(map[string]any)
		for key, child := range v {
			if of, named := properties[key]; named {
				kept[key] = documented(child, of, root)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(v))
		for i := range v {
			kept[i] = documented(v[i], apptest.At(schema, "items"), root)
		}
		return kept
	}
	return v
}

// What no schema names could as well not be there. Covers W-153.
func TestWhatIsNotNamedIsNotNeeded(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	s.Ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	s.Ann.ReplaceOverlay(apptest.Finding("1"))
	ann, stripped := s.Ann.Runtime(), 0
	for path, contract := range map[string]string{
		"/world/runtime": "service.runtime.dataset", apptest.SessionPath: "service.home.runtime", "/world/translated": "service.home.runtime.translated",
		"/world/panels/find": "service.world.panel", "/world/panels/messages": "service.world.panel", "/world/panels/time": "service.world.panel",
		"/world/panels/social": "service.world.panel",
	} {
		a := ann.Do("GET", path).Want(200)
		version := map[bool]string{true: "2", false: "1"}[strings.HasPrefix(contract, "service.home")]
		schema := ann.Do("GET", "/world/schemas/"+contract+"/"+version).Want(200).At("").(map[string]any)
		kept := documented(a.At(""), schema, schema)
		a.WantSchema(contract, kept)
		if len(fmt.Sprint(kept)) < len(fmt.Sprint(a.At(""))) {
			stripped++
		}
	}
	if stripped < 3 { // the panels say more than panels do
		t.Errorf("something was left out of %d answers", stripped)
	}
}
