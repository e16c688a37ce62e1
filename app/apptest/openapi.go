package apptest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// OpenAPI is the OpenAPI document of World, with the schemas that it contains.
type OpenAPI struct {
	Paths map[string]map[string]any // operations by path and method

	document any
	compiler *jsonschema.Compiler
	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema // by JSON pointer
	checked  map[string]int                // number of checks by operation and status
}

// maxDescribedChecks limits the checks of one operation with one status, because tests
// repeat requests many times.
const maxDescribedChecks = 5

var (
	openAPI     *OpenAPI
	openAPIOnce sync.Once
)

// LoadOpenAPI returns the document of a server. base is the path of its base-url.
func LoadOpenAPI(t testing.TB, server http.Handler, base string) *OpenAPI {
	t.Helper()
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest(http.MethodGet, base+"/world/openapi.json", nil))
	d := &OpenAPI{compiler: jsonschema.NewCompiler(), compiled: make(map[string]*jsonschema.Schema), checked: make(map[string]int)}
	var err error
	if d.document, err = jsonschema.UnmarshalJSON(strings.NewReader(w.Body.String())); err != nil || w.Code != http.StatusOK {
		t.Fatalf("GET /world/openapi.json: got status %d, %v", w.Code, err)
	}
	var parts struct {
		Paths map[string]map[string]any `json:"paths"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &parts); err != nil {
		t.Fatal(err)
	}
	d.Paths = parts.Paths
	d.compiler.AssertFormat()
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	if err := d.compiler.AddResource("mem:openapi", d.document); err != nil {
		t.Fatal(err)
	}
	return d
}

// Document returns the document as JSON values.
func (d *OpenAPI) Document() any { return d.document }

// Schema returns the compiled schema at a JSON pointer, nil if the document has none.
func (d *OpenAPI) Schema(keys ...string) (*jsonschema.Schema, error) {
	pointer := ""
	for _, key := range keys {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
	}
	if _, ok := d.at(keys...); !ok {
		return nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.compiled[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile("mem:openapi#" + (&url.URL{Path: pointer}).EscapedPath())
	d.compiled[pointer] = s
	return s, err
}

// at returns the value at a path of keys.
func (d *OpenAPI) at(keys ...string) (v any, ok bool) {
	v = d.document
	for _, key := range keys {
		m, isObject := v.(map[string]any)
		if v, ok = m[key]; !isObject || !ok {
			return nil, false
		}
	}
	return v, true
}

// resolve follows the reference of a value.
func (d *OpenAPI) resolve(v any) any {
	m, _ := v.(map[string]any)
	if ref, ok := m["$ref"].(string); ok {
		v, _ = d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return v
}

// Match returns the path of the document that matches the path of a request. Literal
// segments are preferred to parameters.
func (d *OpenAPI) Match(path string) (matched string, ok bool) {
	parts, fewest := strings.Split(path, "/"), len(path)
	for template := range d.Paths {
		segments, parameters := strings.Split(template, "/"), 0
		fits := len(segments) == len(parts)
		for i := 0; fits && i < len(parts); i++ {
			if strings.HasPrefix(segments[i], "{") && parts[i] != "" {
				parameters++
			} else {
				fits = segments[i] == parts[i]
			}
		}
		if fits && parameters < fewest {
			matched, fewest, ok = template, parameters, true
		}
	}
	return matched, ok
}

// wantDescribed fails the test unless the OpenAPI document describes a request that was
// successful, and the response.
func (a *Answer) wantDescribed(c *Client, method, target string, body []byte) {
	a.T.Helper()
	if c.Server == nil || !strings.HasPrefix(target, "/world/") || c.Headers["Authorization"] == "Service "+ServiceKey {
		return
	}
	openAPIOnce.Do(func() { openAPI = LoadOpenAPI(a.T, c.Server.App.HTTP, c.Server.Settings.URL().Path) })
	if openAPI != nil {
		openAPI.check(a, method, target, body)
	}
}

func (d *OpenAPI) check(a *Answer, method, target string, body []byte) {
	path, query, _ := strings.Cut(target, "?")
	method = strings.ToLower(method)
	template, ok := d.Match(path)
	if !ok || d.Paths[template][method] == nil { // a page, or a request that fails
		return
	}
	status := fmt.Sprint(a.Status)
	d.mu.Lock()
	key := method + " " + template + " " + status
	d.checked[key]++
	skip := d.checked[key] > maxDescribedChecks
	d.mu.Unlock()
	if skip {
		return
	}
	response, ok := d.at("paths", template, method, "responses", status)
	if !ok {
		a.T.Errorf("%s: got status %s, which the OpenAPI document does not describe", a.About, status)
		return
	}
	media, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	content, _ := d.resolve(response).(map[string]any)["content"].(map[string]any)
	if a.Body != "" && content[media] == nil {
		a.T.Errorf("%s: got status %s with the media type %s, which the OpenAPI document does not describe", a.About, status, media)
		return
	}
	if a.Status >= 300 || media != "application/json" {
		return
	}
	d.checkBody(a, "response", []string{"paths", template, method, "responses", status, "content", media, "schema"}, []byte(a.Body), query)
	if json.Valid(body) {
		d.checkBody(a, "request", []string{"paths", template, method, "requestBody", "content", media, "schema"}, body, "")
	}
}

// checkBody reports an error unless a body has the schema at keys, if there is one. A response
// may have no keys that the schema does not describe, except dataset if it is requested.
func (d *OpenAPI) checkBody(a *Answer, part string, keys []string, body []byte, query string) {
	schema, err := d.Schema(keys...)
	if err != nil {
		a.T.Fatal(err)
	}
	if schema == nil {
		return
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(body)))
	if part == "request" {
		dropNulls(v) // null is the same as an absent field
	}
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		a.T.Errorf("%s: got a %s that the OpenAPI document excludes: %v", a.About, part, err)
	}
	described, _ := d.at(keys...)
	object, _ := d.resolve(described).(map[string]any)
	properties, ok := object["properties"].(map[string]any)
	if members, isObject := v.(map[string]any); ok && isObject && part == "response" {
		for key := range members {
			if properties[key] == nil && !(key == "dataset" && strings.Contains(query, "return=dataset")) {
				a.T.Errorf("%s: got the key %s, which the OpenAPI document does not describe", a.About, key)
			}
		}
	}
}

// dropNulls deletes the members of objects that are null.
func dropNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, child := range v {
			if child == nil {
				delete(v, key)
			}
			dropNulls(child)
		}
	case []any:
		for _, child := range v {
			dropNulls(child)
		}
	}
}
