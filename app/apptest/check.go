package apptest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// rendererWords matches words of user interfaces. They are not allowed in keys
// and machine-readable values of a dataset (B-78).
var rendererWords = regexp.MustCompile(`(?i)(^|[_\-./ ])(html|css|dom|panel|surface|stack|rail|dock|renderer|viewport|slot|marker|card|mesh)s?($|[_\-./ ])`)

// rendererWordCache caches the results of hasRendererWord, because the datasets of a test have
// many values in common.
var rendererWordCache sync.Map // string to bool

func hasRendererWord(s string) bool {
	if found, ok := rendererWordCache.Load(s); ok {
		return found.(bool)
	}
	found := rendererWords.MatchString(s)
	rendererWordCache.Store(s, found)
	return found
}

var markup = regexp.MustCompile(`<[a-z!/]`)

// humanKeys are the keys whose values are texts for people.
var humanKeys = []string{"title", "summary", "label", "message", "description", "location", "display_name", "default", "calendar_name", "email", "username", "rrule", "uid", "body", "bio", "pronouns", "note"}

// CheckDataset fails the test unless the body is a consistent dataset: it matches
// its schema, references point to existing entries, empty sections have a
// fallback, and values are independent of a user interface.
func CheckDataset(t *testing.T, a *Answer) {
	t.Helper()
	a.WantSchema("service.runtime.dataset", a.At(""))
	if a.Str("contract.name") != "service.runtime.dataset" || a.At("contract.version") != 1.0 {
		t.Errorf("contract: got %v, want service.runtime.dataset 1", a.At("contract"))
	}
	top := a.At("").(map[string]any)
	for section, isList := range map[string]bool{
		"contract": false, "member": false, "capabilities": false, "workspace": false, "objects": true, "contexts": true,
		"actions": true, "field": false, "findings": true, "fallbacks": true, "sources": true,
	} {
		if _, ok := top[section].([]any); ok != isList || top[section] == nil {
			t.Errorf("section %s: got %T, want a list: %t", section, top[section], isList)
		}
	}
	if len(top) != 11 {
		t.Errorf("got %d sections, want 11", len(top))
	}
	checkValues(t, "", a.At(""))

	actions, objects, fallbacks := ids(t, a, "actions", "action_id"), ids(t, a, "objects", "world_object_id"), ids(t, a, "fallbacks", "fallback_id")
	wantExisting := func(from string, list any, existing map[string]bool) {
		for _, id := range list.([]any) {
			if !existing[id.(string)] {
				t.Errorf("%s: got the reference %s, want an existing id", from, id)
			}
		}
	}
	sources := make(map[string]bool)
	for _, o := range a.List("objects") {
		source := fmt.Sprint(At(o, "source"))
		if sources[source] {
			t.Errorf("source %s: got two objects, want one", source)
		}
		sources[source] = true
		wantExisting("an object", At(o, "actions"), actions)
		for _, r := range At(o, "relationships").([]any) {
			wantExisting("a relationship", []any{At(r, "target.world_object_id")}, objects)
		}
		for name, allowed := range At(o, "permissions").(map[string]any) {
			if _, ok := allowed.(bool); !ok {
				t.Errorf("permission %s: got %v, want a boolean", name, allowed)
			}
		}
	}
	checkWorkspace(t, a)
	findings := ids(t, a, "findings", "finding_id")
	wantTarget := func(from string, target any) {
		object, _ := At(target, "world_object_id").(string)
		finding, _ := At(target, "finding_id").(string)
		switch kind := At(target, "kind"); {
		case kind == "object" && !objects[object], kind == "finding" && !findings[finding],
			!slices.Contains([]any{"object", "finding", "workspace", "field", "member", "none"}, kind):
			t.Errorf("%s: got the target %v, want an existing one", from, target)
		}
	}
	for _, f := range a.List("findings") {
		wantExisting("a finding", At(f, "action_ids"), actions)
		if id, ok := At(f, "world_object_id").(string); ok && !objects[id] {
			t.Errorf("finding %v: got the object %s, want an existing one", At(f, "title"), id)
		}
	}
	for _, c := range a.List("contexts") {
		wantExisting("a context", At(c, "action_ids"), actions)
		for _, item := range At(c, "items").([]any) {
			wantExisting("an item", At(item, "action_ids"), actions)
			wantTarget("an item", At(item, "target"))
		}
		if kind := At(c, "target.kind"); !slices.Contains([]any{"object", "workspace", "field", "finding"}, kind) {
			t.Errorf("target of a context: got kind %v, want object, workspace, field or finding", kind)
		}
	}
	for _, action := range a.List("actions") {
		if url := At(action, "command.url").(string); !strings.HasPrefix(url, "/world/") {
			t.Errorf("URL of an action: got %s, want a path below /world/", url)
		}
		wantTarget("an action", At(action, "target"))
		if id, ok := At(action, "fallback").(string); ok && !fallbacks[id] {
			t.Errorf("an action: got the fallback %s, want an existing one", id)
		}
	}
	checkFallbacks(t, a)
}

// checkWorkspace fails the test unless the workspace and its objects agree on
// positions and focus (W-53).
func checkWorkspace(t *testing.T, a *Answer) {
	t.Helper()
	order, placement := a.List("workspace.order"), a.At("workspace.placement").(map[string]any)
	focus := a.At("workspace.focus.world_object_id")
	if fmt.Sprint(order) != fmt.Sprint(a.List("workspace.working_set")) || len(placement) != len(order) {
		t.Errorf("workspace: got %v, want the working set and the placements to match the order", a.At("workspace"))
	}
	focused := 0
	for _, o := range a.List("objects") {
		id, at := At(o, "world_object_id"), At(o, "placement").(map[string]any)
		position := slices.Index(order, id)
		want := map[string]any{"area": "none", "position": nil}
		if position >= 0 {
			want = map[string]any{"area": "carry", "position": float64(position)}
			if fmt.Sprint(placement[id.(string)]) != fmt.Sprint(want) {
				t.Errorf("placement of %v in the workspace: got %v, want %v", At(o, "title"), placement[id.(string)], want)
			}
		}
		if fmt.Sprint(at) != fmt.Sprint(want) {
			t.Errorf("placement of %v: got %v, want %v", At(o, "title"), at, want)
		}
		if At(o, "focus.focused") != (id == focus) {
			t.Errorf("focus of %v: got %v, want focused %t", At(o, "title"), At(o, "focus"), id == focus)
		}
		if id == focus {
			focused++
		}
	}
	if (focus != nil) != (focused == 1) {
		t.Errorf("got %d focused objects, want those of the focus %v", focused, focus)
	}
	ids := make(map[any]bool)
	for _, o := range a.List("objects") {
		ids[At(o, "world_object_id")] = true
	}
	for _, id := range order {
		if !ids[id] {
			t.Errorf("workspace: got %v, want only existing objects", id)
		}
	}
}

// checkFallbacks fails the test unless each empty section and each service that is not
// ready has a fallback.
func checkFallbacks(t *testing.T, a *Answer) {
	t.Helper()
	got := make(map[string]int)
	for _, f := range a.List("fallbacks") {
		if state := At(f, "state"); !slices.Contains([]any{"unavailable", "unsupported", "denied", "empty", "degraded"}, state) {
			t.Errorf("state of a fallback: got %v, want a published state", state)
		} else if section, ok := At(f, "scope.section").(string); ok && state != "degraded" {
			got[section]++
		}
	}
	for _, section := range []string{"objects", "contexts", "actions", "findings", "field.objects", "workspace.order"} {
		want := 0
		if len(a.List(section)) == 0 {
			want = 1
		}
		if n := got[strings.TrimSuffix(section, ".order")]; n != want {
			t.Errorf("section %s with %d items: got %d fallbacks, want %d", section, len(a.List(section)), n, want)
		}
	}
	for _, source := range a.List("sources") {
		service, status := At(source, "source_id").(string), At(source, "status")
		if explained := strings.Contains(a.Body, `"scope":{"kind":"service","service":"`+service+`"}`); status != "ready" && !explained {
			t.Errorf("service %s: got the status %v without a fallback", service, status)
		}
	}
}

// addressKeys are the keys of addresses; href is that of a resource of a provider.
var addressKeys = []string{"thumb_url", "url", "options_url", "source_url", "canonical_url", "href"}

// checkValues checks that the value v of key, and all values in it, contain no words
// of a user interface, tokens or markup, that URLs are only in addressKeys, and
// that times are in UTC. Values of humanKeys may contain anything.
func checkValues(t *testing.T, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			if hasRendererWord(k) || k == "presentation" || k == "translator" || strings.Contains(k, "token") {
				t.Errorf("got the key %s, want no word of a user interface", k)
			}
			checkValues(t, k, child)
		}
	case []any:
		for _, child := range v {
			checkValues(t, key, child)
		}
	case string:
		if slices.Contains(humanKeys, key) {
			return
		}
		if key == "revision" { // random
			return
		}
		if text, _, _ := strings.Cut(v, "since="); hasRendererWord(text) { // a revision follows
			t.Errorf("%s: got %q, want no word of a user interface", key, v)
		}
		if markup.MatchString(v) {
			t.Errorf("%s: got %q, want no markup", key, v)
		}
		if key == "utc" || strings.HasSuffix(key, "_at") {
			if at, err := time.Parse(time.RFC3339, v); err != nil || at.Location() != time.UTC {
				t.Errorf("%s: got %q, want RFC 3339 in UTC", key, v)
			}
		}
		if (strings.HasPrefix(v, "/") || strings.HasPrefix(v, "http")) && !slices.Contains(addressKeys, key) {
			t.Errorf("%s: got %q, want no URL", key, v)
		}
	}
}

// ids returns the ids in a section. Each must be unique.
func ids(t *testing.T, a *Answer, section, key string) map[string]bool {
	t.Helper()
	set := make(map[string]bool)
	for _, item := range a.List(section) {
		id := At(item, key).(string)
		if set[id] {
			t.Errorf("%s %s: got two, want one", key, id)
		}
		set[id] = true
	}
	return set
}
