package contract_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"appliance/assets"
	"appliance/svc/provider/contract"
)

// forbiddenTerms are the terms that the interface, B-78 and W-37 exclude. Each entry
// is the term in the message, a colon, and the forbidden term.
const forbiddenTerms = "html:html css:css dom:dom javascript:javascript uikit:uikit appkit:appkit swiftui:swiftui jetpack_compose:jetpack_compose " +
	"react:react renderer:renderer runtime:runtime panel:panel dock:dock rail:rail stack:stack card:card marker:marker mesh:mesh " +
	"surface_runtime:surface_runtime field_runtime:field_runtime runtime_panel:runtime_panel platform:platform " +
	"surface:surface viewport:viewport slot:slot " +
	"renderer:renderers panel:panels dock:docks rail:rails stack:stacks card:cards marker:markers mesh:meshes platform:platforms " +
	"html:HTML css:CSS dom:DOM swift_ui:SwiftUI ui_kit:UIKit app_kit:AppKit java_script:JavaScript runtime_panel:RuntimePanel jetpack_compose:JetpackCompose"

// Covers V-14: each term as a key, as a type, a kind, an id, and as a value of metadata.
func TestTermsAreRejected(t *testing.T) {
	const object, action = "/objects/items/0", "/actions/items/0"
	for pair := range strings.FieldsSeq(forbiddenTerms) {
		name, term, _ := strings.Cut(pair, ":")
		for _, c := range []struct {
			pointer string
			value   any
		}{
			{object + "/metadata/" + term, 1},
			{object + "/metadata/my_" + term + "_2", 1},
			{object + "/metadata/a", map[string]any{"b": []any{map[string]any{term: nil}}}},
			{object + "/permissions/can_" + term, true},
			{object + "/type", term},
			{object + "/type", "my-" + term + ".x"},
			{object + "/metadata/note", term},
			{object + "/metadata/note", []any{"x", "a/" + term}},
			{"/resources/items/0/kind", term},
			{"/resources/items/0/media_type", "text/" + term},
			{"/relationships/items/0/type", term},
			{"/relationships/items/0/id", "rel-" + term},
			{"/relationships/items/0/target/source_type", term},
			{"/relationships/items/0/target/source_id", term + "-1"},
			{action + "/type", "open_" + term},
			{action + "/input/0/id", term},
			{action + "/command/operation", term},
			{action + "/command/metadata/note", term},
			{"/collections/items/0/type", term},
			{"/collections/items/0/ordering/by", term},
			{"/extensions/items/0/namespace", "x." + term},
			{"/extensions/items/0/name", term},
			{"/extensions/items/0/data/note", term + "2"},
		} {
			payload := exampleOf(t, contract.SourceContract)
			edit(t, payload, c.pointer, c.value)
			_, err := contract.ParseSource(encode(t, payload), "library")
			at := c.pointer
			switch c.value.(type) {
			case map[string]any:
				at += "/b/0/" + term
			case []any:
				at += "/1"
			}
			wantProblem(t, err, at, `the term "`+name+`"`)
		}
	}
}

// Covers V-15: words of ordinary texts are not terms, and neither are parts of words
// or of random ids.
func TestTextsWithTermsAreAccepted(t *testing.T) {
	const object, action = "/objects/items/0", "/actions/items/0"
	for pointer, value := range map[string]any{
		object + "/title":                         "Birthday cards",
		object + "/summary":                       "Panel, dock, rail, stack; card-marker mesh on every surface, runtime 2 h",
		object + "/metadata/note":                 "A card for the slot",
		object + "/metadata/discarded":            "postcard",
		object + "/metadata/freedom":              "docket",
		object + "/metadata/digest":               "3f9DOM7kCss0",
		"/provider/label":                         "Rail platform",
		"/relationships/items/0/id":               "dQ1CSS4card9x",
		"/relationships/items/0/target/source_id": "01JCARD2DOM3",
		action + "/label":                         "Stack",
		action + "/input/0/label":                 "Card",
		action + "/input/0/default":               "card",
		action + "/input/0/options/0/value":       "card",
		"/collections/items/0/title":              "Cards",
		"/resources/items/0/label":                "card",
		"/resources/items/0/href":                 "https://library.example/panel/card.html",
		object + "/type":                          "wildcard",
	} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, pointer, value)
		if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
			t.Errorf("%s = %q: got %v, want no error", pointer, value, err)
		}
	}
	for _, compound := range []string{"surface_runtime", "field-runtime", "runtimePanel", "RUNTIME_PANELS"} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, object+"/summary", "See the "+compound+" below")
		_, err := contract.ParseSource(encode(t, payload), "library")
		wantProblem(t, err, object+"/summary", "the term")
	}
}

// Covers V-16.
func TestMarkupIsRejected(t *testing.T) {
	for _, pointer := range []string{
		"/provider/label", "/objects/items/0/title", "/objects/items/0/summary", "/objects/items/0/metadata/note", "/actions/items/0/label",
		"/actions/items/0/input/0/label", "/actions/items/0/input/0/default", "/actions/items/0/input/0/options/0/label",
		"/collections/items/0/title", "/resources/items/0/label", "/extensions/items/0/data/note",
	} {
		for _, markup := range []string{
			"<b>x</b>", "a <br/> b", "</p", "x <!-- y -->", "<!doctype html", "<?xml", "a <script", "<img src=x onerror=y>", "1 < 2 <i>",
		} {
			payload := exampleOf(t, contract.SourceContract)
			edit(t, payload, pointer, markup)
			_, err := contract.ParseSource(encode(t, payload), "library")
			wantProblem(t, err, pointer, "markup")
		}
		for _, text := range []string{"a < b", "1<2", "<3", "a > b", "a & b", "&lt;b&gt;", "<", "<<", "-> <-"} {
			payload := exampleOf(t, contract.SourceContract)
			edit(t, payload, pointer, text)
			if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
				t.Errorf("%s = %q: got %v, want no error", pointer, text, err)
			}
		}
	}
	payload := exampleOf(t, contract.SourceContract)
	payload["objects"].(map[string]any)["items"].([]any)[0].(map[string]any)["metadata"] = map[string]any{"<b>": 1}
	_, err := contract.ParseSource(encode(t, payload), "library")
	wantProblem(t, err, "/objects/items/0/metadata/<b>", "markup")
}

func TestControlCharactersAreRejected(t *testing.T) {
	for _, text := range []string{"a\x1b[31mb", "\x00", "a\u0085b", "\x7f"} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, "/objects/items/0/title", text)
		_, err := contract.ParseSource(encode(t, payload), "library")
		wantProblem(t, err, "/objects/items/0/title", "control characters")
		payload = exampleOf(t, contract.SourceContract)
		edit(t, payload, "/objects/items/0/metadata/a"+text, 1)
		_, err = contract.ParseSource(encode(t, payload), "library")
		wantProblem(t, err, "/objects/items/0/metadata/a"+text, "control characters")
	}
	payload := exampleOf(t, contract.SourceContract)
	edit(t, payload, "/objects/items/0/summary", "a\r\n\tb")
	if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
		t.Errorf("got %v, want no error", err)
	}
}

// Covers V-06 and V-12.
func TestAddressesAndIDsOfTheServerAreRejected(t *testing.T) {
	const object, action = "/objects/items/0", "/actions/items/0"
	nested := func(key string, value any) any {
		return map[string]any{"a": []any{map[string]any{"b": map[string]any{key: value}}}}
	}
	for _, c := range []struct {
		pointer string
		value   any
		at      string
		message string
	}{
		{object + "/metadata/world_object_id", "obj_1", "", "world_object_id"},
		{object + "/metadata/worldObjectId", "obj_1", "", "world_object_id"},
		{object + "/metadata/world-object-ids", []any{}, "", "world_object_id"},
		{object + "/metadata/runtime_object_id", "obj_1", "", "runtime_object_id"},
		{object + "/metadata/command_url", "x", "", "command_url"},
		{object + "/world_object_id", "obj_1", "", "world_object_id"},
		{"/extensions/items/0/data/a", map[string]any{"world_object_id": 1}, "/extensions/items/0/data/a/world_object_id", "world_object_id"},
		{object + "/metadata/link", "/world/actions/act_1", "", "addresses of this server"},
		{object + "/metadata/link", " /World/actions/act_1", "", "addresses of this server"},
		{object + "/metadata/link", "/world", "", "addresses of this server"},
		{"/resources/items/0/href", "/world/runtime", "", "addresses of this server"},
		{object + "/title", "/world/x", "", "addresses of this server"},
		{object + "/title", "Dune\u202ecod", "", "text direction"},
		{object + "/summary", "By \u2067Herbert", "", "text direction"},
		{object + "/metadata/author", "Her\u202dbert Frank", "", "text direction"},
		{object + "/title", "\u200b\u2800", "", "no visible character"},
		{object + "/title", "Dune\u2028Messiah", "", "line separators"},
		{action + "/label", " \u3164", "", "no visible character"},
		{action + "/endpoint", "x", "", "must not have the key"},
		{action + "/url", "x", "", "must not have the key"},
		{action + "/command/href", "x", "", "must not have the key"},
		{action + "/command/metadata/endpoint", "x", "", "must not have the key"},
		{action + "/command/metadata/url", "x", "", "must not have the key"},
		{action + "/command/metadata/URLs", "x", "", "must not have the key"},
		{action + "/command/metadata/href", nil, "", "must not have the key"},
		{action + "/command/metadata/uri", "x", "", "must not have the key"},
		{action + "/command/metadata/path", "x", "", "must not have the key"},
		{action + "/command/metadata", nested("href", 1), action + "/command/metadata/a/0/b/href", "must not have the key"},
		{action + "/command/metadata", nested("x", "https://a.example"), action + "/command/metadata/a/0/b/x", "must not contain a URL"},
		{action + "/input/0/url", "x", "", "must not have the key"},
		{action + "/input/0/options/0/path", "x", "", "must not have the key"},
		{action + "/input/0/default", "HTTP://a.example", "", "must not contain a URL"},
		{action + "/input/0/options/0/value", "https://a.example", "", "must not contain a URL"},
		{action + "/label", "https://a.example", "", "must not contain a URL"},
		{action + "/label", "/world/actions/1", "", "addresses of this server"},
		{action + "/target_source/source_id", "https://a.example/1", "", "must not contain a URL"},
	} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, c.pointer, c.value)
		_, err := contract.ParseSource(encode(t, payload), "library")
		at := c.at
		if at == "" {
			at = c.pointer
		}
		wantProblem(t, err, at, c.message)
	}
	for pointer, value := range map[string]any{
		object + "/metadata/url":                "https://library.example/a",
		object + "/metadata/path":               "a/b",
		object + "/title":                       "שלום\u200f",
		object + "/summary":                     "See https://library.example/a or /world/x",
		action + "/label":                       "Open the page at https://library.example",
		action + "/command/metadata/path_count": 2,
	} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, pointer, value)
		if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
			t.Errorf("%s: got %v, want no error", pointer, err)
		}
	}
}

func TestManualListsAllTerms(t *testing.T) {
	text, err := fs.ReadFile(assets.Files, "manual/providers.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(text))
	for pair := range strings.FieldsSeq(forbiddenTerms) {
		term, written, _ := strings.Cut(pair, ":")
		if term == written && !slices.Contains(listed, term) && !strings.Contains(string(text), "`"+term+"`") {
			t.Errorf("manual: got no %s, want all terms that are rejected", term)
		}
	}
}
