package contract_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"appliance/svc/provider/contract"
	"appliance/svc/svctest"
)

// Covers PT-29: the verdict about a random payload is that of the schema, the terms
// and the references, decided by another implementation.
func TestVerdictEqualsThatOfAnotherImplementation(t *testing.T) {
	o, example := newOracle(t), encode(t, exampleOf(t, contract.SourceContract))
	rounds := 700
	if svctest.IsLong() {
		rounds = 100_000
	}
	accepted := 0
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 29))
		payload := decode(t, example)
		for range 1 + r.IntN(2) {
			payload = mutate(r, payload)
		}
		text := encode(t, payload)
		_, err := contract.ParseSource(text, "library")
		reason := o.reason(t, text, "library")
		if (err == nil) != (reason == "") {
			t.Fatalf("seed %d: got %v, want %q\n%s", seed, err, reason, text)
		}
		if err == nil {
			accepted++
		}
		wantPointers(t, payload, err)
	}
	if accepted < rounds/20 || accepted > rounds*9/10 {
		t.Errorf("got %d of %d payloads accepted, want both verdicts often", accepted, rounds)
	}
}

// wantPointers fails t unless each problem names a place in the payload.
func wantPointers(t *testing.T, payload any, err error) {
	t.Helper()
	var r *contract.Rejection
	if !errors.As(err, &r) {
		return
	}
	for _, p := range r.Problems {
		if p.Message == "" || !exists(payload, p.Pointer) {
			t.Errorf("got the problem %q, want a message and a place in the payload", p)
		}
	}
}

// exists reports whether a tree has a value at a JSON Pointer.
func exists(tree any, pointer string) bool {
	if pointer == "" {
		return true
	}
	for key := range strings.SplitSeq(pointer[1:], "/") {
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		switch node := tree.(type) {
		case map[string]any:
			inner, ok := node[key]
			if !ok {
				return false
			}
			tree = inner
		case []any:
			var i int
			if json.Unmarshal([]byte(key), &i) != nil || i >= len(node) {
				return false
			}
			tree = node[i]
		default:
			return false
		}
	}
	return true
}

// The values and keys of mutations.
var (
	openKeys     = []string{"metadata", "data", "title", "summary", "label", "default", "note", "objects"}
	mutationKeys = []string{
		"note", "due_on", "title", "metadata", "url", "href", "path", "paths", "panel", "panels", "sidePanel", "HTMLText", "world_object_id", "commandUrl",
		"discard", "<b>", "a~b/c", "visibility", "members", "type", "x2card", "runtime", "a\x00",
	}
	mutationStrings = []string{
		"", "x", "Dune", "Birthday cards", "card", "infoPanel", "panel-7", "<b>x</b>", "a < b", "a <b", "https://x.example/a", "HTTP://x.example", "/world/a",
		"/worldly", "surface_runtime", "the surface_runtime here", "the surface runtime here", "library", "museum", "loan", "88", "89", "renew-88", "cover-88",
		"loans", "members", "operators", "enabled", "maybe", "selector", "text", "asc", "2026-11-24T06:00:00Z", "image/jpeg", "text/html", "a b",
		"https://u:p@x.example/", "https://x.example:y/", "freedom", "jetpack_compose", "Jetpack Compose", "SWIFTUI", "a\tb\nc", "a\u202eb", "a\u2029b", "\u200b", "a\x1b[31m", "\u0085", "ä", strings.Repeat("a", 201),
		strings.Repeat("a ", 501),
	}
)

// mutate changes one random place of a tree.
func mutate(r *rand.Rand, tree any) any {
	switch node := tree.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(node))
		switch {
		case len(keys) > 0 && r.IntN(20) == 0:
			delete(node, keys[r.IntN(len(keys))])
		case r.IntN(20) == 0:
			node[mutationKeys[r.IntN(len(mutationKeys))]] = randomValue(r)
		case len(keys) > 0:
			key := keys[r.IntN(len(keys))]
			if open := openKeys[r.IntN(len(openKeys))]; node[open] != nil {
				key = open // most values of these keys are valid
			}
			node[key] = mutate(r, node[key])
		}
		return node
	case []any:
		switch {
		case len(node) > 0 && r.IntN(15) == 0:
			return slices.Delete(node, 0, 1)
		case len(node) > 0 && r.IntN(15) == 0:
			var item any
			text, _ := json.Marshal(node[r.IntN(len(node))])
			_ = json.Unmarshal(text, &item) // a copy
			return append(node, mutate(r, item))
		case len(node) > 0:
			i := r.IntN(len(node))
			node[i] = mutate(r, node[i])
			return node
		}
	}
	return randomValue(r)
}

// randomValue returns a value, mostly a string.
func randomValue(r *rand.Rand) any {
	ref := func(provider, id string) any {
		return map[string]any{"provider": provider, "source_type": "loan", "source_id": id}
	}
	others := []any{nil, true, 0, 1, -1, 1.5, []any{}, map[string]any{}, []any{"renew-88"}, ref("library", "88"), ref("library", "89"), ref("museum", "88")}
	if r.IntN(4) == 0 {
		return others[r.IntN(len(others))]
	}
	return mutationStrings[r.IntN(len(mutationStrings))]
}

// FuzzParseSource checks that an accepted payload is encoded to an accepted payload
// with the same meaning, and contains no markup.
func FuzzParseSource(f *testing.F) {
	example := encode(f, exampleOf(f, contract.SourceContract))
	f.Add(example)
	f.Add([]byte(strings.ReplaceAll(string(example), "Dune", `\u003cb\u003e\ud800`)))
	f.Add([]byte(strings.ReplaceAll(string(example), `"total":1`, `"total":1.0e0`)))
	f.Add([]byte(strings.ReplaceAll(string(example), `{"due_on"`, ` { "a" : [ -0 , 1.50, [ ] , { } , null , true ] , "due_on"`)))
	f.Add([]byte(`{"a":{"a":1,"a":2}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := contract.ParseSource(text, "library")
		wantRejection(t, err)
		if err != nil {
			return
		}
		encoded := encode(t, s)
		again, err := contract.ParseSource(encoded, "library")
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("got %+v, %v from the encoded payload, want %+v", again, err, s)
		}
		wantNoMarkup(t, encoded)
	})
}

// FuzzParseResult is [FuzzParseSource] for results.
func FuzzParseResult(f *testing.F) {
	f.Add(encode(f, exampleOf(f, contract.ResultContract)))
	c := command(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := contract.ParseResult(text, c)
		wantRejection(t, err)
		if err != nil {
			return
		}
		encoded := encode(t, r)
		again, err := contract.ParseResult(encoded, c)
		if err != nil || !reflect.DeepEqual(r, again) {
			t.Errorf("got %+v, %v from the encoded result, want %+v", again, err, r)
		}
		if r.Provider != c.Provider || r.CommandID != c.CommandID || r.TargetSource != c.TargetSource {
			t.Errorf("got %+v, want a result of %+v", r, c)
		}
		wantNoMarkup(t, encoded)
	})
}

// wantRejection fails t if err is an error of another type, or has no problems.
func wantRejection(t *testing.T, err error) {
	t.Helper()
	var r *contract.Rejection
	if err != nil && (!errors.As(err, &r) || len(r.Problems) == 0 || len(r.Problems) > 20 || r.Total < len(r.Problems)) {
		t.Errorf("got the error %v, want a rejection with 1 to 20 problems", err)
	}
}

// wantNoMarkup fails t if a key or a string of a document contains markup.
func wantNoMarkup(t *testing.T, text []byte) {
	t.Helper()
	var check func(v any)
	check = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, inner := range v {
				check(key)
				check(inner)
			}
		case []any:
			for _, inner := range v {
				check(inner)
			}
		case string:
			if oracleMarkup(v) {
				t.Errorf("got the string %q, want no markup", v)
			}
		}
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	check(tree)
}
