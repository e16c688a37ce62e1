package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	maxResponse     = 16 << 20         // bytes of one response
	maxResponses    = 256 << 20        // bytes of all responses
	responseTimeout = 30 * time.Second // for one request with its response
	maxRetryAfter   = time.Minute      // longest Retry-After that is honoured
	maxAttempts     = 3                // per request, including retries after 429
	runtimeID       = "harness/1"      // X-Service-Runtime
)

// client sends requests to the World under test and records the responses.
type client struct {
	ctx      context.Context
	base     *url.URL
	token    string
	http     *http.Client
	schemas  *schemas
	progress func(done, total int)

	sent      int                  // number of requests
	received  int                  // number of bytes
	cache     map[string]*response // responses to GET requests, by path
	responses []*response          // all responses, in order
}

func newClient(ctx context.Context, base *url.URL, o Options) *client {
	return &client{
		ctx: ctx, base: base, token: o.Token, progress: o.Progress,
		schemas: newSchemas(o.Schemas), cache: make(map[string]*response),
		http: &http.Client{
			Timeout:       responseTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// request is a request to send. Zero fields mean GET, with the token and the
// X-Service-Runtime header.
type request struct {
	method          string
	path            string // path and query
	body            string
	header          map[string]string // additional headers; an empty value removes one
	unauthenticated bool              // without the token
}

// response is a response to a request.
type response struct {
	request
	status int // 0 if there was no response
	header http.Header
	body   []byte // empty for an event stream, which is not read
	doc    value  // the body, if it is JSON
	err    error  // error of the request, or of a JSON body that cannot be parsed
}

// String names the request in a report.
func (a *response) String() string {
	name := a.method + " " + truncate(a.path, 100)
	if a.unauthenticated {
		name += " without a token"
	}
	return name
}

// checkStatus reports whether the response has one of the statuses, and records a problem
// otherwise.
func (a *response) checkStatus(rec *recorder, want ...int) bool {
	if a.status == 0 {
		rec.addProblem("%s: %v", a, a.err)
		return false
	}
	for _, status := range want {
		if a.status == status {
			return true
		}
	}
	rec.addProblem("%s: got status %d %s, want %s", a, a.status, a.doc.at("error.code").str(), strings.Trim(fmt.Sprint(want), "[]"))
	return false
}

// checkError checks that the response is an error with a status and one of the
// codes.
func (a *response) checkError(rec *recorder, status int, codes ...string) {
	if !a.checkStatus(rec, status) {
		return
	}
	code := a.doc.at("error.code")
	if code.str() == "" {
		rec.addProblem("%s: got status %d without error.code", a, status)
	} else if len(codes) > 0 {
		rec.checkOneOf(code, codes...)
	}
}

// object returns the body as a JSON object, and records a problem if it is not
// one.
func (a *response) object(rec *recorder) (v value, ok bool) {
	if !a.checkStatus(rec, http.StatusOK) {
		return v, false
	}
	if a.err != nil || !a.doc.is("object") {
		rec.addProblem("%s: got %s, want a JSON object", a, truncate(string(a.body), 80))
		return v, false
	}
	return a.doc, true
}

// do sends a request and records the response. It retries when World replies
// 429 with an acceptable Retry-After.
func (c *client) do(r request) *response {
	if r.method == "" {
		r.method = http.MethodGet
	}
	var a *response
	for attempt := 1; ; attempt++ {
		a = c.send(r)
		if a.status != http.StatusTooManyRequests || attempt == maxAttempts {
			break
		}
		seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
		if wait := time.Duration(max(seconds, 1)) * time.Second; err != nil || wait > maxRetryAfter || !c.wait(wait) {
			break
		}
	}
	c.responses = append(c.responses, a)
	return a
}

// wait waits for d. It reports false if the run ends first.
func (c *client) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// send sends a request once.
func (c *client) send(r request) *response {
	a := &response{request: r}
	q, err := http.NewRequestWithContext(c.ctx, r.method, c.base.String()+r.path, strings.NewReader(r.body))
	if err != nil {
		a.err = err
		return a
	}
	c.setHeaders(q, r)
	c.sent++
	resp, err := c.http.Do(q)
	if err != nil {
		a.err = withoutURL(err)
		return a
	}
	defer resp.Body.Close()
	if isEventStream(resp.Header) {
		a.status, a.header = resp.StatusCode, resp.Header
		return a
	}
	a.body, a.err = io.ReadAll(io.LimitReader(resp.Body, maxResponse+1))
	switch {
	case a.err != nil:
		a.err = withoutURL(a.err)
		return a
	case len(a.body) > maxResponse:
		a.err = fmt.Errorf("the response has more than %d MiB", maxResponse>>20)
		return a
	}
	if c.received += len(a.body); c.received > maxResponses {
		a.body, a.err = nil, fmt.Errorf("all responses together have more than %d MiB", maxResponses>>20)
		return a
	}
	a.status, a.header = resp.StatusCode, resp.Header
	if len(a.body) > 0 && strings.Contains(a.header.Get("Content-Type"), "json") {
		a.doc.v, a.err = decode(a.body)
		a.doc.path = a.String() + ":"
	}
	return a
}

func (c *client) setHeaders(q *http.Request, r request) {
	q.Header.Set("Accept", "application/json")
	q.Header.Set("X-Service-Runtime", runtimeID)
	if r.body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	if !r.unauthenticated {
		q.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, v := range r.header {
		if v == "" {
			q.Header.Del(name)
		} else {
			q.Header.Set(name, v)
		}
	}
}

// withoutURL removes the request from a network error, since the report names
// the request.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// decode decodes one JSON document and keeps the digits of its numbers.
func decode(body []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("not JSON: there is data after the document")
	}
	return v, nil
}

// get sends GET, or returns the recorded response if it was sent before.
func (c *client) get(path string) *response {
	a := c.cache[path]
	if a == nil {
		a = c.do(request{path: path})
		c.cache[path] = a
	}
	return a
}

// prefetch is like get, but sends Sec-Purpose: prefetch, so that World moves no
// read cursor.
func (c *client) prefetch(path string) *response {
	key := "prefetch " + path
	if c.cache[key] == nil {
		c.cache[key] = c.do(request{path: path, header: map[string]string{"Sec-Purpose": "prefetch"}})
	}
	return c.cache[key]
}

// document returns the JSON object at a path. It records a problem if there is
// none.
func (c *client) document(rec *recorder, path string) (v value, ok bool) {
	return c.get(path).object(rec)
}

// Paths of the outputs.
const (
	runtimePath    = "/world/runtime"
	sessionPath    = "/world/session"
	translatedPath = "/world/translated"
	mePath         = "/world/identity/me"
	schemasPath    = "/world/schemas"
)

func (c *client) dataset(rec *recorder) (value, bool) { return c.document(rec, runtimePath) }
func (c *client) session(rec *recorder) (value, bool) { return c.document(rec, sessionPath) }
func (c *client) translatedDataset(rec *recorder) (value, bool) {
	return c.document(rec, translatedPath)
}

// postSession sends POST /world/session.
func (c *client) postSession(body string) *response {
	return c.do(request{method: http.MethodPost, path: sessionPath, body: body})
}

// checkReachable returns an error if there is no World at the URL, or if it rejects
// the token.
func (c *client) checkReachable() error {
	a := c.get(runtimePath)
	switch {
	case a.status == 0:
		return fmt.Errorf("%s cannot be read: %w", c.base, a.err)
	case a.status == http.StatusNotFound:
		return fmt.Errorf("there is no World at %s: %s returns 404", c.base, a)
	case a.status == http.StatusUnauthorized:
		return fmt.Errorf("%s does not accept the token", c.base)
	}
	return nil
}
