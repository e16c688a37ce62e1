package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"testing"

	"appliance/assets"
	"appliance/svc/provider/contract"
)

// schemaOf returns the published schema of a contract.
func schemaOf(t testing.TB, c contract.Contract) map[string]any {
	t.Helper()
	text, err := fs.ReadFile(assets.Files, fmt.Sprintf("schema/%s.%d.json", c.Name, c.Version))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	return schema
}

// exampleOf returns the first example in the schema of a contract.
func exampleOf(t testing.TB, c contract.Contract) map[string]any {
	t.Helper()
	return schemaOf(t, c)["examples"].([]any)[0].(map[string]any)
}

// command returns the example of a command.
func command(t testing.TB) *contract.Command {
	t.Helper()
	c := new(contract.Command)
	if err := json.Unmarshal(encode(t, exampleOf(t, contract.CommandContract)), c); err != nil {
		t.Fatal(err)
	}
	return c
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decode(t testing.TB, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// absent is the value of an edit that removes a key or an item.
type absent struct{}

// edit changes the value at a JSON Pointer without escapes. The last key "-" appends
// to an array.
func edit(t testing.TB, tree any, pointer string, v any) any {
	t.Helper()
	if pointer == "" {
		return v
	}
	key, rest, _ := strings.Cut(pointer[1:], "/")
	if rest != "" {
		rest = "/" + rest
	}
	switch node := tree.(type) {
	case map[string]any:
		if _, remove := v.(absent); remove && rest == "" {
			delete(node, key)
		} else {
			node[key] = edit(t, node[key], rest, v)
		}
		return node
	case []any:
		if key == "-" {
			return append(node, v)
		}
		i, err := strconv.Atoi(key)
		if err != nil || i >= len(node) {
			t.Fatalf("%s: got no item %s", pointer, key)
		}
		if _, remove := v.(absent); remove && rest == "" {
			return append(node[:i:i], node[i+1:]...)
		}
		node[i] = edit(t, node[i], rest, v)
		return node
	}
	t.Fatalf("%s: got %v, want an object or an array", pointer, tree)
	return nil
}

// wantProblem fails t unless err has a problem at a pointer whose message contains a
// text.
func wantProblem(t *testing.T, err error, pointer, message string) {
	t.Helper()
	var r *contract.Rejection
	if !errors.As(err, &r) {
		t.Errorf("got %v, want a rejection", err)
		return
	}
	if len(r.Problems) == 0 || r.Total < len(r.Problems) {
		t.Errorf("got %d problems in all and %d in the list", r.Total, len(r.Problems))
	}
	for _, p := range r.Problems {
		if p.Pointer == pointer && strings.Contains(p.Message, message) {
			return
		}
	}
	t.Errorf("got %q, want %s: …%s…", r.Problems, pointer, message)
}

// largePayload returns a payload with n objects, each with an action and a resource, all in
// one collection.
func largePayload(t testing.TB, n int) map[string]any {
	t.Helper()
	payload := exampleOf(t, contract.SourceContract)
	items := func(section string) []any { return payload[section].(map[string]any)["items"].([]any) }
	var objects, actions, resources, refs, relationships []any
	for i := range n {
		id := strconv.Itoa(i)
		clone := func(v any) map[string]any {
			var c map[string]any
			text := bytes.ReplaceAll(encode(t, v), []byte(`"88"`), []byte(strconv.Quote(id)))
			if err := json.Unmarshal(bytes.ReplaceAll(text, []byte("-88"), []byte("-"+id)), &c); err != nil {
				t.Fatal(err)
			}
			return c
		}
		o := clone(items("objects")[0])
		o["summary"] = strings.Repeat("A summary of ordinary length. ", 5)
		objects = append(objects, o)
		actions = append(actions, clone(items("actions")[0]))
		resources = append(resources, clone(items("resources")[0]))
		relationship := clone(items("relationships")[0])
		relationship["id"] = "rel-" + id
		relationships = append(relationships, relationship)
		refs = append(refs, clone(o["source"]))
	}
	for section, list := range map[string][]any{"objects": objects, "actions": actions, "resources": resources, "relationships": relationships, "extensions": {}} {
		edit(t, payload, "/"+section+"/items", list)
	}
	edit(t, payload, "/collections/items/0/items", refs)
	return payload
}
