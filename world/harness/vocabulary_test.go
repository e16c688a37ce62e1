package harness

import "testing"

// Covers B-78 for names.
func TestPresentationTermsAreWholeWords(t *testing.T) {
	for name, want := range map[string]string{
		"panel": "panel", "panels": "panel", "side_panel": "panel", "sidePanel": "panel", "PanelID": "panel", "a-card-b": "card", "meshes": "mesh",
		"/world/surface/stacks": "surface", "x.DOM": "dom", "html5": "", "stackable": "", "carding": "", "freedom": "", "docket": "", "": "", "_": "",
		"discard": "", "Ä_slot": "slot", "slot": "slot", "viewportWidth": "viewport", "/world/x?rail=1": "rail",
	} {
		if got := presentationTerm(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

// Covers PT-01 and W-37.
func TestPresentationTermsAreFoundOutsideMemberTexts(t *testing.T) {
	for text, want := range map[string][]string{
		`{"objects": [{"title": "Birthday cards", "state": {"name": "panel"}}]}`: nil,
		`{"objects": [{"object_type": "map_surface"}]}`:                          {"objects[0].object_type"},
		`{"objects": [{"state": {"cards": 1}}]}`:                                 {"objects[0].state.cards"},
		`{"actions": [{"command": {"url": "/world/surface/x"}}]}`:                {"actions[0].command.url"},
		`{"objects": [{"presentation": {}}], "translator": ""}`:                  {"translator", "objects[0].presentation"},
		`{"findings": [{"source_url": "https://example.org/card"}]}`:             nil,
		`{"objects": [{"state": {"editable_fields": ["title", "slot"]}}]}`:       {"editable_fields[1]"},
	} {
		var rec recorder
		rec.checkNoPresentation(parse(t, text))
		rec.wantProblems(t, text, want...)
	}
}

// Covers W-38 and X-43.
func TestMarkupIsFoundOutsideMemberTexts(t *testing.T) {
	for text, want := range map[string][]string{
		`{"title": "<b>Hello</b>"}`:                       nil,
		`{"message": "Read <a href=x>this</a>"}`:          {"message"},
		`{"title": "a <b> c", "label": "About a <b> c"}`:  nil,
		`{"title": "a", "label": "About <i>a</i>"}`:       {"label"},
		`{"message": "1 < 2, 3 <4"}`:                      nil,
		`{"<b>": 1}`:                                      {"<b>: the key contains markup"},
		`{"reason": "<!-- -->"}`:                          {"reason"},
		`{"title": "<b>", "message": "You wrote <b> to"}`: {"message"},
	} {
		var rec recorder
		rec.checkNoMarkup(parse(t, text))
		rec.wantProblems(t, text, want...)
	}
}
