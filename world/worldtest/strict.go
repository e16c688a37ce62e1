package worldtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"appliance/world"
	"appliance/world/jsonschema"
)

// WantStrictSchemas fails t unless the schema of each contract in assets/schema, which
// is written by hand, has the properties of the Go type and no others, requires those
// that the type always encodes, and has examples that match the type.
func WantStrictSchemas(t *testing.T, root string, contracts []world.ContractType) {
	for _, c := range contracts {
		t.Run(c.Name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, "assets", c.File()))
			if err != nil {
				t.Fatal(err)
			}
			var schema map[string]any
			var examples struct {
				Examples []json.RawMessage `json:"examples"`
			}
			if err := json.Unmarshal(text, &schema); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(text, &examples); err != nil || len(examples.Examples) == 0 {
				t.Fatalf("got %d examples, %v, want at least one", len(examples.Examples), err)
			}
			s := strictSchema{t, schema, make(map[reflect.Type]bool)}
			s.want(schema, c.Type, "")
			wantExamples(t, c, text, examples.Examples)
		})
	}
}

// strictSchema compares a schema with a Go type.
type strictSchema struct {
	t    *testing.T
	root map[string]any
	seen map[reflect.Type]bool
}

// want compares the part of the schema at a path with the JSON form of a type.
func (s strictSchema) want(part map[string]any, typ reflect.Type, path string) {
	s.t.Helper()
	if ref, ok := part["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		part = s.root["$defs"].(map[string]any)[name].(map[string]any)
	}
	switch typ.Kind() {
	case reflect.Pointer:
		s.want(part, typ.Elem(), path)
	case reflect.Slice:
		items, ok := part["items"].(map[string]any)
		if _, limited := part["maxItems"]; !ok || !limited {
			s.t.Errorf("%s: got an array without items or maxItems, want both", path)
			return
		}
		s.want(items, typ.Elem(), path+"/0")
	case reflect.Struct:
		if encoder := reflect.TypeFor[json.Marshaler](); !typ.Implements(encoder) {
			s.wantStruct(part, typ, path)
		}
	case reflect.String:
		limited := part["maxLength"] != nil || part["enum"] != nil || part["const"] != nil || part["format"] != nil
		if !limited {
			s.t.Errorf("%s: got a string without a limit, want maxLength, enum, const or format", path)
		}
	case reflect.Map:
		if part["maxProperties"] == nil {
			s.t.Errorf("%s: got an object without maxProperties, want a limit", path)
		}
	}
}

func (s strictSchema) wantStruct(part map[string]any, typ reflect.Type, path string) {
	s.t.Helper()
	if part["additionalProperties"] != false {
		s.t.Errorf("%s: got additionalProperties %v, want false", path, part["additionalProperties"])
	}
	properties, _ := part["properties"].(map[string]any)
	var names, want, required []string
	for name := range properties {
		names = append(names, name)
	}
	for f := range jsonschema.Fields(typ) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		want = append(want, name)
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(want))) {
		s.t.Errorf("%s: got the properties %q, want those of %v, %q", path, names, typ, want)
		return
	}
	var got []string
	list, _ := part["required"].([]any)
	for _, name := range list {
		got = append(got, name.(string))
	}
	slices.Sort(got)
	if slices.Sort(required); !slices.Equal(got, required) {
		s.t.Errorf("%s: got the required properties %q, want those that %v always encodes, %q", path, got, typ, required)
	}
	if s.seen[typ] {
		return
	}
	s.seen[typ] = true
	for f := range jsonschema.Fields(typ) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if property, ok := properties[name].(map[string]any); ok {
			s.want(property, f.Type, path+"/"+name)
		}
	}
}
