package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles the published schemas and caches them.
type schemas struct {
	files    fs.FS
	compiled map[string]*jsonschema.Schema // by file name
}

func newSchemas(files fs.FS) *schemas {
	return &schemas{files, make(map[string]*jsonschema.Schema)}
}

// named returns the schema of a contract.
func (s *schemas) named(name string, version int) (*jsonschema.Schema, error) {
	file := fmt.Sprintf("schema/%s.%d.json", name, version)
	if c := s.compiled[file]; c != nil {
		return c, nil
	}
	schemaText, err := fs.ReadFile(s.files, file)
	if err != nil {
		return nil, fmt.Errorf("there is no schema of %s %d", name, version)
	}
	c, err := compile(schemaText)
	if err == nil {
		s.compiled[file] = c
	}
	return c, err
}

// noReferences refuses references to other documents, so that a schema from the
// network cannot make the harness read files or URLs.
type noReferences struct{}

func (noReferences) Load(url string) (any, error) {
	return nil, errors.New("it refers to " + url)
}

// schemaBase is the address of a schema without an $id.
const schemaBase = "https://harness.invalid/schema"

// compile compiles the text of a schema.
func compile(text []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noReferences{})
	c.AssertFormat()
	if err := c.AddResource(schemaBase, doc); err != nil {
		return nil, err
	}
	return c.Compile(schemaBase)
}

// checkSchema checks a value against the schema of a contract.
func (c *client) checkSchema(rec *recorder, v value, name string, version int) {
	s, err := c.schemas.named(name, version)
	if err == nil {
		err = s.Validate(v.v)
	}
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		for len(invalid.Causes) > 0 { // report the innermost cause
			invalid = invalid.Causes[0]
		}
		rec.addProblem("%s does not fit the schema %s %d at %v: %v", v.path, name, version, invalid.InstanceLocation, invalid)
	} else if err != nil {
		rec.addProblem("%s: %v", v.path, err)
	}
}
