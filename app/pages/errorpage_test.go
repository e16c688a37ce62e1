package pages_test

import (
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"

	"appliance/app/apptest"
	"appliance/app/config"
)

// browserAccept is the Accept header of Firefox for a navigation.
const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// An error is a page for a person with a browser, in the style of the other pages,
// and JSON for a program. The status is the same.
func TestErrorsArePagesForPeopleAndJSONForPrograms(t *testing.T) {
	h := apptest.New(t, func(s *config.Settings) {
		s.RateLimits = map[string]int{"reads": 20}
		s.ServicesOff = []string{"social"}
	})
	h.Member("ann")
	bea, cem := h.Member("bea"), h.Member("cem")
	withCookie := func(c *apptest.Client) *apptest.Client {
		return h.Unauthenticated().With("Cookie", apptest.CookieName+"="+c.Token)
	}
	limited := withCookie(cem)
	for range 20 {
		limited.Do("GET", "/world/identity/me").Want(200)
	}
	h.Exec("ALTER TABLE identity_link RENAME TO lost") // a reset link cannot be read
	member := withCookie(bea)
	for _, c := range []struct {
		client       *apptest.Client
		path, title  string
		status       int
		alwaysAsPage bool
	}{
		{h.Unauthenticated(), "/nowhere", "Page not found", 404, false},
		{h.Unauthenticated(), "/world/nowhere?x=1", "Page not found", 404, false},
		{h.Unauthenticated(), "/a//b", "Page not found", 404, false},
		{h.Unauthenticated(), "/help/nowhere", "Page not found", 404, true},
		{h.Unauthenticated(), "/identity/login", "This page cannot be opened", 405, false},
		{h.Unauthenticated(), "/world/identity/export", "Sign in first", 401, false},
		{member, "/admin/members", "Not allowed", 403, false},
		{limited, "/world/identity/me", "Too many requests", 429, false},
		{h.Unauthenticated(), "/world/reset/x", "The server failed", 500, true},
		{member, "/world/social/people", "Not available at the moment", 503, false},
	} {
		page := c.client.With("Accept", browserAccept).Do("GET", c.path).Want(c.status)
		for _, want := range []string{"<h1>" + c.title + "</h1>", `rel="stylesheet"`, `name="viewport"`, `href="#main"`, "/help/"} {
			if !strings.Contains(page.Body, want) {
				t.Errorf("%s in a browser: got\n%s\nwant %s in it", c.path, page.Body, want)
			}
		}
		if got := page.Header.Get("WWW-Authenticate"); got != "" {
			t.Errorf("%s in a browser: got WWW-Authenticate %s, want none, which would open a dialog", c.path, got)
		}
		if hasID := strings.Contains(page.Body, page.Header.Get("X-Request-Id")); hasID != (c.status >= 500) {
			t.Errorf("%s in a browser: got the request ID on the page: %t, want it for failures of the server only", c.path, hasID)
		}
		if c.alwaysAsPage {
			continue
		}
		for _, accept := range []string{"", "*/*", "application/json", "application/json, text/html", "text/html;q=0.5, application/json", "text/html;q=0"} {
			program := c.client.With("Accept", accept).Do("GET", c.path).Want(c.status)
			if program.Str("error.request_id") == "" {
				t.Errorf("%s with Accept %q: got %s, want an error as JSON", c.path, accept, program.Body)
			}
		}
	}
	for _, program := range []*apptest.Client{bea, h.Unauthenticated().AsRuntime()} { // with headers of programs
		program.With("Accept", browserAccept).Do("GET", "/nowhere").WantError(404, "not_found")
	}
	h.Unauthenticated().With("Accept", browserAccept).Do("DELETE", "/nowhere").WantError(404, "not_found")
}

func TestIconIsServedAndNamedByEachPage(t *testing.T) {
	for _, base := range []string{"", "http://home.example.org/a"} {
		h := apptest.New(t, func(s *config.Settings) { s.BaseURL = base })
		page := h.Unauthenticated().Do("GET", "/world/login").Want(200)
		link := regexp.MustCompile(`<link rel="icon" href="([^"]*)">`).FindStringSubmatch(page.Body)
		if link == nil || !strings.Contains(page.Header.Get("Content-Security-Policy"), "img-src 'self'") {
			t.Fatalf("base-url %q: got %v on the page\n%s\nwant a link to the icon, which the policy permits", base, link, page.Body)
		}
		path, ok := strings.CutPrefix(link[1], strings.TrimPrefix(base, "http://home.example.org"))
		if !ok {
			t.Errorf("base-url %q: got the icon at %s, want it below base-url", base, link[1])
		}
		icon := h.Unauthenticated().Do("GET", path).Want(200)
		if got := icon.Header.Get("Content-Type"); got != "image/x-icon" || !strings.HasPrefix(icon.Body, "\x00\x00\x01\x00") {
			t.Errorf("base-url %q: %s: got %s, want an icon", base, link[1], got)
		}
	}
}

// A person who types the address of the server or /login, or signs in again after signing
// out, ends in the web app. A native app recognizes the end of the sign-in by its address.
func TestSignInLeadsToTheWebApp(t *testing.T) {
	h := apptest.New(t)
	h.Member("ann")
	web := h.Unauthenticated()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	web.HTTP.Jar, web.HTTP.CheckRedirect = jar, nil // follows redirects, as a browser does
	signIn := func(form *apptest.Answer) *apptest.Answer {
		t.Helper()
		back := regexp.MustCompile(`name="return_to" value="([^"]*)"`).FindStringSubmatch(form.Want(200).Body)
		if back == nil {
			t.Fatalf("got\n%s\nwant the sign-in form", form.Body)
		}
		return web.Do("POST", "/world/login", apptest.Form("login=ann&password=correct+horse+battery&return_to="+back[1])).Want(200)
	}
	const app = ` data-dataset="/world/runtime"`
	for _, path := range []string{"/login", "/"} {
		if a := signIn(web.Do("GET", path)); !strings.Contains(a.Body, app) {
			t.Errorf("after %s: got\n%s\nwant the web app", path, a.Body)
		}
		if a := web.Do("GET", path).Want(200); !strings.Contains(a.Body, app) {
			t.Errorf("%s of a signed-in member: got\n%s\nwant the web app", path, a.Body)
		}
		jar, _ = cookiejar.New(nil)
		web.HTTP.Jar = jar
	}
	signIn(web.Do("GET", "/login"))
	form := web.With("Sec-Fetch-Site", "same-origin").Do("POST", "/world/logout", apptest.Form(""))
	if a := signIn(form); !strings.Contains(a.Body, app) {
		t.Errorf("after the sign-out: got\n%s\nwant the web app", a.Body)
	}
	signedIn := signIn(web.Do("GET", "/world/login"))
	if refresh := signedIn.Header.Get("Refresh"); !strings.Contains(signedIn.Body, "<h1>You are signed in</h1>") || refresh != "0; url=/app/" {
		t.Errorf("after /world/login: got the header Refresh %q on\n%s\nwant a page that continues to the web app", refresh, signedIn.Body)
	}
}
