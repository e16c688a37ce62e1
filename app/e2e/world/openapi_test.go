package world

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/httpd"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The document is valid according to the schema of OpenAPI 3.1, and contains valid
// schemas without references to other documents.
func TestOpenAPIDocumentIsValid(t *testing.T) {
	s := apptest.New(t)
	d := apptest.LoadOpenAPI(t, s.App.HTTP, "")
	file, err := os.Open("../../../testdata/openapi/schema-3.1.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	schema, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("https://spec.openapis.org/oas/3.1/schema/2022-10-07", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("https://spec.openapis.org/oas/3.1/schema/2022-10-07")
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(d.Document()); err != nil {
		t.Errorf("got a document that the schema of OpenAPI excludes: %v", err)
	}
	components := apptest.At(d.Document(), "components.schemas").(map[string]any)
	for name := range components {
		if _, err := d.Schema("components", "schemas", name); err != nil {
			t.Errorf("schema %s: %v", name, err)
		}
	}
	if len(components) < 50 {
		t.Errorf("got %d schemas, want at least 50", len(components))
	}
	wantLocalReferences(t, d.Document())
}

// wantLocalReferences fails t if a value refers to another document.
func wantLocalReferences(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && !strings.HasPrefix(ref, "#/components/") {
			t.Errorf("got the reference %s, want one to a component", ref)
		}
		for _, child := range v {
			wantLocalReferences(t, child)
		}
	case []any:
		for _, child := range v {
			wantLocalReferences(t, child)
		}
	}
}

// Every route of World except the pages is an operation, and every operation is a route.
func TestOpenAPIDescribesEveryRoute(t *testing.T) {
	s := apptest.New(t)
	d := apptest.LoadOpenAPI(t, s.App.HTTP, "")
	var want, got, ids []string
	for _, r := range s.App.HTTP.Routes() {
		if _, path, _ := strings.Cut(r.Pattern, " "); strings.HasPrefix(path, "/world/") && !r.Page && r.Access != httpd.ServiceKey && r.Access != httpd.OnBehalf {
			want = append(want, r.Pattern)
		}
	}
	for path, item := range d.Paths {
		for method, operation := range item {
			got = append(got, strings.ToUpper(method)+" "+path)
			ids = append(ids, apptest.At(operation, "operationId").(string))
			if summary, _ := apptest.At(operation, "summary").(string); summary == "" || strings.HasSuffix(summary, ".") {
				t.Errorf("%s %s: got the summary %q, want a phrase", method, path, summary)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got the operations\n%q\nwant\n%q", got, want)
	}
	slices.Sort(ids)
	if n := len(ids); len(slices.Compact(ids)) != n {
		t.Errorf("got operationIds that are not unique: %q", ids)
	}
}

// Clients without an account read the document, and validate a copy by its ETag, which
// contains the version of the program.
func TestOpenAPIDocumentIsPublicAndCached(t *testing.T) {
	s := apptest.New(t)
	c := s.Unauthenticated()
	a := c.Do("GET", "/world/openapi.json").Want(http.StatusOK)
	if got := a.Header.Get("Cache-Control"); got != "public, max-age=3600" || a.Header.Get("ETag") == "" {
		t.Errorf("got Cache-Control %s and the ETag %s", got, a.Header.Get("ETag"))
	}
	if a.Str("info.version") == "" || a.Str("openapi") != "3.1.0" {
		t.Errorf("got the version %s of the program and %s of OpenAPI", a.Str("info.version"), a.Str("openapi"))
	}
	if again := c.With("If-None-Match", a.Header.Get("ETag")).Do("GET", "/world/openapi.json"); again.Status != http.StatusNotModified || again.Body != "" {
		t.Errorf("got status %d with %d bytes, want 304 without a body", again.Status, len(again.Body))
	}
	if got := c.Do("GET", "/world/schemas").Want(http.StatusOK).Str("openapi"); got != "/world/openapi.json" {
		t.Errorf("GET /world/schemas: got the URL %s of the document", got)
	}
}
