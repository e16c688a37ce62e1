package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"appliance/assets"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// schema is a published schema, compiled.
type schema struct {
	text    map[string]any
	root    *jsonschema.Schema
	records map[string]*jsonschema.Schema // of the items of each section
}

// recordTypes names the definition of the items of each section.
var recordTypes = map[string]string{
	"objects": "Object", "relationships": "Relationship", "actions": "Action",
	"collections": "Collection", "resources": "Resource", "extensions": "Extension",
}

var (
	sourceSchema = sync.OnceValue(func() *schema { return mustCompile(SourceContract, recordTypes) })
	resultSchema = sync.OnceValue(func() *schema { return mustCompile(ResultContract, nil) })

	commandSchema = sync.OnceValue(func() *schema { return mustCompile(CommandContract, nil) })
)

// mustCompile compiles the embedded schema of a contract, with the definitions of
// its records.
func mustCompile(c Contract, records map[string]string) *schema {
	s, err := compile(c, records)
	if err != nil {
		panic(err) // the schema is embedded; tests compile it
	}
	return s
}

func compile(c Contract, records map[string]string) (*schema, error) {
	const base = "https://appliance.invalid"
	text, err := fs.ReadFile(assets.Files, fmt.Sprintf("schema/%s.%d.json", c.Name, c.Version))
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	url := base + doc.(map[string]any)["$id"].(string)
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, err
	}
	s := &schema{text: doc.(map[string]any), records: make(map[string]*jsonschema.Schema)}
	if s.root, err = compiler.Compile(url); err != nil {
		return nil, err
	}
	for section, name := range records {
		if s.records[section], err = compiler.Compile(url + "#/$defs/" + name); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// check adds the problems of a tree. The records of sections are validated one by
// one, because the validator keeps all errors of a value in memory, and a hostile
// payload may have an error in each of millions of values.
func (s *schema) check(tree any, p *problems) {
	payload, ok := tree.(map[string]any)
	if !ok || len(s.records) == 0 {
		s.validate(s.root, nil, tree, p)
		return
	}
	skeleton := maps.Clone(payload)
	for name := range s.records {
		if section, ok := payload[name].(map[string]any); ok {
			if _, ok := section["items"].([]any); ok {
				section = maps.Clone(section)
				section["items"] = []any{}
				skeleton[name] = section
			}
		}
	}
	s.validate(s.root, nil, skeleton, p)
	for _, name := range slices.Sorted(maps.Keys(s.records)) {
		section, _ := payload[name].(map[string]any)
		items, _ := section["items"].([]any)
		path := []string{name, "items"}
		if len(items) > MaxItems {
			p.add(path, "The section has %d items, the limit is %d.", len(items), MaxItems)
			continue
		}
		for i, item := range items {
			s.validate(s.records[name], append(path, strconv.Itoa(i)), item, p)
		}
	}
}

// validate adds the problems of a value at a path.
func (s *schema) validate(compiled *jsonschema.Schema, path []string, v any, p *problems) {
	if countValues(v, maxRecordValues) > maxRecordValues {
		p.add(path, "There are more than %d values here.", maxRecordValues)
		return
	}
	err := compiled.Validate(v)
	var invalid *jsonschema.ValidationError
	if err == nil {
		return
	}
	if !errors.As(err, &invalid) {
		p.add(path, "%v", err)
		return
	}
	var found []violation
	collectViolations(invalid, &found)
	slices.SortStableFunc(found, func(a, b violation) int {
		return comparePaths(a.InstanceLocation, b.InstanceLocation)
	})
	for _, v := range found {
		s.explain(v, slices.Concat(path, v.InstanceLocation), p)
	}
}

type violation = *jsonschema.ValidationError

// collectViolations adds the errors of single keywords to found.
func collectViolations(err violation, found *[]violation) {
	_, leaf := err.ErrorKind.(*kind.PropertyNames) // its causes have no location
	if leaf || len(err.Causes) == 0 {
		*found = append(*found, err)
		return
	}
	for _, cause := range err.Causes {
		collectViolations(cause, found)
	}
}

var english = message.NewPrinter(language.English)

// explain adds the problems of a violation at a path.
func (s *schema) explain(v violation, path []string, p *problems) {
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		for _, name := range k.Missing {
			p.add(path, "The key %q is missing. Add it.", name)
		}
	case *kind.AdditionalProperties:
		slices.Sort(k.Properties)
		for _, name := range k.Properties {
			p.add(append(path, name), "This key is unknown. Remove it; keys of your own may be in metadata and in the data of extensions.")
		}
	case *kind.PropertyNames:
		p.add(path, "The key %s is too long.", excerpt(k.Property))
	case *kind.Type:
		p.add(path, "This is of type %s. Write a value of type %s.", k.Got, strings.Join(k.Want, " or "))
	case *kind.Const:
		p.add(path, "This is %s. Write %s.", display(k.Got), display(k.Want))
	case *kind.Enum:
		var choices []string
		for _, choice := range k.Want {
			choices = append(choices, display(choice))
		}
		p.add(path, "This is %s. Write one of %s.", display(k.Got), strings.Join(choices, ", "))
	case *kind.Pattern:
		p.add(path, "%s does not have the right form. %s", excerpt(k.Got), s.description(v.SchemaURL))
	case *kind.Format:
		p.add(path, "%s is not a date and time in the form 2026-11-24T10:00:00Z.", display(k.Got))
	case *kind.MinLength, *kind.MinItems:
		p.add(path, "This must not be empty.")
	case *kind.MaxLength:
		p.add(path, "This has %d characters, the limit is %d.", k.Got, k.Want)
	case *kind.MaxItems:
		p.add(path, "This has %d items, the limit is %d.", k.Got, k.Want)
	case *kind.MaxProperties:
		if k.Want == 0 {
			p.add(path, "An object here must be empty. Write a list, or {} for none.")
			return
		}
		p.add(path, "This has %d keys, the limit is %d.", k.Got, k.Want)
	default:
		p.add(path, "%s.", k.LocalizedString(english))
	}
}

// display returns the beginning of a value as JSON.
func display(v any) string {
	if s, ok := v.(string); ok {
		return excerpt(s)
	}
	text, err := json.Marshal(v)
	if err != nil || len(text) > 60 {
		return "another value"
	}
	return string(text)
}

// description returns the description of the part of the schema at a URL.
func (s *schema) description(url string) string {
	_, fragment, _ := strings.Cut(url, "#")
	part := s.text
	for key := range strings.SplitSeq(strings.TrimPrefix(fragment, "/"), "/") {
		if next, ok := part[key].(map[string]any); ok {
			part = next
		}
	}
	text, _ := part["description"].(string)
	return text
}
