package app

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"appliance/app/config"
	"appliance/svc"
)

// sample fills the wildcards of a route's pattern.
func sample(pattern string) (method, path string) {
	method, path, found := strings.Cut(pattern, " ")
	if !found {
		method, path = "PROPFIND", pattern
	}
	path = strings.TrimSuffix(path, "{$}")
	for strings.Contains(path, "{") {
		before, rest, _ := strings.Cut(path, "{")
		_, after, _ := strings.Cut(rest, "}")
		path = before + "none" + after
	}
	return method, path
}

// Nobody without a credential gets anything out of a route that wants one, and
// a member nothing out of those between services, be the service there or
// switched off. Covers W-02, W-06, W-18, I-12 and PT-08 as far as errors go.
func TestEveryRouteAsksWhoIsThere(t *testing.T) {
	routesAsk(t, open(t, unlimited))
	routesAsk(t, open(t, unlimited, func(s *config.Settings) { s.ServicesOff = []string{"time", "messages", "social", "surface"} }))
}

func routesAsk(t *testing.T, h *house) {
	t.Helper()
	ann := h.member("ann")
	for _, rt := range h.routes() {
		method, path := sample(rt.pattern)
		stranger := h.nobody().do(method, path)
		switch {
		case rt.between():
			stranger.refused(404, "not_found")
			ann.do(method, path).refused(404, "not_found")
			ann.with("Authorization", "Service guess").do(method, path).refused(404, "not_found")
			for _, other := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"} {
				if a := ann.do(other, path).refused(404, "not_found"); a.header.Get("Allow") != "" {
					t.Errorf("%s %s names its methods: %s", other, path, a.header.Get("Allow"))
				}
			}
		case rt.page && (rt.access == member || rt.access == operator):
			if stranger.want(303).header.Get("Location")[:len("/world/login")] != "/world/login" {
				t.Errorf("%s: sent to %s", rt.pattern, stranger.header.Get("Location"))
			}
		case rt.access == member || rt.access == operator:
			stranger.refused(401, "unauthenticated")
			if stranger.header.Get("WWW-Authenticate") != `Bearer realm="world"` {
				t.Errorf("%s: no challenge", rt.pattern)
			}
			ann.with("Authorization", "Bearer svc_garbage").do(method, path).refused(401, "unauthenticated")
			ann.basic().do(method, path).refused(401, "unauthenticated")
		}
		if rt.access == operator && !rt.page {
			ann.do(method, path).refused(403, "permission_denied")
		}
	}
}

// Covers W-13.
func TestUnknownPathsAndMethods(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	ann.do("GET", "/world/nope").refused(404, "not_found")
	ann.do("GET", "/world/stream").refused(404, "not_found")
	ann.do("GET", "/world//calendars").refused(404, "not_found")
	ann.do("GET", "/world/../world/calendars").refused(404, "not_found")
	a := ann.do("PUT", "/world/calendars").refused(405, "method_not_allowed")
	if got := a.header.Get("Allow"); got != "GET, HEAD, POST" {
		t.Errorf("Allow: %s", got)
	}
}

// Covers W-08, W-10, W-11, W-12, W-48, E-02, E-15, L-10, B-86, B-87 and PT-09.
func TestBodies(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	create := "/world/calendars"
	ann.with("Content-Type", "application/json").do("POST", create, "{").refused(400, "malformed_body")
	ann.with("Content-Type", "application/json").do("POST", create, `[1]`).refused(400, "malformed_body")
	ann.with("Content-Type", "application/json").do("POST", create, `{"name": "a"} {"name": "b"}`).refused(400, "malformed_body")
	ann.with("Content-Type", "application/json").do("POST", create, "{\"name\": \"\xff\"}").refused(400, "malformed_body")
	wrong := ann.do("POST", create, `{"name": []}`).refused(400, "malformed_body").names("name")
	if got := wrong.str("error.message"); got != "name has a value of the wrong kind (array)." {
		t.Errorf("what is wrong is told as %q", got)
	}
	ann.do("POST", create, `{"name": 7}`).refused(400, "malformed_body").names("name")
	ann.do("PATCH", "/world/calendars/none", `{"order": "first"}`).refused(400, "malformed_body").names("order")
	ann.do("POST", create).refused(400, "field_required").names("name")
	ann.do("POST", create, `{}`).refused(400, "field_required").names("name")
	ann.do("POST", create, `{"name": "  "}`).refused(400, "field_required").names("name")
	ann.do("POST", create, `{"name": "a\nb"}`).refused(422, "invalid_value").names("name")
	ann.do("POST", create, map[string]any{"name": strings.Repeat("é", svc.MaxName+1)}).refused(422, "too_long").names("name")
	ann.do("POST", create, map[string]any{"name": "a", "color": "blue", "timezone": "Mars/X"}).refused(422, "invalid_value").names("color", "timezone")
	ann.with("Content-Type", "text/xml").do("POST", create, "<a/>").refused(415, "unsupported_media_type")
	ann.with("Content-Type", "not a type").do("POST", create, "x").refused(415, "unsupported_media_type")
	ann.do("GET", "/world/time/objects?limit=many").refused(400, "invalid_parameter").names("limit")
	if n := len(ann.do("GET", create).list("calendars")); n != 1 {
		t.Fatalf("%d calendars after all those refusals, want the first one alone", n)
	}

	// What is quoted is quoted in part.
	long := strings.Repeat("9", 900_000)
	for _, a := range []*answer{
		ann.do("PATCH", "/world/calendars/none", `{"order": `+long+`}`).refused(400, "malformed_body").names("order"),
		ann.with("Content-Type", "text/"+strings.Repeat("x", 30_000)).do("POST", create, "<a/>").refused(415, "unsupported_media_type"),
		ann.do("POST", create, formBody(long[:500_000]+"=%ff")).refused(400, "malformed_body"),
	} {
		if len(a.body) > 2000 {
			t.Errorf("%s: an answer of %d bytes", a.about, len(a.body))
		}
	}

	big := `{"name": "` + strings.Repeat("x", 2<<20) + `"}`
	ann.do("POST", create, big).refused(413, "body_too_large")

	ann.do("POST", create+"?unknown=1", `{"name": "Unknown things", "shape": {"round": true}}`).want(201)
	// The same as a form, and again as the other kind of form.
	ann.do("POST", create, formBody("name=Form&color=%23102030")).want(201)
	multipart := "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nParts\r\n--x--\r\n"
	ann.with("Content-Type", "multipart/form-data; boundary=x").do("POST", create, multipart).want(201)
	file := strings.Replace(multipart, `name="name"`, `name="name"; filename="a.txt"`, 1)
	ann.with("Content-Type", "multipart/form-data; boundary=x").do("POST", create, file).refused(415, "unsupported_media_type")
	id := ann.do("GET", create).str("calendars.2.id")
	if got := ann.do("POST", create+"/"+id, formBody("_method=PATCH&visible=0&order=9")).want(200); got.at("calendar.visible") != false || got.at("calendar.order") != 9.0 {
		t.Errorf("a form that means PATCH: %s", got.body)
	}
	ann.do("POST", create+"/"+id, formBody("_method=DELETE")).want(200)
	ann.do("POST", create+"/"+id, formBody("_method=GET")).refused(405, "method_not_allowed")
}

// Of what strangers send, little is read; and a form says within as little
// that it means another method. Covers B-83.
func TestBodiesOfStrangers(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.Registration = "open" })
	long := strings.Repeat("x", maxStrangerBody)
	for _, path := range []string{"/identity/login", "/identity/register"} {
		h.nobody().do("POST", path, map[string]any{"login": long, "password": "x"}).refused(413, "body_too_large")
	}
	code := h.newSetupCode()
	for _, path := range []string{"/world/login", "/world/register", "/world/invite/none", "/setup?code=" + code} {
		h.nobody().do("POST", path, formBody("login="+long)).want(413)
	}
	ann := h.member("ann")
	id := ann.do("POST", "/world/calendars", `{"name": "a"}`).want(201).str("calendar.id")
	ann.do("POST", "/world/calendars/"+id, formBody("_method=PATCH&name=b&x=%"+long)).want(400)
	form := formBody("_method=PATCH&name=b&x=" + long + long)
	if got := ann.do("POST", "/world/calendars/"+id, form).want(200).str("calendar.name"); got != "b" {
		t.Errorf("a long form changed the name to %q", got)
	}
}

// counted is a body that never ends and counts what is read of it.
type counted struct{ n int }

func (c *counted) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	c.n += len(p)
	return len(p), nil
}

// Before it is known who sends a body, no more of it is kept than a stranger's.
func TestLittleIsReadOfAStrangersBody(t *testing.T) {
	h := open(t)
	for _, path := range []string{"/world/calendars", "/world/nowhere", "/world/login/done"} {
		endless := new(counted)
		r := httptest.NewRequest("POST", path, endless)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		h.ServeHTTP(httptest.NewRecorder(), r)
		if endless.n > 2*maxStrangerBody {
			t.Errorf("%s: %d bytes were read", path, endless.n)
		}
	}
}

// A form says the same as JSON (PT-31).
func TestFormsSayTheSameAsJSON(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	same := func(path, asForm, asJSON string, what ...string) {
		t.Helper()
		a, b := ann.do("POST", path, formBody(asForm)).want(201), ann.do("POST", path, asJSON).want(201)
		for _, w := range what {
			if fmt.Sprint(a.at(w)) != fmt.Sprint(b.at(w)) {
				t.Errorf("%s of %s is %v, as JSON %v", w, path, a.at(w), b.at(w))
			}
		}
	}
	same("/world/calendars", "name=A&order=3", `{"name": "A", "order": 3}`, "calendar.name", "calendar.order", "calendar.color")
	same("/world/time/objects",
		"object_type=calendar_event&title=T&start=2026-12-01T09:00:00&all_day=&exdates[]=2026-12-02T09:00:00&exdates[]=2026-12-03T09:00:00&rrule=FREQ%3DDAILY%3BCOUNT%3D5&alarm_minutes=15&end=",
		`{"object_type": "calendar_event", "title": "T", "start": "2026-12-01T09:00:00", "all_day": false, "rrule": "FREQ=DAILY;COUNT=5",
		  "exdates": ["2026-12-02T09:00:00", "2026-12-03T09:00:00"], "alarms": [{"trigger": "-PT15M"}]}`,
		"object.title", "object.state.start", "object.state.end", "object.state.all_day", "object.state.recurrence", "object.state.alarms")
	same("/world/time/objects", "object_type=task&title=T&due=2026-12-01&priority=3&percent_complete=40",
		`{"object_type": "task", "title": "T", "due": "2026-12-01", "priority": 3, "percent_complete": 40}`,
		"object.state.due", "object.state.priority", "object.state.percent_complete", "object.state.all_day")
}

// Covers I-17, I-18 and B-08.
func TestOtherSitesCannotAct(t *testing.T) {
	h := open(t)
	ann := h.member("ann")
	browser := h.nobody().with("Cookie", cookieName+"="+ann.token)
	browser.do("GET", "/world/identity/me").want(200)
	browser.with("Sec-Fetch-Site", "same-origin").do("POST", "/world/calendars", `{"name": "Mine"}`).want(201)
	for name, evil := range map[string]*client{
		"cross-site":       browser.with("Sec-Fetch-Site", "cross-site"),
		"same-site":        browser.with("Sec-Fetch-Site", "same-site"),
		"an older browser": browser.with("Origin", "https://evil.example"),
		"a sandbox":        browser.with("Origin", "null"),
	} {
		for _, path := range []string{"/world/calendars", "/identity/logout", "/account/sessions/delete", "/admin/members/update", "/world/login"} {
			if a := evil.do("POST", path, formBody("name=Theirs&all=1")); a.status != 403 {
				t.Errorf("%s: POST %s: %d", name, path, a.status)
			}
		}
	}
	// Behind a proxy the Host is another one, but the address is known.
	browser.with("Origin", h.settings.URL().Scheme+"://"+h.settings.URL().Host).do("POST", "/world/calendars", `{"name": "Two"}`).want(201)
	if n := len(ann.do("GET", "/world/calendars").list("calendars")); n != 3 {
		t.Errorf("%d calendars, want the default one and two", n)
	}
}

// Covers E-19 and B-02: what goes wrong inside is told to the log alone.
func TestPanicIsOneRequestsOwn(t *testing.T) {
	h := open(t)
	h.mux.Handle("GET /boom", h.serve(route{access: public, handle: func(http.ResponseWriter, *http.Request, svc.Viewer) error {
		panic("the secret of SELECT")
	}}))
	a := h.nobody().do("GET", "/boom").refused(500, "internal_error")
	if strings.Contains(a.body, "SELECT") || !strings.Contains(h.log.String(), "the secret of SELECT") {
		t.Errorf("the cause belongs into the log alone: %s", a.body)
	}
	h.nobody().do("GET", "/health").want(200)
}

// A client that names a method of its own fills no log.
func TestLogIsShort(t *testing.T) {
	h := open(t)
	h.nobody().do(strings.Repeat("M", 60_000), "/nowhere").want(404)
	if a := h.member("ann").basic().do(strings.Repeat("M", 60_000), "/caldav/").want(501); len(a.body) > 1000 {
		t.Errorf("the answer has %d bytes: %.100s…", len(a.body), a.body)
	}
	for line := range strings.Lines(h.log.String()) {
		if len(line) > 1000 {
			t.Errorf("a line of %d bytes: %.100s…", len(line), line)
		}
	}
}

// Programs ask once without a credential, and then with one: only who says
// something wrong is worth a line.
func TestWhoSaysNothingIsNotLogged(t *testing.T) {
	h := open(t)
	h.member("ann")
	events := func() int { return strings.Count(h.log.String(), `level=INFO msg="request failed"`) }
	h.nobody().do("PROPFIND", "/caldav/").want(401)
	h.nobody().do("GET", "/account").want(303)
	h.nobody().do("GET", "/world/runtime").want(401)
	if n := events(); n != 0 {
		t.Errorf("without a credential: %d lines\n%s", n, h.log)
	}
	h.nobody().with("Authorization", "Basic eDp5").do("PROPFIND", "/caldav/").want(401)
	h.nobody().with("Authorization", "Basic ").do("PROPFIND", "/caldav/").want(401)
	h.nobody().with("Authorization", "Bearer x").do("GET", "/world/runtime").want(401)
	h.nobody().with("Cookie", cookieName+"=x").do("GET", "/account").want(303)
	h.nobody().do("POST", "/identity/login", map[string]any{"login": "ann", "password": "x"}).want(401)
	if n := events(); n != 5 {
		t.Errorf("with wrong ones: %d lines, want 5\n%s", n, h.log)
	}
}

// Covers L-13 and B-81.
func TestRateLimits(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.RateLimits = map[string]int{"writes": 2} })
	ann, bea := h.member("ann"), h.member("bea")
	for range 2 {
		ann.do("POST", "/world/calendars", `{"name": "x"}`).want(201)
	}
	a := ann.do("POST", "/world/calendars", `{"name": "x"}`).refused(429, "rate_limited")
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	ann.do("GET", "/world/calendars").want(200)
	bea.do("POST", "/world/calendars", `{"name": "x"}`).want(201)
}

// Covers B-88.
func TestIdempotencyKeys(t *testing.T) {
	h := open(t)
	ann, bea := h.member("ann").with("Idempotency-Key", "k1"), h.member("bea").with("Idempotency-Key", "k1")
	var all sync.WaitGroup
	bodies := make([]string, 8)
	for i := range bodies {
		all.Go(func() { bodies[i] = ann.do("POST", "/world/calendars", `{"name": "Once"}`).want(201).body })
	}
	all.Wait()
	if len(slices.Compact(bodies)) != 1 {
		t.Error("the same request had different answers")
	}
	ann.do("POST", "/world/calendars", `{"name": "Other"}`).refused(422, "idempotency_key_reused")
	ann.with("Idempotency-Key", strings.Repeat("x", 200)).do("POST", "/world/calendars", `{"name": "Other"}`).refused(422, "idempotency_key_reused")
	bea.do("POST", "/world/calendars", `{"name": "Bea's"}`).want(201)
	if n := len(ann.do("GET", "/world/calendars").list("calendars")); n != 2 {
		t.Errorf("%d calendars, want the default one and one more", n)
	}
	// A refusal is not kept: what was wrong can be mended under the same key.
	ann.with("Idempotency-Key", "k2").do("POST", "/world/calendars", `{}`).want(400)
	ann.with("Idempotency-Key", "k2").do("POST", "/world/calendars", `{"name": "Mended"}`).want(201)
	h.clock.Advance(25 * 60 * 60 * 1e9)
	ann.do("POST", "/world/calendars", `{"name": "A day later"}`).want(201)
}

// Everything works below the path of base-url. Covers W-07 and SH-27.
func TestBelowAPath(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.BaseURL = "https://example.org/home/" })
	ann := h.member("ann")
	ann.do("GET", "/world/identity/me").want(200)
	a := h.nobody().do("POST", "/world/login", formBody("login=ann&password="+strings.ReplaceAll(password, " ", "+")+"&return_to=/account")).want(303)
	if got := a.header.Get("Location"); got != "/home/account" {
		t.Errorf("sent to %s", got)
	}
	if c := a.header.Get("Set-Cookie"); !strings.Contains(c, "Path=/home/;") || !strings.Contains(c, "Secure") {
		t.Errorf("cookie %s", c)
	}
	body := ann.basic().with("Depth", "1").do("PROPFIND", "/caldav/1/calendars/").want(207).body
	if !strings.Contains(body, "<D:href>/home/caldav/1/calendars/cal_") {
		t.Errorf("hrefs without the path: %s", body)
	}
	if got := h.nobody().do("PROPFIND", "/.well-known/caldav").want(301).header.Get("Location"); got != "/home/caldav/" {
		t.Errorf("well-known leads to %s", got)
	}
	if rt := ann.runtime().do("GET", "/world/runtime").want(200).body; strings.Contains(rt, "/home/world") || strings.Contains(rt, "example.org/home") {
		t.Error("the dataset knows of the path")
	}
	outside, err := http.Get(h.web.URL + "/world/login")
	if err != nil || outside.StatusCode != 404 {
		t.Errorf("outside of the path: %v, %v", outside.StatusCode, err)
	}
	outside.Body.Close()
}

// Covers I-23, W-38's absence of versions, and B-16.
func TestHealthAndReadiness(t *testing.T) {
	h := open(t)
	if h.nobody().do("GET", "/health").want(200).str("status") != "ok" {
		t.Error("not ok")
	}
	if got := h.nobody().do("GET", "/ready").want(200).body; got != "appliance ready: identity world surface messages social time\n" {
		t.Errorf("ready says %q", got)
	}
	if got := h.nobody().do("GET", "/ready/time").want(200).body; got != "time ready\n" {
		t.Errorf("time says %q", got)
	}
	h.nobody().do("GET", "/ready/nothing").refused(404, "not_found")
	if got := h.nobody().do("GET", "/health/identity").want(200).str("service"); got != "identity" {
		t.Errorf("identity is %q", got)
	}
}

// A service that is switched off is missing, and nothing else is. Covers W-54
// and E-06.
func TestServiceSwitchedOff(t *testing.T) {
	h := open(t, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	ann := h.member("ann")
	ann.do("GET", "/world/calendars").refused(503, "service_unavailable")
	ann.basic().do("PROPFIND", "/caldav/").want(503)
	h.nobody().do("GET", "/ready/time").refused(503, "service_unavailable")
	h.nobody().do("GET", "/ready").want(200)
	a := ann.runtime().do("GET", "/world/runtime").want(200)
	found := false
	for _, f := range a.list("fallbacks") {
		found = found || dig(f, "scope.service") == "time" && dig(f, "state") == "unavailable"
	}
	if !found {
		t.Errorf("no word of it in the dataset: %v", a.at("fallbacks"))
	}
}

// paced is a connection that notes how far an answer was whenever its deadline
// was put off.
type paced struct {
	*httptest.ResponseRecorder
	at []int
}

func (p *paced) SetWriteDeadline(time.Time) error {
	p.at = append(p.at, p.Body.Len())
	return nil
}

// Whoever reads a large answer slowly has time for each part of it.
func TestSlowReadersGetAll(t *testing.T) {
	p := &paced{ResponseRecorder: httptest.NewRecorder()}
	w := &response{ResponseWriter: p}
	text := strings.Repeat("x", sendAtOnce/4) + strings.Repeat("y", 3*sendAtOnce)
	for _, part := range []string{text[:1000], text[1000:2000], text[2000:]} {
		if n, err := io.WriteString(w, part); n != len(part) || err != nil {
			t.Fatalf("wrote %d of %d, %v", n, len(part), err)
		}
	}
	if want := []int{sendAtOnce, 2 * sendAtOnce, 3 * sendAtOnce}; !slices.Equal(p.at, want) || p.Body.String() != text {
		t.Errorf("%d of %d bytes, with more time at %v, want %v", p.Body.Len(), len(text), p.at, want)
	}
}
