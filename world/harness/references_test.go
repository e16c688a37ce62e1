package harness

import "testing"

// consistentDataset is a dataset in which the targets of all references exist.
const consistentDataset = `{
	"objects": [{"world_object_id": "wo_a", "title": "A", "source": {"kind": "service"}, "actions": ["act_a"],
		"relationships": [{"type": "next", "target": {"world_object_id": "wo_b"}}]}, {"world_object_id": "wo_b"}],
	"contexts": [{"target": {"kind": "workspace"}, "action_ids": ["act_a"],
		"items": [{"target": {"kind": "object", "world_object_id": "wo_a"}, "action_ids": []}, {"target": {"kind": "finding", "finding_id": "f:1"}, "action_ids": []}]}],
	"actions": [{"action_id": "act_a", "target": {"kind": "none"}, "fallback": "fb_a"}],
	"findings": [{"finding_id": "f:1"}],
	"fallbacks": [{"fallback_id": "fb_a", "action_ids": ["act_a"], "scope": {"action_id": "act_a"}}],
	"workspace": {"working_set": ["wo_a"], "order": ["wo_a"], "focus": {"world_object_id": "wo_a"},
		"placement": {"wo_a": {"area": "carry"}}, "continuity": {"revision": 1, "updated_at": null, "resumed": false}}
}`

// Covers PT-03, W-33 and W-34.
func TestBrokenReferencesAreFound(t *testing.T) {
	wantProblems := func(about string, d value, want ...string) {
		t.Helper()
		var rec recorder
		rec.checkActionReferences(d)
		rec.checkTargets(d)
		rec.checkWorkspace(d)
		rec.wantProblems(t, about, want...)
	}
	wantProblems("a consistent dataset", parse(t, consistentDataset))
	for _, broken := range []struct {
		section string
		value   string
		want    []string
	}{
		{"actions", `[{"action_id": "act_a", "target": {"kind": "none"}, "fallback": "fb_b"}]`, []string{"actions[0].fallback"}},
		{"contexts", `[{"target": {"kind": "member"}}]`, []string{"contexts[0].target.kind"}},
		{"actions", `[{"action_id": "act_a", "target": {"kind": "object"}, "fallback": null}]`, []string{"actions[0].target.world_object_id"}},
		{"contexts", `[{"target": {"kind": "object", "world_object_id": "wo_c"}}]`, []string{"contexts[0].target.world_object_id"}},
		{"contexts", `[{"target": {"kind": "workspace"}, "items": [{"target": {"kind": "finding", "finding_id": "f:2"}}]}]`, []string{"items[0].target.finding_id"}},
		{"contexts", `[{"target": {"kind": "workspace"}, "action_ids": ["act_b"]}]`, []string{"contexts[0].action_ids[0]"}},
		{"fallbacks", `[{"fallback_id": "fb_a", "action_ids": ["act_b"], "scope": {"action_id": "act_c"}}]`, []string{"act_b", "act_c"}},
		{"workspace", `{"working_set": ["wo_a", "wo_a"], "order": ["wo_b"], "focus": {"world_object_id": null}, "placement": {"wo_c": {"area": "carry"}},
			"continuity": {"revision": 1, "updated_at": null, "resumed": false}}`, []string{"twice", "workspace.order[0]", "workspace.placement.wo_c"}},
	} {
		d := parse(t, consistentDataset)
		d.v.(map[string]any)[broken.section] = parse(t, broken.value).v
		wantProblems(broken.value, d, broken.want...)
	}
}

// Covers PT-05 and W-42.
func TestOnlyEmptySectionsHaveAFallback(t *testing.T) {
	section := func(name, state string) string {
		return `{"state": "` + state + `", "scope": {"kind": "section", "section": "` + name + `"}}`
	}
	full := `"objects": [1], "contexts": [1], "actions": [1], "field": {"objects": [1]}`
	for text, want := range map[string][]string{
		`{` + full + `, "findings": [], "fallbacks": [` + section("findings", "empty") + `]}`:                                            nil,
		`{` + full + `, "findings": [], "fallbacks": []}`:                                                                                {"findings: empty with 0"},
		`{` + full + `, "findings": [], "fallbacks": [` + section("findings", "empty") + `, ` + section("findings", "denied") + `]}`:     {"findings: empty with 2"},
		`{` + full + `, "findings": [1], "fallbacks": [` + section("findings", "empty") + `]}`:                                           {"findings: got 1 items"},
		`{` + full + `, "findings": [1], "fallbacks": [` + section("objects", "degraded") + `, ` + section("objects", "degraded") + `]}`: nil,
		`{` + full + `, "findings": [], "fallbacks": [` + section("findings", "degraded") + `]}`:                                         {"findings: empty with 0"},
	} {
		var rec recorder
		rec.checkSectionFallbacks(parse(t, text))
		rec.wantProblems(t, text, want...)
	}
}
