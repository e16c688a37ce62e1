package jsonschema_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"appliance/svc"
	"appliance/world/jsonschema"
)

type base struct {
	ID string `json:"id"`
}

type link struct {
	URL  string `json:"url,omitempty"`
	Next *link  `json:"next"`
}

type extra struct {
	Note string `json:"note"`
}

// record has a field of each kind that contracts use.
type record struct {
	base
	*extra
	Count  int64           `json:"count"`
	Ratio  float64         `json:"ratio"`
	Done   bool            `json:"done"`
	At     time.Time       `json:"at"`
	Until  *time.Time      `json:"until"`
	Names  []string        `json:"names"`
	Sizes  map[string]int  `json:"sizes"`
	Free   svc.Map         `json:"free"`
	Raw    json.RawMessage `json:"raw"`
	Any    any             `json:"any"`
	Link   link            `json:"link,omitzero"`
	Inline struct {
		Deep int `json:"deep"`
	} `json:"inline"`
	Hidden string `json:"-"`
}

// input is a request body.
type input struct {
	Title svc.Optional[string] `json:"title"`
	Mode  mode                 `json:"mode"`
	Link  link                 `json:"link"`
}

// mode accepts several forms.
type mode struct{ name string }

func (m *mode) UnmarshalJSON([]byte) error { m.name = "any"; return nil }

// want fails t unless schema is the JSON document.
func want(t *testing.T, about string, schema any, document string) {
	t.Helper()
	encoded, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var got, wanted any
	if err := json.Unmarshal(encoded, &got); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(document), &wanted); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, wanted) {
		t.Errorf("%s: got\n%s\nwant\n%s", about, encoded, document)
	}
}

// A published schema has the fields that package json encodes, requires those that are
// always present, and leaves room for fields of later versions. Covers PT-04.
func TestSchemaHasTheFieldsOfTheJSONForm(t *testing.T) {
	g := &jsonschema.Generator{
		Defs: make(map[string]any), Prefix: "#/$defs/",
		Comments: map[string]string{"jsonschema_test.record": "a record", "jsonschema_test.record.Count": "how many", "jsonschema_test.base.ID": "opaque"},
	}
	want(t, "object", g.Object(reflect.TypeFor[record]()), `{
		"type": "object", "description": "a record",
		"required": ["any", "at", "count", "done", "free", "id", "inline", "names", "ratio", "raw", "sizes", "until"],
		"properties": {
			"id": {"type": "string", "description": "opaque"},
			"note": {"type": "string"},
			"count": {"type": "integer", "description": "how many"},
			"ratio": {"type": "number"},
			"done": {"type": "boolean"},
			"at": {"type": "string", "format": "date-time"},
			"until": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
			"names": {"type": "array", "items": {"type": "string"}},
			"sizes": {"type": "object", "additionalProperties": {"type": "integer"}},
			"free": {"type": "object"},
			"raw": {},
			"any": {},
			"link": {"$ref": "#/$defs/link"},
			"inline": {"type": "object", "properties": {"deep": {"type": "integer"}}, "required": ["deep"]}
		}}`)
	want(t, "definitions", g.Defs, `{"link": {
		"type": "object", "required": ["next"],
		"properties": {"url": {"type": "string"}, "next": {"anyOf": [{"$ref": "#/$defs/link"}, {"type": "null"}]}}}}`)
}

// A request may omit each field: the server itself reports missing ones. A field that a
// request can clear may be null.
func TestSchemaOfARequestRequiresNoField(t *testing.T) {
	g := &jsonschema.Generator{
		Defs: make(map[string]any), Prefix: "#/components/schemas/", Input: true,
		Name:    func(t reflect.Type) string { return "request." + t.Name() },
		Replace: func(t reflect.Type) (any, bool) { return map[string]any{"const": 1}, t == reflect.TypeFor[int]() },
	}
	want(t, "object", g.Object(reflect.TypeFor[input]()), `{"type": "object", "properties": {
		"title": {"anyOf": [{"type": "string"}, {"type": "null"}]},
		"mode": {},
		"link": {"$ref": "#/components/schemas/request.link"}}}`)
	want(t, "replaced type", g.Schema(reflect.TypeFor[[]int]()), `{"type": "array", "items": {"const": 1}}`)
	if _, ok := g.Defs["request.link"]; !ok || len(g.Defs) != 1 {
		t.Errorf("got the definitions %v, want request.link only", g.Defs)
	}
}

// Two structs with one name have different definitions.
func TestStructsWithTheSameNameHaveTheirOwnDefinitions(t *testing.T) {
	type Appearance struct {
		Shade int `json:"shade"`
	}
	g := &jsonschema.Generator{Defs: make(map[string]any), Prefix: "#/"}
	want(t, "first", g.Schema(reflect.TypeFor[Appearance]()), `{"$ref": "#/Appearance"}`)
	want(t, "second", g.Schema(reflect.TypeFor[svc.Appearance]()), `{"$ref": "#/svc.Appearance"}`)
	want(t, "first again", g.Schema(reflect.TypeFor[Appearance]()), `{"$ref": "#/Appearance"}`)
}

// A client can handle each error code and color by name, so the schemas list them.
func TestClosedSetsAreListed(t *testing.T) {
	g := &jsonschema.Generator{Defs: make(map[string]any), Prefix: "#/"}
	property := func(t reflect.Type, name string) any {
		return g.Object(t)["properties"].(map[string]any)[name].(map[string]any)["enum"]
	}
	codes, _ := property(reflect.TypeFor[svc.ErrorDetail](), "code").([]string)
	if len(codes) != len(svc.Codes) || codes[0] != svc.Codes[0].Name {
		t.Errorf("got the codes %q, want the %d of package svc", codes, len(svc.Codes))
	}
	if got := property(reflect.TypeFor[svc.Appearance](), "color"); !reflect.DeepEqual(got, svc.Color("").Values()) {
		t.Errorf("got the colors %v, want %v", got, svc.Color("").Values())
	}
	if got := property(reflect.TypeFor[svc.ErrorDetail](), "message"); got != nil {
		t.Errorf("got the texts %v, want any text", got)
	}
}
