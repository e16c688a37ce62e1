package harness

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// closedSets are fields with a closed set in the first examples of contracts.
var closedSets = []struct{ contract, path string }{
	{"service.social.community.1", "visibility"}, {"service.social.community.1", "join_policy"}, {"service.social.community.1", "membership.role"},
	{"service.social.community.1", "membership.state"}, {"service.social.community.1", "color"}, {"service.social.community_member.1", "role"},
	{"service.social.conversation.1", "context.kind"}, {"service.social.conversation.1", "state"}, {"service.social.event.1", "status"},
	{"service.social.event.1", "rsvp.mine"}, {"service.social.event.1", "visibility"}, {"service.social.notification.1", "kind"},
	{"service.social.activity.1", "kind"}, {"service.social.activity.1", "target.type"}, {"service.social.invitation.1", "kind"},
	{"service.social.invitation.1", "state"}, {"service.social.presence.1", "state"}, {"service.social.presence.1", "visible_to"},
	{"service.social.profile.1", "visibility"}, {"service.social.rsvp.1", "response"},
	{"service.surface.surface.1", "surface_type"}, {"service.surface.surface.1", "placement.mode"},
	{"service.find.result.1", "status"}, {"service.find.result.1", "applied.scope"}, {"service.find.finding.1", "object_type"},
	{"service.runtime.dataset.1", "actions.0.method"}, {"service.runtime.dataset.1", "actions.0.target.kind"},
	{"service.runtime.dataset.1", "actions.0.availability"}, {"service.runtime.dataset.1", "objects.0.placement.area"},
	{"service.runtime.dataset.1", "fallbacks.0.state"}, {"service.runtime.dataset.1", "fallbacks.0.scope.kind"},
	{"service.home.runtime.2", "services.0.presentation.workspace"}, {"service.home.runtime.2", "shell.server.registration"},
	{"service.error.1", "error.code"}, {"service.identity.member.1", "member.status"},
}

// A value outside of a closed set is found by the schema of its contract, and not without the
// enum in the schema.
func TestValuesOutsideOfClosedSetsAreFound(t *testing.T) {
	for _, set := range closedSets {
		text, err := os.ReadFile("../../assets/schema/" + set.contract + ".json")
		if err != nil {
			t.Fatal(err)
		}
		open := regexp.MustCompile(`"enum": \[[^\]]*\],?`).ReplaceAll(text, nil)
		example := exampleOf(t, text)
		for _, c := range []struct {
			value  string
			schema []byte
			want   bool
		}{{"", text, true}, {"nonsense", text, false}, {"nonsense", open, true}} {
			schema, err := compile(c.schema)
			if err != nil {
				t.Fatalf("%s: %v", set.contract, err)
			}
			if c.value != "" {
				setAt(t, example, set.path, c.value)
			}
			if err := schema.Validate(example); (err == nil) != c.want {
				t.Errorf("%s with %q in %s: got %v, want it valid: %v", set.contract, c.value, set.path, err, c.want)
			}
		}
	}
}

// exampleOf returns the first example of a schema.
func exampleOf(t *testing.T, schema []byte) any {
	t.Helper()
	return parse(t, string(schema)).at("examples").list()[0].v
}

// setAt replaces a string at a path of keys and indices.
func setAt(t *testing.T, v any, path, text string) {
	t.Helper()
	keys := strings.Split(path, ".")
	for i, key := range keys {
		switch part := v.(type) {
		case []any:
			n, err := strconv.Atoi(key)
			if err != nil || n >= len(part) {
				t.Fatalf("got no %s in the example", path)
			}
			v = part[n]
		case map[string]any:
			if i < len(keys)-1 {
				v = part[key]
			} else if _, ok := part[key].(string); ok {
				part[key] = text
			} else {
				t.Fatalf("got no string %s in the example", path)
			}
		}
	}
}
