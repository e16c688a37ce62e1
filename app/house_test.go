package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/config"
	"appliance/store"
	"appliance/store/storetest"
	"appliance/svc"
	"appliance/svc/identity"
	"appliance/world"
	"appliance/world/compat"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/pflag"
)

// house is a whole server in a test: real database, real handlers, real HTTP.
type house struct {
	*server
	t     testing.TB
	web   *httptest.Server
	clock *storetest.Clock
	log   *logBook
	ran   *tally
}

// tally counts the queries that have run, by name.
type tally struct {
	mu sync.Mutex
	n  map[string]int
}

func (q *tally) add(query string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.n[query]++
}

// take returns what has been counted since it was last taken.
func (q *tally) take() map[string]int {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := q.n
	q.n = make(map[string]int)
	return n
}

// logBook is what the server has logged.
type logBook struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// testSettings are the usual ones, with a data directory of the test's own and
// password hashes that cost little.
func testSettings(t testing.TB, change ...func(*config.Settings)) *config.Settings {
	t.Helper()
	s := loadSettings(t)
	for _, c := range change {
		c(s)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

// loadSettings returns the settings of a test with those of the environment.
func loadSettings(t testing.TB, environ ...string) *config.Settings {
	t.Helper()
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Parse([]string{"--data", t.TempDir(), "--timezone", "Europe/Berlin"}); err != nil {
		t.Fatal(err)
	}
	s, err := config.Load(flags, environ)
	if err != nil {
		t.Fatal(err)
	}
	s.Argon2 = identity.Argon2{Memory: 64, Time: 1, Threads: 1}
	return s
}

// open starts a server on an empty data directory.
func open(t testing.TB, change ...func(*config.Settings)) *house {
	t.Helper()
	settings := testSettings(t, change...)
	clock := storetest.NewClock()
	path := settings.Database()
	if _, err := store.Migrate(t.Context(), path, settings.Data, nil); err != nil {
		t.Fatal(err)
	}
	ran := &tally{n: make(map[string]int)}
	db, err := store.Open(t.Context(), path, store.Options{Clock: clock.Now, OnQuery: ran.add})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	book := new(logBook)
	log := slog.New(slog.NewTextHandler(book, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := assemble(db, settings, log)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{server: s, t: t, clock: clock, log: book, ran: ran}
	h.web = httptest.NewServer(s)
	t.Cleanup(h.web.Close)
	return h
}

// restart starts the server anew on the same data.
func (h *house) restart() {
	h.t.Helper()
	if err := h.db.Close(); err != nil {
		h.t.Fatal(err)
	}
	db, err := store.Open(h.t.Context(), h.settings.Database(), store.Options{Clock: h.clock.Now, OnQuery: h.ran.add})
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { db.Close() })
	s, err := assemble(db, h.settings, h.server.log)
	if err != nil {
		h.t.Fatal(err)
	}
	h.server = s
	h.web.Config.Handler = s
}

// client is a program that acts for a member, or for nobody.
type client struct {
	t       testing.TB
	h       *house // nil if the server is a process of its own
	url     string // of the server
	web     *http.Client
	id      svc.MemberID
	name    string
	token   string
	headers map[string]string
}

const password = "correct horse battery"

// member adds a member and signs them in. The one named op is an operator.
func (h *house) member(name string) *client {
	h.t.Helper()
	email := name + "@example.org"
	if name == "op" {
		h.identity.AddOperator(email)
	}
	a, err := h.identity.Prepare(h.t.Context(), identity.Registration{
		Email: email, Username: name, DisplayName: strings.ToUpper(name[:1]) + name[1:], Password: password,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	c := h.nobody()
	c.name = name
	err = h.db.Write(h.t.Context(), func(tx *store.Tx) error {
		m, err := h.identity.AddMember(tx, identity.CommandLine("test"), a)
		c.id = m.ID
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return c.signedIn(password)
}

// nobody is a client without a credential.
func (h *house) nobody() *client {
	c := newClient(h.t, h.web.URL+h.settings.URL().Path)
	c.h = h
	return c
}

// newClient returns a client without a credential of the server at url.
func newClient(t testing.TB, url string) *client {
	return &client{t: t, name: "nobody", url: url, web: &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Timeout: time.Minute,
	}}
}

// signedIn returns the client with a token of its member.
func (c *client) signedIn(password string) *client {
	c.t.Helper()
	answer := c.do("POST", "/identity/login", map[string]any{"login": c.name, "password": password})
	d := c.with("Authorization", "Bearer "+answer.want(200).str("token.access_token"))
	d.token = answer.str("token.access_token")
	return d
}

// with returns the client with another header; an empty value takes it away.
func (c *client) with(name, value string) *client {
	d := *c
	d.headers = map[string]string{name: value}
	for n, v := range c.headers {
		if n != name {
			d.headers[n] = v
		}
	}
	return &d
}

// basic returns the client as a calendar program of the same member.
func (c *client) basic() *client {
	r, _ := http.NewRequest("GET", "/", nil)
	r.SetBasicAuth(c.name, password)
	d := c.with("Authorization", r.Header.Get("Authorization"))
	d.token = ""
	return d
}

// runtime returns the client with the header of a runtime.
func (c *client) runtime() *client { return c.with("X-Service-Runtime", "test/1.0") }

// formBody is a body that is sent as a form.
type formBody string

// answer is what came back.
type answer struct {
	t      testing.TB
	about  string
	status int
	header http.Header
	body   string

	read any // the body, once somebody has asked what it says
}

// do sends a request. A string body goes as it is, a form as a form, anything
// else as JSON.
func (c *client) do(method, path string, body ...any) *answer {
	c.t.Helper()
	a, err := c.try(method, path, body...)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

// try is do for a server that may not be there.
func (c *client) try(method, path string, body ...any) (*answer, error) {
	var text io.Reader
	kind := ""
	if len(body) > 0 {
		switch b := body[0].(type) {
		case string:
			text = strings.NewReader(b)
			if strings.HasPrefix(b, "{") {
				kind = "application/json"
			}
		case formBody:
			text, kind = strings.NewReader(string(b)), "application/x-www-form-urlencoded"
		default:
			j, err := json.Marshal(b)
			if err != nil {
				return nil, err
			}
			text, kind = bytes.NewReader(j), "application/json"
		}
	}
	r, err := http.NewRequest(method, c.url+path, text)
	if err != nil {
		return nil, err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for name, value := range c.headers {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	resp, err := c.web.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	a := &answer{t: c.t, about: c.name + ": " + method + " " + path, status: resp.StatusCode, header: resp.Header, body: string(b)}
	if a.status >= 400 && a.header.Get("Content-Type") == "application/json" {
		a.fits("service.error", a.at(""))
	}
	return a, nil
}

// fits fails the test unless v is what the contract's schema asks for (PT-44).
func (a *answer) fits(contract string, v any) {
	a.t.Helper()
	i := slices.IndexFunc(compat.Contracts, func(c world.ContractType) bool { return c.Name == contract })
	if i < 0 {
		a.t.Fatalf("there is no contract %s", contract)
	}
	schema, err := compiled(compat.Contracts[i])
	if err != nil {
		a.t.Fatal(err)
	}
	if err := schema.Validate(v); err != nil {
		a.t.Errorf("%s: %v", a.about, err)
	}
}

// want fails the test unless the answer has the status.
func (a *answer) want(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d\n%s", a.about, a.status, status, a.body)
	}
	return a
}

// refused fails the test unless the answer is that error, in the one shape of
// errors.
func (a *answer) refused(status int, code string) *answer {
	a.t.Helper()
	a.want(status)
	if got := a.str("error.code"); got != code {
		a.t.Fatalf("%s: code %q, want %q\n%s", a.about, got, code, a.body)
	}
	if a.str("error.message") == "" || a.str("error.request_id") != a.header.Get("X-Request-Id") {
		a.t.Errorf("%s: no message, or not the request's id: %s", a.about, a.body)
	}
	return a
}

// names fails the test unless the error is about the fields.
func (a *answer) names(fields ...string) *answer {
	a.t.Helper()
	var got []string
	for _, f := range a.list("error.fields") {
		got = append(got, f.(map[string]any)["name"].(string))
	}
	if strings.Join(got, " ") != strings.Join(fields, " ") {
		a.t.Errorf("%s: fields %q, want %q", a.about, got, fields)
	}
	return a
}

// compiled returns the schema of a contract, which is compiled once.
func compiled(c world.ContractType) (*jsonschema.Schema, error) {
	if s, ok := schemas.Load(c.Name); ok {
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
		schemas.Store(c.Name, s)
	}
	return s, err
}

var schemas sync.Map // by the names of their contracts

// at returns the value at a path of keys and indices such as calendars.0.id.
func (a *answer) at(path string) any {
	a.t.Helper()
	if a.read == nil {
		if err := json.Unmarshal([]byte(a.body), &a.read); err != nil {
			a.t.Fatalf("%s: not JSON: %v\n%s", a.about, err, a.body)
		}
	}
	return dig(a.read, path)
}

func dig(v any, path string) any {
	if path == "" {
		return v
	}
	for key := range strings.SplitSeq(path, ".") {
		switch node := v.(type) {
		case map[string]any:
			v = node[key]
		case []any:
			i := 0
			for _, c := range key {
				i = i*10 + int(c-'0')
			}
			if i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}

func (a *answer) str(path string) string {
	a.t.Helper()
	s, _ := a.at(path).(string)
	return s
}

func (a *answer) list(path string) []any {
	a.t.Helper()
	l, ok := a.at(path).([]any)
	if !ok {
		a.t.Fatalf("%s: %s is no list\n%s", a.about, path, a.body)
	}
	return l
}

// defaultCalendar returns the path of the member's calendar for DAV.
func (c *client) defaultCalendar() string {
	c.t.Helper()
	return c.do("GET", "/world/calendars").want(200).str("calendars.0.caldav_path")
}

// vevent is a calendar object with one event.
func vevent(uid string, lines ...string) string {
	return vobject("VEVENT", uid, lines...)
}

func vobject(component, uid string, lines ...string) string {
	all := append([]string{"BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", "BEGIN:" + component, "UID:" + uid, "DTSTAMP:20261101T120000Z"}, lines...)
	all = append(all, "END:"+component, "END:VCALENDAR", "")
	return strings.Join(all, "\r\n")
}

// viewer is the client as services know it.
func (c *client) viewer() (v svc.Viewer) {
	c.t.Helper()
	err := c.h.db.Read(c.t.Context(), func(tx *store.Tx) (err error) {
		v, err = c.h.identity.OnBehalf(tx, c.id)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// write does fn in a transaction.
func (h *house) write(fn func(*store.Tx) error) {
	h.t.Helper()
	if err := h.db.Write(h.t.Context(), fn); err != nil {
		h.t.Fatal(err)
	}
}

// long leaves a test out of short runs: one client after another does a lot in
// it, and beside the race detector that takes minutes and shows no race.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is long")
	}
}

// unlimited lifts the rate limits of reads and writes.
func unlimited(s *config.Settings) {
	s.RateLimits = map[string]int{"reads": 0, "writes": 0}
	s.Log = "error"
}
