// Package jsonschema derives JSON Schemas (draft 2020-12) from Go types: those of the
// contracts, whose tests compare them with the published schemas, and those of the
// OpenAPI description.
package jsonschema

import (
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"appliance/svc"
)

// Generator derives schemas. The zero value is not valid: Defs must be set.
type Generator struct {
	Defs     map[string]any                 // receives the schemas of structs, by name
	Prefix   string                         // of a reference to one of Defs, such as "#/$defs/"
	Name     func(reflect.Type) string      // names a struct in Defs; nil for the name of the type
	Comments map[string]string              // of types and fields, by package.Type and package.Type.Field; may be nil
	Replace  func(reflect.Type) (any, bool) // returns the schema of a type instead of the generator; may be nil
	Input    bool                           // for request bodies: no field is required
	named    map[string]reflect.Type        // types of the structs in Defs
}

// Schema returns the schema of the JSON form of a type.
func (g *Generator) Schema(t reflect.Type) any {
	if g.Replace != nil {
		if schema, ok := g.Replace(t); ok {
			return schema
		}
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[svc.Map]():
		return map[string]any{"type": "object"}
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{}
	}
	if g.Input && reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		if strings.HasPrefix(t.Name(), "Optional[") {
			return nullable(g.Schema(t.Field(0).Type))
		}
		return map[string]any{} // accepts several forms
	}
	switch t.Kind() {
	case reflect.Pointer:
		return nullable(g.Schema(t.Elem()))
	case reflect.Slice:
		return map[string]any{"type": "array", "items": g.Schema(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.Schema(t.Elem())}
	case reflect.String:
		schema := map[string]any{"type": "string"}
		if set, ok := reflect.Zero(t).Interface().(svc.Set); ok && g.Input {
			schema["enum"] = append(set.Values(), "") // the same as an absent field
		} else if ok {
			schema["enum"] = set.Values()
		}
		return schema
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		if t.Name() == "" { // of an anonymous field
			return g.Object(t)
		}
		return map[string]any{"$ref": g.Prefix + g.define(t)}
	}
	return map[string]any{} // any
}

func nullable(schema any) any {
	return map[string]any{"anyOf": []any{schema, map[string]any{"type": "null"}}}
}

// define adds the schema of a struct to Defs, and returns its name.
func (g *Generator) define(t reflect.Type) string {
	name := t.Name()
	if g.Name != nil {
		name = g.Name(t)
	}
	if g.named == nil {
		g.named = make(map[string]reflect.Type)
	}
	if other := g.named[name]; other != nil && other != t {
		name = path.Base(t.PkgPath()) + "." + name
	}
	if g.named[name] == nil {
		g.named[name] = t // before the schemas of its fields, which may refer to it
		g.Defs[name] = g.Object(t)
	}
	return name
}

// Object returns the schema of a struct. It allows additional properties, because
// later versions add fields.
func (g *Generator) Object(t reflect.Type) map[string]any {
	properties := make(map[string]any)
	required := make([]string, 0)
	g.fields(t, false, properties, &required)
	slices.Sort(required)
	schema := map[string]any{"type": "object", "properties": properties}
	if !g.Input {
		schema["required"] = required
	}
	if doc := g.Comments[t.String()]; doc != "" {
		schema["description"] = doc
	}
	return schema
}

// fields adds the fields of a struct to properties, and the names of those that
// are always present to required.
func (g *Generator) fields(t reflect.Type, optional bool, properties map[string]any, required *[]string) {
	for f := range Fields(t) {
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
		case name == "": // not encoded by name: no published type has such a field
		default:
			properties[name] = g.field(t, f)
			if !optional && !strings.Contains(rest, "omit") {
				*required = append(*required, name)
			}
		}
	}
}

// field returns the schema of a field.
func (g *Generator) field(t reflect.Type, f reflect.StructField) any {
	schema := g.Schema(f.Type)
	object, ok := schema.(map[string]any)
	if !ok {
		return schema
	}
	if doc := g.Comments[t.String()+"."+f.Name]; doc != "" {
		object["description"] = doc
	}
	return object
}

// Fields yields the fields that package json encodes.
func Fields(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && !yield(f) {
				return
			}
		}
	}
}
