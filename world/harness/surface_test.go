package harness

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
)

// surfaceWorld is a World whose only output is a session with a surface runtime. It
// refuses the invalid changes of surfaces.
type surfaceWorld struct {
	runtime  string
	accepts  string // a part of the path and body of a change that it accepts; "" for none
	changing bool   // refused changes change the runtime
	changes  int
}

// refusals are the statuses of changes, by path and body.
var refusals = map[string]int{
	`/world/focus/carry_primary {"surface_id": "surface_that_is_not_there"}`:                422,
	`/world/focus/stack_that_is_not_there {"surface_id": null}`:                             404,
	`/world/order/carry_primary {"surface_order": ["surface_that_is_not_there"]}`:           422,
	`/world/order/carry_primary {"surface_order": ["surface_social", "surface_social"]}`:    422,
	`/world/place/surface_social {"placement_mode": "floating", "placement": {}}`:           422,
	`/world/place/surface_that_is_not_there {"placement_mode": "stacked", "placement": {}}`: 404,
}

func (w *surfaceWorld) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := 200, `{"surface_runtime": `+w.runtime+`}`
	if r.Method == http.MethodPost {
		w.changes++
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		change := r.URL.Path + " " + string(sent)
		if refused := refusals[change]; refused != 0 && (w.accepts == "" || !strings.Contains(change, w.accepts)) {
			status, body = refused, `{"error": {"code": "refused"}}`
		}
	} else if w.changing && w.changes > 0 {
		body = strings.Replace(body, "Social", "Changed", 1)
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// problems runs the checks of surfaces, and returns their problems and the checks that do
// not apply.
func (w *surfaceWorld) problems(t *testing.T) string {
	t.Helper()
	schemas := fstest.MapFS{"schema/service.surface.runtime.1.json": {Data: []byte(`{"type": "object", "properties": {"extension": {"type": "string"}}}`)}}
	c := newClient(t.Context(), &url.URL{Scheme: "http", Host: "home.example.org"}, Options{Token: "x", Schemas: schemas})
	c.http = &http.Client{Transport: w}
	var list []string
	for _, check := range surfaceChecks {
		switch r := c.result(check); r.State {
		case Failed:
			list = append(list, r.Seen...)
		case NotApplicable:
			list = append(list, fmt.Sprintf("%s does not apply: %v", check.name, r.Seen))
		}
	}
	return strings.Join(list, "\n")
}

// surfaceRuntimeDocument returns a surface runtime with the default surfaces and two findings.
func surfaceRuntimeDocument() string {
	number := 0
	surface := func(id, kind, title, source, state, metadata string) string {
		number++
		return fmt.Sprintf(`{"numeric_id": %d, "surface_id": %q, "surface_type": %q, "title": %q,
			"service_binding": {"service_id": "time", "resource_type": "panel", "resource_id": null},
			"content_source": {%s}, "runtime_state": {%s},
			"permissions": {"can_detach": true, "can_pin": true, "can_share": true, "can_field_anchor": true},
			"rendering_hints": {"preferred_size": "large"}, "placement": {"mode": "stacked", "metadata": {%s}}}`, number, id, kind, title, source, state, metadata)
	}
	panel := func(path string) string {
		return fmt.Sprintf(`"kind": "runtime_panel", "url": %q`, "/world/panels/"+path)
	}
	const inline = `"kind": "inline", "url": "/page"`
	stack := func(id, kind, focused, order string) string {
		number++
		return fmt.Sprintf(`{"numeric_id": %d, "stack_id": %q, "stack_type": %q, "region": "center", "display": "stack", "orientation": "vertical",
			"focused_surface_id": %s, "surface_order": [%s], "viewport_id": "viewport"}`, number, id, kind, focused, order)
	}
	return `{"contract": {"name": "service.surface.runtime", "version": 1}, "surfaces": [` + strings.Join([]string{
		surface("surface_social", "service_nav_panel", "Social", panel("social"), "", `"x": 1`),
		surface("surface_calendar", "calendar_surface", "Calendar", panel("time"), "", ""),
		surface("surface_messages", "conversation_surface", "Messages", panel("messages"), "", ""),
		surface("surface_messages_rail", "conversation_surface", "Messages", panel("messages/rail"), "", `"matches_surface_id": "surface_messages"`),
		surface("surface_cafe", "finding_surface", "Café", inline, `"finding": {"object_type": "place"}, "details": [["Open", "today"]]`, ""),
		surface("surface_page", "finding_surface", "Bakery", inline, `"finding": {"object_type": "html_resource"}`, ""),
	}, ", ") + `], "stacks": [` + strings.Join([]string{
		stack("carry_primary", "carry_stack", `"surface_social"`, `"surface_social", "surface_calendar"`),
		stack("left_context", "context_stack", "null", `"surface_messages_rail"`),
		stack("right_context", "context_stack", "null", `"surface_messages"`),
		stack("finding_overlay", "overlay_stack", "null", `"surface_cafe", "surface_page"`),
	}, ", ") + `], "viewports": [{"viewport_id": "viewport", "viewport_type": "stack", "region": "center", "display": "stack", "neighbor_visibility": 0.5}],
		"commands": {"focus_surface": "/world/focus/{stack_key}", "reorder_stack": "/world/order/{stack_key}", "update_placement": "/world/place/{surface_id}",
		"open_finding": "/world/open/{finding_id}", "translate_surface": "/world/translate/{surface_id}"}}`
}

// A surface runtime that deviates from the contract is reported with the path of the
// deviation. Covers S-01 to S-21 and S-38.
func TestInvalidSurfacesAreFound(t *testing.T) {
	if got := (&surfaceWorld{runtime: surfaceRuntimeDocument()}).problems(t); got != "" {
		t.Fatalf("a conforming World: got the problems\n%s\nwant none", got)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"name": "service.surface.runtime"`, `"name": "surface"`, "contract.name: got"},
		{`"contract": {`, `"extension": 5, "contract": {`, "does not fit the schema service.surface.runtime 1"},
		{`"viewports": [`, `"views": [`, "viewports: absent, want array"},
		{`"update_placement"`, `"place"`, "commands.update_placement: absent, want text"},
		{`"/world/open/{finding_id}"`, `"https://example.org/{finding_id}"`, "commands.open_finding: got"},
		{`"open_finding"`, `"open"`, "commands.open_finding: absent"},
		{`"translate_surface"`, `"translate"`, "commands.translate_surface: absent"},
		{`"numeric_id": 1,`, ``, "surfaces[0].numeric_id: absent"},
		{`"resource_type": "panel"`, `"resource_type": 5`, "service_binding.resource_type: got 5"},
		{`"url": "/world/panels/social"`, `"url": "https://example.org/"`, "content_source.url: got \"https://example.org/\", want a path below /world/"},
		{`"url": "/world/panels/social"`, `"url": "/world/panels/messages"`, `content_source.url: got "/world/panels/messages", want "/world/panels/social"`},
		{`"surface_id": "surface_calendar"`, `"surface_id": "surface_agenda"`, "surface_calendar is missing"},
		{`"matches_surface_id": "surface_messages"`, `"matches_surface_id": "surface_social"`, `matches_surface_id: got "surface_social"`},
		{`["Open", "today"]`, `["Open"]`, "a pair of a label and a text"},
		{`[["Open", "today"]]`, `"today"`, `runtime_state.details: got "today", want array`},
		{`"can_pin": true`, `"can_pin": 1`, "permissions.can_pin: got 1"},
		{`"preferred_size": "large"`, `"preferred_size": 5`, "rendering_hints.preferred_size: got 5"},
		{`"metadata": {"x": 1}`, `"metadata": "none"`, `placement.metadata: got "none", want object`},
		{`"x": 1`, `"x": "left"`, `placement.metadata.x: got "left"`},
		{`"finding": {"object_type": "place"}`, `"finding": "place"`, `runtime_state.finding: got "place", want object`},
		{`"orientation": "vertical",`, ``, "stacks[0].orientation: absent"},
		{`"stack_id": "left_context"`, `"stack_id": "carry_primary"`, "got the stack left_context 0 times, want once"},
		{`"stack_id": "finding_overlay"`, `"stack_id": "carry_primary"`, "got the stack carry_primary 2 times, want once"},
		{`"stack_type": "carry_stack"`, `"stack_type": "pile"`, `stack_type: got "pile", want "carry_stack"`},
		{`"viewport_type": "stack"`, `"viewport_type": "grid"`, `viewport_type: got "grid", want "stack"`},
		{`"neighbor_visibility": 0.5`, `"neighbor_visibility": "half"`, "viewports[0].neighbor_visibility: got"},
		{`"surface_social", "surface_calendar"]`, `"surface_social", "surface_absent"]`, `"surface_absent" does not exist`},
		{`"surface_social", "surface_calendar"]`, `"surface_social", "surface_social"]`, `"surface_social" is listed twice`},
		{`"viewport_id": "viewport"}`, `"viewport_id": "window"}`, `"window" does not exist`},
		{`"focused_surface_id": "surface_social"`, `"focused_surface_id": "surface_messages"`, `"surface_messages" is not in the stack`},
		{`"/world/focus/{stack_key}"`, `"/world/focus/{stack_id}"`, "with {stack_key} as its only parameter"},
		{`"/world/focus/{stack_key}"`, `"/focus/{stack_key}"`, "with {stack_key} as its only parameter"},
	} {
		w := &surfaceWorld{runtime: surfaceRuntimeDocument()}
		if !strings.Contains(w.runtime, c.old) {
			t.Fatalf("the surface runtime does not contain %s", c.old)
		}
		w.runtime = strings.Replace(w.runtime, c.old, c.new, 1)
		if got := w.problems(t); !strings.Contains(got, c.want) {
			t.Errorf("with %s: got the problems\n%s\nwant %s", c.new, got, c.want)
		}
	}
}

// A World that accepts an invalid change of surfaces is reported, and one that refuses it
// but changes the surfaces. Covers S-23, S-25, S-27 and PT-40.
func TestAcceptedInvalidChangesOfSurfacesAreFound(t *testing.T) {
	for change, status := range refusals {
		path, _, _ := strings.Cut(change, " ")
		w := &surfaceWorld{runtime: surfaceRuntimeDocument(), accepts: change}
		if got, want := w.problems(t), "POST "+path; !strings.Contains(got, want) || !strings.Contains(got, fmt.Sprint(status)) {
			t.Errorf("%s is accepted: got the problems\n%s\nwant one of %s with the status %d", change, got, want, status)
		}
	}
	w := &surfaceWorld{runtime: surfaceRuntimeDocument(), changing: true}
	if got := w.problems(t); !strings.Contains(got, "changed by requests that were refused") {
		t.Errorf("refused changes are made: got the problems\n%s\nwant the changed runtime", got)
	}
	w = &surfaceWorld{runtime: surfaceRuntimeDocument()}
	w.runtime = `{"surfaces": [], ` + w.runtime[strings.Index(w.runtime, `"stacks"`):]
	if got := w.problems(t); !strings.Contains(got, "does not apply: [there are no surfaces]") || w.changes > 0 {
		t.Errorf("without surfaces: got %d changes and the problems\n%s\nwant none, and that the check does not apply", w.changes, got)
	}
}
