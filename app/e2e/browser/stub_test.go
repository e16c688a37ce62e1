package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/apptest"
)

// stub is a proxy in front of a server that changes responses or replies itself. Rules can be added
// before and between requests. If several rules match a request, all of their edits and delays
// apply, but only the latest handler.
type stub struct {
	*server         // URL is the address of the stub
	behind  *server // the server that the stub forwards to

	closeConnections func()

	mu       sync.Mutex
	rules    []rule
	received []received
}

// rule changes the responses to requests with a method and a path that matches a pattern of
// [path.Match]. An empty method or pattern matches all requests.
type rule struct {
	method, pattern string
	edit            func(body any) any // changes the decoded JSON of a successful response
	handler         http.HandlerFunc   // replies in place of the server
	delay           time.Duration      // before the request is forwarded
}

// received is a request that the stub has received.
type received struct {
	Method, Path string // Path includes the query
	Header       http.Header
	Body         string
}

// newStub starts a server behind a stub, with the members ann, who is the operator, and
// bea.
func newStub(t *testing.T) *stub {
	t.Helper()
	longBrowserTest(t)
	behind := serveHTTP(t)
	target, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := &stub{behind: behind}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,                         // immediately, for streams
		ErrorLog:      log.New(io.Discard, "", 0), // streams that the server ends are no errors
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // the server compares it with the origin
		},
		ModifyResponse: s.applyEdits,
		ErrorHandler:   func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }, // the tab has been closed
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serve(proxy, w, r) }))
	s.closeConnections = front.CloseClientConnections
	t.Cleanup(front.CloseClientConnections) // ends streams that are still open
	process := *behind.Process
	process.URL = front.URL
	s.server = &server{Process: &process, dir: behind.dir}
	behind.addMember("bea")
	return s
}

// SignIn returns a client of a member that sends requests to the server behind the stub.
func (s *stub) SignIn(name string) *apptest.Client {
	s.T.Helper()
	return s.behind.SignIn(name)
}

// serve replies to a request or forwards it, as its rules require.
func (s *stub) serve(proxy http.Handler, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.received = append(s.received, received{r.Method, r.URL.RequestURI(), r.Header.Clone(), string(body)})
	s.mu.Unlock()
	handler := proxy
	for _, rule := range s.rulesFor(r) {
		if rule.delay > 0 {
			select {
			case <-time.After(rule.delay):
			case <-r.Context().Done():
				return
			}
		}
		if rule.handler != nil {
			handler = rule.handler
		}
		if rule.edit != nil { // request the whole uncompressed body, and no 304
			r.Header.Del("Accept-Encoding")
			r.Header.Del("If-None-Match")
		}
	}
	handler.ServeHTTP(w, r)
}

func (s *stub) rulesFor(r *http.Request) (list []rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, rule := range s.rules {
		if matches, _ := path.Match(rule.pattern, r.URL.Path); (matches || rule.pattern == "") && (rule.method == "" || rule.method == r.Method) {
			list = append(list, rule)
		}
	}
	return list
}

// modify applies the edits of the matching rules to a response.
func (s *stub) applyEdits(resp *http.Response) error {
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return nil
	}
	var edits []func(any) any
	for _, rule := range s.rulesFor(resp.Request) {
		if rule.edit != nil {
			edits = append(edits, rule.edit)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	var body any
	if err := json.NewDecoder(resp.Body).Decode(&body); err != nil {
		return err
	}
	resp.Body.Close()
	for _, edit := range edits {
		body = edit(body)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	resp.Header.Set("Content-Length", strconv.Itoa(len(text)))
	resp.Header.Del("ETag")
	return nil
}

func (s *stub) add(r rule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, r)
}

// reset removes all rules.
func (s *stub) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = nil
}

// edit changes the JSON of successful responses to GET requests for a path.
func (s *stub) edit(pattern string, edit func(body any) any) {
	s.add(rule{method: "GET", pattern: pattern, edit: edit})
}

// answer replies to requests with a status and a body in place of the server.
func (s *stub) answer(method, pattern string, status int, body string, headers ...string) {
	s.add(rule{method: method, pattern: pattern, handler: func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}})
}

// fail replies to requests with an error of World.
func (s *stub) fail(method, pattern string, status int, message string, headers ...string) {
	body := fmt.Sprintf(`{"error": {"code": "stub", "message": %q, "retryable": %t, "fields": [], "guidance": null, "request_id": "req_stub"}}`, message, status >= 500 || status == 429)
	s.answer(method, pattern, status, body, headers...)
}

// disconnect closes all connections without a response, to simulate a network failure.
func (s *stub) disconnect() {
	s.add(rule{handler: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }})
	s.closeConnections()
}

// delay delays requests.
func (s *stub) delay(method, pattern string, by time.Duration) {
	s.add(rule{method: method, pattern: pattern, delay: by})
}

// requests returns the requests with a method for paths that match a pattern.
func (s *stub) requests(method, pattern string) (list []received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.received {
		p, _, _ := strings.Cut(r.Path, "?")
		if matches, _ := path.Match(pattern, p); matches && r.Method == method {
			list = append(list, r)
		}
	}
	return list
}

// set returns decoded JSON with the value at a path of keys and indices replaced. The index
// * stands for every item of a list, and - for a new last item. Nothing changes if the
// parent is missing, as in an answer that contains only the changes.
func set(body any, at string, value any) any {
	return change(body, strings.Split(at, "."), func(any, bool) (any, bool) { return value, true })
}

// change replaces the value at a path by the result of a function, or removes it if the
// function returns false.
func change(body any, keys []string, do func(value any, exists bool) (any, bool)) any {
	if len(keys) == 0 {
		v, _ := do(body, true)
		return v
	}
	key, rest := keys[0], keys[1:]
	switch node := body.(type) {
	case map[string]any:
		child, exists := node[key]
		if len(rest) > 0 {
			if exists {
				node[key] = change(child, rest, do)
			}
		} else if v, ok := do(child, exists); ok {
			node[key] = v
		} else {
			delete(node, key)
		}
	case []any:
		if key == "-" {
			v, _ := do(nil, false)
			return append(node, v)
		}
		for i := 0; i < len(node); i++ {
			if key != "*" && key != strconv.Itoa(i) {
				continue
			}
			if len(rest) > 0 {
				node[i] = change(node[i], rest, do)
			} else if v, ok := do(node[i], true); ok {
				node[i] = v
			} else {
				node = append(node[:i], node[i+1:]...)
				i--
				if key != "*" {
					break
				}
			}
		}
		return node
	}
	return body
}

// filter returns decoded JSON with only those items of the list at a path for which keep
// returns true.
func filter(body any, at string, keep func(item any) bool) any {
	return change(body, strings.Split(at, "."), func(value any, exists bool) (any, bool) {
		list, _ := value.([]any)
		kept := []any{}
		for _, item := range list {
			if keep(item) {
				kept = append(kept, item)
			}
		}
		return kept, exists
	})
}

// at is the value at a path of decoded JSON.
var at = apptest.At

// decodeJSON returns the value of a JSON text.
func decodeJSON(text string) (v any) {
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(err)
	}
	return v
}
