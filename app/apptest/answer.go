package apptest

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"appliance/world"
	"appliance/world/compat"
)

// Answer is a response, with checks that fail the test.
type Answer struct {
	T      testing.TB
	About  string // client, method and path of the request, for messages
	Status int
	Header http.Header
	Body   string

	decoded any // the body as JSON; nil before the first use
}

// WantSchema fails the test unless v matches the JSON Schema of the contract
// (PT-44).
func (a *Answer) WantSchema(contract string, v any) {
	a.T.Helper()
	i := slices.IndexFunc(compat.Contracts, func(c world.ContractType) bool { return c.Name == contract })
	if i < 0 {
		a.T.Fatalf("there is no contract %s", contract)
	}
	schema, err := compileSchema(compat.Contracts[i])
	if err != nil {
		a.T.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		a.T.Errorf("%s: %v", a.About, err)
	}
}

// Want fails the test unless the response has the status.
func (a *Answer) Want(status int) *Answer {
	a.T.Helper()
	if a.Status != status {
		a.T.Fatalf("%s: got status %d, want %d\n%s", a.About, a.Status, status, a.Body)
	}
	return a
}

// WantError fails the test unless the response is the error with that status
// and code.
func (a *Answer) WantError(status int, code string) *Answer {
	a.T.Helper()
	a.Want(status)
	if got := a.Str("error.code"); got != code {
		a.T.Fatalf("%s: got code %q, want %q\n%s", a.About, got, code, a.Body)
	}
	if a.Str("error.message") == "" || a.Str("error.request_id") != a.Header.Get("X-Request-Id") {
		a.T.Errorf("%s: got the error %s, want a message and the request ID %s", a.About, a.Body, a.Header.Get("X-Request-Id"))
	}
	return a
}

// WantFields fails the test unless the error names exactly these fields.
func (a *Answer) WantFields(fields ...string) *Answer {
	a.T.Helper()
	var got []string
	for _, f := range a.List("error.fields") {
		got = append(got, f.(map[string]any)["name"].(string))
	}
	if strings.Join(got, " ") != strings.Join(fields, " ") {
		a.T.Errorf("%s: got the fields %q, want %q", a.About, got, fields)
	}
	return a
}

// compileSchema returns the compiled schema of a contract.
func compileSchema(c world.ContractType) (*jsonschema.Schema, error) {
	if s, ok := schemaCache.Load(c.Name); ok {
		return s.(*jsonschema.Schema), nil
	}
	text, ok := compat.Schema(c.Name, fmt.Sprint(c.Version))
	if !ok {
		return nil, fmt.Errorf("the contract %s has no schema", c.Name)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("mem:"+c.Name, doc); err != nil {
		return nil, err
	}
	s, err := compiler.Compile("mem:" + c.Name)
	if err == nil {
		schemaCache.Store(c.Name, s)
	}
	return s, err
}

// schemaCache caches compiled schemas by the name of the contract.
var schemaCache sync.Map

// At returns the value in the JSON body at a path of keys and indices, such as
// calendars.0.id. It is nil if the path does not exist.
func (a *Answer) At(path string) any {
	a.T.Helper()
	if a.decoded == nil {
		if err := json.Unmarshal([]byte(a.Body), &a.decoded); err != nil {
			a.T.Fatalf("%s: not JSON: %v\n%s", a.About, err, a.Body)
		}
	}
	return At(a.decoded, path)
}

// At returns the value at a path of keys and indices in decoded JSON, or nil.
func At(v any, path string) any {
	if path == "" {
		return v
	}
	for key := range strings.SplitSeq(path, ".") {
		switch node := v.(type) {
		case map[string]any:
			v = node[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}

// Str returns the string at a path of the body, or "".
func (a *Answer) Str(path string) string {
	a.T.Helper()
	s, _ := a.At(path).(string)
	return s
}

// List returns the array at a path of the body, which must exist.
func (a *Answer) List(path string) []any {
	a.T.Helper()
	l, ok := a.At(path).([]any)
	if !ok {
		a.T.Fatalf("%s: %s: got %v, want a list\n%s", a.About, path, a.At(path), a.Body)
	}
	return l
}

// WantValues fails the test unless the body has the values at the paths below a
// prefix.
func (a *Answer) WantValues(prefix string, want map[string]any) {
	a.T.Helper()
	if prefix != "" {
		prefix += "."
	}
	for path, value := range want {
		if got := a.At(prefix + path); fmt.Sprint(got) != fmt.Sprint(value) {
			a.T.Errorf("%s: %s%s: got %v, want %v", a.About, prefix, path, got, value)
		}
	}
}

// Values returns the value at path in each item of the list, formatted by [Text].
func (a *Answer) Values(list, path string) []string {
	a.T.Helper()
	return Values(a.List(list), path)
}

// Values returns the value at path in each item, formatted by [Text].
func Values(list []any, path string) (texts []string) {
	for _, item := range list {
		texts = append(texts, Text(At(item, path)))
	}
	return texts
}

// Column returns the texts of [Answer.Values], separated by spaces.
func (a *Answer) Column(list, path string) string {
	a.T.Helper()
	return strings.Join(a.Values(list, path), " ")
}

// Text formats a decoded JSON value. It returns "-" for null.
func Text(v any) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(v)
}
