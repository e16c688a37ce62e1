package contract

import (
	"encoding/json"
	"reflect"
	"strings"

	"appliance/svc"
)

// ParseSource decodes and checks the source payload of a provider. The error is a
// [Rejection].
func ParseSource(data []byte, provider string) (*Source, error) {
	tree, err := parseTree(data, MaxSource, maxValues)
	if err != nil {
		return nil, err
	}
	var p problems
	sourceSchema().check(tree, &p)
	walk(tree, &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	s := new(Source)
	assign(reflect.ValueOf(s).Elem(), tree)
	checkReferences(s, provider, &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	return s, nil
}

// ParseResult decodes and checks the response to a command. The error is a
// [Rejection].
func ParseResult(data []byte, c *Command) (*Result, error) {
	tree, err := parseTree(data, MaxResult, maxRecordValues)
	if err != nil {
		return nil, err
	}
	var p problems
	resultSchema().check(tree, &p)
	walk(tree, &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	r := new(Result)
	assign(reflect.ValueOf(r).Elem(), tree)
	checkResult(r, c, &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	return r, nil
}

// ParseCommand decodes and checks a command. The error is a [Rejection].
func ParseCommand(data []byte) (*Command, error) {
	tree, err := parseTree(data, MaxResult, maxRecordValues)
	if err != nil {
		return nil, err
	}
	var p problems
	commandSchema().check(tree, &p)
	if err := p.err(); err != nil {
		return nil, err
	}
	c := new(Command)
	assign(reflect.ValueOf(c).Elem(), tree)
	if c.TargetSource.Provider != c.Provider {
		p.add([]string{"target_source", "provider"}, "The target must be an object of the provider.")
	}
	return c, p.err()
}

// assign stores a value of a valid tree in a variable of its Go type.
func assign(to reflect.Value, v any) {
	if v == nil {
		return // the key is optional
	}
	switch p := to.Addr().Interface().(type) {
	case *svc.Map:
		*p = v.(map[string]any)
		return
	case *any:
		*p = v
		return
	case *Visibility:
		*p = visibilityOf(v)
		return
	case *Input:
		if _, empty := v.(map[string]any); empty {
			*p = Input{}
			return
		}
	}
	switch to.Kind() {
	case reflect.String:
		to.SetString(v.(string))
	case reflect.Bool:
		to.SetBool(v.(bool))
	case reflect.Int:
		n, _ := v.(json.Number).Int64() // the schema limits it
		to.SetInt(n)
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		assign(to.Elem(), v)
	case reflect.Slice:
		list := v.([]any)
		to.Set(reflect.MakeSlice(to.Type(), len(list), len(list)))
		for i, item := range list {
			assign(to.Index(i), item)
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		for key, item := range v.(map[string]any) {
			element := reflect.New(to.Type().Elem()).Elem()
			assign(element, item)
			to.SetMapIndex(reflect.ValueOf(key), element)
		}
	case reflect.Struct:
		object := v.(map[string]any)
		for i := range to.NumField() {
			name, _, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
			assign(to.Field(i), object[name])
		}
	}
}

// visibilityOf returns the visibility that a valid tree describes.
func visibilityOf(v any) (visibility Visibility) {
	if group, ok := v.(string); ok {
		return Visibility{Group: group}
	}
	assign(reflect.ValueOf(&visibility.Members).Elem(), v.(map[string]any)["members"])
	return visibility
}
