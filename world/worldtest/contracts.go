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

// Contracts fails t unless Go types, schemas and examples are one: each schema
// is what its type makes, with the comments of the type, and its examples are
// what the type writes. Run with -update after changing a type. root is where
// the module is.
func Contracts(t *testing.T, root string, contracts []world.ContractType) {
	comments := readComments(t, root)
	for _, c := range contracts {
		t.Run(c.Name, func(t *testing.T) {
			file := filepath.Join(root, "assets", c.File())
			old, err := os.ReadFile(file)
			if err != nil && !*svctest.Update {
				t.Fatal(err)
			}
			var was struct {
				Examples []json.RawMessage `json:"examples"`
			}
			_ = json.Unmarshal(old, &was) // there is none at first
			if len(was.Examples) == 0 {
				was.Examples = []json.RawMessage{zero(t, c.Type)}
			}
			g := &generator{comments: comments, defs: make(map[string]any), named: make(map[string]reflect.Type)}
			schema := g.object(c.Type)
			schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
			schema["$id"] = fmt.Sprintf("/world/schemas/%s/%d", c.Name, c.Version)
			schema["title"] = c.Name
			schema["examples"] = was.Examples
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
				t.Errorf("%s is not what the type %v makes; run with -update", file, c.Type)
			}
			checkExamples(t, c, got, was.Examples)
		})
	}
}

// checkExamples fails t unless each example is valid, and is what the type
// writes that has read it.
func checkExamples(t *testing.T, c world.ContractType, schema []byte, examples []json.RawMessage) {
	t.Helper()
	compiled := Compile(t, c.Name, schema)
	for _, example := range examples {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(example))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(v); err != nil {
			t.Errorf("an example does not fit its schema: %v", err)
		}
		value := reflect.New(c.Type)
		if err := json.Unmarshal(example, value.Interface()); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(value.Interface())
		if err != nil {
			t.Fatal(err)
		}
		w, err := jsonschema.UnmarshalJSON(bytes.NewReader(again))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, w) {
			t.Errorf("an example is written otherwise than it was read:\n%s\n%s", example, again)
		}
	}
}

// Compile returns the schema, ready to validate.
func Compile(t *testing.T, name string, text []byte) *jsonschema.Schema {
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

// zero is what a type writes that nothing was put into: no null where there
// must be a list or an object.
func zero(t *testing.T, typ reflect.Type) json.RawMessage {
	t.Helper()
	text, err := json.Marshal(reflect.New(typ).Interface())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// generator makes schemas of types.
type generator struct {
	comments map[string]string // "package.Type" and "package.Type.Field" → what the source says of it
	defs     map[string]any
	named    map[string]reflect.Type // those of defs
}

// schema returns the schema of what a type writes.
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
			g.named[name] = t // it may contain itself
			g.defs[name] = g.object(t)
		}
		return map[string]any{"$ref": "#/$defs/" + name}
	}
	return map[string]any{} // any
}

// object returns the schema of a struct. What it does not name is allowed:
// fields are added in time.
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
			properties[name] = schema
			if !optional && !strings.Contains(rest, "omit") {
				*required = append(*required, name)
			}
		}
	}
}

// fieldsOf yields the fields that JSON sees.
func fieldsOf(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && !yield(f) {
				return
			}
		}
	}
}

// readComments returns what the sources say of types and their fields.
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

func oneLine(comment string) string {
	text := strings.Join(strings.Fields(comment), " ")
	text, _, _ = strings.Cut(text, " Schema: ")
	return text
}
