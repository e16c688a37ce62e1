package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// errorSchema contains only the schema of errors.
var errorSchema = fstest.MapFS{"schema/service.error.1.json": {Data: []byte(`{"type": "object", "required": ["error"]}`)}}

// constantWorld is a World that sends the same response to every request.
type constantWorld struct {
	status int
	header http.Header
	body   string
}

func (a constantWorld) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: a.header.Clone(), Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// runChecks runs all checks against a World.
func runChecks(t testing.TB, a constantWorld) *Report {
	t.Helper()
	c := newClient(t.Context(), &url.URL{Scheme: "http", Host: "home.example.org"}, Options{Token: "the token of a member", Schemas: errorSchema})
	c.http = &http.Client{Transport: a, CheckRedirect: c.http.CheckRedirect}
	r, err := c.report(checks())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// For every response, Run returns a report with failed checks. Covers PT-45 for
// the responses that the harness reads.
func FuzzResponses(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `[]`, `null`, `"x"`, `{"objects": {}}`, `{"objects": [null, 1, [], {"actions": {"open_x": "/world/x"}}]}`, strings.Repeat("[", 10001),
		consistentDataset, `{"surface_runtime": {"stacks": [{}], "surfaces": [{}], "commands": {"focus_surface": "/world/{stack_key}"}}, "services": [{"id": "messages", "objects": {"threads": [{}]}}]}`,
		`{"field_runtime": {"controls": [{"id": "categories", "items": [{"id": "a%zz"}, {"id": "b"}]}]}}`, `{"contract": {"version": 1e999999999}}`, "{\"\x00\": \"\xff\"}",
		`{"schemas": [{"name": "service.runtime.dataset", "version": 1, "url": "/world/schemas"}], "$ref": "file:///etc/hostname"}`, `{"nav": [{"action": "/world/%2e%2e/x?%%%"}]}`,
		`{"threads": [{"id": "../../x"}], "selected_thread": {}, "messages": [1]}`, `{"error": {"code": 7}}`,
	} {
		f.Add(200, "application/json", body)
		f.Add(422, "application/json", body)
		f.Add(405, "text/html", body)
	}
	f.Fuzz(func(t *testing.T, status int, contentType, body string) {
		if status < 200 || status > 599 || status == 401 || status == 404 || status == 429 || len(body) > 1<<16 {
			t.Skip("Run ends before the checks")
		}
		r := runChecks(t, constantWorld{status, http.Header{"Content-Type": {contentType}, "Allow": {body}, "Etag": {body}}, body})
		if r.Failed == 0 || len(r.Checks) != len(checks()) || r.Passed+r.Failed+r.NotApplicable != len(r.Checks) {
			t.Errorf("got %d checks of which %d failed, want %d of which some failed", len(r.Checks), r.Failed, len(checks()))
		}
		for _, c := range r.Checks {
			if c.State == Failed && len(c.Seen) == 0 {
				t.Errorf("%s: got no problem, want one", c.Name)
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}

func TestChecksHaveDifferentNamesAndRows(t *testing.T) {
	names := make(map[string]bool)
	for _, c := range checks() {
		key := c.rows + " " + c.name
		if c.rows == "" || c.name == "" || names[key] {
			t.Errorf("got the name %q and the rows %q, want a different name and at least one row", c.name, c.rows)
		}
		names[key] = true
		for _, row := range strings.Fields(c.rows) {
			kind, n, _ := strings.Cut(row, "-")
			if !slices.Contains([]string{"W", "S", "F", "E", "P", "PT", "B", "X", "M", "O"}, kind) || len(n) != 2 && len(n) != 3 {
				t.Errorf("%s: got the row %q, want the id of a requirement", c.name, row)
			}
		}
	}
}

// A run sends only reads and requests that must be refused, contacts no other
// host, and prefetches links.
func TestRunSendsNoWrites(t *testing.T) {
	doc := `{"nav": [{"action": "https://elsewhere.example.org/x"}, {"action": "//elsewhere.example.org/x"}, {"action": "/world/x"}],
		"sections": [{"items": [{"actions": [{"type": "a", "method": "DELETE", "url": "/world/thing"}, {"type": "b", "method": "POST", "url": "/world/done", "body": {}}]}]}],
		"action_descriptors": [{"type": "submit_form", "method": "POST", "url": "/world/form", "controls": [{"id": "body", "type": "text", "required": true}, {"id": "x", "type": "text", "required": false}]},
			{"type": "edit", "method": "PATCH", "url": "/world/thing", "controls": [{"id": "body", "type": "text", "required": true}]}]}`
	sent := make(map[string]string)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent[r.Method+" "+r.URL.Path] = string(body)
		if r.URL.Path == "/world/x" && r.Method == "GET" {
			if r.Header.Get("Sec-Purpose") != "prefetch" {
				t.Errorf("GET /world/x: got Sec-Purpose %q, want prefetch", r.Header.Get("Sec-Purpose"))
			}
			sent["prefetch"] = "x"
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, doc)
	}))
	defer web.Close()
	r, err := Run(t.Context(), Options{URL: web.URL + "/", Token: "the token of a member", Schemas: errorSchema})
	if err != nil {
		t.Fatal(err)
	}
	if sent["POST /world/form"] != `{"body": ""}` {
		t.Errorf("the form: got the body %q, want empty required texts", sent["POST /world/form"])
	}
	for request := range sent {
		if request == "prefetch" {
			continue
		}
		method, path, _ := strings.Cut(request, " ")
		switch {
		case method == "GET" || method == unknownMethod:
		case slices.Contains([]string{"/world/messages", "/world/calendars", sessionPath, runtimePath, "/find/provider-source", "/surfaces/overlay", "/world/form"}, path):
		default:
			t.Errorf("got the request %s, want none that could change something", request)
		}
	}
	if !strings.Contains(fmt.Sprint(r.Checks), "elsewhere.example.org") {
		t.Errorf("got the report %v, want it to name the URLs on another host", r.Checks)
	}
	if sent["prefetch"] == "" {
		t.Error("got no request for /world/x with Sec-Purpose: prefetch, want one")
	}
}

// Run returns an error if no World responds, or if the URL or the token is
// invalid.
func TestRunWithoutAWorldIsAnError(t *testing.T) {
	stopped := httptest.NewServer(nil)
	stopped.Close()
	unauthorized := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }))
	defer unauthorized.Close()
	notFound := httptest.NewServer(http.NotFoundHandler())
	defer notFound.Close()
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{URL: notFound.URL, Token: "x"}, "there is no World at " + notFound.URL},
		{Options{URL: stopped.URL, Token: "x"}, "connection refused"},
		{Options{URL: unauthorized.URL, Token: "x"}, "does not accept the token"},
		{Options{URL: unauthorized.URL}, "there is no token"},
		{Options{URL: "home.example.org", Token: "x"}, "is not the address of a World"},
		{Options{URL: "ftp://home.example.org", Token: "x"}, "is not the address of a World"},
		{Options{URL: "http://ann:secret@home.example.org", Token: "x"}, "is not the address of a World"},
		{Options{URL: "::", Token: "x"}, "is not the address of a World"},
	} {
		if r, err := Run(t.Context(), c.o); err == nil || r != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want an error that contains %q", c.o.URL, err, c.want)
		}
	}
}

// A request is retried after Retry-After within limits, redirections are not
// followed, and large responses are cut off.
func TestRequestsHaveLimits(t *testing.T) {
	requests := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch requests++; {
		case r.URL.Path == "/large":
			for range 17 {
				w.Write(make([]byte, 1<<20))
			}
		case r.URL.Path == "/redirected":
			http.Redirect(w, r, "/again", http.StatusSeeOther)
		case r.URL.Path == "/never", requests == 1:
			w.Header().Set("Retry-After", map[bool]string{true: "99999999999999999999", false: "0"}[r.URL.Path == "/never"])
			w.WriteHeader(429)
		}
	}))
	defer web.Close()
	base, _ := url.Parse(web.URL)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := newClient(ctx, base, Options{Token: "x", Schemas: errorSchema})
	if a := c.do(request{path: "/x"}); a.status != 200 || requests != 2 {
		t.Errorf("after 429: got status %d after %d requests, want 200 after 2", a.status, requests)
	}
	if a := c.do(request{path: "/never"}); a.status != 429 || requests != 3 {
		t.Errorf("with a long Retry-After: got status %d after %d requests, want 429 after 3", a.status, requests)
	}
	if a := c.do(request{path: "/redirected"}); a.status != 303 {
		t.Errorf("a redirection: got status %d, want 303", a.status)
	}
	if a := c.do(request{path: "/large"}); a.status != 0 || a.err == nil || !strings.Contains(a.err.Error(), "more than 16 MiB") {
		t.Errorf("a large response: got status %d, %v, want an error", a.status, a.err)
	}
	cancel()
	if a := c.do(request{path: "/x"}); a.status != 0 || a.err == nil {
		t.Errorf("after the end of the run: got status %d, %v, want an error", a.status, a.err)
	}
}

// A schema cannot make the harness read files or URLs.
func TestSchemasCannotReferToOtherDocuments(t *testing.T) {
	for _, ref := range []string{"file:///etc/hostname", "http://127.0.0.1/x", "other.json"} {
		if s, err := compile([]byte(`{"$ref": "` + ref + `"}`)); err == nil || s != (*jsonschema.Schema)(nil) {
			t.Errorf("%s: got %v, want an error", ref, err)
		}
	}
}
