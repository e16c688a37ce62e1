package world

import (
	"net/http"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/world/action"
)

// addPublished adds the requests that a JSON value publishes, as "METHOD URL". key is
// the key of the value.
func addPublished(key string, v any, requests map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		method, _ := v["method"].(string)
		url, _ := v["url"].(string)
		if method != "" && url != "" {
			requests[method+" "+url] = true
		}
		for k, child := range v {
			address, isText := child.(string)
			switch {
			case !isText || !strings.HasPrefix(address, "/world/") || k == "url" && method != "":
				addPublished(k, child, requests)
			case key == "commands":
				requests["POST "+address] = true
			case k == "options_url" && v["options_method"] == "POST":
				requests["POST "+address] = true
			case k == "url", k == "options_url", k == "content_source", key == "page", k == "action", key == "links", key == "navigation", strings.HasPrefix(k, "open"):
				requests["GET "+address] = true
			case key == "actions":
				requests["POST "+address] = true
			}
		}
	case []any:
		for _, child := range v {
			addPublished(key, child, requests)
		}
	}
}

// Covers W-01, W-03, W-07, W-78, W-81, W-115, W-123 and PT-02, for members with
// many records and for a new member.
func TestEveryPublishedURLHasARouteAndLinksCanBeRead(t *testing.T) {
	s := apptest.NewSocialFixture(t)
	eve := s.Member("eve")
	s.Ann.CreateEntries()
	s.Bea.SendMessage("ann", "Hello")
	s.Ann.ReplaceOverlay(apptest.Finding("1"), apptest.Finding("2"))
	op := s.Member("op")
	op.Do("POST", "/world/operator/invitations").Want(201)
	for _, c := range []*apptest.Client{s.Ann.AsRuntime(), s.Cem.AsRuntime(), eve.AsRuntime(), op.AsRuntime()} {
		followed := 0
		paths := []string{
			"/world/runtime", apptest.SessionPath + "?lat=52.5&lon=13.4", "/world/translated", "/world/panels/find", "/world/panels/social", "/world/panels/time",
			"/world/panels/messages", "/world/panels/messages/rail", "/world/panels/today",
		}
		for _, view := range c.Do("GET", action.SettingsPanelURL).Want(200).List("nav") {
			paths = append(paths, apptest.At(view, "action").(string))
		}
		if c.Name == "op" {
			for _, view := range []string{"overview", "members", "members&member=1", "invitations", "backups", "services", "regions", "providers", "audit"} {
				paths = append(paths, operatorPanel+"?view="+view)
			}
		}
		for _, path := range paths {
			a := c.Do("GET", path).Want(200)
			if strings.Contains(a.Body, s.HTTP.URL) {
				t.Errorf("%s: the response contains %s, want paths only", a.About, s.HTTP.URL)
			}
			apptest.CheckPaths(t, "", a.At(""))
			requests := make(map[string]bool)
			addPublished("", a.At(""), requests)
			if path != "/world/panels/find" && len(requests) == 0 {
				t.Errorf("%s: got no URLs, want some", a.About)
			}
			for request := range requests {
				method, url, _ := strings.Cut(request, " ")
				r, err := http.NewRequest(method, strings.NewReplacer("{", "", "}", "").Replace(url), nil)
				if err != nil {
					t.Fatal(err)
				}
				if !s.App.HTTP.HasRoute(r) {
					t.Errorf("%s: got the request %s without a route, want one", a.About, request)
				}
				if url == action.StreamURL { // its response has no end
					c.OpenStream("").Close()
					continue
				}
				if method == "GET" {
					c.Do("GET", url).Want(200)
					followed++
				}
			}
		}
		if followed < 50 {
			t.Errorf("%s: got %d links, want at least 50", c.Name, followed)
		}
		for _, item := range c.Session().List("shell.dock.items") {
			c.Do(apptest.At(item, "action.method").(string), apptest.At(item, "action.url").(string), apptest.At(item, "action.body")).Want(200)
		}
	}
}
