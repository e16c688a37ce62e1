package apptest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// rendererWords may stand in no key and no machine word of a dataset (B-78).
var rendererWords = regexp.MustCompile(`(?i)(^|[_\-./ ])(html|css|dom|panel|surface|stack|rail|dock|renderer|viewport|slot|marker|card|mesh)s?($|[_\-./ ])`)

var markup = regexp.MustCompile(`<[a-z!/]`)

// humanKeys are those whose values are for people.
var humanKeys = []string{"title", "summary", "label", "message", "description", "location", "display_name", "default", "calendar_name", "email", "username", "rrule", "uid", "body", "bio", "pronouns", "note"}

func CheckDataset(t *testing.T, a *Answer) {
	t.Helper()
	a.WantSchema("service.runtime.dataset", a.At(""))
	if a.Str("contract.name") != "service.runtime.dataset" || a.At("contract.version") != 1.0 {
		t.Errorf("contract %v", a.At("contract"))
	}
	top := a.At("").(map[string]any)
	for section, isList := range map[string]bool{
		"contract": false, "member": false, "capabilities": false, "workspace": false, "objects": true, "contexts": true,
		"actions": true, "field": false, "findings": true, "fallbacks": true, "sources": true,
	} {
		if _, ok := top[section].([]any); ok != isList || top[section] == nil {
			t.Errorf("section %s is %T", section, top[section])
		}
	}
	if len(top) != 11 {
		t.Errorf("%d sections", len(top))
	}
	walk(t, "", a.At(""))

	actions, objects, fallbacks := ids(t, a, "actions", "action_id"), ids(t, a, "objects", "world_object_id"), ids(t, a, "fallbacks", "fallback_id")
	refer := func(what string, list any, to map[string]bool) {
		for _, id := range list.([]any) {
			if !to[id.(string)] {
				t.Errorf("%s refers to %s, which is not there", what, id)
			}
		}
	}
	sources := make(map[string]bool)
	for _, o := range a.List("objects") {
		source := fmt.Sprint(At(o, "source"))
		if sources[source] {
			t.Errorf("two objects of the source %s", source)
		}
		sources[source] = true
		refer("an object", At(o, "actions"), actions)
		for _, r := range At(o, "relationships").([]any) {
			refer("a relationship", []any{At(r, "target.world_object_id")}, objects)
		}
		for name, allowed := range At(o, "permissions").(map[string]any) {
			if _, ok := allowed.(bool); !ok {
				t.Errorf("permission %s is %v", name, allowed)
			}
		}
	}
	checkWorkspace(t, a)
	findings := ids(t, a, "findings", "finding_id")
	there := func(what string, target any) {
		object, _ := At(target, "world_object_id").(string)
		finding, _ := At(target, "finding_id").(string)
		switch kind := At(target, "kind"); {
		case kind == "object" && !objects[object], kind == "finding" && !findings[finding],
			!slices.Contains([]any{"object", "finding", "workspace", "field", "member", "none"}, kind):
			t.Errorf("%s is about %v, which is not there", what, target)
		}
	}
	for _, f := range a.List("findings") {
		refer("a finding", At(f, "action_ids"), actions)
		if id, ok := At(f, "world_object_id").(string); ok && !objects[id] {
			t.Errorf("the finding %v has become %s, which is not there", At(f, "title"), id)
		}
	}
	for _, c := range a.List("contexts") {
		refer("a context", At(c, "action_ids"), actions)
		for _, item := range At(c, "items").([]any) {
			refer("an item", At(item, "action_ids"), actions)
			there("an item", At(item, "target"))
		}
		if kind := At(c, "target.kind"); !slices.Contains([]any{"object", "workspace", "field", "finding"}, kind) {
			t.Errorf("a context is about a %v", kind)
		}
	}
	for _, action := range a.List("actions") {
		if url := At(action, "command.url").(string); !strings.HasPrefix(url, "/world/") {
			t.Errorf("an action is sent to %s", url)
		}
		there("an action", At(action, "target"))
		if id, ok := At(action, "fallback").(string); ok && !fallbacks[id] {
			t.Errorf("an action falls back on %s, which is not there", id)
		}
	}
	checkFallbacks(t, a)
}

// checkWorkspace fails the test unless the workspace and its objects say the
// same of where they are and which of them has the member's attention (W-53).
func checkWorkspace(t *testing.T, a *Answer) {
	t.Helper()
	order, placement := a.List("workspace.order"), a.At("workspace.placement").(map[string]any)
	focus := a.At("workspace.focus.world_object_id")
	if fmt.Sprint(order) != fmt.Sprint(a.List("workspace.working_set")) || len(placement) != len(order) {
		t.Errorf("the workspace is %v", a.At("workspace"))
	}
	focused := 0
	for _, o := range a.List("objects") {
		id, at := At(o, "world_object_id"), At(o, "placement").(map[string]any)
		position := slices.Index(order, id)
		want := map[string]any{"area": "none", "position": nil}
		if position >= 0 {
			want = map[string]any{"area": "carry", "position": float64(position)}
			if fmt.Sprint(placement[id.(string)]) != fmt.Sprint(want) {
				t.Errorf("%v is at %v in the workspace", At(o, "title"), placement[id.(string)])
			}
		}
		if fmt.Sprint(at) != fmt.Sprint(want) {
			t.Errorf("%v is at %v, want %v", At(o, "title"), at, want)
		}
		if At(o, "focus.focused") != (id == focus) {
			t.Errorf("%v says of its focus %v", At(o, "title"), At(o, "focus"))
		}
		if id == focus {
			focused++
		}
	}
	if (focus != nil) != (focused == 1) {
		t.Errorf("%d objects have the focus %v", focused, focus)
	}
	ids := make(map[any]bool)
	for _, o := range a.List("objects") {
		ids[At(o, "world_object_id")] = true
	}
	for _, id := range order {
		if !ids[id] {
			t.Errorf("%v is in the workspace and is no object", id)
		}
	}
}

func checkFallbacks(t *testing.T, a *Answer) {
	t.Helper()
	explained := make(map[string]int)
	for _, f := range a.List("fallbacks") {
		if state := At(f, "state"); !slices.Contains([]any{"unavailable", "unsupported", "denied", "empty", "degraded"}, state) {
			t.Errorf("a fallback's state is %v", state)
		} else if section, ok := At(f, "scope.section").(string); ok && state != "degraded" {
			explained[section]++
		}
	}
	for _, section := range []string{"objects", "contexts", "actions", "findings", "field.objects", "workspace.order"} {
		want := 0
		if len(a.List(section)) == 0 {
			want = 1
		}
		if explained[strings.TrimSuffix(section, ".order")] != want {
			t.Errorf("section %s has %d items and %d fallbacks", section, len(a.List(section)), explained[section])
		}
	}
	for _, service := range []string{"maps", "find"} {
		if !strings.Contains(a.Body, `"scope":{"kind":"service","service":"`+service+`"}`) {
			t.Errorf("no word of the service %s, which is not there", service)
		}
	}
}

// walk looks at every key and value of a dataset.
func walk(t *testing.T, key string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		for k, child := range v {
			if rendererWords.MatchString(k) || k == "presentation" || k == "translator" || strings.Contains(k, "token") {
				t.Errorf("the key %s", k)
			}
			walk(t, k, child)
		}
	case []any:
		for _, child := range v {
			walk(t, key, child)
		}
	case string:
		if slices.Contains(humanKeys, key) {
			return
		}
		if rendererWords.MatchString(v) {
			t.Errorf("%s is %q, a word of screens", key, v)
		}
		if markup.MatchString(v) {
			t.Errorf("%s is %q: markup", key, v)
		}
		if key == "utc" || strings.HasSuffix(key, "_at") {
			if at, err := time.Parse(time.RFC3339, v); err != nil || at.Location() != time.UTC {
				t.Errorf("%s is %q, not RFC 3339 in UTC", key, v)
			}
		}
		if (strings.HasPrefix(v, "/") || strings.HasPrefix(v, "http")) && key != "url" && key != "source_url" {
			t.Errorf("%s is %q, an address", key, v)
		}
	}
}

func ids(t *testing.T, a *Answer, section, key string) map[string]bool {
	t.Helper()
	set := make(map[string]bool)
	for _, item := range a.List(section) {
		id := At(item, key).(string)
		if set[id] {
			t.Errorf("%s %s is there twice", key, id)
		}
		set[id] = true
	}
	return set
}
