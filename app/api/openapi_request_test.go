package api_test

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/svc"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// requestValues are JSON values that a field of a request may have. Null is omitted, because it
// is the same as an absent field.
var requestValues = []string{
	`true`, `1`, `-1`, `1.5`, `"x"`, `""`, `"1"`, `"true"`, `"2026-12-01"`, `"2026-12-01T09:00:00"`, `"2026-12-01T09:00:00Z"`,
	`[]`, `["x"]`, `[1]`, `["x", 1]`, `[true]`, `[[]]`, `[{}]`, `{}`, `{"x": 1}`, `{"x": "y"}`, `{"label": "x"}`, `{"latitude": 1.5}`, `{"label": 1}`,
}

// The schema of a request accepts exactly the JSON values that the server decodes, also for
// types with a decoder of their own.
func TestRequestSchemasMatchTheDecoder(t *testing.T) {
	s := apptest.New(t)
	d, fields := apptest.LoadOpenAPI(t, s.App.HTTP, ""), 0
	for pattern, input := range s.App.API.RequestTypes() {
		method, path, _ := strings.Cut(pattern, " ")
		schema, err := d.Schema("paths", path, strings.ToLower(method), "requestBody", "content", "application/json", "schema")
		if err != nil || schema == nil {
			t.Fatalf("%s: got no schema: %v", pattern, err)
		}
		for name := range properties(schema) {
			fields++
			for _, value := range requestValues {
				body := `{"` + name + `": ` + value + `}`
				v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				decoded := reflect.New(input).Interface()
				excluded, rejected := schema.Validate(v), cmp.Or(json.Unmarshal([]byte(body), decoded), svc.CheckSets(decoded))
				if (excluded == nil) != (rejected == nil) {
					t.Errorf("%s %s: got %v from the schema, and %v from the decoder of %s, want both or none", pattern, body, excluded, rejected, input)
				}
			}
		}
	}
	if fields < 150 {
		t.Errorf("got %d fields, want at least 150", fields)
	}
}

// properties returns the properties of a schema.
func properties(s *jsonschema.Schema) map[string]*jsonschema.Schema {
	for s.Ref != nil {
		s = s.Ref
	}
	return s.Properties
}
