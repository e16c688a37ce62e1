package harness

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas are shapes by the names of their contracts.
type schemas struct {
	files    fs.FS
	compiled map[string]*jsonschema.Schema
}

func newSchemas(files fs.FS) *schemas {
	return &schemas{files, make(map[string]*jsonschema.Schema)}
}

// named returns a shape of the published ones.
func (s *schemas) named(name string, version int) (*jsonschema.Schema, error) {
	file := fmt.Sprintf("schema/%s.%d.json", name, version)
	if c := s.compiled[file]; c != nil {
		return c, nil
	}
	text, err := fs.ReadFile(s.files, file)
	if err != nil {
		return nil, fmt.Errorf("there is no schema of %s %d", name, version)
	}
	c, err := compile(text)
	if err == nil {
		s.compiled[file] = c
	}
	return c, err
}

// nowhere loads no other documents: a schema does not decide what is read.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) { return nil, errors.New("it refers to " + url) }

// schemaBase is where a schema is that does not say where it is.
const schemaBase = "https://harness.invalid/schema"

// compile makes a shape of its text.
func compile(text []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(nowhere{})
	c.AssertFormat()
	if err := c.AddResource(schemaBase, doc); err != nil {
		return nil, err
	}
	return c.Compile(schemaBase)
}

// fits checks a value against a published shape.
func (p *probe) fits(f *findings, v value, about, name string, version int) {
	s, err := p.schemas.named(name, version)
	if err == nil {
		err = s.Validate(v.v)
	}
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		for len(invalid.Causes) > 0 { // the first and most particular one
			invalid = invalid.Causes[0]
		}
		f.add("%s is not %s %d: at %v: %v", about, name, version, invalid.InstanceLocation, invalid)
	} else if err != nil {
		f.add("%s: %v", about, err)
	}
}
