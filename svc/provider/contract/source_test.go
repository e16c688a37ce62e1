package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"appliance/svc/provider/contract"
)

func TestExampleIsAccepted(t *testing.T) {
	s, err := contract.ParseSource(encode(t, exampleOf(t, contract.SourceContract)), "library")
	if err != nil {
		t.Fatal(err)
	}
	loan := contract.Ref{Provider: "library", SourceType: "loan", SourceID: "88"}
	if len(s.Objects.Items) != 2 || s.Objects.Items[0].Source != loan || s.Objects.Items[0].Metadata["due_on"] != "2027-01-03" {
		t.Errorf("got the objects %v, want two, the first with the source %v", s.Objects.Items, loan)
	}
	if s.Objects.Items[1].Visibility.Group != contract.AllMembers || !slices.Equal(s.Objects.Items[0].Visibility.Members, []string{"bea@example.org"}) {
		t.Errorf("got %v, want objects for one member and for all", s.Objects.Items)
	}
	if a := s.Actions.Items[0]; a.Operation.Operation != "renew_loan" || len(a.Input) != 1 || len(a.Input[0].Options) != 2 {
		t.Errorf("got the action %v, want its operation and its control", a)
	}
}

// The contract does not specify whether these values are required, or which form
// they have. Covers V-09.
func TestOptionalValues(t *testing.T) {
	for _, c := range []struct {
		pointer string
		value   any
	}{
		{"/provider/version", absent{}},
		{"/provider/generated_at", absent{}},
		{"/provider/metadata", absent{}},
		{"/objects/items/1/visibility", "operators"},
		{"/objects/items/1/visibility", map[string]any{"members": []any{"ms_9f", "cy@example.org"}}},
		{"/objects/items/0/permissions", map[string]any{}},
		{"/objects/items/0/actions", []any{}},
		{"/objects/items/0/metadata", map[string]any{"a": nil, "b": []any{1, true, "x"}, "c": map[string]any{"d": 1.5}}},
		{"/relationships/items/0/metadata", absent{}},
		{"/relationships/items/0/target", map[string]any{"provider": "museum", "source_type": "picture", "source_id": "7"}},
		{"/actions/items/0/input", map[string]any{}},
		{"/actions/items/0/input", []any{}},
		{"/actions/items/0/command", absent{}},
		{"/actions/items/0/command/provider", absent{}},
		{"/actions/items/0/command/operation", absent{}},
		{"/actions/items/0/command/metadata", absent{}},
		{"/actions/items/0/input/0/required", absent{}},
		{"/actions/items/0/input/0/default", 2},
		{"/actions/items/0/input/0", map[string]any{"id": "note", "type": "text", "label": "Note", "max_length": 80}},
		{"/collections/items/0/ordering", map[string]any{}},
		{"/collections/items/0/pagination", map[string]any{}},
		{"/collections/items/0/items", []any{}},
		{"/resources/items/0/cache", map[string]any{}},
		{"/resources/items/0/href", "http://127.0.0.1:8080/a?b=c@d#e"},
		{"/extensions/items/0/target", nil},
		{"/extensions/items/0/target", absent{}},
		{"/provider/metadata/big", json.Number("9007199254740992")},
		{"/collections/items/0/pagination/total", json.Number("1.0e0")},
	} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, c.pointer, c.value)
		if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
			t.Errorf("%s = %v: got %v, want no error", c.pointer, c.value, err)
		}
	}
}

func TestValuesOfSeveralFormsAreEqual(t *testing.T) {
	payload := exampleOf(t, contract.SourceContract)
	edit(t, payload, "/collections/items/0/pagination/total", json.Number("0.12e2"))
	edit(t, payload, "/objects/items/0/metadata/n", json.Number("-0"))
	edit(t, payload, "/actions/items/0/input", map[string]any{})
	s, err := contract.ParseSource(encode(t, payload), "library")
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Collections.Items[0].Pagination.Total; got != 12 {
		t.Errorf("got the total %d, want 12", got)
	}
	if got := s.Objects.Items[0].Metadata["n"]; got != json.Number("0") {
		t.Errorf("got %v for -0, want 0", got)
	}
	if got := s.Actions.Items[0].Input; got == nil || len(got) != 0 {
		t.Errorf("got the input %#v, want an empty list", got)
	}
}

// Covers V-02, V-03, V-05, V-07, V-08, V-10 and V-11.
func TestRequiredKeys(t *testing.T) {
	for record, keys := range map[string]string{
		"":                                   "contract provider objects relationships actions collections resources extensions",
		"/contract":                          "name version",
		"/provider":                          "id label",
		"/objects":                           "name version items",
		"/relationships":                     "name version items",
		"/actions":                           "name version items",
		"/collections":                       "name version items",
		"/resources":                         "name version items",
		"/extensions":                        "name version items",
		"/objects/items/0":                   "source type title summary visibility permissions actions resources metadata",
		"/objects/items/0/source":            "provider source_type source_id",
		"/relationships/items/0":             "id type source target",
		"/relationships/items/0/target":      "provider source_type source_id",
		"/actions/items/0":                   "id type label target_source availability input",
		"/actions/items/0/input/0":           "id type label options",
		"/actions/items/0/target_source":     "provider source_type source_id",
		"/collections/items/0":               "id type title summary ordering pagination items metadata",
		"/collections/items/0/items/0":       "provider source_type source_id",
		"/resources/items/0":                 "id kind media_type href label cache metadata",
		"/extensions/items/0":                "id namespace name data",
		"/extensions/items/0/target":         "provider source_type source_id",
		"/actions/items/0/input/0/options/0": "value label",
	} {
		for key := range strings.FieldsSeq(keys) {
			payload := exampleOf(t, contract.SourceContract)
			edit(t, payload, record+"/"+key, absent{})
			_, err := contract.ParseSource(encode(t, payload), "library")
			wantProblem(t, err, record, fmt.Sprintf("The key %q is missing", key))
		}
	}
}

// Unknown keys are rejected except in metadata and in the data of extensions.
func TestUnknownKeysAreRejected(t *testing.T) {
	for _, record := range []string{
		"", "/contract", "/provider", "/objects", "/extensions", "/objects/items/0", "/objects/items/0/source", "/relationships/items/0", "/actions/items/0",
		"/actions/items/0/command", "/actions/items/0/input/0", "/actions/items/0/input/0/options/0", "/collections/items/0",
		"/collections/items/0/ordering", "/collections/items/0/pagination", "/resources/items/0", "/resources/items/0/cache", "/extensions/items/0",
		"/objects/items/0/visibility", "/extensions/items/0/target",
	} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, record+"/colour", "red")
		_, err := contract.ParseSource(encode(t, payload), "library")
		wantProblem(t, err, record+"/colour", "This key is unknown")
	}
	for _, record := range []string{"/provider/metadata", "/objects/items/0/metadata", "/actions/items/0/command/metadata", "/extensions/items/0/data"} {
		payload := exampleOf(t, contract.SourceContract)
		edit(t, payload, record+"/colour", map[string]any{"name": "red"})
		if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
			t.Errorf("%s: got %v, want no error", record, err)
		}
	}
}

func TestInvalidValues(t *testing.T) {
	ref := func(provider, id string) map[string]any {
		return map[string]any{"provider": provider, "source_type": "loan", "source_id": id}
	}
	first := func(section string) any {
		return exampleOf(t, contract.SourceContract)[section].(map[string]any)["items"].([]any)[0]
	}
	for _, c := range []struct {
		pointer string
		value   any
		problem string // pointer
		message string
	}{
		{"", []any{}, "", "of type array"}, // V-01
		{"/contract/name", "service.world.provider_action_result", "/contract/name", `Write "service.world.provider_source"`},
		{"/contract/version", 2, "/contract/version", "Write 1"},
		{"/contract/version", "1", "/contract/version", "Write 1"},
		{"/objects/version", 2, "/objects/version", "Write 1"},
		{"/objects/name", "things", "/objects/name", `Write "objects"`},
		{"/objects/items", map[string]any{}, "/objects/items", "array"},
		{"/provider/id", "Library", "/provider/id", "Lower-case letters"},
		{"/provider/id", "museum", "/provider/id", `Write "library"`},
		{"/provider/generated_at", "yesterday", "/provider/generated_at", "2026-11-24T10:00:00Z"},
		{"/objects/items/0/title", "", "/objects/items/0/title", "must not be empty"},
		{"/objects/items/0/title", strings.Repeat("ä", 201), "/objects/items/0/title", "201 characters, the limit is 200"},
		{"/objects/items/0/summary", strings.Repeat("a", 1001), "/objects/items/0/summary", "the limit is 1000"},
		{"/objects/items/0/summary", nil, "/objects/items/0/summary", "of type null"},
		{"/objects/items/0/type", "a loan", "/objects/items/0/type", "Letters, digits"},
		{"/objects/items/0/source/source_id", "a b", "/objects/items/0/source/source_id", "Letters, digits"},
		{"/objects/items/0/visibility", "everyone", "/objects/items/0/visibility", `"members" (all)`},
		{"/objects/items/0/permissions/can_view", "yes", "/objects/items/0/permissions/can_view", "boolean"},
		{"/objects/items/0/metadata/" + strings.Repeat("ä", 101), 1, "/objects/items/0/metadata", "101 characters"},
		{"/objects/items/0/metadata/text", strings.Repeat("a b ", 2001), "/objects/items/0/metadata/text", "the limit is 8000"},
		{"/actions/items/0/availability", "maybe", "/actions/items/0/availability", `"enabled", "disabled", "denied", "unavailable"`}, // V-08
		{"/actions/items/0/input/0/type", "slider", "/actions/items/0/input/0/type", `"selector"`},
		{"/actions/items/0/input", map[string]any{"weeks": 2}, "/actions/items/0/input", "Write a list, or {} for none"},
		{"/collections/items/0/ordering/direction", "up", "/collections/items/0/ordering/direction", `"asc", "desc"`},
		{"/collections/items/0/pagination/total", 1.5, "/collections/items/0/pagination/total", "integer"},
		{"/resources/items/0/media_type", "jpeg", "/resources/items/0/media_type", "image/jpeg"},
		{"/resources/items/0/href", "ftp://library.example/a", "/resources/items/0/href", "https or http"},
		{"/resources/items/0/href", "/covers/88.jpg", "/resources/items/0/href", "https or http"},
		{"/resources/items/0/href", "https://user:pass@library.example/a", "/resources/items/0/href", "without user name"},
		{"/resources/items/0/href", "https://library.example:port/a", "/resources/items/0/href", "https or http"},
		{"/resources/items/0/href", "https://library.example/" + strings.Repeat("a", 2048), "/resources/items/0/href", "the limit is 2048"},

		// References.
		{"/objects/items/0/source/provider", "museum", "/objects/items/0/source/provider", `Write "library"`},
		{"/objects/items/-", first("objects"), "/objects/items/2/source", "earlier object"},
		{"/objects/items/0/actions/-", "renew-89", "/objects/items/0/actions/1", "no action"},
		{"/objects/items/0/actions/-", "renew-88", "/objects/items/0/actions", "equal"},
		{"/objects/items/1/actions/-", "renew-88", "/objects/items/1/actions/0", "another object"},
		{"/objects/items/0/resources/-", "cover-89", "/objects/items/0/resources/1", "no resource"},
		{"/relationships/items/-", first("relationships"), "/relationships/items/1/id", "same id"},
		{"/relationships/items/0/source", ref("library", "89"), "/relationships/items/0/source", "no object"},
		{"/relationships/items/0/source", ref("museum", "88"), "/relationships/items/0/source/provider", `Write "library"`},
		{"/relationships/items/0/target", map[string]any{"world_object_id": "obj_1"}, "/relationships/items/0/target/world_object_id", "world_object_id"}, // V-13
		{"/actions/items/-", first("actions"), "/actions/items/1/id", "same id"},
		{"/actions/items/0/target_source", ref("library", "89"), "/actions/items/0/target_source", "no object"},
		{"/actions/items/0/target_source", ref("museum", "88"), "/actions/items/0/target_source/provider", `Write "library"`},
		{"/actions/items/0/command/provider", "museum", "/actions/items/0/command/provider", `Write "library"`},
		{"/actions/items/0/input/-", first("actions").(map[string]any)["input"].([]any)[0], "/actions/items/0/input/1/id", "same id"},
		{"/collections/items/-", first("collections"), "/collections/items/1/id", "same id"},
		{"/collections/items/0/items/-", ref("library", "89"), "/collections/items/0/items/1", "no object"},
		{"/collections/items/0/items/-", ref("library", "88"), "/collections/items/0/items/1", "twice"},
		{"/resources/items/-", first("resources"), "/resources/items/1/id", "same id"},
		{"/extensions/items/-", first("extensions"), "/extensions/items/1/id", "same id"},
		{"/extensions/items/0/target", ref("library", "89"), "/extensions/items/0/target", "no object"},
	} {
		payload := edit(t, exampleOf(t, contract.SourceContract), c.pointer, c.value)
		s, err := contract.ParseSource(encode(t, payload), "library")
		if s != nil {
			t.Errorf("%s: got a source with the error %v, want none", c.pointer, err)
		}
		wantProblem(t, err, c.problem, c.message)
	}
}

func TestAmbiguousDocumentsAreRejected(t *testing.T) {
	valid := string(encode(t, exampleOf(t, contract.SourceContract)))
	for _, c := range []struct{ name, text, pointer, message string }{
		{"empty", "", "", "unexpected end of JSON input"},
		{"syntax", "{\n  \"a\": tru\n}", "", "line 2, column 11"},
		{"trailing data", valid + " {}", "", "after top-level value"},
		{"trailing comma", `{"a": 1,}`, "", "not JSON"},
		{"not UTF-8", "{\n\"\xff\": 1}", "", "not UTF-8 (line 2, column 2)"},
		{"duplicate key", `{"contract": {"name": "a", "name": "b"}}`, "/contract/name", "twice"},
		{"duplicate key with escapes", `{"a/b~": 1, "a\u002fb~": 2}`, "/a~1b~0", "twice"},
		{"depth", strings.Repeat("[", 40) + strings.Repeat("]", 40), strings.Repeat("/0", 32), "nested"},
		{"extreme depth", strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), "", "not JSON"},
		{"large integer", `{"a": 9007199254740993}`, "/a", "Write it as a string"},
		{"large number", `{"a": 1e400}`, "/a", "Write it as a string"},
		{"long key", `{"` + strings.Repeat("k", 2000) + `": 1}`, "", "2000 characters"},
		{"many values", "[" + strings.Repeat("1,", 1_000_000) + "1]", "/999999", "too many"},
		{"size", strings.Repeat(" ", contract.MaxSource+1), "", "limit is 8388608"},
		{"other capitalization", strings.Replace(valid, `"summary"`, `"Summary"`, 1), "/collections/items/0/Summary", "unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := contract.ParseSource([]byte(c.text), "library")
			wantProblem(t, err, c.pointer, c.message)
		})
	}
}

// Covers V-17.
func TestOneInvalidRecordRejectsThePayload(t *testing.T) {
	payload := largePayload(t, contract.MaxItems)
	if _, err := contract.ParseSource(encode(t, payload), "library"); err != nil {
		t.Errorf("got %v, want no error", err)
	}
	edit(t, payload, "/objects/items/-", payload["objects"].(map[string]any)["items"].([]any)[0])
	_, err := contract.ParseSource(encode(t, payload), "library")
	wantProblem(t, err, "/objects/items", "5001 items, the limit is 5000")

	payload = largePayload(t, 500)
	for _, c := range []struct {
		pointer      string
		valid, value any
	}{
		{"/objects/items/432/title", "Dune", 1},
		{"/objects/items/499/metadata/panel", absent{}, 1},
		{"/collections/items/0/items/250/source_id", "250", "500"},
	} {
		edit(t, payload, c.pointer, c.value)
		s, err := contract.ParseSource(encode(t, payload), "library")
		wantProblem(t, err, strings.TrimSuffix(c.pointer, "/source_id"), "")
		if s != nil {
			t.Errorf("%s: got a source, want none", c.pointer)
		}
		edit(t, payload, c.pointer, c.valid)
	}
}

func TestProblemsAreCountedAndLimited(t *testing.T) {
	payload := largePayload(t, 100)
	for i := range 100 {
		edit(t, payload, fmt.Sprintf("/objects/items/%d/title", i), 1)
	}
	_, err := contract.ParseSource(encode(t, payload), "library")
	var r *contract.Rejection
	if !errors.As(err, &r) || r.Total != 100 || len(r.Problems) != 20 {
		t.Fatalf("got %v, want 100 problems and a list of 20", err)
	}
	for i, p := range r.Problems {
		if want := fmt.Sprintf("/objects/items/%d/title", i); p.Pointer != want {
			t.Errorf("problem %d: got %s, want %s", i, p.Pointer, want)
		}
	}
	if want := "/objects/items/0/title: This is of type number. Write a value of type string. (and 99 more problems)"; r.Error() != want {
		t.Errorf("got %q, want %q", r.Error(), want)
	}
}

// The memory for the problems of a hostile payload is limited for every form of
// the payload.
func TestPayloadsWithMillionsOfProblems(t *testing.T) {
	filler := func(n int) string { return "[" + strings.Repeat("1,", n) + "1]" }
	for name, text := range map[string]string{
		"options": `{"actions":{"items":[{"input":[` + strings.TrimSuffix(strings.Repeat(`{"options":`+filler(4000)+`},`, 200), ",") + `]}]}}`,
		"items":   `{"objects":{"items":` + filler(900_000) + `}}`,
		"keys":    `{"panel":` + filler(900_000) + `}`,
		"tags":    `{"objects":{"items":[` + strings.Repeat(`"<b>",`, 900_000) + `1]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := contract.ParseSource([]byte(text), "library")
			runtime.ReadMemStats(&after)
			if err == nil {
				t.Error("got no error, want a rejection")
			}
			if got, limit := after.TotalAlloc-before.TotalAlloc, uint64(400<<20); got > limit {
				t.Errorf("got %d MB allocated, want at most %d MB", got>>20, limit>>20)
			}
		})
	}
}

func TestReencodedPayloadIsEqual(t *testing.T) {
	example := exampleOf(t, contract.SourceContract)
	s, err := contract.ParseSource(encode(t, example), "library")
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(encode(t, s), &got); err != nil || !reflect.DeepEqual(got, any(example)) {
		t.Errorf("got %v, %v, want %v", got, err, example)
	}
	if bytes.Contains(encode(t, s), []byte("null")) {
		t.Errorf("got %s, want no null", encode(t, s))
	}
}

func TestValidProviderID(t *testing.T) {
	for id, want := range map[string]bool{
		"library": true, "a": true, "city-library2": true, strings.Repeat("a", 40): true,
		"": false, "2a": false, "-a": false, "a-": false, "a--b": false, "A": false, "a_b": false, "a.b": false, strings.Repeat("a", 41): false,
		"card-shop": false, "railways": true, "rail": false,
	} {
		if got := contract.ValidProviderID(id); got != want {
			t.Errorf("%q: got %t, want %t", id, got, want)
		}
	}
}

func BenchmarkParseSource(b *testing.B) {
	text := encode(b, largePayload(b, contract.MaxItems))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := contract.ParseSource(text, "library"); err != nil {
			b.Fatal(err)
		}
	}
}
