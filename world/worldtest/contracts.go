package worldtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"appliance/svc/svctest"
	"appliance/world"
	"appliance/world/jsonschema"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// WantSchemas fails t unless the schema of each contract in assets/schema equals
// the schema that package jsonschema derives from the Go type and its comments, and the
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
			g := &jsonschema.Generator{Comments: comments, Defs: make(map[string]any), Prefix: "#/$defs/"}
			schema := g.Object(c.Type)
			schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
			schema["$id"] = fmt.Sprintf("/world/schemas/%s/%d", c.Name, c.Version)
			schema["title"] = c.Name
			schema["examples"] = previous.Examples
			if len(g.Defs) > 0 {
				schema["$defs"] = g.Defs
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
		v, err := validator.UnmarshalJSON(bytes.NewReader(example))
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
		w, err := validator.UnmarshalJSON(bytes.NewReader(reencoded))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(v, w) {
			t.Errorf("got from the type\n%s\nwant the example\n%s", reencoded, example)
		}
	}
}

// Compile compiles a schema.
func Compile(t testing.TB, name string, text []byte) *validator.Schema {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
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
