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
	maxAnswer  = 16 << 20         // bytes of an answer
	maxAnswers = 256 << 20        // bytes of all
	answerTime = 30 * time.Second // within which it comes
	maxWait    = time.Minute      // when World asks to come again later
	maxTurns   = 3                // of sending one request, when it is to wait
	runtimeID  = "harness/1"      // how it calls itself
)

// probe asks a World, and keeps what it answered.
type probe struct {
	ctx      context.Context
	base     *url.URL
	token    string
	web      *http.Client
	schemas  *schemas
	progress func(done, total int)

	sent int                // requests
	read int                // bytes
	once map[string]*answer // of GETs, by path
	seen []*answer          // everything that was answered
}

func newProbe(ctx context.Context, base *url.URL, o Options) *probe {
	return &probe{
		ctx: ctx, base: base, token: o.Token, progress: o.Progress,
		schemas: newSchemas(o.Schemas), once: make(map[string]*answer),
		web: &http.Client{
			Timeout:       answerTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// request is something to ask. The zero values of its fields are a GET with
// the credential and the header of a runtime.
type request struct {
	method    string
	path      string // with its query
	body      string
	header    map[string]string // in addition; an empty value takes one away
	anonymous bool              // without the credential
}

// answer is what came back.
type answer struct {
	request
	status int
	header http.Header
	body   []byte
	doc    value // the body, if it is JSON
	err    error // there was no answer, or no JSON where it says JSON
}

// String names the request as a report does.
func (a *answer) String() string {
	text := a.method + " " + shorten(a.path, 100)
	if a.anonymous {
		text += " without credential"
	}
	return text
}

// is reports whether it is an answer with that status, and says if not.
func (a *answer) is(f *findings, want ...int) bool {
	if a.status == 0 {
		f.add("%s: %v", a, a.err)
		return false
	}
	for _, status := range want {
		if a.status == status {
			return true
		}
	}
	f.add("%s answers %d %s, not %s", a, a.status, a.doc.at("error.code").str(), strings.Trim(fmt.Sprint(want), "[]"))
	return false
}

// failure reports whether it refuses with that status and code.
func (a *answer) failure(f *findings, status int, codes ...string) {
	if !a.is(f, status) {
		return
	}
	code := a.doc.at("error.code")
	if code.str() == "" {
		f.add("%s answers %d without error.code", a, status)
	} else if len(codes) > 0 {
		f.oneOf(value{code.v, a.String() + ": error.code"}, codes...)
	}
}

// ask sends a request. It waits when World asks for that.
func (p *probe) ask(r request) *answer {
	if r.method == "" {
		r.method = http.MethodGet
	}
	var a *answer
	for turn := 1; ; turn++ {
		a = p.send(r)
		if a.status != http.StatusTooManyRequests || turn == maxTurns {
			break
		}
		seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
		if wait := time.Duration(max(seconds, 1)) * time.Second; err != nil || wait > maxWait || !p.wait(wait) {
			break
		}
	}
	p.seen = append(p.seen, a)
	return a
}

// wait reports false if the run ends before.
func (p *probe) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-p.ctx.Done():
		return false
	}
}

func (p *probe) send(r request) *answer {
	a := &answer{request: r}
	q, err := http.NewRequestWithContext(p.ctx, r.method, p.base.String()+r.path, strings.NewReader(r.body))
	if err != nil {
		a.err = err
		return a
	}
	q.Header.Set("Accept", "application/json")
	q.Header.Set("X-Service-Runtime", runtimeID)
	if r.body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	if !r.anonymous {
		q.Header.Set("Authorization", "Bearer "+p.token)
	}
	for name, v := range r.header {
		if v == "" {
			q.Header.Del(name)
		} else {
			q.Header.Set(name, v)
		}
	}
	p.sent++
	resp, err := p.web.Do(q)
	if err != nil {
		a.err = reason(err)
		return a
	}
	defer resp.Body.Close()
	a.body, a.err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	switch {
	case a.err != nil:
		a.err = reason(a.err)
		return a
	case len(a.body) > maxAnswer:
		a.err = fmt.Errorf("the answer has more than %d MiB", maxAnswer>>20)
		return a
	}
	if p.read += len(a.body); p.read > maxAnswers {
		a.body, a.err = nil, fmt.Errorf("all answers together have more than %d MiB", maxAnswers>>20)
		return a
	}
	a.status, a.header = resp.StatusCode, resp.Header
	if len(a.body) > 0 && strings.Contains(a.header.Get("Content-Type"), "json") {
		a.doc.v, a.err = decode(a.body)
	}
	return a
}

// reason takes the request out of an error of the network: the report names
// it.
func reason(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// decode reads one JSON document, with its numbers as they were written.
func decode(body []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("not JSON: something stands behind the document")
	}
	return v, nil
}

// get asks for a path once.
func (p *probe) get(path string) *answer {
	a := p.once[path]
	if a == nil {
		a = p.ask(request{path: path})
		p.once[path] = a
	}
	return a
}

// document is a JSON object that is asked for once. Without it a check fails.
func (p *probe) document(f *findings, path string) (v value, ok bool) {
	return p.get(path).object(f)
}

// object returns the answer as a JSON object.
func (a *answer) object(f *findings) (v value, ok bool) {
	if !a.is(f, http.StatusOK) {
		return v, false
	}
	if a.err != nil || !a.doc.is("object") {
		f.add("%s: the answer is no JSON object: %s", a, shorten(string(a.body), 80))
		return v, false
	}
	return a.doc, true
}

const (
	runtimePath    = "/world/runtime"
	sessionPath    = "/world/session"
	translatedPath = "/world/translated"
	mePath         = "/world/identity/me"
	schemasPath    = "/world/schemas"
)

func (p *probe) dataset(f *findings) (value, bool)    { return p.document(f, runtimePath) }
func (p *probe) session(f *findings) (value, bool)    { return p.document(f, sessionPath) }
func (p *probe) translated(f *findings) (value, bool) { return p.document(f, translatedPath) }

// post asks for the dataset of the harness.
func (p *probe) post(body string) *answer {
	return p.ask(request{method: http.MethodPost, path: sessionPath, body: body})
}

// first sees whether there is a World at all.
func (p *probe) first() error {
	a := p.get(runtimePath)
	switch {
	case a.status == 0:
		return fmt.Errorf("%s cannot be read: %w", p.base, a.err)
	case a.status == http.StatusNotFound:
		return fmt.Errorf("there is no World at %s: %s answers 404", p.base, a)
	case a.status == http.StatusUnauthorized:
		return fmt.Errorf("%s does not accept the token", p.base)
	}
	return nil
}
