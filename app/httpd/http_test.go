package httpd_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"appliance/app/apptest"
	"appliance/app/config"
	"appliance/app/httpd"
	"appliance/svc"
)

// Routes for services are not found without the service key, even if their
// service is switched off. Covers W-02, W-06, W-18, I-12 and PT-08 for errors.
func TestEveryRouteRequiresItsCredentials(t *testing.T) {
	wantRouteAccess(t, apptest.New(t, apptest.Unlimited))
	wantRouteAccess(t, apptest.New(t, apptest.Unlimited, func(s *config.Settings) { s.ServicesOff = []string{"time", "messages", "social", "surface"} }))
}

func wantRouteAccess(t *testing.T, h *apptest.Server) {
	t.Helper()
	ann := h.Member("ann")
	for _, rt := range h.App.HTTP.Routes() {
		method, path := apptest.SampleRequest(rt.Pattern)
		unauthenticated := h.Unauthenticated().Do(method, path)
		switch {
		case rt.Access == httpd.ServiceKey || rt.Access == httpd.OnBehalf:
			unauthenticated.WantError(404, "not_found")
			ann.Do(method, path).WantError(404, "not_found")
			ann.With("Authorization", "Service guess").Do(method, path).WantError(404, "not_found")
			for _, other := range []string{"GET", "POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"} {
				if a := ann.Do(other, path).WantError(404, "not_found"); a.Header.Get("Allow") != "" {
					t.Errorf("%s %s: got the header Allow %s, want none", other, path, a.Header.Get("Allow"))
				}
			}
		case rt.Page && (rt.Access == httpd.Member || rt.Access == httpd.Operator):
			if unauthenticated.Want(303).Header.Get("Location")[:len("/world/login")] != "/world/login" {
				t.Errorf("%s: got a redirect to %s, want the sign-in page", rt.Pattern, unauthenticated.Header.Get("Location"))
			}
		case rt.Access == httpd.Member || rt.Access == httpd.Operator:
			unauthenticated.WantError(401, "unauthenticated")
			if unauthenticated.Header.Get("WWW-Authenticate") != `Bearer realm="world"` {
				t.Errorf("%s: got the challenge %q, want Bearer", rt.Pattern, unauthenticated.Header.Get("WWW-Authenticate"))
			}
			ann.With("Authorization", "Bearer svc_garbage").Do(method, path).WantError(401, "unauthenticated")
			ann.Basic().Do(method, path).WantError(401, "unauthenticated")
		}
		if rt.Access == httpd.Operator && !rt.Page {
			ann.Do(method, path).WantError(403, "permission_denied")
		}
	}
}

// Covers W-13.
func TestUnknownPathsAndMethodsAreRejected(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	ann.Do("GET", "/world/unknown").WantError(404, "not_found")
	ann.Do("GET", "/world//calendars").WantError(404, "not_found")
	ann.Do("GET", "/world/../world/calendars").WantError(404, "not_found")
	a := ann.Do("PUT", "/world/calendars").WantError(405, "method_not_allowed")
	if got := a.Header.Get("Allow"); got != "GET, HEAD, POST" {
		t.Errorf("Allow: got %s, want GET, HEAD, POST", got)
	}
}

// Covers W-08, W-10, W-11, W-12, W-48, E-02, E-15, L-10, B-86, B-87 and PT-09.
func TestBodiesAreJSONOrForms(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	create := "/world/calendars"
	ann.With("Content-Type", "application/json").Do("POST", create, "{").WantError(400, "malformed_body")
	ann.With("Content-Type", "application/json").Do("POST", create, `[1]`).WantError(400, "malformed_body")
	ann.With("Content-Type", "application/json").Do("POST", create, `{"name": "a"} {"name": "b"}`).WantError(400, "malformed_body")
	ann.With("Content-Type", "application/json").Do("POST", create, "{\"name\": \"\xff\"}").WantError(400, "malformed_body")
	wrong := ann.Do("POST", create, `{"name": []}`).WantError(400, "malformed_body").WantFields("name")
	if got := wrong.Str("error.message"); got != "Name has a value of the wrong kind (array)." {
		t.Errorf("message: got %q, want the field and the kind of its value", got)
	}
	ann.Do("POST", create, `{"name": 7}`).WantError(400, "malformed_body").WantFields("name")
	ann.Do("PATCH", "/world/calendars/none", `{"order": "first"}`).WantError(400, "malformed_body").WantFields("order")
	ann.Do("POST", create).WantError(400, "field_required").WantFields("name")
	ann.Do("POST", create, `{}`).WantError(400, "field_required").WantFields("name")
	ann.Do("POST", create, `{"name": "  "}`).WantError(400, "field_required").WantFields("name")
	ann.Do("POST", create, `{"name": "a\nb"}`).WantError(422, "invalid_value").WantFields("name")
	ann.Do("POST", create, map[string]any{"name": strings.Repeat("é", svc.MaxName+1)}).WantError(422, "too_long").WantFields("name")
	ann.Do("POST", create, map[string]any{"name": "a", "color": "blue", "timezone": "Mars/X"}).WantError(422, "invalid_value").WantFields("color", "timezone")
	ann.With("Content-Type", "text/xml").Do("POST", create, "<a/>").WantError(415, "unsupported_media_type")
	ann.With("Content-Type", "not a type").Do("POST", create, "x").WantError(415, "unsupported_media_type")
	ann.Do("GET", "/world/time/objects?limit=many").WantError(400, "invalid_parameter").WantFields("limit")
	if n := len(ann.Do("GET", create).List("calendars")); n != 1 {
		t.Fatalf("after rejected requests: got %d calendars, want 1", n)
	}

	// Errors quote only the beginning of long values.
	long := strings.Repeat("9", 900_000)
	for _, a := range []*apptest.Answer{
		ann.Do("PATCH", "/world/calendars/none", `{"order": `+long+`}`).WantError(400, "malformed_body").WantFields("order"),
		ann.With("Content-Type", "text/"+strings.Repeat("x", 30_000)).Do("POST", create, "<a/>").WantError(415, "unsupported_media_type"),
		ann.Do("POST", create, apptest.Form(long[:500_000]+"=%ff")).WantError(400, "malformed_body"),
	} {
		if len(a.Body) > 2000 {
			t.Errorf("%s: got a response of %d bytes, want at most 2000", a.About, len(a.Body))
		}
	}

	big := `{"name": "` + strings.Repeat("x", 2<<20) + `"}`
	ann.Do("POST", create, big).WantError(413, "body_too_large")

	ann.Do("POST", create+"?unknown=1", `{"name": "Unknown fields", "shape": {"round": true}}`).Want(201)
	// The same request in both encodings of forms.
	ann.Do("POST", create, apptest.Form("name=Form&color=%23102030")).Want(201)
	multipart := "--x\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nParts\r\n--x--\r\n"
	ann.With("Content-Type", "multipart/form-data; boundary=x").Do("POST", create, multipart).Want(201)
	file := strings.Replace(multipart, `name="name"`, `name="name"; filename="a.txt"`, 1)
	ann.With("Content-Type", "multipart/form-data; boundary=x").Do("POST", create, file).WantError(415, "unsupported_media_type")
	id := ann.Do("GET", create).Str("calendars.2.id")
	if got := ann.Do("POST", create+"/"+id, apptest.Form("_method=PATCH&visible=0&order=9")).Want(200); got.At("calendar.visible") != false || got.At("calendar.order") != 9.0 {
		t.Errorf("form with _method=PATCH: got %s, want the change", got.Body)
	}
	ann.Do("POST", create+"/"+id, apptest.Form("_method=DELETE")).Want(200)
	ann.Do("POST", create+"/"+id, apptest.Form("_method=GET")).WantError(405, "method_not_allowed")
}

// Bodies of unauthenticated clients are limited. The field _method is read from no
// more octets than that, because it is read before authentication. Covers B-83.
func TestBodiesOfUnauthenticatedClientsAreSmall(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.Registration = "open" })
	long := strings.Repeat("x", httpd.MaxUnauthenticatedBody)
	for _, path := range []string{"/identity/login", "/identity/register"} {
		h.Unauthenticated().Do("POST", path, map[string]any{"login": long, "password": "x"}).WantError(413, "body_too_large")
	}
	code := h.SetupCode()
	for _, path := range []string{"/world/login", "/world/register", "/world/invite/none", "/setup?code=" + code} {
		h.Unauthenticated().Do("POST", path, apptest.Form("login="+long)).Want(413)
	}
	ann := h.Member("ann")
	id := ann.Do("POST", "/world/calendars", `{"name": "a"}`).Want(201).Str("calendar.id")
	ann.Do("POST", "/world/calendars/"+id, apptest.Form("_method=PATCH&name=b&x=%"+long)).Want(400)
	form := apptest.Form("_method=PATCH&name=b&x=" + long + long)
	if got := ann.Do("POST", "/world/calendars/"+id, form).Want(200).Str("calendar.name"); got != "b" {
		t.Errorf("long form of a member: got the name %q, want b", got)
	}
}

// endlessBody is a body without an end. It counts the bytes read.
type endlessBody struct{ n int }

func (b *endlessBody) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	b.n += len(p)
	return len(p), nil
}

// Before authentication, a slow client must not be able to hold much memory.
func TestLittleIsReadBeforeAuthentication(t *testing.T) {
	h := apptest.New(t)
	for _, path := range []string{"/world/calendars", "/world/nowhere", "/world/login/done"} {
		endless := new(endlessBody)
		r := httptest.NewRequest("POST", path, endless)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		h.App.HTTP.ServeHTTP(httptest.NewRecorder(), r)
		if endless.n > 2*httpd.MaxUnauthenticatedBody {
			t.Errorf("%s: got %d bytes read, want at most %d", path, endless.n, 2*httpd.MaxUnauthenticatedBody)
		}
	}
}

// Covers PT-31.
func TestFormsAreEquivalentToJSON(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	wantSame := func(path, form, json string, fields ...string) {
		t.Helper()
		a, b := ann.Do("POST", path, apptest.Form(form)).Want(201), ann.Do("POST", path, json).Want(201)
		for _, field := range fields {
			if got, want := fmt.Sprint(a.At(field)), fmt.Sprint(b.At(field)); got != want {
				t.Errorf("%s of %s: got %s from a form, want %s as from JSON", field, path, got, want)
			}
		}
	}
	wantSame("/world/calendars", "name=A&order=3&color=%23ff0000", `{"name": "A", "order": 3, "color": "#ff0000"}`, "calendar.name", "calendar.order", "calendar.color")
	wantSame("/world/time/objects",
		"object_type=calendar_event&title=T&start=2026-12-01T09:00:00&all_day=&exdates[]=2026-12-02T09:00:00&exdates[]=2026-12-03T09:00:00&rrule=FREQ%3DDAILY%3BCOUNT%3D5&alarm_minutes=15&end=",
		`{"object_type": "calendar_event", "title": "T", "start": "2026-12-01T09:00:00", "all_day": false, "rrule": "FREQ=DAILY;COUNT=5",
		  "exdates": ["2026-12-02T09:00:00", "2026-12-03T09:00:00"], "alarms": [{"trigger": "-PT15M"}]}`,
		"object.title", "object.state.start", "object.state.end", "object.state.all_day", "object.state.recurrence", "object.state.alarms")
	wantSame("/world/time/objects", "object_type=task&title=T&due=2026-12-01&priority=3&percent_complete=40",
		`{"object_type": "task", "title": "T", "due": "2026-12-01", "priority": 3, "percent_complete": 40}`,
		"object.state.due", "object.state.priority", "object.state.percent_complete", "object.state.all_day")
}

// Covers I-17, I-18 and B-08.
func TestCrossOriginRequestsAreRejected(t *testing.T) {
	h := apptest.New(t)
	ann := h.Member("ann")
	browser := h.Unauthenticated().With("Cookie", apptest.CookieName+"="+ann.Token)
	browser.Do("GET", "/world/identity/me").Want(200)
	browser.With("Sec-Fetch-Site", "same-origin").Do("POST", "/world/calendars", `{"name": "Mine"}`).Want(201)
	for name, attack := range map[string]*apptest.Client{
		"cross-site":       browser.With("Sec-Fetch-Site", "cross-site"),
		"same-site":        browser.With("Sec-Fetch-Site", "same-site"),
		"an older browser": browser.With("Origin", "https://evil.example"),
		"a sandbox":        browser.With("Origin", "null"),
	} {
		for _, path := range []string{"/world/calendars", "/identity/logout", "/account", "/admin/members/update", "/world/login"} {
			if a := attack.Do("POST", path, apptest.Form("name=Theirs&all=1")); a.Status != 403 {
				t.Errorf("%s: POST %s: got status %d, want 403", name, path, a.Status)
			}
		}
	}
	// Behind a proxy the Host header may differ from the address of the server.
	browser.With("Origin", h.Settings.URL().Scheme+"://"+h.Settings.URL().Host).Do("POST", "/world/calendars", `{"name": "Two"}`).Want(201)
	if n := len(ann.Do("GET", "/world/calendars").List("calendars")); n != 3 {
		t.Errorf("got %d calendars, want 3", n)
	}
}

// Covers E-19 and B-02.
func TestPanicFailsOneRequestAndIsOnlyLogged(t *testing.T) {
	h := apptest.New(t)
	h.App.HTTP.HandlePublic("GET /boom", func(http.ResponseWriter, *http.Request) error { panic("secret of SELECT") })
	a := h.Unauthenticated().Do("GET", "/boom").WantError(500, "internal_error")
	if strings.Contains(a.Body, "SELECT") || !strings.Contains(h.Log.String(), "secret of SELECT") {
		t.Errorf("got %s, want the cause only in the log", a.Body)
	}
	h.Unauthenticated().Do("GET", "/health").Want(200)
}

// The method is chosen by the client and may have any length.
func TestLongMethodsAreCutInTheLog(t *testing.T) {
	h := apptest.New(t)
	h.Unauthenticated().Do(strings.Repeat("M", 60_000), "/nowhere").Want(404)
	if a := h.Member("ann").Basic().Do(strings.Repeat("M", 60_000), "/caldav/").Want(501); len(a.Body) > 1000 {
		t.Errorf("got a response of %d bytes, want at most 1000: %.100s…", len(a.Body), a.Body)
	}
	for line := range strings.Lines(h.Log.String()) {
		if len(line) > 1000 {
			t.Errorf("got a log line of %d bytes, want at most 1000: %.100s…", len(line), line)
		}
	}
}

// Requests without credentials are not logged, because many clients send their
// first request without them.
func TestOnlyWrongCredentialsAreLogged(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	lines := func() int { return strings.Count(h.Log.String(), `level=INFO msg="request failed"`) }
	h.Unauthenticated().Do("PROPFIND", "/caldav/").Want(401)
	h.Unauthenticated().Do("GET", "/account").Want(303)
	h.Unauthenticated().Do("GET", "/world/runtime").Want(401)
	if n := lines(); n != 0 {
		t.Errorf("without credentials: got %d lines, want 0\n%s", n, h.Log)
	}
	h.Unauthenticated().With("Authorization", "Basic eDp5").Do("PROPFIND", "/caldav/").Want(401)
	h.Unauthenticated().With("Authorization", "Basic ").Do("PROPFIND", "/caldav/").Want(401)
	h.Unauthenticated().With("Authorization", "Bearer x").Do("GET", "/world/runtime").Want(401)
	h.Unauthenticated().With("Cookie", apptest.CookieName+"=x").Do("GET", "/account").Want(303)
	h.Unauthenticated().Do("POST", "/identity/login", map[string]any{"login": "ann", "password": "x"}).Want(401)
	if n := lines(); n != 5 {
		t.Errorf("with wrong credentials: got %d lines, want 5\n%s", n, h.Log)
	}
}

// Covers L-13 and B-81.
func TestWritesAreLimitedByMember(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.RateLimits = map[string]int{"writes": 2} })
	ann, bea := h.Member("ann"), h.Member("bea")
	for range 2 {
		ann.Do("POST", "/world/calendars", `{"name": "x"}`).Want(201)
	}
	a := ann.Do("POST", "/world/calendars", `{"name": "x"}`).WantError(429, "rate_limited")
	if a.Header.Get("Retry-After") == "" {
		t.Error("got no Retry-After, want one")
	}
	ann.Do("GET", "/world/calendars").Want(200)
	bea.Do("POST", "/world/calendars", `{"name": "x"}`).Want(201)
}

// Covers W-07 and SH-27.
func TestServerWorksBelowThePathOfBaseURL(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.BaseURL = "https://example.org/home/" })
	ann := h.Member("ann")
	ann.Do("GET", "/world/identity/me").Want(200)
	a := h.Unauthenticated().Do("POST", "/world/login", apptest.Form("login=ann&password="+strings.ReplaceAll(apptest.Password, " ", "+")+"&return_to=/account")).Want(303)
	if got := a.Header.Get("Location"); got != "/home/account" {
		t.Errorf("redirect: got %s, want /home/account", got)
	}
	for _, c := range a.Header.Values("Set-Cookie") {
		if !strings.Contains(c, "Path=/home/;") || !strings.Contains(c, "Secure") {
			t.Errorf("cookie: got %s, want the path /home/ and Secure", c)
		}
	}
	body := ann.Basic().With("Depth", "1").Do("PROPFIND", "/caldav/1/calendars/").Want(207).Body
	if !strings.Contains(body, "<D:href>/home/caldav/1/calendars/cal_") {
		t.Errorf("got %s, want hrefs with the path", body)
	}
	if got := h.Unauthenticated().Do("PROPFIND", "/.well-known/caldav").Want(301).Header.Get("Location"); got != "/home/caldav/" {
		t.Errorf("/.well-known/caldav: got %s, want /home/caldav/", got)
	}
	if rt := ann.AsRuntime().Do("GET", "/world/runtime").Want(200).Body; strings.Contains(rt, "/home/world") || strings.Contains(rt, "example.org/home") {
		t.Errorf("dataset: got %s, want paths without the path of base-url", rt)
	}
	outside, err := http.Get(h.HTTP.URL + "/world/login")
	if err != nil || outside.StatusCode != 404 {
		t.Errorf("outside the path: got %v, %v, want 404", outside.StatusCode, err)
	}
	outside.Body.Close()
}

// Covers W-54 and E-06.
func TestOnlyTheServiceThatIsOffIsUnavailable(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) { s.ServicesOff = []string{"time"} })
	ann := h.Member("ann")
	ann.Do("GET", "/world/calendars").WantError(503, "service_unavailable")
	ann.Basic().Do("PROPFIND", "/caldav/").Want(503)
	h.Unauthenticated().Do("GET", "/ready/time").WantError(503, "service_unavailable")
	h.Unauthenticated().Do("GET", "/ready").Want(200)
	a := ann.AsRuntime().Do("GET", "/world/runtime").Want(200)
	found := false
	for _, f := range a.List("fallbacks") {
		found = found || apptest.At(f, "scope.service") == "time" && apptest.At(f, "state") == "unavailable"
	}
	if !found {
		t.Errorf("fallbacks: got %v, want one for the service time", a.At("fallbacks"))
	}
}

// deadlineRecorder records the size of the response at each extension of the write
// deadline.
type deadlineRecorder struct {
	*httptest.ResponseRecorder
	sizes []int
}

func (p *deadlineRecorder) SetWriteDeadline(time.Time) error {
	p.sizes = append(p.sizes, p.Body.Len())
	return nil
}

func TestWriteDeadlineIsExtendedForEachPartOfALargeResponse(t *testing.T) {
	p := &deadlineRecorder{ResponseRecorder: httptest.NewRecorder()}
	w := httpd.NewResponse(p)
	text := strings.Repeat("x", httpd.DeadlineBytes/4) + strings.Repeat("y", 3*httpd.DeadlineBytes)
	for _, part := range []string{text[:1000], text[1000:2000], text[2000:]} {
		if n, err := io.WriteString(w, part); n != len(part) || err != nil {
			t.Fatalf("got %d bytes written, %v, want %d", n, err, len(part))
		}
	}
	if want := []int{httpd.DeadlineBytes, 2 * httpd.DeadlineBytes, 3 * httpd.DeadlineBytes}; !slices.Equal(p.sizes, want) || p.Body.String() != text {
		t.Errorf("got %d of %d bytes with extensions at %v, want %v", p.Body.Len(), len(text), p.sizes, want)
	}
}
