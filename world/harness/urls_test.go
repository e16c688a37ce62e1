package harness

import (
	"slices"
	"strings"
	"testing"
)

// Covers W-01 and W-07 for single URLs.
func TestWorldURLsArePathsBelowWorld(t *testing.T) {
	for address, want := range map[string]bool{
		"/world/messages": true, "/world/time/objects/tob_1?scope=this&recurrence_id=2026-12-01T09%3A00%3A00": true,
		"": false, "/": false, "/world": false, "/messages": false, "//elsewhere.org/world/": false, "https://elsewhere.org/world/x": false,
		"http:///world/x": false, "/world/../messages": false, "/world//x": false, "/world/%zz": false, "world/x": false, "/worlds/x": false, "/world/x#y": false,
	} {
		if got := isWorldURL(address); got != want {
			t.Errorf("%q: got %v, want %v", address, got, want)
		}
	}
}

//
func TestPublishedURLsHaveTheirMethods(t *testing.T) {
	doc := parse(t, `{
		"nav": [{"id": "a", "action": "/nav"}, {"id": "b"}],
		"sections": [{"items": [{"actions": [{"method": "DELETE", "url": "/item"}]}]}],
		"actions": {"open_thread": "/open", "send_message": "/send", "none": ""},
		"links": {"self": "/self"},
		"navigation": {"next": "/next", "previous": null},
		"commands": {"focus": "/focus", "template": "/x/{id}/focus"},
		"content_source": "/content",
		"surface": {"content_source": {"kind": "runtime_panel", "url": "/panel"}},
		"inline": {"content_source": {"kind": "inline", "url": "/inline"}},
		"controls": [{"options_url": "/options"}],
		"page": {"next_cursor": "c", "next": "/page", "previous_url": null},
		"attribution": {"url": "https://elsewhere.org"},
		"records": [{"command": {"url": "/command", "method": "POST"}}]
	}`)
	want := "/command POST, /content GET, /focus POST, /item DELETE, /nav GET, /next GET, /open GET, /options GET, /page GET, /panel GET, /self GET, /send POST"
	var urls []string
	for _, p := range publishedURLs(doc) {
		urls = append(urls, p.url.str()+" "+p.method)
	}
	slices.Sort(urls)
	if got := strings.Join(urls, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Covers B-95.
func TestSharedURLsOfAnActionsMapAreFound(t *testing.T) {
	doc := parse(t, `{"records": [
		{"actions": {"update": "/world/a", "delete": "/world/a"}}, {"actions": {"open": "/world/b", "update": "/world/b/update"}}, {"actions": ["act_1"]}
	]}`)
	if got := sharedURLs(doc); len(got) != 1 || got[0].str() != "/world/a" {
		t.Errorf("got %v, want /world/a once", got)
	}
}
