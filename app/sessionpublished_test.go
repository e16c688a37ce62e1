package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

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
			case k == "update", k == "delete":
				found[map[string]string{"update": "PATCH ", "delete": "DELETE "}[k]+address] = nil
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
	s := newStreet(t)
	eve := s.member("eve")
	s.ann.settle()
	s.bea.tell("ann", "Hello")
	s.ann.finds(cafe("1"), cafe("2"))
	for _, c := range []*client{s.ann, s.cem, eve} {
		c = c.runtime()
		followed := 0
		for _, path := range []string{
			"/world/runtime", sessionPath + "?lat=52.5&lon=13.4", "/world/translated", "/world/panels/find", "/world/panels/social", "/world/panels/time",
			"/world/panels/messages", "/world/panels/messages/rail",
		} {
			a := c.do("GET", path).want(200)
			if strings.Contains(a.body, s.web.URL) {
				t.Errorf("%s says where the server is", a.about)
			}
			addresses(t, "", a.at(""))
			found := make(map[string]any)
			published("", a.at(""), found)
			if path != "/world/panels/find" && len(found) == 0 {
				t.Errorf("%s publishes nothing", path)
			}
			for request := range found {
				method, url, _ := strings.Cut(request, " ")
				r, err := http.NewRequest(method, strings.NewReplacer("{", "", "}", "").Replace(url), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, pattern := s.mux.Handler(r); pattern == "" {
					t.Errorf("%s publishes %s, which is not there", path, request)
				}
				if method == "GET" {
					c.do("GET", url).want(200)
					followed++
				}
			}
		}
		if followed < 50 {
			t.Errorf("%s followed %d links", c.name, followed)
		}
		for _, item := range c.session().list("shell.dock.items") {
			c.do(dig(item, "action.method").(string), dig(item, "action.url").(string), dig(item, "action.body")).want(200)
		}
	}
}

// The dock turns to a surface wherever its member has put it. Covers W-81 and
// PT-02 for members who have arranged things.
func TestDockFollowsWhatIsMoved(t *testing.T) {
	h := open(t, withKey)
	ann := h.member("ann")
	ann.do("POST", surfacesPath+"surface_messages/placement", `{"placement_mode": "docked", "placement": {"stack_id": "left_context"}}`).want(200)
	for _, item := range ann.session().list("shell.dock.items") {
		a := ann.runtime().do(dig(item, "action.method").(string), dig(item, "action.url").(string), dig(item, "action.body")).want(200)
		if dig(item, "id") == "messages" && a.stacks("surface_runtime.stacks") != ann.desktop().stacks("stacks") {
			t.Errorf("it leads to\n%s", a.stacks("surface_runtime.stacks"))
		}
	}
	if got := ann.desktop().stacks("stacks"); !strings.Contains(got, "left_context: profile* messages") || !strings.Contains(got, "carry_primary: social calendar*") {
		t.Errorf("turned to\n%s", got)
	}
}

// The directory shows of addresses what the settings say. Covers X-26 and B-11.
func TestAddressesInASession(t *testing.T) {
	for setting, want := range map[string]string{"full": "ann@example.org", "masked": "a…@example.org", "hidden": ""} {
		h := open(t, func(s *config.Settings) { s.DirectoryEmail = setting })
		a := h.member("ann").session()
		if got := dig(a.service("identity"), "members.0.email"); got != want {
			t.Errorf("%s: %v", setting, got)
		}
	}
}

// documented returns v without what its schema does not name.
func documented(v, schema any, root map[string]any) any {
	if ref, ok := dig(schema, "$ref").(string); ok {
		schema = root["$defs"].(map[string]any)[last(ref)]
	}
	if either, ok := dig(schema, "anyOf").([]any); ok && v != nil {
		return documented(v, either[0], root)
	}
	switch v := v.(type) {
	case map[string]any:
		properties, ok := dig(schema, "properties").(map[string]any)
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
			kept[i] = documented(v[i], dig(schema, "items"), root)
		}
		return kept
	}
	return v
}

// What no schema names could as well not be there. Covers W-153.
func TestWhatIsNotNamedIsNotNeeded(t *testing.T) {
	s := newStreet(t)
	s.ann.settle()
	s.bea.tell("ann", "Hello")
	s.ann.finds(cafe("1"))
	ann, stripped := s.ann.runtime(), 0
	for path, contract := range map[string]string{
		"/world/runtime": "service.runtime.dataset", sessionPath: "service.home.runtime", "/world/translated": "service.home.runtime.translated",
		"/world/panels/find": "service.world.panel", "/world/panels/messages": "service.world.panel", "/world/panels/time": "service.world.panel",
		"/world/panels/social": "service.world.panel",
	} {
		a := ann.do("GET", path).want(200)
		version := map[bool]string{true: "2", false: "1"}[strings.HasPrefix(contract, "service.home")]
		schema := ann.do("GET", "/world/schemas/"+contract+"/"+version).want(200).at("").(map[string]any)
		kept := documented(a.at(""), schema, schema)
		a.fits(contract, kept)
		if len(fmt.Sprint(kept)) < len(fmt.Sprint(a.at(""))) {
			stripped++
		}
	}
	if stripped < 3 { // the panels say more than panels do
		t.Errorf("something was left out of %d answers", stripped)
	}
}
