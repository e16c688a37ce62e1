package find

import (
	"fmt"
	"testing"
	"time"

	"appliance/app/apptest"
)

// Covers B-46, F-33 and W-129.
func TestPanelShowsHistoryAndProviders(t *testing.T) {
	s, ann, places, _ := server(t)
	bea := s.Member("bea")
	empty := bea.Do("GET", "/world/panels/find").Want(200)
	ann.Find(nearby, "ok")
	s.Clock.Advance(time.Minute)
	places.Answer(500, "")
	ann.Find(`{"query": "x", "scope": "everywhere"}`, "ok")
	a := ann.Do("GET", "/world/panels/find").Want(200)
	a.WantSchema("service.find.panel", a.At(""))
	a.WantValues("", map[string]any{
		"composer.query": "x", "composer.scope": "everywhere", "composer.action.url": "/world/find/query",
		"composer.scopes": "[map[available:true label:Nearby value:nearby] map[available:true label:Everywhere value:everywhere]]",
		"actions":         "map[clear_history:/world/find/history/clear find:/world/find/query]",
	})
	if got, want := a.Titles("Recent"), "x, tea"; got != want {
		t.Errorf("recent: got %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(apptest.Values(a.List("sections.1.items"), "summary")), "[No region has been imported. The place search failed with status 500. Ready]"; got != want {
		t.Errorf("providers: got %s, want %s", got, want)
	}
	if got := bea.Do("GET", "/world/panels/find").Want(200).Body; got == empty.Body {
		t.Error("another member: got the state of the place search unchanged, want its failure")
	} else if got := bea.Do("GET", "/world/panels/find").Titles("Recent"); got != "" {
		t.Errorf("another member: got the searches %s, want none", got)
	}

	// Each entry repeats its search.
	places.Answer(200, apptest.FoundPlaces(tea))
	repeat := a.At("sections.0.items.1.actions.0")
	again := ann.Do("POST", apptest.At(repeat, "url").(string), apptest.At(repeat, "body")).Want(200)
	again.WantValues("", map[string]any{"status": "ok", "applied.scope": "nearby", "applied.origin.latitude": 38.7})

	bea.Find(everywhere, "ok")
	ann.Do("POST", "/world/find/history/clear", `{}`).Want(200)
	cleared := ann.Do("GET", "/world/panels/find").Want(200)
	if got := cleared.Titles("Recent"); got != "" || len(cleared.List("findings")) == 0 {
		t.Errorf("after deleting the searches: got %s and %d findings, want only the findings", got, len(cleared.List("findings")))
	}
	if got := bea.Do("GET", "/world/panels/find").Titles("Recent"); got != "tea" {
		t.Errorf("another member: got %s, want tea", got)
	}
}
