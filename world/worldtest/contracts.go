package worldtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/svc"
	"appliance/svc/svctest"
	"appliance/world"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// WantSchemas fails t unless the schema of each contract in assets/schema equals
// the schema that generator derives from the Go type and its comments, and the
// examples in the schema match the type. With -update it rewrites the schemas.
// root is the directory of the module.
func WantSchemas(t *testing.T, root string, contracts []world.ContractType) {
	comments := readComments(t, root)
	for _, c := range contracts {
		t.Run(c.Name, func(t *testing.T) {
			file := filepath.Join(root, "assets", c.File())
			old, err := os.ReadFile(file)
			if err != nil && !*svctest.Update {
				t.Fatal(err)
			}
			var previous struct {
				Examples []json.RawMessage `json:"examples"`
			}
			_ = json.Unmarshal(old, &previous) // a new contract has no schema yet
			if len(previous.Examples) == 0 {
				previous.Examples = []json.RawMessage{encodeZeroValue(t, c.Type)}
			}
			g := &generator{comments: comments, defs: make(map[string]any), named: make(map[string]reflect.Type)}
			schema := g.object(c.Type)
			schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
			schema["$id"] = fmt.Sprintf("/world/schemas/%s/%d", c.Name, c.Version)
			schema["title"] = c.Name
			schema["examples"] = previous.Examples
			if len(g.defs) > 0 {
				schema["$defs"] = g.defs
			}
			got, err := json.MarshalIndent(schema, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			if *svctest.Update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			} else if !bytes.Equal(got, old) {
				t.Errorf("got another schema in %s than that of %v; run the test with -update", file, c.Type)
			}
			wantExamples(t, c, got, previous.Examples)
		})
	}
}

// wantExamples fails t unless each example is valid, and does not change when it
// is decoded to the type and encoded again.
func wantExamples(t *testing.T, c world.ContractType, schema []byte, examples []json.RawMessage) {
	t.Helper()
	compiled := Compile(t, c.Name, schema)
	for _, example := range examples {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(example))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(v); err != nil {
			t.Errorf("got an example that its schema rejects: %v", err)
		}
		value := reflect.New(c.Type)
		if err := json.Unmarshal(example, value.Interface()); err != nil {
			t.Fatal(err)
		}
		reencoded, err := json.Marshal(value.Interface())
		if err != nil {
			t.Fatal(err)
		}
		w, err := jsonschema.UnmarshalJSON(bytes.NewReader(reencoded))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, w) {
			t.Errorf("got from the type\n%s\nwant the example\n%s", reencoded, example)
		}
	}
}

// Compile compiles a schema.
func Compile(t testing.TB, name string, text []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:"+name, doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:" + name)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// encodeZeroValue encodes the zero value of a type, which is the first example of
// a new contract.
func encodeZeroValue(t *testing.T, typ reflect.Type) json.RawMessage {
	t.Helper()
	encoded, err := json.Marshal(reflect.New(typ).Interface())
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// generator generates JSON schemas from Go types.
type generator struct {
	comments map[string]string       // by package.Type and package.Type.Field
	defs     map[string]any          // schemas of structs by name
	named    map[string]reflect.Type // types of the structs in defs
}

// schema returns the schema of the JSON form of a type.
func (g *generator) schema(t reflect.Type) map[string]any {
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[svc.Map]():
		return map[string]any{"type": "object"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{g.schema(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.schema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.schema(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		name := t.Name()
		if other := g.named[name]; other != nil && other != t {
			name = path.Base(t.PkgPath()) + "." + name
		}
		if g.named[name] == nil {
			g.named[name] = t // before the schemas of its fields, which may refer to it
			g.defs[name] = g.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	}
	return map[string]any{} // any
}

// object returns the schema of a struct. It allows additional properties, because
// later versions add fields.
func (g *generator) object(t reflect.Type) map[string]any {
	properties := make(map[string]any)
	required := make([]string, 0)
	g.fields(t, false, properties, &required)
	slices.Sort(required)
	schema := map[string]any{"type": "object", "properties": properties, "required": required}
	if doc := g.comments[t.String()]; doc != "" {
		schema["description"] = doc
	}
	return schema
}

// fields adds the fields of a struct to properties, and the names of those that
// are always present to required.
func (g *generator) fields(t reflect.Type, optional bool, properties map[string]any, required *[]string) {
	for f := range fieldsOf(t) {
		tag := f.Tag.Get("json")
		name, rest, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
		case f.Anonymous && name == "":
			inner := f.Type
			if inner.Kind() == reflect.Pointer {
				g.fields(inner.Elem(), true, properties, required)
			} else {
				g.fields(inner, optional, properties, required)
			}
		default:
			schema := g.schema(f.Type)
			if doc := g.comments[t.String()+"."+f.Name]; doc != "" {
				schema["description"] = doc
			}
			if t == reflect.TypeFor[svc.ErrorDetail]() && name == "code" {
				var codes []string
				for _, c := range svc.Codes {
					codes = append(codes, c.Name)
				}
				schema["enum"] = codes
			}
			if t == reflect.TypeFor[svc.Appearance]() && name == "color" {
				schema["enum"] = svc.Colors
			}
			properties[name] = schema
			if !optional && !strings.Contains(rest, "omit") {
				*required = append(*required, name)
			}
		}
	}
}

// fieldsOf yields the fields that package json encodes.
func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && !yield(f) {
				return
			}
		}
	}
}

// readComments returns the comments of types and their fields, by package.Type and
// package.Type.Field.
func readComments(t *testing.T, root string) map[string]string {
	t.Helper()
	comments := make(map[string]string)
	for _, dir := range []string{"world", "world/*", "svc", "svc/*", "svc/calendar/*"} {
		files, _ := filepath.Glob(filepath.Join(root, dir, "*.go"))
		for _, file := range files {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				decl, ok := n.(*ast.GenDecl)
				if !ok || decl.Tok != token.TYPE {
					return true
				}
				for _, spec := range decl.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok {
						name := f.Name.Name + "." + s.Name.Name
						comments[name] = oneLine(decl.Doc.Text())
						fieldComments(comments, name, s)
					}
				}
				return false
			})
		}
	}
	return comments
}

// fieldComments adds the comments of the fields of a type.
func fieldComments(comments map[string]string, typ string, s *ast.TypeSpec) {
	st, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range st.Fields.List {
		for _, name := range f.Names {
			comments[typ+"."+name.Name] = oneLine(f.Doc.Text() + f.Comment.Text())
		}
	}
}

// oneLine returns a comment in one line, without the name of the schema.
func oneLine(comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	text, _, _ = strings.Cut(text, " Schema: ")
	return text
}
