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

// some schemas, of which one asks for what nothing has.
var someSchemas = fstest.MapFS{"schema/service.error.1.json": {Data: []byte(`{"type": "object", "required": ["error"]}`)}}

// parrot answers everything alike.
type parrot struct {
	status int
	header http.Header
	body   string
}

func (a parrot) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: a.header.Clone(), Body: io.NopCloser(strings.NewReader(a.body)), Request: r}, nil
}

// hears returns what the checks make of a World that answers so.
func hears(t testing.TB, a parrot) *Report {
	t.Helper()
	p := newProbe(t.Context(), &url.URL{Scheme: "http", Host: "home.example.org"}, Options{Token: "a token of somebody", Schemas: someSchemas})
	p.web = &http.Client{Transport: a, CheckRedirect: p.web.CheckRedirect}
	r, err := p.report(checks())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// No answer, whatever its bytes, ends otherwise than in a report of failures.
// Covers PT-45 for the answers that the harness reads.
func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `[]`, `null`, `"x"`, `{"objects": {}}`, `{"objects": [null, 1, [], {"actions": {"open_x": "/world/x"}}]}`, strings.Repeat("[", 10001),
		closed, `{"surface_runtime": {"stacks": [{}], "surfaces": [{}], "commands": {"focus_surface": "/world/{stack_key}"}}, "services": [{"id": "messages", "objects": {"threads": [{}]}}]}`,
		`{"field_runtime": {"controls": [{"id": "categories", "items": [{"id": "a%zz"}, {"id": "b"}]}]}}`, `{"contract": {"version": 1e999999999}}`, "{\"\x00\": \"\xff\"}",
		`{"schemas": [{"name": "service.runtime.dataset", "version": 1, "url": "/world/schemas"}], "$ref": "file:///etc/hostname"}`, `{"nav": [{"action": "/world/%2e%2e/x?%%%"}]}`,
		`{"threads": [{"id": "../../x"}], "selected_thread": {}, "messages": [1]}`, `{"error": {"code": 7}}`,
	} {
		f.Add(200, "application/json", body)
		f.Add(422, "application/json", body)
		f.Add(405, "text/html", body)
	}
	f.Fuzz(func(t *testing.T, status int, kind, body string) {
		if status < 200 || status > 599 || status == 401 || status == 404 || status == 429 || len(body) > 1<<16 {
			t.Skip("it is no answer, or World does not let the harness in")
		}
		r := hears(t, parrot{status, http.Header{"Content-Type": {kind}, "Allow": {body}, "Etag": {body}}, body})
		if r.Failed == 0 || len(r.Checks) != len(checks()) || r.Passed+r.Failed+r.NotApplicable != len(r.Checks) {
			t.Errorf("%d checks, %d failed", len(r.Checks), r.Failed)
		}
		for _, c := range r.Checks {
			if c.State == Failed && len(c.Seen) == 0 {
				t.Errorf("%s failed, and does not say why", c.Name)
			}
		}
		if _, err := json.Marshal(r); err != nil {
			t.Error(err)
		}
	})
}

// Each check has a name of its own and names its rows.
func TestChecksAreNamed(t *testing.T) {
	names := make(map[string]bool)
	for _, c := range checks() {
		key := c.rows + " " + c.name
		if c.rows == "" || c.name == "" || names[key] {
			t.Errorf("check %q of %q has no name of its own, or no rows", c.name, c.rows)
		}
		names[key] = true
		for _, row := range strings.Fields(c.rows) {
			kind, n, _ := strings.Cut(row, "-")
			if !slices.Contains([]string{"W", "S", "E", "PT", "B", "X"}, kind) || len(n) != 2 && len(n) != 3 {
				t.Errorf("%s is about %q", c.name, row)
			}
		}
	}
}

// Nothing but GET, the dataset of the harness and what has to be refused is
// sent, nothing leaves for another host, and links are read ahead.
func TestItChangesNothing(t *testing.T) {
	doc := `{"nav": [{"action": "https://elsewhere.example.org/x"}, {"action": "//elsewhere.example.org/x"}, {"action": "/world/x"}],
		"sections": [{"items": [{"actions": [{"type": "a", "method": "DELETE", "url": "/world/thing"}, {"type": "b", "method": "POST", "url": "/world/done", "body": {}}]}]}],
		"action_descriptors": [{"type": "submit_form", "method": "POST", "url": "/world/form", "controls": [{"id": "body", "type": "text", "required": true}, {"id": "x", "type": "text", "required": false}]},
			{"type": "edit", "method": "PATCH", "url": "/world/thing", "controls": [{"id": "body", "type": "text", "required": true}]}]}`
	sent := make(map[string]string)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		sent[r.Method+" "+r.URL.Path] = string(body)
		if r.URL.Path == "/world/x" && r.Header.Get("Sec-Purpose") != "prefetch" && r.Method == "GET" && r.Header.Get("Authorization") != "" {
			sent["seen"] = "x"
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, doc)
	}))
	defer web.Close()
	r, err := Run(t.Context(), Options{URL: web.URL + "/", Token: "a token of somebody", Schemas: someSchemas})
	if err != nil {
		t.Fatal(err)
	}
	if sent["POST /world/form"] != `{"body": ""}` {
		t.Errorf("the form is sent as %q", sent["POST /world/form"])
	}
	for request := range sent {
		method, path, _ := strings.Cut(request, " ")
		switch {
		case method == "GET" || method == unknownMethod:
		case slices.Contains([]string{"/world/messages", "/world/calendars", sessionPath, runtimePath, "/find/provider-source", "/surfaces/overlay", "/world/form"}, path):
		default:
			t.Errorf("it sends %s", request)
		}
	}
	if !strings.Contains(fmt.Sprint(r.Checks), "elsewhere.example.org") {
		t.Error("it says nothing of addresses elsewhere")
	}
}

// Who is not there, or does not let one in, is said in one sentence, and a
// mistake in the address is found before anything is sent.
func TestNothingToCheck(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	locked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }))
	defer locked.Close()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{URL: elsewhere.URL, Token: "x"}, "there is no World at " + elsewhere.URL},
		{Options{URL: gone.URL, Token: "x"}, "connection refused"},
		{Options{URL: locked.URL, Token: "x"}, "does not accept the token"},
		{Options{URL: locked.URL}, "there is no token"},
		{Options{URL: "home.example.org", Token: "x"}, "is not the address of a World"},
		{Options{URL: "ftp://home.example.org", Token: "x"}, "is not the address of a World"},
		{Options{URL: "http://ann:secret@home.example.org", Token: "x"}, "is not the address of a World"},
		{Options{URL: "::", Token: "x"}, "is not the address of a World"},
	} {
		if r, err := Run(t.Context(), c.o); err == nil || r != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.o.URL, err)
		}
	}
}

// A World that says so is asked again later, within bounds; one that never
// ends its answer, or answers with too much, has failed.
func TestBounds(t *testing.T) {
	asked := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch asked++; {
		case r.URL.Path == "/large":
			for range 17 {
				w.Write(make([]byte, 1<<20))
			}
		case r.URL.Path == "/redirected":
			http.Redirect(w, r, "/again", http.StatusSeeOther)
		case r.URL.Path == "/never", asked == 1:
			w.Header().Set("Retry-After", map[bool]string{true: "99999999999999999999", false: "0"}[r.URL.Path == "/never"])
			w.WriteHeader(429)
		}
	}))
	defer web.Close()
	base, _ := url.Parse(web.URL)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := newProbe(ctx, base, Options{Token: "x", Schemas: someSchemas})
	if a := p.ask(request{path: "/x"}); a.status != 200 || asked != 2 {
		t.Errorf("after 429 it has %d, asked %d times", a.status, asked)
	}
	if a := p.ask(request{path: "/never"}); a.status != 429 || asked != 3 {
		t.Errorf("it waits for ever: %d, asked %d times", a.status, asked)
	}
	if a := p.ask(request{path: "/redirected"}); a.status != 303 {
		t.Errorf("it follows a redirection to %d", a.status)
	}
	if a := p.ask(request{path: "/large"}); a.status != 0 || a.err == nil || !strings.Contains(a.err.Error(), "more than 16 MiB") {
		t.Errorf("a large answer: %d, %v", a.status, a.err)
	}
	cancel()
	if a := p.ask(request{path: "/x"}); a.status != 0 || a.err == nil {
		t.Errorf("after the end: %d, %v", a.status, a.err)
	}
}

// A schema from elsewhere does not decide what is read.
func TestSchemasReadNothing(t *testing.T) {
	for _, ref := range []string{"file:///etc/hostname", "http://127.0.0.1/x", "other.json"} {
		if s, err := compile([]byte(`{"$ref": "` + ref + `"}`)); err == nil || s != (*jsonschema.Schema)(nil) {
			t.Errorf("%s: %v", ref, err)
		}
	}
}
